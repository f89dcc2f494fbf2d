#include "support/lockstep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/paper.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

void note(struct lockstep *warp, int64_t moment, enum access access, enum operand operand, int size,
          int64_t e)
{
    if (warp->count == warp->room) {
        warp->room = warp->room ? 2 * warp->room : 4096;
        warp->notes = realloc(warp->notes, (size_t)warp->room * sizeof *warp->notes);
        assert_true(warp->notes != NULL);
    }
    warp->notes[warp->count++] =
        (struct note){moment,        (uint64_t)e * (uint64_t)size, (uint8_t)access, (uint8_t)operand,
                      (int16_t)size, (int16_t)warp->lane,          warp->padding};
}

static int by_moment(const void *a, const void *b)
{
    const struct note *left = a, *right = b;
    if (left->moment != right->moment) return left->moment < right->moment ? -1 : 1;
    return left->lane - right->lane;
}

/* The notes of a lane, first .. end - 1. */
struct run {
    int64_t first, end;
};

/* The notes of each lane, in the order of moments. They come lane by lane. Returns how many lanes have some.
 */
static int runs_of(const struct lockstep *warp, struct run runs[TRACE_LANES])
{
    int count = 0;
    for (int64_t k = 0; k < warp->count;) {
        struct run run = {k, k + 1};
        bool ascends = true;
        for (; run.end < warp->count && warp->notes[run.end].lane == warp->notes[k].lane; run.end++)
            ascends = ascends && warp->notes[run.end].moment >= warp->notes[run.end - 1].moment;
        if (!ascends) qsort(warp->notes + k, (size_t)(run.end - k), sizeof *warp->notes, by_moment);
        assert_true(count < TRACE_LANES);
        runs[count++] = run;
        k = run.end;
    }
    return count;
}

/* How many of the numbers differ. */
static int64_t different(const uint64_t *number, int count)
{
    int64_t sum = 0;
    uint64_t max = 0;
    for (int k = 0; k < count; k++) {
        int earlier = k - 1;
        while (earlier >= 0 && number[k] <= max && number[earlier] != number[k])
            earlier--;
        sum += earlier < 0 || number[k] > max;
        if (number[k] > max) max = number[k];
    }
    return sum;
}

static int64_t blocks_met(const struct note *notes, int count, uint64_t bytes)
{
    uint64_t block[TRACE_LANES];
    const int shift = __builtin_ctzll(bytes);
    if (count <= 0) return 0;
    assert_true(bytes == UINT64_C(1) << shift);
    for (int k = 0; k < count; k++)
        block[k] = notes[k].address >> shift;
    return different(block, count);
}

/* Passes beyond the first of lanes low .. high - 1: the most different words of one of the 32 banks. */
static int64_t extra_passes(const struct note *notes, int count, int low, int high)
{
    int64_t max = 0;
    for (uint64_t bank = 0; bank < 32; bank++) {
        uint64_t word[4 * TRACE_LANES];
        int words = 0;
        for (int k = 0; k < count; k++) {
            if (notes[k].lane < low || notes[k].lane >= high) continue;
            for (uint64_t part = 0; part < (uint64_t)notes[k].size; part += 4)
                if ((notes[k].address + part) / 4 % 32 == bank) word[words++] = (notes[k].address + part) / 4;
        }
        int64_t some = different(word, words);
        if (some > max) max = some;
    }
    return max ? max - 1 : 0;
}

/* Loads are served twice as many lanes at a time if in all pairs of lanes l, l xor 1 (or in all pairs l, l
 * xor 2) both have one address, or one waits. */
static int served(const struct note *notes, int count)
{
    int together = notes->size > 4 ? 128 / notes->size : TRACE_LANES, paired[3] = {0, 1, 1};
    for (int k = 0; k < count; k++)
        for (int other = 0; other < count; other++)
            for (int d = 1; d <= 2; d++)
                if ((notes[k].lane ^ d) == notes[other].lane && notes[k].address != notes[other].address)
                    paired[d] = 0;
    bool twice = notes->size > 4 && notes->access == ACCESS_LOAD && (paired[1] || paired[2]);
    return twice ? 2 * together : together;
}

