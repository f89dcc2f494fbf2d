/* ranks/product, run by any number of ranks: the plan compared with halo_count of the whole matrix, products
 * of every kernel of processors compared with those of one process, and wrong exchanges that must be
 * noticed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/halo.h"
#include "base/threads.h"
#include "kernels/libraries/backends.h"
#include "kernels/timing/operands.h"
#include "matrix/matrix.h"
#include "ranks/parts/parts.h"
#include "ranks/product/bench.h"
#include "ranks/product/joint.h"
#include "ranks/product/owners.h"
#include "ranks/product/plan.h"
#include "ranks/tests.h"
#include "ranks/transpose.h"
#include "support/cmocka.h"

static struct ranks ranks;

/* Square and rectangular ones, one with long rows, with empty rows, of fewer rows than ranks, complex, and
 * without entries. */
static const char *const matrices[] = {
    "gen:laplace2d,n=20",
    "gen:powerlaw,scale=9",
    "gen:random,m=30,n=90,mean=4",
    "gen:random,m=90,n=30,mean=2",
    "gen:random,m=3,n=4,mean=2",
    "gen:stencil27,n=5",
    "complex",
    "empty",
    NULL,
};

/* A complex matrix, A = L + i L for the Laplacian L, and one without entries. */
static void load(const char *name, struct matrix *matrix)
{
    struct error error = {0};
    const struct load_options options = {0};
    bool complex = strcmp(name, "complex") == 0, empty = strcmp(name, "empty") == 0;
    const char *source = complex ? "gen:laplace2d,n=9" : empty ? "gen:random,m=7,n=7,mean=0" : name;
    assert_int_equal(matrix_load(source, &options, NULL, matrix, &error), STATUS_OK);
    if (!complex) return;
    int64_t nnz = csr_nnz(&matrix->csr);
    matrix->csr.imaginary = malloc((size_t)nnz * sizeof(double));
    for (int64_t k = 0; k < nnz; k++)
        matrix->csr.imaginary[k] = matrix->csr.val[k] + (double)k;
    matrix->field = FIELD_COMPLEX;
}

static void share_whole(const struct matrix *whole, struct share *share)
{
    struct error error = {0};
    assert_int_equal(share_of_matrix(&ranks, whole, share, &error), STATUS_OK);
}

/* The result of halo_count for the whole matrix, divided like the share. */
static void count_whole(const struct csr *a, const struct share *share, struct halo *halo)
{
    struct error error = {0};
    struct partition partition = {.parts = ranks.count, .rows = a->rows};
    partition.owner = malloc((size_t)a->rows * sizeof *partition.owner + 1);
    for (int r = 0; r < ranks.count; r++)
        for (int64_t i = share->cuts[r]; i < share->cuts[r + 1]; i++)
            partition.owner[i] = r;
    assert_int_equal(halo_count(a, &partition, 0, NULL, halo, &error), STATUS_OK);
    partition_free(&partition);
}

static void check_halo(const struct halo *expected, const struct halo *halo)
{
    assert_int_equal(halo->parts, expected->parts);
    assert_int_equal(halo->messages, expected->messages);
    for (int64_t p = 0; p < halo->parts; p++)
        assert_memory_equal(&halo->part[p], &expected->part[p], sizeof halo->part[p]);
    for (int64_t k = 0; k < halo->messages; k++)
        assert_memory_equal(&halo->pairs[k], &expected->pairs[k], sizeof halo->pairs[k]);
    assert_int_equal(halo->volume, expected->volume);
    assert_int_equal(halo->cut, expected->cut);
    assert_int_equal(halo->largest_halo, expected->largest_halo);
    assert_int_equal(halo->most_neighbours, expected->most_neighbours);
    assert_int_equal(halo->most_rows, expected->most_rows);
    assert_int_equal(halo->most_entries, expected->most_entries);
    assert_true(halo->imbalance == expected->imbalance);
}

