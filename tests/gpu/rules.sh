#!/bin/sh
# gpu_rules.sh PROGRAM [SECTION...]: run PROGRAM, tests/gpu_rules, under Nsight Compute, and print its predictions
# with the counts of the hardware: a line for each launch, then for each section how many counts are equal. Exits
# with 1 if any is not; skips, and says why, where that cannot be run. NCU names the profiler, GPU_RULES_COUNTS a
# folder that keeps its output.
program=${1:?usage: gpu_rules.sh PROGRAM [SECTION...]}
shift

skip() {
    echo "1..0 # SKIP $*"
    exit 0
}

[ -x "$program" ] || skip "built without CUDA: $program is not there"
why=$("$program" -g 2>&1) || skip "$why"
ncu=${NCU:-$(PATH=$PATH:/usr/local/cuda/bin command -v ncu)}
[ -n "$ncu" ] || skip "Nsight Compute is not installed: no ncu in PATH or /usr/local/cuda/bin (NCU names it)"

counts=${GPU_RULES_COUNTS:-$(mktemp -d)} || exit 1
[ -n "$GPU_RULES_COUNTS" ] || trap 'rm -rf "$counts"' EXIT
mkdir -p "$counts" || exit 1

# The names of the counters that a section is predicted for, separated by commas.
metrics_of() {
    awk '{ for (k = 7; k < NF && $k ~ /__/; k += 2) if (!seen[$k]++) list = list (list == "" ? "" : ",") $k }
         END { print list }' "$1"
}

# Predictions, then counts as ncu writes them: each field in quotes, figures with commas. Columns are found by
# their names, launches by their numbers.
compare() {
    awk '
    function short(name) {
        if (name ~ /requests/) return "requests"
        if (name ~ /sectors/) return "sectors"
        if (name ~ /set_accesses/) return "lines"
        return (name ~ /op_ld/ && section == "shared-atom" ? "load-" : "") (name ~ /wavefronts/ ? "wavefronts" : "conflicts")
    }
    NR == FNR { predicted[$1] = $0; section = $2; next }
    /^"/ {
        fields = split(substr($0, 2, length($0) - 2), field, "\",\"")
        if (field[1] == "ID") {
            for (k = 1; k <= fields; k++) column[field[k]] = k
            next
        }
        if (field[1] == "") next
        parts = split(predicted[field[1]], part, " ")
        launches++
        line = sprintf("%-12s %-10s %2d  %-22s %3d ", part[2], part[3], part[4], part[5], part[6])
        for (k = 7; k < parts && part[k] ~ /__/; k += 2) {
            counted = part[k] in column ? field[column[part[k]]] : "none"
            gsub(/,/, "", counted)
            same = counted != "none" && counted + 0 == part[k + 1]
            equal += same
            other += !same
            line = line sprintf(" %s %d %s%s", short(part[k]), part[k + 1], counted, same ? "" : " NOT EQUAL")
        }
        print line
    }
    END {
        missing = 0
        for (k in predicted) missing++
        missing -= launches
        printf "# %s: %d counts of %d launches equal, %d not", section, equal, launches, other
        if (missing) printf ", %d launches not counted", missing
        printf "\n\n"
        exit other > 0 || missing != 0
    }' "$1" "$2"
}

# shellcheck disable=SC2046 # a section is a word
[ $# -gt 0 ] || set -- $("$program")
echo "# section, how, bytes of an access, patterns, how many of them; then what is counted, predicted, counted"
result=0
for section; do
    predictions=$counts/$section.predicted
    "$program" -n "$section" >"$predictions" || exit 1
    "$ncu" --clock-control none --cache-control none --csv --page raw --print-units base \
        --metrics "$(metrics_of "$predictions")" --log-file "$counts/$section.csv" \
        "$program" "$section" >"$counts/$section.out" 2>"$counts/$section.err"
    status=$?
    if grep -q ERR_NVGPUCTRPERM "$counts/$section.csv" "$counts/$section.err"; then
        skip "the driver lets only root read the counters (ERR_NVGPUCTRPERM)"
    fi
    if [ $status -ne 0 ] || ! grep -q '^"ID"' "$counts/$section.csv"; then
        echo "gpu_rules.sh: $ncu failed with status $status:" >&2
        cat "$counts/$section.csv" "$counts/$section.err" >&2
        exit 1
    fi
    compare "$predictions" "$counts/$section.csv" || result=1
done
exit $result
