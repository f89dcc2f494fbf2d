/* ranks/read and ranks/build, run by any number of ranks: ranks read the same matrix as one process, element
 * for element, and report the same error of a wrong file. The files named on the command line are read,
 * too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "matrix/matrix.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "ranks/tests.h"
#include "support/cmocka.h"
#include "support/files.h"
#include "support/malformed.h"
#include "support/market.h"
#include "support/support.h"

static struct ranks ranks;
static char **names;
static int names_count;

static void check_words(const char *name, const struct matrix *whole, const struct share *share)
{
    const struct matrix *m = &share->matrix;
    const char *notes = m->notes.data ? m->notes.data : "",
               *wanted = whole->notes.data ? whole->notes.data : "";
    if (strcmp(notes, wanted) != 0) fail_msg("%s: the notes are\n%sand should be\n%s", name, notes, wanted);
    assert_string_equal(m->name, whole->name);
    assert_string_equal(m->path, whole->path);
    assert_string_equal(m->format, whole->format);
    assert_int_equal(m->variable != NULL, whole->variable != NULL);
    if (whole->variable) assert_string_equal(m->variable, whole->variable);
    assert_int_equal(m->field, whole->field);
    assert_int_equal(m->symmetry, whole->symmetry);
    assert_int_equal(m->coordinate, whole->coordinate);
    assert_int_equal(m->transposed, whole->transposed);
    assert_int_equal(m->stored, whole->stored);
    assert_int_equal(m->duplicates, whole->duplicates);
    assert_int_equal(m->explicit_zeros, whole->explicit_zeros);
    assert_memory_equal(&m->about, &whole->about, sizeof m->about);
}

/* The positions at which entries were added up are those of the whole in this rank's rows. */
static void check_summed(const struct summed *whole, const struct share *share)
{
    int64_t mine = 0;
    for (int64_t k = 0; k < whole->kept; k++) {
        const struct summed_place *place = &whole->list[k];
        if (place->row < share->first || place->row >= share->last) continue;
        assert_true(mine < share->matrix.summed.kept);
        assert_memory_equal(&share->matrix.summed.list[mine++], place, sizeof *place);
    }
    assert_int_equal(share->matrix.summed.kept, mine);
}

