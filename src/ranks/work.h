/* Shared by the steps of building a distributed matrix. Only build.c, work.c and judge.c of src/ranks use
 * this. */
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

/* One pass over the blocks of all ranks; with `release` they are not needed again. Each entry goes to the
 * owner of its row; in the last pass, an entry above the diagonal goes to the owner of its mirror image's
 * row. Afterwards w->stored is the number of entries in this rank's blocks. The reported fault is the first
 * in the order of the file, even if another rank meets a later one sooner: the ranks before the first failed
 * one check the rest of their blocks. Errors are those of the builder. Collective. */
enum status work_pass(struct work *w, enum pass pass, bool release, struct error *error);

/* Agree on the outcome of a step. A rank that did not fail itself gets STATUS_CANCELLED. Collective. */
enum status work_learn(struct work *w, enum status status, struct error *error);

/* For a symmetric source that gave entries on both sides of the diagonal, after pass 2, when rows are sorted:
 * find the duplicates that are mirror images of each other (matrix/mirrors.h), and fill in w->mirrors with
 * those in this rank's rows. STATUS_INPUT for the first invalid one. Rank 0 reports it, since it knows the
 * lines of any source. Collective. */
enum status work_judge_mirrors(struct work *w, const struct source *own, struct error *error);

#endif
