/* What a case's matrix gives when it is spread over several processes: partitions of its rows, each with
 * several numbers of parts, what a product then exchanges, and how it would scale. */
#ifndef SPARSIGHT_SESSION_DISTRIBUTION_H
#define SPARSIGHT_SESSION_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/parts/halo.h"
#include "analysis/parts/partition.h"
#include "analysis/parts/scaling.h"
#include "analysis/parts/sketch.h"
#include "base/error.h"
#include "base/job.h"
#include "formats/choice.h"
#include "matrix/matrix.h"

#define PART_COUNTS_MAX 32

/* What is asked for. {0} asks for nothing. The caller frees the list. */
struct distribution_request {
    int64_t parts[PART_COUNTS_MAX]; /* the numbers of parts; the first `count` */
    int count;
    struct partition_list partitions; /* empty: natural, entries, and what libraries of this build offer */
    bool keep;      /* the owners of each partition into the first number of parts are kept, to be drawn */
    bool networked; /* the network was given; else it is assumed */
    struct network network;
    bool sketched; /* what each partition looks like is kept, too */
};

/* Read "2,4,8", "2..64", which doubles, or both, into the request. STATUS_USAGE. */
enum status distribution_read_parts(const char *text, struct distribution_request *request,
                                    struct error *error);

/* A partition of the rows into so many parts. */
struct distributed {
    const struct partitioner *partitioner;
    double numbers[PARAMETERS_MAX]; /* its parameters */
    char name[PARTITION_NAME];      /* with those that were given */
    char file[PARTITION_NAME];      /* that it was read from; "" if it was not */
    int64_t parts;                  /* that were asked for, or what the file has */
    enum status status;             /* STATUS_OK: it was found */
    struct error refusal;           /* else why not */
    struct halo halo;               /* without its messages; owned */
    struct partition partition;     /* the owners, if they were kept; else {0}; owned */
    struct scaling scaling;         /* of a product in double precision; {0} if single_us is NaN */
    struct sketch sketch;           /* {0} unless it was asked for; owned */
};

/* What there is of a division beside its numbers. Owned; free with divided_free, which takes {0}. */
struct divided {
    struct partition partition;
    struct halo_pair *pairs; /* the messages of its halo, which refers to them by number */
};

/* Divide the rows, and count what the parts exchange. *divided becomes the partition and its messages, unless
 * it is NULL, and {0} on failure. Returns what division->status becomes; why it failed is in
 * division->refusal. */
enum status distribution_divide(const struct matrix *matrix, const struct partition_choice *choice,
                                int64_t parts, size_t limit, struct progress *progress,
                                struct distributed *division, struct divided *divided);
void divided_free(struct divided *divided);

/* All that were asked for, by partitioner and then by parts. Owned; free with distribution_free. */
struct distribution {
    struct distributed *items;
    int count;
    struct network network;
    bool networked;           /* that was given, else it is assumed */
    double single_us;         /* a product of one process; NaN if nothing is known of it */
    bool measured;            /* that time; else forecast */
    char kernel[CHOICE_NAME]; /* what takes it */
};

/* Find partitions, and count what they exchange. That a partition is not there, takes too much memory or does
 * not take this matrix is no failure: it says why. Owners that there is no memory for are not kept. Fails as
 * partition_find does else. */
enum status distribution_make(const struct matrix *matrix, const struct distribution_request *request,
                              size_t limit, struct progress *progress, struct distribution *distribution,
                              struct error *error);

/* The steps of distribution_make, for a matrix whose rows several processes have: src/ranks/parts.
 * distribution_usual appends what is asked for if no partition is named: all that need no file and are in
 * this build; the caller frees the list. distribution_start takes the memory for the divisions of a list,
 * none of which is there yet; distribution_counts returns how many of them a choice has, and
 * distribution_name writes which of them one is. distribution_goes_on is true if what a division's status
 * says is no failure of all. STATUS_MEMORY. */
enum status distribution_usual(struct partition_list *list, struct error *error);
enum status distribution_start(const struct distribution_request *request, const struct partition_list *list,
                               struct distribution *distribution, struct error *error);
int distribution_counts(const struct distribution_request *request, const struct partition_choice *choice);
void distribution_name(const struct partition_choice *choice, int64_t parts, struct distributed *division);
bool distribution_goes_on(enum status status);

/* Predict how a product scales that one process does in `single_us` by this kernel. What it exchanges for one
 * column of the matrix has `bytes` bytes: a value in each vector. */
void distribution_predict(struct distribution *distribution, double single_us, bool measured,
                          const char *kernel, size_t bytes);

/* The division of this partitioner, among those whose name is that of item k, whose product takes least; -1
 * if nothing is predicted. */
int distribution_best(const struct distribution *distribution, int k);

void distribution_free(struct distribution *distribution);

#endif
