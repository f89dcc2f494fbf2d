/* Runs that were made in the explorer, written as the report that saved_open reads. */
#include "report/json/carried.h"
#include "report/report.h"
#include "report/saved/saved.h"

/* A report has a run as the results of its case, so that each run is for a moment those of the case that is
 * shown. */
static enum status write_runs(struct report *report, struct session *session, struct error *error)
{
    struct matrix_case *shown = session->shown;
    const struct results own = shown->results;
    enum status status = STATUS_OK;
    for (int k = 0; k < shown->runs.count && status == STATUS_OK; k++) {
        const struct run *run = shown->runs.items[k];
        if (run->saved) continue;
        shown->results = run->results;
        status = report_matrix(report, session, error);
        if (shown == session->cases) session->carry = 0; /* once is enough */
    }
    shown->results = own;
    return status;
}

enum status saved_write(struct session *session, const char *path, struct error *error)
{
    struct report report;
    enum status status = report_open(&report, &report_format_json, path, error);
    if (status != STATUS_OK) return status;
    struct matrix_case *shown = session->shown;
    const size_t carry = session->carry;
    session->carry = CARRIED_BYTES;
    for (int c = 0; c < session->case_count && status == STATUS_OK; c++) {
        session->shown = &session->cases[c];
        status = write_runs(&report, session, error);
    }
    session->shown = shown;
    session->carry = carry;
    if (status == STATUS_OK) status = report_close(&report, error);
    report_abandon(&report);
    for (int c = 0; c < session->case_count && status == STATUS_OK; c++)
        for (int k = 0; k < session->cases[c].runs.count; k++)
            session->cases[c].runs.items[k]->kept = true;
    return status;
}
