#include "ranks/product/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/gpu/exchange.h"
#include "ranks/product/contender.h"
#include "ranks/product/petsc.h"
#include "ranks/product/split.h"

struct bench {
    struct rounds rounds;
    struct split split;
    struct operands vectors[2]; /* by precision */
    struct device device;       /* the device of this rank */
    bool opened;                /* all ranks have tried to open their devices */
    struct error closed;        /* the reason why some rank has none; STATUS_OK if each has one */
    bool linked;
    size_t limit; /* maximum bytes for the storages of a group on this rank */
    struct result *results;
    bool *finished; /* for each result: it was run or refused */
    int count;
    struct contender *contenders;
    int contender_count; /* number of contenders in the group */
};

/* Results */

/* Append a parameter with the range of its values over all ranks, as "k=3..12". */
static void append_range(const struct parameter *parameter, double least, double most, char *out, size_t size)
{
    char first[40], last[40];
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s=%s%s%s", used ? "," : "", parameter->name,
             parameter_value(parameter, least, first, sizeof first),
             parameter_options(parameter) > 0 ? "|" : "..",
             parameter_value(parameter, most, last, sizeof last));
}

/* Compare the values that ranks have chosen. Equal ones become those of all ranks, also of a rank that chose
 * none. Where they differ, no number stands for all ranks: it becomes NaN, and `out` gets their range. */
static void agree_parameters(const struct ranks *ranks, const struct parameter *parameters, double *number,
                             char *out, size_t size)
{
    double ends[2 * PARAMETERS_MAX];
    for (int k = 0; k < PARAMETERS_MAX; k++) {
        ends[2 * k] = isnan(number[k]) ? INFINITY : number[k];
        ends[2 * k + 1] = isnan(number[k]) ? INFINITY : -number[k];
    }
    MPI_Allreduce(MPI_IN_PLACE, ends, 2 * PARAMETERS_MAX, MPI_DOUBLE, MPI_MIN, ranks->all);
    for (int k = 0; parameters[k].name; k++) {
        const double least = ends[2 * k], most = -ends[2 * k + 1];
        number[k] = least == most ? least : NAN;
        if (least < most) append_range(&parameters[k], least, most, out, size);
    }
}

/* Name a prepared kernel, with the parameters that all ranks have chosen. */
static void note_choice(const struct bench *bench, struct contender *contender)
{
    const struct joint *joint = &contender->joint;
    struct result *result = contender->sampling.result;
    if (joint->stored[0]) result->resolved.format = storage_choice(joint->stored[0]);
    if (joint->local.kernel) {
        result->resolved.threads = joint->local.threads;
        result->resolved.values = joint->local.values;
    } else
        result->resolved.threads = 1;
    const struct kernel *kernel = result->resolved.kernel;
    struct ranked *ranked = &result->ranked;
    ranked->params[0] = 0;
    agree_parameters(bench->rounds.ranks, kernel->format->parameters, result->resolved.format.values.number,
                     ranked->params, sizeof ranked->params);
    agree_parameters(bench->rounds.ranks, kernel->parameters, result->resolved.values.number, ranked->params,
                     sizeof ranked->params);
    if (joint->way == &joint_by_petsc) petsc_version(result->library, sizeof result->library);
    result_name(result);
}

/* Devices */

/* The index of this rank among those of its node. */
static int place_on_node(const struct ranks *ranks)
{
    MPI_Comm node;
    int place;
    MPI_Comm_split_type(ranks->all, MPI_COMM_TYPE_SHARED, ranks->rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &place);
    MPI_Comm_free(&node);
    return place;
}

/* The most bytes that a rank sends or receives in a product of double precision. */
static int64_t most_exchanged(const struct bench *bench)
{
    const struct plan *plan = &bench->split.plan;
    int64_t elements = plan->sends > plan->halo ? plan->sends : plan->halo;
    int64_t width = value_width(PRECISION_F64, bench->split.share->own.imaginary != NULL);
    int64_t bytes = elements * product_columns(bench->rounds.options->product) * width;
    ranks_max(bench->rounds.ranks, &bytes, 1);
    return bytes;
}