static void check_rows(const char *name, const struct matrix *whole, const struct share *share)
{
    const struct csr *a = &whole->csr, *own = &share->own;
    int64_t nnz = csr_nnz(own);
    assert_int_equal(share->rows, a->rows);
    assert_int_equal(share->cols, a->cols);
    assert_int_equal(share->nnz, csr_nnz(a));
    assert_int_equal(own->rows, share->last - share->first);
    assert_int_equal(own->cols, a->cols);
    assert_int_equal(share->before, a->row_ptr[share->first]);
    assert_int_equal(nnz, a->row_ptr[share->last] - share->before);
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

/* The runs of rows equal the cuts of the whole matrix, without zeros and duplicates. */
static void check_cuts(const struct matrix *whole, const struct share *share)
{
    int64_t *cuts = malloc(((size_t)ranks.count + 1) * sizeof *cuts);
    share_cut(whole->csr.row_ptr, whole->csr.rows, ranks.count, cuts);
    assert_memory_equal(cuts, share->cuts, ((size_t)ranks.count + 1) * sizeof *cuts);
    free(cuts);
}

/* The result of one process for a file. */
struct outcome {
    struct matrix whole;
    enum status status;
    struct error error;
    char format[64];
};

/* Rank 0 writes these bytes, and the others read them into an array of their own, which is returned. Without
 * bytes of rank 0, nothing is transferred. */
static void *carry(FILE *file, void *bytes, size_t size)
{
    if (!bytes) return NULL;
    void *to = ranks.rank == 0 ? bytes : malloc(size + 1);
    assert_non_null(to);
    assert_int_equal(ranks.rank == 0 ? fwrite(to, 1, size, file) : fread(to, 1, size, file), size);
    return to;
}

static char *carry_words(FILE *file, char *words)
{
    size_t size = ranks.rank == 0 && words ? strlen(words) + 1 : 0;
    const size_t carried =
        ranks.rank == 0 ? fwrite(&size, sizeof size, 1, file) : fread(&size, sizeof size, 1, file);
    assert_int_equal(carried, 1);
    return carry(file, words, size);
}

/* The other ranks first read rank 0's pointers, which tell which arrays follow, and then the arrays. */
static void carry_outcome(FILE *file, struct outcome *outcome)
{
    struct matrix *m = &outcome->whole;
    struct csr *a = &m->csr;
    const size_t carried = ranks.rank == 0 ? fwrite(outcome, sizeof *outcome, 1, file)
                                           : fread(outcome, sizeof *outcome, 1, file);
    assert_int_equal(carried, 1);
    m->format = outcome->format;
    m->name = carry_words(file, m->name);
    m->path = carry_words(file, m->path);
    m->variable = carry_words(file, m->variable);
    m->notes.data = carry_words(file, m->notes.data);
    m->summed.list = carry(file, m->summed.list, (size_t)m->summed.kept * sizeof *m->summed.list);
    a->row_ptr = carry(file, a->row_ptr, ((size_t)a->rows + 1) * sizeof *a->row_ptr);
    const size_t nnz = a->row_ptr ? (size_t)csr_nnz(a) : 0;
    a->col = carry(file, a->col, nnz * sizeof *a->col);
    a->val = carry(file, a->val, nnz * sizeof *a->val);
    a->imaginary = carry(file, a->imaginary, nnz * sizeof *a->imaginary);
}

/* Rank 0 reads the file as one process, and gives the outcome to the others: reading takes longer than that.
 */
static void load_whole(const char *name, const struct load_options *options, struct outcome *outcome)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *file;
    if (ranks.rank == 0) {
        *outcome = (struct outcome){.status = STATUS_OK};
        outcome->status = matrix_load(name, options, NULL, &outcome->whole, &outcome->error);
        if (outcome->status == STATUS_OK)
            snprintf(outcome->format, sizeof outcome->format, "%s", outcome->whole.format);
        file = open_memstream(&bytes, &size);
        carry_outcome(file, outcome);
        fclose(file);
    }
    ranks_broadcast(&ranks, 0, &size, sizeof size);
    if (ranks.rank != 0) bytes = malloc(size);
    assert_non_null(bytes);
    ranks_broadcast(&ranks, 0, bytes, size);
    if (ranks.rank != 0) {
        file = fmemopen(bytes, size, "r");
        carry_outcome(file, outcome);
        fclose(file);
    }
    free(bytes);
}

static void compare(const char *name, const struct load_options *options)
{
    struct outcome outcome;
    const struct matrix *whole = &outcome.whole;
    struct share share;
    struct error error = {0}, *wanted = &outcome.error;
    char text[8192], other[8192];
    load_whole(name, options, &outcome);
    const enum status right = outcome.status;
    enum status status = share_load(&ranks, name, options, &share, &error);
    if (status != right)
        fail_msg("%s: status %d (%s), should be %d (%s)", name, status, error_text(&error, text, sizeof text),
                 right, error_text(wanted, other, sizeof other));
    if (status == STATUS_LIMIT) return; /* a part has another limit, and needs other memory */
    if (status != STATUS_OK) {
        if (strcmp(error_text(&error, text, sizeof text), error_text(wanted, other, sizeof other)) != 0)
            fail_msg("%s%s:\n is     %s\n should %s", name, options->lenient ? ", lenient" : "", text, other);
        return;
    }
    check_rows(name, whole, &share);
    check_words(name, whole, &share);
    check_summed(&whole->summed, &share);
    if (whole->duplicates == 0 && !options->drop_zeros && strcmp(whole->format, "generated") != 0)
        check_cuts(whole, &share);
    matrix_free(&outcome.whole);
    share_free(&share);
}

