/* Kernels: which kernels stand in the table, with which results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/kernels/kernels.h"

/* A result made here, as it is looked for: by its choice; of equal ones the newest comes first. */
struct known {
    const struct result *result;
    const struct run *run;
};

static int compare_known(const void *a, const void *b)
{
    const struct known *left = a, *right = b;
    int order = kernel_choice_compare(&left->result->choice, &right->result->choice);
    return order ? order : right->run->number - left->run->number;
}

static int compare_wanted(const void *wanted, const void *item)
{
    return kernel_choice_compare(wanted, &((const struct known *)item)->result->choice);
}

enum status board_start(struct explorer *explorer, struct board *board, struct error *error)
{
    (void)explorer;
    enum status status = kernel_list_add(&board->list, "all", error);
    if (status != STATUS_OK) return status;
    board->standard = board->list.count;
    board->selected = memory_zeroed(KERNEL_LIST_MAX, sizeof *board->selected, error);
    board->stale = true;
    return board->selected ? STATUS_OK : STATUS_MEMORY;
}

void board_free(struct board *board)
{
    kernel_list_free(&board->list);
    results_free(&board->making.results);
    free(board->selected);
    free(board->lines);
    free(board->entries);
    free(board->cells);
    list_free(&board->dialog);
    *board = (struct board){0};
}

int board_add(struct board *board, const struct kernel *kernel, const char *parameters, struct error *error)
{
    int before = board->list.count;
    kernel_list_add_kernel(&board->list, kernel, parameters, error);
    board->stale = board->stale || board->list.count > before;
    return board->list.count - before;
}

bool board_remove(struct board *board, int choice)
{
    struct kernel_list *list = &board->list;
    if (choice < board->standard || choice >= list->count) return false;
    size_t after = (size_t)(list->count - choice - 1);
    memmove(&list->choices[choice], &list->choices[choice + 1], after * sizeof *list->choices);
    memmove(&board->selected[choice], &board->selected[choice + 1], after * sizeof *board->selected);
    board->selected[--list->count] = false;
    board->stale = true;
    return true;
}

int board_columns(void)
{
    int count = 0;
    while (kernel_columns[count].key)
        count++;
    return count < BOARD_COLUMNS ? count : BOARD_COLUMNS;
}

int board_selected(const struct board *board)
{
    int count = 0;
    for (int k = 0; k < board->list.count; k++)
        count += board->selected[k];
    return count;
}

int board_threads(const struct board *board, const struct kernel *kernel, int *threads)
{
    int count = 0;
    for (int k = 0; k < board->threads.count; k++) {
        int number = results_threads(kernel, board->threads.items[k]);
        if (count == 0 || threads[count - 1] != number) threads[count++] = number;
    }
    return count;
}

const struct results *board_results(const struct line *line)
{
    static const struct results none = {0};
    return line->run ? &line->run->results : &none;
}

const struct result *board_result(const struct explorer *explorer, const struct board *board,
                                  const struct line *line, struct result *unrun)
{
    if (line->result) return line->result;
    const struct kernel_choice choice =
        kernel_choice_with(&board->list.choices[line->choice], board->precision, line->threads);
    *unrun =
        result_unrun(&choice, explorer->session->shown->matrix.csr.imaginary != NULL, board->options.product);
    return unrun;
}

int board_run_index(const struct explorer *explorer, const struct run *run)
{
    const struct runs *runs = &explorer->session->shown->runs;
    for (int k = 0; k < runs->count; k++)
        if (runs->items[k] == run) return k;
    return -1;
}

/* Lines */

static enum status add_line(struct board *board, struct line line, struct error *error)
{
    if (board->line_count == board->line_room) {
        int room = board->line_room ? 2 * board->line_room : 64;
        struct line *lines = memory_resize(board->lines, (size_t)room, sizeof *lines, error);
        if (!lines) return STATUS_MEMORY;
        board->lines = lines;
        board->line_room = room;
    }
    line.order = board->line_count;
    board->lines[board->line_count++] = line;
    return STATUS_OK;
}

/* True if a run was made as the next one would be. */
static bool is_alike(const struct board *board, const struct run *run)
{
    const struct bench_options *options = &run->results.options;
    return !run->saved && options->cold == board->options.cold &&
           options->product.accumulate == board->options.product.accumulate &&
           options->protocol == board->options.protocol;
}

/* All results that were made here, in order. The caller frees. */
static struct known *list_known(const struct explorer *explorer, const struct board *board, int *count,
                                struct error *error)
{
    const struct runs *runs = &explorer->session->shown->runs;
    size_t all = 0;
    for (int k = 0; k < runs->count; k++)
        all += (size_t)runs->items[k]->results.count;
    struct known *known = memory_array(all, sizeof *known, error);
    *count = 0;
    if (!known) return NULL;
    for (int k = 0; k < runs->count; k++) {
        const struct run *run = runs->items[k];
        if (!is_alike(board, run)) continue;
        for (int r = 0; r < run->results.count; r++)
            known[(*count)++] = (struct known){&run->results.items[r], run};
    }
    qsort(known, (size_t)*count, sizeof *known, compare_known);
    return known;
}

