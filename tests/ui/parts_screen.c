/* The Parts screen, on chains whose partitions are known: of n rows in p runs, 2 (p - 1) elements are
 * exchanged in as many messages. */
#include <stdlib.h>
#include <string.h>

#include "drawing/shade.h"
#include "support/kernels_screen.h"
#include "support/support.h"
#include "support/unit.h"
#include "ui/parts/screen.h"

static struct parts_screen *stage_chain(struct stage *stage, int n, int high, int wide)
{
    double *dense = calloc((size_t)n * (size_t)n, sizeof *dense);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (abs(i - j) <= 1) dense[i * n + j] = 1;
    stage_open(stage, &view_parts, support_dense(n, n, dense), FIELD_REAL, high, wide);
    free(dense);
    return stage->state;
}

static struct parts_screen *state_of(struct stage *stage)
{
    return stage->state;
}

/* Do all remaining background work. */
static void finish(struct stage *stage)
{
    for (int k = 0; k < 400 && state_of(stage)->errand.state == ERRAND_WANTED; k++)
        stage_work(stage);
    assert_int_not_equal(state_of(stage)->errand.state, ERRAND_WANTED);
}

/* Type a partition, and find it. */
static void take(struct stage *stage, const char *text)
{
    stage_type(stage, "p");
    stage_answer(stage, text);
    stage_work(stage);
    stage_work(stage);
}

TEST(the_selected_partition_is_found_first)
{
    FREED(stage_close) struct stage stage;
    struct parts_screen *screen = stage_chain(&stage, 256, 17, 72);
    stage_shows(&stage, "8 parts (computing...)");
    int selected = screen->selected;
    stage_work(&stage);
    assert_true(screen->items[selected].done);
    stage_shows(&stage, "8 parts  volume");
    finish(&stage);
    for (int k = 0; k < screen->table.count; k++) {
        const struct distributed *row = &screen->table.items[k];
        assert_true(screen->items[k].done);
        if (row->status != STATUS_OK) fail_msg("%s: %s", row->name, row->refusal.message);
        if (row->partitioner->package || row->partitioner->entrywise) continue;
        assert_int_equal(row->halo.volume, 2 * (row->parts - 1));
        assert_int_equal(row->halo.messages, 2 * (row->parts - 1));
    }
}

