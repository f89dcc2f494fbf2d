/* The browser's background work: it reads items, and loads matrices for their thumbnails. */
#include <string.h>

#include "analysis/pyramid.h"
#include "drawing/shade.h"
#include "drawing/surface.h"
#include "ui/browser/level.h"

/* The matrix of a row is loaded after the row has been selected for this number of seconds. */
#define STILL_SECONDS 0.1

/* Seconds that the panel waits for the picture of the selected row. */
#define HOLD_SECONDS 0.4

/* The limits of a matrix that loads within about a second: the bytes of a plain and of a packed file,
 * entries, and rows plus columns. */
#define SMALL_BYTES ((int64_t)64 << 20)
#define SMALL_PACKED_BYTES ((int64_t)16 << 20)
#define SMALL_ENTRIES ((int64_t)4000000)
#define SMALL_LINES ((int64_t)10000000)

struct level *browser_level(const struct browser *browser)
{
    return browser->levels[browser->depth - 1];
}

/* --- reading items --- */

static enum status look(void *argument, struct progress *progress, struct error *error)
{
    struct browser *browser = argument;
    progress_phase(progress, "reading headers", browser->batch_count);
    for (int k = 0; k < browser->batch_count; k++) {
        enum status status = catalogue_peek(browser->batch[k], browser->options, progress, error);
        if (status != STATUS_OK) return status;
        progress_add(progress, 1);
    }
    return STATUS_OK;
}

static void put(struct browser *browser, const struct row *row)
{
    if (row && row->state == CATALOGUE_WAITING && browser->batch_count < BATCH)
        browser->batch[browser->batch_count++] = row->item;
}

/* Choose the next items to read: first visible rows, then other listed rows, then rows that the filter hides.
 */
static void fill_batch(struct browser *browser)
{
    const struct level *level = browser_level(browser);
    browser->batch_count = 0;
    for (int k = 0; k < level->room; k++)
        put(browser, level_row(level, level->top + k));
    if (browser->batch_count > 0) return;
    for (int k = 0; k < level->shown && browser->batch_count < BATCH; k++)
        put(browser, level_row(level, k));
    for (int k = 0; k < level->count && browser->batch_count == 0; k++)
        put(browser, &level->rows[k]);
}

static bool waits_in_sight(const struct level *level)
{
    for (int k = 0; k < level->room; k++) {
        const struct row *row = level_row(level, level->top + k);
        if (row && row->state == CATALOGUE_WAITING) return true;
    }
    return false;
}

bool browser_peek(struct browser *browser)
{
    struct level *level = browser_level(browser);
    if (browser->peek.running) {
        if (!job_finished(&browser->peek)) {
            if (browser->peek_top != level->top && waits_in_sight(level))
                progress_cancel(&browser->peek.progress);
            return true;
        }
        enum status status = job_join(&browser->peek);
        browser->peek_failed = status != STATUS_OK && status != STATUS_CANCELLED;
        if (browser->peek_failed) explorer_say(&browser->explorer, "%s", browser->peek.error.message);
        level_update(level);
    }
    if (level->waiting == 0 || browser->peek_failed) return false;
    fill_batch(browser);
    if (browser->batch_count == 0) return false;
    browser->peek_top = level->top;
    return job_start(&browser->peek, look, browser, NULL) == STATUS_OK;
}

/* --- thumbnails --- */

/* Return the number of entries in dot (y, x) of high x wide dots. In a smaller matrix, several dots show the
 * same row or column. */
static int64_t count_dot(const struct matrix_case *c, int y, int x, int high, int wide)
{
    const struct csr *a = &c->matrix.csr;
    int64_t top = a->rows * y / high, left = a->cols * x / wide;
    int64_t bottom = a->rows * (y + 1) / high, right = a->cols * (x + 1) / wide;
    return pyramid_count(&c->pyramid, a, top, bottom > top ? bottom : top + 1, left,
                         right > left ? right : left + 1);
}

static void make_glyph(const struct matrix_case *c, struct glyph *glyph)
{
    int64_t counts[GLYPH_WIDE] = {0}, min = 0, max = 0;
    *glyph = (struct glyph){.drawn = true};
    for (int k = 0; k < GLYPH_WIDE && c->matrix.csr.rows && c->matrix.csr.cols; k++) {
        for (int y = 0; y < BRAILLE_HIGH; y++)
            for (int x = 0; x < BRAILLE_WIDE; x++) {
                int64_t count =
                    count_dot(c, y, k * BRAILLE_WIDE + x, BRAILLE_HIGH, GLYPH_WIDE * BRAILLE_WIDE);
                if (count > 0) glyph->bits[k] |= (uint8_t)braille_bit(y, x);
                counts[k] += count;
            }
        if (counts[k] > max) max = counts[k];
        if (counts[k] > 0 && (min == 0 || counts[k] < min)) min = counts[k];
    }
    struct shade shade = shade_scale((double)min, (double)max);
    for (int k = 0; k < GLYPH_WIDE; k++)
        glyph->level[k] = (int8_t)(counts[k] ? shade_level(&shade, (double)counts[k]) : -1);
}

