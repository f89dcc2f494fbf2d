/* The options of the next run: their questions, their changes and their line above the table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "ui/kernels/kernels.h"

char *kernels_write_threads(struct thread_counts counts, char *out, size_t size)
{
    for (int k = 0; k < counts.count; k++)
        if (counts.items[k] == 0) counts.items[k] = threads_count();
    return thread_counts_write(&counts, out, size);
}

void kernels_ask_threads(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    char text[sizeof explorer->question.text], label[64];
    snprintf(label, sizeof label, "Threads, as 1,2,4 or 1-8 (there are %d)", threads_count());
    screen->question = QUESTION_THREADS;
    explorer_ask(explorer, label, kernels_write_threads(screen->threads, text, sizeof text));
}

void kernels_ask_parameters(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    char text[CHOICE_NAME];
    if (screen->mode != MODE_TABLE) {
        explorer_say(explorer, "kernels can be added only in the table");
        return;
    }
    screen->question = QUESTION_PARAMETERS;
    if (screen->cursor >= screen->line_count || screen->lines[screen->cursor].choice < 0) {
        explorer_say_keys(
            explorer, kernels_actions,
            "kernels can be added only to the newest results: {older and newer runs 2} goes there");
        return;
    }
    const struct kernel_choice *choice = &screen->list.choices[screen->lines[screen->cursor].choice];
    explorer_ask_parameters(explorer, choice->kernel->name, choice->kernel->parameters,
                            choice->kernel->format->parameters,
                            kernel_choice_parameters(choice, text, sizeof text));
}

void kernels_ask_columns(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    char text[16], label[64];
    snprintf(label, sizeof label, "Vectors multiplied at once, 1 to %d", PRODUCT_COLUMNS_MAX);
    snprintf(text, sizeof text, "%d", product_columns(screen->options.product));
    screen->question = QUESTION_COLUMNS;
    explorer_ask(explorer, label, text);
}

void kernels_ask_filter(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    screen->question = QUESTION_FILTER;
    explorer_ask(explorer, "Words of kernels, as jds, gpu or atomic; none: all", screen->filter);
}

static void answer_filter(struct explorer *explorer, struct kernels_screen *screen, const char *text)
{
    char before[sizeof screen->filter];
    snprintf(before, sizeof before, "%s", screen->filter);
    snprintf(screen->filter, sizeof screen->filter, "%s", text + strspn(text, " "));
    screen->stale = true;
    kernels_refresh(explorer, screen);
    if (screen->line_count > 0 || !screen->filter[0]) return;
    explorer_say(explorer, "no kernel has '%s' in its name, format, backend or description", screen->filter);
    snprintf(screen->filter, sizeof screen->filter, "%s", before);
    screen->stale = true;
    kernels_refresh(explorer, screen);
}

/* Return the run that the user names: the shown one, the base of the comparison, or the newest. */
static struct run *run_to_name(const struct explorer *explorer, const struct kernels_screen *screen)
{
    const struct runs *runs = &explorer->session->shown->runs;
    int at = screen->shown                 ? kernels_run_index(explorer, screen->shown)
             : screen->mode == MODE_BESIDE ? screen->base
                                           : runs->count - 1;
    return at >= 0 && at < runs->count ? runs->items[at] : NULL;
}

void kernels_ask_name(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    const struct run *run = run_to_name(explorer, screen);
    char label[64];
    if (!run) {
        explorer_say_keys(explorer, kernels_actions, "no run to name: {run 1} and {run 2} make one");
        return;
    }
    snprintf(label, sizeof label, "Name of run #%d", run->number);
    screen->question = QUESTION_NAME;
    explorer_ask(explorer, label, run->label);
}

static void answer_name(struct explorer *explorer, const struct kernels_screen *screen, const char *text)
{
    struct run *run = run_to_name(explorer, screen);
    struct error error = {0};
    text += strspn(text, " ");
    if (!run || !*text) return;
    if (runs_name(run, text, &error) == STATUS_OK)
        explorer_say(explorer, "run #%d is %s", run->number, run->label);
    else
        explorer_say(explorer, "%s", error.message);
}

