#!/bin/sh
# ranks.sh FOLDER NETWORK [RANKS...]: products over ranks of one machine, by the sparsight-mpi in FOLDER: a strong scaling run of
# some matrices, and a weak one, each with so many ranks (1, 2 and 4 unless they are given); PETSc's MatMult is timed in the
# same rounds. NETWORK is tests/bench/network, which measures what messages take. A line of tabs for each kernel: the fastest and the
# median product of the slowest rank in us, what it does meanwhile, PETSc's fastest time over it, its efficiency beside the same kernel on one rank,
# and of strong scaling the time that is predicted, and this time over the measured one. It is that of one process with as many threads as there are
# ranks, since the processors of a machine share its memory, times the imbalance of the parts, and the messages; of GPUs, which have
# memories of their own, that of one rank over the number of ranks. Nothing is predicted of more ranks than processors.
# Times are the fastest of many: on a machine with others on it, medians are theirs. Decides nothing.
#
# DEVICES says that kernels are of GPUs, KERNELS is a list of kernels, MATRICES one of matrices, WEAK the side of the weak run's cube on one rank; MPIRUN the command
# that starts ranks, REPEAT the samples, THREADS those of a rank.
folder=${1:?usage: ranks.sh FOLDER NETWORK [RANKS...]} network=${2:?usage: ranks.sh FOLDER NETWORK [RANKS...]}
shift 2
[ $# -gt 0 ] || set -- 1 2 4
kernels=${KERNELS-cpu/csr-omp cpu/csr-seq cpu/sell-omp petsc/csr}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# start COUNT PROGRAM [ARGUMENT]...: so many ranks, more than processors if need be; Open MPI wants to be asked for that, and to be
# allowed to run as root.
start() {
    count=$1
    shift
    case $("${MPIRUN:-mpirun}" --version 2>&1) in
    *"Open MPI"* | *OpenRTE*)
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 \
            "${MPIRUN:-mpirun}" --oversubscribe --bind-to none -n "$count" "$@" ;;
    *) "${MPIRUN:-mpirun}" -n "$count" "$@" ;;
    esac </dev/null
}

# scale STRONG|WEAK COUNT MATRIX: the lines of one matrix on so many ranks. What one rank took is kept in alone.json.
scale() {
    start "$2" "$folder/sparsight-mpi" report --format=json --threads="${THREADS:-1}" --repeat="${REPEAT:-100}" --kernels="$kernels" \
        -o "$scratch/ranks.json" "$3" || return
    "$folder/sparsight" report --format=json --kernels=cpu/csr-seq --repeat=3 --parts="$2" --partition=entries --network="$messages" -o "$scratch/one.json" "$3" || return
    [ "$2" -gt 1 ] || jq '[.matrices[0].kernels[] | select(.unavailable == null) | {(.kernel): .min_us}] | add' \
        "$scratch/ranks.json" >"$scratch/alone.json"
    echo '{}' >"$scratch/whole.json"
    if [ -n "${DEVICES-}" ]; then
        jq --argjson ranks "$2" 'map_values(. / $ranks)' "$scratch/alone.json" >"$scratch/whole.json"
    elif [ "$1" = strong ] && [ "$2" -le "$(nproc)" ]; then
        start 1 "$folder/sparsight-mpi" report --format=json --threads="$2" --repeat="${REPEAT:-100}" --kernels="$kernels" \
            -o "$scratch/threads.json" "$3" || return
        jq --argjson ranks "$2" '[.matrices[0].kernels[] | select(.unavailable == null and .threads == $ranks) | {(.kernel): .min_us}] | add // {}' \
            "$scratch/threads.json" >"$scratch/whole.json"
    fi
    jq -r --arg scaling "$1" --argjson whole "$(cat "$scratch/whole.json")" --argjson first "$(cat "$scratch/alone.json")" --argjson one "$(jq -c 'del(.matrices[].carried)' "$scratch/one.json")" \
        -f "$here/ranks.jq" "$scratch/ranks.json"
}

messages=$(start 2 "$network") || exit 1
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
