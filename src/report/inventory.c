#include "report/inventory.h"

#include <jansson.h>
#include <omp.h>

#include "base/placement.h"
#include "base/threads.h"
#include "kernels/cpu/cpu.h"
#include "kernels/gpu/device.h"
#include "kernels/kernel.h"
#include "kernels/libraries/library.h"
#include "matrix/orders/order.h"
#include "report/host.h"

/* Append the variants of a format that reports list, unless the only one has no parameters. */
static void append_variants(const struct format *format, struct text *text)
{
    if (!format->variants[1]) return;
    text_append(text, "    listed as %s", format->name);
    for (int v = 1; format->variants[v]; v++)
        text_append(text, ", %s:%s", format->name, format->variants[v]);
    text_append(text, "\n");
}

void append_format_list(struct text *text)
{
    for (int k = 0; formats[k]; k++) {
        text_append(text, "%s  %s\n", formats[k]->name, formats[k]->summary);
        parameters_describe(formats[k]->parameters, text);
        append_variants(formats[k], text);
        if (formats[k]->source[0]) text_append(text, "    source: %s\n", formats[k]->source);
    }
}

/* Append the kernel's library. Listing kernels requests them, so that the library is searched for now; a
 * device's library only if there is a device. */
static void append_library(const struct kernel *kernel, struct text *text)
{
    const struct backend *backend = kernel->backend;
    const struct library *library = backend->library;
    if (library && !library_look(library))
        text_append(text, "    %s %s: %s\n", library->place.title, library_version(library),
                    library_path(library));
    if (!backend->device_library || backend_check(backend, NULL) != STATUS_OK) return;
    const struct device_library *found = backend->device_library();
    if (found) text_append(text, "    %s %s: %s\n", found->title, found->version, found->path);
}

/* Append the products that the kernel computes beside y = A x and y += A x. */
static void append_products(const struct kernel *kernel, struct text *text)
{
    if (!kernel->transposes && kernel->columns_max <= 1) return;
    text_append(text, "    multiplies also");
    if (kernel->transposes) text_append(text, " with the transposed matrix");
    if (kernel->columns_max > 1)
        text_append(text, "%s up to %d vectors at once", kernel->transposes ? " and" : "",
                    kernel->columns_max);
    text_append(text, "\n");
}

static void append_kernel(const struct kernel *kernel, struct text *text)
{
    struct error reason = {0};
    kernel_name(kernel, text);
    text_append(text, "  %s\n", kernel->summary);
    parameters_describe(kernel->parameters, text);
    if (kernel->source[0]) text_append(text, "    source: %s\n", kernel->source);
    append_products(kernel, text);
    if (kernel->unordered) text_append(text, "    %s\n", kernel_order_words(kernel));
    append_library(kernel, text);
    if (kernel_check(kernel, false, (struct product){0}, &reason) != STATUS_OK)
        text_append(text, "    not available: %s\n", reason.message);
}

static void append_gpu(int index, const struct device_facts *facts, struct text *text)
{
    char memory[32], cache[32];
    text_append(
        text,
        "gpu %d  %s\n    %s, L2 %s, %d multiprocessors, compute capability %d.%d, the driver supports "
        "CUDA %d.%d\n",
        index, facts->name, format_bytes(memory, sizeof memory, (double)facts->memory),
        format_bytes(cache, sizeof cache, (double)facts->cache), facts->multiprocessors, facts->major,
        facts->minor, facts->driver / 1000, facts->driver % 1000 / 10);
}

/* The GPUs of a type by the number for --device, or the reason why there are none. */
static void append_gpus(const struct device_type *type, struct text *text)
{
    struct error reason = {0};
    if (type->check(&reason) != STATUS_OK) text_append(text, "gpu  none: %s\n", reason.message);
    for (int k = 0; k < type->count(); k++) {
        struct device_facts facts;
        struct error error = {0};
        if (type->describe(k, &facts, &error) == STATUS_OK)
            append_gpu(k, &facts, text);
        else
            text_append(text, "gpu %d  %s\n", k, error.message);
    }
}

static void append_topology(const struct topology *topology, struct text *text)
{
    if (!topology->source[0]) return;
    text_append(text, "    ");
    topology_write(topology, text);
    text_append(text, topology->caches ? "\n    " : "");
    topology_write_caches(topology, text);
    text_append(text, "\n    timed threads are %s (topology: %s%s)\n", placement_words(placement_rule()),
                topology->source, topology->here ? "" : ", not this machine's");
}

static void append_devices(struct text *text)
{
    json_t *host = host_json();
    const char *cpu = json_string_value(json_object_get(host, "cpu"));
    int processors = omp_get_num_procs(), threads = threads_count();
    text_append(text, "cpu  %s\n    %d processor%s, %d thread%s, instruction set %s\n",
                cpu ? cpu : "the processor", processors, processors == 1 ? "" : "s", threads,
                threads == 1 ? "" : "s", loops_for(PRECISION_F64)->isa);
    json_decref(host);
    append_topology(topology_here(), text);
    for (int t = 0; device_types[t]; t++)
        append_gpus(device_types[t], text);
}

/* Append a profile in one line, or its fault. */
static void append_profile(const struct gpu_entry *entry, struct text *text)
{
    struct gpu gpu;
    struct error error = {0};
    char memory[32], cache[32], where[1200], label[GPU_LABEL];
    if (gpu_load(entry, &gpu, &error) != STATUS_OK) {
        text_append(text, "%-9s not available: %s\n", entry->name, error_text(&error, where, sizeof where));
        return;
    }
    text_append(text, "%-9s %s: %d.%d, %d multiprocessors, L2 %s, %s at %.6g GB/s", entry->name,
                gpu_label(&gpu, label), gpu.major, gpu.minor, gpu.multiprocessors,
                format_bytes(cache, sizeof cache, (double)gpu.cache),
                format_bytes(memory, sizeof memory, (double)gpu.memory), gpu.bandwidth * 1e-9);
    if (gpu.peak_f64 > 0) text_append(text, ", %.6g GFLOP/s in f64", gpu.peak_f64 * 1e-9);
    if (gpu.peak_f32 > 0) text_append(text, ", %.6g in f32", gpu.peak_f32 * 1e-9);
    text_append(text, "%s\n",
                entry->source == GPU_YOURS    ? ", yours"
                : entry->source == GPU_CACHED ? ", measured with --calibrate"
                                              : "");
}

static void append_profiles(struct text *text)
{
    struct gpu_list list;
    struct error error = {0};
    char why[1200];
    if (gpu_list(&list, &error) != STATUS_OK)
        text_append(text, "not available: %s\n", error_text(&error, why, sizeof why));
    for (int k = 0; k < list.count; k++)
        append_profile(&list.items[k], text);
    gpu_list_free(&list);
}

void append_inventory(const struct gpu *gpu, struct text *text)
{
    if (gpu->name[0]) {
        gpu_describe(gpu, text);
        return;
    }
    text_append(text, "Storage formats\n\n");
    append_format_list(text);
    text_append(text, "\nKernels, as backend/format-variant; each also has the parameters of its format\n\n");
    for (int k = 0; kernels[k]; k++)
        append_kernel(kernels[k], text);
    text_append(text, "\nOrders of rows and columns (--reorder=NAME)\n\n");
    orders_describe(text);
    text_append(text, "\nDevices\n\n");
    append_devices(text);
    text_append(text, "\nProfiles of GPUs for estimates (--gpu=NAME)\n\n");
    append_profiles(text);
}
