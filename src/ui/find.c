#include "ui/find.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* After so many rows or entries the search looks whether it was cancelled. */
#define STRIDE 65536

const struct search_word search_words[] = {
    {"longest, shortest", "the next row of that length"},
    {"empty", "the next row without entries"},
    {"diag", "the next row without a diagonal entry"},
    {"len>100", "the next row of such a length: < <= = >= > !="},
    {"value<-1, abs>=1e3", "the next entry with such a value or absolute value"},
    {"zero, nan, inf", "the next entry with that value"},
    {NULL, NULL},
};

static const struct {
    const char *name;
    enum search_kind kind;
    bool compares;
} words[] = {
    {"longest", SEARCH_LONGEST, false}, {"shortest", SEARCH_SHORTEST, false}, {"empty", SEARCH_EMPTY, false},
    {"diag", SEARCH_DIAGONAL, false},   {"zero", SEARCH_ZERO, false},         {"nan", SEARCH_NAN, false},
    {"inf", SEARCH_INF, false},         {"len", SEARCH_LENGTH, true},         {"value", SEARCH_VALUE, true},
    {"abs", SEARCH_ABS, true},
};

/* Copy a text in lower case and without blanks. Returns false if it does not fit. */
static bool squeeze(const char *text, char *out, size_t size)
{
    size_t used = 0;
    for (; *text; text++) {
        if (isspace((unsigned char)*text)) continue;
        if (used + 1 >= size) return false;
        out[used++] = (char)tolower((unsigned char)*text);
    }
    out[used] = 0;
    return true;
}

/* Read the positive number at *text and move *text behind it. Returns 0 if there is none, or if it is too
 * large. */
static int64_t read_index(const char **text)
{
    int64_t value = 0;
    const char *c = *text;
    for (; isdigit((unsigned char)*c) || (value > 0 && (*c == '\'' || *c == '_')); c++) {
        if (!isdigit((unsigned char)*c)) continue;
        if (value > (INT64_MAX - 9) / 10) return 0;
        value = value * 10 + (*c - '0');
    }
    *text = c;
    return value;
}

static enum status outside(const char *what, int64_t count, struct error *error)
{
    char last[32];
    if (count == 0) return error_set(error, STATUS_USAGE, "the matrix has no %ss", what);
    return error_set(error, STATUS_USAGE, "%ss go from 1 to %s", what,
                     format_count(last, sizeof last, count));
}

enum status place_parse(const char *text, int64_t rows, int64_t cols, int64_t *row, int64_t *col,
                        struct error *error)
{
    char squeezed[128];
    if (!squeeze(text, squeezed, sizeof squeezed)) squeezed[0] = 0;
    const char *c = squeezed;
    bool digits = isdigit((unsigned char)*c);
    int64_t i = read_index(&c), j = *col + 1;
    bool second = digits && *c == ',';
    if (second) {
        c++;
        digits = isdigit((unsigned char)*c);
        j = read_index(&c);
    }
    if (!digits || (*c && !isdigit((unsigned char)*c)))
        return error_set(error, STATUS_USAGE, "a place is row or row,col: 17 or 17,4");
    if (i < 1 || i > rows) return outside("row", rows, error);
    if (second && (j < 1 || j > cols)) return outside("column", cols, error);
    *row = i - 1;
    *col = j - 1;
    return STATUS_OK;
}

static bool read_relation(const char **text, enum relation *relation)
{
    static const struct {
        const char *sign;
        enum relation relation;
    } signs[] = {
        {"<=", RELATION_AT_MOST}, {">=", RELATION_AT_LEAST}, {"!=", RELATION_NOT}, {"==", RELATION_EQUAL},
        {"=", RELATION_EQUAL},    {"<", RELATION_LESS},      {">", RELATION_MORE},
    };
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        size_t length = strlen(signs[k].sign);
        if (strncmp(*text, signs[k].sign, length) != 0) continue;
        *text += length;
        *relation = signs[k].relation;
        return true;
    }
    return false;
}

static bool read_bound(const char *text, double *bound)
{
    char *end;
    *bound = strtod(text, &end);
    return end != text && !*end && !isnan(*bound);
}

enum status search_parse(const char *text, struct search *search, struct error *error)
{
    char squeezed[128];
    if (!squeeze(text, squeezed, sizeof squeezed)) squeezed[0] = 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t length = strlen(words[k].name);
        const char *rest = squeezed + length;
        if (strncmp(squeezed, words[k].name, length) != 0) continue;
        *search = (struct search){.kind = words[k].kind};
        if (!words[k].compares && !*rest) return STATUS_OK;
        if (!words[k].compares) continue;
        if (!read_relation(&rest, &search->relation) || !read_bound(rest, &search->bound))
            return error_set(error, STATUS_USAGE, "%s is followed by < <= = >= > or != and a number: %s>=100",
                             words[k].name, words[k].name);
        return STATUS_OK;
    }
    return error_set(error, STATUS_USAGE,
                     "there is: longest shortest empty diag zero nan inf len>N value<X abs>=X");
}

