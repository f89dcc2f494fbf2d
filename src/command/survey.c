/* `sparsight survey`: any number of matrices, with a process and a line of a file for each, and summary
 * tables. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/process_lock.h"
#include "base/range.h"
#include "base/threads.h"
#include "command/command.h"
#include "command/help.h"
#include "command/meter.h"
#include "command/process.h"
#include "command/say.h"
#include "command/survey_parts.h"
#include "report/records/collection.h"
#include "report/records/figures.h"

/* The exit status of a process whose share of the memory was too small. */
enum { EXIT_LIMIT = 3 };

/* The work of a process that writes the first line. */
enum { FIRST_LINE = -1 };

struct survey {
    const struct options *options;
    struct survey_inputs inputs;
    struct collection done; /* the records that the file contains */
    struct process_lock lock;
    int jobs;               /* number of processes at a time */
    size_t share;           /* bytes of memory for each process; 0: the free memory */
    int all, each;          /* threads of the machine, and of each process; 0: the user's number */
    int file;               /* the file that is written; it is locked */
    int64_t length;         /* length of the file up to its last complete input */
    struct worker *workers; /* `jobs` of them */
    int *again;             /* inputs whose share of memory was too small, to be tried alone */
    int again_count;
    int finished, failed; /* numbers of inputs of this run */
    int total;            /* number of all inputs of this run */
    double started;
    bool watched; /* standard error is a terminal */
    bool alone;   /* each input now has all of the memory */
};

/* --- in a process of an input --- */

static int report_input_alone(struct survey *survey, const char *name)
{
    struct options options = *survey->options;
    struct report report;
    struct error error = {0};
    bool failed = false, limited = false;
    options.load.limit = survey->alone ? survey->options->load.limit : survey->share;
    process_hold_memory(options.load.limit);
    options.request.lock = survey->jobs > 1 ? &survey->lock : NULL;
    if (!survey->alone && survey->each) {
        options.request.alone = survey->all;
        options.request.beside = survey->each;
        threads_set(survey->each);
    }
    process_lock_take(options.request.lock, PROCESS_LOCK_SHARED);
    enum status status = report_open(&report, &report_format_jsonl, NULL, &error);
    report.anonymous = true;
    if (status == STATUS_OK) status = report_input(&report, name, &options, &failed, &limited, &error);
    if (status == STATUS_OK) status = report_close(&report, &error);
    if (status != STATUS_OK) return conclude(status, &error);
    return limited ? EXIT_LIMIT : failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* The first line describes the machine. Finding its GPUs loads their driver, after which no process may be
 * forked. */
static int write_first_line(const struct survey *survey)
{
    struct text text = {0};
    const char *settings = survey->options->settings.data;
    survey_line(settings ? settings : "", survey->options->command_line.data, &text);
    int code = text.failed ? EXIT_FAILURE : print_text(&text, NULL);
    text_free(&text);
    return code;
}

static int work(void *argument, int input)
{
    struct survey *survey = argument;
    close(survey->file);
    if (input == FIRST_LINE) return write_first_line(survey);
    return report_input_alone(survey, survey->inputs.items[input].name);
}

/* --- the file --- */

/* Append to the file. A partial write is undone, so that there is no incomplete line. */
static enum status append(struct survey *survey, const struct text *text, struct error *error)
{
    size_t at = 0;
    if (text->failed) return error_set(error, STATUS_MEMORY, "out of memory while a record was written");
    while (at < text->length) {
        ssize_t count = write(survey->file, text->data + at, text->length - at);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            int reason = errno;
            if (ftruncate(survey->file, survey->length) != 0) reason = errno;
            return error_at(error, STATUS_IO, survey->options->output, 0, 0,
                            "%s; finished matrices are saved, and --resume continues with the rest",
                            strerror(reason));
        }
        at += (size_t)count;
    }
    survey->length += (int64_t)text->length;
    return STATUS_OK;
}

static const char none_given[] = "the survey there was made without options";

