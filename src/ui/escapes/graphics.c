#include "ui/escapes/graphics.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "ui/escapes/background.h"

/* The limits of plausible sizes of a cell and of a picture, in pixels in each direction. Larger numbers are
 * mistakes. */
#define CELL_MAX 256
#define PICTURE_MAX 65535

/* True if the bytes end in the string terminator, ESC \, or in BEL if that is allowed. */
static bool terminated(const char *bytes, bool bell)
{
    size_t length = strlen(bytes);
    if (bell && length > 0 && bytes[length - 1] == 7) return true;
    return length > 1 && bytes[length - 2] == 0x1b && bytes[length - 1] == '\\';
}

/* Return the kind of a string that begins with `intro`: `kind` once it is complete, ANSWER_PARTIAL before. */
static enum answer string_kind(const char *bytes, const char *intro, bool bell, enum answer kind)
{
    size_t length = strlen(bytes), known = strlen(intro);
    if (strncmp(bytes, intro, length < known ? length : known) != 0) return ANSWER_NONE;
    return length > known && terminated(bytes, bell) ? kind : ANSWER_PARTIAL;
}

/* Return the kind of a control sequence: "[" with digits, semicolons and a letter. */
static enum answer sequence_kind(const char *bytes)
{
    bool own = bytes[1] == '?';
    const char *c = bytes + (own ? 2 : 1);
    if (!own && *c && (*c != '6' || (c[1] && c[1] != ';'))) return ANSWER_NONE;
    while (isdigit((unsigned char)*c) || *c == ';')
        c++;
    if (!*c) return ANSWER_PARTIAL;
    if (c[1]) return ANSWER_NONE;
    if (!own) return *c == 't' ? ANSWER_CELL : ANSWER_NONE;
    return *c == 'c' ? ANSWER_FENCE : *c == 'S' ? ANSWER_SIXEL : ANSWER_NONE;
}

enum answer answer_kind(const char *bytes)
{
    switch (*bytes) {
    case 0:
        return ANSWER_PARTIAL;
    case ']':
        return string_kind(bytes, BACKGROUND_ANSWER, true, ANSWER_BACKGROUND);
    case '_':
        return string_kind(bytes, "_G", false, ANSWER_KITTY);
    case '[':
        return sequence_kind(bytes);
    default:
        return ANSWER_NONE;
    }
}

/* Read the numbers of a control sequence. Returns their number, at most `most`. An omitted number is 0. */
static int read_numbers(const char *bytes, int *numbers, int most)
{
    int count = 0;
    const char *c = bytes + 1;
    if (*c == '?') c++;
    while (count < most) {
        long value = strtol(c, NULL, 10);
        numbers[count++] = value > 0 && value <= PICTURE_MAX ? (int)value : 0;
        c += strspn(c, "0123456789");
        if (*c++ != ';') break;
    }
    return count;
}

static void take_cell(struct graphics *graphics, const int *numbers, int count)
{
    if (count != 3 || numbers[1] < 1 || numbers[2] < 1 || numbers[1] > CELL_MAX || numbers[2] > CELL_MAX)
        return;
    graphics->cell[0] = numbers[1];
    graphics->cell[1] = numbers[2];
}

/* Item 1 is the number of registers, item 2 the width and height of the largest picture. The number after the
 * item is 0 if the terminal supports the question. */
static void take_sixel(struct graphics *graphics, const int *numbers, int count)
{
    if (count < 3 || numbers[1] != 0) return;
    if (numbers[0] == 1) graphics->registers = numbers[2];
    if (numbers[0] != 2 || count < 4) return;
    graphics->largest[0] = numbers[3];
    graphics->largest[1] = numbers[2];
}

/* The first number is the terminal's class, the others are its attributes. */
static void take_attributes(struct graphics *graphics, const int *numbers, int count)
{
    for (int k = 1; k < count; k++)
        if (numbers[k] == 4) graphics->sixel = true;
}

void graphics_take(struct graphics *graphics, enum answer kind, const char *bytes)
{
    int numbers[ANSWER_MAX];
    const char *words = strchr(bytes, ';');
    int count = read_numbers(bytes, numbers, ANSWER_MAX);
    if (kind == ANSWER_CELL) take_cell(graphics, numbers, count);
    if (kind == ANSWER_SIXEL) take_sixel(graphics, numbers, count);
    if (kind == ANSWER_FENCE) take_attributes(graphics, numbers, count);
    if (kind == ANSWER_KITTY && words && strncmp(words, ";OK", 3) == 0) graphics->kitty = true;
}

enum status graphics_read(const char *text, enum graphics_wish *wish, struct error *error)
{
    static const char *const names[] = {[GRAPHICS_ASKED] = "auto",
                                        [GRAPHICS_KITTY] = "kitty",
                                        [GRAPHICS_SIXEL] = "sixel",
                                        [GRAPHICS_NONE] = "none"};
    struct guess guess;
    char meant[GUESS_TEXT];
    guess_start(&guess, text, strlen(text));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        guess_offer(&guess, names[k], names[k]);
        if (strcmp(text, names[k]) != 0) continue;
        *wish = (enum graphics_wish)k;
        return STATUS_OK;
    }
    guess_text(&guess, meant);
    return error_set(error, STATUS_USAGE, "--graphics is auto, kitty, sixel or none, and not '%s'%s%s", text,
                     meant, *meant ? "?" : "");
}
