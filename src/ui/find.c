#include "ui/find.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/text.h"
#include "matrix/columns.h"

/* After so many rows or entries the search looks whether it was cancelled. */
#define STRIDE 65536

const struct search_word search_words[] = {
    {"longest, shortest", "the next row of that length"},
    {"empty", "the next row without entries"},
    {"diag", "the next row without a diagonal entry"},
    {"len>100", "the next row of such a length: < <= = >= > !="},
    {"value<-1, abs>=1e3", "the next entry with such a value or absolute value"},
    {"col longest, col len<2", "the same of columns, also col shortest, col empty"},
    {"max, min", "the next entry of the largest, the smallest |a| but 0"},
    {"asym", "the next entry whose mirror image is missing or differs"},
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
    {"abs", SEARCH_ABS, true},          {"max", SEARCH_MAX, false},           {"min", SEARCH_MIN, false},
    {"asym", SEARCH_ASYMMETRIC, false},
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

/* True if three digits and no fourth one begin here. */
static bool is_group(const char *c)
{
    return isdigit((unsigned char)c[0]) && isdigit((unsigned char)c[1]) && isdigit((unsigned char)c[2]) &&
           !isdigit((unsigned char)c[3]);
}

/* Read the positive number at *text and move *text behind it. If `commas`, these group digits too where they
 * stand as in 1,234,567, and nowhere else. Returns 0 if there is no number, or if it is too large. */
static int64_t read_index(const char **text, bool commas)
{
    int64_t value = 0;
    const char *c = *text;
    commas = commas && strspn(c, "0123456789") <= 3;
    for (; isdigit((unsigned char)*c) || (value > 0 && strchr("'_,", *c) && *c); c++) {
        if (*c == ',' && !(commas && is_group(c + 1))) break;
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

/* Row and column as they are typed, counted from 1. */
struct typed_place {
    int64_t row, col;
    bool has_col;
};

/* Skip what may stand between two numbers: blanks, brackets, and one comma or semicolon. Returns whether
 * there was anything. */
static bool skip_between(const char **text)
{
    const char *c = *text + strspn(*text, " \t()[]");
    c += *c == ',' || *c == ';';
    c += strspn(c, " \t()[]");
    bool some = c > *text;
    *text = c;
    return some;
}

/* Skip what a line of a file has behind row and column: numbers, with blanks before them. */
static void skip_values(const char **text)
{
    char *end;
    for (;;) {
        const char *c = *text + strspn(*text, " \t");
        if (c == *text || (strtod(c, &end), end == c)) return;
        *text = end;
    }
}

/* Read a place. Returns false if the text is none. */
static bool read_place(const char *text, bool commas, struct typed_place *place)
{
    const char *c = text + strspn(text, " \t([");
    *place = (struct typed_place){0};
    if (!isdigit((unsigned char)*c)) return false;
    place->row = read_index(&c, commas);
    if (!place->row && isdigit((unsigned char)*c)) c += strspn(c, "0123456789");
    const char *between = c;
    if (skip_between(&c) && isdigit((unsigned char)*c)) {
        place->has_col = true;
        place->col = read_index(&c, commas);
        if (!place->col) c += strspn(c, "0123456789");
        skip_values(&c);
    } else {
        c = between;
    }
    c += strspn(c, " \t)]");
    return !*c;
}

/* True if the matrix has the place. */
static bool is_within(const struct typed_place *place, int64_t rows, int64_t cols)
{
    return place->row >= 1 && place->row <= rows &&
           (!place->has_col || (place->col >= 1 && place->col <= cols));
}

enum status place_parse(const char *text, int64_t rows, int64_t cols, int64_t *row, int64_t *col,
                        bool *ambiguous, struct error *error)
{
    struct typed_place place, other;
    *ambiguous = false;
    if (!read_place(text, true, &place))
        return error_set(error, STATUS_USAGE, "a place is a row, or a row and a column: 17, or 17 4");
    if (!place.has_col && read_place(text, false, &other) && is_within(&other, rows, cols)) {
        *ambiguous = other.has_col && is_within(&place, rows, cols);
        if (!is_within(&place, rows, cols)) place = other;
    }
    if (place.row < 1 || place.row > rows) return outside("row", rows, error);
    if (place.has_col && (place.col < 1 || place.col > cols)) return outside("column", cols, error);
    *row = place.row - 1;
    if (place.has_col) *col = place.col - 1;
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

static bool of_columns(enum search_kind kind)
{
    return kind == SEARCH_LONGEST || kind == SEARCH_SHORTEST || kind == SEARCH_EMPTY || kind == SEARCH_LENGTH;
}

enum status search_parse(const char *text, struct search *search, struct error *error)
{
    char squeezed[128];
    if (!squeeze(text, squeezed, sizeof squeezed)) squeezed[0] = 0;
    bool columns = strncmp(squeezed, "col", 3) == 0;
    const char *word = columns ? squeezed + 3 : squeezed;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t length = strlen(words[k].name);
        const char *rest = word + length;
        if (strncmp(word, words[k].name, length) != 0) continue;
        if (!words[k].compares && *rest) continue;
        struct search read = {.kind = words[k].kind, .columns = columns};
        if (columns && !of_columns(read.kind)) break;
        if (words[k].compares && (!read_relation(&rest, &read.relation) || !read_bound(rest, &read.bound)))
            return error_set(error, STATUS_USAGE, "%s is followed by < <= = >= > or != and a number: %s>=100",
                             words[k].name, words[k].name);
        *search = read;
        return STATUS_OK;
    }
    if (columns) return error_set(error, STATUS_USAGE, "of columns there is: longest shortest empty len>N");
    struct guess guess;
    char meant[GUESS_TEXT];
    guess_start(&guess, squeezed, strcspn(squeezed, "<=>!"));
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        guess_offer(&guess, words[k].name, words[k].name);
    if (guess_text(&guess, meant)[0])
        return error_set(error, STATUS_USAGE, "nothing is found by '%s'%s?", text, meant);
    return error_set(error, STATUS_USAGE,
                     "longest shortest empty diag asym max min zero nan inf len> value< abs>");
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

static double modulus(const struct csr *a, int64_t k)
{
    return a->imaginary ? hypot(a->val[k], a->imaginary[k]) : fabs(a->val[k]);
}

/* Return the largest absolute value, or the smallest above 0; NAN if there is none. */
static double extreme_modulus(const struct csr *a, bool largest, struct progress *progress)
{
    double extreme = NAN;
    for (int64_t k = 0; k < csr_nnz(a); k++) {
        double value = modulus(a, k);
        if (k % STRIDE == 0 && progress_cancelled(progress)) break;
        if (isnan(value) || (!largest && value == 0)) continue;
        if (isnan(extreme) || (largest ? value > extreme : value < extreme)) extreme = value;
    }
    return extreme;
}

/* Replace a search for what is longest, shortest, largest or smallest by one for lines of that length or
 * entries of that absolute value. `offsets` says where the lines begin. */
static struct search with_extreme(const struct csr *a, struct search search, const int64_t *offsets,
                                  int64_t lines, struct progress *progress)
{
    if (search.kind == SEARCH_MAX || search.kind == SEARCH_MIN)
        return (struct search){.kind = SEARCH_ABS,
                               .relation = RELATION_EQUAL,
                               .bound = extreme_modulus(a, search.kind == SEARCH_MAX, progress)};
    if (search.kind != SEARCH_LONGEST && search.kind != SEARCH_SHORTEST) return search;
    int64_t extreme = lines > 0 ? offsets[1] - offsets[0] : 0;
    for (int64_t i = 1; i < lines; i++) {
        int64_t length = offsets[i + 1] - offsets[i];
        if (search.kind == SEARCH_LONGEST ? length > extreme : length < extreme) extreme = length;
    }
    search.kind = SEARCH_LENGTH;
    search.relation = RELATION_EQUAL;
    search.bound = (double)extreme;
    return search;
}

static bool column_matches(const int64_t *col_ptr, const struct search *search, int64_t j)
{
    int64_t length = col_ptr[j + 1] - col_ptr[j];
    return search->kind == SEARCH_EMPTY ? length == 0
                                        : compare((double)length, search->relation, search->bound);
}

/* True if the mirror image of entry k is missing, or has another value. */
static bool lacks_mirror(const struct csr *a, int64_t k)
{
    int64_t i = csr_row_of(a, k), j = a->col[k];
    int64_t mirror = j < a->rows && i < a->cols ? csr_find(a, j, i) : -1;
    return mirror < 0 || a->val[mirror] != a->val[k] ||
           (a->imaginary && a->imaginary[mirror] != a->imaginary[k]);
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
        return compare(modulus(a, k), search->relation, search->bound);
    case SEARCH_ASYMMETRIC:
        return lacks_mirror(a, k);
    default:
        return compare(real, search->relation, search->bound);
    }
}

static bool matches(const struct finding *finding, const struct search *search, int64_t k)
{
    if (search->columns) return column_matches(finding->col_ptr, search, k);
    return of_rows(search->kind) ? row_matches(finding->a, search, k) : entry_matches(finding->a, search, k);
}

/* Return the first row, column or entry k, from <= k < to, that matches, or -1. *status becomes
 * STATUS_CANCELLED if the search was cancelled. */
static int64_t scan(const struct finding *finding, const struct search *search, int64_t from, int64_t to,
                    struct progress *progress, enum status *status, struct error *error)
{
    for (int64_t block = from; block < to && *status == STATUS_OK; block += STRIDE) {
        int64_t end = to - block > STRIDE ? block + STRIDE : to;
        for (int64_t k = block; k < end; k++)
            if (matches(finding, search, k)) return k;
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

/* Put the place on the first entry of a column; on the same row as before if it has none. */
static void place_column(struct finding *finding, int64_t j)
{
    const struct csr *a = finding->a;
    finding->col = j;
    if (finding->col_ptr[j] == finding->col_ptr[j + 1]) return;
    for (int64_t i = 0; i < a->rows; i++)
        if (csr_find(a, i, j) >= 0) {
            finding->row = i;
            return;
        }
}

static enum status find(struct finding *finding, struct progress *progress, struct error *error)
{
    const struct csr *a = finding->a;
    bool columns = finding->search.columns, rows = !columns && of_rows(finding->search.kind);
    int64_t count = columns ? a->cols : rows ? a->rows : csr_nnz(a), next = 0;
    enum status status = STATUS_OK;
    progress_phase(progress,
                   columns ? "searching columns"
                   : rows  ? "searching rows"
                           : "searching entries",
                   count);
    struct search search =
        with_extreme(a, finding->search, columns ? finding->col_ptr : a->row_ptr, count, progress);
    if (columns)
        next = finding->col + 1;
    else if (a->rows > 0)
        next = rows ? finding->row + 1 : csr_lower_bound(a, finding->row, finding->col + 1);
    int64_t k = scan(finding, &search, next, count, progress, &status, error);
    if (k < 0 && status == STATUS_OK) {
        finding->wrapped = true;
        k = scan(finding, &search, 0, next < count ? next : count, progress, &status, error);
    }
    if (k < 0) return status;
    finding->found = true;
    if (columns)
        place_column(finding, k);
    else if (rows)
        place_row(finding, k);
    else
        place_entry(finding, k);
    return STATUS_OK;
}

enum status finding_run(void *argument, struct progress *progress, struct error *error)
{
    struct finding *finding = argument;
    int64_t *counted = NULL;
    enum status status = STATUS_OK;
    finding->found = finding->wrapped = false;
    if (finding->search.columns && !finding->col_ptr) {
        status = column_offsets(finding->a, finding->limit, progress, &counted, error);
        finding->col_ptr = counted;
    }
    if (status == STATUS_OK) status = find(finding, progress, error);
    if (counted) finding->col_ptr = NULL;
    free(counted);
    return status;
}
