/* Timing the loops of the host for rows of all lengths, and for matrices larger than all caches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/load.h"
#include "base/memory.h"
#include "base/placement.h"
#include "base/threads.h"
#include "kernels/timing/processor_parts.h"
#include "matrix/transpose.h"

#define BEYOND_LENGTH 16
#define SCATTERED_COLS 8000000

/* Matrices beyond a core's caches: bands, and rows, or columns if `turned`, with random entries among this
 * number of elements of x, or of y. */
static const struct beyond {
    enum processor_level level;
    bool scattered, turned;
    int64_t entries, elements;
} beyonds[] = {
    {LEVEL_MIDDLE, .entries = 524288},
    {LEVEL_MIDDLE, .scattered = true, .entries = 524288, .elements = 524288},
    {LEVEL_MIDDLE, .scattered = true, .turned = true, .entries = 524288, .elements = 524288},
    {LEVEL_LARGE, .entries = 6000000},
    {LEVEL_LARGE, .scattered = true, .entries = 2000000, .elements = SCATTERED_COLS},
    {LEVEL_LARGE, .scattered = true, .turned = true, .entries = 2000000, .elements = SCATTERED_COLS}};
#define BEYONDS (sizeof beyonds / sizeof *beyonds)

#define SAMPLES 9
#define SAMPLES_QUICK 5
#define LARGE_SAMPLES 5
#define SAMPLE_SECONDS 15e-6 /* a sample has enough products to take about this time */

/* A product's time minus its computing time has the errors of both: factors are limited to this range. A loop
 * that reads several arrays, or far ahead, streams up to five times as fast as a sum over one; one that
 * strides, several times as slowly. */
#define FACTOR_MIN 0.2
#define FACTOR_MAX 8.0

static double limited(double factor)
{
    return fmin(FACTOR_MAX, fmax(FACTOR_MIN, factor));
}

/* The order of trials: probable formats first, then other quick ones, then the rest. */
enum turn { TURN_FIRST, TURN_QUICK, TURN_LATER };

static enum turn turn_of(const struct format_trial *trial)
{
    if (trial->first) return TURN_FIRST;
    return trial->quick ? TURN_QUICK : TURN_LATER;
}

/* The trials of a format; its defaults if it names none. */
static const struct format_trial *trials_of(const struct format *format)
{
    static const struct format_trial defaults[] = {{"", .quick = true}, {NULL}};
    return format->trials ? format->trials : defaults;
}

static int count_trials(void)
{
    int count = 0;
    for (int f = 0; formats[f]; f++)
        for (int t = 0; trials_of(formats[f])[t].parameters; t++)
            count++;
    return count;
}

/* Return the seconds of a product in the fastest sample. */
static double time_product(struct launch *launch, const struct measuring *measuring, int samples)
{
    double best = INFINITY, next = INFINITY, start = clock_seconds();
    kernel_run(launch, measuring->x, measuring->y);
    start = clock_seconds();
    kernel_run(launch, measuring->x, measuring->y);
    int products = (int)fmin(1000, fmax(1, ceil(SAMPLE_SECONDS / fmax(1e-9, clock_seconds() - start))));
    for (int s = 0; s < samples && !progress_cancelled(measuring->progress); s++) {
        start = clock_seconds();
        for (int k = 0; k < products; k++)
            kernel_run(launch, measuring->x, measuring->y);
        double seconds = (clock_seconds() - start) / products;
        next = fmin(next, fmax(best, seconds));
        best = fmin(best, seconds);
    }
    spreads_add(measuring->spreads, best, next);
    return best;
}

/* Time a kernel on a storage with this number of threads; NaN if it cannot run on it. *read, unless NULL,
 * becomes the bytes that a product reads without x and y. */
static double time_kernel(const struct kernel *kernel, const struct storage *storage,
                          const struct measuring *measuring, int threads, int samples, double *read)
{
    const struct launch_options options = {.limit = 0};
    struct kernel_choice choice = {.kernel = kernel, .format = storage_choice(storage), .threads = threads};
    struct launch launch;
    double seconds = NAN;
    if (kernel_prepare(&choice, storage, &options, &launch, NULL) == STATUS_OK) {
        const struct traffic traffic = kernel_traffic(&launch);
        struct placement placement;
        if (read) *read = (double)traffic.array_bytes + (double)traffic.own_bytes;
        placement_begin(&placement, launch.threads);
        seconds = time_product(&launch, measuring, samples);
        placement_end(&placement);
    }
    kernel_release(&launch);
    return seconds;
}