static void test_plan(void **state)
{
    for (int k = 0; matrices[k]; k++) {
        struct matrix whole;
        struct share share;
        struct plan plan;
        struct halo halo, expected;
        struct error error = {0};
        load(matrices[k], &whole);
        share_whole(&whole, &share);
        assert_int_equal(plan_make(&ranks, &share, &plan, &error), STATUS_OK);
        assert_int_equal(plan_halo(&ranks, &share, &plan, &halo, &error), STATUS_OK);
        count_whole(&whole.csr, &share, &expected);
        check_halo(&expected, &halo);
        assert_int_equal(plan.halo, expected.part[ranks.rank].receives);
        assert_int_equal(plan.sends, expected.part[ranks.rank].sends);
        halo_free(&halo);
        halo_free(&expected);
        plan_free(&plan);
        share_free(&share);
        matrix_free(&whole);
    }
}

static int64_t rows_of(int r, const void *share)
{
    const struct share *of = share;
    return of->cuts[r + 1] - of->cuts[r];
}

/* Gather the ranks' parts of y on rank 0, vector by vector, and compare them with `expected` of one
 * process. */
static void check_whole(const struct share *share, const struct operands *vectors,
                        const struct reference *expected)
{
    size_t width = (size_t)value_width(vectors->precision, vectors->complex), sizes[64];
    const struct product product = vectors->product;
    size_t columns = (size_t)product_columns(product), runs = product.by_rows ? 1 : columns;
    size_t wide = product.by_rows ? width * columns : width;
    char *y = malloc((size_t)share->rows * columns * width + 1);
    for (size_t c = 0; c < runs; c++) {
        for (int r = 0; r < ranks.count; r++)
            sizes[r] = (size_t)rows_of(r, share) * wide;
        ranks_join(&ranks, 0, (const char *)vectors->y + c * sizes[ranks.rank], sizes,
                   y + c * (size_t)share->rows * wide);
    }
    if (ranks.rank == 0) {
        struct error error = {0};
        double most;
        if (reference_check(expected, y, &most, &error) != STATUS_OK) fail_msg("%s", error.message);
    }
    free(y);
}

/* Compute a product by this kernel, and compare it with the reference that the ranks have made, and with that
 * of one process on the same vectors. */
static void check_product(struct split *split, const struct csr *a, const struct kernel_choice *choice,
                          struct product product)
{
    const struct joint_options options = {.product = product};
    const struct operands_options wanted = {.product = product, .seed = 5};
    enum precision precision = choice->format.precision;
    struct operands operands = {0};
    struct operands vectors = {0};
    struct joint joint;
    struct error error = {0};
    double most;
    assert_int_equal(vectors_make(split, precision, product, 5, 0, &vectors, &error), STATUS_OK);
    assert_int_equal(operands_make(&operands, a, precision, &wanted, NULL, &error), STATUS_OK);
    enum status status = ranks_agree(
        &ranks, joint_prepare(split, choice, &options, &vectors, NULL, NULL, &joint, &error), &error);
    if (status == STATUS_OK) {
        assert_int_equal(operands_poison(&vectors, NULL, &error), STATUS_OK);
        assert_int_equal(joint_run(&joint, 1, NULL, &error), STATUS_OK);
        if (operands_check(&vectors, NULL, &most, &error) != STATUS_OK) fail_msg("%s", error.message);
        check_whole(split->share, &vectors, &operands.reference);
    } else if (status != STATUS_UNAVAILABLE && !(status == STATUS_LIMIT && choice->format.format->whole)) {
        fail_msg("%s", error.message); /* a share of a matrix need not be symmetric */
    }
    joint_release(&joint);
    operands_free(&vectors);
    operands_free(&operands);
}

static const struct product products[] = {
    {0}, {.accumulate = true}, {.columns = 3}, {.columns = 3, .by_rows = true, .accumulate = true}};

