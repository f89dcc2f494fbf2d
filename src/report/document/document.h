/* A report of one matrix for people, independent of its output form: sections with numbers, tables, charts,
 * notes and the arrays of formats. document_build makes it once from a session; each form has a writer that
 * walks its blocks (report/text/text.h, report/markdown.h, report/html/html.h). It contains nothing specific
 * to a form: values are not yet formatted, words are neither escaped nor broken into lines, and nothing is
 * aligned. The writer decides on the digits of a table, the look of marks and the link of the source. */
#ifndef SPARSIGHT_REPORT_DOCUMENT_DOCUMENT_H
#define SPARSIGHT_REPORT_DOCUMENT_DOCUMENT_H

#include <stdarg.h>

#include "columns/columns.h"
#include "formats/format.h"
#include "report/ranges.h"

/* Marks of rows, cells and notes. A note with the same mark explains it. */
enum mark {
    MARK_NONE,
    MARK_BAD,    /* bad news */
    MARK_TIE,    /* tied with the fastest */
    MARK_CACHED, /* the data fit in the cache */
};

/* The mark in plain characters: ' ', '!', '=', '*'. */
extern const char mark_signs[];

/* Number of values side by side under one title: rows and columns. */
#define NUMBERS_ABREAST 2

struct number {
    const struct column *column; /* its title and unit */
    struct value values[NUMBERS_ABREAST];
};

struct numbers {
    const char *heads[NUMBERS_ABREAST]; /* above the values; NULL if there is only one */
    int abreast;                        /* values of each number */
    struct number *items;
    int count;
};

/* A chart: the number of elements in each range, as bars. */
struct chart {
    const char *label;                                                /* of the ranges: "row length" */
    const char *counted;                                              /* the unit: "rows" */
    char *(*name)(const struct range *range, char *out, size_t size); /* writes a range */
    struct range *ranges;
    int count;
    int64_t total; /* the whole of the shares */
};

struct table_cell {
    struct value value;
    enum mark mark;
};

struct table_row {
    enum mark mark;
    const char *name;
    struct table_cell *cells; /* one for each column */
};

/* A table with a name and numbers in each row. */
struct table {
    const char *names; /* the kind of the names: "kernel" */
    const struct column **columns;
    int column_count;
    struct table_row *rows;
    int row_count;
    int further_count; /* number of optional columns after the others, with their cells; narrow forms omit
                          them */
};

/* Consecutive notes make a list. */
struct note {
    enum mark mark;
    const char *words;
};

enum block_kind {
    BLOCK_SECTION, /* a heading, for all blocks up to the next one */
    BLOCK_NUMBERS,
    BLOCK_CHART,
    BLOCK_TABLE,
    BLOCK_NOTE,
    BLOCK_PARAGRAPH,
    BLOCK_ARRAYS, /* of a matrix stored in a format, element by element */
};

struct block {
    enum block_kind kind;
    union {
        const char *words; /* of a section or a paragraph */
        struct numbers numbers;
        struct chart chart;
        struct table table;
        struct note note;
        const struct storage *storage; /* the session's */
    };
};

/* The saved report that a case was read from: its file, its origin (report/origin.h), NULL if unknown, and
 * its object of the matrix. */
struct json_t;
struct document_from {
    const char *path;
    const struct json_t *origin, *matrix;
};

/* Blocks point to data of the session or of the document. The document must not outlive the session. */
struct document {
    const char *title;                /* the matrix's name */
    const char *summary;              /* "5 x 5, integer general" */
    const char *source;               /* the path that it was read from, or how it was generated */
    const struct document_from *from; /* set before document_build; NULL: the numbers were made here */
    struct block *blocks;
    int count, room;
    void **owned;
    int owned_count, owned_room;
    bool failed; /* out of memory: later blocks are not added. One test at the end suffices */
};

void document_free(struct document *document);

/* For code that builds a document. Start with {0}. */

/* An array of zeros that is freed with the document; NULL without memory, and then the document has failed.
 */
void *document_array(struct document *document, int count, size_t size);

/* Words that are freed with the document; "" without memory. */
const char *document_words(struct document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Append a block. */
void document_add(struct document *document, struct block block);
void document_section(struct document *document, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void document_note(struct document *document, enum mark mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
