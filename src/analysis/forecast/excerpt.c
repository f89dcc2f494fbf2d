#include "analysis/forecast/excerpt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "base/wide.h"

#define BATCH 1024
#define LOOK 8 /* bytes that are tested together */

/* A group has at most 2^GROUP_BITS lines: enough rows for some thread blocks, or enough columns for some
 * cache lines. Groups are smaller if fewer than GROUPS of them would be kept. They keep as many rows as a
 * warp has lanes, or as many columns as a cache line has floats. Groups with more than GROUP_ENTRIES entries
 * shrink further. */
#define GROUP_BITS 10
#define ROW_BITS_MIN 5
#define COLUMN_BITS_MIN 4
#define GROUP_ENTRIES 4096
#define GROUPS 1024

#define SEED UINT32_C(0x9E3779B9)

/* The bytes of the memory limit for each kept entry. An entry takes up to 40 bytes, and up to 60 more in
 * storages. */
#define SHARE 2048

/* The lengthened row gets at most 1/LONGER of the drawn entries. */
#define LONGER 4

/* Return the hash of a group (the finalizer of MurmurHash3, Appleby). Level L keeps a group if the lowest L
 * bits of its hash are 0. */
static inline uint32_t hash_of(uint32_t group)
{
    group += SEED; /* 0 has the hash 0, and the first rows are often longer than others */
    group ^= group >> 16;
    group *= UINT32_C(0x85EBCA6B);
    group ^= group >> 13;
    group *= UINT32_C(0xC2B2AE35);
    return group ^ group >> 16;
}

static inline uint32_t mask_of(int level)
{
    return (uint32_t)(((uint64_t)1 << level) - 1);
}

/* At the last level nothing is kept, so it always fits. */
static inline bool is_kept(const struct excerpt_draw *draw, int64_t line, int level)
{
    return level < EXCERPT_LEVELS && (hash_of((uint32_t)(line >> draw->bits)) & mask_of(level)) == 0;
}

/* --- gathering --- */

static int bits_for(int64_t lines, int64_t nnz, int64_t admitted, int least)
{
    double mean = nnz > 0 ? (double)nnz / (double)max(lines, 1) : 16;
    int bits = GROUP_BITS;
    while (bits > 0 && ldexp(mean, bits) * GROUPS > (double)admitted &&
           (bits > least || ldexp(mean, bits) > GROUP_ENTRIES))
        bits--;
    return bits;
}

/* Return the first level to try. Lower levels would keep far more entries than admitted. */
static int first_level(int64_t nnz, int64_t admitted)
{
    int level = 0;
    while (level < EXCERPT_LEVELS && nnz >> (level + 1) >= admitted)
        level++;
    return level;
}

static enum status draw_begin(struct excerpt_draw *draw, int bits, int level, int64_t admitted, bool valued,
                              struct error *error)
{
    draw->bits = bits;
    draw->room = admitted + BATCH;
    atomic_init(&draw->level, level);
    draw->row = memory_array((size_t)draw->room, sizeof *draw->row, error);
    draw->col = memory_array((size_t)draw->room, sizeof *draw->col, error);
    if (valued) draw->val = memory_array((size_t)draw->room, sizeof *draw->val, error);
    return draw->row && draw->col && (draw->val || !valued) ? STATUS_OK : STATUS_MEMORY;
}

enum status excerpt_begin(int64_t rows, int64_t cols, int64_t nnz, int64_t admitted, bool valued,
                          bool complex, struct excerpt_gather *gather, struct error *error)
{
    *gather = (struct excerpt_gather){.rows = rows, .cols = cols, .valued = valued, .complex = complex};
    const int level = first_level(nnz, admitted);
    enum status status = draw_begin(&gather->of[EXCERPT_ROWS], bits_for(rows, nnz, admitted, ROW_BITS_MIN),
                                    level, admitted, valued, error);
    if (status == STATUS_OK)
        status = draw_begin(&gather->of[EXCERPT_COLUMNS], bits_for(cols, nnz, admitted, COLUMN_BITS_MIN),
                            level, admitted, false, error);
    gather->locked = status == STATUS_OK && pthread_mutex_init(&gather->lock, NULL) == 0;
    if (status == STATUS_OK && !gather->locked)
        status = error_set(error, STATUS_MEMORY, "out of memory: no room for a lock");
    if (status != STATUS_OK) excerpt_drop(gather);
    return status;
}

