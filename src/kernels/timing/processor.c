#include "kernels/timing/processor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/placement.h"
#include "kernels/cpu/cpu.h"
#include "kernels/timing/processor_parts.h"

const int processor_length[PROCESSOR_LENGTHS] = {1, 2, 4, 8, 12, 16, 32, 64, 256};
const int processor_mean[PROCESSOR_MEANS] = {4, 8, 32};
const int processor_whole_entries[PROCESSOR_WHOLES] = {32768, 524288, 6000000};

/* Loops were timed in a core's caches, of which most have at most SMALL_BYTES, and on matrices of this
 * number of bytes. Their scattered loads were timed in memory of about the same size. */
#define SMALL_BYTES 1048576.0
static const double level_bytes[PROCESSOR_LEVELS] = {6291456.0, 73400320.0};

#define LINE_BYTES 64.0
#define ENTRY_BYTES 12.0 /* of the matrices for timing whole products */

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

/* The distance between two choices of a format: differences of the logarithms of numbers, and 10 for each
 * differing word. A value left to the format equals every value. */
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

static double within(double share)
{
    return fmin(1, fmax(0, share));
}

double loop_uneven(const struct loop_pace *loop, double apart, double entries)
{
    const double mean = 1.5 * apart; /* the mean of the measured lengths with this mean difference */
    const int m = mean > processor_mean[1];
    const double from = processor_mean[m], to = processor_mean[m + 1],
                 share = within((mean - from) / (to - from)),
                 unknown = within(log2(fmax(1, entries) / PROCESSOR_ENTRIES) /
                                  log2((double)PROCESSOR_UNEVEN_ENTRIES / PROCESSOR_ENTRIES));
    double seconds[2];
    for (int many = 0; many < 2; many++)
        seconds[many] = loop->uneven[many][m] + share * (loop->uneven[many][m + 1] - loop->uneven[many][m]);
    return seconds[0] + unknown * (seconds[1] - seconds[0]);
}

/* Interpolate a factor, which is 1 up to SMALL_BYTES. */
static double factor_at(const double factor[PROCESSOR_LEVELS], double bytes)
{
    const double middle = level_bytes[LEVEL_MIDDLE], large = level_bytes[LEVEL_LARGE];
    if (bytes < middle)
        return pow(factor[LEVEL_MIDDLE],
                   within(log2(fmax(1, bytes) / SMALL_BYTES) / log2(middle / SMALL_BYTES)));
    const double share = within(log2(bytes / middle) / log2(large / middle));
    return pow(factor[LEVEL_MIDDLE], 1 - share) * pow(factor[LEVEL_LARGE], share);
}

double loop_stream(const struct loop_pace *loop, int threads, double bytes)
{
    const struct loop_factors *at = loop->beyond;
    const int many = threads > 1;
    return factor_at((double[]){at[LEVEL_MIDDLE].stream[many], at[LEVEL_LARGE].stream[many]}, bytes);
}

double loop_scattered(const struct loop_pace *loop, double bytes)
{
    const struct loop_factors *at = loop->beyond;
    return factor_at((double[]){at[LEVEL_MIDDLE].scattered, at[LEVEL_LARGE].scattered}, bytes);
}

/* Interpolate in a table by the logarithm of the size. */
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

double processor_again(const struct processor *processor, double bytes, double stretch)
{
    return bytes * (1 / processor_read(processor, 1, stretch) - 1 / processor_read(processor, 1, 0));
}

double processor_passes(const struct kernel *kernel, const struct storage *storage, double *stretch)
{
    const struct host_way *host = &kernel->host;
    const double value = value_width(storage->precision, storage->complex);
    *stretch = (double)storage->rows * (host->again_values * value + 2 * host->again_bytes);
    return (double)storage_slots(storage) * (host->again_values * value + host->again_bytes);
}

double processor_store(const struct processor *processor, int threads, double bytes)
{
    if (threads <= 1 || processor->threads <= 1) return 0;
    return within((threads - 1.0) / (processor->threads - 1.0)) * between(processor->store, bytes);
}

double processor_whole(const struct processor *processor, int threads, double bytes)
{
    const double *whole = processor->whole[threads > 1];
    int k = 0;
    while (k < PROCESSOR_WHOLES - 2 && bytes > ENTRY_BYTES * processor_whole_entries[k + 1])
        k++;
    const double from = ENTRY_BYTES * processor_whole_entries[k],
                 to = ENTRY_BYTES * processor_whole_entries[k + 1];
    return whole[k] + within(log2(fmax(1, bytes) / from) / log2(to / from)) * (whole[k + 1] - whole[k]);
}

double processor_move(const struct processor *processor, int threads, double bytes)
{
    if (threads <= 1 || processor->threads <= 1) return 0;
    return bytes / LINE_BYTES / threads * processor->moved;
}

double processor_wake(const struct processor *processor, int threads)
{
    return threads <= 1 ? processor->alone : processor->wake;
}
