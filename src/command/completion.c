/* `sparsight completion`: the completion script for a shell, and the words that it requests. */
#include <string.h>

#include "command/command.h"
#include "command/completion/scripts.h"
#include "command/completion/words.h"
#include "command/say.h"

/* The scripts call it as `completion words -- WORD...`. */
static const char words_word[] = "words";

static const struct completion_script *find_script(const char *shell)
{
    for (const struct completion_script *script = completion_scripts; script->shell; script++)
        if (strcmp(script->shell, shell) == 0) return script;
    return NULL;
}

static int run_completion(const struct options *options)
{
    struct text text = {0};
    const struct completion_script *script = find_script(options->operands[0]);
    if (script)
        text_append(&text, "%s", script->text);
    else
        completion_words(options->operand_count - 1, options->operands + 1, &text);
    int code = print_text(&text, options->output);
    text_free(&text);
    return code;
}

static enum status check_completion(const struct options *options, struct error *error)
{
    const char *word = options->operand_count > 0 ? options->operands[0] : "";
    if (strcmp(word, words_word) == 0 || (find_script(word) && options->operand_count == 1)) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "completion needs the name of one shell: bash, zsh or fish");
}

static void help_completion(struct text *text)
{
    text_append(text,
                "\n"
                "'make install' installs the scripts where the shells look for them. Without it, add one of\n"
                "these lines to the startup file of the shell:\n"
                "\n"
                "  bash: eval \"$(sparsight completion bash)\"\n"
                "  zsh:  eval \"$(sparsight completion zsh)\"      after compinit\n"
                "  fish: sparsight completion fish | source\n");
}

const struct command command_completion = {
    .id = COMMAND_COMPLETION,
    .name = "completion",
    .usage = "sparsight completion bash|zsh|fish",
    .summary = "print a script that completes words in a shell",
    .failure = "the script could not be written",
    .help = help_completion,
    .check = check_completion,
    .run = run_completion,
};
