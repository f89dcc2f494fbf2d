#include "analysis/repeats.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "matrix/generators/hash.h"

/* Number of rows, or lines, of a block, after which cancellation is checked. */
#define BLOCK 4096

/* The table's cells for this many lines ahead are fetched before they are needed. */
#define AHEAD 16

static int64_t lines_of(const struct repeats *r)
{
    return r->columns ? r->a->cols : r->a->rows;
}

static bool is_empty(const struct repeats *r, int64_t k)
{
    return r->offsets[k] == r->offsets[k + 1];
}

/* --- the numbers of lines --- */

/* Return the bits of a value, made equal for values that count as equal. */
static uint64_t bits_of(double value)
{
    uint64_t bits;
    if (value == 0) return 0;
    if (isnan(value)) value = NAN;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Return the contribution of entry k to the number of its line; `index` is its position in the line. */
static uint64_t entry_hash(const struct repeats *r, int64_t index, int64_t k)
{
    uint64_t h = hash_mix(((uint64_t)index + 1) * HASH_STEP);
    if (r->values) h = hash_mix(h + bits_of(r->a->val[k]));
    if (r->values && r->a->imaginary) h = hash_mix(h + bits_of(r->a->imaginary[k]));
    return h;
}

/* Add up the numbers of rows, or let each entry add to that of its column. */
static void hash_block(const struct repeats *r, int64_t from, int64_t to)
{
    const struct csr *a = r->a;
    for (int64_t i = from; i < to; i++) {
        uint64_t sum = 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            if (r->columns)
                __atomic_fetch_add(&r->hash[a->col[k]], entry_hash(r, i, k), __ATOMIC_RELAXED);
            else
                sum += entry_hash(r, a->col[k], k);
        }
        if (!r->columns) r->hash[i] = sum;
    }
}

static enum status hash_lines(struct repeats *r, struct progress *progress, struct error *error)
{
    const struct csr *a = r->a;
    int64_t blocks = (a->rows + BLOCK - 1) / BLOCK;
    progress_phase(progress, r->columns ? "comparing columns" : "comparing rows", csr_nnz(a) + lines_of(r));
#pragma omp parallel for schedule(dynamic) if (a->rows + csr_nnz(a) > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) continue;
        int64_t from = b * BLOCK, to = min(from + BLOCK, a->rows);
        hash_block(r, from, to);
        progress_add(progress, a->row_ptr[to] - a->row_ptr[from]);
    }
    return progress_status(progress, error);
}

/* --- the table --- */

/* Return the cell of the table that has a line of this number, or the free cell for it. */
static size_t cell_of(const struct repeats *r, uint64_t number)
{
    size_t cell = number & r->mask;
    while (r->first[cell] >= 0 && r->hash[r->first[cell]] != number)
        cell = (cell + 1) & r->mask;
    return cell;
}

static enum status fill_table(struct repeats *r, struct progress *progress, struct error *error)
{
    int64_t lines = lines_of(r);
    for (int64_t from = 0; from < lines && !progress_cancelled(progress); from += BLOCK) {
        int64_t to = min(from + BLOCK, lines);
        for (int64_t k = from; k < to; k++) {
            if (k + AHEAD < lines) __builtin_prefetch(&r->first[r->hash[k + AHEAD] & r->mask], 1);
            if (is_empty(r, k)) continue;
            size_t cell = cell_of(r, r->hash[k]);
            if (r->first[cell] < 0) r->first[cell] = (int32_t)k;
        }
        progress_add(progress, to - from);
    }
    return progress_status(progress, error);
}

/* Return the size of a table in which at most two thirds of the cells are taken. */
static size_t table_size(int64_t lines)
{
    size_t size = 1;
    while (size / 3 * 2 < (size_t)lines + 1)
        size *= 2;
    return size;
}

