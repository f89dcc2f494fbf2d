/* The five criteria: by hand, and by counts of the kernels' traces. */
#include <math.h>
#include <string.h>

#include "analysis/warps/coalescing.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/criteria.h"
#include "support/generate.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* By hand. A value has 8 bytes, an index or an offset 4. */

struct example {
    const char *format, *parameters;
    struct criteria criteria;
};

static void check_examples(const struct example *examples, size_t count, const struct csr *a)
{
    for (size_t k = 0; k < count; k++) {
        const struct example *e = &examples[k];
        struct criteria criteria = criteria_found(e->format, e->parameters, a);
        criteria_near(criteria.space, e->criteria.space, e->format, e->parameters, "space");
        criteria_near(criteria.flexibility, e->criteria.flexibility, e->format, e->parameters, "flexibility");
        criteria_near(criteria.accessibility, e->criteria.accessibility, e->format, e->parameters,
                      "accessibility");
        criteria_near(criteria.access, e->criteria.access, e->format, e->parameters, "access");
        criteria_near(criteria.balance, e->criteria.balance, e->format, e->parameters, "balance");
    }
}

/* PMPP's figure 10.1: rows of 2, 0, 3 and 2 entries. Their free positions are 2, 4, 1 and 2.
 *
 * CSR, 104 bytes. A new entry of row 0 moves 5 entries of 12 bytes and changes 4 offsets; of row 1, 5 and 3;
 * of row 2, 2 and 2; of row 3, 0 and 1. In three steps a warp's values touch 2, 2 and 1 sectors, its columns
 * 1 each.
 *
 * ELL, 144 bytes. Only row 2 is full, with one free position: an entry there adds a slot to 3 other rows.
 *
 * JDS, 116 bytes: rows 2, 0, 3, 1, and iter_ptr 0 3 6 7. A new entry of row 2 adds a diagonal and its offset.
 * An entry of row 0 ends diagonal 2 and changes an offset. An entry of row 3 does so too, after rows 3 and 0
 * have changed places: two entries of 12 bytes each, and perm. Row 1 moves 4 entries and changes 3 offsets.
 * Finding a row reads 2.5 elements of perm on average, and 7 / 4 + 1 offsets. The row of an entry takes 2
 * offsets and perm.
 *
 * DIA, 180 bytes: 5 diagonals with 13 of the 16 positions. A new entry elsewhere adds a diagonal, 3 slots of
 * 8 bytes beside its own. Each diagonal is a sector. */
static void by_hand_on_the_book_s_matrix(void **state)
{
    static const double values[] = {3, 0, 1, 0, 0, 0, 0, 0, 0, 2, 4, 1, 1, 0, 0, 1};
    static const struct example examples[] = {
        {"coo", "", {56. / 112, 1, (1. / 7 + 1. / 2) / 2, 112. / 128, 1}},
        {"csr",
         "",
         {56. / 104, 1 - (2 * 76 + 4 * 72 + 1 * 32 + 2 * 4) / (104. * 9), (1. / 3 + 1. / 3) / 2,
          84. / (8 * 32), 7. / 12}},
        {"ell", "", {56. / 144, 1 - 36 / (144. * 9), 1, 84. / (6 * 32), 7. / 12}},
        {"hyb", "k=2", {56. / 112, 1, (1. / 3 + 1. / (1 + 1. / 7)) / 2, 88. / (7 * 32), 7. / 9}},
        {"jds",
         "",
         {56. / 116, 1 - (4 + 2 * (4 + 60) + 4 * 60) / (116. * 9), (1 / 6.25 + 1. / 4) / 2, 84. / (7 * 32),
          7. / 12}},
        {"cmrs",
         "height=2",
         {56. / 103, 1 - ((2 + 4) * (5 * 13 + 8.) + (1 + 2) * 4) / (103. * 9),
          (1 / (1 + 2 + (4 + 6) / 2.) + 1. / 3) / 2, 91. / (7 * 32), 7. / 64}},
        {"dia", "", {56. / 180, 1 - 3 * 24 / (180. * 9), 1, 56. / 160, 1}},
    };
    struct csr a = support_dense(4, 4, values);
    check_examples(examples, sizeof examples / sizeof *examples, &a);
    csr_free(&a);
}

