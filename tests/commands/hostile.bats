#!/usr/bin/env bats
# Names, titles and messages with control characters and markup: the output of every command for them, in every format.

load ../support/helper

@test "no name becomes a terminal's command, markup or a formula, in any format of any command" {
    need python3
    cd "$BATS_TEST_TMPDIR"
    python3 "$SRCDIR/tests/support/hostile.py" "$SPARSIGHT" "$SRCDIR"
}
