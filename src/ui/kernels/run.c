/* The options of the next run, running it, and what is drawn of both. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "ui/everywhere.h"
#include "ui/kernels/kernels.h"
#include "ui/widgets/gauge.h"

#define SWEEP_ALL 16 /* a machine of up to so many threads is swept with each number of them */

/* Running */

static enum status run(void *argument, struct progress *progress, struct error *error)
{
    struct making *making = argument;
    return session_run(making->session, &making->results, &making->options, making->sample, progress, error);
}

bool kernels_running(const struct kernels_screen *screen)
{
    return screen->errand.state == ERRAND_WANTED || screen->errand.state == ERRAND_RUNNING;
}

/* Return the numbers of threads of a sweep: 1, 2, 3, ..., max, or if max is large the powers of two below it
 * and max. */
static struct thread_counts sweep_threads(int max)
{
    struct thread_counts counts = {.count = 0};
    for (int t = 1; t < max; t = max <= SWEEP_ALL ? t + 1 : 2 * t)
        counts.items[counts.count++] = t;
    counts.items[counts.count++] = max;
    return counts;
}

/* Write "1,2,4" or "1-8", with the number of processors for the 0 that stands for it. */
static char *write_threads(struct thread_counts counts, char *out, size_t size)
{
    for (int k = 0; k < counts.count; k++)
        if (counts.items[k] == 0) counts.items[k] = threads_count();
    return thread_counts_write(&counts, out, size);
}

/* True if the user asks for this kernel: for `all`, else for those selected, or if none is selected for the
 * one under the cursor. */
static bool is_wanted(const struct kernels_screen *screen, int choice, bool all)
{
    if (all) return true;
    if (kernels_selected(screen) > 0) return screen->selected[choice];
    return screen->cursor < screen->line_count && screen->lines[screen->cursor].choice == choice;
}

static bool can_run(const struct explorer *explorer, const struct kernels_screen *screen, int choice)
{
    bool complex = explorer->session->shown->matrix.csr.imaginary != NULL;
    return kernel_check(screen->list.choices[choice].kernel, complex, screen->options.product, NULL) ==
           STATUS_OK;
}

/* True if the requests of the kernel can be replayed, for which no GPU is needed. */
static bool can_estimate(const struct explorer *explorer, const struct kernels_screen *screen, int choice)
{
    const struct kernel *kernel = screen->list.choices[choice].kernel;
    bool complex = explorer->session->shown->matrix.csr.imaginary != NULL;
    return kernel->trace && kernel_suits(kernel, complex, screen->options.product, NULL) == STATUS_OK;
}

/* Return the number of kernels that the user asks for that cannot be run here but can be estimated. */
static int count_estimated(const struct explorer *explorer, const struct kernels_screen *screen, bool all)
{
    int count = 0;
    for (int k = 0; k < screen->list.count; k++)
        count +=
            is_wanted(screen, k, all) && !can_run(explorer, screen, k) && can_estimate(explorer, screen, k);
    return count;
}

int kernels_runnable(const struct explorer *explorer, const struct kernels_screen *screen, bool all)
{
    int count = 0;
    for (int k = 0; k < screen->list.count; k++)
        count += is_wanted(screen, k, all) && can_run(explorer, screen, k);
    return count;
}

static enum status want(const struct explorer *explorer, const struct kernels_screen *screen,
                        struct making *making, bool all, bool sweep, struct error *error)
{
    enum status status = STATUS_OK;
    int threads[THREAD_COUNTS_MAX];
    const struct thread_counts all_threads = sweep_threads(threads_count());
    for (int k = 0; k < screen->list.count && status == STATUS_OK; k++) {
        const struct kernel_choice *choice = &screen->list.choices[k];
        if (!is_wanted(screen, k, all)) continue;
        if (!can_run(explorer, screen, k) && !can_estimate(explorer, screen, k)) continue;
        if (sweep && results_threads(choice->kernel, 1) == results_threads(choice->kernel, 2)) continue;
        int count = sweep ? all_threads.count : kernels_threads(screen, choice->kernel, threads);
        for (int t = 0; t < count && status == STATUS_OK; t++) {
            const struct kernel_choice wanted =
                kernel_choice_with(choice, screen->precision, sweep ? all_threads.items[t] : threads[t]);
            status = results_want(&making->results, &wanted, error);
        }
    }
    return status;
}

