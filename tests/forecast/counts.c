/* The counts of the kernels that are replayed for those of a library, from which their times are forecast:
 * reports show those of our own kernels alone. For tests/forecast/fit.py.
 *
 * counts GPU MATRIX: a line of JSON with an array for each kernel of cuSPARSE that has a forecast, in the
 * order of COUNTS in model.py: first those with warm caches, and then those with flushed ones. */
#include <math.h>
#include <stdio.h>

#include "kernels/list.h"
#include "session/results.h"
#include "session/session.h"

static double sectors(const struct estimate *estimate, enum access access)
{
    return (double)estimate->accesses[access].sectors;
}

/* The sectors of additions, times the share of lanes whose addition collides with another one of the same
 * element. */
static double again(const struct trace_counts *added)
{
    return (double)added->sectors * (double)added->conflicts / fmax(1, (double)added->lanes);
}

static void print_counts(const struct estimate *estimate, bool cold)
{
    const struct memory_traffic *memory = &estimate->memory;
    const struct estimate_steps *steps = &estimate->steps;
    const struct trace_counts *shared = &estimate->operands[OPERAND_SHARED];
    const double counts[] = {sectors(estimate, ACCESS_LOAD),
                             memory_sum(memory->misses),
                             memory_sum(memory->sectors),
                             memory_sum(cold ? memory->reads : memory->warm_reads),
                             cold ? memory->writes : memory->warm_writes,
                             sectors(estimate, ACCESS_REDUCTION) + sectors(estimate, ACCESS_ATOMIC),
                             (double)estimate->operands[OPERAND_VALUES].bytes / estimate->value_bytes,
                             (double)steps->launches,
                             (double)steps->longest,
                             (double)steps->longest_shared,
                             (double)steps->hottest,
                             steps->requests,
                             steps->shared,
                             steps->turns,
                             (double)(shared->requests + shared->conflicts),
                             cold ? 0 : (double)steps->early,
                             (double)estimate->accesses[ACCESS_LOAD].lines,
                             (double)estimate->accesses[ACCESS_ATOMIC].requests,
                             again(&estimate->accesses[ACCESS_REDUCTION]) +
                                 again(&estimate->accesses[ACCESS_ATOMIC]),
                             (double)steps->longest_hits,
                             (double)steps->longest_missed,
                             memory->served};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        printf("%s%.17g", k ? ", " : cold ? ", [" : "[", counts[k]);
    printf("]");
}

static enum status count(const char *gpu_name, const char *matrix, struct error *error)
{
    struct kernel_list list = {0};
    struct results results = {0};
    struct session session;
    struct gpu gpu;
    enum status status = session_load(&session, matrix, &(struct load_options){0}, NULL, error);
    if (status == STATUS_OK) status = gpu_find(gpu_name, &gpu, error);
    if (status == STATUS_OK) session_for_gpu(&session, &gpu, 0);
    if (status == STATUS_OK) status = kernel_list_add(&list, "cusparse", error);
    for (int k = 0; k < list.count && status == STATUS_OK; k++)
        status = results_want(&results, &list.choices[k], error);
    if (status == STATUS_OK)
        status = session_foresee(&session, NULL, &results, (struct product){0}, 0, NULL, NULL, error);
    const struct estimated *found = &session.shown->estimated;
    bool some = false;
    printf("{");
    for (int k = 0; status == STATUS_OK && k < found->count; k++) {
        const struct estimated_item *item = found->items[k];
        if (!item->estimate.memory.there || isnan(item->estimate.steps.turns)) continue;
        printf("%s\"cusparse/%s\": [", some ? ", " : "", item->result.choice.kernel->name);
        print_counts(&item->estimate, false);
        print_counts(&item->estimate, true);
        printf("]");
        some = true;
    }
    printf("}\n");
    results_free(&results);
    kernel_list_free(&list);
    session_free(&session);
    return status;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: counts GPU MATRIX\n");
        return 2;
    }
    if (count(argv[1], argv[2], &error) == STATUS_OK) return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
