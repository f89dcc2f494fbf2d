/* Storing a matrix as FORMAT:PARAMETERS says, which tests write as text. */
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

/* format_plan and format_convert of the choice that format_choice_read makes of `parameters`. If these cannot
 * be read its status is returned, and *storage is {0}. */
enum status storing_plan(const struct format *format, const char *parameters, const struct storing *how,
                         const struct csr *a, struct progress *progress, struct storage *storage,
                         struct error *error);
enum status storing_convert(const struct format *format, const char *parameters, const struct storing *how,
                            const struct csr *a, struct progress *progress, struct storage *storage,
                            struct error *error);

/* The same conversion, which succeeds: else its message is printed and the program ends. With a NULL `how`
 * the options are {0}. */
struct storage storing_done(const struct format *format, const char *parameters, const struct storing *how,
                            const struct csr *a);

/* conversions_want of that choice; NULL also if the parameters cannot be read. */
struct conversion *storing_want(struct conversions *conversions, const struct format *format,
                                const char *parameters, enum precision precision, struct error *error);

#endif
