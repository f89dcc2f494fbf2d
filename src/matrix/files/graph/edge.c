#include "matrix/files/graph/edge.h"

#include <string.h>

#include "matrix/files/decimal.h"
#include "matrix/files/graph/words.h"
#include "matrix/files/lines/newline.h"

#define INLINE static inline __attribute__((always_inline))

/* The entry that a line gives. */
struct entry {
    int32_t i, j;
    double value;
};

/* --- attributes, as Python writes a dictionary of numbers, names and truth --- */

static const char *skip_blanks(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

/* Return the byte after a string in quotes, or NULL if it is not one, or has escapes. */
static const char *skip_string(const char *text)
{
    const char *end = text + 1;
    if (*text != '\'' && *text != '"') return NULL;
    while (*end && *end != *text && *end != '\n' && *end != '\\')
        end++;
    return *end == *text ? end + 1 : NULL;
}

/* Return the byte after a word without brackets, or NULL if there is none. */
static const char *skip_word(const char *text)
{
    const char *end = text + strcspn(text, " ,:\n()[]{}'\"");
    return end > text ? end : NULL;
}

static void note_fraction(struct edge_parser *p, const char *text, const char *end)
{
    for (; text < end && !p->fractional; text++)
        p->fractional = (*text < '0' || *text > '9') && *text != '-' && *text != '+';
}

/* Read a number, perhaps as NumPy 2 writes its own: np.float64(2.5). */
static const char *read_weight(struct edge_parser *p, const char *text, double *value)
{
    bool wrapped = strncmp(text, "np.", 3) == 0;
    if (wrapped) {
        text = skip_word(text);
        if (!text || *text++ != '(') return NULL;
    }
    const char *end = decimal_value(text, value);
    if (!end) return NULL;
    note_fraction(p, text, end);
    return !wrapped ? end : *end == ')' ? end + 1 : NULL;
}

static const char *skip_value(const char *text)
{
    if (*text == '\'' || *text == '"') return skip_string(text);
    const char *end = skip_word(text);
    if (!end || *end != '(') return end;
    end = skip_word(end + 1);
    return end && *end == ')' ? end + 1 : NULL;
}

/* Read {}, {'weight': 2.5} or {'colour': 'red', 'weight': 2}. Returns the byte after it, or NULL. */
static const char *read_attributes(struct edge_parser *p, const char *text, double *value)
{
    static const char key[] = "weight";
    bool weight = false;
    text = skip_blanks(text + 1);
    while (*text != '}') {
        const char *begin = text + 1, *end = skip_string(text);
        if (!end) return NULL;
        bool wanted = end - 1 - begin == sizeof key - 1 && memcmp(begin, key, sizeof key - 1) == 0;
        text = skip_blanks(end);
        if (*text != ':') return NULL;
        text = skip_blanks(text + 1);
        end = wanted ? read_weight(p, text, value) : skip_value(text);
        if (!end) return NULL;
        weight = weight || wanted;
        p->others = p->others || !wanted;
        text = skip_blanks(end);
        if (*text == ',')
            text = skip_blanks(text + 1);
        else if (*text != '}')
            return NULL;
    }
    p->weights = p->weights || weight;
    p->missing = p->missing || !weight;
    return text + 1;
}

/* --- one line by the whole grammar, with messages --- */

/* Find the number of a name. The first name of a line often equals that of the previous line. */
static enum status read_name(struct edge_parser *p, const char *begin, const char *end, int which,
                             int32_t *number, struct error *error)
{
    int64_t length = end - begin;
    enum status status = STATUS_OK;
    if (which == 0 && length == p->last_length && !memcmp(p->last, begin, (size_t)length)) {
        *number = p->last_number;
        return STATUS_OK;
    }
    if (p->again)
        *number = names_find(p->names, begin, length);
    else
        status = names_number(p->names, begin, length, number, error);
    if (status != STATUS_OK) return status;
    if (which == 0) {
        p->last = begin;
        p->last_length = length;
        p->last_number = *number;
    }
    if (*number >= 0) return STATUS_OK;
    return error_at(error, STATUS_INPUT, container_path(p->lines->container), 0, 0,
                    "changed while it was read");
}

/* Read an index or a name. */
static enum status read_end(struct edge_parser *p, const char **text, int which, int32_t *number,
                            struct error *error)
{
    static const char *const what[2][2] = {{"vertex", "vertex"}, {"row", "column"}};
    const struct edge_form *form = p->form;
    char word[40];
    const char *begin = word_begin(*text);
    if (*begin == '\n')
        return lines_fault(p->lines, p->block, begin, error, "the line ends where a %s is expected",
                           what[form->table][which]);
    if (form->named) {
        *text = word_end(begin);
        return read_name(p, begin, *text, which, number, error);
    }
    int64_t index;
    const char *end = word_index(begin, &index);
    if (!end)
        return lines_fault(p->lines, p->block, begin, error,
                           "'%s' where a %s is expected, a whole number from 0 on%s",
                           lines_word(begin, word, sizeof word), what[form->table][which],
                           form->table ? "" : "; --names takes words");
    if (index >= INT32_MAX)
        return lines_fault(p->lines, p->block, begin, error,
                           "%s %s is beyond %d: rows and columns are held in 32 bits%s",
                           what[form->table][which], lines_word(begin, word, sizeof word), INT32_MAX - 1,
                           form->table ? "" : "; --names takes vertices as they occur");
    *number = (int32_t)index;
    *text = end;
    return STATUS_OK;
}

/* Read attributes instead of a value. */
static enum status read_braces(struct edge_parser *p, const char **text, double *value, struct error *error)
{
    const char *begin = *text;
    const char *end = *begin == '{' ? read_attributes(p, begin, value) : NULL;
    if (end && (is_separator(*end) || *end == '\n')) {
        *text = end;
        return STATUS_OK;
    }
    return lines_fault(
        p->lines, p->block, begin, error,
        "attributes of an edge are read as {} or {'weight': 2.5}, with numbers and words beside "
        "the weight; networkx writes weights alone with data=['weight']");
}

static enum status read_value(struct edge_parser *p, const char **text, double *value, struct error *error)
{
    char word[40];
    const char *begin = *text, *end = decimal_value(begin, value);
    if (!end || end != word_end(begin))
        return lines_fault(p->lines, p->block, begin, error, "'%s' where a value (a number) is expected",
                           lines_word(begin, word, sizeof word));
    note_fraction(p, begin, end);
    *text = end;
    return STATUS_OK;
}

/* Read the value, and skip further columns up to the end of the line; their number must be that of the first
 * line. */
static enum status read_rest(struct edge_parser *p, const char **text, double *value, struct error *error)
{
    const char *begin = word_begin(*text);
    int columns = 2, wanted = p->form->columns;
    if (wanted > 2 && *begin != '\n') {
        enum status status =
            p->form->braces ? read_braces(p, &begin, value, error) : read_value(p, &begin, value, error);
        if (status != STATUS_OK) return status;
        columns++;
        begin = word_begin(begin);
    }
    for (; *begin != '\n' && columns <= wanted; begin = word_begin(word_end(begin)))
        columns++;
    *text = begin;
    if (columns == wanted) return STATUS_OK;
    return lines_fault(p->lines, p->block, begin, error, "the line has %s%d columns, and the first has %d",
                       *begin == '\n' ? "" : "more than ", *begin == '\n' ? columns : wanted, wanted);
}

/* Read a line, or skip one without data. *next becomes the beginning of the next. */
static __attribute__((noinline)) enum status careful_line(struct edge_parser *p, const char *line,
                                                          const char **next, struct entry *entry, bool *some,
                                                          struct error *error)
{
    const char *text = word_begin(line);
    enum status status = STATUS_OK;
    *entry = (struct entry){.value = 1};
    *some = *text != '\n' && !is_comment(*text);
    if (*some && p->form->numbered) text = word_end(text);
    if (*some) status = read_end(p, &text, 0, &entry->i, error);
    if (*some && status == STATUS_OK) status = read_end(p, &text, 1, &entry->j, error);
    if (*some && status == STATUS_OK && p->values) status = read_rest(p, &text, &entry->value, error);
    *next = newline_find(text) + 1;
    return status;
}

/* --- the fast parser; unusual lines are left to the careful one --- */

/* Read an index followed by a separator or the end of the line. */
INLINE const char *fast_index(const char *text, int32_t *index)
{
    unsigned digits, more;
    uint64_t value = decimal_eight(text, &digits);
    text += digits;
    if (__builtin_expect(digits == 8, 0)) {
        uint64_t rest = decimal_eight(text, &more);
        text += more;
        if (more > 2) return NULL;
        value = value * decimal_tens[more] + rest;
    }
    if (__builtin_expect(digits == 0 || value >= INT32_MAX, 0)) return NULL;
    *index = (int32_t)value;
    return text;
}

INLINE bool fast_value(struct edge_parser *p, const char **text, double *value)
{
    const char *end = decimal_value(*text, value);
    if (!end) return false;
    if (__builtin_expect(!p->fractional, 0)) note_fraction(p, *text, end);
    *text = end;
    return true;
}

/* Read a line that ends at `newline`. Returns false if it is for the careful parser. */
INLINE bool fast_line(struct edge_parser *p, const char *text, const char *newline, bool values, int columns,
                      struct entry *entry)
{
    if (p->form->numbered) {
        /* The skipped word must be checked, since it may make the line a comment. */
        text = word_begin(text);
        if (__builtin_expect(is_comment(*text), 0)) return false;
        text = word_begin(word_end(text));
    }
    text = fast_index(text, &entry->i);
    if (!text || !is_separator(*text)) return false;
    do
        text++;
    while (__builtin_expect(is_separator(*text), 0));
    text = fast_index(text, &entry->j);
    if (!text) return false;
    if (!values) return is_separator(*text) || text == newline;
    if (columns > 2) {
        if (!is_separator(*text)) return false;
        text = word_begin(text);
        if (!fast_value(p, &text, &entry->value)) return false;
    }
    while (__builtin_expect(is_separator(*text), 0))
        text++;
    for (; columns > 3 && text < newline; columns--)
        text = word_begin(word_end(text));
    return columns <= 3 && text == newline;
}

/* The same as edge_parse for constant `fast`, `values` and `columns`: the compiler makes a loop for each. */
INLINE int parse(struct edge_parser *p, int32_t *row, int32_t *col, double *val, int capacity, bool fast,
                 bool values, int columns, struct error *error)
{
    const char *line = p->next, *end = p->block->end;
    int count = 0;
    while (count < capacity && line < end) {
        struct entry entry = {.value = 1};
        bool some = true;
        /* The line's end is searched first, so that the processor can begin the next line before it finishes
         * this one. */
        const char *newline = newline_find(line), *next = newline + 1;
        if (!fast || __builtin_expect(!fast_line(p, line, newline, values, columns, &entry), 0)) {
            if (careful_line(p, line, &next, &entry, &some, error) != STATUS_OK) return -1;
        }
        line = next;
        row[count] = entry.i;
        col[count] = entry.j;
        if (values) val[count] = entry.value;
        count += some;
    }
    p->next = line;
    return count;
}

int edge_parse(struct edge_parser *p, int32_t *row, int32_t *col, double *val, int capacity,
               struct error *error)
{
    const struct edge_form *form = p->form;
    if (form->named || form->braces)
        return parse(p, row, col, val, capacity, false, p->values, form->columns, error);
    if (!p->values) return parse(p, row, col, val, capacity, true, false, form->columns, error);
    if (form->columns == 2) return parse(p, row, col, val, capacity, true, true, 2, error);
    if (form->columns == 3) return parse(p, row, col, val, capacity, true, true, 3, error);
    return parse(p, row, col, val, capacity, true, true, form->columns, error);
}
