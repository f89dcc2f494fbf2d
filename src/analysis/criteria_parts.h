/* Shared by the files of the criteria: the layout of a planned storage's rows, strips, chunks and
 * sections. */
#ifndef SPARSIGHT_ANALYSIS_CRITERIA_PARTS_H
#define SPARSIGHT_ANALYSIS_CRITERIA_PARTS_H

#include "analysis/criteria.h"

#define WARP_THREADS 32

/* A storage of a matrix, planned or built. */
struct layout {
    const struct storage *storage;
    const struct csr *a;
    double bytes;   /* of all arrays */
    int64_t value;  /* the bytes of a value, */
    int64_t slot;   /* of a slot of part 0 in all arrays that have an element for each, */
    int64_t offset; /* and of an offset */
    /* Rows, or columns of CSC: line i would have entries ptr[i] .. ptr[i+1]-1 of `across` places. */
    int64_t lines, across;
    const int64_t *ptr;
    int64_t *col_ptr; /* `ptr` of CSC; owned, as all below */
    /* Strips, chunks and block rows are looked at in pieces, so that no memory is taken by the row: of the
     * piece with groups first_group .. end_group-1, g begins at slot starts[g - first_group]. In BSR blocks
     * are counted instead of slots. */
    int64_t groups, height; /* how many there are in all, and the rows of each */
    int64_t first_group, end_group;
    int64_t first_row, end_row; /* of the piece; all rows if the format has no groups */
    int64_t *starts;
    const uint32_t *blocks; /* BSR of a matrix with a skeleton: its block_rows */
    int32_t
        *order; /* SELL: the rows of the piece, counted from its first, in their order; NULL if not sorted */
    uint32_t *counts;   /* JDS: how many rows have each length, */
    struct storage jds; /* and the storage with its offsets: iter_ptr, or section_row and section_ptr */
    int64_t elements;   /* of a sector, in the array whose sectors are counted */
};

/* The look-ups that find the entries of a row, and the row of an entry, in the mean. */
struct look_ups {
    double row, entry;
};

/* What the criteria of a format are made of. What goes by groups is summed over pieces.
 *
 * find: makes what the other functions need of the layout beside rows and groups. NULL: nothing.
 * height: the rows of a group. NULL: there are no groups.
 * slots: those of group g, or its blocks; fewer if cancelled.
 * writes: the bytes that are written to add an entry, at most all, summed over the places that have none.
 * look_ups: those of the whole matrix but for what `searches` has.
 * searches: look-ups within groups, summed over rows. NULL: none.
 * fetches: the bytes of the sectors that warps touch when they load slots. NULL: no kernel of a GPU reads it.
 * lanes: the threads of warps, each as often as the busiest of its warp goes through a slot.
 * work: the slots that threads go through. NULL: the entries. */
struct criteria_rules {
    const struct format *format;
    enum status (*find)(struct layout *layout, struct progress *progress, struct error *error);
    int64_t (*height)(const struct storage *storage);
    int64_t (*slots)(const struct layout *layout, int64_t g, const struct progress *progress);
    double (*writes)(const struct layout *layout);
    struct look_ups (*look_ups)(const struct layout *layout);
    double (*searches)(const struct layout *layout);
    double (*fetches)(const struct layout *layout);
    double (*lanes)(const struct layout *layout);
    double (*work)(const struct layout *layout);
};

/* criteria_look_ups.c */
struct look_ups no_look_ups(const struct layout *layout);
struct look_ups look_ups_of_coo(const struct layout *layout);
struct look_ups look_ups_of_csr(const struct layout *layout);
struct look_ups look_ups_of_csc(const struct layout *layout);
struct look_ups look_ups_of_hyb(const struct layout *layout);
struct look_ups look_ups_of_jds(const struct layout *layout);
struct look_ups look_ups_of_cmrs(const struct layout *layout);
struct look_ups look_ups_of_sell(const struct layout *layout);
struct look_ups look_ups_of_bsr(const struct layout *layout);
double searches_in_strips(const struct layout *layout);

/* criteria_writes.c */
double writes_nothing(const struct layout *layout);
double writes_lines(const struct layout *layout);
double writes_ell(const struct layout *layout);
double writes_jds(const struct layout *layout);
double writes_cmrs(const struct layout *layout);
double writes_sell(const struct layout *layout);
double writes_dia(const struct layout *layout);
double writes_bsr(const struct layout *layout);

/* criteria_warps.c */
double fetches_entries(const struct layout *layout);
double fetches_lines(const struct layout *layout);
double fetches_ell(const struct layout *layout);
double fetches_hyb(const struct layout *layout);
double fetches_jds(const struct layout *layout);
double fetches_cmrs(const struct layout *layout);
double fetches_sell(const struct layout *layout);
double fetches_dia(const struct layout *layout);
double lanes_entries(const struct layout *layout);
double lanes_lines(const struct layout *layout);
double lanes_hyb(const struct layout *layout);
double lanes_jds(const struct layout *layout);
double lanes_cmrs(const struct layout *layout);
double lanes_sell(const struct layout *layout);
double lanes_bsr(const struct layout *layout);
double work_dia(const struct layout *layout);
double work_groups(const struct layout *layout);
double work_bsr(const struct layout *layout);

/* Sum term(layout, first, end) over ranges of begin .. end-1 that begin at begin and multiples of `unit` from
 * there. The ranges do not depend on the threads. */
double criteria_sum(const struct layout *layout, int64_t begin, int64_t end, int64_t unit,
                    double (*term)(const struct layout *layout, int64_t first, int64_t end));

/* The slot, or block, with which group g of the piece begins; also of end_group. */
static inline int64_t group_start(const struct layout *layout, int64_t g)
{
    return layout->starts[g - layout->first_group];
}

/* The row at sorted position r of the piece; r itself if rows are not sorted. */
static inline int64_t row_at(const struct layout *layout, int64_t r)
{
    return layout->order ? layout->first_row + layout->order[r - layout->first_row] : r;
}

/* Return the length of line i. */
static inline int64_t line_length(const struct layout *layout, int64_t i)
{
    return layout->ptr[i + 1] - layout->ptr[i];
}

/* A run of sorted rows of JDS that have one length and lie in one section: first .. end-1. */
struct jds_run {
    int64_t section; /* that they lie in; 0 if there are no sections */
    int64_t first, end, length;
    int64_t entries; /* of all sorted rows before them */
    bool begins;     /* the first row is the first of its length */
    int64_t left;    /* rows of this length from `first` on, in this section and later ones */
};

/* Find the next run. It starts with {.length = -1}; returns false after the last. */
bool jds_next_run(const struct layout *layout, struct jds_run *run);

#endif