static bool compare(double value, enum relation relation, double bound)
{
    switch (relation) {
    case RELATION_LESS:
        return value < bound;
    case RELATION_AT_MOST:
        return value <= bound;
    case RELATION_EQUAL:
        return value == bound;
    case RELATION_AT_LEAST:
        return value >= bound;
    case RELATION_MORE:
        return value > bound;
    case RELATION_NOT:
        return value != bound;
    }
    return false;
}

static bool of_rows(enum search_kind kind)
{
    return kind <= SEARCH_LENGTH;
}

static int64_t length_of(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

/* Replace a search for the longest or the shortest row by one for rows of that length. */
static struct search with_extreme(const struct csr *a, struct search search)
{
    if (search.kind != SEARCH_LONGEST && search.kind != SEARCH_SHORTEST) return search;
    int64_t extreme = a->rows > 0 ? length_of(a, 0) : 0;
    for (int64_t i = 1; i < a->rows; i++) {
        int64_t length = length_of(a, i);
        if (search.kind == SEARCH_LONGEST ? length > extreme : length < extreme) extreme = length;
    }
    return (struct search){SEARCH_LENGTH, RELATION_EQUAL, (double)extreme};
}

static bool row_matches(const struct csr *a, const struct search *search, int64_t i)
{
    switch (search->kind) {
    case SEARCH_EMPTY:
        return length_of(a, i) == 0;
    case SEARCH_DIAGONAL:
        return i < a->cols && csr_find(a, i, i) < 0;
    default:
        return compare((double)length_of(a, i), search->relation, search->bound);
    }
}

static bool entry_matches(const struct csr *a, const struct search *search, int64_t k)
{
    double real = a->val[k], imaginary = a->imaginary ? a->imaginary[k] : 0;
    switch (search->kind) {
    case SEARCH_ZERO:
        return real == 0 && imaginary == 0;
    case SEARCH_NAN:
        return isnan(real) || isnan(imaginary);
    case SEARCH_INF:
        return isinf(real) || isinf(imaginary);
    case SEARCH_ABS:
        return compare(a->imaginary ? hypot(real, imaginary) : fabs(real), search->relation, search->bound);
    default:
        return compare(real, search->relation, search->bound);
    }
}

/* Return the first row or entry k, from <= k < to, that matches, or -1. *status becomes STATUS_CANCELLED if
 * the search was cancelled. */
static int64_t scan(const struct csr *a, const struct search *search, int64_t from, int64_t to,
                    struct progress *progress, enum status *status, struct error *error)
{
    bool rows = of_rows(search->kind);
    for (int64_t block = from; block < to && *status == STATUS_OK; block += STRIDE) {
        int64_t end = to - block > STRIDE ? block + STRIDE : to;
        for (int64_t k = block; k < end; k++)
            if (rows ? row_matches(a, search, k) : entry_matches(a, search, k)) return k;
        progress_add(progress, end - block);
        *status = progress_status(progress, error);
    }
    return -1;
}

static void place_row(struct finding *finding, int64_t i)
{
    const struct csr *a = finding->a;
    finding->row = i;
    if (finding->search.kind == SEARCH_DIAGONAL)
        finding->col = i;
    else if (length_of(a, i) > 0)
        finding->col = a->col[a->row_ptr[i]];
}

static void place_entry(struct finding *finding, int64_t k)
{
    finding->row = csr_row_of(finding->a, k);
    finding->col = finding->a->col[k];
}

enum status finding_run(void *argument, struct progress *progress, struct error *error)
{
    struct finding *finding = argument;
    const struct csr *a = finding->a;
    struct search search = with_extreme(a, finding->search);
    bool rows = of_rows(search.kind);
    int64_t count = rows ? a->rows : csr_nnz(a), next = 0;
    enum status status = STATUS_OK;
    finding->found = finding->wrapped = false;
    progress_phase(progress, rows ? "searching rows" : "searching entries", count);
    if (a->rows > 0) next = rows ? finding->row + 1 : csr_lower_bound(a, finding->row, finding->col + 1);
    int64_t k = scan(a, &search, next, count, progress, &status, error);
    if (k < 0 && status == STATUS_OK) {
        finding->wrapped = true;
        k = scan(a, &search, 0, next < count ? next : count, progress, &status, error);
    }
    if (k < 0) return status;
    finding->found = true;
    if (rows)
        place_row(finding, k);
    else
        place_entry(finding, k);
    return STATUS_OK;
}
