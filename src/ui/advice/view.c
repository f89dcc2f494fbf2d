/* The Advice screen: its panes, its keys and the mouse. */
#include <limits.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "report/figures/figure.h"
#include "ui/advice/screen.h"

#define COMPANION_MIN 48 /* the min width of the pane beside that with the focus */

const struct screen_pane advice_panes[] = {
    [PANE_WHY] = {.key = 'w', .title = "Why", .draw = advice_draw_why, .place = 0, .share = 1},
    [PANE_TIMES] = {.key = 'b', .title = "Bars", .draw = advice_draw_times, .place = 1, .share = 1},
    [PANE_EVEN] = {.key = 'B', .title = "Break-even", .draw = advice_draw_even, .place = 2, .share = 1},
    [PANE_ROOFLINE] = {.key = 'i', .title = "Roofline", .draw = advice_draw_roofline, .place = 3, .share = 3},
    [PANE_MAP] =
        {.key = 'u', .title = "Tuning", .draw = advice_draw_map, .alone = true, .place = 4, .share = 3},
    [PANE_CRITERIA] = {.key = 'c',
                       .title = "Criteria",
                       .draw = advice_draw_criteria,
                       .alone = true,
                       .place = 5,
                       .share = 4}, /* they need the most columns */
    {.title = NULL},
};

_Static_assert(PANES <= PANES_MAX, "each pane has its place");

static void *open_advice(struct explorer *explorer, struct error *error)
{
    struct advice_screen *screen = memory_zeroed(1, sizeof *screen, error);
    if (screen) screen->panes.table = advice_panes;
    return screen;
}

static void close_advice(void *state)
{
    struct advice_screen *screen = state;
    advices_free(&screen->advices);
    foresight_again_free(&screen->foretelling.again);
    free(screen);
}

/* Drawing */

static void draw_advice(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct advice_screen *screen = state;
    if (area.high < 12 || area.wide < 60) return;
    advice_refresh(explorer, screen);
    panes_start(&screen->panes);
    screen->panes.instead = advice_shown(screen) ? NULL : "No time of a kernel is known yet.";
    for (int k = 0; k < PANES; k++)
        for (int line = 0; line < ADVICE_LINES; line++)
            screen->items[k][line] = -1;
    int head = advice_draw_head(explorer, screen, surface, area);
    const bool one = screen->panes.one;
    struct rect rest = {area.top + head, area.left, area.high - head, area.wide};
    if (area.wide >= ADVICE_WIDE && area.high >= ADVICE_HIGH && !one) {
        panes_draw_grid(explorer, &screen->panes, surface, rest);
        return;
    }
    /* The first or second one stands beside that with the focus if there is room. */
    int beside = screen->panes.focus == PANE_WHY ? PANE_TIMES : PANE_WHY;
    panes_draw_tabs(explorer, &screen->panes, surface, rest, screen->panes.focus,
                    rest.wide >= ADVICE_HALF && !one ? beside : -1,
                    (int)max(rest.wide * 2 / 5, COMPANION_MIN));
}

static bool update_advice(struct explorer *explorer, void *state)
{
    advice_refresh(explorer, state);
    return true;
}

/* Keys */

static void move_to(const struct explorer *explorer, struct advice_screen *screen, int place)
{
    const struct advice *advice = advice_shown(screen);
    if (screen->panes.focus == PANE_CRITERIA)
        screen->format = clip_index(place, advice_criteria_count(explorer, screen));
    else
        screen->cursor = clip_index(place, advice ? advice->count : 0);
}

static void move_by(const struct explorer *explorer, struct advice_screen *screen, int step)
{
    move_to(explorer, screen,
            (screen->panes.focus == PANE_CRITERIA ? screen->format : screen->cursor) + step);
}

/* Make the map again, which its functions need. False if there is none, or if another pane has the focus. */
static bool on_map(const struct explorer *explorer, struct advice_screen *screen)
{
    return screen->panes.focus == PANE_MAP &&
           tune_chart_make(&screen->chart, tune_chart_newest(&explorer->session->shown->runs));
}

