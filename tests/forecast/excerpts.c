/* Forecasts of GPU kernels from an excerpt of a matrix, as reports make them before any kernel has run, for
 * tests/forecast/evaluate.py --excerpts: other reports forecast the kernels that they are asked for from all
 * entries.
 *
 * excerpts GPU ENTRIES MATRIX KERNEL...: the excerpt has as many entries of rows, and of columns; 0: as many
 * as the program keeps of this matrix. A line of JSON: the entries kept, or null if all are, and a list with
 * an item for each KERNEL (and parameters): null without a forecast; else with warm caches and with flushed
 * ones the time, the interval in microseconds and the bound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/forecast/excerpt.h"
#include "kernels/list.h"
#include "session/results.h"
#include "session/session.h"

static void print_forecast(const struct prediction *predicted)
{
    if (!predicted->there)
        printf("null");
    else
        printf("[%.9g, %.9g, %.9g, \"%s\"]", 1e6 * predicted->seconds, 1e6 * predicted->low,
               1e6 * predicted->high, bound_key(predicted->bound));
}

/* The result of a choice, which has the kernel's number of threads. */
static const struct result *find(const struct results *results, const struct kernel_choice *choice)
{
    for (int k = 0; k < results->count; k++)
        if (kernel_choice_alike(&results->items[k].choice, choice)) return &results->items[k];
    return NULL;
}

static void print_all(const struct excerpt *excerpt, const struct results *results,
                      const struct kernel_list *asked)
{
    if (excerpt->there && !excerpt->whole)
        printf("{\"entries\": %lld, \"forecasts\": [", (long long)csr_nnz(&excerpt->rows));
    else
        printf("{\"entries\": null, \"forecasts\": [");
    for (int k = 0; k < asked->count; k++) {
        const struct result *result = find(results, &asked->choices[k]);
        printf("%s[", k ? ", " : "");
        print_forecast(&result->predicted[0]);
        printf(", ");
        print_forecast(&result->predicted[1]);
        printf("]");
    }
    printf("]}\n");
}

/* Forecast the listed kernels from an excerpt, as session_foresight does. */
static enum status forecast(struct session *session, int64_t entries, const struct kernel_list *asked,
                            struct error *error)
{
    struct results results = {0};
    struct excerpt excerpt = {0};
    struct sharing sharing;
    const struct csr *a = &session->shown->matrix.csr;
    const int64_t kept = entries > 0 ? entries : excerpt_kept(a);
    enum status status = kept > 0 ? excerpt_of(a, kept, NULL, &excerpt, error) : STATUS_OK;
    for (int k = 0; k < asked->count && status == STATUS_OK; k++)
        status = results_want(&results, &asked->choices[k], error);
    sharing_start(&session->shown->pool, &excerpt, &sharing);
    if (status == STATUS_OK)
        status = session_foresee(session, NULL, &results, (struct product){0}, 0, &sharing, NULL, error);
    if (status == STATUS_OK) print_all(&excerpt, &results, asked);
    pool_rest(sharing.pool);
    sharing_free(&sharing);
    excerpt_free(&excerpt);
    results_free(&results);
    return status;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    struct session session = {0};
    struct kernel_list asked = {0};
    struct gpu gpu;
    if (argc < 5) {
        fprintf(stderr, "usage: excerpts GPU ENTRIES MATRIX KERNEL...\n");
        return 2;
    }
    enum status status = gpu_find(argv[1], &gpu, &error);
    if (status == STATUS_OK)
        status = session_load(&session, argv[3], &(struct load_options){0}, NULL, &error);
    if (status == STATUS_OK) session_for_gpu(&session, &gpu, 0);
    for (int k = 4; k < argc && status == STATUS_OK; k++) {
        status = kernel_list_add(&asked, argv[k], &error);
        if (status == STATUS_OK && asked.count != k - 3)
            status = error_set(&error, STATUS_USAGE, "%s is not one more kernel", argv[k]);
    }
    if (status == STATUS_OK) status = forecast(&session, atoll(argv[2]), &asked, &error);
    kernel_list_free(&asked);
    session_free(&session);
    if (status == STATUS_OK) return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
