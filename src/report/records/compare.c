#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/records/compare_parts.h"
#include "report/records/origins.h"
#include "report/saved/saved.h"

static const struct column absent_columns[] = {
    SHEET_TEXT("other", "other", "the report compared with the base"),
    SHEET_TEXT("matrix", "matrix", "the matrix"),
    SHEET_TEXT("kernel", "kernel", "the kernel; null: the matrix as a whole"),
    SHEET_TEXT("only_in", "only in", "base or other"),
    {.key = NULL},
};

/* Reading */

static enum status read_records(struct side *side, const json_t *matrices, const char *path,
                                struct error *error)
{
    size_t count = json_array_size(matrices);
    enum status status = STATUS_OK;
    side->records = memory_zeroed(count, sizeof *side->records, error);
    side->matched = memory_zeroed(count, sizeof *side->matched, error);
    if (!side->records || !side->matched) return STATUS_MEMORY;
    for (size_t k = 0; k < count && status == STATUS_OK; k++) {
        status = record_read(json_array_get(matrices, k), path, &side->records[side->count], error);
        if (status == STATUS_OK) side->count++;
    }
    return status;
}

static void side_free(struct side *side)
{
    for (int k = 0; k < side->count; k++)
        record_free(&side->records[k]);
    free(side->records);
    free(side->matched);
    *side = (struct side){0};
}

/* Pairing */

static void add_pair(struct comparison *comparison, struct pair pair)
{
    if (comparison->count == comparison->room) {
        int room = comparison->room ? 2 * comparison->room : 64;
        struct pair *pairs = memory_resize(comparison->pairs, (size_t)room, sizeof *pairs, NULL);
        comparison->failed = comparison->failed || !pairs;
        if (!pairs) return;
        comparison->pairs = pairs;
        comparison->room = room;
    }
    comparison->pairs[comparison->count++] = pair;
}

/* The members that must be equal for a pair of rows, from all to only kernel and precision. */
enum likeness { LIKE_ALL, LIKE_PARAMETERS, LIKE_THREADS, LIKE_KERNEL, LIKENESSES };

static bool alike(const struct record_row *a, const struct record_row *b, int likeness)
{
    if (strcmp(a->kernel, b->kernel) != 0 || strcmp(a->precision, b->precision) != 0) return false;
    bool parameters = likeness == LIKE_ALL || likeness == LIKE_PARAMETERS,
         threads = likeness == LIKE_ALL || likeness == LIKE_THREADS;
    if (threads && a->threads != b->threads) return false;
    return !parameters || a->params == b->params || json_equal(a->params, b->params);
}

/* Return the only free row that matches this one; -1 if there is none, or several. If all members must match,
 * return the first of several. */
static int find_row(const struct record *record, const bool *taken, const struct record_row *row,
                    int likeness)
{
    int found = -1;
    for (int k = 0; k < record->count; k++) {
        if (taken[k] || !alike(&record->items[k], row, likeness)) continue;
        if (found >= 0) return likeness == LIKE_ALL ? found : -1;
        found = k;
    }
    return found;
}

static void tell_absent(struct comparison *comparison, const struct side *other, const struct record *record,
                        const char *kernel, bool in_base)
{
    sheets_text(comparison->sheets, other->name);
    sheets_text(comparison->sheets, record->name);
    sheets_text(comparison->sheets, kernel);
    sheets_text(comparison->sheets, in_base ? "base" : "other");
}

static void tell_absent_rows(struct comparison *comparison, const struct side *side,
                             const struct record *record, const bool *taken, bool in_base)
{
    for (int k = 0; k < record->count; k++)
        if (!taken[k]) tell_absent(comparison, side, record, record->items[k].label, in_base);
}

/* Pair the rows of two records, and report rows that only one has. */
static void pair_rows(struct comparison *comparison, const struct side *side, const struct record *base,
                      const struct record *other)
{
    bool *in_base = memory_zeroed((size_t)base->count, sizeof *in_base, NULL);
    bool *in_other = memory_zeroed((size_t)other->count, sizeof *in_other, NULL);
    comparison->failed = comparison->failed || !in_base || !in_other;
    for (int likeness = 0; !comparison->failed && likeness < LIKENESSES; likeness++)
        for (int k = 0; k < base->count; k++) {
            if (in_base[k]) continue;
            int found = find_row(other, in_other, &base->items[k], likeness);
            if (found < 0 || find_row(base, in_base, &other->items[found], likeness) != k) continue;
            in_base[k] = in_other[found] = true;
            add_pair(comparison, (struct pair){base, other, &base->items[k], &other->items[found]});
        }
    if (!comparison->failed) {
        tell_absent_rows(comparison, side, base, in_base, true);
        tell_absent_rows(comparison, side, other, in_other, false);
    }
    free(in_base);
    free(in_other);
}

