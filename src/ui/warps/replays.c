/* The kernels of the panes. The errand prepares, records and counts them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/warps/warps.h"

/* With more slots than this, only a sample of the warps is counted. */
#define SLOTS_WHOLE 5e7
#define SAMPLE_SEED 1

static void replay_free(struct replay *replay)
{
    if (!replay) return;
    kernel_release(&replay->launch);
    device_close(&replay->device);
    warp_record_free(&replay->recording.record);
    free(replay);
}

static struct replay *replay_make(const struct warps *warps, int choice, struct error *error)
{
    struct replay *replay = memory_zeroed(1, sizeof *replay, error);
    if (!replay) return NULL;
    replay->choice = kernel_choice_with(&warps->list.choices[choice], warps->precision, 0);
    gpu_facts(&warps->gpu, &replay->facts);
    return replay;
}

/* Remove the kernel from a pane, and free it. If the errand works on it, it is freed when the errand ends. */
static void retire(struct warps *warps, struct pane *pane)
{
    struct replay *replay = pane->replay;
    pane->replay = NULL;
    pane->recorded = pane->placed = pane->astray = pane->leads = false;
    pane->wish = (struct warp_wish){0};
    warp_record_free(&pane->record);
    if (!replay || replay != warps->working) {
        replay_free(replay);
    } else {
        warps->retired = replay;
        warps->errand.unwanted = true;
    }
}

/* Return the index of a kernel in the list by its name; -1 if it is missing. */
static int find_choice(const struct warps *warps, const char *name)
{
    for (int k = 0; k < warps->list.count; k++)
        if (strcmp(warps->list.choices[k].kernel->name, name) == 0) return k;
    return -1;
}

/* The first kernel is csr-scalar. Until kernels are forecast, the second is ELL, as in PMPP. It also has a
 * thread for each row, but stores the matrix transposed. If ELL is too large, csr-vector replaces it. */
static int second_choice(const struct warps *warps, bool ell_fits)
{
    int ell = ell_fits ? find_choice(warps, "ell-padded") : -1, vector = find_choice(warps, "csr-vector");
    return ell >= 0 ? ell : vector >= 0 ? vector : 0;
}

enum status warps_start(struct warps *warps, struct error *error)
{
    int count = 0, traced = 0;
    while (kernels[count])
        count++;
    warps->traced = memory_zeroed((size_t)count + 1, sizeof *warps->traced, error);
    if (!warps->traced) return STATUS_MEMORY;
    for (int k = 0; k < count; k++)
        if (kernels[k]->trace) warps->traced[traced++] = kernels[k];
    if (!traced) return STATUS_OK;
    enum status status = kernel_list_add_from(&warps->list, warps->traced, "all", error);
    if (status != STATUS_OK) return status;
    int first = find_choice(warps, "csr-scalar");
    warps->panes[0].replay = replay_make(warps, first < 0 ? 0 : first, error);
    warps->panes[1].replay = replay_make(warps, second_choice(warps, true), error);
    warps->tentative = true;
    return warps->panes[0].replay && warps->panes[1].replay ? STATUS_OK : STATUS_MEMORY;
}

void warps_free(struct warps *warps)
{
    for (int p = 0; p < WARPS_PANES; p++) {
        replay_free(warps->panes[p].replay);
        warp_record_free(&warps->panes[p].record);
    }
    replay_free(warps->retired);
    kernel_list_free(&warps->list);
    list_free(&warps->dialog);
    free(warps->traced);
}

/* The work of the errand, on its own thread */

static enum status prepare(struct replay *replay)
{
    const struct launch_options options = {.limit = replay->limit};
    paper_open(&replay->facts, &replay->device);
    paper_prepare(&replay->device, &replay->choice, replay->conversion->storage, &options, &replay->launch,
                  &replay->refusal);
    return STATUS_OK; /* a refusal is no failure of the errand, because the pane shows it */
}

static enum status count(struct replay *replay, struct progress *progress, struct error *error)
{
    double slots = (double)storage_slots(replay->launch.storage);
    double share = replay->share > 0 ? replay->share : slots > SLOTS_WHOLE ? SLOTS_WHOLE / slots : 1;
    enum status status =
        coalescing_count(&replay->launch, share, SAMPLE_SEED, &replay->whole, NULL, progress, error);
    if (status != STATUS_OK) return status;
    return warp_costs_find(&replay->launch, share, &replay->costs, progress, error);
}

