/* The end of main in the tests of src/ranks, whose ranks all run the same tests. */
#ifndef SPARSIGHT_TESTS_RANKS_TESTS_H
#define SPARSIGHT_TESTS_RANKS_TESTS_H

#include <stdlib.h>

#include "ranks/ranks.h"
#include "support/cmocka.h"

/* Run the tests one after the other, and close the ranks. Returns the status to exit with. Where a test fails
 * on one rank, the others may wait for it: it ends them all before its next test. */
static inline int ranks_run_tests(struct ranks *ranks, const char *name, const struct CMUnitTest *tests,
                                  size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const struct CMUnitTest one[] = {tests[k]};
        if (cmocka_run_group_tests_name(name, one, NULL, NULL)) ranks_abort(ranks, EXIT_FAILURE);
    }
    ranks_close(ranks);
    return EXIT_SUCCESS;
}

#endif
