# Make the table completion_scripts of command/completion/scripts.h from the scripts: each file is an entry with its ending,
# and each of its lines a string.
BEGIN {
    print "/* Made from the scripts beside scripts.awk. */"
    print "#include <stddef.h>"
    print ""
    print "#include \"command/completion/scripts.h\""
    print ""
    print "const struct completion_script completion_scripts[] = {"
}

FNR == 1 {
    if (NR > 1) print "    },"
    name = FILENAME
    sub(/.*\./, "", name)
    printf "    {\n        \"%s\",\n", name
}

{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    printf "        \"%s\\n\"\n", $0
}

END {
    if (NR > 0) print "    },"
    print "    {NULL, NULL},"
    print "};"
}
