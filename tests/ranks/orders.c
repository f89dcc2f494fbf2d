/* ranks/orders, run by any number of ranks: shares of a matrix in another order, compared with the reordered
 * matrix of one process, element for element. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/orders/permute.h"
#include "ranks/orders/orders.h"
#include "ranks/tests.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/support.h"

static struct ranks ranks;

static void check_rows(const char *name, const struct matrix *whole, const struct share *share)
{
    const struct csr *a = &whole->csr, *own = &share->own;
    const int64_t nnz = csr_nnz(own);
    int64_t *cuts = malloc(((size_t)ranks.count + 1) * sizeof *cuts);
    share_cut(a->row_ptr, a->rows, ranks.count, cuts);
    assert_memory_equal(share->cuts, cuts, ((size_t)ranks.count + 1) * sizeof *cuts);
    free(cuts);
    assert_int_equal(share->rows, a->rows);
    assert_int_equal(share->cols, a->cols);
    assert_int_equal(share->nnz, csr_nnz(a));
    assert_int_equal(share->first, share->cuts[ranks.rank]);
    assert_int_equal(share->last, share->cuts[ranks.rank + 1]);
    assert_int_equal(own->rows, share->last - share->first);
    assert_int_equal(own->cols, a->cols);
    assert_int_equal(share->before, a->row_ptr[share->first]);
    for (int64_t i = 0; i <= own->rows; i++)
        assert_int_equal(own->row_ptr[i], a->row_ptr[share->first + i] - share->before);
    if (memcmp(own->col, a->col + share->before, (size_t)nnz * sizeof *own->col) != 0)
        fail_msg("%s: columns", name);
    if (memcmp(own->val, a->val + share->before, (size_t)nnz * sizeof *own->val) != 0)
        fail_msg("%s: values", name);
    assert_int_equal(own->imaginary != NULL, a->imaginary != NULL);
    if (own->imaginary)
        assert_memory_equal(own->imaginary, a->imaginary + share->before,
                            (size_t)nnz * sizeof *own->imaginary);
}

/* All ranks know the field and the symmetry; rank 0 knows all that one process does, and the permutation. */
static void check_words(const struct matrix *whole, const struct permutation *permutation,
                        const struct order_choice *choice, const struct share *share,
                        const struct reordering *reordering)
{
    const struct matrix *m = &share->matrix;
    char name[ORDER_NAME];
    assert_int_equal(m->field, whole->field);
    assert_int_equal(m->symmetry, whole->symmetry);
    if (ranks.rank != 0) return;
    assert_string_equal(m->name, whole->name);
    assert_string_equal(m->path, whole->path);
    assert_string_equal(m->format, whole->format);
    assert_int_equal(m->stored, whole->stored);
    assert_int_equal(m->explicit_zeros, whole->explicit_zeros);
    assert_string_equal(reordering->name, order_choice_name(choice, name, sizeof name));
    assert_int_equal(reordering->permutation.apply, permutation->apply);
    assert_int_equal(reordering->permutation.count, permutation->count);
    assert_memory_equal(reordering->permutation.from, permutation->from,
                        (size_t)permutation->count * sizeof *permutation->from);
    assert_true(reordering->order_seconds > 0 && reordering->reorder_seconds > 0);
}

/* What rank 0 has of the whole matrix beside its share: nothing, the offsets of rows, or also the columns. */
enum { HAS_NOTHING, HAS_OFFSETS, HAS_COLUMNS, HAS_COUNT };

static struct matrix described(const struct matrix *whole, int has)
{
    struct matrix matrix = *whole;
    matrix.csr = (struct csr){.rows = whole->csr.rows, .cols = whole->csr.cols};
    if (has >= HAS_OFFSETS) matrix.csr.row_ptr = whole->csr.row_ptr;
    if (has == HAS_COLUMNS) matrix.csr.col = whole->csr.col;
    return matrix;
}

