/* The order of a partition: its parts become runs of rows, between which as much is exchanged as before. */
#include <stdio.h>
#include <string.h>

#include "analysis/parts/halo.h"
#include "analysis/parts/partition.h"
#include "base/memory.h"
#include "config.h"
#include "matrix/orders/order.h"
#include "matrix/orders/permute.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/parts.h"
#include "support/support.h"

static struct permutation order_by(const char *text, const struct matrix *matrix)
{
    struct order_choice choice;
    struct permutation permutation;
    struct error error = {0};
    if (order_choice_read(text, &choice, &error) != STATUS_OK) fail_msg("%s: %s", text, error.message);
    if (order_compute(&choice, matrix, 0, NULL, &permutation, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.message);
    order_choice_free(&choice);
    return permutation;
}

/* The owners of the new rows ascend, and rows of one part ascend. Runs of rows cut at the same places
 * exchange the elements of the partition, between the same parts. */
static void check_order(const char *partition_text, const char *order_text, const struct matrix *matrix,
                        int64_t parts)
{
    const struct csr *a = &matrix->csr;
    struct partition partition = support_partition(partition_text, a, false, parts);
    struct permutation permutation = order_by(order_text, matrix);
    struct partition runs = {.parts = partition.parts, .rows = a->rows};
    struct halo before, after;
    struct matrix ordered;
    runs.owner = memory_array((size_t)a->rows, sizeof *runs.owner, NULL);
    for (int64_t k = 0; k < a->rows; k++) {
        runs.owner[k] = partition.owner[permutation.from[k]];
        if (k == 0) continue;
        assert_true(runs.owner[k - 1] <= runs.owner[k]);
        if (runs.owner[k - 1] == runs.owner[k]) assert_true(permutation.from[k - 1] < permutation.from[k]);
    }
    assert_int_equal(permutation.apply, a->rows == a->cols ? APPLY_SYMMETRIC : APPLY_ROWS);
    assert_int_equal(permute_matrix(matrix, &permutation, 0, NULL, &ordered, NULL), STATUS_OK);
    assert_int_equal(halo_count(a, &partition, 0, NULL, &before, NULL), STATUS_OK);
    assert_int_equal(halo_count(&ordered.csr, &runs, 0, NULL, &after, NULL), STATUS_OK);
    assert_true(parts == 1 || before.volume > 0);
    assert_int_equal(after.volume, before.volume);
    assert_int_equal(after.messages, before.messages);
    assert_memory_equal(after.pairs, before.pairs, (size_t)before.messages * sizeof *before.pairs);
    assert_memory_equal(after.part, before.part, (size_t)before.parts * sizeof *before.part);
    halo_free(&before);
    halo_free(&after);
    matrix_free(&ordered);
    partition_free(&runs);
    partition_free(&partition);
    permutation_free(&permutation);
}

static void parts_become_runs(void **state)
{
    static const char *const names[] = {"gen:laplace2d,n=20", "gen:powerlaw,scale=8",
                                        "gen:random,m=200,n=90,mean=3"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct matrix matrix;
        assert_int_equal(matrix_load(names[k], &(struct load_options){0}, NULL, &matrix, NULL), STATUS_OK);
        FILE *file = fopen("owners.txt", "w");
        assert_non_null(file);
        for (int64_t i = 0; i < matrix.csr.rows; i++)
            fprintf(file, "%d\n", (int)(i * i % 7));
        fclose(file);
        check_order("file:path=owners.txt", "parts:partition=file:path=owners.txt", &matrix, 7);
        check_order("entries", "parts:parts=5,partition=entries", &matrix, 5);
#ifdef HAVE_METIS
        if (matrix.csr.rows == matrix.csr.cols) {
            check_order("metis", "parts:partition=metis,parts=6", &matrix, 6);
            check_order("metis:objective=cut,seed=3", "parts:partition=metis:objective=cut,seed=3,parts=6",
                        &matrix, 6);
        }
#endif
        matrix_free(&matrix);
    }
}

/* The name of the choice can be read again. */
static void names_are_read_again(void **state)
{
    char name[ORDER_NAME], again[ORDER_NAME];
    struct order_choice choice;
    assert_int_equal(order_choice_read("parts:partition=scotch:seed=5,imbalance=0.1,parts=8", &choice, NULL),
                     STATUS_OK);
    assert_string_equal(choice.values.text, "scotch:seed=5,imbalance=0.1");
    order_choice_name(&choice, name, sizeof name);
    assert_string_equal(name, "parts:parts=8,partition=scotch:seed=5,imbalance=0.1");
    order_choice_free(&choice);
    assert_int_equal(order_choice_read(name, &choice, NULL), STATUS_OK);
    assert_string_equal(order_choice_name(&choice, again, sizeof again), name);
    order_choice_free(&choice);
}

static void other_partitions_are_refused(void **state)
{
    static const struct {
        const char *text, *words;
    } wrong[] = {{"parts", "parts needs a partition: parts:partition=NAME"},
                 {"parts:partition=metid,parts=4", "no partition is called 'metid'"},
                 {"parts:partition=blocks,parts=4", "blocks divides entries, and orders no rows"},
                 {"parts:partition=natural,parts=0", "parts"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct order_choice choice;
        struct error error = {0};
        assert_int_equal(order_choice_read(wrong[k].text, &choice, &error), STATUS_USAGE);
        if (!strstr(error.message, wrong[k].words)) fail_msg("%s: %s", wrong[k].text, error.message);
        order_choice_free(&choice);
    }
}

/* Every allocation fails in turn. */
static void failing_allocations_are_reported(void **state)
{
    struct matrix matrix;
    assert_int_equal(matrix_load("gen:laplace2d,n=6", &(struct load_options){0}, NULL, &matrix, NULL),
                     STATUS_OK);
    for (long k = 0;; k++) {
        struct order_choice choice = {0};
        struct permutation permutation = {0};
        memory_fail_after(k);
        enum status status = order_choice_read("parts:partition=entries,parts=4", &choice, NULL);
        if (status == STATUS_OK) status = order_compute(&choice, &matrix, 0, NULL, &permutation, NULL);
        const long failures = memory_failures();
        memory_fail_after(-1);
        assert_int_equal(status, failures ? STATUS_MEMORY : STATUS_OK);
        permutation_free(&permutation);
        order_choice_free(&choice);
        if (!failures) break;
    }
    matrix_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_become_runs),
        cmocka_unit_test(names_are_read_again),
        cmocka_unit_test(other_partitions_are_refused),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests_name("parts_order", tests, files_begin, files_end);
}
