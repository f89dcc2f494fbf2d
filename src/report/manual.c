#include "report/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "formats/format.h"
#include "kernels/kernel.h"
#include "report/text/text.h"

/* Append words as lines of text without macros or escapes. Each sentence ends a line, as mdoc requires. */
static void append_words(struct text *text, const char *words)
{
    for (const char *c = words; *c; c++) {
        bool starts = c == words || c[-1] == '\n';
        if (starts && (*c == '.' || *c == '\'')) text_append(text, "\\&");
        if (*c == '\\')
            text_append(text, "\\e");
        else if (c[0] == ' ' && c > words && c[-1] == '.' && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", c[1]) &&
                 c - words > 2 && c[-2] >= 'a' && c[-3] >= 'a')
            text_append(text, "\n"); /* but not after an abbreviation such as J. or Sci. */
        else
            text_append_bytes(text, c, 1);
    }
    text_append(text, "\n");
}

/* Append words literally, line by line. */
static void append_display(struct text *text, const char *words)
{
    text_append(text, ".Bd -literal -offset 2n\n");
    for (const char *c = words; *c; c++) {
        if ((c == words || c[-1] == '\n') && (*c == '.' || *c == '\'')) text_append(text, "\\&");
        text_append(text, *c == '\\' ? "\\e" : "%c", *c);
    }
    text_append(text, ".Ed\n");
}

/* Append the suitable matrices, if the descriptor names them. */
static void append_wins(struct text *text, const char *wins)
{
    if (!wins) return;
    text_append(text, ".Pp\n");
    append_words(text, wins);
}

static void append_source(struct text *text, const char *source)
{
    if (!source[0]) return;
    struct text words = {0};
    text_append(&words, "Source: %s.", source);
    text_append(text, ".Pp\n");
    append_words(text, words.data ? words.data : "");
    text->failed = text->failed || words.failed;
    text_free(&words);
}

static void append_matrix(const struct csr *a, struct text *text)
{
    struct text picture = {0};
    char value[64];
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t k = a->row_ptr[i];
        for (int64_t j = 0; j < a->cols; j++) {
            bool entry = k < a->row_ptr[i + 1] && a->col[k] == j;
            text_append(&picture, " %5s", entry ? format_exact(value, sizeof value, a->val[k]) : "-");
            k += entry;
        }
        text_append(&picture, "\n");
    }
    append_display(text, picture.data ? picture.data : "");
    text->failed = text->failed || picture.failed;
    text_free(&picture);
}

/* Append the arrays of a format with these parameters. */
static enum status append_example(const struct format *format, const char *parameters, const struct csr *a,
                                  struct text *text, struct error *error)
{
    struct storage storage = {0};
    struct format_choice choice;
    struct text arrays = {0};
    char name[CHOICE_NAME];
    struct error reason = {0};
    enum status status = format_choice_read(format, parameters, PRECISION_F64, &choice, &reason);
    if (status == STATUS_OK)
        status = format_convert(&choice, &(struct format_options){0}, a, NULL, &storage, &reason);
    if (status == STATUS_OK) {
        struct format_size size = storage_size(&storage);
        text_arrays(&arrays, &storage, SIZE_MAX);
        text_append(
            text,
            ".Pp\nThe arrays of\n.Li %s ,\n%lld slot%s, of which %lld %s padding, and %lld integer%s:\n",
            storage_name(&storage, name, sizeof name), (long long)size.slots, size.slots == 1 ? "" : "s",
            (long long)size.padding, size.padding == 1 ? "is" : "are", (long long)size.integers,
            size.integers == 1 ? "" : "s");
        append_display(text, arrays.data ? arrays.data : "");
        text->failed = text->failed || arrays.failed;
    } else if (status == STATUS_LIMIT) { /* only a symmetric matrix can be stored by half */
        text_append(text, ".Pp\nThis matrix has no example: %s.\n", reason.message);
        status = STATUS_OK;
    } else {
        error_set(error, status, "%s", reason.message);
    }
    text_free(&arrays);
    storage_free(&storage);
    return status;
}

