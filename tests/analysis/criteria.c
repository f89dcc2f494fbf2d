/* The five criteria: by hand, by plain loops over arrays that are built, and by what traces of the kernels
 * count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/criteria.h"
#include "analysis/warps/coalescing.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/array.h"
#include "formats/bsr.h"
#include "formats/cmrs.h"
#include "formats/csc.h"
#include "formats/dia.h"
#include "formats/jds.h"
#include "formats/sell.h"
#include "kernels/list.h"
#include "support/generate.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

static struct storage stored(const char *format, const char *parameters, enum precision precision,
                             const struct csr *a)
{
    struct storage storage;
    struct error error = {0};
    if (storing_convert(format_find(format), parameters, &(struct storing){.precision = precision}, a, NULL,
                        &storage, &error) != STATUS_OK)
        fail_msg("%s:%s: %s", format, parameters, error.message);
    return storage;
}

static struct criteria criteria_of_storage(const struct storage *storage, const struct csr *a)
{
    struct criteria criteria;
    assert_int_equal(criteria_of(storage, a, NULL, &criteria, NULL), STATUS_OK);
    return criteria;
}

static struct criteria found(const char *format, const char *parameters, const struct csr *a)
{
    struct storage storage = stored(format, parameters, PRECISION_F64, a);
    struct criteria criteria = criteria_of_storage(&storage, a);
    storage_free(&storage);
    return criteria;
}

static void near_or_nan(double found, double expected, const char *format, const char *parameters,
                        const char *what)
{
    if (isnan(expected) ? isnan(found) : fabs(found - expected) <= 1e-10) return;
    fail_msg("%s of %s:%s is %.17g, expected %.17g", what, format, parameters, found, expected);
}

/* By hand. A value has 8 bytes, an index or an offset 4. */

struct example {
    const char *format, *parameters;
    struct criteria criteria;
};

static void check_examples(const struct example *examples, size_t count, const struct csr *a)
{
    for (size_t k = 0; k < count; k++) {
        const struct example *e = &examples[k];
        struct criteria criteria = found(e->format, e->parameters, a);
        near_or_nan(criteria.space, e->criteria.space, e->format, e->parameters, "space");
        near_or_nan(criteria.flexibility, e->criteria.flexibility, e->format, e->parameters, "flexibility");
        near_or_nan(criteria.accessibility, e->criteria.accessibility, e->format, e->parameters,
                    "accessibility");
        near_or_nan(criteria.access, e->criteria.access, e->format, e->parameters, "access");
        near_or_nan(criteria.balance, e->criteria.balance, e->format, e->parameters, "balance");
    }
}

/* PMPP's figure 10.1: rows of 2, 0, 3 and 2 entries, 9 free places, of which the rows have 2, 4, 1 and 2.
 *
 * CSR, 104 bytes: an entry of row 0 moves 5 entries of 12 bytes and changes 4 offsets, of row 1 5 and 3, of
 * row 2 2 and 2, of row 3 1 offset alone. Its values touch 2, 2 and 1 sectors in three steps, its columns 1
 * in each. ELL, 144 bytes: only row 2 is full, with one free place; it takes a slot for each of the 3 other
 * rows. JDS, 116 bytes: rows 2, 0, 3, 1, iter_ptr 0 3 6 7. Row 2 makes a new diagonal, whose offset is
 * written; so does each of the rows of 2, but diagonal 2 takes it after its entry, and row 3 changes places
 * with row 0 in two entries of 12 bytes each and in perm; row 1 moves 4 entries and changes 3 offsets. To
 * find a row 2.5 elements of perm are looked at, and 7 / 4 + 1 offsets; to find a row of an entry 2 offsets
 * and perm. DIA, 180 bytes: 5 diagonals with 13 of the 16 places; an entry beside them takes 3 other slots of
 * 8 bytes. */
static void by_hand_on_the_book_s_matrix(void **state)
{
    (void)state;
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
        {"dia", "", {56. / 180, 1 - 3 * 24 / (180. * 9), 1, NAN, 1}},
    };
    struct csr a = support_dense(4, 4, values);
    check_examples(examples, sizeof examples / sizeof *examples, &a);
    csr_free(&a);
}