static void test_products(void **state)
{
    for (int m = 0; matrices[m]; m++) {
        struct matrix whole;
        struct share share;
        struct split split;
        struct error error = {0};
        load(matrices[m], &whole);
        share_whole(&whole, &share);
        assert_int_equal(split_make(&ranks, &share, 0, &split, &error), STATUS_OK);
        for (int k = 0; kernels[k]; k++) {
            if (!backend_is_own(kernels[k]->backend)) continue;
            for (size_t p = 0; p < sizeof products / sizeof *products; p++) {
                struct kernel_choice choice;
                if (kernel_check(kernels[k], share.own.imaginary != NULL, products[p], NULL) != STATUS_OK)
                    continue;
                assert_int_equal(kernel_choice_read(kernels[k], "", &choice, &error), STATUS_OK);
                choice = kernel_choice_with(&choice, k % 2 ? PRECISION_F32 : PRECISION_F64, 1);
                check_product(&split, &whole.csr, &choice, products[p]);
            }
        }
        split_free(&split);
        share_free(&share);
        matrix_free(&whole);
    }
}

/* The rank that receives a wrong element of x notices it, and names the row as in the whole matrix. */
static void test_wrong_exchange(void **state)
{
    struct matrix whole;
    struct share share;
    struct split split;
    struct operands vectors = {0};
    struct joint joint;
    struct kernel_choice choice;
    struct error error = {0};
    const struct joint_options options = {0};
    double most;
    if (ranks.count == 1) return;
    load("gen:laplace2d,n=20", &whole);
    share_whole(&whole, &share);
    assert_int_equal(split_make(&ranks, &share, 0, &split, &error), STATUS_OK);
    assert_int_equal(vectors_make(&split, PRECISION_F64, (struct product){0}, 1, 0, &vectors, &error),
                     STATUS_OK);
    assert_int_equal(kernel_choice_read(&kernel_cpu_csr_omp, "", &choice, &error), STATUS_OK);
    assert_int_equal(joint_prepare(&split, &choice, &options, &vectors, NULL, NULL, &joint, &error),
                     STATUS_OK);
    /* Rank 1 needs the last element of rank 0: the grid point to its right, unless the grid ends there, and
     * the one below. */
    if (ranks.rank == 0) ((double *)vectors.x)[vectors.cols - 1] *= 2;
    assert_int_equal(joint_run(&joint, 1, NULL, &error), STATUS_OK);
    enum status status = operands_check(&vectors, NULL, &most, &error);
    if (ranks.rank == 1) {
        char row[32];
        snprintf(row, sizeof row, "row %lld is", (long long)share.cuts[1] + (share.cuts[1] % 20 ? 1 : 20));
        assert_int_equal(status, STATUS_INPUT);
        assert_non_null(strstr(error.message, row));
    }
    if (ranks.rank > 1) assert_int_equal(status, STATUS_OK);
    joint_release(&joint);
    operands_free(&vectors);
    split_free(&split);
    share_free(&share);
    matrix_free(&whole);
}

/* Each row of the whole matrix has the position that the partition gives it, and so have the columns of its
 * entries. */
static void check_rows(const struct csr *a, const struct partition *partition, const struct share *share)
{
    bool square = a->rows == a->cols;
    int64_t *next = calloc((size_t)ranks.count, sizeof *next), entries = 0;
    int64_t *place = malloc((size_t)a->rows * sizeof *place);
    for (int64_t i = 0; i < a->rows; i++)
        place[i] = share->cuts[partition->owner[i]] + next[partition->owner[i]]++;
    for (int64_t i = 0; i < a->rows; i++) {
        if (partition->owner[i] != ranks.rank) continue;
        int64_t row = place[i] - share->first, length = a->row_ptr[i + 1] - a->row_ptr[i];
        assert_int_equal(share->own.row_ptr[row + 1] - share->own.row_ptr[row], length);
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++, entries++) {
            int64_t at = csr_find(&share->own, row, square ? place[a->col[k]] : a->col[k]);
            assert_true(at >= 0 && share->own.val[at] == a->val[k]);
            if (a->imaginary) assert_true(share->own.imaginary[at] == a->imaginary[k]);
        }
    }
    assert_int_equal(entries, csr_nnz(&share->own));
    free(next);
    free(place);
}

