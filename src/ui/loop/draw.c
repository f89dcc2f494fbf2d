/* Drawing the whole screen: the frame, the view or the progress that it waits for, and the help. */
#include "drawing/flow.h"
#include "ui/loop/loop.h"

/* The maximum width of a text that replaces a screen. */
#define LACKING_WIDE 90

/* While kernels are timed, drawing waits at most this time for the end of a sample before keys are read
 * again. A change by a key is drawn after at most twice this time, even within a sample. */
#define STILL_SECONDS 0.05

/* The footer offers to cancel work that has run for this time. Shorter work would make it flicker. */
#define BUSY_SECONDS 0.5

/* Replace a view that cannot be drawn by the progress of the computation it waits for, or by the reason
 * why it is not computed. */
static void draw_waiting(struct ui *ui, struct rect area)
{
    struct work *work = &ui->work;
    int y = area.top + area.high / 2;
    char text[sizeof work->failure.message], key[KEY_TEXT];
    if (!(ui_active(ui)->needs & work_declined(work)) && work_busy(work)) {
        gauge_draw(&work->gauge, &ui->surface, area, ui->term.ascii,
                   work_alone(work) ? work->task.errand->title : ui_active(ui)->title, &work->job);
        return;
    }
    surface_text(&ui->surface, y - 1, area.left + 4, area.wide - 8, COLOUR_WARN, 0, "Not computed: %s",
                 work->failure.status == STATUS_OK ? "cancelled"
                                                   : error_text(&work->failure, text, sizeof text));
    surface_text(&ui->surface, y + 1, area.left + 4, area.wide - 8, COLOUR_DIM, 0, "%s computes it",
                 everywhere_key(DEMAND_COMPUTE, key));
}

/* Replace a view whose input is unavailable by the reason and the remedy. */
static void draw_lacking(struct ui *ui, struct rect area)
{
    const struct absence *absence = &ui->session.shown->absence;
    const char *lacks = ui_active(ui)->lacks;
    const int wide = area.wide - 8 < LACKING_WIDE ? area.wide - 8 : LACKING_WIDE;
    struct flow flow = {.surface = &ui->surface,
                        .rect = {area.top + area.high / 3, area.left + 4, area.high - area.high / 3, wide}};
    flow_words(&flow, COLOUR_TITLE, ui_active(ui)->title);
    flow_break(&flow);
    if (lacks) flow_words(&flow, COLOUR_WARN, lacks);
    flow_break(&flow);
    flow_words(&flow, COLOUR_TEXT, absence->why);
    flow_break(&flow);
    flow_words(&flow, COLOUR_DIM, absence->remedy);
}

/* Let the view adopt the choices of another case, if one was shown since the view was drawn. */
static void adopt(struct ui *ui, void *state)
{
    struct explorer *explorer = &ui->explorer;
    const void **adopted = &ui->scenes[ui->session.shown - ui->session.cases].adopted[explorer->view];
    if (*adopted && ui_active(ui)->adopt) ui_active(ui)->adopt(explorer, state, *adopted);
    *adopted = NULL;
}

/* Make the view's state if it has none yet. Returns false and shows a message if that fails. */
static bool open_view(struct ui *ui)
{
    struct explorer *explorer = &ui->explorer;
    struct error error = {0};
    void **state = &explorer->states[explorer->view];
    if (!ui_active(ui)->open) return true;
    if (!*state) *state = ui_active(ui)->open(explorer, &error);
    if (*state) {
        adopt(ui, *state);
        return true;
    }
    explorer_say_error(explorer, &error);
    return false;
}

/* Return the keys of the screen that the footer shows beside those of all screens. */
static struct footer_table own_actions(struct ui *ui)
{
    struct footer_table own = {.explorer = &ui->explorer};
    if (ui_lacking(ui)) return own;
    if (ui_waiting(ui)) {
        own.actions = work_busy(&ui->work) ? NULL : waiting_actions;
    } else if (ui_usable(ui) && !ui_list(ui)) {
        own.actions = ui_active(ui)->actions;
        own.state = ui_state(ui);
    }
    return own;
}

