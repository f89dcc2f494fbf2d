#include "drawing/protocols.h"

#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/memory.h"
#include "drawing/png.h"

#define BAND 6       /* pixels above each other in a sixel */
#define RUN_MAX 255  /* some terminals read the count of a run into a byte */
#define RUN_MIN 4    /* a shorter run takes no more bytes if its sixels are repeated */
#define NO_SIXEL '?' /* the sixel without pixels; the bits of a sixel are added to it */

/* The sixels of one register in a band. */
struct strand {
    uint8_t *bits;   /* one for each column, 0 between bands */
    int first, last; /* the columns with pixels; none if first > last */
};

struct bands {
    const struct pixmap *pixmap;
    struct rect part;
    int reg[COLOUR_COUNT];               /* the register of each colour; -1 if no pixel has it */
    int rgb[COLOUR_COUNT], registers;    /* the colours and the number of the registers */
    struct strand strands[COLOUR_COUNT]; /* one for each register */
    struct text *out;
};

static void find_registers(struct bands *bands, const struct pixmap_colours *colours)
{
    bool used[256] = {false};
    for (int y = 0; y < bands->part.high; y++) {
        const uint8_t *row = pixmap_row(bands->pixmap, bands->part.top + y) + bands->part.left;
        for (int x = 0; x < bands->part.wide; x++)
            used[row[x]] = true;
    }
    for (int c = 0; c < COLOUR_COUNT; c++) {
        bands->reg[c] = -1;
        if (!used[c] || c == COLOUR_TEXT) continue;
        int k = 0;
        while (k < bands->registers && bands->rgb[k] != colours->rgb[c])
            k++;
        bands->reg[c] = k;
        bands->rgb[k] = colours->rgb[c];
        if (k == bands->registers) bands->registers++;
    }
}

/* An intensity of 0 .. 255 in the percent of sixels. */
static int percent(int intensity)
{
    return (intensity * 100 + 127) / 255;
}

static void write_registers(const struct bands *bands)
{
    for (int k = 0; k < bands->registers; k++)
        text_append(bands->out, "#%d;2;%d;%d;%d", k, percent(bands->rgb[k] >> 16 & 255),
                    percent(bands->rgb[k] >> 8 & 255), percent(bands->rgb[k] & 255));
}

/* Sort the pixels of the band that begins in row y of the part by their registers. */
static void collect(struct bands *bands, int y)
{
    for (int k = 0; k < bands->registers; k++) {
        bands->strands[k].first = bands->part.wide;
        bands->strands[k].last = -1;
    }
    for (int r = 0; r < BAND && y + r < bands->part.high; r++) {
        const uint8_t *row = pixmap_row(bands->pixmap, bands->part.top + y + r) + bands->part.left;
        for (int x = 0; x < bands->part.wide; x++) {
            if (row[x] == COLOUR_TEXT || row[x] >= COLOUR_COUNT) continue;
            struct strand *strand = &bands->strands[bands->reg[row[x]]];
            strand->bits[x] |= (uint8_t)(1 << r);
            if (x < strand->first) strand->first = x;
            if (x > strand->last) strand->last = x;
        }
    }
}

static void write_run(struct text *out, uint8_t bits, int length)
{
    char sixel = (char)(NO_SIXEL + bits), all[RUN_MIN];
    for (; length >= RUN_MIN; length -= length > RUN_MAX ? RUN_MAX : length) {
        char digits[8];
        int run = length > RUN_MAX ? RUN_MAX : length, used = 0;
        digits[used++] = '!';
        if (run >= 100) digits[used++] = (char)('0' + run / 100);
        if (run >= 10) digits[used++] = (char)('0' + run / 10 % 10);
        digits[used++] = (char)('0' + run % 10);
        digits[used++] = sixel;
        text_append_bytes(out, digits, (size_t)used);
    }
    memset(all, sixel, sizeof all);
    text_append_bytes(out, all, (size_t)length);
}

/* Write the sixels of register k, and clear them. */
static void write_strand(struct bands *bands, int k)
{
    struct strand *strand = &bands->strands[k];
    text_append(bands->out, "#%d", k);
    if (strand->first) write_run(bands->out, 0, strand->first);
    for (int x = strand->first, end; x <= strand->last; x = end) {
        for (end = x + 1; end <= strand->last && strand->bits[end] == strand->bits[x]; end++)
            ;
        write_run(bands->out, strand->bits[x], end - x);
    }
    memset(strand->bits + strand->first, 0, (size_t)(strand->last - strand->first + 1));
}

static void write_bands(struct bands *bands)
{
    for (int y = 0; y < bands->part.high; y += BAND) {
        bool any = false;
        if (y) text_append_bytes(bands->out, "-", 1);
        collect(bands, y);
        for (int k = 0; k < bands->registers; k++) {
            if (bands->strands[k].last < 0) continue;
            if (any) text_append_bytes(bands->out, "$", 1);
            write_strand(bands, k);
            any = true;
        }
    }
}

void sixel_write(const struct pixmap *pixmap, struct rect part, const struct pixmap_colours *colours,
                 struct text *out)
{
    struct bands bands = {.pixmap = pixmap, .part = pixmap_part(pixmap, part), .out = out};
    if (bands.part.high == 0 || bands.part.wide == 0) return;
    find_registers(&bands, colours);
    size_t wide = (size_t)bands.part.wide;
    uint8_t *bits = memory_zeroed((size_t)bands.registers + 1, wide, NULL);
    if (!bits) {
        out->failed = true;
        return;
    }
    for (int k = 0; k < bands.registers; k++)
        bands.strands[k].bits = bits + (size_t)k * wide;
    /* 0;1: the pixels are square, and omitted ones remain unchanged. */
    text_append(out, "\033P0;1;0q\"1;1;%d;%d", bands.part.wide, bands.part.high);
    write_registers(&bands);
    write_bands(&bands);
    text_append_bytes(out, "\033\\", 2);
    free(bits);
}

void kitty_send(const struct pixmap *pixmap, const struct pixmap_colours *colours, int id, struct text *out)
{
    struct text png = {0};
    char letters[KITTY_CHUNK];
    const size_t step = KITTY_CHUNK / 4 * 3;
    png_write(pixmap, colours, &png);
    for (size_t k = 0; k < png.length && !png.failed; k += step) {
        size_t n = png.length - k < step ? png.length - k : step;
        text_append(out, "\033_G");
        if (k == 0) text_append(out, "a=t,f=100,i=%d,", id);
        text_append(out, "q=2,m=%d;", k + n < png.length);
        text_append_bytes(out, letters, base64_encode((const unsigned char *)png.data + k, n, letters));
        text_append_bytes(out, "\033\\", 2);
    }
    if (png.failed) out->failed = true;
    text_free(&png);
}

void kitty_place(int id, int placement, struct rect part, struct text *out)
{
    text_append(out, "\033_Ga=p,i=%d,p=%d,x=%d,y=%d,w=%d,h=%d,z=-1,C=1,q=2\033\\", id, placement, part.left,
                part.top, part.wide, part.high);
}

void kitty_remove(int id, int placement, struct text *out)
{
    text_append(out, "\033_Ga=d,d=i,i=%d,p=%d,q=2\033\\", id, placement);
}

void kitty_delete(int id, struct text *out)
{
    text_append(out, "\033_Ga=d,d=I,i=%d,q=2\033\\", id);
}
