/* The formats' answers about single elements agree: every entry is in one slot, every slot has one position
 * and one cell of the picture, and no answer points outside the arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "formats/array.h"
#include "support/trials.h"

/* Storages with more slots are left out, since every slot is inspected several times: of the variants of
 * formats, and of other parameters. */
#define VARIANT_SLOTS 50000
#define OTHER_SLOTS 10000

/* mark[part][e] is the number of entries in slot e of a part. */
struct marks {
    uint8_t *mark[STORAGE_PARTS];
};

static struct marks marks_new(const struct storage *storage)
{
    struct marks marks;
    for (int part = 0; part < STORAGE_PARTS; part++) {
        marks.mark[part] = calloc((size_t)storage->slots[part] + 1, 1);
        assert_non_null(marks.mark[part]);
    }
    return marks;
}

static void marks_free(struct marks *marks)
{
    for (int part = 0; part < STORAGE_PARTS; part++)
        free(marks->mark[part]);
}

static bool in_matrix(const struct storage *storage, struct place place)
{
    return place.row >= -1 && place.row < storage->rows && place.col >= -1 && place.col < storage->cols;
}

/* The value in a slot is that of entry k, or of its mirror image in half storages. */
static bool holds(const struct storage *storage, int part, int64_t slot, const struct csr *a, int64_t k,
                  bool image)
{
    double imaginary, real = array_value(storage_values(storage, part), slot, &imaginary);
    const struct mirror_signs signs = image ? mirror_signs(storage->symmetry) : (struct mirror_signs){1, 1};
    double expected = signs.real * a->val[k], other = a->imaginary ? signs.imaginary * a->imaginary[k] : 0;
    if (storage->precision == PRECISION_F32) {
        expected = (float)expected;
        other = (float)other;
    }
    return memcmp(&real, &expected, sizeof real) == 0 && memcmp(&imaginary, &other, sizeof other) == 0;
}

/* Each entry has its own slot, which gives back the position. In half storages it shares the slot with its
 * mirror image. All other slots are padding. */
static void check_slots(const struct trial *trial, const struct storage *storage)
{
    const struct csr *a = &trial->sample->a;
    const struct format *format = storage->format;
    struct marks marks = marks_new(storage);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int part = -1;
            int64_t slot = format->locate(storage, a, i, k, &part);
            if (part < 0 || part >= STORAGE_PARTS || slot < 0 || slot >= storage->slots[part])
                trial_fail(trial, "entry %lld in slot %lld of part %d", (long long)k, (long long)slot, part);
            struct place place = format->place(storage, part, slot);
            const bool image = storage->mirrored > 0 && place.row == a->col[k] && place.col == i;
            if (!image && (place.row != i || place.col != a->col[k]))
                trial_fail(trial, "entry (%lld, %d) in a slot of (%lld, %lld)", (long long)i, a->col[k],
                           (long long)place.row, (long long)place.col);
            if (!holds(storage, part, slot, a, k, image && i != a->col[k]))
                trial_fail(trial, "entry %lld has another value", (long long)k);
            if (image && i < a->col[k]) continue; /* the image below the diagonal counts */
            if (marks.mark[part][slot]++) trial_fail(trial, "slot %lld is taken twice", (long long)slot);
        }
    for (int part = 0; part < STORAGE_PARTS; part++)
        for (int64_t e = 0; e < storage->slots[part]; e++) {
            if (storage_padding(storage, part, e) == marks.mark[part][e])
                trial_fail(trial, "slot %lld of part %d is%s padding", (long long)e, part,
                           marks.mark[part][e] ? "" : " not");
            if (!in_matrix(storage, format->place(storage, part, e)))
                trial_fail(trial, "slot %lld of part %d lies nowhere", (long long)e, part);
        }
    marks_free(&marks);
}

/* mark[q][e] is 1 if some spot needs element e of array q, which is not per slot. */
struct needed {
    uint8_t *mark[STORAGE_ARRAYS];
};

static struct needed needed_new(const struct storage *storage)
{
    struct needed needed = {0};
    for (int q = 0; q < storage->count; q++) {
        needed.mark[q] = calloc((size_t)storage->array[q].length + 1, 1);
        assert_non_null(needed.mark[q]);
    }
    return needed;
}

static void needed_free(struct needed *needed)
{
    for (int q = 0; q < STORAGE_ARRAYS; q++)
        free(needed->mark[q]);
}

/* The elements that a spot needs lie within the arrays. An entry of part 0 needs an element of each array,
 * except of those of part 1. */
