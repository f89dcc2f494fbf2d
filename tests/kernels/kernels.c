/* Every kernel on every matrix, compared with a plain sum. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/cpu/cpu.h"
#include "kernels/kernel.h"
#include "kernels/list.h"
#include "support/cmocka.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/support.h"
#include "support/trials.h"

/* Vectors have an element before and after them that no kernel may touch. So they do not begin at the
 * alignment of the system's arrays. */
#define CANARY 1234.5

/* The expected product. Vectors are arrays of parts: an element of a complex matrix's has two, its real and
 * its imaginary part. */
struct expected {
    enum precision precision;
    bool accumulate;
    int parts; /* of an element */
    int64_t rows, cols;
    void *x, *start, *y; /* with their canaries */
    void *right;         /* a y that was found right, if there is one: most products repeat it bit by bit */
    bool has_right;
    double *sum;   /* `parts` for each row */
    double *bound; /* for each row: NaN where the sum cannot be finite, infinite where it may be anything */
};

static size_t size_of(enum precision precision)
{
    return precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
}

static double get(const void *data, enum precision precision, int64_t p)
{
    return precision == PRECISION_F32 ? (double)((const float *)data)[p] : ((const double *)data)[p];
}

static void set(void *data, enum precision precision, int64_t p, double value)
{
    if (precision == PRECISION_F32)
        ((float *)data)[p] = (float)value;
    else
        ((double *)data)[p] = value;
}

/* Set the parts of the elements before and after a vector of n elements. */
static void set_canaries(void *data, const struct expected *expected, int64_t n, double value)
{
    for (int part = 0; part < expected->parts; part++) {
        set(data, expected->precision, part, value);
        set(data, expected->precision, (n + 1) * expected->parts + part, value);
    }
}

/* Element e of a vector with canaries is at e + 1. */
static void *vector_with_canaries(const struct expected *expected, int64_t n, uint64_t seed)
{
    int64_t parts = expected->parts;
    void *data = memory_array((size_t)((n + 2) * parts), size_of(expected->precision), NULL);
    if (!data) abort();
    for (int64_t p = parts; p < (n + 1) * parts; p++) {
        double value = 0.5 + support_random(&seed, 1000) / 2048.0;
        set(data, expected->precision, p, support_random(&seed, 2) ? value : -value);
    }
    set_canaries(data, expected, n, CANARY);
    return data;
}

static void *body(void *data, const struct expected *expected)
{
    return (char *)data + size_of(expected->precision) * (size_t)expected->parts;
}

/* A complex number, or a real one whose imaginary part is 0. */
struct number {
    long double real, imaginary;
};

/* Element e of a vector with canaries. */
static struct number element(const struct expected *expected, const void *vector, int64_t e)
{
    int64_t p = (e + 1) * expected->parts;
    struct number number = {get(vector, expected->precision, p), 0};
    if (expected->parts > 1) number.imaginary = get(vector, expected->precision, p + 1);
    return number;
}

static struct number value_of(const struct csr *a, int64_t k, bool single)
{
    double real = a->val[k], imaginary = a->imaginary ? a->imaginary[k] : 0;
    if (single) return (struct number){(float)real, (float)imaginary};
    return (struct number){real, imaginary};
}

/* hypotl is slow, and called only for nonzero imaginary parts. */
static long double modulus(long double real, long double imaginary)
{
    return imaginary == 0 ? fabsl(real) : hypotl(real, imaginary);
}

/* Row i: any order of summation stays within (n + 2) u of the sum of magnitudes, and may lose numbers that
 * underflow. A complex row is two real ones with twice as many terms, and its error at most root(2) times
 * that of either. */
static void expect_row(const struct csr *a, int64_t i, struct expected *expected)
{
    bool single = expected->precision == PRECISION_F32, finite = true;
    double u = single ? 0x1p-24 : 0x1p-53, tiny = single ? FLT_MIN : DBL_MIN,
           max = single ? FLT_MAX : DBL_MAX;
    struct number sum = {0, 0};
    if (expected->accumulate) sum = element(expected, expected->start, i);
    long double magnitude = modulus(sum.real, sum.imaginary);
    double n = (double)(a->row_ptr[i + 1] - a->row_ptr[i]) + 3;
    if (a->imaginary) n *= 2 * sqrt(2);
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
        struct number v = value_of(a, k, single), x = element(expected, expected->x, a->col[k]);
        finite = finite && isfinite((double)v.real) && isfinite((double)v.imaginary);
        sum.real += v.real * x.real - v.imaginary * x.imaginary;
        sum.imaginary += v.real * x.imaginary + v.imaginary * x.real;
        magnitude += modulus(v.real, v.imaginary) * modulus(x.real, x.imaginary);
    }
    expected->sum[i * expected->parts] = (double)sum.real;
    if (a->imaginary) expected->sum[i * expected->parts + 1] = (double)sum.imaginary;
    expected->bound[i] = !finite               ? NAN
                         : magnitude > max / 2 ? INFINITY
                                               : (double)(n * u * magnitude) + 3 * n * tiny;
    if (finite && magnitude == 0) expected->bound[i] = 0;
}

