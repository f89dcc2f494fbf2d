#include "ui/browser/level.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "ui/browser/start.h"

/* The number of items that are taken from the catalogue at once. */
#define TAKEN_AT_ONCE 512

/* While items arrive, the rows are sorted again after this number of seconds. */
#define ARRANGE_SECONDS 0.25

bool level_starts(const struct level *level)
{
    return level->path[0] == 0;
}

static enum status list(void *argument, struct progress *progress, struct error *error)
{
    struct level *level = argument;
    if (level_starts(level)) return start_list(&level->catalogue, level->options, progress, error);
    return catalogue_list(&level->catalogue, level->path, level->options, progress, error);
}

struct level *level_open(const char *path, const struct load_options *options, struct error *error)
{
    struct level *level = memory_zeroed(1, sizeof *level, error);
    struct stat stat_;
    if (!level) return NULL;
    level->path = memory_string(path, error);
    level->options = options;
    level->stale = true;
    if (!stat(path, &stat_) && S_ISREG(stat_.st_mode)) level->bytes = stat_.st_size;
    if (level->path && catalogue_start(&level->catalogue, error) == STATUS_OK &&
        job_start(&level->list, list, level, error) == STATUS_OK)
        return level;
    level_close(level);
    return NULL;
}

void level_close(struct level *level)
{
    if (!level) return;
    progress_cancel(&level->list.progress);
    job_join(&level->list);
    for (int k = 0; k < level->count; k++)
        free(level->rows[k].reason);
    catalogue_free(&level->catalogue);
    free(level->rows);
    free(level->order);
    free(level->path);
    free(level);
}

/* --- rows --- */

bool row_opens(const struct row *row)
{
    return row->kind == CATALOGUE_MATRIX && row->state != CATALOGUE_REFUSED && !row->reason;
}

const char *row_reason(const struct row *row)
{
    if (row->reason) return row->reason;
    return row->state == CATALOGUE_REFUSED ? row->item->reason : NULL;
}

void row_refuse(struct row *row, const struct error *error)
{
    struct error plain = *error;
    char text[sizeof plain.message + 64];
    plain.path[0] = 0;
    if (error->line > 0)
        snprintf(text, sizeof text, "line %lld: %s", (long long)error->line, error->message);
    else
        error_text(&plain, text, sizeof text);
    free(row->reason);
    row->reason = memory_string(text_visible(text), NULL);
}

char *row_kind(const struct row *row, char *out, size_t size)
{
    const struct catalogue_item *item = row->item;
    bool general = item->symmetry == SYMMETRY_GENERAL;
    char count[32];
    const char *group = start_kind(item->group);
    out[0] = 0;
    if (group)
        snprintf(out, size, "%s", group);
    else if (row->kind == CATALOGUE_FOLDER)
        snprintf(out, size, "folder");
    else if (row->kind == CATALOGUE_ARCHIVE && item->kind == CATALOGUE_ARCHIVE)
        snprintf(out, size, "%s%s matrices", format_count(count, sizeof count, item->entries),
                 item->more ? "+" : "");
    else if (row->kind == CATALOGUE_ARCHIVE) /* a large archive: opening it showed that it has several */
        snprintf(out, size, "several matrices");
    else if (row->state == CATALOGUE_LARGE)
        snprintf(out, size, "large archive");
    else if (row->state == CATALOGUE_READ && !item->outlined) /* such as an edge list, which has no header */
        snprintf(out, size, "%s", item->format);
    else if (row->state == CATALOGUE_READ)
        snprintf(out, size, "%s%s%s%s", field_name(item->field), general && !item->coordinate ? "" : " ",
                 general && !item->coordinate ? "" : symmetry_name(item->symmetry),
                 item->coordinate ? "" : " array");
    return out;
}

/* Make room for one row more. */
static bool grow(struct level *level)
{
    if (level->count < level->capacity) return true;
    int capacity = level->capacity ? 2 * level->capacity : TAKEN_AT_ONCE;
    struct row *rows = memory_resize(level->rows, (size_t)capacity, sizeof *rows, NULL);
    if (!rows) return false;
    level->rows = rows;
    int *order = memory_resize(level->order, (size_t)capacity, sizeof *order, NULL);
    if (!order) return false;
    level->order = order;
    level->capacity = capacity;
    return true;
}

static bool take_items(struct level *level)
{
    struct catalogue_item *items[TAKEN_AT_ONCE];
    int64_t count;
    bool changed = false;
    do {
        count = catalogue_take(&level->catalogue, level->count, items, TAKEN_AT_ONCE);
        for (int64_t k = 0; k < count; k++) {
            if (!grow(level)) return changed;
            struct row *row = &level->rows[level->count++];
            *row = (struct row){.item = items[k], .kind = items[k]->kind};
            level->waiting++;
            changed = true;
        }
    } while (count == TAKEN_AT_ONCE);
    return changed;
}