static void move(struct explorer *explorer, void *state, int step)
{
    struct advice_screen *screen = state;
    if (screen->panes.focus != PANE_MAP)
        move_by(explorer, screen, step);
    else if (on_map(explorer, screen))
        tune_chart_move(&screen->chart, 0, step);
}

static void turn_page(struct explorer *explorer, void *state, int direction)
{
    struct advice_screen *screen = state;
    if (screen->panes.focus != PANE_MAP)
        move_by(explorer, screen, direction * (screen->rows > 1 ? screen->rows : 1));
    else if (on_map(explorer, screen))
        tune_chart_turn(&screen->chart, tune_chart_newest(&explorer->session->shown->runs), direction);
}

static void go_to_end(struct explorer *explorer, void *state, int last)
{
    move_to(explorer, state, last ? INT_MAX : 0);
}

static void move_across(struct explorer *explorer, void *state, int step)
{
    struct advice_screen *screen = state;
    if (on_map(explorer, screen)) tune_chart_move(&screen->chart, step, 0);
    if (screen->panes.focus == PANE_CRITERIA)
        screen->criterion = clip_index(screen->criterion + step, CRITERIA);
}

static void show_place(struct advice_screen *screen, int place)
{
    screen->chosen = true;
    if ((int)screen->place == place) return;
    screen->place = (enum advice_place)place;
    screen->cursor = screen->top = 0;
}

static void next_machine(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    int place = (int)screen->place;
    for (int k = 1; k < ADVICE_PLACES; k++) {
        place = (place + 1) % ADVICE_PLACES;
        if (!screen->advices.items[place].there) continue;
        show_place(screen, place);
        return;
    }
    explorer_say(explorer, "there is advice for no other machine yet");
}

static void change_precision(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    struct error error = {0};
    char text[sizeof explorer->message];
    screen->precision = screen->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    screen->made = false;
    screen->cursor = screen->top = 0;
    if (conversions_want_all(&explorer->session->shown->conversions, screen->precision, &error) != STATUS_OK)
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
}

static void change_each(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    screen->each = !screen->each;
    panes_show(explorer, screen, PANE_EVEN);
}

/* Go to the kernel under the cursor on Kernels, or to the format of the criteria on Layouts. */
static void go_in(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    const struct advice_candidate *candidate = advice_candidate_shown(screen);
    if (screen->panes.focus == PANE_CRITERIA) {
        explorer->chosen = advice_criteria_choice(explorer, screen, screen->format);
        explorer_show(explorer, &view_layouts);
        return;
    }
    const struct run *run = tune_chart_newest(&explorer->session->shown->runs);
    const struct result *variant = on_map(explorer, screen) ? tune_chart_result(&screen->chart) : NULL;
    if (variant) {
        explorer->asked = variant->choice;
        explorer->asked_in = &run->results;
        explorer_show(explorer, &view_kernels);
        return;
    }
    if (!candidate) {
        explorer_say(explorer, "no kernel's time is known yet");
        return;
    }
    explorer->asked = candidate->result->choice;
    explorer->asked_in = candidate->results;
    explorer_show(explorer, &view_kernels);
}

