/* The energy of the products of a matrix's kernels in a document. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/load.h"
#include "base/text.h"
#include "report/document/build.h"
#include "report/document/rows.h"

static const struct energy *energy_of(const struct rows *rows, int k)
{
    return &rows->items[k].subject.result->energy;
}

/* Name each meter once, with its resolution and the idle power. */
static void add_meters(struct document *document, const struct rows *rows)
{
    char tick[32], idle[32], spread[32];
    for (int k = 0; k < rows->count; k++) {
        const struct energy *energy = energy_of(rows, k);
        bool said = energy->products == 0;
        for (int j = 0; j < k && !said; j++)
            said = energy_of(rows, j)->products > 0 && strcmp(energy_of(rows, j)->meter, energy->meter) == 0;
        if (said) continue;
        document_note(document, MARK_NONE, "%s: a tick of %s; idle %s W +- %s W", energy->meter,
                      format_seconds(tick, sizeof tick, energy->tick),
                      format_digits(idle, sizeof idle, energy->idle, 4),
                      format_digits(spread, sizeof spread, energy->idle_spread, 2));
    }
}

/* Write each reason once, with the first kernel that has it. */
static void add_reasons(struct document *document, const struct rows *rows)
{
    for (int k = 0; k < rows->count; k++) {
        const char *reason = energy_of(rows, k)->reason;
        int same = 0;
        bool said = !reason[0];
        for (int j = 0; j < rows->count; j++) {
            if (strcmp(energy_of(rows, j)->reason, reason) != 0) continue;
            said = said || j < k;
            same++;
        }
        if (said) continue;
        if (same > 1)
            document_note(document, MARK_NONE, "energy of %s and %d other kernel%s: %s", rows->items[k].name,
                          same - 1, same > 2 ? "s" : "", reason);
        else
            document_note(document, MARK_NONE, "energy of %s: %s", rows->items[k].name, reason);
    }
}

/* Name the other programs, whose energy is counted as well. */
static void add_others(struct document *document, const struct rows *rows)
{
    const int processors = rows->items[0].subject.results->machines.host.processors;
    double load = 0;
    int processes = 0;
    char number[32];
    for (int k = 0; k < rows->count; k++) {
        const struct energy *energy = energy_of(rows, k);
        if (!rows->items[k].subject.result->choice.kernel->backend->devices) load = fmax(load, energy->load);
        if (energy->processes > processes) processes = energy->processes;
    }
    if (load_is_busy(load, processors))
        document_note(document, MARK_BAD,
                      "other programs kept %s processors busy: their energy is counted too",
                      format_digits(number, sizeof number, load, 2));
    if (processes > 1)
        document_note(document, MARK_BAD, "%d other process%s used the GPU: %s energy is counted too",
                      processes - 1, processes > 2 ? "es" : "", processes > 2 ? "their" : "its");
}

void document_energy(struct document *document, const struct results *results, enum precision precision)
{
    struct rows rows;
    bool measured = false;
    if (rows_of_part(results, precision, &part_energy, &rows) != STATUS_OK) document->failed = true;
    for (int k = 0; k < rows.count; k++)
        measured = measured || energy_of(&rows, k)->products > 0;
    if (rows.count > 0)
        document_section(document, "%s, %s", part_energy.title,
                         value_name(precision, results->items[0].complex));
    if (measured) {
        document_table(document, "kernel", &rows);
        document_note(document, MARK_NONE,
                      "of a product, one kernel at a time: mJ with the idle power, net and per entry without "
                      "it; +- is from the tick of the meter and the spread of the idle power");
        add_meters(document, &rows);
        add_others(document, &rows);
    }
    add_reasons(document, &rows);
    rows_free(&rows);
}