static void check_touch(const struct trial *trial, const struct storage *storage, const struct spot *spot,
                        struct needed *needed)
{
    for (int q = 0; q < storage->count; q++) {
        if (storage->array[q].per_slot) continue;
        struct extent extent = storage->format->touch(storage, q, spot);
        if (spot->slot >= 0 && spot->part == 0 && storage->array[q].part == 0 && extent.end <= extent.first)
            trial_fail(trial, "the entry (%lld, %lld) needs nothing of %s", (long long)spot->place.row,
                       (long long)spot->place.col, storage->array[q].name);
        if (extent.first < 0 || extent.end < extent.first || extent.end > storage->array[q].length)
            trial_fail(trial, "(%lld, %lld) touches %s[%lld..%lld)", (long long)spot->place.row,
                       (long long)spot->place.col, storage->array[q].name, (long long)extent.first,
                       (long long)extent.end);
        memset(needed->mark[q] + extent.first, 1, (size_t)(extent.end - extent.first));
    }
}

/* Some spot needs each element, if there are slots. */
static void check_needed(const struct trial *trial, const struct storage *storage,
                         const struct needed *needed)
{
    for (int q = 0; q < storage->count && storage->slots[0] > 0; q++)
        for (int64_t e = 0; e < storage->array[q].length && !storage->array[q].per_slot; e++)
            if (!needed->mark[q][e])
                trial_fail(
                    trial,
                    "nobody needs %s[%lld]: `touch` should return it for some position, or `plan` leave "
                    "it out",
                    storage->array[q].name, (long long)e);
}

/* Return true if the row may lack a line of its own: its entries are in another part than the drawn one. */
static bool is_apart(const struct trial *trial, const struct storage *storage, int64_t i)
{
    const struct csr *a = &trial->sample->a;
    int part = 0;
    if (a->row_ptr[i] < a->row_ptr[i + 1]) storage->format->locate(storage, a, i, a->row_ptr[i], &part);
    return part > 0;
}

/* The cell of a spot in the picture is its slot. If lines are rows or columns, the line is that of its row or
 * column. */
static void check_find(const struct trial *trial, const struct storage *storage, const struct shape *shape,
                       const struct spot *spot)
{
    int64_t line = -2, c = -2;
    if (!storage->format->find) return;
    storage->format->find(storage, spot, &line, &c);
    bool drawn = spot->slot >= 0 && spot->part == 0;
    if (line < -1 || line >= shape->lines || c < -1 || c >= shape->wide || (drawn && (line < 0 || c < 0)) ||
        (!drawn && c != -1))
        trial_fail(trial, "(%lld, %lld) in cell %lld of line %lld", (long long)spot->place.row,
                   (long long)spot->place.col, (long long)c, (long long)line);
    if (drawn && storage->format->cell(storage, line, c) != spot->slot)
        trial_fail(trial, "cell %lld of line %lld is another slot", (long long)c, (long long)line);
    if (line < 0 && shape->line == LINE_ROW && !is_apart(trial, storage, spot->place.row))
        trial_fail(trial, "(%lld, %lld) is in no line", (long long)spot->place.row,
                   (long long)spot->place.col);
    int64_t index = shape->line == LINE_COLUMN ? spot->place.col : spot->place.row;
    if (line >= 0 && (shape->line == LINE_ROW || shape->line == LINE_COLUMN) &&
        storage->format->label(storage, line) != index)
        trial_fail(trial, "line %lld goes by %s %lld, not %lld", (long long)line, line_name(shape),
                   (long long)storage->format->label(storage, line), (long long)index);
}

/* The spot of a position, with its entry or without. */
static struct spot spot_at(const struct storage *storage, const struct csr *a, int64_t i, int64_t j)
{
    return storage_spot(storage, a, (struct place){i, j}, csr_find(a, i, j));
}

static void check_spots(const struct trial *trial, const struct storage *storage, struct needed *needed)
{
    const struct csr *a = &trial->sample->a;
    struct shape shape = {0};
    if (storage->format->shape) shape = storage->format->shape(storage);
    for (int64_t i = 0; i < a->rows; i++) {
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            struct spot spot = storage_spot(storage, a, (struct place){i, a->col[k]}, k);
            check_touch(trial, storage, &spot, needed);
            check_find(trial, storage, &shape, &spot);
        }
        /* Positions without an entry, in empty rows too; */
        int64_t columns[] = {0, a->cols / 2, a->cols - 1};
        for (int n = 0; n < 3 && a->cols > 0; n++) {
            if (csr_find(a, i, columns[n]) >= 0) continue;
            struct spot spot = storage_spot(storage, a, (struct place){i, columns[n]}, -1);
            assert_int_equal(spot.slot, -1);
            check_touch(trial, storage, &spot, needed);
            check_find(trial, storage, &shape, &spot);
        }
    }
    /* and in empty columns. */
    for (int64_t j = 0; j < a->cols && a->rows > 0; j++) {
        struct spot spot = spot_at(storage, a, j % a->rows, j);
        check_touch(trial, storage, &spot, needed);
        check_find(trial, storage, &shape, &spot);
    }
}

