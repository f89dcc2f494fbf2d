/* The five criteria by plain loops over arrays that are built, entry by entry and thread by thread. */
#include <math.h>
#include <stdlib.h>

#include "base/range.h"
#include "formats/array.h"
#include "formats/bsr.h"
#include "formats/cmrs.h"
#include "formats/csc.h"
#include "formats/dia.h"
#include "formats/jds.h"
#include "formats/sell.h"
#include "support/cmocka.h"
#include "support/criteria.h"
#include "support/generate.h"
#include "support/support.h"

/* By plain loops. Each free position is visited, and the bytes that an entry there would move are read from
 * the arrays. */

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
    return after_group(storage, 0, i, slot_bytes(storage));
}

static double written_csc(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    return after_group(storage, CSC_COL_PTR, j, slot_bytes(storage));
}

static double written_ell(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    return has_padding(storage, i) ? 0 : (double)((a->rows - 1) * slot_bytes(storage));
}

static double written_ell_rows(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    return has_padding(storage, i) ? 0 : INFINITY;
}

static double written_cmrs(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    return after_group(storage, CMRS_STRIP_PTR, i / storage->number[CMRS_HEIGHT], slot_bytes(storage));
}

/* Slots of the strip with the new entry. They are those of a matrix that consists of this strip with the
 * entry. */
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
    struct storage grown = criteria_stored("cmrs", "modulo=4", PRECISION_F64, &strip);
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
    for (int64_t k = at(storage, BSR_ROW_PTR, g); k < at(storage, BSR_ROW_PTR, g + 1); k++)
        if (at(storage, BSR_COL, k) == j / size) return 0;
    return after_group(storage, BSR_ROW_PTR, g, size * size * slot + 4) + (double)((size * size - 1) * slot);
}

static double written_jds(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    int64_t length = length_of(a, i), r = position(storage, JDS_PERM, i), slot = slot_bytes(storage);
    int64_t longest = storage->number[JDS_LONGEST];
    double swap = 0;
    if (r < 0) return 0;
    if ((double)length == storage->values.number[JDS_MAX]) return INFINITY;
    if (r > 0 && length_of(a, at(storage, JDS_PERM, r - 1)) == length)
        swap = (double)(2 * length * slot + 2 * 4);
    return swap + (length == longest ? 4 : after_group(storage, JDS_ITER_PTR, length, slot));
}

static double written_sections(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    int64_t r = position(storage, JDS_PERM, i), s = 0, slot = slot_bytes(storage);
    if (has_padding(storage, i)) return 0;
    while (at(storage, JDS_SECTION_ROW, s + 1) <= r)
        s++;
    int64_t height = at(storage, JDS_SECTION_ROW, s + 1) - at(storage, JDS_SECTION_ROW, s);
    return after_group(storage, JDS_SECTION_PTR, s, slot) + (double)((height - 1) * slot);
}

/* row_ptr lacks rows without entries, so that an entry in such a row adds an offset. */
static double written_sorted(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    int64_t r = position(storage, JDS_PERM, i), s = 0, sections = storage->number[JDS_SECTIONS];
    while (at(storage, JDS_SECTION_ROW, s + 1) <= r)
        s++;
    double moved =
        r < storage->number[JDS_FILLED] ? after_group(storage, JDS_ROW_PTR, r, slot_bytes(storage)) : 4;
    return moved + (double)(4 * (sections - s));
}

static double written_nothing(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    return 0;
}

/* The work of thread `t` of a launch; -1 beyond the last thread. */

static int64_t work_of_row(const struct storage *storage, const struct csr *a, int64_t t)
{
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
        struct storage storage = criteria_stored(plain[k].format, plain[k].parameters, PRECISION_F64, a);
        struct criteria criteria = criteria_of_storage(&storage, a);
        criteria_near(criteria.flexibility, flexibility_by_loops(&storage, a, k), plain[k].format,
                      plain[k].parameters, "flexibility");
        if (plain[k].work)
            criteria_near(criteria.balance, balance_by_loops(&storage, a, plain[k].work), plain[k].format,
                          plain[k].parameters, "balance");
        storage_free(&storage);
    }
}

static void by_loops_over_small_matrices(void **state)
{
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

/* Sections of JDS are launches of their own: warps begin with their first rows. */
static void warps_begin_with_sections(void **state)
{
    static const char *const parameters[] = {"sections=equal", "sections=equal,height=40",
                                             "sections=share,height=4,inside=csr"};
    struct csr a = support_matrix(300, 90, 0.1, true, false, 4);
    for (int k = 0; k < 3; k++) {
        struct storage storage = criteria_stored("jds", parameters[k], PRECISION_F64, &a);
        double lanes = 0;
        for (int64_t s = 0; s < storage.number[JDS_SECTIONS]; s++) {
            int64_t r = at(&storage, JDS_SECTION_ROW, s), end = at(&storage, JDS_SECTION_ROW, s + 1);
            for (; r < end; r += 32)
                lanes += (double)(min(32, end - r) * length_of(&a, at(&storage, JDS_PERM, r)));
        }
        criteria_near(criteria_of_storage(&storage, &a).balance, (double)csr_nnz(&a) / lanes, "jds",
                      parameters[k], "balance");
        storage_free(&storage);
    }
    csr_free(&a);
}

/* HYB cut at k: rows up to k in ELL, the rest in warps that are full. */
static void hyb_is_as_its_parts(void **state)
{
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
    criteria_near(criteria_found("hyb", "k=6", &a).balance, (double)csr_nnz(&a) / (lanes + rest), "hyb",
                  "k=6", "balance");
    csr_free(&a);
}

/* Rows of 0 to 4 entries. The number of rows is such that strips, chunks and block rows are analysed in
 * several pieces. */
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
                   {"sell", "sigma=1000", work_of_chunk},
                   {"bsr", "size=3", work_of_blocks}};
    struct csr a = many_rows(2 * ((int64_t)1 << 21) + 12345);
    for (size_t k = 0; k < sizeof grouped / sizeof *grouped; k++) {
        struct storage storage = criteria_stored(grouped[k].format, grouped[k].parameters, PRECISION_F64, &a);
        struct criteria criteria = criteria_of_storage(&storage, &a);
        criteria_near(criteria.balance, balance_by_loops(&storage, &a, grouped[k].work), grouped[k].format,
                      grouped[k].parameters, "balance");
        if (k == 0) {
            double bytes = (double)storage_size(&storage).bytes, written = 0, places = 0;
            for (int64_t i = 0; i < a.rows; i++) {
                double own = (double)(a.cols - length_of(&a, i));
                written += own * written_cmrs(&storage, &a, i, 0);
                places += own;
            }
            criteria_near(criteria.flexibility, 1 - written / places / bytes, "cmrs", "height=3",
                          "flexibility");
        }
        storage_free(&storage);
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_loops_over_small_matrices),
        cmocka_unit_test(warps_begin_with_sections),
        cmocka_unit_test(hyb_is_as_its_parts),
        cmocka_unit_test(pieces_are_put_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
