#!/usr/bin/env bats
# The explorer in a terminal: screens, prompts, help, sizes, colours, and how it ends.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_matrix four.mtx
}

# No line of the files matches the extended regular expression.
absent() {
    if LC_ALL=C grep -nE -- "$@"; then
        return 1
    fi
}

teardown() {
    screen_end
}

@test "a test whose text is never shown says so, and does not wait for long; a strict one wants texts that are new" {
    local began now took
    screen 80x24 four.mtx
    wait_for ' 7 entries'
    now_ms
    began=$now
    patience=1
    run wait_for 'text that no screen has'
    now_ms
    took=$((now - began))
    [ "$status" -eq 1 ]
    [ "${lines[0]}" = "never seen: text that no screen has" ]
    [[ $output == *"relative to CSR"* ]]
    run wait_gone 'relative to CSR'
    [ "$status" -eq 1 ]
    [ "${lines[0]}" = "never gone: relative to CSR" ]
    echo "$took ms"
    [ "$took" -ge 1000 ]
    patience=15
    SPARSIGHT_TEST_STRICT=1
    keys 1
    run wait_for 'relative to CSR'
    [ "$status" -eq 1 ]
    [ "${lines[0]}" = "not new after the keys: relative to CSR" ]
    keys 3
    run wait_gone 'Longest rows'
    [ "$status" -eq 1 ]
    wait_for 'Longest rows'
    unset SPARSIGHT_TEST_STRICT
    keys q
    ended_with 0
}

@test "a working process is distinguished from a sleeping one" {
    [ -r /proc/self/task ] || skip "no /proc"
    local worker sleeper
    while :; do :; done &
    worker=$!
    sleep 60 &
    sleeper=$!
    run at_work "$worker"
    kill "$worker"
    [ "$status" -eq 0 ]
    with_patience "it sleeps" sleeps "$sleeper"
    kill "$sleeper"
    wait
    run at_work "$sleeper"
    [ "$status" -ne 0 ]
}

sleeps() {
    ! at_work "$1"
}

@test "it opens on the Summary, with every number" {
    screen 80x60 four.mtx
    wait_for '^ What suits it[?] +four  4 x 4, 7 entries, real general$'
    wait_for '1 Summary 2 Pattern .* 8 Parts *$'
    wait_for 'Stored entries +8'
    wait_for 'Explicit zeros +1 entries'
    wait_for 'Duplicates +1 stored entries'
    wait_for 'row 1  column 1  value 2'
    keys /
    keys -l '1-norm'
    keys Enter
    wait_for '1-norm +16( |$)'
    keys End
    wait_for 'Hermitian, positive diagonal: '
    wait_gone '[.][.][.]$'
    keys Home
    wait_for 'relative to CSR'
    keys q
    ended_with 0
}

@test "keys, Tab and the mouse change the screen" {
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    keys 2
    wait_for 'Legend|Cursor'
    wait_gone 'relative to CSR'
    keys 1
    wait_for 'relative to CSR'
    keys Tab
    wait_for 'Legend|Cursor'
    keys BTab
    wait_for 'relative to CSR'
    keys -l $'\e[M .!' # a click on column 14 of line 1
    wait_for 'Legend|Cursor'
    keys 7
    wait_for '^ Which kernel'
    keys q
    ended_with 0
}

@test "help lists the screen's keys and the common ones, scrolls and closes" {
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    keys '?'
    wait_for 'Keys of this screen'
    wait_for 'more lines below'
    keys End
    wait_for 'zero, nan, inf'
    wait_gone 'more lines below'
    keys Escape
    wait_gone 'zero, nan, inf'
    keys F1
    wait_for 'Keys of this screen'
    keys q
    wait_gone 'Keys of this screen'
    keys F10
    ended_with 0
}

