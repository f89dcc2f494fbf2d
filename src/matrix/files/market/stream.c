#include "matrix/files/market/source.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/spill.h"
#include "base/threads.h"
#include "matrix/relay.h"

#define TEXT_BYTES ((size_t)256 << 10)
#define BUFFER_BYTES (TEXT_BYTES + MARKET_LINE_BYTES + MARKET_PADDING)

/* Bytes of a file below which one thread reads it, since starting others takes longer. */
#define PACKED_MIN 8192

/* A text has the most entries if its lines are those of an array file with one digit each, and the most skips
 * if each of these has a blank line behind it. */
#define ENTRIES_MAX (BUFFER_BYTES / 2 + 1)
#define SKIPS_MAX (BUFFER_BYTES / 3 + 2)

/* The entries of one block of text. val, imaginary, row, col and skips lie in one piece of memory. If entries
 * are passed on and not kept, there are only the skips. */
struct chunk {
    void *memory;
    double *val, *imaginary;
    int32_t *row, *col;
    struct market_skip *skips;
    int64_t count, skips_count;
    int64_t offset;     /* offset of the entries in the spill; -1 if they are in memory */
    int64_t lines;      /* line ends in the text */
    int64_t fault_line; /* line ends in the text before its fault; -1: none */
};

/* A thread's buffers for the text and the entries of a block. */
struct room {
    struct market_entries out;
    struct market_skip *skips;
    char *text;
};

/* A stream as a source of entries. Threads take turns at reading a block of text, and each parses its block
 * while the next one reads. */
struct stream {
    struct container *container;
    const struct market_header *header;
    struct progress *progress;
    pthread_mutex_t lock; /* protects the members below, except the atomics */
    char *carry;          /* the bytes read after the last complete line */
    size_t carry_bytes;
    bool ended;    /* the container has no more */
    bool too_long; /* the next line of data is longer than allowed */
    struct chunk *chunks;
    int64_t count, capacity; /* number of chunks, and room for chunks */
    int64_t entries;         /* number of entries of an array file read so far */
    int64_t end_column;      /* the column of the text's end, once reached */
    int64_t failed;          /* the first chunk with an error; INT64_MAX if there is none */
    struct error error;      /* its error, without its line */
    bool counted;            /* the error is in a line of chunk `failed`, whose number is to be counted */
    struct market_findings *findings;
    struct glimpse *glimpse;
    struct relay *relay; /* takes the entries instead of the chunks; NULL: the chunks keep them */
    struct spill spill;  /* the entries, if a builder makes a distributed matrix, which no process should hold
                            as a whole */
    atomic_bool stop;    /* nothing more is to be read */
    _Atomic int64_t found; /* the entries that were parsed so far */
};

/* --- reading, under the lock --- */

/* Append to the *size bytes in buffer. *size grows to `max`, unless the text ends before. */
static enum status fill(struct stream *s, char *buffer, size_t *size, size_t max, struct error *error)
{
    while (*size < max && !s->ended) {
        int64_t before = container_consumed(s->container);
        ssize_t count = container_read(s->container, buffer + *size, max - *size, error);
        if (count < 0) return error->status;
        s->ended = count == 0;
        *size += (size_t)count;
        progress_add(s->progress, container_consumed(s->container) - before);
        if (progress_cancelled(s->progress)) return progress_status(s->progress, error);
    }
    return STATUS_OK;
}

/* Drop the rest of a comment longer than the buffer. Bytes read after it go to the carry. */
static enum status drop_comment(struct stream *s, struct error *error)
{
    for (;;) {
        size_t size = 0;
        enum status status = fill(s, s->carry, &size, MARKET_LINE_BYTES, error);
        if (status) return status;
        char *newline = memchr(s->carry, '\n', size);
        /* The carry begins with the comment's line end, which counts as a line. */
        s->carry_bytes = newline ? size - (size_t)(newline - s->carry) : 0;
        if (newline) memmove(s->carry, newline, s->carry_bytes);
        if (newline || s->ended) return STATUS_OK;
    }
}

/* Handle a line that is too long: unless it is a comment, it is an error of a separate turn. */
static enum status long_line(struct stream *s, const char *line, struct error *error)
{
    while (mm_is_blank(*line))
        line++;
    s->too_long = *line != '%';
    return s->too_long ? STATUS_OK : drop_comment(s, error);
}

