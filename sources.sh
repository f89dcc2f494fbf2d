#!/bin/sh
# Write sources.am, the lists of files that Makefile.am includes: folder and ending of a file decide on its list. Files and
# folders that a variable of Makefile.am names are in no list. autoreconf runs this (configure.ac), and make does whenever
# a folder has changed. An unchanged file is left alone: its folder may be read-only.
set -eu
cd "$(dirname "$0")"
LC_ALL=C
export LC_ALL

lists=$(find -H src tests -name '.?*' -prune -o -type f -print | sort | awk '
function add(list, file, folder) {
    files[list] = files[list] " \\\n\t" file
    for (folder = $0; sub(/\/[^\/]*$/, "", folder) && !(folder in known); known[folder] = 1)
        files["source_folders"] = files["source_folders"] " \\\n\t$(srcdir)/" folder
}

# The variables of Makefile.am.
FNR == NR {
    inside = goes_on || /^[A-Za-z0-9_]+ *\+?=/
    goes_on = inside && /\\$/
    count = inside ? split($0, words, /[^A-Za-z0-9_.\/-]+/) : 0
    while (count > 0) named[words[count--]] = 1
    next
}
{
    if ($0 in named) next
    for (folder = $0; sub(/\/[^\/]*$/, "", folder);) if (folder in named) next
    split($0, part, "/")
}
/^src\/ranks\/.*\.(c|h|def)$/ { add("ranks_sources", $0); next }
/^src\/ui\/(loop|terminal)\/.*\.[ch]$/ { add("curses_sources", $0); next }
/^src\/kernels\/cpu\/loops\/.*\.h$/ { add("loops_headers", $0); next }
/^src\/kernels\/cpu\/loops\/.*_portable\.c$/ { add("loops_portable", $0); next }
/^src\/kernels\/cpu\/loops\/.*_avx2(_[a-z]+)?\.c$/ { add("loops_avx2", $0); next }
/^src\/kernels\/cpu\/loops\/.*_avx512(_[a-z]+)?\.c$/ { add("loops_avx512", $0); next }
/^src\/.*\.(c|h|def)$/ { add("library_sources", $0); next }
/^src\/.*\.cu$/ { add("cuda_sources", $0); next }
/^src\/.*\.cuh$/ { add("cuda_headers", $0); next }
# Unit tests with linker flags in Makefile.am replace functions. They are linked with the code itself.
function unit(list, libraries, program) {
    program = $0
    sub(/\.c$/, "", program)
    add(list, program)
    gsub(/\//, "_", program)
    if (!(program "_LDFLAGS" in named))
        flags = flags program "_LDADD = " libraries "\n" program "_LDFLAGS = $(unit_ldflags)\n"
    return program
}
/^tests\/ranks\/.*\.c$/ {
    program = unit("ranks_units", "$(ranks_libraries)")
    flags = flags program "_CPPFLAGS = $(ranks_cppflags)\n"
    next
}
/^tests\/support\/.*\.[ch]$/ { add("support_sources", $0); next }
/^tests\/fuzz\/.*\.(c|h|def)$/ { add("fuzz_sources", $0); next }
/^tests\/.*\.c$/ { if (("src/" part[2]) in known) unit("unit_tests", "$(unit_libraries)"); next }
/\.bats$/ { add("bats_tests", $0); next }
/\.(awk|bash|css|csv|cu|cuh|fish|h|jq|js|json|list|md|mtx|plan|py|sh|txt|zsh)$/ { add("other_files", $0) }
END {
    print "# Made by sources.sh."
    order = split("library_sources curses_sources ranks_sources loops_headers loops_portable loops_avx2 loops_avx512 " \
                  "cuda_sources cuda_headers unit_tests ranks_units bats_tests support_sources fuzz_sources other_files " \
                  "source_folders", names, " ")
    for (k = 1; k <= order; k++) print names[k] " =" files[names[k]]
    printf "%s", flags
}' Makefile.am -)
[ "$lists" = "$(cat sources.am 2>/dev/null)" ] || printf '%s\n' "$lists" >sources.am
