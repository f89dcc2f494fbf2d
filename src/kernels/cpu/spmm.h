/* Products of the CPU kernels with several vectors, or with the transposed matrix: the loop runs row by row,
 * and for each entry multiplies a whole row of X, in registers if they suffice.
 *
 *     Y = A X      row i of Y is the sum of a_ij times row j of X
 *     Y = A^T X    a_ij times row i of X is added to row j of Y, for each entry of row i
 *
 * This requires row-major X and Y. Column-major vectors are converted some at a time, and back: X as enum
 * spmm_source tells for A X, and for A^T X only the rows in use. */
#ifndef SPARSIGHT_KERNELS_CPU_SPMM_H
#define SPARSIGHT_KERNELS_CPU_SPMM_H

#include "formats/array.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/csc.h"

/* The storage of the entries of a row: as CSR, COO in the order of rows, ELL or SELL; or without rows, so
 * that each entry is a unit (COO in random order). */
enum spmm_kind { SPMM_CSR, SPMM_COO, SPMM_ELL, SPMM_SELL, SPMM_ENTRY };

/* The rows of a stored matrix. Unit u is a row; in SELL a sorted row, with SPMM_ENTRY an entry. */
struct spmm_rows {
    enum spmm_kind kind;
    int64_t units, slots;
    const int32_t *col;
    const void *val;
    const void *ptr; /* of CSR row_ptr, of SELL chunk_ptr; their offsets have 64 bits if `wide` */
    bool wide;
    const int32_t *row;  /* for COO, whose entries are in row order */
    const int32_t *perm; /* for SELL and SPMM_ENTRY: the row of unit u; NULL: row u */
    int64_t width;       /* for ELL the slots of a row; for SELL c */
    int64_t stride;      /* from slot to slot of a row */
    bool sentinel;       /* for ELL: padding has the column -1 */
};

/* The entries of a unit: `count` slots from `first` on, with this stride. */
struct spmm_entries {
    int64_t first, count;
};

/* Return the entries of unit u. For COO *cursor is the first entry of the unit, and becomes that of the next
 * one. `kind` is a constant in hot loops. */
static inline __attribute__((always_inline)) struct spmm_entries spmm_entries(const struct spmm_rows *rows,
                                                                              enum spmm_kind kind, int64_t u,
                                                                              int64_t *cursor)
{
    struct spmm_entries entries = {0};
    if (kind == SPMM_CSR) {
        const int64_t *longs = rows->ptr;
        const int32_t *shorts = rows->ptr;
        entries.first = rows->wide ? longs[u] : shorts[u];
        entries.count = (rows->wide ? longs[u + 1] : shorts[u + 1]) - entries.first;
    } else if (kind == SPMM_COO) {
        entries.first = *cursor;
        while (*cursor < rows->slots && rows->row[*cursor] == u)
            ++*cursor;
        entries.count = *cursor - entries.first;
    } else if (kind == SPMM_ELL) {
        entries.first = rows->stride == 1 ? u * rows->width : u;
        entries.count = rows->width;
        while (rows->sentinel && entries.count > 0 &&
               rows->col[entries.first + (entries.count - 1) * rows->stride] < 0)
            entries.count--;
    } else if (kind == SPMM_ENTRY) {
        entries = (struct spmm_entries){u, 1};
    } else {
        const int64_t *longs = rows->ptr, chunk = u / rows->stride;
        const int32_t *shorts = rows->ptr;
        int64_t begin = rows->wide ? longs[chunk] : shorts[chunk];
        entries.first = begin + u % rows->stride;
        entries.count = ((rows->wide ? longs[chunk + 1] : shorts[chunk + 1]) - begin) / rows->stride;
    }
    return entries;
}

/* Return the row of unit u. */
static inline int64_t spmm_row_of(const struct spmm_rows *rows, int64_t u)
{
    return rows->perm ? rows->perm[u] : u;
}

/* Return the first entry of COO whose row is u or larger; 0 for other formats. O(log entries). */
int64_t spmm_cursor(const struct spmm_rows *rows, int64_t u);

/* The operands of a loop: `columns` elements of each row of X and Y. */
struct spmm_part {
    const void *x;
    void *y;
    int64_t x_step, y_step; /* elements from row to row */
    int columns;
    bool add;     /* results are added to Y */
    bool stream;  /* Y is large and written bypassing the caches */
    bool far;     /* rows of X are prefetched, because of their size and order */
    int64_t low;  /* the first row that y has */
    bool by_unit; /* y of A X, or x of A^T X, has a row for each unit from the first on instead */
};

/* The beginning of a thread's share that may cut rows, and the end of the previous one: all rows before `row`
 * and all entries before `entry` come earlier, and `entry` is in row `row` or at its end. */
struct spmm_cut {
    int64_t row, entry;
};

/* The X that the loops of Y = A X read if it is stored by columns. */
enum spmm_source {
    SPMM_SHARED, /* a copy row by row, which the threads make together before they multiply */
    SPMM_OWN,    /* each thread's copy of the rows that it uses, so that no thread waits for another, and none
                    reads what another has just written */
};

/* The rows of X that a thread copies, and the position of the first one in `packed`, in rows. */
struct spmm_window {
    int64_t low, high, place;
};

/* State of a launch: from spmm_prepare to spmm_release. */
struct spmm {
    struct spmm_rows rows;
    const struct loops *loops;
    int block; /* number of columns multiplied at a time */
    enum spmm_source source;
    struct spmm_window *window; /* of each thread, for Y = A X by columns; else NULL */
    void *packed;               /* of Y = A X by columns: a block of X, row by row */
    bool far;
    struct division *division; /* of the units among threads */
    struct spmm_cut *cut;      /* threads + 1, where shares are cut within rows instead; else NULL */
    void *carried; /* with `cut`: each thread's sums over the entries after its last end of a row, which
                      belong to the first row of the next share */
    struct csc_work *work; /* for Y = A^T X: the rows of Y to which each thread adds, and its own sums */
};

/* Extend the range *low .. *high-1 by the columns of all slots of units first .. end-1, padding included;
 * empty is INT64_MAX .. 0. */
void spmm_reach(const struct spmm_rows *rows, int64_t first, int64_t end, int64_t *low, int64_t *high);

/* Functions of CSR, COO, ELL and SELL kernels for products other than those of their loops for a single
 * vector (vectors_single). Preparing
 * allocates copies of vectors and of sums, within the limit of the launch minus the matrix: STATUS_LIMIT,
 * STATUS_MEMORY. The kernel's `spmm_rows` returns the rows. */
enum status spmm_prepare(struct launch *launch, struct error *error);

/* Do the same for Y = A X with CSR and shares with these threads + 1 cuts. */
enum status spmm_prepare_cut(struct launch *launch, const struct spmm_cut *cut, struct error *error);

/* Compute the product; if vectors_single, do nothing and return false. */
bool spmm_run(const struct launch *launch);

/* Free the state, which is a division if vectors_single. */
void spmm_release(struct launch *launch);

/* Correct the traffic unless vectors_single: A^T X loads X once a row, and loads and stores Y for each
 * entry. */
void spmm_traffic(const struct launch *launch, struct traffic *traffic);

/* The members of the descriptor of a kernel with these functions. */
#define SPMM_KERNEL(rows) .transposes = true, .columns_max = PRODUCT_COLUMNS_MAX, .spmm_rows = (rows)

#endif
