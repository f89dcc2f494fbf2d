#include "report/records/sheets.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/memory.h"
#include "base/words.h"
#include "report/html/html.h"
#include "report/json/json.h"
#include "report/json/write.h"

void sheets_begin(struct sheets *sheets, const char *key, const char *title, const struct column *heads)
{
    struct sheet *items = memory_resize(sheets->items, (size_t)sheets->count + 1, sizeof *items, NULL);
    sheets->failed = sheets->failed || !items;
    if (!items) return;
    sheets->items = items;
    struct sheet *sheet = &items[sheets->count++];
    *sheet = (struct sheet){.key = key, .title = title, .columns = heads};
    while (heads[sheet->wide].key)
        sheet->wide++;
}

static struct value *next_cell(struct sheets *sheets)
{
    if (sheets->failed) return NULL;
    struct sheet *sheet = &sheets->items[sheets->count - 1];
    if (sheet->count == sheet->room) {
        int room = sheet->room ? 2 * sheet->room : 64;
        struct value *cells = memory_resize(sheet->cells, (size_t)room, sizeof *cells, NULL);
        sheets->failed = !cells;
        if (!cells) return NULL;
        sheet->cells = cells;
        sheet->room = room;
    }
    sheet->cells[sheet->count] = null_value();
    return &sheet->cells[sheet->count++];
}

void sheets_value(struct sheets *sheets, struct value value)
{
    struct value *cell = next_cell(sheets);
    if (!cell) return;
    *cell = value.type == VALUE_TEXT ? text_value(memory_string(value.text, NULL)) : value;
    sheets->failed = cell->type != value.type;
}

void sheets_text(struct sheets *sheets, const char *text)
{
    sheets_value(sheets, text_value(text));
}

void sheets_number(struct sheets *sheets, double number)
{
    if (sheets->failed) return;
    const struct sheet *sheet = &sheets->items[sheets->count - 1];
    const bool whole = sheet->columns[sheet->count % sheet->wide].type == VALUE_INTEGER;
    sheets_value(sheets, whole && isfinite(number) ? integer_value((int64_t)number) : real_value(number));
}

void sheets_note(struct sheets *sheets, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    if (sheets->count == 0) return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    struct text *notes = &sheets->items[sheets->count - 1].notes;
    text_append(notes, "%s\n", text_visible(line));
    sheets->failed = sheets->failed || notes->failed;
}

void sheets_free(struct sheets *sheets)
{
    for (int s = 0; s < sheets->count; s++) {
        for (int k = 0; k < sheets->items[s].count; k++)
            if (sheets->items[s].cells[k].type == VALUE_TEXT) free((char *)sheets->items[s].cells[k].text);
        free(sheets->items[s].cells);
        text_free(&sheets->items[s].notes);
    }
    free(sheets->items);
    *sheets = (struct sheets){0};
}

/* Text */

/* Maximum bytes of a text cell. A longer text keeps its end, which says most, after dots. The last cell of a
 * row, and the cells of a whole sheet, may have more bytes. A longer text there keeps its beginning. */
#define CELL_WIDE 44
#define LAST_WIDE 500
#define DOTS "..."

/* Write a cell in readable form. Returns out. */
static char *shown(const struct sheet *sheet, int k, char *out, size_t size)
{
    const struct column *column = &sheet->columns[k % sheet->wide];
    const struct value *cell = &sheet->cells[k];
    const bool end = column[1].key && !sheet->whole;
    const size_t most = end ? CELL_WIDE : LAST_WIDE, dots = sizeof DOTS - 1;
    if (cell->type != VALUE_TEXT) return value_brief(column, *cell, INT_MAX, out, size);
    if (strlen(cell->text) <= most)
        snprintf(out, size, "%s", cell->text);
    else if (end)
        snprintf(out, size, DOTS "%s", words_end(cell->text, most - dots));
    else
        snprintf(out, size, "%.*s" DOTS, (int)words_cut(cell->text, most - dots), cell->text);
    return text_visible(out);
}

/* Return the number of characters in UTF-8, each of which takes a column. */
static int columns_of(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += !words_continues(*text);
    return count;
}

static void append_cell(struct text *text, const char *words, int wide, bool left, bool last)
{
    int blanks = wide - columns_of(words);
    text_append(text, "%*s%s", left ? 0 : blanks, "", words);
    if (!last) text_append(text, "%*s", (left ? blanks : 0) + 2, "");
}

static void write_table(const struct sheet *sheet, struct text *text)
{
    int *wide = memory_array((size_t)sheet->wide, sizeof *wide, NULL), first = sheet->first_hidden;
    char out[LAST_WIDE + 1];
    text->failed = text->failed || !wide;
    if (!wide) return;
    for (int c = 0; c < sheet->wide; c++)
        wide[c] = columns_of(sheet->columns[c].heading);
    for (int k = 0; k < sheet->count; k++) {
        int taken = columns_of(shown(sheet, k, out, sizeof out));
        if (taken > wide[k % sheet->wide]) wide[k % sheet->wide] = taken;
    }
    text_append(text, "  ");
    for (int c = first; c < sheet->wide; c++)
        append_cell(text, sheet->columns[c].heading, wide[c], sheet->columns[c].type == VALUE_TEXT,
                    c == sheet->wide - 1);
    for (int k = 0; k < sheet->count; k++) {
        int c = k % sheet->wide;
        if (c == 0) text_append(text, "\n  ");
        if (c < first) continue;
        append_cell(text, shown(sheet, k, out, sizeof out), wide[c], sheet->columns[c].type == VALUE_TEXT,
                    c == sheet->wide - 1);
    }
    text_append(text, "\n");
    free(wide);
}

