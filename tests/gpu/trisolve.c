/* Triangular solves and steps of Gauss-Seidel on a GPU: every kernel of one, with its parameters over their
 * ranges, on matrices that are hard for some, checked by bounds of the rounding error. Speaks TAP, a test for
 * each matrix; skipped, with the reason, where there is no GPU.
 *
 *     trisolve_gpu [--times] [--order=NAME] [--set=PARAMETERS]... [--only=KERNELS] [--operations=LIST]
 * [MATRIX]...
 *
 * --set: instead of the parameters of the list below. --times: instead of the tests, a table of times, with
 * ratios to cuSPARSE's in the same run. --only: kernels whose names contain this. Values off the diagonal are
 * scaled so that rows are dominated by it, since otherwise x may overflow. SPARSIGHT_DEVICE names the GPU,
 * counted from 0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "kernels/timing/samples.h"
#include "kernels/trisolve/check.h"
#include "kernels/trisolve/on_device.h"
#include "kernels/trisolve/times.h"
#include "matrix/csr.h"
#include "matrix/generators/hash.h"
#include "matrix/matrix.h"
#include "matrix/orders/permute.h"

#define SETS_MAX 64
#define SAMPLES 9
/* Seconds of samples of a kernel, after which there are no more. */
#define SECONDS 0.1

static const char *const all_sets[] = {
    "",
    "lanes=1",
    "lanes=2,narrow=0",
    "lanes=4,ahead=0",
    "lanes=8,narrow=64,segment=200",
    "lanes=16,narrow=2,segment=4",
    "lanes=32,block=1024",
    "lanes=32,narrow=0,threads=1024,ahead=1",
    "lanes=1,block=32,narrow=200,segment=200",
    "lanes=2,threads=32,ahead=1000",
    NULL,
};

struct check {
    bool times;
    const char *order, *only;
    const char *sets[SETS_MAX];
    int set_count;
    unsigned operations;
    int tests, failed;
    int index; /* of the device */
};

/* One matrix. */
struct trial {
    const struct check *check;
    const char *name;
    struct trisolve_parts parts;
    struct trisolve_bed bed;
    double *b, *x;
    int right, wrong, refused;
    double begun;
};

/* Entries of row i in special matrices: writes columns and returns their number. */
typedef int64_t row_pattern(int64_t i, int64_t n, int32_t *col);

static int64_t few(int64_t i, int64_t n, int32_t *col, bool diagonal)
{
    int64_t count = 0;
    const uint64_t key = hash_key(7, HASH_VALUE, 0);
    for (int64_t k = 0; k < 6; k++) {
        const int64_t j = (int64_t)((hash_value(hash_at(key, 8 * i + k)) + 1) / 2 * (double)n);
        if (j < n && (j != i || diagonal)) col[count++] = (int32_t)j;
    }
    if (diagonal) col[count++] = (int32_t)i;
    return count;
}

static int64_t with_empty_rows(int64_t i, int64_t n, int32_t *col)
{
    return i % 3 == 1 ? 0 : few(i, n, col, true);
}

static int64_t without_diagonal(int64_t i, int64_t n, int32_t *col)
{
    return few(i, n, col, i % 2);
}

static int64_t with_dense_rows(int64_t i, int64_t n, int32_t *col)
{
    if (i != 0 && i != n / 2 && i != n - 1) return few(i, n, col, true);
    for (int64_t j = 0; j < n; j++)
        col[j] = (int32_t)j;
    return n;
}

static int64_t empty(int64_t i, int64_t n, int32_t *col)
{
    return 0;
}

static const struct special {
    const char *name;
    int64_t n;
    row_pattern *pattern;
} specials[] = {
    {"empty rows", 30000, with_empty_rows}, {"missing diagonal", 30000, without_diagonal},
    {"dense rows", 70000, with_dense_rows}, {"no entries", 1000, empty},
    {"one row", 1, with_dense_rows},        {"no rows", 0, empty},
};

