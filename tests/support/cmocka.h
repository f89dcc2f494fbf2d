/* cmocka, after the headers that it requires. */
#ifndef SPARSIGHT_TESTS_SUPPORT_CMOCKA_H
#define SPARSIGHT_TESTS_SUPPORT_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
