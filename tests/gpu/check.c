/* Every kernel of a GPU on that GPU: products of all matrices and generators, in all storages that the kernel
 * reads, with its parameters over their ranges, in both precisions, compared with the reference; of small
 * matrices also products with the transposed matrix and with several vectors, if the kernel takes them.
 * Speaks TAP, a test for each kernel; skipped, with the reason, where there is no GPU.
 *
 *     check_gpu [--brief] [--conversions] [--seconds=N] [LIST]
 *
 * LIST has kernels as --kernels takes them, and all of their parameters are gone through. --brief: matrices
 * of less than 2000 entries only, and of parameters the defaults and the ends of their ranges, for
 * compute-sanitizer. --seconds: no further matrix after that time; how many were left out is said.
 * --conversions: no products. Conversions on the device, and tables that it makes for kernels, are compared
 * with the host's in any case (conversions.h), of complex matrices too. SPARSIGHT_DEVICE names the GPU,
 * counted from 0. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "gpu/conversions.h"
#include "kernels/gpu/device.h"
#include "kernels/list.h"
#include "kernels/timing/operands.h"
#include "support/formats.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

#define KERNELS_MAX 512
#define BRIEF_ENTRIES 2000
#define LARGEST ((size_t)1 << 28) /* bytes of a storage: more is not worth the time */

/* The products. The first two are those that all kernels compute. Numbers of vectors are such that a lane
 * takes one, two or four at once, that some lanes of a warp have none, and that one pass over the matrix is
 * not enough; of the last two, transposed ones, Y is turned. */
static const struct product products[] = {
    {.columns = 1},
    {.columns = 1, .accumulate = true},
    {.columns = 1, .transposed = true},
    {.columns = 1, .transposed = true, .accumulate = true},
    {.columns = 3, .by_rows = true},
    {.columns = 8},
    {.columns = 8, .by_rows = true, .accumulate = true},
    {.columns = 33, .accumulate = true},
    {.columns = 64, .by_rows = true},
    {.columns = 3, .by_rows = true, .transposed = true, .accumulate = true},
    {.columns = 64, .by_rows = true, .transposed = true},
    {.columns = 8, .transposed = true},
    {.columns = 33, .transposed = true, .accumulate = true},
};

#define PRODUCTS ((int)(sizeof products / sizeof *products))
#define PRODUCTS_OF_ALL 2
#define PRODUCTS_ENTRIES 20000 /* of matrices with more entries these alone */

/* The result of a kernel. */
struct tally {
    const struct kernel *kernel;
    int64_t right, wrong, refused;
};

struct check {
    struct device device;
    bool brief;
    bool conversions; /* nothing else is checked */
    struct conversions_check converted;
    struct csr_there csr; /* of the sample */
    double stop;          /* clock_seconds(); no matrix is begun afterwards */
    int tried, left_out;
    struct tally tally[KERNELS_MAX];
    int count;
    struct requests requests;
};

/* The present trial, for messages. */
struct attempt {
    const struct sample *sample;
    const struct storage *storage;
    const struct storage *resident;
    const char *parameters;
    struct operands *operands;
};

static void complain(struct tally *tally, const struct attempt *attempt, const char *what)
{
    struct text name = {0};
    char storage[CHOICE_NAME], product[PRODUCT_TEXT];
    kernel_name(tally->kernel, &name);
    if (tally->wrong++ < 20)
        printf("# %s:%s on %s as %s, %s, %s offsets, %s: %s\n", name.data, attempt->parameters,
               attempt->sample->name, storage_name(attempt->storage, storage, sizeof storage),
               value_name(attempt->storage->precision, attempt->storage->complex),
               attempt->storage->wide ? "64-bit" : "32-bit",
               product_write(attempt->operands->product, product), what);
    text_free(&name);
}

