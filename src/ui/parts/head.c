/* The description of the selected partition in one or two lines, or the reason why the panes are empty. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "columns/columns.h"
#include "drawing/flow.h"
#include "ui/everywhere.h"
#include "ui/parts/screen.h"

/* The size of an error's text with its position. */
#define WORDS (sizeof(struct error) + 64)

/* The speed-up from which a partition counts as faster than one process. */
#define FASTER 1.005

/* The minimum width of the area for all texts in one line. */
#define HEAD_WIDE 130

/* The maximum width of a text that replaces all panes. */
#define NOTHING_WIDE 90

/* Write a number of the row in the format of its column, between two texts. Write nothing if there is no
 * number. */
static void write_number(struct flow *flow, const struct subject *subject, const char *key,
                         const char *before, const char *after)
{
    char number[160];
    for (const struct column *column = part_columns; column->key; column++) {
        if (strcmp(column->key, key) != 0) continue;
        struct value value = column_get(column, subject);
        if (value.type == VALUE_NULL) return;
        flow_item(flow, COLOUR_TEXT, "%s%s%s", before,
                  value_brief(column, value, (int)sizeof number, number, sizeof number), after);
    }
}

void parts_say_nothing(const struct explorer *explorer, struct surface *surface, struct rect rect)
{
    const struct absence *absence = &explorer->session->shown->absence;
    const int wide = rect.wide - 8 < NOTHING_WIDE ? rect.wide - 8 : NOTHING_WIDE;
    struct flow flow = {.surface = surface,
                        .rect = {rect.top + rect.high / 3, rect.left + 4, rect.high - rect.high / 3, wide}};
    flow_words(&flow, COLOUR_TITLE, "Parts");
    flow_break(&flow);
    flow_words(&flow, COLOUR_WARN,
               "Partitions need the entries, or a report that has them: 'sparsight report --format=json "
               "--parts=2..64'.");
    flow_break(&flow);
    flow_words(&flow, COLOUR_TEXT, absence->why);
    flow_break(&flow);
    flow_words(&flow, COLOUR_DIM, absence->remedy);
}

/* True if all rows of this partition, or of all partitions if `name` is NULL, are done. */
static bool all_known(const struct parts_screen *screen, const char *name)
{
    bool known = true;
    for (int k = 0; k < screen->table.count; k++)
        known = known && (screen->items[k].done || (name && strcmp(screen->table.items[k].name, name) != 0));
    return known;
}

/* Write the sentence on the fastest product. One process is the fastest if no partition beats it by more than
 * FASTER. */
static void write_fastest(const struct parts_screen *screen, const struct distributed *best,
                          char words[WORDS])
{
    const char *so_far = all_known(screen, NULL) ? "" : " so far", *plural = best->parts == 1 ? "" : "s";
    char seconds[32];
    if (best->scaling.speedup < FASTER)
        snprintf(words, WORDS,
                 "Fastest%s: one process. The best partition is %s, %lld part%s: %.3g times as fast.", so_far,
                 best->name, (long long)best->parts, plural, best->scaling.speedup);
    else
        snprintf(words, WORDS, "Fastest%s: %s, %lld part%s: %s, %.3g times as fast as one process.", so_far,
                 best->name, (long long)best->parts, plural,
                 format_seconds(seconds, sizeof seconds, best->scaling.total_us * 1e-6),
                 best->scaling.speedup);
}

/* Write the conclusion: the fastest product, the number of parts from which communication takes longer than
 * computation, and the assumptions of the predictions. */
