#!/usr/bin/env bats
# sparsight report: its numbers, several matrices in one call, and files that appear whole or not at all.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# field KEY: the value at this jq path for the only matrix in out.
field() {
    jq ".matrices[0].$1" out
}

@test "the numbers of a small matrix" {
    need jq
    write_matrix small.mtx
    sparsight report --format=json small.mtx
    show
    [ "$status" -eq 0 ]
    [ ! -s err ]
    [ "$(jq -c '.schema, .errors' out | tr -d '\n')" = '"sparsight-report/2"[]' ]
    [ "$(jq -c '.matrices[0] | [.name, .path, .field, .symmetry]' out)" = \
        '["small","small.mtx","real","general"]' ]
    [ "$(jq -c '.matrices[0] | [.rows, .cols, .stored, .nnz, .explicit_zeros, .duplicates, .density]' out)" = \
        '[4,4,8,7,1,1,0.4375]' ]
    [ "$(jq -c '.matrices[0].structure | [.lower_bandwidth, .upper_bandwidth, .profile, .pattern_symmetry,
        .numeric_symmetry, .diagonal_nonzeros, .diagonals, .empty_rows, .empty_cols]' out)" = \
        '[2,2,3,0.8,0.4,2,5,0,0]' ]
    [ "$(field row_lengths.histogram | jq -c .)" = \
        '[{"length":1,"count":2},{"length":2,"count":1},{"length":3,"count":1}]' ]
    [ "$(jq -c '.matrices[0].kernels' out)" = '[]' ]
}

# sizes PRECISION FORMAT: bytes, integers, slots, padding, and ratios times 1000, of this row.
sizes() {
    jq -c --arg p "$1" --arg f "$2" '.matrices[0].formats[] | select(.precision == $p and .format == $f)
        | [.bytes, .integers, .slots, .padding, (.padding_ratio * 1000 | floor), (.dense_ratio * 1000 | floor),
           .convert_us, .refused]' out | head -n 1
}

# Counted by hand: 4 rows, 7 entries; offsets and indices of 4 bytes; the dense array has 16 values.
@test "the size of every format, in one precision or both" {
    need jq
    sparsight report --format=json --precision=f32,f64 "$SRCDIR/data/pmpp.mtx"
    show
    [ "$status" -eq 0 ]
    [ "$(sizes f64 csr)" = "[$((5 * 4 + 7 * 4 + 7 * 8)),12,7,0,1000,812,null,null]" ]
    [ "$(sizes f32 csr)" = "[$((5 * 4 + 7 * 4 + 7 * 4)),12,7,0,1000,1187,null,null]" ]
    [ "$(sizes f64 coo)" = "[$((7 * 8 + 7 * 8)),14,7,0,1000,875,null,null]" ]
    [ "$(sizes f64 ell)" = "[$((4 * 3 * 12)),12,12,5,1714,1125,null,null]" ]
    [ "$(sizes f32 ell)" = "[$((4 * 3 * 8)),12,12,5,1714,1500,null,null]" ]
    [ "$(jq -c '.matrices[0].formats | group_by(.precision) | map(length) | unique | length' out)" = 1 ]
    sparsight report --format=jsonl --precision=f32 "$SRCDIR/data/pmpp.mtx"
    [ "$(jq -c '[.formats[].precision] | unique' out)" = '["f32"]' ]
    [ "$(wc -l <out)" -eq 1 ]
    sparsight report --format=jsonl "$SRCDIR/data/pmpp.mtx"
    [ "$(jq -c '[.formats[].precision] | unique' out)" = '["f64"]' ]
    [ "$(jq -c '[.formats[].convert_us] | unique' out)" = '[null]' ]
    [ "$(jq -c '[.formats[].params | type] | unique' out)" = '["object"]' ]
}

# Counted by numpy from row lengths, HYB's k by trying each. Of several rows of a format the first.
@test "sizes of larger matrices" {
    need jq
    local name format expected
    while read -r name format expected; do
        [ -s "$name.json" ] || "$SPARSIGHT" report --format=json -o "$name.json" "$SRCDIR/data/$name.mtx.gz"
        jq -r --arg f "$format" '[.matrices[0].formats[] | select(.format == $f)][0]
            | "\(.bytes) \(.slots)"' "$name.json" >found
        echo "$name $format: $(cat found)"
        [ "$(cat found)" = "$expected" ]
    done <<'END'
powerlaw coo 153568 9598
powerlaw csr 119276 9598
powerlaw ell 3477504 289792
powerlaw hyb 153568 9598
powerlaw cmrs 125290 9598
banded ell 198000 16500
banded hyb 194208 15888
blocks ell 302400 25200
blocks hyb 209664 14904
stencil27 csr 478564 39304
stencil27 hyb 517248 40104
powerlaw jds 120408 9598
powerlaw sell 723204 60256
powerlaw dia 14064336 1757184
banded dia 300100 37500
banded bsr 307708 33856
blocks bsr 119832 14724
demo ell 15264000 1272000
demo hyb 979392 69462
demo jds 833588 68324
demo sell 1132028 94304
demo cmrs 889716 68324
END
}

