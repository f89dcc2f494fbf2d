# Make the table of what ptxas says of each kernel, from what ptxas -v prints about all objects: a line for each
# function, a column for each compute capability, REGISTERS/SHARED, and /STACK/STORES/LOADS of spills where there are any.
# Names stay mangled, and are in the order of the input. Kernels of CUB are left out: nobody asks for them, and their names differ from
# version to version. VERSION is that of nvcc.

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
    if (kernel ~ /^_ZN3cub/) {
        kernel = ""
        next
    }
    if (!(kernel in known)) {
        known[kernel] = 1
        kernels[++count] = kernel
    }
    if (!(arch in compiled)) {
        compiled[arch] = 1
        arches[++width] = arch
    }
}

/bytes stack frame/ && kernel != "" {
    stack = before("bytes stack frame")
    stores = before("bytes spill stores")
    loads = before("bytes spill loads")
}

/Used [0-9]+ registers/ && kernel != "" {
    spilled = stack + stores + loads > 0 ? "/" stack "/" stores "/" loads : ""
    told[kernel, arch] = before("registers") "/" before("bytes smem") spilled
    kernel = ""
}

END {
    print "# registers/shared memory in bytes of each kernel, by ptxas of nvcc " VERSION
    line = "kernel"
    for (a = 1; a <= width; a++) line = line "\t" arches[a]
    print line
    for (k = 1; k <= count; k++) {
        line = kernels[k]
        for (a = 1; a <= width; a++) line = line "\t" ((kernels[k], arches[a]) in told ? told[kernels[k], arches[a]] : "-")
        print line
    }
}
