#include "kernels/timing/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/csr.h"
#include "kernels/libraries/library.h"
#include "kernels/timing/consumption.h"
#include "kernels/timing/rounds.h"

/* A storage held for the kernels of a group that read it. */
struct stored {
    const struct storage *storage;
    struct format_choice choice;
    struct device *device;   /* the device that also stores it; NULL: none */
    struct storage resident; /* the storage on that device */
    double upload_seconds;
    double convert_seconds; /* time of converting to it on the device; NaN if that failed */
    struct error refused;   /* the reason for the failure */
};

struct bench {
    struct pool *pool;
    struct rounds rounds;
    struct consumption consumption;
    struct operands operands[2]; /* by precision */
    size_t limit;                /* bytes for all stored matrices of a group */
    struct result *results;
    bool *finished; /* for each result: it was run or refused */
    int count;      /* number of results */
    struct contender *contenders;
    struct stored *stored;
    int contender_count, stored_count; /* numbers for the group being run */
};

double product_flops(double nnz, bool complex, int columns)
{
    return (complex ? 8 : 2) * nnz * columns;
}

double product_flops_cmrs(double nnz, double y_size, bool complex, int columns)
{
    return product_flops(nnz, complex, columns) - (complex ? 2 : 1) * y_size * columns;
}

void result_name(struct result *result)
{
    const struct kernel *kernel = result->resolved.kernel;
    snprintf(result->full_name, sizeof result->full_name, "%s/%s", kernel->backend->name, kernel->name);
    kernel_choice_name(&result->resolved, result->name, sizeof result->name);
}

static void note_size(struct result *result, const struct storage *storage)
{
    result->sized = storage->format != NULL;
    if (result->sized) result->size = storage_size(storage);
}

void result_clear(struct result *result, bool complex, struct product product, double nnz, double y_size)
{
    result->status = STATUS_OK;
    error_clear(&result->error);
    samples_of(PROTOCOL_MEDIAN, NULL, 0, &result->samples);
    result->sized = false;
    result->size = (struct format_size){.padding_ratio = NAN, .dense_ratio = NAN};
    result->resolved = result->choice;
    result->complex = complex;
    result->flops = product_flops(nnz, complex, product_columns(product));
    result->flops_cmrs = product_flops_cmrs(nnz, y_size, complex, product_columns(product));
    result->bytes = (struct kernel_bytes){NAN, NAN};
    result->max_error = result->residual = NAN;
    result->convert_seconds = result->upload_seconds = result->transfer_seconds = NAN;
    result->graph_seconds = NAN;
    result->device_convert_seconds = NAN;
    error_clear(&result->device_convert_refused);
    result->cached = false;
    result->ranked = (struct ranked){0};
    energy_clear(&result->energy, false);
    result->library[0] = 0;
    result_name(result);
}

/* Storages */

/* The held storage of a choice; NULL if there is none. */
static struct stored *find_stored(struct bench *bench, const struct format_choice *choice)
{
    for (int k = 0; k < bench->stored_count; k++)
        if (format_choice_same(&bench->stored[k].choice, choice)) return &bench->stored[k];
    return NULL;
}

static size_t bytes_stored(const struct bench *bench)
{
    size_t bytes = 0;
    for (int k = 0; k < bench->stored_count; k++)
        size_add(bytes, storage_size(bench->stored[k].storage).allocated, &bytes);
    return bytes;
}

/* Take the storage for a result in addition to the held ones. */
static enum status store(struct bench *bench, struct result *result, struct stored **stored,
                         struct error *error)
{
    size_t used = bytes_stored(bench), limit = bench->limit > used ? bench->limit - used : 1;
    const struct storage *storage;
    enum status status =
        pool_take(bench->pool, &result->choice.format, limit, bench->rounds.progress, &storage, error);
    if (status != STATUS_OK && storage) note_size(result, storage);
    if (status != STATUS_OK) return status;
    *stored = &bench->stored[bench->stored_count++];
    **stored = (struct stored){.storage = storage, .choice = result->choice.format, .convert_seconds = NAN};
    return STATUS_OK;
}