/* Any partition divides the rows: the matrix is the same except for its order, the exchange is that of
 * halo_count, and products are right. */
static void check_partition(const struct matrix *whole, const struct share *share, const char *name)
{
    struct partition_choice choice;
    struct partition partition;
    struct share divided;
    struct split split;
    struct plan plan;
    struct halo halo, expected;
    struct kernel_choice kernel;
    struct error error = {0};
    assert_int_equal(partition_choice_read(name, &choice, &error), STATUS_OK);
    enum status status =
        partition_find(&choice, &whole->csr, false, ranks.count, 0, NULL, &partition, &error);
    if (status ==
        STATUS_UNAVAILABLE) { /* unavailable in this build, or for this matrix: all ranks say so, too */
        assert_int_equal(share_by_partition(&ranks, share, &choice, 0, &divided, &error), STATUS_UNAVAILABLE);
        partition_choice_free(&choice);
        return;
    }
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(share_by_partition(&ranks, share, &choice, 0, &divided, &error), STATUS_OK);
    check_rows(&whole->csr, &partition, &divided);
    assert_int_equal(plan_make(&ranks, &divided, &plan, &error), STATUS_OK);
    assert_int_equal(plan_halo(&ranks, &divided, &plan, &halo, &error), STATUS_OK);
    assert_int_equal(halo_count(&whole->csr, &partition, 0, NULL, &expected, &error), STATUS_OK);
    check_halo(&expected, &halo);
    assert_int_equal(split_make(&ranks, &divided, 0, &split, &error), STATUS_OK);
    assert_int_equal(kernel_choice_read(&kernel_cpu_csr_omp, "", &kernel, &error), STATUS_OK);
    struct operands vectors = {0};
    struct joint joint;
    const struct joint_options options = {0};
    double most;
    assert_int_equal(vectors_make(&split, PRECISION_F64, (struct product){0}, 1, 0, &vectors, &error),
                     STATUS_OK);
    assert_int_equal(joint_prepare(&split, &kernel, &options, &vectors, NULL, NULL, &joint, &error),
                     STATUS_OK);
    assert_int_equal(joint_run(&joint, 1, NULL, &error), STATUS_OK);
    if (operands_check(&vectors, NULL, &most, &error) != STATUS_OK) fail_msg("%s", error.message);
    joint_release(&joint);
    operands_free(&vectors);
    split_free(&split);
    halo_free(&halo);
    halo_free(&expected);
    plan_free(&plan);
    share_free(&divided);
    partition_free(&partition);
    partition_choice_free(&choice);
}

/* A partition that the ranks find together is reproducible, its parts are even, its cut is small, and rows
 * are distributed accordingly. */
