/* How a GPU counts the memory accesses of a warp: launches of warps each of which accesses memory once, by a
 * known pattern. A line for each launch has the predictions of the rules; tests/gpu/rules.sh runs this under
 * Nsight Compute and compares the counts. The rules, in data/measured/gpu-rules-*.md at length:
 *
 * - Global memory: an instruction with an active lane is one request, of whatever size; its sectors are the
 * distinct 32 bytes that its lanes touch, its set accesses the distinct 128 bytes, over the whole warp. So
 * for all kinds of loads and stores.
 * - Reductions and atomics: the same in turns, since lanes that have one address wait for each other (see
 * next_turn).
 * - Shared memory: 4 bytes and less are served for the whole warp together, 8 by halves, 16 by quarters,
 * loads in some cases by twice that (see lanes_together). Each takes as many wavefronts as there are distinct
 * words in the bank that has most; all but the first are conflicts.
 * - Additions in shared memory: of integers, a wavefront for each lane of the bank that has most; of reals a
 * loop of loads and compare-and-swap, in which one lane of a bank gets through at a time (see predict_swaps).
 *
 * gpu_rules [-e] [-g] [-n] [SECTION]: SECTION is the kind of access, without it the sections are listed; -e:
 * a launch for each pattern, which is printed too, and fewer random ones; -g: only whether there is a GPU,
 * for if not the exit status is 77; -n: no launches, only what is predicted. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gpu/counting.cuh"
#include "gpu/patterns.cuh"
#include "kernels/cuda/loads.cuh"

#define GLOBAL_BYTES (4u << 20)
#define SHARED_BYTES (32u << 10)

/* Those of a launch, a block of one warp for each: as many as the arguments of a kernel have room for. */
#define MAX 28

struct patterns {
    int count;
    pattern each[MAX];
};

/* The accesses */

enum how { PLAIN, NC, STREAMING, ONCE, VOLATILE, RELAXED, PREDICATED };

template <class T> __device__ inline uint32_t bits_of(T value)
{
    if constexpr (sizeof(T) == 8) return static_cast<uint32_t>(value ^ value >> 32);
    return static_cast<uint32_t>(value);
}

__device__ inline uint32_t bits_of(uint4 value)
{
    return value.x ^ value.y ^ value.z ^ value.w;
}

template <how HOW, class T> __device__ inline uint32_t loaded(const T *from)
{
    if constexpr (HOW == PLAIN) {
        return bits_of(*from);
    } else if constexpr (HOW == NC) {
        return bits_of(__ldg(from));
    } else if constexpr (HOW == STREAMING) {
        return bits_of(__ldcs(from));
    } else if constexpr (HOW == VOLATILE) {
        return bits_of(*static_cast<const volatile T *>(from));
    } else if constexpr (HOW == ONCE) {
        const once_policy policy = make_once_policy(false);
        if constexpr (sizeof(T) == 2) return once_2(from, policy);
        if constexpr (sizeof(T) == 4) return once_4(from, policy);
        if constexpr (sizeof(T) == 8)
            return bits_of(static_cast<uint64_t>(
                __double_as_longlong(once(reinterpret_cast<const double *>(from), policy))));
        if constexpr (sizeof(T) == 16) return bits_of(once_16(from, policy));
    } else if constexpr (sizeof(T) == 4) {
        uint32_t out;
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(out) : "l"(from));
        return out;
    } else {
        uint64_t out;
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(out) : "l"(from));
        return bits_of(out);
    }
}

template <how HOW, class T> struct load {
    static __device__ uint32_t go(char *at, bool active)
    {
        uint32_t out = 0;
        if constexpr (HOW == PREDICATED)
            asm volatile("{.reg .pred q; setp.ne.u32 q, %2, 0; mov.u32 %0, 0; @q ld.global.u32 %0, [%1];}"
                         : "=r"(out)
                         : "l"(at), "r"(static_cast<uint32_t>(active)));
        else if (active)
            out = loaded<HOW>(reinterpret_cast<const T *>(at));
        return out;
    }
};

__device__ inline void value_of_lane(uint4 *value)
{
    *value = {threadIdx.x, 1, 2, 3};
}

template <class T> __device__ inline void value_of_lane(T *value)
{
    *value = static_cast<T>(threadIdx.x);
}

