#!/bin/sh
# check_profiler.sh PROGRAM [KERNELS [MATRIX...]]: run PROGRAM, tests/profile_gpu, under Nsight Compute, and print how
# many of the counts that the kernels' traces predict are equal to those of the hardware, to the last one. Exits with 1
# if any is not, with 77 and the reason where that cannot be run. NCU names the profiler, PROFILE_GPU_COUNTS a folder
# that keeps the plan and the counts.
program=${1:?usage: check_profiler.sh PROGRAM [KERNELS [MATRIX...]]}
here=$(dirname -- "$0")
shift

skip() {
    echo "1..0 # SKIP $*"
    exit 77
}

[ -x "$program" ] || skip "built without CUDA: $program is not there"
why=$("$program" -g 2>&1) || skip "$why"
ncu=${NCU:-$(PATH=$PATH:/usr/local/cuda/bin command -v ncu)}
[ -n "$ncu" ] || skip "Nsight Compute is not installed: no ncu in PATH or /usr/local/cuda/bin (NCU names it)"

counts=${PROFILE_GPU_COUNTS:-$(mktemp -d)} || exit 1
[ -n "$PROFILE_GPU_COUNTS" ] || trap 'rm -rf "$counts"' EXIT
mkdir -p "$counts" || exit 1

metrics=$("$program" -m) || exit 1
"$ncu" --clock-control none --cache-control none --csv --page raw --print-units base --print-kernel-base demangled \
    --metrics "$metrics" --log-file "$counts/counted.csv" "$program" "$counts/plan" "$@" >"$counts/out" 2>"$counts/err"
status=$?
if grep -q ERR_NVGPUCTRPERM "$counts/counted.csv" "$counts/err"; then
    skip "the driver lets only root read the counters (ERR_NVGPUCTRPERM)"
fi
if [ $status -ne 0 ] || ! grep -q '^"ID"' "$counts/counted.csv"; then
    echo "check_profiler.sh: $ncu failed with status $status:" >&2
    grep -v '^"' "$counts/counted.csv" | tail -n 20 >&2
    cat "$counts/out" "$counts/err" >&2
    exit 1
fi
cat "$counts/err" >&2
printf '# '
tail -n 1 "$counts/out"
exec awk -f "$here/check_profiler.awk" "$counts/plan" "$counts/counted.csv"
