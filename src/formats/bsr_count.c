#include "formats/bsr_count.h"

#include <omp.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/bsr.h"
#include "formats/bsr_walk.h"
#include "formats/fill.h"
#include "matrix/skeleton.h"

int64_t bsr_blocks_of(const struct csr *a, int64_t size, int64_t block_row, const struct progress *progress)
{
    if (no_entries(a, size, block_row)) return 0;
    struct walk walk = walk_of(a, size, block_row);
    int64_t blocks = 0, column;
    for (; (column = walk_column(&walk)) >= 0; blocks++) {
        if (blocks % STRETCH == STRETCH - 1 && progress_cancelled(progress)) break;
        for (int r = 0; r < walk.rows; r++)
            while (walk_entry(&walk, r, column) >= 0)
                ;
    }
    return blocks;
}

/* Stamps take at most this number of bytes for each thread, so that they stay in a cache. */
#define STAMPS_MAX ((size_t)4 << 20)

/* Stamps of the block columns: the last block row with an entry there, plus 1. Where most block columns have
 * no block, the walk is faster. */
static bool stamps_help(const struct csr *a, int64_t size)
{
    const int64_t across = bsr_blocks_across(a->cols, size);
    return across <= csr_nnz(a) && (size_t)across <= STAMPS_MAX / sizeof(int32_t);
}

/* col / size is col * inverse >> shift: that is exact below 2^31 if size <= 2^(shift - 31), and fits into 64
 * bits for sizes 2 to 8 and 9 to 32 (Granlund and Montgomery, Division by invariant integers
 * using multiplication, PLDI 1994). */
#define SMALL 8
#define SMALL_SHIFT 34
#define LARGE_SHIFT 36

static uint64_t inverse_of(int64_t size)
{
    const int shift = size <= SMALL ? SMALL_SHIFT : LARGE_SHIFT;
    return ((UINT64_C(1) << shift) + (uint64_t)size - 1) / (uint64_t)size;
}

/* The stamps of a thread. */
struct stamps {
    int32_t *of; /* for each block column its stamp; NULL: blocks are counted by walks */
    uint64_t inverse;
    int64_t across; /* number of block columns, */
    int64_t beyond; /* and the columns by which the last one reaches beyond the matrix */
};

/* Stamp the block columns of these entries. Returns how many did not have this stamp before. `shift` is a
 * constant where this is inlined. */
static inline __attribute__((always_inline)) int64_t stamp_each(const struct stamps *stamps,
                                                                const int32_t *col, int64_t count,
                                                                int32_t stamp, int shift)
{
    int32_t *const of = stamps->of;
    const uint64_t inverse = stamps->inverse;
    int64_t blocks = 0;
    for (int64_t k = 0; k < count; k++) {
        int32_t *const here = &of[(uint64_t)col[k] * inverse >> shift];
        blocks += *here != stamp;
        *here = stamp;
    }
    return blocks;
}

/* The same as bsr_blocks_of, by stamps: each entry is read once, in any order. */
static int64_t count_stamped(const struct csr *a, int64_t size, int64_t block_row,
                             const struct stamps *stamps, const struct progress *progress)
{
    const int64_t end = a->row_ptr[min((block_row + 1) * size, a->rows)];
    int64_t blocks = 0;
    for (int64_t k = a->row_ptr[block_row * size]; k < end; k += STRETCH) {
        if (end - k > STRETCH && progress_cancelled(progress)) break;
        const int64_t count = min(STRETCH, end - k);
        const int32_t stamp = (int32_t)block_row + 1;
        blocks += size <= SMALL ? stamp_each(stamps, a->col + k, count, stamp, SMALL_SHIFT)
                                : stamp_each(stamps, a->col + k, count, stamp, LARGE_SHIFT);
    }
    return blocks;
}

/* Return the number of positions of a block row, whose `count` blocks were just counted, that lie in none of
 * them. */
static int64_t positions_outside(const struct csr *a, int64_t size, int64_t block_row, int64_t count,
                                 const struct stamps *stamps)
{
    int64_t columns = a->cols - count * size;
    if (stamps->beyond > 0 && (stamps->of ? stamps->of[stamps->across - 1] == block_row + 1
                                          : bsr_ends_with_last(a, size, block_row)))
        columns += stamps->beyond;
    return min(size, a->rows - block_row * size) * columns;
}

