#include "drawing/png.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawing/deflate.h"

/* The checksum of chunks (ISO/IEC 15948, annex D), with a table for each of four bytes at a time. */
struct crc {
    uint32_t table[4][256];
};

static void crc_make(struct crc *crc)
{
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        crc->table[0][n] = c;
    }
    for (int t = 1; t < 4; t++)
        for (uint32_t n = 0; n < 256; n++)
            crc->table[t][n] = crc->table[t - 1][n] >> 8 ^ crc->table[0][crc->table[t - 1][n] & 255];
}

static uint32_t crc_of(const struct crc *crc, const char *bytes, size_t count)
{
    const unsigned char *b = (const unsigned char *)bytes;
    uint32_t c = 0xffffffffu;
    for (; count >= 4; count -= 4, b += 4) {
        c ^= (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        c = crc->table[3][c & 255] ^ crc->table[2][c >> 8 & 255] ^ crc->table[1][c >> 16 & 255] ^
            crc->table[0][c >> 24];
    }
    for (; count; count--, b++)
        c = c >> 8 ^ crc->table[0][(c ^ *b) & 255];
    return ~c;
}

static void store(char out[4], uint32_t value)
{
    for (int k = 0; k < 4; k++)
        out[k] = (char)(value >> (24 - 8 * k) & 255);
}

/* Begin a chunk. Returns where it begins, for end_chunk. */
static size_t begin_chunk(struct text *out, const char *type)
{
    size_t start = out->length;
    text_append_bytes(out, "\0\0\0\0", 4); /* end_chunk writes the length here */
    text_append_bytes(out, type, 4);
    return start;
}

static void end_chunk(struct text *out, const struct crc *crc, size_t start)
{
    char number[4];
    if (out->failed) return;
    store(out->data + start, (uint32_t)(out->length - start - 8));
    store(number, crc_of(crc, out->data + start + 4, out->length - start - 4));
    text_append_bytes(out, number, 4);
}

static void write_header(const struct pixmap *pixmap, const struct crc *crc, struct text *out)
{
    char number[4];
    size_t start = begin_chunk(out, "IHDR");
    store(number, (uint32_t)pixmap->wide);
    text_append_bytes(out, number, 4);
    store(number, (uint32_t)pixmap->high);
    text_append_bytes(out, number, 4);
    text_append_bytes(out, "\10\3\0\0\0", 5); /* 8 bits, a palette, and the one way of each other thing */
    end_chunk(out, crc, start);
}

static void write_palette(const struct pixmap_colours *colours, const struct crc *crc, struct text *out)
{
    size_t start = begin_chunk(out, "PLTE");
    for (int c = 0; c < COLOUR_COUNT; c++) {
        int rgb = c == COLOUR_TEXT ? 0 : colours->rgb[c];
        char bytes[3] = {(char)(rgb >> 16 & 255), (char)(rgb >> 8 & 255), (char)(rgb & 255)};
        text_append_bytes(out, bytes, 3);
    }
    end_chunk(out, crc, start);
    start = begin_chunk(out, "tRNS");
    text_append_bytes(out, "\0", 1); /* the first colour, COLOUR_TEXT, is transparent */
    end_chunk(out, crc, start);
}

static void write_pixels(const struct pixmap *pixmap, const struct crc *crc, struct text *out)
{
    size_t row = (size_t)pixmap->wide + 1, count;
    uint8_t *rows = size_multiply(row, (size_t)pixmap->high, &count) ? memory_array(count, 1, NULL) : NULL;
    if (!rows) {
        out->failed = true;
        return;
    }
    for (int y = 0; y < pixmap->high; y++) {
        rows[(size_t)y * row] = 0; /* the row is not filtered */
        memcpy(rows + (size_t)y * row + 1, pixmap_row(pixmap, y), (size_t)pixmap->wide);
    }
    size_t start = begin_chunk(out, "IDAT");
    deflate_write(rows, count, row, out);
    end_chunk(out, crc, start);
    free(rows);
}

void png_write(const struct pixmap *pixmap, const struct pixmap_colours *colours, struct text *out)
{
    struct crc crc;
    if (pixmap->high == 0 || pixmap->wide == 0) return;
    crc_make(&crc);
    text_append_bytes(out, "\211PNG\r\n\032\n", 8);
    write_header(pixmap, &crc, out);
    write_palette(colours, &crc, out);
    write_pixels(pixmap, &crc, out);
    end_chunk(out, &crc, begin_chunk(out, "IEND"));
}
