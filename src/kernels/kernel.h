/* SpMV kernels: the descriptor of a kernel, and a kernel that is prepared for one stored matrix.
 *
 * A kernel computes a product (kernels/product.h) with a matrix in its format. `prepare` makes all data
 * beside the arrays of the storage, such as the rows of each thread or room for partial sums. `run` is then
 * only the product, and can be timed. Device code includes this header too. */
#ifndef SPARSIGHT_KERNELS_KERNEL_H
#define SPARSIGHT_KERNELS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/parameters.h"
#include "base/text.h"
#include "formats/format.h"
#include "kernels/backend.h"
#include "kernels/choice.h"
#include "kernels/product.h"

/* The traffic of a product: how many bytes of the matrix a kernel reads, and how many elements of x and y it
 * loads and stores. C and C++ include this header. */

struct launch;
struct storage;

/* The traffic of one product.
 *
 * Each array of the matrix counts once, even if a kernel loads some of it again. x counts as often as it is
 * loaded, since the matrix determines which of its elements a cache still holds. y counts as often as it is
 * loaded and stored if a kernel scatters into all of it (y[i] += a x with rows i in no order); if a kernel
 * processes y row by row, each element counts once, even if the kernel adds one entry at a time to it.
 *
 * If atomic operations add to y, y_loads and y_stores count each element once: memory sees it at least once.
 * The kernel's trace counts the atomic operations themselves, as reductions and atomics. */
struct traffic {
    size_t array_bytes;  /* bytes read from the storage's arrays, or from their substitutes */
    size_t passed_bytes; /* bytes of these arrays that the kernel skips, such as padding: memory may load them
                            along with their neighbours */
    size_t own_bytes;    /* bytes read from additional arrays of prepare */
    int64_t x_loads;     /* elements of x that are loaded, also for padding */
    int64_t y_loads;     /* elements of y that are loaded, */
    int64_t y_stores;    /* and stored */
    /* The seconds that the last product spent on copying vectors between the host's memory and the device's;
     * they are part of its time. NaN if it copied none, or if unknown. */
    double transfer_seconds;
};

/* Note that this number of slots of part 0 is skipped in the arrays of these roles, bit 1 << role for
 * each. */
void traffic_pass(const struct storage *storage, int64_t slots, unsigned roles, struct traffic *traffic);

/* The traffic of a prepared kernel's product. Unless the kernel has its own function `traffic`, a product
 * reads all bytes of the storage and no others, loads an element of x for each slot, and stores each element
 * of y; if it accumulates, it also loads each element of y.
 *
 * The kernel's own function counts loads and stores of a single vector of X and Y, which here are multiplied
 * by their number; the bytes it counts are those of the whole product. */
struct traffic kernel_traffic(const struct launch *launch);

/* The bytes that a product moves, if an element of a vector has s bytes, as Koza et al. count them (equation
 * 6.1), for X and Y of this number of columns:
 *
 *     beta-plus  = array_bytes + own_bytes + s columns (n + m)
 *     beta-minus = array_bytes + own_bytes + s (x_loads + y_loads + y_stores)
 *
 * beta-plus is the traffic if the caches hold x and y perfectly: each of the n elements of x and of the m
 * elements of y once. If the product accumulates, y is loaded and stored, and beta-plus has n + 2 m; if it is
 * also transposed, y has n elements, and beta-plus has m + 2 n. beta-minus is the traffic if the caches hold
 * nothing of x and y. */
struct kernel_bytes {
    double plus, minus;
};
struct kernel_bytes kernel_bytes(const struct launch *launch);

/* The tuned parameters of a kernel: its descriptor names its own parameters and those of its format, and the
 * values to try. A parameter that does not affect speed, such as the order of COO's entries, is not tuned.
 *
 * Koza et al., section 6.3, tune CMRS by brute force over height, block, aligned and sorted; packed columns
 * and, for the padded variant, modulo (section 6.7) are this program's own addition. */

/* The meaning of the values of a line. */
enum tuning_values {
    TUNING_LISTED, /* the values of the table */
    TUNING_ROWS,   /* numbers of rows, up to the first one that covers all rows */
    TUNING_LENGTHS /* shares of the rows, 0 to 1: the length that this share of rows does not exceed */
};

