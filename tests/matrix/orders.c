/* matrix/orders: every order is a permutation for any matrix, and matrices and vectors follow it. */
#include <math.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/apart.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matrix/orders/file.h"
#include "matrix/orders/order.h"
#include "matrix/orders/permute.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/generate.h"
#include "support/orders.h"
#include "support/support.h"

static bool is_permutation(const int32_t *from, int64_t count)
{
    char *seen = calloc((size_t)count + 1, 1);
    int64_t different = 0;
    for (int64_t k = 0; k < count; k++) {
        if (from[k] < 0 || from[k] >= count || seen[from[k]]) continue;
        seen[from[k]] = 1;
        different++;
    }
    free(seen);
    return different == count;
}

/* Names of matrices of many kinds, to which every order applies. */
static const char *const squares[] = {
    "laplace2d,n=9",    "laplace3d,nx=3,ny=4,nz=5", "random,m=60,mean=3,seed=5",
    "powerlaw,scale=6", "permutation,n=31",         "arrow,n=40,width=2",
    "dense,m=12",       "banded,n=1,lower=0",       "blocks,n=50,size=5,mean=2"};

static const char *const rectangles[] = {"random,m=40,n=70,mean=3", "random,m=70,n=30,mean=2",
                                         "dense,m=1,n=9", "dense,m=9,n=1"};

/* Return true if this build can compute the order. Some need a file, or a partition. */
static bool can_compute(const struct order *order)
{
    return !order->absent && !order->ranked && !order->wants;
}

static void expect_orders(const struct matrix *matrix, bool square)
{
    for (int k = 0; orders[k]; k++) {
        struct permutation first, second;
        struct error error = {0};
        if (!can_compute(orders[k])) continue;
        threads_set(1);
        enum status status = order_of_matrix(orders[k]->name, matrix, &first, &error);
        if (status != STATUS_OK && (square || status != STATUS_UNAVAILABLE))
            fail_msg("%s of %s: %s", orders[k]->name, matrix->name, error.message);
        threads_set(3);
        error_clear(&error);
        assert_int_equal(order_of_matrix(orders[k]->name, matrix, &second, &error), status);
        threads_set(0);
        assert_int_equal(first.count, second.count);
        assert_true(status != STATUS_OK || is_permutation(first.from, first.count));
        if (status == STATUS_OK)
            assert_memory_equal(first.from, second.from, (size_t)first.count * sizeof *first.from);
        permutation_free(&first);
        permutation_free(&second);
    }
}

static void every_order_is_a_permutation_by_any_number_of_threads(void **state)
{
    for (size_t k = 0; k < sizeof squares / sizeof *squares; k++) {
        struct matrix matrix = generated(squares[k]);
        expect_orders(&matrix, true);
        matrix_free(&matrix);
    }
    for (size_t k = 0; k < sizeof rectangles / sizeof *rectangles; k++) {
        struct matrix matrix = generated(rectangles[k]);
        expect_orders(&matrix, false);
        matrix_free(&matrix);
    }
    struct matrix empty = made_matrix(support_matrix(7, 7, 0, false, false, 1));
    expect_orders(&empty, true);
    matrix_free(&empty);
    struct matrix none = made_matrix(support_matrix(0, 0, 0, false, false, 1));
    expect_orders(&none, true);
    matrix_free(&none);
}

/* The reordered matrix has exactly the entries of the natural one, at their new positions. */
static void expect_reordered(const struct csr *a, const struct permutation *permutation, const struct csr *b)
{
    const int32_t *rows = permutation_rows(permutation), *cols = permutation_cols(permutation);
    struct error error = {0};
    assert_int_equal(csr_validate(b, &error), STATUS_OK);
    assert_int_equal(csr_nnz(a), csr_nnz(b));
    assert_int_equal(a->imaginary != NULL, b->imaginary != NULL);
    for (int64_t i = 0; i < b->rows; i++)
        for (int64_t k = b->row_ptr[i]; k < b->row_ptr[i + 1]; k++) {
            int64_t old = csr_find(a, rows ? rows[i] : i, cols ? cols[b->col[k]] : b->col[k]);
            assert_true(old >= 0);
            assert_true(b->val[k] == a->val[old]);
            assert_true(!a->imaginary || b->imaginary[k] == a->imaginary[old]);
        }
}

