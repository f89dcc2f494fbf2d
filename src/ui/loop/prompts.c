/* The answers of the prompts. */
#include <stdio.h>

#include "ui/loop/loop.h"

/* Pass the typed text to the view that asked for it. */
static void answer(struct ui *ui)
{
    if (ui_usable(ui))
        view_take_answer(&ui->explorer, ui_active(ui), ui_state(ui), ui->prompts[PROMPT_VIEW].text);
}

/* Search the matrix, or the items of the screen, instead of what is being sought. */
static enum status find(struct ui *ui, const char *text, struct error *error)
{
    struct search search;
    enum status status = search_parse(text, &search, error);
    ui_stop_search(ui);
    if (status == STATUS_OK)
        ui->finding.search = search;
    else if (!ui_usable(ui) || !view_find(&ui->explorer, ui_active(ui), ui_state(ui), text))
        return status;
    ui->searched = true;
    ui->listed = status != STATUS_OK;
    snprintf(ui->sought, sizeof ui->sought, "%s", text);
    if (!ui->listed) ui_start_search(ui);
    return STATUS_OK;
}

static void accept_prompt(struct ui *ui, enum prompt_kind kind)
{
    struct explorer *explorer = &ui->explorer;
    const struct csr *a = &ui->session.shown->matrix.csr;
    struct error error = {0};
    enum status status = STATUS_OK;
    if (kind == PROMPT_VIEW) {
        answer(ui);
    } else if (kind == PROMPT_SAVE) {
        ui_accept_file(ui);
    } else if (kind == PROMPT_ORDER_FILE) {
        ui_accept_order_file(ui);
    } else if (kind == PROMPT_PICTURE) {
        if (!ui->late) ui_compose(ui); /* another screen may have been chosen since the last drawing */
        ui_accept_picture(ui);
    } else if (kind == PROMPT_SETTING) {
        ui_accept_setting(ui);
    } else if (kind == PROMPT_ORDER) {
        ui_start_order(ui, ui->prompts[kind].text);
    } else if (kind == PROMPT_GOTO) {
        int64_t row = explorer->cursor.row, col = explorer->cursor.col;
        bool ambiguous;
        status = place_parse(ui->prompts[kind].text, a->rows, a->cols, &row, &col, &ambiguous, &error);
        if (status == STATUS_OK) explorer_move(explorer, row, col);
        if (ambiguous) explorer_say(explorer, "commas group digits; separate row and column by a blank");
    } else {
        status = find(ui, ui->prompts[kind].text, &error);
    }
    if (status != STATUS_OK) explorer_say_error(explorer, &error);
}

/* True if the answer concerns the screen, which is not computed yet. */
static bool comes_early(struct ui *ui, enum prompt_kind kind)
{
    struct search search;
    const bool listed =
        kind == PROMPT_FIND && search_parse(ui->prompts[kind].text, &search, NULL) != STATUS_OK;
    return (listed || kind == PROMPT_PICTURE) && ui_comes_later(ui);
}

void ui_take_answer(struct ui *ui)
{
    const enum prompt_kind kind = ui->held.answered;
    ui->held.answered = PROMPT_NONE;
    if (kind == PROMPT_NONE || ui->prompt != PROMPT_NONE || ui->explorer.view != ui->held.answer_view) return;
    ui->dirty = true;
    accept_prompt(ui, kind);
}

void ui_prompt_key(struct ui *ui, int key)
{
    enum prompt_kind kind = ui->prompt;
    enum prompt_result result = prompt_key(&ui->prompts[kind], key);
    if (result == PROMPT_OPEN) return;
    ui->prompt = PROMPT_NONE;
    if (result != PROMPT_DONE) return;
    if (comes_early(ui, kind)) {
        ui_hold_answer(ui, kind);
        explorer_say(&ui->explorer, "%s once the screen is computed",
                     kind == PROMPT_FIND ? "searching" : "writing the picture");
    } else {
        accept_prompt(ui, kind);
    }
}

void ui_open_prompt(struct ui *ui, enum prompt_kind kind)
{
    if (kind == ui->held.answered) ui->held.answered = PROMPT_NONE;
    ui->prompt = kind;
    prompt_open(&ui->prompts[kind], kind == PROMPT_GOTO ? "Go to row[,column]" : "Find");
}

void ui_propose(struct ui *ui, enum prompt_kind kind, const char *label, const char *text)
{
    if (kind == ui->held.answered) ui->held.answered = PROMPT_NONE;
    ui->prompt = kind;
    prompt_open_with(&ui->prompts[kind], label, text);
    ui->prompts[kind].empty = false;
}

void ui_say_timing(struct ui *ui, const char *what)
{
    char key[KEY_TEXT];
    explorer_say(&ui->explorer, "%s would disturb the timing: %s cancels the run", what,
                 everywhere_key(DEMAND_CANCEL, key));
}

void ui_open_question(struct ui *ui)
{
    struct question *question = &ui->explorer.question;
    if (!question->asked) return;
    ui->prompt = PROMPT_VIEW;
    prompt_open_with(&ui->prompts[PROMPT_VIEW], question->label, question->text);
    question->asked = false;
}
