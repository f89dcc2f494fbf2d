#!/usr/bin/env bats
# The command line: help, versions, usage errors.

load ../support/helper

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "--version and --help of every command" {
    sparsight --version
    show
    [ "$status" -eq 0 ]
    [[ $(cat out) =~ ^sparsight\ [0-9.]+$ ]]
    local command
    for command in "" report plot survey compare convert gen kernels schema; do
        sparsight $command --help
        show
        [ "$status" -eq 0 ]
        [ ! -s err ]
        grep -q '^Usage: sparsight' out
        grep -q -- '--help' out
        mv out long
        sparsight $command -h
        cmp out long
    done
}

# If a usage leaves no room, its summary is on the next line.
@test "the summaries of commands are one column of the help" {
    sparsight --help
    sed '/^$/q' out >usages
    cat usages
    [ "$(grep -c 'sparsight' usages)" -ge 11 ]
    [ "$(grep -cE '^.{47} [a-z]' usages)" -eq "$(grep -c 'sparsight' usages)" ]
}

# A heading that begins with the name of a macro, such as In, loses that word unless it is escaped.
@test "headings of the manual are whole" {
    need man
    local heading count=0
    MANWIDTH=100 man -l "$SRCDIR/man/sparsight.1" | col -b >page
    while IFS= read -r heading; do
        echo "$heading"
        grep -qxE " *$heading" page
        count=$((count + 1))
    done < <(sed -nE 's/^\.Ss +(\\&)?//p' "$SRCDIR/man/sparsight.1")
    [ "$count" -ge 7 ]
}

@test "options and their summaries are two columns of the help" {
    local command
    for command in '' report plot survey gen; do
        sparsight $command --help
        # An option that is wider than its column has its own line.
        sed -n '/^Options:/,/^$/p' out | sed '1d;$d' >options
        [ "$(wc -l <options)" -ge 5 ]
        grep -vE '^ {25}[^ ]|^  .{22} [^ ]|^  (-.,|   ) --[^ ]{17,}$' options >wrong || true
        cat wrong
        [ ! -s wrong ]
    done
    grep -qxE ' {6}--background=light\|dark\|auto' <("$SPARSIGHT" plot --help)
}

@test "a saved report given as a matrix is distinguished from a damaged one" {
    sparsight report --format=json -o "$BATS_TEST_TMPDIR/saved.json" gen:arrow,n=4
    sparsight report "$BATS_TEST_TMPDIR/saved.json"
    show
    [ "$status" -eq 1 ]
    grep -q 'saved.json: is JSON and not a matrix; .*--results=FILE' err
}

@test "every option in the help is in the manual" {
    local command option
    for command in "" report plot survey compare convert gen kernels learn manual completion schema; do
        sparsight $command --help
        for option in $(grep -oE '^  (-., |    )--[a-z-]+' out | grep -oE '[a-z][a-z-]+$'); do
            echo "$command --$option"
            grep -qE "Fl -$option( |\$)" "$SRCDIR/man/sparsight.1"
        done
    done
}

@test "every format in the help is in the manual, and is written" {
    local format
    sparsight report --help
    for format in $(sed -n '/^FORMAT is/,/^$/s/^  \([a-z]*\) .*/\1/p' out); do
        grep -qx ".It Cm $format" "$SRCDIR/man/sparsight.1"
        sparsight report --format="$format" gen:laplace2d,n=3
        [ "$status" -eq 0 ]
        [ -s out ]
    done
}

@test "every format, order and partition in the help is in the manual, word for word, and nothing else" {
    bash "$SRCDIR/tests/support/items.bash" "$SPARSIGHT" "$SRCDIR" >made
    [ "$(grep -cE '^\.It (Cm|Va) |^Source: |^Listed as ' made)" -ge 100 ]
    diff -u "$SRCDIR/man/sparsight.1" made || {
        echo "man/sparsight.1 does not have the items of the descriptors: run make readme"
        false
    }
}

# Names from the sources, so that one without a table is found, too: descriptors `const struct KIND ... = {`.
names_of() { # names_of KIND
    find "$SRCDIR/src" -name '*.c' -exec awk -v kind="$1" '
        $0 ~ "^const struct " kind " [a-z0-9_]+ = [{]$" { inside = 1 }
        inside && /^    ([.]name = |CPU_KERNEL[(])"/ { split($0, words, "\""); print words[2]; inside = 0 }
        inside && /^    LIBRARY_KERNEL[(]/ { print "csr"; inside = 0 }' {} + | sort
}