const struct action advice_actions[] = {
    {.keys = {' ', ']'},
     .run = panes_step,
     .argument = 1,
     .name = "switch pane",
     .help = "the next pane, the one before"},
    {.keys = {'['}, .run = panes_step, .argument = -1},
    {.keys = {UIKEY_UP, 'k'},
     .run = move,
     .argument = -1,
     .name = "select",
     .help = "select a kernel, or a format among the criteria"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move, .argument = 1},
    {.keys = {UIKEY_ENTER},
     .run = go_in,
     .name = "open",
     .help = "the kernel on Kernels; of the criteria, the format on Layouts"},
    {.keys = {'m'},
     .run = next_machine,
     .name = "change machine",
     .help = "advice for the processor, for the GPU, or for the other GPU that was measured"},
    {.keys = {'f'}, .run = change_precision, .name = "set precision", .help = "double or single precision"},
    {.keys = {'w'},
     .run = panes_show,
     .argument = PANE_WHY,
     .help = "why, and what to take for how many products"},
    {.keys = {'b'},
     .run = panes_show,
     .argument = PANE_TIMES,
     .help = "bars: the forecast time of each kernel with its 80% interval, and the measured one, with the "
             "error"},
    {.keys = {'B'},
     .run = panes_show,
     .argument = PANE_EVEN,
     .help = "break-even: the time with conversion and upload over the number of products"},
    {.keys = {'v'}, .run = change_each, .help = "turn between the time of all products and of each"},
    {.keys = {'i'},
     .run = panes_show,
     .argument = PANE_ROOFLINE,
     .help = "roofline: the speed of each kernel below what the memory allows"},
    {.keys = {'u'},
     .run = panes_show,
     .argument = PANE_MAP,
     .help = "tuning: the times of a kernel's variants over two parameters"},
    {.keys = {'c'},
     .run = panes_show,
     .argument = PANE_CRITERIA,
     .help = "criteria: five numbers of each format"},
    {.keys = {UIKEY_LEFT, 'h'},
     .run = move_across,
     .argument = -1,
     .help = "another criterion, which is explained; along the map"},
    {.keys = {UIKEY_RIGHT, 'l'}, .run = move_across, .argument = 1},
    {.keys = {'z'}, .run = advice_calibrate, .help = "calibrate: measure the processor, completely"},
    {.keys = {'a'}, .run = panes_change_one, .help = "one pane, or as many as there is room for"},
    {.keys = {UIKEY_PAGE_UP},
     .run = turn_page,
     .argument = -1,
     .help = "a page up, a page down; another map"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = turn_page, .argument = 1},
    {.keys = {UIKEY_HOME}, .run = go_to_end, .argument = false, .help = "the first, the last"},
    {.keys = {UIKEY_END}, .run = go_to_end, .argument = true},
    {.run = NULL},
};

/* The mouse */

static bool on_piece(struct piece piece, int x)
{
    return x >= piece.x && x < piece.x + piece.wide;
}

static void click(const struct explorer *explorer, struct advice_screen *screen, const struct mouse *mouse)
{
    for (int p = 0; p < ADVICE_PLACES; p++)
        if (mouse->y == screen->machines_y && on_piece(screen->machines[p], mouse->x)) show_place(screen, p);
    int pane = panes_click(&screen->panes, mouse->y, mouse->x);
    if (pane < 0) return;
    int line = mouse->y - screen->panes.at[pane].top;
    if (line < ADVICE_LINES && screen->items[pane][line] >= 0)
        move_to(explorer, screen, screen->items[pane][line]);
}

static void mouse_advice(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN)
        move(explorer, state, mouse->kind == MOUSE_WHEEL_UP ? -1 : 1);
    else if (mouse->kind == MOUSE_PRESS)
        click(explorer, state, mouse);
}

static const struct figure *figure_advice(struct explorer *explorer, void *state,
                                          struct figure_subject *subject)
{
    const struct advice_screen *screen = state;
    if (screen->panes.focus == PANE_EVEN) return figure_find("break-even");
    return screen->panes.focus == PANE_ROOFLINE ? figure_find("roofline") : NULL;
}

const struct view view_advice = {
    .title = "Advice",
    .help =
        "Which format and kernel to take for this matrix, on this processor and on a GPU: from kernels that "
        "were timed, and from forecasts of those that were not, which are marked ~. On top are the machines "
        "and the verdict. The panes below say why, how far the forecasts are off, from how many products on "
        "a conversion pays, how near the memory's limit each kernel is, and how each format does by five "
        "criteria. > marks what is best, = what nothing shows to be slower. Forecasts are made in the "
        "background; what is run on Kernels counts at once.",
    .actions = advice_actions,
    .gesture = {"click, wheel", "choose a machine, a pane, or a line of it; move through the kernels"},
    .needs = SESSION_MATRIX,
    .open = open_advice,
    .draw = draw_advice,
    .figure = figure_advice,
    .update = update_advice,
    .mouse = mouse_advice,
    .close = close_advice,
};