static void write_label(const struct kernels_screen *screen, bool sweep, char *out, size_t size)
{
    const struct bench_options *options = &screen->options;
    char threads[40];
    snprintf(out, size, "%s %s thr%s%s%s%s", precision_name(screen->precision),
             write_threads(sweep ? sweep_threads(threads_count()) : screen->threads, threads, sizeof threads),
             options->cold ? ", cold" : "", options->product.accumulate ? ", y += A x" : "",
             options->protocol == PROTOCOL_MEDIAN ? "" : ", ",
             options->protocol == PROTOCOL_MEDIAN ? "" : protocol_name(options->protocol));
}

static const char *why_not(const struct explorer *explorer, const struct kernels_screen *screen, bool all)
{
    if (kernels_running(screen)) return "a run is going on: x cancels it";
    if (!all && screen->mode == MODE_BESIDE && kernels_selected(screen) == 0)
        return "no kernel is selected: b goes back to the table, R runs all";
    if (explorer->session->shown->runs.count == RUNS_MAX)
        return "as many runs are kept as there can be: b shows them, Del there drops one";
    if (kernels_runnable(explorer, screen, all) + count_estimated(explorer, screen, all) == 0)
        return "none of these kernels can run here: Enter says why";
    return NULL;
}

static void begin(struct explorer *explorer, struct kernels_screen *screen, bool all, bool sweep)
{
    struct making *making = &screen->making;
    struct error error = {0};
    char text[sizeof explorer->message];
    const char *reason = why_not(explorer, screen, all);
    if (reason) {
        explorer_say(explorer, "%s", reason);
        return;
    }
    results_free(&making->results);
    free(making->outlooks);
    *making = (struct making){.session = explorer->session, .options = screen->options};
    making->options.limit = explorer->session->limit;
    making->sample = explorer->sample;
    if (want(explorer, screen, making, all, sweep, &error) != STATUS_OK) {
        results_free(&making->results);
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
        return;
    }
    if (making->results.count == 0) {
        explorer_say(explorer, "the number of threads makes no difference to these kernels: choose others");
        return;
    }
    making->outlooks = memory_zeroed((size_t)making->results.count, sizeof *making->outlooks, &error);
    making->options.outlooks = making->outlooks;
    if (!making->outlooks) {
        results_free(&making->results);
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
        return;
    }
    making->sweep = sweep;
    write_label(screen, sweep, making->label, sizeof making->label);
    making->count = making->results.count;
    screen->errand = (struct errand){.run = run,
                                     .argument = making,
                                     .state = ERRAND_WANTED,
                                     .alone = true,
                                     .title = "When the kernels are timed"};
    explorer->errand = &screen->errand;
}

void kernels_run_some(struct explorer *explorer, void *state, int all)
{
    begin(explorer, state, all, false);
}

void kernels_sweep_threads(struct explorer *explorer, void *state, int unused)
{
    (void)unused;
    begin(explorer, state, false, true);
}

bool kernels_outlook(const struct explorer *explorer, const struct kernels_screen *screen,
                     const struct line *line, struct result *result)
{
    const struct making *making = &screen->making;
    const struct csr *a = &explorer->session->shown->matrix.csr;
    if (screen->errand.state != ERRAND_RUNNING || !making->outlooks || line->choice < 0) return false;
    if (screen->shown || !kernels_options_alike(&making->options, &screen->options)) return false;
    const struct kernel_choice choice =
        kernel_choice_with(&screen->list.choices[line->choice], screen->precision, line->threads);
    for (int k = 0; k < making->count; k++) {
        double seconds = atomic_load(&making->outlooks[k].seconds);
        if (!(seconds > 0) || !kernel_choice_same(&making->results.items[k].choice, &choice)) continue;
        *result = line->result && !line->run
                      ? *line->result
                      : result_unrun(&choice, a->imaginary != NULL, making->options.product);
        result->status = STATUS_OK;
        result->flops = 2 * (double)csr_nnz(a);
        result->flops_cmrs = result->flops - (double)a->rows;
        result->samples.count = atomic_load(&making->outlooks[k].count);
        result->samples.time = seconds;
        return true;
    }
    return false;
}

