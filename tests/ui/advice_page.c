/* The page of Advice: the visible part, the bars and their numbers, reading with keys, definitions,
 * orders. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/figures/speeds.h"
#include "support/kernels_screen.h"
#include "support/support.h"
#include "support/unit.h"
#include "ui/advice/screen.h"
#include "ui/help.h"

#define LINES 60

static struct advice_screen *state_of(struct stage *stage)
{
    return stage->state;
}

/* A square matrix with rows of several lengths, whose kernels are forecast. */
static struct advice_screen *stage_page(struct stage *stage, int high, int wide)
{
    static double values[LINES * LINES];
    for (int i = 0; i < LINES; i++)
        for (int j = 0; j < LINES; j++)
            values[i * LINES + j] = i == j || (i * 7 + j * 11) % 13 == 0 || (i == 3 && j % 2 == 0);
    stage_open(stage, &view_advice, support_dense(LINES, LINES, values), FIELD_REAL, high, wide);
    stage->session.hasty = true;
    atomic_store(&stage->session.ready, SESSION_GPU);
    assert_int_equal(gpu_find("h200", &stage->session.gpu, NULL), STATUS_OK);
    stage_draw(stage);
    stage_work(stage);
    return stage->state;
}

/* Do all pending background work. */
static void work_all(struct stage *stage)
{
    for (int k = 0; k < 20 && stage->explorer.errand; k++) {
        stage->explorer.errand = NULL;
        stage_draw(stage);
        if (stage->explorer.errand && stage->explorer.errand->alone)
            stage->explorer.errand->state = ERRAND_FAILED; /* nothing is measured here */
        else if (stage->explorer.errand)
            stage_work(stage);
    }
}

/* In each machine's bars, the shares of the terms add up to the forecast of the candidate. */
TEST(bars_are_the_forecasts)
{
    FREED(stage_close) struct stage stage;
    stage_page(&stage, 37, 140);
    int machines = 0;
    for (int place = 0; place < ADVICE_PLACES; place++) {
        const struct advice *advice = &state_of(&stage)->advices.items[place];
        struct advice_bar bars[ADVICE_BARS];
        if (!advice->there) continue;
        machines++;
        const int count = advice_bars(advice, bars);
        assert_in_range(count, 2, ADVICE_BARS);
        assert_int_equal(bars[0].roles & ROLE_ADVISED, ROLE_ADVISED);
        assert_int_equal(bars[0].candidate, advice->best);
        unsigned roles = 0;
        for (int k = 0; k < count; k++) {
            double sum = bars[k].rest;
            assert_int_equal(roles & bars[k].roles, 0); /* each role has one bar */
            roles |= bars[k].roles;
            for (int b = 0; b < BOUNDS; b++) {
                assert_true(bars[k].share[b] >= 0);
                sum += bars[k].share[b];
            }
            assert_true(fabs(sum / bars[k].forecast - 1) < 1e-12);
            assert_true(fabs(bars[k].rest) < 1e-9 * bars[k].forecast);
            assert_true(bars[k].forecast == advice->candidates[bars[k].candidate].prediction->seconds);
        }
        assert_int_equal(!(roles & ROLE_CSR), advice->csr < 0);
        assert_int_equal(!(roles & ROLE_COMPARED), advice->why.rival < 0);
        assert_int_equal(!(roles & ROLE_LIBRARY), advice->library.kernel == NULL);
        for (int k = 0; k < count; k++)
            if (bars[k].roles & ROLE_CSR) assert_int_equal(bars[k].candidate, advice->csr);
    }
    assert_int_equal(machines, 2);
}

/* The term that is explained is highlighted, but not its swatch, whose colour says which part of a bar it is.
 */
