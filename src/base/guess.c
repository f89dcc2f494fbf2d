#include "base/guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static void write_lower(char out[GUESS_WORD], const char *word, size_t length)
{
    size_t used = 0;
    for (; used < length && used + 1 < GUESS_WORD && word[used]; used++)
        out[used] = (char)tolower((unsigned char)word[used]);
    out[used] = 0;
}

void guess_start(struct guess *guess, const char *word, size_t length)
{
    *guess = (struct guess){0};
    write_lower(guess->word, word, length);
    int letters = (int)strlen(guess->word);
    guess->fewest = letters > 5 ? letters / 3 : letters > 1;
}

void guess_offer(struct guess *guess, const char *known, const char *name)
{
    char lower[GUESS_WORD];
    write_lower(lower, known, strlen(known));
    int apart = text_apart(guess->word, lower);
    if (apart > guess->fewest || guess->word[0] == 0) return;
    if (apart < guess->fewest) guess->count = 0;
    guess->fewest = apart;
    for (int k = 0; k < guess->count; k++)
        if (strcmp(guess->names[k], name) == 0) return;
    if (guess->count < GUESS_NAMES)
        snprintf(guess->names[guess->count++], sizeof guess->names[0], "%s", name);
}

char *guess_text(const struct guess *guess, char out[GUESS_TEXT])
{
    size_t length = 0;
    out[0] = 0;
    for (int k = 0; k < guess->count; k++)
        length += (size_t)snprintf(out + length, GUESS_TEXT - length, "%s%s",
                                   k == 0                 ? "; did you mean "
                                   : k + 1 < guess->count ? ", "
                                                          : " or ",
                                   guess->names[k]);
    return out;
}

enum status guess_refuse(const char *start, const char *word, size_t length, const char *(*name)(int k),
                         struct error *error)
{
    struct guess guess;
    struct text names = {0};
    char meant[GUESS_TEXT];
    guess_start(&guess, word, length);
    for (int k = 0; name(k); k++) {
        guess_offer(&guess, name(k), name(k));
        text_append(&names, "%s%s", k ? ", " : "", name(k));
    }
    error_set(error, STATUS_USAGE, "%s '%.*s'%s%s are %s", start, length < 40 ? (int)length : 40, word,
              guess_text(&guess, meant), guess.count ? "? There" : "; there",
              names.data ? names.data : "others");
    text_free(&names);
    return STATUS_USAGE;
}