static int draw_answer(const struct parts_screen *screen, struct surface *surface, struct rect area)
{
    const struct distribution *table = &screen->table;
    const int fastest = distribution_fastest(table);
    struct flow flow = {.surface = surface,
                        .rect = {area.top, area.left + 1, area.wide < HEAD_WIDE ? 3 : 2, area.wide - 2}};
    char words[WORDS], seconds[32], keys[PROSE_SIZE];
    if (fastest < 0) return 0;
    const struct distributed *best = &table->items[fastest];
    const int64_t crossing = distribution_crossing(table, fastest);
    write_fastest(screen, best, words);
    flow_sentence(&flow, COLOUR_ACCENT, words);
    if (crossing > 0)
        snprintf(words, sizeof words,
                 all_known(screen, best->name) ? "Communication passes computation at %lld parts."
                                               : "At %lld parts communication takes longer than computation.",
                 (long long)crossing);
    else
        snprintf(words, sizeof words, "Computation takes longer than communication for all these numbers.");
    flow_sentence(&flow, COLOUR_ACCENT, words);
    flow_item(&flow, COLOUR_DIM, "network%s: %g us, %g GB/s (%s)", table->networked ? "" : " assumed",
              table->network.latency_us, table->network.bandwidth_gbs,
              keys_prose(parts_actions, "{set network} changes it", keys));
    flow_item(&flow, COLOUR_DIM, "one process: %s by %s",
              format_seconds(seconds, sizeof seconds, table->single_us * 1e-6), table->kernel);
    return flow_lines(&flow);
}

int parts_draw_head(const struct explorer *explorer, struct parts_screen *screen, struct surface *surface,
                    struct rect area)
{
    const struct distributed *row = parts_row(screen);
    const int answer = draw_answer(screen, surface, area);
    int high = area.wide < HEAD_WIDE ? 2 : 1;
    struct flow flow = {.surface = surface, .rect = {area.top + answer, area.left + 1, high, area.wide - 2}};
    char words[WORDS];
    if (!row) {
        flow_words(&flow, COLOUR_WARN, "No partitioner can divide this matrix.");
        return flow_lines(&flow);
    }
    const struct subject subject = {.matrix_case = explorer->session->shown, .division = row};
    if (row->partitioner->fixed && row->status != STATUS_OK) /* the file must be read first */
        flow_item(&flow, COLOUR_TITLE, "%s", row->name);
    else
        flow_item(&flow, COLOUR_TITLE, "%s, %lld part%s", row->name, (long long)row->parts,
                  row->parts == 1 ? "" : "s");
    if (row->status == STATUS_OK) {
        write_number(&flow, &subject, "volume", "volume ", " elements");
        write_number(&flow, &subject, "messages", "", row->halo.messages == 1 ? " message" : " messages");
        write_number(&flow, &subject, "imbalance", "imbalance ", "");
        write_number(&flow, &subject, "speedup", "speed-up ", " (predicted)");
        write_number(&flow, &subject, "most_neighbours", "at most ", " neighbours");
        write_number(&flow, &subject, "cut", "cut ", " entries");
    } else if (screen->items[screen->selected].done) {
        flow_words(&flow, COLOUR_BAD, error_text(&row->refusal, words, sizeof words));
    } else {
        flow_words(&flow, COLOUR_DIM, screen->paused ? "(not computed)" : "(computing...)");
    }
    return answer + high;
}

void parts_say_missing(const struct explorer *explorer, struct parts_screen *screen, struct surface *surface,
                       struct rect rect)
{
    char key[KEY_TEXT], why[WORDS], words[WORDS + 64];
    const struct distributed *row = parts_row(screen);
    struct flow flow = {.surface = surface,
                        .rect = {rect.top + 1, rect.left + 1, rect.high - 1, rect.wide - 2}};
    if (rect.high < 2 || rect.wide < 12 || !row) return;
    if (screen->items[screen->selected].done && row->status != STATUS_OK)
        snprintf(words, sizeof words, "This partition is unavailable: %s.",
                 error_text(&row->refusal, why, sizeof why));
    else if (screen->told)
        snprintf(words, sizeof words, "Not in the report. Make it with more bytes: --carry=1M.");
    else if (screen->unmarked)
        snprintf(words, sizeof words, "Not enough memory for this picture.");
    else if (screen->errand.state == ERRAND_FAILED)
        snprintf(words, sizeof words, "Cancelled. Press %s to resume.", everywhere_key(DEMAND_CANCEL, key));
    else
        snprintf(words, sizeof words, "Computing the partition...");
    flow_words(&flow, COLOUR_DIM, words);
}
