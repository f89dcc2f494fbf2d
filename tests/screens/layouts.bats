#!/usr/bin/env bats
# The Layouts screen in a terminal: choosing formats, changing parameters, moving, cancelling.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

# layouts COLSxROWS ARGUMENT...: the explorer on this screen.
layouts() {
    screen "$@"
    wait_for 'relative to CSR'
    keys 4
}

# Type the text of a row of the open list, at any position in the table of formats.
seek() { # seek WORDS
    keys /
    keys -l "$1"
    keys Enter
}

@test "CSR and ELL of a small matrix, whole" {
    layouts 80x24 "$SRCDIR/data/pmpp.mtx"
    wait_for ' CSR +csr .* ELLPACK +ell '
    wait_for 'row_ptr +0 +2 +2 +5 +7 '
    wait_for '104 B +81.2% of dense'
    wait_for 'padding factor 1.714 +12 integers'
    wait_for 'converted in .*converted in '
    keys Right
    wait_for 'row 1  column 3  value 1'
    keys g
    keys -l 3,4
    keys Enter
    wait_for 'col\[4\] = 3 column of entry k'
    keys q
    ended_with 0
}

@test "Space chooses formats, p changes parameters" {
    layouts 120x40 "$SRCDIR/data/pmpp.mtx"
    wait_for ' ELLPACK +ell '
    keys Space
    wait_for 'Space show or hide'
    wait_for '\[ \] cmrs:height=8 +99 B +1 +16'
    seek ell
    still 'ELLPACK rows padded' # Space hides it again
    keys Space
    wait_for '\[ \] ell '
    seek hyb:k=0
    still 'HYB hybrid'
    keys Space
    wait_for '\[•\] hyb:k=0 '
    keys Escape
    wait_gone 'Space show or hide'
    wait_for ' CSR +csr .* HYB +hyb:k=0 '
    wait_gone ELLPACK
}

@test "strips appear as their height is typed or stepped" {
    layouts 120x40 "$SRCDIR/data/pmpp.mtx"
    wait_for ' ELLPACK +ell '
    keys Space
    wait_for '\[ \] cmrs'
    seek cmrs
    still 'CMRS strips'
    keys Space
    wait_for '\[•\] cmrs:height=8 '
    keys Enter
    wait_gone 'Space show or hide'
    wait_for 'CMRS +cmrs:height=8 '
    keys '}' '}'
    keys p
    wait_for 'cmrs \(height, packed, sorted, modulo\): height=8'
    keys C-u
    keys -l 'height=2,packed=1'
    keys Enter
    wait_for 'CMRS +cmrs:height=2,packed=1 '
    wait_for 'StripPtr +0 +2 +7'
    wait_for 'ColInd +0 +32┃ *16 +32 +48│ *1 +49'
    wait_for 'column 0, row 0 of its *$'
    wait_for ' strip: 0000\|0000'
    keys '>'
    wait_for 'CMRS +cmrs:height=3,packed=1 '
    wait_for 'StripPtr +0 +5 +7'
    keys p
    wait_for 'cmrs \(height, packed, sorted, modulo\): height=3,packed=1'
    keys C-u
    keys -l 'height=17'
    keys Enter
    wait_for 'height=17 .*1[.][.]16'
    wait_for 'CMRS +cmrs:height=3,packed=1 '
    keys q
    ended_with 0
}

@test "a format that is too large is refused with its reason" {
    layouts 80x24 gen:random,m=100000,mean=2 # so many diagonals
    wait_for ' CSR +csr '
    keys Space
    seek dia
    wait_for 'dia would take .* GiB, its padding'
    wait_for '\[ \] dia .* not available'
    keys Space
    wait_for '\[•\] dia '
    keys Enter
    wait_for 'Not available: dia would take'
    keys q
    ended_with 0
}

@test "x cancels converting, and x again resumes it" {
    layouts 80x24 gen:random,m=2000000,mean=8
    wait_for 'x cancels|row_ptr'
    keys x # the conversion may have ended before
    with_patience "neither cancelled nor converted" seen 'Not converted|row_ptr'
    keys x
    with_patience "not converted" seen 'row_ptr +0'
    keys q
    ended_with 0
}

@test "Layouts in ASCII" {
    layouts 80x24 --ascii "$SRCDIR/data/pmpp.mtx"
    wait_for 'col +0 +2: +1 +2 +3: +0 +3'
    contents >one
    keys Space
    wait_for '\[x\] csr'
    contents >two
    if LC_ALL=C grep -nE '[^ -~]' one two; then return 1; fi
}
