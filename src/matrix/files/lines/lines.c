#include "matrix/files/lines/lines.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failing.h"
#include "base/memory.h"

/* A block's text stays in the second-level cache while it is parsed. */
#define BLOCK_BYTES ((int64_t)256 << 10)

/* Bytes after a block that are first read with it, since its last line may end there. */
#define SLACK_BYTES ((size_t)512)

/* Bytes whose number of line ends fits in a byte. */
#define COUNTED_BYTES 192

/* An unused buffer is in a list. */
struct lines_buffer {
    struct lines_buffer *next;
    size_t capacity;
    char *text;
};

void lines_start(struct lines *lines, const struct container *container, int64_t begin, int64_t first,
                 int64_t line_max)
{
    *lines = (struct lines){.container = container,
                            .begin = begin,
                            .end = container_size(container),
                            .first = first,
                            .line_max = line_max};
    if (lines->begin > lines->end) lines->begin = lines->end;
    lines->blocks = (lines->end - lines->begin + BLOCK_BYTES - 1) / BLOCK_BYTES;
    pthread_mutex_init(&lines->lock, NULL);
}

void lines_end(struct lines *lines)
{
    for (struct lines_buffer *buffer = lines->free, *next; buffer; buffer = next) {
        next = buffer->next;
        free(buffer->text);
        free(buffer);
    }
    free(lines->before);
    pthread_mutex_destroy(&lines->lock);
    *lines = (struct lines){0};
}

static struct lines_buffer *take_buffer(struct lines *lines, struct error *error)
{
    pthread_mutex_lock(&lines->lock);
    struct lines_buffer *buffer = lines->free;
    if (buffer) lines->free = buffer->next;
    pthread_mutex_unlock(&lines->lock);
    return buffer ? buffer : memory_zeroed(1, sizeof *buffer, error);
}

void lines_give(struct lines *lines, struct lines_block *block)
{
    if (!block->buffer) return;
    pthread_mutex_lock(&lines->lock);
    block->buffer->next = lines->free;
    lines->free = block->buffer;
    pthread_mutex_unlock(&lines->lock);
    block->buffer = NULL;
}

static enum status make_room(struct lines_buffer *buffer, size_t size, struct error *error)
{
    if (buffer->capacity >= size) return STATUS_OK;
    char *text = memory_resize(buffer->text, size, 1, error);
    if (!text) return STATUS_MEMORY;
    buffer->text = text;
    buffer->capacity = size;
    return STATUS_OK;
}

/* Read a block into its buffer: the byte before it, its own bytes, and those up to the end of its last line.
 */
static enum status read_block(struct lines *lines, int64_t k, struct lines_block *block, struct error *error)
{
    struct lines_buffer *buffer = block->buffer;
    int64_t from = lines->begin + k * BLOCK_BYTES, to = from + BLOCK_BYTES;
    if (to > lines->end) to = lines->end;
    size_t before = k > 0, wanted = (size_t)(to - from) + before, size = 0;
    char *newline = NULL;
    for (size_t extra = SLACK_BYTES;; extra *= 16) {
        if (extra > (size_t)(lines->end - to) + 1) extra = (size_t)(lines->end - to) + 1;
        enum status status = make_room(buffer, wanted + extra + LINES_PADDING + 1, error);
        if (status != STATUS_OK) return status;
        ssize_t count = container_pread(lines->container, buffer->text + size, wanted + extra - size,
                                        from - (int64_t)before + (int64_t)size, error);
        if (count < 0) return STATUS_IO;
        size_t old = size > wanted ? size : wanted - 1;
        size += (size_t)count;
        if (size < wanted)
            return error_at(error, STATUS_INPUT, container_path(lines->container), 0, 0,
                            "changed while it was read");
        newline = memchr(buffer->text + old, '\n', size - old);
        if (newline) break;
        if (size < wanted + extra) { /* the text ends without a line end */
            newline = buffer->text + size;
            *newline = '\n';
            break;
        }
        if ((int64_t)extra > lines->line_max) {
            newline = memrchr(buffer->text, '\n', wanted);
            block->text = block->end = newline ? newline + 1 : buffer->text;
            block->raw = buffer->text + before;
            return lines_fault(lines, block, block->end, error, "the line is longer than %" PRId64 " bytes",
                               lines->line_max);
        }
    }
    memset(newline + 1, 0, LINES_PADDING);
    const char *first = k == 0 ? buffer->text : memchr(buffer->text, '\n', wanted - 1);
    block->raw = buffer->text + before;
    block->end = newline + 1;
    block->text = k == 0 ? first : first ? first + 1 : block->end;
    return STATUS_OK;
}

