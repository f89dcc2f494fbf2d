/* Forecasts for processors that need not be here, for tests/forecast/processors.py.
 *
 * processor_forecasts PROFILE MATRIX THREADS...: forecasts by the profile (or "assumed") for all own kernels
 * of the processor with their defaults in double precision. A line of JSON: a list of objects, one for each
 * kernel, number of threads and state of the caches, with the terms in microseconds. Nothing is timed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/cpu.h"
#include "kernels/list.h"
#include "kernels/timing/processor_sure.h"
#include "session/session.h"

/* Print an object of a forecast; *some becomes true. */
static void print_forecast(const struct kernel *kernel, int threads, bool cold,
                           const struct prediction *predicted, bool *some)
{
    if (!predicted->there) return;
    printf("%s\n{\"kernel\": \"%s/%s\", \"threads\": %d, \"caches\": \"%s\", \"forecast us\": %.9g, "
           "\"low us\": %.9g, \"high us\": %.9g, \"bound\": \"%s\"",
           *some ? "," : "", kernel->backend->name, kernel->name, threads, cold ? "flushed" : "warm",
           1e6 * predicted->seconds, 1e6 * predicted->low, 1e6 * predicted->high,
           bound_key(predicted->bound));
    for (int k = 0; k < BOUNDS; k++)
        if (predicted->term[k] > 0)
            printf(", \"%s\": %.9g", bound_key((enum bound)k), 1e6 * predicted->term[k]);
    printf("}");
    *some = true;
}

static enum status forecast_all(struct session *session, const struct processor *processor,
                                const struct kernel_list *list, int threads, struct cpu_matrix *matrix,
                                bool *some, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < list->count && status == STATUS_OK; k++) {
        const struct kernel_choice *choice = &list->choices[k];
        struct prediction predicted[2];
        struct error reason = {0};
        const struct storage *plan = NULL;
        if (!backend_is_own(choice->kernel->backend) || (choice->kernel->sequential && threads > 1) ||
            pool_plan(&session->shown->pool, &choice->format, 0, NULL, &plan, &reason) != STATUS_OK)
            continue;
        status = cpu_forecast(processor, matrix, choice, plan, threads, (struct product){.columns = 1},
                              predicted, NULL, error);
        for (int cold = 0; cold < 2 && status == STATUS_OK; cold++)
            print_forecast(choice->kernel, threads, cold, &predicted[cold], some);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct error error = {0};
    struct session session = {0};
    struct kernel_list list = {0};
    struct processor processor;
    bool some = false;
    if (argc < 4) {
        fprintf(stderr, "usage: processor_forecasts PROFILE MATRIX THREADS...\n");
        return 2;
    }
    setenv("SPARSIGHT_PROCESSOR", argv[1], 1);
    enum status status = processor_here(&processor, PROCESSOR_KEPT, 0, NULL, &error);
    if (status == STATUS_OK)
        status = session_load(&session, argv[2], &(struct load_options){0}, NULL, &error);
    if (status == STATUS_OK) status = kernel_list_add(&list, "cpu", &error);
    struct cpu_matrix matrix = {.a = session.shown ? &session.shown->matrix.csr : NULL};
    printf("[");
    for (int k = 3; k < argc && status == STATUS_OK; k++)
        status = forecast_all(&session, &processor, &list, atoi(argv[k]), &matrix, &some, &error);
    printf("]\n");
    cpu_matrix_free(&matrix);
    kernel_list_free(&list);
    session_free(&session);
    if (status == STATUS_OK) return 0;
    fprintf(stderr, "%s\n", error.message);
    return 1;
}
