#include "analysis/precisions.h"

#include <float.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/precisions_batch.h"
#include "analysis/precisions_rows.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "base/wide.h"
#include "formats/fill.h"
#include "kernels/timing/operands.h"
#include "matrix/nonempty.h"

/* A term is the product of a real number of A and one of x. A real entry has one term. A complex entry has
 * two in the sum for Re y, and two in the sum for Im y. */
#define COMPONENTS 2
#define TERMS (2 * PRECISION_BATCH)

/* The terms of a batch of entries, for both components of y, rounded to the precision of the sums. The inner
 * loops of additions go over the types, so that the sums of all types grow side by side. Parts that a type
 * does not have stay 0. */
struct terms {
    double f64[COMPONENTS][NUMBER_TYPES][TERMS];
    float f32[COMPONENTS][NUMBER_PARTS_MAX][NUMBER_TYPES][TERMS];
    double product[COMPONENTS][TERMS], lost[COMPONENTS][TERMS]; /* a x = product + lost */
    double size[PRECISION_BATCH];                               /* |a x| of entries */
};

/* The data that a thread works with. */
struct work {
    struct terms terms;
    struct rounded_batch batch[COMPONENTS]; /* of real parts, and of imaginary parts */
    double x[COMPONENTS][PRECISION_BATCH];
    struct rounded rounded[NUMBER_TYPES];
    int64_t values;
    struct row_errors errors;
};

struct measuring {
    const struct csr *a;
    const float *x; /* pairs if A is complex */
    struct rounding rounding[NUMBER_TYPES];
    struct progress *progress;
};

/* Return part c, real or imaginary, of the values from entry k on. */
static const double *values_of(const struct csr *a, int c, int64_t k)
{
    return (c ? a->imaginary : a->val) + k;
}

static void gather(const struct measuring *m, int64_t k, int64_t count, struct work *work)
{
    const int32_t *col = m->a->col + k;
    const int parts = m->a->imaginary ? 2 : 1;
    for (int c = 0; c < parts; c++)
        for (int64_t e = 0; e < count; e++)
            work->x[c][e] = (double)m->x[(int64_t)col[e] * parts + c];
}

/* term[e step] = sign a x. */
WIDE static void multiply(const double *a, const double *x, double sign, int64_t count, int step,
                          double *term)
{
    for (int64_t e = 0; e < count; e++)
        term[e * step] = sign * a[e] * x[e];
}

WIDE static void multiply_f32(const double *a, const double *x, double sign, int64_t count, int step,
                              float *term)
{
    for (int64_t e = 0; e < count; e++)
        term[e * step] = (float)(sign * a[e]) * (float)x[e];
}

/* Products and their rounding errors. x has 24 bits, and `high` has the upper 29 of the 53 bits of a. Hence
 * high x and (a - high) x are exact in f64, and so is the difference of the first and the rounded product
 * (Dekker, Numer. Math. 18, 1971). */
WIDE static void multiply_exactly(const double *a, const double *x, double sign, int64_t count, int step,
                                  double *product, double *lost)
{
    for (int64_t e = 0; e < count; e++) {
        uint64_t bits;
        double high, value = sign * a[e], rounded = value * x[e];
        memcpy(&bits, &value, sizeof bits);
        bits &= ~(((uint64_t)1 << 24) - 1);
        memcpy(&high, &bits, sizeof high);
        product[e * step] = rounded;
        lost[e * step] = (high * x[e] - rounded) + (value - high) * x[e];
    }
}

WIDE static void measure_real(const double *product, int64_t count, double *size)
{
    for (int64_t e = 0; e < count; e++)
        size[e] = fabs(product[e]);
}

static void measure_complex(const double *real, const double *imaginary, const struct work *work,
                            int64_t count, double *size)
{
    for (int64_t e = 0; e < count; e++)
        size[e] = hypot(real[e], imaginary[e]) * hypot(work->x[0][e], work->x[1][e]);
}

/* The sign of a term of a complex entry in component c of y. Part q of a is multiplied by part q ^ c of x. */
static double sign_of(int c, int q)
{
    return c == 0 && q == 1 ? -1 : 1;
}

