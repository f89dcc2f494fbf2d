/* The requests of one warp, step by step. */
#include <stdlib.h>
#include <string.h>

#include "analysis/warps/warps.h"
#include "base/memory.h"
#include "base/range.h"

#define LINE_BITS 7
#define SECTOR_CELLS (LINE_CELLS / 4)
#define CELL_BYTES 4
#define ROOM_FIRST 256

/* Recording */

/* The tracer passes each request to a recorder, which turns it into a step. */
struct recorder {
    struct warp_record *record;
    struct tracer tracer;
    struct trace_counts before[ACCESSES][OPERANDS]; /* the tracer's counts before the last step */
    struct warp_sums sums;
    uint32_t written; /* the lanes that have written a row */
    bool failed;
    struct error *error;
};

/* Return the cost of a request: its sectors, or its passes of shared memory. These are one for each 128 bytes
 * that its lanes request, plus those added by conflicts. */
static int64_t cost(const struct warp_step *step, const struct ask *ask)
{
    int lanes = __builtin_popcount(step->active);
    if (ask->operand != OPERAND_SHARED) return step->sectors;
    return step->conflicts + (lanes * ask->size + 127) / 128;
}

static void add_step(struct warp_sums *sums, const struct warp_step *step, const struct ask *ask)
{
    sums->step++;
    sums->lanes += __builtin_popcount(step->active & ~step->padding);
    sums->requests[ask->access][ask->operand]++;
    sums->cost[ask->access][ask->operand] += cost(step, ask);
}

static int find_ask(struct warp_record *record, const struct ask *ask)
{
    for (int k = 0; k < record->ask_count; k++) {
        const struct ask *other = &record->asks[k];
        if (other->operand == ask->operand && other->access == ask->access && other->size == ask->size &&
            strcmp(other->text, ask->text) == 0)
            return k;
    }
    if (record->ask_count == WARP_ASKS) return WARP_ASKS - 1;
    record->asks[record->ask_count] = *ask;
    return record->ask_count++;
}

/* Add a mark with the sums so far. False without memory. */
static bool set_mark(struct recorder *recorder)
{
    struct warp_record *record = recorder->record;
    if (record->mark_count == record->mark_room) {
        int64_t room = record->mark_room ? 2 * record->mark_room : 1;
        struct warp_sums *marks = memory_resize(record->marks, (size_t)room, sizeof *marks, recorder->error);
        if (!marks) return false;
        record->marks = marks;
        record->mark_room = room;
    }
    record->marks[record->mark_count++] = recorder->sums;
    return true;
}

static bool make_room(struct recorder *recorder)
{
    struct warp_record *record = recorder->record;
    if (record->count % WARP_MARK == 0 && !set_mark(recorder)) return false;
    if (record->count < record->room) return true;
    int64_t room = record->room ? 2 * record->room : ROOM_FIRST;
    struct warp_step *steps = memory_resize(record->steps, (size_t)room, sizeof *steps, recorder->error);
    if (!steps) return false;
    record->steps = steps;
    record->room = room;
    return true;
}

/* Note the rows of y that a request writes. */
static void note_rows(struct recorder *recorder, const struct request *request)
{
    struct warp_record *record = recorder->record;
    for (uint32_t rest = request->active; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        int64_t row = (int64_t)(request->address[lane] / (uint64_t)request->ask->size);
        if (record->first_row < 0 || row < record->first_row) record->first_row = row;
        if (row > record->last_row) record->last_row = row;
        record->row[lane] = !(recorder->written >> lane & 1) || record->row[lane] == row ? row : -1;
    }
    recorder->written |= request->active;
}

