/* Progress ends every phase that it begins: as many steps are done as the phase announced, neither fewer nor
 * more. The test walks over the tables of readers, generators, orders, partitions and parts of a session.
 * Linked so that the beginnings of phases are seen. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/files/reader.h"
#include "matrix/generators/generate.h"
#include "matrix/orders/permute.h"
#include "session/session.h"
#include "support/files.h"
#include "support/unit.h"

void __real_progress_phase(struct progress *progress, const char *phase, int64_t total);
void __wrap_progress_phase(struct progress *progress, const char *phase, int64_t total);

/* What is being done, and the number of phases that ended. */
static char doing[4300];
static int phases, wrong;
static const struct progress *watched;

static void ends(const struct progress *progress)
{
    const long long done = atomic_load(&progress->done), total = atomic_load(&progress->total);
    const char *phase = atomic_load(&progress->phase);
    if (!phase) return;
    phases++;
    if (done == total || total == 0) return;
    fprintf(stderr, "%s: %s ended at %lld of %lld\n", doing, phase, done, total);
    wrong++;
}

void __wrap_progress_phase(struct progress *progress, const char *phase, int64_t total)
{
    if (progress && progress == watched && !atomic_load(&progress->held)) ends(progress);
    __real_progress_phase(progress, phase, total);
}

/* Work with a progress of its own, which must succeed. */
static void watch(enum status (*work)(const void *subject, struct progress *progress, struct error *error),
                  const void *subject, const char *name)
{
    struct progress progress = {0};
    struct error error = {0};
    snprintf(doing, sizeof doing, "%s", name);
    watched = &progress;
    const enum status status = work(subject, &progress, &error);
    if (status != STATUS_OK) fail_msg("%s: %s", name, error.message);
    ends(&progress);
    watched = NULL;
}

struct loading {
    const char *name;
    struct load_options options;
};

static enum status load(const void *subject, struct progress *progress, struct error *error)
{
    const struct loading *loading = subject;
    FREED(matrix_free) struct matrix matrix = {0};
    return matrix_load(loading->name, &loading->options, progress, &matrix, error);
}

static int load_files(const char *folder)
{
    char path[4096];
    int count = 0;
    DIR *stream = opendir(folder);
    if (!stream) fail_msg("%s cannot be opened", folder);
    for (struct dirent *entry; (entry = readdir(stream));) {
        const struct loading loading = {.name = path};
        struct matrix matrix;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || matrix_load(path, &loading.options, NULL, &matrix, NULL) != STATUS_OK)
            continue;
        matrix_free(&matrix);
        watch(load, &loading, path);
        count++;
    }
    closedir(stream);
    return count;
}

TEST(files_are_read_to_their_ends)
{
    char folder[4096];
    phases = wrong = 0;
    snprintf(folder, sizeof folder, "%s/data", getenv("SRCDIR"));
    assert_true(load_files(folder) >= 10);
    snprintf(folder, sizeof folder, "%s/tests/matrix/foreign", getenv("SRCDIR"));
    assert_true(load_files(folder) >= 40);
    /* Arrays are counted before they are read. */
    FILE *file = fopen("array.mtx", "w");
    assert_non_null(file);
    fprintf(file, "%%%%MatrixMarket matrix array real general\n40 30\n");
    for (int k = 0; k < 40 * 30; k++)
        fprintf(file, "%d\n", k % 7);
    assert_int_equal(fclose(file), 0);
    watch(load, &(struct loading){.name = "array.mtx"}, "an array");
    assert_true(phases > 50);
    assert_int_equal(wrong, 0);
}

struct writing {
    const struct reader *reader;
    const struct matrix *matrix;
};

static enum status write_file(const void *subject, struct progress *progress, struct error *error)
{
    const struct writing *writing = subject;
    FILE *file = fopen("written", "wb");
    assert_non_null(file);
    enum status status = writing->reader->write(file, writing->matrix, "of a test", progress, error);
    assert_int_equal(fclose(file), 0);
    return status;
}