/* The HPCG article's example: rows of 1, 1, 2, 1 and 0 entries on the diagonals -2, 0 and 2, which have 3, 5
 * and 3 positions. The first block row of 2 has one block. The second has three, the last of which contains a
 * column beyond the matrix. The third is empty. */
static void by_hand_on_the_article_s_matrix(void **state)
{
    static const double values[] = {10, 0,  0, 0, 0, 0,  20, 0, 0, 0, 30, 0, 0,
                                    0,  40, 0, 0, 0, 50, 0,  0, 0, 0, 0,  0};
    static const struct example examples[] = {
        {"dia", "", {40. / 132, 1 - 14 * 32 / (132. * 20), 1, 40. / 192, 1}},
        {"bsr", "size=2", {40. / 160, 1 - (6 * 144 + 5 * 28) / (160. * 20), 1. / 3, NAN, 16. / 30}},
        {"sell",
         "",
         {40. / (64 * 12 + 8), 1 - 3 * (31 * 12 + 4) / (776. * 20), (1. / 3 + 1) / 2, 60. / 768, 5. / 10}},
        {"sell",
         "c=2,sigma=4",
         /* rows 2 0 | 1 3 | 4: widths 2 1 0, 6 slots, and perm of 5; row 2 and rows 0, 3 as 2 and 1, 3 as 1;
            row 4's chunk of none gets 2 slots */
         {40. / (6 * 12 + 16 + 20), 1 - (3 * (3 * 12 + 12.) + 8 * (12 + 8.) + 5 * (12 + 4.)) / (108. * 20),
          (1 / (3 + (4 * 2.5 + 1) / 5) + 1. / 4) / 2, NAN, 5. / 10}},
    };
    struct csr a = support_dense(5, 5, values);
    check_examples(examples, sizeof examples / sizeof *examples, &a);
    csr_free(&a);
}

/* Memory access, by the traces of the kernels */

static const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448};

static const struct {
    const char *format, *parameters, *kernel, *own;
    bool values; /* only values are compared: the kernel reads columns from a table of its own */
} traced[] = {
    {"coo", "", "cuda/coo-atomic", "", false},
    {"csr", "", "cuda/csr-scalar", "", false},
    {"csc", "", "cuda/csc-atomic", "threads=1", false},
    {"ell", "", "cuda/ell-padded", "", false},
    {"ell", "layout=rows", "cuda/ell-rowmajor", "", false},
    {"hyb", "k=3", "cuda/hyb", "", false},
    {"jds", "", "cuda/jds", "", false},
    {"jds", "longest=9", "cuda/jds", "", false},
    {"jds", "sections=equal,height=32", "cuda/jds-sections", "", false},
    {"jds", "sections=share,inside=csr", "cuda/jds-sections", "", false},
    {"cmrs", "height=5", "cuda/cmrs", "", false},
    {"cmrs", "packed=1", "cuda/cmrs", "", false},
    {"cmrs", "modulo=8", "cuda/cmrs-padded", "", false},
    {"sell", "sigma=64", "cuda/sell", "", true},
    {"dia", "", "cuda/dia", "", true},
};

static const struct kernel *kernel_called(const char *name)
{
    for (int k = 0; kernels[k]; k++) {
        struct text text = {0};
        kernel_name(kernels[k], &text);
        bool same = strcmp(text.data, name) == 0;
        text_free(&text);
        if (same) return kernels[k];
    }
    fail_msg("there is no %s", name);
    return NULL;
}

/* The share of useful bytes in the moved sectors, for the operands with an element per slot. The rows (perm)
 * of sorted formats are left out: a kernel loads them once a row, not once a slot. */
