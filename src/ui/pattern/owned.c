/* The colours of the owners, by the partition that the Parts screen shows. */
#include <stdio.h>

#include "analysis/parts/owners.h"
#include "base/text.h"
#include "ui/pattern/pattern.h"

void pattern_follow_owners(struct explorer *explorer, struct pattern *pattern)
{
    struct sizing *sizing = &pattern->sizing;
    struct owners *owners = explorer->owners;
    if (owners && owners->of == pattern->of && owners != sizing->owners) {
        owners_release(sizing->owners);
        sizing->owners = owners_hold(owners);
        if (pattern->colouring == COLOURED_OWNER) pattern->counted = (struct viewport){0};
    }
    if (!explorer->owners_asked || !sizing->owners) return;
    explorer->owners_asked = false;
    pattern->colouring = COLOURED_OWNER;
    pattern->counted = (struct viewport){0};
}

void pattern_free_owners(struct sizing *sizing)
{
    owners_release(sizing->owners);
    owners_release(sizing->marked);
}

bool pattern_shows_parts(enum colouring colouring)
{
    return pattern_parting(colouring) >= 0 || colouring == COLOURED_OWNER;
}

enum status pattern_make_owners(struct sizing *sizing, const struct size_dots *dots,
                                struct progress *progress, struct error *error)
{
    return owners_of_dots(&sizing->of->matrix.csr, &sizing->marked->divided.partition, dots, progress,
                          sizing->made_parts, error);
}

int32_t pattern_owner_joined(int32_t a, int32_t b)
{
    if (a == OWNER_NONE || b == OWNER_NONE) return a == OWNER_NONE ? b : a;
    if (a == OWNER_SEVERAL || b == OWNER_SEVERAL || owner_part(a) != owner_part(b)) return OWNER_SEVERAL;
    return owner_mark(owner_part(a), owner_is_remote(a) && owner_is_remote(b));
}

int pattern_owner_level(int32_t mark)
{
    if (mark == OWNER_NONE) return -1;
    if (mark == OWNER_SEVERAL) return LEVEL_PART + PART_BETWEEN;
    return LEVEL_OWNER + owner_part(mark) % OWNER_COLOURS + (owner_is_remote(mark) ? OWNER_COLOURS : 0);
}

void pattern_write_owner_legend(const struct explorer *explorer, const struct pattern *pattern,
                                struct pen *pen)
{
    int64_t parts = pattern->sizing.marked->divided.partition.parts;
    int colours = parts < OWNER_COLOURS ? (int)parts : OWNER_COLOURS, x = 0;
    for (int k = 0; k < colours - 1; k++)
        x = pattern_draw_sample(explorer, pattern, pen, x, LEVEL_OWNER + k);
    x = pattern_write_sample(explorer, pattern, pen, x, LEVEL_OWNER + colours - 1, "local") + 1;
    x = pattern_write_sample(explorer, pattern, pen, x, LEVEL_OWNER + OWNER_COLOURS, "half remote") + 1;
    if (parts > 1) pattern_write_sample(explorer, pattern, pen, x, LEVEL_PART + PART_BETWEEN, "mixed");
    pen->line++;
}

void pattern_write_owners(const struct pattern *pattern, struct pen *pen)
{
    const struct owners *owners = pattern->sizing.marked;
    char name[64];
    snprintf(name, sizeof name, "%.*s", pen_room(pen, "partition"), owners->name);
    pen_pair(pen, "partition", COLOUR_TEXT, "%s", name);
    pen_count(pen, "parts", COLOUR_ACCENT, owners->divided.partition.parts, NULL);
}

void pattern_write_owner(const struct pattern *pattern, size_t dot, struct pen *pen)
{
    int32_t mark = pattern->sizing.parts[dot];
    if (mark == OWNER_NONE) return;
    if (mark == OWNER_SEVERAL) {
        pen_text(pen, COLOUR_TEXT, "no part has half of it");
        return;
    }
    pen_count(pen, "owner: part", COLOUR_ACCENT, owner_part(mark) + 1, NULL);
    if (owner_is_remote(mark)) pen_text(pen, COLOUR_TEXT, "half or more is remote");
}
