#include "kernels/libraries/library.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/job.h"
#include "base/signals.h"
#include "base/text.h"
#include "base/threads.h"
#include "formats/csr.h"
#include "kernels/kernel.h"

/* The child */

/* A message of the child. It writes one for each file that it tries, so that its parent knows at which file
 * it ended, and one with the outcome. */
struct told {
    int file;
    bool over;         /* this is the outcome */
    char reason[1000]; /* why the library cannot be used; "" if it can, or if none of the files exists */
};

static void tell(int out, const struct told *told)
{
    const char *bytes = (const char *)told;
    for (size_t done = 0; done < sizeof *told;) {
        ssize_t written = write(out, bytes + done, sizeof *told - done);
        if (written <= 0) return;
        done += (size_t)written;
    }
}

/* A library that exits in the child must not run the parent's exit handlers. */
static void leave(void)
{
    fflush(stdout);
    fflush(stderr);
    _exit(1);
}

/* 4 x 3, with an empty row, and 32-bit columns that a 64-bit library would misread:
 *
 *     1 . 2
 *     . . .
 *     . 3 4
 *     5 . . */
#define ROWS 4
#define COLS 3
static const double small_x[COLS] = {1, 2, 3}, small_start[ROWS] = {1, 1, 1, 1},
                    small_y[ROWS] = {7, 0, 18, 5};

/* Multiply the small matrix, and compare. All numbers are exact in both precisions. */
static enum status multiply(const struct library *library, enum precision precision, bool accumulate,
                            struct error *error)
{
    int64_t row_ptr[ROWS + 1] = {0, 2, 2, 4, 5};
    int32_t col[] = {0, 2, 1, 2, 0};
    double val[] = {1, 2, 3, 4, 5}, x[COLS], y[ROWS];
    const struct csr a = {.rows = ROWS, .cols = COLS, .row_ptr = row_ptr, .col = col, .val = val};
    const struct format_options options = {.limit = 0};
    const struct launch_options wanted = {.product.accumulate = accumulate};
    const struct kernel_choice choice = {
        .kernel = library->kernel, .format = format_choice_default(&format_csr, precision), .threads = 1};
    struct storage storage;
    struct launch launch = {.kernel = NULL};
    bool single = precision == PRECISION_F32;
    enum status status = format_convert(&choice.format, &options, &a, NULL, &storage, error);
    if (status == STATUS_OK) status = kernel_prepare(&choice, &storage, &wanted, &launch, error);
    for (int j = 0; j < COLS; j++)
        if (single)
            ((float *)x)[j] = (float)small_x[j];
        else
            x[j] = small_x[j];
    for (int i = 0; i < ROWS; i++)
        if (single)
            ((float *)y)[i] = (float)small_start[i];
        else
            y[i] = small_start[i];
    if (status == STATUS_OK) kernel_run(&launch, x, y);
    for (int i = 0; i < ROWS && status == STATUS_OK; i++) {
        double is = single ? (double)((float *)y)[i] : y[i],
               should = small_y[i] + (accumulate ? small_start[i] : 0);
        if (!(is == should))
            status = error_set(
                error, STATUS_UNAVAILABLE,
                "row %d of a small product is %g and should be %g: is it built for 64-bit integers?", i + 1,
                is, should);
    }
    kernel_release(&launch);
    storage_free(&storage);
    return status;
}

static enum status use(const struct library *library, struct error *error)
{
    struct library_found *found = library->found;
    char version[sizeof found->version] = "";
    library_threads(library, 1);
    enum status status = library_start(library, version, sizeof version, error);
    /* The kernel searches for its library, which is loaded: this thread holds the lock, as the parent did. */
    found->reason[0] = 0;
    atomic_store(&found->looked, true);
    pthread_mutex_unlock(&found->lock);
    for (int accumulate = 0; accumulate < 2 && status == STATUS_OK; accumulate++)
        for (int p = PRECISION_F64; p <= PRECISION_F32 && status == STATUS_OK; p++)
            status = multiply(library, (enum precision)p, accumulate, error);
    return status;
}

static void try_files(const struct library *library, const struct library_names *names, int out)
{
    struct told told = {.file = -1};
    bool missing = true;
    for (int k = 0; k < names->count && missing; k++) {
        struct error error = {0};
        told = (struct told){.file = k};
        tell(out, &told);
        if (library_open(library, names->name[k], &missing, &error) == STATUS_OK) use(library, &error);
        if (!missing) library_reason(library, &error, told.reason, sizeof told.reason);
    }
    if (missing) told.file = -1;
    told.over = true;
    tell(out, &told);
}

/* Set up the child: no input, all output to its parent, and default handling of signals. */
static void live(const struct library *library, const struct library_names *names, int out, int words)
{
    int nothing = open("/dev/null", O_RDONLY);
    atexit(leave);
    for (int k = 1; k < NSIG; k++)
        if (signal_ends(k)) signal(k, SIG_DFL);
    dup2(nothing, STDIN_FILENO);
    dup2(words, STDOUT_FILENO);
    dup2(words, STDERR_FILENO);
    threads_set(1); /* the child does not have the threads of the parent's team */
    try_files(library, names, out);
    _exit(0);
}