static const char *const applied[] = {"random:seed=7", "random:seed=8,apply=rows",
                                      "random:seed=9,apply=columns", "natural"};

static void matrices_follow_the_order(void **state)
{
    for (int complex = 0; complex < 2; complex++)
        for (size_t k = 0; k < sizeof applied / sizeof *applied; k++) {
            struct matrix matrix = made_matrix(support_matrix(90, 90, 0.1, true, complex, 3 + k)), out;
            struct permutation permutation = ordered_matrix(applied[k], &matrix);
            matrix.symmetry = SYMMETRY_SKEW;
            assert_int_equal(permute_matrix(&matrix, &permutation, 0, NULL, &out, NULL), STATUS_OK);
            expect_reordered(&matrix.csr, &permutation, &out.csr);
            assert_int_equal(out.symmetry,
                             permutation.apply == APPLY_SYMMETRIC ? SYMMETRY_SKEW : SYMMETRY_GENERAL);
            assert_string_equal(out.name, "made");
            permutation_free(&permutation);
            matrix_free(&matrix);
            matrix_free(&out);
        }
    struct matrix wide = made_matrix(support_matrix(20, 55, 0.3, false, false, 4)), out;
    struct permutation permutation = ordered_matrix("random:apply=columns", &wide);
    assert_int_equal(permutation.count, 55);
    assert_int_equal(permute_matrix(&wide, &permutation, 0, NULL, &out, NULL), STATUS_OK);
    expect_reordered(&wide.csr, &permutation, &out.csr);
    permutation_free(&permutation);
    matrix_free(&wide);
    matrix_free(&out);
}

static void multiply(const struct csr *a, const double *x, double *y)
{
    for (int64_t i = 0; i < a->rows; i++) {
        y[i] = 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            y[i] += a->val[k] * x[a->col[k]];
    }
}

/* Whole numbers, whose sums are exact in any order; with rows alone the sums have the same order too. */
static void the_product_comes_back_in_the_natural_order(void **state)
{
    enum { N = 120 };
    for (size_t k = 0; k < sizeof applied / sizeof *applied; k++) {
        struct matrix matrix = made_matrix(support_matrix(N, N, 0.2, true, false, 11)), out;
        struct permutation permutation = ordered_matrix(applied[k], &matrix);
        double x[N], moved[N], y[N], other[N], back[N];
        bool exact = permutation.apply != APPLY_ROWS;
        for (int i = 0; i < N; i++)
            x[i] = exact ? i % 13 - 6 : 0.1 * i * i - 1.7;
        assert_int_equal(permute_matrix(&matrix, &permutation, 0, NULL, &out, NULL), STATUS_OK);
        multiply(&matrix.csr, x, y);
        permute_vector(permutation_cols(&permutation), N, x, moved);
        multiply(&out.csr, moved, other);
        permute_back(permutation_rows(&permutation), N, other, back);
        assert_memory_equal(back, y, sizeof y);
        permutation_free(&permutation);
        matrix_free(&matrix);
        matrix_free(&out);
    }
    assert_int_equal(permute_bytes(10, 8), 200);
    assert_int_equal(permute_bytes(10, 4), 120);
}

