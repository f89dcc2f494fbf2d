#include "ui/save.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "matrix/files/members.h"
#include "matrix/files/reader.h"
#include "matrix/orders/write.h"

#define STEM_SIZE 66
#define NUMBERS_MAX 1000

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Replace the characters that are unsuitable in file names. */
static void make_stem(char *stem)
{
    for (char *c = stem; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) *c = '-';
    if (stem[0] == '-' || stem[0] == '.') stem[0] = '_';
}

void save_name(char *stem, const char *ending, char out[PROMPT_SIZE])
{
    make_stem(stem);
    snprintf(out, PROMPT_SIZE, "%s.%s", stem, ending);
    for (int k = 2; k < NUMBERS_MAX && exists(out); k++)
        snprintf(out, PROMPT_SIZE, "%s-%d.%s", stem, k, ending);
}

void save_propose(const struct session *session, char out[PROMPT_SIZE])
{
    const char *name = session->shown->matrix.name;
    char stem[STEM_SIZE];
    snprintf(stem, sizeof stem, "%.60s-runs", name && name[0] ? name : "matrix");
    save_name(stem, "json", out);
}

bool save_accept(struct saving *saving, const char *path, const char **label)
{
    if (strcmp(path, "-") == 0) path = "./-"; /* a file of that name instead of standard output */
    bool again = saving->replace && strcmp(saving->path, path) == 0;
    snprintf(saving->path, sizeof saving->path, "%s", path);
    saving->replace = !again && exists(path);
    if (saving->replace) *label = "It exists already: Enter replaces it, Esc keeps it";
    return !saving->replace;
}

bool save_question(int unsaved, bool timing, char out[SAVE_QUESTION])
{
    char lost[48] = "";
    if (unsaved > 0)
        snprintf(lost, sizeof lost, "%d run%s not saved", unsaved, unsaved == 1 ? " is" : "s are");
    snprintf(out, SAVE_QUESTION, "%s%s%s. Quit? y quits, %sn stays", timing ? "kernels are being timed" : "",
             timing && unsaved > 0 ? ", " : "", lost, timing ? "" : "s saves first, ");
    return timing || unsaved > 0;
}

/* A matrix in another order */

void order_save_propose(const struct matrix_case *of, char out[PROMPT_SIZE])
{
    const char *name = of->matrix.name;
    char stem[STEM_SIZE];
    snprintf(stem, sizeof stem, "%.40s-%.18s", name && name[0] ? name : "matrix", of->order);
    make_stem(stem);
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
             ": entry k is the original number of line k, a row or a column");
    writing.permutation = &of->reordering.permutation;
    if (status == STATUS_OK)
        status = write_file(&writing, order_save_permutation(save->path, permutation), progress, error);
    return status;
}
