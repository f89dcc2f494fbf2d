/* Storage formats: a table of descriptors, and a matrix stored in one of them.
 *
 * A format is a function from a CSR matrix to a few arrays. `plan` decides how long they are, before any of
 * them is allocated; `fill` writes them; and a handful of questions about single elements ("which place of
 * the matrix is slot e?", "where is entry k?", "which elements of this array does entry k need?") make that
 * the conversion back, the Layouts screen, the report and the tests can treat all formats alike. */
#ifndef SPARSIGHT_FORMATS_FORMAT_H
#define SPARSIGHT_FORMATS_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#ifdef __cplusplus
struct progress; /* device code is C++, which has no C atomics */
#else
#    include "base/job.h"
#endif
#include "base/parameters.h"
#include "base/text.h"
#include "formats/choice.h"
#include "matrix/csr.h"

/* What an element of an array is. Complex values are interleaved: real part, imaginary part. */
enum element {
    ELEMENT_U8,
    ELEMENT_I32,
    ELEMENT_U32,
    ELEMENT_I64,
    ELEMENT_F32,
    ELEMENT_F64,
    ELEMENT_C32,
    ELEMENT_C64
};

/* What an array is for; the coalescing of loads is told by role. */
enum role {
    ROLE_VALUES,
    ROLE_COLUMNS,  /* column indices, or what they are computed from (offsets of diagonals, block columns) */
    ROLE_ROWS,     /* row indices, permutations of rows, row in strip */
    ROLE_POINTERS, /* offsets into other arrays */
};

/* One array of a stored matrix. `data` is NULL while the matrix is only planned. */
struct array {
    const char *name; /* as in the source: "row_ptr", "StripPtr" */
    const char *help; /* one line: what element e is */
    enum role role;
    enum element element;
    int part;      /* 0, or 1 for arrays of the second part of a hybrid format */
    bool per_slot; /* element e belongs to slot e of its part */
    int64_t length;
    void *data;
};

#define STORAGE_ARRAYS 12
#define STORAGE_NUMBERS 8
#define STORAGE_PARTS 2

struct format;

/* A matrix in a format. All arrays are owned; free with storage_free. What array q and number[k] are says the
 * format's own header (enum in formats/NAME.h), which kernels read them by. */
struct storage {
    const struct format *format;
    struct parameter_values values; /* resolved: no NaN among the numbers */
    enum precision precision;
    bool complex;
    bool wide;    /* offsets have 64 bits; planned so when one does not fit in 32 */
    size_t limit; /* bytes that plan may take for itself, and fill with the arrays; 0: as memory_check says */
    size_t scratch; /* bytes that fill takes for itself at once, at most, and frees again */
    int64_t rows, cols, nnz;
    int64_t slots[STORAGE_PARTS]; /* value slots of each part; part 1 never has padding */
    int count;                    /* arrays */
    struct array array[STORAGE_ARRAYS];
    int64_t number[STORAGE_NUMBERS];
    /* Bit e: slot e of part 0 holds an entry although its value is 0. NULL if there is no such entry, or no
     * padding. Not part of the format: no kernel reads it. It keeps explicit zeros from being lost. */
    uint64_t *kept;
    double seconds; /* that conversion took: planning, and once it is built allocation and filling too */
};

/* A row and column, 0-based; either is -1 where it does not apply. */
struct place {
    int64_t row, col;
};

/* What the cursor is on: a place, and the slot that holds its entry, -1 if there is none. */
struct spot {
    struct place place;
    int part;
    int64_t slot;
};

/* Elements first .. end-1. */
struct extent {
    int64_t first, end;
};

/* Whether something begins at an element, so that a rule is drawn before it. */
enum rule {
    RULE_NONE,
    RULE_MINOR, /* a row, a diagonal, a column of ELL */
    RULE_MAJOR, /* a section, a strip, a chunk */
};

/* What a line of a picture is. Rows and columns are those of the matrix, and their cells differ in the other
 * index; all others go by a number of the format's own. */