/* Records with different options cannot belong to one collection. */
static enum status check_settings(const struct survey *survey, struct error *error)
{
    const char *asked = survey->options->settings.data ? survey->options->settings.data : "";
    const char *had = survey->done.settings;
    const bool tells = survey->inputs.count == 0 && !survey->options->retry; /* only the tables */
    if (!had || strcmp(had, asked) == 0 || (tells && !asked[0])) return STATUS_OK;
    return error_at(error, STATUS_USAGE, survey->options->output, 0, 0,
                    "%s%s: give the same ones, or another file",
                    had[0] ? "the survey there was made with " : none_given, had);
}

/* Read the file that a survey continues, and cut off an incomplete end. */
static enum status read_done(struct survey *survey, struct error *error)
{
    const char *path = survey->options->output;
    int copy = dup(survey->file);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "r");
    if (!file) {
        error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
        if (copy >= 0) close(copy);
        return STATUS_IO;
    }
    enum status status = collection_read(file, path, false, &survey->done, error);
    fclose(file);
    if (status == STATUS_OK) status = check_settings(survey, error);
    if (status != STATUS_OK) return status;
    survey->length = survey->done.whole;
    if (ftruncate(survey->file, survey->length) == 0 && lseek(survey->file, survey->length, SEEK_SET) >= 0)
        return STATUS_OK;
    return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
}

/* Lock the file against other surveys. */
static enum status lock_file(const struct survey *survey, struct error *error)
{
    if (flock(survey->file, LOCK_EX | LOCK_NB) == 0) return STATUS_OK;
    return error_at(error, STATUS_IO, survey->options->output, 0, 0,
                    "another survey is writing it: wait, or give another file");
}

/* Write the file again without the inputs that failed, whole or not at all, and go on with the new one. */
static enum status leave_out_failed(struct survey *survey, struct error *error)
{
    const char *path = survey->options->output;
    struct output output = {0};
    FILE *file = fopen(path, "re");
    if (!file) return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
    enum status status = output_open(&output, path, error);
    if (status == STATUS_OK) status = collection_copy_good(file, path, &output, error);
    fclose(file);
    if (status == STATUS_OK) status = output_commit(&output, error);
    output_abandon(&output);
    if (status != STATUS_OK) return status;
    int written = open(path, O_RDWR | O_CLOEXEC | O_APPEND);
    if (written < 0) return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
    close(survey->file);
    survey->file = written;
    status = lock_file(survey, error);
    collection_free(&survey->done);
    return status == STATUS_OK ? read_done(survey, error) : status;
}

/* Try the inputs that failed again. */
static enum status retry(struct survey *survey, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < survey->done.failed && status == STATUS_OK; k++)
        status = inputs_add(&survey->inputs, survey->done.failures[k], &survey->options->load, error);
    return status == STATUS_OK && survey->done.failed ? leave_out_failed(survey, error) : status;
}

static enum status open_file(struct survey *survey, struct error *error)
{
    const char *path = survey->options->output;
    struct stat about;
    survey->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
    if (survey->file < 0 || fstat(survey->file, &about) != 0)
        return error_at(error, STATUS_IO, path, 0, 0, "%s", strerror(errno));
    if (!S_ISREG(about.st_mode))
        return error_at(error, STATUS_USAGE, path, 0, 0,
                        "it is not a file that a survey can continue: give another file");
    enum status status = lock_file(survey, error);
    if (status != STATUS_OK || about.st_size == 0) return status;
    if (!survey->options->resume && !survey->options->retry)
        return error_at(error, STATUS_USAGE, path, 0, 0,
                        "it exists already: give --resume to continue it, or another file");
    status = read_done(survey, error);
    return status == STATUS_OK && survey->options->retry ? retry(survey, error) : status;
}

/* --- the work --- */

