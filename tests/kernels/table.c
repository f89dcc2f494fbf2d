/* The table of kernels: whole descriptors, refusals, and the bytes that a product moves. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/gpu/device.h"
#include "kernels/kernel.h"
#include "support/cmocka.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* Those of devices are prepared by tests/check_gpu. */
static bool on_host(const struct kernel *kernel)
{
    return kernel->backend->devices == NULL && !kernel->backend->ranks;
}

static const struct kernel *kernel_called(const char *name)
{
    for (int k = 0; kernels[k]; k++)
        if (strcmp(kernels[k]->name, name) == 0) return kernels[k];
    fail_msg("there is no %s", name);
    return NULL;
}

static void complex_matrices_are_refused_with_the_reason(void **state)
{
    struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, 20, 0.3, false, true, 1);
    int tried = 0;
    for (int k = 0; kernels[k]; k++) {
        struct launch launch;
        struct error error = {0};
        struct kernel real = *kernels[k]; /* the same kernel, declared for real matrices only */
        real.complex = false;
        if (!on_host(kernels[k]) || (kernels[k]->unavailable && kernels[k]->unavailable())) continue;
        tried++;
        assert_int_equal(kernel_check(kernels[k], true, (struct product){0}, NULL),
                         kernels[k]->complex ? STATUS_OK : STATUS_UNAVAILABLE);
        struct storage storage = storing_done(kernels[k]->format, "", NULL, &a);
        assert_int_equal(
            preparing_here(&real, "", &storage, &(struct preparing){.threads = 2}, &launch, &error),
            STATUS_UNAVAILABLE);
        char message[256];
        snprintf(message, sizeof message, "the matrix is complex: the kernel takes real ones only%s%s",
                 real.real_only ? ", since " : "", real.real_only ? real.real_only : "");
        assert_string_equal(error.message, message);
        kernel_release(&launch);
        error_clear(&error);
        assert_int_equal(kernel_check(&real, true, (struct product){0}, &error), STATUS_UNAVAILABLE);
        assert_int_equal(kernel_check(&real, false, (struct product){0}, NULL), STATUS_OK);
        storage_free(&storage);
    }
    assert_true(tried > 20);
    csr_free(&a);
}

/* The requested product, and the reason of a kernel that can neither transpose nor multiply several
 * vectors. */
static const struct {
    struct product product;
    const char *reason;
} beyond[] = {
    {{.transposed = true}, "%s does not multiply with the transposed matrix"},
    {{.columns = 2}, "%s multiplies 1 vector at a time, not 2"},
    {{.accumulate = true, .columns = 64}, "%s multiplies 1 vector at a time, not 64"},
};

/* Refused both before the matrix is stored and with a storage. */
static void expect_refusal(const struct kernel *kernel, const struct storage *storage, size_t k)
{
    const struct preparing options = {.product = beyond[k].product, .threads = 2};
    struct device device = {0};
    struct launch launch;
    struct error error = {0};
    char reason[96];
    snprintf(reason, sizeof reason, beyond[k].reason, kernel->name);
    assert_int_equal(kernel_suits(kernel, false, options.product, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message, reason);
    error_clear(&error);
    if (on_host(kernel)) {
        assert_int_equal(kernel_check(kernel, false, options.product, NULL), STATUS_UNAVAILABLE);
        assert_int_equal(preparing_here(kernel, "", storage, &options, &launch, &error), STATUS_UNAVAILABLE);
    } else {
        assert_int_equal(preparing_on(&device, kernel, "", storage, storage, &options, &launch, &error),
                         STATUS_UNAVAILABLE);
    }
    assert_string_equal(error.message, reason);
    assert_null(launch.state);
    kernel_release(&launch);
}

/* A kernel whose backend has no device names the missing device first. */
static void products_that_a_kernel_cannot_do_are_refused(void **state)
{
    struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, 20, 0.3, false, false, 1);
    int refused = 0;
    for (int k = 0; kernels[k]; k++) {
        if (kernels[k]->unavailable && kernels[k]->unavailable()) continue;
        if (kernels[k]->backend->ranks) { /* only ranks together run it */
            assert_int_equal(kernel_check(kernels[k], false, (struct product){0}, NULL), STATUS_UNAVAILABLE);
            assert_int_equal(kernel_suits(kernels[k], false, (struct product){0}, NULL), STATUS_OK);
            continue;
        }
        struct storage storage = storing_done(kernels[k]->format, "", NULL, &a);
        for (size_t p = 0; p < sizeof beyond / sizeof *beyond; p++) {
            bool able = beyond[p].product.transposed ? kernels[k]->transposes : kernels[k]->columns_max > 1;
            if (!able) expect_refusal(kernels[k], &storage, p);
            refused += !able;
        }
        storage_free(&storage);
    }
    assert_true(refused > 20);
    csr_free(&a);
}