static void expected_make(const struct csr *a, enum precision precision, bool accumulate,
                          struct expected *expected)
{
    *expected = (struct expected){.precision = precision,
                                  .accumulate = accumulate,
                                  .parts = a->imaginary ? 2 : 1,
                                  .rows = a->rows,
                                  .cols = a->cols};
    expected->x = vector_with_canaries(expected, a->cols, 1);
    set_canaries(expected->x, expected, a->cols,
                 NAN); /* an element read beyond x spoils a sum, also times 0 */
    expected->y = vector_with_canaries(expected, a->rows, 2);
    expected->start = vector_with_canaries(expected, a->rows, 2);
    expected->right = vector_with_canaries(expected, a->rows, 2);
    expected->sum = memory_array((size_t)(a->rows * expected->parts), sizeof(double), NULL);
    expected->bound = memory_array((size_t)a->rows, sizeof(double), NULL);
    if (!expected->sum || !expected->bound) abort();
    for (int64_t i = 0; i < a->rows; i++)
        expect_row(a, i, expected);
}

static void expected_free(struct expected *expected)
{
    free(expected->x);
    free(expected->y);
    free(expected->start);
    free(expected->right);
    free(expected->sum);
    free(expected->bound);
}

static bool right(const struct expected *expected, int64_t i)
{
    const int64_t p = (i + 1) * expected->parts;
    const double *sum = expected->sum + i * expected->parts, bound = expected->bound[i];
    const bool complex = expected->parts > 1;
    double real = get(expected->y, expected->precision, p),
           imaginary = complex ? get(expected->y, expected->precision, p + 1) : 0;
    if (isnan(bound)) return !isfinite(real) || !isfinite(imaginary);
    double first = fabs(real - sum[0]), second = complex ? fabs(imaginary - sum[1]) : 0;
    return isinf(bound) || first + second <= bound || hypot(first, second) <= bound;
}

static size_t bytes_of_y(const struct expected *expected)
{
    return size_of(expected->precision) * (size_t)(expected->rows * expected->parts);
}

/* Set y as before a product: without a term to add to it is NaN, of which all bits may be set. */
static void begin_y(const struct expected *expected)
{
    void *y = body(expected->y, expected);
    if (expected->accumulate)
        memcpy(y, body(expected->start, expected), bytes_of_y(expected));
    else
        memset(y, 0xff, bytes_of_y(expected));
}

static bool canaries_live(const struct expected *expected)
{
    for (int part = 0; part < expected->parts; part++)
        if (get(expected->y, expected->precision, part) != CANARY ||
            get(expected->y, expected->precision, (expected->rows + 1) * expected->parts + part) != CANARY)
            return false;
    return true;
}

/* One thing to try. */
struct attempt {
    const struct trial *trial;
    const struct kernel *kernel;
    const char *parameters;
    struct expected *expected;
    int threads;
};

static void attempt_fail(const struct attempt *attempt, const char *what, int64_t i)
{
    trial_fail(attempt->trial, "%s:%s%s, %d threads: %s %lld", attempt->kernel->name, attempt->parameters,
               attempt->expected->accumulate ? ", added" : "", attempt->threads, what, (long long)i);
}

/* Fail if a row is wrong. */
static void check_rows(const struct attempt *attempt)
{
    struct expected *expected = attempt->expected;
    const void *y = body(expected->y, expected);
    if (expected->has_right && memcmp(y, expected->right, bytes_of_y(expected)) == 0) return;
    for (int64_t i = 0; i < expected->rows; i++)
        if (!right(expected, i)) attempt_fail(attempt, "wrong row", i);
    memcpy(expected->right, y, bytes_of_y(expected));
    expected->has_right = true;
}