enum line_kind {
    LINE_ROW,
    LINE_COLUMN,
    LINE_BLOCK_ROW,
    LINE_STRIP,
    LINE_CHUNK,
    LINE_SECTION,
    LINE_DIAGONAL,
};

/* Part 0 as a picture: lines of cells, a cell being a slot. ELL's is the padded rectangle, JDS's the sorted
 * rows, CMRS's a strip a line. */
struct shape {
    enum line_kind line;
    int64_t lines; /* may be 0 */
    int64_t wide;  /* cells of the longest line */
};

struct format {
    const char *name;                   /* "ell" */
    const char *title;                  /* "ELLPACK" */
    const char *summary;                /* one line */
    const char *source;                 /* paper and section or figure */
    const struct parameter *parameters; /* ends with a NULL name */
    const char *const *variants; /* parameters of what reports list by themselves; "" first; ends with NULL */

    /* Resolve storage->values, and set slots, numbers and arrays (lengths only) for `a`. rows, cols, nnz,
     * precision, complex, wide and limit are set before; plan may set wide, with plan_offsets. What it takes
     * for itself is O(rows + cols), held against the limit (may_plan) and freed again; what fill will take,
     * it announces (plan_scratch). STATUS_USAGE for parameters that contradict each other, STATUS_LIMIT for
     * what cannot be represented or would take more than the limit. */
    enum status (*plan)(struct storage *storage, const struct csr *a, struct progress *progress,
                        struct error *error);
    /* Write all arrays, which are allocated and not initialised. Beside them it takes no more memory than
     * plan announced. Parallel; the result does not depend on the number of threads. */
    enum status (*fill)(struct storage *storage, const struct csr *a, struct progress *progress,
                        struct error *error);
    /* Check what can be checked without the matrix: offsets ascend and end where they must, indices lie in
     * range. STATUS_INPUT with the array and element that is wrong. */
    enum status (*validate)(const struct storage *storage, struct error *error);

    /* The place that slot e of a part stands for. Padding stands for the row and column that its kernel would
     * work on, either of them -1 where there is none: it lies beyond the matrix, or a kernel has to test. */
    struct place (*place)(const struct storage *storage, int part, int64_t e);
    /* The slot of entry k of `a`, which lies in row i; its part in *part. At most O(log) or the length of a
     * strip or section. */
    int64_t (*locate)(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part);
    /* Elements of array q, which is not per slot, that a kernel needs to get at the spot; where the spot has
     * no entry, those that tell so. An entry of part 0 needs some of every such array, and every element is
     * needed for some spot. */
    struct extent (*touch)(const struct storage *storage, int q, const struct spot *spot);
    /* The place that element e of array q, which is not per slot, leads to first. A row alone (column -1)
     * means the first entry of that row; a column alone (row -1) is one whose first entry the arrays do not
     * tell, such as an empty one. Both -1: nowhere, as the last of an array of pointers, and it alone.
     * Whatever element an element's place touches includes it. */
    struct place (*leads)(const struct storage *storage, int q, int64_t e);
    /* What begins at element e > 0 of array q; the same for all arrays of a part's slots. If slots have
     * indices of their own, something begins at each that in the picture neither follows the one before on
     * its line nor stands below it. */
    enum rule (*rule)(const struct storage *storage, int q, int64_t e);

    /* All four NULL if there is no picture (COO). cell: the slot at position c of a line, -1 if the line is
     * shorter. find: line and position of a spot (position -1 if it has no slot in part 0; line -1 if none
     * could have it). label: the number that a line goes by, 0-based: of rows and columns their index, -1 if
     * the matrix has no such one. */
    struct shape (*shape)(const struct storage *storage);
    int64_t (*cell)(const struct storage *storage, int64_t line, int64_t c);
    void (*find)(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c);
    int64_t (*label)(const struct storage *storage, int64_t line);

