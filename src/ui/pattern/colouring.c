/* This computes the quantities of the dots' colours, other than their number of entries. The screen's thread
 * computes them for few entries, an errand for many. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "drawing/surface.h"
#include "ui/pattern/moves.h"

/* The maximum number of entries and rows that the screen's thread reads. This takes some hundredths of a
 * second at most. */
#define AT_ONCE ((int64_t)1 << 21)

const char *const pattern_colourings[COLOURINGS] = {
    [COLOURED_COUNT] = "entries",
    [COLOURED_LARGEST] = "largest |a|",
    [COLOURED_SUM] = "sum of |a|",
    [COLOURED_SIGN] = "signs",
    [COLOURED_MIRROR] = "asymmetry",
    [COLOURED_COMPONENT] = "components",
    [COLOURED_STRONG] = "strong components",
    [COLOURED_BLOCK] = "blocks",
    [COLOURED_FILL] = "Cholesky fill",
    [COLOURED_LEVEL] = "level of a row",
    [COLOURED_COLOUR] = "colour of a row",
    [COLOURED_OWNER] = "owners",
};

void pattern_choose_colouring(struct explorer *explorer, void *state, int step)
{
    static const char *const said[COLOURINGS] = {
        "colours: entries of a dot",
        "colours: largest |a| of a dot",
        "colours: sum of |a| of a dot",
        "marked: dots with half or more negative entries",
        "marked: dots where half or more entries (i, j) have no (j, i)",
        "colours: connected component of a dot's entries",
        "colours: strongly connected component of a dot's entries",
        "colours: block of the triangular form (Dulmage-Mendelsohn)",
        "the fill of a Cholesky factor is drawn too: marked where half or more",
        "colours: latest level of a dot's rows, in the lower triangle",
        "colours: latest colour of a dot's rows; coupled rows have different colours",
        "colours: part that owns the rows of a dot's entries"};
    struct pattern *pattern = state;
    if (!pattern_has_entries(explorer, pattern, "other colours")) return;
    do {
        pattern->colouring = (enum colouring)(((int)pattern->colouring + step + COLOURINGS) % COLOURINGS);
    } while (pattern->colouring == COLOURED_OWNER && !pattern->sizing.owners);
    pattern->counted = (struct viewport){0}; /* forces a new scale */
    explorer_say(explorer, "%s", said[pattern->colouring]);
    pattern_settle(explorer, pattern);
    if (pattern->laid_out) pattern_zoom_here(explorer, pattern, pattern->level);
}

static bool is_of_classes(enum colouring colouring)
{
    return colouring == COLOURED_LEVEL || colouring == COLOURED_COLOUR;
}

static bool is_of_sizes(enum colouring colouring)
{
    return colouring == COLOURED_LARGEST || colouring == COLOURED_SUM || is_of_classes(colouring);
}

bool pattern_wants_sizes(const struct pattern *pattern)
{
    const struct csr *a = &pattern->of->matrix.csr;
    bool square = a->rows == a->cols, told = pattern_parting(pattern->colouring) >= 0;
    if (pattern->colouring == COLOURED_OWNER) return pattern->sizing.owners && !pattern->ordered;
    if (pattern->ordered || (pattern->colouring == COLOURED_FILL && pattern->parted)) return false;
    if (pattern->colouring == COLOURED_STRONG || pattern->colouring == COLOURED_FILL ||
        is_of_classes(pattern->colouring))
        return square;
    return told || is_of_sizes(pattern->colouring);
}

