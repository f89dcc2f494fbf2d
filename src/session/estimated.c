#include "session/estimated.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static bool by_excerpt(const struct estimate_options *options)
{
    return options->reuse && options->reuse->excerpt;
}

static bool is_for(const struct estimated_item *item, const struct estimate_options *options)
{
    return memcmp(&item->gpu, options->gpu, sizeof item->gpu) == 0 && item->share == options->share &&
           item->most_slots == options->most_slots && item->seed == options->seed &&
           item->excerpt == by_excerpt(options) && product_same(item->product, options->product);
}

const struct estimated_item *estimated_find(const struct estimated *estimated,
                                            const struct kernel_choice *choice,
                                            const struct estimate_options *options)
{
    for (int k = 0; k < estimated->count; k++)
        if (kernel_choice_same(&estimated->items[k]->result.choice, choice) &&
            is_for(estimated->items[k], options))
            return estimated->items[k];
    return NULL;
}

static enum status widen(struct estimated *estimated, struct error *error)
{
    int room = estimated->room ? 2 * estimated->room : 32;
    struct estimated_item **items = memory_resize(estimated->items, (size_t)room, sizeof *items, error);
    if (!items) return STATUS_MEMORY;
    estimated->items = items;
    estimated->room = room;
    return STATUS_OK;
}

enum status estimated_keep(struct estimated *estimated, const struct result *result,
                           const struct estimate *estimate, const struct estimate_options *options,
                           struct error *error)
{
    if (estimated->count == ESTIMATED_MAX) return STATUS_OK;
    if (estimated->count == estimated->room && widen(estimated, error) != STATUS_OK) return STATUS_MEMORY;
    struct estimated_item *item = memory_zeroed(1, sizeof *item, error);
    if (!item) return STATUS_MEMORY;
    item->result = *result;
    item->estimate = *estimate;
    memcpy(&item->gpu, options->gpu, sizeof item->gpu);
    item->product = options->product;
    item->share = options->share;
    item->most_slots = options->most_slots;
    item->seed = options->seed;
    item->excerpt = by_excerpt(options);
    estimated->items[estimated->count++] = item;
    return STATUS_OK;
}

void estimated_free(struct estimated *estimated)
{
    for (int k = 0; k < estimated->count; k++)
        free(estimated->items[k]);
    free(estimated->items);
    *estimated = (struct estimated){0};
}
