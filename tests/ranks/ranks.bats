#!/usr/bin/env bats
# sparsight-mpi, and the unit tests of src/ranks, under mpirun: units with 1, 2 and 5 ranks, reports with up to 5.

load ../support/helper
load ../support/ranks

setup() {
    need_ranks
    cd "$BATS_TEST_TMPDIR"
}

# each UNIT [ARGUMENT]...: run a unit test with each number of ranks. Every rank runs each of its tests.
each() {
    local count unit=$1
    shift
    [ -x "$BUILDDIR/tests/ranks/$unit" ] || skip "no cmocka"
    for count in 1 2 5; do
        echo "# $count ranks"
        ranks "$count" "$BUILDDIR/tests/ranks/$unit" "$@" >out 2>err || { cat out err; return 1; }
        [ "$(grep -c '^ok' out)" -ge "$count" ]
    done
}

@test "collective functions of ranks, and shares of a matrix" {
    each share
}

@test "ranks read the matrix of one process, and report its errors" {
    each read
}

@test "ranks compare their files of one name" {
    each same
}

@test "ranks measure the messages between them" {
    each network
}

# If too many programs share this machine, measuring is refused with that message, and the test writes a profile.
@test "a measured network is kept, and used for later predictions" {
    need jq
    export XDG_CACHE_HOME=$PWD/cache
    mkdir -p cache/sparsight/networks
    sparsight_mpi 1 report --network=measure
    [ "$status" -eq 1 ]
    [ "$(grep -c "mpirun -n 2 sparsight-mpi report --network=measure" err)" -eq 1 ]
    sparsight report --network=measure --parts=2 gen:laplace2d,n=30
    [ "$status" -eq 2 ]
    grep -q "is for ranks: 'mpirun -n 2 sparsight-mpi" err
    sparsight_mpi 2 report --network=measure:../x
    [ "$status" -eq 2 ]
    sparsight_mpi 2 report --network=measure
    show
    if [ "$status" -eq 0 ]; then
        grep -q '^sparsight-mpi: network of 2 ranks on 1 node: latency=2,bandwidth=12,node=2,near-latency=[0-9.e-]*,near-bandwidth=[0-9.]*\(,crowd=[0-9.]*\)\?,memory-crowd=[0-9.]*; kept in ' err
        [ "$(ls cache/sparsight/networks | wc -l)" -eq 1 ]
        SPARSIGHT_PROCESSOR= sparsight report --format=json --parts=2 gen:laplace2d,n=30
        jq -e '.matrices[0].distribution.network | .node == 2 and .assumed == false and .profile != null and .date != null
            and .near_latency_us > 0' out
        sparsight_mpi 2 report --format=json --network=measure:mine --parts=2 gen:laplace2d,n=30
        jq -e '.matrices[0].distribution.network.profile == "mine"' out
    else
        grep -qE 'more ranks than processors|implausible' err
    fi
    printf 'date = 2026-01-31 14:05 UTC\nranks = 4\nnodes = 2\nnode = 2\nlatency = 5\nbandwidth = 1\nnear latency = 0.5\nnear bandwidth = 4\ncrowd = 1.25\nmemory crowd = 1.5\n' \
        >cache/sparsight/networks/other
    sparsight report --parts=2..8 --partition=natural --network=other gen:laplace2d,n=300
    show
    [ "$status" -eq 0 ]
    tr -s ' \n' ' ' <out >words
    grep -q '2 processes share a node, and its memory: messages within it take 0.5 us and 4 GB/s.' words
    grep -q 'While all 2 compute, each takes 1.25 times as long in its own caches as one alone, and at most 1.5 times with a matrix in memory.' words
    grep -q 'The network was measured on 2026-01-31 14:05 UTC, kept as other.' words
    sparsight report --format=json --parts=2,4 --partition=natural --network=other gen:laplace2d,n=300
    # One line of 300 elements within the node. From 4 parts on, inner parts have one neighbour on each side.
    jq -e '[.matrices[0].distribution.partitions[].exchange_us] | (.[0] - (0.5 + 0.6) | fabs) < 1e-6
        and (.[1] - (0.5 + 0.6 + 5 + 2.4) | fabs) < 1e-6' out
    sparsight_mpi 3 report --format=json --parts=2,4 --partition=natural --network=other gen:laplace2d,n=300
    jq -e '[.matrices[0].distribution.partitions[].exchange_us] | (.[0] - (0.5 + 0.6) | fabs) < 1e-6
        and (.[1] - (0.5 + 0.6 + 5 + 2.4) | fabs) < 1e-6' out
    sparsight report --parts=2 --network=absent gen:laplace2d,n=3
    [ "$status" -ne 0 ]
    grep -q 'the kept networks are .*other' err
    # Times over ranks are shown beside the predictions, which use the time of one rank.
    sparsight_mpi 2 report --format=json --parts=2,4 --partition='natural entries' --network=other --threads=1 --repeat=3 \
        --kernels='cpu/csr-omp' gen:laplace2d,n=300
    show
    jq -e '.matrices[0] | (.kernels | map({(.ranks.partition): .time_us}) | add) as $times | .distribution | .kernel == "cpu/csr-omp"
        and all(.partitions[]; if .parts == 2 then (.measured_us - $times[.partition] | fabs) < 1e-3
            and (.prediction_error - (.overlap_us / .measured_us - 1) | fabs) < 1e-3
            else .measured_us == null and .prediction_error == null end)' out
    cp out measured.json
    sparsight report --results=measured.json
    show
    tr -s ' \n' ' ' <out >words
    grep -q 'messages within it take 0.5 us and 4 GB/s.' words
    grep -qE 'measured +error' out
}

