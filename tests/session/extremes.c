/* Matrices with more than 2^31 and 2^32 entries: counts, offsets, sizes, analyses and products, without the
 * memory for the entries. All rows of a dense matrix of 2^18 columns have the same columns and values, so
 * that the pages of one row are mapped for every row. Formulas give the expected numbers. Analyses of all
 * entries use 2^31 of them; with SPARSIGHT_EXTREMES=1 also 2^32. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/padding.h"
#include "analysis/pyramid.h"
#include "analysis/structure.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/array.h"
#include "formats/csc.h"
#include "formats/csr.h"
#include "formats/ell.h"
#include "matrix/matrix.h"
#include "matrix/skeleton.h"
#include "support/files.h"
#include "support/formats.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"
#include "support/unit.h"

#if defined(__has_feature)
#    if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#        define SLOW 1
#    endif
#endif
/* Builds that measure coverage (tests/coverage/exit.h) take ten times as long, too. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(SPARSIGHT_TESTS_COVERAGE_EXIT_H)
#    define SLOW 1
#endif

#define WIDE ((int64_t)1 << 18)
#define ROOM ((size_t)1 << 46) /* a limit that nothing here reaches */

/* Values and x, whole numbers, of which all sums are exact. */
static double value_of(int64_t j)
{
    return (double)(1 + j % 3);
}

static double x_of(int64_t j)
{
    return (double)(j % 5 - 2);
}

/* The matrix. */
struct large {
    struct csr a;
    size_t col_bytes, val_bytes;
};

