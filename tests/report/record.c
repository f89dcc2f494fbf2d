/* report/records/record: each number of a saved report stands in its own field, at the ends of its range too.
 */
#include "report/records/record.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "support/unit.h"

static json_t *parse(const char *text)
{
    json_error_t fault;
    json_t *object = json_loads(text, 0, &fault);
    if (!object) fail_msg("%s in %s", fault.text, text);
    return object;
}

static enum status read_text(const char *text, struct record *record, struct error *error)
{
    json_t *object = parse(text);
    const enum status status = record_read(object, "a.json", record, error);
    json_decref(object);
    return status;
}

static const struct {
    const char *path;
    size_t offset;
} amounts[] = {{"time_us", offsetof(struct record_row, time)},
               {"median_us", offsetof(struct record_row, median)},
               {"low_us", offsetof(struct record_row, low)},
               {"high_us", offsetof(struct record_row, high)},
               {"predicted_us", offsetof(struct record_row, predicted)},
               {"gflops", offsetof(struct record_row, gflops)},
               {"beta_minus", offsetof(struct record_row, beta_minus)},
               {"beta_plus", offsetof(struct record_row, beta_plus)},
               {"eta_minus", offsetof(struct record_row, eta_minus)},
               {"eta_plus", offsetof(struct record_row, eta_plus)},
               {"padding_ratio", offsetof(struct record_row, padding_ratio)},
               {"params.height", offsetof(struct record_row, height)},
               {"cmrs.a_128", offsetof(struct record_row, a_128)},
               {"cmrs.a_256", offsetof(struct record_row, a_256)}};
#define AMOUNTS (sizeof amounts / sizeof *amounts)

static double amount_of(const struct record_row *row, size_t k)
{
    return *(const double *)(const void *)((const char *)row + amounts[k].offset);
}

/* Write a kernel with all amounts but `without`. All amounts differ. */
static void write_kernel(size_t without, char *out, size_t size)
{
    char params[64] = "", cmrs[128] = "";
    size_t length =
        (size_t)snprintf(out, size,
                         "{\"kernel\": \"cpu/a\", \"label\": \"a b\", \"backend\": \"cpu\", \"format\": "
                         "\"csr\", \"precision\": \"f64\", \"threads\": 7");
    for (size_t k = 0; k < AMOUNTS; k++) {
        const char *dot = strchr(amounts[k].path, '.');
        char item[64];
        if (k == without) continue;
        snprintf(item, sizeof item, "\"%s\": %d.5", dot ? dot + 1 : amounts[k].path, 10 + (int)k);
        if (!dot)
            length += (size_t)snprintf(out + length, size - length, ", %s", item);
        else if (amounts[k].path[0] == 'p')
            snprintf(params, sizeof params, "%s", item);
        else
            snprintf(cmrs + strlen(cmrs), sizeof cmrs - strlen(cmrs), "%s%s", cmrs[0] ? ", " : "", item);
    }
    snprintf(out + length, size - length, ", \"params\": {%s}, \"cmrs\": {%s}}", params, cmrs);
}

TEST(each_amount_has_its_field)
{
    for (size_t without = 0; without <= AMOUNTS; without++) {
        char kernel[1024], text[1200];
        struct record record;
        struct error error = {0};
        write_kernel(without, kernel, sizeof kernel);
        snprintf(text, sizeof text, "{\"kernels\": [{\"kernel\": \"cpu/b\"}, %s]}", kernel);
        if (read_text(text, &record, &error) != STATUS_OK) fail_msg("%s: %s", text, error.message);
        assert_int_equal(record.count, 2);
        const struct record_row *row = &record.items[1], *other = &record.items[0];
        for (size_t k = 0; k < AMOUNTS; k++) {
            assert_true(isnan(amount_of(other, k)));
            if (k == without)
                assert_true(isnan(amount_of(row, k)));
            else if (amount_of(row, k) != 10.5 + (double)k)
                fail_msg("%s is %g", amounts[k].path, amount_of(row, k));
        }
        assert_string_equal(row->kernel, "cpu/a");
        assert_string_equal(row->label, "a b");
        assert_string_equal(row->backend, "cpu");
        assert_string_equal(row->format, "csr");
        assert_string_equal(row->precision, "f64");
        assert_int_equal(row->threads, 7);
        assert_null(row->unavailable);
        assert_non_null(row->params);
        assert_string_equal(other->kernel, "cpu/b");
        assert_string_equal(other->label, "cpu/b"); /* the label defaults to the kernel */
        assert_string_equal(other->backend, "");
        assert_string_equal(other->format, "");
        assert_string_equal(other->precision, "");
        assert_int_equal(other->threads, 0);
        assert_null(other->params);
        record_free(&record);
    }
}

