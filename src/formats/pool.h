/* A pool of storages: one matrix stored as several choices of formats, each planned and converted once for
 * all who need it.
 *
 * Who needs a storage takes it and gives it back. While somebody holds it, it stays where it is. What nobody
 * holds is freed at once, unless it is kept since it will be taken again; what is kept makes room for others
 * where the limit is short, and is then converted anew when it is taken. What a conversion tells, the size of
 * its storage and how long it took, stays known when the arrays are freed.
 *
 * One thread at a time calls these functions. Another one may meanwhile read storages that are held. */
#ifndef SPARSIGHT_FORMATS_POOL_H
#define SPARSIGHT_FORMATS_POOL_H

#include "formats/format.h"

/* What the pool has of a choice. */
struct pooled {
    struct format_choice choice;
    struct storage storage; /* its format is NULL until it is planned; then without arrays unless `built` */
    bool built;
    bool converted; /* it was built once: storage.seconds are those of its first conversion */
    bool kept;      /* it stays although nobody holds it */
    int holders;
};

/* Start with {.a = the matrix}; free with pool_free. */
struct pool {
    const struct csr *a;   /* the caller's; it must stay */
    struct pooled **items; /* owned; the oldest first */
    int count, capacity;
};

/* Plan a choice, so that the size of its storage is known, and make sure that it alone would keep the limit
 * (bytes; 0: what memory_check takes by itself). *plan is the pool's, without arrays unless it is built, and
 * stays until pool_free or until some hundred others were planned; it is NULL if the choice cannot be
 * planned. It is there although it would exceed the limit (STATUS_LIMIT). */
enum status pool_plan(struct pool *pool, const struct format_choice *choice, size_t limit,
                      struct progress *progress, const struct storage **plan, struct error *error);

/* Take the storage of a choice, which is converted if it is not there. What is kept and held by nobody makes
 * room: so that it and the new storage together keep the limit, and if the new one could not be had else.
 * pool_release afterwards. On failure nothing is held, and *storage is as pool_plan leaves it. */
enum status pool_take(struct pool *pool, const struct format_choice *choice, size_t limit,
                      struct progress *progress, const struct storage **storage, struct error *error);

/* Give a storage back. Takes NULL. */
void pool_release(struct pool *pool, const struct storage *storage);

/* Convert a choice unless it was converted before: plan->seconds are those of its conversion then. */
enum status pool_measure(struct pool *pool, const struct format_choice *choice, size_t limit,
                         struct progress *progress, const struct storage **plan, struct error *error);

/* Keep the storage of a choice, also one that is not there yet, from when it was taken until it is not kept
 * any more. STATUS_MEMORY. */
enum status pool_keep(struct pool *pool, const struct format_choice *choice, struct error *error);
void pool_unkeep(struct pool *pool, const struct format_choice *choice);
void pool_unkeep_all(struct pool *pool);

/* True if the storage of a choice is there. */
bool pool_has(const struct pool *pool, const struct format_choice *choice);

/* Free everything; nobody holds anything any more. Takes {0}. */
void pool_free(struct pool *pool);

#endif
