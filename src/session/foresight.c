#include "session/foresight.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/advice_parts.h"
#include "session/forecasts.h"
#include "session/session.h"

/* True if `list` names a choice before number k that reads the same storage. */
static bool came_before(const struct kernel_list *list, int k)
{
    for (int j = 0; j < k; j++)
        if (format_choice_same(&list->choices[j].format, &list->choices[k].format)) return true;
    return false;
}

/* True if this group was made before the work was interrupted. */
static bool is_made(const struct foresight *foresight, const struct format_choice *format)
{
    for (int k = 0; k < foresight_count(foresight); k++)
        if (format_choice_same(&foresight->groups[k].items[0].choice.format, format)) return true;
    return false;
}

/* *hopeless becomes whether there is no storage, or one that is so much larger than CSR that no kernel for it
 * can be recommended. */
static enum status is_hopeless(struct pool *pool, const struct format_choice *choice, size_t limit,
                               struct progress *progress, bool *hopeless, struct error *error)
{
    const struct csr *a = pool->a;
    size_t csr = csr_bytes(a->rows, csr_nnz(a), csr_complex(a));
    const struct storage *plan;
    struct error reason = {0};
    enum status status = pool_plan(pool, choice, limit, progress, &plan, &reason);
    if (status == STATUS_CANCELLED || (status == STATUS_MEMORY && !plan))
        return error_set(error, status, "%s", reason.message);
    *hopeless = !plan || (storage_size(plan).bytes > FORESIGHT_SMALL &&
                          storage_size(plan).bytes / FORESIGHT_LARGER > csr);
    return STATUS_OK;
}

/* True if the kernel was run or forecast already, with any number of threads. */
static bool is_known(const struct results *results, const struct kernel_choice *choice)
{
    for (int k = 0; k < results->count; k++)
        if (kernel_choice_alike(&results->items[k].choice, choice)) return true;
    return false;
}

/* Request the kernels of the list that read the same storage as number k, with this number of threads. These
 * are left out: kernels with results of this product in the case; kernels of the host's libraries, because it
 * may be unknown whether these are installed; and kernels that are only for real matrices if this one is
 * complex. */
static enum status want_group(const struct matrix_case *of, const struct kernel_list *list, int k,
                              const struct format_choice *format, struct product product, int threads,
                              struct results *group, struct error *error)
{
    const bool asked = product_same(of->results.options.product, product);
    enum status status = STATUS_OK;
    for (int j = k; j < list->count && status == STATUS_OK; j++) {
        if (list->choices[j].kernel->backend->library) continue;
        if (!format_choice_same(&list->choices[j].format, &list->choices[k].format)) continue;
        if (case_is_complex(of) && !list->choices[j].kernel->complex) continue;
        const struct kernel_choice choice = kernel_choice_with(&list->choices[j], format->precision, threads);
        if (!asked || !is_known(&of->results, &choice)) status = results_want(group, &choice, error);
    }
    return status;
}

/* Publish a group, which is {0} afterwards. */
static void keep_group(struct foresight *foresight, struct results *group)
{
    const int count = foresight_count(foresight);
    foresight->groups[count] = *group;
    *group = (struct results){0};
    atomic_store_explicit(&foresight->count, count + 1, memory_order_release);
}

static enum status make_group(struct session *session, struct matrix_case *of, struct foresight *foresight,
                              const struct kernel_list *list, int k, struct sharing *sharing,
                              struct progress *progress, struct error *error)
{
    struct format_choice format = list->choices[k].format;
    struct results group = {0};
    bool hopeless = false;
    format.precision = foresight->precision;
    if (came_before(list, k) || is_made(foresight, &format)) return STATUS_OK;
    enum status status = is_hopeless(sharing->pool, &format, session->limit, progress, &hopeless, error);
    if (status != STATUS_OK || hopeless) return status;
    status = want_group(of, list, k, &format, foresight->product, session->threads, &group, error);
    if (status == STATUS_OK && group.count > 0)
        status = session_foresee(session, of, &group, foresight->product, 0, sharing, progress, error);
    if (status == STATUS_OK && group.count > 0) keep_group(foresight, &group);
    results_free(&group);
    return status;
}

