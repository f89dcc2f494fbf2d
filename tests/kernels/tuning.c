/* The tuned parameters of kernels, and the search: on recorded tables of times, so that no clock decides
 * anything, it needs a tenth of the runs and loses at most 2%. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/hyb.h"
#include "kernels/tuning/search.h"
#include "support/cmocka.h"
#include "support/support.h"

static const struct kernel *find_kernel(const char *name)
{
    char full[128];
    for (int k = 0; kernels[k]; k++) {
        snprintf(full, sizeof full, "%s/%s", kernels[k]->backend->name, kernels[k]->name);
        if (strcmp(full, name) == 0) return kernels[k];
    }
    fail_msg("no kernel %s", name);
    return NULL;
}

static struct kernel_choice choice_of(const char *kernel, const char *parameters)
{
    struct kernel_choice choice;
    assert_int_equal(kernel_choice_read(find_kernel(kernel), parameters, &choice, NULL), STATUS_OK);
    return choice;
}

static const struct parameter *parameter_of(const struct kernel *kernel, const char *name)
{
    for (const struct parameter *p = kernel->parameters; p->name; p++)
        if (strcmp(p->name, name) == 0) return p;
    for (const struct parameter *p = kernel->format->parameters; p->name; p++)
        if (strcmp(p->name, name) == 0) return p;
    fail_msg("%s has no parameter %s", kernel->name, name);
    return NULL;
}

/* A choice of the kernel can be written with each value of the list. */
static void check_values(const struct kernel *kernel, const struct tuning_line *line)
{
    char values[256], text[128], *rest = NULL;
    struct kernel_choice choice;
    snprintf(values, sizeof values, "%s", line->values);
    for (char *word = strtok_r(values, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        snprintf(text, sizeof text, "%s=%s", line->parameter, word);
        if (kernel_choice_read(kernel, text, &choice, NULL) != STATUS_OK)
            fail_msg("%s: %s cannot be written", kernel->name, text);
    }
}

static void lines_are_about_parameters_that_there_are(void **state)
{
    int tuned = 0;
    for (int k = 0; kernels[k]; k++) {
        const struct tuning_line *line = kernels[k]->tuning;
        for (; line && line->parameter; line++, tuned++) {
            assert_non_null(parameter_of(kernels[k], line->parameter));
            if (line->meaning != TUNING_LENGTHS) check_values(kernels[k], line);
        }
        const struct tuning_rule *rule = kernels[k]->tuning_rules;
        for (; rule && rule->parameter; rule++) {
            assert_non_null(parameter_of(kernels[k], rule->parameter));
            assert_non_null(parameter_of(kernels[k], rule->other));
            assert_true(strlen(rule->value) > 0 && strlen(rule->needed) > 0);
        }
    }
    assert_true(tuned > 0);
}

/* The kernels that need tuning have tuned parameters. */
static void tuned_parameters(void **state)
{
    static const struct {
        const char *kernel, *parameters;
        int points; /* points of the space for 300 rows of 1 to 6 entries */
    } cases[] = {
        {"cuda/cmrs", "height packed sorted block aligned", 16 * 2 * 2 * 6 * 2},
        {"cuda/cmrs-padded", "modulo packed block", 6 * 2 * 6},
        {"cuda/csr-vector", "threads block aligned reduce", 5 * 6 * 2 + 6 * 2},
        {"cuda/csr-balanced", "columns tiles run", 2 * 6 * 8},
        {"cuda/hyb", "k pad block", 5 * 2 * 6},
        {"cuda/sell", "c sigma columns ahead block", 4 * 4 * 2 * 2 * 4},
        {"cpu/sell-omp", "c sigma", 9 * 5},
        {"cpu/csr-omp", "", 1},
        {"cpu/jds-omp", "sections share height inside", 1 + 6 * 3 * 2},
    };
    struct csr a = {.rows = 300, .cols = 10};
    int64_t row_ptr[301] = {0};
    for (int i = 0; i < 300; i++)
        row_ptr[i + 1] = row_ptr[i] + 1 + i % 6;
    a.row_ptr = row_ptr;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct kernel_choice base = choice_of(cases[c].kernel, "");
        struct tuning_space space;
        char names[256] = "";
        assert_int_equal(tuning_space_make(&space, &a, &base, &base, NULL), STATUS_OK);
        for (int k = 0; k < space.axis_count; k++) {
            size_t length = strlen(names);
            snprintf(names + length, sizeof names - length, "%s%s", k ? " " : "",
                     space.axes[k].parameter->name);
        }
        assert_string_equal(names, cases[c].parameters);
        if (tuning_count(&space) != cases[c].points)
            fail_msg("%s: %d points", cases[c].kernel, tuning_count(&space));
    }
}

