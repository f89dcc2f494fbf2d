/* drawing/sixel, kitty, png: the bytes as a terminal reads them, by decoders of this test. They are written
 * after the standards and share nothing with the encoders. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "drawing/palette.h"
#include "drawing/pixmap.h"
#include "drawing/png.h"
#include "drawing/protocols.h"
#include "support/unit.h"

#define LEFT_OUT -1 /* of a decoded picture */

static struct pixmap_colours colours;

static int set_up(void **state)
{
    for (int c = 0; c < COLOUR_COUNT; c++)
        colours.rgb[c] = palette_rgb(PALETTE_DIRECT, false, (enum colour)c);
    return 0;
}

/* The result of a decoder. */
struct seen {
    int high, wide;
    int *pixels; /* RGB values; those of sixels are in percent */
    int longest; /* run of a sixel picture */
    int registers;
};

static int *pixel(struct seen *seen, int y, int x)
{
    assert_true(y >= 0 && x >= 0 && y < seen->high && x < seen->wide);
    return &seen->pixels[y * seen->wide + x];
}

static void start_seen(struct seen *seen, int high, int wide)
{
    seen->high = high;
    seen->wide = wide;
    seen->pixels = malloc(((size_t)high * (size_t)wide + 1) * sizeof *seen->pixels);
    assert_non_null(seen->pixels);
    for (int k = 0; k < high * wide; k++)
        seen->pixels[k] = LEFT_OUT;
}

static long number(const char **c)
{
    char *end;
    long value = strtol(*c, &end, 10);
    assert_ptr_not_equal(end, *c);
    *c = end;
    return value;
}

/* Decode a sixel picture, from ESC P to ESC \. */
static struct seen decode_sixel(const char *c)
{
    struct seen seen = {0};
    int rgb[256] = {0}, reg = -1, x = 0, y = 0;
    assert_memory_equal(c, "\033P0;1;0q\"1;1;", 13);
    c += 13;
    int wide = (int)number(&c);
    assert_int_equal(*c++, ';');
    start_seen(&seen, (int)number(&c), wide);
    while (*c != '\033') {
        long times = 1;
        if (*c == '#') {
            c++;
            reg = (int)number(&c);
            assert_true(reg >= 0 && reg < 256);
            if (*c != ';') continue;
            assert_memory_equal(c, ";2;", 3);
            c += 3;
            rgb[reg] = 0;
            for (int k = 0; k < 3; k++, c += k < 3) {
                long percent = number(&c);
                assert_true(percent >= 0 && percent <= 100);
                rgb[reg] = rgb[reg] << 8 | (int)percent;
            }
            seen.registers++;
            continue;
        }
        if (*c == '$' || *c == '-') {
            x = 0;
            y += *c++ == '-' ? 6 : 0;
            continue;
        }
        if (*c == '!') {
            c++;
            times = number(&c);
        }
        assert_in_range(*c, '?', '~');
        if (times > seen.longest) seen.longest = (int)times;
        for (; times > 0; times--, x++)
            for (int r = 0; r < 6; r++)
                if ((*c - '?') >> r & 1) *pixel(&seen, y + r, x) = rgb[reg];
        c++;
    }
    assert_string_equal(c, "\033\\");
    return seen;
}

static unsigned word(const unsigned char *bytes)
{
    return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
}

