/* Documents as plain text, REPORT_WIDE columns wide. */
#ifndef SPARSIGHT_REPORT_TEXT_TEXT_H
#define SPARSIGHT_REPORT_TEXT_TEXT_H

#include "base/text.h"
#include "report/document/document.h"

/* The width of plain text in columns. */
#define REPORT_WIDE 80

/* Append the document. */
void text_write(const struct document *document, struct text *text);

/* Append words in lines of at most REPORT_WIDE columns, broken at blanks, or after commas if there are none.
 * The first line begins at column `at`; the others are indented by `indent`. Ends the last line. Control
 * characters become '?'. */
void text_wrapped(struct text *text, const char *words, int at, int indent);

/* Append a table, with its title above the names. */
void text_table(struct text *text, const char *title, const struct table *table);

/* Append the arrays of a storage, element by element: an index before each line, a rule where a row, strip or
 * the like begins, a mark after padding. A legend of the marks in use comes first. Other forms show arrays in
 * this way, too. Lines are left out once the text has more than `most` bytes. */
void text_arrays(struct text *text, const struct storage *storage, size_t most);

#endif
