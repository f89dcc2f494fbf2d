#include "ui/escapes/paint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

/* The state of a cell during an update. */
struct paint_part {
    int64_t next; /* the next cell with the same ink, or -1 */
    int ink;
    bool differs; /* it looks other than shown */
    bool due;     /* it must still be painted */
};

/* Text without colour and attributes. Every update begins and ends with it. */
static const struct look normal = {-1, -1, 0};

void paint_free(struct paint *paint)
{
    free(paint->shown);
    free(paint->wanted);
    free(paint->parts);
    free(paint->inks);
    free(paint->found);
    text_free(&paint->out);
    text_free(&paint->trial);
    memset(paint, 0, sizeof *paint);
}

enum status paint_resize(struct paint *paint, int high, int wide, struct error *error)
{
    size_t cells = (size_t)high * (size_t)wide;
    paint_free(paint);
    paint->shown = memory_zeroed(cells, sizeof *paint->shown, error);
    paint->wanted = memory_zeroed(cells, sizeof *paint->wanted, error);
    paint->parts = memory_zeroed(cells, sizeof *paint->parts, error);
    paint->inks = memory_zeroed(PAINT_INKS, sizeof *paint->inks, error);
    paint->found = memory_zeroed(2 * PAINT_INKS, sizeof *paint->found, error);
    if (!paint->shown || !paint->wanted || !paint->parts || !paint->inks || !paint->found) {
        paint_free(paint);
        return STATUS_MEMORY;
    }
    paint->high = high;
    paint->wide = wide;
    return STATUS_OK;
}

static bool same_look(struct look a, struct look b)
{
    return a.foreground == b.foreground && a.background == b.background && a.attributes == b.attributes;
}

/* True if a blank of this look shows only the terminal's background. */
static bool is_clear(struct look look)
{
    return look.background < 0 && !(look.attributes & (LOOK_REVERSE | LOOK_UNDERLINE));
}

static bool is_blank(const struct paint_cell *cell)
{
    return cell->character == ' ' && is_clear(cell->look);
}

static bool looks_same(const struct paint_cell *a, const struct paint_cell *b)
{
    if (is_blank(a) && is_blank(b)) return true;
    return a->character == b->character && same_look(a->look, b->look);
}

void paint_shown(struct paint *paint)
{
    if (!paint->wanted) return;
    memcpy(paint->shown, paint->wanted, (size_t)paint->high * (size_t)paint->wide * sizeof *paint->shown);
    paint->known = true;
}

/* Return the number of the ink for this look, or -1 if there are too many inks. */
static int find_ink(struct paint *paint, struct look look)
{
    uint32_t hash =
        (uint32_t)look.foreground * 2654435761U + (uint32_t)look.background * 40503U + look.attributes * 97U;
    size_t at = (hash >> 16 ^ hash) % (2 * PAINT_INKS);
    for (; paint->found[at] >= 0; at = (at + 1) % (2 * PAINT_INKS))
        if (same_look(paint->inks[paint->found[at]].look, look)) return paint->found[at];
    if (paint->ink_count == PAINT_INKS) return -1;
    paint->inks[paint->ink_count] = (struct paint_ink){look, -1, -1};
    paint->found[at] = paint->ink_count;
    return paint->ink_count++;
}

static void add_part(struct paint *paint, int64_t cell, int number)
{
    struct paint_ink *ink = &paint->inks[number];
    paint->parts[cell] = (struct paint_part){-1, number, true, true};
    if (ink->last < 0)
        ink->first = cell;
    else
        paint->parts[ink->last].next = cell;
    ink->last = cell;
}

/* Return the ink for a blank that follows no ink. If the character after the blanks is painted too, return
 * its ink, because the blanks then lead the pen there. Otherwise return `before`, the last ink used. */
static int ink_of_blank(struct paint *paint, int y, int x, int before)
{
    const size_t line = (size_t)y * (size_t)paint->wide;
    for (; x < paint->wide; x++) {
        const struct paint_cell *cell = &paint->wanted[line + (size_t)x];
        if (looks_same(cell, &paint->shown[line + (size_t)x])) return before;
        if (is_blank(cell)) continue;
        return is_clear(cell->look) ? find_ink(paint, cell->look) : before;
    }
    return before;
}