static struct seen decode_png(const unsigned char *bytes, size_t count)
{
    struct seen seen = {0};
    int rgb[256] = {0};
    bool ended = false;
    assert_true(count > 8);
    assert_memory_equal(bytes, "\211PNG\r\n\032\n", 8);
    for (size_t k = 8; k < count;) {
        const unsigned char *data = bytes + k + 8;
        size_t length = word(bytes + k);
        assert_true(!ended && k + 12 + length <= count);
        assert_int_equal(word(data + length), crc32(0, bytes + k + 4, (uInt)length + 4));
        if (memcmp(bytes + k + 4, "IHDR", 4) == 0) {
            assert_memory_equal(data + 8, "\10\3\0\0\0", 5);
            start_seen(&seen, (int)word(data + 4), (int)word(data));
        } else if (memcmp(bytes + k + 4, "PLTE", 4) == 0) {
            for (size_t c = 0; c < length / 3; c++)
                rgb[c] = data[3 * c] << 16 | data[3 * c + 1] << 8 | data[3 * c + 2];
        } else if (memcmp(bytes + k + 4, "tRNS", 4) == 0) {
            assert_int_equal(length, 1);
            assert_int_equal(data[0], 0);
            rgb[0] = LEFT_OUT;
        } else if (memcmp(bytes + k + 4, "IDAT", 4) == 0) {
            size_t row = (size_t)seen.wide + 1, all = row * (size_t)seen.high;
            unsigned char *rows = malloc(all + 1);
            assert_non_null(rows);
            uLongf found = all;
            assert_int_equal(uncompress(rows, &found, data, length), Z_OK);
            assert_int_equal(found, all);
            for (size_t e = 0; e < all; e++) {
                if (e % row == 0) assert_int_equal(rows[e], 0);
                if (e % row) *pixel(&seen, (int)(e / row), (int)(e % row) - 1) = rgb[rows[e]];
            }
            free(rows);
        } else {
            assert_memory_equal(bytes + k + 4, "IEND", 4);
            ended = true;
        }
        k += 12 + length;
    }
    assert_true(ended);
    return seen;
}

