/* What the steps of building a matrix in parts have in common. Only build.c, work.c and judge.c of src/ranks
 * use this. */
#ifndef SPARSIGHT_RANKS_WORK_H
#define SPARSIGHT_RANKS_WORK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/batch.h"
#include "matrix/build.h"
#include "matrix/csr.h"
#include "matrix/mirrors.h"
#include "ranks/build.h"
#include "ranks/cut.h"
#include "ranks/stage.h"

struct work {
    struct together *together;
    const struct ranks *ranks;
    const struct source *source;
    enum pass pass;
    int64_t first_block, last_block;
    const struct cut *cut; /* in this pass */
    int64_t first;         /* the first row of this rank by that cut */
    struct cut even;       /* equal runs of rows, for the first pass */
    struct csr a;          /* row_ptr is changed in the passes as in build_csr */
    struct mirrors mirrors;
    struct stage stage;
    atomic_uint orientations;
    _Atomic int64_t stored;
};

/* One pass over the blocks of all ranks; with `release` they are not asked for again. Each entry goes to the
 * owner of its row, or of that of its mirror image below the diagonal in the last pass. Afterwards w->stored
 * is the number of entries that this rank's blocks have. A source fails at its first fault in the order of
 * the file, also if another rank comes to one before: so ranks look at what they have not looked at yet, up
 * to the first that failed. Errors are those of the builder. Collective. */
enum status work_pass(struct work *w, enum pass pass, bool release, struct error *error);

/* Agree on how a step went. A rank that did not fail itself gets STATUS_CANCELLED. Collective. */
enum status work_learn(struct work *w, enum status status, struct error *error);

/* For a symmetric source that gave entries on both sides of the diagonal, after pass 2, when rows are sorted:
 * find out which duplicates are mirror images of each other (matrix/mirrors.h), and fill in w->mirrors with
 * those in this rank's rows. STATUS_INPUT for the first that must not be, told by rank 0, which knows the
 * lines of any source. Collective. */
enum status work_judge_mirrors(struct work *w, const struct source *own, struct error *error);

#endif
