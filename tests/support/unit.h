/* A program of unit tests: all that TEST defines in its one file, in that order. It has no main of its own.
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

/* The same between two functions that prepare for it and clean up. */
#define TEST_BETWEEN(before, after, name)                                    \
    static void name(void **state);                                          \
    __attribute__((constructor)) static void unit_add_##name(void)           \
    {                                                                        \
        unit_add((struct CMUnitTest){#name, name, (before), (after), NULL}); \
    }                                                                        \
    static void name(void **state)

/* Two functions that prepare for all tests of the program, and clean up after them; NULL: nothing. */
#define TESTS_BETWEEN(before, after)                              \
    __attribute__((constructor)) static void unit_add_group(void) \
    {                                                             \
        unit_group((before), (after));                            \
    }

/* FREED(csr_free) struct csr a = ...; is a variable whose address csr_free gets at the end of its block. A
 * test that fails leaves it. */
#define FREED(function) __attribute__((cleanup(function)))

void unit_add(struct CMUnitTest test);
void unit_group(CMFixtureFunction before, CMFixtureFunction after);

/* A group function: the program keeps no measurements of this machine, which would be forecast, too, and
 * finds none. */
int unit_without_cache(void **state);

#endif
