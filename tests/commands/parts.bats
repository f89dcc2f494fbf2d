#!/usr/bin/env bats
# sparsight report --parts: the communication of a distributed product.

setup_file() {
    load ../support/helper
}

setup() {
    load ../support/helper
    cd "$BATS_TEST_TMPDIR"
}

numbers() { # of each partition
    jq -c '.matrices[0].distribution.partitions[] | [.partition, .parts, .volume, .largest_halo, .messages, .most_neighbours,
        .cut, .most_entries]' "$@"
}

# Each strip of the five-point grid of 12 x 12 needs a line of each strip beside it.
@test "strips of a grid exchange its lines" {
    "$SPARSIGHT" report --format=json --parts=1,4 --partition=natural gen:laplace2d,n=12 | numbers >out
    cat out
    [ "$(sed -n 1p out)" = '["natural",1,0,0,0,0,0,672]' ]
    [ "$(sed -n 2p out)" = '["natural",4,72,24,6,2,72,174]' ]
}

# The lines 6 and 7 of the same grid are the only ones with entries in blocks beside the diagonal: in (0, 1), process 2
# needs 12 elements of x, whose owner is process 4, and sends 12 sums to process 1; in (1, 0) likewise.
@test "blocks of a grid exchange x and sums of y" {
    "$SPARSIGHT" report --format=json --parts=4 --partition=blocks,blocks:rows=4,entries gen:laplace2d,n=12 >out
    [ "$(numbers out | head -n 1)" = '["blocks",4,48,12,4,2,24,324]' ]
    jq -e '.matrices[0].distribution.partitions | map(del(.partition, .params)) | .[1] == .[2]
        and (.[0] | .overlap_us == null) and .[1].overlap_us > 0' out
    [ "$(jq -c '.matrices[0].distribution.partitions[] | [.params.rows, .expand, .fold, .largest_send, .most_messages]' out)" = \
        '[2,24,24,12,1]
[4,72,0,24,2]
[null,72,0,24,2]' ]
    "$SPARSIGHT" report --parts=4 --partition=blocks gen:laplace2d,n=12 >out
    grep -qE '^Parts +volume +fold +halo +send +messages' out
    grep -qE '^ *blocks, 4 +48 +24 +12 +12 +4 ' out
    # A saved report has the same numbers and name, with any number of parts.
    "$SPARSIGHT" report --format=json --parts=4,8 --partition=blocks gen:laplace2d,n=12 -o saved.json
    "$SPARSIGHT" report --results=saved.json >out
    grep -qE '^ *blocks, 4 +48 +24 +12 +12 +4 ' out
    grep -qE '^ *blocks, 8 ' out
    "$SPARSIGHT" report --format=json --parts=8 --partition=blocks:rows=3 gen:laplace2d,n=12 >out
    [ "$(jq -r '.matrices[0].distribution.partitions[0].refused' out)" = '8 parts are no grid of 3 rows of processes' ]
}

# Expand and fold of blocks by a loop over sets; the owners of x and y follow the rule of sparsight(1). The cuts are
# those of `entries`: line i belongs to the run that gets the middle of its entries.
@test "blocks are those of a loop" {
    "$SPARSIGHT" gen gen:powerlaw,scale=9 -o square.mtx
    "$SPARSIGHT" gen gen:random,m=300,n=500,mean=4 -o wide.mtx
    cat >loop.py <<'END'
import sys
rows = [line.split() for line in open(sys.argv[1]) if not line.startswith('%')]
m, n = int(rows[0][0]), int(rows[0][1])
entries = sorted((int(r[0]) - 1, int(r[1]) - 1) for r in rows[1:])
def runs(lines, k, parts):
    count = [0] * lines
    for e in entries:
        count[e[k]] += 1
    part, before = [], 0
    for c in count:
        part.append(min(parts - 1, int((before + before + c) / 2 / (len(entries) / parts))))
        before += c
    return part
for parts, p in ((2, 2), (6, 3), (16, 4), (60, 10)):
    q = parts // p
    row, col = runs(m, 0, p), runs(n, 1, q)
    x, y = [set() for _ in range(n)], [set() for _ in range(m)]
    for i, j in entries:
        part = row[i] * q + col[j]
        x[j].add(part)
        y[i].add(part)
    def owner(holders, line, lines):
        if m == n:
            return row[line] * q + col[line]
        if not holders:
            return line * parts // lines
        return min(holders, key=lambda part: (part - line) % parts)
    sends = {}
    expand = fold = 0
    for j in range(n):
        for to in x[j] - {owner(x[j], j, n)}:
            expand += 1
            sends[owner(x[j], j, n)] = sends.get(owner(x[j], j, n), 0) + 1
    for i in range(m):
        for source in y[i] - {owner(y[i], i, m)}:
            fold += 1
            sends[source] = sends.get(source, 0) + 1
    print([parts, expand + fold, expand, fold, max(sends.values())])
END
    for name in square wide; do
        "$SPARSIGHT" report --format=json --parts=2,6,16,60 --partition=blocks $name.mtx |
            jq -c '.matrices[0].distribution.partitions[] | [.parts, .volume, .expand, .fold, .largest_send]' >out
        "${PYTHON:-python3}" loop.py $name.mtx | tr -d ' ' | diff - out
    done
}

# By numpy and scipy.io.mmread: owner = arange(m) * P // m, or the part of the middle of a row's entries; pairs = set of
# (owner of row, column) whose column has another owner. DFL001 is not square: x is divided into equal runs.
@test "numbers of real matrices are those of scipy" {
    local matrices=${SPARSIGHT_MATRICES:-$SRCDIR/../shared/matrices}
    [ -d "$matrices" ] || skip "no real matrices"
    for name in DFL001_A wiki-Vote; do
        "$SPARSIGHT" report --format=json --parts=2,16,100 --partition=natural,entries "$matrices/$name.mtx.gz" | numbers
    done | tr -d '"' >out
    diff out - <<'END'
[natural,2,9862,5017,2,1,17888,18206]
[natural,16,30627,2174,240,15,33472,2532]
[natural,100,34559,555,9504,99,35280,568]
[entries,2,9879,4980,2,1,17906,17818]
[entries,16,30643,1975,240,15,33502,2267]
[entries,100,34567,385,9539,99,35272,388]
[natural,2,1195,951,2,1,23745,75586]
[natural,16,14292,1683,239,15,83003,14053]
[natural,100,48166,1291,7933,99,98059,5186]
[entries,2,1509,1295,2,1,26903,51874]
[entries,16,16856,1635,238,15,84388,6633]
[entries,100,55051,946,8183,99,98503,1357]
END
}

@test "a network and a kernel's time predict how a product scales" {
    "$SPARSIGHT" report --limit=8M --format=json --kernels=cpu/csr-omp --parts=1..16 --partition=natural --network=latency=3,bandwidth=8 \
        gen:laplace2d,n=60 >out
    jq -e '.matrices[0].distribution | .network == {latency_us: 3, bandwidth_gbs: 8, assumed: false, node: 1, near_latency_us: null,
            near_bandwidth_gbs: null, crowd: null, memory_crowd: null, profile: null, date: null} and .single_us > 0 and
        (.kernel | startswith("cpu/")) and ([.partitions[].parts] == [1, 2, 4, 8, 16])' out
    # A middle strip receives two lines of 60 elements in two messages. It packs as many, and has 120 boundary rows, of less than
    # 0.1 us each.
    jq -e '.matrices[0].distribution | .single_us as $t | .partitions[4] |
        ((.exchange_us - (6 + 120 * 8 / 8000)) | fabs < 1e-9) and
        ((.compute_us - $t * .most_entries / 17760) | . > 0 and . < 12) and .predicted_us >= .overlap_us and
        ((.speedup - $t / .predicted_us) | fabs < 1e-9) and ((.efficiency - .speedup / 16) | fabs < 1e-9)' out
    "$SPARSIGHT" report --limit=8M --kernels=cpu/csr-omp --parts=1..16 --partition=natural gen:laplace2d,n=60 >out
    grep -q '^Scaling over parts' out
    tr -s ' \n' '  ' <out | tr -s ' ' | grep -q 'both assumed: --network'
    grep -qE 'natural: a product is fastest with [0-9]+ part' out
    grep -q '^Scaling over parts  *compute  *exchange .*eff\.' out
    # Messages that take a second always exceed the product, and messages that take no time never do.
    "$SPARSIGHT" report --parts=1..16 --partition=natural --network=latency=1e6 gen:laplace2d,n=60 >out
    grep -q 'natural: with 2 parts exchanging takes longer than computing' out
    "$SPARSIGHT" report --parts=1..16 --partition=natural --network=latency=0,bandwidth=1e6 gen:laplace2d,n=60 >out
    tr -s ' \n' ' ' <out | grep -q 'natural: computing takes longer than exchanging with all these numbers of parts'
}

