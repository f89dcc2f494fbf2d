/* Sheets: tables of words and numbers about several reports, written as text, CSV or JSON. */
#ifndef SPARSIGHT_REPORT_RECORDS_SHEETS_H
#define SPARSIGHT_REPORT_RECORDS_SHEETS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "columns/column.h"

/* Columns of sheets: words, integers and reals. The heading is above the column in text, with the unit. */
#define SHEET_TEXT(named, head, says)                                   \
    {                                                                   \
        .key = named, .heading = head, .help = says, .type = VALUE_TEXT \
    }
#define SHEET_COUNT(named, head, says)                                     \
    {                                                                      \
        .key = named, .heading = head, .help = says, .type = VALUE_INTEGER \
    }
#define SHEET_REAL(named, head, says)                                                \
    {                                                                                \
        .key = named, .heading = head, .help = says, .type = VALUE_REAL, .digits = 3 \
    }

struct collection;

struct sheet {
    const char *key, *title;
    const struct column *columns;
    int wide;            /* number of columns */
    bool whole;          /* text does not cut its cells */
    bool tall;           /* text shows each cell on a line of its own */
    bool first_hidden;   /* text omits the first column, which is the same in all rows */
    struct value *cells; /* row by row; texts are owned */
    int count, room;     /* of cells */
    struct text notes;   /* lines */
};

/* Start with {0}; free with sheets_free. Cells are appended to the last sheet begun. After a failed
 * allocation `failed` stays true, and one test at the end suffices. */
struct sheets {
    struct sheet *items;
    int count;
    const char *title;                   /* of all of them; NULL: none */
    const struct collection *collection; /* the survey that they describe, for its pictures; NULL: none */
    bool failed;
};

void sheets_begin(struct sheets *sheets, const char *key, const char *title, const struct column *heads);
/* Append a cell; a text is copied. A number that is not finite makes an empty cell. */
void sheets_value(struct sheets *sheets, struct value value);
void sheets_text(struct sheets *sheets, const char *text);
void sheets_number(struct sheets *sheets, double number);
/* Append a line to the notes below the sheet. */
void sheets_note(struct sheets *sheets, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sheets_free(struct sheets *sheets);

/* A format of sheets. */
struct sheet_format {
    const char *name, *summary;
    /* Append all sheets. `schema` is the schema named in the JSON. Lets the text fail if the sheets have
     * failed. */
    void (*write)(const struct sheets *sheets, const char *schema, struct text *text);
};

/* text, csv, json and html; the last one is NULL. */
extern const struct sheet_format *const sheet_formats[];

/* The format of this name, or NULL and STATUS_USAGE with a list of all names. */
const struct sheet_format *sheet_format_find(const char *name, struct error *error);

#endif
