/* The lesson that is running: its steps, its keys, the band that shows it, and the list of lessons. */
#ifndef SPARSIGHT_UI_LESSONS_LEARNING_H
#define SPARSIGHT_UI_LESSONS_LEARNING_H

#include "ui/lessons/lessons.h"
#include "ui/widgets/list.h"

#define LEARNING_HIGH 4 /* lines of the band */

/* Start with {0}; free with learning_free. Without lessons it has no effect. */
struct learning {
    struct lessons lessons;
    struct list list;
    struct text matrix; /* the name of the shown matrix, for matrix_load */
    int lesson;         /* the running lesson, or the last one; its matrix is shown */
    bool running;       /* the band is shown */
    int step;           /* step_count after the last one */
    bool met;           /* the step's conditions have held */
    bool hint;          /* the band shows the step's keys */
    bool done[LESSONS_MAX];
    int next;             /* the lesson to begin, whose matrix the loop must load; -1: none */
    bool listed;          /* the list opens with the matrix */
    struct footer footer; /* the keys, in the band's first line */
};

/* Read the lessons that are installed with the program. Begin with this one, counted from 1, or if it is 0
 * with the list. STATUS_USAGE if there is no such lesson. */
enum status learning_open(struct learning *learning, int lesson, struct error *error);

void learning_free(struct learning *learning);

/* Return the name of the matrix to load: that of the next lesson, or the one that was shown. Returns NULL
 * without memory. */
const char *learning_matrix(struct learning *learning);

/* The matrix is loaded: begin the lesson that was chosen, or open the list. */
void learning_begin(struct explorer *explorer, struct learning *learning);

/* Return the height of the band; 0 while no lesson runs. */
int learning_high(const struct learning *learning);

void learning_draw(const struct explorer *explorer, struct learning *learning, struct surface *surface,
                   struct rect rect);

/* If the conditions of the step hold on the shown screen, confirm it. Returns true if it did. */
bool learning_check(struct explorer *explorer, struct learning *learning, void *state);

/* Return the keys of the lesson; NULL without lessons. Their actions get the learning. */
const struct action *learning_actions(const struct learning *learning);

/* Take a key. Returns false if it is not one of the lesson's. */
bool learning_key(struct explorer *explorer, struct learning *learning, int key);

#endif
