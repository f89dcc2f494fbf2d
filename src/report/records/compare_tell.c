/* The sheets of a comparison. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/json/write.h"
#include "report/records/compare_parts.h"

static const struct column setting_columns[] = {
    SHEET_TEXT("other", "other", "the report compared with the base"),
    SHEET_TEXT("setting", "setting", "the key of the report that differs"),
    SHEET_TEXT("base_value", "base", "its value in the base"),
    SHEET_TEXT("other_value", "other", "its value in the other report"),
    {.key = NULL},
};

static const struct column figure_columns[] = {
    SHEET_TEXT("other", "other", "the report compared with the base"),
    SHEET_TEXT("figure", "figure", "the key of the report"),
    SHEET_REAL("base_value", "base", "the quantity measured for the base"),
    SHEET_REAL("other_value", "other", "the quantity measured for the other report"),
    SHEET_REAL("ratio", "ratio", "other / base"),
    {.key = NULL},
};

static const struct column pair_columns[] = {
    SHEET_TEXT("other", "other", "the report compared with the base"),
    SHEET_TEXT("matrix", "matrix", "the matrix"),
    SHEET_TEXT("order", "order", "its order, or both orders if they differ"),
    SHEET_TEXT("kernel", "kernel", "the kernel, with its parameters"),
    SHEET_TEXT("precision", "prec", "the precision"),
    SHEET_COUNT("threads", "thr", "threads in the base; null on a GPU"),
    SHEET_TEXT("differs", "differs", "parameters and threads that differ, base > other"),
    SHEET_REAL("base_us", "base us", "median of the base, us"),
    SHEET_REAL("other_us", "other us", "median of the other report, us"),
    SHEET_REAL("ratio", "ratio", "other / base"),
    SHEET_REAL("low", "at least", "lower end of the ratio's interval"),
    SHEET_REAL("high", "at most", "upper end of the ratio's interval"),
    SHEET_TEXT("verdict", "verdict",
               "slower, faster, tie, within the threshold, or lost (without a time now)"),
    {.key = NULL},
};

static const struct column mean_columns[] = {
    SHEET_TEXT("other", "other", "the report compared with the base"),
    SHEET_TEXT("kernel", "kernel", "the kernel; 'fastest' is the fastest of each matrix, 'all' every pair"),
    SHEET_TEXT("precision", "prec", "the precision"),
    SHEET_COUNT("pairs", "pairs", "pairs of times"),
    SHEET_REAL("ratio", "ratio", "geometric mean of other / base"),
    SHEET_REAL("low", "at least", "lower end of its interval"),
    SHEET_REAL("high", "at most", "upper end of its interval"),
    SHEET_COUNT("slower", "slower", "pairs that are slower beyond the threshold"),
    SHEET_COUNT("ties", "ties", "pairs whose intervals overlap"),
    SHEET_COUNT("faster", "faster", "pairs that are faster beyond the threshold"),
    {.key = NULL},
};

enum verdict { VERDICT_SLOWER, VERDICT_FASTER, VERDICT_TIE, VERDICT_WITHIN, VERDICT_LOST, VERDICT_NONE };

static const char *const verdict_words[] = {
    [VERDICT_SLOWER] = "slower",           [VERDICT_FASTER] = "faster", [VERDICT_TIE] = "tie",
    [VERDICT_WITHIN] = "within threshold", [VERDICT_LOST] = "lost",     [VERDICT_NONE] = ""};

static struct measured spread_of(const struct record_row *row)
{
    return (struct measured){row->median, row->low, row->high};
}

static enum verdict judge(const struct comparison *comparison, const struct pair *pair)
{
    bool was = record_timed(pair->base), is = record_timed(pair->other);
    if (!was) return VERDICT_NONE;
    if (!is) return VERDICT_LOST;
    if (record_tied(pair->base, pair->other)) return VERDICT_TIE;
    double ratio = pair->other->median / pair->base->median, beyond = 1 + comparison->threshold;
    return ratio > beyond ? VERDICT_SLOWER : ratio * beyond < 1 ? VERDICT_FASTER : VERDICT_WITHIN;
}

/* Kernels */

static void append_change(struct text *text, const char *name, const json_t *base, const json_t *other)
{
    text_append(text, "%s%s ", text->length ? ", " : "", name);
    if (base)
        json_write(base, true, text);
    else
        text_append(text, "-");
    text_append(text, ">");
    if (other)
        json_write(other, true, text);
    else
        text_append(text, "-");
}

/* Append the differences between the two rows of a pair. */
static void append_changes(const struct pair *pair, struct text *text)
{
    const char *name;
    json_t *value;
    if (pair->base->threads != pair->other->threads)
        text_append(text, "threads %d>%d", pair->base->threads, pair->other->threads);
    json_object_foreach((json_t *)pair->base->params, name, value)
    {
        const json_t *now = json_object_get(pair->other->params, name);
        if (!json_equal(value, now)) append_change(text, name, value, now);
    }
    json_object_foreach((json_t *)pair->other->params, name, value)
    {
        if (!json_object_get(pair->base->params, name)) append_change(text, name, NULL, value);
    }
}

