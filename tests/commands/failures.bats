#!/usr/bin/env bats
# Every call of the system fails in turn, in every command: tests/support/failures.py.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "a call of the system that fails is a clean error, and leaves nothing behind" {
    need python3
    [ -f "$BUILDDIR/tests/support/failing.so" ] || skip "no library to preload"
    run python3 "$SRCDIR/tests/support/failures.py" "$SPARSIGHT" "$BUILDDIR/tests/support/failing.so"
    echo "$output"
    [ "$status" -eq 0 ]
}