/* Numbers of a matrix are whole, and not negative; 0 is one. */
TEST(sizes_are_read_from_zero)
{
    static const char *const keys[] = {"rows", "cols", "nnz"};
    struct record record;
    struct error error;
    for (int k = 0; k < 3; k++) {
        static const char *const numbers[] = {"0", "1", "5000000000", "9223372036854775807"};
        static const char *const wrong[] = {"-1", "1.5", "\"7\"", "[7]"};
        char text[128];
        for (int n = 0; n < 4; n++) {
            long long wanted = 0;
            sscanf(numbers[n], "%lld", &wanted);
            snprintf(text, sizeof text, "{\"name\": \"m\", \"%s\": %s}", keys[k], numbers[n]);
            assert_int_equal(read_text(text, &record, NULL), STATUS_OK);
            const int64_t sizes[] = {record.rows, record.cols, record.nnz};
            for (int j = 0; j < 3; j++)
                assert_int_equal(sizes[j], j == k ? wanted : 0);
            assert_string_equal(record.name, "m");
            assert_string_equal(record.order, "natural");
            assert_true(isnan(record.mean) && isnan(record.deviation) && record.count == 0);
            record_free(&record);
        }
        for (int n = 0; n < 4; n++) {
            error = (struct error){0};
            snprintf(text, sizeof text, "{\"name\": \"m\", \"%s\": %s}", keys[k], wrong[n]);
            assert_int_equal(read_text(text, &record, &error), STATUS_INPUT);
            assert_true(strstr(error.message, keys[k]) && strcmp(error.path, "a.json") == 0);
            assert_true(!record.json && !record.items);
        }
    }
    assert_int_equal(read_text("{\"order\": {\"name\": \"rcm\"}, \"row_lengths\": {\"mean\": 2.5, "
                               "\"percent_average_deviation\": 12.25}}",
                               &record, NULL),
                     STATUS_OK);
    assert_string_equal(record.order, "rcm");
    assert_true(record.mean == 2.5 && record.deviation == 12.25);
    record_free(&record);
    error = (struct error){0};
    assert_int_equal(read_text("{\"kernels\": [{\"kernel\": \"a\"}, {\"time_us\": 1}]}", &record, &error),
                     STATUS_INPUT);
    assert_non_null(strstr(error.message, "kernel"));
}

