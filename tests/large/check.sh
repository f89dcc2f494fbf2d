#!/bin/sh
# One matrix of more than 2^31 entries, from a generator: `make check-large` calls this; it needs about 64 GB of memory, and
# ends within nine minutes on 16 processors. It needs sh, coreutils and awk alone: `make bundle` puts it beside the programs,
# as check-large, where it finds these by itself.
#
# The matrix is gen:stencil27, of which all counts follow from formulas. It is reported as a stream, in memory with kernels that
# are checked, and over ranks; the reports agree key for key. It is written to a file and read back.
#
# SPARSIGHT      the program, default bin/sparsight beside this script, or ./sparsight
# SPARSIGHT_MPI  the program over MPI, likewise; where it is not there nothing is done over ranks
# MPIRUN         default bin/mpirun beside this script, or mpirun
# ENTRIES        their least number, default 2^31 + 1; ENTRIES=1e6 tries the script itself
# RANKS          default 4
# KERNELS        default cpu/csr-omp,cpu/sell-omp
# FORMAT         of the file, by its ending, default npz; none: no file
# PIPE           not empty: read a pipe of text, too, which takes longest
# SECONDS_MOST   all has to end within, default 540
# TMPDIR         default /tmp; the file takes 16 bytes an entry there
#
# Speaks TAP. A test that lacks memory, disk or time is skipped, with the reason.
set -u
LC_ALL=C
export LC_ALL
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
if [ -x "$here/bin/sparsight" ]; then bin=$here/bin; else bin=.; fi
sparsight=${SPARSIGHT:-$bin/sparsight}
sparsight_mpi=${SPARSIGHT_MPI:-$bin/sparsight-mpi}
if [ -x "$here/bin/mpirun" ]; then mpirun=${MPIRUN:-$here/bin/mpirun}; else mpirun=${MPIRUN:-mpirun}; fi
entries=$(awk -v e="${ENTRIES:-2147483649}" 'BEGIN { printf "%.0f", e }')
ranks=${RANKS:-4}
kernels=${KERNELS:-cpu/csr-omp,cpu/sell-omp}
format=${FORMAT:-npz}
most=${SECONDS_MOST:-540}
began=$(date +%s)
number=0 failed=0

ok() {
    number=$((number + 1))
    printf 'ok %d - %s\n' "$number" "$*"
}

not_ok() {
    number=$((number + 1)) failed=1
    printf 'not ok %d - %s\n' "$number" "$*"
}

skipped() { # NAME REASON
    number=$((number + 1))
    printf 'ok %d - %s # SKIP %s\n' "$number" "$1" "$2"
}

# gib BYTES
gib() {
    awk -v b="$1" 'BEGIN { printf b < 1e9 ? "%.3f GiB" : "%.1f GiB", b / 1073741824 }'
}

[ -x "$sparsight" ] || {
    printf 'Bail out! %s is not there (SPARSIGHT)\n' "$sparsight"
    exit 1
}

# n^3 rows, whose 27 neighbours lie within a cube of n: (3 n - 2)^3 entries.
set -- "$(awk -v e="$entries" 'BEGIN { n = 3; while ((3 * n - 2) ^ 3 < e) n++; printf "%d %.0f %.0f", n, n ^ 3, (3 * n - 2) ^ 3 }')"
# shellcheck disable=SC2086 # three numbers
set -- $1
side=$1 rows=$2 nnz=$3
matrix=gen:stencil27,n=$side

# Memory that is free, and that control groups allow.
available=$(awk '/^MemAvailable:/ { printf "%.0f", 1024 * $2 }' /proc/meminfo)
for file in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    if [ -r "$file" ]; then
        limit=$(cat "$file")
        [ "$limit" = max ] || available=$(awk -v a="$available" -v l="$limit" 'BEGIN { printf "%.0f", l < a ? l : a }')
    fi
done
printf '# %s: %s rows, %s entries; %s of memory, %s processors\n' "$matrix" "$rows" "$nnz" "$(gib "$available")" "$(nproc)"

