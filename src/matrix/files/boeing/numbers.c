#include "matrix/files/boeing/boeing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failing.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "matrix/files/lines/newline.h"

#define LINE_MAX_BYTES 4096 /* at most SHRT_MAX: see struct field_place */

const char *const numbers_names[SECTIONS] = {"column pointer", "row index", "value"};

/* The destination of a line's numbers. One of the pointers of the three sections is not NULL. */
struct target {
    enum section section;
    int64_t first, count; /* the line's first number, and their count */
    int64_t *pointers;
    int32_t *indices;
    double *values;
};

/* Parse number k of a line, in a field. Returns NULL or the fault. */
static const char *parse_field(const struct numbers *n, const struct target *to, int64_t k,
                               const struct field_place *field, const char *line, const char *end)
{
    int64_t number = 0;
    if (line + field->start >= end) return "is missing: the line ends before it";
    if (to->values) return field_real(field, line, end, &to->values[k]);
    const char *wrong = field_integer(field, line, end, &number);
    if (wrong) return wrong;
    if (to->pointers) to->pointers[k] = number;
    if (to->pointers) return NULL;
    if (number < 1 || number > n->rows) return "is not a row of the matrix";
    to->indices[k] = (int32_t)number;
    return NULL;
}

/* Parse the words of a line that does not follow the columns of the format. */
static bool parse_words(struct numbers *n, const struct target *to, const char *line, const char *end)
{
    if (line_words(line, end) != to->count) return false;
    const char *at = line;
    for (int64_t k = 0; k < to->count; k++) {
        at += strspn(at, " \t\r");
        size_t width = strcspn(at, " \t\r\n");
        struct field_place place = {(short)(at - line), (short)width, 0, 0};
        if (parse_field(n, to, k, &place, line, end)) return false;
        at += width;
    }
    atomic_store_explicit(&n->words, true, memory_order_relaxed);
    return true;
}

/* Parse the numbers of a line that ends before `end`. */
static enum status parse_line(struct numbers *n, const struct target *to, const char *line, const char *end,
                              const struct lines_block *block, struct error *error)
{
    const struct line_format *format = &n->formats[to->section];
    /* Even if a block has room for more: the positions of fields and words have 16 bits. */
    if (end - line > LINE_MAX_BYTES)
        return lines_fault(&n->lines, block, line, error, "the line is longer than %d bytes", LINE_MAX_BYTES);
    for (int64_t k = 0; k < to->count; k++) {
        const struct field_place *field = &format->fields[k];
        if (to->indices && field_index_fast(field, line, end, (uint64_t)n->rows, &to->indices[k])) continue;
        if (to->values && line + field->start < end && field_real_fast(field, line, end, &to->values[k]))
            continue;
        bool split = line + field->start < end && field_is_split(field, line, end);
        if (split && parse_words(n, to, line, end)) return STATUS_OK;
        const char *wrong = split && field_has_two(field, line, end)
                                ? "has parts of two numbers"
                                : parse_field(n, to, k, field, line, end);
        if (wrong && parse_words(n, to, line, end)) return STATUS_OK;
        if (!wrong) continue;
        char word[40];
        const char *at = line + field->start < end ? line + field->start : end;
        const char *shown = at + strspn(at, " "), *stop = at + field->width < end ? at + field->width : end;
        snprintf(word, sizeof word, "%.*s", shown < stop ? (int)(stop - shown) : 0, shown);
        return lines_fault(&n->lines, block, at, error, "%s %" PRId64 " (columns %d to %d) %s: '%s'",
                           numbers_names[to->section], to->first + k + 1, field->start + 1,
                           field->start + field->width, wrong, text_visible(word));
    }
    return STATUS_OK;
}