/* Compare one order with that of one process, or the reason why there is none. */
static void compare(const struct matrix *whole, const char *text, int has)
{
    const struct matrix natural = described(whole, has);
    struct order_choice choice = {0}, asked = {0};
    struct permutation permutation = {0};
    struct reordering reordering;
    struct matrix wanted = {0};
    struct share share, moved;
    struct error error = {0}, refusal = {0};
    assert_int_equal(order_choice_read(text, &choice, &error), STATUS_OK);
    assert_int_equal(order_choice_read(text, &asked, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, whole, &share, &error), STATUS_OK);
    const enum status right = order_compute(&choice, whole, 0, NULL, &permutation, &refusal);
    const enum status status = share_reordered(&ranks, &share, ranks.rank == 0 ? &natural : NULL, &asked, 0,
                                               &moved, &reordering, &error);
    if (status != right)
        fail_msg("%s of %s: status %d (%s), should be %d (%s)", text, whole->name, status, error.message,
                 right, refusal.message);
    if (right == STATUS_OK) {
        assert_int_equal(permute_matrix(whole, &permutation, 0, NULL, &wanted, &error), STATUS_OK);
        check_rows(text, &wanted, &moved);
        check_words(&wanted, &permutation, &choice, &moved, &reordering);
    } else {
        char name[ORDER_NAME];
        assert_string_equal(error.message, refusal.message);
        assert_string_equal(reordering.name, order_choice_name(&choice, name, sizeof name));
    }
    reordering_free(&reordering);
    share_free(&moved);
    share_free(&share);
    matrix_free(&wanted);
    permutation_free(&permutation);
    order_choice_free(&choice);
    order_choice_free(&asked);
}

static const char *const tried[] = {"natural",
                                    "length",
                                    "length:apply=symmetric,ascending=1",
                                    "rcm",
                                    "amd",
                                    "colamd",
                                    "cluster",
                                    "components",
                                    "components:apply=each",
                                    "strong",
                                    "blocks",
                                    "levels",
                                    "colours",
                                    "random",
                                    "random:apply=columns",
                                    "random:apply=each",
                                    "file:path=order.txt,apply=rows"};

/* Compare all orders of a matrix, but those of METIS, which take a process each. */
static void compare_all(const struct matrix *whole)
{
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++)
        compare(whole, tried[k], (int)(k % HAS_COUNT));
}

/* A mesh, an unsymmetric pattern with empty rows, rectangles of both kinds, a row. */
static void test_generated(void **state)
{
    static const char *const names[] = {"gen:laplace2d,n=17", "gen:random,m=120,n=120,mean=1,spread=1",
                                        "gen:random,m=90,n=130,mean=2", "gen:random,m=130,n=40,mean=2",
                                        "gen:random,m=1,n=50,mean=8"};
    const struct load_options options = {0};
    struct error error = {0};
    if (ranks.rank == 0) files_write("order.txt", "3\n1\n2\n", 6);
    ranks_agree(&ranks, STATUS_OK, &error);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        struct matrix whole;
        assert_int_equal(matrix_load(names[k], &options, NULL, &whole, &error), STATUS_OK);
        compare_all(&whole);
        if (k == 0) compare(&whole, "nd", HAS_NOTHING);
        if (k == 2) compare(&whole, "kway", HAS_NOTHING); /* refused, by the name that it would have */
        matrix_free(&whole);
    }
}

/* Symmetric, skew-symmetric and hermitian files, complex values, duplicates, a matrix without entries, one
 * whose entries are all in one row, and a permutation of three lines from a file. */
static void test_files(void **state)
{
    static const char *const texts[] = {
        "%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n1 1 2\n2 1 -1.5\n4 3 1e-3\n4 4 0\n3 3 7\n",
        "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 3\n3 1 -1\n",
        "%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 2 0\n2 1 1 -1\n3 2 0 4\n",
        "%%MatrixMarket matrix coordinate integer general\n2 3 4\n1 1 1\n1 1 2\n2 3 5\n2 3 -5\n",
        "%%MatrixMarket matrix coordinate real general\n3 3 0\n",
        "%%MatrixMarket matrix coordinate real general\n6 6 6\n3 6 1\n3 2 2\n3 3 3\n3 4 4\n3 5 5\n3 1 6\n"};
    const struct load_options options = {0};
    struct error error = {0};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct matrix whole;
        if (ranks.rank == 0) files_write("small.mtx", texts[k], strlen(texts[k]));
        ranks_agree(&ranks, STATUS_OK, &error);
        assert_int_equal(matrix_load("small.mtx", &options, NULL, &whole, &error), STATUS_OK);
        ranks_agree(&ranks, STATUS_OK, &error);
        compare_all(&whole);
        matrix_free(&whole);
    }
}

