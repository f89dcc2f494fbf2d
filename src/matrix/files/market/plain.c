#include "matrix/files/market/source.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/failing.h"
#include "base/memory.h"

/* A block's text stays in the second-level cache while it is parsed. */
#define BLOCK_BYTES ((int64_t)256 << 10)

/* Bytes after a block that are read with it, since its last line may end there. */
#define SLACK_BYTES ((int64_t)512)

#define BUFFER_BYTES ((size_t)BLOCK_BYTES + MARKET_LINE_BYTES + 2 * MARKET_PADDING)

#define SCRATCH_ENTRIES 1024

/* A buffer for the text of one block. An unused buffer is in a list. */
struct buffer {
    struct buffer *next;
    char text[BUFFER_BYTES];
};

/* A plain file as a source of entries. Its text is cut into blocks of BLOCK_BYTES bytes, and a line belongs
 * to the block in which it begins. */
struct plain {
    const struct container *container;
    const struct market_header *header;
    int64_t begin, end; /* range of the entry lines in the file */
    int64_t blocks;
    int64_t *counts;         /* the entries of each block; -1 if they have not been counted yet */
    int64_t *first;          /* the entries before each block of an array file; NULL for a coordinate file */
    _Atomic int64_t found;   /* the entries of all blocks that have been counted */
    _Atomic int64_t counted; /* how many blocks have been counted */
    atomic_bool faulty;      /* the text of a block has a fault */
    pthread_mutex_t lock;    /* protects the members below */
    struct buffer *free;
    struct market_findings *findings;
};

/* A block whose text is in a buffer. */
struct block {
    struct buffer *buffer;
    const char *raw, *raw_end; /* the bytes of the block itself; line ends in them count as its lines */
    const char *text, *end;    /* the complete lines that belong to it */
    const char *too_long; /* a line of data after them that is longer than allowed; NULL if there is none */
    bool whole;           /* false if the file has become shorter */
};

static struct buffer *take_buffer(struct plain *plain, struct error *error)
{
    pthread_mutex_lock(&plain->lock);
    struct buffer *buffer = plain->free;
    if (buffer) plain->free = buffer->next;
    pthread_mutex_unlock(&plain->lock);
    return buffer ? buffer : memory_array(1, sizeof *buffer, error);
}

static void return_buffer(struct plain *plain, struct buffer *buffer)
{
    pthread_mutex_lock(&plain->lock);
    buffer->next = plain->free;
    plain->free = buffer;
    pthread_mutex_unlock(&plain->lock);
}

static const char *last_line_start(const char *text, const char *end)
{
    const char *newline = memrchr(text, '\n', (size_t)(end - text));
    return newline ? newline + 1 : text;
}

/* Find the lines that begin between raw and raw_end, among the `size` bytes that were read. `at_start` says
 * that these begin with a line, `at_end` that the file ends with them. *more becomes true if the last line
 * continues after the read bytes. */
static void find_lines(struct block *block, const char *bytes, size_t size, bool at_start, bool at_end,
                       bool *more)
{
    char *end = (char *)bytes + size;
    const char *newline = at_start ? NULL : memchr(bytes, '\n', (size_t)(block->raw_end - bytes));
    *more = false;
    block->too_long = NULL;
    block->text = at_start ? bytes : newline ? newline + 1 : block->raw_end;
    block->end = block->text;
    if (block->text >= block->raw_end) return;
    newline = memchr(block->raw_end - 1, '\n', (size_t)(end - (block->raw_end - 1)));
    if (!newline && at_end) {
        *end = '\n';
        newline = end;
    }
    *more = !newline;
    block->end = newline ? newline + 1 : last_line_start(block->text, end);
}

