/* Warps: kernels, made ready in the background. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/warps.h"

/* Slots that are counted whole; of more a sample. */
#define SLOTS_WHOLE 5e7
#define SAMPLE_SEED 1

static void replay_free(struct replay *replay)
{
    if (!replay) return;
    kernel_release(&replay->launch);
    device_close(&replay->device);
    free(replay->parameters);
    free(replay->format_parameters);
    free(replay);
}

void replay_name(const struct replay *replay, char *out, size_t size)
{
    const char *own = replay->parameters, *format = replay->format_parameters;
    snprintf(out, size, "%s%s%s%s%s", replay->kernel->name, own[0] || format[0] ? ":" : "", own,
             own[0] && format[0] ? "," : "", format);
}

static struct replay *replay_make(const struct warps *warps, int choice, struct error *error)
{
    const struct kernel_choice *from = &warps->list.choices[choice];
    struct replay *replay = memory_zeroed(1, sizeof *replay, error);
    if (!replay) return NULL;
    replay->kernel = from->kernel;
    replay->precision = warps->precision;
    gpu_facts(&warps->gpu, &replay->facts);
    replay->parameters = memory_string(from->parameters, error);
    replay->format_parameters = memory_string(from->format_parameters, error);
    if (replay->parameters && replay->format_parameters) return replay;
    replay_free(replay);
    return NULL;
}

static void say_error(struct explorer *explorer, const struct error *error)
{
    char text[sizeof explorer->message];
    explorer_say(explorer, "%s", error_text(error, text, sizeof text));
}

/* Let go of a pane's kernel, which the errand may be about. */
static void retire(struct warps *warps, struct pane *pane)
{
    struct replay *replay = pane->replay;
    pane->replay = NULL;
    pane->recorded = pane->placed = pane->astray = false;
    warp_record_free(&pane->record);
    if (!replay || replay != warps->working) {
        replay_free(replay);
    } else {
        warps->retired = replay;
        warps->errand.unwanted = true;
    }
}

/* The number of a kernel in the list by its name; -1 if it cannot be replayed. */
static int find_choice(const struct warps *warps, const char *name)
{
    for (int k = 0; k < warps->list.count; k++)
        if (strcmp(warps->list.choices[k].kernel->name, name) == 0) return k;
    return -1;
}

/* What PMPP compares: a thread a row, on rows as they lie and on their transpose. */
static int second_choice(const struct warps *warps, bool narrow)
{
    int ell = narrow ? find_choice(warps, "ell-padded") : -1, vector = find_choice(warps, "csr-vector");
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
    free(warps->traced);
}

/* The background's part */

static enum status prepare(struct replay *replay)
{
    paper_open(&replay->facts, &replay->device);
    paper_prepare(&replay->device, replay->kernel, replay->parameters, &replay->conversion->storage, false,
                  &replay->launch, &replay->refusal);
    return STATUS_OK; /* a refusal is shown where the kernel would be */
}

static enum status count(struct replay *replay, struct progress *progress, struct error *error)
{
    double slots = (double)storage_slots(replay->launch.storage);
    double share = slots > SLOTS_WHOLE ? SLOTS_WHOLE / slots : 1;
    enum status status =
        coalescing_count(&replay->launch, share, SAMPLE_SEED, &replay->whole, progress, error);
    if (status != STATUS_OK) return status;
    return warp_costs_find(&replay->launch, share, &replay->costs, progress, error);
}

static enum status run(void *argument, struct progress *progress, struct error *error)
{
    struct replay *replay = argument;
    return replay->ready == READY_NOT ? prepare(replay) : count(replay, progress, error);
}

