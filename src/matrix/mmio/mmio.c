#include "matrix/mmio/mmio.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/mmio/grammar.h"

/* Type codes */

/* Like NIST's function, this accepts an integer hermitian matrix. */
int mm_is_valid(MM_typecode matcode)
{
    enum mm_contradiction contradiction = mm_contradiction(matcode);
    return mm_is_matrix(matcode) &&
           (contradiction == MM_CONSISTENT ||
            (contradiction == MM_HERMITIAN_ELSEWHERE && !mm_is_real(matcode) && !mm_is_pattern(matcode)));
}

char *mm_strdup(const char *s)
{
    size_t length = strlen(s) + 1;
    char *copy = malloc(length);
    return copy ? memcpy(copy, s, length) : NULL;
}

/* Write the four words of a type code into text. Returns 0 if one of them is unknown, else 1. */
static int describe(const MM_typecode matcode, char *text, size_t size)
{
    const char *property[MM_PROPERTIES];
    for (int k = 0; k < MM_PROPERTIES; k++) {
        property[k] = mm_word_of((enum mm_property)k, matcode[k]);
        if (!property[k]) return 0;
    }
    snprintf(text, size, "%s %s %s %s", property[MM_OBJECT], property[MM_FORMAT], property[MM_FIELD],
             property[MM_SYMMETRY]);
    return 1;
}

char *mm_typecode_to_str(MM_typecode matcode)
{
    char text[MM_PROPERTIES * MM_MAX_TOKEN_LENGTH];
    return describe(matcode, text, sizeof text) ? mm_strdup(text) : NULL;
}

/* Reading the header */

/* A line of a header, which ends in '\n'. */
typedef char header_line[MM_MAX_LINE_LENGTH + 1];

/* Read a line. A last line without '\n' gets one. Of a line that does not fit, the rest is skipped, and
 * MM_LINE_TOO_LONG is returned. */
static int read_line(FILE *f, header_line line)
{
    size_t length = 0;
    int c = getc(f), too_long = 0;
    if (c == EOF) return MM_PREMATURE_EOF;
    for (; c != EOF && c != '\n'; c = getc(f)) {
        if (length + 1 < MM_MAX_LINE_LENGTH)
            line[length++] = (char)c;
        else
            too_long = 1;
    }
    line[length++] = '\n';
    line[length] = 0;
    return too_long ? MM_LINE_TOO_LONG : 0;
}

int mm_read_banner(FILE *f, MM_typecode *matcode)
{
    header_line line;
    struct mm_banner banner;
    mm_clear_typecode(matcode);
    int code = read_line(f, line);
    if (code) return code;
    const char *first = mm_first_word(line);
    enum mm_property wrong = mm_parse_banner(first, &banner);
    if (!mm_is_matrix(banner.matcode)) {
        banner.matcode[MM_OBJECT] = ' ';
        wrong = MM_OBJECT;
    }
    memcpy(*matcode, banner.matcode, sizeof banner.matcode);
    if (*banner.word[MM_SYMMETRY] == '\n') return MM_PREMATURE_EOF;
    if (!mm_is_word(first, MatrixMarketBanner)) return MM_NO_HEADER;
    return wrong == MM_PROPERTIES ? 0 : MM_UNSUPPORTED_TYPE;
}

/* Read a line of `wanted` sizes, and before it all comments, which may have any length, and blank lines. */
static int read_sizes(FILE *f, int wanted, struct mm_sizes *sizes)
{
    static const int64_t max[] = {INT_MAX, INT_MAX, INT_MAX};
    header_line line;
    int code;
    do {
        code = read_line(f, line);
        if (code && !(code == MM_LINE_TOO_LONG && mm_says_nothing(line))) return code;
    } while (mm_says_nothing(line));
    enum mm_size_fault fault = mm_parse_sizes(mm_first_word(line), wanted, max, sizes);
    return fault || *sizes->more != '\n' ? MM_NOT_MTX : 0;
}

int mm_read_mtx_crd_size(FILE *f, int *M, int *N, int *nz)
{
    struct mm_sizes sizes;
    *M = *N = *nz = 0;
    int code = read_sizes(f, 3, &sizes);
    if (code) return code;
    *M = (int)sizes.value[0];
    *N = (int)sizes.value[1];
    *nz = (int)sizes.value[2];
    return 0;
}

int mm_read_mtx_array_size(FILE *f, int *M, int *N)
{
    struct mm_sizes sizes;
    *M = *N = 0;
    int code = read_sizes(f, 2, &sizes);
    if (code) return code;
    *M = (int)sizes.value[0];
    *N = (int)sizes.value[1];
    return 0;
}

