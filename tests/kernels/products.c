/* Products with several vectors and with the transposed matrix: every kernel of the host that computes them,
 * in both layouts, precisions and kinds of numbers. All values are small whole numbers, so that every order
 * of summation gives the very sum that loops over the entries give here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/array.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/csr.h"
#include "kernels/cpu/transposed.h"
#include "kernels/kernel.h"
#include "matrix/transpose.h"
#include "support/cmocka.h"
#include "support/preparing.h"
#include "support/stored.h"
#include "support/support.h"

#define CANARY (-77)
#define CANARIES 16 /* numbers before and behind a vector that no kernel may write */

/* Numbers are stored as doubles here. Kernels get them in their precision. */
struct vectors {
    int64_t size; /* elements of one vector */
    int parts;    /* numbers of an element: 2 if complex */
    struct product product;
    enum precision precision;
    void *data; /* with canaries before and behind it */
};

static int64_t numbers_of(const struct vectors *vectors)
{
    return vectors->size * vectors->parts * product_columns(vectors->product);
}

static void put(const struct vectors *vectors, int64_t p, double value)
{
    if (vectors->precision == PRECISION_F32)
        ((float *)vectors->data)[p + CANARIES] = (float)value;
    else
        ((double *)vectors->data)[p + CANARIES] = value;
}

static double get(const struct vectors *vectors, int64_t p)
{
    return vectors->precision == PRECISION_F32 ? (double)((const float *)vectors->data)[p + CANARIES]
                                               : ((const double *)vectors->data)[p + CANARIES];
}

static void *body(const struct vectors *vectors)
{
    return (char *)vectors->data + CANARIES * (vectors->precision == PRECISION_F32 ? 4 : 8);
}

static struct vectors vectors_new(int64_t size, int parts, struct product product, enum precision precision)
{
    struct vectors vectors = {size, parts, product, precision, NULL};
    int64_t count = numbers_of(&vectors);
    vectors.data = memory_array((size_t)(count + 2 * CANARIES), sizeof(double), NULL);
    if (!vectors.data) abort();
    for (int64_t p = -CANARIES; p < count + CANARIES; p++)
        put(&vectors, p, CANARY);
    return vectors;
}

/* Return a number for element i of vector c, the same in both layouts. */
static double drawn(uint64_t seed, int64_t i, int c, int part)
{
    uint64_t state = seed + (uint64_t)(i * 131 + c * 17 + part * 7);
    support_random(&state, 9);
    return (double)support_random(&state, 9) - 4;
}

static int64_t place(const struct vectors *vectors, int64_t i, int c)
{
    int64_t columns = product_columns(vectors->product);
    return (vectors->product.by_rows ? i * columns + c : c * vectors->size + i) * vectors->parts;
}

static void draw(const struct vectors *vectors, uint64_t seed)
{
    for (int64_t i = 0; i < vectors->size; i++)
        for (int c = 0; c < product_columns(vectors->product); c++)
            for (int part = 0; part < vectors->parts; part++)
                put(vectors, place(vectors, i, c) + part, drawn(seed, i, c, part));
}

/* The expected Y: a number for each element, entry by entry. */
static double *expect(const struct csr *a, const struct vectors *x, const struct vectors *y)
{
    double *sum = memory_zeroed((size_t)numbers_of(y), sizeof *sum, NULL);
    if (!sum) abort();
    for (int64_t p = 0; p < numbers_of(y) && y->product.accumulate; p++)
        sum[p] = get(y, p);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            for (int c = 0; c < product_columns(y->product); c++) {
                int64_t to = place(y, y->product.transposed ? a->col[k] : i, c);
                int64_t from = place(x, y->product.transposed ? i : a->col[k], c);
                double real = get(x, from), imaginary = a->imaginary ? get(x, from + 1) : 0;
                sum[to] += a->val[k] * real - (a->imaginary ? a->imaginary[k] * imaginary : 0);
                if (a->imaginary) sum[to + 1] += a->val[k] * imaginary + a->imaginary[k] * real;
            }
    return sum;
}

static void fail_at(const struct kernel *kernel, const char *stored, const struct vectors *y, int threads,
                    const char *what, int64_t p)
{
    char text[PRODUCT_TEXT];
    fail_msg("%s of %s, %s%s, %s, %d threads: %s %lld", kernel->name, stored,
             y->precision == PRECISION_F32 ? "f32" : "f64", y->parts > 1 ? " complex" : "",
             product_write(y->product, text), threads, what, (long long)p);
}

