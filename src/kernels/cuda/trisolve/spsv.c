/* The matrices of cuSPARSE's triangular solves. */
#include "kernels/cuda/trisolve/spsv.h"

#include <stdlib.h>

#include "base/memory.h"
#include "kernels/backend.h"
#include "kernels/cuda/code.h"

static int32_t append(struct spsv_csr *csr, int32_t at, int32_t col, double val)
{
    csr->col[at] = col;
    csr->val[at] = val;
    return at + 1;
}

/* Make the rows of a triangle in the host's memory, with the diagonal if `diagonal`. */
static enum status assemble(const struct trisolve_parts *parts, enum triangle t, bool diagonal,
                            struct spsv_csr *csr, struct error *error)
{
    const struct trisolve_triangle *triangle = &parts->triangle[t];
    csr->entries = triangle->row_ptr[parts->rows] + (diagonal ? parts->rows : 0);
    if (csr->entries > INT32_MAX)
        return error_set(error, STATUS_UNAVAILABLE, "cuSPARSE is asked with 32-bit offsets only");
    csr->row_ptr = memory_array((size_t)parts->rows + 1, sizeof *csr->row_ptr, error);
    csr->col = memory_array((size_t)csr->entries, sizeof *csr->col, error);
    csr->val = memory_array((size_t)csr->entries, sizeof *csr->val, error);
    if (!csr->row_ptr || !csr->col || !csr->val) return STATUS_MEMORY;
    int32_t at = 0;
    for (int64_t i = 0; i < parts->rows; i++) {
        csr->row_ptr[i] = at;
        if (diagonal && t == TRIANGLE_UPPER) at = append(csr, at, (int32_t)i, parts->diagonal[i]);
        for (int64_t k = triangle->row_ptr[i]; k < triangle->row_ptr[i + 1]; k++)
            at = append(csr, at, triangle->col[k], triangle->val[k]);
        if (diagonal && t == TRIANGLE_LOWER) at = append(csr, at, (int32_t)i, parts->diagonal[i]);
    }
    csr->row_ptr[parts->rows] = at;
    return STATUS_OK;
}

static enum status copy(struct device *device, const void *from, size_t bytes, void *to, struct error *error)
{
    struct error reason = {0};
    void **place = to;
    *place = device_copy_of(device, from, bytes, "a triangular solve of cuSPARSE", &reason);
    return *place ? STATUS_OK : error_set(error, STATUS_UNAVAILABLE, "%s", reason.message);
}

/* Make a matrix on the device. */
static enum status make_csr(const struct spsv *spsv, const struct trisolve_parts *parts, enum triangle t,
                            bool diagonal, struct spsv_csr *there, struct error *error)
{
    struct spsv_csr csr = {0};
    struct device *device = spsv->device;
    const size_t rows = (size_t)parts->rows;
    enum status status = assemble(parts, t, diagonal, &csr, error);
    const size_t entries = (size_t)csr.entries;
    there->entries = csr.entries;
    if (status == STATUS_OK)
        status = copy(device, csr.row_ptr, (rows + 1) * sizeof *csr.row_ptr, &there->row_ptr, error);
    if (status == STATUS_OK) status = copy(device, csr.col, entries * sizeof *csr.col, &there->col, error);
    if (status == STATUS_OK) status = copy(device, csr.val, entries * sizeof *csr.val, &there->val, error);
    free(csr.row_ptr);
    free(csr.col);
    free(csr.val);
    return status;
}

/* SymGS also needs U without the diagonal, and four vectors, which begin as copies of the diagonal. */
static enum status make_step(struct spsv *spsv, const struct trisolve_parts *parts, struct error *error)
{
    double **const vectors[] = {&spsv->diagonal, &spsv->product, &spsv->right, &spsv->middle};
    enum status status = make_csr(spsv, parts, TRIANGLE_UPPER, false, &spsv->above, error);
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors && status == STATUS_OK; k++)
        status = copy(spsv->device, parts->diagonal, (size_t)parts->rows * sizeof(double), vectors[k], error);
    return status;
}

static enum status prepare(const struct trisolve_parts *parts, enum trisolve_operation operation,
                           const struct trisolve_place *place, struct progress *progress, void **state,
                           struct error *error)
{
    struct spsv *spsv = memory_zeroed(1, sizeof *spsv, error);
    *state = spsv;
    if (!spsv) return STATUS_MEMORY;
    *spsv = (struct spsv){.device = place->device, .operation = operation, .rows = parts->rows};
    if (parts->rows == 0) return error_set(error, STATUS_UNAVAILABLE, "cuSPARSE is not asked without rows");
    enum status status = STATUS_OK;
    for (int t = 0; t < TRIANGLES && status == STATUS_OK; t++)
        if (operation == TRISOLVE_SYMGS || (operation == TRISOLVE_UPPER) == (t == TRIANGLE_UPPER))
            status = make_csr(spsv, parts, (enum triangle)t, true, &spsv->triangle[t], error);
    if (status == STATUS_OK && operation == TRISOLVE_SYMGS) status = make_step(spsv, parts, error);
    return status == STATUS_OK ? spsv_describe(spsv, error) : status;
}

static void release(void *state)
{
    struct spsv *spsv = state;
    if (!spsv) return;
    spsv_forget(spsv);
    struct spsv_csr *const matrices[] = {&spsv->triangle[0], &spsv->triangle[1], &spsv->above};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++) {
        device_release(spsv->device, matrices[k]->row_ptr);
        device_release(spsv->device, matrices[k]->col);
        device_release(spsv->device, matrices[k]->val);
    }
    device_release(spsv->device, spsv->diagonal);
    device_release(spsv->device, spsv->product);
    device_release(spsv->device, spsv->right);
    device_release(spsv->device, spsv->middle);
    free(spsv);
}

static enum status outcome(void *state, struct error *error)
{
    const struct spsv *spsv = state;
    return spsv->failed ? error_set(error, STATUS_UNAVAILABLE, "cusparseSpSV_solve failed") : STATUS_OK;
}

const struct trisolve_kernel trisolve_cusparse = {
    .name = "cusparse/spsv",
    .summary = "cusparseSpSV_solve after cusparseSpSV_analysis; for SymGS, with cusparseSpMV",
    .source = "NVIDIA cuSPARSE",
    .backend = &backend_cusparse,
    .unavailable = cusparse_spsv_unavailable,
    .prepare_on = prepare,
    .run = CUDA_CODE(spsv_run),
    .outcome = outcome,
    .release = release,
};
