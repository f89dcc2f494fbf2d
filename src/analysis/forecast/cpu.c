#include "analysis/forecast/cpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/cpu_parts.h"
#include "analysis/forecast/interval.h"
#include "base/memory.h"
#include "base/range.h"
#include "formats/coo.h"
#include "formats/criteria_rules.h"
#include "formats/csr.h"
#include "formats/ell.h"
#include "formats/hyb.h"

/* From this number of bytes on, loops write y around the caches (loops/sums.h). */
#define STREAM_BYTES 16777216.0

/* The number of real slots that take as long as a complex slot of the same precision, in a core's caches. It
 * is the mean over all kernels except those of DIA. A complex matrix with 2880 rows and 52016 entries
 * (helmholtz_2D_A) was compared with its real parts, on an AMD EPYC with AVX-512. Single kernels took 1.0 to
 * 2.1 times as long in f64, and 0.5 to 2.0 times in f32. */
#define COMPLEX_F64 1.5
#define COMPLEX_F32 1.2

/* Sums of csc-omp's threads move to the thread that adds them up, in pieces from many threads. This takes
 * longer than moving the same number of lines in order from one thread. Fitted to
 * forecast-cpu-2026-11-28.tsv. */
#define CSC_MOVES 1.5

/* A processor prefetches lines of at most about FOLLOWED streams. If there are more diagonals, or more
 * columns of ELL, kernels read pieces of this number of slots (loops/dia.h, loops/sums.h). */
#define FOLLOWED 64.0
#define DIA_PIECE 128.0
#define ELL_PIECE 64.0

/* A size counts as cached if it is read faster than the largest size by this factor. */
#define LEVEL 1.25

static double middle(int bin)
{
    return (reuse_bin_start(bin) + reuse_bin_start(bin + 1) - 1) / 2;
}

/* Convert slots of this storage into real slots that take the same time, because loops were measured with
 * real slots. */
static double real_slots(const struct cpu_forecasting *f, double slots)
{
    if (!f->storage->complex) return slots;
    return slots * (f->storage->precision == PRECISION_F32 ? COMPLEX_F32 : COMPLEX_F64);
}

static double row_seconds(const struct cpu_forecasting *f, const struct loop_pace *loop, double slots)
{
    return loop_row(loop, real_slots(f, slots));
}

/* The mean difference in length between successive uneven rows. */
static double share_apart(const struct cpu_share *share)
{
    return (double)share->apart / fmax(1, (double)share->uneven);
}

/* Seconds of a loop for the rows of a share, without the first `without` entries of each. */
static double share_seconds(const struct cpu_forecasting *f, const struct loop_pace *loop,
                            const struct cpu_share *share, double without)
{
    double sum = 0, rows = 0, entries = 0;
    for (int b = 0; b < REUSE_BINS - 1; b++) {
        double length = middle(b) - without, count = (double)share->length[b];
        if (count == 0 || (without > 0 && length <= 0)) continue;
        sum += count * row_seconds(f, loop, length);
        rows += count;
        entries += count * length;
    }
    if (rows == 0) return 0;
    return sum + (double)share->uneven * rows / (double)share->rows *
                     loop_uneven(loop, real_slots(f, share_apart(share)), entries);
}

/* Add the share `part` of the seconds of a loop for all rows, without their first `without` entries. Rows are
 * divided among threads by rows and entries. If rows are cut, a long row does not lengthen the work of its
 * thread. Threads with many short rows still have more work than others. */
static void add_shares(const struct cpu_forecasting *f, const struct loop_pace *loop, double part,
                       double without, bool cut, struct cpu_work *work)
{
    const double mean = ((double)f->storage->nnz + (double)f->storage->rows) / f->threads;
    for (int t = 0; t < f->threads; t++) {
        const struct cpu_share *share = &f->matrix->share[t];
        const double seconds = part * share_seconds(f, loop, share, without),
                     own = (double)share->rows + (double)share->entries;
        work->computing += seconds;
        work->largest = fmax(work->largest, cut && own > mean ? seconds * mean / own : seconds);
    }
    work->largest = fmax(work->largest, work->computing / f->threads);
}

/* Scale the counts of an excerpt to the matrix, which has `times` times the entries. */
static void multiply_counts(double times, struct compact_counts *counts)
{
    counts->stretches = llround((double)counts->stretches * times);
    counts->narrows = llround((double)counts->narrows * times);
    counts->full_columns = llround((double)counts->full_columns * times);
    counts->row_ends = llround((double)counts->row_ends * times);
    counts->shifted_rows = llround((double)counts->shifted_rows * times);
    counts->shifted_entries = llround((double)counts->shifted_entries * times);
}

