/* Building the canonical CSR from entries that come in any order, in two passes and without a copy of them.
 *
 * Several threads ask a source for its entries at once, block by block, and all of them twice:
 *
 *     pass 1    count the entries of each row                 row_ptr[i] = length of row i
 *               sum up                                        row_ptr[i] = sum of the lengths before row i
 *     pass 2    put each entry at its row's next free place   row_ptr[i] moves from row i's begin to its end
 *               shift by one                                  row_ptr[i] = begin of row i again
 *
 * This is the counting sort by which a matrix is transposed (Gustavson, "Two fast algorithms for sparse
 * matrices: multiplication and permuted transposition", ACM Trans. Math. Softw. 4, 1978), with several
 * threads. It takes no memory beside the CSR arrays; in return, sources compute (generators) or parse (files)
 * every block twice. */
#ifndef SPARSIGHT_MATRIX_BUILD_H
#define SPARSIGHT_MATRIX_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"
#include "matrix/glimpse.h"
#include "matrix/summed.h"

/* The treatment of entries that are given more than once. */
enum duplicates {
    DUPLICATES_SUM,  /* they are added; three or more in the order of their values, so that the sum does not
                        depend on the number of threads */
    DUPLICATES_KEEP, /* one of them is kept: all have the same value by construction (generators) */
};

#define SINK_ENTRIES 512

/* Builds a distributed matrix, instead of build_csr: each process holds a contiguous range of rows
 * (src/ranks). All processes read the same source, and each reads only a range of its blocks; the ranges
 * ascend with the ranks. All functions but `range` are collective: all processes call them in the same order.
 * All but `build` may be called only after `build` has set result->together, since otherwise some process may
 * be missing. */
struct source;
struct build_result;
struct builder {
    void *self;
    int parts; /* the number of processes */
    int part;  /* the number of this one, from 0 */
    /* As build_csr, but *a gets only the rows of this process, and *result describes the whole matrix. If the
     * source of another process fails, STATUS_CANCELLED. */
    enum status (*build)(void *self, const struct source *source, struct progress *progress, struct csr *a,
                         struct build_result *result, struct error *error);
    /* Find the blocks *first .. *last - 1 of `blocks` that this process asks for. */
    void (*range)(void *self, int64_t blocks, int64_t *first, int64_t *last);
    int64_t (*sum)(void *self, int64_t number);    /* return the sum of all processes' numbers */
    int64_t (*before)(void *self, int64_t number); /* return the sum of those before this one's */
    /* Give all processes the bytes of the first one that `has` them; they stay as they are if none has. */
    void (*first)(void *self, bool has, void *data, size_t bytes);
};

/* The buffer to which a source writes its entries; the caller makes one for each block. The source fills the
 * arrays through sink_put, or by itself and keeps `count` right; sink_flush empties them. */
struct sink {
    int count;               /* entries that are in the arrays */
    bool values;             /* false in passes that need only positions: rows, and columns unless general */
    bool columns;            /* the arrays have the columns that `glimpse` counts; a source that leaves them
                                out sets this to false */
    struct glimpse *glimpse; /* counts a piece of the positions (glimpse_piece), for which it needs columns in
                                all passes; may be NULL */
    bool complex;            /* imaginary parts are used, too */
    int32_t row[SINK_ENTRIES];
    int32_t col[SINK_ENTRIES];
    double val[SINK_ENTRIES];
    double imaginary[SINK_ENTRIES];
    void (*flush)(struct sink *sink); /* takes the entries */
    void *owner;                      /* for flush */
    int64_t block;                    /* the block that these entries are of */
    int64_t before;                   /* number of entries of the block that were flushed before */
};

/* Flush the entries, so that the sink is empty. */
static inline void sink_flush(struct sink *sink)
{
    sink->flush(sink);
    sink->before += sink->count;
    sink->count = 0;
}

