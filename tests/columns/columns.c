/* The table of columns, and its numbers against numpy's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "columns/columns.h"
#include "support/storing.h"

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
    "structure.diagonal_nonzeros",
    "structure.diagonals",
    "structure.empty_rows",
    "structure.empty_cols",
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
};
#define KEYS (sizeof keys / sizeof *keys)

/* A matrix of these entries, given row by row, as if loaded; all parts but the pyramid computed. */
static void make_session(struct session *session, int64_t rows, int64_t cols, const int64_t *row_ptr,
                         const int32_t *col, const double *val)
{
    size_t nnz = (size_t)row_ptr[rows];
    struct error error = {0};
    struct matrix matrix = {0};
    memset(session, 0, sizeof *session);
    session->shown = session_add_case(session, "natural", &matrix, &error);
    assert_non_null(session->shown);
    struct csr *a = &session->shown->matrix.csr;
    *a = (struct csr){.rows = rows, .cols = cols};
    a->row_ptr = memory_array((size_t)rows + 1, sizeof *row_ptr, NULL);
    a->col = memory_array(nnz, sizeof *col, NULL);
    a->val = memory_array(nnz, sizeof *val, NULL);
    assert_true(a->row_ptr && a->col && a->val);
    memcpy(a->row_ptr, row_ptr, ((size_t)rows + 1) * sizeof *row_ptr);
    if (nnz) memcpy(a->col, col, nnz * sizeof *col);
    if (nnz) memcpy(a->val, val, nnz * sizeof *val);
    session->shown->matrix.name = memory_string("hand", NULL);
    session->shown->matrix.path = memory_string("folder/hand.mtx", NULL);
    session->shown->matrix.symmetry = SYMMETRY_GENERAL;
    session->shown->matrix.stored = (int64_t)nnz + 2;
    session->shown->matrix.duplicates = 2;
    session->shown->matrix.explicit_zeros = csr_count_zeros(a);
    unsigned parts = SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE;
    assert_int_equal(session_need(session, parts, NULL, &error), STATUS_OK);
    assert_true(session_has(session, parts));
}

static void check(const struct session *session, const char *key, double expected)
{
    const struct column *column = column_find(key);
    assert_non_null(column);
    struct value value = column_value(column, session->shown);
    if (isnan(expected)) {
        assert_int_equal(value.type, VALUE_NULL);
        return;
    }
    assert_int_equal(value.type, column->type);
    double found = value.type == VALUE_INTEGER ? (double)value.integer : value.real;
    if (fabs(found - expected) > 1e-14 * fabs(expected))
        fail_msg("%s: %.17g, not %.17g", key, found, expected);
}

struct expected {
    const char *key;
    double value;
};

static void check_all(const struct session *session, const struct expected *expected, size_t count)
{
    for (size_t k = 0; k < count; k++)
        check(session, expected[k].key, expected[k].value);
}

static void the_keys_are_the_schema(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct column *column = columns; column->key; column++) {
        assert_true(count < KEYS);
        assert_string_equal(column->key, keys[count++]);
        assert_true(column->title[0] && column->help[0] && column->unit && column->get);
        assert_null(strchr(column->help, '\n'));
        assert_true(column->type != VALUE_NULL);
        assert_ptr_equal(column_find(column->key), column);
    }
    assert_int_equal(count, KEYS);
    assert_null(column_find("structure"));
    assert_null(column_find(""));
}

/* Columns of a kernel that are made for several things at once, and one from each list. */
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
    {"cmrs.gain", "Gain over a warp a row", "gain", &part_cmrs, false},
};

/* They stand in the table in this order, each once, and no table is as long as tables may be. */
static void columns_of_kernels_are_made_from_lists(void **state)
{
    (void)state;
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
    (void)state;
    check_parts(columns);
    check_parts(format_columns);
    check_parts(kernel_columns);
    const struct column *row = column_first(columns, &part_row_lengths),
                        *col = column_first(columns, &part_col_lengths);
    for (; row && col; row = column_next(row), col = column_next(col))
        assert_string_equal(row->title, col->title);
    assert_true(!row && !col);
}

/* Of a row of the list of formats. */
static const char *const format_keys[] = {
    "format",  "params",        "precision",   "bytes",      "integers", "slots",
    "padding", "padding_ratio", "dense_ratio", "convert_us", "refused",
};
#define FORMAT_KEYS (sizeof format_keys / sizeof *format_keys)

static void the_keys_of_formats_are_the_schema(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct column *column = format_columns; column->key; column++) {
        assert_true(count < FORMAT_KEYS);
        assert_string_equal(column->key, format_keys[count++]);
        assert_true(column->title[0] && column->help[0] && column->unit && column->get);
        assert_null(strchr(column->help, '\n'));
        assert_true(column->type != VALUE_NULL);
    }
    assert_int_equal(count, FORMAT_KEYS);
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

