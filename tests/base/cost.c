/* The processor time of a part of the work. */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cost.h"
#include "support/unit.h"

#define SPENT 0.2 /* seconds */

static void spend(void)
{
    struct timespec now;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec < SPENT);
}

/* A child that has ended counts, as libraries that run apart do. */
TEST(the_time_of_a_child_counts)
{
    struct costs costs = {0};
    const struct cost begun = cost_begin();
    pid_t child = fork();
    if (child == 0) {
        spend();
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    cost_end(&costs, "a child", &begun);
    assert_int_equal(costs.count, 1);
    /* The system counts a child's time in ticks. */
    assert_true(costs.items[0].cpu > 0.9 * SPENT);
}