/* Read the next block of whole lines into `text`. *size is 0 if there is none. */
static enum status read_text(struct stream *s, char *text, size_t *size, int64_t *lines, struct error *error)
{
    *size = s->carry_bytes;
    memcpy(text, s->carry, s->carry_bytes);
    s->carry_bytes = 0;
    enum status status = fill(s, text, size, TEXT_BYTES, error);
    if (status) return status;
    char *newline = memrchr(text, '\n', *size);
    char *line = newline ? newline + 1 : text;
    size_t tail = *size - (size_t)(line - text);
    *lines = market_count_lines(text, line);
    if (tail > MARKET_LINE_BYTES) {
        *size -= tail;
        status = long_line(s, line, error);
    } else if (s->ended && *size) {
        s->end_column = (int64_t)tail + 1;
        if (tail) text[(*size)++] = '\n';
    } else {
        *size -= tail;
        s->carry_bytes = tail;
        memcpy(s->carry, line, tail);
    }
    memset(text + *size, 0, MARKET_PADDING);
    return status;
}

/* Make room for one more chunk. */
static enum status extend(struct stream *s, struct error *error)
{
    if (s->count < s->capacity) return STATUS_OK;
    int64_t capacity = s->capacity ? 2 * s->capacity : 64;
    struct chunk *chunks = memory_resize(s->chunks, (size_t)capacity, sizeof *chunks, error);
    if (!chunks) return STATUS_MEMORY;
    s->chunks = chunks;
    s->capacity = capacity;
    return STATUS_OK;
}

static void fail(struct stream *s, int64_t k, const struct error *error, bool counted)
{
    atomic_store(&s->stop, true);
    if (k >= s->failed) return;
    s->failed = k;
    s->error = *error;
    s->counted = counted;
}

/* Take a turn at reading. Returns the number of the block, or -1 if there is no more to do. For array files
 * *first becomes the number of entries before it. */
static int64_t take_turn(struct stream *s, char *text, size_t *size, int64_t *first)
{
    struct error error = {0};
    int64_t k = -1, lines = 0;
    enum status status = STATUS_OK;
    *size = 0;
    pthread_mutex_lock(&s->lock);
    while (!status && !*size && !atomic_load(&s->stop) && (!s->ended || s->carry_bytes || s->too_long)) {
        status = s->too_long ? market_too_long(s->container, 1, &error) : extend(s, &error);
        if (!status) status = read_text(s, text, size, &lines, &error);
        if (!*size && !status) continue;
        k = s->count;
        *first = s->entries;
        if (status) {
            fail(s, k, &error, false);
            k = -1;
            break;
        }
        s->chunks[s->count++] = (struct chunk){.lines = lines, .offset = -1, .fault_line = -1};
        if (!s->header->shape.coordinate) s->entries += market_count_entries(text, text + *size);
    }
    pthread_mutex_unlock(&s->lock);
    return k;
}

/* --- parsing --- */

/* Return the bytes of the entries of a chunk, without its skips. */
static size_t entry_bytes(const struct stream *s, int64_t count)
{
    enum field field = s->header->shape.field;
    size_t numbers = field == FIELD_PATTERN ? 0 : field == FIELD_COMPLEX ? 2 : 1;
    return (size_t)count * (numbers * sizeof(double) + 2 * sizeof(int32_t));
}

/* Place the arrays of a chunk of `count` entries in `memory`, which becomes the chunk's. */
static void lay_out(const struct stream *s, struct chunk *chunk, char *memory)
{
    enum field field = s->header->shape.field;
    size_t count = (size_t)chunk->count, val = field == FIELD_PATTERN ? 0 : count * sizeof(double);
    size_t imaginary = field == FIELD_COMPLEX ? val : 0;
    chunk->memory = memory;
    chunk->val = (double *)(void *)memory;
    chunk->imaginary = (double *)(void *)(memory + val);
    chunk->row = (int32_t *)(void *)(memory + val + imaginary);
    chunk->col = chunk->row + count;
    chunk->skips = (struct market_skip *)(void *)(chunk->col + count);
}