@test "files of other programs, of every format, are read by ranks as by one process" {
    local file files=()
    for file in "$SRCDIR"/tests/matrix/foreign/* "$SRCDIR"/data/*.mtx "$SRCDIR"/data/*.mtx.gz; do
        case $file in *.py) ;; *) files+=("$file") ;; esac
    done
    [ "${#files[@]}" -ge 50 ]
    each read "${files[@]}"
}

@test "real matrices are read by ranks as by one process" {
    need_matrices
    [ -x "$BUILDDIR/tests/ranks/read" ] || skip "no cmocka"
    ranks 3 "$BUILDDIR/tests/ranks/read" "$matrices"/*.gz >out 2>err || { cat out err; return 1; }
    [ "$(grep -c '^ok' out)" -eq 3 ]
}

@test "a rank needs at most one and a half times its share, and its buffers" {
    local count name
    [ -x "$BUILDDIR/tests/ranks/memory" ] || skip "no cmocka"
    "$SPARSIGHT" gen random,m=500000,mean=10 -o large.mtx # 5,000,000 entries
    gzip -1 -k large.mtx
    # A single rank must not store its share twice, and one of several neither the whole matrix nor the file.
    while read -r count name; do
        ranks "$count" "$BUILDDIR/tests/ranks/memory" "$name" >out 2>err </dev/null || { cat out err; return 1; }
        grep '^# rank' out
        [ "$(grep -c '^ok' out)" -eq "$count" ]
    done <<'END'
1 gen:random,m=500000,mean=20
4 gen:random,m=500000,mean=20
4 large.mtx
4 large.mtx.gz
END
}

@test "partitions over ranks, and their communication" {
    each parts
}

@test "orders of a matrix over ranks" {
    each orders
}

@test "ranks transpose what they have loaded" {
    each transpose
}

@test "ranks convert their rows into storage formats" {
    each convert
}

@test "files that ranks write together" {
    each write
}

@test "products over ranks, and their plan" {
    each product
}

@test "products of devices over ranks" {
    each devices
}

@test "ranks find the numbers of one process, bit for bit" {
    each sums
}

# without FILE: a JSON report without its origin, without the keys of ranks (their threads, and the distribution of
# rows), and without sss and dense blocks, which ranks refuse, since no rank has all entries. Sentences about
# peculiarities are compared separately. Each process tries whether gathers or single loads are faster, and may find another answer.
without() {
    jq --sort-keys 'del(.host.threads, .date, .command) | .host.instruction_set |= sub("-loads$"; "") | .matrices[] |= (del(.ranks, .dense_blocks, .portrait)
        | .notes |= map(select(startswith("the dense blocks: unavailable") | not))
        | walk(if type == "array" then map(select((type == "object" and .format == "sss") | not)) else . end))' "$1"
}

# Reports of real matrices of several file formats, of generated ones, and of small files: symmetric ones of each kind,
# with duplicates and explicit zeros, without entries, with fewer rows than ranks.
@test "the report of any number of ranks is that of one process" {
    need jq
    local count matrix inputs=(gen:stencil27,n=6 gen:powerlaw,scale=8 gen:random,m=300,n=200,mean=3,spread=3)
    printf '%%%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n1 1 2\n2 1 -1.5\n4 3 1e-3\n4 4 0\n3 3 7\n' >symmetric.mtx
    printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 3\n3 1 -1\n' >skew.mtx
    printf '%%%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 2 0\n2 1 1 -1\n3 2 0 4\n' >hermitian.mtx
    printf '%%%%MatrixMarket matrix coordinate integer general\n2 3 4\n1 1 1\n1 1 2\n2 3 5\n2 3 -5\n' >twice.mtx
    printf '%%%%MatrixMarket matrix coordinate pattern general\n1 7 2\n1 2\n1 7\n' >row.mtx
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 0\n' >none.mtx
    inputs+=(symmetric.mtx skew.mtx hermitian.mtx twice.mtx row.mtx none.mtx "$SRCDIR/data/pmpp.mtx")
    for matrix in west0067.tar.gz mhd1280a.tar.gz wiki-Vote.mtx.gz rajat01.mtx.gz; do
        matrix=${SPARSIGHT_MATRICES:-$SRCDIR/../shared/matrices}/$matrix
        if [ -f "$matrix" ]; then inputs+=("$matrix"); fi
    done
    sparsight report --format=json --structure --precision=f64,f32 "${inputs[@]}"
    [ "$status" -eq 0 ]
    jq -e --argjson n "${#inputs[@]}" '.matrices | length == $n and all(.ranks == null)' out
    without out >one
    jq '[.matrices[].portrait]' out >sentences
    for count in 1 2 5; do
        sparsight_mpi "$count" report --format=json --structure --precision=f64,f32 "${inputs[@]}"
        show
        [ "$status" -eq 0 ]
        # A sentence on blocks, of one process or of ranks, may replace the last one. All other sentences are equal.
        jq -e --slurpfile one sentences 'def others: map(select(test("blocks|Consecutive rows") | not));
            [$one[0], [.matrices[].portrait]] | transpose | all(map(others) | ([.[] | length] | min) as $n
            | .[0][:$n] == .[1][:$n] and all(length <= $n + 1))' out
        jq -e --argjson n "$count" '.matrices[].ranks | .count == $n and .least_rows <= .most_rows
            and .least_entries <= .most_entries and .most_memory > 1000000' out
        without out | diff one - >differences || { head -40 differences; return 1; }
    done
}

# Small matrices: symmetric, rectangular with an empty row, all entries in one row, with entries of all ranks. Times of
# ordering and of moving entries, and the numbers of products that pay them off, are those of each run.
@test "any number of ranks reports the orders of one process" {
    need jq
    local count options inputs=(symmetric.mtx wide.mtx "one row.mtx" gen:powerlaw,scale=6)
    options=(--format=json --structure --parts=2 --reorder=rcm,length --reorder='components:apply=each random:apply=columns' --reorder=file:path=order.txt,apply=rows)
    printf '%%%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n1 1 2\n2 1 -1.5\n4 3 1e-3\n4 4 0\n3 3 7\n' >symmetric.mtx
    printf '%%%%MatrixMarket matrix coordinate integer general\n4 6 5\n1 1 1\n1 6 2\n4 2 5\n4 3 -5\n1 3 9\n' >wide.mtx
    printf '%%%%MatrixMarket matrix coordinate real general\n4 4 4\n3 4 1\n3 2 2\n3 3 3\n3 1 4\n' >"one row.mtx"
    printf '4\n2\n1\n3\n' >order.txt
    untimed() {
        without "$1" | jq 'walk(if type == "object" then del(.order_us, .reorder_us, .permute_us, .break_even)
            | if (.change | type) == "string" then .change |= sub("from [0-9,]+ products on"; "") else . end else . end)'
    }
    sparsight report "${options[@]}" "${inputs[@]:0:3}"
    [ "$status" -eq 0 ]
    untimed out >one
    jq '[.matrices[].order.name]' out >names
    grep -v '^$' err >said || true
    for count in 1 2 3 5; do
        sparsight_mpi "$count" report "${options[@]}" "${inputs[@]:0:3}"
        show
        [ "$status" -eq 0 ]
        untimed out | diff one - >differences || { head -40 differences; return 1; }
        diff said err
    done
    jq -e 'index("rcm") and index("components") and index("file") and index("natural")' names
    grep -q 'wide.mtx: not in the order rcm: rcm orders the graph of A + A^T' said
    # A file with the order of another matrix is an error.
    sparsight_mpi 3 report --reorder=file:path=order.txt gen:powerlaw,scale=6
    [ "$status" -eq 1 ]
    [ "$(grep -c 'order.txt: it has 4 indices; the matrix has 64 lines' err)" -eq 1 ]
    # Kernels are timed in each order.
    sparsight_mpi 3 report --format=json --repeat=3 --kernels=cpu/csr-omp --reorder=rcm gen:powerlaw,scale=6
    jq -e '[.matrices[].order.name] == ["natural", "rcm"]
        and all(.matrices[]; .kernels | length == 1 and .[0].ranks.count == 3 and .[0].time_us > 0 and .[0].max_error < 1e-12)' out
}

# One process reads the ranks' permutation from a file and reports the same numbers. The fill is counted again by eliminating
# row after row.
@test "nested dissection by PT-Scotch over ranks" {
    need jq
    local count matrix
    grep -q 'define HAVE_PTSCOTCH' "$BUILDDIR/config.h" || skip "built without PT-Scotch"
    "$SPARSIGHT" gen laplace2d,n=20 -o mesh.mtx
    "$SPARSIGHT" gen random,m=200,n=200,mean=2,spread=2 -o lopsided.mtx
    # The second case without the name of its order, its times, and all that depends on these.
    second() {
        without "$1" | jq '.matrices[1] | del(.order, .advice) | walk(if type == "object" then del(.order, .order_us, .reorder_us, .permute_us, .break_even, .change) else . end)'
    }
    for matrix in mesh lopsided; do
        for count in 1 2 3 5; do
            rm -f list ordered.mtx
            sparsight_mpi "$count" convert --reorder=ptscotch --permutation=list "$matrix.mtx" ordered.mtx
            [ "$status" -eq 0 ]
            tail -n +4 list | sort -n | cmp - <(seq "$(tail -n +4 list | wc -l)")
            sparsight_mpi "$count" report --format=json --structure --parts=4 --partition=natural --reorder=ptscotch "$matrix.mtx"
            show
            [ "$status" -eq 0 ]
            jq -e '.matrices[1].order.name == "ptscotch"' out
            second out >many
            [ "$(jq '.cholesky.entries' many)" = "$(awk '/^%/ { next } !n { n = $1; next }
                { i = $1 + 0; j = $2 + 0; if (i != j) { lower = i > j ? j : i; upper = i > j ? i : j; filled[lower, upper] = 1; below[lower] = below[lower] " " upper } }
                END { for (v = 1; v <= n; v++) { count++; split("", one); m = 0; k = split(below[v], all, " ")
                      for (a = 1; a <= k; a++) if (!(all[a] in one)) { one[all[a]]; list[++m] = all[a] + 0 }
                      count += m
                      for (a = 1; a <= m; a++) for (b = 1; b <= m; b++) if (list[a] < list[b] && !((list[a], list[b]) in filled)) {
                          filled[list[a], list[b]] = 1; below[list[a]] = below[list[a]] " " list[b] } }
                    print count }' ordered.mtx)" ]
            sparsight report --format=json --structure --parts=4 --partition=natural --reorder=file:path=list "$matrix.mtx"
            second out | diff - many >differences || { head -40 differences; return 1; }
        done
    done
    # The refusal by one process names the command with ranks.
    sparsight report --reorder=ptscotch mesh.mtx
    [ "$status" -eq 0 ]
    grep -q 'mesh.mtx: not in the order ptscotch: it needs ranks: mpirun -n 8 sparsight-mpi report --reorder=ptscotch; nd is ' err
    sparsight_mpi 2 report --reorder=ptscotch gen:random,m=3,n=4,mean=2
    [ "$status" -eq 0 ]
    grep -q 'ptscotch orders the graph of A + A^T, which needs a square matrix' err
}

# Rectangles, symmetric and Hermitian files, duplicates, a packed file and one that rank 0 reads whole. Volumes are
# counted again from the entries of A.
@test "any number of ranks reports the transposed matrix of one process" {
    need jq
    local count options inputs=(gen:random,m=300,n=200,mean=3,spread=3 symmetric.mtx hermitian.mtx twice.mtx packed.mtx.gz
        "$SRCDIR/tests/matrix/foreign/real-v7.mat")
    options=(--format=json --transpose --structure --carry=4K --parts=2..8,3 --partition=natural)
    printf '%%%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n1 1 2\n2 1 -1.5\n4 3 1e-3\n4 4 0\n3 3 7\n' >symmetric.mtx
    printf '%%%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 2 0\n2 1 1 -1\n3 2 0 4\n' >hermitian.mtx
    printf '%%%%MatrixMarket matrix coordinate integer general\n2 3 4\n1 1 1\n1 1 2\n2 3 5\n2 3 -5\n' >twice.mtx
    "$SPARSIGHT" gen random,m=300,n=200,mean=3,spread=3 -o plain.mtx
    "$SPARSIGHT" gen powerlaw,scale=7 -o packed.mtx
    gzip packed.mtx
    sparsight report "${options[@]}" "${inputs[@]}"
    [ "$status" -eq 0 ]
    jq -e --argjson n "${#inputs[@]}" '.matrices | length == $n and all(.source.transposed) and .[0].rows == 200' out
    without out >one
    # counted PARTS: elements that parts of equally many rows of A^T receive. Part p has rows j of A^T with p = j PARTS / n.
    counted() {
        awk -v parts="$1" '/^%/ { next } !n { m = $1; n = $2; next }
            { i = $1 - 1; j = $2 - 1; to = int(j * parts / n); from = int(i * parts / m)
              if (to != from && !((to, i) in seen)) volume++; seen[to, i] = 1 } END { print volume + 0 }' plain.mtx
    }
    for count in 1 2 3 5; do
        sparsight_mpi "$count" report "${options[@]}" "${inputs[@]}"
        show
        [ "$status" -eq 0 ]
        without out | diff one - >differences || { head -40 differences; return 1; }
        [ "$(jq -c '[.matrices[0].distribution.partitions[] | [.parts, .volume]]' out)" = "[[2,$(counted 2)],[4,$(counted 4)],[8,$(counted 8)],[3,$(counted 3)]]" ]
    done
    # Orders and products are those of A^T; A^T of A^T is A.
    sparsight_mpi 3 report --format=json --repeat=3 --transpose --product=At --kernels=cpu/csr-omp --reorder=length plain.mtx
    show
    jq -e 'all(.matrices[]; .name == "plain^T" and .rows == 200 and .cols == 300 and (.kernels[0] | .unavailable == null and .max_error < 1e-12))' out
    sparsight_mpi 3 report --transpose absent.mtx
    [ "$status" -eq 1 ]
    [ "$(grep -c 'absent.mtx: No such file' err)" -eq 1 ]
}

# Ranks have times for the same formats as one process, in each order. All other numbers are equal.
@test "any number of ranks builds the formats of one process" {
    need jq
    local count options inputs=(gen:random,m=300,n=200,mean=3,spread=3 hermitian.mtx none.mtx gen:banded,n=400)
    options=(--format=json --convert=all,sell:c=2 --convert=bsr:size=3 --precision=f64,f32 --reorder=length)
    printf '%%%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 2 0\n2 1 1 -1\n3 2 0 4\n' >hermitian.mtx
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 0\n' >none.mtx
    # Advice and the times of orders depend on the run.
    untimed() {
        without "$1" | jq '.matrices[] |= (del(.advice, .order.order_us, .order.reorder_us, .order.permute_us)
            | .formats |= map(.convert_us |= (. != null)))'
    }
    sparsight report "${options[@]}" "${inputs[@]}"
    [ "$status" -eq 0 ]
    untimed out >one
    jq -e '[.matrices[].formats[] | select(.convert_us)] | length > 100' one
    for count in 1 3; do
        sparsight_mpi "$count" report "${options[@]}" "${inputs[@]}"
        show
        [ "$status" -eq 0 ]
        untimed out | diff one - >differences || { head -40 differences; return 1; }
    done
    # Each rank builds the rows that it has; formats that are not requested only have sizes.
    sparsight_mpi 2 report --format=json --convert=sell gen:stencil27,n=22
    jq -e '.matrices[0] | .nnz > 200000 and ([.formats[] | select(.convert_us != null).format] == ["sell"])' out
    sparsight_mpi 2 report --convert=sell gen:stencil27,n=22
    [ "$(grep -ic 'conversions' out)" -eq 0 ]
}

# Data that reports carry for readers without the matrix, and the owners, are compared, too.
@test "any number of ranks reports the communication of parts like one process" {
    need jq
    local count matrix options inputs=(gen:stencil27,n=7 gen:random,m=300,n=200,mean=3,spread=3 "$SRCDIR/data/pmpp.mtx")
    options=(--format=json --carry=200K --parts=1..32,5 --network=latency=3,bandwidth=8)
    printf '%%%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n1 1 2\n2 1 -1.5\n4 3 1e-3\n4 4 0\n3 3 7\n' >symmetric.mtx
    matrix=${SPARSIGHT_MATRICES:-$SRCDIR/../shared/matrices}/DFL001_A.mtx.gz
    if [ -f "$matrix" ]; then inputs+=("$matrix"); fi
    sparsight report "${options[@]}" "${inputs[@]}" symmetric.mtx
    [ "$status" -eq 0 ]
    jq -e 'all(.matrices[]; .distribution.partitions | length >= 14)
        and ([.matrices[0].distribution.partitions[].carried] | length > 0 and all(. != null))' out
    without out >one
    for count in 1 2 5; do
        sparsight_mpi "$count" report "${options[@]}" "${inputs[@]}" symmetric.mtx
        show
        [ "$status" -eq 0 ]
        without out | diff one - >differences || { head -40 differences; return 1; }
    done
    printf '2\n1\n2\n2\n' >parts.txt
    sparsight_mpi 3 report --format=json --parts=2 --partition=file:path=parts.txt,base=1,ptscotch symmetric.mtx
    jq -e '.matrices[0].distribution.partitions | length == 2 and .[0].volume == 2 and .[0].file == "parts.txt"
        and (.[1] | .volume >= 0 or (.refused | test("install")))' out
    # Zoltan's volumes are those of the report; kernels do not run in 2D.
    for count in 1 3; do
        sparsight_mpi "$count" report --format=json --parts=4 --partition=hypergraph,finegrain gen:random,m=300,n=200,mean=3
        jq -e '.matrices[0].distribution.partitions | length == 2 and all(.[]; (.refused // "" | test("install")) or
            (.volume > 0 and .volume < 300 and .volume == .expand + .fold and .imbalance < 1.1))' out
    done
    sparsight_mpi 1 report --format=json --kernels=none --parts=2 --partition=finegrain gen:dense,m=2049
    jq -e '.matrices[0].distribution.partitions[0].refused | test("at most 4194304|install")' out
    sparsight_mpi 2 report --format=json --kernels=cpu/csr-omp --partition=blocks symmetric.mtx
    grep -q 'products over ranks divide rows' out
    sparsight_mpi 2 report --format=json --kernels=cpu/csr-omp --partition=hypergraph gen:laplace2d,n=12
    jq -e '.matrices[0].kernels[0] | (.unavailable // "" | test("install")) or
        (.ranks.partition == "hypergraph" and .max_error < 1e-14)' out
    sparsight report --format=json --parts=2 --partition=hypergraph symmetric.mtx
    jq -e '.matrices[0].distribution.partitions[0].refused | test("needs ranks|install")' out
    sparsight report --format=json --parts=2 --partition=file:path=parts.txt,base=1 symmetric.mtx
    jq -e '.matrices[0].distribution.partitions[0].volume == 2' out
    sparsight_mpi 3 report --parts=2 --partition=file:path=absent.txt symmetric.mtx
    [ "$status" -eq 1 ]
    [ "$(grep -c 'absent.txt: No such file' err)" -eq 1 ]
    sparsight_mpi 2 report --network=latency=3 symmetric.mtx
    [ "$status" -eq 2 ]
}

@test "ranks convert a matrix to the file of one process" {
    local order files
    printf '%%%%MatrixMarket matrix coordinate real symmetric\n4 4 5\n1 1 2\n2 1 -1.5\n4 3 1e-3\n4 4 0\n3 3 7\n' >symmetric.mtx
    # convert_as COUNT OUT [ARGUMENT]...: compare the file of ranks, and the permutation if it is asked for.
    convert_as() {
        local count=$1 out=$2
        shift 2
        rm -f list
        sparsight convert "$@" "one.$out"
        [ "$status" -eq 0 ]
        [ ! -f list ] || mv list list.one
        sparsight_mpi "$count" convert "$@" "many.$out"
        show
        [ "$status" -eq 0 ]
        cmp "one.$out" "many.$out"
        [ ! -f list ] || cmp list list.one
    }
    convert_as 2 mtx symmetric.mtx
    convert_as 3 bin --to=petsc gen:powerlaw,scale=8
    convert_as 1 mtx --reorder=rcm gen:powerlaw,scale=8
    convert_as 5 bin --to=petsc --reorder=length symmetric.mtx
    convert_as 3 mtx --reorder=components:apply=each --permutation=list gen:powerlaw,scale=8
    [ -f list ]
    convert_as 2 mtx --transpose gen:random,m=30,n=20,mean=3
    convert_as 3 bin --to=petsc --transpose --reorder=length --permutation=list gen:random,m=30,n=20,mean=3
    convert_as 5 mtx --transpose symmetric.mtx
    # A rank that does not see the folder fails all; the old file stays, and nothing else.
    printf '#!/bin/sh\n[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != 1 ] || cd there\nexec "$@"\n' >apart
    chmod +x apart
    mkdir there
    rm -f out err
    files=$(ls -A . there)
    status=0
    ranks 3 ./apart "$BUILDDIR/sparsight-mpi" convert gen:laplace2d,n=60 many.mtx >out 2>err </dev/null || status=$?
    show
    [ "$status" -eq 1 ]
    [ "$(grep -c '^many.mtx: rank 1 cannot write to the file of rank 0: No such file or directory; all ranks need the same folder$' err)" -eq 1 ]
    cmp one.mtx many.mtx
    rm -f out err
    [ "$(ls -A . there)" = "$files" ]
    # What ranks do not write is refused before anything is read.
    sparsight_mpi 2 convert absent.mtx many.mtx.gz
    [ "$status" -eq 1 ]
    [ "$(grep -c '^many.mtx.gz: ranks do not write compressed files together' err)" -eq 1 ]
    sparsight_mpi 2 convert absent.mtx many.npz
    [ "$(grep -c "^many.npz: ranks write Matrix Market and PETSc files together, but not .*; 'sparsight convert' does that with one process$" err)" -eq 1 ]
    sparsight_mpi 2 convert symmetric.mtx -
    [ "$status" -eq 2 ]
    grep -q "'sparsight convert' writes to standard output" err
    grep -q "Try 'sparsight-mpi convert --help'" err
    sparsight_mpi 2 convert --spgemm symmetric.mtx many.mtx
    [ "$status" -eq 2 ]
    grep -q "unknown option '--spgemm': it is for 'sparsight report', without ranks" err
    sparsight_mpi 1 convert --reorder=rcm gen:random,m=3,n=4,mean=2 many.mtx
    [ "$status" -eq 1 ]
    grep -q '^gen:random,m=3,n=4,mean=2: rcm orders the graph' err
}

# A report as text or CSV without its origin, and without sss, which ranks refuse for another reason than one process.
body_of() {
    awk 'NR == 1 && /^(-| ) program: / { origin = 1 } !origin; /^$/ { origin = 0 }' "$1" | grep -vE 'sss|symmetric nor' |
        sed -E '/<article id="origin">/,/<\/article>/d; s/,report\.version,.*//; s/,[0-9.]+,[0-9]{4}-[0-9-]+T[0-9:]+Z,.*//' |
        awk '/<figure>/ { figure = "" ; within = 1 } within { figure = figure $0 "\n" } !within
            within && /<\/figure>/ { if (figure !~ /<title>blocks of/) printf "%s", figure; within = 0 }' # over ranks blocks are not known
}

