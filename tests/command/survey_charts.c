/* command/survey_charts: options of pictures that cannot be met are refused, with an error that names
 * them. */
#include <stdio.h>
#include <string.h>

#include "command/options.h"
#include "command/survey_parts.h"
#include "drawing/picture.h"
#include "support/unit.h"

TEST(sizes_and_forms_belong_to_pictures)
{
    static const char *const forms[] = {NULL, "svg", "png", "pdf", "bmp"};
    static const int sizes[] = {0, 1, PICTURE_MIN - 1, PICTURE_MIN, PICTURE_MIN + 1, 3000};
    enum { FORMS = sizeof forms / sizeof *forms, SIZES = sizeof sizes / sizeof *sizes };
    for (int plots = 0; plots < 2; plots++)
        for (int f = 0; f < FORMS; f++)
            for (int w = 0; w < SIZES; w++)
                for (int h = w ? 1 : 0; h < (w ? SIZES : 1); h++) {
                    const struct options options = {
                        .plots = plots ? "pictures" : NULL, .form = forms[f], .size = {sizes[w], sizes[h]}};
                    struct error error = {0};
                    char words[64];
                    const enum status status = survey_charts_check(&options, &error);
                    if (!plots && (forms[f] || w)) {
                        assert_int_equal(status, STATUS_USAGE);
                        snprintf(words, sizeof words, "%s needs --plots=FOLDER",
                                 forms[f] ? "--form" : "--size");
                        assert_says(error.message, words);
                    } else if (plots && (f == 2 || f == 3) && status == STATUS_UNAVAILABLE) {
                        assert_says(error.message, forms[f]); /* built without cairo */
                    } else if (plots && f == FORMS - 1) {
                        assert_int_equal(status, STATUS_USAGE);
                        assert_says(error.message, forms[f]);
                    } else if (plots && w && (sizes[w] < PICTURE_MIN || sizes[h] < PICTURE_MIN)) {
                        assert_int_equal(status, STATUS_USAGE);
                        snprintf(words, sizeof words, "--size=%dx%d: ", sizes[w], sizes[h]);
                        assert_says(error.message, words);
                    } else {
                        if (status != STATUS_OK) fail_msg("%s", error.message);
                        assert_string_equal(error.message, "");
                    }
                }
}

TEST(the_help_lists_each_picture)
{
    struct text text = {0};
    survey_charts_help(&text);
    assert_false(text.failed);
    for (int k = 0; sheet_charts[k]; k++) {
        char words[200];
        snprintf(words, sizeof words, "\n  %-12s %s\n", sheet_chart_name(sheet_charts[k]),
                 sheet_chart_title(sheet_charts[k]));
        assert_says(text.data, words);
    }
    text_free(&text);
}
