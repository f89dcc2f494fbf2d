/* Layouts: which formats are shown, with which parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "ui/layouts/layouts.h"

/* A panel waits for its next format with the one before in sight, if that takes no more than this. */
#define LINGER_BYTES ((size_t)64 << 20)

/* ELL is shown at first if it takes no more slots than this for each entry. */
#define SENSIBLE_PADDING 4

const char *layouts_name(const struct conversion *conversion)
{
    return atomic_load(&conversion->sized) ? conversion->name : conversion->format->name;
}

static void say_error(struct explorer *explorer, const struct error *error)
{
    char text[sizeof explorer->message];
    explorer_say(explorer, "%s", error_text(error, text, sizeof text));
}

static struct conversion *want(struct explorer *explorer, const struct layouts *layouts,
                               const struct format *format, const char *parameters)
{
    struct error error = {0};
    struct conversion *conversion = conversions_want(&explorer->session->shown->conversions, format,
                                                     parameters, layouts->precision, &error);
    if (!conversion) {
        say_error(explorer, &error);
        return NULL;
    }
    conversion->keep = true;
    conversion->declined = false;
    return conversion;
}

/* Put another conversion into a panel. What is there stays in sight until it is built. */
static void put(struct layouts *layouts, struct panel *panel, struct conversion *conversion)
{
    struct conversion *shown = panel->shown;
    if (shown && shown->size.allocated > LINGER_BYTES) shown = NULL;
    bool same = panel->conversion && panel->conversion->format == conversion->format;
    *panel = (struct panel){
        .conversion = conversion, .shown = shown, .parameter = same ? panel->parameter : 0, .array = PICTURE};
    layouts->focused = false;
}

/* A choice of the user's ends the choice by itself. */
static void settle(struct layouts *layouts)
{
    if (layouts->tentative) layouts->panels[1].conversion->keep = true;
    layouts->tentative = false;
}

void layouts_add(struct explorer *explorer, struct layouts *layouts, const struct format *format,
                 const char *parameters)
{
    if (layouts->count == LAYOUTS_PANELS) {
        explorer_say(explorer, "no more than %d formats at a time", LAYOUTS_PANELS);
        return;
    }
    struct conversion *conversion = want(explorer, layouts, format, parameters);
    if (!conversion) return;
    settle(layouts);
    layouts->panels[layouts->count] = (struct panel){0};
    put(layouts, &layouts->panels[layouts->count++], conversion);
}

void layouts_remove(struct explorer *explorer, struct layouts *layouts, int panel)
{
    if (layouts->count == 1) {
        explorer_say(explorer, "one format stays");
        return;
    }
    settle(layouts);
    memmove(&layouts->panels[panel], &layouts->panels[panel + 1],
            (size_t)(--layouts->count - panel) * sizeof layouts->panels[0]);
    if (layouts->focus.panel > panel || layouts->focus.panel == layouts->count) layouts->focus.panel--;
    layouts_unfocus(layouts);
}

bool layouts_start(struct explorer *explorer, struct layouts *layouts, struct error *error)
{
    static const char *const seconds[] = {"ell", "hyb", "sell", "coo"};
    struct conversions *all = &explorer->session->shown->conversions;
    const struct format *second = NULL;
    for (int k = 0; k < 4 && !second; k++)
        second = format_find(seconds[k]);
    struct conversion *csr = conversions_want(all, format_find("csr"), "", layouts->precision, error);
    struct conversion *other = second ? conversions_want(all, second, "", layouts->precision, error) : NULL;
    if (!csr || (second && !other)) return false;
    csr->keep = true;
    layouts->panels[layouts->count++].conversion = csr;
    if (other) layouts->panels[layouts->count++].conversion = other;
    layouts->panels[0].array = layouts->panels[1].array = PICTURE;
    layouts->tentative = other != NULL;
    return true;
}

/* Take ELL if it is of a sensible size, else what pads less. */
static void decide(struct explorer *explorer, struct layouts *layouts)
{
    struct panel *panel = &layouts->panels[1];
    struct conversion *ell = panel->conversion;
    const struct format *format = format_find("hyb") ? format_find("hyb") : format_find("sell");
    bool refused = conversion_state(ell) == CONVERSION_REFUSED;
    if (!refused && !atomic_load(&ell->sized)) return;
    layouts->tentative = false;
    struct conversion *other = NULL;
    if (format && (refused || ell->size.padding_ratio > SENSIBLE_PADDING))
        other = want(explorer, layouts, format, "");
    if (other)
        put(layouts, panel, other);
    else
        ell->keep = true;
}

void layouts_update(struct explorer *explorer, struct layouts *layouts)
{
    struct conversion *held[2 * LAYOUTS_PANELS];
    int count = 0;
    if (layouts->tentative) decide(explorer, layouts);
    for (int p = 0; p < layouts->count; p++) {
        struct panel *panel = &layouts->panels[p];
        enum conversion_state state = conversion_state(panel->conversion);
        if (state == CONVERSION_BUILT && panel->shown != panel->conversion) {
            panel->shown = panel->conversion;
            memset(panel->wide, 0, sizeof panel->wide);
            panel->column = 0;
            layouts->focused = false;
        }
        if (state == CONVERSION_REFUSED) panel->shown = NULL;
        held[count++] = panel->conversion;
    }
    for (int p = 0; p < layouts->count; p++)
        if (layouts->panels[p].shown) held[count++] = layouts->panels[p].shown;
    explorer_hold(explorer, layouts, held, count);
}

/* Parameters */

