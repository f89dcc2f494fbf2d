/* The tables of columns: their keys, the manual's texts on them, and their written values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns/columns.h"

/* The keys of the report's schema, in its order. */
static const char *const keys[] = {
    "name",
    "path",
    "field",
    "symmetry",
    "rows",
    "cols",
    "stored",
    "nnz",
    "explicit_zeros",
    "duplicates",
    "density",
    "structure.lower_bandwidth",
    "structure.upper_bandwidth",
    "structure.profile",
    "structure.pattern_symmetry",
    "structure.numeric_symmetry",
    "structure.symmetry_error",
    "structure.diagonal_nonzeros",
    "structure.diagonals",
    "structure.empty_rows",
    "structure.empty_cols",
    "structure.components",
    "structure.largest_component",
    "structure.strong_components",
    "structure.largest_strong_component",
    "dense_blocks.rows",
    "dense_blocks.cols",
    "dense_blocks.count",
    "dense_blocks.fill",
    "dense_blocks.row_groups",
    "dense_blocks.mean_row_group",
    "dense_blocks.largest_row_group",
    "dense_blocks.col_groups",
    "dense_blocks.mean_col_group",
    "dense_blocks.largest_col_group",
    "dense_blocks.variable",
    "dense_blocks.mean_variable",
    "dense_blocks.similar_groups",
    "dense_blocks.mean_similar_group",
    "dense_blocks.largest_similar_group",
    "dense_blocks.similar_fill",
    "blocks.structural_rank",
    "blocks.underdetermined_rows",
    "blocks.underdetermined_cols",
    "blocks.well_determined",
    "blocks.overdetermined_rows",
    "blocks.overdetermined_cols",
    "blocks.count",
    "blocks.largest",
    "cholesky.entries",
    "cholesky.growth",
    "cholesky.flops",
    "cholesky.amd_entries",
    "cholesky.amd_growth",
    "cholesky.amd_flops",
    "qr.entries",
    "qr.flops",
    "qr.householder",
    "qr.lacking",
    "lower_triangle.entries",
    "lower_triangle.levels",
    "lower_triangle.mean_level",
    "lower_triangle.median_level",
    "lower_triangle.largest_level",
    "upper_triangle.entries",
    "upper_triangle.levels",
    "upper_triangle.mean_level",
    "upper_triangle.median_level",
    "upper_triangle.largest_level",
    "colours.count",
    "colours.largest",
    "colours.smallest",
    "colours.by_degree",
    "colours.at_random",
    "colours.rounds",
    "row_lengths.min",
    "row_lengths.max",
    "row_lengths.mean",
    "row_lengths.median",
    "row_lengths.stddev",
    "row_lengths.cv",
    "row_lengths.average_deviation",
    "row_lengths.percent_average_deviation",
    "row_lengths.gini",
    "row_lengths.p95",
    "row_lengths.p99",
    "col_lengths.min",
    "col_lengths.max",
    "col_lengths.mean",
    "col_lengths.median",
    "col_lengths.stddev",
    "col_lengths.cv",
    "col_lengths.average_deviation",
    "col_lengths.percent_average_deviation",
    "col_lengths.gini",
    "col_lengths.p95",
    "col_lengths.p99",
    "values.min",
    "values.max",
    "values.min_abs",
    "values.max_abs",
    "values.mean_abs",
    "values.positive",
    "values.negative",
    "values.nan",
    "values.infinite",
    "values.norm_1",
    "values.norm_inf",
    "values.norm_frobenius",
    "values.dominant_rows",
    "values.strictly_dominant_rows",
    "values.definite_candidate",
};
#define KEYS (sizeof keys / sizeof *keys)

static void the_keys_are_the_schema(void **state)
{
    size_t count = 0;
    for (const struct column *column = columns; column->key; column++) {
        assert_true(count < KEYS);
        assert_string_equal(column->key, keys[count++]);
        assert_true(column->title[0] && column->help[0] && (column->get || column->owner));
        assert_null(strchr(column->help, '\n'));
        assert_true(column->type != VALUE_NULL);
        assert_ptr_equal(column_find(column->key), column);
    }
    assert_int_equal(count, KEYS);
    assert_null(column_find("structure"));
    assert_null(column_find(""));
}

