/* ui/find: positions and searches in words. The expected positions are read off the matrix below by hand. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/text.h"
#include "support/unit.h"
#include "ui/chrome.h"
#include "ui/find.h"
#include "ui/prompt.h"
#include "ui/view.h"

/*      0     1     2     3     4
 * 0    4     .    -1     .     .
 * 1    .     .     .     .     .
 * 2    0     2     .  nan      .
 * 3    .     .     .     5   inf
 * 4    .    -8     .     .     1
 * 5    .     .     .     .     .
 */
static int64_t row_ptr[] = {0, 2, 2, 5, 7, 9, 9};
static int32_t col[] = {0, 2, 0, 1, 3, 3, 4, 1, 4};
static double val[] = {4, -1, 0, 2, NAN, 5, INFINITY, -8, 1};
static const struct csr a = {6, 5, row_ptr, col, val, NULL};

TEST(places_are_counted_from_one)
{
    static const struct {
        const char *text;
        enum status status;
        int64_t row, col;
    } cases[] = {
        {"1", STATUS_OK, 0, 7},
        {" 12 , 3 ", STATUS_OK, 11, 2},
        {"1'000,2_0", STATUS_OK, 999, 19},
        {"1 2", STATUS_OK, 0, 1},
        {"12\t3", STATUS_OK, 11, 2},
        {"(12, 3)", STATUS_OK, 11, 2},
        {"[12][3]", STATUS_OK, 11, 2},
        {"12;3", STATUS_OK, 11, 2},
        {"12 3 -0.5", STATUS_OK, 11, 2},
        {"12 3 -1.5e-3 4", STATUS_OK, 11, 2},
        {"12 ", STATUS_OK, 11, 7},
        {"(12)", STATUS_OK, 11, 7},
        {"1,000", STATUS_OK, 999, 7},
        {"1,000 20", STATUS_OK, 999, 19},
        {"1,000,20", STATUS_OK, 999, 19},
        {"1, 020", STATUS_OK, 0, 19},
        {"0,020", STATUS_USAGE, 5, 7},
        {"1,0000", STATUS_USAGE, 5, 7},
        {"1,001", STATUS_OK, 0, 0},
        {"1,018", STATUS_OK, 0, 17},
        {"1,999", STATUS_USAGE, 5, 7},
        {"1,000,000", STATUS_USAGE, 5, 7},
        {"12 3 x", STATUS_USAGE, 5, 7},
        {"12 3-4", STATUS_USAGE, 5, 7},
        {"12,,3", STATUS_USAGE, 5, 7},
        {"1000,20", STATUS_OK, 999, 19},
        {"0", STATUS_USAGE, 5, 7},
        {"1001", STATUS_USAGE, 5, 7},
        {"5,21", STATUS_USAGE, 5, 7},
        {"5,0", STATUS_USAGE, 5, 7},
        {"", STATUS_USAGE, 5, 7},
        {",", STATUS_USAGE, 5, 7},
        {"5,", STATUS_USAGE, 5, 7},
        {"5,6,7", STATUS_USAGE, 5, 7},
        {"-5", STATUS_USAGE, 5, 7},
        {"5x", STATUS_USAGE, 5, 7},
        {"99999999999999999999", STATUS_USAGE, 5, 7},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct error error = {0};
        int64_t i = 5, j = 7;
        bool ambiguous = true;
        assert_int_equal(place_parse(cases[k].text, 1000, 20, &i, &j, &ambiguous, &error), cases[k].status);
        assert_false(ambiguous);
        assert_int_equal(i, cases[k].row);
        assert_int_equal(j, cases[k].col);
        assert_int_equal(error.status, cases[k].status);
    }
}

TEST(the_message_says_how_far_places_go)
{
    struct error error = {0};
    int64_t i = 0, j = 0;
    bool ambiguous;
    place_parse("5,2000", 10, 1234, &i, &j, &ambiguous, &error);
    assert_string_equal(error.message, "columns go from 1 to 1,234");
    error_clear(&error);
    place_parse("1", 0, 5, &i, &j, &ambiguous, &error);
    assert_string_equal(error.message, "the matrix has no rows");
}

