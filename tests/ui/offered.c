/* The footers of all screens, in every state that is reached by walking over the keys of a screen: a key that
 * is offered changes something, and a key that is left out as useless changes nothing on the screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/kernels_screen.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"

/* A state that keys can change: everything drawn, and the requests and positions of the explorer. */
struct seen {
    struct cell *cells;
    size_t bytes;
    struct explorer explorer;
    bool list;
};

static struct seen see(const struct stage *stage)
{
    struct seen seen = {.bytes =
                            (size_t)stage->surface.high * (size_t)stage->surface.wide * sizeof(struct cell),
                        .explorer = stage->explorer,
                        .list = view_list(stage->view, stage->state) != NULL};
    seen.cells = malloc(seen.bytes);
    assert_non_null(seen.cells);
    memcpy(seen.cells, stage->surface.cells, seen.bytes);
    return seen;
}

static bool drawn_alike(const struct stage *stage, const struct seen *before)
{
    return memcmp(before->cells, stage->surface.cells, before->bytes) == 0;
}

static bool asks_alike(const struct explorer *a, const struct explorer *b)
{
    return a->cursor.row == b->cursor.row && a->cursor.col == b->cursor.col && a->view == b->view &&
           a->demand == b->demand && a->question.asked == b->question.asked && a->errand == b->errand &&
           a->chosen.format == b->chosen.format && a->asked.kernel == b->asked.kernel &&
           a->settings == b->settings && a->tick_ms == b->tick_ms && a->moving == b->moving &&
           memcmp(&a->shown, &b->shown, sizeof a->shown) == 0 && a->aimed == b->aimed &&
           a->owners_asked == b->owners_asked;
}

/* Close the lists that a key has opened, and drop its requests, so that the next key is pressed on the same
 * screen. */
static void settle(struct stage *stage)
{
    for (int k = 0; k < 3 && view_list(stage->view, stage->state); k++)
        stage_keys(stage, (int[]){UIKEY_ESCAPE}, 1);
    assert_null(view_list(stage->view, stage->state));
    stage->explorer.question.asked = false;
    stage->explorer.demand = DEMAND_NONE;
    stage->explorer.message[0] = 0;
    stage->explorer.tick_ms = 0;
    stage->explorer.moving = false;
    stage->explorer.chosen.format = NULL;
    stage->explorer.asked.kernel = NULL;
    for (int k = 0; views[k]; k++)
        if (views[k] == stage->view) stage->explorer.view = k;
    stage_draw(stage);
}

/* Press one key. Return whether it changed anything. *same: the picture is unchanged. */
static bool press(struct stage *stage, int key, bool *same)
{
    const struct seen before = see(stage);
    stage->explorer.tick_ms = 0;
    stage->explorer.moving = false;
    stage_keys(stage, &key, 1);
    *same = drawn_alike(stage, &before) && view_list(stage->view, stage->state) == NULL;
    const bool changed = !*same || !asks_alike(&before.explorer, &stage->explorer) ||
                         strcmp(before.explorer.message, stage->explorer.message) != 0;
    free(before.cells);
    if (stage->view == &view_warps && key == ' ') stage_keys(stage, &key, 1); /* stop playing */
    settle(stage);
    return changed;
}

/* Keys that have an effect although they are not offered: diagrams without data, hidden panes, arrays that
 * are not converted yet. */
static const struct {
    const struct view *view;
    const int keys[8];
} works_all_the_same[] = {{&view_kernels, {'u', 'v', 'i', 'b', ' ', 'c'}},
                          {&view_layouts, {'[', ']'}},
                          {&view_warps, {'m', ' '}},
                          {&view_parts, {'m'}},
                          {&view_rows, {UIKEY_ENTER}}};

static bool may_change(const struct view *view, int key)
{
    for (size_t k = 0; k < sizeof works_all_the_same / sizeof *works_all_the_same; k++)
        for (const int *at = works_all_the_same[k].keys; works_all_the_same[k].view == view && *at; at++)
            if (*at == key) return true;
    return false;
}

/* Keys that run kernels, or measure the processor: they take long. */
static bool is_run(const struct view *view, int key)
{
    const char *keys = view == &view_kernels ? "rRtaV" : view == &view_advice ? "z" : "";
    return key < 0x7f && strchr(keys, key);
}

/* The background work that is done between two keys. */
enum done { WAITING, WORKING };

static void background(struct stage *stage)
{
    const struct conversions_shown *shown = &stage->explorer.shown;
    for (int k = 0; k < shown->count; k++) {
        struct conversion *item = shown->items[k];
        if (!item->declined) (item->keep ? conversion_build : conversion_plan)(item, 0, NULL, NULL);
    }
    stage_draw(stage);
    for (int k = 0; k < 4 && stage->explorer.errand && stage->explorer.errand->state == ERRAND_WANTED; k++)
        stage_work(stage);
}

