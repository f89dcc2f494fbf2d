/* Kernels that begin early: while the previous kernel in the queue still runs, they load data that no kernel
 * changes, the matrix, and only then wait ("Programmatic Dependent Launch", CUDA C++ Programming Guide).
 * enqueue_early (launch.cuh) enqueues such a kernel, which must obey three rules:
 *
 * - it calls let_next_begin at its start;
 * - every thread calls await_previous before it reads x or touches y or other data that a launch writes;
 * - x is read by loads that follow in the code, and never through the read-only cache (ld.global.nc, which
 *   the compiler uses for `const real *__restrict__`), since the previous kernel may still write x after this
 *   one has begun.
 *
 * Both do nothing before compute capability 9.0, and in a kernel that was not launched early. */
#ifndef SPARSIGHT_KERNELS_CUDA_EARLY_CUH
#define SPARSIGHT_KERNELS_CUDA_EARLY_CUH

#include <cstdint>

#include "kernels/cuda/pair.cuh"

__device__ __forceinline__ void let_next_begin()
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

__device__ __forceinline__ void await_previous()
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* The same, after loading a column (or another index below 2^32 - 2) by which x is read. ptxas moves
 * await_previous before loads that no branch separates from it. Here the wait has a condition that needs the
 * index and always holds, so the loads are requested before the thread waits. */
__device__ __forceinline__ void await_previous_then(uint32_t index)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %0, 0xfffffffe;\n\t@p griddepcontrol.wait;\n\t}"
                 :
                 : "r"(index)
                 : "memory");
#else
    static_cast<void>(index);
#endif
}

/* Load an element of x after await_previous. */
__device__ __forceinline__ double element_of(const double *from)
{
    double out;
    asm volatile("ld.global.f64 %0, [%1];" : "=d"(out) : "l"(from) : "memory");
    return out;
}

__device__ __forceinline__ float element_of(const float *from)
{
    float out;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(out) : "l"(from) : "memory");
    return out;
}

__device__ __forceinline__ pair<double> element_of(const pair<double> *from)
{
    pair<double> out;
    asm volatile("ld.global.v2.f64 {%0, %1}, [%2];"
                 : "=d"(out.real), "=d"(out.imaginary)
                 : "l"(from)
                 : "memory");
    return out;
}

__device__ __forceinline__ pair<float> element_of(const pair<float> *from)
{
    pair<float> out;
    asm volatile("ld.global.v2.f32 {%0, %1}, [%2];"
                 : "=f"(out.real), "=f"(out.imaginary)
                 : "l"(from)
                 : "memory");
    return out;
}

#endif
