#include "analysis/mirror_sketch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/streamed_parts.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/wide.h"

#define BATCH 1024
#define LOOK 8 /* bytes that are tested together */
#define LEVELS 31

#define SEED UINT32_C(0x68E31DA4)
#define SEED_VALUE UINT64_C(0x9E3779B97F4A7C15)
#define SEED_IMAGINARY UINT64_C(0xD6E8FEB86659FD93)

/* The quantile of the normal distribution for a 95% interval. */
#define QUANTILE 1.96

/* --- random numbers --- */

/* The finalizer of MurmurHash3 (Appleby). */
static inline uint32_t number_of(uint32_t index)
{
    uint32_t hash = index + SEED;
    hash ^= hash >> 16;
    hash *= UINT32_C(0x85EBCA6B);
    hash ^= hash >> 13;
    hash *= UINT32_C(0xC2B2AE35);
    return hash ^ hash >> 16;
}

WIDE static void find_numbers(const int32_t *index, int64_t count, uint32_t *number)
{
    for (int64_t k = 0; k < count; k++)
        number[k] = number_of((uint32_t)index[k]);
}

/* The same for indices that ascend. */
static void find_numbers_of_runs(const int32_t *index, int64_t count, uint32_t *number)
{
    for (int64_t k = 0, end; k < count; k = end) {
        const uint32_t u = number_of((uint32_t)index[k]);
        end = streamed_lines_run(index, k, count);
        for (int64_t e = k; e < end; e++)
            number[e] = u;
    }
}

