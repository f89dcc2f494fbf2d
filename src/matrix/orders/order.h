/* Orders of the rows and columns of a matrix: a table of functions that find a permutation from the pattern
 * of a matrix, and the application of permutations to matrices and vectors. */
#ifndef SPARSIGHT_MATRIX_ORDERS_ORDER_H
#define SPARSIGHT_MATRIX_ORDERS_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "base/parameters.h"
#include "base/text.h"
#include "matrix/matrix.h"

/* The application of a permutation, in the order of order_apply_words: P A P^T, P A, A P^T, or with two
 * permutations P A Q^T. */
enum order_apply { APPLY_SYMMETRIC, APPLY_ROWS, APPLY_COLUMNS, APPLY_EACH };
extern const char *const order_apply_words[];

/* The lines that an order permutes. */
enum order_lines {
    LINES_ANY,      /* rows, columns, or both alike */
    LINES_ROWS,     /* rows; of a square matrix the columns may follow them */
    LINES_COLUMNS,  /* columns; of a square matrix the rows may follow them */
    LINES_EACH,     /* rows and columns in separate orders, unless a square matrix gets one order of both */
    LINES_VERTICES, /* the vertices of the graph of A + A^T: the matrix has to be square */
};

/* Line k of the reordered matrix is line from[k] of the natural one, k = 0, ..., count - 1. As matrices,
 * P e_from[k] = e_k. With APPLY_EACH, `from` is the permutation of the rows and `cols` that of the columns.
 * Owned; free with permutation_free, which takes {0}. */
struct permutation {
    int64_t count;
    int32_t *from;
    enum order_apply apply;
    int64_t col_count; /* 0 except with APPLY_EACH, */
    int32_t *cols;     /* and NULL */
};

/* The input of an order. */
struct ordering {
    const struct parameter_values *values; /* resolved: no number is NaN */
    const struct csr *a;
    bool symmetric; /* the pattern is symmetric, as the source states */
    enum order_apply apply;
    size_t limit;   /* bytes, for memory_check */
    double seconds; /* of processor time, after which AMD is stopped; 0: no bound */
    struct progress *progress;
};

struct order {
    const char *name;
    const char *summary;
    const char *source;                 /* the publication that defines it; "" if there is none */
    const char *package;                /* the Debian package that it needs; NULL: none */
    bool absent;                        /* this build was made without that package */
    bool ranked;                        /* only ranks compute it (src/ranks/orders): `compute` is NULL */
    enum order_lines lines;             /* the lines that it orders */
    enum order_apply usual;             /* its application by default, if the shape of the matrix allows it */
    bool lengths;                       /* it reads the lengths of the rows at most, and no columns */
    const struct parameter *parameters; /* the first is ORDER_APPLY; the last one has a NULL name */
    const char *wants;                  /* what its text parameter names, "a file"; NULL: it has none */

    /* Check the text that was given. STATUS_USAGE. NULL: any text is good. */
    enum status (*check)(const struct parameter_values *values, struct error *error);

    /* Choose the parameters that are NaN, by the numbers of rows and columns. NULL if there are none. */
    void (*resolve)(struct parameter_values *values, const struct csr *a);
    /* Return the peak bytes of `compute` beside the permutation; SIZE_MAX if the order is impossible. NULL if
     * it needs next to nothing. */
    size_t (*bytes)(const struct ordering *ordering);
    /* Fill in from[0..count-1] with the indices 0..count-1. It must not depend on the number of threads.
     * Returns STATUS_UNAVAILABLE or STATUS_LIMIT with the reason if it cannot order this matrix, or another
     * status for a real failure. NULL if the order is absent or ranked, or always has two permutations. */
    enum status (*compute)(const struct ordering *ordering, int32_t *from, int64_t count,
                           struct error *error);
    /* The same for separate orders of the rows and of the columns; the caller may request only one of them.
     * NULL if the order has one permutation. */
    enum status (*compute_each)(const struct ordering *ordering, int32_t *rows, int32_t *cols,
                                struct error *error);
};