/* A product of a matrix with its vectors: X, Y before it, and the numbers that Y should have after it, each
 * of them in its precision. */
struct question {
    struct vectors x, before, after;
    double *sum;
};

static struct question question_new(const struct csr *a, struct product product, enum precision precision)
{
    const int parts = a->imaginary ? 2 : 1;
    const int64_t from = product_x_size(product, a->rows, a->cols),
                  to = product_y_size(product, a->rows, a->cols);
    struct question question = {.x = vectors_new(from, parts, product, precision),
                                .before = vectors_new(to, parts, product, precision),
                                .after = vectors_new(to, parts, product, precision)};
    draw(&question.x, 3);
    if (product.accumulate) draw(&question.before, 5);
    question.sum = expect(a, &question.x, &question.before);
    for (int64_t p = 0; p < numbers_of(&question.before); p++) {
        if (!product.accumulate) put(&question.before, p, NAN);
        put(&question.after, p, question.sum[p]);
    }
    return question;
}

static void question_free(struct question *question)
{
    free(question->x.data);
    free(question->before.data);
    free(question->after.data);
    free(question->sum);
    *question = (struct question){0};
}

static size_t bytes_of(const struct vectors *vectors)
{
    return (size_t)(numbers_of(vectors) + 2 * CANARIES) * (vectors->precision == PRECISION_F32 ? 4 : 8);
}

/* Run it twice: data left by one product must not change the next. */
static void run(const struct kernel *kernel, const char *parameters, const char *stored,
                const struct storage *storage, const struct question *question, int threads)
{
    const struct product product = question->x.product;
    struct vectors y = question->before;
    struct launch launch;
    struct error error = {0};
    const struct preparing how = {.product = product, .threads = threads};
    y.data = memory_array(bytes_of(&y), 1, NULL);
    if (!y.data) abort();
    enum status status = preparing_here(kernel, parameters, storage, &how, &launch, &error);
    bool random = strstr(stored, "order=random") && !kernel->sequential;
    if (status != STATUS_OK && !(random && status == STATUS_UNAVAILABLE))
        fail_at(kernel, stored, &y, threads, error.message, 0);
    for (int again = 0; again < 2 && status == STATUS_OK; again++) {
        memcpy(y.data, question->before.data, bytes_of(&y));
        kernel_run(&launch, body(&question->x), body(&y));
        if (memcmp(y.data, question->after.data, bytes_of(&y)) == 0) continue;
        /* A zero may have either sign. */
        for (int64_t p = 0; p < numbers_of(&y); p++)
            if (get(&y, p) != question->sum[p]) fail_at(kernel, stored, &y, threads, "wrong number", p);
        for (int64_t p = 1; p <= CANARIES; p++)
            if (get(&y, -p) != CANARY || get(&y, numbers_of(&y) + p - 1) != CANARY)
                fail_at(kernel, stored, &y, threads, "written beyond its numbers", numbers_of(&y));
    }
    kernel_release(&launch);
    free(y.data);
}

/* Numbers of vectors, at and around those that fit into registers of each kind. */
static const int several[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 31, 32, 33, 47, 64};
#define SEVERAL ((int)(sizeof several / sizeof *several))

static const char *const stored_as[] = {"csr",
                                        "coo",
                                        "coo:order=random",
                                        "ell",
                                        "ell:layout=rows",
                                        "ell:pad=sentinel",
                                        "ell:layout=rows,pad=sentinel",
                                        "sell",
                                        "sell:c=1",
                                        "sell:c=5,sigma=10",
                                        "sell:c=8,sigma=64"};

/* The products of a matrix that were tried already: storages and kernels share them. */
static struct question asked[2][SEVERAL][8];

static const struct question *question_of(const struct csr *a, enum precision precision, int s, int kind)
{
    struct question *question = &asked[precision][s][kind];
    const struct product product = {kind & 1, kind & 2, kind & 4, several[s]};
    if (!question->sum) *question = question_new(a, product, precision);
    return question;
}