/* Find the cells of a line that differ, and the ink of each. *last is the last ink in which blanks can be
 * written. Returns false if there are too many inks. */
static bool compare_line(struct paint *paint, int y, int *last)
{
    const size_t line = (size_t)y * (size_t)paint->wide;
    bool beside = false; /* the previous cell is painted in *last */
    for (int x = 0; x < paint->wide; x++) {
        size_t at = line + (size_t)x;
        const struct paint_cell *cell = &paint->wanted[at];
        bool blank = is_blank(cell);
        int ink = *last;
        paint->parts[at].differs = false;
        if (looks_same(cell, &paint->shown[at])) {
            beside = false;
            continue;
        }
        if (!blank)
            ink = find_ink(paint, cell->look);
        else if (!beside)
            ink = ink_of_blank(paint, y, x, *last);
        if (ink < 0) return false;
        beside = is_clear(paint->inks[ink].look);
        if (beside) *last = ink;
        add_part(paint, (int64_t)at, ink);
    }
    return true;
}

/* The terminal's pen: its position and its look. */
struct pen_at {
    struct paint *paint;
    const struct paint_words *words;
    struct text *out;
    int y, x; /* x is -1 where terminals differ about the position of the cursor */
    struct look look;
    size_t joint; /* the length of *out after an SGR sequence, which another one may be joined to */
};

static void put(struct pen_at *pen, const char *bytes)
{
    text_append_bytes(pen->out, bytes, strlen(bytes));
}

static void put_character(struct pen_at *pen, uint32_t c)
{
    words_append_character(pen->out, c);
    if (++pen->x == pen->paint->wide) pen->x = -1; /* terminals wrap only before the next character */
}

/* Put a sequence that sets a look. ESC [ 1 m ESC [ 3 2 m is ESC [ 1 ; 3 2 m. */
static void put_sgr(struct pen_at *pen, const char *sequence)
{
    struct text *out = pen->out;
    const size_t length = strlen(sequence);
    const bool joins = length > 2 && memcmp(sequence, "\033[", 2) == 0 &&
                       2 + strspn(sequence + 2, "0123456789;") + 1 == length && sequence[length - 1] == 'm';
    if (joins && pen->joint && pen->joint == out->length && !out->failed) {
        out->data[out->length - 1] = ';';
        sequence += 2;
    }
    put(pen, sequence);
    pen->joint = joins && !out->failed ? out->length : 0;
}

static bool drops(struct look from, struct look to)
{
    return from.attributes & ~to.attributes;
}

/* True if the look is that of the pen but for the underline, which the terminal can end alone. */
static bool drops_underline(const struct pen_at *pen, struct look look)
{
    look.attributes |= LOOK_UNDERLINE;
    return *pen->words->no_underline && same_look(pen->look, look);
}

static void set_look(struct pen_at *pen, struct look look)
{
    char colour[64];
    if (same_look(pen->look, look)) return;
    bool default_again = (pen->look.foreground >= 0 && look.foreground < 0) ||
                         (pen->look.background >= 0 && look.background < 0);
    if (drops_underline(pen, look)) {
        put_sgr(pen, pen->words->no_underline);
        pen->look = look;
        return;
    }
    const bool off = drops(pen->look, look) || (default_again && pen->words->plain); /* shorter */
    if (off) put_sgr(pen, pen->words->normal);
    if (off || default_again) {
        if (!off || !pen->words->plain) put_sgr(pen, pen->words->no_colours);
        pen->look.foreground = pen->look.background = -1;
    }
    unsigned kept = off ? 0 : pen->look.attributes;
    for (int bit = 0; bit < 4; bit++)
        if (look.attributes & ~kept & 1U << bit) put_sgr(pen, pen->words->attributes[bit]);
    for (int background = 0; background < 2; background++) {
        int number = background ? look.background : look.foreground;
        if (number == (background ? pen->look.background : pen->look.foreground)) continue;
        pen->words->colour(colour, sizeof colour, number, background);
        put_sgr(pen, colour);
    }
    pen->look = look;
}

