/* Cases whose entries are not in memory: their known numbers are shown, and analyses of entries fail with the
 * reason. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "columns/columns.h"
#include "session/advice.h"
#include "session/session.h"
#include "session/tune.h"
#include "support/support.h"
#include "support/unit.h"

static const char why[] = "The entries are elsewhere.", remedy[] = "A larger machine has them.";

/* A session that knows of the matrix `a` its size, its lengths and its pattern. */
static struct matrix_case *start(struct session *session, const struct csr *a, enum field field)
{
    struct matrix matrix = {.name = memory_string("far", NULL), .path = memory_string("far.mtx", NULL)};
    struct absence absence = {memory_string(why, NULL), memory_string(remedy, NULL)};
    int64_t *offsets = memory_array((size_t)a->rows + 1, sizeof *offsets, NULL);
    assert_non_null(offsets);
    memcpy(offsets, a->row_ptr, ((size_t)a->rows + 1) * sizeof *offsets);
    matrix.csr.rows = a->rows;
    matrix.csr.cols = a->cols;
    matrix.field = field;
    struct matrix_case *known = session_start_known(session, 0, &matrix, csr_nnz(a), &absence);
    assert_null(matrix.name);
    assert_null(absence.why);
    assert_int_equal(lengths_of_rows(a, NULL, &known->row_lengths, NULL), STATUS_OK);
    assert_int_equal(spans_own(offsets, a->rows, &known->row_spans, NULL), STATUS_OK);
    assert_int_equal(pyramid_build(a, NULL, &known->pyramid, NULL), STATUS_OK);
    case_know(known, SESSION_ROW_LENGTHS | SESSION_PYRAMID);
    return known;
}

static struct value value_of(const char *key, const struct matrix_case *of)
{
    const struct column *column = column_find(key);
    assert_non_null(column);
    return column_value(column, of);
}

TEST(known_numbers_are_there)
{
    FREED(csr_free) struct csr a = support_matrix(60, 50, 0.1, true, false, 3);
    struct session session;
    const struct matrix_case *known = start(&session, &a, FIELD_REAL);
    assert_ptr_equal(session.shown, known);
    assert_false(case_has_entries(known));
    assert_int_equal(case_nnz(known), csr_nnz(&a));
    assert_false(case_is_complex(known));
    assert_int_equal(value_of("nnz", known).integer, csr_nnz(&a));
    assert_true(value_of("density", known).real == (double)csr_nnz(&a) / 3000);
    assert_int_equal(value_of("row_lengths.max", known).integer, known->row_lengths.max);
    assert_int_equal(value_of("col_lengths.max", known).type, VALUE_NULL);
    assert_int_equal(value_of("structure.profile", known).type, VALUE_NULL);
    assert_int_equal(
        session_need(&session, NULL, SESSION_ROW_LENGTHS | SESSION_PYRAMID | SESSION_SIZES, NULL, NULL),
        STATUS_OK);
    session_free(&session);
    const struct matrix_case *complex = start(&session, &a, FIELD_COMPLEX);
    assert_true(case_is_complex(complex));
    assert_string_equal(case_value_name(complex, PRECISION_F32), "c32");
    session_free(&session);
}

/* A case with entries counts them itself. */
TEST(a_case_with_entries_counts_them)
{
    FREED(session_free) struct session session;
    struct load_options options = {0};
    assert_int_equal(session_load(&session, "gen:laplace2d,n=3", &options, NULL, NULL), STATUS_OK);
    assert_true(case_has_entries(session.shown));
    assert_int_equal(case_nnz(session.shown), 33);
    assert_int_equal(case_want_entries(session.shown, NULL), STATUS_OK);
}

static void assert_refused(enum status status, struct error *error)
{
    assert_int_equal(status, STATUS_USAGE);
    assert_int_equal(error->status, STATUS_USAGE);
    assert_says(error->message, why, remedy);
    *error = (struct error){0};
}

