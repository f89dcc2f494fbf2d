/* METIS graphs: a line of sizes, then the neighbours of each vertex on a line of its own. The format is
 * Karypis, "METIS: A Software Package for Partitioning Unstructured Graphs", version 5.1, 2013,
 * section 4.1.1. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "matrix/files/decimal.h"
#include "matrix/files/graph/words.h"
#include "matrix/files/lines/lines.h"

#define WEIGHTS_MAX 1000 /* of a vertex */

struct header {
    int64_t vertices, edges;
    bool sizes, vertex_weights, edge_weights;
    int64_t weights; /* of a vertex */
    int64_t line;    /* its number */
    const char *end; /* where the next line begins */
};

struct metis {
    struct header header;
    struct lines lines;
    int64_t *words;   /* of each block, in lines that count */
    int64_t *entries; /* before each block, and of all */
};

/* The destination of neighbours: a sink, or the matrix itself. */
struct out {
    struct sink *sink; /* NULL: into `a` */
    struct csr *a;
    struct rows_found *found;
    int64_t at, end; /* the remaining entries of the block */
};

/* Read the header. Returns NULL, or the fault as text. */
static const char *read_header(const char *text, const char *end, struct header *header)
{
    int64_t number[4] = {0};
    int count = 0;
    const char *line = text;
    *header = (struct header){.line = 1};
    for (; line < end && *word_begin(line) == '%'; header->line++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        line = newline ? newline + 1 : end;
    }
    const char *newline = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
    header->end = newline ? newline + 1 : end;
    for (const char *word = word_begin(line), *stop; word < header->end && *word && *word != '\n';
         word = word_begin(stop)) {
        stop = count < 4 ? word_index(word, &number[count]) : NULL;
        if (!stop)
            return "two to four whole numbers are expected: vertices, edges, format, weights of a vertex";
        count++;
    }
    if (count < 2) return "the numbers of vertices and edges are expected";
    header->vertices = number[0];
    header->edges = number[1];
    if (number[2] / 100 > 1 || number[2] / 10 % 10 > 1 || number[2] % 10 > 1)
        return "the format, the third number, has three digits, each 0 or 1";
    header->sizes = number[2] / 100;
    header->vertex_weights = number[2] / 10 % 10;
    header->edge_weights = number[2] % 10;
    header->weights = header->vertex_weights ? (count > 3 ? number[3] : 1) : 0;
    if (header->weights > WEIGHTS_MAX) return "a vertex has too many weights";
    return header->edges > INT64_MAX / 4 ? "there are too many edges" : NULL;
}

static bool counts(const char *line)
{
    return *word_begin(line) != '%';
}

/* Return the number of lines of a block that count, and store their numbers of words. */
static int64_t count_block(void *self, const struct lines_block *block)
{
    struct metis *m = self;
    int64_t lines = 0, *words = &m->words[block->number];
    *words = 0;
    if (!memchr(block->text, '%', (size_t)(block->end - block->text))) {
        *words = words_count(block->text, block->end);
        return lines_ends(block->text, block->end);
    }
    for (const char *line = block->text, *next; line < block->end; line = next) {
        next = lines_newline(line) + 1;
        if (!counts(line)) continue;
        *words += words_count(line, next);
        lines++;
    }
    return lines;
}

/* Compute the number of entries before each block, assuming valid lines. */
static void count_entries(struct metis *m)
{
    int64_t step = m->header.edge_weights ? 2 : 1, before = m->header.weights + m->header.sizes;
    m->entries[0] = 0;
    for (int64_t k = 0; k < m->lines.blocks; k++) {
        int64_t first = min(m->lines.before[k], m->header.vertices);
        int64_t vertices = min(m->lines.before[k + 1], m->header.vertices) - first;
        m->entries[k + 1] = m->entries[k] + max(m->words[k] - vertices * before, 0) / step;
    }
}

static enum status count(struct metis *m, struct progress *progress, struct error *error)
{
    m->words = memory_array((size_t)m->lines.blocks + 1, sizeof *m->words, error);
    m->entries = memory_array((size_t)m->lines.blocks + 1, sizeof *m->entries, error);
    if (!m->words || !m->entries) return STATUS_MEMORY;
    enum status status = lines_count(&m->lines, count_block, m, progress, error);
    if (status == STATUS_OK) count_entries(m);
    return status;
}