static struct machine *machine_of(const struct bench *bench, const struct result *result)
{
    return machines_of(bench->rounds.machines, result->choice.kernel->backend->devices);
}

/* Fail unless the kernel's device exists and the kernel accepts the matrix. */
static enum status check_kernel(const struct bench *bench, const struct result *result, struct error *error)
{
    const struct kernel *kernel = result->choice.kernel;
    bool complex = bench->pool->a->imaginary != NULL;
    bool there = !kernel->backend->devices;
    const struct product product = bench->rounds.options->product;
    const struct machine *machine = machine_of(bench, result);
    const struct device *device = machine ? machine->device : NULL;
    enum status status = device ? kernel_suits(kernel, complex, product, error)
                                : kernel_check(kernel, complex, product, error);
    if (status == STATUS_OK && device) status = device_check(device, error);
    if (status != STATUS_OK || there || device) return status;
    return error_set(error, STATUS_UNAVAILABLE, "no device was opened for it");
}

/* Find the storage for a result among the held ones, or take a new one. */
static enum status storage_for(struct bench *bench, struct result *result, struct stored **stored,
                               struct error *error)
{
    enum status status = check_kernel(bench, result, error);
    if (status != STATUS_OK) return status;
    *stored = find_stored(bench, &result->choice.format);
    return *stored ? STATUS_OK : store(bench, result, stored, error);
}

static enum status make_operands(struct bench *bench, enum precision precision, struct device *device,
                                 struct error *error)
{
    const struct bench_options *options = bench->rounds.options;
    const struct operands_options wanted = {.product = options->product,
                                            .x = options->x,
                                            .natural = options->natural,
                                            .seed = options->seed,
                                            .limit = options->limit};
    struct operands *operands = &bench->operands[precision];
    enum status status =
        operands_make(operands, bench->pool->a, precision, &wanted, bench->rounds.progress, error);
    return status == STATUS_OK && device ? operands_place(operands, device, error) : status;
}

/* Copy the storage of a result to its device, unless it is there. The vectors are copied first: they stay
 * there for all groups, and storages get the rest of the device's memory. */
static enum status upload(struct bench *bench, struct result *result, struct stored *stored,
                          struct error *error)
{
    struct device *device = machine_of(bench, result)->device;
    if (!device || stored->device) return STATUS_OK;
    enum status status = make_operands(bench, result->choice.format.precision, device, error);
    if (status == STATUS_OK)
        status = device_store(device, stored->storage, &stored->resident, &stored->upload_seconds, error);
    if (status == STATUS_OK) stored->device = device;
    return status;
}

/* Groups: results whose storages exist at the same time */

static void refuse(struct bench *bench, int k, enum status status, const struct error *error)
{
    bench->results[k].status = status;
    bench->results[k].error = *error;
    bench->finished[k] = true;
}

static void add_contender(struct bench *bench, struct result *result, struct stored *stored)
{
    struct contender *contender = &bench->contenders[bench->contender_count++];
    *contender = (struct contender){.sampling.result = result,
                                    .storage = stored->storage,
                                    .resident = stored->device ? &stored->resident : stored->storage,
                                    .operands = &bench->operands[result->choice.format.precision],
                                    .machine = machine_of(bench, result)};
    if (bench->rounds.options->outlooks)
        contender->outlook = &bench->rounds.options->outlooks[result - bench->results];
    /* All formats are converted from CSR, so that copying CSR itself does not count. */
    result->convert_seconds = stored->storage->format == &format_csr ? 0 : stored->storage->seconds;
    if (contender->machine->device) result->upload_seconds = stored->upload_seconds;
    result->resolved.format = storage_choice(stored->storage);
    note_size(result, stored->storage);
}