# The halo of an n x n grid in two strips is a line of n elements, with 8 bytes for each of eight vectors, or 16 if they
# are complex.
@test "the values of all vectors are exchanged, real and complex" {
    "$SPARSIGHT" report --format=json --parts=2 --partition=natural --network=latency=0,bandwidth=1 --columns=8 gen:laplace2d,n=12 >eight.json
    jq -e '.matrices[0].distribution | .single_us > 0 and (.partitions[0].exchange_us - 12 * 8 * 8 / 1000 | fabs < 1e-9)' eight.json
    python3 - <<'END' >c.mtx
print("%%MatrixMarket matrix coordinate complex symmetric\n144 144 408")
for k in range(144):
    print(k + 1, k + 1, 4, 1)
    for other in ([k + 1] if k % 12 < 11 else []) + ([k + 12] if k < 132 else []):
        print(other + 1, k + 1, -1, 0)
END
    "$SPARSIGHT" report --format=json --parts=2 --partition=natural --network=latency=0,bandwidth=1 c.mtx >c.json
    jq -e '.matrices[0].distribution | .single_us > 0 and (.partitions[0].exchange_us - 12 * 16 / 1000 | fabs < 1e-9)' c.json
}

@test "partitions come from files, and refusals have the reason" {
    printf '1\n1\n2\n' >parts.txt
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 1\n2 3 1\n3 2 1\n3 3 1\n' >three.mtx
    "$SPARSIGHT" report --format=json --parts=7 --partition=file:path=parts.txt,base=1 three.mtx >out
    [ "$(numbers out)" = '["file",2,2,1,2,1,2,2]' ]
    [ "$(jq -r '.matrices[0].distribution.partitions[0].file' out)" = parts.txt ]
    run "$SPARSIGHT" report --parts=2 --partition=file:path=absent.txt three.mtx
    [ "$status" -eq 1 ]
    [[ $output == *"absent.txt: No such file"* ]]
    printf '1\n' >parts.txt
    run "$SPARSIGHT" report --parts=2 --partition=file:path=parts.txt three.mtx
    [ "$status" -eq 1 ]
    [[ $output == *"parts.txt: it lists the parts of 1 row"*"the matrix has 3"* ]]
    "$SPARSIGHT" report --format=json --parts=2 --partition=metis gen:random,m=30,n=40,mean=3 >out
    jq -e '.matrices[0].distribution.partitions[0] | .volume == null and (.refused | length > 5)' out
    jq -e '.matrices[0].distribution == null' <("$SPARSIGHT" report --format=json three.mtx)
}

