/* The kernels of a GPU, each product by itself, for a profiler to count its memory requests; and a plan of
 * the expected counts by their traces, prepared for an estimated GPU with the facts of the same GPU.
 *
 *     profile_gpu [-n] PLAN [KERNELS [MATRIX...]]
 *     profile_gpu -m    the names of the counters, with commas
 *     profile_gpu -g    1, and why, if there is no GPU
 *
 * PLAN is written: a line for each launch of a kernel in the order of the launches, with fields separated by
 * tabs, below a line with their names. -n: only that, on any machine, for the standard GPU
 * (kernels/gpu/profile.h). KERNELS is a list as --kernels takes them, a MATRIX what sparsight opens; without,
 * the tables of this page. y begins at a multiple of 4 MiB, since reductions are counted by lines whose
 * address has a say in it (data/measured/gpu-rules). Nothing else runs on the GPU. SPARSIGHT_DEVICE names it,
 * counted from 0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "bench/peers/subjects.h"
#include "gpu/wavefronts.h"
#include "kernels/gpu/device.h"
#include "kernels/gpu/paper.h"
#include "kernels/gpu/profile.h"
#include "kernels/gpu/trace.h"
#include "kernels/list.h"
#include "matrix/matrix.h"

#define Y_ALIGNMENT ((uintptr_t)4 << 20)
#define LARGEST ((size_t)64 << 20) /* bytes of a storage: more padding takes too long to replay */
#define LAUNCHES_MAX 8             /* of a product: JDS may have one for each length of rows */

/* The kernels that run on a matrix. */
enum reach {
    DEFAULTS,
    SETS,    /* also the kernels of sets_of_kernels */
    ADDED,   /* that, and y += A x with the defaults */
    COMPLEX, /* the defaults, on the matrix with imaginary parts */
};

static const struct profiled {
    struct subject subject;
    enum reach reach;
    const char *folder; /* of the sources, where a file lies; NULL: data */
} profiled[] = {
    {{"powerlaw.mtx.gz", MAKE_AS_IT_IS}, ADDED},
    {{"powerlaw-complex", MAKE_AS_IT_IS, "gen:powerlaw,scale=10,edge=8"}, COMPLEX},
    {{"stencil27-complex", MAKE_AS_IT_IS, "gen:stencil27,n=10"}, COMPLEX},
    {{"strips.mtx", MAKE_AS_IT_IS}, DEFAULTS, "tests/support"},
    {{"arrow.mtx.gz", MAKE_AS_IT_IS}, DEFAULTS},
    {{"banded.mtx.gz", MAKE_AS_IT_IS}, DEFAULTS},
    {{"blocks.mtx.gz", MAKE_AS_IT_IS}, DEFAULTS},
    {{"permutation.mtx.gz", MAKE_AS_IT_IS}, DEFAULTS},
    {{"stencil27-16", MAKE_AS_IT_IS, "gen:stencil27,n=16"}, DEFAULTS},
    {{"laplace2d-150", MAKE_AS_IT_IS, "gen:laplace2d,n=150"}, DEFAULTS},
    {{"powerlaw-13", MAKE_AS_IT_IS, "gen:powerlaw,scale=13,edge=12"}, DEFAULTS},
    {{"random-20000", MAKE_AS_IT_IS, "gen:random,m=20000,n=12000,mean=6,spread=6"}, DEFAULTS},
    {{"bcsstk33", MAKE_TILED, "bcsstk33"}, SETS},
    {{"wiki-Vote", MAKE_TILED, "wiki-Vote"}, DEFAULTS},
    {{"FIT2D", MAKE_TILED, "FIT2D_A"}, DEFAULTS},
    {{0}, DEFAULTS},
};