/* Add unfinished results to the group, as long as there is room. A result whose storage does not fit beside
 * the others waits for a later group, and one whose storage does not fit by itself is refused. */
static enum status gather_group(struct bench *bench, struct error *error)
{
    for (int k = 0; k < bench->count; k++) {
        struct stored *stored = NULL;
        struct error reason = {0};
        if (bench->finished[k]) continue;
        if (progress_cancelled(bench->rounds.progress)) return progress_status(bench->rounds.progress, error);
        bool others = bench->stored_count > 0;
        enum status status = storage_for(bench, &bench->results[k], &stored, &reason);
        if (status == STATUS_OK) {
            others = bench->contender_count > 0;
            status = upload(bench, &bench->results[k], stored, &reason);
        }
        if (status == STATUS_CANCELLED) return progress_status(bench->rounds.progress, error);
        if ((status == STATUS_LIMIT || status == STATUS_MEMORY) && others) continue;
        if (status != STATUS_OK) {
            refuse(bench, k, status, &reason);
            continue;
        }
        bench->finished[k] = true;
        add_contender(bench, &bench->results[k], stored);
    }
    return STATUS_OK;
}

static enum status prepare_launch(struct contender *contender, const struct bench_options *timing,
                                  struct error *error)
{
    const struct kernel_choice *choice = &contender->sampling.result->choice;
    const struct launch_options options = {.product = timing->product, .limit = timing->limit};
    if (contender->machine->device)
        return kernel_prepare_on(contender->machine->device, choice, contender->storage, contender->resident,
                                 &options, &contender->launch, error);
    return kernel_prepare(choice, contender->storage, &options, &contender->launch, error);
}

static void note_library(struct result *result)
{
    const struct backend *backend = result->choice.kernel->backend;
    const struct device_library *found = backend->device_library ? backend->device_library() : NULL;
    const char *version = backend->library ? library_version(backend->library) : found ? found->version : "";
    snprintf(result->library, sizeof result->library, "%s", version);
}

static enum status prepare(struct bench *bench, struct contender *contender, struct error *error)
{
    struct result *result = contender->sampling.result;
    threads_gather(0); /* preparing is timed as conversion, which should not include starting threads */
    double start = clock_seconds();
    enum status status = prepare_launch(contender, bench->rounds.options, error);
    contender->prepare_seconds = clock_seconds() - start;
    result->convert_seconds += contender->prepare_seconds;
    result->resolved.threads = contender->launch.threads;
    result->resolved.values = contender->launch.values;
    note_library(result);
    result_name(result);
    if (status != STATUS_OK) return status;
    return make_operands(bench, result->choice.format.precision, contender->machine->device, error);
}

/* Conversions on devices. The converted arrays replace the copied ones, so that kernels run on them and the
 * check of products covers them. */

/* CSR on a device, for a kernel of the group or only for conversions. */
struct csr_there {
    const struct storage *storage;
    struct storage resident;
    struct device *device;
    bool own; /* it is there only for conversions */
};

static enum status take_csr(struct bench *bench, enum precision precision, struct device *device,
                            struct csr_there *csr, struct error *error)
{
    const struct format_choice choice = format_choice_default(&format_csr, precision);
    size_t used = bytes_stored(bench), limit = bench->limit > used ? bench->limit - used : 1;
    double seconds;
    *csr = (struct csr_there){.device = device};
    for (int k = 0; k < bench->stored_count; k++) {
        const struct stored *stored = &bench->stored[k];
        if (stored->device != device || !format_choice_same(&stored->choice, &choice)) continue;
        csr->storage = stored->storage;
        csr->resident = stored->resident;
        return STATUS_OK;
    }
    const struct storage *storage;
    enum status status = pool_take(bench->pool, &choice, limit, bench->rounds.progress, &storage, error);
    if (status != STATUS_OK) return status;
    status = device_store(device, storage, &csr->resident, &seconds, error);
    if (status != STATUS_OK) {
        pool_release(bench->pool, storage);
        return status;
    }
    csr->storage = storage;
    csr->own = true;
    return STATUS_OK;
}