/* Put entry (i, j), 0-based and in range (the source has checked), into the sink. */
static inline void sink_put(struct sink *sink, int32_t i, int32_t j, double val, double imaginary)
{
    if (sink->count == SINK_ENTRIES) sink_flush(sink);
    int k = sink->count++;
    sink->row[k] = i;
    sink->col[k] = j;
    if (sink->values) {
        sink->val[k] = val;
        if (sink->complex) sink->imaginary[k] = imaginary;
    }
}

/* The output of entries as plain arrays. */
struct entry_arrays {
    int32_t *row, *col;
    double *val, *imaginary;
};

/* Return the bytes needed later in addition to a matrix of this number of rows, columns and entries; the sum
 * must be within the limit. */
typedef size_t matrix_beside(int64_t rows, int64_t cols, int64_t nnz, int complex);

struct taker;

/* A source of entries. `block` puts the entries of block k into the sink; it must give the same ones in the
 * same order each time it is called for the same k. Several threads call it at once, for different k. */
struct source {
    int64_t rows, cols; /* at most INT32_MAX each */
    int64_t blocks;
    bool complex;
    bool pattern;           /* all values are 1, and numbers derived from them are not needed */
    int64_t *row_lengths;   /* the number of entries of each row, and one more element, if the source has
                               counted them: then build_csr does not. It becomes row_ptr, or is freed. NULL if
                               they are not counted, if the matrix is not general, and with a builder */
    enum symmetry symmetry; /* unless general, each off-diagonal entry also stands for its mirror image */
    enum duplicates duplicates;
    bool agreeing_mirrors;         /* for --lenient: an entry and its mirror image that agree count as one */
    size_t limit;                  /* bytes, for matrix_check */
    const struct builder *builder; /* builds the matrix in parts; NULL: build_csr builds it as a whole */
    bool whole_rows;   /* `block` gives rows in ascending order, all entries of each one after the other */
    int64_t first_row; /* the row of the whole matrix that row 0 of the CSR is */
    struct summed *summed;   /* gets the positions of summed duplicates; NULL: they are not recorded */
    matrix_beside *beside;   /* memory needed in addition to the matrix; NULL: none */
    struct taker *taker;     /* of the entries of a matrix that is too large (matrix/relay.h); may be NULL */
    struct glimpse *glimpse; /* a coarse picture of the entries, for which some are counted; may be NULL */
    const char *path;        /* for messages */
    void *self;              /* handed to the functions */
    enum status (*block)(void *self, int64_t k, struct sink *sink, struct error *error);
    /* Only sources with plain arrays have these two functions; else they are NULL. Write `count` entries of
     * block k, from its entry number `from` on, in the order of `block`; imaginary is NULL unless complex.
     * And return the number of entries of block k. */
    enum status (*copy)(void *self, int64_t k, int64_t from, int64_t count, const struct entry_arrays *to,
                        struct error *error);
    int64_t (*size)(void *self, int64_t k);
    /* Return the input line of entry number `ordinal` of block k, for messages. NULL if the source has no
     * lines. */
    int64_t (*line)(void *self, int64_t k, int64_t ordinal);
    /* The builder calls this when block k will not be asked for again, so that a source in memory can free
     * it. May be NULL.
     */
    void (*release)(void *self, int64_t k);
};

/* The members of a source that struct load_options states. */
#define SOURCE_OPTIONS(options)                                                        \
    .limit = (options)->limit, .beside = (options)->beside, .taker = (options)->taker, \
    .glimpse = (options)->glimpse, .builder = (options)->builder

/* STATUS_LIMIT if the matrix of this number of rows, columns and entries needs more memory than the limit
 * (for a matrix built in parts, an equal part of it), with the `more` bytes needed during reading, or with
 * the bytes needed afterwards (memory_check_beside). The message has the size and the remedy. If the source
 * has a taker, this does not fail but chooses the taker. */
enum status matrix_check(const struct source *source, int64_t nnz, size_t more, struct error *error);

