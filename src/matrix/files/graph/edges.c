/* Edge lists, as SNAP, KONECT and others have them, and tables of row, column and value: a line an entry, of
 * which neither the number nor the largest index is known before all have been read. So they are parsed once,
 * and kept until they are placed. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/files/decimal.h"
#include "matrix/files/graph/names.h"
#include "matrix/files/graph/words.h"
#include "matrix/files/lines/lines.h"

#define LINE_MAX_BYTES 65536

/* The entries of a block of text, in one piece of memory. */
struct chunk {
    void *memory;
    double *val; /* NULL of a pattern */
    int32_t *row, *col;
    int64_t count;
};

struct edges {
    struct lines lines;
    bool table;     /* rows and columns, not vertices */
    bool bipartite; /* vertices of two kinds, which count each by themselves */
    bool named;     /* vertices are words */
    int columns;    /* of each line */
    struct chunk *chunks;
    size_t limit;
    const char *header;     /* the first line is one of titles: where it begins */
    int64_t header_line;    /* its number */
    struct names names;     /* if named; then one thread parses */
    atomic_bool fractional; /* values are not all whole numbers */
    _Atomic size_t bytes;   /* of all chunks */
    int64_t least, most[2]; /* indices that occur; most of rows and of columns */
    int64_t base, rows, cols;
};

/* What a thread finds in its blocks. */
struct found {
    int64_t least, most[2];
};

/* Read an index or a name. */
static enum status read_end(struct edges *edges, const struct lines_block *block, const char **text,
                            int which, int32_t *number, struct found *found, struct error *error)
{
    static const char *const what[2][2] = {{"vertex", "vertex"}, {"row", "column"}};
    char word[40];
    const char *begin = word_begin(*text);
    if (*begin == '\n')
        return lines_fault(&edges->lines, block, begin, error, "the line ends where a %s is expected",
                           what[edges->table][which]);
    if (edges->named) {
        *text = word_end(begin);
        return names_number(&edges->names, begin, *text - begin, number, error);
    }
    int64_t index;
    const char *end = word_index(begin, &index);
    if (!end)
        return lines_fault(&edges->lines, block, begin, error,
                           "'%s' where a %s is expected, a whole number from 0 on%s",
                           lines_word(begin, word, sizeof word), what[edges->table][which],
                           edges->table ? "" : "; --names takes words");
    if (index >= INT32_MAX)
        return lines_fault(&edges->lines, block, begin, error,
                           "%s %s is beyond %d: rows and columns are held in 32 bits%s",
                           what[edges->table][which], lines_word(begin, word, sizeof word), INT32_MAX - 1,
                           edges->table ? "" : "; --names takes vertices as they occur");
    if (index < found->least) found->least = index;
    if (index > found->most[which]) found->most[which] = index;
    *number = (int32_t)index;
    *text = end;
    return STATUS_OK;
}

/* Read the value, and skip columns behind it up to the end of the line, of which there must be as many as in
 * the first line. */
static enum status read_rest(struct edges *edges, const struct lines_block *block, const char **text,
                             double *value, struct error *error)
{
    char word[40];
    const char *begin = word_begin(*text);
    int columns = 2;
    if (edges->columns > 2 && *begin != '\n') {
        const char *end = decimal_value(begin, value), *stop = word_end(begin);
        if (end != stop)
            return lines_fault(&edges->lines, block, begin, error,
                               "'%s' where a value (a number) is expected",
                               lines_word(begin, word, sizeof word));
        if (!atomic_load_explicit(&edges->fractional, memory_order_relaxed))
            for (const char *c = begin; c < end; c++)
                if ((*c < '0' || *c > '9') && *c != '-' && *c != '+')
                    atomic_store_explicit(&edges->fractional, true, memory_order_relaxed);
        columns++;
        begin = word_begin(end);
    }
    for (; *begin != '\n' && columns <= edges->columns; begin = word_begin(word_end(begin)))
        columns++;
    *text = begin;
    if (columns == edges->columns) return STATUS_OK;
    return lines_fault(&edges->lines, block, begin, error, "the line has %s%d columns, and the first has %d",
                       *begin == '\n' ? "" : "more than ", *begin == '\n' ? columns : edges->columns,
                       edges->columns);
}