/* Columns of kernels that macros declare for several purposes at once, and one column of each list. */
static const struct {
    const char *key, *title, *heading;
    const struct column_part *part;
    bool leading;
} kernel_keys[] = {
    {"kernel", "Kernel", NULL, &part_run, false},
    {"time_us", "Time", "time", &part_run, true},
    {"estimate.lane_utilisation", "Lane utilisation", "lanes", &part_estimate, true},
    {"max_error", "Largest error", NULL, &part_run, false},
    {"estimate.loads.sectors", "Load sectors", "sectors", &part_estimate, false},
    {"estimate.operands.values.coalescing_efficiency", "Coalescing of values", "values", &part_estimate,
     false},
    {"estimate.operands.columns.coalescing_efficiency", "Coalescing of columns", "columns", &part_estimate,
     false},
    {"estimate.operands.rows.coalescing_efficiency", "Coalescing of row indices", NULL, &part_estimate,
     false},
    {"estimate.operands.pointers.coalescing_efficiency", "Coalescing of pointers", NULL, &part_estimate,
     false},
    {"estimate.operands.tables.coalescing_efficiency", "Coalescing of its own tables", NULL, &part_estimate,
     false},
    {"estimate.operands.x.coalescing_efficiency", "Coalescing of x", "x", &part_estimate, false},
    {"estimate.operands.y.coalescing_efficiency", "Coalescing of y", NULL, &part_estimate, false},
    {"estimate.occupancy", "Occupancy", "occup.", &part_estimate, false},
    {"cmrs.f_32", "f, transactions of 32 bytes", NULL, &part_cmrs, false},
    {"cmrs.f_128", "f, transactions of 128 bytes", "f 128", &part_cmrs, false},
    {"cmrs.f_256", "f, transactions of 256 bytes", NULL, &part_cmrs, false},
    {"cmrs.a_32", "a, transactions of 32 bytes", "a 32", &part_cmrs, false},
    {"cmrs.approximation_32", "~a, transactions of 32 bytes", NULL, &part_cmrs, false},
    {"cmrs.a_128", "a, transactions of 128 bytes", "a 128", &part_cmrs, false},
    {"cmrs.approximation_128", "~a, transactions of 128 bytes", "~a 128", &part_cmrs, false},
    {"cmrs.a_256", "a, transactions of 256 bytes", "a 256", &part_cmrs, false},
    {"cmrs.approximation_256", "~a, transactions of 256 bytes", NULL, &part_cmrs, false},
    {"cmrs.gain", "Gain over a warp per row", "gain", &part_cmrs, false},
};

/* The table has these columns in this order, each once. No table reaches the maximum length. */
static void columns_of_kernels_are_made_from_lists(void **state)
{
    const struct column *column = kernel_columns;
    for (size_t k = 0; k < sizeof kernel_keys / sizeof *kernel_keys; k++, column++) {
        while (column->key && strcmp(column->key, kernel_keys[k].key) != 0)
            column++;
        if (!column->key) fail_msg("%s is not there, or in another place", kernel_keys[k].key);
        assert_string_equal(column->title, kernel_keys[k].title);
        assert_true(!column->heading == !kernel_keys[k].heading);
        if (column->heading) assert_string_equal(column->heading, kernel_keys[k].heading);
        assert_ptr_equal(column->part, kernel_keys[k].part);
        assert_int_equal(column->leading, kernel_keys[k].leading);
        assert_null(strchr(column->help, '@'));
    }
    int count = 0;
    for (column = kernel_columns; column->key; column++, count++)
        for (const struct column *other = kernel_columns; other != column; other++)
            assert_string_not_equal(column->key, other->key);
    assert_true(count < COLUMNS_MAX);
}

/* The key of a part is the first word of the keys of its columns. */
static void check_parts(const struct column *table)
{
    for (const struct column *column = table; column->key; column++) {
        size_t length = strcspn(column->key, ".");
        const char *word = column->key[length] ? column->key : "";
        assert_non_null(column->part);
        assert_int_equal(strlen(column->part->key), column->key[length] ? length : 0);
        assert_int_equal(strncmp(column->part->key, word, strlen(column->part->key)), 0);
    }
}

static void parts_are_objects(void **state)
{
    check_parts(columns);
    check_parts(format_columns);
    check_parts(kernel_columns);
    const struct column *row = column_first(columns, &part_row_lengths),
                        *col = column_first(columns, &part_col_lengths);
    for (; row && col; row = column_next(row), col = column_next(col))
        assert_string_equal(row->title, col->title);
    assert_true(!row && !col);
}

