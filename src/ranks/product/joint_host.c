/* Products of processors. */
#include <stdlib.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/threads.h"
#include "ranks/product/joint.h"

static enum status prepare(struct joint *joint, struct error *error)
{
    const struct split *split = joint->split;
    const struct product product = joint->vectors->product;
    size_t width = joint_width(joint), columns = (size_t)product_columns(product);
    joint->halo = memory_array((size_t)split->plan.halo * columns, width, error);
    if (split->row) joint->sums = memory_array((size_t)split->remote.rows * columns, width, error);
    if (!joint->halo || (split->row && !joint->sums)) return STATUS_MEMORY;
    threads_place(joint->halo, (size_t)split->plan.halo * columns * width);
    return exchange_open(split->ranks, &split->plan, product, width, joint->local.threads, joint->halo, NULL,
                         &joint->exchange, error);
}

/* Rows of `wide` sums, which are added to the rows of y that `row` lists. */
struct sums {
    const int32_t *row;
    int64_t rows, wide;
    int threads;
};

static void add_doubles(const struct sums *of, const double *sums, double *y)
{
#pragma omp parallel for schedule(static) num_threads(of->threads) if (of->rows > PARALLEL_MIN)
    for (int64_t r = 0; r < of->rows; r++)
        for (int64_t q = 0; q < of->wide; q++)
            y[of->row[r] * of->wide + q] += sums[r * of->wide + q];
}

static void add_singles(const struct sums *of, const float *sums, float *y)
{
#pragma omp parallel for schedule(static) num_threads(of->threads) if (of->rows > PARALLEL_MIN)
    for (int64_t r = 0; r < of->rows; r++)
        for (int64_t q = 0; q < of->wide; q++)
            y[of->row[r] * of->wide + q] += sums[r * of->wide + q];
}

/* Add the sums of the remote part's rows to y, vector by vector, or for all vectors of a row at once if these
 * are contiguous. */
static void add_sums(const struct joint *joint)
{
    const struct split *split = joint->split;
    const struct operands *vectors = joint->vectors;
    const struct product product = vectors->product;
    int parts = vectors->complex ? 2 : 1, columns = product_columns(product);
    int64_t wide = product.by_rows ? parts * columns : parts, vector_count = product.by_rows ? 1 : columns;
    const struct sums of = {split->row, split->remote.rows, wide, joint->local.threads};
    for (int64_t c = 0; c < vector_count; c++)
        if (vectors->precision == PRECISION_F32)
            add_singles(&of, (const float *)joint->sums + c * of.rows * wide,
                        (float *)vectors->y + c * vectors->rows * wide);
        else
            add_doubles(&of, (const double *)joint->sums + c * of.rows * wide,
                        (double *)vectors->y + c * vectors->rows * wide);
}

static void multiply_halo(struct joint *joint)
{
    if (!joint_reaches(joint)) return;
    kernel_run(&joint->remote, joint->halo, joint->sums ? joint->sums : joint->vectors->y);
    if (joint->sums) add_sums(joint);
}

static enum status run(struct joint *joint, int products, struct phases *phases, struct error *error)
{
    struct phases took = {0};
    for (int p = 0; p < products; p++) {
        double start = clock_seconds();
        exchange_pack(&joint->exchange, joint->vectors->x);
        exchange_begin(&joint->exchange);
        double sent = clock_seconds();
        kernel_run(&joint->local, joint->vectors->x, joint->vectors->y);
        double multiplied = clock_seconds();
        exchange_end(&joint->exchange);
        double there = clock_seconds();
        multiply_halo(joint);
        took.exchange += sent - start;
        took.wait += there - multiplied;
        took.compute += clock_seconds() - there + (multiplied - sent);
    }
    if (!phases) return STATUS_OK;
    phases->exchange += took.exchange;
    phases->wait += took.wait;
    phases->compute += took.compute;
    return STATUS_OK;
}

static void release(struct joint *joint)
{
    exchange_close(&joint->exchange);
    free(joint->halo);
    free(joint->sums);
    joint->halo = joint->sums = NULL;
}

const struct joint_way joint_on_host = {.prepare = prepare, .run = run, .release = release};
