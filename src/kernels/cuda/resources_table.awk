# Make the table of kernels/cuda/resources.h from texts as resources.awk writes them. If two of them know the same kernel
# for the same compute capability, the first one counts. The rows of a kernel stand together.
BEGIN {
    FS = "\t"
    print "/* Made from resources.txt by resources_table.awk. */"
    print "#include <stddef.h>"
    print ""
    print "#include \"kernels/cuda/resources.h\""
    print ""
    print "const struct cuda_resources cuda_resources[] = {"
}

/^#/ { next }

$1 == "kernel" {
    for (a = 2; a <= NF; a++) arch[a] = $a
    next
}

{
    if (!($1 in rows)) {
        kernel[++count] = $1
        rows[$1] = ""
    }
    for (a = 2; a <= NF; a++) {
        if ($a == "-" || told[$1, arch[a]]++) continue
        split($a "/0/0/0", number, "/")
        rows[$1] = rows[$1] sprintf("    {\"%s\", %d, %d, %d, %d, %d, %d},\n", $1, arch[a], number[1], number[2], number[3], number[4], number[5])
    }
}

END {
    for (k = 1; k <= count; k++) printf "%s", rows[kernel[k]]
    print "    {NULL, 0, 0, 0, 0, 0, 0},"
    print "};"
}
