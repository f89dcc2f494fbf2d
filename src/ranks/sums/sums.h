/* The analyses of a matrix distributed over ranks: those of a session, computed from the ranks' slabs, with
 * the same numbers as in one process, to the last bit. Rank 0 gets a session, from which reports are written
 * as from any other. Its matrix has no entries (struct skeleton), only the offsets of rows and columns. */
#ifndef SPARSIGHT_RANKS_SUMS_SUMS_H
#define SPARSIGHT_RANKS_SUMS_SUMS_H

#include <stdbool.h>

#include "analysis/forecast/excerpt.h"
#include "base/cost.h"
#include "base/error.h"
#include "matrix/skeleton.h"
#include "matrix/slab.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "report/report.h"
#include "session/session.h"

/* Rank 0 gathers the columns of a matrix with at most this number of entries and of rows. For larger matrices
 * it has an excerpt (analysis/forecast/excerpt.h). */
#define SUMS_GATHERED EXCERPT_LEFT

/* Maximum bytes of each rank in a round of an exchange. */
#define SUMS_ROUND ((size_t)1 << 24)

struct far_blocks;

/* The requested sums. */
struct sums_options {
    unsigned wants;   /* analyses beyond those that reports need: SESSION_PYRAMID */
    unsigned needs;   /* the parts of a session that the report needs (report_needs); 0: all */
    bool unforeseen;  /* no kernel is forecast */
    int64_t gathered; /* maximum entries, and rows, of a matrix whose columns rank 0 gathers */
    bool whole;       /* rank 0 gathers the columns of a larger matrix, too, if it has memory for them */
    int64_t admitted; /* maximum entries of an excerpt; 0: as in one process */
    bool spent; /* the values are not needed afterwards: they are freed after their analyses, which frees two
                   thirds of the share */
    size_t limit; /* bytes that rank 0 may hold; 0: the default of memory_check */
    /* For another order: rank 0's session of the natural order, to which this matrix is added as a case, and
     * its origin, which becomes the case's. NULL: a new session, in natural order. */
    struct session *session;
    struct reordering *reordering;
};

/* It must not be moved between sums_make and sums_free. */
struct sums {
    const struct ranks *ranks;
    const struct share *share;
    struct slab slab; /* this rank's rows */
    struct sums_options options;
    struct costs costs; /* of the analyses, on this rank */
    bool whole;         /* rank 0 gathers the columns of this matrix (options.whole) */
    bool few; /* each rank has few distinct values, so that kernels may store them as bytes: rank 0 gathers
                 them with the columns */
    struct session *session;   /* of rank 0; NULL on the others. sums_free frees a new one */
    struct matrix_case *shown; /* the matrix's case in it */
    /* Of rank 0. */
    struct csr csr;           /* of the whole matrix, and */
    struct skeleton skeleton; /* its other data; owned until the session takes them */
    int threads; /* rank 0's threads while all ranks count blocks; at other times it uses those of the other
                    ranks, too */
    /* On all ranks, for blocks that lie across cuts. */
    struct far_blocks *blocks;
};

/* Make the analyses that reports need, and the requested ones, of the matrix in *share. *share must outlive
 * them, and its description moves to the session. Fails as they do, with STATUS_LIMIT if rank 0 needs more
 * than the limit, the same on all ranks. Free with sums_free in any case. Memory of a rank beside its share:
 * a bit for each column and each diagonal; 4 bytes a vertex during the search for components; at most a
 * quarter of the share, or 24 MiB, for windows of columns; and a few rounds. Rank 0 also holds 8 bytes for
 * each row and each column, 4 bytes a block row during the choice of BSR's blocks, and the gathered columns
 * or the excerpt, of which each other rank temporarily holds its part. Collective. */
enum status sums_make(const struct ranks *ranks, struct share *share, const struct sums_options *options,
                      struct sums *sums, struct error *error);

/* Prepare the matrix's case of rank 0's session for a report (report_prepare_case); the other ranks count
 * blocks on its request. Afterwards the session shows the case. Collective; fails as report_prepare does, the
 * same on all ranks. */
enum status sums_prepare(struct sums *sums, const struct report_request *request, struct error *error);

/* Takes {0}. */
void sums_free(struct sums *sums);

#endif