/* The example of the HPCG article: rows of 1, 1, 2, 1 and 0 entries on the diagonals -2, 0 and 2, which have
 * 3, 5 and 3 places. Its blocks of 2 are one in the first block row and three in the second, the last of
 * which has a column beyond the matrix; the third is empty. */
static void by_hand_on_the_article_s_matrix(void **state)
{
    (void)state;
    static const double values[] = {10, 0,  0, 0, 0, 0,  20, 0, 0, 0, 30, 0, 0,
                                    0,  40, 0, 0, 0, 50, 0,  0, 0, 0, 0,  0};
    static const struct example examples[] = {
        {"dia", "", {40. / 132, 1 - 14 * 32 / (132. * 20), 1, NAN, 1}},
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

/* By plain loops. Each free place is visited, and what an entry there would move is read from the arrays. */

static int64_t at(const struct storage *storage, int q, int64_t e)
{
    return array_integer(&storage->array[q], e);
}

static int64_t length_of(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

/* The bytes of a slot of part 0. */
static int64_t slot_bytes(const struct storage *storage)
{
    int64_t bytes = 0;
    for (int q = 0; q < storage->count; q++)
        if (storage->array[q].per_slot && storage->array[q].part == 0)
            bytes += (int64_t)element_size(storage->array[q].element);
    return bytes;
}

/* True if row i has a slot of padding. */
static bool has_padding(const struct storage *storage, int64_t i)
{
    for (int64_t e = 0; e < storage->slots[0]; e++)
        if (storage_padding(storage, 0, e) && storage->format->place(storage, 0, e).row == i) return true;
    return false;
}

/* The position of row i in perm. */
static int64_t position(const struct storage *storage, int q, int64_t i)
{
    for (int64_t r = 0; r < storage->array[q].length; r++)
        if (at(storage, q, r) == i) return r;
    return -1;
}

/* The group of an array of offsets that row or position r is in, if groups have `height`. */
static double after_group(const struct storage *storage, int q, int64_t g, int64_t slot)
{
    int64_t groups = storage->array[q].length - 1;
    return (double)((at(storage, q, groups) - at(storage, q, g + 1)) * slot + 4 * (groups - g));
}

static double written_csr(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    (void)a;
    (void)j;
    return after_group(storage, 0, i, slot_bytes(storage));
}

static double written_csc(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    (void)a;
    (void)i;
    return after_group(storage, CSC_COL_PTR, j, slot_bytes(storage));
}

static double written_ell(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    (void)j;
    return has_padding(storage, i) ? 0 : (double)((a->rows - 1) * slot_bytes(storage));
}

static double written_ell_rows(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    (void)a;
    (void)j;
    return has_padding(storage, i) ? 0 : INFINITY;
}

static double written_cmrs(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    (void)a;
    (void)j;
    return after_group(storage, CMRS_STRIP_PTR, i / storage->number[CMRS_HEIGHT], slot_bytes(storage));
}

/* The strip's slots with the entry are those of a matrix of this strip alone that has it. */
static double written_padded(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    int64_t s = i / 16, first = 16 * s, rows = min(16, a->rows - first), slot = slot_bytes(storage);
    double *dense = calloc((size_t)(rows * a->cols), sizeof *dense);
    assert_non_null(dense);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t k = a->row_ptr[first + r]; k < a->row_ptr[first + r + 1]; k++)
            dense[r * a->cols + a->col[k]] = 1;
    dense[(i - first) * a->cols + j] = 1;
    struct csr strip = support_dense(rows, a->cols, dense);
    struct storage grown = stored("cmrs", "modulo=4", PRECISION_F64, &strip);
    int64_t slots = grown.slots[0], own = at(storage, CMRS_STRIP_PTR, s + 1) - at(storage, CMRS_STRIP_PTR, s);
    storage_free(&grown);
    csr_free(&strip);
    free(dense);
    double all = (double)((slots - 1) * slot);
    return slots == own ? all : all + after_group(storage, CMRS_STRIP_PTR, s, slot);
}

static double written_sell(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    bool sorted = storage->count > SELL_PERM;
    int64_t c = (int64_t)storage->values.number[SELL_C], slot = slot_bytes(storage);
    int64_t r = sorted ? position(storage, SELL_PERM, i) : i;
    (void)a;
    (void)j;
    if (has_padding(storage, i)) return 0;
    return after_group(storage, SELL_CHUNK_PTR, r / c, slot) + (double)((c - 1) * slot);
}

static double written_dia(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    for (int64_t d = 0; d < storage->number[DIA_DIAGONALS]; d++)
        if (at(storage, DIA_OFFSETS, d) == j - i) return 0;
    return (double)(a->rows - 1) * (double)slot_bytes(storage);
}

static double written_bsr(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    int64_t size = storage->number[BSR_SIZE], g = i / size, slot = slot_bytes(storage);
    (void)a;
    for (int64_t k = at(storage, BSR_ROW_PTR, g); k < at(storage, BSR_ROW_PTR, g + 1); k++)
        if (at(storage, BSR_COL, k) == j / size) return 0;
    return after_group(storage, BSR_ROW_PTR, g, size * size * slot + 4) + (double)((size * size - 1) * slot);
}

static double written_jds(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    int64_t length = length_of(a, i), r = position(storage, JDS_PERM, i), slot = slot_bytes(storage);
    int64_t longest = storage->number[JDS_LONGEST];
    double swap = 0;
    (void)j;
    if (r < 0) return 0;
    if ((double)length == storage->values.number[JDS_MAX]) return INFINITY;
    if (r > 0 && length_of(a, at(storage, JDS_PERM, r - 1)) == length)
        swap = (double)(2 * length * slot + 2 * 4);
    return swap + (length == longest ? 4 : after_group(storage, JDS_ITER_PTR, length, slot));
}

static double written_sections(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    int64_t r = position(storage, JDS_PERM, i), s = 0, slot = slot_bytes(storage);
    (void)a;
    (void)j;
    if (has_padding(storage, i)) return 0;
    while (at(storage, JDS_SECTION_ROW, s + 1) <= r)
        s++;
    int64_t height = at(storage, JDS_SECTION_ROW, s + 1) - at(storage, JDS_SECTION_ROW, s);
    return after_group(storage, JDS_SECTION_PTR, s, slot) + (double)((height - 1) * slot);
}

/* Rows without entries are not in row_ptr: an offset is added to it for such a row. */
static double written_sorted(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    int64_t r = position(storage, JDS_PERM, i), s = 0, sections = storage->number[JDS_SECTIONS];
    (void)a;
    (void)j;
    while (at(storage, JDS_SECTION_ROW, s + 1) <= r)
        s++;
    double moved =
        r < storage->number[JDS_FILLED] ? after_group(storage, JDS_ROW_PTR, r, slot_bytes(storage)) : 4;
    return moved + (double)(4 * (sections - s));
}

static double written_nothing(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    (void)storage;
    (void)a;
    (void)i;
    (void)j;
    return 0;
}

/* Work of a thread, by the number it has in the launch; -1 beyond the last. */

static int64_t work_of_row(const struct storage *storage, const struct csr *a, int64_t t)
{
    (void)storage;
    return t < a->rows ? length_of(a, t) : -1;
}

static int64_t work_of_column(const struct storage *storage, const struct csr *a, int64_t t)
{
    return t < a->cols ? at(storage, CSC_COL_PTR, t + 1) - at(storage, CSC_COL_PTR, t) : -1;
}

static int64_t work_of_sorted(const struct storage *storage, const struct csr *a, int64_t t)
{
    return t < storage->array[JDS_PERM].length ? length_of(a, at(storage, JDS_PERM, t)) : -1;
}

static int64_t work_of_chunk(const struct storage *storage, const struct csr *a, int64_t t)
{
    return t < a->rows ? length_of(a, at(storage, SELL_PERM, t)) : -1;
}

static int64_t work_of_blocks(const struct storage *storage, const struct csr *a, int64_t t)
{
    int64_t size = storage->number[BSR_SIZE], g = t / size;
    if (t >= a->rows) return -1;
    return size * (at(storage, BSR_ROW_PTR, g + 1) - at(storage, BSR_ROW_PTR, g));
}

/* Warp s has strip s: thread l its slots l, l + 32, ... */
static int64_t work_of_strip(const struct storage *storage, const struct csr *a, int64_t t)
{
    int64_t s = t / 32;
    (void)a;
    if (s >= storage->number[CMRS_STRIPS]) return -1;
    int64_t slots = at(storage, CMRS_STRIP_PTR, s + 1) - at(storage, CMRS_STRIP_PTR, s);
    return (slots - t % 32 + 31) / 32;
}

/* Each thread of the second part has one entry. */
static double balance_by_loops(const struct storage *storage, const struct csr *a,
                               int64_t (*work)(const struct storage *, const struct csr *, int64_t))
{
    double done = (double)storage->slots[1], lanes = (double)storage->slots[1];
    for (int64_t warp = 0; work(storage, a, warp) >= 0; warp += 32) {
        int64_t busiest = 0, threads = 0;
        for (; threads < 32 && work(storage, a, warp + threads) >= 0; threads++) {
            busiest = max(busiest, work(storage, a, warp + threads));
            done += (double)work(storage, a, warp + threads);
        }
        lanes += (double)(threads * busiest);
    }
    return done / lanes;
}

static const struct {
    const char *format, *parameters;
    double (*written)(const struct storage *storage, const struct csr *a, int64_t i, int64_t j);
    int64_t (*work)(const struct storage *storage, const struct csr *a, int64_t t); /* NULL: not by loops */
} plain[] = {
    {"coo", "", written_nothing, NULL},
    {"csr", "", written_csr, work_of_row},
    {"csc", "", written_csc, work_of_column},
    {"ell", "", written_ell, work_of_row},
    {"ell", "layout=rows", written_ell_rows, work_of_row},
    {"hyb", "", written_nothing, NULL},
    {"cmrs", "height=3", written_cmrs, work_of_strip},
    {"cmrs", "packed=1,sorted=1", written_cmrs, work_of_strip},
    {"cmrs", "modulo=4", written_padded, work_of_strip},
    {"sell", "c=8", written_sell, work_of_row},
    {"sell", "c=4,sigma=32", written_sell, work_of_chunk},
    {"sell", "c=32,sigma=1024", written_sell, work_of_chunk},
    {"dia", "", written_dia, NULL},
    {"bsr", "size=3", written_bsr, work_of_blocks},
    {"jds", "", written_jds, work_of_sorted},
    {"jds", "longest=9", written_jds, work_of_sorted},
    {"jds", "sections=equal", written_sections, NULL},
    {"jds", "sections=equal,height=8", written_sections, NULL},
    {"jds", "sections=share,height=4,inside=csr", written_sorted, NULL},
};

static double flexibility_by_loops(const struct storage *storage, const struct csr *a, size_t k)
{
    double bytes = (double)storage_size(storage).bytes, written = 0, places = 0;
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t entry = a->row_ptr[i];
        for (int64_t j = 0; j < a->cols; j++) {
            if (entry < a->row_ptr[i + 1] && a->col[entry] == j) {
                entry++;
                continue;
            }
            written += fmin(bytes, plain[k].written(storage, a, i, j));
            places++;
        }
    }
    return 1 - written / places / bytes;
}

static void check_by_loops(const struct csr *a)
{
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++) {
        struct storage storage = stored(plain[k].format, plain[k].parameters, PRECISION_F64, a);
        struct criteria criteria = criteria_of_storage(&storage, a);
        near_or_nan(criteria.flexibility, flexibility_by_loops(&storage, a, k), plain[k].format,
                    plain[k].parameters, "flexibility");
        if (plain[k].work)
            near_or_nan(criteria.balance, balance_by_loops(&storage, a, plain[k].work), plain[k].format,
                        plain[k].parameters, "balance");
        storage_free(&storage);
    }
}

