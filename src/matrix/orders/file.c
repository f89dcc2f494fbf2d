#include "matrix/orders/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "matrix/files/decimal_write.h"
#include "matrix/files/market/header.h"
#include "matrix/mmio/grammar.h"
#include "matrix/orders/line_list.h"

enum { APPLY, PATH, BASE };

/* Read the line after the banner: "ROWS 1". */
static enum status read_size(struct line_list *list, int64_t count)
{
    int64_t rows = 0, cols = 0;
    int end = 0;
    bool right = !list->cut && sscanf(list->text, "%" SCNd64 " %" SCNd64 " %n", &rows, &cols, &end) == 2 &&
                 !list->text[end];
    if (!right || cols != 1)
        return line_list_wrong(
            list, "a permutation is an array of one column; its size is expected here, as '5 1'");
    if (rows == count) return STATUS_OK;
    return error_at(list->error, STATUS_INPUT, list->path, list->line, 0,
                    "it orders %" PRId64 " lines; the matrix has %" PRId64 " to be ordered", rows, count);
}

/* Read the index on the line, which counts from `base`. */
static enum status read_index(struct line_list *list, int64_t count, int64_t base, int64_t *index)
{
    enum status status =
        line_list_number(list, "not an index; a permutation has a whole number on each line", index);
    if (status != STATUS_OK) return status;
    int64_t given = *index;
    if (given >= base && given - base < count) {
        *index -= base;
        return STATUS_OK;
    }
    return error_at(list->error, STATUS_INPUT, list->path, list->line, 0,
                    "%" PRId64 " is none of %" PRId64 " to %" PRId64 "%s", given, base, count - 1 + base,
                    base == 1 && given == 0 ? "; base=0 reads indices that count from 0" : "");
}

/* The banners that a file may begin with: those of a vector of numbers. */
static enum status check_banner(const struct line_list *list)
{
    char format[16] = "", field[16] = "", symmetry[16] = "";
    sscanf(list->text, "%*s %*15s %15s %15s %15s", format, field, symmetry);
    if (strcasecmp(format, "array") == 0 && strcasecmp(field, "integer") == 0 &&
        strcasecmp(symmetry, "general") == 0)
        return STATUS_OK;
    return line_list_wrong(list,
                           "a permutation is '%%MatrixMarket matrix array integer general', or an index a "
                           "line without a banner");
}

/* Return the earlier line of a repeated index. */
static enum status repeated(const struct line_list *list, const int32_t *line_of, int64_t index, int64_t base)
{
    return error_at(list->error, STATUS_INPUT, list->path, list->line, 0,
                    "not a permutation: %" PRId64 " is here and on line %" PRId64 " too", index + base,
                    (int64_t)line_of[index]);
}

/* The permutations being read: one, or that of the rows followed by that of the columns. */
struct wanted {
    int32_t *into[2];
    int64_t counts[2]; /* the second is 0 if there is only one */
};

/* Read all indices. line_of[i] becomes the line on which index i stands, of the second permutation
 * line_of[counts[0] + i]; it is 0 before. */
static enum status read_indices(struct line_list *list, const struct ordering *ordering,
                                const struct wanted *wanted, int32_t *line_of)
{
    const int64_t *counts = wanted->counts, count = counts[0] + counts[1];
    int64_t base = (int64_t)ordering->values->number[BASE], index, have = 0;
    bool sized = true;
    enum status status = STATUS_OK;
    int read;
    while (status == STATUS_OK && (read = line_list_next(list)) > 0) {
        bool banner =
            list->line == 1 && strncmp(list->text, MatrixMarketBanner, strlen(MatrixMarketBanner)) == 0;
        if (list->line % 4096 == 0) status = progress_status(ordering->progress, list->error);
        if (banner) {
            sized = false;
            status = check_banner(list);
        }
        if (status != STATUS_OK || banner || line_list_says_nothing(list)) continue;
        if (!sized) {
            sized = true;
            status = read_size(list, count);
            continue;
        }
        int second = counts[1] && have >= counts[0];
        int64_t before = second ? counts[0] : 0;
        status = read_index(list, counts[second], base, &index);
        if (status != STATUS_OK) break;
        if (line_of[before + index]) return repeated(list, line_of + before, index, base);
        line_of[before + index] = (int32_t)(list->line < INT32_MAX ? list->line : INT32_MAX);
        if (have < count) wanted->into[second][have - before] = (int32_t)index;
        have++;
    }
    if (status != STATUS_OK) return status;
    if (read < 0) return line_list_failed(list);
    if (have == count) return STATUS_OK;
    return error_at(list->error, STATUS_INPUT, list->path, 0, 0,
                    "it has %" PRId64 " indices; the matrix has %" PRId64 " lines to be ordered", have,
                    count);
}

