/* The columns of the phases of a product over several processes. */
#include "columns/lists.h"

static bool is_over_ranks(const struct subject *subject)
{
    return subject->result->ranked.ranks > 0;
}

const struct column_part part_ranked = {.key = "ranks", .title = "Over ranks", .applies = is_over_ranks};

const void *owner_ranked(const struct subject *subject)
{
    return is_over_ranks(subject) ? &subject->result->ranked : NULL;
}

#define OF(member) COLUMN_STORED(owner_ranked, struct ranked, member)
#define SECONDS(member) COLUMN_SECONDS(owner_ranked, struct ranked, member)

const struct column ranked_columns[] = {
    {.key = "ranks.count",
     .title = "Ranks",
     .heading = "ranks",
     OF(ranks),
     .help = "processes that computed the product together; the object is null for a single process"},
    {.key = "ranks.partition",
     .title = "Partition",
     OF(partition),
     .help = "the partition of the rows among them"},
    {.key = "ranks.params",
     .title = "Parameters by rank",
     OF(params),
     .help =
         "parameters for which ranks have chosen different values by rule, with the least and the largest "
         "value, such as k=3..12; params lacks them. Null if all ranks have the same parameters"},
    {.key = "ranks.link",
     .title = "Link",
     OF(link),
     .help = "the path of the exchanged elements of x: mpi, from the host's memory, or nccl, from GPU to "
             "GPU; null if a library decides"},
    {.key = "ranks.compute_us",
     .title = "Computing",
     .heading = "compute",
     SECONDS(compute_seconds),
     .help = "computing time of a product on the slowest rank"},
    {.key = "ranks.exchange_us",
     .title = "Exchanging",
     .heading = "exchange",
     SECONDS(exchange_seconds),
     .help = "its time to pack elements of x, and to start sending and receiving"},
    {.key = "ranks.wait_us",
     .title = "Waiting",
     .heading = "wait",
     SECONDS(wait_seconds),
     .help = "its time of waiting for elements of other ranks, with nothing left to compute"},
    {.key = "ranks.imbalance",
     .title = "Imbalance of computing",
     .unit = "of the mean",
     .heading = "imbal.",
     OF(imbalance),
     .help = "the longest computing time of a rank / the mean of all ranks; 1 is best"},
    {.key = NULL},
};
