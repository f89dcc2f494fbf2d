/* `sparsight plot`: a picture of a screen's contents, in a file or in the terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/guess.h"
#include "base/output.h"
#include "command/command.h"
#include "command/help.h"
#include "command/plot_terminal.h"
#include "command/say.h"
#include "command/task.h"
#include "drawing/picture.h"
#include "report/figures/figure.h"
#include "report/figures/points.h"
#include "report/host.h"
#include "report/saved/saved.h"
#include "session/solve_advice.h"

/* Find the requested figure: the first operand names it if there are two or more, else it is the pattern.
 * *first becomes the index of the first MATRIX. */
static const struct figure *figure_asked(const struct options *options, int *first)
{
    const struct figure *figure = options->operand_count > 1 ? figure_find(options->operands[0]) : NULL;
    *first = figure ? 1 : 0;
    return figure ? figure : figures[0];
}

static bool in_terminal(const struct options *options)
{
    return !options->output && !options->form;
}

/* The data computed from a matrix for its figure. */
struct plotted {
    const struct options *options;
    const struct figure *figure;
    struct figure_subject subject;
    const struct kernel_list *kernels; /* the kernels that are timed: those of the user, */
    struct kernel_list standard;       /* or these of the figure; owned */
    struct figure_points points;       /* points of several matrices; owned */
    struct partition partition;        /* for a picture by owner; owned */
    char partition_name[PARTITION_NAME];
    char processor[256]; /* the processor that kernels ran on, or are forecast for */
};

/* Find the partition that colours the pattern: the named one, else METIS's, or if METIS is missing or refuses
 * the matrix, runs of equal numbers of entries. */
static enum status divide(const struct session *session, struct plotted *plotted, struct progress *progress,
                          struct error *error)
{
    const struct distribution_request *request = &plotted->options->request.distribution;
    const struct matrix *matrix = &session->shown->matrix;
    struct partition_list usual = {0};
    const struct partition_list *list = request->partitions.count ? &request->partitions : &usual;
    enum status status = list == &usual ? partition_list_add(&usual, "metis entries", error) : STATUS_OK;
    struct error refusal = {0};
    int last = list->count - 1;
    for (int k = 0; k <= last && status == STATUS_OK; k++) {
        refusal = (struct error){0};
        status = partition_find(&list->choices[k], &matrix->csr, matrix->symmetry != SYMMETRY_GENERAL,
                                request->parts[0], session->limit, progress, &plotted->partition, &refusal);
        partition_choice_name(&list->choices[k], plotted->partition_name, sizeof plotted->partition_name);
        if (status == STATUS_OK) break;
        if (status == STATUS_UNAVAILABLE && k < last) status = STATUS_OK;
    }
    partition_list_free(&usual);
    if (status != STATUS_OK && error->status == STATUS_OK) *error = refusal;
    if (status != STATUS_OK && !error->path[0]) snprintf(error->path, sizeof error->path, "%s", matrix->path);
    plotted->subject.partition = &plotted->partition;
    plotted->subject.partition_name = plotted->partition_name;
    return status;
}

/* Reorder the matrix as requested. An impossible order is an error here. */
static enum status reorder(struct session *session, const struct options *options, struct progress *progress,
                           struct error *error)
{
    for (int k = 0; k < options->request.orders.count; k++) {
        enum status status = session_reorder(session, &options->request.orders.choices[k], progress, error);
        if (status != STATUS_OK) return status;
    }
    if (session->refused_count) {
        *error = session->refused[0].error;
        return error->status;
    }
    session->shown = &session->cases[session->case_count - 1];
    return STATUS_OK;
}