/* The first parameter of all orders, index 0. */
extern const char order_apply_help[];
#define ORDER_APPLY(default_in_words)                                                                  \
    {                                                                                                  \
        .name = "apply", .help = order_apply_help, .type = PARAMETER_WORD, .words = order_apply_words, \
        .automatic = default_in_words                                                                  \
    }

/* The table of all orders, ended by NULL. */
extern const struct order *const orders[];

/* Append the text on all orders for the help and the manual: name and summary, parameters, source, and the
 * reason if it is unavailable. */
void orders_describe(struct text *text);

/* STATUS_UNAVAILABLE if this build does not have the order, with the package that is needed. */
enum status order_check(const struct order *order, struct error *error);

/* The same for a process without ranks: ranked orders are refused, too, and the message names the command
 * with ranks. */
enum status order_check_alone(const struct order *order, struct error *error);

/* Return the application of an order: the requested one (an order_apply), or if that is -1 the default for
 * the order and a matrix of this shape. */
enum order_apply order_apply_of(const struct order *order, int asked, const struct csr *a);

/* STATUS_UNAVAILABLE if a matrix of this shape does not allow this application. */
enum status order_check_shape(const struct order *order, enum order_apply apply, const struct csr *a,
                              struct error *error);

/* An order with its parameters. Start with {0}; free with order_choice_free. */
struct order_choice {
    const struct order *order;
    struct parameter_values values; /* NaN: the order chooses */
    double seconds; /* of processor time, after which AMD is stopped: STATUS_UNAVAILABLE; 0: no bound */
};

/* Read a choice that is written as "NAME" or "NAME:PARAMETER=VALUE,...". STATUS_USAGE for an unknown name or
 * parameter, with a list of the valid ones. */
enum status order_choice_read(const char *text, struct order_choice *choice, struct error *error);
void order_choice_free(struct order_choice *choice);

/* Copy a choice, with its text. STATUS_MEMORY. */
enum status order_choice_copy(const struct order_choice *choice, struct order_choice *copy,
                              struct error *error);

/* Write the name of the choice, "rcm:reverse=0", with the parameters that were given or chosen (except a
 * chosen `apply`), into out (`size` bytes; ORDER_NAME suffice, longer file names are cut), and return out. */
#define ORDER_NAME 256
char *order_choice_name(const struct order_choice *choice, char *out, size_t size);

/* Choices of orders, written as lists are (base/items.h): "rcm,length:apply=rows amd". */
struct order_list {
    struct order_choice *choices; /* owned */
    int count;
};

/* Append the choices of `text`, except those that the list already has. STATUS_USAGE, STATUS_MEMORY. */
enum status order_list_add(struct order_list *list, const char *text, struct error *error);

/* Append one choice, whose file name may have blanks and commas, unless the list already has it. */
enum status order_list_add_one(struct order_list *list, const char *text, struct error *error);
void order_list_free(struct order_list *list);

/* Compute the permutation of a matrix for a choice, whose parameters become resolved. It reads no values, so
 * that these may be missing, and no columns if order->lengths. STATUS_UNAVAILABLE if
 * this build does not have the order, or if it cannot order matrices of this shape; STATUS_LIMIT if it needs
 * more memory than `limit` (0: the default of memory_check) leaves beside the matrix, or if the library's
 * 32-bit counts would overflow; STATUS_INPUT, STATUS_IO for a file without it; STATUS_MEMORY,
 * STATUS_CANCELLED. On failure *permutation is {0}. */
enum status order_compute(struct order_choice *choice, const struct matrix *matrix, size_t limit,
                          struct progress *progress, struct permutation *permutation, struct error *error);

void permutation_free(struct permutation *permutation);

/* The permutation of the rows, or of the columns; NULL if they stay as they are. */
static inline const int32_t *permutation_rows(const struct permutation *permutation)
{
    return permutation->apply == APPLY_COLUMNS ? NULL : permutation->from;
}

static inline const int32_t *permutation_cols(const struct permutation *permutation)
{
    if (permutation->apply == APPLY_EACH) return permutation->cols;
    return permutation->apply == APPLY_ROWS ? NULL : permutation->from;
}

#endif