/* Run it twice: data left by one product must not change the next. */
static bool run_attempt(const struct attempt *attempt, const struct storage *storage)
{
    struct expected *expected = attempt->expected;
    struct launch launch;
    struct error error = {0};
    const struct preparing options = {.product.accumulate = expected->accumulate,
                                      .threads = attempt->threads};
    enum status status =
        preparing_here(attempt->kernel, attempt->parameters, storage, &options, &launch, &error);
    if (status == STATUS_UNAVAILABLE && error.message[0]) {
        kernel_release(&launch);
        return false;
    }
    if (status != STATUS_OK) attempt_fail(attempt, error.message, 0);
    for (int product = 0; product < 2; product++) {
        begin_y(expected);
        kernel_run(&launch, body(expected->x, expected), body(expected->y, expected));
        check_rows(attempt);
    }
    if (!canaries_live(expected)) attempt_fail(attempt, "written beyond row", expected->rows);
    kernel_release(&launch);
    return true;
}

/* Another program, tests/gpu/check, runs kernels of devices, and another test, tests/kernels/libraries, those
 * of libraries: they take longer. */
static bool on_host(const struct kernel *kernel)
{
    return backend_is_own(kernel->backend);
}

/* The kernels of the table that ran, on real and on complex matrices. */
#define KERNELS_MAX 256
static int ran[2][KERNELS_MAX];

/* Run all kernels for one number of threads after another, since changing it takes longer than a product. */
static void try_kernels(const struct trial *trial, const struct storage *storage, struct expected expected[2],
                        int threads)
{
    for (int k = 0; kernels[k]; k++) {
        if (kernels[k]->format != storage->format || !on_host(kernels[k])) continue;
        struct sets sets = sets_of(kernels[k]);
        for (int s = 0; s < (trial->request->origin == ORIGIN_VARIANT ? sets.count : 1); s++)
            for (int accumulate = 0; accumulate < 2; accumulate++) {
                struct attempt attempt = {trial, kernels[k], sets.text[s], &expected[accumulate], threads};
                ran[storage->complex][k] += run_attempt(&attempt, storage);
            }
    }
}

static bool has_kernels(const struct format *format)
{
    for (int k = 0; kernels[k]; k++)
        if (kernels[k]->format == format) return true;
    return false;
}

/* Bytes: more than this is not worth the time. */
#define LARGEST ((size_t)1 << 25)

/* How much is tried: BRIEFLY is two threads on the variants that reports show, with every instruction set;
 * SWEPT goes through parameters too. */
enum effort { BRIEFLY, LARGE, SWEPT };

/* The loops for other processors than this one, as far as it can run them. */
static const char *const instruction_sets[] = {"portable", "avx2", "avx2-loads", "avx512", "avx512-loads"};
#define SETS (sizeof instruction_sets / sizeof *instruction_sets)

/* All kernels with two threads and the loops of each instruction set. */
static void try_sets(const struct trial *trial, const struct storage *storage, struct expected expected[2])
{
    for (size_t k = 0; k < SETS; k++) {
        if (!loops_choose(instruction_sets[k])) continue;
        assert_string_equal(loops_for(PRECISION_F32)->isa, instruction_sets[k]);
        try_kernels(trial, storage, expected, 2);
    }
    assert_true(loops_choose(NULL));
}

static void try_sample(const struct sample *sample, const struct requests *requests, enum effort effort)
{
    static const int every[] = {1, 2, 3, 7, 0}, some[] = {1, 3, 0};
    for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++) {
        struct expected expected[2];
        for (int accumulate = 0; accumulate < 2; accumulate++)
            expected_make(&sample->a, precision, accumulate, &expected[accumulate]);
        for (int r = 0; r < 2 * requests->count; r++) {
            const struct wanted *request = &requests->items[r / 2];
            bool wide = r % 2, plain = request->origin == ORIGIN_VARIANT;
            struct trial trial = {sample, request, {.precision = precision, .wide = wide}, 2};
            struct storage storage;
            if (!has_kernels(request->format) || (!plain && (wide || effort != SWEPT))) continue;
            if (!trial_plan(&trial, &storage)) continue;
            bool too_large = storage_size(&storage).allocated > LARGEST;
            storage_free(&storage);
            if (too_large) continue;
            trial_convert(&trial, &storage);
            if (effort == BRIEFLY) try_sets(&trial, &storage, expected);
            for (const int *t = plain && !wide && effort == SWEPT ? every : some; *t && effort != BRIEFLY;
                 t++)
                try_kernels(&trial, &storage, expected, *t);
            storage_free(&storage);
        }
        expected_free(&expected[0]);
        expected_free(&expected[1]);
    }
}

