#include "kernels/cuda/convert/convert.h"

#include <math.h>

#include "formats/cmrs.h"
#include "formats/coo.h"
#include "formats/ell.h"
#include "formats/hyb.h"
#include "formats/jds.h"
#include "formats/sell.h"
#include "kernels/cuda/code.h"

/* What conversions move, from how they are written: a scan of one number of 8 bytes for each row reads it
 * twice and writes it once, and its maker writes it. */
#define SCANNED 32
/* A pass of the sort reads keys of 8 bytes, and then keys and rows, and writes these. */
#define SORTED 32
#define PASS_LAUNCHES 5

static struct conversion_work moves_ell(const struct parameter_values *values, double rows)
{
    (void)values;
    (void)rows;
    return (struct conversion_work){.reads = 1, .writes = 1, .launches = 1};
}

/* The lengths of rows are counted, where COO's entries of each row begin is added up. */
static struct conversion_work moves_hyb(const struct parameter_values *values, double rows)
{
    (void)values;
    (void)rows;
    return (struct conversion_work){
        .reads = 1, .writes = 1, .row_bytes = 8 + SCANNED, .launches = 17, .waits = 1};
}

/* Return the passes of 8 bits that sort rows by windows and by lengths, which are taken for less than 256. */
static double passes(double rows, double window)
{
    double windows = ceil(rows / fmax(window, 1));
    return ceil((8 + (windows > 1 ? log2(windows) : 0)) / 8);
}

static struct conversion_work moves_sell(const struct parameter_values *values, double rows)
{
    double sigma = values->number[SELL_SIGMA];
    struct conversion_work work = {.reads = 1, .writes = 1, .row_bytes = 8, .launches = 11, .waits = 1};
    if (!(sigma > 1)) return work;
    work.row_bytes += 24 + SORTED * passes(rows, sigma);
    work.launches += 2 + PASS_LAUNCHES * (int)passes(rows, sigma);
    return work;
}

static struct conversion_work moves_jds(const struct parameter_values *values, double rows)
{
    (void)values;
    return (struct conversion_work){.reads = 1,
                                    .writes = 1,
                                    .row_bytes = 40 + SORTED * passes(rows, rows),
                                    .launches = 20 + PASS_LAUNCHES,
                                    .waits = 1};
}

static struct conversion_work moves_cmrs(const struct parameter_values *values, double rows)
{
    (void)rows;
    (void)values;
    return (struct conversion_work){.reads = 1, .writes = 1, .row_bytes = 8, .launches = 6, .waits = 1};
}

static struct conversion_work moves_coo(const struct parameter_values *values, double rows)
{
    (void)values;
    (void)rows;
    return (struct conversion_work){.reads = 1, .writes = 1, .launches = 3};
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