static void meaningless_orders_are_refused(void **state)
{
    struct matrix wide = made_matrix(support_matrix(5, 9, 0.5, false, false, 1));
    struct matrix square = made_matrix(support_matrix(9, 9, 0.5, false, false, 1));
    expect_order_refused("rcm", &wide, STATUS_UNAVAILABLE, "needs a square matrix, and this one is 5 x 9");
    expect_order_refused("random:apply=symmetric", &wide, STATUS_UNAVAILABLE, "use random:apply=rows");
    expect_order_refused("length:apply=columns", &wide, STATUS_UNAVAILABLE, "length orders rows");
    expect_order_refused("rmc", &square, STATUS_USAGE, "did you mean rcm");
    expect_order_refused("rcm:width=3", &square, STATUS_USAGE, "rcm has no parameter 'width'");
    expect_order_refused("file", &square, STATUS_USAGE, "file:path=FILE");
    struct permutation permutation;
    struct order_choice choice;
    struct error error = {0};
    struct matrix large = generated("laplace2d,n=1200");
    assert_int_equal(order_choice_read("rcm", &choice, NULL), STATUS_OK);
    assert_int_equal(order_compute(&choice, &large, 1000000, NULL, &permutation, &error), STATUS_LIMIT);
    assert_non_null(strstr(error.message, "the order rcm"));
    matrix_free(&wide);
    matrix_free(&square);
    matrix_free(&large);
}

static void lists_have_each_choice_once(void **state)
{
    struct order_list list = {0};
    char name[ORDER_NAME];
    assert_int_equal(order_list_add(&list, "rcm,length:apply=rows,ascending=1 rcm", NULL), STATUS_OK);
    assert_int_equal(
        order_list_add(&list, "file:path=a.mtx,base=0 file:path=c file:path=c rcm:reverse=1", NULL),
        STATUS_OK);
    assert_int_equal(list.count, 4);
    assert_string_equal(order_choice_name(&list.choices[0], name, sizeof name), "rcm");
    assert_string_equal(order_choice_name(&list.choices[1], name, sizeof name),
                        "length:apply=rows,ascending=1");
    assert_string_equal(order_choice_name(&list.choices[2], name, sizeof name), "file:base=0,path=a.mtx");
    assert_string_equal(order_choice_name(&list.choices[3], name, sizeof name), "file:path=c");
    struct error error = {0};
    assert_int_equal(order_list_add(&list, "random,nothing", &error), STATUS_USAGE);
    assert_int_equal(list.count, 5);
    order_list_free(&list);
}

/* Libraries in a process of their own */

static enum verdict say_none(const void *argument, int32_t *from, int64_t count)
{
    from[0] = 7;
    fprintf(stderr, "this must not be seen\n");
    return *(const enum verdict *)argument;
}

static enum verdict use_time(const void *argument, int32_t *from, int64_t count)
{
    volatile bool goes_on = true;
    while (goes_on)
        continue;
    return VERDICT_NONE;
}

static enum verdict crash(const void *argument, int32_t *from, int64_t count)
{
    raise(SIGABRT);
    return VERDICT_DONE;
}

static enum verdict never_end(const void *argument, int32_t *from, int64_t count)
{
    while (pause() == -1)
        continue;
    return VERDICT_DONE;
}

static enum verdict die_for_memory(const void *argument, int32_t *from, int64_t count)
{
    raise(SIGKILL); /* as the kernel ends a process that takes too much memory */
    return VERDICT_DONE;
}

static void *cancel_soon(void *progress)
{
    usleep(30000);
    progress_cancel(progress);
    return NULL;
}

static void libraries_may_fail_crash_and_be_cancelled(void **state)
{
    static const struct {
        enum verdict verdict;
        enum status status;
        const char *words;
    } cases[] = {{VERDICT_DONE, STATUS_OK, ""},
                 {VERDICT_MEMORY, STATUS_LIMIT, "the library had too little"},
                 {VERDICT_FAILED, STATUS_UNAVAILABLE, "the library failed on this matrix"}};
    int32_t from[3] = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct error error = {0};
        from[0] = 0;
        assert_int_equal(apart_fill(say_none, &cases[k].verdict, "the library", from, 3, NULL, &error),
                         cases[k].status);
        assert_int_equal(from[0], cases[k].status == STATUS_OK ? 7 : 0);
        assert_non_null(strstr(error.message, cases[k].words));
    }
    struct error error = {0};
    enum verdict done = VERDICT_DONE;
    assert_int_equal(apart_fill(say_none, &done, "the library", from, INT64_MAX / 8, NULL, &error),
                     STATUS_MEMORY);
    assert_non_null(strstr(error.message, "out of memory: no room for what a process of its own finds"));
    error_clear(&error);
    assert_int_equal(apart_fill(crash, NULL, "the library", from, 3, NULL, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "the library failed with signal 6"));
    error_clear(&error);
    assert_int_equal(apart_fill(die_for_memory, NULL, "the library", from, 3, NULL, &error), STATUS_LIMIT);
    assert_string_equal(error.message, "the library was killed, as systems do if memory is short");
    error_clear(&error);
    assert_int_equal(apart_fill_within(0.5, use_time, NULL, "the library", from, 3, NULL, &error),
                     STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "the library was stopped after 1 s of processor time");
    struct progress progress = {0};
    pthread_t thread;
    error_clear(&error);
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &progress), 0);
    assert_int_equal(apart_fill(never_end, NULL, "the library", from, 3, &progress, &error),
                     STATUS_CANCELLED);
    pthread_join(thread, NULL);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

