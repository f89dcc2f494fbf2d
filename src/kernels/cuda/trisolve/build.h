/* Shared by the files that make a plan: rows and pieces with their levels, before they get places. */
#ifndef SPARSIGHT_KERNELS_CUDA_TRISOLVE_BUILD_H
#define SPARSIGHT_KERNELS_CUDA_TRISOLVE_BUILD_H

#include "kernels/cuda/trisolve/plan.h"

/* Terms of an item. */
struct terms {
    int64_t first;
    int32_t count;
    bool pieces; /* items first .. first + count - 1, with factors of 1; else entries of a triangle */
};

/* A row, or a piece of one. The first items are the rows. */
struct item {
    struct terms early; /* for a cut row the pieces of its new terms; else none */
    struct terms fresh, old;
    int32_t level;
};

struct build {
    const struct trisolve_parts *parts;
    const struct triplan_options *options;
    const struct trisolve_triangle *own, *other; /* other: only with `both` */
    struct trisolve_triangle sorted;             /* a copy of `own`, if rows are cut */
    struct item *items;
    int64_t count, room;
    int64_t levels;
    int64_t old_levels;  /* pieces of old terms are in this number of first levels, which no segment has */
    int64_t *level_ptr;  /* levels + 1: the first element of `order` of each level */
    int32_t *order;      /* the items by level */
    int32_t *place;      /* of each item */
    int32_t *item;       /* of each place; -1: padding */
    int32_t *local_from; /* for each slice: columns of items of this level or a later one are its segment's
                            own; INT32_MAX in wide phases */
};

/* Return the number of terms of an item that wait for other items: new x, and pieces. */
static inline int64_t build_fresh_count(const struct item *item)
{
    return item->early.count + item->fresh.count + (item->old.pieces ? item->old.count : 0);
}

/* Find the item and the factor of waiting term k. True if it is a piece of old terms. */
static inline bool build_fresh_term(const struct build *build, const struct item *item, int64_t k,
                                    int64_t *from, double *factor)
{
    const struct terms *terms = &item->early;
    if (k >= terms->count) {
        k -= terms->count;
        terms = &item->fresh;
    }
    if (terms == &item->fresh && k >= terms->count) {
        k -= terms->count;
        terms = &item->old;
    }
    const int64_t at = terms->first + k;
    *from = terms->pieces ? at : build->own->col[at];
    *factor = terms->pieces ? 1 : build->own->val[at];
    return terms == &item->old;
}

/* Return the binary logarithm of the number of threads for a row of this many terms, with `each` terms per
 * thread. */
int build_shift(const struct build *build, int64_t terms, int64_t each);

/* Find items and levels. */
enum status build_levels(struct build *build, struct progress *progress, struct error *error);
/* Divide the levels into phases and segments, and give every item a place. */
enum status build_phases(struct build *build, struct triplan *plan, struct error *error);
/* Write the arrays of entries. */
enum status build_entries(struct build *build, struct triplan *plan, struct progress *progress,
                          struct error *error);

#endif
