/* The formats of the panels, and their parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/layouts/layouts.h"

/* While a panel waits for its next storage, it shows the previous one if that has at most this size. */
#define LINGER_BYTES ((size_t)64 << 20)

/* The maximum padding factor with which ELL is the first choice of the second panel. */
#define SENSIBLE_PADDING 4

const char *layouts_name(const struct conversion *conversion)
{
    return atomic_load(&conversion->sized) ? conversion->name : conversion->choice.format->name;
}

/* Return the conversion of a choice, in the precision of all panels, and request its storage. If there are
 * too many, return NULL and give the reason in the bottom line. */
static struct conversion *want(struct explorer *explorer, const struct layouts *layouts,
                               const struct format_choice *choice)
{
    struct error error = {0};
    struct format_choice wanted = *choice;
    wanted.precision = layouts->precision;
    struct conversion *conversion = conversions_want(&explorer->session->shown->conversions, &wanted, &error);
    if (!conversion) {
        explorer_say_error(explorer, &error);
        return NULL;
    }
    conversion->keep = true;
    conversion->declined = false;
    return conversion;
}

/* Put another conversion into a panel. The panel shows the previous storage until the new one is built. */
static void put(struct layouts *layouts, struct panel *panel, struct conversion *conversion)
{
    struct conversion *shown = panel->shown;
    if (shown && shown->size.allocated > LINGER_BYTES) shown = NULL;
    bool same = panel->conversion && panel->conversion->choice.format == conversion->choice.format;
    *panel = (struct panel){
        .conversion = conversion, .shown = shown, .parameter = same ? panel->parameter : 0, .array = PICTURE};
    layouts->focused = false;
}

/* After a choice of the user, the second panel keeps its format. */
static void settle(struct layouts *layouts)
{
    if (layouts->tentative) layouts->panels[1].conversion->keep = true;
    layouts->tentative = false;
}

void layouts_add(struct explorer *explorer, struct layouts *layouts, const struct format_choice *choice)
{
    if (layouts->count == LAYOUTS_PANELS) {
        explorer_say(explorer, "at most %d formats at a time: close one first", LAYOUTS_PANELS);
        return;
    }
    struct conversion *conversion = want(explorer, layouts, choice);
    if (!conversion) return;
    settle(layouts);
    layouts->panels[layouts->count] = (struct panel){0};
    put(layouts, &layouts->panels[layouts->count++], conversion);
}

void layouts_remove(struct explorer *explorer, struct layouts *layouts, int panel)
{
    if (layouts->count == 1) {
        explorer_say(explorer, "the last format cannot be closed");
        return;
    }
    settle(layouts);
    memmove(&layouts->panels[panel], &layouts->panels[panel + 1],
            (size_t)(--layouts->count - panel) * sizeof layouts->panels[0]);
    if (layouts->focus.panel > panel || layouts->focus.panel == layouts->count) layouts->focus.panel--;
    layouts_unfocus(layouts);
}

static struct conversion *want_default(struct conversions *all, const struct format *format,
                                       enum precision precision, struct error *error)
{
    const struct format_choice choice = format_choice_default(format, precision);
    return conversions_want(all, &choice, error);
}

/* The first formats of the second panel, in the order in which they are tried. */
static const char *const seconds[] = {"ell", "hyb", "sell", "coo", NULL};

/* Return the format to try after this one, or the first format if it is NULL; NULL if there is none. */
static const struct format *next_second(const struct format *format)
{
    bool passed = !format;
    for (int k = 0; seconds[k]; k++) {
        if (passed && format_find(seconds[k])) return format_find(seconds[k]);
        passed |= format && strcmp(seconds[k], format->name) == 0;
    }
    return NULL;
}

