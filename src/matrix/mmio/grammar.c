#include "matrix/mmio/grammar.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Words */

const char *mm_first_word(const char *text)
{
    while (mm_is_blank(*text))
        text++;
    return text;
}

const char *mm_word_end(const char *text)
{
    while (*text != '\n' && !mm_is_blank(*text))
        text++;
    return text;
}

const char *mm_next_word(const char *text)
{
    return mm_first_word(mm_word_end(text));
}

bool mm_is_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(mm_word_end(text) - text) == length && strncasecmp(text, word, length) == 0;
}

bool mm_says_nothing(const char *line)
{
    line = mm_first_word(line);
    return *line == '\n' || *line == '%';
}

/* The banner */

const struct mm_word *mm_words(enum mm_property property)
{
    /* The definition of the format has no field "double" or "unsigned-integer", nor a grammar for the object
     * "vector", but files do: fast_matrix_market writes the latter two. */
    static const struct mm_word words[MM_PROPERTIES][7] = {
        [MM_OBJECT] = {{'M', MM_MTX_STR}, {'V', "vector"}, {0}},
        [MM_FORMAT] = {{'C', MM_COORDINATE_STR}, {'A', MM_ARRAY_STR}, {0}},
        [MM_FIELD] = {{'R', MM_REAL_STR},
                      {'R', "double"},
                      {'I', MM_INT_STR},
                      {'I', "unsigned-integer"},
                      {'C', MM_COMPLEX_STR},
                      {'P', MM_PATTERN_STR},
                      {0}},
        [MM_SYMMETRY] =
            {{'G', MM_GENERAL_STR}, {'S', MM_SYMM_STR}, {'K', MM_SKEW_STR}, {'H', MM_HERM_STR}, {0}},
    };
    return words[property];
}

const char *mm_word_of(enum mm_property property, char letter)
{
    for (const struct mm_word *word = mm_words(property); word->text; word++)
        if (word->letter == letter) return word->text;
    return NULL;
}

/* Returns the letter for the word at `text`; 0 if it is unknown. */
static char letter_of(enum mm_property property, const char *text)
{
    for (const struct mm_word *word = mm_words(property); word->text; word++)
        if (mm_is_word(text, word->text)) return word->letter;
    return 0;
}

enum mm_property mm_parse_banner(const char *text, struct mm_banner *banner)
{
    enum mm_property wrong = MM_PROPERTIES;
    mm_clear_typecode(&banner->matcode);
    for (int k = 0; k < MM_PROPERTIES; k++) {
        enum mm_property property = (enum mm_property)k;
        banner->word[property] = text = mm_next_word(text);
        char letter = letter_of(property, text);
        if (letter)
            banner->matcode[property] = letter;
        else if (wrong == MM_PROPERTIES)
            wrong = property;
    }
    return wrong;
}

enum mm_contradiction mm_contradiction(const MM_typecode matcode)
{
    if (mm_is_pattern(matcode) && mm_is_array(matcode)) return MM_PATTERN_ARRAY;
    if (mm_is_hermitian(matcode) && !mm_is_complex(matcode)) return MM_HERMITIAN_ELSEWHERE;
    if (mm_is_skew(matcode) && mm_is_pattern(matcode)) return MM_SKEW_PATTERN;
    if (matcode[MM_OBJECT] == 'V' && !mm_is_general(matcode)) return MM_VECTOR_SYMMETRY;
    return MM_CONSISTENT;
}

/* The size line */

/* Read one size. strtoll returns INT64_MIN or INT64_MAX for numbers beyond 64 bits, which are then negative,
 * or too large for any max below INT64_MAX. It also skips white space that is not a blank here, such as a
 * form feed, so the first byte is checked first. */
static enum mm_size_fault read_size(const char *text, int64_t max, int64_t *value)
{
    char *end;
    if (*text == '\n') return MM_SIZE_MISSING;
    if (!strchr("+-0123456789", *text) || *text == 0) return MM_SIZE_NO_NUMBER;
    *value = strtoll(text, &end, 10);
    if (end == text || end != mm_word_end(text)) return MM_SIZE_NO_NUMBER;
    if (*value < 0) return MM_SIZE_NEGATIVE;
    return *value > max ? MM_SIZE_TOO_LARGE : MM_SIZES_READ;
}

enum mm_size_fault mm_parse_sizes(const char *text, int wanted, const int64_t max[], struct mm_sizes *sizes)
{
    *sizes = (struct mm_sizes){.more = text};
    for (; sizes->count < wanted; sizes->count++) {
        int k = sizes->count;
        sizes->word[k] = sizes->more;
        enum mm_size_fault fault = read_size(sizes->word[k], max[k], &sizes->value[k]);
        if (fault) return fault;
        sizes->more = mm_next_word(sizes->word[k]);
    }
    return MM_SIZES_READ;
}

int mm_write_sizes(FILE *f, const int64_t size[], int count)
{
    int written = 0;
    for (int k = 0; k < count && written >= 0; k++)
        written = fprintf(f, "%" PRId64 "%c", size[k], k + 1 < count ? ' ' : '\n');
    return written < 0 ? MM_COULD_NOT_WRITE_FILE : 0;
}
