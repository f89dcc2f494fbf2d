/* sparsight-mpi: reports on matrices that the ranks of an MPI program hold together, and their conversion.
 * Its command lines are those of `sparsight report` and `sparsight convert`, with those options of the same
 * table that apply here. All ranks read them, but only rank 0 prints. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "command/command.h"
#include "command/completion/words.h"
#include "command/help.h"
#include "command/process.h"
#include "command/say.h"
#include "command/write.h"
#include "config.h"
#include "ranks/convert.h"
#include "ranks/costs.h"
#include "ranks/network.h"
#include "ranks/orders/orders.h"
#include "ranks/parts/distribute.h"
#include "ranks/product/run.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "ranks/sums/sums.h"
#include "ranks/write.h"
#include "report/report.h"
#include "report/sections.h"
#include "session/scale.h"

/* Commands are passed only their options, so the ranks of the process are kept here. */
static struct ranks ranks;

/* Move the results into the case, and compare predictions with them. */
static enum status take_results(struct sums *sums, struct results *results, struct error *error)
{
    results_free(&sums->shown->results);
    sums->shown->results = *results;
    *results = (struct results){0};
    return sums->shown->distribution.count ? session_scale(sums->session, sums->shown, NULL, error)
                                           : STATUS_OK;
}

/* Partition the matrix, if requested, and store the results in rank 0's case. */
static enum status spread_over_parts(const struct report_request *request, size_t limit, bool natural,
                                     struct share *share, struct sums *sums, struct error *error)
{
    struct distribution_request asked_for = request->distribution; /* the request keeps its list */
    struct distribution distribution;
    if (asked_for.count == 0) return STATUS_OK;
    asked_for.sketched = request->carry > 0 && natural;
    enum status status =
        ranks_distribute(&ranks, share, &asked_for, sums->shown ? &sums->shown->matrix.csr : NULL, limit,
                         &distribution, error);
    if (sums->shown) sums->shown->distribution = distribution;
    return status;
}

static void add_costs(struct costs *costs, const struct costs *added)
{
    for (int k = 0; k < added->count; k++)
        cost_add(costs, &added->items[k]);
}

/* Move the costs of the ranks into the case, where they precede those of rank 0 alone. Collective. */
static void take_costs(struct costs *costs, struct matrix_case *shown)
{
    ranks_costs(&ranks, costs);
    if (!shown) return;
    add_costs(costs, &shown->costs);
    shown->costs = *costs;
}

/* Compute the numbers of a report on the matrix in one order, on all ranks. `natural` has the analyses of the
 * natural order, if this is another one, and `reordering` the origin of that. *costs has the costs up to now.
 */
static enum status analyse(const struct options *options, struct share *share, const struct sums *natural,
                           struct reordering *reordering, struct costs *costs, struct sums *sums,
                           struct error *error)
{
    struct results results = {0};
    struct cost begun;
    struct report_request request = options->request;
    if (request.only && !options->carried) request.carry = 0;
    const bool timed = request.kernels.count > 0 || request.convert.count > 0;
    const bool spent = !timed && (natural || request.orders.count == 0);
    const struct sums_options asked_for = {.wants = natural ? request.wants : report_wants(&request),
                                           .needs = report_needs(&request),
                                           .unforeseen = !sections_have(request.only, SECTION_ADVICE) &&
                                                         request.distribution.count == 0,
                                           .gathered = SUMS_GATHERED,
                                           .whole = request.structure,
                                           .spent = spent,
                                           .limit = options->load.limit,
                                           .session = natural ? natural->session : NULL,
                                           .reordering = reordering};
    request.kernels = (struct kernel_list){0}; /* kernels run on all ranks together */
    request.convert_apart = true;              /* and so are formats built */
    enum status status = sums_make(&ranks, share, &asked_for, sums, error);
    add_costs(costs, &sums->costs);
    begun = cost_begin();
    if (status == STATUS_OK)
        status = spread_over_parts(&request, options->load.limit, !natural, share, sums, error);
    if (request.distribution.count) cost_end(costs, "partitions", &begun);
    if (status == STATUS_OK) status = sums_prepare(sums, &request, error);
    begun = cost_begin();
    if (status == STATUS_OK)
        status = ranks_convert(&ranks, share, &request, options->load.limit, sums->shown, error);
    if (status == STATUS_OK)
        status = ranks_run(&ranks, share, &options->request, options->load.limit, &results, error);
    if (timed) cost_end(costs, "timed kernels", &begun);
    if (status == STATUS_OK && request.costs) take_costs(costs, sums->shown);
    if (status == STATUS_OK && results.count && ranks.rank == 0) status = take_results(sums, &results, error);
    results_free(&results);
    return ranks_agree(&ranks, status, error);
}

