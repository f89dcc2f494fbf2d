/* kernels/trisolve: kernels of a device among those of the host. The device is a fake one in the host's
 * memory, and its kernel solves by one thread. */
#include <string.h>

#include "kernels/trisolve/times.h"
#include "support/fake_device.h"
#include "support/generate.h"
#include "support/support.h"
#include "support/unit.h"

static enum { NO_FAULT, NO_STATE, WRONG, GIVES_UP, NO_LIBRARY } fault;
static int prepared, runs;

static enum status prepare_fake(const struct trisolve_parts *parts, enum trisolve_operation operation,
                                const struct trisolve_place *place, struct progress *progress, void **state,
                                struct error *error)
{
    assert_ptr_equal(place->device->type, &fake_type);
    assert_null(place->parameters);
    prepared++;
    enum status status = trisolve_sequential.prepare(parts, operation, 1, progress, state, error);
    return fault == NO_STATE ? error_set(error, STATUS_UNAVAILABLE, "no room for it") : status;
}

static void run_fake(void *state, const double *b, double *x)
{
    assert_true(block_of(b) >= 0 && block_of(x) >= 0);
    runs++;
    trisolve_sequential.run(state, b, x);
    if (fault == WRONG) x[3] += 1;
}

static enum status outcome_fake(void *state, struct error *error)
{
    return fault == GIVES_UP ? error_set(error, STATUS_UNAVAILABLE, "it gave up") : STATUS_OK;
}

static void release_fake(void *state)
{
    prepared--;
    trisolve_sequential.release(state);
}

static const char *why_not(void)
{
    return fault == NO_LIBRARY ? "no library of this name" : NULL;
}

static const struct backend backend_fake = {.name = "fake", .devices = &fake_type};
static const struct trisolve_kernel kernel_fake = {.name = "fake/solve",
                                                   .backend = &backend_fake,
                                                   .unavailable = why_not,
                                                   .prepare_on = prepare_fake,
                                                   .run = run_fake,
                                                   .outcome = outcome_fake,
                                                   .release = release_fake};
static const struct trisolve_kernel *const table[] = {&trisolve_sequential, &kernel_fake, NULL};

/* Run all operations, and check each run of the fake kernel. */
static void time_all(const char *reason, int device)
{
    struct matrix matrix = generated("laplace2d,n=8");
    FREED(trisolves_free) struct trisolves trisolves;
    const struct trisolves_options options = {
        .operations = 7, .threads = 1, .device = device, .kernels = table};
    prepared = runs = 0;
    assert_int_equal(trisolves_run_with(&matrix.csr, &options, NULL, &trisolves, NULL), STATUS_OK);
    assert_int_equal(trisolves.count, 2 * TRISOLVE_OPERATIONS);
    assert_int_equal(prepared, 0);
    for (int k = 0; k < trisolves.count; k++) {
        const struct trisolve_run *run = &trisolves.runs[k];
        const bool on_device = strcmp(run->name, kernel_fake.name) == 0;
        assert_int_equal(run->threads, on_device ? 0 : 1);
        if (strstr(run->reason, on_device && reason ? reason : "") != run->reason)
            fail_msg("%s", run->reason);
        assert_true((run->samples.count > 0) == (!on_device || !reason));
        if (!on_device) assert_string_equal(run->device, "");
        if (!on_device || reason) continue;
        assert_string_equal(run->reason, "");
        assert_string_equal(run->device, "Fake 1");
        assert_true(run->checked);
        assert_float_equal(run->samples.time, 1e-3, 1e-12);
    }
    matrix_free(&matrix);
}

static int start(void **state)
{
    fault = NO_FAULT;
    return begin(state);
}

/* Times are the device's. Each sample begins with a solve that is not timed, and x = 0. */
TEST_BETWEEN(start, end, kernels_of_a_device_are_timed_by_it)
{
    time_all(NULL, 1);
    assert_true(fake.times >= 60);
    assert_int_equal(fake.products, runs);
}

TEST_BETWEEN(start, end, faults_of_a_device_are_reasons)
{
    fault = NO_STATE;
    time_all("no room for it", 1);
    fault = WRONG;
    time_all("wrong in row ", 1);
    fault = GIVES_UP;
    time_all("it gave up", 1);
    fault = NO_LIBRARY;
    time_all("no library of this name", 1);
    fault = NO_FAULT;
    time_all("there is no GPU 2: this machine has 2", 2);
    fake.count = 0;
    time_all("", 0);
}

/* The device fails in a run, or in a sample: the kernel has no time, and the others have theirs. */
TEST_BETWEEN(start, end, a_device_that_fails_meanwhile_is_a_reason)
{
    fake.fails_at = 1;
    fake.for_good = true;
    struct matrix matrix = generated("laplace2d,n=8");
    FREED(trisolves_free) struct trisolves trisolves;
    const struct trisolves_options options = {.operations = 3, .threads = 1, .kernels = table};
    assert_int_equal(trisolves_run_with(&matrix.csr, &options, NULL, &trisolves, NULL), STATUS_OK);
    assert_string_equal(trisolves.runs[1].reason, "an illegal address was met");
    assert_non_null(strstr(trisolves.runs[3].reason, "can do nothing more since this failed"));
    assert_true(trisolves.runs[0].samples.count > 0 && trisolves.runs[2].samples.count > 0);
    trisolves_free(&trisolves);
    fake.fails_at = 7;
    fake.times = 0;
    fake.for_good = false;
    assert_int_equal(trisolves_run_with(&matrix.csr, &options, NULL, &trisolves, NULL), STATUS_OK);
    assert_string_equal(trisolves.runs[1].reason, "an illegal address was met");
    assert_int_equal(trisolves.runs[1].samples.count, 0);
    assert_true(trisolves.runs[3].samples.count > 0);
    matrix_free(&matrix);
}
