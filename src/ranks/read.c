/* share_load: choosing the reading ranks, and sharing the description of the matrix. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/files/container.h"
#include "matrix/files/reader.h"
#include "ranks/build.h"
#include "ranks/same.h"
#include "ranks/share.h"
#include "ranks/transpose.h"

/* Entries of a block when rank 0 distributes a whole matrix. */
#define BLOCK_ENTRIES ((int64_t)1 << 16)

enum reading {
    READING_PARTS, /* every rank reads its part: plain files of some formats, and generated matrices */
    READING_ALONE, /* rank 0 reads, and sends entries to their owners as they come */
    READING_WHOLE, /* rank 0 holds the whole matrix, and then sends it: formats made of several arrays */
};

static bool is_generated(const char *name)
{
    return strncmp(name, "gen:", 4) == 0;
}

/* Choose, on rank 0. If the file cannot be opened, rank 0 reports it when it reads. */
static enum reading choose(const char *name, const struct load_options *options)
{
    struct container *container = NULL;
    struct error error = {0};
    const struct reader *reader = NULL;
    enum reading reading = READING_ALONE;
    if (is_generated(name)) return READING_PARTS;
    if (strcmp(name, "-") == 0) return READING_ALONE; /* it can be opened once only */
    if (container_open(name, &container, &error) != STATUS_OK) return READING_ALONE;
    if (reader_choose(container, options, &reader, &error) == STATUS_OK) {
        if (reader->parts && container_is_plain(container)) reading = READING_PARTS;
        if (reader->variables) reading = READING_WHOLE;
    }
    container_close(container);
    return reading;
}

/* --- a whole matrix as a source --- */

static enum status give_rows(void *self, int64_t k, struct sink *sink, struct error *error)
{
    const struct csr *a = self;
    int64_t begin = k * BLOCK_ENTRIES, end = begin + BLOCK_ENTRIES;
    if (end > csr_nnz(a)) end = csr_nnz(a);
    int64_t i = csr_row_of(a, begin);
    for (int64_t e = begin; e < end; e++) {
        while (e >= a->row_ptr[i + 1])
            i++;
        sink_put(sink, (int32_t)i, a->col[e], a->val[e], a->imaginary ? a->imaginary[e] : 0);
    }
    return STATUS_OK;
}

/* Distribute a matrix that rank 0 has read as a whole. */
static enum status deal(struct together *together, const struct load_options *options, struct matrix *matrix,
                        struct error *error)
{
    struct csr own;
    struct build_result result = {0};
    const struct source source = {.rows = matrix->csr.rows,
                                  .cols = matrix->csr.cols,
                                  .blocks = (csr_nnz(&matrix->csr) + BLOCK_ENTRIES - 1) / BLOCK_ENTRIES,
                                  .complex = matrix->csr.imaginary != NULL,
                                  .limit = options->limit,
                                  .beside = options->beside,
                                  .builder = &together->builder,
                                  .path = matrix->path,
                                  .self = &matrix->csr,
                                  .block = give_rows};
    enum status status = together->builder.build(together, &source, NULL, &own, &result, error);
    csr_free(&matrix->csr);
    matrix->csr = own;
    return status;
}

/* --- sharing the description of a matrix that rank 0 has read --- */

/* Send a string of rank 0, in *text, or NULL to all ranks. The others get a copy; the result is false if one
 * has no memory for it. */
static bool give_string(const struct ranks *ranks, char **text)
{
    int64_t length = *text ? (int64_t)strlen(*text) : -1;
    ranks_broadcast(ranks, 0, &length, sizeof length);
    if (length < 0) return true;
    if (ranks->rank != 0) *text = memory_array((size_t)length + 1, 1, NULL);
    int64_t missing = !*text;
    ranks_sum(ranks, &missing, 1);
    if (missing) return false;
    ranks_broadcast(ranks, 0, *text, (size_t)length + 1);
    return true;
}

/* Send the description of the matrix to all ranks; each already has its own rows. */
static enum status tell(const struct ranks *ranks, struct share *share, struct error *error)
{
    struct matrix *matrix = &share->matrix;
    char *format = (char *)(uintptr_t)matrix->format, *notes = matrix->notes.data;
    struct csr csr = matrix->csr;
    struct summed summed = matrix->summed;
    char *name = matrix->name, *path = matrix->path, *variable = matrix->variable;
    ranks_broadcast(ranks, 0, matrix, sizeof *matrix);
    matrix->csr = csr;
    matrix->summed = summed;
    if (ranks->rank != 0) name = path = variable = format = notes = NULL;
    bool all = give_string(ranks, &name) && give_string(ranks, &path) && give_string(ranks, &variable) &&
               give_string(ranks, &format) && give_string(ranks, &notes);
    matrix->name = name;
    matrix->path = path;
    matrix->variable = variable;
    matrix->format = format;
    if (ranks->rank != 0) {
        share->words = format;
        matrix->notes = (struct text){0};
        if (notes) text_append(&matrix->notes, "%s", notes);
        free(notes);
    }
    if (!all || matrix->notes.failed)
        error_set(error, STATUS_MEMORY, "out of memory: no room for what the file says");
    return ranks_agree(ranks, !all || matrix->notes.failed ? STATUS_MEMORY : STATUS_OK, error);
}

