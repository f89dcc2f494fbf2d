/* matrix/glimpse.c: the sample that is counted, by a plain loop over all entries; the glimpse of every kind
 * of file against the matrix that was read; and the pyramid of its cells. */
#include "matrix/glimpse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pyramid_glimpse.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matrix/files/compress.h"
#include "matrix/files/reader.h"
#include "matrix/relay.h"
#include "support/files.h"
#include "support/generate.h"
#include "support/support.h"
#include "support/unit.h"

static struct glimpse *glimpse_new(void)
{
    struct glimpse *glimpse = memory_zeroed(1, sizeof *glimpse, NULL);
    assert_non_null(glimpse);
    return glimpse;
}

static uint32_t cell(const struct glimpse *glimpse, int64_t r, int64_t c)
{
    return atomic_load(&glimpse->cells[r * glimpse->grid_cols + c]);
}

/* --- the sample --- */

enum { ROWS_SAMPLED = 3000, COLS_SAMPLED = 700, ENTRIES = 20000, BLOCK = 7 };

/* Entries are counted as often as they are in a piece, at cells of 8 x 2. */
static void count_plainly(const int32_t *row, const int32_t *col, bool mirrored, uint32_t *cells,
                          int64_t *counted)
{
    for (int k = 0; k < ENTRIES; k++) {
        int within = k % 512 - glimpse_piece(BLOCK, k / 512);
        if (within < 0 || within >= 16) continue;
        ++*counted;
        cells[row[k] / 8 * 350 + col[k] / 2]++;
        if (mirrored && row[k] != col[k]) cells[col[k] / 8 * 350 + row[k] / 2]++;
    }
}

static void check_sample(bool mirrored, bool transposed)
{
    static int32_t row[ENTRIES], col[ENTRIES];
    static uint32_t cells[375 * 350];
    struct glimpse *glimpse = glimpse_new();
    uint64_t seed = 3;
    int64_t counted = 0;
    memset(cells, 0, sizeof cells);
    for (int k = 0; k < ENTRIES; k++) {
        row[k] = (int32_t)support_random(&seed, mirrored ? COLS_SAMPLED : ROWS_SAMPLED);
        col[k] = k % 9 ? (int32_t)support_random(&seed, COLS_SAMPLED) : row[k] % COLS_SAMPLED;
    }
    count_plainly(row, col, mirrored, cells, &counted);
    glimpse->transposed = transposed;
    glimpse_begin(glimpse, transposed ? COLS_SAMPLED : ROWS_SAMPLED, transposed ? ROWS_SAMPLED : COLS_SAMPLED,
                  mirrored, 0);
    assert_true(glimpse_begun(glimpse));
    assert_int_equal(glimpse->grid_rows, 375);
    assert_int_equal(glimpse->grid_cols, 350);
    /* In parts that begin with a stretch, as a sink hands them over. */
    for (int first = 0, some; first < ENTRIES; first += some) {
        some = first % 1024 ? 1536 : 512;
        if (some > ENTRIES - first) some = ENTRIES - first;
        glimpse_take(glimpse, (transposed ? col : row) + first, (transposed ? row : col) + first, some, BLOCK,
                     first);
    }
    assert_int_equal(atomic_load(&glimpse->counted), counted);
    for (int64_t r = 0; r < 375; r++)
        for (int64_t c = 0; c < 350; c++)
            assert_int_equal(cell(glimpse, r, c), cells[r * 350 + c]);
    free(glimpse);
}

TEST(a_piece_of_each_stretch_is_counted)
{
    check_sample(false, false);
    check_sample(true, false);
    check_sample(false, true);
}

/* Every position of a stretch is sampled in some stretch, in blocks of one stretch too. */
TEST(pieces_lie_anywhere_in_a_stretch)
{
    for (int by_block = 0; by_block < 2; by_block++) {
        int seen[GLIMPSE_SAMPLE] = {0};
        for (int k = 0; k < 3200; k++) {
            int first = by_block ? glimpse_piece(k, 0) : glimpse_piece(1, k);
            assert_true(first >= 0 && first % GLIMPSE_PIECE == 0 && first < GLIMPSE_STRETCH);
            seen[first / GLIMPSE_PIECE]++;
        }
        for (int k = 0; k < GLIMPSE_SAMPLE; k++)
            assert_true(seen[k] > 40 && seen[k] < 200);
    }
}