/* Return the counts of csr-compact for the matrix, computed when first needed. */
static const struct compact_counts *need_compact(struct cpu_matrix *matrix, bool f32)
{
    const struct csr *a = matrix->excerpt ? &matrix->excerpt->rows : matrix->a;
    const struct array row_ptr = {.data = a->row_ptr, .element = ELEMENT_I64, .length = a->rows + 1};
    struct compact_counts *counts = &matrix->compact[f32];
    if (!matrix->compacted[f32]) {
        *counts = compact_count(&row_ptr, a->col, a->rows, f32 ? sizeof(float) : sizeof(double));
        if (matrix->excerpt)
            multiply_counts((double)csr_nnz(matrix->a) / fmax(1, (double)csr_nnz(a)), counts);
    }
    matrix->compacted[f32] = true;
    return counts;
}

/* Return the distinct values of the matrix, found when first needed: of its excerpt only if nothing else has
 * values. */
static const struct distinct_values *need_values(struct cpu_matrix *matrix, bool f32)
{
    const struct csr *a = matrix->excerpt && !matrix->a->val ? &matrix->excerpt->rows : matrix->a;
    if (!matrix->valued[f32]) matrix->values[f32] = distinct_values(a, f32);
    matrix->valued[f32] = true;
    return &matrix->values[f32];
}

/* Add the seconds of csr-compact, whose threads have stretches with equal numbers of entries. Rows on
 * diagonals use its own loop. The others use the loop of csr-omp, and have the distribution of lengths of all
 * rows. */
static void add_compact(const struct cpu_forecasting *f, struct cpu_work *work)
{
    const struct compact_counts *counts = need_compact(f->matrix, f->storage->precision == PRECISION_F32);
    /* The loop for rows that are not on diagonals; the kernel's own was measured on rows on diagonals. */
    const struct format_choice stored = storage_choice(f->storage);
    const struct loop_pace *rest = processor_loop(f->processor, f->kernel->host.rest, &stored);
    const double rows = (double)counts->shifted_rows, entries = (double)counts->shifted_entries,
                 nnz = fmax(1, (double)f->storage->nnz);
    if (rest) add_shares(f, rest, 1 - entries / nnz, 0, true, work);
    const double shifted = rows > 0 ? rows * loop_row(f->loop, entries / rows) : 0;
    work->computing += shifted;
    work->largest += shifted / f->threads;
}

/* The share of rows whose length differs from that of the previous row. In formats of blocks, rows of blocks
 * are counted instead. */
static double uneven_share(const struct cpu_forecasting *f)
{
    double uneven = 0, rows = (double)f->storage->rows;
    for (int t = 0; t < f->threads; t++)
        uneven += (double)f->matrix->share[t].uneven;
    if (f->storage->format->lines == FORMAT_BLOCKS)
        rows = ceil(rows / (double)f->storage->format->criteria->height(f->storage));
    return fmin(1, uneven / fmax(1, rows));
}

/* Add the seconds of `rows` rows with `slots` slots in total, in pieces. The largest piece has `piece`
 * slots. */
static void add_even(const struct cpu_forecasting *f, double rows, double slots, double piece,
                     struct cpu_work *work)
{
    if (rows <= 0) return;
    const double uneven =
        uneven_share(f) * loop_uneven(f->loop, real_slots(f, 2.0 / 3 * slots / rows), slots / f->threads);
    double seconds = rows * (row_seconds(f, f->loop, slots / rows) + uneven);
    work->computing += seconds;
    work->largest = fmax(seconds / f->threads, slots > 0 ? seconds * piece / slots : 0);
}

/* Add the seconds of sell-compact. Lines with columns in order, also with gaps, use its own loop, which was
 * measured on such lines. Other lines use the loop of sell-omp. */