/* STATUS_LIMIT if the source has more rows or columns than 32 bits count, or if even a matrix without entries
 * takes too much. */
enum status matrix_check_size(const struct source *source, struct error *error);

/* Facts that building finds in addition to the matrix. */
struct build_result {
    bool together;            /* the builder's functions may be called: all processes come here */
    int64_t stored;           /* entries that the source gave */
    int64_t duplicates;       /* entries that were added to another one (DUPLICATES_SUM) */
    int64_t agreeing_mirrors; /* mirror images that were given a second time, if the source allows it */
    bool zeros_counted;       /* `zeros` is the number of entries of the matrix that are 0; false: it is
                                 unknown */
    int64_t zeros;
};

/* True if the source's entries go to its taker: the taker is chosen, or takes the entries of all matrices. */
bool source_streams(const struct source *source);

/* Build the canonical CSR from the source, with mirror images if it is symmetric; or, if source_streams, hand
 * the entries to the taker; *a then has only the numbers of rows and columns. Returns the source's error, if
 * several blocks fail that of the first block; STATUS_LIMIT before too much is allocated; STATUS_INPUT for an
 * entry that is given together with its mirror image, with the lines of both; STATUS_MEMORY; or
 * STATUS_CANCELLED. On failure *a is {0}. Progress counts blocks, in each pass. Takes O(nnz + rows) time, and
 * O(len log len) for each unsorted row of len entries. It needs the memory of the CSR arrays with all
 * duplicates. */
enum status build_csr(const struct source *source, struct progress *progress, struct csr *a,
                      struct build_result *result, struct error *error);

/* Facts on entries, found while they are in the cache. */
struct rows_found {
    bool unsorted;              /* the columns of a row do not ascend */
    int64_t zeros;              /* entries that are 0 */
    int64_t first, end;         /* the entries are first .. end-1, */
    int64_t first_row, end_row; /* and their rows first_row .. end_row-1 */
};

/* Build the canonical CSR of a file that is stored by rows: `row_ptr` has the beginning of each row and the
 * end of the last: rows + 1 ascending offsets from 0 on, of which `fill` may write all but the last; it
 * becomes a->row_ptr, or is freed on failure. `fill` writes the entries of block k, of source->blocks, into
 * a->col, a->val and a->imaginary; several threads call it at once, for different k. It checks the columns,
 * and adds its findings to *found, which begins as {0}; if a row is unsorted, rows are sorted and duplicates
 * merged. Only sizes, blocks, complex, duplicates, limit, beside, summed, path and self of the source are
 * used; it must be general. Errors are those of build_csr. O(nnz + rows) if nothing is to be sorted, and then
 * each array is written once. */
enum status build_rows(const struct source *source, int64_t *row_ptr,
                       enum status (*fill)(void *self, int64_t k, struct csr *a, struct rows_found *found,
                                           struct error *error),
                       struct progress *progress, struct csr *a, struct build_result *result,
                       struct error *error);

/* A check that each row ends at its counted end. Entries are counted in one pass over a source and placed in
 * another. If the passes differ, since the file has changed meanwhile, one row gets too few entries and
 * another one too many, and uninitialised memory would become part of the matrix. */

/* The counted ends of rows. Instead of a copy, 64 bits are kept: the sum over all rows of a hash of row and
 * end under a random key. Other ends have the same sum with a probability of 2^-64. */
struct ends {
    uint64_t key, sum;
};

/* Note the ends of the rows of a matrix, of which only row_ptr exists. O(rows). */
struct ends ends_note(const struct csr *a);

/* After the last pass, in which row_ptr[i] has moved from the begin of row i to its end: make row_ptr the
 * beginnings of all rows again. Fails with STATUS_INPUT and the path if an end of a row differs from the
 * noted one. O(rows). */
enum status ends_settle(const struct ends *ends, struct csr *a, const char *path, struct error *error);

#endif