/* Find the rows that have been read. */
static bool take_states(struct level *level)
{
    bool changed = false;
    for (int k = 0; k < level->count && level->waiting > 0; k++) {
        struct row *row = &level->rows[k];
        if (row->state != CATALOGUE_WAITING) continue;
        row->state = catalogue_state(row->item);
        if (row->state == CATALOGUE_WAITING) continue;
        row->kind = row->item->kind;
        level->waiting--;
        changed = true;
    }
    return changed;
}

bool level_update(struct level *level)
{
    bool finished = !level->listed && job_finished(&level->list);
    bool changed = take_items(level);
    if (finished) {
        level->listed = true;
        job_join(&level->list);
        level->trouble = level->list.error;
    }
    bool read = take_states(level);
    level->stale = level->stale || changed || (read && (level->sort != SORT_NAME || level->filter[0]));
    double now = clock_seconds();
    if (level->stale && (finished || level->waiting == 0 || now - level->ordered > ARRANGE_SECONDS))
        level_arrange(level, level->selected > 0);
    return changed || read || finished;
}

/* --- order --- */

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Return the number by which rows are sorted; -1 if it is unknown. */
static int64_t number(const struct row *row, enum sort sort)
{
    bool known = row->kind == CATALOGUE_MATRIX && row->state == CATALOGUE_READ;
    if (sort == SORT_SIZE) return row->item->bytes;
    if (sort == SORT_DATE) return row->item->modified ? (int64_t)row->item->modified : -1;
    if (!known) return -1;
    return sort == SORT_ROWS ? row->item->rows : row->item->entries;
}

/* The group of a row of the start level. Folders in the current folder come after the examples. */
static int group_of(const struct row *row)
{
    const bool folder = row->kind == CATALOGUE_FOLDER && row->item->group == START_HERE;
    return folder ? START_FOLDER : row->item->group;
}

/* True if the row keeps its position in its group. Matrices opened before have the newest first; generators
 * have the order of their table. */
static bool row_kept(const struct row *row)
{
    return row->item->group == START_RECENT || row->item->group == START_GENERATOR;
}

/* Compare two rows. By name, folders come first. By number, the largest comes first. Rows without a number
 * come last, in either direction. */
static int compare(const struct level *level, const struct row *a, const struct row *b)
{
    int sign = level->reverse ? -1 : 1, order = 0;
    if (level->sort == SORT_NAME) {
        if (level_starts(level)) order = group_of(a) - group_of(b);
        if (order || (level_starts(level) && row_kept(a))) return order;
        order = (b->kind == CATALOGUE_FOLDER) - (a->kind == CATALOGUE_FOLDER);
        if (order) return order;
    } else {
        int64_t first = number(a, level->sort), second = number(b, level->sort);
        if ((first < 0) != (second < 0)) return first < 0 ? 1 : -1;
        order = sign * compare_numbers(second, first);
    }
    if (!order) {
        order = strcasecmp(a->item->name, b->item->name);
        if (!order) order = strcmp(a->item->name, b->item->name);
        if (level->sort == SORT_NAME) order *= sign;
    }
    return order;
}

/* Merge the sorted ranges order[from..middle-1] and order[middle..to-1]. qsort is unsuitable: it passes no
 * argument for the level. */
static void merge(const struct level *level, int *order, int *room, int from, int middle, int to)
{
    int a = from, b = middle;
    for (int k = from; k < to; k++) {
        bool first =
            b == to || (a < middle && compare(level, &level->rows[order[a]], &level->rows[order[b]]) <= 0);
        room[k] = order[first ? a++ : b++];
    }
    memcpy(order + from, room + from, (size_t)(to - from) * sizeof *order);
}

static void sort_rows(struct level *level)
{
    int *room = memory_array((size_t)level->shown, sizeof *room, NULL);
    if (!room) return; /* then the rows keep the order of the catalogue */
    for (int wide = 1; wide < level->shown; wide *= 2)
        for (int from = 0; from + wide < level->shown; from += 2 * wide) {
            int to = from + 2 * wide < level->shown ? from + 2 * wide : level->shown;
            merge(level, level->order, room, from, from + wide, to);
        }
    free(room);
}

static bool passes(const struct level *level, const struct row *row)
{
    char kind[64];
    return strcasestr(row->item->name, level->filter) ||
           strcasestr(row_kind(row, kind, sizeof kind), level->filter);
}

struct row *level_row(const struct level *level, int place)
{
    return place >= 0 && place < level->shown ? &level->rows[level->order[place]] : NULL;
}

void level_select(struct level *level, int place)
{
    level->selected = clip_index(place, level->shown);
}

void level_arrange(struct level *level, bool follow)
{
    const struct row *selected = follow ? level_row(level, level->selected) : NULL;
    int index = selected ? (int)(selected - level->rows) : -1, place = follow ? level->selected : 0;
    level->shown = 0;
    for (int k = 0; k < level->count; k++)
        if (passes(level, &level->rows[k])) level->order[level->shown++] = k;
    sort_rows(level);
    for (int k = 0; k < level->shown && index >= 0; k++)
        if (level->order[k] == index) place = k;
    level_select(level, place);
    level->stale = false;
    level->ordered = clock_seconds();
}