static struct csr short_rows(int64_t *row_ptr)
{
    static const int lengths[] = {1, 1, 1, 2, 2, 3, 3, 3, 3, 40};
    row_ptr[0] = 0;
    for (int i = 0; i < 10; i++)
        row_ptr[i + 1] = row_ptr[i] + lengths[i];
    return (struct csr){.rows = 10, .cols = 50, .row_ptr = row_ptr};
}

/* k of HYB follows the lengths of rows, and the kernel's own choice is one of its values. */
static void values_follow_the_matrix(void **state)
{
    int64_t row_ptr[11];
    struct csr a = short_rows(row_ptr);
    const struct kernel_choice base = choice_of("cpu/hyb-omp", "");
    struct kernel_choice resolved = base;
    struct tuning_space space;
    static const double expected[] = {1, 2, 3, 7, 40};
    resolved.format.values.number[HYB_K] = 7;
    assert_int_equal(tuning_space_make(&space, &a, &base, &resolved, NULL), STATUS_OK);
    assert_string_equal(space.axes[0].parameter->name, "k");
    assert_int_equal(space.axes[0].count, 5);
    for (int k = 0; k < 5; k++)
        assert_true(space.axes[0].values[k] == expected[k]);
    assert_int_equal(tuning_value(&space, space.start, 0), 3);
    const struct kernel_choice start = tuning_choice(&space, space.start);
    assert_true(kernel_choice_same(&start, &base));
    const struct kernel_choice sell = choice_of("cpu/sell-omp", "");
    assert_int_equal(tuning_space_make(&space, &a, &sell, &sell, NULL), STATUS_OK);
    assert_int_equal(space.axes[1].count, 3); /* sigma = 1, 8, and 32, which covers all rows */
}

static void points_are_choices(void **state)
{
    int64_t row_ptr[11];
    struct csr a = short_rows(row_ptr);
    const struct kernel_choice base = choice_of("cpu/sell-omp", "");
    struct tuning_space space;
    char name[CHOICE_NAME];
    assert_int_equal(tuning_space_make(&space, &a, &base, &base, NULL), STATUS_OK);
    for (int p = 0; p < space.points; p++) {
        const struct kernel_choice choice = tuning_choice(&space, p);
        assert_int_equal(tuning_point(&space, &choice), p);
        for (int k = 0; k < space.axis_count; k++)
            assert_int_equal(tuning_move(&space, p, k, tuning_value(&space, p, k)), p);
    }
    int point = tuning_move(&space, space.start, 0, 3);
    const struct kernel_choice other = tuning_choice(&space, point);
    assert_string_equal(kernel_choice_name(&other, name, sizeof name), "cpu/sell-omp:c=8");
    assert_int_equal(tuning_value(&space, point, 1), tuning_value(&space, space.start, 1));
    const struct kernel_choice off = choice_of("cpu/sell-omp", "c=3");
    assert_int_equal(tuning_point(&space, &off), -1);
    const struct kernel_choice another = choice_of("cpu/sell-seq", "");
    assert_int_equal(tuning_point(&space, &another), -1);
}

/* A parameter that the user has set stays. */
static void parameters_that_were_set_are_not_tuned(void **state)
{
    int64_t row_ptr[11];
    struct csr a = short_rows(row_ptr);
    const struct kernel_choice base = choice_of("cpu/cmrs-omp", "packed=1,height=5");
    struct tuning_space space;
    assert_int_equal(tuning_space_make(&space, &a, &base, &base, NULL), STATUS_OK);
    assert_int_equal(space.axis_count, 1);
    assert_string_equal(space.axes[0].parameter->name, "sorted");
    for (int p = 0; p < space.points; p++)
        assert_true(tuning_choice(&space, p).format.values.number[0] == 5);
}

/* Recorded tables: for each matrix and kernel all variants, their forecasts and their times. */

#define ROWS_MAX 256

struct row {
    char matrix[32], kernel[32], parameters[128];
    double forecast, seconds;
    bool start;
};

struct table {
    struct tuning_space space;
    double *forecast, *seconds, *found;
    int known; /* variants */
};

