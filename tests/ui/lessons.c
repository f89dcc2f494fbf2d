/* The file of lessons: its reader, the numbers that lessons state, and the conditions, the keys and the
 * band. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "support/layouts.h"
#include "support/stored.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/warps_screen.h"
#include "ui/lessons/learning.h"

#define LESSONS 8

static struct lessons shipped;

static int read_shipped(void **state)
{
    char path[512];
    struct error error = {0};
    snprintf(path, sizeof path, "%s/data/lessons.txt", getenv("SRCDIR"));
    return lessons_read(path, &shipped, &error) == STATUS_OK ? 0 : -1;
}

static int free_shipped(void **state)
{
    lessons_free(&shipped);
    return 0;
}

/* Write a file of lessons, and read it. */
static enum status read_text(const char *text, struct lessons *lessons, struct error *error)
{
    char path[] = "lessons-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    const enum status status = lessons_read(path, lessons, error);
    assert_true(status == STATUS_OK || !error->path[0] || strcmp(error->path, path) == 0);
    unlink(path);
    return status;
}

#define HEAD "lesson One\nmatrix pmpp.mtx\nsummary Words.\nscreen Layouts\n"
#define STEP "step\nsay Words.\ntask Do it.\nneed row 2\nkeys Down\nanswer Done.\n"

TEST(a_file_is_read)
{
    struct lessons lessons = {0};
    struct error error = {0};
    const struct lesson *one = &lessons.items[0];
    assert_int_equal(
        read_text("# comment\n" HEAD "format hyb:k=1\n\nstep\nsay Words\n  go on\n   here.\ntask Do it.\n"
                  "need row 2\nneed padding\nneed value -1 + 2i\nkeys g 2 Enter\nanswer Done.\n"
                  "lesson Two of them\nscreen Rows\nmatrix gen:laplace2d,n=3\nsummary S.\n" STEP STEP,
                  &lessons, &error),
        STATUS_OK);
    assert_int_equal(lessons.count, 2);
    assert_string_equal(one->title, "One");
    assert_string_equal(views[one->view]->title, "Layouts");
    assert_string_equal(one->format.format->name, "hyb");
    assert_int_equal(one->step_count, 1);
    assert_string_equal(one->steps[0].say, "Words go on here.");
    assert_int_equal(one->steps[0].need_count, 3);
    assert_string_equal(one->steps[0].needs[0].word, "row");
    assert_string_equal(one->steps[0].needs[0].value, "2");
    assert_string_equal(one->steps[0].needs[1].value, "");
    assert_string_equal(one->steps[0].needs[2].value, "-1 + 2i");
    assert_string_equal(lessons.items[1].title, "Two of them");
    assert_null(lessons.items[1].format.format);
    assert_int_equal(lessons.items[1].step_count, 2);
    struct text name = {0};
    lessons_matrix(&lessons, 0, &name);
    assert_string_equal(name.data, "./pmpp.mtx");
    text_cut(&name, 0);
    lessons_matrix(&lessons, 1, &name);
    assert_string_equal(name.data, "gen:laplace2d,n=3");
    text_free(&name);
    lessons_free(&lessons);
    assert_int_equal(lessons.count, 0);
}

