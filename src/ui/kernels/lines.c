/* The lines of the table: the choice of kernels, and their results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/kernels/kernels.h"

/* A result of a run that was made here, or a forecast, which has no run. They are sorted by choice, so that a
 * choice can be found by bisection. Among equal choices the newest comes first and a forecast last. */
struct known {
    const struct result *result;
    const struct results *results;
    const struct run *run;
};

static int number_of(const struct run *run)
{
    return run ? run->number : 0;
}

static int compare_known(const void *a, const void *b)
{
    const struct known *left = a, *right = b;
    int order = kernel_choice_compare(&left->result->choice, &right->result->choice);
    return order ? order : number_of(right->run) - number_of(left->run);
}

static int compare_wanted(const void *wanted, const void *item)
{
    return kernel_choice_compare(wanted, &((const struct known *)item)->result->choice);
}

enum status kernels_start(struct explorer *explorer, struct kernels_screen *screen, struct error *error)
{
    enum status status = kernel_list_add(&screen->list, "all", error);
    if (status != STATUS_OK) return status;
    screen->standard = screen->list.count;
    screen->options.product = explorer->product;
    screen->options.cold = explorer->cold;
    screen->options.protocol = explorer->protocol;
    screen->precision = explorer->precision;
    screen->settings = explorer->settings;
    screen->selected = memory_zeroed(KERNEL_LIST_MAX, sizeof *screen->selected, error);
    screen->stale = true;
    return screen->selected ? STATUS_OK : STATUS_MEMORY;
}

void kernels_free(struct kernels_screen *screen)
{
    kernel_list_free(&screen->list);
    results_free(&screen->making.results);
    free(screen->making.outlooks);
    results_free(&screen->foreseeing.results);
    kernels_forget(screen);
    free(screen->selected);
    free(screen->lines);
    free(screen->comparisons);
    free(screen->cells);
    list_free(&screen->dialog);
    *screen = (struct kernels_screen){0};
}

int kernels_add(struct kernels_screen *screen, const struct kernel *kernel, const char *parameters,
                struct error *error)
{
    int before = screen->list.count;
    kernel_list_add_kernel(&screen->list, kernel, parameters, error);
    screen->stale = screen->stale || screen->list.count > before;
    return screen->list.count - before;
}

bool kernels_remove(struct kernels_screen *screen, int choice)
{
    struct kernel_list *list = &screen->list;
    if (choice < screen->standard || choice >= list->count) return false;
    size_t after = (size_t)(list->count - choice - 1);
    memmove(&list->choices[choice], &list->choices[choice + 1], after * sizeof *list->choices);
    memmove(&screen->selected[choice], &screen->selected[choice + 1], after * sizeof *screen->selected);
    screen->selected[--list->count] = false;
    screen->stale = true;
    return true;
}

/* Every cell of the table asks; the list does not change. */
int kernels_columns(void)
{
    static int count;
    while (count < KERNELS_COLUMNS && kernel_columns[count].key)
        count++;
    return count;
}

int kernels_column(const char *key)
{
    for (int c = 0; c < kernels_columns(); c++)
        if (strcmp(kernel_columns[c].key, key) == 0) return c;
    return NAME_COLUMN;
}

int kernels_selected(const struct kernels_screen *screen)
{
    int count = 0;
    for (int k = 0; k < screen->list.count; k++)
        count += screen->selected[k];
    return count;
}

int kernels_threads(const struct kernels_screen *screen, const struct kernel *kernel, int *threads)
{
    int count = 0;
    for (int k = 0; k < screen->threads.count; k++) {
        int number = results_threads(kernel, screen->threads.items[k]);
        if (count == 0 || threads[count - 1] != number) threads[count++] = number;
    }
    return count;
}

const struct results *kernels_results(const struct line *line)
{
    static const struct results none = {0};
    return line->results ? line->results : &none;
}

const struct result *kernels_result(const struct explorer *explorer, const struct kernels_screen *screen,
                                    const struct line *line, struct result *unrun)
{
    if (line->result) return line->result;
    const struct kernel_choice choice =
        kernel_choice_with(&screen->list.choices[line->choice], screen->precision, line->threads);
    *unrun = result_unrun(&choice, case_is_complex(explorer->session->shown), screen->options.product);
    return unrun;
}

