/* The columns of a row of the list `trisolve.runs` of a report: a kernel with an operation. */
#include "columns/columns.h"
#include "kernels/trisolve/times.h"

const struct column_part part_trisolve = {.key = "", .title = "Times of triangular solves"};

const void *owner_trisolve(const struct subject *subject)
{
    return subject->trisolve;
}

/* Of kernels of the host. */
const void *owner_trisolve_host(const struct subject *subject)
{
    return subject->trisolve->device[0] || subject->trisolve->threads == 0 ? NULL : subject->trisolve;
}

const void *owner_trisolve_waits(const struct subject *subject)
{
    return owner_trisolve_host(subject) ? owner_trisolve_facts(subject) : NULL;
}

const void *owner_trisolve_facts(const struct subject *subject)
{
    return subject->trisolve->facts.levels ? &subject->trisolve->facts : NULL;
}

const void *owner_trisolve_samples(const struct subject *subject)
{
    return subject->trisolve->samples.count ? &subject->trisolve->samples : NULL;
}

const void *owner_trisolve_timed(const struct subject *subject)
{
    return subject->trisolve->samples.count ? subject->trisolve : NULL;
}

static struct value get_operation(const struct column *column, const struct subject *subject)
{
    return text_value(trisolve_operation_name(subject->trisolve->operation));
}

static struct value get_gflops(const struct column *column, const struct subject *subject)
{
    const struct trisolve_run *run = subject->trisolve;
    return run->samples.count ? real_value(run->flops / run->samples.time * 1e-9) : null_value();
}

static const struct column definitions[] = {
    {.key = "operation",
     .title = "Operation",
     .type = VALUE_TEXT,
     .get = get_operation,
     .help = "lower: (L + D) x = b; upper: (D + U) x = b; symgs: a symmetric Gauss-Seidel step"},
    {.key = "kernel",
     .title = "Kernel",
     COLUMN_STORED(owner_trisolve, struct trisolve_run, name),
     .help = "cpu/seq: row after row; cpu/levels: levels, shared by threads; mkl: oneMKL; cuda/syncfree: "
             "GPU, rows wait "
             "for others; cuda/levels: GPU, barriers; cusparse/spsv: cuSPARSE"},
    {.key = "threads",
     .title = "Threads",
     .heading = "threads",
     COLUMN_STORED(owner_trisolve_host, struct trisolve_run, threads),
     .help = "threads that the kernel may use; null on a GPU"},
    {.key = "device",
     .title = "GPU",
     COLUMN_STORED(owner_trisolve, struct trisolve_run, device),
     .help = "the GPU that it ran on; null on the host"},
    {.key = "reason",
     .title = "Reason",
     .role = COLUMN_REASON,
     COLUMN_STORED(owner_trisolve, struct trisolve_run, reason),
     .help = "the reason why it was not run, or the error of its result"},
    {.key = "checked",
     .title = "Checked",
     COLUMN_STORED(owner_trisolve_timed, struct trisolve_run, checked),
     .help =
         "false if the matrix amplifies rounding so much that a wrong step of SymGS might not be noticed"},
    {.key = "us",
     .title = "Time",
     .heading = "time",
     COLUMN_SECONDS(owner_trisolve_samples, struct samples, time),
     .help = "median time of one operation in double precision; on a GPU by its events, without copies of b "
             "and x"},
    {.key = "samples",
     .title = "Samples",
     COLUMN_STORED(owner_trisolve_samples, struct samples, count),
     .help = "timed samples of the operation"},
    {.key = "low_us",
     .title = "Lower end of its interval",
     COLUMN_SECONDS(owner_trisolve_samples, struct samples, low),
     .help = "lower end of the 95% confidence interval of the median"},
    {.key = "high_us",
     .title = "Upper end of its interval",
     COLUMN_SECONDS(owner_trisolve_samples, struct samples, high),
     .help = "upper end of that interval"},
    {.key = "gflops",
     .title = "Speed",
     .heading = "GFLOP/s",
     .unit = "10^9 flop/s",
     .type = VALUE_REAL,
     .digits = 3,
     .get = get_gflops,
     .help = "2 operations per entry of the triangle, 4 per entry of the matrix for symgs, / time"},
    {.key = "speedup",
     .title = "Speed-up",
     .heading = "speed-up",
     .unit = "times cpu/seq",
     .digits = 3,
     COLUMN_STORED(owner_trisolve_timed, struct trisolve_run, speedup),
     .help = "time of cpu/seq / time"},
    {.key = "prepare_us",
     .title = "Preparation",
     .heading = "prepare",
     COLUMN_SECONDS(owner_trisolve_timed, struct trisolve_run, prepare),
     .help = "time of making the kernel's own data: levels and copies, or the library's inspection"},
    {.key = "levels",
     .title = "Levels",
     .heading = "levels",
     COLUMN_STORED(owner_trisolve_facts, struct trisolve_facts, levels),
     .help =
         "levels of the triangle that is solved; for symgs, of both. A GPU cuts long rows into more levels"},
    {.key = "waits",
     .title = "Waits",
     .heading = "waits",
     COLUMN_STORED(owner_trisolve_waits, struct trisolve_facts, waits),
     .help = "waits of the thread that waits most often; for symgs, summed over both solves; null on a GPU"},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = definitions, .part = &part_trisolve},
    {.columns = NULL},
};

COLUMN_TABLE(trisolve_columns, lists)