@test "every order is in the help, and no other" {
    names_of order >expected
    [ "$(wc -l <expected)" -ge 5 ]
    sparsight report --help
    sed -n '/^orders of rows and columns:$/,/^Partitions of the rows/s/^\([a-z][a-z0-9]*\)  .*/\1/p' out | sort | diff expected -
}

@test "every storage format is in the manual, and no other" {
    names_of format >expected
    [ "$(wc -l <expected)" -ge 9 ]
    sed -n '/^\.Sh FORMATS/,/^\.Sh KERNELS/s/^\.It Cm //p' "$SRCDIR/man/sparsight.1" | sort | diff expected - || {
        echo "formats of src are not those of the manual: run make readme when they are in formats.def"
        false
    }
}

# In the manual's section on kernels, kernels of the processor are FORMAT-seq and FORMAT-omp, and the others have their
# names.
@test "every kernel is in the list of kernels and in the manual, and no other" {
    names_of kernel >expected
    [ "$(wc -l <expected)" -ge 40 ]
    sparsight kernels
    sed -nE 's,^[a-z]+/([a-z0-9-]+)  .*,\1,p' out | sort | diff expected -
    grep -vE -- '-(seq|omp)$' expected >named
    sed '1,/^\.Sh KERNELS/d; /^\.Sh/,$d' "$SRCDIR/man/sparsight.1" >section
    grep -qx '.It Ar format Ns Li -seq' section
    grep -qx '.It Ar format Ns Li -omp' section
    # Kernels of libraries for the processor differ in their backends alone.
    sed -n 's/^\.It Li //p' section | sed 's/ , /\n/g' >told
    sed -nE 's,^([a-z]+/[a-z0-9-]+)  .*,\1,p' out | grep -E '^(mkl|aocl|rsb|graphblas|armpl)/' | sort | diff - <(grep / told | sort)
    sed 's,^[a-z]*/,,' told | sort -u | diff <(sort -u named) -
}

@test "gen --list has every generator, and no other" {
    names_of generator >expected
    [ "$(wc -l <expected)" -ge 12 ]
    sparsight gen --list
    show
    [ "$status" -eq 0 ]
    sed -nE 's/^([a-z0-9]+) .*/\1/p' out | sort | diff expected -
}

