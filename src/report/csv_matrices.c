/* The report in CSV with a line for each matrix: its numbers, its smallest format, its fastest kernel, and
 * the advice. */
#include <string.h>

#include "base/words.h"
#include "columns/columns.h"
#include "report/csv.h"
#include "report/document/document.h"
#include "session/advice.h"

static const char *const places[] = {[ADVICE_CPU] = "cpu", [ADVICE_GPU] = "gpu"};
#define PLACES (sizeof places / sizeof *places)

static void append_number(struct text *text, double number)
{
    text_append(text, ",");
    value_csv(real_value(number), text);
}

static void append_words(struct text *text, const char *words)
{
    text_append(text, ",");
    if (words) words_append(text, MEDIUM_CSV, words);
}

static void append_header(struct text *text)
{
    text_append(text, "order");
    for (const struct column *column = columns; column->key; column++)
        text_append(text, ",%s", column->key);
    text_append(text, ",smallest.format,smallest.precision,smallest.bytes"
                      ",fastest.kernel,fastest.precision,fastest.threads,fastest.time_us,fastest.gflops");
    for (size_t k = 0; k < PLACES; k++)
        text_append(text, ",advice.%s.kernel,advice.%s.precision,advice.%s.us,advice.%s.forecast", places[k],
                    places[k], places[k], places[k]);
    text_append(text, ",error");
    csv_origin_header(text);
}

/* The format of the fewest bytes, over all precisions. */
static void append_smallest(const struct matrix_case *matrix_case, struct text *text)
{
    static const struct column *bytes;
    const struct conversions *conversions = &matrix_case->conversions;
    const struct conversion *smallest = NULL;
    int64_t least = 0;
    for (bytes = format_columns; strcmp(bytes->key, "bytes") != 0; bytes++)
        continue;
    for (int k = 0; k < atomic_load(&conversions->count); k++) {
        const struct conversion *conversion = conversions->items[k];
        const struct subject subject = {.matrix_case = matrix_case, .conversion = conversion};
        const struct value value = column_get(bytes, &subject);
        if (value.type != VALUE_INTEGER || (smallest && value.integer >= least)) continue;
        smallest = conversion;
        least = value.integer;
    }
    append_words(text, smallest ? smallest->name : NULL);
    append_words(text, smallest ? case_value_name(matrix_case, smallest->choice.precision) : NULL);
    text_append(text, ",");
    if (smallest) text_append(text, "%lld", (long long)least);
}

/* The fastest kernel that ran, over all precisions. */
static void append_fastest(const struct matrix_case *matrix_case, struct text *text)
{
    const struct result *fastest = report_fastest(&matrix_case->results);
    if (!fastest) {
        text_append(text, ",,,,,");
        return;
    }
    append_words(text, fastest->name);
    append_words(text, case_value_name(matrix_case, fastest->choice.format.precision));
    text_append(text, ",");
    if (fastest->resolved.threads > 0) text_append(text, "%d", fastest->resolved.threads);
    append_number(text, fastest->samples.time * 1e6);
    append_number(text, 2e-9 * (double)case_nnz(matrix_case) *
                            product_columns(matrix_case->results.options.product) / fastest->samples.time);
}

static void append_advised(struct text *text, const char *kernel, const char *precision, double us,
                           bool forecast)
{
    append_words(text, kernel);
    append_words(text, kernel ? precision : NULL);
    append_number(text, kernel ? us : NAN);
    text_append(text, kernel ? forecast ? ",true" : ",false" : ",");
}

/* The advice in the first precision with advice: from the saved report, or for this machine. */
static enum status append_advice(const struct report *report, const struct session *session,
                                 const struct matrix_case *matrix_case, struct text *text)
{
    static const enum precision precisions[] = {PRECISION_F64, PRECISION_F32};
    for (size_t place = 0; place < PLACES; place++) {
        bool told = false;
        for (int p = 0; p < 2 && !told; p++) {
            const char *precision = case_value_name(matrix_case, precisions[p]);
            if (report->from) {
                const json_t *of = json_object_get(
                    json_object_get(json_object_get(report->from->matrix, "advice"), precision),
                    places[place]);
                const char *kernel = json_string_value(json_object_get(of, "kernel"));
                const json_t *us = json_object_get(of, "us");
                if (!kernel) continue;
                append_advised(text, kernel, precision, json_is_number(us) ? json_number_value(us) : NAN,
                               json_is_true(json_object_get(of, "forecast")));
                told = true;
                continue;
            }
            struct advices advices;
            if (session_advise(session, matrix_case, advice_question_of(matrix_case, precisions[p]), &advices,
                               NULL) != STATUS_OK)
                return STATUS_MEMORY;
            const struct advice *advice = &advices.items[place];
            if (advice->there) {
                const struct advice_candidate *best = &advice->candidates[advice->best];
                append_advised(text, best->result->name, precision, best->seconds * 1e6, !best->measured);
            }
            told = advice->there;
            advices_free(&advices);
        }
        if (!told) append_advised(text, NULL, NULL, NAN, false);
    }
    return STATUS_OK;
}

static void begin(struct report *report, struct text *text)
{
    if (report->parts++ == 0) append_header(text);
}

static enum status csv_matrix(struct report *report, const struct session *session,
                              const struct matrix_case *matrix_case, struct text *text)
{
    const struct subject subject = {.matrix_case = matrix_case};
    begin(report, text);
    words_append(text, MEDIUM_CSV, matrix_case->order);
    for (const struct column *column = columns; column->key; column++) {
        text_append(text, ",");
        value_csv(column_get(column, &subject), text);
    }
    append_smallest(matrix_case, text);
    append_fastest(matrix_case, text);
    enum status status = append_advice(report, session, matrix_case, text);
    text_append(text, ",");
    csv_origin(report, text);
    return status;
}

/* The row of a failed matrix contains only its path and its error. */
static enum status csv_failure(struct report *report, const struct error *failure, struct text *text)
{
    char words[2048];
    begin(report, text);
    for (const struct column *column = columns; column->key; column++) {
        text_append(text, ",");
        if (strcmp(column->key, "path") == 0) words_append(text, MEDIUM_CSV, failure->path);
    }
    text_append(text, ",,,,,,,,");
    for (size_t k = 0; k < PLACES; k++)
        text_append(text, ",,,,");
    append_words(text, error_text(failure, words, sizeof words));
    csv_origin(report, text);
    return STATUS_OK;
}

const struct report_format report_format_csv_matrices = {
    .name = "csv-matrices",
    .summary = "one line per matrix: its numbers, smallest format, fastest kernel, advice",
    .matrix = csv_matrix,
    .failure = csv_failure,
};