/* Return the part of memory, of four, that a line lies in. */
static int quarter_of(uint64_t line)
{
    /* bits 0, 2, 4, 5, 7, 9, 11, 12, 13 and 14; and 1, 3, 4, 6, 7, 8, 10, 12 and 14 */
    static const unsigned low = 0x7ab5, high = 0x55da;
    return 2 * __builtin_parity((unsigned)line & high) + __builtin_parity((unsigned)line & low);
}

/* Sectors and lines of a reduction. In each turn the waiting lanes with the first one's line are served,
 * except lanes above one that waits for the same element in a line of the same part. */
static void count_turns(const struct note *notes, int count, struct trace_counts *to)
{
    bool waits[TRACE_LANES];
    int left = count;
    for (int k = 0; k < count; k++)
        waits[k] = true;
    while (left > 0) {
        struct note taken[TRACE_LANES];
        int chosen[TRACE_LANES], some = 0, first = 0;
        while (!waits[first])
            first++;
        for (int k = first; k < count; k++) {
            bool free = waits[k] && notes[k].address / 128 == notes[first].address / 128;
            for (int lower = first; lower < k; lower++)
                if (waits[lower] && notes[lower].address % 128 == notes[k].address % 128 &&
                    quarter_of(notes[lower].address / 128) == quarter_of(notes[k].address / 128))
                    free = false;
            if (!free) continue;
            taken[some] = notes[k];
            chosen[some++] = k;
        }
        for (int k = 0; k < some; k++)
            waits[chosen[k]] = false;
        left -= some;
        to->lines++;
        to->sectors += blocks_met(taken, some, 32);
    }
}

/* Bytes that lanes with an entry ask for; `padding` lanes have none. Of loads and stores each byte counts
 * once; lanes of a reduction that meet have turns of their own. */
static int64_t useful_bytes(const struct note *notes, int count, int padding)
{
    struct note useful[TRACE_LANES];
    const int size = notes->size;
    int some = 0;
    if (notes->access == ACCESS_REDUCTION || notes->access == ACCESS_ATOMIC)
        return (int64_t)(count - padding) * size;
    if (padding == 0) return blocks_met(notes, count, (uint64_t)size) * size;
    for (int k = 0; k < count; k++)
        if (!notes[k].padding) useful[some++] = notes[k];
    return blocks_met(useful, some, (uint64_t)size) * size;
}

/* One request: the notes of a moment. */
static void count_request(const struct note *notes, int count, struct tracer *sum)
{
    struct trace_counts *to = &sum->count[notes->access][notes->operand];
    int padding = notes->padding;
    bool one = true; /* request: of different lanes */
    for (int k = 1; k < count; k++) {
        one = one && notes[k].access == notes->access && notes[k].operand == notes->operand &&
              notes[k].lane != notes[k - 1].lane;
        padding += notes[k].padding;
    }
    assert_true(one);
    to->requests++;
    to->lanes += count;
    to->bytes += (int64_t)count * notes->size;
    to->padding += padding;
    if (notes->operand != OPERAND_SHARED) to->useful += useful_bytes(notes, count, padding);
    if (notes->operand == OPERAND_SHARED) {
        int together = served(notes, count);
        bool atomic = notes->access == ACCESS_REDUCTION || notes->access == ACCESS_ATOMIC;
        for (int low = 0; low < TRACE_LANES && !atomic; low += together)
            to->conflicts += extra_passes(notes, count, low, low + together);
        return;
    }
    if (notes->access == ACCESS_REDUCTION || notes->access == ACCESS_ATOMIC) {
        count_turns(notes, count, to);
        to->conflicts += count - blocks_met(notes, count, (uint64_t)notes->size);
    } else {
        to->sectors += blocks_met(notes, count, 32);
        to->lines += blocks_met(notes, count, 128);
    }
}

void note_reduction(const struct launch *launch, struct lockstep *warp, int64_t moment, int64_t e)
{
    int part = launch->storage->precision == PRECISION_F32 ? 4 : 8;
    if (!launch->storage->complex) {
        note(warp, moment, ACCESS_REDUCTION, OPERAND_Y, part, e);
        return;
    }
    note(warp, moment, ACCESS_REDUCTION, OPERAND_Y, part, 2 * e);
    note(warp, moment + 50, ACCESS_REDUCTION, OPERAND_Y, part, 2 * e + 1);
}

