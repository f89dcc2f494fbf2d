#include "session/conversions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void set_state(struct conversion *conversion, enum conversion_state state)
{
    atomic_store_explicit(&conversion->state, state, memory_order_release);
}

static void conversion_free(struct conversion *conversion)
{
    if (conversion->pool) pool_release(conversion->pool, conversion->storage);
    free(conversion);
}

struct conversion *conversions_find(const struct conversions *conversions, const struct format_choice *choice)
{
    int count = atomic_load(&conversions->count);
    for (int k = 0; k < count; k++)
        if (format_choice_same(&conversions->items[k]->choice, choice)) return conversions->items[k];
    return NULL;
}

struct conversion *conversions_want(struct conversions *conversions, const struct format_choice *choice,
                                    struct error *error)
{
    int count = atomic_load(&conversions->count);
    struct conversion *item = conversions_find(conversions, choice);
    if (item) return item;
    if (count == CONVERSIONS_MAX) {
        error_set(error, STATUS_LIMIT, "more than %d formats at a time", CONVERSIONS_MAX);
        return NULL;
    }
    item = memory_zeroed(1, sizeof *item, error);
    if (!item) return NULL;
    item->choice = item->resolved = *choice;
    item->pool = conversions->pool;
    const struct csr *a = item->pool ? item->pool->a : NULL;
    item->complex = a && csr_complex(a);
    item->seconds = NAN;
    format_choice_name(choice, item->name, sizeof item->name);
    atomic_init(&item->state, CONVERSION_WANTED);
    conversions->items[count] = item;
    atomic_store(&conversions->count, count + 1);
    return item;
}

enum status conversions_want_all(struct conversions *conversions, enum precision precision,
                                 struct error *error)
{
    for (int k = 0; formats[k]; k++)
        for (int v = 0; formats[k]->variants[v]; v++) {
            struct format_choice choice;
            struct error first = {0};
            enum status status =
                format_choice_read(formats[k], formats[k]->variants[v], precision, &choice, error);
            if (status != STATUS_OK) return status;
            if (conversions_want(conversions, &choice, &first)) continue;
            if (error) *error = first;
            return first.status;
        }
    return STATUS_OK;
}

enum status conversions_know(struct conversions *conversions, const struct format_choice *choice,
                             bool complex, const struct known_conversion *known, struct error *error)
{
    struct error first = {0};
    struct conversion *item = conversions_want(conversions, choice, &first);
    if (!item) {
        if (error) *error = first;
        return first.status;
    }
    item->complex = complex;
    item->resolved = known->resolved;
    item->seconds = known->seconds;
    format_choice_name(&item->resolved, item->name, sizeof item->name);
    if (known->sized) {
        item->size = known->size;
        item->criteria = known->criteria;
        atomic_store(&item->sized, true);
    }
    if (known->refusal) item->refusal = *known->refusal;
    set_state(item, known->refusal ? CONVERSION_REFUSED : CONVERSION_PLANNED);
    return STATUS_OK;
}

/* Refuse to build because the entries are not in memory. A planned conversion keeps its size. */
static enum status refuse_to_build(struct conversion *conversion)
{
    error_set(&conversion->refusal, STATUS_USAGE, "it needs the entries, which are not in memory");
    set_state(conversion, CONVERSION_REFUSED);
    return STATUS_OK;
}

/* Refuse a conversion that cannot be planned because the matrix is not in memory. */
static enum status refuse(struct conversion *conversion)
{
    error_set(&conversion->refusal, STATUS_USAGE, "its size is not known, and the entries are not in memory");
    set_state(conversion, CONVERSION_REFUSED);
    return STATUS_OK;
}

/* Record the size of the first planned storage, and the criteria. Fails only with STATUS_CANCELLED. */
static enum status note_size(struct conversion *conversion, const struct storage *storage,
                             struct progress *progress, struct error *error)
{
    struct criteria criteria;
    if (!storage || atomic_load(&conversion->sized)) return STATUS_OK;
    enum status status = criteria_of(storage, conversion->pool->a, progress, &criteria, error);
    if (status != STATUS_OK) return status;
    conversion->size = storage_size(storage);
    conversion->criteria = criteria;
    conversion->resolved = storage_choice(storage);
    storage_name(storage, conversion->name, sizeof conversion->name);
    atomic_store(&conversion->sized, true);
    return STATUS_OK;
}