static const struct known *find_known(const struct known *known, int count,
                                      const struct kernel_choice *wanted)
{
    const struct known *found = bsearch(wanted, known, (size_t)count, sizeof *known, compare_wanted);
    while (found && found > known && kernel_choice_same(&found[-1].result->choice, wanted))
        found--; /* the newest */
    return found;
}

/* Every kernel of the list, with the newest result of each. */
static enum status list_newest(const struct explorer *explorer, struct board *board, struct error *error)
{
    enum status status = STATUS_OK;
    int count, threads[THREAD_COUNTS_MAX];
    struct known *known = list_known(explorer, board, &count, error);
    if (!known) return STATUS_MEMORY;
    for (int k = 0; k < board->list.count && status == STATUS_OK; k++) {
        const struct kernel_choice *choice = &board->list.choices[k];
        int numbers = board_threads(board, choice->kernel, threads);
        for (int t = 0; t < numbers && status == STATUS_OK; t++) {
            const struct kernel_choice wanted = kernel_choice_with(choice, board->precision, threads[t]);
            const struct known *found = find_known(known, count, &wanted);
            status = add_line(board,
                              (struct line){.choice = k,
                                            .threads = threads[t],
                                            .run = found ? found->run : NULL,
                                            .result = found ? found->result : NULL},
                              error);
        }
    }
    free(known);
    return status;
}

/* The results of one run. */
static enum status list_run(struct board *board, const struct run *run, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < run->results.count && status == STATUS_OK; k++) {
        const struct result *result = &run->results.items[k];
        if (result->choice.format.precision != board->precision) continue;
        status = add_line(board,
                          (struct line){.choice = kernel_list_find(&board->list, &result->choice),
                                        .threads = result->choice.threads,
                                        .run = run,
                                        .result = result},
                          error);
    }
    return status;
}

static void note_fastest(struct board *board)
{
    board->fastest = NULL;
    board->timed = 0;
    for (int k = 0; k < board->line_count; k++) {
        const struct result *pair[] = {board->fastest, board->lines[k].result};
        int fastest = results_fastest_of(pair, 2);
        if (fastest >= 0) board->fastest = pair[fastest];
        board->timed += pair[1] && result_timed(pair[1]);
    }
}

/* What the cursor is on stays under it. */
static void follow(struct board *board, struct line before, bool placed)
{
    if (placed)
        for (int k = 0; k < board->line_count; k++) {
            const struct line *line = &board->lines[k];
            bool same = line->choice >= 0 ? line->choice == before.choice : line->result == before.result;
            if (same && line->threads == before.threads) board->cursor = k;
        }
    if (board->cursor >= board->line_count) board->cursor = board->line_count - 1;
    if (board->cursor < 0) board->cursor = 0;
}

static enum status make_lines(struct explorer *explorer, struct board *board, struct error *error)
{
    bool placed = board->cursor > 0 && board->cursor < board->line_count;
    struct line before = placed ? board->lines[board->cursor] : (struct line){0};
    board->line_count = 0;
    enum status status =
        board->shown ? list_run(board, board->shown, error) : list_newest(explorer, board, error);
    if (status == STATUS_OK) status = board_sort(explorer, board, error);
    if (status == STATUS_OK) status = board_make_entries(explorer, board, error);
    note_fastest(board);
    follow(board, before, placed && status == STATUS_OK);
    return status;
}

void board_refresh(struct explorer *explorer, struct board *board)
{
    const struct runs *runs = &explorer->session->shown->runs;
    struct error error = {0};
    char text[sizeof explorer->message];
    if (runs->added != board->runs_added || runs->count != board->runs_count) {
        board->stale = true;
        if (board_run_index(explorer, board->shown) < 0) board->shown = NULL;
    }
    if (!board->stale) return;
    board->stale = false;
    board->runs_added = runs->added;
    board->runs_count = runs->count;
    if (make_lines(explorer, board, &error) == STATUS_OK) return;
    board->line_count = board->entry_count = 0;
    board->fastest = NULL;
    explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
}

/* True if a run has results in this precision. */
static bool has_precision(const struct run *run, enum precision precision)
{
    for (int k = 0; k < run->results.count; k++)
        if (run->results.items[k].choice.format.precision == precision) return true;
    return false;
}

void board_step_run(struct explorer *explorer, struct board *board, int step)
{
    const struct runs *runs = &explorer->session->shown->runs;
    int at = board->shown ? board_run_index(explorer, board->shown) : runs->count;
    if (runs->count == 0) {
        explorer_say(explorer, "nothing was run yet: R runs all kernels");
        return;
    }
    at += step;
    if (at < 0) at = 0;
    board->shown = at < runs->count ? runs->items[at] : NULL;
    if (board->shown && !has_precision(board->shown, board->precision))
        board->precision = board->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    board->stale = true;
}
