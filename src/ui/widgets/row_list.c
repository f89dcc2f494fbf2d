#include "ui/widgets/row_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"

/* An entry while entries are sorted. */
struct sorted {
    int64_t entry, place;
    double size;
};

static const struct matrix *matrix_of(const struct explorer *explorer)
{
    return &explorer->session->shown->matrix;
}

static double size_of(const struct matrix *matrix, int64_t entry)
{
    const struct csr *a = &matrix->csr;
    if (matrix->field == FIELD_PATTERN) return 1;
    return a->imaginary ? hypot(a->val[entry], a->imaginary[entry]) : fabs(a->val[entry]);
}

static int by_size(const void *a, const void *b)
{
    const struct sorted *left = a, *right = b;
    if (left->size != right->size) return left->size > right->size ? -1 : 1;
    return (left->place > right->place) - (left->place < right->place);
}

static int by_place(const void *a, const void *b)
{
    const struct sorted *left = a, *right = b;
    return (left->place > right->place) - (left->place < right->place);
}

/* The entries of the line, of which `entries` and `places` have room for `count`; without them they are
 * counted. */
static int64_t gather(const struct csr *a, int64_t line, bool column, struct sorted *entries)
{
    int64_t count = 0;
    if (!column) {
        for (int64_t k = a->row_ptr[line]; k < a->row_ptr[line + 1]; k++, count++)
            if (entries) entries[count] = (struct sorted){.entry = k, .place = a->col[k]};
        return count;
    }
    for (int64_t i = 0; i < a->rows; i++) {
        const int64_t k = csr_find(a, i, line);
        if (k < 0) continue;
        if (entries) entries[count] = (struct sorted){.entry = k, .place = i};
        count++;
    }
    return count;
}

/* Find the entries in the current order. */
static enum status find_entries(struct explorer *explorer, struct row_list *rows, struct error *error)
{
    const struct matrix *matrix = matrix_of(explorer);
    const int64_t count = gather(&matrix->csr, rows->line, rows->column, NULL);
    struct sorted *sorted = memory_array((size_t)count + 1, sizeof *sorted, error);
    free(rows->entries);
    free(rows->places);
    rows->count = 0;
    rows->entries = memory_array((size_t)count + 1, sizeof *rows->entries, error);
    rows->places = memory_array((size_t)count + 1, sizeof *rows->places, error);
    if (!sorted || !rows->entries || !rows->places) {
        free(sorted);
        return STATUS_MEMORY;
    }
    rows->count = gather(&matrix->csr, rows->line, rows->column, sorted);
    rows->sum = 0;
    for (int64_t k = 0; k < count; k++) {
        sorted[k].size = size_of(matrix, sorted[k].entry);
        rows->sum += sorted[k].size;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, rows->by_size ? by_size : by_place);
    for (int64_t k = 0; k < count; k++) {
        rows->entries[k] = sorted[k].entry;
        rows->places[k] = sorted[k].place;
    }
    free(sorted);
    return STATUS_OK;
}

/* The position of entry k of the list in the matrix. */
static void place_of(const struct row_list *rows, int64_t k, int64_t *row, int64_t *col)
{
    *row = rows->column ? rows->places[k] : rows->line;
    *col = rows->column ? rows->line : rows->places[k];
}

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    const struct row_list *rows = state;
    const struct matrix *matrix = matrix_of(explorer);
    const struct csr *a = &matrix->csr;
    for (int64_t k = 0; k < rows->count && k < ROW_LIST_MAX; k++) {
        struct list_row *row = list_add(list);
        char text[LIST_TEXT], value[ENTRY_VALUE];
        int64_t i, j;
        place_of(rows, k, &i, &j);
        list_write(row, 0, "%s", format_count(text, sizeof text, rows->places[k] + 1));
        list_write(row, 1, "%s", entry_value(matrix, rows->entries[k], value));
        list_write(row, 2, "%s",
                   format_rough(text, sizeof text, share_of(size_of(matrix, rows->entries[k]), rows->sum)));
        const int64_t mirror = a->rows == a->cols ? csr_find(a, j, i) : -1;
        if (i == j)
            snprintf(text, sizeof text, "diagonal");
        else if (mirror < 0)
            snprintf(text, sizeof text, "none");
        else if (matrix->field == FIELD_PATTERN)
            snprintf(text, sizeof text, "an entry");
        else
            snprintf(text, sizeof text, "%s", entry_value(matrix, mirror, value));
        list_write(row, 3, "%s", text);
        if (row) row->alerts[3] = mirror < 0 && a->rows == a->cols;
    }
}

/* Put the cursor on the entry, and show it on Pattern. */
static void choose(struct explorer *explorer, void *state, int row)
{
    struct row_list *rows = state;
    int64_t i, j;
    place_of(rows, row, &i, &j);
    list_close(&rows->list);
    explorer_move(explorer, i, j);
    explorer_show(explorer, &view_pattern);
}

static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    const struct row_list *rows = state;
    char line[32], count[32], sum[32];
    flow_item(flow, COLOUR_TEXT, "%s %s: %s entr%s", rows->column ? "column" : "row",
              format_count(line, sizeof line, rows->line + 1), format_count(count, sizeof count, rows->count),
              rows->count == 1 ? "y" : "ies");
    if (matrix_of(explorer)->field != FIELD_PATTERN)
        flow_item(flow, COLOUR_DIM, "sum of |a| %s", format_brief(sum, sizeof sum, rows->sum));
    if (rows->count > ROW_LIST_MAX) flow_item(flow, COLOUR_WARN, "the first %d are listed", ROW_LIST_MAX);
}

static void sort(struct explorer *explorer, void *state, int unused)
{
    struct row_list *rows = state;
    struct error error = {0};
    char text[sizeof explorer->message];
    rows->by_size = !rows->by_size;
    if (find_entries(explorer, rows, &error) != STATUS_OK)
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
    rows->list.selected = 0;
}

static const struct action actions[] = {
    {.keys = {'s'}, .run = sort, .name = "sort", .help = "by position, or by |a|"},
    {.run = NULL},
};

static const struct list_kind entries_list = {
    .title = "Entries",
    .wide = 76,
    .foot_high = 2,
    .columns = {{.title = "position"},
                {.title = "value", .wide = 24, .numbers = true},
                {.title = "|a| / sum", .wide = 10, .numbers = true},
                {.title = "mirror image", .wide = 24, .numbers = true}},
    .actions = actions,
    .fill = fill,
    .choose = choose,
    .about = about,
};

void row_list_open(struct explorer *explorer, struct row_list *rows, int64_t line, bool column)
{
    const struct matrix_case *shown = explorer->session->shown;
    struct error error = {0};
    char text[sizeof explorer->message];
    if (!case_has_entries(shown)) {
        explorer_say(explorer, "the entries are not in memory: %s", shown->absence.remedy);
        return;
    }
    if (column && shown->matrix.csr.rows > ROW_LIST_SOUGHT) {
        explorer_say(explorer, "the entries of a column are not looked for in so many rows");
        return;
    }
    rows->line = line;
    rows->column = column;
    if (find_entries(explorer, rows, &error) != STATUS_OK)
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
    else if (rows->count == 0)
        explorer_say(explorer, "%s %s has no entries", column ? "column" : "row",
                     format_count(text, sizeof text, line + 1));
    else
        list_open(explorer, &rows->list, &entries_list, rows, 0);
}

void row_list_free(struct row_list *rows)
{
    list_free(&rows->list);
    free(rows->entries);
    free(rows->places);
    *rows = (struct row_list){0};
}