/* Find the warp if the wish requests this, and replay it. Only then is the step of the moment known. If the
 * record lacks its addresses, the warp is replayed once more. */
static enum status record(const struct launch *launch, struct recording *recording, struct progress *progress,
                          struct error *error)
{
    struct warp_budget budget = {.left = INT64_MAX, .progress = progress};
    struct warp_record *into = &recording->record;
    recording->at = recording->wish.at;
    progress_phase(progress, "replaying a long warp", 0);
    if (recording->wish.find)
        recording->found =
            warp_of_row(launch, recording->wish.row, recording->wish.at.stage, &budget, &recording->at);
    if (budget.exhausted) return progress_status(progress, error);
    enum status status =
        warp_record_make(launch, recording->at, recording->moment_step, &budget, into, error);
    if (status != STATUS_OK) return status;
    int64_t step = warp_step_of(into, recording->moment, recording->moment_step);
    if (into->count == 0 || warp_record_has(into, step)) return STATUS_OK;
    return warp_record_make(launch, recording->at, step, &budget, into, error);
}

static enum status run(void *argument, struct progress *progress, struct error *error)
{
    struct replay *replay = argument;
    if (replay->chore == CHORE_PREPARE) return prepare(replay);
    if (replay->chore == CHORE_COUNT) return count(replay, progress, error);
    return record(&replay->launch, &replay->recording, progress, error);
}

static bool same_wish(const struct warp_wish *a, const struct warp_wish *b)
{
    return a->find == b->find && (!a->find || a->row == b->row) && a->at.stage == b->at.stage &&
           a->at.warp == b->at.warp;
}

static struct pane *pane_of(struct warps *warps, const struct replay *replay)
{
    for (int p = 0; p < WARPS_PANES; p++)
        if (replay && warps->panes[p].replay == replay) return &warps->panes[p];
    return NULL;
}

bool warps_replaying(const struct warps *warps, const struct pane *pane)
{
    return pane->wish.wanted && warps->working == pane->replay && warps->errand.state == ERRAND_RUNNING &&
           pane->replay->chore == CHORE_RECORD && same_wish(&pane->wish, &pane->replay->recording.wish);
}

/* Give the record to its pane if the pane still wants it, else free it. */
static void deliver(struct warps *warps, struct recording *recording)
{
    struct pane *pane = pane_of(warps, warps->working);
    if (pane && pane->wish.wanted && same_wish(&pane->wish, &recording->wish)) {
        pane->astray = pane->wish.find ? !recording->found : pane->astray;
        pane->wish.wanted = false;
        pane->at = recording->at;
        pane->placed = pane->recorded = true;
        warp_record_free(&pane->record);
        pane->record = recording->record;
        recording->record = (struct warp_record){0};
    }
    warp_record_free(&recording->record);
}

/* Record that the chore failed or was cancelled, so that it is not started again automatically. */
static void decline(struct warps *warps, struct replay *replay)
{
    struct pane *pane = pane_of(warps, replay);
    if (replay->chore != CHORE_RECORD)
        replay->declined = true;
    else if (pane && same_wish(&pane->wish, &replay->recording.wish))
        pane->wish.declined = true;
}

/* Unless the errand is running, take its result and release it, even if it has not started. warps_want then
 * starts the most urgent chore. */
static void take(struct warps *warps)
{
    struct replay *replay = warps->working;
    enum errand_state state = warps->errand.state;
    if (state == ERRAND_RUNNING) return;
    if (replay && state == ERRAND_DONE && replay->chore == CHORE_RECORD)
        deliver(warps, &replay->recording);
    else if (replay && state == ERRAND_DONE)
        replay->ready = (enum readiness)(replay->ready + 1);
    else if (replay && state == ERRAND_FAILED)
        decline(warps, replay);
    warps->errand.state = ERRAND_NONE;
    warps->working = NULL;
    replay_free(warps->retired);
    warps->retired = NULL;
}

static bool can_be_prepared(const struct replay *replay)
{
    return replay && replay->ready == READY_NOT && replay->refusal.status == STATUS_OK && !replay->declined &&
           replay->conversion && conversion_state(replay->conversion) == CONVERSION_BUILT;
}

static bool can_be_counted(const struct replay *replay)
{
    return replay && replay->ready == READY_PREPARED && replay->refusal.status == STATUS_OK &&
           !replay->declined;
}

static bool can_be_recorded(const struct pane *pane)
{
    return pane->replay && pane->replay->ready >= READY_PREPARED &&
           pane->replay->refusal.status == STATUS_OK && pane->wish.wanted && !pane->wish.declined;
}