/* Parameters that change the requests of a warp. */
static const char sets_of_kernels[] =
    "cuda/csr-scalar:block=64 cuda/csr-vector:threads=2 cuda/csr-vector:threads=8 "
    "cuda/csr-vector:threads=8,aligned=yes cuda/csr-vector:threads=32 "
    "cuda/csr-vector:threads=32,aligned=yes cuda/csr-vector:reduce=shared "
    "cuda/csr-balanced:columns=16 cuda/csr-balanced:columns=32 "
    "cuda/csr-balanced:columns=32,tiles=1,run=1 cuda/csr-balanced:values=8 "
    "cuda/csr-balanced:columns=32,values=0 cuda/sell:c=32,sigma=1,values=8 "
    "cuda/csr-segmented:entries=1,block=64 "
    "cuda/csr-segmented:entries=2 cuda/csr-segmented:entries=4 "
    "cuda/csr-swept:sums=1000 cuda/csr-swept:block=128,pieces=3 "
    "cuda/coo-atomic:order=random "
    "cuda/coo-segmented:steps=2 cuda/hyb:k=4 cuda/hyb:k=2,pad=sentinel cuda/hyb-fused:k=2 "
    "cuda/hyb-fused:k=2,block=32 cuda/hyb-fused:k=4,pad=sentinel cuda/jds:longest=16 "
    "cuda/jds-sections:longest=16 cuda/jds-sections:height=200,inside=csr cuda/cmrs:height=1 "
    "cuda/cmrs:height=4,packed=1 cuda/cmrs:height=16 cuda/cmrs:height=16,sorted=1 "
    "cuda/cmrs:height=8,packed=1,sorted=1,aligned=yes cuda/cmrs-padded:modulo=1 "
    "cuda/cmrs-padded:modulo=8,packed=1 cuda/cmrs-padded:modulo=32 cuda/sell:c=32,sigma=1,columns=16 "
    "cuda/bsr:size=2 cuda/bsr:size=3,copies=0 cuda/bsr:size=4,lanes=4 cuda/bsr:size=4,lanes=32 "
    "cuda/bsr:size=7,copies=0 "
    "cuda/bsr:size=8 cuda/sell:c=32,sigma=1,columns=32 cuda/sell:c=64,sigma=1024,ahead=4 "
    "cuda/sell:c=128,sigma=1";

/* Counters */

enum figure { REQUESTS, SECTORS, LINES, WAVEFRONTS, CONFLICTS, LANES };

struct counter {
    const char *name;
    enum access access;
    enum figure figure;
};

static const struct counter counters[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", ACCESS_LOAD, REQUESTS},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", ACCESS_LOAD, SECTORS},
    {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum", ACCESS_LOAD, LINES},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", ACCESS_STORE, REQUESTS},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", ACCESS_STORE, SECTORS},
    {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_st.sum", ACCESS_STORE, LINES},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", ACCESS_REDUCTION, REQUESTS},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", ACCESS_REDUCTION, SECTORS},
    {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum", ACCESS_REDUCTION, LINES},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", ACCESS_ATOMIC, REQUESTS},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", ACCESS_ATOMIC, SECTORS},
    {"l1tex__t_set_accesses_pipe_lsu_mem_global_op_atom.sum", ACCESS_ATOMIC, LINES},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", ACCESS_LOAD, WAVEFRONTS},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", ACCESS_STORE, WAVEFRONTS},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", ACCESS_ATOMIC, WAVEFRONTS},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", ACCESS_LOAD, CONFLICTS},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", ACCESS_STORE, CONFLICTS},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum", ACCESS_ATOMIC, CONFLICTS},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", ACCESS_LOAD, LANES},
    {0},
};

/* Over all operands in the GPU's memory. */
static struct trace_counts in_memory(const struct tracer *tracer, enum access access)
{
    struct tracer sum = {0}, more = {0};
    for (int o = 0; o < OPERANDS; o++) {
        if (o == OPERAND_SHARED) continue;
        more.count[0][0] = tracer->count[access][o];
        trace_add(&sum, &more);
    }
    return sum.count[0][0];
}

/* A launch, replayed. */
struct replayed {
    struct trace_stage stage;
    struct tracer tracer;
    int64_t wavefronts[ACCESSES]; /* of shared memory */
};

/* The expected counter; NaN: unknown. Of all instructions only those that load are known: active lanes of
 * one. */
