#include "matrix/files/arrays/arrays.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/failing.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "matrix/files/arrays/walk.h"

/* Number of pointers that a thread reads at a time. */
#define POINTERS_PIECE ((int64_t)1 << 16)

/* --- pointers --- */

/* The number of lines that have pointers, if all exist. */
static int64_t lines_of(const struct arrays *arrays)
{
    if (arrays->arrangement == ARRANGED_COLUMNS) return arrays->cols;
    if (arrays->arrangement == ARRANGED_BLOCKS) return arrays->rows / arrays->block_rows;
    return arrays->rows;
}

static bool has_pointers(const struct arrays *arrays)
{
    return arrays->arrangement == ARRANGED_ROWS || arrays->arrangement == ARRANGED_COLUMNS ||
           arrays->arrangement == ARRANGED_BLOCKS;
}

/* The array whose elements are those of the entries. */
static const struct view *indices_of(const struct arrays *arrays)
{
    return arrays->arrangement == ARRANGED_COLUMNS ? &arrays->row : &arrays->col;
}

/* Read integers with several threads. */
static enum status read_integers(const struct view *view, int64_t count, int64_t *out, struct error *error)
{
    int64_t pieces = (count + POINTERS_PIECE - 1) / POINTERS_PIECE;
    struct failing failing;
    failing_start(&failing, pieces);
#pragma omp parallel for schedule(static) if (pieces > 1)
    for (int64_t p = 0; p < pieces; p++) {
        struct error mine = {0};
        int64_t from = p * POINTERS_PIECE, some = min(count - from, POINTERS_PIECE);
        if (view_integers(view, from, some, out + from, &mine) != STATUS_OK) failing_note(&failing, p, &mine);
    }
    return failing_status(&failing, error);
}

static enum status check_pointers(const struct walk *walk, struct error *error)
{
    const struct arrays *arrays = walk->arrays;
    const char *name = arrays->pointers.name;
    int64_t *pointers = walk->pointers, base = arrays->base, lines = walk->line_count, wrong = lines + 1;
    if (pointers[0] != base)
        return walk_wrong(arrays, error, "%s begins with %" PRId64 " and not with %" PRId64, name,
                          pointers[0], base);
#pragma omp parallel for reduction(min : wrong) if (lines > PARALLEL_MIN)
    for (int64_t l = 1; l <= lines; l++)
        if (pointers[l] < pointers[l - 1] && l < wrong) wrong = l;
    if (wrong <= lines)
        return walk_wrong(arrays, error,
                          "element %" PRId64 " of %s is %" PRId64 ", less than %" PRId64 " before it",
                          wrong + 1, name, pointers[wrong], pointers[wrong - 1]);
    if (pointers[lines] - base != walk->entries)
        return walk_wrong(arrays, error, "%s ends with %" PRId64 ", but %s has %" PRId64 " elements", name,
                          pointers[lines], indices_of(arrays)->name, walk->entries);
    for (int64_t l = 0; l <= lines && base != 0; l++)
        pointers[l] -= base;
    return STATUS_OK;
}

static enum status check_lines(const struct walk *walk, struct error *error)
{
    const struct arrays *arrays = walk->arrays;
    for (int64_t l = 0; l < walk->line_count; l++) {
        walk->lines[l] -= arrays->base;
        if (walk->lines[l] < 0 || walk->lines[l] >= lines_of(arrays) ||
            (l > 0 && walk->lines[l] <= walk->lines[l - 1]))
            return walk_wrong(arrays, error,
                              "element %" PRId64 " of %s is %" PRId64 "; they ascend, and are below %" PRId64,
                              l + 1, arrays->lines.name, walk->lines[l] + arrays->base,
                              lines_of(arrays) + arrays->base);
    }
    return STATUS_OK;
}

static enum status load_pointers(struct walk *walk, struct error *error)
{
    const struct arrays *arrays = walk->arrays;
    int64_t count = arrays->pointers.count;
    walk->pointers = memory_array((size_t)count, sizeof *walk->pointers, error);
    if (!walk->pointers) return STATUS_MEMORY;
    enum status status = read_integers(&arrays->pointers, count, walk->pointers, error);
    if (status == STATUS_OK) status = check_pointers(walk, error);
    if (status != STATUS_OK || arrays->lines.count == 0) return status;
    walk->lines = memory_array((size_t)walk->line_count, sizeof *walk->lines, error);
    if (!walk->lines) return STATUS_MEMORY;
    status = view_integers(&arrays->lines, 0, walk->line_count, walk->lines, error);
    return status == STATUS_OK ? check_lines(walk, error) : status;
}

