/* No kernel, trace or search reads or writes an element beyond its arrays and vectors, or one that nobody has
 * set: blocks of memory have pages without access behind or before them (support/guard.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "kernels/gpu/trace.h"
#include "kernels/tuning/search.h"
#include "support/allocations.h"
#include "support/guard.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

static const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448};

static int64_t uneven(int64_t i)
{
    return i % 7 == 3 ? 0 : i == 50 ? 200 : 1 + i % 5;
}

static int64_t equal(int64_t i)
{
    return 4;
}

/* Matrices of up to 300 rows; the number of columns is no multiple of the vectors of kernels. */
static struct csr matrix_of(int k)
{
    switch (k) {
    case 0:
        return support_rows(300, uneven);
    case 1:
        return support_rows(97, equal);
    case 2:
        return support_matrix(61, 45, 0.2, true, true, 7);
    case 3:
        return support_matrix(33, 129, 0.3, true, false, 8);
    case 4:
        return support_symmetric(SYMMETRY_SKEW, 61, 0.2, true, false, 10);
    case 5:
        return support_symmetric(SYMMETRY_HERMITIAN, 45, 0.2, true, true, 11);
    default:
        return support_matrix(1, 1, 1, false, false, 9);
    }
}
#define MATRICES 7

/* The first two are replayed, too. */
static const struct product products[] = {{0},
                                          {.accumulate = true},
                                          {.transposed = true},
                                          {.columns = 3},
                                          {.columns = 5, .by_rows = true},
                                          {.columns = 2, .transposed = true}};
#define PLAIN 2
#define PRODUCTS (int)(sizeof products / sizeof *products)

static void *vectors(const struct storage *storage, struct product product, int64_t size)
{
    const size_t count = (size_t)(size * product_columns(product)) * (storage->complex ? 2 : 1);
    const bool single = storage->precision == PRECISION_F32;
    void *data = memory_array(count, single ? sizeof(float) : sizeof(double), NULL);
    assert_non_null(data);
    for (size_t e = 0; e < count; e++)
        if (single)
            ((float *)data)[e] = 0.5f;
        else
            ((double *)data)[e] = 0.5;
    return data;
}

static int run_here(const struct kernel *kernel, const char *parameters, const struct storage *storage,
                    struct product product)
{
    const struct preparing how = {.product = product, .threads = 3};
    struct launch launch;
    struct error error = {0};
    enum status status = preparing_here(kernel, parameters, storage, &how, &launch, &error);
    if (status == STATUS_OK) {
        void *x = vectors(storage, product, product_x_size(product, storage->rows, storage->cols));
        void *y = vectors(storage, product, product_y_size(product, storage->rows, storage->cols));
        kernel_run(&launch, x, y);
        kernel_run(&launch, x, y);
        free(x);
        free(y);
    } else if (status != STATUS_UNAVAILABLE)
        fail_msg("%s:%s: %s", kernel->name, parameters, error.message);
    kernel_release(&launch);
    return status == STATUS_OK;
}

static int replay(const struct kernel *kernel, const char *parameters, const struct storage *storage,
                  struct product product)
{
    const struct preparing how = {.product = product};
    struct launch launch;
    struct device device;
    struct error error = {0};
    paper_open(&facts, &device);
    enum status status = preparing_on_paper(&device, kernel, parameters, storage, &how, &launch, &error);
    if (status != STATUS_OK && status != STATUS_UNAVAILABLE)
        fail_msg("%s:%s: %s", kernel->name, parameters, error.message);
    for (int64_t s = 0; status == STATUS_OK && s < trace_stages(&launch); s++) {
        struct trace_stage stage;
        int64_t row[TRACE_LANES];
        struct tracer tracer = {0};
        trace_stage(&launch, s, &stage);
        for (int64_t warp = 0; warp < stage.warps; warp++) {
            trace_warp(&launch, s, warp, &tracer);
            trace_weight(&launch, s, warp);
            if (kernel->trace->rows) kernel->trace->rows(&launch, s, warp, row);
        }
    }
    kernel_release(&launch);
    device_close(&device);
    return status == STATUS_OK;
}

