/* The columns of what a product over several processes takes of them. */
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
     .help = "processes that computed the product together; the object is null if one did by itself"},
    {.key = "ranks.partition", .title = "Partition", OF(partition), .help = "what cut the rows among them"},
    {.key = "ranks.link",
     .title = "Link",
     OF(link),
     .help =
         "what elements of x went through: mpi, from the host's memory, or nccl, from GPU to GPU; null if a "
         "library does as it likes"},
    {.key = "ranks.compute_us",
     .title = "Computing",
     .heading = "compute",
     SECONDS(compute_seconds),
     .help = "time of multiplying and adding up, of a product on the slowest rank"},
    {.key = "ranks.exchange_us",
     .title = "Exchanging",
     .heading = "exchange",
     SECONDS(exchange_seconds),
     .help = "its time of packing elements of x, and of starting to send and receive"},
    {.key = "ranks.wait_us",
     .title = "Waiting",
     .heading = "wait",
     SECONDS(wait_seconds),
     .help = "its time of waiting for elements of others, with nothing else left to compute"},
    {.key = "ranks.imbalance",
     .title = "Imbalance of computing",
     .unit = "of the mean",
     .heading = "imbal.",
     OF(imbalance),
     .help = "the longest time of computing of a rank / the mean of all ranks; 1 is best"},
    {.key = NULL},
};
