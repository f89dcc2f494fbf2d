# Driving the explorer in tmux, for the screen tests. `load tmux` after `load helper`.
#
# Every wait is for a text on the screen, never for a time alone: machines may be slow and busy.

# Seconds of sleep of the program after which a test gives up waiting: a text that is not shown by then never is. While
# it works, or waits for a processor on a busy machine, it may take four times as long in all, as may its start.
patience=${SPARSIGHT_TEST_PATIENCE:-15}

# The list of opened files is kept in the test's own folder.
export XDG_STATE_HOME=${BATS_TEST_TMPDIR:-${BATS_TMPDIR:-/tmp}}/state

# The user's settings are none of the tests'.
export XDG_CONFIG_HOME=${BATS_TEST_TMPDIR:-${BATS_TMPDIR:-/tmp}}/config

# A server of its own for each screen of a test: one that is being ended would take the next screen along.
screen_number=0
T() {
    tmux -u -L "sparsight-$$-$BATS_TEST_NUMBER-$screen_number" -f /dev/null "$@"
}

# Skip the test in a build --without-curses.
need_explorer() {
    [ ! -f "${BUILDDIR:-}/config.h" ] || grep -q 'define WITH_CURSES 1' "$BUILDDIR/config.h" || skip "no explorer"
}

# screen COLSxROWS ARGUMENT...: run sparsight in a terminal of that size. Before that, $screen_env may hold
# NAME=VALUE words for its environment, and $screen_input a shell command that writes its standard input.
# Afterwards the screen says "status N", the files before and after hold the terminal's modes, pid its number.
screen() {
    need tmux
    need_explorer
    local size=$1 word quoted=
    shift
    screen_number=$((screen_number + 1))
    unproved=()
    for word in "$@"; do
        quoted+=" $(printf %q "$word")"
    done
    rm -f pid server
    cat >run.sh <<END
trap : INT
stty -a >before
${screen_input:+$screen_input |} sh -c 'echo \$\$ >pid; exec env ${screen_env:-} "$SPARSIGHT" "\$@"' sh$quoted
echo "status \$?"
stty -a >after
echo over
exec cat
END
    # One client for all: each takes as long to start as the program does. The options are set before the program runs.
    env -u NO_COLOR LANG=C.UTF-8 tmux -u -L "sparsight-$$-$BATS_TEST_NUMBER-$screen_number" -f /dev/null \
        new-session -d -x "${size%x*}" -y "${size#*x}" "cat" \; set -g status off \; set -s escape-time 0 \; set -g remain-on-exit on \; \
        resize-window -x "${size%x*}" -y "${size#*x}" \; \
        display-message -p '#{pid}' \; respawn-pane -k "cd '$PWD' && TERM=tmux-256color LC_ALL=C.UTF-8 bash run.sh" >server
}

# To be called by teardown.
screen_end() {
    command -v tmux >/dev/null && T kill-server 2>/dev/null
    return 0
}

# With SPARSIGHT_TEST_STRICT=1 the first wait after keys fails if it does not show that they were handled, since what it
# waits for was so before them. The screens before these keys are kept for that.
unproved=()
keys() {
    local kept=$BATS_TEST_TMPDIR/before-keys-${#unproved[@]}
    if [ -n "${SPARSIGHT_TEST_STRICT:-}" ]; then
        contents >"$kept"
        unproved+=("$kept")
    fi
    T send-keys "$@"
}

# proves WHAT COMMAND...: the command fails on each screen of before the keys, as on its standard input.
proves() {
    local what=$1 kept
    shift
    for kept in "${unproved[@]}"; do
        if "$@" <"$kept"; then
            echo "not new after the keys: $what"
            return 1
        fi
    done
}

contents() {
    T capture-pane -p "$@"
}

# Set $now to milliseconds; a process for each look at the clock would take longer than the look.
now_ms() {
    local us=${EPOCHREALTIME/[.,]/}
    now=$((us / 1000))
}

# A thread of the process runs, or would if it had a processor, or waits for a disk.
at_work() {
    grep -qsE '^[0-9]+ [(].*[)] [RD] ' /proc/"$1"/task/*/stat
}

# The program of the screen is starting or at work. Where nobody can tell, it is not.
screen_at_work() {
    local pid
    if [ ! -s pid ]; then
        [ -d /proc/self ] && [ -f run.sh ]
        return
    fi
    read -r pid <pid && at_work "$pid"
}

# How often the threads of the program and of the terminal have run so far. Fails while one of them runs, or would if it had a processor.
turns() {
    local pid server
    [ -s pid ] && [ -s server ] || return
    read -r pid <pid
    read -r server <server
    awk '/^State:/ && $2 ~ /[RD]/ { exit 1 } /ctxt_switches/ { print $2 }' /proc/"$pid"/task/*/status /proc/"$server"/status 2>/dev/null
}

# The program and its terminal have not run for a while: the screen changes no more by itself. While something is at work in the
# background, the program looks for it every 50 ms. Where nobody can tell how often they run, a quarter of a second counts.
at_rest() {
    local before k
    if [ -r "/proc/$$/status" ]; then
        before=$(turns) || return
        sleep 0.12
        [ "$(turns)" = "$before" ]
        return
    fi
    for k in 1 2 3 4 5; do
        if screen_at_work; then return 1; fi
        sleep 0.05
    done
}

# with_patience WHAT COMMAND...: run the command until it succeeds; fails when patience is at its end, with the screen and
# WHAT was waited for.
with_patience() {
    local what=$1 start now before asleep=0 looks=0
    shift
    now_ms
    start=$now
    until "$@"; do
        before=$now
        now_ms
        screen_at_work || asleep=$((asleep + now - before))
        if [ "$asleep" -ge $((patience * 1000)) ] || [ $((now - start)) -ge $((patience * 4000)) ]; then
            echo "$what"
            contents
            return 1
        fi
        # Most screens are there within 10 ms of a key; a look takes longer than that where many wait.
        looks=$((looks + 1))
        sleep "0.0$((looks < 5 ? looks : 5))"
    done
    unproved=()
}

matches() {
    grep -qE -- "$1"
}

lacks() {
    ! matches "$1"
}

seen() {
    contents | matches "$1"
}

gone() {
    ! seen "$1"
}

# The footer has, and lacks, what matches the extended regular expression.
footer_has() {
    contents | tail -1 | grep -qE -- "$1"
}

footer_lacks() {
    ! footer_has "$1"
}

# True as soon as a line of the screen matches the extended regular expression; shows the screen if it never
# does. After keys, the text must be one that is not there before they are handled.
wait_for() {
    proves "$1" matches "$1" || return
    with_patience "never seen: $1" seen "$1"
}

# The same for something that has to go away.
wait_gone() {
    proves "$1 is gone" lacks "$1" || return
    with_patience "never gone: $1" gone "$1"
}

# The same for something that stays although keys were pressed.
still() {
    with_patience "the program to come to rest" at_rest
    with_patience "never seen: $1" seen "$1"
}

# The program has ended with this status (an extended regular expression), and the terminal is as it was.
ended_with() {
    wait_for "^over"
    contents
    contents | grep -qE "^status $1\$"
    [ "$(T display -p '#{alternate_on} #{mouse_any_flag} #{cursor_flag}')" = "0 0 1" ]
    diff <(grep -v 'rows ' before) <(grep -v 'rows ' after) # the size may have changed
}