TEST(a_cell_has_a_power_of_two_rows_and_at_most_512_are_beside_each_other)
{
    static const struct {
        int64_t lines, cells;
        int shift;
    } cases[] = {{0, 0, 0},      {1, 1, 0},      {512, 512, 0},       {513, 257, 1},
                 {1024, 512, 1}, {1025, 257, 2}, {INT32_MAX, 512, 22}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct glimpse *glimpse = glimpse_new();
        assert_false(glimpse_begun(glimpse));
        glimpse_begin(glimpse, cases[k].lines, 3, false, 0);
        assert_int_equal(glimpse->grid_rows, cases[k].cells);
        assert_int_equal(glimpse->row_shift, cases[k].shift);
        assert_int_equal(glimpse->grid_cols, 3);
        free(glimpse);
    }
}

TEST(the_share_is_that_of_the_blocks)
{
    struct glimpse *glimpse = glimpse_new();
    glimpse_begin(glimpse, 5, 5, false, 0);
    assert_true(glimpse_share(glimpse) == -1);
    glimpse_begin(glimpse, 9, 9, true, 4);
    assert_int_equal(glimpse->rows, 5);
    glimpse_block(glimpse);
    assert_true(glimpse_share(glimpse) == 0.25);
    for (int k = 0; k < 9; k++)
        glimpse_block(glimpse);
    assert_true(glimpse_share(glimpse) == 1);
    glimpse_begin(NULL, 1, 1, false, 1);
    glimpse_take(NULL, NULL, NULL, 5, 0, 0);
    glimpse_block(NULL);
    assert_false(glimpse_begun(NULL));
    free(glimpse);
}

/* --- files --- */

/* No cell has more entries than the matrix has there, summed ones included. The cells have about a 32nd of
 * all entries, and their pyramid agrees with them. */
static void assert_shows(const struct glimpse *glimpse, const struct csr *a, const char *what)
{
    uint32_t *most = calloc(GLIMPSE_SIDE * GLIMPSE_SIDE, sizeof *most);
    struct pyramid pyramid = {0};
    int64_t all = 0;
    assert_int_equal(glimpse->rows, a->rows);
    assert_int_equal(glimpse->cols, a->cols);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            most[(i >> glimpse->row_shift) * glimpse->grid_cols + (a->col[k] >> glimpse->col_shift)]++;
    for (int round = 0; round < 2; round++)
        assert_int_equal(pyramid_of_glimpse(glimpse, &pyramid, NULL), STATUS_OK);
    for (int64_t r = 0; r < glimpse->grid_rows; r++)
        for (int64_t c = 0; c < glimpse->grid_cols; c++) {
            const uint32_t count = cell(glimpse, r, c);
            if (count > most[r * glimpse->grid_cols + c])
                fail_msg("%s: cell (%d, %d) has %u entries of %u", what, (int)r, (int)c, count,
                         most[r * glimpse->grid_cols + c]);
            assert_int_equal(pyramid_cells(&pyramid, r, r + 1, c, c + 1), count);
            all += count;
        }
    assert_int_equal(pyramid_cells(&pyramid, 0, glimpse->grid_rows, 0, glimpse->grid_cols), all);
    const double share = (double)all / (double)csr_nnz(a);
    if (share < 1. / 48 || share > 1. / 20) fail_msg("%s: %g of the entries", what, share);
    pyramid_free(&pyramid);
    free(most);
}

static void check_file(const char *name, bool transpose)
{
    struct glimpse *glimpse = glimpse_new();
    const struct load_options options = {.glimpse = glimpse, .transpose = transpose};
    struct matrix matrix;
    struct error error = {0};
    if (matrix_load(name, &options, NULL, &matrix, &error) != STATUS_OK)
        fail_msg("%s: %s", name, error.message);
    assert_shows(glimpse, &matrix.csr, name);
    matrix_free(&matrix);
    free(glimpse);
}

/* Write the matrix as this kind of file. */
static void write_as(const struct matrix *matrix, const struct reader *reader, const char *path)
{
    struct error error = {0};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    if (reader->write(file, matrix, NULL, NULL, &error) != STATUS_OK) fail_msg("%s: %s", path, error.message);
    assert_int_equal(fclose(file), 0);
}

/* In symmetric files a cell has as many entries as the mirrored cell. */
TEST(each_kind_of_file_shows_its_entries)
{
    static const char *const sources[] = {"powerlaw,scale=14,edge=16", "laplace2d,n=150",
                                          "random,m=3000,n=40000,mean=30"};
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        struct matrix matrix = generated(sources[s]);
        for (int symmetric = 0; symmetric < (s == 1 ? 2 : 1); symmetric++)
            for (int k = 0; readers[k]; k++) {
                char path[64];
                if (!readers[k]->write || readers[k]->package) continue;
                matrix.symmetry = symmetric ? SYMMETRY_SYMMETRIC : SYMMETRY_GENERAL;
                snprintf(path, sizeof path, "made%s", readers[k]->endings[0]);
                write_as(&matrix, readers[k], path);
                check_file(path, false);
                check_file(path, s == 2);
            }
        matrix_free(&matrix);
    }
}