TEST(errors_name_their_line)
{
    static const struct {
        const char *text, *message;
        int line;
    } cases[] = {
        {"matrix a\n", "the first line must be 'lesson TITLE', not matrix", 1},
        {"\nlesson\n", "a title must follow lesson", 2},
        {"lesson A\nlesson B\n", "this lesson lacks a matrix", 1},
        {"lesson A\nmatrix a\nscreen Rows\n", "this lesson lacks a summary", 1},
        {"lesson A\nmatrix a\nsummary S\n" STEP, "this step lacks a screen", 4},
        {HEAD, "this lesson lacks a step", 1},
        {HEAD "step\n", "this step lacks a text 'say'", 5},
        {HEAD "step\nsay a\n", "this step lacks a task", 5},
        {HEAD "step\nsay a\n  b\ntask a\nstep\n", "this step lacks the keys", 5},
        {HEAD "step\nsay a\ntask a\nkeys a\n", "this step lacks an answer", 5},
        {HEAD "step\nsay a\ntask a\nkeys a\nanswer a\n", "this step lacks a condition 'need'", 5},
        {HEAD "screen Layout\n", "no screen has the name Layout", 5},
        {HEAD "format elll\n", "no format has the name elll", 5},
        {HEAD "format ell:pad=nothing\n", "pad", 5},
        {HEAD "matrix a\n", "there is already a line matrix", 5},
        {HEAD "say a\n", "a lesson has matrix, summary, screen, format and step, not say", 5},
        {HEAD "step\nscreen Rows\n", "a step has say, task, need, keys and answer, not screen", 6},
        {HEAD "step\nsay\n", "a text must follow say", 6},
        {HEAD "step\nneed rows 3\n", "no condition has the name rows", 6},
        {HEAD "step\nsay a\n  b\n c\nneed rows 3\n", "no condition has the name rows", 9},
        {HEAD "step\nneed row three\n", "a whole number must follow row", 6},
        {HEAD "step\nneed screen Row\n", "no screen has the name Row", 6},
        {HEAD "step\nneed array\n", "a value must follow array", 6},
        {HEAD "step\nneed padding 3\n", "no value may follow padding", 6},
        {HEAD STEP STEP STEP STEP STEP STEP "step\n", "more than 6 steps", 41},
        {HEAD "step\nneed row 1\nneed row 1\nneed row 1\nneed row 1\nneed row 1\nneed row 1\nneed row 1\n",
         "too many conditions: the step has 6 already", 12},
        {"# nothing\n", "there is no lesson in it", 0},
        {"", "there is no lesson in it", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct lessons lessons = {0};
        struct error error = {0};
        assert_int_equal(read_text(cases[k].text, &lessons, &error), STATUS_INPUT);
        if (!strstr(error.message, cases[k].message) || error.line != cases[k].line)
            fail_msg("%s: line %d: %s", cases[k].text, (int)error.line, error.message);
        assert_int_equal(lessons.count, 0);
    }
    struct lessons lessons = {0};
    struct error error = {0};
    assert_int_equal(lessons_read("no/such/file", &lessons, &error), STATUS_IO);
    assert_string_equal(error.path, "no/such/file");
    memory_fail_after(0); /* the first error wins */
    assert_int_equal(lessons_read("no/such/file", &lessons, NULL), STATUS_IO);
    memory_fail_after(-1);
}

/* Statements of the answers, from the sources: the answer must contain each text, and the array each
 * element. */
TEST(answers_state_the_arrays)
{
    static const struct {
        int lesson, step;
        const char *format, *array, *elements, *said;
    } cases[] = {
        {1, 1, "csr", "col", "0 1 0 4 3", "col[3] = 4"},
        {1, 1, "csr", "val", "10 20 30 40 50", "40 is element 3 of val"},
        {1, 2, "csr", "row_ptr", "0 1 2 4 5 5", "row_ptr is 0 1 2 4 5 5"},
        {1, 3, "csr", "row_ptr", "0 1 2 4 5 5", "row_ptr[5] = 5"},
        {2, 2, "ell:pad=sentinel,layout=rows", "col", "0 3 5 1 5 -1 0 4 -1 3 -1 -1 2 4 5 -1 -1 -1", "1 5 -1"},
        {2, 3, "ell:pad=sentinel,layout=rows", "col", "0 3 5 1 5 -1 0 4 -1 3 -1 -1 2 4 5 -1 -1 -1",
         "0 3 5, then 1 5 -1, then 0 4 -1"},
        {3, 3, "hyb:k=2", "coo_row", "2", "coo_row[0] = 2"},
        {3, 3, "hyb:k=2", "coo_col", "3", "coo_col[0] = 3"},
        {4, 1, "jds", "perm", "2 0 3 1", "perm is 2 0 3 1"},
        {4, 2, "jds", "iter_ptr", "0 3 6 7", "iter_ptr is 0 3 6 7"},
        {4, 3, "jds:sections=equal", "section_ptr", "0 3 7 7", "section_ptr is 0 3 7 7"},
        {5, 1, "coo", "row", "0 1 2 2 3", "row is 0 1 2 2 3"},
        {6, 1, "cmrs:height=2", "StripPtr", "0 4 9 10", "StripPtr is 0 4 9 10"},
        {6, 2, "cmrs:height=2", "RowInStrip", "0 0 1 1 0 0 1 1 1 0", "RowInStrip is 0 0 1 1 0 0 1 1 1 0"},
        {6, 2, "cmrs:height=2", "Val", "1 2 3 4 5 6 7 8 9 10", "The entry 7 is element 6"},
        {6, 3, "cmrs:height=2,packed=1", "ColInd", "0 48 17 65 32 64 33 49 65 64",
         "ColInd[6] = 2 x 16 + 1 = 33"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct lesson *lesson = &shipped.items[cases[k].lesson - 1];
        FREED(csr_free) struct csr a = stored_matrix(lesson->matrix);
        FREED(storage_free) struct storage storage = stored(cases[k].format, &a);
        stored_expect(&storage, cases[k].array, cases[k].elements);
        if (!strstr(lesson->steps[cases[k].step - 1].answer, cases[k].said))
            fail_msg("%s, step %d lacks: %s", lesson->title, cases[k].step, cases[k].said);
    }
}

/* Slots, entries, entries in other parts, and bytes, by hand: hpcg6 has 6 rows, the longest of 3, and 11
 * entries; pmpp 4, 3 and 7; the demo 3,000, 424 and 68,324. An index and an offset have 4 bytes, a value
 * 8. */
TEST(answers_state_the_sizes)
{
    static const struct {
        int lesson, step;
        const char *format;
        int64_t slots, entries, apart, bytes;
        const char *said[3];
    } cases[] = {
        {2, 1, "ell", 18, 11, 0, 18 * 12, {"6 rows of 3 slots are 18 slots: 11 entries and 7 of padding"}},
        {3, 1, "hyb:k=3", 12, 7, 0, 12 * 12, {"4 x 3 = 12 slots hold 7 entries, so 5 slots are padding"}},
        {3,
         2,
         "hyb:k=2",
         9,
         7,
         1,
         8 * 12 + 16,
         {"4 x 2 = 8 slots, 2 of them padding, and COO has 1 entry", "9 values instead of 12"}},
        {8,
         1,
         "ell",
         3000 * 424,
         68324,
         0,
         3000 * 424 * 12,
         {"3,000 x 424 slots for 68,324 entries", "18.62", "14.6 MiB"}},
        {8, 1, "csr", 68324, 68324, 0, 68324 * 12 + 3001 * 4, {"CSR takes 812 KiB"}},
        {8,
         2,
         "hyb:k=11",
         3000 * 11 + 36462,
         68324,
         36462,
         3000 * 11 * 12 + 36462 * 16,
         {"1,138 slots are padding", "53.4%", "956 KiB"}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct lesson *lesson = &shipped.items[cases[k].lesson - 1];
        FREED(csr_free) struct csr a = stored_matrix(lesson->matrix);
        FREED(storage_free) struct storage storage = stored(cases[k].format, &a);
        const int64_t slots = storage.slots[0] + storage.slots[1];
        int64_t bytes = 0;
        for (int q = 0; q < storage.count; q++)
            bytes += storage.array[q].length * (storage.array[q].role == ROLE_VALUES ? 8 : 4);
        assert_int_equal(slots, cases[k].slots);
        assert_int_equal(csr_nnz(&a), cases[k].entries);
        assert_int_equal(storage.slots[1], cases[k].apart);
        assert_int_equal(bytes, cases[k].bytes);
        for (int s = 0; s < 3 && cases[k].said[s]; s++)
            if (!strstr(lesson->steps[cases[k].step - 1].answer, cases[k].said[s]))
                fail_msg("%s, step %d lacks: %s", lesson->title, cases[k].step, cases[k].said[s]);
    }
    assert_int_equal(36462 - (68324 - 3000 * 11), 1138);                    /* padding of HYB */
    assert_int_equal((int)(36462.0 / 68324 * 1000 + 0.5), 534);             /* 53.4% */
    assert_int_equal((int)(3000.0 * 424 / 68324 * 100 + 0.5), 1862);        /* 18.62 */
    assert_int_equal((int)(3000.0 * 424 * 12 / 1048576 * 10 + 0.5), 146);   /* 14.6 MiB */
    assert_int_equal((int)((68324 * 12 + 3001 * 4) / 1024.0 + 0.5), 812);   /* KiB of CSR */
    assert_int_equal((int)((33000 * 12 + 36462 * 16) / 1024.0 + 0.5), 956); /* KiB of HYB */
}

/* Put the words of a text, without line breaks and repeated blanks, into `out`. */
static void words_of(const char *text, struct text *out)
{
    for (const char *c = text; *c; c++)
        if (*c != ' ' && *c != '\n')
            text_append_bytes(out, c, 1);
        else if (out->length && out->data[out->length - 1] != ' ')
            text_append_bytes(out, " ", 1);
}

/* The band shows this text as a whole. */
static void expect_band(struct stage *stage, struct learning *learning, const char *text)
{
    FREED(text_free) struct text words = {0};
    surface_clear(&stage->surface);
    learning_draw(&stage->explorer, learning, &stage->surface,
                  (struct rect){0, 0, LEARNING_HIGH, stage->surface.wide});
    words_of(stage_dump(stage), &words);
    if (!strstr(words.data, text)) fail_msg("not in the band: %s\n%s", text, stage_dump(stage));
}

static void begin(struct stage *stage, struct learning *learning, int lesson)
{
    *learning = (struct learning){.lessons = shipped, .next = lesson};
    learning_begin(&stage->explorer, learning);
}

/* The narrowest terminal has 72 columns. */
TEST(all_texts_fit_into_the_band)
{
    FREED(stage_close) struct stage stage;
    struct learning learning;
    assert_int_equal(shipped.count, LESSONS);
    stage_open(&stage, &view_layouts, stored_matrix("pmpp.mtx"), FIELD_REAL, LEARNING_HIGH, 72);
    for (int k = 0; k < LESSONS; k++) {
        begin(&stage, &learning, k);
        assert_int_equal(learning_high(&learning), LEARNING_HIGH);
        expect_band(&stage, &learning, shipped.items[k].title);
        for (; learning.step < shipped.items[k].step_count; learning.step++) {
            const struct lesson_step *step = &shipped.items[k].steps[learning.step];
            char said[64];
            snprintf(said, sizeof said, "step %d of %d", learning.step + 1, shipped.items[k].step_count);
            learning.met = learning.hint = false;
            expect_band(&stage, &learning, said);
            expect_band(&stage, &learning, step->say);
            expect_band(&stage, &learning, step->task);
            learning.hint = true;
            expect_band(&stage, &learning, step->task);
            expect_band(&stage, &learning, step->keys);
            learning.met = true;
            expect_band(&stage, &learning, step->answer);
        }
        expect_band(&stage, &learning, "This lesson is done.");
        expect_band(&stage, &learning, k + 1 < LESSONS ? shipped.items[k + 1].title : "It was the last one.");
    }
}

static bool holds(struct stage *stage, const char *word, const char *value)
{
    const struct lesson_step step = {.needs = {{word, value}}, .need_count = 1};
    return lesson_step_holds(&stage->explorer, stage->state, &step);
}

/* Make the stage's view the explorer's present one. */
static void go_to_view(struct stage *stage)
{
    for (int k = 0; views[k]; k++)
        if (views[k] == stage->view) stage->explorer.view = k;
}

TEST(conditions_hold_on_layouts)
{
    static const char *const names[] = {"csr", "ell:pad=sentinel", NULL};
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 30, 100, names);
    go_to_view(&stage);
    stage_move(&stage, 0, 0);
    assert_true(holds(&stage, "screen", "Layouts"));
    assert_false(holds(&stage, "screen", "Rows"));
    assert_true(holds(&stage, "row", "1"));
    assert_true(holds(&stage, "column", "1"));
    assert_true(holds(&stage, "value", "3"));
    assert_true(holds(&stage, "cut", "2"));
    assert_false(holds(&stage, "cut", "3"));
    assert_true(holds(&stage, "format", "csr"));
    assert_false(holds(&stage, "format", "ell"));
    assert_false(holds(&stage, "padding", ""));
    assert_false(holds(&stage, "array", "row_ptr"));
    layouts_focus(&stage, "row_ptr");
    stage_key(&stage, UIKEY_END);
    assert_true(holds(&stage, "array", "row_ptr"));
    assert_true(holds(&stage, "element", "4"));
    assert_false(holds(&stage, "element", "3"));
    assert_false(holds(&stage, "padding", ""));
    explorer_move(&stage.explorer, 1, 1);
    assert_true(holds(&stage, "row", "2"));
    assert_false(holds(&stage, "value", "3"));           /* there is no entry */
    assert_false(holds(&stage, "kernel", "csr-scalar")); /* this is of another screen */
    const struct lesson_step both = {.needs = {{"row", "2"}, {"row", "1"}}, .need_count = 2};
    assert_false(lesson_step_holds(&stage.explorer, stage.state, &both));
    stage_key(&stage, '}');
    assert_true(holds(&stage, "format", "ell"));
    assert_true(holds(&stage, "parameter", "pad=sentinel"));
    assert_false(holds(&stage, "parameter", "layout=rows"));
    assert_true(holds(&stage, "padding", "")); /* row 2 is empty */
    stage_move(&stage, 2, 1);
    assert_false(holds(&stage, "padding", ""));
}

TEST(conditions_hold_on_warps)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 22, 80, "csr-scalar", "csr-vector:threads=4");
    go_to_view(&stage);
    assert_true(holds(&stage, "kernel", "csr-scalar"));
    assert_false(holds(&stage, "kernel", "csr-vector"));
    assert_true(holds(&stage, "access", "load"));
    assert_false(holds(&stage, "access", "store"));
    assert_true(holds(&stage, "operand", "values"));
    assert_false(holds(&stage, "operand", "x"));
    assert_true(holds(&stage, "sectors", "32"));
    assert_false(holds(&stage, "sectors", "8"));
    assert_false(holds(&stage, "format", "csr"));
    stage_key(&stage, 'b');
    assert_true(holds(&stage, "kernel", "csr-vector"));
    assert_true(holds(&stage, "parameter", "threads=4"));
    assert_false(holds(&stage, "parameter", "threads=8"));
}