static double predict(const struct counter *counter, const struct replayed *replayed)
{
    const struct tracer *tracer = &replayed->tracer;
    const struct trace_counts memory = in_memory(tracer, counter->access);
    switch (counter->figure) {
    case REQUESTS:
        return (double)memory.requests;
    case SECTORS:
        return (double)memory.sectors;
    case LINES:
        return (double)memory.lines;
    case WAVEFRONTS:
        return (double)replayed->wavefronts[counter->access];
    case CONFLICTS:
        return (double)tracer->count[counter->access][OPERAND_SHARED].conflicts;
    case LANES:
        break;
    }
    return memory.requests > 0 ? (double)memory.lanes / (double)memory.requests : NAN;
}

/* Running */

struct profile {
    struct device device; /* not open: nothing runs */
    struct device paper;
    FILE *plan;
    int64_t launches;
};

/* A matrix in one precision, and vectors. */
struct subject_here {
    const char *name;
    const struct csr *a;
    enum precision precision;
    bool added;
    void *x, *host_x, *y_memory, *y;
};

/* All launches of a product. */
struct replayed_product {
    struct replayed launch[LAUNCHES_MAX];
    int count;
};

/* A tracer's show. */
static void add_wavefronts(void *context, const struct request *request)
{
    int64_t *sum = context;
    if (request->ask->operand == OPERAND_SHARED) sum[request->ask->access] += wavefronts(request);
}

/* Warps that fetch units dynamically: the work that each warp does once is not in the trace of a unit.
 * csr-balanced counts units by adding integers in shared memory, which is one pass, and each warp finds out
 * in the end that there is none; a lane of each block begins the count. */
static void add_ends(struct replayed *launch)
{
    const struct trace_stage *stage = &launch->stage;
    if (!stage->unit) return;
    launch->wavefronts[ACCESS_ATOMIC] = stage->warps + stage->blocks * (stage->threads / TRACE_LANES);
    launch->wavefronts[ACCESS_STORE] += stage->blocks;
}

static bool replay(const struct launch *launch, struct replayed_product *product)
{
    int64_t stages = trace_stages(launch);
    product->count = 0;
    if (stages > LAUNCHES_MAX) return false;
    for (int64_t s = 0; s < stages; s++) {
        struct replayed *replayed = &product->launch[product->count];
        *replayed = (struct replayed){.tracer = {.show = add_wavefronts, .context = replayed->wavefronts}};
        trace_stage(launch, s, &replayed->stage);
        if (replayed->stage.blocks == 0) continue;
        for (int64_t warp = 0; warp < replayed->stage.warps; warp++)
            trace_warp(launch, s, warp, &replayed->tracer);
        add_ends(replayed);
        product->count++;
    }
    return true;
}

/* Counters that may exceed the replayed ones, since they depend on timing:
 * - conflicts in shared memory: the counter takes in passes that a warp loses to others. The passes of its
 *   own instructions are in the wavefronts.
 * - loads of csr-balanced and csr-segmented, if rows have parts (which are given by stores to tables): they
 *   are repeated until another warp's part has arrived;
 * - additions of hyb-fused in shared memory, if a block has several warps: they are repeated if another
 *   warp has changed the element meanwhile. */
static const char *at_least(const struct launch *launch, const struct replayed *replayed)
{
    const struct kernel *kernel = launch->kernel;
    bool parts = strcmp(kernel->name, "csr-balanced") == 0 || strcmp(kernel->name, "csr-segmented") == 0;
    bool gives = parts && replayed->tracer.count[ACCESS_STORE][OPERAND_TABLES].requests > 0;
    bool meets = strcmp(kernel->name, "hyb-fused") == 0 && replayed->stage.threads > TRACE_LANES;
    return gives   ? "bank_conflicts global_op_ld"
           : meets ? "bank_conflicts shared_op_ld shared_op_atom"
                   : "bank_conflicts";
}

static void write_heading(const struct profile *profile)
{
    fputs("matrix\tkernel\tparameters\tprecision\tproduct\tfunction\tblocks\tthreads\tat least",
          profile->plan);
    for (const struct counter *counter = counters; counter->name; counter++)
        fprintf(profile->plan, "\t%s", counter->name);
    fputc('\n', profile->plan);
}

