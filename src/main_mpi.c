/* sparsight-mpi: the report of one matrix that the ranks of an MPI program hold together. The command line is
 * that of `sparsight report`, from the same table of options, which has those that serve here. All ranks read
 * it, and rank 0 alone prints. */
#include <stdio.h>
#include <stdlib.h>

#include "base/threads.h"
#include "command/command.h"
#include "command/help.h"
#include "command/process.h"
#include "command/say.h"
#include "config.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* The world belongs to the process: a command is handed nothing but its options. */
static struct ranks ranks;

/* Append which rank owns what of the matrix. */
static void tell_shares(const struct share *share, const int64_t *entries, struct text *text)
{
    text_append(text, "%s: %lld rows, %lld columns, %lld entries\n", share->matrix.path,
                (long long)share->rows, (long long)share->cols, (long long)share->nnz);
    for (int r = 0; r < ranks.count; r++)
        text_append(text, "  rank %d: rows %lld to %lld, %lld entries\n", r, (long long)share->cuts[r] + 1,
                    (long long)share->cuts[r + 1], (long long)entries[r]);
}

/* Load one matrix, and tell what of it each rank owns. */
static enum status report_input(const char *name, const struct options *options, struct text *text,
                                struct error *error)
{
    struct share share;
    enum status status = share_load(&ranks, name, &options->load, &share, error);
    if (status != STATUS_OK) return status;
    if (ranks.rank == 0) say_notes(&share.matrix);
    int64_t *entries = calloc((size_t)ranks.count, sizeof *entries), own = csr_nnz(&share.own);
    status =
        ranks_agree(&ranks, entries ? STATUS_OK : error_set(error, STATUS_MEMORY, "out of memory"), error);
    if (status == STATUS_OK) {
        ranks_share(&ranks, &own, 1, entries);
        tell_shares(&share, entries, text);
    }
    free(entries);
    share_free(&share);
    return status;
}

/* Return an exit status that rank 0 found, on all ranks. */
static int same_code(int code)
{
    ranks_broadcast(&ranks, 0, &code, sizeof code);
    return code;
}

static int run_ranks(const struct options *options)
{
    struct text text = {0};
    int code = EXIT_SUCCESS;
    for (int k = 0; k < options->operand_count; k++) {
        struct error error = {0};
        if (report_input(options->operands[k], options, &text, &error) == STATUS_OK) continue;
        if (ranks.rank == 0) say_error(&error);
        code = EXIT_FAILURE;
    }
    if (ranks.rank == 0) {
        int printed = print_text(&text, options->output);
        if (printed != EXIT_SUCCESS) code = printed;
    }
    text_free(&text);
    return same_code(code);
}

static enum status check_ranks(const struct options *options, struct error *error)
{
    return options->operand_count ? STATUS_OK : error_set(error, STATUS_USAGE, "no matrix is given");
}

static void help_ranks(struct text *text)
{
    help_file_formats(text);
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

const struct command *const commands[] = {&command_ranks, NULL};

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

/* Say what is wrong with the command line, and where its help is. */
static int refuse(enum status status, const struct error *error)
{
    if (ranks.rank == 0) {
        fprintf(stderr, "sparsight-mpi: ");
        say_error(error);
        if (status == STATUS_USAGE) fprintf(stderr, "Try 'sparsight-mpi report --help'.\n");
    }
    return status == STATUS_USAGE ? EXIT_USAGE : EXIT_FAILURE;
}

static int run(const struct options *options)
{
    if (options->help || options->version) return print_help(options);
    if (options->threads || !getenv("OMP_NUM_THREADS")) {
        int share = threads_count() / ranks.near;
        threads_set(options->threads ? options->threads : share > 0 ? share : 1);
    }
    return command_of(options->command)->run(options);
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error = {0};
    process_guard_streams();
    enum status status = ranks_open(&ranks, &argc, &argv, &error);
    if (status != STATUS_OK) return conclude(status, &error);
    process_catch_signals();
    status = ranks_agree(&ranks, options_parse(argc, argv, &options, &error), &error);
    int code = status == STATUS_OK ? run(&options) : refuse(status, &error);
    options_free(&options);
    ranks_close(&ranks);
    return code;
}