/* Reading entries */

/* Read a word. Returns MM_NOT_MTX for a word that does not fit, since it cannot be a number. */
static int read_token(FILE *f, char token[MM_MAX_TOKEN_LENGTH])
{
    int c, length = 0;
    do
        c = getc(f);
    while (c != EOF && isspace(c));
    for (; c != EOF && !isspace(c); c = getc(f)) {
        if (length + 1 == MM_MAX_TOKEN_LENGTH) return MM_NOT_MTX;
        token[length++] = (char)c;
    }
    token[length] = 0;
    return length ? 0 : MM_PREMATURE_EOF;
}

static int read_index(FILE *f, int *index)
{
    char token[MM_MAX_TOKEN_LENGTH], *end;
    int code = read_token(f, token);
    if (code) return code;
    errno = 0;
    long value = strtol(token, &end, 10);
    if (*end || errno || value < 1 || value > INT_MAX) return MM_NOT_MTX;
    *index = (int)value;
    return 0;
}

/* Replace Fortran's exponent letter d by e. Of the numbers that strtod reads, only hexadecimal ones have
 * other d's. */
static void mend_exponent(char *token)
{
    if (strpbrk(token, "xX")) return;
    char *exponent = strpbrk(token, "dD");
    if (exponent) *exponent = 'e';
}

static int read_value(FILE *f, double *value)
{
    char token[MM_MAX_TOKEN_LENGTH], *end;
    int code = read_token(f, token);
    if (code) return code;
    mend_exponent(token);
    double number = strtod(token, &end);
    if (*end) return MM_NOT_MTX;
    *value = number;
    return 0;
}

int mm_read_mtx_crd_entry(FILE *f, int *I, int *J, double *real, double *img, MM_typecode matcode)
{
    if (!mm_word_of(MM_FIELD, matcode[MM_FIELD])) return MM_UNSUPPORTED_TYPE;
    int code = read_index(f, I);
    if (!code) code = read_index(f, J);
    if (!code && !mm_is_pattern(matcode)) code = read_value(f, real);
    if (!code && mm_is_complex(matcode)) code = read_value(f, img);
    return code;
}

int mm_read_mtx_crd_data(FILE *f, int M, int N, int nz, int I[], int J[], double val[], MM_typecode matcode)
{
    int width = mm_is_pattern(matcode) ? 0 : mm_is_complex(matcode) ? 2 : 1;
    for (int k = 0; k < nz; k++) {
        double *value = width ? val + (size_t)width * (size_t)k : NULL;
        int code = mm_read_mtx_crd_entry(f, &I[k], &J[k], value, width == 2 ? value + 1 : NULL, matcode);
        if (code) return code;
        if (I[k] > M || J[k] > N) return MM_NOT_MTX;
    }
    return nz == 0 && !mm_word_of(MM_FIELD, matcode[MM_FIELD]) ? MM_UNSUPPORTED_TYPE : 0;
}

/* Reading whole files */

static int read_header(FILE *f, int *M, int *N, int *nz, MM_typecode *matcode)
{
    int code = mm_read_banner(f, matcode);
    if (code) return code;
    if (!mm_is_valid(*matcode) || !mm_is_sparse(*matcode)) return MM_UNSUPPORTED_TYPE;
    return mm_read_mtx_crd_size(f, M, N, nz);
}

/* Allocate at least one element, so that NULL always means failure. */
static void *array_of(int count, size_t size)
{
    return malloc((count > 0 ? (size_t)count : 1) * size);
}

/* Read the header and the entries. If `ones`, the entries of a pattern get the value 1. */
static int read_all(FILE *f, int *M, int *N, int *nz, int **I, int **J, double **val, MM_typecode *matcode,
                    int ones)
{
    int code = read_header(f, M, N, nz, matcode);
    if (code) return code;
    int pattern = mm_is_pattern(*matcode);
    *I = array_of(*nz, sizeof **I);
    *J = array_of(*nz, sizeof **J);
    if (!pattern || ones) *val = array_of(*nz, (mm_is_complex(*matcode) ? 2 : 1) * sizeof **val);
    if (!*I || !*J || ((!pattern || ones) && !*val)) return MM_COULD_NOT_READ_FILE;
    code = mm_read_mtx_crd_data(f, *M, *N, *nz, *I, *J, *val, *matcode);
    for (int k = 0; !code && pattern && ones && k < *nz; k++)
        (*val)[k] = 1;
    return code;
}