/* Link the devices if no two ranks share one and all have the library. Otherwise elements pass through the
 * host's memory, which is no failure. */
static bool link_devices(struct bench *bench, bool shared)
{
    const struct ranks *ranks = bench->rounds.ranks;
    const struct device_exchange *calls = bench->device.type->exchange;
    char id[DEVICE_LINK_ID] = "";
    struct error error = {0};
    enum status status =
        shared || ranks->count == 1 || !calls || calls->unlinked() || getenv("SPARSIGHT_UNLINKED")
            ? STATUS_UNAVAILABLE
            : calls->open(&bench->device, &error);
    if (status == STATUS_OK && ranks->rank == 0) status = calls->link_id(id, &error);
    if (ranks_agree(ranks, status, &error) != STATUS_OK) return false;
    ranks_broadcast(ranks, 0, id, sizeof id);
    size_t bytes = (size_t)most_exchanged(bench);
    status = calls->link(&bench->device, id, ranks->count, ranks->rank, bytes, &error);
    return ranks_agree(ranks, status, &error) == STATUS_OK;
}

/* Open this rank's device when the first kernel needs one. */
static void open_device(struct bench *bench, const struct device_type *type)
{
    const struct ranks *ranks = bench->rounds.ranks;
    if (bench->opened) return;
    bench->opened = true;
    int count = type->count(), place = place_on_node(ranks), first = bench->rounds.options->device;
    enum status status = type->check(&bench->closed);
    if (status == STATUS_OK)
        status = device_open(type, count > first ? first + place % (count - first) : first, &bench->device,
                             &bench->closed);
    if (ranks_agree(ranks, status, &bench->closed) != STATUS_OK) return;
    int64_t shared = ranks->near > count - first;
    ranks_max(ranks, &shared, 1);
    bench->linked = link_devices(bench, shared != 0);
}

/* Groups: kernels whose storages exist at the same time */

static size_t bytes_stored(const struct bench *bench)
{
    size_t bytes = 0;
    for (int k = 0; k < bench->contender_count; k++)
        for (int part = 0; part < 2; part++) {
            const struct storage *storage = bench->contenders[k].joint.stored[part];
            bool counted = !storage;
            for (int other = 0; other < k && !counted; other++)
                counted = bench->contenders[other].joint.stored[part] == storage;
            if (!counted) size_add(bytes, storage_size(storage).allocated, &bytes);
        }
    return bytes;
}

static enum status make_vectors(struct bench *bench, enum precision precision, struct device *device,
                                struct error *error)
{
    const struct bench_options *options = bench->rounds.options;
    struct operands *vectors = &bench->vectors[precision];
    enum status status =
        vectors_make(&bench->split, precision, options->product, options->seed, bench->limit, vectors, error);
    return status == STATUS_OK && device ? operands_place(vectors, device, error) : status;
}

/* Prepare the next contender for a result, with the same outcome on all ranks. */
static enum status prepare(struct bench *bench, struct result *result, struct error *error)
{
    const struct ranks *ranks = bench->rounds.ranks;
    const struct kernel_choice *choice = &result->choice;
    const struct device_type *type = choice->kernel->backend->devices;
    enum precision precision = choice->format.precision;
    struct contender *contender = &bench->contenders[bench->contender_count];
    *contender = (struct contender){.sampling.result = result};
    if (type) open_device(bench, type);
    if (type && bench->closed.status != STATUS_OK) {
        *error = bench->closed;
        return error->status;
    }
    struct device *device = type ? &bench->device : NULL;
    enum status status = ranks_agree(ranks, make_vectors(bench, precision, device, error), error);
    if (status != STATUS_OK) return status;
    size_t used = bytes_stored(bench);
    const struct joint_options options = {.product = bench->rounds.options->product,
                                          .limit = bench->limit > used ? bench->limit - used : 1,
                                          .linked = type && bench->linked};
    status = joint_prepare(&bench->split, choice, &options, &bench->vectors[precision], device,
                           bench->rounds.progress, &contender->joint, error);
    return ranks_agree(ranks, status, error);
}

