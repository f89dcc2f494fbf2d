#include "matrix/files/graph/words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/range.h"
#include "matrix/files/decimal.h"

/* True if a word is in the list. It may be in quotes. */
static bool is_one_of(const char *word, size_t length, const char *const *list)
{
    if (length > 1 && *word == '"' && word[length - 1] == '"') {
        word++;
        length -= 2;
    }
    for (; *list; list++)
        if (strlen(*list) == length && strncasecmp(*list, word, length) == 0) return true;
    return false;
}

static const char *skip_digits(const char *text, const char *end)
{
    while (text < end && *text >= '0' && *text <= '9')
        text++;
    return text;
}

static const char *skip_sign(const char *text, const char *end)
{
    return text + (text < end && (*text == '-' || *text == '+'));
}

/* True if digits are a decimal number, with a point or an exponent or without. */
static bool is_decimal(const char *word, const char *end)
{
    const char *at = skip_digits(word, end);
    bool point = at < end && *at == '.';
    at = skip_digits(at + point, end);
    if (at - word == point) return false;
    if (at < end && strchr("eEdD", *at)) {
        const char *exponent = skip_sign(at + 1, end);
        at = skip_digits(exponent, end);
        if (at == exponent) return false;
    }
    return at == end;
}

/* True if the word is a number: decimal, hexadecimal, infinite or not a number. */
static bool looks_like_number(const char *word, const char *end)
{
    static const char *const others[] = {"nan", "inf", "infinity", NULL};
    word = skip_sign(word, end);
    if (is_one_of(word, (size_t)(end - word), others)) return true;
    if (end - word > 5 && !strncasecmp(word, "nan(", 4) && end[-1] == ')') return true;
    if (end - word > 2 && !strncasecmp(word, "0x", 2))
        return strspn(word + 2, "0123456789abcdefABCDEF.pP+-") >= (size_t)(end - word - 2);
    return is_decimal(word, end);
}

static void look_at_comment(struct look *look, const char *line, const char *end, bool first)
{
    static const char *const marks[] = {"FromNodeId", "Directed graph", "Undirected graph", "Nodes:", NULL};
    char text[256];
    size_t length = (size_t)(end - line) < sizeof text - 1 ? (size_t)(end - line) : sizeof text - 1;
    memcpy(text, line, length);
    text[length] = 0;
    look->hashes |= *line == '#';
    for (const char *const *mark = marks; *mark && *line == '#'; mark++)
        look->snap |= strcasestr(text, *mark) != NULL;
    const char *word = word_begin(text + 1);
    look->konect |= first && *line == '%' &&
                    (!strncmp(word, "sym ", 4) || !strncmp(word, "asym ", 5) || !strncmp(word, "bip ", 4));
}

/* Look at the titles of columns. pandas and R write numbers or names of lines before all columns, with an
 * empty title, which R writes as "". */
static void look_at_titles(struct look *look, const char *line, const char *end)
{
    static const char *const rows[] = {"row", "rows", "i", "row_index", "row_id", NULL};
    static const char *const cols[] = {"col", "cols", "column", "columns", "j", "col_index", "col_id", NULL};
    static const char *const sources[] = {"source", "src",    "from", "fromnodeid", "u",
                                          "node1",  "node_1", "id1",  NULL};
    static const char *const targets[] = {"target", "dst",    "to",  "tonodeid", "v",
                                          "node2",  "node_2", "id2", NULL};
    const char *first = NULL, *first_end = NULL;
    look->header = true;
    look->untitled = *line == ',' || *line == ';' || *line == '\t';
    for (const char *word = word_begin(line); word < end; word = word_begin(word_end(word))) {
        const char *stop = word_end(word);
        if (look->titles == 0 && !look->untitled && stop - word == 2 && !memcmp(word, "\"\"", 2)) {
            look->untitled = true;
            continue;
        }
        look->titles++;
        if (look->titles == 1) {
            first = word;
            first_end = stop;
        }
        if (look->titles != 2) continue;
        size_t one = (size_t)(first_end - first), two = (size_t)(stop - word);
        look->says_rows = is_one_of(first, one, rows) && is_one_of(word, two, cols);
        look->says_edges = is_one_of(first, one, sources) && is_one_of(word, two, targets);
    }
}

