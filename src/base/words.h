/* Making words of files and users safe for their medium. The output is well-formed UTF-8 without control
 * characters and without markup of the medium, whatever a name, a title or a message contains. All writers
 * use these functions. */
#ifndef SPARSIGHT_BASE_WORDS_H
#define SPARSIGHT_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum medium {
    MEDIUM_TERMINAL, /* plain text: terminals, messages, text reports */
    MEDIUM_CSV, /* a whole field (RFC 4180), quoted if necessary. A spreadsheet reads a field that begins with
                   = + - or @ as a formula, so an apostrophe is put before it unless it is a number */
    MEDIUM_MARKDOWN, /* with Markdown's marks escaped */
    MEDIUM_XML,      /* text, or an attribute in double quotes, of XML (1.0, section 2.4) and HTML */
    MEDIUM_JSON      /* a whole string, in quotes (RFC 8259). Control characters are escaped, and read back */
};

/* Append words to the text of a medium. Each control character, and each byte that is not UTF-8, becomes '?';
 * in JSON such a byte becomes U+FFFD. */
void words_append(struct text *text, enum medium medium, const char *words);

/* The same of the first `most` bytes. A character that would be cut is left out. */
void words_append_most(struct text *text, enum medium medium, const char *words, size_t most);

/* Replace by '?' in finished lines each control character except line ends and tabs, and each byte that is
 * not UTF-8. This is the last check before text leaves the program. It changes nothing if all words were
 * written by words_append. */
void words_check_lines(char *lines, size_t length);

/* Decode the UTF-8 character that begins at `bytes`, by the Unicode Standard's table of well-formed sequences
 * (table 3-7). Reads no byte after a 0. Returns its number of bytes; 0 if there is no such character. */
int words_decode(const char *bytes, uint32_t *character);

/* Encode a character, of at most 0x1fffff, into UTF-8, without a terminating 0. Returns the number of bytes.
 */
int words_encode(uint32_t character, char bytes[4]);

/* Append a character in UTF-8. */
void words_append_character(struct text *text, uint32_t character);

/* True for a byte of a UTF-8 character after its first one. */
bool words_continues(char byte);

/* Return the beginning of the second character; words[0] may not be 0. */
const char *words_next(const char *words);

/* Return the number of bytes, at most `most`, that end at the end of a character. */
size_t words_cut(const char *words, size_t most);

/* Return the tail of a text of more than `most` bytes, starting at a character. */
const char *words_end(const char *words, size_t most);

/* True for characters that no output may show: control characters, which terminals obey (U+0000 to U+001F,
 * U+007F to U+009F), separators of lines, changes of direction that outlast a word, surrogates and
 * noncharacters. */
bool words_control(uint32_t character);

#endif
