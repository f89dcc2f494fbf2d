#!/usr/bin/env bats
# The browser in a terminal: the matrices of a folder or an archive, one after the other.

bats_require_minimum_version 1.5.0
load ../support/helper
load ../support/tmux

banner='%%MatrixMarket matrix coordinate'

setup() {
    cd "$BATS_TEST_TMPDIR"
    mkdir -p m/inner
    write_matrix m/four.mtx
    write_matrix m/inner/deep.mtx
    printf '%s real general\n3 5 2\n1 1 1\n3 5 2\n' "$banner" >'m/a wide one.mtx'
    printf '%s pattern symmetric\n9 9 1\n2 1\n' "$banner" >m/nine.mtx
    printf '%s real general\n3 x 2\n' "$banner" >m/broken.mtx
    printf '%s real general\n2 2 2\n1 1 1\n3 1 1\n' "$banner" >m/outside.mtx
    echo words >m/words.txt
}

teardown() {
    screen_end
}

@test "the current folder has its name in the title" {
    cd m
    screen 120x36 .
    wait_for '^ Matrices of /.*/m +6, by name'
    keys q
    ended_with 0
}

@test "a folder opens the browser: a line for each matrix, damaged ones with their reason" {
    screen 120x36 m
    wait_for '^ Matrices of m +6, by name'
    wait_for 'inner/ +folder'
    wait_for 'a wide one.mtx +[0-9]+ B +3 x 5 +2 +real general'
    wait_for 'four.mtx +[0-9]+ B +4 x 4 +[0-9]+ '
    wait_for 'nine.mtx +[0-9]+ B +9 x 9 +1 +pattern symmetric'
    wait_for "broken.mtx +[0-9]+ B line 2: 'x' where"
    wait_for 'outside.mtx +[0-9]+ B line 4: row index 3 ' # its entries were read for the thumbnail
    wait_gone 'words.txt'
    keys Down Down
    wait_for 'folder +broken.mtx'
    keys Enter
    wait_for "^ line 2: 'x' where the number of columns is expected"
    keys Down
    wait_for '9 stored|8 stored'
    wait_for '█' # the thumbnail
    keys q
    ended_with 0
}

@test "a matrix is opened and left, and the next one and the one before follow from inside" {
    screen 120x30 m
    wait_for 'nine.mtx .* pattern symmetric'
    keys Down Enter
    wait_for 'suits it[?] .*a wide one  3 x 5'
    keys 3
    wait_for 'How long are rows'
    keys ')' # past the damaged one
    wait_for 'four  4 x 4'
    keys ')'
    wait_for 'nine  9 x 9'
    keys '('
    wait_for 'four  4 x 4'
    keys '('
    wait_for 'a wide one  3 x 5'
    keys '('
    wait_for 'this is the first matrix'
    keys q
    wait_for '^ Matrices of m'
    wait_for '^.{75,85} a wide one.mtx' # it is still selected
    keys End Enter
    wait_for '^ line 4: row index 3'
    wait_for '^ Matrices of m'
    keys q
    ended_with 0
}

@test "the browser waits for a file that does not respond, until it does or the user quits" {
    screen 72x20 m
    wait_for '^ +[^ ]+ +four.mtx .* general' # they have been read for their thumbnails
    wait_for '^ +[^ ]+ +nine.mtx .* pattern symmetric'
    mkfifo one two # opening one for reading waits for a writer
    mv one m/four.mtx
    mv two m/nine.mtx
    keys Down Down Down Enter
    wait_for 'Loading m/four.mtx'
    keys x
    wait_for 'the file does not respond; the list appears once it does. q quits now'
    : >m/four.mtx
    wait_for '^ Matrices of m'
    keys Down Enter
    wait_for 'Loading m/nine.mtx'
    keys x
    wait_for 'does not respond'
    keys q
    ended_with 0
}

