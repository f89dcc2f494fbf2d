#include "matrix/files/graph/edge.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Fowler, Noll and Vo's hash function FNV-1a. */
static uint64_t hash(const char *text, int64_t length)
{
    uint64_t value = 14695981039346656037u;
    for (int64_t k = 0; k < length; k++)
        value = (value ^ (unsigned char)text[k]) * 1099511628211u;
    return value ^ value >> 32;
}

static int64_t begin_of(const struct names *names, int64_t number)
{
    return number ? names->ends[number - 1] : 0;
}

/* Find the slot of the name, or the empty one where it belongs. */
static int64_t find_slot(const struct names *names, const char *text, int64_t length)
{
    int64_t slot = (int64_t)(hash(text, length) & (uint64_t)(names->room - 1));
    for (;; slot = (slot + 1) & (names->room - 1)) {
        int64_t number = names->slots[slot] - 1;
        if (number < 0) return slot;
        int64_t begin = begin_of(names, number);
        if (names->ends[number] - begin == length && memcmp(names->text + begin, text, (size_t)length) == 0)
            return slot;
    }
}

static enum status grow(struct names *names, struct error *error)
{
    struct names wider = *names;
    wider.room = names->room ? 2 * names->room : 1024;
    wider.slots = memory_zeroed((size_t)wider.room, sizeof *wider.slots, error);
    if (!wider.slots) return STATUS_MEMORY;
    for (int64_t k = 0; k < names->count; k++) {
        int64_t begin = begin_of(names, k);
        wider.slots[find_slot(&wider, names->text + begin, names->ends[k] - begin)] = (int32_t)(k + 1);
    }
    free(names->slots);
    *names = wider;
    return STATUS_OK;
}

static enum status append(struct names *names, const char *text, int64_t length, struct error *error)
{
    int64_t used = begin_of(names, names->count);
    if (names->count == names->ends_room) {
        int64_t room = names->ends_room ? 2 * names->ends_room : 1024;
        int64_t *ends = memory_resize(names->ends, (size_t)room, sizeof *ends, error);
        if (!ends) return STATUS_MEMORY;
        names->ends = ends;
        names->ends_room = room;
    }
    if (used + length > names->text_room) {
        int64_t room = 2 * (used + length) + 4096;
        char *wider = memory_resize(names->text, (size_t)room, 1, error);
        if (!wider) return STATUS_MEMORY;
        names->text = wider;
        names->text_room = room;
    }
    memcpy(names->text + used, text, (size_t)length);
    names->ends[names->count++] = used + length;
    return STATUS_OK;
}

enum status names_number(struct names *names, const char *text, int64_t length, int32_t *number,
                         struct error *error)
{
    if (2 * (names->count + 1) > names->room && grow(names, error) != STATUS_OK) return STATUS_MEMORY;
    int64_t slot = find_slot(names, text, length);
    if (names->slots[slot] == 0) {
        if (names->count == INT32_MAX - 1)
            return error_set(error, STATUS_LIMIT, "more than %d vertices", INT32_MAX - 1);
        if (append(names, text, length, error) != STATUS_OK) return STATUS_MEMORY;
        names->slots[slot] = (int32_t)names->count;
    }
    *number = names->slots[slot] - 1;
    return STATUS_OK;
}

int32_t names_find(const struct names *names, const char *text, int64_t length)
{
    return names->room ? names->slots[find_slot(names, text, length)] - 1 : -1;
}

void names_free(struct names *names)
{
    free(names->slots);
    free(names->text);
    free(names->ends);
    *names = (struct names){0};
}