static enum status load(void *argument, struct progress *progress, struct error *error)
{
    struct preview *preview = argument;
    struct load_options options = *preview->options;
    options.keep = true;
    enum status status = session_load(&preview->session, preview->path, &options, progress, error);
    if (status == STATUS_OK) status = session_need(&preview->session, NULL, SESSION_PYRAMID, progress, error);
    if (status == STATUS_OK) make_glyph(preview->session.shown, &preview->glyph);
    return status;
}

bool browser_is_small(const struct level *level, const struct row *row)
{
    const struct catalogue_item *item = row->item;
    if (!row_opens(row) || row->state != CATALOGUE_READ) return false;
    int64_t bytes = item->bytes > level->bytes ? item->bytes : level->bytes;
    return bytes <= (item->packed ? SMALL_PACKED_BYTES : SMALL_BYTES) && item->entries <= SMALL_ENTRIES &&
           item->rows + item->cols <= SMALL_LINES;
}

static void empty(struct preview *preview)
{
    session_free(&preview->session);
    *preview = (struct preview){.options = preview->options};
}

/* Take the results of the job. */
static void finish(struct browser *browser)
{
    struct preview *preview = browser->loading;
    struct row *row = &preview->level->rows[preview->row];
    enum status status = job_join(&browser->load);
    browser->loading = NULL;
    if (status != STATUS_CANCELLED) row->tried = true;
    if (status == STATUS_OK) {
        row->glyph = preview->glyph;
        preview->ready = true;
    } else if (status == STATUS_INPUT || status == STATUS_IO || status == STATUS_USAGE) {
        row_refuse(row, &browser->load.error);
    }
    if (status != STATUS_OK || preview == &browser->other) empty(preview);
}

static void start(struct browser *browser, struct preview *preview, int index)
{
    struct level *level = browser_level(browser);
    empty(preview);
    preview->options = browser->options;
    preview->level = level;
    preview->row = index;
    preview->path = level->rows[index].item->path;
    if (preview == &browser->large) browser->thumbnail.drawn = false;
    if (job_start(&browser->load, load, preview, NULL) == STATUS_OK)
        browser->loading = preview;
    else
        empty(preview);
}

/* True if the preview has loaded, or is loading, the matrix of this row. */
static bool is_of(const struct preview *preview, const struct level *level, int index)
{
    return preview->level == level && preview->row == index;
}

/* Return the index of a visible row with a small matrix that was not loaded yet; -1 if there is none. */
static int without_thumbnail(const struct level *level)
{
    for (int k = 0; k < level->room; k++) {
        const struct row *row = level_row(level, level->top + k);
        if (row && !row->tried && browser_is_small(level, row)) return (int)(row - level->rows);
    }
    return -1;
}

int browser_preview(struct browser *browser)
{
    struct level *level = browser_level(browser);
    if (browser->loading && job_finished(&browser->load)) finish(browser);
    const struct row *selected = level_row(level, level->selected);
    int index = selected ? (int)(selected - level->rows) : -1;
    bool wanted = selected && browser_is_small(level, selected) && !is_of(&browser->large, level, index) &&
                  (!selected->tried || selected->glyph.drawn);
    double still = clock_seconds() - browser->moved;
    if (browser->loading) {
        bool other = browser->loading == &browser->other ? wanted : !is_of(browser->loading, level, index);
        if (other) progress_cancel(&browser->load.progress);
        return 20;
    }
    if (wanted && still < STILL_SECONDS) return (int)((STILL_SECONDS - still) * 1000) + 1;
    int other = wanted ? -1 : without_thumbnail(level);
    if (wanted)
        start(browser, &browser->large, index);
    else if (other >= 0)
        start(browser, &browser->other, other);
    return browser->loading ? 5 : -1;
}

int browser_hold(const struct browser *browser)
{
    const struct level *level = browser_level(browser);
    const struct row *selected = level_row(level, level->selected);
    int index = selected ? (int)(selected - level->rows) : -1;
    if (!selected || browser->panel_level != level || browser->panel_row == index) return 0;
    if (is_of(&browser->large, level, index) && browser->large.ready) return 0;
    bool picture = browser_is_small(level, selected) && (!selected->tried || selected->glyph.drawn);
    double left = browser->moved + (picture ? HOLD_SECONDS : STILL_SECONDS) - clock_seconds();
    return left > 0 ? (int)(1000 * left) + 1 : 0;
}

void browser_forget(struct browser *browser, const struct level *level)
{
    if (browser->large.level == level) empty(&browser->large);
    if (browser->other.level == level) empty(&browser->other);
    if (browser->panel_level == level) browser->panel_level = NULL;
}

void browser_stop(struct browser *browser)
{
    progress_cancel(&browser->peek.progress);
    job_join(&browser->peek);
    progress_cancel(&browser->load.progress);
    if (browser->loading) finish(browser);
}
