/* Reports as one self-contained HTML file. html.c writes the page; the other files append the parts of each
 * matrix. */
#ifndef SPARSIGHT_REPORT_HTML_HTML_H
#define SPARSIGHT_REPORT_HTML_HTML_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "base/words.h"
#include "report/document/document.h"
#include "session/session.h"

/* Maximum bytes of a matrix in each reported order, whatever its size and the number of kernels. The first
 * matrix's share includes the page around it. */
#define HTML_MATRIX_MAX 3000000

/* Maximum part of these bytes for tables, notes and arrays of a matrix; the pattern gets the rest. */
#define HTML_BLOCKS_MAX 1300000

/* Append words as text of an element or as an attribute in double quotes. Characters with a meaning in HTML
 * are escaped; control characters and invalid UTF-8 become '?'. */
void html_words(struct text *text, const char *words);

/* The same for the first `most` bytes, followed by dots if there are more. */
void html_words_most(struct text *text, const char *words, size_t most);

/* Append the blocks of a document as sections. The caller has opened a `div`, in which narrow sections stand
 * side by side; this function closes it. `beside` follows the first section. The limit is HTML_BLOCKS_MAX
 * bytes: rows of tables, lines of arrays and whole blocks beyond it are omitted, and a note says so. */
void html_blocks(const struct document *document, const struct text *beside, struct text *text);

/* Append drawings of a case: those of its kernels if `runs`, else those of the matrix alone; figures without
 * data are omitted. `processor` is the name of the one that they ran on; NULL: unknown. A drawing takes
 * 151,000 bytes at most. STATUS_MEMORY. */
enum status html_figures(const struct session *session, const struct matrix_case *matrix_case,
                         const char *processor, bool runs, struct text *text);

/* Append the pattern by owner for each partition with known owners, at most HTML_OWNERS_MAX of them, as
 * drawings of the same size at most. STATUS_MEMORY. */
#define HTML_OWNERS_MAX 6
enum status html_owners(const struct session *session, const struct matrix_case *matrix_case,
                        struct text *text);

/* Append the page of tables from several reports, and of the survey's pictures if the sheets have one, as a
 * sheet_format does. */
struct sheets;
void html_sheets(const struct sheets *sheets, const char *schema, struct text *text);

/* Begin a page with this title and this subtitle, and end it, with its script and without definitions. */
void html_begin(const char *title, const char *subtitle, struct text *text);
void html_end_page(struct text *text);

/* Append a list of the definitions of all columns. */
void html_definitions(struct text *text);

/* Append the pattern of a case, to zoom and pan, in at most `most` bytes: the finest cells that fit, each
 * with its exact count. Without entries or memory a sentence says so instead. `still`, initially {0}, becomes
 * an element with a small picture of it, or stays empty. STATUS_MEMORY. */
enum status html_pattern(const struct session *session, const struct matrix_case *matrix_case, size_t most,
                         struct text *text, struct text *still);

#endif