# Each line: the words, a | and the expected standard error.
@test "wrong usage ends with status 2, a reason and a hint" {
    local words reason
    while IFS='|' read -r words reason; do
        eval "sparsight $words"
        echo "$words"
        show
        [ "$status" -eq 2 ]
        [ ! -s out ]
        [ "$(wc -l <err)" -eq 2 ]
        grep -qF -- "$reason" err
        tail -n 1 err | grep -q "^Try 'sparsight.* --help'\.$"
    done <<'END'
|no matrix is given
report|no matrix is given
report -o file|no matrix is given
gen|needs one specification
gen --permutation=p.mtx arrow|--permutation needs --reorder
gen --reorder=rmc arrow|no order is called 'rmc'; did you mean rcm?
gen --reorder=rcm --reorder=length arrow|--reorder is given twice
report --reorder= x.mtx|--reorder= names no order
report --reorder=file x.mtx|file needs a file: file:path=FILE
report --reorder=parts x.mtx|parts needs a partition: parts:partition=NAME
report --reorder=parts:partition=metid x.mtx|no partition is called 'metid'
report --reorder=parts:partition=blocks,parts=4 x.mtx|blocks divides entries, and orders no rows
gen arrow banded|needs one specification
--nonsense|unknown option '--nonsense'
report --kernles=all x.mtx|unknown option '--kernles=all'; did you mean --kernels?
--lenietn x.mtx|unknown option '--lenietn'; did you mean --lenient?
reprot|'reprot' is neither a file nor a command; did you mean report? The commands are report, plot, survey, compare, convert, gen
report --format=jsn x.mtx|unknown format 'jsn'; did you mean json? There are text, json
report --convert=csx x.mtx|no format is called 'csx'; did you mean csr or csc? There are coo
report --kernels=csr-opm x.mtx|no kernel is called 'csr-opm'; did you mean cpu/csr-omp, cusparse/csr-op1 or cusparse/csr-op2?
report --kernels=cmrs-omp:heigth=4 x.mtx|has no parameter 'heigth'; did you mean height? It has
report --protocol=medain x.mtx|no protocol is called 'medain'; did you mean median? There are median
report --gpu=v010 x.mtx|no GPU is called 'v010'; did you mean v100? There are
gen laplace2b|no generator is called 'laplace2b'; did you mean laplace2d? There are
gen random,maen=3|random has no parameter 'maen'; did you mean mean? It has
-z|unknown option '-z'
report --no-mouse x.mtx|unknown option '--no-mouse': it is for the explorer
report --picture=big x.mtx|--picture is auto, always or never, and not 'big'
report --results=y.json --kernels=csr-seq|--kernels computes with the matrix, and --results reports what was saved
report --results=y.json --format=jsonl|--format=jsonl with --results: saved reports are JSON already
gen --results=y.json arrow|unknown option '--results=y.json'
--format=json x.mtx|unknown option '--format=json': it is for 'sparsight report' and 'sparsight plot'
report --lenient=yes x.mtx|takes no argument
report x.mtx -o|'-o' needs an argument
report x.mtx --limit|'--limit' needs an argument
report --format=xml x.mtx|there are text, json, jsonl, csv, csv-matrices, markdown, html
report --kernels=csr-sek x.mtx|did you mean cpu/csr-seq?
report --kernels=ell x.mtx|did you mean cpu/ell-*?
report --kernels=nonsense x.mtx|no kernel is called 'nonsense'; there are cpu/
report --kernels=csr-seq:k=3 x.mtx|csr-seq has no parameter 'k'
report --kernels= x.mtx|--kernels= names no kernel
report --protocol=mean x.mtx|no protocol is called 'mean'; there are median, cranfield, cmrs
report --repeat=0 x.mtx|--repeat=0 is not a whole number from 1 to 
report --repeat=2.5 x.mtx|--repeat=2.5 is not a whole number
report --warmup=-1 x.mtx|--warmup=-1 is not a whole number from 0 to 
report --seed=x x.mtx|--seed=x is not a whole number
report --x=x.mtx y.mtx|--x needs kernels to run; name some by --kernels=LIST
report --device=x x.mtx|--device=x is not a whole number from 0 to 
--device=-1 x.mtx|--device=-1 is not a whole number from 0 to 
gen --device=0 arrow|unknown option '--device=0'
report --b=x.mtx --kernels=none y.mtx|--b needs kernels to run
report --cold=1 x.mtx|takes no argument
kernels x.mtx|kernels takes no matrix
kernels --format=json|unknown option '--format=json'
report --format= x.mtx|unknown format
report --limit=many x.mtx|'many' is not a size
report --limit=-5 x.mtx|'-5' is not a size
report --limit=5KB x.mtx|'5KB' is not a size: give bytes, or KiB, MiB, GiB, TiB (powers of 1024; K, M, G, T for short)
report --limit=5iB x.mtx|'5iB' is not a size
report --limit=5Ki x.mtx|'5Ki' is not a size
report --limit=0 x.mtx|'0' is not a size
report --base=2 x.mtx|--base=2: indices begin with 0 or 1
--base= x.mtx|--base=: indices begin with 0 or 1
gen --base=0 arrow|unknown option '--base=0'
report --limit=99999999T x.mtx|is not a size
report --limit=99999999999999999999 x.mtx|is not a size
report --convert=nonsense x.mtx|no format is called 'nonsense'; there are 
report --convert='csr nonsense' x.mtx|no format is called 'nonsense'
report --convert=csr:k=3 x.mtx|csr has no parameter 'k'; it has none
report --convert= x.mtx|--convert= names no format
report --arrays=' ,' x.mtx|--arrays= names no format
report --arrays=csr,x x.mtx|no format is called 'x'
report x.mtx --arrays|'--arrays' needs an argument
report --precision=f16 x.mtx|'f16' is not a list of precisions; the precisions are f64 and f32
report --precision= x.mtx|'' is not a list of precisions
report --precision=f32, x.mtx|'f32,' is not a list of precisions
--convert=csr x.mtx|unknown option '--convert=csr'
report --threads=0 x.mtx|not a number of threads
report --threads=2,,4 x.mtx|'' is not a number of threads
report --threads=2,0 x.mtx|'0' is not a number of threads
report --threads=4, x.mtx|'' is not a number of threads
report --threads=3-1 x.mtx|'3-1': a range of threads ascends
report --threads=1- x.mtx|'' is not a number of threads
report --threads=-2 x.mtx|'' is not a number of threads
report --threads=1-3-5 x.mtx|'3-5' is not a number of threads
report --threads=1-65 x.mtx|more than 64 numbers of threads
--threads=1-4 x.mtx|'1-4' is not a number of threads
report - -|standard input (-) can be read only once, but is named 2 times
report --kernels=csr-seq --x=- --b=- x.mtx|standard input (-) can be read only once
--threads=2,4 x.mtx|'2,4' is not a number of threads
gen --threads=2,4 arrow|'2,4' is not a number of threads
report --threads= x.mtx|not a number of threads
gen nonsense|no generator is called 'nonsense'
gen laplace2d,k=3|no parameter 'k'
gen laplace2d,n=0|n=0 lies outside
plto x.mtx|did you mean plot? The commands are report, plot, survey, compare, convert, gen
nonsense|the commands are report, plot, survey, compare, convert, gen
a.mtx b.mtx|one matrix at a time
END
}