void lockstep_count(const struct note *notes, int count, struct tracer *sum)
{
    count_request(notes, count, sum);
}

/* The requests of a warp, by ascending moments; the notes of each are in the order of lanes. */
static void count_warp(struct lockstep *warp, struct tracer *sum)
{
    struct run runs[TRACE_LANES];
    struct note request[TRACE_LANES];
    const int lanes = runs_of(warp, runs);
    int64_t moment = INT64_MIN, next;
    for (int64_t left = warp->count; left > 0; moment = next) {
        int count = 0;
        next = INT64_MAX;
        for (int l = 0; l < lanes; l++) {
            struct run *run = &runs[l];
            for (; run->first < run->end && warp->notes[run->first].moment == moment; run->first++) {
                assert_true(count < TRACE_LANES);
                request[count++] = warp->notes[run->first];
            }
            if (run->first < run->end && warp->notes[run->first].moment < next)
                next = warp->notes[run->first].moment;
        }
        if (count > 0) count_request(request, count, sum);
        left -= count;
    }
}

static void expect_counts(const struct launch *launch, int64_t s, int64_t warp, const struct tracer *found,
                          const struct tracer *expected)
{
    for (int a = 0; a < ACCESSES; a++) {
        for (int o = 0; o < OPERANDS; o++) {
            const struct trace_counts *f = &found->count[a][o], *e = &expected->count[a][o];
            if (memcmp(f, e, sizeof *f) == 0) continue;
            fail_msg("%s:%s on %lld x %lld, %s: launch %lld, warp %lld, %ss of %s: "
                     "%lld %lld %lld %lld %lld %lld %lld %lld, "
                     "and not %lld %lld %lld %lld %lld %lld %lld %lld",
                     launch->kernel->name, launch->values.text, (long long)launch->storage->rows,
                     (long long)launch->storage->cols, launch->storage->values.text, (long long)s,
                     (long long)warp, access_names[a], operand_names[o], (long long)f->requests,
                     (long long)f->sectors, (long long)f->lines, (long long)f->bytes, (long long)f->useful,
                     (long long)f->lanes, (long long)f->padding, (long long)f->conflicts,
                     (long long)e->requests, (long long)e->sectors, (long long)e->lines, (long long)e->bytes,
                     (long long)e->useful, (long long)e->lanes, (long long)e->padding,
                     (long long)e->conflicts);
        }
    }
}

/* Count a shown request again, from its lanes and addresses. */
static void recount(void *context, const struct request *request)
{
    struct note notes[TRACE_LANES];
    int count = 0;
    for (int lane = 0; lane < TRACE_LANES; lane++)
        if (request->active >> lane & 1)
            notes[count++] = (struct note){.address = request->address[lane],
                                           .access = (uint8_t)request->ask->access,
                                           .operand = (uint8_t)request->ask->operand,
                                           .size = (int16_t)request->ask->size,
                                           .lane = (int16_t)lane,
                                           .padding = request->padding >> lane & 1};
    assert_true(count > 0 && (request->padding & ~request->active) == 0);
    count_request(notes, count, context);
}

static void ignore(void *context, const struct request *request)
{
}

/* Replay a warp twice: showing requests does not change their counts. For one warp in eight, and for the
 * last, the shown requests are also counted again. */
static void replay(const struct launch *launch, int64_t s, int64_t warp, bool last, struct tracer *found)
{
    const bool counts = last || warp % 8 == 0;
    struct tracer again = {0}, shown = {.show = counts ? recount : ignore, .context = &again};
    trace_warp(launch, s, warp, found);
    trace_warp(launch, s, warp, &shown);
    expect_counts(launch, s, warp, &shown, found);
    if (counts) expect_counts(launch, s, warp, &again, found);
}

