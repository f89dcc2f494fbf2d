/* The Advice screen: the sections of its page, its keys and the mouse. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "report/figures/figure.h"
#include "ui/advice/screen.h"
#include "ui/everywhere.h"

#define WHEEL 3 /* lines that the wheel scrolls */

const struct section advice_sections[SECTIONS] = {
    [SECTION_WHY] = {.key = 'w',
                     .title = "Why",
                     .caption = "forecast times, divided into the terms of the model; ? has their sources",
                     .draw = advice_draw_why},
    [SECTION_CHANGE] = {.title = "Changes that matter", .draw = advice_draw_change},
    [SECTION_ORDERS] = {.key = 'o',
                        .title = "Orders",
                        .caption = "their effect on the best kernel",
                        .draw = advice_draw_orders},
    [SECTION_RANGE] = {.title = "Best kernel by number of products", .draw = advice_draw_range},
    [SECTION_TIMES] = {.key = 'b', .title = "Times", .draw = advice_draw_times},
    [SECTION_EVEN] = {.key = 'B', .title = "Break-even", .draw = advice_draw_even},
    [SECTION_ROOFLINE] = {.key = 'i', .title = "Roofline", .draw = advice_draw_roofline},
    [SECTION_SOLVES] = {.key = 's',
                        .title = "Solves",
                        .caption = "Krylov methods with preconditioners",
                        .alone = true,
                        .draw = advice_draw_solves},
    [SECTION_TRISOLVES] = {.key = 't',
                           .title = "Triangles",
                           .caption = "solves with both, and the smoother of HPCG",
                           .alone = true,
                           .draw = advice_draw_trisolves},
    [SECTION_SPGEMM] = {.key = 'G',
                        .title = "SpGEMM",
                        .caption = "sparse products of the matrix with itself, without forming them",
                        .alone = true,
                        .draw = advice_draw_spgemm},
    [SECTION_ROUNDING] = {.key = 'p',
                          .title = "Precisions",
                          .caption = "bytes of each type of numbers, and the error of y = A x with it",
                          .alone = true,
                          .draw = advice_draw_rounding},
    [SECTION_CRITERIA] = {.key = 'c', .title = "Criteria", .alone = true, .draw = advice_draw_criteria},
    [SECTION_MAP] = {.key = 'u', .title = "Tuning", .alone = true, .draw = advice_draw_map},
};

static void *open_advice(struct explorer *explorer, struct error *error)
{
    struct advice_screen *screen = memory_zeroed(1, sizeof *screen, error);
    if (screen) screen->term = -1;
    return screen;
}

static void close_advice(void *state)
{
    struct advice_screen *screen = state;
    advices_free(&screen->advices);
    solving_free(&screen->solves.solving);
    trisolves_free(&screen->trisolves.trisolves);
    foresight_again_free(&screen->foretelling.again);
    surface_free(&screen->page.surface);
    free(screen);
}

/* In another order the same machine, precision and section are shown. */
static void adopt_advice(struct explorer *explorer, void *state, const void *before)
{
    struct advice_screen *screen = state;
    const struct advice_screen *other = before;
    if (screen->precision != other->precision) {
        screen->made = false;
        conversions_want_all(&explorer->session->shown->conversions, other->precision, NULL);
    }
    screen->precision = other->precision;
    screen->chosen = other->chosen;
    screen->place = other->place;
    screen->each = other->each;
    screen->one = other->one;
    screen->focus = other->focus;
    screen->term = other->term;
    screen->criterion = other->criterion;
    screen->page.top = other->page.top;
    screen->page.show = other->focus != SECTION_WHY;
}

/* Drawing */

/* Record the shown advice, for the table of orders. */
static void publish(struct explorer *explorer, struct advice_screen *screen)
{
    explorer->advised_place = screen->place;
    explorer->advised_precision = screen->precision;
    if (explorer->session->case_count > 1) order_table_find(explorer, &screen->orders);
}

