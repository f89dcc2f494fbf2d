/* A pool of storages: each choice is converted once while it is in use, and kept storages make room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "formats/csr.h"
#include "formats/pool.h"
#include "support/generate.h"
#include "support/support.h"

/* CSR that counts its plans and conversions. Its parameter only distinguishes choices. */
static int plans, fills;
static bool fails;
static const struct parameter letter[] = {{"letter", "", 0, 999, 0, PARAMETER_INTEGER}, {0}};
static const char *const variants[] = {"", NULL};
static struct format counted;

static enum status plan_counted(struct storage *storage, const struct csr *a, struct progress *progress,
                                struct error *error)
{
    plans++;
    return format_csr.plan(storage, a, progress, error);
}

static enum status fill_counted(struct storage *storage, const struct csr *a, struct progress *progress,
                                struct error *error)
{
    fills++;
    return fails ? error_set(error, STATUS_INPUT, "it fails") : format_csr.fill(storage, a, progress, error);
}

static int begin(void **state)
{
    counted = format_csr;
    counted.name = "counted";
    counted.parameters = letter;
    counted.variants = variants;
    counted.plan = plan_counted;
    counted.fill = fill_counted;
    plans = fills = 0;
    fails = false;
    return 0;
}

static struct format_choice choice_of(int number, enum precision precision)
{
    struct format_choice choice = format_choice_default(&counted, precision);
    parameters_set(letter, &choice.values, 0, number);
    return choice;
}

/* Take a choice, which must succeed. */
static const struct storage *take(struct pool *pool, int number, size_t limit)
{
    const struct format_choice choice = choice_of(number, PRECISION_F64);
    const struct storage *storage;
    struct error error = {0};
    if (pool_take(pool, &choice, limit, NULL, &storage, &error) != STATUS_OK) fail_msg("%s", error.message);
    assert_non_null(storage->array[CSR_VAL].data);
    return storage;
}

static bool has(const struct pool *pool, int number)
{
    const struct format_choice choice = choice_of(number, PRECISION_F64);
    return pool_has(pool, &choice);
}

static void keep(struct pool *pool, int number)
{
    const struct format_choice choice = choice_of(number, PRECISION_F64);
    assert_int_equal(pool_keep(pool, &choice, NULL), STATUS_OK);
}

static void all_who_take_a_choice_share_its_storage(void **state)
{
    struct csr a = support_matrix(30, 20, 0.3, false, false, 1), back;
    struct pool pool = {.a = &a};
    const struct storage *one = take(&pool, 1, 0), *two = take(&pool, 2, 0);
    assert_ptr_equal(take(&pool, 1, 0), one);
    assert_ptr_not_equal(one, two);
    assert_int_equal(fills, 2);
    const struct format_choice single = choice_of(1, PRECISION_F32);
    const struct storage *other;
    assert_int_equal(pool_take(&pool, &single, 0, NULL, &other, NULL), STATUS_OK);
    assert_ptr_not_equal(other, one);
    assert_int_equal(other->array[CSR_VAL].element, ELEMENT_F32);
    pool_release(&pool, one);
    assert_true(has(&pool, 1)); /* another user still holds it */
    assert_int_equal(storage_unpack(one, NULL, &back, NULL), STATUS_OK);
    assert_int_equal(csr_nnz(&back), csr_nnz(&a));
    csr_free(&back);
    pool_release(&pool, one);
    assert_false(has(&pool, 1));
    assert_null(one->array[CSR_VAL].data);
    assert_true(has(&pool, 2));
    pool_release(&pool, NULL);
    pool_free(&pool);
    pool_free(&pool);
    csr_free(&a);
}