static void say_progress(const struct survey *survey)
{
    char left[32] = "";
    double spent = clock_seconds() - survey->started;
    if (!survey->watched) return;
    if (survey->finished)
        format_seconds(left, sizeof left, spent / survey->finished * (survey->total - survey->finished));
    struct text line = {0};
    text_append(&line, "%d of %d", survey->finished, survey->total);
    if (survey->failed) text_append(&line, ", %d failed", survey->failed);
    if (left[0]) text_append(&line, ", %s left", left);
    for (int k = 0; k < survey->jobs; k++)
        if (survey->workers[k].process && survey->workers[k].input >= 0) {
            text_append(&line, ": %s", survey->inputs.items[survey->workers[k].input].name);
            break;
        }
    if (!line.failed) meter_line(line.data);
    text_free(&line);
}

/* Append the reason why a process has no output as the error of its input. */
static void append_death(const char *name, int state, struct text *record)
{
    struct text why = {0};
    struct error error = {0};
    if (WIFSIGNALED(state))
        text_append(&why, "its process ended by signal %d (%s)%s", WTERMSIG(state),
                    strsignal(WTERMSIG(state)),
                    WTERMSIG(state) == SIGKILL ? ", as the system does if memory runs out" : "");
    else
        text_append(&why, "its process ended with status %d and wrote no report", WEXITSTATUS(state));
    record->failed = record->failed || why.failed;
    error_at(&error, STATUS_INPUT, name, 0, 0, "%s", why.data ? why.data : "out of memory");
    say_error(&error);
    error_line(name, error.message, record);
    text_free(&why);
}

/* Write the records of an input whose process has ended. A whole report ends with a line end. */
static enum status finish(struct survey *survey, struct worker *worker, int state, struct error *error)
{
    const char *name = survey->inputs.items[worker->input].name;
    struct text record = {0};
    bool whole = WIFEXITED(state) && worker->written.length > 0 && !worker->written.failed &&
                 worker->written.data[worker->written.length - 1] == '\n';
    bool failed = !whole || WEXITSTATUS(state) != EXIT_SUCCESS;
    if (whole)
        text_append_bytes(&record, worker->written.data, worker->written.length);
    else
        append_death(name, state, &record);
    input_line(name, failed, clock_seconds() - worker->started, &record);
    enum status status = append(survey, &record, error);
    text_free(&record);
    survey->finished++;
    survey->failed += failed;
    return status;
}

/* Wait for one process, and write its output. Inputs whose share of memory was too small are tried again
 * later. */
static enum status wait_for_one(struct survey *survey, struct error *error)
{
    int state = 0, k = workers_wait(survey->workers, survey->jobs, &state);
    enum status status = STATUS_OK;
    if (k < 0) return STATUS_OK;
    struct worker *worker = &survey->workers[k];
    if (survey->jobs > 1 && !survey->alone && WIFEXITED(state) && WEXITSTATUS(state) == EXIT_LIMIT) {
        survey->again[survey->again_count++] = worker->input;
    } else {
        meter_clear();
        if (worker->said.length) say_words(worker->said.data);
        status = finish(survey, worker, state, error);
    }
    worker_clear(worker);
    say_progress(survey);
    return status;
}

static struct worker *idle_worker(const struct survey *survey)
{
    for (int k = 0; k < (survey->alone ? 1 : survey->jobs); k++)
        if (!survey->workers[k].process) return &survey->workers[k];
    return NULL;
}

static bool is_running(const struct survey *survey)
{
    for (int k = 0; k < survey->jobs; k++)
        if (survey->workers[k].process) return true;
    return false;
}

/* Write that an input could not even be listed. */
static enum status refuse(struct survey *survey, const struct survey_input *input, struct error *error)
{
    struct text record = {0};
    error_line(input->name, input->failure, &record);
    input_line(input->name, true, 0, &record);
    enum status status = append(survey, &record, error);
    text_free(&record);
    struct error failure = {0};
    error_at(&failure, STATUS_INPUT, input->name, 0, 0, "%s", input->failure);
    meter_clear();
    say_error(&failure);
    survey->finished++;
    survey->failed++;
    return status;
}

