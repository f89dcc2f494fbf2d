#!/usr/bin/env bats
# Every call of the system fails in turn while the explorer is used: tests/screens/failures.py.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "the explorer ends by itself and leaves the terminal as it was, whichever call of the system fails" {
    need python3
    need_explorer
    need_failing
    run python3 "$SRCDIR/tests/screens/failures.py" "$SPARSIGHT" "$failing"
    echo "$output"
    [ "$status" -eq 0 ]
}
