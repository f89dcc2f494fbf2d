#!/bin/sh
# gpu_products.sh SPARSIGHT [MATRIX...]: products with the transposed matrix and with several vectors on a GPU, the best of our
# kernels beside the best of cuSPARSE's, all checked and timed by reports of SPARSIGHT, one for each matrix and product. A line
# each: the medians in us, and how many times as long cuSPARSE's takes. In the end, the geometric mean and the smallest of these
# ratios for each product. Decides nothing. PRODUCTS is a list of PRODUCT,COLUMNS,LAYOUT; PRODUCTS_REPORT further options of
# the report, such as --precision=f32 or --cold.
program=${1:?usage: gpu_products.sh SPARSIGHT [MATRIX...]}
shift
[ $# -gt 0 ] || set -- gen:stencil27,n=48 gen:random,m=200000,mean=16 gen:powerlaw,scale=17,edge=16 gen:banded,n=200000,lower=32,fill=0.33
standard="A,2,rows A,2,columns A,4,rows A,4,columns A,8,rows A,8,columns A,16,rows A,16,columns A,32,rows A,32,columns
A,64,rows A,64,columns At,1,- At,4,rows At,4,columns At,8,rows At,8,columns At,32,rows At,32,columns"
kernels="cuda/csr-vector cuda/csr-balanced cuda/sell cuda/coo-atomic cuda/coo-segmented cusparse/csr-alg1 cusparse/csr-alg2
cusparse/coo-alg1 cusparse/coo-alg2"

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
for matrix; do
    for product in ${PRODUCTS:-$standard}; do
        IFS=, read -r transposed columns layout <<END
$product
END
        several="--columns=$columns --layout=$layout"
        [ "$columns" -gt 1 ] || several='' layout=-
        # shellcheck disable=SC2086 # PRODUCTS_REPORT and $several are lists
        "$program" report --format=csv --kernels="$kernels" --product="$transposed" $several \
            --repeat=15 ${PRODUCTS_REPORT-} "$matrix" >"$folder/report.csv" 2>"$folder/err" || cat "$folder/err" >&2
        awk -v matrix="${matrix##*/}" -v product="$transposed" -v columns="$columns" -v layout="$layout" '
            # Commas within quotes are no ends of fields.
            { n = split($0, part, "\""); $0 = ""; for (k = 1; k <= n; k++) { if (k % 2 == 0) gsub(",", ";", part[k]); $0 = $0 part[k] } }
            NR == 1 { split($0, name, ","); for (k in name) at[name[k]] = k; next }
            {
                split($0, field, ",")
                us = field[at["median_us"]]; who = field[at["backend"]] == "cuda" ? 1 : 2
                if (us != "" && (best[who] == "" || us + 0 < best[who] + 0)) { best[who] = us; by[who] = field[at["kernel"]] }
            }
            END {
                if (best[1] == "" || best[2] == "") exit
                printf "%-30s %-2s %2d %-7s  %-20s %10.1f  %-18s %10.1f  %6.2f\n", matrix, product, columns, layout, by[1], best[1],
                    by[2], best[2], best[2] / best[1]
            }' "$folder/report.csv"
    done
done | tee "$folder/lines"
awk '
    { key = $2 " " $3 " " $4; if (!(key in count)) order[++keys] = key; count[key]++; sum[key] += log($9); all += log($9); n++
      if (!(key in low) || $9 < low[key]) { low[key] = $9; where[key] = $1 } }
    END {
        if (!n) exit
        print "\nproduct, columns, layout: cuSPARSE / own, geometric mean, smallest, where"
        for (k = 1; k <= keys; k++) printf "%-16s %6.2f %6.2f  %s\n", order[k], exp(sum[order[k]] / count[order[k]]), low[order[k]], where[order[k]]
        printf "%-16s %6.2f\n", "all", exp(all / n)
    }' "$folder/lines"
