/* No format reads or writes an element beyond its arrays, or one that nobody has set: blocks of memory have
 * pages without access behind or before them (support/guard.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/threads.h"
#include "support/allocations.h"
#include "support/guard.h"
#include "support/trials.h"

/* Matrices with more entries are tried in the variants that reports show; still larger ones are left out. */
#define ALL_MAX 200
#define SOME_MAX 2000

/* Questions are asked about all elements of shorter arrays. */
#define ELEMENTS_MAX 3000

static void ask_about_elements(const struct storage *storage, const struct csr *a)
{
    const struct format *format = storage->format;
    for (int q = 0; q < storage->count; q++)
        for (int64_t e = 0; e < storage->array[q].length && e < ELEMENTS_MAX; e++) {
            struct text text = {0};
            if (!storage->array[q].per_slot) format->leads(storage, q, e);
            if (e > 0) format->rule(storage, q, e);
            if (format->explain) format->explain(storage, q, e, &text);
            text_free(&text);
        }
    for (int part = 0; part < STORAGE_PARTS; part++)
        for (int64_t e = 0; e < storage->slots[part] && e < ELEMENTS_MAX; e++) {
            format->place(storage, part, e);
            storage_padding(storage, part, e);
        }
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            const struct spot spot = storage_spot(storage, a, (struct place){i, a->col[k]}, k);
            for (int q = 0; q < storage->count; q++)
                if (!storage->array[q].per_slot) format->touch(storage, q, &spot);
        }
}

static void ask_about_picture(const struct storage *storage)
{
    const struct format *format = storage->format;
    if (!format->shape) return;
    const struct shape shape = format->shape(storage);
    for (int64_t line = 0; line < shape.lines; line++) {
        format->label(storage, line);
        for (int64_t c = 0; c < shape.wide && (line + 1) * shape.wide < ELEMENTS_MAX; c++)
            format->cell(storage, line, c);
    }
}

static void try_request(const struct sample *sample, const struct wanted *request, unsigned turn)
{
    struct trial trial = {.sample = sample, .request = request, .threads = turn % 3 ? 1 : 3};
    struct storage storage;
    trial.options.precision = turn & 1 ? PRECISION_F32 : PRECISION_F64;
    trial.options.wide = turn & 2;
    if (!trial_plan(&trial, &storage)) return;
    const bool small = storage_slots(&storage) <= 100 * SOME_MAX;
    storage_free(&storage);
    if (!small) return;
    trial_convert(&trial, &storage);
    trial_round(&trial, &storage);
    ask_about_elements(&storage, &sample->a);
    ask_about_picture(&storage);
    storage_free(&storage);
}

/* Try every request of `step`. */
static void stay_within(enum guard guard, unsigned step)
{
    unsigned turn = 0;
    guard_blocks(guard);
    allocations_begin();
    struct samples samples = samples_small();
    struct requests requests = requests_all();
    for (int s = 0; s < samples.count; s++)
        for (int r = 0; r < requests.count; r++) {
            const int64_t nnz = csr_nnz(&samples.items[s].a);
            const bool shown = requests.items[r].origin == ORIGIN_VARIANT;
            if (nnz > (shown ? SOME_MAX : ALL_MAX) || turn++ % step) continue;
            try_request(&samples.items[s], &requests.items[r], turn / step);
        }
    requests_free(&requests);
    samples_free(&samples);
    threads_set(0);
    guard_blocks(GUARD_NONE);
    assert_true(turn > 1000);
    assert_int_equal(allocations_now().guarded, 0);
}

static void no_format_reaches_beyond_its_arrays(void **state)
{
    stay_within(GUARD_BEHIND, 2);
}

static void no_format_reaches_before_its_arrays(void **state)
{
    stay_within(GUARD_BEFORE, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_format_reaches_beyond_its_arrays),
        cmocka_unit_test(no_format_reaches_before_its_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
