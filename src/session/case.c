#include "session/case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/emptiness.h"
#include "base/memory.h"
#include "matrix/columns.h"
#include "matrix/orders/order.h"
#include "session/solve_advice.h"

void case_start(struct matrix_case *matrix_case, const char *order, struct matrix *matrix)
{
    memset(matrix_case, 0, sizeof *matrix_case);
    matrix_case->order = order;
    matrix_case->matrix = *matrix;
    *matrix = (struct matrix){0};
    matrix_case->pool.a = &matrix_case->matrix.csr;
    matrix_case->conversions.pool = &matrix_case->pool;
    matrix_case->foresight[PRECISION_F32].precision = PRECISION_F32;
    matrix_case->foresight[PRECISION_F64].precision = PRECISION_F64;
    atomic_init(&matrix_case->ready, SESSION_MATRIX | SESSION_ENTRIES);
}

/* Start a case without entries. If it also has no excerpt, kernels cannot be forecast, so SESSION_FORESIGHT
 * is complete. */
void case_start_known(struct matrix_case *matrix_case, const char *order, struct matrix *matrix, int64_t nnz,
                      struct absence *absence)
{
    case_start(matrix_case, order, matrix);
    matrix_case->conversions.pool = NULL;
    matrix_case->nnz = nnz;
    matrix_case->absence = *absence;
    *absence = (struct absence){0};
    for (int p = 0; p < 2; p++)
        atomic_store(&matrix_case->foresight[p].complete, true);
    atomic_store(&matrix_case->ready, SESSION_MATRIX | SESSION_SIZES | SESSION_FORESIGHT);
}

void case_know(struct matrix_case *matrix_case, unsigned parts)
{
    atomic_fetch_or_explicit(&matrix_case->ready, parts, memory_order_release);
}

void case_excerpt(struct matrix_case *matrix_case, struct excerpt *excerpt)
{
    matrix_case->excerpt = *excerpt;
    *excerpt = (struct excerpt){0};
    if (!matrix_case->excerpt.there) return;
    for (int p = 0; p < 2; p++)
        atomic_store(&matrix_case->foresight[p].complete, false);
    atomic_fetch_and(&matrix_case->ready, ~(unsigned)SESSION_FORESIGHT);
}

const struct foresight *case_foresight(const struct matrix_case *matrix_case, enum precision precision,
                                       struct product product)
{
    static const struct foresight none;
    const struct foresight *foresight = &matrix_case->foresight[precision];
    while (foresight && !product_same(foresight->product, product))
        foresight = foresight->next;
    return foresight ? foresight : &none;
}

int case_foreseen(const struct matrix_case *matrix_case)
{
    int count = 0;
    for (int p = 0; p < 2; p++)
        for (const struct foresight *of = &matrix_case->foresight[p]; of; of = of->next)
            count += foresight_count(of);
    return count;
}

struct foresight *case_want_foresight(struct matrix_case *matrix_case, enum precision precision,
                                      struct product product, struct error *error)
{
    struct foresight *last = &matrix_case->foresight[precision];
    while (!product_same(last->product, product) && last->next)
        last = last->next;
    if (product_same(last->product, product)) return last;
    last->next = memory_zeroed(1, sizeof *last->next, error);
    if (!last->next) return NULL;
    last->next->precision = precision;
    last->next->product = product;
    return last->next;
}

bool case_foreseeable(const struct matrix_case *matrix_case)
{
    return matrix_case->excerpt.there ||
           (case_has_entries(matrix_case) && csr_here(&matrix_case->matrix.csr));
}

bool case_is_symmetrically_ordered(const struct matrix_case *matrix_case)
{
    const struct permutation *permutation = &matrix_case->reordering.permutation;
    return permutation_rows(permutation) == permutation_cols(permutation);
}

bool case_nearly_empty(const struct matrix_case *matrix_case)
{
    return rows_nearly_empty(matrix_case->matrix.csr.rows, case_nnz(matrix_case));
}

