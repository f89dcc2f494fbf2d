#include "formats/sss.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/range.h"
#include "base/threads.h"
#include "formats/fill.h"

static const struct parameter parameters[] = {{0}};

/* Number of rows between two checks for cancellation. */
#define ROWS_AT_ONCE 1024

/* The symmetries that a pair of entries allows, as bits 1 << enum symmetry. */
#define KINDS (1U << SYMMETRY_SYMMETRIC | 1U << SYMMETRY_SKEW | 1U << SYMMETRY_HERMITIAN)

/* Compare bits, because a matrix must be stored exactly, including -0 and NaN. */
static bool same(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

/* Return the symmetries for which entry k and entry `mirror`, at the mirrored position, are a pair. */
static unsigned kinds_of_pair(const struct csr *a, int64_t k, int64_t mirror)
{
    unsigned kinds = 0;
    for (enum symmetry kind = SYMMETRY_SYMMETRIC; kind <= SYMMETRY_HERMITIAN; kind++) {
        const struct mirror_signs signs = mirror_signs(kind);
        if (kind == SYMMETRY_HERMITIAN && !a->imaginary) continue;
        if (!same(signs.real * a->val[k], a->val[mirror])) continue;
        if (a->imaginary && !same(signs.imaginary * a->imaginary[k], a->imaginary[mirror])) continue;
        kinds |= 1U << kind;
    }
    return kinds;
}

static bool zero(double x)
{
    return x == 0 || isnan(x);
}

/* Return the symmetries that entry k on the diagonal allows. The diagonal of a skew-symmetric matrix is 0,
 * and that of a Hermitian matrix is real. */
static unsigned kinds_of_diagonal(const struct csr *a, int64_t k)
{
    const bool real = !a->imaginary || zero(a->imaginary[k]);
    return 1U << SYMMETRY_SYMMETRIC | (zero(a->val[k]) && real ? 1U << SYMMETRY_SKEW : 0) |
           (real && a->imaginary ? 1U << SYMMETRY_HERMITIAN : 0);
}

/* The numbers of entries below and on the diagonal, and the symmetries that all of these allow. */
struct halves {
    int64_t lower, diagonal;
    unsigned kinds;
};

static void look_at_row(const struct csr *a, int64_t i, struct halves *halves)
{
    int64_t k = a->row_ptr[i];
    for (; k < a->row_ptr[i + 1] && a->col[k] < i; k++) {
        const int64_t mirror = csr_find(a, a->col[k], i);
        halves->kinds &= mirror < 0 ? 0 : kinds_of_pair(a, k, mirror);
        halves->lower++;
        if (!halves->kinds) return;
    }
    if (k < a->row_ptr[i + 1] && a->col[k] == i) {
        halves->kinds &= kinds_of_diagonal(a, k);
        halves->diagonal++;
    }
}

/* Find the symmetries of the matrix. Each entry below the diagonal must have its mirror image. If there are
 * as many entries above the diagonal as below, these also have theirs. O(nnz log of a row's length), less if
 * the matrix is not symmetric. */
static enum status find_halves(const struct csr *a, struct halves *halves, struct progress *progress,
                               struct error *error)
{
    const int64_t blocks = row_blocks(a);
    unsigned kinds = KINDS;
    int64_t lower = 0, diagonal = 0;
    atomic_bool refuted = false;
    progress_phase(progress, "comparing both triangles", blocks);
#pragma omp parallel for schedule(dynamic, 1) reduction(& : kinds) reduction(+ : lower, diagonal) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        struct halves own = {.kinds = KINDS};
        if (progress_cancelled(progress) || atomic_load(&refuted)) continue;
        for (int64_t i = row_block_first(a, blocks, b); own.kinds && i < row_block_first(a, blocks, b + 1);
             i++)
            look_at_row(a, i, &own);
        if (!own.kinds) atomic_store(&refuted, true);
        kinds &= own.kinds;
        lower += own.lower;
        diagonal += own.diagonal;
        progress_add(progress, 1);
    }
    *halves = (struct halves){lower, diagonal, 2 * lower + diagonal == csr_nnz(a) ? kinds : 0};
    return progress_status(progress, error);
}

