/* Matrices whose entries are streamed and not kept: results equal those in memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/files/reader.h"
#include "session/session.h"
#include "support/files.h"
#include "support/unit.h"

#define PATH "matrix" /* the file of a test, which the next test overwrites */
#define PARTS \
    (SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE | SESSION_VALUES | SESSION_PYRAMID)

TESTS_BETWEEN(files_begin, files_end)

static FILE *begin(void)
{
    FILE *file = fopen(PATH, "w");
    assert_non_null(file);
    return file;
}

static void load(struct session *session, const char *name, bool stream)
{
    const struct load_options options = {.stream = stream};
    struct error error = {0};
    enum status status = session_load(session, name, &options, NULL, &error);
    if (status != STATUS_OK) print_error("%s\n", error.message);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(session_need(session, NULL, PARTS, NULL, NULL), STATUS_OK);
    assert_int_equal(case_has_entries(session->shown), !stream);
}

static void assert_same_bits(double x, double y)
{
    assert_memory_equal(&x, &y, sizeof x);
}

static void assert_same_lengths(const struct lengths *a, const struct lengths *b)
{
    assert_int_equal(a->nnz, b->nnz);
    assert_int_equal(a->bins, b->bins);
    assert_memory_equal(a->histogram, b->histogram, (size_t)a->bins * sizeof *a->histogram);
    assert_same_bits(a->gini, b->gini);
}

/* The symmetry of a general matrix is exact, or within its error. */
static void assert_share(double stated, double found, double error)
{
    assert_true(isnan(error) ? stated == found : fabs(stated - found) <= error);
}

static void assert_same_structure(const struct structure *a, const struct structure *b)
{
    assert_int_equal(a->lower_bandwidth, b->lower_bandwidth);
    assert_int_equal(a->upper_bandwidth, b->upper_bandwidth);
    assert_int_equal(a->profile, b->profile);
    assert_int_equal(a->diagonal_nonzeros, b->diagonal_nonzeros);
    assert_int_equal(a->diagonals, b->diagonals);
    assert_int_equal(a->empty_rows, b->empty_rows);
    assert_int_equal(a->empty_cols, b->empty_cols);
    assert_int_equal(isnan(a->pattern_symmetry), isnan(b->pattern_symmetry));
    if (isnan(a->pattern_symmetry)) return;
    assert_share(a->pattern_symmetry, b->pattern_symmetry, b->symmetry_error);
    assert_share(a->numeric_symmetry, b->numeric_symmetry, b->symmetry_error);
    assert_share(a->conjugate_symmetry, b->conjugate_symmetry, b->symmetry_error);
}

static void assert_same_pattern(const struct matrix_case *a, const struct matrix_case *b)
{
    const struct pyramid *p = &b->pyramid;
    assert_true(p->grid_rows <= PYRAMID_SIDE && p->grid_cols <= PYRAMID_SIDE);
    for (int64_t r = 0; r < p->grid_rows; r += 1 + p->grid_rows / 64)
        for (int64_t c = 0; c < p->grid_cols; c += 1 + p->grid_cols / 64)
            assert_int_equal(pyramid_cells(p, r, r + 1, c, c + 1),
                             pyramid_count(&a->pyramid, &a->matrix.csr, r * p->row_step,
                                           (r + 1) * p->row_step, c * p->col_step, (c + 1) * p->col_step));
}

static void assert_same(const char *name)
{
    static const int threads[] = {1, 2, 5};
    FREED(session_free) struct session kept;
    load(&kept, name, false);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        FREED(session_free) struct session streamed;
        threads_set(threads[t]);
        load(&streamed, name, true);
        const struct matrix_case *a = kept.shown, *b = streamed.shown;
        assert_int_equal(case_nnz(a), case_nnz(b));
        assert_int_equal(a->matrix.stored, b->matrix.stored);
        assert_int_equal(a->matrix.explicit_zeros, b->matrix.explicit_zeros);
        assert_same_lengths(&a->row_lengths, &b->row_lengths);
        assert_same_lengths(&a->col_lengths, &b->col_lengths);
        assert_same_structure(&a->structure, &b->structure);
        assert_memory_equal(&a->values, &b->values, sizeof a->values);
        assert_same_pattern(a, b);
    }
    threads_set(0);
}

