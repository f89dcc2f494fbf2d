/* Kernels: the options of the next run, and running. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "ui/kernels/kernels.h"
#include "ui/widgets/gauge.h"

#define SWEEP_ALL 16 /* up to so many threads, each number of them is run */

/* Running */

static enum status run(void *argument, struct progress *progress, struct error *error)
{
    struct making *making = argument;
    return session_run(making->session, &making->results, &making->options, making->sample, progress, error);
}

bool board_running(const struct board *board)
{
    return board->errand.state == ERRAND_WANTED || board->errand.state == ERRAND_RUNNING;
}

/* Numbers of threads of a sweep: all, or where they are many, powers of two and the most. */
static struct thread_counts sweep_threads(int max)
{
    struct thread_counts counts = {.count = 0};
    for (int t = 1; t < max; t = max <= SWEEP_ALL ? t + 1 : 2 * t)
        counts.items[counts.count++] = t;
    counts.items[counts.count++] = max;
    return counts;
}

/* "1,2,4" or "1-8"; how many there are where one per processor is asked for. */
static char *write_threads(struct thread_counts counts, char *out, size_t size)
{
    for (int k = 0; k < counts.count; k++)
        if (counts.items[k] == 0) counts.items[k] = threads_count();
    return thread_counts_write(&counts, out, size);
}

/* True if a kernel is to be run: all, those selected, or the one under the cursor. */
static bool is_wanted(const struct board *board, int choice, bool all)
{
    if (all) return true;
    if (board_selected(board) > 0) return board->selected[choice];
    return board->cursor < board->line_count && board->lines[board->cursor].choice == choice;
}

static bool can_run(const struct explorer *explorer, const struct board *board, int choice)
{
    bool complex = explorer->session->shown->matrix.csr.imaginary != NULL;
    return kernel_check(board->list.choices[choice].kernel, complex, board->options.product, NULL) ==
           STATUS_OK;
}

/* Its requests can be replayed, whether there is a GPU or not. */
static bool can_estimate(const struct explorer *explorer, const struct board *board, int choice)
{
    const struct kernel *kernel = board->list.choices[choice].kernel;
    bool complex = explorer->session->shown->matrix.csr.imaginary != NULL;
    return kernel->trace && kernel_suits(kernel, complex, board->options.product, NULL) == STATUS_OK;
}

/* Of those that can not be run. */
static int count_on_paper(const struct explorer *explorer, const struct board *board, bool all)
{
    int count = 0;
    for (int k = 0; k < board->list.count; k++)
        count += is_wanted(board, k, all) && !can_run(explorer, board, k) && can_estimate(explorer, board, k);
    return count;
}

int board_runnable(const struct explorer *explorer, const struct board *board, bool all)
{
    int count = 0;
    for (int k = 0; k < board->list.count; k++)
        count += is_wanted(board, k, all) && can_run(explorer, board, k);
    return count;
}

static enum status want(const struct explorer *explorer, const struct board *board, struct making *making,
                        bool all, bool sweep, struct error *error)
{
    enum status status = STATUS_OK;
    int threads[THREAD_COUNTS_MAX];
    const struct thread_counts all_threads = sweep_threads(threads_count());
    for (int k = 0; k < board->list.count && status == STATUS_OK; k++) {
        const struct kernel_choice *choice = &board->list.choices[k];
        if (!is_wanted(board, k, all)) continue;
        if (!can_run(explorer, board, k) && !can_estimate(explorer, board, k)) continue;
        if (sweep && results_threads(choice->kernel, 1) == results_threads(choice->kernel, 2)) continue;
        int count = sweep ? all_threads.count : board_threads(board, choice->kernel, threads);
        for (int t = 0; t < count && status == STATUS_OK; t++) {
            const struct kernel_choice wanted =
                kernel_choice_with(choice, board->precision, sweep ? all_threads.items[t] : threads[t]);
            status = results_want(&making->results, &wanted, error);
        }
    }
    return status;
}

static void write_label(const struct board *board, bool sweep, char *out, size_t size)
{
    const struct bench_options *options = &board->options;
    char threads[40];
    snprintf(out, size, "%s %s thr%s%s%s%s", precision_name(board->precision),
             write_threads(sweep ? sweep_threads(threads_count()) : board->threads, threads, sizeof threads),
             options->cold ? ", cold" : "", options->product.accumulate ? ", y += A x" : "",
             options->protocol == PROTOCOL_MEDIAN ? "" : ", ",
             options->protocol == PROTOCOL_MEDIAN ? "" : protocol_name(options->protocol));
}

