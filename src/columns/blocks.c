/* The columns of a matrix's components and blocks, and of the fill of its factor. */
#include "columns/lists.h"

#include "base/range.h"

const struct column_part part_blocks = {.key = "blocks", .title = "Block triangular form"};
const struct column_part part_cholesky = {.key = "cholesky", .title = "Cholesky factor"};
const struct column_part part_qr = {.key = "qr", .title = "QR and LU factors"};

bool subject_is_square(const struct subject *subject)
{
    return subject->matrix_case->matrix.csr.rows == subject->matrix_case->matrix.csr.cols;
}

const void *owner_own_fill(const struct subject *subject)
{
    const struct fill *fill = &subject->matrix_case->fills.own;
    return fill->entries > 0 ? fill : NULL;
}

const void *owner_amd_fill(const struct subject *subject)
{
    const struct fill *fill = &subject->matrix_case->fills.amd;
    return fill->entries > 0 ? fill : NULL;
}

static struct value get_growth(const struct column *column, const struct subject *subject)
{
    const struct fill *fill = column->owner(subject);
    if (!fill) return null_value();
    return real_value(share_of((double)fill->entries, (double)subject->matrix_case->fills.lower));
}

#define OF(member) COLUMN_STORED(owner_case, struct matrix_case, member)
#define OF_FILL(which, member) COLUMN_STORED(owner_##which##_fill, struct fill, member)

const struct column component_columns[] = {
    {.key = "structure.components",
     .title = "Components",
     OF(components.connected),
     .help = "connected components of the graph of A + A^T; if A is not square, of the bipartite one"},
    {.key = "structure.largest_component",
     .title = "Largest component",
     .unit = "vertices",
     OF(components.largest),
     .help = "rows of the largest component; of the bipartite graph, rows and columns together"},
    {.key = "structure.strong_components",
     .title = "Strong components",
     OF(components.strong),
     .known = subject_is_square,
     .help = "strongly connected components of the graph with an edge i -> j for each entry (i, j)"},
    {.key = "structure.largest_strong_component",
     .title = "Largest strong component",
     .unit = "vertices",
     OF(components.largest_strong),
     .known = subject_is_square,
     .help = "rows of the largest strongly connected component"},
    {.key = NULL},
};

const struct column block_columns[] = {
    {.key = "blocks.structural_rank",
     .title = "Structural rank",
     .unit = "entries",
     OF(triangular.rank),
     .help = "largest number of entries of which no two share a row or a column; explicit zeros count as "
             "entries"},
    {.key = "blocks.underdetermined_rows",
     .title = "Underdetermined rows",
     .unit = "rows",
     OF(triangular.h_rows),
     .help = "rows of the horizontal part of the Dulmage-Mendelsohn form, which has more columns"},
    {.key = "blocks.underdetermined_cols",
     .title = "Underdetermined columns",
     .unit = "columns",
     OF(triangular.h_cols),
     .help = "columns of that part: those on alternating paths from an unmatched column"},
    {.key = "blocks.well_determined",
     .title = "Well determined",
     .unit = "rows",
     OF(triangular.square),
     .help = "rows, and columns, of the square part of the Dulmage-Mendelsohn form"},
    {.key = "blocks.overdetermined_rows",
     .title = "Overdetermined rows",
     .unit = "rows",
     OF(triangular.v_rows),
     .help = "rows of the vertical part of the Dulmage-Mendelsohn form, which has more rows"},
    {.key = "blocks.overdetermined_cols",
     .title = "Overdetermined columns",
     .unit = "columns",
     OF(triangular.v_cols),
     .help = "columns of that part: those on alternating paths from an unmatched row"},
    {.key = "blocks.count",
     .title = "Diagonal blocks",
     OF(triangular.blocks),
     .help = "diagonal blocks of the block triangular form of the well determined part"},
    {.key = "blocks.largest",
     .title = "Largest block",
     .unit = "rows",
     OF(triangular.largest),
     .help = "rows of the largest diagonal block"},
    {.key = NULL},
};

const struct column cholesky_columns[] = {
    {.key = "cholesky.entries",
     .title = "Entries of L",
     .unit = "entries",
     OF_FILL(own, entries),
     .help = "nnz(L) of A + A^T + I = L L^T in this order, by pattern alone, with the diagonal; null in an "
             "order that "
             "permutes rows and columns differently"},
    {.key = "cholesky.growth",
     .title = "Growth",
     .unit = "of lower triangle",
     .type = VALUE_REAL,
     .get = get_growth,
     .owner = owner_own_fill,
     .help = "entries of L / entries of the lower triangle of A + A^T + I"},
    {.key = "cholesky.flops",
     .title = "Operations",
     .unit = "flops",
     OF_FILL(own, flops),
     .help = "sum over the columns of L of (entries)^2, as CHOLMOD counts them"},
    {.key = "cholesky.amd_entries",
     .title = "Entries of L after AMD",
     .unit = "entries",
     OF_FILL(amd, entries),
     .help = "nnz(L) after reordering by amd, whose ties CHOLMOD breaks differently; null if this order is "
             "unavailable"},
    {.key = "cholesky.amd_growth",
     .title = "Growth after AMD",
     .unit = "of lower triangle",
     .type = VALUE_REAL,
     .get = get_growth,
     .owner = owner_amd_fill,
     .help = "entries of this L / entries of the lower triangle of A + A^T + I"},
    {.key = "cholesky.amd_flops",
     .title = "Operations after AMD",
     .unit = "flops",
     OF_FILL(amd, flops),
     .help = "operations for this L, counted the same way"},
    {.key = NULL},
};

const struct column qr_columns[] = {
    {.key = "qr.entries",
     .title = "Entries of R",
     .unit = "entries",
     OF(column_fill.entries),
     .help = "entries of the Cholesky factor of A^T A + I in this order of columns, by pattern alone: a "
             "bound of R of "
             "QR, and of U of LU with any row exchanges"},
    {.key = "qr.flops",
     .title = "Operations",
     .unit = "flops",
     OF(column_fill.flops),
     .help = "sum over the columns of this factor of (entries)^2"},
    {.key = "qr.householder",
     .title = "Householder entries",
     .unit = "entries",
     OF(column_fill.householder),
     .help =
         "entries of the Householder vectors of QR: a bound of L of LU if A is square with a full diagonal"},
    {.key = "qr.lacking",
     .title = "Columns without a pivot",
     .unit = "columns",
     OF(column_fill.lacking),
     .help = "columns for which elimination leaves no row: if there are any, A has no full column rank"},
    {.key = NULL},
};