static void write_launches(struct profile *profile, const struct subject_here *here,
                           const struct launch *launch, const char *parameters,
                           const struct replayed_product *product)
{
    for (int s = 0; s < product->count; s++) {
        const struct replayed *replayed = &product->launch[s];
        const struct trace_stage *stage = &replayed->stage;
        fprintf(profile->plan, "%s\t%s\t%s\t%s\t%s\t%s\t%lld\t%d\t%s", here->name, launch->kernel->name,
                *parameters ? parameters : "-", value_name(here->precision, here->a->imaginary != NULL),
                here->added ? "y +=" : "y =", stage->function, (long long)stage->blocks, stage->threads,
                at_least(launch, replayed));
        for (const struct counter *counter = counters; counter->name; counter++)
            fprintf(profile->plan, "\t%.10g", predict(counter, replayed));
        fputc('\n', profile->plan);
    }
    profile->launches += product->count;
}

/* One product, waited for. */
static enum status run_once(struct device *device, const struct subject_here *here, struct launch *launch,
                            struct error *error)
{
    char byte;
    launch->x = here->x;
    launch->host_x = here->host_x;
    launch->y = here->y;
    launch->kernel->run(launch);
    return device->type->read(device, &byte, here->y, 1, error);
}

static enum status run_there(struct device *device, const struct subject_here *here,
                             const struct kernel_choice *choice, const struct storage *storage,
                             struct error *error)
{
    struct storage resident;
    struct launch launch = {0};
    double seconds;
    if (!device->type) return STATUS_OK;
    enum status status = device_store(device, storage, &resident, &seconds, error);
    if (status == STATUS_OK)
        status =
            kernel_prepare_on(device, choice, storage, &resident,
                              &(struct launch_options){.product.accumulate = here->added}, &launch, error);
    if (status == STATUS_OK) status = run_once(device, here, &launch, error);
    kernel_release(&launch);
    device_unstore(device, &resident);
    return status;
}

static enum status run_stored(struct profile *profile, const struct subject_here *here,
                              const struct kernel_choice *choice, const struct storage *storage,
                              const char *parameters, struct error *error)
{
    struct launch on_paper;
    struct replayed_product product;
    enum status status =
        paper_prepare(&profile->paper, choice, storage,
                      &(struct launch_options){.product.accumulate = here->added}, &on_paper, error);
    if (status == STATUS_OK && replay(&on_paper, &product)) {
        status = run_there(&profile->device, here, choice, storage, error);
        if (status == STATUS_OK) write_launches(profile, here, &on_paper, parameters, &product);
    }
    kernel_release(&on_paper);
    return status;
}

/* The parameters as the plan has them: the kernel's own first. */
static char *parameters_of(const struct kernel_choice *choice, char *out, size_t size)
{
    out[0] = 0;
    bool own = parameters_write(choice->kernel->parameters, &choice->values, "", out, size);
    parameters_write(choice->kernel->format->parameters, &choice->format.values, own ? "," : "", out, size);
    return out;
}

/* Kernels and formats that refuse a matrix are left out; any other failure ends the run. */
static enum status run_choice(struct profile *profile, const struct subject_here *here,
                              const struct kernel_choice *listed, struct error *error)
{
    const struct format_options options = {.limit = LARGEST};
    const struct kernel_choice choice = kernel_choice_with(listed, here->precision, 0);
    struct storage storage;
    struct error reason = {0};
    char parameters[CHOICE_NAME];
    if (!choice.kernel->trace) return STATUS_OK;
    parameters_of(&choice, parameters, sizeof parameters);
    enum status status = format_convert(&choice.format, &options, here->a, NULL, &storage, &reason);
    if (status == STATUS_OK) status = run_stored(profile, here, &choice, &storage, parameters, &reason);
    storage_free(&storage);
    bool refused = status == STATUS_UNAVAILABLE || status == STATUS_LIMIT;
    if (status == STATUS_OK || (refused && profile->device.lost.status == STATUS_OK)) return STATUS_OK;
    return error_set(error, status, "%s:%s on %s: %s", choice.kernel->name, parameters, here->name,
                     reason.message);
}