/* Add unfinished results to the group, as long as all ranks have room. */
static void gather_group(struct bench *bench)
{
    for (int k = 0; k < bench->count; k++) {
        struct error error = {0};
        struct contender *contender = &bench->contenders[bench->contender_count];
        if (bench->finished[k]) continue;
        enum status status = prepare(bench, &bench->results[k], &error);
        if (status == STATUS_OK) {
            bench->finished[k] = contender->sampling.ready = true;
            bench->contender_count++;
            note_choice(bench, contender);
            continue;
        }
        joint_release(&contender->joint);
        if ((status == STATUS_LIMIT || status == STATUS_MEMORY) && bench->contender_count > 0) continue;
        bench->results[k].status = status;
        bench->results[k].error = error;
        bench->finished[k] = true;
    }
}

static void end_group(struct bench *bench)
{
    for (int k = 0; k < bench->contender_count; k++) {
        joint_release(&bench->contenders[k].joint);
        free(bench->contenders[k].sampling.seconds);
    }
    bench->contender_count = 0;
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
    bench->finished = memory_zeroed((size_t)bench->count, sizeof *bench->finished, error);
    if (!bench->contenders || !bench->finished) status = STATUS_MEMORY;
    status = ranks_agree(bench->rounds.ranks, status, error);
    while (status == STATUS_OK && some_left(bench)) {
        gather_group(bench);
        for (int k = 0; k < bench->contender_count; k++)
            ranked_warm_up(&bench->rounds, &bench->contenders[k]);
        status = ranked_rounds(&bench->rounds, bench->contenders, bench->contender_count, error);
        end_group(bench);
    }
    return status;
}

static enum status check_options(const struct bench_options *options, struct error *error)
{
    if (options->x || options->b || options->natural || options->cold || options->outlooks ||
        options->protocol != PROTOCOL_MEDIAN)
        return error_set(error, STATUS_UNAVAILABLE,
                         "over ranks kernels are timed with warm caches and random vectors alone");
    return STATUS_OK;
}

/* The steps of a run that are the same as in one process. */
static void note_run(const struct share *share, const struct bench_options *options, struct results *results)
{
    results->options = *options;
    results->held = false;
    results->rows = share->rows;
    results->cols = share->cols;
    results->nnz = share->nnz;
    results->machines = (struct machines){0};
}

struct ranked ranks_unrun(const struct ranks *ranks)
{
    return (struct ranked){.ranks = ranks->count,
                           .exchange_seconds = NAN,
                           .wait_seconds = NAN,
                           .compute_seconds = NAN,
                           .imbalance = NAN};
}

enum status ranks_bench(const struct ranks *ranks, const struct share *share, struct results *results,
                        const struct bench_options *options, struct progress *progress, struct error *error)
{
    struct bench bench = {.rounds = {.ranks = ranks, .options = options, .progress = progress},
                          .results = results->items,
                          .count = results->count,
                          .limit = memory_limit(options->limit) / (size_t)ranks->near};
    enum status status = check_options(options, error);
    if (status == STATUS_OK) status = split_make(ranks, share, bench.limit, &bench.split, error);
    if (status != STATUS_OK) return status;
    note_run(share, options, results);
    for (int k = 0; k < bench.count; k++)
        result_clear(&results->items[k], share->own.imaginary != NULL, options->product, (double)share->nnz,
                     (double)share->rows);
    status = run_all(&bench, error);
    for (int k = 0; k < bench.count; k++)
        if (results->items[k].status != STATUS_OK) results->items[k].ranked = ranks_unrun(ranks);
    free(bench.contenders);
    free(bench.finished);
    operands_free(&bench.vectors[PRECISION_F64]);
    operands_free(&bench.vectors[PRECISION_F32]);
    device_close(&bench.device);
    split_free(&bench.split);
    return status;
}
