#include "base/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

/* Those of crashes come first; sanitizers and MPI have handlers for them that tell more. */
static const int ending[] = {
    SIGSEGV,   SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGTRAP, SIGSYS,    SIGHUP,  SIGINT,
    SIGQUIT,   SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO,
#ifdef SIGPWR
    SIGPWR,
#endif
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
};
#define ENDING ((int)(sizeof ending / sizeof *ending))
#define CRASHES 7

/* Signals of real time end the process, too; their numbers are known when the program runs. */
#define SIGNALS_MAX 128

/* All that the handler reads. */
static struct {
    void (*last)(void);
    pid_t process;
    struct sigaction before[SIGNALS_MAX]; /* by number */
    bool caught[SIGNALS_MAX];
} kept;

/* The stack of the handler, which must also run when the program's own stack has overflowed. */
static char stack[32768];

/* The k-th of the signals; 0 behind the last. */
static int ending_signal(int k)
{
    int number = k < ENDING ? ending[k] : SIGRTMIN + k - ENDING;
    return k >= ENDING && (number > SIGRTMAX || number >= SIGNALS_MAX) ? 0 : number;
}

static void handle(int number)
{
    int code = errno;
    if (getpid() == kept.process) kept.last();
    sigaction(number, &kept.before[number], NULL);
    errno = code;
    raise(number); /* it is blocked until this handler returns */
}

void signals_catch(void (*last)(void))
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    kept.last = last;
    kept.process = getpid();
    sigaltstack(&alternate, NULL);
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGTTOU); /* setting the terminal's modes must not stop the program */
    for (int k = 0, number; (number = ending_signal(k)); k++) {
        struct sigaction *before = &kept.before[number];
        if (kept.caught[number] || sigaction(number, NULL, before) != 0) continue;
        bool ours = k < CRASHES ? before->sa_handler != SIG_IGN : before->sa_handler == SIG_DFL;
        kept.caught[number] = ours && sigaction(number, &action, NULL) == 0;
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void signals_release(void)
{
    for (int k = 0, number; (number = ending_signal(k)); k++) {
        if (kept.caught[number]) sigaction(number, &kept.before[number], NULL);
        kept.caught[number] = false;
    }
}

void signals_reset(void)
{
    sigset_t none;
    for (int k = 0, number; (number = ending_signal(k)); k++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
