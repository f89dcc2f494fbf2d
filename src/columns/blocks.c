/* The columns of what a matrix falls into, and of what its factor would fill. */
#include "columns/lists.h"

#include "base/range.h"

const struct column_part part_blocks = {.key = "blocks", .title = "Block triangular form"};
const struct column_part part_cholesky = {.key = "cholesky", .title = "Cholesky factor"};

static struct value get_count(const struct column *column, const struct subject *subject)
{
    const char *place = (const char *)subject->matrix_case + column->offset;
    return integer_value(*(const int64_t *)(const void *)place);
}

static bool is_square(const struct subject *subject)
{
    return subject->matrix_case->matrix.csr.rows == subject->matrix_case->matrix.csr.cols;
}

/* A number of square matrices alone; below 0 it is not known. */
static struct value get_square(const struct column *column, const struct subject *subject)
{
    struct value count = get_count(column, subject);
    return is_square(subject) && count.integer >= 0 ? count : null_value();
}

/* The entries, or the operations, of the struct fill at the column's offset. */
static struct value get_entries(const struct column *column, const struct subject *subject)
{
    const void *place = (const char *)subject->matrix_case + column->offset;
    const struct fill *fill = place;
    return fill->entries > 0 ? integer_value(fill->entries) : null_value();
}

static struct value get_flops(const struct column *column, const struct subject *subject)
{
    const void *place = (const char *)subject->matrix_case + column->offset;
    const struct fill *fill = place;
    return fill->entries > 0 ? real_value(fill->flops) : null_value();
}

static struct value get_growth(const struct column *column, const struct subject *subject)
{
    const void *place = (const char *)subject->matrix_case + column->offset;
    const struct fill *fill = place;
    if (fill->entries == 0) return null_value();
    return real_value(share_of((double)fill->entries, (double)subject->matrix_case->fills.lower));
}

const struct column component_columns[] = {
    {.key = "structure.components",
     .title = "Components",
     .type = VALUE_INTEGER,
     .needs = SESSION_COMPONENTS,
     .get = get_count,
     .offset = offsetof(struct matrix_case, components.connected),
     .help = "connected components of the graph of A + A^T; if A is not square, of the bipartite one"},
    {.key = "structure.largest_component",
     .title = "Largest component",
     .unit = "vertices",
     .type = VALUE_INTEGER,
     .needs = SESSION_COMPONENTS,
     .get = get_count,
     .offset = offsetof(struct matrix_case, components.largest),
     .help = "lines of the largest component; of the bipartite graph rows and columns together"},
    {.key = "structure.strong_components",
     .title = "Strong components",
     .type = VALUE_INTEGER,
     .needs = SESSION_COMPONENTS,
     .get = get_square,
     .offset = offsetof(struct matrix_case, components.strong),
     .help = "strongly connected components of the graph with an edge i -> j for each entry (i, j)"},
    {.key = "structure.largest_strong_component",
     .title = "Largest strong component",
     .unit = "vertices",
     .type = VALUE_INTEGER,
     .needs = SESSION_COMPONENTS,
     .get = get_square,
     .offset = offsetof(struct matrix_case, components.largest_strong),
     .help = "lines of the largest strongly connected component"},
    {.key = NULL},
};