static enum status find_sizes(void *argument, struct progress *progress, struct error *error)
{
    struct sizing *sizing = argument;
    const struct viewport *port = &sizing->making_port;
    const struct size_dots dots = {port->start[ROWS], port->start[COLS],         port->dot[ROWS],
                                   port->dot[COLS],   viewport_used(port, ROWS), viewport_used(port, COLS)};
    size_t count = (size_t)dots.high * (size_t)dots.wide;
    bool parts = pattern_shows_parts(sizing->making);
    free(sizing->made);
    free(sizing->made_parts);
    sizing->made = parts ? NULL : memory_array(count, sizeof *sizing->made, error);
    sizing->made_parts = parts ? memory_array(count, sizeof *sizing->made_parts, error) : NULL;
    if (!sizing->made && !sizing->made_parts) return STATUS_MEMORY;
    if (sizing->making == COLOURED_OWNER) return pattern_make_owners(sizing, &dots, progress, error);
    if (parts) return pattern_make_parts(sizing, &dots, progress, error);
    if (sizing->making == COLOURED_FILL) return pattern_make_fill(sizing, &dots, progress, error);
    if (is_of_classes(sizing->making)) return pattern_make_classes(sizing, &dots, progress, error);
    return sizes_of_dots(&sizing->of->matrix.csr, &dots, sizing->making == COLOURED_SUM, progress,
                         sizing->made, error);
}

/* Take over the errand's result. */
static void take_over(struct sizing *sizing)
{
    int parting = pattern_parting(sizing->making);
    free(sizing->sizes);
    free(sizing->parts);
    sizing->sizes = sizing->made;
    sizing->parts = sizing->made_parts;
    sizing->made = NULL;
    sizing->made_parts = NULL;
    if (parting >= 0) sizing->grouped[parting] = true;
    pattern_know_classes(sizing);
    sizing->held = sizing->making;
    sizing->port = sizing->making_port;
    sizing->errand.state = ERRAND_NONE;
}

static bool is_held(const struct pattern *pattern)
{
    const struct sizing *sizing = &pattern->sizing;
    return (sizing->sizes || sizing->parts) && sizing->held == pattern->colouring &&
           (pattern->colouring != COLOURED_OWNER || sizing->marked == sizing->owners) &&
           pattern_same_port(&sizing->port, &pattern->port);
}

static void begin(struct pattern *pattern)
{
    struct sizing *sizing = &pattern->sizing;
    sizing->making = pattern->colouring;
    sizing->making_port = pattern->port;
    if (sizing->marked == sizing->owners) return;
    owners_release(sizing->marked);
    sizing->marked = owners_hold(sizing->owners);
}

/* Request the errand, unless its result was declined or another errand is running. */
static void want(struct explorer *explorer, struct pattern *pattern)
{
    struct sizing *sizing = &pattern->sizing;
    struct errand *errand = &sizing->errand;
    bool same = sizing->making == pattern->colouring &&
                pattern_same_port(&sizing->making_port, &pattern->port) &&
                (sizing->making != COLOURED_OWNER || sizing->marked == sizing->owners);
    if (errand->state == ERRAND_RUNNING) {
        errand->unwanted = !same;
        return;
    }
    if (errand_waits(errand, explorer->errand) || (errand->state == ERRAND_FAILED && same)) return;
    begin(pattern);
    errand->run = find_sizes;
    errand->argument = sizing;
    errand->state = ERRAND_WANTED;
    explorer->errand = errand;
}

/* Return the size of character (cy, cx) of a braille picture: the largest or the sum of the sizes of its
 * dots. */
static double character_size(const struct pattern *pattern, int cy, int cx)
{
    int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
    double all = 0;
    for (int y = cy * BRAILLE_HIGH; y < (cy + 1) * BRAILLE_HIGH && y < high; y++)
        for (int x = cx * BRAILLE_WIDE; x < (cx + 1) * BRAILLE_WIDE && x < wide; x++) {
            double size = pattern->sizing.sizes[(size_t)y * (size_t)wide + (size_t)x];
            all = pattern->colouring == COLOURED_SUM ? all + size : fmax(all, size);
        }
    return all;
}

static void extend(double size, double *low, double *top)
{
    if (!(size > 0) || isinf(size)) return;
    *low = *low > 0 ? fmin(*low, size) : size;
    *top = fmax(*top, size);
}