@test "next and previous name the remedy if one matrix was named" {
    screen 80x24 m/four.mtx
    wait_for 'relative to CSR'
    keys ')'
    wait_for "sparsight FOLDER"
    keys q
    ended_with 0
}

@test "lines are sorted and filtered" {
    screen 72x20 --ascii m
    wait_for 'nine.mtx .* pattern symmetric'
    keys s
    wait_for '6, by date'
    keys s s
    wait_for '6, by rows'
    with_patience "largest first" first_is nine.mtx
    keys r
    wait_for 'by rows reversed'
    with_patience "smallest first" first_is 'a wide one.mtx|outside.mtx'
    keys /
    keys -l 'WIDE'
    wait_for 'Show only: WIDE'
    wait_for '1 of 6, by rows reversed'
    keys Enter
    wait_for 'Enter open'
    keys Enter
    wait_for 'a wide one  3 x 5'
    keys q
    wait_for '1 of 6'
    keys /
    keys -l 'xyz'
    wait_for 'contains "WIDExyz"'
    keys Escape
    wait_for '^ Matrices of m +6, by rows reversed'
    if contents | LC_ALL=C grep -n '[^ -~]'; then false; fi
    keys q
    ended_with 0
}

# The first line of the list begins with a name that matches.
first_is() {
    contents | sed -n 3p | grep -qE "^ .{4} ($1) "
}

@test "folders and archives within a folder are entered and left" {
    tar -C m -cf several.tar four.mtx broken.mtx 'a wide one.mtx'
    mv several.tar m/
    screen 100x30 m
    wait_for 'several.tar .* 3 matrices'
    keys Enter
    wait_for '^ Matrices of m/inner/? '
    wait_for 'deep.mtx .* 4 x 4'
    keys BSpace
    wait_for '^ Matrices of m  '
    keys End Enter
    wait_for '^ Matrices of m/several.tar  '
    wait_for 'a wide one.mtx .* 3 x 5 '
    wait_for "broken.mtx .* line 2: 'x'"
    keys Home Enter
    wait_for 'suits it[?] .*(four|a wide one)  [34] x [45]'
    keys q
    wait_for '^ Matrices of m/several.tar  '
    keys BSpace BSpace
    wait_for 'this is the top'
    keys q
    ended_with 0
}

@test "an archive with several matrices opens the browser, and one with an obvious matrix opens that" {
    tar -C m -cf several.tar four.mtx nine.mtx
    screen 120x30 several.tar
    wait_for '^ Matrices of several.tar'
    wait_for 'nine.mtx .* 9 x 9 '
    keys Down Enter
    wait_for 'nine  9 x 9'
    keys q q
    ended_with 0
    screen_end
    mkdir nine
    cp m/nine.mtx nine/
    cp m/four.mtx nine/nine_b.mtx
    tar -cf nine.tar nine
    screen 120x30 nine.tar
    wait_for 'suits it[?] .*nine  9 x 9'
    keys q
    ended_with 0
}

# The terminal has received something beyond $1 bytes, and then nothing for a while.
sent_beyond() {
    local before
    before=$(wc -c <sent)
    sleep 0.3
    [ "$before" -gt "$1" ] && [ "$(wc -c <sent)" -eq "$before" ]
}