void kernels_take(struct explorer *explorer, struct kernels_screen *screen)
{
    struct making *making = &screen->making;
    struct error error = {0};
    char text[sizeof explorer->message];
    if (screen->errand.state == ERRAND_WANTED) explorer->errand = &screen->errand;
    if (screen->errand.state != ERRAND_DONE) return;
    screen->errand.state = ERRAND_NONE;
    const struct run *run =
        runs_add(&explorer->session->shown->runs, making->label, &making->results, &error);
    if (!run)
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
    else
        explorer_say(explorer, "run #%d, %s: %d result%s", run->number, run->label, run->results.count,
                     run->results.count == 1 ? "" : "s");
    if (run && making->sweep && screen->mode == MODE_TABLE) screen->mode = MODE_CURVES;
    results_free(&making->results);
    screen->shown = NULL;
    screen->stale = true;
}

/* Options */

void kernels_ask_threads(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    char text[sizeof explorer->question.text], label[64];
    snprintf(label, sizeof label, "Threads, as 1,2,4 or 1-8 (there are %d)", threads_count());
    screen->question = QUESTION_THREADS;
    (void)unused;
    explorer_ask(explorer, label, write_threads(screen->threads, text, sizeof text));
}

void kernels_ask_parameters(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    char label[sizeof explorer->question.label], text[CHOICE_NAME];
    (void)unused;
    if (screen->mode != MODE_TABLE) {
        explorer_say(explorer, "kernels are added in the table");
        return;
    }
    screen->question = QUESTION_PARAMETERS;
    if (screen->cursor >= screen->line_count || screen->lines[screen->cursor].choice < 0) {
        explorer_say(explorer, "] goes on to the newest results, where kernels can be added");
        return;
    }
    const struct kernel_choice *choice = &screen->list.choices[screen->lines[screen->cursor].choice];
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

/* An empty answer stands for one thread per processor. */
static void answer_threads(struct explorer *explorer, struct kernels_screen *screen, const char *text)
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
    screen->threads = threads;
    screen->shown = NULL;
    screen->stale = true;
}

static void answer_parameters(struct explorer *explorer, struct kernels_screen *screen, const char *text)
{
    struct error error = {0};
    char words[sizeof explorer->message];
    if (screen->cursor >= screen->line_count || screen->lines[screen->cursor].choice < 0) return;
    const struct kernel_choice *choice = &screen->list.choices[screen->lines[screen->cursor].choice];
    int first = screen->list.count, count = kernels_add(screen, choice->kernel, text, &error);
    if (error.status != STATUS_OK) {
        explorer_say(explorer, "%s", error_text(&error, words, sizeof words));
        return;
    }
    explorer_say(explorer,
                 count == 0   ? "this kernel is in the table already"
                 : count == 1 ? "added: r runs it, Del removes it"
                              : "%d kernels added and selected: r runs them, Del removes one",
                 count);
    for (int k = 0; count > 1 && k < screen->list.count; k++)
        screen->selected[k] = k >= first;
    screen->shown = NULL;
    kernels_refresh(explorer, screen);
    for (int k = 0; count > 0 && k < screen->line_count; k++)
        if (screen->lines[k].choice == first) screen->cursor = k;
}

void kernels_answer(struct explorer *explorer, struct kernels_screen *screen, const char *text)
{
    if (screen->question == QUESTION_THREADS)
        answer_threads(explorer, screen, text);
    else
        answer_parameters(explorer, screen, text);
}

/* A run that was made with other options than those above the table is not shown alone: the table goes back
 * to the newest results. */
static void show_newest(struct kernels_screen *screen)
{
    screen->shown = NULL;
    screen->stale = true;
}

void kernels_change_precision(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    (void)explorer;
    (void)unused;
    screen->precision = screen->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    screen->stale = true;
}

void kernels_change_cold(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    (void)explorer;
    (void)unused;
    screen->options.cold = !screen->options.cold;
    show_newest(screen);
}

void kernels_change_accumulate(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    (void)explorer;
    (void)unused;
    screen->options.product.accumulate = !screen->options.product.accumulate;
    kernels_forget(screen);
    show_newest(screen);
}

void kernels_change_protocol(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    (void)explorer;
    (void)unused;
    screen->options.protocol = (enum protocol)((screen->options.protocol + 1) % (PROTOCOL_CMRS + 1));
    show_newest(screen);
}

/* Two lines above the table */

/* Draw an option behind the key that changes it, which is that of the action that calls `change`. An option
 * that is `set` differs from the default. Returns where the next option begins. */