work=$(mktemp -d "${TMPDIR:-/tmp}/check-large.XXXXXX") || exit 1
child=
clean() {
    [ -z "$child" ] || kill "$child" 2>/dev/null
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

# enough NAME BYTES: whether there is this much memory; else NAME is skipped.
enough() {
    awk -v a="$available" -v b="$2" 'BEGIN { exit !(a >= b) }' && return 0
    skipped "$1" "needs $(gib "$2") of memory, of which $(gib "$available") are free"
    return 1
}

# timed NAME OUT COMMAND...: run it with standard output in OUT and say how long it took, within the time that is left.
timed() {
    name=$1 out=$2
    shift 2
    start=$(date +%s)
    left=$((most - start + began))
    if [ "$left" -le 0 ]; then
        skipped "$name" "the $most seconds are over"
        return 1
    fi
    timeout -k 5 "$left" "$@" >"$out" 2>"$work/err" </dev/null &
    child=$!
    wait "$child"
    status=$?
    child=
    seconds=$(($(date +%s) - start))
    if [ "$status" -eq 124 ]; then
        not_ok "$name: not done after $seconds s"
    elif [ "$status" -ne 0 ]; then
        not_ok "$name: status $status after $seconds s: $(head -n 3 "$work/err" | tr '\n' ' ')"
    else
        printf '# %s: %d s\n' "$name" "$seconds"
        return 0
    fi
    return 1
}

# flat FILE: each value of a JSON document in a line, behind the path of its keys and a tab.
flat() {
    awk '
        function value(text) {
            key = prefix[depth] (array[depth] ? "." count[depth]++ : "." name[depth])
            if (text != "") print substr(key, 2) "\t" text
            return key
        }
        function open(is_array) {
            key = depth ? value("") : ""
            depth++
            prefix[depth] = key
            array[depth] = is_array
            count[depth] = 0
            wants[depth] = !is_array
        }
        {
            line = $0
            while (match(line, /^[ \t,:]*("([^"\\]|\\.)*"|[][{}]|[^][{}", \t:]+)/)) {
                token = substr(line, 1, RLENGTH)
                line = substr(line, RLENGTH + 1)
                sub(/^[ \t,:]*/, "", token)
                if (token == "{") open(0)
                else if (token == "[") open(1)
                else if (token == "}" || token == "]") { depth--; wants[depth] = !array[depth] }
                else if (wants[depth]) { name[depth] = substr(token, 2, length(token) - 2); wants[depth] = 0; continue }
                else { value(token); wants[depth] = !array[depth] }
            }
        }' "$1"
}

# same NAME LEFT RIGHT STREAM: all values of two flat reports, but those of the run itself: the machine, times, how rows are
# spread, what kernels took. With STREAM=1 the right one need not have what takes entries: it may be null there, or not be.
same() {
    awk -F '\t' -v stream="$4" '
        function own(key) {
            return key ~ /^host\./ || key ~ /^matrices\.0\.(ranks|timing|kernels|advice|notes|name|path|source)(\.|$)/
        }
        FNR == NR { left[$1] = $2; next }
        own($1) { next }
        { right[$1] = $2 }
        stream && ($2 == "null" || $1 ~ /\.refused$/) { next }
        { compared++ }
        !($1 in left) || left[$1] != $2 {
            if (++wrong <= 10) printf "# %s is %s, not %s\n", $1, $2, ($1 in left) ? left[$1] : "absent"
        }
        END {
            for (key in left)
                if (!own(key) && !(key in right) && !stream && ++wrong <= 10) printf "# %s is not there\n", key
            if (compared < 150) printf "# %d values alone were compared\n", compared
            else if (!wrong) printf "# %d values agree\n", compared
            exit wrong > 0 || compared < 150
        }' "$2" "$3" >"$work/differences"
    differ=$?
    cat "$work/differences"
    if [ "$differ" -eq 0 ]; then ok "$1"; else not_ok "$1"; fi
}

# exact NAME FLAT: the numbers that follow from formulas.
exact() {
    awk -F '\t' -v n="$side" -v rows="$rows" -v nnz="$nnz" '
        function expect(key, number) {
            text = sprintf("%.0f", number)
            if (found["matrices.0." key] != text) { printf "# %s is %s, not %s\n", key, found["matrices.0." key], text; wrong++ }
        }
        { found[$1] = $2 }
        END {
            reach = n * n + n + 1
            expect("rows", rows)
            expect("cols", rows)
            expect("nnz", nnz)
            expect("stored", nnz)
            expect("duplicates", 0)
            expect("explicit_zeros", 0)
            expect("row_lengths.max", 27)
            expect("row_lengths.min", 8)
            expect("col_lengths.max", 27)
            expect("structure.lower_bandwidth", reach)
            expect("structure.upper_bandwidth", reach)
            expect("structure.profile", (n - 1) * n * n * reach)
            expect("structure.diagonal_nonzeros", rows)
            expect("structure.diagonals", 27)
            pointers = nnz > 2147483647 ? 8 : 4
            for (k = 0; ("matrices.0.formats." k ".format") in found; k++) {
                format = found["matrices.0.formats." k ".format"]
                if (format == "\"csr\"") expect("formats." k ".bytes", 12 * nnz + pointers * (rows + 1))
                if (format == "\"coo\"") expect("formats." k ".bytes", 16 * nnz)
                if (format == "\"ell\"") expect("formats." k ".slots", 27 * rows)
                if (format == "\"csr\"" || format == "\"ell\"" || format == "\"coo\"") sizes++
            }
            if (sizes < 3) { printf "# %d sizes of formats alone\n", sizes; wrong++ }
            exit wrong > 0
        }' "$2" >"$work/wrong"
    differ=$?
    cat "$work/wrong"
    if [ "$differ" -eq 0 ]; then ok "$1"; else not_ok "$1"; fi
}

# bytes FACTOR PER_ROW: FACTOR bytes an entry and PER_ROW a row, and a little more.
bytes() {
    awk -v e="$nnz" -v r="$rows" -v f="$1" -v p="$2" 'BEGIN { printf "%.0f", e * f + r * p + 268435456 }'
}

