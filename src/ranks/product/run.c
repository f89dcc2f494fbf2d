#include "ranks/product/run.h"

#include <stdio.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "ranks/product/bench.h"
#include "ranks/product/owners.h"
#include "ranks/transpose.h"

static bool asked(const struct report_request *request, enum precision precision)
{
    return precision == PRECISION_F32 ? request->f32 : request->f64 || !request->f32;
}

static enum status want(const struct report_request *request, struct results *results, struct error *error)
{
    enum status status = STATUS_OK;
    for (enum precision p = PRECISION_F64; p <= PRECISION_F32; p++)
        for (int k = 0; k < request->kernels.count && asked(request, p) && status == STATUS_OK; k++) {
            const struct kernel_choice choice = kernel_choice_with(&request->kernels.choices[k], p, 0);
            status = results_want(results, &choice, error);
        }
    return status;
}

static void name_partition(const struct partition_choice *choice, struct results *results)
{
    char name[PARTITION_NAME] = "entries";
    if (choice) partition_choice_name(choice, name, sizeof name);
    for (int k = 0; k < results->count; k++)
        snprintf(results->items[k].ranked.partition, sizeof results->items[k].ranked.partition, "%.63s",
                 name);
}

/* Store the reason why a partition cannot be found in all its kernels. */
static void refuse(const struct ranks *ranks, const struct error *refusal, struct results *results)
{
    for (int k = 0; k < results->count; k++) {
        struct result *result = &results->items[k];
        *result = result_unrun(&result->choice, false, results->options.product);
        result->status = refusal->status;
        result->error = *refusal;
        result->ranked = ranks_unrun(ranks);
    }
}

/* Run the kernels by one partition. NULL: the matrix stays divided as it is. */
static enum status run_divided(const struct ranks *ranks, const struct share *share,
                               const struct report_request *request, const struct partition_choice *choice,
                               size_t limit, struct results *results, struct error *error)
{
    struct bench_options options = request->timing;
    struct share divided = {0};
    struct error refusal = {0};
    options.limit = limit;
    options.product.transposed = false; /* the share is already that of A^T */
    results->options = options;
    enum status status = ranks_agree(ranks, want(request, results, error), error);
    if (status != STATUS_OK) return status;
    if (choice) status = share_by_partition(ranks, share, choice, limit, &divided, &refusal);
    if (status == STATUS_OK)
        status = ranks_bench(ranks, choice ? &divided : share, results, &options, NULL, error);
    else if (distribution_goes_on(status))
        refuse(ranks, &refusal, results);
    else
        *error = refusal;
    if (distribution_goes_on(status) && refusal.status != STATUS_OK) status = STATUS_OK;
    if (status == STATUS_OK) name_partition(choice, results);
    share_free(&divided);
    return status;
}

/* Append the results of another partition, which become {0}. */
static enum status append(struct results *all, struct results *more, struct error *error)
{
    if (!all->items) {
        *all = *more;
        *more = (struct results){0};
        return STATUS_OK;
    }
    struct result *items =
        memory_resize(all->items, (size_t)(all->count + more->count), sizeof *items, error);
    if (!items) return STATUS_MEMORY;
    memcpy(items + all->count, more->items, (size_t)more->count * sizeof *items);
    all->items = items;
    all->count += more->count;
    results_free(more);
    return STATUS_OK;
}

/* Return the maximum over all ranks. */
static double longest(const struct ranks *ranks, double seconds)
{
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, ranks->all);
    return seconds;
}

/* Record that the products were with A^T, and add the time of transposing to each conversion. */
static void note_transposed(const struct share *share, double seconds, struct results *results)
{
    results->options.product.transposed = true;
    results->rows = share->rows;
    results->cols = share->cols;
    for (int k = 0; k < results->count; k++)
        results->items[k].convert_seconds += seconds;
}

enum status ranks_run(const struct ranks *ranks, const struct share *share,
                      const struct report_request *request, size_t limit, struct results *results,
                      struct error *error)
{
    const struct partition_list *partitions = &request->distribution.partitions;
    const bool transposed = request->timing.product.transposed;
    struct share turned = {0};
    enum status status = STATUS_OK;
    *results = (struct results){0};
    if (request->kernels.count == 0) return STATUS_OK;
    const double start = clock_seconds();
    if (transposed) status = share_transposed(ranks, share, limit, &turned, error);
    const double seconds = longest(ranks, clock_seconds() - start);
    for (int p = 0; (p == 0 || p < partitions->count) && status == STATUS_OK; p++) {
        struct results some = {0};
        status = run_divided(ranks, transposed ? &turned : share, request,
                             partitions->count ? &partitions->choices[p] : NULL, limit, &some, error);
        if (status == STATUS_OK) status = ranks_agree(ranks, append(results, &some, error), error);
        results_free(&some);
    }
    if (status == STATUS_OK && transposed) note_transposed(share, seconds, results);
    if (status != STATUS_OK) results_free(results);
    share_free(&turned);
    return status;
}