/* Columns of the list of formats. */
static const char *const format_keys[] = {
    "format",
    "params",
    "precision",
    "bytes",
    "bytes_error",
    "integers",
    "slots",
    "padding",
    "padding_ratio",
    "dense_ratio",
    "convert_us",
    "refused",
    "criteria.space",
    "criteria.flexibility",
    "criteria.accessibility",
    "criteria.access",
    "criteria.balance",
};
#define FORMAT_KEYS (sizeof format_keys / sizeof *format_keys)

static void the_keys_of_formats_are_the_schema(void **state)
{
    size_t count = 0;
    for (const struct column *column = format_columns; column->key; column++) {
        assert_true(count < FORMAT_KEYS);
        assert_string_equal(column->key, format_keys[count++]);
        assert_true(column->title[0] && column->help[0] && (column->get || column->owner));
        assert_null(strchr(column->help, '\n'));
        assert_true(column->type != VALUE_NULL);
    }
    assert_int_equal(count, FORMAT_KEYS);
}

/* A number of each type that a struct may hold. */
struct held {
    int64_t large;
    int small;
    size_t bytes;
    double seconds, whole[3];
    bool yes;
    char words[sizeof(char *)]; /* as many bytes as a pointer has */
    char *name;
};

static struct held held;

static const void *owner_held(const struct subject *subject)
{
    return subject->matrix_case ? &held : NULL;
}

static bool never(const struct subject *subject)
{
    return false;
}

#define HELD(member) COLUMN_STORED(owner_held, struct held, member)

static void expect_number(const struct column *column, enum value_type type, double expected)
{
    static const struct matrix_case matrix_case;
    const struct value value = column_get(column, &(struct subject){.matrix_case = &matrix_case});
    assert_int_equal(value.type, type);
    if (type == VALUE_INTEGER || type == VALUE_REAL) assert_true(value_number(value) == expected);
    assert_int_equal(column_get(column, &(struct subject){0}).type, VALUE_NULL);
}

/* column_get returns the number that column_put stored, and null is unknown afterwards, except for whole
 * numbers. */
static void stored_numbers_go_both_ways(void **state)
{
    const struct column large = {HELD(large)}, small = {HELD(small)}, bytes = {HELD(bytes)},
                        yes = {HELD(yes)}, words = {HELD(words)}, name = {HELD(name)},
                        time = {COLUMN_SECONDS(owner_held, struct held, seconds)},
                        whole = {COLUMN_WHOLE(owner_held, struct held, whole[0]), .index = 2},
                        unknown = {HELD(large), .known = never};
    column_put(&large, &held, integer_value(INT64_MAX));
    column_put(&small, &held, integer_value(INT32_MAX));
    column_put(&bytes, &held, integer_value(7));
    column_put(&time, &held, real_value(12.5));
    column_put(&whole, &held, integer_value(123));
    column_put(&yes, &held, boolean_value(true));
    column_put(&words, &held, text_value("a\033bcdefgh"));
    column_put(&name, &held, text_value("left alone"));
    assert_true(held.large == INT64_MAX && held.small == INT32_MAX && held.bytes == 7 && held.yes);
    assert_true(held.seconds == 12.5e-6 && held.whole[2] == 123 && held.whole[0] == 0);
    assert_string_equal(held.words, "a?bcdef");
    assert_null(held.name);
    expect_number(&large, VALUE_INTEGER, (double)INT64_MAX);
    expect_number(&small, VALUE_INTEGER, INT32_MAX);
    expect_number(&bytes, VALUE_INTEGER, 7);
    expect_number(&time, VALUE_REAL, 12.5);
    assert_true(time.role == COLUMN_TIME && strcmp(time.unit, "us") == 0);
    expect_number(&whole, VALUE_INTEGER, 123);
    expect_number(&yes, VALUE_BOOLEAN, NAN);
    expect_number(&words, VALUE_TEXT, NAN);
    expect_number(&name, VALUE_NULL, NAN);
    expect_number(&unknown, VALUE_NULL, NAN);
    const struct column *const all[] = {&large, &small, &bytes, &time, &whole, &yes, &words};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        column_put(all[k], &held, null_value());
    expect_number(&large, VALUE_INTEGER, 0);
    expect_number(&small, VALUE_INTEGER, 0);
    expect_number(&bytes, VALUE_INTEGER, 0);
    expect_number(&time, VALUE_NULL, NAN);
    expect_number(&whole, VALUE_NULL, NAN);
    assert_false(held.yes);
    expect_number(&words, VALUE_NULL, NAN);
    held =
        (struct held){.large = -1, .small = -1, .bytes = SIZE_MAX, .whole = {0, 0, 0x1p62}, .name = "here"};
    expect_number(&large, VALUE_NULL, NAN);
    expect_number(&small, VALUE_NULL, NAN);
    expect_number(&bytes, VALUE_INTEGER, (double)INT64_MAX);
    expect_number(&whole, VALUE_NULL, NAN);
    expect_number(&name, VALUE_TEXT, NAN);
}

