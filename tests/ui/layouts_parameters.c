/* The keys of parameters on Layouts, for every format: each changes the shown parameter by a step within its
 * range, or says why it does not. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/layouts.h"
#include "support/unit.h"
#include "ui/layouts/layouts.h"

/* The value of the panel's choice that is requested or, if the format chose it, resolved. */
static double value_of(struct stage *stage, int parameter)
{
    const struct conversion *conversion = layouts_of(stage)->panels[0].conversion;
    const double wanted = conversion->choice.values.number[parameter];
    return isnan(wanted) ? conversion->resolved.values.number[parameter] : wanted;
}

/* The value after a step; words cycle, powers of two are doubled or halved, reals change by 0.05, others
 * by 1. */
static double next(const struct parameter *parameter, double value, int direction)
{
    const int options = parameter_options(parameter);
    double to = value + direction;
    if (options) return to < 0 ? options - 1 : to >= options ? 0 : to;
    if (parameter->type == PARAMETER_POWER) to = direction > 0 ? value * 2 : value < 2 ? 0 : value / 2;
    if (parameter->type == PARAMETER_POWER && direction > 0 && to < 1) to = 1;
    if (parameter->type == PARAMETER_REAL) to = value + direction * 0.05;
    return to > parameter->max ? parameter->max : to < parameter->min ? parameter->min : to;
}

TEST(every_parameter_is_stepped_through)
{
    int without = 0, changed = 0, ended = 0;
    for (int f = 0; formats[f]; f++) {
        const struct format *format = formats[f];
        FREED(stage_close) struct stage stage;
        layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){format->name, NULL});
        layouts_build(&stage);
        char name[64];
        if (!format->parameters[0].name) {
            snprintf(name, sizeof name, "%s has no parameters", format->name);
            for (const char *key = "<>o"; *key; key++) {
                stage.explorer.message[0] = 0;
                stage_type(&stage, (char[]){*key, 0});
                assert_string_equal(stage.explorer.message, name);
            }
            without++;
            continue;
        }
        for (int p = 0; format->parameters[p].name; p++) {
            const struct parameter *parameter = &format->parameters[p];
            assert_int_equal(layouts_of(&stage)->panels[0].parameter, p);
            for (int step = 0; step < 24; step++) {
                const int direction = step % 12 < 6 ? 1 : -1;
                const double before = value_of(&stage, p);
                stage.explorer.message[0] = 0;
                stage_type(&stage, direction > 0 ? ">" : "<");
                layouts_build(&stage);
                if (isnan(before)) {
                    assert_says(stage.explorer.message, "is unknown until the conversion ends");
                    continue;
                }
                const double expected = next(parameter, before, direction);
                if (conversion_state(layouts_of(&stage)->panels[0].conversion) == CONVERSION_REFUSED) break;
                assert_true(fabs(value_of(&stage, p) - expected) < 1e-9);
                if (expected == before) {
                    snprintf(name, sizeof name, "%s: ", parameter->name);
                    assert_int_equal(strncmp(stage.explorer.message, name, strlen(name)), 0);
                    ended++;
                } else {
                    assert_string_equal(stage.explorer.message, "");
                    changed++;
                }
            }
            stage_type(&stage, "o");
            const int following = format->parameters[p + 1].name ? p + 1 : 0;
            assert_int_equal(layouts_of(&stage)->panels[0].parameter, following);
            snprintf(name, sizeof name, "change %s: ", format->parameters[following].name);
            assert_says(stage.explorer.message, name);
        }
    }
    assert_true(without > 2 && changed > 20 && ended > 5);
}
