# The items of a section of man/sparsight.1, from those of a help: "name  summary", "    parameter help (range and default)", "    listed as ...",
# "    source: ...". Why something is not available is a matter of one machine, and left out.
function end_list() {
    if (inside) print ".El"
    inside = 0
}

function sentence(words) {
    end_list()
    print ".br"
    print words "."
}

/^$/ || /^    not available: / { next }
/^    listed as / { sentence("Listed as " substr($0, 15)); next }
/^    source: / { sentence("Source: " substr($0, 13)); next }
/^    / {
    if (!inside) print ".Bl -tag -width Ds -compact"
    inside = 1
    match($0, / [(][^()]*[)]$/)
    help = substr($0, 1, RSTART - 1)
    sub(/^ *[^ ]+ +/, "", help)
    print ".It Va " $1 " Pq " substr($0, RSTART + 2, RLENGTH - 3)
    print help
    next
}
{
    end_list()
    print ".It Cm " $1
    sub(/^[^ ]+ +/, "")
    print
}
END { end_list() }