@test "--convert builds and times formats; without it neither happens" {
    need jq
    sparsight report --format=json --convert=all "$SRCDIR/data/pmpp.mtx"
    # The matrix is not symmetric, so that sss is refused.
    [ "$(jq -c '[.matrices[0].formats[] | select((.convert_us > 0) != (.format != "sss")).format]' out)" = '[]' ]
    [ "$(jq -c '[.matrices[0].formats[] | select(.format == "sss").refused | test("symmetric")]' out)" = '[true]' ]
    [ "$(jq -c '[.matrices[0].formats[] | has("arrays")] | unique' out)" = '[false]' ]
    sparsight report --format=json --convert=csr --convert=none "$SRCDIR/data/pmpp.mtx"
    show
    [ "$status" -eq 0 ]
    [ "$(jq -c '[.matrices[0].formats[] | select(.convert_us != null) | .format]' out)" = '["csr"]' ]
    sparsight report --convert=csr "$SRCDIR/data/pmpp.mtx"
    grep -qE '^Formats, f64 .* of dense +convert$' out
    grep -qE '^  csr +104 +12 +7 +1 +81\.2% +[0-9.]+ [num]?s$' out
    sparsight report "$SRCDIR/data/pmpp.mtx"
    grep -qE '^Formats, f64 .* of dense$' out
}

@test "--drop-zeros removes explicit zeros" {
    need jq
    write_matrix small.mtx
    sparsight report --format=json --drop-zeros small.mtx
    show
    [ "$status" -eq 0 ]
    [ "$(jq -c '.matrices[0] | [.stored, .nnz, .explicit_zeros]' out)" = '[8,6,0]' ]
    grep -q '^small.mtx: 1 explicit zero' err
}

@test "the text of a report" {
    write_matrix small.mtx
    sparsight report small.mtx
    show
    [ "$status" -eq 0 ]
    grep -q '^4 x 4, real general$' out
    grep -qE '^  Duplicates +1  stored entries$' out
    grep -qE '^  Mean +1.75 +1.75  entries$' out
    grep -qE '^ +1  #{40} +2  50.00%$' out
}

# A listed variant is not listed twice, however its parameters are written.
@test "--convert adds rows for further formats" {
    need jq
    local count
    sparsight report --format=jsonl "$SRCDIR/data/pmpp.mtx"
    count=$(jq '.formats | length' out)
    sparsight report --format=jsonl --convert='cmrs:sorted=0,packed=1 cmrs:height=2,packed=1' --convert=coo:order=row \
        --precision=f32 --precision=f64 "$SRCDIR/data/pmpp.mtx"
    show
    [ "$status" -eq 0 ]
    [ "$(jq '.formats | length' out)" -eq $((2 * (count + 1))) ]
    jq -c '.formats[] | select(.convert_us != null) | [.format, .precision, .params.height, .params.packed]' out >built
    diff built - <<'END'
["coo","f64",null,null]
["cmrs","f64",8,1]
["cmrs","f64",2,1]
["coo","f32",null,null]
["cmrs","f32",8,1]
["cmrs","f32",2,1]
END
    sparsight report --convert=cmrs:height=2,packed=1 "$SRCDIR/data/pmpp.mtx"
    grep -qE '^  cmrs:height=2,packed=1 +96 ' out
}

# arrays LIST FILE: how text prints them.
arrays() {
    sparsight report --arrays="$1" "$2"
    show
    [ "$status" -eq 0 ]
    # The advice and the blank line before it come after the arrays.
    sed -n '/^Arrays of/,$p' out | awk '/^Advice/ { exit } NR > 1 { print last } { last = $0 } END { if (last) print last }'
}

