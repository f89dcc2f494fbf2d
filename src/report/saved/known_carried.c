/* The data on a matrix that a saved report carries, to show it without its file: its pattern and its
 * lengths. */
#include <string.h>

#include "report/json/carried.h"
#include "report/packed/cells.h"
#include "report/packed/lengths.h"
#include "report/saved/known.h"

/* The smallest power of two for which the stretches of lines are at most this number. */
static int64_t step_of(struct reading *reading, const char *key, int64_t lines, int64_t most)
{
    int64_t step = reading_integer(reading, key, 1, (int64_t)1 << 31, 0);
    if (reading->status == STATUS_OK &&
        (step < 1 || (step & (step - 1)) != 0 || lines / step + (lines % step != 0) > most))
        reading_wrong(reading, key, "a power of two that is large enough");
    return step;
}

struct unpacker *known_unpacker(struct reading *reading)
{
    struct unpacker *unpacker = NULL;
    if (reading->status == STATUS_OK)
        reading->status = unpacker_open(reading_text(reading, "packed", ""), &unpacker, reading->error);
    return unpacker;
}

static void set_spans(struct reading *carried, const char *key, int64_t lines, int64_t others, int64_t nnz,
                      struct spans *spans)
{
    struct reading reading = reading_inner(carried, key);
    int64_t step = step_of(&reading, "step", lines, CARRIED_STRETCHES);
    struct unpacker *unpacker = known_unpacker(&reading);
    if (unpacker) reading.status = lengths_unpack(unpacker, lines, step, nnz, others, spans, reading.error);
    unpacker_close(unpacker);
    carried->status = reading.status;
}

static void set_pattern(struct reading *carried, struct matrix_case *of)
{
    const struct csr *a = &of->matrix.csr;
    struct reading reading = reading_inner(carried, "pattern");
    struct level level = {.row_step = step_of(&reading, "row_step", a->rows, CARRIED_SIDE),
                          .col_step = step_of(&reading, "col_step", a->cols, CARRIED_SIDE)};
    struct unpacker *unpacker = known_unpacker(&reading);
    if (unpacker) {
        level.rows = a->rows / level.row_step + (a->rows % level.row_step != 0);
        level.cols = a->cols / level.col_step + (a->cols % level.col_step != 0);
        reading.status =
            cells_unpack(unpacker, reading_boolean(&reading, "ones"), of->nnz, &level, reading.error);
        if (reading.status == STATUS_OK) reading.status = level_pyramid(&level, &of->pyramid, reading.error);
        level_free(&level);
    }
    unpacker_close(unpacker);
    if (reading.status == STATUS_OK) case_know(of, SESSION_PYRAMID);
    carried->status = reading.status;
}

void known_set_carried(struct reading *reading, struct matrix_case *of)
{
    const struct csr *a = &of->matrix.csr;
    struct reading carried = reading_inner(reading, "carried");
    if (!carried.object) return;
    if (json_is_object(reading_get(&carried, "row_lengths")) && case_has(of, SESSION_ROW_LENGTHS))
        set_spans(&carried, "row_lengths", a->rows, a->cols, of->nnz, &of->row_spans);
    if (carried.status == STATUS_OK && json_is_object(reading_get(&carried, "col_lengths"))) {
        set_spans(&carried, "col_lengths", a->cols, a->rows, of->nnz, &of->col_spans);
        if (carried.status == STATUS_OK) case_know(of, SESSION_COL_PTR);
    }
    if (carried.status == STATUS_OK && json_is_object(reading_get(&carried, "pattern")))
        set_pattern(&carried, of);
    reading->status = carried.status;
}
