# Driving the explorer in tmux, for the screen tests. `load tmux` after `load helper`.
#
# Everything waits for what is to be seen, never for a time alone: machines may be slow and busy.

# Seconds until a test gives up waiting.
patience=${SPARSIGHT_TEST_PATIENCE:-60}

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
    for word in "$@"; do
        quoted+=" $(printf %q "$word")"
    done
    cat >run.sh <<END
trap : INT
stty -a >before
${screen_input:+$screen_input |} sh -c 'echo \$\$ >pid; exec env ${screen_env:-} "$SPARSIGHT" "\$@"' sh$quoted
echo "status \$?"
stty -a >after
echo over
exec cat
END
    env -u NO_COLOR LANG=C.UTF-8 tmux -u -L "sparsight-$$-$BATS_TEST_NUMBER-$screen_number" -f /dev/null \
        new-session -d -x "${size%x*}" -y "${size#*x}" "cat"
    T set -g status off
    T set -s escape-time 0
    T set -g remain-on-exit on
    T resize-window -x "${size%x*}" -y "${size#*x}"
    T respawn-pane -k "cd '$PWD' && TERM=tmux-256color LC_ALL=C.UTF-8 bash run.sh"
}

# To be called by teardown.
screen_end() {
    command -v tmux >/dev/null && T kill-server 2>/dev/null
    return 0
}

keys() {
    T send-keys "$@"
}

contents() {
    T capture-pane -p "$@"
}

# True as soon as a line of the screen matches the extended regular expression; shows the screen if it never
# does.
wait_for() {
    local end=$((SECONDS + patience))
    until contents | grep -qE -- "$1"; do
        if [ "$SECONDS" -ge "$end" ]; then
            echo "never seen: $1"
            contents
            return 1
        fi
        sleep 0.05
    done
}

# The same for something that has to go away.
wait_gone() {
    local end=$((SECONDS + patience))
    while contents | grep -qE -- "$1"; do
        if [ "$SECONDS" -ge "$end" ]; then
            echo "never gone: $1"
            contents
            return 1
        fi
        sleep 0.05
    done
}

# The program has ended with this status (an extended regular expression), and the terminal is as it was.
ended_with() {
    wait_for "^over"
    contents
    contents | grep -qE "^status $1\$"
    [ "$(T display -p '#{alternate_on} #{mouse_any_flag} #{cursor_flag}')" = "0 0 1" ]
    diff <(grep -v 'rows ' before) <(grep -v 'rows ' after) # the size may have changed
}
