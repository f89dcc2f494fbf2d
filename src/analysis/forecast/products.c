#include "analysis/forecast/products.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/interval.h"
#include "analysis/forecast/products_parts.h"
#include "analysis/forecast/time.h"
#include "base/memory.h"
#include "base/range.h"
#include "kernels/cuda/products/entries.h"
#include "kernels/gpu/device.h"

static const char *const names[PRODUCT_KINDS] = {
    "rows", "columns", "transposed", "transposed-rows", "transposed-columns", "windows", "straight"};

enum product_kind product_kind_of(struct product product)
{
    const bool several = product_columns(product) > 1;
    if (!product.transposed)
        return !several ? PRODUCT_KINDS : product.by_rows ? PRODUCT_ROWS : PRODUCT_COLUMNS;
    return !several          ? PRODUCT_TRANSPOSED
           : product.by_rows ? PRODUCT_TRANSPOSED_ROWS
                             : PRODUCT_TRANSPOSED_COLUMNS;
}

const char *product_kind_name(enum product_kind kind)
{
    return names[kind];
}

const struct kernel_pace *product_pace_of(const struct kernel *kernel, enum product_kind kind)
{
    kernel = kernel_paced(kernel);
    for (const struct product_pace *pace = product_paces; pace->kernel; pace++) {
        const char *name = strchr(pace->kernel, '/') + 1;
        const size_t length = (size_t)(name - pace->kernel) - 1;
        if (pace->kind == kind && strcmp(name, kernel->name) == 0 &&
            strncmp(pace->kernel, kernel->backend->name, length) == 0 && !kernel->backend->name[length])
            return &pace->pace;
    }
    return NULL;
}

static int power_of_two(double wide)
{
    int size = 4;
    while (size < wide && size < REUSE_GRANULE)
        size *= 2;
    return size;
}

static struct touches touches_by(const struct memory_reuse *reuse)
{
    return reuse->excerpt ? excerpt_touches(reuse->excerpt, reuse->a->row_ptr) : touches_of(reuse->a);
}

/* Find the reuse of columns' elements. */
static enum status know_reuse(double wide, struct memory_reuse *reuse, struct progress *progress,
                              struct error *error)
{
    const int size = power_of_two(wide);
    const struct touches touches = touches_by(reuse);
    if (reuse->several_size == size) return STATUS_OK;
    reuse->several_size = 0;
    enum status status = reuse_of_x(&touches, NULL, size, 0, &reuse->several, progress, error);
    if (status == STATUS_OK) reuse->several_size = size;
    return status;
}

/* Find the number of additions to the line with the most entries. */
static enum status know_added(const struct product_counting *c, struct memory_reuse *reuse,
                              struct error *error)
{
    const struct storage *storage = c->launch->storage;
    const double wide = c->apart ? c->value : c->wide;
    const struct csr *a = touches_by(reuse).a;
    const int64_t elements = max(1, (int64_t)(PRODUCT_LINE / wide)), lines = a->cols / elements + 1;
    /* Padding that repeats the last column of its row is added to that column, or to column 0 in an empty
     * row. */
    const int64_t width = !reuse->excerpt && storage->format->repeats ? storage->format->repeats(storage) : 0;
    if (reuse->added_wide == (int)wide && reuse->added_padded == width) return STATUS_OK;
    int64_t *count = memory_zeroed((size_t)lines, sizeof *count, error);
    if (!count) return STATUS_MEMORY;
    reuse->added_most = 0;
    for (int64_t k = 0; k < csr_nnz(a); k++) {
        const double added = (double)++count[a->col[k] / elements];
        reuse->added_most = fmax(reuse->added_most, added);
    }
    for (int64_t i = 0; i < a->rows && width > 0; i++) {
        const int64_t last = a->row_ptr[i + 1], length = last - a->row_ptr[i];
        int64_t *at = &count[length > 0 ? a->col[last - 1] / elements : 0];
        reuse->added_most = fmax(reuse->added_most, (double)(*at += width - length));
    }
    free(count);
    reuse->added_wide = (int)wide;
    reuse->added_padded = width;
    return STATUS_OK;
}