TEST(generated_matrices_are_the_same)
{
    static const char *const names[] = {"gen:laplace2d,n=120",
                                        "gen:stencil27,n=22",
                                        "gen:random,m=3000,n=5000,mean=20",
                                        "gen:random,m=5000,n=300,mean=7",
                                        "gen:laplace2d,n=1",
                                        "gen:tile,file=gen:laplace2d,copies=7"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        assert_same(names[k]);
}

/* Write a Matrix Market file with this number of distinct entries and all kinds of values, in the order of
 * columns or, if `mixed`, in no order. */
static void write_file(const char *kind, int n, bool mixed)
{
    FILE *file = begin();
    bool complex = strncmp(kind, "complex", 7) == 0, skew = strstr(kind, "skew");
    bool below = !strstr(kind, "general");
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass) fprintf(file, "%%%%MatrixMarket matrix coordinate %s\n%d %d %d\n", kind, n, n, count);
        for (int q = 0; q < n; q++) {
            int j = mixed ? (int)((int64_t)q * 617 % n) : q;
            for (int i = below ? j + skew : 0; i < n; i++) {
                bool there = (i * 31 + j * 17) % 23 == 0 || i == j;
                if (!there) continue;
                count += !pass;
                double value =
                    (i * 7 + j) % 29 == 0 ? 0 : ldexp(1 + i / 3.0 - j / 7.0, (i + 3 * j) % 90 - 45);
                bool real = strstr(kind, "hermitian") && i == j;
                if (pass) fprintf(file, complex ? "%d %d %.17g" : "%d %d %.17g\n", i + 1, j + 1, value);
                if (pass && complex) fprintf(file, " %.17g\n", real ? 0 : value / 3 + i - j);
            }
        }
    }
    assert_int_equal(fclose(file), 0);
}

TEST(files_are_the_same)
{
    static const char *const kinds[] = {"real general",      "real symmetric",         "real skew-symmetric",
                                        "complex hermitian", "complex skew-symmetric", "complex general"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (int mixed = 0; mixed < 2; mixed++) {
            write_file(kinds[k], 501, mixed);
            assert_same(PATH);
        }
}

/* Values that repeat several times, of all kinds of doubles: at the limits of their range and of decades,
 * subnormal numbers, zeros, and if `strange`, in the second half of the list, infinite ones and NaN. */
static void write_values(bool strange)
{
    static const char *const values[] = {"1",      "-1",      "0",        "-0.0",
                                         "5e-324", "-1e-310", "1e-309",   "1e-100",
                                         "1e300",  "-1e300",  "10",       "9.999999999999998",
                                         "1e-5",   "-8e-6",   "2.5e-308", "3",
                                         "inf",    "-inf",    "nan"};
    enum { KINDS = sizeof values / sizeof *values, ROWS = 7, COLS = 900, STRANGE = 3 };
    FILE *file = begin();
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n", ROWS, COLS, ROWS * COLS);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            int usual = KINDS - STRANGE, k = i % 2 ? (i * 13 + j * 5) % usual : (i * 3 + j / 9) % usual;
            if (strange && i > ROWS / 2 && j % 50 == 0) k = usual + j % STRANGE;
            fprintf(file, "%d %d %s\n", i + 1, j + 1, values[k]);
        }
    assert_int_equal(fclose(file), 0);
}

TEST(values_of_all_kinds_are_the_same)
{
    for (int strange = 0; strange < 2; strange++) {
        write_values(strange);
        assert_same(PATH);
    }
}

/* Write a matrix in this format. */
static void write_as(const char *format, const char *name)
{
    const struct load_options options = {.keep = true};
    const struct reader *reader = reader_find(format, NULL);
    struct matrix matrix;
    FILE *file = begin();
    assert_non_null(reader);
    assert_int_equal(matrix_load(name, &options, NULL, &matrix, NULL), STATUS_OK);
    assert_int_equal(reader->write(file, &matrix, NULL, NULL, NULL), STATUS_OK);
    matrix_free(&matrix);
    assert_int_equal(fclose(file), 0);
}

/* Rows, in MATLAB's files columns, that are copied from arrays. Some have the columns of the row before, also
 * shifted by one, and some have others. Some rows are longer than a copied piece. */
