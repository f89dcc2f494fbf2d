/* The formats of a session's matrix: which are of interest, how large each is, and those that were built. */
#ifndef SPARSIGHT_SESSION_CONVERSIONS_H
#define SPARSIGHT_SESSION_CONVERSIONS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/job.h"
#include "formats/format.h"
#include "matrix/csr.h"

enum conversion_state {
    CONVERSION_WANTED,  /* nothing is known yet */
    CONVERSION_PLANNED, /* its size is */
    CONVERSION_BUILT,   /* the arrays are there */
    CONVERSION_REFUSED, /* `refusal` says why; its size is known unless it cannot even be planned */
};

/* The matrix as one choice of a format. Another thread than the one that plans or
 * builds it may read `name`, `resolved` and `size` once `sized` is true, `refusal` in CONVERSION_REFUSED, and
 * `storage` and `seconds` in CONVERSION_BUILT; they change no more until the conversion is dropped. */
struct conversion {
    struct format_choice choice; /* as asked for */
    bool keep;         /* the arrays stay once built; else only what is known of them. Set before building */
    bool declined;     /* the user does not want it built by itself; for the screen's thread alone */
    _Atomic int state; /* enum conversion_state */
    atomic_bool sized; /* true also for one that is refused for its size */
    struct format_choice resolved; /* as asked for until it is sized, then as the format chose */
    char name[96];                 /* of that: "hyb:k=12" */
    struct format_size size;
    struct storage storage;
    double seconds; /* that building took; NaN if it was not built */
    struct error refusal;
};

#define CONVERSIONS_MAX 256

/* All conversions, in the order they were asked for. One thread adds and drops, while another may read or
 * build. */
struct conversions {
    struct conversion *items[CONVERSIONS_MAX]; /* owned */
    atomic_int count;
};

/* Those that somebody looks at. */
#define CONVERSIONS_SHOWN 24
struct conversions_shown {
    struct conversion *items[CONVERSIONS_SHOWN];
    int count;
};

/* The conversion of this choice: the one there is, or a new one that is WANTED. NULL without memory, or if
 * there are too many. */
struct conversion *conversions_want(struct conversions *conversions, const struct format_choice *choice,
                                    struct error *error);

/* The one there is, or NULL. */
struct conversion *conversions_find(const struct conversions *conversions,
                                    const struct format_choice *choice);

/* Ask for every format in all its variants, as reports list them. */
enum status conversions_want_all(struct conversions *conversions, enum precision precision,
                                 struct error *error);

/* Plan a conversion, so that its size is known. A refusal is no failure: the state tells it. Fails only with
 * STATUS_CANCELLED, and then stays as it was: want of memory is a refusal too. */
enum status conversion_plan(struct conversion *conversion, const struct csr *a, size_t limit,
                            struct progress *progress, struct error *error);

/* The same, and build it unless it is refused. If it is not to be kept its arrays are freed again, and it is
 * PLANNED with `seconds`. */
enum status conversion_build(struct conversion *conversion, const struct csr *a, size_t limit,
                             struct progress *progress, struct error *error);

/* Remove a conversion and free it. No other thread may be reading the list. */
void conversions_drop(struct conversions *conversions, struct conversion *conversion);

/* Give up what nobody looks at: of conversions that are not shown, the arrays of those asked for first, until
 * the others hold at most `bytes`; and whole conversions, if no report lists them by themselves, but for the
 * last few. No other thread may be reading the list. */
void conversions_trim(struct conversions *conversions, const struct conversions_shown *shown, size_t bytes);

static inline enum conversion_state conversion_state(const struct conversion *conversion)
{
    return (enum conversion_state)atomic_load_explicit(&conversion->state, memory_order_acquire);
}

void conversions_free(struct conversions *conversions);

#endif
