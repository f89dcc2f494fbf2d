#!/usr/bin/env bats
# Pictures on a terminal, which the test simulates: their size, colours, background and protocol.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
    export LC_ALL=C.UTF-8
    need python3
    python3 -c 'import fcntl, pty, termios' 2>/dev/null || skip "python3 has no pty"
    "$SPARSIGHT" gen dissection,n=15 -o mesh.mtx
}

on_terminal() {
    python3 "$SRCDIR/tests/commands/plot_terminal.py" "$1" "$SPARSIGHT" mesh.mtx
}

@test "a picture has the size of the terminal" {
    on_terminal sizes
}

@test "a picture has the colours of the terminal" {
    on_terminal palettes
}

@test "a picture suits the background of the terminal" {
    on_terminal backgrounds
}

@test "a terminal with graphics is sent pixels by its protocol, of its size" {
    on_terminal protocols
}

@test "the program waits briefly for a terminal that does not answer, and restores its modes" {
    on_terminal silence
}
