/* Malformed Matrix Market files, and the expected message of each. */
#ifndef SPARSIGHT_TESTS_SUPPORT_MALFORMED_H
#define SPARSIGHT_TESTS_SUPPORT_MALFORMED_H

#include <stddef.h>

struct malformed {
    const char *text;
    size_t size;         /* 0: up to the NUL */
    const char *error;   /* LINE:COLUMN: message */
    const char *stream;  /* the error if compression hides the file's size; NULL: as above */
    const char *lenient; /* the error with --lenient; NULL: as above; "": the file is read */
};

extern const struct malformed market_malformed[];
extern const size_t market_malformed_count;

#endif
