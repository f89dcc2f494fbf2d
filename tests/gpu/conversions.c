#include "gpu/conversions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/csr.h"
#include "kernels/cuda/convert/convert.h"
#include "support/formats.h"
#include "support/storing.h"

#define POISON 0xee
#define BLOCKS_MAX 256

/* Memory that was allocated on the device and not released, since it was last forgotten. */
static struct {
    const struct device_type *plain;
    struct {
        void *data;
        size_t bytes;
    } block[BLOCKS_MAX];
    int count;
} noted;

static enum status allocate(struct device *device, size_t bytes, void **data, struct error *error)
{
    enum status status = noted.plain->allocate(device, bytes, data, error);
    if (status != STATUS_OK || noted.count == BLOCKS_MAX) return status;
    noted.block[noted.count].data = *data;
    noted.block[noted.count++].bytes = bytes;
    return STATUS_OK;
}

static void release(struct device *device, void *data)
{
    int kept = 0;
    for (int k = 0; k < noted.count; k++)
        if (noted.block[k].data != data) noted.block[kept++] = noted.block[k];
    noted.count = kept;
    noted.plain->release(device, data);
}

void conversions_watch(struct conversions_check *check, struct device *device)
{
    noted.plain = check->plain = device->type;
    check->device = device;
    check->watched = *device->type;
    check->watched.allocate = allocate;
    check->watched.release = release;
    device->type = &check->watched;
}

void conversions_forget(void)
{
    noted.count = 0;
}

enum status csr_there_make(struct device *device, const struct csr *a, enum precision precision,
                           struct csr_there *csr, struct error *error)
{
    enum status status = STATUS_OK;
    double seconds;
    *csr = (struct csr_there){0};
    for (int wide = 0; wide < 2 && status == STATUS_OK; wide++) {
        const struct storing how = {.precision = precision, .wide = wide};
        status = storing_convert(&format_csr, "", &how, a, NULL, &csr->here[wide], error);
        if (status == STATUS_OK)
            status = device_store(device, &csr->here[wide], &csr->there[wide], &seconds, error);
    }
    return status;
}

void csr_there_free(struct device *device, struct csr_there *csr)
{
    for (int wide = 0; wide < 2; wide++) {
        device_unstore(device, &csr->there[wide]);
        storage_free(&csr->here[wide]);
    }
}

static struct conversion_tally *tally_of(struct conversions_check *check, const struct format *format,
                                         const struct kernel *kernel)
{
    for (int k = 0; k < check->count; k++)
        if (check->tally[k].format == format && check->tally[k].kernel == kernel) return &check->tally[k];
    if (check->count == TALLIES_MAX) abort();
    check->tally[check->count] = (struct conversion_tally){.format = format, .kernel = kernel};
    return &check->tally[check->count++];
}

static void complain(struct conversion_tally *tally, const char *sample, const struct storage *storage,
                     bool wide, const char *what)
{
    char name[CHOICE_NAME];
    if (tally->wrong++ < 10)
        printf("# %s%s as %s, %s, %s offsets from %s ones%s: %s\n", tally->kernel ? tally->kernel->name : "",
               sample, storage_name(storage, name, sizeof name), precision_name(storage->precision),
               storage->wide ? "64-bit" : "32-bit", wide ? "64-bit" : "32-bit",
               storage->complex ? ", complex" : "", what);
}

/* Returns which array differs on the device, or NULL. */
static const char *difference(struct device *device, const struct storage *storage,
                              const struct storage *resident)
{
    static char message[128];
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        size_t bytes = bytes_of(array), at = 0;
        char *read = malloc(bytes + 1);
        if (!read) abort();
        struct error error = {0};
        if (bytes && device->type->read(device, read, resident->array[q].data, bytes, &error) != STATUS_OK) {
            free(read);
            snprintf(message, sizeof message, "%.120s", error.message);
            return message;
        }
        while (at < bytes && read[at] == ((const char *)array->data)[at])
            at++;
        free(read);
        if (at == bytes) continue;
        snprintf(message, sizeof message, "%s differs from byte %zu of %zu on", array->name, at, bytes);
        return message;
    }
    return NULL;
}

static void try_from(struct conversions_check *check, struct conversion_tally *tally, const char *sample,
                     const struct storage *storage, struct storage *resident, const struct storage *csr)
{
    double seconds;
    struct error error = {0};
    enum status status = device_convert(check->device, csr, storage, resident, &seconds, &error);
    const char *what = status == STATUS_OK ? difference(check->device, storage, resident) : error.message;
    if (what)
        complain(tally, sample, storage, csr->wide, what);
    else
        tally->right++;
}

