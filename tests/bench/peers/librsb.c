/* librsb: recursive sparse blocks, tuned as its documentation has it (Martone, Parallel Computing 40, 2014).
 */
#include <stdio.h>

#include "base/job.h"
#include "bench/peers/peers.h"
#include "formats/csr.h"

/* Last: it makes `complex` a macro. */
#include <rsb.h>

/* Seconds that each round of tuning may take; how many rounds, the library decides. */
#define TUNE_SECONDS 1.0

static const double one_f64 = 1, zero_f64 = 0;
static const float one_f32 = 1, zero_f32 = 0;

static enum status failed(rsb_err_t code, const char *what, struct error *error)
{
    char reason[160] = "";
    rsb_strerror_r(code, reason, sizeof reason);
    return error_set(error, code == RSB_ERR_ENOMEM ? STATUS_MEMORY : STATUS_UNAVAILABLE, "librsb: %s: %s",
                     what, reason);
}

/* *factor points to 1 or 0 in the precision of the storage. */
static const void *factor(const struct storage *storage, bool one)
{
    if (storage->precision == PRECISION_F32) return one ? &one_f32 : &zero_f32;
    return one ? &one_f64 : &zero_f64;
}

/* Let the library choose threads and blocks; what it chose holds from now on. */
static enum status tune(struct launch *launch, struct rsb_mtx_t **matrix, struct peer *peer,
                        struct error *error)
{
    const struct storage *storage = launch->storage;
    rsb_real_t gain = 0;
    rsb_int_t threads = launch->threads;
    rsb_err_t code = rsb_tune_spmm(matrix, &gain, &threads, 0, TUNE_SECONDS, RSB_TRANSPOSITION_N,
                                   factor(storage, true), NULL, 1, RSB_FLAG_WANT_COLUMN_MAJOR_ORDER, NULL, 0,
                                   factor(storage, launch->product.accumulate), NULL, 0);
    if (code != RSB_ERR_NO_ERROR) return failed(code, "tuning", error);
    if (threads <= 0) threads = launch->threads;
    code = rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &threads);
    if (code != RSB_ERR_NO_ERROR) return failed(code, "setting threads", error);
    snprintf(peer->note, sizeof peer->note, "%d threads, %.2f times as fast by tuning", threads, gain);
    return STATUS_OK;
}

static enum status prepare(struct launch *launch, struct error *error)
{
    struct peer *peer = (struct peer *)launch->kernel;
    const struct storage *storage = launch->storage;
    const struct array *array = storage->array;
    rsb_int_t threads = launch->threads;
    rsb_err_t code = RSB_ERR_NO_ERROR;
    double start = clock_seconds();
    if (storage->nnz == 0 || storage->nnz > RSB_MAX_MATRIX_NNZ)
        return error_set(error, STATUS_UNAVAILABLE, "librsb takes 1 to %d entries", RSB_MAX_MATRIX_NNZ);
    rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &threads);
    rsb_type_t type =
        storage->precision == PRECISION_F32 ? RSB_NUMERICAL_TYPE_FLOAT : RSB_NUMERICAL_TYPE_DOUBLE;
    struct rsb_mtx_t *matrix = rsb_mtx_alloc_from_csr_const(
        array[CSR_VAL].data, array[CSR_ROW_PTR].data, array[CSR_COL].data, (rsb_nnz_idx_t)storage->nnz, type,
        (rsb_coo_idx_t)storage->rows, (rsb_coo_idx_t)storage->cols, RSB_DEFAULT_BLOCKING,
        RSB_DEFAULT_BLOCKING, RSB_FLAG_NOFLAGS, &code);
    if (!matrix) return failed(code, "conversion", error);
    enum status status = tune(launch, &matrix, peer, error);
    launch->state = matrix;
    peer->prepare_seconds = clock_seconds() - start;
    return status;
}

static void run(const struct launch *launch)
{
    rsb_spmv(RSB_TRANSPOSITION_N, factor(launch->storage, true), launch->state, launch->x, 1,
             factor(launch->storage, launch->product.accumulate), launch->y, 1);
}

static void release(struct launch *launch)
{
    rsb_mtx_free(launch->state);
    launch->state = NULL;
}

static const struct parameter none[] = {{0}};

enum status peer_librsb_begin(struct peer *peer, struct error *error)
{
    *peer = (struct peer){.kernel = {
                              .name = "librsb",
                              .backend = &backend_cpu,
                              .format = &format_csr,
                              .summary = "rsb_spmv after rsb_tune_spmm",
                              .source = "Martone, Parallel Computing 40, 2014",
                              .parameters = none,
                              .prepare = prepare,
                              .run = run,
                              .release = release,
                          }};
    rsb_err_t code = rsb_lib_init(RSB_NULL_INIT_OPTIONS);
    return code == RSB_ERR_NO_ERROR ? STATUS_OK : failed(code, "starting", error);
}

void peer_librsb_end(void)
{
    rsb_lib_exit(RSB_NULL_EXIT_OPTIONS);
}