/* Compare strict and lenient reading of a faulty file, with one thread a rank. */
static void compare_twice(const char *name)
{
    threads_set(1);
    compare(name, &(struct load_options){0});
    compare(name, &(struct load_options){.lenient = true});
}

static void compare_all(const char *name)
{
    for (int threads = 1; threads <= 2; threads++) {
        threads_set(threads);
        compare(name, &(struct load_options){0});
        compare(name, &(struct load_options){.lenient = threads == 1, .drop_zeros = threads == 2});
    }
}

/* Let rank 0 write a file, and the others wait for it. */
static void write_file(const char *name, const char *text, size_t size)
{
    struct error error = {0};
    if (ranks.rank == 0) files_write(name, text, size);
    ranks_agree(&ranks, STATUS_OK, &error);
}

static void pack_file(const char *name, const char *text, size_t size)
{
    struct error error = {0};
    if (ranks.rank == 0) files_pack(name, text, size, PACKED_GZIP);
    ranks_agree(&ranks, STATUS_OK, &error);
}

static void test_good(void **state)
{
    for (size_t k = 0; k < market_good_count; k++) {
        write_file("good.mtx", market_good[k].text, strlen(market_good[k].text));
        pack_file("good.mtx.gz", market_good[k].text, strlen(market_good[k].text));
        compare_all("good.mtx");
        compare_all("good.mtx.gz");
    }
}

static void test_malformed(void **state)
{
    for (size_t k = 0; k < market_malformed_count; k++) {
        const struct malformed *c = &market_malformed[k];
        size_t size = c->size ? c->size : strlen(c->text);
        write_file("bad.mtx", c->text, size);
        pack_file("bad.mtx.gz", c->text, size);
        compare_twice("bad.mtx");
        compare_twice("bad.mtx.gz");
    }
}

/* --- files of several blocks, so that each rank has some --- */

struct text_file {
    char *bytes;
    size_t size;
};

#define LINES 60000
#define N 5000

/* Make a file of this number of entries at random positions, of which some are given several times and some
 * are zero. `line` says which line is replaced by `instead`; 0 for none. Symmetric kinds get entries below
 * the diagonal, or with `both` on both sides of it. Only rank 0 writes it, and needs it. */
static struct text_file make_file(const char *banner, bool values, bool complex, bool lower, bool both,
                                  int64_t line, const char *instead, int64_t promised)
{
    struct text_file file = {NULL, 0};
    uint64_t seed = 7;
    if (ranks.rank != 0) return file;
    file.bytes = malloc((size_t)LINES * 64 + 200000);
    file.size +=
        (size_t)sprintf(file.bytes, "%s%% a comment\n%d %d %lld\n", banner, N, N, (long long)promised);
    for (int64_t k = 4; k < LINES + 4; k++) {
        int i = (int)support_random(&seed, N) + 1, j = (int)support_random(&seed, N) + 1;
        if (lower && (i < j) != (both && k % 1000 == 17)) {
            int t = i;
            i = j;
            j = t;
        }
        if (lower && i == j) i = i < N ? i + 1 : i - 1, j = i > j ? j : 1;
        if (k % 50 == 0) i = 4711, j = 17; /* many duplicates of one position, with other values each */
        double value = (double)(int)support_random(&seed, 2001) / 7 - 100;
        if (k == line)
            file.size += (size_t)sprintf(file.bytes + file.size, "%s\n", instead);
        else if (!values)
            file.size += (size_t)sprintf(file.bytes + file.size, "%d %d\n", i, j);
        else if (complex)
            file.size += (size_t)sprintf(file.bytes + file.size, "%d %d %.17g %.17g\n", i, j,
                                         k % 31 ? value : 0, value / 3);
        else
            file.size += (size_t)sprintf(file.bytes + file.size, "%d %d %.17g\n", i, j, k % 31 ? value : 0);
    }
    return file;
}

