#include "formats/tile_count.h"

#include "base/range.h"
#include "formats/criteria_rules.h"

bool tile_next(struct walk *walk, struct tile *tile)
{
    int64_t n = 0;
    tile->col = walk_column(walk);
    if (tile->col < 0) return false;
    tile->rows = walk->rows;
    tile->cols = min(TILE_SIZE, walk->a->cols - tile->col * TILE_SIZE);
    tile->widest = 0;
    for (int i = 0; i < walk->rows; i++) {
        tile->start[i] = n;
        for (int64_t k; (k = walk_entry(walk, i, tile->col)) >= 0; n++) {
            tile->entry[n] = k;
            tile->at[n] = (uint8_t)(i * TILE_SIZE + walk->a->col[k] % TILE_SIZE);
        }
        tile->widest = max(tile->widest, n - tile->start[i]);
    }
    tile->start[tile->rows] = tile->count = n;
    return true;
}

int64_t tile_index_bytes(enum tile_kind kind, int64_t rows, int64_t slots)
{
    switch (kind) {
    case TILE_COO:
        return 1 + slots;
    case TILE_CSR:
        return 1 + rows + (slots + 1) / 2;
    case TILE_ELL:
        return 1 + (slots + 1) / 2;
    default:
        return 1;
    }
}

struct way tile_way(const struct tile *tile, int64_t value)
{
    const int64_t slots[] = {[TILE_COO] = tile->count,
                             [TILE_CSR] = tile->count,
                             [TILE_ELL] = tile->rows * tile->widest,
                             [TILE_DENSE] = tile->rows * tile->cols};
    struct way best = {0};
    int64_t least = INT64_MAX;
    for (enum tile_kind kind = TILE_KINDS; kind-- > 0;) {
        int64_t bytes = tile_index_bytes(kind, tile->rows, slots[kind]), all = bytes + slots[kind] * value;
        if (all >= least) continue;
        least = all;
        best = (struct way){kind, slots[kind], bytes};
    }
    return best;
}

/* Lanes times steps of a warp: 32 entries of COO or positions at a time, or two lanes for each row. */
static int64_t lanes_of(const struct tile *tile, enum tile_kind kind)
{
    if (kind == TILE_DENSE) return TILE_SLOTS;
    return WARP_THREADS *
           ((kind == TILE_COO ? (tile->count - 1) / WARP_THREADS : (tile->widest - 1) / 2) + 1);
}

struct skeleton_tiles tile_count(const struct csr *a, int64_t value, int64_t first, int64_t end,
                                 const struct progress *progress)
{
    struct skeleton_tiles count = {0};
    for (int64_t r = next_block_row(a, TILE_SIZE, first); r < end; r = next_block_row(a, TILE_SIZE, r + 1)) {
        struct walk walk = walk_of(a, TILE_SIZE, r);
        struct tile tile;
        while (tile_next(&walk, &tile)) {
            const struct way way = tile_way(&tile, value);
            if (count.tiles++ % STRETCH == 0 && progress_cancelled(progress)) return count;
            count.slots += way.slots;
            count.bytes += way.bytes;
            count.lanes += lanes_of(&tile, way.kind);
            count.largest = max(count.largest, way.slots);
        }
    }
    return count;
}
