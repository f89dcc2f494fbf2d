#include "command/completion/words.h"

#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "command/completion/values.h"
#include "report/figures/figure.h"

/* True if an operand is one of several words, such as bash|zsh|fish. */
static bool is_choice(const char *name)
{
    return strchr(name, '|') != NULL;
}

bool completion_knows(const struct option_row *row)
{
    return !row->argument || row->offer || is_choice(row->argument);
}

static void offer_argument(const struct option_row *row, const struct typing *typing)
{
    if (row->offer)
        row->offer(typing);
    else
        offer_choice(typing, row->argument);
}

/* Return the option of this command that `word` names, as --NAME, --NAME=... or -L, or NULL. */
static const struct option_row *find_option(enum command_id command, const char *word)
{
    if (strncmp(word, "--", 2) == 0) return option_find(command, word + 2, strcspn(word + 2, "="));
    return word[0] == '-' && word[1] && !word[2] ? option_of_letter(command, word[1]) : NULL;
}

/* Offer the options of a command, those that need an argument with the = before it. */
static void offer_options(enum command_id command, const struct typing *typing)
{
    char word[80];
    for (const struct option_row *row = option_rows; row->name; row++) {
        if (!(row->commands & command)) continue;
        snprintf(word, sizeof word, "--%s", row->name);
        if (!row->argument || row->optional) offer_word(typing, word, "", row->help);
        if (row->argument) offer_word(typing, word, "=", row->help);
        if (!row->letter) continue;
        snprintf(word, sizeof word, "-%c", row->letter);
        offer_word(typing, word, "", row->help);
    }
}

/* Write the name of operand k in a command's usage, without brackets and dots, into out. If the last one has
 * dots, it also names all later operands. Returns false if there is none. */
static bool operand_name(const struct command *command, int k, char *out, size_t size)
{
    const char *word = command->usage;
    bool behind = false; /* after the command's word, or the program's if the command has none */
    for (bool more = false; *word; word += strcspn(word, " ")) {
        word += strspn(word, " ");
        size_t length = strcspn(word, " ");
        if (length == 0) break;
        if (!behind) {
            behind = !command->name[0] ||
                     (strlen(command->name) == length && strncmp(command->name, word, length) == 0);
            continue;
        }
        if (strncmp(word, "[OPTION]", 8) == 0) continue;
        more = length > 3 && strncmp(word + length - 3, "...", 3) == 0;
        if (k-- > 0 && !more) continue;
        while (*word == '[') {
            word++;
            length--;
        }
        while (length && strchr("].", word[length - 1]))
            length--;
        snprintf(out, size, "%.*s", (int)length, word);
        return true;
    }
    return false;
}

/* Offer values for operand k of a command, by its name in the usage; `first` is the first operand, or
 * NULL. */
static void offer_operand(const struct command *command, int k, const char *first,
                          const struct typing *typing)
{
    char name[64];
    const struct figure *figure = command->id == COMMAND_PLOT && first ? figure_find(first) : NULL;
    if (!operand_name(command, k, name, sizeof name)) return;
    if (strcmp(name, "WHAT") == 0) {
        offer_figures(typing);
        offer_matrices(typing);
    } else if (is_choice(name))
        offer_choice(typing, name);
    else if (figure && figure->several)
        offer_matrices_and_reports(typing);
    else if (strcmp(name, "MATRIX") == 0 || strcmp(name, "IN") == 0)
        offer_matrices(typing);
    else if (strcmp(name, "LESSON") == 0)
        offer_lessons(typing);
    else if (strcmp(name, "SPEC") == 0)
        offer_specifications(typing);
    else
        offer_files(typing);
}

static const struct command *command_called(const char *word)
{
    for (int k = 0; commands[k]; k++)
        if (commands[k]->name[0] && strcmp(commands[k]->name, word) == 0) return commands[k];
    return command_of(COMMAND_EXPLORE);
}

void completion_words(int count, char *const *words, struct text *text)
{
    if (count < 1) return;
    const struct command *command = command_called(words[0]);
    struct typing typing = {.word = words[count - 1], .text = text};
    const struct option_row *waiting = NULL; /* the option whose argument comes next */
    bool ended = false;
    const char *first = NULL;
    int operands = 0;
    if (count == 1) /* the first word is incomplete */
        command = command_of(COMMAND_EXPLORE);
    for (int k = strcmp(words[0], command->name) == 0; k < count - 1; k++) {
        if (waiting) {
            waiting = NULL;
        } else if (!ended && strcmp(words[k], "--") == 0) {
            ended = true;
        } else if (!ended && words[k][0] == '-' && words[k][1]) {
            const struct option_row *row = find_option(command->id, words[k]);
            if (row && row->argument && !row->optional && !strchr(words[k], '=')) waiting = row;
        } else {
            if (operands++ == 0) first = words[k];
        }
    }
    if (waiting) {
        offer_argument(waiting, &typing);
    } else if (!ended && typing.word[0] == '-') {
        const char *value = strchr(typing.word, '=');
        const struct option_row *row = value ? find_option(command->id, typing.word) : NULL;
        if (!value) offer_options(command->id, &typing);
        if (!row || !row->argument) return;
        typing.from = (size_t)(value + 1 - typing.word);
        offer_argument(row, &typing);
    } else {
        for (int k = 0; count == 1 && commands[k]; k++)
            if (commands[k]->name[0]) offer_word(&typing, commands[k]->name, "", commands[k]->summary);
        if (count > 1 || !command->name[0]) offer_operand(command, operands, first, &typing);
    }
}