static void compare_file(struct text_file file, bool all)
{
    write_file("large.mtx", file.bytes, file.size);
    if (all)
        compare_all("large.mtx");
    else
        compare("large.mtx", &(struct load_options){0});
    free(file.bytes);
}

static void test_large(void **state)
{
    compare_file(make_file(REAL, true, false, false, false, 0, "", LINES), true);
    compare_file(make_file(COMPLEX, true, true, false, false, 0, "", LINES), true);
    compare_file(make_file(PATTERN, false, false, false, false, 0, "", LINES), true);
    compare_file(make_file(SYMMETRIC, true, false, true, false, 0, "", LINES), true);
    compare_file(make_file(SKEW, true, false, true, false, 0, "", LINES), true);
    compare_file(make_file(HERMITIAN, true, true, true, false, 0, "", LINES), true);
    compare_file(make_file(INTEGER, true, false, false, false, 0, "", LINES), true);
}

/* Make the same file with this line replaced; 0 for none. */
static struct text_file replace_line(const struct text_file *of, int64_t line, const char *instead,
                                     int64_t promised)
{
    struct text_file file = {NULL, 0};
    if (ranks.rank != 0) return file;
    const char *rest = of->bytes, *from = NULL, *to = NULL;
    for (int64_t k = 1; k <= 3; k++)
        rest = strchr(rest, '\n') + 1;
    from = to = rest;
    for (int64_t k = 4; k <= line; k++) {
        from = to;
        to = strchr(to, '\n') + 1;
    }
    file.bytes = malloc(of->size + 200);
    file.size = (size_t)sprintf(file.bytes, "%s%% a comment\n%d %d %lld\n", REAL, N, N, (long long)promised);
    memcpy(file.bytes + file.size, rest, (size_t)(from - rest));
    file.size += (size_t)(from - rest);
    if (line) file.size += (size_t)sprintf(file.bytes + file.size, "%s\n", instead);
    memcpy(file.bytes + file.size, to, of->size - (size_t)(to - of->bytes));
    file.size += of->size - (size_t)(to - of->bytes);
    return file;
}

/* Different ranks find the faults in the second half of a file, and in the first. */
static void test_faults(void **state)
{
    static const int64_t lines[] = {4, LINES / 5, LINES / 2, LINES - 1, LINES + 3};
    static const char *const wrong[] = {"1 1 bad",   "0 1 1",   "5001 1 1",  "1 1",
                                        "% nothing", "1 1 1 1", "1 1 1e999", "1 x 3"};
    const struct text_file right = make_file(REAL, true, false, false, false, 0, "", LINES);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        for (size_t t = 0; t < sizeof wrong / sizeof *wrong; t++)
            compare_file(replace_line(&right, lines[k], wrong[t], LINES), false);
    for (int more = -3; more <= 3; more++)
        compare_file(replace_line(&right, 0, "", LINES + more), false);
    compare_file(replace_line(&right, LINES / 3, "1 1 bad", LINES / 2), false);
    compare_file(replace_line(&right, LINES / 2 + 10, "1 1 bad", LINES / 2), false);
    free(right.bytes);
}

/* A symmetric file that gives entries together with their mirror images. */
static void test_mirrors(void **state)
{
    compare_file(make_file(SYMMETRIC, true, false, true, true, 0, "", LINES), true);
    compare_file(make_file(SYMMETRIC, true, false, true, true, LINES - 5, "17 4711 3", LINES), true);
    compare_file(make_file(SYMMETRIC, true, false, true, true, 44, "17 4711 3", LINES), true);
    struct text_file file = {malloc(2 * (size_t)N * 64 + 1000), 0};
    file.size += (size_t)sprintf(file.bytes, "%s%d %d %d\n", SYMMETRIC, N, N, 2 * (N - 1));
    for (int i = 2; i <= N; i++)
        file.size +=
            (size_t)sprintf(file.bytes + file.size, "%d %d %d\n%d %d %d\n", i, N / i, i, N / i, i, i);
    compare_file(file, true);
}

