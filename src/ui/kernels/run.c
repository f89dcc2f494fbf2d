/* Running kernels: the composition of a run, its start, its end, and its preliminary results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/load.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "ui/everywhere.h"
#include "ui/kernels/kernels.h"

#define DURATIONS_MAX 1024 /* kernels of the table that the estimate of a run's duration includes */
#define STORAGES_MAX 64    /* storages that it counts once */
#define SWEEP_ALL 16       /* up to this number of threads, a sweep tries each number */

static enum status run(void *argument, struct progress *progress, struct error *error)
{
    struct making *making = argument;
    const struct tune_options tune = {
        .how = making->tune, .timing = &making->options, .share = making->sample};
    if (making->tune)
        return session_tune(making->session, making->of, &making->results, &tune, progress, error);
    return session_run(making->session, making->of, NULL, &making->results, &making->options, making->sample,
                       progress, error);
}

bool kernels_running(const struct kernels_screen *screen)
{
    return errand_pending(&screen->errand);
}

/* Return the numbers of threads of a sweep: 1, 2, 3, ..., max. If max is large, they are the powers of two
 * below it, and max. */
static struct thread_counts sweep_threads(int max)
{
    struct thread_counts counts = {.count = 0};
    for (int t = 1; t < max; t = max <= SWEEP_ALL ? t + 1 : 2 * t)
        counts.items[counts.count++] = t;
    counts.items[counts.count++] = max;
    return counts;
}

/* True if the user has requested this kernel. With `all`, the filter decides; else the selection; without a
 * selection, the cursor. */
static bool is_wanted(const struct kernels_screen *screen, int choice, bool all)
{
    if (all) return kernels_has_words(screen->list.choices[choice].kernel, screen->filter);
    if (kernels_selected(screen) > 0) return screen->selected[choice];
    return screen->cursor < screen->line_count && screen->lines[screen->cursor].choice == choice;
}

static bool can_run(const struct explorer *explorer, const struct kernels_screen *screen, int choice)
{
    bool complex = case_is_complex(explorer->session->shown);
    return kernel_check(screen->list.choices[choice].kernel, complex, screen->options.product, NULL) ==
           STATUS_OK;
}

/* True if the kernel's requests can be replayed. This needs no GPU. */
static bool can_estimate(const struct explorer *explorer, const struct kernels_screen *screen, int choice)
{
    const struct kernel *kernel = screen->list.choices[choice].kernel;
    bool complex = case_is_complex(explorer->session->shown);
    return kernel->trace && product_plain(screen->options.product) &&
           kernel_suits(kernel, complex, screen->options.product, NULL) == STATUS_OK;
}

int kernels_estimable(const struct explorer *explorer, const struct kernels_screen *screen, bool all)
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

/* Return the factor by which other programs, by their load in the last minute, slow a run down. */
static double slowdown(void)
{
    struct load_watch watch;
    load_begin(&watch);
    return load_slowdown(load_end(&watch), threads_count());
}

/* The storages that a run converts to, without repetitions as far as STORAGES_MAX. */
struct storages {
    const struct format_choice *choices[STORAGES_MAX];
    int count;
    double bytes;
};

/* Add a storage, with its bytes if they are known, else those of CSR. */
static void add_storage(struct storages *storages, const struct format_choice *choice,
                        const struct result *result, const struct csr *a)
{
    for (int k = 0; k < storages->count; k++)
        if (format_choice_same(storages->choices[k], choice)) return;
    if (storages->count < STORAGES_MAX) storages->choices[storages->count++] = choice;
    storages->bytes +=
        result->sized ? (double)result->size.bytes : 12 * (double)csr_nnz(a) + 4 * (double)a->rows;
}

