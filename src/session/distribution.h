/* Communication and scaling for row partitions of a case's matrix: partitions with several numbers of parts,
 * the exchange of a product, and predicted scaling. */
#ifndef SPARSIGHT_SESSION_DISTRIBUTION_H
#define SPARSIGHT_SESSION_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/parts/crowd.h"
#include "analysis/parts/halo.h"
#include "analysis/parts/partition.h"
#include "analysis/parts/scaling.h"
#include "analysis/parts/sketch.h"
#include "base/error.h"
#include "base/job.h"
#include "formats/choice.h"
#include "matrix/matrix.h"

#define PART_COUNTS_MAX 32

/* The request. {0} requests nothing. The caller frees the list. */
struct distribution_request {
    int64_t parts[PART_COUNTS_MAX]; /* the numbers of parts; the first `count` */
    int count;
    struct partition_list partitions; /* empty: natural, entries, and those of the libraries of this build */
    bool keep;      /* keep the owners of each partition into the first number of parts, for pictures */
    bool networked; /* the user gave the network; else it is that of this machine (network_here) */
    bool measure;   /* the ranks measure it first, and keep it as `network.name`, or by default as this
                       machine's */
    struct network network;
    bool sketched; /* keep pictures of each partition, too */
};

/* Read "2,4,8", "2..64", which doubles, or both, into the request. STATUS_USAGE. */
enum status distribution_read_parts(const char *text, struct distribution_request *request,
                                    struct error *error);

/* A partition of the rows into this number of parts. */
struct distributed {
    const struct partitioner *partitioner;
    double numbers[PARAMETERS_MAX]; /* its parameters */
    char name[PARTITION_NAME];      /* with those that were given */
    char file[PARTITION_NAME];      /* the file of the partition; "" if there is none */
    int64_t parts;                  /* requested number, or that of the file */
    enum status status;             /* STATUS_OK: it was found */
    struct error refusal;           /* else the reason */
    struct halo halo;               /* without its messages; owned */
    struct partition partition;     /* the owners if they are kept, else {0}; owned */
    struct scaling scaling;         /* of a product in double precision; {0} if single_us is NaN */
    double measured_us;   /* of the same product over ranks, by this partition; 0: it was not timed */
    struct sketch sketch; /* {0} unless requested; owned */
};

/* The data of a division other than numbers. Owned; free with divided_free, which accepts {0}. */
struct divided {
    struct partition partition;
    struct halo_pair *pairs; /* the messages of its halo, which refers to them by number */
};

/* Partition the rows, and count the exchange between the parts. *divided becomes the partition and its
 * messages, unless it is NULL, and {0} on failure. Returns the new division->status; the reason of a failure
 * is in division->refusal. */
enum status distribution_divide(const struct matrix *matrix, const struct partition_choice *choice,
                                int64_t parts, size_t limit, struct progress *progress,
                                struct distributed *division, struct divided *divided);
void divided_free(struct divided *divided);

/* All requested divisions, by partitioner and then by parts. Owned; free with distribution_free. */
struct distribution {
    struct distributed *items;
    int count;
    struct network network;
    bool networked;           /* the user gave the network, or it was measured; else it is assumed */
    struct crowd crowd;       /* of the product of one process, for nodes of several ranks; {0}: unknown */
    double single_us;         /* a product of one process; NaN if unknown */
    bool measured;            /* that time; else forecast */
    char kernel[CHOICE_NAME]; /* the kernel of this time */
};

/* Find partitions, and count their exchange. If a partition is unavailable, does not get the memory that it
 * needs or does not suit this matrix, this is not a failure: its status gives the reason. Owners are not kept
 * if there is no memory for them. Otherwise fails as partition_find does. */
enum status distribution_make(const struct matrix *matrix, const struct distribution_request *request,
                              size_t limit, struct progress *progress, struct distribution *distribution,
                              struct error *error);

/* The steps of distribution_make, for a matrix whose rows several processes have: src/ranks/parts.
 * distribution_usual appends the default partitions: all that need no file and are in this build; the caller
 * frees the list. distribution_start allocates the divisions of a list, none of them computed;
 * distribution_counts returns the number of divisions of a choice, and distribution_name writes the name of
 * one. distribution_goes_on is true if a division's status is not a failure of the whole: it was refused, or
 * memory was short, as when the system kills the process of a library. STATUS_MEMORY. */
enum status distribution_usual(struct partition_list *list, struct error *error);
enum status distribution_start(const struct distribution_request *request, const struct partition_list *list,
                               struct distribution *distribution, struct error *error);
int distribution_counts(const struct distribution_request *request, const struct partition_choice *choice);
void distribution_name(const struct partition_choice *choice, int64_t parts, struct distributed *division);
bool distribution_goes_on(enum status status);

/* Predict the scaling of a product that takes one process `single_us` with this kernel. For one column of the
 * matrix it exchanges `bytes` bytes: a value in each vector. On nodes of several ranks these slow each other
 * down as `crowd` says; NULL: they do not. The crowd's profile must outlive the distribution. */
void distribution_predict(struct distribution *distribution, double single_us, bool measured,
                          const char *kernel, size_t bytes, const struct crowd *crowd);

/* Note the times that `ranks` ranks measured for a kernel by a partition of this name: measured_us of the
 * division into as many parts. */
void distribution_compare(struct distribution *distribution, int ranks, const char *partition,
                          double seconds);

/* The index of the division with the fastest product, among those of item k's partitioner and name; -1
 * without predictions. */
int distribution_best(const struct distribution *distribution, int k);

/* The index of the division with the fastest product of all; -1 without predictions. */
int distribution_fastest(const struct distribution *distribution);

/* The smallest number of parts for which the exchange takes longer than the computation, among those of item
 * k's partitioner and name; 0: none. */
int64_t distribution_crossing(const struct distribution *distribution, int k);

/* Count the messages within the nodes of this network, if it has nodes, of a division and its messages. */
void distribution_nodes(const struct network *network, struct distributed *division,
                        const struct divided *divided);

/* Predict all divisions again for another network, from the same time of one process, and of elements as long
 * as before: the predicted times have their length, which depends on the product. A division of a saved
 * report needs the numbers of each part, which the report carries if it has room for them; without them its
 * scaling becomes {0}. Without the number of remote entries of each part, the time with overlap becomes NaN.
 */
void distribution_predict_again(struct distribution *distribution, const struct network *network);

void distribution_free(struct distribution *distribution);

#endif
