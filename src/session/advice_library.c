/* The best kernel of an existing library. */
#include <math.h>
#include <stdio.h>

#include "kernels/libraries/library.h"
#include "session/advice_parts.h"

/* The code of a library's kernels is not ours, so the resources that it needs of a multiprocessor are
 * unknown. */
bool advice_is_library(const struct backend *backend)
{
    return backend->library || backend->ranks ||
           (backend->devices && !backend->resources && !backend->foreign);
}

/* Return the fastest candidate of a library. Compared candidates come before others. */
static const struct advice_candidate *fastest_of(const struct advice *advice)
{
    for (int k = 0; k < advice->count; k++)
        if (advice_is_library(advice->candidates[k].result->choice.kernel->backend))
            return &advice->candidates[k];
    return NULL;
}

static void take(const struct advice *advice, const struct advice_candidate *candidate,
                 struct advice_library *library)
{
    bool measured;
    *library = (struct advice_library){.kernel = candidate->result->choice.kernel,
                                       .seconds = candidate->seconds,
                                       .measured = candidate->measured,
                                       .like = candidate->like ? candidate->prediction->like : "",
                                       .ratio = advice_ratio(candidate, &advice->candidates[0], &measured),
                                       .looked_for = true};
    if (candidate->measured != measured && !isnan(library->ratio)) { /* the ratio is of the other kind */
        library->seconds = measured ? candidate->timed : advice_forecast(candidate);
        library->measured = measured;
    }
    snprintf(library->name, sizeof library->name, "%s", candidate->result->name);
}

/* Return whether the kernel may be called: its library is not known to be missing, and exists for processors
 * like this one. */
static bool may_be_called(const struct kernel *kernel)
{
#ifdef __aarch64__
    const bool other = kernel->backend == &backend_mkl || kernel->backend == &backend_aocl;
#else
    const bool other = kernel->backend == &backend_armpl;
#endif
    return kernel->backend->library && kernel->like && !other &&
           !library_unavailable(kernel->backend->library);
}

/* Return the candidate from which a library's kernel is forecast; NULL if this has no forecast. */
static const struct advice_candidate *like_of(const struct advice *advice, const struct kernel *kernel)
{
    for (int k = 0; k < advice->count; k++)
        if (advice->candidates[k].result->choice.kernel == kernel->like && advice->candidates[k].prediction)
            return &advice->candidates[k];
    return NULL;
}

/* Forecast a library that has no candidate. Installed libraries come before those that were not looked
 * for. */
static void forecast(const struct advice *advice, struct advice_library *library)
{
    for (int found = 1; found >= 0; found--)
        for (int k = 0; kernels[k] && !library->kernel; k++) {
            const struct advice_candidate *like =
                may_be_called(kernels[k]) ? like_of(advice, kernels[k]) : NULL;
            if (!like || (library_version(kernels[k]->backend->library)[0] != 0) != (bool)found) continue;
            *library = (struct advice_library){.kernel = kernels[k],
                                               .seconds = advice_forecast(like),
                                               .like = like->result->full_name,
                                               .ratio = advice_forecast(like) /
                                                        advice_forecast(&advice->candidates[0]),
                                               .looked_for = found};
            snprintf(library->name, sizeof library->name, "%s/%s", kernels[k]->backend->name,
                     kernels[k]->name);
        }
}

void advice_find_library(struct advice *advice, struct product product)
{
    const struct advice_candidate *fastest = fastest_of(advice);
    advice->library = (struct advice_library){.like = ""};
    if (fastest)
        take(advice, fastest, &advice->library);
    else if (advice->place == ADVICE_CPU && product_plain(product)) /* others have no forecast */
        forecast(advice, &advice->library);
}
