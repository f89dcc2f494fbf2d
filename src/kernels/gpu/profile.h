/* A GPU's profile holds the facts needed to estimate kernels without the GPU: the warps of a multiprocessor,
 * the granularity of memory reads, and speeds. A profile is a text file of a few lines. The profiles of
 * data/gpus are compiled in, and users' profiles are searched for in a folder of the user.
 *
 * A profile may omit facts determined by the compute capability: profile.c has a table of them. The sources
 * of that table are the CUDA C++ Programming Guide, appendix "Compute Capabilities" (version 13.0; 8.0 for
 * 2.x, 11.4 for 3.x), and, for the units of allocation, the sheet "GPU Data" of NVIDIA's
 * CUDA_Occupancy_Calculator.xls. */
#ifndef SPARSIGHT_KERNELS_GPU_PROFILE_H
#define SPARSIGHT_KERNELS_GPU_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

struct device_facts;

#define GPU_WARP 32            /* threads of a warp; all GPUs so far have 32 */
#define GPU_BLOCK_THREADS 1024 /* maximum threads of a block, from compute capability 2.0 on */

/* The name of the default profile on a machine without a GPU. */
#define GPU_STANDARD "h200"

/* The constants of a GPU: its elementary costs in seconds and bytes/s. Each is measured on the GPU, or
 * derived from measured constants of others (gpu_pace_derive). Bandwidths are those of all multiprocessors
 * together. */
struct gpu_pace {
    bool measured;         /* all were measured on a GPU like this one; else some are derived, */
    unsigned derived;      /* bit k: the k-th of the profile's keys from `launch` on is derived; ~0: all */
    char measured_on[160]; /* device, date and method of the measurement; "" if unknown */
    double launch;         /* a product with one nearly empty launch, timed like kernels */
    double early;          /* the same if it begins while the previous one still runs; 0: not measured */
    double next;           /* each further launch of the same product */
    double l1_latency;     /* a load that hits L1, if it waits for the previous load */
    double l2_latency;     /* a load that hits L2 */
    double memory_latency; /* the same for a load from the GPU's memory */
    double shared_latency; /* a load from shared memory */
    double l1;             /* bandwidth of sectors in L1, for loads whose lanes are scattered */
    double l2;             /* bandwidth of sectors that miss L1 and hit L2 */
    double read, write;    /* bandwidths of the GPU's memory */
    double reductions;     /* bandwidth of sectors with reductions, each sector once */
    double meeting;        /* an addition to a 128-byte line with conflicting additions */
};

/* A GPU. All sizes are in bytes. */
struct gpu {
    char name[32];    /* the name that --gpu takes: "h200"; empty if there is no GPU */
    char title[128];  /* the vendor's name: "NVIDIA H200 SXM" */
    char source[256]; /* the source of the numbers */
    int major, minor; /* the compute capability is major.minor */
    int multiprocessors;
    int warps, blocks, registers; /* maxima of a multiprocessor at a time; registers of 32 bits */
    int register_unit;            /* allocation unit of a warp's registers */
    int thread_registers;         /* maximum registers of a thread */
    int warp_unit; /* the number of warps admitted by registers is a multiple of this, since each scheduler of
                      a multiprocessor has its own registers */
    size_t shared; /* shared memory of a multiprocessor */
    size_t shared_block;    /* maximum shared memory that a block can request */
    size_t shared_reserved; /* shared memory that the system uses for each block */
    size_t shared_unit;     /* granularity of a block's shared memory */
    size_t l1;      /* L1 of a multiprocessor for global loads, including the shared memory if both divide one
                       store */
    int l1_shared;  /* 1 if they do, else 0 */
    int partitions; /* number of partitions of L2; a multiprocessor reads through the nearest one */
    size_t cache, memory;      /* the size of L2 and of the whole memory */
    double bandwidth;          /* the memory's bytes/s, as the vendor states it */
    double peak_f64, peak_f32; /* operations/s in double and in single precision stated by the vendor, without
                                  tensor cores; 0 if unknown */
    struct gpu_pace pace;
    int granule; /* granularity of loads in bytes: 32, a sector; or 128, a line, which L1 fetches whole in
                    compute capability 2.x */
};

/* Read the profile text[0..length-1]: lines of "key = value"; # begins a comment. Messages name the file
 * `path`, and its last component without ".gpu" becomes the GPU's name. A constant is measured if the profile
 * gives a number, and derived if it says "derived". If the profile has no constants, all are derived. Fails
 * with STATUS_INPUT, line and column if a key is unknown (the message names the most similar key), if a value
 * is malformed or out of range, if a key is given twice, if keys are missing, or if only some of the
 * constants are present. */
enum status gpu_read(const char *text, size_t length, const char *path, struct gpu *gpu, struct error *error);

/* The same, but constants that are derived are 0. */
enum status gpu_read_measured(const char *text, size_t length, const char *path, struct gpu *gpu,
                              struct error *error);

/* Append the profile of a GPU, with every key, in the form that gpu_read reads. A derived constant is written
 * as "derived", with its value in a comment, so that a copy does not count as measured. */