# Figures 10.2, 10.8 to 10.10 of Kirk and Hwu.
@test "arrays as text" {
    arrays csr,ell:layout=rows,pad=sentinel,ell "$SRCDIR/data/pmpp.mtx" | sed '1,/^Arrays/{/^Arrays/!d}' >given
    diff given - <<'END'
Arrays of csr, f64
  | where a row, column or diagonal begins
  row_ptr: 5 x int32, first entry of row i
    0: 0 2 2 5 7
  col: 7 x int32, column of entry k
    0:   0   2 | 1   2   3 | 0   3
  val: 7 x float64, value of entry k
    0:   3   1 | 2   4   1 | 1   1

Arrays of ell, f64
  * after padding, | where a row, column or diagonal begins
  col: 12 x int32, column of slot e
     0:   0    0*   1    0  | 2    0*   2    3  | 2*   0*   3    3*
  val: 12 x float64, value of slot e
     0:   3    0*   2    1  | 1    0*   4    1  | 0*   0*   1    0*

Arrays of ell:layout=rows,pad=sentinel, f64
  * after padding, | where a row, column or diagonal begins
  col: 12 x int32, column of slot e
     0:    0     2    -1* | -1*   -1*   -1* |  1     2     3  |  0     3    -1*
  val: 12 x float64, value of slot e
     0:   3    1    0* | 0*   0*   0* | 2    4    1  | 1    1    0*
END
}

# Lines contain a multiple of ten elements, or end before a rule if rules have equal distances.
@test "arrays as text: strips, sections and wrapped lines" {
    arrays cmrs:height=2 "$SRCDIR/data/pmpp.mtx" | sed '1,/^Arrays/{/^Arrays/!d}' >given
    sed -n 2,3p given | diff - <(printf '%s\n' \
        '  | where a row, column or diagonal begins, || where a section, strip or chunk' '  begins')
    grep -qx '    0:    3    1 || 2    4    1 |  1    1' given
    arrays csr gen:permutation,n=45,seed=1 >given
    [ "$(sed -n 's/^ *\([0-9]*\):.*/\1/p' given | tr '\n' ' ')" = '0 20 40 0 10 20 30 40 0 10 20 30 40 ' ]
    arrays ell:layout=rows gen:dense,m=9,n=7 >given
    [ "$(sed -n 's/^ *\([0-9]*\):.*/\1/p' given | head -n 5 | tr '\n' ' ')" = '0 14 28 42 56 ' ]
}

@test "arrays as JSON" {
    need jq
    sparsight report --format=jsonl --arrays=csr "$SRCDIR/data/pmpp.mtx"
    show
    [ "$status" -eq 0 ]
    jq -e '.formats[] | select(.format == "csr") | .arrays ==
        {"row_ptr": [0, 2, 2, 5, 7], "col": [0, 2, 1, 2, 3, 0, 3], "val": [3, 1, 2, 4, 1, 1, 1]}' out
    [ "$(jq -c '[.formats[] | select(.format != "csr") | has("arrays")] | any' out)" = false ]
    # Complex values are pairs; two matrices, one of them missing.
    printf '%s\n' '%%MatrixMarket matrix coordinate complex general' '1 2 1' '1 2 0.5 -3' >complex.mtx
    sparsight report --format=json --arrays=csr missing.mtx complex.mtx
    [ "$status" -eq 1 ]
    jq -e '.matrices[0].formats[] | select(.format == "csr") | .arrays ==
        {"row_ptr": [0, 1], "col": [1], "val": [[0.5, -3]]}' out
}

@test "an empty matrix has empty arrays" {
    printf '%s\n' '%%MatrixMarket matrix coordinate real general' '3 2 0' >none.mtx
    sparsight report --arrays=all --convert=all none.mtx
    show
    [ "$status" -eq 0 ]
    grep -qx '  row_ptr: 4 x int32, first entry of row i' out
    grep -qx '  val: 0 x float64, value of entry k (empty)' out
    grep -qE '^  csr +16 +4 +0 +33\.3%' out
    [ "$(awk 'length > 80' out | wc -l)" -eq 0 ]
}

@test "an empty name is reported as such" {
    write_matrix one.mtx
    sparsight report --format=jsonl "" one.mtx
    show
    [ "$status" -eq 1 ]
    [ "$(wc -l <err)" -eq 1 ]
    grep -q "name is empty" err
    grep -q one.mtx out
}

@test "a matrix that fails in the middle leaves the others" {
    write_matrix one.mtx
    write_matrix three.mtx
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n' >two.mtx
    local format
    for format in text json jsonl csv markdown html; do
        sparsight report --format=$format one.mtx two.mtx missing.mtx three.mtx
        show
        [ "$status" -eq 1 ]
        [ "$(wc -l <err)" -eq 2 ]
        sed -n 1p err | grep -qE '^two\.mtx:3:[0-9]+: '
        sed -n 2p err | grep -q '^missing\.mtx: .*No such file'
        grep -q one out
        grep -q three out
    done
    need jq
    sparsight report --format=json one.mtx two.mtx missing.mtx three.mtx
    [ "$(jq -c '[.matrices[].name]' out)" = '["one","three"]' ]
    [ "$(jq -c '[.errors[] | .path, .line]' out)" = '["two.mtx",3,"missing.mtx",null]' ]
    sparsight report --format=jsonl one.mtx two.mtx missing.mtx three.mtx
    [ "$(jq -c '[.name, .error.path]' out | tr -d '\n')" = \
        '["one",null][null,"two.mtx"][null,"missing.mtx"]["three",null]' ]
}

