/* Patterns of access: where each lane of a warp begins, and which lanes take part. */
#ifndef SPARSIGHT_TESTS_GPU_PATTERNS_CUH
#define SPARSIGHT_TESTS_GPU_PATTERNS_CUH

#include <cstdint>
#include <cstdlib>

#define WARP 32

/* Offsets are in bytes. */
struct pattern {
    uint32_t mask;
    uint32_t offset[WARP];
};

/* Patterns that have a name: lane l begins at shift + near (l mod split) + far (l div split), where near and
 * far have elements and bytes. */
struct step {
    int elements;
    int bytes;
};

struct named {
    const char *group, *name;
    int shift;
    int split;
    step near, far;
    uint32_t mask;
};

#define ALL 0xffffffffu

static const named nameds[] = {
    {"neighbours", "contiguous", 0, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+1", 1, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+2", 2, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+4", 4, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+8", 8, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+16", 16, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+28", 28, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+32", 32, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+60", 60, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+64", 64, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+96", 96, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+112", 112, 32, {1, 0}, {0, 0}, ALL},
    {"neighbours", "contiguous+124", 124, 32, {1, 0}, {0, 0}, ALL},
    {"apart", "stride-2", 0, 32, {2, 0}, {0, 0}, ALL},
    {"apart", "stride-3", 0, 32, {3, 0}, {0, 0}, ALL},
    {"apart", "stride-4", 0, 32, {4, 0}, {0, 0}, ALL},
    {"apart", "stride-8", 0, 32, {8, 0}, {0, 0}, ALL},
    {"apart", "stride-32", 0, 32, {32, 0}, {0, 0}, ALL},
    {"apart", "stride-33", 0, 32, {33, 0}, {0, 0}, ALL},
    {"apart", "stride-32B", 0, 32, {0, 32}, {0, 0}, ALL},
    {"apart", "stride-128B", 0, 32, {0, 128}, {0, 0}, ALL},
    {"apart", "stride-512B", 0, 32, {0, 512}, {0, 0}, ALL},
    {"apart", "halves-share-sectors", 0, 16, {0, 32}, {1, 0}, ALL},
    {"apart", "quarters-share-sectors", 0, 8, {0, 64}, {1, 0}, ALL},
    {"apart", "halves-share-lines", 0, 16, {0, 128}, {0, 32}, ALL},
    {"apart", "quarters-share-lines", 0, 8, {0, 128}, {0, 32}, ALL},
    {"alike", "same", 0, 32, {0, 0}, {0, 0}, ALL},
    {"alike", "same+96", 96, 32, {0, 0}, {0, 0}, ALL},
    {"alike", "pairs-same", 0, 2, {0, 0}, {1, 0}, ALL},
    {"alike", "fours-same", 0, 4, {0, 0}, {1, 0}, ALL},
    {"alike", "eights-same", 0, 8, {0, 0}, {1, 0}, ALL},
    {"alike", "pairs-same-apart", 0, 2, {0, 0}, {0, 128}, ALL},
    {"alike", "halves-same", 0, 16, {1, 0}, {0, 0}, ALL},
    {"alike", "quarters-same", 0, 8, {1, 0}, {0, 0}, ALL},
    {"few-lanes", "lane-0", 0, 32, {1, 0}, {0, 0}, 1u},
    {"few-lanes", "lane-31", 0, 32, {1, 0}, {0, 0}, 1u << 31},
    {"few-lanes", "lanes-0-4", 0, 32, {1, 0}, {0, 0}, 0x1fu},
    {"few-lanes", "lanes-14-18", 0, 32, {1, 0}, {0, 0}, 0x7c000u},
    {"few-lanes", "lower-half", 0, 32, {1, 0}, {0, 0}, 0xffffu},
    {"few-lanes", "upper-half", 0, 32, {1, 0}, {0, 0}, 0xffff0000u},
    {"few-lanes", "even-lanes", 0, 32, {1, 0}, {0, 0}, 0x55555555u},
    {"few-lanes", "lanes-0-30", 0, 32, {1, 0}, {0, 0}, 0x7fffffffu},
    {"few-lanes", "five-lanes-apart", 0, 32, {0, 160}, {0, 0}, 0x80101011u},
    {"few-lanes", "no-lane", 0, 32, {1, 0}, {0, 0}, 0},
};

static bool fits(const named &n, int size)
{
    return n.shift % size == 0;
}

static pattern make_named(const named &n, int size)
{
    pattern p = {n.mask, {}};
    for (int lane = 0; lane < WARP; lane++)
        p.offset[lane] =
            static_cast<uint32_t>(n.shift + (lane % n.split) * (n.near.elements * size + n.near.bytes) +
                                  (lane / n.split) * (n.far.elements * size + n.far.bytes));
    return p;
}

/* Random patterns, this number of each family: elements drawn from the first `range` bytes, alike in lanes
 * that differ in no bit but those of `alike`; range 0: an order of 32 neighbours; sorted: a lane never before
 * the one below it. Each lane is active with probability share / 16. */
struct family {
    const char *group;
    int draws;
    uint32_t range;
    uint32_t alike;
    int share;
    bool sorted;
};

static const family families[] = {
    {"order", 14, 0, 0, 16, false},        {"order", 14, 0, 0, 8, false},
    {"near", 4, 128, 0, 16, false},        {"near", 4, 128, 0, 8, false},
    {"near", 5, 512, 0, 16, false},        {"near", 5, 512, 0, 8, false},
    {"near", 5, 512, 0, 3, false},         {"near", 5, 1024, 0, 16, false},
    {"far", 4, 4096, 0, 16, false},        {"far", 4, 4096, 0, 8, false},
    {"far", 4, 4096, 0, 3, false},         {"far", 5, 1u << 20, 0, 16, false},
    {"far", 5, 1u << 20, 0, 8, false},     {"far", 5, 1u << 20, 0, 3, false},
    {"in-pairs", 4, 1024, 1, 16, false},   {"in-pairs", 4, 1024, 1, 10, false},
    {"in-pairs", 4, 1024, 2, 16, false},   {"in-pairs", 4, 1024, 2, 10, false},
    {"in-pairs", 4, 1024, 3, 16, false},   {"in-pairs", 4, 1024, 3, 10, false},
    {"in-pairs", 4, 4096, 1, 3, false},    {"in-groups", 4, 1024, 4, 16, false},
    {"in-groups", 4, 1024, 4, 10, false},  {"in-groups", 4, 1024, 8, 16, false},
    {"in-groups", 4, 1024, 16, 16, false}, {"in-groups", 4, 1024, 16, 10, false},
    {"in-groups", 4, 1024, 17, 16, false}, {"in-groups", 4, 1024, 24, 16, false},
    {"ascending", 7, 64, 0, 16, true},     {"ascending", 7, 512, 0, 16, true},
    {"ascending", 7, 512, 0, 10, true},    {"ascending", 7, 16384, 0, 16, true},
};

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint32_t draw(uint64_t *state, uint32_t below)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return static_cast<uint32_t>((z ^ z >> 31) >> 32) % below;
}

static int compare_offsets(const void *a, const void *b)
{
    const uint32_t x = *static_cast<const uint32_t *>(a), y = *static_cast<const uint32_t *>(b);
    return (x > y) - (x < y);
}

static pattern make_random(const family &f, int size, uint32_t limit, uint64_t *state)
{
    pattern p = {};
    uint32_t bytes = static_cast<uint32_t>(size), range = f.range < limit ? f.range : limit;
    uint32_t first = range ? 0 : draw(state, 32);
    for (uint32_t lane = 0; lane < WARP; lane++) {
        if (draw(state, 16) < static_cast<uint32_t>(f.share)) p.mask |= 1u << lane;
        p.offset[lane] = range ? draw(state, range / bytes) * bytes : (first + lane) * bytes;
        uint32_t other = range ? lane & ~f.alike : draw(state, lane + 1);
        uint32_t kept = p.offset[other];
        if (!range) p.offset[other] = p.offset[lane];
        p.offset[lane] = kept;
    }
    if (!p.mask) p.mask = 1u << draw(state, WARP);
    if (f.sorted) qsort(p.offset, WARP, sizeof p.offset[0], compare_offsets);
    return p;
}

#endif