TEST(swatches_keep_their_colours)
{
    FREED(stage_close) struct stage stage;
    int highlighted = 0;
    stage_page(&stage, 37, 140);
    stage.explorer.colours = true;
    stage_draw(&stage);
    for (int k = 0; k < stage.surface.high * stage.surface.wide; k++) {
        const struct cell *cell = &stage.surface.cells[k];
        highlighted += cell->background == COLOUR_BAR && cell->attributes & ATTRIBUTE_UNDERLINE;
        assert_false(cell->character == 0x2588 && cell->background == COLOUR_BAR);
    }
    assert_true(highlighted > 10);
}

/* In ASCII each term has as many of its characters in a bar as its share of the scale. */
TEST(parts_of_bars_are_as_long_as_their_terms)
{
    for (int colours = 0; colours < 2; colours++) {
        FREED(stage_close) struct stage stage;
        stage_page(&stage, 37, 140);
        stage.explorer.colours = colours;
        stage.explorer.ascii = !colours;
        struct advice_screen *screen = state_of(&stage);
        stage_draw(&stage);
        double longest = 0;
        for (int k = 0; k < screen->bar_count; k++)
            longest = fmax(longest, screen->bars[k].forecast);
        int wide = 0;
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < screen->bar_count; k++) {
                int drawn[BOUNDS] = {0}, all = 0;
                const int y = screen->page.spots[k].rect.top - screen->page.top + screen->page.window.top;
                assert_int_equal(screen->page.spots[k].section, SECTION_WHY);
                for (int b = 0; b < BOUNDS && !colours; b++)
                    for (int x = 40; x < 128; x++)
                        drawn[b] += stage.surface.cells[y * stage.surface.wide + x].character ==
                                    (unsigned char)bound_explained((enum bound)b, true)->fill;
                for (int b = 0; b < BOUNDS; b++)
                    all += drawn[b];
                if (all > wide) wide = all;
                for (int b = 0; b < BOUNDS && pass == 1 && !colours; b++)
                    assert_true(fabs(drawn[b] - screen->bars[k].share[b] / longest * wide) < 1.5);
            }
        if (!colours) assert_in_range(wide, 50, 100);
        /* With colours a wide part contains its name. */
        if (colours) stage_shows(&stage, " instructions ");
    }
}

/* The verdict and the bars are visible at first, on small terminals too. */
TEST(the_answer_needs_no_scrolling)
{
    static const int sizes[][2] = {{17, 72}, {21, 80}, {33, 120}, {37, 140}, {45, 160}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        FREED(stage_close) struct stage stage;
        const struct advice_screen *screen = stage_page(&stage, sizes[s][0], sizes[s][1]);
        stage_shows(&stage, "On this processor, take cpu/", "On the NVIDIA H200 SXM, take cu");
        for (int k = 0; k < screen->bar_count; k++) {
            assert_int_equal(screen->page.spots[k].section, SECTION_WHY);
            assert_true(screen->page.spots[k].rect.top < screen->page.window.high);
        }
        stage_shows(&stage, "instructions");
        assert_int_equal(stage.surface.cut, 0);
    }
}

/* Where sections stand in two columns, no more than two lines of either follow each other without text. */
TEST(a_wide_page_is_full)
{
    FREED(stage_close) struct stage stage;
    const struct advice_screen *screen = stage_page(&stage, 37, 140);
    assert_true(screen->page.high > screen->page.window.high);
    for (int half = 0; half < 2; half++)
        for (int y = 2, empty = 0; y < stage.surface.high; y++) {
            bool any = false;
            for (int x = half * 72; x < half * 72 + 68; x++)
                any = any || stage.surface.cells[y * stage.surface.wide + x].character != ' ';
            empty = any ? 0 : empty + 1;
            if (empty > 2) fail_msg("line %d of half %d is empty:\n%s", y, half, stage_dump(&stage));
        }
}

static bool is_on(const struct advice_screen *screen, const struct page_spot *spot)
{
    const int cursor = spot->section == SECTION_WHY        ? screen->bar
                       : spot->section == SECTION_CRITERIA ? screen->format
                                                           : screen->cursor;
    return screen->focus == spot->section && spot->item == cursor;
}

