/* The columns of a row of the list `solve.runs` of a report: a method with a preconditioner; and of
 * `solve.kernels`: a kernel in the fastest of these solves. */
#include "analysis/solvers/preconditioner.h"
#include "base/range.h"
#include "columns/columns.h"
#include "session/solve_advice.h"

const struct column_part part_solve = {.key = "", .title = "Solves"};
const struct column_part part_solve_time = {.key = "time", .title = "Time of solves"};
const struct column_part part_solve_best = {.key = "best", .title = "Best kernel of each solve"};
const struct column_part part_solve_kernels = {.key = "", .title = "Kernels in a solve"};

static const struct solve *solve_of(const struct subject *subject)
{
    return subject->outlook->solve;
}

const void *owner_solve(const struct subject *subject)
{
    return solve_of(subject);
}

static bool was_run(const struct subject *subject)
{
    return solve_of(subject)->end != SOLVE_REFUSED;
}

const void *owner_solve_best(const struct subject *subject)
{
    return subject->outlook->best.kernel[0] ? &subject->outlook->best : NULL;
}

const void *owner_solve_once(const struct subject *subject)
{
    return subject->outlook->once.kernel[0] ? &subject->outlook->once : NULL;
}

const void *owner_solve_kernel(const struct subject *subject)
{
    return subject->in_solve;
}

static struct value get_method(const struct column *column, const struct subject *subject)
{
    return text_value(solve_of(subject)->method->name);
}

static struct value get_preconditioner(const struct column *column, const struct subject *subject)
{
    return text_value(solve_of(subject)->preconditioner->name);
}

static struct value get_end(const struct column *column, const struct subject *subject)
{
    return text_value(solve_end_name(solve_of(subject)->end));
}

static struct value get_seconds(const struct column *column, const struct subject *subject)
{
    if (!was_run(subject)) return null_value();
    return real_value(solve_seconds(solve_of(subject)) * 1e6);
}

static struct value get_share(const struct column *column, const struct subject *subject)
{
    const struct solve *solve = solve_of(subject);
    if (!was_run(subject)) return null_value();
    return real_value(share_of(solve->seconds[column->index], solve_seconds(solve)));
}

static struct value get_from(const struct column *column, const struct subject *subject)
{
    const struct solve_kernel *kernel = column->owner(subject);
    return kernel && kernel->from > 0 ? integer_value(kernel->from) : null_value();
}

#define OF(member) COLUMN_STORED(owner_solve, struct solve, member), .known = was_run
#define SHARE(part) \
    .unit = "of the time", .role = COLUMN_PERCENT, .type = VALUE_REAL, .get = get_share, .index = (part)

static const struct column definitions[] = {
    {.key = "method",
     .title = "Method",
     .type = VALUE_TEXT,
     .get = get_method,
     .help = "the Krylov method: cg, bicgstab or gmres (Saad 2003, algorithms 6.18, 7.7 and 6.9)"},
    {.key = "preconditioner",
     .title = "Preconditioner",
     .type = VALUE_TEXT,
     .get = get_preconditioner,
     .help = "none, jacobi, block-jacobi, ilu0 or ic0; from the right in bicgstab and gmres"},
    {.key = "refined",
     .title = "Refined",
     COLUMN_STORED(owner_solve, struct solve, refined),
     .help = "true if the matrix was stored in f32, inside iterative refinement in f64"},
    {.key = "end",
     .title = "End",
     .heading = "end",
     .type = VALUE_TEXT,
     .get = get_end,
     .help = "converged; iterations: all were used; drifted: only the residual of the recurrence met the "
             "tolerance; breakdown; refused"},
    {.key = "reason",
     .title = "Reason",
     .role = COLUMN_REASON,
     COLUMN_STORED(owner_solve, struct solve, reason),
     .help = "the reason why the method broke down or was not run"},
    {.key = "iterations",
     .title = "Iterations",
     .heading = "iterations",
     OF(iterations),
     .help = "steps of the method; of GMRES those within cycles"},
    {.key = "products",
     .title = "Products",
     .heading = "products",
     OF(products),
     .help = "products of the matrix with a vector"},
    {.key = "refreshes",
     .title = "Products in f64",
     OF(refreshes),
     .help = "of these products, those in f64 for the residual of a refinement"},
    {.key = "applications",
     .title = "Applications",
     OF(applications),
     .help = "applications of the preconditioner"},
    {.key = "residual",
     .title = "Residual of the recurrence",
     OF(residual),
     .digits = 3,
     .help = "||r|| / ||b|| of the recurrence, in the 2-norm"},
    {.key = "true_residual",
     .title = "Residual",
     .heading = "residual",
     OF(true_residual),
     .digits = 2,
     .help = "||b - A x|| / ||b||, computed from x at the end"},
    {.key = NULL},
};

