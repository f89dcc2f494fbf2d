#include "ranks/convert.h"

#include <math.h>

#include "base/memory.h"
#include "formats/pool.h"
#include "session/conversions.h"

/* Build this rank's rows, and free them. */
static enum status build(const struct ranks *ranks, const struct share *share,
                         const struct format_choice *choice, size_t limit, double *seconds,
                         struct error *error)
{
    struct pool pool = {.a = &share->own};
    const struct storage *plan;
    struct error refusal = {0};
    enum status status = pool_measure(&pool, choice, limit, NULL, &plan, &refusal);
    if (status == STATUS_OK)
        *seconds = plan->seconds;
    else
        error_set(error, status, "rank %d: %s", ranks->rank, refusal.message);
    pool_free(&pool);
    return status;
}

/* Give the choice the parameters that the format chose for the whole matrix, as if they had been written. */
static void take_resolved(struct format_choice *choice, const struct format_choice *resolved)
{
    for (int k = 0; k < PARAMETERS_MAX; k++) {
        if (!isnan(choice->values.number[k]) || isnan(resolved->values.number[k])) continue;
        choice->values.number[k] = resolved->values.number[k];
        choice->values.given[k] = true;
    }
}

/* Tell all ranks whether rank 0 has planned the conversion, and with which parameters. */
static bool tell_plan(const struct ranks *ranks, const struct conversion *conversion,
                      struct format_choice *choice)
{
    int planned = conversion && conversion_state(conversion) == CONVERSION_PLANNED;
    ranks_broadcast(ranks, 0, &planned, sizeof planned);
    if (!planned) return false;
    if (conversion) take_resolved(choice, &conversion->resolved);
    ranks_broadcast(ranks, 0, &choice->values, sizeof choice->values);
    return true;
}

/* Build one format on all ranks, and record its time. */
static void convert(const struct ranks *ranks, const struct share *share, struct format_choice choice,
                    size_t limit, struct conversion *conversion)
{
    struct error refusal = {0};
    double seconds = 0;
    if (!tell_plan(ranks, conversion, &choice)) return;
    enum status status =
        ranks_agree(ranks, build(ranks, share, &choice, limit, &seconds, &refusal), &refusal);
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, ranks->all);
    if (!conversion) return;
    if (status == STATUS_OK)
        conversion_built_apart(conversion, seconds);
    else
        conversion_refused_apart(conversion, &refusal);
}

static bool asked(const struct report_request *request, enum precision precision)
{
    return precision == PRECISION_F32 ? request->f32 : request->f64 || !request->f32;
}

enum status ranks_convert(const struct ranks *ranks, const struct share *share,
                          const struct report_request *request, size_t limit, struct matrix_case *shown,
                          struct error *error)
{
    const struct format_list *list = &request->convert;
    enum status status = STATUS_OK;
    if (limit == 0) limit = memory_limit(0) / (size_t)ranks->near;
    for (enum precision p = PRECISION_F64; p <= PRECISION_F32; p++)
        for (int k = 0; k < list->count && asked(request, p) && status == STATUS_OK; k++) {
            struct format_choice choice = list->choices[k];
            struct conversion *conversion = NULL;
            choice.precision = p;
            if (shown) conversion = conversions_want(&shown->conversions, &choice, error);
            if (shown && !conversion) status = error->status;
            status = ranks_agree(ranks, status, error);
            if (status == STATUS_OK) convert(ranks, share, choice, limit, conversion);
        }
    return status;
}
