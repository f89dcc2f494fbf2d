#!/usr/bin/env bats
# The picture of a matrix while it is read, and the keys meanwhile.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    exec 9>&-
    screen_end
}

# Write the first half of a banded matrix to the pipe slow.mtx, which stays open, and wait for its dots.
read_half() {
    "$SPARSIGHT" gen banded,n=60000,lower=2 >whole.mtx
    half=$(($(wc -c <whole.mtx) / 2))
    mkfifo slow.mtx
    screen "$1" slow.mtx
    wait_for 'Loading slow.mtx'
    exec 9>slow.mtx
    head -c "$half" whole.mtx >&9
    wait_for 'coarse: 1 of 32 entries is counted, [0-9,]+ so far'
}

# The screen's upper half shows dots. The screen is in the file half.
band_above_middle() {
    contents >half
    [ "$(sed -n '5,12p' half | grep -c '[^ -~│├┤┌┐└┘─]')" -ge 7 ]
}

# The picture has the size of a terminal of 40 lines.
large_picture() {
    contents >large
    grep -q 'Pattern so far' large && grep -qE 'x cancel +q quit +[?] help' large && sed -n '31,$p' large | grep -q '60,000'
}

@test "a matrix is drawn while it is read, with help, and keys pressed meanwhile take effect afterwards" {
    read_half 100x30
    wait_for 'Pattern so far: 1 dot = '
    # The band is drawn above the middle, and not below it, once all sent data are read.
    with_patience "never drawn: the band above the middle" band_above_middle
    [ "$(sed -n '20,23p' half | tr -d ' │├┤0-9,' | tr -d '\n' | wc -c)" -eq 0 ]
    wait_for 'x cancel +q quit +[?] help'
    keys '?'
    wait_for 'Keys while a matrix is loading'
    wait_for 'Pattern shows all entries exactly once the matrix is loaded'
    keys Escape
    wait_gone 'Keys while a matrix is loading'
    wait_for 'Pattern so far'
    keys 2
    T resize-window -x 120 -y 40
    with_patience "not drawn in the new size" large_picture
    tail -c +$((half + 1)) whole.mtx >&9
    exec 9>&-
    wait_for 'Pattern: 1 dot = '
    wait_for '299,994 entries'
    keys q
    ended_with 0
}

@test "reading is cancelled while its picture is drawn" {
    read_half 80x24
    keys x
    ended_with 1
    contents | grep 'loading was cancelled'
}

@test "without colours and in ASCII, entries are drawn as characters while they are read" {
    screen_env='NO_COLOR=1'
    "$SPARSIGHT" gen banded,n=60000,lower=2 >whole.mtx
    mkfifo slow.mtx
    screen 80x24 --ascii slow.mtx
    exec 9>slow.mtx
    head -c 3000000 whole.mtx >&9
    wait_for 'coarse: 1 of 32'
    wait_for '^ *1+[-.:+*#%@]'
    contents >ascii
    if LC_ALL=C grep '[^ -~]' ascii; then false; fi
    keys q
    ended_with 0
}

@test "while a matrix is generated, the share that was made is shown, once" {
    screen_env='OMP_NUM_THREADS=1'
    screen 100x30 gen:powerlaw,scale=22,edge=14 # takes some 15 s on an idle machine
    wait_for 'coarse: 1 of 32 entries'
    wait_for '^ *reading .* [0-9]+%'
    contents >shown
    [ "$(grep -oE '[0-9]+%' shown | wc -l)" -eq 1 ]
    keys q
    ended_with 0
}