/* Move the entries of a chunk into the spill; its skips stay in memory. */
static enum status spill_chunk(struct stream *s, struct chunk *chunk, struct error *error)
{
    size_t skips = (size_t)chunk->skips_count * sizeof *chunk->skips;
    char *memory = chunk->memory, *kept = memory_array(skips, 1, error);
    enum status status =
        kept ? spill_write(&s->spill, memory, entry_bytes(s, chunk->count), &chunk->offset, error)
             : STATUS_MEMORY;
    if (kept) memcpy(kept, chunk->skips, skips);
    free(memory);
    chunk->memory = kept;
    chunk->skips = (struct market_skip *)(void *)kept;
    return status;
}

/* Keep the parsed entries as chunk k, in exactly sized memory or in the spill, unless they are passed on. */
static enum status store(struct stream *s, int64_t k, const struct room *room,
                         const struct market_parser *parser, struct error *error)
{
    enum field field = s->header->shape.field;
    size_t count = s->relay ? 0 : (size_t)parser->count, skips = (size_t)parser->skips_count;
    size_t val = field == FIELD_PATTERN ? 0 : count * sizeof(double);
    size_t imaginary = field == FIELD_COMPLEX ? val : 0, places = count * sizeof(int32_t);
    struct chunk chunk = {
        .count = (int64_t)count, .skips_count = (int64_t)skips, .offset = -1, .fault_line = -1};
    char *memory = memory_array(entry_bytes(s, chunk.count) + skips * sizeof *room->skips, 1, error);
    if (!memory) return STATUS_MEMORY;
    lay_out(s, &chunk, memory);
    chunk.count = parser->count; /* also of entries that are passed on */
    memcpy(chunk.val, room->out.val, val);
    if (imaginary) memcpy(chunk.imaginary, room->out.imaginary, imaginary);
    memcpy(chunk.row, room->out.row, places);
    memcpy(chunk.col, room->out.col, places);
    memcpy(chunk.skips, room->skips, skips * sizeof *room->skips);
    enum status status = s->spill.fd >= 0 ? spill_chunk(s, &chunk, error) : STATUS_OK;
    pthread_mutex_lock(&s->lock);
    chunk.lines = s->chunks[k].lines;
    s->chunks[k] = chunk;
    pthread_mutex_unlock(&s->lock);
    return status;
}

static void take_fault(struct stream *s, int64_t k, const char *text, const struct market_fault *fault)
{
    struct error error = {0};
    const char *newline = memrchr(text, '\n', (size_t)(fault->at - text));
    const char *line = newline ? newline + 1 : text;
    error_at(&error, STATUS_INPUT, container_path(s->container), 1, fault->at - line + 1, "%s",
             fault->message);
    pthread_mutex_lock(&s->lock);
    s->chunks[k].fault_line = market_count_lines(text, line);
    fail(s, k, &error, true);
    pthread_mutex_unlock(&s->lock);
}

/* Gather the parsed entries in pieces of a sink's size, so that their mirror images follow them as for a
 * plain file. */
static enum status gather(const struct stream *s, const struct room *room, int64_t count, struct error *error)
{
    const struct market_entries *out = &room->out;
    enum status status = STATUS_OK;
    for (int64_t done = 0, piece; done < count && status == STATUS_OK; done += piece) {
        piece = count - done < SINK_ENTRIES ? count - done : SINK_ENTRIES;
        const struct entries entries = {piece,
                                        out->row + done,
                                        out->col + done,
                                        out->val + done,
                                        out->imaginary ? out->imaginary + done : NULL,
                                        false};
        status = relay_gather(s->relay, omp_get_thread_num(), &entries, error);
    }
    return status;
}