@test "-o writes the same as standard output" {
    write_matrix small.mtx
    local format
    export SOURCE_DATE_EPOCH=1700000000
    for format in text json jsonl csv csv-matrices markdown html; do
        sparsight report --format=$format small.mtx
        mv out expected
        sparsight report --format=$format small.mtx -o result
        show
        [ "$status" -eq 0 ]
        [ ! -s out ]
        sed 's/ -o result//' result | cmp expected - # but for the command line
    done
}

@test "an output that cannot be written is an error, and the old file stays" {
    write_matrix small.mtx
    sparsight report small.mtx -o /dev/full
    show
    [ "$status" -eq 1 ]
    [ "$(cat err)" = "/dev/full: cannot write: No space left on device" ]
    status=0
    "$SPARSIGHT" report small.mtx >/dev/full 2>err || status=$?
    [ "$status" -eq 1 ]
    grep -q '^standard output: .*No space left' err
    status=0
    "$SPARSIGHT" report small.mtx >&- 2>err || status=$?
    [ "$status" -eq 1 ]
    [ -s err ]
    sparsight report small.mtx -o missing/folder
    [ "$status" -eq 1 ]
    grep -q '^missing/folder: ' err
    mkdir new
    echo old >new/result
    (ulimit -f 1 && "$SPARSIGHT" report --format=json gen:powerlaw -o new/result 2>/dev/null) && false
    [ "$(cat new/result)" = old ]
    [ "$(ls -A new)" = result ]
}

@test "a reader that closes its pipe causes no message" {
    write_matrix small.mtx
    # More than a pipe holds, so that the program notices.
    local -a many
    mapfile -t many < <(yes small.mtx | head -n 100)
    (
        status=0
        "$SPARSIGHT" report "${many[@]}" 2>err || status=$?
        echo "$status" >result
    ) | true
    cat err result
    [ "$(cat result)" -eq 1 ]
    [ ! -s err ]
}

@test "a signal leaves no unfinished file" {
    local signal
    mkdir new
    mkfifo pipe
    for signal in HUP INT QUIT TERM ALRM XCPU; do
        echo old >new/result
        # Background jobs of bash ignore INT and QUIT, and nohup makes all ignore HUP. This restores the defaults.
        env --default-signal=HUP,INT,QUIT "$SPARSIGHT" report -o new/result pipe 2>err 3>&- &
        local process=$! code=0
        exec 9>pipe
        # The output is open by now, since the matrix is opened after it. If the file system supports files without a
        # name, the output is invisible.
        [ "$(ls -A new | wc -l)" -le 2 ]
        ls -l "/proc/$process/fd" | grep -q "$PWD/new"
        kill "-$signal" "$process"
        wait "$process" || code=$?
        exec 9>&-
        [ "$code" -eq $((128 + $(kill -l "$signal"))) ]
        [ "$(ls -A new)" = result ]
        [ "$(cat new/result)" = old ]
    done
}

@test "a matrix beyond --limit is refused, the next is reported" {
    write_matrix small.mtx
    sparsight report --limit=64K gen:laplace2d,n=1000 small.mtx
    show
    [ "$status" -eq 1 ]
    grep -q '^gen:laplace2d,n=1000: .*limit of 64.0 KiB' err
    grep -q '^small$' out
}

# laplace2d,n=100 has 49,600 entries: COO takes 16 bytes for each, CSR 12 and 40,004 for its offsets.
@test "a format beyond --limit is refused with its size, the others are not" {
    need jq
    sparsight report --format=json --limit=700K --convert='coo csr' --arrays=coo gen:laplace2d,n=100
    show
    [ "$status" -eq 0 ]
    [ "$(cat err)" = "gen:laplace2d,n=100: no arrays of coo: $(jq -r '.matrices[0].formats[] | select(.format == "coo").refused' out)" ]
    grep -q 'coo: coo would take 775 KiB, its padding factor being 1; the limit is 700 KiB' err
    [ "$(jq -c '.matrices[0].formats[] | select(.format == "coo") | [.format, .bytes, .slots, .convert_us, .arrays]' out)" = \
        '["coo",793600,49600,null,null]' ]
    [ "$(jq -c '.matrices[0].formats[] | select(.format == "csr") | [.format, .bytes, .slots, .refused, .convert_us > 0]' out)" = \
        '["csr",635204,49600,null,true]' ]
    [ "$(jq -c '.errors' out)" = '[]' ]
    sparsight report --limit=700K --arrays=coo gen:laplace2d,n=100
    show
    [ "$status" -eq 0 ]
    grep -qE '^! coo +(793,600|794k) ' out
    grep -qE '^  csr +(635,204|635k) ' out
    grep -qx '! refused: larger than the limit of 700 KiB; --limit=BYTES sets it' out
    [ "$(grep -A 1 '^Arrays of coo, f64$' out | tail -n 1)" = \
        '  coo would take 775 KiB, its padding factor being 1; the limit is 700 KiB:' ]
    sparsight report --limit=700K --precision=f32 gen:laplace2d,n=100
    grep -qE '^  coo +(595,200|595k) ' out
}

