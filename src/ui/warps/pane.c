/* Drawing a pane: its kernel, its warp, its step, and the memory requests of the step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/flow.h"
#include "ui/everywhere.h"
#include "ui/warps/warps.h"
#include "ui/widgets/gauge.h"

#define TALL 40     /* a pane of this height has two lines each for product and warp */
#define HEAD_HIGH 5 /* lines for title, product, warp, step and lanes */
#define ROOMY 96    /* a pane of this width has room for the error of a sample, and for more words */

/* Return the name of the units that launch s replays one at a time: "warp", or the trace's own word. */
static const char *unit_at(const struct pane *pane, int64_t s)
{
    struct trace_stage stage;
    trace_stage(&pane->replay->launch, s, &stage);
    return stage.unit ? stage.unit : "warp";
}

static const char *count_text(char out[32], int64_t count)
{
    return format_count(out, 32, count);
}

/* Append "launch 2 of 3  warp 17 of 96  rows 513..544". */
static void place_text(const struct pane *pane, struct text *text)
{
    const struct launch *launch = &pane->replay->launch;
    int64_t stages = trace_stages(launch);
    struct trace_stage stage;
    char a[32], b[32];
    trace_stage(launch, pane->at.stage, &stage);
    if (stages > 1)
        text_append(text, "launch %s of %s  ", count_text(a, pane->at.stage + 1), count_text(b, stages));
    text_append(text, "%s %s of %s", unit_at(pane, pane->at.stage), count_text(a, pane->at.warp + 1),
                count_text(b, stage.warps));
    if (!pane->recorded) return;
    const struct warp_rows rows = {pane->record.first_row, pane->record.last_row};
    if (rows.first < 0)
        text_append(text, "  no rows");
    else if (rows.first == rows.last)
        text_append(text, "  row %s", count_text(a, rows.first + 1));
    else if (warp_record_scattered(&pane->record))
        text_append(text, "  rows out of %s..%s", count_text(a, rows.first + 1),
                    count_text(b, rows.last + 1));
    else
        text_append(text, "  rows %s..%s", count_text(a, rows.first + 1), count_text(b, rows.last + 1));
}

