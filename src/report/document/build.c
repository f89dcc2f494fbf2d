#include "report/document/build.h"

#include <string.h>

#include "matrix/files/reader.h"
#include "report/origin.h"
#include "report/report.h"
#include "report/sections.h"
#include "session/portrait.h"

/* Add the numbers of a part, one on each line. Texts, such as names of files, belong to the title. */
static void add_numbers(struct document *document, const struct matrix_case *matrix_case,
                        const struct column_part *part)
{
    struct numbers numbers = {.abreast = 1};
    for (const struct column *column = column_first(columns, part); column; column = column_next(column))
        numbers.count += column->type != VALUE_TEXT;
    numbers.items = document_array(document, numbers.count, sizeof *numbers.items);
    if (!numbers.items) return;
    struct number *item = numbers.items;
    for (const struct column *column = column_first(columns, part); column; column = column_next(column))
        if (column->type != VALUE_TEXT)
            *item++ = (struct number){column, {column_value(column, matrix_case)}};
    document_section(document, "%s", part->title);
    document_add(document, (struct block){.kind = BLOCK_NUMBERS, .numbers = numbers});
}

/* Add the sentences on the peculiarities of the matrix. A saved report has these already. */
static void add_portrait(struct document *document, const struct session *session,
                         const struct matrix_case *matrix_case)
{
    struct text words = {0};
    const json_t *said = document->from ? json_object_get(document->from->matrix, "portrait") : NULL;
    struct portrait portrait = {.count = 0};
    if (!document->from) portrait_make(session, matrix_case, &portrait);
    for (int k = 0; k < portrait.count; k++)
        text_append(&words, "%s%s", k ? " " : "", portrait.sentence[k]);
    for (size_t k = 0; k < json_array_size(said); k++) {
        const char *sentence = json_string_value(json_array_get(said, k));
        text_append(&words, "%s%s", k ? " " : "", sentence ? sentence : "");
    }
    if (words.length) {
        text_visible(words.data);
        document_section(document, "Peculiarities");
        document_add(document, (struct block){.kind = BLOCK_PARAGRAPH,
                                              .words = document_words(document, "%s", words.data)});
    }
    document->failed = document->failed || words.failed;
    text_free(&words);
}

/* Add the number of ranks, if the matrix is distributed, and their shares of it. */
static void add_ranks(struct document *document, const struct matrix_case *matrix_case)
{
    struct numbers numbers = {.abreast = 1};
    const struct subject subject = {.matrix_case = matrix_case};
    if (!part_applies(&part_ranks, &subject)) return;
    for (const struct column *column = rank_columns; column->key; column++)
        numbers.count++;
    numbers.items = document_array(document, numbers.count, sizeof *numbers.items);
    if (!numbers.items) return;
    for (int k = 0; k < numbers.count; k++)
        numbers.items[k] = (struct number){&rank_columns[k], {column_get(&rank_columns[k], &subject)}};
    document_section(document, "%s", part_ranks.title);
    document_add(document, (struct block){.kind = BLOCK_NUMBERS, .numbers = numbers});
}

/* A note for each line of the matrix's notes. */
static void add_notes(struct document *document, const struct matrix *matrix)
{
    for (const char *line = matrix->notes.data; line && *line;) {
        int length = (int)strcspn(line, "\n");
        document_note(document, MARK_NONE, "%.*s", length, line);
        line += length + (line[length] == '\n');
    }
}

/* Two parts that have the same kinds of numbers are shown side by side. */
static void add_pair(struct document *document, const struct matrix_case *matrix_case, const char *title,
                     const struct column_part *const parts[2], const char *const heads[2])
{
    struct numbers numbers = {.heads = {heads[0], heads[1]}, .abreast = 2};
    const struct column *left = column_first(columns, parts[0]), *right = column_first(columns, parts[1]);
    for (const struct column *column = left; column; column = column_next(column))
        numbers.count++;
    numbers.items = document_array(document, numbers.count, sizeof *numbers.items);
    if (!numbers.items) return;
    for (struct number *item = numbers.items; left; left = column_next(left), right = column_next(right))
        *item++ = (struct number){left, {column_value(left, matrix_case), column_value(right, matrix_case)}};
    document_section(document, "%s", title);
    document_add(document, (struct block){.kind = BLOCK_NUMBERS, .numbers = numbers});
}

static void add_lengths(struct document *document, const struct matrix_case *matrix_case)
{
    add_pair(document, matrix_case, "Lengths",
             (const struct column_part *[]){&part_row_lengths, &part_col_lengths},
             (const char *[]){"rows", "columns"});
}

static void add_histogram(struct document *document, const struct lengths *lengths)
{
    struct chart chart = {
        .label = "row length", .counted = "rows", .name = range_name, .total = lengths->lines};
    if (lengths->lines == 0) return;
    chart.ranges = document_array(document, RANGES_MAX, sizeof *chart.ranges);
    if (!chart.ranges) return;
    chart.count = ranges_of(lengths, chart.ranges);
    document_add(document, (struct block){.kind = BLOCK_CHART, .chart = chart});
}

