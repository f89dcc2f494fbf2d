/* Prints the size of a Matrix Market file: what `minimal` links with the installed library. */
#include <stdio.h>

#include "mmio.h"

int main(int argc, char **argv)
{
    int rows, cols, entries;
    MM_typecode type;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file || mm_read_banner(file, &type) != 0 || mm_read_mtx_crd_size(file, &rows, &cols, &entries) != 0)
        return 1;
    printf("%d x %d, %d\n", rows, cols, entries);
    return 0;
}
