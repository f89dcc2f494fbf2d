/* Profiles of processors: reading them from text, writing them, and saving measured ones. */
#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/pairs.h"
#include "base/topology.h"
#include "kernels/timing/processor.h"

/* Maximum bytes of a file; a larger one cannot be a profile. */
#define FILE_MAX 262144
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

static int count_words(const char *text)
{
    int count = 0;
    while (*(text += strspn(text, " \t\r"))) {
        text += strcspn(text, " \t\r");
        count++;
    }
    return count;
}

static enum status read_loop(const struct pairs *pairs, struct processor *processor, const char *key,
                             const char *value)
{
    double numbers[LOOP_NUMBERS];
    enum precision precision = key[1] == '3' ? PRECISION_F32 : PRECISION_F64;
    if (processor->loops == PROCESSOR_LOOPS) return pairs_wrong(pairs, key, "there are too many loops");
    const bool old = count_words(value) == LOOP_NUMBERS_OLD;
    enum status status = pairs_numbers(pairs, key, value, numbers, old ? LOOP_NUMBERS_OLD : LOOP_NUMBERS);
    if (status != STATUS_OK) return status;
    if (old) { /* old profiles have one factor for all caches and memory */
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

enum kind { KIND_TEXT, KIND_NUMBERS, KIND_COUNT, KIND_YES_NO };

/* The other keys of a profile, and the members of struct processor for their values. */
static const struct field {
    const char *key;
    enum kind kind;
    size_t offset, size; /* where the member lies, and its bytes */
} fields[] = {
#define MEMBER(name) offsetof(struct processor, name), sizeof((struct processor *)0)->name
    {"title", KIND_TEXT, MEMBER(title)},
    {"isa", KIND_TEXT, MEMBER(isa)},
    {"date", KIND_TEXT, MEMBER(date)},
    {"threads", KIND_COUNT, MEMBER(threads)},
    {"complete", KIND_YES_NO, MEMBER(complete)},
    {"derived", KIND_COUNT, MEMBER(derived)},
    {"measurements", KIND_COUNT, MEMBER(measurements)},
    {"mended", KIND_COUNT, MEMBER(mended)},
    {"load", KIND_NUMBERS, MEMBER(load)},
    {"spread", KIND_NUMBERS, MEMBER(spread)},
    {"wake", KIND_NUMBERS, MEMBER(wake)},
    {"alone", KIND_NUMBERS, MEMBER(alone)},
    {"read one", KIND_NUMBERS, MEMBER(read[0])},
    {"read all", KIND_NUMBERS, MEMBER(read[1])},
    {"far one", KIND_NUMBERS, MEMBER(far[0])},
    {"far all", KIND_NUMBERS, MEMBER(far[1])},
    {"store", KIND_NUMBERS, MEMBER(store)},
    {"moved", KIND_NUMBERS, MEMBER(moved)},
    {"whole one", KIND_NUMBERS, MEMBER(whole[0])},
    {"whole all", KIND_NUMBERS, MEMBER(whole[1])},
#undef MEMBER
};

static enum status read_field(const struct pairs *pairs, const struct field *field, void *member,
                              const char *value)
{
    double number = 0;
    if (field->kind == KIND_TEXT) snprintf(member, field->size, "%s", value);
    if (field->kind == KIND_TEXT) return STATUS_OK;
    if (field->kind == KIND_NUMBERS)
        return pairs_numbers(pairs, field->key, value, member, (int)(field->size / sizeof number));
    enum status status = pairs_numbers(pairs, field->key, value, &number, 1);
    if (field->kind == KIND_YES_NO)
        *(bool *)member = number > 0;
    else
        *(int *)member = (int)fmin(number, 1 << 20);
    return status;
}

static enum status read_pair(const struct pairs *pairs, void *self, const char *key, const char *value)
{
    if (strncmp(key, "f64 ", 4) == 0 || strncmp(key, "f32 ", 4) == 0)
        return read_loop(pairs, self, key, value);
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++)
        if (strcmp(key, fields[k].key) == 0)
            return read_field(pairs, &fields[k], (char *)self + fields[k].offset, value);
    return pairs_wrong(pairs, key, "a processor has no such key");
}

/* Check that all divisors of the forecast are present. */
static enum status check_profile(const struct pairs *pairs, const struct processor *processor)
{
    if (processor->threads < 1) return pairs_wrong(pairs, "threads", "is not there");
    if (processor->loops == 0) return pairs_wrong(pairs, "loops", "there is none");
    for (int many = 0; many < 2; many++)
        for (int k = 0; k < PROCESSOR_WHOLES; k++)
            if (!(processor->whole[many][k] > 0))
                return pairs_wrong(pairs, many ? "whole all" : "whole one", "is not there, or has a 0");
    for (int many = 0; many < 2; many++)
        for (int k = 0; k < PROCESSOR_SIZES; k++)
            if (!(processor->read[many][k] > 0))
                return pairs_wrong(pairs, many ? "read all" : "read one", "is not there, or has a 0");
    return STATUS_OK;
}

enum status processor_read_profile(const char *text, size_t length, const char *path,
                                   struct processor *processor, struct error *error)
{
    struct pairs pairs = {
        .path = path,
        .remedy = "'sparsight kernels --calibrate' measures the processor again",
        .error = error,
    };
    *processor = (struct processor){.there = true, .load = NAN, .spread = NAN}; /* older ones do not say */
    enum status status = pairs_read(&pairs, text, length, read_pair, processor);
    if (status == STATUS_OK) status = check_profile(&pairs, processor);
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