/* The additional work in the queue: converting layouts of vectors, and clearing Y. */
static void add_launches(const struct product_counting *c, bool clears)
{
    const struct launch *launch = c->launch;
    const struct storage *storage = launch->storage;
    struct estimate *estimate = c->estimate;
    const double x = (double)product_x_size(launch->product, storage->rows, storage->cols) * c->columns,
                 y = (double)product_y_size(launch->product, storage->rows, storage->cols) * c->columns;
    estimate->steps.launches = 1 + c->turned_x + c->turned_y + clears;
    const double turned = (c->turned_x ? x : 0) + (c->turned_y ? y : 0);
    product_add_loads(c, turned * c->value / PRODUCT_SECTOR, turned * c->value / PRODUCT_LINE);
    estimate->memory.misses[OPERAND_TABLES] += turned * c->value / PRODUCT_SECTOR;
    estimate->memory.sectors[OPERAND_TABLES] += 2 * turned * c->value / PRODUCT_SECTOR;
    if (clears) estimate->memory.sectors[OPERAND_Y] += y * c->value / PRODUCT_SECTOR;
}

/* The lanes of a row, a parameter of the kernel. */
static int threads_of(const struct launch *launch)
{
    const struct parameter *parameters = launch->kernel->parameters;
    for (int k = 0; parameters[k].name; k++)
        if (strcmp(parameters[k].name, "threads") == 0) return (int)launch->values.number[k];
    return 1;
}

static struct product_cut cut_of(const struct launch *launch, bool apart)
{
    const enum product_way way = launch->kernel->product_way;
    const int size = value_width(launch->storage->precision, launch->storage->complex);
    const bool adds = launch->product.transposed || way == PRODUCT_WAY_ATOMIC;
    const bool single = launch->storage->precision == PRECISION_F32;
    const int most = apart ? 1 : adds && !single ? 1 : 16 / size;
    const int threads = way == PRODUCT_WAY_ROWS ? threads_of(launch) : 1;
    const struct product_state *state = launch->state;
    const int columns = product_columns(launch->product);
    if (way == PRODUCT_WAY_SHARES && product_tells_rows(launch->storage)) {
        const struct product_cut cut = product_staged_cut(columns, size, apart, 0);
        if (product_staged(launch->storage->nnz, cut, grid_resident_threads(launch)) > 0) return cut;
    }
    return product_cut_within(columns, state ? state->width : columns, size, most > 0 ? most : 1, 0, threads);
}

/* Set the passes of loops other than those by rows: of windows, and of rows whose vectors are read as they
 * lie. */
static void know_passes(struct product_counting *c)
{
    const struct launch *launch = c->launch;
    const int size = (int)c->value;
    if (c->windows) {
        c->passes = launch->product.transposed ? c->columns / WINDOW_ADDED
                                               : product_windows_passes(c->windows->windows, c->columns, size,
                                                                        c->gpu->multiprocessors);
        c->arrays = (double)product_windows_bytes(launch, c->windows);
        c->rereads = 1; /* the warps of a window are neighbours */
    } else if (c->straight) {
        const int each = launch->kernel->product_way == PRODUCT_WAY_ATOMIC
                             ? product_apart_vectors(c->columns)
                             : product_straight_vectors(launch->storage->rows, c->columns, size,
                                                        grid_resident_threads(launch));
        c->passes = (c->columns + each - 1) / each;
        c->rereads = 1; /* so are the blocks of the same rows */
    }
}

/* No request is replayed. The model assumes that a request hits L1 as often as a sector does. */
static void set_served(struct estimate *estimate)
{
    const double loads = (double)estimate->accesses[ACCESS_LOAD].sectors;
    estimate->memory.served = fmax(0, 1 - memory_sum(estimate->memory.misses) / fmax(1, loads));
    estimate->steps.longest_hits = llround(estimate->memory.served * (double)estimate->steps.longest);
}

