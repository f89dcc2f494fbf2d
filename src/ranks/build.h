/* Building a matrix in parts: the builder (matrix/build.h) that readers hand their entries to when several
 * ranks read.
 *
 *     pass 1    each rank asks for its run of the source's blocks, and sends the row of each entry to the
 * rank that owns it for now, of equal runs of rows, which counts cut       the rows are cut into runs of
 * about equally many entries, and the counts go to their owners pass 2    each rank asks again, and sends the
 * entries to the owners of their rows, which place them
 *
 * What is sent goes in rounds of a bounded size (ranks/stage.h), so that beside its share of the CSR a rank
 * holds the buffers of a stage alone. Sorting, mirror images and duplicates are as in build_csr, with the
 * same result. */
#ifndef SPARSIGHT_RANKS_BUILD_H
#define SPARSIGHT_RANKS_BUILD_H

#include <stdbool.h>

#include "base/error.h"
#include "matrix/build.h"
#include "matrix/matrix.h"
#include "ranks/cut.h"
#include "ranks/ranks.h"

/* One rank's view of a matrix that is being read. Start with together_start; free with together_free. */
struct together {
    struct builder builder; /* for load_options; its self is this struct */
    const struct ranks *ranks;
    bool alone;     /* rank 0 alone reads, and asks for all blocks; the others call together_follow */
    bool met;       /* the others know that rank 0 is through with reading, if it reads alone */
    bool failed;    /* the ranks know already that one of them has failed */
    int64_t cols;   /* once the matrix is built */
    struct cut cut; /* which rank owns which rows, once the matrix is built */
};

void together_start(struct together *together, const struct ranks *ranks, bool alone);
void together_free(struct together *together);

/* Take part in building what rank 0 reads alone. Errors are those of builder.build. Collective. */
enum status together_follow(struct together *together, const struct load_options *options, struct csr *a,
                            struct summed *summed, struct build_result *result, struct error *error);

/* End reading: agree on how it went, whether a rank failed before it came to the builder, in it, or
 * afterwards. `status` and *error are what this rank's reader returned. All ranks return the first real error
 * in their order. Collective. */
enum status together_end(struct together *together, enum status status, struct error *error);

#endif