/* Return the next kernel for the errand; NULL if there is nothing to do. First both kernels are prepared,
 * then both warps recorded. Counting comes last, because it takes longest and nothing waits for it. */
static struct replay *next_replay(struct warps *warps, enum chore *chore)
{
    for (*chore = CHORE_PREPARE; *chore <= CHORE_COUNT; ++*chore)
        for (int k = 0; k < WARPS_PANES; k++) {
            const struct pane *pane = &warps->panes[(warps->focus + k) % WARPS_PANES];
            if (*chore == CHORE_PREPARE  ? can_be_prepared(pane->replay)
                : *chore == CHORE_RECORD ? can_be_recorded(pane)
                                         : can_be_counted(pane->replay))
                return pane->replay;
        }
    return NULL;
}

static void begin(const struct explorer *explorer, struct warps *warps, struct replay *replay,
                  enum chore chore)
{
    const struct pane *pane = pane_of(warps, replay);
    warps->errand = (struct errand){.run = run, .argument = replay, .state = ERRAND_WANTED};
    warps->working = replay;
    replay->chore = chore;
    replay->share = explorer->sample;
    if (chore == CHORE_RECORD)
        replay->recording = (struct recording){
            .wish = pane->wish, .moment = warps->moment, .moment_step = warps->moment_step};
}

/* True if the errand must stop. Counting gives way to preparing and recording. Recording stops if the pane's
 * wish has changed. All work stops if its kernel has left the pane. */
static bool gives_way(struct warps *warps, const struct replay *next, enum chore chore)
{
    const struct replay *working = warps->working;
    const struct pane *pane = pane_of(warps, working);
    if (!pane || working->chore == CHORE_PREPARE) return !pane;
    if (working->chore == CHORE_COUNT) return next && chore < CHORE_COUNT;
    return !pane->wish.wanted || !same_wish(&pane->wish, &working->recording.wish);
}

void warps_want(struct explorer *explorer, struct warps *warps)
{
    struct errand *errand = &warps->errand;
    enum chore chore;
    struct replay *next = next_replay(warps, &chore);
    if (errand->state == ERRAND_NONE && next)
        begin(explorer, warps, next, chore);
    else if (errand->state == ERRAND_RUNNING && gives_way(warps, next, chore))
        errand->unwanted = true;
    if (errand->state == ERRAND_WANTED && !errand_waits(errand, explorer->errand)) explorer->errand = errand;
}

static void want_conversion(struct explorer *explorer, struct replay *replay)
{
    struct error error = {0};
    if (replay->conversion || replay->refusal.status != STATUS_OK) return;
    if (kernel_suits(replay->choice.kernel, explorer->session->shown->matrix.csr.imaginary != NULL,
                     (struct product){0}, &replay->refusal) != STATUS_OK)
        return;
    replay->limit = explorer->session->limit;
    replay->conversion =
        conversions_want(&explorer->session->shown->conversions, &replay->choice.format, &error);
    if (replay->conversion) {
        replay->conversion->keep = true;
        replay->conversion->declined = false;
    } else {
        replay->refusal = error;
    }
}

static void hold(struct explorer *explorer, const struct warps *warps)
{
    struct conversion *held[WARPS_PANES + 1];
    int count = 0;
    for (int k = 0; k <= WARPS_PANES; k++) {
        const struct replay *replay = k < WARPS_PANES ? warps->panes[k].replay : warps->retired;
        if (replay && replay->conversion) held[count++] = replay->conversion;
    }
    explorer_hold(explorer, warps, held, count);
}

/* Return the kernel of the list with the shortest forecast, except the first pane's; -1 until all are
 * forecast. */
static int best_choice(const struct explorer *explorer, const struct warps *warps)
{
    const struct matrix_case *of = explorer->session->shown;
    const struct foresight *foresight = case_foresight(of, PRECISION_F64, (struct product){0});
    const int first = warps_choice(warps, &warps->panes[0]);
    double least = INFINITY;
    int best = -1;
    for (int g = 0; foresight_complete(foresight) && g < foresight_count(foresight); g++)
        for (int k = 0; k < foresight->groups[g].count; k++) {
            const struct result *result = &foresight->groups[g].items[k];
            const struct prediction *prediction = &result->predicted[explorer->cold];
            const int choice = prediction->there && prediction->seconds < least
                                   ? kernel_list_find(&warps->list, &result->choice)
                                   : -1;
            if (choice < 0 || choice == first) continue;
            least = prediction->seconds;
            best = choice;
        }
    return best;
}

