#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/records/figures_parts.h"
#include "report/records/origins.h"

const char *const figures_precisions[] = {"f64", "f32", "c64", "c32", NULL};

const struct record_row *figures_fastest(const struct record *record, const char *precision,
                                         const char *backend, bool (*fits)(const struct record_row *row))
{
    const struct record_row *fastest = NULL;
    for (int k = 0; k < record->count; k++) {
        const struct record_row *row = &record->items[k];
        if (!record_timed(row) || strcmp(row->precision, precision) != 0 ||
            (backend && strcmp(row->backend, backend) != 0) || !fits(row))
            continue;
        if (!fastest || row->median < fastest->median) fastest = row;
    }
    return fastest;
}

/* Kernels */

static const struct column kernel_sheet[] = {
    SHEET_TEXT("kernel", "kernel",
               "the kernel with the requested parameters; best: the fastest kernel of each matrix"),
    SHEET_TEXT("precision", "prec", "the precision"),
    SHEET_COUNT("threads", "thr", "threads; null on a GPU"),
    SHEET_COUNT("matrices", "timed", "matrices, counted in each order, on which it was timed"),
    SHEET_COUNT("wins", "wins", "matrices of these on which it is the fastest and not tied"),
    SHEET_COUNT("ties", "ties", "matrices of these on which it is tied for the fastest"),
    SHEET_REAL("slowdown", "T/best", "geometric mean of its time / that of the fastest on the matrix"),
    SHEET_REAL("worst", "worst", "the largest of these ratios"),
    SHEET_REAL("gflops", "GFLOP/s", "geometric mean of its speed, GFLOP/s"),
    SHEET_REAL("eta_plus", "eta+", "mean of eta-plus, of the copy bandwidth (figure 6.7 of Koza et al.)"),
    SHEET_REAL("eta_minus", "eta-", "mean of eta-minus, likewise"),
    SHEET_REAL("forecast_error", "forecast", "median of |forecast / measured - 1|"),
    {.key = NULL},
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile of sorted values, linear between neighbours; NaN without values. */
static double quantile(const double *values, int count, double share)
{
    if (count == 0) return NAN;
    double at = share * (count - 1);
    int low = (int)floor(at), high = low + 1 < count ? low + 1 : low;
    return values[low] + (at - low) * (values[high] - values[low]);
}

/* A growing list of values; the mean of none is NaN. */
struct reals {
    double *items;
    int count, room;
    bool failed;
};

static void put(struct reals *values, double value)
{
    if (!isfinite(value) || values->failed) return;
    if (values->count == values->room) {
        int room = values->room ? 2 * values->room : 64;
        double *items = memory_resize(values->items, (size_t)room, sizeof *items, NULL);
        values->failed = !items;
        if (!items) return;
        values->items = items;
        values->room = room;
    }
    values->items[values->count++] = value;
}

static void values_sort(struct reals *values)
{
    if (values->count) qsort(values->items, (size_t)values->count, sizeof *values->items, ascending);
}

static double values_mean(const struct reals *values, bool geometric)
{
    double sum = 0;
    for (int k = 0; k < values->count; k++)
        sum += geometric ? log(values->items[k]) : values->items[k];
    return geometric ? exp(sum / values->count) : sum / values->count;
}

/* True if rows of different matrices are of one kernel, even if a rule chose different parameters for each
 * matrix. */
static bool one_kernel(const struct record_row *a, const struct record_row *b)
{
    return strcmp(a->group, b->group) == 0 && strcmp(a->precision, b->precision) == 0 &&
           a->threads == b->threads;
}

/* Return the number of rows tied with the record's fastest row, including that row. *is_one becomes true if
 * `row` is one of them. */
static int tied_of(const struct record *record, const struct record_row *row, bool *is_one)
{
    const struct record_row *fastest = record_fastest(record, row->precision);
    int count = 0;
    for (int k = 0; fastest && k < record->count; k++) {
        const struct record_row *some = &record->items[k];
        if (record_timed(some) && strcmp(some->precision, row->precision) == 0 && record_tied(some, fastest))
            count++;
    }
    *is_one = fastest && record_tied(row, fastest);
    return count;
}

/* The sums of a kernel. */
struct kernel_sums {
    int timed, wins, ties;
    double worst;
    struct reals slowdown, gflops, eta_plus, eta_minus, error;
};

static void sum_row(struct kernel_sums *sums, const struct record *record, const struct record_row *row)
{
    const struct record_row *fastest = record_fastest(record, row->precision);
    bool is_one;
    int tied = tied_of(record, row, &is_one);
    double slowdown = row->median / fastest->median;
    sums->timed++;
    sums->wins += is_one && tied == 1;
    sums->ties += is_one && tied > 1;
    sums->worst = fmax(sums->worst, slowdown);
    put(&sums->slowdown, slowdown);
    put(&sums->gflops, row->gflops);
    put(&sums->eta_plus, row->eta_plus);
    put(&sums->eta_minus, row->eta_minus);
    put(&sums->error, fabs(row->predicted / row->median - 1));
}

static void tell_sums(struct sheets *sheets, const struct record_row *row, struct kernel_sums *sums)
{
    struct reals *all[] = {&sums->slowdown, &sums->gflops, &sums->eta_plus, &sums->eta_minus, &sums->error};
    values_sort(&sums->error);
    sheets_text(sheets, row->group);
    sheets_text(sheets, row->precision);
    sheets_number(sheets, row->threads ? row->threads : NAN);
    sheets_number(sheets, sums->timed);
    sheets_number(sheets, sums->wins);
    sheets_number(sheets, sums->ties);
    sheets_number(sheets, values_mean(&sums->slowdown, true));
    sheets_number(sheets, sums->worst);
    sheets_number(sheets, values_mean(&sums->gflops, true));
    sheets_number(sheets, values_mean(&sums->eta_plus, false));
    sheets_number(sheets, values_mean(&sums->eta_minus, false));
    sheets_number(sheets, quantile(sums->error.items, sums->error.count, 0.5));
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        sheets->failed = sheets->failed || all[k]->failed;
        free(all[k]->items);
    }
}