static int digit(char letter)
{
    if (letter >= 'A' && letter <= 'Z') return letter - 'A';
    if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9') return letter - '0' + 52;
    return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

/* Decode the commands that send an image. *chunks becomes the number of chunks. */
static struct seen decode_kitty(const char *c, int *chunks)
{
    struct text png = {0};
    bool more = true;
    *chunks = 0;
    while (*c) {
        assert_true(more);
        assert_memory_equal(c, "\033_G", 3);
        c += 3;
        if (*chunks == 0) {
            assert_memory_equal(c, "a=t,f=100,i=7,", 14);
            c += 14;
        }
        assert_memory_equal(c, "q=2,m=", 6);
        more = c[6] == '1';
        assert_int_equal(c[7], ';');
        c += 8;
        size_t letters = strcspn(c, "\033");
        assert_true(letters <= 4096 && letters % 4 == 0 && (!more || letters == 4096));
        for (size_t k = 0; k < letters; k += 4) {
            int value = 0, bytes = c[k + 3] != '=' ? 3 : c[k + 2] != '=' ? 2 : 1;
            for (int n = 0; n < 4; n++) {
                assert_true(n <= bytes ? digit(c[k + (size_t)n]) >= 0 : c[k + (size_t)n] == '=');
                value = value << 6 | (n <= bytes ? digit(c[k + (size_t)n]) : 0);
            }
            char out[3] = {(char)(value >> 16), (char)(value >> 8 & 255), (char)(value & 255)};
            text_append_bytes(&png, out, (size_t)bytes);
        }
        c += letters;
        assert_memory_equal(c, "\033\\", 2);
        c += 2;
        ++*chunks;
    }
    assert_false(more);
    struct seen seen = decode_png((const unsigned char *)png.data, png.length);
    text_free(&png);
    return seen;
}

static int in_percent(int rgb)
{
    int result = 0;
    for (int shift = 16; shift >= 0; shift -= 8)
        result = result << 8 | (int)((rgb >> shift & 255) * 100 / 255.0 + 0.5);
    return result;
}

static void assert_seen(struct seen *seen, const struct pixmap *pixmap, struct rect part, bool percent)
{
    assert_int_equal(seen->high, part.high);
    assert_int_equal(seen->wide, part.wide);
    for (int y = 0; y < part.high; y++)
        for (int x = 0; x < part.wide; x++) {
            int c = pixmap_row(pixmap, part.top + y)[part.left + x];
            int wanted = c == COLOUR_TEXT ? LEFT_OUT : percent ? in_percent(colours.rgb[c]) : colours.rgb[c];
            assert_int_equal(*pixel(seen, y, x), wanted);
        }
    free(seen->pixels);
}

/* Pseudo-random numbers, the same in each run. */
static unsigned next(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Pictures of all kinds: one colour, empty, noise, stripes, runs, repeated rows. */
static void fill(struct pixmap *pixmap, int kind)
{
    unsigned seed = 7;
    for (int y = 0; y < pixmap->high; y++)
        for (int x = 0; x < pixmap->wide; x++) {
            int noise = (int)next(&seed);
            pixmap_row(pixmap, y)[x] =
                (uint8_t)(kind == 0   ? COLOUR_DENSITY
                          : kind == 1 ? COLOUR_TEXT
                          : kind == 2 ? (noise % 3 ? COLOUR_TEXT : COLOUR_DENSITY + noise % 32)
                          : kind == 3 ? (x % 5 ? COLOUR_TEXT : COLOUR_MARK)
                          : kind == 4 ? (noise % 400 ? COLOUR_DENSITY + y / 7 % 16 : COLOUR_TEXT)
                                      : x * x / 3 % 40);
        }
}

static const int sizes[][2] = {{1, 1}, {6, 7}, {7, 6}, {13, 255}, {12, 256}, {5, 1000}, {61, 511}, {300, 3}};

TEST(pictures_come_back)
{
    struct pixmap pixmap = {0};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int kind = 0; kind < 6; kind++) {
            struct text text = {0};
            int chunks;
            assert_int_equal(pixmap_resize(&pixmap, sizes[s][0], sizes[s][1], NULL), STATUS_OK);
            fill(&pixmap, kind);
            struct rect all = {0, 0, pixmap.high, pixmap.wide};
            sixel_write(&pixmap, all, &colours, &text);
            struct seen seen = decode_sixel(text.data);
            assert_true(seen.longest <= 255);
            assert_seen(&seen, &pixmap, all, true);
            text_free(&text);
            kitty_send(&pixmap, &colours, 7, &text);
            seen = decode_kitty(text.data, &chunks);
            assert_seen(&seen, &pixmap, all, false);
            text_free(&text);
        }
    pixmap_free(&pixmap);
}

/* A part equals that part of the whole; pixels outside are left out. */
TEST(parts_come_back)
{
    struct pixmap pixmap = {0};
    static const struct rect parts[] = {{0, 0, 20, 10}, {7, 9, 20, 10}, {23, 35, 20, 10}, {6, 0, 6, 41}};
    assert_int_equal(pixmap_resize(&pixmap, 31, 41, NULL), STATUS_OK);
    fill(&pixmap, 2);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        FREED(text_free) struct text text = {0};
        struct rect inner = parts[k];
        if (inner.top + inner.high > 31) inner.high = 31 - inner.top;
        if (inner.left + inner.wide > 41) inner.wide = 41 - inner.left;
        sixel_write(&pixmap, parts[k], &colours, &text);
        struct seen seen = decode_sixel(text.data);
        assert_seen(&seen, &pixmap, inner, true);
    }
    pixmap_free(&pixmap);
}

TEST(nothing_is_sent_of_nothing)
{
    struct pixmap pixmap = {0};
    struct text text = {0};
    assert_int_equal(pixmap_resize(&pixmap, 0, 0, NULL), STATUS_OK);
    sixel_write(&pixmap, (struct rect){0, 0, 9, 9}, &colours, &text);
    kitty_send(&pixmap, &colours, 7, &text);
    assert_int_equal(pixmap_resize(&pixmap, 4, 4, NULL), STATUS_OK);
    fill(&pixmap, 0);
    sixel_write(&pixmap, (struct rect){4, 0, 2, 2}, &colours, &text);
    assert_int_equal(text.length, 0);
    pixmap_free(&pixmap);
}