static const struct column times[] = {
    {.key = "time.all_us",
     .title = "Time",
     .heading = "time",
     .unit = "us",
     .role = COLUMN_TIME,
     .type = VALUE_REAL,
     .get = get_seconds,
     .help = "time of the solve on this processor, with the set-up of the preconditioner. Calls that took "
             "more than three times the median of their part count as the median"},
    {.key = "time.setup",
     .title = "Set-up",
     .heading = "set-up",
     SHARE(SOLVE_SETUP),
     .help = "share of the time for making the preconditioner"},
    {.key = "time.products",
     .title = "Products",
     .heading = "products",
     SHARE(SOLVE_PRODUCTS),
     .help = "share of the time for products, by a plain CSR kernel"},
    {.key = "time.preconditioner",
     .title = "Preconditioner",
     .heading = "precond.",
     SHARE(SOLVE_PRECONDITIONER),
     .help = "share of the time for applying the preconditioner: triangular solves of ilu0 and ic0"},
    {.key = "time.vectors",
     .title = "Vectors",
     .heading = "vectors",
     SHARE(SOLVE_VECTORS),
     .help = "share of the time for dot products and sums of vectors"},
    {.key = NULL},
};

static const struct column best[] = {
    {.key = "best.kernel",
     .title = "Best kernel",
     .heading = "kernel",
     COLUMN_STORED(owner_solve_best, struct solve_kernel, kernel),
     .help = "the fastest kernel of this processor for many solves"},
    {.key = "best.us",
     .title = "Time with it",
     .heading = "time",
     COLUMN_SECONDS(owner_solve_best, struct solve_kernel, seconds),
     .help = "products x its time for a product + the measured times of preconditioner and vectors"},
    {.key = "best.from",
     .title = "Solves from which it pays",
     .heading = "from",
     .unit = "solves",
     .type = VALUE_INTEGER,
     .owner = owner_solve_best,
     .get = get_from,
     .help =
         "solves from which it is at least as fast as the best CSR kernel, conversion included; null: never"},
    {.key = "best.first_kernel",
     .title = "Best kernel for one solve",
     .heading = "for one solve",
     COLUMN_STORED(owner_solve_once, struct solve_kernel, kernel),
     .help = "the fastest kernel for a single solve, conversion included"},
    {.key = "best.first_us",
     .title = "Time of one solve",
     COLUMN_SECONDS(owner_solve_once, struct solve_kernel, first),
     .help = "time of a single solve with that kernel, conversion and set-up included"},
    {.key = NULL},
};

static const struct column_list lists[] = {
    {.columns = definitions, .part = &part_solve},
    {.columns = times, .part = &part_solve_time},
    {.columns = best, .part = &part_solve_best},
    {.columns = NULL},
};

#define OF_KERNEL(member) COLUMN_STORED(owner_solve_kernel, struct solve_kernel, member)
#define KERNEL_SECONDS(member) COLUMN_SECONDS(owner_solve_kernel, struct solve_kernel, member)

static const struct column kernel_definitions[] = {
    {.key = "kernel", .title = "Kernel", OF_KERNEL(kernel), .help = "the kernel of the products"},
    {.key = "product_us",
     .title = "Time of a product",
     .heading = "product",
     KERNEL_SECONDS(product),
     .help = "time of a product with the kernel"},
    {.key = "measured",
     .title = "Measured",
     .heading = "measured",
     OF_KERNEL(measured),
     .help = "true if that time was measured, false if it is forecast"},
    {.key = "setup_us",
     .title = "Conversion",
     .heading = "convert",
     KERNEL_SECONDS(setup),
     .help = "time of the conversion from CSR, once"},
    {.key = "solve_us",
     .title = "Time of a solve",
     .heading = "solve",
     KERNEL_SECONDS(seconds),
     .help = "products of the fastest solve x this time + the measured times of preconditioner and vectors"},
    {.key = "first_us",
     .title = "Time of the first solve",
     .heading = "first solve",
     KERNEL_SECONDS(first),
     .help = "the same with the conversion and the set-up of the preconditioner"},
    {.key = "from",
     .title = "Solves from which it pays",
     .heading = "from",
     .unit = "solves",
     .type = VALUE_INTEGER,
     .owner = owner_solve_kernel,
     .get = get_from,
     .help =
         "solves from which it is at least as fast as the best CSR kernel, conversion included; null: never"},
    {.key = NULL},
};

static const struct column_list kernel_lists[] = {
    {.columns = kernel_definitions, .part = &part_solve_kernels},
    {.columns = NULL},
};

COLUMN_TABLE(solve_columns, lists)
COLUMN_TABLE(solve_kernel_columns, kernel_lists)