/* Add the matrix in another order to the report. An order that cannot be had is no failure: the report has
 * the reason, as session_reorder. */
static enum status add_order(const struct options *options, const struct order_choice *choice,
                             const struct share *share, const struct sums *natural, struct error *error)
{
    const struct matrix *described = natural->session ? &natural->session->cases[0].matrix : NULL;
    struct share reordered;
    struct reordering reordering;
    struct sums sums = {0};
    struct error failure = {0};
    struct costs costs = {0};
    const struct cost begun = cost_begin();
    if (strcmp(choice->order->name, "natural") == 0) return STATUS_OK;
    enum status status = share_reordered(&ranks, share, described, choice, options->load.limit, &reordered,
                                         &reordering, &failure);
    const bool refused = status == STATUS_UNAVAILABLE || status == STATUS_LIMIT;
    if (refused && natural->session) session_refuse(natural->session, reordering.name, &failure);
    cost_end(&costs, "reordering", &begun);
    if (status == STATUS_OK)
        status = analyse(options, &reordered, natural, &reordering, &costs, &sums, &failure);
    if (status != STATUS_OK && !refused) *error = failure;
    sums_free(&sums);
    reordering_free(&reordering);
    share_free(&reordered);
    return refused ? STATUS_OK : status;
}

/* Report all cases of rank 0's session. */
static enum status report_cases(struct report *report, struct session *session, struct error *error)
{
    enum status status = STATUS_OK;
    say_refused_orders(session);
    for (int k = 0; k < session->case_count && status == STATUS_OK; k++) {
        session->shown = &session->cases[k];
        status = report_matrix(report, session, error);
    }
    return status;
}

/* Load a matrix, compute the numbers of a report on all ranks, in each order, and add them to the report on
 * rank 0. If the matrix could not be read or analysed, the report says so. Only a failure to write the report
 * is an error. */
static enum status report_input(const char *name, const struct options *options, struct report *report,
                                bool *failed, struct error *error)
{
    const struct order_list *list = &options->request.orders;
    struct share share;
    struct sums sums = {0};
    struct error failure = {0};
    struct costs costs = {0};
    const struct cost begun = cost_begin();
    enum status status = share_load(&ranks, name, &options->load, &share, &failure);
    cost_end(&costs, "reading", &begun);
    if (status == STATUS_OK && ranks.rank == 0) say_notes(&share.matrix);
    if (status == STATUS_OK) status = analyse(options, &share, NULL, NULL, &costs, &sums, &failure);
    for (int k = 0; k < list->count && status == STATUS_OK; k++)
        status = add_order(options, &list->choices[k], &share, &sums, &failure);
    *failed = *failed || status != STATUS_OK;
    if (ranks.rank == 0 && status == STATUS_OK) {
        status = report_cases(report, sums.session, error);
    } else if (ranks.rank == 0) {
        say_error(&failure);
        status = report_failure(report, &failure, error);
    } else {
        status = STATUS_OK;
    }
    sums_free(&sums);
    share_free(&share);
    return ranks_agree(&ranks, status, error);
}

/* Give all ranks the exit status that rank 0 has determined. */
static int same_code(int code)
{
    ranks_broadcast(&ranks, 0, &code, sizeof code);
    return code;
}

/* Measure the network, save its profile and print it. Later predictions of this run are for this network,
 * even if it could not be saved. */
static enum status measure_network(struct network *network, struct error *error)
{
    struct network_profile profile;
    struct text path = {0};
    struct error refusal = {0};
    char words[160];
    enum status status = network_measure_here(&ranks, &profile, error);
    if (status != STATUS_OK) return status;
    memcpy(profile.network.name, network->name, sizeof profile.network.name);
    if (!network->name[0]) network_name_here(profile.network.name);
    *network = profile.network;
    if (ranks.rank != 0) return STATUS_OK;
    network_write(network, words, sizeof words);
    if (network_keep(&profile, &path, &refusal) == STATUS_OK)
        say_line("sparsight-mpi: network of %d ranks on %d node%s: %s; kept in %s", profile.ranks,
                 profile.nodes, profile.nodes == 1 ? "" : "s", words, path.data);
    else
        say_error(&refusal);
    text_free(&path);
    return STATUS_OK;
}