/* The spot of the position that an element leads to needs this element. For a row without column the row's
 * first entry counts; for a column without row any row. Only the end of an array of pointers leads
 * nowhere. */
static void check_lead(const struct trial *trial, const struct storage *storage, int q, int64_t e,
                       struct needed *needed)
{
    const struct csr *a = &trial->sample->a;
    const struct array *array = &storage->array[q];
    struct place place = storage->format->leads(storage, q, e);
    if (!in_matrix(storage, place))
        trial_fail(trial, "%s[%lld] leads out of the matrix", array->name, (long long)e);
    if (place.row < 0 && place.col < 0) {
        if (array->role != ROLE_POINTERS || e != array->length - 1)
            trial_fail(trial, "%s[%lld] leads nowhere", array->name, (long long)e);
        return;
    }
    if (a->rows == 0 || a->cols == 0) return;
    if (place.row < 0) place.row = 0;
    if (place.col < 0)
        place.col = a->row_ptr[place.row] < a->row_ptr[place.row + 1] ? a->col[a->row_ptr[place.row]] : 0;
    struct spot spot = spot_at(storage, a, place.row, place.col);
    check_touch(trial, storage, &spot, needed);
    struct extent extent = storage->format->touch(storage, q, &spot);
    if (e < extent.first || e >= extent.end)
        trial_fail(trial,
                   "%s[%lld] leads to (%lld, %lld), for which `touch` returns [%lld..%lld): `leads` and "
                   "`touch` must agree",
                   array->name, (long long)e, (long long)place.row, (long long)place.col,
                   (long long)extent.first, (long long)extent.end);
}

/* The index of the values' array of a part. */
static int values_array(const struct storage *storage, int part)
{
    return (int)(storage_values(storage, part) - storage->array);
}

/* Elements lead to positions, have a valid rule, and have an explanation. The rules of all arrays of a part's
 * slots are the same. */
static void check_elements(const struct trial *trial, const struct storage *storage, struct needed *needed)
{
    const struct format *format = storage->format;
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        for (int64_t e = 0; e < array->length; e++) {
            if (!array->per_slot) check_lead(trial, storage, q, e, needed);
            enum rule rule = e > 0 ? format->rule(storage, q, e) : RULE_NONE;
            assert_true(rule == RULE_NONE || rule == RULE_MINOR || rule == RULE_MAJOR);
            if (e > 0 && array->per_slot &&
                rule != format->rule(storage, values_array(storage, array->part), e))
                trial_fail(trial, "the rule at %s[%lld] is not that of the values", array->name,
                           (long long)e);
            if (!format->explain || e % 16) continue;
            struct text text = {0};
            format->explain(storage, q, e, &text);
            assert_false(text.failed);
            text_free(&text);
        }
    }
}

/* The cell of a slot in the picture. */
struct cell {
    int64_t line, c;
};

/* True if each slot of part 0 has a stored index. Blocks and diagonals share one among many slots. */
static bool has_indices(const struct storage *storage)
{
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        if (array->per_slot && array->part == 0 && array->role != ROLE_VALUES) return true;
    }
    return false;
}

/* A slot with a stored index begins something (has a rule) if it neither follows the slot before on its line
 * nor stands directly below it. */
static void check_rules(const struct trial *trial, const struct storage *storage, const struct cell *cells)
{
    int values = values_array(storage, 0);
    for (int64_t e = 1; e < storage->slots[0] && has_indices(storage); e++) {
        struct cell before = cells[e - 1], here = cells[e];
        bool follows = here.line == before.line && here.c == before.c + 1;
        bool below = here.line == before.line + 1 && here.c == before.c;
        if (!follows && !below && storage->format->rule(storage, values, e) == RULE_NONE)
            trial_fail(trial, "nothing begins at slot %lld, cell %lld of line %lld", (long long)e,
                       (long long)here.c, (long long)here.line);
    }
}

/* Slots without a picture that are ordered by rows, or by columns: each row, or column, begins with a rule.
 * With this number of slots the order is no coincidence. */
#define ORDERED_MIN 32