/* --- the arrangements as sources for build_csr --- */

/* Entries of lines read at once: few system calls, and they stay in the cache. */
#define STRIP 2048

/* Entries of a block of lines for streaming: those of all stages fit into the second-level cache. */
#define STREAM_BLOCK ((int64_t)1 << 14)

/* Entries that are being read. */
struct piece {
    int64_t row[WALK_PIECE], col[WALK_PIECE];
    double real[WALK_PIECE], imaginary[WALK_PIECE];
};

/* Refuse an entry on the diagonal that the symmetry forbids. `k` is the number of the piece's first. */
static enum status check_diagonal(const struct walk *walk, const struct piece *piece, int64_t k,
                                  int64_t count, const struct sink *sink, struct error *error)
{
    bool skew = walk->arrays->symmetry == SYMMETRY_SKEW,
         hermitian = walk->arrays->symmetry == SYMMETRY_HERMITIAN;
    for (int64_t t = 0; t < count && (skew || hermitian) && sink->values; t++) {
        if (piece->row[t] != piece->col[t]) continue;
        if ((sink->complex && piece->imaginary[t] != 0) || (skew && piece->real[t] != 0))
            return walk_wrong(walk->arrays, error, "entry %" PRId64 " is on the diagonal, which %s",
                              k + t + 1,
                              skew ? "of a skew-symmetric matrix is 0" : "of a hermitian matrix is real");
    }
    return STATUS_OK;
}

static void put_piece(const struct piece *piece, int64_t count, struct sink *sink)
{
    for (int64_t t = 0; t < count; t++)
        sink_put(sink, (int32_t)piece->row[t], (int32_t)piece->col[t], sink->values ? piece->real[t] : 0,
                 sink->values && sink->complex ? piece->imaginary[t] : 0);
}

static enum status read_piece_values(struct walk *walk, int64_t k, int64_t count, struct piece *piece,
                                     const struct sink *sink, struct error *error)
{
    if (!sink->values) return STATUS_OK;
    return walk_values(walk, k, count, true, piece->real, sink->complex ? piece->imaginary : NULL, error);
}

/* Write the lines of entries k .. k+count-1; *line is that of entry k, and becomes that of the last. */
static void write_lines(const struct walk *walk, int64_t k, int64_t count, int64_t *line, int64_t *out)
{
    for (int64_t t = 0; t < count; t++) {
        while (k + t >= walk->pointers[*line + 1])
            ++*line;
        out[t] = walk->lines ? walk->lines[*line] : *line;
    }
}

/* Put entries begin .. end-1, with the values of a text if they have been read. */
static enum status give_range(struct walk *walk, int64_t begin, int64_t end, const double *values,
                              struct sink *sink, struct error *error)
{
    const struct arrays *arrays = walk->arrays;
    struct piece piece;
    int64_t line = walk->pointers ? walk_line(walk, begin) : 0;
    for (int64_t k = begin, count; k < end; k += count) {
        enum status status = STATUS_OK;
        count = end - k < WALK_PIECE ? end - k : WALK_PIECE;
        if (arrays->arrangement == ARRANGED_ROWS)
            write_lines(walk, k, count, &line, piece.row);
        else
            status = walk_indices(walk, &arrays->row, k, count, arrays->rows, piece.row, error);
        if (arrays->arrangement == ARRANGED_COLUMNS)
            write_lines(walk, k, count, &line, piece.col);
        else if (status == STATUS_OK && (arrays->arrangement == ARRANGED_ROWS || sink->values ||
                                         arrays->symmetry != SYMMETRY_GENERAL))
            status = walk_indices(walk, &arrays->col, k, count, arrays->cols, piece.col, error);
        else
            sink->columns = false;
        if (values)
            memcpy(piece.real, values + (k - begin), (size_t)count * sizeof *values);
        else if (status == STATUS_OK)
            status = read_piece_values(walk, k, count, &piece, sink, error);
        if (status == STATUS_OK) status = check_diagonal(walk, &piece, k, count, sink, error);
        if (status != STATUS_OK) return status;
        put_piece(&piece, count, sink);
    }
    return STATUS_OK;
}