int64_t excerpt_admitted(size_t limit)
{
    int64_t admitted = EXCERPT_ENTRIES;
    while (admitted > 1 && (size_t)admitted > limit / SHARE)
        admitted /= 2;
    return admitted;
}

size_t excerpt_bytes(int64_t admitted, bool valued)
{
    const size_t entry = 2 * sizeof(int32_t), more = valued ? sizeof(double) : 0;
    return 2 * (size_t)(admitted + BATCH) * (2 * entry + more);
}

/* If the memory is full, raise the level until entries are dropped. */
static void thin_out(struct excerpt_draw *draw, bool by_columns)
{
    int level = atomic_load_explicit(&draw->level, memory_order_relaxed);
    while (draw->count + BATCH > draw->room && level < EXCERPT_LEVELS) {
        int64_t left = 0;
        level++;
        for (int64_t k = 0; k < draw->count; k++) {
            if (!is_kept(draw, by_columns ? draw->col[k] : draw->row[k], level)) continue;
            draw->row[left] = draw->row[k];
            draw->col[left] = draw->col[k];
            if (draw->val) draw->val[left] = draw->val[k];
            left++;
        }
        draw->count = left;
    }
    atomic_store_explicit(&draw->level, level, memory_order_relaxed);
}

/* Find the lines whose group is kept, of at most BATCH lines. Usually no group of LOOK lines is kept, so they
 * are tested together. */
WIDE static int find_kept(const int32_t *line, int count, int bits, uint32_t mask, int32_t *at)
{
    uint8_t kept[BATCH];
    int found = 0;
    for (int k = 0; k < count; k++)
        kept[k] = (hash_of((uint32_t)line[k] >> bits) & mask) == 0;
    for (int k = count; k % LOOK; k++)
        kept[k] = 0;
    for (int from = 0; from < count; from += LOOK) {
        uint64_t some;
        memcpy(&some, kept + from, sizeof some);
        for (int k = from; some && k < from + LOOK;
             k++) { /* without a branch for each, which would be mispredicted */
            at[found] = k;
            found += kept[k];
        }
    }
    return found;
}

/* Keep the entries found at a level, unless another thread has raised the level meanwhile and drops them. */
static void keep(struct excerpt_gather *gather, struct excerpt_draw *draw, bool by_columns, int level,
                 const int32_t *row, const int32_t *col, const double *val, const int32_t *at, int found)
{
    pthread_mutex_lock(&gather->lock);
    const int now = atomic_load_explicit(&draw->level, memory_order_relaxed);
    int32_t *const rows = draw->row + draw->count, *const cols = draw->col + draw->count;
    int64_t kept = 0;
    for (int f = 0; f < found; f++) {
        const int32_t k = at[f];
        if (now != level && !is_kept(draw, by_columns ? col[k] : row[k], now)) continue;
        rows[kept] = row[k];
        cols[kept] = col[k];
        if (draw->val) draw->val[draw->count + kept] = val ? val[k] : 1;
        kept++;
    }
    draw->count += kept;
    thin_out(draw, by_columns);
    pthread_mutex_unlock(&gather->lock);
}

static void take(struct excerpt_gather *gather, bool by_columns, const int32_t *row, const int32_t *col,
                 const double *val, int count)
{
    struct excerpt_draw *draw = &gather->of[by_columns ? EXCERPT_COLUMNS : EXCERPT_ROWS];
    const int32_t *line = by_columns ? col : row;
    const int level = atomic_load_explicit(&draw->level, memory_order_relaxed);
    int32_t at[BATCH + 1];
    if (level == EXCERPT_LEVELS) return;
    /* Entries mostly come row by row, so one test often rejects the whole batch. */
    if (line[0] >> draw->bits == line[count - 1] >> draw->bits && !by_columns &&
        !is_kept(draw, line[0], level)) {
        bool same = true;
        for (int k = 1; k < count && same; k++)
            same = line[k] >= line[k - 1];
        if (same) return;
    }
    int found = find_kept(line, count, draw->bits, mask_of(level), at);
    if (found) keep(gather, draw, by_columns, level, row, col, val, at, found);
}