/* Press a key twice, and count the changes of the picture. A line on the machine's load may change once by
 * itself. */
static int changes_of(struct stage *stage, int key, enum done done, bool *changed)
{
    int count = 0;
    for (int k = 0; k < 2; k++) {
        bool same;
        if (press(stage, key, &same)) *changed = true;
        count += !same;
        if (done == WORKING) background(stage);
    }
    return count;
}

/* Compare the reported use of each line of keys with the effects of its keys. Each key is pressed twice,
 * since the first press may choose something that is shown as chosen already. */
static void check_offers(struct stage *stage, const char *where, enum done done)
{
    for (const struct action *at = stage->view->actions; at->run; at += action_count(at)) {
        if (!at->use || is_run(stage->view, at->keys[0])) continue;
        const enum use use = at->use(&stage->explorer, stage->state, at->argument);
        char keys[KEYS_TEXT];
        bool changed = false;
        for (int k = 0; k < action_count(at) && !changed; k++) {
            const int key = at[k].keys[0];
            if (use == USE_NONE && may_change(stage->view, key)) continue;
            if (changes_of(stage, key, done, &changed) == 2 && use == USE_NONE)
                fail_msg("%s, %s: '%s' is not offered and changes\n%s", stage->view->title, where,
                         action_keys(at, keys), stage_dump(stage));
        }
        if (use != USE_NONE && !changed)
            fail_msg("%s, %s: '%s' is offered and changes nothing of\n%s", stage->view->title, where,
                     action_keys(at, keys), stage_dump(stage));
    }
}

/* An ordinary matrix, one without entries, and a row. */
#define MATRICES 3
static struct csr matrix_of(int kind)
{
    static const double row[12] = {1, 0, 2, 3, 0, 4, 5, 0, 0, 6, 7, 8};
    switch (kind) {
    case 0:
        return support_matrix(60, 50, 0.2, true, false, 5);
    case 1:
        return support_dense(3, 3, (double[9]){0});
    default:
        return support_dense(1, 12, row);
    }
}

/* Runs with two numbers of threads, and with two variants of a tuned kernel. */
static void add_run(struct stage *stage)
{
    static const struct outcome outcomes[] = {{"cpu/csr-omp", 2, 4e-4, 0},
                                              {"cpu/csr-omp", 4, 2e-4, 0},
                                              {"cpu/ell-omp:layout=rows", 2, 2e-4, 0},
                                              {"cpu/ell-omp:layout=transposed", 2, 1e-4, 0},
                                              {NULL, 0, 0, 0}};
    struct run *run = stage_run(stage, outcomes, PRECISION_F64, "a run");
    run->results.items[2].tuned.space = run->results.items[3].tuned.space = 2;
}

/* One screen, one matrix, one size. */
struct walk {
    const struct view *view;
    int matrix, wide;
    enum done done;
    int runs;
};

static void walk(struct walk walk)
{
    char where[120], key[KEY_TEXT];
    FREED(stage_close) struct stage stage;
    stage_open(&stage, walk.view, matrix_of(walk.matrix), FIELD_REAL, walk.wide < 100 ? 20 : 50, walk.wide);
    for (int k = 0; k < walk.runs; k++)
        add_run(&stage);
    settle(&stage);
    if (walk.done == WORKING) background(&stage);
    check_offers(&stage, "at first", walk.done);
    for (const struct action *at = walk.view->actions; at->run; at++) {
        bool same;
        if (is_run(walk.view, at->keys[0])) continue;
        press(&stage, at->keys[0], &same);
        if (walk.done == WORKING) background(&stage);
        snprintf(where, sizeof where, "matrix %d, %d runs, %d columns, %s, after %s", walk.matrix, walk.runs,
                 walk.wide, walk.done == WORKING ? "done" : "waiting", key_text(at->keys[0], key));
        check_offers(&stage, where, walk.done);
    }
}

TEST(keys_do_what_footers_offer)
{
    for (int v = 0; views[v]; v++) {
        for (int matrix = 0; matrix < MATRICES; matrix++)
            walk((struct walk){views[v], matrix, 80, WORKING, 0});
        walk((struct walk){views[v], 0, 80, WAITING, 0});
        if (views[v] == &view_layouts || views[v] == &view_warps || views[v] == &view_rows)
            walk((struct walk){views[v], 0, 160, WORKING, 0});
    }
}

TEST(keys_do_what_footers_offer_beside_runs)
{
    for (int runs = 1; runs < 3; runs++) {
        walk((struct walk){&view_kernels, 0, 80, WAITING, runs});
        walk((struct walk){&view_advice, 0, 80, WAITING, runs});
    }
}
