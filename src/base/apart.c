#include "base/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef __linux__
#    include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/signals.h"

/* The pauses between the parent's checks of the child grow from the first to the second of these. */
#define PAUSE_MIN 20000L    /* nanoseconds */
#define PAUSE_MAX 20000000L /* nanoseconds */

/* Reset the child to the state of a new process, except for its memory: signal handlers belong to the
 * parent's terminal and files, and the library's output must not reach these. */
static void become_plain(pid_t parent)
{
    sigset_t none;
    for (int k = 1; k < NSIG; k++)
        if (signal_ends(k)) signal(k, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent) _exit(1);
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
}

/* A library may request any amount that a damaged file states. The limit comes on top of the memory that this
 * process already has; shared memory does not count. */
static void bound_memory(size_t bytes)
{
#ifdef __linux__
    char text[256];
    unsigned long long pages = 0;
    struct rlimit limit;
    int file = open("/proc/self/statm", O_RDONLY);
    ssize_t count = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0) close(file);
    text[count > 0 ? count : 0] = 0;
    /* The sixth number: pages of data and stack. */
    if (sscanf(text, "%*s %*s %*s %*s %*s %llu", &pages) != 1 || getrlimit(RLIMIT_DATA, &limit) != 0) return;
    rlim_t all = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)bytes;
    if (all < bytes || all >= limit.rlim_cur) return;
    limit.rlim_cur = all;
    setrlimit(RLIMIT_DATA, &limit);
#else
#endif
}

/* At the limit the system sends SIGXCPU, which ends the child, without a core file. */
static void bound_time(double seconds)
{
    const struct rlimit none = {0};
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur <= (rlim_t)ceil(seconds)) return;
    limit.rlim_cur = (rlim_t)ceil(seconds);
    setrlimit(RLIMIT_CPU, &limit);
    setrlimit(RLIMIT_CORE, &none);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The end of a child. */
struct end {
    int status;  /* from waitpid, or 0 if unknown */
    bool rested; /* it was killed since it made no progress */
};

/* Wait until the child has ended. Kill it if the progress is cancelled, or if it makes no progress for too
 * long. */
static struct end wait_for(pid_t child, const struct apart *apart, struct progress *progress)
{
    struct end end = {0};
    struct timespec pause = {.tv_nsec = PAUSE_MIN};
    int64_t before = -1;
    double since = now();
    for (;;) {
        pid_t found = waitpid(child, &end.status, WNOHANG);
        if (found == child) return end;
        if (found < 0 && errno != EINTR) return (struct end){0};
        int64_t advance = apart->advance ? apart->advance(apart->self) : 0;
        if (advance != before) since = now();
        before = advance;
        end.rested = end.rested || (apart->advance && now() - since > apart->rest);
        if (end.rested || progress_cancelled(progress)) kill(child, SIGKILL);
        nanosleep(&pause, NULL);
        pause.tv_nsec = 2 * pause.tv_nsec < PAUSE_MAX ? 2 * pause.tv_nsec : PAUSE_MAX;
    }
}

static enum status judge(enum verdict verdict, struct end end, const struct apart *apart, struct error *error)
{
    const char *library = apart->library;
    bool killed = WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL;
    if (verdict == VERDICT_DONE) return STATUS_OK;
    if (end.rested) return error_set(error, STATUS_UNAVAILABLE, "%s does not come to an end", library);
    if (killed)
        return error_set(error, STATUS_LIMIT, "%s was killed, as systems do if memory is short", library);
    if (apart->seconds > 0 && WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGXCPU)
        return error_set(error, STATUS_UNAVAILABLE, "%s was stopped after %g s of processor time", library,
                         ceil(apart->seconds));
    if (verdict == VERDICT_MEMORY)
        return error_set(error, STATUS_LIMIT, "out of memory: %s had too little for this matrix", library);
    if (WIFSIGNALED(end.status))
        return error_set(error, STATUS_UNAVAILABLE, "%s failed with signal %d (%s)", library,
                         WTERMSIG(end.status), strsignal(WTERMSIG(end.status)));
    return error_set(error, STATUS_UNAVAILABLE, "%s failed on this matrix", library);
}

void *apart_memory(size_t bytes, struct error *error)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) return memory;
    error_set(error, STATUS_MEMORY, "out of memory: no room for what a process of its own finds");
    return NULL;
}

void apart_release(void *memory, size_t bytes)
{
    if (memory) munmap(memory, bytes);
}

enum status apart_run(const struct apart *apart, struct progress *progress, struct error *error)
{
    enum status status = progress_status(progress, error);
    volatile int32_t *verdict = status == STATUS_OK ? apart_memory(sizeof *verdict, error) : NULL;
    if (!verdict) return status == STATUS_OK ? STATUS_MEMORY : status;
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        become_plain(parent);
        if (apart->memory) bound_memory(apart->memory);
        if (apart->seconds > 0) bound_time(apart->seconds);
        *verdict = (int32_t)apart->work(apart->self);
        _exit(0);
    }
    if (child > 0) {
        struct end end = wait_for(child, apart, progress);
        status = progress_status(progress, error);
        if (status == STATUS_OK) status = judge((enum verdict) * verdict, end, apart, error);
    } else
        status = error_set(error, STATUS_MEMORY, "no process for %s: %s", apart->library, strerror(errno));
    apart_release((void *)verdict, sizeof *verdict);
    return status;
}

struct numbers {
    apart_numbers *work;
    const void *argument;
    int32_t *from;
    int64_t count;
};

static enum verdict fill_numbers(void *self)
{
    const struct numbers *numbers = self;
    return numbers->work(numbers->argument, numbers->from, numbers->count);
}

enum status apart_fill(apart_numbers *work, const void *argument, const char *library, int32_t *from,
                       int64_t count, struct progress *progress, struct error *error)
{
    return apart_fill_within(0, work, argument, library, from, count, progress, error);
}

enum status apart_fill_within(double seconds, apart_numbers *work, const void *argument, const char *library,
                              int32_t *from, int64_t count, struct progress *progress, struct error *error)
{
    struct numbers numbers = {.work = work, .argument = argument, .count = count};
    const struct apart apart = {
        .library = library, .work = fill_numbers, .self = &numbers, .seconds = seconds};
    size_t bytes;
    if (!size_multiply((size_t)count, sizeof *from, &bytes) || bytes == 0) bytes = sizeof *from;
    numbers.from = apart_memory(bytes, error);
    if (!numbers.from) return STATUS_MEMORY;
    enum status status = apart_run(&apart, progress, error);
    if (status == STATUS_OK) memcpy(from, numbers.from, (size_t)count * sizeof *from);
    apart_release(numbers.from, bytes);
    return status;
}
