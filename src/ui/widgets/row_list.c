#include "ui/widgets/row_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/bars.h"

#define VALUE_WIDE 24    /* width of a column of values */
#define LINE_WIDE 128    /* maximum number of bars of the drawn line */
#define SHARE_TOLD 0.001 /* a smaller share is written as "less than" this one */

static const struct matrix *matrix_of(const struct explorer *explorer)
{
    return &explorer->session->shown->matrix;
}

/* Return the position of entry k of the list in the matrix. */
static void place_of(const struct row_list *rows, int64_t k, int64_t *row, int64_t *col)
{
    const struct matrix_line line = rows->shown.line;
    const int64_t place = rows->shown.entries[k].place;
    *row = line.column ? place : line.at;
    *col = line.column ? line.at : place;
}

/* Write the share of an entry in the sum of the line. */
static const char *share_text(const struct row_listing *shown, const struct listed_entry *entry,
                              char out[LIST_TEXT])
{
    const double share = share_of(entry->size, shown->sum);
    if (share > 0 && share < SHARE_TOLD) {
        snprintf(out, LIST_TEXT, "<%s", format_percent((char[32]){0}, 32, SHARE_TOLD));
        return out;
    }
    return format_rough(out, LIST_TEXT, share);
}

/* Write a value in the width of its column, with a gap. Complex values with too many digits are shortened. */
static const char *value_text(const struct matrix *matrix, int64_t entry, char out[ENTRY_VALUE])
{
    const struct csr *a = &matrix->csr;
    char real[32], imaginary[32];
    if (strlen(entry_value(matrix, entry, out)) < VALUE_WIDE || !a->imaginary) return out;
    snprintf(out, ENTRY_VALUE, "%s %c %si", format_brief(real, sizeof real, a->val[entry]),
             signbit(a->imaginary[entry]) ? '-' : '+',
             format_brief(imaginary, sizeof imaginary, fabs(a->imaginary[entry])));
    return out;
}

static void write_row(struct explorer *explorer, void *state, struct list *list, int k)
{
    const struct row_list *rows = state;
    const struct matrix *matrix = matrix_of(explorer);
    const struct csr *a = &matrix->csr;
    const struct listed_entry *entry = &rows->shown.entries[k];
    struct list_row *row = &list->rows[k];
    char text[LIST_TEXT], value[ENTRY_VALUE];
    int64_t i, j;
    place_of(rows, k, &i, &j);
    list_write(row, 0, "%s", format_count(text, sizeof text, entry->place + 1));
    list_write(row, 1, "%s", value_text(matrix, entry->entry, value));
    list_write(row, 2, "%s", share_text(&rows->shown, entry, text));
    const int64_t mirror = a->rows == a->cols ? csr_find(a, j, i) : -1;
    if (a->rows != a->cols)
        snprintf(text, sizeof text, "not square");
    else if (i == j)
        snprintf(text, sizeof text, "diagonal");
    else if (mirror < 0)
        snprintf(text, sizeof text, "none");
    else if (matrix->field == FIELD_PATTERN)
        snprintf(text, sizeof text, "an entry");
    else
        snprintf(text, sizeof text, "%s", value_text(matrix, mirror, value));
    list_write(row, 3, "%s", text);
    row->alerts[3] = mirror < 0 && a->rows == a->cols;
}

/* The rows are kept until the next listing, because finding mirror images and writing values take long. */
static void fill(struct explorer *explorer, void *state, struct list *list)
{
    struct row_list *rows = state;
    if (!rows->filled) list_renew(list, rows->shown.listed);
    rows->filled = true;
    list->count = (int)min(rows->shown.listed, list->capacity);
}

/* Put the cursor on the entry, and show it on Pattern. */
static void choose(struct explorer *explorer, void *state, int row)
{
    struct row_list *rows = state;
    int64_t i, j;
    place_of(rows, row, &i, &j);
    list_close(&rows->list);
    explorer_move(explorer, i, j);
    explorer->aimed = true;
    explorer_show(explorer, &view_pattern);
}