void excerpt_take(struct excerpt_gather *gather, int64_t count, const int32_t *row, const int32_t *col,
                  const double *val)
{
    for (int64_t from = 0; from < count; from += BATCH) {
        const int some = (int)min(count - from, BATCH);
        for (int by_columns = 0; by_columns < 2; by_columns++)
            take(gather, by_columns, row + from, col + from, val ? val + from : NULL, some);
    }
}

void excerpt_take_rows(struct excerpt_gather *gather, const struct csr *a, int64_t first)
{
    int32_t row[BATCH];
    int64_t i = 0;
    const int64_t end = a->row_ptr[a->rows];
    for (int64_t from = a->row_ptr[0]; from < end; from += BATCH) {
        const int64_t count = min(end - from, BATCH);
        for (int64_t k = 0; k < count; k++) {
            while (a->row_ptr[i + 1] <= from + k)
                i++;
            row[k] = (int32_t)(first + i);
        }
        const double *val = gather->valued && a->val ? a->val + from : NULL;
        excerpt_take(gather, count, row, a->col + from, val);
    }
}

void excerpt_count(const struct excerpt_gather *gather, const struct csr *a, int64_t first,
                   int64_t counts[EXCERPT_DRAWS][EXCERPT_LEVELS + 1])
{
    memset(counts, 0, EXCERPT_DRAWS * sizeof *counts);
    for (int64_t i = 0; i < a->rows; i++) {
        uint32_t hash = hash_of((uint32_t)((first + i) >> gather->of[EXCERPT_ROWS].bits));
        counts[EXCERPT_ROWS][hash ? min(__builtin_ctz(hash), EXCERPT_LEVELS) : EXCERPT_LEVELS] +=
            a->row_ptr[i + 1] - a->row_ptr[i];
    }
    for (int64_t k = 0; k < csr_nnz(a); k++) {
        uint32_t hash = hash_of((uint32_t)a->col[k] >> gather->of[EXCERPT_COLUMNS].bits);
        counts[EXCERPT_COLUMNS][hash ? min(__builtin_ctz(hash), EXCERPT_LEVELS) : EXCERPT_LEVELS]++;
    }
}

int excerpt_level(const int64_t counts[EXCERPT_LEVELS + 1], int64_t admitted)
{
    int64_t kept = counts[EXCERPT_LEVELS];
    int level = EXCERPT_LEVELS - 1;
    for (; level >= 0; level--) {
        kept += counts[level];
        if (kept > admitted) break;
    }
    return level + 1;
}

void excerpt_rise(struct excerpt_draw *draw, int level)
{
    if (level > atomic_load(&draw->level)) atomic_store(&draw->level, level);
}

/* --- the excerpt --- */

/* Sort the entries of a row by insertion, because they are usually sorted already. */
static void sort_row(int32_t *col, double *val, int64_t count)
{
    for (int64_t k = 1; k < count; k++) {
        const int32_t c = col[k];
        const double v = val ? val[k] : 0;
        int64_t at = k;
        for (; at > 0 && col[at - 1] > c; at--) {
            col[at] = col[at - 1];
            if (val) val[at] = val[at - 1];
        }
        col[at] = c;
        if (val) val[at] = v;
    }
}

struct pair {
    int32_t col;
    double val;
};

static int ascending(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->col != y->col) return x->col < y->col ? -1 : 1;
    return (x->val > y->val) - (x->val < y->val);
}

#define SORTED_BY_INSERTION 64