static void parse_text(struct stream *s, int64_t k, int64_t first, const struct room *room, size_t size)
{
    struct error error = {0};
    struct market_parser parser = {.shape = &s->header->shape,
                                   .next = room->text,
                                   .end = room->text + size,
                                   .values = true,
                                   .skips = room->skips};
    if (!parser.shape->coordinate) market_place(parser.shape, first, &parser.i, &parser.j);
    market_parse(&parser, &room->out, (int)ENTRIES_MAX);
    if (parser.findings) {
        pthread_mutex_lock(&s->lock);
        market_add_findings(s->findings, &parser, k);
        pthread_mutex_unlock(&s->lock);
    }
    enum status status = store(s, k, room, &parser, &error);
    /* More numbers than an array file announces do not fit in the matrix; `judge` reports them. */
    int64_t left = parser.shape->coordinate ? parser.count : max(parser.shape->entries - first, 0);
    glimpse_take(s->glimpse, room->out.row, room->out.col, min(parser.count, left), k, 0);
    if (!status && s->relay) status = gather(s, room, min(parser.count, left), &error);
    if (status) {
        pthread_mutex_lock(&s->lock);
        fail(s, k, &error, false);
        pthread_mutex_unlock(&s->lock);
    } else if (parser.fault.at)
        take_fault(s, k, room->text, &parser.fault);
    if (s->relay) relay_hand(s->relay, omp_get_thread_num(), k, !status && !parser.fault.at);
    if (atomic_fetch_add(&s->found, parser.count) + parser.count > parser.shape->entries)
        atomic_store(&s->stop, true); /* there are too many; `judge` finds the position */
}

static bool make_room(struct room *room, bool complex, struct error *error)
{
    room->text = memory_array(BUFFER_BYTES + 1, 1, error);
    room->skips = memory_array(SKIPS_MAX, sizeof *room->skips, error);
    room->out.row = memory_array(ENTRIES_MAX, sizeof *room->out.row, error);
    room->out.col = memory_array(ENTRIES_MAX, sizeof *room->out.col, error);
    room->out.val = memory_array(ENTRIES_MAX, sizeof *room->out.val, error);
    if (complex) room->out.imaginary = memory_array(ENTRIES_MAX, sizeof *room->out.imaginary, error);
    return room->text && room->skips && room->out.row && room->out.col && room->out.val &&
           (!complex || room->out.imaginary);
}

static void free_room(struct room *room)
{
    free(room->text);
    free(room->skips);
    free(room->out.row);
    free(room->out.col);
    free(room->out.val);
    free(room->out.imaginary);
}

static void work(struct stream *s)
{
    struct room room = {0};
    struct error error = {0};
    size_t size;
    int64_t k, first = 0;
    if (make_room(&room, s->header->shape.field == FIELD_COMPLEX, &error)) {
        while ((k = take_turn(s, room.text, &size, &first)) >= 0)
            parse_text(s, k, first, &room, size);
    } else {
        pthread_mutex_lock(&s->lock);
        fail(s, -1, &error, false);
        pthread_mutex_unlock(&s->lock);
    }
    free_room(&room);
}

/* --- the chunks as a source --- */

static void give_chunk(const struct stream *s, const struct chunk *chunk, struct sink *sink)
{
    for (int64_t done = 0; done < chunk->count;) {
        if (sink->count == SINK_ENTRIES) sink_flush(sink);
        int64_t count = SINK_ENTRIES - sink->count;
        if (count > chunk->count - done) count = chunk->count - done;
        size_t bytes = (size_t)count * sizeof(int32_t);
        memcpy(sink->row + sink->count, chunk->row + done, bytes);
        memcpy(sink->col + sink->count, chunk->col + done, bytes);
        if (sink->values && s->header->shape.field == FIELD_PATTERN)
            for (int64_t c = 0; c < count; c++)
                sink->val[sink->count + c] = 1;
        else if (sink->values)
            memcpy(sink->val + sink->count, chunk->val + done, 2 * bytes);
        if (sink->values && sink->complex)
            memcpy(sink->imaginary + sink->count, chunk->imaginary + done, 2 * bytes);
        sink->count += (int)count;
        done += count;
    }
}

static enum status give(void *self, int64_t k, struct sink *sink, struct error *error)
{
    const struct stream *s = self;
    struct chunk chunk = s->chunks[k];
    if (chunk.offset < 0) {
        give_chunk(s, &chunk, sink);
        return STATUS_OK;
    }
    size_t bytes = entry_bytes(s, chunk.count);
    char *memory = memory_array(bytes, 1, error);
    if (!memory) return STATUS_MEMORY;
    enum status status = spill_read(&s->spill, chunk.offset, memory, bytes, error);
    lay_out(s, &chunk, memory);
    if (status == STATUS_OK) give_chunk(s, &chunk, sink);
    free(memory);
    return status;
}

