/* Types of numbers in which the values of a matrix can be stored: f64, types with fewer bits, and sums of two
 * or three numbers of such a type. */
#ifndef SPARSIGHT_ANALYSIS_NUMBER_TYPES_H
#define SPARSIGHT_ANALYSIS_NUMBER_TYPES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A type. A value a is stored as an unevaluated sum of `parts` numbers (Dekker, Numer. Math. 18, 1971, for
 * two; Henry, Tang and Heinecke, ARITH 2019, for two and three bf16):
 *
 *     part 1 = fl(a),  part 2 = fl(a - part 1),  part 3 = fl(a - part 1 - part 2)
 *
 * where fl rounds to the nearest number of the type, and a tie to the number whose last bit is 0 (IEEE 754,
 * roundTiesToEven). The differences and the sum of the parts are exact in f64. If part 1 is infinite, the
 * others are 0. (Mukunoki, Ozaki, Ogita and Imamura, "DGEMM using tensor cores", ISC 2020, split otherwise:
 * the parts of a row share their exponents, so that products of parts are exact.) */
struct number_type {
    const char *name;   /* "bf16x2" */
    const char *words;  /* a phrase such as "sum of two bf16" */
    const char *source; /* the publication of the type, or of its use for matrices */
    int parts;          /* numbers that are stored for a value: 1 .. NUMBER_PARTS_MAX */
    int bytes;          /* bytes of one of these numbers */
    int bits;           /* bits of its significand, with the leading one */
    int least;          /* 2^least is the smallest number > 0 */
    int most;           /* 2^most is the largest finite number plus one unit of its last bit */
    int scaled;         /* scaling (analysis/precisions.h) makes all values smaller than 2^scaled < 2^most */
    bool sums_f32;      /* products with it are also added up in f32 */
};

#define NUMBER_TYPES 7
#define NUMBER_PARTS_MAX 3

/* The table; f64 is its first entry. */
extern const struct number_type number_types[NUMBER_TYPES];

/* Return the bytes of a value: those of all its parts, doubled if it is complex. */
static inline int number_bytes(const struct number_type *type, bool complex)
{
    return type->parts * type->bytes * (complex ? 2 : 1);
}

/* Return the bytes of an entry in CSR with columns of 4 bytes, without the offsets of rows. */
static inline int number_csr_bytes(const struct number_type *type, bool complex)
{
    return number_bytes(type, complex) + 4;
}

/* The constants of rounding to a type, for loops over many values. */
struct rounding {
    int dropped;    /* bits of a double's significand that are rounded away */
    uint64_t half;  /* half a unit of the last bit that remains, less one, in units of a double's last bit */
    uint64_t odd;   /* 1, or 0 if no bit is dropped */
    uint64_t kept;  /* the bits of a double that remain */
    double normal;  /* the smallest normal number */
    double shift;   /* 2^(least + 52): doubles just above it have the spacing of subnormal numbers */
    double largest; /* the largest finite number */
};

struct rounding number_rounding(const struct number_type *type);

/* Return `a` if the condition holds, else `b`. Both are computed and there is no branch, so that compilers
 * vectorise loops. */
static inline double number_pick(bool condition, double a, double b)
{
    uint64_t mask = -(uint64_t)condition, bits, others;
    double picked;
    memcpy(&bits, &a, sizeof bits);
    memcpy(&others, &b, sizeof others);
    bits = (bits & mask) | (others & ~mask);
    memcpy(&picked, &bits, sizeof picked);
    return picked;
}

/* Return fl(a) of a finite number; infinite if it overflows.
 *
 * From `normal` on, the bits of a double are rounded as an integer. Half a unit is added, less one if the
 * unit's bit is 0, and the lower bits are cleared. A carry into the exponent gives the right number. A
 * smaller number is rounded by adding and subtracting `shift`. */
static inline double number_round(const struct rounding *rounding, double a)
{
    double size = fabs(a), small = size + rounding->shift - rounding->shift, result;
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    bits = (bits + rounding->half + (bits >> rounding->dropped & rounding->odd)) & rounding->kept;
    memcpy(&result, &bits, sizeof result);
    result = number_pick(size < rounding->normal, small, result);
    result = number_pick(result <= rounding->largest, result, (double)INFINITY);
    return copysign(result, a);
}

#endif
