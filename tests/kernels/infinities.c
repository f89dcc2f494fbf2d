/* Padding and infinite elements of x: 0 times infinity is NaN, also in rows without an entry in that column.
 * The manual says (FORMATS of sparsight(1)) which formats multiply x by padding; this table says the same. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "kernels/list.h"
#include "support/support.h"
#include "support/unit.h"

#define N 24

enum reads {
    READS_ENTRIES,  /* the default: padding is not multiplied */
    READS_OWN,      /* padding multiplies an element that an entry of its row needs, by 0 */
    READS_REPEATED, /* padding multiplies the element of the last entry of its row, or the first of x, by 0 */
    READS_PADDING,  /* padding multiplies the element of its position by 0 */
};

static const struct {
    const char *format;
    enum reads reads;
} known[] = {
    {"ell", READS_REPEATED}, {"hyb", READS_REPEATED}, {"sell", READS_REPEATED}, {"dia", READS_PADDING},
    {"bsr", READS_PADDING},  {"bell", READS_PADDING}, {"sss", READS_PADDING}, /* it stores the whole diagonal
                                                                               */
};

static enum reads expected(const struct kernel_choice *choice, const char *name)
{
    if (strstr(name, "pad=sentinel")) return READS_ENTRIES;
    if (strstr(name, "modulo=") || strstr(name, "threshold=0.1") || strstr(name, "sections=share"))
        return READS_OWN;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(choice->format.format->name, known[k].format) == 0) return known[k].reads;
    return READS_ENTRIES;
}

/* A symmetric matrix whose rows 7 and 11 have no entries, and row 5 none on the diagonal. */
static struct csr with_empty_rows(void)
{
    double dense[N * N] = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (i != 7 && j != 7 && i != 11 && j != 11 && ((i == j && i != 5) || (i + 2) * (j + 2) % 5 == 1))
                dense[N * i + j] = 1 + i + j;
    return support_dense(N, N, dense);
}

/* Return whether padding of row i has column `col` where padding repeats the column of the last entry. */
static bool repeats(const struct csr *a, int64_t i, int64_t col)
{
    const int64_t end = a->row_ptr[i + 1];
    return end == a->row_ptr[i] ? col == 0 : col == a->col[end - 1];
}

/* Multiply with an infinite element in each column in turn. An entry there makes its row infinite, and other
 * rows stay finite; NaN is from padding. */
static void multiply(const struct csr *a, struct launch *launch, const char *name, enum reads reads)
{
    double x[N], y[N];
    int wrong[2] = {0}; /* in rows with entries, and in rows without */
    for (int col = 0; col < N; col++) {
        for (int j = 0; j < N; j++)
            x[j] = j == col ? INFINITY : 1;
        kernel_run(launch, x, y);
        for (int i = 0; i < N; i++) {
            if (csr_find(a, i, col) >= 0 ? y[i] == INFINITY : isfinite(y[i])) continue;
            if (!isnan(y[i])) fail_msg("%s: row %d is %g", name, i, y[i]);
            if (reads == READS_REPEATED && !repeats(a, i, col)) fail_msg("%s: row %d, %d", name, i, col);
            if (reads == READS_OWN && csr_find(a, i, col) < 0) fail_msg("%s: row %d, %d", name, i, col);
            wrong[a->row_ptr[i + 1] == a->row_ptr[i]]++;
        }
    }
    if (strstr(name, "hyb-") && !strstr(name, "k=")) return; /* all entries may be in COO */
    if ((wrong[0] > 0) != (reads != READS_ENTRIES)) fail_msg("%s: %d rows are NaN", name, wrong[0]);
    if (reads == READS_REPEATED && wrong[1] != 2) fail_msg("%s: %d empty rows are NaN", name, wrong[1]);
    if (reads <= READS_OWN && wrong[1] != 0) fail_msg("%s: %d empty rows are NaN", name, wrong[1]);
}

TEST(padding_multiplies_as_the_manual_says)
{
    FREED(csr_free) struct csr a = with_empty_rows();
    FREED(kernel_list_free) struct kernel_list list = {0};
    const struct format_options options = {.limit = 0};
    const struct launch_options launched = {.product = {.columns = 1}};
    int ran = 0;
    assert_int_equal(kernel_list_add(&list,
                                     "cpu ell-omp:pad=sentinel cmrs-omp:modulo=4,height=16 "
                                     "jds-omp:sections=equal,height=4 jds-omp:sections=share,height=8 "
                                     "dasp-omp:threshold=0.1 hyb-omp:k=4",
                                     NULL),
                     STATUS_OK);
    for (int k = 0; k < list.count; k++) {
        const struct kernel_choice choice = kernel_choice_with(&list.choices[k], PRECISION_F64, 2);
        struct storage storage;
        struct launch launch;
        struct error error = {0};
        char name[CHOICE_NAME];
        kernel_choice_name(&choice, name, sizeof name);
        if (choice.kernel->backend->devices) continue;
        enum status status = format_convert(&choice.format, &options, &a, NULL, &storage, &error);
        if (status != STATUS_OK) fail_msg("%s: %s", name, error.message);
        status = kernel_prepare(&choice, &storage, &launched, &launch, &error);
        if (status != STATUS_OK) fail_msg("%s: %s", name, error.message);
        multiply(&a, &launch, name, expected(&choice, name));
        kernel_release(&launch);
        storage_free(&storage);
        ran++;
    }
    assert_true(ran > 25);
}