static enum status make(struct repeats *r, size_t limit, struct progress *progress, struct error *error)
{
    const struct csr *a = r->a;
    int64_t lines = lines_of(r), nnz = csr_nnz(a);
    size_t size = table_size(min(lines, nnz));
    size_t bytes = (size_t)lines * sizeof *r->hash + size * sizeof *r->first;
    enum status status = memory_check_beside(bytes, csr_bytes(a->rows, nnz, a->imaginary != NULL), limit,
                                             r->columns ? "comparing columns" : "comparing rows", error);
    if (status != STATUS_OK) return status;
    r->hash = memory_zeroed((size_t)lines, sizeof *r->hash, error);
    r->first = memory_array(size, sizeof *r->first, error);
    if (!r->hash || !r->first) return STATUS_MEMORY;
    memset(r->first, -1, size * sizeof *r->first);
    r->mask = size - 1;
    status = hash_lines(r, progress, error);
    return status == STATUS_OK ? fill_table(r, progress, error) : status;
}

enum status repeats_make(const struct csr *a, const int64_t *offsets, bool columns, bool values, size_t limit,
                         struct progress *progress, struct repeats *repeats, struct error *error)
{
    *repeats = (struct repeats){.a = a, .offsets = offsets, .columns = columns, .values = values};
    enum status status = make(repeats, limit, progress, error);
    if (status != STATUS_OK) repeats_free(repeats);
    return status;
}

void repeats_free(struct repeats *repeats)
{
    free(repeats->hash);
    free(repeats->first);
    *repeats = (struct repeats){0};
}

/* --- comparing --- */

static bool same(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

static bool same_values(const struct csr *a, int64_t p, int64_t q)
{
    return same(a->val[p], a->val[q]) && (!a->imaginary || same(a->imaginary[p], a->imaginary[q]));
}

static bool rows_alike(const struct csr *a, int64_t i, int64_t other, bool values)
{
    int64_t p = a->row_ptr[i], q = a->row_ptr[other], length = a->row_ptr[i + 1] - p;
    if (memcmp(a->col + p, a->col + q, (size_t)length * sizeof *a->col) != 0) return false;
    for (int64_t k = 0; values && k < length; k++)
        if (!same_values(a, p + k, q + k)) return false;
    return true;
}

/* Compare two columns of one length: row by row, since their entries are not contiguous. */
static bool columns_alike(const struct csr *a, int64_t j, int64_t other, bool values,
                          struct progress *progress)
{
    int64_t blocks = (a->rows + BLOCK - 1) / BLOCK;
    atomic_bool differ = false;
#pragma omp parallel for schedule(dynamic) if (a->rows > PARALLEL_MIN)
    for (int64_t b = 0; b < blocks; b++) {
        if (progress_cancelled(progress)) atomic_store(&differ, true);
        for (int64_t i = b * BLOCK; i < min((b + 1) * BLOCK, a->rows) && !atomic_load(&differ); i++) {
            int64_t p = csr_find(a, i, j), q = csr_find(a, i, other);
            if ((p < 0) != (q < 0) || (p >= 0 && values && !same_values(a, p, q)))
                atomic_store(&differ, true);
        }
    }
    return !atomic_load(&differ);
}

bool repeats_alike(const struct repeats *r, int64_t k, int64_t other, bool values, struct progress *progress)
{
    if (r->offsets[k + 1] - r->offsets[k] != r->offsets[other + 1] - r->offsets[other]) return false;
    return r->columns ? columns_alike(r->a, k, other, values, progress) : rows_alike(r->a, k, other, values);
}

/* The first line with a number usually is the repeated one. Only if two different lines share a number, all
 * lines between them are compared. */
int64_t repeats_of(const struct repeats *r, int64_t k, struct progress *progress)
{
    if (is_empty(r, k)) return -1;
    for (int64_t other = r->first[cell_of(r, r->hash[k])]; other < k; other++) {
        if (r->hash[other] != r->hash[k] || is_empty(r, other)) continue;
        if (repeats_alike(r, k, other, r->values, progress)) return other;
        if (progress_cancelled(progress)) return -1;
    }
    return -1;
}
