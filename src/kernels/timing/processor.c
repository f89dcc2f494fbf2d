#include "kernels/timing/processor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/placement.h"
#include "kernels/cpu/cpu.h"

const int processor_length[PROCESSOR_LENGTHS] = {1, 2, 4, 8, 12, 16, 32, 64, 256};
const int processor_mean[PROCESSOR_MEANS] = {4, 32};

void processor_identify(struct processor *processor)
{
    char line[256];
    time_t now = time(NULL);
    struct tm day;
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(processor->title, sizeof processor->title, "processor");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        colon += strspn(colon, ": \t");
        colon[strcspn(colon, "\n")] = 0;
        snprintf(processor->title, sizeof processor->title, "%.127s", colon);
        break;
    }
    if (file) fclose(file);
    processor->date[0] = 0;
    if (gmtime_r(&now, &day)) strftime(processor->date, sizeof processor->date, "%Y-%m-%d %H:%M UTC", &day);
    snprintf(processor->isa, sizeof processor->isa, "%s", loops_for(PRECISION_F64)->isa);
    processor->threads = placement_threads();
}

/* How far the values of two choices of a format are apart: by the logarithms of numbers, and by 10 for each
 * word that differs. Values that are left to the format are equal to all. */
static double apart(const struct format *format, const struct parameter_values *a,
                    const struct parameter_values *b)
{
    double sum = 0;
    for (int k = 0; format->parameters[k].name; k++) {
        double u = a->number[k], v = b->number[k];
        bool number = parameter_options(&format->parameters[k]) == 0;
        if (isnan(u) || isnan(v) || u == v) continue;
        sum += number ? fabs(log2((u + 1) / (v + 1))) : 10;
    }
    return sum;
}

const struct loop_pace *processor_loop(const struct processor *processor, const struct kernel *kernel,
                                       const struct format_choice *stored)
{
    const struct loop_pace *nearest = NULL;
    const size_t length = strlen(kernel->name);
    double least = INFINITY;
    for (int k = 0; k < processor->loops; k++) {
        const struct loop_pace *loop = &processor->loop[k];
        struct format_choice measured;
        if (loop->precision != stored->precision || strncmp(loop->name, kernel->name, length) != 0 ||
            (loop->name[length] && loop->name[length] != ':'))
            continue;
        const char *parameters = loop->name[length] ? loop->name + length + 1 : "";
        if (format_choice_read(stored->format, parameters, loop->precision, &measured, NULL) != STATUS_OK)
            continue;
        double distance = apart(stored->format, &measured.values, &stored->values);
        if (distance >= least) continue;
        least = distance;
        nearest = loop;
    }
    return nearest;
}

double loop_row(const struct loop_pace *loop, double slots)
{
    int k = 1;
    while (k < PROCESSOR_LENGTHS - 1 && processor_length[k] < slots)
        k++;
    double from = processor_length[k - 1], to = processor_length[k];
    double slope = (loop->row[k] - loop->row[k - 1]) / (to - from);
    return fmax(loop->row[0] / 2, loop->row[k - 1] + slope * (slots - from));
}

double loop_uneven(const struct loop_pace *loop, double mean)
{
    double from = processor_mean[0], to = processor_mean[1];
    double share = fmin(1, fmax(0, (mean - from) / (to - from)));
    return loop->uneven[0] + share * (loop->uneven[1] - loop->uneven[0]);
}

/* Between the sizes of a table by the logarithm. */
static double between(const double *table, double bytes)
{
    double place = log2(fmax(bytes, 1) / (double)PROCESSOR_FIRST) / 2;
    if (place <= 0) return table[0];
    if (place >= PROCESSOR_SIZES - 1) return table[PROCESSOR_SIZES - 1];
    int k = (int)place;
    return table[k] + (place - k) * (table[k + 1] - table[k]);
}

double processor_read(const struct processor *processor, int threads, double bytes)
{
    double one = between(processor->read[0], bytes), all = between(processor->read[1], bytes);
    return threads <= 1 ? one : fmin(threads * one, fmax(one, all));
}

double processor_far(const struct processor *processor, int threads, double bytes)
{
    double one = between(processor->far[0], bytes) - processor->far[0][0],
           all = between(processor->far[1], bytes) - processor->far[1][0];
    double share = processor->threads > 1 ? fmin(1, (threads - 1.0) / (processor->threads - 1.0)) : 0;
    return fmax(0, one + share * (all - one));
}

double processor_wake(const struct processor *processor, int threads)
{
    return threads <= 1 ? processor->alone : processor->wake;
}
