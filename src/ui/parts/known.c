/* Computing the rows of the table in the background: one partition after another, the selected one first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "session/advice.h"
#include "session/scale.h"
#include "ui/parts/screen.h"

/* The maximum size of the owners that are kept. The owners of the selected partition are always kept. */
#define KEPT_BYTES ((size_t)256 << 20)

/* The maximum number of entries and rows that the screen's thread reads, which takes some milliseconds. */
#define AT_ONCE ((int64_t)1 << 18)

bool parts_owners(const struct parts_screen *screen, struct owners **owners)
{
    *owners = screen->table.count ? screen->items[screen->selected].kept : NULL;
    return *owners != NULL;
}

/* The errand */

static enum status divide(void *argument, struct progress *progress, struct error *error)
{
    struct parts_work *work = argument;
    struct partition_choice choice;
    divided_free(&work->divided);
    halo_free(&work->row.halo);
    work->row = (struct distributed){.status = STATUS_CANCELLED};
    enum status status = partition_choice_read(work->name, &choice, error);
    if (status == STATUS_OK)
        status = distribution_divide(&work->of->matrix, &choice, work->parts, work->limit, progress,
                                     &work->row, &work->divided);
    if (status == STATUS_OK) distribution_nodes(&work->network, &work->row, &work->divided);
    partition_choice_free(&choice);
    return status == STATUS_CANCELLED ? status : STATUS_OK; /* the row has the reason for any other failure */
}

static enum status mark(void *argument, struct progress *progress, struct error *error)
{
    struct parts_work *work = argument;
    free(work->marks);
    work->marks = memory_array((size_t)work->dots.high * (size_t)work->dots.wide, sizeof *work->marks, error);
    if (!work->marks) return STATUS_MEMORY;
    return owners_of_dots(&work->of->matrix.csr, &work->owners->divided.partition, &work->dots, progress,
                          work->marks, error);
}

/* Release the least recently selected owners until the others fit in KEPT_BYTES. */
static void trim(struct parts_screen *screen)
{
    for (;;) {
        size_t bytes = 0;
        int oldest = -1;
        for (int k = 0; k < screen->table.count; k++) {
            const struct parts_item *item = &screen->items[k];
            if (!item->kept) continue;
            bytes += owners_bytes(item->kept);
            if (k != screen->selected && (oldest < 0 || item->used < screen->items[oldest].used)) oldest = k;
        }
        if (bytes <= KEPT_BYTES || oldest < 0) return;
        owners_release(screen->items[oldest].kept);
        screen->items[oldest].kept = NULL;
    }
}

/* Take over the errand's partition. */
static void take_division(struct parts_screen *screen)
{
    struct parts_work *work = &screen->work;
    struct distribution *table = &screen->table;
    for (int k = 0; k < table->count; k++) {
        struct distributed *row = &table->items[k];
        struct parts_item *item = &screen->items[k];
        if (row->parts != work->parts || strcmp(row->name, work->name) != 0) continue;
        halo_free(&row->halo);
        *row = work->row;
        snprintf(row->name, sizeof row->name, "%s", work->name); /* empty if the choice was not read */
        if (!row->partitioner) row->partitioner = partitioners[0];
        work->row = (struct distributed){0};
        item->done = true;
        if (row->status == STATUS_OK) {
            owners_release(item->kept);
            item->kept = owners_make(work->of, work->name, row->halo.messages, &work->divided);
        }
        break;
    }
    trim(screen);
    screen->tiles.of = NULL; /* the address of the released owners may be reused */
    screen->predicted = false;
}

static void take_marks(struct parts_screen *screen)
{
    struct parts_work *work = &screen->work;
    struct parts_picture *picture = &screen->picture;
    free(picture->marks);
    owners_release(picture->owners);
    picture->marks = work->marks;
    picture->owners = work->owners;
    picture->dots = work->dots;
    work->marks = NULL;
    work->owners = NULL;
}

