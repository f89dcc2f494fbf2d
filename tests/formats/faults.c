/* Formats when something goes wrong: refused for their size, cancelled, without memory, with damaged arrays.
 * Linked so that allocations are counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "formats/array.h"
#include "support/allocations.h"
#include "support/support.h"
#include "support/trials.h"

/* Matrices with more slots are not converted here. */
#define SLOTS_MAX 4000000

/* Bytes that planning may take for itself: some for each row and column. */
static size_t plan_room(const struct csr *a)
{
    return 4096 + 64 * (size_t)(a->rows + a->cols);
}

/* A matrix with rows of all lengths, zeros among its values. */
static struct sample usual_sample(void)
{
    struct sample sample = {.name = "usual", .a = support_matrix(90, 70, 0.1, true, false, 11)};
    return sample;
}

/* The memory of allocators and messages beside the counted bytes. */
#define ROUNDING 8192

/* Convert within a limit; more than that is never allocated at once. */
static enum status convert_within(const struct trial *trial, struct storage *storage, struct error *error)
{
    long long limit = (long long)trial->options.limit;
    *error = (struct error){0};
    allocations_begin();
    enum status status = storing_convert(trial->request->format, trial->request->parameters, &trial->options,
                                         &trial->sample->a, NULL, storage, error);
    if (allocations_now().peak > limit + ROUNDING)
        trial_fail(trial, "%lld bytes were allocated, with a limit of %lld", allocations_now().peak, limit);
    return status;
}

static void check_limit(struct trial *trial)
{
    struct storage plan, storage;
    struct error error;
    char limit[32];
    if (!trial_plan(trial, &plan)) return;
    size_t peak = storage_size(&plan).peak;
    trial->options.limit = peak - 1;
    allocations_begin();
    trial_refuse(trial, &plan);
    if ((size_t)allocations_now().peak > plan_room(&trial->sample->a))
        trial_fail(trial, "refused after allocating %lld bytes", allocations_now().peak);
    trial->options.limit = peak;
    if (convert_within(trial, &storage, &error) != STATUS_OK) trial_fail(trial, "%s", error.message);
    storage_free(&storage);
    for (trial->options.limit = peak / 2; trial->options.limit > 16; trial->options.limit /= 2) {
        if (convert_within(trial, &storage, &error) != STATUS_LIMIT)
            trial_fail(trial, "with %zu of %zu bytes: '%s'", trial->options.limit, peak, error.message);
        format_bytes(limit, sizeof limit, (double)trial->options.limit);
        if (!strstr(error.message, limit)) trial_fail(trial, "'%s' lacks %s", error.message, limit);
        storage_free(&storage);
    }
    storage_free(&plan);
}

/* With one byte less than needed, a storage is refused before any large allocation, with a complete message.
 * With the needed bytes it is built. Allocations never exceed the limit, also for matrices with many more
 * rows or columns than entries. */
static void the_limit_is_kept(void **state)
{
    struct sample samples[] = {{.name = "tall", .a = support_matrix(300, 200, 0.5, true, true, 12)},
                               {.name = "wide", .a = support_matrix(12, 200000, 0.0005, false, false, 17)},
                               {.name = "high", .a = support_matrix(200000, 12, 0.01, false, false, 18)}};
    struct requests requests = requests_all();
    for (int s = 0; s < 3; s++) {
        for (int r = 0; r < requests.count; r++) {
            struct trial trial = {.sample = &samples[s], .request = &requests.items[r], .threads = 2};
            struct storage plan;
            if (!trial_plan(&trial, &plan)) continue;
            bool large = storage_slots(&plan) > SLOTS_MAX;
            storage_free(&plan);
            if (!large) check_limit(&trial);
        }
        csr_free(&samples[s].a);
    }
    requests_free(&requests);
}

