#!/usr/bin/env bats
# Names, titles and messages that are not text: the output of every command for them, in every format.

load ../support/helper

@test "no name is a command to a terminal, a mark or a formula, in any format of any command" {
    need python3
    cd "$BATS_TEST_TMPDIR"
    python3 "$SRCDIR/tests/support/hostile.py" "$SPARSIGHT" "$SRCDIR"
}
