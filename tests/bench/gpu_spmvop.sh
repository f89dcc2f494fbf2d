#!/bin/sh
# gpu_spmvop.sh SPARSIGHT [BENCH_GPU [MATRIX...]]: cuSPARSE's SpMVOp on a GPU beside its other algorithms and the best of our
# kernels, in both precisions, all checked. Matrices that fit in L2 are timed by reports of SPARSIGHT, warm: SPMVOP_MATRICES lists
# them. SPMVOP_BENCH has options of BENCH_GPU. Larger ones are timed by BENCH_GPU, L2 flushed: its own table with what the kernels are to reach comes between. A line a
# matrix and precision: the medians in us, the time in ms that SpMVOp took for its plan, and three ratios. In the end, their
# geometric means. Decides nothing.
program=${1:?usage: gpu_spmvop.sh SPARSIGHT [BENCH_GPU [MATRIX...]]}
bench=${2-}
shift
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- stencil27-128 bcsstk33 DFL001 rmat-20-16 laplace2d-2000 random-band wiki-Vote BOYD2
standard="gen:stencil27,n=24 gen:laplace2d,n=300 gen:random,m=20000,mean=16 gen:powerlaw,scale=14,edge=16
gen:banded,n=50000,lower=8 gen:blocks,n=20000,size=4,mean=5"
kernels="cusparse cuda/csr-vector cuda/csr-segmented cuda/csr-balanced cuda/coo-segmented cuda/sell cuda/dia"

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# Write a line for the rows of each matrix and precision in a table of the report or of BENCH_GPU.
lines() {
    awk -v called="$2" '
        function flush() {
            if (!count) return
            printf "%-24.24s %s  %-9s %9.2f  %9s %9s  %8s %8s  %-22.22s %9.2f  %6s %6s %6s\n", matrix, precision, by["classic"],
                best["classic"], told("op1"), told("op2"), plan["op1"], plan["op2"], by["own"], best["own"], over("classic", "op"),
                over("classic", "own"), over("vendor", "own")
        }
        function told(who) { return who in best ? sprintf("%.2f", best[who]) : "-" }
        function over(a, b) { return a in best && b in best ? sprintf("%.2f", best[a] / best[b]) : "-" }
        function take(who, us, name) { if (!(who in best) || us + 0 < best[who]) { best[who] = us + 0; by[who] = name } }
        # Commas within quotes are no ends of fields.
        { n = split($0, part, "\""); $0 = ""; for (k = 1; k <= n; k++) { if (k % 2 == 0) gsub(",", ";", part[k]); $0 = $0 part[k] } }
        NR == 1 { n = split($0, name, ","); for (k = 1; k <= n; k++) at[name[k]] = k; next }
        {
            split($0, field, ",")
            now = called != "" ? called : field[at["matrix"]]
            if (now != matrix || field[at["precision"]] != precision) {
                flush(); split("", best); split("", by); plan["op1"] = plan["op2"] = "-"; count = 0
                matrix = now; precision = field[at["precision"]]
            }
            us = field[at["median_us"]]
            if (us == "") next
            count++
            kernel = field[at["kernel"]]; short = substr(kernel, index(kernel, "/") + 1)
            if (kernel ~ /^cuda/) { take("own", us, short); next }
            take("vendor", us, short)
            if (kernel !~ /csr-op/) { take("classic", us, short); next }
            take("op", us, short)
            take(substr(short, 5, 3), us, short)
            plan[substr(short, 5, 3)] = sprintf("%.2f", field[at["device_convert_us"]] / 1000)
        }
        END { flush() }' "$1"
}

heading() {
    printf '%s\n%-24s %s  %-9s %9s  %9s %9s  %8s %8s  %-22s %9s  %6s %6s %6s\n' "$1" matrix "   " cuSPARSE us csr-op1 csr-op2 \
        "ms plan1" plan2 own us op own new
}

"$program" kernels | grep -A3 '^cusparse/csr-op1' | grep -E 'cuSPARSE|available'
echo "cuSPARSE: the best without SpMVOp; op: that / the best of SpMVOp; own: that / the best own; new: the best of both / the best own"
heading "in L2, warm"
for matrix in ${SPMVOP_MATRICES-$standard}; do
    "$program" report --format=csv --kernels="$kernels" --precision=f32,f64 --repeat=15 "$matrix" >"$folder/report.csv" \
        2>"$folder/err" || cat "$folder/err" >&2
    for precision in f64 f32; do
        awk -v precision="$precision" 'NR == 1 || index($0, "," precision ",")' "$folder/report.csv" >"$folder/one.csv"
        lines "$folder/one.csv" "${matrix##*/}"
    done
done | tee "$folder/lines"
if [ -n "$bench" ]; then
    # shellcheck disable=SC2086 # SPMVOP_BENCH is a list of options
    "$bench" --csv="$folder/bench.csv" ${SPMVOP_BENCH-} "$@"
    heading "beyond L2, flushed"
    lines "$folder/bench.csv" "" | tee -a "$folder/lines"
fi
awk '
    { for (k = 0; k < 3; k++) if ($(NF - k) != "-") { sum[$2, k] += log($(NF - k)); count[$2, k]++ } }
    END {
        print "\ngeometric means: classic / SpMVOp, classic / own, best of both / own"
        for (p = 0; p < 2; p++) {
            precision = p ? "f32" : "f64"
            printf "%s", precision
            for (k = 2; k >= 0; k--) printf " %s", count[precision, k] ? sprintf("%.3f (%d)", exp(sum[precision, k] / count[precision, k]), count[precision, k]) : "-"
            print ""
        }
    }' "$folder/lines"