static void test_ptscotch(void **state)
{
    static const char *const names[] = {
        "gen:laplace2d,n=40",   "gen:dissection,n=30",         "gen:random,m=500,n=500,mean=4",
        "gen:permutation,n=60", "gen:random,m=30,n=50,mean=2", "gen:laplace2d,n=1"};
    for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
        struct matrix whole;
        struct share share, divided;
        struct partition_choice choice;
        struct error error = {0};
        load(names[m], &whole);
        share_whole(&whole, &share);
        assert_int_equal(partition_choice_read("ptscotch", &choice, &error), STATUS_OK);
        int32_t *mine = malloc((size_t)share.own.rows * sizeof *mine + 1);
        size_t *sizes = malloc((size_t)ranks.count * sizeof *sizes);
        struct partition partition = {.parts = ranks.count, .rows = whole.csr.rows};
        partition.owner = malloc((size_t)whole.csr.rows * sizeof *partition.owner + 1);
        enum status status = ptscotch_owners(&ranks, &share, &choice, &partition, mine, &error);
        if (status == STATUS_UNAVAILABLE) { /* this build lacks it, or the matrix is not square */
            assert_true(choice.partitioner->absent || whole.csr.rows != whole.csr.cols);
            assert_int_equal(share_by_partition(&ranks, &share, &choice, 0, &divided, &error),
                             STATUS_UNAVAILABLE);
        } else {
            if (status != STATUS_OK) fail_msg("%s: %s", names[m], error.message);
            for (int r = 0; r < ranks.count; r++)
                sizes[r] = (size_t)(share.cuts[r + 1] - share.cuts[r]) * sizeof *mine;
            ranks_join(&ranks, 0, mine, sizes, partition.owner);
            ranks_broadcast(&ranks, 0, partition.owner, (size_t)whole.csr.rows * sizeof *partition.owner);
            for (int64_t i = 0; i < whole.csr.rows; i++)
                assert_in_range(partition.owner[i], 0, ranks.count - 1);
            assert_int_equal(share_by_partition(&ranks, &share, &choice, 0, &divided, &error), STATUS_OK);
            check_rows(&whole.csr, &partition, &divided);
            if (m == 0) {
                struct halo halo;
                assert_int_equal(halo_count(&whole.csr, &partition, 0, NULL, &halo, &error), STATUS_OK);
                assert_true(halo.imbalance < 1.25);
                assert_true(halo.volume <= 4 * 40 * (ranks.count - 1)); /* twice that of strips */
                halo_free(&halo);
            }
            share_free(&divided);
        }
        free(mine);
        free(sizes);
        partition_free(&partition);
        partition_choice_free(&choice);
        share_free(&share);
        matrix_free(&whole);
    }
}

static void test_partitions(void **state)
{
    char path[64], name[96];
    for (int m = 0; matrices[m]; m++) {
        struct matrix whole;
        struct share share;
        load(matrices[m], &whole);
        share_whole(&whole, &share);
        /* In the file the owners alternate: neighbouring rows have different owners. */
        snprintf(path, sizeof path, "owners.%d", ranks.rank);
        FILE *file = fopen(path, "w");
        for (int64_t i = 0; i < whole.csr.rows; i++)
            fprintf(file, "%d\n", (int)(i % ranks.count));
        fclose(file);
        snprintf(name, sizeof name, "file:path=%s", path);
        check_partition(&whole, &share, "natural");
        check_partition(&whole, &share, "entries");
        check_partition(&whole, &share, "metis");
        if (whole.csr.rows >= ranks.count) check_partition(&whole, &share, name);
        remove(path);
        share_free(&share);
        matrix_free(&whole);
    }
}

/* Ranks time kernels together. Kernels that run have times, and those of the ranks. Others have a reason. All
 * ranks have the same results. */