/* Make the scale of sizes, from the smallest above 0 to the largest that are shown. */
static void find_scale(struct pattern *pattern)
{
    int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
    bool braille = pattern->picture == PICTURE_BRAILLE;
    double low = 0, top = 0;
    for (size_t k = 0; !braille && k < (size_t)high * (size_t)wide; k++)
        extend(pattern->sizing.sizes[k], &low, &top);
    for (int y = 0; braille && y * BRAILLE_HIGH < high; y++)
        for (int x = 0; x * BRAILLE_WIDE < wide; x++)
            extend(character_size(pattern, y, x), &low, &top);
    pattern->own = pattern->shade = shade_scale(low, top);
    pattern->size_range[0] = low;
    pattern->size_range[1] = top;
    pattern->sized = true;
}

/* Let the picture show the new quantity. */
static void tell(struct pattern *pattern)
{
    if (is_of_sizes(pattern->colouring)) find_scale(pattern);
    pattern->parts = pattern_shows_parts(pattern->colouring);
    if (pattern->colouring == COLOURED_FILL) pattern_add_fill(pattern);
    pattern->countings++;
}

/* True if the quantity can be computed at once: the window has few entries, and no analysis is missing. */
static bool is_fast(const struct pattern *pattern)
{
    const struct csr *a = &pattern->of->matrix.csr;
    const struct range shown = pattern_shown(pattern);
    int parting = pattern_parting(pattern->colouring);
    if (is_of_classes(pattern->colouring) && !pattern_classes(pattern)->known) return false;
    if (pattern->colouring == COLOURED_FILL || (parting >= 0 && !pattern->sizing.grouped[parting]))
        return false;
    return a->row_ptr[shown.r1] - a->row_ptr[shown.r0] + shown.r1 - shown.r0 <= AT_ONCE;
}

void pattern_size(struct explorer *explorer, struct pattern *pattern)
{
    struct sizing *sizing = &pattern->sizing;
    if (sizing->errand.state == ERRAND_DONE) take_over(sizing);
    if (!pattern_wants_sizes(pattern) || pattern->lacking) {
        if (sizing->errand.state == ERRAND_RUNNING) sizing->errand.unwanted = true;
        if (sizing->errand.state == ERRAND_WANTED) sizing->errand.state = ERRAND_NONE;
        return;
    }
    if (!is_held(pattern)) {
        if (!is_fast(pattern) || sizing->errand.state == ERRAND_RUNNING) {
            want(explorer, pattern);
            return;
        }
        begin(pattern);
        if (find_sizes(sizing, NULL, NULL) != STATUS_OK) return;
        take_over(sizing);
        pattern->sized = pattern->parts = pattern->filled = false;
    }
    if (!pattern->sized && !pattern->parts && !pattern->filled) tell(pattern);
}

/* A dot with entries is visible even if all of them are 0. */
static int level_of_size(const struct pattern *pattern, double size)
{
    int level = shade_level(&pattern->shade, size);
    return level < 0 ? 0 : level;
}

int pattern_level(const struct pattern *pattern, size_t dot)
{
    int64_t count = pattern->counts[dot];
    if (count == 0) return -1;
    if (pattern->parts) return pattern_part_level(pattern, pattern->sizing.parts[dot]);
    if (pattern->sized) return level_of_size(pattern, pattern->sizing.sizes[dot]);
    return shade_level(&pattern->shade, pattern_density(pattern, count));
}

/* Return the common level of the dots of character (cy, cx) of a braille picture. */
static int character_part_level(const struct pattern *pattern, int cy, int cx)
{
    int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
    int32_t all = DOT_EMPTY;
    for (int y = cy * BRAILLE_HIGH; y < (cy + 1) * BRAILLE_HIGH && y < high; y++)
        for (int x = cx * BRAILLE_WIDE; x < (cx + 1) * BRAILLE_WIDE && x < wide; x++)
            all = (pattern->colouring == COLOURED_OWNER ? pattern_owner_joined : dot_joined)(
                all, pattern->sizing.parts[(size_t)y * (size_t)wide + (size_t)x]);
    return pattern_part_level(pattern, all);
}