/* Use the results of the saved reports; the first report with results is drawn. */
static enum status open_saved(struct session *session, struct plotted *plotted, struct error *error)
{
    const struct options *options = plotted->options;
    struct matrix_case *of = session->shown;
    enum status status = STATUS_OK;
    for (int k = 0; k < options->saved_count && status == STATUS_OK; k++) {
        struct saved *saved = NULL;
        status = saved_open(options->saved[k], options->load.limit, &saved, error);
        if (status == STATUS_OK) status = saved_add(saved, of, &of->runs, error);
        saved_close(saved);
    }
    if (status == STATUS_OK && of->runs.count && of->results.count == 0) {
        snprintf(plotted->processor, sizeof plotted->processor, "%s", of->runs.items[0]->label);
        of->results = of->runs.items[0]->results;
        of->runs.items[0]->results = (struct results){0};
    }
    return status;
}

/* Time the requested kernels. */
static enum status run_kernels(struct session *session, const struct options *options,
                               const struct kernel_list *list, struct progress *progress, struct error *error)
{
    const struct report_request *request = &options->request;
    struct bench_options timing = request->timing;
    struct results *results = &session->shown->results;
    enum status status = STATUS_OK;
    for (int k = 0; k < list->count && status == STATUS_OK; k++) {
        const struct kernel_choice choice = kernel_choice_with(&list->choices[k], PRECISION_F64, 0);
        status = results_want(results, &choice, error);
    }
    if (status != STATUS_OK || list->count == 0) return status;
    timing.limit = session->limit;
    return session_run(session, NULL, NULL, results, &timing, request->sample, progress, error);
}

/* Find the results of kernels for a figure. */
static enum status prepare_kernels(struct session *session, struct plotted *plotted,
                                   struct progress *progress, struct error *error)
{
    const struct options *options = plotted->options;
    if (plotted->figure->runs == FIGURE_RUNS_NONE && !plotted->figure->several) return STATUS_OK;
    enum status status = run_kernels(session, options, plotted->kernels, progress, error);
    if (plotted->figure->several) return status;
    if (status == STATUS_OK) status = open_saved(session, plotted, error);
    bool results = session->shown->results.count > 0;
    if (status != STATUS_OK || (results && plotted->figure->runs == FIGURE_RUNS_OR_FORECASTS)) return status;
    return session_need(session, NULL, SESSION_GPU | SESSION_FORESIGHT, progress, error);
}

/* Build the storage for the layout. */
static enum status build(struct session *session, struct plotted *plotted, struct progress *progress,
                         struct error *error)
{
    const struct format_list *asked = &plotted->options->storage;
    struct format_list csr = {0};
    enum status status = asked->count ? STATUS_OK : format_list_add(&csr, "csr", error);
    if (status != STATUS_OK) return status;
    const struct format_choice *choice = asked->count ? &asked->choices[0] : &csr.choices[0];
    struct conversion *conversion = conversions_want(&session->shown->conversions, choice, error);
    if (conversion) {
        conversion->keep = true;
        status = conversion_build(conversion, session->limit, progress, error);
        plotted->subject.storage = conversion->storage;
    } else {
        status = error->status;
    }
    if (status == STATUS_OK && conversion_state(conversion) == CONVERSION_REFUSED) {
        *error = conversion->refusal;
        status = error->status;
    }
    format_list_free(&csr);
    return status;
}

/* Solve with the matrix, by the requested methods or by all. */
static enum status solve(struct session *session, const struct options *options, struct progress *progress,
                         struct error *error)
{
    const struct report_request *request = &options->request;
    const struct solver_options solver = request->solve ? request->solver : solver_options_standard();
    return session_solve(session, session->shown, &solver, progress, error);
}

static enum status prepare(struct session *session, void *argument, struct progress *progress,
                           struct error *error)
{
    struct plotted *plotted = argument;
    const struct options *options = plotted->options;
    session_for_gpu(session, &options->request.gpu, options->request.timing.device);
    enum status status = reorder(session, options, progress, error);
    if (status == STATUS_OK) status = session_need(session, NULL, plotted->figure->needs, progress, error);
    if (status == STATUS_OK && plotted->figure->solves) status = solve(session, options, progress, error);
    if (status == STATUS_OK && plotted->figure->layout) status = build(session, plotted, progress, error);
    if (status == STATUS_OK) status = prepare_kernels(session, plotted, progress, error);
    if (status == STATUS_OK && plotted->subject.by == FIGURE_OWNER)
        status = divide(session, plotted, progress, error);
    if (!plotted->processor[0]) host_processor(plotted->processor, sizeof plotted->processor);
    plotted->subject.processor = plotted->processor;
    plotted->subject.session = session;
    plotted->subject.of = session->shown;
    return status;
}

