/* Each part of a session counts its steps: at its end the number done is the one that its last phase
 * announced. */
#include <stdio.h>
#include <string.h>

#include "matrix/orders/order.h"
#include "session/session.h"
#include "support/unit.h"

static const char *const matrices[] = {"gen:laplace2d,n=60", "gen:powerlaw,scale=11,edge=8",
                                       "gen:arrow,n=3000"};
#define MATRICES (sizeof matrices / sizeof *matrices)

static void compare(const char *matrix, const char *what, const struct progress *progress)
{
    const long long done = atomic_load(&progress->done), total = atomic_load(&progress->total);
    if (total > 0 && done != total)
        fail_msg("%s of %s: %lld of %lld, %s", what, matrix, done, total, atomic_load(&progress->phase));
    if (total == 0 && done != 0)
        fail_msg("%s of %s: %lld of none, %s", what, matrix, done,
                 atomic_load(&progress->phase) ? atomic_load(&progress->phase) : "no phase");
}

TEST(parts_do_all_their_steps)
{
    for (size_t k = 0; k < MATRICES; k++) {
        for (unsigned part = SESSION_MATRIX; part <= SESSION_DENSE_BLOCKS; part <<= 1) {
            struct session session;
            struct progress progress = {0};
            struct error error = {0};
            char what[32];
            if (part & (SESSION_GPU | SESSION_ENTRIES | SESSION_FORESIGHT)) continue;
            const struct load_options options = {0};
            assert_int_equal(session_load(&session, matrices[k], &options, NULL, &error), STATUS_OK);
            session.hasty = true;
            if (session_need(&session, NULL, part, &progress, &error) != STATUS_OK)
                fail_msg("%s: part %x: %s", matrices[k], part, error.message);
            snprintf(what, sizeof what, "part %x", part);
            compare(matrices[k], what, &progress);
            session_free(&session);
        }
    }
}