/* Count the entries of the lower triangle of the Cholesky factor of A + A^T by eliminating row after row. */
static int64_t eliminate(const struct csr *a)
{
    const size_t n = (size_t)a->rows;
    char *filled = calloc(n * n, 1);
    int64_t count = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            filled[(size_t)i * n + (size_t)a->col[k]] = filled[(size_t)a->col[k] * n + (size_t)i] = 1;
    for (size_t v = 0; v < n; v++) {
        count++;
        for (size_t i = v + 1; i < n; i++) {
            if (!filled[i * n + v]) continue;
            count++;
            for (size_t j = v + 1; j < n; j++)
                filled[i * n + j] |= filled[v * n + j];
        }
    }
    free(filled);
    return count;
}

/* Let all ranks find PT-Scotch's order, check their rows, and return the permutation, which the caller frees.
 */
static int32_t *dissected(const struct matrix *whole, const char *text)
{
    const struct matrix natural = described(whole, HAS_NOTHING);
    struct order_choice choice = {0};
    struct reordering reordering;
    struct matrix wanted;
    struct share share, moved;
    struct error error = {0};
    assert_int_equal(order_choice_read(text, &choice, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, whole, &share, &error), STATUS_OK);
    if (share_reordered(&ranks, &share, ranks.rank == 0 ? &natural : NULL, &choice, 0, &moved, &reordering,
                        &error) != STATUS_OK)
        fail_msg("%s of %s: %s", text, whole->name, error.message);
    struct permutation *found = &reordering.permutation;
    const size_t bytes = (size_t)whole->csr.rows * sizeof *found->from;
    struct permutation permutation = {
        .count = whole->csr.rows, .from = malloc(bytes + 1), .apply = APPLY_SYMMETRIC};
    if (ranks.rank == 0) {
        assert_int_equal(found->count, permutation.count);
        assert_int_equal(found->apply, APPLY_SYMMETRIC);
        memcpy(permutation.from, found->from, bytes);
    }
    ranks_broadcast(&ranks, 0, permutation.from, bytes);
    assert_int_equal(permutation_check(&permutation, &error), STATUS_OK);
    assert_int_equal(permute_matrix(whole, &permutation, 0, NULL, &wanted, &error), STATUS_OK);
    check_rows(whole->name, &wanted, &moved);
    matrix_free(&wanted);
    reordering_free(&reordering);
    share_free(&moved);
    share_free(&share);
    order_choice_free(&choice);
    return permutation.from;
}

/* Return the fill of the matrix in this order. */
static int64_t fill_of(const struct matrix *whole, int32_t *from)
{
    const struct permutation permutation = {.count = whole->csr.rows, .from = from, .apply = APPLY_SYMMETRIC};
    struct matrix ordered;
    struct error error = {0};
    assert_int_equal(permute_matrix(whole, &permutation, 0, NULL, &ordered, &error), STATUS_OK);
    const int64_t fill = eliminate(&ordered.csr);
    matrix_free(&ordered);
    return fill;
}

static const struct order *pt_scotch(void)
{
    int k = 0;
    while (strcmp(orders[k]->name, "ptscotch") != 0)
        k++;
    return orders[k];
}

/* Meshes, unsymmetric patterns with empty rows, few rows, no entries but the diagonal: every order is a
 * permutation, the same each time, and that of a mesh has less fill than the mesh row by row. */
static void test_ptscotch(void **state)
{
    static const char *const names[] = {"gen:laplace2d,n=32",   "gen:random,m=120,n=120,mean=1,spread=1",
                                        "gen:powerlaw,scale=6", "gen:laplace2d,n=1",
                                        "gen:dense,m=3",        "gen:banded,n=30,lower=0,upper=0"};
    const struct load_options options = {0};
    const struct order *order = pt_scotch();
    struct error error = {0};
    struct matrix whole;
    if (order->absent) skip();
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        assert_int_equal(matrix_load(names[k], &options, NULL, &whole, &error), STATUS_OK);
        const size_t bytes = (size_t)whole.csr.rows * sizeof(int32_t);
        int32_t *first = dissected(&whole, "ptscotch"), *second = dissected(&whole, "ptscotch"),
                *other = dissected(&whole, "ptscotch:seed=3");
        assert_memory_equal(first, second, bytes);
        if (k == 0) {
            const int64_t natural = eliminate(&whole.csr);
            assert_true(3 * fill_of(&whole, first) < 2 * natural);
            assert_true(3 * fill_of(&whole, other) < 2 * natural);
            if (ranks.count > 1) assert_memory_not_equal(first, other, bytes);
        }
        free(first);
        free(second);
        free(other);
        matrix_free(&whole);
    }
    /* One process, and rectangles, are refused. */
    assert_int_equal(order_check(order, &error), STATUS_OK);
    assert_int_equal(order_check_alone(order, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "mpirun -n 8 sparsight-mpi report --reorder=ptscotch"));
}

