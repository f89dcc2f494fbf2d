/* Every format, with every kind of parameters, stores every matrix and gives it back exactly: in both
 * precisions, with offsets of 32 and 64 bits, and with the same arrays for any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/array.h"
#include "support/support.h"
#include "support/trials.h"

/* Storages of small and of large matrices with more slots than this are planned but not built. */
#define SMALL_SLOTS 300000
#define LARGE_SLOTS 1000000

/* Matrices with more entries are tried in one of the four combinations of precision and offsets. Still larger
 * ones also with only a quarter of the parameters, in turn. */
#define ALL_MAX 3000
#define SOME_MAX 15000

/* The stated sizes of a storage are those of its arrays. */
static void check_size(const struct trial *trial, const struct storage *storage)
{
    struct format_size size = storage_size(storage);
    const struct csr *a = &trial->sample->a;
    size_t bytes = 0, value = (trial->options.precision == PRECISION_F32 ? 4 : 8) * (a->imaginary ? 2u : 1u);
    int64_t integers = 0, slots = 0;
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        bytes += bytes_of(array);
        if (array->role == ROLE_VALUES) {
            slots += array->length;
            if (bytes_of(array) != (size_t)array->length * value) trial_fail(trial, "values of another size");
        } else
            integers += array->length;
        if (array->role == ROLE_POINTERS && array->element != (storage->wide ? ELEMENT_I64 : ELEMENT_I32))
            trial_fail(trial,
                       "%s has offsets of another size: arrays of ROLE_POINTERS are planned by plan_offsets",
                       array->name);
    }
    if (trial->options.wide && !storage->wide) trial_fail(trial, "offsets are not of 64 bits");
    if (size.bytes != bytes || size.integers != integers || size.slots != slots)
        trial_fail(trial, "%zu bytes, %lld integers, %lld slots, not %zu, %lld, %lld", size.bytes,
                   (long long)size.integers, (long long)size.slots, bytes, (long long)integers,
                   (long long)slots);
    int64_t padding = slots + storage->mirrored - csr_nnz(a);
    double dense = (double)a->rows * (double)a->cols * (double)value;
    if (padding < 0 || size.padding != padding) trial_fail(trial, "%lld padding", (long long)size.padding);
    assert_int_equal(size.allocated, bytes + (padding ? (size_t)(storage->slots[0] + 63) / 64 * 8 : 0));
    if (csr_nnz(a) > 0)
        assert_true(size.padding_ratio == (double)slots / (double)csr_nnz(a));
    else
        assert_true(isnan(size.padding_ratio));
    assert_true(dense > 0 ? size.dense_ratio == (double)bytes / dense : isnan(size.dense_ratio));
}

/* The built storage equals its plan. */
static void check_plan(const struct trial *trial, const struct storage *plan, const struct storage *built)
{
    if (plan->count != built->count) trial_fail(trial, "%d arrays planned", plan->count);
    for (int q = 0; q < plan->count; q++) {
        const struct array *p = &plan->array[q], *b = &built->array[q];
        if (p->data || !b->data || p->length != b->length || p->element != b->element || p->part != b->part ||
            p->role != b->role || p->per_slot != b->per_slot || strcmp(p->name, b->name) != 0)
            trial_fail(trial, "%s is not as planned", p->name);
    }
    for (int k = 0; k < PARAMETERS_MAX; k++)
        if (isnan(built->values.number[k])) trial_fail(trial, "parameter %d is not resolved", k);
    assert_memory_equal(plan->slots, built->slots, sizeof plan->slots);
    assert_memory_equal(plan->number, built->number, sizeof plan->number);
    assert_memory_equal(plan->values.number, built->values.number, sizeof plan->values.number);
}

/* One combination, with one to `max` threads. */
static void check_trial(struct trial *trial, int64_t slots, int max)
{
    struct storage plan, first, other;
    if (!trial_plan(trial, &plan)) return;
    check_size(trial, &plan);
    if (storage_slots(&plan) <= slots) {
        trial->threads = 1;
        trial_convert(trial, &first);
        check_plan(trial, &plan, &first);
        check_size(trial, &first);
        trial_round(trial, &first);
        for (trial->threads = 2; trial->threads <= max; trial->threads++) {
            trial_convert(trial, &other);
            const char *difference = storage_difference(&first, &other);
            if (difference) trial_fail(trial, "%s", difference);
            storage_free(&other);
        }
        storage_free(&first);
    }
    storage_free(&plan);
}

static void check_samples(const struct samples *samples, int64_t slots)
{
    struct requests requests = requests_all();
    unsigned turn = 0;
    for (int s = 0; s < samples->count; s++)
        for (int r = 0; r < requests.count; r++) {
            int64_t nnz = csr_nnz(&samples->items[s].a);
            turn++;
            if (nnz > SOME_MAX && requests.items[r].origin != ORIGIN_VARIANT && (turn / 4 + (unsigned)s) % 4)
                continue;
            for (unsigned combination = 0; combination < 4; combination++) {
                struct trial trial = {.sample = &samples->items[s], .request = &requests.items[r]};
                if (nnz > ALL_MAX && combination != turn % 4) continue;
                trial.options.precision = combination & 1 ? PRECISION_F32 : PRECISION_F64;
                trial.options.wide = combination & 2;
                check_trial(&trial, slots, combination == turn % 4 ? 3 : 1);
            }
        }
    requests_free(&requests);
}

static void small_matrices_come_back(void **state)
{
    struct samples samples = samples_small();
    check_samples(&samples, SMALL_SLOTS);
    samples_free(&samples);
}

/* Matrices of many blocks of rows, on which the threads do share the work. */
static void large_matrices_come_back(void **state)
{
    struct samples samples = samples_large();
    check_samples(&samples, LARGE_SLOTS);
    samples_free(&samples);
}

