/* The panel's text on the overlay. */
#include <stdio.h>
#include <string.h>

#include "analysis/padding.h"
#include "base/range.h"
#include "base/text.h"
#include "ui/everywhere.h"
#include "ui/pattern/pattern.h"

void pattern_write_waiting(struct pen *pen, bool failed)
{
    char key[KEY_TEXT];
    if (failed)
        pen_text(pen, COLOUR_WARN, "not computed; %s resumes", everywhere_key(DEMAND_CANCEL, key));
    else
        pen_text(pen, COLOUR_DIM, "computing...");
}

/* Write "12 of 2,500", where `which` counts from 0. */
static void write_which(struct pen *pen, const char *name, int64_t which, int64_t of)
{
    char first[32], all[32];
    int room = pen_room(pen, name);
    format_count(first, sizeof first, which + 1);
    if ((int)strlen(first) > room / 2) snprintf(first, sizeof first, "%lld", (long long)which + 1);
    format_fitting(all, sizeof all, of, room - (int)strlen(first) - 4);
    pen_pair(pen, name, COLOUR_TEXT, "%s of %s", first, all);
}

static void write_strips(const struct pattern *pattern, const struct block *block, struct pen *pen)
{
    const struct csr *a = &pattern->of->matrix.csr;
    int64_t height = pattern->overlays.height;
    char heading[64];
    snprintf(heading, sizeof heading, "Strips of %lld row%s", (long long)height, height == 1 ? "" : "s");
    pen_heading(pen, heading);
    if (pattern_unruled(pattern)) pen_text(pen, COLOUR_DIM, "needs more height");
    if (!block) return;
    write_which(pen, "strip", block->first / height, (a->rows + height - 1) / height);
    pattern_write_span(pen, block->end - block->first > 1 ? "its rows" : "its row", block->first, block->end,
                       a->rows);
    pen_count(pen, "its entries", COLOUR_MARK, a->row_ptr[block->end] - a->row_ptr[block->first], NULL);
}

static void write_cut(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen)
{
    const struct csr *a = &pattern->of->matrix.csr;
    int64_t cut = explorer_cut(explorer);
    char heading[64], out[32];
    bool failed;
    int wide = snprintf(heading, sizeof heading, "HYB cut at K = %s", format_count(out, sizeof out, cut));
    if (wide > pen->rect.wide) snprintf(heading, sizeof heading, "HYB cut at K = %lld", (long long)cut);
    pen_heading(pen, heading);
    if (pattern_waits(explorer, pattern, &failed)) {
        pattern_write_waiting(pen, failed);
        return;
    }
    int64_t rest = csr_nnz(&pattern->overlays.derived.csr);
    pen_count(pen, "to COO", COLOUR_MARK, rest,
              format_percent(out, sizeof out, share_of((double)rest, (double)csr_nnz(a))));
    if (pattern->picture == PICTURE_NUMBERS) {
        pen_text(pen, COLOUR_MARK, "an entry beyond K");
    } else {
        pen_text(pen, COLOUR_MARK, explorer->colours ? "half or more beyond K" : "reversed: half beyond K");
    }
}

static void write_lengths(const struct explorer *explorer, const struct pattern *pattern,
                          const struct block *block, struct pen *pen)
{
    bool failed;
    pen_heading(pen, "JDS order");
    if (pattern_waits(explorer, pattern, &failed)) pattern_write_waiting(pen, failed);
    if (!block) return;
    const struct csr *a = pattern_csr(pattern);
    pen_count(pen, "rows of one length", COLOUR_MARK, block->end - block->first, NULL);
    pen_count(pen, "entries in each", COLOUR_TEXT, a->row_ptr[block->first + 1] - a->row_ptr[block->first],
              NULL);
    pattern_write_span(pen, "positions", block->first, block->end, a->rows);
}

static void write_chunks(const struct explorer *explorer, const struct pattern *pattern,
                         const struct block *block, struct pen *pen)
{
    const struct overlays *overlays = &pattern->overlays;
    const struct csr *a = pattern_csr(pattern);
    char heading[64], share[32];
    bool failed;
    int wide = snprintf(heading, sizeof heading, "SELL, C = %lld, sigma = %lld", (long long)overlays->chunk,
                        (long long)overlays->window);
    if (wide > pen->rect.wide)
        snprintf(heading, sizeof heading, "SELL %lld, %lld", (long long)overlays->chunk,
                 (long long)overlays->window);
    pen_heading(pen, heading);
    if (pattern_waits(explorer, pattern, &failed)) {
        pattern_write_waiting(pen, failed);
        return;
    }
    if (pattern_unruled(pattern)) pen_text(pen, COLOUR_DIM, "needs more height");
    if (!block) return;
    const struct chunk_padding chunk =
        padding_of_chunk(a->row_ptr, block->first, block->end, overlays->chunk);
    write_which(pen, "chunk", block->first / overlays->chunk,
                (a->rows + overlays->chunk - 1) / overlays->chunk);
    pen_count(pen, "its slots", COLOUR_MARK, chunk.slots, NULL);
    pen_count(pen, "padding", COLOUR_TEXT, chunk.padding, format_percent(share, sizeof share, chunk.share));
}

/* Write the numbers of fixed blocks; without fixed blocks, write the rows of the variable block at the
 * cursor. */
static void write_blocks(const struct pattern *pattern, const struct block *block, struct pen *pen)
{
    const struct csr *a = &pattern->of->matrix.csr;
    const struct dense_blocks *blocks = pattern_fixed_blocks(pattern);
    char heading[64], fill[32];
    snprintf(heading, sizeof heading, "Groups of equal rows");
    if (blocks) snprintf(heading, sizeof heading, "Blocks of %d x %d", (int)blocks->rows, (int)blocks->cols);
    pen_heading(pen, heading);
    if (pattern_unruled(pattern)) pen_text(pen, COLOUR_DIM, "needs more height");
    if (blocks)
        pen_pair(pen, "fill", COLOUR_MARK, "%s", format_percent(fill, sizeof fill, blocks->fill));
    else if (case_has(pattern->of, SESSION_DENSE_BLOCKS))
        pen_count(pen, "groups", COLOUR_TEXT, pattern->of->dense_blocks.row_groups, NULL);
    if (!block) return;
    if (blocks)
        write_which(pen, "block row", block->first / blocks->rows,
                    (a->rows + blocks->rows - 1) / blocks->rows);
    pattern_write_span(pen, block->end - block->first > 1 ? "its rows" : "its row", block->first, block->end,
                       a->rows);
    pen_count(pen, "its entries", COLOUR_MARK, a->row_ptr[block->end] - a->row_ptr[block->first], NULL);
}

void pattern_write_overlay(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen)
{
    struct block of_cursor;
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    const struct block *block = pattern_block(pattern, place[ROWS], &of_cursor) ? &of_cursor : NULL;
    switch (pattern->overlays.shown) {
    case OVERLAY_STRIPS:
        write_strips(pattern, block, pen);
        break;
    case OVERLAY_HYB:
        write_cut(explorer, pattern, pen);
        break;
    case OVERLAY_JDS:
        write_lengths(explorer, pattern, block, pen);
        break;
    case OVERLAY_SELL:
        write_chunks(explorer, pattern, block, pen);
        break;
    case OVERLAY_BLOCKS:
        write_blocks(pattern, block, pen);
        break;
    default:
        break;
    }
}
