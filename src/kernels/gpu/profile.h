/* A GPU's profile holds the facts needed to estimate kernels without the GPU: the warps of a multiprocessor,
 * the granularity of memory reads, and speeds. A profile is a text file of a few lines. The profiles of
 * data/gpus are compiled in, and users' profiles are searched for in a folder of the user.
 *
 * A profile need not state facts that follow from the compute capability: profile.c has a table of them. The
 * sources of that table are the CUDA C++ Programming Guide, appendix "Compute Capabilities" (version 13.0;
 * 8.0 for 2.x, 11.4 for 3.x), and, for the units of allocation, the sheet "GPU Data" of NVIDIA's
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

/* The name of the profile that is taken on a machine without a GPU if none was asked for. */
#define GPU_STANDARD "h200"

/* The constants of a GPU: its elementary costs in seconds and bytes/s. Each is measured on the GPU, or
 * derived from measured constants of others (gpu_pace_derive). Bandwidths are those of all multiprocessors
 * together. */
struct gpu_pace {
    bool measured;         /* all were, on a GPU like this one; else some are derived, */
    unsigned derived;      /* those of the profile's keys from `launch` on whose bits are set; ~0: all */
    char measured_on[160]; /* device, date and method of the measurement; "" if unknown */
    double launch;         /* a product with one launch that does next to nothing, timed as kernels are */
    double early;          /* the same if it begins while the one before it still runs; 0: not measured */
    double next;           /* each further launch of the same product */
    double l1_latency;     /* a load that L1 has, if it has to wait for the load before */
    double l2_latency;     /* one that L2 has */
    double memory_latency; /* one that is in the GPU's memory */
    double shared_latency; /* one of shared memory */
    double l1;             /* bandwidth of sectors in L1, for loads whose lanes are scattered */
    double l2;             /* bandwidth of sectors that L1 does not have, but L2 has */
    double read, write;    /* bandwidths of the GPU's memory */
    double reductions;     /* bandwidth of sectors that are added to by reductions, each once */
    double meeting;        /* an addition to a line of 128 bytes that other additions meet in */
};

/* A GPU. All sizes are in bytes. */
struct gpu {
    char name[32];    /* the name that --gpu takes: "h200"; empty if there is no GPU */
    char title[128];  /* the vendor's name: "NVIDIA H200 SXM" */
    char source[256]; /* where the numbers were found */
    int major, minor; /* the compute capability is major.minor */
    int multiprocessors;
    int warps, blocks, registers; /* maxima of a multiprocessor at a time; registers of 32 bits */
    int register_unit;            /* allocation unit of a warp's registers */
    int thread_registers;         /* maximum registers of a thread */
    int warp_unit;                /* the number of warps that the registers suffice for is a multiple of this:
                                     each of a multiprocessor's schedulers has its own registers */
    size_t shared;                /* shared memory of a multiprocessor */
    size_t shared_block;          /* a block can ask for at most so much shared memory */
    size_t shared_reserved;       /* the system takes so much shared memory of its own for each block */
    size_t shared_unit;           /* a block is given a multiple of so much shared memory */
    size_t l1;            /* L1 of a multiprocessor that global loads go through; with the shared memory
                             if both divide one store */
    int l1_shared;        /* 1 if they do, else 0 */
    int partitions;       /* number of partitions of L2; multiprocessors read through the one at their side */
    size_t cache, memory; /* the size of L2 and of the whole memory */
    double bandwidth;     /* the memory's bytes/s, as the vendor states it */
    double peak_f64, peak_f32; /* operations a second in double and in single precision, as the vendor states
                                  them, without tensor cores; 0 if nobody says them */
    struct gpu_pace pace;
    int granule; /* granularity of loads in bytes: 32, a sector; or 128, a line, which L1 fetches whole in
                    compute capability 2.x */
};

/* Read the profile text[0..length-1]: lines of "key = value"; # begins a comment. Messages name the file
 * `path`, and its last component without ".gpu" becomes the GPU's name. A constant is measured if the profile
 * gives a number, and derived if it says "derived"; all are derived if it says nothing of any. Fails with
 * STATUS_INPUT, line and column if a key is unknown (the message names the most similar key), if a value is
 * malformed or out of range, if a key is given twice, if keys are missing, or if it says something of some
 * constants and nothing of others. */
enum status gpu_read(const char *text, size_t length, const char *path, struct gpu *gpu, struct error *error);

/* The same, but constants that are derived are 0. */
enum status gpu_read_measured(const char *text, size_t length, const char *path, struct gpu *gpu,
                              struct error *error);

/* Append the profile of a GPU, with every key, in the form that gpu_read takes. A constant that is derived is
 * written so, with its value in a comment, so that no copy takes it for measured. */