@test "g goes to a position, and names the possible ones" {
    screen 80x24 four.mtx
    wait_for 'row 1  column 1 '
    keys g
    wait_for 'Go to row\[,column\]:'
    keys -l 3,2
    keys Enter
    wait_for 'row 3  column 2  no entry'
    keys g
    keys -l '1 2 5'
    keys Enter
    wait_for 'row 1  column 2  value 5'
    keys g
    keys -l 2
    keys Tab
    keys -l 4
    keys Enter
    wait_for 'row 2  column 4  value 1'
    keys g
    wait_for 'Go to row'
    keys -l 35
    keys BSpace
    keys -l ',1'
    keys Enter
    wait_for 'row 3  column 1  value 9'
    keys g
    keys -l 5
    keys Enter
    wait_for 'rows go from 1 to 4'
    keys g
    keys -l 1,5
    keys Enter
    wait_for 'columns go from 1 to 4'
    keys g
    keys -l 4
    wait_for 'Go to row.*: 4'
    keys Escape
    wait_gone 'Go to row'
    wait_for 'row 3  column 1 '
}

@test "/ finds rows and entries, n finds the next, and unknown words are explained" {
    screen 80x24 four.mtx
    wait_for 'row 1  column 1 '
    keys n
    wait_for 'nothing to repeat'
    keys /
    wait_for 'Find:'
    keys -l 'len=1'
    keys Enter
    wait_for 'row 3  column 1 '
    keys n
    wait_for 'row 4  column 4 '
    keys n
    wait_for 'starting again from the top'
    wait_for 'row 3  column 1 '
    keys /
    keys -l 'zero'
    keys Enter
    wait_for 'row 4  column 4  value 0'
    keys /
    keys -l 'abs>100'
    keys Enter
    wait_for 'none found: abs>100'
    keys /
    keys -l 'what'
    keys Enter
    wait_for "cannot search for 'what'. Searches: longest, shortest, empty,"
    wait_for 'col len>100, col dup, col dup values$'
    keys n # the last valid search
    wait_for 'none found: abs>100'
}

@test "a terminal that is too small says so and recovers" {
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    T resize-window -x 60 -y 20
    wait_for '72x20 needed, this is 60x20'
    wait_gone 'Summary'
    T resize-window -x 100 -y 30
    wait_for 'relative to CSR'
    wait_for 'padding factor'
    wait_gone 'needed'
    T resize-window -x 20 -y 5
    wait_for '72x20 needed'
    keys q
    ended_with 0
}

@test "without a matrix there is a list to choose from, with matrices opened before" {
    local key
    screen 80x24
    wait_for 'Open a matrix'
    wait_for 'four.mtx .* 4 x 4 .*real general'
    wait_for 'example'
    keys Enter
    wait_for ' 7 entries'
    keys q # back to the list
    wait_for 'Open a matrix'
    keys End
    wait_for 'gen:mosaic +several structures .*generator'
    keys q
    ended_with 0
    screen_end
    grep -qx "$PWD/four.mtx" "$XDG_STATE_HOME/sparsight/recent"
    mkdir elsewhere
    cd elsewhere
    screen 72x20
    wait_for 'four.mtx .*opened before'
    T resize-window -x 60 -y 20
    wait_for '72x20 needed'
    T resize-window -x 72 -y 20
    wait_for 'four.mtx .*opened before'
    keys /
    keys -l 'gen:arrow'
    keys Enter p
    wait_for 'Generate.*gen:arrow,n='
    keys C-u 'gen:arrow,n=50' Enter
    wait_for 'gen:arrow,n=50'
    keys Enter
    wait_for '50 x 50'
    keys q
    wait_for 'Open a matrix'
    keys q
    ended_with 0
    screen_end
    for key in q F10; do
        screen 80x24 --ascii
        wait_for 'Open a matrix'
        keys $key
        ended_with 0
        screen_end
    done
    screen_input='cat /dev/null'
    screen 80x24
    wait_for 'no matrix is given'
    ended_with 2
    screen_input=
}

@test "each screen is drawn on 72 x 20, and beside the status line of tmux" {
    local size key
    for size in 72x20 80x23; do
        screen $size "$SRCDIR/data/powerlaw.mtx.gz"
        wait_for ' 9,598 entries'
        keys 2
        wait_for 'Pattern: 1 dot = [0-9]+ x [0-9]+ .*Shown'
        keys 3
        wait_for 'Rows by length .*1,024 rows'
        keys 4
        wait_for '^ CSR  csr'
        keys 5
        wait_for '^ csr-scalar .*warp 1 of 32'
        keys 6
        wait_for '^ +kernel .*forecast'
        keys '?'
        wait_for 'Help'
        keys Escape
        keys q
        ended_with 0
        screen_end
    done
}

