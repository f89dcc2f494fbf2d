#include "command/kernels_json.h"

#include <jansson.h>

#include "kernels/gpu/profile.h"
#include "kernels/kernel.h"
#include "kernels/libraries/library.h"
#include "report/json/write.h"

/* A text, or null if it is empty or NULL. */
static json_t *text_json(const char *text)
{
    return text && text[0] ? json_from_bytes(text) : json_null();
}

static json_t *parameters_json(const struct parameter *parameters)
{
    json_t *list = json_array();
    for (const struct parameter *p = parameters; list && p->name; p++) {
        char range[64], standard[96];
        parameter_range(p, range, sizeof range);
        parameter_default(p, standard, sizeof standard);
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o}", "name", p->name, "help", p->help,
                                              "range", text_json(range), "default", text_json(standard)));
    }
    return list;
}

static json_t *formats_json(void)
{
    json_t *list = json_array();
    for (int k = 0; list && formats[k]; k++) {
        const struct format *format = formats[k];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:o}", "format", format->name, "title",
                                              format->title, "summary", format->summary, "source",
                                              text_json(format->source), "params",
                                              parameters_json(format->parameters)));
    }
    return list;
}

static json_t *kernel_json(const struct kernel *kernel)
{
    struct error reason = {0};
    struct text name = {0};
    /* The search gives the reason why a library's kernels are unavailable. */
    if (kernel->backend->library) library_look(kernel->backend->library);
    bool runs = kernel_check(kernel, false, (struct product){0}, &reason) == STATUS_OK;
    kernel_name(kernel, &name);
    json_t *object = json_pack(
        "{s:o, s:s, s:s, s:s, s:o, s:b, s:i, s:b, s:o, s:o}", "kernel", text_json(name.data), "backend",
        kernel->backend->name, "format", kernel->format->name, "summary", kernel->summary, "source",
        text_json(kernel->source), "transposes", kernel->transposes, "columns",
        kernel->columns_max > 1 ? kernel->columns_max : 1, "deterministic", kernel->unordered == 0, "params",
        parameters_json(kernel->parameters), "unavailable", runs ? json_null() : text_json(reason.message));
    text_free(&name);
    return object;
}

static json_t *kernels_json(void)
{
    json_t *list = json_array();
    for (int k = 0; list && kernels[k]; k++)
        json_array_append_new(list, kernel_json(kernels[k]));
    return list;
}

/* A profile that cannot be read is left out; the text list has its fault. */
static json_t *gpus_json(void)
{
    struct gpu_list gpus;
    struct error error = {0};
    json_t *list = json_array();
    gpu_list(&gpus, &error);
    for (int k = 0; list && k < gpus.count; k++) {
        struct gpu gpu;
        if (gpu_load(&gpus.items[k], &gpu, &error) != STATUS_OK) continue;
        json_array_append_new(list, json_pack("{s:s, s:o, s:i, s:o}", "gpu", gpus.items[k].name, "title",
                                              text_json(gpu.title), "multiprocessors", gpu.multiprocessors,
                                              "bandwidth", json_real(gpu.bandwidth)));
    }
    gpu_list_free(&gpus);
    return list;
}

enum status append_kernels_json(struct text *text, struct error *error)
{
    json_t *all = json_pack("{s:o, s:o, s:o}", "formats", formats_json(), "kernels", kernels_json(), "gpus",
                            gpus_json());
    if (all) json_write(all, false, text);
    text_append(text, "\n");
    json_decref(all);
    return all && !text->failed ? STATUS_OK : error_set(error, STATUS_MEMORY, "out of memory");
}
