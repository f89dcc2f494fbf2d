#!/usr/bin/env bats
# Pattern and Rows in a terminal: their keys through it, sizes, ASCII, and no colour.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_matrix four.mtx
}

teardown() {
    screen_end
}

# Show the pattern of a matrix in ASCII and without colours.
plain_pattern() {
    screen_env=NO_COLOR=1
    screen 80x24 --ascii "$1"
    wait_for 'relative to CSR'
    keys 2
    wait_for 'Pattern: 1 dot'
}

# Fail unless the screen is ASCII only. Then quit.
plain_end() {
    if contents | LC_ALL=C grep -n '[^ -~]'; then return 1; fi
    keys q
    ended_with 0
}

@test "Pattern: a small matrix opens as numbers" {
    screen 80x24 four.mtx
    wait_for 'relative to CSR'
    keys 2
    wait_for 'Pattern: numbers'
    wait_for '1▶ +2 +5 +1 +· *│'
    wait_for '2┤ +5 +· +· +1 *│'
    wait_for '3┤ +9 +· +· +· *│' # 4 + 5, given twice
    wait_for '4┤ +· +· +· +0 *│' # a zero is an entry
    keys Down Right Right Right
    wait_for 'row 2  column 4  value 1'
    wait_for '\(2, 4\) +1$'
    keys -
    wait_for 'Pattern: 1 dot = 1 x 1'
    keys q
    ended_with 0
}

# The screen without the status line, where a job may be under way.
picture() {
    contents | head -n 22
}

# All of the picture is that of the file; a screen that is not drawn to its end is not.
is_picture() {
    picture | cmp -s - "$1"
}

@test "Pattern: in, out and back again" {
    screen 80x25 gen:laplace2d,n=100 # 10,000 rows, 49,600 entries
    wait_for 'relative to CSR'
    keys 2
    wait_for 'rows +all 10,000'
    wait_for 'entries +49,600'
    wait_for 'col mean, max' # they are counted in the background
    with_patience "the program to come to rest" at_rest
    picture >out_there
    keys +
    wait_gone 'rows +all 10,000'
    keys -
    wait_for 'rows +all 10,000'
    with_patience "not the picture of before" is_picture out_there
    keys Enter Enter Enter Enter
    wait_for 'Pattern: numbers'
    wait_for '1▶ +4 +-1 +·'
    keys BSpace
    wait_gone 'Pattern: numbers'
    until contents | grep -q 'rows *all 10,000'; do
        picture >before_it
        keys BSpace
        with_patience 'the picture changes' eval '! is_picture before_it'
        with_patience "the program to come to rest" at_rest
    done
    with_patience "not the picture of before" is_picture out_there
    keys m
    wait_for 'shaded \(m\)'
    keys m
    wait_for 'braille \(m\)'
    wait_for '(⠻|⢻|⠙|⣿|⢿|⣷|⣦|⣤|⡿|⣄|⠑|⢄)' # characters of a diagonal
    keys d b
    wait_for 'lower bandwidth +100$'
    keys q
    ended_with 0
}

@test "Pattern: strips, HYB's cut, and the orders of JDS and SELL" {
    screen 80x24 four.mtx # rows of 3, 2, 1, 1 entries
    wait_for 'relative to CSR'
    keys 2
    wait_for 'Pattern: numbers'
    keys o
    wait_for 'Strips of 4 rows'
    keys ,
    wait_for 'strip +1 of 2'
    wait_for 'its entries +6'
    keys o
    wait_for 'HYB cut at K = 2'
    wait_for 'to COO +1  14.3%'
    keys 3
    wait_for 'Cut at K = 2'
    keys Left
    wait_for 'Cut at K = 1'
    keys 2
    wait_for 'HYB cut at K = 1'
    wait_for 'to COO +3  42.9%'
    keys o Down
    wait_for 'JDS order: numbers'
    wait_for 'position +2'
    keys o , , , ,
    wait_for 'SELL, C = 2, sigma = 1024'
    wait_for 'its slots +6'
    wait_for 'padding +1  16.7%'
    keys o
    wait_for 'Pattern: numbers'
    keys q
    ended_with 0
}

@test "Pattern: an order of many rows is made in the background" {
    screen 120x40 gen:powerlaw,scale=16
    wait_for 'relative to CSR'
    keys 2
    wait_for 'Pattern: 1 dot'
    keys o o o
    wait_for 'JDS order: 1 dot'
    wait_for 'positions +all 65,536'
    wait_for 'entries in each +[0-9,]+'
    keys m m + +
    wait_for 'JDS order: 1 dot = [0-9]+ x [0-9]+ +braille .m.'
    keys o
    wait_for 'SELL order: 1 dot'
    wait_for 'chunk +[0-9,]+ of 2,048'
    keys q
    ended_with 0
}

