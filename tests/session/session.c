/* Sessions: their cases, loading, and changes of the GPU. */
#include "session/session.h"
#include "base/memory.h"
#include "support/unit.h"

TEST(orders_are_limited)
{
    FREED(session_free) struct session session = {0};
    struct error error = {0};
    FREED(matrix_free) struct matrix matrix = {.name = memory_string("kept", NULL)};
    for (int k = 0; k < SESSION_CASES; k++)
        assert_non_null(session_add_case(&session, "natural", &(struct matrix){0}, &error));
    assert_null(session_add_case(&session, "one more", &matrix, &error));
    assert_int_equal(error.status, STATUS_USAGE);
    assert_string_equal(matrix.name, "kept");
}

/* The requested GPU, or else a default one, found once. */
TEST(a_session_knows_what_to_estimate_for)
{
    struct session session;
    struct load_options options = {0};
    struct gpu none = {0}, asked;
    assert_int_equal(gpu_find("k20m", &asked, NULL), STATUS_OK);
    assert_int_equal(session_load(&session, "gen:laplace2d,n=3", &options, NULL, NULL), STATUS_OK);
    session_for_gpu(&session, &asked, 0);
    assert_false(session_has(&session, SESSION_GPU));
    assert_int_equal(session_need(&session, NULL, SESSION_GPU, NULL, NULL), STATUS_OK);
    assert_true(session_has(&session, SESSION_GPU));
    assert_string_equal(session.gpu.name, "k20m");
    session_free(&session);
    assert_int_equal(session_load(&session, "gen:laplace2d,n=3", &options, NULL, NULL), STATUS_OK);
    session_for_gpu(&session, &none, 1000000);
    assert_int_equal(session_need(&session, NULL, SESSION_GPU, NULL, NULL), STATUS_OK);
    assert_string_equal(session.gpu.name, GPU_STANDARD);
    session_free(&session);
}

TEST(a_failed_load_names_the_matrix)
{
    FREED(session_free) struct session session;
    struct load_options options = {0};
    struct error error = {0};
    assert_int_equal(session_load(&session, "gen:nonsense", &options, NULL, &error), STATUS_USAGE);
    assert_string_equal(error.path, "gen:nonsense");
    assert_false(session_has(&session, SESSION_MATRIX));
}

/* Every allocation fails once. Nothing leaks, and existing parts stay readable. */
TEST(sessions_survive_failing_allocations)
{
    struct load_options options = {0};
    enum status status = STATUS_MEMORY;
    for (long k = 0; status != STATUS_OK; k++) {
        FREED(session_free) struct session session;
        struct error error = {0};
        assert_true(k < 10000);
        memory_fail_after(k);
        status = session_load(&session, "gen:laplace2d,n=3", &options, NULL, &error);
        if (status == STATUS_OK) status = session_need(&session, NULL, 63, NULL, &error);
        bool failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        assert_int_equal(error.status, status);
        assert_string_equal(error.path, failed ? "gen:laplace2d,n=3" : "");
    }
}
