# Make a table in C of files, so that they are compiled in: each file is an entry with its name and its text, of which each line
# is a string, and the last entry is empty. To be run with -v HEADER='room/file.h', which declares the table, -v TABLE='what name[]',
# and -v NAME=stem or NAME=ending, the part of a file's name, before or behind its last dot, that the entry has.
BEGIN {
    print "/* Made by texts.awk. */"
    print "#include <stddef.h>"
    print ""
    print "#include \"" HEADER "\""
    print ""
    print "const struct " TABLE " = {"
}

FNR == 1 {
    if (NR > 1) print "    },"
    name = FILENAME
    sub(/.*\//, "", name)
    if (NAME == "stem") sub(/\.[^.]*$/, "", name)
    else sub(/.*\./, "", name)
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
