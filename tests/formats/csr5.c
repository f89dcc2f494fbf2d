/* formats/csr5: tiles and their descriptors by hand, and against the definitions of the paper. */
#include "formats/csr5.h"

#include <stdio.h>
#include <string.h>

#include "formats/array.h"
#include "support/stored.h"
#include "support/support.h"
#include "support/unit.h"

/* Rows of 2, 8, 6, 3, 0, 8, 0 and 7 entries with the values 1 to 34. A row has the first columns; row 0 has
 * the first and the last. */
static struct csr eight_rows(void)
{
    static const int lengths[] = {2, 8, 6, 3, 0, 8, 0, 7};
    double dense[64] = {0}, value = 0;
    for (int i = 0; i < 8; i++)
        for (int d = 0; d < lengths[i]; d++)
            dense[8 * i + (i == 0 ? 7 * d : d)] = ++value;
    return support_dense(8, 8, dense);
}

/* A word of tile_desc. */
#define WORD(y_offset, seg_offset, bit_flag) ((y_offset)*4194304 + (seg_offset)*65536 + (bit_flag))

static void expect_words(const struct storage *csr5, int64_t first, const int64_t *word, int count)
{
    const struct array *desc = stored_array(csr5, "tile_desc");
    for (int w = 0; w < count; w++)
        assert_int_equal(array_integer(desc, first + w), word[w]);
}

/* Tile 0 has rows 0 to 2, which are not empty; they begin with entries 0, 2 and 10 of the tile. Tile 1 has
 * rows 3, 5 and 7, which begin with 0, 3 and 11, and empty ones between them. Entries 32 and 33 are the
 * tail. */
TEST(tiles_of_four_by_four)
{
    static const int64_t words[] = {WORD(0, 1, 1 + 4), WORD(2, 0, 0), WORD(2, 1, 4), WORD(3, 0, 0), /**/
                                    WORD(0, 1, 1 + 8), WORD(2, 0, 0), WORD(2, 1, 8), WORD(3, 0, 0), 0, 2, 4};
    FREED(csr_free) struct csr a = eight_rows();
    FREED(storage_free) struct storage csr5 = stored("csr5:omega=4,sigma=4", &a);
    assert_int_equal(csr5.count, 8);
    stored_expect(&csr5, "row_ptr", "0 2 10 16 19 19 27 27 34");
    stored_expect(&csr5, "tile_ptr", "0 2147483651 7"); /* 2^31 + 3 */
    stored_expect(&csr5, "desc_ptr", "0 4 11");
    assert_int_equal(stored_array(&csr5, "tile_desc")->length, 11);
    expect_words(&csr5, 0, words, 11);
    stored_expect(&csr5, "val",
                  "1 5 9 13 2 6 10 14 3 7 11 15 4 8 12 16 17 21 25 29 18 22 26 30 19 23 27 31 20 24 28 32");
    stored_expect(&csr5, "col_idx", "0 2 6 2 7 3 7 3 0 4 0 4 1 5 1 5 0 1 5 1 1 2 6 2 2 3 7 3 0 4 0 4");
    stored_expect(&csr5, "tail_val", "33 34");
    stored_expect(&csr5, "tail_col", "5 6");
}

/* Two columns without a bit follow the second one. */
TEST(tiles_of_four_by_two)
{
    static const int64_t words[] = {WORD(0, 0, 1), WORD(1, 2, 1), WORD(2, 0, 0), WORD(2, 0, 0),       /**/
                                    WORD(0, 0, 1), WORD(1, 2, 1), WORD(2, 0, 0), WORD(2, 0, 0),       /**/
                                    WORD(0, 0, 1), WORD(1, 2, 2), WORD(2, 0, 0), WORD(2, 0, 0), 0, 2, /**/
                                    WORD(0, 0, 1), WORD(1, 2, 2), WORD(2, 0, 0), WORD(2, 0, 0), 0, 2};
    FREED(csr_free) struct csr a = eight_rows();
    FREED(storage_free) struct storage csr5 = stored("csr5:omega=4,sigma=2", &a);
    stored_expect(&csr5, "tile_ptr", "0 1 2147483651 2147483653 7");
    stored_expect(&csr5, "desc_ptr", "0 4 8 14 20");
    expect_words(&csr5, 0, words, 20);
}

/* Without a row that is empty there is no empty_offset. The last tile ends with the matrix. */
TEST(rows_without_gaps)
{
    static const int64_t words[] = {WORD(0, 0, 1), WORD(1, 0, 2), WORD(0, 0, 1), WORD(1, 0, 2)};
    static const double dense[] = {1, 2, 3, /**/ 4, 0, 0, /**/ 5, 6, 7, /**/ 0, 8, 0};
    FREED(csr_free) struct csr a = support_dense(4, 3, dense);
    FREED(storage_free) struct storage csr5 = stored("csr5:omega=2,sigma=2", &a), two;
    assert_int_equal(csr5.count, 7);
    stored_expect(&csr5, "tile_ptr", "0 2 4");
    stored_expect(&csr5, "tail_val", "");
    expect_words(&csr5, 0, words, 4);
    two = stored("csr5:omega=1,sigma=3", &a);
    stored_expect(&two, "tile_ptr", "0 1 2");
    stored_expect(&two, "tail_val", "7 8");
}

