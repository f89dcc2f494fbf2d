/* Building a distributed matrix: the builder (matrix/build.h) that receives the readers' entries when several
 * ranks read.
 *
 *     pass 1    each rank reads its run of the source's blocks, and sends the row of each entry to the rank
 *               that owns it for now, of equal runs of rows, and counts it
 *     cut       the rows are cut into runs of about equally many entries, and the counts go to their owners
 *     pass 2    each rank reads again, and sends the entries to the owners of their rows, which place them
 *
 * Entries are sent in rounds of a bounded size (ranks/stage.h), so that a rank needs only the buffers of a
 * stage beside its share of the CSR. Sorting, mirror images and duplicates are as in build_csr, with the same
 * result. */
#ifndef SPARSIGHT_RANKS_BUILD_H
#define SPARSIGHT_RANKS_BUILD_H

#include <stdbool.h>

#include "base/error.h"
#include "matrix/build.h"
#include "matrix/matrix.h"
#include "ranks/cut.h"
#include "ranks/ranks.h"

/* One rank's state while a matrix is read. Start with together_start; free with together_free. */
struct together {
    struct builder builder; /* for load_options; its self is this struct */
    const struct ranks *ranks;
    bool alone;     /* only rank 0 reads, all blocks; the others call together_follow */
    bool met;       /* if rank 0 reads alone: the others know that it has finished reading */
    bool failed;    /* all ranks already know that one of them has failed */
    int64_t cols;   /* once the matrix is built */
    struct cut cut; /* the owners of the rows, once the matrix is built */
};

void together_start(struct together *together, const struct ranks *ranks, bool alone);
void together_free(struct together *together);

/* Take part in building a matrix that only rank 0 reads. Errors are those of builder.build. Collective. */
enum status together_follow(struct together *together, const struct load_options *options, struct csr *a,
                            struct summed *summed, struct build_result *result, struct error *error);

/* End reading: agree on its outcome, even if a rank failed before the builder, in it, or afterwards. `status`
 * and *error are the results of this rank's reader. All ranks return the first real error in their order.
 * Collective. */
enum status together_end(struct together *together, enum status status, struct error *error);

#endif
