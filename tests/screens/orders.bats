#!/usr/bin/env bats
# Orders of rows and columns in a terminal: their list, the background work, and the screens next to each other.

load ../support/helper
load ../support/tmux

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_matrix four.mtx
    printf '%%%%MatrixMarket matrix array integer general\n4 1\n4\n2\n1\n3\n' >perm.mtx
}

teardown() {
    screen_end
}

@test "orders: --reorder opens the matrix in an order, E changes between orders" {
    screen 120x36 --limit=8M --reorder=file:path=perm.mtx four.mtx
    wait_for 'order: file:path=perm.mtx'
    wait_for 'x and y are permuted in .* per product.'
    # Row 1 of the source is now the third one; the cursor was there.
    wait_for 'row 3  column 3  value 2  natural 1, 1'
    keys E
    wait_for 'order: natural'
    wait_for 'row 1  column 1  value 2'
    keys 2
    wait_for 'natural: numbers'
    keys Down # row 2, which the permutation does not move
    wait_for 'row 2  column 1  value 5'
    keys E
    wait_for 'row 2  column 3  value 5  natural 2, 1'
    keys q
    ended_with 0
}

@test "orders: Summary has the numbers of two orders side by side" {
    screen 160x48 --reorder=file:path=perm.mtx four.mtx
    wait_for 'order: file'
    # The entries farthest from the diagonal are (3,1) and (1,3) of the source, which become (4,3) and (3,4).
    wait_for 'Structure +file:path=perm.mtx +natural'
    wait_for 'Lower bandwidth +1 +2 '
    wait_for 'Formats.* file:path=  *natural'
    wait_for 'csr .*◂?.* 104 B +104 B '
    keys E
    wait_for 'Structure +natural +file:path=perm'
    wait_for 'Lower bandwidth +2 +1 '
    keys q
    ended_with 0
}

@test "orders: the list names kinds, parameters and costs, and refuses unsuitable ones" {
    screen 100x34 gen:random,m=40,n=60,mean=3
    wait_for 'relative to CSR'
    keys e
    wait_for 'Orders of rows and columns'
    wait_for 'natural \(shown\)'
    wait_for 'length +rows +ascending=0'
    wait_for 'rcm +rows +reverse=1 +not available'
    keys / r c m Enter
    wait_for 'needs a square matrix'
    keys Escape e Down Enter
    wait_for 'order: length'
    keys e
    wait_for 'length \(shown\) +rows +cpu/[a-z-]+ +~[0-9.]+ [nu]s +[0-9.]+ +[0-9.]+ .s'
    wait_for 'length: ([0-9.]+% (faster|slower)|as fast)'
    wait_for '^.* ascending=0 *.$'
    keys a # rows and columns alike, impossible for a rectangular matrix
    wait_for 'random +symmetric +seed=1 +not available'
    keys Escape q
    ended_with 0
}

@test "orders: parameters can be typed, and wrong ones get a message" {
    screen 100x30 four.mtx
    wait_for 'relative to CSR'
    keys e / l e n g Enter p
    wait_for 'Order: length'
    keys ':ascending=1' Enter
    wait_for 'order: length:ascending=1'
    keys e p
    wait_for 'Order: length:ascending=1'
    keys 'x' Enter
    wait_for 'ascending=1x is none of'
    keys E
    wait_for 'order: natural'
    keys q
    ended_with 0
}

@test "orders: Pattern has two pictures and one cursor" {
    screen 120x36 --limit=8M --reorder=file:path=perm.mtx four.mtx
    wait_for 'order: file'
    keys 2
    wait_for 'natural: numbers +file:path=perm.mtx: numbers'
    # The entry 2 of row 1 and column 1, in the order of the file in row 3 and column 3; both are marked.
    wait_for '1▶ +2 +5 +1 +· *│ +1┤'
    wait_for '3▶ +· +5 +2 +1'
    wait_for 'In natural order'
    keys Left Left
    wait_for 'row 3  column 1  no entry  natural 1, 4'
    keys B
    wait_for '^Pattern: numbers'
    keys B E
    wait_for 'In file:path=perm.mtx order|In file:path=perm'
    wait_for 'row 1  column 4  no entry'
    keys q
    ended_with 0
}

@test "orders: the matrix and its permutation are written" {
    screen 100x30 --reorder=length gen:random,m=40,n=60,mean=3
    wait_for 'order: length'
    keys e w
    wait_for 'Write the matrix in this order to: '
    keys C-u length.mtx Enter
    wait_for 'is written to length.mtx, its permutation to length.permutation.mtx'
    keys q
    ended_with 0
    sparsight gen --reorder=length --permutation=p.mtx -o a.mtx random,m=40,n=60,mean=3
    diff <(grep -v '^%' a.mtx) <(grep -v '^%' length.mtx)
    diff <(grep -v '^%' p.mtx) <(grep -v '^%' length.permutation.mtx)
}

@test "orders: a slow one continues in the background and can be cancelled" {
    screen 100x30 gen:random,m=400000,n=400000,mean=12
    wait_for 'relative to CSR'
    keys e / c l u s Enter Enter x
    wait_for 'order cluster: cancelled'
    wait_gone 'order: cluster'
    keys e / c l u s Enter Enter 3 # Rows is drawn meanwhile
    wait_for 'Rows by length'
    wait_for 'order: cluster'
    keys q
    ended_with 0
}

@test "orders: Kernels shows the effect of each order on the kernels" {
    screen 120x36 --limit=8M --reorder=file:path=perm.mtx four.mtx
    wait_for 'order: file'
    keys 6
    wait_for 'Fastest +natural not run yet +file:path=perm.mtx not run yet'
    keys Enter
    wait_for 'x and y permuted in .* a product'
    keys r
    wait_for 'Fastest +natural not run yet +file:path=perm.mtx cpu/'
    keys E
    wait_for 'runs all'
    keys r
    wait_for 'Fastest +natural cpu/.* file:path=perm.mtx cpu/.* x [0-9.]+, with x and y x [0-9.]+'
    keys q
    wait_for '2 runs are not saved'
    keys y
    ended_with 0
}