int pattern_character_level(const struct pattern *pattern, int cy, int cx, int64_t count)
{
    if (count == 0) return -1;
    if (pattern->parts) return character_part_level(pattern, cy, cx);
    if (pattern->sized) return level_of_size(pattern, character_size(pattern, cy, cx));
    return shade_level(&pattern->shade, pattern_density(pattern, count));
}

int pattern_colouring_derives(const struct pattern *pattern)
{
    const struct csr *a = &pattern->of->matrix.csr;
    if (pattern->colouring == COLOURED_SIGN && !a->imaginary) return DERIVE_NEGATIVE;
    if (pattern->colouring == COLOURED_MIRROR && a->rows == a->cols) return DERIVE_UNMIRRORED;
    return DERIVE_NOTHING;
}

bool pattern_marks(const struct pattern *pattern, int64_t row, int64_t k, int64_t cut)
{
    const struct csr *a = &pattern->of->matrix.csr;
    if (pattern->overlays.shown == OVERLAY_HYB) return k - a->row_ptr[row] >= cut;
    if (pattern->colouring == COLOURED_SIGN) return !a->imaginary && a->val[k] < 0;
    if (pattern->colouring == COLOURED_MIRROR) return a->rows == a->cols && csr_find(a, a->col[k], row) < 0;
    return false;
}

static void write_marked(const struct explorer *explorer, const struct pattern *pattern, const char *marked,
                         struct pen *pen)
{
    bool failed;
    char share[32];
    if ((int)pattern->overlays.held.kind != pattern_colouring_derives(pattern)) {
        bool waits = pattern_waits(explorer, pattern, &failed);
        pen_text(pen, COLOUR_DIM, "%s",
                 !waits   ? "not with this overlay"
                 : failed ? "not computed"
                          : "computing...");
        return;
    }
    int64_t count = csr_nnz(&pattern->overlays.derived.csr);
    pen_count(pen, marked, COLOUR_MARK, count,
              format_percent(share, sizeof share,
                             share_of((double)count, (double)csr_nnz(&pattern->of->matrix.csr))));
    pen_text(pen, COLOUR_MARK,
             pattern->picture == PICTURE_NUMBERS ? "marked numbers"
             : explorer->colours                 ? "marked: half or more"
                                                 : "reversed: half or more");
}

void pattern_write_colouring(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen)
{
    const struct csr *a = &pattern->of->matrix.csr;
    if (pattern->colouring == COLOURED_COUNT) return;
    char heading[40];
    snprintf(heading, sizeof heading, "Colour: %s", pattern_colourings[pattern->colouring]);
    pen_heading(pen, heading);
    bool square = a->rows == a->cols, told = pattern->sized || pattern->parts || pattern->filled;
    bool of_square = pattern->colouring == COLOURED_STRONG || pattern->colouring == COLOURED_FILL ||
                     is_of_classes(pattern->colouring);
    if (of_square && !square) {
        pen_text(pen, COLOUR_DIM, "the matrix is not square");
    } else if (is_of_sizes(pattern->colouring) || pattern->colouring >= COLOURED_COMPONENT) {
        if (pattern->colouring == COLOURED_OWNER && !pattern->sizing.owners)
            pen_text(pen, COLOUR_DIM, "no partition from Parts");
        else if (pattern->ordered)
            pen_text(pen, COLOUR_DIM, "in natural order only");
        else if (pattern->colouring == COLOURED_FILL && pattern->parted)
            pen_text(pen, COLOUR_DIM, "not with this overlay");
        else if (!told)
            pattern_write_waiting(pen, pattern->sizing.errand.state == ERRAND_FAILED);
        else
            pattern_write_parts(explorer, pattern, pen);
    } else if (pattern->colouring == COLOURED_SIGN && a->imaginary) {
        pen_text(pen, COLOUR_DIM, "complex values have none");
    } else if (pattern->colouring == COLOURED_MIRROR && a->rows != a->cols) {
        pen_text(pen, COLOUR_DIM, "the matrix is not square");
    } else {
        write_marked(explorer, pattern, pattern->colouring == COLOURED_SIGN ? "negative" : "no mirror image",
                     pen);
    }
}