/* Products that the descriptor declares reach the launch. 0 columns mean one. */
static void products_that_a_kernel_can_do_reach_it(void **state)
{
    static const struct product products[] = {
        {0}, {.transposed = true}, {.columns = 1}, {.accumulate = true, .transposed = true, .columns = 8}};
    struct csr a = support_matrix(20, 20, 0.3, false, false, 1);
    struct kernel able = *kernel_called("csr-seq");
    able.transposes = true;
    able.columns_max = 8;
    struct storage storage = storing_done(able.format, "", NULL, &a);
    for (size_t k = 0; k < sizeof products / sizeof *products; k++) {
        struct launch launch =
            preparing_done(&able, "", &storage, &(struct preparing){.product = products[k]});
        assert_int_equal(launch.product.accumulate, products[k].accumulate);
        assert_int_equal(launch.product.transposed, products[k].transposed);
        assert_int_equal(launch.product.columns, products[k].columns == 8 ? 8 : 1);
        kernel_release(&launch);
    }
    struct error error = {0};
    assert_int_equal(kernel_check(&able, false, (struct product){.columns = 9}, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "csr-seq multiplies 8 vectors at a time, not 9");
    storage_free(&storage);
    csr_free(&a);
}

/* Every allocation of preparing a kernel fails once. */
static void preparing_may_fail(void **state)
{
    struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, 45, 0.3, true, false, 1);
    for (int k = 0; kernels[k]; k++) {
        long failed = 1;
        if (!backend_is_own(kernels[k]->backend) ||
            kernel_check(kernels[k], false, (struct product){0}, NULL) != STATUS_OK)
            continue;
        struct storage storage = storing_done(kernels[k]->format, "", NULL, &a);
        for (long fail = 0; failed; fail++) {
            struct launch launch;
            memory_fail_after(fail);
            enum status status =
                preparing_here(kernels[k], "", &storage, &(struct preparing){.threads = 3}, &launch, NULL);
            failed = memory_failures();
            memory_fail_after(-1);
            if (failed) assert_int_equal(status, STATUS_MEMORY);
            kernel_release(&launch);
            kernel_release(&launch);
        }
        storage_free(&storage);
    }
    csr_free(&a);
}

static void descriptors_are_whole(void **state)
{
    for (int k = 0; kernels[k]; k++) {
        const struct kernel *kernel = kernels[k];
        struct text name = {0};
        if (!kernel->name || !kernel->format || !kernel->summary || !kernel->source || !kernel->parameters ||
            (!kernel->run && on_host(kernel)))
            fail_msg("kernel %d lacks something", k);
        kernel_name(kernel, &name);
        const char *backend = kernel->backend->name;
        size_t length = strlen(backend);
        if (strncmp(name.data, backend, length) != 0 || strcmp(name.data + length + 1, kernel->name) != 0)
            fail_msg("%s", name.data);
        text_free(&name);
        if (strncmp(kernel->name, kernel->format->name, strlen(kernel->format->name)) != 0)
            fail_msg("%s does not begin with its format", kernel->name);
        for (int other = 0; other < k; other++)
            if (kernels[other]->backend == kernel->backend && strcmp(kernels[other]->name, kernel->name) == 0)
                fail_msg("%s is there twice", kernel->name);
        for (const struct parameter *p = kernel->parameters; p->name; p++)
            for (const struct parameter *q = kernel->format->parameters; q->name; q++)
                if (strcmp(p->name, q->name) == 0)
                    fail_msg("%s: %s is its format's too", kernel->name, p->name);
    }
}

/* 3 x 4 with 5 entries:
 *
 *     1 . 2 .
 *     . . . 3
 *     4 . . 5 */
static const double five_entries[] = {1, 0, 2, 0, 0, 0, 0, 3, 4, 0, 0, 5};