TEST(analyses_of_entries_are_refused)
{
    static const unsigned parts[] = {SESSION_COL_LENGTHS, SESSION_STRUCTURE,
                                     SESSION_VALUES,      SESSION_COL_PTR,
                                     SESSION_TILES,       SESSION_COMPONENTS,
                                     SESSION_BLOCKS,      SESSION_FILL,
                                     SESSION_SOLVES,      SESSION_QR,
                                     SESSION_PRECISIONS,  SESSION_SPGEMM,
                                     SESSION_ENTRIES,     SESSION_ROW_LENGTHS | SESSION_STRUCTURE};
    FREED(csr_free) struct csr a = support_matrix(60, 50, 0.1, true, false, 3);
    FREED(session_free) struct session session;
    struct error error = {0};
    struct matrix_case *known = start(&session, &a, FIELD_REAL);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        assert_refused(session_need(&session, NULL, parts[k], NULL, &error), &error);
    struct results results = {0};
    struct kernel_list list = {0};
    const struct bench_options options = {.repeat = 1};
    const struct tune_options tune = {.timing = &options};
    assert_int_equal(kernel_list_add(&list, "cpu/csr-seq", NULL), STATUS_OK);
    assert_int_equal(results_want(&results, &list.choices[0], NULL), STATUS_OK);
    assert_refused(session_run(&session, NULL, NULL, &results, &options, 0, NULL, &error), &error);
    assert_refused(session_foresee(&session, NULL, &results, (struct product){0}, 0, NULL, NULL, &error),
                   &error);
    assert_refused(session_tune(&session, known, &results, &tune, NULL, &error), &error);
    results_free(&results);
    kernel_list_free(&list);
    struct order_choice choice;
    struct reorder reorder;
    assert_int_equal(order_choice_read("rcm", &choice, NULL), STATUS_OK);
    assert_refused(reorder_begin(&session, &choice, &reorder, &error), &error);
    reorder_free(&reorder);
    order_choice_free(&choice);
    for (int p = 0; p < 2; p++)
        assert_int_equal(session_foresight(&session, known, &known->foresight[p], NULL, NULL), STATUS_OK);
    FREED(advices_free) struct advices advices;
    assert_int_equal(
        session_advise(&session, known, advice_question_of(known, PRECISION_F64), &advices, NULL), STATUS_OK);
    assert_false(advices.items[ADVICE_CPU].there);
}

/* Sizes are given; formats without a given size can neither be planned nor built. */
TEST(sizes_of_formats_are_known_or_refused)
{
    FREED(csr_free) struct csr a = support_matrix(60, 50, 0.1, true, false, 3);
    FREED(session_free) struct session session;
    struct conversions *conversions = &start(&session, &a, FIELD_COMPLEX)->conversions;
    const struct format_choice csr = format_choice_default(format_find("csr"), PRECISION_F64),
                               ell = format_choice_default(format_find("ell"), PRECISION_F64),
                               coo = format_choice_default(format_find("coo"), PRECISION_F64);
    const struct error refusal = {.status = STATUS_LIMIT, .message = "too large"};
    const struct known_conversion sized = {.resolved = csr,
                                           .sized = true,
                                           .size = {.bytes = 1234, .slots = 77},
                                           .criteria = criteria_unknown(),
                                           .seconds = 0.5},
                                  refused = {.resolved = ell, .seconds = NAN, .refusal = &refusal};
    assert_int_equal(conversions_know(conversions, &csr, true, &sized, NULL), STATUS_OK);
    assert_int_equal(conversions_know(conversions, &ell, true, &refused, NULL), STATUS_OK);
    memory_fail_after(0);
    assert_int_equal(conversions_know(conversions, &coo, true, &sized, NULL), STATUS_MEMORY);
    memory_fail_after(-1);
    struct conversion *item = conversions_find(conversions, &csr);
    assert_int_equal(conversion_state(item), CONVERSION_PLANNED);
    assert_int_equal(item->size.bytes, 1234);
    assert_true(item->complex);
    item->keep = true;
    assert_int_equal(conversion_build(item, 0, NULL, NULL), STATUS_OK);
    assert_int_equal(conversion_state(item), CONVERSION_PLANNED);
    assert_null(item->storage);
    item = conversions_find(conversions, &ell);
    assert_int_equal(conversion_state(item), CONVERSION_REFUSED);
    assert_string_equal(item->refusal.message, "too large");
    for (int build = 0; build < 2; build++) {
        const struct format_choice other =
            format_choice_default(format_find(build ? "jds" : "dia"), PRECISION_F64);
        item = conversions_want(conversions, &other, NULL);
        assert_non_null(item);
        assert_int_equal((build ? conversion_build : conversion_plan)(item, 0, NULL, NULL), STATUS_OK);
        assert_int_equal(conversion_state(item), CONVERSION_REFUSED);
        assert_false(atomic_load(&item->sized));
    }
}