bool kernels_awaits_gpu(const struct explorer *explorer, const struct kernels_screen *screen,
                        const struct line *line, const struct result *result)
{
    const struct kernel *kernel = result->choice.kernel;
    bool complex = case_is_complex(explorer->session->shown);
    if (result->status != STATUS_UNAVAILABLE || (line->run && line->run->saved) || !kernel->backend->devices)
        return false;
    return kernel_suits(kernel, complex, screen->options.product, NULL) == STATUS_OK &&
           backend_check(kernel->backend, NULL) != STATUS_OK;
}

int kernels_run_index(const struct explorer *explorer, const struct run *run)
{
    const struct runs *runs = &explorer->session->shown->runs;
    for (int k = 0; k < runs->count; k++)
        if (runs->items[k] == run) return k;
    return -1;
}

/* Lines */

static enum status add_line(struct kernels_screen *screen, struct line line, struct error *error)
{
    if (screen->line_count == screen->line_room) {
        int room = screen->line_room ? 2 * screen->line_room : 64;
        struct line *lines = memory_resize(screen->lines, (size_t)room, sizeof *lines, error);
        if (!lines) return STATUS_MEMORY;
        screen->lines = lines;
        screen->line_room = room;
    }
    line.order = screen->line_count;
    screen->lines[screen->line_count++] = line;
    return STATUS_OK;
}

bool kernels_options_alike(const struct bench_options *a, const struct bench_options *b)
{
    return a->cold == b->cold && product_same(a->product, b->product) && a->protocol == b->protocol;
}

/* True if a run was made here with the options of the next run. */
static bool is_alike(const struct kernels_screen *screen, const struct run *run)
{
    return !run->saved && kernels_options_alike(&run->results.options, &screen->options);
}

/* Return the results of all runs made here with the options of the next run, and all forecasts, sorted. The
 * caller frees it; NULL without memory. */
static struct known *list_known(const struct explorer *explorer, const struct kernels_screen *screen,
                                int *count, struct error *error)
{
    const struct runs *runs = &explorer->session->shown->runs;
    size_t all = 0;
    for (int k = 0; k < runs->count; k++)
        all += (size_t)runs->items[k]->results.count;
    for (int k = 0; k < screen->foreseen_count; k++)
        all += (size_t)screen->foreseen[k].count;
    struct known *known = memory_array(all, sizeof *known, error);
    *count = 0;
    if (!known) return NULL;
    for (int k = 0; k < screen->foreseen_count; k++)
        for (int r = 0; r < screen->foreseen[k].count; r++)
            known[(*count)++] = (struct known){&screen->foreseen[k].items[r], &screen->foreseen[k], NULL};
    for (int k = 0; k < runs->count; k++) {
        const struct run *run = runs->items[k];
        if (!is_alike(screen, run)) continue;
        for (int r = 0; r < run->results.count; r++)
            known[(*count)++] = (struct known){&run->results.items[r], &run->results, run};
    }
    qsort(known, (size_t)*count, sizeof *known, compare_known);
    return known;
}

static const struct known *find_known(const struct known *known, int count,
                                      const struct kernel_choice *wanted)
{
    const struct known *found = bsearch(wanted, known, (size_t)count, sizeof *known, compare_wanted);
    while (found && found > known && kernel_choice_same(&found[-1].result->choice, wanted))
        found--; /* bsearch finds any of several equal choices; the first one is the newest */
    return found;
}

/* Make a line for each kernel of the list and each number of threads, with its newest result. */
static enum status list_newest(const struct explorer *explorer, struct kernels_screen *screen,
                               struct error *error)
{
    enum status status = STATUS_OK;
    int count, threads[THREAD_COUNTS_MAX];
    struct known *known = list_known(explorer, screen, &count, error);
    if (!known) return STATUS_MEMORY;
    for (int k = 0; k < screen->list.count && status == STATUS_OK; k++) {
        const struct kernel_choice *choice = &screen->list.choices[k];
        int numbers = kernels_threads(screen, choice->kernel, threads);
        for (int t = 0; t < numbers && status == STATUS_OK; t++) {
            const struct kernel_choice wanted = kernel_choice_with(choice, screen->precision, threads[t]);
            const struct known *found = find_known(known, count, &wanted);
            status = add_line(screen,
                              (struct line){.choice = k,
                                            .threads = threads[t],
                                            .run = found ? found->run : NULL,
                                            .results = found ? found->results : NULL,
                                            .result = found ? found->result : NULL},
                              error);
        }
    }
    free(known);
    return status;
}