struct tuning_line {
    const char *parameter; /* of the kernel, or of its format; NULL ends a list of lines */
    const char *values;    /* separated by blanks, ascending */
    enum tuning_values meaning;
};

/* A rule for two parameters: if the first has this value, the other must have that one. */
struct tuning_rule {
    const char *parameter, *value; /* "reduce", "shared"; NULL ends a list of rules */
    const char *other, *needed;    /* "threads", "32" */
};

/* Values that several kernels have. */
#define TUNING_BLOCKS "32 64 128 256 512 1024"
#define TUNING_HEIGHTS "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"
#define TUNING_SHARES "0 0.1 0.25 0.3333 0.5 0.6667 0.75 0.9 0.95 0.99 1"

struct kernel;
struct device;
struct trace;
struct spmm_rows;

/* A prepared kernel: start with kernel_prepare, end with kernel_release. The vectors have the precision of
 * the storage: for y = A x, x has storage->cols elements and y storage->rows; kernels/product.h has the sizes
 * and the layout of others. They belong to the caller and may be changed between runs. */
struct launch {
    const struct kernel *kernel;
    const struct storage
        *storage; /* the storage in the host's memory; the caller's, which must outlive the launch */
    const struct storage *resident; /* the storage with its arrays in the memory that run reads: on the host
                                       this is `storage` itself; on a device its arrays are in the device's
                                       memory, and the rest is a copy of `storage` */
    struct device *device;          /* NULL on the host */
    struct parameter_values
        values;   /* the values of the kernel's own parameters; prepare fills in those chosen by the kernel */
    int threads;  /* the threads that run uses; 1 for a sequential kernel, 0 on a device */
    size_t limit; /* the bytes that each table made by prepare may take */
    double times; /* entries of the whole matrix / entries of the storage, which may have only some rows; 1 if
                     it has all. `prepare` chooses parameters for the whole matrix */
    const struct csr
        *pattern;           /* the entries, or those of some rows, for a storage that is only planned: where
                               `prepare` looks at column indices; NULL if the storage has its arrays */
    struct product product; /* the product that run computes; its columns are at least 1 */
    const struct kernel *stands_for; /* the library's kernel for which the launch is replayed; NULL: itself */
    const void *x;                   /* X and Y lie in the memory that run reads and writes */
    void *y;
    const void *host_x; /* the same x in the host's memory */
    void *state;        /* the kernel's own data */
};

/* Fitted constants of a GPU kernel beside its counts, such as the share of a latency for which a warp waits
 * while other loads are in flight. analysis/forecast/time.h defines the use of each. {0}: no forecast. */
struct kernel_pace {
    double turn;     /* overhead of a warp, or of a piece of work that a warp takes, beside its requests: in
                        latencies */
    double request;  /* a request of memory, in latencies of the level where it hits */
    double shared;   /* a request of shared memory, in its latencies */
    double start;    /* work before and after, such as clearing y, in units of a further launch */
    double overlap;  /* the overlap of its warps' work, relative to other kernels: the factor of q - 1
                        (analysis/forecast/time.h); 0: 1 */
    double handover; /* a sum passed from warp to warp through memory, in dependent steps: in latencies of L2;
                        0 if there is none */
    double moved; /* in products other than y = A x, for a library's kernel: sectors requested from caches /
                     those that are counted; 0: 1. All bytes from memory are needed. */
    const struct kernel
        *like; /* the kernel whose pace is borrowed until this one is fitted or measured: these numbers on a
                  GPU, its loop on a processor. Each forecast says so. NULL: the numbers are its own */
};

/* Products of a kernel: with a single vector, with several, and with the transposed matrix. */
#define UNORDERED_SINGLE 1U
#define UNORDERED_COLUMNS 2U
#define UNORDERED_TRANSPOSED 4U
#define UNORDERED_ALL (UNORDERED_SINGLE | UNORDERED_COLUMNS | UNORDERED_TRANSPOSED)
/* Restricts these to storages with entries in a COO part (format_size.apart), since only these are added
 * atomically. */
#define UNORDERED_APART 8U

/* Features that a kernel needs and some GPUs lack; kernel.c has the compute capability of
 * each. */
