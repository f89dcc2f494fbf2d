#!/usr/bin/env bats
# The bytes that a moved cursor sends to the terminal, on screens with a list, a page or bars: at most 300 on average,
# for slow connections. Pictures of memory and arrays change by more. Pattern and the browser have their own tests.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

# The terminal has received something beyond $1 bytes, and then nothing for a while.
sent_beyond() {
    local before
    before=$(stat -c %s sent)
    [ "$before" -gt "$1" ] || return 1
    sleep 0.15
    [ "$(stat -c %s sent)" -eq "$before" ]
}

# Each key sends something; `total` is the sum of bytes.
send() {
    local first last key
    with_patience "the program to come to rest" at_rest
    first=$(wc -c <sent)
    last=$first
    for key; do
        keys "$key"
        with_patience "nothing is sent for $key" sent_beyond "$last"
        echo "$key: $(($(wc -c <sent) - last)) bytes"
        last=$(wc -c <sent)
    done
    total=$((last - first))
}

# moves MOST KEY...: each key sends something, and all of them at most MOST bytes on average. On a busy machine the end
# of background work may be drawn meanwhile, once. Then the keys are undone, and must keep the limit twice.
moves() {
    local most=$1 wanted=1 key back=
    shift
    while :; do
        send "$@"
        if [ "$total" -le $((most * $#)) ]; then
            wanted=$((wanted - 1))
            [ "$wanted" -gt 0 ] || return 0
        elif [ "$wanted" -gt 1 ] || [ -n "$back" ]; then
            return 1
        else
            wanted=2
        fi
        back=()
        for key; do
            case $key in
            Down) back=(Up "${back[@]}") ;;
            Up) back=(Down "${back[@]}") ;;
            Left) back=(Right "${back[@]}") ;;
            Right) back=(Left "${back[@]}") ;;
            esac
        done
        keys "${back[@]}"
        with_patience "the program to come to rest" at_rest
    done
}

# begin SIZE: the demo on the Summary; count sent bytes from now on.
begin() {
    screen "$1" "$SRCDIR/data/demo.mtx.gz"
    wait_for 'relative to CSR'
    wait_for 'Take cuda/.* on the NVIDIA H200'
    with_patience "the program to come to rest" at_rest
    T pipe-pane 'cat >>sent'
    with_patience "the pipe is not there" test -e sent
}

@test "a moved cursor sends at most 300 bytes on Summary, Kernels and Advice, and in lists over them" {
    for size in 80x24 160x48; do
        rm -f sent
        begin $size
        moves 300 Down Down Down Up Up
        keys 6
        wait_for 'estimated for'
        moves 300 Down Down Down Up Right Left
        keys 7
        wait_for 'f64, [0-9]+ forecast'
        moves 300 Down Down Right Right Right Left Up Up
        keys b
        still 'b Times'
        moves 300 Down Down Down Up
        keys i
        still 'i Roofline'
        moves 300 Down Down Down Up
        keys c
        still 'c Criteria'
        moves 300 Down Down Up
        keys '\;'
        wait_for 'Settings'
        moves 300 Down Down Up
        keys Escape e
        wait_for 'Orders'
        moves 350 Down Down Up # four lines describe the order
        keys Escape 7 B
        still 'B Break-even'
        moves 600 Down Down Down Up # another curve is drawn
        keys q
        ended_with 0
        screen_end
    done
}

@test "a step sends at most 1,450 bytes on Warps with two kernels, and a moved cursor 700 on Layouts with two formats" {
    begin 160x48
    keys 5
    wait_for 'step 3 of 51'
    moves 1450 Right Right Right Left Left Down Up
    keys 4
    wait_for 'coo_col'
    moves 700 Right Right Down Down Left Up
    keys q
    ended_with 0
}

@test "a moved cursor sends at most 300 bytes in the list of lessons" {
    screen 160x48 learn
    wait_for '8  Choosing'
    T pipe-pane 'cat >>sent'
    with_patience "the pipe is not there" test -e sent
    moves 300 Down Down Down Up
    keys Escape q
    ended_with 0
}