static enum status give_entries(void *self, int64_t block, struct sink *sink, struct error *error)
{
    struct walk *walk = self;
    int64_t begin = block * WALK_BLOCK, end = begin + WALK_BLOCK;
    if (end > walk->entries) end = walk->entries;
    return give_range(walk, begin, end, NULL, sink, error);
}

/* The same, where the values are those of a block of text. */
static enum status give_text(void *self, int64_t block, struct sink *sink, struct error *error)
{
    struct walk *walk = self;
    const struct arrays_text *text = walk->arrays->text;
    int64_t begin = text->firsts[block], end = text->firsts[block + 1];
    if (begin == end) return STATUS_OK;
    if (!sink->values) return give_range(walk, begin, end, NULL, sink, error);
    double *values = memory_array((size_t)(end - begin), sizeof *values, error);
    if (!values) return STATUS_MEMORY;
    enum status status = text->read(text->self, block, values, error);
    if (status == STATUS_OK) status = give_range(walk, begin, end, values, sink, error);
    free(values);
    return status;
}

/* Write the lines of entries k .. k+count-1 as write_lines does, a line at a time. */
static void fill_lines(const struct walk *walk, int64_t k, int64_t count, int64_t *line, int32_t *out)
{
    for (int64_t t = 0, end; t < count; t = end) {
        while (k + t >= walk->pointers[*line + 1])
            ++*line;
        end = min(walk->pointers[*line + 1] - k, count);
        int32_t number = (int32_t)(walk->lines ? walk->lines[*line] : *line);
        for (int64_t e = t; e < end; e++)
            out[e] = number;
    }
}

/* Entries of lines that are being read. */
struct strip {
    int32_t across[STRIP];
    double real[STRIP], imaginary[STRIP];
};

/* Put entries k .. k+count-1 into the sink by whole arrays; *line is as of write_lines. */
static void put_strip(const struct walk *walk, const struct strip *strip, int64_t k, int64_t count,
                      int64_t *line, struct sink *sink)
{
    bool by_rows = walk->arrays->arrangement == ARRANGED_ROWS;
    for (int64_t done = 0, some; done < count; done += some) {
        if (sink->count == SINK_ENTRIES) sink_flush(sink);
        some = min(count - done, SINK_ENTRIES - sink->count);
        size_t values = sink->values ? (size_t)some * sizeof(double) : 0;
        fill_lines(walk, k + done, some, line, (by_rows ? sink->row : sink->col) + sink->count);
        memcpy((by_rows ? sink->col : sink->row) + sink->count, strip->across + done,
               (size_t)some * sizeof *strip->across);
        memcpy(sink->val + sink->count, strip->real + done, values);
        memcpy(sink->imaginary + sink->count, strip->imaginary + done, sink->complex ? values : 0);
        sink->count += (int)some;
    }
}

/* The output of give_lines as plain arrays. */
static enum status copy_lines(void *self, int64_t block, int64_t from, int64_t count,
                              const struct entry_arrays *to, struct error *error)
{
    struct walk *walk = self;
    const struct arrays *arrays = walk->arrays;
    bool by_rows = arrays->arrangement == ARRANGED_ROWS;
    int64_t begin = block * walk->block + from, line = walk_line(walk, begin);
    enum status status =
        walk_narrow_indices(walk, indices_of(arrays), begin, count, by_rows ? arrays->cols : arrays->rows,
                            by_rows ? to->col : to->row, error);
    if (status == STATUS_OK) status = walk_values(walk, begin, count, true, to->val, to->imaginary, error);
    if (status == STATUS_OK) fill_lines(walk, begin, count, &line, by_rows ? to->row : to->col);
    return status;
}

static int64_t size_lines(void *self, int64_t block)
{
    const struct walk *walk = self;
    return min(walk->block, walk->entries - block * walk->block);
}