static enum status make_room(struct edges *edges, struct chunk *chunk, int64_t most, struct error *error)
{
    size_t one = 2 * sizeof(int32_t) + (edges->columns > 2 ? sizeof(double) : 0);
    size_t all = atomic_fetch_add(&edges->bytes, (size_t)most * one) + (size_t)most * one;
    if (all > edges->limit) return memory_check(all, edges->limit, "the list of entries", error);
    char *memory = memory_array((size_t)most + 1, one, error);
    if (!memory) return STATUS_MEMORY;
    chunk->memory = memory;
    if (edges->columns > 2) chunk->val = (double *)(void *)memory;
    chunk->row = (int32_t *)(void *)(memory + (edges->columns > 2 ? (size_t)most * sizeof(double) : 0));
    chunk->col = chunk->row + most;
    return STATUS_OK;
}

static enum status parse_block(struct edges *edges, int64_t k, struct found *found, struct error *error)
{
    struct lines_block block;
    struct chunk *chunk = &edges->chunks[k];
    int64_t most = 0;
    enum status status = lines_take(&edges->lines, k, &block, error);
    if (status != STATUS_OK) return status;
    most = lines_ends(block.text, block.end);
    status = make_room(edges, chunk, most, error);
    for (const char *line = block.text; line < block.end && status == STATUS_OK;) {
        const char *text = word_begin(line);
        double value = 1;
        if (*text != '\n' && *text != '#' && *text != '%') {
            int64_t c = chunk->count;
            status = read_end(edges, &block, &text, 0, &chunk->row[c], found, error);
            if (status == STATUS_OK) status = read_end(edges, &block, &text, 1, &chunk->col[c], found, error);
            if (status == STATUS_OK) status = read_rest(edges, &block, &text, &value, error);
            if (chunk->val && status == STATUS_OK) chunk->val[c] = value;
            if (status == STATUS_OK) chunk->count++;
        }
        line = *text == '\n' ? text + 1 : lines_newline(text) + 1;
    }
    lines_give(&edges->lines, &block);
    return status;
}

static enum status parse(struct edges *edges, struct progress *progress, struct error *error)
{
    struct error first = {0};
    int64_t failed = INT64_MAX;
    edges->least = INT64_MAX;
    edges->chunks = memory_zeroed((size_t)edges->lines.blocks, sizeof *edges->chunks, error);
    if (!edges->chunks) return STATUS_MEMORY;
    progress_phase(progress, "parsing", edges->lines.blocks);
#pragma omp parallel for schedule(dynamic, 1) if (edges->lines.blocks > 1 && !edges->named)
    for (int64_t k = 0; k < edges->lines.blocks; k++) {
        struct error mine = {0};
        struct found found = {INT64_MAX, {-1, -1}};
        int64_t until;
#pragma omp atomic read
        until = failed;
        if (k > until || progress_cancelled(progress)) continue;
        enum status status = parse_block(edges, k, &found, &mine);
#pragma omp critical(sparsight_edges)
        {
            if (found.least < edges->least) edges->least = found.least;
            for (int d = 0; d < 2; d++)
                if (found.most[d] > edges->most[d]) edges->most[d] = found.most[d];
            if (status != STATUS_OK && k < failed) {
#pragma omp atomic write
                failed = k;
                first = mine;
            }
        }
        progress_add(progress, 1);
    }
    if (progress_cancelled(progress)) return progress_status(progress, error);
    if (failed == INT64_MAX) return STATUS_OK;
    if (error) *error = first;
    return first.status;
}

/* --- the first lines --- */