#define NEEDS_SHUFFLES 1U    /* lanes exchange values without shared memory */
#define NEEDS_F64_ATOMICS 2U /* atomic additions of doubles in memory; not needed in single precision */
#define NEEDS_CUSPARSE 4U    /* the GPUs that cuSPARSE 12 supports */

/* A GPU kernel's traversal of its storage in products other than y = A x, from which these are forecast
 * (analysis/forecast/products.h). */
enum product_way {
    PRODUCT_WAY_UNKNOWN,
    PRODUCT_WAY_ROWS,    /* lanes share a row, whose slots are contiguous */
    PRODUCT_WAY_STRIDED, /* lanes share a row, and slots of neighbouring rows are adjacent */
    PRODUCT_WAY_SHARES,  /* lanes share intervals of entries, in the order of rows */
    PRODUCT_WAY_ATOMIC,  /* each entry is added to Y separately */
    PRODUCT_WAY_LIBRARY  /* a library's kernel: each entry is read once; the rest is unknown */
};

/* The division of a CPU kernel's product among threads, and the data that it reads: the basis of its forecast
 * (analysis/forecast/cpu.h). */
enum host_work {
    HOST_EVEN,      /* each thread has equally many lines, which are equal except the largest piece */
    HOST_ROWS,      /* each has whole rows, with about as many entries */
    HOST_ENTRIES,   /* each has as many entries, so that rows are cut */
    HOST_COMPACT,   /* as HOST_ENTRIES, with a separate loop for rows on diagonals (csr_compact.h) */
    HOST_TOLD,      /* as HOST_EVEN, with a separate loop for lines with columns in order (sell_compact.h) */
    HOST_PARTS,     /* lines of equal length, then the entries of a COO part */
    HOST_DIAGONALS, /* as HOST_EVEN; a single thread processes whole diagonals */
    HOST_JAGGED,    /* the same for jagged diagonals of sorted rows, with y written in the original order */
    HOST_COLUMNS,   /* each has columns, and adds to y, or to a copy of y; copies are then added up */
};

struct host_way {
    enum host_work work;
    enum host_work (*work_of)(const struct storage *storage); /* NULL: it is `work` for all storages */
    const struct kernel *rest; /* for HOST_COMPACT and HOST_TOLD: the kernel whose loop processes the rest */
    int64_t (*piece)(
        const struct storage *storage); /* slots of the largest piece of one thread's work; NULL: 0 */
    bool clears_y;                      /* y is first set to 0, then added to */
    int again_values, again_bytes;      /* values and other bytes of vectors that are passed through once more
                                           for each slot, since y is added to diagonal by diagonal */
    bool (*streams_y)(const struct storage *storage); /* whether a y larger than the caches is written with
                                                         stores that bypass them; NULL: never */
};

struct kernel {
    const char *name; /* "csr-balanced"; the full name is "cpu/csr-balanced" */
    const struct backend *backend;
    const struct format *format;
    const char *summary; /* the kernel in one line */
    const char
        *source; /* paper and figure of the loop; "after ...": only the idea is from there; "": our own */
    const char *wins;                   /* the matrices for which it is fast, in whole sentences */
    const struct parameter *parameters; /* the kernel's own, beside the format's; ends with a NULL name */
    const char
        *format_defaults; /* the kernel's defaults for parameters of the format, such as "pad=sentinel", if it
                             reads no other storage or is faster with it; NULL: the format's defaults */
    bool sequential;      /* it runs on one thread for any requested number */
    bool complex;         /* it multiplies complex matrices too */
    const char *real_only; /* the reason why it does not, as words after "since"; NULL if it does, or without
                              a reason */
    double prepare_cost; /* cost of prepare: time to make arrays that run reads instead of the format's / time
                            to read CSR at the copy bandwidth; such a kernel of CSR thus needs a conversion.
                            0: run reads only the format's arrays, and at most tables of rows or tiles */
    bool transposes;     /* it can multiply with the transposed matrix, and up to columns_max vectors */
    int columns_max;     /* maximum number of vectors multiplied at once; 0: one */
    bool apart;          /* a kernel of the host that multiplies two vectors stored by columns one after the
                            other, by its loop for one, if that is faster (vectors_apart) */
    /* In these products (UNORDERED_...) threads may add to sums in any order, so that the last bits of Y may
     * differ from run to run. In all others the same vectors and number of threads give the same bits each
     * time, except for libraries that do not state it (kernel_order). */
    unsigned unordered;
    unsigned needs; /* NEEDS_...; 0 for a kernel of the host */
    /* Returns the features that a choice of it needs. NULL: `needs` for all parameters. */
    unsigned (*needs_of)(const struct kernel_choice *choice);
    bool order_unknown; /* its library, whose kernels run on devices, does not state which products these are
                         */