/* Cancelled before it begins, a conversion leaves nothing. */
static void cancelling_leaves_nothing(void **state)
{
    struct sample sample = usual_sample();
    struct requests requests = requests_all();
    struct progress progress = {0};
    progress_cancel(&progress);
    for (int r = 0; r < requests.count; r++) {
        struct trial trial = {.sample = &sample, .request = &requests.items[r]};
        struct storage storage;
        struct csr back;
        struct error error = {0};
        if (!trial_plan(&trial, &storage)) continue;
        storage_free(&storage);
        enum status status = storing_convert(trial.request->format, trial.request->parameters, &trial.options,
                                             &sample.a, &progress, &storage, &error);
        if (status != STATUS_CANCELLED) trial_fail(&trial, "converted after all");
        if (atomic_load(&progress.done) != 0) trial_fail(&trial, "some work was done all the same");
        for (int q = 0; q < storage.count; q++)
            assert_null(storage.array[q].data);
        storage_free(&storage);
        trial_convert(&trial, &storage);
        assert_int_equal(storage_unpack(&storage, &progress, &back, NULL), STATUS_CANCELLED);
        assert_null(back.row_ptr);
        storage_free(&storage);
    }
    requests_free(&requests);
    csr_free(&sample.a);
}

/* Count the checks for cancellation, and cancel at check number cancel_at, from 0. */
static atomic_long looks, cancel_at = -1;

bool __real_progress_cancelled(const struct progress *progress);
bool __wrap_progress_cancelled(const struct progress *progress);

bool __wrap_progress_cancelled(const struct progress *progress)
{
    if (progress && atomic_fetch_add(&looks, 1) == atomic_load(&cancel_at))
        progress_cancel((struct progress *)progress);
    return __real_progress_cancelled(progress);
}

static void look_from(long at)
{
    atomic_store(&looks, 0);
    atomic_store(&cancel_at, at);
}

/* Convert and convert back, cancelled at check `at`. Earlier work leaves nothing. Returns the number of
 * checks. */
static long cancel_once(const struct trial *trial, long at)
{
    struct progress progress = {0};
    struct storage storage;
    struct csr back = {0};
    struct error error = {0};
    allocations_begin();
    look_from(at);
    enum status status = storing_convert(trial->request->format, trial->request->parameters, &trial->options,
                                         &trial->sample->a, &progress, &storage, &error);
    bool built = status == STATUS_OK;
    for (int q = 0; q < storage.count; q++)
        if ((storage.array[q].data != NULL) != built)
            trial_fail(trial, "%s is left behind", storage.array[q].name);
    if (built) status = storage_unpack(&storage, &progress, &back, &error);
    long looked = atomic_load(&looks);
    bool cancelled = at >= 0 && at < looked;
    if (status != (cancelled ? STATUS_CANCELLED : STATUS_OK))
        trial_fail(trial, "cancelled at look %ld of %ld: %s", at, looked, error.message);
    if (status != STATUS_OK && back.row_ptr) trial_fail(trial, "a matrix is left behind");
    storage_free(&storage);
    csr_free(&back);
    look_from(-1);
    if (allocations_now().blocks != 0)
        trial_fail(trial, "cancelled at look %ld of %ld: %lld blocks are left", at, looked,
                   allocations_now().blocks);
    return looked;
}

/* Return the checks of planning alone. */
static long plan_looks(const struct trial *trial)
{
    struct progress progress = {0};
    struct storage plan;
    look_from(-1);
    assert_int_equal(storing_plan(trial->request->format, trial->request->parameters, &trial->options,
                                  &trial->sample->a, &progress, &plan, NULL),
                     STATUS_OK);
    storage_free(&plan);
    return atomic_load(&looks);
}

/* Filling also checks for cancellation, at least once if it has a value to write. */
static void check_looks(const struct trial *trial, const struct storage *plan, long convert, long unpack)
{
    if (plan->slots[0] > 0 && convert - unpack <= plan_looks(trial))
        trial_fail(trial, "filling never looks whether to stop");
}

/* Return the checks of converting back to CSR. */
static long unpack_looks(const struct trial *trial)
{
    struct progress progress = {0};
    struct storage storage;
    struct csr back;
    trial_convert(trial, &storage);
    look_from(-1);
    assert_int_equal(storage_unpack(&storage, &progress, &back, NULL), STATUS_OK);
    storage_free(&storage);
    csr_free(&back);
    return atomic_load(&looks);
}

#define LOOKS_MAX 48

/* Cancel at each check; for large matrices at every `step`-th one. */
static void check_cancelling(const struct trial *trial, const struct storage *plan)
{
    threads_set(trial->threads);
    long all = cancel_once(trial, -1), step = all / LOOKS_MAX + 1;
    check_looks(trial, plan, all, unpack_looks(trial));
    for (long at = 0; at <= all; at += step)
        cancel_once(trial, at);
}

