/* Profiles of processors: reading them from text, writing them, and saving measured ones. */
#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/topology.h"
#include "kernels/timing/processor.h"

/* Maximum bytes of a file; a larger one cannot be a profile. */
#define FILE_MAX 262144
#define LINE_MAX 1024
#define MOVED_SIZE 3 /* 1 MiB: the lines of all threads are in caches of cores */

#define UNEVEN (2 * PROCESSOR_MEANS)
#define FACTORS 3 /* of each level, the larger one first */
#define LOOP_NUMBERS (PROCESSOR_LENGTHS + UNEVEN + PROCESSOR_LEVELS * FACTORS)
#define LOOP_NUMBERS_OLD (LOOP_NUMBERS - FACTORS) /* until 2026-11-28 there was no middle level */

static void append_numbers(struct text *text, const char *key, const double *numbers, int count)
{
    text_append(text, "%s =", key);
    for (int k = 0; k < count; k++)
        text_append(text, " %.4g", numbers[k]);
    text_append(text, "\n");
}

/* The numbers of a loop in the order of its line. */
static void loop_numbers(const struct loop_pace *loop, double numbers[LOOP_NUMBERS])
{
    memcpy(numbers, loop->row, sizeof loop->row);
    memcpy(numbers + PROCESSOR_LENGTHS, loop->uneven, sizeof loop->uneven);
    numbers += PROCESSOR_LENGTHS + UNEVEN;
    for (int level = LEVEL_LARGE; level >= LEVEL_MIDDLE; level--, numbers += FACTORS) {
        memcpy(numbers, loop->beyond[level].stream, sizeof loop->beyond[level].stream);
        numbers[FACTORS - 1] = loop->beyond[level].scattered;
    }
}

void processor_describe(const struct processor *processor, struct text *text)
{
    char key[96];
    double numbers[LOOP_NUMBERS];
    text_append(text,
                "# Measured by sparsight kernels --calibrate: times in seconds, bandwidths in bytes/s.\n");
    text_append(text, "# load: processors that other programs kept busy meanwhile; spread: nine in ten times "
                      "were met again "
                      "within this share\n");
    text_append(text, "title = %s\nisa = %s\nthreads = %d\ndate = %s\ncomplete = %d\n", processor->title,
                processor->isa, processor->threads, processor->date, processor->complete);
    if (processor->derived > 0) text_append(text, "derived = %d\n", processor->derived);
    if (isfinite(processor->load)) append_numbers(text, "load", &processor->load, 1);
    if (isfinite(processor->spread)) append_numbers(text, "spread", &processor->spread, 1);
    text_append(text, "measurements = %d\nmended = %d\n", processor->measurements, processor->mended);
    append_numbers(text, "wake", &processor->wake, 1);
    append_numbers(text, "alone", &processor->alone, 1);
    text_append(text,
                "# of one thread and of all: 16 KiB, 64 KiB, ..., 256 MiB read in order; a load at random\n");
    for (int many = 0; many < 2; many++)
        append_numbers(text, many ? "read all" : "read one", processor->read[many], PROCESSOR_SIZES);
    for (int many = 0; many < 2; many++)
        append_numbers(text, many ? "far all" : "far one", processor->far[many], PROCESSOR_SIZES);
    text_append(text, "# a store at random, of all threads to lines that they share\n");
    append_numbers(text, "store", processor->store, PROCESSOR_SIZES);
    text_append(text, "# a line of 64 bytes that moves from one core to another, while all do so\n");
    append_numbers(text, "moved", &processor->moved, 1);
    text_append(text, "# whole products in times of what their terms add up to, of one thread and of "
                      "all, with");
    for (int k = 0; k < PROCESSOR_WHOLES; k++)
        text_append(text, " %d", processor_whole_entries[k]);
    text_append(text, " entries\n");
    for (int many = 0; many < 2; many++)
        append_numbers(text, many ? "whole all" : "whole one", processor->whole[many], PROCESSOR_WHOLES);
    text_append(text, "# loops: a row of");
    for (int k = 0; k < PROCESSOR_LENGTHS; k++)
        text_append(text, " %d", processor_length[k]);
    text_append(text, " slots, more a row if lengths vary about");
    for (int k = 0; k < PROCESSOR_MEANS; k++)
        text_append(text, " %d", processor_mean[k]);
    text_append(text, " in few rows and in many, stream by one and all, scattered, of large matrices and of "
                      "middle ones\n");
    for (int k = 0; k < processor->loops; k++) {
        const struct loop_pace *loop = &processor->loop[k];
        snprintf(key, sizeof key, "%s %s", precision_name(loop->precision), loop->name);
        loop_numbers(loop, numbers);
        append_numbers(text, key, numbers, LOOP_NUMBERS);
    }
}