/* Compute products with every `step`-th of these numbers of vectors. */
static void try_storage(const char *stored, const struct csr *a, enum precision precision, bool wide,
                        int step, int *tried)
{
    char name[32];
    const char *colon = strchr(stored, ':');
    const struct storing storing = {.precision = precision, .wide = wide};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(stored, ":"), stored);
    struct storage storage = storing_done(format_find(name), colon ? colon + 1 : "", &storing, a);
    for (int k = 0; kernels[k]; k++) {
        const struct kernel *kernel = kernels[k];
        if (kernel->format != storage.format || !backend_is_own(kernel->backend)) continue;
        if (!kernel->transposes && kernel->columns_max <= 1) continue;
        if (storage.complex && !kernel->complex) continue;
        const bool either = kernel->parameters->name && strcmp(kernel->parameters->name, "transposed") == 0;
        ++*tried;
        /* Changing the number of threads takes longer than a product, so that this loop is the outer one. */
        for (int threads = 1; threads <= (kernel->sequential ? 1 : 4); threads += 3)
            for (int n = 0; n < SEVERAL * 8; n += n % 8 == 7 ? 8 * step - 7 : 1) {
                const int s = n / 8, kind = n % 8;
                const struct product product = {kind & 1, kind & 2, kind & 4, several[s]};
                if (product_plain(product) || product.columns > max(kernel->columns_max, 1)) continue;
                const struct question *question = question_of(a, precision, s, kind);
                run(kernel, "", stored, &storage, question, threads);
                if (either && product.transposed)
                    run(kernel, "transposed=scattered", stored, &storage, question, threads);
            }
    }
    storage_free(&storage);
}

static void forget_questions(void)
{
    for (int k = 0; k < 2 * SEVERAL * 8; k++)
        question_free(&asked[0][0][0] + k);
}

static void try_matrix(const struct csr *a, int step, int *tried)
{
    forget_questions(); /* of a matrix with which a test failed */
    for (size_t f = 0; f < sizeof stored_as / sizeof *stored_as; f++)
        for (int n = 0; n < 4; n++)
            if (n < 3 || step == 1)
                try_storage(stored_as[f], a, n % 2 ? PRECISION_F32 : PRECISION_F64, n / 2, step, tried);
    forget_questions();
}

static void all_products_are_right(void **state)
{
    static const struct {
        int64_t rows, cols;
        double density;
    } shapes[] = {{70, 45, 0.2}, {3, 200, 0.1}, {200, 3, 0.3}, {1, 1, 1}, {40, 30, 0}};
    int tried = 0;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int complex = 0; complex < 2; complex++) {
            struct csr a =
                support_matrix(shapes[k].rows, shapes[k].cols, shapes[k].density, true, complex, 7 + k);
            try_matrix(&a, k == 0 ? 1 : 5, &tried);
            csr_free(&a);
        }
    assert_true(tried >= 2 * 5 * 11 * 3 * 2);
}

/* The loops of every instruction set that this machine has. */
static void all_loops_are_right(void **state)
{
    static const char *const sets[] = {"portable", "avx2", "avx2-loads", "avx512", "avx512-loads"};
    int tried = 0;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++)
        for (int complex = 0; complex < 2; complex++) {
            struct csr a = support_matrix(90, 70, 0.15, true, complex, 11);
            if (loops_choose(sets[s])) try_matrix(&a, 2, &tried);
            csr_free(&a);
        }
    loops_choose(NULL);
    assert_true(tried > 0);
}

/* Each thread has hundreds of rows, with enough entries that it multiplies a stretch of rows by one group of
 * columns after another. */
static void large_matrices_are_right(void **state)
{
    int tried = 0;
    for (int complex = 0; complex < 2; complex++) {
        struct csr a = support_matrix(700, 900, 0.03, false, complex, 13);
        try_matrix(&a, 8, &tried);
        csr_free(&a);
    }
    assert_true(tried > 0);
}

/* The columns of all rows lie in one range, so that some threads share columns with others, and some do
 * not. */
