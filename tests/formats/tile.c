/* formats/tile: each storage of a tile by hand, and all tiles of random matrices against the definitions. */
#include "formats/tile.h"

#include "formats/array.h"
#include "support/stored.h"
#include "support/support.h"
#include "support/unit.h"

/* Set the positions of a dense matrix to 1, 2, ... in the order of rows. */
static struct csr numbered(int64_t rows, int64_t cols, const char *const *picture)
{
    static double dense[64 * 64];
    double value = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            dense[i * cols + j] = picture[i][j] == 'x' ? ++value : 0;
    return support_dense(rows, cols, dense);
}

/* Tiles of two rows. In the first, CSR needs 6 bytes beside the values and COO 7; the second is COO; the
 * third has five columns and is ELL of width 2. */
TEST(csr_coo_and_ell_by_hand)
{
    static const char *const picture[] = {".xx..x.x.......x....x...........x.x..",
                                          "...x.............................x..x"};
    FREED(csr_free) struct csr a = numbered(2, 37, picture);
    FREED(storage_free) struct storage tile = stored("tile", &a);
    stored_expect(&tile, "tile_ptr", "0 3");
    stored_expect(&tile, "tile_col", "0 1 2");
    stored_expect(&tile, "slot_ptr", "0 6 7 11");
    stored_expect(&tile, "byte_ptr", "0 6 8 11");
    stored_expect(&tile, "index", "1 0 5 33 117 63 0 4 18 16 66");
    stored_expect(&tile, "val", "1 2 3 4 5 9 6 7 10 8 11");
    assert_int_equal(storage_size(&tile).integers, 2 + 3 + 4 + 4 + 11);
}

/* Columns i and i + 1. */
static const char *const bidiagonal[] = {
    "xx..............", ".xx.............", "..xx............", "...xx...........",
    "....xx..........", ".....xx.........", "......xx........", ".......xx.......",
    "........xx......", ".........xx.....", "..........xx....", "...........xx...",
    "............xx..", ".............xx.", "..............xx", "...............x"};

/* ELL with a slot of padding takes 273 bytes, COO 280 and CSR 281. */
TEST(padding_repeats_the_column_before)
{
    FREED(csr_free) struct csr a = numbered(16, 16, bidiagonal);
    FREED(storage_free) struct storage tile = stored("tile", &a);
    stored_expect(&tile, "index", "18 16 50 84 118 152 186 220 254 33 67 101 135 169 203 237 255");
    stored_expect(&tile, "val",
                  "1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 *");
}

/* A full tile of 2 x 3, below tile rows without and with a tile; the last one is cut by both edges. */
TEST(dense_tiles_at_the_edges)
{
    double dense[34 * 19] = {0};
    for (int i = 32; i < 34; i++)
        for (int j = 16; j < 19; j++)
            dense[i * 19 + j] = 10 * (i - 31) + j - 15;
    FREED(csr_free) struct csr a = support_dense(34, 19, dense);
    FREED(storage_free) struct storage tile = stored("tile", &a);
    stored_expect(&tile, "tile_ptr", "0 0 0 1");
    stored_expect(&tile, "tile_col", "1");
    stored_expect(&tile, "index", "3");
    stored_expect(&tile, "val", "11 21 12 22 13 23");
}

TEST(nothing_of_an_empty_matrix)
{
    FREED(csr_free) struct csr a = support_dense(3, 2, (const double[6]){0});
    FREED(storage_free) struct storage tile = stored("tile", &a);
    stored_expect(&tile, "tile_ptr", "0 0");
    assert_int_equal(storage_size(&tile).integers, 2);
}

/* By definition, for the tile at row r and column c of tiles: its entries, its longest row, and the bytes of
 * the cheapest storage with its values. */
struct plain {
    int64_t count, widest, rows, cols, kind, bytes;
};

static struct plain plain_tile(const struct csr *a, int64_t r, int64_t c, int64_t value)
{
    struct plain plain = {0};
    for (int64_t i = 16 * r; i < 16 * r + 16 && i < a->rows; i++, plain.rows++) {
        int64_t length = 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            length += a->col[k] / 16 == c;
        plain.count += length;
        if (length > plain.widest) plain.widest = length;
    }
    plain.cols = a->cols - 16 * c < 16 ? a->cols - 16 * c : 16;
    const int64_t padded = plain.rows * plain.widest, all = plain.rows * plain.cols;
    const int64_t bytes[] = {1 + plain.count * (value + 1),
                             1 + plain.rows + (plain.count + 1) / 2 + plain.count * value,
                             1 + (padded + 1) / 2 + padded * value, 1 + all * value};
    plain.kind = 3;
    for (int64_t kind = 2; kind >= 0; kind--)
        if (bytes[kind] < bytes[plain.kind]) plain.kind = kind;
    plain.bytes = bytes[plain.kind];
    return plain;
}