# Write on the terminal as other programs might. True if the text is visible; the program may have drawn over it at
# once.
scribble() {
    printf '\033[5;3Hscribbled\r' >"$(T display -p '#{pane_tty}')"
    sleep 0.1
    seen 'scribbled'
}

@test "Ctrl-L draws everything again, Ctrl-Z suspends and fg resumes" {
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    with_patience 'never seen: scribbled' scribble
    keys C-l
    wait_gone 'scribbled'
    wait_for 'relative to CSR'
    T respawn-pane -k "cd '$PWD' && TERM=tmux-256color LC_ALL=C.UTF-8 PS1='ready> ' bash --norc --noprofile -i"
    wait_for 'ready>'
    keys -l "clear; stty -a >before; '$SPARSIGHT' four.mtx; echo status \$?; stty -a >after"
    keys Enter
    wait_for 'relative to CSR'
    keys C-z
    wait_for 'Stopped'
    wait_gone 'relative to CSR'
    [ "$(T display -p '#{alternate_on}')" = 0 ]
    keys -l 'clear; fg; echo o''ver'
    keys Enter
    wait_for 'relative to CSR'
    keys 2
    wait_for 'Legend|Cursor'
    keys q
    wait_for '^over'
    [ "$(T display -p '#{alternate_on}')" = 0 ]
}

@test "Ctrl-C restores the terminal" {
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    keys C-c
    ended_with 130
}

@test "signals and crashes restore the terminal" {
    local signal
    for signal in TERM HUP SEGV ABRT USR1 ALRM VTALRM PROF IO XCPU RTMIN; do
        screen 80x24 four.mtx
        wait_for 'relative to CSR'
        kill -"$signal" "$(cat pid)"
        ended_with '[1-9][0-9]*'
        screen_end
    done
}

# The signals of signal(7) that end a process by default, with or without a core, and the real-time ones. A crashing
# command has no terminal to restore.
@test "every signal that ends a process is caught, by the explorer and by commands, or ignored" {
    need python3
    local number pids=()
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    pids+=("$(cat pid)")
    mkfifo pipe
    "$SPARSIGHT" report pipe >out 2>err 3>&- &
    pids+=($!)
    exec 9>pipe
    for number in 0 1; do
        python3 - "${pids[$number]}" "$([ $number -eq 0 ] && echo explorer || echo command)" <<'END'
import signal as s, sys
said = dict(line.split(":\t") for line in open(f"/proc/{sys.argv[1]}/status").read().splitlines() if line.startswith("Sig") and "\t" in line)
ends = [s.SIGHUP, s.SIGINT, s.SIGQUIT, s.SIGILL, s.SIGTRAP, s.SIGABRT, s.SIGBUS, s.SIGFPE, s.SIGUSR1, s.SIGSEGV, s.SIGUSR2, s.SIGPIPE,
        s.SIGALRM, s.SIGTERM, 16, s.SIGXCPU, s.SIGXFSZ, s.SIGVTALRM, s.SIGPROF, s.SIGIO, s.SIGPWR, s.SIGSYS, *range(s.SIGRTMIN, s.SIGRTMAX + 1)]
mask = int(said["SigCgt"], 16) | int(said["SigIgn"], 16)
crashes = [s.SIGSEGV, s.SIGBUS, s.SIGFPE, s.SIGILL, s.SIGABRT, s.SIGTRAP, s.SIGSYS] if sys.argv[2] == "command" else []
left = [int(number) for number in ends if number not in crashes and not mask >> (number - 1) & 1]
print("not caught:", left)
sys.exit(bool(left))
END
    done
    exec 9>&-
    wait "${pids[1]}" || true
    keys q
    ended_with 0
}

