/* The volumes on the Parts screen against a plain count: each number of the matrix of parts, the tiles of
 * many parts, the words of the part under the cursor, and the tile that is clicked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/shade.h"
#include "support/chance.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/parts/screen.h"

enum { N = 120, MOST = 60 };

static void finish(struct stage *stage)
{
    struct parts_screen *screen = stage->state;
    for (int k = 0; k < 400 && screen->errand.state == ERRAND_WANTED; k++)
        stage_work(stage);
    stage_draw(stage);
}

/* What each part receives from each other one, and how many entries it has. */
struct exchange {
    int parts, elements[MOST][MOST], rows[MOST], entries[MOST];
};

static void count(const struct csr *a, const struct partition *partition, int parts,
                  struct exchange *exchange)
{
    static bool needs[MOST][N];
    memset(needs, 0, sizeof needs);
    *exchange = (struct exchange){.parts = parts};
    for (int i = 0; i < N; i++) {
        const int own = partition->owner[i];
        exchange->rows[own]++;
        exchange->entries[own] += (int)(a->row_ptr[i + 1] - a->row_ptr[i]);
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            const int other = partition->owner[a->col[k]];
            exchange->elements[own][other] += own != other && !needs[own][a->col[k]];
            needs[own][a->col[k]] = true;
        }
    }
}

/* The sum over tiles of this number of parts along a side. */
static int sum_of(const struct exchange *exchange, int step, int down, int right)
{
    int sum = 0;
    for (int to = down * step; to < (down + 1) * step && to < exchange->parts; to++)
        for (int from = right * step; from < (right + 1) * step && from < exchange->parts; from++)
            sum += exchange->elements[to][from];
    return sum;
}

static void expect_words(struct stage *stage, const struct exchange *exchange, int step, int down, int right)
{
    char words[160], to[32], from[32];
    const int ends[] = {(down + 1) * step < exchange->parts ? (down + 1) * step : exchange->parts,
                        (right + 1) * step < exchange->parts ? (right + 1) * step : exchange->parts};
    if (ends[0] - down * step == 1)
        snprintf(to, sizeof to, "part %d", ends[0]);
    else
        snprintf(to, sizeof to, "parts %d-%d", down * step + 1, ends[0]);
    if (ends[1] - right * step == 1)
        snprintf(from, sizeof from, "part %d", ends[1]);
    else
        snprintf(from, sizeof from, "parts %d-%d", right * step + 1, ends[1]);
    if (step == 1 && down == right)
        snprintf(words, sizeof words, "%s owns %d rows with %d entries\n", to, exchange->rows[down],
                 exchange->entries[down]);
    else
        snprintf(words, sizeof words, "%s (down) receive%s %d from %s (across)\n", to, step == 1 ? "s" : "",
                 sum_of(exchange, step, down, right), from);
    stage_shows(stage, words);
    if (step > 1) {
        snprintf(words, sizeof words, "%d parts per tile and direction", step);
        stage_shows(stage, words);
        return;
    }
    int receives = 0, sends = 0, sources = 0, targets = 0;
    for (int p = 0; p < exchange->parts; p++) {
        receives += exchange->elements[down][p];
        sources += exchange->elements[down][p] > 0;
        sends += exchange->elements[p][down];
        targets += exchange->elements[p][down] > 0;
    }
    snprintf(words, sizeof words, "receives %d elements from %d part%s, sends %d to %d", receives, sources,
             sources == 1 ? "" : "s", sends, targets);
    stage_shows(stage, words);
}

/* The number that ends at this column, -1 for a point. */
static int number_at(const struct stage *stage, int y, int x)
{
    int value = 0, scale = 1;
    const struct cell *cell = &stage->surface.cells[y * stage->surface.wide + x];
    if (cell->character < '0' || cell->character > '9') return -1;
    for (; cell->character >= '0' && cell->character <= '9'; cell--, scale *= 10)
        value += scale * (int)(cell->character - '0');
    return value;
}

static void expect_numbers(const struct stage *stage, const struct exchange *exchange)
{
    const struct parts_screen *screen = stage->state;
    const struct rect rect = screen->tiles.rect;
    const int each = rect.wide / exchange->parts;
    assert_int_equal(rect.high, exchange->parts);
    for (int to = 0; to < exchange->parts; to++) {
        assert_int_equal(number_at(stage, rect.top + to, rect.left - 2), to + 1);
        assert_int_equal(number_at(stage, rect.top - 1, rect.left + (to + 1) * each - 1), to + 1);
        for (int from = 0; from < exchange->parts; from++) {
            const int x = rect.left + (from + 1) * each - 1, elements = exchange->elements[to][from];
            const struct cell *cell = &stage->surface.cells[(rect.top + to) * stage->surface.wide + x];
            assert_int_equal(number_at(stage, rect.top + to, x), elements ? elements : -1);
            assert_int_equal(cell->background == COLOUR_CURSOR,
                             to == screen->tiles.to && from == screen->tiles.from);
        }
    }
}

