#!/usr/bin/env bats
# mmio.h is independent: a C or C++ program that uses nothing else of this package builds with it, installed or from its
# sources.

load ../support/helper

# The calls of a program for NIST's package; every function and macro appears once.
program() { # program HEADER
    cat <<END
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "$1"

static int names(void)
{
    MM_typecode matcode;
    mm_initialize_typecode(&matcode);
    mm_clear_typecode(&matcode);
    mm_set_matrix(&matcode);
    mm_set_coordinate(&matcode);
    mm_set_array(&matcode);
    mm_set_dense(&matcode);
    mm_set_sparse(&matcode);
    mm_set_complex(&matcode);
    mm_set_pattern(&matcode);
    mm_set_integer(&matcode);
    mm_set_real(&matcode);
    mm_set_symmetric(&matcode);
    mm_set_skew(&matcode);
    mm_set_hermitian(&matcode);
    mm_set_general(&matcode);
    char *words = mm_typecode_to_str(matcode), *copy = mm_strdup(MM_MTX_STR " " MM_SPARSE_STR " " MM_REAL_STR " " MM_GENERAL_STR);
    int same = words && copy && strcmp(words, copy) == 0;
    free(words);
    free(copy);
    return same && mm_is_valid(matcode) && mm_is_matrix(matcode) && mm_is_sparse(matcode) && mm_is_coordinate(matcode) &&
           !mm_is_dense(matcode) && !mm_is_array(matcode) && !mm_is_complex(matcode) && mm_is_real(matcode) &&
           !mm_is_pattern(matcode) && !mm_is_integer(matcode) && !mm_is_symmetric(matcode) && mm_is_general(matcode) &&
           !mm_is_skew(matcode) && !mm_is_hermitian(matcode) && MM_COULD_NOT_READ_FILE + MM_PREMATURE_EOF + MM_NOT_MTX +
           MM_NO_HEADER + MM_UNSUPPORTED_TYPE + MM_LINE_TOO_LONG + MM_COULD_NOT_WRITE_FILE == 98 &&
           strcmp(MM_ARRAY_STR MM_DENSE_STR MM_COORDINATE_STR MM_COMPLEX_STR MM_INT_STR MM_SYMM_STR MM_HERM_STR MM_SKEW_STR
                  MM_PATTERN_STR, "arrayarraycoordinatecomplexintegersymmetrichermitianskew-symmetricpattern") == 0 && MM_MAX_LINE_LENGTH == 1025 && MM_MAX_TOKEN_LENGTH == 64;
}

int main(void)
{
    int rows, cols, entries, *i, *j, k, failed = 1;
    double *values, value;
    MM_typecode matcode;
    FILE *f = fopen("given.mtx", "r");
    if (!names() || !f || mm_read_banner(f, &matcode) || mm_read_mtx_crd_size(f, &rows, &cols, &entries)) return 1;
    i = (int *)malloc((size_t)entries * sizeof *i);
    j = (int *)malloc((size_t)entries * sizeof *j);
    values = (double *)malloc((size_t)entries * sizeof *values);
    if (i && j && values && mm_read_mtx_crd_entry(f, &i[0], &j[0], &value, NULL, matcode) == 0) {
        values[0] = value;
        failed = mm_read_mtx_crd_data(f, rows, cols, entries - 1, i + 1, j + 1, values + 1, matcode) ||
                 mm_write_mtx_crd("written.mtx", rows, cols, entries, i, j, values, matcode);
    }
    free(i);
    free(j);
    free(values);
    fclose(f);
    if (failed || mm_read_mtx_crd("written.mtx", &rows, &cols, &entries, &i, &j, &values, &matcode)) return 2;
    for (k = 0; k < entries; k++)
        printf("%d %d %g\n", i[k], j[k], values[k]);
    free(i);
    free(j);
    free(values);
    if (mm_read_unsymmetric_sparse("written.mtx", &rows, &cols, &entries, &values, &i, &j)) return 3;
    printf("%d x %d, the last in row %d of 0 to %d\n", rows, cols, i[entries - 1], rows - 1);
    free(i);
    free(j);
    free(values);
    if (mm_write_banner(stdout, matcode) || mm_write_mtx_crd_size(stdout, rows, cols, entries)) return 4;
    mm_set_array(&matcode);
    f = tmpfile();
    if (!f || mm_write_banner(f, matcode) || mm_write_mtx_array_size(f, 4, 5)) return 5;
    rewind(f);
    if (mm_read_banner(f, &matcode) || mm_read_mtx_array_size(f, &rows, &cols) || rows != 4 || cols != 5) return 6;
    fclose(f);
    return 0;
}
END
}

# The built program, run on a file. Its output is in out.
runs() {
    printf '%%%%MatrixMarket matrix coordinate real general\n%% three entries\n3 4 3\n1 2 5\n2 1 -0.5\n3 4 1e3\n' >given.mtx
    ./program >out
    printf '1 2 5\n2 1 -0.5\n3 4 1000\n3 x 4, the last in row 2 of 0 to 2\n%%%%MatrixMarket matrix coordinate real general\n3 4 3\n' >expected
    diff expected out
}

from_sources() { # from_sources COMPILER SUFFIX
    need "$1"
    need cc
    cd "$BATS_TEST_TMPDIR"
    program matrix/mmio/mmio.h >program."$2"
    for source in "$SRCDIR"/src/matrix/mmio/*.c; do
        cc -I"$SRCDIR/src" -c "$source"
    done
    "$1" -Wall -Wextra -Werror -I"$SRCDIR/src" program."$2" ./*.o -o program
    runs
}

# Installed below this test's folder, and found by pkg-config only. The library is instrumented if the build is.
installed() { # installed COMPILER SUFFIX
    need "$1"
    need pkg-config
    cd "$BATS_TEST_TMPDIR"
    local root=$PWD/root libdir flags sanitizers
    env -u MAKEFLAGS -u MAKELEVEL make -s -C "$BUILDDIR" DESTDIR="$root" install-libLIBRARIES install-mmioHEADERS install-pkgconfigDATA
    libdir=$(pkg-config --variable=libdir "$BUILDDIR/src/matrix/mmio/sparsight-mmio.pc")
    flags=$(PKG_CONFIG_PATH=$root$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root pkg-config --cflags --libs sparsight-mmio)
    sanitizers=$(sed -n 's/^CFLAGS = //p' "$BUILDDIR/Makefile" | tr ' ' '\n' | grep -e '^-fsanitize' || true)
    program mmio.h >program."$2"
    # shellcheck disable=SC2086 # lists of words
    "$1" -Wall -Wextra -Werror program."$2" $flags $sanitizers -o program
    runs
}

@test "a C program builds against mmio alone" {
    from_sources cc c
}

@test "a C++ program builds against mmio alone" {
    from_sources c++ cc
}

@test "a C program builds against the library that is installed" {
    installed cc c
}

@test "a C++ program builds against the library that is installed" {
    installed c++ cc
}
