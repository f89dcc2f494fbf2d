/* matrix/files/market: the field of a written file is that of the matrix, unless its values need another one.
 */
#include <stdio.h>
#include <string.h>

#include "matrix/files/reader.h"
#include "matrix/matrix.h"
#include "support/files.h"
#include "support/unit.h"

/* The third word behind "matrix" of the banner that is written for this file. */
static void written_field(const char *banner, const char *entries, char field[16], int64_t *duplicates)
{
    char text[512], line[128] = "";
    struct matrix matrix;
    struct error error = {0};
    const struct load_options options = {0};
    snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate %s\n%s", banner, entries);
    files_put("read.mtx", text);
    if (matrix_load("read.mtx", &options, NULL, &matrix, &error) != STATUS_OK) fail_msg("%s", error.message);
    *duplicates = matrix.duplicates;
    FILE *file = fopen("written.mtx", "w");
    assert_non_null(file);
    assert_int_equal(reader_find("mtx", NULL)->write(file, &matrix, NULL, NULL, &error), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    file = fopen("written.mtx", "r");
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(sscanf(line, "%%%%MatrixMarket matrix coordinate %15s", field), 1);
    matrix_free(&matrix);
}

TEST(fields_stay_unless_values_need_others)
{
    static const struct {
        const char *banner, *entries, *field;
        int duplicates;
    } cases[] = {
        {"real general", "2 2 2\n1 1 1\n2 2 1\n", "real", 0},
        {"real general", "2 2 3\n1 1 1\n2 2 0.5\n2 2 0.5\n", "real", 1},
        {"real general", "2 2 3\n1 1 1\n2 2 1\n2 2 1\n", "real", 1},
        {"complex general", "2 2 3\n1 1 1 0\n2 2 1 0\n2 2 0 0\n", "complex", 1},
        {"integer general", "2 2 2\n1 1 1\n2 2 7\n", "integer", 0},
        {"integer general", "2 2 3\n1 1 1\n2 2 7\n2 2 -6\n", "integer", 1},
        {"integer general", "2 2 2\n1 1 1\n2 2 9000000000000000000\n", "integer", 0},
        {"integer general", "2 2 3\n1 1 1\n2 2 9000000000000000000\n2 2 9000000000000000000\n", "real", 1},
        {"pattern general", "2 2 2\n1 1\n2 2\n", "pattern", 0},
        {"pattern general", "2 2 3\n1 1\n2 2\n2 2\n", "integer", 1},
        {"pattern symmetric", "2 2 2\n1 1\n2 1\n", "pattern", 0},
        {"pattern symmetric", "2 2 3\n1 1\n2 1\n2 1\n", "integer", 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char field[16];
        int64_t duplicates;
        written_field(cases[k].banner, cases[k].entries, field, &duplicates);
        if (strcmp(field, cases[k].field) != 0)
            fail_msg("case %zu, %s: written as %s", k, cases[k].banner, field);
        assert_int_equal(duplicates > 0, cases[k].duplicates);
    }
}

TESTS_BETWEEN(files_begin, files_end)
