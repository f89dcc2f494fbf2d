/* Moves of the cursor of the Pattern screen, and of the picture with it. Only for the files of this
 * folder. */
#ifndef SPARSIGHT_UI_PATTERN_MOVES_H
#define SPARSIGHT_UI_PATTERN_MOVES_H

#include "ui/pattern/pattern.h"

/* Move the picture so that it shows the cursor, which has moved. */
void pattern_follow(struct explorer *explorer, struct pattern *pattern);

/* Move the cursor to (position, col), or to the nearest position of the matrix; or to (row, col). `position`
 * is that of a row in the drawn order. */
void pattern_go(struct explorer *explorer, struct pattern *pattern, int64_t position, int64_t col);
void pattern_go_to(struct explorer *explorer, struct pattern *pattern, int64_t row, int64_t col);

/* Zoom to the cursor, which was put on a position that the user has found or chosen: to the first level at
 * which a dot is one position. pattern_come_back returns. */
void pattern_aim(struct explorer *explorer, struct pattern *pattern);

/* Change the zoom level; the cursor stays where it is on the screen. */
void pattern_zoom_here(struct explorer *explorer, struct pattern *pattern, int level);

/* If a level is beyond the last because the entries are not in memory, a message says so. */
void pattern_say_end(struct explorer *explorer, const struct pattern *pattern, int level);

/* Actions of keys (struct action) that move the cursor by dots: */
void pattern_move_down(struct explorer *explorer, void *state, int dots);
void pattern_move_right(struct explorer *explorer, void *state, int dots);
void pattern_turn_page(struct explorer *explorer, void *state, int direction);
void pattern_go_to_end(struct explorer *explorer, void *state, int last);

/* Move the cursor by entries: */
void pattern_next_in_row(struct explorer *explorer, void *state, int forward);
void pattern_next_in_column(struct explorer *explorer, void *state, int forward);

/* Change the level of zoom about the cursor: */
void pattern_step_zoom(struct explorer *explorer, void *state, int step);
void pattern_show_all(struct explorer *explorer, void *state, int unused);
void pattern_go_in(struct explorer *explorer, void *state, int unused);

/* The view's `back`: undo the last zoom by Enter, or else show the whole matrix. */
bool pattern_come_back(struct explorer *explorer, void *state);

/* The actions of the mouse. */
void pattern_mouse(struct explorer *explorer, void *state, const struct mouse *mouse);

#endif