static struct value format_number(const struct conversion *conversion, const char *key)
{
    const struct column *column = format_columns;
    while (column->key && strcmp(column->key, key) != 0)
        column++;
    assert_non_null(column->key);
    return format_value(column, conversion);
}

static void check_format(const struct conversion *conversion, const char *key, double expected)
{
    struct value value = format_number(conversion, key);
    if (isnan(expected))
        assert_int_equal(value.type, VALUE_NULL);
    else
        assert_true((value.type == VALUE_INTEGER ? (double)value.integer : value.real) == expected);
}

/* The stages of a conversion: requested, planned, built, freed, refused. */
static void numbers_of_a_format(void **state)
{
    static const char *const words[] = {"bytes", "sentinel", NULL};
    static const struct parameter parameters[] = {
        {"k", "", 0, 100, 0, .type = PARAMETER_INTEGER, .automatic = "by rule"},
        {"rule", "", .type = PARAMETER_WORD, .words = words},
        {"share", "", 0, 1, 0.5, .type = PARAMETER_REAL},
        {0},
    };
    static const struct format format = {.name = "hyb", .parameters = parameters};
    struct conversion conversion = {.choice = {.format = &format, .precision = PRECISION_F32},
                                    .seconds = NAN};
    char text[160];
    conversion.resolved.values.number[0] = NAN;
    conversion.resolved.values.number[1] = 1;
    conversion.resolved.values.number[2] = 0.25;
    assert_string_equal(format_number(&conversion, "format").text, "hyb");
    assert_string_equal(format_number(&conversion, "precision").text, "f32");
    assert_string_equal(value_text(format_number(&conversion, "params"), text, sizeof text),
                        "rule=sentinel,share=0.25");
    for (size_t k = 3; k < FORMAT_KEYS; k++)
        check_format(&conversion, format_keys[k], NAN);

    conversion.size = (struct format_size){
        .bytes = 1600, .integers = 70, .slots = 120, .padding = 20, .padding_ratio = 1.2, .dense_ratio = NAN};
    conversion.criteria = (struct criteria){0.5, 0.25, 0.125, NAN, 1};
    assert_null(conversion_criteria(&conversion));
    conversion.resolved.values.number[0] = 12;
    atomic_store(&conversion.sized, true);
    assert_ptr_equal(conversion_criteria(&conversion), &conversion.criteria);
    atomic_store(&conversion.state, CONVERSION_PLANNED);
    assert_string_equal(value_text(format_number(&conversion, "params"), text, sizeof text),
                        "k=12,rule=sentinel,share=0.25");
    check_format(&conversion, "bytes", 1600);
    check_format(&conversion, "integers", 70);
    check_format(&conversion, "slots", 120);
    check_format(&conversion, "padding", 20);
    check_format(&conversion, "padding_ratio", 1.2);
    check_format(&conversion, "dense_ratio", NAN);
    check_format(&conversion, "convert_us", NAN);
    check_format(&conversion, "refused", NAN);
    check_format(&conversion, "criteria.space", 0.5);
    check_format(&conversion, "criteria.flexibility", 0.25);
    check_format(&conversion, "criteria.accessibility", 0.125);
    check_format(&conversion, "criteria.access", NAN);
    check_format(&conversion, "criteria.balance", 1);

    conversion.seconds = 0.5;
    check_format(&conversion, "convert_us", 500000);
    conversion.keep = true; /* another thread may be building it */
    check_format(&conversion, "convert_us", NAN);
    atomic_store(&conversion.state, CONVERSION_BUILT);
    check_format(&conversion, "convert_us", 500000);

    conversion.size.bytes = SIZE_MAX;
    check_format(&conversion, "bytes", (double)INT64_MAX);
    error_set(&conversion.refusal, STATUS_LIMIT, "too large");
    atomic_store(&conversion.state, CONVERSION_REFUSED);
    check_format(&conversion, "convert_us", NAN);
    assert_string_equal(format_number(&conversion, "refused").text, "too large");
}