/* Find the contents of a line of the sections. Returns false after the last. */
static bool find_target(const struct numbers *n, int64_t line, struct target *to)
{
    int s = POINTERS;
    while (s < SECTIONS && line >= n->wanted[s])
        line -= n->wanted[s++];
    if (s == SECTIONS) return false;
    *to = (struct target){.section = (enum section)s, .first = line * n->formats[s].count};
    to->count = min(n->counts[s] - to->first, n->formats[s].count);
    return true;
}

static enum status changed(const struct numbers *n, struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(n->lines.container), 0, 0,
                    "changed while it was read");
}

/* Parse the lines of a block, except values that are not kept. Their number must be the counted one. */
static enum status parse_block(struct numbers *n, int64_t k, struct error *error)
{
    struct lines_block block;
    enum status status = lines_take(&n->lines, k, &block, error);
    if (status != STATUS_OK) return status;
    int64_t number = n->lines.before[k], last = n->lines.before[k + 1];
    struct target to;
    for (const char *line = block.text; line < block.end && status == STATUS_OK; number++) {
        const char *end = newline_find(line);
        if (!find_target(n, number, &to) || (to.section == VALUES && !n->kept)) {
            last = number;
            break;
        }
        if (to.section == POINTERS) to.pointers = n->pointers + to.first;
        if (to.section == INDICES) to.indices = n->indices + to.first;
        if (to.section == VALUES) to.values = n->values + to.first;
        status = parse_line(n, &to, line, end, &block, error);
        line = end + 1;
    }
    lines_give(&n->lines, &block);
    return status == STATUS_OK && number != last ? changed(n, error) : status;
}

enum status numbers_values(void *numbers, int64_t block, double *values, struct error *error)
{
    struct numbers *n = numbers;
    int64_t k = n->first_block + block, begin = n->wanted[POINTERS] + n->wanted[INDICES];
    int64_t number = n->lines.before[k], last = n->lines.before[k + 1];
    struct lines_block text;
    struct target to;
    enum status status = lines_take(&n->lines, k, &text, error);
    if (status != STATUS_OK) return status;
    const char *line = text.text;
    for (; number < begin && line < text.end; number++)
        line = newline_find(line) + 1;
    for (; number < last && line < text.end && status == STATUS_OK; number++) {
        const char *end = newline_find(line);
        if (!find_target(n, number, &to)) break; /* right-hand sides */
        to.values = values + (to.first - n->firsts[block]);
        status = parse_line(n, &to, line, end, &text, error);
        line = end + 1;
    }
    bool whole = number == last || !find_target(n, number, &to);
    lines_give(&n->lines, &text);
    return status == STATUS_OK && (!whole || container_changed(n->lines.container)) ? changed(n, error)
                                                                                    : status;
}

/* Parse blocks of the text before block `end`. */
static enum status parse_blocks(struct numbers *n, int64_t end, struct progress *progress,
                                struct error *error)
{
    struct failing failing;
    failing_start(&failing, end);
    progress_phase(progress, "parsing", end);
#pragma omp parallel for schedule(dynamic, 1) if (end > 1)
    for (int64_t k = 0; k < end; k++) {
        struct error mine = {0};
        if (failing_before(&failing, k) || progress_cancelled(progress)) continue;
        if (parse_block(n, k, &mine) != STATUS_OK) failing_note(&failing, k, &mine);
        progress_add(progress, 1);
    }
    if (progress_cancelled(progress)) return progress_status(progress, error);
    return failing_status(&failing, error);
}

/* Find the blocks of the text that have lines of values, and which value each begins with. */
static enum status find_values(struct numbers *n, struct error *error)
{
    int64_t begin = n->wanted[POINTERS] + n->wanted[INDICES], wide = n->formats[VALUES].count;
    const int64_t *before = n->lines.before;
    while (n->first_block < n->lines.blocks && before[n->first_block + 1] <= begin)
        n->first_block++;
    int64_t last = n->first_block;
    while (last < n->lines.blocks && before[last] < begin + n->wanted[VALUES])
        last++;
    n->blocks = last - n->first_block;
    n->firsts = memory_array((size_t)n->blocks + 1, sizeof *n->firsts, error);
    if (!n->firsts) return STATUS_MEMORY;
    for (int64_t k = 0; k <= n->blocks; k++)
        n->firsts[k] = min(max(before[n->first_block + k] - begin, 0) * wide, n->counts[VALUES]);
    return STATUS_OK;
}

