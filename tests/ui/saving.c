/* ui/save: proposed names are unused, and an existing file is replaced only if its name is entered twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/files.h"
#include "ui/save.h"

static void proposed_names_are_new(void **state)
{
    static const char *const expected[] = {"a-b.json", "a-b-2.json", "a-b-3.json", "a-b-4.json"};
    for (int k = 0; k < 4; k++) {
        char stem[32] = "a/b", out[PROMPT_SIZE];
        save_name(stem, "json", out);
        assert_string_equal(out, expected[k]);
        files_write(out, "x", 1);
    }
    remove("a-b-2.json"); /* the first unused name */
    char stem[32] = "a b", out[PROMPT_SIZE];
    save_name(stem, "json", out);
    assert_string_equal(out, "a-b-2.json");
    char other[32] = ".hidden";
    save_name(other, "mtx", out);
    assert_string_equal(out, "_hidden.mtx");
}

static void files_are_replaced_when_named_twice(void **state)
{
    struct saving saving = {.replace = false};
    const char *label = "unchanged";
    assert_true(save_accept(&saving, "new.json", &label));
    assert_string_equal(saving.path, "new.json");
    assert_string_equal(label, "unchanged");
    files_write("old.json", "x", 1);
    files_write("older.json", "x", 1);
    assert_false(save_accept(&saving, "old.json", &label));
    assert_non_null(strstr(label, "exists already"));
    assert_true(saving.replace);
    label = "unchanged";
    assert_false(save_accept(&saving, "older.json", &label)); /* another name asks again */
    assert_non_null(strstr(label, "exists already"));
    label = "unchanged";
    assert_true(save_accept(&saving, "older.json", &label));
    assert_string_equal(label, "unchanged");
    assert_string_equal(saving.path, "older.json");
    assert_false(saving.replace);
    assert_false(save_accept(&saving, "older.json", &label)); /* the next file asks again */
    assert_true(save_accept(&saving, "-", &label));
    assert_string_equal(saving.path, "./-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(proposed_names_are_new, files_begin, files_end),
        cmocka_unit_test_setup_teardown(files_are_replaced_when_named_twice, files_begin, files_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