@test "all forms of the report have the contents of one process" {
    local form
    for form in text markdown html csv; do
        sparsight report --format=$form gen:powerlaw,scale=8
        body_of out >one
        [ -s one ]
        sparsight_mpi 3 report --format=$form gen:powerlaw,scale=8
        [ "$status" -eq 0 ]
        grep -q 'sparsight-mpi report --format=' out # its origin
        # The ranks' report only adds lines about ranks.
        diff one <(body_of out) >differences || true
        [ "$(grep -c '^<' differences)" -eq 0 ]
        [ "$form" = csv ] || grep -q 'Ranks' differences
    done
}

@test "an error is reported once, on any number of ranks" {
    local count
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 3 1\n' >bad.mtx
    for count in 1 3; do
        sparsight_mpi "$count" report bad.mtx
        show
        [ "$status" -eq 1 ]
        [ "$(grep -c 'bad.mtx:4:3: ' err)" -eq 1 ]
        sparsight_mpi "$count" report --arrays=all bad.mtx
        [ "$status" -eq 2 ]
        [ "$(grep -c "unknown option '--arrays=all': it is for 'sparsight report', without ranks" err)" -eq 1 ]
        sparsight_mpi "$count" plot
        [ "$status" -eq 2 ]
        grep -q "'plot' is not a command of this program; its commands are report and convert" err
    done
}

