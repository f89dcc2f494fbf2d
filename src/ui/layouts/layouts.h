/* Shared by the files of the Layouts screen: its panels, its focus, and drawing of elements. Only the files
 * of this folder, and tests, include this. */
#ifndef SPARSIGHT_UI_LAYOUTS_LAYOUTS_H
#define SPARSIGHT_UI_LAYOUTS_LAYOUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/array.h"
#include "formats/format.h"
#include "ui/view.h"
#include "ui/widgets/list.h"

#define LAYOUTS_PANELS 8
#define LAYOUTS_SEGMENTS 1024
#define LAYOUTS_DIGITS 8 /* the max width of values at first */

/* The picture of part 0, in variables that otherwise hold the number of an array. */
#define PICTURE (-1)

/* The content of a picture's cells. The index is that of the cell's column, or of its row if lines are
 * columns. */
enum content { CONTENT_AUTOMATIC, CONTENT_BOTH, CONTENT_VALUES, CONTENT_INDICES };

/* The content of the panels. */
enum sections { SECTIONS_ALL, SECTIONS_PICTURE, SECTIONS_ARRAYS };

/* The matrix in one format. A window of each array and of the picture is visible: drawing moves it so that it
 * shows the focus, or else the elements that belong to the cursor. */
struct panel {
    struct conversion *conversion; /* the requested conversion */
    struct conversion *shown; /* the conversion that is drawn: the previous one until `conversion` is built;
                                 NULL if there is none */
    int parameter;            /* < and > change this parameter of the format */
    int64_t first[STORAGE_ARRAYS]; /* the first element in each array's window */
    int64_t room[STORAGE_ARRAYS];  /* the number of elements that fit in it; 0 if the array is not drawn */
    int wide[STORAGE_ARRAYS];      /* the width of an array's elements: the largest so far */
    int array;                     /* the target of the panel's last focus: an array, or PICTURE */
    int64_t line, cell;            /* the first line and cell in the picture's window */
    int lines, cells;              /* the numbers of lines and cells in it; 0 if the picture is not drawn */
    int index;                     /* the width of the picture's indices: the largest so far */
};

/* The target of the cursor keys: an element of an array, or a cell of the picture. */
struct focus {
    int panel, array; /* array is PICTURE for a cell */
    int64_t element;  /* the element of an array, -1 if the array is empty; in the picture the cell's slot, -1
                         if the line has no cells */
    int64_t line, cell; /* the line and the cell of the picture */
};

/* The position of neighbouring elements of an array, or cells of a line of the picture, on the screen, for
 * clicks on them. */
struct segment {
    int y, x, field, count; /* `count` fields of `field` characters each, from (y, x) on */
    int panel, array;
    int64_t first, line; /* the first element, or the first cell of this line of the picture */
};

/* The state of the screen. */
struct layouts {
    struct panel panels[LAYOUTS_PANELS];
    int count;
    bool tentative; /* once its size is known, the second panel tries formats until one has content to show */
    enum precision precision;
    enum content content;
    enum sections sections;
    bool stacked; /* panels are stacked even if they fit side by side */
    int digits;   /* the max width of values */
    struct focus focus;
    struct cursor seen; /* the cursor when the focus last followed it */
    bool focused;       /* element, line and cell of the focus are set */
    struct list dialog; /* the list of formats */
    struct segment segments[LAYOUTS_SEGMENTS];
    int segment_count;
};

/* panels.c: the shown formats and their parameters. */

/* Show CSR, and beside it ELL if this build has it, else another format. False without memory. */
bool layouts_start(struct explorer *explorer, struct layouts *layouts, struct error *error);

/* Show new conversions, and hold those of all panels. */
void layouts_update(struct explorer *explorer, struct layouts *layouts);

/* Show a format in another panel, in the precision of all panels. The bottom line says so if there is no
 * room. */
void layouts_add(struct explorer *explorer, struct layouts *layouts, const struct format_choice *choice);

/* Close a panel, unless it is the only one. */
void layouts_remove(struct explorer *explorer, struct layouts *layouts, int panel);

/* Show another choice in a panel. */
void layouts_set(struct explorer *explorer, struct layouts *layouts, int panel,
                 const struct format_choice *choice);

/* Give the parameter that < and > change its next value, or its previous one if `direction` is -1. */
void layouts_step(struct explorer *explorer, void *state, int direction);

/* Let < and > change the next parameter of the format. */
void layouts_next_parameter(struct explorer *explorer, void *state, int unused);

/* Ask for the parameters of the panel with the focus. */
void layouts_ask(struct explorer *explorer, void *state, int unused);

/* Take the answer. If it is wrong, the bottom line says why. */
void layouts_answer(struct explorer *explorer, void *state, const char *text);

/* Show all panels in the other precision. */
void layouts_change_precision(struct explorer *explorer, void *state, int unused);

/* The name of a conversion; it includes the parameters once they are known. */
const char *layouts_name(const struct conversion *conversion);

/* cells.c: single elements and cells, and their highlighting. */

/* Data for drawing a panel. */
struct scene {
    struct explorer *explorer;
    struct layouts *layouts;
    struct panel *panel;
    struct surface *surface;
    const struct storage *storage;
    int index;        /* the panel's */
    bool focused;     /* the panel has the focus */
    bool placed;      /* the matrix has rows and columns, so that there is a cursor */
    struct spot spot; /* the cursor's */
    struct spot near; /* the spot of the entry at the cursor, else of one beside it in its row, else of the
                         next one; slot -1 if the matrix has none */
    struct extent touch[STORAGE_ARRAYS]; /* of arrays not per slot, the elements needed to find `spot` */
};