/* True if the kernel of this row is in an earlier record or row. */
static bool seen_before(const struct collection *collection, int record, int row)
{
    const struct record_row *mine = &collection->records[record].items[row];
    for (int r = 0; r <= record; r++)
        for (int k = 0; k < (r < record ? collection->records[r].count : row); k++) {
            const struct record_row *some = &collection->records[r].items[k];
            if (record_timed(some) && one_kernel(some, mine)) return true;
        }
    return false;
}

/* The fastest timed row of this precision on a GPU, or on processors; NULL if there is none. */
static const struct record_row *best_of(const struct record *record, const char *precision, bool gpu)
{
    const struct record_row *best = NULL;
    for (int k = 0; k < record->count; k++) {
        const struct record_row *row = &record->items[k];
        if (record_timed(row) && strcmp(row->precision, precision) == 0 && (row->threads == 0) == gpu &&
            (!best || row->median < best->median))
            best = row;
    }
    return best;
}

/* True if the collection has times of several kernels there, so that a "best" row is useful. */
static bool several_of(const struct collection *collection, const char *precision, bool gpu)
{
    const struct record_row *first = NULL;
    for (int r = 0; r < collection->count; r++)
        for (int k = 0; k < collection->records[r].count; k++) {
            const struct record_row *row = &collection->records[r].items[k];
            if (!record_timed(row) || strcmp(row->precision, precision) != 0 || (row->threads == 0) != gpu)
                continue;
            if (first && !one_kernel(first, row)) return true;
            first = row;
        }
    return false;
}

