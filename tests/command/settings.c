/* The file of settings: the meaning of its lines, and its contents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command/options.h"
#include "command/settings.h"
#include "support/files.h"

#define CONF "config/sparsight/sparsight.conf"

static int enter(void **state)
{
    if (files_begin(state) != 0) return -1;
    char folder[4096];
    if (!realpath(".", folder)) return -1;
    strcat(folder, "/config");
    setenv("XDG_CONFIG_HOME", folder, 1);
    return mkdir("config", 0700) == 0 && mkdir("config/sparsight", 0700) == 0 ? 0 : -1;
}

static enum status read_text(const char *text, struct options *options, struct error *error)
{
    *options = (struct options){.command = COMMAND_EXPLORE};
    files_write(CONF, text, strlen(text));
    return settings_read(options, error);
}

static void lines_are_options_with_or_without_blanks(void **state)
{
    static const struct {
        const char *text;
        bool ascii, lenient, f32;
        size_t limit;
    } cases[] = {{"", false, false, false, 0},
                 {"\n\n# ascii\n   \n", false, false, false, 0},
                 {"ascii", true, false, false, 0},
                 {"ascii\nlenient\n", true, true, false, 0},
                 {"ascii=on\nlenient=off", true, false, false, 0},
                 {"  ascii\t = on # plain\r\nlimit=5", true, false, false, 5},
                 {"limit = 2K\nlimit =3K\n", false, false, false, 3072},
                 {"limit= 4K\t\nprecision=f32", false, false, true, 4096},
                 {"precision = f32\nprecision = f64\n", false, false, false, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct options options;
        struct error error = {0};
        if (read_text(cases[k].text, &options, &error) != STATUS_OK)
            fail_msg("%s: %s", cases[k].text, error.message);
        assert_int_equal(options.ascii, cases[k].ascii);
        assert_int_equal(options.load.lenient, cases[k].lenient);
        assert_int_equal(options.request.f32, cases[k].f32);
        assert_int_equal(options.load.limit, cases[k].limit);
        options_free(&options);
    }
}

static void wrong_lines_are_named(void **state)
{
    static const struct {
        const char *text;
        int line;
        const char *message;
    } cases[] = {{"colour = blue", 1, "the explorer has no setting 'colour'"},
                 {"\n\nhelp", 3, "no setting 'help'"},
                 {"ascii\n= 3\nlimit\n", 3, "'limit' needs a value: limit = BYTES"},
                 {"limit = # 4K\n", 1, "'limit' needs a value"},
                 {"ascii = yes\n", 1, "'ascii' is on or off"},
                 {"ascii =", 1, "'ascii' is on or off"},
                 {"#\nlimit = 0", 2, "'0' is not a size"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct options options;
        struct error error = {0};
        assert_int_equal(read_text(cases[k].text, &options, &error), STATUS_USAGE);
        if (!strstr(error.message, cases[k].message)) fail_msg("%s: %s", cases[k].text, error.message);
        assert_int_equal(error.line, cases[k].line);
        assert_non_null(strstr(error.path, CONF));
        options_free(&options);
    }
}

static void other_files_are_no_settings(void **state)
{
    struct options options = {.command = COMMAND_EXPLORE};
    struct error error = {0};
    files_write(CONF, "ascii\0\n", 7);
    assert_int_equal(settings_read(&options, &error), STATUS_USAGE);
    assert_non_null(strstr(error.message, "this is no file of settings"));
    options_free(&options);
    remove(CONF);
    options = (struct options){.command = COMMAND_EXPLORE};
    assert_int_equal(settings_read(&options, &error), STATUS_OK); /* there is none */
    assert_false(options.ascii);
    options_free(&options);
    unsetenv("XDG_CONFIG_HOME");
    char *home = getenv("HOME"), *before = home ? strdup(home) : NULL;
    unsetenv("HOME");
    assert_int_equal(settings_read(&options, &error), STATUS_OK);
    options_free(&options);
    if (before) setenv("HOME", before, 1);
    free(before);
}

/* The file's text after a setting was kept. */
static void one_line_is_replaced(void **state)
{
    static const struct {
        const char *before, *name, *value, *after;
    } cases[] = {
        {NULL, "background", "dark", "background = dark\n"},
        {"", "background", "dark", "background = dark\n"},
        {"# mine\nascii\n", "background", "dark", "# mine\nascii\nbackground = dark\n"},
        {"ascii", "background", "dark", "ascii\nbackground = dark\n"},
        {"background=light\nascii\n", "background", "dark", "background = dark\nascii\n"},
        {"background = a\nx\n background =b # c\ny\n", "background", "dark", "x\nbackground = dark\ny\n"},
        {"background = a\nascii\nbackground = b", "background", "", "ascii\n"},
        {"ascii\n", "background", "", "ascii\n"},
        {"backgrounds = a\n# background = b\n", "background", "c",
         "backgrounds = a\n# background = b\nbackground = c\n"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct error error = {0};
        char after[256] = "";
        remove(CONF);
        if (cases[k].before) files_write(CONF, cases[k].before, strlen(cases[k].before));
        if (settings_keep(cases[k].name, cases[k].value, &error) != STATUS_OK) fail_msg("%s", error.message);
        FILE *file = fopen(CONF, "r");
        assert_non_null(file);
        after[fread(after, 1, sizeof after - 1, file)] = 0;
        fclose(file);
        assert_string_equal(after, cases[k].after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_options_with_or_without_blanks),
        cmocka_unit_test(wrong_lines_are_named),
        cmocka_unit_test(one_line_is_replaced),
        cmocka_unit_test(other_files_are_no_settings),
    };
    return cmocka_run_group_tests(tests, enter, files_end);
}