static void draw_advice(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct advice_screen *screen = state;
    const struct rect machines = {area.top, area.left, 1, area.wide},
                      contents = {area.top + 1, area.left, 1, area.wide};
    if (area.high < 12 || area.wide < 60) return;
    advice_refresh(explorer, screen);
    publish(explorer, screen);
    advice_draw_machines(explorer, screen, surface, machines);
    advice_draw_page(explorer, screen, surface,
                     (struct rect){area.top + 2, area.left, area.high - 2, area.wide});
    advice_draw_contents(explorer, screen, surface, contents);
}

static bool update_advice(struct explorer *explorer, void *state)
{
    advice_refresh(explorer, state);
    return true;
}

/* Keys */

/* Make the map again, because its functions need it. False if there is no map, or if another section has the
 * cursor. */
static bool on_map(const struct explorer *explorer, struct advice_screen *screen)
{
    return screen->focus == SECTION_MAP &&
           tune_chart_make(&screen->chart, tune_chart_newest(&explorer->session->shown->runs));
}

static void move(struct explorer *explorer, void *state, int step)
{
    struct advice_screen *screen = state;
    const int before = screen->chart.y;
    if (on_map(explorer, screen)) {
        tune_chart_move(&screen->chart, 0, step);
        if (screen->chart.y != before) return;
    }
    advice_page_move(explorer, screen, step);
}

static void scroll(struct explorer *explorer, void *state, int step)
{
    struct advice_screen *screen = state;
    if (abs(step) == MOVE_PAGE && on_map(explorer, screen))
        tune_chart_turn(&screen->chart, tune_chart_newest(&explorer->session->shown->runs), step / MOVE_PAGE);
    else
        advice_page_scroll(explorer, screen, moved_by(step, screen->page.window.high - 1));
}

static void move_across(struct explorer *explorer, void *state, int step)
{
    struct advice_screen *screen = state;
    if (on_map(explorer, screen))
        tune_chart_move(&screen->chart, step, 0);
    else if (screen->focus == SECTION_CRITERIA)
        screen->criterion = clip_index(screen->criterion + step, CRITERIA);
    else if (screen->focus == SECTION_WHY)
        advice_step_term(screen, step);
}

static void show_section(struct explorer *explorer, void *state, int section)
{
    char key[KEY_TEXT];
    if (section == SECTION_ORDERS && explorer->session->case_count < 2)
        explorer_say(explorer, "The matrix is in one order. %s makes others.",
                     everywhere_key(DEMAND_ORDERS, key));
    else
        advice_page_show(state, (enum advice_section)section);
}

static void step_section(struct explorer *explorer, void *state, int step)
{
    struct advice_screen *screen = state;
    int section = (int)screen->focus;
    do
        section = (section + step + SECTIONS) % SECTIONS;
    while (!advice_sections[section].key ||
           !advice_has_section(explorer, screen, (enum advice_section)section));
    advice_page_show(screen, (enum advice_section)section);
}

static void change_one(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    screen->one = !screen->one;
    screen->page.follow = true;
    screen->page.show = false;
}

static void show_place(struct advice_screen *screen, int place)
{
    screen->chosen = true;
    if ((int)screen->place == place) return;
    screen->place = (enum advice_place)place;
    screen->cursor = screen->bar = 0;
    screen->term = -1;
    advice_find_bars(screen);
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
    explorer_say(explorer, "there is no advice for another machine yet");
}

static void change_precision(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    struct error error = {0};
    screen->precision = screen->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    screen->made = false;
    screen->cursor = screen->bar = 0;
    if (conversions_want_all(&explorer->session->shown->conversions, screen->precision, &error) != STATUS_OK)
        explorer_say_error(explorer, &error);
}

static void change_each(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    screen->each = !screen->each;
    advice_page_show(screen, SECTION_EVEN);
}

/* Go to the kernel under the cursor on Kernels, or to the format of the criteria on Layouts. */
static void go_in(struct explorer *explorer, void *state, int unused)
{
    struct advice_screen *screen = state;
    const struct advice_candidate *candidate = advice_candidate_shown(screen);
    if (screen->focus == SECTION_CRITERIA) {
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
        explorer_say(explorer, "no kernel is timed or forecast yet");
        return;
    }
    explorer->asked = candidate->result->choice;
    explorer->asked_in = candidate->results;
    explorer_show(explorer, &view_kernels);
}

