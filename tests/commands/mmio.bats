#!/usr/bin/env bats
# mmio.h stands alone: a program in C or C++ that knows nothing else of this one builds against it.

program='#include "matrix/mmio/mmio.h"
int main(void)
{
    MM_typecode matcode;
    int rows, cols, entries, *i, *j;
    double *values;
    mm_initialize_typecode(&matcode);
    mm_set_matrix(&matcode);
    if (!mm_is_valid(matcode)) return 1;
    return mm_read_unsymmetric_sparse("none.mtx", &rows, &cols, &entries, &values, &i, &j) != -1;
}'

builds() { # builds COMPILER SUFFIX
    command -v "$1" >/dev/null || skip "no $1 here"
    command -v cc >/dev/null || skip "no cc here"
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' "$program" >program."$2"
    cc -I"$SRCDIR/src" -c "$SRCDIR/src/matrix/mmio/mmio.c" -o mmio.o
    "$1" -Wall -Wextra -Werror -I"$SRCDIR/src" program."$2" mmio.o -o program
    ./program
}

@test "a C program builds against mmio alone" {
    builds cc c
}

@test "a C++ program builds against mmio alone" {
    builds c++ cc
}
