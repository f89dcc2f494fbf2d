#include "matrix/mmio/mmio.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The words for each part of a type code. */
struct word {
    char letter;
    const char *text;
};

#define PARTS 4

static const struct word words[PARTS][5] = {
    {{'M', MM_MTX_STR}},
    {{'C', MM_COORDINATE_STR}, {'A', MM_ARRAY_STR}},
    {{'R', MM_REAL_STR}, {'C', MM_COMPLEX_STR}, {'P', MM_PATTERN_STR}, {'I', MM_INT_STR}},
    {{'G', MM_GENERAL_STR}, {'S', MM_SYMM_STR}, {'H', MM_HERM_STR}, {'K', MM_SKEW_STR}},
};

int mm_is_valid(MM_typecode matcode)
{
    if (!mm_is_matrix(matcode)) return 0;
    if (mm_is_dense(matcode) && mm_is_pattern(matcode)) return 0;
    if (mm_is_real(matcode) && mm_is_hermitian(matcode)) return 0;
    if (mm_is_pattern(matcode) && (mm_is_hermitian(matcode) || mm_is_skew(matcode))) return 0;
    return 1;
}

char *mm_strdup(const char *s)
{
    size_t length = strlen(s) + 1;
    char *copy = malloc(length);
    return copy ? memcpy(copy, s, length) : NULL;
}

static const char *word_of(int part, char letter)
{
    for (const struct word *word = words[part]; word->text; word++)
        if (word->letter == letter) return word->text;
    return NULL;
}

/* Write the four words into text; 0 if one is not known. */
static int describe(MM_typecode matcode, char *text, size_t size)
{
    const char *part[PARTS];
    for (int k = 0; k < PARTS; k++) {
        part[k] = word_of(k, matcode[k]);
        if (!part[k]) return 0;
    }
    snprintf(text, size, "%s %s %s %s", part[0], part[1], part[2], part[3]);
    return 1;
}

char *mm_typecode_to_str(MM_typecode matcode)
{
    char text[PARTS * MM_MAX_TOKEN_LENGTH];
    return describe(matcode, text, sizeof text) ? mm_strdup(text) : NULL;
}

/* Reading the header */

/* Read a line without its end; what does not fit is read over and MM_LINE_TOO_LONG returned. */
static int read_line(FILE *f, char line[MM_MAX_LINE_LENGTH])
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
    line[length] = 0;
    return too_long ? MM_LINE_TOO_LONG : 0;
}

static void make_lower(char *text)
{
    for (; *text; text++)
        *text = (char)tolower((unsigned char)*text);
}

/* The letter for a word of the banner, or 0. */
static char letter_of(int part, const char *text)
{
    for (const struct word *word = words[part]; word->text; word++)
        if (strcmp(word->text, text) == 0) return word->letter;
    return 0;
}

int mm_read_banner(FILE *f, MM_typecode *matcode)
{
    char line[MM_MAX_LINE_LENGTH], banner[MM_MAX_TOKEN_LENGTH], text[PARTS][MM_MAX_TOKEN_LENGTH];
    mm_clear_typecode(matcode);
    int code = read_line(f, line);
    if (code) return code;
    if (sscanf(line, "%63s %63s %63s %63s %63s", banner, text[0], text[1], text[2], text[3]) != 1 + PARTS)
        return MM_PREMATURE_EOF;
    if (strncmp(banner, MatrixMarketBanner, strlen(MatrixMarketBanner)) != 0) return MM_NO_HEADER;
    for (int k = 0; k < PARTS; k++) {
        make_lower(text[k]);
        char letter = letter_of(k, text[k]);
        if (!letter) return MM_UNSUPPORTED_TYPE;
        (*matcode)[k] = letter;
    }
    return 0;
}

/* A number from 0 to INT_MAX at *text, which moves on past it; -1 if there is none. */
static int read_count(const char **text)
{
    char *end;
    errno = 0;
    long value = strtol(*text, &end, 10);
    if (end == *text || errno || value < 0 || value > INT_MAX) return -1;
    if (*end && !isspace((unsigned char)*end)) return -1;
    *text = end;
    return (int)value;
}

static int is_blank(const char *text)
{
    return text[strspn(text, " \t\r\v\f")] == 0;
}

/* Read a line of `wanted` counts, after comments (of any length) and blank lines. */
static int read_size(FILE *f, int wanted, int size[])
{
    char line[MM_MAX_LINE_LENGTH];
    int code;
    do {
        code = read_line(f, line);
        if (code && !(code == MM_LINE_TOO_LONG && line[0] == '%')) return code;
    } while (line[0] == '%' || is_blank(line));
    const char *at = line;
    for (int k = 0; k < wanted; k++) {
        size[k] = read_count(&at);
        if (size[k] < 0) return MM_NOT_MTX;
    }
    return is_blank(at) ? 0 : MM_NOT_MTX;
}

int mm_read_mtx_crd_size(FILE *f, int *M, int *N, int *nz)
{
    int size[3];
    *M = *N = *nz = 0;
    int code = read_size(f, 3, size);
    if (code) return code;
    *M = size[0];
    *N = size[1];
    *nz = size[2];
    return 0;
}

int mm_read_mtx_array_size(FILE *f, int *M, int *N)
{
    int size[2];
    *M = *N = 0;
    int code = read_size(f, 2, size);
    if (code) return code;
    *M = size[0];
    *N = size[1];
    return 0;
}

/* Reading entries */

/* Read a word; one that does not fit is no number of any kind. */
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
    char token[MM_MAX_TOKEN_LENGTH];
    const char *at = token;
    int code = read_token(f, token);
    if (code) return code;
    int value = read_count(&at);
    if (value < 1) return MM_NOT_MTX;
    *index = value;
    return 0;
}

/* Fortran writes exponents with a d, which occurs in nothing else but hexadecimal numbers. */
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
    if (!word_of(2, matcode[2])) return MM_UNSUPPORTED_TYPE;
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
    return nz == 0 && !word_of(2, matcode[2]) ? MM_UNSUPPORTED_TYPE : 0;
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

/* Header and entries. A pattern gets values too if `ones`. */
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
    char text[PARTS * MM_MAX_TOKEN_LENGTH];
    if (!describe(matcode, text, sizeof text)) return MM_UNSUPPORTED_TYPE;
    return fprintf(f, "%s %s\n", MatrixMarketBanner, text) < 0 ? MM_COULD_NOT_WRITE_FILE : 0;
}

int mm_write_mtx_crd_size(FILE *f, int M, int N, int nz)
{
    return fprintf(f, "%d %d %d\n", M, N, nz) < 0 ? MM_COULD_NOT_WRITE_FILE : 0;
}

int mm_write_mtx_array_size(FILE *f, int M, int N)
{
    return fprintf(f, "%d %d\n", M, N) < 0 ? MM_COULD_NOT_WRITE_FILE : 0;
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
    char text[PARTS * MM_MAX_TOKEN_LENGTH];
    if (!describe(matcode, text, sizeof text) || !mm_is_sparse(matcode) || !mm_is_valid(matcode))
        return MM_UNSUPPORTED_TYPE;
    int standard = strcmp(fname, "stdout") == 0;
    FILE *f = standard ? stdout : fopen(fname, "w");
    if (!f) return MM_COULD_NOT_WRITE_FILE;
    int code = write_all(f, M, N, nz, I, J, val, matcode);
    if ((standard ? fflush(f) : fclose(f)) != 0 && !code) code = MM_COULD_NOT_WRITE_FILE;
    return code;
}