/* The first unmatched record of a side for this matrix, and for its order if `ordered`. */
static int find_record(const struct side *side, const struct record *record, bool ordered)
{
    for (int k = 0; k < side->count; k++)
        if (!side->matched[k] && record_same_matrix(&side->records[k], record) &&
            (!ordered || strcmp(side->records[k].order, record->order) == 0))
            return k;
    return -1;
}

/* Pair the records, first those in the same order. */
static void pair_records(struct comparison *comparison, struct side *base, struct side *other)
{
    memset(base->matched, 0, (size_t)base->count * sizeof *base->matched);
    sheets_begin(comparison->sheets, "absent", "In only one report", absent_columns);
    for (int ordered = 1; ordered >= 0; ordered--)
        for (int k = 0; k < base->count; k++) {
            int found = base->matched[k] ? -1 : find_record(other, &base->records[k], ordered);
            if (found < 0) continue;
            base->matched[k] = other->matched[found] = true;
            pair_rows(comparison, other, &base->records[k], &other->records[found]);
        }
    for (int k = 0; k < base->count; k++)
        if (!base->matched[k]) tell_absent(comparison, other, &base->records[k], NULL, true);
    for (int k = 0; k < other->count; k++)
        if (!other->matched[k]) tell_absent(comparison, other, &other->records[k], NULL, false);
}

/* The name that the user gave a record's run in the explorer; NULL: none. */
static const char *run_name(const struct record *record)
{
    return json_string_value(json_object_get(json_object_get(record->json, "timing"), "name"));
}

static bool same_order(const struct record *a, const struct record *b)
{
    return record_same_matrix(a, b) && strcmp(a->order, b->order) == 0;
}

/* True if the two are one run of one matrix, as in files that were saved one after the other. */
static bool same_run(const struct record *a, const struct record *b)
{
    return same_order(a, b) &&
           json_equal(json_object_get(a->json, "kernels"), json_object_get(b->json, "kernels")) &&
           json_equal(json_object_get(a->json, "timing"), json_object_get(b->json, "timing"));
}

/* True if the side has this run. */
static bool has_run(const struct side *side, const struct record *record)
{
    for (int k = 0; k < side->count; k++)
        if (same_run(&side->records[k], record)) return true;
    return false;
}

/* Remove the runs that the other side has as well, if this side also has a different run of the same matrix.
 * `there` is the other side. */
static void leave_out_same(struct side *side, const struct side *there)
{
    int kept = 0;
    for (int k = 0; k < side->count; k++)
        side->matched[k] = has_run(there, &side->records[k]);
    for (int k = 0; k < side->count; k++) {
        bool differs = false;
        for (int j = 0; j < side->count && side->matched[k]; j++)
            differs = differs || (!side->matched[j] && (j < kept || j > k) &&
                                  same_order(&side->records[j], &side->records[k]));
        if (differs) {
            record_free(&side->records[k]);
            continue;
        }
        side->matched[kept] = side->matched[k];
        side->records[kept++] = side->records[k];
    }
    side->count = kept;
    memset(side->matched, 0, (size_t)kept * sizeof *side->matched);
}

/* Note which runs were compared, if the files name them, or if both have the same run. */
static void tell_runs(struct comparison *comparison)
{
    for (int k = 0; k < comparison->count; k++) {
        const struct pair *pair = &comparison->pairs[k];
        const struct record *was = pair->base_record, *is = pair->other_record;
        const char *names[] = {run_name(was), run_name(is)};
        if (k > 0 && pair[-1].base_record == was) continue;
        if (same_run(was, is))
            sheets_note(comparison->sheets, "%s: both reports have the same run%s%s", was->name,
                        names[0] ? ", " : "", names[0] ? names[0] : "");
        else if (names[0] || names[1])
            sheets_note(comparison->sheets, "%s: the base is the run %s, the other one the run %s", was->name,
                        names[0] ? names[0] : "without a name", names[1] ? names[1] : "without a name");
    }
}

/* All */

static void compare_sides(struct comparison *comparison, struct side *base, struct side *other, bool alone)
{
    struct sheets *sheets = comparison->sheets;
    int first = sheets->count;
    tell_settings(comparison, base, other);
    comparison->count = 0;
    pair_records(comparison, base, other);
    tell_pairs(comparison, other);
    tell_runs(comparison);
    tell_means(comparison, other);
    for (int k = first; k < sheets->count; k++)
        sheets->items[k].first_hidden = alone;
}