/* Fail with STATUS_LIMIT unless one half of the matrix determines the other. */
static enum status find_symmetry(struct storage *storage, const struct csr *a, struct halves *halves,
                                 struct progress *progress, struct error *error)
{
    if (a->rows != a->cols)
        return error_set(error, STATUS_LIMIT,
                         "sss stores symmetric matrices by half, and this one is not square");
    /* Excerpts of complex matrices have no values (analysis/forecast/excerpt.h). */
    if (a->skeleton || !a->val || (storage->complex && !a->imaginary))
        return error_set(error, STATUS_LIMIT,
                         "sss compares all values of both triangles, and the entries are not in memory");
    enum status status = find_halves(a, halves, progress, error);
    if (status != STATUS_OK) return status;
    if (!halves->kinds)
        return error_set(error, STATUS_LIMIT,
                         "sss stores symmetric matrices by half: this one is neither symmetric nor "
                         "skew-symmetric nor Hermitian");
    storage->symmetry = SYMMETRY_SYMMETRIC;
    while (!(halves->kinds >> storage->symmetry & 1))
        storage->symmetry++;
    return STATUS_OK;
}

static enum status plan_sss(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    struct halves halves = {.kinds = 0};
    enum status status = find_symmetry(storage, a, &halves, progress, error);
    if (status != STATUS_OK) return status;
    storage->slots[0] = storage->rows;
    storage->slots[1] = storage->mirrored = halves.lower;
    plan_offsets(storage, SSS_ROW_PTR, "row_ptr", storage->rows + 1, halves.lower,
                 "first entry of row i in the lower triangle");
    plan_slots(storage, SSS_COL, "col", ROLE_COLUMNS, 1, "column of entry k, less than its row");
    plan_slots(storage, SSS_VAL, "val", ROLE_VALUES, 1, "value of entry k and, mirrored, of its image");
    plan_slots(storage, SSS_DIAG, "diag", ROLE_VALUES, 0, "value of entry (i, i)");
    return STATUS_OK;
}

/* Pieces of rows: first each piece's entries below the diagonal are counted, then the counts are added up,
 * and then each piece is written. */
#define PIECES 64

static int64_t lower_end(const struct csr *a, int64_t i)
{
    return csr_lower_bound(a, i, i);
}

static int64_t count_rows(const struct csr *a, int64_t first, int64_t end, struct progress *progress)
{
    int64_t count = 0;
    for (int64_t i = first; i < end; i++) {
        if (i % ROWS_AT_ONCE == 0 && progress_cancelled(progress)) break;
        count += lower_end(a, i) - a->row_ptr[i];
    }
    return count;
}

static void put_rows(struct storage *storage, const struct csr *a, int64_t first, int64_t end, int64_t e,
                     struct progress *progress)
{
    struct array *row_ptr = &storage->array[SSS_ROW_PTR], *val = &storage->array[SSS_VAL];
    int32_t *col = array_i32(storage, SSS_COL);
    for (int64_t i = first; i < end; i++) {
        if (i % ROWS_AT_ONCE == 0 && progress_cancelled(progress)) break;
        int64_t k = a->row_ptr[i];
        array_set(row_ptr, i, e);
        for (; k < a->row_ptr[i + 1] && a->col[k] < i; k++, e++) {
            col[e] = a->col[k];
            put_value(storage, val, e, a, k);
        }
        if (k < a->row_ptr[i + 1] && a->col[k] == i)
            put_value(storage, &storage->array[SSS_DIAG], i, a, k);
        else
            put_zero(&storage->array[SSS_DIAG], i);
    }
}

static enum status fill_sss(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    int64_t before[PIECES + 1] = {0};
    const bool several = csr_nnz(a) > PARALLEL_MIN;
    progress_phase(progress, "converting to SSS", 2 * PIECES);
#pragma omp parallel for schedule(dynamic, 1) if (several)
    for (int p = 0; p < PIECES; p++) {
        if (progress_cancelled(progress)) continue;
        before[p + 1] =
            count_rows(a, row_block_first(a, PIECES, p), row_block_first(a, PIECES, p + 1), progress);
        progress_add(progress, 1);
    }
    for (int p = 0; p < PIECES; p++)
        before[p + 1] += before[p];
    array_set(&storage->array[SSS_ROW_PTR], a->rows, before[PIECES]);
#pragma omp parallel for schedule(dynamic, 1) if (several)
    for (int p = 0; p < PIECES; p++) {
        if (progress_cancelled(progress)) continue;
        put_rows(storage, a, row_block_first(a, PIECES, p), row_block_first(a, PIECES, p + 1), before[p],
                 progress);
        progress_add(progress, 1);
    }
    return progress_status(progress, error);
}

