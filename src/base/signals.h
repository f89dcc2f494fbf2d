/* The signals that end a process. */
#ifndef SPARSIGHT_BASE_SIGNALS_H
#define SPARSIGHT_BASE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* True if the signal ends a process that neither catches nor ignores it, and can be caught. Numbers are 1 to
 * NSIG - 1; those between the standard and the realtime signals belong to the C library. */
bool signal_ends(int number);

/* True for the signals that a fault of the program itself raises. */
bool signal_is_fault(int number);

#endif