TEST(parameters_are_compared_as_a_whole)
{
    assert_true(lesson_has_parameter("ell:pad=sentinel", "pad=sentinel"));
    assert_true(lesson_has_parameter("ell:layout=rows,pad=sentinel", "pad=sentinel"));
    assert_true(lesson_has_parameter("ell:layout=rows,pad=sentinel", "layout=rows"));
    assert_false(lesson_has_parameter("hyb:k=12", "k=1"));
    assert_false(lesson_has_parameter("ell", "pad=sentinel"));
    assert_false(lesson_has_parameter("pad=sentinel", "pad=sentinel"));
}

TEST(a_step_is_confirmed_and_the_lesson_goes_on)
{
    FREED(stage_close) struct stage stage;
    FREED(learning_free) struct learning learning;
    const int enter = UIKEY_ENTER, hint = CTRL('T'), leave = CTRL('X');
    stage_open(&stage, &view_layouts, stored_matrix("hpcg5.mtx"), FIELD_REAL, 30, 100);
    begin(&stage, &learning, 0);
    stage_draw(&stage);
    assert_false(learning_check(&stage.explorer, &learning, stage.state));
    assert_false(learning_key(&stage.explorer, &learning, enter)); /* Enter is the screen's until then */
    assert_true(learning_key(&stage.explorer, &learning, hint));
    assert_true(learning.hint);
    explorer_move(&stage.explorer, 2, 4);
    assert_true(learning_check(&stage.explorer, &learning, stage.state));
    assert_false(learning_check(&stage.explorer, &learning, stage.state)); /* confirmed only once */
    explorer_move(&stage.explorer, 0, 0);
    assert_true(learning.met);
    assert_true(learning_key(&stage.explorer, &learning, enter));
    assert_int_equal(learning.step, 1);
    assert_false(learning.met || learning.hint);
    learning.step = 3;
    assert_true(learning_key(&stage.explorer, &learning, enter));
    assert_int_equal(learning.next, 1);
    assert_true(learning_key(&stage.explorer, &learning, leave));
    assert_int_equal(learning_high(&learning), 0);
    assert_false(learning_check(&stage.explorer, &learning, stage.state));
    assert_true(learning_key(&stage.explorer, &learning, leave));
    assert_true(list_is_open(&learning.list));
    assert_int_equal(learning.list.count, LESSONS);
    learning.lessons = (struct lessons){0};
    assert_false(learning_key(&stage.explorer, &learning, leave)); /* without lessons there are no keys */
    assert_null(learning_actions(&learning));
}

TESTS_BETWEEN(read_shipped, free_shipped)
