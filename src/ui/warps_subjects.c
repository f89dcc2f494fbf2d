/* Warps: kernels, made ready in the background. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/warps.h"

/* Slots that are counted whole; of more a sample. */
#define SLOTS_WHOLE 5e7
#define SAMPLE_SEED 1

/* What kernels are prepared for. */
static const struct device_facts facts = {.name = "NVIDIA H200",
                                          .memory = (size_t)141 << 30,
                                          .cache = (size_t)50 << 20,
                                          .shared = 232448,
                                          .major = 9,
                                          .minor = 0,
                                          .multiprocessors = 132};

static void subject_free(struct subject *subject)
{
    if (!subject) return;
    kernel_release(&subject->launch);
    device_close(&subject->device);
    free(subject->parameters);
    free(subject->format_parameters);
    free(subject);
}

void subject_name(const struct subject *subject, char *out, size_t size)
{
    const char *own = subject->parameters, *format = subject->format_parameters;
    snprintf(out, size, "%s%s%s%s%s", subject->kernel->name, own[0] || format[0] ? ":" : "", own,
             own[0] && format[0] ? "," : "", format);
}

static struct subject *subject_make(const struct warps *warps, int choice, struct error *error)
{
    const struct kernel_choice *from = &warps->list.choices[choice];
    struct subject *subject = memory_zeroed(1, sizeof *subject, error);
    if (!subject) return NULL;
    subject->kernel = from->kernel;
    subject->precision = warps->precision;
    subject->parameters = memory_string(from->parameters, error);
    subject->format_parameters = memory_string(from->format_parameters, error);
    if (subject->parameters && subject->format_parameters) return subject;
    subject_free(subject);
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
    struct subject *subject = pane->subject;
    pane->subject = NULL;
    pane->recorded = pane->placed = pane->astray = false;
    warp_record_free(&pane->record);
    if (!subject || subject != warps->working) {
        subject_free(subject);
    } else {
        warps->retired = subject;
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
    warps->panes[0].subject = subject_make(warps, first < 0 ? 0 : first, error);
    warps->panes[1].subject = subject_make(warps, second_choice(warps, true), error);
    warps->tentative = true;
    return warps->panes[0].subject && warps->panes[1].subject ? STATUS_OK : STATUS_MEMORY;
}

void warps_free(struct warps *warps)
{
    for (int p = 0; p < WARPS_PANES; p++) {
        subject_free(warps->panes[p].subject);
        warp_record_free(&warps->panes[p].record);
    }
    subject_free(warps->retired);
    kernel_list_free(&warps->list);
    free(warps->traced);
}

/* The background's part */

static enum status prepare(struct subject *subject)
{
    paper_open(&facts, &subject->device);
    paper_prepare(&subject->device, subject->kernel, subject->parameters, &subject->conversion->storage,
                  false, &subject->launch, &subject->refusal);
    return STATUS_OK; /* a refusal is shown where the kernel would be */
}

static enum status count(struct subject *subject, struct progress *progress, struct error *error)
{
    double slots = (double)storage_slots(subject->launch.storage);
    double share = slots > SLOTS_WHOLE ? SLOTS_WHOLE / slots : 1;
    enum status status =
        coalescing_count(&subject->launch, share, SAMPLE_SEED, &subject->whole, progress, error);
    if (status != STATUS_OK) return status;
    return warp_costs_find(&subject->launch, share, &subject->costs, progress, error);
}

static enum status run(void *argument, struct progress *progress, struct error *error)
{
    struct subject *subject = argument;
    return subject->ready == READY_NOT ? prepare(subject) : count(subject, progress, error);
}

/* Take what the errand has done. */
static void take(struct warps *warps)
{
    struct subject *subject = warps->working;
    enum errand_state state = warps->errand.state;
    if (state == ERRAND_WANTED || state == ERRAND_RUNNING) return;
    if (subject && state == ERRAND_DONE) subject->ready = (enum readiness)(subject->ready + 1);
    if (subject && state == ERRAND_FAILED) subject->declined = true;
    warps->errand.state = ERRAND_NONE;
    warps->working = NULL;
    subject_free(warps->retired);
    warps->retired = NULL;
}

static bool can_be_prepared(const struct subject *subject)
{
    return subject && subject->ready == READY_NOT && subject->refusal.status == STATUS_OK &&
           !subject->declined && subject->conversion &&
           conversion_state(subject->conversion) == CONVERSION_BUILT;
}

static bool can_be_counted(const struct subject *subject)
{
    return subject && subject->ready == READY_PREPARED && subject->refusal.status == STATUS_OK &&
           !subject->declined;
}

/* What is to be done next: kernels are prepared before one is counted. */
static struct subject *next_subject(const struct warps *warps)
{
    for (int k = 0; k < 2 * WARPS_PANES; k++) {
        struct subject *subject = warps->panes[(warps->focus + k) % WARPS_PANES].subject;
        if (k < WARPS_PANES ? can_be_prepared(subject) : can_be_counted(subject)) return subject;
    }
    return NULL;
}

static void want_work(struct explorer *explorer, struct warps *warps)
{
    struct errand *errand = &warps->errand;
    struct subject *next = next_subject(warps);
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

static void want_conversion(struct explorer *explorer, struct subject *subject)
{
    struct error error = {0};
    if (subject->conversion || subject->refusal.status != STATUS_OK) return;
    if (kernel_suits(subject->kernel, explorer->session->matrix.csr.imaginary != NULL, &subject->refusal) !=
        STATUS_OK)
        return;
    subject->conversion = conversions_want(&explorer->session->conversions, subject->kernel->format,
                                           subject->format_parameters, subject->precision, &error);
    if (subject->conversion) {
        subject->conversion->keep = true;
        subject->conversion->declined = false;
    } else {
        subject->refusal = error;
    }
}

static void hold(struct explorer *explorer, const struct warps *warps)
{
    struct conversion *held[WARPS_PANES + 1];
    int count = 0;
    for (int k = 0; k <= WARPS_PANES; k++) {
        const struct subject *subject = k < WARPS_PANES ? warps->panes[k].subject : warps->retired;
        if (subject && subject->conversion) held[count++] = subject->conversion;
    }
    explorer_hold(explorer, warps, held, count);
}

/* A kernel that nobody asked for and that cannot be had gives its place to another. */
static void settle(struct explorer *explorer, struct warps *warps)
{
    struct pane *pane = &warps->panes[1];
    const struct subject *subject = pane->subject;
    if (!warps->tentative || !subject || !subject->conversion) return;
    if (conversion_state(subject->conversion) == CONVERSION_REFUSED) {
        struct subject *other = subject_make(warps, second_choice(warps, false), NULL);
        if (!other) return;
        retire(warps, pane);
        pane->subject = other;
        want_conversion(explorer, other);
        warps->tentative = false;
    }
}

void warps_update(struct explorer *explorer, struct warps *warps)
{
    take(warps);
    for (int p = 0; p < WARPS_PANES; p++)
        if (warps->panes[p].subject) want_conversion(explorer, warps->panes[p].subject);
    settle(explorer, warps);
    hold(explorer, warps);
    want_work(explorer, warps);
}

/* Choosing */

void warps_choose(struct explorer *explorer, struct warps *warps, int choice)
{
    struct error error = {0};
    struct pane *pane = &warps->panes[warps->focus];
    if (choice == warps_choice(warps, pane) && pane->subject->precision == warps->precision) return;
    struct subject *subject = subject_make(warps, choice, &error);
    if (!subject) {
        say_error(explorer, &error);
        return;
    }
    warps->tentative = false;
    retire(warps, pane);
    pane->subject = subject;
}

int warps_choice(const struct warps *warps, const struct pane *pane)
{
    const struct subject *subject = pane->subject;
    for (int k = 0; k < warps->list.count && subject; k++) {
        const struct kernel_choice *choice = &warps->list.choices[k];
        if (choice->kernel == subject->kernel && strcmp(choice->parameters, subject->parameters) == 0 &&
            strcmp(choice->format_parameters, subject->format_parameters) == 0)
            return k;
    }
    return -1;
}

void warps_ask(struct explorer *explorer, const struct warps *warps)
{
    const struct subject *subject = warps->panes[warps->focus].subject;
    char label[64], text[120];
    size_t length = (size_t)snprintf(label, sizeof label, "Kernel (");
    const struct parameter *tables[] = {subject->kernel->parameters, subject->kernel->format->parameters};
    for (int t = 0; t < 2; t++)
        for (int k = 0; tables[t][k].name && length < sizeof label - 1; k++)
            length += (size_t)snprintf(label + length, sizeof label - length, "%s%s",
                                       label[length - 1] == '(' ? "" : ", ", tables[t][k].name);
    if (length + 2 < sizeof label) strcat(label, ")");
    subject_name(subject, text, sizeof text);
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
        struct subject *subject = warps->panes[p].subject;
        if (!subject) continue;
        declined |= subject->declined || (subject->conversion && subject->conversion->declined);
        subject->declined = false;
        if (subject->conversion) subject->conversion->declined = false;
    }
    return declined;
}