/* Down scrolls through the whole page: each line becomes visible, and the cursor visits each kernel. */
TEST(arrows_read_the_page)
{
    static const int wides[] = {72, 140};
    for (int w = 0; w < 2; w++) {
        struct stage stage;
        struct advice_screen *screen = stage_page(&stage, 17, wides[w]);
        const struct advice *advice = advice_shown(screen);
        bool seen[512] = {false}, chosen[256] = {false};
        int steps = 0;
        for (; steps < 600; steps++) {
            for (int y = 0; y < screen->page.window.high; y++)
                if (screen->page.top + y < 512) seen[screen->page.top + y] = true;
            if (screen->focus == SECTION_TIMES) chosen[screen->cursor] = true;
            const enum advice_section before = screen->focus;
            const int top = screen->page.top, cursor = screen->cursor, format = screen->format;
            stage_key(&stage, UIKEY_DOWN);
            /* Another line is chosen only if it is visible. */
            for (int k = 0; k < screen->page.spot_count && screen->focus != SECTION_EVEN; k++) {
                const struct page_spot *spot = &screen->page.spots[k];
                const bool moved = before != screen->focus || cursor != screen->cursor;
                if (!moved || !is_on(screen, spot)) continue;
                assert_in_range(spot->rect.top, screen->page.top,
                                screen->page.top + screen->page.window.high - spot->rect.high);
            }
            if (before == screen->focus && top == screen->page.top && cursor == screen->cursor &&
                format == screen->format && screen->bar + 1 >= screen->bar_count && top > 0 &&
                top == screen->page.high - screen->page.window.high)
                break;
        }
        assert_in_range(steps, 20, 599);
        for (int y = 0; y < screen->page.high; y++)
            if (!seen[y]) fail_msg("line %d was never in sight", y);
        for (int k = 0; k < advice->count; k++)
            if (!chosen[k]) fail_msg("%s was never chosen", advice->candidates[k].result->name);
        for (int k = 0; k < 600; k++)
            stage_key(&stage, UIKEY_UP);
        assert_int_equal(screen->page.top, 0);
        assert_int_equal(screen->focus, SECTION_WHY);
        assert_int_equal(screen->bar, 0);
        /* The wheel scrolls, and the cursor stays in sight. */
        stage_mouse(&stage, MOUSE_WHEEL_DOWN, 8, 8);
        assert_int_equal(screen->page.top, 3);
        stage_key(&stage, UIKEY_END);
        assert_int_equal(screen->page.top, screen->page.high - screen->page.window.high);
        assert_true(screen->focus != SECTION_WHY);
        stage_key(&stage, UIKEY_HOME);
        assert_int_equal(screen->page.top, 0);
        stage_close(&stage);
    }
}

/* A term is chosen, and the help defines it first and then the others, with their sources. */
TEST(the_help_defines_the_terms)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_page(&stage, 37, 140);
    struct definition definition;
    assert_true(view_advice.define(&stage.explorer, screen, 0, &definition));
    assert_string_equal(definition.title, bound_explained(screen->bars[0].prediction->bound, true)->label);
    stage_key(&stage, UIKEY_RIGHT);
    assert_int_equal(screen->term, BOUND_LAUNCH);
    stage_shows(&stage, "The time to wake all threads", "? has their sources");
    int count = 0, terms = 0;
    bool again = false;
    for (; view_advice.define(&stage.explorer, screen, count, &definition); count++) {
        assert_true(definition.text[0] && strstr(definition.source, "Counted: "));
        if (count > 0) again = again || strcmp(definition.title, "threads") == 0;
    }
    for (int b = 0; b < BOUNDS; b++)
        terms += advice_bars_have(screen->bars, screen->bar_count, (enum bound)b, 0.005);
    assert_int_equal(count, terms);
    assert_false(again);
    struct help help = {.open = true, .explorer = &stage.explorer, .state = screen};
    const struct help_section none[] = {{0}};
    surface_clear(&stage.surface);
    help_draw(&help, &stage.surface, (struct rect){0, 0, 37, 140}, true, &view_advice, none);
    stage_shows(&stage, "Under the cursor", "Counted: the parallel regions of the kernel.", "Definitions");
    /* On a kernel it is the term that bounds it, */
    stage_type(&stage, "b");
    const struct prediction *bounded = advice_candidate_shown(screen)->prediction;
    assert_true(view_advice.define(&stage.explorer, screen, 0, &definition));
    assert_string_equal(definition.title, bound_explained(bounded->bound, true)->label);
    /* and on the criteria it is these. */
    stage_type(&stage, "c");
    stage_key(&stage, UIKEY_RIGHT);
    for (count = 0; view_advice.define(&stage.explorer, screen, count, &definition); count++)
        if (count == 0) assert_string_equal(definition.title, "flexible");
    assert_int_equal(count, CRITERIA);
}

