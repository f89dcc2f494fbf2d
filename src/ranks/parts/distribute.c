#include "ranks/parts/distribute.h"

#include <stdlib.h>

#include "ranks/parts/parts.h"

/* The inputs of all divisions. */
struct dividing {
    const struct ranks *ranks;
    const struct share *share;
    const struct distribution_request *request;
    struct pattern pattern;
    size_t limit;
};

/* Divide the rows into the number of parts that number c of the request gives. */
static enum status divide_one(struct dividing *dividing, const struct partition_choice *choice, int c,
                              const struct distribution *distribution, struct distributed *division)
{
    const struct ranks *ranks = dividing->ranks;
    const struct share *share = dividing->share;
    struct partition partition;
    distribution_name(choice, dividing->request->parts[c], division);
    enum status status = ranks_partition(ranks, share, choice, division->parts, dividing->limit,
                                         &dividing->pattern, &partition, &division->refusal);
    if (status == STATUS_OK) {
        division->parts = partition.parts;
        status = ranks_halo(ranks, share, &partition, RANKS_HALO_ROUND, dividing->limit, &division->halo,
                            &division->refusal);
    }
    if (status == STATUS_OK && dividing->request->sketched)
        status =
            ranks_sketch(ranks, share, &partition, &division->halo, &division->sketch, &division->refusal);
    const struct divided divided = {.pairs = division->halo.pairs};
    if (status == STATUS_OK && ranks->rank == 0)
        distribution_nodes(&distribution->network, division, &divided);
    free(division->halo.pairs); /* there may be many messages, and reports do not list them */
    division->halo.pairs = NULL;
    partition_free(&partition);
    return division->status = status;
}

static enum status divide_all(struct dividing *dividing, const struct partition_list *list,
                              struct distribution *distribution, struct error *error)
{
    for (int p = 0; p < list->count; p++)
        for (int c = 0; c < distribution_counts(dividing->request, &list->choices[p]); c++) {
            struct distributed *division = &distribution->items[distribution->count];
            enum status status = divide_one(dividing, &list->choices[p], c, distribution, division);
            distribution->count++;
            if (distribution_goes_on(status)) continue;
            *error = division->refusal;
            return status;
        }
    return STATUS_OK;
}

enum status ranks_distribute(const struct ranks *ranks, const struct share *share,
                             const struct distribution_request *request, const struct csr *whole,
                             size_t limit, struct distribution *distribution, struct error *error)
{
    struct dividing dividing = {.ranks = ranks, .share = share, .request = request, .limit = limit};
    struct partition_list usual = {0};
    const struct partition_list *list = request->partitions.count ? &request->partitions : &usual;
    *distribution = (struct distribution){0};
    if (whole)
        dividing.pattern.whole = (struct csr){
            .rows = whole->rows, .cols = whole->cols, .row_ptr = whole->row_ptr, .col = whole->col};
    enum status status = list == &usual ? distribution_usual(&usual, error) : STATUS_OK;
    if (status == STATUS_OK) status = distribution_start(request, list, distribution, error);
    status = ranks_agree(ranks, status, error);
    if (status == STATUS_OK) status = divide_all(&dividing, list, distribution, error);
    pattern_free(&dividing.pattern);
    partition_list_free(&usual);
    if (status != STATUS_OK || ranks->rank) distribution_free(distribution);
    return status;
}
