/* Edge lists, as from SNAP, KONECT and others, and tables of row, column and value: one line for each entry.
 * The number of entries and the largest index are unknown before the end. So a first pass reads only indices,
 * and finds their maxima and the number of entries of each row. The second places the entries. */
#include <inttypes.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/failing.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/shares.h"
#include "matrix/files/decimal.h"
#include "matrix/files/graph/edge.h"
#include "matrix/files/graph/row_counts.h"
#include "matrix/files/graph/words.h"
#include "matrix/files/lines/lines.h"
#include "matrix/relay.h"

#define LINE_MAX_BYTES 65536

struct edges {
    struct lines lines;
    struct edge_form form;
    bool bipartite; /* two kinds of vertices, numbered separately */
    bool pattern;   /* there are no values */
    struct names names;
    struct row_counts counts;
    bool again;                           /* the first pass is complete: all names are known */
    atomic_bool fractional;               /* values are not all whole numbers */
    atomic_bool weights, missing, others; /* attributes of edges: see struct edge_parser */
    int64_t least, most[2];               /* the minimum and the maxima of rows and of columns that occur */
    int64_t base, rows, cols;
};

/* The findings of a thread in its blocks. */
struct found {
    int32_t least, most[2];
};

static void start_parser(struct edges *edges, const struct lines_block *block, bool values,
                         struct edge_parser *parser)
{
    *parser = (struct edge_parser){.form = &edges->form,
                                   .lines = &edges->lines,
                                   .block = block,
                                   .next = block->text,
                                   .values = values,
                                   .names = &edges->names,
                                   .again = edges->again,
                                   .fractional = atomic_load(&edges->fractional)};
}

/* Keep the results. */
static void note(struct edges *edges, const struct edge_parser *parser)
{
    if (parser->fractional) atomic_store(&edges->fractional, true);
    if (parser->weights) atomic_store(&edges->weights, true);
    if (parser->missing) atomic_store(&edges->missing, true);
    if (parser->others) atomic_store(&edges->others, true);
}

/* --- the first pass --- */

static void look_at_indices(struct edges *edges, const int32_t *row, const int32_t *col, int count,
                            struct found *found)
{
    struct found f = {INT32_MAX, {-1, -1}};
    for (int k = 0; k < count; k++) {
        if (row[k] < f.least) f.least = row[k];
        if (col[k] < f.least) f.least = col[k];
        if (row[k] > f.most[0]) f.most[0] = row[k];
        if (col[k] > f.most[1]) f.most[1] = col[k];
    }
    row_counts_add(&edges->counts, row, count, f.most[0]);
    if (f.least < found->least) found->least = f.least;
    for (int d = 0; d < 2; d++)
        if (f.most[d] > found->most[d]) found->most[d] = f.most[d];
}

static enum status survey_block(struct edges *edges, int64_t k, bool values, struct found *found,
                                struct error *error)
{
    int32_t row[SINK_ENTRIES], col[SINK_ENTRIES];
    double val[SINK_ENTRIES];
    struct lines_block block;
    struct edge_parser parser;
    enum status status = lines_take(&edges->lines, k, &block, error);
    if (status != STATUS_OK) return status;
    start_parser(edges, &block, values, &parser);
    int count;
    while ((count = edge_parse(&parser, row, col, val, SINK_ENTRIES, error)) > 0)
        look_at_indices(edges, row, col, count, found);
    note(edges, &parser);
    lines_give(&edges->lines, &block);
    return count < 0 ? error->status : STATUS_OK;
}

/* Read the lines of the first blocks. *failed is the lowest block with an error, which is returned, or
 * `blocks`. */
static enum status survey(struct edges *edges, int64_t blocks, bool values, struct progress *progress,
                          int64_t *failed, struct error *error)
{
    struct failing failing;
    struct share shares[SHARES_MAX];
    int threads = shares_make(shares, blocks);
    failing_start(&failing, blocks);
    if (edges->form.named) { /* they are numbered in their order */
        threads = 1;
        shares[0].end = blocks;
    }
#pragma omp parallel num_threads(threads)
    {
        struct found found = {INT32_MAX, {-1, -1}};
        for (int64_t k; (k = shares_take(shares, threads, omp_get_thread_num())) >= 0;) {
            struct error mine = {0};
            if (failing_before(&failing, k) || progress_cancelled(progress)) continue;
            if (survey_block(edges, k, values, &found, &mine) != STATUS_OK) failing_note(&failing, k, &mine);
            progress_add(progress, 1);
        }
#pragma omp critical(sparsight_edges)
        {
            edges->least = min(edges->least, found.least);
            for (int d = 0; d < 2; d++)
                edges->most[d] = max(edges->most[d], found.most[d]);
        }
    }
    *failed = atomic_load(&failing.first);
    if (progress_cancelled(progress)) return progress_status(progress, error);
    return failing_status(&failing, error);
}