/* Write the picture to the file, or to standard output unless it is for a terminal. */
static enum status write_picture(const struct plotted *plotted, struct error *error)
{
    const struct options *options = plotted->options;
    int wide, high;
    struct text bytes = {0};
    struct output output = {0};
    const struct picture_form *form = picture_form_find(options->form, options->output, error);
    if (!form) return error->status;
    figure_size(plotted->figure, &wide, &high);
    if (options->size[0]) wide = options->size[0];
    if (options->size[1]) high = options->size[1];
    enum status status = figure_write(plotted->figure, &plotted->subject, form, wide, high,
                                      options->background != BACKGROUND_DARK, &bytes, error);
    if (status == STATUS_OK) status = output_open(&output, options->output, error);
    if (status == STATUS_OK) status = output_write(&output, bytes.data, bytes.length, error);
    if (status == STATUS_OK) status = output_commit(&output, error);
    output_abandon(&output);
    text_free(&bytes);
    return status;
}

/* Draw the prepared figure. */
static enum status show(const struct plotted *plotted, struct error *error)
{
    const struct options *options = plotted->options;
    return in_terminal(options) ? plot_print(plotted->figure, &plotted->subject, options, error)
                                : write_picture(plotted, error);
}

static enum status take_saved(void *argument, const char *name, double mean, const struct results *results,
                              struct error *error)
{
    return figure_points_add(argument, name, mean, results, error);
}

/* Load a matrix, compute the data of its figure, and draw it, or add its points if it is one of several. */
static enum status plot_matrix(struct plotted *plotted, const char *name, struct error *error)
{
    struct task task = {
        .name = name, .options = &plotted->options->load, .prepare = prepare, .argument = plotted};
    enum status status = finish_task(&task, error);
    if (status == STATUS_OK) say_notes(&task.session.shown->matrix);
    if (status == STATUS_OK && plotted->figure->several) {
        const struct matrix_case *of = task.session.shown;
        status =
            figure_points_add(&plotted->points, of->matrix.name, of->row_lengths.mean, &of->results, error);
    } else if (status == STATUS_OK) {
        status = show(plotted, error);
    }
    task_free(&task);
    return status;
}

/* Add the points of a saved report. */
static enum status plot_saved(struct plotted *plotted, const char *name, struct error *error)
{
    struct saved *saved = NULL;
    enum status status = saved_open(name, plotted->options->load.limit, &saved, error);
    if (status == STATUS_OK) status = saved_each(saved, take_saved, &plotted->points, error);
    saved_close(saved);
    return status;
}

/* The default comparison of the figure of speed-ups: that of section 6.3 of the CMRS paper. */
#define PAPER_KERNELS "cuda/cmrs cuda/csr-vector cuda/csr-scalar cuda/hyb"

static enum status plot_several(struct plotted *plotted, int first, struct error *error)
{
    const struct options *options = plotted->options;
    enum status status = STATUS_OK;
    if (plotted->kernels->count == 0) {
        status = kernel_list_add(&plotted->standard, PAPER_KERNELS, error);
        plotted->kernels = &plotted->standard;
    }
    plotted->points.kernels = plotted->kernels;
    for (int k = first; k < options->operand_count && status == STATUS_OK; k++)
        status = saved_is_named(options->operands[k]) ? plot_saved(plotted, options->operands[k], error)
                                                      : plot_matrix(plotted, options->operands[k], error);
    plotted->subject = (struct figure_subject){.points = &plotted->points, .row = -1, .col = -1};
    return status == STATUS_OK ? show(plotted, error) : status;
}