static void absent_orders_name_their_package(void **state)
{
    const struct order absent = {.name = "amd", .package = "libsuitesparse-dev", .absent = true};
    struct error error = {0};
    assert_int_equal(order_check(&absent, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message,
                        "this build has no amd: install libsuitesparse-dev (its name in Debian) "
                        "and build sparsight again");
    for (int k = 0; orders[k]; k++) {
        assert_true((orders[k]->absent || orders[k]->ranked) ==
                    (!orders[k]->compute && !orders[k]->compute_each));
        assert_true(!orders[k]->absent || orders[k]->package);
        assert_string_equal(orders[k]->parameters[0].name, "apply");
    }
}

/* Files */

static void a_permutation_that_was_written_is_read_back(void **state)
{
    struct matrix matrix = generated("laplace2d,n=10");
    struct permutation written = ordered_matrix("random:seed=4", &matrix), read;
    FILE *file = fopen("order.mtx", "w");
    assert_int_equal(permutation_write(file, &written, "a comment", NULL, NULL), STATUS_OK);
    fclose(file);
    char line[64];
    file = fopen("order.mtx", "r");
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "%%MatrixMarket matrix array integer general\n");
    fclose(file);
    read = ordered_matrix("file:path=order.mtx", &matrix);
    assert_memory_equal(read.from, written.from, 100 * sizeof *read.from);
    permutation_free(&read);
    permutation_free(&written);
    matrix_free(&matrix);
}

#define BANNER "%%MatrixMarket matrix array integer general\n"

/* 64 zeros or blanks. */
#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
#define BLANKS "                                                                "