static const char *why_not(const struct explorer *explorer, const struct board *board, bool all)
{
    if (board_running(board)) return "a run is going on: x cancels it";
    if (!all && board->mode == MODE_BESIDE && board_selected(board) == 0)
        return "no kernel is selected: b goes back to the table, R runs all";
    if (explorer->session->shown->runs.count == RUNS_MAX)
        return "as many runs are kept as there can be: b shows them, Del there drops one";
    if (board_runnable(explorer, board, all) + count_on_paper(explorer, board, all) == 0)
        return "none of these kernels can run here: Enter says why";
    return NULL;
}

static void begin(struct explorer *explorer, struct board *board, bool all, bool sweep)
{
    struct making *making = &board->making;
    struct error error = {0};
    char text[sizeof explorer->message];
    const char *reason = why_not(explorer, board, all);
    if (reason) {
        explorer_say(explorer, "%s", reason);
        return;
    }
    results_free(&making->results);
    *making = (struct making){.session = explorer->session, .options = board->options};
    making->options.limit = explorer->session->limit;
    making->sample = explorer->sample;
    if (want(explorer, board, making, all, sweep, &error) != STATUS_OK) {
        results_free(&making->results);
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
        return;
    }
    if (making->results.count == 0) {
        explorer_say(explorer, "the number of threads makes no difference to these kernels: choose others");
        return;
    }
    making->sweep = sweep;
    write_label(board, sweep, making->label, sizeof making->label);
    making->count = making->results.count;
    board->errand = (struct errand){.run = run,
                                    .argument = making,
                                    .state = ERRAND_WANTED,
                                    .alone = true,
                                    .title = "When the kernels are timed"};
    explorer->errand = &board->errand;
}

void board_run_some(struct explorer *explorer, void *state, int all)
{
    begin(explorer, state, all, false);
}

void board_sweep_threads(struct explorer *explorer, void *state, int unused)
{
    (void)unused;
    begin(explorer, state, false, true);
}

void board_take(struct explorer *explorer, struct board *board)
{
    struct making *making = &board->making;
    struct error error = {0};
    char text[sizeof explorer->message];
    if (board->errand.state == ERRAND_WANTED) explorer->errand = &board->errand;
    if (board->errand.state != ERRAND_DONE) return;
    board->errand.state = ERRAND_NONE;
    const struct run *run =
        runs_add(&explorer->session->shown->runs, making->label, &making->results, &error);
    if (!run)
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
    else
        explorer_say(explorer, "run #%d, %s: %d result%s", run->number, run->label, run->results.count,
                     run->results.count == 1 ? "" : "s");
    if (run && making->sweep && board->mode == MODE_TABLE) board->mode = MODE_CURVES;
    results_free(&making->results);
    board->shown = NULL;
    board->stale = true;
}

/* Options */

void board_ask_threads(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    char text[sizeof explorer->question.text], label[64];
    snprintf(label, sizeof label, "Threads, as 1,2,4 or 1-8 (there are %d)", threads_count());
    board->question = QUESTION_THREADS;
    (void)unused;
    explorer_ask(explorer, label, write_threads(board->threads, text, sizeof text));
}

/* What the prompt begins with: the parameters that the line's kernel has been given. */
void board_ask_parameters(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    char label[sizeof explorer->question.label], text[CHOICE_NAME];
    (void)unused;
    if (board->mode != MODE_TABLE) {
        explorer_say(explorer, "kernels are added in the table");
        return;
    }
    board->question = QUESTION_PARAMETERS;
    if (board->cursor >= board->line_count || board->lines[board->cursor].choice < 0) {
        explorer_say(explorer, "] goes on to the newest results, where kernels can be added");
        return;
    }
    const struct kernel_choice *choice = &board->list.choices[board->lines[board->cursor].choice];
    const struct parameter *tables[] = {choice->kernel->parameters, choice->kernel->format->parameters};
    size_t length = (size_t)snprintf(label, sizeof label, "%s", choice->kernel->name);
    int count = 0;
    for (int t = 0; t < 2; t++)
        for (const struct parameter *p = tables[t]; p->name && length < sizeof label; p++)
            length += (size_t)snprintf(label + length, sizeof label - length, "%s%s", count++ ? ", " : " (",
                                       p->name);
    if (count == 0) {
        explorer_say(explorer, "%s has no parameters", choice->kernel->name);
        return;
    }
    if (length + 2 < sizeof label) strcat(label, ")");
    explorer_ask(explorer, label, kernel_choice_parameters(choice, text, sizeof text));
}

/* Nothing but blanks means one thread per processor. */
static void answer_threads(struct explorer *explorer, struct board *board, const char *text)
{
    struct thread_counts threads = {.count = 0};
    struct error error = {0};
    char words[sizeof explorer->message];
    if (!text[strspn(text, " ")])
        threads.count = 1;
    else if (thread_counts_read(&threads, text, &error) != STATUS_OK) {
        explorer_say(explorer, "%s", error_text(&error, words, sizeof words));
        return;
    }
    thread_counts_sort(&threads);
    board->threads = threads;
    board->shown = NULL;
    board->stale = true;
}

