/* Storage formats: a table of descriptors, and a matrix stored in one of them.
 *
 * A format is a function from a CSR matrix to a few arrays. `plan` computes their lengths before any array is
 * allocated; `fill` writes them. The other functions describe single elements: the position of slot e, the
 * slot of entry k, the elements of an array that entry k needs. Conversion back, the Layouts screen, the
 * report and the tests call only these functions, so that none of them knows a format by name. */
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

/* The type of an array's elements. Complex values are interleaved: real part, imaginary part. */
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

/* The role of an array. Traffic and coalescing of loads are reported by role. */
enum role {
    ROLE_VALUES,
    ROLE_COLUMNS,  /* column indices, or their substitutes: offsets of diagonals, block columns */
    ROLE_ROWS,     /* numbers of rows: row indices, permutations of rows, an entry's row in its strip */
    ROLE_POINTERS, /* the beginnings or ends of lines: offsets into other arrays, lengths of rows, counts of
                      blocks; no numbers of rows. All have the width that plan_offsets chooses */
};

/* One array of a stored matrix. `data` is NULL while the matrix is only planned. */
struct array {
    const char *name; /* the name that the format's source gives it: "row_ptr", "StripPtr" */
    const char *help; /* one line that defines element e */
    enum role role;
    enum element element;
    int part; /* the part of the storage that the array belongs to: 0, or 1 for the COO of HYB and JDS or for
                 a tail */
    bool per_slot; /* true if element e belongs to slot e of its part */
    int64_t length;
    void *data;
};

#define STORAGE_ARRAYS 12
#define STORAGE_NUMBERS 8
#define STORAGE_PARTS 2

struct format;
struct criteria_rules;
struct storage;

/* Plan a matrix in a choice of a format, or find that plan, which is valid until the next call. */
typedef enum status plan_function(void *context, const struct format_choice *choice, size_t limit,
                                  struct progress *progress, const struct storage **plan,
                                  struct error *error);

/* The plans of a matrix in other formats, so that a format can use their counts (plan_other in
 * formats/fill.h). */
struct plans {
    plan_function *plan;
    void *context;
};

/* A matrix in a format. It owns all its arrays; the caller frees it with storage_free. The enums in the
 * format's header (formats/NAME.h) give the indices of its arrays and numbers; kernels use the same enums. */
struct storage {
    const struct format *format;
    struct parameter_values values; /* resolved, so that no number is NaN */
    enum precision precision;
    bool complex;
    bool wide;      /* true if offsets have 64 bits; `plan` sets it if one does not fit in 32 */
    size_t limit;   /* limit in bytes of the temporary memory of plan, and of fill with the arrays; 0: the
                       default of memory_check */
    size_t scratch; /* the peak of the temporary bytes of fill */
    int64_t rows, cols, nnz;
    /* Half storage: an entry of part 1 also represents its mirror image, whose value follows from `symmetry`.
     * SYMMETRY_GENERAL if each entry has its own slot, as in all other formats. */
    enum symmetry symmetry;
    int64_t mirrored;             /* the entries without their own slot, because their mirror image has one */
    int64_t slots[STORAGE_PARTS]; /* the value slots of each part; part 1 never has padding */
    int count;                    /* the number of arrays */
    struct array array[STORAGE_ARRAYS];
    int64_t number[STORAGE_NUMBERS];
    bool estimated;            /* the number of blocks is estimated: the entries are not in memory */
    double size_error;         /* half the 95% interval of the bytes; 0 unless estimated */
    const struct plans *plans; /* during planning, the plans of the same matrix; NULL: none */
    /* Bit e is set if slot e of part 0 holds an entry although its value is 0: the value alone would make it
     * look like padding. NULL if there is no such entry, or no padding. No kernel reads these bits, and no
     * displayed size counts them. */
    uint64_t *kept;
    /* In an outline (formats/outline.h), whose values have no data, byte e is 1 if slot e of part 0 holds an
     * entry, and 0 if it is padding. NULL in other storages, and if there is no padding. */
    uint8_t *entry;
    double seconds;  /* seconds of the conversion: planning and, once the storage is built, allocating and
                        filling */
    double planning; /* the seconds of planning, including those of another plan that it used */
};

