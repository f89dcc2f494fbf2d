#include "kernels/tuning/axes.h"

#include <stddef.h>

#define BLOCKS "32 64 128 256 512 1024"
#define HEIGHTS "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"
#define LENGTHS "0 0.1 0.25 0.3333 0.5 0.6667 0.75 0.9 0.95 0.99 1"

/* Koza et al., section 6.3, tune CMRS by brute force over height, block, aligned and sorted; packed columns
 * and, for the padded variant, modulo (section 6.7) are this program's own addition. What has no line is not
 * tuned, since its values differ in what they show and not in speed, such as the order of COO's entries. */
const struct tuning_line tuning_lines[] = {
    {"cuda/cmrs", "height", HEIGHTS},
    {"cuda/cmrs", "packed", "0 1"},
    {"cuda/cmrs", "sorted", "0 1"},
    {"cuda/cmrs", "block", BLOCKS},
    {"cuda/cmrs", "aligned", "0 1"},
    {"cuda/cmrs-padded", "modulo", "1 2 4 8 16 32"},
    {"cuda/cmrs-padded", "packed", "0 1"},
    {"cuda/cmrs-padded", "block", BLOCKS},
    {"cpu/cmrs-*", "height", HEIGHTS},
    {"cpu/cmrs-*", "packed", "0 1"},
    {"cpu/cmrs-*", "sorted", "0 1"},

    {"cuda/csr-scalar", "block", BLOCKS},
    {"cuda/csr-vector", "threads", "2 4 8 16 32"},
    {"cuda/csr-vector", "block", BLOCKS},
    {"cuda/csr-vector", "aligned", "0 1"},
    {"cuda/csr-vector", "reduce", "shuffle shared"},
    {"cuda/csr-balanced", "columns", "16 32"},
    {"cuda/csr-balanced", "tiles", "1 2 4 8 16 32"},
    {"cuda/csr-balanced", "run", "5 10 20 40 80 160 320 640"},
    {"cuda/csc-*", "threads", "1 2 4 8 16 32"},
    {"cuda/csc-*", "block", BLOCKS},
    {"cuda/coo-*", "block", BLOCKS},
    {"cuda/coo-segmented", "steps", "1 2 4 8 16 32 64"},

    {"cuda/ell-*", "block", BLOCKS},
    {"cpu/ell-*", "layout", "transposed rows"},
    {"cpu/ell-*", "pad", "repeat sentinel"},
    {"*/hyb*", "k", LENGTHS, TUNING_LENGTHS},
    {"*/hyb*", "pad", "repeat sentinel"},
    {"cpu/hyb-*", "layout", "transposed rows"},
    {"cuda/hyb*", "block", BLOCKS},

    {"cuda/jds*", "longest", "0.9 0.99 0.999", TUNING_LENGTHS},
    {"cuda/jds-sections", "share", "0.1 0.25 0.5 0.75 0.9 1"},
    {"cuda/jds-sections", "height", "1 32 1024", TUNING_ROWS},
    {"cuda/jds-sections", "inside", "ell csr"},
    {"cuda/jds*", "block", "64 128 256 512"},
    {"cpu/jds-*", "sections", "none share"},
    {"cpu/jds-*", "share", "0.1 0.25 0.5 0.75 0.9 1"},
    {"cpu/jds-*", "height", "1 32 1024", TUNING_ROWS},
    {"cpu/jds-*", "inside", "ell csr"},

    {"cuda/sell", "c", "32 64 128 256"},
    {"cuda/sell", "sigma", "1 32 128 512 2048 8192 32768 131072", TUNING_ROWS},
    {"cuda/sell", "columns", "16 32"},
    {"cuda/sell", "ahead", "4 8"},
    {"cuda/sell", "block", "64 128 256 512"},
    {"cpu/sell-*", "c", "1 2 4 8 16 32 64 128 256"},
    {"cpu/sell-*", "sigma", "1 8 32 128 512 2048 8192 32768 131072", TUNING_ROWS},
    {"cusparse/sell", "c", "1 2 4 8 16 32 64 128 256"},
    {"cusparse/sell", "sigma", "1 32 128 512 2048 8192 32768 131072", TUNING_ROWS},

    {"*/bsr*", "size", "2 3 4 5 6 7 8"},
    {NULL, NULL, NULL, TUNING_LISTED},
};

const struct tuning_rule tuning_rules[] = {
    {"cuda/csr-vector", "reduce", "shared", "threads", "32"},
    {"cpu/jds-*", "sections", "none", "share", "0.5"},
    {"cpu/jds-*", "sections", "none", "height", "1"},
    {"cpu/jds-*", "sections", "none", "inside", "ell"},
    {NULL, NULL, NULL, NULL, NULL},
};