# As a stream.
if enough "a stream" "$(bytes 0 96)"; then
    if timed "a stream" "$work/stream.json" "$sparsight" report --stream --format=json "$matrix"; then
        flat "$work/stream.json" >"$work/stream"
        exact "a stream counts what formulas say" "$work/stream"
    fi
fi

# In memory, with kernels if there is room for CSR, a storage of each, and the conversions.
if enough "in memory" "$(bytes 18 96)"; then
    set --
    if enough "kernels" "$(bytes 50 96)"; then
        set -- --repeat=1 --warmup=0 --kernels="$kernels"
    fi
    if timed "in memory" "$work/memory.json" "$sparsight" report --format=json "$@" "$matrix"; then
        flat "$work/memory.json" >"$work/memory"
        exact "in memory all is what formulas say" "$work/memory"
        [ ! -s "$work/stream" ] || same "the report of a stream agrees with that in memory" "$work/memory" "$work/stream" 1
        if [ $# -gt 0 ]; then
            awk -F '\t' -v kernels="$kernels" '
                $1 ~ /^matrices\.0\.kernels\.[0-9]+\.median_us$/ && $2 ~ /^[0-9]/ { right++ }
                $1 ~ /^matrices\.0\.kernels\.[0-9]+\.(kernel|median_us|max_error|unavailable)$/ { print "# " $1 " " $2 }
                END { exit right != split(kernels, names, ",") }' "$work/memory" >"$work/wrong"
            differ=$?
            cat "$work/wrong"
            if [ "$differ" -eq 0 ]; then ok "each kernel was checked"; else not_ok "each kernel was checked"; fi
        fi
    fi
fi

# Text for people has all digits of a count.
if enough "the text" "$(bytes 0 96)"; then
    if timed "the text" "$work/text" "$sparsight" report --stream "$matrix"; then
        grouped=$(awk -v n="$nnz" 'BEGIN { while (length(n) > 3) { t = "," substr(n, length(n) - 2) t; n = substr(n, 1, length(n) - 3) } print n t }')
        if grep -q -F "$grouped" "$work/text"; then ok "the text has $grouped"; else not_ok "the text has $grouped"; fi
    fi
fi

# Over ranks, which have a share of the rows each.
if [ ! -x "$sparsight_mpi" ]; then
    skipped "over ranks" "no sparsight-mpi (SPARSIGHT_MPI)"
elif enough "over ranks" "$(bytes 20 128)"; then
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_hwloc_base_binding_policy=none
    export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_mpi_yield_when_idle OMPI_MCA_rmaps_base_oversubscribe
    export OMPI_MCA_hwloc_base_binding_policy
    if timed "over $ranks ranks" "$work/ranks.json" "$mpirun" -n "$ranks" "$sparsight_mpi" report --format=json "$matrix"; then
        flat "$work/ranks.json" >"$work/ranks"
        exact "over ranks all is what formulas say" "$work/ranks"
        if [ -s "$work/memory" ]; then
            same "the report over ranks agrees with that in memory" "$work/memory" "$work/ranks" 0
        elif [ -s "$work/stream" ]; then
            same "the report over ranks agrees with that of a stream" "$work/ranks" "$work/stream" 1
        fi
    fi
fi

# To a file and back: as a stream it equals the generator's stream.
file=$work/matrix.$format
free=$(df -P -k "$work" | awk 'NR == 2 { printf "%.0f", 1024 * $4 }')
if [ "$format" = none ]; then
    skipped "a file" "FORMAT=none"
elif ! awk -v f="$free" -v b="$(bytes 17 16)" 'BEGIN { exit !(f >= b) }'; then
    skipped "a file" "needs $(gib "$(bytes 17 16)") in $work, which has $(gib "$free")"
elif enough "a file" "$(bytes 16 96)"; then
    if timed "writing $format" /dev/null "$sparsight" convert "$matrix" "$file"; then
        printf '# %s\n' "$(gib "$(wc -c <"$file")")"
        if timed "reading $format" "$work/file.json" "$sparsight" report --stream --format=json "$file"; then
            flat "$work/file.json" >"$work/file"
            if [ -s "$work/stream" ]; then same "a file in $format is what was written" "$work/stream" "$work/file" 1; fi
        fi
    fi
fi
rm -f "$file"

# Text through a pipe.
if [ -n "${PIPE:-}" ]; then
    cat >"$work/pipe" <<'PIPE'
"$1" gen "$2" | "$1" report --stream --format=json -
PIPE
    if timed "a pipe of text" "$work/pipe.json" sh "$work/pipe" "$sparsight" "$matrix"; then
        flat "$work/pipe.json" >"$work/piped"
        if [ -s "$work/stream" ]; then same "a pipe of text is what was generated" "$work/stream" "$work/piped" 1; fi
    fi
fi
printf '1..%d\n# %d s in all\n' "$number" "$(($(date +%s) - began))"
exit "$failed"