/* A row and a column, counted from 0; either is -1 if it does not apply. */
struct place {
    int64_t row, col;
};

/* The position of the cursor, and the slot with its entry, -1 if there is none. */
struct spot {
    struct place place;
    int part;
    int64_t slot;
};

/* The elements first .. end-1 of an array. */
struct extent {
    int64_t first, end;
};

/* Whether a group begins at an element: the Layouts screen draws a thin or a thick rule before it. */
enum rule {
    RULE_NONE,
    RULE_MINOR, /* a row, a diagonal or a column of ELL begins */
    RULE_MAJOR, /* a section, a strip or a chunk begins */
};

/* The kind of a line of a picture. Rows and columns are those of the matrix, and their cells differ in the
 * other index; the format names and numbers all other lines. */
enum line_kind {
    LINE_ROW,
    LINE_COLUMN,
    LINE_OTHER,
};

/* The picture of part 0: lines of cells, each cell being a slot. ELL's picture is the padded rectangle, JDS's
 * the sorted rows, and CMRS's has a strip in each line. */
struct shape {
    enum line_kind line;
    const char *name; /* the name of a line of LINE_OTHER: "strip" */
    int64_t lines;    /* the number of lines, which may be 0 */
    int64_t wide;     /* the number of cells of the longest line */
};

/* The lengths of the lines that a kernel traverses. */
enum format_lines {
    FORMAT_EVEN,      /* padding makes them equal: ELL, and JDS, whose diagonals vary little */
    FORMAT_ROWS,      /* rows have their lengths in the matrix: CSR */
    FORMAT_COLUMNS,   /* columns have their lengths in the matrix: CSC */
    FORMAT_CHUNKS,    /* chunks of rows have the length of their longest row: SELL */
    FORMAT_BLOCKS,    /* block rows have different numbers of blocks: BSR */
    FORMAT_DIAGONALS, /* diagonals of the whole matrix; x is read in order along them: DIA */
};

/* A choice of a format that the calibration of processors times (kernels/timing/processor.h). */
struct format_trial {
    const char *parameters;
    bool first; /* it is likely to be recommended, so it is timed first */
    bool quick; /* it is timed even if time is short */
    bool even;  /* with these parameters lines have equal lengths, unlike the format's in general */
};

struct format {
    const char *name;                   /* "ell" */
    const char *title;                  /* "ELLPACK" */
    const char *summary;                /* one line that describes how the format stores a matrix */
    const char *source;                 /* paper and section or figure */
    const char *wins;                   /* the matrices that it suits, in whole sentences */
    const struct parameter *parameters; /* ends with a NULL name */
    const char *pads; /* the reason for padding, in words that follow "since": "blocks are not full"; NULL if
                         rows differ in length, or there is no padding */
    double convert_cost; /* cost of converting CSR: time / time to read CSR and write the storage at the copy
                            bandwidth, measured on meshes with two threads; 0: unknown */
    bool whole; /* planning reads all entries of a square matrix, so that it is unavailable for streams and
                 ranks
                 */
    bool tells_values;   /* some kernels encode values by bytes if few differ (formats/unique.h), so that
                            outlines of such matrices have values */
    const char *example; /* the parameters of the manual's worked example; NULL: the defaults */
    const char *const *variants; /* the parameters of the choices that reports list by default; the first is
                                    "", and NULL ends them */

    const struct criteria_rules
        *criteria; /* the rules of its rating (formats/criteria_rules.h); NULL: only space is rated */
    enum format_lines lines;
    const struct format_trial
        *trials; /* choices with different loops; the first has the defaults, if they can be timed; an item
                    with NULL parameters ends the list. NULL: only the defaults */