static double access_by_trace(const struct storage *storage, size_t k)
{
    struct device device;
    struct launch launch;
    struct coalescing count;
    struct error error = {0};
    bool rows = strcmp(traced[k].format, "jds") != 0 && strcmp(traced[k].format, "sell") != 0;
    paper_open(&facts, &device);
    if (preparing_on_paper(&device, kernel_called(traced[k].kernel), traced[k].own, storage,
                           &(struct preparing){0}, &launch, &error) != STATUS_OK ||
        coalescing_count(&launch, 1, 1, &count, NULL, NULL, &error) != STATUS_OK)
        fail_msg("%s: %s", traced[k].kernel, error.message);
    double useful = 0, sectors = 0;
    for (int o = OPERAND_VALUES; o <= (rows ? OPERAND_ROWS : OPERAND_COLUMNS); o++) {
        if (traced[k].values && o != OPERAND_VALUES) continue;
        useful += (double)count.count[ACCESS_LOAD][o].useful;
        sectors += (double)count.count[ACCESS_LOAD][o].sectors;
    }
    kernel_release(&launch);
    device_close(&device);
    return useful / (32 * sectors);
}

static void check_traces(const struct csr *a)
{
    for (int p = 0; p < 2; p++)
        for (size_t k = 0; k < sizeof traced / sizeof *traced; k++) {
            struct storage storage =
                criteria_stored(traced[k].format, traced[k].parameters, (enum precision)p, a);
            /* JDS's second part loads its rows together with perm, so that the counts cannot separate them */
            if (!storage.slots[1] || strcmp(traced[k].format, "jds") != 0)
                criteria_near(criteria_of_storage(&storage, a).access, access_by_trace(&storage, k),
                              traced[k].format, traced[k].parameters, "access");
            storage_free(&storage);
        }
}

static void access_is_what_traces_count(void **state)
{
    struct csr skewed = support_matrix(203, 90, 0.1, true, false, 4);
    struct csr thin = support_matrix(1000, 1001, 0.002, false, false, 6);
    struct matrix powerlaw = generated("powerlaw,scale=11,edge=7");
    check_traces(&skewed);
    check_traces(&thin);
    check_traces(&powerlaw.csr);
    matrix_free(&powerlaw);
    csr_free(&thin);
    csr_free(&skewed);
}

/* Everything else */

/* sss stores symmetric matrices only, and is rated by its space alone. */
static bool is_half(const struct format *format)
{
    return strcmp(format->name, "sss") == 0;
}

static void half_a_matrix_is_rated_by_its_space(void **state)
{
    /* 2 x 2: 3 stored values of 8 bytes, a column and 3 offsets of 4. */
    static const double dense[] = {1, 2, 2, 3};
    struct csr a = support_dense(2, 2, dense);
    struct criteria found = criteria_found("sss", "", &a);
    assert_true(found.space == 24. / (24 + 4 + 12));
    assert_true(isnan(found.flexibility) && isnan(found.balance));
    csr_free(&a);
}

/* For all variants: criteria are shares, equal from the plan and from the built storage, and from one thread
 * and from four. */
static void all_are_shares_and_known_from_the_plan(void **state)
{
    struct matrix matrix = generated("powerlaw,scale=15,edge=6");
    for (int f = 0; formats[f]; f++)
        for (int v = 0; formats[f]->variants[v]; v++) {
            struct storage plan, built;
            if (is_half(formats[f])) continue;
            enum status status = storing_plan(formats[f], formats[f]->variants[v], &(struct storing){0},
                                              &matrix.csr, NULL, &plan, NULL);
            assert_int_equal(status, STATUS_OK);
            threads_set(4);
            const struct criteria four = criteria_of_storage(&plan, &matrix.csr);
            threads_set(1);
            const struct criteria one = criteria_of_storage(&plan, &matrix.csr);
            threads_set(0);
            assert_memory_equal(&four, &one, sizeof one);
            const double *number = &four.space;
            for (int k = 0; k < CRITERIA; k++)
                assert_true(isnan(number[k]) || (number[k] >= 0 && number[k] <= 1));
            if (isnan(four.space + four.flexibility + four.accessibility + four.balance))
                fail_msg("%s:%s is not rated: state its rules (formats/criteria_rules.h) in the descriptor",
                         formats[f]->name, formats[f]->variants[v]);
            if (plan.slots[0] < 10000000) {
                built =
                    criteria_stored(formats[f]->name, formats[f]->variants[v], PRECISION_F64, &matrix.csr);
                const struct criteria same = criteria_of_storage(&built, &matrix.csr);
                assert_memory_equal(&same, &one, sizeof one);
                storage_free(&built);
            }
            storage_free(&plan);
        }
    matrix_free(&matrix);
}