static void draw_help(struct ui *ui, struct rect area)
{
    const struct list *list = ui_list(ui);
    const struct action *tables[LIST_TABLES] = {NULL};
    struct help_section sections[LIST_TABLES + 5] = {{0}};
    int count = 0;
    if (list) list_tables(list, tables);
    for (int t = 0; list && t < LIST_TABLES; t++)
        sections[count++] = (struct help_section){"Keys of this list", tables[t]};
    sections[count++] = (struct help_section){"Keys of this screen", ui_active(ui)->actions};
    if (learning_actions(&ui->learning))
        sections[count++] = (struct help_section){"Keys of the lesson", learning_actions(&ui->learning)};
    sections[count++] = (struct help_section){"Keys everywhere", ui->everywhere};
    sections[count++] = (struct help_section){"Keys of this help", help_actions};
    ui->help.explorer = &ui->explorer;
    ui->help.list = list;
    ui->help.state = list || !ui_usable(ui) ? NULL : ui_state(ui);
    help_draw(&ui->help, &ui->surface, area, ui->term.ascii, ui_active(ui), sections);
}

static void draw_area(struct ui *ui)
{
    struct rect area = ui_area(ui);
    surface_clear(&ui->surface);
    ui->explorer.moving = false;
    ui->explorer.tick_ms = 0;
    if (ui_lacking(ui))
        draw_lacking(ui, area);
    else if (ui_waiting(ui))
        draw_waiting(ui, area);
    else if (open_view(ui))
        ui_active(ui)->draw(&ui->explorer, ui_state(ui), &ui->surface, area);
    if (learning_high(&ui->learning))
        learning_draw(&ui->explorer, &ui->learning, &ui->surface,
                      (struct rect){area.top + area.high, 0, learning_high(&ui->learning), area.wide});
    if (ui_over(ui)) list_draw(&ui->explorer, ui_over(ui), &ui->surface, area);
    if (ui->help.open) draw_help(ui, area);
}

/* Return the job whose progress the status line shows; NULL if there is none. */
static const struct job *background(const struct ui *ui)
{
    if (ui->picturing.running) return &ui->picturing.job;
    if (ui->arranging.running) return &ui->arranging.job;
    if (ui->entries.running) return &ui->entries.job;
    return work_busy(&ui->work) ? &ui->work.job : NULL;
}

static void draw_footer(struct ui *ui)
{
    struct explorer *explorer = &ui->explorer;
    const struct job *job = background(ui);
    const struct footer_table none = {.actions = NULL}, help = {.actions = help_actions},
                              everywhere = {ui->everywhere, explorer, NULL}, own = own_actions(ui);
    explorer->busy = job && clock_seconds() - job->started > BUSY_SECONDS;
    explorer->searched = ui->searched;
    if (ui->help.open)
        chrome_footer(&ui->footer, &ui->surface, &help, &none);
    else
        chrome_footer(&ui->footer, &ui->surface, &own, &everywhere);
}

void ui_compose(struct ui *ui)
{
    struct explorer *explorer = &ui->explorer;
    struct prompt *prompt = ui->prompt == PROMPT_NONE ? NULL : &ui->prompts[ui->prompt];
    explorer->learning = learning_high(&ui->learning) > 0;
    if (ui_too_small(ui)) {
        chrome_too_small(&ui->surface);
        if (ui->leaving)
            surface_text(&ui->surface, ui->surface.high - 1, 0, ui->surface.wide, COLOUR_WARN, 0, "%s",
                         explorer->message);
    } else {
        if (ui->dirty || ui_waiting(ui) || explorer->moving) draw_area(ui);
        chrome_head(explorer, &ui->surface);
        chrome_status(explorer, &ui->surface, background(ui));
        draw_footer(ui);
        chrome_bottom(explorer, &ui->surface, prompt, ui->searching ? &ui->search : NULL, &ui->footer);
    }
}

void ui_draw_between_samples(struct ui *ui)
{
    struct progress *progress = work_busy(&ui->work) ? &ui->work.job.progress : NULL;
    ui->late = !progress_may_draw(progress, STILL_SECONDS, ui->dirty);
    if (ui->late) return;
    ui_compose(ui);
    ui->dirty = false;
    term_draw(&ui->term, &ui->surface);
    progress_drawn(progress);
}
