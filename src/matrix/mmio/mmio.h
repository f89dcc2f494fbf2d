/* The interface of NIST's Matrix Market I/O package for C, for programs that use it: it has the same names,
 * type codes and return codes. It needs only the C library. `make install` installs it with a library, and
 * `pkg-config --cflags --libs sparsight-mmio` finds both. The format is that of Boisvert, Pozo and Remington,
 * NISTIR 5935 (1996).
 *
 * This differs from NIST's code in some respects. Functions that write return 0 when they succeed, and values
 * are written with all their digits. Integer matrices can be read, and the field may be called double or
 * unsigned-integer. The case of the banner's words does not matter. A malformed number, or an index outside
 * the matrix, gives MM_NOT_MTX. Nothing is printed, and no input, however wrong, causes undefined behaviour.
 *
 * Indices count from 1, except in mm_read_unsymmetric_sparse. Numbers are read and written in the program's
 * locale. */
#ifndef SPARSIGHT_MATRIX_MMIO_MMIO_H
#define SPARSIGHT_MATRIX_MMIO_MMIO_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The longest line of a header, and the longest word of a line, each with its terminator. */
#define MM_MAX_LINE_LENGTH 1025
#define MM_MAX_TOKEN_LENGTH 64
#define MatrixMarketBanner "%%MatrixMarket"

/* A type code has a letter for each property of a matrix: object, format, field and symmetry.
 *   [0] M(atrix)
 *   [1] C(oordinate), A(rray)
 *   [2] R(eal), C(omplex), P(attern), I(nteger)
 *   [3] G(eneral), S(ymmetric), H(ermitian), (s)K(ew)
 * A blank is an unknown property. */
typedef char MM_typecode[4];

#define mm_is_matrix(typecode) ((typecode)[0] == 'M')

#define mm_is_sparse(typecode) ((typecode)[1] == 'C')
#define mm_is_coordinate(typecode) ((typecode)[1] == 'C')
#define mm_is_dense(typecode) ((typecode)[1] == 'A')
#define mm_is_array(typecode) ((typecode)[1] == 'A')

#define mm_is_complex(typecode) ((typecode)[2] == 'C')
#define mm_is_real(typecode) ((typecode)[2] == 'R')
#define mm_is_pattern(typecode) ((typecode)[2] == 'P')
#define mm_is_integer(typecode) ((typecode)[2] == 'I')

#define mm_is_symmetric(typecode) ((typecode)[3] == 'S')
#define mm_is_general(typecode) ((typecode)[3] == 'G')
#define mm_is_skew(typecode) ((typecode)[3] == 'K')
#define mm_is_hermitian(typecode) ((typecode)[3] == 'H')

/* These take the address of a type code. */
#define mm_set_matrix(typecode) ((*typecode)[0] = 'M')

#define mm_set_coordinate(typecode) ((*typecode)[1] = 'C')
#define mm_set_sparse(typecode) mm_set_coordinate(typecode)
#define mm_set_array(typecode) ((*typecode)[1] = 'A')
#define mm_set_dense(typecode) mm_set_array(typecode)

#define mm_set_complex(typecode) ((*typecode)[2] = 'C')
#define mm_set_real(typecode) ((*typecode)[2] = 'R')
#define mm_set_pattern(typecode) ((*typecode)[2] = 'P')
#define mm_set_integer(typecode) ((*typecode)[2] = 'I')

#define mm_set_symmetric(typecode) ((*typecode)[3] = 'S')
#define mm_set_general(typecode) ((*typecode)[3] = 'G')
#define mm_set_skew(typecode) ((*typecode)[3] = 'K')
#define mm_set_hermitian(typecode) ((*typecode)[3] = 'H')

/* Make the type code of an unknown matrix; its symmetry is general. */
#define mm_clear_typecode(typecode) \
    ((*typecode)[0] = (*typecode)[1] = (*typecode)[2] = ' ', (*typecode)[3] = 'G')
#define mm_initialize_typecode(typecode) mm_clear_typecode(typecode)

/* Functions return 0 if they succeed, else one of these codes. */
#define MM_COULD_NOT_READ_FILE 11
#define MM_PREMATURE_EOF 12
#define MM_NOT_MTX 13
#define MM_NO_HEADER 14
#define MM_UNSUPPORTED_TYPE 15
#define MM_LINE_TOO_LONG 16
#define MM_COULD_NOT_WRITE_FILE 17

