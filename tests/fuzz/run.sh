#!/bin/sh
# run.sh: run fuzz targets that build.sh has built, one after another or JOBS at once, and print a table of them. It needs sh and
# coreutils, and neither the sources nor a compiler.
#
#     FUZZ_BUILD=FOLDER    the folder of build.sh; by default that of this script
#     TARGETS='npz mat'    these alone
#     MINUTES=10           minutes in all, which the targets share, JOBS at a time
#     RUNS=1000000         end a target after this number of executions, too; 0: none
#     JOBS=1               processes at once
#     FUZZ_OUT=FOLDER      where inputs that were found, logs and grown corpora go; by default FUZZ_BUILD/out
#
# Ends with 1 if anything was found: the inputs are in FUZZ_OUT/found, called TARGET-crash-..., -timeout-..., -oom-... or -leak-....
set -u
: "${FUZZ_BUILD:=$(cd "$(dirname "$0")" && pwd)}" "${MINUTES:=10}" "${RUNS:=0}" "${JOBS:=1}" "${TARGETS:=}"
: "${FUZZ_OUT:=$FUZZ_BUILD/out}"
if [ ! -d "$FUZZ_BUILD/bin" ]; then
    echo "run.sh: no programs in $FUZZ_BUILD/bin; 'make fuzz-build' makes them" >&2
    exit 2
fi
[ -n "$TARGETS" ] || TARGETS=$(ls "$FUZZ_BUILD/bin" | tr '\n' ' ')
count=0
for target in $TARGETS; do
    if [ ! -x "$FUZZ_BUILD/bin/$target" ]; then
        echo "run.sh: there is no target $target" >&2
        exit 2
    fi
    count=$((count + 1))
done
rounds=$(((count + JOBS - 1) / JOBS))
seconds=$((MINUTES * 60 / rounds))
[ "$seconds" -ge 1 ] || seconds=1
mkdir -p "$FUZZ_OUT/found" "$FUZZ_OUT/logs"
export OMP_NUM_THREADS=1
ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1:handle_abort=1
UBSAN_OPTIONS=print_stacktrace=1
export ASAN_OPTIONS UBSAN_OPTIONS

# A C library that is older than the programs' is replaced by theirs.
loader=
first=${TARGETS%% *}
if ! "$FUZZ_BUILD/bin/$first" -help=1 >/dev/null 2>&1; then
    for file in "$FUZZ_BUILD"/lib/system/ld-linux*; do
        loader="$file --library-path $FUZZ_BUILD/lib/system:$FUZZ_BUILD/lib"
    done
    if ! $loader "$FUZZ_BUILD/bin/$first" -help=1 >/dev/null 2>&1; then
        echo "run.sh: $FUZZ_BUILD/bin/$first does not start here" >&2
        exit 2
    fi
fi

run_one() { # TARGET
    bytes=$(sed -n "s/^$1 \([0-9]*\) .*/\1/p" "$FUZZ_BUILD/targets")
    mkdir -p "$FUZZ_OUT/corpus/$1"
    $loader "$FUZZ_BUILD/bin/$1" -max_len="$bytes" -max_total_time="$seconds" ${RUNS:+$([ "$RUNS" = 0 ] || echo "-runs=$RUNS")} -timeout=10 \
        -rss_limit_mb=2048 -malloc_limit_mb=16384 -print_final_stats=1 -use_value_profile=0 -artifact_prefix="$FUZZ_OUT/found/$1-" \
        "$FUZZ_OUT/corpus/$1" "$FUZZ_BUILD/corpus/$1" >"$FUZZ_OUT/logs/$1" 2>&1
    echo $? >"$FUZZ_OUT/logs/$1.status"
}

# JOBS workers take a target each, as others end. A folder that is made by one alone is a lock.
rm -rf "$FUZZ_OUT/taken"
mkdir "$FUZZ_OUT/taken"
worker=0
while [ "$worker" -lt "$JOBS" ]; do
    for target in $TARGETS; do
        mkdir "$FUZZ_OUT/taken/$target" 2>/dev/null && run_one "$target"
    done &
    worker=$((worker + 1))
done
wait

# The last lines of a log: "#123 DONE cov: 45 ft: 67 corp: 8/90b ..."
number() { # LOG WORD
    grep -E '^#[0-9]+' "$1" | tail -n 1 | sed -n "s/.* $2: \([0-9]*\).*/\1/p"
}
total=0
found=0
printf '%-16s %12s %9s %7s %7s %7s  %s\n' target executions per-second cov ft corpus found
for target in $TARGETS; do
    log=$FUZZ_OUT/logs/$target
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    [ -n "$runs" ] || runs=$(grep -oE '^#[0-9]+' "$log" | tail -n 1 | tr -d '#')
    cases=$(ls "$FUZZ_OUT/found" | grep -c "^$target-[a-z]*-")
    if [ "$cases" = 0 ] && [ "$(cat "$log.status")" != 0 ]; then cases=1; fi
    printf '%-16s %12s %9s %7s %7s %7s  %s\n' "$target" "${runs:-0}" "${speed:--}" "$(number "$log" cov)" "$(number "$log" ft)" \
        "$(number "$log" corp)" "$cases"
    total=$((total + ${runs:-0}))
    found=$((found + cases))
done
printf '%-16s %12s %9s %7s %7s %7s  %s\n' all "$total" '' '' '' '' "$found"
if [ "$found" != 0 ]; then
    echo "found inputs are in $FUZZ_OUT/found, what they do in $FUZZ_OUT/logs" >&2
    exit 1
fi