static const struct {
    const char *name;
    bool long_chain; /* each solve takes milliseconds: with the defaults alone */
} generated[] = {
    {"gen:stencil27,n=24", false},
    {"gen:laplace2d,n=300", false},
    {"gen:powerlaw,scale=14", false},
    {"gen:banded,n=5000,lower=8", false},
    {"gen:banded,n=3000,lower=1", false},
    {"gen:banded,n=5000,lower=0", false},
    {"gen:random,m=20000,mean=40", false},
    {"gen:banded,n=100000,lower=1", true},
    {NULL, false},
};

static int by_column(const void *a, const void *b)
{
    const int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return (one > other) - (one < other);
}

static struct csr special_matrix(const struct special *special)
{
    const int64_t n = special->n;
    struct csr a = {.rows = n, .cols = n};
    int32_t *col = memory_array((size_t)n + 16, sizeof *col, NULL);
    a.row_ptr = memory_zeroed((size_t)n + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array((size_t)n * 16 + 16, sizeof *a.col, NULL);
    a.val = memory_array((size_t)n * 16 + 16, sizeof *a.val, NULL);
    for (int64_t i = 0; i < n; i++) {
        const int64_t count = special->pattern(i, n, col);
        int64_t at = a.row_ptr[i];
        qsort(col, (size_t)count, sizeof *col, by_column);
        for (int64_t k = 0; k < count; k++)
            if (k == 0 || col[k] != col[k - 1]) a.col[at++] = col[k];
        a.row_ptr[i + 1] = at;
    }
    for (int64_t k = 0; k < a.row_ptr[n]; k++)
        a.val[k] = (double)(k % 13) - 6.5;
    free(col);
    return a;
}

/* Scale the entries of a row off the diagonal. */
static void dominate(struct csr *a)
{
    for (int64_t i = 0; i < a->rows; i++) {
        double sum = 0, diagonal = 1;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            if (a->col[k] != i) sum += fabs(a->val[k]);
            if (a->col[k] == i && a->val[k] != 0) diagonal = fabs(a->val[k]);
        }
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            if (a->col[k] != i && sum > 0) a->val[k] *= 0.9 * diagonal / sum;
    }
}

static void make_right(struct trial *trial)
{
    const uint64_t key = hash_key(1, HASH_VALUE, 0);
    for (int64_t i = 0; i < trial->parts.rows; i++)
        trial->b[i] = hash_value(hash_at(key, i));
}

static enum status run_once(struct trial *trial, const struct trisolve_kernel *kernel, void *state,
                            double *seconds, struct error *error)
{
    struct trisolve_bed *bed = &trial->bed;
    for (int64_t i = 0; i < trial->parts.rows; i++)
        trial->x[i] = NAN;
    enum status status = trisolve_bed_put(bed, trial->b, error);
    if (status == STATUS_OK) status = trisolve_bed_reset(bed, error);
    if (status == STATUS_OK) status = trisolve_bed_time(bed, kernel, state, 1, seconds, error);
    return status == STATUS_OK ? trisolve_bed_get(bed, trial->x, error) : status;
}