@test "--lenient reports the tolerated mistakes" {
    write_matrix small.mtx
    sed '1s/^%%/%/' small.mtx >single.mtx
    sparsight report single.mtx
    show
    [ "$status" -eq 1 ]
    grep -q '^single.mtx:1:' err
    sparsight report --lenient single.mtx
    show
    [ "$status" -eq 0 ]
    grep -q '^single.mtx: ' err
    grep -qE '^  Entries +7$' out
}

@test "numbers beyond double precision are noted everywhere" {
    need jq
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e400\n2 2 -1e401\n' >beyond.mtx
    local note='2 values are beyond double precision, first on line 3: 1e400 became inf'
    sparsight report beyond.mtx
    show
    [ "$status" -eq 0 ]
    [ "$(cat err)" = "beyond.mtx: $note" ]
    [ "$(sed -n '/^  2 values/,/^$/p' out | tr -s ' \n' ' ')" = " $note " ]
    sparsight report --format=json beyond.mtx
    [ "$(jq -c '.matrices[0].notes' out)" = "[\"$note\"]" ]
    sparsight report --format=markdown beyond.mtx
    grep -q '1e400 became inf' out
    write_matrix small.mtx
    sparsight report --format=json small.mtx
    [ "$(jq -c '.matrices[0].notes' out)" = '[]' ]
}

@test "--base=0 reads files that count from 0" {
    need jq
    write_matrix small.mtx
    awk '/^%/ || !sized { print; sized = sized || !/^%/; next } { print $1 - 1, $2 - 1, $3 }' small.mtx >zero.mtx
    sparsight report --arrays=coo small.mtx
    sed -n '/^Arrays/,/^Report$/p' out >expected
    grep -q 0 expected
    sparsight report --base=0 --arrays=coo zero.mtx
    show
    [ "$status" -eq 0 ]
    [ "$(cat err)" = 'zero.mtx: indices of the file count from 0; here they count from 1' ]
    sed -n '/^Arrays/,/^Report$/p' out | cmp - expected
    sparsight report zero.mtx
    [ "$status" -eq 1 ]
    grep -q '^zero.mtx:4:1: row index 0; indices start at 1; --base=0 reads a file that counts from 0$' err
    sparsight report --base=0 small.mtx
    [ "$status" -eq 1 ]
    grep -q 'lies outside the matrix; the size line says 4, which is at most 3 counted from 0$' err
}

@test "standard input, compressed files and archives" {
    write_matrix small.mtx
    sparsight report small.mtx
    sed -n '/^Matrix/,$p' out >expected
    mkdir small
    cp small.mtx small/
    tar cf small.tar small
    gzip -k small.mtx
    gzip -k small.tar
    local name
    for name in small.mtx.gz small.tar.gz small.tar.gz:small.mtx; do
        sparsight report "$name"
        show
        [ "$status" -eq 0 ]
        sed -n '/^Matrix/,$p' out | cmp - expected
    done
    for name in small.mtx small.mtx.gz; do
        sparsight report - <"$name"
        show
        [ "$status" -eq 0 ]
        sed '1,/^$/d' out | head -n 1 | grep -q '^stdin$'
        sed -n '/^Matrix/,$p' out | cmp - expected
    done
}

# Except for the advice for the processor, which depends on the number of threads.
@test "the number of threads changes nothing" {
    local threads
    need jq
    for threads in 1 2 3; do
        sparsight report --format=jsonl --threads=$threads gen:powerlaw,scale=12 gen:laplace2d,n=70
        [ "$status" -eq 0 ]
        jq -c 'del(.advice[].cpu, .report)' out >"threads$threads"
    done
    cmp threads1 threads2
    cmp threads1 threads3
    sparsight report --format=json --threads=3 gen:arrow
    [ "$(jq .host.threads out)" -eq 3 ]
}

