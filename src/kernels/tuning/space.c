#include "kernels/tuning/space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

static int find(const struct parameter *table, const char *name)
{
    for (int k = 0; table[k].name; k++)
        if (strcmp(table[k].name, name) == 0) return k;
    return -1;
}

static const double *numbers_of(const struct kernel_choice *choice, const struct tuning_axis *axis)
{
    return axis->of_format ? choice->format.values.number : choice->values.number;
}

static double value_in(const struct kernel_choice *choice, const struct tuning_axis *axis)
{
    return numbers_of(choice, axis)[axis->index];
}

/* Two values left to the kernel are equal. */
static bool same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static double number_of(const struct parameter *parameter, const char *word)
{
    return parameter_options(parameter) > 0 ? parameter_option(parameter, word) : strtod(word, NULL);
}

int tuning_add_value(double *values, int count, int most, double value)
{
    int at = 0;
    if (isnan(value) || count == most) return count;
    while (at < count && values[at] < value)
        at++;
    if (at < count && values[at] == value) return count;
    memmove(&values[at + 1], &values[at], (size_t)(count - at) * sizeof *values);
    values[at] = value;
    return count + 1;
}

/* Insert a value into the axis, if the parameter accepts it. */
static void add_value(struct tuning_axis *axis, double value)
{
    const struct parameter *parameter = axis->parameter;
    if (parameter_options(parameter) > 0 || (value >= parameter->min && value <= parameter->max))
        axis->count = tuning_add_value(axis->values, axis->count, TUNING_VALUES, value);
}

/* The data for the values of an axis. */
struct making {
    const struct csr *a;
    int64_t *lengths; /* lengths of all rows, ascending, made when first needed; owned */
};

static enum status sort_lengths(struct making *making, struct error *error)
{
    const struct csr *a = making->a;
    if (making->lengths) return STATUS_OK;
    making->lengths = memory_array((size_t)a->rows, sizeof *making->lengths, error);
    if (!making->lengths) return STATUS_MEMORY;
    for (int64_t i = 0; i < a->rows; i++)
        making->lengths[i] = a->row_ptr[i + 1] - a->row_ptr[i];
    qsort(making->lengths, (size_t)a->rows, sizeof *making->lengths, compare_integers);
    return STATUS_OK;
}

/* The length that this share of the rows does not exceed; NaN without rows. */
static double length_at(const struct making *making, double share)
{
    int64_t rows = making->a->rows, at = (int64_t)ceil(share * (double)rows) - 1;
    return rows > 0 ? (double)making->lengths[at > 0 ? at : 0] : NAN;
}

static enum status add_values(struct making *making, const struct tuning_line *line, struct tuning_axis *axis,
                              struct error *error)
{
    char words[256], *rest = NULL;
    double last = 0;
    enum status status = line->meaning == TUNING_LENGTHS ? sort_lengths(making, error) : STATUS_OK;
    if (status != STATUS_OK) return status;
    snprintf(words, sizeof words, "%s", line->values);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        double value = number_of(axis->parameter, word);
        if (line->meaning == TUNING_ROWS && last >= (double)making->a->rows) break;
        last = value;
        add_value(axis, line->meaning == TUNING_LENGTHS ? length_at(making, strtod(word, NULL)) : value);
    }
    return STATUS_OK;
}

/* Make the axis of a line. It has no values if `base` sets the parameter to a value other than the kernel's
 * default, since this is then a request. */
static enum status make_axis(struct making *making, const struct tuning_line *line,
                             const struct kernel_choice *base, const struct kernel_choice *resolved,
                             struct tuning_axis *axis, struct error *error)
{
    const struct kernel *kernel = base->kernel;
    struct kernel_choice standard;
    int own = find(kernel->parameters, line->parameter);
    *axis = (struct tuning_axis){.of_format = own < 0};
    axis->index = own < 0 ? find(kernel->format->parameters, line->parameter) : own;
    if (axis->index < 0) return STATUS_OK;
    axis->parameter = own < 0 ? &kernel->format->parameters[axis->index] : &kernel->parameters[own];
    enum status status = kernel_choice_read(kernel, "", &standard, error);
    if (status != STATUS_OK || !same_value(value_in(&standard, axis), value_in(base, axis))) return status;
    status = add_values(making, line, axis, error);
    if (status == STATUS_OK) add_value(axis, value_in(resolved, axis));
    return status;
}

