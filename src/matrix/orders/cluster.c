/* Rows with similar columns become neighbours, so that consecutive rows of a warp or a core load the same
 * sectors of x.
 *
 * A row is represented by the set of blocks of columns with its entries. The minima of hash functions over
 * these sets measure their similarity: two rows have the same minimum of one function with the probability
 *
 *     |A n B| / |A u B|,
 *
 * the share of blocks that they have in common (Broder). Each row has HASHES such values, its signature;
 * BANDS keys of two values each bring similar rows together: rows with the same key are adjacent after
 * sorting by that key. Only such neighbours are compared, which takes O(nnz + rows) (locality-sensitive
 * hashing, which Jiang, Hong and Agrawal use to reorder the rows of sparse matrices for GPUs).
 *
 * Pairs are then joined into paths, the most alike first: each row has at most two neighbours, and no path
 * is closed. Rows inside a path stay there, and in the next round the remaining ends meet each other. In
 * the end the paths follow each other by the first of their rows. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/generators/hash.h"
#include "matrix/orders/order.h"

enum { APPLY, BLOCK, SEED };

#define HASHES 16
#define BANDS (HASHES / 2)
#define ROUNDS 6
#define RADIX_BITS 16
#define RADIX (1 << RADIX_BITS)

struct clustering {
    const struct csr *a;
    struct progress *progress;
    int64_t block;
    uint64_t key[HASHES];   /* of the hash functions */
    uint32_t *signature;    /* HASHES minima for each row */
    int32_t *list;          /* the remaining rows, ascending; then sorted by the key of each band */
    uint64_t *pairs[2];     /* key << 32 | row, and room to sort them */
    int32_t *sorted[BANDS]; /* the remaining rows, by the key of each band */
    uint8_t *alike[BANDS];  /* alike[b][k]: number of equal minima of sorted[b][k] and sorted[b][k+1]; 0 if
                               their keys differ */
    int32_t *link;          /* two for each row: its neighbours in its path, or -1 */
    int32_t *root;          /* for each row a row closer to the one that represents its path */
    int64_t left;
};

static void sign_row(const struct clustering *clustering, int64_t i)
{
    const struct csr *a = clustering->a;
    uint32_t *signature = clustering->signature + HASHES * i;
    int64_t last = -1;
    memset(signature, 0xff, HASHES * sizeof *signature);
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
        int64_t block = a->col[k] / clustering->block;
        if (block == last) continue;
        last = block;
        for (int h = 0; h < HASHES; h++) {
            uint32_t value = (uint32_t)(hash_at(clustering->key[h], block) >> 32);
            if (value < signature[h]) signature[h] = value;
        }
    }
}

static void sign_rows(const struct clustering *clustering)
{
    int64_t rows = clustering->a->rows;
    progress_phase(clustering->progress, "signatures of rows", rows);
#pragma omp parallel for schedule(dynamic, 256) if (csr_nnz(clustering->a) > PARALLEL_MIN)
    for (int64_t i = 0; i < rows; i++) {
        if (i % 256 == 0) progress_add(clustering->progress, rows - i < 256 ? rows - i : 256);
        if (!progress_cancelled(clustering->progress)) sign_row(clustering, i);
    }
}

static uint32_t band_key(const struct clustering *clustering, int band, int64_t i)
{
    const uint32_t *signature = clustering->signature + HASHES * i + 2 * band;
    return (uint32_t)(hash_mix((uint64_t)signature[0] << 32 | signature[1]) >> 32);
}

/* Sort by the RADIX_BITS bits from `shift` on, stably. */
static void sort_digit(const uint64_t *in, uint64_t *out, int64_t count, int shift, int64_t *place)
{
    memset(place, 0, (RADIX + 1) * sizeof *place);
    for (int64_t k = 0; k < count; k++)
        place[(in[k] >> shift) % RADIX + 1]++;
    for (int d = 0; d < RADIX; d++)
        place[d + 1] += place[d];
    for (int64_t k = 0; k < count; k++)
        out[place[(in[k] >> shift) % RADIX]++] = in[k];
}

static int count_alike(const struct clustering *clustering, int64_t i, int64_t j)
{
    const uint32_t *left = clustering->signature + HASHES * i, *right = clustering->signature + HASHES * j;
    int alike = 0;
    for (int h = 0; h < HASHES; h++)
        alike += left[h] == right[h];
    return alike;
}