/* A chunk is full or the last one: noise of 3,072 bytes and more takes several. */
TEST(chunks_are_limited)
{
    struct pixmap pixmap = {0};
    struct text text = {0};
    int chunks;
    assert_int_equal(pixmap_resize(&pixmap, 100, 200, NULL), STATUS_OK);
    unsigned seed = 3;
    for (int k = 0; k < 100 * 200; k++)
        pixmap.pixels[k] = (uint8_t)(COLOUR_DENSITY + next(&seed) / 64 % 32);
    kitty_send(&pixmap, &colours, 7, &text);
    struct seen seen = decode_kitty(text.data, &chunks);
    assert_in_range(chunks, 4, 7); /* 5 to 8 bits a pixel, in chunks of 3,072 bytes */
    assert_seen(&seen, &pixmap, (struct rect){0, 0, 100, 200}, false);
    text_free(&text);
    pixmap_free(&pixmap);
}

/* Similar colours share a register. A few registers suffice for all levels in their order. */
TEST(registers_are_shared)
{
    static const struct {
        int most, registers;
    } cases[] = {{1024, 16}, {16, 16}, {15, 8}, {8, 8}, {6, 4}, {4, 4}, {2, 2}};
    struct pixmap pixmap = {0};
    assert_int_equal(pixmap_resize(&pixmap, 3, DENSITY_LEVELS, NULL), STATUS_OK);
    for (int k = 0; k < 3 * DENSITY_LEVELS; k++)
        pixmap.pixels[k] = (uint8_t)(COLOUR_DENSITY + k % DENSITY_LEVELS);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct pixmap_colours few = colours;
        FREED(text_free) struct text text = {0};
        pixmap_reduce(&pixmap, cases[k].most, &few);
        assert_int_equal(few.rgb[COLOUR_DENSITY + 15], colours.rgb[COLOUR_DENSITY + 15]);
        sixel_write(&pixmap, (struct rect){0, 0, 3, DENSITY_LEVELS}, &few, &text);
        struct seen seen = decode_sixel(text.data);
        assert_int_equal(seen.registers, cases[k].registers);
        for (int x = 0; x < DENSITY_LEVELS; x++) {
            int group = DENSITY_LEVELS / cases[k].registers, level = x | (group - 1);
            assert_int_equal(*pixel(&seen, 1, x), in_percent(colours.rgb[COLOUR_DENSITY + level]));
        }
        free(seen.pixels);
    }
    pixmap_free(&pixmap);
}

/* The numbers of xterm's 256 colours, by hand from its documentation; 8 colours become those of viridis. */
TEST(colours_are_the_screens)
{
    assert_int_equal(palette_rgb(PALETTE_256, false, COLOUR_DENSITY + 15), 0xffff00); /* 226 */
    assert_int_equal(palette_rgb(PALETTE_256, false, COLOUR_DENSITY), 0x005faf);      /* 25 */
    assert_int_equal(palette_rgb(PALETTE_256, true, COLOUR_DENSITY + 15), 0x5f005f);  /* 53 */
    assert_int_equal(palette_rgb(PALETTE_256, false, COLOUR_DIM), 0x808080);          /* 244 */
    assert_int_equal(palette_rgb(PALETTE_DIRECT, false, COLOUR_DENSITY + 15), 0xfde725);
    assert_int_equal(palette_rgb(PALETTE_8, false, COLOUR_DENSITY + 15), 0xfde725);
}

TEST(allocations_may_fail)
{
    struct pixmap pixmap = {0};
    struct error error = {0};
    memory_fail_after(0);
    assert_int_equal(pixmap_resize(&pixmap, 10, 10, &error), STATUS_MEMORY);
    memory_fail_after(-1);
    assert_int_equal(pixmap_resize(&pixmap, 10, 10, NULL), STATUS_OK);
    fill(&pixmap, 2);
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0, failed = 1; failed; k++) {
            FREED(text_free) struct text text = {0};
            assert_true(k < 100);
            memory_fail_after(k);
            if (kind)
                kitty_send(&pixmap, &colours, 7, &text);
            else
                sixel_write(&pixmap, (struct rect){0, 0, 10, 10}, &colours, &text);
            memory_fail_after(-1);
            failed = text.failed;
            if (!failed) assert_true(k > 0);
        }
    pixmap_free(&pixmap);
}

TESTS_BETWEEN(set_up, NULL)
