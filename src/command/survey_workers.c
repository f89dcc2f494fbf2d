#include "command/survey_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/job.h"
#include "base/memory.h"

#define LOOK_MS 20                 /* poll time of one worker if there is no memory to poll all */
#define SAID_MAX ((size_t)1 << 20) /* maximum bytes of messages kept from a process */

/* Make the system kill this process first when memory runs out. If this is not permitted, all processes are
 * equal. */
static void offer_to_die(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t written = write(file, "800", 3);
    (void)written;
    close(file);
}

/* The work of the new process; it never returns. */
static void live(pid_t parent, const int *output, const int *messages, int (*work)(void *argument, int input),
                 void *argument, int input)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_FAILURE);
    offer_to_die();
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    dup2(messages[1], STDERR_FILENO);
    int code = work(argument, input);
    if (fflush(NULL) != 0) code = EXIT_FAILURE;
    _exit(code);
}

static void close_both(const int *ends)
{
    close(ends[0]);
    close(ends[1]);
}

enum status worker_start(struct worker *worker, int (*work)(void *argument, int input), void *argument,
                         int input, struct error *error)
{
    int output[2], messages[2];
    pid_t parent = getpid();
    fflush(NULL);
    if (pipe2(output, O_CLOEXEC) != 0)
        return error_set(error, STATUS_IO, "cannot create a pipe for a process: %s", strerror(errno));
    if (pipe2(messages, O_CLOEXEC) != 0) {
        close_both(output);
        return error_set(error, STATUS_IO, "cannot create a pipe for a process: %s", strerror(errno));
    }
    pid_t process = fork();
    if (process == 0) live(parent, output, messages, work, argument, input);
    close(output[1]);
    close(messages[1]);
    if (process < 0) {
        close(output[0]);
        close(messages[0]);
        return error_set(error, STATUS_IO, "cannot start a process for a matrix: %s", strerror(errno));
    }
    *worker = (struct worker){.process = process,
                              .output = output[0],
                              .messages = messages[0],
                              .input = input,
                              .started = clock_seconds()};
    return STATUS_OK;
}

/* Read the available data, and close at the end. Messages beyond the maximum are dropped. */
static void drain(int *file, struct text *text, size_t most)
{
    char block[65536];
    ssize_t count = read(*file, block, sizeof block);
    if (count < 0 && errno == EINTR) return;
    if (count > 0) {
        if (text->length < most) text_append_bytes(text, block, (size_t)count);
        return;
    }
    close(*file);
    *file = -1;
}

/* Wait up to this number of milliseconds, without a limit if negative, for data from one of these workers,
 * and read them. Each worker has two files. */
static void poll_workers(struct worker *workers, int count, struct pollfd *files, int milliseconds)
{
    for (int k = 0; k < count; k++) {
        files[2 * k] = (struct pollfd){.fd = workers[k].process ? workers[k].output : -1, .events = POLLIN};
        files[2 * k + 1] =
            (struct pollfd){.fd = workers[k].process ? workers[k].messages : -1, .events = POLLIN};
    }
    if (poll(files, 2 * (nfds_t)count, milliseconds) <= 0) return;
    for (int k = 0; k < count; k++) {
        if (files[2 * k].revents) drain(&workers[k].output, &workers[k].written, SIZE_MAX);
        if (files[2 * k + 1].revents) drain(&workers[k].messages, &workers[k].said, SAID_MAX);
    }
}

/* Wait for data from a worker. */
static void wait_and_read(struct worker *workers, int count)
{
    struct pollfd *files = memory_array(2 * (size_t)count, sizeof *files, NULL);
    if (!files) /* poll one after the other, which takes longer */
        for (int k = 0; k < count; k++)
            poll_workers(&workers[k], 1, (struct pollfd[2]){{0}}, LOOK_MS);
    else
        poll_workers(workers, count, files, -1);
    free(files);
}

int workers_wait(struct worker *workers, int count, int *state)
{
    for (;;) {
        bool some = false;
        for (int k = 0; k < count; k++) {
            if (!workers[k].process) continue;
            some = true;
            if (workers[k].output >= 0 || workers[k].messages >= 0) continue;
            while (waitpid(workers[k].process, state, 0) < 0 && errno == EINTR)
                continue;
            workers[k].process = 0;
            return k;
        }
        if (!some) return -1;
        wait_and_read(workers, count);
    }
}

void worker_clear(struct worker *worker)
{
    text_free(&worker->said);
    text_free(&worker->written);
    *worker = (struct worker){.output = -1, .messages = -1};
}
