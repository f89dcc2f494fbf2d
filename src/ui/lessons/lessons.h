/* Lessons, from data/lessons.txt. Each has a matrix, texts and tasks, and the conditions that tell whether a
 * task is done. */
#ifndef SPARSIGHT_UI_LESSONS_LESSONS_H
#define SPARSIGHT_UI_LESSONS_LESSONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "ui/view.h"

#define LESSONS_MAX 16
#define LESSON_STEPS 6
#define LESSON_NEEDS 6

/* A condition: "row 3". The words are in lessons.c. */
struct lesson_need {
    const char *word, *value; /* value is "" if the word takes none */
};

struct lesson_step {
    const char *say;    /* what the step teaches */
    const char *task;   /* the question or the task */
    const char *keys;   /* keys that fulfil it, separated by blanks: "g 3 Space 4 Enter" */
    const char *answer; /* confirms it */
    struct lesson_need needs[LESSON_NEEDS]; /* all must hold */
    int need_count;
};

struct lesson {
    const char *title;
    const char *matrix;          /* a file beside that of the lessons, or gen:SPEC */
    const char *summary;         /* one line, with the source */
    int view;                    /* the screen that it begins on, as its index in the table of views */
    struct format_choice format; /* the format that Layouts shows first; its `format` is NULL if none is
                                    named */
    struct lesson_step steps[LESSON_STEPS];
    int step_count;
};

/* Start with {0}; free with lessons_free. */
struct lessons {
    struct text text; /* the file, which all strings point into */
    struct text folder;
    struct lesson items[LESSONS_MAX];
    int count;
};

/* Read a file of lessons. STATUS_IO if it cannot be read; STATUS_INPUT with the line if it is wrong. */
enum status lessons_read(const char *path, struct lessons *lessons, struct error *error);

/* Read those that are installed with the program. */
enum status lessons_read_installed(struct lessons *lessons, struct error *error);

void lessons_free(struct lessons *lessons);

/* Append the name of a lesson's matrix, for matrix_load. */
void lessons_matrix(const struct lessons *lessons, int lesson, struct text *text);

/* True if all conditions of a step hold on the shown screen, whose state is `state`. */
bool lesson_step_holds(struct explorer *explorer, void *state, const struct lesson_step *step);

/* True if `name`, as "ell" or "ell:pad=sentinel,layout=rows", has this value of a parameter, "pad=sentinel".
 */
bool lesson_has_parameter(const char *name, const char *value);

#endif