static void tell_pair(struct comparison *comparison, const struct side *other, const struct pair *pair)
{
    struct sheets *sheets = comparison->sheets;
    struct compared *compared = comparison->compared;
    enum verdict verdict = judge(comparison, pair);
    struct text order = {0}, changes = {0};
    if (verdict == VERDICT_NONE) return;
    compared->slower += verdict == VERDICT_SLOWER;
    compared->faster += verdict == VERDICT_FASTER;
    compared->ties += verdict == VERDICT_TIE;
    compared->lost += verdict == VERDICT_LOST;
    compared->pairs += verdict != VERDICT_LOST;
    bool same = strcmp(pair->base_record->order, pair->other_record->order) == 0;
    text_append(&order, "%s%s%s", pair->base_record->order, same ? "" : " > ",
                same ? "" : pair->other_record->order);
    append_changes(pair, &changes);
    struct ratio ratio = {NAN, NAN, NAN};
    if (verdict != VERDICT_LOST) ratio = ratio_of(spread_of(pair->other), spread_of(pair->base));
    sheets_text(sheets, other->name);
    sheets_text(sheets, pair->base_record->name);
    sheets_text(sheets, order.data);
    sheets_text(sheets, pair->base->label);
    sheets_text(sheets, pair->base->precision);
    sheets_number(sheets, pair->base->threads ? pair->base->threads : NAN);
    sheets_text(sheets, changes.data);
    sheets_number(sheets, pair->base->median);
    sheets_number(sheets, verdict == VERDICT_LOST ? NAN : pair->other->median);
    sheets_number(sheets, ratio.value);
    sheets_number(sheets, ratio.low);
    sheets_number(sheets, ratio.high);
    sheets_text(sheets, verdict_words[verdict]);
    if (verdict == VERDICT_LOST)
        sheets_note(sheets, "%s on %s has no time in %s: %s", pair->base->label, pair->base_record->name,
                    other->name, pair->other->unavailable ? pair->other->unavailable : "it was not run");
    comparison->failed = comparison->failed || order.failed || changes.failed;
    text_free(&order);
    text_free(&changes);
}

void tell_pairs(struct comparison *comparison, const struct side *other)
{
    sheets_begin(comparison->sheets, "kernels", "Kernels", pair_columns);
    for (int k = 0; k < comparison->count; k++)
        tell_pair(comparison, other, &comparison->pairs[k]);
}

/* Means */

struct mean_row {
    struct ratio_mean mean;
    int slower, ties, faster;
};

static void count_pair(const struct comparison *comparison, const struct pair *pair, struct mean_row *row)
{
    enum verdict verdict = judge(comparison, pair);
    if (verdict == VERDICT_NONE || verdict == VERDICT_LOST) return;
    ratio_mean_add(&row->mean, ratio_of(spread_of(pair->other), spread_of(pair->base)));
    row->slower += verdict == VERDICT_SLOWER;
    row->ties += verdict == VERDICT_TIE;
    row->faster += verdict == VERDICT_FASTER;
}

static void tell_mean(struct comparison *comparison, const struct side *other, const char *kernel,
                      const char *precision, const struct mean_row *row)
{
    struct sheets *sheets = comparison->sheets;
    struct ratio ratio = ratio_mean_value(&row->mean);
    if (row->mean.count == 0) return;
    sheets_text(sheets, other->name);
    sheets_text(sheets, kernel);
    sheets_text(sheets, precision);
    sheets_number(sheets, row->mean.count);
    sheets_number(sheets, ratio.value);
    sheets_number(sheets, ratio.low);
    sheets_number(sheets, ratio.high);
    sheets_number(sheets, row->slower);
    sheets_number(sheets, row->ties);
    sheets_number(sheets, row->faster);
}

/* True if an earlier pair has the same label and precision. */
static bool told_before(const struct comparison *comparison, int k)
{
    const struct record_row *row = comparison->pairs[k].base;
    for (int j = 0; j < k; j++) {
        const struct record_row *before = comparison->pairs[j].base;
        if (strcmp(before->label, row->label) == 0 && strcmp(before->precision, row->precision) == 0)
            return true;
    }
    return false;
}

static void tell_kernel_mean(struct comparison *comparison, const struct side *other, int k)
{
    const struct record_row *row = comparison->pairs[k].base;
    struct mean_row mean = {0};
    for (int j = k; j < comparison->count; j++) {
        const struct record_row *some = comparison->pairs[j].base;
        if (strcmp(some->label, row->label) == 0 && strcmp(some->precision, row->precision) == 0)
            count_pair(comparison, &comparison->pairs[j], &mean);
    }
    tell_mean(comparison, other, row->label, row->precision, &mean);
}