static void criteria_of_nothing_are_unknown(void **state)
{
    static const double ones[] = {1, 1, 1, 1, 1, 1};
    struct csr empty = support_dense(3, 2, (const double[6]){0}), full = support_dense(3, 2, ones);
    struct csr complex = support_matrix(40, 30, 0.1, false, true, 8);
    for (int f = 0; formats[f]; f++) {
        if (is_half(formats[f])) continue;
        struct criteria none = criteria_found(formats[f]->name, "", &empty);
        assert_true(isnan(none.space) && isnan(none.flexibility) && isnan(none.accessibility) &&
                    isnan(none.access) && isnan(none.balance));
        struct criteria no_place = criteria_found(formats[f]->name, "", &full);
        assert_true(isnan(no_place.flexibility) && no_place.balance > 0);
        struct criteria no_kernel = criteria_found(formats[f]->name, "", &complex);
        assert_true(isnan(no_kernel.access) && no_kernel.flexibility > 0 && no_kernel.balance > 0);
    }
    csr_free(&complex);
    csr_free(&full);
    csr_free(&empty);
}

/* A criterion that needs memory is unknown without it; others are known. Returns true if memory was
 * needed. */
static bool check_without_memory(const struct format *format, const char *parameters, const struct csr *a)
{
    struct storage storage = criteria_stored(format->name, parameters, PRECISION_F64, a);
    bool failed = true, ever = false;
    for (long fail = 0; failed; fail++) {
        struct criteria criteria;
        memory_fail_after(fail);
        enum status status = criteria_of(&storage, a, NULL, &criteria, NULL);
        failed = memory_failures() > 0;
        memory_fail_after(-1);
        ever |= failed;
        assert_int_equal(status, STATUS_OK);
        if (!(criteria.space > 0) || isnan(criteria.balance) != failed)
            fail_msg("%s:%s with %ld allocations: balance %g", format->name, parameters, fail,
                     criteria.balance);
    }
    storage_free(&storage);
    return ever;
}

static void without_memory_they_are_unknown(void **state)
{
    static const char *const needing[][2] = {{"csc", ""},          {"jds", ""},  {"jds", "sections=equal"},
                                             {"sell", "sigma=64"}, {"cmrs", ""}, {"bsr", ""}};
    struct csr a = support_matrix(60, 50, 0.1, true, false, 2);
    for (size_t k = 0; k < sizeof needing / sizeof *needing; k++)
        assert_true(check_without_memory(format_find(needing[k][0]), needing[k][1], &a));
    for (int f = 0; formats[f]; f++)
        for (int v = 0; formats[f]->variants[v] && !is_half(formats[f]); v++)
            check_without_memory(formats[f], formats[f]->variants[v], &a);
    csr_free(&a);
}

static void they_can_be_cancelled(void **state)
{
    struct csr a = support_matrix(60, 50, 0.1, true, false, 2);
    for (int f = 0; formats[f]; f++) {
        if (is_half(formats[f])) continue;
        struct storage storage = criteria_stored(formats[f]->name, "", PRECISION_F64, &a);
        struct progress progress = {0};
        struct criteria criteria;
        struct error error = {0};
        progress_cancel(&progress);
        assert_int_equal(criteria_of(&storage, &a, &progress, &criteria, &error), STATUS_CANCELLED);
        assert_int_equal(error.status, STATUS_CANCELLED);
        storage_free(&storage);
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand_on_the_book_s_matrix),
        cmocka_unit_test(by_hand_on_the_article_s_matrix),
        cmocka_unit_test(access_is_what_traces_count),
        cmocka_unit_test(half_a_matrix_is_rated_by_its_space),
        cmocka_unit_test(all_are_shares_and_known_from_the_plan),
        cmocka_unit_test(criteria_of_nothing_are_unknown),
        cmocka_unit_test(without_memory_they_are_unknown),
        cmocka_unit_test(they_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