/* A conversion as it goes on: asked for, sized, built, built and let go, refused. */
static void numbers_of_a_format(void **state)
{
    (void)state;
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
    conversion.resolved.values.number[0] = 12;
    atomic_store(&conversion.sized, true);
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

static void rectangular_numbers(void **state)
{
    (void)state;
    static const int64_t row_ptr[] = {0, 2, 2, 6, 8, 9};
    static const int32_t col[] = {0, 3, 0, 1, 2, 5, 0, 3, 1};
    static const double val[] = {2, -1, -1, 4, 0, 7, -1, 1.5, 3};
    static const struct expected expected[] = {
        {"rows", 5},
        {"cols", 6},
        {"stored", 11},
        {"nnz", 9},
        {"explicit_zeros", 1},
        {"duplicates", 2},
        {"density", 0.3},
        {"structure.lower_bandwidth", 3},
        {"structure.upper_bandwidth", 3},
        {"structure.profile", 8},
        {"structure.pattern_symmetry", NAN},
        {"structure.numeric_symmetry", NAN},
        {"structure.diagonal_nonzeros", 3},
        {"structure.diagonals", 5},
        {"structure.empty_rows", 1},
        {"structure.empty_cols", 1},
        {"row_lengths.min", 0},
        {"row_lengths.max", 4},
        {"row_lengths.mean", 1.8},
        {"row_lengths.median", 2},
        {"row_lengths.stddev", 1.32664991614216},
        {"row_lengths.cv", 0.7370277311900889},
        {"row_lengths.average_deviation", 1.04},
        {"row_lengths.percent_average_deviation", 57.77777777777778},
        {"row_lengths.gini", 0.4},
        {"row_lengths.p95", 3.6},
        {"row_lengths.p99", 3.92},
        {"col_lengths.min", 0},
        {"col_lengths.max", 3},
        {"col_lengths.mean", 1.5},
        {"col_lengths.median", 1.5},
        {"col_lengths.stddev", 0.9574271077563381},
        {"col_lengths.cv", 0.6382847385042254},
        {"col_lengths.average_deviation", 0.8333333333333334},
        {"col_lengths.percent_average_deviation", 55.55555555555556},
        {"col_lengths.gini", 0.35185185185185186},
        {"col_lengths.p95", 2.75},
        {"col_lengths.p99", 2.95},
    };
    struct session session;
    make_session(&session, 5, 6, row_ptr, col, val);
    check_all(&session, expected, sizeof expected / sizeof *expected);
    assert_string_equal(column_value(column_find("name"), session.shown).text, "hand");
    assert_string_equal(column_value(column_find("path"), session.shown).text, "folder/hand.mtx");
    assert_string_equal(column_value(column_find("field"), session.shown).text, "real");
    assert_string_equal(column_value(column_find("symmetry"), session.shown).text, "general");
    session_free(&session);
}

static void square_numbers(void **state)
{
    (void)state;
    static const int64_t row_ptr[] = {0, 3, 5, 6, 7};
    static const int32_t col[] = {0, 1, 2, 0, 3, 0, 3};
    static const double val[] = {2, 5, 1, 5, 1, 9, 0};
    static const struct expected expected[] = {
        {"density", 0.4375},
        {"structure.lower_bandwidth", 2},
        {"structure.upper_bandwidth", 2},
        {"structure.profile", 3},
        {"structure.pattern_symmetry", 0.8},
        {"structure.numeric_symmetry", 0.4},
        {"structure.diagonal_nonzeros", 2},
        {"structure.diagonals", 5},
        {"row_lengths.median", 1.5},
        {"row_lengths.stddev", 0.82915619758885},
        {"row_lengths.gini", 0.25},
        {"row_lengths.p95", 2.85},
    };
    struct session session;
    make_session(&session, 4, 4, row_ptr, col, val);
    check_all(&session, expected, sizeof expected / sizeof *expected);
    session_free(&session);
}

static void undefined_numbers_are_null(void **state)
{
    (void)state;
    static const int64_t none[] = {0, 0, 0};
    struct session session;
    make_session(&session, 0, 3, none, NULL, NULL);
    check(&session, "density", NAN);
    check(&session, "row_lengths.min", NAN);
    check(&session, "row_lengths.max", NAN);
    check(&session, "row_lengths.mean", NAN);
    check(&session, "col_lengths.min", 0);
    check(&session, "col_lengths.mean", 0);
    check(&session, "col_lengths.cv", NAN);
    check(&session, "col_lengths.gini", NAN);
    check(&session, "structure.empty_cols", 3);
    session_free(&session);
    make_session(&session, 2, 2, none, NULL, NULL);
    check(&session, "density", 0);
    check(&session, "structure.pattern_symmetry", NAN);
    session_free(&session);
}

/* The 3 x 3 matrix with rows (0, 1, 2), (1), () and the same with its rows in the opposite order: by hand,
 * the lower bandwidths are 0 and 2, the upper ones 2 and 0. */
static void cases_are_known_apart(void **state)
{
    (void)state;
    static const int64_t row_ptr[] = {0, 3, 4, 4}, turned_ptr[] = {0, 0, 1, 4};
    static const int32_t col[] = {0, 1, 2, 1}, turned_col[] = {1, 0, 1, 2};
    static const double val[] = {1, 2, 3, 4}, turned_val[] = {4, 1, 2, 3};
    struct session session, other;
    struct error error = {0};
    make_session(&session, 3, 3, row_ptr, col, val);
    make_session(&other, 3, 3, turned_ptr, turned_col, turned_val);
    struct matrix_case *natural = session.shown;
    struct matrix_case *turned = session_add_case(&session, "turned", &other.shown->matrix, &error);
    assert_non_null(turned);
    assert_null(other.shown->matrix.csr.row_ptr);
    assert_ptr_equal(session.shown, natural);
    session.shown = turned;
    assert_false(session_has(&session, SESSION_STRUCTURE));
    assert_int_equal(session_need(&session, SESSION_STRUCTURE | SESSION_ROW_LENGTHS, NULL, &error),
                     STATUS_OK);
    check(&session, "structure.lower_bandwidth", 2);
    check(&session, "structure.upper_bandwidth", 0);
    session.shown = natural;
    check(&session, "structure.lower_bandwidth", 0);
    check(&session, "structure.upper_bandwidth", 2);
    assert_non_null(storing_want(&turned->conversions, format_find("csr"), "", PRECISION_F64, &error));
    assert_int_equal(atomic_load(&natural->conversions.count), 0);
    session_free(&session);
    session_free(&other);
}

/* Where nothing is left to compute, no memory is needed. */
static void what_is_there_is_not_computed_again(void **state)
{
    (void)state;
    static const int64_t row_ptr[] = {0, 1, 2};
    static const int32_t col[] = {0, 1};
    static const double val[] = {1, 2};
    struct session session;
    struct error error = {0};
    make_session(&session, 2, 2, row_ptr, col, val);
    memory_fail_after(0);
    assert_int_equal(
        session_need(&session, SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE, NULL, &error),
        STATUS_OK);
    assert_int_equal(memory_failures(), 0);
    memory_fail_after(-1);
    session_free(&session);
}

static void orders_are_limited(void **state)
{
    (void)state;
    struct session session = {0};
    struct error error = {0};
    struct matrix matrix = {.name = memory_string("kept", NULL)};
    for (int k = 0; k < SESSION_CASES; k++)
        assert_non_null(session_add_case(&session, "natural", &(struct matrix){0}, &error));
    assert_null(session_add_case(&session, "one more", &matrix, &error));
    assert_int_equal(error.status, STATUS_USAGE);
    assert_string_equal(matrix.name, "kept");
    matrix_free(&matrix);
    session_free(&session);
}

static void what_is_not_there_yet_is_null(void **state)
{
    (void)state;
    struct session session = {0};
    struct error error = {0};
    for (const struct column *column = columns; column->key; column++)
        assert_int_equal(column_value(column, session.shown).type, VALUE_NULL);
    assert_int_equal(session_need(&session, SESSION_STRUCTURE, NULL, &error), STATUS_USAGE);
    struct load_options options = {0};
    error_clear(&error);
    assert_int_equal(session_load(&session, "gen:laplace2d,n=3", &options, NULL, &error), STATUS_OK);
    for (const struct column *column = columns; column->key; column++)
        assert_int_equal(column_value(column, session.shown).type == VALUE_NULL, column->needs != 0);
    session_free(&session);
}

/* The GPU that was asked for, or else one that there always is; found once. */
static void a_session_knows_what_to_estimate_for(void **state)
{
    (void)state;
    struct session session;
    struct load_options options = {0};
    struct gpu none = {0}, asked;
    assert_int_equal(gpu_find("k20m", &asked, NULL), STATUS_OK);
    assert_int_equal(session_load(&session, "gen:laplace2d,n=3", &options, NULL, NULL), STATUS_OK);
    session_for_gpu(&session, &asked, 0);
    assert_false(session_has(&session, SESSION_GPU));
    assert_int_equal(session_need(&session, SESSION_GPU, NULL, NULL), STATUS_OK);
    assert_true(session_has(&session, SESSION_GPU));
    assert_string_equal(session.gpu.name, "k20m");
    session_free(&session);
    assert_int_equal(session_load(&session, "gen:laplace2d,n=3", &options, NULL, NULL), STATUS_OK);
    session_for_gpu(&session, &none, 1000000);
    assert_int_equal(session_need(&session, SESSION_GPU, NULL, NULL), STATUS_OK);
    assert_string_equal(session.gpu.name, GPU_STANDARD);
    session_free(&session);
}

static void a_failed_load_names_the_matrix(void **state)
{
    (void)state;
    struct session session;
    struct load_options options = {0};
    struct error error = {0};
    assert_int_equal(session_load(&session, "gen:nonsense", &options, NULL, &error), STATUS_USAGE);
    assert_string_equal(error.path, "gen:nonsense");
    assert_false(session_has(&session, SESSION_MATRIX));
    session_free(&session);
}

/* Every allocation on the way fails once; nothing leaks, and what is there stays readable. */
static void sessions_survive_failing_allocations(void **state)
{
    (void)state;
    struct load_options options = {0};
    enum status status = STATUS_MEMORY;
    for (long k = 0; status != STATUS_OK; k++) {
        struct session session;
        struct error error = {0};
        assert_true(k < 10000);
        memory_fail_after(k);
        status = session_load(&session, "gen:laplace2d,n=3", &options, NULL, &error);
        if (status == STATUS_OK) status = session_need(&session, 63, NULL, &error);
        bool failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        assert_int_equal(error.status, status);
        assert_string_equal(error.path, failed ? "gen:laplace2d,n=3" : "");
        session_free(&session);
    }
}

static void values_are_written_for_people(void **state)
{
    (void)state;
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

/* In a column of a table there is little room. */
static void values_are_written_briefly(void **state)
{
    (void)state;
    static const struct column number = {.unit = "slots"}, time = {.unit = "us", .role = COLUMN_TIME},
                               share = {.unit = "% of T", .role = COLUMN_PERCENT},
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
        {&number, {.type = VALUE_REAL, .real = 10000.2}, 9, "10000"},
        {&number, {.type = VALUE_REAL, .real = 1.234567e-7}, 9, "1.235e-07"},
        {&number, {.type = VALUE_NULL}, 9, "-"},
        {&number, {.type = VALUE_TEXT, .text = "f64"}, 2, "f64"},
        {&time, {.type = VALUE_REAL, .real = 12.34}, 9, "12.3 us"},
        {&time, {.type = VALUE_REAL, .real = 4560000}, 9, "4.56 s"},
        {&share, {.type = VALUE_REAL, .real = 3.14159}, 9, "3.1%"},
        {&share, {.type = VALUE_REAL, .real = 47.4}, 9, "47%"},
        {&share, {.type = VALUE_REAL, .real = 99, .low = 1, .high = 3}, 14, "99%"},
        {&share, {.type = VALUE_REAL, .real = 15273, .low = 12.34, .high = 4560}, 14, "12.3us..4.56ms"},
        {&share, {.type = VALUE_REAL, .real = 15273, .low = 12.34, .high = 4560}, 13, ">100%"},
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
                 column->unit[0] ? ", " : "", column->unit, column->help);
        if (!strstr(manual, entry)) fail_msg("not in the manual:%s", entry);
    }
    return items;
}

/* The manual has the keys of all tables, and no others. */
static void the_manual_is_in_step(void **state)
{
    (void)state;
    char *manual = read_manual();
    assert_non_null(manual);
    size_t items = check_manual(manual, columns) + check_manual(manual, format_columns) +
                   check_manual(manual, kernel_columns);
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
        cmocka_unit_test(parts_are_objects),
        cmocka_unit_test(numbers_of_a_format),
        cmocka_unit_test(rectangular_numbers),
        cmocka_unit_test(square_numbers),
        cmocka_unit_test(undefined_numbers_are_null),
        cmocka_unit_test(cases_are_known_apart),
        cmocka_unit_test(what_is_there_is_not_computed_again),
        cmocka_unit_test(orders_are_limited),
        cmocka_unit_test(what_is_not_there_yet_is_null),
        cmocka_unit_test(a_failed_load_names_the_matrix),
        cmocka_unit_test(a_session_knows_what_to_estimate_for),
        cmocka_unit_test(sessions_survive_failing_allocations),
        cmocka_unit_test(values_are_written_for_people),
        cmocka_unit_test(values_are_written_briefly),
        cmocka_unit_test(the_manual_is_in_step),
    };
    return cmocka_run_group_tests_name("columns", tests, NULL, NULL);
}