static void a_choice_is_planned_and_measured_once(void **state)
{
    struct csr a = support_matrix(30, 20, 0.3, false, false, 1);
    struct pool pool = {.a = &a};
    const struct format_choice choice = choice_of(1, PRECISION_F64);
    const struct storage *plan;
    assert_int_equal(pool_plan(&pool, &choice, 0, NULL, &plan, NULL), STATUS_OK);
    assert_null(plan->array[CSR_VAL].data);
    assert_int_equal(plan->array[CSR_VAL].length, csr_nnz(&a));
    assert_int_equal(pool_plan(&pool, &choice, 0, NULL, &plan, NULL), STATUS_OK);
    assert_int_equal(plans, 1);
    assert_int_equal(fills, 0);
    double planning = plan->seconds;
    assert_int_equal(pool_measure(&pool, &choice, 0, NULL, &plan, NULL), STATUS_OK);
    assert_null(plan->array[CSR_VAL].data);
    double seconds = plan->seconds;
    assert_true(seconds > planning);
    assert_int_equal(pool_measure(&pool, &choice, 0, NULL, &plan, NULL), STATUS_OK);
    assert_int_equal(fills, 1);
    assert_true(plan->seconds == seconds);
    /* The arrays were freed, so that taking it converts again. The stated time stays that of the first
     * conversion. */
    const struct storage *storage = take(&pool, 1, 0);
    assert_int_equal(fills, 2);
    assert_int_equal(plans, 1);
    assert_true(storage->seconds == seconds);
    pool_free(&pool);
    csr_free(&a);
}

static void kept_storages_stay_until_released(void **state)
{
    struct csr a = support_matrix(30, 20, 0.3, false, false, 1);
    struct pool pool = {.a = &a};
    keep(&pool, 1);
    keep(&pool, 2);
    assert_false(has(&pool, 1));
    pool_release(&pool, take(&pool, 1, 0));
    pool_release(&pool, take(&pool, 2, 0));
    const struct storage *three = take(&pool, 3, 0);
    assert_true(has(&pool, 1) && has(&pool, 2));
    pool_release(&pool, take(&pool, 1, 0));
    assert_int_equal(fills, 3);
    const struct format_choice one = choice_of(1, PRECISION_F64), never = choice_of(9, PRECISION_F64);
    pool_unkeep(&pool, &one);
    pool_unkeep(&pool, &never);
    assert_false(has(&pool, 1));
    assert_true(has(&pool, 2));
    pool_unkeep_all(&pool);
    assert_false(has(&pool, 2));
    assert_true(has(&pool, 3)); /* a held storage stays */
    keep(&pool, 3);
    pool_release(&pool, three);
    assert_true(has(&pool, 3));
    const struct storage *again = take(&pool, 3, 0);
    pool_unkeep_all(&pool);
    assert_true(has(&pool, 3));
    pool_release(&pool, again);
    assert_false(has(&pool, 3));
    pool_free(&pool);
    csr_free(&a);
}

/* Each storage takes `bytes`. The limit covers held and kept storages, and no other memory. */
static void kept_storages_make_room(void **state)
{
    struct csr a = support_matrix(30, 20, 0.3, false, false, 1);
    struct pool pool = {.a = &a};
    size_t bytes = 4 * (size_t)(a.rows + 1) + 12 * (size_t)csr_nnz(&a);
    for (int k = 1; k <= 3; k++) {
        keep(&pool, k);
        pool_release(&pool, take(&pool, k, 0));
    }
    const struct storage *four = take(&pool, 4, 4 * bytes); /* there is room for all */
    assert_true(has(&pool, 1) && has(&pool, 2) && has(&pool, 3));
    const struct storage *five = take(&pool, 5, 3 * bytes + 1); /* for two of those kept */
    assert_true(!has(&pool, 1) && has(&pool, 2) && has(&pool, 3));
    const struct storage *two = take(&pool, 2, 1); /* it is there, and takes no more */
    const struct format_choice large = choice_of(6, PRECISION_F64);
    const struct storage *plan;
    struct error error = {0};
    assert_int_equal(pool_take(&pool, &large, bytes - 1, NULL, &plan, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "counted:letter=6 would take"));
    assert_int_equal(storage_size(plan).bytes, bytes);
    assert_true(has(&pool, 3)); /* nothing is freed for a storage that exceeds the limit by itself */
    const struct storage *seven = take(&pool, 7, bytes);
    assert_false(has(&pool, 3));
    assert_true(has(&pool, 2)); /* held, and so not freed */
    assert_int_equal(fills, 6);
    pool_release(&pool, take(&pool, 1, 0)); /* converted again, since it was freed to make room */
    assert_int_equal(fills, 7);
    assert_true(has(&pool, 1));
    pool_release(&pool, two);
    pool_release(&pool, four);
    pool_release(&pool, five);
    pool_release(&pool, seven);
    assert_true(has(&pool, 2) && !has(&pool, 4) && !has(&pool, 5) && !has(&pool, 7));
    pool_free(&pool);
    csr_free(&a);
}