static void draw_title(const struct explorer *explorer, const struct warps *warps, const struct pane *pane,
                       struct surface *surface, struct rect rect, bool focused)
{
    const struct replay *replay = pane->replay;
    struct text place = {0};
    char name[160];
    if (focused) surface_highlight(surface, (struct rect){rect.top, rect.left, 1, rect.wide}, COLOUR_BAR, 0);
    if (pane->recorded || (pane->wish.wanted && !pane->wish.find)) place_text(pane, &place);
    const char *words = place.data ? place.data : "";
    int room = rect.wide - 2 - surface_columns(words) - 2, used = 0;
    kernel_choice_short_name(&replay->choice, name, sizeof name);
    used =
        surface_text_whole(surface, rect.top, rect.left + 1, room, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s", name);
    if (!used)
        used = surface_text(surface, rect.top, rect.left + 1, room, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                            replay->choice.kernel->name);
    surface_text_whole(surface, rect.top, rect.left + 1 + used + 2, room - used - 2, COLOUR_DIM, 0, "%s  %s",
                       case_value_name(explorer->session->shown, replay->choice.format.precision),
                       warps->gpu.name);
    surface_text_right(surface, rect.top, rect.left, rect.wide - 1, COLOUR_ACCENT, 0, "%s", words);
    text_free(&place);
}

static bool is_here(const struct pane *pane, struct warp_at at)
{
    return at.stage == pane->at.stage && at.warp == pane->at.warp;
}

/* If only a sample of the warps was counted, write its share. */
static void flow_sample(struct flow *flow, const struct coalescing *whole)
{
    if (whole->share >= 1) return;
    char share[32], error[32];
    format_percent(share, sizeof share, whole->share);
    if (flow->rect.wide >= ROOMY && !isnan(whole->error))
        flow_item(flow, COLOUR_WARN, "%s sampled, +-%s", share,
                  format_percent(error, sizeof error, whole->error));
    else
        flow_item(flow, COLOUR_WARN, "%s sampled", share);
}

/* Write the number of sectors of the warp, and compare it with the typical and the worst one. */
static void draw_costs(const struct pane *pane, struct surface *surface, struct rect rect)
{
    const struct replay *replay = pane->replay;
    const struct warp_costs *costs = &replay->costs;
    struct flow flow = {.surface = surface, .rect = rect};
    int64_t sectors = coalescing_sum_of_all(&pane->record.sum).sectors;
    char a[32], b[32];
    flow_item(&flow, COLOUR_DIM, "%s:", unit_at(pane, pane->at.stage));
    flow_item(&flow, COLOUR_TEXT, "%s sectors", count_text(a, sectors));
    if (replay->ready < READY_COUNTED) return;
    double times = warp_costs_times(costs, sectors);
    if (!isnan(times)) {
        enum colour colour = times > 2 ? COLOUR_BAD : times > 1.2 ? COLOUR_WARN : COLOUR_GOOD;
        bool worst = is_here(pane, costs->worst), typical = is_here(pane, costs->typical),
             longest = is_here(pane, costs->longest);
        if (longest) flow_item(&flow, COLOUR_BAD, "the longest warp");
        if (worst) flow_item(&flow, COLOUR_BAD, "the worst warp");
        if (typical) flow_item(&flow, COLOUR_GOOD, "a typical warp");
        if (sectors && !typical) flow_item(&flow, colour, "%s x typical", format_short(a, sizeof a, times));
        flow_sample(&flow, &replay->whole);
        if (!typical)
            flow_item(&flow, COLOUR_DIM, "typical %s (%s %s)", count_text(a, costs->median),
                      unit_at(pane, costs->typical.stage), count_text(b, costs->typical.warp + 1));
        if (!longest)
            flow_item(&flow, COLOUR_DIM, "longest %s requests (%s %s)", count_text(a, costs->requests),
                      unit_at(pane, costs->longest.stage), count_text(b, costs->longest.warp + 1));
        if (!worst)
            flow_item(&flow, COLOUR_DIM, "worst %s (%s %s)", count_text(a, costs->max),
                      unit_at(pane, costs->worst.stage), count_text(b, costs->worst.warp + 1));
    }
}

/* Write "step 12 of 45  load x[col[k]]  17 lanes x 8 B  5 of them padding  14 sectors  30% used  12 lines".
 */
static void draw_step(const struct warps *warps, const struct pane *pane, struct surface *surface, int y,
                      int x, int wide)
{
    const struct warp_record *record = &pane->record;
    const struct warp_step *step = &record->steps[pane->step];
    const struct ask *ask = &record->asks[step->ask];
    struct flow flow = {.surface = surface, .rect = {y, x, 1, wide}};
    int lanes = __builtin_popcount(step->active), padding = __builtin_popcount(step->padding);
    char a[32], b[32];
    flow_item(&flow, COLOUR_ACCENT, "step %s of %s", count_text(a, pane->step + 1),
              count_text(b, record->count));
    flow_item(&flow, operand_colour(ask->operand), "%s %s", access_names[ask->access], ask->text);
    flow_item(&flow, COLOUR_TEXT, "%d lane%s x %d B", lanes, lanes > 1 ? "s" : "", ask->size);
    if (padding) flow_item(&flow, COLOUR_WARN, wide >= ROOMY ? "%d of them padding" : "%d padding", padding);
    if (ask->operand == OPERAND_SHARED) {
        flow_item(&flow, step->conflicts ? COLOUR_BAD : COLOUR_GOOD, "%d bank conflict%s", step->conflicts,
                  step->conflicts == 1 ? "" : "s");
        return;
    }
    double used = warp_step_efficiency(record, pane->step, warps->gpu.granule);
    flow_item(&flow, COLOUR_TEXT, "%d sector%s", step->sectors, step->sectors > 1 ? "s" : "");
    flow_item(&flow, used_colour(used), "%s used", format_percent(a, sizeof a, used));
    flow_item(&flow, COLOUR_DIM, "%d line%s", step->lines, step->lines > 1 ? "s" : "");
    if (step->conflicts) flow_item(&flow, COLOUR_BAD, "%d meet", step->conflicts);
}

/* Explain the picture of memory, beside the lanes. */
static void draw_legend(const struct explorer *explorer, const struct pane *pane, struct surface *surface,
                        int y, int x, int wide)
{
    const struct ask *ask = &pane->record.asks[pane->record.steps[pane->step].ask];
    struct flow flow = {.surface = surface, .rect = {y, x, 1, wide}};
    char array[32];
    flow_item(&flow, operand_colour(ask->operand), "elements of %s",
              array_of(ask->text, array, sizeof array));
    flow_item(&flow, COLOUR_DIM, "%s moved, unused", explorer->ascii ? ":" : "\u2591");
    if (pane->record.steps[pane->step].padding) flow_item(&flow, COLOUR_DIM, "x padding");
    flow_item(&flow, COLOUR_DIM, "* several lanes");
}

/* Name the key that resumes cancelled work. */
static void flow_after_all(struct flow *flow)
{
    char words[64], key[KEY_TEXT];
    snprintf(words, sizeof words, "%s resumes.", everywhere_key(DEMAND_CANCEL, key));
    flow_words(flow, COLOUR_DIM, words);
}

/* Describe the errand's replay for the pane, and its progress. */
static void draw_replaying(struct explorer *explorer, const struct warps *warps, const struct pane *pane,
                           struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = rect};
    char a[32], key[KEY_TEXT];
    if (pane->wish.declined) {
        flow_words(&flow, COLOUR_WARN, "Not replayed.");
        flow_after_all(&flow);
        return;
    }
    if (pane->wish.find)
        flow_item(&flow, COLOUR_TEXT, "searching for the warp of row %s", count_text(a, pane->wish.row + 1));
    else if (pane->recorded)
        flow_item(&flow, COLOUR_TEXT, "replaying the warp up to this step");
    else
        flow_item(&flow, COLOUR_TEXT, "replaying %s %s, a long one", unit_at(pane, pane->at.stage),
                  count_text(a, pane->at.warp + 1));
    if (!explorer->job || !warps_replaying(warps, pane)) return;
    explorer->moving = true;
    int64_t done = atomic_load(&explorer->job->progress.done);
    if (done) flow_item(&flow, COLOUR_DIM, "%s requests", count_text(a, done));
    if (rect.high > 2)
        gauge_bar(surface, rect.top + 2, rect.left, rect.wide < 60 ? rect.wide : 60, explorer->ascii,
                  explorer->job);
    if (rect.high > 3)
        surface_text(surface, rect.top + 3, rect.left, rect.wide, COLOUR_DIM, 0, "%s cancels",
                     everywhere_key(DEMAND_CANCEL, key));
}

