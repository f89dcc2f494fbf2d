/* The columns of what a product over several processes takes of them. */
#include "columns/lists.h"

static bool is_over_ranks(const struct subject *subject)
{
    return subject->result->ranked.ranks > 0;
}

const struct column_part part_ranked = {.key = "ranks", .title = "Over ranks", .applies = is_over_ranks};

static struct value get_count(const struct column *column, const struct subject *subject)
{
    return is_over_ranks(subject) ? integer_value(subject->result->ranked.ranks) : null_value();
}

static struct value get_words(const struct column *column, const struct subject *subject)
{
    const char *words = (const char *)subject->result + column->offset;
    return text_value(is_over_ranks(subject) && words[0] ? words : NULL);
}

static double stored(const struct column *column, const struct subject *subject)
{
    return *(const double *)(const void *)((const char *)subject->result + column->offset);
}

static struct value get_us(const struct column *column, const struct subject *subject)
{
    return is_over_ranks(subject) ? real_value(1e6 * stored(column, subject)) : null_value();
}

static struct value get_real(const struct column *column, const struct subject *subject)
{
    return is_over_ranks(subject) ? real_value(stored(column, subject)) : null_value();
}

#define OF(field) offsetof(struct result, ranked.field)

const struct column ranked_columns[] = {
    {.key = "ranks.count",
     .title = "Ranks",
     .heading = "ranks",
     .type = VALUE_INTEGER,
     .get = get_count,
     .help = "processes that computed the product together; the object is null if one did by itself"},
    {.key = "ranks.partition",
     .title = "Partition",
     .type = VALUE_TEXT,
     .get = get_words,
     .offset = OF(partition),
     .help = "what cut the rows among them"},
    {.key = "ranks.link",
     .title = "Link",
     .type = VALUE_TEXT,
     .get = get_words,
     .offset = OF(link),
     .help =
         "what elements of x went through: mpi, from the host's memory, or nccl, from GPU to GPU; null if a "
         "library does as it likes"},
    {.key = "ranks.compute_us",
     .title = "Computing",
     .unit = "us",
     .heading = "compute",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_us,
     .offset = OF(compute_seconds),
     .help = "time of multiplying and adding up, of a product on the slowest rank"},
    {.key = "ranks.exchange_us",
     .title = "Exchanging",
     .unit = "us",
     .heading = "exchange",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_us,
     .offset = OF(exchange_seconds),
     .help = "its time of packing elements of x, and of starting to send and receive"},
    {.key = "ranks.wait_us",
     .title = "Waiting",
     .unit = "us",
     .heading = "wait",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_us,
     .offset = OF(wait_seconds),
     .help = "its time of waiting for elements of others, with nothing else left to compute"},
    {.key = "ranks.imbalance",
     .title = "Imbalance of computing",
     .unit = "of the mean",
     .heading = "imbal.",
     .type = VALUE_REAL,
     .get = get_real,
     .offset = OF(imbalance),
     .help = "the longest time of computing of a rank / the mean of all ranks; 1 is best"},
    {.key = NULL},
};
