# Make the table of kernels/cuda/resources.h from what ptxas -v prints about the kernels of all objects. The
# names stay mangled.
BEGIN {
    print "/* Made from the output of ptxas by resources.awk. */"
    print "#include <stddef.h>"
    print ""
    print "#include \"kernels/cuda/resources.h\""
    print ""
    print "const struct cuda_resources cuda_resources[] = {"
}

# Returns the number before some words in the line: 24 for "24 bytes stack frame".
function before(word, n) {
    if (!match($0, "[0-9]+ " word)) return 0
    n = substr($0, RSTART, RLENGTH)
    return n + 0
}

/Compiling entry function/ {
    split($0, part, "'")
    kernel = part[2]
    arch = part[4]
    sub(/^sm_/, "", arch)
}

/bytes stack frame/ && kernel != "" {
    stack = before("bytes stack frame")
    stores = before("bytes spill stores")
    loads = before("bytes spill loads")
}

/Used [0-9]+ registers/ && kernel != "" {
    printf "    {\"%s\", %d, %d, %d, %d, %d, %d},\n", kernel, arch, before("registers"), before("bytes smem"),
           stack, stores, loads
    kernel = ""
}

END {
    print "    {NULL, 0, 0, 0, 0, 0, 0},"
    print "};"
}
