/* The columns of what tuning says of a kernel's variants. */
#include "columns/lists.h"

static bool is_tuned(const struct subject *subject)
{
    return subject->result->tuned.space > 0;
}

const struct column_part part_tuning = {.key = "tuning", .title = "Tuning", .applies = is_tuned};

static struct value get_space(const struct column *column, const struct subject *subject)
{
    return is_tuned(subject) ? integer_value(subject->result->tuned.space) : null_value();
}

static struct value get_runs(const struct column *column, const struct subject *subject)
{
    return is_tuned(subject) ? integer_value(subject->result->tuned.runs) : null_value();
}

static struct value get_best(const struct column *column, const struct subject *subject)
{
    return is_tuned(subject) ? boolean_value(subject->result->tuned.best) : null_value();
}

static struct value get_forecast(const struct column *column, const struct subject *subject)
{
    return is_tuned(subject) ? boolean_value(subject->result->tuned.forecast) : null_value();
}

static struct value get_speedup(const struct column *column, const struct subject *subject)
{
    return is_tuned(subject) ? real_value(subject->result->tuned.speedup) : null_value();
}

static struct value get_search_runs(const struct column *column, const struct subject *subject)
{
    const struct tuned *tuned = &subject->result->tuned;
    return is_tuned(subject) && tuned->search_runs > 0 ? integer_value(tuned->search_runs) : null_value();
}

static struct value get_search_loss(const struct column *column, const struct subject *subject)
{
    const struct tuned *tuned = &subject->result->tuned;
    return is_tuned(subject) && tuned->search_runs > 0 ? real_value(tuned->search_loss) : null_value();
}

const struct column tuning_columns[] = {
    {.key = "tuning.space",
     .title = "Variants",
     .type = VALUE_INTEGER,
     .get = get_space,
     .help = "variants of the kernel that tuning chose among; null if it was not tuned"},
    {.key = "tuning.runs",
     .title = "Variants measured",
     .type = VALUE_INTEGER,
     .get = get_runs,
     .help = "so many of the variants were measured, or forecast if none could be run"},
    {.key = "tuning.best",
     .title = "Best variant",
     .largest_first = true,
     .type = VALUE_BOOLEAN,
     .get = get_best,
     .help = "it is the fastest of these"},
    {.key = "tuning.forecast",
     .title = "Tuned by forecasts",
     .type = VALUE_BOOLEAN,
     .get = get_forecast,
     .help = "the kernel cannot run here, and its variants were forecast, not measured"},
    {.key = "tuning.speedup",
     .title = "Gained by tuning",
     .unit = "T untuned / T",
     .largest_first = true,
     .type = VALUE_REAL,
     .get = get_speedup,
     .help = "time of the kernel with its own choice of parameters / time of this variant"},
    {.key = "tuning.search_runs",
     .title = "Runs of a search",
     .type = VALUE_INTEGER,
     .get = get_search_runs,
     .help = "variants that a search led by the forecast would have run; null unless all were run"},
    {.key = "tuning.search_loss",
     .title = "Loss of a search",
     .unit = "of the best time",
     .role = COLUMN_SHARE,
     .type = VALUE_REAL,
     .get = get_search_loss,
     .help =
         "time of the best variant that this search would have found / best time of all - 1, by the times "
         "that were measured here; null unless all were run"},
    {.key = NULL},
};