static void files_are_permutations_or_are_refused(void **state)
{
    static const struct {
        const char *text, *parameters, *words; /* words: NULL if it is right */
        int line;
    } cases[] = {
        {"3\n1\n\n# with a comment\n 2 \r\n", "", NULL, 0},
        {BANNER "% comment\n3 1\n3\n1\n2\n", "", NULL, 0},
        {"2\n0\n1", ",base=0", NULL, 0},
        {"3\n1\n2\n1\n", "", "1 is here and on line 2 too", 4},
        {BANNER "3 1\n2\n2\n1\n", "", "2 is here and on line 3 too", 4},
        {"3\n1\n4\n", "", "4 is none of 1 to 3", 3},
        {"2\n0\n1\n", "", "base=0 reads indices that count from 0", 2},
        {"3\n1\n", "", "it has 2 indices; the matrix has 3 lines", 0},
        {"", "", "it has 0 indices", 0},
        {"3\none\n2\n", "", "'one': not an index", 2},
        {"3\n1 2\n", "", "'1 2': not an index", 2},
        {BANNER "4 1\n3\n1\n2\n4\n", "", "it orders 4 lines; the matrix has 3", 2},
        {BANNER "1 3\n3\n1\n2\n", "", "an array of one column", 2},
        {"%%MatrixMarket matrix coordinate real general\n3 1 0\n", "", "array integer general", 1},
        {"# " BLANKS BLANKS BLANKS BLANKS "3\n3\n1\n2\n", "", NULL, 0},
        {"3\n1" BLANKS BLANKS BLANKS BLANKS "2\n2\n", "", "the line is longer than 255 bytes", 2},
        {"2\n" ZEROS ZEROS ZEROS ZEROS "1\n0\n", ",base=0", "the line is longer than 255 bytes", 2},
        {BANNER "3 1" BLANKS BLANKS BLANKS BLANKS "1\n3\n1\n2\n", "", "longer than 255 bytes", 2},
        {"3\n-9223372036854775808\n2\n", "", "'-9223372036854775808': not an index", 2},
    };
    struct matrix matrix = made_matrix(support_matrix(3, 3, 1, false, false, 1));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        static const int32_t expected[] = {2, 0, 1};
        char order[64];
        struct permutation permutation;
        struct error error = {0};
        files_write("order", cases[k].text, strlen(cases[k].text));
        snprintf(order, sizeof order, "file:path=order%s", cases[k].parameters);
        enum status status = order_of_matrix(order, &matrix, &permutation, &error);
        if (cases[k].words) {
            if (status != STATUS_INPUT || !strstr(error.message, cases[k].words) ||
                error.line != cases[k].line)
                fail_msg("case %d: line %d: %s", (int)k, (int)error.line, error.message);
        } else {
            if (status != STATUS_OK) fail_msg("case %d: %s", (int)k, error.message);
            assert_memory_equal(permutation.from, expected, sizeof expected);
        }
        permutation_free(&permutation);
    }
    struct permutation permutation;
    struct error error = {0};
    files_write("order", "3\n1\0 7\n2\n", 9);
    assert_int_equal(order_of_matrix("file:path=order", &matrix, &permutation, &error), STATUS_INPUT);
    assert_string_equal(error.message, "'1? 7': not an index; a permutation has a whole number on each line");
    error_clear(&error);
    assert_int_equal(order_of_matrix("file:path=absent", &matrix, &permutation, &error), STATUS_IO);
    matrix_free(&matrix);
}

static void no_permutation_is_told_by_its_places(void **state)
{
    int32_t twice[] = {2, 0, 2}, beyond[] = {0, 3, 1};
    struct error error = {0};
    assert_int_equal(permutation_check(&(struct permutation){3, twice, APPLY_ROWS}, &error), STATUS_INPUT);
    assert_string_equal(error.message, "not a permutation: 3 is element 1 and again element 3");
    error_clear(&error);
    assert_int_equal(permutation_check(&(struct permutation){3, beyond, APPLY_ROWS}, &error), STATUS_INPUT);
    assert_string_equal(error.message, "not a permutation: element 2 is 4, which is none of 1 to 3");
}

/* The list of positions with summed entries is permuted with the entries. */
static void places_of_sums_follow_the_order(void **state)
{
    struct matrix matrix = made_matrix(support_matrix(4, 4, 1, false, false, 1)), out;
    int32_t from[] = {3, 2, 1, 0};
    const struct permutation rows = {4, from, APPLY_ROWS}, both = {4, from, APPLY_SYMMETRIC};
    summed_add(&matrix.summed, 0, 1, 2, NULL);
    summed_add(&matrix.summed, 2, 2, 5, NULL);
    assert_int_equal(permute_matrix(&matrix, &rows, 0, NULL, &out, NULL), STATUS_OK);
    assert_int_equal(out.summed.kept, 2);
    assert_int_equal(out.summed.list[0].row, 1);
    assert_int_equal(out.summed.list[0].col, 2);
    assert_int_equal(out.summed.list[0].entries, 5);
    assert_int_equal(out.summed.list[1].row, 3);
    assert_int_equal(out.summed.list[1].col, 1);
    matrix_free(&out);
    assert_int_equal(permute_matrix(&matrix, &both, 0, NULL, &out, NULL), STATUS_OK);
    assert_int_equal(out.summed.list[1].row, 3);
    assert_int_equal(out.summed.list[1].col, 2);
    matrix_free(&out);
    matrix_free(&matrix);
}

