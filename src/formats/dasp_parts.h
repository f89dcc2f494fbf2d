/* Shared by the files of DASP. */
#ifndef SPARSIGHT_FORMATS_DASP_PARTS_H
#define SPARSIGHT_FORMATS_DASP_PARTS_H

#include "formats/dasp.h"

/* Return the number of row blocks. */
static inline int64_t dasp_row_blocks(const struct storage *storage)
{
    return dasp_blocks(storage->number[DASP_MEDIUM]);
}

/* Return the number of long rows and row blocks, each of which has an element of block_ptr. */
static inline int64_t dasp_pieces(const struct storage *storage)
{
    return storage->number[DASP_LONG] + dasp_row_blocks(storage);
}

/* The functions of struct format that are not in dasp.c. */
struct place dasp_place(const struct storage *storage, int part, int64_t e);
int64_t dasp_locate(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part);
struct extent dasp_touch(const struct storage *storage, int q, const struct spot *spot);
struct place dasp_leads(const struct storage *storage, int q, int64_t e);
enum rule dasp_rule(const struct storage *storage, int q, int64_t e);
struct shape dasp_shape(const struct storage *storage);
int64_t dasp_cell(const struct storage *storage, int64_t line, int64_t c);
void dasp_find(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c);
int64_t dasp_label(const struct storage *storage, int64_t line);

#endif