@test "a file that cannot be written fails the ranks, which mpirun would not tell of its standard output" {
    [ -c /dev/full ] || skip "no /dev/full"
    sparsight_mpi 2 report -o /dev/full "$SRCDIR/data/pmpp.mtx"
    [ "$status" = 1 ]
    grep -q '^/dev/full: cannot write: No space left on device$' err
}

@test "standard input is read once, and distributed" {
    local count
    "$SPARSIGHT" gen laplace2d,n=300 -o stream.mtx
    # MPICH 4.0's Hydra fails with an assertion if a program reads more than a little from standard input.
    ranks 1 cat <stream.mtx 2>err | cmp -s - stream.mtx || skip "this mpirun does not pass on its standard input"
    for count in 1 3; do
        status=0
        ranks "$count" "$BUILDDIR/sparsight-mpi" report - <stream.mtx >out 2>err || status=$?
        show
        [ "$status" -eq 0 ]
        grep -q '^  Entries  *448,800$' out
    done
}

# Wait until this number of ranks of sparsight-mpi run with this word on their command line.
wait_for_ranks() { # wait_for_ranks COUNT WORD
    local tries
    for tries in $(seq 3000); do
        mapfile -t running < <(pgrep -f "^$BUILDDIR/sparsight-mpi report .*$2")
        [ "${#running[@]}" -eq "$1" ] && return 0
        sleep 0.1
    done
    return 1
}