static int read_rows(struct row *rows, int most)
{
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/data/measured/tuning-cpu-2026-11-22.tsv", getenv("SRCDIR"));
    FILE *file = fopen(path, "r");
    int count = 0, start;
    if (!file) fail_msg("%s is not there", path);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || strncmp(line, "matrix", 6) == 0) continue;
        assert_true(count < most);
        struct row *row = &rows[count++];
        assert_int_equal(sscanf(line, "%31s %31s %127s %lf %lf %d", row->matrix, row->kernel, row->parameters,
                                &row->forecast, &row->seconds, &start),
                         6);
        row->start = start != 0;
    }
    fclose(file);
    return count;
}

static double value_of(const struct tuning_axis *axis, const struct kernel_choice *choice)
{
    return axis->of_format ? choice->format.values.number[axis->index] : choice->values.number[axis->index];
}

/* Add the values of a parameter of the format in all rows as an axis, if there are several. */
static void add_axis(struct tuning_space *space, int index, const struct row *rows, int count)
{
    struct tuning_axis axis = {
        .parameter = &space->base.kernel->format->parameters[index], .of_format = true, .index = index};
    for (int r = 0; r < count; r++) {
        const struct kernel_choice choice = choice_of(rows[r].kernel, rows[r].parameters);
        double value = value_of(&axis, &choice);
        int at = 0;
        while (at < axis.count && axis.values[at] < value)
            at++;
        if (at < axis.count && axis.values[at] == value) continue;
        assert_true(axis.count < TUNING_VALUES);
        memmove(&axis.values[at + 1], &axis.values[at], (size_t)(axis.count++ - at) * sizeof *axis.values);
        axis.values[at] = value;
    }
    if (axis.count < 2) return;
    space->axes[space->axis_count++] = axis;
    space->points *= axis.count;
}

static void make_table(struct table *table, const struct row *rows, int count)
{
    struct tuning_space *space = &table->space;
    *table = (struct table){.known = count};
    *space = (struct tuning_space){.base = choice_of(rows[0].kernel, ""), .points = 1, .start = -1};
    for (int k = 0; space->base.kernel->format->parameters[k].name; k++)
        add_axis(space, k, rows, count);
    table->forecast = malloc((size_t)space->points * sizeof *table->forecast);
    table->seconds = malloc((size_t)space->points * sizeof *table->seconds);
    table->found = malloc((size_t)space->points * sizeof *table->found);
    assert_true(table->forecast && table->seconds && table->found);
    for (int p = 0; p < space->points; p++)
        table->forecast[p] = table->seconds[p] = NAN;
    for (int r = 0; r < count; r++) {
        const struct kernel_choice choice = choice_of(rows[r].kernel, rows[r].parameters);
        int p = tuning_point(space, &choice);
        assert_true(p >= 0);
        table->forecast[p] = rows[r].forecast;
        table->seconds[p] = rows[r].seconds;
        if (rows[r].start) space->start = p;
    }
}

static void free_table(struct table *table)
{
    free(table->forecast);
    free(table->seconds);
    free(table->found);
}

static enum status look_up(void *argument, int point, double *seconds, struct error *error)
{
    const struct table *table = argument;
    *seconds = isnan(table->seconds[point]) ? INFINITY : table->seconds[point];
    return STATUS_OK;
}

/* Search a table. Returns the loss, and how many points were measured in *runs. */
static double search_table(struct table *table, const double *forecast, double trust, int *runs)
{
    const struct tuning_search search = {
        .space = &table->space, .forecast = forecast, .trust = trust, .measure = look_up, .argument = table};
    assert_int_equal(tuning_search(&search, table->found, NULL), STATUS_OK);
    *runs = 0;
    for (int p = 0; p < table->space.points; p++)
        *runs += isfinite(table->found[p]);
    int best = tuning_best(&table->space, table->seconds);
    int found = tuning_best(&table->space, table->found);
    return table->found[found] / table->seconds[best] - 1;
}

/* The length of the group of rows of one matrix and kernel. */
static int group(const struct row *rows, int count)
{
    int length = 1;
    while (length < count && strcmp(rows[length].matrix, rows[0].matrix) == 0 &&
           strcmp(rows[length].kernel, rows[0].kernel) == 0)
        length++;
    return length;
}

static double median_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values[count / 2];
}

static double mean_of(const double *values, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += values[k];
    return sum / count;
}

#define RECORDED_MAX 2048

