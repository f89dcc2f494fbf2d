/* The commands of the command line: explore, report, convert, gen and kernels. Nothing is printed elsewhere.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "base/threads.h"
#include "config.h"
#include "kernels/timing/calibrate.h"
#include "kernels/timing/processor.h"
#include "matrix/files/compress.h"
#include "matrix/files/reader.h"
#include "matrix/generators/generate.h"
#include "matrix/orders/file.h"
#include "matrix/orders/permute.h"
#include "options.h"
#include "report/inventory.h"
#include "report/report.h"
#include "session/session.h"
#ifdef WITH_CURSES
#    include "ui/ui.h"
#endif

enum { EXIT_USAGE = 2 };

static const char clear_line[] = "\r\033[K";

/* True while the progress line is on the terminal, for the signal handler. */
static volatile sig_atomic_t meter_shown;

static void say_error(const struct error *error)
{
    char text[sizeof error->path + sizeof error->message + 64];
    fprintf(stderr, "%s\n", error_text(error, text, sizeof text));
}

/* Print the notes on a matrix, each line of them after the matrix's path. Control characters become '?'. */
static void say_notes(const struct matrix *matrix)
{
    struct text text = {0};
    for (const char *line = matrix->notes.data; line && *line;) {
        size_t length = strcspn(line, "\n");
        text_append(&text, "%s: %.*s", matrix->path, (int)length, line);
        fprintf(stderr, "%s\n", text.data ? text_visible(text.data) : "");
        text_free(&text);
        line += length + (line[length] == '\n');
    }
}

/* Remove an unfinished file and the progress line, then die of the signal as a program does that does not
 * catch it. */
