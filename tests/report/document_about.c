/* report/document: a file's own description of its matrix, marked as such; and the title and summary. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/document/build.h"
#include "report/text/text.h"
#include "support/files.h"
#include "support/report.h"
#include "support/unit.h"

#define BANNER "%%MatrixMarket matrix coordinate "

/* The document of a file as plain text, blanks and line ends as one blank each. Freed by the caller. */
static char *document_of(const char *path, const struct load_options *options)
{
    struct document document = {0};
    struct error error = {0};
    struct text text = {0};
    FREED(session_free) struct session session;
    if (session_load(&session, path, options, NULL, &error) != STATUS_OK) fail_msg("%s", error.message);
    assert_int_equal(session_need(&session, NULL, REPORT_NEEDS & ~(unsigned)SESSION_GPU, NULL, &error),
                     STATUS_OK);
    document_build(&document, &session, session.shown);
    text_write(&document, &text);
    assert_false(document.failed || text.failed);
    size_t kept = 0;
    for (size_t k = 0; k < text.length; k++) {
        const bool blank = text.data[k] == ' ' || text.data[k] == '\n';
        if (blank && kept > 0 && text.data[kept - 1] == ' ') continue;
        text.data[kept++] = blank ? ' ' : text.data[k];
    }
    text.data[kept] = 0;
    document_free(&document);
    return text.data;
}

/* Each existing text has its name. The notes follow, line by line. */
TEST(the_texts_of_a_file_are_told)
{
    files_put("told.mtx",
              BANNER "real symmetric\n"
                     "% title: A grid with a hole\n% name: Group/grid\n% date: 1999\n% author: A. Writer\n"
                     "% ed: B. Keeper\n% kind: structural problem\n"
                     "% notes:\n% the first line of it\n%\n% the second one\n"
                     "2 2 2\n1 1 4\n2 2 5\n");
    char *text = document_of("told.mtx", &(struct load_options){0});
    assert_says(text, "Its title, as the file says: A grid with a hole",
                "Its name, as the file says: Group/grid", "Its date, as the file says: 1999",
                "Its author, as the file says: A. Writer", "Its editor, as the file says: B. Keeper",
                "Its kind, as the file says: structural problem",
                "Its notes, as the file says: the first line of it the second one", "told.mtx",
                "2 x 2, real symmetric");
    assert_lacks(text, "Its id,", "Read as", "transposed");
    free(text);
}

TEST(a_silent_file_is_quoted_with_nothing)
{
    files_put("silent.mtx", BANNER "integer general\n2 3 2\n1 1 4\n2 3 5\n");
    char *text = document_of("silent.mtx", &(struct load_options){0});
    assert_says(text, "silent", "2 x 3, integer general");
    assert_lacks(text, "as the file says", "Read as");
    free(text);
    text = document_of("gen:laplace2d,n=3", &(struct load_options){0});
    assert_says(text, "9 x 9, real general");
    assert_lacks(text, "as the file says", "Read as");
    free(text);
}

/* Other formats than Matrix Market have their name; notes of reading follow. */
TEST(the_format_of_a_file_is_told)
{
    files_put("list.el", "0 1\n1 2\n0 1\n");
    char *text = document_of("list.el", &(struct load_options){0});
    assert_says(text, "Read as ");
    free(text);
    files_put("twice.mtx", BANNER "real general\n2 3 3\n1 1 4\n1 1 2\n2 3 5\n");
    text = document_of("twice.mtx", &(struct load_options){.transpose = true});
    assert_says(text, "3 x 2, real general, transposed");
    free(text);
}

TESTS_BETWEEN(files_begin, files_end)
