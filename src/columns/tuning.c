/* The columns of the results of tuning. */
#include "columns/lists.h"

static bool is_tuned(const struct subject *subject)
{
    return subject->result->tuned.space > 0;
}

const struct column_part part_tuning = {.key = "tuning", .title = "Tuning", .applies = is_tuned};

const void *owner_tuned(const struct subject *subject)
{
    return is_tuned(subject) ? &subject->result->tuned : NULL;
}

/* True if all variants were run, so that a search can be compared with them. */
static bool is_searched(const struct subject *subject)
{
    return subject->result->tuned.search_runs > 0;
}

#define OF(member) COLUMN_STORED(owner_tuned, struct tuned, member)

const struct column tuning_columns[] = {
    {.key = "tuning.space",
     .title = "Variants",
     OF(space),
     .help = "variants of the kernel among which tuning chose; null if it was not tuned"},
    {.key = "tuning.runs",
     .title = "Variants measured",
     OF(runs),
     .help = "variants that were measured, or forecast if none could be run"},
    {.key = "tuning.best",
     .title = "Best variant",
     .largest_first = true,
     OF(best),
     .help = "whether it is the fastest of these variants"},
    {.key = "tuning.forecast",
     .title = "Tuned by forecasts",
     OF(forecast),
     .help = "whether its variants were forecast instead of measured, since the kernel cannot run here"},
    {.key = "tuning.speedup",
     .title = "Gained by tuning",
     .unit = "T untuned / T",
     .largest_first = true,
     OF(speedup),
     .help = "time of the kernel with default parameters / time of this variant"},
    {.key = "tuning.search_runs",
     .title = "Runs of a search",
     OF(search_runs),
     .known = is_searched,
     .help = "variants that a search guided by forecasts would have run; null unless all were run"},
    {.key = "tuning.search_loss",
     .title = "Loss of a search",
     .unit = "of the best time",
     .role = COLUMN_SHARE,
     OF(search_loss),
     .known = is_searched,
     .help = "time of the best variant that this search would have found / best time of all - 1, from the "
             "measured times; null unless all were run"},
    {.key = NULL},
};
