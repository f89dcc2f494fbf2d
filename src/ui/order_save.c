#include "ui/order_save.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "matrix/files/members.h"
#include "matrix/files/reader.h"
#include "matrix/orders/write.h"

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
    const char *base = member_base(path);
    size_t unpacked = member_unpacked(base), ending = 0;
    reader_of_name(base, unpacked, true, &ending);
    if (ending == unpacked) ending = 0;
    snprintf(out, ORDER_SAVE_PATH, "%.*s.permutation.mtx%s", (int)((size_t)(base - path) + unpacked - ending),
             path, base + unpacked);
    return out;
}

bool order_save_clashes(const char *path)
{
    char permutation[ORDER_SAVE_PATH];
    order_save_permutation(path, permutation);
    return access(path, F_OK) != 0 && access(permutation, F_OK) == 0;
}

static enum status write_file(const struct writing *writing, const char *path, struct progress *progress,
                              struct error *error)
{
    struct output output;
    enum status status = output_open(&output, path, error);
    if (status != STATUS_OK) return status;
    status = writing_run(writing, output.file, path, progress, error);
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
    struct writing writing = {.matrix = &of->matrix, .comment = text_visible(comment)};
    enum status status = reader_for_writing(save->path, NULL, true, &writing.writer, error);
    if (status == STATUS_OK) status = write_file(&writing, save->path, progress, error);
    size_t length = strlen(comment);
    snprintf(comment + length, sizeof comment - length,
             ": line k has the number of the line that becomes line k");
    writing.permutation = &of->reordering.permutation;
    if (status == STATUS_OK)
        status = write_file(&writing, order_save_permutation(save->path, permutation), progress, error);
    return status;
}
