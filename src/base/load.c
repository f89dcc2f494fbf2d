#include "base/load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/job.h"

/* The positions of a line's times (proc(5)): user, nice, system, idle, iowait, irq, softirq, steal. Times of
 * guests are included in user and nice. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, TIMES };

static bool is_here(const struct processors *here, long number)
{
    return number >= 0 && number < TOPOLOGY_UNITS_MAX && here->bits[number / 8] >> number % 8 & 1;
}

double load_slowdown(double others, int processors)
{
    return others > 0 ? fmax(1, (others + 1) / processors) : 1;
}

double load_busy_seconds(FILE *stat, const struct processors *here, double ticks)
{
    char line[512];
    double sum = 0;
    int lines = 0;
    while (fgets(line, sizeof line, stat) && strncmp(line, "cpu", 3) == 0) {
        char *at;
        if (line[3] < '0' || line[3] > '9') continue; /* the sum of all */
        long number = strtol(line + 3, &at, 10);
        if (!is_here(here, number)) continue;
        lines++;
        for (int k = 0; k < TIMES && *at == ' '; k++) {
            double time = strtod(at, &at);
            sum += k == IDLE || k == IOWAIT ? 0 : time;
        }
    }
    return lines > 0 ? sum / ticks : NAN;
}

static double busy_seconds(void)
{
    struct processors here;
    double busy = NAN;
    FILE *file = fopen("/proc/stat", "r");
    if (!file) return NAN;
    processors_here(&here);
    busy = load_busy_seconds(file, &here, (double)sysconf(_SC_CLK_TCK));
    fclose(file);
    return busy;
}

static double own_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) return NAN;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The system's load of the last minute. */
static double lately(void)
{
    double load = NAN;
    FILE *file = fopen("/proc/loadavg", "r");
    if (file && fscanf(file, "%lf", &load) != 1) load = NAN;
    if (file) fclose(file);
    return fmax(0, load - 1);
}

void load_begin(struct load_watch *watch)
{
    *watch = (struct load_watch){.started = clock_seconds(), .busy = busy_seconds(), .own = own_seconds()};
}

double load_end(const struct load_watch *watch)
{
    struct load_watch now;
    load_begin(&now);
    double seconds = now.started - watch->started;
    double others = ((now.busy - watch->busy) - (now.own - watch->own)) / seconds;
    if (seconds < LOAD_SECONDS || !isfinite(others)) return lately();
    return fmax(0, others);
}

double load_now(double seconds)
{
    struct load_watch watch;
    load_begin(&watch);
    const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&time, NULL);
    return load_end(&watch);
}

bool load_is_busy(double others, int processors)
{
    return others > LOAD_QUIET + 0.01 * processors;
}
