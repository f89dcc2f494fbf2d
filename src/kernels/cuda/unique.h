/* Values as indices: where a matrix has few values that differ, each entry's value is told by a byte, which
 * one of them it is (Kourtis, Goumas and Koziris, "Optimizing sparse matrix-vector multiplication using index
 * and value compression", Computing Frontiers 2008: CSR-VI). Adjacency matrices, stencils and many linear
 * programs are such. C and C++ both include this. */
#ifndef SPARSIGHT_KERNELS_CUDA_UNIQUE_H
#define SPARSIGHT_KERNELS_CUDA_UNIQUE_H

#include <stdint.h>

#include "base/error.h"
#include "formats/format.h"
#include "kernels/kernel.h"

#define UNIQUE_MAX 256 /* a byte tells so many values apart */

/* The values that differ, on the host as they are found, or in the memory of a device. */
struct unique {
    int count;   /* how many there are; 0: more than UNIQUE_MAX, or nobody asked */
    void *value; /* these, ascending by their bits taken as an unsigned number, of the values' own type; NULL
                    if there are none */
    uint8_t *index; /* element e is which of them element e of the values is; NULL if there are none */
};

/* Find the values of a storage's value array that differ: by their bits, so that -0 and 0, and NaNs of
 * different bits, stay what they are. If there are more than UNIQUE_MAX, or the array has no data or no
 * elements, or the storage is complex, *unique becomes {0}, after a look at few elements mostly. Returns
 * STATUS_MEMORY, or STATUS_LIMIT if the bytes of `index` are more than `limit` (0 stands for what
 * memory_check allows by itself); nothing is left behind then. Parallel, O(elements). */
enum status unique_make(const struct storage *storage, const struct array *values, size_t limit,
                        struct unique *unique, struct error *error);

void unique_free(struct unique *unique); /* takes {0} */

/* Kernels have a parameter `values` for this, a word. */
enum { UNIQUE_BYTE, UNIQUE_FULL };
extern const char *const unique_words[];
#define UNIQUE_HELP \
    "bits of a value: 8 tell which one it is of those that differ, of which there are up to 256 then"
#define UNIQUE_RULE "8 if so few differ and they take 8 MiB or more"

/* Find the values that differ of a launch, as its parameter k says: left to the kernel, if that may pay. The
 * parameter becomes what was chosen. Fails as unique_make does, and with STATUS_UNAVAILABLE if a byte is
 * asked for and cannot tell them apart. */
enum status unique_choose(struct launch *launch, int k, const struct array *values, struct unique *unique,
                          struct error *error);

/* Copy them, and `count` indices, to the launch's device: *there becomes {0} if there are none. On failure,
 * what was copied is in *there, and the reason in *reason, unless there is one already: then nothing is done.
 */
void unique_place(const struct launch *launch, const struct unique *unique, size_t count,
                  struct unique *there, struct error *reason);
void unique_release(const struct launch *launch, struct unique *there);

#endif