/* Interpolate a loop's seconds per row from the measured, ascending numbers of slots to the lengths of the
 * profile. */
static void resample(const double *at, const double *seconds, int count, double *row)
{
    for (int k = 0; k < PROCESSOR_LENGTHS; k++) {
        double slots = processor_length[k];
        int j = 1;
        while (j < count - 1 && at[j] < slots)
            j++;
        double apart = at[j] - at[j - 1];
        double slope = apart > 0 ? (seconds[j] - seconds[j - 1]) / apart : 0;
        row[k] =
            slots <= at[0] ? seconds[0] : fmax(seconds[0] / 2, seconds[j - 1] + slope * (slots - at[j - 1]));
    }
}

enum status processor_convert(const struct measuring *measuring, const struct csr *a,
                              const struct format_choice *choice, struct storage *storage,
                              struct error *error)
{
    const struct format_options options = {.limit = 0};
    progress_hold(measuring->progress, true);
    enum status status = format_convert(choice, &options, a, measuring->progress, storage, error);
    progress_hold(measuring->progress, false);
    return status;
}

/* Store a matrix in one choice of a format in one precision. */
static enum status store(const struct csr *a, const struct format *format, const char *parameters,
                         enum precision precision, const struct measuring *measuring, struct storage *storage,
                         struct error *error)
{
    struct format_choice choice;
    enum status status = format_choice_read(format, parameters, precision, &choice, error);
    return status == STATUS_OK ? processor_convert(measuring, a, &choice, storage, error) : status;
}

int processor_kernels(const struct format *format, const struct kernel *found[KERNELS_OF])
{
    int count = 0;
    for (int k = 0; kernels[k] && count < KERNELS_OF; k++)
        if (kernels[k]->format == format && backend_is_own(kernels[k]->backend)) found[count++] = kernels[k];
    return count;
}

static struct loop_pace *add_loop(struct processor *processor, const struct kernel *kernel,
                                  const char *parameters, enum precision precision)
{
    if (processor->loops == PROCESSOR_LOOPS) return NULL;
    struct loop_pace *loop = &processor->loop[processor->loops++];
    *loop = (struct loop_pace){.precision = precision};
    snprintf(loop->name, sizeof loop->name, "%s%s%s", kernel->name, parameters[0] ? ":" : "", parameters);
    return loop;
}

/* A variant in one precision: its loops and their times. */
struct trial {
    const struct format *format;
    const struct format_trial *of;
    const char *parameters;
    enum precision precision;
    const struct kernel *kernel[KERNELS_OF];
    int kernels;
    int taken; /* lengths so far */
    double at[PROCESSOR_LENGTHS];
    double seconds[KERNELS_OF][PROCESSOR_LENGTHS];
    double uneven[KERNELS_OF][PROCESSOR_MEANS], uneven_at[PROCESSOR_MEANS];
};

/* The matrices for timing loops: by length, and by mean length. `many` has too many rows for branch
 * prediction to learn their ends; `sorted` has the same rows sorted by length. */
struct shapes {
    struct csr even[PROCESSOR_LENGTHS], blocks[PROCESSOR_LENGTHS];
    struct csr uneven[PROCESSOR_MEANS], many[PROCESSOR_MEANS], sorted[PROCESSOR_MEANS];
};

/* Time the loops of a trial with one thread on a small matrix of rows of one length, or if `mean` >= 0, of
 * random lengths with mean length number `mean`. */
static enum status try_small(struct trial *trial, const struct csr *a, int mean,
                             const struct measuring *measuring, struct error *error)
{
    struct storage storage = {0};
    enum status status =
        store(a, trial->format, trial->parameters, trial->precision, measuring, &storage, error);
    for (int k = 0; k < trial->kernels && status == STATUS_OK; k++) {
        int samples = measuring->completely ? SAMPLES : SAMPLES_QUICK;
        double row = time_kernel(trial->kernel[k], &storage, measuring, 1, samples, NULL) / (double)a->rows;
        if (mean >= 0)
            trial->uneven[k][mean] = row;
        else
            trial->seconds[k][trial->taken] = row;
    }
    double slots = (double)storage_slots(&storage) / (double)a->rows;
    if (status == STATUS_OK && mean >= 0)
        trial->uneven_at[mean] = slots;
    else if (status == STATUS_OK)
        trial->at[trial->taken++] = slots;
    storage_free(&storage);
    return status == STATUS_OK ? progress_status(measuring->progress, error) : status;
}