/* Make the terms of a type from its rounded values. */
static void make_terms(int t, int components, int64_t count, struct work *work)
{
    const struct number_type *type = &number_types[t];
    struct terms *terms = &work->terms;
    for (int c = 0; c < components; c++)
        for (int q = 0; q < components; q++) {
            const struct rounded_batch *batch = &work->batch[q];
            const double *x = work->x[q ^ c], sign = sign_of(c, q);
            multiply(batch->stored, x, sign, count, components, terms->f64[c][t] + q);
            for (int p = 0; p < type->parts && type->sums_f32; p++)
                multiply_f32(batch->part[p], x, sign, count, components, terms->f32[c][p][t] + q);
        }
}

/* Make all terms of `count` entries, from entry k on. */
static void make_batch(const struct measuring *m, int64_t k, int64_t count, struct work *work)
{
    struct terms *terms = &work->terms;
    const int components = m->a->imaginary ? 2 : 1;
    gather(m, k, count, work);
    for (int t = 0; t < NUMBER_TYPES; t++) {
        for (int q = 0; q < components; q++)
            precisions_round(&number_types[t], &m->rounding[t], values_of(m->a, q, k), count, &work->batch[q],
                             &work->rounded[t]);
        make_terms(t, components, count, work);
    }
    for (int c = 0; c < components; c++)
        for (int q = 0; q < components; q++)
            multiply_exactly(values_of(m->a, q, k), work->x[q ^ c], sign_of(c, q), count, components,
                             terms->product[c] + q, terms->lost[c] + q);
    if (components == 1)
        measure_real(terms->product[0], count, terms->size);
    else
        measure_complex(m->a->val + k, m->a->imaginary + k, work, count, terms->size);
    for (int q = 0; q < components; q++)
        work->values += precisions_finite(values_of(m->a, q, k), count);
}

/* Add terms first .. end-1 of component c to the sums of a row. */
static void add_f64(const struct terms *terms, int c, int64_t first, int64_t end, double *sums)
{
    double sum[NUMBER_TYPES];
    memcpy(sum, sums, sizeof sum);
    for (int64_t k = first; k < end; k++)
        for (int t = 0; t < NUMBER_TYPES; t++)
            sum[t] += terms->f64[c][t][k];
    memcpy(sums, sum, sizeof sum);
}

static void add_f32(const struct terms *terms, int c, int64_t first, int64_t end, float *sums)
{
    float sum[NUMBER_TYPES];
    memcpy(sum, sums, sizeof sum);
    for (int64_t k = first; k < end; k++)
        for (int p = 0; p < NUMBER_PARTS_MAX; p++)
            for (int t = 0; t < NUMBER_TYPES; t++)
                sum[t] += terms->f32[c][p][t][k];
    memcpy(sums, sum, sizeof sum);
}

/* A step of Dot2 for each term. */
static void add_exactly(const struct terms *terms, int c, int64_t first, int64_t end, struct row_sums *row)
{
    double sum = row->exact[c], lost = row->lost[c];
    for (int64_t k = first; k < end; k++) {
        double product = terms->product[c][k], next = sum + product, arrived = next - sum;
        lost += (sum - (next - arrived)) + (product - arrived) + terms->lost[c][k];
        sum = next;
    }
    row->exact[c] = sum;
    row->lost[c] = lost;
}

/* Add entries first .. end-1 of the batch to a row. */
static void add_entries(const struct terms *terms, int components, int64_t first, int64_t end,
                        struct row_sums *row)
{
    for (int64_t e = first; e < end; e++)
        row->size += terms->size[e];
    for (int c = 0; c < components; c++) {
        add_exactly(terms, c, first * components, end * components, row);
        add_f64(terms, c, first * components, end * components, row->f64[c]);
        add_f32(terms, c, first * components, end * components, row->f32[c]);
    }
}

/* Empty a row. Clearing the whole struct would take longer than adding a short row. */
static void row_begin(int components, struct row_sums *row)
{
    row->size = 0;
    row->exact[1] = row->lost[1] = 0;
    for (int c = 0; c < components; c++) {
        row->exact[c] = row->lost[c] = 0;
        for (int t = 0; t < NUMBER_TYPES; t++) {
            row->f64[c][t] = 0;
            row->f32[c][t] = 0;
        }
    }
}

/* Measure rows first .. end-1, and add the squares of their errors to *squares. A batch may end within a
 * row. */
