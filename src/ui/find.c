#include "ui/find.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/text.h"

#define LIST_SIZE 256 /* bytes of a list of all words */
#define TEXT_MAX 30   /* bytes of the typed text that messages quote */

/* All searches. The parser, the help and the messages use this table; the manual has the same words
 * (tests/ui/find.c). */
static const struct {
    const char *word;
    const char *sample; /* an example of the relation that follows the word; NULL if the word stands alone */
    enum search_kind kind;
    bool columns;     /* "col" may stand before it */
    const char *help; /* if NULL, the word shares the line of help with the previous word */
} words[] = {
    {"longest", NULL, SEARCH_LONGEST, true, "the next row of that length"},
    {"shortest", NULL, SEARCH_SHORTEST, true, NULL},
    {"empty", NULL, SEARCH_EMPTY, true, "the next row without entries"},
    {"len", ">100", SEARCH_LENGTH, true, "the next row whose length compares: < <= = >= > !="},
    {"dup", NULL, SEARCH_REPEATED, true,
     "the next row with the pattern of an earlier row, and with its values too"},
    {"dup values", NULL, SEARCH_REPEATED_VALUES, true, NULL},
    {"diag", NULL, SEARCH_DIAGONAL, false, "the next row without a diagonal entry"},
    {"max", NULL, SEARCH_MAX, false, "the next entry with the largest, the smallest nonzero |a|"},
    {"min", NULL, SEARCH_MIN, false, NULL},
    {"value", "<-1", SEARCH_VALUE, false, "the next entry whose value or absolute value compares"},
    {"abs", ">=1e3", SEARCH_ABS, false, NULL},
    {"asym", NULL, SEARCH_ASYMMETRIC, false, "the next entry whose mirror image is missing or differs"},
    {"summed", NULL, SEARCH_SUMMED, false, "the next position that the file lists more than once (summed)"},
    {"zero", NULL, SEARCH_ZERO, false, "the next entry with that value"},
    {"nan", NULL, SEARCH_NAN, false, NULL},
    {"inf", NULL, SEARCH_INF, false, NULL},
};

#define WORDS (sizeof words / sizeof *words)

/* Append "A, B, C" to `out`: the words `from` to `to` - 1. With `columns`, only the words that apply to
 * columns, after "col". */
static void list_words(size_t from, size_t to, bool columns, char *out, size_t size)
{
    size_t length = strlen(out);
    const char *before = "";
    for (size_t k = from; k < to && length < size; k++) {
        if (columns && !words[k].columns) continue;
        length += (size_t)snprintf(out + length, size - length, "%s%s%s%s", before, columns ? "col " : "",
                                   words[k].word, words[k].sample ? words[k].sample : "");
        before = ", ";
    }
}

bool search_help(int line, struct search_help *help)
{
    size_t from = 0, to;
    *help = (struct search_help){0};
    for (;; from = to) {
        if (from == WORDS) break;
        for (to = from + 1; to < WORDS && !words[to].help;)
            to++;
        if (line-- > 0) continue;
        list_words(from, to, false, help->words, sizeof help->words);
        snprintf(help->help, sizeof help->help, "%s", words[from].help);
        return true;
    }
    if (line > 0) return false;
    snprintf(help->words, sizeof help->words, "col ...");
    snprintf(help->help, sizeof help->help, "the same for columns: ");
    list_words(0, WORDS, true, help->help, sizeof help->help);
    return true;
}

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

/* True if exactly three digits begin here. */
static bool is_group(const char *c)
{
    return isdigit((unsigned char)c[0]) && isdigit((unsigned char)c[1]) && isdigit((unsigned char)c[2]) &&
           !isdigit((unsigned char)c[3]);
}

/* Read a positive number, and move *text past it. With `commas`, commas may group digits, but only as in
 * 1,234,567. Returns 0 if there is no number, or if it is too large. */
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

/* Row and column as typed, counted from 1. */
struct typed_place {
    int64_t row, col;
    bool has_col;
};

/* Skip the separators of two numbers: blanks, brackets, and one comma or semicolon. Returns true if there
 * were any. */
static bool skip_between(const char **text)
{
    const char *c = *text + strspn(*text, " \t()[]");
    c += *c == ',' || *c == ';';
    c += strspn(c, " \t()[]");
    bool some = c > *text;
    *text = c;
    return some;
}

/* Skip the numbers after row and column, because a line of a file also has values. */
static void skip_values(const char **text)
{
    char *end;
    for (;;) {
        const char *c = *text + strspn(*text, " \t");
        if (c == *text || (strtod(c, &end), end == c)) return;
        *text = end;
    }
}

/* Read a position. Returns false if the text is not a position. */
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
        return error_set(error, STATUS_USAGE, "give a row, or a row and a column: 17, or 17 4");
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

/* Fail with a message: the text is not a search. It proposes a similar word, and lists all words. */
static enum status unknown(const char *text, const char *squeezed, struct error *error)
{
    struct guess guess;
    char meant[GUESS_TEXT], rows[LIST_SIZE] = "", cols[LIST_SIZE] = "";
    guess_start(&guess, squeezed, strcspn(squeezed, "<=>!"));
    for (size_t k = 0; k < WORDS; k++) {
        char known[LIST_SIZE], name[LIST_SIZE];
        for (int col = 0; col <= words[k].columns; col++) {
            snprintf(name, sizeof name, "%s%s%s", col ? "col " : "", words[k].word,
                     words[k].sample ? words[k].sample : "");
            squeeze(name, known, sizeof known);
            known[strcspn(known, "<=>!")] = 0;
            guess_offer(&guess, known, name);
        }
    }
    list_words(0, WORDS, false, rows, sizeof rows);
    list_words(0, WORDS, true, cols, sizeof cols);
    guess_text(&guess, meant);
    bool cut = strlen(text) > TEXT_MAX;
    return error_set(error, STATUS_USAGE, "cannot search for '%.*s%s'%s%s Searches: %s; %s", TEXT_MAX, text,
                     cut ? ".." : "", meant, meant[0] ? "?" : ".", rows, cols);
}

/* Return the text after the word if `text`, which has no blanks, begins with it; else NULL. */
static const char *behind_word(const char *text, const char *word)
{
    char known[LIST_SIZE];
    squeeze(word, known, sizeof known);
    size_t length = strlen(known);
    return strncmp(text, known, length) == 0 ? text + length : NULL;
}

enum status search_parse(const char *text, struct search *search, struct error *error)
{
    char squeezed[128];
    if (!squeeze(text, squeezed, sizeof squeezed)) squeezed[0] = 0;
    bool columns = strncmp(squeezed, "col", 3) == 0;
    for (size_t k = 0; k < WORDS; k++) {
        const char *rest = behind_word(columns ? squeezed + 3 : squeezed, words[k].word);
        struct search read = {.kind = words[k].kind, .columns = columns};
        if (!rest || (columns && !words[k].columns) || (!words[k].sample && *rest)) continue;
        if (words[k].sample && (!read_relation(&rest, &read.relation) || !read_bound(rest, &read.bound)))
            return error_set(error, STATUS_USAGE, "%s needs < <= = >= > or != and a number: %s%s",
                             words[k].word, words[k].word, words[k].sample);
        *search = read;
        return STATUS_OK;
    }
    return unknown(text, squeezed, error);
}