/* The numbers of the values, and the histogram of their sizes. */
static void add_values(struct document *document, const struct matrix_case *matrix_case)
{
    struct chart chart = {.label = "magnitude from",
                          .counted = "entries",
                          .name = value_range_name,
                          .total = case_nnz(matrix_case)};
    if (!part_applies(&part_values, &(struct subject){.matrix_case = matrix_case})) return;
    add_numbers(document, matrix_case, &part_values);
    chart.ranges = document_array(document, VALUE_RANGES, sizeof *chart.ranges);
    if (!chart.ranges) return;
    chart.count = ranges_of_values(&matrix_case->values, chart.ranges);
    if (chart.count) document_add(document, (struct block){.kind = BLOCK_CHART, .chart = chart});
}

/* The requested arrays, or the reason why there are none. */
static void add_arrays(struct document *document, const struct matrix_case *matrix_case)
{
    const struct conversion *conversion;
    for (int k = 0; (conversion = report_shown(matrix_case, &k));) {
        document_section(document, "Arrays of %s, %s", conversion->name,
                         case_value_name(matrix_case, conversion->choice.precision));
        if (conversion_state(conversion) == CONVERSION_BUILT)
            document_add(document, (struct block){.kind = BLOCK_ARRAYS, .storage = conversion->storage});
        else
            document_add(document, (struct block){
                                       .kind = BLOCK_PARAGRAPH,
                                       .words = document_words(document, "%s", conversion->refusal.message)});
    }
}

/* Note the format of the file, unless it is a Matrix Market file without a name for the matrix, as most are;
 * and its metadata. */
static void add_about(struct document *document, const struct matrix *matrix)
{
    const struct about *about = &matrix->about;
    const char *text, *name;
    bool named = matrix->variable && matrix->variable[0];
    if (matrix->format && matrix->format != readers[0]->title && strncmp(matrix->path, "gen:", 4) != 0)
        document_note(document, MARK_NONE, "Read as %s%s%s", matrix->format, named ? ", variable " : "",
                      named ? matrix->variable : "");
    for (int k = 0; (text = about_text(about, k, &name)); k++)
        if (text[0]) document_note(document, MARK_NONE, "Its %s, as the file says: %s", name, text);
    if (about->notes[0]) document_note(document, MARK_NONE, "Its notes, as the file says:");
    for (const char *line = about->notes; *line;) {
        int length = (int)strcspn(line, "\n");
        if (length) document_note(document, MARK_NONE, "%.*s", length, line);
        line += length + (line[length] == '\n');
    }
}

/* Return "12%", or "no". */
static const char *format_fill(char *out, size_t size, double fill)
{
    if (fill > 0) return format_rough(out, size, fill);
    snprintf(out, size, "no");
    return out;
}

/* Add the numbers of blocks, which were costly to compute, and a sentence on them. The peculiarities have no
 * such sentence if the blocks are not nearly full. */
static void add_dense_blocks(struct document *document, const struct matrix_case *matrix_case)
{
    const struct dense_blocks *blocks = &matrix_case->dense_blocks;
    char fill[32], mean[32];
    if (!case_has(matrix_case, SESSION_DENSE_BLOCKS | SESSION_BLOCKS)) return;
    add_numbers(document, matrix_case, &part_dense_blocks);
    if (blocks->rows * blocks->cols > 1)
        document_note(document, MARK_NONE, "%d x %d blocks, %s fill", (int)blocks->rows, (int)blocks->cols,
                      format_fill(fill, sizeof fill, blocks->fill));
    else
        document_note(document, MARK_NONE, "No blocks of one size save bytes.");
    if (blocks->mean_similar_group > 1)
        document_note(document, MARK_NONE, "Similar rows: groups of %s rows on average, %s fill",
                      format_digits(mean, sizeof mean, blocks->mean_similar_group, 3),
                      format_fill(fill, sizeof fill, blocks->similar_fill));
}

/* Add the fill of a Cholesky factor, or the reason why it is missing. */
static void add_fill(struct document *document, const struct matrix_case *matrix_case)
{
    if (!case_has(matrix_case, SESSION_FILL)) return;
    if (case_is_symmetrically_ordered(matrix_case)) {
        add_numbers(document, matrix_case, &part_cholesky);
        return;
    }
    document_section(document, "%s", part_cholesky.title);
    document_note(document, MARK_NONE,
                  "none: this order permutes rows and columns differently, so A + A^T is meaningless. The "
                  "natural order has the numbers.");
}

/* Add levels and colours, and the numbers of dependent steps that follow. If rows are sorted by colour, a row
 * depends only on rows of earlier colours. So there are at most as many steps as colours. */