    /* Return w if each w consecutive rows are sorted by length, longest first; NULL if rows keep their
     * order. */
    int64_t (*sorted_window)(const struct storage *storage);
    /* Return the slots of the longest line; NULL if all lines are equally long, or if this is not needed. */
    int64_t (*longest)(const struct storage *storage);
    /* Return the slots of each row if padding repeats the column of the row's last entry, so that A^T x adds
     * to that element again; 0 if it does not, NULL if it never does. */
    int64_t (*repeats)(const struct storage *storage);
    /* Resolve storage->values, and set the slots, the numbers and the lengths of the arrays for `a`. The
     * caller has set rows, cols, nnz, precision, complex, wide and limit; plan may set wide, by plan_offsets.
     * Its temporary memory is O(rows + cols), and is checked against the limit (may_plan). It announces the
     * temporary memory of fill (plan_scratch). Returns STATUS_USAGE for parameters that contradict each
     * other, and STATUS_LIMIT for a storage that cannot be represented or would exceed the limit. */
    enum status (*plan)(struct storage *storage, const struct csr *a, struct progress *progress,
                        struct error *error);
    /* Write all arrays, which are allocated and not initialised. Temporary memory is at most the amount that
     * plan announced. It works in parallel, and the result does not depend on the number of threads. */
    enum status (*fill)(struct storage *storage, const struct csr *a, struct progress *progress,
                        struct error *error);
    /* Check the storage without the matrix: offsets ascend and end correctly, and indices are in range.
     * Returns STATUS_INPUT with the array and the element that is wrong. */
    enum status (*validate)(const struct storage *storage, struct error *error);

    /* Return the position of slot e of a part. The position of padding is the row and the column that a
     * kernel would use for it; the row, the column or both are -1 if the slot lies beyond the matrix, or if
     * its column index only marks padding. */
    struct place (*place)(const struct storage *storage, int part, int64_t e);
    /* Return the slot of entry k of `a`, which lies in row i, and write its part into *part. O(log nnz), or
     * time proportional to the length of a strip or section. */
    int64_t (*locate)(const struct storage *storage, const struct csr *a, int64_t i, int64_t k, int *part);
    /* Return the elements of array q, which is not per slot, that a kernel needs to reach the spot, or to
     * find that the spot has no entry. An entry of part 0 needs at least one element of every such array of
     * part 0, and every element is needed for some spot. */
    struct extent (*touch)(const struct storage *storage, int q, const struct spot *spot);
    /* Return the first position to which element e of array q, which is not per slot, leads. A row without a
     * column (-1) means the first entry of that row. A column without a row (-1) means a column whose first
     * entry the arrays do not have, such as an empty one. Both are -1 for the last element of an array of
     * pointers, and only there. touch and leads are consistent: the elements touched by the position to which
     * an element leads include that element. */
    struct place (*leads)(const struct storage *storage, int q, int64_t e);
    /* Return the rule before element e > 0 of array q, which is the same for all arrays that have an element
     * for each slot of a part. If slots have their own indices, a group begins at each slot that is neither
     * the right nor the lower neighbour of the previous slot in the picture. */
    enum rule (*rule)(const struct storage *storage, int q, int64_t e);

    /* All four functions are NULL if there is no picture, as for COO. `cell` returns the slot at position c
     * of a line, or -1 if the line is shorter. `find` writes the line and position of a spot: the position is
     * -1 if the spot has no slot in part 0, and the line is -1 if no line could have it. `label` returns the
     * number of a line, counted from 0: for rows and columns their index, or -1 if the matrix has no such row
     * or column. */
    struct shape (*shape)(const struct storage *storage);
    int64_t (*cell)(const struct storage *storage, int64_t line, int64_t c);
    void (*find)(const struct storage *storage, const struct spot *spot, int64_t *line, int64_t *c);
    int64_t (*label)(const struct storage *storage, int64_t line);

    /* Append the meaning of element e of array q if its number needs decoding, with indices counted from 0:
     * "column 2, row 5 of its strip: 0000 0010|0101". Nothing is appended for other arrays. NULL if the
     * format has no such array. */
    void (*explain)(const struct storage *storage, int q, int64_t e, struct text *text);
};

/* The table of all formats, which NULL ends. */
extern const struct format *const formats[];

/* Return the format of this name, or NULL. */
const struct format *format_find(const char *name);

/* Return the number of rows in each window of which rows are sorted by length, longest first; 1 if rows keep
 * their order. */
int64_t storage_sorted_window(const struct storage *storage);

