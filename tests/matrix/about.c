/* matrix/about: what comments say of a matrix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "matrix/about.h"
#include "matrix/matrix.h"
#include "support/files.h"

static void add(struct about *about, const char *line)
{
    about_add(about, line, strlen(line));
}

static void a_header_of_the_collection_is_read(void **state)
{
    struct about about = {{0}};
    (void)state;
    add(&about, "%-------------------------------");
    add(&about, "% UF Sparse Matrix Collection");
    add(&about, "% name: HB/example");
    add(&about, "% [A STIFFNESS MATRIX]\r");
    add(&about, "% title: another one");
    add(&about, "% date: 1982");
    add(&about, "%   author:  J. Doe  ");
    add(&about, "% fields: name title A id date author ed kind");
    add(&about, "% kind: structural problem");
    add(&about, "%");
    assert_string_equal(about.title, "A STIFFNESS MATRIX");
    assert_string_equal(about.date, "1982");
    assert_string_equal(about.author, "J. Doe");
    assert_string_equal(about.kind, "structural problem");
    assert_int_equal(strncmp(about.comments, "UF Sparse Matrix Collection\nname: HB/example\n[A ", 48), 0);
    assert_null(strstr(about.comments, "---"));
}

/* A title that is too long is cut between characters; nothing steers a terminal; comments end somewhere. */
static void texts_are_bounded(void **state)
{
    struct about about = {{0}};
    char line[400] = "% title: x";
    (void)state;
    for (int k = 0; k < 180; k++)
        strcat(line, "\u00e4");
    add(&about, line);
    size_t length = strlen(about.title);
    assert_in_range(length, ABOUT_TEXT - 16, ABOUT_TEXT - 1);
    assert_int_equal((length - 1) % 2, 0);
    add(&about, "% kind: a\033[2Jb");
    assert_string_equal(about.kind, "a?[2Jb");
    for (int k = 0; k < 1000; k++)
        add(&about, "% one more line");
    assert_in_range(strlen(about.comments), ABOUT_COMMENTS - 20, ABOUT_COMMENTS - 1);
    assert_int_equal(about.comments[strlen(about.comments) - 1], '\n');
}

/* Only comments between the banner and the sizes are the header's. */
static void files_say_what_they_are(void **state)
{
    struct matrix matrix;
    struct load_options options = {.limit = 0};
    struct error error = {0};
    (void)state;
    FILE *file = fopen("about.mtx", "w");
    assert_non_null(file);
    fputs("%%MatrixMarket matrix coordinate real general\n%---\n% kind: a test\n\n% title: T\n1 1 1\n"
          "% author: nobody\n1 1 2\n",
          file);
    fclose(file);
    assert_int_equal(matrix_load("about.mtx", &options, NULL, &matrix, &error), STATUS_OK);
    assert_string_equal(matrix.about.kind, "a test");
    assert_string_equal(matrix.about.title, "T");
    assert_string_equal(matrix.about.author, "");
    assert_string_equal(matrix.about.comments, "kind: a test\ntitle: T\n");
    matrix_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_of_the_collection_is_read),
        cmocka_unit_test(texts_are_bounded),
        cmocka_unit_test(files_say_what_they_are),
    };
    return cmocka_run_group_tests_name("about", tests, files_begin, files_end);
}