/* Return true if a loop runs along rows or columns of their true lengths. */
static bool follows_rows(const struct trial *trial)
{
    return (trial->format->lines == FORMAT_ROWS || trial->format->lines == FORMAT_COLUMNS) &&
           !trial->of->even;
}

/* Return true if varying lengths, whose ends are mispredicted, affect a loop. */
static bool varies(const struct trial *trial)
{
    return trial->format->lines != FORMAT_EVEN && trial->format->lines != FORMAT_DIAGONALS;
}

/* The additional seconds of rows of random lengths over rows of the same lengths in order; for a loop along
 * chunks or blocks, over rows with the same number of slots each. */
static double excess(const struct trial *trial, const struct loop_pace *loop, double seconds, int m)
{
    const int longest = 2 * processor_mean[m];
    double even = follows_rows(trial) ? 0 : loop_row(loop, trial->uneven_at[m]);
    for (int length = 0; length <= longest && follows_rows(trial); length++)
        even += loop_row(loop, length) / (longest + 1);
    return fmax(0, seconds - even);
}

/* The additional seconds of a row in `many` over one in `sorted`, for which the same bytes are read. */
static enum status measure_many(const struct trial *trial, const struct shapes *shapes, int m,
                                const struct measuring *measuring, double seconds[KERNELS_OF],
                                struct error *error)
{
    const struct csr *matrix[2] = {&shapes->many[m], &shapes->sorted[m]};
    enum status status = STATUS_OK;
    for (int k = 0; k < trial->kernels; k++)
        seconds[k] = 0;
    for (int sorted = 0; sorted < 2 && status == STATUS_OK; sorted++) {
        struct storage storage = {0};
        status = store(matrix[sorted], trial->format, trial->parameters, trial->precision, measuring,
                       &storage, error);
        for (int k = 0; k < trial->kernels && status == STATUS_OK; k++)
            seconds[k] += (sorted ? -1 : 1) *
                          time_kernel(trial->kernel[k], &storage, measuring, 1, SAMPLES, NULL) /
                          (double)matrix[sorted]->rows;
        storage_free(&storage);
    }
    return status;
}

static enum status measure_variant(const struct measuring *measuring, struct trial *trial,
                                   const struct shapes *shapes, struct error *error)
{
    const struct csr *even = trial->format->lines == FORMAT_BLOCKS ? shapes->blocks : shapes->even;
    const bool many = measuring->completely && follows_rows(trial) && trial->format->lines != FORMAT_COLUMNS;
    double learned[PROCESSOR_MEANS][KERNELS_OF] = {{0}};
    enum status status = STATUS_OK;
    trial->kernels = processor_kernels(trial->format, trial->kernel);
    for (int l = 0; l < PROCESSOR_LENGTHS && status == STATUS_OK; l++)
        status = try_small(trial, &even[l], -1, measuring, error);
    for (int m = 0; m < PROCESSOR_MEANS && varies(trial) && status == STATUS_OK; m++)
        status = try_small(trial, &shapes->uneven[m], m, measuring, error);
    for (int m = 0; m < PROCESSOR_MEANS && many && status == STATUS_OK; m++)
        status = measure_many(trial, shapes, m, measuring, learned[m], error);
    for (int k = 0; k < trial->kernels && status == STATUS_OK; k++) {
        struct loop_pace *loop =
            add_loop(measuring->processor, trial->kernel[k], trial->parameters, trial->precision);
        if (!loop) break;
        resample(trial->at, trial->seconds[k], trial->taken, loop->row);
        for (int m = 0; m < PROCESSOR_MEANS && varies(trial); m++) {
            loop->uneven[0][m] = excess(trial, loop, trial->uneven[k][m], m);
            loop->uneven[1][m] = fmax(loop->uneven[0][m], learned[m][k]);
        }
    }
    return status;
}