@test "a terminal of 65535 x 65535 characters is drawn on in part" {
    need python3
    need_explorer
    local resize
    for resize in "" 1; do
        RESIZE=$resize TERM=xterm-256color LC_ALL=C.UTF-8 python3 "$SRCDIR/tests/support/huge.py" "$SPARSIGHT" four.mtx
    done
    TERM=xterm-256color LC_ALL=C.UTF-8 python3 "$SRCDIR/tests/support/huge.py" "$SPARSIGHT" plot four.mtx
    LINES=70000 COLUMNS=90000 RESIZE=at-once TERM=xterm-256color LC_ALL=C.UTF-8 python3 "$SRCDIR/tests/support/huge.py" "$SPARSIGHT" four.mtx
}

@test "a signal ends the explorer also in the background, and leaves the terminal to the shell" {
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    T respawn-pane -k "cd '$PWD' && TERM=tmux-256color LC_ALL=C.UTF-8 PS1='ready> ' bash --norc --noprofile -i"
    wait_for 'ready>'
    keys -l "clear; '$SPARSIGHT' four.mtx"
    keys Enter
    wait_for 'relative to CSR'
    keys C-z
    wait_for 'Stopped'
    wait_gone 'relative to CSR'
    keys -l 'clear; stty -a >before; kill %1; bg; wait %1; echo status $?; stty -a >after; echo o''ver'
    keys Enter
    wait_for '^over'
    contents | grep -q '^status 143$'
    diff before after
}

@test "gen shows its progress, and leaves nothing behind when it is stopped" {
    screen 80x24 gen random,m=1000000 -o big.mtx.xz
    wait_for 'big.mtx.xz: writing [0-9]+%'
    keys C-c
    wait_for '^over'
    contents | grep -q '^status 130$'
    [ ! -e big.mtx.xz ]
    [ -z "$(find . -name '.big*')" ]
}

@test "--ascii shows nothing but ASCII" {
    screen 80x24 --ascii four.mtx
    wait_for 'relative to CSR'
    wait_gone '[.][.][.]$'
    contents >one
    keys 2
    wait_for 'Legend|Cursor'
    contents >two
    keys '?'
    wait_for 'Keys of this screen'
    contents >three
    absent '[^ -~]' one two three
}

@test "a locale that is not UTF-8 gets ASCII" {
    screen_env='LC_ALL=C'
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    contents >one
    absent '[^ -~]' one
}

@test "NO_COLOR is honoured" {
    screen_env='NO_COLOR=1'
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    contents -e >one
    keys 2
    wait_for 'Legend|Cursor'
    contents -e >two
    absent $'\e\\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7])[;m]' one two
}

@test "eight colours on a terminal with eight" {
    screen_env='TERM=xterm'
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    contents -e >one
    keys 2
    wait_for 'Legend|Cursor'
    contents -e >two
    grep -q $'\e\\[[0-9;]*44' one # the bar is blue
    absent $'\e\\[[0-9;]*[34]8[;:][25]' one two
    keys q
    wait_for '^over'
}

@test "256 colours if the terminal has them" {
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    contents -e >one
    grep -qE $'\e\\[[0-9;]*[34]8[;:]5' one
}

@test "loading shows its progress and can be cancelled" {
    # Line by line: `yes` would write all entries within three seconds, in which a busy machine may not look at the screen.
    screen_input='{ echo "%%MatrixMarket matrix coordinate pattern general"; echo "9999 9999 99999999"; while echo "1 1"; do :; done; } 2>/dev/null'
    screen 80x24 -
    wait_for 'unpacking bytes +.* [0-9,]{5,}'
    wait_for 'x cancel +q quit'
    keys x
    ended_with 1
    contents | grep -q '^-: loading was cancelled, so there is nothing to show$'
    screen_end
    screen 80x24 -
    wait_for 'x cancel +q quit'
    keys q
    ended_with 0
    [ "$(contents | grep -c .)" -eq 2 ]
}

@test "loading that waits for input that never comes can be cancelled" {
    mkfifo pipe
    exec 7<>pipe
    screen 80x24 pipe
    wait_for 'x cancels'
    keys q
    ended_with 0
    screen_end
    screen 80x24 pipe
    wait_for 'x cancels'
    keys Escape
    ended_with 1
    contents | grep -q '^pipe: loading was cancelled, so there is nothing to show$'
    exec 7>&-
}

