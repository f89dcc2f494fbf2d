/* Cancelling at every check of the cancellation flag: each long function is called once for each of its
 * checks, and cancelled there. It reports that, leaves nothing, and can be called again. The test uses the
 * tables of readers, generators, orders, partitions, parts of a session and figures, so that it covers
 * additions to them; formats/faults covers formats. The linker replaces functions so that checks and
 * allocations are counted. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "drawing/picture.h"
#include "kernels/list.h"
#include "matrix/files/reader.h"
#include "matrix/generators/generate.h"
#include "matrix/orders/permute.h"
#include "report/figures/figure.h"
#include "session/session.h"
#include "support/allocations.h"
#include "support/files.h"
#include "support/unit.h"

/* Checks of any progress, over all threads. The one with the number cancel_at, from 0, cancels it. */
static atomic_long looks, cancel_at = -1;

bool __real_progress_cancelled(const struct progress *progress);
bool __wrap_progress_cancelled(const struct progress *progress);
enum status __real_progress_status(const struct progress *progress, struct error *error);
enum status __wrap_progress_status(const struct progress *progress, struct error *error);

static void look(const struct progress *progress)
{
    if (progress && atomic_fetch_add(&looks, 1) == atomic_load(&cancel_at))
        progress_cancel((struct progress *)progress);
}

bool __wrap_progress_cancelled(const struct progress *progress)
{
    look(progress);
    return __real_progress_cancelled(progress);
}

enum status __wrap_progress_status(const struct progress *progress, struct error *error)
{
    look(progress);
    return __real_progress_status(progress, error);
}

/* Work on a subject, which stays unchanged. It frees its results, after a check that there are none if the
 * work failed. */
typedef enum status work(void *subject, struct progress *progress, struct error *error);

#if defined(__has_feature)
#    if __has_feature(thread_sanitizer)
#        define SLOW 1
#    endif
#endif

/* If there are more checks, only this number of them is tried, evenly spaced. */
#ifdef SLOW
#    define LOOKS_MAX 6
#else
#    define LOOKS_MAX 40
#endif

/* Do the work, cancelled at check `at`. Returns the number of checks. */
static long cancel_once(work *run, void *subject, const char *name, long at)
{
    struct progress progress = {0};
    struct error error = {0};
    atomic_store(&looks, 0);
    atomic_store(&cancel_at, at);
    allocations_begin();
    enum status status = run(subject, &progress, &error);
    long looked = atomic_load(&looks);
    long long left = allocations_now().blocks;
    atomic_store(&cancel_at, -1);
    enum status expected = at >= 0 && at < looked ? STATUS_CANCELLED : STATUS_OK;
    if (status != expected || error.status != expected)
        fail_msg("%s, cancelled at look %ld of %ld: status %d, '%s'", name, at, looked, (int)status,
                 error.message);
    if (at >= 0 && left > 0)
        fail_msg("%s, cancelled at look %ld of %ld: %lld blocks are left", name, at, looked, left);
    return looked;
}

/* With one thread, where the numbers of checks are fixed, and with several. The very first run may leave
 * memory that belongs to the process. */
static void cancel_everywhere(work *run, void *subject, const char *name)
{
    for (int threads = 1; threads <= 3; threads += 2) {
        threads_set(threads);
        long all = cancel_once(run, subject, name, -1), step = all / LOOKS_MAX + 1;
        if (all == 0) fail_msg("%s never looks whether to stop", name);
        for (long at = 0; at < all; at += step)
            cancel_once(run, subject, name, at);
    }
    threads_set(0);
}

/* Loading. */
struct loading {
    const char *name;
    struct load_options options;
};

static enum status load(void *subject, struct progress *progress, struct error *error)
{
    const struct loading *loading = subject;
    FREED(matrix_free) struct matrix matrix;
    enum status status = matrix_load(loading->name, &loading->options, progress, &matrix, error);
    if (status != STATUS_OK) assert_null(matrix.csr.row_ptr);
    return status;
}

static enum status load_stream(void *subject, struct progress *progress, struct error *error)
{
    const struct loading *loading = subject;
    FREED(session_free) struct session session;
    enum status status = session_load(&session, loading->name, &loading->options, progress, error);
    if (status != STATUS_OK) assert_false(session_has(&session, SESSION_MATRIX));
    return status;
}

/* All files of a folder that can be read without further options. Returns their number. */
static int cancel_files(const char *folder)
{
    char path[4096];
    int count = 0;
    DIR *stream = opendir(folder);
    if (!stream) fail_msg("%s cannot be opened", folder);
    for (struct dirent *entry; (entry = readdir(stream));) {
        struct loading loading = {.name = path};
        struct matrix matrix;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || matrix_load(path, &loading.options, NULL, &matrix, NULL) != STATUS_OK)
            continue;
        matrix_free(&matrix);
        cancel_everywhere(load, &loading, path);
        loading.options.stream = true;
        cancel_everywhere(load_stream, &loading, path);
        count++;
    }
    closedir(stream);
    return count;
}