/* Every term of both machines has a label, a sentence, a source, and a character of its own. */
TEST(all_terms_are_explained)
{
    for (int processor = 0; processor < 2; processor++)
        for (int b = 0; b < BOUNDS; b++) {
            const struct bound_words *words = bound_explained((enum bound)b, processor);
            assert_true(words->label[0] && strlen(words->label) <= 14);
            assert_int_equal(words->help[strlen(words->help) - 1], '.');
            assert_int_equal(words->source[strlen(words->source) - 1], '.');
            for (int other = 0; other < b; other++)
                assert_int_not_equal(words->fill, bound_explained((enum bound)other, processor)->fill);
        }
}

/* With a second order the table is on the page, once the background has forecast both; its numbers are those
 * of the session. */
TEST(orders_are_compared_in_a_table)
{
    FREED(stage_close) struct stage stage;
    struct order_choice choice;
    char sentence[ORDER_SENTENCE], text[32];
    struct advice_screen *screen = stage_page(&stage, 45, 160);
    assert_int_equal(order_choice_read("rcm", &choice, NULL), STATUS_OK);
    assert_int_equal(session_reorder(&stage.session, &choice, NULL, NULL), STATUS_OK);
    order_choice_free(&choice);
    stage_draw(&stage);
    stage_shows(&stage, "rcm: not measured and not forecast yet.");
    work_all(&stage);
    assert_true(foresight_complete(&stage.session.cases[1].foresight[PRECISION_F64]));
    const struct order_effect *effect = &screen->orders.effects.items[1];
    assert_int_equal(screen->orders.effects.count, 2);
    assert_true(effect->there && !effect->measured);
    stage_type(&stage, "o");
    assert_int_equal(screen->focus, SECTION_ORDERS);
    stage_shows(&stage, "bandwidth", order_effect_say(effect, sentence));
    snprintf(text, sizeof text, "%lld", (long long)effect->profile);
    assert_true(effect->bandwidth > 0 && effect->bandwidth < LINES);
    stage_shows(&stage, effect->kernel);
    /* Names of kernels use spare columns, and names of orders are near their numbers. */
    snprintf(screen->orders.effects.items[1].kernel, sizeof effect->kernel, "cuda/sell:c=32,sigma=512,x=1");
    stage_draw(&stage);
    stage_shows(&stage, "cuda/sell:c=32,sigma=512,x=1 ");
    assert_in_range((stage_find(&stage, "kind  ") - stage.surface.cells) % stage.surface.wide, 15, 40);
    const struct advice *advice = advice_shown(screen);
    assert_true(screen->orders.effects.items[0].seconds == advice->candidates[0].seconds);
    assert_true(effect->times == effect->seconds / screen->orders.effects.items[0].seconds);
    /* The screen stays unchanged when the other order is shown. */
    stage_type(&stage, "mov");
    struct advice_screen *there = view_advice.open(&stage.explorer, NULL);
    assert_non_null(there);
    stage.session.shown = &stage.session.cases[1];
    view_advice.adopt(&stage.explorer, there, screen);
    view_advice.draw(&stage.explorer, there, &stage.surface, (struct rect){0, 0, 45, 160});
    assert_int_equal(there->place, ADVICE_GPU);
    assert_true(there->each);
    assert_int_equal(there->focus, SECTION_EVEN);
    view_advice.close(there);
    stage.session.shown = &stage.session.cases[0];
}

