#!/usr/bin/env bats
# Files of other formats by convert and gen: other programs read them; and refusals.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "SciPy and h5py read the written files, of every field and symmetry" {
    need_scipy
    run "$python" "$SRCDIR/tests/support/written.py" "$SPARSIGHT"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "the ending determines the written format, inside a compressed file too" {
    sparsight gen laplace2d,n=9 -o a.mtx
    [ "$status" -eq 0 ]
    sparsight convert --to=mtx a.mtx -
    grep -v '^%' out >expected
    for name in a.npz a.rb a.mat a.petsc a.npz.gz a.rb.zst a.mat.xz a.petsc.bz2; do
        sparsight convert a.mtx $name
        show
        [ "$status" -eq 0 ]
        sparsight convert --to=mtx $name -
        [ "$status" -eq 0 ]
        # Integers stay integers as reals. A symmetric matrix has both triangles if the format has no symmetry.
        sparsight report --format=jsonl $name
        [ "$(jq -c '[.rows, .cols, .nnz]' out)" = '[81,81,369]' ]
    done
    sparsight convert --to=mtx a.rb.zst -
    grep -v '^%' out | cmp - expected
    sparsight gen --to=npz laplace2d,n=9 -o made
    [ "$status" -eq 0 ]
    sparsight convert --to=npz a.mtx copy
    cmp made copy
}

@test "zip, gzip and zstd accept the written files" {
    sparsight gen laplace2d,n=300 -o a.npz
    if command -v unzip >/dev/null; then unzip -tq a.npz; fi
    for threads in 1 3; do
        for ending in gz zst; do
            OMP_NUM_THREADS=$threads sparsight convert a.npz $threads.mtx.$ending
            [ "$status" -eq 0 ]
        done
    done
    gzip -t 1.mtx.gz
    cmp 1.mtx.gz 3.mtx.gz
    cmp 1.mtx.zst 3.mtx.zst
    gzip -dc 1.mtx.gz >text
    if command -v zstd >/dev/null; then zstd -dc 3.mtx.zst | cmp - text; fi
    sparsight convert a.npz plain.mtx
    cmp plain.mtx text
}

@test "a full disk and a closed pipe end the writing" {
    [ -c /dev/full ] || skip "no /dev/full"
    for name in npz rb mat petsc bsp mtx; do
        sparsight gen --to=$name laplace2d,n=200 -o /dev/full
        show
        [ "$status" -eq 1 ]
        grep -q "^/dev/full: .*No space left" err
    done
    sparsight gen laplace2d,n=900 -o a.npz
    [ "$status" -eq 0 ]
    for name in npz mtx rb; do
        "$SPARSIGHT" convert --to=$name a.npz - 2>err | head -c 100 >/dev/null
        [ ! -s err ]
    done
}

@test "another order is written, with its permutation, as gen writes it" {
    sparsight gen laplace2d,n=6 -o a.mtx
    sparsight convert --reorder=random:seed=3 --permutation=p.mtx a.mtx b.npz
    show
    [ "$status" -eq 0 ]
    sparsight gen --reorder=random:seed=3 --permutation=q.mtx -o c.npz a.mtx
    [ "$status" -eq 0 ]
    cmp b.npz c.npz
    cmp <(grep -v '^%' p.mtx) <(grep -v '^%' q.mtx)
    grep -q '^% sparsight convert --reorder=random:seed=3.* a.mtx: line k' p.mtx
    sparsight convert --permutation=p.mtx a.mtx b.npz
    [ "$status" -eq 2 ]
    grep -q "needs --reorder=SPEC with an order" err
    sparsight convert --reorder=rcm --reorder=length a.mtx b.npz
    [ "$status" -eq 2 ]
    grep -q "convert takes one order" err
}

@test "a failure leaves the old file and nothing else" {
    sparsight gen laplace2d,n=5 -o a.mtx
    echo old >kept.npz
    sparsight convert none.mtx kept.npz
    [ "$status" -eq 1 ]
    [ "$(cat kept.npz)" = old ]
    [ "$(ls -A | grep -c npz)" -eq 1 ]
}

@test "a small archive of arrays in a pipe is read like the file" {
    cp "$SRCDIR/tests/fuzz/corpus/npz/in-a-pipe-an-archive" a.npz
    run "$SPARSIGHT" report a.npz
    local of_file=${output#*a.npz:}
    [ "$status" -ne 0 ]
    [[ $of_file == *"it holds: row.npy, d.cha.rb"* ]]
    run bash -c 'cat a.npz | "$SPARSIGHT" report --from=npz -'
    [ "${output#*stdin:}" = "$of_file" ]
}

@test "the sign of a zero among whole numbers is kept" {
    printf '%%%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 -0\n2 1 0\n2 2 7\n' >a.mtx
    sparsight convert a.mtx a.rb
    sparsight convert a.rb b.mtx
    [ "$(grep -v '^%' b.mtx)" = "$(grep -v '^%' a.mtx)" ]
    # The widest number is -0, and a blank precedes each.
    [ "$(tail -1 a.rb)" = ' -0  0  7' ]
}

@test "zeros on the diagonal of a skew-symmetric matrix are kept" {
    printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 3\n2 1 1\n2 2 0\n3 2 2\n' >a.mtx
    local wanted='1 2 -1
2 1 1
2 2 0
2 3 -2
3 2 2'
    for ending in mtx rb mat npz petsc; do
        sparsight convert a.mtx b.$ending
        [ "$status" -eq 0 ]
        sparsight convert b.$ending c.mtx
        grep -q '^%%MatrixMarket matrix coordinate real general$' c.mtx
        [ "$(grep -v '^%' c.mtx | tail -n +2)" = "$wanted" ]
    done
    # Without zeros one triangle suffices.
    sed -e 's/^3 3 3/3 3 2/' -e '/^2 2 0/d' a.mtx >d.mtx
    sparsight convert d.mtx e.mtx
    [ "$(sed '/^% /d' e.mtx)" = "$(cat d.mtx)" ]
}

@test "libarchive is loaded for compressed files only, and a message says if it is missing" {
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n' >a.mtx
    gzip -k a.mtx
    export SPARSIGHT_LIBARCHIVE=$PWD/missing.so
    sparsight convert a.mtx b.mtx
    [ "$status" -eq 0 ]
    local reason="libarchive is not found: SPARSIGHT_LIBARCHIVE says $PWD/missing.so, which is not there"
    sparsight convert a.mtx.gz c.mtx
    [ "$status" -eq 1 ]
    grep -qx "a.mtx.gz: $reason" err
    for name in d.mtx.zst d.npz; do
        sparsight convert a.mtx $name
        [ "$status" -eq 1 ]
        grep -qx "$name: $reason" err
        [ ! -e $name ]
    done
    SPARSIGHT_LIBARCHIVE=$BUILDDIR/tests/support/fake_library.so sparsight convert a.mtx.gz c.mtx
    [ "$status" -eq 1 ]
    grep -qx "a.mtx.gz: libarchive has no archive_entry_filetype: it is too old, or not whole" err
    unset SPARSIGHT_LIBARCHIVE
    sparsight convert a.mtx.gz c.mtx
    [ "$(tail -1 c.mtx)" = '1 2 3' ]
}