/* The fastest kernel of each matrix against the fastest of it in the other report, which may be another
 * kernel. */
static void tell_fastest(struct comparison *comparison, const struct side *other, const char *precision)
{
    struct mean_row mean = {0};
    for (int k = 0; k < comparison->count; k++) {
        struct pair pair = comparison->pairs[k];
        if (k > 0 && comparison->pairs[k - 1].base_record == pair.base_record) continue;
        pair.base = record_fastest(pair.base_record, precision);
        pair.other = record_fastest(pair.other_record, precision);
        if (pair.base && pair.other) count_pair(comparison, &pair, &mean);
    }
    tell_mean(comparison, other, "fastest", precision, &mean);
}

void tell_means(struct comparison *comparison, const struct side *other)
{
    sheets_begin(comparison->sheets, "means", "Geometric means of the ratios", mean_columns);
    static const char *const precisions[] = {"f64", "f32", "c64", "c32"};
    struct mean_row all = {0};
    for (int k = 0; k < comparison->count; k++)
        if (!told_before(comparison, k)) tell_kernel_mean(comparison, other, k);
    for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++)
        tell_fastest(comparison, other, precisions[p]);
    for (int k = 0; k < comparison->count; k++)
        count_pair(comparison, &comparison->pairs[k], &all);
    tell_mean(comparison, other, "all", NULL, &all);
}

/* Settings */

static bool is_figure(const char *key)
{
    return strstr(key, "bandwidth") != NULL || strstr(key, "cache_bytes") != NULL;
}

static void tell_setting(struct comparison *comparison, const struct side *other, const char *key,
                         const json_t *was, const json_t *is)
{
    struct text texts[2] = {{0}, {0}};
    if (was && json_is_string(was))
        text_append(&texts[0], "%s", json_string_value(was));
    else if (was)
        json_write(was, true, &texts[0]);
    if (is && json_is_string(is))
        text_append(&texts[1], "%s", json_string_value(is));
    else if (is)
        json_write(is, true, &texts[1]);
    sheets_text(comparison->sheets, other->name);
    sheets_text(comparison->sheets, key);
    sheets_text(comparison->sheets, texts[0].data);
    sheets_text(comparison->sheets, texts[1].data);
    text_free(&texts[0]);
    text_free(&texts[1]);
}

static void tell_figure(struct comparison *comparison, const struct side *other, const char *key,
                        const json_t *was, const json_t *is)
{
    double base = json_is_number(was) ? json_number_value(was) : NAN;
    double now = json_is_number(is) ? json_number_value(is) : NAN;
    sheets_text(comparison->sheets, other->name);
    sheets_text(comparison->sheets, key);
    sheets_number(comparison->sheets, base);
    sheets_number(comparison->sheets, now);
    sheets_number(comparison->sheets, now / base);
}

/* Report the members that differ between two objects, and in inner objects: the figures, or all others. */
static void tell_differences(struct comparison *comparison, const struct side *other, const char *within,
                             const json_t *was, const json_t *is, bool figures)
{
    const char *name;
    char key[128];
    json_t *value;
    json_object_foreach((json_t *)was, name, value)
    {
        const json_t *now = json_object_get(is, name);
        snprintf(key, sizeof key, "%s.%s", within, name);
        if (json_is_object(value) && json_is_object(now))
            tell_differences(comparison, other, key, value, now, figures);
        else if (is_figure(name) == figures && !json_equal(value, now) &&
                 !(figures && !json_is_number(value)))
            (figures ? tell_figure : tell_setting)(comparison, other, key, value, now);
    }
}

/* Each matrix has the settings of timing. Return the first matrix with settings; it represents all. */
static const struct record *first_timed(const struct side *side)
{
    for (int k = 0; k < side->count; k++)
        if (json_is_object(json_object_get(side->records[k].json, "timing"))) return &side->records[k];
    return NULL;
}

static void tell_all_differences(struct comparison *comparison, const struct side *base,
                                 const struct side *other, bool figures)
{
    const struct record *was = first_timed(base), *is = first_timed(other);
    if (base->about && other->about) {
        const json_t *before = json_object_get(base->about, "version"),
                     *now = json_object_get(other->about, "version");
        if (!figures && !json_equal(before, now)) tell_setting(comparison, other, "version", before, now);
        tell_differences(comparison, other, "host", json_object_get(base->about, "host"),
                         json_object_get(other->about, "host"), figures);
    }
    if (was && is)
        tell_differences(comparison, other, "timing", json_object_get(was->json, "timing"),
                         json_object_get(is->json, "timing"), figures);
}

void tell_settings(struct comparison *comparison, const struct side *base, const struct side *other)
{
    sheets_begin(comparison->sheets, "settings", "Settings that differ", setting_columns);
    tell_all_differences(comparison, base, other, false);
    sheets_begin(comparison->sheets, "figures", "Measured on the machines", figure_columns);
    tell_all_differences(comparison, base, other, true);
}
