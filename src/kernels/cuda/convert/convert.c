#include "kernels/cuda/convert/convert.h"

#include <math.h>

#include "formats/cmrs.h"
#include "formats/coo.h"
#include "formats/dia.h"
#include "formats/ell.h"
#include "formats/hyb.h"
#include "formats/jds.h"
#include "formats/sell.h"
#include "kernels/cuda/code.h"

/* The traffic of conversions. Launches, waits and bytes per row follow from their code. The number of times
 * that CSR is read is from times on an H200 (data/measured/gpu-conversions-h200-2026-11-23.txt): half of it
 * once more in formats with rows side by side, since two tasks read their common sectors twice, and all of it
 * once more in a search for runs. For formats with several kinds, the common part comes first. */

/* A scan of a number of 8 bytes for each row reads it twice and writes it once, and its maker writes it. */
#define SCANNED 32
/* A pass of the sort reads keys of 8 bytes, and then keys and rows, and writes these; it has four launches.
 */
#define SORTED 32
#define PASS_LAUNCHES 4

static struct conversion_work moves_ell(const struct parameter_values *values, double rows)
{
    return (struct conversion_work){.reads = 1.5, .writes = 1, .launches = 1};
}

/* Lengths of rows are counted, and the offsets of COO's entries summed up. */
static struct conversion_work moves_hyb(const struct parameter_values *values, double rows)
{
    return (struct conversion_work){
        .reads = 1.5, .writes = 1, .row_bytes = 8 + SCANNED, .launches = 16, .waits = 1};
}

/* Return the passes of 8 bits that sort rows by windows and by lengths, which are assumed to be less than
 * 256. */
static double passes(double rows, double window)
{
    double windows = ceil(rows / fmax(window, 1));
    return ceil((8 + (windows > 1 ? log2(windows) : 0)) / 8);
}

static struct conversion_work moves_sell(const struct parameter_values *values, double rows)
{
    double sigma = values->number[SELL_SIGMA];
    struct conversion_work work = {.reads = 1.5, .writes = 1, .row_bytes = 8, .launches = 10, .waits = 1};
    if (!(sigma > 1)) return work;
    work.row_bytes += 24 + SORTED * passes(rows, sigma);
    work.launches += 2 + PASS_LAUNCHES * (int)passes(rows, sigma);
    return work;
}

/* The host cuts sections: it reads lengths and sends the first rows of sections. */
static struct conversion_work moves_jds(const struct parameter_values *values, double rows)
{
    bool sections = values->number[JDS_BY] != JDS_NONE;
    return (struct conversion_work){.reads = 1.5,
                                    .writes = 1,
                                    .row_bytes = 40 + SORTED * passes(rows, rows),
                                    .launches = 20 + PASS_LAUNCHES + (sections ? 9 : 0),
                                    .waits = sections ? 3 : 1};
}

/* In strips sorted by column each entry is searched in all other rows of its strip. Parameters have the
 * indices of their resolved numbers. */
static struct conversion_work moves_cmrs(const struct parameter_values *values, double rows)
{
    double height = isnan(values->number[CMRS_HEIGHT]) ? 8 : values->number[CMRS_HEIGHT];
    bool sorted = values->number[CMRS_SORTED] > 0, groups = values->number[CMRS_MODULO] > 0;
    return (struct conversion_work){.reads = sorted ? 1 + 2 * height : 2,
                                    .writes = 1,
                                    .row_bytes = 8,
                                    .launches = groups ? 7 : 4,
                                    .waits = groups};
}

static struct conversion_work moves_coo(const struct parameter_values *values, double rows)
{
    return (struct conversion_work){.reads = 2, .writes = 1, .launches = 3};
}

/* Columns are read once to find the diagonals, whose number can be that of rows plus columns. */
static struct conversion_work moves_dia(const struct parameter_values *values, double rows)
{
    return (struct conversion_work){
        .reads = 2, .writes = 1, .row_bytes = 2 * SCANNED, .launches = 8, .waits = 1};
}

static const char *refuses_coo(const struct parameter_values *values)
{
    return values->number[COO_ORDER] == COO_RANDOM ? "entries in random order are made on the host alone"
                                                   : NULL;
}

const struct device_conversion device_conversions[] = {
    {&format_coo, refuses_coo, moves_coo, CUDA_CODE(convert_coo)},
    {&format_ell, NULL, moves_ell, CUDA_CODE(convert_ell)},
    {&format_hyb, NULL, moves_hyb, CUDA_CODE(convert_hyb)},
    {&format_jds, NULL, moves_jds, CUDA_CODE(convert_jds)},
    {&format_cmrs, NULL, moves_cmrs, CUDA_CODE(convert_cmrs)},
    {&format_sell, NULL, moves_sell, CUDA_CODE(convert_sell)},
    {&format_dia, NULL, moves_dia, CUDA_CODE(convert_dia)},
    {.format = NULL},
};

enum status cuda_converts(const struct format_choice *choice, double rows, struct conversion_work *moved,
                          struct error *error)
{
    for (const struct device_conversion *c = device_conversions; c->format; c++) {
        if (c->format != choice->format) continue;
        const char *reason = c->refuses ? c->refuses(&choice->values) : NULL;
        if (reason) return error_set(error, STATUS_UNAVAILABLE, "%s", reason);
        *moved = c->moves(&choice->values, rows);
        return STATUS_OK;
    }
    return error_set(error, STATUS_UNAVAILABLE, "%s is made on the host alone", choice->format->name);
}
