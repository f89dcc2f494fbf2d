/* The cost of a forecast of all kernels of CUDA, in products y = A x of cpu/csr-omp with as many threads as
 * are there. Each round forecasts for an H200 with nothing kept from before, so that conversions count, and
 * takes the products of csr-omp before and after that, so that a noisy machine falls on both alike. Prints;
 * decides nothing.
 *
 * bench_forecast [SPEC...]: SPEC as after gen:, else matrices of about 1.5e7 entries and smaller ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "kernels/list.h"
#include "session/results.h"
#include "session/session.h"

#define ROUNDS 3
#define PRODUCTS 20
#define PRODUCTS_AIM 60

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

/* Add the seconds of some products of csr-omp to `seconds`. */
static enum status multiply(struct session *session, double *seconds, int *count, struct error *error)
{
    struct kernel_list list = {0};
    const struct storage *storage = NULL;
    struct launch launch = {0};
    struct pool *pool = &session->shown->pool;
    const struct csr *a = &session->shown->matrix.csr;
    double *x = memory_zeroed((size_t)a->cols, sizeof *x, error);
    double *y = memory_zeroed((size_t)a->rows, sizeof *y, error);
    enum status status = x && y ? kernel_list_add(&list, "cpu/csr-omp", error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        struct kernel_choice choice = list.choices[0];
        choice.threads = threads_count();
        status = pool_take(pool, &choice.format, 0, NULL, &storage, error);
        if (status == STATUS_OK)
            status = kernel_prepare(&choice, storage, &(struct launch_options){0}, &launch, error);
    }
    if (status == STATUS_OK) {
        launch.x = x;
        launch.y = y;
        launch.kernel->run(&launch); /* the memory that it touches exists then */
        for (int k = 0; k < PRODUCTS; k++) {
            double start = clock_seconds();
            launch.kernel->run(&launch);
            seconds[(*count)++] = clock_seconds() - start;
        }
    }
    if (storage) {
        kernel_release(&launch);
        pool_release(pool, storage);
    }
    kernel_list_free(&list);
    free(x);
    free(y);
    return status;
}

/* Forecast all kernels; *timed becomes how many have a time. */
static enum status forecast(struct session *session, double *seconds, int *timed, struct error *error)
{
    struct kernel_list list = {0};
    struct results results = {0};
    enum status status = kernel_list_add(&list, "cuda", error);
    for (int k = 0; k < list.count && status == STATUS_OK; k++)
        status = results_want(&results, &list.choices[k], error);
    estimated_free(&session->shown->estimated);
    double start = clock_seconds();
    if (status == STATUS_OK)
        status = session_foresee(session, NULL, &results, (struct product){0}, 0, NULL, NULL, error);
    *seconds = clock_seconds() - start;
    *timed = 0;
    for (int k = 0; k < results.count; k++)
        *timed += results_prediction_of(&results, &results.items[k]) != NULL;
    results_free(&results);
    kernel_list_free(&list);
    return status;
}

static enum status bench(const char *specification, struct error *error)
{
    char name[256];
    struct session session;
    struct gpu gpu;
    double products[ROUNDS * 2 * PRODUCTS], forecasts[ROUNDS];
    int count = 0, timed = 0;
    snprintf(name, sizeof name, "gen:%s", specification);
    enum status status = session_load(&session, name, &(struct load_options){0}, NULL, error);
    if (status == STATUS_OK) status = gpu_find("h200", &gpu, error);
    if (status == STATUS_OK) session_for_gpu(&session, &gpu, 0);
    for (int round = 0; round < ROUNDS && status == STATUS_OK; round++) {
        status = multiply(&session, products, &count, error);
        if (status == STATUS_OK) status = forecast(&session, &forecasts[round], &timed, error);
        if (status == STATUS_OK) status = multiply(&session, products, &count, error);
    }
    if (status == STATUS_OK) {
        double product = median(products, count), one = median(forecasts, ROUNDS);
        printf("%-52s %9lld %10.3f %10.1f %8d %9.0f%s\n", specification,
               (long long)csr_nnz(&session.shown->matrix.csr), 1e3 * product, 1e3 * one, timed, one / product,
               one > PRODUCTS_AIM * product ? "  above" : "");
        fflush(stdout);
    }
    session_free(&session);
    return status;
}

int main(int argc, char **argv)
{
    static const char *const standard[] = {"stencil27,n=85",
                                           "powerlaw,scale=20,edge=15",
                                           "banded,n=1000000,lower=2000,upper=2000,fill=0.00375",
                                           "random,m=1500000,mean=10,spread=10",
                                           "stencil27,n=40",
                                           "powerlaw,scale=15,edge=10",
                                           "laplace2d,n=400",
                                           "laplace2d,n=60"};
    int count = argc > 1 ? argc - 1 : (int)(sizeof standard / sizeof *standard);
    printf("A forecast of all kernels of CUDA, in products of csr-omp with %d threads; the aim is at most "
           "%d\n\n",
           threads_count(), PRODUCTS_AIM);
    printf("%-52s %9s %10s %10s %8s %9s\n", "matrix", "entries", "product ms", "forecast", "kernels",
           "products");
    for (int k = 0; k < count; k++) {
        struct error error = {0};
        if (bench(argc > 1 ? argv[1 + k] : standard[k], &error) == STATUS_OK) continue;
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    return 0;
}