@test "a file called like a command is a matrix when its folder is named" {
    write_matrix report
    sparsight report ./report
    show
    [ "$status" -eq 0 ]
    grep -q '^report$' out
}

@test "help that cannot be written is an error" {
    status=0
    "$SPARSIGHT" --help >/dev/full 2>err || status=$?
    [ "$status" -eq 1 ]
    grep -q 'No space left' err
    status=0
    "$SPARSIGHT" --help >&- 2>err || status=$?
    [ "$status" -eq 1 ]
}

@test "lists in messages are whole, and sizes have the units that are shown" {
    local name unit
    sparsight kernels
    sed -nE 's/^((cpu|cuda|cusparse|mkl|aocl|rsb|graphblas|armpl)\/[a-z0-9-]+) .*/\1/p' out >names
    [ "$(wc -l <names)" -ge 20 ]
    sparsight report --kernels=nonsense x.mtx
    while IFS= read -r name; do
        grep -qE " $name(,|\$)" err
    done <names
    for unit in 1000K 1000k 1000KiB 1000kib 8M 8MiB 1GiB 1T; do
        echo "$unit"
        sparsight report --limit=$unit gen:laplace2d,n=3
        [ "$status" -eq 0 ]
    done
    sparsight report --limit=8MiB gen:laplace2d,n=1000
    [ "$status" -eq 1 ]
    grep -qF 'more than the limit of 8.00 MiB' err
}

@test "the fault of a generator is reported once, after its name" {
    local spec message
    while IFS='|' read -r spec message; do
        sparsight report "gen:$spec"
        [ "$status" -eq 1 ]
        grep -qF -x -- "gen:$spec: $message" <(cut -c1-200 err)
        sparsight gen "$spec"
        [ "$status" -eq 2 ]
        [ "$(head -n 1 err | cut -c1-200)" = "sparsight: gen:$spec: $message" ]
    done <<'END'
laplace2d,n=-1|n=-1 lies outside 1..2147483647
laplace2d,n=two|n=two is not a number
laplace2d,k=3|laplace2d has no parameter 'k'; it has n, nx, ny
random,m=10,n=5,mean=6|lengths of 6 to 6 do not lie in 0..5
powerlaw,a=0.9|a + b + c is 1.28, and must be at most 1
tile|tile needs a matrix to repeat: tile,file=X,copies=N
END
    sparsight report gen:foo
    grep -q "^gen:foo: no generator is called 'foo'; there are laplace2d, " err
}

@test "a matrix beyond the limit is refused before it is made" {
    sparsight gen laplace2d,n=1000 --limit=1M
    show
    [ "$status" -eq 1 ]
    [ ! -s out ]
    grep -q 'limit of 1.00 MiB' err
}

# `make readme` makes both so again.
@test "the commands of the README and of the guide have the shown output" {
    need jq
    local file count=0
    for file in README.md man/sparsight-guide.7; do
        bash "$SRCDIR/tests/support/readme.bash" "$SPARSIGHT" "$SRCDIR" "$file" >readme 2>complaints
        cat complaints
        [ ! -s complaints ]
        count=$((count + $(grep -cE '^( {4})?\$ ' readme)))
        diff "$SRCDIR/$file" readme
    done
    [ "$count" -ge 18 ]
    [ "$(wc -l <"$SRCDIR/README.md")" -le 200 ]
}

