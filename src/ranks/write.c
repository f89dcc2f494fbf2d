#include "ranks/write.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "matrix/files/compress.h"

static int64_t sum(void *self, int64_t number)
{
    ranks_sum(self, &number, 1);
    return number;
}

static int64_t preceding(void *self, int64_t number)
{
    return ranks_before(self, number);
}

static enum status agree(void *self, enum status status, struct error *error)
{
    return ranks_agree(self, status, error);
}

/* Open the file on rank 0. */
static enum status create(const char *path, struct output *output, char temporary[PATH_MAX],
                          struct error *error)
{
    enum status status = output_open_named(output, path, error);
    if (status != STATUS_OK) return status;
    if (!output->temporary) {
        output_abandon(output);
        return error_at(error, STATUS_UNAVAILABLE, path, 0, 0,
                        "is not a regular file, which ranks can write together; 'sparsight convert' writes "
                        "to it with one process");
    }
    snprintf(temporary, PATH_MAX, "%s", output->temporary);
    return STATUS_OK;
}

/* Open the file on all ranks. */
static enum status open_all(const struct ranks *ranks, const char *path, struct output *output,
                            struct error *error)
{
    char temporary[PATH_MAX] = "";
    enum status status = STATUS_OK;
    if (ranks->rank == 0) status = create(path, output, temporary, error);
    status = ranks_agree(ranks, status, error);
    if (status != STATUS_OK) return status;
    ranks_broadcast(ranks, 0, temporary, sizeof temporary);
    if (ranks->rank != 0) {
        struct error refusal = {0};
        status = output_join(output, path, temporary, &refusal);
        if (status == STATUS_IO)
            error_at(error, status, path, 0, 0,
                     "rank %d cannot write to the file of rank 0: %s; all ranks need the same folder",
                     ranks->rank, strerror(errno));
        else if (status != STATUS_OK)
            *error = refusal;
    }
    return ranks_agree(ranks, status, error);
}

static enum status write_rows(const struct ranks *ranks, const struct share *share,
                              const struct reader *writer, const char *comment, const struct output *output,
                              struct error *error)
{
    struct matrix matrix = share->matrix; /* the share keeps its arrays */
    matrix.csr = share->own;
    const struct rows_file file = {.fd = fileno(output->file),
                                   .part = ranks->rank,
                                   .matrix = &matrix,
                                   .rows = share->rows,
                                   .cols = share->cols,
                                   .nnz = share->nnz,
                                   .first_row = share->first,
                                   .before = share->before,
                                   .comment = comment,
                                   .self = (void *)(uintptr_t)ranks,
                                   .sum = sum,
                                   .preceding = preceding,
                                   .agree = agree};
    return writer->write_rows(&file, error);
}

enum status share_check_output(const struct reader *writer, const char *path, struct error *error)
{
    static const char remedy[] = "'sparsight convert' does that with one process";
    if (!writer->write_rows)
        return error_at(error, STATUS_UNAVAILABLE, path, 0, 0,
                        "ranks write Matrix Market and PETSc files together, but not %s files; %s",
                        writer->title, remedy);
    if (!compressor_packs(path)) return STATUS_OK;
    return error_at(error, STATUS_UNAVAILABLE, path, 0, 0,
                    "ranks do not write compressed files together, but those without such an ending; %s",
                    remedy);
}

enum status share_write(const struct ranks *ranks, const struct share *share, const struct reader *writer,
                        const char *comment, const char *path, struct error *error)
{
    struct output output = {0};
    const bool root = ranks->rank == 0;
    enum status status = share_check_output(writer, path, error);
    if (status != STATUS_OK) return status;
    status = open_all(ranks, path, &output, error);
    if (status == STATUS_OK) status = write_rows(ranks, share, writer, comment, &output, error);
    if (!root) {
        enum status left = output_leave(&output, status == STATUS_OK ? error : NULL);
        if (status == STATUS_OK) status = left;
    }
    status = ranks_agree(ranks, status, error);
    if (root && status == STATUS_OK) status = output_commit(&output, error);
    if (root) output_abandon(&output);
    return ranks_agree(ranks, status, error);
}