static void every_kernel_is_right(void **state)
{
    struct samples samples = samples_small();
    struct requests requests = requests_all();
    for (int s = 0; s < samples.count; s++)
        try_sample(&samples.items[s], &requests, SWEPT);
    for (int k = 0; kernels[k]; k++)
        for (int complex = 0; complex < 2; complex++)
            if (!ran[complex][k] && on_host(kernels[k]) && (kernels[k]->complex || !complex) &&
                !(kernels[k]->unavailable && kernels[k]->unavailable()))
                fail_msg("%s never ran on a %s matrix", kernels[k]->name, complex ? "complex" : "real");
    requests_free(&requests);
    samples_free(&samples);
}

/* Enough entries for several threads, and rows that hold most of them. */
static void large_matrices_are_right(void **state)
{
    struct samples samples = samples_large();
    struct requests requests = requests_all();
    struct sample rows = {"30 x 20000, two full rows", support_matrix(30, 20000, 0.002, true, false, 3)};
    struct sample column = {"20000 x 1", support_matrix(20000, 1, 0.5, false, false, 4)};
    for (int s = 0; s < samples.count; s++)
        try_sample(&samples.items[s], &requests, LARGE);
    try_sample(&rows, &requests, LARGE);
    try_sample(&column, &requests, LARGE);
    csr_free(&rows.a);
    csr_free(&column.a);
    requests_free(&requests);
    samples_free(&samples);
}

static void every_instruction_set_is_right(void **state)
{
    struct samples samples = samples_small();
    struct requests requests = requests_all();
    for (int s = 0; s < samples.count; s++)
        try_sample(&samples.items[s], &requests, BRIEFLY);
    assert_false(loops_choose("sse9"));
    assert_true(loops_choose(NULL));
    requests_free(&requests);
    samples_free(&samples);
}

/* True if the system says that the processor has all of these features, each with a blank before and after
 * it: its words stand in a line "flags : fpu vme ...". */
static bool processor_has(const char *const *features)
{
    static char line[8192];
    bool all = false;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !all && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = ' ';
        all = strncmp(line, "flags", 5) == 0;
        for (int k = 0; all && features[k]; k++)
            all = strstr(line, features[k]) != NULL;
    }
    if (file) fclose(file);
    return all;
}

/* The user can choose each instruction set that the system reports, but need not: the widest vectors are
 * chosen, and the way of loading elements that a trial found to be faster, the same one each time. */
static void the_fastest_loops_are_chosen(void **state)
{
    static const char *const avx512[] = {" avx512f ", " avx512vl ", " avx512dq ", " avx512bw ", NULL};
    static const char *const avx2[] = {" avx2 ", " fma ", NULL};
    const char *widest = processor_has(avx512) ? "avx512" : processor_has(avx2) ? "avx2" : "portable";
    char isa[32];
    assert_true(loops_choose("portable"));
    assert_string_equal(loops_for(PRECISION_F64)->isa, "portable");
    assert_true(loops_choose(NULL));
    snprintf(isa, sizeof isa, "%s", loops_for(PRECISION_F64)->isa);
    assert_string_equal(loops_for(PRECISION_F32)->isa, isa);
    assert_ptr_equal(loops_for(PRECISION_F64), loops_for(PRECISION_F64));
    isa[strcspn(isa, "-")] = 0;
    assert_string_equal(isa, widest);
}

/* The CSR kernels on one matrix, 1 to `max` threads, with the loops of these `count` instruction sets. */
static void try_csr(const struct sample *sample, const struct storing *options, int max,
                    const char *const *sets, size_t count)
{
    const struct wanted request = {format_find("csr"), "", ORIGIN_VARIANT};
    struct trial trial = {sample, &request, *options, 2};
    struct storage storage;
    struct expected expected[2];
    expected_make(&sample->a, options->precision, false, &expected[0]);
    expected_make(&sample->a, options->precision, true, &expected[1]);
    assert_true(trial_plan(&trial, &storage));
    storage_free(&storage);
    trial_convert(&trial, &storage);
    for (size_t k = 0; k < count; k++)
        for (int threads = 1; threads <= max && loops_choose(sets[k]); threads += 1 + threads / 3)
            try_kernels(&trial, &storage, expected, threads);
    storage_free(&storage);
    expected_free(&expected[0]);
    expected_free(&expected[1]);
}

/* Parts for the entries of a matrix that was real. */
static double *imaginary_parts(const struct csr *a)
{
    double *parts = memory_array((size_t)csr_nnz(a), sizeof *parts, NULL);
    uint64_t seed = 6;
    if (!parts) abort();
    for (int64_t k = 0; k < csr_nnz(a); k++)
        parts[k] = support_random(&seed, 1000) - 499.5;
    return parts;
}