/* The same as give_entries for lines, if no entry needs a separate check. */
static enum status give_lines(void *self, int64_t block, struct sink *sink, struct error *error)
{
    struct walk *walk = self;
    const struct arrays *arrays = walk->arrays;
    struct strip strip;
    bool by_rows = arrays->arrangement == ARRANGED_ROWS;
    int64_t begin = block * walk->block, end = min(begin + walk->block, walk->entries);
    int64_t line = walk_line(walk, begin);
    for (int64_t k = begin, count; k < end; k += count) {
        count = min(end - k, STRIP);
        enum status status = walk_narrow_indices(walk, indices_of(arrays), k, count,
                                                 by_rows ? arrays->cols : arrays->rows, strip.across, error);
        if (status == STATUS_OK && sink->values)
            status =
                walk_values(walk, k, count, true, strip.real, sink->complex ? strip.imaginary : NULL, error);
        if (status != STATUS_OK) return status;
        put_strip(walk, &strip, k, count, &line, sink);
    }
    return STATUS_OK;
}

/* A block for the builder is one block of the matrix after the other, as many as have WALK_BLOCK entries.
 */
static int64_t blocks_at_once(const struct arrays *arrays)
{
    int64_t some = WALK_BLOCK / (arrays->block_rows * arrays->block_cols);
    return some > 0 ? some : 1;
}