TEST(written_files_are_complete)
{
    static const char *const names[] = {"gen:stencil27,n=14", "gen:random,m=700,n=300,mean=5"};
    phases = wrong = 0;
    for (int m = 0; m < 2; m++) {
        FREED(matrix_free) struct matrix matrix;
        const struct load_options options = {0};
        assert_int_equal(matrix_load(names[m], &options, NULL, &matrix, NULL), STATUS_OK);
        for (int k = 0; readers[k]; k++) {
            const struct writing writing = {.reader = readers[k], .matrix = &matrix};
            const struct loading loading = {.name = "written", .options = {.from = readers[k]}};
            if (!readers[k]->write || readers[k]->package) continue;
            if (m == 1 && write_file(&writing, NULL, NULL) != STATUS_OK) continue; /* square ones alone */
            char name[64];
            snprintf(name, sizeof name, "writing %s of %s", readers[k]->name, names[m]);
            watch(write_file, &writing, name);
            snprintf(name, sizeof name, "reading %s of %s", readers[k]->name, names[m]);
            watch(load, &loading, name);
        }
    }
    assert_true(phases > 20);
    assert_int_equal(wrong, 0);
}

TEST(generated_matrices_are_complete)
{
    char name[256];
    phases = wrong = 0;
    for (int g = 0; generators[g]; g++) {
        const struct parameter *size = &generators[g]->parameters[0];
        if (size->type == PARAMETER_TEXT)
            snprintf(name, sizeof name, "gen:%s,%s=gen:dense,m=4,copies=9", generators[g]->name, size->name);
        else
            snprintf(name, sizeof name, "gen:%s,%s=%.0f", generators[g]->name, size->name,
                     fmax(size->min, floor(size->standard / 8)));
        const struct loading loading = {.name = name};
        watch(load, &loading, name);
    }
    assert_true(phases > 10);
    assert_int_equal(wrong, 0);
}

struct part {
    struct session *session;
    unsigned part;
};

static enum status need(const void *subject, struct progress *progress, struct error *error)
{
    const struct part *part = subject;
    return session_need(part->session, NULL, part->part, progress, error);
}

TEST(parts_of_sessions_are_complete)
{
    static const char *const matrices[] = {"gen:random,m=900,n=700,mean=5", "gen:laplace2d,n=40"};
    phases = wrong = 0;
    for (size_t m = 0; m < 2; m++)
        for (unsigned bit = 1; bit <= SESSION_ENTRIES; bit <<= 1) {
            const struct load_options options = {0};
            FREED(session_free) struct session session;
            char name[96];
            assert_int_equal(session_load(&session, matrices[m], &options, NULL, NULL), STATUS_OK);
            session.hasty = true;
            snprintf(name, sizeof name, "part %u of %s", bit, matrices[m]);
            watch(need, &(struct part){&session, bit}, name);
        }
    assert_true(phases > 10);
    assert_int_equal(wrong, 0);
}

static enum status order(const void *subject, struct progress *progress, struct error *error)
{
    const struct load_options options = {0};
    FREED(session_free) struct session session;
    FREED(reorder_free) struct reorder reorder = {0};
    assert_int_equal(session_load(&session, "gen:laplace2d,n=30", &options, NULL, NULL), STATUS_OK);
    assert_int_equal(reorder_begin(&session, (struct order_choice *)subject, &reorder, NULL), STATUS_OK);
    return reorder_run(&reorder, progress, error);
}

TEST(orders_are_complete)
{
    phases = wrong = 0;
    for (int k = 0; orders[k]; k++) {
        struct order_choice choice = {0};
        if (order_check_alone(orders[k], NULL) != STATUS_OK ||
            order_choice_read(orders[k]->name, &choice, NULL) != STATUS_OK ||
            strcmp(orders[k]->name, "natural") == 0)
            continue;
        watch(order, &choice, orders[k]->name);
        order_choice_free(&choice);
    }
    assert_true(phases > 5);
    assert_int_equal(wrong, 0);
}

TESTS_BETWEEN(files_begin, files_end)