/* Skip the size and the weights of a vertex, with which its line begins. */
static enum status skip_weights(struct metis *m, const struct lines_block *block, const char **text,
                                struct error *error)
{
    for (int64_t k = 0; k < m->header.weights + m->header.sizes; k++) {
        double unused;
        const char *word = word_begin(*text), *end = *word == '\n' ? NULL : decimal_double(word, &unused);
        if (!end || end != word_end(word))
            return lines_fault(&m->lines, block, word, error,
                               "a number is expected, which is the weight or size of the vertex");
        *text = end;
    }
    return STATUS_OK;
}

/* Read the weight of an edge. Returns its end, or NULL if there is none. Most are integers of a few digits.
 * Without a request for its value it is skipped, since another pass reads it. */
static inline const char *read_weight(const char *word, bool wanted, double *weight)
{
    unsigned digits;
    if (*word == '\n') return NULL;
    if (!wanted) return word_end(word);
    *weight = (double)decimal_eight(word, &digits);
    const char *end = word + digits;
    if (is_separator(*end) || *end == '\n') return end;
    end = decimal_double(word, weight);
    return end && end == word_end(word) ? end : NULL;
}

/* Append an entry. */
static inline void put(struct out *out, int64_t vertex, int32_t neighbour, double weight)
{
    if (out->sink)
        sink_put(out->sink, (int32_t)vertex, neighbour, weight, 0);
    else if (out->at < out->end) { /* too few entries exist if a line lacks weights */
        out->a->col[out->at] = neighbour;
        out->a->val[out->at] = weight;
        out->found->zeros += weight == 0;
        out->at++;
    }
}

/* Read the line that *text is in; *text becomes its end. */
static inline enum status read_line(struct metis *m, const struct lines_block *block, int64_t vertex,
                                    const char **text, struct out *out, struct error *error)
{
    char shown[40];
    const char *word = *text;
    bool weights = m->header.edge_weights, wanted = !out->sink || out->sink->values;
    int64_t vertices = m->header.vertices, last = 0;
    if (m->header.weights + m->header.sizes > 0) {
        enum status status = skip_weights(m, block, &word, error);
        if (status != STATUS_OK) return status;
    }
    for (word = word_begin(word); *word != '\n'; word = word_begin(word)) {
        int64_t neighbour;
        double weight = 1;
        const char *end = word_index(word, &neighbour);
        if (!end || neighbour < 1 || neighbour > vertices)
            return lines_fault(&m->lines, block, word, error, "'%s' is not a vertex from 1 to %" PRId64,
                               lines_word(word, shown, sizeof shown), vertices);
        word = end;
        if (weights) {
            word = word_begin(word);
            end = read_weight(word, wanted, &weight);
            if (!end)
                return lines_fault(&m->lines, block, word, error,
                                   "the weight of the edge to vertex %" PRId64 " is missing", neighbour);
            word = end;
        }
        put(out, vertex, (int32_t)(neighbour - 1), weight);
        if (!out->sink) out->found->unsorted |= neighbour <= last;
        last = neighbour;
    }
    *text = word;
    return STATUS_OK;
}

/* Read the lines of block k. */
static inline enum status read_block(struct metis *m, int64_t k, struct out *out, struct error *error)
{
    struct lines_block block;
    enum status status = lines_take(&m->lines, k, &block, error);
    if (status != STATUS_OK) return status;
    int64_t vertex = m->lines.before[k];
    for (const char *line = block.text; line < block.end && status == STATUS_OK;
         line = lines_newline(line) + 1) {
        if (!counts(line)) continue;
        if (vertex < m->header.vertices && out->a) out->a->row_ptr[vertex] = out->at;
        if (vertex < m->header.vertices)
            status = read_line(m, &block, vertex, &line, out, error);
        else if (*word_begin(line) != '\n')
            status =
                lines_fault(&m->lines, &block, line, error,
                            "more lines than the %" PRId64 " vertices of the header", m->header.vertices);
        vertex++;
    }
    lines_give(&m->lines, &block);
    if (status == STATUS_OK && (vertex != m->lines.before[k + 1] || (out->a && out->at != out->end)))
        return error_at(error, STATUS_INPUT, container_path(m->lines.container), 0, 0,
                        "changed while it was read");
    return status;
}