static void add_solves(struct document *document, const struct matrix_case *matrix_case)
{
    const struct solves *solves = &matrix_case->solves;
    char steps[32], colours[32], each[32];
    if (!case_has(matrix_case, SESSION_SOLVES)) return;
    add_pair(document, matrix_case, "Triangular solves",
             (const struct column_part *[]){&part_lower_triangle, &part_upper_triangle},
             (const char *[]){"lower", "upper"});
    add_numbers(document, matrix_case, &part_colours);
    if (solves->lower.count == 0) return;
    const double mean = (double)matrix_case->matrix.csr.rows / (double)solves->lower.count;
    document_note(
        document, MARK_NONE,
        "A solve with the lower triangle takes %s dependent steps of %s rows on average; in the order "
        "colours, at most %s steps.",
        format_count(steps, sizeof steps, solves->lower.count), format_digits(each, sizeof each, mean, 3),
        format_count(colours, sizeof colours, solves->natural.count));
}

/* Add the words of a saved report's advice on a machine. */
static void add_saved_advice(struct document *document, const json_t *advice)
{
    static const char *const keys[] = {"verdict", "reason", "change"};
    const char *call = json_string_value(json_object_get(advice, "call"));
    struct text words = {0};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const char *said = json_string_value(json_object_get(advice, keys[k]));
        if (said && said[0]) text_append(&words, "%s%s", words.length ? " " : "", said);
    }
    if (words.length)
        document_add(document, (struct block){.kind = BLOCK_PARAGRAPH,
                                              .words = document_words(document, "%s", words.data)});
    if (call && call[0]) document_add(document, (struct block){.kind = BLOCK_PARAGRAPH, .words = call});
    document->failed = document->failed || words.failed;
    text_free(&words);
}

/* Advice of a saved report is for the machine that wrote it, so this adds it unchanged. */
static void add_origin(struct document *document)
{
    static const char *const precisions[] = {"f64", "f32", "c64", "c32"};
    const struct document_from *from = document->from;
    const json_t *advice = json_object_get(from->matrix, "advice");
    if (from->origin)
        origin_section(from->origin, "Saved report", document);
    else
        document_section(document, "Saved report");
    document_note(document, MARK_NONE, "file: %s", from->path);
    for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++) {
        const json_t *places = json_object_get(advice, precisions[p]);
        const json_t *cpu = json_object_get(places, "cpu"), *gpu = json_object_get(places, "gpu");
        if (!json_is_object(cpu) && !json_is_object(gpu)) continue;
        document_section(document, "Advice, %s", precisions[p]);
        add_saved_advice(document, cpu);
        add_saved_advice(document, gpu);
        document_note(document, MARK_NONE, "This processor is that of the saved report.");
    }
}

void document_build(struct document *document, const struct session *session,
                    const struct matrix_case *matrix_case)
{
    const struct matrix *matrix = &matrix_case->matrix;
    const struct cost begun = cost_begin();
    char rows[32], cols[32];
    bool reordered = strcmp(matrix_case->order, "natural") != 0;
    document->title = matrix->name;
    document->summary =
        document_words(document, "%s x %s, %s %s%s%s%s", format_count(rows, sizeof rows, matrix->csr.rows),
                       format_count(cols, sizeof cols, matrix->csr.cols), field_name(matrix->field),
                       symmetry_name(matrix->symmetry), matrix->transposed ? ", transposed" : "",
                       reordered ? ", in the order " : "", reordered ? matrix_case->order : "");
    document->source = matrix->path;
    add_portrait(document, session, matrix_case);
    add_numbers(document, matrix_case, &part_matrix);
    add_about(document, matrix);
    add_notes(document, matrix);
    add_ranks(document, matrix_case);
    const unsigned only = session->only;
    if (sections_have(only, SECTION_STRUCTURE)) add_numbers(document, matrix_case, &part_structure);
    add_dense_blocks(document, matrix_case);
    if (case_has(matrix_case, SESSION_BLOCKS)) add_numbers(document, matrix_case, &part_blocks);
    add_fill(document, matrix_case);
    if (case_has(matrix_case, SESSION_QR)) add_numbers(document, matrix_case, &part_qr);
    add_solves(document, matrix_case);
    if (sections_have(only, SECTION_LENGTHS)) add_lengths(document, matrix_case);
    if (sections_have(only, SECTION_LENGTHS)) add_histogram(document, &matrix_case->row_lengths);
    if (sections_have(only, SECTION_VALUES)) add_values(document, matrix_case);
    document_rounding(document, matrix_case);
    document_spgemm(document, matrix_case);
    if (sections_have(only, SECTION_FORMATS) || atomic_load(&matrix_case->conversions.count) > 0)
        document_formats(document, session, matrix_case);
    document_kernels(document, session, matrix_case);
    document_solves(document, session, matrix_case);
    document_trisolve(document, matrix_case);
    document_parts(document, matrix_case);
    document_orders(document, session, matrix_case);
    add_arrays(document, matrix_case);
    if (document->from)
        add_origin(document);
    else if (sections_have(only, SECTION_ADVICE))
        document_advice(document, session, matrix_case);
    document_costs(document, session, matrix_case, &begun);
}
