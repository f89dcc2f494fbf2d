/* Experiments with products of several vectors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "kernels/cuda/cusparse.h"
#include "kernels/gpu/device.h"
#include "kernels/list.h"
#include "kernels/timing/bench.h"
#include "matrix/matrix.h"

static const char *env(const char *name, const char *other)
{
    const char *t = getenv(name);
    return t && *t ? t : other;
}

static struct device device;
static struct machines machines;
static double started;

static struct result *timed(struct pool *pool, const char *items, enum precision precision, struct product product, int *count)
{
    struct kernel_list list = {0};
    struct error error = {0};
    char item[256];
    const struct bench_options options = {.repeat = atoi(env("REPEAT", "11")), .warmup = 1, .min_seconds = 1e-5, .max_seconds = 0.3,
        .cold = atoi(env("COLD", "0")), .limit = (size_t)32 << 30, .product = product};
    while (*items) {
        size_t length = strcspn(items, " ");
        snprintf(item, sizeof item, "%.*s", (int)length, items);
        if (kernel_list_add(&list, item, &error) != STATUS_OK) fprintf(stderr, "%s\n", error.message);
        items += length + strspn(items + length, " ");
    }
    struct result *r = calloc((size_t)list.count + 1, sizeof *r);
    for (int k = 0; k < list.count; k++)
        r[k].choice = kernel_choice_with(&list.choices[k], precision, 0);
    *count = list.count;
    if (bench_run(pool, r, list.count, &options, &machines, NULL, &error) != STATUS_OK) fprintf(stderr, "bench: %s\n", error.message);
    kernel_list_free(&list);
    return r;
}

static const struct result *best(const struct result *r, int count, bool own)
{
    const struct result *b = NULL;
    for (int k = 0; k < count; k++) {
        if (r[k].status != STATUS_OK && r[k].status != STATUS_UNAVAILABLE) fprintf(stderr, "! %s: %s\n", r[k].name, r[k].error.message);
        if (r[k].status == STATUS_OK && (strncmp(r[k].full_name, "cuda/", 5) == 0) == own && (!b || r[k].samples.median < b->samples.median)) b = &r[k];
    }
    return b;
}

static const char *after(const struct result *r)
{
    return r ? strchr(r->full_name, '/') + 1 : "-";
}

static double us(const struct result *r)
{
    return r ? 1e6 * r->samples.median : NAN;
}

static void set(const char *text, bool on)
{
    char all[256];
    snprintf(all, sizeof all, "%s", text);
    for (char *at = strtok(all, ","); at; at = strtok(NULL, ",")) {
        char *is = strchr(at, '='), name[64];
        if (!is) continue;
        *is = 0;
        snprintf(name, sizeof name, "TRY_%s", at);
        if (on)
            setenv(name, is + 1, 1);
        else
            unsetenv(name);
    }
}

static void all_times(FILE *f, const char *matrix, const char *what, const char *label, const struct result *r, int count)
{
    for (int k = 0; k < count; k++)
        if (r[k].status == STATUS_OK) fprintf(f, "%s\t%s\t%s\t%s\t%.2f\t%.2f\t%.2f\n", matrix, what, label, r[k].full_name, 1e6 * r[k].samples.median, 1e6 * r[k].samples.low, 1e6 * r[k].samples.high);
    fflush(f); fflush(stdout);
}

int main(int argc, char **argv)
{
    struct error error = {0};
    const char *own = env("OWN", "cuda/csr-vector cuda/csr-balanced cuda/sell cuda/ell-padded cuda/coo-atomic cuda/coo-segmented");
    const char *other = env("OTHER", "cusparse/csr-alg1 cusparse/csr-alg2 cusparse/coo-alg1 cusparse/coo-alg2");
    char both[1024];
    FILE *all = fopen(env("ALL", "/dev/null"), "a");
    double budget = atof(env("BUDGET", "100"));
    snprintf(both, sizeof both, "%s %s", own, other);
    started = clock_seconds();
    if (device_open(backend_cuda.devices, 0, &device, &error) != STATUS_OK || machine_measure_device(&machines.device[0], &device, NULL, &error) != STATUS_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    machines.devices = 1;
    const struct device_library *found = backend_cusparse.device_library();
    printf("%s; %s %s\n", device.facts.name, found ? found->title : "no cuSPARSE", found ? found->version : "");
    for (int m = 1; m < argc; m++) {
        struct matrix matrix;
        struct load_options options = {0};
        if (clock_seconds() - started > budget) {
            printf("left out: %s\n", argv[m]);
            continue;
        }
        if (matrix_load(argv[m], &options, NULL, &matrix, &error) != STATUS_OK) {
            printf("%s: %s\n", argv[m], error.message);
            error = (struct error){0};
            continue;
        }
        free(matrix.csr.imaginary);
        matrix.csr.imaginary = NULL;
        const char *slash = strrchr(argv[m], '/'), *name = slash ? slash + 1 : argv[m];
        for (enum precision p = PRECISION_F64; p <= PRECISION_F32; p++) {
            const char *wanted = env("PRECISIONS", "f64");
            if (!strstr(wanted, p == PRECISION_F64 ? "f64" : "f32")) continue;
            struct pool pool = {.a = &matrix.csr};
            char products[1024];
            snprintf(products, sizeof products, "%s", env("PRODUCTS", "A,2,columns A,8,columns A,16,rows A,64,rows"));
            char *next = NULL;
            for (char *at = strtok_r(products, " \n", &next); at; at = strtok_r(NULL, " \n", &next)) {
                char which[8], layout[16], what[64];
                int columns, count = 0;
                if (clock_seconds() - started > budget) break;
                sscanf(at, "%7[^,],%d,%15s", which, &columns, layout);
                struct product product = {.transposed = which[1] != 0, .columns = columns, .by_rows = layout[0] == 'r'};
                snprintf(what, sizeof what, "%s %-2s %2d %-7s", p == PRECISION_F64 ? "f64" : "f32", which, columns, layout);
                struct result *r = timed(&pool, both, p, product, &count);
                const struct result *o = best(r, count, true), *v = best(r, count, false);
                printf("%-32.32s %s %-13s %8.1f  %-9s %8.1f %5.2f", name, what, after(o), us(o), after(v), us(v), us(v) / us(o));
                all_times(all, name, what, "default", r, count);
                fflush(stdout);
                double vendor = us(v);
                free(r);
                char variants[1024];
                snprintf(variants, sizeof variants, "%s", env("VARIANTS", ""));
                char *then = NULL;
                for (char *one = strtok_r(variants, " \n", &then); one; one = strtok_r(NULL, " \n", &then)) {
                    set(one, true);
                    r = timed(&pool, own, p, product, &count);
                    o = best(r, count, true);
                    printf(" | %s %s %.1f %.2f", one, after(o), us(o), vendor / us(o));
                    all_times(all, name, what, one, r, count);
                    free(r);
                    set(one, false);
                }
                printf("\n");
                fflush(stdout);
            }
            pool_free(&pool);
        }
        matrix_free(&matrix);
    }
    fprintf(stderr, "%.0f s in all\n", clock_seconds() - started);
    machines_free(&machines);
    device_close(&device);
    return 0;
}
