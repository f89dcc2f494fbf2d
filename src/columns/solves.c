/* The columns of triangular solves: levels and colours. */
#include "base/range.h"
#include "columns/lists.h"

const struct column_part part_lower_triangle = {.key = "lower_triangle", .title = "Solve, lower triangle"};
const struct column_part part_upper_triangle = {.key = "upper_triangle", .title = "Solve, upper triangle"};
const struct column_part part_colours = {.key = "colours", .title = "Colours"};

const void *owner_lower(const struct subject *subject)
{
    return &subject->matrix_case->solves.lower;
}

const void *owner_upper(const struct subject *subject)
{
    return &subject->matrix_case->solves.upper;
}

/* The mean is null if there are no rows, and so no levels. */
static struct value get_mean(const struct column *column, const struct subject *subject)
{
    const struct level_sets *sets = column->owner(subject);
    if (!subject_is_square(subject)) return null_value();
    return real_value(share_of((double)subject->matrix_case->matrix.csr.rows, (double)sets->count));
}

#define OF_LEVELS(member) COLUMN_STORED(owner_lower, struct level_sets, member), .known = subject_is_square

/* These exist for both triangles. */
const struct column level_columns[] = {
    {.key = "@.entries",
     .title = "Entries",
     .unit = "entries",
     OF_LEVELS(entries),
     .help = "entries of the @, without the diagonal; ILU(0) has the same pattern"},
    {.key = "@.levels",
     .title = "Levels",
     .unit = "steps",
     OF_LEVELS(count),
     .help = "dependent steps of a solve with the @. The level of a row is 0 if it needs no other row, else "
             "1 + the largest level of the rows that it needs"},
    {.key = "@.mean_level",
     .title = "Mean level",
     .unit = "rows",
     .type = VALUE_REAL,
     .get = get_mean,
     .owner = owner_lower,
     .help = "rows / levels: the rows that a step solves on average"},
    {.key = "@.median_level",
     .title = "Median level",
     .unit = "rows",
     OF_LEVELS(median),
     .help = "half of the rows or more are in levels of at least this many rows; the largest such number"},
    {.key = "@.largest_level",
     .title = "Largest level",
     .unit = "rows",
     OF_LEVELS(widest),
     .help = "number of rows of the largest level"},
    {.key = NULL},
};

const struct column_instance triangle_instances[] = {{.key = "lower_triangle",
                                                      .words = "lower triangle",
                                                      .part = &part_lower_triangle,
                                                      .needs = SESSION_SOLVES,
                                                      .owner = owner_lower},
                                                     {.key = "upper_triangle",
                                                      .words = "upper triangle",
                                                      .part = &part_upper_triangle,
                                                      .needs = SESSION_SOLVES,
                                                      .owner = owner_upper},
                                                     {.key = NULL}};

#define OF(member) COLUMN_STORED(owner_case, struct matrix_case, solves.member), .known = subject_is_square

const struct column colour_columns[] = {
    {.key = "colours.count",
     .title = "Colours",
     OF(natural.count),
     .help = "colours of the graph of A + A^T, if each row in turn takes the first colour that no coupled "
             "earlier row has. A multicolour smoother takes a dependent step for each"},
    {.key = "colours.largest",
     .title = "Largest colour",
     .unit = "rows",
     OF(natural.largest),
     .help = "number of rows of the largest of these colours"},
    {.key = "colours.smallest",
     .title = "Smallest colour",
     .unit = "rows",
     OF(natural.smallest),
     .help = "number of rows of the smallest of these colours"},
    {.key = "colours.by_degree",
     .title = "Colours by degree",
     OF(degree.count),
     .help = "colours if rows choose by descending degree (Welsh and Powell)"},
    {.key = "colours.at_random",
     .title = "Colours at random",
     OF(random.count),
     .help = "colours if rows choose in random order, seed 1 (Jones and Plassmann)"},
    {.key = "colours.rounds",
     .title = "Rounds at random",
     .unit = "steps",
     OF(random.rounds),
     .help = "dependent steps of choosing the colours at random in parallel"},
    {.key = NULL},
};