static void answer_parameters(struct explorer *explorer, struct board *board, const char *text)
{
    struct error error = {0};
    char words[sizeof explorer->message];
    if (board->cursor >= board->line_count || board->lines[board->cursor].choice < 0) return;
    const struct kernel_choice *choice = &board->list.choices[board->lines[board->cursor].choice];
    int first = board->list.count, count = board_add(board, choice->kernel, text, &error);
    if (error.status != STATUS_OK) {
        explorer_say(explorer, "%s", error_text(&error, words, sizeof words));
        return;
    }
    explorer_say(explorer,
                 count == 0   ? "this kernel is in the table already"
                 : count == 1 ? "added: r runs it, Del removes it"
                              : "%d kernels added and selected: r runs them, Del removes one",
                 count);
    for (int k = 0; count > 1 && k < board->list.count; k++)
        board->selected[k] = k >= first;
    board->shown = NULL;
    board_refresh(explorer, board);
    for (int k = 0; count > 0 && k < board->line_count; k++)
        if (board->lines[k].choice == first) board->cursor = k;
}

void board_answer(struct explorer *explorer, struct board *board, const char *text)
{
    if (board->question == QUESTION_THREADS)
        answer_threads(explorer, board, text);
    else
        answer_parameters(explorer, board, text);
}

/* With other options than it was made with, no single run is shown. */
static void show_newest(struct board *board)
{
    board->shown = NULL;
    board->stale = true;
}

void board_change_precision(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    (void)explorer;
    (void)unused;
    board->precision = board->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    board->stale = true;
}

void board_change_cold(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    (void)explorer;
    (void)unused;
    board->options.cold = !board->options.cold;
    show_newest(board);
}

void board_change_accumulate(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    (void)explorer;
    (void)unused;
    board->options.product.accumulate = !board->options.product.accumulate;
    show_newest(board);
}

void board_change_protocol(struct explorer *explorer, void *state, int unused)
{
    struct board *board = state;
    (void)explorer;
    (void)unused;
    board->options.protocol = (enum protocol)((board->options.protocol + 1) % (PROTOCOL_CMRS + 1));
    show_newest(board);
}

/* Two lines above the table */

/* An option with the key that changes it, which is the one that calls `change`. */
static int draw_option(struct surface *surface, int y, int x, int wide,
                       void (*change)(struct explorer *explorer, void *state, int unused), const char *text,
                       bool set)
{
    int left = x + wide;
    const struct action *action = board_actions;
    while (action->run != change)
        action++;
    x += surface_text_whole(surface, y, x, left - x, COLOUR_ACCENT, 0, "%c ", action->keys[0]);
    x += surface_text_whole(surface, y, x, left - x, set ? COLOUR_WARN : COLOUR_TEXT, 0, "%s", text);
    return x + 3;
}

void board_draw_options(const struct board *board, struct surface *surface, int y, int wide)
{
    static const char *const protocols[] = {"median", "Cranfield: mean of 19", "CMRS: mean of 10"};
    const struct bench_options *options = &board->options;
    char threads[40], text[64];
    int x = 1, count = board_selected(board);
    write_threads(board->threads, threads, sizeof threads);
    if (board->threads.count > 1 && surface_columns(threads) > 14)
        snprintf(threads, sizeof threads, "%d numbers", board->threads.count);
    snprintf(text, sizeof text, "threads %s", threads);
    x = draw_option(surface, y, x, wide - x, board_change_precision, precision_name(board->precision), false);
    x = draw_option(surface, y, x, wide - x, board_ask_threads, text, false);
    x = draw_option(surface, y, x, wide - x, board_change_cold, options->cold ? "cold" : "warm",
                    options->cold);
    x = draw_option(surface, y, x, wide - x, board_change_accumulate,
                    options->product.accumulate ? "y += A x" : "y = A x", options->product.accumulate);
    x = draw_option(surface, y, x, wide - x, board_change_protocol, protocols[options->protocol],
                    options->protocol != 0);
    if (count > 0)
        snprintf(text, sizeof text, "%d of %d selected", count, board->list.count);
    else if (board->mode == MODE_TABLE && board->rows < board->line_count)
        snprintf(text, sizeof text, "rows %d-%d of %d", board->top + 1, board->top + board->rows,
                 board->line_count);
    else
        snprintf(text, sizeof text, "%d kernels", board->list.count);
    if (x + surface_columns(text) < wide)
        surface_text_right(surface, y, x, wide - x - 1, count > 0 ? COLOUR_ACCENT : COLOUR_DIM, 0, "%s",
                           text);
}

