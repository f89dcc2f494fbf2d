/* CSC: compressed sparse columns (Saad, Iterative Methods for Sparse Linear Systems, section 3.4). */
#ifndef SPARSIGHT_FORMATS_CSC_H
#define SPARSIGHT_FORMATS_CSC_H

#include "formats/format.h"

/* The arrays: column j has elements col_ptr[j] .. col_ptr[j+1]-1 of row and val, whose rows ascend. */
enum { CSC_COL_PTR, CSC_ROW, CSC_VAL };

/* The numbers of the storage: the length of the longest column. */
enum { CSC_LONGEST };

extern const struct format format_csc;

#endif
