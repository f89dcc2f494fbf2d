#include "ranks/sums/sums.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/unique.h"
#include "ranks/sums/parts.h"

/* The results of the analyses, on rank 0. */
struct found {
    struct structure structure;
    struct values values;
    struct components components;
    bool connected; /* the components are known */
    struct pyramid pyramid;
    struct excerpt excerpt;
};

/* Return those of the parts that the report needs. */
static unsigned sums_needed(const struct sums *sums, unsigned parts)
{
    return sums->options.needs ? parts & sums->options.needs : parts;
}

/* Find the smallest and the largest share, and the largest memory of a rank, on all ranks. */
static struct spread spread_of(const struct sums *sums)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    int64_t rows = sums->share->own.rows, entries = csr_nnz(&sums->share->own);
    int64_t least[] = {rows, entries}, most[] = {rows, entries, (int64_t)usage.ru_maxrss * 1024};
    ranks_min(sums->ranks, least, 2);
    ranks_max(sums->ranks, most, 3);
    return (struct spread){.ranks = sums->ranks->count,
                           .rows_least = least[0],
                           .rows_most = most[0],
                           .entries_least = least[1],
                           .entries_most = most[1],
                           .memory = most[2]};
}

/* If each entry has a mirror image, the strongly connected components are the connected ones. Else rank 0
 * finds them if it has gathered the columns, and else all ranks together. */
static enum status find_strong(struct sums *sums, struct found *found, struct error *error)
{
    struct components *c = &found->components;
    int here = sums->csr.col != NULL, mirrored = sums->share->matrix.symmetry != SYMMETRY_GENERAL ||
                                                 found->structure.pattern_symmetry == 1 ||
                                                 found->structure.diagonal_nonzeros == sums->share->nnz;
    enum status status = STATUS_OK;
    if (sums->share->rows != sums->share->cols) return STATUS_OK;
    ranks_broadcast(sums->ranks, 0, &mirrored, sizeof mirrored);
    ranks_broadcast(sums->ranks, 0, &here, sizeof here);
    if (mirrored) {
        c->strong = c->connected;
        c->largest_strong = c->largest;
    } else if (!here) {
        status = sums_strong(sums, c, error);
    } else {
        if (sums->ranks->rank == 0)
            status =
                strong_components(&sums->csr, NULL, NULL, NULL, NULL, &c->strong, &c->largest_strong, error);
        status = ranks_agree(sums->ranks, status, error);
    }
    return status;
}

/* Publish parts of the case. */
static void set_ready(struct matrix_case *shown, unsigned parts)
{
    atomic_fetch_or_explicit(&shown->ready, parts, memory_order_release);
}

/* Make the session, or add a case to that of the natural order. */
static enum status make_session(struct sums *sums, struct share *share, size_t limit, struct error *error)
{
    struct matrix matrix = share->matrix;
    struct reordering *reordering = sums->options.reordering;
    sums->session = sums->options.session;
    if (!sums->session) {
        sums->session = memory_zeroed(1, sizeof *sums->session, error);
        if (!sums->session) return STATUS_MEMORY;
        atomic_init(&sums->session->ready, 0);
        sums->session->limit = limit;
    }
    matrix.csr = sums->csr;
    struct matrix_case *shown = session_add_case(sums->session, "natural", &matrix, error);
    if (!shown) return STATUS_USAGE;
    sums->csr = (struct csr){0};
    /* All ranks keep what decides their collective steps. */
    share->matrix = (struct matrix){.symmetry = share->matrix.symmetry, .field = share->matrix.field};
    shown->skeleton = sums->skeleton;
    shown->matrix.csr.skeleton = &shown->skeleton;
    sums->skeleton = (struct skeleton){0};
    if (reordering) {
        shown->reordering = *reordering;
        shown->order = shown->reordering.name;
        *reordering = (struct reordering){0};
    }
    sums->session->shown = sums->shown = shown;
    return STATUS_OK;
}