static int run_ranks(const struct options *own_options)
{
    struct options with_network = *own_options; /* the caller keeps the lists */
    const struct options *options = &with_network;
    struct report report = {0};
    struct error error = {0};
    bool failed = false, root = ranks.rank == 0;
    enum status status = STATUS_OK;
    if (options->request.distribution.measure) {
        status = measure_network(&with_network.request.distribution.network, &error);
        if (status != STATUS_OK || options->operand_count == 0)
            return same_code(root ? conclude(status, &error) : EXIT_SUCCESS);
    }
    status = root ? report_open(&report, options->format, options->output, &error) : STATUS_OK;
    if (status == STATUS_OK) report.command = options->command_line.data;
    status = ranks_agree(&ranks, status, &error);
    for (int k = 0; k < options->operand_count && status == STATUS_OK; k++)
        status = report_input(options->operands[k], options, &report, &failed, &error);
    if (status == STATUS_OK && root) status = report_close(&report, &error);
    report_abandon(&report);
    if (!root) return same_code(EXIT_SUCCESS);
    return same_code(status == STATUS_OK && failed ? EXIT_FAILURE : conclude(status, &error));
}

static enum status check_ranks(const struct options *options, struct error *error)
{
    const struct distribution_request *distribution = &options->request.distribution;
    const bool spread = distribution->count > 0, timed = options->request.kernels.count > 0;
    const bool alone = distribution->measure && options->operand_count == 0; /* then nothing is reported */
    if (alone) return STATUS_OK;
    if (options->operand_count == 0) return error_set(error, STATUS_USAGE, "no matrix is given");
    if (options->carried && !options->format->carries)
        return error_set(error, STATUS_USAGE, "--carry is for --format=json and --format=jsonl");
    if (options->request.only && options->format == &report_format_html)
        return error_set(error, STATUS_USAGE,
                         "--only needs another format than html, which draws all sections");
    if (distribution->networked && !distribution->measure && !spread)
        return error_set(error, STATUS_USAGE, "--network is for --parts, and that is not given");
    if (distribution->partitions.count && !spread && !timed)
        return error_set(error, STATUS_USAGE,
                         "--partition is for kernels and for --parts, and neither is given");
    return options_check_product(options, error);
}

static void help_ranks(struct text *text)
{
    help_report_formats(text);
    help_sections(text);
    help_file_formats(text);
    help_orders(text);
    help_partitions(text);
    help_storage_formats(text);
}

static const struct command command_ranks = {
    .id = COMMAND_RANKS,
    .name = "report",
    .usage = "mpirun -n N sparsight-mpi report [OPTION]... MATRIX...",
    .summary = "report on what N ranks hold",
    .failure = "some input failed (the others are still reported)",
    .help = help_ranks,
    .check = check_ranks,
    .run = run_ranks,
};

/* The matrix that is read, and written in another order if one is requested. */
struct conversion_task {
    const struct reader *writer;
    struct share share, reordered;
    struct reordering reordering;
    struct text comment, explained;
};

/* Bring the matrix into the requested order, and free the natural one. */
static enum status reorder(const struct options *options, struct conversion_task *task, struct error *error)
{
    const struct order_choice *choice = &options->request.orders.choices[0];
    enum status status = share_reordered(&ranks, &task->share, &task->share.matrix, choice,
                                         options->load.limit, &task->reordered, &task->reordering, error);
    csr_free(&task->share.own);
    return status;
}

/* Write the permutation beside the matrix, on rank 0. */
static enum status write_permutation(const struct options *options, struct conversion_task *task,
                                     struct error *error)
{
    if (ranks.rank != 0 || !options->permutation) return STATUS_OK;
    write_permutation_comment(&task->comment, &task->explained);
    if (task->explained.failed) return error_set(error, STATUS_MEMORY, "out of memory");
    const struct writing writing = {.permutation = &task->reordering.permutation,
                                    .comment = text_visible(task->explained.data)};
    return write_output(&writing, options->permutation, error);
}

