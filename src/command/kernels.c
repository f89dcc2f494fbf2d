/* `sparsight kernels`: lists formats, kernels and devices. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/job.h"
#include "base/memory.h"
#include "command/command.h"
#include "command/kernels_json.h"
#include "command/meter.h"
#include "command/say.h"
#include "kernels/timing/calibrate.h"
#include "kernels/timing/processor_sure.h"
#include "report/inventory.h"

/* The job that measures a GPU. */
struct calibrate_task {
    int device;
    struct gpu gpu;
};

static enum status run_calibrate(void *argument, struct progress *progress, struct error *error)
{
    struct calibrate_task *task = argument;
    return gpu_calibrate(device_types[0], task->device, &task->gpu, progress, error);
}

/* Keep the profile, and say where. */
static enum status keep(const struct gpu *gpu, struct error *error)
{
    struct text path = {0};
    enum status status = gpu_keep(gpu, &path, error);
    if (status == STATUS_OK) say_line("%s: saved for --gpu=%s and for this GPU", path.data, gpu->name);
    text_free(&path);
    return status;
}

struct calibrate_processor_task {
    int times;
    struct processor *processor;
};

static enum status run_calibrate_processor(void *argument, struct progress *progress, struct error *error)
{
    const struct calibrate_processor_task *task = argument;
    return processor_calibrate(task->processor, task->times, 0, progress, error);
}

/* Save the measured profile of the processors, unless the saved one is more reliable, and print which one was
 * saved, its date and its reliability. */
static enum status keep_processor(const struct processor *processor, struct text *path, struct error *error)
{
    struct processor before;
    char said[PROCESSOR_WORDS], doubt[PROCESSOR_WORDS];
    processor_find(&before);
    if (processor_is_surer(&before, processor)) {
        say_line("sparsight: the new profile was not saved: %s; the earlier one remains: %s",
                 processor_doubt(processor, doubt), processor_say(&before, said));
        return STATUS_OK;
    }
    enum status status = processor_learn(processor, path, error);
    if (status != STATUS_OK) return status;
    say_line("%s: saved for this processor: %s", path->data, processor_say(processor, said));
    if (processor_doubt(processor, doubt)[0])
        say_line("sparsight: the profile is saved as uncertain: %s; the next forecast measures again", doubt);
    return STATUS_OK;
}

/* Measure the processors, and save their profile. It is printed if it cannot be saved, or if `print_it`. */
static int calibrate_processor(const struct options *options, bool print_it)
{
    struct processor *processor = memory_zeroed(1, sizeof *processor, NULL);
    struct calibrate_processor_task task = {options->calibrations ? options->calibrations : PROCESSOR_TIMES,
                                            processor};
    struct job job;
    struct text text = {0}, path = {0};
    struct error error = {0};
    int code = EXIT_SUCCESS;
    enum status status = processor ? job_start(&job, run_calibrate_processor, &task, &error)
                                   : error_set(&error, STATUS_MEMORY, "out of memory");
    if (status == STATUS_OK) {
        status = wait_with_meter(&job, "calibrating", isatty(STDERR_FILENO));
        error = job.error;
    }
    if (status == STATUS_OK) {
        processor_describe(processor, &text);
        status = keep_processor(processor, &path, &error);
        if (print_it || status != STATUS_OK) code = print_text(&text, options->output);
    }
    text_free(&text);
    text_free(&path);
    free(processor);
    return status == STATUS_OK ? code : conclude(status, &error);
}

/* Measure a GPU. Its profile is printed even if it cannot be saved. */
static int calibrate_gpu(const struct options *options)
{
    struct calibrate_task task = {.device = options->request.timing.device};
    struct job job;
    struct text text = {0};
    struct error error = {0};
    enum status status = job_start(&job, run_calibrate, &task, &error);
    if (status != STATUS_OK) return conclude(status, &error);
    status = wait_with_meter(&job, "calibrating", isatty(STDERR_FILENO));
    if (status != STATUS_OK) return conclude(status, &job.error);
    gpu_describe(&task.gpu, &text);
    int code = print_text(&text, options->output);
    text_free(&text);
    status = keep(&task.gpu, &error);
    return status == STATUS_OK ? code : conclude(status, &error);
}

/* Measure the processors, and the GPU if there is one; the printed profile is then the GPU's. A GPU requested
 * by its number is measured alone. The profiles are saved. Returns the exit status. */
static int calibrate(const struct options *options)
{
    struct error reason = {0};
    if (options->device_named) return calibrate_gpu(options);
    bool gpu = device_types[0]->check(&reason) == STATUS_OK;
    int code = calibrate_processor(options, !gpu);
    if (gpu) return code == EXIT_SUCCESS ? calibrate_gpu(options) : code;
    say_line("sparsight: no GPU was measured: %s; to use a GPU of another machine, run --calibrate there and "
             "give its profile to --gpu=NAME",
             reason.message);
    return code;
}

static int run_kernels(const struct options *options)
{
    struct text text = {0};
    if (options->calibrate) return calibrate(options);
    struct error error = {0};
    enum status status = STATUS_OK;
    if (options->json)
        status = append_kernels_json(&text, &error);
    else
        append_inventory(&options->request.gpu, &text);
    int code = status == STATUS_OK ? print_text(&text, options->output) : conclude(status, &error);
    text_free(&text);
    return code;
}

static enum status check_kernels(const struct options *options, struct error *error)
{
    if (options->operand_count > 0)
        return error_set(error, STATUS_USAGE,
                         "kernels takes no matrix; 'sparsight report --kernels=LIST' runs kernels");
    if (options->json && (options->calibrate || options->request.gpu.name[0]))
        return error_set(error, STATUS_USAGE, "--json lists everything: leave out --%s",
                         options->calibrate ? "calibrate" : "gpu");
    if (options->calibrate && options->request.gpu.name[0])
        return error_set(error, STATUS_USAGE,
                         "--calibrate measures a GPU of this machine and --gpu shows a profile: give one of "
                         "them; --device chooses the GPU to measure");
    if (options->calibrations && !options->calibrate)
        return error_set(error, STATUS_USAGE, "--repeat is for --calibrate; without it nothing is measured");
    if (options->device_named && !options->calibrate)
        return error_set(error, STATUS_USAGE,
                         "--device chooses the GPU that --calibrate measures; without --calibrate, all "
                         "devices are listed");
    return STATUS_OK;
}

const struct command command_kernels = {
    .id = COMMAND_KERNELS,
    .name = "kernels",
    .usage = "sparsight kernels [OPTION]...",
    .summary = "list formats, kernels and devices, or measure a GPU",
    .failure = "the output could not be written, or no GPU could be measured",
    .help = NULL,
    .check = check_kernels,
    .run = run_kernels,
};