/* The model of a partition begins with the time of one process: without it, its numbers are null, not 0. */
static void parts_without_a_time_have_no_model(void **state)
{
    struct distributed division = {.parts = 4, .halo = {.parts = 4, .volume = 9}};
    const struct subject subject = {.division = &division};
    int counts = 0, times = 0;
    for (const struct column *column = part_columns; column->key; column++) {
        if (column->part == &part_scaling) {
            assert_int_equal(column_get(column, &subject).type, VALUE_NULL);
            division.scaling = (struct scaling){.total_us = 4, .compute_us = 3, .exchange_us = 1};
            /* The measured time is no part of the model. The error needs both. */
            const bool of_measured =
                strcmp(column->key, "measured_us") == 0 || strcmp(column->key, "prediction_error") == 0;
            assert_int_equal(column_get(column, &subject).type, of_measured ? VALUE_NULL : VALUE_REAL);
            division.measured_us = of_measured ? 5 : 0;
            assert_int_equal(column_get(column, &subject).type, VALUE_REAL);
            if (strcmp(column->key, "prediction_error") == 0) {
                assert_float_equal(column_get(column, &subject).real, -0.2, 1e-15);
                division.scaling.overlap_us = 3.5; /* ranks multiply during the exchange */
                assert_float_equal(column_get(column, &subject).real, -0.3, 1e-15);
                division.scaling.overlap_us = NAN; /* a saved report without the parts' entries */
                assert_float_equal(column_get(column, &subject).real, -0.2, 1e-15);
            }
            division.measured_us = 0;
            if (strcmp(column->key, "exchange_share") == 0)
                assert_float_equal(column_get(column, &subject).real, 0.25, 1e-15);
            division.scaling = (struct scaling){0};
            times++;
        } else if (strcmp(column->key, "volume") == 0) {
            assert_int_equal(column_get(column, &subject).integer, 9);
            counts++;
        }
    }
    assert_true(counts == 1 && times == 9);
}

static void values_are_written_for_people(void **state)
{
    char out[64];
    assert_string_equal(value_text((struct value){.type = VALUE_NULL}, out, sizeof out), "-");
    assert_string_equal(
        value_text((struct value){.type = VALUE_INTEGER, .integer = 1234567}, out, sizeof out), "1,234,567");
    assert_string_equal(value_text((struct value){.type = VALUE_REAL, .real = 2.0 / 3}, out, sizeof out),
                        "0.666667");
    assert_string_equal(value_text((struct value){.type = VALUE_TEXT, .text = "real"}, out, sizeof out),
                        "real");
    static const struct column part = {.unit = "of all", .role = COLUMN_SHARE}, number = {.unit = "us"};
    assert_string_equal(value_shown(&part, real_value(2.0 / 3), out, sizeof out), "66.67%");
    assert_string_equal(value_shown(&part, null_value(), out, sizeof out), "-");
    assert_string_equal(value_shown(&number, real_value(2.0 / 3), out, sizeof out), "0.666667");
}