# One of the running ranks has opened the file, so that all have passed the start of MPI. If a rank is killed before
# that, mpirun may hang for ever.
is_opened() { # is_opened WORD
    local rank
    for rank in "${running[@]}"; do
        ls -l "/proc/$rank/fd" 2>/dev/null | grep -q "$1" && return 0
    done
    return 1
}

@test "a rank that is killed ends all" {
    [ -d /proc/self/fd ] || skip "no /proc"
    local word=killed-$$.mtx job which tries named=
    python3 -c 'import os; os.close(os.open(".", os.O_RDWR | os.O_TMPFILE))' || named=yes
    mkfifo "$word"
    exec 9<>"$word"
    # Nobody writes to the pipe: rank 0 waits for it, and the others for rank 0. Each rank is killed once.
    for which in 0 1 2; do
        status=0
        SECONDS=0
        ranks 3 "$BUILDDIR/sparsight-mpi" report -o report.txt "$word" >out 2>err </dev/null 9>&- &
        job=$!
        wait_for_ranks 3 "$word"
        for tries in $(seq 3000); do
            is_opened "$word" && break
            sleep 0.1
        done
        is_opened "$word"
        kill -KILL "${running[$which]}"
        wait "$job" || status=$?
        show
        [ "$status" -ne 0 ]
        [ "$SECONDS" -lt 800 ] # no time limit was reached
        grep -qiE 'signal 9|KILLED BY SIGNAL: 9|exit code: 9|Killed|a non-zero exit code' err out
        wait_for_ranks 0 "$word"
        # Nothing of the report is left under any name, if the file system supports files without a name.
        rm -f out err
        [ -n "$named" ] || [ "$(ls -A)" = "$word" ]
    done
    exec 9>&-
}

