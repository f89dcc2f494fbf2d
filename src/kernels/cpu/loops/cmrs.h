/* Loops over the strips of CMRS. */
#include "formats/cmrs.h"
#include "kernels/cpu/loops/sums.h"

/* Sums that a row has: entries that follow each other add to different ones, so that none waits for the one
 * before. */
#define CMRS_COPIES 2

struct cmrs_arrays {
    const uint32_t *packed;
    const int32_t *col;
    const uint8_t *row;
    const real *val, *x;
};

static inline struct cmrs_arrays cmrs_arrays(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    bool packed = storage->number[CMRS_PACKED];
    return (struct cmrs_arrays){
        .packed = storage->array[CMRS_COL_IND].data,
        .col = storage->array[CMRS_COL_IND].data,
        .row = packed ? NULL : storage->array[CMRS_ROW_IN_STRIP].data,
        .val = storage->array[CMRS_VAL].data,
        .x = launch->x,
    };
}

/* Add slot e to the sum of its row. `packed` is a constant where this is inlined. */
static inline __attribute__((always_inline)) void cmrs_add(real *sum, const struct cmrs_arrays *cmrs,
                                                           int64_t e, bool packed)
{
    if (packed)
        sum[cmrs->packed[e] & ((1 << CMRS_ROW_BITS) - 1)] +=
            cmrs->val[e] * cmrs->x[cmrs->packed[e] >> CMRS_ROW_BITS];
    else
        sum[cmrs->row[e]] += cmrs->val[e] * cmrs->x[cmrs->col[e]];
}

/* Slots e .. stop-1 entry by entry. `copies` and `packed` are constants. */
static inline __attribute__((always_inline)) void cmrs_entries(real sum[][CMRS_HEIGHT_MAX],
                                                               const struct cmrs_arrays *cmrs, int64_t e,
                                                               int64_t stop, int copies, bool packed)
{
    for (; e + copies <= stop; e += copies)
        for (int copy = 0; copy < copies; copy++)
            cmrs_add(sum[copy], cmrs, e + copy, packed);
    for (; e < stop; e++)
        cmrs_add(sum[0], cmrs, e, packed);
    for (int copy = 1; copy < copies; copy++)
        for (int i = 0; i < CMRS_HEIGHT_MAX; i++)
            sum[0][i] += sum[copy][i];
}

/* The end of the run of one row that slot e is in. Where a strip is stored row by row, what is between two
 * slots of a row is of that row too. */
static inline int64_t cmrs_run_end(const uint8_t *row, int64_t e, int64_t end)
{
    uint8_t i = row[e++];
    while (e + 8 < end && row[e + 7] == i)
        e += 8;
    while (e < end && row[e] == i)
        e++;
    return e;
}

/* Slots e .. stop-1, which stand row by row. */
static inline void cmrs_runs(real *sum, const struct cmrs_arrays *cmrs, int64_t e, int64_t stop)
{
    for (int64_t next; e < stop; e = next) {
        next = cmrs_run_end(cmrs->row, e, stop);
        sum[cmrs->row[e]] = dot(cmrs->val + e, cmrs->col + e, cmrs->x, next - e);
    }
}

/* Slots of a strip that are asked for at once. */
#define CMRS_BURST 512

/* Ask for what comes after slots first .. end-1, of which a long strip's last ones are left out. */
static inline void cmrs_ahead(const struct cmrs_arrays *cmrs, int64_t first, int64_t end)
{
    end = min(end, first + CMRS_BURST);
    ahead(cmrs->val, cmrs->col, first, end);
    if (cmrs->row) ahead_array(cmrs->row, first, end, sizeof *cmrs->row);
}

/* Slots a row from which on runs are worth it. Where rows are shorter, their lengths are too hard to foresee.
 */
#define CMRS_RUN 16

/* Koza et al., section 3: strip by strip, the sums of its rows. By copies and runs, if there are any:
 * constants, as `packed`. */
static inline __attribute__((always_inline)) void cmrs_strips(const struct launch *launch, int64_t first,
                                                              int64_t end, int copies, bool runs, bool packed)
{
    const struct array *strip_ptr = &launch->storage->array[CMRS_STRIP_PTR];
    const struct cmrs_arrays cmrs = cmrs_arrays(launch);
    int64_t height = launch->storage->number[CMRS_HEIGHT];
    bool large = copies > 1 && ahead_pays(launch->storage->slots[0]);
    for (int64_t s = first; s < end; s++) {
        int64_t e = offset_of(strip_ptr, s), stop = offset_of(strip_ptr, s + 1);
        real sum[CMRS_COPIES][CMRS_HEIGHT_MAX] = {{0}};
        if (large) cmrs_ahead(&cmrs, e, stop);
        if (runs && stop - e >= CMRS_RUN * height)
            cmrs_runs(sum[0], &cmrs, e, stop);
        else
            cmrs_entries(sum, &cmrs, e, stop, copies, packed);
        put_sums(launch, sum[0], s * height, NULL, min(height, launch->storage->rows - s * height));
    }
}

static void cmrs_plain(const struct launch *launch, int64_t first, int64_t end)
{
    if (launch->storage->number[CMRS_PACKED])
        cmrs_strips(launch, first, end, 1, false, true);
    else
        cmrs_strips(launch, first, end, 1, false, false);
}

static void cmrs(const struct launch *launch, int64_t first, int64_t end)
{
    const int64_t *number = launch->storage->number;
    if (number[CMRS_PACKED])
        cmrs_strips(launch, first, end, CMRS_COPIES, false, true);
    else if (number[CMRS_SORTED] || number[CMRS_MODULO])
        cmrs_strips(launch, first, end, CMRS_COPIES, false, false);
    else
        cmrs_strips(launch, first, end, CMRS_COPIES, true, false);
}