@test "Pattern: overlays in ASCII and without colours" {
    plain_pattern gen:arrow,n=500
    keys o + + o o
    wait_for 'JDS order: 1 dot'
    plain_end
}

@test "Pattern: going to a row shows it; the entries of rows and columns follow each other" {
    screen 80x24 gen:laplace2d,n=100
    wait_for 'relative to CSR'
    keys 2
    wait_for 'rows +all 10,000'
    keys 0 + + + + + g
    keys -l '5001,5001'
    keys Enter
    wait_for 'row 5,001  column 5,001  value 4'
    wait_for '5,000[┤▶]'
    keys ']' # the point to the left has none: row 5001 begins a line of the grid
    wait_for 'row 5,001  column 5,002  value -1'
    keys '{'
    wait_for 'row 4,902  column 5,002  value -1'
    keys q
    ended_with 0
}

@test "Pattern: the terminal's size and ASCII" {
    screen 80x24 --ascii gen:arrow,n=500
    wait_for 'relative to CSR'
    keys 2
    wait_for 'Pattern: 1 dot = '
    if contents | LC_ALL=C grep -n '[^ -~]'; then return 1; fi
    wait_for '^ *1>'
    T resize-window -x 160 -y 50
    wait_for '^ {10,}[0-9, ]+ {20,}rows +all 500|rows +all 500'
    T resize-window -x 80 -y 24
    wait_for 'rows +all 500'
    keys q
    ended_with 0
}

@test "Rows: the cut, the other side and the list" {
    screen 80x24 four.mtx # rows of 3, 2, 1, 1 entries
    wait_for 'relative to CSR'
    keys 3
    wait_for 'Rows by length'
    wait_for 'Cut at K = 2'
    wait_for 'left to COO +1  14.3%'
    wait_for 'HYB +1.286 +112 B' # 4 x 2 + 1 of 7; 8 x 12 + 16
    wait_for 'ELL +1.714 +144 B' # 4 x 3 of 7
    keys Right
    wait_for 'Cut at K = 3'
    wait_for 'left to COO +0  0%'
    keys r
    wait_for 'K = 1: the fewest bytes of HYB' # 4 x 12 + 3 x 16 = 96
    keys c
    wait_for 'Longest columns'
    wait_for 'max +3'
    keys c Down Enter
    wait_for 'row 2: 2 entries'
    wait_for 'mirror image'
    keys Enter
    wait_for 'Pattern: numbers'
    wait_for '2▶'
    keys q
    ended_with 0
}

@test "Rows: ASCII and no colour" {
    screen_env=NO_COLOR=1
    screen 80x24 --ascii gen:powerlaw,scale=10
    wait_for 'relative to CSR'
    keys 3
    wait_for 'Rows by length'
    wait_for '1,024 rows'
    if contents | LC_ALL=C grep -n '[^ -~]'; then return 1; fi
    keys s + c
    wait_for 'Columns by length'
    keys q
    ended_with 0
}

@test "Pattern and Rows: a matrix without positions" {
    printf '%%%%MatrixMarket matrix coordinate real general\n0 0 0\n' >none.mtx
    screen 80x24 none.mtx
    wait_for 'relative to CSR'
    keys 2
    wait_for '^ Where are the entries'
    wait_for 'the matrix is empty'
    keys + - 0 Enter BSpace Down End '}' ']' m d b 3
    wait_for '0 rows'
    keys + - 0 Enter 3 Down End c s
    wait_for '0 columns'
    keys q
    ended_with 0
}

@test "Pattern: real matrices of every kind are drawn" {
    need_matrices
    for name in wiki-Vote.mtx.gz helmholtz_2D_A.mtx.gz FIT2D_A.mtx.gz gko_logo_2d.mtx.gz; do
        screen 120x40 "$matrices/$name"
        wait_for 'relative to CSR'
        keys 2
        wait_for 'Pattern: 1 dot = '
        keys Enter Enter Enter Enter Enter
        wait_for 'Pattern: numbers'
        keys q
        ended_with 0
        screen_end
    done
}

differs_from() {
    ! T capture-pane -e -p | cmp -s - "$1"
}

@test "Background: the terminal's answer counts, even a late one, and none of it is a key" {
    screen 80x24 gen:laplace2d,n=100
    wait_for 'relative to CSR'
    keys 2
    wait_for 'Pattern: 1 dot'
    with_patience "the program to come to rest" at_rest
    T capture-pane -e -p >dark
    T send-keys -l $'\e]11;rgb:ffff/ffff/ffff\e\\' # as a terminal answers, only later
    with_patience "the colours stay those for a dark background" differs_from dark
    T capture-pane -p >text
    grep -q 'Pattern: 1 dot' text # its digits are no keys
    T send-keys -l $'\e]' # Esc and ] are two keys
    wait_for 'column 2'
    keys q
    ended_with 0
}