static void on_signal(int number)
{
    output_signalled();
    if (meter_shown && write(STDERR_FILENO, clear_line, sizeof clear_line - 1) < 0) {
        /* The terminal is gone, and the line with it. */
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (signal(numbers[k], on_signal) == SIG_IGN) signal(numbers[k], SIG_IGN);
    /* What these signals tell is also an error of write. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* Open /dev/null for each standard stream that is closed, in the direction that it does not have, so that
 * using it fails. Else the first file that is opened would become that stream. */
static void guard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            _exit(EXIT_FAILURE);
}

/* The progress line has room for so many bytes of a name. */
#define METER_NAME 40

static void meter_draw(const char *name, struct progress *progress)
{
    const char *phase = atomic_load(&progress->phase);
    int64_t done = atomic_load(&progress->done), total = atomic_load(&progress->total);
    char shown[METER_NAME + 1];
    size_t length = strlen(name);
    if (length > METER_NAME) name += length - METER_NAME;
    while (((unsigned char)*name & 0xc0) == 0x80) /* skip the rest of a character that was cut */
        name++;
    snprintf(shown, sizeof shown, "%s", name);
    meter_shown = 1;
    fprintf(stderr, "%s%s: %s", clear_line, text_visible(shown), phase ? phase : "reading");
    if (total > 0)
        fprintf(stderr, " %d%%", (int)(100.0 * (double)(done < total ? done : total) / (double)total));
    fflush(stderr);
}

/* The progress line is drawn after so many seconds; while kernels are timed after more, and then between two
 * samples. */
#define METER_SECONDS 0.1
#define METER_TIMING_SECONDS 0.25

/* Wait for the job and return how it ended. If it is watched and takes longer than a moment, draw its
 * progress line meanwhile. */
static enum status wait_with_meter(struct job *job, const char *name, bool watched)
{
    double pause = 2 * METER_SECONDS;
    while (watched && !job_wait(job, pause)) {
        pause = progress_timing(&job->progress) ? METER_TIMING_SECONDS : METER_SECONDS;
        if (!progress_may_draw(&job->progress, METER_TIMING_SECONDS, false)) {
            pause = 0;
            continue;
        }
        meter_draw(name, &job->progress);
        progress_drawn(&job->progress);
    }
    enum status status = job_join(job);
    if (meter_shown) fputs(clear_line, stderr);
    meter_shown = 0;
    return status;
}

/* The job that loads a matrix, and computes what a report shows of it. */
struct task {
    struct session session;
    const char *name;
    const struct load_options *options;
    const struct report_request *request; /* NULL if there is no report: the matrix is only loaded */
    struct order_choice *order;           /* to bring it into; NULL if it is to stay as it is */
    struct permutation permutation;       /* of that order */
    struct matrix reordered;              /* the matrix in that order */
};

static enum status reorder(struct task *task, struct progress *progress, struct error *error)
{
    const struct matrix *matrix = &task->session.shown->matrix;
    size_t limit = task->session.limit;
    enum status status = order_compute(task->order, matrix, limit, progress, &task->permutation, error);
    if (status == STATUS_OK)
        status = permute_matrix(matrix, &task->permutation, limit, progress, &task->reordered, error);
    if (status != STATUS_OK && !error->path[0]) snprintf(error->path, sizeof error->path, "%s", task->name);
    return status;
}

static enum status run_task(void *argument, struct progress *progress, struct error *error)
{
    struct task *task = argument;
    struct load_options options = *task->options;
    if (task->request) options.beside = case_bytes;
    enum status status = session_load(&task->session, task->name, &options, progress, error);
    if (status == STATUS_OK && task->request)
        status = report_prepare(&task->session, task->request, progress, error);
    if (status == STATUS_OK && task->order) status = reorder(task, progress, error);
    return status;
}

/* Run the task and wait for it. The caller frees the task with task_free, also after failure. */
static enum status finish_task(struct task *task, struct error *error)
{
    struct job job;
    enum status status = job_start(&job, run_task, task, error);
    if (status != STATUS_OK) return status;
    status = wait_with_meter(&job, task->name, isatty(STDERR_FILENO));
    *error = job.error;
    return status;
}

static void task_free(struct task *task)
{
    session_free(&task->session);
    permutation_free(&task->permutation);
    matrix_free(&task->reordered);
}

/* Print why arrays that were asked for are not in the report. */
static void say_refusals(const struct session *session)
{
    const struct conversion *conversion;
    for (int k = 0; (conversion = report_shown(session->shown, &k));) {
        if (conversion_state(conversion) != CONVERSION_REFUSED) continue;
        struct error refusal = {0};
        error_at(&refusal, STATUS_LIMIT, session->shown->matrix.path, 0, 0, "no arrays of %s: %s",
                 conversion->name, conversion->refusal.message);
        say_error(&refusal);
    }
}

/* Print which orders the report does not have, and why. */
static void say_refused_orders(const struct session *session)
{
    for (int k = 0; k < session->refused_count; k++) {
        struct error refusal = {0};
        error_at(&refusal, STATUS_UNAVAILABLE, session->shown->matrix.path, 0, 0, "not in the order %s: %s",
                 session->refused[k].name, session->refused[k].error.message);
        say_error(&refusal);
    }
}

/* Print which kernels have computed a wrong product, and which row is wrong. The report says it too, but a
 * script only looks at the exit status. Returns true if there are any. */
static bool say_wrong_kernels(const struct session *session)
{
    const struct results *results = &session->shown->results;
    bool wrong = false;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        struct error failure = {0};
        if (result->status != STATUS_INPUT) continue;
        error_at(&failure, STATUS_INPUT, session->shown->matrix.path, 0, 0,
                 "%s is wrong, %s, %d thread%s: %s", result->name,
                 value_name(result->choice.format.precision, result->complex), result->resolved.threads,
                 result->resolved.threads == 1 ? "" : "s", result->error.message);
        say_error(&failure);
        wrong = true;
    }
    return wrong;
}

/* Report on one matrix, in each of the orders that were asked for. *input_failed becomes true if it cannot be
 * loaded or if a kernel was wrong, which the report says; the function itself fails only if the report cannot
 * be written. */
static enum status report_one(struct report *report, const char *name, const struct options *options,
                              bool *input_failed, struct error *error)
{
    struct task task = {.name = name, .options = &options->load, .request = &options->request};
    struct error failure = {0};
    enum status status = finish_task(&task, &failure);
    if (status == STATUS_OK) {
        say_notes(&task.session.shown->matrix);
        say_refused_orders(&task.session);
        for (int k = 0; k < task.session.case_count && status == STATUS_OK; k++) {
            task.session.shown = &task.session.cases[k];
            say_refusals(&task.session);
            if (say_wrong_kernels(&task.session)) *input_failed = true;
            status = report_matrix(report, &task.session, error);
        }
    } else {
        *input_failed = true;
        say_error(&failure);
        status = report_failure(report, &failure, error);
    }
    task_free(&task);
    return status;
}

