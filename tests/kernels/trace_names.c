/* The functions that traces replay have the names that the build's table of resources has. This holds for
 * every kernel with a trace, in both precisions and widths of offsets, and for the values of each parameter
 * of the kernel and its format: all words, all powers of two, else the least value. */
#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "kernels/cuda/resources.h"
#include "kernels/gpu/paper.h"
#include "kernels/gpu/trace.h"
#include "support/cmocka.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

#define CHOICES 64

/* The tried values of a parameter, as texts; "" is the default. */
static int values_of(const struct parameter *parameter, char text[CHOICES][48])
{
    int count = 0;
    snprintf(text[count++], 48, "%s", "");
    char value[64];
    enum parameter_type type = parameter->type;
    for (int k = 0; k < parameter_options(parameter); k++)
        snprintf(text[count++], 48, "%s=%.20s", parameter->name,
                 parameter_value(parameter, k, value, sizeof value));
    if (type == PARAMETER_INTEGER || type == PARAMETER_REAL)
        snprintf(text[count++], 48, "%s=%g", parameter->name, parameter->min);
    for (double v = parameter->min; type == PARAMETER_POWER && v <= fmin(parameter->max, 1024); v *= 2)
        snprintf(text[count++], 48, "%s=%g", parameter->name, v);
    assert_true(count <= CHOICES);
    return count;
}

/* Return combination number `n` of these parameters' values; false beyond the last one. */
static bool combination(const struct parameter *parameters, int n, char *out, size_t size)
{
    char text[CHOICES][48];
    size_t length = 0;
    out[0] = 0;
    for (const struct parameter *p = parameters; p && p->name; p++) {
        int count = values_of(p, text);
        if (text[n % count][0])
            length +=
                (size_t)snprintf(out + length, size - length, "%s%s", length ? "," : "", text[n % count]);
        assert_true(length < size);
        n /= count;
    }
    return n == 0;
}

struct held {
    int launches, kernels;
};

static void hold(const struct kernel *kernel, const char *parameters, const struct storage *storage,
                 struct held *held)
{
    const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448, .major = 9};
    struct device device;
    struct launch launch;
    struct error error = {0};
    /* A limit of its own: finding the system's reads files, which takes longer than the rest. */
    const struct preparing how = {.limit = (size_t)1 << 30};
    paper_open(&facts, &device);
    enum status status = preparing_on_paper(&device, kernel, parameters, storage, &how, &launch, &error);
    if (status != STATUS_OK && status != STATUS_UNAVAILABLE) fail_msg("%s: %s", kernel->name, error.message);
    for (int64_t s = 0; status == STATUS_OK && s < trace_stages(&launch); s++) {
        struct trace_stage stage;
        trace_stage(&launch, s, &stage);
        if (!cuda_resources_find(stage.function, INT_MAX))
            fail_msg("%s:%s on %s:%s: there is no %s", kernel->name, parameters, storage->format->name,
                     storage->values.text ? storage->values.text : "", stage.function);
        held->launches++;
    }
    kernel_release(&launch);
    device_close(&device);
}

/* Formats without those parameters that have no effect together with others. */
static void hold_format(const struct kernel *kernel, const char *format_parameters, const struct csr *a,
                        struct held *held)
{
    for (int k = 0; k < 4; k++) {
        const struct storing options = {.precision = k % 2 ? PRECISION_F32 : PRECISION_F64,
                                        .wide = k / 2 == 1};
        struct storage storage;
        struct error error = {0};
        char parameters[256];
        if (storing_convert(kernel->format, format_parameters, &options, a, NULL, &storage, &error) !=
            STATUS_OK) {
            storage_free(&storage);
            return;
        }
        for (int n = 0; combination(kernel->parameters, n, parameters, sizeof parameters); n++)
            hold(kernel, parameters, &storage, held);
        storage_free(&storage);
    }
}

static void traces_name_functions_of_the_build(void **state)
{
    struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, 55, 0.1, true, false, 1);
    struct held held = {0};
    char parameters[256];
    for (int k = 0; kernels[k]; k++) {
        if (!kernels[k]->trace) continue;
        int before = held.launches;
        for (int n = 0; combination(kernels[k]->format->parameters, n, parameters, sizeof parameters); n++)
            hold_format(kernels[k], parameters, &a, &held);
        if (held.launches == before) fail_msg("%s: nothing launched", kernels[k]->name);
        held.kernels++;
    }
    print_message("# %d launches of %d kernels\n", held.launches, held.kernels);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_name_functions_of_the_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