static void give_csr(struct bench *bench, struct csr_there *csr)
{
    if (csr->own) {
        device_unstore(csr->device, &csr->resident);
        pool_release(bench->pool, csr->storage);
    }
    *csr = (struct csr_there){0};
}

/* True if a device converts CSR or makes tables from it for the contender. */
static bool is_converted(const struct contender *contender)
{
    const struct device *device = contender->machine->device;
    struct conversion_work work;
    if (!contender->sampling.ready || !device || !device->type->converts) return false;
    return contender->storage->format == &format_csr ||
           device->type->converts(&contender->sampling.result->resolved.format,
                                  (double)contender->storage->rows, &work, NULL) == STATUS_OK;
}

static struct stored *stored_of(struct bench *bench, const struct contender *contender)
{
    return find_stored(bench, &contender->sampling.result->choice.format);
}

/* Convert to the format of a contender, unless that was done for another one, and then make its tables. A
 * failure leaves the time unknown, and is no failure of the kernel. */
static void convert_for(struct bench *bench, struct contender *contender, const struct csr_there *csr)
{
    struct result *result = contender->sampling.result;
    struct stored *stored = stored_of(bench, contender);
    struct error *refused = &result->device_convert_refused;
    double tables = contender->prepare_seconds;
    enum status status = STATUS_OK;
    if (contender->storage->format == &format_csr)
        stored->convert_seconds = 0;
    else if (isnan(stored->convert_seconds) && stored->refused.status == STATUS_OK)
        device_convert(contender->machine->device, &csr->resident, stored->storage, &stored->resident,
                       &stored->convert_seconds, &stored->refused);
    *refused = stored->refused;
    if (refused->status == STATUS_OK && contender->launch.kernel->remake)
        status = contender->launch.kernel->remake(&contender->launch, &csr->resident, &tables, refused);
    if (refused->status == STATUS_OK && status == STATUS_OK)
        result->device_convert_seconds = stored->convert_seconds + tables;
}

/* State why nothing is converted for a contender of a device. */
static void refuse_conversion(struct contender *contender)
{
    const struct device *device = contender->machine->device;
    struct conversion_work work;
    if (!contender->sampling.ready || !device || !device->type->converts) return;
    device->type->converts(&contender->sampling.result->resolved.format, (double)contender->storage->rows,
                           &work, &contender->sampling.result->device_convert_refused);
}

/* Convert for all contenders of one precision. CSR is copied once a contender needs it. */
static void convert_group(struct bench *bench, enum precision precision)
{
    struct csr_there csr = {0};
    struct error reason = {0};
    for (int k = 0; k < bench->contender_count; k++) {
        struct contender *contender = &bench->contenders[k];
        if (contender->sampling.result->choice.format.precision != precision) continue;
        if (!is_converted(contender)) {
            refuse_conversion(contender);
            continue;
        }
        struct device *device = contender->machine->device;
        if (csr.device != device) {
            give_csr(bench, &csr);
            error_clear(&reason);
            if (take_csr(bench, precision, device, &csr, &reason) != STATUS_OK) csr.device = device;
        }
        if (csr.storage)
            convert_for(bench, contender, &csr);
        else
            contender->sampling.result->device_convert_refused = reason;
    }
    give_csr(bench, &csr);
}