/* Read all lines. If an index is invalid, an earlier line may have a bad value, which is then the first error
 * of the file: so the blocks up to there are read again, with values. */
static enum status survey_all(struct edges *edges, bool values, struct progress *progress,
                              struct error *error)
{
    struct error later = {0}, earlier = {0};
    int64_t failed, unused;
    edges->least = INT32_MAX;
    edges->most[0] = edges->most[1] = -1;
    progress_phase(progress, "looking at indices", edges->lines.blocks);
    enum status status = survey(edges, edges->lines.blocks, values, progress, &failed, &later);
    if (status != STATUS_OK && status != STATUS_CANCELLED && !values) {
        enum status check = survey(edges, failed + 1, true, progress, &unused, &earlier);
        if (check != STATUS_OK) {
            later = earlier;
            status = check;
        }
    }
    if (status != STATUS_OK && error) *error = later;
    edges->again = true;
    return status;
}

/* --- the first lines --- */

/* Count the words of the first line of data, except its own number; attributes are one word. */
static void look_at_words(struct edge_form *form, const char *line)
{
    form->columns = form->numbered ? -1 : 0;
    for (const char *word = word_begin(line); *word && *word != '\n'; word = word_begin(word_end(word))) {
        form->columns++;
        form->braces = form->columns == 3 && *word == '{' && !form->table;
        if (form->braces) return;
    }
}

/* Find the first line of data and its number of columns; a line of titles before it is skipped. */
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
    struct edge_form *form = &edges->form;
    const char *line = sample.bytes, *end = line + count;
    int64_t number = 1, offset = 0;
    bool first = true;
    form->named = options->names && !form->table;
    form->numbered = look.numbered;
    for (; line < end; number++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *stop = newline ? newline : end, *word = word_begin(line);
        if (first && look.konect) edges->bipartite = strncmp(word_begin(word + 1), "bip", 3) == 0;
        bool data = word < stop && !is_comment(*word);
        if (data && !(look.header && (!form->named || look.says_edges))) break;
        if (data) look.header = false;
        first = false;
        line = newline ? newline + 1 : end;
        offset = line - sample.bytes;
    }
    if (line >= end)
        return error_at(error, STATUS_INPUT, container_path(container), number > 1 ? number - 1 : 1, 0,
                        "there is no line with an entry%s", sample.whole ? "" : " in the first 64 KiB");
    look_at_words(form, line);
    if (form->columns < 2 || (form->table && form->columns > 3))
        return error_at(error, STATUS_INPUT, container_path(container), number, 1,
                        form->table ? "the line has %d columns; a table has row, column and value"
                                    : "the line has %d column; an edge has two vertices",
                        form->columns);
    enum status status = container_unpack(container, options->limit, NULL, error);
    if (status == STATUS_OK) lines_start(&edges->lines, container, offset, number, LINE_MAX_BYTES);
    return status;
}

/* --- the second pass --- */

/* Make indices count from 0. Returns false if one exceeds those of the first pass. */
static bool shift(const struct edges *edges, int32_t *row, int32_t *col, int count)
{
    uint32_t base = (uint32_t)edges->base, rows = (uint32_t)edges->rows, cols = (uint32_t)edges->cols;
    bool outside = false;
    for (int k = 0; k < count; k++) {
        row[k] = (int32_t)((uint32_t)row[k] - base);
        col[k] = (int32_t)((uint32_t)col[k] - base);
        outside |= (uint32_t)row[k] >= rows;
        outside |= (uint32_t)col[k] >= cols;
    }
    return !outside;
}

static enum status give(void *self, int64_t k, struct sink *sink, struct error *error)
{
    struct edges *edges = self;
    const struct container *container = edges->lines.container;
    struct lines_block block;
    struct edge_parser parser;
    struct error mine = {0};
    int count = 0;
    bool same = true;
    enum status status = lines_take(&edges->lines, k, &block, error);
    if (status != STATUS_OK) return status;
    start_parser(edges, &block, sink->values, &parser);
    while (same && count >= 0 && parser.next < block.end) {
        if (sink->count == SINK_ENTRIES) sink_flush(sink);
        int32_t *row = sink->row + sink->count, *col = sink->col + sink->count;
        count = edge_parse(&parser, row, col, sink->values ? sink->val + sink->count : NULL,
                           SINK_ENTRIES - sink->count, &mine);
        same = count <= 0 || shift(edges, row, col, count);
        if (same && count > 0) sink->count += count;
    }
    note(edges, &parser);
    lines_give(&edges->lines, &block);
    if (!same || container_changed(container))
        return error_at(error, STATUS_INPUT, container_path(container), 0, 0, "changed while it was read");
    if (count < 0 && error) *error = mine;
    return count < 0 ? mine.status : STATUS_OK;
}