/* Add the counts of other block rows. */
static void add_counts(struct bsr_count *sum, struct bsr_count others)
{
    if (others.longest > sum->longest) sum->outside = 0;
    if (others.longest >= sum->longest) sum->outside += others.outside;
    sum->longest = max(sum->longest, others.longest);
    sum->blocks += others.blocks;
    sum->failed |= others.failed;
}

/* Count the blocks of a range of block rows: one of `ranges`. */
static struct bsr_count count_range(const struct csr *a, int64_t size, int64_t range, int64_t ranges,
                                    const struct stamps *stamps, const struct progress *progress)
{
    const int64_t end = strip_block_first(a, size, ranges, range + 1);
    struct bsr_count sum = {0};
    for (int64_t r = next_block_row(a, size, strip_block_first(a, size, ranges, range)); r < end;
         r = next_block_row(a, size, r + 1)) {
        const int64_t count =
            stamps->of ? count_stamped(a, size, r, stamps, progress) : bsr_blocks_of(a, size, r, progress);
        sum.blocks += count;
        if (count < sum.longest) continue;
        if (count > sum.longest) sum.outside = 0;
        sum.longest = count;
        sum.outside += positions_outside(a, size, r, count, stamps);
    }
    return sum;
}

struct bsr_count bsr_count_all(const struct csr *a, int64_t size, int64_t max,
                               const struct progress *progress)
{
    if (a->skeleton && a->skeleton->count_blocks) {
        struct bsr_count told = {.outside = -1};
        told.blocks = a->skeleton->count_blocks(a->skeleton, size, max, &told.longest);
        return told;
    }
    const bool stamp = stamps_help(a, size);
    int64_t ranges = row_blocks(a), so_far = 0;
    struct bsr_count all = {0};
#pragma omp parallel if (ranges > 1)
    {
        const int64_t across = bsr_blocks_across(a->cols, size);
        struct stamps stamps = {
            .inverse = inverse_of(size), .across = across, .beyond = across * size - a->cols};
        struct bsr_count mine = {0};
        if (stamp) stamps.of = memory_zeroed((size_t)across, sizeof *stamps.of, NULL);
        mine.failed = stamp && !stamps.of;
#pragma omp for schedule(dynamic, 1)
        for (int64_t t = 0; t < ranges; t++) {
            if (mine.failed || progress_cancelled(progress)) continue;
            if (__atomic_load_n(&so_far, __ATOMIC_RELAXED) > max) continue;
            const struct bsr_count here = count_range(a, size, t, ranges, &stamps, progress);
            add_counts(&mine, here);
            __atomic_fetch_add(&so_far, here.blocks, __ATOMIC_RELAXED);
        }
#pragma omp critical
        add_counts(&all, mine);
        free(stamps.of);
    }
    if (all.longest == 0) all.outside = a->rows * a->cols;
    return all;
}

struct bsr_stamps {
    int64_t size, across; /* of a block, and of block columns */
    uint64_t inverse;
    int threads;
    int32_t of[]; /* `across` for each thread */
};

enum status bsr_stamps_make(const struct csr *a, int64_t size, struct bsr_stamps **stamps,
                            struct error *error)
{
    const int64_t across = bsr_blocks_across(a->cols, size);
    const int threads = threads_count();
    *stamps = NULL;
    if (!stamps_help(a, size)) return STATUS_OK;
    const size_t bytes = (size_t)threads * (size_t)across * sizeof(int32_t);
    struct bsr_stamps *made = memory_zeroed(sizeof *made + bytes, 1, error);
    if (!made) return STATUS_MEMORY;
    made->size = size;
    made->across = across;
    made->inverse = inverse_of(size);
    made->threads = threads;
    *stamps = made;
    return STATUS_OK;
}

int64_t bsr_blocks_stamped(struct bsr_stamps *stamps, const struct csr *a, int64_t block_row,
                           const struct progress *progress)
{
    const int thread = omp_get_thread_num();
    if (thread >= stamps->threads) return bsr_blocks_of(a, stamps->size, block_row, progress);
    const struct stamps mine = {.of = stamps->of + thread * stamps->across, .inverse = stamps->inverse};
    return count_stamped(a, stamps->size, block_row, &mine, progress);
}
