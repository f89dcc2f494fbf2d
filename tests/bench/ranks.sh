#!/bin/sh
# ranks.sh FOLDER NETWORK [RANKS...]: products over ranks of one machine, by the sparsight-mpi in FOLDER: a strong scaling run of
# some matrices, and a weak one, each with so many ranks (1, 2 and 4 unless they are given); PETSc's MatMult is timed in the
# same rounds. NETWORK is tests/bench/network, which measures what messages take. A line of tabs for each kernel: the fastest and the
# median product of the slowest rank in us, what it does meanwhile, PETSc's fastest time over it, its efficiency beside the same kernel on one rank,
# and of strong scaling the time that is predicted, and this time over the measured one. It is that of one process with as many threads as all
# ranks have, since the processors of a machine share its memory, times the imbalance of the parts, times the bytes that the parts' storages and what is
# exchanged move over those of the whole one, and the messages; of GPUs, which have memories of their own, it comes from the time of one rank over the
# number of ranks. Nothing is predicted of more threads than processors.
# Times are the fastest of many, and of several launches: on a machine with others on it, medians are theirs, and the pages that a process happens to get
# are its own for as long as it lasts. What is predicted from is launched in turns with what is measured. Decides nothing.
#
# DEVICES says that kernels are of GPUs, KERNELS is a list of kernels, MATRICES one of matrices, WEAK the side of the weak run's cube on one rank; MPIRUN the command
# that starts ranks, REPEAT the samples, LAUNCHES how often all is launched, THREADS the threads of a rank.
folder=${1:?usage: ranks.sh FOLDER NETWORK [RANKS...]} network=${2:?usage: ranks.sh FOLDER NETWORK [RANKS...]}
shift 2
[ $# -gt 0 ] || set -- 1 2 4
threads=${THREADS:-1}
kernels=${KERNELS-cpu/csr-omp cpu/csr-seq cpu/sell-omp petsc/csr}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# start COUNT THREADS PROGRAM [ARGUMENT]...: so many ranks of so many threads. Open MPI wants to be allowed to run as root, and to be asked for more
# threads than processors, which go where they like; if there are processors for all, each rank stays on its own.
start() {
    count=$1 each=$2
    shift 2
    binding='--oversubscribe --bind-to none'
    [ $((count * each)) -gt "$(nproc)" ] || [ -n "${DEVICES-}" ] || binding="--map-by slot:PE=$each --bind-to core"
    case $("${MPIRUN:-mpirun}" --version 2>&1) in
    *"Open MPI"* | *OpenRTE*)
        # shellcheck disable=SC2086 # these are words
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 \
            "${MPIRUN:-mpirun}" $binding -n "$count" "$@" ;;
    *) "${MPIRUN:-mpirun}" -n "$count" "$@" ;;
    esac </dev/null
}

# measure NAME COUNT THREADS MATRIX: launch so many ranks once more, and keep of each kernel the fastest launch in NAME.json.
measure() {
    start "$2" "$3" "$folder/sparsight-mpi" report --format=json --threads="$3" --repeat="${REPEAT:-100}" --kernels="$kernels" \
        -o "$scratch/once.json" "$4" || return
    [ -e "$scratch/$1.json" ] || cp "$scratch/once.json" "$scratch/$1.json"
    jq -s '. as $all | .[0] | .matrices[0].kernels |= [range(length) as $k | [$all[].matrices[0].kernels[$k]] | min_by(.min_us // infinite)]' \
        "$scratch/$1.json" "$scratch/once.json" >"$scratch/fastest.json" && mv "$scratch/fastest.json" "$scratch/$1.json"
}

# times_of NAME THREADS SHARE: of each kernel that has run with so many threads, or on a GPU, the time over SHARE, and the bytes it moves.
times_of() {
    jq --argjson threads "$2" --argjson share "$3" '[.matrices[0].kernels[] | select(.unavailable == null and ((.threads // 0) == 0 or .threads == $threads))
        | {(.kernel): {us: (.min_us / $share), bytes}}] | add // {}' "$scratch/$1.json"
}

# scale STRONG|WEAK COUNT MATRIX: the lines of one matrix on so many ranks. What one rank took is kept in alone.json.
scale() {
    rm -f "$scratch/ranks.json" "$scratch/together.json"
    whole=
    [ -n "${DEVICES-}" ] || [ "$1" = weak ] || [ $(($2 * threads)) -gt "$(nproc)" ] || whole=1
    for launch in $(seq "${LAUNCHES:-3}"); do
        measure ranks "$2" "$threads" "$3" || return
        [ -z "$whole" ] || measure together 1 $(($2 * threads)) "$3" || return
    done
    "$folder/sparsight" report --format=json --kernels=cpu/csr-seq --repeat=3 --parts="$2" --partition=entries --network="$messages" -o "$scratch/one.json" "$3" || return
    [ "$2" -gt 1 ] || times_of ranks "$threads" 1 >"$scratch/alone.json"
    echo '{}' >"$scratch/whole.json"
    if [ -n "$whole" ]; then
        times_of together $(($2 * threads)) 1 >"$scratch/whole.json"
    elif [ -n "${DEVICES-}" ]; then
        jq --argjson ranks "$2" 'map_values(.us /= $ranks)' "$scratch/alone.json" >"$scratch/whole.json"
    fi
    jq -r --arg scaling "$1" --argjson whole "$(cat "$scratch/whole.json")" --argjson first "$(cat "$scratch/alone.json")" --argjson one "$(jq -c 'del(.matrices[].carried)' "$scratch/one.json")" \
        -f "$here/ranks.jq" "$scratch/ranks.json"
}

messages=$(start 2 1 "$network") || exit 1
echo "# $(date -u +%F), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors; messages between two ranks: $messages;" \
    "$("$folder/sparsight" --version), $("${MPIRUN:-mpirun}" --version 2>&1 | head -n 1)"
printf 'scaling\tmatrix\trows\tnnz\tranks\tkernel\tleast_us\tlow_us\tmedian_us\tcompute_us\texchange_us\twait_us\timbalance\tpetsc_ratio\tefficiency\tpredicted_us\tpredicted_ratio\n'
for matrix in ${MATRICES-gen:stencil27,n=80 gen:banded,n=400000 gen:powerlaw,scale=17}; do
    for ranks; do
        scale strong "$ranks" "$matrix" || echo "# $matrix, $ranks ranks: failed"
    done
done
side=${WEAK-80} layers=${WEAK-40} # of the weak run's matrix on one rank
for ranks; do
    scale weak "$ranks" "gen:stencil27,nx=$side,ny=$side,nz=$((layers * ranks))" || echo "# weak, $ranks ranks: failed"
done