TEST(groups_of_digits_are_told_from_two_numbers)
{
    int64_t i = 0, j = 0;
    bool ambiguous;
    assert_int_equal(place_parse("1,849", 1849, 849, &i, &j, &ambiguous, NULL), STATUS_OK);
    assert_int_equal(i, 1848);
    assert_int_equal(j, 0);
    assert_true(ambiguous);
    assert_int_equal(place_parse("1,849", 1849, 848, &i, &j, &ambiguous, NULL), STATUS_OK);
    assert_int_equal(i, 1848);
    assert_false(ambiguous); /* since there is no column 849 */
    assert_int_equal(place_parse("1,849", 1848, 849, &i, &j, &ambiguous, NULL), STATUS_OK);
    assert_int_equal(i, 0);
    assert_int_equal(j, 848);
    assert_false(ambiguous); /* since there is no row 1849 */
    assert_int_equal(place_parse("1,234,567 1,000", 2000000, 1000, &i, &j, &ambiguous, NULL), STATUS_OK);
    assert_int_equal(i, 1234566);
    assert_int_equal(j, 999);
}

TEST(searches_are_read)
{
    static const struct {
        const char *text;
        struct search search;
    } cases[] = {
        {"longest", {.kind = SEARCH_LONGEST, .relation = 0, .bound = 0}},
        {" Shortest ", {.kind = SEARCH_SHORTEST, .relation = 0, .bound = 0}},
        {"EMPTY", {.kind = SEARCH_EMPTY, .relation = 0, .bound = 0}},
        {"diag", {.kind = SEARCH_DIAGONAL, .relation = 0, .bound = 0}},
        {"zero", {.kind = SEARCH_ZERO, .relation = 0, .bound = 0}},
        {"nan", {.kind = SEARCH_NAN, .relation = 0, .bound = 0}},
        {"inf", {.kind = SEARCH_INF, .relation = 0, .bound = 0}},
        {"Max", {.kind = SEARCH_MAX}},
        {"min", {.kind = SEARCH_MIN}},
        {"asym", {.kind = SEARCH_ASYMMETRIC}},
        {"dup", {.kind = SEARCH_REPEATED}},
        {"Dup Values", {.kind = SEARCH_REPEATED_VALUES}},
        {"col dup", {.kind = SEARCH_REPEATED, .columns = true}},
        {"col dup values", {.kind = SEARCH_REPEATED_VALUES, .columns = true}},
        {"summed", {.kind = SEARCH_SUMMED}},
        {"col longest", {.kind = SEARCH_LONGEST, .columns = true}},
        {"col empty", {.kind = SEARCH_EMPTY, .columns = true}},
        {"col len<2", {.kind = SEARCH_LENGTH, .columns = true, .relation = RELATION_LESS, .bound = 2}},
        {"len>100", {.kind = SEARCH_LENGTH, .relation = RELATION_MORE, .bound = 100}},
        {"len = 7", {.kind = SEARCH_LENGTH, .relation = RELATION_EQUAL, .bound = 7}},
        {"len==7", {.kind = SEARCH_LENGTH, .relation = RELATION_EQUAL, .bound = 7}},
        {"len!=7", {.kind = SEARCH_LENGTH, .relation = RELATION_NOT, .bound = 7}},
        {"value>1e3", {.kind = SEARCH_VALUE, .relation = RELATION_MORE, .bound = 1000}},
        {"value<-1", {.kind = SEARCH_VALUE, .relation = RELATION_LESS, .bound = -1}},
        {"abs >= .5", {.kind = SEARCH_ABS, .relation = RELATION_AT_LEAST, .bound = 0.5}},
        {"abs<=1e-3", {.kind = SEARCH_ABS, .relation = RELATION_AT_MOST, .bound = 1e-3}},
        {"value<inf", {.kind = SEARCH_VALUE, .relation = RELATION_LESS, .bound = INFINITY}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct search search = {0};
        assert_int_equal(search_parse(cases[k].text, &search, NULL), STATUS_OK);
        assert_int_equal(search.kind, cases[k].search.kind);
        assert_int_equal(search.relation, cases[k].search.relation);
        assert_true(search.bound == cases[k].search.bound);
        assert_int_equal(search.columns, cases[k].search.columns);
    }
}

TEST(unknown_words_list_the_known_ones)
{
    static const char *const cases[] = {"",        "foo",   "longestt", "infinite",  "len",
                                        "len>",    "len>x", "len>1x",   "value",     "value~3",
                                        "abs>nan", "> 3",   "col",      "col diag",  "col max",
                                        "maximum", "dupl",  "dup 3",    "col summed"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct search search = {.kind = SEARCH_NAN};
        struct error error = {0};
        assert_int_equal(search_parse(cases[k], &search, &error), STATUS_USAGE);
        assert_int_equal(search.kind, SEARCH_NAN); /* a search that was read before can be repeated */
        assert_int_equal(error.status, STATUS_USAGE);
    }
    static const struct {
        const char *text, *meant;
    } near[] = {
        {"foo", "'foo'. Searches:"},
        {"longst", "'longst'; did you mean longest?"},
        {"col longst", "'col longst'; did you mean col longest?"},
        {"lne>3", "'lne>3'; did you mean len>100?"},
        {"coldup value", "did you mean col dup values?"},
        {"sumed", "did you mean summed?"},
        {"a text that is longer than there is room for", "'a text that is longer than the..'. Searches"}};
    for (size_t k = 0; k < sizeof near / sizeof *near; k++) {
        struct search search;
        struct error error = {0};
        search_parse(near[k].text, &search, &error);
        if (!strstr(error.message, near[k].meant)) fail_msg("%s", error.message);
        assert_says(error.message,
                    " Searches: longest, shortest, empty, len>100, dup, dup values, diag, max, "
                    "min, value<-1, abs>=1e3, asym, summed, zero, nan, inf; col longest, "
                    "col shortest, col empty, col len>100, col dup, col dup values");
        assert_true(strlen(error.message) < sizeof((struct explorer *)0)->message);
    }
}

/* Each word that the help lists is a search, and the manual names it. */
TEST(help_and_manual_list_what_is_read)
{
    const char *source = getenv("SRCDIR");
    char path[4096];
    static char manual[200000], plain[200000];
    struct search_help help;
    int words = 0;
    snprintf(path, sizeof path, "%s/man/sparsight.1", source ? source : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(manual, 1, sizeof manual - 1, file) < sizeof manual - 1);
    fclose(file);
    size_t used = 0;
    for (const char *c = manual; *c; c++) /* ".Li a , b" becomes " a, b" */
        if (strncmp(c, ".Li", 3) == 0)
            c += 2;
        else if (strncmp(c, " ,", 2) != 0 && strncmp(c, " .", 2) != 0)
            plain[used++] = *c == '\n' ? ' ' : *c;
    for (int k = 0; search_help(k, &help); k++) {
        const char *list = strncmp(help.words, "col", 3) ? help.words : strchr(help.help, ':') + 2;
        for (; *list; words++) {
            char word[64], wanted[80];
            struct search search;
            snprintf(word, sizeof word, "%.*s", (int)strcspn(list, ","), list);
            assert_int_equal(search_parse(word, &search, NULL), STATUS_OK);
            assert_int_equal(search.columns, strncmp(word, "col", 3) == 0);
            snprintf(wanted, sizeof wanted, " %s", word);
            if (!strstr(plain, wanted)) fail_msg("the manual has no '%s'", word);
            list += strlen(word);
            list += strspn(list, ", ");
        }
    }
    assert_int_equal(words, 16 + 6);
}

static enum status run_from(struct finding *finding, const char *text, int64_t i, int64_t j)
{
    finding->row = i;
    finding->col = j;
    assert_int_equal(search_parse(text, &finding->search, NULL), STATUS_OK);
    return finding_run(finding, NULL, NULL);
}

/*      0   1   2   3   4          rows 1, 3 and 4 have the columns of row 0, row 4 has its values, too;
 * 0    1   .   2   .   .          row 2 is the only one of its kind; row 5 is empty. Of the columns, 2 has
 * 1    1   .   3   .   .          the rows of column 0, and 4 has those of 1 and the same value.
 * 2    .   7   .   .   7
 * 3    5   .   2   .   .
 * 4    1   .   2   .   .
 * 5    .   .   .   .   .
 */
TEST(repeated_rows_and_columns_are_found)
{
    static int64_t ptr[] = {0, 2, 4, 6, 8, 10, 10};
    static int32_t columns[] = {0, 2, 0, 2, 1, 4, 0, 2, 0, 2};
    static double values[] = {1, 2, 1, 3, 7, 7, 5, 2, 1, 2};
    static const struct {
        const char *text;
        int64_t row, col, found_row, found_col;
        const char *said;
    } cases[] = {
        {"dup", 0, 0, 1, 0, "found dup at row 2, column 1: it repeats row 1, with other values"},
        {"dup", 1, 0, 3, 0, "found dup at row 4, column 1: it repeats row 1, with other values"},
        {"dup", 3, 4, 4, 0, "found dup at row 5, column 1: it repeats row 1, values too"},
        {"dup", 4, 0, 1, 0,
         "found dup at row 2, column 1, starting again from the top: it repeats row 1, with other values"},
        {"dup values", 0, 0, 4, 0, "found dup values at row 5, column 1: it repeats row 1, values too"},
        {"col dup", 0, 0, 0, 2, "found col dup at row 1, column 3: it repeats column 1, with other values"},
        {"col dup", 0, 2, 2, 4, "found col dup at row 3, column 5: it repeats column 2, values too"},
        {"col dup values", 0, 0, 2, 4,
         "found col dup values at row 3, column 5: it repeats column 2, values too"},
    };
    const struct csr b = {6, 5, ptr, columns, values, NULL};
    char text[FOUND_SIZE];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct finding finding = {.a = &b};
        assert_int_equal(run_from(&finding, cases[k].text, cases[k].row, cases[k].col), STATUS_OK);
        assert_true(finding.found);
        assert_int_equal(finding.row, cases[k].found_row);
        assert_int_equal(finding.col, cases[k].found_col);
        assert_string_equal(finding_text(&finding, cases[k].text, text), cases[k].said);
    }
    static int32_t apart[] = {0, 1, 0, 2, 0, 3, 0, 4, 1, 2};
    const struct csr c = {6, 5, ptr, apart, values, NULL};
    struct finding finding = {.a = &c};
    assert_int_equal(run_from(&finding, "dup", 2, 2), STATUS_OK);
    assert_false(finding.found);
    for (long k = 0; k < 2; k++) {
        memory_fail_after(k);
        assert_int_equal(run_from(&finding, "dup", 2, 2), STATUS_MEMORY);
        memory_fail_after(-1);
    }
}

