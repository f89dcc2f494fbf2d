#!/bin/sh
# gpu_times.sh SPARSIGHT FOLDER [MATRIX...]: time the kernels of CUDA and of cuSPARSE with their defaults on a GPU, for a table of times
# (data/measured/times-*.tsv): a report in JSON for each matrix goes into FOLDER, from which tests/forecast/table.py makes the table.
# Matrices whose CSR is larger than L2 (TIMES_CACHE, in bytes; 63 MB) are timed with caches flushed, others with warm ones. No matrix
# is begun after TIMES_BUDGET seconds (270). Without matrices, those of the standard list: large ones that no constant was fitted to and
# no rule was tuned on, small ones, and some of the runs before, by which tables are compared.
program=${1:?usage: gpu_times.sh SPARSIGHT FOLDER [MATRIX...]} folder=${2:?usage: gpu_times.sh SPARSIGHT FOLDER [MATRIX...]}
shift 2
small='gen:laplace3d,n=52 gen:laplace2d,n=530 gen:powerlaw,scale=16,edge=9 gen:random,m=90000,mean=11,spread=5 gen:blocks,n=52000,size=4,mean=4
gen:banded,n=40000,lower=250,upper=90,fill=0.05 gen:dissection,n=330 gen:stencil27,n=33 gen:arrow,n=60000 gen:mosaic,n=20000'
large='gen:laplace3d,n=220 gen:blocks,n=1600000,size=4,mean=5 gen:powerlaw,scale=21,edge=14 gen:random,m=3000000,mean=9,spread=6
gen:banded,n=2500000,lower=700,upper=90,fill=0.02 gen:stencil27,n=110 gen:random,m=900000,n=2600000,mean=30,spread=30
gen:dissection,n=2400'
before='gen:laplace2d,n=400 gen:stencil27,n=40 gen:random,m=100000,mean=8,spread=8 gen:laplace3d,n=130'
# shellcheck disable=SC2086 # these are lists
[ $# -gt 0 ] || set -- $small $large $before
kernels=${TIMES_KERNELS-'cuda/csr-* cuda/coo-* cuda/ell-* cuda/hyb cuda/hyb-fused cuda/sell cuda/dia cuda/jds-sections cuda/cmrs cuda/cmrs-padded cusparse'}
few=${TIMES_KERNELS-'cuda/csr-* cuda/coo-segmented cuda/ell-padded cuda/ell-bounded cuda/hyb cuda/sell cuda/dia cusparse'} # of large ones
mkdir -p "$folder" || exit 1
begun=$(date +%s) number=0
for matrix; do
    number=$((number + 1))
    if [ $(($(date +%s) - begun)) -ge "${TIMES_BUDGET:-270}" ]; then
        echo "no time for $matrix" >&2
        continue
    fi
    nnz=$("$program" report --format=json --kernels=none --convert=none "$matrix" | sed -n 's/.*"nnz": *\([0-9]*\).*/\1/p' | head -1)
    caches=warm
    [ "$((${nnz:-0} * 12))" -le "${TIMES_CACHE:-63000000}" ] || caches=cold
    cold= some=$kernels
    [ $caches = warm ] || cold=--cold some=$few
    # shellcheck disable=SC2086 # $cold may be nothing
    "$program" report --format=json --kernels="$some" --convert=none --precision=f64 --repeat=15 $cold --output="$folder/$number.$caches.json" \
        "$matrix" || echo "$matrix: not timed" >&2
done
