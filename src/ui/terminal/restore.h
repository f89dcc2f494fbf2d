/* This restores the terminal if a signal or a crash ends the program. */
#ifndef SPARSIGHT_UI_TERMINAL_RESTORE_H
#define SPARSIGHT_UI_TERMINAL_RESTORE_H

#include <stddef.h>

/* Catch all signals that end a process (base/signals.h): each of them restores
 * the terminal `fd`, writing to it the bytes of restore_write and setting its modes to what they are now, and
 * then does what it did before. So does the end of the program while this is armed. To be called before the
 * modes are changed. A signal that is ignored stays so. A terminal that another process group has in the
 * foreground is left alone. */
void restore_arm(int fd);

/* Set the bytes that are written to the terminal; at most 512 of them are kept. */
void restore_write(const char *bytes, size_t length);

/* Give the signals their former actions, and the terminal its modes, after curses has. */
void restore_disarm(void);

#endif
