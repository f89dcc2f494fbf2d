/* The distinct values (formats/unique.h), found on the device, and the indices of all entries. */
#include "kernels/cuda/convert/work.cuh"

/* Bits of values are stored in a hash table with 0 for free slots. So each is stored as its complement, and
 * the value with all bits set, whose complement is 0, is treated separately. */
#define PLACES (4 * UNIQUE_MAX)

/* The result: the number of distinct values, whether they are too many, and whether one has all bits set. */
enum { FOUND_VALUES, FOUND_MANY, FOUND_ONES, FOUND_COUNT };

__device__ __forceinline__ int place_of(uint64_t bits)
{
    return static_cast<int>((bits * 0x9e3779b97f4a7c15ull) >> 54);
}

__device__ __forceinline__ uint64_t bits_of(uint32_t word)
{
    return word;
}

__device__ __forceinline__ uint64_t bits_of(uint2 word)
{
    return static_cast<uint64_t>(word.y) << 32 | word.x;
}

__device__ __forceinline__ void put_bits(uint32_t *to, uint64_t bits)
{
    *to = static_cast<uint32_t>(bits);
}

__device__ __forceinline__ void put_bits(uint2 *to, uint64_t bits)
{
    *to = make_uint2(static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32));
}

/* Insert these bits. The atomic exchange detects concurrent insertions. */
__device__ __forceinline__ void keep(uint64_t bits, unsigned long long *key, unsigned long long *found)
{
    const unsigned long long kept = ~bits;
    if (kept == 0) {
        if (atomicExch(&found[FOUND_ONES], 1ull) == 0) atomicAdd(&found[FOUND_VALUES], 1ull);
        return;
    }
    int p = place_of(bits);
    for (int tries = 0; tries < PLACES; tries++, p = (p + 1) % PLACES) {
        unsigned long long there = *const_cast<volatile unsigned long long *>(&key[p]);
        if (there == 0) there = atomicCAS(&key[p], 0ull, kept);
        if (there == kept) return;
        if (there) continue;
        if (atomicAdd(&found[FOUND_VALUES], 1ull) >= UNIQUE_MAX) found[FOUND_MANY] = 1;
        return;
    }
    found[FOUND_MANY] = 1;
}

/* Threads process the values with a stride of all threads, until there are too many distinct ones. The shared
 * memory of a block caches recently inserted values, at the slot where a search begins, so that most values
 * need no other look-up. Concurrent writes there are harmless: any of the values has been inserted. */
template <class word>
__global__ void find_unique(const word *__restrict__ val, int64_t count, unsigned long long *key,
                            unsigned long long *found)
{
    __shared__ unsigned long long lately[PLACES];
    const int64_t all = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int p = threadIdx.x; p < PLACES; p += blockDim.x)
        lately[p] = 0;
    __syncthreads();
    for (int64_t e = thread_of_grid(); e < count; e += all) {
        const uint64_t bits = bits_of(val[e]);
        volatile unsigned long long *here = &lately[place_of(bits)];
        if (*here == ~bits && ~bits) continue;
        if (*const_cast<volatile unsigned long long *>(&found[FOUND_MANY])) return;
        keep(bits, key, found);
        *here = ~bits;
    }
}

/* One block, with a thread for each slot of the table: the values in the order of their bits, and for each
 * slot the index of its value. */
template <class word>
__global__ void __launch_bounds__(PLACES)
    order_unique(const unsigned long long *__restrict__ key, const unsigned long long *__restrict__ found,
                 word *__restrict__ value, uint8_t *__restrict__ index)
{
    __shared__ unsigned long long all[PLACES];
    const unsigned long long kept = key[threadIdx.x];
    if (found[FOUND_MANY]) return;
    all[threadIdx.x] = kept;
    __syncthreads();
    if (threadIdx.x == 0 && found[FOUND_ONES]) put_bits(value + (found[FOUND_VALUES] - 1), ~0ull);
    if (kept == 0) return;
    int below = 0;
    for (int p = 0; p < PLACES; p++)
        below += all[p] > kept; /* complements descend */
    put_bits(value + below, ~kept);
    index[threadIdx.x] = static_cast<uint8_t>(below);
}