static void by_loops_over_small_matrices(void **state)
{
    (void)state;
    struct csr skewed = support_matrix(70, 41, 0.1, true, false, 3);
    struct csr thin = support_matrix(45, 64, 0.02, false, false, 5);
    struct matrix rmat = generated("powerlaw,scale=6,edge=5");
    check_by_loops(&skewed);
    check_by_loops(&thin);
    check_by_loops(&rmat.csr);
    matrix_free(&rmat);
    csr_free(&thin);
    csr_free(&skewed);
}

/* HYB cut at k: rows up to k in ELL, the rest in warps that are full. */
static void hyb_is_as_its_parts(void **state)
{
    (void)state;
    struct csr a = support_matrix(200, 90, 0.1, true, false, 4);
    double lanes = 0, rest = 0;
    for (int64_t i = 0; i < a.rows; i++)
        rest += (double)max(0, length_of(&a, i) - 6);
    for (int64_t warp = 0; warp < a.rows; warp += 32) {
        int64_t busiest = 0, end = min(warp + 32, a.rows);
        for (int64_t i = warp; i < end; i++)
            busiest = max(busiest, min(6, length_of(&a, i)));
        lanes += (double)((end - warp) * busiest);
    }
    near_or_nan(found("hyb", "k=6", &a).balance, (double)csr_nnz(&a) / (lanes + rest), "hyb", "k=6",
                "balance");
    csr_free(&a);
}