double kernels_duration(const struct explorer *explorer, const struct kernels_screen *screen, double *slower)
{
    const struct csr *a = &explorer->session->shown->matrix.csr;
    double seconds[DURATIONS_MAX];
    struct storages storages = {.count = 0};
    int count = 0;
    for (int k = 0; k < screen->line_count && count < DURATIONS_MAX; k++) {
        const struct line *line = &screen->lines[k];
        struct result unrun;
        if (line->choice < 0 || !is_wanted(screen, line->choice, true) ||
            !can_run(explorer, screen, line->choice))
            continue;
        const struct result *result = kernels_result(explorer, screen, line, &unrun);
        if (result->status != STATUS_OK) continue; /* the matrix cannot be stored in the kernel's format */
        if (explorer->session->limit == 0 && result->sized &&
            pool_leaves_out(a, screen->precision, &result->size))
            continue;
        const struct prediction *forecast = results_prediction_of(kernels_results(line), result);
        add_storage(&storages, &screen->list.choices[line->choice].format, result, a);
        seconds[count++] = forecast ? forecast->seconds : NAN;
    }
    *slower = slowdown();
    return results_duration(a, seconds, count, storages.bytes, *slower, &screen->options);
}

/* Request the kernels of a run. Of all kernels those are left out whose storages are padded too much, unless
 * the user has set a limit. */
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
            struct kernel_choice wanted =
                kernel_choice_with(choice, screen->precision, sweep ? all_threads.items[t] : threads[t]);
            wanted.format.by_pattern = all && explorer->session->limit == 0;
            status = results_want(&making->results, &wanted, error);
        }
    }
    return status;
}

static void write_label(const struct explorer *explorer, const struct kernels_screen *screen, bool sweep,
                        bool tune, char *out, size_t size)
{
    const struct bench_options *options = &screen->options;
    bool other = !product_same(options->product, (struct product){.columns = 1});
    char threads[40], product[PRODUCT_TEXT];
    snprintf(out, size, "%s%s %s thr%s%s%s%s%s", tune ? "tuned, " : "",
             case_value_name(explorer->session->shown, screen->precision),
             kernels_write_threads(sweep ? sweep_threads(threads_count()) : screen->threads, threads,
                                   sizeof threads),
             options->cold ? ", cold" : "", other ? ", " : "",
             other ? product_write(options->product, product) : "",
             options->protocol == PROTOCOL_MEDIAN ? "" : ", ",
             options->protocol == PROTOCOL_MEDIAN ? "" : protocol_name(options->protocol));
}

/* Return the reason why no run can begin, with keys of the screen in braces; NULL if one can begin. */
static const char *why_not(const struct explorer *explorer, const struct kernels_screen *screen, bool all)
{
    if (!case_has_entries(explorer->session->shown))
        return "kernels need the entries, which are not in memory: {compare runs} and {older and newer runs "
               "1} show saved runs";
    if (!all && screen->mode == MODE_BESIDE && kernels_selected(screen) == 0)
        return "no kernel is selected: {compare runs} goes back to the table, {run 2} runs all";
    if (explorer->session->shown->runs.count == RUNS_MAX)
        return "no room for another run: {compare runs} shows the runs, {remove} there drops one";
    if (kernels_runnable(explorer, screen, all) + kernels_estimable(explorer, screen, all) == 0)
        return "none of these kernels can run here: {expand} gives the reason";
    return NULL;
}

/* The kinds of runs: the chosen kernels, all kernels, the chosen kernels with several numbers of threads,
 * their promising variants, or all their variants. */
enum making_kind { MAKE_SOME, MAKE_ALL, MAKE_SWEEP, MAKE_TUNING, MAKE_EVERY };

