#include "command/process.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/threads.h"
#include "command/meter.h"
#include "command/plot_terminal.h"
#include "command/say.h"

/* Remove an unfinished file and the progress line, restore the terminal's modes, then end by the signal as if
 * it were not caught. */
static void on_signal(int number)
{
    output_signalled();
    plot_signalled();
    meter_signalled();
    signal(number, SIG_DFL);
    raise(number);
}

void process_hush_libraries(void)
{
    setenv("HWLOC_HIDE_ERRORS", "2", 0);
}

void process_spare_plugins(void)
{
    if (!getenv("HWLOC_XMLFILE")) setenv("HWLOC_PLUGINS_PATH", "/dev/null", 0);
}

void process_catch_signals(void)
{
    struct sigaction before;
    for (int k = 1; k < NSIG; k++) {
        if (!signal_ends(k) || signal_is_fault(k) || sigaction(k, NULL, &before) != 0) continue;
        /* Others stay ignored, or belong to a tool such as a profiler. */
        if (before.sa_handler == SIG_DFL) signal(k, on_signal);
    }
    /* Without these signals, write reports the same as an error. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* The guarded process, but not one forked from it; 0 afterwards. */
static volatile pid_t guarded;

static void on_exit_of_library(void)
{
    static const char words[] =
        "sparsight: a library has ended the program. If it could not start a thread, use fewer with\n"
        "--threads=N, or raise the limit: ulimit -u, or pids.max of the control group.\n";
    if (guarded != getpid()) return;
    output_signalled();
    plot_signalled();
    meter_signalled();
    if (write(STDERR_FILENO, words, sizeof words - 1) < 0) {
        /* there is no other way to report this */
    }
    _exit(EXIT_FAILURE);
}

void process_catch_exit(void)
{
    if (!guarded) atexit(on_exit_of_library);
    guarded = getpid();
}

void process_done(void)
{
    guarded = 0;
}

enum status process_fit_threads(int asked, struct error *error)
{
    static const char limits[] = "'ulimit -u' and pids.max of the control group limit the number";
    int wanted = threads_count() < THREADS_MAX ? threads_count() : THREADS_MAX;
    int possible = threads_possible(wanted + 1) - 1; /* a job has one thread more */
    if (possible == 0) possible = 1;
    if (possible == threads_count()) return STATUS_OK;
    if (asked && possible < asked)
        return error_set(error, STATUS_UNAVAILABLE,
                         "the system started only %d of the %d threads of --threads; %s", possible, asked,
                         limits);
    if (possible < wanted)
        say_line("sparsight: only %d of %d threads are used, since the system started no more; %s", possible,
                 wanted, limits);
    else
        say_line("sparsight: %d threads are used, the maximum, instead of %d", wanted, threads_count());
    threads_set(possible);
    return STATUS_OK;
}

void process_hold_memory(size_t limit)
{
    memory_hold(limit);
    if (limit) json_set_alloc_funcs(memory_for_json, free);
}

void process_guard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            _exit(EXIT_FAILURE);
}
