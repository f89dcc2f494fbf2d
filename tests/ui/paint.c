/* Painting: a small terminal obeys the output and must then show the wanted picture; the bytes are
 * counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support/generate.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/escapes/paint.h"

#define HIGH 48
#define WIDE 160

static struct paint paint;

/* A model of a terminal that understands only the commands below, and fails the test on others. */
static struct {
    struct paint_cell cells[HIGH * WIDE];
    int y, x;
    bool wraps; /* something was written in the last column, so that only a position is where all terminals
                   agree */
    struct look pen;
} terminal;

static void write_colour(char *out, size_t size, int number, bool background)
{
    if (number < 8)
        snprintf(out, size, "\033[%d%dm", background ? 4 : 3, number);
    else
        snprintf(out, size, "\033[%d8;5;%dm", background ? 4 : 3, number);
}

static struct paint_words words = {.normal = "\033(B\033[m",
                                   .no_colours = "\033[39;49m",
                                   .attributes = {"\033[1m", "\033[7m", "\033[4m", "\033[2m"},
                                   .no_underline = "\033[24m",
                                   .to_column = true,
                                   .to_right = true,
                                   .to_left = true,
                                   .down = true,
                                   .lines_down = true,
                                   .lines_up = true,
                                   .tabs = true,
                                   .erase = true,
                                   .erase_line = true,
                                   .colour = write_colour};

static void erase(int from, int to)
{
    assert_true(from >= 0 && to <= WIDE);
    assert_int_equal(terminal.pen.background, -1); /* terminals differ in the colour of these */
    for (int x = from; x < to; x++)
        terminal.cells[terminal.y * WIDE + x] = (struct paint_cell){' ', terminal.pen};
}

static void set_pen(const int *numbers, int count)
{
    struct look *pen = &terminal.pen;
    for (int k = 0; k < count; k++) {
        int n = numbers[k];
        if (n == 0 && words.plain)
            *pen = (struct look){-1, -1, 0};
        else if (n == 0)
            pen->attributes = 0; /* as terminfo has it, this need not change the colours */
        else if (n == 1)
            pen->attributes |= LOOK_BOLD;
        else if (n == 2)
            pen->attributes |= LOOK_DIM;
        else if (n == 4)
            pen->attributes |= LOOK_UNDERLINE;
        else if (n == 7)
            pen->attributes |= LOOK_REVERSE;
        else if (n == 24)
            pen->attributes &= ~(unsigned)LOOK_UNDERLINE;
        else if (n == 39)
            pen->foreground = -1;
        else if (n == 49)
            pen->background = -1;
        else if (n >= 30 && n < 38)
            pen->foreground = n - 30;
        else if (n >= 40 && n < 48)
            pen->background = n - 40;
        else {
            assert_true((n == 38 || n == 48) && k + 2 < count && numbers[k + 1] == 5);
            *(n == 38 ? &pen->foreground : &pen->background) = numbers[k + 2];
            k += 2;
        }
    }
}

/* Obey ESC [ and the sequence after it; returns its length. */
static size_t command(const char *bytes)
{
    int numbers[16] = {0}, count = 1;
    const char *c = bytes;
    for (; (*c >= '0' && *c <= '9') || *c == ';'; c++) {
        if (*c == ';')
            assert_true(count++ < 16);
        else
            numbers[count - 1] = numbers[count - 1] * 10 + (*c - '0');
    }
    int n = numbers[0] ? numbers[0] : 1;
    assert_true(*c == 'm' || *c == 'H' || !terminal.wraps);
    if (*c == 'm') {
        set_pen(numbers, count);
    } else if (*c == 'H') {
        terminal.y = n - 1;
        terminal.x = numbers[1] ? numbers[1] - 1 : 0;
        terminal.wraps = false;
    } else if (*c == 'G') {
        terminal.x = n - 1;
    } else if (*c == 'C') {
        terminal.x += n;
    } else if (*c == 'D') {
        terminal.x -= n;
    } else if (*c == 'B') {
        terminal.y += n;
    } else if (*c == 'A') {
        terminal.y -= n;
    } else if (*c == 'X') {
        erase(terminal.x, terminal.x + n);
    } else {
        assert_int_equal(*c, 'K');
        erase(terminal.x, WIDE);
    }
    assert_in_range(terminal.y, 0, HIGH - 1);
    assert_in_range(terminal.x, 0, WIDE - 1);
    return (size_t)(c + 1 - bytes);
}

