/* A pool of storages: one matrix stored as several choices of formats, each planned and converted once for
 * all callers.
 *
 * A caller that needs a storage takes it and gives it back. While a caller holds a storage, its address is
 * stable. A storage without holders is freed at once, unless it is marked to be kept for later use. A kept
 * storage without holders is freed if the limit leaves no room for another one, and is converted again when
 * it is taken. The size and the conversion time of a storage stay known after its arrays are freed.
 *
 * Only one thread at a time may call these functions. Other threads may meanwhile read storages that are
 * held. */
#ifndef SPARSIGHT_FORMATS_POOL_H
#define SPARSIGHT_FORMATS_POOL_H

#include "base/pages.h"
#include "formats/format.h"

/* One choice and its storage. */
struct pooled {
    struct format_choice choice;
    struct storage storage; /* its format is NULL until it is planned; its arrays have data only if `built` */
    struct storage outline; /* its arrays have data only while it has `watchers` */
    bool built;
    bool converted; /* true if it was built once; storage.seconds is the time of that first conversion */
    bool kept;      /* true if it stays without holders */
    int holders;
    int watchers; /* number of holders of the outline */
};

/* A pool starts as {.a = the matrix} and is freed with pool_free. */
struct pool {
    const struct csr *a;   /* the caller's matrix, which must outlive the pool */
    struct pooled **items; /* owned; the oldest first */
    int count, capacity;
    struct pages pages; /* the pages of outlines */
};

/* Plan a choice, so that the size of its storage is known, and return STATUS_LIMIT if this storage alone
 * would exceed `limit` bytes (0: the default of memory_check). The pool owns *plan, which has no arrays
 * unless it is built. It is valid until pool_free, or until some hundred others have been planned. It is NULL
 * if the choice cannot be planned, but not if only its storage exceeds the limit. */
enum status pool_plan(struct pool *pool, const struct format_choice *choice, size_t limit,
                      struct progress *progress, const struct storage **plan, struct error *error);

/* Take the storage of a choice, which is converted if it is not built. If the new storage and the kept ones
 * without holders would together exceed the limit, the oldest of these are freed. The caller gives the
 * storage back with pool_release. On failure nothing is held, and *storage is the result of pool_plan. If
 * only a pattern requested the choice (choice->by_pattern), a storage that is not built may be left out
 * (pool_leaves_out), with STATUS_LIMIT. */
enum status pool_take(struct pool *pool, const struct format_choice *choice, size_t limit,
                      struct progress *progress, const struct storage **storage, struct error *error);

/* Return true if pool_take and pool_outline refuse a storage of this size that only a pattern requested: it
 * takes more than 1 GiB, and more than a hundred times the bytes of CSR. Padding makes DIA of a matrix of 21
 * MiB 106 GiB large: no one who lists "all" wants it built. */
bool pool_leaves_out(const struct csr *a, enum precision precision, const struct format_size *size);

/* Give a storage back. Takes NULL. */
void pool_release(struct pool *pool, const struct storage *storage);

/* Take the storage of a choice for reading without values: the storage if it is built, else its outline
 * (formats/outline.h). The caller gives it back with pool_release. The pages of outlines are kept for other
 * outlines until pool_rest. On failure nothing is held, and *storage is the result of pool_plan. The same are
 * left out as by pool_take. */
enum status pool_outline(struct pool *pool, const struct format_choice *choice, size_t limit,
                         struct progress *progress, const struct storage **storage, struct error *error);

/* Free the pages of outlines without holders. */
void pool_rest(struct pool *pool);

/* Convert a choice unless it was converted before, so that plan->seconds is the time of its conversion. */
enum status pool_measure(struct pool *pool, const struct format_choice *choice, size_t limit,
                         struct progress *progress, const struct storage **plan, struct error *error);

/* Mark a choice, so that its storage is kept without holders; it need not be built yet. Returns STATUS_MEMORY
 * if memory is short. */
enum status pool_keep(struct pool *pool, const struct format_choice *choice, struct error *error);

/* Remove the mark from a choice, or from all, and free storages without holders. */
void pool_unkeep(struct pool *pool, const struct format_choice *choice);
void pool_unkeep_all(struct pool *pool);

/* Return true if the storage of a choice is built. */
bool pool_has(const struct pool *pool, const struct format_choice *choice);

/* Free everything. No storage of the pool may be held. Takes {0}. */
void pool_free(struct pool *pool);

#endif