#define GROUP 256 /* values that a warp encodes at a time, in steps of 32 */

/* Write the indices of `count` values, and 0 for those up to `room`, which do not exist. TILED: they go where
 * tiles of csr-balanced read them, whose K is a multiple of 8: then csr_tile_place puts value 32 j + l of a
 * group at byte 8 l + j, and each lane writes 8 bytes. */
template <class word, bool TILED>
__global__ void tell_unique(const word *__restrict__ val, int64_t count, int64_t room,
                            const unsigned long long *__restrict__ key, const uint8_t *__restrict__ index,
                            const unsigned long long *__restrict__ found, uint8_t *__restrict__ out)
{
    __shared__ unsigned long long kept[PLACES];
    __shared__ uint8_t which[PLACES];
    const int64_t groups = (room + GROUP - 1) / GROUP,
                  warps = static_cast<int64_t>(gridDim.x) * blockDim.x / WARP;
    const int lane = threadIdx.x % WARP;
    if (found[FOUND_MANY]) return;
    for (int p = threadIdx.x; p < PLACES; p += blockDim.x) {
        kept[p] = key[p];
        which[p] = index[p];
    }
    const uint8_t ones = static_cast<uint8_t>(found[FOUND_VALUES] - 1);
    __syncthreads();
    for (int64_t g = thread_of_grid() / WARP; g < groups; g += warps) {
        uint32_t told[GROUP / WARP];
#pragma unroll
        for (int j = 0; j < GROUP / WARP; j++) {
            const int64_t e = g * GROUP + j * WARP + lane;
            told[j] = 0;
            if (e >= count) continue;
            const uint64_t bits = bits_of(val[e]);
            int p = place_of(bits);
            while (~bits && kept[p] != ~bits)
                p = (p + 1) % PLACES;
            told[j] = ~bits ? which[p] : ones;
        }
        if (TILED)
            *reinterpret_cast<uint2 *>(out + g * GROUP + lane * 8) =
                make_uint2(told[0] | told[1] << 8 | told[2] << 16 | told[3] << 24,
                           told[4] | told[5] << 8 | told[6] << 16 | told[7] << 24);
        else
            for (int j = 0; j < GROUP / WARP; j++)
                if (g * GROUP + j * WARP + lane < room)
                    out[g * GROUP + j * WARP + lane] = static_cast<uint8_t>(told[j]);
    }
}

unique_work take_unique(work *w)
{
    unique_work u = {};
    u.key = take<unsigned long long>(w, PLACES);
    u.found = take<unsigned long long>(w, FOUND_COUNT);
    u.index = take<uint8_t>(w, PLACES);
    return u;
}

template <class word> static void put_words(work *w, const unique_work &u, const struct unique_values &v)
{
    const int64_t wanted = (v.count + 16 * WORK_BLOCK - 1) / (16 * WORK_BLOCK);
    const int64_t most = static_cast<int64_t>(w->context->multiprocessors) * 8;
    const int64_t blocks = wanted < most ? wanted : most;
    const auto *val = static_cast<const word *>(v.val);
    put_zeros(w, u.key, PLACES);
    put_zeros(w, u.found, FOUND_COUNT);
    put_blocks(w, "find_unique", blocks, WORK_BLOCK, find_unique<word>, val, v.count, u.key, u.found);
    put_number(w, v.number, reinterpret_cast<const int64_t *>(u.found + FOUND_VALUES));
    if (v.there->count <= 0) return;
    put_blocks(w, "order_unique", 1, PLACES, order_unique<word>, u.key, u.found,
               static_cast<word *>(v.there->value), u.index);
    if (!v.there->index) return;
    put_blocks(w, "tell_unique", blocks, WORK_BLOCK,
               v.tiled ? tell_unique<word, true> : tell_unique<word, false>, val, v.count, v.room, u.key,
               u.index, u.found, v.there->index);
}

void put_unique(work *w, const unique_work &u, const struct unique_values &v)
{
    if (v.there->count == 0 || v.count == 0) return;
    if (w->csr->precision == PRECISION_F32)
        put_words<uint32_t>(w, u, v);
    else
        put_words<uint2>(w, u, v);
}