/* Write the bar "best" of figure 6.7 of Koza et al.: means over the matrices of their fastest kernels. */
static void tell_best(const struct collection *collection, const char *precision, bool gpu,
                      struct sheets *sheets)
{
    struct reals gflops = {0}, eta_plus = {0}, eta_minus = {0};
    int matrices = 0;
    if (!several_of(collection, precision, gpu)) return;
    for (int r = 0; r < collection->count; r++) {
        const struct record_row *best = best_of(&collection->records[r], precision, gpu);
        if (!best) continue;
        matrices++;
        put(&gflops, best->gflops);
        put(&eta_plus, best->eta_plus);
        put(&eta_minus, best->eta_minus);
    }
    sheets_text(sheets, gpu ? "best of a GPU" : "best of processors");
    sheets_text(sheets, precision);
    sheets_number(sheets, NAN);
    sheets_number(sheets, matrices);
    for (int k = 0; k < 4; k++) /* wins, ties, slowdown and worst exist only for single kernels */
        sheets_number(sheets, NAN);
    sheets_number(sheets, values_mean(&gflops, true));
    sheets_number(sheets, values_mean(&eta_plus, false));
    sheets_number(sheets, values_mean(&eta_minus, false));
    sheets_number(sheets, NAN);
    sheets->failed = sheets->failed || gflops.failed || eta_plus.failed || eta_minus.failed;
    free(gflops.items);
    free(eta_plus.items);
    free(eta_minus.items);
}

static void figures_kernels(const struct collection *collection, struct sheets *sheets)
{
    sheets_begin(sheets, "kernels", "Kernels", kernel_sheet);
    for (int r = 0; r < collection->count; r++)
        for (int k = 0; k < collection->records[r].count; k++) {
            const struct record_row *row = &collection->records[r].items[k];
            struct kernel_sums sums = {0};
            if (!record_timed(row) || seen_before(collection, r, k)) continue;
            for (int s = r; s < collection->count; s++)
                for (int j = 0; j < collection->records[s].count; j++) {
                    const struct record_row *some = &collection->records[s].items[j];
                    if (record_timed(some) && one_kernel(some, row))
                        sum_row(&sums, &collection->records[s], some);
                }
            tell_sums(sheets, row, &sums);
        }
    for (int p = 0; figures_precisions[p]; p++) {
        tell_best(collection, figures_precisions[p], false, sheets);
        tell_best(collection, figures_precisions[p], true, sheets);
    }
}

/* Forecast */

static const struct column forecast_sheet[] = {
    SHEET_TEXT("backend", "backend", "backend of the kernels"),
    SHEET_COUNT("rows", "rows", "pairs of kernel and matrix that were timed and forecast"),
    SHEET_REAL("median_error", "median error", "median of |forecast / measured - 1|"),
    SHEET_REAL("p90_error", "p90", "90th percentile of it"),
    SHEET_COUNT("matrices", "matrices", "matrices in a precision with at least 3 such kernels"),
    SHEET_REAL("rank", "mean rank",
               "mean over these of Spearman's rank correlation of forecast and measured times"),
    SHEET_REAL("least_rank", "least", "the smallest of these correlations"),
    {.key = NULL},
};

#define RANKED_LEAST 3 /* minimum number of kernels for a rank correlation */

static bool is_forecast(const struct record_row *row, const char *backend, const char *precision)
{
    return record_timed(row) && row->predicted > 0 && strcmp(row->backend, backend) == 0 &&
           (!precision || strcmp(row->precision, precision) == 0);
}

/* The rank of value k, from 1 on; equal values share the mean of theirs. O(count). */
static double rank_of(const double *values, int count, int k)
{
    int less = 0, equal = 0;
    for (int j = 0; j < count; j++) {
        less += values[j] < values[k];
        equal += values[j] == values[k];
    }
    return less + (equal + 1) / 2.0;
}

/* Pearson's correlation of the ranks; NaN if all values of one of the two are equal. */
static double rank_correlation(const double *a, const double *b, int count)
{
    double mean = (count + 1) / 2.0, product = 0, of_a = 0, of_b = 0;
    for (int k = 0; k < count; k++) {
        double x = rank_of(a, count, k) - mean, y = rank_of(b, count, k) - mean;
        product += x * y;
        of_a += x * x;
        of_b += y * y;
    }
    return of_a > 0 && of_b > 0 ? product / sqrt(of_a * of_b) : NAN;
}

