/* The Warps screen: its panes, its keys and the mouse. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/lessons/lessons.h"
#include "ui/warps/warps.h"
#include "ui/widgets/panes.h"

#define PLAY_MS 150 /* the time of a step while playing */
#define PAGE 32     /* the number of warps in a page */

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
    return warps;
}

/* Draw both panes beside each other, or one above the other. False if there is room for only one. */
static bool draw_both(struct explorer *explorer, struct warps *warps, struct surface *surface,
                      struct rect area)
{
    int wide = (area.wide - 1) / 2, high = (area.high - 1) / 2;
    struct rect first = area, second = area;
    if (warps->alone || (wide < PANE_BESIDE && high < PANE_HIGH)) return false;
    if (wide >= PANE_BESIDE) {
        first.wide = wide;
        second.left += wide + 1;
        second.wide -= wide + 1;
        pane_draw_rule(surface, (struct rect){area.top, area.left + wide, area.high, 1}, explorer->ascii);
    } else {
        first.high = high;
        second.top += high + 1;
        second.high -= high + 1;
        pane_draw_rule(surface, (struct rect){area.top + high, area.left, 1, area.wide}, explorer->ascii);
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
    if (!warps->alone && other->replay && area.high >= PANE_HIGH + 1) {
        area.high--;
        warps_draw_brief(explorer, warps, other, surface, area.top + area.high, area.left + 1, area.wide - 2);
    }
    warps_draw_pane(explorer, warps, warps->focus, surface, area);
}

/* While playing, go to the next step when it is due. */
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
    if (area.high < PANE_LOW || area.wide < PANE_WIDE) return;
    if (!warps->list.count) {
        surface_text(surface, area.top + 1, area.left + 1, area.wide - 2, COLOUR_WARN, 0,
                     "This build has no GPU kernels.");
        return;
    }
    warps_update(explorer, warps);
    play(explorer, warps);
    warps_follow(explorer, warps);
    warps_find_later(explorer, warps);
    warps_want(explorer, warps);
    for (int p = 0; p < WARPS_PANES; p++)
        warps->panes[p].area = warps->panes[p].strip = (struct rect){0};
    if (!draw_both(explorer, warps, surface, area)) draw_one(explorer, warps, surface, area);
    if (warps->working && warps->errand.state != ERRAND_NONE) explorer->moving = true;
    if (list_is_open(&warps->dialog)) list_draw(explorer, &warps->dialog, surface, area);
}

static void move_step(struct explorer *explorer, void *state, int step)
{
    warps_move_step(state, step);
}

static void move_warp(struct explorer *explorer, void *state, int step)
{
    warps_move_warp(explorer, state, step);
}

static void go_to_end(struct explorer *explorer, void *state, int last)
{
    warps_move_warp(explorer, state, last ? INT64_MAX : -INT64_MAX);
}

static void toggle_play(struct explorer *explorer, void *state, int unused)
{
    struct warps *warps = state;
    const struct pane *pane = &warps->panes[warps->focus];
    warps->playing = !warps->playing;
    warps->next = clock_seconds() + PLAY_MS / 1000.0;
    if (warps->playing && pane->recorded && pane->step + 1 >= pane->record.count) warps_set_step(warps, 0);
}

static void next_kernel(struct explorer *explorer, void *state, int step)
{
    struct warps *warps = state;
    int count = warps->list.count, choice = warps_choice(warps, &warps->panes[warps->focus]);
    warps_choose(explorer, warps, (choice + step + count) % count);
}

static void next_pane(struct explorer *explorer, void *state, int unused)
{
    struct warps *warps = state;
    warps->focus = (warps->focus + 1) % WARPS_PANES;
}

static void toggle_alone(struct explorer *explorer, void *state, int unused)
{
    struct warps *warps = state;
    warps->alone = !warps->alone;
}