/* Their values, if they are known. */
static bool values_of(const struct conversion *conversion, struct parameter_values *values)
{
    *values = (struct parameter_values){0};
    if (atomic_load(&conversion->sized)) {
        *values = conversion->values;
        values->text = NULL;
        return true;
    }
    bool read = parameters_read(conversion->format->name, conversion->format->parameters,
                                conversion->parameters, values, NULL) == STATUS_OK;
    parameters_free(values);
    return read;
}

/* Write "k=12,c=8": the parameters that are given, and number `also`. */
static void write_parameters(const struct format *format, const struct parameter_values *values, int also,
                             char *out, size_t size)
{
    char value[64];
    size_t length = 0;
    out[0] = 0;
    for (int k = 0; format->parameters[k].name; k++) {
        const struct parameter *parameter = &format->parameters[k];
        if (parameter->type == PARAMETER_TEXT || isnan(values->number[k]) || (!values->given[k] && k != also))
            continue;
        int more = snprintf(out + length, size - length, "%s%s=%s", length ? "," : "", parameter->name,
                            parameter_value(parameter, values->number[k], value, sizeof value));
        length = (size_t)min((int64_t)(length + (size_t)more), (int64_t)size - 1);
    }
}

void layouts_set(struct explorer *explorer, struct layouts *layouts, int panel, const char *parameters)
{
    struct panel *at = &layouts->panels[panel];
    struct conversion *conversion = want(explorer, layouts, at->conversion->format, parameters);
    if (!conversion || conversion == at->conversion) return;
    settle(layouts);
    put(layouts, at, conversion);
}

/* The next value of a parameter, which may be the same. */
static double next_value(const struct parameter *parameter, double value, int direction)
{
    int options = parameter_options(parameter);
    if (options) return (double)(((int)value + direction + options) % options);
    if (parameter->type == PARAMETER_POWER)
        value = direction > 0 ? fmax(1, 2 * value) : floor(value / 2);
    else
        value += direction * (parameter->type == PARAMETER_REAL ? 0.05 : 1);
    return fmin(fmax(value, parameter->min), parameter->max);
}

void layouts_step(struct explorer *explorer, struct layouts *layouts, int direction)
{
    struct panel *panel = &layouts->panels[layouts->focus.panel];
    const struct format *format = panel->conversion->format;
    const struct parameter *parameter = &format->parameters[panel->parameter];
    struct parameter_values values;
    char text[128], range[64];
    if (!format->parameters[0].name) {
        explorer_say(explorer, "%s has no parameters", format->name);
        return;
    }
    if (!values_of(panel->conversion, &values) || isnan(values.number[panel->parameter])) {
        explorer_say(explorer, "%s is not known yet", parameter->name);
        return;
    }
    double value = next_value(parameter, values.number[panel->parameter], direction);
    if (value == values.number[panel->parameter]) {
        explorer_say(explorer, "%s: %s", parameter->name, parameter_range(parameter, range, sizeof range));
        return;
    }
    values.number[panel->parameter] = value;
    write_parameters(format, &values, panel->parameter, text, sizeof text);
    layouts_set(explorer, layouts, layouts->focus.panel, text);
}

void layouts_next_parameter(struct explorer *explorer, struct layouts *layouts)
{
    struct panel *panel = &layouts->panels[layouts->focus.panel];
    const struct format *format = panel->conversion->format;
    int count = parameters_count(format->parameters);
    if (!count) {
        explorer_say(explorer, "%s has no parameters", format->name);
        return;
    }
    panel->parameter = (panel->parameter + 1) % count;
    explorer_say(explorer, "< and > change %s: %s", format->parameters[panel->parameter].name,
                 format->parameters[panel->parameter].help);
}

/* What the prompt begins with: what was given, and the parameter that < and > change. */
static void write_now(const struct panel *panel, char *out, size_t size)
{
    struct parameter_values values;
    out[0] = 0;
    if (values_of(panel->conversion, &values))
        write_parameters(panel->conversion->format, &values, panel->parameter, out, size);
}

void layouts_ask(struct explorer *explorer, struct layouts *layouts)
{
    const struct panel *panel = &layouts->panels[layouts->focus.panel];
    const struct format *format = panel->conversion->format;
    char label[64], text[128];
    if (!format->parameters[0].name) {
        explorer_say(explorer, "%s has no parameters", format->name);
        return;
    }
    size_t length = (size_t)snprintf(label, sizeof label, "%s (", format->name);
    for (int k = 0; format->parameters[k].name && length < sizeof label; k++)
        length += (size_t)snprintf(label + length, sizeof label - length, "%s%s", k ? ", " : "",
                                   format->parameters[k].name);
    if (length + 2 < sizeof label) strcat(label, ")");
    write_now(panel, text, sizeof text);
    explorer_ask(explorer, label, text);
}

void layouts_answer(struct explorer *explorer, struct layouts *layouts, const char *text)
{
    char before[128];
    write_now(&layouts->panels[layouts->focus.panel], before, sizeof before);
    if (strcmp(text, before) != 0) layouts_set(explorer, layouts, layouts->focus.panel, text);
}

void layouts_change_precision(struct explorer *explorer, struct layouts *layouts)
{
    settle(layouts);
    layouts->precision = layouts->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    for (int p = 0; p < layouts->count; p++) {
        struct panel *panel = &layouts->panels[p];
        struct conversion *conversion =
            want(explorer, layouts, panel->conversion->format, panel->conversion->parameters);
        if (conversion) put(layouts, panel, conversion);
    }
    explorer_say(explorer, "values as %s", precision_name(layouts->precision));
}