@test "a rank without memory ends all, and says why once" {
    # The sanitizers of a build reserve more address space than the limit, and do not start.
    (ulimit -v 600000 && "$BUILDDIR/sparsight" --version) || skip "this build does not start in 600 MB of address space"
    printf '#!/bin/sh\n# The second rank gets less address space than its share needs.\nrank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\n[ "$rank" != 1 ] || ulimit -v "$KIB"\nexec "$@"\n' >limited
    chmod +x limited
    status=0
    # 12 bytes for each of 100,000,000 entries, on 3 ranks: 400 MB each.
    KIB=600000 ranks 3 ./limited "$BUILDDIR/sparsight-mpi" report gen:dense,m=10000 >out 2>err </dev/null || status=$?
    show
    [ "$status" -eq 1 ]
    [ "$(grep -c 'more than the limit of' err)" -eq 1 ]
}

@test "a file that some ranks lack, or have with other contents, ends all ranks with one error" {
    local which other
    mkdir -p here there
    printf '#!/bin/sh\n# One rank is in another folder.\n[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != "$WHICH" ] || cd ../there\nexec "$@"\n' >apart
    chmod +x apart
    "$SPARSIGHT" gen laplace2d,n=60 -o here/file.mtx
    # The same shape, number of entries and length, with another last value.
    sed '$s/.$/7/' here/file.mtx >changed.mtx
    [ "$(stat -c %s changed.mtx)" = "$(stat -c %s here/file.mtx)" ]
    [ "$(cmp changed.mtx here/file.mtx | wc -l)" -eq 1 ]
    "$SPARSIGHT" gen laplace2d,n=61 -o longer.mtx
    gzip <here/file.mtx >packed.mtx
    cd here
    for which in 0 1 2; do
        rm -rf ../there/file.mtx
        status=0
        WHICH=$which ranks 3 ../apart "$BUILDDIR/sparsight-mpi" report file.mtx >out 2>err </dev/null || status=$?
        show
        [ "$status" -eq 1 ]
        [ "$(grep -c '^file.mtx: No such file' err)" -eq 1 ]
        for other in longer changed packed; do
            [ "$which" = 1 ] || [ "$other" = changed ] || continue
            cp "../$other.mtx" ../there/file.mtx
            status=0
            WHICH=$which ranks 3 ../apart "$BUILDDIR/sparsight-mpi" report file.mtx >out 2>err </dev/null || status=$?
            show
            [ "$status" -eq 1 ]
            [ "$(grep -c 'reads another file of this name than rank 0 does' err)" -eq 1 ]
            [ "$which" = 0 ] || grep -q "^file.mtx: rank $which, on node " err
            [ "$(grep -c MPI_ERR err)" -eq 0 ]
        done
    done
    # A copy is the same file.
    cp file.mtx ../there/file.mtx
    WHICH=1 ranks 3 ../apart "$BUILDDIR/sparsight-mpi" report file.mtx >out 2>err </dev/null
    # Entries of a packed file are kept in a temporary file.
    gzip file.mtx
    printf '#!/bin/sh\nTMPDIR=$PWD/absent exec "$@"\n' >../without
    chmod +x ../without
    status=0
    ranks 3 ../without "$BUILDDIR/sparsight-mpi" report file.mtx.gz >out 2>err </dev/null || status=$?
    show
    [ "$status" -eq 1 ]
    [ "$(grep -c 'absent: no temporary file can be made here' err)" -eq 1 ]
}