/* Name in the notes the parts that the report lacks, because no rank has all entries. */
static void note_missing(struct matrix_case *shown)
{
    if (shown->matrix.csr.col || csr_nnz(&shown->matrix.csr) == 0 || shown->components.strong >= 0) return;
    text_append(&shown->matrix.notes,
                "strong components: not to be had of such a matrix; one process finds them\n");
}

/* Make the session from the results, which it then owns. */
static enum status fill_session(struct sums *sums, struct share *share, struct found *found, bool pyramid,
                                const struct spread *spread, size_t limit, struct error *error)
{
    enum status status = make_session(sums, share, limit, error);
    if (status != STATUS_OK) return status;
    struct matrix_case *shown = sums->shown;
    shown->structure = found->structure;
    if (sums_needed(sums, SESSION_VALUES)) shown->values = found->values;
    shown->components = found->components;
    shown->pyramid = found->pyramid;
    found->pyramid = (struct pyramid){0};
    shown->spread = *spread;
    case_excerpt(shown, &found->excerpt);
    note_missing(shown);
    if (shown->matrix.notes.failed)
        return error_set(error, STATUS_MEMORY, "out of memory: no room for the notes");
    unsigned ready = SESSION_STRUCTURE | SESSION_VALUES | (found->connected ? SESSION_COMPONENTS : 0);
    ready = sums_needed(sums, ready) | (pyramid ? SESSION_PYRAMID : 0);
    set_ready(shown, ready);
    return STATUS_OK;
}

/* Free the values after their analyses. */
static void spend_values(struct csr *own)
{
    free(own->val);
    free(own->imaginary);
    own->val = own->imaginary = NULL;
}

/* Return on all ranks whether each has few distinct values, at least in single precision. Rank 0 decides for
 * the whole matrix after gathering them. */
static bool are_few(const struct sums *sums)
{
    const struct csr *own = &sums->share->own;
    int64_t many = csr_nnz(own) > 0 && !unique_few(own, true);
    ranks_max(sums->ranks, &many, 1);
    return !many;
}

/* Return on all ranks the number of entries of an excerpt, as in one process. If that uses all entries, the
 * excerpt has up to EXCERPT_ENTRIES. */
static int64_t admitted_of(const struct sums *sums)
{
    int64_t kept = sums->options.admitted;
    if (kept == 0 && sums->ranks->rank == 0) kept = excerpt_kept(&sums->csr);
    ranks_broadcast(sums->ranks, 0, &kept, sizeof kept);
    return kept ? kept : EXCERPT_ENTRIES;
}

/* Add the time of a part if it was `made`, and return the time at which the next one begins. */
static struct cost ended(struct sums *sums, const char *name, bool made, struct cost begun)
{
    if (made) cost_end(&sums->costs, name, &begun);
    return cost_begin();
}

/* The analyses of the values, before these are freed. */
static enum status analyse_values(struct sums *sums, size_t limit, struct found *found, struct error *error)
{
    struct cost begun = cost_begin();
    enum status status = sums_offsets(sums, limit, error);
    begun = ended(sums, "row lengths", true, begun);
    if (status == STATUS_OK) status = sums_structure(sums, &found->structure, error);
    begun = ended(sums, "structure", true, begun);
    /* Always, since this counts the columns. */
    if (status == STATUS_OK) status = sums_values(sums, limit, &found->values, error);
    begun = ended(sums, "values", true, begun);
    if (status == STATUS_OK) sums->few = sums_gathers(sums) && are_few(sums);
    if (status == STATUS_OK && !sums->options.unforeseen)
        status = sums_excerpt(sums, admitted_of(sums), &found->excerpt, error);
    ended(sums, "forecasts", !sums->options.unforeseen, begun);
    return status;
}

