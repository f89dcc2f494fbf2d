/* Partitions in files, as METIS writes them (FILE.part.N): line k has the part of row k. */
#include <inttypes.h>

#include "analysis/parts/partition.h"
#include "matrix/orders/line_list.h"

enum { PATH, BASE };

static enum status take(const struct line_list *list, int64_t base, int64_t *part)
{
    enum status status = line_list_number(
        list, "not a part; a partition has a whole number on each line, the part of this row", part);
    if (status != STATUS_OK) return status;
    int64_t given = *part;
    if (given >= base && given - base < PARTS_MAX) {
        *part -= base;
        return STATUS_OK;
    }
    return error_at(list->error, STATUS_INPUT, list->path, list->line, 0,
                    "%" PRId64 " is not a part; parts count from %" PRId64 ", and there are at most %d",
                    given, base, PARTS_MAX);
}

static enum status read_owners(struct line_list *list, const struct partitioning *partitioning,
                               int32_t *owner, int64_t *parts)
{
    int64_t rows = partitioning->a->rows, have = 0, part;
    enum status status = STATUS_OK;
    int read;
    *parts = 1;
    while (status == STATUS_OK && (read = line_list_next(list)) > 0) {
        if (list->line % 4096 == 0) status = progress_status(partitioning->progress, list->error);
        if (status != STATUS_OK || line_list_says_nothing(list)) continue;
        status = take(list, (int64_t)partitioning->values->number[BASE], &part);
        if (status != STATUS_OK) break;
        if (have < rows) owner[have] = (int32_t)part;
        have++;
        if (part >= *parts) *parts = part + 1;
    }
    if (status != STATUS_OK) return status;
    if (read < 0) return line_list_failed(list);
    if (have == rows) return STATUS_OK;
    return error_at(list->error, STATUS_INPUT, list->path, 0, 0,
                    "it lists the parts of %" PRId64 " rows; the matrix has %" PRId64, have, rows);
}

static size_t bytes_file(const struct partitioning *partitioning)
{
    return LINE_LIST_BLOCK;
}

static enum status compute_file(const struct partitioning *partitioning, int32_t *owner, int64_t *parts,
                                struct error *error)
{
    struct line_list list;
    progress_phase(partitioning->progress, "reading the partition", 0);
    enum status status = line_list_open(partitioning->values->text, &list, error);
    if (status == STATUS_OK) status = read_owners(&list, partitioning, owner, parts);
    line_list_close(&list);
    return status;
}

static const struct parameter parameters[] = {
    [PATH] = {.name = "path", .help = "the file: the part of a row on each line", .type = PARAMETER_TEXT},
    [BASE] = {.name = "base",
              .help = "first part number of the file",
              .type = PARAMETER_INTEGER,
              .min = 0,
              .max = 1,
              .standard = 0},
    {0},
};

const struct partitioner partitioner_file = {
    .name = "file",
    .summary = "from a file, as METIS writes it: line k names the part of row k",
    .source = "",
    .by_rows = true,
    .fixed = true,
    .parameters = parameters,
    .bytes = bytes_file,
    .compute = compute_file,
};
