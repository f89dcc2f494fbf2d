/* The peak memory of a rank while it loads the matrix that is named on the command line, and while a report
 * of it is made: at most one and a half times its share of the CSR, and a fixed amount for buffers; rank 0 in
 * the second case also the pyramid, the numbers of each row and column, and the forecasts from an excerpt.
 * Peaks are those that the system counts (VmHWM). */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/pyramid.h"
#include "base/range.h"
#include "base/threads.h"
#include "matrix/matrix.h"
#include "ranks/ranks.h"
#include "ranks/share.h"
#include "ranks/stage.h"
#include "ranks/sums/sums.h"
#include "ranks/tests.h"
#include "support/cmocka.h"

/* The buffers of a stage; texts and decompression; and the libraries' allocations at their first use. */
#define FIXED ((int64_t)4 * (int64_t)STAGE_BYTES + ((int64_t)12 << 20))

static struct ranks ranks;
static const char *name;

/* Return the memory of this process in bytes, from /proc/self/status: VmRSS is the present one, VmHWM the
 * peak. Returns 0 if there is no such file. */
static int64_t memory_now(const char *field)
{
    char line[256], format[32];
    long long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) return 0;
    snprintf(format, sizeof format, "%s: %%lld kB", field);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, format, &kib) == 1) break;
    fclose(file);
    return kib * 1024;
}

/* Compare the peak with one and a half times the share of `own` bytes, and a fixed amount. */
static void check_peak(int64_t before, int64_t own, int64_t beside, const char *what)
{
    int64_t took = memory_now("VmHWM") - before, bound = own + own / 2 + beside;
    double mib = 1 << 20;
    printf("# rank %d of %d, %s: %.1f MiB at the peak for a share of %.1f MiB; the bound is %.1f MiB\n",
           ranks.rank, ranks.count, what, (double)took / mib, (double)own / mib, (double)bound / mib);
    if (took > bound)
        fail_msg("rank %d took %.1f MiB, more than %.1f", ranks.rank, (double)took / mib,
                 (double)bound / mib);
}

/* An excerpt, or all entries of a small matrix, and a storage of them from which kernels are forecast. */
#define EXCERPT ((int64_t)32 * EXCERPT_LEFT)

/* Data of rank 0 on the whole matrix, for a report: an excerpt; the pyramid; the offsets of rows and columns;
 * and of components the parents, and their numbers. */
static int64_t whole_bytes(const struct share *share)
{
    int64_t sums = 1, lines = share->rows + share->cols;
    if (ranks.rank) return 0;
    sums *= min(share->rows, PYRAMID_SIDE) + 1;
    sums *= min(share->cols, PYRAMID_SIDE) + 1;
    return EXCERPT + sums * 4 + lines * 8 + max(share->rows, share->cols) * 8;
}

static void test_peak(void **state)
{
    struct share share;
    struct sums sums;
    struct error error = {0};
    struct load_options options = {0};
    const struct report_request request = {.f64 = true};
    const struct sums_options asked_for = {.wants = SESSION_PYRAMID, .spent = true};
    int64_t before = memory_now("VmRSS");
    if (before == 0) skip();
    assert_int_equal(share_load(&ranks, name, &options, &share, &error), STATUS_OK);
    int64_t own = (int64_t)csr_bytes(share.own.rows, csr_nnz(&share.own), share.own.imaginary != NULL);
    check_peak(before, own, FIXED, "loading");
    assert_int_equal(sums_make(&ranks, &share, &asked_for, &sums, &error), STATUS_OK);
    assert_int_equal(sums_prepare(&sums, &request, &error), STATUS_OK);
    check_peak(before, own, FIXED + whole_bytes(&share), "report");
    sums_free(&sums);
    share_free(&share);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_peak)};
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK || argc != 2) return EXIT_FAILURE;
    name = argv[1];
    threads_set(1);
    return ranks_run_tests(&ranks, "ranks/memory", tests, sizeof tests / sizeof *tests);
}