/* Columns of tables are narrow, so that values are written briefly. */
static void values_are_written_briefly(void **state)
{
    static const struct column number = {.unit = "slots"}, time = {.unit = "us", .role = COLUMN_TIME},
                               share = {.unit = "of T", .role = COLUMN_PERCENT},
                               part = {.unit = "of all", .role = COLUMN_SHARE}, bytes = {.unit = "bytes"};
    static const struct {
        const struct column *column;
        struct value value;
        int wide;
        const char *expected;
    } cases[] = {
        {&number, {.type = VALUE_INTEGER, .integer = 1234567}, 9, "1,234,567"},
        {&number, {.type = VALUE_INTEGER, .integer = 1234567}, 8, "1.23M"},
        {&number, {.type = VALUE_REAL, .real = 12.0 / 7}, 9, "1.714"},
        {&number, {.type = VALUE_REAL, .real = 10000.2}, 9, "10,000"},
        {&number, {.type = VALUE_REAL, .real = 1.234567e-7}, 9, "1.235e-07"},
        {&number, {.type = VALUE_NULL}, 9, "-"},
        {&number, {.type = VALUE_TEXT, .text = "f64"}, 2, "f64"},
        {&time, {.type = VALUE_REAL, .real = 12.34}, 9, "12.3 us"},
        {&time, {.type = VALUE_REAL, .real = 4560000}, 9, "4.56 s"},
        {&share, {.type = VALUE_REAL, .real = 0.0314159}, 9, "3.1%"},
        {&share, {.type = VALUE_REAL, .real = 0.474}, 9, "47%"},
        {&share, {.type = VALUE_REAL, .real = 0.99, .low = 1, .high = 3}, 14, "99%"},
        {&share, {.type = VALUE_REAL, .real = 1.527}, 14, "153%"},
        {&share, {.type = VALUE_REAL, .real = 152.73, .low = 12.34, .high = 4560}, 14, "12.3us..4.56ms"},
        {&share, {.type = VALUE_REAL, .real = 152.73, .low = 12.34, .high = 4560}, 13, ">100%"},
        {&part, {.type = VALUE_REAL, .real = 0.12345}, 9, "12.3%"},
        {&part, {.type = VALUE_REAL, .real = 1.5e-7}, 9, "1.5e-05%"},
        {&part, {.type = VALUE_NULL}, 9, "-"},
        {&bytes, {.type = VALUE_INTEGER, .integer = 123456}, 9, "123,456"},
        {&bytes, {.type = VALUE_INTEGER, .integer = 3477504}, 8, "3.32 MiB"},
    };
    char out[64];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(value_brief(cases[k].column, cases[k].value, cases[k].wide, out, sizeof out),
                            cases[k].expected);
}

static char *read_manual(void)
{
    const char *folder = getenv("SRCDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/man/sparsight-report.5", folder ? folder : ".");
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    char *text = calloc(1, 1 << 18);
    if (text && fread(text, 1, (1 << 18) - 1, file) == 0) text[0] = 0;
    fclose(file);
    return text;
}

/* Every column of a table is in the manual, with the same words. Returns how many there are. */
static size_t check_manual(const char *manual, const struct column *table)
{
    static const char *const types[] = {"null", "text", "integer", "real", "object", "boolean"};
    size_t items = 0;
    for (const struct column *column = table; column->key; column++, items++) {
        char entry[512];
        snprintf(entry, sizeof entry, "\n.It Va %s Pq %s%s%s\n%s\n", column->key, types[column->type],
                 column->unit ? ", " : "", column_unit(column), column->help);
        if (!strstr(manual, entry)) fail_msg("not in the manual:%s", entry);
    }
    return items;
}

/* The manual has the keys of all tables, and no others. */
static void the_manual_is_in_step(void **state)
{
    char *manual = read_manual();
    assert_non_null(manual);
    size_t items = check_manual(manual, columns) + check_manual(manual, format_columns) +
                   check_manual(manual, kernel_columns) + check_manual(manual, order_columns) +
                   check_manual(manual, part_columns) + check_manual(manual, rank_columns) +
                   check_manual(manual, cost_columns) + check_manual(manual, rounding_columns) +
                   check_manual(manual, spgemm_columns) + check_manual(manual, solve_columns) +
                   check_manual(manual, solve_kernel_columns) + check_manual(manual, trisolve_columns);
    for (const char *item = manual; (item = strstr(item, "\n.It Va ")); item++)
        items--;
    assert_int_equal(items, 0);
    free(manual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_keys_are_the_schema),
        cmocka_unit_test(the_keys_of_formats_are_the_schema),
        cmocka_unit_test(columns_of_kernels_are_made_from_lists),
        cmocka_unit_test(stored_numbers_go_both_ways),
        cmocka_unit_test(parts_are_objects),
        cmocka_unit_test(numbers_of_a_format),
        cmocka_unit_test(parts_without_a_time_have_no_model),
        cmocka_unit_test(values_are_written_for_people),
        cmocka_unit_test(values_are_written_briefly),
        cmocka_unit_test(the_manual_is_in_step),
    };
    return cmocka_run_group_tests_name("columns", tests, NULL, NULL);
}