static enum status analyse(struct sums *sums, bool pyramid, struct csr *spent, size_t limit,
                           struct found *found, struct error *error)
{
    const bool components = sums_needed(sums, SESSION_COMPONENTS);
    sums->skeleton.complex = sums->share->own.imaginary != NULL;
    enum status status = analyse_values(sums, limit, found, error);
    if (status == STATUS_OK && spent && !sums->few) spend_values(spent);
    struct cost begun = cost_begin();
    found->connected = components && components_vertices(sums->share->rows, sums->share->cols) <= INT32_MAX;
    if (status == STATUS_OK && found->connected) status = sums_components(sums, &found->components, error);
    begun = ended(sums, "components", found->connected, begun);
    if (status == STATUS_OK && pyramid) status = sums_pyramid(sums, &found->pyramid, error);
    begun = ended(sums, "pattern", pyramid, begun);
    if (status == STATUS_OK) status = sums_gather(sums, error);
    if (status == STATUS_OK && spent && sums->few) spend_values(spent);
    begun = ended(sums, "gathering columns", sums_gathers(sums) || sums->whole, begun);
    if (status == STATUS_OK && found->connected) status = find_strong(sums, found, error);
    ended(sums, "components", found->connected, begun);
    if (status == STATUS_OK) status = blocks_open(sums, error);
    return status;
}

/* Decide whether rank 0 gathers the columns of a large matrix, which take 4 bytes per entry. Later analyses
 * of the pattern check their own memory. */
static void decide_whole(struct sums *sums)
{
    const struct share *share = sums->share;
    int whole = sums->options.whole && !sums_gathers(sums);
    size_t bytes;
    size_multiply((size_t)share->nnz, sizeof(int32_t), &bytes);
    if (whole && sums->ranks->rank == 0)
        whole = memory_check_beside(bytes, csr_bytes(share->own.rows, csr_nnz(&share->own), 0),
                                    sums->options.limit, "the columns of all entries", NULL) == STATUS_OK;
    ranks_broadcast(sums->ranks, 0, &whole, sizeof whole);
    sums->whole = whole;
}

enum status sums_make(const struct ranks *ranks, struct share *share, const struct sums_options *options,
                      struct sums *sums, struct error *error)
{
    struct found found = {0};
    const bool pyramid = options->wants & SESSION_PYRAMID;
    const size_t limit = options->limit;
    *sums = (struct sums){.ranks = ranks, .share = share, .options = *options};
    sums->slab = (struct slab){.a = &share->own,
                               .first = share->first,
                               .before = share->before,
                               .rows = share->rows,
                               .cols = share->cols,
                               .nnz = share->nnz};
    decide_whole(sums);
    enum status status = analyse(sums, pyramid, options->spent ? &share->own : NULL, limit, &found, error);
    if (status == STATUS_OK) {
        const struct spread spread = spread_of(sums);
        if (ranks->rank == 0) status = fill_session(sums, share, &found, pyramid, &spread, limit, error);
        status = ranks_agree(ranks, status, error);
    }
    pyramid_free(&found.pyramid);
    excerpt_free(&found.excerpt);
    return status;
}

enum status sums_prepare(struct sums *sums, const struct report_request *request, struct error *error)
{
    enum status status = STATUS_OK;
    if (sums->ranks->rank == 0) {
        struct whole_node taken;
        sums->threads = threads_count();
        ranks_take_node(sums->ranks, &taken);
        status = report_prepare_case(sums->session, sums->shown, request, NULL, error);
        ranks_leave_node(&taken);
        blocks_dismiss(sums);
    } else {
        blocks_serve(sums);
    }
    return ranks_agree(sums->ranks, status, error);
}

void sums_free(struct sums *sums)
{
    if (sums->session && !sums->options.session) {
        session_free(sums->session);
        free(sums->session);
    }
    csr_free(&sums->csr);
    skeleton_free(&sums->skeleton);
    blocks_close(sums);
    *sums = (struct sums){0};
}