# In the order of a partition, runs of rows with the sizes of its parts have its communication.
@test "the order of a partition makes its parts contiguous" {
    "$SPARSIGHT" gen gen:laplace2d,n=12 -o grid.mtx
    for k in $(seq 0 143); do echo $((k * k % 7)); done >seven.part
    sort -n seven.part >sorted.part
    "$SPARSIGHT" report --format=json --parts=2 --partition=file:path=seven.part grid.mtx | numbers >expected
    "$SPARSIGHT" convert --reorder=parts:partition=file:path=seven.part grid.mtx ordered.mtx
    "$SPARSIGHT" report --format=json --parts=2 --partition=file:path=sorted.part ordered.mtx | numbers >out
    diff expected out
    "$SPARSIGHT" report --format=json --parts=2 --partition=file:path=sorted.part grid.mtx | numbers >out
    ! cmp -s expected out || false
    "$SPARSIGHT" report --format=json --reorder=parts:partition=entries,parts=4 grid.mtx >out
    jq -e '.matrices | map(.order | select(.name == "parts")) | .[0] | .params.parts == 4 and .partition == "entries"
        and .file == null and .apply == "symmetric"' out
}

@test "wrong options of parts are refused" {
    local word
    for word in --parts=0 --parts=8..2 --parts=2, --parts=70000 --parts=two --partition=metid --network=speed=3 --partition=natural; do
        run "$SPARSIGHT" report "$word" three.mtx
        echo "$word: $output"
        [ "$status" -eq 2 ]
    done
}

# As a system kills it if memory is short. The child of the program is METIS: nothing else runs apart here.
@test "METIS that is killed during a partition costs that partition, and the report goes on" {
    need jq
    grep -q "define HAVE_METIS 1" "$BUILDDIR/config.h" || skip "METIS is not in this build"
    local pid child=
    "$SPARSIGHT" report --only=matrix --parts=48 --partition='entries metis natural' --format=json gen:stencil27,n=44 >out 2>err &
    pid=$!
    until [ -n "$child" ] || ! kill -0 $pid 2>/dev/null; do
        child=$(cat /proc/$pid/task/*/children 2>/dev/null) || true
    done
    kill -KILL $child
    wait $pid
    jq -c '.matrices[0].distribution.partitions[] | [.partition, .refused, .volume]' out
    jq -e '[.matrices[0].distribution.partitions[] | select(.partition | test("metis"))] | length == 1
        and .[0].refused == "METIS was killed, as systems do if memory is short"' out
    jq -e '[.matrices[0].distribution.partitions[] | select(.volume > 0 and .refused == null)] | length == 2' out
}
