/* The object `advice` of a report: for each precision the machines (processor, GPU) with advice. */
#include <math.h>

#include "kernels/timing/processor_sure.h"
#include "report/json/json.h"
#include "report/json/write.h"
#include "report/sections.h"
#include "session/advice.h"
#include "session/session.h"

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *microseconds(double seconds)
{
    return number(1e6 * seconds);
}

/* A number of products; null if it is never reached. */
static json_t *products_json(int64_t products)
{
    return products < 0 ? json_null() : json_integer((json_int_t)products);
}

static json_t *name_json(const struct advice *advice, int k)
{
    return json_from_bytes(advice->candidates[k].result->name);
}

/* Set a member and take over the value; false without memory. */
static bool set(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

static json_t *candidate_json(const struct advice_candidate *candidate)
{
    const struct result *result = candidate->result;
    json_t *object = json_object();
    if (object && set(object, "kernel", json_from_bytes(result->name)) &&
        set(object, "format", json_string(result->choice.kernel->format->name)) &&
        set(object, "threads", json_integer(result->resolved.threads)) &&
        set(object, "forecast", json_boolean(!candidate->measured)) &&
        set(object, "us", microseconds(candidate->seconds)) &&
        set(object, "compared", json_boolean(candidate->compared)) &&
        set(object, "measured_us", microseconds(candidate->timed)) &&
        set(object, "forecast_us", microseconds(advice_forecast(candidate))) &&
        set(object, "low_us", microseconds(candidate->low)) &&
        set(object, "high_us", microseconds(candidate->high)) &&
        set(object, "convert_us", microseconds(candidate->convert)) &&
        set(object, "convert_forecast", json_boolean(!candidate->convert_measured && !candidate->csr)) &&
        set(object, "convert_on", json_string(candidate->convert_on_device ? "gpu" : "host")) &&
        set(object, "upload_us", microseconds(candidate->upload)) &&
        set(object, "memory", json_integer((json_int_t)candidate->memory)) &&
        set(object, "break_even", products_json(candidate->break_even)) &&
        set(object, "break_even_low", products_json(candidate->break_even_low)) &&
        set(object, "break_even_high", products_json(candidate->break_even_high)))
        return object;
    json_decref(object);
    return NULL;
}

/* A list of `count` items, item k from `make`; NULL without memory. */
static json_t *list_json(const struct advice *advice, int count,
                         json_t *(*make)(const struct advice *advice, int k))
{
    json_t *list = json_array();
    for (int k = 0; list && k < count; k++)
        if (json_array_append_new(list, make(advice, k)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *make_candidate(const struct advice *advice, int k)
{
    return candidate_json(&advice->candidates[k]);
}

static json_t *make_at(const struct advice *advice, int k)
{
    const struct advice_at *at = &advice->at[k];
    json_t *object = json_object(), *ties = json_array();
    bool failed = !object || !ties;
    for (int t = 0; !failed && t < at->ties; t++)
        failed = json_array_append_new(ties, name_json(advice, at->tied[t])) != 0;
    failed = failed || !set(object, "products", products_json(at->products)) ||
             !set(object, "kernel", name_json(advice, at->best)) ||
             !set(object, "us", microseconds(at->seconds)) || !set(object, "ties", json_incref(ties));
    json_decref(ties);
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

static json_t *make_order(const struct advice *advice, int k)
{
    const struct advice_order *order = &advice->orders[k];
    json_t *object = json_object();
    if (object && set(object, "order", json_from_bytes(order->name)) &&
        set(object, "kernel", json_from_bytes(order->kernel)) &&
        set(object, "us", microseconds(order->seconds)) &&
        set(object, "forecast", json_boolean(!order->measured)) &&
        set(object, "here_us", microseconds(order->here)) &&
        set(object, "measured_us", microseconds(order->timed)) &&
        set(object, "here_measured_us", microseconds(order->timed_here)) &&
        set(object, "saved", number(order->saved)) && set(object, "order_us", microseconds(order->setup)) &&
        set(object, "permute_us", microseconds(order->permute)) &&
        set(object, "break_even", products_json(order->break_even)))
        return object;
    json_decref(object);
    return NULL;
}

/* The excerpt that forecasts were made from; null if from all entries. */
static json_t *excerpt_json(const struct advice *advice, int64_t count)
{
    bool some = advice->measured < advice->count && foresight_complete(advice->foresight) && count > 0;
    return some ? json_integer(count) : json_null();
}

static json_t *precisions_forecast(const struct advice *advice)
{
    return advice->other_precision.seconds > 0 ? json_boolean(!advice->other_precision.measured)
                                               : json_null();
}

/* The best kernel of a library; null if none is known. */
static json_t *library_json(const struct advice_library *library)
{
    json_t *object = library->kernel ? json_object() : json_null();
    if (!library->kernel) return object;
    if (object && set(object, "kernel", json_from_bytes(library->name)) &&
        set(object, "us", microseconds(library->seconds)) &&
        set(object, "forecast", json_boolean(!library->measured)) &&
        set(object, "like", library->like[0] ? json_from_bytes(library->like) : json_null()) &&
        set(object, "ratio", number(library->ratio)) &&
        set(object, "looked_for", json_boolean(library->looked_for)))
        return object;
    json_decref(object);
    return NULL;
}

/* A term's share of the difference between two forecasts. */
static json_t *make_share(const struct advice *advice, int k)
{
    const struct advice_why *why = &advice->why;
    enum bound bound = (enum bound)k;
    bool named = false;
    for (int n = 0; n < why->count; n++)
        named = named || why->named[n] == bound;
    json_t *object = json_object();
    if (object && set(object, "term", json_string(bound_key(bound))) &&
        set(object, "us", microseconds(why->terms.share[bound])) && set(object, "named", json_boolean(named)))
        return object;
    json_decref(object);
    return NULL;
}

/* The terms of the difference to the rival; null without a rival. */
static json_t *why_json(const struct advice *advice)
{
    const struct advice_why *why = &advice->why;
    json_t *object = why->rival < 0 ? json_null() : json_object();
    if (why->rival < 0) return object;
    if (object && set(object, "kernel", name_json(advice, why->rival)) &&
        set(object, "us", microseconds(why->difference)) &&
        set(object, "forecast_us", why->there ? microseconds(why->terms.difference) : json_null()) &&
        set(object, "explained", json_boolean(why->count > 0)) &&
        set(object, "terms", list_json(advice, why->there ? BOUNDS : 0, make_share)))
        return object;
    json_decref(object);
    return NULL;
}

/* The basis of the forecasts for this processor: "calibrated", "quick", "uncertain" (measured beside other
 * work) or "assumed". null for a GPU, whose profile has it, and without forecasts. */
static json_t *basis_json(const struct session *session, const struct advice *advice)
{
    const struct processor *processor = &session->processor;
    char doubt[PROCESSOR_WORDS];
    if (advice->place != ADVICE_CPU || advice->measured == advice->count || !processor->there)
        return json_null();
    return json_string(processor->assumed                     ? "assumed"
                       : processor_doubt(processor, doubt)[0] ? "uncertain"
                       : processor->complete                  ? "calibrated"
                                                              : "quick");
}

static json_t *place_json(const struct session *session, const struct advice *advice)
{
    json_t *object = advice->there ? candidate_json(&advice->candidates[0]) : json_null();
    if (!advice->there) return object;
    if (object && set(object, "machine", json_from_bytes(advice->machine)) &&
        set(object, "best_from", products_json(advice->from)) &&
        set(object, "by_products", list_json(advice, ADVICE_COUNTS, make_at)) &&
        set(object, "orders", list_json(advice, advice->order_count, make_order)) &&
        set(object, "other_precision_us", microseconds(advice->other_precision.seconds)) &&
        set(object, "this_precision_us", microseconds(advice->other_precision.here)) &&
        set(object, "precisions_forecast", precisions_forecast(advice)) &&
        set(object, "library", library_json(&advice->library)) && set(object, "why", why_json(advice)) &&
        set(object, "basis", basis_json(session, advice)) &&
        set(object, "verdict", json_from_bytes(advice->verdict)) &&
        set(object, "reason", json_from_bytes(advice->reason)) &&
        set(object, "change", json_from_bytes(advice->change)) &&
        set(object, "call", json_from_bytes(advice->call)) &&
        set(object, "forecast_rows", excerpt_json(advice, advice->foresight->excerpt_rows)) &&
        set(object, "forecast_entries", excerpt_json(advice, advice->foresight->excerpt_entries)) &&
        set(object, "alternatives", list_json(advice, advice->count, make_candidate)))
        return object;
    json_decref(object);
    return NULL;
}

/* Sets nothing for a precision without known kernels. False without memory. */
static bool add_precision(json_t *object, const struct session *session,
                          const struct matrix_case *matrix_case, enum precision precision)
{
    struct advices advices;
    bool some = false;
    if (session_advise(session, matrix_case, advice_question_of(matrix_case, precision), &advices, NULL) !=
        STATUS_OK)
        return false;
    json_t *places = json_object();
    bool failed = !places;
    for (int place = 0; place < ADVICE_PLACES; place++) {
        some = some || advices.items[place].there;
        failed = failed || !set(places, advice_place_key((enum advice_place)place),
                                place_json(session, &advices.items[place]));
    }
    advices_free(&advices);
    if (!failed && some) return set(object, case_value_name(matrix_case, precision), places);
    json_decref(places);
    return !failed;
}

json_t *advice_json(const struct session *session, const struct matrix_case *matrix_case)
{
    json_t *object = json_object();
    if (!sections_have(session->only, SECTION_ADVICE)) return object;
    if (object && add_precision(object, session, matrix_case, PRECISION_F64) &&
        add_precision(object, session, matrix_case, PRECISION_F32))
        return object;
    json_decref(object);
    return NULL;
}