enum status case_want_entries(const struct matrix_case *matrix_case, struct error *error)
{
    const struct absence *absence = &matrix_case->absence;
    if (case_has_entries(matrix_case)) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "%s %s", absence->why ? absence->why : "",
                     absence->remedy ? absence->remedy : "");
}

int64_t case_nnz(const struct matrix_case *matrix_case)
{
    return case_has_entries(matrix_case) ? csr_nnz(&matrix_case->matrix.csr) : matrix_case->nnz;
}

bool case_is_complex(const struct matrix_case *matrix_case)
{
    const struct matrix *matrix = &matrix_case->matrix;
    return case_has_entries(matrix_case) ? csr_complex(&matrix->csr) : matrix->field == FIELD_COMPLEX;
}

void absence_free(struct absence *absence)
{
    free(absence->why);
    free(absence->remedy);
    *absence = (struct absence){0};
}

/* Errors without a position concern this matrix. */
static enum status placed(enum status status, const char *name, struct error *error)
{
    if (error && status != STATUS_OK && status != STATUS_CANCELLED && !error->path[0])
        snprintf(error->path, sizeof error->path, "%s", name);
    return status;
}

static enum status plan_formats(struct matrix_case *matrix_case, size_t limit, struct progress *progress,
                                struct error *error)
{
    struct conversions *conversions = &matrix_case->conversions;
    enum status status = STATUS_OK;
    progress_phase(progress, "sizes of formats", 0);
    for (int k = 0; status == STATUS_OK && k < atomic_load(&conversions->count); k++)
        status = conversion_plan(conversions->items[k], limit, progress, error);
    return status;
}

/* The tiles belong to the pyramid, which is made first if it is missing. */
static enum status make_tiles(struct matrix_case *matrix_case, size_t limit, struct progress *progress,
                              struct error *error)
{
    enum status status = case_need(matrix_case, SESSION_PYRAMID, limit, progress, error);
    if (status != STATUS_OK) return status;
    return tiles_make_if_many(&matrix_case->matrix.csr, &matrix_case->pyramid, limit, progress,
                              &matrix_case->tiles, error);
}

static enum status measure_rows(struct matrix_case *matrix_case, struct progress *progress,
                                struct error *error)
{
    const struct csr *a = &matrix_case->matrix.csr;
    enum status status = lengths_of_rows(a, progress, &matrix_case->row_lengths, error);
    if (status != STATUS_OK) return status;
    status = spans_make(a->row_ptr, a->rows, &matrix_case->row_spans, error);
    if (status != STATUS_OK) lengths_free(&matrix_case->row_lengths);
    return status;
}

static enum status offset_columns(struct matrix_case *matrix_case, size_t limit, struct progress *progress,
                                  struct error *error)
{
    const struct csr *a = &matrix_case->matrix.csr;
    enum status status = column_offsets(a, limit, progress, &matrix_case->col_ptr, error);
    if (status != STATUS_OK) return status;
    status = spans_make(matrix_case->col_ptr, a->cols, &matrix_case->col_spans, error);
    if (status != STATUS_OK) {
        free(matrix_case->col_ptr);
        matrix_case->col_ptr = NULL;
    }
    return status;
}

/* Return the maximum bytes of the histograms of rows and columns together. */
static size_t histograms_bytes(int64_t rows, int64_t cols, int64_t nnz)
{
    const struct lines by_row = {.count = rows}, by_column = {.count = cols};
    return histogram_bytes(&by_row, nnz) + histogram_bytes(&by_column, nnz);
}

const char *case_value_name(const struct matrix_case *matrix_case, enum precision precision)
{
    return value_name(precision, case_is_complex(matrix_case));
}

/* Return the bytes of the analyses. Structure, values and column lengths are computed one after the other,
 * and free their temporary memory. */