/* Complete the forecast of result k of a group. */
static enum status complete_result(struct session *session, struct matrix_case *of, struct results *group,
                                   int k, struct sharing *sharing, struct progress *progress,
                                   struct error *error)
{
    struct results alone = {0};
    enum status status = results_want(&alone, &group->items[k].choice, error);
    if (status == STATUS_OK)
        status = session_foresee(session, of, &alone, group->options.product, 0, sharing, progress, error);
    if (status == STATUS_OK) {
        group->items[k] = alone.items[0];
        group->estimates.items[k] = alone.estimates.items[0];
    }
    results_free(&alone);
    return status;
}

/* Complete the left-out forecasts that may change a sentence of the advice. The fastest come first, since
 * they may settle others. */
static enum status complete_results(struct session *session, struct matrix_case *of,
                                    struct foresight *foresight, struct sharing *sharing,
                                    struct progress *progress, struct error *error)
{
    enum status status = STATUS_OK;
    sharing->brief = false;
    for (int group = 0, k; status == STATUS_OK && group >= 0;) {
        status = advice_left_out(session, of, foresight, &group, &k, error);
        if (status == STATUS_OK && group >= 0)
            status = complete_result(session, of, &foresight->groups[group], k, sharing, progress, error);
    }
    return status;
}

enum status foresight_excerpt(const struct session *session, const struct matrix_case *of,
                              struct progress *progress, struct excerpt *own, const struct excerpt **chosen,
                              struct error *error)
{
    const bool whole = of->excerpt.there && of->excerpt.whole;
    const struct csr *a = whole ? &of->excerpt.rows : &of->matrix.csr;
    *own = (struct excerpt){0};
    *chosen = of->foreseen.there ? &of->foreseen : &of->excerpt;
    if ((*chosen)->there && !whole) return STATUS_OK;
    if (!whole && (!case_has_entries(of) || !csr_here(a))) return STATUS_OK;
    const int64_t kept = excerpt_kept(a);
    const size_t bytes = excerpt_bytes(kept, true);
    if (kept == 0 || memory_check(bytes, session->limit, "an excerpt", NULL) != STATUS_OK) return STATUS_OK;
    enum status status = excerpt_of(a, kept, progress, own, error);
    if (status == STATUS_OK && own->there) *chosen = own;
    return status;
}

static void note_excerpt(const struct excerpt *excerpt, struct foresight *foresight)
{
    const bool noted = foresight_count(foresight) > 0; /* and others may read it */
    if (noted || !excerpt->there || excerpt->whole) return;
    foresight->excerpt_rows = excerpt->rows.rows;
    foresight->excerpt_entries = csr_nnz(&excerpt->rows);
    foresight->excerpt_columns = excerpt->scale;
}