TEST(compressed_and_generated_matrices_are_shown_too)
{
    struct matrix matrix = generated("powerlaw,scale=14,edge=16");
    write_as(&matrix, reader_find("mtx", NULL), "plain.mtx");
    matrix_free(&matrix);
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = fopen("plain.mtx", "rb"), *memory = open_memstream(&bytes, &size);
    for (int c; (c = getc(file)) != EOF;)
        putc(c, memory);
    fclose(file);
    fclose(memory);
    files_pack("packed.mtx.gz", bytes, size, PACKED_GZIP);
    free(bytes);
    check_file("packed.mtx.gz", false);
    check_file("packed.mtx.gz", true);
    check_file("gen:powerlaw,scale=14,edge=16", false);
    check_file("gen:random,m=20000,n=30000", true);
}

static void put_member(struct compressor *zip, const char *name, const char *type, const char *shape,
                       const void *data, size_t bytes)
{
    char header[128], path[32];
    int length =
        snprintf(header + 10, 118, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    memset(header + 10 + length, ' ', 118 - (size_t)length);
    memcpy(header, "\x93NUMPY\1\0\x76\0", 10);
    header[127] = '\n';
    snprintf(path, sizeof path, "%s.npy", name);
    assert_int_equal(compressor_member(zip, path, (int64_t)(128 + bytes), NULL), STATUS_OK);
    fwrite(header, 1, 128, zip->file);
    fwrite(data, 1, bytes, zip->file);
}

/* For unordered coordinates the first pass reads rows only. */
TEST(coordinates_of_numpy_are_shown)
{
    enum { SIDE = 3000, COUNT = 40000 };
    static int32_t row[COUNT], col[COUNT];
    static double val[COUNT];
    const int64_t shape[] = {SIDE, SIDE};
    for (int k = 0; k < COUNT; k++) {
        row[k] = (int32_t)((int64_t)k * 1009 % SIDE);
        col[k] = (k / SIDE * 37 + row[k] * 7) % SIDE;
        val[k] = k + 1;
    }
    struct compressor zip = {0};
    FILE *file = fopen("coo.npz", "wb");
    assert_int_equal(compressor_open_zip(&zip, file, NULL), STATUS_OK);
    put_member(&zip, "row", "<i4", "40000,", row, sizeof row);
    put_member(&zip, "col", "<i4", "40000,", col, sizeof col);
    put_member(&zip, "format", "|S3", "", "coo", 3);
    put_member(&zip, "shape", "<i8", "2,", shape, sizeof shape);
    put_member(&zip, "data", "<f8", "40000,", val, sizeof val);
    assert_int_equal(compressor_close(&zip, NULL), STATUS_OK);
    fclose(file);
    check_file("coo.npz", false);
}

/* An edge list tells no size before it is read, and a METIS graph is read by rows. */
TEST(graphs_are_shown_once_their_size_is_known)
{
    FILE *edges = fopen("ring.tsv", "w"), *metis = fopen("ring.graph", "w");
    enum { N = 30000 };
    fprintf(metis, "%d %d\n", N, N);
    for (int k = 0; k < N; k++) {
        fprintf(edges, "%d\t%d\n%d\t%d\n", k, (k + 1) % N, k, (k + N - 1) % N);
        fprintf(metis, "%d %d\n", (k + 1) % N + 1, (k + N - 1) % N + 1);
    }
    fclose(edges);
    fclose(metis);
    check_file("ring.tsv", false);
    check_file("ring.graph", false);
}

/* --- streamed: the consumer ignores all entries --- */

static enum status begin(void *self, const struct source *source, int threads, struct error *error)
{
    return STATUS_OK;
}

static void any(void *self, int thread, const struct entries *entries)
{
}

static void stage(void *self, const struct entries *entries)
{
}

TEST(streamed_entries_are_shown)
{
    struct matrix whole = generated("powerlaw,scale=14,edge=16");
    static const char *const names[] = {"streamed.mtx", "gen:powerlaw,scale=14,edge=16"};
    write_as(&whole, reader_find("mtx", NULL), names[0]);
    for (int k = 0; k < 2; k++) {
        struct glimpse *glimpse = glimpse_new();
        struct taker taker = {.always = true, .begin = begin, .any = any};
        for (int t = 0; t < STREAM_STAGES; t++)
            taker.stage[t] = stage;
        const struct load_options options = {.glimpse = glimpse, .taker = &taker};
        struct matrix matrix;
        assert_int_equal(matrix_load(names[k], &options, NULL, &matrix, NULL), STATUS_OK);
        assert_shows(glimpse, &whole.csr, names[k]);
        matrix_free(&matrix);
        free(glimpse);
    }
    matrix_free(&whole);
}

TESTS_BETWEEN(files_begin, files_end);