/* Return `rows` views of the same bytes, one behind the other. */
static void *repeated(const void *bytes, size_t size, int64_t rows)
{
    int file = memfd_create("row", 0);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, size), size);
    char *all =
        mmap(NULL, size * (size_t)rows, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) fail_msg("no addresses for %lld rows", (long long)rows);
    for (int64_t i = 0; i < rows; i++)
        if (mmap(all + (size_t)i * size, size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
            fail_msg("row %lld cannot be mapped", (long long)i);
    close(file);
    return all;
}

static struct large large_new(int64_t rows)
{
    struct large large = {.a = {.rows = rows, .cols = WIDE},
                          .col_bytes = (size_t)WIDE * sizeof(int32_t),
                          .val_bytes = (size_t)WIDE * sizeof(double)};
    int32_t *col = malloc(large.col_bytes);
    double *val = malloc(large.val_bytes);
    for (int64_t j = 0; j < WIDE; j++) {
        col[j] = (int32_t)j;
        val[j] = value_of(j);
    }
    large.a.col = repeated(col, large.col_bytes, rows);
    large.a.val = repeated(val, large.val_bytes, rows);
    free(col);
    free(val);
    large.a.row_ptr = malloc(((size_t)rows + 1) * sizeof *large.a.row_ptr);
    for (int64_t i = 0; i <= rows; i++)
        large.a.row_ptr[i] = i * WIDE;
    return large;
}

static void large_free(struct large *large)
{
    munmap(large->a.col, large->col_bytes * (size_t)large->a.rows);
    munmap(large->a.val, large->val_bytes * (size_t)large->a.rows);
    free(large->a.row_ptr);
}

/* Rows of a matrix of 2^31 or 2^32 entries, and one more. */
static const int64_t rows_of[] = {((int64_t)1 << 13) + 1, ((int64_t)1 << 14) + 1};

/* Return the number of these matrices for which analyses of all entries run. */
static int visited(void)
{
#ifdef SLOW
    return 0;
#else
    const char *asked = getenv("SPARSIGHT_EXTREMES");
    return asked && strcmp(asked, "1") == 0 ? 2 : 1;
#endif
}

TEST(entries_are_found_by_their_numbers)
{
    for (size_t k = 0; k < 2; k++) {
        FREED(large_free) struct large large = large_new(rows_of[k]);
        const struct csr *a = &large.a;
        int64_t m = rows_of[k];
        assert_true(csr_nnz(a) > (int64_t)1 << (31 + k));
        for (int64_t i = m - 3; i < m; i++) {
            assert_int_equal(csr_row_of(a, i * WIDE), i);
            assert_int_equal(csr_row_of(a, i * WIDE - 1), i - 1);
            assert_int_equal(csr_find(a, i, 77), i * WIDE + 77);
            assert_int_equal(csr_lower_bound(a, i, WIDE), (i + 1) * WIDE);
        }
        assert_true(csr_bytes(m, csr_nnz(a), 0) == (size_t)m * (size_t)WIDE * 12 + (size_t)(m + 1) * 8);
        assert_true(csr_bytes(m, csr_nnz(a), 1) == (size_t)m * (size_t)WIDE * 20 + (size_t)(m + 1) * 8);
    }
}

TEST(lengths_and_padding_are_exact)
{
    for (size_t k = 0; k < 2; k++) {
        FREED(large_free) struct large large = large_new(rows_of[k]);
        FREED(lengths_free) struct lengths lengths;
        int64_t m = rows_of[k];
        large.a.row_ptr[m] -= 5; /* the last row is shorter */
        assert_int_equal(lengths_of_rows(&large.a, NULL, &lengths, NULL), STATUS_OK);
        assert_int_equal(lengths.nnz, m * WIDE - 5);
        assert_int_equal(lengths.max, WIDE);
        assert_int_equal(lengths.min, WIDE - 5);
        assert_int_equal(lengths.histogram[lengths.bins - 1].count, m - 1);
        assert_true(lengths.mean == (double)(m * WIDE - 5) / (double)m);
        struct cut cut = lengths_cut(&lengths, WIDE - 1);
        assert_int_equal(cut.kept, m * (WIDE - 1) - 4);
        assert_int_equal(cut.rest, m - 1);
        assert_int_equal(cut.longer, m - 1);
        struct padding padding = padding_of(&lengths, WIDE - 1, 8);
        assert_true(padding.ell_slots == (double)(m * WIDE));
        assert_true(padding.hyb_slots == (double)(m * (WIDE - 1) + m - 1));
        assert_true(padding.csr_bytes == (double)((m * WIDE - 5) * 12 + (m + 1) * 8));
    }
}

/* Plan all variants of all formats from row lengths and a skeleton. Each size has at least as many slots as
 * entries, its bytes are those of its arrays, and pointers to slots have 64 bits. */
TEST(plans_count_in_64_bits)
{
    for (size_t k = 0; k < 2; k++) {
        struct large large = large_new(rows_of[k]);
        int64_t m = rows_of[k];
        struct skeleton skeleton = {.col_ptr = malloc(((size_t)WIDE + 1) * sizeof(int64_t)),
                                    .diagonals = memory_zeroed((size_t)(m + WIDE) / 64 + 1, 8, NULL)};
        struct csr a = {.rows = m, .cols = WIDE, .row_ptr = large.a.row_ptr, .skeleton = &skeleton};
        struct requests requests = requests_all();
        int planned = 0;
        for (int64_t j = 0; j <= WIDE; j++)
            skeleton.col_ptr[j] = j * m;
        for (int64_t d = 0; d < m + WIDE - 1; d++)
            skeleton.diagonals[d / 64] |= (uint64_t)1 << d % 64;
        for (int r = 0; r < requests.count; r++) {
            const struct wanted *request = &requests.items[r];
            const struct storing options = {.limit = ROOM};
            struct storage plan;
            if (request->origin != ORIGIN_VARIANT ||
                storing_plan(request->format, request->parameters, &options, &a, NULL, &plan, NULL) !=
                    STATUS_OK)
                continue;
            size_t bytes = 0;
            int64_t slots = plan.slots[0] + plan.slots[1];
            if (slots < m * WIDE) fail_msg("%s: %lld slots", request->format->name, (long long)slots);
            for (int q = 0; q < plan.count; q++)
                bytes += bytes_of(&plan.array[q]);
            if (storage_size(&plan).bytes != bytes || bytes < (size_t)slots * 8)
                fail_msg("%s: %zu bytes, of arrays %zu", request->format->name, storage_size(&plan).bytes,
                         bytes);
            if (plan.format == &format_csr || plan.format == &format_csc)
                assert_int_equal(plan.array[0].element, ELEMENT_I64);
            storage_free(&plan);
            planned++;
        }
        assert_true(planned >= 8);
        requests_free(&requests);
        skeleton_free(&skeleton);
        large_free(&large);
    }
}

TEST(analyses_count_in_64_bits)
{
    if (!visited()) skip();
    for (int k = 0; k < visited(); k++) {
        FREED(large_free) struct large large = large_new(rows_of[k]);
        struct structure structure;
        FREED(pyramid_free) struct pyramid pyramid;
        FREED(lengths_free) struct lengths columns;
        int64_t m = rows_of[k];
        assert_int_equal(csr_validate(&large.a, NULL), STATUS_OK);
        assert_int_equal(structure_of(&large.a, NULL, &structure, NULL), STATUS_OK);
        assert_int_equal(structure.lower_bandwidth, m - 1);
        assert_int_equal(structure.upper_bandwidth, WIDE - 1);
        assert_int_equal(structure.profile, m * (m - 1) / 2);
        assert_int_equal(structure.diagonal_nonzeros, m);
        assert_int_equal(structure.diagonals, m + WIDE - 1);
        assert_int_equal(pyramid_build(&large.a, NULL, &pyramid, NULL), STATUS_OK);
        assert_int_equal(pyramid_count(&pyramid, &large.a, 0, m, 0, WIDE), m * WIDE);
        assert_int_equal(pyramid_count(&pyramid, &large.a, 1, m, 3, WIDE), (m - 1) * (WIDE - 3));
        assert_int_equal(lengths_of_columns(&large.a, NULL, &columns, NULL), STATUS_OK);
        assert_int_equal(columns.bins, 1);
        assert_int_equal(columns.max, m);
        assert_int_equal(columns.nnz, m * WIDE);
    }
}

/* Multiply with arrays that lie in `large`, of which each element of y is `sum` times that of its row. */
static void expect_products(struct storage *storage, const struct kernel *const *list,
                            double (*y_of)(int64_t), double sum)
{
    double *x = malloc((size_t)storage->cols * sizeof *x), *y = malloc((size_t)storage->rows * sizeof *y);
    for (int64_t j = 0; j < storage->cols; j++)
        x[j] = x_of(j);
    for (int n = 0; list[n]; n++) {
        const struct preparing how = {.threads = 3};
        struct launch launch;
        memset(y, 0xff, (size_t)storage->rows * sizeof *y); /* NaN */
        assert_int_equal(preparing_here(list[n], "", storage, &how, &launch, NULL), STATUS_OK);
        kernel_run(&launch, x, y);
        kernel_release(&launch);
        for (int64_t i = 0; i < storage->rows; i++)
            if (y[i] != sum * y_of(i))
                fail_msg("%s: row %lld is %g instead of %g", list[n]->name, (long long)i, y[i],
                         sum * y_of(i));
    }
    free(x);
    free(y);
}

static double one(int64_t i)
{
    return 1;
}

/* Give a planned storage arrays that it does not own. */
static void borrow(struct storage *storage, int col, void *cols, int val, void *vals)
{
    storage->array[col].data = cols;
    storage->array[val].data = vals;
}

TEST(products_reach_all_entries)
{
    static const struct kernel *const of_csr[] = {&kernel_cpu_csr_seq, &kernel_cpu_csr_omp, NULL},
                                      *const of_ell[] = {&kernel_cpu_ell_omp, NULL},
                                      *const of_csc[] = {&kernel_cpu_csc_omp, NULL};
    if (!visited()) skip();
    for (int k = 0; k < visited(); k++) {
        const struct storing options = {.limit = ROOM};
        FREED(large_free) struct large large = large_new(rows_of[k]);
        struct storage storage;
        double row = 0, column = 0;
        int64_t m = rows_of[k];
        for (int64_t j = 0; j < WIDE; j++)
            row += value_of(j) * x_of(j);
        for (int64_t i = 0; i < m; i++)
            column += x_of(i);
        assert_int_equal(storing_plan(&format_csr, "", &options, &large.a, NULL, &storage, NULL), STATUS_OK);
        assert_true(storage.wide);
        storage.array[CSR_ROW_PTR].data = large.a.row_ptr;
        borrow(&storage, CSR_COL, large.a.col, CSR_VAL, large.a.val);
        expect_products(&storage, of_csr, one, row);
        storage.array[CSR_ROW_PTR].data = NULL;
        borrow(&storage, CSR_COL, NULL, CSR_VAL, NULL);
        storage_free(&storage);
        assert_int_equal(storing_plan(&format_ell, "layout=rows", &options, &large.a, NULL, &storage, NULL),
                         STATUS_OK);
        borrow(&storage, ELL_COL, large.a.col, ELL_VAL, large.a.val);
        expect_products(&storage, of_ell, one, row);
        borrow(&storage, ELL_COL, NULL, ELL_VAL, NULL);
        storage_free(&storage);
        /* Stored by columns the arrays are those of the transposed matrix. */
        struct skeleton skeleton = {.col_ptr = large.a.row_ptr};
        struct csr transposed = {.rows = WIDE, .cols = m, .skeleton = &skeleton};
        transposed.row_ptr = malloc(((size_t)WIDE + 1) * sizeof(int64_t));
        for (int64_t i = 0; i <= WIDE; i++)
            transposed.row_ptr[i] = i * m;
        assert_int_equal(storing_plan(&format_csc, "", &options, &transposed, NULL, &storage, NULL),
                         STATUS_OK);
        storage.array[CSC_COL_PTR].data = large.a.row_ptr;
        borrow(&storage, CSC_ROW, large.a.col, CSC_VAL, large.a.val);
        expect_products(&storage, of_csc, value_of, column);
        storage.array[CSC_COL_PTR].data = NULL;
        borrow(&storage, CSC_ROW, NULL, CSC_VAL, NULL);
        storage_free(&storage);
        free(transposed.row_ptr);
    }
}

/* A profile and a sum of bandwidths beyond 32 bits, for a matrix with entries in its first column only. */
TEST(profiles_are_summed_in_64_bits)
{
    enum { ROWS = 100000 };
    FREED(csr_free) struct csr a = {.rows = ROWS, .cols = ROWS};
    struct structure structure;
    a.row_ptr = malloc((ROWS + 1) * sizeof *a.row_ptr);
    a.col = calloc(ROWS, sizeof *a.col);
    a.val = calloc(ROWS, sizeof *a.val);
    for (int64_t i = 0; i <= ROWS; i++)
        a.row_ptr[i] = i;
    assert_int_equal(structure_of(&a, NULL, &structure, NULL), STATUS_OK);
    assert_int_equal(structure.profile, (int64_t)ROWS * (ROWS - 1) / 2);
    assert_true(structure.profile > (int64_t)1 << 32);
}

/* A generator knows its maximum number of entries beforehand. The message about a refused matrix states the
 * bytes of these. */
TEST(generators_count_in_64_bits)
{
    static const struct {
        const char *name;
        double rows, entries;
    } made[] = {
        {"gen:dense,m=65536", 65536, 4294967296.0},        /* m^2 */
        {"gen:dense,m=46341", 46341, 2147488281.0},        /* just above 2^31 */
        {"gen:laplace2d,n=30000", 9e8, 5 * 9e8 - 4 * 3e4}, /* 5 n^2 - 4 n */
        {"gen:stencil27,n=600", 216e6, 27 * 216e6},        /* 27 n^3, without the border */
        {"gen:tile,file=gen:dense,m=1024,copies=5000", 1024 * 5e3, 5e3 * 1048576} /* copies of m^2 */
    };
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        const struct load_options options = {.limit = (size_t)64 << 20, .keep = true};
        struct matrix matrix;
        struct error error = {0};
        char bytes[32];
        assert_int_equal(matrix_load(made[k].name, &options, NULL, &matrix, &error), STATUS_LIMIT);
        format_bytes(bytes, sizeof bytes, 12 * made[k].entries + 8 * (made[k].rows + 1));
        if (!strstr(error.message, bytes)) fail_msg("%s: '%s' lacks %s", made[k].name, error.message, bytes);
    }
}

