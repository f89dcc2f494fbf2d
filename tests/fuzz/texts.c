/* Fuzz targets of small texts: arguments of options, typed input, answers of terminals. */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "command/options.h"
#include "command/options_table.h"
#include "drawing/picture.h"
#include "fuzz/targets.h"
#include "kernels/timing/samples.h"
#include "matrix/files/reader.h"
#include "session/distribution.h"
#include "session/tune.h"
#include "ui/escapes/background.h"
#include "ui/escapes/graphics.h"
#include "ui/find.h"

static bool read_counts(const char *text)
{
    struct thread_counts counts = {0}, again = {0};
    char out[1024];
    if (thread_counts_read(&counts, text, NULL)) return false;
    thread_counts_sort(&counts);
    thread_counts_write(&counts, out, sizeof out);
    if (thread_counts_read(&again, out, NULL) || again.count != counts.count ||
        memcmp(again.items, counts.items, (size_t)counts.count * sizeof *counts.items))
        fuzz_wrong("'%s' becomes '%s'", text, out);
    return true;
}

static bool read_part_counts(const char *text)
{
    struct distribution_request request = {0};
    if (distribution_read_parts(text, &request, NULL)) return false;
    for (int k = 0; k < request.count; k++)
        if (request.parts[k] < 1 || request.parts[k] > PARTS_MAX)
            fuzz_wrong("%lld parts", (long long)request.parts[k]);
    return true;
}

static bool read_option(const char *name, const char *text)
{
    const struct option_row *row = option_find(COMMAND_REPORT | COMMAND_PLOT, name, strlen(name));
    struct options options = {.command = COMMAND_PLOT};
    bool read = !row->read(row, text, &options, NULL);
    options_free(&options);
    return read;
}

/* The arguments of options: the first byte chooses which. */
int fuzz_values(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    static const char *const options[] = {"limit", "product", "columns", "layout",
                                          "by",    "size",    "at",      "storage"};
    int which = input_byte(&input), threads;
    char *text = input_rest(&input);
    struct network network;
    const struct reader *reader;
    const char *kind;
    enum tune_how how;
    enum protocol protocol;
    enum background background;
    enum graphics_wish wish;
    struct error error = {0};
    bool read = false;
    switch (which % 16) {
    case 0:
        read = !threads_read(text, &threads, &error);
        break;
    case 1:
        read = read_counts(text);
        break;
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
        read = read_option(options[which % 16 - 2], text);
        break;
    case 10:
        read = read_part_counts(text);
        break;
    case 11:
        read = !network_read(text, &network, &error);
        break;
    case 12:
        read = !reader_parse(text, &reader, &kind, &error);
        break;
    case 13:
        read = tune_how_find(text, &how) || protocol_find(text, &protocol);
        break;
    case 14:
        read = !background_read(text, &background, &error) || !graphics_read(text, &wish, &error);
        break;
    default:
        read = picture_form_find(NULL, text, &error) != NULL;
        break;
    }
    free(text);
    return read;
}

/* Input at prompts: a position of a matrix, or a search. */
int fuzz_prompts(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    int64_t rows = (int64_t)input_number(&input, 4) & INT32_MAX, cols = (int64_t)input_number(&input, 2),
            row = 0, col = 0;
    bool ambiguous;
    struct search search;
    char *text = input_rest(&input);
    bool place = !place_parse(text, rows, cols, &row, &col, &ambiguous, NULL);
    if (place && (row < 0 || row >= rows || col < 0 || (col && col >= cols)))
        fuzz_wrong("'%s' is %lld, %lld of %lld x %lld", text, (long long)row, (long long)col, (long long)rows,
                   (long long)cols);
    bool sought = !search_parse(text, &search, NULL);
    free(text);
    return place || sought;
}

/* The answers of terminals, and the environment's statements about them. */
int fuzz_terminal(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct graphics graphics = {0};
    bool light, known;
    char *text = input_rest(&input);
    enum answer kind = answer_kind(text);
    if (kind == ANSWER_CELL || kind == ANSWER_SIXEL || kind == ANSWER_KITTY || kind == ANSWER_FENCE)
        graphics_take(&graphics, kind, text);
    if (graphics.cell[0] < 0 || graphics.cell[1] < 0 || graphics.registers < 0 || graphics.largest[0] < 0 ||
        graphics.largest[1] < 0)
        fuzz_wrong("negative sizes");
    known = background_of_answer(text, &light);
    known = background_of_environment(text, &light) || known;
    free(text);
    return known || kind > ANSWER_PARTIAL;
}
