/* Restoring the terminal when a signal or a crash ends the program. */
#ifndef SPARSIGHT_UI_TERMINAL_RESTORE_H
#define SPARSIGHT_UI_TERMINAL_RESTORE_H

#include <stddef.h>

/* From now on SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT write `bytes` to
 * the terminal `fd`, set its modes to what they are now, and then do what they did before. Call it before
 * the modes are changed, and restore_write to say what to write, once that is known. A signal that is ignored
 * stays so. If the terminal is in the hands of another process group, it is left alone. */
void restore_arm(int fd);
void restore_write(const char *bytes, size_t length);

/* Hand the signals back as they were. */
void restore_disarm(void);

#endif
