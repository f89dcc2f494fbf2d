#include <string.h>

#include "report/html/html.h"

void html_words(struct text *text, const char *words)
{
    words_append(text, MEDIUM_XML, words);
}

void html_words_most(struct text *text, const char *words, size_t most)
{
    words_append_most(text, MEDIUM_XML, words, most);
    if (strlen(words) > most) text_append(text, " ...");
}
