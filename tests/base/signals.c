/* base/signals: the description of each signal states its effect on a process without a handler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/signals.h"

/* Send a new process the signal. Returns true if that ended it. */
static bool ends(int number)
{
    int state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = {0, 0};
        sigset_t all;
        setrlimit(RLIMIT_CORE, &none);
        sigfillset(&all);
        sigprocmask(SIG_UNBLOCK, &all, NULL);
        signal(number, SIG_DFL);
        raise(number);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &state, WUNTRACED), child);
    if (WIFSTOPPED(state)) {
        kill(child, SIGKILL);
        waitpid(child, &state, 0);
        return false;
    }
    return WIFSIGNALED(state);
}

static void every_signal_does_what_is_said_of_it(void **state)
{
    int count = 0;
    for (int k = 1; k < NSIG; k++) {
        struct sigaction now;
        bool caught = sigaction(k, NULL, &now) == 0 && k != SIGKILL && k != SIGSTOP;
        if (signal_ends(k) != (caught && ends(k))) fail_msg("signal %d", k);
        count += signal_ends(k);
        assert_true(!signal_is_fault(k) || signal_ends(k));
    }
    assert_in_range(count, 20, NSIG);
    assert_false(signal_ends(0));
    assert_false(signal_is_fault(SIGTERM));
    assert_true(signal_is_fault(SIGSEGV));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_signal_does_what_is_said_of_it),
    };
    return cmocka_run_group_tests_name("signals", tests, NULL, NULL);
}
