/* CSR: compressed sparse rows (PMPP, section 10.2, figure 10.2). */
#ifndef SPARSIGHT_FORMATS_CSR_H
#define SPARSIGHT_FORMATS_CSR_H

#include "formats/format.h"

/* The arrays: row i has elements row_ptr[i] .. row_ptr[i+1]-1 of col and val. */
enum { CSR_ROW_PTR, CSR_COL, CSR_VAL };

/* The numbers of the storage: the length of the longest row. */
enum { CSR_LONGEST };

extern const struct format format_csr;

#endif