static void take(struct parts_screen *screen)
{
    struct errand *errand = &screen->errand;
    if (errand->state != ERRAND_DONE) return;
    if (screen->work.deed == DEED_DIVIDE) take_division(screen);
    if (screen->work.deed == DEED_MARK) take_marks(screen);
    errand->state = ERRAND_NONE;
}

/* The next task of the errand, and its row. */
struct wanted {
    enum parts_deed deed;
    int row;
};

bool parts_marked(const struct parts_screen *screen, const struct owners *owners)
{
    const struct parts_picture *picture = &screen->picture;
    return picture->marks && picture->owners == owners && picture->dots.high == picture->fit.high &&
           picture->dots.wide == picture->fit.wide && picture->dots.dot_rows == picture->fit.rows &&
           picture->dots.dot_cols == picture->fit.cols;
}

/* True if `a` comes before `b` among the rows that the user has not selected. Partitioners of the program
 * come before libraries, and fewer parts before more. */
static bool comes_first(const struct distributed *a, const struct distributed *b)
{
    bool left = a->partitioner->package != NULL, right = b->partitioner->package != NULL;
    return left != right ? right : a->parts < b->parts;
}

static struct wanted next(const struct explorer *explorer, const struct parts_screen *screen)
{
    const struct distribution *table = &screen->table;
    const struct parts_item *selected = &screen->items[screen->selected];
    bool refused = selected->done && table->items[screen->selected].status != STATUS_OK;
    struct wanted wanted = {DEED_NONE, -1};
    if (!selected->kept && !refused) return (struct wanted){DEED_DIVIDE, screen->selected};
    if (selected->kept && screen->picture.fit.high > 0 && !screen->unmarked &&
        !parts_marked(screen, selected->kept))
        return (struct wanted){DEED_MARK, screen->selected};
    if (screen->paused) return wanted;
    bool slow = csr_nnz(&explorer->session->shown->matrix.csr) > ENTRIES_SLOW;
    for (int k = 0; k < table->count; k++) {
        if (screen->items[k].done || (slow && table->items[k].partitioner->package)) continue;
        if (wanted.row < 0 || comes_first(&table->items[k], &table->items[wanted.row]))
            wanted = (struct wanted){DEED_DIVIDE, k};
    }
    return wanted;
}

/* True if the errand already does this task. */
static bool is_doing(const struct parts_screen *screen, struct wanted wanted)
{
    const struct parts_work *work = &screen->work;
    const struct parts_fit *fit = &screen->picture.fit;
    if (work->deed != wanted.deed) return false;
    if (wanted.deed == DEED_MARK)
        return work->owners == screen->items[wanted.row].kept && work->dots.high == fit->high &&
               work->dots.wide == fit->wide && work->dots.dot_rows == fit->rows &&
               work->dots.dot_cols == fit->cols;
    return wanted.deed == DEED_DIVIDE && work->parts == screen->table.items[wanted.row].parts &&
           strcmp(work->name, screen->table.items[wanted.row].name) == 0;
}

static void begin(struct explorer *explorer, struct parts_screen *screen, struct wanted wanted)
{
    struct parts_work *work = &screen->work;
    const struct parts_fit *fit = &screen->picture.fit;
    const struct distributed *row = &screen->table.items[wanted.row];
    work->deed = wanted.deed;
    work->of = explorer->session->shown;
    work->limit = explorer->session->limit;
    if (wanted.deed == DEED_DIVIDE) {
        work->parts = row->parts;
        work->network = screen->table.network;
        snprintf(work->name, sizeof work->name, "%s", row->name);
    } else {
        owners_release(work->owners);
        work->owners = owners_hold(screen->items[wanted.row].kept);
        work->dots = (struct size_dots){0, 0, fit->rows, fit->cols, fit->high, fit->wide};
    }
    screen->errand = (struct errand){.run = wanted.deed == DEED_DIVIDE ? divide : mark,
                                     .argument = work,
                                     .title = "Parts",
                                     .state = ERRAND_WANTED};
}