/* Send each rank the positions in its rows at which entries were summed. */
static enum status tell_summed(const struct ranks *ranks, const struct cut *cut, struct summed *summed,
                               struct error *error)
{
    struct summed all = *summed;
    *summed = (struct summed){0};
    ranks_broadcast(ranks, 0, &all.kept, sizeof all.kept);
    if (ranks->rank != 0) all.list = memory_array((size_t)all.kept, sizeof *all.list, error);
    enum status status = ranks_agree(ranks, all.list || all.kept == 0 ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK && all.kept)
        ranks_broadcast(ranks, 0, all.list, (size_t)all.kept * sizeof *all.list);
    for (int64_t k = 0; k < all.kept && status == STATUS_OK; k++) {
        const struct summed_place *place = &all.list[k];
        if (place->row >= cut->begin[ranks->rank] && place->row < cut->begin[ranks->rank + 1])
            status = summed_add(summed, place->row, place->col, place->entries, error);
    }
    free(all.list);
    return ranks_agree(ranks, status, error);
}

/* --- the whole --- */

/* Read this rank's part, or follow rank 0. */
static enum status read_part(struct together *together, enum reading reading, const char *name,
                             const struct load_options *options, struct matrix *matrix, struct error *error)
{
    struct load_options own = *options;
    struct build_result unused = {0};
    *matrix = (struct matrix){0};
    if (reading != READING_PARTS && together->ranks->rank != 0)
        return together_follow(together, options, &matrix->csr, &matrix->summed, &unused, error);
    own.builder = reading == READING_WHOLE ? NULL : &together->builder;
    own.drop_zeros = own.transpose = false; /* settle and share_transpose do that */
    struct whole_node taken;
    if (reading != READING_PARTS) ranks_take_node(together->ranks, &taken); /* the others sleep */
    enum status status = matrix_load(name, &own, NULL, matrix, error);
    if (reading != READING_PARTS) ranks_leave_node(&taken);
    if (status == STATUS_OK && reading == READING_WHOLE) status = deal(together, options, matrix, error);
    return status;
}

/* Count zeros, and compute the numbers over all ranks. */
static void settle(const struct ranks *ranks, const struct load_options *options, struct share *share)
{
    struct matrix *matrix = &share->matrix;
    int64_t zeros = csr_count_zeros(&share->own);
    ranks_sum(ranks, &zeros, 1);
    matrix->explicit_zeros = zeros;
    matrix->zeros_counted = true;
    if (options->drop_zeros && zeros) {
        csr_drop_zeros(&share->own);
        text_append(&matrix->notes, "%lld explicit zeros dropped\n", (long long)zeros);
        matrix->explicit_zeros = 0;
    }
    share->nnz = csr_nnz(&share->own);
    share->before = ranks_before(ranks, share->nnz);
    if (strcmp(matrix->format, "generated") == 0) {
        int64_t stored = csr_nnz(&share->own);
        ranks_sum(ranks, &stored, 1);
        matrix->stored = stored;
    }
    ranks_sum(ranks, &share->nnz, 1);
}

static enum status load(const struct ranks *ranks, struct together *together, enum reading reading,
                        const char *name, const struct load_options *options, struct share *share,
                        struct error *error)
{
    struct matrix *matrix = &share->matrix;
    enum status status =
        together_end(together, read_part(together, reading, name, options, matrix, error), error);
    if (status != STATUS_OK) return status;
    if (reading == READING_WHOLE) status = tell_summed(ranks, &together->cut, &matrix->summed, error);
    if (status == STATUS_OK && reading != READING_PARTS) status = tell(ranks, share, error);
    if (status != STATUS_OK) return status;
    share->own = matrix->csr;
    matrix->csr = (struct csr){0};
    share->cuts = together->cut.begin;
    together->cut.begin = NULL;
    share->rows = share->cuts[ranks->count];
    share->cols = together->cols;
    share->first = share->cuts[ranks->rank];
    share->last = share->cuts[ranks->rank + 1];
    settle(ranks, options, share);
    return ranks_agree(ranks,
                       matrix->notes.failed
                           ? error_set(error, STATUS_MEMORY, "out of memory: no room for the notes")
                           : STATUS_OK,
                       error);
}

enum status share_load(const struct ranks *ranks, const char *name, const struct load_options *options,
                       struct share *share, struct error *error)
{
    struct load_options own = *options;
    struct together together;
    int reading = ranks->rank == 0 ? (int)choose(name, options) : 0;
    *share = (struct share){0};
    ranks_broadcast(ranks, 0, &reading, sizeof reading);
    if (own.limit == 0) own.limit = memory_limit(0) / (size_t)ranks->near;
    enum status status = STATUS_OK;
    if (reading == READING_PARTS && !is_generated(name))
        status = ranks_same_file(ranks, name, SAME_PIECE, error);
    if (status != STATUS_OK) return status;
    together_start(&together, ranks, reading != READING_PARTS);
    status = load(ranks, &together, (enum reading)reading, name, &own, share, error);
    together_free(&together);
    if (status == STATUS_OK && options->transpose)
        status = share_transpose(ranks, share, options->limit, error);
    if (status != STATUS_OK) share_free(share);
    return status;
}