static void add_told(const struct cpu_forecasting *f, double rows, double slots, double piece,
                     struct cpu_work *work)
{
    struct cpu_forecasting rest = *f;
    double lines = 0;
    for (int k = 0; k < SELL_TOLD_KINDS; k++)
        lines += (double)f->told.lines[k];
    const double own = (double)(f->told.lines[SELL_TOLD_IN_ORDER] + f->told.lines[SELL_TOLD_GAPS]),
                 in_order = lines > 0 ? own / lines : 0;
    const struct format_choice stored = storage_choice(f->storage);
    rest.loop = processor_loop(f->processor, f->kernel->host.rest, &stored);
    add_even(f, in_order * rows, in_order * slots, 0, work);
    if (rest.loop) add_even(&rest, (1 - in_order) * rows, (1 - in_order) * slots, 0, work);
    work->largest = fmax(work->computing / f->threads, slots > 0 ? work->computing * piece / slots : 0);
}

/* Add the seconds of repeated passes through vectors. */
static void add_passes(const struct cpu_forecasting *f, struct cpu_work *work)
{
    double stretch, bytes = processor_passes(f->kernel, f->storage, &stretch);
    work->again += processor_again(f->processor, bytes, stretch);
}

static enum status need_x(const struct cpu_forecasting *f, struct scatter *scatter, const int32_t *order,
                          struct error *error)
{
    if (scatter->there) return STATUS_OK;
    const struct cpu_matrix *matrix = f->matrix;
    const struct touches touches =
        matrix->excerpt ? excerpt_touches(matrix->excerpt, matrix->a->row_ptr) : touches_of(matrix->a);
    return scatter_of_x(&touches, order, (int)f->value, scatter, f->progress, error);
}

void cpu_add_scatter(const struct cpu_forecasting *f, const struct scatter *scatter, double lines, bool cold,
                     struct cpu_work *work)
{
    double far, near, ticks = fmax(1, scatter->ticks);
    scatter_seconds(scatter, f->processor, f->loop, f->threads, f->arrays / ticks, f->footprint, lines, cold,
                    &far, &near);
    work->far += far;
    work->near += near;
}

static enum status need_y_columns(const struct cpu_forecasting *f, struct scatter *scatter,
                                  struct error *error)
{
    if (scatter->there) return STATUS_OK;
    const struct touches touches = touches_of(&f->matrix->columns);
    return scatter_of_x(&touches, NULL, (int)f->value, scatter, f->progress, error);
}

/* Return the number of private sums of csc-omp's threads. Each thread has one for each row from the first to
 * the last in its columns. Threads whose ranges do not overlap add to y itself (kernels/cpu/csc.h). */
static double csc_copies(const struct cpu_forecasting *f)
{
    const struct csr *t = &f->matrix->columns;
    const int64_t nnz = csr_nnz(f->matrix->a);
    double sum = 0, direct = 0;
    int64_t reach = 0, column = 0;
    for (int k = 0; k < f->threads; k++) {
        int64_t end = nnz * (k + 1) / f->threads, low = t->cols, high = 0;
        for (; column < t->rows && t->row_ptr[column] < end; column++) {
            if (t->row_ptr[column] == t->row_ptr[column + 1]) continue;
            low = min(low, t->col[t->row_ptr[column]]);
            high = max(high, t->col[t->row_ptr[column + 1] - 1] + 1);
        }
        if (low >= high) continue;
        sum += (double)(high - low);
        if (low >= reach) {
            direct += (double)(high - low);
            reach = high;
        }
    }
    return sum - direct;
}

static enum status work_csc(const struct cpu_forecasting *f, bool cold, struct cpu_work *work,
                            struct error *error)
{
    struct cpu_matrix *matrix = f->matrix;
    const bool f32 = f->storage->precision == PRECISION_F32;
    if (csr_nnz(matrix->a) > CPU_LISTED || matrix->excerpt) {
        add_shares(f, f->loop, 1, 0, true, work);
        enum status status = need_x(f, &matrix->x[f32], NULL, error);
        if (status == STATUS_OK) cpu_add_scatter(f, &matrix->x[f32], 1, cold, work);
        return status;
    }
    enum status status = cpu_need_columns(matrix, error);
    if (status == STATUS_OK) status = need_y_columns(f, &matrix->y_columns[f32], error);
    if (status != STATUS_OK) return status;
    work->computing = share_seconds(f, f->loop, matrix->column, 0);
    work->bytes += f->value * (double)matrix->a->cols;
    if (f->threads > 1) {
        const double copies = csc_copies(f) * f->value;
        work->bytes += copies; /* the private sums are cleared */
        work->computing += 3 * copies / processor_read(f->processor, 1, 0);
        work->shared += CSC_MOVES * processor_move(f->processor, f->threads, copies);
        work->teams += 0.5;
    }
    work->largest = work->computing / f->threads;
    cpu_add_scatter(f, &matrix->y_columns[f32], 1, cold, work);
    return STATUS_OK;
}