static int read_file(const char *fname, int *M, int *N, int *nz, int **I, int **J, double **val,
                     MM_typecode *matcode, int ones)
{
    *I = *J = NULL;
    *val = NULL;
    int standard = strcmp(fname, "stdin") == 0;
    FILE *f = standard ? stdin : fopen(fname, "r");
    if (!f) return MM_COULD_NOT_READ_FILE;
    int code = read_all(f, M, N, nz, I, J, val, matcode, ones);
    if (code && ferror(f)) code = MM_COULD_NOT_READ_FILE;
    if (!standard) fclose(f);
    if (code) {
        free(*I);
        free(*J);
        free(*val);
        *I = *J = NULL;
        *val = NULL;
    }
    return code;
}

int mm_read_mtx_crd(const char *fname, int *M, int *N, int *nz, int **I, int **J, double **val,
                    MM_typecode *matcode)
{
    return read_file(fname, M, N, nz, I, J, val, matcode, 0);
}

int mm_read_unsymmetric_sparse(const char *fname, int *M, int *N, int *nz, double **val, int **I, int **J)
{
    MM_typecode matcode;
    int code = read_file(fname, M, N, nz, I, J, val, &matcode, 1);
    if (!code && mm_is_complex(matcode)) {
        free(*I);
        free(*J);
        free(*val);
        *I = *J = NULL;
        *val = NULL;
        code = MM_UNSUPPORTED_TYPE;
    }
    if (code) return -1;
    for (int k = 0; k < *nz; k++) {
        (*I)[k]--;
        (*J)[k]--;
    }
    return 0;
}

/* Writing */

int mm_write_banner(FILE *f, MM_typecode matcode)
{
    char text[MM_PROPERTIES * MM_MAX_TOKEN_LENGTH];
    if (!describe(matcode, text, sizeof text)) return MM_UNSUPPORTED_TYPE;
    return fprintf(f, "%s %s\n", MatrixMarketBanner, text) < 0 ? MM_COULD_NOT_WRITE_FILE : 0;
}

int mm_write_mtx_crd_size(FILE *f, int M, int N, int nz)
{
    const int64_t size[] = {M, N, nz};
    return mm_write_sizes(f, size, 3);
}

int mm_write_mtx_array_size(FILE *f, int M, int N)
{
    const int64_t size[] = {M, N};
    return mm_write_sizes(f, size, 2);
}

static int write_entry(FILE *f, int i, int j, const double *val, MM_typecode matcode)
{
    int written;
    if (mm_is_pattern(matcode))
        written = fprintf(f, "%d %d\n", i, j);
    else if (mm_is_integer(matcode))
        written = fprintf(f, "%d %d %.0f\n", i, j, val[0]);
    else if (mm_is_complex(matcode))
        written = fprintf(f, "%d %d %.17g %.17g\n", i, j, val[0], val[1]);
    else
        written = fprintf(f, "%d %d %.17g\n", i, j, val[0]);
    return written < 0 ? MM_COULD_NOT_WRITE_FILE : 0;
}

static int write_all(FILE *f, int M, int N, int nz, const int I[], const int J[], const double val[],
                     MM_typecode matcode)
{
    int width = mm_is_pattern(matcode) ? 0 : mm_is_complex(matcode) ? 2 : 1;
    int code = mm_write_banner(f, matcode);
    if (!code) code = mm_write_mtx_crd_size(f, M, N, nz);
    for (int k = 0; !code && k < nz; k++)
        code = write_entry(f, I[k], J[k], width ? val + (size_t)width * (size_t)k : NULL, matcode);
    return code;
}

int mm_write_mtx_crd(const char *fname, int M, int N, int nz, int I[], int J[], double val[],
                     MM_typecode matcode)
{
    char text[MM_PROPERTIES * MM_MAX_TOKEN_LENGTH];
    if (!describe(matcode, text, sizeof text) || !mm_is_sparse(matcode) || !mm_is_valid(matcode))
        return MM_UNSUPPORTED_TYPE;
    int standard = strcmp(fname, "stdout") == 0;
    FILE *f = standard ? stdout : fopen(fname, "w");
    if (!f) return MM_COULD_NOT_WRITE_FILE;
    int code = write_all(f, M, N, nz, I, J, val, matcode);
    if ((standard ? fflush(f) : fclose(f)) != 0 && !code) code = MM_COULD_NOT_WRITE_FILE;
    return code;
}