/* Print the error of a command that ended with `status`, and return its exit status. STATUS_CANCELLED is not
 * printed: it says that the reader has closed the pipe, or that the user has cancelled. */
static int conclude(enum status status, const struct error *error)
{
    if (status == STATUS_OK) return EXIT_SUCCESS;
    if (status != STATUS_CANCELLED) say_error(error);
    return status == STATUS_USAGE ? EXIT_USAGE : EXIT_FAILURE;
}

static int command_report(const struct options *options)
{
    struct report report;
    struct error error = {0};
    bool input_failed = false;
    enum status status = report_open(&report, options->format, options->output, &error);
    if (status != STATUS_OK) return conclude(status, &error);
    for (int k = 0; k < options->operand_count && status == STATUS_OK; k++)
        status = report_one(&report, options->operands[k], options, &input_failed, &error);
    if (status == STATUS_OK) status = report_close(&report, &error);
    report_abandon(&report);
    return status == STATUS_OK && input_failed ? EXIT_FAILURE : conclude(status, &error);
}

/* The job that writes a matrix, or a permutation, to `file`, compressed as the ending of `path` says. */
struct write_task {
    const struct matrix *matrix;
    const struct permutation *permutation; /* NULL if the matrix is to be written */
    const char *comment;
    const struct reader *writer; /* of the matrix */
    FILE *file;
    const char *path;
};

static enum status run_write(void *argument, struct progress *progress, struct error *error)
{
    const struct write_task *task = argument;
    struct compressor compressor;
    enum status status = compressor_open(&compressor, task->file, task->path, error);
    if (status == STATUS_OK) {
        status = task->permutation
                     ? permutation_write(compressor.file, task->permutation, task->comment, progress, error)
                     : task->writer->write(compressor.file, task->matrix, task->comment, progress, error);
        enum status closed = compressor_close(&compressor, error);
        if (status == STATUS_OK) status = closed;
    }
    return status;
}

/* Write to the file `path`, or to standard output if it is NULL, what `task` has but for the file. */
static enum status write_output(struct write_task task, const char *path, struct error *error)
{
    struct output output;
    struct job job;
    enum status status = output_open(&output, path, error);
    if (status != STATUS_OK) return status;
    task.file = output.file;
    task.path = path;
    /* On one terminal the progress line would mix with the matrix. */
    bool watched = isatty(STDERR_FILENO) && !isatty(fileno(output.file));
    status = job_start(&job, run_write, &task, error);
    if (status == STATUS_OK) {
        status = wait_with_meter(&job, output.path, watched);
        *error = job.error;
    }
    if (status != STATUS_OK && output_unread(&output)) status = STATUS_CANCELLED;
    if (status != STATUS_OK && !error->path[0]) snprintf(error->path, sizeof error->path, "%s", output.path);
    if (status == STATUS_OK) status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}

static int wrong_usage(const struct options *options, const struct error *error)
{
    const char *command = command_name(options->command);
    fprintf(stderr, "sparsight: ");
    say_error(error);
    fprintf(stderr, "Try 'sparsight%s%s --help'.\n", command[0] ? " " : "", command);
    return EXIT_USAGE;
}

/* True if what is to be reordered is a specification without its "gen:", and no file. */
static bool names_generator(const char *operand)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(operand, ","), operand);
    return generator_find(name) != NULL;
}

/* Write the matrix of a finished task, and the permutation if a file was named for that. The comments say how
 * they were made. */