/* A profile being read. */
struct reading {
    struct processor *processor;
    const char *path;
    int64_t line;
    struct error *error;
};

static enum status wrong(const struct reading *reading, const char *what, const char *key)
{
    return error_at(reading->error, STATUS_INPUT, reading->path, reading->line, 0,
                    "%.80s: %s; "
                    "'sparsight kernels --calibrate' measures the processor again",
                    key, what);
}

/* Read `count` finite numbers that are not negative, and nothing else. */
static enum status read_numbers(const struct reading *reading, const char *key, const char *value,
                                double *numbers, int count)
{
    char *end;
    for (int k = 0; k < count; k++) {
        numbers[k] = strtod(value, &end);
        if (end == value || !isfinite(numbers[k]) || numbers[k] < 0)
            return wrong(reading, "a number is missing, or is none", key);
        value = end;
    }
    return value[strspn(value, " \t\r")] ? wrong(reading, "there are too many numbers", key) : STATUS_OK;
}

static int count_words(const char *text)
{
    int count = 0;
    while (*(text += strspn(text, " \t\r"))) {
        text += strcspn(text, " \t\r");
        count++;
    }
    return count;
}

static enum status read_loop(const struct reading *reading, const char *key, const char *value)
{
    struct processor *processor = reading->processor;
    double numbers[LOOP_NUMBERS];
    enum precision precision = key[1] == '3' ? PRECISION_F32 : PRECISION_F64;
    if (processor->loops == PROCESSOR_LOOPS) return wrong(reading, "there are too many loops", key);
    const bool old = count_words(value) == LOOP_NUMBERS_OLD;
    enum status status = read_numbers(reading, key, value, numbers, old ? LOOP_NUMBERS_OLD : LOOP_NUMBERS);
    if (status != STATUS_OK) return status;
    if (old) { /* loops stream from all caches as from memory */
        memcpy(numbers + LOOP_NUMBERS_OLD, numbers + LOOP_NUMBERS_OLD - FACTORS, FACTORS * sizeof *numbers);
        processor->derived += FACTORS;
    }
    struct loop_pace *loop = &processor->loop[processor->loops++];
    *loop = (struct loop_pace){.precision = precision};
    snprintf(loop->name, sizeof loop->name, "%.63s", key + 4);
    memcpy(loop->row, numbers, sizeof loop->row);
    memcpy(loop->uneven, numbers + PROCESSOR_LENGTHS, sizeof loop->uneven);
    const double *factors = numbers + PROCESSOR_LENGTHS + UNEVEN;
    for (int level = LEVEL_LARGE; level >= LEVEL_MIDDLE; level--, factors += FACTORS) {
        memcpy(loop->beyond[level].stream, factors, sizeof loop->beyond[level].stream);
        loop->beyond[level].scattered = factors[FACTORS - 1];
    }
    return STATUS_OK;
}

