/* Building a document from a session: the chapters of a report, each a function that appends its blocks. */
#ifndef SPARSIGHT_REPORT_DOCUMENT_BUILD_H
#define SPARSIGHT_REPORT_DOCUMENT_BUILD_H

#include "report/document/document.h"

/* The report of a case of the session, which must have all of REPORT_NEEDS. The document is empty before; the
 * caller frees it. Without memory it has failed. */
void document_build(struct document *document, const struct session *session,
                    const struct matrix_case *matrix_case);

/* For document_build: */

/* A table of all formats for each precision, the smallest of them, and the reasons of refused ones; then the
 * criteria for each precision, with their definitions. */
void document_formats(struct document *document, const struct session *session,
                      const struct matrix_case *matrix_case);

/* Nothing if no kernel was requested. The settings of timing and the bandwidths of the machine; for each
 * precision a table of kernels, the fastest first, and a table of each further part of their columns. */
void document_kernels(struct document *document, const struct session *session,
                      const struct matrix_case *matrix_case);

/* Nothing if it was not requested. Tables of partitions with a product's communication and predicted times,
 * the limit of scaling, and the reasons of refused partitions. */
void document_parts(struct document *document, const struct matrix_case *matrix_case);

/* Only for the natural order, and only if orders were requested: the orders and their costs, refused ones,
 * and structure, sizes, estimates and times in all orders side by side. */
void document_orders(struct document *document, const struct session *session,
                     const struct matrix_case *matrix_case);

/* The advice: the best kernel by number of products on this processor and on a GPU, if any kernel there is
 * timed or forecast (session_advise); a paragraph for each. */
void document_advice(struct document *document, const struct session *session,
                     const struct matrix_case *matrix_case);

/* Products of the matrix with itself, if they were counted. */
void document_spgemm(struct document *document, const struct matrix_case *matrix_case);

/* Solves by Krylov methods and their times, if they were run. */
void document_solves(struct document *document, const struct session *session,
                     const struct matrix_case *matrix_case);

/* The energy of the products of a precision, if it was measured. */
void document_energy(struct document *document, const struct results *results, enum precision precision);

/* Triangular solves and symmetric Gauss-Seidel steps, if they were timed. */
void document_trisolve(struct document *document, const struct matrix_case *matrix_case);

/* The values in types of fewer bits, if that was measured. */
void document_rounding(struct document *document, const struct matrix_case *matrix_case);

/* Nothing if it was not requested. The time of the parts of the report, and of this document, which was begun
 * at `begun`. */
void document_costs(struct document *document, const struct session *session,
                    const struct matrix_case *matrix_case, const struct cost *begun);

/* The notes of a precision's table of kernels: the meaning of its marks, kernels that did not run with their
 * reasons, and whether A x equals b. */
void document_outcome(struct document *document, const struct results *results, enum precision precision);

#endif