static enum use use_of_terms(const struct explorer *explorer, const void *state, int unused)
{
    const struct advice_screen *screen = state;
    const struct runs *runs = &explorer->session->shown->runs;
    const bool chooses = screen->focus == SECTION_WHY   ? advice_has_terms(screen)
                         : screen->focus == SECTION_MAP ? tune_chart_newest(runs) != NULL
                                                        : screen->focus == SECTION_CRITERIA;
    return chooses ? USE_SOME : USE_NONE;
}

static enum use use_of_opening(const struct explorer *explorer, const void *state, int unused)
{
    const struct advice_screen *screen = state;
    return advice_shown(screen) || screen->focus == SECTION_CRITERIA ? USE_SOME : USE_NONE;
}

static enum use use_of_machines(const struct explorer *explorer, const void *state, int unused)
{
    const struct advice_screen *screen = state;
    int count = 0;
    for (int p = 0; p < ADVICE_PLACES; p++)
        count += screen->advices.items[p].there;
    return count > 1 ? USE_SOME : USE_NONE;
}

const struct action advice_actions[] = {
    {.keys = {UIKEY_UP, 'k'},
     .run = move,
     .argument = -1,
     .name = "scroll",
     .help = "the previous or next kernel or format; the page scrolls along"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move, .argument = 1},
    {.keys = {UIKEY_LEFT, 'h'},
     .run = move_across,
     .argument = -1,
     .name = "choose term",
     .help = "choose a term of the bars or a criterion, which is explained; move along the map",
     .use = use_of_terms},
    {.keys = {UIKEY_RIGHT, 'l'}, .run = move_across, .argument = 1},
    {.keys = {' ', ']'},
     .run = step_section,
     .argument = 1,
     .name = "switch section",
     .help = "the next section, the one before"},
    {.keys = {'['}, .run = step_section, .argument = -1},
    {.keys = {UIKEY_ENTER},
     .run = go_in,
     .name = "open",
     .help = "the kernel on Kernels; of the criteria, the format on Layouts",
     .use = use_of_opening},
    {.keys = {'m'},
     .run = next_machine,
     .name = "change machine",
     .help = "advice for the processor, ranks, the GPU, or the other GPU that was measured",
     .use = use_of_machines},
    {.keys = {'f'}, .run = change_precision, .name = "set precision", .help = "double or single precision"},
    {.keys = {'w'},
     .run = show_section,
     .argument = SECTION_WHY,
     .help = "why: times as bars, divided into the terms of the forecast"},
    {.keys = {'o'},
     .run = show_section,
     .argument = SECTION_ORDERS,
     .help = "the effect of each order of rows and columns"},
    {.keys = {'b'},
     .run = show_section,
     .argument = SECTION_TIMES,
     .help = "forecast time of each kernel with its 80% interval, measured time, error"},
    {.keys = {'B'},
     .run = show_section,
     .argument = SECTION_EVEN,
     .help = "break-even: time with conversion and upload by number of products"},
    {.keys = {'v'}, .run = change_each, .help = "break-even by time of all products, or of each"},
    {.keys = {'i'},
     .run = show_section,
     .argument = SECTION_ROOFLINE,
     .help = "roofline: speed of each kernel and the limits of the memory and the caches"},
    {.keys = {'u'},
     .run = show_section,
     .argument = SECTION_MAP,
     .help = "tuning: times of a kernel's variants by two parameters"},
    {.keys = {'s'},
     .run = show_section,
     .argument = SECTION_SOLVES,
     .help = "solves: residuals and times of Krylov methods, and the best kernel for them"},
    {.keys = {'r'}, .run = advice_solve, .name = "solve", .help = "solve A x = b by CG, BiCGSTAB and GMRES"},
    {.keys = {'t'},
     .run = show_section,
     .argument = SECTION_TRISOLVES,
     .help = "triangular solves: times of each kernel, also of symmetric Gauss-Seidel steps"},
    {.keys = {'T'},
     .run = advice_time_trisolves,
     .name = "run solves",
     .help = "time solves with both triangles, and symmetric Gauss-Seidel steps"},
    {.keys = {'G'},
     .run = advice_analyse,
     .argument = SECTION_SPGEMM,
     .help = "sparse products A A, A^T A, A A^T: entries, multiplications and accumulators"},
    {.keys = {'p'},
     .run = advice_analyse,
     .argument = SECTION_ROUNDING,
     .help = "precisions: bytes and errors of products for each type of numbers"},
    {.keys = {'c'},
     .run = show_section,
     .argument = SECTION_CRITERIA,
     .help = "criteria: five numbers of each format"},
    {.keys = {'z'}, .run = advice_calibrate, .help = "calibrate: measure the processor completely"},
    {.keys = {'a'}, .run = change_one, .help = "one section, or the whole page"},
    {.keys = {UIKEY_PAGE_UP},
     .run = scroll,
     .argument = -MOVE_PAGE,
     .help = "a page up, a page down; another map"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = scroll, .argument = MOVE_PAGE},
    {.keys = {UIKEY_HOME}, .run = scroll, .argument = -MOVE_END, .help = "the first line, the last"},
    {.keys = {UIKEY_END}, .run = scroll, .argument = MOVE_END},
    {.run = NULL},
};

