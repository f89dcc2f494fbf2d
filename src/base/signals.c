#include "base/signals.h"

#include <stddef.h>

static bool is_one_of(int number, const int *list, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (list[k] == number) return true;
    return false;
}

bool signal_ends(int number)
{
    /* POSIX.1-2017, signal.h: these are ignored, stop, continue, or cannot be caught. */
    static const int others[] = {
        SIGKILL,  SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG,
#ifdef SIGWINCH
        SIGWINCH,
#endif
#ifdef SIGINFO
        SIGINFO,
#endif
    };
#ifdef SIGRTMIN
    if (number >= 32 && (number < SIGRTMIN || number > SIGRTMAX)) return false;
#endif
    return number > 0 && !is_one_of(number, others, sizeof others / sizeof *others);
}

bool signal_is_fault(int number)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    return is_one_of(number, faults, sizeof faults / sizeof *faults);
}
