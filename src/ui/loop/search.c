/* Searches in the background, while the screen stays usable. */
#include "base/text.h"
#include "ui/loop/loop.h"

void ui_start_search(struct ui *ui)
{
    struct error error = {0};
    const struct matrix_case *shown = ui->session.shown;
    if (!case_has_entries(shown)) {
        explorer_say(&ui->explorer, "a search needs the entries: %s", shown->absence.remedy);
        return;
    }
    if (!work_make_way(&ui->work)) {
        ui_say_timing(ui, "a search");
        return;
    }
    ui_stop_search(ui);
    ui->searched_in = ui->session.shown;
    ui->finding = finding_of(&ui->session.shown->matrix, &ui->finding.search);
    ui->finding.col_ptr = session_has(&ui->session, SESSION_COL_PTR) ? ui->session.shown->col_ptr : NULL;
    ui->finding.limit = ui->session.limit;
    ui->finding.row = ui->explorer.cursor.row;
    ui->finding.col = ui->explorer.cursor.col;
    if (job_start(&ui->search, finding_run, &ui->finding, &error) == STATUS_OK)
        ui->searching = true;
    else
        explorer_say_error(&ui->explorer, &error);
}

void ui_stop_search(struct ui *ui)
{
    ui->repeats = 0;
    if (!ui->searching) return;
    progress_cancel(&ui->search.progress);
    job_join(&ui->search);
    ui->searching = false;
}

void ui_end_search(struct ui *ui)
{
    const struct finding *finding = &ui->finding;
    char found[FOUND_SIZE];
    enum status status = job_join(&ui->search);
    ui->searching = false;
    if (status == STATUS_CANCELLED) {
        explorer_say(&ui->explorer, "search cancelled");
    } else if (status != STATUS_OK) {
        explorer_say_error(&ui->explorer, &ui->search.error);
    } else if (!finding->found) {
        explorer_say(&ui->explorer, "none found: %s", ui->sought);
    } else {
        int64_t row = finding->row, col = finding->col;
        case_carry(ui->searched_in, ui->session.shown, &row, &col);
        explorer_move(&ui->explorer, row, col);
        ui->explorer.aimed = true;
        explorer_say(&ui->explorer, "%s", finding_text(finding, ui->sought, found));
        ui->dirty = true;
        const int repeats = ui->repeats;
        if (repeats > 0) ui_start_search(ui);
        ui->repeats = ui->searching ? repeats - 1 : 0;
        return;
    }
    ui->repeats = 0;
}

void ui_repeat_search(struct ui *ui)
{
    char key[KEY_TEXT];
    if (ui->searching) {
        ui->repeats++;
    } else if (ui->searched && ui->listed) {
        if (ui_comes_later(ui) || !ui_usable(ui) ||
            !view_find(&ui->explorer, ui_active(ui), ui_state(ui), ui->sought))
            explorer_say(&ui->explorer, "this screen has nothing with '%s'", ui->sought);
    } else if (ui->searched)
        ui_start_search(ui);
    else
        explorer_say(&ui->explorer, "nothing to repeat: %s finds", everywhere_key(DEMAND_FIND, key));
}