enum status session_foresight(struct session *session, struct matrix_case *of, struct foresight *foresight,
                              struct progress *progress, struct error *error)
{
    struct kernel_list list = {0};
    struct sharing sharing;
    struct excerpt own = {0};
    if (foresight_complete(foresight)) return STATUS_OK;
    const struct excerpt *excerpt;
    enum status status = foresight_excerpt(session, of, progress, &own, &excerpt, error);
    if (status != STATUS_OK) return status;
    note_excerpt(excerpt, foresight);
    sharing_start(&of->pool, excerpt, &sharing);
    sharing.brief = session->brief && product_plain(foresight->product);
    status = kernel_list_add(&list, "all", error);
    /* Groups must not move while others read them: memory for all is allocated at the beginning. */
    if (status == STATUS_OK && !foresight->groups) {
        foresight->groups = memory_array((size_t)list.count, sizeof *foresight->groups, error);
        status = foresight->groups ? STATUS_OK : STATUS_MEMORY;
    }
    /* Without entries kernels have no work; entries that are not in memory cannot be examined. */
    bool some = case_nnz(of) > 0 && case_foreseeable(of) && !case_nearly_empty(of);
    /* CSR comes first: its kernels are rarely much slower than the best, and early advice uses them. */
    for (int others = 0; others < 2 && some; others++)
        for (int k = 0; k < list.count && status == STATUS_OK; k++)
            if (kernel_takes_csr(list.choices[k].kernel) != others)
                status = make_group(session, of, foresight, &list, k, &sharing, progress, error);
    if (status == STATUS_OK && sharing.brief)
        status = complete_results(session, of, foresight, &sharing, progress, error);
    pool_rest(sharing.pool);
    sharing_free(&sharing);
    excerpt_free(&own);
    kernel_list_free(&list);
    if (status != STATUS_OK) return status;
    foresight->version = session->processor_version;
    atomic_store_explicit(&foresight->complete, true, memory_order_release);
    if (foresight == &of->foresight[PRECISION_F64])
        atomic_fetch_or_explicit(&of->ready, SESSION_FORESIGHT, memory_order_release);
    return STATUS_OK;
}

enum status foresight_forecast_again(struct session *session, struct matrix_case *of,
                                     const struct foresight *foresight, struct processor *processor,
                                     struct foresight_again *again, struct progress *progress,
                                     struct error *error)
{
    struct sharing sharing;
    struct excerpt own = {0};
    const struct excerpt *excerpt;
    int count = 0;
    *again = (struct foresight_again){0};
    for (int g = 0; g < foresight_count(foresight); g++)
        count += foresight->groups[g].count;
    if (count == 0) return STATUS_OK;
    again->predicted = memory_zeroed((size_t)count, sizeof *again->predicted, error);
    struct result *results = again->predicted ? memory_array((size_t)count, sizeof *results, error) : NULL;
    enum status status =
        results ? foresight_excerpt(session, of, progress, &own, &excerpt, error) : STATUS_MEMORY;
    if (status == STATUS_OK) {
        for (int g = 0; g < foresight_count(foresight); again->count += foresight->groups[g++].count)
            memcpy(results + again->count, foresight->groups[g].items,
                   (size_t)foresight->groups[g].count * sizeof *results);
        sharing_start(&of->pool, excerpt, &sharing);
        status = forecasts_make(processor, sharing.pool, results, count, foresight->product, session->limit,
                                &sharing.cpu, progress, error);
        pool_rest(sharing.pool);
        sharing_free(&sharing);
        excerpt_free(&own);
    }
    for (int k = 0; k < again->count && status == STATUS_OK; k++)
        memcpy(again->predicted[k], results[k].predicted, sizeof *again->predicted);
    free(results);
    if (status != STATUS_OK) foresight_again_free(again);
    return status;
}

void foresight_take_again(struct foresight *foresight, const struct foresight_again *again, int version)
{
    int k = 0;
    for (int g = 0; g < foresight_count(foresight); g++)
        for (int n = 0; n < foresight->groups[g].count && k < again->count; n++, k++)
            memcpy(foresight->groups[g].items[n].predicted, again->predicted[k], sizeof *again->predicted);
    foresight->version = version;
}

void foresight_again_free(struct foresight_again *again)
{
    free(again->predicted);
    *again = (struct foresight_again){0};
}

void foresight_free(struct foresight *foresight)
{
    for (int k = 0; k < foresight_count(foresight); k++)
        results_free(&foresight->groups[k]);
    free(foresight->groups);
    foresight->groups = NULL;
    atomic_store(&foresight->count, 0);
    foresight->excerpt_rows = foresight->excerpt_entries = 0;
    atomic_store(&foresight->complete, false);
    if (foresight->next) foresight_free(foresight->next);
    free(foresight->next);
    foresight->next = NULL;
}