@test "a moved cursor sends at most 300 bytes to the terminal, with thousands of files" {
    local k sent
    mkdir many
    for k in {0001..2000}; do
        printf '%s real general\n%d %d 1\n1 1 1\n' "$banner" $((10#$k + 99999999)) $((10#$k % 97 + 1000)) >"many/matrix-$k.mtx"
    done
    screen 160x48 many
    wait_for '^ Matrices of many +2,000, by name'
    wait_for 'large: Enter opens it' # so that no picture follows
    T pipe-pane 'cat >>sent'
    with_patience "the pipe is not there" test -e sent
    keys Down
    with_patience "nothing is sent" sent_beyond 0
    sent=$(wc -c <sent)
    keys Down Down Down
    with_patience "nothing is sent" sent_beyond "$sent"
    T pipe-pane
    wc -c sent
    [ "$(wc -c <sent)" -gt 40 ]
    [ "$(wc -c <sent)" -le 1200 ]
}

@test "a folder without a matrix says so, and the help is the browser's" {
    mkdir none
    screen 72x20 none
    wait_for 'no matrices, archives or folders here'
    keys '?'
    wait_for 'Keys of the browser'
    wait_gone 'Searches by /'
    keys Escape
    keys Enter s r Up Down ')' q
    ended_with 0
}

@test "a report of a folder is an error that names the remedy" {
    run -1 --separate-stderr "$SPARSIGHT" report m
    [ "$stderr" = "m: is a directory; name a file in it" ]
}

@test "the start page leads to the lessons, and back" {
    mkdir none
    cd none
    screen 100x30
    wait_for '^ +Lessons .* learn by doing'
    with_patience "the footer" footer_has 'L learn'
    keys L
    wait_for '1  CSR '
    wait_for '8  Choosing'
    keys Enter
    wait_for 'Lesson 1 of 8: CSR'
    keys q
    wait_for '^ Open a matrix'
    keys Down Up # the list is that of before
    keys /
    keys -l lessons
    wait_for 'Show only: lessons'
    keys Enter
    wait_gone 'Show only'
    keys Enter
    wait_for '8  Choosing'
    keys Escape q
    wait_for '1 of .*, by name'
    keys Escape q
    ended_with 0
}

@test "the start page has the dates of files, and sorts by them" {
    touch -d '2020-03-04 12:00' m/four.mtx
    touch -d '2021-05-06 12:00' m/nine.mtx
    screen 100x30 m
    wait_for ' name.* changed +size'
    wait_for '^ .{4} four[.]mtx +2020-03-04 +112 B '
    keys s
    wait_for 'by date'
    keys r
    with_patience "oldest first" first_is four.mtx
    keys Home
    T resize-window -x 72 -y 20
    wait_gone '2020-03-04 +112 B'
    wait_for 'changed 2020-03-04'
    keys q
    ended_with 0
}

@test "the browser has the settings, which hold for the next matrix" {
    screen 100x30 m
    wait_for 'nine.mtx .* pattern symmetric'
    keys '\\;'
    wait_for 'gpu +default +next matrix'
    keys Enter
    keys -l a100
    keys Enter
    wait_for 'gpu = a100, from the next matrix on'
    wait_gone 'opens this one again'
    keys End Up Up Enter
    wait_for 'ascii = on'
    wait_for '[+]- Settings'
    keys Escape
    wait_gone 'Settings'
    keys / 
    keys -l four
    keys Enter Enter
    wait_for 'NVIDIA A100'
    keys q
    wait_for '1 of 6'
    keys q
    ended_with 0
}

@test "the footer has the keys that help" {
    screen 100x30 m
    wait_for 'nine.mtx .* pattern symmetric'
    with_patience "the footer" footer_has 's sort'
    footer_lacks 'p edit|go back|show all'
    keys /
    keys -l four
    keys Enter
    wait_for 'Esc show all +Enter open'
    with_patience "the footer of what was found" footer_lacks 's sort'
    keys Escape q
    ended_with 0
}

@test "in a wide list a date and a size that fills its column are separated" {
    mkdir folder
    { printf '%%%%MatrixMarket matrix coordinate real general\n'; head -c 13500 /dev/zero | tr '\0' '\n' | sed 's/^/%/'; printf '1 1 1\n1 1 5\n'; } >folder/a.mtx
    screen 200x60 folder
    wait_for 'a[.]mtx .*[0-9.]+ KiB +1 x 1'
    wait_for 'a[.]mtx .*[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9][0-9][.][0-9] KiB '
    keys q
    ended_with 0
}
