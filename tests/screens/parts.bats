#!/usr/bin/env bats
# The Parts screen in a terminal: partitions found in the background, its panes at several sizes, and the way to Pattern.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

# parts_screen COLSxROWS ARGUMENT...: the explorer on this screen, with the number of parts that is shown first.
parts_screen() {
    screen "$@"
    wait_for 'relative to CSR'
    keys 8
    wait_for ', 8 parts  volume '
}

# The rows of a five-point stencil on a grid of 40 x 40, in p runs of whole lines, exchange 2 x 40 elements at each
# of p - 1 borders.
@test "partitions are found one after the other, and typed, in 72 x 20" {
    parts_screen 72x20 gen:laplace2d,n=40
    wait_for '^ *partition +parts +compute +exchange +speed-up +eff.'
    keys p
    wait_for 'Partition and number of parts'
    keys C-u
    keys 'natural 4' Enter
    wait_for 'natural, 4 parts  volume 240 elements  6 messages  imbalance 1'
    keys +
    wait_for 'natural, 8 parts  volume 560 elements  14 messages'
    keys .
    wait_for 'entries, 8 parts'
    keys v
    wait_for 'part 1 owns 20[0-9] rows'
    keys j
    wait_for 'part 2 \(down\) receives [0-9]+ from part 1 \(across\)'
    keys c
    wait_for 'speed-up over one process, predicted'
    keys m
    wait_for 'volume: elements exchanged in all'
    wait_for '^ *a natural '
    keys m
    wait_for 'imbalance: most'
    keys q
    ended_with 0
}

@test "the owners are coloured here and on Pattern" {
    parts_screen 100x30 gen:laplace2d,n=40
    keys o
    wait_for 'half or more remote'
    wait_for '(row 1: part [0-9]+|y\(1\): part [0-9]+)  x\(1\): part [0-9]+  a local entry'
    keys l
    wait_for '(row 1: part [0-9]+|y\(1\): part [0-9]+)  x\(([2-9]|[0-9]{2,})\): part'
    keys Enter
    wait_for 'Colour: owners'
    wait_for 'owner: part +[0-9]+|no part has half of it'
    keys q
    ended_with 0
}

@test "entries have owners of their own in blocks" {
    screen 100x30 --parts=4 --partition=blocks gen:laplace2d,n=12
    wait_for 'relative to CSR'
    keys 8
    wait_for 'blocks, 4 parts  volume 48 elements  4 messages'
    wait_for '^[ >]*blocks +4 .* 48 '
    keys o
    wait_for 'entry: part 1  y\(1\): part 1  x\(1\): part 1  a local entry'
    keys v
    wait_for 'part 1 owns 72 elements of y, and 324 entries'
    wait_for 'receives 12 elements in 1 message, sends 12 in 1'
    keys q
    ended_with 0
}

@test "the requested numbers of parts and partitions are shown" {
    screen 100x30 --parts=3,12 '--partition=natural entries' gen:laplace2d,n=40
    wait_for 'relative to CSR'
    keys 8
    wait_for 'entries, 12 parts  volume '
    wait_for '^[ >]*natural +3 '
    wait_for '^[ >]*natural +12 '
    wait_for '^[ >]*entries +3 '
    wait_for '^[ >]*entries +12 '
    keys q
    ended_with 0
    screen_end
    "$SPARSIGHT" gen gen:laplace2d,n=40 -o grid.mtx
    for k in $(seq 1600); do echo $((k % 7)); done >seven.part
    screen 100x30 --partition=file:path=seven.part grid.mtx
    wait_for 'relative to CSR'
    keys 8
    wait_for 'file:path=seven.part, 7 parts  volume '
    keys q
    ended_with 0
    screen_end
    echo 7 >>seven.part
    screen 100x30 --partition=file:path=seven.part grid.mtx
    wait_for 'relative to CSR'
    keys 8
    wait_for 'seven.part: '
    keys q
    ended_with 0
}

@test "large windows have all panes, and letters are enough" {
    parts_screen 160x48 --ascii gen:laplace2d,n=40
    wait_for 't Table .*o Owners'
    wait_for 'c Curves .*v Volumes'
    wait_for '[A-F]{2}'
    wait_for 'receives [0-9,]+ elements (from [0-9]+ parts?|in [0-9]+ messages?), sends'
    T resize-window -x 72 -y 20
    wait_for 't Table +o Owners +v Volumes +c Curves'
    keys q
    ended_with 0
}