/* If the user has not chosen the second kernel, replace it by the best one once this is known. If the matrix
 * is too large for its format, replace it by another kernel. */
static void settle(struct explorer *explorer, struct warps *warps)
{
    struct pane *pane = &warps->panes[1];
    const struct replay *replay = pane->replay;
    if (!warps->tentative || !replay || !replay->conversion) return;
    const int best = best_choice(explorer, warps);
    const bool refused = conversion_state(replay->conversion) == CONVERSION_REFUSED;
    if (best < 0 && !refused) return;
    struct replay *other = replay_make(warps, best >= 0 ? best : second_choice(warps, false), NULL);
    if (!other) return;
    retire(warps, pane);
    pane->replay = other;
    want_conversion(explorer, other);
    warps->tentative = best < 0;
}

void warps_update(struct explorer *explorer, struct warps *warps)
{
    take(warps);
    for (int p = 0; p < WARPS_PANES; p++)
        if (warps->panes[p].replay) want_conversion(explorer, warps->panes[p].replay);
    settle(explorer, warps);
    hold(explorer, warps);
    warps_want(explorer, warps);
}

/* Choosing */

void warps_choose(struct explorer *explorer, struct warps *warps, int choice)
{
    struct error error = {0};
    struct pane *pane = &warps->panes[warps->focus];
    if (choice == warps_choice(warps, pane) && pane->replay->choice.format.precision == warps->precision)
        return;
    struct replay *replay = replay_make(warps, choice, &error);
    if (!replay) {
        explorer_say_error(explorer, &error);
        return;
    }
    warps->tentative = false;
    retire(warps, pane);
    pane->replay = replay;
}

int warps_choice(const struct warps *warps, const struct pane *pane)
{
    return pane->replay ? kernel_list_find(&warps->list, &pane->replay->choice) : -1;
}

void warps_ask(struct explorer *explorer, void *state, int unused)
{
    const struct warps *warps = state;
    const struct replay *replay = warps->panes[warps->focus].replay;
    char label[64], text[CHOICE_NAME];
    size_t length = (size_t)snprintf(label, sizeof label, "Kernel (");
    const struct parameter *tables[] = {replay->choice.kernel->parameters,
                                        replay->choice.kernel->format->parameters};
    for (int t = 0; t < 2; t++)
        for (int k = 0; tables[t][k].name && length < sizeof label - 1; k++)
            length += (size_t)snprintf(label + length, sizeof label - length, "%s%s",
                                       label[length - 1] == '(' ? "" : ", ", tables[t][k].name);
    if (length + 2 < sizeof label) strcat(label, ")");
    explorer_ask(explorer, label, kernel_choice_short_name(&replay->choice, text, sizeof text));
}

void warps_answer(struct explorer *explorer, void *state, const char *text)
{
    struct warps *warps = state;
    struct error error = {0};
    struct kernel_list typed = {0};
    int count = warps->list.count, choice = -1;
    enum status status = kernel_list_add_from(&typed, warps->traced, text, &error);
    if (status == STATUS_OK) status = kernel_list_add_from(&warps->list, warps->traced, text, &error);
    if (warps->list.count > count)
        choice = count;
    else if (typed.count == 1)
        choice = kernel_list_find(&warps->list, &typed.choices[0]);
    kernel_list_free(&typed);
    if (status != STATUS_OK)
        explorer_say_error(explorer, &error);
    else if (choice >= 0)
        warps_choose(explorer, warps, choice);
}

void warps_change_precision(struct explorer *explorer, void *state, int unused)
{
    struct warps *warps = state;
    int focus = warps->focus;
    warps->precision = warps->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    for (warps->focus = 0; warps->focus < WARPS_PANES; warps->focus++)
        warps_choose(explorer, warps, warps_choice(warps, &warps->panes[warps->focus]));
    warps->focus = focus;
    explorer_say(explorer, "values as %s", case_value_name(explorer->session->shown, warps->precision));
}

bool warps_retry(struct warps *warps)
{
    bool declined = false;
    for (int p = 0; p < WARPS_PANES; p++) {
        struct pane *pane = &warps->panes[p];
        struct replay *replay = pane->replay;
        if (!replay) continue;
        declined |=
            pane->wish.declined || replay->declined || (replay->conversion && replay->conversion->declined);
        pane->wish.declined = replay->declined = false;
        if (replay->conversion) replay->conversion->declined = false;
    }
    return declined;
}