/* Adopt the kernels from the same screen of another order. */
static void adopt_warps(struct explorer *explorer, void *state, const void *before)
{
    struct warps *warps = state;
    const struct warps *other = before;
    warps->precision = other->precision;
    warps->alone = other->alone;
    warps->moment = other->moment;
    warps->moment_step = other->moment_step;
    for (int p = 0; p < WARPS_PANES; p++) {
        char name[CHOICE_NAME];
        if (!other->panes[p].replay || !warps->panes[p].replay) continue;
        const struct kernel_choice *choice = &other->panes[p].replay->choice;
        kernel_choice_short_name(choice, name, sizeof name);
        kernel_list_add_from(&warps->list, warps->traced, name, NULL);
        int k = kernel_list_find(&warps->list, choice);
        warps->focus = p;
        if (k >= 0) warps_choose(explorer, warps, k);
    }
    warps->focus = other->focus;
    warps->tentative = other->tentative;
}

static enum use use_of_other_pane(const struct explorer *explorer, const void *state, int unused)
{
    const struct warps *warps = state;
    return warps->panes[(warps->focus + 1) % WARPS_PANES].replay ? USE_SOME : USE_NONE;
}

/* The key is useful if both panes are drawn, or would be if `alone` were off. */
static enum use use_of_split(const struct explorer *explorer, const void *state, int unused)
{
    const struct warps *warps = state;
    const int other = (warps->focus + 1) % WARPS_PANES;
    return warps->alone || warps->panes[other].area.high > 0 ? use_of_other_pane(explorer, state, 0)
                                                             : USE_NONE;
}

static enum use use_of_steps(const struct explorer *explorer, const void *state, int unused)
{
    const struct warps *warps = state;
    const struct pane *pane = &warps->panes[warps->focus];
    return pane->recorded && pane->record.count > 1 ? USE_SOME : USE_NONE;
}

static const struct action actions[] = {
    {.keys = {UIKEY_LEFT, 'h'},
     .run = move_step,
     .argument = -1,
     .name = "step",
     .use = use_of_steps,
     .help = "the previous step, the next step"},
    {.keys = {UIKEY_RIGHT, 'l'}, .run = move_step, .argument = 1},
    {.keys = {UIKEY_UP, 'k'},
     .run = move_warp,
     .argument = -1,
     .name = "move warp",
     .help = "the previous warp, the next warp; the cursor follows"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move_warp, .argument = 1},
    {.keys = {'w'},
     .run = warps_find,
     .argument = true,
     .name = "find longest",
     .help = "the longest warp (most requests); again: the worst one (most sectors)"},
    {.keys = {'t'},
     .run = warps_find,
     .argument = false,
     .name = "find typical",
     .help = "a typical warp (median number of sectors)"},
    {.keys = {'b'},
     .run = next_pane,
     .name = "switch pane",
     .help = "to the other kernel",
     .use = use_of_other_pane},
    {.keys = {UIKEY_ENTER}, .run = warps_open_list, .name = "choose kernel", .help = "the list of kernels"},
    {.keys = {'['}, .run = next_kernel, .argument = -1, .help = "the previous kernel, the next kernel"},
    {.keys = {']'}, .run = next_kernel, .argument = 1},
    {.keys = {'p'}, .run = warps_ask, .name = "edit", .help = "other parameters, or any kernel by its name"},
    {.keys = {' '}, .run = toggle_play, .name = "play", .help = "play the steps, pause", .use = use_of_steps},
    {.keys = {'o'},
     .run = warps_next_same,
     .argument = 1,
     .name = "find alike",
     .use = use_of_steps,
     .help = "the next, the previous request of the same kind"},
    {.keys = {'O'}, .run = warps_next_same, .argument = -1},
    {.keys = {'m'},
     .run = toggle_alone,
     .name = "split",
     .help = "one kernel, or two if they fit",
     .use = use_of_split},
    {.keys = {'f'}, .run = warps_change_precision, .name = "set f64/f32", .help = "values as f64 or f32"},
    {.keys = {'{'},
     .run = warps_move_stage,
     .argument = -1,
     .help = "the previous launch, the next launch of a product"},
    {.keys = {'}'}, .run = warps_move_stage, .argument = 1},
    {.keys = {UIKEY_PAGE_UP}, .run = move_warp, .argument = -PAGE, .help = "32 warps back, 32 warps on"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = move_warp, .argument = PAGE},
    {.keys = {UIKEY_HOME}, .run = go_to_end, .argument = false, .help = "the first and the last warp"},
    {.keys = {UIKEY_END}, .run = go_to_end, .argument = true},
    {.run = NULL},
};

