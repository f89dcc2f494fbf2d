#include "session/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/orders/permute.h"

/* The number of samples of a variant in a search. A few suffice to find differences of some percent. The
 * variants found are timed again with all others. */
#define TRIED_SAMPLES 7
#define TRIED_SECONDS 0.02
#define TRIED_MOST 1.0

/* If no times are forecast, they are assumed proportional to this power of the storage's bytes, all of which
 * a kernel reads. Padding costs time, but caches, short loops and the order of x matter, too. */
#define BYTES_TRUST 0.5

/* A kernel that is tuned: one of the requested results. */
struct tuned_line {
    struct tuning_space space;
    bool runs;         /* it can run here */
    double *forecasts; /* for each point; owned, as `seconds` */
    double *seconds;   /* the measured time of each point; NaN if there is none */
    double trust;
    bool timed; /* the forecasts are times */
};

struct tuner {
    struct session *session;
    struct matrix_case *of;
    struct results *results;
    const struct tune_options *options;
    struct workbench bench;
    struct bench_options quick;
    struct progress *progress;
    struct tuned_line *lines; /* one for each requested result; owned */
    int count;
};

bool tune_how_find(const char *text, enum tune_how *how)
{
    *how = strcmp(text, "all") == 0 ? TUNE_ALL : TUNE_FORECAST;
    return *how == TUNE_ALL || strcmp(text, "forecast") == 0;
}

static bool is_complex(const struct tuner *tuner)
{
    return tuner->of->matrix.csr.imaginary != NULL;
}

/* True if the kernel can be tuned on a machine that can run it. */
static bool suits(const struct tuner *tuner, const struct kernel *kernel)
{
    return kernel_suits(kernel, is_complex(tuner), tuner->options->timing->product, NULL) == STATUS_OK;
}

/* Known before any run */

static double predicted(const struct result *result, bool cold)
{
    return result->predicted[cold].there ? result->predicted[cold].seconds : NAN;
}

/* The bytes of the storage and of the vectors; NaN if the matrix cannot be stored in the format. */
static double bytes_of(const struct tuner *tuner, const struct result *result)
{
    const struct csr *a = &tuner->of->matrix.csr;
    double value = value_width(result->choice.format.precision, is_complex(tuner));
    if (!result->sized || result->status != STATUS_OK) return NAN;
    return (double)result->size.bytes + value * (double)(a->rows + a->cols);
}

static enum status foresee(struct tuner *tuner, struct results *foreseen, struct error *error)
{
    return session_foresee(tuner->session, tuner->of, foreseen, tuner->options->timing->product,
                           tuner->options->share, NULL, tuner->progress, error);
}

/* Find the resolved parameters of the request: those of the format are known once it is planned, those of the
 * kernel if it is replayed. */
static enum status resolve(struct tuner *tuner, const struct kernel_choice *base,
                           struct kernel_choice *resolved, struct error *error)
{
    struct results foreseen = {0};
    const struct storage *storage = NULL;
    struct pool *pool = &tuner->of->pool;
    size_t limit = tuner->options->timing->limit;
    *resolved = *base;
    enum status status = results_want(&foreseen, base, error);
    if (status == STATUS_OK) status = foresee(tuner, &foreseen, error);
    if (status == STATUS_OK) *resolved = foreseen.items[0].resolved;
    if (status == STATUS_OK && pool_plan(pool, &base->format, limit, NULL, &storage, NULL) == STATUS_OK)
        resolved->format = storage_choice(storage);
    results_free(&foreseen);
    return status;
}

/* Record the facts on a point: its forecast time, if any, and the bytes. */
static void note(const struct tuner *tuner, struct tuned_line *line, int point, const struct result *result)
{
    double (*forecast)(const struct result *, bool) =
        tuner->options->forecast ? tuner->options->forecast : predicted;
    line->forecasts[point] = forecast(result, tuner->options->timing->cold);
    line->seconds[point] = bytes_of(tuner, result);
}

/* Forecast point number `first` and all later ones that read the same storage. done[p] becomes true for
 * each. */
