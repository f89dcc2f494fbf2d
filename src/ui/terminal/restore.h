/* This restores the terminal if a signal or a crash ends the program. */
#ifndef SPARSIGHT_UI_TERMINAL_RESTORE_H
#define SPARSIGHT_UI_TERMINAL_RESTORE_H

#include <stddef.h>

/* Catch all signals that end a process (base/signals.h): each of them restores
 * the terminal `fd`, writing to it the bytes of restore_write and setting its modes to what they are now, and
 * then has its former effect. While this is armed, the end of the program restores the terminal, too. Call
 * this before the modes are changed. An ignored signal stays ignored. If another process group is in the
 * foreground of the terminal, it is left alone. */
void restore_arm(int fd);

/* Set the bytes that are written to the terminal; at most 512 of them are kept. */
void restore_write(const char *bytes, size_t length);

/* Restore the actions of the signals, and the modes of the terminal; called after curses has restored
 * them. */
void restore_disarm(void);

#endif