/* Return the loop of the COO kernel that a HYB kernel uses for its second part. */
static const struct loop_pace *coo_loop_of(const struct cpu_forecasting *f)
{
    const struct format_choice choice = format_choice_default(&format_coo, f->storage->precision);
    for (int k = 0; kernels[k]; k++)
        if (kernels[k]->format == &format_coo && backend_is_own(kernels[k]->backend) &&
            kernels[k]->sequential == f->kernel->sequential)
            return processor_loop(f->processor, kernels[k], &choice);
    return NULL;
}

static void work_hyb(const struct cpu_forecasting *f, struct cpu_work *work)
{
    const double width = (double)f->storage->number[HYB_WIDTH];
    const struct loop_pace *coo = coo_loop_of(f);
    if (width > 0) add_even(f, (double)f->storage->rows, (double)f->storage->slots[0], 0, work);
    if (f->storage->slots[1] == 0 || !coo) return;
    struct cpu_work rest = {.computing = 0};
    add_shares(f, coo, 1, width, true, &rest);
    work->computing += rest.computing;
    work->largest += rest.largest;
    work->teams += f->threads > 1 ? 0.5 : 0;
}

/* Add the seconds of stores to lines of y that several threads write. These are stores that return to a line
 * after more than half the rows of a thread. A factor adds the first store to each line. */
static void add_shared(const struct cpu_forecasting *f, const struct scatter *scatter, struct cpu_work *work)
{
    const double rows = (double)f->storage->rows, y = f->value * rows;
    double stores = 0;
    for (int b = 0; b < REUSE_BINS - 1; b++)
        if (middle(b) > rows / f->threads / 2) stores += (double)(scatter->near[b] + scatter->far[b]);
    stores *= scatter->scale * REUSE_GRANULE / fmax(1, REUSE_GRANULE - f->value);
    work->shared += fmin(stores, rows) * processor_store(f->processor, f->threads, y) / f->threads;
}

static enum status work_jds(const struct cpu_forecasting *f, bool cold, struct cpu_work *work,
                            struct error *error)
{
    struct cpu_matrix *matrix = f->matrix;
    const bool f32 = f->storage->precision == PRECISION_F32;
    const double slots = (double)storage_slots(f->storage);
    enum status status = cpu_need_order(matrix, error);
    if (status == STATUS_OK) status = need_x(f, &matrix->sorted[f32], matrix->order, error);
    if (status == STATUS_OK && !matrix->y_sorted[f32].there)
        status = scatter_of_y(matrix->a, matrix->order, (int)f->value, &matrix->y_sorted[f32], error);
    if (status != STATUS_OK) return status;
    for (int t = 0; t < f->threads; t++)
        work->computing += share_seconds(f, f->loop, &matrix->share[t], 0);
    double slot = (f->loop->row[PROCESSOR_LENGTHS - 1] - f->loop->row[PROCESSOR_LENGTHS - 2]) /
                  (processor_length[PROCESSOR_LENGTHS - 1] - processor_length[PROCESSOR_LENGTHS - 2]);
    slot = real_slots(f, slot);
    double padded = (slots - (double)f->storage->nnz) * slot;
    work->computing += padded;
    double lonely = f->kernel->sequential ? 0 : (double)matrix->apart * slot;
    work->largest = fmax((work->computing + lonely) / f->threads, lonely);
    work->computing += lonely;
    add_passes(f, work);
    cpu_add_scatter(f, &matrix->sorted[f32], 1, cold, work);
    if (f->threads > 1)
        add_shared(f, &matrix->y_sorted[f32], work);
    else
        cpu_add_scatter(f, &matrix->y_sorted[f32], 1, cold, work);
    return STATUS_OK;
}

/* Add the waiting time of a kernel that reads a piece of each diagonal, or of each column of ELL, in turn.
 * With more streams than a processor follows, nothing hides the latency of the first load of each piece. */
static void add_pieces(const struct cpu_forecasting *f, double slots, double piece, double size,
                       struct cpu_work *work)
{
    if (f->kernel->sequential || slots <= FOLLOWED * (double)f->storage->rows) return;
    work->far +=
        slots / piece / f->threads * PROCESSOR_FLIGHT * processor_far(f->processor, f->threads, size);
}