/* The highlighting of an element. */
enum light {
    LIGHT_NONE,
    LIGHT_ROW,   /* a slot of the cursor's row */
    LIGHT_DIM,   /* an element that a kernel reads to find that there is no entry at the cursor */
    LIGHT_TOUCH, /* an element that a kernel reads to find the cursor's entry */
    LIGHT_ENTRY, /* the cursor's entry */
};

/* Make the scene of a panel whose `shown` is not NULL. `surface` may be NULL if nothing is drawn with it. */
struct scene scene_make(struct explorer *explorer, struct layouts *layouts, int panel,
                        struct surface *surface);

/* Return the highlighting of element e of array q. */
enum light scene_light(const struct scene *scene, int q, int64_t e);

/* Return the element of array q that its window must show: the focus if it is in this array, else the element
 * that belongs to the cursor; -1 if there is none. */
int64_t scene_at(const struct scene *scene, int q);

/* True if the focus is on element e of array q. */
bool scene_has_focus(const struct scene *scene, int q, int64_t e);

/* The number of digits of a number, with its sign. */
int number_digits(int64_t number);

/* Write element e of an array. A value has all digits that fit into `wide` characters. Returns `out`. */
char *element_text(const struct array *array, int64_t e, int wide, char *out, size_t size);

/* Return the width of elements of array q. It suffices for `count` of them from `first` on and for all
 * measured before, but values are at most layouts->digits wide. */
int scene_wide(const struct scene *scene, int q, int64_t first, int64_t count);

/* Draw element e of array q, right-aligned in `wide` characters. */
void scene_draw_element(const struct scene *scene, int y, int x, int wide, int q, int64_t e);

/* Highlight a cell that has been drawn, shade it if it is padding, and mark it if it has the focus. */
void scene_light_cell(const struct scene *scene, struct rect cell, enum light light, bool padding,
                      bool focus);

/* Write the numbers first .. first + count-1 above cells of `field` characters, as many as fit. That of `lit`
 * is always written, unless it is -1. */
void scene_ruler(const struct scene *scene, int y, int x, int field, int count, int64_t first, int64_t lit);

/* Draw the rule before a cell. If there is none and `more` is true, a mark says that there are cells to the
 * left. */
void scene_rule(const struct scene *scene, int y, int x, enum rule rule, bool more);

/* Record a segment that was drawn in the scene's panel. */
void scene_note_segment(const struct scene *scene, struct segment segment);

/* arrays.c: arrays as segments of cells. Arrays of the same slots are stacked. */

/* The numbers of arrays that are stacked: all arrays per slot of one part, or one other array. */
struct array_group {
    int arrays[STORAGE_ARRAYS];
    int count;
};

/* Divide the arrays into groups, at most STORAGE_ARRAYS. Returns their number. */
int layouts_groups(const struct storage *storage, struct array_group *groups);

/* Return the number of lines of all arrays with one segment each. */
int layouts_arrays_need(const struct storage *storage);

/* Draw the arrays. Returns the number of arrays that did not fit. */
int layouts_draw_arrays(const struct scene *scene, struct rect rect);

/* picture.c */

/* True if the format has a picture, and this storage's has cells. */
bool layouts_has_picture(const struct storage *storage);

/* Return the position of a line that is a row or a column of the matrix: (row, -1) or (-1, column). It is
 * (-1, -1) if the line is neither, or lies beyond the matrix. */
struct place layouts_line_place(const struct storage *storage, int64_t line);

/* Draw the picture, which the storage must have. */
void layouts_draw_picture(const struct scene *scene, struct rect rect);

/* panel.c */

/* Draw a panel: its heading, figures, picture and arrays, and a text on the target of the focus. */
void layouts_draw_panel(struct explorer *explorer, struct layouts *layouts, int panel,
                        struct surface *surface, struct rect rect);

/* focus.c: keys move the focus, and the cursor follows. */

/* Move the focus to the cursor if the cursor has moved, or if the focus is not set. */
void layouts_refocus(struct explorer *explorer, struct layouts *layouts);

/* Forget the focus's element, so that layouts_refocus sets it. */
void layouts_unfocus(struct layouts *layouts);

/* Move the focus in its array or picture; the cursor follows. Up and down lead to other arrays, except within
 * the picture. */
void layouts_move(struct explorer *explorer, struct layouts *layouts, int64_t right, int64_t down);

/* Move the focus by the number of elements or lines in its window. */
void layouts_page(struct explorer *explorer, void *state, int direction);

/* Move the focus to the first or last element. In the picture, go to the end of its line, then of the
 * picture. */
void layouts_end(struct explorer *explorer, void *state, int last);

/* Return true if there is something to which layouts_next_array moves: arrays and cells exist once the format
 * is converted. */
bool layouts_has_stops(const struct layouts *layouts);

/* Move the focus to the next array, or to the previous one if `step` is -1, through all panels. */
void layouts_next_array(struct explorer *explorer, void *state, int step);

/* Move the focus to the next or previous panel. */
void layouts_next_panel(struct explorer *explorer, void *state, int step);

/* Set the focus to the clicked element, or move it with the mouse wheel. */
void layouts_point(struct explorer *explorer, void *state, const struct mouse *mouse);

/* formats_list.c */

/* Open the list of formats: all variants of each, and the other options of panels. */
void layouts_open_list(struct explorer *explorer, void *state, int unused);

#endif
