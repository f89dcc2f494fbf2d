/* Values that GPU kernels read as bytes, or once for all entries: the rule, the refusals, and the tables of
 * values. */
#include <stdlib.h>
#include <string.h>

#include "formats/csr.h"
#include "kernels/cuda/csr_balanced.h"
#include "kernels/cuda/sell.h"
#include "kernels/gpu/paper.h"
#include "support/cmocka.h"
#include "support/preparing.h"
#include "support/storing.h"

extern const struct kernel kernel_cuda_sell, kernel_cuda_csr_balanced;

/* A band: row i has its entries in columns i, i + 1, ..., whose values are `count` different ones in turn. */
static struct csr band(int64_t rows, int64_t length, int64_t count)
{
    struct csr a = {.rows = rows, .cols = rows + length};
    a.row_ptr = calloc((size_t)rows + 1, sizeof *a.row_ptr);
    a.col = calloc((size_t)(rows * length), sizeof *a.col);
    a.val = calloc((size_t)(rows * length), sizeof *a.val);
    assert_true(a.row_ptr && a.col && a.val);
    for (int64_t i = 0; i < rows; i++) {
        a.row_ptr[i + 1] = (i + 1) * length;
        for (int64_t k = 0; k < length; k++) {
            a.col[i * length + k] = (int32_t)(i + k);
            a.val[i * length + k] = 1 + (double)((i * length + k) % count) / 1024;
        }
    }
    return a;
}

/* Prepare a kernel for the matrix, and return the status; `then` inspects the prepared launch. */
static enum status prepared(const struct kernel *kernel, const char *parameters, const struct csr *a,
                            enum precision precision, void (*then)(const struct launch *launch),
                            struct error *error)
{
    const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448, .major = 9};
    const struct storing options = {.precision = precision};
    struct device device;
    struct storage storage;
    struct launch launch;
    const char *stored = kernel->format_defaults ? kernel->format_defaults : "";
    if (storing_convert(kernel->format, stored, &options, a, NULL, &storage, NULL) != STATUS_OK) abort();
    paper_open(&facts, &device);
    enum status status =
        preparing_on_paper(&device, kernel, parameters, &storage, &(struct preparing){0}, &launch, error);
    if (status == STATUS_OK && then) then(&launch);
    kernel_release(&launch);
    device_close(&device);
    storage_free(&storage);
    return status;
}

static int chosen;

static void look(const struct launch *launch)
{
    bool sell = launch->kernel == &kernel_cuda_sell;
    chosen = (int)launch->values.number[sell ? SELL_VALUES : BALANCED_VALUES];
    const struct unique *unique = sell ? &((const struct sell_state *)launch->state)->unique
                                       : &((const struct balanced *)launch->state)->unique;
    assert_int_equal(values_told(unique), chosen);
}

static int choice_of(const struct kernel *kernel, const struct csr *a, enum precision precision)
{
    struct error error = {0};
    chosen = -1;
    if (prepared(kernel, "", a, precision, look, &error) != STATUS_OK) fail_msg("%s", error.message);
    return chosen;
}

