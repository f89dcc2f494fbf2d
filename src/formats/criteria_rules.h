/* The rating of a format by the five criteria (analysis/criteria.h). Each format states a table of rules.
 * This header also has the rules that several formats share.
 *
 * A rule sums the work of the format's plain kernel. It knows the plan of a storage and the lengths of rows,
 * and needs no array. */
#ifndef SPARSIGHT_FORMATS_CRITERIA_RULES_H
#define SPARSIGHT_FORMATS_CRITERIA_RULES_H

#include "formats/fill.h"

#define WARP_THREADS 32

/* A storage of a matrix, planned or built, with the beginnings of its rows and groups. */
struct layout {
    const struct storage *storage;
    const struct csr *a;
    double bytes;   /* the bytes of all arrays */
    int64_t value;  /* the bytes of a value */
    int64_t slot;   /* the bytes of a slot of part 0, over all arrays with an element for each slot */
    int64_t offset; /* the bytes of an offset */
    /* Rows, or columns of CSC: line i would have entries ptr[i] .. ptr[i+1]-1 of `across` positions. */
    int64_t lines, across;
    const int64_t *ptr;
    /* Groups of rows (strips, chunks, block rows) are processed in pieces, so that memory does not grow with
     * the rows. The present piece has groups first_group .. end_group-1. Group g begins at starts[g -
     * first_group], counted in the unit of the rule `slots`. */
    int64_t groups, height; /* the number of all groups, and the rows of each */
    int64_t first_group, end_group;
    int64_t first_row, end_row; /* the rows of the piece; all rows if the format has no groups */
    int64_t *starts;
    int32_t *order; /* the rows of the piece, counted from its first, in sorted order; NULL if not sorted */
    const uint32_t *blocks; /* the blocks of each block row, if the matrix has a skeleton, which owns them */
    int64_t elements;       /* elements in a sector of the array whose sectors are counted */
    void *own;              /* the data of the format's `find` */
};

/* The mean number of look-ups that find the entries of a row, and the row of an entry. */
struct look_ups {
    double row, entry;
};

/* The inputs of a format's criteria. Those that depend on groups are summed over pieces.
 *
 * find: makes layout->own, sets lines other than rows, or sets `blocks`. NULL: nothing to do. release: frees
 * layout->own, also if `find` has failed. NULL: free() frees it. height: the rows of a group. NULL: there are
 * no groups. slots: the slots or the blocks of group g; fewer if cancelled. writes: the bytes written to add
 * an entry, at most all bytes, summed over the positions without an entry. look_ups: the look-ups of the
 * whole matrix, without those of `searches`. searches: look-ups within groups, summed over rows. NULL: none.
 * fetches: the bytes of the sectors that warps touch when they load slots. NULL: not counted. lanes: the
 * threads of a warp x the slots of its busiest thread, summed over warps. work: the slots that threads
 * process. NULL: the entries. */
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

/* Sum term(layout, first, end) over consecutive ranges of `unit` elements of begin .. end-1. The ranges do
 * not depend on the threads. */
double criteria_sum(const struct layout *layout, int64_t begin, int64_t end, int64_t unit,
                    double (*term)(const struct layout *layout, int64_t first, int64_t end));

/* Return the first slot, or block, of group g of the piece; g may be end_group. */
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

/* Return the number of look-ups of a bisection among n elements. */
double bisection(double n);

/* Return the number of look-ups that find the beginning and the end of a row among `entries`: by bisection if
 * they are sorted by rows, else by a scan. */
double look_ups_of_list(int64_t entries, bool sorted);

/* Return the mean number of look-ups that find one of `count` rows in unsorted windows of `window` rows: (w +
 * 1) / 2 in a window of w rows. */
double look_ups_of_order(int64_t count, int64_t window);

/* The number of positions without an entry in line i. */
double free_places(const struct layout *layout, int64_t i);

/* Return `bytes`, but at most the bytes of storing the whole matrix again. */
double at_most_all(const struct layout *layout, double bytes);

/* Return the bytes of this number of slots of part 0 and of offsets. */
double moved_bytes(const struct layout *layout, int64_t slots, int64_t offsets);

/* Return the bytes of the sectors of all arrays of a part that have an element for each slot. `sectors`
 * counts the sectors of an array with layout->elements elements in a sector. */
double each_array(const struct layout *layout, int part, double (*sectors)(const struct layout *layout));

/* Return the sectors that warps touch when they process `count` neighbouring slots from `first` on, 32 at a
 * time. The number `elements` in a sector divides 32, so all warps begin at the same offset in a sector. */
int64_t sectors_of_run(int64_t first, int64_t count, int64_t elements);

/* The same for `columns` runs, each of which begins where the one before it ends. */
int64_t sectors_of_rectangle(int64_t first, int64_t height, int64_t columns, int64_t elements);

/* The same for all slots of part 1. */
double sectors_apart(const struct layout *layout);

/* Lines that the threads of a warp process side by side: line l has slots start[l] .. start[l] + length[l]-1,
 * and start[l + 1] >= start[l] + length[l]. In step d all lines that are longer than d are at their slot
 * d. */
struct abreast {
    int count;
    int64_t start[WARP_THREADS], length[WARP_THREADS];
};

/* Return the sectors that the threads touch, summed over steps. */
int64_t sectors_abreast(const struct abreast *lines, int64_t elements);

/* Return the number of threads x the length of the longest of their lines first .. end-1; lengths beyond
 * `most` count as `most`. */
double lanes_up_to(const struct layout *layout, int64_t first, int64_t end, int64_t most);

/* Rules that several formats share: for lines one after the other with offsets (CSR), for slots that follow
 * from the row's number (ELL), and for groups. */
double writes_nothing(const struct layout *layout);
double writes_lines(const struct layout *layout);
struct look_ups no_look_ups(const struct layout *layout);
double fetches_lines(const struct layout *layout);
double lanes_lines(const struct layout *layout);  /* a thread a line */
double lanes_groups(const struct layout *layout); /* a thread a row, in the order within groups */
double work_groups(const struct layout *layout);  /* all slots of the groups */

#endif