/* Offsets have 64 bits if there are more than 2^31 - 1 slots, even if the matrix has few entries. */
static void offsets_reach_all_slots(void **state)
{
    struct sample sample = {.name = "a full row among short ones"};
    struct requests requests = requests_all();
    const int64_t rows = 5000, cols = 1000000;
    struct csr *a = &sample.a;
    a->rows = rows;
    a->cols = cols;
    a->row_ptr = calloc((size_t)rows + 1, sizeof *a->row_ptr);
    a->col = calloc((size_t)(cols + rows), sizeof *a->col);
    a->val = calloc((size_t)(cols + rows), sizeof *a->val);
    for (int64_t j = 0; j < cols; j++)
        a->col[j] = (int32_t)j;
    for (int64_t i = 1; i <= rows; i++)
        a->row_ptr[i] = cols + i - 1;
    for (int r = 0; r < requests.count; r++) {
        struct trial trial = {.sample = &sample, .request = &requests.items[r], .threads = 2};
        struct storage plan;
        if (!trial_plan(&trial, &plan)) continue;
        check_size(&trial, &plan);
        /* Pointers of formats in blocks are to blocks. */
        for (int q = 0; q < plan.count && plan.slots[0] > INT32_MAX; q++)
            if (plan.array[q].role == ROLE_POINTERS && plan.format->lines != FORMAT_BLOCKS &&
                plan.array[q].element != ELEMENT_I64)
                fail_msg("%s:%s, %s: its offsets need 64 bits for %lld slots: plan them by plan_offsets, or "
                         "with FORMAT_BLOCKS if they count blocks",
                         plan.format->name, requests.items[r].parameters, plan.array[q].name,
                         (long long)plan.slots[0]);
        storage_free(&plan);
    }
    requests_free(&requests);
    csr_free(a);
}

/* The same holds for more than 2^31 - 1 entries. Only offsets of rows exist, so that the formats are only
 * planned. */
static void offsets_reach_all_entries(void **state)
{
    static const char *const names[] = {"csr", "cmrs"};
    int64_t row_ptr[] = {0, 1000000000, 2000000000, 3000000000};
    const struct storing options = {0};
    struct csr a = {.rows = 3, .cols = INT32_MAX, .row_ptr = row_ptr};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (int wide = 0; wide < 2; wide++) {
            struct storage plan;
            row_ptr[3] = wide ? (int64_t)INT32_MAX + 1 : INT32_MAX;
            assert_int_equal(storing_plan(format_find(names[k]), "", &options, &a, NULL, &plan, NULL),
                             STATUS_OK);
            assert_int_equal(plan.wide, wide);
            for (int q = 0; q < plan.count; q++)
                if (plan.array[q].role == ROLE_POINTERS)
                    assert_int_equal(plan.array[q].element, wide ? ELEMENT_I64 : ELEMENT_I32);
            storage_free(&plan);
        }
}

static void the_table_is_complete(void **state)
{
    for (int f = 0; formats[f]; f++) {
        const struct format *format = formats[f];
        assert_ptr_equal(format_find(format->name), format);
        assert_true(format->title[0] && format->summary[0] && format->source[0]);
        assert_true(format->parameters && format->variants && format->variants[0][0] == 0);
        assert_true(parameters_count(format->parameters) <= PARAMETERS_MAX);
        assert_true(format->plan && format->fill && format->validate && format->place && format->locate);
        assert_true(format->touch && format->leads && format->rule);
        assert_int_equal(format->cell != NULL, format->shape != NULL);
        assert_int_equal(format->cell != NULL, format->find != NULL);
        assert_int_equal(format->cell != NULL, format->label != NULL);
        for (const struct parameter *p = format->parameters; p->name; p++)
            assert_true(p->help[0] && p->type != PARAMETER_TEXT &&
                        (parameter_options(p) > 1 || p->min <= p->max));
        /* Rows, columns and lengths of rows are 32-bit integers, and so are all parameters that count them.
         */
        for (const struct parameter *p = format->parameters; p->name; p++)
            if (strcmp(p->name, "seed") != 0 && (fabs(p->min) > INT32_MAX || fabs(p->max) > INT32_MAX))
                fail_msg("%s: %s to %.0f", format->name, p->name, p->max);
    }
    assert_null(format_find("nothing"));
}

static void names_tell_parameters(void **state)
{
    struct csr a = support_matrix(20, 20, 0.2, false, false, 1);
    struct requests requests = requests_all();
    struct sample sample = {.name = "any", .a = a};
    for (int r = 0; r < requests.count; r++) {
        struct trial trial = {.sample = &sample, .request = &requests.items[r]};
        struct storage storage;
        char name[CHOICE_NAME];
        if (!trial_plan(&trial, &storage)) continue;
        const char *colon = strchr(storage_name(&storage, name, sizeof name), ':');
        const char *format = requests.items[r].format->name;
        assert_memory_equal(name, format, strlen(format));
        /* The written name has the requested parameters, and can be requested again. */
        struct parameter_values values;
        assert_int_equal(parameters_read(format, requests.items[r].format->parameters, colon ? colon + 1 : "",
                                         &values, NULL),
                         STATUS_OK);
        assert_memory_equal(values.number, storage.values.number, sizeof values.number);
        parameters_free(&values);
        storage_free(&storage);
    }
    requests_free(&requests);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_complete),    cmocka_unit_test(names_tell_parameters),
        cmocka_unit_test(offsets_reach_all_slots),  cmocka_unit_test(offsets_reach_all_entries),
        cmocka_unit_test(small_matrices_come_back), cmocka_unit_test(large_matrices_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