static void a_failure_leaves_the_plan(void **state)
{
    struct csr a = support_matrix(30, 20, 0.3, false, false, 1);
    struct pool pool = {.a = &a};
    const struct format_choice choice = choice_of(1, PRECISION_F64);
    const struct storage *plan;
    fails = true;
    assert_int_equal(pool_take(&pool, &choice, 0, NULL, &plan, NULL), STATUS_INPUT);
    assert_non_null(plan);
    assert_null(plan->array[CSR_VAL].data);
    assert_int_equal(pool_measure(&pool, &choice, 0, NULL, &plan, NULL), STATUS_INPUT);
    fails = false;
    pool_release(&pool, take(&pool, 1, 0));
    assert_false(has(&pool, 1));
    assert_int_equal(plans, 1);
    struct format_choice sorted;
    struct progress cancelled = {0};
    assert_int_equal(format_choice_read(format_find("sell"), "sigma=16", PRECISION_F64, &sorted, NULL),
                     STATUS_OK);
    progress_cancel(&cancelled);
    assert_int_equal(pool_take(&pool, &sorted, 0, &cancelled, &plan, NULL), STATUS_CANCELLED);
    assert_null(plan); /* it was not even planned */
    pool_free(&pool);
    csr_free(&a);
}

/* The pool remembers only the last 256 choices that are no longer used. */
static void plans_are_forgotten(void **state)
{
    struct csr a = support_matrix(30, 20, 0.3, false, false, 1);
    struct pool pool = {.a = &a};
    const struct storage *plan;
    const struct storage *held = take(&pool, 0, 0);
    for (int k = 1; k < 600; k++) {
        const struct format_choice choice = choice_of(k, PRECISION_F64);
        assert_int_equal(pool_plan(&pool, &choice, 0, NULL, &plan, NULL), STATUS_OK);
    }
    assert_int_equal(pool.count, 256);
    assert_int_equal(plans, 600);
    const struct format_choice late = choice_of(345, PRECISION_F64), early = choice_of(344, PRECISION_F64);
    assert_int_equal(pool_plan(&pool, &late, 0, NULL, &plan, NULL), STATUS_OK);
    assert_int_equal(plans, 600);
    assert_int_equal(pool_plan(&pool, &early, 0, NULL, &plan, NULL), STATUS_OK);
    assert_int_equal(plans, 601);
    assert_true(has(&pool, 0));
    assert_ptr_equal(take(&pool, 0, 0), held);
    pool_free(&pool);
    csr_free(&a);
}

/* An arrow of n rows has n entries in its first row and column each, n on the diagonal, and 2n - 1 diagonals.
 * DIA takes n (2n - 1) values of 8 bytes, a bit for each beside them, and 2n - 1 offsets; CSR takes
 * 12 (3n - 2) + 4 (n + 1) bytes. With 8191 rows DIA takes less than 1 GiB. */