static int run_plot(const struct options *options)
{
    int first;
    struct plotted plotted = {.options = options, .figure = figure_asked(options, &first)};
    struct error error = {0};
    enum status status;
    plotted.subject =
        (struct figure_subject){.by = options->by, .row = options->at[0], .col = options->at[1]};
    plotted.kernels = &options->request.kernels;
    status = plotted.figure->several ? plot_several(&plotted, first, &error)
                                     : plot_matrix(&plotted, options->operands[first], &error);
    partition_free(&plotted.partition);
    figure_points_free(&plotted.points);
    kernel_list_free(&plotted.standard);
    return conclude(status, &error);
}

static const char *name_of(int k)
{
    return figures[k] ? figures[k]->name : NULL;
}

/* The size of a file has more pixels than that of a terminal has characters. */
static enum status check_size(const struct options *options, struct error *error)
{
    if (in_terminal(options) || !options->size[0]) return STATUS_OK;
    if (options->size[0] >= PICTURE_MIN && options->size[1] >= PICTURE_MIN) return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--size=%dx%d: pictures in files have %d to %d pixels in each direction",
                     options->size[0], options->size[1], PICTURE_MIN, PICTURE_MAX);
}

/* Owners need one partition and one number of parts; a file determines its number itself. */
static enum status check_owners(const struct options *options, struct error *error)
{
    const struct distribution_request *request = &options->request.distribution;
    const struct partition_list *list = &request->partitions;
    bool asked = request->count > 0 || list->count > 0;
    if (options->by != FIGURE_OWNER && asked)
        return error_set(error, STATUS_USAGE, "--%s needs --by=owner",
                         request->count ? "parts" : "partition");
    if (options->by != FIGURE_OWNER) return STATUS_OK;
    bool file = list->count == 1 && list->choices[0].partitioner->fixed;
    if (request->count > 1 || list->count > 1)
        return error_set(error, STATUS_USAGE, "--%s names %d; a picture shows one",
                         request->count > 1 ? "parts" : "partition",
                         request->count > 1 ? request->count : list->count);
    if (request->count == 0 && !file)
        return error_set(error, STATUS_USAGE, "--by=owner needs --parts, the number of processes");
    return STATUS_OK;
}

static enum status check_plot(const struct options *options, struct error *error)
{
    int first;
    const struct figure *figure = figure_asked(options, &first);
    if (options->operand_count == 0) return error_set(error, STATUS_USAGE, "no matrix is given");
    if (options->operand_count > 1 && first == 0)
        return guess_refuse("no picture is called", options->operands[0], strlen(options->operands[0]),
                            name_of, error);
    if (options->operand_count == 1 && figure_find(options->operands[0]) &&
        access(options->operands[0], F_OK) != 0)
        return error_set(
            error, STATUS_USAGE, "no matrix is given for the picture '%s': name a MATRIX after it%s",
            options->operands[0], options->saved_count ? "; --results adds the times of a saved report" : "");
    if (!figure->several && options->operand_count - first > 1)
        return error_set(error, STATUS_USAGE, "%s shows one matrix, but %d are given", figure->name,
                         options->operand_count - first);
    if (options->load.name && options->operand_count - first > 1)
        return error_set(error, STATUS_USAGE, "--name names one matrix, but %d are given",
                         options->operand_count - first);
    if (!in_terminal(options) && !picture_form_find(options->form, options->output, error))
        return error->status;
    enum status status = check_owners(options, error);
    return status == STATUS_OK ? check_size(options, error) : status;
}

static void help_plot(struct text *text)
{
    text_append(text, "\nWHAT is one of these; without it the pattern is drawn:\n");
    for (int k = 0; figures[k]; k++)
        text_append(text, "  %-22s %s\n", figures[k]->name, figures[k]->summary);
    help_file_formats(text);
}

const struct command command_plot = {
    .id = COMMAND_PLOT,
    .name = "plot",
    .usage = "sparsight plot [WHAT] [OPTION]... MATRIX...",
    .summary = "draw a picture of a matrix",
    .failure = "the matrix could not be read, or the picture could not be made",
    .help = help_plot,
    .check = check_plot,
    .run = run_plot,
};