/* The bits of a value: those of 0 and -0 are the same. */
static inline uint64_t bits_of(double value)
{
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline uint64_t weight_of(double value)
{
    return ((bits_of(value) ^ bits_of(value) >> 29) * SEED_VALUE) >> 32;
}

static inline uint64_t weight_of_imaginary(double value)
{
    return ((bits_of(value) ^ bits_of(value) >> 29) * SEED_IMAGINARY) >> 32;
}

/* --- sums --- */

/* The numbers of the rows and columns of entries. */
struct numbers {
    uint32_t row[BATCH], col[BATCH];
};

/* The product of both halves of u_i u_j: another random number of the same pair. */
static inline uint64_t other_of(uint64_t product)
{
    return (product >> 32) * (uint32_t)product;
}

/* A term counts with a minus sign below the diagonal, and not on it. */
static inline uint64_t signed_term(uint64_t term, int32_t row, int32_t col)
{
    const uint64_t minus = 0 - (uint64_t)(col < row), off = 0 - (uint64_t)(col != row);
    return ((term ^ minus) - minus) & off;
}

WIDE static void add_pattern(const int32_t *row, const int32_t *col, const struct numbers *u, int64_t count,
                             uint64_t sums[2])
{
    uint64_t first = 0, second = 0;
    for (int64_t k = 0; k < count; k++) {
        const uint64_t product = (uint64_t)u->row[k] * u->col[k];
        first += signed_term(product, row[k], col[k]);
        second += signed_term(other_of(product), row[k], col[k]);
    }
    sums[0] += first;
    sums[1] += second;
}

/* The same for real values, in one loop. */
WIDE static void add_valued(const int32_t *row, const int32_t *col, const double *val,
                            const struct numbers *u, int64_t count, struct mirror_sums *sums)
{
    uint64_t first = 0, second = 0, equal = 0;
    for (int64_t k = 0; k < count; k++) {
        const uint64_t product = (uint64_t)u->row[k] * u->col[k];
        const uint64_t term = signed_term(product, row[k], col[k]);
        first += term;
        second += signed_term(other_of(product), row[k], col[k]);
        equal += term * weight_of(val[k]);
    }
    sums->pattern[0] += first;
    sums->pattern[1] += second;
    sums->equal += equal;
}

/* Conjugate values are equal if the imaginary parts below the diagonal are negated. */
static void add_complex(const struct entries *e, int64_t from, int64_t count, const struct numbers *u,
                        struct mirror_sums *sums)
{
    for (int64_t k = 0; k < count; k++) {
        const int32_t i = e->row[from + k], j = e->col[from + k];
        const double imaginary = e->imaginary[from + k];
        const uint64_t term = signed_term((uint64_t)u->row[k] * u->col[k], i, j);
        const uint64_t real = weight_of(e->val[from + k]);
        sums->equal += term * (real + weight_of_imaginary(imaginary));
        sums->conjugate += term * (real + weight_of_imaginary(j < i ? -imaginary : imaginary));
    }
}

void mirror_sums_join(struct mirror_sums *to, const struct mirror_sums *from)
{
    to->pattern[0] += from->pattern[0];
    to->pattern[1] += from->pattern[1];
    to->equal += from->equal;
    to->conjugate += from->conjugate;
}

/* --- the sample --- */

static inline uint32_t mask_of(int level)
{
    return (uint32_t)(((uint64_t)1 << level) - 1);
}

static inline bool is_kept(int32_t row, int32_t col, int level)
{
    return ((number_of((uint32_t)row) ^ number_of((uint32_t)col)) & mask_of(level)) == 0;
}

/* Find the entries off the diagonal whose pair is kept. Usually none of LOOK is, so they are tested
 * together. */
WIDE static int find_kept(const int32_t *row, const int32_t *col, const struct numbers *u, int count,
                          uint32_t mask, int32_t *at)
{
    uint8_t kept[BATCH];
    int found = 0;
    for (int k = 0; k < count; k++)
        kept[k] = (((u->row[k] ^ u->col[k]) & mask) == 0) & (row[k] != col[k]);
    for (int k = count; k % LOOK; k++)
        kept[k] = 0;
    for (int from = 0; from < count; from += LOOK) {
        uint64_t some;
        memcpy(&some, kept + from, sizeof some);
        for (int k = from; some && k < from + LOOK; k++) {
            at[found] = k;
            found += kept[k];
        }
    }
    return found;
}

static void put(struct mirror_sketch *sketch, int32_t row, int32_t col, double val, double imaginary)
{
    const int64_t at = sketch->count++;
    sketch->row[at] = row;
    sketch->col[at] = col;
    if (sketch->val) sketch->val[at] = val;
    if (sketch->imaginary) sketch->imaginary[at] = imaginary;
}

/* If the memory is full, raise the level until entries are dropped. */
static void thin_out(struct mirror_sketch *sketch)
{
    int level = atomic_load_explicit(&sketch->level, memory_order_relaxed);
    while (sketch->count + BATCH > sketch->room && level < LEVELS) {
        const int64_t before = sketch->count;
        level++;
        sketch->count = 0;
        for (int64_t k = 0; k < before; k++)
            if (is_kept(sketch->row[k], sketch->col[k], level))
                put(sketch, sketch->row[k], sketch->col[k], sketch->val ? sketch->val[k] : 1,
                    sketch->imaginary ? sketch->imaginary[k] : 0);
    }
    if (sketch->count + BATCH > sketch->room) sketch->count = 0;
    atomic_store_explicit(&sketch->level, level, memory_order_relaxed);
}

/* Keep the entries found at a level, unless another thread has raised the level meanwhile and drops them. */
static void keep(struct mirror_sketch *sketch, int level, const struct entries *e, int64_t from,
                 const int32_t *at, int found)
{
    pthread_mutex_lock(&sketch->lock);
    const int now = atomic_load_explicit(&sketch->level, memory_order_relaxed);
    for (int f = 0; f < found; f++) {
        const int64_t k = from + at[f];
        if (now != level && !is_kept(e->row[k], e->col[k], now)) continue;
        put(sketch, e->row[k], e->col[k], sketch->val ? e->val[k] : 1,
            sketch->imaginary ? e->imaginary[k] : 0);
    }
    thin_out(sketch);
    pthread_mutex_unlock(&sketch->lock);
}

void mirror_sketch_take(struct mirror_sketch *sketch, struct mirror_sums *sums, const struct entries *e)
{
    struct numbers u;
    int32_t at[BATCH + 1];
    for (int64_t from = 0, count; from < e->count; from += count) {
        const int32_t *row = e->row + from, *col = e->col + from;
        const int level = atomic_load_explicit(&sketch->level, memory_order_relaxed);
        count = min(e->count - from, BATCH);
        if (e->ascend)
            find_numbers_of_runs(row, count, u.row);
        else
            find_numbers(row, count, u.row);
        find_numbers(col, count, u.col);
        if (sketch->valued && !sketch->complex)
            add_valued(row, col, e->val + from, &u, count, sums);
        else
            add_pattern(row, col, &u, count, sums->pattern);
        if (sketch->valued && sketch->complex) add_complex(e, from, count, &u, sums);
        const int found = find_kept(row, col, &u, (int)count, mask_of(level), at);
        if (found) keep(sketch, level, e, from, at, found);
    }
}

/* --- beginning and end --- */

enum status mirror_sketch_begin(int64_t nnz, int64_t kept, bool valued, bool complex,
                                struct mirror_sketch *sketch, struct error *error)
{
    *sketch = (struct mirror_sketch){.valued = valued, .complex = complex, .room = kept + BATCH};
    int level = 0;
    while (level < LEVELS && nnz >> (level + 1) >= kept)
        level++;
    atomic_init(&sketch->level, level);
    const size_t room = (size_t)sketch->room;
    sketch->row = memory_array(room, sizeof *sketch->row, error);
    sketch->col = memory_array(room, sizeof *sketch->col, error);
    if (valued) sketch->val = memory_array(room, sizeof *sketch->val, error);
    if (valued && complex) sketch->imaginary = memory_array(room, sizeof *sketch->imaginary, error);
    enum status status =
        sketch->row && sketch->col && (sketch->val || !valued) && (sketch->imaginary || !valued || !complex)
            ? STATUS_OK
            : STATUS_MEMORY;
    sketch->locked = status == STATUS_OK && pthread_mutex_init(&sketch->lock, NULL) == 0;
    if (status == STATUS_OK && !sketch->locked)
        status = error_set(error, STATUS_MEMORY, "out of memory: no room for a lock");
    if (status != STATUS_OK) mirror_sketch_drop(sketch);
    return status;
}

void mirror_sketch_drop(struct mirror_sketch *sketch)
{
    free(sketch->row);
    free(sketch->col);
    free(sketch->val);
    free(sketch->imaginary);
    if (sketch->locked) pthread_mutex_destroy(&sketch->lock);
    *sketch = (struct mirror_sketch){0};
}

/* The entries at one position of a pair. Up to two are added, as a matrix in memory adds them. The sum of
 * three depends on their order, so the sum of their bits stands for them. */
struct side {
    double real, imaginary;
    uint64_t bits, mirrored; /* the latter with negated imaginary parts */
    int64_t count;
};

struct pair {
    int32_t low, high;
    struct side above, below; /* those at (low, high), and at (high, low) */
};

static int64_t slots_for(int64_t count)
{
    int64_t slots = 16;
    while (slots < 2 * count)
        slots *= 2;
    return slots;
}

size_t mirror_sketch_bytes(int64_t kept, bool complex)
{
    const size_t entry = 2 * sizeof(int32_t) + (complex ? 2 : 1) * sizeof(double);
    return (size_t)(kept + BATCH) * entry + (size_t)slots_for(kept) * sizeof(struct pair);
}

static struct pair *pair_at(struct pair *pairs, int64_t slots, int32_t low, int32_t high)
{
    const uint64_t hash = ((uint64_t)low << 32 | (uint32_t)high) * SEED_VALUE;
    int64_t at = (int64_t)(hash >> 32) & (slots - 1);
    while (pairs[at].above.count + pairs[at].below.count > 0 &&
           (pairs[at].low != low || pairs[at].high != high))
        at = (at + 1) & (slots - 1);
    return &pairs[at];
}

static void add(struct side *side, double real, double imaginary)
{
    side->real += real;
    side->imaginary += imaginary;
    side->bits += bits_of(real) + 3 * bits_of(imaginary);
    side->mirrored += bits_of(real) + 3 * bits_of(-imaginary);
    side->count++;
}

/* The counts of pairs of the sample. */
struct counts {
    double both, single, equal, conjugate;
};

static void count_pair(const struct pair *pair, struct counts *counts)
{
    const struct side *a = &pair->above, *b = &pair->below;
    counts->single += (a->count > 0) != (b->count > 0);
    if (a->count == 0 || b->count == 0) return;
    const bool many = a->count > 2 || b->count > 2, same = a->real == b->real;
    counts->both++;
    counts->equal += many ? a->count == b->count && a->bits == b->bits : same && a->imaginary == b->imaginary;
    counts->conjugate +=
        many ? a->count == b->count && a->bits == b->mirrored : same && a->imaginary == -b->imaginary;
}

static enum status count_sample(const struct mirror_sketch *sketch, struct counts *counts,
                                struct error *error)
{
    const int64_t slots = slots_for(sketch->count);
    struct pair *pairs = memory_zeroed((size_t)slots, sizeof *pairs, error);
    if (!pairs) return STATUS_MEMORY;
    for (int64_t k = 0; k < sketch->count; k++) {
        const int32_t i = sketch->row[k], j = sketch->col[k];
        struct pair *pair = pair_at(pairs, slots, i < j ? i : j, i < j ? j : i);
        pair->low = i < j ? i : j;
        pair->high = i < j ? j : i;
        add(i < j ? &pair->above : &pair->below, sketch->val ? sketch->val[k] : 1,
            sketch->imaginary ? sketch->imaginary[k] : 0);
    }
    for (int64_t s = 0; s < slots; s++)
        count_pair(&pairs[s], counts);
    free(pairs);
    return STATUS_OK;
}

/* The share of entries in pairs of which `matched` match. The error is that of a ratio (Cochran, Sampling
 * Techniques, 1977, section 6.3), pair by pair, and a term for what was not met by chance. If no pair of the
 * sample differs, although the sums tell that some do, the share is the middle of its interval. */
static struct mirror_share share_from(const struct counts *counts, double matched, int level, int64_t off)
{
    const double all = 2 * counts->both + counts->single, left = 1 - ldexp(1, -level);
    struct mirror_share found = {0, 1};
    if (all == 0) return (struct mirror_share){0.5, 0.5};
    found.share = 2 * matched / all;
    const double r = found.share, others = counts->both - matched;
    const double squares = matched * (2 - 2 * r) * (2 - 2 * r) + others * 4 * r * r + counts->single * r * r;
    found.error = QUANTILE * sqrt(left * squares) / all + QUANTILE * QUANTILE * left * 2 / all;
    if (level == 0) return found;
    const double low = fmax(0, found.share - found.error),
                 high = fmin(1 - 1 / (double)off, found.share + found.error);
    if (found.share <= high) return found;
    return (struct mirror_share){(low + high) / 2, (high - low) / 2};
}

enum status mirror_sketch_end(struct mirror_sketch *sketch, const struct mirror_sums *sums, int64_t off,
                              bool nan, struct mirror_found *found, struct error *error)
{
    const struct mirror_share exact = {1, 0}, unknown = {NAN, 0};
    const int level = atomic_load(&sketch->level);
    const bool symmetric = sums->pattern[0] == 0 && sums->pattern[1] == 0;
    const bool equal = symmetric && !nan && sums->equal == 0;
    const bool conjugate = sketch->complex ? symmetric && !nan && sums->conjugate == 0 : equal;
    struct counts counts = {0};
    enum status status = off > 0 ? count_sample(sketch, &counts, error) : STATUS_OK;
    *found = (struct mirror_found){unknown, unknown, unknown, sketch->count, level == 0};
    if (status == STATUS_OK && off > 0) {
        const bool sampled = level > 0;
        found->pattern = sampled && symmetric ? exact : share_from(&counts, counts.both, level, off);
        found->equal = sampled && equal ? exact : share_from(&counts, counts.equal, level, off);
        found->conjugate = sampled && conjugate ? exact : share_from(&counts, counts.conjugate, level, off);
    }
    mirror_sketch_drop(sketch);
    return status;
}