/* Take what the errand has done. */
static void take(struct warps *warps)
{
    struct replay *replay = warps->working;
    enum errand_state state = warps->errand.state;
    if (state == ERRAND_WANTED || state == ERRAND_RUNNING) return;
    if (replay && state == ERRAND_DONE) replay->ready = (enum readiness)(replay->ready + 1);
    if (replay && state == ERRAND_FAILED) replay->declined = true;
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

/* What is to be done next: kernels are prepared before one is counted. */
static struct replay *next_replay(const struct warps *warps)
{
    for (int k = 0; k < 2 * WARPS_PANES; k++) {
        struct replay *replay = warps->panes[(warps->focus + k) % WARPS_PANES].replay;
        if (k < WARPS_PANES ? can_be_prepared(replay) : can_be_counted(replay)) return replay;
    }
    return NULL;
}

static void want_work(struct explorer *explorer, struct warps *warps)
{
    struct errand *errand = &warps->errand;
    struct replay *next = next_replay(warps);
    if (errand->state == ERRAND_NONE && next) {
        *errand = (struct errand){.run = run, .argument = next, .state = ERRAND_WANTED};
        warps->working = next;
    } else if (errand->state == ERRAND_WANTED && warps->retired) {
        errand->state = ERRAND_NONE; /* nobody has begun with it */
    } else if (errand->state == ERRAND_RUNNING && warps->working->ready == READY_PREPARED &&
               can_be_prepared(next)) {
        errand->unwanted = true; /* counting waits until the other can be shown */
    }
    const struct errand *other = explorer->errand;
    bool taken =
        other && other != errand && (other->state == ERRAND_WANTED || other->state == ERRAND_RUNNING);
    if (errand->state == ERRAND_WANTED && !taken) explorer->errand = errand;
}

static void want_conversion(struct explorer *explorer, struct replay *replay)
{
    struct error error = {0};
    if (replay->conversion || replay->refusal.status != STATUS_OK) return;
    if (kernel_suits(replay->kernel, explorer->session->matrix.csr.imaginary != NULL, &replay->refusal) !=
        STATUS_OK)
        return;
    replay->conversion = conversions_want(&explorer->session->conversions, replay->kernel->format,
                                          replay->format_parameters, replay->precision, &error);
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

/* A kernel that nobody asked for and that cannot be had gives its place to another. */
static void settle(struct explorer *explorer, struct warps *warps)
{
    struct pane *pane = &warps->panes[1];
    const struct replay *replay = pane->replay;
    if (!warps->tentative || !replay || !replay->conversion) return;
    if (conversion_state(replay->conversion) == CONVERSION_REFUSED) {
        struct replay *other = replay_make(warps, second_choice(warps, false), NULL);
        if (!other) return;
        retire(warps, pane);
        pane->replay = other;
        want_conversion(explorer, other);
        warps->tentative = false;
    }
}

void warps_update(struct explorer *explorer, struct warps *warps)
{
    take(warps);
    for (int p = 0; p < WARPS_PANES; p++)
        if (warps->panes[p].replay) want_conversion(explorer, warps->panes[p].replay);
    settle(explorer, warps);
    hold(explorer, warps);
    want_work(explorer, warps);
}

/* Choosing */

void warps_choose(struct explorer *explorer, struct warps *warps, int choice)
{
    struct error error = {0};
    struct pane *pane = &warps->panes[warps->focus];
    if (choice == warps_choice(warps, pane) && pane->replay->precision == warps->precision) return;
    struct replay *replay = replay_make(warps, choice, &error);
    if (!replay) {
        say_error(explorer, &error);
        return;
    }
    warps->tentative = false;
    retire(warps, pane);
    pane->replay = replay;
}

int warps_choice(const struct warps *warps, const struct pane *pane)
{
    const struct replay *replay = pane->replay;
    for (int k = 0; k < warps->list.count && replay; k++) {
        const struct kernel_choice *choice = &warps->list.choices[k];
        if (choice->kernel == replay->kernel && strcmp(choice->parameters, replay->parameters) == 0 &&
            strcmp(choice->format_parameters, replay->format_parameters) == 0)
            return k;
    }
    return -1;
}

void warps_ask(struct explorer *explorer, const struct warps *warps)
{
    const struct replay *replay = warps->panes[warps->focus].replay;
    char label[64], text[120];
    size_t length = (size_t)snprintf(label, sizeof label, "Kernel (");
    const struct parameter *tables[] = {replay->kernel->parameters, replay->kernel->format->parameters};
    for (int t = 0; t < 2; t++)
        for (int k = 0; tables[t][k].name && length < sizeof label - 1; k++)
            length += (size_t)snprintf(label + length, sizeof label - length, "%s%s",
                                       label[length - 1] == '(' ? "" : ", ", tables[t][k].name);
    if (length + 2 < sizeof label) strcat(label, ")");
    replay_name(replay, text, sizeof text);
    explorer_ask(explorer, label, text);
}

/* True if number k of the list asks for the same as `text`. */
static bool is_choice(const struct warps *warps, int k, const char *text)
{
    const struct kernel_choice *choice = &warps->list.choices[k];
    struct kernel_list both = {0};
    char name[256];
    snprintf(name, sizeof name, "%s:%s%s%s", choice->kernel->name, choice->parameters,
             choice->parameters[0] && choice->format_parameters[0] ? "," : "", choice->format_parameters);
    bool same = kernel_list_add_from(&both, warps->traced, name, NULL) == STATUS_OK &&
                kernel_list_add_from(&both, warps->traced, text, NULL) == STATUS_OK && both.count == 1;
    kernel_list_free(&both);
    return same;
}

void warps_answer(struct explorer *explorer, struct warps *warps, const char *text)
{
    struct error error = {0};
    int count = warps->list.count;
    if (kernel_list_add_from(&warps->list, warps->traced, text, &error) != STATUS_OK) {
        say_error(explorer, &error);
        return;
    }
    int choice = count;
    for (int k = 0; k < count && warps->list.count == count; k++)
        if (is_choice(warps, k, text)) choice = k;
    if (choice < warps->list.count) warps_choose(explorer, warps, choice);
}

void warps_change_precision(struct explorer *explorer, struct warps *warps)
{
    int focus = warps->focus;
    warps->precision = warps->precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    for (warps->focus = 0; warps->focus < WARPS_PANES; warps->focus++)
        warps_choose(explorer, warps, warps_choice(warps, &warps->panes[warps->focus]));
    warps->focus = focus;
    explorer_say(explorer, "values as %s", precision_name(warps->precision));
}

bool warps_retry(struct warps *warps)
{
    bool declined = false;
    for (int p = 0; p < WARPS_PANES; p++) {
        struct replay *replay = warps->panes[p].replay;
        if (!replay) continue;
        declined |= replay->declined || (replay->conversion && replay->conversion->declined);
        replay->declined = false;
        if (replay->conversion) replay->conversion->declined = false;
    }
    return declined;
}