/* So do files that state such numbers and have a plausible length; all but the first lines is a hole. */
TEST(files_claim_in_64_bits)
{
    static const int64_t claims[] = {INT64_C(2147483647), INT64_C(2147483648), INT64_C(4294967295),
                                     INT64_C(4294967296), INT64_C(4294967297)};
    for (size_t k = 0; k < sizeof claims / sizeof *claims; k++) {
        const struct load_options options = {.limit = (size_t)64 << 20, .keep = true};
        struct matrix matrix;
        struct error error = {0};
        char text[160], bytes[32];
        int size = snprintf(text, sizeof text,
                            "%%%%MatrixMarket matrix coordinate real general\n70000 70000 %lld\n1 1 1\n",
                            (long long)claims[k]);
        files_write("claim.mtx", text, (size_t)size);
        if (truncate("claim.mtx", (off_t)40 << 30) != 0) skip(); /* a file system without holes */
        assert_int_equal(matrix_load("claim.mtx", &options, NULL, &matrix, &error), STATUS_LIMIT);
        format_bytes(bytes, sizeof bytes, 12 * (double)claims[k] + 8 * 70001.0);
        if (!strstr(error.message, bytes))
            fail_msg("%lld: '%s' lacks %s", (long long)claims[k], error.message, bytes);
    }
}

TEST(numbers_are_written_whole)
{
    static const struct {
        int64_t value;
        const char *count, *bytes;
    } written[] = {
        {INT64_C(2147483647), "2,147,483,647", "2.00 GiB"},
        {INT64_C(2147483648), "2,147,483,648", "2.00 GiB"},
        {INT64_C(4294967295), "4,294,967,295", "4.00 GiB"},
        {INT64_C(4294967296), "4,294,967,296", "4.00 GiB"},
        {INT64_C(68719476736), "68,719,476,736", "64.0 GiB"},
        {INT64_MAX, "9,223,372,036,854,775,807", "8.00 EiB"},
    };
    char out[32];
    for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
        assert_string_equal(format_count(out, sizeof out, written[k].value), written[k].count);
        assert_string_equal(format_bytes(out, sizeof out, (double)written[k].value), written[k].bytes);
    }
}

TESTS_BETWEEN(files_begin, files_end)
