#!/usr/bin/env bats
# Every call of the system fails in turn, in every command: tests/support/failures.py.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "a call of the system that fails is a clean error, and leaves nothing behind" {
    need python3
    need_failing
    run python3 "$SRCDIR/tests/support/failures.py" "$SPARSIGHT" "$failing"
    echo "$output"
    [ "$status" -eq 0 ]
}