/* Three positions of the list are known, of five. */
TEST(places_of_sums_are_gone_through)
{
    static struct summed_place list[] = {{0, 2, 2}, {2, 1, 3}, {4, 4, 1849}};
    const struct summed some = {.list = list, .kept = 3, .count = 3},
                        many = {.list = list, .kept = 3, .count = 5}, none = {0};
    char text[FOUND_SIZE];
    struct finding finding = {.a = &a, .summed = &some};
    static const int64_t from[][2] = {{0, 0}, {0, 1}, {0, 2}, {2, 0}, {2, 1}, {4, 3}, {4, 4}, {5, 0}};
    static const int found[] = {0, 0, 1, 1, 2, 2, 0, 0};
    for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
        assert_int_equal(run_from(&finding, "summed", from[k][0], from[k][1]), STATUS_OK);
        assert_true(finding.found);
        assert_int_equal(finding.row, list[found[k]].row);
        assert_int_equal(finding.col, list[found[k]].col);
        assert_int_equal(finding.wrapped, k >= 6);
    }
    run_from(&finding, "summed", 3, 0);
    assert_string_equal(finding_text(&finding, "summed", text),
                        "found summed at row 5, column 5: the sum of 1,849 entries of the file");
    finding.summed = &many;
    run_from(&finding, "summed", 3, 0);
    assert_says(finding_text(&finding, "summed", text), "; the first 3 of 5 such positions are known");
    finding.summed = &none;
    run_from(&finding, "summed", 3, 0);
    assert_false(finding.found);
    finding.summed = NULL;
    run_from(&finding, "summed", 3, 0);
    assert_false(finding.found);
    assert_int_equal(finding.row, 3);
}

