/* Reports as one HTML file, which needs nothing beside it: html.c writes the page, and of each matrix what
 * the other files append. */
#ifndef SPARSIGHT_REPORT_HTML_HTML_H
#define SPARSIGHT_REPORT_HTML_HTML_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "base/words.h"
#include "report/document/document.h"
#include "session/session.h"

/* No matrix takes more bytes of a file than this, in each order that it is reported in, whatever it is and
 * however many kernels there are. The first one's share has the page around it, too. */
#define HTML_MATRIX_MAX 3000000

/* Maximum part of these bytes for tables, notes and arrays of a matrix; the pattern gets the rest. */
#define HTML_BLOCKS_MAX 1300000

/* Append words as text of an element or as an attribute in double quotes: what is a mark to HTML is escaped,
 * control characters and what is no character become '?'. */
void html_words(struct text *text, const char *words);

/* The same of the first `most` bytes, with dots behind them if there are more. */
void html_words_most(struct text *text, const char *words, size_t most);

/* Append the blocks of a document as sections, into an element `div` that is open for narrow ones beside each
 * other, and is closed; `beside` comes behind the first of these. In HTML_BLOCKS_MAX bytes: rows of tables,
 * lines of arrays and whole blocks that would take more are left out, and it says so in their place. */
void html_blocks(const struct document *document, const struct text *beside, struct text *text);

/* Append drawings of a case: those of its kernels if `runs`, else those of the matrix alone, as far as there
 * is anything to draw. A drawing takes 151,000 bytes at most. STATUS_MEMORY. */
enum status html_figures(const struct session *session, const struct matrix_case *matrix_case, bool runs,
                         struct text *text);

/* Append the pattern by owner for each partition whose owners were kept, of HTML_OWNERS_MAX at most, as
 * drawings of the same size at most. STATUS_MEMORY. */
#define HTML_OWNERS_MAX 6
enum status html_owners(const struct session *session, const struct matrix_case *matrix_case,
                        struct text *text);

/* Append a list of the definitions of all columns. */
void html_definitions(struct text *text);

/* Append the pattern of a case, to zoom and pan, in at most `most` bytes: the finest cells that fit, each
 * with its exact count, or without entries or memory a sentence that says so. `still`, which is {0} before,
 * becomes a small picture of it as an element, or stays empty. STATUS_MEMORY. */
enum status html_pattern(const struct session *session, const struct matrix_case *matrix_case, size_t most,
                         struct text *text, struct text *still);

#endif