void gpu_describe(const struct gpu *gpu, struct text *text);

/* The name of the GPU for forecasts: its title, and " (constants derived)" if some are. */
#define GPU_LABEL 160
char *gpu_label(const struct gpu *gpu, char out[static GPU_LABEL]);

/* Read the profile that `name` names. A name with a slash or with the ending ".gpu" is a file's path. Any
 * other name is compared, without regard to case, blanks, - and _, with the names of the profiles in the
 * user's directory ($XDG_CONFIG_HOME/sparsight/gpus, by default ~/.config/sparsight/gpus), of measured ones
 * ($XDG_CACHE_HOME, ~/.cache), and of compiled-in ones: the first match counts. Fails with STATUS_USAGE if no
 * profile has the name (the message lists the names), with STATUS_IO if a file cannot be read, and as
 * gpu_read does. */
enum status gpu_find(const char *name, struct gpu *gpu, struct error *error);

/* Fill in *gpu for the GPU with this number if this machine has it (see device_open), else from the default
 * profile; a readable user's file of its name takes precedence. Calling the driver may take some tenths of a
 * second. */
void gpu_default(int device, struct gpu *gpu);

/* Make the profile of the GPU that a driver describes. If its compute capability is not in the table, that of
 * the nearest lower one is used. Its pace is that of gpu_pace_find. */
void gpu_of_device(const struct device_facts *facts, struct gpu *gpu);

/* Fill in the facts that a driver would report for the GPU of this profile; the versions of CUDA become 0. */
void gpu_facts(const struct gpu *gpu, struct device_facts *facts);

/* Fill in the members determined by gpu->major and minor. If the table lacks this compute capability, it
 * returns false and uses the nearest lower one, or the lowest if none is lower. */
bool gpu_limits(struct gpu *gpu);

/* Fused multiply-adds per second, for values of 4 or 8 bytes: the number per clock and multiprocessor by its
 * compute capability (CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions"), at 1.5
 * GHz, about the clock of all GPUs. */
double gpu_arithmetic(const struct gpu *gpu, int value_bytes);

/* Fill in gpu->pace from the profiles of data/gpus whose constants were measured, by one rule: each of them
 * predicts the constants of this GPU. Latencies, launches and conflicting additions take the same time;
 * bandwidths of caches and of reductions grow with the number of multiprocessors, and those of memory are the
 * same share of the vendor's bandwidth. For each constant the slowest prediction counts. So no derived
 * constant is better than that of a measured GPU with the same number of multiprocessors and the same
 * bandwidth. The launch time also depends on the driver and the host, and is not shorter than on the slowest
 * measured host. */
void gpu_pace_derive(struct gpu *gpu);

/* Fill in gpu->pace from a profile of the same GPU with measured constants: one of the user's, else one
 * measured on this machine, else a compiled-in one. A profile is of the same GPU if its name is that of gpu,
 * or its beginning up to a -, and if compute capability, multiprocessors and, to 5%, bandwidth are equal.
 * Without any, the pace is derived. */
void gpu_pace_find(struct gpu *gpu);

/* Save the profile, replacing an earlier one of its name, in $XDG_CACHE_HOME/sparsight/gpus or
 * ~/.cache/sparsight/gpus, where gpu_find and gpu_pace_find find it. Missing folders are made, except the
 * home. The path is appended to *path. Fails with STATUS_IO and STATUS_MEMORY, and the file is then
 * unchanged. */
enum status gpu_keep(const struct gpu *gpu, struct text *path, struct error *error);

/* The origin of a profile. Of two with the same name, the one with the lower source counts. */
enum gpu_source {
    GPU_YOURS,  /* a file of the user's */
    GPU_CACHED, /* measured on this machine, or on another with the same home directory (gpu_keep) */
    GPU_SHIPPED /* compiled in */
};

/* A profile that can be selected by its name. */
struct gpu_entry {
    char name[32];
    char *path;       /* the file; NULL if the profile is compiled in */
    const char *text; /* the profile itself if it is compiled in; else NULL */
    enum gpu_source source;
};

/* All selectable profiles: the compiled-in ones, then files by name. A file replaces a profile of its name
 * from a higher source. Start with {0}; free with gpu_list_free. */
struct gpu_list {
    struct gpu_entry *items;
    int count;
};

/* Make the list. Fails with STATUS_IO if a directory of profiles exists but cannot be read, and with
 * STATUS_MEMORY. */
enum status gpu_list(struct gpu_list *list, struct error *error);
void gpu_list_free(struct gpu_list *list);

/* Read the profile of an entry. Fails as gpu_read does, and with STATUS_IO if its file cannot be read. */
enum status gpu_load(const struct gpu_entry *entry, struct gpu *gpu, struct error *error);

/* The files of data/gpus, made into this table by texts.awk during the build; the last entry has a NULL
 * name. */
struct gpu_file {
    const char *name, *text;
};
extern const struct gpu_file gpu_files[];

#endif