static void test_bench(void **state)
{
    static const struct kernel *const wanted[] = {&kernel_cpu_csr_omp, &kernel_petsc_csr,
                                                  &kernel_cpu_csr_balanced};
    struct matrix whole;
    struct share share;
    struct results results = {0};
    struct error error = {0};
    const struct bench_options options = {.repeat = 7, .min_seconds = 1e-9, .seed = 3};
    const struct bench_options cold = {.cold = true};
    load("gen:stencil27,n=12", &whole);
    share_whole(&whole, &share);
    for (int k = 0; k < 3; k++)
        for (enum precision p = PRECISION_F64; p <= PRECISION_F32; p++) {
            struct kernel_choice choice;
            assert_int_equal(kernel_choice_read(wanted[k], "", &choice, &error), STATUS_OK);
            choice = kernel_choice_with(&choice, p, 1);
            assert_int_equal(results_want(&results, &choice, &error), STATUS_OK);
        }
    assert_int_equal(ranks_bench(&ranks, &share, &results, &cold, NULL, &error), STATUS_UNAVAILABLE);
    error_clear(&error);
    assert_int_equal(ranks_bench(&ranks, &share, &results, &options, NULL, &error), STATUS_OK);
    assert_int_equal(results.nnz, csr_nnz(&whole.csr));
    for (int k = 0; k < results.count; k++) {
        const struct result *result = &results.items[k];
        const struct ranked *ranked = &result->ranked;
        if (result->choice.kernel == &kernel_petsc_csr && result->status != STATUS_OK) {
            assert_int_equal(result->status, STATUS_UNAVAILABLE);
            assert_non_null(strstr(result->error.message, "PETSc"));
            continue;
        }
        if (result->status != STATUS_OK) fail_msg("%s", result->error.message);
        assert_true(result->samples.count >= 7);
        assert_true(result->samples.median > 0 && result->max_error < 1e-5);
        assert_int_equal(ranked->ranks, ranks.count);
        assert_true(result->flops == 2 * (double)csr_nnz(&whole.csr));
        if (result->choice.kernel == &kernel_petsc_csr) {
            assert_true(isnan(ranked->wait_seconds) && result->library[0] == '3');
            continue;
        }
        assert_true(ranked->compute_seconds > 0 && ranked->imbalance >= 1);
        assert_string_equal(ranked->link, "mpi");
        double size[2] = {(double)result->size.bytes, result->samples.median};
        double most[2] = {size[0], size[1]};
        MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, ranks.all);
        assert_true(most[0] == size[0] && most[1] == size[1]);
    }
    results_free(&results);
    share_free(&share);
    matrix_free(&whole);
}

/* The shares of A^T have each entry of A once, in rows by its columns, sorted. */
static void test_transposed(void **state)
{
    for (int k = 0; matrices[k]; k++) {
        struct matrix whole;
        struct share share, turned;
        struct error error = {0};
        load(matrices[k], &whole);
        share_whole(&whole, &share);
        assert_int_equal(share_transposed(&ranks, &share, 0, &turned, &error), STATUS_OK);
        const struct csr *a = &whole.csr, *own = &turned.own;
        assert_true(turned.rows == a->cols && turned.cols == a->rows && turned.nnz == csr_nnz(a));
        assert_true(turned.last - turned.first == own->rows && own->cols == a->rows);
        assert_true(turned.cuts[0] == 0 && turned.cuts[ranks.count] == a->cols);
        int64_t before = 0, *next = calloc((size_t)own->rows + 1, sizeof *next);
        for (int64_t i = 0; i < own->rows; i++)
            next[i] = own->row_ptr[i];
        for (int64_t i = 0; i < a->rows; i++)
            for (int64_t e = a->row_ptr[i]; e < a->row_ptr[i + 1]; e++) {
                before += a->col[e] < turned.first;
                if (a->col[e] < turned.first || a->col[e] >= turned.last) continue;
                const int64_t at = next[a->col[e] - turned.first]++;
                assert_true(at < own->row_ptr[a->col[e] - turned.first + 1]);
                assert_true(own->col[at] == i && own->val[at] == a->val[e]);
                assert_true((own->imaginary != NULL) == (a->imaginary != NULL));
                if (a->imaginary) assert_true(own->imaginary[at] == a->imaginary[e]);
            }
        for (int64_t i = 0; i < own->rows; i++)
            assert_true(next[i] == own->row_ptr[i + 1]);
        assert_true(turned.before == before);
        free(next);
        share_free(&turned);
        share_free(&share);
        matrix_free(&whole);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan),           cmocka_unit_test(test_products),
        cmocka_unit_test(test_wrong_exchange), cmocka_unit_test(test_partitions),
        cmocka_unit_test(test_ptscotch),       cmocka_unit_test(test_bench),
        cmocka_unit_test(test_transposed),
    };
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    threads_set(1); /* ranks share the processors of one machine */
    return ranks_run_tests(&ranks, "ranks/product", tests, sizeof tests / sizeof *tests);
}
