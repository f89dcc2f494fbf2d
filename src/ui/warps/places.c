/* The choice of the warp and the step of each pane. */
#include "base/range.h"
#include "ui/warps/warps.h"

/* The maximum number of requests that the screen's thread replays at a time, which takes 2 to 3 ms. A key may
 * take several times that: for each pane the search of its warp, and its record. More requests become a wish.
 */
#define AT_ONCE 20000

/* The maximum number of rows of a warp that are compared. */
#define ROWS_AT_ONCE 100000

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

/* Request from the errand to record the pane's warp, or to find the warp of a row. An equal wish stays
 * unchanged, even if it was declined. */
static void wish_for(struct pane *pane, bool find, int64_t row)
{
    const struct warp_wish *old = &pane->wish;
    if (old->wanted && old->find == find && (!find || old->row == row) && old->at.stage == pane->at.stage &&
        old->at.warp == pane->at.warp)
        return;
    pane->wish = (struct warp_wish){.wanted = true, .find = find, .row = row, .at = pane->at};
}

/* Record the pane's warp with the addresses of this step. A long warp becomes a wish, and the old record
 * stays until the errand is done. */
static void record(struct explorer *explorer, struct pane *pane, int64_t step)
{
    struct error error = {0};
    struct warp_budget budget = {.left = AT_ONCE};
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
    if (!pane->recorded) explorer_say_error(explorer, &error);
}

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

/* Show this warp in a pane. If it was shown already, its record stays, and so does the wish for other
 * addresses. */
static void put(struct pane *pane, struct warp_at at)
{
    if (!pane->placed || !pane->recorded || at.stage != pane->at.stage || at.warp != pane->at.warp)
        pane->recorded = false;
    if (!pane->recorded || pane->wish.find) pane->wish = (struct warp_wish){0};
    pane->at = at;
    pane->placed = true;
    pane->leads = false;
}

/* Show the warp that works on the cursor's row, or wish for it if the search takes long. If there is none,
 * the pane keeps its warp. */
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

/* Move the cursor to a row of the pane's warp, and the other panes to the warps of that row. A `row` of -1
 * means a warp without rows, which leaves the cursor unchanged. */
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

void warps_move_stage(struct explorer *explorer, void *state, int by)
{
    struct warps *warps = state;
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

void warps_next_same(struct explorer *explorer, void *state, int by)
{
    struct warps *warps = state;
    const struct pane *pane = &warps->panes[warps->focus];
    if (!is_ready(pane) || !pane->recorded || !pane->record.count) return;
    warps_set_step(warps, pane->step);
    struct warp_moment moment = warps->moment;
    moment.ordinal = max(moment.ordinal + by, 0);
    int64_t step = warp_step_of(&pane->record, moment, pane->step);
    if (step == pane->step) explorer_say(explorer, "no other request of this kind in that direction");
    warps_set_step(warps, step);
}

static bool same_warp(struct warp_at a, struct warp_at b)
{
    return a.stage == b.stage && a.warp == b.warp;
}

/* Return the longest row that a warp works on. If several are equally long, it is the first; -1 if the warp
 * has no rows. */
static int64_t longest_of_warp(const struct csr *a, const struct launch *launch, struct warp_at at,
                               struct warp_rows rows)
{
    int64_t row[TRACE_LANES], longest = -1, most = -1;
    const bool by_lanes = warp_lane_rows(launch, at, row);
    const int64_t count = by_lanes ? TRACE_LANES : min(rows.last - rows.first + 1, ROWS_AT_ONCE);
    for (int64_t k = 0; k < count; k++) {
        const int64_t i = by_lanes ? row[k] : rows.first + k;
        if (i < 0 || a->row_ptr[i + 1] - a->row_ptr[i] <= most) continue;
        longest = i;
        most = a->row_ptr[i + 1] - a->row_ptr[i];
    }
    return longest;
}

/* Put the cursor on the first entry of the longest row of the pane's warp, which makes the warp long. */
static void lead_to_longest(struct explorer *explorer, struct warps *warps)
{
    struct pane *pane = &warps->panes[warps->focus];
    const struct csr *a = &explorer->session->shown->matrix.csr;
    struct warp_budget budget = {.left = AT_ONCE};
    const struct warp_rows rows = warp_rows(&pane->replay->launch, pane->at, &budget);
    const int64_t row = budget.exhausted ? -1 : longest_of_warp(a, &pane->replay->launch, pane->at, rows);
    if (row < 0) return;
    if (a->row_ptr[row] < a->row_ptr[row + 1]) explorer_move(explorer, row, a->col[a->row_ptr[row]]);
    lead(explorer, warps, pane, row);
    warps_follow(explorer, warps);
}

/* Return the longest warp. If the pane shows it already, return the warp with the most sectors. */
static struct warp_at slow_warp(const struct pane *pane)
{
    const struct warp_costs *costs = &pane->replay->costs;
    const bool here = same_warp(pane->at, costs->longest);
    return here ? costs->worst : costs->longest;
}

void warps_find(struct explorer *explorer, void *state, int worst)
{
    struct warps *warps = state;
    const struct pane *pane = &warps->panes[warps->focus];
    const struct replay *replay = pane->replay;
    warps->sought = NULL;
    const bool counted = replay && replay->ready >= READY_COUNTED;
    if (!replay || (!counted && (replay->declined || replay->refusal.status != STATUS_OK))) {
        explorer_say(explorer, "unknown: the warps are not counted");
    } else if (!counted) {
        explorer_say(explorer, "shown once the warps are counted");
        warps->sought = replay;
        warps->sought_worst = worst;
        warps->sought_from = explorer->cursor;
    } else if (!replay->costs.busy) {
        explorer_say(explorer, "no warp has a request");
    } else if (!worst) {
        warps_go_to(explorer, warps, replay->costs.typical);
    } else {
        const struct warp_at to = slow_warp(pane);
        const bool stays = pane->placed && same_warp(pane->at, to);
        warps_go_to(explorer, warps, to);
        lead_to_longest(explorer, warps);
        if (stays) explorer_say(explorer, "this warp has both the most requests and the most sectors");
    }
}

void warps_find_later(struct explorer *explorer, struct warps *warps)
{
    const struct replay *replay = warps->panes[warps->focus].replay;
    const struct cursor *from = &warps->sought_from, *now = &explorer->cursor;
    if (!warps->sought) return;
    if (warps->sought != replay || from->row != now->row || from->col != now->col)
        warps->sought = NULL;
    else if (replay->ready >= READY_COUNTED)
        warps_find(explorer, warps, warps->sought_worst);
}
