#include "command/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "command/command.h"

void say_error(const struct error *error)
{
    char text[sizeof error->path + sizeof error->message + 64];
    fprintf(stderr, "%s\n", error_text(error, text, sizeof text));
}

void say_words(const char *words)
{
    if (words) fputs(words, stderr);
}

void say_notes(const struct matrix *matrix)
{
    struct text text = {0};
    for (const char *line = matrix->notes.data; line && *line;) {
        size_t length = strcspn(line, "\n");
        text_append(&text, "%s: %.*s", matrix->path, (int)length, line);
        fprintf(stderr, "%s\n", text.data ? text_visible(text.data) : "");
        text_free(&text);
        line += length + (line[length] == '\n');
    }
}

int conclude(enum status status, const struct error *error)
{
    if (status == STATUS_OK) return EXIT_SUCCESS;
    if (status != STATUS_CANCELLED) say_error(error);
    return status == STATUS_USAGE ? EXIT_USAGE : EXIT_FAILURE;
}

int wrong_usage(const struct options *options, const struct error *error)
{
    const char *command = command_of(options->command)->name;
    fprintf(stderr, "sparsight: ");
    say_error(error);
    fprintf(stderr, "Try 'sparsight%s%s --help'.\n", command[0] ? " " : "", command);
    return EXIT_USAGE;
}

int print_text(const struct text *text, const char *path)
{
    struct output output = {0};
    struct error error = {0};
    enum status status =
        text->failed ? error_set(&error, STATUS_MEMORY, "out of memory: no room for what is to be printed")
                     : output_open(&output, path, &error);
    if (status == STATUS_OK) status = output_write(&output, text->data, text->length, &error);
    if (status == STATUS_OK) status = output_commit(&output, &error);
    output_abandon(&output);
    return conclude(status, &error);
}