/* Sort the remaining rows by the key of a band, and compare neighbours. */
static void meet(const struct clustering *clustering, int band, int64_t *place)
{
    uint64_t *pairs = clustering->pairs[0], *other = clustering->pairs[1];
    int64_t count = clustering->left;
    for (int64_t k = 0; k < count; k++) {
        int32_t i = clustering->list[k];
        pairs[k] = (uint64_t)band_key(clustering, band, i) << 32 | (uint32_t)i;
    }
    sort_digit(pairs, other, count, 32, place);
    sort_digit(other, pairs, count, 32 + RADIX_BITS, place);
    for (int64_t k = 0; k < count; k++)
        clustering->sorted[band][k] = (int32_t)(uint32_t)pairs[k];
    for (int64_t k = 0; k + 1 < count; k++) {
        bool same = pairs[k] >> 32 == pairs[k + 1] >> 32;
        clustering->alike[band][k] =
            same ? (uint8_t)count_alike(clustering, (uint32_t)pairs[k], (uint32_t)pairs[k + 1]) : 0;
    }
}

static int32_t root_of(const struct clustering *clustering, int32_t i)
{
    int32_t *root = clustering->root;
    while (root[i] != i) {
        root[i] = root[root[i]];
        i = root[i];
    }
    return i;
}

static bool is_inside(const struct clustering *clustering, int32_t i)
{
    return clustering->link[2 * (int64_t)i + 1] >= 0;
}

static void link_to(const struct clustering *clustering, int32_t i, int32_t j)
{
    int32_t *link = clustering->link + 2 * (int64_t)i;
    link[link[0] >= 0] = j;
}

/* Join the paths of two rows, if both rows are ends, of different paths. */
static bool join(const struct clustering *clustering, int32_t i, int32_t j)
{
    if (is_inside(clustering, i) || is_inside(clustering, j)) return false;
    int32_t left = root_of(clustering, i), right = root_of(clustering, j);
    if (left == right) return false;
    link_to(clustering, i, j);
    link_to(clustering, j, i);
    clustering->root[left > right ? left : right] = left > right ? right : left;
    return true;
}

/* Join the compared pairs, the most similar first. Returns the number joined. */
static int64_t join_all(const struct clustering *clustering)
{
    int64_t joined = 0;
    for (int alike = HASHES; alike > 0 && !progress_cancelled(clustering->progress); alike--)
        for (int b = 0; b < BANDS; b++)
            for (int64_t k = 0; k + 1 < clustering->left; k++)
                if (clustering->alike[b][k] == alike)
                    joined += join(clustering, clustering->sorted[b][k], clustering->sorted[b][k + 1]);
    return joined;
}

/* Keep the rows that may still be joined. */
static void drop_insides(struct clustering *clustering)
{
    int64_t kept = 0;
    for (int64_t k = 0; k < clustering->left; k++)
        if (!is_inside(clustering, clustering->list[k])) clustering->list[kept++] = clustering->list[k];
    clustering->left = kept;
}

/* Write the paths, each from one of its ends, in the order of their first rows. A row whose root is -1 was
 * written. */
static void write_paths(const struct clustering *clustering, int32_t *from, int64_t count)
{
    int64_t written = 0;
    for (int64_t i = 0; i < count; i++) {
        int32_t before = -1;
        if (clustering->root[i] < 0) continue;
        /* Row i is the first of its path in the natural order, but may be inside it: go to one of its
         * ends. */
        int32_t end = (int32_t)i, back = -1;
        while (is_inside(clustering, end)) {
            const int32_t *link = clustering->link + 2 * (int64_t)end;
            int32_t next = link[0] == back ? link[1] : link[0];
            back = end;
            end = next;
        }
        while (end >= 0) {
            const int32_t *link = clustering->link + 2 * (int64_t)end;
            int32_t next = link[0] == before ? link[1] : link[0];
            from[written++] = end;
            clustering->root[end] = -1;
            before = end;
            end = next;
        }
    }
}

