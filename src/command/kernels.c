/* `sparsight kernels`: what there is of formats, kernels and devices. */
#include "command/calibrate.h"
#include "command/command.h"
#include "command/say.h"
#include "report/inventory.h"

static int run_kernels(const struct options *options)
{
    struct text text = {0};
    if (options->calibrate) return calibrate(options);
    append_inventory(&options->request.gpu, &text);
    int code = print_text(&text, options->output);
    text_free(&text);
    return code;
}

static enum status check_kernels(const struct options *options, struct error *error)
{
    if (options->operand_count > 0)
        return error_set(error, STATUS_USAGE,
                         "kernels takes no matrix; 'sparsight report --kernels=LIST' runs them");
    if (options->calibrate && options->request.gpu.name[0])
        return error_set(
            error, STATUS_USAGE,
            "--calibrate measures a GPU of this machine, which --device chooses, and --gpu shows a "
            "profile: give one of them");
    if (options->device_named && !options->calibrate)
        return error_set(
            error, STATUS_USAGE,
            "--device is the GPU that --calibrate measures; without that, all devices are listed");
    return STATUS_OK;
}

const struct command command_kernels = {
    .id = COMMAND_KERNELS,
    .name = "kernels",
    .usage = "sparsight kernels [OPTION]...",
    .summary = "list formats, kernels and devices, or measure a GPU",
    .failure = "it could not be written, or no GPU could be measured",
    .help = NULL,
    .check = check_kernels,
    .run = run_kernels,
};
