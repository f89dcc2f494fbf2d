#include "command/meter.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"

static const char clear_line[] = "\r\033[K";

/* True while the progress line is on the terminal, for the signal handler. */
static volatile sig_atomic_t meter_shown;

void meter_signalled(void)
{
    if (meter_shown && write(STDERR_FILENO, clear_line, sizeof clear_line - 1) < 0) {
        /* The terminal has gone, and with it the line. */
    }
}

/* Maximum columns of the line, for narrow terminals: a line that wraps could not be erased. */
#define METER_WIDE 71

void meter_line(char *words)
{
    words[words_cut(words, METER_WIDE)] = 0;
    meter_shown = 1;
    fprintf(stderr, "%s%s", clear_line, text_visible(words));
    fflush(stderr);
}

void meter_clear(void)
{
    if (meter_shown) fputs(clear_line, stderr);
    meter_shown = 0;
}

/* Maximum bytes of a name in the progress line. */
#define METER_NAME 40

static void meter_draw(const char *name, struct progress *progress)
{
    const char *phase = atomic_load(&progress->phase);
    int64_t done = atomic_load(&progress->done), total = atomic_load(&progress->total);
    char shown[METER_NAME + 1];
    snprintf(shown, sizeof shown, "%s", words_end(name, METER_NAME));
    meter_shown = 1;
    fprintf(stderr, "%s%s: %s", clear_line, text_visible(shown), phase ? phase : "reading");
    if (total > 0)
        fprintf(stderr, " %d%%", (int)(100.0 * (double)(done < total ? done : total) / (double)total));
    fflush(stderr);
}

/* Seconds before the progress line is drawn; more during timing, and then between two samples. */
#define METER_SECONDS 0.1
#define METER_TIMING_SECONDS 0.25

enum status wait_with_meter(struct job *job, const char *name, bool watched)
{
    double pause = 2 * METER_SECONDS;
    while (watched && !job_wait(job, pause)) {
        pause = progress_timing(&job->progress) ? METER_TIMING_SECONDS : METER_SECONDS;
        if (!progress_may_draw(&job->progress, METER_TIMING_SECONDS, false)) {
            pause = 0;
            continue;
        }
        meter_draw(name, &job->progress);
        progress_drawn(&job->progress);
    }
    enum status status = job_join(job);
    meter_clear();
    return status;
}