static size_t character(const char *bytes)
{
    const unsigned char *u = (const unsigned char *)bytes;
    size_t length = u[0] < 0x80 ? 1 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
    uint32_t code = length == 1 ? u[0] : u[0] & (0x7fU >> length);
    for (size_t k = 1; k < length; k++)
        code = code << 6 | (u[k] & 0x3f);
    assert_false(terminal.wraps);
    terminal.cells[terminal.y * WIDE + terminal.x] = (struct paint_cell){code, terminal.pen};
    terminal.wraps = terminal.x == WIDE - 1;
    terminal.x += !terminal.wraps;
    return length;
}

static void obey(const char *bytes)
{
    while (*bytes) {
        if (strncmp(bytes, "\033(B", 3) == 0) {
            bytes += 3;
        } else if (*bytes == '\r') {
            assert_false(terminal.wraps);
            terminal.x = 0;
            bytes++;
        } else if (bytes[0] == '\033') {
            assert_int_equal(bytes[1], '[');
            bytes += 2 + command(bytes + 2);
        } else if (*bytes == '\t') {
            assert_false(terminal.wraps);
            terminal.x = terminal.x / 8 * 8 + 8;
            assert_true(terminal.x < WIDE);
            bytes++;
        } else if (*bytes == '\n' || *bytes == '\b') {
            assert_false(terminal.wraps);
            terminal.y += *bytes == '\n';
            terminal.x -= *bytes++ == '\b';
            assert_true(terminal.y < HIGH && terminal.x >= 0);
        } else {
            bytes += character(bytes);
        }
    }
}

static bool blank(const struct paint_cell *cell)
{
    return cell->character == ' ' && cell->look.background < 0 &&
           !(cell->look.attributes & (LOOK_REVERSE | LOOK_UNDERLINE));
}

/* Make the terminal show the wanted picture. Returns the bytes for that. */
static size_t update(void)
{
    assert_true(paint_update(&paint, &words, terminal.y, terminal.x));
    int y = terminal.y, x = terminal.x;
    if (paint.out.length) obey(paint.out.data);
    assert_int_equal(terminal.y, y);
    assert_int_equal(terminal.x, x);
    assert_true(terminal.pen.foreground < 0 && terminal.pen.background < 0 && !terminal.pen.attributes);
    for (size_t k = 0; k < HIGH * WIDE; k++) {
        const struct paint_cell *is = &terminal.cells[k], *wanted = &paint.wanted[k];
        if (blank(wanted) && blank(is)) continue;
        assert_int_equal(is->character, wanted->character);
        assert_int_equal(is->look.foreground, wanted->look.foreground);
        assert_int_equal(is->look.background, wanted->look.background);
        assert_int_equal(is->look.attributes, wanted->look.attributes);
    }
    return paint.out.length;
}

/* An empty terminal, known to be empty. */
static int fresh(void **state)
{
    memset(&terminal, 0, sizeof terminal);
    terminal.pen = (struct look){-1, -1, 0};
    terminal.y = HIGH - 1;
    if (paint_resize(&paint, HIGH, WIDE, NULL) != STATUS_OK) return -1;
    for (size_t k = 0; k < HIGH * WIDE; k++)
        paint.wanted[k] = terminal.cells[k] = (struct paint_cell){' ', terminal.pen};
    paint_shown(&paint);
    return 0;
}

static int done(void **state)
{
    paint_free(&paint);
    return 0;
}

static void write_at(int y, int x, const char *text, struct look look)
{
    for (; *text; text++)
        paint.wanted[y * WIDE + x++] = (struct paint_cell){(unsigned char)*text, look};
}

static const struct look none = {-1, -1, 0}, red = {1, -1, 0}, green = {2, -1, 0}, bar = {7, 4, 0};

TEST_BETWEEN(fresh, done, nothing_changed_sends_nothing)
{
    assert_int_equal(update(), 0);
    write_at(3, 4, "a b", red);
    assert_true(update() > 0);
    assert_int_equal(update(), 0);
    write_at(3, 5, " ", green); /* blanks look the same in all inks, */
    assert_int_equal(update(), 0);
    write_at(3, 5, " ", bar); /* but not on another background */
    assert_true(update() > 0);
}

