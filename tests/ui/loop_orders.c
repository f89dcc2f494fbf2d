/* ui/loop/orders: a matrix is reordered, shown in its orders, and written in one of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/files.h"
#include "support/support.h"
#include "support/unit.h"
#include "ui/loop/loop.h"

static struct ui ui;

/* A matrix of three rows, in its natural order, with the cursor at its last row. */
static int begin(void **state)
{
    static const double values[] = {1, 0, 2, 0, 3, 0, 4, 0, 5};
    struct matrix matrix = {0};
    if (files_begin(state) != 0) return -1;
    memset(&ui, 0, sizeof ui);
    ui.name = "a.mtx";
    ui.session.shown = session_add_case(&ui.session, "natural", &matrix, NULL);
    ui.session.shown->matrix.csr = support_dense(3, 3, values);
    ui.session.shown->matrix.field = FIELD_REAL;
    if (session_need(&ui.session, NULL, SESSION_MATRIX | SESSION_ROW_LENGTHS | SESSION_COL_PTR, NULL, NULL) !=
        STATUS_OK)
        return -1;
    ui.explorer = (struct explorer){.session = &ui.session, .colours = true};
    ui.states = calloc((size_t)view_count() * SESSION_CASES, sizeof *ui.states);
    explorer_move(&ui.explorer, 2, 0);
    return 0;
}

static int end(void **state)
{
    ui_cancel_orders(&ui);
    session_free(&ui.session);
    free(ui.states);
    return files_end(state);
}

static void says(const char *part)
{
    assert_says(ui.explorer.message, part);
}

/* Wait for the job of an order, and take its result. */
static void finish(void)
{
    assert_true(ui.arranging.running);
    while (!job_wait(&ui.arranging.job, 1))
        ;
    ui_arrange(&ui);
    assert_false(ui.arranging.running);
}

TEST_BETWEEN(begin, end, orders_are_made_once_and_shown)
{
    ui_next_order(&ui);
    says("the matrix has only its natural order: ");
    ui_start_order(&ui, "length:apply=none");
    says("apply");
    assert_false(ui.arranging.running);
    ui_start_order(&ui, "random:seed=5");
    finish();
    struct matrix_case *random = &ui.session.cases[1];
    assert_int_equal(ui.session.case_count, 2);
    assert_ptr_equal(ui.session.shown, random);
    assert_ptr_equal(ui.explorer.beside, ui.session.cases);
    says("order random:seed=5: ");
    int64_t row = 2, col = 0;
    case_carry(ui.session.cases, random, &row, &col);
    assert_true(ui.explorer.cursor.row == row && ui.explorer.cursor.col == col);
    ui_next_order(&ui);
    assert_ptr_equal(ui.session.shown, ui.session.cases);
    assert_ptr_equal(ui.explorer.beside, random);
    assert_true(ui.explorer.cursor.row == 2 && ui.explorer.cursor.col == 0);
    ui_start_order(&ui, "random:seed=5"); /* it is there */
    assert_false(ui.arranging.running);
    assert_ptr_equal(ui.session.shown, random);
    ui_next_order(&ui);
    ui_next_order(&ui);
    assert_ptr_equal(ui.session.shown, random);
}

TEST_BETWEEN(begin, end, one_job_runs_at_a_time)
{
    ui.arranging.running = true;
    ui_start_order(&ui, "rcm");
    says("an order is being computed: ");
    ui.arranging.writes = true;
    ui_start_order(&ui, "rcm");
    says("a matrix is being written: ");
    ui.arranging.running = false;
    assert_int_equal(ui.session.case_count, 1);
}

