#include "support/formats.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/generators/generate.h"
#include "support/support.h"

/* Samples */

static void add_sample(struct samples *samples, const char *name, struct csr a)
{
    struct sample *items = memory_resize(samples->items, (size_t)samples->count + 1, sizeof *items, NULL);
    if (!items) abort();
    samples->items = items;
    snprintf(items[samples->count].name, sizeof items->name, "%.90s", name);
    items[samples->count++].a = a;
}

static void add_named(struct samples *samples, const char *name)
{
    const struct load_options options = {0};
    struct matrix matrix;
    struct error error = {0};
    if (matrix_load(name, &options, NULL, &matrix, &error) != STATUS_OK) {
        fprintf(stderr, "%s: %s\n", name, error.message);
        abort();
    }
    add_sample(samples, name, matrix.csr);
    matrix.csr = (struct csr){0};
    matrix_free(&matrix);
}

static void add_data(struct samples *samples)
{
    char path[2048];
    const char *source = getenv("SRCDIR");
    snprintf(path, sizeof path, "%s/data", source ? source : ".");
    DIR *folder = opendir(path);
    if (!folder) abort();
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".mtx")) continue;
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        add_named(samples, file);
        snprintf(samples->items[samples->count - 1].name, sizeof samples->items->name, "%.80s",
                 entry->d_name);
    }
    closedir(folder);
}

/* Each generator at a quarter of its usual size; `tile` repeats a file. */
static void add_generated(struct samples *samples)
{
    for (int g = 0; generators[g]; g++) {
        const struct parameter *size = &generators[g]->parameters[0];
        char name[80];
        if (size->type == PARAMETER_TEXT) continue;
        snprintf(name, sizeof name, "gen:%s,%s=%.0f", generators[g]->name, size->name,
                 fmax(size->min, floor(size->standard / 4)));
        add_named(samples, name);
    }
}

/* Values that are easily lost. */
static const double hard[] = {0.0,    -0.0,  NAN,    INFINITY, -INFINITY, DBL_TRUE_MIN, -1e-310,
                              1e-40,  1e-50, -1e-50, 1e300,    FLT_MAX,   0.1,          DBL_MAX,
                              -1.0e0, 1.0,   -NAN,   1.5e-45,  16777217.0};
#define HARD (sizeof hard / sizeof *hard)

static struct csr with_hard_values(struct csr a)
{
    for (int64_t k = 0; k < csr_nnz(&a); k++) {
        a.val[k] = hard[(size_t)k % HARD];
        if (a.imaginary) a.imaginary[k] = hard[(size_t)(k / (int64_t)HARD) % HARD];
    }
    return a;
}

static struct csr all_zero(struct csr a)
{
    memset(a.val, 0, (size_t)csr_nnz(&a) * sizeof *a.val);
    return a;
}

static void add_made(struct samples *samples)
{
    static const double single[] = {7};
    static const struct {
        int64_t rows, cols;
    } sizes[] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 300}, {300, 1}, {33, 33}, {64, 7}, {7, 64}, {97, 131}};
    char name[80];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int64_t rows = sizes[k].rows, cols = sizes[k].cols;
        snprintf(name, sizeof name, "%lld x %lld without entries", (long long)rows, (long long)cols);
        add_sample(samples, name, support_matrix(rows, cols, 0, false, false, 1));
        if (rows == 0 || cols == 0) continue;
        snprintf(name, sizeof name, "%lld x %lld random", (long long)rows, (long long)cols);
        add_sample(samples, name, support_matrix(rows, cols, 0.3, false, false, 2));
        snprintf(name, sizeof name, "%lld x %lld skewed, complex", (long long)rows, (long long)cols);
        add_sample(samples, name, support_matrix(rows, cols, 0.1, true, true, 3));
        snprintf(name, sizeof name, "%lld x %lld hard values", (long long)rows, (long long)cols);
        add_sample(samples, name, with_hard_values(support_matrix(rows, cols, 0.4, true, false, 4)));
        snprintf(name, sizeof name, "%lld x %lld hard values, complex", (long long)rows, (long long)cols);
        add_sample(samples, name, with_hard_values(support_matrix(rows, cols, 0.4, true, true, 5)));
        snprintf(name, sizeof name, "%lld x %lld zeros", (long long)rows, (long long)cols);
        add_sample(samples, name, all_zero(support_matrix(rows, cols, 0.2, true, false, 6)));
    }
    add_sample(samples, "a single entry", support_dense(1, 1, single));
    add_sample(samples, "200 x 150 skewed", support_matrix(200, 150, 0.05, true, false, 7));
    add_sample(samples, "500 x 400 sparse", support_matrix(500, 400, 0.004, false, false, 8));
}

/* Samples for half storages. */
static void add_symmetric(struct samples *samples)
{
    for (enum symmetry kind = SYMMETRY_SYMMETRIC; kind <= SYMMETRY_HERMITIAN; kind++)
        for (int complex = kind == SYMMETRY_HERMITIAN; complex < 2; complex++) {
            char name[80];
            snprintf(name, sizeof name, "90 x 90, symmetry %d%s", (int)kind, complex ? ", complex" : "");
            add_sample(samples, name, support_symmetric(kind, 90, 0.08, true, complex, 10));
        }
    add_sample(samples, "symmetric zeros",
               all_zero(support_symmetric(SYMMETRY_SYMMETRIC, 40, 0.1, true, false, 11)));
}

struct samples samples_small(void)
{
    struct samples samples = {0};
    add_made(&samples);
    add_symmetric(&samples);
    add_generated(&samples);
    add_data(&samples);
    return samples;
}

struct samples samples_large(void)
{
    struct samples samples = {0};
    add_named(&samples, "gen:powerlaw,scale=14,edge=14");
    add_named(&samples, "gen:random,m=50000,n=40000,mean=5,spread=5");
    add_sample(&samples, "3000 x 900 skewed, hard values",
               with_hard_values(support_matrix(3000, 900, 0.03, true, true, 9)));
    add_sample(&samples, "1100 x 1100 Hermitian",
               support_symmetric(SYMMETRY_HERMITIAN, 1100, 0.03, true, true, 12));
    return samples;
}

void samples_free(struct samples *samples)
{
    for (int k = 0; k < samples->count; k++)
        csr_free(&samples->items[k].a);
    free(samples->items);
    *samples = (struct samples){0};
}
