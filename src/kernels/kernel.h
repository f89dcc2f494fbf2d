/* SpMV kernels: the descriptor of a kernel, and a kernel that is prepared for one stored matrix.
 *
 * A kernel computes a product (kernels/product.h) with a matrix in its format. All that it needs beside the
 * arrays of the storage, such as the rows of each thread or room for partial sums, is made by `prepare`, so
 * that `run` is nothing but the product and can be timed. Device code includes this header too. */
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
#include "kernels/traffic.h"
#include "kernels/tuning/axes.h"

struct kernel;
struct device;
struct trace;
struct spmm_rows;

/* A prepared kernel: start with kernel_prepare, end with kernel_release. The vectors have the precision of
 * the storage: for y = A x, x has storage->cols elements and y storage->rows; kernels/product.h has the sizes
 * and the layout of others. They are the caller's and may be changed between runs. */
struct launch {
    const struct kernel *kernel;
    const struct storage *storage;  /* the storage in the host's memory; it is the caller's and must stay */
    const struct storage *resident; /* the storage with its arrays in the memory that run reads: on the host
                                       this is `storage` itself; on a device its arrays are in the device's
                                       memory, and the rest is a copy of `storage` */
    struct device *device;          /* NULL on the host */
    struct parameter_values values; /* the values of the kernel's own parameters; prepare fills in those that
                                       the kernel chooses */
    int threads;                    /* the threads that run uses; 1 for a sequential kernel, 0 on a device */
    size_t limit;                   /* the bytes that each table made by prepare may take */
    double times; /* entries of the whole matrix / entries of the storage, which has only some rows; `prepare`
                     chooses for the whole; 1 if it has all */
    struct product product; /* the product that run computes; its columns are at least 1 */
    const void *x;          /* X and Y lie in the memory that run reads and writes */
    void *y;
    const void *host_x; /* the same x in the host's memory */
    void *state;        /* the kernel's own data */
};

/* Fitted constants of a GPU kernel beside its counts, such as the share of a latency for which a warp waits
 * while other loads are in flight. analysis/forecast/time.h defines the use of each. {0}: no forecast. */
struct kernel_pace {
    double turn;     /* a warp, or a piece of work that a warp takes, beside its requests: in latencies */
    double request;  /* a request of memory, in latencies of where it is found */
    double shared;   /* a request of shared memory, in its latencies */
    double start;    /* work before and after, such as clearing y, in units of a further launch */
    double handover; /* a sum that is handed from warp to warp by way of memory, which takes some steps that
                        wait for each other: in latencies of L2; 0 where none is */
    double moved;    /* for a library's kernel: sectors requested from caches / those of the similar kernel;
                        0: 1. Both need all bytes from memory. */
    const struct kernel *like; /* of a kernel that was not fitted or measured yet: it is taken to be as fast
                                  as this one, in these numbers on a GPU and in its loop on a processor, and
                                  each forecast says so. NULL: the numbers are its own */
};

/* Products of a kernel: with a single vector, with several, and with the transposed matrix. */
#define UNORDERED_SINGLE 1U
#define UNORDERED_COLUMNS 2U
#define UNORDERED_TRANSPOSED 4U
#define UNORDERED_ALL (UNORDERED_SINGLE | UNORDERED_COLUMNS | UNORDERED_TRANSPOSED)
/* And of these only where the storage has entries in a COO part (format_size.apart), which alone are added
 * atomically. */
#define UNORDERED_APART 8U

/* Features that a kernel needs and some GPUs lack; kernel.c has the compute capability of
 * each. */
#define NEEDS_SHUFFLES 1U    /* lanes exchange values without shared memory */
#define NEEDS_F64_ATOMICS 2U /* doubles are added to in memory; products in single precision do without */
#define NEEDS_CUSPARSE 4U    /* the GPUs that cuSPARSE 12 supports */

/* How a kernel of a GPU goes through its storage in products other than y = A x, by which these are forecast
 * (analysis/forecast/products.h). */
enum product_way {
    PRODUCT_WAY_UNKNOWN,
    PRODUCT_WAY_ROWS,    /* lanes share a row, whose slots are contiguous */
    PRODUCT_WAY_STRIDED, /* so they do, and neighbouring rows' slots lie side by side */
    PRODUCT_WAY_SHARES,  /* lanes share intervals of entries, in the order of rows */
    PRODUCT_WAY_ATOMIC,  /* each entry is added to Y by itself */
    PRODUCT_WAY_LIBRARY  /* of a library: each entry is read once, and nothing else is known */
};

/* The division of a CPU kernel's product among threads, and the data that it reads: the basis of its forecast
 * (analysis/forecast/cpu.h). */
