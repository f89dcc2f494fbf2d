#include "analysis/number_types.h"

/* The numbers of which the values of several types are sums. */
#define F32 .bytes = 4, .bits = 24, .least = -149, .most = 128, .scaled = 96, .sums_f32 = true
#define BF16 .bytes = 2, .bits = 8, .least = -133, .most = 128, .scaled = 96, .sums_f32 = true

/* f32 has numbers below 2^128. Scaled values of all types but fp16 are below 2^96, so that f32 can add up
 * 2^31 of them. */
const struct number_type number_types[NUMBER_TYPES] = {
    {.name = "f64",
     .words = "as it is",
     .source = "IEEE 754, binary64",
     .parts = 1,
     .bytes = 8,
     .bits = 53,
     .least = -1074,
     .most = 1024,
     .scaled = 96},
    {.name = "f32", .words = "single precision", .source = "IEEE 754, binary32", .parts = 1, F32},
    {.name = "bf16",
     .words = "upper half of f32",
     .source = "Henry, Tang, Heinecke, ARITH 2019",
     .parts = 1,
     BF16},
    {.name = "fp16",
     .words = "half precision",
     .source = "IEEE 754, binary16",
     .parts = 1,
     .bytes = 2,
     .bits = 11,
     .least = -24,
     .most = 16,
     .scaled = 15,
     .sums_f32 = true},
    {.name = "f32x2", .words = "sum of two f32", .source = "Dekker, Numer. Math. 18, 1971", .parts = 2, F32},
    {.name = "bf16x2",
     .words = "sum of two bf16",
     .source = "Henry, Tang, Heinecke, ARITH 2019",
     .parts = 2,
     BF16},
    {.name = "bf16x3",
     .words = "sum of three bf16",
     .source = "Henry, Tang, Heinecke, ARITH 2019",
     .parts = 3,
     BF16},
};

struct rounding number_rounding(const struct number_type *type)
{
    int dropped = 53 - type->bits;
    return (struct rounding){
        .dropped = dropped,
        .half = dropped > 0 ? ((uint64_t)1 << (dropped - 1)) - 1 : 0,
        .odd = dropped > 0,
        .kept = ~(((uint64_t)1 << dropped) - 1),
        .normal = ldexp(1, type->least + type->bits - 1),
        .shift = ldexp(1, type->least + 52),
        .largest = ldexp(1 - ldexp(1, -type->bits), type->most),
    };
}