/* Counted by hand: a position 7, two colours 5 each, a, b, c, a blank where b comes later, a motion of 2, and
 * the end, 8 and 5. */
TEST_BETWEEN(fresh, done, inks_are_used_one_after_the_other)
{
    write_at(4, 9, "a", red);
    write_at(4, 10, "b", green);
    write_at(4, 11, "c", red);
    size_t sent = update();
    assert_string_equal(paint.out.data, "\033[31m\033[5;10Ha c\033[32m\b\bb\033[39;49m\033[48H");
    assert_int_equal(sent, strlen(paint.out.data));
}

/* Attributes and colours are one sequence, and where ESC [ m ends colours nothing else does. */
TEST_BETWEEN(fresh, done, looks_are_set_by_one_sequence)
{
    static const struct look marked = {1, 4, LOOK_BOLD | LOOK_UNDERLINE};
    for (int plain = 0; plain < 2; plain++) {
        fresh(NULL);
        words.plain = plain;
        snprintf(words.normal, sizeof words.normal, "%s", plain ? "\033[m" : "\033(B\033[m");
        write_at(4, 9, "a", marked);
        write_at(5, 9, "b", bar);
        update();
        /* The bar's ink has no attribute, but the same rank. Inks of a rank are written in the order of their
         * first use. */
        assert_string_equal(
            paint.out.data,
            plain ? "\033[1;4;31;44m\033[5;10Ha\033[;37;44m\n\bb\033[m\033[48H"
                  : "\033[1;4;31;44m\033[5;10Ha\033(B\033[m\033[39;49;37;44m\n\bb\033[39;49m\033[48H");
        paint_free(&paint);
    }
    fresh(NULL);
    words.plain = false;
    snprintf(words.normal, sizeof words.normal, "\033(B\033[m");
}

/* No order of inks is best for all pictures. Here the blanks of a background are written through the cells of
 * another ink, 18 in all, and then these cells. The other order needs 4 blanks or a motion between the
 * characters, and motions between the runs of the background. */
TEST_BETWEEN(fresh, done, the_shortest_order_is_sent)
{
    static const struct look shade = {-1, 4, 0};
    write_at(4, 8, "                    ", shade);
    for (int x = 8; x < 28; x += 6)
        write_at(4, x, "a", red);
    update();
    assert_string_equal(paint.out.data, "\033[44m\033[5;10H                   \033[39;49;31m"
                                        "\r\ta\t\b\ba\033[5Ca\033[5Ca\033[39;49m\033[48H");
}

/* The underline ends alone, and all looks by the shortest sequence. */
TEST_BETWEEN(fresh, done, looks_end_by_few_bytes)
{
    static const struct look marked = {1, 4, LOOK_BOLD | LOOK_UNDERLINE}, beside = {1, 4, LOOK_BOLD};
    words.plain = true;
    snprintf(words.normal, sizeof words.normal, "\033[m");
    write_at(4, 8, "a", marked);
    write_at(4, 9, "b", beside);
    write_at(4, 10, "c", red);
    update();
    assert_string_equal(paint.out.data, "\033[31m\033[5;11Hc\033[1;4;44m\r\ta\033[24mb\033[m\033[48H");
    words.plain = false;
    snprintf(words.normal, sizeof words.normal, "\033(B\033[m");
}

/* Tabs and backspaces are motions where they are the shortest, but not beyond the last column. */
TEST_BETWEEN(fresh, done, tabs_are_motions)
{
    static const int at[] = {20, 32, 47, 152, 157};
    for (int x = 20; x < WIDE; x++)
        write_at(4, x, ".", none);
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        write_at(4, at[k], "a", green);
    update();
    for (size_t k = 0; k < sizeof at / sizeof *at; k++)
        write_at(4, at[k], "b", green);
    update();
    assert_string_equal(paint.out.data,
                        "\033[32m\033[5;21Hb\t\tb\t\t\bb\033[153Gb\033[4Cb\033[39;49m\033[48H");
}

/* Positions of two inks, the second met below the first: motions up, far down and to the left are shorter
 * than a position, which takes 7 or 8 bytes. */
