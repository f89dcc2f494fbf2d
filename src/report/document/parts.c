/* The chapter on partitions: communication and scaling over several processes. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "report/document/build.h"
#include "report/document/rows.h"

/* Add a table of all partitions that were found, with the columns of a part. */
static void add_table(struct document *document, const struct distribution *distribution,
                      const struct column_part *part)
{
    struct rows rows = {.columns = part_columns, .part = part};
    rows.items = memory_array((size_t)distribution->count, sizeof *rows.items, NULL);
    if (!rows.items) document->failed = true;
    for (int k = 0; rows.items && k < distribution->count; k++) {
        const struct distributed *division = &distribution->items[k];
        if (division->status != STATUS_OK) continue;
        rows.items[rows.count++] = (struct row){
            .subject = {.division = division},
            .name = document_words(document, "%s, %lld", division->name, (long long)division->parts),
            .mark = MARK_NONE};
    }
    if (rows.items && rows.count) {
        document_section(document, "%s", part->title);
        document_table(document, "partition, parts", &rows);
    }
    rows_free(&rows);
}

/* State the limit of a partition's scaling, by the model. */
static void note_scaling(struct document *document, const struct distribution *distribution, int first)
{
    const char *name = distribution->items[first].name;
    int best = distribution_best(distribution, first);
    int64_t half = 0;
    if (best < 0) return;
    for (int k = distribution->count - 1; k >= first; k--) {
        const struct distributed *division = &distribution->items[k];
        if (division->status == STATUS_OK && strcmp(division->name, name) == 0 &&
            division->scaling.efficiency < 0.5 && (half == 0 || division->parts < half))
            half = division->parts;
    }
    const struct distributed *fastest = &distribution->items[best];
    document_note(document, MARK_NONE, "%s: a product is fastest with %lld part%s, %.3g times one process",
                  name, (long long)fastest->parts, fastest->parts == 1 ? "" : "s", fastest->scaling.speedup);
    const int64_t crossing = distribution_crossing(distribution, first);
    if (crossing)
        document_note(document, MARK_NONE, "%s: with %lld parts exchanging takes longer than computing", name,
                      (long long)crossing);
    else
        document_note(document, MARK_NONE,
                      "%s: computing takes longer than exchanging with all these numbers of parts", name);
    if (half)
        document_note(document, MARK_NONE,
                      "%s: with %lld parts the processes lose more than half of their time", name,
                      (long long)half);
}

/* Say how the processes of a node share it. */
static void note_node(struct document *document, const struct network *network)
{
    char memory[64] = "";
    if (network->node <= 1) return;
    document_note(document, MARK_NONE,
                  "%d processes share a node, and its memory: messages within it take %.3g us and %.3g GB/s.",
                  network->node, network->near_latency_us, network->near_bandwidth_gbs);
    if (network->memory_crowd > 0)
        snprintf(memory, sizeof memory, ", and at most %.3g times with a matrix in memory",
                 network->memory_crowd);
    if (network->crowd > 1)
        document_note(document, MARK_NONE,
                      "While all %d compute, each takes %.3g times as long in its own caches as one alone%s.",
                      network->node, network->crowd, memory);
}

void document_parts(struct document *document, const struct matrix_case *matrix_case)
{
    const struct distribution *distribution = &matrix_case->distribution;
    const struct network *network = &distribution->network;
    if (distribution->count == 0) return;
    add_table(document, distribution, &part_distribution);
    if (distribution->kernel[0]) add_table(document, distribution, &part_scaling);
    for (int k = 0; k < distribution->count; k++) {
        const struct distributed *division = &distribution->items[k];
        bool first = k == 0 || strcmp(division->name, division[-1].name) != 0;
        if (first) note_scaling(document, distribution, k);
        if (division->status != STATUS_OK &&
            (first || strcmp(division->refusal.message, division[-1].refusal.message) != 0))
            document_note(document, MARK_BAD, "%s: %s", division->name, division->refusal.message);
    }
    if (!distribution->kernel[0]) {
        document_note(document, MARK_NONE,
                      "No predictions: no CPU kernel was run, and no profile of the processors is saved. "
                      "'sparsight kernels --calibrate' makes one.");
        return;
    }
    document_note(document, MARK_NONE,
                  "Predicted from %s, which takes one process %.4g us (%s), with messages of %.3g us latency "
                  "and %.3g GB/s%s.",
                  distribution->kernel, distribution->single_us,
                  distribution->measured ? "measured" : "forecast", network->latency_us,
                  network->bandwidth_gbs,
                  distribution->networked ? "" : ", both assumed: --network changes them");
    note_node(document, network);
    if (network->name[0])
        document_note(document, MARK_NONE, "The network was measured on %s, kept as %s.", network->date,
                      network->name);
}