TEST(arrays_are_the_same)
{
    static const char *const forms[] = {"petsc", "npz", "mat"};
    static const char *const names[] = {"gen:stencil27,n=16", "gen:banded,n=3000,lower=40,upper=3,fill=0.7",
                                        "gen:powerlaw,scale=11,edge=30",
                                        "gen:random,m=30,n=200000,mean=30000,spread=20000"};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            write_as(forms[f], names[k]);
            assert_same(PATH);
        }
}

static void put_big(FILE *file, uint64_t number, int bytes)
{
    while (bytes-- > 0)
        fputc((int)(number >> 8 * bytes & 255), file);
}

static void put_double(FILE *file, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_big(file, bits, 8);
}

/* The kinds of PETSc's files that are made by hand: rows ascend, some do not, or have an entry twice. */
enum { ASCENDING, MIXED, TWICE };

/* Column e of row i, of `size`; all columns ascend, and are below 4 size + 12. */
static int column_of(int i, int e, int size, int kind)
{
    if (kind == MIXED && i % 9 == 4 && size > 2) e = size - 1 - e;
    if (kind == TWICE && i == 700 && e == 3) e = 2;
    return i % 3 ? 4 * e + i % 12 : 3 * e + i % 5;
}

/* Rows of 0 to 39999 entries. Many values are equal, 0, or far from the others. */
static void write_petsc(int kind, bool complex)
{
    enum { ROWS = 900, COLS = 160012 };
    int size[ROWS], count = 0;
    FILE *file = begin();
    for (int i = 0; i < ROWS; i++) {
        size[i] = i % 7 == 3 ? 0 : i % 31;
        if (i == 0 || i == 500) size[i] = 39999;
        count += size[i];
    }
    const int head[] = {1211216, ROWS, COLS, count};
    for (int k = 0; k < 4; k++)
        put_big(file, (uint64_t)head[k], 4);
    for (int i = 0; i < ROWS; i++)
        put_big(file, (uint64_t)size[i], 4);
    for (int i = 0; i < ROWS; i++)
        for (int e = 0; e < size[i]; e++)
            put_big(file, (uint64_t)column_of(i, e, size[i], kind), 4);
    for (int k = 0; k < count; k++) {
        int part = k / 4096;
        double value = part % 3 == 0 ? (k % 10 ? -1 : 26) : 1 + sin(k) / 2;
        if (part % 5 == 4) value = ldexp(value, k % 43 - 20);
        if (k % 77 == 5) value = k % 2 ? 0 : -0.0;
        put_double(file, value);
        if (complex) put_double(file, k % 5 ? cos(k) * value : 0);
    }
    assert_int_equal(fclose(file), 0);
}

TEST(rows_of_all_kinds_are_the_same)
{
    for (int kind = ASCENDING; kind <= MIXED; kind++)
        for (int complex = 0; complex < 2; complex++) {
            write_petsc(kind, complex);
            assert_same(PATH);
        }
}

TEST(a_repeated_entry_is_counted)
{
    struct session once, twice;
    write_petsc(ASCENDING, false);
    load(&once, PATH, true);
    write_petsc(TWICE, false);
    load(&twice, PATH, true);
    assert_int_equal(once.shown->matrix.duplicates, 0);
    assert_int_equal(twice.shown->matrix.duplicates, 1);
    assert_int_equal(case_nnz(twice.shown), case_nnz(once.shown));
    assert_same_lengths(&once.shown->row_lengths, &twice.shown->row_lengths);
    assert_int_equal(twice.shown->structure.lower_bandwidth, once.shown->structure.lower_bandwidth);
    assert_memory_equal(&once.shown->values.norm_inf, &twice.shown->values.norm_inf, sizeof(double));
    session_free(&once);
    session_free(&twice);
}

/* A list with a single position, in several blocks of text of 256 KiB, which two threads read in turn. The
 * position also repeats across blocks. */
TEST(a_place_repeated_across_blocks_is_counted)
{
    enum { ENTRIES = 200000 };
    FILE *file = begin();
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n3 3 %d\n", ENTRIES);
    for (int k = 0; k < ENTRIES; k++)
        fprintf(file, "2 3 1\n");
    assert_int_equal(fclose(file), 0);
    for (int threads = 1; threads < 3; threads++) {
        FREED(session_free) struct session session;
        threads_set(threads);
        load(&session, PATH, true);
        assert_int_equal(session.shown->matrix.duplicates, ENTRIES - 1);
    }
    threads_set(0);
}