TEST_BETWEEN(fresh, done, motions_go_from_where_the_pen_is)
{
    write_at(10, 140, "a", red);
    write_at(30, 140, "a", red); /* 20 lines down, and a backspace */
    write_at(31, 120, "a", red); /* a line feed, and 21 to the left: 6 bytes */
    write_at(32, 0, "a", red);
    write_at(33, 16, "a", red);
    write_at(31, 17, "b", green);
    write_at(33, 18, "b", green);
    update();
    assert_string_equal(paint.out.data, "\033[31m\033[11;141Ha\033[20B\ba\n\033[21Da\n\ra\n\t\ta"
                                        "\033[32m\033[2Ab\n\nb\033[39;49m\033[48H");
}

/* A vertical rule is painted downwards: each cell takes its bytes, a line feed and a backspace. */
TEST_BETWEEN(fresh, done, rules_are_painted_downwards)
{
    for (int y = 10; y < 20; y++)
        for (int x = 20; x < 60; x += 10)
            write_at(y, x, "|", red);
    const size_t sent = update();
    assert_int_equal(sent, 5 + 4 * (8 + 10 + 9 * 2) - 2 + 8 + 5); /* to column 40: 9 lines up, and two tabs */
}

TEST_BETWEEN(fresh, done, blanks_take_the_ink_beside)
{
    write_at(0, 0, "abcde", red);
    update();
    write_at(0, 0, "x y z", red);
    update();
    assert_string_equal(paint.out.data, "\033[31m\033[1Hx y z\033[39;49m\033[48H");
    write_at(0, 0, "     ", none);
    update();
    assert_string_equal(paint.out.data, "\033[1H\033[K\033[48H");
}

/* Writing characters again over pixels would erase them. */
TEST_BETWEEN(fresh, done, pictures_are_not_written_over)
{
    for (int x = 10; x < 20; x++)
        paint.wanted[5 * WIDE + x] = (struct paint_cell){PAINT_PICTURE, none};
    update();
    write_at(5, 9, "a", none);
    write_at(5, 11, "b", none);
    update();
    assert_string_equal(paint.out.data, "\033[6;10Ha\033[Cb\033[48H");
}

TEST_BETWEEN(fresh, done, long_blanks_are_erased)
{
    for (int x = 0; x < 40; x++)
        write_at(7, 20 + x, "#", green);
    write_at(7, 100, "stays", none);
    update();
    for (int x = 0; x < 40; x++)
        write_at(7, 20 + x, " ", none);
    write_at(7, 30, "!", red);
    update();
    assert_string_equal(paint.out.data, "\033[8;21H\033[40X\033[31m\t\t\b\b!\033[39;49m\033[48H");
}

/* After the last column the cursor of a terminal may be there or in the next line. This terminal then accepts
 * only a position. Every difference in colours, attributes and characters is painted. */
TEST_BETWEEN(fresh, done, anything_becomes_anything)
{
    static const uint32_t characters[] = {' ', ' ', ' ', 'a', 0xb7, 0x28ff, 0x2801, 0x1f600};
    uint32_t seed = 12345;
    for (int round = 0; round < 300; round++) {
        int run = 0, density = 1 + round % 40;
        struct paint_cell cell = {' ', none};
        words.plain = round % 2;
        for (size_t k = 0; k < HIGH * WIDE; k++) {
            seed = seed * 1664525U + 1013904223U;
            uint32_t random = seed >> 8;
            if ((int)(random % 40) >= density && run == 0) continue; /* stays */
            if (run-- <= 0) {
                run = (int)(random / 64 % 9);
                cell.look.foreground = (int)(random / 1024 % 5) - 1;
                cell.look.background = random / 8192 % 9 ? -1 : (int)(random % 3) + 60;
                cell.look.attributes = random / 16384 % 7 ? 0 : random % 16;
            }
            cell.character = characters[random / 128 % 8];
            paint.wanted[k] = cell;
        }
        update();
    }
    words.plain = false;
}