/* The pieces of ELL stored column by column. */
static void add_ell_pieces(const struct cpu_forecasting *f, bool cold, struct cpu_work *work)
{
    const struct storage *storage = f->storage;
    if (storage->format != &format_ell || storage_parameter(storage, ELL_LAYOUT) != ELL_TRANSPOSED) return;
    add_pieces(f, (double)storage->slots[0], ELL_PIECE, cold ? INFINITY : f->footprint, work);
}

/* Loops of DIA skip slots outside the matrix. */
static enum status work_dia(const struct cpu_forecasting *f, bool cold, struct cpu_work *work,
                            struct error *error)
{
    const double all = (double)f->storage->slots[0], rows = (double)f->storage->rows;
    enum status status = cpu_need_inside(f->matrix, error);
    const double slots = f->matrix->inside > 0 ? f->matrix->inside : all, skipped = f->value * (all - slots);
    add_even(f, rows, slots, 0, work);
    work->bytes -= skipped;
    if (f->kernel->sequential) {
        add_passes(f, work);
        work->again *= slots / fmax(1, all);
    }
    add_pieces(f, slots, DIA_PIECE, cold ? INFINITY : f->footprint - skipped, work);
    return status;
}

/* Add the seconds of kernels that process rows in their order. All of them load the same x in about the same
 * order. */
static void add_lines(const struct cpu_forecasting *f, enum host_work way, struct cpu_work *work)
{
    const struct storage *storage = f->storage;
    const struct host_way *host = &f->kernel->host;
    const double rows = (double)storage->rows, slots = (double)storage->slots[0],
                 piece = host->piece ? (double)host->piece(storage) : 0;
    switch (way) {
    case HOST_COMPACT:
        add_compact(f, work);
        break;
    case HOST_TOLD:
        add_told(f, rows, slots, piece, work);
        break;
    case HOST_ROWS:
    case HOST_ENTRIES:
        add_shares(f, f->loop, 1, 0, way == HOST_ENTRIES, work);
        break;
    case HOST_PARTS:
        work_hyb(f, work);
        break;
    default:
        add_even(f, rows, slots, piece, work);
    }
}

/* The number of times that each byte of y moves. It is written, and read before that unless it is written
 * around the caches. If a large y is cleared first, it moves once more. */
static double y_times(const struct cpu_forecasting *f)
{
    const struct host_way *host = &f->kernel->host;
    const double bytes = f->value * (double)f->storage->rows;
    const bool streamed =
        bytes >= STREAM_BYTES && !f->product.accumulate && host->streams_y && host->streams_y(f->storage);
    return (streamed ? 1 : 2) + (host->clears_y && bytes > 1e6 ? 1 : 0);
}

static enum status find_work(const struct cpu_forecasting *f, bool cold, struct cpu_work *work,
                             struct error *error)
{
    const enum host_work way = host_work_of(f->kernel, f->storage);
    const bool f32 = f->storage->precision == PRECISION_F32;
    enum status status = STATUS_OK;
    *work = (struct cpu_work){.bytes = f->arrays + y_times(f) * f->value * (double)f->storage->rows,
                              .teams = f->kernel->sequential ? 0 : 1};
    if (way == HOST_COLUMNS) return work_csc(f, cold, work, error);
    if (way == HOST_JAGGED) return work_jds(f, cold, work, error);
    if (way == HOST_DIAGONALS) return work_dia(f, cold, work, error); /* x is read in order */
    add_lines(f, way, work);
    add_ell_pieces(f, cold, work);
    status = need_x(f, &f->matrix->x[f32], NULL, error);
    if (status == STATUS_OK) cpu_add_scatter(f, &f->matrix->x[f32], 1, cold, work);
    return status;
}

static double overlap(double a, double b)
{
    return pow(pow(a, PROCESSOR_OVERLAP) + pow(b, PROCESSOR_OVERLAP), 1 / PROCESSOR_OVERLAP);
}

struct combination cpu_combination(void)
{
    struct combination combination = {.q = PROCESSOR_OVERLAP};
    combination.group[BOUND_ARITHMETIC] = 1;
    combination.group[BOUND_DRAM] = combination.group[BOUND_L2] = combination.group[BOUND_LATENCY] = 2;
    return combination;
}

