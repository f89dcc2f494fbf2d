/* Loops that gain from wide registers: they are compiled for several instruction sets, and the best variant
 * is chosen at run time. */
#ifndef SPARSIGHT_BASE_WIDE_H
#define SPARSIGHT_BASE_WIDE_H

/* Put this before a function with such loops. The sanitizers are not initialised yet when the choice is
 * made. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__ && \
    !defined __SANITIZE_THREAD__
#    define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#    define WIDE
#endif

#endif