size_t case_bytes(int64_t rows, int64_t cols, int64_t nnz, int complex)
{
    size_t structure = structure_bytes(rows, cols), columns = column_lengths_bytes(cols, nnz), all;
    size_t largest = structure > columns ? structure : columns, values = values_bytes(cols, nnz);
    size_add(values > largest ? values : largest, pyramid_bytes(rows, cols, nnz, complex), &all);
    size_add(all, histograms_bytes(rows, cols, nnz), &all);
    size_add(all, spans_bytes(rows) + spans_bytes(cols), &all);
    return all;
}

/* True if each entry is known to have a mirror image: the source says so, or the structure was found exactly.
 * Analyses then need no transposed pattern. */
static bool is_mirrored(const struct matrix_case *matrix_case)
{
    const struct structure *structure = &matrix_case->structure;
    if (matrix_case->matrix.symmetry != SYMMETRY_GENERAL) return true;
    return case_has(matrix_case, SESSION_STRUCTURE) && structure->pattern_symmetry == 1 &&
           isnan(structure->symmetry_error);
}

/* The parts of a session that take memory. */
static const struct {
    enum session_part part;
    const char *what;
    bool entries; /* it is computed from the entries */
} parts_made[] = {{SESSION_ROW_LENGTHS, "the row lengths", false},
                  {SESSION_COL_LENGTHS, "the column lengths", false},
                  {SESSION_COL_PTR, "the offsets of columns", false},
                  {SESSION_STRUCTURE, "the structure", true},
                  {SESSION_VALUES, "statistics of the values", true},
                  {SESSION_COMPONENTS, "the components", true},
                  {SESSION_DENSE_BLOCKS, "the dense blocks", true},
                  {SESSION_BLOCKS, "the block triangular form", true},
                  {SESSION_FILL, "the fill of a factor", true},
                  {SESSION_SOLVES, "levels and colours", true},
                  {SESSION_PRECISIONS, "the rounding of values", true},
                  {SESSION_QR, "the fill by columns", true},
                  {SESSION_SPGEMM, "sparse products", true},
                  {SESSION_PYRAMID, "the pattern", true},
                  {SESSION_TILES, "the finer pattern", true}};

static size_t spgemm_most_bytes(const struct csr *a)
{
    size_t most = 0;
    for (int k = spgemm_first(a); k < SPGEMM_KINDS; k++) {
        const size_t bytes = spgemm_bytes(a, (enum spgemm_kind)k);
        if (bytes > most) most = bytes;
    }
    return most;
}

/* Return the bytes that computing a part takes; 0 if that checks the memory itself. */
static size_t part_bytes(const struct matrix_case *matrix_case, enum session_part part)
{
    const struct csr *a = &matrix_case->matrix.csr;
    const int64_t nnz = csr_nnz(a);
    switch (part) {
    case SESSION_ROW_LENGTHS:
        return histogram_bytes(&(struct lines){.count = a->rows}, nnz);
    case SESSION_COL_LENGTHS:
        return column_lengths_bytes(a->cols, nnz) + histogram_bytes(&(struct lines){.count = a->cols}, nnz);
    case SESSION_STRUCTURE:
        return structure_bytes(a->rows, a->cols);
    case SESSION_VALUES:
        return values_bytes(a->cols, nnz);
    case SESSION_COMPONENTS:
        return components_bytes(a, is_mirrored(matrix_case));
    case SESSION_DENSE_BLOCKS:
        return dense_blocks_bytes(a);
    case SESSION_BLOCKS:
        return triangular_bytes(a);
    case SESSION_FILL:
        return fills_bytes(&matrix_case->matrix, is_mirrored(matrix_case));
    case SESSION_SOLVES:
        return solves_bytes(a, is_mirrored(matrix_case));
    case SESSION_QR:
        return column_fill_bytes(a);
    case SESSION_SPGEMM:
        return spgemm_most_bytes(a);
    case SESSION_PRECISIONS:
        return precisions_bytes(a);
    case SESSION_PYRAMID:
        return pyramid_bytes(a->rows, a->cols, nnz, csr_complex(a));
    case SESSION_COL_PTR:
        return column_offsets_bytes(a);
    default:
        return 0;
    }
}

