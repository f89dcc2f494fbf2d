/* The conversions of a matrix to formats requested by screens and reports: the size of each, and the storages
 * of built ones. */
#ifndef SPARSIGHT_SESSION_CONVERSIONS_H
#define SPARSIGHT_SESSION_CONVERSIONS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/criteria.h"
#include "base/error.h"
#include "base/job.h"
#include "formats/pool.h"

enum conversion_state {
    CONVERSION_WANTED,  /* nothing is known of it yet */
    CONVERSION_PLANNED, /* its size is known */
    CONVERSION_BUILT,   /* its storage is kept in memory */
    CONVERSION_REFUSED, /* `refusal` has the reason; its size is known unless planning failed */
};

/* The matrix as one choice of a format. While one thread plans or builds it, another may read `name`,
 * `resolved`, `size` and `criteria` once `sized` is true, `refusal` in the state CONVERSION_REFUSED, and
 * `storage` and `seconds` in the state CONVERSION_BUILT; these do not change until the conversion is trimmed
 * or dropped. */
struct conversion {
    struct format_choice choice; /* as requested */
    struct pool *pool;           /* the source of its storage; NULL if the matrix is not in memory */
    bool complex;                /* the values are */
    bool
        keep; /* the storage is kept after it is built; else only its time is measured. Set before building */
    bool patterned; /* a pattern such as "all" requested the build */
    bool named;     /* its name requested the build, so its size does not matter (format_choice.by_pattern) */
    bool declined;  /* it failed or was cancelled: no automatic retry; only for the screen's thread */
    _Atomic int state;             /* enum conversion_state */
    atomic_bool sized;             /* the size is known, even if it is refused for its size */
    struct format_choice resolved; /* as requested until it is sized, then as the format chose */
    char name[96];                 /* of `resolved`: "hyb:k=12" */
    struct format_size size;
    struct criteria criteria;      /* known with the size */
    const struct storage *storage; /* the storage while it is built, else NULL */
    double seconds;                /* of the conversion; NaN before it */
    struct error refusal;
};

#define CONVERSIONS_MAX 256

/* All conversions of a matrix, in the order of the requests. One thread adds and drops, while another may
 * read or build. */
struct conversions {
    struct pool *pool;                         /* of the matrix; the case's. NULL if that is not in memory */
    struct conversion *items[CONVERSIONS_MAX]; /* owned */
    atomic_int count;
};

/* The conversions that a screen shows. */
#define CONVERSIONS_SHOWN 24
struct conversions_shown {
    struct conversion *items[CONVERSIONS_SHOWN];
    int count;
};

/* The conversion of this choice: an existing one, or a new one that is WANTED. NULL without memory, or if
 * there are too many. */
struct conversion *conversions_want(struct conversions *conversions, const struct format_choice *choice,
                                    struct error *error);

/* Facts on the matrix in a format, when the matrix is not in memory. */
struct known_conversion {
    struct format_choice resolved; /* with the parameters that the format chose */
    bool sized;
    struct format_size size;     /* if it is sized, */
    struct criteria criteria;    /* its criteria, if it is sized */
    double seconds;              /* of the conversion; NaN if unknown */
    const struct error *refusal; /* the reason if the format was refused; else NULL */
};

/* Add the facts on a choice, once for each: it is then PLANNED or REFUSED, and never built. Fails as
 * conversions_want does. */
enum status conversions_know(struct conversions *conversions, const struct format_choice *choice,
                             bool complex, const struct known_conversion *known, struct error *error);

/* Find the conversion of this choice; NULL if there is none. */
struct conversion *conversions_find(const struct conversions *conversions,
                                    const struct format_choice *choice);

/* Request every format in all its variants, as reports list them. */
enum status conversions_want_all(struct conversions *conversions, enum precision precision,
                                 struct error *error);

/* Plan a conversion, so that its size is known. A refusal is not a failure but a state, even for lack of
 * memory or entries. Fails only with STATUS_CANCELLED, and then the conversion is unchanged. */
enum status conversion_plan(struct conversion *conversion, size_t limit, struct progress *progress,
                            struct error *error);

/* Plan a conversion and build it, unless it is refused. If it is to be kept its storage is taken from the
 * pool; else it is PLANNED afterwards, with the seconds of the conversion. */
enum status conversion_build(struct conversion *conversion, size_t limit, struct progress *progress,
                             struct error *error);

/* Record that other processes have built a planned conversion in these seconds, or could not build it. */
void conversion_built_apart(struct conversion *conversion, double seconds);
void conversion_refused_apart(struct conversion *conversion, const struct error *refusal);

/* Remove a conversion and free it. No other thread may be reading the list. */
void conversions_drop(struct conversions *conversions, struct conversion *conversion);

/* Drop conversions that are not shown: free the storages of the oldest requests until the others hold at most
 * `bytes`; and remove all but the last few of those that reports do not list by default. No other thread may
 * be reading the list. */
void conversions_trim(struct conversions *conversions, const struct conversions_shown *shown, size_t bytes);

static inline enum conversion_state conversion_state(const struct conversion *conversion)
{
    return (enum conversion_state)atomic_load_explicit(&conversion->state, memory_order_acquire);
}

/* The five criteria of the format for the matrix (analysis/criteria.h), shown by the columns of
 * part_criteria; NULL until the conversion is sized. Planning computes them: after
 * session_need(SESSION_SIZES) those of all requested conversions are known. */
static inline const struct criteria *conversion_criteria(const struct conversion *conversion)
{
    return atomic_load(&conversion->sized) ? &conversion->criteria : NULL;
}

void conversions_free(struct conversions *conversions);

#endif