/* Orders that were named at the start are made one after the other; the first of them is shown. */
TEST_BETWEEN(begin, end, wanted_orders_follow_each_other)
{
    struct order_choice wanted[3];
    static const char *const names[] = {"natural", "random:seed=2", "random:seed=3"};
    for (int k = 0; k < 3; k++)
        assert_int_equal(order_choice_read(names[k], &wanted[k], NULL), STATUS_OK);
    ui.arranging.wanted = wanted;
    ui.arranging.count = 3;
    ui_arrange(&ui);
    assert_false(ui.arranging.running);
    ui_arrange(&ui);
    while (!job_wait(&ui.arranging.job, 1))
        ;
    ui_arrange(&ui); /* takes the first, and begins with the second */
    assert_ptr_equal(ui.session.shown, &ui.session.cases[1]);
    assert_true(ui.dirty);
    finish();
    assert_int_equal(ui.session.case_count, 3);
    assert_ptr_equal(ui.session.shown, &ui.session.cases[1]);
    ui_arrange(&ui);
    assert_false(ui.arranging.running);
    for (int k = 0; k < 3; k++)
        order_choice_free(&wanted[k]);
}

static void serve(enum order_wish wish, int row)
{
    ui.orders.wish = wish;
    ui.orders.row = row;
    ui.prompt = PROMPT_NONE;
    ui_serve_orders(&ui);
    assert_int_equal(ui.orders.wish, ORDER_NOTHING);
}

/* The row of an order in the list. */
static int row_of(const char *name)
{
    int row = ui.session.case_count;
    while (strcmp(orders_order(&ui.session, row)->name, name) != 0)
        row++;
    return row;
}

TEST_BETWEEN(begin, end, the_list_shows_edits_and_saves)
{
    ui.orders.apply = -1;
    serve(ORDER_NOTHING, 0);
    assert_int_equal(ui.prompt, PROMPT_NONE);
    serve(ORDER_SHOW, row_of("length"));
    finish();
    assert_string_equal(ui.session.shown->order, "length");
    serve(ORDER_SHOW, 0);
    assert_ptr_equal(ui.session.shown, ui.session.cases);
    serve(ORDER_EDIT, 0);
    says("the natural order has no parameters");
    assert_int_equal(ui.prompt, PROMPT_NONE);
    serve(ORDER_EDIT, 1);
    assert_int_equal(ui.prompt, PROMPT_ORDER);
    assert_string_equal(ui.prompts[PROMPT_ORDER].text, "length");
    serve(ORDER_EDIT, row_of("rcm"));
    assert_string_equal(ui.prompts[PROMPT_ORDER].text, "rcm");
    assert_false(ui.prompts[PROMPT_ORDER].empty);
    serve(ORDER_SHOW, row_of("file"));
    assert_int_equal(ui.prompt, PROMPT_ORDER);
    assert_string_equal(ui.prompts[PROMPT_ORDER].text, "file:path=");
    serve(ORDER_SAVE, 0);
    says("the natural order is that of the matrix's own file");
    serve(ORDER_SAVE, row_of("rcm"));
    says("the matrix is not reordered yet");
    assert_int_equal(ui.prompt, PROMPT_NONE);
    serve(ORDER_SAVE, 1);
    assert_int_equal(ui.prompt, PROMPT_ORDER_FILE);
    assert_ptr_equal(ui.arranging.save.of, &ui.session.cases[1]);
    assert_says(ui.prompts[PROMPT_ORDER_FILE].text, ".mtx");
}

/* Both files are written; a permutation that is there is not replaced without a question. */
TEST_BETWEEN(begin, end, a_case_is_written_to_two_files)
{
    struct stat about;
    ui_start_order(&ui, "random:seed=5");
    finish();
    serve(ORDER_SAVE, 1);
    strcpy(ui.prompts[PROMPT_ORDER_FILE].text, "b.mtx");
    files_write("b.permutation.mtx", "x", 1);
    ui_accept_order_file(&ui);
    says("b.permutation.mtx exists already: choose another name");
    assert_false(ui.arranging.running);
    strcpy(ui.prompts[PROMPT_ORDER_FILE].text, "c.mtx");
    ui_accept_order_file(&ui);
    finish();
    says("order random:seed=5 is written to c.mtx, its permutation to c.permutation.mtx");
    assert_true(stat("c.mtx", &about) == 0 && about.st_size > 0);
    assert_true(stat("c.permutation.mtx", &about) == 0 && about.st_size > 0);
    strcpy(ui.prompts[PROMPT_ORDER_FILE].text, "nowhere/c.mtx");
    ui_accept_order_file(&ui);
    finish();
    says("nowhere/c.mtx");
    assert_int_equal(ui.session.case_count, 2);
}
