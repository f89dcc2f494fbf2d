/* What a matrix gives when it is spread over several processes, as JSON. */
#include "report/json/carried.h"
#include "report/json/json.h"
#include "report/json/write.h"

static json_t *division_json(const struct distributed *division, int64_t rows, size_t *carry)
{
    const struct subject subject = {.division = division};
    json_t *object = columns_json(part_columns, &subject);
    if (json_object_set_new(object, "carried", carried_parts_json(division, rows, carry)) == 0) return object;
    json_decref(object);
    return NULL;
}

/* Each partition carries as much of what is left as each of those that follow. */
static json_t *partitions_json(const struct distribution *distribution, int64_t rows, size_t carry)
{
    json_t *list = json_array();
    for (int k = 0; list && k < distribution->count; k++) {
        const size_t share = carry / (size_t)(distribution->count - k);
        size_t left = share;
        bool put = json_array_append_new(list, division_json(&distribution->items[k], rows, &left)) == 0;
        carry -= share - left;
        if (put) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

json_t *distribution_json(const struct session *session, const struct matrix_case *matrix_case)
{
    const struct distribution *distribution = &matrix_case->distribution;
    if (distribution->count == 0) return json_null();
    bool known = distribution->kernel[0] != 0;
    return json_pack("{s:{s:f, s:f, s:b}, s:o, s:o, s:o, s:o}", "network", "latency_us",
                     distribution->network.latency_us, "bandwidth_gbs", distribution->network.bandwidth_gbs,
                     "assumed", !distribution->networked, "single_us", figure_json(distribution->single_us),
                     "kernel", known ? json_from_bytes(distribution->kernel) : json_null(), "measured",
                     known ? json_boolean(distribution->measured) : json_null(), "partitions",
                     partitions_json(distribution, matrix_case->matrix.csr.rows, session->carry));
}
