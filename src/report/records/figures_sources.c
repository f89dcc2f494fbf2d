/* The figures of the publications as tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/records/figures_parts.h"

/* An index and its sort key. */
struct keyed {
    double key;
    int index;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    bool of_x = isfinite(x->key), of_y = isfinite(y->key);
    if (of_x != of_y) return of_x ? -1 : 1;
    if (of_x && x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->index - y->index;
}

int *figures_order(const struct collection *collection, double (*key)(const struct record *record))
{
    struct keyed *places = memory_array((size_t)collection->count, sizeof *places, NULL);
    int *order = memory_array((size_t)collection->count, sizeof *order, NULL);
    if (!places || !order) {
        free(places);
        free(order);
        return NULL;
    }
    for (int k = 0; k < collection->count; k++)
        places[k] = (struct keyed){key(&collection->records[k]), k};
    qsort(places, (size_t)collection->count, sizeof *places, by_key);
    for (int k = 0; k < collection->count; k++)
        order[k] = places[k].index;
    free(places);
    return order;
}

static double mean_of(const struct record *record)
{
    return record->mean;
}

static double deviation_of(const struct record *record)
{
    return record->deviation;
}

/* Call `tell` for each record, in this order, and each precision. */
static void for_records(const struct collection *collection, double (*key)(const struct record *record),
                        void (*tell)(const struct record *record, const char *precision,
                                     struct sheets *sheets),
                        struct sheets *sheets)
{
    int *order = figures_order(collection, key);
    sheets->failed = sheets->failed || !order;
    for (int k = 0; order && k < collection->count; k++)
        for (int p = 0; figures_precisions[p]; p++)
            tell(&collection->records[order[k]], figures_precisions[p], sheets);
    free(order);
}

static void tell_matrix(struct sheets *sheets, const struct record *record)
{
    sheets_text(sheets, record->name);
    sheets_text(sheets, record->order);
}

static bool is_any(const struct record_row *row)
{
    return true;
}

/* Figure 6.2 of Koza et al. */

static const struct column bandwidth_sheet[] = {
    SHEET_TEXT("matrix", "matrix", "the matrix, by increasing mean row length"),
    SHEET_TEXT("order", "order", "the order of its rows and columns"),
    SHEET_REAL("mean", "mu", "mean row length, entries"),
    SHEET_COUNT("entries", "entries", "entries"),
    SHEET_TEXT("precision", "prec", "the precision"),
    SHEET_TEXT("kernel", "fastest", "the fastest kernel"),
    SHEET_REAL("bandwidth_minus", "GB/s -", "beta-minus / T, GB/s"),
    SHEET_REAL("bandwidth_plus", "GB/s +", "beta-plus / T, GB/s"),
    SHEET_REAL("eta_minus", "eta-", "beta-minus / T / copy bandwidth"),
    SHEET_REAL("eta_plus", "eta+", "beta-plus / T / copy bandwidth"),
    {.key = NULL},
};

static void tell_bandwidth(const struct record *record, const char *precision, struct sheets *sheets)
{
    const struct record_row *row = figures_fastest(record, precision, NULL, is_any);
    if (!row) return;
    tell_matrix(sheets, record);
    sheets_number(sheets, record->mean);
    sheets_number(sheets, (double)record->nnz);
    sheets_text(sheets, precision);
    sheets_text(sheets, row->label);
    sheets_number(sheets, row->beta_minus / row->median / 1e3);
    sheets_number(sheets, row->beta_plus / row->median / 1e3);
    sheets_number(sheets, row->eta_minus);
    sheets_number(sheets, row->eta_plus);
}

void figures_bandwidth(const struct collection *collection, struct sheets *sheets)
{
    sheets_begin(sheets, "bandwidth", "Bandwidth by matrix, by increasing mean row length", bandwidth_sheet);
    for_records(collection, mean_of, tell_bandwidth, sheets);
}

/* Figure 6.3 */

static const struct column speedup_sheet[] = {
    SHEET_TEXT("matrix", "matrix", "the matrix, by increasing mean row length"),
    SHEET_TEXT("order", "order", "the order of its rows and columns"),
    SHEET_REAL("mean", "mu", "mean row length, entries"),
    SHEET_TEXT("precision", "prec", "the precision"),
    SHEET_TEXT("kernel", "CMRS", "the fastest CMRS kernel on a GPU"),
    SHEET_COUNT("height", "h", "rows in a strip"),
    SHEET_REAL("over_vector", "/vector", "T of csr-vector / T: a warp, or a part of it, per row"),
    SHEET_REAL("over_scalar", "/scalar", "T of csr-scalar / T: a thread per row"),
    SHEET_REAL("over_hybrid", "/hybrid", "T of the fastest HYB kernel / T"),
    SHEET_REAL("model_128", "a 128",
               "the model, eq. 5.2: the largest gain over a warp per row, lambda = 128"),
    SHEET_REAL("model_256", "a 256", "the same, lambda = 256"),
    {.key = NULL},
};

static bool is_cmrs(const struct record_row *row)
{
    return strcmp(row->format, "cmrs") == 0 && isfinite(row->a_128);
}

static bool is_vector(const struct record_row *row)
{
    return strcmp(row->kernel, "cuda/csr-vector") == 0;
}

static bool is_scalar(const struct record_row *row)
{
    return strcmp(row->kernel, "cuda/csr-scalar") == 0;
}

static bool is_hybrid(const struct record_row *row)
{
    return strcmp(row->format, "hyb") == 0;
}

/* Return T / this row's T, where T is the time of the backend's fastest row for which `fits` is true; NaN if
 * there is none. */
static double over(const struct record *record, const struct record_row *row,
                   bool (*fits)(const struct record_row *row))
{
    const struct record_row *other = figures_fastest(record, row->precision, row->backend, fits);
    return other ? other->median / row->median : NAN;
}

static void tell_speedup(const struct record *record, const char *precision, struct sheets *sheets)
{
    const struct record_row *row = figures_fastest(record, precision, NULL, is_cmrs);
    if (!row) return;
    tell_matrix(sheets, record);
    sheets_number(sheets, record->mean);
    sheets_text(sheets, precision);
    sheets_text(sheets, row->label);
    sheets_number(sheets, row->height);
    sheets_number(sheets, over(record, row, is_vector));
    sheets_number(sheets, over(record, row, is_scalar));
    sheets_number(sheets, over(record, row, is_hybrid));
    sheets_number(sheets, row->a_128);
    sheets_number(sheets, row->a_256);
}

void figures_speedup(const struct collection *collection, struct sheets *sheets)
{
    sheets_begin(sheets, "speedup", "Speed-up of CMRS by mean row length", speedup_sheet);
    for_records(collection, mean_of, tell_speedup, sheets);
}

/* Figure 6.8 */

static const struct column padding_sheet[] = {
    SHEET_TEXT("matrix", "matrix", "the matrix, by increasing overhead"),
    SHEET_TEXT("order", "order", "the order of its rows and columns"),
    SHEET_TEXT("precision", "prec", "the precision"),
    SHEET_TEXT("kernel", "padded", "the fastest kernel of padded CMRS"),
    SHEET_REAL("overhead", "overhead %", "padding slots, % of the entries"),
    SHEET_REAL("speedup", "speed-up", "T of the fastest kernel of CMRS without padding / T"),
    {.key = NULL},
};

static bool is_padded(const struct record_row *row)
{
    return strstr(row->kernel, "/cmrs-padded") != NULL;
}

static bool is_unpadded(const struct record_row *row)
{
    return strcmp(row->format, "cmrs") == 0 && !is_padded(row);
}

static const struct record_row *padded_of(const struct record *record, const char *precision)
{
    return figures_fastest(record, precision, NULL, is_padded);
}

/* Return the padding in any precision, since it is the same in all. */
static double overhead_of(const struct record *record)
{
    for (int p = 0; figures_precisions[p]; p++) {
        const struct record_row *row = padded_of(record, figures_precisions[p]);
        if (row) return row->padding_ratio;
    }
    return NAN;
}

static void tell_padding(const struct record *record, const char *precision, struct sheets *sheets)
{
    const struct record_row *row = padded_of(record, precision);
    if (!row) return;
    tell_matrix(sheets, record);
    sheets_text(sheets, precision);
    sheets_text(sheets, row->label);
    sheets_number(sheets, 100 * (row->padding_ratio - 1));
    sheets_number(sheets, over(record, row, is_unpadded));
}

void figures_padding(const struct collection *collection, struct sheets *sheets)
{
    sheets_begin(sheets, "padding", "Speed-up of padded CMRS by its overhead", padding_sheet);
    for_records(collection, overhead_of, tell_padding, sheets);
}

/* Cranfield: speed against threads */

static const struct column thread_sheet[] = {
    SHEET_TEXT("matrix", "matrix", "the matrix"),
    SHEET_TEXT("order", "order", "the order of its rows and columns"),
    SHEET_TEXT("kernel", "kernel", "the kernel"),
    SHEET_TEXT("precision", "prec", "the precision"),
    SHEET_COUNT("threads", "thr", "threads"),
    SHEET_REAL("gflops", "GFLOP/s", "2 nnz / T, GFLOP/s"),
    SHEET_REAL("speedup", "speed-up", "T with the fewest timed threads / T"),
    {.key = NULL},
};

static bool same_but_threads(const struct record_row *a, const struct record_row *b)
{
    return record_timed(b) && strcmp(a->label, b->label) == 0 && strcmp(a->precision, b->precision) == 0;
}

/* The row of the kernel with the fewest threads; NULL if it was timed with only one number of threads. */
static const struct record_row *fewest_of(const struct record *record, const struct record_row *row)
{
    const struct record_row *fewest = row;
    bool several = false;
    for (int k = 0; k < record->count; k++) {
        if (!same_but_threads(row, &record->items[k])) continue;
        several = several || record->items[k].threads != row->threads;
        if (record->items[k].threads < fewest->threads) fewest = &record->items[k];
    }
    return several ? fewest : NULL;
}

void figures_threads(const struct collection *collection, struct sheets *sheets)
{
    sheets_begin(sheets, "threads", "Speed against threads", thread_sheet);
    for (int r = 0; r < collection->count; r++) {
        const struct record *record = &collection->records[r];
        for (int k = 0; k < record->count; k++) {
            const struct record_row *row = &record->items[k];
            const struct record_row *fewest =
                record_timed(row) && row->threads ? fewest_of(record, row) : NULL;
            if (!fewest) continue;
            tell_matrix(sheets, record);
            sheets_text(sheets, row->label);
            sheets_text(sheets, row->precision);
            sheets_number(sheets, row->threads);
            sheets_number(sheets, row->gflops);
            sheets_number(sheets, fewest->median / row->median);
        }
    }
}

/* Cranfield: speed against percent average deviation */

static const struct column deviation_sheet[] = {
    SHEET_TEXT("matrix", "matrix", "the matrix, by increasing deviation"),
    SHEET_TEXT("order", "order", "the order of its rows and columns"),
    SHEET_REAL("deviation", "deviation %", "percent average deviation of the row lengths"),
    SHEET_REAL("mean", "mu", "mean row length, entries"),
    SHEET_TEXT("precision", "prec", "the precision"),
    SHEET_TEXT("backend", "backend", "backend of the kernels"),
    SHEET_REAL("csr", "CSR GFLOP/s", "speed of the fastest CSR kernel, GFLOP/s"),
    SHEET_REAL("ell", "ELL GFLOP/s", "speed of the fastest ELLPACK kernel, GFLOP/s"),
    SHEET_REAL("ratio", "ELL/CSR", "speed of ELLPACK / speed of CSR"),
    {.key = NULL},
};

static bool is_csr(const struct record_row *row)
{
    return strcmp(row->format, "csr") == 0;
}

static bool is_ell(const struct record_row *row)
{
    return strcmp(row->format, "ell") == 0;
}

static void tell_deviation(const struct record *record, const char *precision, struct sheets *sheets)
{
    static const char *const written_for[] = {"cpu", "cuda"};
    for (size_t b = 0; b < sizeof written_for / sizeof *written_for; b++) {
        const struct record_row *csr = figures_fastest(record, precision, written_for[b], is_csr);
        const struct record_row *ell = figures_fastest(record, precision, written_for[b], is_ell);
        if (!csr && !ell) continue;
        tell_matrix(sheets, record);
        sheets_number(sheets, record->deviation);
        sheets_number(sheets, record->mean);
        sheets_text(sheets, precision);
        sheets_text(sheets, written_for[b]);
        sheets_number(sheets, csr ? csr->gflops : NAN);
        sheets_number(sheets, ell ? ell->gflops : NAN);
        sheets_number(sheets, csr && ell ? csr->median / ell->median : NAN);
    }
}

void figures_deviation(const struct collection *collection, struct sheets *sheets)
{
    sheets_begin(sheets, "deviation", "Speed of CSR and ELLPACK by percent average deviation",
                 deviation_sheet);
    for_records(collection, deviation_of, tell_deviation, sheets);
}