static size_t bytes_file(const struct ordering *ordering)
{
    const struct csr *a = ordering->a;
    return (size_t)(a->rows + a->cols) * sizeof(int32_t) + LINE_LIST_BLOCK;
}

static enum status read_file(const struct ordering *ordering, const struct wanted *wanted,
                             struct error *error)
{
    struct line_list list;
    int32_t *line_of = NULL;
    progress_phase(ordering->progress, "reading the order", 0);
    enum status status = line_list_open(ordering->values->text, &list, error);
    if (status == STATUS_OK) {
        line_of = memory_zeroed((size_t)(wanted->counts[0] + wanted->counts[1]), sizeof *line_of, error);
        status = line_of ? read_indices(&list, ordering, wanted, line_of) : STATUS_MEMORY;
    }
    line_list_close(&list);
    free(line_of);
    return status;
}

static enum status compute_file(const struct ordering *ordering, int32_t *from, int64_t count,
                                struct error *error)
{
    return read_file(ordering, &(struct wanted){{from, NULL}, {count, 0}}, error);
}

static enum status compute_file_each(const struct ordering *ordering, int32_t *rows, int32_t *cols,
                                     struct error *error)
{
    const struct csr *a = ordering->a;
    return read_file(ordering, &(struct wanted){{rows, cols}, {a->rows, a->cols}}, error);
}

enum status permutation_write(FILE *file, const struct permutation *permutation, const char *comment,
                              struct progress *progress, struct error *error)
{
    const int64_t count = permutation->count + permutation->col_count, sizes[] = {count, 1};
    MM_typecode matcode;
    market_typecode(false, FIELD_INTEGER, SYMMETRY_GENERAL, &matcode);
    progress_phase(progress, "writing the permutation", count);
    mm_write_banner(file, matcode);
    fprintf(file, "%% %s\n", comment);
    mm_write_sizes(file, sizes, 2);
    for (int64_t k = 0; k < count; k++) {
        char index[24];
        int64_t of_cols = k - permutation->count;
        int32_t line = of_cols < 0 ? permutation->from[k] : permutation->cols[of_cols];
        char *end = decimal_write_integer(index, (int64_t)line + 1);
        *end++ = '\n';
        fwrite(index, 1, (size_t)(end - index), file);
        if (k % 4096 == 0 && progress_cancelled(progress)) break;
    }
    if (fflush(file) || ferror(file))
        return error_set(error, STATUS_IO, "the permutation cannot be written: %s", strerror(errno));
    return progress_status(progress, error);
}

static const struct parameter parameters[] = {
    [APPLY] = ORDER_APPLY("symmetric, of rectangles rows"),
    [PATH] = {.name = "path",
              .help = "the file: a Matrix Market vector, or an index a line",
              .type = PARAMETER_TEXT},
    [BASE] = {.name = "base",
              .help = "first index of the file",
              .type = PARAMETER_INTEGER,
              .min = 0,
              .max = 1,
              .standard = 1},
    {0},
};

const struct order order_file = {
    .name = "file",
    .summary = "from a file, as --permutation=FILE writes it: line k names the row that becomes row k; with "
               "apply=each, columns follow",
    .source = "",
    .lines = LINES_ANY,
    .usual = APPLY_SYMMETRIC,
    .lengths = true,
    .parameters = parameters,
    .wants = "a file",
    .bytes = bytes_file,
    .compute = compute_file,
    .compute_each = compute_file_each,
};
