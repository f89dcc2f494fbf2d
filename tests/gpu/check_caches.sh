#!/bin/sh
# check_caches.sh SPARSIGHT [MATRIX...]: what Nsight Compute counts of L1, L2 and the memory of a GPU beside what SPARSIGHT
# forecasts, for kernels whose product is one launch, each with caches that are emptied before. Exits with 1 if bytes of memory
# are off by more than 10% in the median, or by more than 25% at the 95th percentile; with 77 and the reason where that cannot
# be run. NCU names the profiler. CACHES_COUNTS is a folder that keeps what was counted, as NAME.all.csv; what lies there is not
# counted anew, so that it can be compared on a machine without a GPU. CACHES_GPU is the profile to forecast for, CACHES_REPORT
# further options of the report.
program=${1:?usage: check_caches.sh SPARSIGHT [MATRIX...]}
here=$(dirname -- "$0")
shift
[ $# -gt 0 ] || set -- gen:laplace2d,n=1200 gen:stencil27,n=80 gen:random,m=1500000,mean=12,spread=6 \
    gen:powerlaw,scale=19,edge=14 gen:banded,n=800000,lower=9000,upper=100,fill=0.002 gen:random,m=60000,mean=40,spread=40

kernels="cuda/csr-scalar cuda/csr-vector cuda/csr-balanced cuda/csr-segmented cuda/coo-atomic cuda/coo-segmented cuda/csc-atomic cuda/ell-padded
cuda/ell-bounded cuda/hyb-fused cuda/jds cuda/cmrs cuda/cmrs-padded cuda/sell"
metrics=lts__t_sectors_srcunit_tex_op_read.sum,lts__t_sectors.sum,dram__bytes_read.sum,dram__bytes_write.sum

skip() {
    echo "1..0 # SKIP $*"
    exit 77
}

# The counts of a matrix, in the file "$2". The report runs each kernel a few times, of which the first is taken.
count() {
    [ -s "$2" ] && return 0
    ncu=${NCU:-$(PATH=$PATH:/usr/local/cuda/bin command -v ncu)}
    [ -n "$ncu" ] || skip "Nsight Compute is not installed: no ncu in PATH or /usr/local/cuda/bin (NCU names it)"
    "$ncu" --clock-control none --cache-control all --csv --page raw --print-units base --print-kernel-base demangled \
        --metrics "$metrics" --log-file "$2" \
        "$program" report --format=csv --kernels="$kernels" --repeat=1 --warmup=0 "$1" >/dev/null 2>"$folder/err"
    grep -q ERR_NVGPUCTRPERM "$2" "$folder/err" && rm -f "$2" &&
        skip "the driver lets only root read the counters (ERR_NVGPUCTRPERM)"
    grep -q '^"[0-9]' "$2" && return 0
    rm -f "$2"
    skip "nothing was counted: $(tail -n 1 "$folder/err")"
}

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
counts=${CACHES_COUNTS:-$folder}
for matrix; do
    name=$(printf %s "${matrix##*/}" | tr ':,=' '___')
    count "$matrix" "$counts/$name.all.csv"
    # shellcheck disable=SC2086 # CACHES_REPORT is a list
    "$program" report --format=csv --gpu="${CACHES_GPU:-h200}" --kernels="$kernels" --repeat=1 --warmup=0 $CACHES_REPORT \
        "$matrix" >"$folder/report.csv" 2>"$folder/err" || [ -s "$folder/report.csv" ] || {
        cat "$folder/err" >&2
        exit 1
    }
    awk -v matrix="$name" -f "$here/check_caches.awk" "$folder/report.csv" "$counts/$name.all.csv" >>"$folder/pairs" || exit 1
done
awk -v summary=1 -f "$here/check_caches.awk" "$folder/pairs"