const struct column block_columns[] = {
    {.key = "blocks.structural_rank",
     .title = "Structural rank",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_BLOCKS,
     .get = get_count,
     .offset = offsetof(struct matrix_case, triangular.rank),
     .help = "most entries of which no two share a row or a column; explicit zeros count as entries"},
    {.key = "blocks.underdetermined_rows",
     .title = "Underdetermined rows",
     .unit = "rows",
     .type = VALUE_INTEGER,
     .needs = SESSION_BLOCKS,
     .get = get_count,
     .offset = offsetof(struct matrix_case, triangular.h_rows),
     .help = "rows of the horizontal part of the Dulmage-Mendelsohn form, which has more columns"},
    {.key = "blocks.underdetermined_cols",
     .title = "Underdetermined columns",
     .unit = "columns",
     .type = VALUE_INTEGER,
     .needs = SESSION_BLOCKS,
     .get = get_count,
     .offset = offsetof(struct matrix_case, triangular.h_cols),
     .help = "columns of that part: those on alternating paths from an unmatched column"},
    {.key = "blocks.well_determined",
     .title = "Well determined",
     .unit = "rows",
     .type = VALUE_INTEGER,
     .needs = SESSION_BLOCKS,
     .get = get_count,
     .offset = offsetof(struct matrix_case, triangular.square),
     .help = "rows, and columns, of the square part of the Dulmage-Mendelsohn form"},
    {.key = "blocks.overdetermined_rows",
     .title = "Overdetermined rows",
     .unit = "rows",
     .type = VALUE_INTEGER,
     .needs = SESSION_BLOCKS,
     .get = get_count,
     .offset = offsetof(struct matrix_case, triangular.v_rows),
     .help = "rows of the vertical part of the Dulmage-Mendelsohn form, which has more rows"},
    {.key = "blocks.overdetermined_cols",
     .title = "Overdetermined columns",
     .unit = "columns",
     .type = VALUE_INTEGER,
     .needs = SESSION_BLOCKS,
     .get = get_count,
     .offset = offsetof(struct matrix_case, triangular.v_cols),
     .help = "columns of that part: those on alternating paths from an unmatched row"},
    {.key = "blocks.count",
     .title = "Diagonal blocks",
     .type = VALUE_INTEGER,
     .needs = SESSION_BLOCKS,
     .get = get_count,
     .offset = offsetof(struct matrix_case, triangular.blocks),
     .help = "diagonal blocks of the block triangular form of the well determined part"},
    {.key = "blocks.largest",
     .title = "Largest block",
     .unit = "rows",
     .type = VALUE_INTEGER,
     .needs = SESSION_BLOCKS,
     .get = get_count,
     .offset = offsetof(struct matrix_case, triangular.largest),
     .help = "rows of the largest diagonal block"},
    {.key = NULL},
};

const struct column cholesky_columns[] = {
    {.key = "cholesky.entries",
     .title = "Entries of L",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_FILL,
     .get = get_entries,
     .offset = offsetof(struct matrix_case, fills.own),
     .help = "nnz(L) of A + A^T + I = L L^T in this order, by pattern alone, with the diagonal; null in an "
             "order that "
             "permutes rows and columns differently"},
    {.key = "cholesky.growth",
     .title = "Growth",
     .unit = "of lower triangle",
     .type = VALUE_REAL,
     .needs = SESSION_FILL,
     .get = get_growth,
     .offset = offsetof(struct matrix_case, fills.own),
     .help = "entries of L / entries of the lower triangle of A + A^T + I"},
    {.key = "cholesky.flops",
     .title = "Operations",
     .unit = "flops",
     .type = VALUE_REAL,
     .needs = SESSION_FILL,
     .get = get_flops,
     .offset = offsetof(struct matrix_case, fills.own),
     .help = "sum over the columns of L of (entries)^2, as CHOLMOD counts them"},
    {.key = "cholesky.amd_entries",
     .title = "Entries of L after AMD",
     .unit = "entries",
     .type = VALUE_INTEGER,
     .needs = SESSION_FILL,
     .get = get_entries,
     .offset = offsetof(struct matrix_case, fills.amd),
     .help = "nnz(L) if rows and columns are first put into the order amd, whose ties CHOLMOD breaks "
             "otherwise; none if that cannot be had"},
    {.key = "cholesky.amd_growth",
     .title = "Growth after AMD",
     .unit = "of lower triangle",
     .type = VALUE_REAL,
     .needs = SESSION_FILL,
     .get = get_growth,
     .offset = offsetof(struct matrix_case, fills.amd),
     .help = "entries of that L / entries of the lower triangle of A + A^T + I"},
    {.key = "cholesky.amd_flops",
     .title = "Operations after AMD",
     .unit = "flops",
     .type = VALUE_REAL,
     .needs = SESSION_FILL,
     .get = get_flops,
     .offset = offsetof(struct matrix_case, fills.amd),
     .help = "operations for that L, counted likewise"},
    {.key = NULL},
};