enum status lines_take(struct lines *lines, int64_t k, struct lines_block *block, struct error *error)
{
    *block = (struct lines_block){.number = k, .buffer = take_buffer(lines, error)};
    if (!block->buffer) return STATUS_MEMORY;
    enum status status = read_block(lines, k, block, error);
    if (status != STATUS_OK) lines_give(lines, block);
    return status;
}

const char *lines_newline(const char *text)
{
    return rawmemchr(text, '\n');
}

int64_t lines_ends(const char *text, const char *end)
{
    int64_t count = 0;
    for (; end - text >= COUNTED_BYTES; text += COUNTED_BYTES) {
        unsigned char some = 0; /* a byte, so that the compiler counts many at once */
        for (int k = 0; k < COUNTED_BYTES; k++)
            some = (unsigned char)(some + (text[k] == '\n'));
        count += some;
    }
    for (; text < end; text++)
        count += *text == '\n';
    return count;
}

enum status lines_count(struct lines *lines, int64_t (*count)(void *self, const struct lines_block *block),
                        void *self, struct progress *progress, struct error *error)
{
    struct failing failing;
    lines->before = memory_zeroed((size_t)lines->blocks + 1, sizeof *lines->before, error);
    if (!lines->before) return STATUS_MEMORY;
    failing_start(&failing, lines->blocks);
    progress_phase(progress, "counting lines", lines->blocks);
#pragma omp parallel for schedule(dynamic, 1) if (lines->blocks > 1)
    for (int64_t k = 0; k < lines->blocks; k++) {
        struct error mine = {0};
        struct lines_block block;
        if (progress_cancelled(progress)) continue;
        if (lines_take(lines, k, &block, &mine) == STATUS_OK) {
            lines->before[k + 1] = count ? count(self, &block) : lines_ends(block.text, block.end);
            lines_give(lines, &block);
        } else
            failing_note(&failing, k, &mine);
        progress_add(progress, 1);
    }
    enum status status = failing_status(&failing, error);
    if (status == STATUS_OK) status = progress_status(progress, error);
    for (int64_t k = 0; k < lines->blocks; k++)
        lines->before[k + 1] += lines->before[k];
    return status;
}

int64_t lines_number(struct lines *lines, const struct lines_block *block, const char *at)
{
    int64_t number = lines->first, offset = lines->begin, end = lines->begin + block->number * BLOCK_BYTES;
    char piece[16384];
    while (offset < end) {
        size_t some = end - offset < (int64_t)sizeof piece ? (size_t)(end - offset) : sizeof piece;
        ssize_t count = container_pread(lines->container, piece, some, offset, NULL);
        if (count <= 0) return 0;
        number += lines_ends(piece, piece + count);
        offset += count;
    }
    return number + lines_ends(block->raw, at);
}

enum status lines_fault(struct lines *lines, const struct lines_block *block, const char *at,
                        struct error *error, const char *format, ...)
{
    char message[480];
    va_list words;
    va_start(words, format);
    vsnprintf(message, sizeof message, format, words);
    va_end(words);
    const char *begin = block->text;
    const char *newline = at > begin ? memrchr(begin, '\n', (size_t)(at - begin)) : NULL;
    if (newline) begin = newline + 1;
    return error_at(error, STATUS_INPUT, container_path(lines->container), lines_number(lines, block, at),
                    at >= begin ? at - begin + 1 : 1, "%s", message);
}

char *lines_word(const char *text, char *out, size_t size)
{
    size_t length = 0;
    while (length + 1 < size && text[length] && !strchr(" \t\r\n,;", text[length])) {
        out[length] = (char)(text[length] < 0x20 || text[length] > 0x7e ? '?' : text[length]);
        length++;
    }
    if (length + 1 == size && size > 4) memcpy(out + size - 4, "...", 3);
    out[length] = 0;
    return out;
}