static void check_tiles(const struct csr *a, const struct storing *how, int64_t seen[TILE_KINDS])
{
    FREED(storage_free) struct storage tile = stored_with("tile", how, a);
    const int64_t value = how->precision == PRECISION_F32 ? 4 : 8;
    const uint8_t *index = stored_array(&tile, "index")->data;
    int64_t t = 0;
    for (int64_t r = 0; r < (a->rows + 15) / 16; r++) {
        assert_int_equal(array_integer(stored_array(&tile, "tile_ptr"), r), t);
        for (int64_t c = 0; c < (a->cols + 15) / 16; c++) {
            const struct plain plain = plain_tile(a, r, c, value);
            if (plain.count == 0) continue;
            const int64_t byte = array_integer(&tile.array[TILE_BYTE_PTR], t),
                          bytes = array_integer(&tile.array[TILE_BYTE_PTR], t + 1) - byte,
                          slots = array_integer(&tile.array[TILE_SLOT_PTR], t + 1) -
                                  array_integer(&tile.array[TILE_SLOT_PTR], t);
            assert_int_equal(array_integer(&tile.array[TILE_COL], t), c);
            assert_int_equal(index[byte] % 16, plain.kind);
            assert_int_equal(index[byte] / 16, plain.kind == TILE_ELL ? plain.widest - 1 : 0);
            assert_int_equal(bytes + slots * value, plain.bytes);
            seen[plain.kind]++;
            t++;
        }
    }
    assert_int_equal(tile.number[TILE_TILES], t);
}

TEST(definitions_say_the_same)
{
    static const double densities[] = {0.004, 0.03, 0.13, 0.5, 0.97};
    int64_t seen[TILE_KINDS] = {0};
    for (int d = 0; d < 5; d++)
        for (int skewed = 0; skewed < 2; skewed++) {
            FREED(csr_free) struct csr a = support_matrix(261, 123, densities[d], skewed, d == 2, 31);
            for (int k = 0; k < 4; k++) {
                const struct storing how = {.precision = k % 2 ? PRECISION_F32 : PRECISION_F64,
                                            .wide = k / 2};
                check_tiles(&a, &how, seen);
            }
        }
    FREED(csr_free) struct csr two = numbered(16, 16, bidiagonal);
    check_tiles(&two, &(struct storing){.precision = PRECISION_F64}, seen);
    for (int kind = 0; kind < TILE_KINDS; kind++)
        assert_true(seen[kind] > 0);
}

/* Impossible bytes are refused. */
TEST(bytes_must_fit_their_tile)
{
    static const char *const picture[] = {".xx..x.x.......x....x...........x.x..",
                                          "...x.............................x..x"};
    static const struct {
        int64_t e;
        uint8_t byte;
    } cases[] = {{0, 0},    {0, 17},   {0, 4},    {1, 1},    {2, 7},    {3, 0x11},  {3, 0x12},
                 {5, 0x37}, {6, 0x10}, {7, 0x24}, {8, 0x22}, {9, 0x15}, {10, 0x40}, {10, 0x52}};
    FREED(csr_free) struct csr a = numbered(2, 37, picture);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FREED(storage_free) struct storage tile = stored("tile", &a);
        ((uint8_t *)stored_array(&tile, "index")->data)[cases[k].e] = cases[k].byte;
        stored_refused(&tile, "does not fit its tile");
    }
    FREED(storage_free) struct storage tile = stored("tile", &a);
    ((int32_t *)stored_array(&tile, "tile_col")->data)[1] = 0;
    stored_refused(&tile, "tile_col[1] = 0 is not more than the one before");
}

static void expect_explained(const struct storage *tile, int64_t e, const char *expected)
{
    FREED(text_free) struct text text = {0};
    tile->format->explain(tile, TILE_INDEX, e, &text);
    assert_string_equal(text.data ? text.data : "", expected);
}

TEST(bytes_are_explained)
{
    static const char *const picture[] = {".xx..x.x.......x....x...........x.x..",
                                          "...x.............................x..x"};
    FREED(csr_free) struct csr a = numbered(2, 37, picture);
    FREED(storage_free) struct storage tile = stored("tile", &a);
    expect_explained(&tile, 0, "the tile is stored as CSR");
    expect_explained(&tile, 2, "first slot of row 1 of the tile");
    expect_explained(&tile, 4, "columns 5 and 7 of the tile");
    expect_explained(&tile, 7, "row 0, column 4 of the tile");
    expect_explained(&tile, 8, "the tile is stored as ELL of width 2");
}