static void rank_record(const struct record *record, const char *backend, const char *precision,
                        struct reals *ranks)
{
    struct reals measured = {0}, forecast = {0};
    for (int k = 0; k < record->count; k++) {
        if (!is_forecast(&record->items[k], backend, precision)) continue;
        put(&measured, record->items[k].median);
        put(&forecast, record->items[k].predicted);
    }
    if (measured.count >= RANKED_LEAST && measured.count == forecast.count)
        put(ranks, rank_correlation(measured.items, forecast.items, measured.count));
    ranks->failed = ranks->failed || measured.failed || forecast.failed;
    free(measured.items);
    free(forecast.items);
}

static void tell_forecast(const struct collection *collection, const char *backend, struct sheets *sheets)
{
    struct reals errors = {0}, ranks = {0};
    for (int r = 0; r < collection->count; r++) {
        const struct record *record = &collection->records[r];
        for (int k = 0; k < record->count; k++)
            if (is_forecast(&record->items[k], backend, NULL))
                put(&errors, fabs(record->items[k].predicted / record->items[k].median - 1));
        for (int p = 0; figures_precisions[p]; p++)
            rank_record(record, backend, figures_precisions[p], &ranks);
    }
    values_sort(&errors);
    values_sort(&ranks);
    if (errors.count) {
        sheets_text(sheets, backend);
        sheets_number(sheets, errors.count);
        sheets_number(sheets, quantile(errors.items, errors.count, 0.5));
        sheets_number(sheets, quantile(errors.items, errors.count, 0.9));
        sheets_number(sheets, ranks.count);
        sheets_number(sheets, values_mean(&ranks, false));
        sheets_number(sheets, ranks.count ? ranks.items[0] : NAN);
    }
    sheets->failed = sheets->failed || errors.failed || ranks.failed;
    free(errors.items);
    free(ranks.items);
}

static void figures_forecast(const struct collection *collection, struct sheets *sheets)
{
    enum { BACKENDS = 16 };
    const char *told[BACKENDS];
    int count = 0;
    sheets_begin(sheets, "forecast", "Forecast against measured times", forecast_sheet);
    for (int r = 0; r < collection->count; r++)
        for (int k = 0; k < collection->records[r].count && count < BACKENDS; k++) {
            const char *backend = collection->records[r].items[k].backend;
            bool known = false;
            for (int b = 0; b < count; b++)
                known = known || strcmp(told[b], backend) == 0;
            if (known) continue;
            told[count++] = backend;
            tell_forecast(collection, backend, sheets);
        }
}

/* Errors */

static const struct column error_sheet[] = {
    SHEET_TEXT("path", "input", "the input, as it was named"),
    SHEET_TEXT("message", "the fault", "reason of the failure"),
    {.key = NULL},
};

static void figures_errors(const struct collection *collection, struct sheets *sheets)
{
    size_t index;
    json_t *failure;
    sheets_begin(sheets, "errors", "Failed", error_sheet);
    if (!sheets->failed) sheets->items[sheets->count - 1].whole = true;
    json_array_foreach(collection->errors, index, failure)
    {
        sheets_text(sheets, json_string_value(json_object_get(failure, "path")));
        sheets_text(sheets, json_string_value(json_object_get(failure, "message")));
    }
}

void figures_append(const struct collection *collection, struct sheets *sheets)
{
    figures_kernels(collection, sheets);
    figures_forecast(collection, sheets);
    figures_bandwidth(collection, sheets);
    figures_speedup(collection, sheets);
    figures_padding(collection, sheets);
    figures_threads(collection, sheets);
    figures_deviation(collection, sheets);
    figures_errors(collection, sheets);
    origins_begin(sheets);
    if (collection->origin) origins_add(sheets, collection->path, collection->origin);
}
