/* matrix/about: the facts on a matrix in its comments. */
#include <stdio.h>
#include <string.h>

#include "matrix/about.h"
#include "matrix/matrix.h"
#include "support/cmocka.h"
#include "support/files.h"

static void add(struct about *about, const char *line)
{
    about_add(about, line, strlen(line));
}

/* Add lines, which NULL ends. */
static void add_all(struct about *about, const char *const *lines)
{
    for (; *lines; lines++)
        add(about, *lines);
}

static void a_header_of_the_collection_is_read(void **state)
{
    struct about about = {{0}};
    static const char *const header[] = {"%-------------------------------",
                                         "% UF Sparse Matrix Collection",
                                         "% name: HB/example",
                                         "% [A STIFFNESS MATRIX]\r",
                                         "% title: another one",
                                         "% date: 1982",
                                         "%   author:  J. Doe  ",
                                         "% fields: name title A id date author ed kind",
                                         "% kind: structural problem",
                                         "%",
                                         NULL};
    add_all(&about, header);
    assert_string_equal(about.title, "A STIFFNESS MATRIX");
    assert_string_equal(about.date, "1982");
    assert_string_equal(about.author, "J. Doe");
    assert_string_equal(about.kind, "structural problem");
    assert_int_equal(strncmp(about.comments, "UF Sparse Matrix Collection\nname: HB/example\n[A ", 48), 0);
    assert_null(strstr(about.comments, "---"));
}

/* The header of DRIVCAV/cavity14, with a blank line and a short rule among its notes. */
static void notes_of_the_collection_are_read(void **state)
{
    struct about about = {{0}};
    const char *name;
    static const char *const header[] = {
        "%-------------------------------------------------------------------------------",
        "% name: DRIVCAV/cavity14",
        "% id: 393",
        "% ed: A. Baggag, Y. Saad",
        "% fields: title A Zeros b x name id kind notes date author ed",
        "%-------------------------------------------------------------------------------",
        "% notes:",
        "%   ",
        "% next: DRIVCAV/cavity15 first: DRIVCAV/cavity10",
        "% ----",
        "%",
        "%",
        "% author: this is no author",
        "%",
        "%-------------------------------------------------------------------------------",
        "% kind: subsequent computational fluid dynamics problem",
        NULL};
    add_all(&about, header);
    assert_string_equal(about.name, "DRIVCAV/cavity14");
    assert_string_equal(about.id, "393");
    assert_string_equal(about.editor, "A. Baggag, Y. Saad");
    assert_string_equal(about.author, "");
    assert_string_equal(about.kind, "subsequent computational fluid dynamics problem");
    assert_string_equal(
        about.notes, "next: DRIVCAV/cavity15 first: DRIVCAV/cavity10\n----\n\nauthor: this is no author\n");
    assert_ptr_equal(about_text(&about, 2, &name), about.editor);
    assert_string_equal(name, "editor");
    assert_null(about_text(&about, 7, &name));
    about = (struct about){{0}};
    add(&about, "% notes: in one line");
    for (int k = 0; k < 2000; k++)
        add(&about, "% one more line");
    assert_int_equal(strncmp(about.notes, "in one line\none more", 20), 0);
    assert_in_range(strlen(about.notes), ABOUT_NOTES - 20, ABOUT_NOTES - 1);
}

/* A long title is cut between characters, control characters are replaced, and the number of comments is
 * limited. */
static void texts_are_bounded(void **state)
{
    struct about about = {{0}};
    char line[400] = "% title: x";
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
        cmocka_unit_test(notes_of_the_collection_are_read),
        cmocka_unit_test(texts_are_bounded),
        cmocka_unit_test(files_say_what_they_are),
    };
    return cmocka_run_group_tests_name("about", tests, files_begin, files_end);
}
