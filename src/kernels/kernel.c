#include "kernels/kernel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/threads.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/gpu/profile.h"
#include "kernels/libraries/library.h"

void kernel_name(const struct kernel *kernel, struct text *text)
{
    text_append(text, "%s/%s", kernel->backend->name, kernel->name);
}

const struct kernel *kernel_paced(const struct kernel *kernel)
{
    while (kernel->pace.like)
        kernel = kernel->pace.like;
    return kernel;
}

bool kernel_borrows(const struct kernel *kernel)
{
    return kernel->pace.like != NULL;
}

bool kernel_takes_csr(const struct kernel *kernel)
{
    return kernel->format == &format_csr && !(kernel->prepare_cost > 0);
}

enum host_work host_work_of(const struct kernel *kernel, const struct storage *storage)
{
    return kernel->host.work_of ? kernel->host.work_of(storage) : kernel->host.work;
}

enum kernel_order kernel_order(const struct kernel *kernel, struct product product, int64_t apart)
{
    unsigned kind = product.transposed             ? UNORDERED_TRANSPOSED
                    : product_columns(product) > 1 ? UNORDERED_COLUMNS
                                                   : UNORDERED_SINGLE;
    if (kernel->backend->library || kernel->order_unknown) return KERNEL_ORDER_UNKNOWN;
    if (kernel->unordered & UNORDERED_APART && apart == 0) return KERNEL_ORDERED;
    return kernel->unordered & kind ? KERNEL_UNORDERED : KERNEL_ORDERED;
}

const char *kernel_order_words(const struct kernel *kernel)
{
#define REASON "it is not deterministic: threads add to sums in the order of their arrival"
    if (kernel->unordered & UNORDERED_APART) return "where entries are in COO " REASON;
    switch (kernel->unordered) {
    case 0:
        return NULL;
    case UNORDERED_COLUMNS:
        return "with several vectors " REASON;
    case UNORDERED_TRANSPOSED:
        return "with the transposed matrix " REASON;
    case UNORDERED_COLUMNS | UNORDERED_TRANSPOSED:
        return "with several vectors and with the transposed matrix " REASON;
    default:
        return REASON;
    }
#undef REASON
}

static enum status check_complex(const struct kernel *kernel, bool complex, struct error *error)
{
    if (!complex || kernel->complex) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "the matrix is complex: the kernel takes real ones only%s%s",
                     kernel->real_only ? ", since " : "", kernel->real_only ? kernel->real_only : "");
}

enum status kernel_computes(const struct kernel *kernel, struct product product, struct error *error)
{
    int columns = product_columns(product), max = kernel->columns_max > 1 ? kernel->columns_max : 1;
    if (product.transposed && !kernel->transposes)
        return error_set(error, STATUS_UNAVAILABLE, "%s does not multiply with the transposed matrix",
                         kernel->name);
    if (columns > max)
        return error_set(error, STATUS_UNAVAILABLE, "%s multiplies %d vector%s at a time, not %d",
                         kernel->name, max, max == 1 ? "" : "s", columns);
    return STATUS_OK;
}

enum status kernel_check(const struct kernel *kernel, bool complex, struct product product,
                         struct error *error)
{
    enum status status = check_complex(kernel, complex, error);
    if (status == STATUS_OK) status = backend_check(kernel->backend, error);
    return status == STATUS_OK ? kernel_suits(kernel, complex, product, error) : status;
}

enum status kernel_suits(const struct kernel *kernel, bool complex, struct product product,
                         struct error *error)
{
    const struct library *library = kernel->backend->library;
    const char *reason = kernel->unavailable ? kernel->unavailable()
                         : library           ? library_unavailable(library)
                                             : NULL;
    if (reason) return error_set(error, STATUS_UNAVAILABLE, "%s", reason);
    enum status status = check_complex(kernel, complex, error);
    return status == STATUS_OK ? kernel_computes(kernel, product, error) : status;
}

/* The minimum compute capabilities for the features that kernels need: the CUDA C++ Programming Guide, "Warp
 * Shuffle Functions" and "atomicAdd()", and the release notes of CUDA 12, which ends support for Kepler. */
static const struct {
    unsigned need;
    int major;
    const char *words;
} abilities[] = {{NEEDS_SHUFFLES, 3, "shuffles need"},
                 {NEEDS_CUSPARSE, 5, "cuSPARSE 12 needs"},
                 {NEEDS_F64_ATOMICS, 6, "atomic additions of doubles need"}};

enum status kernel_runs_on(const struct kernel_choice *choice, const struct gpu *gpu, struct error *error)
{
    const struct kernel *kernel = choice->kernel;
    unsigned needs = kernel->needs_of ? kernel->needs_of(choice) : kernel->needs;
    if (choice->format.precision == PRECISION_F32) needs &= ~NEEDS_F64_ATOMICS;
    for (size_t k = 0; k < sizeof abilities / sizeof *abilities; k++)
        if ((needs & abilities[k].need) && gpu->major < abilities[k].major)
            return error_set(error, STATUS_UNAVAILABLE, "%s compute capability %d.0, and the %s has %d.%d",
                             abilities[k].words, abilities[k].major, gpu->title, gpu->major, gpu->minor);
    return STATUS_OK;
}