static void begin(struct explorer *explorer, struct kernels_screen *screen, enum making_kind kind)
{
    struct making *making = &screen->making;
    struct error error = {0};
    bool all = kind == MAKE_ALL, sweep = kind == MAKE_SWEEP;
    char key[KEY_TEXT];
    if (kernels_running(screen)) {
        explorer_say(explorer, "a run is in progress: %s cancels it", everywhere_key(DEMAND_CANCEL, key));
        return;
    }
    const char *reason = why_not(explorer, screen, all);
    if (reason) {
        explorer_say_keys(explorer, kernels_actions, reason);
        return;
    }
    results_free(&making->results);
    free(making->outlooks);
    *making = (struct making){
        .session = explorer->session, .of = explorer->session->shown, .options = screen->options};
    making->options.limit = explorer->session->limit;
    making->sample = explorer->sample;
    if (want(explorer, screen, making, all, sweep, &error) != STATUS_OK) {
        results_free(&making->results);
        explorer_say_error(explorer, &error);
        return;
    }
    if (making->results.count == 0) {
        explorer_say(explorer, "the number of threads makes no difference to these kernels: choose others");
        return;
    }
    making->tune = kind == MAKE_TUNING ? TUNE_FORECAST : kind == MAKE_EVERY ? TUNE_ALL : TUNE_NOT;
    making->count = making->results.count;
    if (all || kernels_selected(screen) > 0) { /* the new times will be on top */
        screen->cursor = screen->top = 0;
        screen->placed = false;
    }
    if (!making->tune) /* tuning adds many results, so their progress is not shown one by one */
        making->outlooks = memory_zeroed((size_t)making->count, sizeof *making->outlooks, &error);
    making->options.outlooks = making->outlooks;
    if (!making->outlooks && !making->tune) {
        results_free(&making->results);
        explorer_say_error(explorer, &error);
        return;
    }
    making->sweep = sweep;
    write_label(explorer, screen, sweep, making->tune != TUNE_NOT, making->label, sizeof making->label);
    screen->errand = (struct errand){.run = run,
                                     .argument = making,
                                     .state = ERRAND_WANTED,
                                     .alone = true,
                                     .title = "After the kernels are timed"};
    explorer->errand = &screen->errand;
}

void kernels_run_some(struct explorer *explorer, void *state, int all)
{
    begin(explorer, state, all ? MAKE_ALL : MAKE_SOME);
}

void kernels_sweep_threads(struct explorer *explorer, void *state, int unused)
{
    begin(explorer, state, MAKE_SWEEP);
}

void kernels_tune(struct explorer *explorer, void *state, int how)
{
    begin(explorer, state, how == TUNE_ALL ? MAKE_EVERY : MAKE_TUNING);
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
        *result =
            line->result && !line->run
                ? *line->result
                : result_unrun(&choice, case_is_complex(explorer->session->shown), making->options.product);
        result->status = STATUS_OK;
        const struct product product = making->options.product;
        int vectors = product_columns(product);
        result->flops = product_flops((double)csr_nnz(a), result->complex, vectors);
        result->flops_cmrs = product_flops_cmrs(
            (double)csr_nnz(a), (double)product_y_size(product, a->rows, a->cols), result->complex, vectors);
        result->samples.count = atomic_load(&making->outlooks[k].count);
        result->samples.time = seconds;
        return true;
    }
    return false;
}

/* Show the map of the tuned kernels, if there are any. */
static void show_tuning(struct explorer *explorer, struct kernels_screen *screen, const struct run *run)
{
    const struct result *first;
    screen->chart.kernel = 0;
    if (tune_map_firsts(&run->results, &first, 1) > 0)
        screen->mode = MODE_MAP;
    else
        explorer_say(explorer, "run #%d: these kernels have no parameters to tune here", run->number);
}

void kernels_take(struct explorer *explorer, struct kernels_screen *screen)
{
    struct making *making = &screen->making;
    struct error error = {0};
    if (screen->errand.state == ERRAND_WANTED) explorer->errand = &screen->errand;
    if (screen->errand.state != ERRAND_DONE) return;
    screen->errand.state = ERRAND_NONE;
    const struct run *run =
        runs_add(&explorer->session->shown->runs, making->label, &making->results, &error);
    if (!run)
        explorer_say_error(explorer, &error);
    else
        explorer_say(explorer, "run #%d, %s: %d result%s", run->number, run->label, run->results.count,
                     run->results.count == 1 ? "" : "s");
    if (run && making->sweep && screen->mode == MODE_TABLE) screen->mode = MODE_CURVES;
    if (run && making->tune) show_tuning(explorer, screen, run);
    results_free(&making->results);
    screen->shown = NULL;
    screen->stale = true;
}