static void threads_that_share_no_columns_are_right(void **state)
{
    enum { ROWS = 400 };
    struct csr a = {.rows = ROWS, .cols = ROWS};
    int tried = 0;
    a.row_ptr = memory_array(ROWS + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array(2 * ROWS, sizeof *a.col, NULL);
    a.val = memory_array(2 * ROWS, sizeof *a.val, NULL);
    for (int64_t i = 0; i <= ROWS; i++)
        a.row_ptr[i] = 2 * i;
    for (int32_t i = 0; i < ROWS; i++) {
        int32_t j = i / 20 * 20 + i % 19; /* column 19 of each 20 stays empty */
        a.col[2 * i] = j < ROWS - 1 ? j : ROWS - 2;
        a.col[2 * i + 1] = a.col[2 * i] + 1;
        a.val[2 * i] = i % 5 - 2;
        a.val[2 * i + 1] = 3;
    }
    try_matrix(&a, 3, &tried);
    assert_true(tried > 0);
    csr_free(&a);
}

static const struct kernel *kernel_of(const char *name)
{
    const size_t length = strcspn(name, ":");
    for (int k = 0; kernels[k]; k++)
        if (strlen(kernels[k]->name) == length && memcmp(kernels[k]->name, name, length) == 0)
            return kernels[k];
    abort();
}

/* A^T as it is stored, entry by entry, beside the transposed matrix of csr_transpose. */
static void the_transposed_matrix_is_stored(void **state)
{
    for (int kind = 0; kind < 32; kind++) {
        struct csr a = support_matrix(kind & 1 ? 500 : 7, kind & 1 ? 40 : 300, 0.2, true, kind & 2, 23), at;
        const struct storing storing = {.precision = kind & 4 ? PRECISION_F32 : PRECISION_F64,
                                        .wide = kind & 8};
        struct storage storage, expected, out;
        assert_int_equal(csr_transpose(&a, NULL, &at, NULL), STATUS_OK);
        storage = storing_done(format_find("csr"), "", &storing, &a);
        expected = storing_done(format_find("csr"), "", &storing, &at);
        assert_int_equal(transposed_storage(&storage, kind & 16 ? 5 : 1, 0, &out, NULL), STATUS_OK);
        assert_int_equal(out.rows, expected.rows);
        assert_int_equal(out.cols, expected.cols);
        assert_int_equal(out.nnz, expected.nnz);
        for (int q = 0; q < expected.count; q++) {
            assert_int_equal(out.array[q].element, expected.array[q].element);
            assert_int_equal(out.array[q].length, expected.array[q].length);
            assert_memory_equal(out.array[q].data, expected.array[q].data,
                                (size_t)out.array[q].length * element_size(out.array[q].element));
        }
        assert_int_equal(storage_validate(&out, NULL), STATUS_OK);
        storage_free(&storage);
        storage_free(&expected);
        storage_free(&out);
        csr_free(&a);
        csr_free(&at);
    }
}

/* csr-omp stores A^T if the memory limit allows it, and the parameter names the choice. */
static void the_limit_decides_whether_it_is_stored(void **state)
{
    struct csr a = support_matrix(300, 200, 0.2, false, false, 29);
    struct storage storage = storing_done(format_find("csr"), "", NULL, &a);
    const size_t bytes = storage_size(&storage).bytes;
    struct preparing how = {.product = {.transposed = true}, .threads = 2, .limit = 4 * bytes};
    const struct kernel *kernel = kernel_of("csr-omp");
    struct launch launch = preparing_done(kernel, "", &storage, &how);
    assert_int_equal((int)launch.values.number[CSR_TRANSPOSED], CSR_STORED);
    struct kernel_choice choice = {.kernel = kernel, .values = launch.values};
    assert_true(transposed_stores(&choice, how.product));
    assert_false(transposed_stores(&choice, (struct product){0}));
    const struct traffic traffic = kernel_traffic(&launch);
    assert_int_equal(traffic.array_bytes, 0);
    /* Of 201 offsets instead of 301. */
    assert_int_equal(traffic.own_bytes, bytes - 100 * sizeof(int32_t));
    assert_int_equal(traffic.x_loads, csr_nnz(&a));
    assert_int_equal(traffic.y_stores, 200);
    kernel_release(&launch);
    how.limit = bytes + bytes / 2;
    launch = preparing_done(kernel, "", &storage, &how);
    assert_int_equal((int)launch.values.number[CSR_TRANSPOSED], CSR_SCATTERED);
    choice.values = launch.values;
    assert_false(transposed_stores(&choice, how.product));
    kernel_release(&launch);
    struct error error = {0};
    assert_int_equal(preparing_here(kernel, "transposed=stored", &storage, &how, &launch, &error),
                     STATUS_LIMIT);
    assert_non_null(strstr(error.message, "the transposed matrix"));
    kernel_release(&launch);
    choice.kernel = kernel_of("csr-balanced");
    assert_true(transposed_stores(&choice, how.product));
    choice.kernel = kernel_of("csr-seq");
    assert_false(transposed_stores(&choice, how.product));
    storage_free(&storage);
    csr_free(&a);
}

/* A row that is longer than the shares of several threads, which begin and end within it. */
static void long_rows_are_cut(void **state)
{
    struct csr a = support_matrix(5, 4000, 0.6, true, false, 31);
    struct storage storage = storing_done(format_find("csr"), "", NULL, &a);
    for (int kind = 0; kind < 8; kind++) {
        const struct product product = {kind & 1, kind & 2, kind & 4, 6};
        struct question question = question_new(&a, product, PRECISION_F64);
        for (int threads = 2; threads <= 16; threads += 7)
            run(kernel_of("csr-balanced"), "", "csr", &storage, &question, threads);
        question_free(&question);
    }
    storage_free(&storage);
    csr_free(&a);
}

/* Every allocation of preparing fails once, and the limit covers the copied vectors. */
static void preparing_may_fail(void **state)
{
    struct csr a = support_matrix(80, 60, 0.3, false, false, 17);
    struct storage storage = storing_done(format_find("csr"), "", NULL, &a);
    for (int kind = 0; kind < 12; kind++) {
        static const char *const names[] = {"csr-omp:transposed=scattered", "csr-omp:transposed=stored",
                                            "csr-balanced"};
        const char *parameters = strchr(names[kind / 4], ':');
        const struct kernel *kernel = kernel_of(names[kind / 4]);
        const struct preparing how = {.product = {.transposed = kind & 1, .by_rows = kind & 2, .columns = 8},
                                      .threads = 3};
        const struct preparing limited = {.product = how.product, .threads = 3, .limit = 1};
        int failures = 0;
        struct launch launch;
        struct error error = {0};
        for (bool failed = true; failed; failures += failed) {
            memory_fail_after(failures);
            enum status status =
                preparing_here(kernel, parameters ? parameters + 1 : "", &storage, &how, &launch, NULL);
            memory_fail_after(-1);
            failed = status != STATUS_OK;
            if (failed) assert_int_equal(status, STATUS_MEMORY);
            kernel_release(&launch);
        }
        assert_true(failures >= 2);
        /* If the numbers of an element of all vectors are adjacent, the kernel copies only the parts that it
         * cuts off. */
        bool copies = kind != 2 && kind != 6;
        assert_int_equal(
            preparing_here(kernel, parameters ? parameters + 1 : "", &storage, &limited, &launch, &error),
            copies ? STATUS_LIMIT : STATUS_OK);
        kernel_release(&launch);
    }
    storage_free(&storage);
    csr_free(&a);
}

/* A^T of SELL is SELL with the same parameters: its slots, counted here from the columns of A. */
static void sell_is_transposed_into_sell(void **state)
{
    static const char *const names[] = {"sell-omp", "sell-compact"};
    struct csr a = support_matrix(50, 70, 0.15, true, false, 37);
    struct storage storage = storing_done(format_find("sell"), "c=4,sigma=1", NULL, &a);
    int64_t slots = 0;
    for (int64_t j = 0; j < a.cols; j += 4) {
        int64_t longest = 0;
        for (int64_t l = j; l < j + 4 && l < a.cols; l++) {
            int64_t length = 0;
            for (int64_t k = 0; k < csr_nnz(&a); k++)
                length += a.col[k] == l;
            longest = max(longest, length);
        }
        slots += 4 * longest;
    }
    assert_int_not_equal(slots, storage_slots(&storage));
    for (int k = 0; k < 2; k++) {
        struct preparing how = {.product = {.transposed = true}, .threads = 2};
        const struct kernel_choice choice = {.kernel = kernel_of(names[k])};
        struct launch launch = preparing_done(choice.kernel, "", &storage, &how);
        struct error error = {0};
        assert_true(transposed_stores(&choice, how.product));
        assert_int_equal(kernel_traffic(&launch).x_loads, slots);
        assert_int_equal(kernel_traffic(&launch).array_bytes, 0);
        kernel_release(&launch);
        how.limit = storage_size(&storage).bytes + 100;
        assert_int_equal(preparing_here(choice.kernel, "", &storage, &how, &launch, &error), STATUS_LIMIT);
        assert_non_null(strstr(error.message, "the transposed matrix"));
        kernel_release(&launch);
        how.limit = 0;
        int failures = 0;
        for (bool failed = true; failed; failures += failed) {
            memory_fail_after(failures);
            enum status status = preparing_here(choice.kernel, "", &storage, &how, &launch, NULL);
            memory_fail_after(-1);
            failed = status != STATUS_OK;
            if (failed) assert_int_equal(status, STATUS_MEMORY);
            kernel_release(&launch);
        }
        assert_true(failures >= 8);
    }
    storage_free(&storage);
    csr_free(&a);
}

/* Return the bytes of X that preparing a product copies. */
static size_t copied(const char *name, const struct storage *storage, int columns, int threads)
{
    const struct preparing how = {.product = {.columns = columns}, .threads = threads};
    struct launch launch = preparing_done(kernel_of(name), "", storage, &how);
    const size_t bytes = kernel_traffic(&launch).own_bytes;
    kernel_release(&launch);
    return bytes;
}

/* Threads copy the rows of X that they use: of a tridiagonal matrix one more at each inner end of a share. If
 * few rows of A use a wide X, or if the copies exceed 2 MiB for each thread, the threads copy it together.
 * Two vectors are multiplied one after the other by SELL, which copies nothing. */
static void threads_copy_the_rows_that_they_use(void **state)
{
    struct csr band = stored_matrix("gen:banded,n=400,lower=1,upper=1"),
               wide = support_matrix(8, 3000, 0.02, false, false, 41),
               large = support_matrix(4, 70000, 0.5, false, false, 43);
    struct storage csr = storing_done(format_find("csr"), "", NULL, &band),
                   sell = storing_done(format_find("sell"), "c=4,sigma=1", NULL, &band),
                   few = storing_done(format_find("csr"), "", NULL, &wide),
                   many = storing_done(format_find("csr"), "", NULL, &large);
    assert_int_equal(copied("csr-omp", &csr, 8, 1), 400 * 8 * sizeof(double));
    assert_int_equal(copied("csr-omp", &csr, 8, 4), (400 + 2 * 3) * 8 * sizeof(double));
    assert_int_equal(copied("csr-omp", &few, 8, 4), 3000 * 8 * sizeof(double));
    assert_int_equal(copied("csr-omp", &many, 8, 2), 70000 * 8 * sizeof(double));
    assert_true(copied("csr-omp", &many, 2, 2) > 139000 * 2 * sizeof(double));
    assert_int_equal(copied("csr-omp", &csr, 2, 1), 400 * 2 * sizeof(double));
    assert_int_equal(copied("sell-omp", &sell, 2, 1), 0);
    assert_int_equal(copied("sell-omp", &sell, 3, 1), 400 * 3 * sizeof(double));
    storage_free(&csr);
    storage_free(&sell);
    storage_free(&few);
    storage_free(&many);
    csr_free(&band);
    csr_free(&wide);
    csr_free(&large);
}

static void products_are_written_as_equations(void **state)
{
    static const struct {
        struct product product;
        const char *text;
    } cases[] = {
        {{0}, "y = A x"},
        {{.accumulate = true, .by_rows = true}, "y += A x"},
        {{.transposed = true, .columns = 1}, "y = A^T x"},
        {{.columns = 8}, "Y = A X, 8 columns, column-major"},
        {{.accumulate = true, .transposed = true, .by_rows = true, .columns = 64},
         "Y += A^T X, 64 columns, row-major"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[PRODUCT_TEXT];
        assert_string_equal(product_write(cases[k].product, text), cases[k].text);
        for (size_t j = 0; j < sizeof cases / sizeof *cases; j++)
            assert_int_equal(product_same(cases[k].product, cases[j].product), k == j);
    }
    assert_true(product_same((struct product){.columns = 1, .by_rows = true}, (struct product){0}));
    assert_false(
        product_same((struct product){.columns = 2, .by_rows = true}, (struct product){.columns = 2}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_products_are_right),
        cmocka_unit_test(all_loops_are_right),
        cmocka_unit_test(large_matrices_are_right),
        cmocka_unit_test(threads_that_share_no_columns_are_right),
        cmocka_unit_test(the_transposed_matrix_is_stored),
        cmocka_unit_test(the_limit_decides_whether_it_is_stored),
        cmocka_unit_test(long_rows_are_cut),
        cmocka_unit_test(preparing_may_fail),
        cmocka_unit_test(sell_is_transposed_into_sell),
        cmocka_unit_test(threads_copy_the_rows_that_they_use),
        cmocka_unit_test(products_are_written_as_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