static int draw_option(struct surface *surface, int y, int x, int wide,
                       void (*change)(struct explorer *explorer, void *state, int unused), const char *text,
                       bool set)
{
    int left = x + wide;
    const struct action *action = kernels_actions;
    while (action->run != change)
        action++;
    x += surface_text_whole(surface, y, x, left - x, COLOUR_ACCENT, 0, "%c ", action->keys[0]);
    x += surface_text_whole(surface, y, x, left - x, set ? COLOUR_WARN : COLOUR_TEXT, 0, "%s", text);
    return x + 3;
}

void kernels_draw_options(const struct kernels_screen *screen, struct surface *surface, int y, int wide)
{
    static const char *const protocols[] = {"median", "Cranfield: mean of 19", "CMRS: mean of 10"};
    const struct bench_options *options = &screen->options;
    char threads[40], text[64];
    int x = 1, count = kernels_selected(screen);
    write_threads(screen->threads, threads, sizeof threads);
    if (screen->threads.count > 1 && surface_columns(threads) > 14)
        snprintf(threads, sizeof threads, "%d numbers", screen->threads.count);
    snprintf(text, sizeof text, "threads %s", threads);
    x = draw_option(surface, y, x, wide - x, kernels_change_precision, precision_name(screen->precision),
                    false);
    x = draw_option(surface, y, x, wide - x, kernels_ask_threads, text, false);
    x = draw_option(surface, y, x, wide - x, kernels_change_cold, options->cold ? "cold" : "warm",
                    options->cold);
    x = draw_option(surface, y, x, wide - x, kernels_change_accumulate,
                    options->product.accumulate ? "y += A x" : "y = A x", options->product.accumulate);
    x = draw_option(surface, y, x, wide - x, kernels_change_protocol, protocols[options->protocol],
                    options->protocol != 0);
    if (count > 0)
        snprintf(text, sizeof text, "%d of %d selected", count, screen->list.count);
    else if (screen->mode == MODE_TABLE && screen->rows < screen->line_count)
        snprintf(text, sizeof text, "rows %d-%d of %d", screen->top + 1, screen->top + screen->rows,
                 screen->line_count);
    else
        snprintf(text, sizeof text, "%d kernels", screen->list.count);
    if (x + surface_columns(text) < wide)
        surface_text_right(surface, y, x, wide - x - 1, count > 0 ? COLOUR_ACCENT : COLOUR_DIM, 0, "%s",
                           text);
}

/* Write ", 3 s left" for the phase of the run, by its speed so far; "" in its first half second, in which the
 * speed is not known. */
static void time_left(const struct kernels_screen *screen, double now, int64_t done, int64_t total, char *out,
                      size_t size)
{
    char seconds[32];
    double elapsed = now - screen->since;
    out[0] = 0;
    if (total <= 0 || done <= 0 || done >= total || elapsed < 0.5) return;
    format_seconds(seconds, sizeof seconds, ceil(elapsed * (double)(total - done) / (double)done));
    snprintf(out, size, ", %s left", seconds);
}

static void draw_progress(struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                          int y, int wide)
{
    const struct job *job = explorer->job;
    explorer->moving = true;
    if (screen->errand.state == ERRAND_WANTED || !job) {
        surface_text(surface, y, 1, wide - 2, COLOUR_DIM, 0, "about to run %d kernels", screen->making.count);
        return;
    }
    const char *phase = atomic_load(&job->progress.phase);
    int64_t done = atomic_load(&job->progress.done), total = atomic_load(&job->progress.total);
    int x = 1, bar = wide >= 100 ? 30 : 16;
    char left[64] = "", spent[32], key[KEY_TEXT];
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, ATTRIBUTE_BOLD, "%d running ",
                      screen->making.count);
    gauge_bar(surface, y, x, bar, explorer->ascii, job);
    x += bar + 1;
    if (total > 0) snprintf(left, sizeof left, " %.0f%%", 100 * (double)done / (double)total);
    x += surface_text_whole(surface, y, x, wide - x, COLOUR_TEXT, 0, "%s%s",
                            progress_cancelled(&job->progress) ? "cancelling"
                            : phase                            ? phase
                                                               : "starting",
                            left);
    if (phase != screen->phase || screen->since < job->started) {
        screen->phase = phase;
        screen->since = clock_seconds();
    }
    double now = clock_seconds();
    format_seconds(spent, sizeof spent, now - job->started);
    time_left(screen, now, done, total, left, sizeof left);
    x += surface_text_whole(surface, y, x + 2, wide - x - 14, COLOUR_DIM, 0, "%s%s", spent, left) + 2;
    if (x + 11 < wide)
        surface_text_right(surface, y, x, wide - x - 1, COLOUR_ACCENT, 0, "%s cancels",
                           everywhere_key(DEMAND_CANCEL, key));
}