/* Read block k. The text is followed by MARKET_PADDING zero bytes. */
static enum status read_block(const struct plain *plain, int64_t k, struct buffer *buffer,
                              struct block *block, struct error *error)
{
    int64_t from = plain->begin + k * BLOCK_BYTES, to = from + BLOCK_BYTES;
    if (to > plain->end) to = plain->end;
    int64_t before = k > 0; /* the byte before the block shows whether a line begins with it */
    size_t wanted = (size_t)(to - from + before), size = 0;
    bool more = true;
    for (int64_t extra = SLACK_BYTES; more; extra = (int64_t)MARKET_LINE_BYTES) {
        ssize_t count = container_pread(plain->container, buffer->text + size, wanted + (size_t)extra - size,
                                        from - before + (int64_t)size, error);
        if (count < 0) return STATUS_IO;
        size += (size_t)count;
        bool at_end = size < wanted + (size_t)extra;
        block->whole = size >= wanted;
        if (!block->whole) wanted = size < (size_t)before ? (size_t)before : size;
        block->raw = buffer->text + before;
        block->raw_end = buffer->text + wanted;
        memset(buffer->text + size, 0, MARKET_PADDING + 1);
        find_lines(block, buffer->text, size, k == 0, at_end, &more);
        if (more && extra == (int64_t)MARKET_LINE_BYTES) break;
    }
    block->buffer = buffer;
    if (more) {
        const char *first = block->end;
        while (mm_is_blank(*first))
            first++;
        if (*first != '%') block->too_long = block->end;
    }
    return STATUS_OK;
}

static void start_parser(struct market_parser *parser, const struct plain *plain, int64_t k,
                         const struct block *block, bool values)
{
    *parser = (struct market_parser){
        .shape = &plain->header->shape, .next = block->text, .end = block->end, .values = values};
    if (plain->first) market_place(parser->shape, plain->first[k], &parser->i, &parser->j);
}

/* Return how many entries to parse next into the sink. *columns becomes true if the glimpse counts these. */
static int next_piece(const struct sink *sink, bool *columns)
{
    *columns = false;
    if (!sink->glimpse || sink->values) return SINK_ENTRIES - sink->count;
    int piece = glimpse_piece(sink->block, sink->before / GLIMPSE_STRETCH);
    if (sink->count < piece) return piece - sink->count;
    *columns = sink->count < piece + GLIMPSE_PIECE;
    return (*columns ? piece + GLIMPSE_PIECE : SINK_ENTRIES) - sink->count;
}

/* Parse all of a block, of at most `most` entries, into the sink. Returns false after a fault, or if there
 * are more entries, which in an array file that changes during reading would be outside the matrix. */
static bool parse_into_sink(struct market_parser *parser, int64_t most, struct sink *sink)
{
    while (parser->next < parser->end && !parser->fault.at) {
        struct market_entries out = {sink->row + sink->count, sink->col + sink->count,
                                     sink->val + sink->count, sink->imaginary + sink->count};
        int64_t left = most - parser->count;
        int room = next_piece(sink, &parser->columns), count = market_parse(parser, &out, room);
        if (count > left) return false;
        sink->count += count;
        if (sink->count == SINK_ENTRIES) sink_flush(sink);
    }
    return !parser->fault.at;
}

/* Write the positions of a block of an array file, from the number of its entries and of earlier ones. */
static void places_into_sink(const struct plain *plain, int64_t k, struct sink *sink)
{
    int64_t i, j;
    market_place(&plain->header->shape, plain->first[k], &i, &j);
    for (int64_t c = 0; c < plain->counts[k]; c++) {
        sink_put(sink, (int32_t)i, (int32_t)j, 1, 0);
        market_next_place(&plain->header->shape, &i, &j);
    }
}

/* Return true if a block has the same number of entries as the last time, or the first time if there are not
 * yet too many. */
static bool count_is_right(struct plain *plain, int64_t k, int64_t count)
{
    if (plain->counts[k] >= 0) return plain->counts[k] == count;
    plain->counts[k] = count;
    int64_t found = atomic_fetch_add(&plain->found, count) + count;
    atomic_fetch_add(&plain->counted, 1);
    return found <= plain->header->shape.entries;
}

/* Return true if all blocks have been counted, and have not as many entries as the header promises. */
static bool total_is_wrong(const struct plain *plain)
{
    return atomic_load(&plain->counted) == plain->blocks &&
           atomic_load(&plain->found) != plain->header->shape.entries;
}

