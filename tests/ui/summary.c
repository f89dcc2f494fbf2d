/* ui/summary/view.c and ui/summary/bars.c: the formats among the numbers. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/summary/advice_line.h"
#include "ui/summary/bars.h"

/* The matrix of PMPP figure 10.1: 4 rows, 8 entries. */
static const double pmpp[] = {1, 7, 0, 0, 5, 0, 3, 9, 0, 2, 8, 0, 0, 0, 0, 6};

static void open_pmpp(struct stage *stage, size_t limit)
{
    stage_open(stage, &view_summary, support_dense(4, 4, pmpp), FIELD_INTEGER, 46, 160);
    stage->session.limit = limit;
    assert_int_equal(conversions_want_all(&stage->session.shown->conversions, PRECISION_F64, NULL),
                     STATUS_OK);
}

/* The line of the dump that begins with this word after a blank. */
static const char *line_of(struct stage *stage, const char *name)
{
    static char line[512];
    char start[64];
    snprintf(start, sizeof start, "\n %s ", name);
    const char *found = strstr(stage_dump(stage), start);
    if (!found) fail_msg("no line for %s in\n%s", name, stage_dump(stage));
    snprintf(line, sizeof line, "%.*s", (int)strcspn(found + 1, "\n"), found + 1);
    return line;
}

TEST(formats_have_bars_and_bytes)
{
    static const char *const plain[] = {"coo", "csr", "csc", "ell", "dia"};
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 0);
    stage_draw(&stage);
    assert_says(line_of(&stage, "csr"), "...");
    const unsigned beside = SESSION_SIZES | SESSION_DENSE_BLOCKS; /* numbers stand in the same lines */
    assert_int_equal(session_need(&stage.session, NULL, beside, NULL, NULL), STATUS_OK);
    stage_draw(&stage);
    /* 5 offsets and 8 columns of 4 bytes, 8 values of 8 */
    assert_says(line_of(&stage, "csr"), "116 B         1");
    assert_says(line_of(&stage, "csr"), "\u2501\u2501");
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        assert_lacks(line_of(&stage, plain[k]), "...");
    /* no word of a name is cut */
    stage_shows(&stage, " jds:sections=equal\u2026", " hyb:k=0,rule=third ");
    stage.explorer.ascii = true;
    stage_draw(&stage);
    assert_says(line_of(&stage, "csr"), "==");
}

/* 12 slots of 12 bytes for ELL; 8 entries of 16 for COO. */
TEST(padding_stands_beside_the_bytes)
{
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 0);
    assert_int_equal(session_need(&stage.session, NULL, SESSION_SIZES, NULL, NULL), STATUS_OK);
    stage_draw(&stage);
    assert_says(line_of(&stage, "ell"), "144 B       1.5");
    assert_says(line_of(&stage, "coo"), "128 B         1");
    assert_says(line_of(&stage, "Formats"), "padding factor");
}

static int count_of(const char *line, char character)
{
    int count = 0;
    for (; *line; line++)
        count += *line == character;
    return count;
}

/* ELL takes 144 / 116 of the bytes of CSR. Twice CSR's bytes fill the bar, and more have a mark. */
TEST(bars_are_relative_to_csr)
{
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 0);
    assert_int_equal(session_need(&stage.session, NULL, SESSION_SIZES, NULL, NULL), STATUS_OK);
    stage.explorer.ascii = true;
    stage_draw(&stage);
    assert_says(line_of(&stage, "Formats"), "relative to CSR");
    assert_says(line_of(&stage, "csr"), " 1.00 ");
    assert_says(line_of(&stage, "ell"), " 1.24 ");
    assert_says(line_of(&stage, "coo"), " 1.10 ");
    assert_null(strchr(line_of(&stage, "ell"), '>'));
    struct conversion *dia = stage.session.shown->conversions.items[0];
    for (int k = 0; dia->choice.format != format_find("dia"); k++)
        dia = stage.session.shown->conversions.items[k];
    const double csr = 116;
    static const struct {
        size_t bytes;
        const char *ratio;
        bool beyond;
    } cases[] = {
        {232, " 2.00 ", false}, {233, " 2.01 ", true}, {1450, " 12.5 ", true}, {116000, " 1,000 ", true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dia->size.bytes = cases[k].bytes;
        stage_draw(&stage);
        const char *line = line_of(&stage, "dia");
        if (!strstr(line, cases[k].ratio)) fail_msg("no %s in: %s", cases[k].ratio, line);
        assert_int_equal(strchr(line, '>') != NULL, cases[k].beyond);
        if (k == 0) {
            const int full = count_of(line, '=');
            assert_true(full > 10);
            assert_in_range(2 * count_of(line_of(&stage, "csr"), '='), full - 1, full + 1);
        }
    }
    assert_float_equal(format_bars_scale(&stage.session).csr, csr, 0);
}

