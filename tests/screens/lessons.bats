#!/usr/bin/env bats
# The lessons of `sparsight learn`: each is played to its end with the keys in its hints.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

# lines_of WORD N: the lines of lesson N that begin with this word, without the word.
lines_of() {
    awk -v word="$1" -v n="$2" '/^lesson /{k++} k == n && $1 == word {sub("^" word " ", ""); print}' \
        "$SRCDIR/data/lessons.txt"
}

# press WORD...: press keys as hints write them.
press() {
    local word
    for word; do
        case $word in
        Ctrl-?) keys "C-$(tr A-Z a-z <<<"${word#Ctrl-}")" ;;
        Enter) # the chosen item may be made in the background
            keys Enter
            with_patience 'the program to come to rest' at_rest
            ;;
        Up | Down | Left | Right | Home | End | Space) keys "$word" ;;
        *) keys -l -- "$word" ;;
        esac
    done
}

# The hint names these keys, on however many lines.
keys_told() {
    contents | tr '\n' ' ' | tr -s ' ' | grep -qF "Keys: $1"
}

# play N: play from the first step to the last. Before the keys are pressed the task is not done, and the hint names
# them.
play() {
    local title count step=0 line
    title=$(lines_of lesson "$1")
    count=$(lines_of keys "$1" | wc -l)
    [ "$count" -ge 2 ]
    while read -r line <&3; do
        step=$((step + 1))
        wait_for "^ Lesson $1 of 8: $title  step $step of $count .*Ctrl-T hint"
        with_patience 'the program to come to rest' at_rest
        wait_for "step $step of $count .*Ctrl-T hint"
        keys C-t
        wait_for '^ Keys: '
        with_patience "never told: $line" keys_told "$line"
        press $line
        wait_for "step $step of $count .*Enter go on"
        wait_for '^ Right\. '
        keys Enter
    done 3< <(lines_of keys "$1")
    [ "$step" = "$count" ]
    wait_for '^ This lesson is done\.'
}

@test "lessons 1 to 4: CSR, ELL and padding, HYB's cut, JDS and sections" {
    screen 80x24 learn 1
    for k in 1 2 3; do
        play $k
        keys Enter
    done
    play 4
    keys q
    ended_with 0
}

@test "lessons 5 to 8: COO and atomics, CMRS strips, coalescing, choosing" {
    screen 80x24 learn 5
    for k in 5 6 7; do
        play $k
        keys Enter
    done
    play 8
    wait_for 'It was the last one'
    keys Enter
    wait_for '8  Choosing .*done'
    wait_for '5  COO and atomics .*done'
    wait_for '1  CSR .*hpcg5.mtx'
    if seen '1  CSR .*done'; then false; fi
    keys Escape q
    ended_with 0
}

@test "the smallest terminal, in ASCII and without colours" {
    screen_env='NO_COLOR=1'
    screen 72x20 learn --ascii 7
    play 7
    if contents | grep -qP '[^\x00-\x7f]'; then false; fi
    T resize-window -x 60 -y 20
    wait_for '72x20 needed'
    T resize-window -x 100 -y 30
    wait_for 'This lesson is done'
    keys q
    ended_with 0
}

@test "the list chooses a lesson; Ctrl-X leaves it and lists lessons again; the help has its keys" {
    screen 80x24 learn
    wait_for '8  Choosing'
    wait_for 'first example of an article'
    keys Down Down
    wait_for '10.1 of Kirk and Hwu'
    keys Enter
    wait_for "Lesson 3 of 8: HYB's cut"
    wait_for 'pmpp'
    keys '?'
    wait_for 'Keys of this screen'
    keys NPage
    wait_for 'Keys of the lesson'
    wait_for 'Ctrl-X +leave the lesson'
    keys Escape
    keys C-x
    wait_for 'The lesson is left. Ctrl-X lists the lessons'
    wait_gone 'Lesson 3 of 8'
    wait_for '^ row 1  column 1'
    keys C-x
    wait_for '4  JDS and sections'
    keys Escape
    wait_gone '4  JDS and sections'
    keys q
    ended_with 0
}

@test "keys in the band can be clicked, and clicks above it reach the screen" {
    screen 80x24 learn 1
    wait_for 'Ctrl-T hint'
    keys -l $'\e[M Z3' # column 58 of the band's first line
    wait_for '^ Keys: Down Down Right'
    keys -l $'\e[M 54' # its second line
    still '^ row 1  column 1'
    keys -l $'\e[M 3*' # 40@4
    wait_for '^ row 3  column 5  value 40'
    wait_for 'Enter go on'
    keys q
    ended_with 0
}

@test "there are eight lessons, and the command lists them" {
    sparsight learn 9
    [ "$status" = 2 ]
    grep -q 'there is no lesson 9; lessons are 1 to 8' err
    sparsight learn one
    [ "$status" = 2 ]
    grep -q "'one' is not the number of a lesson" err
    sparsight learn 1 2
    [ "$status" = 2 ]
    grep -q 'learn takes one lesson at a time' err
    sparsight learn --help
    [ "$status" = 0 ]
    grep -q '^Usage: sparsight learn' out
}