/* True if the cell looks as wanted when it is written with the pen's look. */
static bool fits_pen(const struct pen_at *pen, const struct paint_cell *cell)
{
    return is_blank(cell) ? is_clear(pen->look) : same_look(cell->look, pen->look);
}

/* Move right in the line by writing the wanted characters again, if this takes at most `most` bytes and needs
 * no other look. A cell that will be painted in another ink takes a blank. */
static bool write_over(struct pen_at *pen, int x, int most)
{
    const struct paint *paint = pen->paint;
    const size_t line = (size_t)pen->y * (size_t)paint->wide;
    int bytes = 0;
    for (int k = pen->x; k < x; k++) {
        const struct paint_cell *cell = &paint->wanted[line + (size_t)k];
        const bool fits = fits_pen(pen, cell);
        if (cell->character == PAINT_PICTURE) return false;
        bytes += fits ? words_encode(cell->character, (char[4]){0}) : 1;
        if ((!fits && !paint->parts[line + (size_t)k].due) || bytes > most) return false;
    }
    for (int k = pen->x; k < x; k++) {
        const struct paint_cell *cell = &paint->wanted[line + (size_t)k];
        const bool fits = fits_pen(pen, cell);
        if (fits) paint->parts[line + (size_t)k].due = false;
        put_character(pen, fits ? cell->character : ' ');
    }
    return true;
}

/* Keep the motion if it is the shortest. */
static void consider(char *best, const char *motion)
{
    if (!*best || strlen(motion) < strlen(best)) memcpy(best, motion, strlen(motion) + 1);
}

/* Write a motion to the right from column `from` to column x of tabs and backspaces; "" if it takes more than
 * 5 bytes. */
static void tab_to(const struct paint *paint, int from, int x, char out[8])
{
    const bool beyond = x % 8 > 0;
    const int tabs = x / 8 - from / 8 + beyond, back = beyond ? 8 - x % 8 : 0;
    int length = 0;
    if (tabs > 0 && tabs + back <= 5 && x + back < paint->wide) {
        memset(out, '\t', (size_t)tabs);
        memset(out + tabs, '\b', (size_t)back);
        length = tabs + back;
    }
    out[length] = 0;
}

/* Write the shortest motion within a line, from column `from` to column x. Returns false if there is none. */
static bool move_within(const struct pen_at *pen, int from, int x, char best[32])
{
    const struct paint_words *words = pen->words;
    const int right = x - from, left = from - x;
    char motion[32];
    *best = 0;
    if (right == 0) return true;
    snprintf(motion, sizeof motion, "\033[%dG", x + 1);
    if (words->to_column) consider(best, motion);
    snprintf(motion, sizeof motion, right == 1 ? "\033[C" : "\033[%dC", right);
    if (words->to_right && right > 0) consider(best, motion);
    snprintf(motion, sizeof motion, "\033[%dD", left);
    if (words->to_left && left > 1) consider(best, motion);
    snprintf(motion, sizeof motion, "%.*s", left, "\b\b\b\b\b\b\b\b");
    if (left > 0 && left <= 8) consider(best, motion);
    if (words->tabs) {
        tab_to(pen->paint, from, x, motion);
        if (right > 0 && *motion) consider(best, motion);
        *motion = '\r';
        tab_to(pen->paint, 0, x, motion + 1);
        if (left > 0 && (x == 0 || motion[1])) consider(best, motion);
    }
    return *best;
}

/* Write the shortest motion to another line that keeps the column. Returns false if there is none. */
static bool move_across(const struct paint_words *words, int from, int y, char best[32])
{
    const int below = y - from, above = from - y;
    char motion[32];
    *best = 0;
    if (below == 0) return true;
    snprintf(motion, sizeof motion, "%.*s", below, "\n\n\n\n");
    if (words->down && below > 0 && below <= 4) consider(best, motion);
    snprintf(motion, sizeof motion, "\033[%dB", below);
    if (words->lines_down && below > 1) consider(best, motion);
    snprintf(motion, sizeof motion, above == 1 ? "\033[A" : "\033[%dA", above);
    if (words->lines_up && above > 0) consider(best, motion);
    return *best;
}