/* Rows before the first entry are in no tile; those behind the last one are in the last tile, or in the
 * tail. */
TEST(empty_rows_at_both_ends)
{
    static const double dense[] = {0, 0, /**/ 1, 2, /**/ 3, 4, /**/ 0, 0};
    FREED(csr_free) struct csr a = support_dense(4, 2, dense);
    FREED(storage_free) struct storage whole = stored("csr5:omega=2,sigma=1", &a), tail;
    stored_expect(&whole, "tile_ptr", "1 2147483650 4");
    stored_expect(&whole, "desc_ptr", "0 2 5");
    tail = stored("csr5:omega=1,sigma=3", &a);
    stored_expect(&tail, "tile_ptr", "1 2");
    assert_int_equal(tail.count, 7);
}

TEST(nothing_of_an_empty_matrix)
{
    FREED(csr_free) struct csr a = support_dense(3, 2, (const double[6]){0});
    FREED(storage_free) struct storage csr5 = stored("csr5", &a);
    stored_expect(&csr5, "row_ptr", "0 0 0 0");
    assert_int_equal(storage_size(&csr5).integers, 4);
}

/* The definitions, entry by entry: the row of each, the bits of a tile, and from these everything else. */

struct plain {
    bool bit[CSR5_OMEGA_MAX * CSR5_SIGMA_MAX];
    int64_t row[CSR5_OMEGA_MAX * CSR5_SIGMA_MAX];
    int64_t next;
};

static int64_t plain_row(const struct csr *a, int64_t k)
{
    int64_t i = 0;
    while (i < a->rows && a->row_ptr[i + 1] <= k)
        i++;
    return i;
}

static struct plain plain_tile(const struct csr *a, int64_t first, int64_t size)
{
    struct plain plain = {.next = plain_row(a, first + size)};
    for (int64_t e = 0; e < size; e++) {
        plain.row[e] = plain_row(a, first + e);
        plain.bit[e] = e == 0 || plain.row[e] != plain.row[e - 1];
    }
    return plain;
}

static bool plain_gaps(const struct csr *a, const struct plain *plain)
{
    for (int64_t i = plain->row[0]; i < plain->next; i++)
        if (a->row_ptr[i] == a->row_ptr[i + 1]) return true;
    return false;
}

static int64_t bits_in(const struct plain *plain, int64_t first, int64_t end)
{
    int64_t bits = 0;
    for (int64_t e = first; e < end; e++)
        bits += plain->bit[e];
    return bits;
}

/* Check the words of a tile from `at` on. Return the position of the next tile's first word. */
static int64_t check_tile(const struct storage *csr5, const struct csr *a, const struct plain *plain,
                          int64_t at)
{
    int64_t omega = csr5->number[CSR5_OMEGA], sigma = csr5->number[CSR5_SIGMA];
    const struct array *desc = stored_array(csr5, "tile_desc");
    for (int64_t c = 0; c < omega; c++) {
        int64_t flag = 0, seg = 0;
        for (int64_t r = 0; r < sigma; r++)
            flag += (int64_t)plain->bit[c * sigma + r] << r;
        while (flag && c + seg + 1 < omega &&
               bits_in(plain, (c + seg + 1) * sigma, (c + seg + 2) * sigma) == 0)
            seg++;
        assert_int_equal(array_integer(desc, at + c), WORD(bits_in(plain, 0, c * sigma), seg, flag));
    }
    at += omega;
    for (int64_t e = 0; plain_gaps(a, plain) && e < omega * sigma; e++)
        if (plain->bit[e]) assert_int_equal(array_integer(desc, at++), plain->row[e] - plain->row[0]);
    return at;
}

