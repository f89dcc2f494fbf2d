/* Outlines: storages mostly without values, for analyses that need the addresses of a product's loads but not
 * its result. */
#ifndef SPARSIGHT_FORMATS_OUTLINE_H
#define SPARSIGHT_FORMATS_OUTLINE_H

#include "base/pages.h"
#include "formats/format.h"

/* Make the outline of a planned storage: it has all arrays except the values, as storage_build fills them. If
 * part 0 has padding, a byte for each slot says whether it holds an entry (storage.entry). If kernels of the
 * format encode values by bytes, and few of the matrix's values differ, the outline has values too, since the
 * loads of these kernels depend on them. All functions of a format but unpack and validate accept it. It
 * takes a third to a half of the memory of the storage, from `pages`. On failure *outline is {0}. The caller
 * frees it with outline_free. STATUS_MEMORY, STATUS_CANCELLED. */
enum status outline_make(const struct storage *plan, const struct csr *a, struct pages *pages,
                         struct storage *outline, struct progress *progress, struct error *error);

/* Give back the arrays to the pages that they came from. Takes {0}. */
void outline_free(struct storage *outline, struct pages *pages);

#endif