/* Two products: data left by one must not change the next, nor a bit of it if the kernel is deterministic. */
static enum status run_twice(struct check *check, struct launch *launch, struct operands *operands,
                             struct error *error)
{
    const struct storage *storage = launch->storage;
    const bool ordered = kernel_order(launch->kernel, operands->product, storage->slots[1]) == KERNEL_ORDERED;
    const size_t bytes = (size_t)product_y_size(operands->product, storage->rows, storage->cols) *
                         (size_t)product_columns(operands->product) *
                         (size_t)value_width(storage->precision, storage->complex);
    enum status status = STATUS_OK;
    void *before = memory_array(bytes + 1, 1, error);
    double seconds, largest;
    if (!before) return STATUS_MEMORY;
    for (int product = 0; product < 2 && status == STATUS_OK; product++) {
        status = operands_poison(operands, &check->device, error);
        if (status == STATUS_OK) status = operands_run(operands, launch, 1, &seconds, error);
        if (status == STATUS_OK) status = operands_check(operands, &check->device, &largest, error);
        if (status == STATUS_OK && product == 0)
            memcpy(before, operands->placed.fetched, bytes);
        else if (status == STATUS_OK && ordered && memcmp(before, operands->placed.fetched, bytes) != 0)
            status = error_set(error, STATUS_UNAVAILABLE, "the second product has not the same bits");
    }
    free(before);
    return status;
}

static void try_kernel(struct check *check, struct tally *tally, const struct attempt *attempt)
{
    struct launch launch;
    struct error error = {0};
    const struct preparing options = {.product = attempt->operands->product};
    const struct device_type *watched = check->device.type;
    conversions_forget();
    /* Libraries know a GPU of their own by its type. */
    if (!tally->kernel->remake) check->device.type = check->converted.plain;
    enum status status = preparing_on(&check->device, tally->kernel, attempt->parameters, attempt->storage,
                                      attempt->resident, &options, &launch, &error);
    if (status == STATUS_OK && product_plain(options.product) && !options.product.accumulate)
        conversions_try_tables(&check->converted, attempt->sample->name, &launch, &check->csr);
    if (status == STATUS_UNAVAILABLE && device_check(&check->device, NULL) == STATUS_OK)
        tally->refused++;
    else if (status == STATUS_OK && check->conversions)
        tally->right++;
    else if (status != STATUS_OK || run_twice(check, &launch, attempt->operands, &error) != STATUS_OK)
        complain(tally, attempt, error.message);
    else
        tally->right++;
    kernel_release(&launch);
    check->device.type = watched;
}

/* Of a parameter's values, a kernel's or a format's, the brief check takes the ends of its range. */
static bool at_an_end(const struct parameter *table, const char *set)
{
    struct parameter_values values;
    bool end = set[0] == 0;
    if (parameters_read("", table, set, &values, NULL) == STATUS_OK)
        for (int k = 0; table[k].name; k++) {
            const struct parameter *p = &table[k];
            end = end || (values.given[k] && (parameter_options(p) > 0 || values.number[k] == p->min ||
                                              values.number[k] == p->max));
        }
    parameters_free(&values);
    return end;
}

static bool takes(const struct kernel *kernel, struct product product)
{
    return (kernel->transposes || !product.transposed) &&
           product.columns <= (kernel->columns_max > 1 ? kernel->columns_max : 1);
}

/* All products by a kernel with these parameters; of storages that go through a format's parameters, those
 * that all kernels compute. */
static void try_products(struct check *check, struct tally *tally, const struct attempt *attempt, bool sweep,
                         struct operands operands[PRODUCTS])
{
    int count = check->conversions ? 1 : sweep ? PRODUCTS_OF_ALL : PRODUCTS;
    for (int k = 0; k < count; k++) {
        struct attempt one = *attempt;
        one.operands = &operands[k];
        if (operands[k].ready && takes(tally->kernel, products[k])) try_kernel(check, tally, &one);
    }
}