static void draw_waiting(struct explorer *explorer, const struct warps *warps, const struct pane *pane,
                         struct surface *surface, struct rect rect)
{
    const struct replay *replay = pane->replay;
    const struct conversion *conversion = replay->conversion;
    struct flow flow = {.surface = surface, .rect = rect};
    char key[KEY_TEXT];
    const char *refusal = replay->refusal.status != STATUS_OK ? replay->refusal.message
                          : conversion && conversion_state(conversion) == CONVERSION_REFUSED
                              ? conversion->refusal.message
                              : NULL;
    if (refusal) {
        flow_words(&flow, COLOUR_BAD, "Not available:");
        flow_words(&flow, COLOUR_TEXT, refusal);
    } else if (replay->declined || (conversion && conversion->declined)) {
        flow_words(&flow, COLOUR_WARN, "Cancelled.");
        flow_after_all(&flow);
    } else if (explorer->job && conversion && explorer->converting == conversion) {
        explorer->moving = true;
        flow_words(&flow, COLOUR_TEXT, "converting the matrix");
        if (rect.high > 2)
            gauge_bar(surface, rect.top + 2, rect.left, rect.wide < 60 ? rect.wide : 60, explorer->ascii,
                      explorer->job);
        if (rect.high > 4)
            surface_text(surface, rect.top + 4, rect.left, rect.wide, COLOUR_DIM, 0, "%s cancels",
                         everywhere_key(DEMAND_CANCEL, key));
    } else if (pane->wish.wanted) {
        draw_replaying(explorer, warps, pane, surface, rect);
    } else if (pane->placed && replay->ready >= READY_PREPARED) {
        flow_words(&flow, COLOUR_BAD, "Not enough memory for the warp's requests.");
    } else if (replay->ready >= READY_PREPARED) {
        flow_words(&flow, COLOUR_DIM, "Nothing to do: no warp is launched.");
    } else {
        explorer->moving = explorer->job != NULL;
        flow_words(&flow, COLOUR_DIM,
                   explorer->errand && explorer->errand->alone ? "queued until all kernels are timed"
                                                               : "queued");
    }
}