static void check_order(const struct trial *trial, const struct storage *storage, int part)
{
    const struct format *format = storage->format;
    bool by_rows = true, by_cols = true;
    if (storage->slots[part] < ORDERED_MIN || (part == 0 && format->shape)) return;
    for (int64_t e = 1; e < storage->slots[part]; e++) {
        struct place before = format->place(storage, part, e - 1), here = format->place(storage, part, e);
        by_rows = by_rows && here.row >= before.row;
        by_cols = by_cols && here.col >= before.col;
    }
    for (int64_t e = 1; e < storage->slots[part] && by_rows != by_cols; e++) {
        struct place before = format->place(storage, part, e - 1), here = format->place(storage, part, e);
        bool begins = by_rows ? here.row > before.row : here.col > before.col;
        if (begins && format->rule(storage, values_array(storage, part), e) == RULE_NONE)
            trial_fail(trial, "nothing begins at slot %lld of part %d", (long long)e, part);
    }
}

/* Lines of rows and columns are labelled with their index, or with -1 outside the matrix. */
static void check_label(const struct trial *trial, const struct storage *storage, const struct shape *shape,
                        int64_t line)
{
    int64_t label = storage->format->label(storage, line);
    int64_t count = shape->line == LINE_ROW      ? storage->rows
                    : shape->line == LINE_COLUMN ? storage->cols
                                                 : INT64_MAX;
    if ((shape->line == LINE_ROW || shape->line == LINE_COLUMN) && (label < -1 || label >= count))
        trial_fail(trial,
                   "line %lld goes by %s %lld, which the matrix does not have: `label` should return -1",
                   (long long)line, line_name(shape), (long long)label);
}

/* Every slot of part 0 has exactly one cell of the picture, and lines have no gaps. */
static void check_picture(const struct trial *trial, const struct storage *storage)
{
    if (!storage->format->shape) return;
    struct shape shape = storage->format->shape(storage);
    struct marks marks = marks_new(storage);
    struct cell *cells = calloc((size_t)storage->slots[0] + 1, sizeof *cells);
    int64_t met = 0, widest = 0;
    assert_non_null(cells);
    for (int64_t line = 0; line < shape.lines; line++) {
        int64_t c = 0, slot;
        while (c < shape.wide && (slot = storage->format->cell(storage, line, c)) >= 0) {
            if (slot >= storage->slots[0] || marks.mark[0][slot]++)
                trial_fail(trial, "cell %lld of line %lld is slot %lld, again or outside", (long long)c,
                           (long long)line, (long long)slot);
            cells[slot] = (struct cell){line, c};
            met++;
            c++;
        }
        if (c > widest) widest = c;
        if (c < shape.wide && storage->format->cell(storage, line, shape.wide - 1) != -1)
            trial_fail(trial, "line %lld has a gap", (long long)line);
        check_label(trial, storage, &shape, line);
    }
    if (shape.lines > 0 && met != storage->slots[0])
        trial_fail(trial, "%lld of %lld slots are drawn", (long long)met, (long long)storage->slots[0]);
    if (shape.lines > 0 && (widest != shape.wide || !line_name(&shape)))
        trial_fail(trial, "the longest line has %lld cells, not %lld", (long long)widest,
                   (long long)shape.wide);
    if (shape.lines > 0) check_rules(trial, storage, cells);
    free(cells);
    marks_free(&marks);
}

static void check_trial(const struct trial *trial)
{
    struct storage plan, storage;
    if (!trial_plan(trial, &plan)) return;
    bool small =
        storage_slots(&plan) <= (trial->request->origin == ORIGIN_VARIANT ? VARIANT_SLOTS : OTHER_SLOTS);
    storage_free(&plan);
    if (!small) return;
    trial_convert(trial, &storage);
    check_slots(trial, &storage);
    struct needed needed = needed_new(&storage);
    check_spots(trial, &storage, &needed);
    check_elements(trial, &storage, &needed);
    check_needed(trial, &storage, &needed);
    needed_free(&needed);
    check_picture(trial, &storage);
    check_order(trial, &storage, 0);
    check_order(trial, &storage, 1);
    storage_free(&storage);
}

static void answers_agree(void **state)
{
    struct samples samples = samples_small();
    struct requests requests = requests_all();
    unsigned turn = 0;
    for (int s = 0; s < samples.count; s++)
        for (int r = 0; r < requests.count; r++) {
            struct trial trial = {.sample = &samples.items[s], .request = &requests.items[r], .threads = 1};
            trial.options.precision = turn & 1 ? PRECISION_F32 : PRECISION_F64;
            trial.options.wide = turn++ & 2;
            check_trial(&trial);
        }
    requests_free(&requests);
    samples_free(&samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
