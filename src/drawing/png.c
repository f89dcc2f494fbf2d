#include "drawing/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

static void store(char out[4], uint32_t value)
{
    for (int k = 0; k < 4; k++)
        out[k] = (char)(value >> (24 - 8 * k) & 255);
}

/* Begin a chunk. Returns its offset, for end_chunk. */
static size_t begin_chunk(struct text *out, const char *type)
{
    size_t start = out->length;
    text_append_bytes(out, "\0\0\0\0", 4); /* end_chunk writes the length here */
    text_append_bytes(out, type, 4);
    return start;
}

/* The checksum is of the chunk's type and data (ISO/IEC 15948, 5.3). */
static void end_chunk(struct text *out, size_t start)
{
    char number[4];
    if (out->failed) return;
    store(out->data + start, (uint32_t)(out->length - start - 8));
    const Bytef *bytes = (const Bytef *)out->data + start + 4;
    store(number, (uint32_t)crc32_z(0, bytes, out->length - start - 4));
    text_append_bytes(out, number, 4);
}

static void write_header(const struct pixmap *pixmap, struct text *out)
{
    char number[4];
    size_t start = begin_chunk(out, "IHDR");
    store(number, (uint32_t)pixmap->wide);
    text_append_bytes(out, number, 4);
    store(number, (uint32_t)pixmap->high);
    text_append_bytes(out, number, 4);
    text_append_bytes(out, "\10\3\0\0\0",
                      5); /* 8 bits, a palette, and the only compression, filter and interlace method */
    end_chunk(out, start);
}

static void write_palette(const struct pixmap_colours *colours, struct text *out)
{
    size_t start = begin_chunk(out, "PLTE");
    for (int c = 0; c < COLOUR_COUNT; c++) {
        int rgb = c == COLOUR_TEXT ? 0 : colours->rgb[c];
        char bytes[3] = {(char)(rgb >> 16 & 255), (char)(rgb >> 8 & 255), (char)(rgb & 255)};
        text_append_bytes(out, bytes, 3);
    }
    end_chunk(out, start);
    start = begin_chunk(out, "tRNS");
    text_append_bytes(out, "\0", 1); /* the first colour, COLOUR_TEXT, is transparent */
    end_chunk(out, start);
}

/* Concatenate the rows, each after the number of its filter, which is none. */
static void copy_rows(const struct pixmap *pixmap, size_t row, Bytef *rows)
{
    for (int y = 0; y < pixmap->high; y++, rows += row) {
        rows[0] = 0;
        memcpy(rows + 1, pixmap_row(pixmap, y), (size_t)pixmap->wide);
    }
}

/* The fastest compression is enough: most of a pattern is runs of one colour. */
static void write_pixels(const struct pixmap *pixmap, struct text *out)
{
    size_t row = (size_t)pixmap->wide + 1, count;
    Bytef *rows = size_multiply(row, (size_t)pixmap->high, &count) ? memory_array(count, 1, NULL) : NULL;
    uLongf size = rows ? compressBound((uLong)count) : 0;
    Bytef *small = rows ? memory_array(size, 1, NULL) : NULL;
    if (small) copy_rows(pixmap, row, rows);
    if (small && compress2(small, &size, rows, (uLong)count, Z_BEST_SPEED) == Z_OK) {
        size_t start = begin_chunk(out, "IDAT");
        text_append_bytes(out, (const char *)small, size);
        end_chunk(out, start);
    } else {
        out->failed = true;
    }
    free(small);
    free(rows);
}

void png_write(const struct pixmap *pixmap, const struct pixmap_colours *colours, struct text *out)
{
    if (pixmap->high == 0 || pixmap->wide == 0) return;
    text_append_bytes(out, "\211PNG\r\n\032\n", 8);
    write_header(pixmap, out);
    write_palette(colours, out);
    write_pixels(pixmap, out);
    end_chunk(out, begin_chunk(out, "IEND"));
}