static void cancelling_is_heard_at_every_look(void **state)
{
    struct sample usual = usual_sample();
    struct samples large = samples_large();
    struct requests requests = requests_all();
    for (int r = 0; r < requests.count; r++)
        for (int s = 0; s < 2; s++) {
            struct trial trial = {
                .sample = s ? &large.items[0] : &usual, .request = &requests.items[r], .threads = 1 + s};
            struct storage plan;
            if (s == 1 && trial.request->origin != ORIGIN_VARIANT) continue;
            if (!trial_plan(&trial, &plan)) continue;
            if (storage_slots(&plan) <= SLOTS_MAX) check_cancelling(&trial, &plan);
            storage_free(&plan);
        }
    requests_free(&requests);
    samples_free(&large);
    csr_free(&usual.a);
}

/* Cancel once some of the work is done. */
static void *cancel_soon(void *argument)
{
    struct progress *progress = argument;
    while (atomic_load(&progress->total) >= 0 && atomic_load(&progress->done) == 0)
        ;
    progress_cancel(progress);
    return NULL;
}

/* Cancelled at any moment, it is whole or it is nothing. */
static void cancelling_halfway_is_heard(void **state)
{
    struct samples samples = samples_large();
    struct requests requests = requests_all();
    for (int r = 0; r < requests.count; r++) {
        struct trial trial = {.sample = &samples.items[0], .request = &requests.items[r], .threads = 2};
        struct storage storage, plan;
        struct progress progress = {0};
        pthread_t thread;
        if (trial.request->parameters[0] || !trial_plan(&trial, &plan)) continue;
        bool large = storage_slots(&plan) > SLOTS_MAX;
        storage_free(&plan);
        if (large) continue;
        assert_int_equal(pthread_create(&thread, NULL, cancel_soon, &progress), 0);
        enum status status = storing_convert(trial.request->format, "", &trial.options, &trial.sample->a,
                                             &progress, &storage, NULL);
        atomic_store(&progress.total, -1);
        pthread_join(thread, NULL);
        if (status == STATUS_OK)
            assert_int_equal(storage_validate(&storage, NULL), STATUS_OK);
        else
            assert_int_equal(status, STATUS_CANCELLED);
        for (int q = 0; q < storage.count; q++)
            assert_true((storage.array[q].data != NULL) == (status == STATUS_OK));
        storage_free(&storage);
    }
    requests_free(&requests);
    samples_free(&samples);
}

/* Convert, check and unpack, once for each allocation, which then fails. */
static void sweep(const struct trial *trial)
{
    for (long fail = 0;; fail++) {
        struct storage storage = {0};
        struct csr back = {0};
        struct error error = {0};
        memory_fail_after(fail);
        enum status status = storing_convert(trial->request->format, trial->request->parameters,
                                             &trial->options, &trial->sample->a, NULL, &storage, &error);
        if (status == STATUS_OK) status = storage_validate(&storage, &error);
        if (status == STATUS_OK) status = storage_unpack(&storage, NULL, &back, &error);
        long failed = memory_failures();
        memory_fail_after(-1);
        if (failed && status != STATUS_MEMORY) trial_fail(trial, "allocation %ld failed, unnoticed", fail);
        if (!failed && status != STATUS_OK) trial_fail(trial, "%s", error.message);
        storage_free(&storage);
        csr_free(&back);
        if (!failed) return;
    }
}

static void every_allocation_may_fail(void **state)
{
    struct sample sample = usual_sample();
    struct requests requests = requests_all();
    for (int r = 0; r < requests.count; r++) {
        struct trial trial = {.sample = &sample, .request = &requests.items[r]};
        struct storage plan;
        threads_set(2);
        if (!trial_plan(&trial, &plan)) continue;
        storage_free(&plan);
        sweep(&trial);
    }
    requests_free(&requests);
    csr_free(&sample.a);
}

/* Store `value` in an element of any kind of integer. */
static void damage(struct array *array, int64_t e, int64_t value)
{
    switch (array->element) {
    case ELEMENT_U8:
        ((uint8_t *)array->data)[e] = (uint8_t)value;
        break;
    case ELEMENT_I32:
    case ELEMENT_U32:
        ((int32_t *)array->data)[e] = (int32_t)value;
        break;
    default:
        ((int64_t *)array->data)[e] = value;
        break;
    }
}