static enum status allocate(struct numbers *n, struct error *error)
{
    n->pointers = memory_array((size_t)n->counts[POINTERS], sizeof *n->pointers, error);
    n->indices = memory_array((size_t)n->counts[INDICES], sizeof *n->indices, error);
    if (n->kept) n->values = memory_array((size_t)n->counts[VALUES], sizeof *n->values, error);
    return n->pointers && n->indices && (n->values || !n->kept) ? STATUS_OK : STATUS_MEMORY;
}

/* Fail if the file ends within its last number: Fortran's numbers reach to the end of their field, and its
 * lines have an end. Numbers outside fields cannot be distinguished from shorter ones. */
static enum status check_end(const struct numbers *n, int64_t last, struct error *error)
{
    const struct container *container = n->lines.container;
    char tail[LINE_MAX_BYTES];
    struct target to;
    int64_t size = container_size(container), from = max(size - (int64_t)sizeof tail, 0);
    if (atomic_load(&n->words) || !find_target(n, n->lines.before[n->lines.blocks] - 1, &to))
        return STATUS_OK;
    ssize_t count = container_pread(container, tail, sizeof tail, from, error);
    if (count < 0) return STATUS_IO;
    if (count == 0 || tail[count - 1] == '\n') return STATUS_OK;
    const char *begin = memrchr(tail, '\n', (size_t)count);
    int64_t length = tail + count - (begin ? begin + 1 : tail);
    const struct field_place *field = &n->formats[to.section].fields[to.count - 1];
    if (length >= field->start + field->width) return STATUS_OK;
    return error_at(error, STATUS_INPUT, container_path(container), last, length,
                    "the file ends within the last number, which has columns %d to %d; it is cut short",
                    field->start + 1, field->start + field->width);
}

/* Parse all numbers not left to numbers_values. A truncated last line is not a separate fault. */
static enum status parse(struct numbers *n, int64_t first, struct progress *progress, struct error *error)
{
    int64_t wanted = n->wanted[POINTERS] + n->wanted[INDICES] + n->wanted[VALUES];
    int64_t there = n->lines.before[n->lines.blocks], last = first - 1 + there;
    struct error mine = {0};
    enum status status = parse_blocks(n, n->kept ? n->lines.blocks : min(n->first_block + 1, n->lines.blocks),
                                      progress, &mine);
    bool as_far = status == STATUS_OK || (status == STATUS_INPUT && mine.line == last);
    if (there < wanted && as_far)
        return error_at(error, STATUS_INPUT, container_path(n->lines.container), last, 0,
                        "the file ends after %" PRId64 " of %" PRId64 " lines of numbers; it is cut short",
                        there, wanted);
    if (status == STATUS_OK && there == wanted) status = check_end(n, last, &mine);
    if (status != STATUS_OK && error) *error = mine;
    return status;
}

enum status numbers_parse(struct numbers *n, const struct container *container, int64_t begin, int64_t first,
                          struct progress *progress, struct error *error)
{
    lines_start(&n->lines, container, begin, first, LINE_MAX_BYTES);
    enum status status = allocate(n, error);
    if (status == STATUS_OK) status = lines_count(&n->lines, NULL, NULL, progress, error);
    if (status == STATUS_OK && !n->kept) status = find_values(n, error);
    return status == STATUS_OK ? parse(n, first, progress, error) : status;
}

void numbers_free(struct numbers *n)
{
    lines_end(&n->lines);
    free(n->pointers);
    free(n->indices);
    free(n->values);
    free(n->firsts);
}
