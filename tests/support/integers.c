#include "support/integers.h"

#include <stdlib.h>

#include "base/memory.h"

struct csr integers_new(int64_t rows, int64_t cols, int64_t entries)
{
    struct csr a = {.rows = rows,
                    .cols = cols,
                    .row_ptr = memory_zeroed((size_t)rows + 1, sizeof *a.row_ptr, NULL),
                    .col = memory_array((size_t)entries, sizeof *a.col, NULL),
                    .val = memory_array((size_t)entries, sizeof *a.val, NULL)};
    if (!a.row_ptr || !a.col || !a.val) abort();
    return a;
}

void integers_row(struct csr *a, int64_t i)
{
    a->row_ptr[i + 1] = a->row_ptr[i];
}

void integers_put(struct csr *a, int64_t i, int64_t j)
{
    int64_t k = a->row_ptr[i + 1];
    a->col[k] = (int32_t)j;
    a->val[k] = (double)((i * 7 + j * 3) % 9 - 4);
    a->row_ptr[i + 1] = k + 1;
}

double integers_x(int64_t j)
{
    return (double)(j % 7 - 3);
}

double integers_start(int64_t i)
{
    return (double)(i % 5);
}

double integers_product(const struct csr *a, int64_t i)
{
    double sum = 0;
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        sum += a->val[k] * integers_x(a->col[k]);
    return sum;
}

void *integers_vector(int64_t n, enum precision precision, double (*value)(int64_t))
{
    void *v = memory_array((size_t)n + 1, sizeof(double), NULL);
    if (!v) abort();
    for (int64_t j = 0; j < n; j++)
        if (precision == PRECISION_F32)
            ((float *)v)[j] = (float)value(j);
        else
            ((double *)v)[j] = value(j);
    return v;
}

double integers_at(const void *v, enum precision precision, int64_t i)
{
    return precision == PRECISION_F32 ? (double)((const float *)v)[i] : ((const double *)v)[i];
}

bool integers_run(struct launch *launch, const struct csr *a)
{
    const enum precision precision = launch->storage->precision;
    const size_t size = precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
    void *x = integers_vector(a->cols, precision, integers_x),
         *y = integers_vector(a->rows + 1, precision, integers_start);
    kernel_run(launch, x, (char *)y + size);
    bool right = integers_at(y, precision, 0) == integers_start(0);
    for (int64_t i = 0; i < a->rows && right; i++)
        right = integers_at(y, precision, i + 1) ==
                integers_product(a, i) + (launch->product.accumulate ? integers_start(i + 1) : 0);
    free(x);
    free(y);
    return right;
}