/* Sort a long row, whose entries may be in any order. */
static enum status sort_long_row(int32_t *col, double *val, int64_t count, struct error *error)
{
    bool sorted = true;
    for (int64_t k = 1; k < count && sorted; k++)
        sorted = col[k - 1] <= col[k];
    if (sorted) return STATUS_OK;
    struct pair *pairs = memory_array((size_t)count, sizeof *pairs, error);
    if (!pairs) return STATUS_MEMORY;
    for (int64_t k = 0; k < count; k++)
        pairs[k] = (struct pair){col[k], val ? val[k] : 0};
    qsort(pairs, (size_t)count, sizeof *pairs, ascending);
    for (int64_t k = 0; k < count; k++) {
        col[k] = pairs[k].col;
        if (val) val[k] = pairs[k].val;
    }
    free(pairs);
    return STATUS_OK;
}

static enum status sort_all_rows(struct csr *a, struct error *error)
{
    enum status status = STATUS_OK;
    for (int64_t i = 0; i < a->rows && status == STATUS_OK; i++) {
        const int64_t begin = a->row_ptr[i], count = a->row_ptr[i + 1] - begin;
        double *val = a->val ? a->val + begin : NULL;
        if (count <= SORTED_BY_INSERTION)
            sort_row(a->col + begin, val, count);
        else
            status = sort_long_row(a->col + begin, val, count, error);
    }
    return status;
}

/* Turn the lengths of rows in a->row_ptr into offsets, and store the drawn entries there. to[i] is the row of
 * `a` for row i of the matrix; if `to` is NULL, it is i. `more` slots follow the last entry of row `longer`;
 * the caller fills them. */
static enum status place(const struct excerpt_draw *draw, const int32_t *to, int64_t longer, int64_t more,
                         struct csr *a, struct error *error)
{
    int64_t sum = 0;
    for (int64_t i = 0; i <= a->rows; i++) {
        const int64_t length = i < a->rows ? a->row_ptr[i] : 0;
        a->row_ptr[i] = sum;
        sum += length + (i == longer ? more : 0);
    }
    a->col = memory_array((size_t)sum + 1, sizeof *a->col, error);
    if (draw->val) a->val = memory_array((size_t)sum + 1, sizeof *a->val, error);
    if (!a->col || (draw->val && !a->val)) return STATUS_MEMORY;
    for (int64_t k = 0; k < draw->count; k++) {
        const int64_t at = a->row_ptr[to ? to[draw->row[k]] : draw->row[k]]++;
        a->col[at] = draw->col[k];
        if (a->val) a->val[at] = draw->val[k];
    }
    /* Each offset is now that of its row's end, except for the row with added entries. */
    if (longer >= 0) a->row_ptr[longer] += more;
    for (int64_t i = a->rows; i > 0; i--)
        a->row_ptr[i] = a->row_ptr[i - 1];
    a->row_ptr[0] = 0;
    return STATUS_OK;
}

/* Spread the entries of a row evenly over all columns, with the value of its first one. The last `more`
 * entries are added here. */
static void spread(struct csr *a, int64_t i, int64_t more)
{
    const int64_t begin = a->row_ptr[i], count = a->row_ptr[i + 1] - begin;
    double value = 1;
    int32_t least = INT32_MAX;
    for (int64_t k = begin; k < begin + count - more && a->val; k++)
        if (a->col[k] < least) {
            least = a->col[k];
            value = a->val[k];
        }
    for (int64_t k = 0; k < count; k++) {
        a->col[begin + k] = (int32_t)((double)k * (double)a->cols / (double)count);
        if (a->val) a->val[begin + k] = value;
    }
}

static int64_t longest_of(const int64_t *row_ptr, int64_t rows)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < rows; i++)
        longest = max(longest, row_ptr[i + 1] - row_ptr[i]);
    return longest;
}

/* Find the kept rows: to[i] becomes the excerpt's row for row i of the matrix, and `origin` the inverse.
 * Returns their number. */
static int64_t number_rows(const struct excerpt_gather *gather, int32_t *to, int32_t *origin)
{
    const struct excerpt_draw *draw = &gather->of[EXCERPT_ROWS];
    const int level = atomic_load(&draw->level);
    int64_t kept = 0;
    for (int64_t i = 0; i < gather->rows; i++) {
        if (!is_kept(draw, i, level)) continue;
        if (to) {
            to[i] = (int32_t)kept;
            origin[kept] = (int32_t)i;
        }
        kept++;
    }
    return kept;
}

