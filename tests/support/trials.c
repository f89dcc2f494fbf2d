#include "support/trials.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/threads.h"

void trial_fail(const struct trial *trial, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    fail_msg("%s in %s:%s, %s%s, %d threads: %s", trial->sample->name, trial->request->format->name,
             trial->request->parameters, precision_name(trial->options.precision),
             trial->options.wide ? ", 64 bits" : "", trial->threads, what);
}

bool trial_plan(const struct trial *trial, struct storage *storage)
{
    struct error error = {0};
    enum status status = storing_plan(trial->request->format, trial->request->parameters, &trial->options,
                                      &trial->sample->a, NULL, storage, &error);
    if (status == STATUS_OK) return true;
    if (status == STATUS_LIMIT || (status == STATUS_USAGE && trial->request->origin == ORIGIN_SWEEP))
        return false;
    trial_fail(trial, "not planned: %s", error.message);
    return false;
}

void trial_convert(const struct trial *trial, struct storage *storage)
{
    struct error error = {0};
    threads_set(trial->threads);
    enum status status = storing_convert(trial->request->format, trial->request->parameters, &trial->options,
                                         &trial->sample->a, NULL, storage, &error);
    if (status != STATUS_OK) trial_fail(trial, "not converted: %s", error.message);
}

void trial_round(const struct trial *trial, const struct storage *storage)
{
    struct csr back = {0};
    struct error error = {0};
    if (storage_validate(storage, &error) != STATUS_OK) trial_fail(trial, "not sound: %s", error.message);
    if (storage_unpack(storage, NULL, &back, &error) != STATUS_OK)
        trial_fail(trial, "not unpacked: %s", error.message);
    const char *difference = csr_difference(&trial->sample->a, &back, trial->options.precision);
    if (difference) trial_fail(trial, "%s", difference);
    csr_free(&back);
}

void trial_refuse(const struct trial *trial, const struct storage *plan)
{
    struct storage storage;
    struct error error = {0};
    struct format_size size = storage_size(plan);
    char bytes[32], ratio[32], limit[32];
    format_bytes(bytes, sizeof bytes, (double)size.allocated);
    format_bytes(limit, sizeof limit, (double)trial->options.limit);
    snprintf(ratio, sizeof ratio, "%.4g", size.padding_ratio);
    enum status status = storing_convert(trial->request->format, trial->request->parameters, &trial->options,
                                         &trial->sample->a, NULL, &storage, &error);
    if (status != STATUS_LIMIT) trial_fail(trial, "not refused: %s", error.message);
    if (!strstr(error.message, bytes) || !strstr(error.message, ratio) || !strstr(error.message, limit))
        trial_fail(trial, "'%s' lacks %s, %s or %s", error.message, bytes, ratio, limit);
    assert_int_equal(storage.count, plan->count);
    for (int q = 0; q < storage.count; q++)
        assert_null(storage.array[q].data);
    assert_int_equal(storage_size(&storage).bytes, size.bytes);
    storage_free(&storage);
}