static void note(void *context, const struct request *request)
{
    struct recorder *recorder = context;
    struct warp_record *record = recorder->record;
    const struct ask *ask = request->ask;
    if (recorder->failed || !make_room(recorder)) {
        recorder->failed = true;
        return;
    }
    struct trace_counts *before = &recorder->before[ask->access][ask->operand];
    const struct trace_counts *now = &recorder->tracer.count[ask->access][ask->operand];
    int64_t k = record->count++ - record->window;
    record->steps[record->count - 1] =
        (struct warp_step){.active = request->active,
                           .padding = request->padding,
                           .useful = (uint16_t)(now->useful - before->useful),
                           .ask = (uint8_t)find_ask(record, ask),
                           .sectors = (uint8_t)(now->sectors - before->sectors),
                           .lines = (uint8_t)(now->lines - before->lines),
                           .conflicts = (uint8_t)min(now->conflicts - before->conflicts, 255)};
    *before = *now;
    add_step(&recorder->sums, &record->steps[record->count - 1],
             &record->asks[record->steps[record->count - 1].ask]);
    if (k >= 0 && k < WARP_WINDOW) {
        memset(record->address[k], 0, sizeof record->address[k]);
        for (uint32_t rest = request->active; rest; rest &= rest - 1)
            record->address[k][__builtin_ctz(rest)] = request->address[__builtin_ctz(rest)];
    }
    if (ask->operand == OPERAND_Y && ask->access != ACCESS_LOAD) note_rows(recorder, request);
}

enum status warp_record_make(const struct launch *launch, struct warp_at at, int64_t step,
                             struct warp_budget *budget, struct warp_record *record, struct error *error)
{
    struct recorder recorder = {.record = record, .error = error};
    recorder.tracer.show = note;
    recorder.tracer.context = &recorder;
    warp_record_free(record);
    record->at = at;
    record->first_row = record->last_row = -1;
    for (int lane = 0; lane < TRACE_LANES; lane++)
        record->row[lane] = -1;
    record->window = step / WARP_WINDOW * WARP_WINDOW;
    record->address = memory_array(WARP_WINDOW, sizeof *record->address, error);
    recorder.failed = !record->address;
    bool whole = !recorder.failed && warp_replay(launch, at, budget, &recorder.tracer);
    if (!whole || recorder.failed) {
        warp_record_free(record);
        return recorder.failed ? STATUS_MEMORY
                               : error_set(error, STATUS_CANCELLED, "replaying a warp was stopped");
    }
    record->sum = (struct coalescing){.warps = 1, .replayed = 1, .share = 1};
    record->all = recorder.sums;
    memcpy(record->sum.count, recorder.tracer.count, sizeof record->sum.count);
    if (step >= record->count && record->window > 0)
        return warp_record_make(launch, at, max(record->count - 1, 0), budget, record, error);
    return STATUS_OK;
}

double warp_step_efficiency(const struct warp_record *record, int64_t step, int granule)
{
    const struct warp_step *at = &record->steps[step];
    const struct trace_counts counts = {
        .requests = 1, .sectors = at->sectors, .lines = at->lines, .useful = at->useful};
    return coalescing_efficiency(&counts, granule);
}

bool warp_record_scattered(const struct warp_record *record)
{
    int lanes = 0;
    for (int lane = 0; lane < TRACE_LANES; lane++)
        lanes += record->row[lane] >= 0;
    return lanes > 1 && record->sum.count[ACCESS_STORE][OPERAND_Y].lanes == lanes &&
           record->last_row - record->first_row >= lanes;
}

bool warp_record_has(const struct warp_record *record, int64_t step)
{
    return step >= record->window && step < min(record->count, record->window + WARP_WINDOW);
}

void warp_record_free(struct warp_record *record)
{
    free(record->steps);
    free(record->marks);
    free(record->address);
    *record = (struct warp_record){0};
}

/* Moments */

static bool is_kind(const struct warp_record *record, int64_t step, enum access access, enum operand operand)
{
    const struct ask *ask = &record->asks[record->steps[step].ask];
    return ask->access == access && ask->operand == operand;
}

/* Advance the sums to the first `step` steps, which must not be fewer than now. The last mark before that
 * step saves most of the additions. */
static void sum_to(const struct warp_record *record, int64_t step, struct warp_sums *sums)
{
    int64_t mark = min(step / WARP_MARK, record->mark_count - 1);
    if (mark >= 0 && record->marks[mark].step > sums->step) *sums = record->marks[mark];
    while (sums->step < step) {
        const struct warp_step *next = &record->steps[sums->step];
        add_step(sums, next, &record->asks[next->ask]);
    }
}

struct warp_moment warp_moment(const struct warp_record *record, int64_t step)
{
    const struct ask *ask = &record->asks[record->steps[step].ask];
    struct warp_sums sums = {0};
    sum_to(record, step, &sums);
    return (struct warp_moment){ask->access, ask->operand, sums.requests[ask->access][ask->operand]};
}

/* The last mark with at most `ordinal` requests of the moment's kind before it; -1 without marks. The request
 * comes after that mark. */
