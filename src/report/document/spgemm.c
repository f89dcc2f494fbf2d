/* The chapter on products of the matrix with itself and with its transpose. */
#include "base/memory.h"
#include "report/document/build.h"
#include "report/document/rows.h"

void document_spgemm(struct document *document, const struct matrix_case *matrix_case)
{
    struct rows rows = {.columns = spgemm_columns, .part = &part_spgemm};
    bool sampled = false;
    if (!case_has(matrix_case, SESSION_SPGEMM)) return;
    rows.items = memory_array(SPGEMM_KINDS, sizeof *rows.items, NULL);
    document->failed = document->failed || !rows.items;
    for (int k = spgemm_first(&matrix_case->matrix.csr); !document->failed && k < SPGEMM_KINDS; k++) {
        const struct spgemm *spgemm = &matrix_case->spgemm[k];
        rows.items[rows.count++] = (struct row){.subject = {.matrix_case = matrix_case, .spgemm = spgemm},
                                                .name = spgemm_name((enum spgemm_kind)k)};
        sampled = sampled || !spgemm->exact;
    }
    if (rows.count) {
        document_section(document, "%s", part_spgemm.title);
        document_table(document, "product", &rows);
        if (sampled)
            document_note(document, MARK_NONE,
                          "Entries with a standard error are estimated from a sample of rows. The exact "
                          "number is within two standard errors in about 95%% of cases.");
    }
    rows_free(&rows);
}
