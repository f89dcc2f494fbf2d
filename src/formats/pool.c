#include "formats/pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/outline.h"

/* Number of choices above which unused ones are dropped. */
#define POOL_IDLE 256

/* The bounds of pool_leaves_out: bytes, and a multiple of the bytes of CSR. */
#define PATTERN_FLOOR ((size_t)1 << 30)
#define PATTERN_TIMES 100

static struct pooled *find(const struct pool *pool, const struct format_choice *choice)
{
    for (int k = 0; k < pool->count; k++)
        if (format_choice_same(&pool->items[k]->choice, choice)) return pool->items[k];
    return NULL;
}

static bool is_idle(const struct pooled *item)
{
    return item->holders == 0 && item->watchers == 0 && !item->kept;
}

static void drop(struct pooled *item)
{
    storage_drop(&item->storage);
    item->built = false;
}

/* Drop the oldest item without holders that is not kept, if there are POOL_IDLE items or more. */
static void forget_one(struct pool *pool)
{
    int k = 0;
    while (k < pool->count && !is_idle(pool->items[k]))
        k++;
    if (pool->count < POOL_IDLE || k == pool->count) return;
    storage_free(&pool->items[k]->storage);
    free(pool->items[k]);
    memmove(&pool->items[k], &pool->items[k + 1], (size_t)(--pool->count - k) * sizeof *pool->items);
}

/* Return the item of a choice, adding it if it is new; NULL without memory. */
static struct pooled *want(struct pool *pool, const struct format_choice *choice, struct error *error)
{
    struct pooled *item = find(pool, choice);
    if (item) return item;
    forget_one(pool);
    if (pool->count == pool->capacity) {
        int capacity = pool->capacity ? 2 * pool->capacity : 32;
        struct pooled **items = memory_resize(pool->items, (size_t)capacity, sizeof *items, error);
        if (!items) return NULL;
        pool->items = items;
        pool->capacity = capacity;
    }
    item = memory_zeroed(1, sizeof *item, error);
    if (!item) return NULL;
    item->choice = *choice;
    pool->items[pool->count++] = item;
    return item;
}

static plan_function plan_for_others;

static enum status plan(struct pool *pool, const struct format_choice *choice, size_t limit,
                        struct progress *progress, struct pooled **planned, struct error *error)
{
    const struct plans plans = {plan_for_others, pool};
    const struct format_options options = {.limit = limit, .plans = &plans};
    struct pooled *item = want(pool, choice, error);
    enum status status = STATUS_OK;
    *planned = NULL;
    if (!item) return STATUS_MEMORY;
    if (!item->storage.format) {
        item->holders++; /* it stays while it has others planned */
        status = format_plan(choice, &options, pool->a, progress, &item->storage, error);
        item->holders--;
    }
    if (status == STATUS_OK) *planned = item;
    return status;
}

static enum status plan_for_others(void *context, const struct format_choice *choice, size_t limit,
                                   struct progress *progress, const struct storage **storage,
                                   struct error *error)
{
    struct pooled *item;
    enum status status = plan(context, choice, limit, progress, &item, error);
    if (status == STATUS_OK) *storage = &item->storage;
    return status;
}

enum status pool_plan(struct pool *pool, const struct format_choice *choice, size_t limit,
                      struct progress *progress, const struct storage **storage, struct error *error)
{
    struct pooled *item;
    enum status status = plan(pool, choice, limit, progress, &item, error);
    *storage = item ? &item->storage : NULL;
    return status == STATUS_OK ? storage_check(*storage, limit, error) : status;
}

/* Return the oldest built item without holders, or NULL if there is none. It is a kept one, since others are
 * dropped by their last holder. */
static struct pooled *find_spare(const struct pool *pool)
{
    for (int k = 0; k < pool->count; k++)
        if (pool->items[k]->built && pool->items[k]->holders == 0) return pool->items[k];
    return NULL;
}

/* Return the bytes of all built storages without holders. */
static size_t spare_bytes(const struct pool *pool)
{
    size_t bytes = 0;
    for (int k = 0; k < pool->count; k++)
        if (pool->items[k]->built && pool->items[k]->holders == 0)
            size_add(bytes, storage_size(&pool->items[k]->storage).allocated, &bytes);
    return bytes;
}

/* Free storages without holders, the oldest first, until the rest of them and the new storage together stay
 * within the limit. If the new one alone exceeds it, nothing is freed, and STATUS_LIMIT is returned. */
static enum status make_room(struct pool *pool, const struct pooled *item, size_t limit, struct error *error)
{
    size_t wanted = storage_size(&item->storage).peak, room = memory_limit(limit);
    /* Without a user's limit, `room` is nine tenths of the available memory. Storages without holders count
     * as available, since they can be freed. */
    if (limit == 0) size_add(room, spare_bytes(pool) / 10 * 9, &room);
    while (wanted <= room && spare_bytes(pool) > room - wanted)
        drop(find_spare(pool));
    return storage_check(&item->storage, limit, error);
}

/* Return the bytes of CSR with 32-bit offsets. */
static double csr_bytes_in(const struct csr *a, enum precision precision)
{
    const int entry = value_width(precision, csr_complex(a)) + (int)sizeof(int32_t);
    return (double)csr_nnz(a) * entry + (double)(a->rows + 1) * sizeof(int32_t);
}