/* Make a line for each result of one run in the shown precision. */
static enum status list_run(struct kernels_screen *screen, const struct run *run, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < run->results.count && status == STATUS_OK; k++) {
        const struct result *result = &run->results.items[k];
        if (result->choice.format.precision != screen->precision) continue;
        status = add_line(screen,
                          (struct line){.choice = kernel_list_find(&screen->list, &result->choice),
                                        .threads = result->choice.threads,
                                        .run = run,
                                        .results = &run->results,
                                        .result = result},
                          error);
    }
    return status;
}

static void note_fastest(struct kernels_screen *screen)
{
    screen->fastest = NULL;
    screen->timed = 0;
    for (int k = 0; k < screen->line_count; k++) {
        const struct result *pair[] = {screen->fastest, screen->lines[k].result};
        int fastest = results_fastest_of(pair, 2);
        if (fastest >= 0) screen->fastest = pair[fastest];
        screen->timed += pair[1] && result_timed(pair[1]);
    }
}

/* Put the cursor on the line of the same kernel and threads as before, if it exists. If the user has not
 * placed the cursor, it stays at the first line. */
static void follow(struct kernels_screen *screen, struct line before, bool placed)
{
    if (placed)
        for (int k = 0; k < screen->line_count; k++) {
            const struct line *line = &screen->lines[k];
            bool same = line->choice >= 0 ? line->choice == before.choice : line->result == before.result;
            if (same && line->threads == before.threads) screen->cursor = k;
        }
    if (screen->cursor >= screen->line_count) screen->cursor = screen->line_count - 1;
    if (screen->cursor < 0) screen->cursor = 0;
}

/* True if the kernel has this word, regardless of case. */
static bool has_word(const struct kernel *kernel, const char *word)
{
    const struct backend *backend = kernel->backend;
    const char *const texts[] = {kernel->name,
                                 kernel->format->name,
                                 kernel->format->title,
                                 backend->name,
                                 backend->devices ? "gpu" : "processor",
                                 kernel->summary};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strcasestr(texts[k], word)) return true;
    return false;
}

const struct kernel *kernels_kernel(const struct kernels_screen *screen, const struct line *line)
{
    return line->result ? line->result->choice.kernel : screen->list.choices[line->choice].kernel;
}

bool kernels_has_words(const struct kernel *kernel, const char *text)
{
    char words[128], *rest = words;
    snprintf(words, sizeof words, "%s", text);
    for (const char *word; (word = strtok_r(rest, " ", &rest));)
        if (!has_word(kernel, word)) return false;
    return true;
}

/* Remove the lines of kernels that the filter hides. */
static void filter_lines(struct kernels_screen *screen)
{
    int count = 0;
    for (int k = 0; k < screen->line_count; k++)
        if (kernels_has_words(kernels_kernel(screen, &screen->lines[k]), screen->filter))
            screen->lines[count++] = screen->lines[k];
    screen->hidden = screen->line_count - count;
    screen->line_count = count;
}

/* Record for each column whether any line has a value, and whether any line of a kernel that can run here has
 * one. */
static void note_filled(const struct explorer *explorer, struct kernels_screen *screen)
{
    memset(screen->filled, 0, sizeof screen->filled);
    memset(screen->filled_here, 0, sizeof screen->filled_here);
    for (int k = 0; k < screen->line_count; k++) {
        struct result unrun;
        const struct line *line = &screen->lines[k];
        const struct result *result = kernels_result(explorer, screen, line, &unrun);
        for (int c = 0; c < kernels_columns(); c++) {
            const bool has =
                kernel_value(&kernel_columns[c], kernels_results(line), result).type != VALUE_NULL;
            screen->filled[c] = screen->filled[c] || has;
            screen->filled_here[c] = screen->filled_here[c] || (has && result->status == STATUS_OK);
        }
    }
}

static enum status make_lines(struct explorer *explorer, struct kernels_screen *screen, struct error *error)
{
    bool placed = (screen->placed || screen->cursor > 0) && screen->cursor < screen->line_count;
    struct line before = placed ? screen->lines[screen->cursor] : (struct line){0};
    screen->line_count = 0;
    enum status status =
        screen->shown ? list_run(screen, screen->shown, error) : list_newest(explorer, screen, error);
    if (status == STATUS_OK) filter_lines(screen);
    if (status == STATUS_OK) status = kernels_sort(explorer, screen, error);
    if (status == STATUS_OK) status = kernels_compare_runs(explorer, screen, error);
    note_fastest(screen);
    note_filled(explorer, screen);
    follow(screen, before, placed && status == STATUS_OK);
    return status;
}