static enum status begin(struct survey *survey, int input, struct error *error)
{
    enum status status = STATUS_OK;
    if (survey->inputs.items[input].failure) return refuse(survey, &survey->inputs.items[input], error);
    while (status == STATUS_OK && !idle_worker(survey))
        status = wait_for_one(survey, error);
    if (status == STATUS_OK) status = worker_start(idle_worker(survey), work, survey, input, error);
    say_progress(survey);
    return status;
}

static enum status wait_for_all(struct survey *survey, struct error *error)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK && is_running(survey))
        status = wait_for_one(survey, error);
    return status;
}

/* The first line is written by a process like all others. */
static enum status begin_file(struct survey *survey, struct error *error)
{
    int state = 0;
    if (survey->length > 0) return STATUS_OK;
    struct worker *first = idle_worker(survey);
    enum status status = worker_start(first, work, survey, FIRST_LINE, error);
    if (status != STATUS_OK) return status;
    workers_wait(survey->workers, survey->jobs, &state);
    if (state != 0 || first->written.length == 0)
        status = error_set(error, STATUS_IO, "the process that describes the machine failed: %s",
                           first->said.length ? first->said.data : "it gave no reason");
    if (status == STATUS_OK) status = append(survey, &first->written, error);
    worker_clear(first);
    return status;
}

static enum status run_inputs(struct survey *survey, struct error *error)
{
    enum status status = begin_file(survey, error);
    for (int k = 0; k < survey->inputs.count && status == STATUS_OK; k++)
        if (!collection_has(&survey->done, survey->inputs.items[k].name)) status = begin(survey, k, error);
    if (status == STATUS_OK) status = wait_for_all(survey, error);
    survey->alone = true;
    for (int k = 0; k < survey->again_count && status == STATUS_OK; k++)
        status = begin(survey, survey->again[k], error);
    if (status == STATUS_OK) status = wait_for_all(survey, error);
    meter_clear();
    return status;
}

/* --- all --- */

/* Divide the memory of the machine among the processes, and its threads, too, unless the user has set their
 * number. */
static void divide(struct survey *survey)
{
    const struct options *options = survey->options;
    bool named = options->threads > 0 || getenv("OMP_NUM_THREADS");
    survey->share = options->load.limit;
    if (survey->jobs == 1) return;
    survey->share = memory_limit(options->load.limit) / (size_t)survey->jobs;
    if (named) return;
    survey->all = threads_count();
    survey->each = (int)max(1, survey->all / survey->jobs);
}

static enum status prepare(struct survey *survey, struct error *error)
{
    const struct options *options = survey->options;
    enum status status = inputs_list(options, &survey->inputs, error);
    if (status == STATUS_OK) status = open_file(survey, error);
    if (status == STATUS_OK) status = process_lock_open(&survey->lock, error);
    if (status != STATUS_OK) return status;
    for (int k = 0; k < survey->inputs.count; k++)
        survey->total += !collection_has(&survey->done, survey->inputs.items[k].name);
    survey->jobs = (int)max(1, min(options->jobs, survey->total));
    survey->workers = memory_zeroed((size_t)survey->jobs, sizeof *survey->workers, error);
    survey->again = memory_zeroed((size_t)survey->inputs.count, sizeof *survey->again, error);
    if (!survey->workers || !survey->again) return STATUS_MEMORY;
    for (int k = 0; k < survey->jobs; k++)
        worker_clear(&survey->workers[k]);
    divide(survey);
    survey->watched = isatty(STDERR_FILENO);
    survey->started = clock_seconds();
    return STATUS_OK;
}

static void survey_free(struct survey *survey)
{
    for (int k = 0; survey->workers && k < survey->jobs; k++) {
        struct worker *worker = &survey->workers[k];
        if (worker->process) kill(worker->process, SIGKILL);
        if (worker->output >= 0) close(worker->output);
        if (worker->messages >= 0) close(worker->messages);
        if (worker->process) waitpid(worker->process, NULL, 0);
        worker_clear(worker);
    }
    if (survey->file >= 0) close(survey->file);
    process_lock_close(&survey->lock);
    inputs_free(&survey->inputs);
    collection_free(&survey->done);
    free(survey->workers);
    free(survey->again);
}