/* Find the first line of data, and how many columns it has; a line of titles before it is skipped. */
static enum status look_ahead(struct edges *edges, struct container *container,
                              const struct load_options *options, struct error *error)
{
    struct beginning sample;
    struct error mine = {0};
    ssize_t count = container_peek(container, &sample.bytes, &mine);
    if (count < 0) {
        if (error) *error = mine;
        return mine.status;
    }
    sample.count = (size_t)count;
    sample.whole = sample.count < CONTAINER_HEAD;
    struct look look = look_at(&sample);
    const char *line = sample.bytes, *end = line + count;
    int64_t number = 1, offset = 0;
    bool first = true;
    edges->named = options->names && !edges->table;
    for (; line < end; number++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *stop = newline ? newline : end, *word = word_begin(line);
        if (first && look.konect) edges->bipartite = strncmp(word_begin(word + 1), "bip", 3) == 0;
        bool data = word < stop && *word != '#' && *word != '%';
        if (data && !(look.header && (!edges->named || look.says_edges))) break;
        if (data) look.header = false;
        first = false;
        line = newline ? newline + 1 : end;
        offset = line - sample.bytes;
    }
    if (line >= end)
        return error_at(error, STATUS_INPUT, container_path(container), number > 1 ? number - 1 : 1, 0,
                        "there is no line with an entry%s", sample.whole ? "" : " in the first 64 KiB");
    for (const char *word = word_begin(line); *word && *word != '\n'; word = word_begin(word_end(word)))
        edges->columns++;
    if (edges->columns < 2 || (edges->table && edges->columns > 3))
        return error_at(error, STATUS_INPUT, container_path(container), number, 1,
                        edges->table ? "the line has %d columns; a table has row, column and value"
                                     : "the line has %d column; an edge has two vertices",
                        edges->columns);
    enum status status = container_unpack(container, options->limit, NULL, error);
    if (status == STATUS_OK) lines_start(&edges->lines, container, offset, number, LINE_MAX_BYTES);
    return status;
}

/* --- the chunks as a source --- */

static enum status give(void *self, int64_t k, struct sink *sink, struct error *error)
{
    const struct edges *edges = self;
    const struct chunk *chunk = &edges->chunks[k];
    int32_t base = (int32_t)edges->base;
    (void)error;
    for (int64_t c = 0; c < chunk->count; c++)
        sink_put(sink, chunk->row[c] - base, chunk->col[c] - base, chunk->val ? chunk->val[c] : 1, 0);
    return STATUS_OK;
}

static void release(void *self, int64_t k)
{
    struct edges *edges = self;
    free(edges->chunks[k].memory);
    edges->chunks[k].memory = NULL;
}

/* Find out what indices count from, and how many rows and columns there are. */
static enum status find_sizes(struct edges *edges, const struct load_options *options, const char *path,
                              struct error *error)
{
    if (edges->named) {
        edges->rows = edges->cols = edges->names.count;
        return STATUS_OK;
    }
    bool none = edges->least == INT64_MAX;
    edges->base = options->from_zero ? 0 : options->from_one ? 1 : edges->least > 0 && !none;
    if (edges->base == 1 && edges->least == 0)
        return error_at(error, STATUS_INPUT, path, 0, 0,
                        "has the index 0, which --base=1 does not allow; --base=0 does");
    for (int d = 0; d < 2; d++)
        edges->most[d] = none ? 0 : edges->most[d] + 1 - edges->base;
    if (!edges->table && !edges->bipartite)
        edges->most[0] = edges->most[1] = edges->most[0] > edges->most[1] ? edges->most[0] : edges->most[1];
    edges->rows = edges->most[0];
    edges->cols = edges->most[1];
    return STATUS_OK;
}