void kernels_refresh(struct explorer *explorer, struct kernels_screen *screen)
{
    const struct runs *runs = &explorer->session->shown->runs;
    struct error error = {0};
    if (explorer->settings != screen->settings) {
        screen->settings = explorer->settings;
        screen->options.protocol = explorer->protocol;
        screen->precision = explorer->precision;
        screen->stale = true;
    }
    if (runs->added != screen->runs_added || runs->count != screen->runs_count) {
        screen->stale = true;
        if (kernels_run_index(explorer, screen->shown) < 0) screen->shown = NULL;
    }
    if (!screen->stale) return;
    screen->stale = false;
    memset(screen->low, 0, sizeof screen->low); /* other lines may have other units */
    memset(screen->high, 0, sizeof screen->high);
    screen->runs_added = runs->added;
    screen->runs_count = runs->count;
    if (make_lines(explorer, screen, &error) == STATUS_OK) return;
    screen->line_count = screen->comparison_count = 0;
    screen->fastest = NULL;
    explorer_say_error(explorer, &error);
}

static bool has_precision(const struct run *run, enum precision precision)
{
    for (int k = 0; k < run->results.count; k++)
        if (run->results.items[k].choice.format.precision == precision) return true;
    return false;
}

/* Show one run alone, in a precision in which it has results. */
static void show_run(struct kernels_screen *screen, const struct run *run)
{
    screen->shown = run;
    if (run && !has_precision(run, screen->precision))
        screen->precision = screen->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    screen->stale = true;
}

void kernels_show_saved(struct explorer *explorer, struct kernels_screen *screen)
{
    const struct session *session = explorer->session;
    const struct runs *runs = session ? &session->shown->runs : NULL;
    for (int k = runs ? runs->count - 1 : -1; k >= 0 && !screen->shown; k--)
        if (runs->items[k]->saved) show_run(screen, runs->items[k]);
}

void kernels_step_run(struct explorer *explorer, void *state, int step)
{
    struct kernels_screen *screen = state;
    const struct runs *runs = &explorer->session->shown->runs;
    int at = screen->shown ? kernels_run_index(explorer, screen->shown) : runs->count;
    if (runs->count == 0) {
        explorer_say_keys(explorer, kernels_actions, "nothing was run yet: {run 2} runs all kernels");
        return;
    }
    at += step;
    if (at < 0) at = 0;
    show_run(screen, at < runs->count ? runs->items[at] : NULL);
}

/* Return the run that contains these results; NULL if there is none. */
static const struct run *run_of(const struct runs *runs, const struct results *results)
{
    for (int k = 0; k < runs->count; k++)
        if (&runs->items[k]->results == results) return runs->items[k];
    return NULL;
}

/* Return the line of a choice; -1 if there is none. */
static int find_line(const struct kernels_screen *screen, const struct kernel_choice *asked)
{
    for (int k = 0; k < screen->line_count; k++) {
        const struct line *line = &screen->lines[k];
        if (line->result && kernel_choice_same(&line->result->choice, asked)) return k;
        if (line->result || line->choice < 0) continue;
        const struct kernel_choice choice =
            kernel_choice_with(&screen->list.choices[line->choice], screen->precision, line->threads);
        if (kernel_choice_same(&choice, asked)) return k;
    }
    return -1;
}

void kernels_show_asked(struct explorer *explorer, struct kernels_screen *screen)
{
    const struct kernel_choice asked = explorer->asked;
    char parameters[CHOICE_NAME];
    if (!asked.kernel) return;
    const struct run *run = run_of(&explorer->session->shown->runs, explorer->asked_in);
    explorer->asked.kernel = NULL;
    explorer->asked_in = NULL;
    screen->mode = MODE_TABLE;
    screen->precision = asked.format.precision;
    screen->shown = run && run->saved ? run : NULL;
    screen->stale = true;
    kernels_refresh(explorer, screen);
    int at = find_line(screen, &asked);
    if (at < 0 && !screen->shown) {
        kernels_add(screen, asked.kernel, kernel_choice_parameters(&asked, parameters, sizeof parameters),
                    NULL);
        kernels_refresh(explorer, screen);
        at = find_line(screen, &asked);
    }
    if (at >= 0) screen->cursor = at;
}
