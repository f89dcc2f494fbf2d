#!/usr/bin/env bats
# The key that writes the picture of the screen.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_matrix four.mtx
}

teardown() {
    screen_end
}

@test "P writes the figure of a screen, or its characters, to a typed file name" {
    screen 100x30 four.mtx
    wait_for ' 7 entries'
    keys 2
    wait_for 'an entry that is zero'
    keys P
    wait_for 'Write this picture .*four-pattern'
    keys C-u
    keys -l one.svg
    keys Enter
    wait_for 'the picture is in one.svg'
    grep -q '<title>pattern of four</title>' one.svg
    grep -q '4 x 4, 7 entries' one.svg
    keys 1
    wait_for 'relative to CSR'
    keys P
    wait_for 'Write this picture .*four-summary'
    keys C-u
    keys -l two.svg
    keys Enter
    wait_for 'the picture is in two.svg'
    grep -q 'relative to CSR' two.svg
    ! grep -q 'Write this picture' two.svg
    keys P
    wait_for 'Write this picture'
    keys C-u
    keys -l three.gif
    keys Enter
    wait_for 'the ending does not say'
    [ ! -e three.gif ]
    keys P
    wait_for 'Write this picture'
    keys C-u
    keys -l one.svg
    keys Enter
    wait_for 'It exists already'
    keys Escape
    keys q
}

@test "a picture is drawn in the background: the file appears although the user leaves at once" {
    "$SPARSIGHT" gen laplace2d,n=300 -o many.mtx
    screen 100x30 many.mtx
    wait_for 'relative to CSR'
    keys 2 P # the screen is not drawn yet when P is taken
    wait_for 'Write this picture .*many-pattern'
    wait_for 'entries in 4 x 2 dots'
    keys C-u
    keys -l left.svg
    keys Enter q
    ended_with 0
    grep -q '<title>pattern of many</title>' left.svg
}

@test "the owners of Parts are drawn" {
    "$SPARSIGHT" gen laplace2d,n=60 -o grid.mtx
    screen 100x30 grid.mtx
    wait_for 'relative to CSR'
    keys 8
    wait_for ', 8 parts  volume '
    keys o
    wait_for 'half or more remote'
    keys P
    wait_for 'Write this picture'
    keys C-u
    keys -l owners.svg
    keys Enter
    wait_for 'the picture is in owners.svg'
    grep -q 'owners: ' owners.svg
    keys q
}

@test "without cairo P offers SVG only" {
    screen_env="SPARSIGHT_CAIRO=$PWD/none"
    screen 100x30 four.mtx
    wait_for ' 7 entries'
    keys P
    wait_for 'Write this picture \(\.svg\) to: four-summary\.svg'
    keys C-u
    keys -l four.gif
    keys Enter
    wait_for 'the ending does not say what picture it is to be: \.svg'
    keys P
    wait_for 'four-summary\.svg'
    keys Enter
    wait_for 'the picture is in four-summary.svg'
}