/* Move the pen. A motion from where it is may be shorter than an absolute position. */
static void go_to(struct pen_at *pen, int y, int x)
{
    char best[64] = "", across[32], within[32], motion[64];
    const int from = pen->x;
    if (y == pen->y && x == from) return;
    snprintf(best, sizeof best, x ? "\033[%d;%dH" : "\033[%dH", y + 1, x + 1);
    if (from >= 0 && move_across(pen->words, pen->y, y, across) && move_within(pen, from, x, within)) {
        snprintf(motion, sizeof motion, "%s%s", across, within);
        consider(best, motion);
    }
    if (from < 0 || y != pen->y || x < from || !write_over(pen, x, (int)strlen(best))) put(pen, best);
    pen->y = y;
    pen->x = x;
}

/* The approximate length of a motion. */
#define MOTION_BYTES 5

/* Erase `count` blanks from column x on. At the end of a line EL is used, because it is shorter. Erased cells
 * that should not be blank are still due. */
static void erase(struct pen_at *pen, int y, int x, int count)
{
    struct paint *paint = pen->paint;
    struct paint_part *parts = &paint->parts[(size_t)y * (size_t)paint->wide];
    const struct paint_cell *cells = &paint->wanted[(size_t)y * (size_t)paint->wide];
    go_to(pen, y, x);
    if (x + count == paint->wide && pen->words->erase_line)
        put(pen, "\033[K");
    else
        text_append(pen->out, "\033[%dX", count);
    for (int k = x; k < x + count; k++)
        parts[k].due = parts[k].due && !is_blank(&cells[k]);
}

/* Erase a stretch of blanks by one command where that saves bytes. A stretch ends at a cell that stays
 * unchanged and is not blank. Without the command, each run of blanks costs its length or a command, and a
 * motion unless it follows a painted character. Characters within the stretch are painted afterwards. */
static void erase_line(struct pen_at *pen, int y)
{
    struct paint *paint = pen->paint;
    const struct paint_part *parts = &paint->parts[(size_t)y * (size_t)paint->wide];
    const struct paint_cell *cells = &paint->wanted[(size_t)y * (size_t)paint->wide];
    if (!pen->words->erase) return;
    for (int x = 0; x < paint->wide; x++) {
        int from = -1, to = -1, saved = 0, run = 0;
        for (; x < paint->wide && (parts[x].due || is_blank(&cells[x])); x++) {
            bool erased = parts[x].due && is_blank(&cells[x]);
            if (!erased) run = 0;
            if (!erased) continue;
            if (from < 0) from = x;
            to = x + 1;
            if (!run && (x == 0 || !parts[x - 1].due)) saved += MOTION_BYTES;
            if (run++ < 5) saved++;
        }
        if (x == paint->wide && to >= 0) to = x;
        if (saved > MOTION_BYTES + (to == paint->wide ? 3 : to - from < 10 ? 4 : to - from < 100 ? 5 : 6))
            erase(pen, y, from, to - from);
    }
}

static void paint_cell(struct pen_at *pen, int64_t cell)
{
    struct paint *paint = pen->paint;
    go_to(pen, (int)(cell / paint->wide), (int)(cell % paint->wide));
    put_character(pen, paint->wanted[cell].character);
    paint->parts[cell].due = false;
}

static bool is_due_in(const struct paint *paint, int64_t cell, int ink)
{
    return paint->parts[cell].due && paint->parts[cell].ink == ink;
}

/* True if the cell must be painted in this ink, but those beside it need not. */
static bool is_lone(const struct paint *paint, int64_t cell, int ink)
{
    const int x = (int)(cell % paint->wide);
    return is_due_in(paint, cell, ink) && (x == 0 || !is_due_in(paint, cell - 1, ink)) &&
           (x + 1 == paint->wide || !is_due_in(paint, cell + 1, ink));
}

