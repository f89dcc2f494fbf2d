/* ELL: rows padded to the length of the longest (PMPP, section 10.3, figures 10.8 to 10.10). */
#ifndef SPARSIGHT_FORMATS_ELL_H
#define SPARSIGHT_FORMATS_ELL_H

#include "formats/format.h"

/* The arrays: each has an element for each slot of the padded rectangle (ell_part.h). Arrays 0 and 1 of HYB
 * are the same. */
enum { ELL_COL, ELL_VAL };

/* The parameters. */
enum { ELL_LAYOUT, ELL_PAD };

/* The values of the parameter `layout`. Entry c of row i, of m rows padded to length K, is in slot c m + i if
 * transposed, and in slot i K + c by rows. */
enum ell_layout { ELL_TRANSPOSED, ELL_ROWS };

/* The values of the parameter `pad`. Padding has the value 0. Its column index is that of the row's last
 * entry (0 if the row is empty), or -1, which a kernel must test and never use as an index. */
enum ell_pad { ELL_REPEAT, ELL_SENTINEL };

/* The numbers of the storage: K, the length of the longest row. */
enum { ELL_WIDTH };

extern const struct format format_ell;

#endif
