/* Access to the arrays of JDS, for its own files and for its kernels. */
#ifndef SPARSIGHT_FORMATS_JDS_PARTS_H
#define SPARSIGHT_FORMATS_JDS_PARTS_H

#include "formats/fill.h"
#include "formats/jds.h"

/* Return element e of array q, which holds offsets, rows or columns. */
static inline int64_t jds_at(const struct storage *storage, int q, int64_t e)
{
    return array_integer(&storage->array[q], e);
}

/* Return the number of sorted rows, which are all rows but those of the COO part. */
static inline int64_t jds_sorted(const struct storage *storage)
{
    return storage->array[JDS_PERM].length;
}

/* A section that is stored as ELL. */
struct jds_section {
    int64_t first, height; /* its first sorted row, and the number of its rows */
    int64_t slot, wide;    /* its first slot, and the slots of each row */
};

struct jds_section jds_section(const struct storage *storage, int64_t s);

/* Return the section of sorted row r. O(log sections). */
int64_t jds_section_of(const struct storage *storage, int64_t r);

/* Write iter_ptr, or section_row and section_ptr if there are sections. Other arrays need not exist. */
enum status jds_fill_offsets(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error);

/* Return the temporary bytes of jds_fill beside those of jds_fill_offsets. */
size_t jds_scratch(const struct storage *storage, const struct csr *a);

/* The functions of struct format that are not in jds.c. */
enum status jds_fill(struct storage *storage, const struct csr *a, struct progress *progress,
                     struct error *error);
struct place jds_place(const struct storage *storage, int part, int64_t e);
int64_t jds_locate(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part);
struct extent jds_touch(const struct storage *storage, int q, const struct spot *spot);
struct place jds_leads(const struct storage *storage, int q, int64_t e);
enum rule jds_rule(const struct storage *storage, int q, int64_t e);
struct shape jds_shape(const struct storage *storage);
int64_t jds_cell(const struct storage *storage, int64_t line, int64_t c);
void jds_find(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c);
int64_t jds_label(const struct storage *storage, int64_t line);

/* The rules of JDS, in jds_criteria.c. */
extern const struct criteria_rules jds_criteria;

#endif
