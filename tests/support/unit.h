/* A program of unit tests: the tests that TEST defines in its file, in their order. The file has no main.
 */
#ifndef SPARSIGHT_TESTS_SUPPORT_UNIT_H
#define SPARSIGHT_TESTS_SUPPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/said.h"

/* TEST(name) { ... } is a test, which cmocka calls with `state`. */
#define TEST(name) TEST_BETWEEN(NULL, NULL, name)

/* The same, with functions that run before and after the test. */
#define TEST_BETWEEN(before, after, name)                                    \
    static void name(void **state);                                          \
    __attribute__((constructor)) static void unit_add_##name(void)           \
    {                                                                        \
        unit_add((struct CMUnitTest){#name, name, (before), (after), NULL}); \
    }                                                                        \
    static void name(void **state)

/* Functions that run before and after all tests of the program; NULL: none. */
#define TESTS_BETWEEN(before, after)                              \
    __attribute__((constructor)) static void unit_add_group(void) \
    {                                                             \
        unit_group((before), (after));                            \
    }

/* FREED(csr_free) struct csr a = ...; defines a variable that csr_free frees at the end of its block, unless
 * the test fails. */
#define FREED(function) __attribute__((cleanup(function)))

void unit_add(struct CMUnitTest test);
void unit_group(CMFixtureFunction before, CMFixtureFunction after);

/* A group function: the program neither keeps nor finds measurements of this machine, because forecasts would
 * use them. */
int unit_without_cache(void **state);

#endif
