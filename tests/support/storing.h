/* Storing a matrix in a format given as a text, FORMAT:PARAMETERS. */
#ifndef SPARSIGHT_TESTS_SUPPORT_STORING_H
#define SPARSIGHT_TESTS_SUPPORT_STORING_H

#include "formats/format.h"
#include "session/conversions.h"

/* The precision of the choice, and the other members of struct format_options. {0} is the default. */
struct storing {
    enum precision precision;
    bool wide;
    size_t limit;
};

/* Call format_plan or format_convert with the choice that format_choice_read makes of `parameters`. If they
 * cannot be read, return that status; *storage is {0} then. */
enum status storing_plan(const struct format *format, const char *parameters, const struct storing *how,
                         const struct csr *a, struct progress *progress, struct storage *storage,
                         struct error *error);
enum status storing_convert(const struct format *format, const char *parameters, const struct storing *how,
                            const struct csr *a, struct progress *progress, struct storage *storage,
                            struct error *error);

/* The same conversion, which must succeed: a failure prints its message and ends the program. A NULL `how`
 * means {0}. */
struct storage storing_done(const struct format *format, const char *parameters, const struct storing *how,
                            const struct csr *a);

/* conversions_want of that choice; NULL also if the parameters cannot be read. */
struct conversion *storing_want(struct conversions *conversions, const struct format *format,
                                const char *parameters, enum precision precision, struct error *error);

#endif
