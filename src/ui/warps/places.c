/* Which warp and which step the panes show. */
#include "base/range.h"
#include "ui/warps/warps.h"

/* So many requests are replayed for a pane on the screen's thread, which takes some milliseconds. What needs
 * more becomes a wish. */
#define AT_ONCE 100000

static bool is_ready(const struct pane *pane)
{
    const struct replay *replay = pane->replay;
    return replay && replay->ready >= READY_PREPARED && replay->refusal.status == STATUS_OK;
}

static int64_t warps_in(const struct pane *pane, int64_t s)
{
    struct trace_stage stage;
    trace_stage(&pane->replay->launch, s, &stage);
    return stage.warps;
}

/* Leave it to the errand to record the pane's warp, or to find that of a row. A wish that is there already
 * stays as it is, also if it was declined. */
static void wish_for(struct pane *pane, bool find, int64_t row)
{
    const struct warp_wish *old = &pane->wish;
    if (old->wanted && old->find == find && (!find || old->row == row) && old->at.stage == pane->at.stage &&
        old->at.warp == pane->at.warp)
        return;
    pane->wish = (struct warp_wish){.wanted = true, .find = find, .row = row, .at = pane->at};
}

/* Record the pane's warp with the addresses of this step, or wish for it if it is a long one. Until the
 * errand has the addresses, the record that is there stays. */
static void record(struct explorer *explorer, struct pane *pane, int64_t step)
{
    struct error error = {0};
    struct warp_budget budget = {.left = AT_ONCE};
    char text[sizeof explorer->message];
    enum status status = STATUS_CANCELLED;
    if (pane->wish.wanted && pane->wish.find) return;
    if (!pane->recorded && !pane->wish.wanted)
        status = warp_record_make(&pane->replay->launch, pane->at, step, &budget, &pane->record, &error);
    else if (pane->recorded && pane->record.count <= AT_ONCE)
        status = warp_record_make(&pane->replay->launch, pane->at, step, NULL, &pane->record, &error);
    if (status == STATUS_CANCELLED) {
        wish_for(pane, false, 0);
        return;
    }
    pane->recorded = status == STATUS_OK;
    if (!pane->recorded) explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
}

/* Show the step of the moment in a pane. */
static void find_step(struct explorer *explorer, const struct warps *warps, struct pane *pane)
{
    if (!pane->recorded) record(explorer, pane, 0);
    if (!pane->recorded) return;
    pane->step = warp_step_of(&pane->record, warps->moment, warps->moment_step);
    if (pane->record.count && !warp_record_has(&pane->record, pane->step))
        record(explorer, pane, pane->step);
    else
        pane->wish = (struct warp_wish){0};
}

/* Show this warp in a pane. If it was shown already, its record stays, and the wish for other addresses of
 * it. */
static void put(struct pane *pane, struct warp_at at)
{
    if (!pane->placed || !pane->recorded || at.stage != pane->at.stage || at.warp != pane->at.warp)
        pane->recorded = false;
    if (!pane->recorded || pane->wish.find) pane->wish = (struct warp_wish){0};
    pane->at = at;
    pane->placed = true;
    pane->leads = false;
}

/* Show the warp that works on the cursor's row, or wish for it if it takes long to find. If there is none,
 * the pane stays where it is. */
static void find_warp(const struct explorer *explorer, struct pane *pane)
{
    const struct launch *launch = &pane->replay->launch;
    int64_t row = explorer->cursor.row;
    struct warp_at at = pane->placed ? pane->at : (struct warp_at){0, 0};
    struct warp_budget budget = {.left = AT_ONCE};
    bool found = warp_of_row(launch, row, at.stage, &budget, &at);
    if (budget.exhausted) {
        put(pane, at);
        pane->recorded = false;
        wish_for(pane, true, row);
        return;
    }
    pane->astray = !found;
    if (!pane->astray || !pane->placed) put(pane, at);
}

/* Move the cursor to a row of the pane's warp, and the other panes to the warps of that row. -1 stands for a
 * warp without rows, with which the cursor does not move. */
static void lead(struct explorer *explorer, struct warps *warps, struct pane *pane, int64_t row)
{
    pane->leads = false;
    if (row >= 0) {
        explorer_move(explorer, row, explorer->cursor.col);
        for (int p = 0; p < WARPS_PANES; p++)
            if (&warps->panes[p] != pane && is_ready(&warps->panes[p])) find_warp(explorer, &warps->panes[p]);
    }
    warps->seen = explorer->cursor;
}

