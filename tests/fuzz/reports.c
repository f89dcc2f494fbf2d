/* Fuzz targets of saved reports and surveys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/base64.h"
#include "fuzz/memory_file.h"
#include "fuzz/readers.h"
#include "fuzz/targets.h"
#include "report/packed/cells.h"
#include "report/packed/lengths.h"
#include "report/packed/sketches.h"
#include "report/records/collection.h"
#include "report/saved/saved.h"
#include "session/runs.h"

static enum status take(void *argument, const char *name, double mean, const struct results *results,
                        struct error *error)
{
    *(int *)argument += results->count + (name == NULL);
    return STATUS_OK;
}

/* A saved report is opened, its kernels are gone through, and its first matrix is looked at without having
 * it. */
int fuzz_saved(const uint8_t *data, size_t size)
{
    struct saved *saved;
    struct error error = {0};
    int count = 0;
    memory_file_set(data, size, false);
    if (saved_open(MEMORY_FILE, 4 * FUZZ_LIMIT, &saved, &error)) {
        if (!error.message[0]) fuzz_wrong("an error says nothing");
        return 0;
    }
    saved_each(saved, take, &count, NULL);
    const json_t *matrices = saved_matrices(saved);
    const char *name = json_string_value(json_object_get(json_array_get(matrices, 0), "name"));
    struct session session;
    enum status status = saved_session(&saved, 1, name, 4 * FUZZ_LIMIT, &session, &error);
    if (!status) {
        struct runs runs = {0};
        struct text text = {0};
        saved_add(saved, session.shown, &runs, NULL);
        runs_free(&runs);
        text_free(&text);
    }
    session_free(&session);
    saved_close(saved);
    if (memory_file_open()) fuzz_wrong("a file stays open");
    return !status;
}

/* --- packed data --- */

/* Return bytes as the letters of a packer, of one stored block, which the caller frees. */
static char *pack(const struct input *input)
{
    size_t size = input->left, packed = size + 11;
    uint8_t *bytes = malloc(packed);
    char *letters = malloc(packed / 3 * 4 + 5);
    if (!bytes || !letters) abort();
    memcpy(bytes, "\x78\x01\x01", 3);
    for (int k = 0; k < 2; k++) {
        bytes[3 + k] = (uint8_t)(size >> 8 * k);
        bytes[5 + k] = (uint8_t) ~(size >> 8 * k);
    }
    if (size) memcpy(bytes + 7, input->at, size);
    uint32_t sum = (uint32_t)adler32(1, bytes + 7, (uInt)size);
    for (int k = 0; k < 4; k++)
        bytes[7 + size + (size_t)k] = (uint8_t)(sum >> (24 - 8 * k));
    letters[base64_encode(bytes, packed, letters)] = 0;
    free(bytes);
    return letters;
}

static struct unpacker *unpack(const struct input *input)
{
    struct unpacker *unpacker;
    struct error error = {0};
    char *letters = pack(input);
    if (unpacker_open(letters, &unpacker, &error)) fuzz_wrong("%s", error.message);
    free(letters);
    return unpacker;
}

/* Cells of a level, which are then made a pyramid. */
int fuzz_saved_cells(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct level level = {.row_step = 1, .col_step = 1};
    bool ones = input_byte(&input) & 1;
    int64_t total = 0, nnz = (int64_t)input_number(&input, 2);
    level.rows = 1 + input_byte(&input);
    level.cols = 1 + input_byte(&input);
    struct unpacker *unpacker = unpack(&input);
    enum status status = cells_unpack(unpacker, ones, nnz, &level, NULL);
    unpacker_close(unpacker);
    if (status) return 0;
    for (int64_t k = 0; k < level_number(&level); k++) {
        if (level.col[k] < 0 || level.col[k] >= level.cols || level.count[k] < 1)
            fuzz_wrong("a cell that is none");
        total += level.count[k];
    }
    if (total != nnz) fuzz_wrong("%lld entries, not %lld", (long long)total, (long long)nnz);
    level_free(&level);
    return 1;
}

int fuzz_saved_lengths(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct spans spans;
    int64_t step = (int64_t)1 << input_byte(&input) % 8, lines = (int64_t)input_number(&input, 2) + 1,
            longest = (int64_t)input_number(&input, 2), nnz = (int64_t)input_number(&input, 3);
    struct unpacker *unpacker = unpack(&input);
    enum status status = lengths_unpack(unpacker, lines, step, nnz, longest, &spans, NULL);
    unpacker_close(unpacker);
    if (!status && spans.offsets[(lines + step - 1) / step] != nnz) fuzz_wrong("another number of entries");
    if (!status) spans_free(&spans);
    return !status;
}

int fuzz_saved_sketches(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct sketch sketch = {0};
    struct halo halo = {0};
    int which = input_byte(&input);
    int64_t parts = 1 + input_byte(&input), rows = (int64_t)input_number(&input, 2) + 1,
            nnz = (int64_t)input_number(&input, 2), volume = input_byte(&input);
    struct unpacker *unpacker = unpack(&input);
    enum status status;
    if (which % 3 == 0) {
        sketch.pictures = 1;
        sketch_dots(rows, rows, (rows + 63) / 64, (rows + 31) / 32, &sketch.picture[0].dots);
        status = picture_unpack(unpacker, parts, &sketch.picture[0], NULL);
    } else if (which % 3 == 1) {
        halo.parts = parts;
        halo.volume = volume;
        int64_t step = sketch_step(parts);
        status = volumes_unpack(unpacker, step << (which >> 2) % 3, rows, nnz, &halo, &sketch, NULL);
    } else {
        status = owners_unpack(unpacker, rows, parts, &sketch, NULL);
        for (int64_t k = 0; !status && k < sketch.run_count; k++)
            if (sketch.runs[k].owner < 0 || sketch.runs[k].owner >= parts || sketch.runs[k].first >= rows)
                fuzz_wrong("a run of rows that is none");
    }
    unpacker_close(unpacker);
    sketch_free(&sketch);
    halo_free(&halo);
    return !status;
}

/* A survey's file, whole, and the facts that resuming needs: both agree. */
int fuzz_survey(const uint8_t *data, size_t size)
{
    struct collection all = {0}, brief = {0};
    struct error error = {0};
    enum status status[2];
    memory_file_set(data, size, false);
    for (int k = 0; k < 2; k++) {
        FILE *file = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
        if (!file) return 0;
        status[k] = collection_read(file, "a.jsonl", k == 0, k == 0 ? &all : &brief, &error);
        fclose(file);
    }
    if (!status[0] && status[1]) fuzz_wrong("read whole, but not in brief: %s", error.message);
    if (!status[0] &&
        (all.input_count != brief.input_count || all.whole != brief.whole || all.failed != brief.failed))
        fuzz_wrong("whole and brief differ");
    if (!status[0] && (all.whole < 0 || all.whole > (int64_t)size))
        fuzz_wrong("%lld bytes of %zu", (long long)all.whole, size);
    for (int k = 0; k < all.input_count; k++)
        if (!collection_has(&all, all.inputs[k])) fuzz_wrong("an input that is done is not");
    collection_free(&all);
    collection_free(&brief);
    return !status[0];
}