enum host_work {
    HOST_EVEN,      /* each thread has equally many lines, which are equal except the largest piece */
    HOST_ROWS,      /* each has whole rows, with about as many entries */
    HOST_ENTRIES,   /* each has as many entries, so that rows are cut */
    HOST_COMPACT,   /* and rows on diagonals go through a loop of their own (csr_compact.h) */
    HOST_TOLD,      /* as HOST_EVEN, and lines with columns in order go through their own (sell_compact.h) */
    HOST_PARTS,     /* lines that are alike, then the entries of a COO part */
    HOST_DIAGONALS, /* as HOST_EVEN, along diagonals of the whole matrix if one thread does it all */
    HOST_JAGGED,  /* the same along jagged diagonals, of rows that are sorted, each written to its place in y
                   */
    HOST_COLUMNS, /* each has columns, and adds to y, or to sums of its own that are added up */
};

struct host_way {
    enum host_work work;
    enum host_work (*work_of)(const struct storage *storage); /* NULL: it is `work` of all storages */
    const struct kernel
        *rest; /* whose loop takes what the kernel's own does not, of HOST_COMPACT and HOST_TOLD */
    int64_t (*piece)(
        const struct storage *storage); /* slots of the largest piece of work of one thread; NULL: 0 */
    bool clears_y;                      /* y is set to 0 first, and added to */
    bool (*streams_y)(const struct storage *storage); /* whether a y that no cache holds is written around the
                                                         caches; NULL: never */
};

struct kernel {
    const char *name; /* "csr-balanced"; the full name is "cpu/csr-balanced" */
    const struct backend *backend;
    const struct format *format;
    const char *summary; /* the kernel in one line */
    const char *source;  /* paper and figure of the loop; "after ...": of the idea; "": our own */
    const char *wins;    /* for which matrices it is fast, in whole sentences */
    const struct parameter *parameters; /* the kernel's own, beside the format's; ends with a NULL name */
    const char *format_defaults;        /* the kernel's defaults for parameters of the format, such as
                                           "pad=sentinel", if it reads no other storage or another one is
                                           faster; NULL if the format's defaults suit it */
    bool sequential;                    /* it runs on one thread, however many are asked for */
    bool complex;                       /* it multiplies complex matrices too */
    const char *real_only;              /* why it does not, in words that follow "since"; NULL if it does, or
                                           if there is nothing to say */
    double
        prepare_cost; /* cost of prepare: time to make arrays that run reads instead of the format's / time to
                         read CSR at the copy bandwidth; so such a kernel of CSR needs a conversion. 0: run
                         reads only the format's arrays, and at most tables of rows or tiles beside them */
    bool transposes;  /* it can multiply with the transposed matrix, also several vectors if
                         columns_max says so */
    int columns_max;  /* maximum number of vectors multiplied at once; 0: one */
    /* Of these products (UNORDERED_...) threads may add to sums in any order, so that the last bits of Y may
     * differ from run to run. For all others the same vectors and number of threads give the same bits each
     * time, except for libraries that do not state it (kernel_order). */
    unsigned unordered;
    unsigned needs; /* NEEDS_...; of a kernel of the host 0 */
    /* Returns the features that a choice of it needs; NULL if these are `needs` for any parameters. */
    unsigned (*needs_of)(const struct kernel_choice *choice);
    bool order_unknown; /* its library, whose kernels run on devices, does not state the products */