static void cluster(struct clustering *clustering, int64_t *place, int32_t *from, int64_t count)
{
    sign_rows(clustering);
    for (int64_t i = 0; i < count; i++) {
        clustering->list[i] = clustering->root[i] = (int32_t)i;
        clustering->link[2 * i] = clustering->link[2 * i + 1] = -1;
    }
    clustering->left = count;
    progress_phase(clustering->progress, "similar rows", ROUNDS * BANDS);
    for (int round = 0; round < ROUNDS; round++) {
        for (int b = 0; b < BANDS && !progress_cancelled(clustering->progress); b++) {
            meet(clustering, b, place);
            progress_add(clustering->progress, 1);
        }
        if (progress_cancelled(clustering->progress)) break;
        if (join_all(clustering) == 0) {
            progress_add(clustering->progress, (ROUNDS - 1 - round) * BANDS);
            break;
        }
        drop_insides(clustering);
    }
    write_paths(clustering, from, count);
}

static size_t bytes_cluster(const struct ordering *ordering)
{
    size_t row = HASHES * sizeof(uint32_t) + 4 * sizeof(int32_t) + 2 * sizeof(uint64_t) +
                 BANDS * (sizeof(int32_t) + sizeof(uint8_t));
    size_t all;
    size_multiply((size_t)ordering->a->rows, row, &all);
    size_add(all, (RADIX + 1) * sizeof(int64_t), &all);
    return all;
}

static bool allocate(struct clustering *clustering, size_t count, struct error *error)
{
    bool all = true;
    clustering->signature = memory_array(count, HASHES * sizeof *clustering->signature, error);
    clustering->list = memory_array(count, sizeof *clustering->list, error);
    clustering->link = memory_array(count, 2 * sizeof *clustering->link, error);
    clustering->root = memory_array(count, sizeof *clustering->root, error);
    for (int k = 0; k < 2; k++) {
        clustering->pairs[k] = memory_array(count, sizeof *clustering->pairs[k], error);
        all = all && clustering->pairs[k];
    }
    for (int b = 0; b < BANDS; b++) {
        clustering->sorted[b] = memory_array(count, sizeof *clustering->sorted[b], error);
        clustering->alike[b] = memory_array(count, sizeof *clustering->alike[b], error);
        all = all && clustering->sorted[b] && clustering->alike[b];
    }
    return all && clustering->signature && clustering->list && clustering->link && clustering->root;
}

static void release(struct clustering *clustering)
{
    free(clustering->signature);
    free(clustering->list);
    free(clustering->link);
    free(clustering->root);
    for (int k = 0; k < 2; k++)
        free(clustering->pairs[k]);
    for (int b = 0; b < BANDS; b++) {
        free(clustering->sorted[b]);
        free(clustering->alike[b]);
    }
}

static enum status compute_cluster(const struct ordering *ordering, int32_t *from, int64_t count,
                                   struct error *error)
{
    const double *number = ordering->values->number;
    struct clustering clustering = {
        .a = ordering->a, .progress = ordering->progress, .block = (int64_t)number[BLOCK]};
    for (int h = 0; h < HASHES; h++)
        clustering.key[h] = hash_key((uint64_t)number[SEED], HASH_PLACE, h);
    int64_t *place = memory_array(RADIX + 1, sizeof *place, error);
    enum status status = allocate(&clustering, (size_t)count, error) && place ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK) {
        cluster(&clustering, place, from, count);
        status = progress_status(ordering->progress, error);
    }
    free(place);
    release(&clustering);
    return status;
}

static const struct parameter parameters[] = {
    [APPLY] = ORDER_APPLY("rows"),
    [BLOCK] = {.name = "block",
               .help = "number of adjacent columns that count as one; 4 doubles are a sector of a GPU",
               .type = PARAMETER_POWER,
               .min = 1,
               .max = 1024,
               .standard = 4},
    [SEED] = SEED_OF("the hash functions"),
    {0},
};

const struct order order_cluster = {
    .name = "cluster",
    .summary = "rows with similar columns next to each other, found by hashing",
    .source = "Broder, SEQUENCES 1997, for the hashes; after Jiang, Hong and Agrawal, PPoPP 2020",
    .lines = LINES_ROWS,
    .usual = APPLY_ROWS,
    .parameters = parameters,
    .bytes = bytes_cluster,
    .compute = compute_cluster,
};