static int64_t expect_stage(const struct launch *launch, int64_t s, thread_of_kernel *thread)
{
    struct trace_stage stage;
    trace_stage(launch, s, &stage);
    assert_true(stage.function[0] != 0);
    const int64_t warps_a_block = stage.unit ? 1 : (stage.threads + TRACE_LANES - 1) / TRACE_LANES;
    if (!stage.unit) assert_int_equal(stage.warps, stage.blocks * warps_a_block);
    assert_true(stage.warps > 0);
    static struct lockstep threads; /* with memory for all stages and tests */
    for (int64_t warp = 0; warp < stage.warps; warp++) {
        struct tracer found = {0}, expected = {0};
        int first = (int)(warp % warps_a_block) * TRACE_LANES;
        threads.count = 0;
        for (threads.lane = 0; threads.lane < TRACE_LANES && first + threads.lane < stage.threads;
             threads.lane++)
            thread(launch, s, warp / warps_a_block, first + threads.lane, &threads);
        count_warp(&threads, &expected);
        replay(launch, s, warp, warp == stage.warps - 1, &found);
        expect_counts(launch, s, warp, &found, &expected);
    }
    return stage.warps;
}

/* For a matrix that is stored already. */
static int64_t expect_storage(const struct kernel *kernel, const char *parameters,
                              const struct storage *storage, bool accumulate, thread_of_kernel *thread)
{
    const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448, .major = 9};
    struct device device;
    struct launch launch;
    struct error error = {0};
    int64_t warps = 0;
    paper_open(&facts, &device);
    enum status status =
        preparing_on_paper(&device, kernel, parameters, storage,
                           &(struct preparing){.product.accumulate = accumulate}, &launch, &error);
    if (status != STATUS_OK) fail_msg("%s:%s: %s", kernel->name, parameters, error.message);
    for (int64_t s = 0; s < trace_stages(&launch); s++)
        warps += expect_stage(&launch, s, thread);
    kernel_release(&launch);
    device_close(&device);
    return warps;
}

int64_t expect_trace_of(const struct kernel *kernel, const char *parameters, const char *format_parameters,
                        const struct csr *a, thread_of_kernel *thread)
{
    int64_t warps = 0;
    if (!format_parameters) format_parameters = kernel->format_defaults ? kernel->format_defaults : "";
    for (int p = 0; p < 2; p++) {
        const struct storing options = {.precision = p ? PRECISION_F32 : PRECISION_F64, .wide = p == 1};
        struct storage storage;
        struct error error = {0};
        if (storing_convert(kernel->format, format_parameters, &options, a, NULL, &storage, &error) !=
            STATUS_OK)
            fail_msg("%s:%s: %s", kernel->format->name, format_parameters, error.message);
        for (int accumulate = 0; accumulate < 2; accumulate++)
            warps += expect_storage(kernel, parameters, &storage, accumulate, thread);
        storage_free(&storage);
    }
    return warps;
}

int64_t expect_trace(const struct kernel *kernel, const char *parameters, const char *format_parameters,
                     thread_of_kernel *thread)
{
    int64_t warps = 0;
    for (int k = 0; support_lengths[k]; k++) {
        struct csr a = support_rows(300, support_lengths[k]);
        warps += expect_trace_of(kernel, parameters, format_parameters, &a, thread);
        csr_free(&a);
    }
    for (int k = 0; k < 12; k++) {
        static const int64_t rows[] = {1, 31, 33, 64, 257, 500}, cols[] = {1, 40, 33, 700, 20, 90};
        if (k >= 6 && !kernel->complex) break;
        struct csr a = support_matrix(rows[k % 6], cols[k % 6], 0.1, k % 2, k >= 6, (uint64_t)k % 6);
        warps += expect_trace_of(kernel, parameters, format_parameters, &a, thread);
        csr_free(&a);
    }
    return warps;
}

int64_t expect_trace_few(const struct kernel *kernel, const char *parameters, const char *format_parameters,
                         int count, thread_of_kernel *thread)
{
    int64_t warps = 0;
    for (int k = 0; support_lengths[k]; k++) {
        struct csr a = support_rows(300, support_lengths[k]);
        for (int64_t e = 0; e < a.row_ptr[a.rows]; e++)
            a.val[e] = (double)(e * 7 % count) + 1;
        if (a.row_ptr[a.rows] > 0)
            warps += expect_trace_of(kernel, parameters, format_parameters, &a, thread);
        csr_free(&a);
    }
    return warps;
}