@test "impossible numbers of threads and sizes of stacks do not crash the program" {
    local words
    # 1024 threads are the most that --threads takes; a container may give fewer, which is said. The rows are just enough to be
    # divided among threads (PARALLEL_MIN).
    for words in OMP_NUM_THREADS=100000 OMP_NUM_THREADS=0 OMP_NUM_THREADS=-1 OMP_NUM_THREADS=many OMP_NUM_THREADS=99999999999999999999 \
        OMP_THREAD_LIMIT=1 OMP_THREAD_LIMIT=x OMP_STACKSIZE=x; do
        status=0
        env "$words" "$SPARSIGHT" report --format=json gen:laplace2d,n=130 >out 2>err || status=$?
        echo "$words"
        show
        [ "$status" -eq 0 ]
        [ "$(jq '.host.threads' out)" -le 1024 ]
    done
    # Stacks of 100 TiB fit into no address space.
    for words in report plot gen; do
        status=0
        env OMP_NUM_THREADS=2 OMP_STACKSIZE=100000G "$SPARSIGHT" $words gen:laplace2d,n=200 -o out.svg >out 2>err || status=$?
        show
        [ "$status" -eq 1 ]
        [ ! -e out.svg ]
        [ -z "$(find . -name '.out*')" ]
    done
    OMP_STACKSIZE=100000G "$SPARSIGHT" --help >out
    sparsight report --threads=100000 gen:laplace2d,n=2
    [ "$status" -eq 2 ]
}

@test "the first process of a container ends as any other does" {
    local words alone=
    for words in 'unshare -fp' 'unshare -rfp'; do
        $words true 2>out && alone=$words
    done
    [ -n "$alone" ] || skip "no processes of one's own here"
    status=0
    $alone "$SPARSIGHT" report "$SRCDIR/data/pmpp.mtx" >out 2>err || status=$?
    show
    [ "$status" -eq 0 ]
    [ -s out ]
    [ ! -s err ]
}

@test "no library writes to standard error where /sys is missing" {
    local alone=
    for words in 'unshare -m' 'unshare -rm'; do
        $words mount -t tmpfs none /sys 2>out && alone=$words
    done
    [ -n "$alone" ] || skip "no mounts of one's own here"
    $alone sh -c 'mount -t tmpfs none /sys && exec "$0" report "$1"' "$SPARSIGHT" "$SRCDIR/data/pmpp.mtx" >out 2>err
    [ -s out ]
    [ ! -s err ]
}

@test "no command writes over its input" {
    local k words
    write_matrix m.mtx
    cp m.mtx sub.mtx
    ln m.mtx hard.mtx
    ln -s m.mtx soft.mtx
    "$SPARSIGHT" report --limit=8M --format=json --kernels=csr-seq --repeat=1 m.mtx >r.json
    printf '1\n2\n3\n4\n' >v.txt
    printf 'm.mtx\n' >list
    cp m.mtx m.kept && cp r.json r.kept && cp v.txt v.kept && cp list l.kept
    while read -r words; do
        echo "$words"
        # shellcheck disable=SC2086 # words
        sparsight $words
        show
        [ "$status" -eq 2 ]
        cmp m.mtx m.kept && cmp r.json r.kept && cmp v.txt v.kept && cmp list l.kept
    done <<'END'
report m.mtx -o m.mtx
report sub.mtx m.mtx -o ./m.mtx
report m.mtx -o hard.mtx
report m.mtx -o soft.mtx
report m.mtx --kernels=csr-seq --x=v.txt -o v.txt
plot m.mtx --form=svg -o m.mtx
plot kernels m.mtx --results=r.json --form=svg -o r.json
compare r.json r.json -o r.json
manual m.mtx -o m.mtx
survey --list=list -o list
survey m.mtx -o m.mtx
convert m.mtx out.mtx --reorder=rcm --permutation=m.mtx
convert m.mtx out.mtx --reorder=rcm --permutation=out.mtx
END
    # A matrix may be written over itself in another order, or without its duplicates.
    sparsight convert m.mtx m.mtx
    [ "$status" -eq 0 ]
    sparsight report m.mtx
    [ "$status" -eq 0 ]
    [ ! -e out.mtx ]
}

# make_tar FILE: members by Python, since tar itself makes no two of one name.
make_tar() {
    python3 - "$1" "$SRCDIR/data" "${@:2}" <<'END'
import io, sys, tarfile
with tarfile.open(sys.argv[1], "w") as tar:
    for k, name in enumerate(sys.argv[3:]):
        data = open(sys.argv[2] + ("/pmpp.mtx", "/cmrs.mtx")[k % 2], "rb").read()
        info = tarfile.TarInfo(name)
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))
END
}

