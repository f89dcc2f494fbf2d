/* Shared by the files of the terminal (term.h). All functions need a started terminal. */
#ifndef SPARSIGHT_UI_TERMINAL_TERM_PARTS_H
#define SPARSIGHT_UI_TERMINAL_TERM_PARTS_H

#include "ui/terminal/term.h"

/* If no byte follows Esc within this time, it is a key, not the start of an escape sequence. */
#define ESCAPE_MS 25

/* Send bytes to the terminal at once. */
void term_say(const char *bytes);

/* Return the protocol of pictures: as the user says, or as the terminal has answered. */
enum graphics_way term_way(const struct terminal *term);

/* Find the size of a cell in pixels. Returns true if this has changed, or if it has changed that pixels can
 * be drawn. */
bool term_find_cell(struct terminal *term);

/* Make curses adopt the terminal's size if that has changed; its next key is KEY_RESIZE then. */
void term_follow_size(void);

/* Take over the number of rows and columns that curses knows. STATUS_MEMORY leaves them as they were. */
enum status term_resize_row(struct terminal *term, struct error *error);

/* Remove the picture of pixels from the terminal. */
void term_remove_picture(struct terminal *term);

/* Send a picture as a whole again if it was patched (shown_is_patched). */
void term_renew_picture(struct terminal *term);

/* Ask the terminal for its background and its graphics, and keep the keys that come before the answers. Mouse
 * events meanwhile are lost. */
void term_ask(struct terminal *term);

#endif