template <how HOW, class T> struct store {
    static __device__ uint32_t go(char *at, bool active)
    {
        T value;
        value_of_lane(&value);
        if (active) {
            if constexpr (HOW == STREAMING)
                __stcs(reinterpret_cast<T *>(at), value);
            else if constexpr (HOW == VOLATILE)
                *reinterpret_cast<volatile T *>(at) = value;
            else
                *reinterpret_cast<T *>(at) = value;
        }
        return 0;
    }
};

template <class T> struct reduce {
    static __device__ uint32_t go(char *at, bool active)
    {
        if (active) atomicAdd(reinterpret_cast<T *>(at), static_cast<T>(threadIdx.x));
        return 0;
    }
};

template <class T> struct atomic {
    static __device__ uint32_t go(char *at, bool active)
    {
        T old = 0;
        if (active) old = atomicAdd(reinterpret_cast<T *>(at), static_cast<T>(threadIdx.x));
        return static_cast<uint32_t>(old);
    }
};

__device__ inline uint32_t address_in_shared(const void *at)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(at));
}

template <class T> struct shared_load {
    static __device__ uint32_t go(char *at, bool active)
    {
        if (!active) return 0;
        uint32_t from = address_in_shared(at), out = 0;
        if constexpr (sizeof(T) == 1)
            asm volatile("ld.shared.u8 %0, [%1];" : "=r"(out) : "r"(from));
        else if constexpr (sizeof(T) == 4)
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(out) : "r"(from));
        else if constexpr (sizeof(T) == 8) {
            uint64_t value;
            asm volatile("ld.shared.u64 %0, [%1];" : "=l"(value) : "r"(from));
            out = bits_of(value);
        } else {
            uint4 value;
            asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                         : "r"(from));
            out = bits_of(value);
        }
        return out;
    }
};

template <class T> struct shared_store {
    static __device__ uint32_t go(char *at, bool active)
    {
        if (!active) return 0;
        uint32_t to = address_in_shared(at), lane = threadIdx.x;
        if constexpr (sizeof(T) == 1)
            asm volatile("st.shared.u8 [%0], %1;" ::"r"(to), "r"(lane));
        else if constexpr (sizeof(T) == 4)
            asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(lane));
        else if constexpr (sizeof(T) == 8)
            asm volatile("st.shared.u64 [%0], %1;" ::"r"(to), "l"(static_cast<uint64_t>(lane)));
        else
            asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(to), "r"(lane));
        return 0;
    }
};

/* The tables of offsets come with the kernel's arguments, in constant memory. The loaded value is compared
 * with an impossible one, so that no compiler leaves the access out. */
template <class access>
__global__ void global_access(const __grid_constant__ patterns p, char *memory, uint32_t never)
{
    uint32_t lane = threadIdx.x, at = p.each[blockIdx.x].offset[lane];
    if (access::go(memory + at, p.each[blockIdx.x].mask >> lane & 1) == never) memory[lane] = 1;
}

template <class access, bool CLEARED>
__global__ void shared_access(const __grid_constant__ patterns p, char *memory, uint32_t never)
{
    extern __shared__ int4 shared[];
    uint32_t lane = threadIdx.x, at = p.each[blockIdx.x].offset[lane];
    for (uint32_t k = lane; CLEARED && k < SHARED_BYTES / sizeof *shared; k += WARP)
        shared[k] = {};
    __syncwarp();
    char *from = reinterpret_cast<char *>(shared) + at;
    if (access::go(from, p.each[blockIdx.x].mask >> lane & 1) == never) memory[lane] = 1;
}

/* The experiments */

typedef void kernel_function(const patterns, char *, uint32_t);

struct experiment {
    const char *section, *op; /* op: how the names of its counters end */
    const char *how;
    int size;
    bool shared, with_names;
    kernel_function *kernel;
};

