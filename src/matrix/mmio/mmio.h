/* The interface of NIST's Matrix Market I/O package for C, for programs that are written against it: the same
 * names, type codes and return codes. It needs nothing but the C library. `make install` puts it beside the
 * library, for `pkg-config --cflags --libs sparsight-mmio`. The format is Boisvert, Pozo and Remington,
 * NISTIR 5935 (1996).
 *
 * Where this differs from NIST's code: writing returns 0 when it succeeds and values are written with all
 * their digits; integer matrices can be read, and the field may be called double; the case of the banner's
 * words does not matter; a number that is none, or an index outside the matrix, is MM_NOT_MTX; nothing is
 * printed; and no input, however wrong, is undefined behaviour. Indices count from 1, except in
 * mm_read_unsymmetric_sparse. Numbers are read and written in the program's locale. */
#ifndef SPARSIGHT_MATRIX_MMIO_MMIO_H
#define SPARSIGHT_MATRIX_MMIO_MMIO_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longest line of a header, and longest word in it; each with its terminator. */
#define MM_MAX_LINE_LENGTH 1025
#define MM_MAX_TOKEN_LENGTH 64
#define MatrixMarketBanner "%%MatrixMarket"

/* Object, storage, field and symmetry, a letter each:
 *   [0] M(atrix)
 *   [1] C(oordinate), A(rray)
 *   [2] R(eal), C(omplex), P(attern), I(nteger)
 *   [3] G(eneral), S(ymmetric), H(ermitian), (s)K(ew)
 * A blank stands for what is not known. */
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

/* Nothing known, general. */
#define mm_clear_typecode(typecode) \
    ((*typecode)[0] = (*typecode)[1] = (*typecode)[2] = ' ', (*typecode)[3] = 'G')
#define mm_initialize_typecode(typecode) mm_clear_typecode(typecode)

/* What functions return other than 0, which is success. */
#define MM_COULD_NOT_READ_FILE 11
#define MM_PREMATURE_EOF 12
#define MM_NOT_MTX 13
#define MM_NO_HEADER 14
#define MM_UNSUPPORTED_TYPE 15
#define MM_LINE_TOO_LONG 16
#define MM_COULD_NOT_WRITE_FILE 17

/* The words of a header. */
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

/* 1 if the four parts go together: a dense pattern, a real hermitian, a hermitian or skew pattern do not. */
int mm_is_valid(MM_typecode matcode);

/* "matrix coordinate real general" and the like, for the caller to free; NULL if a part is not known. */
char *mm_typecode_to_str(MM_typecode matcode);

/* A copy of s, for the caller to free; NULL without memory. */
char *mm_strdup(const char *s);

/* Reading, in this order: banner, size, entries */

/* The first line. MM_PREMATURE_EOF if it lacks words or is not there, MM_NO_HEADER if it does not begin with
 * the banner, MM_UNSUPPORTED_TYPE for words that are not known, MM_LINE_TOO_LONG. */
int mm_read_banner(FILE *f, MM_typecode *matcode);

/* The size line, after comments and blank lines: rows, columns, entries; or rows, columns of an array.
 * MM_PREMATURE_EOF at the end of the file, MM_NOT_MTX if it is not made of such numbers, MM_LINE_TOO_LONG. */
int mm_read_mtx_crd_size(FILE *f, int *M, int *N, int *nz);
int mm_read_mtx_array_size(FILE *f, int *M, int *N);

/* All entries, into arrays of the caller: nz indices each, and nz values, 2 nz if complex (real and imaginary
 * part in turn); val is not looked at for a pattern. MM_PREMATURE_EOF, MM_NOT_MTX, or MM_UNSUPPORTED_TYPE if
 * the type code has no field. */
int mm_read_mtx_crd_data(FILE *f, int M, int N, int nz, int I[], int J[], double val[], MM_typecode matcode);

/* One entry. What the field lacks (the imaginary part, the value of a pattern) is left alone. */
int mm_read_mtx_crd_entry(FILE *f, int *I, int *J, double *real, double *img, MM_typecode matcode);

/* A whole coordinate file, or standard input if fname is "stdin". The arrays are the caller's to free; *val
 * is NULL for a pattern. MM_COULD_NOT_READ_FILE if it cannot be opened or there is no memory for it,
 * MM_UNSUPPORTED_TYPE if it is not a valid sparse matrix. On failure the arrays are NULL. */
int mm_read_mtx_crd(const char *fname, int *M, int *N, int *nz, int **I, int **J, double **val,
                    MM_typecode *matcode);

/* The same for real and integer matrices, and patterns with value 1; entries as stored, indices from 0. -1 on
 * any failure, as with NIST's. */
int mm_read_unsymmetric_sparse(const char *fname, int *M, int *N, int *nz, double **val, int **I, int **J);

/* Writing: MM_COULD_NOT_WRITE_FILE where the system refuses, MM_UNSUPPORTED_TYPE */

int mm_write_banner(FILE *f, MM_typecode matcode);
int mm_write_mtx_crd_size(FILE *f, int M, int N, int nz);
int mm_write_mtx_array_size(FILE *f, int M, int N);

/* A whole coordinate file, or to standard output if fname is "stdout"; arrays as mm_read_mtx_crd_data fills
 * them. */
int mm_write_mtx_crd(const char *fname, int M, int N, int nz, int I[], int J[], double val[],
                     MM_typecode matcode);

#ifdef __cplusplus
}
#endif

#endif
