/* Pattern's colours of parts and of the fill of a Cholesky factor. */
#include <string.h>

#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/pattern/pattern.h"

static void choose(struct stage *stage, enum colouring wanted)
{
    const struct pattern *pattern = stage->state;
    while (pattern->colouring != wanted)
        stage_type(stage, "c");
    stage_work(stage);
}

/* Two dense blocks of 4 and 3 lines, entries from the first to the second, and a line by itself. */
static struct csr two_blocks(void)
{
    double dense[64] = {0};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            dense[8 * i + j] = 1;
    for (int i = 4; i < 7; i++)
        for (int j = 4; j < 7; j++)
            dense[8 * i + j] = 1;
    dense[8 * 1 + 5] = 1;
    dense[8 * 7 + 7] = 1;
    return support_dense(8, 8, dense);
}

/* The class of position (i, j) of that matrix, as an index of ABCDEo.+; -1 without an entry. */
static int class_at(enum colouring colouring, int i, int j)
{
    if (i == 7 || j == 7) return i == j ? PART_SMALLER : -1;
    if (colouring == COLOURED_COMPONENT) return (i < 4) == (j < 4) || (i == 1 && j == 5) ? 0 : -1;
    if ((i < 4) == (j < 4)) return i < 4 ? 0 : 1;
    return i == 1 && j == 5 ? PART_BETWEEN : -1;
}

TEST(each_place_has_the_colour_of_its_part)
{
    static const int cell_pixels[2] = {20, 10};
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(&stage, &view_pattern, two_blocks(), FIELD_PATTERN, 40, 120);
    stage.explorer.pixels = cell_pixels;
    stage_draw(&stage);
    stage_type(&stage, "-");
    for (int c = COLOURED_COMPONENT; c <= COLOURED_BLOCK; c++) {
        choose(&stage, (enum colouring)c);
        assert_int_equal(pattern->picture, PICTURE_PIXELS);
        const struct pixmap *pixmap = stage.surface.pixmap;
        for (int y = 0; y < pixmap->high; y++)
            for (int x = 0; x < pixmap->wide; x++) {
                int class = class_at((enum colouring)c, y / pattern->large[ROWS], x / pattern->large[COLS]);
                assert_int_equal(pixmap_row(pixmap, y)[x], class < 0 ? COLOUR_TEXT : COLOUR_PART + class);
            }
    }
}

/* Owners are shown once there is a partition of the case: rows 1 to 4 of the first, 5 to 8 of the second
 * part. Only entry (2, 6) needs elements of the other part. */
TEST(places_have_the_colours_of_their_owners)
{
    static const int cell_pixels[2] = {20, 10};
    FREED(stage_close) struct stage stage;
    FREED(partition_choice_free) struct partition_choice choice;
    struct distributed row;
    struct divided divided;
    stage_open(&stage, &view_pattern, two_blocks(), FIELD_PATTERN, 40, 120);
    stage.explorer.pixels = cell_pixels;
    stage_draw(&stage);
    struct pattern *pattern = stage.state;
    for (int k = 0; k < COLOURINGS; k++) { /* without a partition the colours of owners are left out */
        assert_int_not_equal(pattern->colouring, COLOURED_OWNER);
        stage_type(&stage, "c");
    }
    assert_int_equal(partition_choice_read("natural", &choice, NULL), STATUS_OK);
    assert_int_equal(distribution_divide(&stage.session.shown->matrix, &choice, 2, 0, NULL, &row, &divided),
                     STATUS_OK);
    struct owners *owners = owners_make(stage.session.shown, "natural", row.halo.messages, &divided);
    assert_non_null(owners);
    stage.explorer.owners = owners;
    stage.explorer.owners_asked = true;
    stage_draw(&stage);
    assert_int_equal(pattern->colouring, COLOURED_OWNER);
    assert_false(stage.explorer.owners_asked);
    stage_work(&stage);
    stage_type(&stage, "-");
    stage_work(&stage);
    assert_int_equal(pattern->picture, PICTURE_PIXELS);
    const struct pixmap *pixmap = stage.surface.pixmap;
    const struct csr *a = &stage.session.shown->matrix.csr;
    for (int y = 0; y < pixmap->high; y++)
        for (int x = 0; x < pixmap->wide; x++) {
            int i = y / pattern->large[ROWS], j = x / pattern->large[COLS], part = i / 4;
            bool remote = j / 4 != part;
            int expected =
                csr_find(a, i, j) < 0 ? COLOUR_TEXT : (remote ? COLOUR_REMOTE : COLOUR_OWNER) + part;
            assert_int_equal(pixmap_row(pixmap, y)[x], expected);
        }
    stage_shows(&stage, "Colour: owners", "natural");
    stage.explorer.cursor = (struct cursor){1, 5, csr_find(a, 1, 5)};
    stage_draw(&stage);
    stage_shows(&stage, "half or more is remote");
    owners_release(owners); /* the screen holds it still */
    stage.explorer.owners = NULL;
    stage_type(&stage, "+");
    stage_work(&stage);
    stage_shows(&stage, "Colour: owners");
    halo_free(&row.halo);
}