static enum status count(const struct launch *launch, const struct gpu *gpu, struct memory_reuse *reuse,
                         struct estimate *estimate, struct progress *progress, struct error *error)
{
    const enum product_way way = launch->kernel->product_way;
    const struct product_state *state = launch->state;
    const bool own = way != PRODUCT_WAY_LIBRARY, by_columns = product_by_columns(launch);
    const bool adds = launch->product.transposed || way == PRODUCT_WAY_ATOMIC || way == PRODUCT_WAY_SHARES;
    struct product_counting c = {.launch = launch,
                                 .gpu = gpu,
                                 .reuse = reuse,
                                 .columns = product_columns(launch->product),
                                 .value = value_width(launch->storage->precision, launch->storage->complex),
                                 .arrays = (double)storage_size(launch->storage).bytes,
                                 .slots = (double)launch->storage->slots[0],
                                 .apart = by_columns && (!own || !state->x),
                                 .turned_x = own && state->x,
                                 .turned_y = own && state->y,
                                 .straight = own && state->straight,
                                 .windows = own && state->windows.windows > 0 ? &state->windows : NULL,
                                 .estimate = estimate};
    c.cut = cut_of(launch, c.apart);
    c.passes = c.rereads = own ? c.cut.passes : 1;
    know_passes(&c);
    const int of_pass = c.windows ? c.columns / c.passes
                        : own     ? (int)fmin(c.cut.lanes * c.cut.vector, c.columns)
                                  : c.columns;
    c.wide = of_pass * c.value;
    estimate->there = true;
    estimate->kind = launch->product.transposed ? product_kind_of(launch->product)
                     : c.windows                ? PRODUCT_WINDOWS
                     : c.straight               ? PRODUCT_STRAIGHT
                                                : product_kind_of(launch->product);
    estimate->complex = launch->storage->complex;
    estimate->value_bytes = (int)c.value;
    estimate->granule = gpu->granule;
    estimate->sampled = 1;
    snprintf(estimate->gpu, sizeof estimate->gpu, "%s", gpu->name);
    estimate->operands[OPERAND_VALUES].bytes = llround(c.slots * c.columns * c.value);
    enum status status = know_reuse(c.apart ? c.value : c.wide, reuse, progress, error);
    if (status == STATUS_OK && launch->product.transposed) status = know_added(&c, reuse, error);
    if (status != STATUS_OK) return status;
    product_count(&c);
    product_set_memory(&c);
    add_launches(&c, adds && own && !launch->product.accumulate);
    set_served(estimate);
    return STATUS_OK;
}

/* A GPU without memory: kernels prepared on it for such products allocate X and Y, but write nothing. */

static enum status available(struct device *device, size_t *bytes, struct error *error)
{
    *bytes = SIZE_MAX;
    return STATUS_OK;
}

static enum status allocate(struct device *device, size_t bytes, void **data, struct error *error)
{
    *data = memory_array(1, 1, error);
    return *data ? STATUS_OK : STATUS_MEMORY;
}

static void release(struct device *device, void *data)
{
    free(data);
}

static const struct device_type hollow = {.available = available, .allocate = allocate, .release = release};

enum status product_estimate(const struct kernel_choice *choice, const struct storage *storage,
                             const struct gpu *gpu, struct product product, struct memory_reuse *reuse,
                             struct estimate *estimate, struct kernel_choice *resolved,
                             struct progress *progress, struct error *error)
{
    const struct kernel *kernel = choice->kernel;
    const bool own = kernel->product_way != PRODUCT_WAY_LIBRARY;
    struct device device = {.type = &hollow};
    struct error reason = {0};
    struct launch launch = {.kernel = kernel, .storage = storage, .resident = storage, .product = product};
    enum status status = STATUS_OK;
    *estimate = (struct estimate){0};
    if (!kernel->product_way || product_kind_of(product) == PRODUCT_KINDS || csr_nnz(reuse->a) == 0 ||
        (storage->complex && !kernel->complex) || kernel_computes(kernel, product, NULL) != STATUS_OK ||
        (kernel->takes && kernel->takes(storage, &reason) != STATUS_OK))
        return STATUS_OK;
    gpu_facts(gpu, &device.facts);
    const struct launch_options options = {.product = product,
                                           .pattern = reuse->excerpt ? &reuse->excerpt->rows : reuse->a};
    if (own) status = kernel_prepare_on(&device, choice, storage, storage, &options, &launch, &reason);
    launch.product.columns = product_columns(product);
    if (status == STATUS_OK) {
        resolved->values = launch.values;
        status = count(&launch, gpu, reuse, estimate, progress, error);
    } else {
        status = status == STATUS_MEMORY ? error_set(error, status, "%s", reason.message) : STATUS_OK;
    }
    if (own) kernel_release(&launch);
    return status;
}

void product_set_interval(struct prediction *prediction)
{
    const bool cpu = strcmp(prediction->machine, "cpu") == 0;
    const struct product_spread *spread = cpu ? &product_spread_cpu : &product_spread_gpu;
    if (!prediction->there) return;
    const double wider = prediction->derived ? interval_constants.derived : 1;
    prediction->low = prediction->seconds * pow(spread->low, wider);
    prediction->high = prediction->seconds * pow(spread->high, wider);
}

void product_forecast(const struct gpu *gpu, const struct kernel *kernel, const struct estimate *estimate,
                      bool cold, struct prediction *prediction)
{
    const struct kernel_pace *pace = product_pace_of(kernel, (enum product_kind)estimate->kind);
    *prediction = (struct prediction){.there = false};
    if (!pace) return;
    time_forecast_at(gpu, pace, estimate, cold, prediction);
    prediction_borrows(prediction, kernel, kernel_paced(kernel));
    product_set_interval(prediction);
}