TEST(loading_is_cancelled_at_every_look)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/data", getenv("SRCDIR"));
    assert_true(cancel_files(folder) >= 10);
    snprintf(folder, sizeof folder, "%s/tests/matrix/foreign", getenv("SRCDIR"));
    assert_true(cancel_files(folder) >= 40);
}

TEST(generators_are_cancelled_at_every_look)
{
    char name[256];
    for (int g = 0; generators[g]; g++) {
        const struct parameter *size = &generators[g]->parameters[0];
        if (size->type == PARAMETER_TEXT)
            snprintf(name, sizeof name, "gen:%s,%s=gen:dense,m=4,copies=9", generators[g]->name, size->name);
        else
            snprintf(name, sizeof name, "gen:%s,%s=%.0f", generators[g]->name, size->name,
                     fmax(size->min, floor(size->standard / 8)));
        struct loading loading = {.name = name};
        cancel_everywhere(load, &loading, name);
        loading.options.stream = true;
        cancel_everywhere(load_stream, &loading, name);
    }
}

/* Writing, and reading it again, with enough entries that both proceed block by block. */
struct writing {
    const struct reader *reader;
    const struct matrix *matrix;
};

static enum status write_file(void *subject, struct progress *progress, struct error *error)
{
    const struct writing *writing = subject;
    FILE *file = fopen("written", "wb");
    assert_non_null(file);
    enum status status = writing->reader->write(file, writing->matrix, "of a test", progress, error);
    assert_int_equal(fclose(file), 0);
    return status;
}

TEST(files_are_cancelled_at_every_look)
{
    FREED(matrix_free) struct matrix matrix;
    const struct load_options options = {0};
    assert_int_equal(matrix_load("gen:stencil27,n=14", &options, NULL, &matrix, NULL), STATUS_OK);
    for (int k = 0; readers[k]; k++) {
        struct writing writing = {.reader = readers[k], .matrix = &matrix};
        struct loading loading = {.name = "written", .options = {.from = readers[k]}};
        if (!readers[k]->write || readers[k]->package) continue;
        write_file(&writing, NULL, NULL);
        cancel_everywhere(load, &loading, readers[k]->name);
        cancel_everywhere(write_file, &writing, readers[k]->name);
    }
}

/* The parts of a session, each in a separate session. A cancelled part is missing, and is made when it is
 * needed the next time. */
struct part {
    const char *matrix;
    unsigned part;
};

static enum status need(void *subject, struct progress *progress, struct error *error)
{
    const struct part *part = subject;
    const struct load_options options = {0};
    FREED(session_free) struct session session;
    assert_int_equal(session_load(&session, part->matrix, &options, NULL, NULL), STATUS_OK);
    session.hasty = true;
    assert_int_equal(conversions_want_all(&session.shown->conversions, PRECISION_F64, NULL), STATUS_OK);
    bool before = session_has(&session, part->part);
    enum status status = session_need(&session, NULL, part->part, progress, error);
    if (status != STATUS_OK) {
        assert_true(session_has(&session, part->part) == before);
        assert_int_equal(session_need(&session, NULL, part->part, NULL, NULL), STATUS_OK);
    }
    assert_true(session_has(&session, part->part));
    return status;
}

TEST(parts_are_cancelled_at_every_look)
{
    /* These exist with the session, or take no time. */
    const unsigned at_once = SESSION_MATRIX | SESSION_GPU | SESSION_ENTRIES | SESSION_TILES;
    static const char *const matrices[] = {"gen:random,m=60,n=60,mean=5", "gen:laplace2d,n=9"};
    for (size_t m = 0; m < sizeof matrices / sizeof *matrices; m++)
        for (unsigned bit = 1; bit <= SESSION_ENTRIES; bit <<= 1) {
            struct part part = {.matrix = matrices[m], .part = bit};
            char name[64];
            snprintf(name, sizeof name, "part %u of %s", bit, matrices[m]);
            if (bit & at_once)
                assert_int_equal(need(&part, NULL, NULL), STATUS_OK);
            else
                cancel_everywhere(need, &part, name);
        }
}

/* Orders, with the matrix in that order. */
static enum status order(void *subject, struct progress *progress, struct error *error)
{
    const struct load_options options = {0};
    FREED(session_free) struct session session;
    FREED(reorder_free) struct reorder reorder = {0};
    assert_int_equal(session_load(&session, "gen:laplace2d,n=12", &options, NULL, NULL), STATUS_OK);
    assert_int_equal(reorder_begin(&session, subject, &reorder, NULL), STATUS_OK);
    enum status status = reorder_run(&reorder, progress, error);
    if (status != STATUS_OK) assert_null(reorder.matrix.csr.row_ptr);
    return status;
}