/* The mouse */

static bool on_piece(struct piece piece, int x)
{
    return x >= piece.x && x < piece.x + piece.wide;
}

static void click(struct advice_screen *screen, const struct mouse *mouse)
{
    for (int p = 0; p < ADVICE_PLACES; p++)
        if (mouse->y == screen->machines_y && on_piece(screen->machines[p], mouse->x)) show_place(screen, p);
    for (int k = 0; k < SECTIONS; k++)
        if (mouse->y == screen->contents_y && on_piece(screen->contents[k], mouse->x))
            advice_page_show(screen, (enum advice_section)k);
    advice_page_click(screen, mouse->y, mouse->x);
}

static void mouse_advice(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN)
        advice_page_scroll(explorer, state, mouse->kind == MOUSE_WHEEL_UP ? -WHEEL : WHEEL);
    else if (mouse->kind == MOUSE_PRESS)
        click(state, mouse);
}

static const struct figure *figure_advice(struct explorer *explorer, void *state,
                                          struct figure_subject *subject)
{
    const struct advice_screen *screen = state;
    if (screen->focus == SECTION_EVEN) return figure_find("break-even");
    if (screen->focus == SECTION_SOLVES && explorer->session->shown->solving.count > 0)
        return figure_find("solve");
    if (screen->focus == SECTION_ROUNDING && explorer->session->shown->precisions.values > 0)
        return figure_find("rounding");
    if (screen->focus == SECTION_SPGEMM && case_has(explorer->session->shown, SESSION_SPGEMM))
        return figure_find("spgemm");
    if (screen->focus == SECTION_TRISOLVES) return figure_find("levels");
    return screen->focus == SECTION_ROOFLINE ? figure_find("roofline") : NULL;
}

/* True if the cursor is in the section that a lesson names by its key. */
static bool advice_holds(struct explorer *explorer, void *state, const char *word, const char *value)
{
    const struct advice_screen *screen = state;
    return strcmp(word, "section") == 0 && advice_sections[screen->focus].key == value[0] && !value[1];
}

const struct view view_advice = {
    .title = "Advice",
    .question = "Which kernel, and why?",
    .help =
        "The recommended format and kernel for this matrix, on this processor and on a GPU, as a page. Timed "
        "kernels are compared by their times, others by forecasts, marked ~. The verdict comes first. The "
        "bars below it divide the forecast times of the kernels that matter into the terms of the model. "
        "The changes that matter follow, then the number of products after which a conversion pays off, "
        "and details: all times, the roofline, five criteria of each format. > marks the best "
        "kernel, = kernels tied with it. Forecasts are made in the background. Kernels that are run on "
        "Kernels count at once.",
    .actions = advice_actions,
    .gesture = {"click, wheel", "choose a machine, a section or a line; scroll"},
    .needs = SESSION_MATRIX,
    .open = open_advice,
    .draw = draw_advice,
    .figure = figure_advice,
    .update = update_advice,
    .mouse = mouse_advice,
    .define = advice_define,
    .adopt = adopt_advice,
    .holds = advice_holds,
    .close = close_advice,
};