/* Put block k into the sink, for the builder. After a fault, find_fault finds it and its position. */
static enum status produce(void *self, int64_t k, struct sink *sink, struct error *error)
{
    struct plain *plain = self;
    struct block block;
    struct market_parser parser;
    bool right = !sink->values || !total_is_wrong(plain);
    if (plain->first && !sink->values) {
        places_into_sink(plain, k, sink);
        return STATUS_OK;
    }
    struct buffer *buffer = take_buffer(plain, error);
    if (!buffer) return STATUS_MEMORY;
    enum status status = read_block(plain, k, buffer, &block, error);
    if (!status && right) {
        int64_t most = plain->counts[k] < 0 ? INT64_MAX : plain->counts[k];
        start_parser(&parser, plain, k, &block, sink->values);
        right = parse_into_sink(&parser, most, sink) && !block.too_long && block.whole &&
                count_is_right(plain, k, parser.count);
        if (parser.findings) {
            pthread_mutex_lock(&plain->lock);
            market_add_findings(plain->findings, &parser, k);
            pthread_mutex_unlock(&plain->lock);
        }
    }
    return_buffer(plain, buffer);
    if (!status && !right) {
        atomic_store(&plain->faulty, true);
        status = error_set(error, STATUS_INPUT, "a fault in the text");
    }
    if (!status && container_changed(plain->container)) {
        status = error_at(error, STATUS_INPUT, container_path(plain->container), 0, 0,
                          "changed while it was read");
    }
    return status;
}

/* --- finding the first fault again, in file order, with its line --- */

static enum status fault_at(const struct plain *plain, const struct block *block, const char *at,
                            int64_t line, const char *message, struct error *error)
{
    line += market_count_lines(block->raw, at);
    const char *start = last_line_start(block->text, at);
    return error_at(error, STATUS_INPUT, container_path(plain->container), line, at - start + 1, "%s",
                    message);
}

/* Parse a block whose first entry has number *total; `line` is the line of the block's first byte. *total
 * grows by the entries of the block. */
static enum status check_block(const struct plain *plain, int64_t k, const struct block *block, int64_t line,
                               int64_t *total, struct error *error)
{
    int32_t row[SCRATCH_ENTRIES], col[SCRATCH_ENTRIES];
    double val[SCRATCH_ENTRIES], imaginary[SCRATCH_ENTRIES];
    struct market_entries out = {row, col, val, imaginary};
    struct market_parser parser;
    start_parser(&parser, plain, k, block, true);
    while (parser.next < parser.end && !parser.fault.at) {
        int64_t left = plain->header->shape.entries - *total;
        int count =
            market_parse(&parser, &out, left < SCRATCH_ENTRIES ? (left ? (int)left : 1) : SCRATCH_ENTRIES);
        *total += count;
        if (*total > plain->header->shape.entries)
            return market_too_many(plain->container, plain->header,
                                   line + market_count_lines(block->raw, parser.last), error);
    }
    if (parser.fault.at) return fault_at(plain, block, parser.fault.at, line, parser.fault.message, error);
    if (block->too_long)
        return market_too_long(plain->container, line + market_count_lines(block->raw, block->too_long),
                               error);
    return STATUS_OK;
}

/* *column becomes that of the end of the file: one more than the bytes of its last line. */
static enum status end_column(const struct plain *plain, char *buffer, int64_t *column, struct error *error)
{
    int64_t from = plain->end - (int64_t)MARKET_LINE_BYTES;
    if (from < 0) from = 0;
    ssize_t count = container_pread(plain->container, buffer, (size_t)(plain->end - from), from, error);
    if (count < 0) return STATUS_IO;
    *column = buffer + count - last_line_start(buffer, buffer + count) + 1;
    return STATUS_OK;
}

/* Return the first error of blocks first .. last-1, one by one. `line` is the number of the first line of
 * block `first`, and `total` the number of earlier entries. */
static enum status check_blocks(const struct plain *plain, int64_t first, int64_t last, int64_t line,
                                int64_t total, struct buffer *buffer, struct progress *progress,
                                struct error *error)
{
    struct block block;
    int64_t column;
    for (int64_t k = first; k < last; k++) {
        enum status status = progress_status(progress, error);
        if (!status) status = read_block(plain, k, buffer, &block, error);
        if (!status) status = check_block(plain, k, &block, line, &total, error);
        if (status) return status;
        line += market_count_lines(block.raw, block.raw_end);
    }
    if (last == plain->blocks && total < plain->header->shape.entries) {
        enum status status = end_column(plain, buffer->text, &column, error);
        return status ? status : market_too_few(plain->container, plain->header, total, line, column, error);
    }
    return STATUS_OK;
}