static enum status write_results(const struct task *task, const struct options *options, struct error *error)
{
    struct text comment = {0}, explained = {0};
    const struct matrix *natural = &task->session.shown->matrix;
    const char *source = strncmp(task->name, "gen:", 4) == 0 ? natural->name : task->name;
    char order[ORDER_NAME] = "";
    if (task->order) order_choice_name(task->order, order, sizeof order);
    text_append(&comment, "sparsight gen %s%s%s%s", task->order ? "--reorder=" : "", order,
                task->order ? " " : "", source);
    text_append(&explained, "%s: line k has the number of the line of the matrix that becomes line k",
                comment.data ? comment.data : "");
    enum status status =
        comment.failed || explained.failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK;
    struct write_task written = {.matrix = task->order ? &task->reordered : natural};
    if (status == STATUS_OK)
        status = reader_for_writing(options->output, options->to, true, &written.writer, error);
    if (status == STATUS_OK) {
        written.comment = text_visible(comment.data);
        status = write_output(written, options->output, error);
    }
    if (status == STATUS_OK && options->permutation) {
        written.permutation = &task->permutation;
        written.comment = text_visible(explained.data);
        status = write_output(written, options->permutation, error);
    }
    text_free(&comment);
    text_free(&explained);
    return status;
}

static int command_gen(const struct options *options)
{
    struct text name = {0};
    struct error error = {0};
    const char *operand = options->operands[0];
    bool reorders = options->request.orders.count > 0;
    bool whole = strncmp(operand, "gen:", 4) == 0 || (reorders && !names_generator(operand));
    text_append(&name, "%s%s", whole ? "" : "gen:", operand);
    enum status status = name.failed ? error_set(&error, STATUS_MEMORY, "out of memory") : STATUS_OK;
    struct task task = {.name = name.data,
                        .options = &options->load,
                        .order = reorders ? &options->request.orders.choices[0] : NULL};
    if (status == STATUS_OK) status = finish_task(&task, &error);
    if (status == STATUS_OK && reorders) say_notes(&task.session.shown->matrix);
    if (status == STATUS_OK) status = write_results(&task, options, &error);
    task_free(&task);
    text_free(&name);
    return status == STATUS_USAGE ? wrong_usage(options, &error) : conclude(status, &error);
}

static int command_convert(const struct options *options)
{
    const char *in = options->operands[0], *out = options->operands[1];
    bool standard = strcmp(out, "-") == 0;
    struct error error = {0};
    struct text comment = {0};
    struct task task = {.name = in, .options = &options->load};
    struct write_task written = {0};
    /* What cannot be written is found out before anything is read. */
    enum status status =
        reader_for_writing(standard ? NULL : out, options->to, standard, &written.writer, &error);
    if (status == STATUS_OK) status = finish_task(&task, &error);
    if (status == STATUS_OK) {
        say_notes(&task.session.shown->matrix);
        text_append(&comment, "sparsight convert %s", in);
        if (comment.failed) status = error_set(&error, STATUS_MEMORY, "out of memory");
    }
    if (status == STATUS_OK) {
        written.matrix = &task.session.shown->matrix;
        written.comment = text_visible(comment.data);
        status = write_output(written, standard ? NULL : out, &error);
    }
    task_free(&task);
    text_free(&comment);
    return status == STATUS_USAGE ? wrong_usage(options, &error) : conclude(status, &error);
}

#ifdef WITH_CURSES
static int command_explore(const struct options *options)
{
    struct error error = {0};
    struct saved *saved[RUNS_MAX];
    struct ui_options ui = {.ascii = options->ascii,
                            .no_mouse = options->no_mouse,
                            .background = options->background,
                            .graphics = options->graphics,
                            .load = options->load,
                            .device = options->request.timing.device,
                            .gpu = options->request.gpu,
                            .sample = options->request.sample,
                            .orders = &options->request.orders,
                            .saved = saved};
    enum status status = STATUS_OK;
    for (int k = 0; k < options->saved_count && status == STATUS_OK; k++) {
        status = saved_open(options->saved[k], options->load.limit, &saved[k], &error);
        ui.saved_count += status == STATUS_OK;
    }
    if (status == STATUS_OK) status = ui_explore(options->operands[0], &ui, &error);
    for (int k = 0; k < ui.saved_count; k++)
        saved_close(saved[k]);
    /* The explorer ends so only if loading was cancelled without quitting. */
    if (status == STATUS_CANCELLED) say_error(&error);
    return conclude(status, &error);
}
#else
static int command_explore(const struct options *options)
{
    fprintf(stderr, "sparsight: this build has no explorer; 'sparsight report %s' prints an analysis\n",
            options->operands[0]);
    return EXIT_FAILURE;
}
#endif

