# Make the table gpu_files of kernels/gpu/profile.h from the files of data/gpus: each file is an entry with the
# file's name without ".gpu", and each of its lines a string.
BEGIN {
    print "/* Made from data/gpus by profiles.awk. */"
    print "#include <stddef.h>"
    print ""
    print "#include \"kernels/gpu/profile.h\""
    print ""
    print "const struct gpu_file gpu_files[] = {"
}

FNR == 1 {
    if (NR > 1) print "    },"
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.gpu$/, "", name)
    printf "    {\n        \"%s\",\n", name
}

{
    gsub(/\\/, "\\\\")
    gsub(/"/, "\\\"")
    printf "        \"%s\\n\"\n", $0
}

END {
    if (NR > 0) print "    },"
    print "    {NULL, NULL},"
    print "};"
}