static enum status foresee_storage(struct tuner *tuner, struct tuned_line *line, int first, bool *done,
                                   struct error *error)
{
    struct results foreseen = {0};
    const struct kernel_choice same = tuning_choice(&line->space, first);
    enum status status = STATUS_OK;
    for (int p = first; p < line->space.points && status == STATUS_OK; p++) {
        const struct kernel_choice choice = tuning_choice(&line->space, p);
        if (done[p] || !format_choice_same(&choice.format, &same.format)) continue;
        if (tuning_suits(&line->space, p)) status = results_want(&foreseen, &choice, error);
    }
    progress_hold(tuner->progress, true);
    if (status == STATUS_OK) status = foresee(tuner, &foreseen, error);
    progress_hold(tuner->progress, false);
    for (int p = first, k = 0; p < line->space.points && status == STATUS_OK; p++) {
        const struct kernel_choice choice = tuning_choice(&line->space, p);
        if (done[p] || !format_choice_same(&choice.format, &same.format)) continue;
        done[p] = true;
        progress_add(tuner->progress, 1);
        if (tuning_suits(&line->space, p)) note(tuner, line, p, &foreseen.items[k++]);
    }
    results_free(&foreseen);
    return status;
}

/* Forecast the times of all points or, without forecasts, use their bytes. */
static enum status forecast(struct tuner *tuner, struct tuned_line *line, struct error *error)
{
    int points = line->space.points;
    enum status status = STATUS_OK;
    bool *done = memory_zeroed((size_t)points, sizeof *done, error);
    if (!done) return STATUS_MEMORY;
    progress_phase(tuner->progress, "forecasting variants", points);
    for (int p = 0; p < points && status == STATUS_OK; p++)
        if (!done[p]) status = foresee_storage(tuner, line, p, done, error);
    free(done);
    for (int p = 0; p < points; p++)
        line->timed = line->timed || line->forecasts[p] > 0;
    line->trust = line->timed ? 1 : BYTES_TRUST;
    for (int p = 0; p < points; p++) {
        if (!line->timed) line->forecasts[p] = line->seconds[p];
        line->seconds[p] = NAN;
    }
    return status;
}

/* Begin a line: find its space, and the forecast of each point. */
static enum status begin_line(struct tuner *tuner, int k, struct error *error)
{
    struct tuned_line *line = &tuner->lines[k];
    const struct kernel_choice *base = &tuner->results->items[k].choice;
    const struct csr *a = &tuner->of->matrix.csr;
    struct kernel_choice resolved;
    line->space = (struct tuning_space){.base = *base, .points = 1};
    line->runs =
        kernel_check(base->kernel, is_complex(tuner), tuner->options->timing->product, NULL) == STATUS_OK;
    if (!suits(tuner, base->kernel)) return STATUS_OK;
    enum status status = resolve(tuner, base, &resolved, error);
    if (status == STATUS_OK) status = tuning_space_make(&line->space, a, base, &resolved, error);
    if (status != STATUS_OK || line->space.axis_count == 0) return status;
    line->forecasts = memory_array((size_t)line->space.points, sizeof *line->forecasts, error);
    line->seconds = memory_array((size_t)line->space.points, sizeof *line->seconds, error);
    if (!line->forecasts || !line->seconds) return STATUS_MEMORY;
    for (int p = 0; p < line->space.points; p++)
        line->forecasts[p] = line->seconds[p] = NAN;
    return forecast(tuner, line, error);
}

/* Choosing */

/* The context for measuring a point of a line. */
struct trial_of {
    struct tuner *tuner;
    struct tuned_line *line;
};

/* Return whether a variant gave wrong results, or was refused for a reason that is unusual for variants. Such
 * a variant must be shown. */
static bool is_fault(enum status status)
{
    return status != STATUS_OK && status != STATUS_UNAVAILABLE && status != STATUS_LIMIT &&
           status != STATUS_USAGE;
}

