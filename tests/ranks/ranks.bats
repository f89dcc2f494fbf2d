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

@test "what ranks do together, and shares of a matrix" {
    each share
}

@test "what ranks read together is what one process reads, and so is what they say is wrong" {
    each read
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

@test "a rank holds its share, half as much again, and its buffers" {
    local count name
    [ -x "$BUILDDIR/tests/ranks/memory" ] || skip "no cmocka"
    "$SPARSIGHT" gen random,m=500000,mean=10 -o large.mtx # 5,000,000 entries
    gzip -1 -k large.mtx
    # One rank must not hold its share twice, and none of several the whole, or the file.
    while read -r count name; do
        ranks "$count" "$BUILDDIR/tests/ranks/memory" "$name" >out 2>err </dev/null || { cat out err; return 1; }
        grep '^# rank' out
        [ "$(grep -c '^ok' out)" -eq "$count" ]
    done <<'END'
1 gen:random,m=1000000,mean=20
4 gen:random,m=1000000,mean=20
4 large.mtx
4 large.mtx.gz
END
}

@test "partitions over ranks, and what they exchange" {
    each parts
}

@test "products over ranks, and their plan" {
    each product
}

@test "products of devices over ranks" {
    each devices
}

@test "what ranks find together is what one process finds, bit for bit" {
    each sums
}

# without FILE: a JSON report without what is of ranks: the threads of each, and how rows are spread.
without() {
    jq --sort-keys 'del(.host.threads) | .matrices[] |= del(.ranks)' "$1"
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
    sparsight report --format=json --precision=f64,f32 "${inputs[@]}"
    [ "$status" -eq 0 ]
    jq -e --argjson n "${#inputs[@]}" '.matrices | length == $n and all(.ranks == null)' out
    without out >one
    for count in 1 2 5; do
        sparsight_mpi "$count" report --format=json --precision=f64,f32 "${inputs[@]}"
        show
        [ "$status" -eq 0 ]
        jq -e --argjson n "$count" '.matrices[].ranks | .count == $n and .least_rows <= .most_rows
            and .least_entries <= .most_entries and .most_memory > 1000000' out
        without out | diff one - >differences || { head -40 differences; return 1; }
    done
}

# What is carried for those who have neither the matrix nor the owners is compared, too.
@test "what parts exchange is told by any number of ranks as by one process" {
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
    sparsight report --format=json --parts=2 --partition=file:path=parts.txt,base=1 symmetric.mtx
    jq -e '.matrices[0].distribution.partitions[0].volume == 2' out
    sparsight_mpi 3 report --parts=2 --partition=file:path=absent.txt symmetric.mtx
    [ "$status" -eq 1 ]
    [ "$(grep -c 'absent.txt: No such file' err)" -eq 1 ]
    sparsight_mpi 2 report --network=latency=3 symmetric.mtx
    [ "$status" -eq 2 ]
}

@test "all forms of the report have what one process writes" {
    local form
    for form in text markdown html csv; do
        sparsight report --format=$form gen:powerlaw,scale=8
        cp out one
        sparsight_mpi 3 report --format=$form gen:powerlaw,scale=8
        [ "$status" -eq 0 ]
        # What is added is about ranks, and nothing is gone.
        diff one out >differences || true
        [ "$(grep -c '^<' differences)" -eq 0 ]
        [ "$form" = csv ] || grep -q 'Ranks' differences
    done
}

@test "what is wrong is told once, on any number of ranks" {
    local count
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 3 1\n' >bad.mtx
    for count in 1 3; do
        sparsight_mpi "$count" report bad.mtx
        show
        [ "$status" -eq 1 ]
        [ "$(grep -c 'bad.mtx:4:3: ' err)" -eq 1 ]
        sparsight_mpi "$count" report --convert=all bad.mtx
        [ "$status" -eq 2 ]
        [ "$(grep -c "unknown option '--convert=all': it is for 'sparsight report', without ranks" err)" -eq 1 ]
        sparsight_mpi "$count" plot
        [ "$status" -eq 2 ]
        grep -q "'plot' is not a command of this program; its commands are report" err
    done
}

@test "a file that cannot be written fails the ranks, which mpirun would not tell of its standard output" {
    [ -c /dev/full ] || skip "no /dev/full"
    sparsight_mpi 2 report -o /dev/full "$SRCDIR/data/pmpp.mtx"
    [ "$status" = 1 ]
    grep -q '^/dev/full: cannot write: No space left on device$' err
}

@test "standard input is read once, and dealt out" {
    local count
    "$SPARSIGHT" gen laplace2d,n=300 -o stream.mtx
    # The Hydra of MPICH 4.0 fails with an assertion where more than a little comes by standard input, whatever program reads it.
    ranks 1 cat <stream.mtx 2>err | cmp -s - stream.mtx || skip "this mpirun does not pass on its standard input"
    for count in 1 3; do
        status=0
        ranks "$count" "$BUILDDIR/sparsight-mpi" report - <stream.mtx >out 2>err || status=$?
        show
        [ "$status" -eq 0 ]
        grep -q '^  Entries  *448,800$' out
    done
}

# Wait until so many ranks of sparsight-mpi run that were started with this word on their command line.
wait_for_ranks() { # wait_for_ranks COUNT WORD
    local tries
    for tries in $(seq 600); do
        mapfile -t running < <(pgrep -f "^$BUILDDIR/sparsight-mpi report .*$2")
        [ "${#running[@]}" -eq "$1" ] && return 0
        sleep 0.1
    done
    return 1
}

# One of the running ranks has opened the file, so that all of them are past the start of MPI: mpirun may hang for ever if one
# is killed before that.
is_opened() { # is_opened WORD
    local rank
    for rank in "${running[@]}"; do
        ls -l "/proc/$rank/fd" 2>/dev/null | grep -q "$1" && return 0
    done
    return 1
}

@test "a rank that is killed ends all" {
    [ -d /proc/self/fd ] || skip "no /proc"
    local word=killed-$$.mtx job which tries
    mkfifo "$word"
    exec 9<>"$word"
    # Nobody writes into the pipe: rank 0 waits for it, and the others for rank 0. Each of them is killed once.
    for which in 0 1 2; do
        status=0
        SECONDS=0
        ranks 3 "$BUILDDIR/sparsight-mpi" report "$word" >out 2>err </dev/null 9>&- &
        job=$!
        wait_for_ranks 3 "$word"
        for tries in $(seq 600); do
            is_opened "$word" && break
            sleep 0.1
        done
        is_opened "$word"
        kill -KILL "${running[$which]}"
        wait "$job" || status=$?
        show
        [ "$status" -ne 0 ]
        [ "$SECONDS" -lt 300 ] # it was not the time limit
        grep -qiE 'signal 9|KILLED BY SIGNAL: 9|exit code: 9|Killed|a non-zero exit code' err out
        wait_for_ranks 0 "$word"
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

@test "a file that some ranks lack, or that is another one there, ends all, and is told once" {
    local which
    mkdir -p here there
    printf '#!/bin/sh\n# One rank is in another folder.\n[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" != "$WHICH" ] || cd ../there\nexec "$@"\n' >apart
    chmod +x apart
    "$SPARSIGHT" gen laplace2d,n=60 -o here/file.mtx
    cd here
    for which in 0 1 2; do
        rm -rf ../there/file.mtx
        status=0
        WHICH=$which ranks 3 ../apart "$BUILDDIR/sparsight-mpi" report file.mtx >out 2>err </dev/null || status=$?
        show
        [ "$status" -eq 1 ]
        [ "$(grep -c '^file.mtx: No such file' err)" -eq 1 ]
        "$SPARSIGHT" gen laplace2d,n=61 -o ../there/file.mtx
        status=0
        WHICH=$which ranks 3 ../apart "$BUILDDIR/sparsight-mpi" report file.mtx >out 2>err </dev/null || status=$?
        show
        [ "$status" -eq 1 ]
        [ "$(grep -c 'reads another file of this name than rank 0 does' err)" -eq 1 ]
    done
    # Entries of a packed file wait in a temporary one.
    gzip file.mtx
    printf '#!/bin/sh\nTMPDIR=$PWD/absent exec "$@"\n' >../without
    chmod +x ../without
    status=0
    ranks 3 ../without "$BUILDDIR/sparsight-mpi" report file.mtx.gz >out 2>err </dev/null || status=$?
    show
    [ "$status" -eq 1 ]
    [ "$(grep -c 'absent: no temporary file can be made here' err)" -eq 1 ]
}

@test "kernels over ranks: what each takes, by any partition, and what cannot run" {
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
    sparsight_mpi 2 report --kernels=cpu/csr-omp --partition=file:path=none gen:laplace2d,n=3
    show
    [ "$status" -eq 1 ]
    [ "$(grep -c 'none' err)" -eq 1 ]
    sparsight_mpi 2 report --partition=natural gen:laplace2d,n=3
    [ "$status" -eq 2 ]
    grep -q -- '--partition is for kernels and for --parts' err
    # Another product is advised on without a kernel that was run.
    sparsight_mpi 2 report --columns=4 gen:laplace2d,n=3
    [ "$status" -eq 0 ]
    grep -q 'for Y = A X, 4 columns' out
    sparsight report --kernels=petsc/csr gen:laplace2d,n=3
    [ "$status" -eq 0 ]
    grep -q 'run sparsight-mpi' out
}