static enum status make(enum shape_kind kind, int64_t entries, int64_t length, struct csr *a,
                        struct error *error)
{
    const struct shape_of shape = processor_shape(kind, entries, length);
    return processor_make_matrix(&shape, a, error);
}

static enum status make_shapes(bool completely, struct shapes *shapes, struct error *error)
{
    enum status status = STATUS_OK;
    *shapes = (struct shapes){0};
    for (int l = 0; l < PROCESSOR_LENGTHS && status == STATUS_OK; l++) {
        status = make(SHAPE_BAND, PROCESSOR_ENTRIES, processor_length[l], &shapes->even[l], error);
        if (status == STATUS_OK)
            status = make(SHAPE_BLOCKS, PROCESSOR_ENTRIES, processor_length[l], &shapes->blocks[l], error);
    }
    for (int m = 0; m < PROCESSOR_MEANS && status == STATUS_OK; m++) {
        const int64_t mean = processor_mean[m];
        status = make(SHAPE_UNEVEN, PROCESSOR_ENTRIES, mean, &shapes->uneven[m], error);
        if (status == STATUS_OK && completely)
            status = make(SHAPE_UNEVEN, PROCESSOR_UNEVEN_ENTRIES, mean, &shapes->many[m], error);
        if (status == STATUS_OK && completely)
            status = make(SHAPE_SORTED, PROCESSOR_UNEVEN_ENTRIES, mean, &shapes->sorted[m], error);
    }
    return status;
}

static void free_shapes(struct shapes *shapes)
{
    for (int l = 0; l < PROCESSOR_LENGTHS; l++) {
        csr_free(&shapes->even[l]);
        csr_free(&shapes->blocks[l]);
    }
    for (int m = 0; m < PROCESSOR_MEANS; m++) {
        csr_free(&shapes->uneven[m]);
        csr_free(&shapes->many[m]);
        csr_free(&shapes->sorted[m]);
    }
}

/* Measure the loops of one trial in both precisions, as long as time remains. */
static enum status measure_format(const struct measuring *measuring, const struct format *format,
                                  const struct format_trial *of, const struct shapes *shapes,
                                  struct error *error)
{
    enum status status = STATUS_OK;
    for (int p = PRECISION_F64; p <= PRECISION_F32 && status == STATUS_OK; p++) {
        struct trial trial = {
            .format = format, .of = of, .parameters = of->parameters, .precision = (enum precision)p};
        if (clock_seconds() > measuring->deadline) break;
        status = measure_variant(measuring, &trial, shapes, error);
        progress_add(measuring->progress, 1);
    }
    return status;
}

/* Measure the loops of these turns. */
static enum status measure_small(const struct measuring *measuring, enum turn first, enum turn last,
                                 struct error *error)
{
    struct shapes shapes;
    enum status status = make_shapes(measuring->completely, &shapes, error);
    for (enum turn turn = first; turn <= last; turn++)
        for (int f = 0; formats[f]; f++)
            for (const struct format_trial *of = trials_of(formats[f]); of->parameters; of++)
                if (turn_of(of) == turn && status == STATUS_OK)
                    status = measure_format(measuring, formats[f], of, &shapes, error);
    free_shapes(&shapes);
    return status;
}

double processor_rest(double seconds, double computing)
{
    double rest = pow(seconds, PROCESSOR_OVERLAP) - pow(computing, PROCESSOR_OVERLAP);
    return rest > 0 ? pow(rest, 1 / PROCESSOR_OVERLAP) : 0;
}

/* Fill in the factors of a kernel's loop at a level: streaming, relative to a sum over the bytes, with one
 * thread and with all; or scattered loads, for which `a` has scattered columns. */