static void take_notes(const struct edges *edges, const struct load_options *options, struct matrix *matrix)
{
    char rows[32], cols[32];
    if (!edges->named && !options->from_zero && !options->from_one)
        text_append(&matrix->notes, "indices of the file count from %d, since %s; --base sets it\n",
                    (int)edges->base, edges->base ? "none is 0" : "there is a 0");
    if (edges->named)
        text_append(&matrix->notes, "vertices are numbered as they first occur\n");
    else
        text_append(&matrix->notes, "%s rows and %s columns, since those are the largest indices\n",
                    format_count(rows, sizeof rows, edges->rows),
                    format_count(cols, sizeof cols, edges->cols));
    if (edges->columns > 3)
        text_append(&matrix->notes, "the third column is taken as values; those behind it are ignored\n");
}

static enum status read_list(struct container *container, const struct load_options *options, bool table,
                             struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct edges edges = {.table = table, .limit = memory_limit(options->limit)};
    struct build_result result = {0};
    enum status status = decimal_start(error);
    if (status == STATUS_OK) status = look_ahead(&edges, container, options, error);
    if (status != STATUS_OK) return status;
    status = parse(&edges, progress, error);
    if (status == STATUS_OK) status = find_sizes(&edges, options, container_path(container), error);
    struct source source = {.rows = edges.rows,
                            .cols = edges.cols,
                            .blocks = edges.lines.blocks,
                            .duplicates = DUPLICATES_SUM,
                            .limit = options->limit,
                            .beside = options->beside,
                            .builder = options->builder,
                            .summed = &matrix->summed,
                            .path = container_path(container),
                            .self = &edges,
                            .block = give,
                            .release = release};
    if (status == STATUS_OK) status = build_csr(&source, progress, &matrix->csr, &result, error);
    if (status == STATUS_OK) {
        matrix->field = edges.columns == 2               ? FIELD_PATTERN
                        : atomic_load(&edges.fractional) ? FIELD_REAL
                                                         : FIELD_INTEGER;
        matrix->coordinate = true;
        matrix->stored = result.stored;
        matrix->duplicates = result.duplicates;
        take_notes(&edges, options, matrix);
    }
    for (int64_t k = 0; edges.chunks && k < edges.lines.blocks; k++)
        free(edges.chunks[k].memory);
    free(edges.chunks);
    names_free(&edges.names);
    lines_end(&edges.lines);
    return status;
}

static enum status read_edges(struct container *container, const struct load_options *options,
                              struct progress *progress, struct matrix *matrix, struct error *error)
{
    return read_list(container, options, false, progress, matrix, error);
}

static enum status read_table(struct container *container, const struct load_options *options,
                              struct progress *progress, struct matrix *matrix, struct error *error)
{
    return read_list(container, options, true, progress, matrix, error);
}

static enum likeness sniff_edges(const struct beginning *sample)
{
    struct look look = look_at(sample);
    if (look.binary || !look.indices || look.columns < 2) return LIKENESS_NONE;
    if (look.snap || look.konect || look.says_edges) return LIKENESS_CERTAIN;
    return look.header ? LIKENESS_NONE : LIKENESS_POSSIBLE;
}

static enum likeness sniff_table(const struct beginning *sample)
{
    struct look look = look_at(sample);
    if (look.binary || !look.indices || !look.commas || look.columns < 2 || look.columns > 3)
        return LIKENESS_NONE;
    if (look.snap || look.konect || look.says_edges) return LIKENESS_NONE;
    return look.says_rows ? LIKENESS_CERTAIN : LIKENESS_POSSIBLE;
}

const struct reader reader_edges = {
    .name = "edges",
    .title = "edge list",
    .endings = (const char *const[]){".edges", ".el", ".wel", ".edgelist", NULL},
    .weak = (const char *const[]){".tsv", NULL},
    .sniff = sniff_edges,
    .read = read_edges,
};

const struct reader reader_table = {
    .name = "csv",
    .title = "CSV triplets",
    .endings = (const char *const[]){NULL},
    .weak = (const char *const[]){".csv", NULL},
    .sniff = sniff_table,
    .read = read_table,
};