/* Write the text to the file of this path, or to standard output if that is NULL. */
static int print(const struct text *text, const char *path)
{
    struct output output;
    struct error error = {0};
    enum status status = output_open(&output, path, &error);
    if (status == STATUS_OK) status = output_write(&output, text->data, text->length, &error);
    if (status == STATUS_OK) status = output_commit(&output, &error);
    output_abandon(&output);
    return conclude(status, &error);
}

static int print_help(const struct options *options)
{
    struct text text = {0};
    if (options->version)
        text_append(&text, "%s\n", PACKAGE_STRING);
    else
        options_help(options->command, &text);
    int code = print(&text, NULL);
    text_free(&text);
    return code;
}

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
    if (status == STATUS_OK)
        fprintf(stderr, "%s: kept, for --gpu=%s and for this GPU\n", text_visible(path.data), gpu->name);
    text_free(&path);
    return status;
}

static enum status run_calibrate_processor(void *argument, struct progress *progress, struct error *error)
{
    return processor_measure(argument, true, 0, progress, error);
}

/* Measure the processors, and keep their profile, which is printed if it cannot be kept, or if `print_it`. */
static int calibrate_processor(const struct options *options, bool print_it)
{
    struct processor *processor = memory_zeroed(1, sizeof *processor, NULL);
    struct job job;
    struct text text = {0}, path = {0};
    struct error error = {0};
    int code = EXIT_SUCCESS;
    enum status status = processor ? job_start(&job, run_calibrate_processor, processor, &error)
                                   : error_set(&error, STATUS_MEMORY, "out of memory");
    if (status == STATUS_OK) {
        status = wait_with_meter(&job, "calibrating", isatty(STDERR_FILENO));
        error = job.error;
    }
    if (status == STATUS_OK) {
        processor_describe(processor, &text);
        status = processor_keep(processor, &path, &error);
        if (status == STATUS_OK) fprintf(stderr, "%s: kept, for this processor\n", text_visible(path.data));
        if (print_it || status != STATUS_OK) code = print(&text, options->output);
    }
    text_free(&text);
    text_free(&path);
    free(processor);
    return status == STATUS_OK ? code : conclude(status, &error);
}

/* Measure a GPU. Its profile is printed also if it cannot be kept. */
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
    int code = print(&text, options->output);
    text_free(&text);
    status = keep(&task.gpu, &error);
    return status == STATUS_OK ? code : conclude(status, &error);
}

/* Measure the processors, and the GPU, if there is one: then the profile that is printed is the GPU's. A GPU
 * that is asked for by its number is measured alone. */
static int command_calibrate(const struct options *options)
{
    struct error reason = {0};
    if (options->device_named) return calibrate_gpu(options);
    bool gpu = device_types[0]->check(&reason) == STATUS_OK;
    int code = calibrate_processor(options, !gpu);
    if (gpu) return code == EXIT_SUCCESS ? calibrate_gpu(options) : code;
    fprintf(stderr,
            "sparsight: no GPU was measured: %s; for one that is elsewhere --gpu=NAME takes a profile, which "
            "--calibrate there makes\n",
            reason.message);
    return code;
}

static int command_kernels(const struct options *options)
{
    struct text text = {0};
    if (options->calibrate) return command_calibrate(options);
    append_inventory(&options->request.gpu, &text);
    int code = print(&text, options->output);
    text_free(&text);
    return code;
}

static int run(const struct options *options)
{
    if (options->threads || !getenv("OMP_NUM_THREADS")) threads_set(options->threads);
    if (options->command != COMMAND_EXPLORE || options->help || options->version) catch_signals();
    if (options->help || options->version) return print_help(options);
    if (options->command == COMMAND_REPORT) return command_report(options);
    if (options->command == COMMAND_CONVERT) return command_convert(options);
    if (options->command == COMMAND_GEN) return command_gen(options);
    if (options->command == COMMAND_KERNELS) return command_kernels(options);
    return command_explore(options);
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error = {0};
    guard_streams();
    enum status status = options_parse(argc, argv, &options, &error);
    int code = status == STATUS_OK      ? run(&options)
               : status == STATUS_USAGE ? wrong_usage(&options, &error)
                                        : conclude(status, &error);
    options_free(&options);
    return code;
}