/* Vectors */

static void free_vectors(struct device *device, struct subject_here *here)
{
    if (!device->type) return;
    device_release(device, here->x);
    device_release(device, here->y_memory);
    free(here->host_x);
}

/* x, or each of its parts, from 1/2 to 1, so that every sum changes; y is 0. */
static enum status make_vectors(struct device *device, struct subject_here *here, struct error *error)
{
    size_t size = (size_t)value_width(here->precision, here->a->imaginary != NULL);
    size_t cols = (size_t)here->a->cols, bytes = (size_t)here->a->rows * size + Y_ALIGNMENT;
    if (!device->type) return STATUS_OK;
    here->host_x = memory_array(cols + 1, size, error);
    if (!here->host_x) return STATUS_MEMORY;
    for (size_t p = 0; p < cols * (here->a->imaginary ? 2 : 1); p++) {
        double x = 0.5 + (double)(p % 1009) / 2018;
        if (here->precision == PRECISION_F32)
            ((float *)here->host_x)[p] = (float)x;
        else
            ((double *)here->host_x)[p] = x;
    }
    here->x = device_copy_of(device, here->host_x, cols * size, "x", error);
    here->y_memory = device_array(device, bytes, 1, "y", error);
    if (!here->x || !here->y_memory) return error->status;
    here->y = (void *)(((uintptr_t)here->y_memory + Y_ALIGNMENT - 1) / Y_ALIGNMENT * Y_ALIGNMENT);
    return device->type->fill(device, here->y_memory, 0, bytes, error);
}

/* The first `count` of the list. */
static enum status run_subject(struct profile *profile, struct subject_here *here,
                               const struct kernel_list *list, int count, struct error *error)
{
    enum status status = make_vectors(&profile->device, here, error);
    for (int k = 0; k < count && status == STATUS_OK; k++)
        status = run_choice(profile, here, &list->choices[k], error);
    free_vectors(&profile->device, here);
    return status;
}

/* Matrices */

/* Give a matrix imaginary parts, which are its values in the opposite order; or take them away. */
static enum status set_imaginary(struct csr *a, bool complex, struct error *error)
{
    free(a->imaginary);
    a->imaginary = NULL;
    if (!complex) return STATUS_OK;
    int64_t nnz = csr_nnz(a);
    a->imaginary = memory_array((size_t)nnz, sizeof *a->imaginary, error);
    if (!a->imaginary) return STATUS_MEMORY;
    for (int64_t k = 0; k < nnz; k++)
        a->imaginary[k] = a->val[nnz - 1 - k];
    return STATUS_OK;
}

/* The first `defaults` of the list have no parameters. */
static enum status run_matrix(struct profile *profile, const struct profiled *which,
                              const struct matrix *matrix, const struct kernel_list *list, int defaults,
                              struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < (which->reach == ADDED ? 4 : 2) && status == STATUS_OK; k++) {
        struct subject_here here = {.name = which->subject.name,
                                    .a = &matrix->csr,
                                    .precision = k % 2 ? PRECISION_F32 : PRECISION_F64,
                                    .added = k / 2};
        status = run_subject(profile, &here, list, here.added ? defaults : list->count, error);
    }
    return status;
}