/* Read the value of a key with an integer. */
static enum status read_integer(const struct reading *reading, const char *key, const char *value)
{
    struct processor *processor = reading->processor;
    double number = 0;
    const bool threads = strcmp(key, "threads") == 0, complete = strcmp(key, "complete") == 0,
               measurements = strcmp(key, "measurements") == 0, derived = strcmp(key, "derived") == 0;
    if (!threads && !complete && !measurements && !derived && strcmp(key, "mended") != 0)
        return wrong(reading, "a processor has no such key", key);
    enum status status = read_numbers(reading, key, value, &number, 1);
    const int whole = (int)fmin(number, 1 << 20);
    if (threads)
        processor->threads = whole;
    else if (complete)
        processor->complete = number > 0;
    else if (measurements)
        processor->measurements = whole;
    else if (derived)
        processor->derived = whole;
    else
        processor->mended = whole;
    return status;
}

static enum status read_pair(const struct reading *reading, const char *key, const char *value)
{
    struct processor *processor = reading->processor;
    enum status status = STATUS_OK;
    if (strcmp(key, "title") == 0)
        snprintf(processor->title, sizeof processor->title, "%.127s", value);
    else if (strcmp(key, "isa") == 0)
        snprintf(processor->isa, sizeof processor->isa, "%.15s", value);
    else if (strcmp(key, "date") == 0)
        snprintf(processor->date, sizeof processor->date, "%.23s", value);
    else if (strcmp(key, "read one") == 0 || strcmp(key, "read all") == 0)
        status = read_numbers(reading, key, value, processor->read[key[5] == 'a'], PROCESSOR_SIZES);
    else if (strcmp(key, "far one") == 0 || strcmp(key, "far all") == 0)
        status = read_numbers(reading, key, value, processor->far[key[4] == 'a'], PROCESSOR_SIZES);
    else if (strcmp(key, "whole one") == 0 || strcmp(key, "whole all") == 0)
        status = read_numbers(reading, key, value, processor->whole[key[6] == 'a'], PROCESSOR_WHOLES);
    else if (strcmp(key, "store") == 0)
        status = read_numbers(reading, key, value, processor->store, PROCESSOR_SIZES);
    else if (strcmp(key, "moved") == 0)
        status = read_numbers(reading, key, value, &processor->moved, 1);
    else if (strcmp(key, "wake") == 0)
        status = read_numbers(reading, key, value, &processor->wake, 1);
    else if (strcmp(key, "load") == 0)
        status = read_numbers(reading, key, value, &processor->load, 1);
    else if (strcmp(key, "spread") == 0)
        status = read_numbers(reading, key, value, &processor->spread, 1);
    else if (strcmp(key, "alone") == 0)
        status = read_numbers(reading, key, value, &processor->alone, 1);
    else if (strncmp(key, "f64 ", 4) == 0 || strncmp(key, "f32 ", 4) == 0)
        status = read_loop(reading, key, value);
    else
        status = read_integer(reading, key, value);
    return status;
}

static enum status read_line(const struct reading *reading, char *line)
{
    line[strcspn(line, "\r\n")] = 0;
    line += strspn(line, " \t");
    char *equals = strstr(line, " = ");
    if (!*line || *line == '#') return STATUS_OK;
    if (!equals) equals = strstr(line, " ="); /* no value */
    if (!equals) return wrong(reading, "the line is no 'key = value'", line);
    *equals = 0;
    equals += 2;
    return read_pair(reading, line, equals + strspn(equals, " \t"));
}

/* Check that all divisors of the forecast are present. */
static enum status check_profile(const struct reading *reading)
{
    const struct processor *processor = reading->processor;
    if (processor->threads < 1) return wrong(reading, "is not there", "threads");
    if (processor->loops == 0) return wrong(reading, "there is none", "loops");
    for (int many = 0; many < 2; many++)
        for (int k = 0; k < PROCESSOR_WHOLES; k++)
            if (!(processor->whole[many][k] > 0))
                return wrong(reading, "is not there, or has a 0", many ? "whole all" : "whole one");
    for (int many = 0; many < 2; many++)
        for (int k = 0; k < PROCESSOR_SIZES; k++)
            if (!(processor->read[many][k] > 0))
                return wrong(reading, "is not there, or has a 0", many ? "read all" : "read one");
    return STATUS_OK;
}