static void measure_beyond(const struct measuring *measuring, const struct kernel *kernel,
                           const struct storage *storage, const struct beyond *of)
{
    struct processor *processor = measuring->processor;
    const struct format_choice stored = storage_choice(storage);
    const struct loop_pace *found = processor_loop(processor, kernel, &stored);
    struct loop_pace *loop = found ? &processor->loop[found - processor->loop] : NULL;
    const double slots = (double)storage_slots(storage),
                 lines = (double)(of->turned ? storage->cols : storage->rows);
    for (int many = 0; many < (of->scattered ? 1 : 2) && loop; many++) {
        const int threads = many && !kernel->sequential ? processor->threads : 1;
        struct loop_factors *at = &loop->beyond[of->level];
        double stretch, bytes = 0,
                        seconds = time_kernel(kernel, storage, measuring, threads, LARGE_SAMPLES, &bytes);
        if (!isfinite(seconds)) return;
        const double computing = loop_row(loop, slots / lines) * lines / threads;
        const double again = processor_again(processor, processor_passes(kernel, storage, &stretch), stretch);
        bytes += of->scattered ? 8.0 * lines : 8.0 * (double)(storage->rows + storage->cols);
        if (of->turned) bytes += 3 * 8.0 * (double)of->elements; /* y is cleared, read and written */
        const double streaming = bytes / processor_read(processor, threads, bytes),
                     rest = processor_rest(seconds, computing) - again;
        if (of->scattered)
            at->scattered =
                limited((rest - at->stream[0] * streaming) /
                        (processor_far(processor, 1, 8.0 * (double)of->elements) * (double)storage->nnz));
        else
            at->stream[many] = limited(rest / streaming);
    }
}

/* Measure the kernels of one trial on a matrix of a level. */
static enum status measure_beyond_trial(const struct measuring *measuring, const struct format *format,
                                        const struct format_trial *of, const struct csr *a,
                                        const struct beyond *beyond, struct error *error)
{
    const struct kernel *found[KERNELS_OF];
    const int count = processor_kernels(format, found);
    struct storage storage = {0};
    struct error reason = {0};
    enum status status = store(a, format, of->parameters, PRECISION_F64, measuring, &storage, &reason);
    for (int k = 0; k < count && status == STATUS_OK && !progress_cancelled(measuring->progress); k++)
        measure_beyond(measuring, found[k], &storage, beyond);
    storage_free(&storage);
    if (status == STATUS_LIMIT)
        status = STATUS_OK; /* too little memory: the loop keeps the assumed factors */
    if (status != STATUS_OK) error_set(error, status, "%s", reason.message);
    return status;
}

/* Scattered columns make most diagonals and blocks empty. CSC scatters y and not x, so that it takes the
 * transposed matrix. */
static bool goes_with(const struct format *format, const struct beyond *beyond)
{
    if (!beyond->scattered) return true;
    return format->lines != FORMAT_DIAGONALS && format->lines != FORMAT_BLOCKS &&
           (format->lines == FORMAT_COLUMNS) == beyond->turned;
}

static enum status measure_level(const struct measuring *measuring, const struct csr *a,
                                 const struct beyond *beyond, struct error *error)
{
    enum status status = STATUS_OK;
    for (int f = 0; formats[f]; f++)
        for (const struct format_trial *of = trials_of(formats[f]); of->parameters && status == STATUS_OK;
             of++) {
            if (turn_of(of) == TURN_LATER) continue;
            progress_add(measuring->progress, 1);
            if (goes_with(formats[f], beyond))
                status = measure_beyond_trial(measuring, formats[f], of, a, beyond, error);
        }
    return status == STATUS_OK ? progress_status(measuring->progress, error) : status;
}

static enum status measure_completely(const struct measuring *measuring, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < BEYONDS && status == STATUS_OK; k++) {
        const struct beyond *of = &beyonds[k];
        const int64_t rows = of->entries / BEYOND_LENGTH;
        const struct shape_of shape = {of->scattered ? SHAPE_SCATTERED : SHAPE_BAND, rows,
                                       of->scattered ? of->elements : rows + BEYOND_LENGTH, BEYOND_LENGTH};
        struct csr a, turned = {0};
        status = processor_make_matrix(&shape, &a, error);
        progress_hold(measuring->progress, true);
        if (status == STATUS_OK && of->turned)
            status = csr_transpose(&a, measuring->progress, &turned, error);
        progress_hold(measuring->progress, false);
        if (status == STATUS_OK) status = measure_level(measuring, of->turned ? &turned : &a, of, error);
        csr_free(&turned);
        csr_free(&a);
    }
    return status;
}