/* Bytes by hand: 4 pointers and 5 columns of 4 bytes, 5 values, 4 of x and 3 of y of 8. */
/* The help of a parameter has its whole default rule, however long it is. */
static void default_rules_are_whole(void **state)
{
    int found = 0;
    for (int k = 0; kernels[k]; k++) {
        struct text help = {0};
        parameters_describe(kernels[k]->parameters, &help);
        for (const struct parameter *p = kernels[k]->parameters; p->name; p++) {
            char rule[256];
            if (!p->automatic) continue;
            snprintf(rule, sizeof rule, "default %s)\n", p->automatic);
            if (!strstr(help.data, rule)) fail_msg("%s cuts the rule of %s", kernels[k]->name, p->name);
            found++;
        }
        text_free(&help);
    }
    assert_true(found >= 10);
}

static void bytes_are_counted_once(void **state)
{
    struct csr a = support_dense(3, 4, five_entries);
    const struct kernel *kernel = kernel_called("csr-seq");
    struct launch launch;
    struct storage storage = storing_done(kernel->format, "", NULL, &a);
    for (int accumulate = 0; accumulate < 2; accumulate++) {
        launch = preparing_done(kernel, "", &storage,
                                &(struct preparing){.product.accumulate = accumulate, .threads = 1});
        struct kernel_bytes bytes = kernel_bytes(&launch);
        assert_true(bytes.plus == 16 + 20 + 40 + 32 + (accumulate ? 48 : 24));
        assert_true(bytes.minus == 16 + 20 + 40 + 40 + (accumulate ? 48 : 24));
        kernel_release(&launch);
    }
    storage_free(&storage);
    csr_free(&a);
}

/* Elements of x that are loaded, by hand. */
static void loads_of_x_are_counted(void **state)
{
    static const struct {
        const char *kernel, *format_parameters;
        int loads;
    } cases[] = {
        {"coo-omp", "", 5},
        {"ell-omp", "", 6},             /* 3 rows of 2 */
        {"ell-omp", "pad=sentinel", 5}, /* but not for padding */
        {"hyb-omp", "k=1", 5},
        {"hyb-omp", "k=1,pad=sentinel", 5}, /* 3 in ELL, 2 in COO */
        {"jds-omp", "", 5},
        {"cmrs-omp", "", 5},
        {"cmrs-omp", "modulo=4", 32}, /* a group */
        {"sell-omp", "c=2", 8},       /* chunks of 2 x 2 and 2 x 2, the last of which has a row more than A */
        {"dia-omp", "", 9},           /* diagonals -2, 0, 1, 2 of 1, 3, 3 and 2 positions */
        {"bsr-omp", "size=2", 8},     /* 4 blocks */
        {"bsr-omp", "size=3", 4},     /* 2 blocks, the second with one column of A */
    };
    struct csr a = support_dense(3, 4, five_entries);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct kernel *kernel = kernel_called(cases[k].kernel);
        struct storage storage = storing_done(kernel->format, cases[k].format_parameters, NULL, &a);
        struct launch launch = preparing_done(kernel, "", &storage, &(struct preparing){.threads = 2});
        struct kernel_bytes bytes = kernel_bytes(&launch);
        if (bytes.minus - bytes.plus != 8 * (cases[k].loads - 4))
            fail_msg("%s:%s loads %g", kernel->name, cases[k].format_parameters,
                     (bytes.minus - bytes.plus) / 8 + 4);
        kernel_release(&launch);
        storage_free(&storage);
    }
    csr_free(&a);
}

static void random_order_is_refused_with_the_reason(void **state)
{
    struct csr a = support_dense(3, 4, five_entries);
    struct launch launch;
    struct error error = {0};
    struct storage storage = storing_done(kernel_called("coo-omp")->format, "order=random", NULL, &a);
    assert_int_equal(preparing_here(kernel_called("coo-omp"), "", &storage, &(struct preparing){.threads = 2},
                                    &launch, &error),
                     STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "leave out order=random"));
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&a);
}

/* Products of every kind, by as many threads each time: not a bit differs from run to run where the kernel
 * says so, which all kernels for processors do. */