static int compare(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The median time of a run. */
static double time_of(struct trial *trial, const struct trisolve_kernel *kernel, void *state, double about)
{
    double seconds[SAMPLES], spent = 0;
    int count = 0;
    const int inner = sample_products(about);
    while (count < SAMPLES && spent < SECONDS) {
        if (trisolve_bed_reset(&trial->bed, NULL) != STATUS_OK ||
            trisolve_bed_time(&trial->bed, kernel, state, inner, &seconds[count], NULL) != STATUS_OK)
            return NAN;
        spent += seconds[count++] * inner;
    }
    qsort(seconds, (size_t)count, sizeof *seconds, compare);
    return seconds[count / 2];
}

/* Three runs must be right, since each uses what the one before left. x that is not a number must neither be
 * waited for. Returns the time if times are wanted. */
static double try_kernel(struct trial *trial, const struct trisolve_kernel *kernel,
                         enum trisolve_operation operation, const struct trisolve_check *bounds,
                         const char *set, double *prepare)
{
    const struct trisolve_place place = {.device = &trial->bed.device, .parameters = set};
    struct error error = {0};
    void *state = NULL;
    double seconds = 0, time = NAN;
    const double begun = clock_seconds();
    enum status status = kernel->prepare_on(&trial->parts, operation, &place, NULL, &state, &error);
    *prepare = clock_seconds() - begun;
    const bool refused = status == STATUS_UNAVAILABLE;
    for (int run = 0; run < 3 && status == STATUS_OK; run++) {
        status = run_once(trial, kernel, state, &seconds, &error);
        if (status == STATUS_OK) status = trisolve_check_result(bounds, trial->x, &error);
    }
    if (status == STATUS_OK && trial->check->times)
        time = time_of(trial, kernel, state, seconds);
    else if (status == STATUS_OK && trial->parts.rows) {
        const double b = trial->b[0];
        trial->b[0] = NAN;
        status = run_once(trial, kernel, state, &seconds, &error);
        trial->b[0] = b;
        if (status == STATUS_OK && operation == TRISOLVE_LOWER && !isnan(trial->x[0]))
            status = error_set(&error, STATUS_UNAVAILABLE, "NaN is lost");
        if (status == STATUS_OK) status = run_once(trial, kernel, state, &seconds, &error);
        if (status == STATUS_OK) status = trisolve_check_result(bounds, trial->x, &error);
    }
    kernel->release(state);
    if (status != STATUS_OK)
        printf("# %s, %s, %s:%s: %s%s\n", trial->name, trisolve_operation_name(operation), kernel->name, set,
               refused ? "refused: " : "", error.message);
    trial->right += status == STATUS_OK;
    trial->wrong += status != STATUS_OK && !refused;
    trial->refused += refused;
    return time;
}

static bool is_wanted(const struct check *check, const struct trisolve_kernel *kernel)
{
    return kernel->backend && !(kernel->unavailable && kernel->unavailable()) &&
           (!check->only || strstr(kernel->name, check->only) || kernel == &trisolve_cusparse);
}

static void try_operation(struct trial *trial, enum trisolve_operation operation)
{
    const struct check *check = trial->check;
    struct trisolve_check bounds;
    double library = NAN;
    make_right(trial);
    for (int64_t i = 0; i < trial->parts.rows; i++)
        trial->x[i] = 0;
    if (trisolve_check_make(&trial->parts, operation, trial->b, trial->x, &bounds, NULL) != STATUS_OK)
        exit(1);
    for (int pass = 0; pass < 2; pass++) /* cuSPARSE's first */
        for (int k = 0; trisolve_kernels[k]; k++) {
            const struct trisolve_kernel *kernel = trisolve_kernels[k];
            if (!is_wanted(check, kernel) || (kernel == &trisolve_cusparse) != (pass == 0)) continue;
            for (int s = 0; s < (kernel->parameters ? check->set_count : 1); s++) {
                const char *set = kernel->parameters ? check->sets[s] : "";
                double prepare;
                const double time = try_kernel(trial, kernel, operation, &bounds, set, &prepare);
                if (pass == 0) library = time;
                if (check->times)
                    printf("%-34s %-8s %-6s %-14s %-28s %10.2f us %6.2f  prepare %.1f ms%s\n", trial->name,
                           check->order ? check->order : "natural", trisolve_operation_name(operation),
                           kernel->name, set, time * 1e6, library / time, prepare * 1e3,
                           bounds.loose ? " unchecked" : "");
            }
        }
    trisolve_check_free(&bounds);
}

static enum status reorder(const struct check *check, struct matrix *matrix, struct error *error)
{
    struct order_choice choice = {0};
    struct permutation permutation = {0};
    struct matrix out;
    enum status status = order_choice_read(check->order, &choice, error);
    if (status == STATUS_OK) status = order_compute(&choice, matrix, 0, NULL, &permutation, error);
    if (status == STATUS_OK) status = permute_matrix(matrix, &permutation, 0, NULL, &out, error);
    if (status == STATUS_OK) {
        matrix_free(matrix);
        *matrix = out;
    }
    permutation_free(&permutation);
    order_choice_free(&choice);
    return status;
}

static void try_matrix(struct check *check, const char *name, struct csr *a)
{
    struct trial trial = {.check = check, .name = name, .begun = clock_seconds()};
    struct error error = {0};
    dominate(a);
    enum status status = trisolve_parts_make(a, &trial.parts, &error);
    if (status == STATUS_OK)
        status = trisolve_bed_open(backend_cuda.devices, check->index, a->rows, &trial.bed, &error);
    trial.b = memory_array((size_t)a->rows, sizeof *trial.b, NULL);
    trial.x = memory_array((size_t)a->rows, sizeof *trial.x, NULL);
    for (int k = 0; k < TRISOLVE_OPERATIONS && status == STATUS_OK; k++)
        if (check->operations >> k & 1) try_operation(&trial, (enum trisolve_operation)k);
    const bool ok = status == STATUS_OK && trial.wrong == 0 && trial.right > 0;
    check->tests++;
    check->failed += !ok;
    if (status != STATUS_OK) printf("# %s: %s\n", name, error.message);
    if (!check->times)
        printf("%s %d - %s: %d right, %d wrong, %d refused (%.1f s)\n", ok ? "ok" : "not ok", check->tests,
               name, trial.right, trial.wrong, trial.refused, clock_seconds() - trial.begun);
    trisolve_bed_close(&trial.bed);
    trisolve_parts_free(&trial.parts);
    free(trial.b);
    free(trial.x);
}

static void try_named(struct check *check, const char *name)
{
    const struct load_options options = {0};
    struct error error = {0};
    struct matrix matrix;
    enum status status = matrix_load(name, &options, NULL, &matrix, &error);
    if (status == STATUS_OK && check->order) status = reorder(check, &matrix, &error);
    if (status == STATUS_OK)
        try_matrix(check, matrix.name, &matrix.csr);
    else {
        printf("not ok %d - %s: %s\n", ++check->tests, name, error.message);
        check->failed++;
    }
    matrix_free(&matrix);
}

static bool read_option(struct check *check, const char *text)
{
    struct error error = {0};
    if (strcmp(text, "--times") == 0)
        check->times = true;
    else if (strncmp(text, "--order=", 8) == 0)
        check->order = text + 8;
    else if (strncmp(text, "--only=", 7) == 0)
        check->only = text + 7;
    else if (strncmp(text, "--set=", 6) == 0 && check->set_count < SETS_MAX)
        check->sets[check->set_count++] = text + 6;
    else if (strncmp(text, "--operations=", 13) == 0 &&
             trisolves_read(text + 13, &check->operations, &error) == STATUS_OK)
        return true;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    const char *number = getenv("SPARSIGHT_DEVICE");
    struct check check = {.operations = 7, .index = number ? atoi(number) : 0};
    struct error error = {0};
    int named = 0;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (backend_cuda.devices->check(&error) != STATUS_OK) {
        printf("1..0 # SKIP %s\n", error.message);
        return EXIT_SUCCESS;
    }
    for (int k = 1; k < argc; k++)
        if (strncmp(argv[k], "--", 2) == 0 && !read_option(&check, argv[k])) {
            fprintf(stderr, "trisolve_gpu: %s?\n", argv[k]);
            return EXIT_FAILURE;
        }
    if (check.times && check.set_count == 0) check.sets[check.set_count++] = "";
    for (int k = 0; all_sets[k] && (check.set_count == 0 || check.set_count == k); k++)
        check.sets[check.set_count++] = all_sets[k];
    for (int k = 1; k < argc; k++)
        if (strncmp(argv[k], "--", 2) != 0) {
            try_named(&check, argv[k]);
            named++;
        }
    const int all = check.set_count;
    for (int k = 0; !named && generated[k].name; k++) {
        check.set_count = generated[k].long_chain ? 1 : all;
        try_named(&check, generated[k].name);
    }
    check.set_count = all;
    for (size_t k = 0; !named && k < sizeof specials / sizeof *specials; k++) {
        struct csr a = special_matrix(&specials[k]);
        try_matrix(&check, specials[k].name, &a);
        csr_free(&a);
    }
    if (!check.times) printf("1..%d\n", check.tests);
    return check.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
