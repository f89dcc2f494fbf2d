/* Warps: what is on the screen, keys and the mouse. */
#include <stdlib.h>

#include "base/memory.h"
#include "ui/warps/warps.h"

#define PLAY_MS 150 /* a step */
#define PAGE 32     /* warps */

static const struct view_key keys[] = {
    {"left right, h l", "the step before, the next step"},
    {"o O", "the next, the previous request of the same kind"},
    {"Space", "play the steps, pause"},
    {"up down, k j", "the warp before, the next warp; the cursor follows"},
    {"PgUp PgDn, Home End", "32 warps on; the first and the last warp"},
    {"{ }", "the launch before, the next launch of a product"},
    {"w t", "the worst warp (most sectors), a typical one (their median)"},
    {"b, Backspace", "to the other kernel"},
    {"m", "one kernel, or two where there is room"},
    {"[ ]", "the kernel before, the next kernel"},
    {"Enter", "the list of kernels"},
    {"p", "other parameters, or any kernel by its name"},
    {"f", "values as f64 or f32"},
    {"x", "cancel counting or replaying; again: do it after all"},
    {"click, wheel", "go to a step, to the other kernel; another warp"},
    {NULL, NULL},
};

static void close_warps(void *state)
{
    struct warps *warps = state;
    warps_free(warps);
    free(warps);
}

static void *open_warps(struct explorer *explorer, struct error *error)
{
    struct warps *warps = memory_zeroed(1, sizeof *warps, error);
    if (!warps) return NULL;
    warps->moment = (struct warp_moment){ACCESS_LOAD, OPERAND_VALUES, 0};
    warps->seen.row = -1;
    warps->gpu = explorer->session->gpu;
    if (!warps->gpu.name[0]) gpu_find(GPU_STANDARD, &warps->gpu, NULL);
    if (warps_start(warps, error) != STATUS_OK) {
        close_warps(warps);
        return NULL;
    }
    explorer_say(explorer, "left right steps, up down warps, w worst, t typical, b other kernel, ? helps");
    return warps;
}

static void draw_rule(const struct explorer *explorer, struct surface *surface, struct rect rect,
                      bool upright)
{
    uint32_t rule = upright ? (explorer->ascii ? '|' : 0x2502) : (explorer->ascii ? '-' : 0x2500);
    for (int y = rect.top; y < rect.top + rect.high; y++)
        for (int x = rect.left; x < rect.left + rect.wide; x++)
            surface_put(surface, y, x, rule, COLOUR_DIM, COLOUR_TEXT, 0);
}

/* Both panes beside each other, or one above the other; false if there is room for one only. */
static bool draw_both(struct explorer *explorer, struct warps *warps, struct surface *surface,
                      struct rect area)
{
    int wide = (area.wide - 1) / 2, high = (area.high - 1) / 2;
    struct rect first = area, second = area;
    if (warps->alone || (wide < PANE_WIDE && high < PANE_HIGH)) return false;
    if (wide >= PANE_WIDE) {
        first.wide = wide;
        second.left += wide + 1;
        second.wide -= wide + 1;
        draw_rule(explorer, surface, (struct rect){area.top, area.left + wide, area.high, 1}, true);
    } else {
        first.high = high;
        second.top += high + 1;
        second.high -= high + 1;
        draw_rule(explorer, surface, (struct rect){area.top + high, area.left, 1, area.wide}, false);
    }
    warps->panes[0].area = first;
    warps->panes[1].area = second;
    warps_draw_pane(explorer, warps, 0, surface, first);
    warps_draw_pane(explorer, warps, 1, surface, second);
    return true;
}

static void draw_one(struct explorer *explorer, struct warps *warps, struct surface *surface,
                     struct rect area)
{
    const struct pane *other = &warps->panes[(warps->focus + 1) % WARPS_PANES];
    if (!warps->alone && other->recorded && area.high >= PANE_HIGH + 1) {
        area.high--;
        warps_draw_brief(warps, other, surface, area.top + area.high, area.left + 1, area.wide - 2);
    }
    warps_draw_pane(explorer, warps, warps->focus, surface, area);
}

/* The next step, if it is time. */
static void play(struct explorer *explorer, struct warps *warps)
{
    const struct pane *pane = &warps->panes[warps->focus];
    double now = clock_seconds();
    if (!warps->playing) return;
    if (pane->recorded && pane->step + 1 >= pane->record.count) {
        warps->playing = false;
        return;
    }
    if (now >= warps->next) {
        warps_move_step(warps, 1);
        warps->next = now + PLAY_MS / 1000.0;
    }
    explorer->moving = true;
    explorer->tick_ms = PLAY_MS;
}

static void draw_warps(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct warps *warps = state;
    if (area.high < PANE_HIGH || area.wide < PANE_WIDE) return;
    if (!warps->list.count) {
        surface_text(surface, area.top + 1, area.left + 1, area.wide - 2, COLOUR_WARN, 0,
                     "This build knows no kernel of a GPU.");
        return;
    }
    warps_update(explorer, warps);
    play(explorer, warps);
    warps_follow(explorer, warps);
    warps_want(explorer, warps);
    for (int p = 0; p < WARPS_PANES; p++)
        warps->panes[p].area = warps->panes[p].strip = (struct rect){0};
    if (!draw_both(explorer, warps, surface, area)) draw_one(explorer, warps, surface, area);
    if (warps->working && warps->errand.state != ERRAND_NONE) explorer->moving = true;
    if (warps->roster.open) roster_draw(explorer, warps, surface, area);
}

