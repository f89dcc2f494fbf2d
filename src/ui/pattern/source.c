/* The matrix that the Pattern screen draws, and the patterns derived from it. */
#include "base/range.h"
#include "ui/pattern/pattern.h"

#define FIRST_HEIGHT 4
#define FIRST_CHUNK 32
#define FIRST_WINDOW 1024

static bool same(struct derivation a, struct derivation b)
{
    return a.kind == b.kind && a.number == b.number;
}

/* Return the derived pattern that the overlay or the colouring needs. Sorting within windows of one row
 * changes nothing. */
static struct derivation wanted(const struct explorer *explorer, const struct pattern *pattern)
{
    const struct overlays *overlays = &pattern->overlays;
    int64_t rows = pattern->of->matrix.csr.rows;
    int64_t window = overlays->shown == OVERLAY_JDS ? rows : min(overlays->window, rows);
    if (overlays->shown == OVERLAY_HYB)
        return (struct derivation){.kind = DERIVE_REST, .number = explorer_cut(explorer)};
    if ((overlays->shown == OVERLAY_JDS || overlays->shown == OVERLAY_SELL) && window > 1)
        return (struct derivation){.kind = DERIVE_ORDER, .number = window};
    switch (pattern_colouring_derives(pattern)) {
    case DERIVE_NEGATIVE:
        return (struct derivation){.kind = DERIVE_NEGATIVE};
    case DERIVE_UNMIRRORED:
        return (struct derivation){.kind = DERIVE_UNMIRRORED};
    default:
        return (struct derivation){.kind = DERIVE_NOTHING};
    }
}

static enum status derive(void *argument, struct progress *progress, struct error *error)
{
    struct overlays *overlays = argument;
    const struct matrix_case *of = overlays->of;
    const struct csr *a = &of->matrix.csr;
    if (overlays->making.kind == DERIVE_REST)
        return derived_rest(a, &of->pyramid, overlays->making.number, overlays->limit, progress,
                            &overlays->made, error);
    if (overlays->making.kind != DERIVE_ORDER)
        return derived_some(a, &of->pyramid,
                            overlays->making.kind == DERIVE_NEGATIVE ? DERIVE_BELOW_0 : DERIVE_WITHOUT_MIRROR,
                            overlays->limit, progress, &overlays->made, error);
    enum status status = derived_by_length(a, &of->pyramid, overlays->making.number, overlays->limit,
                                           progress, &overlays->made, error);
    if (status != STATUS_OK) return status;
    status = spans_make(overlays->made.csr.row_ptr, a->rows, &overlays->made_spans, error);
    if (status != STATUS_OK) derived_free(&overlays->made);
    return status;
}

void pattern_start(struct explorer *explorer, struct pattern *pattern, const struct matrix_case *of)
{
    struct overlays *overlays = &pattern->overlays;
    pattern->of = of;
    overlays->height = FIRST_HEIGHT;
    overlays->chunk = FIRST_CHUNK;
    overlays->window = FIRST_WINDOW;
    overlays->of = pattern->of;
    overlays->limit = explorer->session->limit;
    pattern->sizing.of = of;
    pattern->sizing.limit = explorer->session->limit;
    overlays->errand = (struct errand){.run = derive, .argument = overlays};
    explorer->errand = &overlays->errand;
    pattern->thumbnail.plain = true; /* the frame in it must stand out */
}

/* Take over the errand's result. */
static void take_over(struct overlays *overlays)
{
    derived_free(&overlays->derived);
    spans_free(&overlays->spans);
    overlays->derived = overlays->made;
    overlays->spans = overlays->made_spans;
    overlays->held = overlays->making;
    overlays->made = (struct derived){0};
    overlays->made_spans = (struct spans){0};
    overlays->errand.state = ERRAND_NONE;
}

/* Request the pattern `wish` from the errand, unless it exists or has failed. Stop the errand if it is making
 * another pattern. */
static void want(struct explorer *explorer, struct overlays *overlays, struct derivation wish)
{
    struct errand *errand = &overlays->errand;
    bool needed = wish.kind != DERIVE_NOTHING && !same(wish, overlays->held);
    if (errand->state == ERRAND_RUNNING) {
        errand->unwanted = !needed || !same(wish, overlays->making);
        return;
    }
    if (errand->state == ERRAND_FAILED && needed && same(wish, overlays->making)) return;
    errand->state = needed ? ERRAND_WANTED : ERRAND_NONE;
    if (!needed) return;
    overlays->making = wish;
    explorer->errand = errand; /* another screen may have replaced it */
}