/* Find the base of the indices, and the numbers of rows and columns. */
static enum status find_sizes(struct edges *edges, const struct load_options *options, const char *path,
                              struct error *error)
{
    if (edges->form.named) {
        edges->rows = edges->cols = edges->names.count;
        return STATUS_OK;
    }
    bool none = edges->least == INT32_MAX;
    edges->base = options->from_zero ? 0 : options->from_one ? 1 : edges->least > 0 && !none;
    if (edges->base == 1 && edges->least == 0)
        return error_at(error, STATUS_INPUT, path, 0, 0,
                        "has the index 0, which --base=1 does not allow; --base=0 does");
    for (int d = 0; d < 2; d++)
        edges->most[d] = none ? 0 : edges->most[d] + 1 - edges->base;
    if (!edges->form.table && !edges->bipartite)
        edges->most[0] = edges->most[1] = edges->most[0] > edges->most[1] ? edges->most[0] : edges->most[1];
    edges->rows = edges->most[0];
    edges->cols = edges->most[1];
    return STATUS_OK;
}

static void take_notes(struct edges *edges, const struct load_options *options, struct matrix *matrix)
{
    char rows[32], cols[32];
    const struct edge_form *form = &edges->form;
    if (!form->named && !options->from_zero && !options->from_one)
        text_append(&matrix->notes,
                    "indices of the file count from %d, since %s; --base sets the first index\n",
                    (int)edges->base, edges->base ? "none is 0" : "there is a 0");
    if (form->named)
        text_append(&matrix->notes, "vertices are numbered as they first occur\n");
    else
        text_append(&matrix->notes, "%s rows and %s columns, the largest indices of the file\n",
                    format_count(rows, sizeof rows, edges->rows),
                    format_count(cols, sizeof cols, edges->cols));
    if (form->columns > 3)
        text_append(&matrix->notes, "the third column is read as values; later columns are ignored\n");
    if (form->numbered)
        text_append(&matrix->notes,
                    "the first column has no title in the header, and is read as line numbers\n");
    if (atomic_load(&edges->weights) && atomic_load(&edges->missing))
        text_append(&matrix->notes, "edges without a weight get the weight 1\n");
    if (atomic_load(&edges->others))
        text_append(&matrix->notes, "weight is the only attribute of edges that is read\n");
}

/* Read all lines twice, and build the matrix. */
static enum status build(struct edges *edges, const struct load_options *options, struct progress *progress,
                         struct matrix *matrix, struct build_result *result, struct error *error)
{
    bool values = edges->form.braces; /* only the attributes show whether there are values */
    struct source source = {.duplicates = DUPLICATES_SUM,
                            SOURCE_OPTIONS(options),
                            .summed = &matrix->summed,
                            .path = container_path(edges->lines.container),
                            .self = edges,
                            .block = give};
    row_counts_start(&edges->counts, memory_limit(options->limit),
                     options->builder || source_streams(&source));
    enum status status = survey_all(edges, values, progress, error);
    if (status == STATUS_OK) status = find_sizes(edges, options, source.path, error);
    edges->pattern = edges->form.columns == 2 || (edges->form.braces && !atomic_load(&edges->weights));
    source.rows = edges->rows;
    source.cols = edges->cols;
    source.blocks = edges->lines.blocks;
    source.pattern = edges->pattern;
    if (status == STATUS_OK && !options->builder) {
        status = matrix_check(&source, 0, 0, error);
        if (status == STATUS_OK && !source_streams(&source))
            source.row_lengths = row_counts_take(&edges->counts, edges->base, edges->rows);
    }
    if (status == STATUS_OK) status = build_csr(&source, progress, &matrix->csr, result, error);
    row_counts_end(&edges->counts);
    return status;
}

static enum status read_list(struct container *container, const struct load_options *options, bool table,
                             struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct edges edges = {.form.table = table};
    struct build_result result = {0};
    enum status status = decimal_start(error);
    if (status == STATUS_OK) status = look_ahead(&edges, container, options, error);
    if (status != STATUS_OK) return status;
    status = build(&edges, options, progress, matrix, &result, error);
    if (status == STATUS_OK) {
        matrix->field = edges.pattern                    ? FIELD_PATTERN
                        : atomic_load(&edges.fractional) ? FIELD_REAL
                                                         : FIELD_INTEGER;
        matrix->coordinate = true;
        matrix->stored = result.stored;
        matrix->duplicates = result.duplicates;
        take_notes(&edges, options, matrix);
    }
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
    if (look.snap || look.konect || look.says_edges || look.braces) return LIKENESS_NONE;
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
