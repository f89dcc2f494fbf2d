/* Products by PETSc's MatMult, on the same rows and the same vectors. */
#include <stdlib.h>

#include "base/job.h"
#include "base/memory.h"
#include "ranks/product/joint.h"
#include "ranks/product/petsc.h"

/* PETSc's objects of a joint. */
struct petsc_state {
    const struct petsc *calls;
    void *mat, *x, *y;
};

static enum status outcome(const char *what, int code, struct error *error)
{
    if (code == 0) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "PETSc fails at %s: error %d", what, code);
}

/* Its offsets have 32 bits. */
static int *narrow_offsets(const struct csr *own, struct error *error)
{
    if (csr_nnz(own) > INT32_MAX) {
        error_set(error, STATUS_UNAVAILABLE,
                  "PETSc is called with 32-bit integers, and this rank has more than 2^31 - 1 entries: take "
                  "more ranks");
        return NULL;
    }
    int *row_ptr = memory_array((size_t)own->rows + 1, sizeof *row_ptr, error);
    for (int64_t i = 0; row_ptr && i <= own->rows; i++)
        row_ptr[i] = (int)own->row_ptr[i];
    return row_ptr;
}

static enum status create(struct joint *joint, struct petsc_state *state, const int *row_ptr,
                          struct error *error)
{
    const struct share *share = joint->split->share;
    const struct operands *vectors = joint->vectors;
    const MPI_Comm all = joint->split->ranks->all;
    int rows = (int)share->own.rows, cols = (int)split_own(joint->split);
    double start = clock_seconds();
    enum status status =
        outcome("MatCreateMPIAIJWithArrays",
                state->calls->mat_create(all, rows, cols, (int)share->rows, (int)share->cols, row_ptr,
                                         share->own.col, share->own.val, &state->mat),
                error);
    joint->convert_seconds = clock_seconds() - start;
    if (status == STATUS_OK)
        status =
            outcome("VecCreateMPIWithArray",
                    state->calls->vec_create(all, 1, cols, (int)share->cols, vectors->x, &state->x), error);
    if (status == STATUS_OK)
        status =
            outcome("VecCreateMPIWithArray",
                    state->calls->vec_create(all, 1, rows, (int)share->rows, vectors->y, &state->y), error);
    return status;
}

static enum status prepare(struct joint *joint, struct error *error)
{
    const struct ranks *ranks = joint->split->ranks;
    struct petsc_state *state = memory_zeroed(1, sizeof *state, error);
    joint->state = state;
    if (joint->vectors->precision == PRECISION_F32)
        return error_set(error, STATUS_UNAVAILABLE, "PETSc is built for numbers of 64 bits");
    enum status status = ranks_agree(ranks, state ? STATUS_OK : STATUS_MEMORY, error);
    if (status != STATUS_OK) return status;
    state->calls = petsc_load(ranks, error);
    if (!state->calls) return STATUS_UNAVAILABLE;
    int *row_ptr = narrow_offsets(&joint->split->share->own, error);
    status = ranks_agree(ranks, row_ptr ? STATUS_OK : error->status, error);
    if (status == STATUS_OK) status = create(joint, state, row_ptr, error);
    free(row_ptr);
    return status;
}

static enum status run(struct joint *joint, int products, struct phases *phases, struct error *error)
{
    struct petsc_state *state = joint->state;
    bool accumulate = joint->vectors->product.accumulate;
    double start = clock_seconds();
    int code = 0;
    for (int p = 0; p < products && code == 0; p++)
        code = accumulate ? state->calls->mult_add(state->mat, state->x, state->y, state->y)
                          : state->calls->mult(state->mat, state->x, state->y);
    if (phases) phases->compute += clock_seconds() - start; /* PETSc does not report its share of waiting */
    return outcome("MatMult", code, error);
}

static void release(struct joint *joint)
{
    struct petsc_state *state = joint->state;
    if (state && state->calls) {
        if (state->mat) state->calls->mat_destroy(&state->mat);
        if (state->x) state->calls->vec_destroy(&state->x);
        if (state->y) state->calls->vec_destroy(&state->y);
    }
    free(state);
    joint->state = NULL;
}

const struct joint_way joint_by_petsc = {.prepare = prepare, .run = run, .release = release};