static void measure_rows(const struct measuring *m, int64_t first, int64_t end, struct work *work,
                         struct squares *squares)
{
    const struct csr *a = m->a;
    const int components = a->imaginary ? 2 : 1;
    int64_t from = a->row_ptr[first], to = from, last = a->row_ptr[end];
    struct row_sums row;
    for (int64_t i = nonempty_from(a->row_ptr, first, end); i < end;
         i = nonempty_from(a->row_ptr, i + 1, end)) {
        row_begin(components, &row);
        for (int64_t k = a->row_ptr[i], stop = a->row_ptr[i + 1], next; k < stop; k = next) {
            if (k == to) {
                if (progress_cancelled(m->progress)) return;
                from = k;
                to = min(k + PRECISION_BATCH, last);
                make_batch(m, from, to - from, work);
                progress_add(m->progress, to - from);
            }
            next = min(stop, to);
            add_entries(&work->terms, components, k - from, next - from, &row);
        }
        row_errors_take(&row, components, &work->errors, squares);
    }
}

static void join(const struct work *from, struct work *to)
{
    to->values += from->values;
    for (int t = 0; t < NUMBER_TYPES; t++)
        rounded_join(&to->rounded[t], &from->rounded[t]);
    row_errors_join(&to->errors, &from->errors);
}

/* Blocks of rows depend on the matrix alone, and their squares are added in the order of the blocks. All else
 * is counts and maxima. So results do not depend on the number of threads. work[0] gets the results of all
 * threads. */
static enum status measure_all(const struct measuring *m, struct work *work, int threads, int64_t blocks,
                               struct squares *squares, struct error *error)
{
    progress_phase(m->progress, "rounding values", csr_nnz(m->a));
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (threads > 1)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(m->progress)) continue;
        measure_rows(m, row_block_first(m->a, blocks, b), row_block_first(m->a, blocks, b + 1),
                     &work[omp_get_thread_num()], &squares[b]);
    }
    for (int t = 1; t < threads; t++)
        join(&work[t], &work[0]);
    for (int64_t b = 1; b < blocks; b++)
        squares_join(&squares[0], &squares[b]);
    return progress_status(m->progress, error);
}

static void finish(const struct work *work, const struct squares *squares, struct precisions *precisions)
{
    precisions->values = work->values;
    precisions->rows = work->errors.rows;
    precisions->nonzeros = work->errors.nonzeros;
    for (int t = 0; t < NUMBER_TYPES; t++) {
        struct precision_loss *loss = &precisions->type[t];
        const struct rounded *rounded = &work->rounded[t];
        loss->values = loss->scaled = *rounded;
        loss->scaling = t > 0 && rounded->infinite + rounded->zero + rounded->subnormal > 0;
        for (int s = 0; s < SUMS; s++)
            loss->product[s] = row_errors_finish(&work->errors, squares, s, t);
    }
}

/* The vector x of checks of kernels, in f32. */
static float *make_x(const struct csr *a, struct error *error)
{
    const struct operands operands = {.precision = PRECISION_F32, .complex = a->imaginary != NULL};
    const struct operands_draw draw = {.n = a->cols, .size = a->cols};
    float *x = memory_array((size_t)a->cols, operands.complex ? 2 * sizeof *x : sizeof *x, error);
    if (x) operands_draw(&operands, &draw, a->cols, x);
    return x;
}

size_t precisions_bytes(const struct csr *a)
{
    size_t element = csr_complex(a) ? 2 * sizeof(float) : sizeof(float);
    return (size_t)a->cols * element + (size_t)row_blocks(a) * sizeof(struct squares);
}

enum status precisions_measure(const struct csr *a, struct progress *progress, struct precisions *precisions,
                               struct error *error)
{
    int64_t blocks = row_blocks(a);
    int threads = (int)min(threads_count(), blocks);
    struct measuring m = {.a = a, .progress = progress};
    enum status status = STATUS_MEMORY;
    memset(precisions, 0, sizeof *precisions);
    for (int t = 0; t < NUMBER_TYPES; t++)
        m.rounding[t] = number_rounding(&number_types[t]);
    float *x = make_x(a, error);
    struct work *work = x ? memory_zeroed((size_t)threads, sizeof *work, error) : NULL;
    struct squares *squares = work ? memory_zeroed((size_t)blocks, sizeof *squares, error) : NULL;
    m.x = x;
    if (squares) status = measure_all(&m, work, threads, blocks, squares, error);
    if (status == STATUS_OK) finish(work, squares, precisions);
    free(x);
    free(work);
    free(squares);
    if (status == STATUS_OK) status = precisions_scale(a, progress, precisions, error);
    if (status != STATUS_OK) memset(precisions, 0, sizeof *precisions);
    return status;
}