/* Without colours a dot is a letter. The dot of rows and columns 3 to 4 has entries of both blocks. */
TEST(letters_stand_for_parts_without_colours)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, two_blocks(), FIELD_PATTERN, 24, 80);
    stage.explorer.ascii = true;
    stage.explorer.colours = stage.explorer.shades = false;
    stage_draw(&stage);
    const struct pattern *pattern = stage.state;
    choose(&stage, COLOURED_STRONG);
    stage_type(&stage, "-");
    assert_int_equal(pattern->picture, PICTURE_CHARACTERS);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            const struct cell *cell =
                &stage.surface.cells[(pattern->inside.top + y * pattern->large[ROWS]) * stage.surface.wide +
                                     pattern->inside.left + x * pattern->large[COLS]];
            int class = class_at(COLOURED_STRONG, y, x);
            assert_int_equal(cell->character, class < 0 ? ' ' : (uint32_t) "ABCDEo.+"[class]);
        }
    stage_shows(&stage, "AB largest first", "o a smaller one", ". between", "Colour: strong components");
}

TEST(the_panel_says_what_the_cursor_is_in)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, two_blocks(), FIELD_PATTERN, 40, 120);
    choose(&stage, COLOURED_BLOCK);
    stage_shows(&stage, "1 of 3");
    stage_type(&stage, "j");
    for (int k = 0; k < 5; k++)
        stage_type(&stage, "l");
    stage_shows(&stage, "all between blocks");
    stage_type(&stage, "jjj");
    stage_shows(&stage, "2 of 3");
    choose(&stage, COLOURED_COMPONENT);
    stage_shows(&stage, "1 of 2", "7 lines");
}

/* A dot that has entries of two parts, and one that has entries within and between, are mixed. */
TEST(dots_of_several_parts_are_mixed)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(1500, 1500, 0.0007, false, false, 5), FIELD_REAL, 30,
               100);
    stage.explorer.shades = true;
    stage_draw(&stage);
    const struct pattern *pattern = stage.state;
    for (int c = COLOURED_COMPONENT; c <= COLOURED_BLOCK; c++) {
        choose(&stage, (enum colouring)c);
        while (pattern->picture != PICTURE_BRAILLE)
            stage_type(&stage, "m");
        const struct rect rect = pattern_rect(pattern);
        int wide = viewport_used(&pattern->port, COLS), high = viewport_used(&pattern->port, ROWS), mixed = 0;
        for (int cy = 0; cy < rect.high; cy++)
            for (int cx = 0; cx < rect.wide; cx++) {
                const struct cell *cell =
                    &stage.surface.cells[(rect.top + cy) * stage.surface.wide + rect.left + cx];
                int32_t only = DOT_EMPTY;
                for (int y = 4 * cy; y < 4 * cy + 4 && y < high; y++)
                    for (int x = 2 * cx; x < 2 * cx + 2 && x < wide; x++) {
                        int32_t part = pattern->sizing.parts[y * wide + x];
                        if (part == DOT_EMPTY || part == only) continue;
                        only = only == DOT_EMPTY ? part : DOT_MIXED;
                    }
                if (only == DOT_EMPTY || cell->background == COLOUR_CURSOR) continue;
                assert_int_equal(cell->foreground,
                                 (int)COLOUR_PART + pattern_part_level(pattern, only) - LEVEL_PART);
                mixed += only == DOT_MIXED;
            }
        assert_true(mixed > 0);
    }
}

TEST(inapplicable_colours_have_a_reason)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(20, 300, 0.05, false, false, 5), FIELD_REAL, 30, 100);
    choose(&stage, COLOURED_STRONG);
    stage_shows(&stage, "the matrix is not square");
    choose(&stage, COLOURED_FILL);
    stage_shows(&stage, "the matrix is not square");
    choose(&stage, COLOURED_BLOCK);
    stage_type(&stage, "]0+++++++++");
    stage_shows(&stage, "underdetermined (H)");
}

/* An arrow that points up and left fills in completely: of the 36 positions below the diagonal of a matrix of
 * 9 lines the 8 of the first column are entries. */
TEST(fill_is_counted_and_marked)
{
    double dense[81] = {0};
    for (int k = 0; k < 9; k++)
        dense[9 * k] = dense[k] = dense[10 * k] = 1;
    for (int ascii = 0; ascii < 2; ascii++) {
        FREED(stage_close) struct stage stage;
        stage_open(&stage, &view_pattern, support_dense(9, 9, dense), FIELD_PATTERN, 30, 120);
        stage.explorer.ascii = ascii;
        stage.explorer.shades = !ascii;
        stage_draw(&stage);
        const struct pattern *pattern = stage.state;
        choose(&stage, COLOURED_FILL);
        assert_int_equal(pattern->picture, PICTURE_NUMBERS);
        assert_int_equal(pattern->filled_in, 28);
        assert_int_equal(pattern->total, 25 + 28);
        stage_shows(&stage, ascii ? "x filled in" : "filled in");
        for (int i = 0; i < 9; i++)
            for (int j = 0; j < 9; j++) {
                const struct cell *cell =
                    &stage.surface.cells[(pattern->inside.top + i) * stage.surface.wide +
                                         pattern->inside.left + (j + 1) * pattern->field - 1];
                bool fill = i > j && j > 0;
                assert_int_equal(cell->character == (ascii ? 'x' : 0xd7), fill);
                assert_int_equal(pattern->marked[9 * i + j], fill);
            }
        stage_type(&stage, "-");
        stage_work(&stage);
        assert_true(pattern->picture != PICTURE_NUMBERS && pattern->filled_in == 28);
        stage_shows(&stage, "marked: half or more");
        stage_type(&stage, "oo"); /* HYB's cut needs the marks itself */
        stage_work(&stage);
        stage_shows(&stage, "not with this overlay");
        choose(&stage, COLOURED_COUNT);
        stage_type(&stage, "OO");
        assert_int_equal(pattern->filled_in, 0);
        assert_int_equal(pattern->total, 25);
    }
}