/* Rows of 0 to 3 entries and some more: strips, chunks and block rows are looked at in several pieces. */
static struct csr many_rows(int64_t rows)
{
    struct csr a = {.rows = rows, .cols = 64};
    a.row_ptr = malloc(((size_t)rows + 1) * sizeof *a.row_ptr);
    a.col = malloc(4 * (size_t)rows * sizeof *a.col);
    a.val = malloc(4 * (size_t)rows * sizeof *a.val);
    assert_true(a.row_ptr && a.col && a.val);
    a.row_ptr[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        int64_t length = (int64_t)((uint32_t)i * 2654435761u >> 30) + (i % 4096 == 77), k = a.row_ptr[i];
        for (int64_t j = 0; j < length; j++, k++) {
            a.col[k] = (int32_t)(i % 16 + 11 * j);
            a.val[k] = 1;
        }
        a.row_ptr[i + 1] = k;
    }
    return a;
}

static void pieces_are_put_together(void **state)
{
    static const struct {
        const char *format, *parameters;
        int64_t (*work)(const struct storage *storage, const struct csr *a, int64_t t);
    } grouped[] = {{"cmrs", "height=3", work_of_strip},
                   {"cmrs", "modulo=2", work_of_strip},
                   {"sell", "sigma=1024", work_of_chunk},
                   {"bsr", "size=3", work_of_blocks}};
    (void)state;
    struct csr a = many_rows(2 * ((int64_t)1 << 21) + 12345);
    for (size_t k = 0; k < sizeof grouped / sizeof *grouped; k++) {
        struct storage storage = stored(grouped[k].format, grouped[k].parameters, PRECISION_F64, &a);
        struct criteria criteria = criteria_of_storage(&storage, &a);
        near_or_nan(criteria.balance, balance_by_loops(&storage, &a, grouped[k].work), grouped[k].format,
                    grouped[k].parameters, "balance");
        if (k == 0) {
            double bytes = (double)storage_size(&storage).bytes, written = 0, places = 0;
            for (int64_t i = 0; i < a.rows; i++) {
                double own = (double)(a.cols - length_of(&a, i));
                written += own * written_cmrs(&storage, &a, i, 0);
                places += own;
            }
            near_or_nan(criteria.flexibility, 1 - written / places / bytes, "cmrs", "height=3",
                        "flexibility");
        }
        storage_free(&storage);
    }
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

/* The useful bytes and the sectors of the operands that have an element for each slot. Of rows, perm of the
 * sorted formats is left out: they load it once a row, and no rows of slots. */
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
            struct storage storage = stored(traced[k].format, traced[k].parameters, (enum precision)p, a);
            /* the rows of JDS's second part are loaded with perm, from which they cannot be told */
            if (!storage.slots[1] || strcmp(traced[k].format, "jds") != 0)
                near_or_nan(criteria_of_storage(&storage, a).access, access_by_trace(&storage, k),
                            traced[k].format, traced[k].parameters, "access");
            storage_free(&storage);
        }
}