static void try_storage(struct check *check, const struct sample *sample, const struct wanted *request,
                        const struct storage *storage, struct operands operands[PRODUCTS])
{
    struct storage resident;
    struct error error = {0};
    double seconds;
    if (device_store(&check->device, storage, &resident, &seconds, &error) != STATUS_OK) {
        printf("# %s is not stored on the GPU: %s\n", sample->name, error.message);
        return;
    }
    for (int k = 0; k < check->count; k++) {
        struct tally *tally = &check->tally[k];
        if (tally->kernel->format != storage->format || (check->conversions && !tally->kernel->remake))
            continue;
        struct sets sets = sets_of(tally->kernel);
        int count = request->origin == ORIGIN_SWEEP || storage->wide ? 1 : sets.count;
        for (int s = 0; s < count; s++) {
            struct attempt attempt = {sample, storage, &resident, sets.text[s], NULL};
            if (!check->brief || at_an_end(tally->kernel->parameters, sets.text[s]))
                try_products(check, tally, &attempt, request->origin == ORIGIN_SWEEP, operands);
        }
    }
    device_unstore(&check->device, &resident);
}

static bool has_kernels(const struct check *check, const struct format *format)
{
    for (int k = 0; k < check->count; k++)
        if (check->tally[k].kernel->format == format) return true;
    return false;
}

static void try_requests(struct check *check, const struct sample *sample, enum precision precision,
                         struct operands operands[PRODUCTS])
{
    for (int r = 0; r < 2 * check->requests.count; r++) {
        const struct wanted *request = &check->requests.items[r / 2];
        struct storing options = {.precision = precision, .wide = r % 2, .limit = LARGEST};
        struct storage storage;
        if (!has_kernels(check, request->format) || (options.wide && request->origin == ORIGIN_SWEEP) ||
            (check->brief && request->origin == ORIGIN_SWEEP &&
             !at_an_end(request->format->parameters, request->parameters)))
            continue;
        if (storing_convert(request->format, request->parameters, &options, &sample->a, NULL, &storage,
                            NULL) == STATUS_OK) {
            conversions_try(&check->converted, sample->name, &storage, &check->csr,
                            request->origin == ORIGIN_SWEEP);
            try_storage(check, sample, request, &storage, operands);
        }
        storage_free(&storage);
    }
}

static enum status make_operands(struct check *check, const struct sample *sample, enum precision precision,
                                 struct operands operands[PRODUCTS], struct error *error)
{
    enum status status = STATUS_OK;
    int count = csr_nnz(&sample->a) > PRODUCTS_ENTRIES ? PRODUCTS_OF_ALL : PRODUCTS;
    for (int k = 0; k < count && status == STATUS_OK; k++) {
        status = operands_make(&operands[k], &sample->a, precision,
                               &(struct operands_options){.product = products[k]}, NULL, error);
        if (status == STATUS_OK) status = operands_place(&operands[k], &check->device, error);
    }
    return status;
}

static void try_sample(struct check *check, const struct sample *sample)
{
    if (check->brief && csr_nnz(&sample->a) >= BRIEF_ENTRIES) return;
    bool late = clock_seconds() > check->stop;
    check->tried += !late;
    check->left_out += late;
    if (late) return;
    for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++) {
        struct operands operands[PRODUCTS] = {{0}};
        struct error error = {0};
        enum status status = make_operands(check, sample, precision, operands, &error);
        if (status == STATUS_OK)
            status = csr_there_make(&check->device, &sample->a, precision, &check->csr, &error);
        if (status == STATUS_OK)
            try_requests(check, sample, precision, operands);
        else
            printf("# %s: %s\n", sample->name, error.message);
        csr_there_free(&check->device, &check->csr);
        check->csr = (struct csr_there){0};
        for (int k = 0; k < PRODUCTS; k++)
            operands_free(&operands[k]);
    }
}

static void try_samples(struct check *check, struct samples samples)
{
    for (int s = 0; s < samples.count; s++)
        try_sample(check, &samples.items[s]);
    samples_free(&samples);
}

