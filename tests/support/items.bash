#!/bin/bash
# Print man/sparsight.1 with the present formats, orders and partitions: items.bash PROGRAM SRCDIR. They are the items of the list of
# each section, and come from the help.
set -eu -o pipefail
program=$1 source=$2 folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" report --help >"$folder/help"

items() { # items FIRST LAST SECTION
    sed "1,/$1/d; /$2/,\$d" "$folder/help" | awk -f "$source/tests/support/items.awk" >"$folder/$3"
    [ -s "$folder/$3" ]
}

items ' The formats:$' '^Exit status' FORMATS
items '^orders of rows and columns:$' '^Partitions of the rows' ORDERS
items '^Partitions of the rows' '^A LIST of' PARTITIONS

# The list of a section is its first one; lists within it are its items' own.
awk -v folder="$folder" '
    /^[.]Sh / { section = $2; listed = 0 }
    /^[.]Bl / && !depth && !listed && section ~ /^(FORMATS|ORDERS|PARTITIONS)$/ {
        print
        while ((getline line < (folder "/" section)) > 0) print line
        depth = listed = 1
        next
    }
    depth && /^[.]Bl / { depth++ }
    depth && /^[.]El/ { depth-- }
    !depth' "$source/man/sparsight.1"
