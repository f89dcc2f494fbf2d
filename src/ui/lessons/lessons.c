#include "ui/lessons/lessons.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/list.h"
#include "ui/browser/start.h"

/* The file that is read. The first error wins. */
struct reading {
    struct lessons *lessons;
    const char *path;
    int64_t line, began; /* the line that is read, and the first line of the lesson or step, both from 1 */
    struct error *error;
};

static enum status fail(const struct reading *reading, int64_t line, const char *text, const char *word)
{
    return error_at(reading->error, STATUS_INPUT, reading->path, line, 0, "%s%s", text, word);
}

static struct lesson *last_lesson(const struct reading *reading)
{
    struct lessons *lessons = reading->lessons;
    return lessons->count ? &lessons->items[lessons->count - 1] : NULL;
}

static struct lesson_step *last_step(const struct reading *reading)
{
    struct lesson *lesson = last_lesson(reading);
    return lesson && lesson->step_count ? &lesson->steps[lesson->step_count - 1] : NULL;
}

static int find_view(const char *title)
{
    for (int k = 0; views[k]; k++)
        if (strcmp(views[k]->title, title) == 0) return k;
    return -1;
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) < 19;
}

static bool row_is(const struct explorer *explorer, const char *value)
{
    return explorer->cursor.row + 1 == strtoll(value, NULL, 10);
}

static bool column_is(const struct explorer *explorer, const char *value)
{
    return explorer->cursor.col + 1 == strtoll(value, NULL, 10);
}

static bool cut_is(const struct explorer *explorer, const char *value)
{
    return explorer_cut(explorer) == strtoll(value, NULL, 10);
}

static bool value_is(const struct explorer *explorer, const char *value)
{
    char text[ENTRY_VALUE];
    const int64_t entry = explorer->cursor.entry;
    return entry >= 0 && strcmp(entry_value(&explorer->session->shown->matrix, entry, text), value) == 0;
}

static bool screen_is(const struct explorer *explorer, const char *value)
{
    return strcmp(views[explorer->view]->title, value) == 0;
}

/* The words of conditions. Those without `holds` are the view's (struct view). */
static const struct {
    const char *word;
    bool (*holds)(const struct explorer *explorer, const char *value);
    enum { VALUE_TEXT, VALUE_NUMBER, VALUE_NONE, VALUE_SCREEN } value;
} words[] = {
    {"screen", screen_is, VALUE_SCREEN}, {"row", row_is, VALUE_NUMBER},   {"column", column_is, VALUE_NUMBER},
    {"value", value_is, VALUE_TEXT},     {"cut", cut_is, VALUE_NUMBER},   {"format", NULL, VALUE_TEXT},
    {"parameter", NULL, VALUE_TEXT},     {"array", NULL, VALUE_TEXT},     {"element", NULL, VALUE_NUMBER},
    {"padding", NULL, VALUE_NONE},       {"kernel", NULL, VALUE_TEXT},    {"access", NULL, VALUE_TEXT},
    {"operand", NULL, VALUE_TEXT},       {"sectors", NULL, VALUE_NUMBER}, {"section", NULL, VALUE_TEXT},
};
#define WORDS (sizeof words / sizeof *words)

static size_t find_word(const char *word)
{
    size_t k = 0;
    while (k < WORDS && strcmp(words[k].word, word) != 0)
        k++;
    return k;
}

/* Cut the first word off a line. Returns the rest of the line, without blanks before it. */
static char *cut_word(char *line)
{
    char *rest = line + strcspn(line, " ");
    if (*rest) *rest++ = 0;
    return rest + strspn(rest, " ");
}

static enum status take_need(const struct reading *reading, char *word)
{
    struct lesson_step *step = last_step(reading);
    char *value = cut_word(word);
    const size_t k = find_word(word);
    if (k == WORDS) return fail(reading, reading->line, "no condition has the name ", word);
    if (step->need_count == LESSON_NEEDS)
        return fail(reading, reading->line, "too many conditions: the step has 6 already", "");
    if (words[k].value == VALUE_NUMBER && !is_number(value))
        return fail(reading, reading->line, "a whole number must follow ", word);
    if (words[k].value == VALUE_SCREEN && find_view(value) < 0)
        return fail(reading, reading->line, "no screen has the name ", value);
    if (words[k].value == VALUE_NONE ? *value != 0 : *value == 0)
        return fail(reading, reading->line, *value ? "no value may follow " : "a value must follow ", word);
    step->needs[step->need_count++] = (struct lesson_need){.word = word, .value = value};
    return STATUS_OK;
}

