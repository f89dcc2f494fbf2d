#include "ui/order_save.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "matrix/files/compress.h"
#include "matrix/files/market/market.h"
#include "matrix/orders/file.h"

#define STEM_WIDE 60

void order_save_propose(const struct matrix_case *of, char out[PROMPT_SIZE])
{
    const char *name = of->matrix.name;
    char stem[STEM_WIDE + 1];
    snprintf(stem, sizeof stem, "%.40s-%.18s", name && name[0] ? name : "matrix", of->order);
    for (char *c = stem; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) *c = '-';
    if (stem[0] == '-' || stem[0] == '.') stem[0] = '_';
    snprintf(out, PROMPT_SIZE, "%s.mtx", stem);
}

char *order_save_permutation(const char *path, char out[ORDER_SAVE_PATH])
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *end = strstr(base, ".mtx");
    if (!end || end == base) end = base + strlen(base);
    snprintf(out, ORDER_SAVE_PATH, "%.*s.permutation%s", (int)(end - path), path, end[0] ? end : ".mtx");
    return out;
}

bool order_save_clashes(const char *path)
{
    char permutation[ORDER_SAVE_PATH];
    order_save_permutation(path, permutation);
    return access(path, F_OK) != 0 && access(permutation, F_OK) == 0;
}

/* Write the matrix, or its permutation, to one file. */
static enum status write_file(const struct matrix_case *of, bool permutation, const char *path,
                              const char *comment, struct progress *progress, struct error *error)
{
    const struct matrix *matrix = &of->matrix;
    struct compressor compressor;
    struct output output;
    enum status status = output_open(&output, path, error);
    if (status != STATUS_OK) return status;
    status = compressor_open(&compressor, output.file, path, error);
    if (status == STATUS_OK) {
        status = permutation ? permutation_write(compressor.file, &of->reordering.permutation, comment,
                                                 progress, error)
                             : market_write(compressor.file, &matrix->csr, matrix->field, matrix->symmetry,
                                            comment, progress, error);
        enum status closed = compressor_close(&compressor, error);
        if (status == STATUS_OK) status = closed;
    }
    if (status == STATUS_OK) status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}

enum status order_save_run(void *argument, struct progress *progress, struct error *error)
{
    const struct order_save *save = argument;
    const struct matrix_case *of = save->of;
    char permutation[ORDER_SAVE_PATH], comment[ORDER_NAME + 512];
    snprintf(comment, sizeof comment, "%.400s in the order %s", of->matrix.name ? of->matrix.name : "",
             of->order);
    enum status status = write_file(of, false, save->path, text_visible(comment), progress, error);
    size_t length = strlen(comment);
    snprintf(comment + length, sizeof comment - length,
             ": line k has the number of the line that becomes line k");
    if (status == STATUS_OK)
        status =
            write_file(of, true, order_save_permutation(save->path, permutation), comment, progress, error);
    return status;
}