static enum status run_group(struct bench *bench, struct error *error)
{
    struct progress *progress = bench->rounds.progress;
    for (int k = 0; k < bench->contender_count && !progress_cancelled(progress); k++) {
        struct contender *contender = &bench->contenders[k];
        struct error reason = {0};
        enum status status = prepare(bench, contender, &reason);
        contender->sampling.ready = status == STATUS_OK;
        contender->sampling.result->status = status;
        contender->sampling.result->error = reason;
    }
    for (enum precision p = PRECISION_F64; p <= PRECISION_F32 && !progress_cancelled(progress); p++)
        convert_group(bench, p);
    for (int k = 0; k < bench->contender_count && !progress_cancelled(progress); k++) {
        struct contender *contender = &bench->contenders[k];
        progress_phase(progress, "checking kernels", bench->contender_count);
        progress_add(progress, k);
        if (contender->sampling.ready) rounds_warm_up(&bench->rounds, contender);
    }
    enum status status = rounds_run(&bench->rounds, bench->contenders, bench->contender_count, error);
    if (status != STATUS_OK || !(bench->rounds.options->energy > 0)) return status;
    return consumption_measure(&bench->consumption, &bench->rounds, bench->contenders, bench->contender_count,
                               error);
}

static void end_group(struct bench *bench)
{
    for (int k = 0; k < bench->contender_count; k++) {
        kernel_release(&bench->contenders[k].launch);
        free(bench->contenders[k].sampling.seconds);
    }
    for (int k = 0; k < bench->stored_count; k++) {
        struct stored *stored = &bench->stored[k];
        if (stored->device) device_unstore(stored->device, &stored->resident);
        pool_release(bench->pool, stored->storage);
        *stored = (struct stored){0};
    }
    bench->contender_count = bench->stored_count = 0;
}

static bool some_left(const struct bench *bench)
{
    for (int k = 0; k < bench->count; k++)
        if (!bench->finished[k]) return true;
    return false;
}

static enum status run_all(struct bench *bench, struct error *error)
{
    enum status status = STATUS_OK;
    bench->contenders = memory_zeroed((size_t)bench->count, sizeof *bench->contenders, error);
    bench->stored = memory_zeroed((size_t)bench->count, sizeof *bench->stored, error);
    bench->finished = memory_zeroed((size_t)bench->count, sizeof *bench->finished, error);
    if (!bench->contenders || !bench->stored || !bench->finished) return STATUS_MEMORY;
    while (some_left(bench) && status == STATUS_OK) {
        status = gather_group(bench, error);
        if (status == STATUS_OK) status = run_group(bench, error);
        end_group(bench);
    }
    return status;
}

enum status bench_run(struct pool *pool, struct result *results, int count,
                      const struct bench_options *options, struct machines *machines,
                      struct progress *progress, struct error *error)
{
    const struct csr *a = pool->a;
    const struct product product = options->product;
    struct bench bench = {.pool = pool,
                          .results = results,
                          .count = count,
                          .limit = memory_limit(options->limit),
                          .rounds = {.options = options, .machines = machines, .progress = progress}};
    for (int k = 0; k < count; k++)
        result_clear(&results[k], a->imaginary != NULL, product, (double)csr_nnz(a),
                     (double)product_y_size(product, a->rows, a->cols));
    enum status status = run_all(&bench, error);
    consumption_end(&bench.consumption);
    free(bench.contenders);
    free(bench.stored);
    free(bench.finished);
    operands_free(&bench.operands[PRECISION_F64]);
    operands_free(&bench.operands[PRECISION_F32]);
    return status;
}

static int64_t even_after(double seconds, const struct result *result, const struct result *other)
{
    double gain = other->samples.time - result->samples.time, runs = ceil(seconds / gain);
    if (seconds <= 0) return 0;
    return gain > 0 && runs < 0x1p62 ? (int64_t)runs : -1;
}

int64_t break_even(const struct result *result, const struct result *other)
{
    double uploaded = result->upload_seconds - other->upload_seconds;
    return even_after(result->convert_seconds + (isnan(uploaded) ? 0 : uploaded), result, other);
}

int64_t device_break_even(const struct result *result, const struct result *other)
{
    return isnan(result->device_convert_seconds) ? -1
                                                 : even_after(result->device_convert_seconds, result, other);
}