static enum status want(struct tuner *tuner, const struct tuned_line *line, int point, struct error *error)
{
    const struct kernel_choice choice = tuning_choice(&line->space, point);
    return results_want(tuner->results, &choice, error);
}

static enum status try_point(void *argument, int point, double *seconds, struct error *error)
{
    const struct trial_of *trial = argument;
    struct tuner *tuner = trial->tuner;
    struct result result = {.choice = tuning_choice(&trial->line->space, point)};
    progress_hold(tuner->progress, true);
    enum status status = bench_run(&tuner->of->pool, &result, 1, &tuner->quick, &tuner->bench.machines,
                                   tuner->progress, error);
    progress_hold(tuner->progress, false);
    progress_add(tuner->progress, 1);
    if (status != STATUS_OK) return status;
    *seconds = result.status == STATUS_OK ? result.samples.time : INFINITY;
    return is_fault(result.status) ? want(tuner, trial->line, point, error) : STATUS_OK;
}

static enum status search(struct tuner *tuner, struct tuned_line *line, struct error *error)
{
    struct trial_of trial = {tuner, line};
    const struct tuning_search search = {.space = &line->space,
                                         .forecast = line->forecasts,
                                         .trust = line->trust,
                                         .measure = try_point,
                                         .argument = &trial};
    progress_phase(tuner->progress, "searching among variants", tuning_budget(&line->space));
    enum status status = tuning_search(&search, line->seconds, error);
    for (int p = 0; p < line->space.points && status == STATUS_OK; p++)
        if (isfinite(line->seconds[p])) status = want(tuner, line, p, error);
    return status;
}

/* Choose the points with the shortest forecasts, as many as a search would measure. */
static enum status choose_forecast(struct tuner *tuner, struct tuned_line *line, struct error *error)
{
    enum status status = STATUS_OK;
    for (int left = tuning_budget(&line->space); left > 0 && status == STATUS_OK; left--) {
        int best = -1;
        for (int p = 0; p < line->space.points; p++)
            if (isnan(line->seconds[p]) && line->forecasts[p] > 0 &&
                (best < 0 || line->forecasts[p] < line->forecasts[best]))
                best = p;
        if (best < 0) break;
        line->seconds[best] = line->forecasts[best];
        status = want(tuner, line, best, error);
    }
    return status;
}

static enum status choose(struct tuner *tuner, struct tuned_line *line, struct error *error)
{
    enum status status = STATUS_OK;
    if (line->space.axis_count == 0) return STATUS_OK;
    if (!line->runs && !line->timed) return STATUS_OK;
    if (!line->runs && tuner->options->how == TUNE_FORECAST) return choose_forecast(tuner, line, error);
    if (tuner->options->how == TUNE_FORECAST) return search(tuner, line, error);
    for (int p = 0; p < line->space.points && status == STATUS_OK; p++)
        if (tuning_suits(&line->space, p)) status = want(tuner, line, p, error);
    return status;
}

/* The results */

static struct result *result_at(const struct tuner *tuner, const struct tuned_line *line, int point)
{
    const struct kernel_choice choice = tuning_choice(&line->space, point);
    for (int k = 0; k < tuner->results->count; k++)
        if (kernel_choice_same(&tuner->results->items[k].choice, &choice)) return &tuner->results->items[k];
    return NULL;
}

static enum status look_up(void *argument, int point, double *seconds, struct error *error)
{
    const double *times = argument;
    *seconds = times[point];
    return STATUS_OK;
}

/* The times of all variants are known: find the result that a search would have had. */
static enum status replay(const struct tuned_line *line, struct tuned *tuned, struct error *error)
{
    const struct tuning_search search = {.space = &line->space,
                                         .forecast = line->forecasts,
                                         .trust = line->trust,
                                         .measure = look_up,
                                         .argument = line->seconds};
    double *found = memory_array((size_t)line->space.points, sizeof *found, error);
    if (!found) return STATUS_MEMORY;
    enum status status = tuning_search(&search, found, error);
    int best = tuning_best(&line->space, line->seconds), reached = tuning_best(&line->space, found);
    tuned->search_runs = 0;
    for (int p = 0; p < line->space.points; p++)
        tuned->search_runs += isfinite(found[p]);
    if (best >= 0 && reached >= 0) tuned->search_loss = found[reached] / line->seconds[best] - 1;
    free(found);
    return status;
}