static enum status take_format(const struct reading *reading, char *text)
{
    struct lesson *lesson = last_lesson(reading);
    char *parameters = text + strcspn(text, ":");
    if (*parameters) *parameters++ = 0;
    const struct format *format = format_find(text);
    struct error error = {0};
    if (!format) return fail(reading, reading->line, "no format has the name ", text);
    if (format_choice_read(format, parameters, PRECISION_F64, &lesson->format, &error) == STATUS_OK)
        return STATUS_OK;
    return fail(reading, reading->line, error.message, "");
}

/* Fail if the last step lacks a part, or the last lesson has no step. */
static enum status check_last(const struct reading *reading)
{
    const struct lesson *lesson = last_lesson(reading);
    const struct lesson_step *step = last_step(reading);
    const char *missing = !lesson             ? NULL
                          : !lesson->matrix   ? "a matrix"
                          : !lesson->summary  ? "a summary"
                          : lesson->view < 0  ? "a screen"
                          : !step             ? "a step"
                          : !step->say        ? "a text 'say'"
                          : !step->task       ? "a task"
                          : !step->keys       ? "the keys"
                          : !step->answer     ? "an answer"
                          : !step->need_count ? "a condition 'need'"
                                              : NULL;
    return missing ? fail(reading, reading->began, step ? "this step lacks " : "this lesson lacks ", missing)
                   : STATUS_OK;
}

static enum status take_lesson(struct reading *reading, char *title)
{
    struct lessons *lessons = reading->lessons;
    const enum status status = check_last(reading);
    if (status != STATUS_OK) return status;
    if (lessons->count == LESSONS_MAX) return fail(reading, reading->line, "more than 16 lessons", "");
    if (!*title) return fail(reading, reading->line, "a title must follow ", "lesson");
    lessons->items[lessons->count++] = (struct lesson){.title = title, .view = -1};
    reading->began = reading->line;
    return STATUS_OK;
}

static enum status take_step(struct reading *reading)
{
    struct lesson *lesson = last_lesson(reading);
    const enum status status = lesson->step_count ? check_last(reading) : STATUS_OK;
    if (status != STATUS_OK) return status;
    if (lesson->step_count == LESSON_STEPS) return fail(reading, reading->line, "more than 6 steps", "");
    lesson->step_count++;
    reading->began = reading->line;
    return STATUS_OK;
}

/* Set a text once. */
static enum status take_text(const struct reading *reading, const char **text, const char *word, char *value)
{
    if (*text) return fail(reading, reading->line, "there is already a line ", word);
    if (!*value) return fail(reading, reading->line, "a text must follow ", word);
    *text = value;
    return STATUS_OK;
}

static enum status take_line(struct reading *reading, char *word)
{
    char *value = cut_word(word);
    struct lesson *lesson = last_lesson(reading);
    struct lesson_step *step = last_step(reading);
    if (strcmp(word, "lesson") == 0) return take_lesson(reading, value);
    if (!lesson) return fail(reading, reading->line, "the first line must be 'lesson TITLE', not ", word);
    if (strcmp(word, "step") == 0) return take_step(reading);
    if (!step) {
        if (strcmp(word, "matrix") == 0) return take_text(reading, &lesson->matrix, word, value);
        if (strcmp(word, "summary") == 0) return take_text(reading, &lesson->summary, word, value);
        if (strcmp(word, "format") == 0) return take_format(reading, value);
        if (strcmp(word, "screen") != 0)
            return fail(reading, reading->line, "a lesson has matrix, summary, screen, format and step, not ",
                        word);
        lesson->view = find_view(value);
        return lesson->view >= 0 ? STATUS_OK : fail(reading, reading->line, "no screen has the name ", value);
    }
    if (strcmp(word, "say") == 0) return take_text(reading, &step->say, word, value);
    if (strcmp(word, "task") == 0) return take_text(reading, &step->task, word, value);
    if (strcmp(word, "keys") == 0) return take_text(reading, &step->keys, word, value);
    if (strcmp(word, "answer") == 0) return take_text(reading, &step->answer, word, value);
    if (strcmp(word, "need") == 0) return take_need(reading, value);
    return fail(reading, reading->line, "a step has say, task, need, keys and answer, not ", word);
}