/* Return STATUS_OK if a storage is found valid and unpacks to a matrix. */
static enum status use(const struct storage *storage)
{
    struct csr back = {0};
    struct error error = {0};
    enum status status = storage_validate(storage, &error);
    if (status == STATUS_OK) status = storage_unpack(storage, NULL, &back, &error);
    if (status != STATUS_OK) assert_true(status == STATUS_INPUT && error.message[0]);
    csr_free(&back);
    return status;
}

/* Set element e of array q to numbers outside of any range, and to others that may be within. */
static void check_damage(const struct trial *trial, struct storage *storage, int q, int64_t e)
{
    static const int64_t outside[] = {-2, INT32_MAX, INT32_MIN, 255};
    struct array *array = &storage->array[q];
    int64_t before = array_integer(array, e);
    for (int n = 0; n < 3; n++) {
        if (n == 0 && strcmp(array->name, "offsets") == 0) continue; /* -2 is a valid offset of a diagonal */
        damage(array, e, array->element == ELEMENT_U8 ? 255 - n : outside[n]);
        if (array_integer(array, e) == before) continue;
        if (use(storage) == STATUS_OK)
            trial_fail(trial, "%s[%lld] = %lld goes unnoticed", array->name, (long long)e,
                       (long long)array_integer(array, e));
    }
    /* The result may be another matrix, but is valid. */
    for (int64_t n = -1; n <= 3; n++) {
        damage(array, e, n);
        use(storage);
    }
    damage(array, e, before + 1);
    use(storage);
    damage(array, e, before);
}

static void damaged_arrays_are_noticed(void **state)
{
    struct samples samples = {0};
    struct sample items[] = {{.name = "skewed", .a = support_matrix(37, 33, 0.1, true, false, 16)},
                             {.name = "tiny", .a = support_matrix(7, 9, 0.4, false, true, 13)},
                             {.name = "flat", .a = support_matrix(3, 80, 0.4, false, false, 14)}};
    struct requests requests = requests_all();
    uint64_t seed = 15;
    samples.items = items;
    samples.count = 3;
    for (int s = 0; s < samples.count; s++)
        for (int r = 0; r < requests.count; r++) {
            struct trial trial = {.sample = &samples.items[s], .request = &requests.items[r], .threads = 1};
            struct storage storage;
            if (!trial_plan(&trial, &storage)) continue;
            storage_free(&storage);
            trial_convert(&trial, &storage);
            for (int q = 0; q < storage.count; q++) {
                int64_t length = storage.array[q].length;
                if (storage.array[q].role == ROLE_VALUES || length == 0) continue;
                check_damage(&trial, &storage, q, 0);
                check_damage(&trial, &storage, q, length - 1);
                for (int n = 0; n < 3; n++)
                    check_damage(&trial, &storage, q, support_random(&seed, (uint32_t)length));
            }
            storage_free(&storage);
        }
    for (int s = 0; s < samples.count; s++)
        csr_free(&items[s].a);
    requests_free(&requests);
}

/* A missing value, and a value in a slot of padding, are noticed too. */
static void entries_are_counted(void **state)
{
    struct sample sample = usual_sample();
    struct requests requests = requests_all();
    for (int r = 0; r < requests.count; r++) {
        struct trial trial = {.sample = &sample, .request = &requests.items[r], .threads = 1};
        struct storage storage;
        if (!trial_plan(&trial, &storage)) continue;
        storage_free(&storage);
        trial_convert(&trial, &storage);
        double *values = (double *)storage_values(&storage, 0)->data;
        for (int64_t e = 0; e < storage.slots[0] && storage_slots(&storage) > storage.nnz; e += 7) {
            double before = values[e];
            bool padding = storage_padding(&storage, 0, e);
            values[e] = padding ? 1 : 0;
            if (storage_padding(&storage, 0, e) != padding && storage_validate(&storage, NULL) == STATUS_OK)
                trial_fail(&trial, "a wrong number of entries goes unnoticed");
            values[e] = before;
        }
        storage_free(&storage);
    }
    requests_free(&requests);
    csr_free(&sample.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_is_kept),
        cmocka_unit_test(cancelling_leaves_nothing),
        cmocka_unit_test(cancelling_is_heard_at_every_look),
        cmocka_unit_test(cancelling_halfway_is_heard),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(damaged_arrays_are_noticed),
        cmocka_unit_test(entries_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