/* Fail with STATUS_LIMIT if a part does not fit beside the matrix, or if it needs entries that are not in
 * memory. */
static enum status may_compute(const struct matrix_case *matrix_case, enum session_part part, size_t limit,
                               struct error *error)
{
    const struct csr *a = &matrix_case->matrix.csr;
    const bool pattern = part & SESSION_COSTLY; /* these parts need only the columns */
    const bool missing = pattern ? !csr_here(a) : a->skeleton != NULL;
    const size_t held = csr_bytes(a->rows, csr_nnz(a), csr_complex(a));
    size_t k = 0;
    while (k < sizeof parts_made / sizeof *parts_made && parts_made[k].part != part)
        k++;
    if (k == sizeof parts_made / sizeof *parts_made) return STATUS_OK;
    if (parts_made[k].entries && missing)
        return error_set(
            error, STATUS_LIMIT,
            "%s: unavailable, since the entries are distributed over ranks; run one process instead",
            parts_made[k].what);
    return memory_check_beside(part_bytes(matrix_case, part), held, limit, parts_made[k].what, error);
}

/* Count the products of a matrix with itself and with its transpose. */
static enum status multiply(struct matrix_case *matrix_case, struct progress *progress, struct error *error)
{
    const struct csr *a = &matrix_case->matrix.csr;
    enum status status = STATUS_OK;
    for (int k = spgemm_first(a); k < SPGEMM_KINDS && status == STATUS_OK; k++)
        status = spgemm_of(a, (enum spgemm_kind)k, NULL, progress, &matrix_case->spgemm[k], error);
    return status;
}

static enum status compute(struct matrix_case *matrix_case, enum session_part part, size_t limit,
                           struct progress *progress, struct error *error)
{
    const struct csr *a = &matrix_case->matrix.csr;
    enum status status = may_compute(matrix_case, part, limit, error);
    if (status != STATUS_OK) return status;
    switch (part) {
    case SESSION_ROW_LENGTHS:
        return measure_rows(matrix_case, progress, error);
    case SESSION_COL_LENGTHS:
        return lengths_of_columns(a, progress, &matrix_case->col_lengths, error);
    case SESSION_STRUCTURE:
        return structure_of(a, progress, &matrix_case->structure, error);
    case SESSION_VALUES:
        if (matrix_case->matrix.field == FIELD_PATTERN) return STATUS_OK;
        return values_measure(a, progress, &matrix_case->values, error);
    case SESSION_COMPONENTS:
        return components_find(a, is_mirrored(matrix_case), progress, &matrix_case->components, error);
    case SESSION_DENSE_BLOCKS:
        return dense_blocks_find(a, progress, &matrix_case->dense_blocks, error);
    case SESSION_BLOCKS:
        return triangular_find(a, progress, &matrix_case->triangular, NULL, error);
    case SESSION_FILL:
        if (!case_is_symmetrically_ordered(matrix_case)) return STATUS_OK; /* there is no such factor */
        return fills_of(&matrix_case->matrix, is_mirrored(matrix_case), limit, progress, &matrix_case->fills,
                        error);
    case SESSION_SOLVES:
        return solves_of(a, is_mirrored(matrix_case), progress, &matrix_case->solves, error);
    case SESSION_PRECISIONS:
        if (matrix_case->matrix.field == FIELD_PATTERN) return STATUS_OK;
        return precisions_measure(a, progress, &matrix_case->precisions, error);
    case SESSION_QR:
        return column_fill_predict(a, progress, &matrix_case->column_fill, error);
    case SESSION_SPGEMM:
        return multiply(matrix_case, progress, error);
    case SESSION_PYRAMID:
        return pyramid_build(a, progress, &matrix_case->pyramid, error);
    case SESSION_TILES:
        return make_tiles(matrix_case, limit, progress, error);
    case SESSION_COL_PTR:
        return offset_columns(matrix_case, limit, progress, error);
    case SESSION_SIZES:
        return plan_formats(matrix_case, limit, progress, error);
    case SESSION_MATRIX:
    case SESSION_GPU:
    case SESSION_FORESIGHT:
    case SESSION_ENTRIES:
        break;
    }
    return STATUS_OK;
}