static void test_generated(void **state)
{
    static const char *const specifications[] = {
        "gen:laplace2d,n=60",
        "gen:laplace3d,n=1",
        "gen:stencil27,n=12",
        "gen:dissection,n=40",
        "gen:banded,n=3000,fill=0.3",
        "gen:arrow,n=3000",
        "gen:dense,m=300",
        "gen:random,m=4000,n=17",
        "gen:blocks,n=2001",
        "gen:permutation",
        "gen:powerlaw,scale=12",
        "gen:mosaic",
        "gen:tile,file=good.mtx,copies=40",
        "gen:random,m=2,n=2147483647",
        "gen:nonsense",
        "gen:laplace2d,n=0",
        "gen:dense,m=2147483647",
        "gen:banded,n=100000",
        "nowhere.mtx",
        "",
    };
    write_file("good.mtx", market_good[0].text, strlen(market_good[0].text));
    for (size_t k = 0; k < sizeof specifications / sizeof *specifications; k++)
        compare_all(specifications[k]);
}

/* The transposed matrix of files of all kinds, with summed entries and zeros, and of rectangles. */
static void test_transposed(void **state)
{
    static const char *const specifications[] = {"gen:random,m=4000,n=17", "gen:random,m=3,n=900,mean=40",
                                                 "gen:powerlaw,scale=10", "gen:arrow,n=3000"};
    threads_set(1);
    for (size_t k = 0; k < market_good_count; k++) {
        write_file("good.mtx", market_good[k].text, strlen(market_good[k].text));
        compare("good.mtx", &(struct load_options){.transpose = true, .drop_zeros = k % 2});
    }
    for (size_t k = 0; k < sizeof specifications / sizeof *specifications; k++)
        compare(specifications[k], &(struct load_options){.transpose = true});
    compare("absent.mtx", &(struct load_options){.transpose = true});
}

static void test_named(void **state)
{
    for (int k = 0; k < names_count; k++)
        compare_all(names[k]);
}

/* A limit that is too low for one process can suffice for several. If one rank exceeds it, since one of its
 * rows has most of the entries, all ranks fail. */
static void test_limits(void **state)
{
    struct share share;
    struct error error = {0};
    struct load_options options = {.limit = (size_t)160
                                            << 20}; /* 12 bytes for each of 14.4 million entries: 165 MiB */
    enum status status = share_load(&ranks, "gen:dense,m=3800", &options, &share, &error);
    assert_int_equal(status, ranks.count == 1 ? STATUS_LIMIT : STATUS_OK);
    share_free(&share);
    error_clear(&error);
    options.limit =
        (size_t)60 << 20; /* the first of two rows has 6 million entries, 69 MiB, the other ones a few */
    status = share_load(&ranks, "gen:arrow,n=6000000", &options, &share, &error);
    assert_int_equal(status, STATUS_LIMIT);
    assert_non_null(strstr(error.message, "more than the limit of 60.0 MiB"));
    share_free(&share);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),       cmocka_unit_test(test_malformed), cmocka_unit_test(test_large),
        cmocka_unit_test(test_faults),     cmocka_unit_test(test_mirrors),   cmocka_unit_test(test_generated),
        cmocka_unit_test(test_transposed), cmocka_unit_test(test_limits),
    };
    const struct CMUnitTest named[] = {cmocka_unit_test(test_named)};
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    names = argv + 1;
    names_count = argc - 1;
    const struct CMUnitTest *chosen = names_count ? named : tests;
    const size_t count = names_count ? 1 : sizeof tests / sizeof *tests;
    return ranks_run_tests(&ranks, "ranks/read", chosen, count);
}