/* Append a sentence on the products of a kernel whose bits differ from run to run. */
static void append_order(struct text *text, const struct kernel *kernel)
{
    if (!kernel->unordered) return;
    const char *reason = kernel_order_words(kernel);
    struct text words = {0};
    text_append(&words, "%c%s.", toupper((unsigned char)reason[0]), reason + 1);
    append_words(text, words.data ? words.data : "");
    text->failed = text->failed || words.failed;
    text_free(&words);
}

static void append_kernels(const struct format *format, struct text *text)
{
    text_append(text, ".Pp\nIts kernels are\n.Bl -tag -width Ds\n");
    for (int k = 0; kernels[k]; k++) {
        if (kernels[k]->format != format) continue;
        text_append(text, ".It Li ");
        kernel_name(kernels[k], text);
        text_append(text, "\n");
        append_words(text, kernels[k]->summary);
        append_source(text, kernels[k]->source);
        append_wins(text, kernels[k]->wins);
        append_order(text, kernels[k]);
    }
    text_append(text, ".El\n");
}

static enum status append_format(const struct format *format, const struct csr *a, struct text *text,
                                 struct error *error)
{
    text_append(text, ".Ss %s (%s)\n", format->title, format->name);
    append_words(text, format->summary);
    append_source(text, format->source);
    append_wins(text, format->wins);
    const char *parameters = format->example ? format->example : "";
    enum status status = append_example(format, parameters, a, text, error);
    append_kernels(format, text);
    return status;
}

static const char introduction[] =
    ".Dd November 23, 2026\n"
    ".Dt SPARSIGHT-FORMATS 7\n"
    ".Os\n"
    ".Sh NAME\n"
    ".Nm sparsight-formats\n"
    ".Nd storage formats of sparse matrices, and kernels that multiply them\n"
    ".Sh DESCRIPTION\n"
    "This page lists the formats and kernels of\n"
    ".Xr sparsight 1 ,\n"
    "with their sources and the matrices that they suit.\n"
    "The suitability follows from the bytes that each kernel moves.\n"
    "The speeds of GPU kernels were measured on an H200 with matrices of many kinds.\n"
    "For your own matrix, measure:\n"
    ".Ql sparsight report --kernels=all .\n"
    "A source that begins with\n"
    ".Ql after\n"
    "published the idea; the loop is our own.\n"
    "Kernels without a source are our own, too.\n"
    ".Xr sparsight 1\n"
    "describes the parameters.\n"
    ".Pp\n"
    "The worked example of each format has the arrays of this matrix, in double precision, with indices from "
    "0.\n"
    "A - is a position without an entry.\n";

static const char conclusion[] = ".Sh EXAMPLES\n"
                                 "The arrays of any matrix and format:\n"
                                 ".Pp\n"
                                 ".Dl sparsight report --arrays=ell,sell:c=4 cant.tar.gz\n"
                                 ".Pp\n"
                                 "This page with another matrix, of at most 16 rows and columns:\n"
                                 ".Pp\n"
                                 ".Dl sparsight manual gen:laplace2d,n=3 | man -l -\n"
                                 ".Sh SEE ALSO\n"
                                 ".Xr sparsight 1 ,\n"
                                 ".Xr sparsight-report 5 ,\n"
                                 ".Xr sparsight-guide 7\n";

enum status append_manual(const struct matrix *matrix, struct text *text, struct error *error)
{
    const struct csr *a = &matrix->csr;
    if (a->rows > MANUAL_LINES || a->cols > MANUAL_LINES || a->imaginary)
        return error_set(
            error, STATUS_USAGE,
            "%s is too large or complex for a manual page: name a real matrix of at most %d rows and columns",
            matrix->path, MANUAL_LINES);
    enum status status = STATUS_OK;
    text_append(text, "%s", introduction);
    append_matrix(a, text);
    text_append(text, ".Sh FORMATS\n");
    for (int k = 0; formats[k] && status == STATUS_OK; k++)
        status = append_format(formats[k], a, text, error);
    text_append(text, "%s", conclusion);
    if (status == STATUS_OK && text->failed) return error_set(error, STATUS_MEMORY, "out of memory");
    return status;
}
