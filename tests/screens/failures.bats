#!/usr/bin/env bats
# Every system call fails in turn while the explorer runs: tests/screens/failures.py.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "whichever system call fails, the explorer ends by itself and restores the terminal" {
    need python3
    need_explorer
    need_failing
    run python3 "$SRCDIR/tests/screens/failures.py" "$SPARSIGHT" "$failing"
    echo "$output"
    [ "$status" -eq 0 ]
}