enum status tuning_space_make(struct tuning_space *space, const struct csr *a,
                              const struct kernel_choice *base, const struct kernel_choice *resolved,
                              struct error *error)
{
    struct making making = {.a = a};
    enum status status = STATUS_OK;
    *space = (struct tuning_space){.base = *base, .points = 1};
    const struct tuning_line *line = base->kernel->tuning;
    for (; line && line->parameter && status == STATUS_OK; line++) {
        struct tuning_axis *axis = &space->axes[space->axis_count];
        if (space->axis_count == TUNING_AXES) break;
        status = make_axis(&making, line, base, resolved, axis, error);
        if (status != STATUS_OK || axis->count < 2) continue;
        space->axis_count++;
        space->points *= axis->count;
    }
    free(making.lengths);
    space->start = space->axis_count > 0 ? tuning_point(space, resolved) : 0;
    return status;
}

int tuning_value(const struct tuning_space *space, int point, int axis)
{
    for (int k = space->axis_count - 1; k > axis; k--)
        point /= space->axes[k].count;
    return point % space->axes[axis].count;
}

int tuning_move(const struct tuning_space *space, int point, int axis, int value)
{
    int stride = 1;
    for (int k = space->axis_count - 1; k > axis; k--)
        stride *= space->axes[k].count;
    return point + (value - tuning_value(space, point, axis)) * stride;
}

struct kernel_choice tuning_choice(const struct tuning_space *space, int point)
{
    struct kernel_choice choice = space->base;
    if (point == space->start) return choice;
    for (int k = 0; k < space->axis_count; k++) {
        const struct tuning_axis *axis = &space->axes[k];
        double value = axis->values[tuning_value(space, point, k)];
        if (value == value_in(&space->base, axis)) continue;
        if (axis->of_format)
            parameters_set(choice.kernel->format->parameters, &choice.format.values, axis->index, value);
        else
            parameters_set(choice.kernel->parameters, &choice.values, axis->index, value);
    }
    return choice;
}

int tuning_point(const struct tuning_space *space, const struct kernel_choice *resolved)
{
    int point = 0;
    if (resolved->kernel != space->base.kernel) return -1;
    for (int k = 0; k < space->axis_count; k++) {
        const struct tuning_axis *axis = &space->axes[k];
        int value = axis->count - 1;
        while (value >= 0 && axis->values[value] != value_in(resolved, axis))
            value--;
        if (value < 0) return -1;
        point = point * axis->count + value;
    }
    return point;
}

/* The value of a parameter at a point, even if it has no axis. */
static double value_at(const struct tuning_space *space, int point, const char *name,
                       const struct parameter **parameter)
{
    const struct kernel_choice *base = &space->base;
    const struct kernel *kernel = base->kernel;
    int own = find(kernel->parameters, name), of_format = find(kernel->format->parameters, name);
    *parameter = own >= 0 ? &kernel->parameters[own] : &kernel->format->parameters[of_format];
    for (int k = 0; k < space->axis_count; k++)
        if (space->axes[k].parameter == *parameter)
            return space->axes[k].values[tuning_value(space, point, k)];
    return own >= 0 ? base->values.number[own] : base->format.values.number[of_format];
}

bool tuning_suits(const struct tuning_space *space, int point)
{
    const struct tuning_rule *rule = space->base.kernel->tuning_rules;
    for (; rule && rule->parameter; rule++) {
        const struct parameter *parameter;
        if (value_at(space, point, rule->parameter, &parameter) != number_of(parameter, rule->value))
            continue;
        double other = value_at(space, point, rule->other, &parameter);
        if (!isnan(other) && other != number_of(parameter, rule->needed)) return false;
    }
    return true;
}

int tuning_count(const struct tuning_space *space)
{
    int count = 0;
    for (int p = 0; p < space->points; p++)
        count += tuning_suits(space, p);
    return count;
}