static enum status make_rows(const struct excerpt_gather *gather, const int64_t *row_ptr,
                             struct excerpt *excerpt, struct error *error)
{
    const struct excerpt_draw *draw = &gather->of[EXCERPT_ROWS];
    struct csr *a = &excerpt->rows;
    enum status status = STATUS_MEMORY;
    int32_t *to = memory_array((size_t)gather->rows + 1, sizeof *to, error);
    const int64_t kept = number_rows(gather, NULL, NULL), longest = longest_of(row_ptr, gather->rows);
    int64_t more = 0, most = 0;
    *a = (struct csr){.rows = kept, .cols = gather->cols};
    excerpt->longer = -1;
    excerpt->origin = memory_array((size_t)kept + 1, sizeof *excerpt->origin, error);
    a->row_ptr = memory_zeroed((size_t)kept + 1, sizeof *a->row_ptr, error);
    if (!to || !excerpt->origin || !a->row_ptr) goto out;
    number_rows(gather, to, excerpt->origin);
    for (int64_t k = 0; k < draw->count; k++)
        a->row_ptr[to[draw->row[k]]]++;
    for (int64_t i = 0; i < kept; i++)
        if (a->row_ptr[i] > most) {
            most = a->row_ptr[i];
            excerpt->longer = i;
        }
    more = min(longest, max(most, draw->count / LONGER)) - most;
    if (more <= 0) {
        more = 0;
        excerpt->longer = -1;
    }
    status = place(draw, to, excerpt->longer, more, a, error);
    if (status == STATUS_OK && excerpt->longer >= 0) spread(a, excerpt->longer, more);
    if (status == STATUS_OK) status = sort_all_rows(a, error);
    if (status == STATUS_OK && gather->complex) {
        a->imaginary = memory_zeroed((size_t)csr_nnz(a) + 1, sizeof *a->imaginary, error);
        if (!a->imaginary) status = STATUS_MEMORY;
    }
out:
    free(to);
    return status;
}

static enum status make_columns(const struct excerpt_gather *gather, struct excerpt *excerpt,
                                struct error *error)
{
    const struct excerpt_draw *draw = &gather->of[EXCERPT_COLUMNS];
    const int level = atomic_load(&draw->level);
    struct csr *a = &excerpt->columns;
    const int64_t groups = ((gather->cols - 1) >> draw->bits) + 1;
    int64_t kept = 0;
    *a = (struct csr){.rows = gather->rows};
    a->row_ptr = memory_zeroed((size_t)a->rows + 1, sizeof *a->row_ptr, error);
    int32_t *to = memory_array((size_t)groups + 1, sizeof *to, error);
    if (!a->row_ptr || !to) {
        free(to);
        return STATUS_MEMORY;
    }
    for (int64_t g = 0; g < groups; g++) {
        to[g] = (int32_t)kept;
        kept += is_kept(draw, g << draw->bits, level);
    }
    for (int64_t k = 0; k < draw->count; k++) {
        const int32_t group = draw->col[k] >> draw->bits;
        draw->col[k] += (to[group] - group) * (1 << draw->bits);
        a->row_ptr[draw->row[k]]++;
    }
    free(to);
    a->cols = kept << draw->bits;
    excerpt->scale = kept > 0 ? (double)groups / (double)kept : 1;
    enum status status = place(draw, NULL, -1, 0, a, error);
    return status == STATUS_OK ? sort_all_rows(a, error) : status;
}

static void draw_free(struct excerpt_draw *draw)
{
    free(draw->row);
    free(draw->col);
    free(draw->val);
    draw->row = draw->col = NULL;
    draw->val = NULL;
}

enum status excerpt_end(struct excerpt_gather *gather, const int64_t *row_ptr, struct excerpt *excerpt,
                        struct error *error)
{
    *excerpt = (struct excerpt){.there = true};
    enum status status = make_columns(gather, excerpt, error);
    draw_free(&gather->of[EXCERPT_COLUMNS]);
    if (status == STATUS_OK) status = make_rows(gather, row_ptr, excerpt, error);
    excerpt->whole = atomic_load(&gather->of[EXCERPT_ROWS].level) == 0;
    excerpt_drop(gather);
    if (status != STATUS_OK || csr_nnz(&excerpt->rows) == 0) excerpt_free(excerpt);
    return status;
}

