/* No forecast is shorter than memory bandwidth allows, on any profile of data/gpus, with warm and with
 * flushed caches. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/list.h"
#include "session/session.h"
#include "support/support.h"
#include "support/unit.h"

/* The limit excludes DIA of the largest matrix, which has 5.6 GB of padding. */
#define LIMIT ((size_t)1 << 30)

/* The compared kernels on each profile, and the number that memory bounds. */
static int compared[32], bound;

/* The least bytes per entry that a library's kernel reads of a format. */
static double entry_bytes(const struct format *format)
{
    static const struct {
        const char *name;
        double bytes;
    } known[] = {{"csr", 12}, {"coo", 16}, {"sell", 12}, {"bsr", 8}, {"ell", 12}, {"dia", 8}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].name, format->name) == 0) return known[k].bytes;
    fail_msg("%s is unknown", format->name);
    return NAN;
}

static int64_t columns_with_entries(const struct csr *a)
{
    bool *has = memory_zeroed((size_t)a->cols + 1, sizeof *has, NULL);
    int64_t count = 0;
    for (int64_t e = 0; e < csr_nnz(a); e++) {
        count += !has[a->col[e]];
        has[a->col[e]] = true;
    }
    free(has);
    return count;
}

/* The least seconds of a product: the bytes that it must read, each once, over the best measured bandwidth.
 * These are the arrays that the kernel reads, and the elements of x in columns with entries. L2 may hold y,
 * and with warm caches any data that fit. */
static double floor_of(const struct result *result, const struct csr *a, int64_t columns,
                       const struct gpu *gpu, bool cold)
{
    double bytes = isnan(result->bytes.plus) ? entry_bytes(result->choice.format.format) * (double)csr_nnz(a)
                                             : result->bytes.plus - 8. * (double)(a->rows + a->cols);
    bytes += 8. * (double)columns;
    if (!cold) bytes += 8. * (double)a->rows - (double)gpu->cache;
    return fmax(0, bytes) / fmax(gpu->pace.read, gpu->pace.write);
}

static void check(const char *name, const struct gpu *gpu, const struct results *results, const struct csr *a,
                  int64_t columns, int *count)
{
    for (int k = 0; k < results->count; k++)
        for (int cold = 0; cold < 2; cold++) {
            const struct result *result = &results->items[k];
            const struct prediction *prediction = &result->predicted[cold];
            if (!prediction->there) continue;
            const double least = floor_of(result, a, columns, gpu, cold);
            if (!(prediction->seconds >= least))
                fail_msg("%s on %s, %s, %s: %g s, and the memory takes %g", name, gpu->title, result->name,
                         cold ? "cold" : "warm", prediction->seconds, least);
            ++*count;
            bound += least > 0.5 * prediction->seconds;
        }
}

static void check_matrix(const char *name, const struct kernel_list *list)
{
    FREED(session_free) struct session session;
    struct error error = {0};
    int64_t columns;
    if (session_load(&session, name, &(struct load_options){0}, NULL, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    const struct csr *a = &session.shown->matrix.csr;
    columns = columns_with_entries(a);
    for (int g = 0; gpu_files[g].name; g++) {
        struct gpu gpu;
        FREED(results_free) struct results results = {0};
        const struct estimate_options how = {.gpu = &gpu, .seed = 1, .limit = LIMIT};
        assert_int_equal(gpu_find(gpu_files[g].name, &gpu, &error), STATUS_OK);
        for (int k = 0; k < list->count; k++) {
            const struct kernel_choice choice = kernel_choice_with(&list->choices[k], PRECISION_F64, 0);
            assert_int_equal(results_want(&results, &choice, NULL), STATUS_OK);
        }
        if (results_foresee(&results, &session.shown->pool, &how, LIMIT, NULL, &error) != STATUS_OK)
            fail_msg("%s: %s", name, error.message);
        check(name, &gpu, &results, a, columns, &compared[g]);
    }
}

TEST(no_forecast_is_shorter_than_its_memory_allows)
{
    static const char *const generated[] = {"gen:laplace3d,n=40", "gen:powerlaw,scale=11,edge=30",
                                            "gen:blocks,n=20000,size=4"};
    struct kernel_list list = {0};
    struct error error = {0};
    glob_t files;
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/data/*.mtx*", getenv("SRCDIR"));
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    assert_int_equal(kernel_list_add(&list, "cuda cusparse", &error), STATUS_OK);
    for (size_t k = 0; k < files.gl_pathc; k++)
        check_matrix(files.gl_pathv[k], &list);
    for (size_t k = 0; k < sizeof generated / sizeof *generated; k++)
        check_matrix(generated[k], &list);
    /* A GTX 480 has neither shuffles nor additions to doubles nor cuSPARSE 12, so that fewer kernels are
     * forecast for it. */
    int profiles = 0;
    for (; gpu_files[profiles].name; profiles++) {
        print_message("# %s: %d\n", gpu_files[profiles].name, compared[profiles]);
        assert_true(compared[profiles] >= (strcmp(gpu_files[profiles].name, "gtx480") == 0 ? 250 : 400));
    }
    print_message("# bound by memory: %d\n", bound);
    assert_true(profiles >= 5 && bound >= 50);
    kernel_list_free(&list);
    globfree(&files);
}