@test "the parts of the machine, and the placement of threads" {
    OMP_PROC_BIND=true "$SPARSIGHT" report --kernels=none --format=json "$SRCDIR/data/pmpp.mtx" >out
    jq -e '.host | .placement == "bound by OpenMP (OMP_PROC_BIND)"
        and (.topology == null or (.topology.here and .topology.cores <= .topology.threads and .cpus <= .topology.threads))' out
    if [ "$(jq -r .host.topology.source out)" != hwloc ]; then skip "built without hwloc"; fi
    export HWLOC_SYNTHETIC='pack:2 numa:1 l3:2(size=16777216) core:3 l1d:1(size=49152) pu:2'
    "$SPARSIGHT" report --kernels=none --format=json "$SRCDIR/data/pmpp.mtx" >out
    [ "$(jq -c .host.topology out)" = '{"source":"hwloc","here":false,"packages":2,"nodes":2,"cores":12,"threads":24,"caches":[{"level":1,"kind":"data","bytes":49152,"threads":2,"count":12},{"level":3,"kind":"unified","bytes":16777216,"threads":6,"count":4}]}' ]
    [ "$(jq -r .host.placement out)" = 'not pinned' ]
    "$SPARSIGHT" kernels | grep -x '    2 packages, 2 memory nodes, 12 cores, 24 hardware threads'
    "$SPARSIGHT" kernels | grep -x '    L1d 48 KiB a core, L3 16 MiB for 6 threads'
}

@test "hwloc loads no plugins, unless the user names their folder" {
    if ! "$SPARSIGHT" report --format=json "$SRCDIR/data/pmpp.mtx" | jq -e '.host.topology.source == "hwloc"'; then
        skip "built without hwloc"
    fi
    HWLOC_PLUGINS_VERBOSE=1 "$SPARSIGHT" report --only=matrix "$SRCDIR/data/pmpp.mtx" >out 2>err
    if ! grep -q 'plugin dlforeach' err; then skip "this hwloc has no plugins"; fi
    [ "$(grep 'plugin dlforeach' err)" = "hwloc: Starting plugin dlforeach in /dev/null" ]
    HWLOC_PLUGINS_PATH=. HWLOC_PLUGINS_VERBOSE=1 "$SPARSIGHT" report --only=matrix "$SRCDIR/data/pmpp.mtx" 2>err >out
    [ "$(grep 'plugin dlforeach' err)" = "hwloc: Starting plugin dlforeach in ." ]
}

@test "progress is drawn on terminals only" {
    sparsight report gen:laplace2d,n=300
    [ ! -s err ]
}

# The pattern of data/pmpp.mtx is 1 0 1 0 / 0 0 0 0 / 0 1 1 1 / 1 0 0 1.
@test "text reports show the pattern on a terminal, elsewhere on request" {
    "$SPARSIGHT" report "$SRCDIR/data/pmpp.mtx" >plain
    if grep -q Pattern$ plain; then return 1; fi
    "$SPARSIGHT" report --picture=always --ascii "$SRCDIR/data/pmpp.mtx" >out
    sed -n '/^Pattern$/,/a dot/p' out >picture
    diff picture - <<'END'
Pattern
     |--1---2---3---4-|
     |@@@@    @@@@    |
    1|@@@@    @@@@    |
     |                |
    2|                |
     |    @@@@@@@@@@@@|
    3|    @@@@@@@@@@@@|
     |@@@@        @@@@|
    4|@@@@        @@@@|
     |-----------------
      a dot is one position
END
    sed '1,/^$/d; /^Pattern$/,/a dot/d' out | cat -s | diff - <(sed '1,/^$/d' plain | cat -s) # nothing else differs
    "$SPARSIGHT" report --picture=always "$SRCDIR/data/pmpp.mtx" | grep '^    1⣿⣿⣿⣿'
    LC_ALL=C "$SPARSIGHT" report --picture=always "$SRCDIR/data/pmpp.mtx" | grep '^    1|@@@@    @@@@'
    sparsight report --picture=always --format=json "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 2 ]
    grep 'picture=always needs --format=text' err
    sparsight report --picture=big "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 2 ]
    grep "auto, always or never, and not 'big'" err
    printf '%%%%MatrixMarket matrix coordinate real general\n0 0 0\n' >empty.mtx
    "$SPARSIGHT" report --picture=always empty.mtx >out
    if grep -q Pattern$ out; then return 1; fi
}

