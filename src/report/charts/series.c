#include "report/charts/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Return the series of this name and height, adding it if it is new; NULL without memory. */
static struct series *series_named(struct series_list *list, const char *name, int height)
{
    for (int k = 0; k < list->count; k++)
        if (list->items[k].height == height && strcmp(list->items[k].name, name) == 0) return &list->items[k];
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 16;
        struct series *items = memory_resize(list->items, (size_t)room, sizeof *items, NULL);
        if (!items) return NULL;
        list->items = items;
        list->room = room;
    }
    struct series *series = &list->items[list->count++];
    *series = (struct series){.height = height};
    snprintf(series->name, sizeof series->name, "%s", name);
    return series;
}

static bool put(struct series_list *list, const char *name, int height, struct series_point point)
{
    struct series *series = series_named(list, name, height);
    if (!series) return false;
    if (series->count == series->room) {
        int room = series->room ? 2 * series->room : 16;
        struct series_point *items = memory_resize(series->items, (size_t)room, sizeof *items, NULL);
        if (!items) return false;
        series->items = items;
        series->room = room;
    }
    series->items[series->count++] = point;
    return true;
}

static bool is_drawn(double value, bool logarithmic)
{
    return isfinite(value) && (!logarithmic || value > 0);
}

static const struct sheet *find_sheet(const struct sheets *sheets, const char *key)
{
    for (int k = 0; k < sheets->count; k++)
        if (strcmp(sheets->items[k].key, key) == 0) return &sheets->items[k];
    return NULL;
}

/* Return the number of a column, or -1. */
static int find_column(const struct sheet *sheet, const char *key)
{
    for (int k = 0; key && k < sheet->wide; k++)
        if (strcmp(sheet->columns[k].key, key) == 0) return k;
    return -1;
}

/* A table while it is read. */
struct reading {
    const struct sheet_chart *chart;
    const struct sheet *sheet;
    int rows, across, heights[CHART_HEIGHTS];
    int by[CHART_BY]; /* columns that distinguish series; -1: none, or a column with the same value everywhere
                       */
};

static const struct value *cell_of(const struct reading *reading, int row, int column)
{
    return &reading->sheet->cells[row * reading->sheet->wide + column];
}

/* Write the text of a cell into out, which has `size` bytes. */
static void write_cell(const struct reading *reading, int row, int column, char *out, size_t size)
{
    const struct value *cell = cell_of(reading, row, column);
    out[0] = 0;
    if (cell->type == VALUE_TEXT)
        snprintf(out, size, "%s", cell->text);
    else if (cell->type != VALUE_NULL)
        snprintf(out, size, "%g %s", value_number(*cell), reading->sheet->columns[column].heading);
}

/* Empty cells do not count as different: the names of their rows differ anyway. */
static bool says_the_same(const struct reading *reading, int column)
{
    char first[SERIES_NAME] = "", other[SERIES_NAME];
    for (int row = 0; row < reading->rows; row++) {
        write_cell(reading, row, column, other, SERIES_NAME);
        if (other[0] && first[0] && strcmp(first, other) != 0) return false;
        if (!first[0]) memcpy(first, other, sizeof first);
    }
    return true;
}

static void begin(const struct sheet_chart *chart, const struct sheet *sheet, struct reading *reading)
{
    *reading = (struct reading){.chart = chart, .sheet = sheet, .rows = sheet->count / sheet->wide};
    reading->across = find_column(sheet, chart->across);
    for (int k = 0; k < CHART_HEIGHTS; k++)
        reading->heights[k] = find_column(sheet, chart->heights[k].key);
    for (int k = 0; k < CHART_BY; k++) {
        int column = find_column(sheet, chart->by[k]);
        reading->by[k] = column >= 0 && says_the_same(reading, column) ? -1 : column;
    }
}

/* Write the name of a row's series: `name`, then the texts that distinguish it. */
static void write_name(const struct reading *reading, int row, const char *name, char out[SERIES_NAME])
{
    int used = snprintf(out, SERIES_NAME, "%s", name);
    for (int k = 0; k < CHART_BY && used < SERIES_NAME; k++) {
        char word[SERIES_NAME];
        if (reading->by[k] < 0) continue;
        write_cell(reading, row, reading->by[k], word, sizeof word);
        if (word[0])
            used += snprintf(out + used, (size_t)(SERIES_NAME - used), "%s%s", used ? ", " : "", word);
    }
}