/* Search all recorded tables, with forecasts that `forecast_of` makes of a table's. */
static void search_recorded(double trust, void (*forecast_of)(const struct table *table, double *forecast),
                            double *losses, int *tables, int *runs, int *budget, int *points)
{
    struct row *rows = calloc(RECORDED_MAX, sizeof *rows);
    assert_non_null(rows);
    int count = read_rows(rows, RECORDED_MAX), some;
    *tables = *runs = *budget = *points = 0;
    for (int r = 0; r < count; r += group(&rows[r], count - r)) {
        struct table table;
        double forecast[ROWS_MAX * 4];
        make_table(&table, &rows[r], group(&rows[r], count - r));
        assert_true(table.space.points <= ROWS_MAX * 4);
        forecast_of(&table, forecast);
        losses[(*tables)++] = search_table(&table, forecast, trust, &some);
        if (some > tuning_budget(&table.space))
            fail_msg("%s %s: %d runs", rows[r].matrix, rows[r].kernel, some);
        if (getenv("VERBOSE"))
            printf("# %s %s: %d of %d, loss %.1f%%\n", rows[r].matrix, rows[r].kernel, some, table.known,
                   100 * losses[*tables - 1]);
        *runs += some;
        *budget += tuning_budget(&table.space);
        *points += table.known;
        free_table(&table);
    }
    free(rows);
}

static void by_bytes(const struct table *table, double *forecast)
{
    for (int p = 0; p < table->space.points; p++)
        forecast[p] = table->forecast[p];
}

/* A forecast as good as the program's aims: off by 10% in the median and by 30% at the 95th percentile, here
 * by a fixed pattern. */
static void by_times(const struct table *table, double *forecast)
{
    for (int p = 0; p < table->space.points; p++) {
        uint64_t state = (uint64_t)p * 2654435761u + 12345;
        double sum = -6;
        for (int k = 0; k < 12; k++)
            sum += support_random(&state, 1000000) / 1e6;
        forecast[p] = table->seconds[p] * exp(0.15 * sum);
    }
}

static void searches_of_recorded_tables_lose_little(void **state)
{
    double losses[64];
    int tables, runs, budget, points;
    search_recorded(1, by_times, losses, &tables, &runs, &budget, &points);
    double median = median_of(losses, tables);
    printf("# led by forecasts: %d of %d runs, median loss %.2f%%, largest %.1f%%\n", runs, points,
           100 * median, 100 * losses[tables - 1]);
    assert_int_equal(tables, 24);
    assert_true(median <= 0.005 && mean_of(losses, tables) <= 0.01);
    assert_true(runs <= 8 * tables);
    search_recorded(0.5, by_bytes, losses, &tables, &runs, &budget, &points);
    median = median_of(losses, tables);
    printf("# led by bytes: %d of %d runs, median loss %.2f%%, largest %.1f%%\n", runs, points, 100 * median,
           100 * losses[tables - 1]);
    assert_true(median <= 0.005 && mean_of(losses, tables) <= 0.02);
}

/* A model of CMRS on a GPU, which the search tunes with and without a forecast. */
static double modelled(const struct tuning_space *space, int p)
{
    double height = tuning_value(space, p, 0) + 1, block = 32 << tuning_value(space, p, 3);
    double reads = 1 + 15 / (height * 2.2) + 0.004 * height * height;
    double packed = tuning_value(space, p, 1) ? 0.93 : 1, sorted = tuning_value(space, p, 2) ? 1.04 : 1;
    double aligned = tuning_value(space, p, 4) ? 0.985 : 1;
    double held = 1 + 0.05 * pow(log2(block / 128), 2);
    return 1e-5 * reads * packed * sorted * aligned * held;
}

static void a_large_space_is_searched_in_a_tenth(void **state)
{
    int64_t row_ptr[11];
    struct csr a = short_rows(row_ptr);
    const struct kernel_choice base = choice_of("cuda/cmrs", "");
    struct table table = {.known = 0};
    int runs;
    assert_int_equal(tuning_space_make(&table.space, &a, &base, &base, NULL), STATUS_OK);
    assert_int_equal(table.space.points, 768);
    size_t size = (size_t)table.space.points * sizeof *table.seconds;
    table.forecast = malloc(size);
    table.seconds = malloc(size);
    table.found = malloc(size);
    assert_true(table.forecast && table.seconds && table.found);
    for (int p = 0; p < table.space.points; p++)
        table.seconds[p] = modelled(&table.space, p);
    double loss = search_table(&table, NULL, 1, &runs);
    assert_int_equal(runs, 77);
    assert_true(loss <= 0.02);
    by_times(&table, table.forecast);
    loss = search_table(&table, table.forecast, 1, &runs);
    assert_int_equal(runs, 77);
    assert_true(loss <= 0.02);
    free_table(&table);
}

