#include "gpu/aims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/cmrs_model.h"

#define MEAN_MIN 20   /* rows for which CMRS is compared with csr-vector are longer, */
#define MEAN_MAX 100  /* and shorter */
#define MEAN_SHORT 10 /* rows for which it is compared with the model are shorter */
#define LINE 128      /* bytes of a transaction as the source has it, */
#define SECTOR 32     /* and as today's GPUs can read */

static const char *const kinds[] = {
    [KIND_STENCIL] = "stencil",
    [KIND_BANDED] = "banded",
    [KIND_ELEMENTS] = "elements",
    [KIND_CIRCUIT] = "circuit",
    [KIND_LP] = "lp",
    [KIND_RMAT] = "rmat",
    [KIND_GRAPH] = "graph",
    [KIND_PERMUTATION] = "permutation",
    [KIND_OTHER] = "other",
};

const char *kind_name(enum kind kind)
{
    return kinds[kind];
}

static double finite_or_nan(double value)
{
    return isfinite(value) ? value : NAN;
}

double figures_ratio(const struct figures *figures)
{
    return finite_or_nan(figures->vendor) / finite_or_nan(figures->own);
}

int figures_op(const struct figures *figures, size_t count, double *mean, int *ahead)
{
    double sum = 0;
    int both = 0;
    *ahead = 0;
    for (size_t k = 0; k < count; k++) {
        double ratio = finite_or_nan(figures[k].classic) / finite_or_nan(figures[k].op);
        if (isnan(ratio)) continue;
        both++;
        *ahead += ratio > 1;
        sum += log(ratio);
    }
    *mean = both > 0 ? exp(sum / both) : NAN;
    return both;
}

double figures_share(const struct figures *figures)
{
    return figures->bytes / finite_or_nan(figures->own) / figures->copy;
}

static double seconds_a_byte(const struct figures *figures)
{
    return finite_or_nan(figures->own) / figures->bytes;
}

double figures_cmrs_gain(const struct figures *figures)
{
    return finite_or_nan(figures->vector) / finite_or_nan(figures->cmrs);
}

double figures_cmrs_max(const struct figures *figures, double lambda)
{
    return cmrs_model_a(figures->height, figures->mean, figures->value, lambda);
}

static double gain_by_lines(const struct figures *figures)
{
    return figures_cmrs_gain(figures) / figures_cmrs_max(figures, LINE);
}

static double gain_by_sectors(const struct figures *figures)
{
    return figures_cmrs_gain(figures) / figures_cmrs_max(figures, SECTOR);
}

/* Sets of matrices */

static bool any(const struct figures *figures)
{
    return true;
}

static bool streams(const struct figures *figures)
{
    return figures->kind == KIND_STENCIL || figures->kind == KIND_BANDED;
}

static bool practical(const struct figures *figures)
{
    return figures->kind == KIND_ELEMENTS || figures->kind == KIND_CIRCUIT || figures->kind == KIND_LP;
}

static bool rmat(const struct figures *figures)
{
    return figures->kind == KIND_RMAT;
}

static bool no_graph(const struct figures *figures)
{
    return figures->kind != KIND_RMAT && figures->kind != KIND_GRAPH && figures->kind != KIND_PERMUTATION;
}

static bool middling_rows(const struct figures *figures)
{
    return figures->mean > MEAN_MIN && figures->mean < MEAN_MAX;
}

bool figures_short_rows(const struct figures *figures)
{
    return figures->mean < MEAN_SHORT;
}

/* How numbers of several matrices become one */

typedef double number_of(const struct figures *figures);
typedef bool belongs(const struct figures *figures);

static void add(double value, struct aim *aim, double *sum, double *min)
{
    if (isnan(value)) return;
    aim->count++;
    *sum += log(value);
    *min = fmin(*min, value);
}

static void judge(const struct figures *figures, size_t count, number_of *number, belongs *in, bool mean,
                  struct aim *aim)
{
    double sum = 0, min = INFINITY;
    for (size_t k = 0; k < count; k++)
        if (in(&figures[k])) add(number(&figures[k]), aim, &sum, &min);
    aim->value = aim->count == 0 ? NAN : mean ? exp(sum / aim->count) : min;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The longest time of a byte over the median one. */
static void judge_cliff(const struct figures *figures, size_t count, struct aim *aim)
{
    double *times = calloc(count + 1, sizeof *times);
    aim->value = NAN;
    for (size_t k = 0; times && k < count; k++)
        if (no_graph(&figures[k]) && !isnan(seconds_a_byte(&figures[k])))
            times[aim->count++] = seconds_a_byte(&figures[k]);
    if (times && aim->count > 0) {
        int n = aim->count;
        qsort(times, (size_t)n, sizeof *times, ascending);
        aim->value = times[n - 1] / ((times[(n - 1) / 2] + times[n / 2]) / 2);
    }
    free(times);
}

void aims_judge(const struct figures *figures, size_t count, struct aim aims[AIMS])
{
    static const struct {
        const char *what;
        double aim;
        number_of *number;
        belongs *in;
        bool mean;
    } table[] = {
        {"best of cuSPARSE / best own, geometric mean", 1.15, figures_ratio, any, true},
        {"best of cuSPARSE / best own, min", 0.97, figures_ratio, any, false},
        {"share of the copy bandwidth, stencils and bands, min", 0.92, figures_share, streams, false},
        {"share, finite elements, circuits, LP, geometric mean", 0.80, figures_share, practical, true},
        {"share, finite elements, circuits, LP, min", 0.65, figures_share, practical, false},
        {"share, R-MAT, min", 0.40, figures_share, rmat, false},
        {"csr-vector with 32 threads / best CMRS, 20 < mean < 100, geometric mean", 1.05, figures_cmrs_gain,
         middling_rows, true},
        {"the same / a(h, mean) by 128 bytes, mean < 10, geometric mean", 0.5, gain_by_lines,
         figures_short_rows, true},
        {"the same / a(h, mean) by 128 bytes, mean < 10, min", 0.5, gain_by_lines, figures_short_rows, false},
        {"the same / a(h, mean) by 32 bytes, mean < 10, geometric mean", 0.5, gain_by_sectors,
         figures_short_rows, true},
        {"the same / a(h, mean) by 32 bytes, mean < 10, min", 0.5, gain_by_sectors, figures_short_rows,
         false},
    };
    const size_t of_table = sizeof table / sizeof *table;
    _Static_assert(sizeof table / sizeof *table + 1 == AIMS, "one is not of the table");
    for (size_t k = 0; k < of_table; k++) {
        aims[k] = (struct aim){.bound = AIM_MIN, .aim = table[k].aim};
        snprintf(aims[k].what, sizeof aims[k].what, "%s", table[k].what);
        judge(figures, count, table[k].number, table[k].in, table[k].mean, &aims[k]);
    }
    struct aim *cliff = &aims[of_table];
    *cliff = (struct aim){.what = "longest time of a byte / median one, without graphs and permutations",
                          .bound = AIM_MAX,
                          .aim = 2.5};
    judge_cliff(figures, count, cliff);
}

bool aim_reached(const struct aim *aim)
{
    return aim->bound == AIM_MIN ? aim->value >= aim->aim : aim->value <= aim->aim;
}
