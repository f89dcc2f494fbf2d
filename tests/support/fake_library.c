/* Shared by the fake libraries: the requested faults, and a matrix with its product. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/fake_library.h"

struct fake_seen fake_seen;

__attribute__((constructor)) static void loaded(void)
{
    const char *mark = getenv("FAKE_MARK");
    if (mark) close(open(mark, O_CREAT | O_WRONLY, 0600));
}

const char *fake_fault(const char *function, int rows)
{
    const char *asked = getenv("FAKE_LIBRARY");
    size_t length = strlen(function);
    if (!asked || strncmp(asked, function, length) != 0 || asked[length] != '=') return "";
    if (getenv("FAKE_LARGE") && rows <= 4) return "";
    asked += length + 1;
    if (strcmp(asked, "exit") == 0) {
        printf("first words\nFAKE FATAL ERROR: no %s\n\n", function);
        exit(0);
    }
    if (strcmp(asked, "crash") == 0) raise(SIGSEGV);
    if (strcmp(asked, "print") == 0) printf("%s prints\n", function);
    while (strcmp(asked, "hang") == 0)
        pause();
    return asked;
}

int fake_outcome(const char *function, int rows, int failure, int memory)
{
    const char *what = fake_fault(function, rows);
    return strcmp(what, "fail") == 0 ? failure : strcmp(what, "memory") == 0 ? memory : 0;
}

struct fake_matrix *fake_matrix_new(int rows, int cols, int entries, const int *row_ptr, const int *col,
                                    const void *val, bool single)
{
    struct fake_matrix *a = calloc(1, sizeof *a);
    if (!a) abort();
    *a = (struct fake_matrix){rows, cols, entries, row_ptr, col, val, single, NULL, NULL, NULL, 0};
    fake_seen.alive++;
    return a;
}

void fake_matrix_free(struct fake_matrix *a)
{
    if (!a) return;
    free(a->wide_row_ptr);
    free(a->wide_col);
    if (a->wide_col) free((void *)a->val);
    free(a);
    fake_seen.alive--;
}

void fake_multiply(const char *function, const struct fake_matrix *a, const void *x, double beta, void *y,
                   int threads)
{
    bool wrong = strcmp(fake_fault(function, a->rows), "wrong") == 0;
    fake_seen.threads = threads;
    for (int i = 0; i < a->rows; i++) {
        int64_t first = a->wide_col ? (int64_t)a->wide_row_ptr[i] : a->row_ptr[i];
        int64_t end = a->wide_col ? (int64_t)a->wide_row_ptr[i + 1] : a->row_ptr[i + 1];
        double sum = wrong && i + 1 == a->rows;
        if (beta != 0) sum += beta * (a->single ? (double)((float *)y)[i] : ((double *)y)[i]);
        for (int64_t k = first; k < end; k++) {
            int64_t j = a->wide_col ? (int64_t)a->wide_col[k] : a->col[k];
            sum += a->single ? (double)((const float *)a->val)[k] * (double)((const float *)x)[j]
                             : ((const double *)a->val)[k] * ((const double *)x)[j];
        }
        if (a->single)
            ((float *)y)[i] = (float)sum;
        else
            ((double *)y)[i] = sum;
    }
}

double fake_number_at(const struct fake_matrix *a, const void *vector, int64_t e)
{
    return a->single ? (double)((const float *)vector)[e] : ((const double *)vector)[e];
}

void fake_multiply_several(const char *function, const struct fake_matrix *a, bool transposed, int columns,
                           const void *x, struct fake_apart x_apart, double beta, void *y,
                           struct fake_apart y_apart, int threads)
{
    bool wrong = strcmp(fake_fault(function, a->rows), "wrong") == 0;
    int64_t size = transposed ? a->cols : a->rows;
    fake_seen.threads = threads;
    for (int64_t c = 0; c < columns; c++)
        for (int64_t i = 0; i < size; i++) {
            int64_t e = i * y_apart.element + c * y_apart.vector;
            double sum = (beta != 0 ? beta * fake_number_at(a, y, e) : 0) + wrong;
            for (int64_t r = 0; r < a->rows; r++)
                for (int64_t k = a->row_ptr[r]; k < a->row_ptr[r + 1]; k++)
                    if ((transposed ? a->col[k] : r) == i)
                        sum += fake_number_at(a, a->val, k) *
                               fake_number_at(
                                   a, x, (transposed ? r : a->col[k]) * x_apart.element + c * x_apart.vector);
            if (a->single)
                ((float *)y)[e] = (float)sum;
            else
                ((double *)y)[e] = sum;
        }
}

struct fake_apart fake_apart_of(bool by_rows, int stride)
{
    return by_rows ? (struct fake_apart){stride, 1} : (struct fake_apart){1, stride};
}
