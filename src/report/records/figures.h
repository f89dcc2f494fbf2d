/* The tables of a collection. */
#ifndef SPARSIGHT_REPORT_RECORDS_FIGURES_H
#define SPARSIGHT_REPORT_RECORDS_FIGURES_H

#include "report/records/collection.h"
#include "report/records/sheets.h"

/* Append the sheets
 *
 *   kernels    wins, ties, geometric means and mean efficiencies of each kernel (Koza et al., figure 6.7)
 *   forecast   forecast beside measured times: errors, and rank correlation over the kernels of a matrix
 *   bandwidth  by matrix in the order of the mean length of rows (figure 6.2)
 *   speedup    of CMRS over a warp a row, a thread a row and HYB, beside the model (figure 6.3)
 *   padding speed-up of padded CMRS by its padding (figure 6.8)
 *   threads    speed against threads (Cranfield)
 *   deviation  speed of CSR and ELLPACK against the deviation of the lengths of rows (Cranfield)
 *   errors     inputs that failed
 *   reports    the origin of the survey
 *
 * Times are medians. Sheets without rows are included, so that all keys exist. */
void figures_append(const struct collection *collection, struct sheets *sheets);

#endif