/* The smallest available format has the colour of good; a refused one has no bar. */
TEST(the_smallest_format_is_marked)
{
    enum { WIDE = 70 };
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 0);
    const struct conversions *conversions = &stage.session.shown->conversions;
    for (int k = 0; k < atomic_load(&conversions->count); k++) {
        struct conversion *item = conversions->items[k];
        const struct format *format = item->choice.format;
        item->size.bytes = format == formats[0] ? 5000 : format == formats[1] ? 500 : 1000;
        atomic_store(&item->sized, true);
        atomic_store(&item->state, format == formats[1] ? CONVERSION_REFUSED : CONVERSION_PLANNED);
    }
    const struct format_scale scale = format_bars_scale(&stage.session);
    FREED(surface_free) struct surface line = {0};
    assert_int_equal(surface_resize(&line, 1, WIDE, NULL), STATUS_OK);
    stage.explorer.ascii = true;
    for (int k = 0; k < 4 && formats[k]; k++) {
        int bar = 0;
        surface_clear(&line);
        format_bars_line(&stage.explorer, k, &scale, &line, 0, 0, WIDE, false);
        while (bar < WIDE && line.cells[bar].character != '=')
            bar++;
        const struct format *format = format_bars_choice(k).format;
        assert_int_equal(bar == WIDE, format == formats[1]);
        if (bar < WIDE)
            assert_int_equal(line.cells[bar].foreground, format == formats[0] ? COLOUR_ROWS : COLOUR_GOOD);
    }
}

TEST(a_refused_format_says_why)
{
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 100);
    assert_int_equal(session_need(&stage.session, NULL, SESSION_SIZES, NULL, NULL), STATUS_OK);
    stage_draw(&stage);
    assert_says(line_of(&stage, "csr"), "over the limit");
    assert_says(line_of(&stage, "csr"), "116 B");
    int at = 0;
    while (!strstr(stage_dump(&stage), "the limit is 100 B: --limit=BYTES sets it")) {
        assert_true(at++ < 40);
        stage_keys(&stage, (int[]){UIKEY_DOWN}, 1);
    }
}

/* The end of a long path distinguishes files. */
TEST(a_long_path_keeps_its_end)
{
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 0);
    stage.session.shown->matrix.path =
        memory_string("/a/folder/of/matrices/that/is/far/below/the/root/of/all/of/them/pmpp.mtx", NULL);
    stage_resize(&stage, 60, 80);
    stage_shows(&stage, "of/them/pmpp.mtx");
    assert_int_equal(stage.surface.cut, 0);
}

TEST(the_words_tell_the_numbers)
{
    FREED(stage_close) struct stage stage;
    char words[256];
    open_pmpp(&stage, 0);
    assert_int_equal(session_need(&stage.session, NULL, SESSION_SIZES, NULL, NULL), STATUS_OK);
    for (int k = 0; k < format_bars_count(); k++) {
        if (strcmp(format_bars_choice(k).format->name, "csr") != 0) continue;
        format_bars_words(&stage.session, k, words, sizeof words);
        assert_says(words, "; 8 slots, 0 of them padding, 13 integers");
    }
}

/* As many lines as reports list, each with its own choice. Enter hands the choice to Layouts. */
TEST(all_variants_are_listed_and_opened)
{
    FREED(stage_close) struct stage stage;
    int lines = 0;
    open_pmpp(&stage, 0);
    const struct conversions *conversions = &stage.session.shown->conversions;
    stage_draw(&stage);
    assert_int_equal(session_need(&stage.session, NULL, SESSION_SIZES, NULL, NULL), STATUS_OK);
    for (int k = 0; formats[k]; k++)
        for (int v = 0; formats[k]->variants[v]; v++) {
            const struct conversion *item = conversions->items[lines];
            assert_ptr_equal(format_bars_conversion(&stage.session, lines++), item);
        }
    assert_int_equal(format_bars_count(), lines);
    stage_draw(&stage);
    assert_says(line_of(&stage, "cmrs:packed=1"), " B ");
    for (int k = 0; !strstr(stage_dump(&stage), "packed=1: "); k++) {
        assert_true(k < 60);
        stage_keys(&stage, (int[]){UIKEY_DOWN}, 1);
    }
    stage_keys(&stage, (int[]){UIKEY_ENTER}, 1);
    char name[CHOICE_NAME];
    assert_string_equal(format_choice_name(&stage.explorer.chosen, name, sizeof name), "cmrs:packed=1");
}

/* Five of the values are from 1 to 9, more than there are of any other power of ten. */
TEST(sizes_of_values_are_drawn_while_one_is_selected)
{
    static const double dense[] = {1, 700, 0, 0, 5, 0, 0.03, 9, 0, 2, 8, 0, 0, 0, 0, 600};
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_summary, support_dense(4, 4, dense), FIELD_REAL, 30, 160);
    stage_shows(&stage, "Mean row length");
    stage_hides(&stage, "log10 |a|");
    stage_keys(&stage, (int[]){UIKEY_END}, 1);
    stage_shows(&stage, "by log10 |a|", "log to 5");
    stage_hides(&stage, "Mean row length");
    const struct cell *below = stage_find(&stage, "log to 5");
    int x = (int)((below - stage.surface.cells) % stage.surface.wide);
    assert_true(x > 100);
    stage.explorer.session->shown->matrix.field = FIELD_PATTERN;
    stage_draw(&stage);
    stage_shows(&stage, "none");
}