    /* Returns why the kernel cannot run on this machine although its backend can; NULL if it can. The
     * function may be NULL: then it can, or its backend's library says why not (kernels/libraries/library.h).
     */
    const char *(*unavailable)(void);
    /* Chooses the parameters that were left to the kernel, and makes launch->state. Fails with
     * STATUS_UNAVAILABLE if the kernel cannot read this storage, for example because of its padding. May be
     * NULL. */
    enum status (*prepare)(struct launch *launch, struct error *error);
    /* Computes one product. It allocates nothing and cannot fail. On a device it puts launches into the
     * device's queue and does not wait for them, unless the host computes some of the product; their errors
     * come to light when the caller waits for the device. */
    void (*run)(const struct launch *launch);
    void (*release)(struct launch *launch); /* frees launch->state; may be NULL */
    /* Makes on the device the tables that prepare has made on the host and copied to a device: from `csr`,
     * whose arrays are there, and from the arrays of launch->resident. They replace the others in their place
     * and are the same. *seconds becomes the time of that, as struct device_type's `convert` has it. NULL if
     * the kernel has no such tables, or if the host alone makes them. */
    enum status (*remake)(const struct launch *launch, const struct storage *csr, double *seconds,
                          struct error *error);
    /* Corrects the traffic that is assumed for every kernel (kernels/traffic.h) where this kernel's differs;
     * NULL if it does not. It counts loads and stores of a single vector of X and Y. */
    void (*traffic)(const struct launch *launch, struct traffic *traffic);
    /* Returns true if the kernel, with these values of its parameters, gives each row of CSR to a warp of its
     * own, as the kernel does that the CMRS paper compares with. NULL: it never does. */
    bool (*warp_a_row)(const struct parameter_values *values);
    /* Where the rows of a storage are, for the loops of several vectors and of A^T that kernels of the host
     * share (kernels/cpu/spmm.h); NULL if the kernel does not use these. */
    struct spmm_rows (*spmm_rows)(const struct storage *storage);
    /* Returns true if a choice of the kernel, whose parameters are resolved, multiplies with A^T by storing
     * it as A is stored. NULL: it never does. */
    bool (*stores_transposed)(const struct kernel_choice *choice);
    /* Sets the parameters that the kernel chooses by the product alone, without preparing it; NULL: none. */
    void (*resolve)(struct kernel_choice *choice, struct product product);
    /* Replays the requests of the kernel's warps (kernels/gpu/trace.h); NULL if they are not known. */
    const struct trace *trace;
    /* For a library's kernel, which has no trace and no calibrated loop: our kernel that presumably reads the
     * same storage in the same way, from whose requests its time is forecast; a descriptor that is not in the
     * table is a model of such a kernel. NULL: there is none. */
    const struct kernel *like;
    /* The parameters with which that one is replayed: none of its shortcuts that the library lacks, such as
     * values told by bytes and columns of 16 bits. NULL: its defaults. */
    const char *like_parameters;
    /* Fails with STATUS_UNAVAILABLE and the reason if the kernel cannot read this storage, of which the sizes
     * alone have to be known. NULL: it reads all of its format, or `prepare` says which. */
    enum status (*takes)(const struct storage *storage, struct error *error);
    struct kernel_pace pace;
    enum product_way product_way;
    struct host_way host;                   /* of a kernel of the host */
    const struct tuning_line *tuning;       /* what it is tuned in; NULL: nothing */
    const struct tuning_rule *tuning_rules; /* which of these values do not go together; NULL: all do */
};

/* The kernel whose pace this one has: itself, or another until it is fitted (kernel_pace.like). */
const struct kernel *kernel_paced(const struct kernel *kernel);
bool kernel_borrows(const struct kernel *kernel); /* it is another */

/* True if the kernel reads CSR directly, without a conversion. */
bool kernel_takes_csr(const struct kernel *kernel);

/* Whether Y has the same bits each time: KERNEL_ORDER_UNKNOWN of a library for processors, none of which
 * promises anything that holds for all its versions, and of a kernel that is `order_unknown`. `apart` is how
 * many slots of the storage are in a COO part (format_size.apart). */
enum kernel_order { KERNEL_ORDERED, KERNEL_UNORDERED, KERNEL_ORDER_UNKNOWN };
enum kernel_order kernel_order(const struct kernel *kernel, struct product product, int64_t apart);

/* Of which products the bits differ, and why, as a sentence without its capital and its full stop: "it is not
 * deterministic: ..."; NULL if of none. */
const char *kernel_order_words(const struct kernel *kernel);

/* How a kernel of the host divides the product with this storage. */
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

/* Does the same if a device for the kernel's backend is open already, which need not be looked for. */
enum status kernel_suits(const struct kernel *kernel, bool complex, struct product product,
                         struct error *error);

/* Fails with STATUS_UNAVAILABLE and the reason if the kernel does not compute this product. */
enum status kernel_computes(const struct kernel *kernel, struct product product, struct error *error);

struct gpu;

/* Fails with STATUS_UNAVAILABLE and the reason if a choice of a kernel cannot run on such a GPU, since that
 * is older than what the kernel needs. */
enum status kernel_runs_on(const struct kernel_choice *choice, const struct gpu *gpu, struct error *error);

/* Options of preparing a kernel beside its choice. {0} is y = A x. */
struct launch_options {
    struct product product;
    size_t limit; /* bytes of the host's memory for each table that preparing makes; 0: the default of
                     memory_check */
    double times; /* see struct launch; 0: 1 */
};

/* Prepare *launch for a choice of a kernel of the host and a built storage of its format. Fails with
 * STATUS_UNAVAILABLE and the reason if the kernel cannot run here, not with this matrix, or cannot compute
 * this product, or with STATUS_LIMIT if it needs a table that is larger than options->limit. kernel_release
 * has to follow, also after failure. */
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