/* A long message takes several lines at the bottom, whole words each; nothing of it is cut. */
TEST(long_messages_are_not_cut)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(text_free) struct text dump = {0};
    struct footer footer = {0};
    struct error error = {0};
    struct search search;
    struct explorer explorer = {0};
    char words[sizeof explorer.message + 1], joined[2000] = "";
    search_parse("foo", &search, &error);
    explorer_say(&explorer, "%s", error.message);
    assert_int_equal(surface_resize(&surface, 20, 72, NULL), STATUS_OK);
    for (int y = 0; y < 20; y++)
        surface_text(&surface, y, 0, 72, COLOUR_TEXT, 0,
                     "what was there before, at the edge too, up to here 45678901234567890 %d", y % 10);
    chrome_bottom(&explorer, &surface, NULL, NULL, &footer);
    assert_int_equal(surface.cut, 0);
    surface_dump(&surface, &dump);
    int lines = 0;
    for (const char *line = strstr(dump.data, " cannot search"); line && *line; lines++) {
        strncat(joined, line, strcspn(line, "\n"));
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    assert_int_equal(lines, 4);
    snprintf(words, sizeof words, " %s", explorer.message);
    assert_string_equal(joined, words);
}

TEST(the_next_match_is_found)
{
    static const struct {
        const char *text;
        int64_t row, col; /* from here */
        int64_t found_row, found_col;
        bool wrapped;
    } cases[] = {
        {"longest", 0, 0, 2, 0, false},    {"longest", 2, 1, 2, 0, true},
        {"shortest", 0, 0, 1, 0, false},   {"shortest", 1, 3, 5, 3, false},
        {"shortest", 5, 3, 1, 3, true},    {"empty", 1, 2, 5, 2, false},
        {"diag", 0, 0, 1, 1, false},       {"diag", 1, 1, 2, 2, false},
        {"diag", 2, 2, 1, 1, true},        {"len=2", 0, 0, 3, 3, false},
        {"len>=2", 4, 0, 0, 0, true},      {"len!=0", 0, 0, 2, 0, false},
        {"value>1", 0, 0, 2, 1, false},    {"value>1", 2, 1, 3, 3, false},
        {"value>1", 3, 3, 3, 4, false},    {"value>1", 3, 4, 0, 0, true},
        {"value<0", 0, 0, 0, 2, false},    {"value<0", 0, 2, 4, 1, false},
        {"value<0", 4, 1, 0, 2, true},     {"value<-1", 4, 1, 4, 1, true},
        {"abs>=5", 0, 0, 3, 3, false},     {"abs<1", 5, 4, 2, 0, true},
        {"zero", 0, 0, 2, 0, false},       {"nan", 0, 0, 2, 3, false},
        {"nan", 2, 3, 2, 3, true},         {"inf", 3, 4, 3, 4, true},
        {"value=-8", 4, 0, 4, 1, false},   {"value=4", 0, 1, 0, 0, true},
        {"abs<=1", 0, 0, 0, 2, false},     {"max", 0, 0, 3, 4, false},
        {"min", 0, 0, 0, 2, false},        {"min", 0, 2, 4, 4, false},
        {"asym", 0, 0, 0, 2, false},       {"asym", 0, 2, 2, 0, false},
        {"asym", 2, 3, 3, 4, false},       {"asym", 4, 1, 0, 2, true}, /* (0, 2) has -1 and (2, 0) has 0 */
        {"collongest", 3, 3, 3, 4, false}, {"collongest", 3, 0, 2, 1, false},
        {"collen=1", 5, 0, 0, 2, false},   {"collen=1", 5, 2, 0, 2, true},
        {"colshortest", 5, 4, 0, 2, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct finding finding = {.a = &a, .row = cases[k].row, .col = cases[k].col};
        assert_int_equal(search_parse(cases[k].text, &finding.search, NULL), STATUS_OK);
        assert_int_equal(finding_run(&finding, NULL, NULL), STATUS_OK);
        assert_true(finding.found);
        assert_int_equal(finding.row, cases[k].found_row);
        assert_int_equal(finding.col, cases[k].found_col);
        assert_int_equal(finding.wrapped, cases[k].wrapped);
    }
}

TEST(missing_entries_are_not_found)
{
    static const char *const cases[] = {"colempty", "collen>2", "len>3", "len<0", "value=7", "abs<-1"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct finding finding = {.a = &a, .row = 3, .col = 2};
        search_parse(cases[k], &finding.search, NULL);
        assert_int_equal(finding_run(&finding, NULL, NULL), STATUS_OK);
        assert_false(finding.found);
        assert_int_equal(finding.row, 3);
        assert_int_equal(finding.col, 2);
    }
}

TEST(an_empty_matrix_has_nothing_to_find)
{
    static int64_t zero[] = {0, 0};
    static const char *const cases[] = {"longest", "shortest", "diag", "zero", "len=0"};
    const struct csr none = {0, 3, zero, col, val, NULL}, narrow = {1, 0, zero, col, val, NULL};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct finding finding = {.a = &none};
        search_parse(cases[k], &finding.search, NULL);
        assert_int_equal(finding_run(&finding, NULL, NULL), STATUS_OK);
        assert_false(finding.found);
        finding.a = &narrow; /* one row, no columns */
        assert_int_equal(finding_run(&finding, NULL, NULL), STATUS_OK);
    }
}

