/* The looks of texts on screens: bold, coloured or reversed. Headings are bold in the colour of titles, the
 * chosen line is reversed, texts of rows and columns have their colours, and numbers are plain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/layouts.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "support/warps_screen.h"

/* Letters of colours: of text T, dim, title, accent, good, warning, fault, rows, columns, the cursor and
 * marks. */
static const char letters[] = "TdtagwbrcCM";

/* True if it has a letter or a digit of ASCII, not marks of a picture alone. */
static bool has_words(const struct cell *cells, int count)
{
    for (int k = 0; k < count; k++)
        if (cells[k].character < 0x7f && cells[k].character != ' ') return true;
    return false;
}

/* True if the next character, or the one behind a blank, has this look, too. */
static bool goes_on(const struct cell *next, int left, const struct cell *look)
{
    const int k = left > 1 && next[0].character == ' ';
    return left > k && next[k].character != ' ' && next[k].foreground == look->foreground &&
           next[k].attributes == look->attributes;
}

/* Append "LOOK:TEXT|" for each run of characters of one look, but for plain and dim ones and the levels of
 * pictures; equal ones in succession once. */
static void append_runs(const struct surface *surface, struct text *out)
{
    char before[128] = "";
    for (int y = 0; y < surface->high; y++)
        for (int x = 0, end; x < surface->wide; x = end) {
            const struct cell *row = &surface->cells[y * surface->wide], *first = &row[x];
            const unsigned attributes = first->attributes & ~(unsigned)ATTRIBUTE_PIXELS;
            char run[128];
            end = x + 1;
            if (first->character == ' ' || first->foreground >= sizeof letters - 1) continue;
            if (first->foreground <= COLOUR_DIM && !attributes) continue;
            while (goes_on(&row[end], surface->wide - end, first))
                end++;
            if (!has_words(first, end - x)) continue;
            int used =
                snprintf(run, sizeof run, "%c%s%s%s:", letters[first->foreground],
                         attributes & ATTRIBUTE_BOLD ? "*" : "", attributes & ATTRIBUTE_REVERSE ? "~" : "",
                         attributes & ATTRIBUTE_UNDERLINE ? "_" : "");
            for (int k = x; k < end; k++)
                run[used++] = row[k].character < 0x7f ? (char)row[k].character : '.';
            run[used] = 0;
            if (strcmp(run, before) != 0) text_append(out, "%s|", run);
            snprintf(before, sizeof before, "%s", run);
        }
}

/* Figure 10.1 of PMPP on each screen, in 24 x 80 characters. */
TEST(texts_have_their_looks)
{
    static const struct {
        const struct view *view;
        const char *looks;
    } cases[] = {
        {&view_summary, "t*:Formats|T*~:coo|t*:Mean length|"},
        {&view_pattern, "t*:Pattern: numbers|t*:Shown|r:3|t*:Legend|w:0 an entry that is "
                        "zero|t*:Cursor|c:2|r:2|c:2|a:(1, 1)|a:3|"},
        {&view_rows, "t*:Rows by length|t*:4 rows|t*:Cut at K = 2|t*:Share up to a length|r:. rows|g:. "
                     "entries|M:1|M:25%|M:1|M:14.3%|t*:Length by row|r:. mean|g:104 B|t*:Longest rows|T~:> "
                     "3|T~:3|C:1|C:2|"},
        {&view_layouts, "t*:CSR|a:csr|t*:ELLPACK|a:ell|a:104 B|a:144 B|g:padding factor 1|w:padding factor "
                        "1.714|a*:row|a:0|r*:0|T*_:3|d*_:@|c*_:0|c:2|r*:0|T*:3|d*:@|c*:0|c:2|c:1|c:2|c:3|c:1|"
                        "c:2|c:3|c:0|c:3|c:0|c:3|a:0|T*:0|r:2|T*:3|r:1|a:0|T*:0|r:2|T*:3|r:1|a:col[0] = 0|"},
        {&view_warps, "t*:csr-scalar|a:warp 1 of 8|a:rows 1..4|b:14 sectors|b:1.40 times as many as "
                      "ell-padded|w:42% used|b:the longest warp|b:the worst warp|g:a typical warp|a:step 3 "
                      "of 12|r:load val[k]|b:37.5% used|T*:0|T~:23|r:elements of "
                      "val|T*:0|r~:2|r~:3|t:all:|r:values|a:1.667|b:35%|a:1.667|b:35%|c:columns|a:1|b:29.2%|"
                      "a:1|b:29.2%|a:1|w:50%|a:1|w:50%|M:x|a:1|w:41.7%|a:1|w:41.7%|g:y "
                      "stored|a:1|g:100%|a:1|g:100%|t:all|a:1.167|w:42%|a:1.167|w:42%|t:lanes|b:8.24%|t:ell-"
                      "padded (b):|g:10 sectors|g:1.40 times fewer than csr-scalar|w:48.8% used|"},
        {&view_kernels, "a:f|a:T|a:w|a:o|a:m|a:R|a:r|t:kernel|t:thr|T~:cpu/coo-seq|t:cpu/coo-seq|a:Forecast "
                        "time|g*:>|g*:=|d*:~|w*:*|b*:!|"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FREED(stage_close) struct stage stage;
        FREED(text_free) struct text out = {0};
        stage_open(&stage, cases[k].view, layouts_pmpp(), FIELD_REAL, 24, 80);
        if (cases[k].view == &view_layouts) layouts_build(&stage);
        if (cases[k].view == &view_warps) warps_work(&stage);
        append_runs(&stage.surface, &out);
        if (strcmp(out.data, cases[k].looks) != 0)
            fail_msg("%s\n%s\nnot\n%s", cases[k].view->title, out.data, cases[k].looks);
    }
}
