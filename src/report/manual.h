/* The manual's page on storage formats, sparsight-formats(7), in the language of mdoc(7). */
#ifndef SPARSIGHT_REPORT_MANUAL_H
#define SPARSIGHT_REPORT_MANUAL_H

#include "base/error.h"
#include "base/text.h"
#include "matrix/matrix.h"

/* Maximum rows and columns of the worked example, since the page shows it whole. */
#define MANUAL_LINES 16

/* Append the page: for each format its summary, source, suitable matrices and its arrays for this matrix; for
 * each of its kernels the summary, source and suitable matrices. Fails with STATUS_USAGE if the matrix is too
 * large to be shown whole, STATUS_MEMORY, and as format_convert does. */
enum status append_manual(const struct matrix *matrix, struct text *text, struct error *error);

#endif