/* Check that the kernel can compute the product, and prepare it. */
static enum status prepare(struct launch *launch, const struct launch_options *options, struct error *error)
{
    const struct kernel *kernel = launch->kernel;
    launch->product = options->product;
    launch->product.columns = product_columns(options->product);
    launch->limit = options->limit;
    launch->times = options->times > 1 ? options->times : 1;
    launch->pattern = options->pattern;
    enum status status = check_complex(kernel, launch->storage->complex, error);
    if (status == STATUS_OK) status = kernel_computes(kernel, launch->product, error);
    if (status == STATUS_OK && kernel->takes) status = kernel->takes(launch->storage, error);
    return status == STATUS_OK && kernel->prepare ? kernel->prepare(launch, error) : status;
}

enum status kernel_prepare(const struct kernel_choice *choice, const struct storage *storage,
                           const struct launch_options *options, struct launch *launch, struct error *error)
{
    const struct kernel *kernel = choice->kernel;
    int threads = choice->threads > 0 ? choice->threads : threads_count();
    *launch =
        (struct launch){.kernel = kernel, .storage = storage, .resident = storage, .values = choice->values};
    launch->threads = kernel->sequential ? 1 : threads;
    enum status status = kernel_check(kernel, storage->complex, options->product, error);
    if (status != STATUS_OK) return status;
    if (kernel->backend->devices)
        return error_set(error, STATUS_UNAVAILABLE, "%s runs on a device only", kernel->name);
    return prepare(launch, options, error);
}

enum status kernel_prepare_on(struct device *device, const struct kernel_choice *choice,
                              const struct storage *storage, const struct storage *resident,
                              const struct launch_options *options, struct launch *launch,
                              struct error *error)
{
    *launch = (struct launch){.kernel = choice->kernel,
                              .storage = storage,
                              .resident = resident,
                              .device = device,
                              .values = choice->values};
    return prepare(launch, options, error);
}

void kernel_run(struct launch *launch, const void *x, void *y)
{
    launch->x = launch->host_x = x;
    launch->y = y;
    launch->kernel->run(launch);
}

void kernel_release(struct launch *launch)
{
    if (launch->kernel && launch->kernel->release && launch->state) launch->kernel->release(launch);
    *launch = (struct launch){0};
}

void traffic_pass(const struct storage *storage, int64_t slots, unsigned roles, struct traffic *traffic)
{
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        if (!array->per_slot || array->part != 0 || !(roles >> array->role & 1)) continue;
        const size_t bytes = (size_t)slots * element_size(array->element);
        traffic->array_bytes -= bytes;
        traffic->passed_bytes += bytes;
    }
}

struct traffic kernel_traffic(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    const int64_t columns = product_columns(launch->product);
    const int64_t y_size = product_y_size(launch->product, storage->rows, storage->cols);
    struct traffic traffic = {.array_bytes = storage_size(storage).bytes,
                              .x_loads = storage_slots(storage),
                              .y_loads = launch->product.accumulate ? y_size : 0,
                              .y_stores = y_size,
                              .transfer_seconds = NAN};
    if (launch->kernel->traffic) launch->kernel->traffic(launch, &traffic);
    traffic.x_loads *= columns;
    traffic.y_loads *= columns;
    traffic.y_stores *= columns;
    return traffic;
}

struct kernel_bytes kernel_bytes(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    const struct traffic traffic = kernel_traffic(launch);
    double value = (double)element_size(storage_values(storage, 0)->element);
    double arrays = (double)traffic.array_bytes + (double)traffic.own_bytes;
    double vectors = value * product_columns(launch->product);
    double x = vectors * (double)product_x_size(launch->product, storage->rows, storage->cols),
           y = vectors * (double)product_y_size(launch->product, storage->rows, storage->cols) *
               (launch->product.accumulate ? 2 : 1);
    double x_moved = value * (double)traffic.x_loads,
           y_moved = value * ((double)traffic.y_loads + (double)traffic.y_stores);
    return (struct kernel_bytes){.plus = arrays + x + y, .minus = arrays + x_moved + y_moved};
}

/* The table of kernels. */

#define KERNEL(name) extern const struct kernel kernel_##name;
#include "kernels/kernels.def"
#undef KERNEL

const struct kernel *const kernels[] = {
#define KERNEL(name) &kernel_##name,
#include "kernels/kernels.def"
#undef KERNEL
    NULL,
};

char *product_equation(struct product product, char *out)
{
    bool several = product_columns(product) > 1;
    snprintf(out, PRODUCT_TEXT, "%c %s %s %c", several ? 'Y' : 'y', product.accumulate ? "+=" : "=",
             product.transposed ? "A^T" : "A", several ? 'X' : 'x');
    return out;
}

char *product_write(struct product product, char *out)
{
    char equation[PRODUCT_TEXT];
    product_equation(product, equation);
    if (product_columns(product) > 1)
        snprintf(out, PRODUCT_TEXT, "%.14s, %d columns, %s-major", equation, product_columns(product),
                 product.by_rows ? "row" : "column");
    else
        snprintf(out, PRODUCT_TEXT, "%s", equation);
    return out;
}