static const experiment experiments[] = {
    {"load", "ld", "plain", 1, false, true, global_access<load<PLAIN, uint8_t>>},
    {"load", "ld", "plain", 2, false, true, global_access<load<PLAIN, uint16_t>>},
    {"load", "ld", "plain", 4, false, true, global_access<load<PLAIN, uint32_t>>},
    {"load", "ld", "plain", 8, false, true, global_access<load<PLAIN, uint64_t>>},
    {"load", "ld", "plain", 16, false, true, global_access<load<PLAIN, uint4>>},
    {"load-kinds", "ld", "predicated", 4, false, true, global_access<load<PREDICATED, uint32_t>>},
    {"load-kinds", "ld", "nc", 4, false, false, global_access<load<NC, uint32_t>>},
    {"load-kinds", "ld", "nc", 8, false, false, global_access<load<NC, uint64_t>>},
    {"load-kinds", "ld", "streaming", 4, false, false, global_access<load<STREAMING, uint32_t>>},
    {"load-kinds", "ld", "streaming", 16, false, false, global_access<load<STREAMING, uint4>>},
    {"load-kinds", "ld", "once", 2, false, false, global_access<load<ONCE, uint16_t>>},
    {"load-kinds", "ld", "once", 4, false, false, global_access<load<ONCE, uint32_t>>},
    {"load-kinds", "ld", "once", 8, false, false, global_access<load<ONCE, uint64_t>>},
    {"load-kinds", "ld", "once", 16, false, false, global_access<load<ONCE, uint4>>},
    {"load-kinds", "ld", "volatile", 4, false, false, global_access<load<VOLATILE, uint32_t>>},
    {"load-kinds", "ld", "volatile", 8, false, false, global_access<load<VOLATILE, uint64_t>>},
    {"load-kinds", "ld", "relaxed", 4, false, false, global_access<load<RELAXED, uint32_t>>},
    {"load-kinds", "ld", "relaxed", 8, false, false, global_access<load<RELAXED, uint64_t>>},
    {"store", "st", "plain", 1, false, false, global_access<store<PLAIN, uint8_t>>},
    {"store", "st", "plain", 2, false, false, global_access<store<PLAIN, uint16_t>>},
    {"store", "st", "plain", 4, false, true, global_access<store<PLAIN, uint32_t>>},
    {"store", "st", "plain", 8, false, true, global_access<store<PLAIN, uint64_t>>},
    {"store", "st", "plain", 16, false, true, global_access<store<PLAIN, uint4>>},
    {"store", "st", "streaming", 8, false, false, global_access<store<STREAMING, uint64_t>>},
    {"store", "st", "volatile", 8, false, false, global_access<store<VOLATILE, uint64_t>>},
    {"red", "red", "float", 4, false, true, global_access<reduce<float>>},
    {"red", "red", "double", 8, false, true, global_access<reduce<double>>},
    {"red", "red", "unsigned", 4, false, false, global_access<reduce<uint32_t>>},
    {"atom", "atom", "float", 4, false, true, global_access<atomic<float>>},
    {"atom", "atom", "double", 8, false, true, global_access<atomic<double>>},
    {"atom", "atom", "unsigned", 4, false, false, global_access<atomic<uint32_t>>},
    {"shared-load", "ld", "plain", 1, true, false, shared_access<shared_load<uint8_t>, false>},
    {"shared-load", "ld", "plain", 4, true, true, shared_access<shared_load<uint32_t>, false>},
    {"shared-load", "ld", "plain", 8, true, true, shared_access<shared_load<uint64_t>, false>},
    {"shared-load", "ld", "plain", 16, true, true, shared_access<shared_load<uint4>, false>},
    {"shared-store", "st", "plain", 1, true, false, shared_access<shared_store<uint8_t>, false>},
    {"shared-store", "st", "plain", 4, true, true, shared_access<shared_store<uint32_t>, false>},
    {"shared-store", "st", "plain", 8, true, true, shared_access<shared_store<uint64_t>, false>},
    {"shared-store", "st", "plain", 16, true, true, shared_access<shared_store<uint4>, false>},
    {"shared-atom", "atom", "float", 4, true, true, shared_access<reduce<float>, true>},
    {"shared-atom", "atom", "double", 8, true, true, shared_access<reduce<double>, true>},
    {"shared-atom", "atom", "unsigned", 4, true, false, shared_access<reduce<uint32_t>, true>},
};

static bool no_gpu()
{
    int count = 0;
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess && count > 0) return false;
    fprintf(stderr, "no GPU: %s\n", code == cudaSuccess ? "there is none" : cudaGetErrorString(code));
    return true;
}

static void expect(cudaError_t code, const char *what)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "gpu_rules: %s: %s\n", what, cudaGetErrorString(code));
    exit(1);
}

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static void predict(const experiment &e, const pattern &p, prediction *sum)
{
    bool loads = is(e.op, "ld"), adds = is(e.op, "red") || is(e.op, "atom");
    if (!e.shared)
        predict_global(p, adds, sum);
    else if (!adds)
        *(loads ? &sum->loads : &sum->others) += predict_shared(p, p.mask, e.size, loads);
    else if (!is(e.how, "unsigned"))
        predict_swaps(p, e.size, &sum->loads, &sum->others);
    else if (p.mask)
        sum->others += {lanes_of_a_bank(p, p.mask), lanes_of_a_bank(p, p.mask) - 1};
}