/* Where the terminal has no such commands, it is sent none. */
TEST_BETWEEN(fresh, done, words_may_be_few)
{
    const struct paint_words few = {.normal = "\033[m", .no_colours = "\033[39;49m", .colour = write_colour};
    for (int x = 0; x < WIDE; x += 3)
        for (int y = 0; y < HIGH; y += 2)
            write_at(y, x, "#", x % 2 ? red : green);
    assert_true(paint_update(&paint, &few, terminal.y, terminal.x));
    assert_null(strpbrk(paint.out.data, "GCXK\n"));
    obey(paint.out.data);
    for (size_t k = 0; k < HIGH * WIDE; k++)
        paint.wanted[k] = (struct paint_cell){' ', none};
    assert_true(paint_update(&paint, &few, terminal.y, terminal.x));
    assert_null(strpbrk(paint.out.data, "GCXK\n"));
    obey(paint.out.data);
    update();
    assert_int_equal(paint.out.length, 0);
}

/* If the shown picture is unknown, or inks run out, others have to draw the picture. */
TEST_BETWEEN(fresh, done, unknown_pictures_are_not_painted)
{
    assert_int_equal(paint_resize(&paint, HIGH, WIDE, NULL), STATUS_OK);
    assert_false(paint_update(&paint, &words, 0, 0));
    paint_shown(&paint);
    assert_true(paint_update(&paint, &words, 0, 0));
    for (int k = 0; k < PAINT_INKS; k++) /* one ink too many, with that of normal text */
        write_at(k / 100, k % 100, "#", (struct look){k, -1, 0});
    assert_false(paint_update(&paint, &words, 0, 0));
    assert_false(paint_update(&paint, &words, 0, 0));
}

TEST_BETWEEN(fresh, done, without_memory_nothing_is_painted)
{
    bool refused = true;
    for (long k = 0; refused; k++) {
        memory_fail_after(k);
        refused = paint_resize(&paint, HIGH, WIDE, NULL) == STATUS_MEMORY;
        if (refused) assert_null(paint.wanted);
        assert_false(paint_update(&paint, &words, 0, 0));
    }
    memory_fail_after(-1);
    for (size_t k = 0; k < HIGH * WIDE; k++)
        paint.wanted[k] = (struct paint_cell){' ', none};
    paint_shown(&paint);
    for (int x = 0; x < WIDE; x++)
        write_at(3, x, "#", red);
    memory_fail_after(0);
    assert_false(paint_update(&paint, &words, HIGH - 1, 0));
    memory_fail_after(-1);
    assert_false(paint_update(&paint, &words, HIGH - 1, 0)); /* it was not shown */
}

/* Make a stage's picture the wanted one. */
static void want(const struct stage *stage)
{
    for (size_t k = 0; k < HIGH * WIDE; k++) {
        const struct cell *cell = &stage->surface.cells[k];
        paint.wanted[k] =
            (struct paint_cell){cell->character, palette_look(PALETTE_256, false, cell->foreground,
                                                              cell->background, cell->attributes)};
    }
}

/* The bytes that keys send on Pattern, in the mean and at most. */
static void measure(const char *matrix, const char *keys, size_t mean, size_t most)
{
    struct stage stage;
    FREED(matrix_free) struct matrix a = generated(matrix);
    size_t sum = 0, largest = 0;
    stage_open(&stage, &view_pattern, a.csr, FIELD_REAL, HIGH, WIDE);
    stage.explorer.colours = true;
    stage_draw(&stage);
    want(&stage);
    update();
    for (const char *key = keys; *key; key++) {
        int arrow = *key == 'd' ? UIKEY_DOWN : *key == 'r' ? UIKEY_RIGHT : *key;
        stage_keys(&stage, &arrow, 1);
        want(&stage);
        size_t sent = update();
        sum += sent;
        largest = sent > largest ? sent : largest;
    }
    print_message("%s, %s: %zu in the mean, at most %zu\n", matrix, keys, sum / strlen(keys), largest);
    assert_true(largest > 20 && largest <= most);
    assert_true(sum / strlen(keys) <= mean);
    stage_close(&stage);
    memset(&a.csr, 0, sizeof a.csr);
}

TEST_BETWEEN(fresh, done, a_moved_cursor_sends_300_bytes)
{
    measure("laplace2d,n=100", "drdrdrdr", 250, 300);
    fresh(state);
    measure("random,m=4000,mean=20", "drdrdrdr", 300, 340); /* all positions and values of the list change */
}

TEST_BETWEEN(fresh, done, a_zoom_sends_few_kilobytes)
{
    measure("laplace2d,n=100", "++++----", 3300, 4300);
}