TEST(threads_of_kernels_are_read_from_zero)
{
    static const struct {
        const char *written;
        int read; /* -1: refused */
    } cases[] = {{"0", 0}, {"1", 1}, {"2147483647", 2147483647}, {"null", 0}, {"2147483648", -1}, {"-1", -1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[128];
        struct record record;
        struct error error = {0};
        snprintf(text, sizeof text, "{\"kernels\": [{\"kernel\": \"a\", \"threads\": %s}]}",
                 cases[k].written);
        const enum status status = read_text(text, &record, &error);
        assert_int_equal(status, cases[k].read < 0 ? STATUS_INPUT : STATUS_OK);
        if (status == STATUS_OK)
            assert_int_equal(record.items[0].threads, cases[k].read);
        else
            assert_says(error.message, "threads");
        if (status == STATUS_OK) record_free(&record);
    }
}

/* The fastest rows by medians and intervals, compared with a plain search. */
TEST(the_fastest_row_is_timed_and_of_its_precision)
{
    for (int seed = 0; seed < 200; seed++) {
        struct record_row rows[5];
        const struct record record = {.items = rows, .count = 5};
        const struct record_row *wanted = NULL;
        for (int k = 0; k < 5; k++) {
            const int draw = (seed * 31 + k * 17 + seed * k * 7) % 97;
            rows[k] = (struct record_row){.precision = draw % 3 ? "f64" : "f32",
                                          .unavailable = draw % 7 == 0 ? "why" : NULL,
                                          .median = draw % 11 == 0 ? NAN : 1 + draw % 20,
                                          .low = draw % 13 == 0 ? 0 : 0.5 + draw % 20,
                                          .high = draw % 17 == 0 ? NAN : 1.5 + draw % 20};
            const bool timed = !rows[k].unavailable && draw % 11 && draw % 13 && draw % 17;
            assert_true(record_timed(&rows[k]) == timed);
            if (timed && draw % 3 && (!wanted || rows[k].median < wanted->median)) wanted = &rows[k];
        }
        assert_ptr_equal(record_fastest(&record, "f64"), wanted);
        assert_null(record_fastest(&record, "f16"));
    }
}

TEST(intervals_that_meet_are_a_tie)
{
    for (int a = 0; a < 6; a++)
        for (int b = a; b < 6; b++)
            for (int c = 0; c < 6; c++)
                for (int d = c; d < 6; d++) {
                    const struct record_row first = {.low = a, .high = b}, second = {.low = c, .high = d};
                    bool common = false;
                    for (int x = 0; x < 6; x++)
                        common = common || (a <= x && x <= b && c <= x && x <= d);
                    assert_true(record_tied(&first, &second) == common);
                }
}

TEST(matrices_are_the_same_by_name_and_sizes)
{
    const struct record first = {.name = "m", .order = "natural", .rows = 3, .cols = 4, .nnz = 5};
    struct record other = first;
    other.order = "rcm";
    assert_true(record_same_matrix(&first, &other));
    for (int k = 0; k < 4; k++) {
        other = first;
        if (k == 0) other.name = "n";
        if (k == 1) other.rows++;
        if (k == 2) other.cols++;
        if (k == 3) other.nnz++;
        assert_false(record_same_matrix(&first, &other));
    }
}

TEST(pruning_leaves_what_records_use)
{
    static const char *const left[] = {"name", "order", "rows", "kernels", "row_lengths", "other"};
    static const char *const gone[] = {"formats", "advice", "source", "values", "col_lengths", "structure"};
    json_t *object =
        parse("{\"name\": 1, \"order\": 1, \"rows\": 1, \"other\": 1, \"formats\": 1, \"advice\": 1, "
              "\"source\": 1, \"values\": 1, \"col_lengths\": 1, \"structure\": 1, \"row_lengths\": "
              "{\"histogram\": 1, \"mean\": 1}, \"kernels\": [{\"time_us\": 1, \"estimate\": 1, "
              "\"predicted\": 1, \"tuning\": 1}, {\"time_us\": 2, \"estimate\": 1}]}");
    record_prune(object);
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        assert_non_null(json_object_get(object, left[k]));
    for (size_t k = 0; k < sizeof gone / sizeof *gone; k++)
        assert_null(json_object_get(object, gone[k]));
    assert_int_equal(json_object_size(json_object_get(object, "row_lengths")), 1);
    assert_non_null(json_object_get(json_object_get(object, "row_lengths"), "mean"));
    for (size_t k = 0; k < 2; k++) {
        const json_t *row = json_array_get(json_object_get(object, "kernels"), k);
        assert_int_equal(json_object_size(row), 1);
        assert_non_null(json_object_get(row, "time_us"));
    }
    json_decref(object);
}
