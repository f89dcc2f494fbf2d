#!/usr/bin/env bats
# The tour, man/tour.txt: it is a recording for players, and shows each screen.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
    need jq
    tour=$SRCDIR/man/tour.txt
}

teardown() {
    screen_end
}

# The titles of the screens, in their order.
titles() {
    sed -n 's/^VIEW(\(.*\))$/\1/p' "$SRCDIR/src/ui/views.def" | while read -r name; do
        sed -n '/^const struct view /,/^}/s/^ *\.title = "\(.*\)",$/\1/p' "$SRCDIR/src/ui/$name/view.c"
    done
}

# play TEXT: play the tour until its part TEXT ends, in a terminal of its size.
play() {
    need tmux
    screen_number=$((screen_number + 1))
    jq -sj --arg part "$1" '.[1:] | map(select(.[1] == "m")) as $parts
        | ($parts | map(.[2]) | index($part)) as $at | (($parts[$at + 1] // [1e9])[0]) as $until
        | .[] | select(.[1] == "o" and .[0] < $until) | .[2]' "$tour" >played
    T new-session -d -x 120 -y 36 cat
    T set -g status off
    T set -g remain-on-exit on
    T resize-window -x 120 -y 36
    T respawn-pane -k "cd '$PWD' && stty -echo && cat played && exec cat"
}

# The title of the bold tab, which is between two resets of all attributes.
open_tab() {
    contents -e | head -n 1 | sed $'s/\033\\[0m/\\n/g' | grep -q -- $'\033\\[1m'".*$1"
}

@test "the tour is a recording of 60 seconds in the second version of asciinema's format" {
    [ "$(wc -c <"$tour")" -lt 1000000 ]
    head -n 1 "$tour" | jq -e '.version == 2 and .width == 120 and .height == 36 and .duration == 60'
    jq -se '.[1:] | all(length == 3 and (.[0] | type) == "number" and (.[2] | type) == "string")' "$tour"
    jq -se '.[1:] | map(.[1]) | unique == ["m", "o"]' "$tour"
    jq -se '.[1:] | map(.[0]) | . == sort and .[0] == 0 and .[-1] == 60' "$tour"
    jq -se '[.[1:] | map(.[0]) | [.[1:], .[:-1]] | transpose[] | .[0] - .[1]] | max <= 5' "$tour"
}

@test "each screen has its part of the tour, which shows it" {
    local title
    titles >titles.txt
    [ "$(wc -l <titles.txt)" -eq "$(grep -c '^VIEW' "$SRCDIR/src/ui/views.def")" ]
    jq -r 'select(type == "array" and .[1] == "m") | .[2]' "$tour" >parts.txt
    while read -r title; do
        echo "$title"
        grep -qxF "$title" parts.txt
        play "$title"
        with_patience "$title is not open" open_tab "$title"
        T kill-server
    done <titles.txt
}

@test "the tour begins with the list of matrices, and ends with a report" {
    play Start
    wait_for 'Open a matrix'
    wait_for 'demo.mtx.gz .* 3,000 x 3,000'
    T kill-server
    play Reports
    wait_for '^stencil27 +39304 +27'
}
