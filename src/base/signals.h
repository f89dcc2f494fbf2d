/* Signals whose default action ends the process (signal(7)): what is to be done before one does. */
#ifndef SPARSIGHT_BASE_SIGNALS_H
#define SPARSIGHT_BASE_SIGNALS_H

/* Have `last` called, in the handler, before any of these signals ends this process, which it then does as it
 * would have done. `last` may call only what signal-safety(7) lists. SIGKILL cannot be caught; SIGPIPE and
 * SIGXFSZ are ignored, since an error of write tells the same. A signal that is ignored stays so; one that
 * somebody else has a handler for is left to that, but for those of crashes, where it comes second. Children
 * that are forked do not call `last`. */
void signals_catch(void (*last)(void));

/* Give the signals the actions that they had. */
void signals_release(void);

/* In a child: let all these signals do what they do by default, and block none. */
void signals_reset(void);

#endif