/* An empty answer means one thread per processor. */
static void answer_threads(struct explorer *explorer, struct kernels_screen *screen, const char *text)
{
    struct thread_counts threads = {.count = 0};
    struct error error = {0};
    if (!text[strspn(text, " ")])
        threads.count = 1;
    else if (thread_counts_read(&threads, text, &error) != STATUS_OK) {
        explorer_say_error(explorer, &error);
        return;
    }
    thread_counts_sort(&threads);
    screen->threads = threads;
    screen->shown = NULL;
    screen->stale = true;
}

static void answer_parameters(struct explorer *explorer, struct kernels_screen *screen, const char *text)
{
    struct error error = {0};
    char words[sizeof explorer->message];
    if (screen->cursor >= screen->line_count || screen->lines[screen->cursor].choice < 0) return;
    const struct kernel_choice *choice = &screen->list.choices[screen->lines[screen->cursor].choice];
    int first = screen->list.count, count = kernels_add(screen, choice->kernel, text, &error);
    if (error.status != STATUS_OK) {
        explorer_say_error(explorer, &error);
        return;
    }
    if (count > 1)
        snprintf(words, sizeof words,
                 "%d kernels added and selected: {run 1} runs them, {remove} removes one", count);
    else
        snprintf(words, sizeof words, "%s",
                 count ? "added: {run 1} runs it, {remove} removes it"
                       : "this kernel is already in the table");
    explorer_say_keys(explorer, kernels_actions, words);
    for (int k = 0; count > 1 && k < screen->list.count; k++)
        screen->selected[k] = k >= first;
    screen->shown = NULL;
    kernels_refresh(explorer, screen);
    for (int k = 0; count > 0 && k < screen->line_count; k++)
        if (screen->lines[k].choice == first) screen->cursor = k;
}

/* Stop showing one run alone, because it was made with other options than those now above the table. */
static void show_newest(struct kernels_screen *screen)
{
    screen->shown = NULL;
    screen->stale = true;
}

/* Set the product of the next runs. Forecasts of the old product become invalid, and Advice changes to the
 * new one. */
static void take_product(struct explorer *explorer, struct kernels_screen *screen, struct product product)
{
    if (product_same(product, screen->options.product)) return;
    screen->options.product = explorer->product = product;
    kernels_forget(screen);
    show_newest(screen);
}

static void answer_columns(struct explorer *explorer, struct kernels_screen *screen, const char *text)
{
    struct product product = screen->options.product;
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || end[strspn(end, " ")] || number < 1 || number > PRODUCT_COLUMNS_MAX) {
        explorer_say(explorer, "'%.40s' is not a whole number from 1 to %d", text, PRODUCT_COLUMNS_MAX);
        return;
    }
    product.columns = (int)number;
    take_product(explorer, screen, product);
}

void kernels_answer(struct explorer *explorer, void *state, const char *text)
{
    struct kernels_screen *screen = state;
    if (screen->question == QUESTION_THREADS)
        answer_threads(explorer, screen, text);
    else if (screen->question == QUESTION_COLUMNS)
        answer_columns(explorer, screen, text);
    else if (screen->question == QUESTION_FILTER)
        answer_filter(explorer, screen, text);
    else if (screen->question == QUESTION_NAME)
        answer_name(explorer, screen, text);
    else
        answer_parameters(explorer, screen, text);
}

void kernels_change_precision(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    screen->precision = screen->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    screen->stale = true;
}

void kernels_change_cold(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    screen->options.cold = explorer->cold = !screen->options.cold;
    for (int k = 0; k < screen->foreseen_count; k++)
        screen->foreseen[k].options.cold = screen->options.cold;
    show_newest(screen);
}

void kernels_change_accumulate(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    struct product product = screen->options.product;
    product.accumulate = !product.accumulate;
    take_product(explorer, screen, product);
}

void kernels_change_transposed(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    struct product product = screen->options.product;
    product.transposed = !product.transposed;
    take_product(explorer, screen, product);
}

void kernels_change_layout(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    struct product product = screen->options.product;
    if (product_columns(product) == 1) {
        explorer_say_keys(explorer, kernels_actions,
                          "a single vector has no layout: {vectors at once 1} asks for several");
        return;
    }
    product.by_rows = !product.by_rows;
    take_product(explorer, screen, product);
}