enum status processor_read_profile(const char *text, size_t length, const char *path,
                                   struct processor *processor, struct error *error)
{
    struct reading reading = {.processor = processor, .path = path, .error = error};
    enum status status = STATUS_OK;
    char line[LINE_MAX];
    *processor = (struct processor){.there = true, .load = NAN, .spread = NAN}; /* older ones do not say */
    for (size_t at = 0; at < length && status == STATUS_OK;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t wide = end ? (size_t)(end - text) - at : length - at;
        reading.line++;
        if (wide >= sizeof line) {
            status = wrong(&reading, "the line is too long", "profile");
            break;
        }
        memcpy(line, text + at, wide);
        line[wide] = 0;
        at += wide + 1;
        status = read_line(&reading, line);
    }
    if (status == STATUS_OK) status = check_profile(&reading);
    if (status == STATUS_OK && !(processor->moved > 0)) {
        /* A random store waits for a line of another core. In order, about two are on their way at a time. */
        processor->moved = processor->store[MOVED_SIZE] / 2;
        processor->derived++;
    }
    if (status != STATUS_OK) *processor = (struct processor){.there = false};
    return status;
}

/* Append the path of the profile of these processors. Returns the length of its home directory. */
static size_t append_path(struct text *path, const struct processor *processor)
{
    size_t home = folder_append(path, FOLDER_CACHE);
    if (!path->length) return 0;
    text_append(path, "/processors/");
    for (const char *c = processor->title; *c; c++)
        if (isalnum((unsigned char)*c))
            text_append(path, "%c", tolower((unsigned char)*c));
        else if (path->length && path->data[path->length - 1] != '-')
            text_append(path, "-");
    text_append(path, "-%s-%d", processor->isa, processor->threads);
    return home;
}

enum status processor_keep(const struct processor *processor, struct text *path, struct error *error)
{
    struct text text = {0};
    size_t home = append_path(path, processor);
    processor_describe(processor, &text);
    enum status status = folder_keep(path, home, &text, "the profile", error);
    text_free(&text);
    return status;
}

/* Append the path of the saved profile; false if there is none to append. */
static bool has_path(const struct processor *processor, struct text *path)
{
    append_path(path, processor);
    return path->length && !path->failed;
}

double processor_age(const struct processor *processor)
{
    struct text path = {0};
    struct stat about;
    struct timespec now;
    const bool there = has_path(processor, &path) && stat(path.data, &about) == 0;
    text_free(&path);
    clock_gettime(CLOCK_REALTIME, &now);
    return there ? difftime(now.tv_sec, about.st_mtim.tv_sec) : INFINITY;
}

void processor_confirm(const struct processor *processor)
{
    struct text path = {0};
    if (has_path(processor, &path)) utimensat(AT_FDCWD, path.data, NULL, 0);
    text_free(&path);
}

/* Read the saved profile of these processors. */
static bool find_for(const struct processor *here, struct processor *processor)
{
    struct text path = {0};
    char *text = memory_array(FILE_MAX, 1, NULL);
    bool found = false;
    append_path(&path, here);
    FILE *file = text && path.length && !path.failed ? fopen(path.data, "r") : NULL;
    *processor = (struct processor){.there = false};
    if (file) {
        size_t length = fread(text, 1, FILE_MAX, file);
        found = !ferror(file) && length < FILE_MAX &&
                processor_read_profile(text, length, path.data, processor, NULL) == STATUS_OK;
        fclose(file);
    }
    if (found && (strcmp(processor->title, here->title) != 0 || strcmp(processor->isa, here->isa) != 0 ||
                  processor->threads != here->threads))
        found = false;
    if (!found) *processor = (struct processor){.there = false};
    text_free(&path);
    free(text);
    return found;
}

/* A process may be bound to some of the machine's cores, as programs that start ranks bind it. The profile of
 * all cores knows how fewer threads do. */
bool processor_find(struct processor *processor)
{
    struct processor here = {.there = false};
    processor_identify(&here);
    if (find_for(&here, processor)) return true;
    const int all = topology_cores(topology_here(), NULL);
    if (all <= here.threads) return false;
    here.threads = all;
    return find_for(&here, processor);
}
