/* The columns of a row of the list `spgemm` of a report: a product of the matrix with itself or its
 * transpose. */
#include "columns/columns.h"

const struct column_part part_spgemm = {.key = "", .title = "Sparse products"};

static const char *const names[SPGEMM_KINDS] = {
    [SPGEMM_AA] = "A A", [SPGEMM_ATA] = "A^T A", [SPGEMM_AAT] = "A A^T"};

const char *spgemm_name(enum spgemm_kind kind)
{
    return names[kind];
}

const void *owner_spgemm(const struct subject *subject)
{
    return subject->spgemm;
}

static struct value get_product(const struct column *column, const struct subject *subject)
{
    return text_value(names[subject->spgemm - subject->matrix_case->spgemm]);
}

#define OF(member) COLUMN_STORED(owner_spgemm, struct spgemm, member)

static const struct column definitions[] = {
    {.key = "product",
     .title = "Product",
     .type = VALUE_TEXT,
     .get = get_product,
     .help = "the product C: A A, A^T A or A A^T; A A needs a square matrix"},
    {.key = "multiplications",
     .title = "Multiplications",
     .heading = "multiply",
     OF(multiplications),
     .help = "sum over the entries (i, k) of the left matrix of the length of row k of the right one"},
    {.key = "nnz",
     .title = "Entries of C",
     .heading = "entries",
     .unit = "entries",
     OF(nnz),
     .help = "entries of C by pattern alone, counted or estimated without forming it"},
    {.key = "exact",
     .title = "Exact",
     OF(exact),
     .help = "true if the entries of C were counted, false if they were estimated from a sample"},
    {.key = "standard_error",
     .title = "Standard error",
     .heading = "std error",
     .unit = "entries",
     OF(standard_error),
     .digits = 3,
     .help = "standard error of the entries of C; 0 if they were counted. More than 2^28 multiplications are "
             "sampled"},
    {.key = "compression",
     .title = "Compression",
     .heading = "compress",
     .unit = "multiplications per entry",
     OF(compression),
     .digits = 3,
     .help = "multiplications / entries of C: the mean number of terms of an entry"},
    {.key = "growth",
     .title = "Growth",
     .heading = "growth",
     .unit = "of the entries of A",
     OF(growth),
     .digits = 3,
     .help = "entries of C / entries of A"},
    {.key = "density",
     .title = "Density",
     .unit = "of rows x columns",
     .role = COLUMN_SHARE,
     OF(density),
     .help = "entries of C / (rows x columns) of C"},
    {.key = "longest",
     .title = "Longest row of C",
     .heading = "longest",
     .unit = "entries",
     OF(longest),
     .help = "entries of the longest row of C whose length is known"},
    {.key = "most_multiplications",
     .title = "Most multiplications of a row",
     OF(most_multiplications),
     .help = "largest number of multiplications of a row of C"},
    {.key = "hash_bytes",
     .title = "Hash accumulator",
     .heading = "hash",
     .unit = "bytes",
     OF(hash_bytes),
     .help = "bytes of a thread's hash table with room for any row of C, sized by multiplications: 12 per "
             "slot, a power of two of slots (Nagasaka and others 2019)"},
    {.key = "fitted_bytes",
     .title = "Fitted hash accumulator",
     .unit = "bytes",
     OF(fitted_bytes),
     .help = "bytes of a hash table of which any row of C fills at most half"},
    {.key = "dense_bytes",
     .title = "Dense accumulator",
     .heading = "dense",
     .unit = "bytes",
     OF(dense_bytes),
     .help = "bytes of a thread's arrays with an element per column of C: 12 per column (Gustavson 1978)"},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = definitions, .part = &part_spgemm, .needs = SESSION_SPGEMM},
    {.columns = NULL},
};

COLUMN_TABLE(spgemm_columns, lists)