static enum status file_changed(const struct plain *plain, struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(plain->container), 0, 0, "changed while it was read");
}

/* Fill in the first error of the file. Called only if there is one. */
static enum status find_fault(const struct plain *plain, struct buffer *buffer, struct progress *progress,
                              struct error *error)
{
    enum status status =
        check_blocks(plain, 0, plain->blocks, plain->header->line, 0, buffer, progress, error);
    return status ? status : file_changed(plain, error);
}

/* Count the line ends and the entries of blocks first .. last-1. */
static enum status count_blocks(const struct plain *plain, int64_t first, int64_t last, struct buffer *buffer,
                                int64_t *lines, int64_t *entries, struct error *error)
{
    struct block block;
    for (int64_t k = first; k < last; k++) {
        if (read_block(plain, k, buffer, &block, error)) return error->status;
        *lines += market_count_lines(block.raw, block.raw_end);
        *entries += market_count_entries(block.text, block.end);
    }
    return STATUS_OK;
}

/* The same for a file read by several processes: each checks its own blocks, once it knows the numbers before
 * them. The first process in the order of the file with a fault returns it; those without one return
 * STATUS_CANCELLED. */
static enum status find_fault_together(const struct plain *plain, const struct builder *builder,
                                       struct progress *progress, struct error *error)
{
    struct error mine = {0};
    struct buffer *buffer = memory_array(1, sizeof *buffer, &mine);
    int64_t first, last, lines = 0, entries = 0;
    builder->range(builder->self, plain->blocks, &first, &last);
    enum status status =
        buffer ? count_blocks(plain, first, last, buffer, &lines, &entries, &mine) : STATUS_MEMORY;
    int64_t line = plain->header->line + builder->before(builder->self, lines);
    int64_t total = builder->before(builder->self, entries);
    /* Only the last process checks the end of the file. If there are too many entries before a process, an
     * earlier one reports it. */
    bool looks =
        (first < last || builder->part == builder->parts - 1) && total <= plain->header->shape.entries;
    if (!status && looks) status = check_blocks(plain, first, last, line, total, buffer, progress, &mine);
    free(buffer);
    if (builder->sum(builder->self, status != STATUS_OK) == 0) status = file_changed(plain, &mine);
    if (!status) status = error_set(&mine, STATUS_CANCELLED, "another process has found what is wrong");
    if (error) *error = mine;
    return status;
}

/* Return the line of entry number `ordinal` of block k, or 0 if it cannot be found. */
static int64_t find_line(void *self, int64_t k, int64_t ordinal)
{
    struct plain *plain = self;
    struct buffer *buffer = take_buffer(plain, NULL);
    struct block block;
    int32_t row, col;
    double val, imaginary;
    struct market_entries out = {&row, &col, &val, &imaginary};
    struct market_parser parser;
    int64_t line = plain->header->line;
    if (!buffer) return 0;
    for (int64_t b = 0; b <= k; b++) {
        if (read_block(plain, b, buffer, &block, NULL)) line = -1;
        if (b < k && line > 0) line += market_count_lines(block.raw, block.raw_end);
    }
    if (line > 0) {
        start_parser(&parser, plain, k, &block, false);
        parser.values = plain->first != NULL;
        while (parser.count <= ordinal && market_parse(&parser, &out, 1) == 1)
            ;
        line += market_count_lines(block.raw, parser.last);
    }
    return_buffer(plain, buffer);
    return line > 0 ? line : 0;
}

/* Find the lines of the first values that double precision changes. Of several processes, the first with such
 * values does so, and all receive the result and the counts of the others. `builder` is NULL for a single
 * process. */
static void find_lines_of_changes(struct plain *plain, const struct builder *builder)
{
    struct market_findings *findings = plain->findings;
    for (int kind = 0; kind < MARKET_CHANGES; kind++) {
        struct market_changed *changed = &findings->changed[kind];
        int64_t own = changed->change.count;
        bool first = !builder || builder->before(builder->self, own) == 0;
        if (own && first) changed->line = find_line(plain, changed->block, changed->change.ordinal);
        if (!builder) continue;
        builder->first(builder->self, own > 0, changed, sizeof *changed);
        changed->change.count = builder->sum(builder->self, own);
    }
    if (!builder) return;
    findings->non_integers = builder->sum(builder->self, findings->non_integers) > 0;
    findings->pattern_values = builder->sum(builder->self, findings->pattern_values) > 0;
}