/* Those without a specification are files of the sources. Real ones that are not there are left out. */
static enum status run_profiled(struct profile *profile, const struct profiled *which, const char *names,
                                struct error *error)
{
    const char *source = getenv("SRCDIR"), *folder = which->folder ? which->folder : "data";
    struct subject subject = which->subject;
    struct kernel_list list = {0};
    struct matrix matrix = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/%s", source ? source : ".", folder, subject.name);
    if (!subject.file) subject.file = path;
    enum status status = kernel_list_add(&list, names ? names : "cuda", error);
    int defaults = list.count;
    if (status == STATUS_OK && !names && which->reach != DEFAULTS && which->reach != COMPLEX)
        status = kernel_list_add(&list, sets_of_kernels, error);
    if (status == STATUS_OK) {
        struct error reason = {0};
        status = subject_make(&subject, 1, &matrix, &reason);
        if (status == STATUS_UNAVAILABLE && subject.making == MAKE_TILED)
            fprintf(stderr, "profile_gpu: left out: %s\n", reason.message);
        else if (status != STATUS_OK)
            error_set(error, status, "%s", reason.message);
    }
    if (status == STATUS_OK) status = set_imaginary(&matrix.csr, which->reach == COMPLEX, error);
    if (status == STATUS_OK) status = run_matrix(profile, which, &matrix, &list, defaults, error);
    matrix_free(&matrix);
    kernel_list_free(&list);
    return status == STATUS_UNAVAILABLE && error->status == STATUS_OK ? STATUS_OK : status;
}

static enum status run_all(struct profile *profile, int argc, char **argv, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 1; k < argc && status == STATUS_OK; k++) {
        const struct profiled named = {{argv[k], MAKE_AS_IT_IS, argv[k]}, DEFAULTS};
        status = run_profiled(profile, &named, argv[0], error);
    }
    for (const struct profiled *which = profiled; argc < 2 && which->subject.name && status == STATUS_OK;
         which++)
        status = run_profiled(profile, which, argc > 0 ? argv[0] : NULL, error);
    return status;
}

static int print_counters(void)
{
    for (const struct counter *counter = counters; counter->name; counter++)
        printf("%s%s", counter == counters ? "" : ",", counter->name);
    putchar('\n');
    return 0;
}

static enum status begin(struct profile *profile, bool runs, const char *plan, struct error *error)
{
    const char *number = getenv("SPARSIGHT_DEVICE");
    struct device_facts facts = {.name = ""};
    struct gpu gpu;
    enum status status;
    if (runs) {
        status = device_open(backend_cuda.devices, number ? atoi(number) : 0, &profile->device, error);
        facts = profile->device.facts;
    } else {
        status = gpu_find(GPU_STANDARD, &gpu, error);
        if (status == STATUS_OK) gpu_facts(&gpu, &facts);
    }
    paper_open(&facts, &profile->paper);
    if (status == STATUS_OK && !(profile->plan = fopen(plan, "w")))
        status = error_set(error, STATUS_IO, "%s cannot be written", plan);
    return status;
}

static enum status end(struct profile *profile, enum status status, const char *plan, struct error *error)
{
    if (profile->plan && fclose(profile->plan) != 0 && status == STATUS_OK)
        status = error_set(error, STATUS_IO, "%s cannot be written", plan);
    device_close(&profile->device);
    return status;
}

int main(int argc, char **argv)
{
    static struct profile profile;
    struct error error = {0};
    char text[1800];
    const char *option = argc > 1 ? argv[1] : "";
    bool runs = strcmp(option, "-n") != 0;
    int at = runs ? 1 : 2;
    if (strcmp(option, "-m") == 0) return print_counters();
    if (strcmp(option, "-g") != 0 && (argc <= at || *argv[at] == '-')) {
        fputs("profile_gpu [-n] PLAN [KERNELS [MATRIX...]]\n", stderr);
        return 2;
    }
    enum status status = runs ? backend_cuda.devices->check(&error) : STATUS_OK;
    if (status == STATUS_OK && strcmp(option, "-g") == 0) return 0;
    if (status == STATUS_OK) status = begin(&profile, runs, argv[at], &error);
    if (status == STATUS_OK) {
        write_heading(&profile);
        status = run_all(&profile, argc - at - 1, argv + at + 1, &error);
        printf("%s%s: %lld launches\n", runs ? "" : "planned for ", profile.paper.facts.name,
               (long long)profile.launches);
    }
    if (argc > at) status = end(&profile, status, argv[at], &error);
    if (status != STATUS_OK) fprintf(stderr, "profile_gpu: %s\n", error_text(&error, text, sizeof text));
    return status == STATUS_OK ? 0 : 1;
}