/* False in a build without GPU kernels, where keys have no effect. */
static bool update_warps(struct explorer *explorer, void *state)
{
    struct warps *warps = state;
    if (!warps->list.count) return false;
    warps_update(explorer, warps);
    return true;
}

static bool retry_warps(struct explorer *explorer, void *state)
{
    bool declined = warps_retry(state);
    update_warps(explorer, state);
    return declined;
}

static bool within(struct rect rect, const struct mouse *mouse)
{
    return rect_holds(rect, mouse->y, mouse->x);
}

/* Give the focus to the clicked pane. A click in its strip also selects the step. */
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

static void mouse_warps(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN)
        warps_move_warp(explorer, state, mouse->kind == MOUSE_WHEEL_UP ? -1 : 1);
    else
        click(state, mouse);
}

static struct list *warps_dialog(void *state)
{
    struct warps *warps = state;
    return &warps->dialog;
}

/* True if the pane with the focus shows the kernel or the request that a lesson names. */
static bool warps_hold(struct explorer *explorer, void *state, const char *word, const char *value)
{
    const struct warps *warps = state;
    const struct pane *pane = &warps->panes[warps->focus];
    char name[CHOICE_NAME];
    if (!pane->replay || !pane->recorded || !pane->record.count) return false;
    const struct warp_step *step = &pane->record.steps[pane->step];
    const struct ask *ask = &pane->record.asks[step->ask];
    if (strcmp(word, "kernel") == 0) return strcmp(pane->replay->choice.kernel->name, value) == 0;
    if (strcmp(word, "parameter") == 0)
        return lesson_has_parameter(kernel_choice_short_name(&pane->replay->choice, name, sizeof name),
                                    value);
    if (strcmp(word, "access") == 0) return strcmp(access_names[ask->access], value) == 0;
    if (strcmp(word, "operand") == 0) return strcmp(operand_names[ask->operand], value) == 0;
    return strcmp(word, "sectors") == 0 && step->sectors == strtoll(value, NULL, 10);
}

/* The numbers of the head and of the table. */
static bool define(struct explorer *explorer, void *state, int k, struct definition *definition)
{
    static const struct definition table[] = {
        {.title = "request", .text = "one load, store or atomic addition of one warp with an active lane"},
        {.title = "sectors",
         .text =
             "different blocks of 32 bytes that a request touches, summed over the requests; memory moves "
             "whole sectors"},
        {.title = "/req",
         .text = "sectors per request: 8 are the least for 32 values of 8 bytes, 32 the most"},
        {.title = "used",
         .text = "bytes that lanes asked for, as a share of the bytes of the sectors; padding is not useful"},
        {.title = "lines", .text = "different blocks of 128 bytes that a step touches"},
        {.title = "pad", .text = "lanes that load padding, as a share of all active lanes in loads"},
        {.title = "by step", .text = "sectors per request over the steps of the warp; low bars are good"},
        {.title = "in all", .text = "the same numbers for all warps of the product"},
        {.title = "lanes at work",
         .text = "lanes that load an entry, as a share of 32 in each load step: divergence, short rows and "
                 "padding together"},
        {.title = "typical", .text = "the warp with the median number of sectors"},
        {.title = "x typical", .text = "sectors of this warp / sectors of the typical warp"},
        {.title = "longest",
         .text = "the warp with the most requests: a product bound by its longest warp takes as long as it"},
        {.title = "worst", .text = "the warp with the most sectors"},
        {.title = "forecast",
         .text =
             "predicted time of a product on this GPU, and the term of the model that takes longest; Advice "
             "shows all terms"},
        {.title = "times as many", .text = "sectors of the product / those of the other kernel's product"},
        {.title = "step", .text = "a request of the warp, in the order of time; x of the steps is shown"},
        {.title = "pointers", .text = "offsets of rows and the like"},
        {.title = "tables", .text = "further index arrays that the kernel reads"},
        {.title = "shared", .text = "requests to the shared memory of the block, which move no sectors"},
        {.title = "bank conflicts",
         .text = "further turns that a request to shared memory takes because its lanes share a bank"},
    };
    if (k >= (int)(sizeof table / sizeof *table)) return false;
    *definition = table[k];
    return true;
}