static bool handle_move(struct explorer *explorer, struct warps *warps, int key)
{
    switch (key) {
    case UIKEY_LEFT:
    case 'h':
        warps_move_step(warps, -1);
        return true;
    case UIKEY_RIGHT:
    case 'l':
        warps_move_step(warps, 1);
        return true;
    case 'o':
    case 'O':
        warps_next_same(explorer, warps, key == 'o' ? 1 : -1);
        return true;
    case UIKEY_UP:
    case 'k':
        warps_move_warp(explorer, warps, -1);
        return true;
    case UIKEY_DOWN:
    case 'j':
        warps_move_warp(explorer, warps, 1);
        return true;
    case UIKEY_PAGE_UP:
        warps_move_warp(explorer, warps, -PAGE);
        return true;
    case UIKEY_PAGE_DOWN:
        warps_move_warp(explorer, warps, PAGE);
        return true;
    case UIKEY_HOME:
        warps_move_warp(explorer, warps, -INT64_MAX);
        return true;
    case UIKEY_END:
        warps_move_warp(explorer, warps, INT64_MAX);
        return true;
    case '{':
    case '}':
        warps_move_stage(explorer, warps, key == '}' ? 1 : -1);
        return true;
    case 'w':
    case 't':
        warps_find(explorer, warps, key == 'w');
        return true;
    default:
        return false;
    }
}

static void toggle_play(struct warps *warps)
{
    const struct pane *pane = &warps->panes[warps->focus];
    warps->playing = !warps->playing;
    warps->next = clock_seconds() + PLAY_MS / 1000.0;
    if (warps->playing && pane->recorded && pane->step + 1 >= pane->record.count) warps_set_step(warps, 0);
}

static void next_kernel(struct explorer *explorer, struct warps *warps, int step)
{
    int count = warps->list.count, choice = warps_choice(warps, &warps->panes[warps->focus]);
    warps_choose(explorer, warps, (choice + step + count) % count);
}

static bool handle_choice(struct explorer *explorer, struct warps *warps, int key)
{
    switch (key) {
    case ' ':
        toggle_play(warps);
        return true;
    case 'b':
    case UIKEY_BACKSPACE:
        warps->focus = (warps->focus + 1) % WARPS_PANES;
        return true;
    case 'm':
        warps->alone = !warps->alone;
        return true;
    case '[':
    case ']':
        next_kernel(explorer, warps, key == ']' ? 1 : -1);
        return true;
    case UIKEY_ENTER:
        roster_open(warps);
        return true;
    case 'p':
        warps_ask(explorer, warps);
        return true;
    case 'f':
        warps_change_precision(explorer, warps);
        return true;
    default:
        return false;
    }
}

static bool handle_warps(struct explorer *explorer, void *state, int key)
{
    struct warps *warps = state;
    bool taken = true;
    if (!warps->list.count) return false;
    warps_update(explorer, warps);
    if (key == 'x')
        taken = warps_retry(warps);
    else if (warps->roster.open)
        roster_handle(explorer, warps, key);
    else
        taken = handle_move(explorer, warps, key) || handle_choice(explorer, warps, key);
    warps_update(explorer, warps);
    return taken;
}

static bool within(struct rect rect, const struct mouse *mouse)
{
    return mouse->y >= rect.top && mouse->y < rect.top + rect.high && mouse->x >= rect.left &&
           mouse->x < rect.left + rect.wide;
}

/* A click goes to the pane, and in its strip to the step. */
static void click(struct warps *warps, const struct mouse *mouse)
{
    for (int p = 0; p < WARPS_PANES; p++) {
        const struct pane *pane = &warps->panes[p];
        if (!within(pane->area, mouse)) continue;
        warps->focus = p;
        if (!within(pane->strip, mouse)) continue;
        int64_t column = mouse->x - pane->strip.left, count = pane->record.count;
        warps_set_step(warps, pane->step_wide ? column / pane->step_wide
                                              : (int64_t)((double)column * (double)count / pane->strip.wide));
    }
}

static bool mouse_warps(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    struct warps *warps = state;
    if (!warps->list.count) return false;
    warps_update(explorer, warps);
    if (warps->roster.open)
        roster_mouse(explorer, warps, mouse);
    else if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN)
        warps_move_warp(explorer, warps, mouse->kind == MOUSE_WHEEL_UP ? -1 : 1);
    else
        click(warps, mouse);
    warps_update(explorer, warps);
    return true;
}

static void answer_warps(struct explorer *explorer, void *state, const char *text)
{
    struct warps *warps = state;
    warps_update(explorer, warps);
    warps_answer(explorer, warps, text);
    warps_update(explorer, warps);
}

const struct view view_warps = {
    .key = '5',
    .title = "Warps",
    .help =
        "What the warps of a GPU's kernels ask of memory, replayed without a GPU as its profiler would count "
        "it. A warp's 32 lanes (0-9, a-v) go step by step; a step is one load or store of all lanes that "
        "take part. Below them the memory that they touch: sectors of 32 bytes are what is moved, four make "
        "a "
        "line, filled is what lanes asked for. Two kernels are held beside each other on the same rows, at "
        "the same request. The table has a line for each array: its sectors a request over the steps of "
        "the warp (low is good), their numbers, which share of the bytes moved was asked for, and the same "
        "of "
        "the whole product.",
    .keys = keys,
    .needs = SESSION_MATRIX | SESSION_GPU,
    .open = open_warps,
    .draw = draw_warps,
    .handle = handle_warps,
    .mouse = mouse_warps,
    .answer = answer_warps,
    .close = close_warps,
};
