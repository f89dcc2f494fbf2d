/* Restoring the terminal if a signal or a crash ends the program. */
#ifndef SPARSIGHT_UI_TERMINAL_RESTORE_H
#define SPARSIGHT_UI_TERMINAL_RESTORE_H

#include <stddef.h>

/* Catch all signals that end a process (base/signals.h). Each restores the terminal `fd`: it writes the bytes
 * of restore_write and sets the modes of now. Then the signal has its former effect. While this is armed, the
 * end of the program restores the terminal, too. Call this before the modes are changed. An ignored signal
 * stays ignored. If another process group is in the foreground of the terminal, it is left alone. */
void restore_arm(int fd);

/* Set the bytes that are written to the terminal; at most 512 of them are kept. */
void restore_write(const char *bytes, size_t length);

/* Restore the actions of the signals, and the modes of the terminal; called after curses has restored
 * them. */
void restore_disarm(void);

#endif