void warps_follow(struct explorer *explorer, struct warps *warps)
{
    for (int p = 0; p < WARPS_PANES; p++) {
        struct pane *pane = &warps->panes[p];
        if (pane->leads && pane->recorded && warps->seen.row == explorer->cursor.row)
            lead(explorer, warps, pane, pane->record.first_row);
    }
    bool moved = warps->seen.row != explorer->cursor.row;
    warps->seen = explorer->cursor;
    for (int p = 0; p < WARPS_PANES; p++) {
        struct pane *pane = &warps->panes[p];
        if (!is_ready(pane) || warps_in(pane, pane->placed ? pane->at.stage : 0) == 0) continue;
        if (moved || !pane->placed) find_warp(explorer, pane);
        find_step(explorer, warps, pane);
    }
}

void warps_go_to(struct explorer *explorer, struct warps *warps, struct warp_at at)
{
    struct pane *pane = &warps->panes[warps->focus];
    put(pane, at);
    pane->astray = false;
    struct warp_budget budget = {.left = AT_ONCE};
    const struct warp_rows rows = warp_rows(&pane->replay->launch, at, &budget);
    pane->leads = budget.exhausted;
    warps->seen = explorer->cursor;
    if (!budget.exhausted) lead(explorer, warps, pane, rows.first);
    warps_follow(explorer, warps);
}

void warps_move_warp(struct explorer *explorer, struct warps *warps, int64_t by)
{
    const struct pane *pane = &warps->panes[warps->focus];
    if (!is_ready(pane) || !pane->placed) return;
    int64_t max = warps_in(pane, pane->at.stage) - 1;
    int64_t to = clip(pane->at.warp + (by < -max ? -max : min(by, max)), max);
    if (max < 0 || to == pane->at.warp) return;
    warps_go_to(explorer, warps, (struct warp_at){pane->at.stage, to});
}

void warps_move_stage(struct explorer *explorer, struct warps *warps, int by)
{
    const struct pane *pane = &warps->panes[warps->focus];
    if (!is_ready(pane)) return;
    int64_t stages = trace_stages(&pane->replay->launch);
    int64_t s = clip(pane->at.stage + by, stages - 1);
    if (stages < 2)
        explorer_say(explorer, "the product is one launch");
    else if (s != pane->at.stage && warps_in(pane, s) > 0)
        warps_go_to(explorer, warps, (struct warp_at){s, 0});
}

void warps_set_step(struct warps *warps, int64_t step)
{
    struct pane *pane = &warps->panes[warps->focus];
    if (!is_ready(pane) || !pane->recorded || !pane->record.count) return;
    pane->step = warps->moment_step = clip(step, pane->record.count - 1);
    warps->moment = warp_moment(&pane->record, pane->step);
}

void warps_move_step(struct warps *warps, int64_t by)
{
    warps_set_step(warps, warps->panes[warps->focus].step + by);
}

void warps_next_same(struct explorer *explorer, struct warps *warps, int by)
{
    const struct pane *pane = &warps->panes[warps->focus];
    if (!is_ready(pane) || !pane->recorded || !pane->record.count) return;
    warps_set_step(warps, pane->step);
    struct warp_moment moment = warps->moment;
    moment.ordinal = max(moment.ordinal + by, 0);
    int64_t step = warp_step_of(&pane->record, moment, pane->step);
    if (step == pane->step) explorer_say(explorer, "no other request of this kind in that direction");
    warps_set_step(warps, step);
}

/* The longest warp, or if that is shown the one with the most sectors. */
static struct warp_at slow_warp(const struct pane *pane)
{
    const struct warp_costs *costs = &pane->replay->costs;
    const bool here = pane->at.stage == costs->longest.stage && pane->at.warp == costs->longest.warp;
    return here ? costs->worst : costs->longest;
}

void warps_find(struct explorer *explorer, struct warps *warps, bool worst)
{
    const struct replay *replay = warps->panes[warps->focus].replay;
    if (!replay || replay->ready < READY_COUNTED)
        explorer_say(explorer, "unknown yet: the warps are being counted");
    else if (!replay->costs.busy)
        explorer_say(explorer, "no warp has a request");
    else
        warps_go_to(explorer, warps, worst ? slow_warp(&warps->panes[warps->focus]) : replay->costs.typical);
}