/* Where there is room for both, sizes of values stand below lengths of rows. */
TEST(sizes_of_values_are_drawn_on_a_high_screen)
{
    static const double dense[] = {1, 700, 0, 0, 5, 0, 0.03, 9, 0, 2, 8, 0, 0, 0, 0, 600};
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_summary, support_dense(4, 4, dense), FIELD_REAL, 46, 160);
    stage_shows(&stage, "by log10 |a|");
    assert_true(stage_find(&stage, "by log10 |a|") > stage_find(&stage, "Mean row length"));
    stage_keys(&stage, (int[]){UIKEY_END}, 1);
    stage_shows(&stage, "by log10 |a|", "Mean row length");
    stage.explorer.session->shown->matrix.field = FIELD_PATTERN;
    stage_keys(&stage, (int[]){UIKEY_HOME}, 1);
    stage_hides(&stage, "log10 |a|");
}

/* Each line is about one machine, as far as it fits. Machines with measurements come first. */
TEST(the_advice_fits_its_lines)
{
    struct result ell = {.name = "cuda/ell-padded"}, csr = {.name = "cpu/csr-omp"};
    struct advice_candidate gpu = {.result = &ell,
                                   .seconds = 12e-6,
                                   .low = 10e-6,
                                   .high = 15e-6,
                                   .break_even = 40},
                            cpu = {.result = &csr, .seconds = 3e-3, .csr = true, .measured = true};
    struct advice_line line = {0};
    char text[256];
    advice_line_write(&line, 0, 100, text, sizeof text);
    assert_string_equal(text, "");
    line.advices.items[ADVICE_GPU] = (struct advice){
        .there = true, .place = ADVICE_GPU, .machine = "H", .candidates = &gpu, .count = 1, .csr = 0};
    static const char ends[] = "Take cuda/ell-padded on the H: 12.0 us a product (forecast, 80%: 10.0 to "
                               "15.0 us), CSR for fewer than 40 products";
    advice_line_write(&line, 0, (int)strlen(ends), text, sizeof text);
    assert_string_equal(text, ends);
    static const char all[] =
        "Take cuda/ell-padded on the H: 12.0 us a product (forecast), CSR for fewer than 40 products";
    advice_line_write(&line, 0, (int)strlen(ends) - 1, text, sizeof text);
    assert_string_equal(text, all);
    advice_line_write(&line, 0, (int)strlen(all), text, sizeof text);
    assert_string_equal(text, all);
    advice_line_write(&line, 0, (int)strlen(all) - 1, text, sizeof text);
    assert_string_equal(text, "Take cuda/ell-padded on the H: 12.0 us (forecast)");
    advice_line_write(&line, 0, 40, text, sizeof text);
    assert_string_equal(text, "Take cuda/ell-padded on the H");
    advice_line_write(&line, 1, 200, text, sizeof text);
    assert_string_equal(text, "");
    line.advices.items[ADVICE_CPU] = (struct advice){.there = true,
                                                     .place = ADVICE_CPU,
                                                     .machine = "this processor",
                                                     .candidates = &cpu,
                                                     .count = 1,
                                                     .measured = 1};
    advice_line_write(&line, 0, 200, text, sizeof text);
    assert_string_equal(text, "Take cpu/csr-omp on this processor: 3.00 ms a product (measured)");
    advice_line_write(&line, 1, 200, text, sizeof text);
    assert_string_equal(text, ends);
    line.early = true;
    advice_line_write(&line, 0, 80, text, sizeof text);
    assert_string_equal(text, "So far, take cpu/csr-omp on this processor: 3.00 ms a product (measured)");
}

/* The head has a line for each machine, and at least the first sentences of the portrait. An arrow's longest
 * row has a third of all entries. */
TEST(the_head_tells_what_is_peculiar)
{
    enum { SIZE = 40 };
    static double dense[SIZE * SIZE];
    FREED(stage_close) struct stage stage;
    struct session *session = &stage.session;
    for (int k = 0; k < SIZE; k++)
        dense[k] = dense[k * SIZE] = dense[k * SIZE + k] = k + 1;
    stage_open(&stage, &view_summary, support_dense(SIZE, SIZE, dense), FIELD_REAL, 21, 80);
    assert_int_equal(session_need(session, NULL, SESSION_ROW_LENGTHS | SESSION_FORESIGHT, NULL, NULL),
                     STATUS_OK);
    stage_draw(&stage);
    stage_shows(&stage, "on this processor: ", "on the NVIDIA H200",
                "1 of 40 rows holds a third of the entries: up to 40, with a mean of");
}