TEST(partitions_are_typed)
{
    FREED(stage_close) struct stage stage;
    struct parts_screen *screen = stage_chain(&stage, 16, 17, 72);
    take(&stage, "natural 5");
    stage_shows(&stage, "natural, 5 parts  volume 8 elements  8 messages");
    take(&stage, "3");
    stage_shows(&stage, "natural, 3 parts  volume 4 elements  4 messages");
    take(&stage, " entries ");
    stage_shows(&stage, "entries, 3 parts  volume 4 elements");
    int count = screen->table.count;
    static const struct {
        const char *text, *said;
    } wrong[] = {{"entries 0", "a number of parts from 1"},
                 {"entries 7 8", "a number of parts from 1"},
                 {"99999999", "a number of parts from 1"},
                 {"entrees 4", "no partition is called"},
                 {"file 4", "needs a file"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        stage_type(&stage, "p");
        stage_answer(&stage, wrong[k].text);
        if (!strstr(stage.explorer.message, wrong[k].said)) fail_msg("%s", stage.explorer.message);
        assert_int_equal(screen->table.count, count);
        stage_shows(&stage, "entries, 3 parts");
    }
    take(&stage, "file:path=absent.txt");
    stage_shows(&stage, "No such file");
}

/* + and - double and halve, and keep the rows in order; , and . keep the number of parts. */
TEST(keys_change_parts_and_partition)
{
    FREED(stage_close) struct stage stage;
    struct parts_screen *screen = stage_chain(&stage, 64, 17, 72);
    take(&stage, "natural 3");
    stage_type(&stage, "+");
    assert_int_equal(parts_row(screen)->parts, 6);
    stage_type(&stage, "--");
    assert_int_equal(parts_row(screen)->parts, 1);
    stage_type(&stage, "-");
    assert_int_equal(parts_row(screen)->parts, 1);
    assert_says(stage.explorer.message, "one part");
    stage_type(&stage, "++++++++++++");
    assert_int_equal(parts_row(screen)->parts, 4096);
    stage_type(&stage, "+");
    assert_int_equal(parts_row(screen)->parts, 4096);
    assert_says(stage.explorer.message, "p takes more than 4,096");
    for (int k = 1; k < screen->table.count; k++)
        if (strcmp(screen->table.items[k].name, screen->table.items[k - 1].name) == 0)
            assert_true(screen->table.items[k].parts > screen->table.items[k - 1].parts);
    take(&stage, "natural 6");
    stage_type(&stage, ".");
    assert_string_equal(parts_row(screen)->name, "entries");
    assert_int_equal(parts_row(screen)->parts, 6);
    stage_type(&stage, ",");
    assert_string_equal(parts_row(screen)->name, "natural");
    assert_int_equal(parts_row(screen)->parts, 6);
    stage_type(&stage, ",,");
    stage_type(&stage, "..");
    assert_string_equal(parts_row(screen)->name, "natural");
}

/* One process takes 100 us. With 4 parts, 12 of 46 entries, two messages of 2 us and 16 bytes at 12 GB/s take
 * 30.09 us. With 16 parts, which have at most 3 entries, 10.52 us. 16 rows have no more than 16 parts. */
TEST(speed_ups_follow_from_runs)
{
    static const struct outcome outcomes[] = {{"cpu/csr-omp", 2, 1e-4, 1e-6}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_chain(&stage, 16, 17, 72);
    stage_shows(&stage, "Not predicted");
    stage_type(&stage, "c"); /* known partitions are shown first */
    stage_shows(&stage, "volume: elements");
    stage_type(&stage, "t");
    stage_run(&stage, outcomes, PRECISION_F64, "2 threads");
    take(&stage, "natural 4");
    finish(&stage);
    stage_shows(&stage, "speed-up 3.324 (predicted)", "fastest product");
    stage_type(&stage, "c");
    stage_shows(&stage, "speed-up over one process", "stops with 16 parts: 9.5");
    stage_type(&stage, "m");
    stage_shows(&stage, "volume: elements");
    stage_type(&stage, "m");
    stage_shows(&stage, "imbalance: most / mean");
    stage_type(&stage, "m");
    stage_shows(&stage, "speed-up over one process");
}

/* From 1 us of one process, two messages of 2 us make every partition slower. */
TEST(one_process_may_be_the_fastest)
{
    static const struct outcome outcomes[] = {{"cpu/csr-omp", 2, 1e-6, 1e-8}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_chain(&stage, 16, 24, 130);
    stage_run(&stage, outcomes, PRECISION_F64, "2 threads");
    finish(&stage);
    stage_shows(&stage, "Fastest: one process. The best partition is ");
}

/* Between the parts of a chain two elements are exchanged at each of their borders. */
TEST(volumes_are_whole_numbers)
{
    FREED(stage_close) struct stage stage;
    stage_chain(&stage, 2000, 17, 72);
    stage_type(&stage, "c");
    take(&stage, "natural 1024");
    finish(&stage);
    stage_shows(&stage, "2,046 with 1024 parts");
}

TEST(places_have_their_owners)
{
    FREED(stage_close) struct stage stage;
    struct parts_screen *screen = stage_chain(&stage, 8, 17, 72);
    stage_type(&stage, "o");
    take(&stage, "natural 2");
    assert_int_equal(screen->picture.fit.high, 8);
    assert_int_equal(screen->picture.fit.wide, 8);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            assert_int_equal(screen->picture.marks[8 * i + j],
                             abs(i - j) > 1 ? OWNER_NONE : owner_mark(i / 4, i / 4 != j / 4));
    stage_shows(&stage, "row 1: part 1  x(1): part 1  a local entry");
    stage_type(&stage, "jjj");
    stage_shows(&stage, "row 4: part 1  x(1): part 1  no entry");
    stage_type(&stage, "llll");
    assert_int_equal(stage.explorer.cursor.col, 4);
    stage_shows(&stage, "row 4: part 1  x(5): part 2  a remote entry");
    stage_mouse(&stage, MOUSE_PRESS, screen->picture.rect.top, screen->picture.rect.left);
    assert_int_equal(stage.explorer.cursor.row, 0);
    assert_int_equal(stage.explorer.cursor.col, 0);
    stage.explorer.ascii = true; /* letters, each position some of them */
    stage_draw(&stage);
    stage_work(&stage);
    stage_shows(&stage, "AAAAaa"); /* row 4: (4, 3), (4, 4), and (4, 5), which is remote */
    stage_shows(&stage, "bbBBBB");
    const struct cell *small = stage_find(&stage, "bbBBBB"); /* paler colours are for blocks */
    for (int k = 0; k < 6; k++)
        assert_int_equal(small[k].foreground, COLOUR_OWNER + 1);
    stage_key(&stage, UIKEY_ENTER);
    assert_true(stage.explorer.owners_asked);
    assert_ptr_equal(stage.explorer.owners->of, stage.session.shown);
}

/* The letters of 676 parts differ. */
TEST(letters_of_owners_are_unique)
{
    char letters[676][3], small[3];
    for (int k = 0; k < 676; k++) {
        owner_letters(owner_mark(k, false), letters[k]);
        for (int j = 0; j < k; j++)
            assert_string_not_equal(letters[j], letters[k]);
        owner_letters(owner_mark(k, true), small);
        assert_true(small[0] == letters[k][0] + 32 && small[1] == letters[k][1] + 32);
    }
    assert_string_equal(letters[25], "ZZ");
    assert_string_equal(letters[26], "AB");
    assert_string_equal(letters[51], "BA");
}

/* Of 100 us, as above: messages of 4 us and 16 bytes at 6 GB/s make 26.09 + 8.003 us. A kernel of one process
 * is chosen by its name or its threads, and refused if it has no time. */
TEST(the_network_and_the_kernel_are_changed)
{
    static const struct outcome outcomes[] = {
        {"cpu/csr-omp", 2, 1e-4, 1e-6}, {"cpu/coo-seq", 1, 3e-4, 1e-6}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    struct parts_screen *screen = stage_chain(&stage, 16, 24, 100);
    stage_run(&stage, outcomes, PRECISION_F64, "threads");
    take(&stage, "natural 4");
    finish(&stage);
    stage_shows(&stage, "network assumed: 2 us, 12 GB/s", "by cpu/csr-omp, 2 threads");
    stage_type(&stage, "N");
    assert_string_equal(stage.explorer.question.text, "latency=2,bandwidth=12 advised ");
    view_parts.answer(&stage.explorer, screen, "latency=4,bandwidth=6");
    stage_draw(&stage);
    stage_shows(&stage, "network: 4 us, 6 GB/s", "speed-up 2.933 (predicted)");
    view_parts.answer(&stage.explorer, screen, "cpu/coo-seq");
    stage_draw(&stage);
    stage_shows(&stage, "300 us by cpu/coo-seq, 1 thread");
    view_parts.answer(&stage.explorer, screen, "advised threads=2");
    stage_draw(&stage);
    stage_shows(&stage, "by cpu/csr-omp, 2 threads");
    view_parts.answer(&stage.explorer, screen, "threads=0 cpu/none-such");
    assert_says(stage.explorer.message, "no time of cpu/none-such");
    view_parts.answer(&stage.explorer, screen, "latency=fast");
    assert_says(stage.explorer.message, "latency");
    assert_true(screen->table.network.latency_us == 4);
    view_parts.answer(&stage.explorer, screen, "threads=many");
    assert_string_equal(stage.explorer.message, "threads=many: give a number of threads");
}

/* A click on the title of a pane gives it the focus, as its key does. */
TEST(titles_are_clicked)
{
    FREED(stage_close) struct stage stage;
    stage_chain(&stage, 256, 20, 80);
    finish(&stage);
    struct parts_screen *screen = state_of(&stage);
    for (int k = 0; k < PARTS_PANES; k++) {
        stage_keys(&stage, &screen->panes.table[k].key, 1);
        assert_int_equal(screen->panes.focus, k);
        const struct rect title = screen->panes.tabs[(k + 1) % PARTS_PANES];
        assert_true(title.wide > 0);
        stage_mouse(&stage, MOUSE_PRESS, title.top, title.left + title.wide - 1);
        assert_int_equal(screen->panes.focus, (k + 1) % PARTS_PANES);
    }
}

/* The selected number: a coloured background, or without colours reversed. */
static void expect_selected(struct stage *stage)
{
    for (int colours = 0; colours < 2; colours++) {
        int count = 0;
        stage->explorer.colours = colours;
        stage_draw(stage);
        for (int k = 0; k < stage->surface.high * stage->surface.wide; k++) {
            const struct cell *cell = &stage->surface.cells[k];
            if (cell->background != COLOUR_CURSOR) continue;
            assert_int_equal(cell->attributes, colours ? 0 : ATTRIBUTE_REVERSE);
            count++;
        }
        assert_true(count > 0);
    }
}

TEST(volumes_are_numbers_or_tiles)
{
    FREED(stage_close) struct stage stage;
    struct parts_screen *screen = stage_chain(&stage, 200, 17, 72);
    stage_type(&stage, "v");
    take(&stage, "natural 5");
    assert_true(screen->tiles.numbers);
    expect_selected(&stage);
    stage_shows(&stage, "part 1 owns 40 rows with 119 entries",
                "elements that a part (down) receives from a part (across)");
    stage_type(&stage, "j");
    stage_shows(&stage, "part 2 (down) receives 1 from part 1 (across)",
                "receives 2 elements from 2 parts, sends 2 to 2");
    stage_type(&stage, "kll");
    stage_shows(&stage, "part 1 (down) receives 0 from part 3 (across)");
    take(&stage, "entries 5"); /* the same number of tiles of another partition, and */
    assert_ptr_equal(screen->tiles.of, parts_item(screen)->kept);
    take(&stage, "natural 5");
    assert_ptr_equal(screen->tiles.of, parts_item(screen)->kept);
    take(&stage, "natural 100");
    assert_false(screen->tiles.numbers);
    assert_true(screen->tiles.step > 1);
    int64_t all = 0;
    for (int k = 0; k < screen->tiles.count * screen->tiles.count; k++)
        all += screen->tiles.elements[k];
    assert_int_equal(all, 198);
    stage_shows(&stage, "parts per tile and direction", " elements\n"); /* the scale of shades */
    stage_hides(&stage, "elements that a part");
    stage_mouse(&stage, MOUSE_PRESS, screen->tiles.rect.top, screen->tiles.rect.left);
    assert_int_equal(screen->tiles.to, 0);
    assert_int_equal(screen->tiles.from, 0);
    stage_key(&stage, UIKEY_END);
    assert_int_equal(screen->tiles.from, 99);
    take(&stage, "natural 1");
    stage_shows(&stage, "Nothing is exchanged.");
}

/* A partition that the user has stopped is not continued by itself. The selected one is found nevertheless,
 * and x continues. */
TEST(stopped_work_rests_until_it_is_wanted)
{
    FREED(stage_close) struct stage stage;
    struct parts_screen *screen = stage_chain(&stage, 64, 17, 72);
    stage_work(&stage);
    assert_int_equal(screen->errand.state, ERRAND_WANTED);
    screen->errand.state = ERRAND_FAILED;
    screen->errand.declined = true;
    stage_draw(&stage);
    assert_int_equal(screen->errand.state, ERRAND_FAILED);
    take(&stage, "natural 7");
    stage_shows(&stage, "natural, 7 parts  volume 12");
    assert_int_not_equal(screen->errand.state, ERRAND_WANTED);
    assert_true(view_parts.retry(&stage.explorer, stage.state));
    assert_int_equal(screen->errand.state, ERRAND_WANTED);
    assert_false(view_parts.retry(&stage.explorer, stage.state));
    finish(&stage);
}

/* A matrix that is not square has no partitions by libraries; one without rows has nothing to show. */
TEST(odd_shapes_are_shown)
{
    static const int shapes[][2] = {{3, 9}, {9, 3}, {1, 1}, {0, 0}, {0, 5}, {5, 0}};
    static const char panes[] = "tovc";
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        double dense[81] = {1, 0, 1, 0, 0, 1};
        FREED(stage_close) struct stage stage;
        stage_open(&stage, &view_parts, support_dense(shapes[s][0], shapes[s][1], dense), FIELD_REAL, 17, 72);
        for (const char *pane = panes; *pane; pane++) {
            stage_type(&stage, (char[]){*pane, 0});
            stage_type(&stage, "jlkh+-.,");
            finish(&stage);
        }
    }
}

/* The list contains the partitions requested at the start, for any number of parts. */
TEST(rows_are_those_that_were_asked_for)
{
    FREED(stage_close) struct stage stage;
    struct distribution_request request = {
        .parts = {3, 11}, .count = 2, .networked = true, .network = {5, 1}};
    struct parts_screen *screen = stage_chain(&stage, 64, 17, 72);
    int usual = screen->table.count;
    assert_true(usual > 4);
    view_parts.close(stage.state);
    stage.explorer.distribution = &request;
    stage.explorer.errand = NULL;
    stage.state = view_parts.open(&stage.explorer, NULL);
    screen = state_of(&stage);
    stage_draw(&stage);
    for (int k = 0; k < screen->table.count; k++)
        assert_int_equal(screen->table.items[k].parts, k % 2 ? 11 : 3);
    assert_int_equal(screen->table.count % 2, 0);
    assert_int_equal(parts_row(screen)->parts, 11); /* is next to 8 */
    assert_true(screen->table.network.latency_us == 5);
    finish(&stage);
    assert_int_equal(partition_list_add(&request.partitions, "natural entries", NULL), STATUS_OK);
    view_parts.close(stage.state);
    stage.explorer.errand = NULL;
    stage.state = view_parts.open(&stage.explorer, NULL);
    screen = state_of(&stage);
    stage_draw(&stage);
    assert_int_equal(screen->table.count, 4);
    assert_string_equal(screen->table.items[0].name, "natural");
    assert_string_equal(screen->table.items[3].name, "entries");
    finish(&stage);
    stage_shows(&stage, "entries, 11 parts  volume 20 elements");
    partition_list_free(&request.partitions);
    request.count = 0;
}