/* Fuller tiles never have a fainter level. */
static void expect_tiles(struct stage *stage, const struct exchange *exchange, int step)
{
    const struct rect below = ((struct parts_screen *)stage->state)->tiles.rect;
    const struct cell *scale = &stage->surface.cells[(below.top + below.high) * stage->surface.wide];
    const struct cell *end = stage->surface.cells + stage->surface.high * stage->surface.wide - 9;
    for (int k = 0; scale < end && k < 9;
         scale++) /* to the end of " elements", behind the scale and its number */
        for (k = 0; k < 9 && scale[k].character == (uint32_t) " elements"[k];)
            k++;
    assert_true(scale < end);
    for (scale -= 2; scale->character != ' ';)
        scale--;
    for (int level = SHADE_LEVELS - 1; level >= 0; level--) {
        const struct cell *one = scale - (SHADE_LEVELS - level);
        if (parts_has_blocks(&stage->explorer))
            assert_true(one->character == 0x2588 && one->foreground == COLOUR_DENSITY + level);
        else
            assert_int_equal(one->character, shade_character(level, stage->explorer.ascii));
    }
    const struct parts_screen *screen = stage->state;
    const struct parts_tiles *tiles = &screen->tiles;
    const bool blocks = parts_has_blocks(&stage->explorer);
    int most_of[COLOUR_COUNT] = {0}, least_of[COLOUR_COUNT] = {0};
    for (int to = 0; to < tiles->count; to++)
        for (int from = 0; from < tiles->count; from++) {
            const int line = to * tiles->cell_high, elements = sum_of(exchange, step, to, from);
            const struct cell *cell =
                &stage->surface.cells[(tiles->rect.top + line / (blocks ? 2 : 1)) * stage->surface.wide +
                                      tiles->rect.left + from * tiles->cell_wide * (blocks ? 1 : 2)];
            const bool cursor = tiles->to / step == to && tiles->from / step == from;
            if (cursor && blocks) continue;
            if (!blocks) {
                assert_int_equal(cell->character != ' ', elements > 0);
                assert_int_equal(cell->background == COLOUR_CURSOR, cursor);
                continue;
            }
            const bool upper = cell->character == 0x2588 || (cell->character == 0x2580) == (line % 2 == 0);
            const int shown = cell->character == ' ' ? COLOUR_TEXT
                              : upper                ? cell->foreground
                                                     : cell->background;
            assert_int_equal(shown >= COLOUR_DENSITY, elements > 0);
            if (!elements) continue;
            if (elements > most_of[shown]) most_of[shown] = elements;
            if (!least_of[shown] || elements < least_of[shown]) least_of[shown] = elements;
        }
    for (int one = COLOUR_DENSITY; one < COLOUR_COUNT; one++)
        for (int other = COLOUR_DENSITY; other < one; other++)
            if (least_of[one] && most_of[other]) assert_true(most_of[other] <= least_of[one]);
}

TEST(volumes_are_those_of_the_entries)
{
    static const int parts_of[] = {2, 3, 7, 12, 24, 60};
    static double dense[N * N];
    uint64_t chance = CHANCE_SEED;
    int numbered = 0, tiled = 0, coarse = 0;
    for (int k = 0; k < N * N; k++)
        dense[k] = abs(k / N - k % N) < 2 || chance_next(&chance) % 160 == 0;
    for (int round = 0; round < 24; round++) {
        FREED(stage_close) struct stage stage;
        static struct exchange exchange;
        const int parts = parts_of[round % 6];
        struct parts_screen *screen = stage_open(&stage, &view_parts, support_dense(N, N, dense), FIELD_REAL,
                                                 round < 12 ? 22 : 29, round % 12 < 6 ? 72 : 101);
        char typed[32];
        stage.explorer.ascii = round / 6 % 2;
        stage_type(&stage, "v");
        snprintf(typed, sizeof typed, "natural %d", parts);
        stage_type(&stage, "p");
        stage_answer(&stage, typed);
        finish(&stage);
        assert_non_null(stage.explorer.owners);
        count(&stage.session.shown->matrix.csr, &stage.explorer.owners->divided.partition, parts, &exchange);
        const struct parts_tiles *tiles = &screen->tiles;
        const int step = (int)tiles->step;
        const bool blocks = parts_has_blocks(&stage.explorer);
        assert_int_equal(tiles->count, (parts + step - 1) / step);
        /* Tiles are squares of units; a character has two, one above the other, or is half a unit wide. */
        const int side = blocks ? tiles->rect.wide : tiles->rect.wide / 2;
        if (!tiles->numbers)
            assert_in_range(blocks ? 2 * tiles->rect.high : tiles->rect.high, side, side + 1);
        /* A click on any character of a tile chooses it. */
        for (int y = 0; y < tiles->rect.high; y += 1 + y % 2)
            for (int x = 0; x < tiles->rect.wide; x += 1 + x % 5) {
                const int wide = tiles->rect.wide / tiles->count, high = tiles->numbers ? 1
                                                                         : blocks       ? wide
                                                                                  : wide / 2; /* in units */
                const int down = (tiles->numbers || !blocks ? y : 2 * y) / high, right = x / wide;
                parts_click_volumes(screen, &stage.explorer, tiles->rect.top + y, tiles->rect.left + x);
                assert_int_equal(tiles->to / step, down < tiles->count ? down : tiles->count - 1);
                assert_int_equal(tiles->from / step, right);
                if ((x + y) % 7) continue;
                stage_draw(&stage);
                expect_words(&stage, &exchange, step, (int)(tiles->to / step), right);
                if (tiles->numbers)
                    expect_numbers(&stage, &exchange);
                else
                    expect_tiles(&stage, &exchange, step);
            }
        numbered += tiles->numbers;
        tiled += !tiles->numbers;
        coarse += step > 1;
        const int64_t to = tiles->to, from = tiles->from;
        parts_click_volumes(screen, &stage.explorer, tiles->rect.top - 1, tiles->rect.left);
        parts_click_volumes(screen, &stage.explorer, tiles->rect.top, tiles->rect.left + tiles->rect.wide);
        assert_true(tiles->to == to && tiles->from == from);
    }
    assert_true(numbered > 4 && tiled > 4 && coarse > 2);
}