/* Measure everything within the available time. */
static enum status measure(const struct measuring *measuring, struct error *error)
{
    struct processor *processor = measuring->processor;
    enum status status = STATUS_OK;
    const double regions = clock_seconds() + (measuring->completely ? 1 : PROCESSOR_QUICK / 10);
    processor->wake = processor_region_seconds(processor->threads, regions);
    processor->alone = processor_region_seconds(1, regions);
    /* Always measured: the speed of this processor relative to the assumed one. */
    status = measure_small(measuring, TURN_FIRST, TURN_FIRST, error);
    if (status == STATUS_OK) status = processor_measure_memory(measuring, error);
    if (status == STATUS_OK)
        status = measure_small(measuring, TURN_QUICK, measuring->completely ? TURN_LATER : TURN_QUICK, error);
    if (status == STATUS_OK && measuring->completely) status = measure_completely(measuring, error);
    if (status == STATUS_OK) processor_limit_factors(processor);
    if (status == STATUS_OK) processor_share_factors(processor);
    if (status == STATUS_OK) status = processor_measure_whole(measuring, error);
    return status;
}

enum status processor_measure(struct processor *processor, bool completely, size_t limit,
                              struct progress *progress, struct error *error)
{
    return processor_measure_within(processor, completely, completely ? INFINITY : PROCESSOR_QUICK, limit,
                                    progress, error);
}

enum status processor_measure_within(struct processor *processor, bool completely, double seconds,
                                     size_t limit, struct progress *progress, struct error *error)
{
    struct load_watch watch;
    load_begin(&watch);
    *processor = (struct processor){.complete = completely, .measurements = 1};
    processor_identify(processor);
    int possible = threads_possible(processor->threads);
    if (possible < processor->threads)
        return error_set(error, STATUS_UNAVAILABLE,
                         "the processor cannot be measured: the system starts only %d of %d threads",
                         possible, processor->threads);
    struct measuring measuring = {.processor = processor,
                                  .completely = completely,
                                  .deadline = watch.started + seconds,
                                  .limit = limit,
                                  .progress = progress};
    const size_t cols = completely ? SCATTERED_COLS + 64 : 4 * PROCESSOR_ENTRIES;
    progress_phase(progress, "measuring the processor",
                   (int64_t)(completely ? 2 + (int)BEYONDS : 2) * count_trials() + PROCESSOR_SIZES);
    measuring.spreads = memory_zeroed(1, sizeof *measuring.spreads, error);
    measuring.x = measuring.spreads ? memory_array(cols, sizeof *measuring.x, error) : NULL;
    measuring.y = measuring.x ? memory_array(cols, sizeof *measuring.y, error) : NULL;
    enum status status = measuring.y ? STATUS_OK : STATUS_MEMORY;
    for (size_t j = 0; j < cols && status == STATUS_OK; j++)
        measuring.x[j] = measuring.y[j] = 0;
    if (status == STATUS_OK) status = measure(&measuring, error);
    if (status == STATUS_OK) {
        processor_fill(processor);
        processor->spread = spreads_most(measuring.spreads);
        processor->load = load_end(&watch);
    }
    free(measuring.spreads);
    free(measuring.x);
    free(measuring.y);
    processor->there = status == STATUS_OK;
    if (status != STATUS_OK) *processor = (struct processor){.there = false};
    return status;
}

double processor_row_seconds(const struct kernel *kernel, int length)
{
    const struct shape_of shape = processor_shape(SHAPE_BAND, PROCESSOR_ENTRIES, length);
    struct measuring measuring = {.deadline = INFINITY};
    struct storage storage = {0};
    struct csr a;
    double seconds = NAN;
    enum status status = processor_make_matrix(&shape, &a, NULL);
    measuring.x = memory_zeroed((size_t)shape.cols, sizeof *measuring.x, NULL);
    measuring.y = memory_zeroed((size_t)shape.cols, sizeof *measuring.y, NULL);
    measuring.spreads = memory_zeroed(1, sizeof *measuring.spreads, NULL);
    if (status == STATUS_OK && measuring.x && measuring.y && measuring.spreads)
        status = store(&a, kernel->format, "", PRECISION_F64, &measuring, &storage, NULL);
    if (status == STATUS_OK && storage.format)
        seconds = time_kernel(kernel, &storage, &measuring, 1, SAMPLES, NULL) / (double)a.rows;
    storage_free(&storage);
    csr_free(&a);
    free(measuring.spreads);
    free(measuring.x);
    free(measuring.y);
    return seconds;
}
