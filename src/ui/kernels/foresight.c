/* Forecasts of kernels before they are run: the sizes of their storages, and the memory requests of GPU
 * kernels. They are made in the background, one storage after another. So the table fills step by step, and
 * an interruption of the errand loses little. */
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/libraries/library.h"
#include "ui/kernels/kernels.h"

/* A share of the warps that the user has chosen is one of the whole matrix. */
static bool suits_excerpt(const struct foreseeing *foreseeing)
{
    return foreseeing->sample == 0 && case_nnz(foreseeing->of) > EXCERPT_LEFT;
}

/* The outline of a storage takes half of the memory of a matrix, and some formats pad it many times over.
 * Therefore the kernels of a large matrix are forecast from its excerpt, as those of the advice are. Kernels
 * that go by columns have no forecast then. */
static enum status foresee_by_excerpt(struct foreseeing *foreseeing, struct progress *progress,
                                      struct error *error)
{
    struct session *session = foreseeing->session;
    struct matrix_case *of = foreseeing->of;
    struct excerpt own;
    const struct excerpt *excerpt;
    struct sharing sharing;
    enum status status = foresight_excerpt(session, of, progress, &own, &excerpt, error);
    if (status != STATUS_OK) return status;
    sharing_start(&of->pool, excerpt, &sharing);
    status =
        session_foresee(session, of, &foreseeing->results, foreseeing->product, 0, &sharing, progress, error);
    pool_rest(sharing.pool);
    sharing_free(&sharing);
    excerpt_free(&own);
    return status;
}

static enum status foresee(void *argument, struct progress *progress, struct error *error)
{
    struct foreseeing *foreseeing = argument;
    for (int k = 0; k < foreseeing->results.count; k++) {
        const struct library *library = foreseeing->results.items[k].choice.kernel->backend->library;
        if (library) library_look(library); /* lines show whether the library is available */
    }
    if (suits_excerpt(foreseeing)) return foresee_by_excerpt(foreseeing, progress, error);
    return session_foresee(foreseeing->session, foreseeing->of, &foreseeing->results, foreseeing->product,
                           foreseeing->sample, NULL, progress, error);
}

void kernels_forget(struct kernels_screen *screen)
{
    for (int k = 0; k < screen->foreseen_count; k++)
        results_free(&screen->foreseen[k]);
    free(screen->foreseen);
    screen->foreseen = NULL;
    screen->foreseen_count = 0;
    screen->stale = true;
    if (screen->foresight.state == ERRAND_RUNNING)
        screen->foresight.unwanted = true;
    else if (screen->foresight.state != ERRAND_FAILED)
        screen->foresight.state = ERRAND_NONE;
}

/* Keep the errand's forecasts. */
static enum status take(struct kernels_screen *screen, struct error *error)
{
    size_t count = (size_t)screen->foreseen_count;
    struct results *foreseen = memory_resize(screen->foreseen, count + 1, sizeof *foreseen, error);
    if (!foreseen) return STATUS_MEMORY;
    screen->foreseen = foreseen;
    screen->foreseen[screen->foreseen_count] = screen->foreseeing.results;
    screen->foreseen[screen->foreseen_count++].options.cold = screen->options.cold;
    screen->foreseeing.results = (struct results){0};
    screen->stale = true;
    return STATUS_OK;
}

/* Request all lines without results whose kernels read the same storage as the first such line. */
static enum status want(const struct kernels_screen *screen, struct results *results, struct error *error)
{
    const struct format_choice *format = NULL;
    enum status status = STATUS_OK;
    for (int k = 0; k < screen->line_count && status == STATUS_OK; k++) {
        const struct line *line = &screen->lines[k];
        if (line->result || line->choice < 0) continue;
        const struct kernel_choice choice =
            kernel_choice_with(&screen->list.choices[line->choice], screen->precision, line->threads);
        if (!format) format = &screen->list.choices[line->choice].format;
        if (format_choice_same(format, &screen->list.choices[line->choice].format))
            status = results_want(results, &choice, error);
    }
    return status;
}

static enum status begin(struct explorer *explorer, struct kernels_screen *screen, struct error *error)
{
    struct foreseeing *foreseeing = &screen->foreseeing;
    results_free(&foreseeing->results);
    *foreseeing = (struct foreseeing){.session = explorer->session,
                                      .of = explorer->session->shown,
                                      .product = screen->options.product,
                                      .sample = explorer->sample};
    enum status status = want(screen, &foreseeing->results, error);
    if (status == STATUS_OK && foreseeing->results.count > 0)
        screen->foresight = (struct errand){.run = foresee, .argument = foreseeing, .state = ERRAND_WANTED};
    return status;
}

void kernels_foresee(struct explorer *explorer, struct kernels_screen *screen)
{
    struct error error = {0};
    enum status status = STATUS_OK;
    if (screen->foresight.state == ERRAND_DONE) {
        screen->foresight.state = ERRAND_NONE;
        if (!screen->foresight.unwanted) status = take(screen, &error);
    }
    if (status == STATUS_OK) kernels_refresh(explorer, screen);
    if (kernels_running(screen) || screen->shown || !case_has_entries(explorer->session->shown)) return;
    if (status == STATUS_OK && screen->foresight.state == ERRAND_NONE)
        status = begin(explorer, screen, &error);
    if (status != STATUS_OK) {
        screen->foresight.state = ERRAND_FAILED;
        explorer_say_error(explorer, &error);
    }
    if (errand_pending(&screen->foresight)) explorer->errand = &screen->foresight;
}

void kernels_count_awaiting(const struct explorer *explorer, const struct kernels_screen *screen,
                            int *awaiting, int *estimated)
{
    *awaiting = *estimated = 0;
    for (int k = 0; k < screen->line_count; k++) {
        struct result unrun;
        const struct line *line = &screen->lines[k];
        const struct result *result = kernels_result(explorer, screen, line, &unrun);
        if (!kernels_awaits_gpu(explorer, screen, line, result)) continue;
        ++*awaiting;
        *estimated += results_estimate_of(kernels_results(line), result) != NULL;
    }
}