/* Load the matrix, bring it into the requested order, and write it. */
static enum status convert(const struct options *options, struct conversion_task *task, struct error *error)
{
    const char *in = options->operands[0], *out = options->operands[1];
    const bool ordered = options->request.orders.count > 0;
    enum status status = share_load(&ranks, in, &options->load, &task->share, error);
    if (status == STATUS_OK && ranks.rank == 0) say_notes(&task->share.matrix);
    if (status == STATUS_OK && ordered) {
        status = reorder(options, task, error);
        if (status != STATUS_OK && !error->path[0]) snprintf(error->path, sizeof error->path, "%s", in);
    }
    if (status != STATUS_OK) return status;
    write_comment("convert", &task->share.matrix, ordered ? task->reordering.name : NULL, in, &task->comment);
    status = ranks_agree(
        &ranks, task->comment.failed ? error_set(error, STATUS_MEMORY, "out of memory") : STATUS_OK, error);
    if (status == STATUS_OK)
        status = share_write(&ranks, ordered ? &task->reordered : &task->share, task->writer,
                             text_visible(task->comment.data), out, error);
    if (status != STATUS_OK && !error->path[0]) snprintf(error->path, sizeof error->path, "%s", out);
    if (status == STATUS_OK) status = ranks_agree(&ranks, write_permutation(options, task, error), error);
    return status;
}

static int run_conversion(const struct options *options)
{
    struct conversion_task task = {0};
    struct error error = {0};
    enum status status = reader_for_writing(options->operands[1], options->to, false, &task.writer, &error);
    if (status == STATUS_OK) status = share_check_output(task.writer, options->operands[1], &error);
    if (status == STATUS_OK) status = convert(options, &task, &error);
    share_free(&task.share);
    share_free(&task.reordered);
    reordering_free(&task.reordering);
    text_free(&task.comment);
    text_free(&task.explained);
    return same_code(ranks.rank == 0 ? conclude(status, &error) : EXIT_SUCCESS);
}

static enum status check_conversion(const struct options *options, struct error *error)
{
    if (options->operand_count != 2)
        return error_set(error, STATUS_USAGE, "convert needs two files: one to read and one to write");
    if (strcmp(options->operands[1], "-") == 0)
        return error_set(error, STATUS_USAGE,
                         "ranks write a file; 'sparsight convert' writes to standard output");
    return options_check_permutation(options, error);
}

static const struct command command_conversion = {
    .id = COMMAND_RANKS_CONVERT,
    .name = "convert",
    .usage = "mpirun -n N sparsight-mpi convert [OPTION]... IN OUT",
    .summary = "write what N ranks hold to a file",
    .operands = "\n"
                "IN is a MATRIX. OUT is a Matrix Market or PETSc file, which all ranks write together;\n"
                "its ending determines the format. Other files are written by 'sparsight convert'.\n",
    .failure = "the matrix could not be read or written",
    .help = help_file_formats,
    .check = check_conversion,
    .run = run_conversion,
};

const struct command *const commands[] = {&command_ranks, &command_conversion, NULL};

static int print_help(const struct options *options)
{
    struct text text = {0};
    if (options->version)
        text_append(&text, "%s\n", PACKAGE_STRING);
    else
        help_append(options->command, &text);
    int code = ranks.rank == 0 ? print_text(&text, NULL) : EXIT_SUCCESS;
    text_free(&text);
    return same_code(code);
}

/* Report the fault of the command line, and the command that shows its help. */
static int refuse(enum status status, const char *command, const struct error *error)
{
    if (ranks.rank == 0) {
        char text[sizeof error->path + sizeof error->message + 64];
        say_line("sparsight-mpi: %s", error_text(error, text, sizeof text));
        if (status == STATUS_USAGE) say_line("Try 'sparsight-mpi %s --help'.", command);
    }
    return status == STATUS_USAGE ? EXIT_USAGE : EXIT_FAILURE;
}

static int run(const struct options *options)
{
    if (options->help || options->version) return print_help(options);
    if (options->threads || !getenv("OMP_NUM_THREADS"))
        threads_set(options->threads ? options->threads : ranks_threads(&ranks));
    return command_of(options->command)->run(options);
}

/* Print a shell's completions for the last of these words, for the scripts of `sparsight completion`. This
 * starts no ranks, which would take a while. */
static int print_words(int count, char *const *words)
{
    struct text text = {0};
    completion_words(count, words, &text);
    int code = print_text(&text, NULL);
    text_free(&text);
    return code;
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error = {0};
    process_guard_streams();
    process_hush_libraries();
    if (argc > 3 && strcmp(argv[1], "completion") == 0 && strcmp(argv[2], "words") == 0)
        return print_words(argc - 4, argv + 4);
    enum status status = ranks_open(&ranks, &argc, &argv, &error);
    if (status != STATUS_OK) return conclude(status, &error);
    process_catch_signals();
    status = ranks_agree(&ranks, options_parse(argc, argv, &options, &error), &error);
    int code =
        status == STATUS_OK ? run(&options) : refuse(status, command_of(options.command)->name, &error);
    options_free(&options);
    ranks_close(&ranks);
    return code;
}