bool layouts_start(struct explorer *explorer, struct layouts *layouts, struct error *error)
{
    struct conversions *all = &explorer->session->shown->conversions;
    const struct format *second = next_second(NULL);
    struct conversion *csr = want_default(all, format_find("csr"), layouts->precision, error);
    struct conversion *other = second ? want_default(all, second, layouts->precision, error) : NULL;
    if (!csr || (second && !other)) return false;
    csr->keep = true;
    layouts->panels[layouts->count++].conversion = csr;
    if (other) layouts->panels[layouts->count++].conversion = other;
    layouts->panels[0].array = layouts->panels[1].array = PICTURE;
    layouts->tentative = other != NULL;
    return true;
}

/* True if a format shows something that CSR does not: an ELL with little padding, or a HYB with both parts.
 * The format's size must be known, or the format refused. */
static bool shows_something(const struct conversion *conversion)
{
    const char *name = conversion->choice.format->name;
    const struct format_size *size = &conversion->size;
    if (conversion_state(conversion) == CONVERSION_REFUSED) return false;
    if (strcmp(name, "ell") == 0) return !(size->padding_ratio > SENSIBLE_PADDING);
    return strcmp(name, "hyb") != 0 || (size->apart > 0 && size->slots > size->apart);
}

/* Keep the tried format of the second panel if it shows something new, else try the next one. */
static void decide(struct explorer *explorer, struct layouts *layouts)
{
    struct panel *panel = &layouts->panels[1];
    struct conversion *tried = panel->conversion, *other = NULL;
    struct error error = {0};
    if (conversion_state(tried) != CONVERSION_REFUSED && !atomic_load(&tried->sized)) return;
    const struct format *next = shows_something(tried) ? NULL : next_second(tried->choice.format);
    if (next) {
        other = want_default(&explorer->session->shown->conversions, next, layouts->precision, &error);
        if (!other) explorer_say_error(explorer, &error);
    }
    if (other) {
        put(layouts, panel, other);
        decide(explorer, layouts);
    } else {
        tried->keep = true;
        layouts->tentative = false;
    }
}

/* Show the format that another screen has chosen. If a panel already shows it, this panel gets the focus.
 * Otherwise the format goes into the second panel. */
static void take_chosen(struct explorer *explorer, struct layouts *layouts)
{
    struct conversion *conversion = want(explorer, layouts, &explorer->chosen);
    int p = 0;
    explorer->chosen.format = NULL;
    if (!conversion) return;
    while (p < layouts->count && layouts->panels[p].conversion != conversion)
        p++;
    if (p == layouts->count) {
        p = 1;
        if (layouts->count == 1) layouts->panels[layouts->count++] = (struct panel){0};
        put(layouts, &layouts->panels[p], conversion);
    }
    if (p == 1) settle(layouts);
    layouts->focus.panel = p;
    layouts->focus.array = layouts->panels[p].array;
    layouts_unfocus(layouts);
}