static void release(void *self, int64_t k)
{
    struct stream *s = self;
    free(s->chunks[k].memory);
    s->chunks[k].memory = NULL;
}

/* Return the line of entry number `ordinal` of chunk k. */
static int64_t find_line(void *self, int64_t k, int64_t ordinal)
{
    const struct stream *s = self;
    const struct chunk *chunk = &s->chunks[k];
    int64_t line = s->header->line + ordinal;
    for (int64_t c = 0; c < k; c++)
        line += s->chunks[c].lines;
    for (int64_t c = 0; c < chunk->skips_count && chunk->skips[c].ordinal <= ordinal; c++)
        line += chunk->skips[c].lines;
    return line;
}

/* Return the first error in the order of the text, if there is one. */
static enum status judge(struct stream *s, struct error *error)
{
    int64_t total = 0, line = s->header->line, promised = s->header->shape.entries;
    for (int64_t k = 0; k < s->count; k++) {
        const struct chunk *chunk = &s->chunks[k];
        if (s->error.status == STATUS_INPUT || !s->error.status) {
            if (total + chunk->count > promised)
                return market_too_many(s->container, s->header, find_line(s, k, promised - total), error);
        }
        if (k == s->failed && s->counted) s->error.line = line + chunk->fault_line;
        if (k == s->failed) break;
        total += chunk->count;
        line += chunk->lines;
    }
    if (s->failed != INT64_MAX) {
        if (s->error.column && !s->counted) s->error.line = line;
        if (error) *error = s->error;
        return s->error.status;
    }
    if (total < promised) return market_too_few(s->container, s->header, total, line, s->end_column, error);
    return progress_status(s->progress, error);
}

static enum status read_all(struct stream *s, struct error *error)
{
    s->carry = memory_array(MARKET_LINE_BYTES, 1, error);
    if (!s->carry) return STATUS_MEMORY;
    memcpy(s->carry, s->header->rest, s->header->rest_bytes);
    s->carry_bytes = s->header->rest_bytes;
    s->end_column = s->header->column;
    int64_t packed = container_total(s->container); /* bytes, 0 if that is not known */
    progress_phase(s->progress, "unpacking bytes", packed);
    progress_add(s->progress, container_consumed(s->container)); /* for the header */
#pragma omp parallel if (!packed || packed > PACKED_MIN)
    work(s);
    return judge(s, error);
}

/* Free the stream's data, and end the relay. */
static void end(struct stream *s)
{
    relay_close(s->relay);
    for (int64_t k = 0; k < s->count; k++)
        free(s->chunks[k].memory);
    free(s->chunks);
    free(s->carry);
}

enum status market_build_stream(struct container *container, const struct market_header *header,
                                struct source *source, struct progress *progress, struct csr *a,
                                struct build_result *result, struct market_findings *findings,
                                struct error *error)
{
    struct stream s = {.container = container,
                       .header = header,
                       .progress = progress,
                       .lock = PTHREAD_MUTEX_INITIALIZER,
                       .failed = INT64_MAX,
                       .findings = findings,
                       .glimpse = source->glimpse,
                       .spill = {.fd = -1}};
    enum status status = STATUS_OK;
    /* The entries are counted when their text is parsed, since that takes longest. */
    glimpse_begin(s.glimpse, source->rows, source->cols, source->symmetry != SYMMETRY_GENERAL, 0);
    source->glimpse = NULL;
    if (source_streams(source)) status = relay_open(source, threads_count(), &s.relay, error);
    if (status) return status;
    if (source->builder && !s.relay) status = spill_open(&s.spill, error);
    if (!status) status = read_all(&s, error);
    /* This is done here, since the builder frees the chunks. */
    for (int kind = 0; status == STATUS_OK && kind < MARKET_CHANGES; kind++) {
        struct market_changed *changed = &findings->changed[kind];
        if (changed->change.count) changed->line = find_line(&s, changed->block, changed->change.ordinal);
    }
    source->blocks = s.count;
    source->self = &s;
    source->block = give;
    source->release = release;
    source->line = find_line;
    if (!status && !s.relay) status = build_csr(source, progress, a, result, error);
    bool handed = s.relay;
    end(&s);
    spill_close(&s.spill);
    if (!status && handed) stream_result(source, a, result);
    return status;
}
