#include "matrix/orders/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#    include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

/* The parent looks at the child after pauses that grow from the first to the second of these. */
#define PAUSE_MIN 20000L    /* nanoseconds */
#define PAUSE_MAX 20000000L /* nanoseconds */

/* What parent and child share: the verdict, then the permutation. */
struct shared {
    volatile int32_t verdict;
    int32_t from[];
};

/* Be a process like any that was just started, but for its memory: handlers of signals are those of the
 * parent's terminal and files, and what the library prints is not for them. */
static void become_plain(pid_t parent)
{
    static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGABRT, SIGALRM,
                                  SIGUSR1, SIGUSR2, SIGXCPU, SIGSEGV, SIGBUS,  SIGFPE};
    sigset_t none;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        signal(numbers[k], SIG_DFL);
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

/* Wait until the child has ended; kill it if the progress is cancelled. Returns how it ended as waitpid says,
 * or 0 if the system does not tell. */
static int wait_for(pid_t child, struct progress *progress)
{
    int ended = 0;
    struct timespec pause = {.tv_nsec = PAUSE_MIN};
    for (;;) {
        pid_t found = waitpid(child, &ended, WNOHANG);
        if (found == child) return ended;
        if (found < 0 && errno != EINTR) return 0;
        if (progress_cancelled(progress)) kill(child, SIGKILL);
        nanosleep(&pause, NULL);
        pause.tv_nsec = 2 * pause.tv_nsec < PAUSE_MAX ? 2 * pause.tv_nsec : PAUSE_MAX;
    }
}

static enum status judge(const struct shared *shared, int ended, const char *library, struct error *error)
{
    bool killed = WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL;
    if (shared->verdict == VERDICT_DONE) return STATUS_OK;
    if (shared->verdict == VERDICT_MEMORY || killed)
        return error_set(error, STATUS_MEMORY, "out of memory: %s had too little for this matrix", library);
    if (WIFSIGNALED(ended))
        return error_set(error, STATUS_UNAVAILABLE, "%s failed with signal %d (%s)", library, WTERMSIG(ended),
                         strsignal(WTERMSIG(ended)));
    return error_set(error, STATUS_UNAVAILABLE, "%s failed on this matrix", library);
}

enum status run_apart(apart_work *work, const void *argument, const char *library, int32_t *from,
                      int64_t count, struct progress *progress, struct error *error)
{
    size_t bytes;
    size_multiply((size_t)count, sizeof *from, &bytes);
    if (!size_add(bytes, sizeof(struct shared), &bytes))
        return error_set(error, STATUS_MEMORY, "out of memory: no room for a permutation");
    struct shared *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return error_set(error, STATUS_MEMORY, "out of memory: no room for a permutation");
    enum status status = progress_status(progress, error);
    pid_t parent = getpid(), child = status == STATUS_OK ? fork() : -1;
    if (child == 0) {
        become_plain(parent);
        shared->verdict = (int32_t)work(argument, shared->from, count);
        _exit(0);
    }
    if (child > 0) {
        int ended = wait_for(child, progress);
        status = progress_status(progress, error);
        if (status == STATUS_OK) status = judge(shared, ended, library, error);
        if (status == STATUS_OK) memcpy(from, shared->from, (size_t)count * sizeof *from);
    } else if (status == STATUS_OK) {
        status = error_set(error, STATUS_MEMORY, "no process for %s: %s", library, strerror(errno));
    }
    munmap(shared, bytes);
    return status;
}