enum status case_need(struct matrix_case *matrix_case, unsigned parts, size_t limit,
                      struct progress *progress, struct error *error)
{
    static const struct {
        enum session_part part;
        const char *name; /* the name under which its cost is listed */
    } order[] = {{SESSION_ROW_LENGTHS, "row lengths"},
                 {SESSION_COL_LENGTHS, "column lengths"},
                 {SESSION_STRUCTURE, "structure"},
                 {SESSION_VALUES, "values"},
                 {SESSION_PYRAMID, "pattern"},
                 {SESSION_TILES, "finer pattern"},
                 {SESSION_COL_PTR, "offsets of columns"},
                 {SESSION_SIZES, "sizes of formats"},
                 {SESSION_COMPONENTS, "components"},
                 {SESSION_DENSE_BLOCKS, "dense blocks"},
                 {SESSION_BLOCKS, "block triangular form"},
                 {SESSION_FILL, "fill of a factor"},
                 {SESSION_SOLVES, "levels and colours"},
                 {SESSION_PRECISIONS, "rounding of values"},
                 {SESSION_QR, "fill by columns"},
                 {SESSION_SPGEMM, "sparse products"}};
    /* Without entries only the sizes of formats can be computed, if the lengths of all rows are known. */
    bool entries = case_has_entries(matrix_case);
    unsigned own = ~(unsigned)(SESSION_GPU | SESSION_FORESIGHT);
    if (!entries && !case_has(matrix_case, parts & own))
        return placed(case_want_entries(matrix_case, error), matrix_case->matrix.path, error);
    if (!entries && (parts & SESSION_SIZES) && matrix_case->matrix.csr.row_ptr)
        return placed(plan_formats(matrix_case, limit, progress, error), matrix_case->matrix.path, error);
    for (size_t k = 0; entries && k < sizeof order / sizeof *order; k++) {
        /* Formats may have been requested after this was last computed: plan these as well. */
        const enum session_part part = order[k].part;
        bool there = part != SESSION_SIZES && case_has(matrix_case, part);
        if (!(parts & part) || there) continue;
        const struct cost begun = cost_begin();
        enum status status = compute(matrix_case, part, limit, progress, error);
        if (status != STATUS_OK) return placed(status, matrix_case->matrix.path, error);
        cost_end(&matrix_case->costs, order[k].name, &begun);
        atomic_fetch_or_explicit(&matrix_case->ready, part, memory_order_release);
    }
    return STATUS_OK;
}

void reordering_free(struct reordering *reordering)
{
    order_choice_free(&reordering->choice);
    permutation_free(&reordering->permutation);
    free(reordering->to);
    free(reordering->to_col);
    *reordering = (struct reordering){0};
}

/* Return the position of one case's line in another case, by way of the natural order. NULL is the
 * identity. */
static int64_t carried(const int32_t *from, const int32_t *to, int64_t line)
{
    int64_t natural = from ? from[line] : line;
    return to ? to[natural] : natural;
}