    /* Returns the reason why the kernel cannot run on this machine although its backend can; NULL if it can.
     * The function may be NULL: it then can, or its backend's library gives the reason
     * (kernels/libraries/library.h). */
    const char *(*unavailable)(void);
    /* Chooses the parameters that were left to the kernel, and makes launch->state. Fails with
     * STATUS_UNAVAILABLE if the kernel cannot read this storage, for example because of its padding. May be
     * NULL. */
    enum status (*prepare)(struct launch *launch, struct error *error);
    /* Computes one product. It allocates nothing and cannot fail. On a device it puts launches into the
     * device's queue and does not wait for them, unless the host computes some of the product; their errors
     * appear when the caller waits for the device. */
    void (*run)(const struct launch *launch);
    void (*release)(struct launch *launch); /* frees launch->state; may be NULL */
    /* Makes the tables that prepare made on the host and copied to the device again, on the device: from
     * `csr`, whose arrays are on the device, and from the arrays of launch->resident. The new tables replace
     * the copied ones and are equal to them. *seconds becomes the time, as in struct device_type's `convert`.
     * NULL if the kernel has no such tables, or if only the host makes them. */
    enum status (*remake)(const struct launch *launch, const struct storage *csr, double *seconds,
                          struct error *error);
    /* Corrects the default traffic (struct traffic) to that of this kernel; NULL: no difference. It counts
     * loads and stores of a single vector of X and Y. */
    void (*traffic)(const struct launch *launch, struct traffic *traffic);
    /* Returns true if the kernel, with these values of its parameters, gives each row of CSR to a warp of its
     * own, as the kernel does that the CMRS paper compares with. NULL: it never does. */
    bool (*warp_a_row)(const struct parameter_values *values);
    /* The rows of a storage, for the shared host loops of several vectors and of A^T (kernels/cpu/spmm.h);
     * NULL if the kernel does not use these. */
    struct spmm_rows (*spmm_rows)(const struct storage *storage);
    /* Returns true if a choice of the kernel, whose parameters are resolved, multiplies with A^T by storing
     * A^T in the format. NULL: it never does. */
    bool (*stores_transposed)(const struct kernel_choice *choice);
    /* Sets the parameters that the kernel chooses by the product alone, without preparing it; NULL: none. */
    void (*resolve)(struct kernel_choice *choice, struct product product);
    /* Replays the requests of the kernel's warps (kernels/gpu/trace.h); NULL if unknown. */
    const struct trace *trace;
    /* For a library's kernel, which has no trace and no calibrated loop: our kernel that presumably reads the
     * same storage in the same way, from whose requests its time is forecast; a descriptor outside the table
     * is a model of such a kernel. NULL: none. */
    const struct kernel *like;
    /* The parameters for replaying that kernel, without its shortcuts that the library lacks, such as values
     * by bytes and 16-bit columns. NULL: its defaults. */
    const char *like_parameters;
    /* The registers of a thread and the bytes of shared memory of a block that the library's kernel has, as a
     * profiler shows them: they decide how many of its warps run at a time, and how much L1 they leave.
     * 0: those of `like`. */
    int like_registers, like_shared;
    /* Fails with STATUS_UNAVAILABLE and the reason if the kernel cannot read this storage, of which only the
     * sizes must be known. NULL: it reads all storages of its format, or `prepare` decides. */
    enum status (*takes)(const struct storage *storage, struct error *error);
    struct kernel_pace pace;
    /* Return the pace of the loop of a prepared launch, or NULL: it is `pace`. May be NULL: all loops of the
     * kernel have `pace`. */
    const struct kernel_pace *(*pace_of)(const struct launch *launch);
    enum product_way product_way;
    struct host_way host;                   /* of a kernel of the host */
    const struct tuning_line *tuning;       /* its tuned parameters; NULL: none */
    const struct tuning_rule *tuning_rules; /* excluded combinations of these values; NULL: none */
};

