/* The columns of a row of the report's list `costs`: the time that the program took for a part of the
 * report. */
#include "columns/columns.h"

const struct column_part part_costs = {.key = "", .title = "Time of this report"};

static const void *owner_cost(const struct subject *subject)
{
    return subject->cost;
}

static struct value get_name(const struct column *column, const struct subject *subject)
{
    return text_value(subject->cost->name);
}

static const struct column definitions[] = {
    {.key = "part",
     .title = "Part",
     .type = VALUE_TEXT,
     .get = get_name,
     .help = "the part of the report: reading, an analysis, timed kernels, forecasts"},
    {.key = "cpu_us",
     .title = "Processor time",
     .heading = "CPU",
     COLUMN_SECONDS(owner_cost, struct cost, cpu),
     .help = "processor time of all threads of the program and of its children during this part; over ranks "
             "that of the slowest"},
    {.key = "wall_us",
     .title = "Elapsed time",
     .heading = "elapsed",
     COLUMN_SECONDS(owner_cost, struct cost, wall),
     .help = "elapsed time; over ranks that of the slowest"},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = definitions, .part = &part_costs},
    {.columns = NULL},
};

COLUMN_TABLE(cost_columns, lists)