static void check_csr5(const struct csr *a, int omega, int sigma, const struct storing *how)
{
    char format[80];
    snprintf(format, sizeof format, "csr5:omega=%d,sigma=%d", omega, sigma);
    FREED(storage_free) struct storage csr5 = stored_with(format, how, a);
    int64_t size = omega * sigma, tiles = csr_nnz(a) / size, at = 0;
    const struct array *tile_ptr = stored_array(&csr5, "tile_ptr");
    assert_int_equal(tile_ptr->length, tiles + 1);
    for (int64_t t = 0; t < tiles; t++) {
        const struct plain plain = plain_tile(a, t * size, size);
        uint32_t gaps = plain_gaps(a, &plain) ? (uint32_t)1 << 31 : 0;
        assert_int_equal(array_integer(tile_ptr, t), (uint32_t)plain.row[0] + gaps);
        if (csr5.count > CSR5_DESC_PTR)
            assert_int_equal(array_integer(stored_array(&csr5, "desc_ptr"), t), at);
        at = check_tile(&csr5, a, &plain, at);
        for (int64_t e = 0; e < size; e++)
            assert_int_equal(array_integer(&csr5.array[CSR5_COL], t * size + e % sigma * omega + e / sigma),
                             a->col[t * size + e]);
    }
    assert_int_equal(stored_array(&csr5, "tile_desc")->length, at);
    assert_int_equal(array_integer(tile_ptr, tiles), plain_row(a, tiles * size));
    assert_int_equal(csr5.slots[0], tiles * size);
}

TEST(definitions_say_the_same)
{
    static const int omegas[] = {1, 2, 4, 8, 32}, sigmas[] = {1, 3, 5, 16};
    static const double densities[] = {0.004, 0.03, 0.3};
    for (int d = 0; d < 3; d++)
        for (int skewed = 0; skewed < 2; skewed++) {
            FREED(csr_free) struct csr a = support_matrix(260, 120, densities[d], skewed, d == 2, 31);
            for (int k = 0; k < 20; k++) {
                const struct storing how = {.precision = k % 2 ? PRECISION_F32 : PRECISION_F64,
                                            .wide = k % 3 == 0};
                check_csr5(&a, omegas[k % 5], sigmas[k / 5], &how);
            }
        }
}

/* Each array that does not follow from row_ptr is refused. */
TEST(descriptors_must_fit_the_rows)
{
    static const struct {
        const char *array, *message;
        int64_t e;
    } cases[] = {{"tile_ptr", "tile_ptr[1] = 2147483650 does not fit row_ptr", 1},
                 {"tile_ptr", "tile_ptr[2] = 6 does not fit row_ptr", 2},
                 {"tile_desc", "tile_desc[6]", 6},
                 {"tile_desc", "tile_desc[10] = 3 does not fit row_ptr", 10}};
    FREED(csr_free) struct csr a = eight_rows();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FREED(storage_free) struct storage csr5 = stored("csr5:omega=4,sigma=4", &a);
        ((uint32_t *)stored_array(&csr5, cases[k].array)->data)[cases[k].e]--;
        stored_refused(&csr5, cases[k].message);
    }
    FREED(storage_free) struct storage csr5 = stored("csr5:omega=4,sigma=4", &a);
    ((int32_t *)stored_array(&csr5, "desc_ptr")->data)[1] = 5;
    stored_refused(&csr5, "desc_ptr[1] = 5 does not fit row_ptr");
}

static void expect_explained(const struct storage *csr5, int q, int64_t e, const char *expected)
{
    FREED(text_free) struct text text = {0};
    csr5->format->explain(csr5, q, e, &text);
    assert_string_equal(text.data ? text.data : "", expected);
}

TEST(words_are_explained)
{
    FREED(csr_free) struct csr a = eight_rows();
    FREED(storage_free) struct storage csr5 = stored("csr5:omega=4,sigma=4", &a);
    expect_explained(&csr5, CSR5_TILE_PTR, 0, "");
    expect_explained(&csr5, CSR5_TILE_PTR, 1, "row 3, and rows of the tile are empty");
    expect_explained(&csr5, CSR5_TILE_DESC, 0, "y_offset 0, seg_offset 1, bit_flag 1010");
    expect_explained(&csr5, CSR5_TILE_DESC, 6, "y_offset 2, seg_offset 1, bit_flag 0001");
    expect_explained(&csr5, CSR5_TILE_DESC, 10, "empty_offset 4");
    expect_explained(&csr5, CSR5_VAL, 0, "");
}

/* Entry 12 of tile 1, in row 7 and column 1, is at the head of the last column. */
TEST(entries_touch_their_tile)
{
    FREED(csr_free) struct csr a = eight_rows();
    FREED(storage_free) struct storage csr5 = stored("csr5:omega=4,sigma=4", &a);
    struct spot spot = storage_spot(&csr5, &a, (struct place){7, 1}, csr_find(&a, 7, 1));
    assert_int_equal(spot.slot, 19);
    struct extent extent = csr5.format->touch(&csr5, CSR5_TILE_DESC, &spot);
    assert_int_equal(extent.first, 4);
    assert_int_equal(extent.end, 11);
    extent = csr5.format->touch(&csr5, CSR5_TILE_PTR, &spot);
    assert_int_equal(extent.first, 1);
    assert_int_equal(extent.end, 3);
    struct place place = csr5.format->leads(&csr5, CSR5_TILE_DESC, 9); /* the empty_offset of row 5 */
    assert_int_equal(place.row, 5);
    assert_int_equal(place.col, 0);
}
