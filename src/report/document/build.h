/* How a document is built from a session: the chapters of a report, each a function that appends its blocks.
 */
#ifndef SPARSIGHT_REPORT_DOCUMENT_BUILD_H
#define SPARSIGHT_REPORT_DOCUMENT_BUILD_H

#include "report/document/document.h"

/* The report of a case of the session, which must have all of REPORT_NEEDS. The document is empty before; the
 * caller frees it. Without memory it has failed. */
void document_build(struct document *document, const struct session *session,
                    const struct matrix_case *matrix_case);

/* For document_build: */

/* A table of all formats for each precision, the smallest of them, and why formats are refused; then their
 * criteria for each precision, and what these are. */
void document_formats(struct document *document, const struct session *session,
                      const struct matrix_case *matrix_case);

/* Nothing if no kernel was asked for. How kernels were timed and what the machine's memory can do; for each
 * precision a table of kernels, the fastest first, and a table of each further part of their columns. */
void document_kernels(struct document *document, const struct session *session,
                      const struct matrix_case *matrix_case);

/* Nothing if it was not asked for. Tables of partitions with what a product exchanges and would take, where
 * scaling stops, and why partitions are refused. */
void document_parts(struct document *document, const struct matrix_case *matrix_case);

/* Of the case in its natural order, and nothing of others or if no order was asked for: the orders and what
 * they cost, those that are refused, and structure, sizes, estimates and times in each order beside each
 * other. */
void document_orders(struct document *document, const struct session *session,
                     const struct matrix_case *matrix_case);

/* The advice: the best kernel by number of products on this processor and on a GPU, if any kernel there is
 * timed or forecast (session_advise); a paragraph for each. */
void document_advice(struct document *document, const struct session *session,
                     const struct matrix_case *matrix_case);

/* The notes of a precision's table of kernels: the meaning of its marks, kernels that did not run with their
 * reasons, and whether A x is b. */
void document_outcome(struct document *document, const struct results *results, enum precision precision);

#endif
