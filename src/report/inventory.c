#include "report/inventory.h"

#include <jansson.h>
#include <omp.h>

#include "base/threads.h"
#include "kernels/cpu/cpu.h"
#include "kernels/kernel.h"
#include "report/host.h"

/* The variants of a format that reports list, if it is not only the one without parameters. */
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

static void append_kernel(const struct kernel *kernel, struct text *text)
{
    struct error reason = {0};
    kernel_name(kernel, text);
    text_append(text, "  %s\n", kernel->summary);
    parameters_describe(kernel->parameters, text);
    if (kernel->source[0]) text_append(text, "    source: %s\n", kernel->source);
    if (kernel_check(kernel, false, &reason) != STATUS_OK)
        text_append(text, "    unavailable: %s\n", reason.message);
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
}

void append_inventory(struct text *text)
{
    text_append(text, "Storage formats\n\n");
    append_format_list(text);
    text_append(text,
                "\nKernels, as backend/format-variant; each takes the parameters of its format too\n\n");
    for (int k = 0; kernels[k]; k++)
        append_kernel(kernels[k], text);
    text_append(text, "\nDevices\n\n");
    append_devices(text);
}