void layouts_update(struct explorer *explorer, struct layouts *layouts)
{
    struct conversion *held[2 * LAYOUTS_PANELS];
    int count = 0;
    if (explorer->chosen.format) take_chosen(explorer, layouts);
    if (layouts->tentative) decide(explorer, layouts);
    for (int p = 0; p < layouts->count; p++) {
        struct panel *panel = &layouts->panels[p];
        enum conversion_state state = conversion_state(panel->conversion);
        if (state == CONVERSION_BUILT && panel->shown != panel->conversion) {
            panel->shown = panel->conversion;
            memset(panel->wide, 0, sizeof panel->wide);
            panel->index = 0;
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

/* Return the panel's choice as requested. The parameter that < and > change also has its value if the format
 * chose it. */
static struct format_choice choice_now(const struct panel *panel)
{
    const struct conversion *conversion = panel->conversion;
    const struct parameter *parameters = conversion->choice.format->parameters;
    struct format_choice choice = conversion->choice;
    const struct format_choice *known = atomic_load(&conversion->sized) ? &conversion->resolved : &choice;
    if (!parameters[0].name) return choice;
    double number = known->values.number[panel->parameter];
    if (!isnan(number)) parameters_set(parameters, &choice.values, panel->parameter, number);
    return choice;
}

void layouts_set(struct explorer *explorer, struct layouts *layouts, int panel,
                 const struct format_choice *choice)
{
    struct panel *at = &layouts->panels[panel];
    struct conversion *conversion = want(explorer, layouts, choice);
    if (!conversion || conversion == at->conversion) return;
    settle(layouts);
    put(layouts, at, conversion);
}

/* Return the next value of a parameter, or the same value at the end of its range. Words cycle, powers of two
 * are doubled or halved, real numbers change by 0.05, and others by 1. */
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

void layouts_step(struct explorer *explorer, void *state, int direction)
{
    struct layouts *layouts = state;
    struct panel *panel = &layouts->panels[layouts->focus.panel];
    struct format_choice choice = choice_now(panel);
    const struct parameter *parameter = &choice.format->parameters[panel->parameter];
    char range[64];
    if (!choice.format->parameters[0].name) {
        explorer_say(explorer, "%s has no parameters", choice.format->name);
        return;
    }
    double before = choice.values.number[panel->parameter];
    if (isnan(before)) {
        explorer_say(explorer, "%s is unknown until the conversion ends", parameter->name);
        return;
    }
    double value = next_value(parameter, before, direction);
    if (value == before) {
        explorer_say(explorer, "%s: %s", parameter->name, parameter_range(parameter, range, sizeof range));
        return;
    }
    parameters_set(choice.format->parameters, &choice.values, panel->parameter, value);
    layouts_set(explorer, layouts, layouts->focus.panel, &choice);
}

void layouts_next_parameter(struct explorer *explorer, void *state, int unused)
{
    struct layouts *layouts = state;
    struct panel *panel = &layouts->panels[layouts->focus.panel];
    const struct format *format = panel->conversion->choice.format;
    int count = parameters_count(format->parameters);
    if (!count) {
        explorer_say(explorer, "%s has no parameters", format->name);
        return;
    }
    panel->parameter = (panel->parameter + 1) % count;
    char keys[PROSE_SIZE];
    keys_prose(view_layouts.actions, "{step 1} and {step 2}", keys);
    explorer_say(explorer, "%s change %s: %s", keys, format->parameters[panel->parameter].name,
                 format->parameters[panel->parameter].help);
}

/* Write the parameters of choice_now, the initial text of the prompt. */
static char *text_now(const struct panel *panel, char *out, size_t size)
{
    const struct format_choice choice = choice_now(panel);
    return format_choice_parameters(&choice, out, size);
}

void layouts_ask(struct explorer *explorer, void *state, int unused)
{
    struct layouts *layouts = state;
    const struct panel *panel = &layouts->panels[layouts->focus.panel];
    const struct format *format = panel->conversion->choice.format;
    char text[CHOICE_NAME];
    explorer_ask_parameters(explorer, format->name, format->parameters, NULL,
                            text_now(panel, text, sizeof text));
}

void layouts_answer(struct explorer *explorer, void *state, const char *text)
{
    struct layouts *layouts = state;
    const struct panel *panel = &layouts->panels[layouts->focus.panel];
    char before[CHOICE_NAME];
    struct format_choice choice;
    struct error error = {0};
    if (strcmp(text, text_now(panel, before, sizeof before)) == 0) return;
    if (format_choice_read(panel->conversion->choice.format, text, layouts->precision, &choice, &error) ==
        STATUS_OK)
        layouts_set(explorer, layouts, layouts->focus.panel, &choice);
    else
        explorer_say_error(explorer, &error);
}

void layouts_change_precision(struct explorer *explorer, void *state, int unused)
{
    struct layouts *layouts = state;
    settle(layouts);
    layouts->precision = layouts->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    for (int p = 0; p < layouts->count; p++) {
        struct panel *panel = &layouts->panels[p];
        struct conversion *conversion = want(explorer, layouts, &panel->conversion->choice);
        if (conversion) put(layouts, panel, conversion);
    }
    explorer_say(explorer, "values as %s", case_value_name(explorer->session->shown, layouts->precision));
}
