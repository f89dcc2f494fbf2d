#include "session/conversions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static void set_state(struct conversion *conversion, enum conversion_state state)
{
    atomic_store_explicit(&conversion->state, state, memory_order_release);
}

static void conversion_free(struct conversion *conversion)
{
    storage_free(&conversion->storage);
    free(conversion->parameters);
    free(conversion);
}

static struct conversion *find(const struct conversions *conversions, const struct format *format,
                               const struct parameter_values *values, enum precision precision)
{
    int count = atomic_load(&conversions->count);
    for (int k = 0; k < count; k++) {
        struct conversion *item = conversions->items[k];
        if (item->format == format && item->precision == precision &&
            parameters_same(format->parameters, &item->asked, values))
            return item;
    }
    return NULL;
}

struct conversion *conversions_want(struct conversions *conversions, const struct format *format,
                                    const char *parameters, enum precision precision, struct error *error)
{
    struct parameter_values values;
    int count = atomic_load(&conversions->count);
    if (parameters_read(format->name, format->parameters, parameters, &values, error) != STATUS_OK)
        return NULL;
    free(values.text); /* which no format has */
    values.text = NULL;
    struct conversion *item = find(conversions, format, &values, precision);
    if (item) return item;
    if (count == CONVERSIONS_MAX) {
        error_set(error, STATUS_LIMIT, "more than %d formats at a time", CONVERSIONS_MAX);
        return NULL;
    }
    item = memory_zeroed(1, sizeof *item, error);
    if (!item) return NULL;
    item->parameters = memory_string(parameters, error);
    if (!item->parameters) {
        free(item);
        return NULL;
    }
    item->format = format;
    item->asked = item->values = values;
    item->precision = precision;
    item->seconds = NAN;
    snprintf(item->name, sizeof item->name, "%s%s%s", format->name, parameters[0] ? ":" : "", parameters);
    atomic_init(&item->state, CONVERSION_WANTED);
    conversions->items[count] = item;
    atomic_store(&conversions->count, count + 1);
    return item;
}

enum status conversions_want_all(struct conversions *conversions, enum precision precision,
                                 struct error *error)
{
    struct error first = {0};
    for (int k = 0; formats[k]; k++)
        for (int v = 0; formats[k]->variants[v]; v++)
            if (!conversions_want(conversions, formats[k], formats[k]->variants[v], precision, &first)) {
                if (error) *error = first;
                return first.status;
            }
    return STATUS_OK;
}

/* Note what is known of the size, the first time that it is. */
static void note_size(struct conversion *conversion)
{
    const struct storage *storage = &conversion->storage;
    struct text name = {0};
    if (!storage->format || atomic_load(&conversion->sized)) return;
    conversion->size = storage_size(storage);
    conversion->values = storage->values;
    conversion->values.text = NULL; /* it is the storage's */
    storage_name(storage, &name);
    snprintf(conversion->name, sizeof conversion->name, "%s", name.data ? name.data : storage->format->name);
    text_free(&name);
    atomic_store(&conversion->sized, true);
}

/* What planning or building ended with, as a state. */
static enum status conclude(struct conversion *conversion, enum status status, enum conversion_state state,
                            const struct error *refusal, struct error *error)
{
    if (status == STATUS_CANCELLED) {
        if (error) *error = *refusal;
        return status;
    }
    note_size(conversion);
    conversion->refusal = *refusal;
    set_state(conversion, status == STATUS_OK ? state : CONVERSION_REFUSED);
    return STATUS_OK;
}

enum status conversion_plan(struct conversion *conversion, const struct csr *a, size_t limit,
                            struct progress *progress, struct error *error)
{
    const struct format_options options = {.precision = conversion->precision, .limit = limit};
    struct error refusal = {0};
    if (conversion_state(conversion) != CONVERSION_WANTED) return STATUS_OK;
    enum status status = format_plan(conversion->format, conversion->parameters, &options, a, progress,
                                     &conversion->storage, &refusal);
    if (status == STATUS_OK) status = storage_check(&conversion->storage, limit, &refusal);
    return conclude(conversion, status, CONVERSION_PLANNED, &refusal, error);
}

enum status conversion_build(struct conversion *conversion, const struct csr *a, size_t limit,
                             struct progress *progress, struct error *error)
{
    const struct format_options options = {.precision = conversion->precision, .limit = limit};
    struct error refusal = {0};
    if (conversion_state(conversion) == CONVERSION_BUILT ||
        conversion_state(conversion) == CONVERSION_REFUSED)
        return STATUS_OK;
    struct storage storage;
    enum status status =
        format_convert(conversion->format, conversion->parameters, &options, a, progress, &storage, &refusal);
    if (status == STATUS_CANCELLED) {
        storage_free(&storage);
        return conclude(conversion, status, CONVERSION_BUILT, &refusal, error);
    }
    storage_free(&conversion->storage);
    conversion->storage = storage;
    if (status == STATUS_OK) conversion->seconds = storage.seconds;
    if (status == STATUS_OK && !conversion->keep) storage_drop(&conversion->storage);
    return conclude(conversion, status, conversion->keep ? CONVERSION_BUILT : CONVERSION_PLANNED, &refusal,
                    error);
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

/* Idle conversions that are remembered although no report lists them. */
#define IDLE_MAX 16

static bool is_listed(const struct conversion *conversion)
{
    for (int v = 0; conversion->format->variants[v]; v++)
        if (strcmp(conversion->format->variants[v], conversion->parameters) == 0) return true;
    return false;
}

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
        bool built = conversion_state(item) == CONVERSION_BUILT, listed = is_listed(item);
        size_t own = built ? item->size.allocated : 0;
        if (own <= bytes - held && (listed || idle < IDLE_MAX)) {
            held += own;
            idle += !listed;
        } else if (listed) {
            storage_drop(&item->storage);
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
