/* The variants of a kernel for tuning: a grid with an axis for each tuned parameter (`tuning` of struct
 * kernel). A point is a variant, numbered by its values, the last axis fastest. */
#ifndef SPARSIGHT_KERNELS_TUNING_SPACE_H
#define SPARSIGHT_KERNELS_TUNING_SPACE_H

#include <stdbool.h>

#include "kernels/kernel.h"
#include "matrix/csr.h"

#define TUNING_AXES 6    /* maximum number of tuned parameters of a kernel */
#define TUNING_VALUES 24 /* no parameter has more values */

/* A tuned parameter, and the values to try, ascending. */
struct tuning_axis {
    const struct parameter *parameter;
    bool of_format; /* it belongs to the format, not to the kernel */
    int index;      /* its index in that table */
    double values[TUNING_VALUES];
    int count;
};

/* A space owns nothing, so that it may be copied. */
struct tuning_space {
    struct kernel_choice base; /* the choice that is tuned */
    struct tuning_axis axes[TUNING_AXES];
    int axis_count;
    int points; /* number of points of the grid, at least 1; some may be excluded */
    int start;  /* the point of `base`; -1 if `base` is not a point */
};

/* Find the tunable parameters of `base` on matrix a. `resolved` is base with the values chosen by kernel and
 * format, as far as known; such a value is added to its axis. Parameters that base sets to a value other than
 * the kernel's default are not tuned, nor parameters with only one suitable value for the matrix. A kernel
 * that cannot be tuned has a space of one point, `base`. STATUS_MEMORY. */
enum status tuning_space_make(struct tuning_space *space, const struct csr *a,
                              const struct kernel_choice *base, const struct kernel_choice *resolved,
                              struct error *error);

/* Insert a value into the ascending values[0..count-1], unless it is already there, is NaN, or there are
 * already `most` of them. Returns the new number. */
int tuning_add_value(double *values, int count, int most, double value);

/* The variant at a point. Values equal to those of `base` are not set again, so that the name has only the
 * differences. */
struct kernel_choice tuning_choice(const struct tuning_space *space, int point);

/* The point of a choice with resolved parameters; -1 if it is not a point. */
int tuning_point(const struct tuning_space *space, const struct kernel_choice *resolved);

/* False if a rule excludes the values of a point. */
bool tuning_suits(const struct tuning_space *space, int point);

/* The number of suitable points. */
int tuning_count(const struct tuning_space *space);

/* The index of a point's value on an axis; and the point that differs from it only there. */
int tuning_value(const struct tuning_space *space, int point, int axis);
int tuning_move(const struct tuning_space *space, int point, int axis, int value);

#endif
