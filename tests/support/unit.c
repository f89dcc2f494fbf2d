#include "support/unit.h"

#include <stdlib.h>

static struct CMUnitTest tests[100]; /* cmocka passes over those without a name */
static size_t count;
static CMFixtureFunction group[2];

void unit_add(struct CMUnitTest test)
{
    if (count == sizeof tests / sizeof *tests) abort();
    tests[count++] = test;
}

void unit_group(CMFixtureFunction before, CMFixtureFunction after)
{
    group[0] = before;
    group[1] = after;
}

int unit_without_cache(void **state)
{
    return setenv("XDG_CACHE_HOME", "/dev/null", 1);
}

int main(void)
{
    return cmocka_run_group_tests(tests, group[0], group[1]);
}