/* Without zeros, where rows are copied and where they are parsed. */
TEST(zeros_are_left_out)
{
    for (int text = 0; text < 2; text++) {
        struct load_options options = {.drop_zeros = true};
        FREED(session_free) struct session kept, streamed;
        if (text)
            write_file("real general", 501, false);
        else
            write_petsc(ASCENDING, false);
        assert_int_equal(session_load(&kept, PATH, &options, NULL, NULL), STATUS_OK);
        options.stream = true;
        assert_int_equal(session_load(&streamed, PATH, &options, NULL, NULL), STATUS_OK);
        assert_int_equal(session_need(&kept, NULL, PARTS, NULL, NULL), STATUS_OK);
        assert_int_equal(session_need(&streamed, NULL, PARTS, NULL, NULL), STATUS_OK);
        assert_int_equal(case_nnz(streamed.shown), case_nnz(kept.shown));
        assert_same_lengths(&kept.shown->row_lengths, &streamed.shown->row_lengths);
        assert_same_lengths(&kept.shown->col_lengths, &streamed.shown->col_lengths);
        assert_same_structure(&kept.shown->structure, &streamed.shown->structure);
        assert_memory_equal(&kept.shown->values, &streamed.shown->values, sizeof kept.shown->values);
    }
}

static void write_text(const char *text)
{
    files_write(PATH, text, strlen(text));
}

TEST(entries_given_twice_are_told)
{
    static const char head[] = "%%MatrixMarket matrix coordinate real general\n3 3 4\n";
    char text[256];
    struct session session;
    snprintf(text, sizeof text, "%s1 1 2\n2 1 3\n2 1 4\n3 3 5\n", head);
    write_text(text);
    load(&session, PATH, true);
    assert_int_equal(case_nnz(session.shown), 4);
    assert_int_equal(session.shown->matrix.duplicates, 1);
    assert_says(session.shown->matrix.notes.data, "1 are duplicates");
    session_free(&session);
    snprintf(text, sizeof text, "%s3 3 5\n2 1 3\n1 2 2\n2 1 4\n", head);
    write_text(text);
    load(&session, PATH, true);
    assert_int_equal(session.shown->matrix.duplicates, -1);
    assert_says(session.shown->matrix.notes.data, "is not sorted");
    session_free(&session);
}

/* Each row, or column, except the first has one entry, given twice, so that some pairs cross the pieces that
 * the reader passes on. In the other direction the list either does not ascend, or has a single line. */
TEST(pairs_are_counted_across_pieces)
{
    enum { LINES = 5000 };
    static char text[LINES * 24];
    for (int kind = 0; kind < 4; kind++) {
        FREED(session_free) struct session session;
        bool by_columns = kind & 1, one_line = kind & 2;
        int used =
            snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n1 1\n",
                     LINES, LINES, 2 * LINES - 1);
        for (int i = 2; i <= LINES; i++)
            for (int twice = 0; twice < 2; twice++) {
                int across = one_line ? 1 : 1 + i % 3;
                used += snprintf(text + used, sizeof text - (size_t)used, "%d %d\n", by_columns ? across : i,
                                 by_columns ? i : across);
            }
        write_text(text);
        load(&session, PATH, true);
        assert_int_equal(session.shown->matrix.duplicates, LINES - 1);
    }
}

/* The list ascends row by row, but with the mirror images entries do not. */
TEST(mirror_images_are_in_no_order)
{
    enum { ROWS = 200 };
    static char text[ROWS * ROWS * 16];
    int used = snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n",
                        ROWS, ROWS, ROWS * (ROWS + 1) / 2);
    for (int i = 1; i <= ROWS; i++)
        for (int j = 1; j <= i; j++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%d %d %d\n", i, j, i * j % 19 - 9);
    write_text(text);
    assert_same(PATH);
}

/* One diagonal entry, given twice, is divided between two pieces of the list. Both parts count for the
 * diagonal, which exceeds the rest of its row. */
