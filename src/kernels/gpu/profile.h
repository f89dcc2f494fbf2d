/* What must be known of a GPU to say on paper what a kernel does on it: how many warps it holds, in what
 * pieces it reads memory, and how fast. A profile is a text file of a few lines; those of data/gpus are
 * compiled in, and a user's own are looked for in a directory of theirs.
 *
 * What follows from the compute capability need not be said in a profile: it is in a table here. Sources:
 * CUDA C++ Programming Guide, appendix "Compute Capabilities" (version 13.0; 8.0 for 2.x, 11.4 for 3.x), and
 * the sheet "GPU Data" of NVIDIA's CUDA_Occupancy_Calculator.xls for the units of allocation. */
#ifndef SPARSIGHT_KERNELS_GPU_PROFILE_H
#define SPARSIGHT_KERNELS_GPU_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

struct device_facts;

#define GPU_WARP 32            /* threads of a warp, on all of them */
#define GPU_BLOCK_THREADS 1024 /* most threads of a block, from compute capability 2.0 on */

/* The profile that stands in where there is no GPU and none was asked for. */
#define GPU_STANDARD "h200"

/* A GPU. All sizes in bytes. */
struct gpu {
    char name[32];   /* as --gpu takes it: "h200"; empty: none */
    char title[128]; /* "NVIDIA H200 SXM" */
    char source[256];
    int major, minor; /* compute capability */
    int multiprocessors;
    int warps, blocks, registers; /* most that a multiprocessor holds at a time; registers of 32 bits */
    int register_unit;            /* a warp's registers are a multiple of this */
    int thread_registers;         /* most of a thread */
    int warp_unit;                /* warps with registers come in this number: parts of a multiprocessor */
    size_t shared, shared_block;  /* shared memory of a multiprocessor; most of a block, if it asks for it */
    size_t shared_reserved;       /* of each block, by the system */
    size_t shared_unit;           /* a block's shared memory is a multiple of this */
    size_t cache, memory;         /* L2; in all */
    double bandwidth;             /* of memory, bytes/s that the vendor states */
    int granule;                  /* bytes in which a load fetches: 32, or 128 where L1 fetches lines */
};

/* Read the profile text[0..length-1]: lines of "key = value", # begins a comment. `path` is for messages, and
 * its last part without ".gpu" becomes the name. STATUS_INPUT with line and column: a key that there is not
 * (with the nearest), a value that is none or out of range, a key twice, or keys that are missing. */
enum status gpu_read(const char *text, size_t length, const char *path, struct gpu *gpu, struct error *error);

/* Append the profile of a GPU as gpu_read takes it, with every key. */
void gpu_describe(const struct gpu *gpu, struct text *text);

/* The GPU that `name` means: a file's path if it has a slash or ends in ".gpu"; else, without regard to case,
 * blanks, - and _, one of the user's directory ($XDG_CONFIG_HOME/sparsight/gpus, by default
 * ~/.config/sparsight/gpus), or of those compiled in. STATUS_USAGE for an unknown name, with those there are;
 * STATUS_IO if a file cannot be read; errors of gpu_read. */
enum status gpu_find(const char *name, struct gpu *gpu, struct error *error);

/* The GPU of this number if this machine has it (see device_open), else the standard one. Asks the driver,
 * which may take some tenths of a second. */
void gpu_default(int device, struct gpu *gpu);

/* The GPU that a driver describes. Of an unknown compute capability it is taken to be like the nearest below.
 */
void gpu_of_device(const struct device_facts *facts, struct gpu *gpu);

/* What a driver would say of such a GPU; no versions of CUDA. */
void gpu_facts(const struct gpu *gpu, struct device_facts *facts);

/* Fill in what follows from gpu->major and minor. Returns false, and takes the nearest compute capability
 * below, or the least, if there is no entry. */
bool gpu_limits(struct gpu *gpu);

/* A profile that there is. */
struct gpu_entry {
    char name[32];
    char *path;       /* of the user's file; NULL if it is compiled in */
    const char *text; /* of one that is compiled in */
};

/* The profiles there are: those compiled in, then the user's, by name. A user's stands in the place of one
 * compiled in that has its name. Start with {0}; free with gpu_list_free. */
struct gpu_list {
    struct gpu_entry *items;
    int count;
};

/* STATUS_IO if the user's directory is there but cannot be read; STATUS_MEMORY. */
enum status gpu_list(struct gpu_list *list, struct error *error);
void gpu_list_free(struct gpu_list *list);

/* The profile of an entry. Errors: those of gpu_read, STATUS_IO. */
enum status gpu_load(const struct gpu_entry *entry, struct gpu *gpu, struct error *error);

/* A file of data/gpus, compiled in; the last one has a NULL name. Made by profiles.awk while building. */
struct gpu_file {
    const char *name, *text;
};
extern const struct gpu_file gpu_files[];

#endif