/* The kinds of the words of a line. */
struct words_seen {
    bool numbers; /* all words are numbers, except attributes */
    bool indices; /* the first two are indices */
    bool some;    /* one of the first two is a number */
    bool comma;   /* a comma or a semicolon after the first */
    bool braces;  /* the text after the second word begins with a brace, and the line ends with one */
    int count;    /* all attributes count as one word */
};

static struct words_seen see_words(const char *line, const char *end)
{
    struct words_seen seen = {.numbers = true, .indices = true};
    const char *last = end;
    while (last > line && is_separator(last[-1]))
        last--;
    for (const char *word = word_begin(line); word < end; seen.count++) {
        const char *stop = word_end(word), *next = word_begin(stop);
        int64_t unused;
        seen.braces = seen.count == 2 && *word == '{' && last[-1] == '}';
        if (seen.braces) {
            seen.count++;
            break;
        }
        bool number = looks_like_number(word, stop);
        seen.numbers = seen.numbers && number;
        seen.some = seen.some || (seen.count < 2 && number);
        seen.indices = seen.indices && (seen.count > 1 || word_index(word, &unused));
        if (seen.count == 0)
            seen.comma = memchr(stop, ',', (size_t)(next - stop)) || memchr(stop, ';', (size_t)(next - stop));
        word = next;
    }
    return seen;
}

/* Classify a line of data. Titles come before all of them, and have no numbers as indices. */
static void look_at_line(struct look *look, const char *line, const char *end)
{
    const char *begin = line;
    struct words_seen seen = see_words(line, end);
    if (look->lines == 0 && !look->header && !seen.some && seen.count > 1) {
        look_at_titles(look, line, end);
        return;
    }
    if (look->lines == 0) look->numbered = look->untitled && seen.count == look->titles + 1;
    if (look->numbered) {
        begin = word_begin(word_end(word_begin(line)));
        seen = see_words(begin, end);
    }
    if (look->lines == 0) look->braces = seen.braces;
    look->commas = look->commas && seen.comma;
    look->indices = look->indices && seen.numbers && seen.indices;
    look->columns = look->lines == 0 || look->columns == seen.count ? seen.count : 0;
    look->lines++;
}

/* Bytes whose number of words fits in a byte, since each word has a separator before it. */
#define COUNTED_BYTES 192

/* Find for each of `count` bytes whether it is in a word. Each loop has one comparison: the compiler would
 * turn several into a table, which it cannot vectorise. */
static inline void find_words(const unsigned char *text, int64_t count, unsigned char *in)
{
    for (int64_t k = 0; k < count; k++)
        in[k] = text[k] > ' ';
    for (int64_t k = 0; k < count; k++)
        in[k] &= text[k] != ',';
    for (int64_t k = 0; k < count; k++)
        in[k] &= text[k] != ';';
}

int64_t words_count(const char *text, const char *end)
{
    int64_t count = 0;
    unsigned char in[COUNTED_BYTES + 1]; /* of each byte, and of the one before the first */
    in[0] = 0;
    for (int64_t bytes; text < end; text += bytes) {
        unsigned char some = 0; /* a byte, so that the compiler counts many at once */
        bytes = min(end - text, COUNTED_BYTES);
        find_words((const unsigned char *)text, bytes, in + 1);
        for (int64_t k = 0; k < bytes; k++)
            some = (unsigned char)(some + (in[k + 1] & (in[k] ^ 1)));
        in[0] = in[bytes];
        count += some;
    }
    return count;
}

struct look look_at(const struct beginning *sample)
{
    struct look look = {.commas = true, .indices = true};
    const char *end = sample->bytes + sample->count, *line = sample->bytes;
    for (const char *c = line; c < end; c++)
        look.binary |= (unsigned char)*c < ' ' && !strchr("\t\n\r\f", *c);
    look.binary |= memchr(line, 0, sample->count) != NULL;
    for (bool first = true; line < end && !look.binary; first = false) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline && !sample->whole) break;
        const char *stop = newline ? newline : end, *word = word_begin(line);
        if (is_comment(*word))
            look_at_comment(&look, word, stop, first);
        else if (word < stop)
            look_at_line(&look, line, stop);
        line = stop + 1;
    }
    if (look.lines == 0) look.commas = look.indices = false;
    return look;
}
