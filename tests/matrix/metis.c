/* matrix/files/graph: METIS graphs of many blocks of text, with all that a line may have, against arrays made
 * beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/threads.h"
#include "matrix/files/reader.h"
#include "matrix/matrix.h"
#include "support/chance.h"
#include "support/cmocka.h"
#include "support/files.h"

#define VERTICES 4000
#define DEGREE_MAX 60

/* The contents of a line of a graph, by the third and fourth number of its header. */
static const struct layout {
    const char *format;
    int before; /* numbers before the neighbours */
    bool weights;
    bool ascending;
    bool comments;
    const char *separator, *end;
} layouts[] = {
    {"", 0, false, true, false, " ", "\n"},      {" 0", 0, false, false, true, " ", "\n"},
    {" 001", 0, true, true, true, "\t ", "\n"},  {" 010", 1, false, false, false, " ", "\r\n"},
    {" 111 2", 3, true, false, true, ",", "\n"}, {" 100", 1, false, true, false, "; ", " \n"},
};

/* The graph as rows; the same neighbour may come twice. */
struct graph {
    int count[VERTICES];
    int neighbour[VERTICES][DEGREE_MAX], weight[VERTICES][DEGREE_MAX];
};

static uint64_t chance(void)
{
    static uint64_t state = CHANCE_SEED;
    return chance_next(&state);
}

/* Ascending neighbours, of which some weights are 0; on request, two of them are swapped, or are the same. */
static void make_graph(struct graph *graph, const struct layout *layout, int64_t *stored)
{
    *stored = 0;
    for (int i = 0; i < VERTICES; i++) {
        int count = i % 7 == 3 ? 0 : (int)(chance() % DEGREE_MAX), at = (int)(chance() % 50);
        if (i == VERTICES - 1) count = (int)(*stored % 2); /* a graph has each edge at both ends */
        for (int k = 0; k < count; k++) {
            graph->neighbour[i][k] = at;
            graph->weight[i][k] = layout->weights ? (int)(chance() % 5) : 1;
            at += 1 + (int)(chance() % 60);
        }
        if (!layout->ascending && count > 5 && i % 3 == 0) {
            int kept = graph->neighbour[i][2];
            graph->neighbour[i][2] = graph->neighbour[i][4];
            if (i % 2 == 0) graph->neighbour[i][4] = kept;
        }
        graph->count[i] = count;
        *stored += count;
    }
}

static void write_graph(const char *path, const struct graph *graph, const struct layout *layout,
                        int64_t stored)
{
    struct text text = {0};
    text_append(&text, "%% a comment\n%d %d%s\n", VERTICES, (int)(stored / 2), layout->format);
    for (int i = 0; i < VERTICES; i++) {
        if (layout->comments && i % 900 == 5) text_append(&text, " %% 1 2 3, and more of it\n");
        for (int k = 0; k < layout->before; k++)
            text_append(&text, "%d%s", 7 * k, layout->separator);
        for (int k = 0; k < graph->count[i]; k++) {
            text_append(&text, "%d%s", graph->neighbour[i][k] + 1, layout->separator);
            if (layout->weights)
                text_append(&text, "%d%s%s", graph->weight[i][k], i % 11 ? "" : ".0e0", layout->separator);
        }
        text_append(&text, "%s", layout->end);
    }
    text_append(&text, "\n \n%% the end");
    assert_false(text.failed);
    files_write(path, text.data, text.length);
    text_free(&text);
}

/* Compare a row with the neighbours, summed at each position. */
static void expect_row(const struct csr *a, int i, const struct graph *graph)
{
    static int sum[VERTICES], times[VERTICES];
    int places = 0;
    memset(sum, 0, sizeof sum);
    memset(times, 0, sizeof times);
    for (int k = 0; k < graph->count[i]; k++) {
        places += times[graph->neighbour[i][k]]++ == 0;
        sum[graph->neighbour[i][k]] += graph->weight[i][k];
    }
    assert_int_equal(a->row_ptr[i + 1] - a->row_ptr[i], places);
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
        if (k > a->row_ptr[i]) assert_true(a->col[k] > a->col[k - 1]);
        assert_true(times[a->col[k]] > 0);
        assert_true(a->val[k] == sum[a->col[k]]);
    }
}

static void graphs_of_many_blocks_are_read(void **state)
{
    static struct graph graph;
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++) {
        int64_t stored, zeros = 0;
        make_graph(&graph, &layouts[l], &stored);
        write_graph("a.graph", &graph, &layouts[l], stored);
        for (int threads = 1; threads <= 3; threads += 2) {
            struct matrix matrix;
            struct error error = {0};
            const struct load_options options = {.from = reader_find("metis", NULL)};
            threads_set(threads);
            if (matrix_load("a.graph", &options, NULL, &matrix, &error) != STATUS_OK)
                fail_msg("layout %d: %s", (int)l, error.message);
            assert_int_equal(matrix.csr.rows, VERTICES);
            assert_int_equal(matrix.stored, stored);
            assert_int_equal(matrix.duplicates, stored - csr_nnz(&matrix.csr));
            for (int i = 0; i < VERTICES; i++)
                expect_row(&matrix.csr, i, &graph);
            zeros = csr_count_zeros(&matrix.csr);
            assert_int_equal(matrix.explicit_zeros, zeros);
            matrix_free(&matrix);
        }
        threads_set(0);
        assert_true((zeros > 0) == layouts[l].weights);
    }
}

/* A neighbour that comes twice, the second time right behind the first, is one entry with both weights. */
static void neighbours_that_come_twice_are_one(void **state)
{
    static const char text[] = "2 2 1\n2 3 2 4\n1 3 1 -3\n";
    struct matrix matrix;
    struct error error = {0};
    const struct load_options options = {.from = reader_find("metis", NULL)};
    files_write("twice.graph", text, sizeof text - 1);
    assert_int_equal(matrix_load("twice.graph", &options, NULL, &matrix, &error), STATUS_OK);
    assert_int_equal(csr_nnz(&matrix.csr), 2);
    assert_int_equal(matrix.duplicates, 2);
    assert_true(matrix.csr.val[0] == 7 && matrix.csr.val[1] == 0);
    assert_int_equal(matrix.explicit_zeros, 1);
    matrix_free(&matrix);
}

/* A block's number of neighbours is its count of numbers, less one weight per line. If lines lack the weight,
 * that is less than the neighbours of a single line. */
static void lines_without_weights_are_refused(void **state)
{
    struct text text = {0};
    struct matrix matrix;
    struct error error = {0};
    const struct load_options options = {.from = reader_find("metis", NULL)};
    text_append(&text, "%d %d 011\n9", VERTICES, VERTICES / 2);
    for (int k = 1; k < VERTICES; k++)
        text_append(&text, " %d 1", k + 1);
    for (int k = 0; k < VERTICES; k++)
        text_append(&text, "\n");
    files_write("short.graph", text.data, text.length);
    text_free(&text);
    assert_int_equal(matrix_load("short.graph", &options, NULL, &matrix, &error), STATUS_INPUT);
    assert_int_equal(error.line, 3);
    assert_non_null(strstr(error.message, "a number is expected, which is the weight or size of the vertex"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_of_many_blocks_are_read),
        cmocka_unit_test(neighbours_that_come_twice_are_one),
        cmocka_unit_test(lines_without_weights_are_refused),
    };
    return cmocka_run_group_tests(tests, files_begin, files_end);
}
