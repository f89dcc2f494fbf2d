/* matrix/files/hdf5/binsparse: the description that a written file has names each dataset with its type, the
 * sizes, the structure and the texts. Readers of other programs go by it, ours by the datasets themselves. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/files/reader.h"
#include "matrix/matrix.h"
#include "support/files.h"
#include "support/unit.h"

/* The description in the bytes of a file. */
static json_t *description_of(const char *path)
{
    static const char begin[] = "{\"binsparse\"";
    static char bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    for (size_t k = 0; k + sizeof begin < count; k++)
        if (memcmp(bytes + k, begin, sizeof begin - 1) == 0) {
            json_error_t fault;
            json_t *object = json_loads(bytes + k, JSON_DISABLE_EOF_CHECK, &fault);
            if (!object) fail_msg("%s", fault.text);
            return object;
        }
    fail_msg("%s has no description", path);
    return NULL;
}

static json_t *describe(const char *banner, const char *entries, const char *comment)
{
    char text[1024];
    struct matrix matrix;
    struct error error = {0};
    const struct load_options options = {0};
    snprintf(text, sizeof text,
             "%%%%MatrixMarket matrix coordinate %s\n%% title: Of tests\n%% author: N. N.\n%s", banner,
             entries);
    files_put("a.mtx", text);
    if (matrix_load("a.mtx", &options, NULL, &matrix, &error) != STATUS_OK) fail_msg("%s", error.message);
    FILE *file = fopen("a.bsp.h5", "wb");
    assert_non_null(file);
    assert_int_equal(reader_find("bsp", NULL)->write(file, &matrix, comment, NULL, &error), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    matrix_free(&matrix);
    return description_of("a.bsp.h5");
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

TEST(each_dataset_has_its_type)
{
    static const struct {
        const char *banner, *entries, *format, *values, *structure;
        int rows, cols, count;
    } cases[] = {
        {"real general", "3 4 3\n1 1 1.5\n2 3 2\n3 4 5\n", "CSR", "float64", "", 3, 4, 3},
        {"integer general", "3 4 3\n1 1 1\n2 3 2\n3 4 5\n", "CSR", "int64", "", 3, 4, 3},
        {"complex general", "2 2 2\n1 1 1 2\n2 1 2 3\n", "CSR", "complex[float64]", "", 2, 2, 2},
        {"pattern general", "2 5 2\n1 1\n2 5\n", "CSR", "iso[bint8]", "", 2, 5, 2},
        {"real symmetric", "3 3 3\n1 1 1.5\n3 1 2\n3 3 5\n", "CSR", "float64", "symmetric_lower", 3, 3, 3},
        {"real skew-symmetric", "3 3 2\n2 1 1.5\n3 1 2\n", "CSR", "float64", "skew_symmetric_lower", 3, 3, 2},
        {"complex hermitian", "2 2 2\n1 1 1 0\n2 1 2 3\n", "CSR", "complex[float64]", "hermitian_lower", 2, 2,
         2},
        {"real general", "9 8 2\n1 1 1.5\n9 8 2\n", "COOR", "float64", "", 9, 8, 2},
        {"pattern general", "9 8 3\n1 1\n2 2\n9 8\n", "COOR", "iso[bint8]", "", 9, 8, 3},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        json_t *tree = describe(cases[k].banner, cases[k].entries, k % 2 ? "made by a test" : NULL);
        const json_t *what = json_object_get(tree, "binsparse"), *types = json_object_get(what, "data_types"),
                     *shape = json_object_get(what, "shape");
        assert_string_equal(text_at(what, "version"), "0.1");
        assert_string_equal(text_at(what, "format"), cases[k].format);
        assert_string_equal(text_at(what, "structure"), cases[k].structure);
        assert_int_equal(json_array_size(shape), 2);
        assert_int_equal(json_integer_value(json_array_get(shape, 0)), cases[k].rows);
        assert_int_equal(json_integer_value(json_array_get(shape, 1)), cases[k].cols);
        assert_int_equal(json_integer_value(json_object_get(what, "number_of_stored_values")),
                         cases[k].count);
        assert_int_equal(json_object_size(types), 3);
        assert_string_equal(text_at(types, cases[k].format[1] == 'S' ? "pointers_to_1" : "indices_0"),
                            "int32");
        assert_string_equal(text_at(types, "indices_1"), "int32");
        assert_string_equal(text_at(types, "values"), cases[k].values);
        assert_string_equal(text_at(tree, "title"), "Of tests");
        assert_string_equal(text_at(tree, "author"), "N. N.");
        assert_string_equal(text_at(tree, "comment"), k % 2 ? "made by a test" : "");
        assert_null(json_object_get(tree, "date"));
        json_decref(tree);
    }
}

TESTS_BETWEEN(files_begin, files_end)