static enum status give(void *self, int64_t k, struct sink *sink, struct error *error)
{
    return read_block(self, k, &(struct out){.sink = sink}, error);
}

/* The rows of a block, as build_rows wants them. */
static enum status fill(void *self, int64_t k, struct csr *a, struct rows_found *found, struct error *error)
{
    struct metis *m = self;
    struct out out = {.a = a, .found = found, .at = m->entries[k], .end = m->entries[k + 1]};
    found->first = out.at;
    found->end = out.end;
    found->first_row = m->lines.before[k];
    found->end_row = min(m->lines.before[k + 1], a->rows);
    return read_block(m, k, &out, error);
}

/* A line is a row: the neighbours go directly into the arrays, unless the matrix is distributed or
 * streamed. */
static enum status build(struct metis *m, const struct source *source, struct progress *progress,
                         struct matrix *matrix, struct build_result *result, struct error *error)
{
    int64_t entries = m->entries[m->lines.blocks];
    enum status status = source->builder ? STATUS_OK : matrix_check(source, entries, 0, error);
    if (status != STATUS_OK) return status;
    if (source->builder || source_streams(source))
        return build_csr(source, progress, &matrix->csr, result, error);
    int64_t *row_ptr = memory_array((size_t)source->rows + 1, sizeof *row_ptr, error);
    if (!row_ptr) return STATUS_MEMORY;
    row_ptr[source->rows] = entries;
    return build_rows(source, row_ptr, fill, progress, &matrix->csr, result, error);
}

/* Check that the number of vertices does not exceed the lines of the file. */
static enum status check_vertices(const struct metis *m, const char *path, struct error *error)
{
    int64_t lines = m->lines.before[m->lines.blocks];
    if (lines >= m->header.vertices) return STATUS_OK;
    return error_at(error, STATUS_INPUT, path, m->header.line, 1,
                    "%" PRId64 " vertices should have as many lines, but there are %" PRId64
                    "; the file is cut short",
                    m->header.vertices, lines);
}

static enum status check_edges(const struct metis *m, const struct load_options *options, int64_t stored,
                               struct matrix *matrix, const char *path, struct error *error)
{
    int64_t wanted = 2 * m->header.edges;
    if (stored == wanted) return STATUS_OK;
    if (!options->lenient)
        return error_at(error, STATUS_INPUT, path, m->header.line, 1,
                        "%" PRId64 " edges, each at both of its ends, make %" PRId64
                        " neighbours, but there are %" PRId64 "; --lenient takes those",
                        m->header.edges, wanted, stored);
    text_append(&matrix->notes, "%" PRId64 " neighbours, where the header promises twice %" PRId64 "\n",
                stored, m->header.edges);
    return STATUS_OK;
}

static enum status open_graph(struct container *container, struct metis *m, struct error *error)
{
    const char *bytes;
    struct error mine = {0};
    ssize_t count = container_peek(container, &bytes, &mine);
    if (count < 0) {
        if (error) *error = mine;
        return mine.status;
    }
    const char *wrong = read_header(bytes, bytes + count, &m->header);
    if (wrong)
        return error_at(error, STATUS_INPUT, container_path(container), m->header.line, 1, "%s", wrong);
    m->lines.begin = m->header.end - bytes;
    return STATUS_OK;
}