/* Draw another matrix from now on, and keep the cursor visible. */
static void draw_anew(struct explorer *explorer, struct pattern *pattern, bool ordered)
{
    int64_t place[2];
    bool moved = ordered || pattern->ordered;
    pattern->ordered = ordered;
    pattern->counted = pattern->measured = (struct viewport){0};
    pattern->thumbnail.drawn = false;
    if (!moved || !pattern->laid_out) return;
    pattern_cursor(explorer, pattern, place);
    viewport_show(&pattern->port, place);
}

void pattern_settle(struct explorer *explorer, struct pattern *pattern)
{
    struct overlays *overlays = &pattern->overlays;
    struct derivation wish = wanted(explorer, pattern);
    bool fresh = overlays->errand.state == ERRAND_DONE;
    if (fresh) take_over(overlays);
    want(explorer, overlays, wish);
    bool held = wish.kind == overlays->held.kind;
    bool ordered = held && wish.kind == DERIVE_ORDER;
    bool parted = held && wish.kind != DERIVE_ORDER && wish.kind != DERIVE_NOTHING;
    if (fresh || ordered != pattern->ordered || parted != pattern->parted) {
        pattern->parted = parted;
        draw_anew(explorer, pattern, ordered);
    }
}

bool pattern_waits(const struct explorer *explorer, const struct pattern *pattern, bool *failed)
{
    struct derivation wish = wanted(explorer, pattern);
    *failed = pattern->overlays.errand.state == ERRAND_FAILED;
    return wish.kind != DERIVE_NOTHING && !same(wish, pattern->overlays.held);
}

bool pattern_has_entries(struct explorer *explorer, const struct pattern *pattern, const char *what)
{
    if (case_has_entries(pattern->of)) return true;
    explorer_say(explorer, "no %s without the entries: %s", what, pattern->of->absence.remedy);
    return false;
}

const struct csr *pattern_csr(const struct pattern *pattern)
{
    return pattern->ordered ? &pattern->overlays.derived.csr : &pattern->of->matrix.csr;
}

const struct pyramid *pattern_pyramid(const struct pattern *pattern)
{
    return pattern->ordered ? &pattern->overlays.derived.pyramid : &pattern->of->pyramid;
}

const struct tiles *pattern_tiles(const struct pattern *pattern)
{
    if (pattern->ordered) return &pattern->overlays.derived.tiles;
    return case_has(pattern->of, SESSION_TILES) ? &pattern->of->tiles : NULL;
}

const struct spans *pattern_spans(const struct pattern *pattern, enum axis axis)
{
    const struct matrix_case *shown = pattern->of;
    if (axis == ROWS && pattern->ordered) return &pattern->overlays.spans;
    if (!case_has(pattern->of, axis == ROWS ? SESSION_ROW_LENGTHS : SESSION_COL_PTR)) return NULL;
    const struct spans *spans = axis == ROWS ? &shown->row_spans : &shown->col_spans;
    return spans->offsets || case_has_entries(shown) ? spans : NULL; /* a report may lack them */
}

int64_t pattern_row(const struct pattern *pattern, int64_t position)
{
    return pattern->ordered ? pattern->overlays.derived.order[position] : position;
}

void pattern_cursor(const struct explorer *explorer, const struct pattern *pattern, int64_t place[2])
{
    place[ROWS] = explorer->cursor.row;
    place[COLS] = explorer->cursor.col;
    case_carry(explorer->session->shown, pattern->of, &place[ROWS], &place[COLS]);
    if (pattern->ordered) place[ROWS] = pattern->overlays.derived.position[place[ROWS]];
}

int64_t pattern_entry(const struct pattern *pattern, int64_t position, int64_t k)
{
    const struct csr *a = &pattern->of->matrix.csr;
    if (!pattern->ordered) return k;
    return a->row_ptr[pattern_row(pattern, position)] + k - pattern->overlays.derived.csr.row_ptr[position];
}
