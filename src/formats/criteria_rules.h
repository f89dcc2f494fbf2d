/* The rating of a format by the five criteria (analysis/criteria.h): a table of rules that each format states
 * beside its other functions, and what the rules of several formats share.
 *
 * A rule sums what the plain kernel of the format would do. It knows the plan of a storage and the lengths of
 * rows, and needs no array. */
#ifndef SPARSIGHT_FORMATS_CRITERIA_RULES_H
#define SPARSIGHT_FORMATS_CRITERIA_RULES_H

#include "formats/fill.h"

#define WARP_THREADS 32

/* A storage of a matrix, planned or built, and where it would have its rows and groups. */
struct layout {
    const struct storage *storage;
    const struct csr *a;
    double bytes;   /* of all arrays */
    int64_t value;  /* the bytes of a value, */
    int64_t slot;   /* of a slot of part 0 in all arrays that have an element for each, */
    int64_t offset; /* and of an offset */
    /* Rows, or columns of CSC: line i would have entries ptr[i] .. ptr[i+1]-1 of `across` positions. */
    int64_t lines, across;
    const int64_t *ptr;
    /* Groups of rows (strips, chunks, block rows) are looked at in pieces, so that no memory is taken by the
     * row: of the piece with groups first_group .. end_group-1, g begins at slot starts[g - first_group], in
     * the unit that `slots` counts. */
    int64_t groups, height; /* how many there are in all, and the rows of each */
    int64_t first_group, end_group;
    int64_t first_row, end_row; /* of the piece; all rows if the format has no groups */
    int64_t *starts;
    int32_t *order; /* the rows of the piece, counted from its first, in sorted order; NULL if not sorted */
    const uint32_t *blocks; /* of each block row, if the matrix has a skeleton, whose they are */
    int64_t elements;       /* of a sector, in the array whose sectors are counted */
    void *own;              /* the data of the format's `find` */
};

/* The look-ups that find the entries of a row, and the row of an entry, in the mean. */
struct look_ups {
    double row, entry;
};

/* The inputs of a format's criteria. Those that depend on groups are summed over pieces.
 *
 * find: makes layout->own, or sets other lines than rows, or `blocks`. NULL: nothing. release: frees
 * layout->own, also where `find` has failed. NULL: it is a block that `free` takes. height: the rows of a
 * group. NULL: there are no groups. slots: those of group g, or its blocks; fewer if cancelled. writes:
 * the bytes that are written to add an entry, at most all, summed over the positions that have none.
 * look_ups: those of the whole matrix but for what `searches` has. searches: look-ups within groups,
 * summed over rows. NULL: none. fetches: the bytes of the sectors that warps touch when they load slots.
 * NULL: no kernel of a GPU reads it. lanes: the threads of warps, each as often as the busiest of its warp
 * goes through a slot. work: the slots that threads go through. NULL: the entries. */
struct criteria_rules {
    enum status (*find)(struct layout *layout, struct progress *progress, struct error *error);
    void (*release)(struct layout *layout);
    int64_t (*height)(const struct storage *storage);
    int64_t (*slots)(const struct layout *layout, int64_t g, const struct progress *progress);
    double (*writes)(const struct layout *layout);
    struct look_ups (*look_ups)(const struct layout *layout);
    double (*searches)(const struct layout *layout);
    double (*fetches)(const struct layout *layout);
    double (*lanes)(const struct layout *layout);
    double (*work)(const struct layout *layout);
};

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
static inline int64_t sorted_row(const struct layout *layout, int64_t r)
{
    return layout->order ? layout->first_row + layout->order[r - layout->first_row] : r;
}

/* Return the length of line i. */
static inline int64_t line_length(const struct layout *layout, int64_t i)
{
    return layout->ptr[i + 1] - layout->ptr[i];
}

/* Look-ups that finding one among n takes by bisection. */
double bisection(double n);

/* To find where a row begins and ends among `entries` that are sorted by rows, or gone through if not. */
double look_ups_of_list(int64_t entries, bool sorted);

/* To find one of `count` rows that lie in windows of `window` in no order: (w + 1) / 2 in a window of w. */
double look_ups_of_order(int64_t count, int64_t window);

/* The number of positions without an entry in line i. */
double free_places(const struct layout *layout, int64_t i);

/* No more is written than if the matrix were stored anew. */
double at_most_all(const struct layout *layout, double bytes);

/* The bytes of these numbers of slots of part 0 and of offsets. */
double moved_bytes(const struct layout *layout, int64_t slots, int64_t offsets);

/* The bytes of the sectors of all arrays of a part that have an element for each slot. `sectors` counts those
 * of an array of which a sector has layout->elements. */
double each_array(const struct layout *layout, int part, double (*sectors)(const struct layout *layout));

/* Return the sectors that warps touch which take `count` neighbouring slots from `first` on, 32 at a time.
 * Since `elements`, those of a sector, divide 32, all warps begin at the same offset in a sector. */
int64_t sectors_of_run(int64_t first, int64_t count, int64_t elements);

/* The same for `columns` runs, each of which begins where the one before it ends. */
int64_t sectors_of_rectangle(int64_t first, int64_t height, int64_t columns, int64_t elements);

/* The same for all slots of part 1. */
double sectors_apart(const struct layout *layout);

/* Lines that the threads of a warp go through side by side: line l has slots start[l] .. start[l] +
 * length[l]-1, and start[l + 1] >= start[l] + length[l]. In step d all lines that are longer than d are at
 * their slot d. */
struct abreast {
    int count;
    int64_t start[WARP_THREADS], length[WARP_THREADS];
};

/* Return the sectors that they touch, summed over steps. */
int64_t sectors_abreast(const struct abreast *lines, int64_t elements);

/* Threads x the longest of their lines first .. end-1, of which entries beyond `most` do not count. */
double lanes_up_to(const struct layout *layout, int64_t first, int64_t end, int64_t most);

/* Rules that several formats have: of lines that lie one behind the other with their offsets (CSR), of slots
 * that follow from the row's number (ELL), and of groups. */
double writes_nothing(const struct layout *layout);
double writes_lines(const struct layout *layout);
struct look_ups no_look_ups(const struct layout *layout);
double fetches_lines(const struct layout *layout);
double lanes_lines(const struct layout *layout);  /* a thread a line */
double lanes_groups(const struct layout *layout); /* a thread a row, in the order within groups */
double work_groups(const struct layout *layout);  /* all slots of the groups */

#endif