TEST(the_diagonal_may_be_in_two_pieces)
{
    enum { ROWS = 9000 };
    static char text[ROWS * 16];
    for (int piece = 256; piece < ROWS; piece *= 2) {
        FREED(session_free) struct session session;
        int used = snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n",
                            ROWS, ROWS, ROWS + 1);
        for (int i = 1; i <= ROWS; i++)
            for (int times = i == piece ? 2 : 1; times > 0; times--)
                used += snprintf(text + used, sizeof text - (size_t)used, "%d %d 1\n", i, i);
        write_text(text);
        load(&session, PATH, true);
        assert_int_equal(session.shown->matrix.duplicates, 1);
        assert_int_equal(session.shown->values.strict_rows, ROWS);
    }
}

TEST(faults_are_told_with_their_line)
{
    const struct load_options options = {.stream = true};
    FREED(session_free) struct session session;
    struct error error = {0};
    write_text("%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 2\n2 x 3\n3 3 5\n");
    assert_int_equal(session_load(&session, PATH, &options, NULL, &error), STATUS_INPUT);
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 3);
}

/* A matrix whose entries exceed the limit is streamed. If even rows and columns exceed it, it is refused. */
TEST(the_limit_decides)
{
    struct session session;
    struct error error = {0};
    struct load_options options = {.limit = (size_t)64 << 20};
    write_text("%%MatrixMarket matrix coordinate real general\n10000000 10000000 3\n1 1 1\n2 2 1\n3 3 1\n");
    threads_set(2);
    assert_int_equal(session_load(&session, "gen:stencil27,n=64", &options, NULL, NULL), STATUS_OK);
    assert_false(case_has_entries(session.shown));
    assert_int_equal(case_nnz(session.shown), (int64_t)190 * 190 * 190);
    session_free(&session);
    options.keep = true;
    assert_int_equal(session_load(&session, "gen:stencil27,n=64", &options, NULL, &error), STATUS_LIMIT);
    session_free(&session);
    options = (struct load_options){.limit = (size_t)30 << 20};
    error_clear(&error);
    assert_int_equal(session_load(&session, "gen:stencil27,n=100", &options, NULL, &error), STATUS_LIMIT);
    assert_says(error.message, "even if no entries are kept");
    session_free(&session);
    /* Three entries are not streamed, since a stream would take 53 bytes a row instead of 8. */
    error_clear(&error);
    assert_int_equal(session_load(&session, PATH, &options, NULL, &error), STATUS_LIMIT);
    const char *need = strstr(error.message, " need ");
    assert_non_null(need);
    double size = strtod(need + strlen(" need "), NULL);
    assert_true(size >= 76.3 && size < 100);
    assert_says(need, " MiB of memory with their analysis, more than the limit of 30.0 MiB");
    session_free(&session);
    threads_set(0);
}

/* Blocks without entries have no memory for entries. UndefinedBehaviorSanitizer would find a copy to NULL. */
TEST(nothing_may_come_by)
{
    const struct load_options options = {.stream = true};
    static const char graph[] = "3 0\n\n\n\n";
    static const char *const names[] = {"nothing.graph", "gen:random,n=1000,mean=0"};
    files_write(names[0], graph, sizeof graph - 1);
    for (int k = 0; k < 2; k++) {
        FREED(session_free) struct session session;
        struct error error = {0};
        if (session_load(&session, names[k], &options, NULL, &error) != STATUS_OK)
            fail_msg("%s", error.message);
        assert_false(case_has_entries(session.shown));
        assert_int_equal(case_nnz(session.shown), 0);
        assert_int_equal(session.shown->structure.empty_rows, session.shown->matrix.csr.rows);
    }
}

TEST(every_allocation_may_fail)
{
    const struct load_options options = {.stream = true};
    struct session session;
    enum status status = STATUS_MEMORY;
    threads_set(2);
    int k = 0;
    for (; status != STATUS_OK && k < 1000; k++) {
        struct error error = {0};
        memory_fail_after(k);
        status = session_load(&session, "gen:laplace2d,n=40", &options, NULL, &error);
        memory_fail_after(-1);
        if (status != STATUS_OK) assert_int_equal(status, STATUS_MEMORY);
        session_free(&session);
    }
    assert_int_equal(status, STATUS_OK);
    assert_true(k > 15);
    threads_set(0);
}

TEST(it_is_cancelled)
{
    const struct load_options options = {.stream = true};
    FREED(session_free) struct session session;
    struct progress progress = {0};
    progress_cancel(&progress);
    assert_int_equal(session_load(&session, "gen:laplace2d,n=40", &options, &progress, NULL),
                     STATUS_CANCELLED);
}