@test "an error in loading is one line after the screen is left" {
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n' >bad.mtx
    screen 80x24 bad.mtx
    wait_for '^over'
    [ "$(contents | grep -c .)" -eq 3 ]
    contents | grep -q 'bad.mtx:3:1: '
    ended_with 1
    screen_end
    screen 80x24 gen:nonsense
    ended_with 2
    contents | grep -q "no generator is called 'nonsense'"
}

@test "a matrix from standard input, keys from the terminal" {
    screen_input='cat four.mtx'
    screen 80x24 -
    wait_for 'stdin  4 x 4, 7 entries'
    keys 2
    wait_for 'Legend|Cursor'
    keys q
    ended_with 0
}

@test "without a terminal, or with a useless one, one line has the remedy" {
    need_explorer
    sparsight four.mtx </dev/null
    show
    [ "$status" -eq 1 ]
    [ ! -s out ]
    [ "$(wc -l <err)" -eq 1 ]
    grep -q 'sparsight report' err
    local term
    for term in dumb no-such-terminal; do
        screen_env="TERM=$term"
        screen 80x24 four.mtx
        ended_with 1
        contents | grep -q "TERM=$term"
        screen_end
    done
}

@test "Backspace returns to the screens that were left, with their cursors" {
    screen 100x30 "$SRCDIR/data/powerlaw.mtx.gz"
    wait_for 'relative to CSR'
    keys BSpace
    wait_for 'this is the first screen'
    keys 2 g 500 Enter
    wait_for 'row 500 '
    keys 3
    wait_for 'Longest rows'
    keys Enter
    wait_for 'Entries'
    keys Enter # the first entry of the longest row, on Pattern
    wait_for 'Pattern: numbers|1 dot = 1 x 1'
    keys BSpace # the zoom first
    wait_for '1 dot = 13 x 13'
    keys BSpace
    wait_for 'Longest rows'
    keys BSpace
    wait_for 'row 500 '
    keys BSpace
    wait_for 'relative to CSR'
    keys q
    ended_with 0
}

@test "y and Ctrl-Y copy the text of the screen" {
    screen 100x30 "$SRCDIR/data/course.mtx"
    T set -g set-clipboard on
    wait_for 'relative to CSR'
    keys C-y
    wait_for 'copied 27 lines'
    T show-buffer >first
    T delete-buffer
    keys 6
    wait_for 'o y = A x' # y changes nothing there
    keys y
    wait_for 'copied 27 lines'
    T show-buffer >copied
    grep -q 'o y = A x' copied
    mv first copied
    grep -q '^ Formats  relative to CSR' copied
    ! grep -q '1 Summary' copied # neither the tab bar nor the keys
    ! grep -q 'Tab switch' copied
    keys q
    ended_with 0
}

@test "each screen has its question in the head; a low terminal has the name instead" {
    screen 80x24 four.mtx
    for k in 1:'What suits it' 2:'Where are the entries' 3:'How long are rows' 4:'How do formats' 5:'Which memory' \
        6:'How fast' 7:'Which kernel' 8:'How many parts'; do
        [ "${k%%:*}" = 1 ] || keys "${k%%:*}"
        wait_for "^ ${k#*:}.*[?] +four  4 x 4, 7 entries, real general"
    done
    T resize-window -x 80 -y 23
    wait_for '1 Summary 2 Pattern .* 8 Parts +four$'
    wait_gone 'How many parts'
    keys '?'
    wait_for 'Parts: How many parts pay off[?]'
    keys Escape q
    ended_with 0
}

@test "keys that are pressed while a matrix loads, or before a screen is drawn, take effect afterwards" {
    mkfifo slow.mtx
    screen 80x24 slow.mtx
    wait_for 'Loading slow.mtx'
    keys 3 c 2 + + Right Right
    sleep 0.3
    "$SPARSIGHT" gen laplace2d,n=40 >slow.mtx
    wait_for 'Pattern: 1 dot = 8 x 8'
    wait_for 'columns +17-24'
    keys 3
    wait_for 'Columns by length'
    keys q
    ended_with 0
}