/* The kernel whose constants forecast this one: itself, or a similar one until its own are fitted
 * (kernel_pace.like). */
const struct kernel *kernel_paced(const struct kernel *kernel);
bool kernel_borrows(const struct kernel *kernel); /* true if that is another kernel */

/* True if the kernel reads CSR directly, without a conversion. */
bool kernel_takes_csr(const struct kernel *kernel);

/* KERNEL_ORDERED if Y has the same bits in each run, else KERNEL_UNORDERED. KERNEL_ORDER_UNKNOWN for
 * libraries for processors, none of which guarantees it for all its versions, and for a kernel that is
 * `order_unknown`. `apart` is the number of slots in a COO part of the storage (format_size.apart). */
enum kernel_order { KERNEL_ORDERED, KERNEL_UNORDERED, KERNEL_ORDER_UNKNOWN };
enum kernel_order kernel_order(const struct kernel *kernel, struct product product, int64_t apart);

/* The products whose bits differ, and the reason, as a sentence without its capital and its full stop: "it is
 * not deterministic: ..."; NULL if there are none. */
const char *kernel_order_words(const struct kernel *kernel);

/* The division of the product with this storage among threads by a kernel of the host. */
enum host_work host_work_of(const struct kernel *kernel, const struct storage *storage);

/* The table of kernels; its last element is NULL. */
extern const struct kernel *const kernels[];

/* Append the full name of a kernel: "cpu/csr-balanced". */
void kernel_name(const struct kernel *kernel, struct text *text);

/* Fails with STATUS_UNAVAILABLE and the reason if the kernel cannot run here at all, if the matrix is complex
 * and the kernel takes real ones only, or if the kernel cannot compute this product. This is known before
 * anything is converted. */
enum status kernel_check(const struct kernel *kernel, bool complex, struct product product,
                         struct error *error);

/* Does the same if a device for the kernel's backend is already open, without searching for one. */
enum status kernel_suits(const struct kernel *kernel, bool complex, struct product product,
                         struct error *error);

/* Fails with STATUS_UNAVAILABLE and the reason if the kernel does not compute this product. */
enum status kernel_computes(const struct kernel *kernel, struct product product, struct error *error);

struct gpu;

/* Fails with STATUS_UNAVAILABLE and the reason if a choice of a kernel cannot run on such a GPU, which is
 * older than the kernel requires. */
enum status kernel_runs_on(const struct kernel_choice *choice, const struct gpu *gpu, struct error *error);

/* Options of preparing a kernel beside its choice. {0} is y = A x. */
struct launch_options {
    struct product product;
    size_t limit; /* bytes of the host's memory for each table that preparing makes; 0: the default of
                     memory_check */
    double times; /* see struct launch; 0: 1 */
    const struct csr *pattern; /* see struct launch; the caller's, which must outlive the launch */
};

/* Prepare *launch for a choice of a kernel of the host and a built storage of its format. Fails with
 * STATUS_UNAVAILABLE and the reason if the kernel cannot run here, not with this matrix, or cannot compute
 * this product, or with STATUS_LIMIT if it needs a table larger than options->limit. The caller must call
 * kernel_release, also after failure. */
enum status kernel_prepare(const struct kernel_choice *choice, const struct storage *storage,
                           const struct launch_options *options, struct launch *launch, struct error *error);

/* Do the same for a kernel that runs on a device, on which `resident` is stored (device_store). The device
 * must stay open until kernel_release. */
enum status kernel_prepare_on(struct device *device, const struct kernel_choice *choice,
                              const struct storage *storage, const struct storage *resident,
                              const struct launch_options *options, struct launch *launch,
                              struct error *error);

/* Compute one product with these vectors by a kernel of the host. */
void kernel_run(struct launch *launch, const void *x, void *y);

void kernel_release(struct launch *launch);

#endif