@test "members whose names have line ends, and two of one name" {
    need python3
    local name
    make_tar lines.tar $'a\nb.mtx' c.mtx
    sparsight report lines.tar
    show
    [ "$status" -eq 1 ]
    grep -qF 'of: a?b.mtx, c.mtx' err
    for name in $'a\nb.mtx' 'a?b.mtx'; do
        sparsight report --format=json "lines.tar:$name"
        [ "$status" -eq 0 ]
        [ "$(jq '.matrices[0].rows' out)" -eq 4 ]
        grep -qF 'also in the archive: c.mtx' err
        ! grep -qF 'a, b.mtx' err || false
    done
    # The only matrix of an archive needs no name.
    make_tar one.tar $'x\ny.mtx'
    sparsight report one.tar
    show
    [ "$status" -eq 0 ]
    make_tar twice.tar x.mtx x.mtx
    sparsight report twice.tar
    show
    [ "$status" -eq 1 ]
    grep -qF 'of: x.mtx, x.mtx (again)' err
    sparsight report --format=json twice.tar:x.mtx
    show
    [ "$status" -eq 0 ]
    [ "$(jq '.matrices[0].nnz' out)" -eq 7 ]
    grep -qF 'x.mtx (again; the first member of this name was read)' err
}

@test "a stream whose archive would have to be read twice is refused with that reason" {
    printf '1,1,1\n2,2,5\n' >a.csv
    head -c 300000 /dev/zero >notes
    tar -cf a.tar a.csv notes
    "$SPARSIGHT" convert - out.mtx <a.tar
    status=0
    cat a.tar | "$SPARSIGHT" convert - out.mtx 2>err || status=$?
    cat err
    [ "$status" -eq 1 ]
    grep -q "^stdin: its member a.csv was skipped, and a stream can be read only once; write it to a file first$" err
    # A small archive is still in memory, and is read like the file.
    head -c 1000 /dev/zero >notes
    tar -cf a.tar a.csv notes
    cat a.tar | "$SPARSIGHT" convert - out.mtx
    [ "$(grep -c . out.mtx)" -ge 3 ]
}

@test "endless and empty inputs are refused with the reason" {
    local format
    for format in "" --from=mtx --from=edges --from=petsc; do
        timeout 300 "$SPARSIGHT" report $format /dev/zero >out 2>err && false
        show
        grep -q '^/dev/zero: it holds no matrix: it begins with zeros' err
    done
    head -c 10000 /dev/zero >zeros
    sparsight report zeros
    show
    [ "$status" -eq 1 ]
    grep -q '^zeros: ' err
}

@test "a picture without its matrix says so" {
    local what
    "$SPARSIGHT" report --limit=8M --format=json --kernels=csr-seq --repeat=1 "$SRCDIR/data/pmpp.mtx" >r.json
    for what in pattern kernels; do
        sparsight plot $what --results=r.json
        show
        [ "$status" -eq 2 ]
        grep -q "no matrix is given for the picture '$what'.*MATRIX.*--results adds" err
    done
    cp "$SRCDIR/data/pmpp.mtx" rows
    sparsight plot rows
    show
    [ "$status" -eq 0 ]
}

# Its mirror images are -0, as IEEE 754 negates 0. Numbers about the whole matrix ignore the sign of zeros.
@test "a skew-symmetric matrix of zeros has 0 as its least and its largest value" {
    printf '%s\n' '%%MatrixMarket matrix coordinate real skew-symmetric' '3 3 2' '2 1 0' '3 2 0' >zeros.mtx
    sparsight report --format=json zeros.mtx
    show
    [ "$status" -eq 0 ]
    ! grep -qE '"(min|max)": -0' out || false
    sparsight report zeros.mtx
    ! grep -qE 'alue +-0 *$' out || false
}

# The least 64-bit integer less 1 is out of range.
@test "orders and partitions with the least and the largest number" {
    local number
    write_matrix m.mtx
    for number in -9223372036854775808 9223372036854775807 -1; do
        printf '1\n2\n3\n%s\n' "$number" >numbers
        sparsight report --reorder=file:path=numbers m.mtx
        show
        grep -qE -- "$number(' *: not an index| is none of 1 to 4)" err
        sparsight report --parts=2 --partition=file:path=numbers,base=1 m.mtx
        show
        grep -qE -- "$number(' *: not a part| is not a part)" err out
    done
}