/* Data in the cache are limited by the nearest cache that holds them, others by the memory. */
TEST(the_ceiling_is_that_of_the_data)
{
    struct speeds speeds = {.roof_count = 1};
    const char *name;
    speeds.roofs[0].bandwidth = 10;
    speeds.roofs[0].cache_count = 2;
    speeds.roofs[0].caches[0].bandwidth = 100;
    speeds.roofs[0].caches[0].bytes = 1e5;
    strcpy(speeds.roofs[0].caches[0].name, "L1");
    speeds.roofs[0].caches[1].bandwidth = 50;
    speeds.roofs[0].caches[1].bytes = 1e6;
    strcpy(speeds.roofs[0].caches[1].name, "L2");
    const struct speed small = {.cached = true, .memory = 9e4}, larger = {.cached = true, .memory = 2e5},
                       large = {.cached = true, .memory = 2e6}, cold = {.memory = 9e4};
    assert_true(speeds_ceiling(&speeds, &small, &name) == 100 && strcmp(name, "L1") == 0);
    assert_true(speeds_ceiling(&speeds, &larger, &name) == 50 && strcmp(name, "L2") == 0);
    assert_true(speeds_ceiling(&speeds, &large, &name) == 10 && name[0] == 0);
    assert_true(speeds_ceiling(&speeds, &cold, &name) == 10 && name[0] == 0);
}

/* The roofline of the GPU has the caches of its profile, and names the bound of each kernel. */
TEST(the_roofline_knows_caches)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_page(&stage, 37, 140);
    struct speeds speeds;
    const struct advice *gpu = &screen->advices.items[ADVICE_GPU];
    const struct gpu_pace *pace = &stage.session.gpu.pace;
    speeds_of_advice(&stage.session, gpu, stage.explorer.product, true, &speeds);
    assert_int_equal(speeds.count, gpu->count);
    assert_int_equal(speeds.roof_count, 1);
    assert_true(speeds.roofs[0].bandwidth == pace->read);
    assert_int_equal(speeds.roofs[0].cache_count, 2);
    assert_true(speeds.roofs[0].caches[0].bandwidth == pace->l1);
    assert_true(speeds.roofs[0].caches[1].bandwidth == pace->l2);
    for (int k = 0; k < speeds.count; k++) {
        const struct prediction *prediction = gpu->candidates[speeds.items[k].item].prediction;
        assert_string_equal(speeds.items[k].bound, bound_explained(prediction->bound, false)->label);
    }
    stage_type(&stage, "mi");
    stage_shows(&stage, " L1\n", "memory\n", "bound by launch", "'s limit of ");
}

/* Without a second order the key says how to get one. */
TEST(one_order_has_no_table)
{
    FREED(stage_close) struct stage stage;
    stage_page(&stage, 37, 140);
    stage_type(&stage, "o");
    assert_says(stage.explorer.message, "The matrix is in one order. e makes others.");
    assert_int_equal(state_of(&stage)->focus, SECTION_WHY);
    stage_shows(&stage, "Only the natural order was compared. e makes others.",
                "Only f64 was compared. f changes it.", "with caches flushed before");
}