void gpu_describe(const struct gpu *gpu, struct text *text);

/* The name of the GPU for forecasts: its title, and " (constants derived)" if some are. */
#define GPU_LABEL 160
char *gpu_label(const struct gpu *gpu, char out[static GPU_LABEL]);

/* Read the profile that `name` names. A name with a slash or with the ending ".gpu" is a file's path. Any
 * other name is compared, without regard to case, blanks, - and _, with the names of the profiles in the
 * user's directory ($XDG_CONFIG_HOME/sparsight/gpus, by default ~/.config/sparsight/gpus), of those that were
 * measured ($XDG_CACHE_HOME, ~/.cache), and of those that are compiled in: the first that has it counts.
 * Fails with STATUS_USAGE if no profile has the name (the message lists the names), with STATUS_IO if a file
 * cannot be read, and as gpu_read does. */
enum status gpu_find(const char *name, struct gpu *gpu, struct error *error);

/* Fill in *gpu for the GPU with this number if this machine has it (see device_open), else from the standard
 * profile, of which the user's own is taken if it can be read. This asks the driver, which may take some
 * tenths of a second. */
void gpu_default(int device, struct gpu *gpu);

/* Make the profile of the GPU that a driver describes. If its compute capability is not in the table, it is
 * taken to be like the nearest lower one that is. Its pace is that of gpu_pace_find. */
void gpu_of_device(const struct device_facts *facts, struct gpu *gpu);

/* Fill in the facts that a driver would report on the GPU of this profile, except the versions of CUDA, which
 * become 0. */
void gpu_facts(const struct gpu *gpu, struct device_facts *facts);

/* Fill in the members that follow from gpu->major and minor. If the table lacks this compute capability, it
 * returns false and uses the nearest lower one, or the lowest if none is lower. */
bool gpu_limits(struct gpu *gpu);

/* Multiplications with additions that the GPU does each second, in values of 4 or 8 bytes: those of each
 * clock and multiprocessor by its compute capability (CUDA C++ Programming Guide, "Throughput of Native
 * Arithmetic Instructions"), at 1.5 GHz, which all GPUs reach about. */
double gpu_arithmetic(const struct gpu *gpu, int value_bytes);

/* Fill in gpu->pace from the profiles of data/gpus whose constants were measured, by one rule: each of them
 * predicts the constants of this GPU as if it were like that one. Latencies, launches and conflicting
 * additions take the same time; bandwidths of caches and of reductions grow with the number of
 * multiprocessors, and those of memory are the same share of the vendor's bandwidth. For each constant the
 * slowest prediction counts. So no derived constant is better than that of a measured GPU with equally many
 * multiprocessors and equal bandwidth; nor is the launch time, which depends on the driver and the host too,
 * shorter than on the slowest measured host. */
void gpu_pace_derive(struct gpu *gpu);

/* Fill in gpu->pace from a profile of the same GPU that has it measured: one of the user's, else one that was
 * measured on this machine, else one that is compiled in. A profile is of the same GPU if its name is that of
 * gpu, or the beginning of that up to a -, and if compute capability, multiprocessors and, to 5%, bandwidth
 * are equal. Without any, the pace is derived. */
void gpu_pace_find(struct gpu *gpu);

/* Save the profile, replacing an earlier one of its name, in $XDG_CACHE_HOME/sparsight/gpus or
 * ~/.cache/sparsight/gpus, where gpu_find and gpu_pace_find find it. The folders are made, but not the home.
 * The path is appended to *path. Fails with STATUS_IO and STATUS_MEMORY, and the file is then unchanged. */
enum status gpu_keep(const struct gpu *gpu, struct text *path, struct error *error);

/* Where a profile is from: of two with the same name that with the lower source counts. */
enum gpu_source {
    GPU_YOURS,  /* a file of the user's */
    GPU_CACHED, /* measured on this machine, or one that shares the user's home (gpu_keep) */
    GPU_SHIPPED /* compiled in */
};

/* A profile that can be chosen by its name. */
struct gpu_entry {
    char name[32];
    char *path;       /* the file; NULL if the profile is compiled in */
    const char *text; /* the profile itself if it is compiled in; else NULL */
    enum gpu_source source;
};

/* All profiles that can be chosen: the compiled-in ones, then the files' in the order of their names. A file
 * takes the place of a profile with its name that counts less. Start with {0}; free with gpu_list_free. */
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

/* The files of data/gpus, which texts.awk makes into this table during the build; the last entry has a
 * NULL name. */
struct gpu_file {
    const char *name, *text;
};
extern const struct gpu_file gpu_files[];

#endif