static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    const struct row_list *rows = state;
    const struct row_listing *shown = &rows->shown;
    char line[32], count[32], sum[32], to[32];
    flow_item(flow, COLOUR_TEXT, "%s %s: %s entr%s", shown->line.column ? "column" : "row",
              format_count(line, sizeof line, shown->line.at + 1),
              format_count(count, sizeof count, shown->count), shown->count == 1 ? "y" : "ies");
    if (matrix_of(explorer)->field != FIELD_PATTERN)
        flow_item(flow, COLOUR_DIM, "sum of |a| %s", format_brief(sum, sizeof sum, shown->sum));
    if (shown->count == shown->listed) return;
    format_count(to, sizeof to, shown->first + shown->listed);
    if (shown->by_size && matrix_of(explorer)->field != FIELD_PATTERN)
        flow_item(flow, COLOUR_WARN, "the %s largest are listed", to);
    else
        flow_item(flow, COLOUR_WARN, "entries %s to %s are listed",
                  format_count(line, sizeof line, shown->first + 1), to);
}

static const struct list_kind entries_list;

/* Show the next listing. If its job failed or found no entries, a message says so. */
static void show_next(struct explorer *explorer, struct row_list *rows, enum status status,
                      const struct error *error)
{
    char text[sizeof explorer->message];
    int selected = 0;
    if (status == STATUS_OK && rows->next.count > 0) {
        row_listing_free(&rows->shown);
        rows->shown = rows->next;
        rows->next = (struct row_listing){0};
        rows->filled = false;
        for (int k = 0; k < rows->shown.listed; k++)
            if (rows->shown.entries[k].place == rows->shown.aim) selected = k;
        list_open(explorer, &rows->list, &entries_list, rows, selected);
        return;
    }
    if (status == STATUS_CANCELLED)
        explorer_say(explorer, "cancelled: the entries are not listed");
    else if (status != STATUS_OK)
        explorer_say_error(explorer, error);
    else
        explorer_say(explorer, "%s %s has no entries", rows->next.line.column ? "column" : "row",
                     format_count(text, sizeof text, rows->next.line.at + 1));
    row_listing_free(&rows->next);
}

static enum status make(void *argument, struct progress *progress, struct error *error)
{
    return row_listing_make(argument, progress, error);
}

static void stop(struct row_list *rows)
{
    if (!rows->running) return;
    progress_cancel(&rows->job.progress);
    job_join(&rows->job);
    rows->running = false;
    row_listing_free(&rows->next);
}

/* List this line in this order. Short listings are made at once, others by the job. */
static void start(struct explorer *explorer, struct row_list *rows, struct matrix_line line, bool by_size,
                  int64_t aim)
{
    struct error error = {0};
    stop(rows);
    rows->next = (struct row_listing){matrix_of(explorer), line, .by_size = by_size, .aim = aim};
    if (row_listing_steps(rows->next.matrix, line) <= ROW_LIST_AT_ONCE) {
        const enum status status = row_listing_make(&rows->next, NULL, &error);
        show_next(explorer, rows, status, &error);
        return;
    }
    const enum status status = job_start(&rows->job, make, &rows->next, &error);
    rows->running = status == STATUS_OK;
    if (!rows->running) show_next(explorer, rows, status, &error);
}

bool row_list_step(struct explorer *explorer, struct row_list *rows)
{
    if (!rows->running || !job_finished(&rows->job)) return false;
    const enum status status = job_join(&rows->job);
    rows->running = false;
    show_next(explorer, rows, status, &rows->job.error);
    return true;
}

static void sort(struct explorer *explorer, void *state, int unused)
{
    struct row_list *rows = state;
    start(explorer, rows, rows->shown.line, !rows->shown.by_size, -1);
}

/* Replace the listed row by the column of the selected entry, or the column by its row. */
static void turn(struct explorer *explorer, void *state, int unused)
{
    struct row_list *rows = state;
    const bool column = rows->shown.line.column;
    int64_t i, j;
    place_of(rows, rows->list.selected, &i, &j);
    start(explorer, rows, (struct matrix_line){column ? i : j, !column}, rows->shown.by_size, column ? j : i);
}