static void try_lengths(struct check *check)
{
    for (int k = 0; support_lengths[k]; k++) {
        struct sample sample = {"300 rows of lengths", support_rows(300, support_lengths[k])};
        try_sample(check, &sample);
        /* The same with values that a byte tells apart, or that are all the same. */
        struct sample few = {.a = sample.a};
        snprintf(few.name, sizeof few.name, "300 rows of lengths, %d values", k % 2 ? 1 : 200);
        for (int64_t e = 0; e < few.a.row_ptr[few.a.rows]; e++)
            few.a.val[e] = k % 2 ? 0.75 : (double)(e * 7 % 200) - 99.5;
        try_sample(check, &few);
        csr_free(&sample.a);
    }
}

/* The kernels of GPUs that the list names, each once. */
static enum status choose(struct check *check, const char *text, struct error *error)
{
    struct kernel_list list = {0};
    enum status status = kernel_list_add(&list, text, error);
    for (int k = 0; k < list.count && status == STATUS_OK; k++) {
        const struct kernel *kernel = list.choices[k].kernel;
        bool there = !kernel->backend->devices || check->count == KERNELS_MAX;
        for (int t = 0; t < check->count; t++)
            there = there || check->tally[t].kernel == kernel;
        if (!there) check->tally[check->count++].kernel = kernel;
    }
    kernel_list_free(&list);
    return status;
}

/* A line for each kernel; returns how many failed. */
static int conclude(const struct check *check)
{
    int failed = 0;
    printf("# %d matrices%s", check->tried, check->left_out ? "" : "\n");
    if (check->left_out) printf(", and %d for which there was no time\n", check->left_out);
    printf("1..%d\n", check->count + check->converted.count);
    for (int k = 0; k < check->count; k++) {
        const struct tally *tally = &check->tally[k];
        struct text name = {0};
        struct error reason = {0};
        bool absent = kernel_suits(tally->kernel, false, (struct product){0}, &reason) != STATUS_OK;
        bool left_out = check->conversions && !tally->kernel->remake;
        bool ok = absent || left_out || (tally->wrong == 0 && tally->right > 0);
        kernel_name(tally->kernel, &name);
        printf("%s %d - %s", ok ? "ok" : "not ok", k + 1, name.data);
        if (absent)
            printf(" # SKIP %s\n", reason.message);
        else if (left_out)
            printf(" # SKIP conversions alone are checked\n");
        else
            printf(": %lld right, %lld wrong, %lld storages not for it\n", (long long)tally->right,
                   (long long)tally->wrong, (long long)tally->refused);
        failed += !ok;
        text_free(&name);
    }
    return failed + conversions_conclude(&check->converted, check->count + 1);
}

static int skip(const struct error *error)
{
    printf("1..0 # SKIP %s\n", error->message);
    return EXIT_SUCCESS;
}

/* Read the options; returns the list. */
static const char *read_arguments(struct check *check, int argc, char **argv)
{
    const char *list = "cuda cusparse";
    check->stop = INFINITY;
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], "--brief") == 0)
            check->brief = true;
        else if (strcmp(argv[k], "--conversions") == 0)
            check->conversions = true;
        else if (strncmp(argv[k], "--seconds=", 10) == 0)
            check->stop = clock_seconds() + atof(argv[k] + 10);
        else
            list = argv[k];
    return list;
}

int main(int argc, char **argv)
{
    static struct check check;
    struct error error = {0};
    const char *number = getenv("SPARSIGHT_DEVICE"), *list = read_arguments(&check, argc, argv);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (backend_cuda.devices->check(&error) != STATUS_OK) return skip(&error);
    if (choose(&check, list, &error) != STATUS_OK ||
        device_open(backend_cuda.devices, number ? atoi(number) : 0, &check.device, &error) != STATUS_OK) {
        fprintf(stderr, "check_gpu: %s\n", error.message);
        return EXIT_FAILURE;
    }
    printf("# %s, compute capability %d.%d\n", check.device.facts.name, check.device.facts.major,
           check.device.facts.minor);
    conversions_watch(&check.converted, &check.device);
    check.requests = requests_all();
    try_lengths(&check);
    try_samples(&check, samples_small());
    if (!check.brief) try_samples(&check, samples_large());
    requests_free(&check.requests);
    int failed = conclude(&check);
    device_close(&check.device);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