void kernels_change_protocol(struct explorer *explorer, void *state, int unused)
{
    struct kernels_screen *screen = state;
    screen->options.protocol = (enum protocol)((screen->options.protocol + 1) % (PROTOCOL_CMRS + 1));
    show_newest(screen);
}

/* Draw an option after the key of the action `change`, if both fit. `set` marks an option that differs from
 * the default. Returns the column where the next option begins. */
static int draw_option(struct surface *surface, int y, int x, int wide,
                       void (*change)(struct explorer *explorer, void *state, int unused), const char *text,
                       bool set)
{
    const struct action *action = kernels_actions;
    if (2 + surface_columns(text) > wide) return x;
    while (action->run != change)
        action++;
    x += surface_text(surface, y, x, wide, COLOUR_ACCENT, 0, "%c ", action->keys[0]);
    x += surface_text(surface, y, x, wide - 2, set ? COLOUR_WARN : COLOUR_TEXT, 0, "%s", text);
    return x + 3;
}

/* Draw the filter, with the number of kernels that it hides if there is room. */
static int draw_filter(const struct kernels_screen *screen, struct surface *surface, int y, int x, int wide)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%.40s: %d hidden", screen->filter, screen->hidden);
    if (length + 2 > wide) snprintf(text, sizeof text, "%.40s", screen->filter);
    return draw_option(surface, y, x, wide, kernels_ask_filter, text, true);
}

void kernels_draw_options(const struct explorer *explorer, const struct kernels_screen *screen,
                          struct surface *surface, int y, int wide)
{
    static const char *const protocols[] = {"median", "Cranfield: mean of 19", "CMRS: mean of 10"};
    const struct bench_options *options = &screen->options;
    char threads[40], text[64], product[PRODUCT_TEXT];
    int x = 1, count = kernels_selected(screen), vectors = product_columns(options->product);
    kernels_write_threads(screen->threads, threads, sizeof threads);
    if (screen->threads.count > 1 && surface_columns(threads) > 14)
        snprintf(threads, sizeof threads, "%d numbers", screen->threads.count);
    snprintf(text, sizeof text, "threads %s", threads);
    x = draw_option(surface, y, x, wide - x, kernels_change_precision,
                    case_value_name(explorer->session->shown, screen->precision), false);
    x = draw_option(surface, y, x, wide - x, kernels_ask_threads, text, false);
    x = draw_option(surface, y, x, wide - x, kernels_change_cold, options->cold ? "cold" : "warm",
                    options->cold);
    x = draw_option(surface, y, x, wide - x, kernels_change_accumulate,
                    product_equation(options->product, product),
                    options->product.accumulate || options->product.transposed || vectors > 1);
    if (vectors > 1) {
        snprintf(text, sizeof text, "%d columns", vectors);
        x = draw_option(surface, y, x, wide - x, kernels_ask_columns, text, true);
        x = draw_option(surface, y, x, wide - x, kernels_change_layout,
                        options->product.by_rows ? "by rows" : "by columns", options->product.by_rows);
    }
    x = draw_option(surface, y, x, wide - x, kernels_change_protocol, protocols[options->protocol],
                    options->protocol != 0);
    if (screen->filter[0]) x = draw_filter(screen, surface, y, x, wide - x);
    if (count > 0)
        snprintf(text, sizeof text, "%d of %d selected", count, screen->list.count);
    else if (screen->mode == MODE_TABLE && screen->rows < screen->line_count)
        snprintf(text, sizeof text, "rows %d-%d of %d", screen->top + 1, screen->top + screen->rows,
                 screen->line_count);
    else if (screen->filter[0])
        snprintf(text, sizeof text, "%d of %d", screen->line_count, screen->line_count + screen->hidden);
    else
        snprintf(text, sizeof text, "%d kernels", screen->list.count);
    if (x + surface_columns(text) < wide)
        surface_text_right(surface, y, x, wide - x - 1, count > 0 ? COLOUR_ACCENT : COLOUR_DIM, 0, "%s",
                           text);
}
