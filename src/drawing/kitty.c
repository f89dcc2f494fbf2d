#include "drawing/protocols.h"

#include "base/base64.h"
#include "drawing/png.h"

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
