/* The variants of a kernel that tuning chooses among: a grid with an axis for each parameter that is tuned
 * (kernels/tuning/axes.c). A point is a variant: its number is that of its values, the last axis counting
 * fastest. */
#ifndef SPARSIGHT_KERNELS_TUNING_SPACE_H
#define SPARSIGHT_KERNELS_TUNING_SPACE_H

#include <stdbool.h>

#include "kernels/kernel.h"
#include "matrix/csr.h"

#define TUNING_AXES 6    /* no kernel is tuned in more parameters */
#define TUNING_VALUES 24 /* no parameter has more values */

/* A parameter that is tuned, and the values to try, ascending. */
struct tuning_axis {
    const struct parameter *parameter;
    bool of_format; /* it is one of the format's, not of the kernel's own */
    int index;      /* its place in that table */
    double values[TUNING_VALUES];
    int count;
};

/* A space owns nothing, so that it may be copied. */
struct tuning_space {
    struct kernel_choice base; /* the choice that is tuned */
    struct tuning_axis axes[TUNING_AXES];
    int axis_count;
    int points; /* of the grid: at least 1, though some of them may not be allowed */
    int start;  /* the point of `base`; -1 if it is none */
};

/* Find the tunable parameters of `base` on matrix a. `resolved` is base with the values that kernel and
 * format choose themselves, as far as they are known; such a value is added to its axis. Parameters that base
 * sets to another value than the kernel's default are not tuned, nor those of which only one value suits the
 * matrix. A kernel that cannot be tuned has a space of one point, which is `base`. STATUS_MEMORY. */
enum status tuning_space_make(struct tuning_space *space, const struct csr *a,
                              const struct kernel_choice *base, const struct kernel_choice *resolved,
                              struct error *error);

/* Add a value to values[0..count-1], which ascend, unless it is there, is NaN, or there are `most` of them
 * already. Returns how many there are then. */
int tuning_add_value(double *values, int count, int most, double value);

/* The variant at a point. Values that `base` has anyway are not set again, so that its name has only what
 * differs. */
struct kernel_choice tuning_choice(const struct tuning_space *space, int point);

/* The point of a choice whose parameters are resolved; -1 if it is not one of them. */
int tuning_point(const struct tuning_space *space, const struct kernel_choice *resolved);

/* False if the values of a point do not go together. */
bool tuning_suits(const struct tuning_space *space, int point);

/* How many points suit. */
int tuning_count(const struct tuning_space *space);

/* Which value a point has on an axis, counted from 0; and the point that differs from it there alone. */
int tuning_value(const struct tuning_space *space, int point, int axis);
int tuning_move(const struct tuning_space *space, int point, int axis, int value);

#endif
