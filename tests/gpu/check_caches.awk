# REPORT.csv COUNTED.csv, with matrix=NAME: a line for each kernel of the report whose function was counted, with what was
# forecast and counted of sectors that miss L1, bytes read and bytes written. With summary=1, of such lines: a table, and the
# median and the 95th percentile of the differences; exits with 1 if those of the bytes exceed 10% and 25%.

# The fields of a line of CSV, in which a comma may stand between quotation marks.
function split_csv(line, field,    count, value) {
    count = 0
    while (line != "" || count == 0) {
        if (match(line, /^"([^"]|"")*"/)) {
            value = substr(line, 2, RLENGTH - 2)
            gsub(/""/, "\"", value)
        } else {
            match(line, /^[^,]*/)
            value = substr(line, 1, RLENGTH)
        }
        line = substr(line, RLENGTH + 2)
        field[++count] = value
    }
    return count
}

function columns_of(line,    field, count, k) {
    for (k in column) delete column[k]
    count = split_csv(line, field)
    for (k = 1; k <= count; k++) column[field[k]] = k
}

# The function that a kernel launches, without its template arguments.
function function_of(kernel) {
    sub(/^cuda\//, "", kernel)
    sub(/:.*/, "", kernel)
    gsub(/-/, "_", kernel)
    return kernel == "jds" ? "jds_diagonals" : kernel == "cmrs" ? "cmrs_basic" : kernel
}

function percent(forecast, counted) {
    return counted > 0 ? 100 * (forecast / counted - 1) : 0
}

function size(number) {
    return number < 0 ? -number : number
}

# The share-quantile of the n numbers of list[what, 1], ...
function quantile(what, n, share,    k, j, least, value) {
    for (k = 1; k <= n; k++) {
        least = k
        for (j = k + 1; j <= n; j++) if (list[what, j] < list[what, least]) least = j
        value = list[what, k]
        list[what, k] = list[what, least]
        list[what, least] = value
    }
    k = int(share * n)
    if (k < share * n) k++
    return list[what, k > 0 ? k : 1]
}

summary {
    if (NR == 1) {
        printf "%-34s %-14s %10s %10s %7s %10s %10s %7s %9s %9s %7s\n", "matrix", "kernel", "miss L1", "counted", "", \
            "MB read", "counted", "", "written", "counted", "both"
    }
    n++
    list["miss", n] = size(percent($3, $4))
    list["read", n] = size(percent($5, $6))
    list["both", n] = size(percent($5 + $7, $6 + $8))
    printf "%-34s %-14s %10d %10d %+6.1f%% %10.2f %10.2f %+6.1f%% %9.2f %9.2f %+6.1f%%\n", substr($1, 1, 34), $2, $3, $4, \
        percent($3, $4), $5 / 1e6, $6 / 1e6, percent($5, $6), $7 / 1e6, $8 / 1e6, percent($5 + $7, $6 + $8)
    next
}

FNR == 1 && NR == 1 {
    columns_of($0)
    next
}

NR == FNR {
    split_csv($0, field)
    if (field[column["estimate.dram.reads"]] == "") next
    name = function_of(field[column["kernel"]])
    misses[name] = field[column["estimate.l2.misses"]]
    reads[name] = field[column["estimate.dram.reads"]]
    writes[name] = field[column["estimate.dram.writes"]]
    next
}

/^"ID"/ {
    columns_of($0)
    next
}

/^"[0-9]/ {
    split_csv($0, field)
    name = field[column["Kernel Name"]]
    sub(/^void /, "", name)
    gsub(/<unnamed>::|\(anonymous namespace\)::/, "", name)
    sub(/[<(].*/, "", name)
    if (!(name in misses) || name in done) next
    done[name] = 1
    for (k = 1; k <= 3; k++) {
        counted[k] = field[column[k == 1 ? "lts__t_sectors_srcunit_tex_op_read.sum" : k == 2 ? "dram__bytes_read.sum" : "dram__bytes_write.sum"]]
        gsub(/,/, "", counted[k])
    }
    printf "%s %s %.0f %.0f %.0f %.0f %.0f %.0f\n", matrix, name, misses[name], counted[1], reads[name], counted[2], writes[name], counted[3]
}

END {
    if (!summary) exit
    if (n == 0) {
        print "nothing was compared"
        exit 1
    }
    printf "\n# %d products; differences, median and 95th percentile:\n", n
    printf "# sectors that miss L1       %5.1f%% %5.1f%%\n", quantile("miss", n, 0.5), quantile("miss", n, 0.95)
    printf "# bytes read                 %5.1f%% %5.1f%%\n", quantile("read", n, 0.5), quantile("read", n, 0.95)
    printf "# bytes read and written     %5.1f%% %5.1f%%   (aims: 10%% and 25%%)\n", quantile("both", n, 0.5), quantile("both", n, 0.95)
    exit quantile("both", n, 0.5) > 10 || quantile("both", n, 0.95) > 25
}