/* Write each row as lines of a heading and a cell, without missing cells. */
static void write_tall(const struct sheet *sheet, struct text *text)
{
    int wide = 0;
    for (int c = 0; c < sheet->wide; c++)
        if (columns_of(sheet->columns[c].heading) > wide) wide = columns_of(sheet->columns[c].heading);
    for (int k = 0; k < sheet->count; k++) {
        const struct column *column = &sheet->columns[k % sheet->wide];
        if (sheet->cells[k].type != VALUE_TEXT) continue;
        text_append(text, "%s  ", k && k % sheet->wide == 0 ? "\n" : "");
        append_cell(text, column->heading, wide, true, false);
        words_append(text, MEDIUM_TERMINAL, sheet->cells[k].text);
        text_append(text, "\n");
    }
}

/* Append the notes, each indented. */
static void write_notes(const struct sheet *sheet, struct text *text)
{
    for (const char *line = sheet->notes.data; line && *line;) {
        int length = (int)strcspn(line, "\n");
        text_append(text, "  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

/* If memory was lacking, cells are missing, and all later cells are shifted. Then the text fails. */
static bool is_whole(const struct sheets *sheets, struct text *text)
{
    text->failed = text->failed || sheets->failed;
    return !text->failed;
}

static void write_text(const struct sheets *sheets, const char *schema, struct text *text)
{
    bool some = false;
    if (!is_whole(sheets, text)) return;
    for (int s = 0; s < sheets->count; s++) {
        const struct sheet *sheet = &sheets->items[s];
        if (sheet->count == 0 && sheet->notes.length == 0) continue;
        text_append(text, "%s%s\n", some ? "\n" : "", sheet->title);
        if (sheet->count && sheet->tall)
            write_tall(sheet, text);
        else if (sheet->count)
            write_table(sheet, text);
        write_notes(sheet, text);
        some = true;
    }
}

/* CSV has one cell per line, so that sheets with different columns form one table. */

static void write_csv(const struct sheets *sheets, const char *schema, struct text *text)
{
    if (!is_whole(sheets, text)) return;
    text_append(text, "table,row,column,value\n");
    for (int s = 0; s < sheets->count; s++) {
        const struct sheet *sheet = &sheets->items[s];
        for (int k = 0; k < sheet->count; k++) {
            const struct column *column = &sheet->columns[k % sheet->wide];
            text_append(text, "%s,%d,%s,", sheet->key, k / sheet->wide + 1, column->key);
            value_csv(sheet->cells[k], text);
            text_append(text, "\n");
        }
    }
}

/* JSON */

static json_t *sheet_json(const struct sheet *sheet)
{
    json_t *list = json_array();
    for (int k = 0; list && k < sheet->count; k += sheet->wide) {
        json_t *row = json_object();
        bool failed = !row;
        for (int c = 0; !failed && c < sheet->wide; c++)
            failed = json_object_set_new(row, sheet->columns[c].key, value_json(sheet->cells[k + c])) != 0;
        if (failed) json_decref(row);
        if (!failed && json_array_append_new(list, row) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

static void write_json(const struct sheets *sheets, const char *schema, struct text *text)
{
    if (!is_whole(sheets, text)) return;
    json_t *object = json_pack("{s:s}", "schema", schema);
    bool failed = !object;
    for (int s = 0; !failed && s < sheets->count; s++)
        failed = json_object_set_new(object, sheets->items[s].key, sheet_json(&sheets->items[s])) != 0;
    if (!failed) json_write(object, false, text);
    text_append(text, "\n");
    text->failed = text->failed || failed;
    json_decref(object);
}

static const struct sheet_format format_text = {"text", "tables for people", write_text};
static const struct sheet_format format_csv = {"csv", "one line per cell: table,row,column,value", write_csv};
static const struct sheet_format format_json = {"json", "an object with a list for each table", write_json};

static const struct sheet_format format_html = {"html", "one page for a browser, with tables to sort",
                                                html_sheets};

const struct sheet_format *const sheet_formats[] = {&format_text, &format_csv, &format_json, &format_html,
                                                    NULL};

static const char *format_name(int k)
{
    return sheet_formats[k] ? sheet_formats[k]->name : NULL;
}

const struct sheet_format *sheet_format_find(const char *name, struct error *error)
{
    for (int k = 0; sheet_formats[k]; k++)
        if (strcmp(sheet_formats[k]->name, name) == 0) return sheet_formats[k];
    guess_refuse("unknown format", name, strlen(name), format_name, error);
    return NULL;
}