static void print_shared(const char *op, shared_count count)
{
    printf(" l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum %d", op, count.wavefronts);
    printf(" l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_%s.sum %d", op, count.conflicts);
}

static void print_counters(const experiment &e, const prediction &sum)
{
    if (e.shared) {
        if (is(e.op, "ld") || is(e.op, "atom")) print_shared("ld", sum.loads);
        if (!is(e.op, "ld")) print_shared(e.op, sum.others);
        return;
    }
    printf(" l1tex__t_requests_pipe_lsu_mem_global_op_%s.sum %d", e.op, sum.requests);
    printf(" l1tex__t_sectors_pipe_lsu_mem_global_op_%s.sum %d", e.op, sum.sectors);
    printf(" l1tex__t_set_accesses_pipe_lsu_mem_global_op_%s.sum %d", e.op, sum.lines);
}

struct bench {
    char *memory;
    bool each; /* a launch for each pattern */
    bool dry;  /* none: predictions only */
    const char *group;
    int launches;
};

static void launch(bench *b, const experiment &e, const char *name, const patterns &p)
{
    if (!p.count) return;
    if (!b->dry) {
        e.kernel<<<p.count, WARP, e.shared ? SHARED_BYTES : 0>>>(p, b->memory, 0x7e57ab1eu);
        expect(cudaGetLastError(), "launch");
    }
    prediction sum = {};
    for (int k = 0; k < p.count; k++)
        predict(e, p.each[k], &sum);
    printf("%d %s %s %d %s %d", b->launches++, e.section, e.how, e.size, name, p.count);
    print_counters(e, sum);
    if (b->each) {
        printf(" pattern %08x", p.each[0].mask);
        for (int lane = 0; lane < WARP; lane++)
            printf("%c%u", lane ? ',' : ' ', p.each[0].offset[lane]);
    }
    printf("\n");
}

/* A pattern more; those before it are launched first if they are of another group, or as many as there may
 * be. */
static void add(bench *b, const experiment &e, const char *name, patterns *p, const pattern &one)
{
    if (b->each || p->count == MAX || !is(b->group, name)) {
        launch(b, e, b->group, *p);
        p->count = 0;
        b->group = name;
    }
    p->each[p->count++] = one;
}

static void run(bench *b, const experiment &e)
{
    uint64_t state = static_cast<uint64_t>(e.size) * 1000003;
    patterns p = {};
    for (const named &n : nameds)
        if (e.with_names && fits(n, e.size)) add(b, e, b->each ? n.name : n.group, &p, make_named(n, e.size));
    for (const family &f : families)
        for (int d = 0; d < (b->each ? 1 : f.draws); d++)
            add(b, e, f.group, &p, make_random(f, e.size, e.shared ? SHARED_BYTES : GLOBAL_BYTES, &state));
    launch(b, e, b->group, p);
    if (!b->dry) expect(cudaDeviceSynchronize(), "the kernels");
}

static int list_sections()
{
    const char *last = "";
    for (const experiment &e : experiments) {
        if (!is(last, e.section)) puts(e.section);
        last = e.section;
    }
    return 0;
}

int main(int count, char **arguments)
{
    bench b = {nullptr, false, false, "", 0};
    const char *section = nullptr;
    for (int k = 1; k < count; k++)
        if (is(arguments[k], "-n"))
            b.dry = true;
        else if (is(arguments[k], "-g"))
            return no_gpu() ? 77 : 0;
        else if (is(arguments[k], "-e"))
            b.each = true;
        else
            section = arguments[k];
    if (!section) return list_sections();
    if (!b.dry) {
        if (no_gpu()) return 77;
        expect(cudaMalloc(&b.memory, GLOBAL_BYTES), "memory");
        expect(cudaMemset(b.memory, 0, GLOBAL_BYTES), "memory");
    }
    for (const experiment &e : experiments)
        if (is(e.section, section)) run(&b, e);
    if (!b.dry) cudaFree(b.memory);
    return b.launches ? 0 : 2;
}