/* Set the final state of planning or building. A cancelled conversion does not change. */
static enum status conclude(struct conversion *conversion, enum status status, enum conversion_state state,
                            const struct error *refusal, struct error *error)
{
    if (status == STATUS_CANCELLED) {
        if (error) *error = *refusal;
        return status;
    }
    conversion->refusal = *refusal;
    set_state(conversion, status == STATUS_OK ? state : CONVERSION_REFUSED);
    return STATUS_OK;
}

enum status conversion_plan(struct conversion *conversion, size_t limit, struct progress *progress,
                            struct error *error)
{
    const struct storage *plan;
    struct error refusal = {0};
    if (conversion_state(conversion) != CONVERSION_WANTED) return STATUS_OK;
    if (!conversion->pool) return refuse(conversion);
    enum status status = pool_plan(conversion->pool, &conversion->choice, limit, progress, &plan, &refusal);
    if (status != STATUS_CANCELLED && note_size(conversion, plan, progress, error) != STATUS_OK)
        return STATUS_CANCELLED;
    return conclude(conversion, status, CONVERSION_PLANNED, &refusal, error);
}

enum status conversion_build(struct conversion *conversion, size_t limit, struct progress *progress,
                             struct error *error)
{
    enum conversion_state before = conversion_state(conversion);
    const struct storage *storage;
    struct error refusal = {0};
    if (before == CONVERSION_BUILT || before == CONVERSION_REFUSED) return STATUS_OK;
    if (!conversion->pool) return before == CONVERSION_WANTED ? refuse(conversion) : STATUS_OK;
    if (conversion->pool->a->skeleton) {
        enum status planned = conversion_plan(conversion, limit, progress, error);
        bool there = conversion_state(conversion) == CONVERSION_PLANNED;
        return planned == STATUS_OK && there ? refuse_to_build(conversion) : planned;
    }
    struct format_choice choice = conversion->choice;
    choice.by_pattern = conversion->patterned && !conversion->named;
    enum status status = (conversion->keep ? pool_take : pool_measure)(conversion->pool, &choice, limit,
                                                                       progress, &storage, &refusal);
    bool taken = status == STATUS_OK && conversion->keep;
    if (status != STATUS_CANCELLED && note_size(conversion, storage, progress, error) != STATUS_OK) {
        if (taken) pool_release(conversion->pool, storage);
        return STATUS_CANCELLED;
    }
    if (status == STATUS_OK) conversion->seconds = storage->seconds;
    if (taken) conversion->storage = storage;
    return conclude(conversion, status, conversion->keep ? CONVERSION_BUILT : CONVERSION_PLANNED, &refusal,
                    error);
}

void conversion_built_apart(struct conversion *conversion, double seconds)
{
    conversion->seconds = seconds;
}

void conversion_refused_apart(struct conversion *conversion, const struct error *refusal)
{
    conversion->refusal = *refusal;
    set_state(conversion, CONVERSION_REFUSED);
}

void conversions_drop(struct conversions *conversions, struct conversion *conversion)
{
    int count = atomic_load(&conversions->count);
    for (int k = 0; k < count; k++) {
        if (conversions->items[k] != conversion) continue;
        memmove(&conversions->items[k], &conversions->items[k + 1],
                (size_t)(count - k - 1) * sizeof conversions->items[0]);
        atomic_store(&conversions->count, count - 1);
        conversion_free(conversion);
        return;
    }
}

/* Maximum number of kept conversions that are neither shown nor listed by reports. */
#define IDLE_MAX 16

static bool is_shown(const struct conversion *conversion, const struct conversions_shown *shown)
{
    for (int k = 0; k < shown->count; k++)
        if (shown->items[k] == conversion) return true;
    return false;
}

void conversions_trim(struct conversions *conversions, const struct conversions_shown *shown, size_t bytes)
{
    size_t held = 0;
    int idle = 0;
    for (int k = atomic_load(&conversions->count) - 1; k >= 0; k--) {
        struct conversion *item = conversions->items[k];
        if (is_shown(item, shown)) continue;
        bool built = conversion_state(item) == CONVERSION_BUILT, listed = format_choice_listed(&item->choice);
        size_t own = built ? item->size.allocated : 0;
        if (own <= bytes - held && (listed || idle < IDLE_MAX)) {
            held += own;
            idle += !listed;
        } else if (listed) {
            pool_release(item->pool, item->storage);
            item->storage = NULL;
            set_state(item, CONVERSION_PLANNED);
        } else {
            conversions_drop(conversions, item);
        }
    }
}

void conversions_free(struct conversions *conversions)
{
    int count = atomic_load(&conversions->count);
    for (int k = 0; k < count; k++)
        conversion_free(conversions->items[k]);
    atomic_store(&conversions->count, 0);
}