/* Each row of bars is a series, because the legend must have its name, which begins with the kernel. */
static bool take_row(const struct reading *reading, int row, int place, struct series_list *list, bool *taken)
{
    const struct sheet_chart *chart = reading->chart;
    char name[SERIES_NAME], first[SERIES_NAME];
    bool bars = chart->shape == CHART_BARS;
    double x =
        bars || reading->across < 0 ? place + 1.0 : value_number(*cell_of(reading, row, reading->across));
    for (int k = 0; k < CHART_HEIGHTS; k++) {
        if (reading->heights[k] < 0) continue;
        double y = value_number(*cell_of(reading, row, reading->heights[k]));
        if (!is_drawn(x, chart->across_logarithmic) || !is_drawn(y, chart->up_logarithmic)) continue;
        snprintf(first, sizeof first, "%s", chart->heights[k].name);
        if (bars) write_cell(reading, row, reading->across, first, sizeof first);
        write_name(reading, row, first, name);
        if (!put(list, name, k, (struct series_point){x, y, place})) return false;
        *taken = true;
    }
    return true;
}

static bool take_sheet(const struct sheet_chart *chart, const struct sheet *sheet, struct series_list *list)
{
    struct reading reading;
    begin(chart, sheet, &reading);
    list->names = memory_zeroed((size_t)reading.rows + 1, sizeof *list->names, NULL);
    if (!list->names) return false;
    int matrix = find_column(sheet, "matrix");
    for (int row = 0; row < reading.rows; row++) {
        bool taken = false;
        if (!take_row(&reading, row, list->rows, list, &taken)) return false;
        if (!taken) continue;
        list->names[list->rows++] = matrix >= 0 ? cell_of(&reading, row, matrix)->text : NULL;
    }
    return true;
}

static bool take_forecasts(const struct sheet_chart *chart, const struct collection *collection,
                           struct series_list *list)
{
    for (int r = 0; r < collection->count; r++)
        for (int k = 0; k < collection->records[r].count; k++) {
            const struct record_row *row = &collection->records[r].items[k];
            struct series_point point = {row->median, row->predicted, list->rows};
            if (!record_timed(row) || !is_drawn(point.x, chart->across_logarithmic) ||
                !is_drawn(point.y, chart->up_logarithmic))
                continue;
            if (!put(list, row->backend, 0, point)) return false;
            list->rows++;
        }
    return true;
}

static double highest(const struct series *series)
{
    double most = -INFINITY;
    for (int k = 0; k < series->count; k++)
        most = fmax(most, series->items[k].y);
    return most;
}

/* In the order of the descriptor's heights, then of the rows. The legend names only some lines, so that the
 * highest lines come first. */
static void sort(const struct sheet_chart *chart, struct series_list *list)
{
    bool lines = chart->shape == CHART_LINES;
    for (int k = 1; k < list->count; k++) {
        struct series moved = list->items[k];
        const double reached = highest(&moved);
        int at = k;
        for (; at > 0; at--) {
            const struct series *before = &list->items[at - 1];
            if (before->height < moved.height ||
                (before->height == moved.height && !(lines && highest(before) < reached)))
                break;
            list->items[at] = *before;
        }
        list->items[at] = moved;
    }
}

enum status series_take(const struct sheet_chart *chart, const struct collection *collection,
                        const struct sheets *sheets, struct series_list *list, struct error *error)
{
    const struct sheet *sheet = chart->sheet ? find_sheet(sheets, chart->sheet) : NULL;
    bool done = sheet           ? take_sheet(chart, sheet, list)
                : !chart->sheet ? take_forecasts(chart, collection, list)
                                : true;
    sort(chart, list);
    return done ? STATUS_OK : error_set(error, STATUS_MEMORY, "out of memory for the chart %s", chart->name);
}

void series_free(struct series_list *list)
{
    for (int k = 0; k < list->count; k++)
        free(list->items[k].items);
    free(list->items);
    free(list->names);
    *list = (struct series_list){0};
}