static int64_t find_mark(const struct warp_record *record, struct warp_moment moment)
{
    int64_t low = 0, high = record->mark_count;
    BISECT(low, high, record->marks[middle].requests[moment.access][moment.operand] <= moment.ordinal);
    return low - 1;
}

int64_t warp_step_of(const struct warp_record *record, struct warp_moment moment, int64_t otherwise)
{
    int64_t of_kind = record->all.requests[moment.access][moment.operand];
    if (moment.ordinal >= of_kind) moment.ordinal = of_kind - 1;
    if (of_kind == 0) return clip(otherwise, max(record->count - 1, 0));
    int64_t mark = find_mark(record, moment), k = 0, left = moment.ordinal;
    if (mark >= 0) {
        k = record->marks[mark].step;
        left -= record->marks[mark].requests[moment.access][moment.operand];
    }
    while (left > 0 || !is_kind(record, k, moment.access, moment.operand))
        left -= is_kind(record, k++, moment.access, moment.operand);
    return k;
}

/* Lines */

/* The index of a line among the ascending lines found so far. A new line is inserted. */
static int place_line(struct warp_line lines[TRACE_LANES], int *count, uint64_t line)
{
    int k = *count;
    while (k > 0 && lines[k - 1].line >= line)
        k--;
    if (k < *count && lines[k].line == line) return k;
    memmove(&lines[k + 1], &lines[k], (size_t)(*count - k) * sizeof lines[0]);
    lines[k] = (struct warp_line){.line = line};
    memset(lines[k].lane, CELL_UNUSED, sizeof lines[k].lane);
    ++*count;
    return k;
}

/* Return the new content of a cell after this lane has requested it. */
static uint8_t joined(uint8_t cell, int lane, bool padding)
{
    if (padding) return cell == CELL_UNUSED ? CELL_PADDING : cell;
    return cell == CELL_UNUSED || cell == CELL_PADDING ? (uint8_t)lane : CELL_SEVERAL;
}

int warp_lines(const struct request *request, struct warp_line lines[TRACE_LANES])
{
    int count = 0, size = request->ask->size;
    for (uint32_t rest = request->active; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint64_t address = request->address[lane];
        bool padding = request->padding >> lane & 1;
        struct warp_line *line = &lines[place_line(lines, &count, address >> LINE_BITS)];
        int first = (int)(address % (1 << LINE_BITS)) / CELL_BYTES;
        for (int cell = first; cell == first || cell * CELL_BYTES < first * CELL_BYTES + size; cell++) {
            line->lane[cell] = joined(line->lane[cell], lane, padding);
            line->touched |= (uint8_t)(1u << cell / SECTOR_CELLS);
        }
    }
    return count;
}

/* Columns */

int warp_column_of(const struct warp_record *record, int64_t step, int columns)
{
    if (record->count <= columns) return (int)step;
    return (int)((double)step * columns / (double)record->count);
}

/* The first step of a column, or record->count if it has none. Rounding may shift the quotient by one step,
 * so it is compared with warp_column_of. */
static int64_t first_step(const struct warp_record *record, int column, int columns)
{
    if (record->count <= columns) return min(column, record->count);
    int64_t step = (int64_t)((double)column * (double)record->count / columns);
    while (step > 0 && warp_column_of(record, step - 1, columns) >= column)
        step--;
    while (step < record->count && warp_column_of(record, step, columns) < column)
        step++;
    return step;
}

static struct warp_column mean_of(const struct warp_sums *from, const struct warp_sums *to)
{
    int64_t steps = to->step - from->step;
    struct warp_column column = {.lanes = steps ? (float)(to->lanes - from->lanes) / (float)steps : 0};
    for (int a = 0; a < ACCESSES; a++)
        for (int o = 0; o < OPERANDS; o++) {
            int64_t requests = to->requests[a][o] - from->requests[a][o];
            column.sectors[a][o] =
                requests ? (float)(to->cost[a][o] - from->cost[a][o]) / (float)requests : -1;
        }
    return column;
}

void warp_columns(const struct warp_record *record, int columns, struct warp_column *out)
{
    struct warp_sums from = {0}, to = {0};
    for (int c = 0; c < columns; c++) {
        sum_to(record, first_step(record, c + 1, columns), &to);
        out[c] = mean_of(&from, &to);
        from = to;
    }
}
