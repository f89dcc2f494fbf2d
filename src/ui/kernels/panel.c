/* The panel: all data of one result. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "ui/kernels/kernels.h"

#define ROOMY 20       /* a panel of this height has room for more than the numbers */
#define COLUMN_WIDE 36 /* the min width of a title with its value */

static void draw_parameter(struct flow *flow, const struct parameter *p, double value)
{
    char range[64], now[64], words[256];
    parameter_range(p, range, sizeof range);
    if (value == value)
        parameter_value(p, value, now, sizeof now);
    else
        parameter_default(p, now, sizeof now);
    flow_break(flow);
    flow_item(flow, COLOUR_ACCENT, "%s=%s", p->name, now);
    snprintf(words, sizeof words, "%s; %s", p->help, range);
    flow_words(flow, COLOUR_DIM, words);
}

/* Write the kernel's description, its error if it has one, its run, and the bandwidths of the machine. */
static void draw_about(struct flow *flow, const struct result *result, const struct run *run)
{
    const struct kernel *kernel = result->choice.kernel;
    char machine[256];
    flow_item(flow, COLOUR_TITLE, "%s", result->name);
    flow_break(flow);
    flow_words(flow, COLOUR_TEXT, kernel->summary);
    if (kernel->source[0]) flow_words(flow, COLOUR_DIM, kernel->source);
    flow_break(flow);
    if (result->status != STATUS_OK) flow_words(flow, COLOUR_BAD, result->error.message);
    flow_break(flow);
    if (!run) return;
    flow_item(flow, COLOUR_TITLE, "run #%d", run->number);
    flow_words(flow, COLOUR_DIM, run->label);
    if (run->saved) flow_words(flow, COLOUR_DIM, "(saved)");
    flow_break(flow);
    if (flow->rect.high < ROOMY) return;
    kernels_machine_words(results_machine(&run->results, result), machine, sizeof machine);
    flow_words(flow, COLOUR_DIM, machine);
    flow_break(flow);
}

/* Write each parameter with its value, its help and its range. */
static void draw_parameters(struct flow *flow, const struct result *result)
{
    const struct kernel *kernel = result->choice.kernel;
    for (int k = 0; kernel->parameters[k].name; k++)
        draw_parameter(flow, &kernel->parameters[k], result->resolved.values.number[k]);
    for (int k = 0; kernel->format->parameters[k].name; k++)
        draw_parameter(flow, &kernel->format->parameters[k], result->resolved.format.values.number[k]);
}

/* Write a value with its unit, shortened to 16 columns where that is possible. */
static void write_value(const struct column *column, struct value value, char *out, size_t size)
{
    const char *unit = column_unit(column);
    value_brief(column, value, 16, out, size);
    size_t length = strlen(out);
    if (!unit[0] || column->role == COLUMN_TIME) return;
    if (column->role == COLUMN_PERCENT && !strchr(out, '%')) return; /* both ends of a range, with units */
    snprintf(out + length, size - length, "%s%s", unit[0] == ' ' ? "" : " ", unit);
}

/* List the columns that have a value for this result. The name, the parameters and the error are omitted,
 * because other parts of the panel show them. Returns the number of columns. */
static int list_values(const struct result *result, const struct results *results,
                       const struct column **shown)
{
    int count = 0;
    for (int c = 1; c < kernels_columns(); c++) {
        const struct column *column = &kernel_columns[c];
        struct value value = kernel_value(column, results, result);
        if (value.type == VALUE_NULL || value.type == VALUE_PARAMETERS || column->role == COLUMN_REASON)
            continue;
        shown[count++] = column;
    }
    return count;
}

/* Write the values in columns, as many as fit. Returns the number of lines. */
static int draw_values(const struct explorer *explorer, struct surface *surface, struct rect rect,
                       const struct result *result, const struct results *results)
{
    const struct column *shown[KERNELS_COLUMNS];
    int count = list_values(result, results, shown), abreast = rect.wide / COLUMN_WIDE;
    if (abreast < 1) abreast = 1;
    int wide = rect.wide / abreast, high = (count + abreast - 1) / abreast;
    bool cut = high > rect.high;
    if (cut) high = rect.high;
    for (int k = 0; k < count && k < abreast * high; k++) {
        char value[160];
        int y = rect.top + k % high, x = rect.left + k / high * wide, room = wide - 2;
        struct value number = kernel_value(shown[k], results, result);
        write_value(shown[k], number, value, sizeof value);
        int title = surface_columns(shown[k]->title);
        if (title + 1 + surface_columns(value) > room)
            value_brief(shown[k], number, 16, value, sizeof value); /* no unit: the title needs the room */
        surface_text_right(surface, y, x, room, COLOUR_ACCENT, 0, "%s", value);
        surface_text_short(surface, y, x, room - surface_columns(value) - 1, explorer->ascii, COLOUR_DIM, 0,
                           shown[k]->title);
    }
    return high > 0 ? high : 0;
}

void kernels_draw_panel(const struct explorer *explorer, struct surface *surface, struct rect rect,
                        const struct result *result, const struct run *run)
{
    static const struct results none = {0};
    struct flow flow = {.surface = surface, .rect = rect};
    if (!result) {
        flow_words(&flow, COLOUR_DIM, "no result under the cursor");
        return;
    }
    draw_about(&flow, result, run);
    kernels_write_order(explorer, &flow);
    int used = flow_lines(&flow) + (rect.high > 20);
    used +=
        draw_values(explorer, surface, (struct rect){rect.top + used, rect.left, rect.high - used, rect.wide},
                    result, run ? &run->results : &none);
    used += rect.high > 20;
    if (used >= rect.high) return;
    flow = (struct flow){.surface = surface,
                         .rect = {rect.top + used, rect.left, rect.high - used, rect.wide - 1}};
    draw_parameters(&flow, result);
}
