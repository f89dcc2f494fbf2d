#!/usr/bin/env bats
# The sections of Advice on solves, sparse products and precisions, in a terminal.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
}

teardown() {
    screen_end
}

@test "a key of Advice solves, and shows residuals, times and kernels" {
    screen 100x40 gen:laplace2d,n=20
    wait_for 'relative to CSR'
    keys 7
    wait_for 'f64, [0-9]+ forecast$'
    keys s
    wait_for 'Not solved. r solves A x = b by CG, BiCGSTAB and GMRES'
    keys r
    wait_for 'residual ..r.. / ..b.. of each solve'
    wait_for 'Fastest: .*, [0-9]+ iterations in '
    wait_for '^ +steps +time +A x +M +vectors +best kernel'
    wait_for '^ *a CG +[0-9]+ .*cpu/'
    wait_for '^ *e CG, IC\(0\) +22 '
    keys '?'
    wait_for 'steps of the method; of GMRES those within cycles'
    keys Escape P
    wait_for 'Write this picture'
    keys Escape q
    ended_with 0
}

@test "Advice says why it cannot solve" {
    screen 80x24 gen:random,m=40,n=60
    wait_for 'relative to CSR'
    keys 7
    wait_for 'f64, [0-9]+ forecast$'
    keys r
    wait_for 'solves: unavailable, since the matrix is not square'
    keys q
    ended_with 0
}

@test "sparse products and precisions are computed when their section is shown" {
    screen 80x24 --limit=1G gen:laplace2d,n=30
    wait_for 'relative to CSR'
    keys 7
    wait_for 'f64, [0-9]+ forecast$'
    keys G
    wait_for 'A.T A has 2.54 times the entries of A, and 1.93 multiplications per entry'
    wait_for '^ Entries of C +[0-9,]+ +[0-9,]+ +[0-9,]+'
    keys p
    wait_for '^ bf16x3 +10 .* [0-9.e-]+ +[0-9.e-]+$'
    keys '?'
    wait_for 'largest .y - r. / sum .a x. of a row'
    keys Escape q
    ended_with 0
}

# The figure of levels computes its own numbers: the section need not have run.
@test "P draws the figures of sparse products and of triangular solves in their sections" {
    screen 120x36 gen:laplace2d,n=12
    wait_for 'relative to CSR'
    keys 7
    wait_for 'f64, [0-9]+ forecast$'
    keys G
    wait_for 'multiplications per entry'
    keys P
    wait_for 'Write this picture'
    keys C-u products.svg Enter
    wait_for 'the picture is in products.svg'
    grep -q '>A A: 3,176 multiplications, 1,636 entries' products.svg # 100 x 25 + 40 x 16 + 4 x 9
    keys t P
    wait_for 'Write this picture'
    keys C-u levels.svg Enter
    wait_for 'the picture is in levels.svg'
    grep -q '>Lower triangle: 23 levels' levels.svg
    keys q
    ended_with 0
}