@test "a terminal is shown the pattern unless --picture=never" {
    command -v script >/dev/null || skip "there is no script(1)"
    script -qec "'$SPARSIGHT' report --ascii '$SRCDIR/data/pmpp.mtx'" /dev/null </dev/null | grep '^    1|@@@@    @@@@'
    script -qec "'$SPARSIGHT' report --picture=never '$SRCDIR/data/pmpp.mtx'" /dev/null </dev/null >out
    if grep -q "^Pattern" out; then return 1; fi
    grep -q '^Structure' out
}

@test "--name names the matrix, and its path too if it comes from a stream" {
    write_matrix a.mtx
    sparsight report --format=json --name='A "b" c' a.mtx
    python3 -c 'import json, sys; m = json.load(open("out"))["matrices"][0]; assert (m["name"], m["path"]) == ("A \"b\" c", "a.mtx"), m'
    sparsight report --format=json --name=stiffness - <a.mtx
    python3 -c 'import json, sys; m = json.load(open("out"))["matrices"][0]; assert (m["name"], m["path"]) == ("stiffness", "stiffness"), m'
    sparsight report --format=json --name=stiffness /dev/fd/4 4<a.mtx
    python3 -c 'import json, sys; m = json.load(open("out"))["matrices"][0]; assert (m["name"], m["path"]) == ("stiffness", "stiffness"), m'
    sparsight report --name=grid gen:laplace2d,n=3
    [ "$status" -eq 0 ]
    grep -q grid out
    sparsight plot --format=svg --name=gitter a.mtx
    grep -q gitter out
    sparsight report --name=x a.mtx a.mtx
    [ "$status" -eq 2 ]
    grep -q -- '--name names one matrix, but 2 are given' err
    sparsight report --name= a.mtx
    [ "$status" -eq 2 ]
    grep -q -- '--name needs a name' err
}

@test "the list of kernels in JSON has those of the list for people" {
    need python3
    sparsight kernels
    cp out text
    sparsight kernels --json
    [ "$status" -eq 0 ]
    cat >check.py <<'END'
import json, re
text, found = open("text").read(), json.load(open("out"))
kernels = re.findall(r"^(\w+/[\w-]+)  ", text, re.M)
assert [k["kernel"] for k in found["kernels"]] == kernels and len(kernels) > 50
for k in found["kernels"]:
    block = re.search(rf"^{k['kernel']}  .*\n(?:    .*\n)*", text, re.M).group()
    assert k["unavailable"] == (re.findall("    not available: (.*)", block) or [None])[0], k
    assert k["summary"] in block and (not k["source"] or k["source"] in block)
    assert k["transposes"] == ("with the transposed matrix" in (re.search("multiplies also.*", block) or [""])[0])
    assert k["deterministic"] == ("not deterministic" not in block), k
    assert k["columns"] == int((re.search(r"up to (\d+) vectors", block) or [0, 1])[1]), k
    for p in k["params"]:
        line = re.search(rf"^    {p['name']} +(.*)$", block, re.M).group(1)
        assert line == f"{p['help']} ({p['range']}" + (f", default {p['default']})" if p["default"] else ")"), (line, p)
formats = text[text.index("Storage"):text.index("Kernels, as")]
assert [f["format"] for f in found["formats"]] == re.findall(r"^(\w+)  ", formats, re.M)
assert {g["gpu"]: g["multiprocessors"] for g in found["gpus"]}["h200"] == 132
END
    python3 check.py
    sparsight kernels --json --gpu=h200
    [ "$status" -eq 2 ]
    grep -q -- '--json lists everything: leave out --gpu' err
}

@test "every form of a report has the matrix's peculiarities, and a saved one has the same" {
    local sentence='Its entries lie on 27 diagonals, which are 84% full.' form
    sparsight report --format=json "$SRCDIR/data/stencil27.mtx.gz"
    "$PYTHON" -c 'import json, sys; assert sys.argv[1] in json.load(open("out"))["matrices"][0]["portrait"]' "$sentence"
    sed 's/on 27 diagonals/on 27 lines/' out >saved.json
    for form in markdown html; do
        sparsight report --format=$form "$SRCDIR/data/stencil27.mtx.gz"
        grep -qF "$sentence" out
    done
    sparsight report "$SRCDIR/data/stencil27.mtx.gz"
    [ "$(sed -n '/^Peculiarities$/,/^$/p' out | tr -s ' \n' ' ' | grep -cF "$sentence")" -eq 1 ]
    sparsight report --results=saved.json # the sentences are the saved ones
    sed -n '/^Peculiarities$/,/^$/p' out | tr -s ' \n' ' ' >said
    grep -qF 'Its entries lie on 27 lines' said
    if grep -qF "$sentence" said; then false; fi
}