static void the_same_bits_come_each_time(void **state)
{
    static const struct product kinds[] = {
        {0}, {.columns = 4, .by_rows = true}, {.columns = 3}, {.transposed = true}};
    enum { N = 400, RUNS = 6, COLUMNS = 4 };
    struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, N, 0.1, true, false, 3);
    double x[COLUMNS * N], y[2][COLUMNS * N];
    uint64_t seed = 5;
    int tried = 0;
    for (int e = 0; e < COLUMNS * N; e++)
        x[e] = 1 / (1.0 + support_random(&seed, 1000));
    for (int k = 0; kernels[k]; k++)
        for (size_t p = 0; p < sizeof kinds / sizeof *kinds; p++) {
            struct launch launch;
            const struct preparing options = {.threads = 3, .product = kinds[p]};
            if (!on_host(kernels[k]) || kernel_order(kernels[k], kinds[p], 1) != KERNEL_ORDERED ||
                kernel_check(kernels[k], false, kinds[p], NULL) != STATUS_OK)
                continue;
            struct storage storage = storing_done(kernels[k]->format, "", NULL, &a);
            if (preparing_here(kernels[k], "", &storage, &options, &launch, NULL) == STATUS_OK) {
                size_t bytes = sizeof(double) * N * (size_t)product_columns(kinds[p]);
                for (int run = 0; run < RUNS; run++) {
                    memset(y[run > 0], 0xff, bytes);
                    kernel_run(&launch, x, y[run > 0]);
                    assert_memory_equal(y[0], y[run > 0], bytes);
                }
                tried++;
            }
            kernel_release(&launch);
            storage_free(&storage);
        }
    assert_true(tried > 40);
    csr_free(&a);
}

/* A kernel with atomic additions is not deterministic; its flags are of products that it computes. */
static void nondeterministic_kernels_declare_it(void **state)
{
    static const char *const ordered[] = {"csr-scalar", "csr-segmented", "csr-swept", "hyb-host", "dia"};
    for (int k = 0; kernels[k]; k++) {
        const struct kernel *kernel = kernels[k];
        if (strstr(kernel->name, "-atomic")) assert_int_equal(kernel->unordered, UNORDERED_ALL);
        if (!kernel->backend->devices) assert_int_equal(kernel->unordered, 0);
        bool all = (kernel->unordered & UNORDERED_ALL) == UNORDERED_ALL;
        if (!all && kernel->unordered & UNORDERED_TRANSPOSED) assert_true(kernel->transposes);
        if (!all && kernel->unordered & UNORDERED_COLUMNS) assert_true(kernel->columns_max > 1);
        assert_int_equal(kernel_order_words(kernel) == NULL, kernel->unordered == 0);
        /* HYB and JDS alone have a part in COO, and the rest of them adds up each row by one thread. */
        bool parts = strcmp(kernel->format->name, "hyb") == 0 || strcmp(kernel->format->name, "jds") == 0;
        if (!parts) assert_false(kernel->unordered & UNORDERED_APART);
        if (parts && kernel->unordered) {
            assert_int_equal(kernel_order(kernel, (struct product){0}, 0), KERNEL_ORDERED);
            assert_int_equal(kernel_order(kernel, (struct product){0}, 1), KERNEL_UNORDERED);
        }
    }
    for (size_t k = 0; k < sizeof ordered / sizeof *ordered; k++)
        assert_int_equal(kernel_order(kernel_called(ordered[k]), (struct product){0}, 1), KERNEL_ORDERED);
    const struct kernel *vector = kernel_called("csr-vector"), *balanced = NULL;
    for (int k = 0; kernels[k]; k++)
        if (kernels[k]->backend->devices && strcmp(kernels[k]->name, "csr-balanced") == 0)
            balanced = kernels[k];
    assert_non_null(balanced);
    assert_int_equal(kernel_order(vector, (struct product){.columns = 8}, 1), KERNEL_ORDERED);
    assert_int_equal(kernel_order(vector, (struct product){.transposed = true}, 1), KERNEL_UNORDERED);
    assert_int_equal(kernel_order(balanced, (struct product){0}, 1), KERNEL_ORDERED);
    assert_int_equal(kernel_order(balanced, (struct product){.columns = 8}, 1), KERNEL_UNORDERED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bits_come_each_time),
        cmocka_unit_test(nondeterministic_kernels_declare_it),
        cmocka_unit_test(descriptors_are_whole),
        cmocka_unit_test(default_rules_are_whole),
        cmocka_unit_test(complex_matrices_are_refused_with_the_reason),
        cmocka_unit_test(products_that_a_kernel_cannot_do_are_refused),
        cmocka_unit_test(products_that_a_kernel_can_do_reach_it),
        cmocka_unit_test(preparing_may_fail),
        cmocka_unit_test(bytes_are_counted_once),
        cmocka_unit_test(loads_of_x_are_counted),
        cmocka_unit_test(random_order_is_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
