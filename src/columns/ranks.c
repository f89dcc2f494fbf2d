/* The columns of a matrix's distribution over the ranks of an MPI program. */
#include "columns/columns.h"

static bool is_spread(const struct subject *subject)
{
    return subject->matrix_case->spread.ranks > 0;
}

static const void *owner_spread(const struct subject *subject)
{
    return is_spread(subject) ? &subject->matrix_case->spread : NULL;
}

const struct column_part part_ranks = {.key = "ranks", .title = "Ranks", .applies = is_spread};

#define OF(member) COLUMN_STORED(owner_spread, struct spread, member)

static const struct column definitions[] = {
    {.key = "count",
     .title = "Ranks",
     OF(ranks),
     .help = "processes of an MPI program that hold the matrix, each a contiguous range of rows"},
    {.key = "least_rows",
     .title = "Fewest rows of a rank",
     .unit = "rows",
     OF(rows_least),
     .help = "smallest number of rows of a rank"},
    {.key = "most_rows",
     .title = "Most rows of a rank",
     .unit = "rows",
     OF(rows_most),
     .help = "largest number of rows of a rank"},
    {.key = "least_entries",
     .title = "Fewest entries of a rank",
     .unit = "entries",
     OF(entries_least),
     .help = "smallest number of entries of a rank"},
    {.key = "most_entries",
     .title = "Most entries of a rank",
     .unit = "entries",
     OF(entries_most),
     .help = "largest number of entries of a rank"},
    {.key = "most_memory",
     .title = "Most memory of a rank",
     .unit = "bytes",
     OF(memory),
     .help = "peak memory of a rank until the end of the analyses, largest over ranks"},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = definitions, .part = &part_ranks},
    {.columns = NULL},
};

COLUMN_TABLE(rank_columns, lists)