static int64_t row_of(const struct storage *storage, int64_t e)
{
    return offset_find(&storage->array[SSS_ROW_PTR], storage->rows, e);
}

static bool begins_row(const struct storage *storage, int64_t e)
{
    return array_integer(&storage->array[SSS_ROW_PTR], row_of(storage, e)) == e;
}

/* Return the first entry that is not below the diagonal or not beyond the entry before it in its row, or the
 * number of entries if there is none. */
static int64_t first_wrong(const struct storage *storage)
{
    const struct array *row_ptr = &storage->array[SSS_ROW_PTR];
    const int32_t *col = storage->array[SSS_COL].data;
    int64_t worst = storage->slots[1], rows = storage->rows;
#pragma omp parallel for reduction(min : worst) if (rows > PARALLEL_MIN)
    for (int64_t i = 0; i < rows; i++) {
        const int64_t first = array_integer(row_ptr, i), end = array_integer(row_ptr, i + 1);
        for (int64_t e = first; e < end && e < worst; e++)
            if (col[e] >= i || (e > first && col[e] <= col[e - 1])) worst = e;
    }
    return worst;
}

static enum status validate_sss(const struct storage *storage, struct error *error)
{
    const struct array *col = &storage->array[SSS_COL];
    enum status status = check_ascending(&storage->array[SSS_ROW_PTR], storage->slots[1], error);
    if (status == STATUS_OK) status = check_within(col, 0, storage->cols - 1, error);
    if (status != STATUS_OK) return status;
    int64_t e = first_wrong(storage);
    return e < col->length
               ? bad_element(col, e, "is not below the diagonal, or not beyond the one before", error)
               : STATUS_OK;
}

static struct place place_sss(const struct storage *storage, int part, int64_t e)
{
    if (part == 0) return (struct place){e, e};
    return (struct place){row_of(storage, e), array_integer(&storage->array[SSS_COL], e)};
}

/* An entry above the diagonal is where its mirror image is. */
static int64_t locate_sss(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part)
{
    const struct array *row_ptr = &storage->array[SSS_ROW_PTR], *col = &storage->array[SSS_COL];
    const int64_t row = max(i, (int64_t)a->col[k]), column = min(i, (int64_t)a->col[k]);
    *part = row != column;
    if (row == column) return row;
    const int64_t end = array_integer(row_ptr, row + 1);
    const int64_t e = array_lower_bound(col, array_integer(row_ptr, row), end, column);
    return e < end && array_integer(col, e) == column ? e : -1;
}

/* A kernel needs the two offsets of the row in which the entry or its image is stored. */
static struct extent touch_sss(const struct storage *storage, int q, const struct spot *spot)
{
    return extent_of(max(spot->place.row, spot->place.col), 2);
}

/* A pointer leads to the first entry of its row that is stored: the diagonal if no other is. */
static struct place leads_sss(const struct storage *storage, int q, int64_t e)
{
    const struct array *row_ptr = &storage->array[q];
    if (e >= storage->rows) return (struct place){-1, -1};
    const int64_t first = array_integer(row_ptr, e);
    if (first == array_integer(row_ptr, e + 1)) return (struct place){e, e};
    return (struct place){e, array_integer(&storage->array[SSS_COL], first)};
}

/* A rule before each row. */
static enum rule rule_sss(const struct storage *storage, int q, int64_t e)
{
    return storage->array[q].part == 1 && begins_row(storage, e) ? RULE_MINOR : RULE_NONE;
}

static const char *const variants[] = {"", NULL};

/* Calibration does not time this format, because its matrices are not symmetric. */
static const struct format_trial trials[] = {{NULL}};

const struct format format_sss = {
    .name = "sss",
    .title = "SSS",
    .summary = "symmetric sparse skyline: the diagonal, and the entries below it row by row",
    .source = "Saad, SPARSKIT: a basic tool kit for sparse matrix computations, version 2, 1994",
    .wins = "It suits symmetric, skew-symmetric and Hermitian matrices, of which it stores half. Each stored "
            "entry adds to two elements of y.",
    .parameters = parameters,
    .pads = "diagonal entries are missing",
    .variants = variants,
    .whole = true,
    .lines = FORMAT_ROWS,
    .trials = trials,
    .plan = plan_sss,
    .fill = fill_sss,
    .validate = validate_sss,
    .place = place_sss,
    .locate = locate_sss,
    .touch = touch_sss,
    .leads = leads_sss,
    .rule = rule_sss,
};