/* Trials of the search itself on a line of points. */
struct trials {
    const struct tuning_space *space;
    int order[64], count;
    int refused; /* the first points, below this one, cannot run */
    int fail_at; /* the trial that fails, counted from 1; 0: none */
};

static enum status try(void *argument, int point, double *seconds, struct error *error)
{
    struct trials *trials = argument;
    trials->order[trials->count++] = point;
    if (trials->count == trials->fail_at) return error_set(error, STATUS_CANCELLED, "cancelled");
    *seconds = point < trials->refused ? INFINITY : 1e-6 * (1 + (point - 11) * (point - 11) / 50.);
    return STATUS_OK;
}

static void the_search_begins_with_what_is_known(void **state)
{
    int64_t row_ptr[11];
    struct csr a = short_rows(row_ptr);
    const struct kernel_choice base = choice_of("cpu/cmrs-omp", "packed=1");
    struct kernel_choice resolved = base;
    struct tuning_space space;
    double seconds[64], forecast[64];
    resolved.format.values.number[0] = 8;
    assert_int_equal(tuning_space_make(&space, &a, &base, &resolved, NULL), STATUS_OK);
    assert_int_equal(space.points, 32);
    for (int p = 0; p < space.points; p++)
        forecast[p] = p == 20 ? 0.5 : 1;
    struct trials trials = {.space = &space};
    struct tuning_search search = {
        .space = &space, .forecast = forecast, .trust = 1, .measure = try, .argument = &trials};
    assert_int_equal(tuning_search(&search, seconds, NULL), STATUS_OK);
    assert_int_equal(trials.count, 8);
    assert_int_equal(trials.order[0], space.start);
    assert_int_equal(trials.order[1], 20);
    for (int k = 0; k < trials.count; k++)
        for (int j = 0; j < k; j++)
            assert_int_not_equal(trials.order[k], trials.order[j]);
    /* the search descends to the bottom of the valley, points 10 to 12 */
    assert_in_range(tuning_best(&space, seconds), 10, 12);
    /* refused variants do not count as runs, but the number of trials is limited */
    trials = (struct trials){.space = &space, .refused = 12};
    assert_int_equal(tuning_search(&search, seconds, NULL), STATUS_OK);
    int best = tuning_best(&space, seconds), runs = 0;
    for (int p = 0; p < space.points; p++)
        runs += isfinite(seconds[p]);
    assert_true(best >= 12 && best <= 14 && runs == 8 && trials.count <= 24);
    trials = (struct trials){.space = &space, .refused = 32};
    assert_int_equal(tuning_search(&search, seconds, NULL), STATUS_OK);
    assert_int_equal(tuning_best(&space, seconds), -1);
    assert_int_equal(trials.count, 24);
    trials = (struct trials){.space = &space, .fail_at = 3};
    assert_int_equal(tuning_search(&search, seconds, NULL), STATUS_CANCELLED);
    assert_int_equal(trials.count, 3);
}

static void failing_allocations_are_reported(void **state)
{
    int64_t row_ptr[11];
    struct csr a = short_rows(row_ptr);
    const struct kernel_choice base = choice_of("cpu/hyb-omp", "k=3");
    struct tuning_space space;
    double seconds[64];
    assert_int_equal(tuning_space_make(&space, &a, &base, &base, NULL), STATUS_OK);
    struct trials trials = {.space = &space};
    const struct tuning_search search = {.space = &space, .trust = 1, .measure = try, .argument = &trials};
    for (int k = 0; k < 5; k++) {
        memory_fail_after(k);
        enum status status = tuning_search(&search, seconds, NULL);
        memory_fail_after(-1);
        assert_int_equal(status, STATUS_MEMORY);
    }
    const struct kernel_choice open = choice_of("cpu/hyb-omp", "");
    memory_fail_after(0);
    enum status status = tuning_space_make(&space, &a, &open, &open, NULL);
    memory_fail_after(-1);
    assert_int_equal(status, STATUS_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_about_parameters_that_there_are),
        cmocka_unit_test(tuned_parameters),
        cmocka_unit_test(values_follow_the_matrix),
        cmocka_unit_test(points_are_choices),
        cmocka_unit_test(parameters_that_were_set_are_not_tuned),
        cmocka_unit_test(searches_of_recorded_tables_lose_little),
        cmocka_unit_test(a_large_space_is_searched_in_a_tenth),
        cmocka_unit_test(the_search_begins_with_what_is_known),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