void cpu_predict(const struct cpu_forecasting *f, const struct cpu_work *work, bool cold,
                 struct prediction *prediction)
{
    const struct processor *processor = f->processor;
    const double size = cold ? INFINITY : f->footprint;
    const double stream = loop_stream(f->loop, f->threads, size);
    const double bandwidth = processor_read(processor, f->threads, size);
    const double computing = work->computing / f->threads;
    const bool memory = bandwidth < LEVEL * processor_read(processor, f->threads, INFINITY);
    const double ordered = stream * (work->bytes / bandwidth + work->near), far = work->far + work->shared;
    const double more = fmax(0, work->largest - computing);
    double alone = 0;
    *prediction = (struct prediction){.machine = "cpu"};
    prediction->term[BOUND_LAUNCH] = work->teams * processor_wake(processor, f->threads);
    prediction->term[BOUND_ARITHMETIC] = computing;
    prediction->term[memory ? BOUND_DRAM : BOUND_L2] = ordered;
    prediction->term[BOUND_L2] += work->again;
    prediction->term[BOUND_LATENCY] = far;
    if (more > 0)
        alone = overlap(more, work->bytes * more / work->computing / processor_read(processor, 1, size));
    prediction->term[BOUND_LONGEST] = alone;
    for (int k = 0; k < BOUNDS; k++)
        prediction->term[k] *= processor_whole(processor, f->threads, size);
    const struct combination combination = cpu_combination();
    prediction->seconds = combination_seconds(&combination, prediction->term);
    prediction->there = isfinite(prediction->seconds) && prediction->seconds > 0;
    prediction_bound(prediction);
}

const struct kernel *cpu_find_loop(struct cpu_forecasting *f)
{
    const struct format_choice stored = storage_choice(f->storage);
    const struct kernel *paced = kernel_paced(f->kernel);
    if (!f->processor->there) return NULL;
    f->loop = processor_loop(f->processor, f->kernel, &stored);
    if (f->loop || paced == f->kernel) return f->kernel;
    const struct format_choice other = format_choice_default(paced->format, stored.precision);
    f->loop = processor_loop(f->processor, paced, &other);
    return paced;
}

enum status cpu_forecast(const struct processor *processor, struct cpu_matrix *matrix,
                         const struct kernel_choice *choice, const struct storage *storage, int threads,
                         struct product product, struct prediction predicted[2], struct progress *progress,
                         struct error *error)
{
    const struct kernel *kernel = choice->kernel;
    const enum host_work work = host_work_of(kernel, storage);
    struct cpu_forecasting f = {.processor = processor,
                                .matrix = matrix,
                                .kernel = kernel,
                                .storage = storage,
                                .threads = kernel->sequential || threads < 1 ? 1 : threads,
                                .product = product,
                                .value = value_width(storage->precision, storage->complex),
                                .arrays = (double)storage_size(storage).bytes,
                                .progress = progress};
    enum status status = STATUS_OK;
    predicted[0] = predicted[1] = (struct prediction){.there = false};
    if (work == HOST_COMPACT) {
        const struct compact_counts *counts = need_compact(matrix, storage->precision == PRECISION_F32);
        f.arrays = f.value * (double)storage->nnz +
                   (double)compact_bytes(counts, element_size(storage->array[CSR_ROW_PTR].element));
        f.aside = (double)compact_aside(counts);
    }
    if (work == HOST_TOLD) {
        const struct csr *rows = matrix->excerpt ? &matrix->excerpt->rows : matrix->a;
        const struct distinct_values *values = need_values(matrix, storage->precision == PRECISION_F32);
        status = sell_told_estimate(storage, rows, sell_planned_distinct(choice, storage, values), progress,
                                    &f.told, error);
        if (status != STATUS_OK) return status;
        f.arrays = (double)sell_compact_bytes(storage, &f.told);
        f.aside = (double)sell_compact_aside(storage, &f.told);
    }
    f.footprint = f.arrays + f.value * ((double)storage->rows + (double)storage->cols);
    const struct kernel *paced = cpu_find_loop(&f);
    if (!f.loop) return STATUS_OK;
    status = cpu_need_shares(matrix, f.threads, error);
    for (int cold = 0; cold < 2 && status == STATUS_OK; cold++) {
        struct cpu_work asked;
        status = find_work(&f, cold, &asked, error);
        if (status != STATUS_OK) break;
        cpu_predict(&f, &asked, cold, &predicted[cold]);
        predicted[cold].aside = f.aside;
        prediction_borrows(&predicted[cold], kernel, paced);
        interval_set(kernel, &predicted[cold]);
    }
    return status;
}