void case_carry(const struct matrix_case *from, const struct matrix_case *to, int64_t *row, int64_t *col)
{
    const struct permutation *before = &from->reordering.permutation, *after = &to->reordering.permutation;
    const int32_t *inverse = to->reordering.to;
    const int32_t *of_cols = after->apply == APPLY_EACH ? to->reordering.to_col : inverse;
    const struct csr *a = &from->matrix.csr;
    if (from == to || a->rows == 0 || a->cols == 0) return;
    *row = carried(permutation_rows(before), permutation_rows(after) ? inverse : NULL, *row);
    *col = carried(permutation_cols(before), permutation_cols(after) ? of_cols : NULL, *col);
}

void case_free(struct matrix_case *matrix_case)
{
    atomic_store(&matrix_case->ready, 0);
    lengths_free(&matrix_case->row_lengths);
    solving_free(&matrix_case->solving);
    if (matrix_case->told) solve_advice_free(matrix_case->told);
    free(matrix_case->told);
    matrix_case->told = NULL;
    trisolves_free(&matrix_case->trisolves);
    lengths_free(&matrix_case->col_lengths);
    spans_free(&matrix_case->row_spans);
    spans_free(&matrix_case->col_spans);
    pyramid_free(&matrix_case->pyramid);
    tiles_free(&matrix_case->tiles);
    free(matrix_case->col_ptr);
    matrix_case->col_ptr = NULL;
    conversions_free(&matrix_case->conversions);
    results_free(&matrix_case->results);
    runs_free(&matrix_case->runs);
    distribution_free(&matrix_case->distribution);
    for (int p = 0; p < 2; p++)
        foresight_free(&matrix_case->foresight[p]);
    estimated_free(&matrix_case->estimated);
    pool_free(&matrix_case->pool);
    reordering_free(&matrix_case->reordering);
    absence_free(&matrix_case->absence);
    skeleton_free(&matrix_case->skeleton);
    excerpt_free(&matrix_case->excerpt);
    excerpt_free(&matrix_case->foreseen);
    matrix_free(&matrix_case->matrix);
}

static enum status predict_amd(const struct matrix *matrix, const struct graph *graph, size_t limit,
                               struct progress *progress, struct fills *fills, struct error *error)
{
    struct order_choice choice = {0};
    struct permutation permutation = {0};
    struct error refusal = {0};
    enum status status = order_choice_read("amd", &choice, error);
    if (status != STATUS_OK) return status;
    choice.seconds = FILLS_SECONDS;
    status = order_compute(&choice, matrix, limit, progress, &permutation, &refusal);
    bool refused = status == STATUS_UNAVAILABLE || status == STATUS_LIMIT;
    if (refused && !choice.order->absent)
        snprintf(fills->left_out, sizeof fills->left_out, "%.*s", (int)sizeof fills->left_out - 1,
                 refusal.message);
    if (status == STATUS_OK)
        status = fill_predict(graph, permutation.from, progress, &fills->amd, error);
    else if (!refused && error && error->status == STATUS_OK)
        *error = refusal;
    permutation_free(&permutation);
    order_choice_free(&choice);
    return refused ? STATUS_OK : status;
}

size_t fills_bytes(const struct matrix *matrix, bool mirrored)
{
    size_t bytes = 0;
    if (matrix->csr.rows == matrix->csr.cols)
        size_add(graph_view_bytes(&matrix->csr, mirrored), fill_bytes(matrix->csr.rows), &bytes);
    return bytes;
}

enum status fills_of(const struct matrix *matrix, bool mirrored, size_t limit, struct progress *progress,
                     struct fills *fills, struct error *error)
{
    const struct csr *a = &matrix->csr;
    struct graph graph;
    *fills = (struct fills){0};
    if (a->rows != a->cols) return STATUS_OK;
    enum status status = graph_view(a, mirrored, progress, &graph, error);
    if (status != STATUS_OK) return status;
    fills->lower = a->rows + graph_edges(&graph);
    status = fill_predict(&graph, NULL, progress, &fills->own, error);
    if (status == STATUS_OK) status = predict_amd(matrix, &graph, limit, progress, fills, error);
    graph_free(&graph);
    return status;
}