# The program is at rest, and all its output is in the file.
all_sent() {
    local before
    before=$(wc -c <sent)
    at_rest && sleep 0.1 && [ "$before" = "$(wc -c <sent)" ]
}

# press KEY: `sent_now` is the number of bytes that the terminal is sent for it.
press() {
    local before
    before=$(wc -c <sent)
    keys "$1"
    with_patience "nothing is sent for $1" sent_beyond "$before"
    with_patience "the screen moves" all_sent
    sent_now=$(($(wc -c <sent) - before))
}

sent_beyond() {
    [ "$(wc -c <sent)" -gt "$1" ]
}

@test "Pattern: a moved cursor sends at most 300 bytes to the terminal, and leaves the margins; a zoom sends 5 kB" {
    screen 160x48 gen:laplace2d,n=100
    wait_for 'relative to CSR'
    keys 2
    wait_for 'row lengths'
    wait_for 'pattern symmetry +100%'
    wait_for 'column lengths'
    T pipe-pane 'cat >>sent'
    with_patience "the pipe is not there" test -e sent
    with_patience "the screen moves" all_sent
    local key sent_now
    for key in Right Down Right Down; do
        press $key
        [ "$sent_now" -gt 40 ]
        [ "$sent_now" -le 300 ]
    done
    for key in + + - -; do
        press $key
        [ "$sent_now" -gt 1000 ]
        [ "$sent_now" -le 5000 ]
    done
    keys q
    ended_with 0
}

@test "Pattern: a small terminal has margins on request only" {
    screen 80x23 gen:arrow,n=500
    wait_for 'relative to CSR'
    keys 2
    wait_for '┐ row lengths +500 '
    wait_for 'column lengths'
    T resize-window -x 72 -y 20
    wait_gone '┐ row'
    keys M
    wait_for 'margins: lengths of whole rows and columns'
    wait_for '┐ row[ a-z]* 500 '
    keys f
    wait_for 'a scale each'
    keys q
    ended_with 0
}

@test "Pattern: colours of sizes, signs and missing mirror images" {
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 100\n1 2 -3\n2 2 0.5\n3 1 -8\n' >signs.mtx
    screen 80x24 signs.mtx
    wait_for 'relative to CSR'
    keys 2
    wait_for 'Pattern: numbers'
    keys c
    wait_for 'Colour: largest \|a\|'
    keys c
    wait_for 'Colour: sum of \|a\|'
    keys c
    wait_for 'negative +2 +50%'
    keys c
    wait_for 'no mirror image +2 +50%'
    keys c
    wait_for 'Colour: components'
    keys c
    wait_for 'Colour: strong components'
    keys c
    wait_for 'Colour: blocks'
    keys c
    wait_for 'Colour: Cholesky fill'
    keys c
    wait_for 'Colour: level of a row'
    wait_for 'levels +2'
    keys c
    wait_for 'Colour: colour of a row'
    wait_for 'colours +2'
    keys c
    wait_gone 'Colour:'
    keys q
    ended_with 0
}

@test "Pattern: sizes in ASCII and without colours" {
    plain_pattern gen:random,m=5000
    keys c
    wait_for 'Colour: largest \|a\|'
    keys +
    wait_for 'Pattern: 1 dot = 128 x 64'
    wait_for 'Colour: largest \|a\|'
    plain_end
}

# Arrows of 150, 100 and 50 lines, whose first line and column are full. Eliminating these fills each block, 149 x 148 /
# 2 + 99 x 98 / 2 + 49 x 48 / 2 positions below the diagonal.
@test "Pattern: parts and fill in ASCII and without colours" {
    awk 'BEGIN {
        print "%%MatrixMarket matrix coordinate pattern symmetric\n300 300 597"
        for (b = 1; b <= 3; b++) {
            n = 200 - 50 * b
            for (i = 1; i <= n; i++) print first + i, first + i
            for (i = 2; i <= n; i++) print first + i, first + 1
            first += n
        }
    }' >arrows.mtx
    plain_pattern arrows.mtx
    keys c c c c c
    wait_for 'Colour: components'
    wait_for 'ABC largest first'
    wait_for 'components +3'
    wait_for 'largest +150 lines'
    wait_for 'component +1 of 3'
    wait_for 'CC'
    keys c c c
    wait_for 'Colour: Cholesky fill'
    wait_for 'filled in here +17,053'
    wait_for 'reversed: half or more'
    plain_end
}
