#include "formats/outline.h"

#include <string.h>

#include "base/threads.h"
#include "formats/array.h"
#include "formats/unique.h"

/* Blocks of slots that a thread clears at a time. */
#define CLEARED ((int64_t)1 << 20)

/* Initially no slot has an entry; filling marks the slots with entries. */
static enum status clear_entries(struct storage *outline, struct pages *pages, struct error *error)
{
    const int64_t slots = outline->slots[0];
    outline->entry = pages_take(pages, (size_t)slots, error);
    if (!outline->entry) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) if (slots > CLEARED)
    for (int64_t e = 0; e < slots; e += CLEARED)
        memset(outline->entry + e, 0, (size_t)(slots - e < CLEARED ? slots - e : CLEARED));
    return STATUS_OK;
}

static enum status allocate(struct storage *outline, bool with_values, struct pages *pages,
                            struct error *error)
{
    for (int q = 0; q < outline->count; q++) {
        struct array *array = &outline->array[q];
        if (array->role == ROLE_VALUES && !with_values) continue;
        array->data = pages_take(pages, (size_t)array->length * element_size(array->element), error);
        if (!array->data) return STATUS_MEMORY;
    }
    return storage_pads(outline) ? clear_entries(outline, pages, error) : STATUS_OK;
}

enum status outline_make(const struct storage *plan, const struct csr *a, struct pages *pages,
                         struct storage *outline, struct progress *progress, struct error *error)
{
    *outline = *plan;
    outline->kept = NULL;
    outline->entry = NULL;
    for (int q = 0; q < outline->count; q++)
        outline->array[q].data = NULL;
    bool with_values = plan->format->tells_values && unique_few(a, plan->precision == PRECISION_F32);
    enum status status = allocate(outline, with_values, pages, error);
    if (status == STATUS_OK) status = outline->format->fill(outline, a, progress, error);
    if (status != STATUS_OK) outline_free(outline, pages);
    return status;
}

void outline_free(struct storage *outline, struct pages *pages)
{
    for (int q = 0; q < outline->count; q++)
        pages_give(pages, outline->array[q].data);
    pages_give(pages, outline->entry);
    *outline = (struct storage){0};
}
