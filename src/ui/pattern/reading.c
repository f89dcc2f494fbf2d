/* The first picture of a matrix, while it is read. The Pattern screen draws it from a case without entries,
 * whose pyramid has the counts of the entries read so far. */
#include "ui/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pyramid_glimpse.h"
#include "base/memory.h"
#include "base/text.h"
#include "ui/pattern/pattern.h"

struct reading {
    const struct glimpse *glimpse;
    struct session session;
    struct explorer explorer;
    struct pattern *pattern;
};

struct reading *reading_open(const struct glimpse *glimpse, const struct explorer *explorer,
                             struct error *error)
{
    struct reading *reading = memory_zeroed(1, sizeof *reading, error);
    struct pattern *pattern = reading ? memory_zeroed(1, sizeof *pattern, error) : NULL;
    struct matrix matrix = {.csr = {.rows = glimpse->rows, .cols = glimpse->cols}};
    struct absence absence = {0};
    if (!pattern) {
        free(reading);
        return NULL;
    }
    reading->glimpse = glimpse;
    reading->pattern = pattern;
    reading->explorer = (struct explorer){.session = &reading->session,
                                          .cursor = {.row = -1, .col = -1},
                                          .ascii = explorer->ascii,
                                          .colours = explorer->colours,
                                          .shades = explorer->shades};
    struct matrix_case *of = session_start_known(&reading->session, 0, &matrix, 0, &absence);
    of->order = "Pattern so far";
    pattern_start(&reading->explorer, pattern, of);
    pattern->bare = true;
    pattern->margin_wish = MARGINS_HIDDEN;
    return reading;
}

/* Write a description of the picture. The bar below it has the share that was read: of a source that is read
 * twice, the picture has all entries at half of it. */
static void write_legend(const struct reading *reading, struct surface *surface, struct rect line)
{
    char counted[32];
    surface_text(surface, line.top, line.left, line.wide, COLOUR_DIM, 0,
                 "coarse: 1 of %d entries is counted, %s %s", GLIMPSE_SAMPLE,
                 format_count(counted, sizeof counted, atomic_load(&reading->glimpse->counted)),
                 glimpse_share(reading->glimpse) >= 1 ? "in all" : "so far");
}

void reading_draw(struct reading *reading, struct surface *surface, struct rect area)
{
    struct pattern *pattern = reading->pattern;
    struct matrix_case *of = reading->session.shown;
    if (area.high < 6 || pyramid_of_glimpse(reading->glimpse, &of->pyramid, NULL) != STATUS_OK) return;
    case_know(of, SESSION_PYRAMID);
    /* The counts and the best picture of them have changed. */
    pattern->laid_out = false;
    memset(&pattern->counted, 0, sizeof pattern->counted);
    pattern_bring_up(&reading->explorer, pattern,
                     (struct rect){area.top, area.left, area.high - 1, area.wide});
    pattern_paint(&reading->explorer, pattern, surface);
    write_legend(reading, surface, (struct rect){area.top + area.high - 1, area.left + 1, 1, area.wide - 2});
}

void reading_close(struct reading *reading)
{
    if (!reading) return;
    pattern_close(reading->pattern);
    session_free(&reading->session);
    free(reading);
}