static void access_is_what_traces_count(void **state)
{
    (void)state;
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

/* Of all variants, in both precisions: all are shares, planned as built, from one thread as from four. */
static void all_are_shares_and_known_from_the_plan(void **state)
{
    (void)state;
    struct matrix matrix = generated("powerlaw,scale=15,edge=6");
    for (int f = 0; formats[f]; f++)
        for (int v = 0; formats[f]->variants[v]; v++) {
            struct storage plan, built;
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
            assert_false(isnan(four.space + four.flexibility + four.accessibility + four.balance));
            if (plan.slots[0] < 10000000) {
                built = stored(formats[f]->name, formats[f]->variants[v], PRECISION_F64, &matrix.csr);
                const struct criteria same = criteria_of_storage(&built, &matrix.csr);
                assert_memory_equal(&same, &one, sizeof one);
                storage_free(&built);
            }
            storage_free(&plan);
        }
    matrix_free(&matrix);
}

static void what_there_is_none_of_is_unknown(void **state)
{
    (void)state;
    static const double ones[] = {1, 1, 1, 1, 1, 1};
    struct csr empty = support_dense(3, 2, (const double[6]){0}), full = support_dense(3, 2, ones);
    struct csr complex = support_matrix(40, 30, 0.1, false, true, 8);
    for (int f = 0; formats[f]; f++) {
        struct criteria none = found(formats[f]->name, "", &empty);
        assert_true(isnan(none.space) && isnan(none.flexibility) && isnan(none.accessibility) &&
                    isnan(none.access) && isnan(none.balance));
        struct criteria no_place = found(formats[f]->name, "", &full);
        assert_true(isnan(no_place.flexibility) && no_place.balance > 0);
        struct criteria no_kernel = found(formats[f]->name, "", &complex);
        assert_true(isnan(no_kernel.access) && no_kernel.flexibility > 0 && no_kernel.balance > 0);
    }
    csr_free(&complex);
    csr_free(&full);
    csr_free(&empty);
}

/* What needs memory is not known without it; what needs none is. */
static void without_memory_they_are_unknown(void **state)
{
    static const char *const needing[][2] = {{"csc", ""},          {"jds", ""},  {"jds", "sections=equal"},
                                             {"sell", "sigma=64"}, {"cmrs", ""}, {"bsr", ""}};
    (void)state;
    struct csr a = support_matrix(60, 50, 0.1, true, false, 2);
    for (size_t k = 0; k < sizeof needing / sizeof *needing; k++) {
        struct storage storage = stored(needing[k][0], needing[k][1], PRECISION_F64, &a);
        bool failed = true;
        for (long fail = 0; failed; fail++) {
            struct criteria criteria;
            memory_fail_after(fail);
            enum status status = criteria_of(&storage, &a, NULL, &criteria, NULL);
            failed = memory_failures() > 0;
            memory_fail_after(-1);
            assert_int_equal(status, STATUS_OK);
            assert_true(criteria.space > 0 && isnan(criteria.balance) == failed);
            assert_true(failed || fail > 0);
        }
        storage_free(&storage);
    }
    csr_free(&a);
}

static void they_can_be_cancelled(void **state)
{
    (void)state;
    struct csr a = support_matrix(60, 50, 0.1, true, false, 2);
    for (int f = 0; formats[f]; f++) {
        struct storage storage = stored(formats[f]->name, "", PRECISION_F64, &a);
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
        cmocka_unit_test(by_loops_over_small_matrices),
        cmocka_unit_test(hyb_is_as_its_parts),
        cmocka_unit_test(pieces_are_put_together),
        cmocka_unit_test(access_is_what_traces_count),
        cmocka_unit_test(all_are_shares_and_known_from_the_plan),
        cmocka_unit_test(what_there_is_none_of_is_unknown),
        cmocka_unit_test(without_memory_they_are_unknown),
        cmocka_unit_test(they_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