/* Print the tables of all records of the file. *failed: number of failed inputs. */
static enum status tell(const struct survey *survey, int *failed, struct error *error)
{
    struct collection collection;
    struct sheets sheets = {0};
    struct text text = {0};
    FILE *file = fopen(survey->options->output, "re");
    if (!file) return error_at(error, STATUS_IO, survey->options->output, 0, 0, "%s", strerror(errno));
    enum status status = collection_read(file, survey->options->output, true, &collection, error);
    fclose(file);
    if (status != STATUS_OK) return status;
    sheets.collection = &collection;
    sheets.title = survey->options->output;
    figures_append(&collection, &sheets);
    *failed = collection.failed;
    if (survey->options->sheet_format == sheet_formats[0])
        text_append(&text, "%d input%s, %d failed; %d matri%s\n\n", collection.input_count,
                    collection.input_count == 1 ? "" : "s", collection.failed, collection.count,
                    collection.count == 1 ? "x" : "ces");
    survey->options->sheet_format->write(&sheets, SURVEY_SCHEMA, &text);
    if (sheets.failed || text.failed)
        status = error_set(error, STATUS_MEMORY, "out of memory while the tables were written");
    else if (print_text(&text, NULL) != EXIT_SUCCESS)
        status = error_set(error, STATUS_CANCELLED, "the tables could not be written");
    else if (survey->options->plots)
        status = survey_charts(survey->options, &collection, &sheets, error);
    sheets_free(&sheets);
    text_free(&text);
    collection_free(&collection);
    return status;
}

static int run_survey(const struct options *options)
{
    struct survey survey = {.options = options, .file = -1, .lock = {.file = -1}};
    struct error error = {0};
    int failed = 0;
    if (options->settings.failed)
        return conclude(error_set(&error, STATUS_MEMORY, "out of memory for the options"), &error);
    enum status status = prepare(&survey, &error);
    if (status == STATUS_OK && survey.inputs.repeated)
        say_words(survey.inputs.repeated == 1 ? "1 input was named twice, and is read once\n"
                                              : "some inputs were named more than once, and are read once\n");
    if (status == STATUS_OK) status = run_inputs(&survey, &error);
    survey_free(&survey);
    if (status == STATUS_OK) status = tell(&survey, &failed, &error);
    if (status != STATUS_OK) {
        int code = conclude(status, &error);
        return code == EXIT_SUCCESS ? EXIT_FAILURE : code;
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static enum status check_survey(const struct options *options, struct error *error)
{
    if (!options->output || strcmp(options->output, "-") == 0)
        return error_set(error, STATUS_USAGE, "no file for the records of the survey: give -o FILE");
    if (options->operand_count == 0 && !options->list && !options->resume && !options->retry)
        return error_set(error, STATUS_USAGE, "no matrix is given");
    for (int k = 0; k < options->operand_count; k++)
        if (strcmp(options->operands[k], "-") == 0)
            return error_set(error, STATUS_USAGE,
                             "a survey reads no matrix from standard input; --list=- reads names");
    enum status status = survey_charts_check(options, error);
    return status == STATUS_OK ? options_check_product(options, error) : status;
}

static void help_survey(struct text *text)
{
    text_append(
        text, "\n"
              "A folder stands for all matrices in it and in its subfolders, an archive for its members.\n");
    help_sheet_formats(text);
    survey_charts_help(text);
    help_sections(text);
    help_file_formats(text);
    help_orders(text);
    help_storage_formats(text);
}

const struct command command_survey = {
    .id = COMMAND_SURVEY,
    .name = "survey",
    .usage = "sparsight survey [OPTION]... -o FILE MATRIX...",
    .summary = "report on a collection, and compare its kernels",
    .failure = "some input failed, or a kernel was wrong (the others are still reported)",
    .help = help_survey,
    .check = check_survey,
    .run = run_survey,
};