/* If there are few entries, mark the dots at once. */
static bool mark_at_once(struct explorer *explorer, struct parts_screen *screen, struct wanted wanted)
{
    const struct csr *a = &explorer->session->shown->matrix.csr;
    if (wanted.deed != DEED_MARK || csr_nnz(a) + a->rows > AT_ONCE) return false;
    begin(explorer, screen, wanted);
    screen->errand.state = ERRAND_NONE;
    if (mark(&screen->work, NULL, NULL) == STATUS_OK)
        take_marks(screen);
    else
        screen->unmarked = true;
    return true;
}

bool parts_retry(struct parts_screen *screen)
{
    if (!screen->paused && !screen->unmarked) return false;
    screen->paused = screen->unmarked = false;
    if (screen->errand.state == ERRAND_FAILED) screen->errand.state = ERRAND_NONE;
    return true;
}

static void ask(struct explorer *explorer, struct parts_screen *screen)
{
    struct errand *errand = &screen->errand;
    if (errand->state == ERRAND_FAILED) {
        screen->paused = true;
        if (screen->work.deed == DEED_MARK && !errand->declined) screen->unmarked = true;
    }
    struct wanted wanted = next(explorer, screen);
    bool same = is_doing(screen, wanted);
    if (errand->state == ERRAND_RUNNING) {
        /* A task for the selected row stops a task that the user has not requested. */
        errand->unwanted = wanted.deed != DEED_NONE && wanted.row == screen->selected && !same;
        return;
    }
    if (wanted.deed == DEED_NONE && errand->state == ERRAND_WANTED) errand->state = ERRAND_NONE;
    if (wanted.deed == DEED_NONE || (same && errand->state == ERRAND_FAILED)) return;
    if (mark_at_once(explorer, screen, wanted) || errand_waits(errand, explorer->errand)) return;
    if (!same || errand->state != ERRAND_WANTED) begin(explorer, screen, wanted);
    errand->patient = wanted.row != screen->selected;
    explorer->errand = errand;
}

/* Return the fastest candidate of the chosen kernel and threads. Without a choice, return the recommended
 * candidate; NULL if there is none. */
static const struct advice_candidate *base_of(const struct advice *advice, const struct parts_base *base)
{
    const struct advice_candidate *best = NULL;
    if (!base->kernel[0] && base->threads == 0) return &advice->candidates[advice->best];
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        const struct result *result = candidate->result;
        if (base->threads > 0 && result->resolved.threads != base->threads) continue;
        if (base->kernel[0] && strcmp(result->name, base->kernel) != 0 &&
            strcmp(result->full_name, base->kernel) != 0)
            continue;
        if (!best || candidate->seconds < best->seconds) best = candidate;
    }
    return best;
}

/* Predict all rows with this candidate's time as the time of one process. */
static void predict_from(const struct session *session, struct parts_screen *screen,
                         const struct advice_candidate *base, size_t bytes)
{
    char name[CHOICE_NAME];
    const int threads = base->result->resolved.threads;
    const size_t length = (size_t)snprintf(name, sizeof name, "%s", base->result->name);
    if (threads > 0 && length < sizeof name)
        snprintf(name + length, sizeof name - length, ", %d thread%s", threads, threads == 1 ? "" : "s");
    const struct crowd crowd = session_crowd(session, base);
    distribution_predict(&screen->table, base->seconds * 1e6, base->measured, name, bytes, &crowd);
}

