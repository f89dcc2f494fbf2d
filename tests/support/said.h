/* Assertions on parts of a text. */
#ifndef SPARSIGHT_TESTS_SUPPORT_SAID_H
#define SPARSIGHT_TESTS_SUPPORT_SAID_H

#include <stdbool.h>
#include <stddef.h>

/* Fail the test unless `text` has each of these parts, or none of them. */
#define assert_says(text, ...) said_expect(text, true, (const char *const[]){__VA_ARGS__, NULL})
#define assert_lacks(text, ...) said_expect(text, false, (const char *const[]){__VA_ARGS__, NULL})
void said_expect(const char *text, bool there, const char *const *parts);

#endif