    /* NULL if all numbers speak for themselves. Append what element e of array q means where its number alone
     * does not tell, indices counted from 0: "column 2, row 5: 0000 0010|0101"; nothing for other arrays. */
    void (*explain)(const struct storage *storage, int q, int64_t e, struct text *text);
};

/* The table; the last one is NULL. */
extern const struct format *const formats[];

/* The format called so, or NULL. */
const struct format *format_find(const char *name);

/* Sizes of a planned or converted matrix. */
struct format_size {
    size_t bytes;     /* of all arrays */
    size_t allocated; /* bytes, and what is kept beside them (storage.kept) */
    size_t peak;      /* allocated, and what filling takes for a time (storage.scratch) */
    int64_t integers; /* elements of index arrays */
    int64_t slots;
    int64_t padding;      /* slots - nnz */
    double padding_ratio; /* slots / nnz; NaN if there is no entry */
    double dense_ratio;   /* bytes / bytes of the dense rows x cols array; NaN if that has none */
};

/* How a choice is stored, beside what the choice itself says. {0} is the default. */
struct format_options {
    bool wide;    /* 64-bit offsets even where 32 bits suffice */
    size_t limit; /* bytes that converting may take at once; 0: what memory_check takes by itself */
};

/* Plan: *storage has all but the data of its arrays. Nothing of the planned size is allocated, and
 * nothing beyond the limit. storage_free afterwards, also after failure. */
enum status format_plan(const struct format_choice *choice, const struct format_options *options,
                        const struct csr *a, struct progress *progress, struct storage *storage,
                        struct error *error);

/* Plan, refuse what is over the limit (STATUS_LIMIT with size, padding factor and limit), allocate and fill.
 * On failure *storage is as planned, without data, or {0} if it could not be planned. */
enum status format_convert(const struct format_choice *choice, const struct format_options *options,
                           const struct csr *a, struct progress *progress, struct storage *storage,
                           struct error *error);

/* Allocate and fill a planned storage. On failure it is as it was planned. */
enum status storage_build(struct storage *storage, const struct csr *a, struct progress *progress,
                          struct error *error);

/* What format_convert would say to a planned storage: STATUS_OK, or STATUS_LIMIT with size, padding factor
 * and limit, and with what filling takes beside the arrays if these alone would do. */
enum status storage_check(const struct storage *storage, size_t limit, struct error *error);

struct format_size storage_size(const struct storage *storage);

/* Value slots of all parts. */
int64_t storage_slots(const struct storage *storage);

/* Back to CSR, from the arrays alone. Single precision gives the rounded values. STATUS_INPUT if a place
 * occurs twice or lies outside the matrix. Parallel, O(slots log rows). The caller frees with csr_free. */
enum status storage_unpack(const struct storage *storage, struct progress *progress, struct csr *a,
                           struct error *error);

/* The generic invariants (lengths, and that as many slots hold an entry as the matrix has), then the format's
 * own. Parallel, O(slots). */
enum status storage_validate(const struct storage *storage, struct error *error);

/* What it is stored as: the choice, with what was left to the format as the format chose it. */
struct format_choice storage_choice(const struct storage *storage);

/* The name of that choice: "hyb:k=12". Writes into out (size bytes; CHOICE_NAME suffice) and returns it. */
char *storage_name(const struct storage *storage, char *out, size_t size);

/* True if slot e of a part holds no entry. */
bool storage_padding(const struct storage *storage, int part, int64_t e);

/* The spot of a place, and of entry k of `a` there (-1: none). */
struct spot storage_spot(const struct storage *storage, const struct csr *a, struct place place, int64_t k);

/* The array of values of a part. */
const struct array *storage_values(const struct storage *storage, int part);

/* Free the data of the arrays: it is only planned then. */
void storage_drop(struct storage *storage);

/* Free the arrays and everything else. Takes {0}. */
void storage_free(struct storage *storage);

/* "row", "column", "block row", ... */
const char *line_name(enum line_kind line);

#endif
