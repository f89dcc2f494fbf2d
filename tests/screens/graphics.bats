#!/usr/bin/env bats
# Pictures of pixels, on a terminal that the test simulates: tests/screens/terminal.py decodes its input.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR" || exit
    need_explorer
    need python3
    python3 -c 'import fcntl, pty, termios, zlib' 2>/dev/null || skip "python3 has no pty"
}

teardown() {
    screen_end
}

# terminal KIND ENDING MATRIX ARGUMENT...
terminal() {
    python3 "$SRCDIR/tests/screens/terminal.py" "$1" "$2" "$3" "$SPARSIGHT" "${@:4}" "$3"
}

@test "kitty: pixels are the counts of the matrix, sent once" {
    "$SPARSIGHT" gen powerlaw,scale=11,edge=18 -o a.mtx
    terminal kitty quit a.mtx
}

@test "sixels: pixels are the counts of the matrix, and the cursor moves without the picture" {
    "$SPARSIGHT" gen dissection,n=60 -o a.mtx
    terminal sixel quit a.mtx
}

@test "a small matrix has squares of pixels; a signal removes the picture too" {
    "$SPARSIGHT" gen dissection,n=15 -o a.mtx
    terminal kitty signal a.mtx
    terminal sixel signal a.mtx
}

@test "lines with a picture are not scrolled, even if curses draws" {
    type -P tic >/dev/null || skip "no tic"
    "$SPARSIGHT" gen powerlaw,scale=11,edge=18 -o a.mtx
    printf '%s\n' 'curses-256color|an xterm that cannot combine dim text with colours,' '	ncv#16, use=xterm-256color,' >entry
    tic -x -o terminfo entry
    TERMINFO=$PWD/terminfo TERMINAL=curses-256color terminal kitty move a.mtx
    terminal sixel move a.mtx
}

@test "a terminal that does not answer gets no picture" {
    "$SPARSIGHT" gen dissection,n=15 -o a.mtx
    terminal silent quit a.mtx
}

@test "--graphics=none: a terminal with graphics is not asked about them" {
    "$SPARSIGHT" gen dissection,n=15 -o a.mtx
    terminal silent quit a.mtx --graphics=none
}

@test "--graphics: an unknown name gets a suggestion" {
    run "$SPARSIGHT" --graphics=kity a.mtx
    [ "$status" -eq 2 ]
    [[ "$output" == *"auto, kitty, sixel or none, and not 'kity'; did you mean kitty?"* ]]
}

@test "tmux: pixels are as tmux answers, and the title of its pane stays" {
    "$SPARSIGHT" gen dissection,n=15 -o a.mtx
    screen 120x40 a.mtx
    wait_for "relative to CSR"
    keys 2
    wait_for "braille|shaded|pixels"
    [[ "$(T display -p '#{pane_title}')" != *Gi=31* ]]
    keys q
    ended_with 0
}