/* Rows are cut between threads, at their ends and within them; and tails of every length. */
static void rows_of_all_lengths_are_right(void **state)
{
    for (size_t n = 0; support_lengths[n / 12]; n++) {
        struct sample sample = {"300 rows of lengths", support_rows(300, support_lengths[n / 12])};
        if (n / 6 % 2) sample.a.imaginary = imaginary_parts(&sample.a);
        enum precision precision = n / 3 % 2 ? PRECISION_F32 : PRECISION_F64;
        try_csr(&sample, &(struct storing){.precision = precision, .wide = n % 2}, 70,
                &instruction_sets[n % SETS], 1);
        csr_free(&sample.a);
    }
    assert_true(loops_choose(NULL));
}

/* Vectors and arrays that are too large for the caches may be read and written by other ways. */
static void rows_beyond_the_caches_are_right(void **state)
{
    struct sample sample = {"2200000 rows", support_rows(2200000, support_few)};
    for (int complex = 0; complex < 2; complex++) {
        if (complex) sample.a.imaginary = imaginary_parts(&sample.a);
        try_csr(&sample, &(struct storing){0}, 2, instruction_sets + 1,
                SETS - 1); /* all but the portable one */
    }
    assert_true(loops_choose(NULL));
    csr_free(&sample.a);
}

/* The sum of 1 + 2 + ... + n is right, and so are copies; bytes beyond stay. */
static void memory_is_read_and_copied_whole(void **state)
{
    enum { BYTES = 7 * MEMORY_BLOCK };
    char *memory = aligned_alloc(MEMORY_BLOCK, (size_t)3 * BYTES);
    assert_non_null(memory);
    for (size_t k = 0; k < SETS; k++)
        for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++) {
            if (!loops_choose(instruction_sets[k])) continue;
            const struct loops *loops = loops_for(precision);
            int n = BYTES / (int)size_of(precision);
            memset(memory, 7, (size_t)3 * BYTES);
            for (int e = 0; e < n; e++)
                set(memory, precision, e, e + 1);
            assert_true(loops->memory_read(memory, BYTES) == 0.5 * n * (n + 1));
            loops->memory_copy(memory + BYTES, memory, BYTES);
            assert_memory_equal(memory, memory + BYTES, BYTES);
            assert_int_equal(memory[2 * BYTES], 7);
        }
    loops_choose(NULL);
    free(memory);
}

/* Loading elements singly changes nothing but time: the products are the same to the last bit as those with
 * gathers. */
static void single_loads_make_the_same_products(void **state)
{
    static const char *const sets[][2] = {{"avx2", "avx2-loads"}, {"avx512", "avx512-loads"}};
    static const char *const names[] = {"csr-omp", "csr-compact"};
    const struct wanted request = {format_find("csr"), "", ORIGIN_VARIANT};
    struct sample sample = {"rows of up to 60", support_rows(3000, support_lengths[0])};
    for (size_t n = 0; n < 8; n++) {
        enum precision precision = n / 2 % 2 ? PRECISION_F32 : PRECISION_F64;
        struct trial trial = {&sample, &request, {.precision = precision}, 1};
        struct expected expected;
        struct storage storage;
        size_t bytes = (size_t)sample.a.rows * size_of(precision);
        void *y[2] = {NULL, NULL};
        expected_make(&sample.a, precision, false, &expected);
        trial_convert(&trial, &storage);
        for (int loads = 0; loads < 2 && loops_choose(sets[n / 4][loads]); loads++) {
            struct kernel_list list = {0};
            assert_int_equal(kernel_list_add(&list, names[n % 2], NULL), STATUS_OK);
            struct launch launch =
                preparing_done(list.choices[0].kernel, "", &storage, &(struct preparing){.threads = 1});
            y[loads] = memory_zeroed(bytes + 1, 1, NULL);
            kernel_run(&launch, body(expected.x, &expected), y[loads]);
            kernel_release(&launch);
            kernel_list_free(&list);
        }
        if (y[1]) assert_memory_equal(y[0], y[1], bytes);
        free(y[0]);
        free(y[1]);
        storage_free(&storage);
        expected_free(&expected);
    }
    assert_true(loops_choose(NULL));
    csr_free(&sample.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_is_right),
        cmocka_unit_test(large_matrices_are_right),
        cmocka_unit_test(every_instruction_set_is_right),
        cmocka_unit_test(the_fastest_loops_are_chosen),
        cmocka_unit_test(rows_of_all_lengths_are_right),
        cmocka_unit_test(rows_beyond_the_caches_are_right),
        cmocka_unit_test(memory_is_read_and_copied_whole),
        cmocka_unit_test(single_loads_make_the_same_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
