#!/bin/sh
# scaling.sh FOLDER [RANKS...]: predictions of scaling by the programs in FOLDER, beside times over these numbers of ranks of this machine (2 unless they are
# given). First it measures the messages of as many ranks as a node will have, and keeps them in a folder of its own; the profile of the processors is the kept
# one. The time of one rank, and those of several, are launched in turns, LAUNCHES times (3), and the fastest sample of all counts: on a machine with
# other programs on it, medians are theirs. The prediction is the program's: the share of the parts' computing in the time of one rank, and the messages, which overlap. A line
# of tabs for each matrix and number of ranks. Decides nothing.
#
# MATRICES is a list of matrices, KERNEL a kernel, PARTITION a partition, REPEAT the samples, MPIRUN the command that starts ranks.
folder=${1:?usage: scaling.sh FOLDER [RANKS...]}
shift
[ $# -gt 0 ] || set -- 2
kernel=${KERNEL-cpu/csr-omp} partition=${PARTITION-entries} repeat=${REPEAT:-100}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# start COUNT ARGUMENT...: sparsight-mpi with so many ranks of one thread, each on its own core.
start() {
    count=$1
    shift
    case $("${MPIRUN:-mpirun}" --version 2>&1) in
    *"Open MPI"* | *OpenRTE*)
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "${MPIRUN:-mpirun}" --map-by slot:PE=1 --bind-to core -n "$count" "$folder/sparsight-mpi" "$@" ;;
    *) "${MPIRUN:-mpirun}" -n "$count" "$folder/sparsight-mpi" "$@" ;;
    esac </dev/null
}

# sample NAME COUNT MATRIX: launch once more, and keep the fastest time of a product in us in the file NAME.
sample() {
    start "$2" report --format=json --threads=1 --repeat="$repeat" --kernels="$kernel" --partition="$partition" -o "$scratch/once.json" "$3" || return
    took=$(jq '.matrices[0].kernels[0].min_us' "$scratch/once.json")
    [ ! -e "$scratch/$1" ] || took=$(printf '%s\n%s\n' "$took" "$(cat "$scratch/$1")" | sort -g | head -n 1)
    echo "$took" >"$scratch/$1"
}

# The network that the user keeps stays as it is.
cache=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$scratch/cache/sparsight"
[ ! -d "$cache/sparsight/processors" ] || cp -r "$cache/sparsight/processors" "$scratch/cache/sparsight/"
export XDG_CACHE_HOME="$scratch/cache"
most=$(printf '%s\n' "$@" | sort -n | tail -n 1)
start "$most" report --network=measure:here || exit 1
echo "# $(date -u +%F), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) processors; $kernel by $partition; $("$folder/sparsight" --version)," \
    "$("${MPIRUN:-mpirun}" --version 2>&1 | head -n 1)"
sed 's/^/# /' "$scratch/cache/sparsight/networks/here"
printf 'matrix\trows\tnnz\tranks\tone_us\tleast_us\tspeedup\tpredicted_us\tpredicted_speedup\terror\tcompute_share\texchange_us\n'
for matrix in ${MATRICES-gen:stencil27,n=60 gen:banded,n=200000 gen:powerlaw,scale=15}; do
    rm -f "$scratch"/ranks-*
    for launch in $(seq "${LAUNCHES:-3}"); do
        sample ranks-1 1 "$matrix" || continue 2
        for ranks; do sample "ranks-$ranks" "$ranks" "$matrix" || continue 3; done
    done
    parts=$(printf '%s,' "$@")
    # Without mpirun, so that the rank is bound to no core and finds the profile of all.
    "$folder/sparsight-mpi" report --format=json --threads=1 --repeat=10 --kernels="$kernel" --partition="$partition" --parts="${parts%,}" --network=here \
        -o "$scratch/one.json" "$matrix" || continue
    for ranks; do
        jq -r --argjson ranks "$ranks" --argjson one "$(cat "$scratch/ranks-1")" --argjson least "$(cat "$scratch/ranks-$ranks")" '
            def rounded($digits): . * pow(10; $digits) | round / pow(10; $digits);
            .matrices[0] as $m | $m.distribution as $d | ($d.partitions[] | select(.parts == $ranks)) as $part
            | (($part.predicted_us - $part.exchange_us) / $d.single_us) as $share
            | (($part.predicted_us - $part.overlap_us) / $d.single_us) as $hidden
            | ($one * ($share - $hidden) + $part.exchange_us) as $predicted
            | [$m.name, $m.rows, $m.nnz, $ranks, ($one | rounded(1)), ($least | rounded(1)), ($one / $least | rounded(2)), ($predicted | rounded(1)),
               ($one / $predicted | rounded(2)), ($predicted / $least - 1 | rounded(3)), ($share | rounded(3)), ($part.exchange_us | rounded(1))]
            | map(tostring) | join("\t")' "$scratch/one.json"
    done
done