static const struct action actions[] = {
    {.keys = {'s'}, .run = sort, .name = "sort", .help = "by position, or by |a|"},
    {.keys = {'c'}, .run = turn, .name = "turn", .help = "the column of the selected entry, or its row"},
    {.run = NULL},
};

/* Return the bar of a part of the line. */
static int bar_of(const struct row_listing *shown, int part, int wide)
{
    return (int)((int64_t)part * wide / shown->part_count);
}

/* Draw the line from its first position to its last as bars. A bar's height is the sum of |a| over its
 * positions, relative to the highest bar. Each bar with an entry is visible. The ends and the selected entry
 * are marked below. */
static void draw_line(struct explorer *explorer, void *state, const struct list *list,
                      struct surface *surface, struct rect rect)
{
    const struct row_list *rows = state;
    const struct row_listing *shown = &rows->shown;
    const struct csr *a = &matrix_of(explorer)->csr;
    const int64_t length = shown->line.column ? a->rows : a->cols;
    const int wide = (int)min(rect.wide, length), base = rect.top + rect.high - 1;
    double sums[LINE_WIDE] = {0}, highest = 0;
    char end[32];
    if (wide < 1 || wide > LINE_WIDE || list->selected >= shown->listed) return;
    for (int part = 0; part < shown->part_count; part++) {
        const int x = bar_of(shown, part, wide);
        sums[x] += shown->parts[part];
        highest = fmax(highest, sums[x]);
    }
    for (int x = 0; x < wide; x++)
        if (sums[x] > 0)
            bar_draw(surface, &(struct bar){.kind = BAR_UPRIGHT,
                                            .rect = {rect.top, rect.left + x, rect.high - 1, 1},
                                            .length = fmin(sums[x] / highest, 1),
                                            .colour = shown->line.column ? COLOUR_COLS : COLOUR_ROWS,
                                            .ascii = explorer->ascii});
    const int x = bar_of(shown, row_listing_part(shown, shown->entries[list->selected].place), wide);
    format_count(end, sizeof end, length);
    if (x > 0) surface_text(surface, base, rect.left, 1, COLOUR_DIM, 0, "1");
    if (x < wide - (int)strlen(end)) /* the mark must not hide a digit */
        surface_text_right(surface, base, rect.left, wide, COLOUR_DIM, 0, "%s", end);
    surface_put(surface, base, rect.left + x, explorer->ascii ? '^' : 0x25b2, COLOUR_CURSOR, COLOUR_TEXT,
                ATTRIBUTE_BOLD);
}

static const struct list_kind entries_list = {
    .title = "Entries",
    .wide = 76,
    .head_high = 3,
    .head = draw_line,
    .foot_high = 2,
    .bare = true, /* all entries are available, so no row is searched for a reason */
    .columns = {{.title = "position", .help = "the column of the entry, or its row in the list of a column"},
                {.title = "value",
                 .wide = VALUE_WIDE,
                 .numbers = true,
                 .help = "a(i, j), or - in a matrix without values"},
                {.title = "|a| / sum",
                 .wide = 10,
                 .numbers = true,
                 .help = "the absolute value as a share of the sum of |a| over the line"},
                {.title = "mirror image",
                 .wide = VALUE_WIDE,
                 .numbers = true,
                 .help = "the value of a(j, i), if that position has an entry"}},
    .actions = actions,
    .fill = fill,
    .write = write_row,
    .choose = choose,
    .about = about,
};

void row_list_open(struct explorer *explorer, struct row_list *rows, struct matrix_line line)
{
    const struct matrix_case *shown = explorer->session->shown;
    const struct csr *a = &shown->matrix.csr;
    if (!case_has_entries(shown))
        explorer_say(explorer, "the entries are not in memory: %s", shown->absence.remedy);
    else if (line.at < (line.column ? a->cols : a->rows))
        start(explorer, rows, line, rows->shown.by_size, -1);
    else
        explorer_say(explorer, "the matrix is empty");
}

void row_list_close(struct row_list *rows)
{
    stop(rows);
    list_close(&rows->list);
}

void row_list_free(struct row_list *rows)
{
    stop(rows);
    list_free(&rows->list);
    row_listing_free(&rows->shown);
    *rows = (struct row_list){0};
}