# 1/3 is rounded everywhere; 65536 overflows fp16 alone, 2^-30 underflows in it, and both survive scaling.
@test "--rounding reports the errors of types with fewer bits" {
    need jq
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 65536\n2 2 9.313225746154785e-10\n3 3 1\n3 1 0.3333333333333333\n' >m.mtx
    sparsight report --rounding --only=matrix --format=json m.mtx
    [ "$status" -eq 0 ]
    jq -r '.matrices[0].rounding[] | [.type, .value_bytes, .exact, .infinite, .zero, .scaled_infinite, .scaled_zero] | map(tostring) | join(" ")' out >found
    cat found
    diff found - <<'END'
f64 8 1 0 0 null null
f32 4 0.75 0 0 null null
bf16 2 0.75 0 0 null null
fp16 2 0.25 1 1 0 0
f32x2 8 0.75 0 0 null null
bf16x2 4 0.75 0 0 null null
bf16x3 6 0.75 0 0 null null
END
    # 1/3 is rounded in f32 by 2^-25 of its size.
    jq -e '.matrices[0].rounding[1].largest | . > 2.98e-8 and . < 2.981e-8' out
    jq -e '.matrices[0].rounding[1] | .max_error > 0 and .norm_error < 2.981e-8' out
    jq -e '.matrices[0].rounding[3] | .max_error == null' out
    sparsight report --only=matrix --format=json m.mtx
    jq -e '.matrices[0] | has("rounding") | not' out
    sparsight report --rounding --only=matrix m.mtx
    grep -qE '^  f32 +4 +75% +0 +0 ' out
    grep -q 'No narrower type holds every value exactly. f32 takes 4 bytes' out
    sparsight report --rounding --only=matrix gen:laplace2d,n=9
    grep -q 'bf16 holds every value exactly in 2 bytes instead of 8' out
}

# Each single section has the same numbers as the whole report, and no others. Values need some of the structure.
@test "--only reports and computes some sections" {
    need jq
    local section
    sparsight report --format=json --carry=0 "$SRCDIR/data/powerlaw.mtx.gz"
    mv out whole
    for section in structure lengths values formats advice matrix; do
        sparsight report --only="$section" --timing --format=json "$SRCDIR/data/powerlaw.mtx.gz"
        [ "$status" -eq 0 ]
        jq -c --arg s "$section" '.matrices[0] | {structure: (if $s == "values" then null else .structure end), row_lengths, values, formats, advice: (.advice | keys)}' out >found
        jq -c --arg s "$section" '.matrices[0]
            | def nulls: map_values(if type == "array" then [] else null end);
            {structure: (.structure | if $s == "values" then null elif $s != "structure" then nulls else . end),
             row_lengths: (.row_lengths | if $s != "lengths" and $s != "advice" then nulls else . end),
             values: (.values | if $s != "values" then nulls else . end),
             formats: (if $s != "formats" then [] else .formats end),
             advice: (if $s != "advice" then [] else .advice | keys end)}' whole >expected
        cmp found expected
        [ "$(jq -c '.matrices[0] | [.nnz, .carried]' out)" = '[9598,null]' ]
        # Parts that are not reported are not computed.
        jq -r '.matrices[0].costs[].part' out >parts
        jq -e '.matrices[0].costs | all(.cpu_us >= 0 and .wall_us >= 0)' out
        case $section in
            structure) grep -qx components parts; ! grep -qx 'sizes of formats' parts ;;
            formats) grep -qx 'sizes of formats' parts; ! grep -qx structure parts ;;
            advice) grep -qx forecasts parts; ! grep -qx values parts ;;
            matrix) [ "$(tr '\n' , <parts)" = 'reading,advice and tables,' ] ;;
        esac
    done
}

@test "--only in a text report, and options that contradict it" {
    sparsight report --only=lengths,values "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 0 ]
    [ "$(grep -c -E '^(Matrix|Lengths|Values)' out)" -eq 3 ]
    [ "$(grep -c -E '^(Structure|Formats|Criteria|Advice|Time of)' out)" -eq 0 ]
    # Parts that another option requests are reported nevertheless.
    sparsight report --only=matrix --convert=ell --timing "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 0 ]
    grep -q '^  ell ' out
    grep -q '^  timed kernels ' out
    [ "$(grep -c -E '^  (csr|coo) ' out)" -eq 0 ]
    sparsight report --only=lenghts "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 2 ]
    grep -q "no section is called 'lenghts'; did you mean lengths? There are matrix, structure, lengths, values, formats, advice" err
    sparsight report --only=matrix, "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 2 ]
    sparsight report --only=matrix --format=html "$SRCDIR/data/pmpp.mtx"
    [ "$status" -eq 2 ]
    grep -q -e '--only needs another format than html' err
}