void parts_answer_network(struct explorer *explorer, struct parts_screen *screen, const char *text)
{
    struct network network = screen->table.network;
    struct parts_base base = screen->base;
    struct error error = {0};
    char words[160], *rest = words, *word;
    snprintf(words, sizeof words, "%s", text);
    while ((word = strtok_r(rest, " ", &rest))) {
        char *end;
        if (strncmp(word, "threads=", 8) == 0) {
            base.threads = (int)strtol(word + 8, &end, 10);
            if (!word[8] || *end || base.threads < 0) {
                explorer_say(explorer, "threads=%s: give a number of threads", word + 8);
                return;
            }
        } else if (strchr(word, '=') && !strchr(word, ':')) {
            if (network_read(word, &network, &error) != STATUS_OK) {
                explorer_say(explorer, "%s", error.message);
                return;
            }
        } else {
            snprintf(base.kernel, sizeof base.kernel, "%s", strcmp(word, "advised") == 0 ? "" : word);
        }
    }
    if (screen->told) {
        parts_predict_told(explorer, screen, &network);
        if (base.kernel[0] || base.threads)
            explorer_say(explorer, "the time of one process is the report's, by %s", screen->table.kernel);
        return;
    }
    screen->table.networked |= !network_same(&network, &screen->table.network);
    screen->table.network = network;
    screen->base = base;
    screen->table.single_us = NAN;
    screen->predicted = false;
    parts_refresh(explorer, screen);
    if (isnan(screen->table.single_us) && (base.kernel[0] || base.threads))
        explorer_say(explorer, "no time of %s%s for this processor: run it on Kernels, or type advised",
                     base.kernel[0] ? base.kernel : "a kernel", base.threads ? " with these threads" : "");
}

/* Predict again if there are new rows, or new times of one process. */
static void predict(struct explorer *explorer, struct parts_screen *screen)
{
    struct session *session = explorer->session;
    struct matrix_case *of = session->shown;
    bool foretold = foresight_complete(&of->foresight[PRECISION_F64]);
    bool same = screen->runs_added == of->runs.added && screen->runs_count == of->runs.count &&
                screen->foretold == foretold;
    const size_t bytes = (size_t)value_width(PRECISION_F64, case_is_complex(of));
    if (same && screen->predicted) return;
    if (!same || isnan(screen->table.single_us)) {
        struct advices advices = {0};
        const struct advice *advice = &advices.items[ADVICE_CPU];
        screen->runs_added = of->runs.added;
        screen->runs_count = of->runs.count;
        screen->foretold = foretold;
        screen->table.single_us = NAN;
        const enum status status =
            session_advise(session, of, (struct advice_question){PRECISION_F64}, &advices, NULL);
        const struct advice_candidate *base =
            status == STATUS_OK && advice->there ? base_of(advice, &screen->base) : NULL;
        if (base) predict_from(session, screen, base, bytes);
        advices_free(&advices);
    } else {
        char kernel[CHOICE_NAME];
        snprintf(kernel, sizeof kernel, "%s", screen->table.kernel);
        distribution_predict(&screen->table, screen->table.single_us, screen->table.measured, kernel, bytes,
                             &screen->table.crowd);
    }
    screen->predicted = true;
}

void parts_refresh(struct explorer *explorer, struct parts_screen *screen)
{
    struct owners *owners;
    const bool starts = !screen->started;
    parts_start(explorer, screen);
    if (starts && screen->told) parts_select_asked(explorer, screen);
    if (screen->settings != explorer->settings) {
        parts_take_network(explorer, screen);
        screen->predicted = false;
    }
    if (screen->told) return;
    take(screen);
    predict(explorer, screen);
    if (screen->table.count) ask(explorer, screen);
    if (screen->table.count && parts_owners(screen, &owners)) explorer->owners = owners;
    if (errand_pending(&screen->errand)) explorer->moving = true;
}

void parts_let_go(struct parts_screen *screen)
{
    for (int k = 0; k < screen->table.count; k++)
        owners_release(screen->items[k].kept);
    free(screen->items);
    if (screen->told)
        free(screen->table.items);
    else
        distribution_free(&screen->table);
    halo_free(&screen->work.row.halo);
    divided_free(&screen->work.divided);
    owners_release(screen->work.owners);
    free(screen->work.marks);
    owners_release(screen->picture.owners);
    free(screen->picture.marks);
    free(screen->tiles.elements);
}
