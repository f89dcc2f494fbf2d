#include "matrix/market.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"

/* Symmetric kinds are written from the lower triangle alone, skew-symmetric ones without the diagonal. */
static bool is_written(enum symmetry symmetry, int64_t i, int64_t j)
{
    return symmetry == SYMMETRY_GENERAL || j < i || (j == i && symmetry != SYMMETRY_SKEW);
}

static int64_t count_written(const struct csr *a, enum symmetry symmetry)
{
    int64_t count = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            count += is_written(symmetry, i, a->col[k]);
    return count;
}

static void write_comment(FILE *file, const char *comment)
{
    while (comment && *comment) {
        size_t length = strcspn(comment, "\n");
        fprintf(file, "%% %.*s\n", (int)length, comment);
        comment += length + (comment[length] == '\n');
    }
}

static void write_value(FILE *file, enum field field, double value)
{
    char number[40];
    if (field == FIELD_INTEGER)
        fprintf(file, " %.0f", value);
    else
        fprintf(file, " %s", format_exact(number, sizeof number, value));
}

static void write_entry(FILE *file, const struct csr *a, enum field field, int64_t i, int64_t k)
{
    fprintf(file, "%" PRId64 " %" PRId64, i + 1, (int64_t)a->col[k] + 1);
    if (field != FIELD_PATTERN) write_value(file, field, a->val[k]);
    if (field == FIELD_COMPLEX) write_value(file, field, a->imaginary ? a->imaginary[k] : 0);
    putc('\n', file);
}

enum status market_write(FILE *file, const struct csr *a, enum field field, enum symmetry symmetry,
                         const char *comment, struct error *error)
{
    fprintf(file, "%%%%MatrixMarket matrix coordinate %s %s\n", field_name(field), symmetry_name(symmetry));
    write_comment(file, comment);
    fprintf(file, "%" PRId64 " %" PRId64 " %" PRId64 "\n", a->rows, a->cols, count_written(a, symmetry));
    for (int64_t i = 0; i < a->rows && !ferror(file); i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            if (is_written(symmetry, i, a->col[k])) write_entry(file, a, field, i, k);
    if (fflush(file) || ferror(file))
        return error_set(error, STATUS_IO, "the matrix cannot be written: %s", strerror(errno));
    return STATUS_OK;
}