void conversions_try(struct conversions_check *check, const char *sample, const struct storage *storage,
                     const struct csr_there *csr, bool once)
{
    struct device *device = check->device;
    const struct format_choice choice = storage_choice(storage);
    struct conversion_work work;
    struct storage resident;
    struct error error = {0};
    double seconds;
    if (storage->format == &format_csr) return;
    struct conversion_tally *tally = tally_of(check, storage->format, NULL);
    if (device->type->converts(&choice, (double)storage->rows, &work, &error) != STATUS_OK) {
        tally->refused++;
        return;
    }
    if (device_store(device, storage, &resident, &seconds, &error) != STATUS_OK) {
        complain(tally, sample, storage, false, error.message);
        return;
    }
    for (int wide = 0; wide < (once ? 1 : 2); wide++)
        try_from(check, tally, sample, storage, &resident, &csr->there[wide]);
    device_unstore(device, &resident);
}

/* Tables are the allocations of `prepare`. Beside them the kernel may have memory of its own there, which is
 * 0 and which `remake` leaves alone. */

struct table {
    char *before, *after;
    size_t bytes;
};

static bool same_table(const struct table *table)
{
    bool own = true;
    if (table->bytes == 1) return true; /* this is allocated for a table of no elements */
    if (memcmp(table->before, table->after, table->bytes) == 0) return true;
    for (size_t k = 0; k < table->bytes && own; k++)
        own = table->before[k] == 0 && (unsigned char)table->after[k] == POISON;
    return own;
}

void conversions_try_tables(struct conversions_check *check, const char *sample, const struct launch *launch,
                            const struct csr_there *csr)
{
    static struct table tables[BLOCKS_MAX];
    struct device *device = check->device;
    const struct kernel *kernel = launch->kernel;
    struct error error = {0};
    double seconds;
    int count = noted.count, wrong = -1;
    if (!kernel->remake || count == 0) return;
    struct conversion_tally *tally = tally_of(check, NULL, kernel);
    for (int k = 0; k < count; k++) {
        struct table *table = &tables[k];
        *table =
            (struct table){malloc(noted.block[k].bytes), malloc(noted.block[k].bytes), noted.block[k].bytes};
        if (!table->before || !table->after) abort();
        device->type->read(device, table->before, noted.block[k].data, table->bytes, &error);
        device->type->fill(device, noted.block[k].data, POISON, table->bytes, &error);
    }
    enum status status = kernel->remake(
        launch, &csr->there[launch->storage->format == &format_csr ? launch->storage->wide : 0], &seconds,
        &error);
    for (int k = 0; k < count; k++) {
        struct table *table = &tables[k];
        device->type->read(device, table->after, noted.block[k].data, table->bytes, &error);
        if (wrong < 0 && !same_table(table)) wrong = k;
        device->type->write(device, noted.block[k].data, table->before, table->bytes, &error);
        free(table->before);
        free(table->after);
    }
    if (status != STATUS_OK || error.status != STATUS_OK)
        complain(tally, sample, launch->storage, false, error.message);
    else if (wrong >= 0) {
        char what[64];
        snprintf(what, sizeof what, "table %d of %d, %zu bytes, differs", wrong, count, tables[wrong].bytes);
        complain(tally, sample, launch->storage, false, what);
    } else
        tally->right++;
}

/* Return true if the device converts to the format for some parameters, or makes tables for the kernel. */
static bool made_there(const struct conversion_tally *tally)
{
    const struct device_conversion *c = device_conversions;
    if (!tally->format) return true;
    while (c->format && c->format != tally->format)
        c++;
    return c->format;
}

int conversions_conclude(const struct conversions_check *check, int first)
{
    int failed = 0;
    for (int k = 0; k < check->count; k++) {
        const struct conversion_tally *tally = &check->tally[k];
        bool skipped = !made_there(tally);
        bool ok = tally->wrong == 0 && (skipped || tally->right > 0);
        printf("%s %d - %s %s on the device: %lld as the host's, %lld wrong, %lld not made there%s\n",
               ok ? "ok" : "not ok", first + k, tally->format ? "conversion to" : "tables of",
               tally->format ? tally->format->name : tally->kernel->name, (long long)tally->right,
               (long long)tally->wrong, (long long)tally->refused,
               skipped ? " # SKIP the device makes none" : "");
        failed += !ok;
    }
    return failed;
}