/* The same matrix without its column 2 has an empty column; the row stays. */
TEST(an_empty_column_is_found)
{
    static int64_t ptr[] = {0, 1, 2}, offsets[] = {0, 1, 1, 2};
    static int32_t columns[] = {0, 2};
    static double values[] = {1, 2};
    const struct csr b = {2, 3, ptr, columns, values, NULL};
    for (int given = 0; given < 2; given++) {
        struct finding finding = {.a = &b, .col_ptr = given ? offsets : NULL, .row = 1, .col = 2};
        search_parse("col empty", &finding.search, NULL);
        assert_int_equal(finding_run(&finding, NULL, NULL), STATUS_OK);
        assert_true(finding.found && finding.wrapped);
        assert_int_equal(finding.row, 1);
        assert_int_equal(finding.col, 1);
        assert_ptr_equal(finding.col_ptr, given ? offsets : NULL);
    }
    struct error error = {0};
    struct finding finding = {.a = &b, .limit = 1};
    search_parse("col longest", &finding.search, NULL);
    assert_int_equal(finding_run(&finding, NULL, &error), STATUS_LIMIT);
    assert_false(finding.found);
}

TEST(complex_values_have_a_modulus)
{
    static int64_t ptr[] = {0, 3};
    static int32_t columns[] = {0, 1, 2};
    static double real[] = {0, 3, 0}, imaginary[] = {1, -4, 0};
    const struct csr b = {1, 3, ptr, columns, real, imaginary};
    struct finding finding = {.a = &b,
                              .search = {.kind = SEARCH_ABS, .relation = RELATION_EQUAL, .bound = 5}};
    assert_int_equal(finding_run(&finding, NULL, NULL), STATUS_OK);
    assert_int_equal(finding.col, 1);
    finding = (struct finding){.a = &b, .search = {.kind = SEARCH_ZERO, .relation = 0, .bound = 0}};
    assert_int_equal(finding_run(&finding, NULL, NULL), STATUS_OK);
    assert_int_equal(finding.col, 2);
}