bool pool_leaves_out(const struct csr *a, enum precision precision, const struct format_size *size)
{
    return size->allocated > PATTERN_FLOOR &&
           (double)size->allocated > PATTERN_TIMES * csr_bytes_in(a, precision);
}

/* Refuse a storage that would be left out, if only a pattern requested it. */
static enum status check_pattern(const struct pool *pool, const struct format_choice *choice,
                                 const struct storage *storage, struct error *error)
{
    const struct format_size size = storage_size(storage);
    char bytes[32], name[CHOICE_NAME];
    if (!choice->by_pattern || !pool_leaves_out(pool->a, choice->precision, &size)) return STATUS_OK;
    return error_set(
        error, STATUS_LIMIT,
        "%s would take %s, %.0f times the bytes of CSR, and only a pattern requests it: name the "
        "kernel or the format, run it alone, or set --limit=BYTES",
        storage_name(storage, name, sizeof name), format_bytes(bytes, sizeof bytes, (double)size.allocated),
        (double)size.allocated / csr_bytes_in(pool->a, choice->precision));
}

/* Build a planned storage. storage.seconds remains the time of the first conversion, since later ones reuse
 * the plan. */
static enum status build(struct pool *pool, struct pooled *item, const struct format_choice *choice,
                         size_t limit, struct progress *progress, struct error *error)
{
    double seconds = item->storage.seconds;
    enum status status = storage_check(&item->storage, limit, error);
    if (status == STATUS_OK) status = check_pattern(pool, choice, &item->storage, error);
    if (status == STATUS_OK) status = make_room(pool, item, limit, error);
    if (status == STATUS_OK) status = storage_build(&item->storage, pool->a, progress, error);
    if (status != STATUS_OK || item->converted) item->storage.seconds = seconds;
    item->built = status == STATUS_OK;
    item->converted = item->converted || item->built;
    return status;
}

enum status pool_take(struct pool *pool, const struct format_choice *choice, size_t limit,
                      struct progress *progress, const struct storage **storage, struct error *error)
{
    struct pooled *item;
    enum status status = plan(pool, choice, limit, progress, &item, error);
    *storage = item ? &item->storage : NULL;
    if (status == STATUS_OK && !item->built) status = build(pool, item, choice, limit, progress, error);
    if (status == STATUS_OK) item->holders++;
    return status;
}

enum status pool_outline(struct pool *pool, const struct format_choice *choice, size_t limit,
                         struct progress *progress, const struct storage **storage, struct error *error)
{
    struct pooled *item;
    enum status status = plan(pool, choice, limit, progress, &item, error);
    *storage = item ? &item->storage : NULL;
    if (status != STATUS_OK) return status;
    if (item->built) {
        item->holders++;
        return STATUS_OK;
    }
    status = storage_check(&item->storage, limit, error);
    if (status == STATUS_OK) status = check_pattern(pool, choice, &item->storage, error);
    if (status == STATUS_OK && item->watchers == 0)
        status = outline_make(&item->storage, pool->a, &pool->pages, &item->outline, progress, error);
    if (status != STATUS_OK) return status;
    item->watchers++;
    *storage = &item->outline;
    return STATUS_OK;
}

void pool_rest(struct pool *pool)
{
    pages_rest(&pool->pages);
}

void pool_release(struct pool *pool, const struct storage *storage)
{
    if (!storage) return;
    for (int k = 0; k < pool->count; k++) {
        struct pooled *item = pool->items[k];
        if (&item->outline == storage && --item->watchers == 0) outline_free(&item->outline, &pool->pages);
        if (&item->storage != storage) continue;
        item->holders--;
        if (is_idle(item)) drop(item);
    }
}

enum status pool_measure(struct pool *pool, const struct format_choice *choice, size_t limit,
                         struct progress *progress, const struct storage **storage, struct error *error)
{
    struct pooled *item;
    enum status status = plan(pool, choice, limit, progress, &item, error);
    *storage = item ? &item->storage : NULL;
    if (status != STATUS_OK || item->converted) return status;
    status = pool_take(pool, choice, limit, progress, storage, error);
    if (status == STATUS_OK) pool_release(pool, *storage);
    return status;
}

enum status pool_keep(struct pool *pool, const struct format_choice *choice, struct error *error)
{
    struct pooled *item = want(pool, choice, error);
    if (!item) return STATUS_MEMORY;
    item->kept = true;
    return STATUS_OK;
}

static void unkeep(struct pooled *item)
{
    item->kept = false;
    if (is_idle(item)) drop(item);
}

void pool_unkeep(struct pool *pool, const struct format_choice *choice)
{
    struct pooled *item = find(pool, choice);
    if (item) unkeep(item);
}

void pool_unkeep_all(struct pool *pool)
{
    for (int k = 0; k < pool->count; k++)
        unkeep(pool->items[k]);
}

bool pool_has(const struct pool *pool, const struct format_choice *choice)
{
    const struct pooled *item = find(pool, choice);
    return item && item->built;
}

void pool_free(struct pool *pool)
{
    for (int k = 0; k < pool->count; k++) {
        storage_free(&pool->items[k]->storage);
        outline_free(&pool->items[k]->outline, &pool->pages);
        free(pool->items[k]);
    }
    free(pool->items);
    pages_rest(&pool->pages);
    *pool = (struct pool){0};
}