/* The parent */

/* The child's messages and output. */
struct heard {
    struct told told;
    size_t part;      /* bytes received of the next struct told, */
    struct told next; /* which are stored here */
    char words[400];  /* the last output of the child */
    bool late;        /* it was killed after the time limit */
};

static void hear_told(struct heard *heard, const char *bytes, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        ((char *)&heard->next)[heard->part++] = bytes[k];
        if (heard->part < sizeof heard->next) continue;
        heard->told = heard->next;
        heard->part = 0;
    }
}

static void hear_words(struct heard *heard, const char *bytes, size_t count)
{
    size_t room = sizeof heard->words - 1, kept = strlen(heard->words);
    if (count > room) {
        bytes += count - room;
        count = room;
    }
    size_t dropped = kept + count > room ? kept + count - room : 0;
    memmove(heard->words, heard->words + dropped, kept - dropped);
    memcpy(heard->words + kept - dropped, bytes, count);
    heard->words[kept - dropped + count] = 0;
}

/* Read from the child until the outcome, its end, or the time limit. Its own children may hold the pipes open
 * for longer. */
static void hear(pid_t child, int in, int words, double seconds, struct heard *heard)
{
    struct pollfd files[2] = {{.fd = in, .events = POLLIN}, {.fd = words, .events = POLLIN}};
    double end = clock_seconds() + seconds;
    while (files[0].fd >= 0 && !heard->told.over) {
        double left = end - clock_seconds();
        if (left <= 0) {
            heard->late = true;
            kill(child, SIGKILL);
            return;
        }
        if (poll(files, 2, (int)(1000 * left) + 1) <= 0) continue;
        for (int k = 1; k >= 0; k--) {
            char bytes[4096];
            if (!files[k].revents) continue;
            ssize_t count = read(files[k].fd, bytes, sizeof bytes);
            if (count <= 0)
                files[k].fd = -1;
            else if (k == 0)
                hear_told(heard, bytes, (size_t)count);
            else
                hear_words(heard, bytes, (size_t)count);
        }
    }
}

/* Read the remaining output of a child that has ended. */
static void hear_rest(int words, struct heard *heard)
{
    struct pollfd file = {.fd = words, .events = POLLIN};
    char bytes[4096];
    ssize_t count = 1;
    while (count > 0 && poll(&file, 1, 0) > 0) {
        count = read(words, bytes, sizeof bytes);
        if (count > 0) hear_words(heard, bytes, (size_t)count);
    }
}

/* The last line that is not blank; `words` is cut after it. */
static const char *last_line(char *words)
{
    size_t length = strlen(words);
    while (length > 0 && (words[length - 1] == '\n' || words[length - 1] == ' '))
        words[--length] = 0;
    const char *line = strrchr(words, '\n');
    text_visible(words);
    return line ? line + 1 : words;
}

/* Describe the end of a child without an outcome. */
static void explain_end(const struct library *library, const struct library_names *names, int ended,
                        struct heard *heard, char *reason, size_t size)
{
    const char *name = heard->told.file >= 0 ? names->name[heard->told.file] : library->place.title;
    const char *words = last_line(heard->words);
    char how[96];
    if (heard->late)
        snprintf(how, sizeof how, "does not answer in time");
    else if (WIFSIGNALED(ended))
        snprintf(how, sizeof how, "crashes (%s)", strsignal(WTERMSIG(ended)));
    else
        snprintf(how, sizeof how, "ends the program that loads it");
    snprintf(reason, size, "%s: %.300s %s%s%s", library->place.title, name, how, words[0] ? ", saying: " : "",
             words);
}

/* Start the child: its messages come through `in`, its output through `words`. */
static pid_t start(const struct library *library, const struct library_names *names, int *in, int *words)
{
    int told[2], printed[2];
    if (pipe(told) != 0) return -1;
    if (pipe(printed) != 0) {
        close(told[0]);
        close(told[1]);
        return -1;
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(told[0]);
        close(printed[0]);
        live(library, names, told[1], printed[1]);
    }
    close(told[1]);
    close(printed[1]);
    *in = told[0];
    *words = printed[0];
    if (child >= 0) return child;
    close(told[0]);
    close(printed[0]);
    return -1;
}

int library_try(const struct library *library, const struct library_names *names, double seconds,
                char *reason, size_t size)
{
    struct heard heard = {.told = {.file = -1}};
    int in, words, ended = 0;
    pid_t child = start(library, names, &in, &words);
    reason[0] = 0;
    if (child < 0) {
        snprintf(reason, size, "%s: the system gives no process to try it in", library->place.title);
        return -1;
    }
    hear(child, in, words, seconds, &heard);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        continue;
    hear_rest(words, &heard);
    close(in);
    close(words);
    if (!heard.told.over) {
        explain_end(library, names, ended, &heard, reason, size);
        return -1;
    }
    snprintf(reason, size, "%s", heard.told.reason);
    return heard.told.reason[0] ? -1 : heard.told.file;
}
