/* What is known of a matrix that ranks hold together: the analyses of a session, each made of the ranks'
 * slabs, with the numbers that one process finds in the whole, to the last bit. Rank 0 has a session of it in
 * the end, of which reports are written as of any other; its matrix has no entries (struct skeleton), but
 * where rows and columns begin. */
#ifndef SPARSIGHT_RANKS_SUMS_SUMS_H
#define SPARSIGHT_RANKS_SUMS_SUMS_H

#include <stdbool.h>

#include "analysis/forecast/excerpt.h"
#include "base/error.h"
#include "matrix/skeleton.h"
#include "matrix/slab.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "report/report.h"
#include "session/session.h"

/* Rank 0 gathers the columns of a matrix of at most so many entries and rows; of larger ones it has an
 * excerpt of as many entries (analysis/forecast/excerpt.h). */
#define SUMS_GATHERED EXCERPT_LEFT

/* A round of what ranks exchange takes so many bytes of each rank, at most. */
#define SUMS_ROUND ((size_t)1 << 24)

struct far_blocks;

/* What is asked for. */
struct sums_options {
    unsigned wants;   /* analyses beside those that reports need: SESSION_PYRAMID */
    int64_t gathered; /* the most entries, and rows, of a matrix whose columns rank 0 gathers */
    int64_t admitted; /* the most entries of an excerpt; 0: EXCERPT_ENTRIES */
    bool spent;       /* nobody needs the values afterwards: they are freed as soon as they were looked at,
                         which is two thirds of the share */
    size_t limit;     /* bytes that rank 0 may hold; 0: what memory_check takes */
};

/* It must not be moved between sums_make and sums_free. */
struct sums {
    const struct ranks *ranks;
    const struct share *share;
    struct slab slab; /* this rank's rows */
    struct sums_options options;
    bool few; /* few values differ on each rank, so that kernels may be told them by bytes: rank 0 gathers
                 them with the columns */
    struct session *session; /* of rank 0; NULL on the others */
    /* Of rank 0. */
    struct csr csr;           /* of the whole matrix, and */
    struct skeleton skeleton; /* what else is known of it; owned until the session has them */
    int threads; /* with which it counts blocks together with the others; at other times it has theirs, too */
    /* Of all ranks, for blocks that lie across cuts. */
    struct far_blocks *blocks;
};

/* Make the analyses that reports need, and those that are asked for, of the matrix in *share, which must stay
 * and whose description becomes the session's. Fails as they do, with STATUS_LIMIT if what rank 0 has to hold
 * is more than the limit, the same on all ranks. Free with sums_free in any case. Memory of a rank beside its
 * share: a bit a column, and one a diagonal; 4 bytes a vertex while components are sought; at most a quarter
 * of the share, or 24 MiB, for windows of columns; and a few rounds. Rank 0 holds 8 bytes a row and a column,
 * and while blocks of BSR are weighed 4 bytes a block row; and the gathered
 * columns, or the excerpt, of which other ranks have their part meanwhile. Collective. */
enum status sums_make(const struct ranks *ranks, struct share *share, const struct sums_options *options,
                      struct sums *sums, struct error *error);

/* Get rank 0's session ready for a report (report_prepare), for which the other ranks count blocks when asked
 * to. Collective; fails as report_prepare does, the same on all ranks. */
enum status sums_prepare(struct sums *sums, const struct report_request *request, struct error *error);

/* Takes {0}. */
void sums_free(struct sums *sums);

#endif
