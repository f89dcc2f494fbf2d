/* report/document/parts: sentences about partitions, compared with those from a plain search of the same
 * numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/document/build.h"
#include "report/text/text.h"
#include "support/report.h"
#include "support/unit.h"

#define NAMES 3
#define COUNTS 4

static const char *const names[NAMES] = {"natural", "entries", "kway"};
static const int64_t counts[COUNTS] = {2, 4, 8, 16};

/* Predictions for a partition: it is fastest at counts[best], exchange exceeds computing from counts[cross]
 * on, and efficiency is below a half from counts[half] on; COUNTS: nowhere. */
struct course {
    int best, cross, half;
};

static void make(struct distribution *distribution, struct distributed items[NAMES * COUNTS],
                 const struct course courses[NAMES])
{
    *distribution = (struct distribution){.items = items,
                                          .count = NAMES * COUNTS,
                                          .single_us = 1234.5,
                                          .kernel = "cpu/csr-omp",
                                          .network = {.latency_us = 1.25, .bandwidth_gbs = 23.5}};
    for (int n = 0; n < NAMES; n++)
        for (int c = 0; c < COUNTS; c++) {
            const struct course *course = &courses[n];
            struct distributed *item = &items[n * COUNTS + c];
            const double total = 100 + 10 * abs(c - course->best) + n;
            *item =
                (struct distributed){.partitioner = partitioners[0], .parts = counts[c], .status = STATUS_OK};
            strcpy(item->name, names[n]);
            item->halo = (struct halo){.parts = counts[c], .imbalance = 1};
            item->scaling = (struct scaling){.compute_us = 50,
                                             .exchange_us = c >= course->cross ? 51 : 49,
                                             .total_us = total,
                                             .overlap_us = total - 1,
                                             .speedup = 2 + c + 0.25 * n,
                                             .efficiency = c >= course->half ? 0.4 : 0.5};
        }
}

/* Blanks and line ends as one blank each. */
static char *document_of(struct matrix_case *matrix_case)
{
    struct document document = {.title = "a", .summary = "b", .source = "c"};
    struct text text = {0};
    document_parts(&document, matrix_case);
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

static void expect(const char *text, bool there, const char *format, ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (!strstr(text, words) == there) fail_msg("%s '%s' in: %s", there ? "no" : "a", words, text);
}

TEST(each_partition_has_its_limits)
{
    for (int seed = 0; seed < 60; seed++) {
        struct distributed items[NAMES * COUNTS];
        struct matrix_case matrix_case = {0};
        struct course courses[NAMES];
        for (int n = 0; n < NAMES; n++)
            courses[n] = (struct course){(seed + n) % COUNTS, (seed / 4 + 2 * n) % (COUNTS + 1),
                                         (seed / 7 + 3 * n) % (COUNTS + 1)};
        make(&matrix_case.distribution, items, courses);
        char *text = document_of(&matrix_case);
        for (int n = 0; n < NAMES; n++) {
            const struct course *course = &courses[n];
            expect(text, true, " %s: a product is fastest with %d parts, %.3g times one process", names[n],
                   (int)counts[course->best], 2 + course->best + 0.25 * n);
            if (course->cross < COUNTS)
                expect(text, true, " %s: with %d parts exchanging takes longer than computing", names[n],
                       (int)counts[course->cross]);
            expect(text, course->cross == COUNTS,
                   " %s: computing takes longer than exchanging with all these numbers of parts", names[n]);
            if (course->half < COUNTS)
                expect(text, true, " %s: with %d parts the processes lose more than half of their time",
                       names[n], (int)counts[course->half]);
            int losses = 0;
            char words[64];
            snprintf(words, sizeof words, " %s: ", names[n]);
            for (const char *at = strstr(text, words); at; at = strstr(at + 1, words))
                losses++;
            assert_int_equal(losses, 2 + (course->half < COUNTS)); /* each sentence once */
        }
        free(text);
    }
}

/* Refused numbers of parts are neither fastest nor a threshold. A reason is written once for successive
 * numbers. */
TEST(refused_partitions_have_a_reason)
{
    static const struct course courses[NAMES] = {{0, 0, 0}, {3, 4, 4}, {1, 2, 3}};
    struct distributed items[NAMES * COUNTS];
    struct matrix_case matrix_case = {0};
    make(&matrix_case.distribution, items, courses);
    items[0].status = items[1].status = items[2].status = STATUS_LIMIT; /* all but 16 parts */
    items[0].scaling = items[1].scaling = items[2].scaling = (struct scaling){0};
    strcpy(items[0].refusal.message, "no memory for it");
    strcpy(items[1].refusal.message, "no memory for it");
    strcpy(items[2].refusal.message, "no rows for it");
    for (int c = 0; c < COUNTS; c++) { /* all of them */
        items[2 * COUNTS + c].status = STATUS_USAGE;
        items[2 * COUNTS + c].scaling = (struct scaling){0};
        strcpy(items[2 * COUNTS + c].refusal.message, "no rows for it");
    }
    char *text = document_of(&matrix_case);
    expect(text, true, " natural: a product is fastest with 16 parts, 5 times one process");
    expect(text, true, " natural: with 16 parts exchanging takes longer than computing");
    expect(text, true, " natural: with 16 parts the processes lose more than half of their time");
    expect(text, true, " natural: no memory for it");
    expect(text, true, " natural: no rows for it");
    expect(text, true, " kway: no rows for it");
    expect(text, false, " kway: a product");
    expect(text, false, " kway: with");
    expect(text, false, " kway: computing");
    expect(text, false, " entries: no");
    const char *first = strstr(text, "no memory for it");
    assert_null(strstr(first + 1, "no memory for it"));
    free(text);
}

TEST(what_predictions_are_made_from)
{
    static const struct course courses[NAMES] = {{0, 0, 0}, {3, 4, 4}, {1, 2, 3}};
    for (int seed = 0; seed < 16; seed++) {
        const bool measured = seed & 1, networked = seed & 2, nodes = seed & 4, named = seed & 8;
        struct distributed items[NAMES * COUNTS];
        struct matrix_case matrix_case = {0};
        struct distribution *distribution = &matrix_case.distribution;
        make(distribution, items, courses);
        distribution->measured = measured;
        distribution->networked = networked;
        if (nodes) {
            distribution->network.node = 6;
            distribution->network.near_latency_us = 0.375;
            distribution->network.near_bandwidth_gbs = 87.5;
        }
        if (named) {
            strcpy(distribution->network.name, "cluster-7");
            strcpy(distribution->network.date, "2026-01-31 14:05 UTC");
        }
        char *text = document_of(&matrix_case);
        expect(text, true,
               "Predicted from cpu/csr-omp, which takes one process 1234 us (%s), with messages of 1.25 us "
               "latency and 23.5 GB/s%s.",
               measured ? "measured" : "forecast", networked ? "" : ", both assumed: --network changes them");
        expect(text, nodes,
               "6 processes share a node, and its memory: messages within it take 0.375 us and 87.5 GB/s.");
        expect(text, named, "The network was measured on 2026-01-31 14:05 UTC, kept as cluster-7.");
        expect(text, false, "No predictions");
        free(text);
        distribution->kernel[0] = 0;
        distribution->single_us = NAN;
        for (int k = 0; k < NAMES * COUNTS; k++)
            items[k].scaling = (struct scaling){0};
        text = document_of(&matrix_case);
        expect(text, true, "No predictions: no CPU kernel was run");
        expect(text, false, "Predicted");
        expect(text, false, "fastest");
        expect(text, false, "share a node");
        free(text);
    }
}