TEST(a_search_can_be_cancelled)
{
    struct progress progress = {0};
    struct finding finding = {.a = &a,
                              .search = {.kind = SEARCH_VALUE, .relation = RELATION_EQUAL, .bound = 7}};
    progress_cancel(&progress);
    assert_int_equal(finding_run(&finding, &progress, NULL), STATUS_CANCELLED);
    assert_false(finding.found);
}

static void type(struct prompt *prompt, const char *text)
{
    for (; *text; text++)
        assert_int_equal(prompt_key(prompt, (unsigned char)*text), PROMPT_OPEN);
}

TEST(prompts_are_edited)
{
    struct prompt prompt = {0};
    prompt_open(&prompt, "Find");
    type(&prompt, "lon>5");
    prompt_key(&prompt, UIKEY_HOME);
    prompt_key(&prompt, UIKEY_RIGHT);
    prompt_key(&prompt, UIKEY_DELETE);
    type(&prompt, "e");
    assert_string_equal(prompt.text, "len>5");
    prompt_key(&prompt, UIKEY_END);
    prompt_key(&prompt, UIKEY_BACKSPACE);
    type(&prompt, "12");
    assert_string_equal(prompt.text, "len>12");
    prompt_key(&prompt, UIKEY_TAB);
    type(&prompt, "3");
    assert_string_equal(prompt.text, "len>12 3");
    prompt_key(&prompt, UIKEY_BACKSPACE);
    prompt_key(&prompt, UIKEY_BACKSPACE);
    prompt_key(&prompt, UIKEY_F1);
    prompt_key(&prompt, 0xe9);
    assert_string_equal(prompt.text, "len>12");
    assert_int_equal(prompt_key(&prompt, UIKEY_ENTER), PROMPT_DONE);
    prompt_open(&prompt, "Find");
    assert_string_equal(prompt.text, "");
    prompt_key(&prompt, UIKEY_UP);
    assert_string_equal(prompt.text, "len>12");
    prompt_key(&prompt, 'u' & 0x1f);
    assert_string_equal(prompt.text, "");
    assert_int_equal(prompt_key(&prompt, UIKEY_BACKSPACE), PROMPT_CLOSED);
    assert_int_equal(prompt_key(&prompt, UIKEY_ENTER), PROMPT_CLOSED);
    assert_int_equal(prompt_key(&prompt, UIKEY_ESCAPE), PROMPT_CLOSED);
}