@test "keys that are pressed before there is a list of matrices are taken by the list, and by the matrix that it opens" {
    local recent=$XDG_STATE_HOME/sparsight/recent
    mkdir -p none "${recent%/*}"
    mkfifo "$recent" # the list waits for it
    cd none
    screen 80x24
    wait_for 'Open a matrix'
    keys Enter 3 Left
    exec 9>"$recent"
    rm "$recent"
    sleep 0.3
    echo "$BATS_TEST_TMPDIR/four.mtx" >&9
    exec 9>&-
    wait_for 'Cut at K = 1'
    keys q q
    ended_with 0
}

@test "keys that follow at once find their screen: a typed row, a search, a copy and a picture" {
    screen 120x36 --limit=8M four.mtx
    wait_for 'relative to CSR'
    T set -g set-clipboard on
    keys 6 / 'cpu cmrs-omp' Enter p 'height=2' Enter
    wait_for '^ +cpu/cmrs-omp:height=2'
    keys 7 C-y
    wait_for 'copied [0-9]+ lines'
    T show-buffer >copied
    grep -q 'Which kernel, and why' copied
    ! grep -q 'How fast is each kernel' copied
    keys 1 P C-u one.svg Enter
    wait_for 'the picture is in one.svg'
    grep -q 'relative to CSR' one.svg
    keys q
    ended_with 0
}

@test "the footer names useful keys: back once there is a previous screen, cancel while work runs" {
    screen 160x30 four.mtx
    wait_for 'relative to CSR'
    with_patience "no key that is useless yet" footer_lacks 'go back|cancel|find next'
    keys 3
    wait_for 'Backspace go back'
    keys BSpace /
    keys -l 'value>4'
    keys Enter
    wait_for 'found value>4'
    keys Down
    wait_for 'n find next'
    keys q
    ended_with 0
}

@test "keys of a screen have no effect behind a list, and the number of a screen closes the list" {
    screen 100x30 "$SRCDIR/data/powerlaw.mtx.gz"
    wait_for 'relative to CSR'
    keys 3
    wait_for 'Cut at K = [0-9]+'
    contents | grep -o 'Cut at K = [0-9]*' >before
    keys Enter
    wait_for 'mirror image'
    keys r + c
    wait_for 'column [0-9,]+: [0-9]+ entr' # c is a key of the list
    keys Escape
    wait_for 'Cut at K = [0-9]+'
    contents | grep -o 'Cut at K = [0-9]*' | diff before -
    keys Enter
    wait_for 'mirror image'
    keys 4
    wait_for 'of dense'
    ! seen 'mirror image'
}

@test "the footers of screens have the keys that help" {
    screen 200x40 "$SRCDIR/data/demo.mtx.gz"
    wait_for 'relative to CSR'
    wait_for 'Take cuda/.* on the NVIDIA H200'
    keys 2
    wait_for 'Where are the entries'
    with_patience "no fit of the whole matrix" footer_lacks '0 fit'
    footer_lacks 'change  m'
    keys + o Right # the message goes with the next key
    with_patience "fit after a zoom" footer_has '0 fit .*, \. change'
    keys 3
    wait_for 'How long are rows'
    with_patience "the cut moves" footer_has 'move K .*Enter open'
    keys 4
    wait_for 'How do formats store it'
    with_patience "two panels" footer_has 'switch panel .*s stack'
    footer_lacks 'p edit'
    keys Delete
    with_patience "one panel" footer_lacks 'switch panel|s stack'
    keys 8
    wait_for 'How many parts pay off'
    with_patience "partitions" footer_has 'pick partition .*Enter open'
    keys a t
    with_patience "no curve is shown" footer_lacks 'change curve'
    keys c
    with_patience "curves are shown" footer_has 'change curve'
    keys 5
    wait_for 'Which memory does a warp touch'
    with_patience "both panes" footer_has 'b switch pane .*m split'
    keys q
    ended_with 0
}

@test "an empty matrix has no cut to move and no entries to open" {
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '5 5 0' >empty.mtx
    screen 160x40 empty.mtx
    wait_for 'relative to CSR|no entries'
    keys 3
    wait_for 'How long are rows'
    with_patience "the footer" footer_has 'switch side'
    footer_lacks 'move K|fit K|Enter open'
    keys q
    ended_with 0
}