TEST(orders_are_cancelled_at_every_look)
{
    int count = 0;
    for (int k = 0; orders[k]; k++) {
        struct order_choice choice = {0};
        /* That of a file needs its name. */
        if (order_check_alone(orders[k], NULL) != STATUS_OK ||
            order_choice_read(orders[k]->name, &choice, NULL) != STATUS_OK ||
            !strcmp(orders[k]->name, "natural"))
            continue;
        cancel_everywhere(order, &choice, orders[k]->name);
        order_choice_free(&choice);
        count++;
    }
    assert_true(count >= 4);
}

/* Partitions. */
static enum status divide(void *subject, struct progress *progress, struct error *error)
{
    const struct load_options options = {0};
    struct partition partition;
    FREED(matrix_free) struct matrix matrix;
    assert_int_equal(matrix_load("gen:laplace2d,n=12", &options, NULL, &matrix, NULL), STATUS_OK);
    enum status status = partition_find(subject, &matrix.csr, true, 4, 0, progress, &partition, error);
    if (status != STATUS_OK) assert_null(partition.owner);
    partition_free(&partition);
    return status;
}

TEST(partitions_are_cancelled_at_every_look)
{
    int count = 0;
    for (int k = 0; partitioners[k]; k++) {
        struct partition_choice choice = {0};
        if (partitioners[k]->absent || partitioners[k]->ranked ||
            partition_choice_read(partitioners[k]->name, &choice, NULL) != STATUS_OK)
            continue;
        cancel_everywhere(divide, &choice, partitioners[k]->name);
        partition_choice_free(&choice);
        count++;
    }
    assert_true(count >= 2);
}

/* Figures of a session that has the parts they need. */
struct drawn {
    const struct figure *figure;
    struct session *session;
    enum figure_by by;
};

static enum status draw(void *subject, struct progress *progress, struct error *error)
{
    const struct drawn *drawn = subject;
    FREED(text_free) struct text text = {0};
    const struct figure_subject of = {.session = drawn->session,
                                      .of = drawn->session->shown,
                                      .by = drawn->by,
                                      .row = -1,
                                      .col = -1,
                                      .from = {3, 5},
                                      .to = {50, 70},
                                      .progress = progress};
    enum status status = figure_svg(drawn->figure, &of, 400, 300, true, &text, error);
    return status;
}

TEST(figures_are_cancelled_at_every_look)
{
    const struct load_options options = {0};
    FREED(session_free) struct session session;
    int count = 0;
    assert_int_equal(session_load(&session, "gen:laplace2d,n=60", &options, NULL, NULL), STATUS_OK);
    for (int k = 0; figures[k]; k++) {
        struct drawn drawn = {.figure = figures[k], .session = &session};
        if (!figures[k]->long_draw) continue;
        assert_int_equal(session_need(&session, NULL, figures[k]->needs, NULL, NULL), STATUS_OK);
        for (drawn.by = FIGURE_VALUE; drawn.by <= FIGURE_SIGN; drawn.by++)
            cancel_everywhere(draw, &drawn, figures[k]->name);
        count++;
    }
    assert_true(count > 0);
}

/* Runs of kernels, and forecasts without running; each in a separate session, which keeps the results. */
static void load_for_kernels(struct session *session)
{
    const struct load_options options = {0};
    assert_int_equal(session_load(session, "gen:laplace2d,n=20", &options, NULL, NULL), STATUS_OK);
    session->hasty = true;
    assert_int_equal(session_need(session, NULL, SESSION_GPU, NULL, NULL), STATUS_OK);
}

static void want_kernels(struct results *results, const char *names)
{
    FREED(kernel_list_free) struct kernel_list list = {0};
    assert_int_equal(kernel_list_add(&list, names, NULL), STATUS_OK);
    for (int k = 0; k < list.count; k++)
        assert_int_equal(results_want(results, &list.choices[k], NULL), STATUS_OK);
}

static enum status run_kernels(void *subject, struct progress *progress, struct error *error)
{
    const struct bench_options options = {.repeat = 1, .warmup = -1, .min_seconds = 1e-9, .limit = 64 << 20};
    FREED(results_free) struct results results = {0};
    FREED(session_free) struct session session;
    load_for_kernels(&session);
    want_kernels(&results, "cpu/csr-seq cpu/ell-omp cuda/csr-vector");
    enum status status = session_run(&session, NULL, NULL, &results, &options, 0, progress, error);
    return status;
}

static enum status foresee_kernels(void *subject, struct progress *progress, struct error *error)
{
    FREED(results_free) struct results results = {0};
    FREED(session_free) struct session session;
    load_for_kernels(&session);
    want_kernels(&results, "cpu/csr-seq cpu/sell-omp cuda/csr-vector cuda/hyb");
    enum status status =
        session_foresee(&session, NULL, &results, (struct product){0}, 0, NULL, progress, error);
    return status;
}

TEST(runs_are_cancelled_at_every_look)
{
    cancel_everywhere(foresee_kernels, NULL, "forecasts");
    cancel_everywhere(run_kernels, NULL, "runs");
}

TESTS_BETWEEN(files_begin, files_end)
