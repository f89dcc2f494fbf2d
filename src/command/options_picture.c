#include "command/options_picture.h"

#include <stdlib.h>
#include <string.h>

#include "drawing/picture.h"

enum status picture_by_read(const char *text, enum figure_by *by, struct error *error)
{
    static const char *const names[] = {
        [FIGURE_COUNT] = "count", [FIGURE_VALUE] = "value", [FIGURE_SIGN] = "sign", [FIGURE_OWNER] = "owner"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(text, names[k]) == 0) {
            *by = (enum figure_by)k;
            return STATUS_OK;
        }
    return error_set(error, STATUS_USAGE, "--by is count, value, sign or owner, and not '%.40s'", text);
}

/* Read two whole numbers from min to max with this letter between them; returns false if they are none. */
static bool read_two(const char *text, char between, int64_t min, int64_t max, int64_t numbers[2])
{
    for (int k = 0; k < 2; k++) {
        char *end;
        if (*text < '0' || *text > '9') return false;
        numbers[k] = strtoll(text, &end, 10);
        if (numbers[k] < min || numbers[k] > max || *end != (k ? 0 : between)) return false;
        text = end + 1;
    }
    return true;
}

/* In a terminal a picture is as small as 16 characters. */
#define CHARACTERS_MIN 16

enum status picture_size_read(const char *text, int size[2], struct error *error)
{
    int64_t numbers[2];
    if (!read_two(text, 'x', CHARACTERS_MIN, PICTURE_MAX, numbers))
        return error_set(error, STATUS_USAGE,
                         "--size=%.40s: give its width and its height, each %d to %d, as 1200x900", text,
                         CHARACTERS_MIN, PICTURE_MAX);
    size[0] = (int)numbers[0];
    size[1] = (int)numbers[1];
    return STATUS_OK;
}

enum status picture_at_read(const char *text, int64_t at[2], struct error *error)
{
    int64_t numbers[2];
    if (!read_two(text, ',', 1, INT32_MAX, numbers))
        return error_set(error, STATUS_USAGE, "--at=%.40s: give a row and a column, from 1, as 12,7", text);
    at[0] = numbers[0] - 1;
    at[1] = numbers[1] - 1;
    return STATUS_OK;
}

enum status picture_storage_read(const char *text, struct format_list *list, struct error *error)
{
    enum status status = format_list_add(list, text, error);
    if (status != STATUS_OK || list->count == 1) return status;
    return error_set(error, STATUS_USAGE, "--storage=%.60s names %d formats; a layout is of one", text,
                     list->count);
}