/* Join the lines that continue this one, which begin with a blank, in place. Returns the next line, and
 * counts the lines. */
static char *join_lines(char *line, int64_t *lines)
{
    char *to = line, *from = line;
    for (;;) {
        const size_t length = strcspn(from, "\n");
        const bool more = from[length] != 0;
        memmove(to, from, length);
        to += length;
        from += length + more;
        ++*lines;
        if (!more || *from != ' ') break;
        *to++ = ' ';
        from += strspn(from, " ");
    }
    char *next = from;
    *to = 0;
    return next;
}

static enum status read_text(const char *path, struct text *text, struct error *error)
{
    char part[4096];
    FILE *file = fopen(path, "re");
    if (!file) return error_at(error, STATUS_IO, path, 0, 0, "cannot be opened: %s", strerror(errno));
    for (size_t count; (count = fread(part, 1, sizeof part, file)) > 0;)
        text_append_bytes(text, part, count);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) return error_at(error, STATUS_IO, path, 0, 0, "cannot be read");
    text_append(text, "%s", "");
    return text->failed ? error_set(error, STATUS_MEMORY, "out of memory for the lessons") : STATUS_OK;
}

enum status lessons_read(const char *path, struct lessons *lessons, struct error *error)
{
    struct reading reading = {.lessons = lessons, .path = path, .line = 1, .error = error};
    enum status status = read_text(path, &lessons->text, error);
    const char *slash = strrchr(path, '/');
    text_append(&lessons->folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (status == STATUS_OK && lessons->folder.failed)
        status = error_set(error, STATUS_MEMORY, "out of memory for the lessons");
    for (char *line = lessons->text.data; status == STATUS_OK && line && *line;) {
        int64_t lines = 0;
        char *next = join_lines(line, &lines);
        if (*line && *line != '#') status = take_line(&reading, line);
        reading.line += lines;
        line = next;
    }
    if (status == STATUS_OK) status = check_last(&reading);
    if (status == STATUS_OK && !lessons->count)
        status = error_at(error, STATUS_INPUT, path, 0, 0, "there is no lesson in it");
    if (status != STATUS_OK) lessons_free(lessons);
    return status;
}

enum status lessons_read_installed(struct lessons *lessons, struct error *error)
{
    struct text path = {0};
    start_examples(&path);
    const bool found = path.length > 0;
    if (found) text_append(&path, "/lessons.txt");
    const enum status status =
        path.failed ? error_set(error, STATUS_MEMORY, "out of memory for the lessons")
        : found     ? lessons_read(path.data, lessons, error)
                    : error_set(error, STATUS_IO, "no folder of examples is installed with this program");
    text_free(&path);
    return status;
}

void lessons_free(struct lessons *lessons)
{
    text_free(&lessons->text);
    text_free(&lessons->folder);
    *lessons = (struct lessons){0};
}

void lessons_matrix(const struct lessons *lessons, int lesson, struct text *text)
{
    const char *name = lessons->items[lesson].matrix;
    if (strncmp(name, "gen:", 4) == 0)
        text_append(text, "%s", name);
    else
        text_append(text, "%s/%s", lessons->folder.data, name);
}

bool lesson_has_parameter(const char *name, const char *value)
{
    const size_t length = strlen(value);
    for (const char *at = strchr(name, ':'); at; at = strchr(at, ',')) {
        at++;
        if (strncmp(at, value, length) == 0 && (at[length] == 0 || at[length] == ',')) return true;
    }
    return false;
}

bool lesson_step_holds(struct explorer *explorer, void *state, const struct lesson_step *step)
{
    const struct view *view = views[explorer->view];
    for (int k = 0; k < step->need_count; k++) {
        const struct lesson_need *need = &step->needs[k];
        const size_t word = find_word(need->word);
        const bool holds =
            words[word].holds ? words[word].holds(explorer, need->value)
                              : view->holds && state && view->holds(explorer, state, need->word, need->value);
        if (!holds) return false;
    }
    return true;
}