/* Say which keys run kernels, and about how long that takes, while no line has numbers. */
static void draw_hint(const struct explorer *explorer, const struct kernels_screen *screen,
                      struct surface *surface, int y, int wide)
{
    int all = kernels_runnable(explorer, screen, true), estimated = count_estimated(explorer, screen, true);
    double seconds = results_forecast(&explorer->session->shown->matrix.csr, all);
    int x = 1;
    if (all + estimated == 0) {
        surface_text_whole(surface, y, x, wide - x - 1, COLOUR_WARN, 0,
                           "No kernel can run on this matrix here.");
        return;
    }
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, 0, "R");
    x += surface_text(surface, y, x, wide - x, COLOUR_TEXT, 0, " runs all %d kernels, ", all);
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, 0, "r");
    x += surface_text(surface, y, x, wide - x, COLOUR_TEXT, 0, " %s; ",
                      kernels_selected(screen) ? "those selected" : "the one under the cursor");
    int kept = explorer->session->shown->runs.count;
    if (kept > 0) /* these runs are saved ones, or were made with other options */
        x += surface_text_whole(surface, y, x, wide - x - 1, COLOUR_DIM, 0, "[ shows the last of %d kept",
                                kept);
    else if (seconds < 100)
        x += surface_text_whole(surface, y, x, wide - x - 1, COLOUR_DIM, 0, "all take about %.0f s",
                                ceil(seconds));
    else
        x += surface_text_whole(surface, y, x, wide - x - 1, COLOUR_DIM, 0, "all take about %.0f min",
                                ceil(seconds / 60));
}

int kernels_draw_note(const struct explorer *explorer, const struct kernels_screen *screen,
                      struct surface *surface, int y, int wide)
{
    const struct session *session = explorer->session;
    const char *gpu = session_has(session, SESSION_GPU) ? session->gpu.name : "a GPU";
    int awaiting, estimated, x = 1;
    if (screen->mode != MODE_TABLE) return 0;
    if (screen->shown) {
        x += surface_text(surface, y, x, wide - x - 1, COLOUR_ACCENT, 0, "[ ]");
        surface_text(surface, y, x, wide - x - 1, COLOUR_DIM, 0,
                     wide < 76 ? " other runs; behind the last one: this machine's newest results"
                               : " other runs; behind the last one are the newest results of this machine");
        return 1;
    }
    kernels_count_awaiting(explorer, screen, &awaiting, &estimated);
    if (awaiting == 0) return 0;
    x += surface_text(surface, y, x, wide - x - 1, COLOUR_TEXT, 0, "No GPU here: ");
    x += surface_text(surface, y, x, wide - x - 1, COLOUR_TEXT, 0, "%d kernel%s estimated for %s", estimated,
                      estimated == 1 ? " is" : "s are", gpu);
    if (awaiting > estimated)
        surface_text_whole(surface, y, x, wide - x - 1, COLOUR_DIM, 0, ", %d wait%s for one",
                           awaiting - estimated, awaiting - estimated == 1 ? "s" : "");
    return 1;
}

void kernels_draw_state(struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                        int y, int wide)
{
    const struct runs *runs = &explorer->session->shown->runs;
    const struct run *shown = screen->shown;
    int x = 1;
    if (kernels_running(screen)) {
        draw_progress(explorer, screen, surface, y, wide);
    } else if (shown && screen->mode == MODE_TABLE) {
        x += surface_text(surface, y, x, wide - x, COLOUR_TITLE, 0, "Run %d of %d: #%d ",
                          kernels_run_index(explorer, shown) + 1, runs->count, shown->number);
        x +=
            surface_text_short(surface, y, x, wide - x - 12, explorer->ascii, COLOUR_ACCENT, 0, shown->label);
        if (shown->saved) x += surface_text_whole(surface, y, x, wide - x, COLOUR_DIM, 0, " (saved)");
        kernels_draw_machines(screen, surface, y, x + 3, wide - x - 4);
    } else if (screen->timed == 0) {
        draw_hint(explorer, screen, surface, y, wide);
    } else {
        kernels_draw_machines(screen, surface, y, 1, wide - 2);
    }
}
