/* Documents as Markdown with tables, for wikis and forges. */
#ifndef SPARSIGHT_REPORT_MARKDOWN_H
#define SPARSIGHT_REPORT_MARKDOWN_H

#include "base/text.h"
#include "report/document/document.h"

/* Append the document: its title as a heading, then its sections below it. */
void markdown_write(const struct document *document, struct text *text);

#endif
