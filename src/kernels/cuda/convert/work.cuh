/* The state of a conversion on the device: its scratch memory, launches of kernels, and steps shared by
 * conversions. */
#ifndef SPARSIGHT_KERNELS_CUDA_CONVERT_WORK_CUH
#define SPARSIGHT_KERNELS_CUDA_CONVERT_WORK_CUH

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cuda/convert/convert.h"
#include "kernels/cuda/told_values.h"
}

/* Maximum number of numbers that a conversion computes on the device and reads back. */
#define WORK_NUMBERS 8

/* A conversion under way. The function that makes one is called twice: with `scratch` NULL it only requests
 * its scratch memory, which is counted; then it does the work. */
struct work {
    cuda_context *context;
    const struct storage *csr; /* the matrix, whose arrays are on the device */
    struct storage *
        to; /* the output: planned, its arrays allocated on the device; NULL if a table of a kernel is made */
    const struct launch *launch; /* the kernel whose table is made; NULL if a format is converted to */
    char *scratch;               /* on the device */
    size_t taken;                /* bytes of it */
    int64_t *numbers;            /* WORK_NUMBERS in the host's memory, which the device writes */
    cudaError_t code;            /* the first error, and the operation that failed */
    const char *failed;
    bool differs; /* not an error of CUDA, but the sizes found differ from the planned ones */
};

/* Take memory for `count` elements, aligned to 256 bytes. During counting the result is NULL. */
template <class T> inline T *take(work *w, int64_t count)
{
    char *here = w->scratch ? w->scratch + w->taken : nullptr;
    w->taken += (static_cast<size_t>(count) * sizeof(T) + 255) / 256 * 256;
    return reinterpret_cast<T *>(here);
}

inline void note(work *w, const char *what, cudaError_t code)
{
    if (code == cudaSuccess || w->code != cudaSuccess) return;
    w->code = code;
    w->failed = what;
}

#define WORK_BLOCK 256 /* default threads of a block in kernels of conversions */

/* Enqueue a kernel with this number of blocks, unless that is 0 or after a failure. */
template <class... Parameters, class... Arguments>
inline void put_blocks(work *w, const char *name, int64_t blocks, int threads, void (*kernel)(Parameters...),
                       Arguments... arguments)
{
    if (blocks <= 0 || w->code != cudaSuccess) return;
    kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, w->context->stream>>>(
        static_cast<Parameters>(arguments)...);
    note(w, name, cudaPeekAtLastError());
}

/* Do the same with a thread for each of `count`. */
template <class... Parameters, class... Arguments>
inline void put_threads(work *w, const char *name, int64_t count, void (*kernel)(Parameters...),
                        Arguments... arguments)
{
    put_blocks(w, name, (count + WORK_BLOCK - 1) / WORK_BLOCK, WORK_BLOCK, kernel, arguments...);
}

template <class T> inline void put_zeros(work *w, T *data, int64_t count)
{
    if (count <= 0 || w->code != cudaSuccess) return;
    note(w, "clearing memory",
         cudaMemsetAsync(data, 0, static_cast<size_t>(count) * sizeof(T), w->context->stream));
}

/* Copy `count` elements within the device. */
template <class T> inline void put_copy(work *w, T *to, const T *from, int64_t count)
{
    if (count <= 0 || w->code != cudaSuccess) return;
    note(w, "copying on the GPU",
         cudaMemcpyAsync(to, from, static_cast<size_t>(count) * sizeof(T), cudaMemcpyDeviceToDevice,
                         w->context->stream));
}

/* Enqueue reading number k from the device; read_numbers waits for all of them. */
inline void put_number(work *w, int k, const int64_t *from)
{
    if (w->code != cudaSuccess) return;
    note(w, "reading a number from the GPU",
         cudaMemcpyAsync(&w->numbers[k], from, sizeof *from, cudaMemcpyDeviceToHost, w->context->stream));
}