/* --- array files: entries of each block, which determine its positions --- */

static enum status count_array(struct plain *plain, struct progress *progress, struct error *error)
{
    struct failing failing;
    plain->first = memory_array((size_t)plain->blocks + 1, sizeof *plain->first, error);
    if (!plain->first) return STATUS_MEMORY;
    failing_start(&failing, plain->blocks);
    progress_phase(progress, "counting", plain->blocks);
#pragma omp parallel for schedule(dynamic, 1) if (plain->blocks > 1)
    for (int64_t k = 0; k < plain->blocks; k++) {
        struct error mine = {0};
        struct block block;
        if (progress_cancelled(progress)) continue;
        struct buffer *buffer = take_buffer(plain, &mine);
        if (buffer && read_block(plain, k, buffer, &block, &mine) == STATUS_OK) {
            plain->counts[k] = market_count_entries(block.text, block.end);
            if (block.too_long) atomic_store(&plain->faulty, true);
        }
        if (buffer) return_buffer(plain, buffer);
        progress_add(progress, 1);
        if (mine.status) failing_note(&failing, k, &mine);
    }
    enum status status = failing_status(&failing, error);
    if (status) return status;
    if ((status = progress_status(progress, error))) return status;
    int64_t total = 0;
    for (int64_t k = 0; k < plain->blocks; k++) {
        plain->first[k] = total;
        total += plain->counts[k];
    }
    atomic_store(&plain->found, total);
    atomic_store(&plain->counted, plain->blocks);
    if (total_is_wrong(plain)) atomic_store(&plain->faulty, true);
    return STATUS_OK;
}

/* --- the whole --- */

static enum status build(struct plain *plain, struct source *source, struct progress *progress, struct csr *a,
                         struct build_result *result, struct error *error)
{
    struct error first = {0};
    enum status status = STATUS_OK;
    plain->counts = memory_array((size_t)plain->blocks, sizeof *plain->counts, error);
    if (!plain->counts) return STATUS_MEMORY;
    for (int64_t k = 0; k < plain->blocks; k++)
        plain->counts[k] = -1;
    if (!plain->header->shape.coordinate) status = count_array(plain, progress, &first);
    if (!status && !atomic_load(&plain->faulty)) status = build_csr(source, progress, a, result, &first);
    if (!status && result->stored != plain->header->shape.entries) atomic_store(&plain->faulty, true);
    if (result->together) {
        if (source->builder->sum(source->builder->self, atomic_load(&plain->faulty))) {
            csr_free(a);
            return find_fault_together(plain, source->builder, progress, error);
        }
        if (status && error) *error = first;
    } else if (atomic_load(&plain->faulty) && (!status || status == STATUS_INPUT)) {
        csr_free(a);
        struct buffer *buffer = take_buffer(plain, error);
        status = buffer ? find_fault(plain, buffer, progress, error) : STATUS_MEMORY;
        if (buffer) return_buffer(plain, buffer);
    } else if (status && error)
        *error = first;
    return status;
}

enum status market_build_plain(struct container *container, const struct market_header *header,
                               struct source *source, struct progress *progress, struct csr *a,
                               struct build_result *result, struct market_findings *findings,
                               struct error *error)
{
    struct plain plain = {.container = container,
                          .header = header,
                          .begin = header->offset,
                          .end = container_size(container),
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .findings = findings};
    plain.blocks = plain.end > plain.begin ? (plain.end - plain.begin + BLOCK_BYTES - 1) / BLOCK_BYTES : 0;
    source->blocks = plain.blocks;
    source->self = &plain;
    source->block = produce;
    source->line = find_line;
    enum status status = build(&plain, source, progress, a, result, error);
    if (status == STATUS_OK) find_lines_of_changes(&plain, result->together ? source->builder : NULL);
    for (struct buffer *buffer = plain.free, *next; buffer; buffer = next) {
        next = buffer->next;
        free(buffer);
    }
    free(plain.counts);
    free(plain.first);
    return status;
}