/* Merge the sheets of all comparisons that have the same key. Cells and notes are copied. */
static void join_sheets(struct sheets *sheets, int each)
{
    struct sheets joined = {0};
    for (int s = 0; s < each && s < sheets->count; s++) {
        const struct sheet *like = &sheets->items[s];
        sheets_begin(&joined, like->key, like->title, like->columns);
        for (int k = s; k < sheets->count && !joined.failed; k += each) {
            struct sheet *sheet = &sheets->items[k];
            joined.items[s].first_hidden = sheet->first_hidden;
            for (int c = 0; c < sheet->count; c++)
                sheets_value(&joined, sheet->cells[c]);
            for (const char *line = sheet->notes.data; line && *line;) {
                int length = (int)strcspn(line, "\n");
                sheets_note(&joined, "%.*s", length, line);
                line += length + (line[length] == '\n');
            }
        }
    }
    joined.failed = joined.failed || sheets->failed;
    sheets_free(sheets);
    *sheets = joined;
}

/* Restrict a side to the records of this order. */
static void keep_order(struct side *side, const char *order)
{
    int kept = 0;
    for (int k = 0; k < side->count; k++) {
        if (strcmp(side->records[k].order, order) == 0)
            side->records[kept++] = side->records[k];
        else
            record_free(&side->records[k]);
    }
    side->count = kept;
}

static void name_side(struct side *side, const char *path)
{
    size_t length = strlen(path), most = sizeof side->name - 1;
    snprintf(side->name, sizeof side->name, "%s", length > most ? path + length - most : path);
}

static enum status compare_files(struct comparison *comparison, struct saved *const *saved,
                                 const char *const *paths, int count, struct error *error)
{
    struct side base = {.about = saved_about(saved[0])};
    name_side(&base, paths[0]);
    enum status status = read_records(&base, saved_matrices(saved[0]), paths[0], error);
    for (int k = 1; k < count && status == STATUS_OK; k++) {
        struct side other = {.about = saved_about(saved[k])};
        name_side(&other, paths[k]);
        status = read_records(&other, saved_matrices(saved[k]), paths[k], error);
        struct side from = {.about = base.about};
        name_side(&from, paths[0]);
        if (status == STATUS_OK) status = read_records(&from, saved_matrices(saved[0]), paths[0], error);
        if (status == STATUS_OK) {
            leave_out_same(&from, &other);
            leave_out_same(&other, &base);
            compare_sides(comparison, &from, &other, count == 2);
        }
        side_free(&from);
        side_free(&other);
    }
    side_free(&base);
    return status;
}

/* Return the number of earlier records of the side with the same matrix and order. */
static int run_number(const struct side *side, int of)
{
    int number = 0;
    for (int k = 0; k < of; k++)
        number += same_order(&side->records[k], &side->records[of]);
    return number;
}

/* Restrict a side to the runs of this number. */
static void keep_run(struct side *side, int number)
{
    int kept = 0;
    for (int k = 0; k < side->count; k++)
        side->matched[k] = run_number(side, k) == number;
    for (int k = 0; k < side->count; k++) {
        if (side->matched[k])
            side->records[kept++] = side->records[k];
        else
            record_free(&side->records[k]);
    }
    side->count = kept;
    memset(side->matched, 0, (size_t)kept * sizeof *side->matched);
}

/* Set the side's name to that of the run, which the first matrix has. */
static void name_run(struct side *side, int number)
{
    const char *name = side->count ? run_name(&side->records[0]) : NULL;
    snprintf(side->name, sizeof side->name, "run %d%s%.40s", number + 1, name ? ": " : "", name ? name : "");
}

/* Compare the later runs of a file with the first one, if it has several runs of a matrix. */
static enum status compare_runs(struct comparison *comparison, const struct saved *saved, const char *path,
                                int runs, struct error *error)
{
    struct side base = {.count = 0};
    enum status status = read_records(&base, saved_matrices(saved), path, error);
    keep_run(&base, 0);
    name_run(&base, 0);
    for (int number = 1; number < runs && status == STATUS_OK; number++) {
        struct side other = {.count = 0};
        status = read_records(&other, saved_matrices(saved), path, error);
        keep_run(&other, number);
        name_run(&other, number);
        if (status == STATUS_OK) compare_sides(comparison, &base, &other, false);
        side_free(&other);
    }
    side_free(&base);
    return status;
}

/* The largest number of runs of a matrix in one order. */
static enum status count_runs(const struct saved *saved, const char *path, int *runs, struct error *error)
{
    struct side all = {.count = 0};
    enum status status = read_records(&all, saved_matrices(saved), path, error);
    *runs = 0;
    for (int k = 0; k < all.count; k++)
        if (run_number(&all, k) >= *runs) *runs = run_number(&all, k) + 1;
    side_free(&all);
    return status;
}