int64_t excerpt_share(int64_t nnz)
{
    return max(nnz / EXCERPT_SHARE, EXCERPT_LEAST);
}

int64_t excerpt_kept(const struct csr *a)
{
    const int64_t nnz = csr_nnz(a), kept = excerpt_share(nnz);
    if (nnz > EXCERPT_LEFT) return EXCERPT_ENTRIES;
    if (nnz <= EXCERPT_WHOLE) return 0;
    for (int64_t i = 0; i < a->rows; i++)
        if (a->row_ptr[i + 1] - a->row_ptr[i] > kept / EXCERPT_LONGEST) return 0;
    return kept;
}

/* Number of rows that a thread processes at a time. */
#define ROWS_AT_A_TIME 65536

enum status excerpt_of(const struct csr *a, int64_t admitted, struct progress *progress,
                       struct excerpt *excerpt, struct error *error)
{
    struct excerpt_gather gather;
    const bool complex = csr_complex(a);
    *excerpt = (struct excerpt){0};
    enum status status =
        excerpt_begin(a->rows, a->cols, csr_nnz(a), admitted, !complex, complex, &gather, error);
    if (status != STATUS_OK) return status;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_count())
    for (int64_t i = 0; i < a->rows; i += ROWS_AT_A_TIME) {
        if (progress_cancelled(progress)) continue;
        struct csr some = *a;
        some.row_ptr += i;
        some.rows = min(ROWS_AT_A_TIME, a->rows - i);
        excerpt_take_rows(&gather, &some, i);
    }
    status = progress_status(progress, error);
    if (status == STATUS_OK) return excerpt_end(&gather, a->row_ptr, excerpt, error);
    excerpt_drop(&gather);
    return status;
}

void excerpt_drop(struct excerpt_gather *gather)
{
    for (int d = 0; d < EXCERPT_DRAWS; d++)
        draw_free(&gather->of[d]);
    if (gather->locked) pthread_mutex_destroy(&gather->lock);
    gather->locked = false;
}

struct touches excerpt_touches(const struct excerpt *excerpt, const int64_t *row_ptr)
{
    return (struct touches){.a = &excerpt->columns, .row_ptr = row_ptr, .scale = excerpt->scale};
}

enum status excerpt_diagonal(const struct excerpt *excerpt, struct csr *moved, struct error *error)
{
    const struct csr *a = &excerpt->rows;
    int64_t lower = 0, upper = 0, nnz = 0;
    *moved = (struct csr){.rows = a->rows};
    moved->row_ptr = memory_array((size_t)a->rows + 1, sizeof *moved->row_ptr, error);
    moved->col = memory_array((size_t)csr_nnz(a) + 1, sizeof *moved->col, error);
    if (!moved->row_ptr || !moved->col) {
        csr_free(moved);
        return STATUS_MEMORY;
    }
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1] && i != excerpt->longer; k++) {
            lower = max(lower, excerpt->origin[i] - (int64_t)a->col[k]);
            upper = max(upper, (int64_t)a->col[k] - excerpt->origin[i]);
        }
    for (int64_t i = 0; i < a->rows; i++) {
        moved->row_ptr[i] = nnz;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1] && i != excerpt->longer; k++)
            moved->col[nnz++] = (int32_t)min(a->col[k] - (int64_t)excerpt->origin[i] + i + lower, INT32_MAX);
    }
    moved->row_ptr[a->rows] = nnz;
    moved->cols = a->rows + lower + upper;
    if (moved->cols <= INT32_MAX) return STATUS_OK;
    csr_free(moved);
    return error_set(error, STATUS_LIMIT, "diagonals are too far apart to be forecast from some rows");
}

void excerpt_free(struct excerpt *excerpt)
{
    csr_free(&excerpt->rows);
    csr_free(&excerpt->columns);
    free(excerpt->origin);
    *excerpt = (struct excerpt){0};
}