/* 8 MiB are 2^20 values of double precision, and 2^21 of single. */
static void large_matrices_of_few_values_are_told_by_bytes(void **state)
{
    static const struct {
        int64_t rows, length, count;
        int sell[2], balanced[2]; /* by precision */
    } cases[] = {
        {1 << 16, 16, 200, {TOLD_BYTE, TOLD_FULL}, {TOLD_BYTE, TOLD_FULL}},
        {(1 << 16) - 32, 16, 200, {TOLD_FULL, TOLD_FULL}, {TOLD_FULL, TOLD_FULL}},
        {1 << 17, 16, 256, {TOLD_BYTE, TOLD_BYTE}, {TOLD_BYTE, TOLD_BYTE}},
        {1 << 17, 16, 257, {TOLD_FULL, TOLD_FULL}, {TOLD_FULL, TOLD_FULL}},
        {1 << 18, 8, 1, {TOLD_BYTE, TOLD_FULL}, {TOLD_ONE, TOLD_ONE}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csr a = band(cases[k].rows, cases[k].length, cases[k].count);
        for (enum precision p = PRECISION_F64; p <= PRECISION_F32; p++) {
            int single = p == PRECISION_F32;
            assert_int_equal(choice_of(&kernel_cuda_sell, &a, p), cases[k].sell[single]);
            assert_int_equal(choice_of(&kernel_cuda_csr_balanced, &a, p), cases[k].balanced[single]);
        }
        csr_free(&a);
    }
}

static void impossible_encodings_are_refused(void **state)
{
    struct csr many = band(100, 10, 257), two = band(100, 10, 2), one = band(100, 10, 1);
    struct error error = {0};
    assert_int_equal(prepared(&kernel_cuda_sell, "values=8", &many, PRECISION_F64, NULL, &error),
                     STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "at most 256 values differ: take values=full"));
    error = (struct error){0};
    assert_int_equal(prepared(&kernel_cuda_csr_balanced, "values=0", &two, PRECISION_F64, NULL, &error),
                     STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "values=8 or full"));
    assert_int_equal(prepared(&kernel_cuda_csr_balanced, "values=0", &one, PRECISION_F64, look, &error),
                     STATUS_OK);
    assert_int_equal(chosen, TOLD_ONE);
    assert_int_equal(prepared(&kernel_cuda_csr_balanced, "values=8", &one, PRECISION_F64, look, &error),
                     STATUS_OK);
    assert_int_equal(chosen, TOLD_BYTE);
    csr_free(&many);
    csr_free(&two);
    csr_free(&one);
}

static void look_up(const struct launch *launch)
{
    const struct balanced *balanced = launch->state;
    const struct array *val = &launch->storage->array[CSR_VAL];
    const size_t size = element_size(val->element);
    const int entries = csr_tile_entries(&balanced->tiles);
    assert_true(balanced->unique.count > 0);
    for (int64_t k = 0; k < launch->storage->nnz; k++) {
        int64_t place = k / entries * entries + csr_tile_place(balanced->tiles.each, (int)(k % entries));
        const char *value = (const char *)balanced->unique.value + balanced->unique.index[place] * size;
        assert_memory_equal(value, (const char *)val->data + (size_t)k * size, size);
    }
}

static void indices_lead_to_values(void **state)
{
    struct csr a = band(333, 10, 250);
    for (enum precision p = PRECISION_F64; p <= PRECISION_F32; p++)
        assert_int_equal(prepared(&kernel_cuda_csr_balanced, "values=8", &a, p, look_up, NULL), STATUS_OK);
    csr_free(&a);
}

static size_t read_bytes;

static void read_of(const struct launch *launch)
{
    read_bytes = launch->kernel == &kernel_cuda_sell ? ((const struct sell_state *)launch->state)->read
                                                     : ((const struct balanced *)launch->state)->read;
}

/* A byte for a value, and the table; with sell, 320 rows of 10 slots. */
static void bytes_are_fewer(void **state)
{
    struct csr a = band(320, 10, 100), one = band(320, 10, 1);
    size_t full;
    assert_int_equal(prepared(&kernel_cuda_sell, "values=full", &a, PRECISION_F64, read_of, NULL), STATUS_OK);
    full = read_bytes;
    assert_int_equal(prepared(&kernel_cuda_sell, "values=8", &a, PRECISION_F64, read_of, NULL), STATUS_OK);
    assert_int_equal(full - read_bytes, 3200 * 7 - 100 * 8);
    assert_int_equal(prepared(&kernel_cuda_csr_balanced, "values=full", &one, PRECISION_F32, read_of, NULL),
                     STATUS_OK);
    full = read_bytes;
    assert_int_equal(prepared(&kernel_cuda_csr_balanced, "values=0", &one, PRECISION_F32, read_of, NULL),
                     STATUS_OK);
    assert_int_equal(full - read_bytes, 3200 * 4 - 4);
    csr_free(&a);
    csr_free(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_matrices_of_few_values_are_told_by_bytes),
        cmocka_unit_test(impossible_encodings_are_refused),
        cmocka_unit_test(indices_lead_to_values),
        cmocka_unit_test(bytes_are_fewer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