/* Record the role of each result of a line among the variants. */
static enum status tell(struct tuner *tuner, struct tuned_line *line, struct error *error)
{
    const struct tuning_space *space = &line->space;
    struct tuned tuned = {
        .space = tuning_count(space), .forecast = !line->runs, .search_loss = NAN, .speedup = NAN};
    enum status status = STATUS_OK;
    if (space->axis_count == 0 || (!line->runs && !line->timed)) return STATUS_OK;
    for (int p = 0; p < space->points; p++) {
        const struct result *result = result_at(tuner, line, p);
        bool timed = result && result_timed(result);
        line->seconds[p] = !line->runs ? line->forecasts[p] : timed ? result->samples.time : NAN;
        tuned.runs += line->seconds[p] > 0;
    }
    if (line->runs && tuner->options->how == TUNE_ALL) status = replay(line, &tuned, error);
    int best = tuning_best(space, line->seconds);
    for (int p = 0; p < space->points && status == STATUS_OK; p++) {
        struct result *result = result_at(tuner, line, p);
        if (!result) continue;
        result->tuned = tuned;
        result->tuned.best = p == best;
        if (space->start >= 0) result->tuned.speedup = line->seconds[space->start] / line->seconds[p];
    }
    return status;
}

static enum status for_lines(struct tuner *tuner,
                             enum status (*step)(struct tuner *, struct tuned_line *, struct error *),
                             struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < tuner->count && status == STATUS_OK; k++)
        status = step(tuner, &tuner->lines[k], error);
    return status;
}

static enum status run(struct tuner *tuner, struct error *error)
{
    const struct tune_options *options = tuner->options;
    struct natural natural;
    enum status status = STATUS_OK;
    tuner->quick = *options->timing;
    tuner->quick.protocol = PROTOCOL_MEDIAN;
    tuner->quick.repeat = TRIED_SAMPLES;
    tuner->quick.warmup = 1;
    tuner->quick.min_seconds = TRIED_SECONDS;
    tuner->quick.max_seconds = TRIED_MOST;
    tuner->quick.outlooks = NULL;
    tuner->quick.energy = 0;
    tuner->quick.natural = session_natural(tuner->session, tuner->of, &natural);
    for (int k = 0; k < tuner->count && status == STATUS_OK; k++)
        status = begin_line(tuner, k, error);
    if (status == STATUS_OK)
        status = workbench_open(&tuner->bench, tuner->results, is_complex(tuner), options->timing,
                                tuner->progress, error);
    if (status == STATUS_OK) status = for_lines(tuner, choose, error);
    if (status == STATUS_OK)
        status = session_run(tuner->session, tuner->of, &tuner->bench, tuner->results, options->timing,
                             options->share, tuner->progress, error);
    return status == STATUS_OK ? for_lines(tuner, tell, error) : status;
}

enum status session_tune(struct session *session, struct matrix_case *of, struct results *results,
                         const struct tune_options *options, struct progress *progress, struct error *error)
{
    struct tuner tuner = {.session = session,
                          .of = of,
                          .results = results,
                          .options = options,
                          .progress = progress,
                          .count = results->count};
    enum status status = case_want_entries(of, error);
    if (status != STATUS_OK) return status;
    status = STATUS_MEMORY;
    tuner.lines = memory_zeroed((size_t)tuner.count, sizeof *tuner.lines, error);
    if (tuner.lines) status = run(&tuner, error);
    workbench_close(&tuner.bench);
    for (int k = 0; tuner.lines && k < tuner.count; k++) {
        free(tuner.lines[k].forecasts);
        free(tuner.lines[k].seconds);
    }
    free(tuner.lines);
    return status;
}