/* The minimum length of a chain of cells that are painted downwards. The cell below takes a line feed and a
 * backspace. A motion within the line takes about 5 bytes, but the way back up takes 7. */
#define CHAIN_MIN 4

/* Return the last cell of a chain of lone cells of an ink, each below the previous one, such as a vertical
 * rule. If the chain is too short, return the cell itself. */
static int64_t chain_end(const struct pen_at *pen, int64_t cell, int ink)
{
    const struct paint *paint = pen->paint;
    const int64_t count = (int64_t)paint->high * paint->wide;
    int64_t last = cell;
    if (!pen->words->down || !is_lone(paint, cell, ink)) return cell;
    while (last + paint->wide < count && is_lone(paint, last + paint->wide, ink))
        last += paint->wide;
    return last - cell >= (CHAIN_MIN - 1) * (int64_t)paint->wide ? last : cell;
}

static void paint_ink(struct pen_at *pen, int number)
{
    struct paint *paint = pen->paint;
    const struct paint_ink *ink = &paint->inks[number];
    for (int64_t cell = ink->first; cell >= 0; cell = paint->parts[cell].next) {
        if (!paint->parts[cell].due) continue;
        set_look(pen, ink->look);
        const int64_t end = chain_end(pen, cell, number);
        for (int64_t at = cell; at <= end; at += paint->wide)
            if (paint->parts[at].due) paint_cell(pen, at);
    }
}

/* The orders in which inks are used. */
enum ink_order {
    GROUNDS_LAST,  /* no colour first, then colours alone, then attributes, then backgrounds */
    GROUNDS_FIRST, /* backgrounds first: characters on them are written over them */
    INK_ORDERS,
};

static int rank(struct look look, enum ink_order order)
{
    if (look.background >= 0) return order == GROUNDS_FIRST ? -1 : 3;
    return look.attributes ? 2 : look.foreground >= 0;
}

/* Write into pen->out the bytes that make the terminal show the wanted picture, and return the cursor to (y,
 * x). Blanks are erased by commands, or all written. */
static void paint_all(struct pen_at *pen, enum ink_order order, bool erases)
{
    struct paint *paint = pen->paint;
    const int64_t count = (int64_t)paint->high * paint->wide;
    const int y = pen->y, x = pen->x;
    pen->out->length = 0;
    for (int64_t cell = 0; cell < count; cell++)
        paint->parts[cell].due = paint->parts[cell].differs;
    for (int line = 0; line < paint->high && erases; line++)
        erase_line(pen, line);
    for (int step = -1; step < 4; step++)
        for (int k = 0; k < paint->ink_count; k++)
            if (rank(paint->inks[k].look, order) == step) paint_ink(pen, k);
    set_look(pen, normal);
    if (pen->out->length) go_to(pen, y, x);
}

static void swap_texts(struct text *a, struct text *b)
{
    const struct text old = *a;
    *a = *b;
    *b = old;
}

bool paint_update(struct paint *paint, const struct paint_words *words, int y, int x)
{
    const struct pen_at start = {
        .paint = paint, .words = words, .out = &paint->out, .y = y, .x = x, .look = normal};
    struct pen_at pen = start;
    int last;
    paint->out.length = 0;
    if (!paint->wanted || !paint->known) return false;
    paint->ink_count = 0;
    memset(paint->found, -1, 2 * PAINT_INKS * sizeof *paint->found);
    last = find_ink(paint, normal);
    paint->known = false;
    for (int line = 0; line < paint->high; line++)
        if (!compare_line(paint, line, &last)) return false;
    paint_all(&pen, GROUNDS_LAST, true);
    if (paint->out.failed) {
        text_free(&paint->out);
        return false;
    }
    for (int trial = 1; trial < 2 * INK_ORDERS && paint->out.length; trial++) {
        pen = start;
        pen.out = &paint->trial;
        paint_all(&pen, (enum ink_order)(trial / 2), trial % 2 == 0);
        if (paint->trial.failed)
            text_free(&paint->trial);
        else if (paint->trial.length < paint->out.length)
            swap_texts(&paint->out, &paint->trial);
    }
    paint_shown(paint);
    return true;
}