/* Returns how often the kernel ran or was replayed. */
static int try_kernel(const struct kernel *kernel, const struct csr *a, unsigned turn)
{
    const bool here = backend_is_own(kernel->backend);
    const struct sets sets = sets_of(kernel);
    const struct storing how = {.precision = turn & 1 ? PRECISION_F32 : PRECISION_F64, .wide = turn & 2};
    struct storage storage;
    int ran = 0;
    if (!here && !kernel->trace) return 0;
    const char *wanted = kernel->format_defaults ? kernel->format_defaults : "";
    enum status status = storing_convert(kernel->format, wanted, &how, a, NULL, &storage, NULL);
    for (int s = 0; s < sets.count && status == STATUS_OK; s++)
        for (int p = 0; p < (here && s == 0 ? PRODUCTS : PLAIN); p++)
            ran += here ? run_here(kernel, sets.text[s], &storage, products[p])
                        : replay(kernel, sets.text[s], &storage, products[p]);
    storage_free(&storage);
    return ran;
}

static void stay_within(enum guard guard)
{
    int ran[1024] = {0};
    threads_set(3);
    guard_blocks(guard);
    allocations_begin();
    for (unsigned m = 0; m < MATRICES; m++) {
        struct csr a = matrix_of((int)m);
        for (int k = 0; kernels[k]; k++)
            ran[k] += try_kernel(kernels[k], &a, m + (unsigned)k);
        csr_free(&a);
    }
    guard_blocks(GUARD_NONE);
    threads_set(0);
    assert_int_equal(allocations_now().guarded, 0);
    for (int k = 0; kernels[k]; k++)
        if (!ran[k] && (kernels[k]->trace || backend_is_own(kernels[k]->backend)) &&
            !(kernels[k]->unavailable && kernels[k]->unavailable()))
            fail_msg("%s never ran", kernels[k]->name);
}

static void no_kernel_reaches_beyond_its_arrays(void **state)
{
    stay_within(GUARD_BEHIND);
}

static void no_kernel_reaches_before_its_arrays(void **state)
{
    stay_within(GUARD_BEFORE);
}

/* A time with its minimum in the middle of all axes. */
static enum status measure(void *argument, int point, double *seconds, struct error *error)
{
    const struct tuning_space *space = argument;
    *seconds = 1;
    for (int k = 0; k < space->axis_count; k++)
        *seconds += fabs(tuning_value(space, point, k) - space->axes[k].count / 2.0);
    return STATUS_OK;
}

static void search_space(const struct kernel *kernel, const struct csr *a)
{
    const struct kernel_choice base = preparing_choice(kernel, "", PRECISION_F64, 1);
    struct tuning_space space;
    assert_int_equal(tuning_space_make(&space, a, &base, &base, NULL), STATUS_OK);
    double *seconds = memory_array((size_t)space.points, sizeof *seconds, NULL);
    double *forecast = memory_array((size_t)space.points, sizeof *forecast, NULL);
    assert_true(seconds && forecast);
    for (int p = 0; p < space.points; p++)
        forecast[p] = p % 3 ? 1 + p % 5 : NAN;
    for (int known = 0; known < 2; known++) {
        const struct tuning_search search = {.space = &space,
                                             .forecast = known ? forecast : NULL,
                                             .trust = 1,
                                             .measure = measure,
                                             .argument = &space};
        assert_int_equal(tuning_search(&search, seconds, NULL), STATUS_OK);
        const int best = tuning_best(&space, seconds);
        assert_true(best >= 0 && best < space.points && seconds[best] >= 1);
    }
    free(seconds);
    free(forecast);
}

static void no_search_reaches_beyond_its_points(void **state)
{
    for (enum guard guard = GUARD_BEHIND; guard <= GUARD_BEFORE; guard++) {
        guard_blocks(guard);
        allocations_begin();
        struct csr a = matrix_of(0);
        for (int k = 0; kernels[k]; k++)
            if (kernels[k]->tuning) search_space(kernels[k], &a);
        csr_free(&a);
        guard_blocks(GUARD_NONE);
        assert_int_equal(allocations_now().guarded, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_kernel_reaches_beyond_its_arrays),
        cmocka_unit_test(no_kernel_reaches_before_its_arrays),
        cmocka_unit_test(no_search_reaches_beyond_its_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