const struct view view_warps = {
    .title = "Warps",
    .question = "Which memory does a warp touch?",
    .help = "The memory requests of a GPU kernel's warps, replayed without a GPU and counted as its "
            "profiler counts them. The 32 lanes of a warp (0-9, a-v) advance step by step; a step is one "
            "load or store of all active lanes. Below them is the memory that they touch. Memory moves in "
            "sectors of 32 bytes, four of which make a line; requested bytes are filled. Two kernels are "
            "compared on the same rows at the same request; the product's sectors are green for the kernel "
            "that moves fewer. The table has a line for each array: sectors per request over the steps of "
            "the warp (low is good), their number, the useful share of the bytes moved, and the share of "
            "lanes with padding. The same numbers follow for the whole product. Padding is moved, but it "
            "is no work and not useful.",
    .actions = actions,
    .gesture = {"click, wheel", "go to a step, to the other kernel; another warp"},
    .needs = SESSION_MATRIX | SESSION_ENTRIES | SESSION_GPU,
    .lacks = "The requests of a warp are computed from the entries.",
    .open = open_warps,
    .draw = draw_warps,
    .define = define,
    .update = update_warps,
    .mouse = mouse_warps,
    .retry = retry_warps,
    .dialog = warps_dialog,
    .answer = warps_answer,
    .adopt = adopt_warps,
    .holds = warps_hold,
    .close = close_warps,
};

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    const struct warps *warps = state;
    const bool complex = explorer->session->shown->matrix.csr.imaginary != NULL;
    for (int k = 0; k < warps->list.count; k++) {
        const struct kernel_choice *choice = &warps->list.choices[k];
        char name[CHOICE_NAME];
        struct list_row *row = list_add(list);
        struct error error = {0};
        list_write(row, 0, "%s", kernel_choice_short_name(choice, name, sizeof name));
        for (int p = 0; row && p < WARPS_PANES; p++)
            row->marked |= warps_choice(warps, &warps->panes[p]) == k;
        if (row && kernel_suits(choice->kernel, complex, (struct product){0}, &error) != STATUS_OK)
            snprintf(row->reason, sizeof row->reason, "%s", error.message);
    }
}

static void choose(struct explorer *explorer, void *state, int row)
{
    warps_choose(explorer, state, row);
}

static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    const struct warps *warps = state;
    const char *reason = list->rows[list->selected].reason;
    flow_sentence(flow, COLOUR_TEXT, warps->list.choices[list->selected].kernel->summary);
    flow_break(flow);
    if (reason[0])
        flow_words(flow, COLOUR_BAD, reason);
    else
        flow_sentence(flow, COLOUR_DIM, "cuSPARSE's requests are unknown, and CPU kernels have no warps");
}

static const struct list_kind kernels_list = {
    .title = "Kernels whose requests are known",
    .wide = 76,
    .foot_high = 3,
    .columns = {{.title = "kernel"}},
    .fill = fill,
    .choose = choose,
    .about = about,
};

void warps_open_list(struct explorer *explorer, void *state, int unused)
{
    struct warps *warps = state;
    int choice = warps_choice(warps, &warps->panes[warps->focus]);
    list_open(explorer, &warps->dialog, &kernels_list, warps, choice < 0 ? 0 : choice);
}