@test "an HDF5 of another MPI is refused, and named" {
    command -v cc >cc.txt || skip "no C compiler"
    grep -q 'define HAVE_HDF5' "$BUILDDIR/config.h" || skip "built without HDF5"
    mkdir -p other
    printf 'int MPI_Barrier(void *all) { __builtin_trap(); }\n' >mpi.c
    printf 'extern int MPI_Barrier(void *); int H5open(void) { return MPI_Barrier(0); }\n' >hdf5.c
    cc -shared -fPIC -o other/libmpi_other.so mpi.c
    cc -shared -fPIC -o other/libhdf5.so hdf5.c -Lother -lmpi_other -Wl,-rpath,"$PWD/other"
    SPARSIGHT_HDF5=$PWD/other/libhdf5.so sparsight_mpi 2 report "$SRCDIR/tests/matrix/foreign/coo.bsp.h5"
    show
    [ "$status" -eq 1 ]
    [ "$(grep -c 'HDF5 is built with another MPI (.*/libmpi_other.so) than this program (.*libmpi.*SPARSIGHT_HDF5' err)" -eq 1 ]
    # The test uses the library itself, built for one MPI or for none.
    sparsight_mpi 2 report "$SRCDIR/tests/matrix/foreign/coo.bsp.h5"
    [ "$status" -eq 0 ]
}