inline bool read_numbers(work *w)
{
    if (w->code == cudaSuccess) note(w, "converting on the GPU", cudaStreamSynchronize(w->context->stream));
    return w->code == cudaSuccess;
}

/* Array q of the matrix, and of the output. */
template <class T> inline const T *csr_array(const work *w, int q)
{
    return static_cast<const T *>(w->csr->array[q].data);
}

template <class T> inline T *to_array(const work *w, int q)
{
    return static_cast<T *>(w->to->array[q].data);
}

/* Call f(offset) with a zero of the type of a storage's offsets. */
template <class Function> inline void by_offset(const struct storage *storage, Function f)
{
    if (storage->wide)
        f(int64_t{});
    else
        f(int32_t{});
}

/* Call f(word) with a zero of a type of the size of a value: values are only moved, so that real and complex
 * ones are treated alike. */
template <class Function> inline void by_word(const struct storage *storage, Function f)
{
    switch (element_size(storage_values(storage, 0)->element)) {
    case 4:
        f(uint32_t{});
        break;
    case 8:
        f(uint2{});
        break;
    default:
        f(uint4{});
    }
}

/* The steps that conversions share are in steps.cu. */

/* Enqueue: replace data[e] by the sum of data[0] .. data[e - 1], e = 0 .. count-1. Scratch memory is
 * taken. */
struct scan {
    char *memory; /* `bytes` bytes of scratch memory for CUB */
    size_t bytes;
};
scan take_scan(work *w, int64_t count);
void put_scan(work *w, const scan &scan, int64_t *data, int64_t count);

/* The rows in the order of their lengths, longest first, within windows of `window` rows; rows of equal
 * length stay in order: CUB's radix sort. Returns the array, which is part of the
 * scratch memory. */
struct sorting {
    uint64_t *key[2];
    int32_t *row[2];
    char *memory; /* `bytes` bytes of scratch memory for CUB */
    size_t bytes;
};
sorting take_sorting(work *w);
const int32_t *put_sorting(work *w, const sorting &sorting, int64_t window);

/* The number of rows of each length. */
struct heights {
    int64_t *counts; /* counts[length] rows have this length, length = 0 .. longest */
    int64_t *below;  /* below[length] rows are shorter, length = 0 .. longest + 1 */
    int64_t *kept;   /* kept[d] = sum over rows of min(length, d), d = 0 .. longest: the number of entries in
                        the first d positions of all rows */
    struct scan scan;
};
heights take_heights(work *w);
/* Rows longer than `max` are ignored. */
void put_heights(work *w, const heights &heights, int64_t max);

inline int64_t longest_of(const work *w)
{
    return w->csr->number[CSR_LONGEST];
}

/* Write offsets data[e] * times, e = 0 .. count-1, as array q of the output. */
void put_offsets(work *w, int q, const int64_t *data, int64_t times, int64_t count);

/* The device's numbers must equal the planned ones. */
inline void expect(work *w, int64_t found, int64_t planned)
{
    if (found == planned || w->code != cudaSuccess) return;
    w->differs = true;
    note(w, "the GPU finds other sizes than those that the host has planned", cudaErrorUnknown);
}

/* The distinct values, for kernels with values by bytes (told_values.h). */
struct unique_work {
    unsigned long long *key, *found;
    uint8_t *index;
};
unique_work take_unique(work *w);

/* The input of the search, and the destination of the result. */
struct unique_values {
    const void *val;            /* real values, on the device */
    int64_t count, room;        /* number of values, and of indices; indices without a value are 0 */
    bool tiled;                 /* the indices are in the order of csr_tile_place; K is a multiple of 8 */
    const struct unique *there; /* on the device; its count is 0 before a search, and then nothing is done */
    int number;                 /* index of the number read back, the number of distinct values */
};
void put_unique(work *w, const unique_work &u, const struct unique_values &v);

/* The tables of kernels. */
void table_csr_balanced(work *w);
void table_ell_bounded(work *w);
void table_hyb_fused(work *w);
void table_jds(work *w);
void table_sell(work *w);

#endif