static void draw_request(struct explorer *explorer, const struct warps *warps, const struct pane *pane,
                         struct surface *surface, struct rect rect, int high)
{
    int lanes = rect.wide >= 96 ? 2 * TRACE_LANES + 3 : TRACE_LANES + 3, x = rect.left + 1;
    draw_step(warps, pane, surface, rect.top + 3, x, rect.wide - 2);
    x += surface_text(surface, rect.top + 4, x, 6, COLOUR_DIM, 0, "lanes ");
    warps_draw_lanes(explorer, pane, surface, rect.top + 4, x, lanes);
    draw_legend(explorer, pane, surface, rect.top + 4, x + lanes + 3, rect.left + rect.wide - x - lanes - 4);
    const struct rect memory = {rect.top + HEAD_HIGH, rect.left + 1, high, rect.wide - 2};
    if (warp_record_has(&pane->record, pane->step))
        warps_draw_memory(explorer, pane, surface, memory);
    else
        draw_replaying(explorer, warps, pane, surface, memory);
}

static bool row_is_empty(const struct explorer *explorer)
{
    const int64_t *row_ptr = explorer->session->shown->matrix.csr.row_ptr, row = explorer->cursor.row;
    return row_ptr[row] == row_ptr[row + 1];
}

void warps_draw_pane(struct explorer *explorer, struct warps *warps, int index, struct surface *surface,
                     struct rect rect)
{
    struct pane *pane = &warps->panes[index];
    pane->area = rect;
    draw_title(explorer, warps, pane, surface, rect, index == warps->focus);
    if (!pane->recorded) {
        draw_waiting(explorer, warps, pane, surface,
                     (struct rect){rect.top + 2, rect.left + 1, rect.high - 2, rect.wide - 2});
        return;
    }
    const int lines = rect.high >= TALL ? 2 : 1; /* for the product and for the warp */
    const struct rect product = {rect.top + 1, rect.left + 1, lines, rect.wide - 2};
    const struct rect costs = {product.top + lines, rect.left + 1, lines, rect.wide - 2};
    rect.top += 2 * (lines - 1);
    rect.high -= 2 * (lines - 1);
    const int table = warps_table_high(warps, pane, rect.high - HEAD_HIGH);
    const int memory = rect.high - HEAD_HIGH - table;
    warps_draw_product(explorer, warps, pane, surface, product);
    if (pane->astray)
        surface_text(surface, costs.top, costs.left, costs.wide, COLOUR_WARN, 0, "%s",
                     row_is_empty(explorer)
                         ? "no warp works on the cursor's row, which is empty"
                         : "no warp found for the cursor's row alone: this is another one");
    else
        draw_costs(pane, surface, costs);
    if (pane->record.count)
        draw_request(explorer, warps, pane, surface, rect, memory);
    else
        surface_text(surface, rect.top + 3, rect.left + 1, rect.wide - 2, COLOUR_DIM, 0,
                     "No requests: this warp is beyond the last row.");
    warps_draw_table(explorer, warps, pane, surface,
                     (struct rect){rect.top + HEAD_HIGH + memory, rect.left, table, rect.wide});
}
