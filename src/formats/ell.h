/* ELL: rows padded to the length of the longest (PMPP section 10.3, figures 10.8 to 10.10). */
#ifndef SPARSIGHT_FORMATS_ELL_H
#define SPARSIGHT_FORMATS_ELL_H

#include "formats/format.h"

/* An element for each slot of the padded rectangle. HYB's first part has the same at the same places. */
enum { ELL_COL, ELL_VAL };

/* Parameters. */
enum { ELL_LAYOUT, ELL_PAD };

/* Values of `layout`: slot (i, c) of m rows padded to K is c m + i, or i K + c. */
enum ell_layout { ELL_TRANSPOSED, ELL_ROWS };

/* Values of `pad`. What pads has the value 0, and as its column that of the row's last entry (0 if the row is
 * empty), or -1, which a kernel must test and never take for an index. */
enum ell_pad { ELL_REPEAT, ELL_SENTINEL };

/* Numbers: K, the length of the longest row. */
enum { ELL_WIDTH };

extern const struct format format_ell;

#endif