/* Sizes of a planned or converted matrix. */
struct format_size {
    size_t bytes;     /* the bytes of all arrays */
    double error;     /* half the 95% interval of `bytes` if these are estimated; 0 if they are exact */
    size_t allocated; /* `bytes`, and those of the bits beside the arrays (storage.kept) */
    size_t peak;      /* `allocated`, and the temporary memory of filling (storage.scratch) */
    int64_t integers; /* the number of elements of all arrays that hold no values */
    int64_t slots;
    int64_t apart;        /* the slots of part 1, such as the COO part of HYB */
    int64_t padding;      /* the slots without an entry: slots + mirrored - nnz */
    double padding_ratio; /* the padding factor, slots / nnz; NaN if there is no entry */
    double dense_ratio;   /* bytes / bytes of the dense rows x cols array; NaN if that array is empty */
};

/* Options of storing a choice. {0} is the default. */
struct format_options {
    bool wide;                 /* true if offsets have 64 bits even where 32 bits suffice */
    size_t limit;              /* limit in bytes for converting; 0: the default of memory_check */
    const struct plans *plans; /* plans that exist, or can be kept; NULL: none */
};

/* Plan a conversion: afterwards *storage has everything except the data of its arrays. This allocates nothing
 * of the planned size, and nothing beyond the limit. The caller calls storage_free, also after failure. */
enum status format_plan(const struct format_choice *choice, const struct format_options *options,
                        const struct csr *a, struct progress *progress, struct storage *storage,
                        struct error *error);

/* Plan, allocate and fill a storage. A storage over the limit is refused with STATUS_LIMIT; the message has
 * size, padding factor and limit. On failure *storage is as planned, without data, or {0} if it could not be
 * planned. */
enum status format_convert(const struct format_choice *choice, const struct format_options *options,
                           const struct csr *a, struct progress *progress, struct storage *storage,
                           struct error *error);

/* Allocate and fill a planned storage. On failure the storage remains planned. */
enum status storage_build(struct storage *storage, const struct csr *a, struct progress *progress,
                          struct error *error);

/* Return the status that format_convert would return for a planned storage: STATUS_OK, or STATUS_LIMIT with
 * size, padding factor and limit. If only the temporary memory of filling exceeds the limit, the error also
 * states it. */
enum status storage_check(const struct storage *storage, size_t limit, struct error *error);

struct format_size storage_size(const struct storage *storage);

/* Return the number of value slots of all parts. */
int64_t storage_slots(const struct storage *storage);

/* Convert a storage back to CSR, from its arrays alone. In single precision the values are the rounded
 * ones. Returns STATUS_INPUT if a position occurs twice or lies outside the matrix. Parallel, O(slots log
 * rows). The caller frees *a with csr_free. */
enum status storage_unpack(const struct storage *storage, struct progress *progress, struct csr *a,
                           struct error *error);

/* Check the invariants of all formats: arrays per slot have one element for each slot, and the number of
 * slots with an entry is the number of entries of the matrix. Then call the format's own `validate`.
 * Parallel, O(slots). Returns STATUS_INPUT with the fault. */
enum status storage_validate(const struct storage *storage, struct error *error);

/* Return the choice of the storage, with the values that the format chose for its other parameters. */
struct format_choice storage_choice(const struct storage *storage);

/* Write the name of storage_choice, such as "hyb:k=12", into out (size bytes; CHOICE_NAME suffice), and
 * return out. */
char *storage_name(const struct storage *storage, char *out, size_t size);

/* Return true if there is padding. */
bool storage_pads(const struct storage *storage);

/* Return true if slot e of a part holds no entry. */
bool storage_padding(const struct storage *storage, int part, int64_t e);

/* Return the spot of a position where `a` has entry k; k is -1 if there is no entry. */
struct spot storage_spot(const struct storage *storage, const struct csr *a, struct place place, int64_t k);

/* Return the array of values of a part. */
const struct array *storage_values(const struct storage *storage, int part);

/* Free the data of the arrays, so that the storage is only planned. */
void storage_drop(struct storage *storage);

/* Free the arrays and everything else. Takes {0}. */
void storage_free(struct storage *storage);

/* Return "row", "column", "strip", ... */
const char *line_name(const struct shape *shape);

#endif