/* A pattern that rank 0 has no room for is refused with the remedy, and so are the numbers of all rows. */
static void test_limits(void **state)
{
    static const struct {
        const char *order, *says;
    } cases[] = {{"rcm", "which rank 0 gathers for the order rcm, needs"},
                 {"rcm", "give it more by --limit"},
                 {"rcm", "what the matrix in its natural order leaves of --limit"},
                 {"rcm", "'sparsight convert --reorder=rcm IN OUT'"},
                 {"random", "which rank 0 gathers for the order random, needs"},
                 {"ptscotch", "the permutation, which rank 0 gathers from all ranks, needs"}};
    const struct load_options options = {0};
    struct matrix whole;
    struct share share, moved;
    struct error error = {0};
    assert_int_equal(matrix_load("gen:laplace2d,n=30", &options, NULL, &whole, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, &whole, &share, &error), STATUS_OK);
    const struct matrix natural = described(&whole, HAS_NOTHING);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct order_choice choice = {0};
        struct reordering reordering;
        error_clear(&error);
        assert_int_equal(order_choice_read(cases[k].order, &choice, &error), STATUS_OK);
        if (choice.order->absent) continue;
        assert_int_equal(share_reordered(&ranks, &share, &natural, &choice, 1, &moved, &reordering, &error),
                         STATUS_LIMIT);
        if (!strstr(error.message, cases[k].says))
            fail_msg("\"%s\" is not in \"%s\"", cases[k].says, error.message);
        assert_null(moved.cuts);
        reordering_free(&reordering);
        order_choice_free(&choice);
    }
    share_free(&share);
    matrix_free(&whole);
}

/* Let allocation k of one rank fail. Returns whether it did; then all ranks say so, and none waits for
 * another. Only the time of permuting vectors may do without memory. */
static bool fail_once(const struct matrix *whole, const char *text, int victim, int k)
{
    const struct matrix natural = described(whole, HAS_NOTHING);
    struct error error = {0};
    struct order_choice choice = {0};
    struct reordering reordering;
    struct share share, moved;
    assert_int_equal(order_choice_read(text, &choice, &error), STATUS_OK);
    assert_int_equal(share_of_matrix(&ranks, whole, &share, &error), STATUS_OK);
    if (ranks.rank == victim) memory_fail_after(k);
    const enum status status =
        share_reordered(&ranks, &share, &natural, &choice, 0, &moved, &reordering, &error);
    int64_t failed = memory_failures();
    memory_fail_after(-1);
    ranks_max(&ranks, &failed, 1);
    int64_t untimed = ranks.rank == 0 && isnan(reordering.permute_seconds);
    ranks_max(&ranks, &untimed, 1);
    assert_int_equal(status, failed && !untimed ? STATUS_MEMORY : STATUS_OK);
    assert_int_equal(error.status, status);
    assert_true(status == STATUS_OK || !moved.cuts);
    reordering_free(&reordering);
    order_choice_free(&choice);
    share_free(&share);
    share_free(&moved);
    return failed;
}

/* Every allocation of each rank fails once with one rank and with two; with more, every fifth of the first
 * rank and of the last. */
static void test_failing_allocations(void **state)
{
    const char *names[] = {"rcm", "components:apply=each", pt_scotch()->absent ? "rcm" : "ptscotch"};
    const bool many = ranks.count > 2;
    const struct load_options options = {0};
    struct matrix whole;
    struct error error = {0};
    assert_int_equal(matrix_load("gen:powerlaw,scale=5", &options, NULL, &whole, &error), STATUS_OK);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int victim = 0; victim < ranks.count; victim += many ? ranks.count - 1 : 1) {
            int k = 0;
            while (fail_once(&whole, names[n], victim, k))
                k += many ? 5 : 1;
            assert_true(k > 10);
        }
    matrix_free(&whole);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_generated), cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_ptscotch), cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_failing_allocations)};
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    threads_set(1); /* the ranks share the processors */
    return ranks_run_tests(&ranks, "ranks/orders", tests, sizeof tests / sizeof *tests);
}
