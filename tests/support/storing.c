#include "support/storing.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum status storing_function(const struct format_choice *choice, const struct format_options *options,
                                     const struct csr *a, struct progress *progress, struct storage *storage,
                                     struct error *error);

static enum status call(storing_function *function, const struct format *format, const char *parameters,
                        const struct storing *how, const struct csr *a, struct progress *progress,
                        struct storage *storage, struct error *error)
{
    const struct format_options options = {.wide = how->wide, .limit = how->limit};
    struct format_choice choice;
    *storage = (struct storage){0};
    enum status status = format_choice_read(format, parameters, how->precision, &choice, error);
    return status == STATUS_OK ? function(&choice, &options, a, progress, storage, error) : status;
}

enum status storing_plan(const struct format *format, const char *parameters, const struct storing *how,
                         const struct csr *a, struct progress *progress, struct storage *storage,
                         struct error *error)
{
    return call(format_plan, format, parameters, how, a, progress, storage, error);
}

enum status storing_convert(const struct format *format, const char *parameters, const struct storing *how,
                            const struct csr *a, struct progress *progress, struct storage *storage,
                            struct error *error)
{
    return call(format_convert, format, parameters, how, a, progress, storage, error);
}

struct storage storing_done(const struct format *format, const char *parameters, const struct storing *how,
                            const struct csr *a)
{
    const struct storing none = {0};
    struct storage storage;
    struct error error = {0};
    if (storing_convert(format, parameters, how ? how : &none, a, NULL, &storage, &error) == STATUS_OK)
        return storage;
    fprintf(stderr, "%s:%s: %s\n", format->name, parameters, error.message);
    abort();
}

struct conversion *storing_want(struct conversions *conversions, const struct format *format,
                                const char *parameters, enum precision precision, struct error *error)
{
    struct format_choice choice;
    if (format_choice_read(format, parameters, precision, &choice, error) != STATUS_OK) return NULL;
    return conversions_want(conversions, &choice, error);
}