static void patterns_leave_out_huge_padding(void **state)
{
    static const struct {
        int64_t n;
        bool by_pattern;
        size_t limit;
        enum status status;
        const char *says;
    } cases[] = {
        {8191, true, 100 << 20, STATUS_LIMIT, "the limit is"},
        {8200, true, 0, STATUS_LIMIT, "only a pattern requests it: name the kernel or the format"},
        {8200, true, 100 << 20, STATUS_LIMIT, "the limit is"},
        {8200, false, 100 << 20, STATUS_LIMIT, "the limit is"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char spec[40], times[40];
        const int64_t n = cases[c].n;
        snprintf(spec, sizeof spec, "arrow,n=%lld", (long long)n);
        struct matrix matrix = generated(spec);
        struct pool pool = {.a = &matrix.csr};
        const struct storage *storage;
        struct error error = {0};
        struct format_choice choice = format_choice_default(format_find("dia"), PRECISION_F64);
        choice.by_pattern = cases[c].by_pattern;
        assert_int_equal(pool_take(&pool, &choice, cases[c].limit, NULL, &storage, &error), cases[c].status);
        if (!strstr(error.message, cases[c].says)) fail_msg("%s", error.message);
        assert_true(storage_size(storage).slots == n * (2 * n - 1)); /* its size is known all the same */
        assert_int_equal(pool_outline(&pool, &choice, cases[c].limit, NULL, &storage, NULL), cases[c].status);
        const int64_t slots = n * (2 * n - 1), csr = 12 * (3 * n - 2) + 4 * (n + 1);
        const int64_t bytes = 8 * slots + 8 * ((slots + 63) / 64) + 4 * (2 * n - 1);
        snprintf(times, sizeof times, "%.0f times", (double)bytes / (double)csr);
        if (cases[c].limit == 0 && !strstr(error.message, times)) fail_msg("%s: %s", times, error.message);
        pool_free(&pool);
        matrix_free(&matrix);
    }
}

/* A storage is left out if it takes more than 1 GiB, and more than 100 times the bytes of CSR. */
static void both_bounds_decide(void **state)
{
    const size_t gib = (size_t)1 << 30;
    int64_t offsets[] = {0, 1000000};
    const struct csr small = {.rows = 1, .row_ptr = offsets};
    offsets[1] = 999999; /* CSR takes 12 * 999,999 + 8 = 11,999,996 bytes, and 7,999,999 in f32 */
    assert_false(pool_leaves_out(&small, PRECISION_F64, &(struct format_size){.allocated = gib}));
    assert_false(pool_leaves_out(&small, PRECISION_F64, &(struct format_size){.allocated = 1199999600}));
    assert_true(pool_leaves_out(&small, PRECISION_F64, &(struct format_size){.allocated = 1199999601}));
    assert_true(pool_leaves_out(&small, PRECISION_F32, &(struct format_size){.allocated = 1199999600}));
    offsets[1] = 1;
    assert_false(pool_leaves_out(&small, PRECISION_F64, &(struct format_size){.allocated = gib}));
    assert_true(pool_leaves_out(&small, PRECISION_F64, &(struct format_size){.allocated = gib + 1}));
}

static void every_allocation_may_fail(void **state)
{
    struct csr a = support_matrix(30, 20, 0.3, false, false, 1);
    bool failed = true;
    for (long fail = 0; failed; fail++) {
        struct pool pool = {.a = &a};
        const struct format_choice kept = choice_of(1, PRECISION_F64), taken = choice_of(2, PRECISION_F64);
        const struct storage *storage;
        memory_fail_after(fail);
        enum status status = pool_keep(&pool, &kept, NULL);
        if (status == STATUS_OK) status = pool_measure(&pool, &kept, 0, NULL, &storage, NULL);
        if (status == STATUS_OK) status = pool_take(&pool, &taken, 0, NULL, &storage, NULL);
        failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        pool_free(&pool);
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(all_who_take_a_choice_share_its_storage, begin),
        cmocka_unit_test_setup(a_choice_is_planned_and_measured_once, begin),
        cmocka_unit_test_setup(kept_storages_stay_until_released, begin),
        cmocka_unit_test_setup(kept_storages_make_room, begin),
        cmocka_unit_test_setup(a_failure_leaves_the_plan, begin),
        cmocka_unit_test_setup(plans_are_forgotten, begin),
        cmocka_unit_test(patterns_leave_out_huge_padding),
        cmocka_unit_test(both_bounds_decide),
        cmocka_unit_test_setup(every_allocation_may_fail, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