@test "kernels over ranks: their times, by any partition, and kernels that cannot run" {
    need jq
    local count
    for count in 1 3; do
        sparsight_mpi "$count" report --format=json --repeat=3 --threads=1 --partition=natural \
            --kernels='cpu/csr-omp cpu/sell-omp petsc/csr' --precision=f32,f64 gen:laplace2d,n=30
        show
        [ "$status" -eq 0 ]
        jq -e --argjson n "$count" '.matrices[0].kernels | length == 6 and
            all(.[]; .unavailable != null or (.ranks.count == $n and .ranks.partition == "natural" and .time_us > 0)) and
            all(.[] | select(.backend == "cpu"); .unavailable == null and .ranks.link == "mpi" and .ranks.compute_us > 0)' out
        jq -e '.matrices[0].kernels[] | select(.backend == "petsc" and .precision == "f32") | .unavailable' out
    done
    # Kernels run with each of several partitions. An unsuitable partition only costs its own kernels.
    for count in 1 2 3 4 5 6 7 8 9; do echo "$((count % 2))"; done >two.txt
    sparsight_mpi 3 report --format=json --repeat=3 --kernels='cpu/csr-omp cpu/sell-omp' \
        --partition='natural file:path=two.txt entries' gen:laplace2d,n=3
    show
    [ "$status" -eq 0 ]
    jq -e '.matrices[0].kernels | [.[].ranks.partition] == ["natural", "natural", "file:path=two.txt", "file:path=two.txt", "entries", "entries"]
        and ([.[] | .unavailable == null and .time_us > 0] == [true, true, false, false, true, true])
        and (.[2].unavailable | test("2 parts, and there are 3 ranks"))' out
    sparsight_mpi 2 report --repeat=3 --kernels=cpu/csr-omp --partition='natural entries' gen:laplace2d,n=30
    [ "$status" -eq 0 ]
    [ "$(grep -cE '^.? *cpu/csr-omp by (natural|entries) ' out)" -eq 4 ] # in two tables
    # Kernels that did not run name their partition, too.
    sparsight_mpi 2 report --repeat=3 --kernels='cpu/csr-omp cpu/ell-omp' --limit=150M --partition='natural entries' gen:arrow,n=300000
    show
    grep -q '^! cpu/ell-omp by natural: ell would take ' out
    grep -q '^! cpu/ell-omp by entries: ell would take ' out
    [ "$(grep -c '^ *cpu/ell-omp by ' out)" -eq 0 ]
    sparsight_mpi 2 report --format=json --repeat=3 --kernels=cpu/ell-omp --limit=150M --partition='natural entries' gen:arrow,n=300000
    jq -e '.matrices[0].kernels | map(.unavailable != null and .ranks.count == 2) == [true, true]
        and [.[].ranks.partition] == ["natural", "entries"]' out
    # Ranks choose the k of HYB by the lengths of their own rows: 1 in the upper half, 5 in the lower one.
    awk 'BEGIN {
        print "%%MatrixMarket matrix coordinate pattern general\n120 120 360"
        for (i = 1; i <= 60; i++) print i, i
        for (i = 0; i < 60; i++) for (k = 0; k < 5; k++) print i + 61, (i + 7 * k) % 60 + 61
    }' >halves.mtx
    local kernels='cpu/hyb-omp cpu/hyb-omp:k=2 cpu/csr-omp'
    sparsight_mpi 2 report --format=json --repeat=1 --kernels="$kernels" --partition=natural halves.mtx
    jq -e '.matrices[0].kernels | [.[].ranks.params] == ["k=1..5", null, null] and (.[0].params | has("k") | not)
        and .[1].params.k == 2' out
    cp out halves.json
    sparsight_mpi 2 report --repeat=1 --kernels="$kernels" --partition=natural halves.mtx
    grep -q '^  cpu/hyb-omp: each rank chooses by its own rows: k=1..5$' out
    [ "$(grep -c 'each rank chooses' out)" -eq 1 ]
    sparsight report --results=halves.json
    grep -q '^  cpu/hyb-omp: each rank chooses by its own rows: k=1..5$' out
    sparsight_mpi 1 report --format=json --repeat=1 --kernels=cpu/hyb-omp halves.mtx
    jq -e '.matrices[0].kernels[0] | .params.k == 1 and .ranks.params == null' out
    # A pattern leaves out DIA, which would take 1 GiB on rank 0 alone.
    sparsight_mpi 2 report --format=json --repeat=1 --kernels='cpu/dia-o*' --convert=d* --partition=natural gen:arrow,n=16600
    jq -e '.matrices[0] | [.kernels[0].unavailable, (.formats[] | select(.format == "dia") | .refused)]
        | all(contains("only a pattern requests it"))' out
    # The advice is for the ranks; the forecasts are for one processor.
    sparsight_mpi 3 report --repeat=3 --threads=1 --kernels=cpu/csr-omp gen:laplace2d,n=30
    show
    [ "$status" -eq 0 ]
    tr -s ' \n' ' ' <out >words
    grep -q 'On 3 ranks with 1 thread each, take cpu/csr-omp with partition entries: [^(]* per product (measured)' words
    grep -q 'On this processor, take [^:]*: [^(]* per product (forecast' words
    sparsight_mpi 2 report --kernels=cpu/csr-omp --partition=file:path=none gen:laplace2d,n=3
    show
    [ "$status" -eq 1 ]
    [ "$(grep -c 'none' err)" -eq 1 ]
    sparsight_mpi 2 report --partition=natural gen:laplace2d,n=3
    [ "$status" -eq 2 ]
    grep -q -- '--partition is for kernels and for --parts' err
    # A^T is stored over the ranks, by any partition of its rows; every row of every product is checked.
    for count in 1 3; do
        sparsight_mpi "$count" report --format=json --repeat=3 --product=At --columns=2 --partition='entries natural' \
            --kernels='cpu/csr-omp cpu/sell-omp cpu/csr-seq' gen:random,m=300,n=200,mean=3
        show
        [ "$status" -eq 0 ]
        jq -e --argjson n "$count" '.matrices[0] | .rows == 300 and (.kernels | length == 6
            and all(.[]; .unavailable == null and .ranks.count == $n and .time_us > 0 and .max_error < 1e-12))' out
    done
    sparsight_mpi 2 report --repeat=3 --product=At --kernels=cpu/csr-omp --parts=2 --partition=natural gen:laplace2d,n=30
    [ "$status" -eq 0 ]
    grep -qi 'A^T' out
    # Another product has advice before any kernel ran.
    sparsight_mpi 2 report --columns=4 gen:laplace2d,n=3
    [ "$status" -eq 0 ]
    grep -q 'for Y = A X, 4 columns' out
    sparsight report --kernels=petsc/csr gen:laplace2d,n=3
    [ "$status" -eq 0 ]
    grep -q 'run sparsight-mpi' out
}

# Each single section has the numbers of one process, and the parts that are not reported cost nothing.
@test "--only and --timing over ranks" {
    need jq
    local section count query
    query='.matrices[0] | {structure, row_lengths, col_lengths, values, carried, formats: [.formats[] | {format, params, bytes, slots}], advice: (.advice | keys)}'
    for section in structure lengths values formats advice matrix; do
        "$SPARSIGHT" report --only=$section --format=json "$SRCDIR/data/powerlaw.mtx.gz" | jq "$query" >alone
        for count in 2 3; do
            ranks $count "$SPARSIGHT-mpi" report --only=$section --timing --format=json "$SRCDIR/data/powerlaw.mtx.gz" >out 2>err
            jq "$query" out >together
            diff alone together
            jq -e '.matrices[0].costs | all(.cpu_us >= 0 and .wall_us >= 0)' out
            jq -r '.matrices[0].costs[].part' out >parts
            [ "$(head -n 3 parts | tr '\n' ,)" = 'reading,row lengths,structure,' ]
            [ "$(sort parts | uniq -d)" = '' ]
            [ "$(grep -cx components parts)" -eq $([ $section = structure ] && echo 1 || echo 0) ]
            [ "$(grep -cx forecasts parts)" -eq $([ $section = advice ] && echo 1 || echo 0) ]
        done
    done
    ranks 2 "$SPARSIGHT-mpi" report --timing --kernels=cpu/csr-omp --repeat=1 --reorder=rcm --limit=64M gen:laplace2d,n=30 >out 2>err
    [ "$(grep -c '^Time of this report ' out)" -eq 2 ]
    [ "$(grep -c '^  timed kernels ' out)" -eq 2 ]
    [ "$(grep -c '^  reordering ' out)" -eq 1 ]
    ranks 2 "$SPARSIGHT-mpi" report --only=matrix --format=html gen:laplace2d,n=30 >out 2>err || status=$?
    grep -q -e '--only needs another format than html' err
}