/* The best number of each criterion is marked, by a sign and by a colour. */
TEST(the_best_by_each_criterion_is_marked)
{
    FREED(stage_close) struct stage stage;
    stage_page(&stage, 30, 80);
    struct conversions *conversions = &stage.session.shown->conversions;
    assert_int_equal(conversions_want_all(conversions, PRECISION_F64, NULL), STATUS_OK);
    stage_type(&stage, "c");
    stage_shows(&stage, "...");
    for (int k = 0; k < atomic_load(&conversions->count); k++)
        atomic_store(&conversions->items[k]->state, CONVERSION_REFUSED); /* not even their sizes are known */
    stage_draw(&stage);
    stage_hides(&stage, "...");
    for (int k = 0; k < atomic_load(&conversions->count); k++) {
        struct conversion *item = conversions->items[k];
        bool coo = strcmp(item->choice.format->name, "coo") == 0;
        item->criteria = (struct criteria){coo ? 0.875 : 0.25, 0.5, 0.5, NAN, coo ? 0.125 : 0.75};
        atomic_store(&item->sized, true);
    }
    stage_draw(&stage);
    stage_shows(&stage, "*0.875");
    stage_hides(&stage, "*0.25", "*0.125");
    stage_shows(&stage, "*0.75");
    assert_int_equal(stage_find(&stage, "*0.75")->foreground, COLOUR_GOOD);
    stage_shows(&stage, "space: bytes of the entries' values");
    stage_key(&stage, UIKEY_RIGHT);
    stage_shows(&stage, "flexible: share of its bytes");
}

/* For each number of products the best kernel, its time, and how many are tied with it; the latter only where
 * names have room beside it. Ties are an aside: dim, and never bold. */
TEST(numbers_of_products_have_their_kernels_and_ties)
{
    static const int wides[] = {80, 50, 49, 40};
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_page(&stage, 37, 140);
    struct advice *advice = (struct advice *)advice_shown(screen);
    for (int k = 0; k < ADVICE_COUNTS; k++) {
        advice->at[k].ties = k;
        advice->at[k].best = k % advice->count;
        advice->at[k].seconds = 2e-6;
    }
    for (size_t w = 0; w < sizeof wides / sizeof *wides; w++) {
        const int wide = wides[w], name = wide - 1 - 12 - 9 - (wide >= 50 ? 10 : 0);
        const struct rect rect = {1, 0, ADVICE_COUNTS, wide};
        FREED(surface_free) struct surface surface = {0};
        FREED(text_free) struct text drawn = {0}, wanted = {0};
        assert_int_equal(surface_resize(&surface, ADVICE_COUNTS + 1, wide, NULL), STATUS_OK);
        surface_clear(&surface);
        stage.explorer.ascii = true;
        assert_int_equal(advice_draw_range(&stage.explorer, screen, &surface, rect), ADVICE_COUNTS);
        surface_dump(&surface, &drawn);
        const char *line = drawn.data;
        for (int k = 0, products = 1; k < ADVICE_COUNTS; k++, products *= 10) {
            static const char *const counts[] = {"1", "10", "100", "1,000", "10,000", "100,000", "1,000,000"};
            char ties[16] = "", cut[80];
            const char *full = advice->candidates[k % advice->count].result->name;
            snprintf(cut, sizeof cut, (int)strlen(full) > name ? "%.*s.." : "%.*s",
                     (int)strlen(full) > name ? name - 2 : name, full);
            if (k > 1) snprintf(ties, sizeof ties, "= %d tied", k);
            line = strchr(line, '\n') + 1;
            assert_int_equal(advice->at[k].products, products);
            text_append(&wanted, " %9s  %-*s%9s", counts[k], name, cut, "2.00 us");
            if (wide >= 50 && k > 1) text_append(&wanted, "%10s", ties);
            if (strncmp(line, wanted.data, wanted.length) != 0 || line[wanted.length] != '\n')
                fail_msg("%d columns:\n%s\nnot\n%s", wide, line, wanted.data);
            wanted.length = 0;
        }
        for (int k = 0; k < surface.high * wide; k++)
            assert_int_equal(surface.cells[k].attributes, 0);
    }
}

TESTS_BETWEEN(unit_without_cache, NULL)
