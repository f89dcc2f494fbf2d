#include "ranks/product/run.h"

#include <stdio.h>

#include "ranks/product/bench.h"
#include "ranks/product/owners.h"

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

enum status ranks_run(const struct ranks *ranks, const struct share *share,
                      const struct report_request *request, size_t limit, struct results *results,
                      struct error *error)
{
    const struct partition_list *partitions = &request->distribution.partitions;
    const struct partition_choice *choice = partitions->count ? &partitions->choices[0] : NULL;
    struct bench_options options = request->timing;
    struct share divided = {0};
    *results = (struct results){0};
    options.limit = limit;
    if (request->kernels.count == 0) return STATUS_OK;
    enum status status = ranks_agree(ranks, want(request, results, error), error);
    if (status == STATUS_OK && choice)
        status = share_by_partition(ranks, share, choice, limit, &divided, error);
    if (status == STATUS_OK)
        status = ranks_bench(ranks, choice ? &divided : share, results, &options, NULL, error);
    if (status == STATUS_OK) name_partition(choice, results);
    share_free(&divided);
    if (status != STATUS_OK) results_free(results);
    return status;
}