static enum status give_blocks(void *self, int64_t block, struct sink *sink, struct error *error)
{
    struct walk *walk = self;
    const struct arrays *arrays = walk->arrays;
    struct piece piece;
    int64_t size = arrays->block_rows * arrays->block_cols, some = blocks_at_once(arrays);
    int64_t begin = block * some, end = begin + some < walk->entries ? begin + some : walk->entries;
    int64_t line = walk_line(walk, begin), index;
    for (int64_t b = begin; b < end; b++) {
        enum status status =
            walk_indices(walk, &arrays->col, b, 1, arrays->cols / arrays->block_cols, &index, error);
        int64_t top;
        write_lines(walk, b, 1, &line, &top);
        for (int64_t e = 0, count; e < size && status == STATUS_OK; e += count) {
            count = size - e < WALK_PIECE ? size - e : WALK_PIECE;
            status = read_piece_values(walk, b * size + e, count, &piece, sink, error);
            for (int64_t t = 0; t < count; t++) {
                piece.row[t] = top * arrays->block_rows + (e + t) / arrays->block_cols;
                piece.col[t] = index * arrays->block_cols + (e + t) % arrays->block_cols;
            }
            if (status == STATUS_OK) put_piece(&piece, count, sink);
        }
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

/* Put the elements from number k on into the sink if they are entries. Element k of diagonals is in their
 * line k / stride. The position of an element of a dense matrix follows from the order of the elements.
 * Elements of diagonals that are 0 or outside the matrix are no entries. */
static enum status give_elements(void *self, int64_t block, struct sink *sink, struct error *error)
{
    struct walk *walk = self;
    const struct arrays *arrays = walk->arrays;
    struct piece piece;
    int64_t begin = block * WALK_BLOCK, end = begin + WALK_BLOCK, diagonal = -1, offset = 0;
    bool diagonals = arrays->arrangement == ARRANGED_DIAGONALS;
    bool by_rows = arrays->arrangement == ARRANGED_DENSE_ROWS;
    if (end > walk->entries) end = walk->entries;
    for (int64_t k = begin, count; k < end; k += count) {
        count = end - k < WALK_PIECE ? end - k : WALK_PIECE;
        enum status status = walk_values(walk, k, count, sink->values, piece.real,
                                         sink->complex ? piece.imaginary : NULL, error);
        if (status != STATUS_OK) return status;
        for (int64_t t = 0; t < count; t++) {
            int64_t e = k + t, i, j;
            if (diagonals) {
                if (e / arrays->stride != diagonal) {
                    diagonal = e / arrays->stride;
                    status = view_integers(&arrays->col, diagonal, 1, &offset, error);
                    if (status != STATUS_OK) return status;
                }
                j = e % arrays->stride;
                if (j >= arrays->cols || offset > j || offset <= j - arrays->rows) continue;
                i = j - offset;
                if (piece.real[t] == 0 && !(sink->complex && piece.imaginary[t] != 0)) continue;
            } else {
                i = by_rows ? e / arrays->cols : e % arrays->rows;
                j = by_rows ? e % arrays->cols : e / arrays->rows;
            }
            sink_put(sink, (int32_t)i, (int32_t)j, piece.real[t], sink->complex ? piece.imaginary[t] : 0);
        }
    }
    return STATUS_OK;
}

/* --- checks of sizes --- */

static enum status check_count(const struct arrays *arrays, const struct view *view, int64_t wanted,
                               const char *why, struct error *error)
{
    if (view->count == wanted) return view_check(view, error);
    return walk_wrong(arrays, error, "%s has %" PRId64 " elements, but should have %" PRId64 ", %s",
                      view->name, view->count, wanted, why);
}

static enum status check_shape(const struct arrays *arrays, struct error *error)
{
    if (arrays->rows < 0 || arrays->cols < 0 || arrays->rows > INT32_MAX || arrays->cols > INT32_MAX)
        return error_at(error, arrays->rows < 0 || arrays->cols < 0 ? STATUS_INPUT : STATUS_LIMIT,
                        arrays->path, 0, 0,
                        "%" PRId64 " rows x %" PRId64
                        " columns: rows and columns are held in 32 bits, at most %d of each",
                        arrays->rows, arrays->cols, INT32_MAX);
    if (arrays->symmetry != SYMMETRY_GENERAL && arrays->rows != arrays->cols)
        return walk_wrong(arrays, error, "%" PRId64 " rows x %" PRId64 " columns cannot be symmetric",
                          arrays->rows, arrays->cols);
    if (arrays->arrangement != ARRANGED_BLOCKS) return STATUS_OK;
    if (arrays->block_rows > 0 && arrays->block_cols > 0 && arrays->rows % arrays->block_rows == 0 &&
        arrays->cols % arrays->block_cols == 0)
        return STATUS_OK;
    return walk_wrong(arrays, error,
                      "blocks of %" PRId64 " x %" PRId64 " do not make a matrix of %" PRId64 " x %" PRId64,
                      arrays->block_rows, arrays->block_cols, arrays->rows, arrays->cols);
}

static enum status check_values(const struct walk *walk, struct error *error)
{
    const struct arrays *arrays = walk->arrays;
    int64_t wanted = walk->entries;
    enum status status = STATUS_OK;
    if (arrays->field == FIELD_PATTERN || arrays->text) return STATUS_OK;
    if (arrays->arrangement == ARRANGED_BLOCKS &&
        (__builtin_mul_overflow(arrays->block_rows, arrays->block_cols, &wanted) ||
         __builtin_mul_overflow(walk->entries, wanted, &wanted)))
        return walk_wrong(arrays, error, "the blocks are too large");
    if (arrays->single) wanted = 1;
    status = check_count(arrays, &arrays->value, wanted, "as many as there are entries", error);
    if (status == STATUS_OK && arrays->imaginary.count)
        status = check_count(arrays, &arrays->imaginary, wanted, "as many as there are entries", error);
    return status;
}

/* Find the number of entries, and check all counts against it and the file. */
static enum status check_sizes(struct walk *walk, struct error *error)
{
    const struct arrays *arrays = walk->arrays;
    enum status status = check_shape(arrays, error);
    bool dense = arrays->arrangement == ARRANGED_DENSE_ROWS || arrays->arrangement == ARRANGED_DENSE_COLUMNS;
    if (status != STATUS_OK) return status;
    if (dense)
        walk->entries = arrays->rows * arrays->cols;
    else if (arrays->arrangement == ARRANGED_DIAGONALS) {
        if (__builtin_mul_overflow(arrays->col.count, arrays->stride, &walk->entries))
            return walk_wrong(arrays, error, "the diagonals are too long");
    } else
        walk->entries = indices_of(arrays)->count;
    walk->line_count = arrays->lines.count || arrays->lines.name ? arrays->lines.count : lines_of(arrays);
    if (has_pointers(arrays))
        status = check_count(arrays, &arrays->pointers, walk->line_count + 1,
                             "one more than there are rows or columns", error);
    if (status == STATUS_OK && arrays->lines.name) status = view_check(&arrays->lines, error);
    if (status == STATUS_OK && !dense) status = view_check(indices_of(arrays), error);
    if (status == STATUS_OK && arrays->arrangement == ARRANGED_LOOSE)
        status = check_count(arrays, &arrays->row, walk->entries, "one for each column", error);
    return status == STATUS_OK ? check_values(walk, error) : status;
}

/* --- the whole --- */

/* Maximum entries of the matrix; all elements for diagonals and dense matrices. */
static int64_t entries_of(const struct walk *walk)
{
    const struct arrays *arrays = walk->arrays;
    return arrays->arrangement == ARRANGED_BLOCKS ? walk->entries * arrays->block_rows * arrays->block_cols
                                                  : walk->entries;
}

static enum status build(struct walk *walk, struct source *source, struct progress *progress,
                         struct matrix *matrix, struct build_result *result, struct error *error)
{
    const struct arrays *arrays = walk->arrays;
    enum status status = STATUS_OK;
    size_t more = has_pointers(arrays) ? (size_t)(walk->line_count + 1) * sizeof(int64_t) : 0;
    if (arrays->lines.count) more *= 2;
    source->self = walk;
    source->whole_rows = arrays->arrangement == ARRANGED_ROWS;
    source->blocks = (walk->entries + WALK_BLOCK - 1) / WALK_BLOCK;
    if (has_pointers(arrays)) {
        bool stays = arrays->arrangement == ARRANGED_ROWS && !arrays->lines.name;
        status = matrix_check(source, entries_of(walk), stays ? 0 : more, error);
        if (status == STATUS_OK) status = load_pointers(walk, error);
        if (status != STATUS_OK) return status;
        if (stays && !arrays->text && arrays->symmetry == SYMMETRY_GENERAL && !source_streams(source) &&
            !source->builder) {
            int64_t *row_ptr = walk->pointers;
            status = build_rows(source, row_ptr, walk_fill_rows, progress, &matrix->csr, result, error);
            walk->pointers = NULL; /* it is the matrix's, or freed */
            return status;
        }
    }
    bool plain = arrays->symmetry == SYMMETRY_GENERAL || arrays->symmetry == SYMMETRY_SYMMETRIC;
    source->block = arrays->text ? give_text : has_pointers(arrays) && plain ? give_lines : give_entries;
    if (source->block == give_lines) {
        source->copy = copy_lines;
        if (source_streams(source)) walk->block = STREAM_BLOCK;
        source->blocks = (walk->entries + walk->block - 1) / walk->block;
        source->size = size_lines;
    }
    if (arrays->text) source->blocks = arrays->text->blocks;
    if (arrays->arrangement == ARRANGED_BLOCKS) {
        source->block = give_blocks;
        source->copy = NULL;
        source->blocks = (walk->entries + blocks_at_once(arrays) - 1) / blocks_at_once(arrays);
    } else if (arrays->arrangement >= ARRANGED_DIAGONALS)
        source->block = give_elements;
    return build_csr(source, progress, &matrix->csr, result, error);
}

enum status arrays_build(const struct arrays *arrays, const struct load_options *options,
                         struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct walk walk = {.arrays = arrays, .block = WALK_BLOCK};
    struct build_result result = {0};
    struct source source = {
        .rows = arrays->rows,
        .cols = arrays->cols,
        .complex = arrays->field == FIELD_COMPLEX,
        .pattern = arrays->field == FIELD_PATTERN,
        .symmetry = arrays->symmetry,
        .duplicates = DUPLICATES_SUM,
        .agreeing_mirrors = options->lenient || arrays->agreeing_mirrors,
        SOURCE_OPTIONS(options),
        .summed = &matrix->summed,
        .path = arrays->path,
    };
    enum status status = check_sizes(&walk, error);
    if (status == STATUS_OK) status = build(&walk, &source, progress, matrix, &result, error);
    free(walk.pointers);
    free(walk.lines);
    if (status != STATUS_OK) return status;
    int64_t rounded = atomic_load(&walk.rounded);
    matrix->field = arrays->field;
    matrix->symmetry = arrays->symmetry;
    matrix->coordinate = arrays->arrangement < ARRANGED_DENSE_ROWS;
    matrix->stored = result.stored;
    matrix->duplicates = result.duplicates;
    matrix->explicit_zeros = result.zeros;
    matrix->zeros_counted = result.zeros_counted;
    if (rounded)
        text_append(&matrix->notes, "%" PRId64 " %s not exact in double precision\n", rounded,
                    rounded == 1 ? "integer is" : "integers are");
    if (result.agreeing_mirrors)
        text_append(&matrix->notes,
                    "%" PRId64
                    " entries stand in both triangles of a symmetric file and agree; counted once\n",
                    result.agreeing_mirrors);
    return STATUS_OK;
}
