#include "ranks/crowd.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/job.h"
#include "base/memory.h"

#define BAND 17 /* entries of a row */
#define ROWS_OWN 2000
#define ROWS_FAR 160000 /* a multiple of them, as are those of a sample */
#define ROWS_SAMPLE \
    16000 /* of a sample, some 0.3 ms: short enough that some samples are undisturbed on a busy machine */
#define SECONDS 0.25 /* for samples of a rank alone, and of all together */
#define SAMPLES_LEAST 20

/* A matrix with a band of BAND entries in each row, in CSR, and its vectors. */
struct band {
    int rows, next; /* the first row of the next sample */
    int32_t *ptr, *col;
    double *val, *x, *y;
};

static void band_free(struct band *band)
{
    free(band->ptr);
    free(band->col);
    free(band->val);
    free(band->x);
    free(band->y);
}

static enum status band_make(struct band *band, int rows, struct error *error)
{
    const size_t entries = (size_t)rows * BAND;
    *band = (struct band){.rows = rows,
                          .ptr = memory_array((size_t)rows + 1, sizeof *band->ptr, error),
                          .col = memory_array(entries, sizeof *band->col, error),
                          .val = memory_array(entries, sizeof *band->val, error),
                          .x = memory_array((size_t)rows + BAND, sizeof *band->x, error),
                          .y = memory_array((size_t)rows, sizeof *band->y, error)};
    if (!band->ptr || !band->col || !band->val || !band->x || !band->y) return STATUS_MEMORY;
    for (int i = 0; i <= rows; i++)
        band->ptr[i] = i * BAND;
    for (size_t k = 0; k < entries; k++) {
        band->col[k] = (int32_t)(k / BAND + k % BAND);
        band->val[k] = 1.0 / BAND;
    }
    for (int j = 0; j < rows + BAND; j++)
        band->x[j] = j % 7;
    return STATUS_OK;
}

/* Multiply the rows of a sample, and return its seconds. Rows follow each other in circles. */
static double band_multiply(struct band *band)
{
    const double start = clock_seconds();
    for (int done = 0; done < ROWS_SAMPLE; done += ROWS_OWN) {
        for (int i = band->next; i < band->next + ROWS_OWN; i++) {
            double sum = 0;
            for (int32_t k = band->ptr[i]; k < band->ptr[i + 1]; k++)
                sum += band->val[k] * band->x[band->col[k]];
            band->y[i] = sum;
        }
        band->next = (band->next + ROWS_OWN) % band->rows;
    }
    return clock_seconds() - start;
}

/* The fastest sample of the first rank of each node while the other ranks sleep: if they waited for messages,
 * they would keep their processors busy. */
static double multiply_alone(const struct ranks *ranks, int place, struct band *band)
{
    double best = 0;
    MPI_Barrier(ranks->all);
    if (place == 0) {
        const double start = clock_seconds();
        for (best = band_multiply(band); clock_seconds() - start < SECONDS;)
            best = fmin(best, band_multiply(band));
    } else {
        nanosleep(&(struct timespec){.tv_nsec = (long)(1.5 * SECONDS * 1e9)}, NULL);
    }
    MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE, MPI_MAX, ranks->all);
    return best;
}

/* The time of the slowest rank, in the fastest sample of all. */
static double multiply_together(const struct ranks *ranks, struct band *band)
{
    double best = INFINITY, spent = 0;
    for (int k = 0; k < SAMPLES_LEAST || spent < SECONDS; k++) {
        MPI_Barrier(ranks->all);
        double took = band_multiply(band);
        MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, ranks->all);
        best = fmin(best, took);
        spent += took;
    }
    return best;
}

static enum status measure(const struct ranks *ranks, int place, int rows, double *ratio, struct error *error)
{
    struct band band;
    enum status status = ranks_agree(ranks, band_make(&band, rows, error), error);
    if (status == STATUS_OK) {
        const double alone = multiply_alone(ranks, place, &band);
        *ratio = fmax(multiply_together(ranks, &band) / alone, 1);
    }
    band_free(&band);
    return status;
}

enum status crowd_measure(const struct ranks *ranks, int place, double *own, double *memory,
                          struct error *error)
{
    enum status status = measure(ranks, place, ROWS_OWN, own, error);
    return status == STATUS_OK ? measure(ranks, place, ROWS_FAR, memory, error) : status;
}