/* The words of a banner. */
#define MM_MTX_STR "matrix"
#define MM_ARRAY_STR "array"
#define MM_DENSE_STR "array"
#define MM_COORDINATE_STR "coordinate"
#define MM_SPARSE_STR "coordinate"
#define MM_COMPLEX_STR "complex"
#define MM_REAL_STR "real"
#define MM_INT_STR "integer"
#define MM_PATTERN_STR "pattern"
#define MM_GENERAL_STR "general"
#define MM_SYMM_STR "symmetric"
#define MM_HERM_STR "hermitian"
#define MM_SKEW_STR "skew-symmetric"

/* Type codes */

/* Returns 1 if the four properties go together, else 0. A dense pattern, a real hermitian matrix, and a
 * hermitian or skew-symmetric pattern are impossible. */
int mm_is_valid(MM_typecode matcode);

/* Returns the words of a type code, such as "matrix coordinate real general", for the caller to free; NULL if
 * a property is not known. */
char *mm_typecode_to_str(MM_typecode matcode);

/* Returns a copy of s for the caller to free; NULL if there is no memory for it. */
char *mm_strdup(const char *s);

/* Reading, in this order: banner, size line, entries */

/* Read the banner, which is the first line. Returns MM_PREMATURE_EOF if the line is missing or lacks words,
 * MM_NO_HEADER if it does not begin with MatrixMarketBanner, MM_UNSUPPORTED_TYPE if a word is not known, and
 * MM_LINE_TOO_LONG. */
int mm_read_banner(FILE *f, MM_typecode *matcode);

/* Read the size line, which may follow comments and blank lines: rows, columns and entries of a coordinate
 * file; rows and columns of an array file. Returns MM_PREMATURE_EOF at the end of the file, MM_NOT_MTX if the
 * line has another number of numbers, and MM_LINE_TOO_LONG. */
int mm_read_mtx_crd_size(FILE *f, int *M, int *N, int *nz);
int mm_read_mtx_array_size(FILE *f, int *M, int *N);

/* Read all entries into arrays of the caller. I and J take nz indices each. val takes nz values, or 2 nz if
 * they are complex, the real and the imaginary part of each in turn; it is not used for a pattern. Returns
 * MM_PREMATURE_EOF, MM_NOT_MTX, or MM_UNSUPPORTED_TYPE if the type code has no field. */
int mm_read_mtx_crd_data(FILE *f, int M, int N, int nz, int I[], int J[], double val[], MM_typecode matcode);

/* Read one entry. *img changes only if the field is complex, and *real unless it is a pattern. */
int mm_read_mtx_crd_entry(FILE *f, int *I, int *J, double *real, double *img, MM_typecode matcode);

/* Read a whole coordinate file, or standard input if fname is "stdin". The caller has to free the arrays;
 * *val is NULL for a pattern. Returns MM_COULD_NOT_READ_FILE if the file cannot be opened or there is no
 * memory for it, and MM_UNSUPPORTED_TYPE if it is not a valid sparse matrix. On failure the arrays are NULL.
 */
int mm_read_mtx_crd(const char *fname, int *M, int *N, int *nz, int **I, int **J, double **val,
                    MM_typecode *matcode);

/* Read a whole coordinate file that is not complex; the entries of a pattern get the value 1. The entries are
 * those of the file, without mirror images if it is symmetric, and their indices count from 0. Returns -1 on
 * any failure, as NIST's function does. */
int mm_read_unsymmetric_sparse(const char *fname, int *M, int *N, int *nz, double **val, int **I, int **J);

/* Writing. These functions return MM_COULD_NOT_WRITE_FILE if the system refuses, and MM_UNSUPPORTED_TYPE if
 * matrices of this type code cannot be written. */

int mm_write_banner(FILE *f, MM_typecode matcode);
int mm_write_mtx_crd_size(FILE *f, int M, int N, int nz);
int mm_write_mtx_array_size(FILE *f, int M, int N);

/* Write a whole coordinate file, or to standard output if fname is "stdout". The arrays are as
 * mm_read_mtx_crd_data fills them. */
int mm_write_mtx_crd(const char *fname, int M, int N, int nz, int I[], int J[], double val[],
                     MM_typecode matcode);

#ifdef __cplusplus
}
#endif

#endif
