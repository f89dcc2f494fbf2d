/* The ratio of whole products to their forecast terms. Threads wait for the slowest of them, although each
 * term was measured for single threads, and no term covers the time between loops. One factor, measured on
 * simple products, covers all of this. */
#include <math.h>
#include <stdlib.h>

#include "base/placement.h"
#include "base/threads.h"
#include "kernels/timing/processor_parts.h"
#include "kernels/timing/samples.h"

#define LENGTH 16 /* entries of each row, in adjacent columns */
#define SAMPLES 15
#define SAMPLES_QUICK 7

/* A ratio outside of these bounds means that the machine was busy. */
#define WHOLE_MIN 0.7
#define WHOLE_MAX 3.0

/* A whole product, timed in turn with others. */
struct contest {
    struct launch launch;
    struct storage storage;
    const struct kernel *kernel;
    double terms;   /* seconds by the measured times of the loop */
    double seconds; /* seconds of the fastest sample */
    int products;   /* number of products in a sample */
};

/* One multithreaded kernel of each of these formats. */
static const char *const timed[] = {"csr", "ell", "sell", "jds", "coo"};
#define CONTESTS (sizeof timed / sizeof *timed)

static double terms_of(const struct contest *contest, const struct csr *a, const struct processor *processor,
                       int threads)
{
    const struct storage *storage = &contest->storage;
    const struct format_choice stored = storage_choice(storage);
    const struct loop_pace *loop = processor_loop(processor, contest->kernel, &stored);
    const double rows = (double)a->rows, slots = (double)storage_slots(storage) / rows,
                 bytes = (double)storage_size(storage).bytes + 8 * (2 * rows + (double)a->cols);
    if (!loop) return NAN;
    const double computing = loop_row(loop, slots) * rows / threads,
                 moving =
                     loop_stream(loop, threads, bytes) * bytes / processor_read(processor, threads, bytes);
    return processor_wake(processor, threads) +
           pow(pow(computing, PROCESSOR_OVERLAP) + pow(moving, PROCESSOR_OVERLAP), 1 / PROCESSOR_OVERLAP);
}

static double run(struct contest *contest, const struct measuring *measuring, int products)
{
    struct placement placement;
    placement_begin(&placement, contest->launch.threads);
    threads_gather(contest->launch.threads);
    kernel_run(&contest->launch, measuring->x, measuring->y);
    double start = clock_seconds();
    for (int k = 0; k < products; k++)
        kernel_run(&contest->launch, measuring->x, measuring->y);
    double seconds = (clock_seconds() - start) / products;
    placement_end(&placement);
    return seconds;
}

/* Store the matrix and prepare the kernel. A contest that cannot run has no terms. */
static void begin(struct contest *contest, const char *name, const struct csr *a, int threads,
                  const struct measuring *measuring)
{
    const struct format *format = format_find(name);
    const struct launch_options launch_options = {.limit = 0};
    const struct format_choice choice = format_choice_default(format, PRECISION_F64);
    const struct kernel *found[KERNELS_OF];
    const int count = processor_kernels(format, found);
    *contest = (struct contest){.terms = NAN, .seconds = INFINITY};
    for (int k = 0; k < count && !contest->kernel; k++)
        if (!found[k]->sequential) contest->kernel = found[k];
    if (processor_convert(measuring, a, &choice, &contest->storage, NULL) != STATUS_OK) return;
    struct kernel_choice chosen = {
        .kernel = contest->kernel, .format = storage_choice(&contest->storage), .threads = threads};
    if (kernel_prepare(&chosen, &contest->storage, &launch_options, &contest->launch, NULL) != STATUS_OK)
        return;
    contest->terms = terms_of(contest, a, measuring->processor, threads);
    contest->products = sample_products(run(contest, measuring, 1));
}

/* The geometric mean over the kernels of fastest sample / terms; 0 if nothing could be measured. */
static double factor(const struct csr *a, int threads, const struct measuring *measuring)
{
    const int samples = measuring->completely ? SAMPLES : SAMPLES_QUICK;
    struct contest contest[CONTESTS];
    double sum = 0;
    int count = 0;
    for (size_t c = 0; c < CONTESTS; c++)
        begin(&contest[c], timed[c], a, threads, measuring);
    for (int s = 0; s < samples; s++)
        for (size_t c = 0; c < CONTESTS; c++)
            if (isfinite(contest[c].terms))
                contest[c].seconds =
                    fmin(contest[c].seconds, run(&contest[c], measuring, contest[c].products));
    for (size_t c = 0; c < CONTESTS; c++) {
        if (isfinite(contest[c].terms) && contest[c].terms > 0) {
            sum += log(contest[c].seconds / contest[c].terms);
            count++;
        }
        kernel_release(&contest[c].launch);
        storage_free(&contest[c].storage);
    }
    return count ? fmin(WHOLE_MAX, fmax(WHOLE_MIN, exp(sum / count))) : 0;
}

/* Larger products are left out: the factors of loops (struct loop_factors) were measured with whole products,
 * of one thread and of all. So are those of one thread, which waits for no other. */
enum status processor_measure_whole(const struct measuring *measuring, struct error *error)
{
    struct processor *processor = measuring->processor;
    const struct shape_of shape = processor_shape(SHAPE_BAND, processor_whole_entries[0], LENGTH);
    struct csr a;
    for (int many = 0; many < 2; many++)
        for (int k = 0; k < PROCESSOR_WHOLES; k++)
            processor->whole[many][k] = many && k == 0 ? 0 : 1;
    if (processor->threads == 1) processor->whole[1][0] = 1;
    if (processor->threads == 1 || clock_seconds() >= measuring->deadline) return STATUS_OK;
    enum status status = processor_make_matrix(&shape, &a, error);
    if (status == STATUS_OK && !progress_cancelled(measuring->progress))
        processor->whole[1][0] = factor(&a, processor->threads, measuring);
    csr_free(&a);
    return status == STATUS_OK ? progress_status(measuring->progress, error) : status;
}