static enum status read_metis(struct container *container, const struct load_options *options,
                              struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct metis m = {0};
    struct build_result result = {0};
    const char *path = container_path(container);
    enum status status = decimal_start(error);
    if (status == STATUS_OK) status = open_graph(container, &m, error);
    int64_t begin = m.lines.begin;
    if (status == STATUS_OK) status = container_unpack(container, options->limit, progress, error);
    if (status != STATUS_OK) return status;
    lines_start(&m.lines, container, begin, m.header.line + 1, INT64_MAX / 16);
    status = count(&m, progress, error);
    if (status == STATUS_OK) status = check_vertices(&m, path, error);
    const struct source source = {.rows = m.header.vertices,
                                  .cols = m.header.vertices,
                                  .blocks = m.lines.blocks,
                                  .duplicates = DUPLICATES_SUM,
                                  SOURCE_OPTIONS(options),
                                  .pattern = !m.header.edge_weights,
                                  .summed = &matrix->summed,
                                  .path = path,
                                  .self = &m,
                                  .block = give};
    if (status == STATUS_OK) status = build(&m, &source, progress, matrix, &result, error);
    if (status == STATUS_OK) status = check_edges(&m, options, result.stored, matrix, path, error);
    if (status != STATUS_OK) csr_free(&matrix->csr);
    if (status == STATUS_OK) {
        matrix->field = m.header.edge_weights ? FIELD_REAL : FIELD_PATTERN;
        matrix->coordinate = true;
        matrix->stored = result.stored;
        matrix->duplicates = result.duplicates;
        matrix->explicit_zeros = result.zeros;
        matrix->zeros_counted = result.zeros_counted;
        if (m.header.weights || m.header.sizes)
            text_append(&matrix->notes, "weights and sizes of vertices are not read\n");
    }
    lines_end(&m.lines);
    free(m.words);
    free(m.entries);
    return status;
}

static enum status look(struct container *container, const struct load_options *options,
                        struct outline *outline, struct error *error)
{
    struct metis m = {0};
    enum status status = open_graph(container, &m, error);
    outline->field = m.header.edge_weights ? FIELD_REAL : FIELD_PATTERN;
    outline->rows = outline->cols = m.header.vertices;
    outline->entries = 2 * m.header.edges;
    return status;
}

/* True if the numbers of a line can be neighbours of a vertex: from 1 to n, and not itself. *words becomes
 * their number. */
static bool can_be_neighbours(const struct header *header, const char *line, int64_t vertex, int64_t *words)
{
    int64_t number, before = header->weights + header->sizes, step = header->edge_weights ? 2 : 1, k = 0;
    for (const char *word = word_begin(line), *end; *word && *word != '\n'; word = word_begin(end), k++) {
        end = word_index(word, &number);
        if (!end) return false;
        if (k < before || (k - before) % step) continue;
        if (number < 1 || number > header->vertices || number == vertex) return false;
    }
    *words = k;
    return k >= before && (k - before) % step == 0;
}

/* A text may be a METIS graph if its lines can be the neighbours of vertices; if all of it is visible, the
 * numbers of lines and neighbours must be those of the first line. */
static enum likeness sniff(const struct beginning *sample)
{
    struct header header;
    const char *end = sample->bytes + sample->count;
    int64_t vertex = 0, neighbours = 0, words = 0;
    if (memchr(sample->bytes, 0, sample->count) || *word_begin(sample->bytes) == '#') return LIKENESS_NONE;
    if (read_header(sample->bytes, end, &header) || header.vertices < 1) return LIKENESS_NONE;
    for (const char *line = header.end; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline && !sample->whole) break;
        if (counts(line)) {
            if (vertex < header.vertices && !can_be_neighbours(&header, line, vertex + 1, &words))
                return LIKENESS_NONE;
            if (vertex >= header.vertices && *word_begin(line) != '\n' && *word_begin(line))
                return LIKENESS_NONE;
            if (vertex < header.vertices)
                neighbours += (words - header.weights - header.sizes) / (header.edge_weights ? 2 : 1);
            vertex++;
        }
        line = newline ? newline + 1 : end;
    }
    if (sample->whole && (vertex < header.vertices || neighbours != 2 * header.edges)) return LIKENESS_NONE;
    return vertex > 0 ? LIKENESS_POSSIBLE : LIKENESS_NONE;
}

const struct reader reader_metis = {
    .name = "metis",
    .title = "METIS graph",
    .endings = (const char *const[]){".graph", ".metis", NULL},
    .sniff = sniff,
    .read = read_metis,
    .look = look,
};