/* Compare each other order of a file, in the order in which they first occur, with the natural one. */
static enum status compare_orders(struct comparison *comparison, const struct saved *saved, const char *path,
                                  struct error *error)
{
    struct side all = {0}, base = {.name = "natural"};
    enum status status = read_records(&all, saved_matrices(saved), path, error);
    if (status == STATUS_OK) status = read_records(&base, saved_matrices(saved), path, error);
    keep_order(&base, "natural");
    for (int k = 0; k < all.count && status == STATUS_OK; k++) {
        const char *order = all.records[k].order;
        bool first = strcmp(order, "natural") != 0;
        for (int j = 0; j < k; j++)
            first = first && strcmp(all.records[j].order, order) != 0;
        if (!first) continue;
        struct side other = {0};
        name_side(&other, order);
        status = read_records(&other, saved_matrices(saved), path, error);
        keep_order(&other, order);
        if (status == STATUS_OK) compare_sides(comparison, &base, &other, false);
        side_free(&other);
    }
    side_free(&all);
    side_free(&base);
    return status;
}

/* Compare the runs of a file, or if no matrix has several, its orders. */
static enum status compare_one(struct comparison *comparison, const struct saved *saved, const char *path,
                               struct error *error)
{
    int runs;
    enum status status = count_runs(saved, path, &runs, error);
    if (status != STATUS_OK) return status;
    return runs > 1 ? compare_runs(comparison, saved, path, runs, error)
                    : compare_orders(comparison, saved, path, error);
}

#define SHEETS_EACH 5 /* the number of sheets that compare_sides makes */

enum status compare_reports(const char *const *paths, int count, double threshold, size_t limit,
                            struct sheets *sheets, struct compared *compared, struct error *error)
{
    struct comparison comparison = {.sheets = sheets, .compared = compared, .threshold = threshold};
    struct saved **saved = memory_zeroed((size_t)count, sizeof(struct saved *), error);
    enum status status = saved ? STATUS_OK : STATUS_MEMORY;
    *compared = (struct compared){0};
    for (int k = 0; k < count && status == STATUS_OK; k++)
        status = saved_open(paths[k], limit, &saved[k], error);
    if (status == STATUS_OK)
        status = count > 1 ? compare_files(&comparison, saved, paths, count, error)
                           : compare_one(&comparison, saved[0], paths[0], error);
    if (status == STATUS_OK) join_sheets(sheets, SHEETS_EACH);
    if (status == STATUS_OK) origins_begin(sheets);
    for (int k = 0; k < count && status == STATUS_OK; k++)
        origins_add(sheets, paths[k], saved_about(saved[k]));
    if (status == STATUS_OK && (comparison.failed || sheets->failed))
        status = error_set(error, STATUS_MEMORY, "out of memory while comparing reports");
    if (status == STATUS_OK && compared->pairs + compared->lost == 0)
        status = count > 1
                     ? error_at(error, STATUS_INPUT, paths[0], 0, 0,
                                "the reports have no timed kernel on the same matrix: time kernels with "
                                "'sparsight report --format=json --kernels=LIST'")
                     : error_at(error, STATUS_INPUT, paths[0], 0, 0,
                                "no kernel was timed in two runs or orders: give two reports, or one made "
                                "with --reorder");
    for (int k = 0; k < count && saved; k++)
        saved_close(saved[k]);
    free(saved);
    free(comparison.pairs);
    return status;
}

void compare_nothing(struct sheets *sheets)
{
    bool none = false;
    struct side base = {.matched = &none}, other = {.matched = &none};
    struct compared compared = {0};
    struct comparison comparison = {.sheets = sheets, .compared = &compared};
    compare_sides(&comparison, &base, &other, false);
    origins_begin(sheets);
}

struct ratio ratio_of(struct measured of, struct measured to)
{
    if (!(of.median > 0 && of.low > 0 && of.high > 0 && to.median > 0 && to.low > 0 && to.high > 0))
        return (struct ratio){NAN, NAN, NAN};
    double difference = log(of.median) - log(to.median);
    double below = hypot(log(of.median / of.low), log(to.high / to.median));
    double above = hypot(log(of.high / of.median), log(to.median / to.low));
    return (struct ratio){of.median / to.median, exp(difference - below), exp(difference + above)};
}

void ratio_mean_add(struct ratio_mean *mean, struct ratio ratio)
{
    if (!(ratio.value > 0)) return;
    double below = log(ratio.value / ratio.low), above = log(ratio.high / ratio.value);
    mean->count++;
    mean->sum += log(ratio.value);
    mean->below += below * below;
    mean->above += above * above;
}

struct ratio ratio_mean_value(const struct ratio_mean *mean)
{
    double n = mean->count;
    if (mean->count == 0) return (struct ratio){NAN, NAN, NAN};
    return (struct ratio){exp(mean->sum / n), exp((mean->sum - sqrt(mean->below)) / n),
                          exp((mean->sum + sqrt(mean->above)) / n)};
}