/* What is left of the phase, once its speed is known. */
static void time_left(const struct board *board, double now, int64_t done, int64_t total, char *out,
                      size_t size)
{
    char seconds[32];
    double elapsed = now - board->since;
    out[0] = 0;
    if (total <= 0 || done <= 0 || done >= total || elapsed < 0.5) return;
    format_seconds(seconds, sizeof seconds, ceil(elapsed * (double)(total - done) / (double)done));
    snprintf(out, size, ", %s left", seconds);
}

/* How far the run is. */
static void draw_progress(struct explorer *explorer, struct board *board, struct surface *surface, int y,
                          int wide)
{
    const struct job *job = explorer->job;
    explorer->moving = true;
    if (board->errand.state == ERRAND_WANTED || !job) {
        surface_text(surface, y, 1, wide - 2, COLOUR_DIM, 0, "about to run %d kernels", board->making.count);
        return;
    }
    const char *phase = atomic_load(&job->progress.phase);
    int64_t done = atomic_load(&job->progress.done), total = atomic_load(&job->progress.total);
    int x = 1, bar = wide >= 100 ? 30 : 16;
    char left[64] = "", spent[32];
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, ATTRIBUTE_BOLD, "%d running ",
                      board->making.count);
    gauge_bar(surface, y, x, bar, explorer->ascii, job);
    x += bar + 1;
    if (total > 0) snprintf(left, sizeof left, " %.0f%%", 100 * (double)done / (double)total);
    x += surface_text_whole(surface, y, x, wide - x, COLOUR_TEXT, 0, "%s%s",
                            progress_cancelled(&job->progress) ? "cancelling"
                            : phase                            ? phase
                                                               : "starting",
                            left);
    if (phase != board->phase || board->since < job->started) {
        board->phase = phase;
        board->since = clock_seconds();
    }
    double now = clock_seconds();
    format_seconds(spent, sizeof spent, now - job->started);
    time_left(board, now, done, total, left, sizeof left);
    x += surface_text_whole(surface, y, x + 2, wide - x - 14, COLOUR_DIM, 0, "%s%s", spent, left) + 2;
    if (x + 11 < wide) surface_text_right(surface, y, x, wide - x - 1, COLOUR_ACCENT, 0, "x cancels");
}

/* What there is to do at first. */
static void draw_hint(const struct explorer *explorer, const struct board *board, struct surface *surface,
                      int y, int wide)
{
    int all = board_runnable(explorer, board, true), paper = count_on_paper(explorer, board, true);
    double seconds = results_forecast(&explorer->session->shown->matrix.csr, all);
    int x = 1;
    if (all + paper == 0) {
        surface_text_whole(surface, y, x, wide - x - 1, COLOUR_WARN, 0,
                           "No kernel can run on this matrix here.");
        return;
    }
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, 0, "R");
    x += surface_text(surface, y, x, wide - x, COLOUR_TEXT, 0, " runs all %d kernels, ", all);
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, 0, "r");
    x += surface_text(surface, y, x, wide - x, COLOUR_TEXT, 0, " %s; ",
                      board_selected(board) ? "those selected" : "the one under the cursor");
    int kept = explorer->session->shown->runs.count;
    if (kept > 0) /* saved ones, or made under other options */
        x += surface_text_whole(surface, y, x, wide - x - 1, COLOUR_DIM, 0, "[ shows the last of %d kept",
                                kept);
    else if (seconds < 100)
        x += surface_text_whole(surface, y, x, wide - x - 1, COLOUR_DIM, 0, "all take about %.0f s",
                                ceil(seconds));
    else
        x += surface_text_whole(surface, y, x, wide - x - 1, COLOUR_DIM, 0, "all take about %.0f min",
                                ceil(seconds / 60));
    if (paper > 0)
        surface_text_whole(surface, y, x, wide - x - 1, COLOUR_DIM, 0, "; %d of GPUs on paper", paper);
}

void board_draw_state(struct explorer *explorer, struct board *board, struct surface *surface, int y,
                      int wide)
{
    const struct runs *runs = &explorer->session->shown->runs;
    const struct run *shown = board->shown;
    int x = 1;
    if (board_running(board)) {
        draw_progress(explorer, board, surface, y, wide);
    } else if (shown && board->mode == MODE_TABLE) {
        x += surface_text(surface, y, x, wide - x, COLOUR_TITLE, 0, "Run %d of %d: #%d ",
                          board_run_index(explorer, shown) + 1, runs->count, shown->number);
        x +=
            surface_text_short(surface, y, x, wide - x - 12, explorer->ascii, COLOUR_ACCENT, 0, shown->label);
        if (shown->saved) x += surface_text_whole(surface, y, x, wide - x, COLOUR_DIM, 0, " (saved)");
        board_draw_machines(board, surface, y, x + 3, wide - x - 4);
    } else if (board->timed == 0) {
        draw_hint(explorer, board, surface, y, wide);
    } else {
        board_draw_machines(board, surface, y, 1, wide - 2);
    }
}
