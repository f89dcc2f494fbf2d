#include "command/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/words.h"
#include "command/command.h"

void say_words(const char *words)
{
    struct text text = {0};
    if (!words || !words[0]) return;
    text_append(&text, "%s", words);
    if (text.failed) return;
    words_check_lines(text.data, text.length);
    fputs(text.data, stderr);
    text_free(&text);
}

void say_line(const char *format, ...)
{
    char line[sizeof(struct error)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s\n", text_visible(line));
}

void say_error(const struct error *error)
{
    char text[sizeof error->path + sizeof error->message + 64];
    fprintf(stderr, "%s\n", error_text(error, text, sizeof text));
}

void say_notes(const struct matrix *matrix)
{
    for (const char *line = matrix->notes.data; line && *line;) {
        size_t length = strcspn(line, "\n");
        say_line("%s: %.*s", matrix->path, (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void say_refused_orders(const struct session *session)
{
    for (int k = 0; k < session->refused_count; k++) {
        struct error refusal = {0};
        error_at(&refusal, STATUS_UNAVAILABLE, session->shown->matrix.path, 0, 0, "not in the order %s: %s",
                 session->refused[k].name, session->refused[k].error.message);
        say_error(&refusal);
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
    char text[sizeof error->path + sizeof error->message + 64];
    say_line("sparsight: %s", error_text(error, text, sizeof text));
    say_line("Try 'sparsight%s%s --help'.", command[0] ? " " : "", command);
    return EXIT_USAGE;
}

int print_text(struct text *text, const char *path)
{
    struct output output = {0};
    struct error error = {0};
    if (text->data) words_check_lines(text->data, text->length);
    enum status status = text->failed ? error_set(&error, STATUS_MEMORY, "out of memory for the output")
                                      : output_open(&output, path, &error);
    if (status == STATUS_OK) status = output_write(&output, text->data, text->length, &error);
    if (status == STATUS_OK) status = output_commit(&output, &error);
    output_abandon(&output);
    return conclude(status, &error);
}