/* Each allocation fails in turn; in the end none is left. */
static void want_of_memory_leaves_nothing(void **state)
{
    struct matrix matrix = generated("random,m=80,mean=4");
    files_write("order", "", 0);
    for (int k = 0; orders[k]; k++) {
        if (!can_compute(orders[k])) continue;
        enum status status = STATUS_MEMORY;
        for (long count = 0; status != STATUS_OK; count++) {
            struct permutation permutation;
            struct matrix out = {0};
            struct error error = {0};
            memory_fail_after(count);
            status = order_of_matrix(orders[k]->name, &matrix, &permutation, &error);
            if (status == STATUS_OK) status = permute_matrix(&matrix, &permutation, 0, NULL, &out, &error);
            long failures = memory_failures();
            memory_fail_after(-1);
            if (status != STATUS_OK && status != STATUS_MEMORY)
                fail_msg("%s: %s", orders[k]->name, error.message);
            assert_true(status == STATUS_OK || (failures == 1 && !out.csr.row_ptr));
            assert_true(status != STATUS_OK || failures == 0);
            permutation_free(&permutation);
            matrix_free(&out);
        }
    }
    matrix_free(&matrix);
}

/* The time of permuting needs memory for two vectors; without it the time is unknown. */
static void the_time_of_permuting_needs_two_vectors(void **state)
{
    static int32_t from[] = {2, 0, 1};
    struct matrix matrix = made_matrix(support_matrix(3, 3, 0.9, false, false, 1));
    const struct permutation permutation = {.count = 3, .from = from, .apply = APPLY_SYMMETRIC};
    for (int fail = 0; fail < 3; fail++) {
        memory_fail_after(fail);
        const double seconds = permute_seconds(&matrix.csr, &permutation, NULL);
        memory_fail_after(-1);
        assert_int_equal(isnan(seconds), fail < 2);
        assert_true(fail < 2 || (seconds >= 0 && seconds < 1));
    }
    matrix_free(&matrix);
}

static void orders_can_be_cancelled(void **state)
{
    struct matrix matrix = generated("laplace2d,n=80");
    for (int k = 0; orders[k]; k++) {
        struct order_choice choice;
        struct permutation permutation;
        struct progress progress = {0};
        struct error error = {0};
        if (!can_compute(orders[k]) || strcmp(orders[k]->name, "natural") == 0) continue;
        progress_cancel(&progress);
        assert_int_equal(order_choice_read(orders[k]->name, &choice, NULL), STATUS_OK);
        assert_int_equal(order_compute(&choice, &matrix, 0, &progress, &permutation, &error),
                         STATUS_CANCELLED);
        assert_null(permutation.from);
    }
    int32_t from[6400];
    for (int k = 0; k < 6400; k++)
        from[k] = k;
    const struct permutation same = {6400, from, APPLY_SYMMETRIC};
    struct progress progress = {0};
    struct matrix out;
    progress_cancel(&progress);
    assert_int_equal(permute_matrix(&matrix, &same, 0, &progress, &out, NULL), STATUS_CANCELLED);
    assert_null(out.csr.row_ptr);
    matrix_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_is_a_permutation_by_any_number_of_threads),
        cmocka_unit_test(matrices_follow_the_order),
        cmocka_unit_test(the_product_comes_back_in_the_natural_order),
        cmocka_unit_test(meaningless_orders_are_refused),
        cmocka_unit_test(libraries_may_fail_crash_and_be_cancelled),
        cmocka_unit_test(absent_orders_name_their_package),
        cmocka_unit_test(lists_have_each_choice_once),
        cmocka_unit_test(a_permutation_that_was_written_is_read_back),
        cmocka_unit_test(files_are_permutations_or_are_refused),
        cmocka_unit_test(no_permutation_is_told_by_its_places),
        cmocka_unit_test(places_of_sums_follow_the_order),
        cmocka_unit_test(want_of_memory_leaves_nothing),
        cmocka_unit_test(orders_can_be_cancelled),
        cmocka_unit_test(the_time_of_permuting_needs_two_vectors),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
