#!/usr/bin/env bats
# Attributes of characters: which words are bold in the terminal.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
    need tmux
    need_explorer
}

teardown() {
    screen_end
}

# bold_words: the words of the screen that are bold, one line each.
bold_words() {
    contents -e | awk '{
        line = ""
        bold = 0
        n = split($0, piece, "\033\\[")
        for (k = 1; k <= n; k++) {
            rest = piece[k]
            if (k > 1) {
                end = match(rest, /m/)
                codes = substr(rest, 1, end - 1)
                rest = substr(rest, end + 1)
                count = split(codes, code, ";")
                if (codes == "") bold = 0
                for (c = 1; c <= count; c++) {
                    if ((code[c] == 38 || code[c] == 48) && code[c + 1] == 5) { c += 2; continue }
                    if (code[c] == 0 || code[c] == 22) bold = 0
                    if (code[c] == 1) bold = 1
                }
            }
            if (bold) line = line rest
        }
        print line
    }'
}

is_bold() {
    bold_words | grep -qF -- "$1"
}

is_plain() {
    seen "$1" && ! bold_words | grep -qF -- "$1"
}

@test "the chosen line of the summary is bold, and no other one is" {
    screen 120x44 gen:laplace2d,n=9
    wait_for 'Symmetry .*general'
    keys / # from the formats into the matrix
    keys -l 'stored'
    keys Enter
    wait_for 'Stored entries: entries as'
    keys j
    wait_for 'Entries: entries after'
    with_patience 'Entries is not bold' is_bold 'Entries'
    with_patience 'Columns is bold' is_plain 'Columns'
    keys k k
    with_patience 'Columns is not bold' is_bold 'Columns'
    with_patience 'Entries is still bold' is_plain 'Entries'
    keys q
    ended_with 0
}
