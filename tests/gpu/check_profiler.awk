# The plan of tests/profile_gpu compared with the counts of Nsight Compute: PLAN CSV. Line n of the plan is launch n of the CSV;
# that it is the same kernel with the same grid is looked at. Prints a line for each kernel, then each
# count that is not equal. Ratios are of all instructions, of which the traces know those that access memory:
# they are not compared but correlated. `more` are those which the plan says may be more, since they
# depend on timing. Exits with 1 if a count is not equal, or a launch is not there.

# Names without the parts in which profilers differ: arguments of the function, types of template arguments, words for 0 and 1.
function plain(name) {
    sub(/^void /, "", name)
    gsub(/\((bool|int|unsigned int)\)/, "", name)
    sub(/\(.*/, "", name)
    gsub(/ /, "", name)
    while (match(name, /[<,](true|false)[,>]/))
        name = substr(name, 1, RSTART) (substr(name, RSTART + 1, 1) == "t") substr(name, RSTART + RLENGTH - 1)
    return name
}

# "(64, 1, 1)" is 64.
function first(size) {
    gsub(/[(,]/, "", size)
    return size + 0
}

function short(counter) {
    sub(/\.sum$/, "", counter)
    sub(/^(smsp__sass_)?l1tex_?_(t|data)_/, "", counter)
    gsub(/pipe_lsu_|mem_/, "", counter)
    return counter
}

function trouble(text) {
    broken = 1
    bad++
    print "# " text
}

# Whether the counter is among those of the words of `loose`.
function may_be_more(counter, loose,    word, words, k) {
    words = split(loose, word, " ")
    for (k = 1; k <= words; k++)
        if (index(counter, word[k])) return 1
    return 0
}

function count(kernel, counter, predicted, counted, loose,    difference, share) {
    for (part_of = 1; part_of <= 2; part_of++) {
        total = part_of == 1 ? "kernel" SUBSEP kernel : "counter" SUBSEP counter
        counts[total]++
        if (counted == predicted) equal[total]++
        else if (loose && counted > predicted) more[total]++
        else other[total]++
    }
    sum_predicted[counter] += predicted
    sum_counted[counter] += counted
    if (counted == predicted || (loose && counted > predicted)) return
    bad++
    detail[++details] = where ": " short(counter) " " predicted " by the trace, " counted " counted"
    difference = counted - predicted
    share = (difference < 0 ? -difference : difference) / (predicted > 0 ? predicted : 1)
    if (share > largest[kernel]) {
        largest[kernel] = share
        at[kernel] = where
    }
}

function correlate(key, x, y) {
    n[key]++
    sx[key] += x
    sy[key] += y
    sxx[key] += x * x
    syy[key] += y * y
    sxy[key] += x * y
}

# Pearson's r, or "-" of too few, or where one of the two is always the same.
function correlation(key,    spread) {
    spread = (n[key] * sxx[key] - sx[key] ^ 2) * (n[key] * syy[key] - sy[key] ^ 2)
    return n[key] > 2 && spread > 1e-9 ? sprintf("%.4f", (n[key] * sxy[key] - sx[key] * sy[key]) / sqrt(spread)) : "-"
}

BEGIN { FS = "\t" }

NR == 1 {
    columns = split($0, title, "\t")
    next
}

NR == FNR {
    plan[planned++] = $0
    next
}

/^"ID"/ {
    fields = split(substr($0, 2, length($0) - 2), field, "\",\"")
    for (k in column) delete column[k]
    for (k = 1; k <= fields; k++) column[field[k]] = k
    next
}

/^"[0-9]/ && !broken {
    split(substr($0, 2, length($0) - 2), field, "\",\"")
    id = launch++
    if (id >= planned) {
        trouble("launch " id ", " plain(field[column["Kernel Name"]]) ", is not in the plan")
        next
    }
    split(plan[id], part, "\t")
    for (k = 1; k <= columns; k++) value[title[k]] = part[k]
    kernel = value["kernel"]
    where = value["matrix"] ", " kernel ":" value["parameters"] ", " value["precision"] ", " value["product"] ", " value["function"]
    name = plain(field[column["Kernel Name"]])
    blocks = first(field[column["Grid Size"]])
    threads = first(field[column["Block Size"]])
    if (name != plain(value["function"]) || blocks != value["blocks"] || threads != value["threads"]) {
        trouble("launch " id " should be " value["function"] ", " value["blocks"] " blocks of " value["threads"] \
            ", and is " name ", " blocks " of " threads ": the rest is not compared")
        next
    }
    launches[kernel]++
    compared++
    for (k = 10; k <= columns; k++) {
        counter = title[k]
        counted = counter in column ? field[column[counter]] : "none"
        gsub(/,/, "", counted)
        if (counted == "none" || counted == "") {
            trouble("launch " id " has no " counter)
            next
        }
        if (counter ~ /\.ratio$/) {
            if (part[k] !~ /nan/) {
                correlate(kernel, part[k] / 32, counted / 32)
                correlate("", part[k] / 32, counted / 32)
            }
        } else {
            count(kernel, counter, part[k] + 0, counted + 0, may_be_more(counter, value["at least"]))
        }
    }
}

END {
    missing = planned - compared
    printf "%-15s %8s %8s %8s %6s %6s %8s\n", "kernel", "launches", "counts", "equal", "not", "more", "r"
    fflush()
    sort = "sort"
    for (kernel in launches) {
        t = "kernel" SUBSEP kernel
        line = sprintf("%-15s %8d %8d %8d %6d %6d %8s", kernel, launches[kernel], counts[t], equal[t], other[t], more[t], correlation(kernel))
        if (other[t]) line = line sprintf("  largest difference %.2g%%: %s", 100 * largest[kernel], at[kernel])
        print line | sort
        all_counts += counts[t]
        all_equal += equal[t]
        all_other += other[t]
        all_more += more[t]
    }
    close(sort)
    printf "%-15s %8d %8d %8d %6d %6d %8s\n\n", "all", compared, all_counts, all_equal, all_other, all_more, correlation("")
    printf "%-35s %8s %8s %6s %6s %14s %14s\n", "counter", "counts", "equal", "not", "more", "by traces", "counted"
    for (k = 10; k <= columns; k++) {
        t = "counter" SUBSEP title[k]
        if (counts[t])
            printf "%-35s %8d %8d %6d %6d %14d %14d\n", short(title[k]), counts[t], equal[t], other[t], more[t], sum_predicted[title[k]], sum_counted[title[k]]
    }
    print ""
    printf "# r: of active lanes by the loads of the trace and by all instructions of the counter, over %d launches\n", n[""]
    for (k = 1; k <= details; k++) {
        if (k > 200) {
            print "# and " details - 200 " more"
            break
        }
        print "not equal: " detail[k]
    }
    if (missing > 0) print "# " missing " launches of the plan were not compared"
    exit bad > 0 || missing != 0 || !compared
}