/* Ctrl-W takes the word before the cursor, and the blanks behind it. */
TEST(words_are_taken_whole)
{
    struct prompt prompt = {0};
    prompt_open(&prompt, "Find");
    type(&prompt, "len > 5  ");
    prompt_key(&prompt, 'w' & 0x1f);
    assert_string_equal(prompt.text, "len > ");
    prompt_key(&prompt, UIKEY_LEFT);
    prompt_key(&prompt, 'w' & 0x1f);
    assert_string_equal(prompt.text, "len  ");
    prompt_key(&prompt, 'w' & 0x1f);
    assert_string_equal(prompt.text, " ");
    assert_int_equal(prompt.cursor, 0);
}

TEST(prompts_do_not_overflow)
{
    struct prompt prompt = {0};
    FREED(surface_free) struct surface surface = {0};
    prompt_open(&prompt, "Find");
    for (int k = 0; k < 3 * PROMPT_SIZE; k++)
        prompt_key(&prompt, 'a' + k % 26);
    assert_int_equal(prompt.length, PROMPT_SIZE - 1);
    assert_int_equal(strlen(prompt.text), PROMPT_SIZE - 1);
    assert_int_equal(surface_resize(&surface, 1, 40, NULL), STATUS_OK);
    prompt_draw(&prompt, &surface, 0, 0, 40);
    assert_int_equal(surface.cells[39].attributes, ATTRIBUTE_REVERSE); /* the cursor is in sight */
}
