/* The Layouts screen's own parts: its panels, its focus, and what they are drawn of. Only view_layouts.c and
 * layouts_*.c include this. */
#ifndef SPARSIGHT_UI_LAYOUTS_LAYOUTS_H
#define SPARSIGHT_UI_LAYOUTS_LAYOUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/array.h"
#include "formats/format.h"
#include "ui/view.h"
#include "ui/widgets/list.h"

#define LAYOUTS_PANELS 8
#define LAYOUTS_STRIPS 1024
#define LAYOUTS_DIGITS 8 /* of values, at first */

/* The picture of part 0, where an array's number could stand. */
#define PICTURE (-1)

/* What the cells of a picture say. The index is the column of a cell's place, or where lines are columns its
 * row: what the line does not say. */
enum content { CONTENT_AUTOMATIC, CONTENT_BOTH, CONTENT_VALUES, CONTENT_INDICES };

/* What the panels show. */
enum sections { SECTIONS_ALL, SECTIONS_PICTURE, SECTIONS_ARRAYS };

/* One format. Windows are moved by drawing, so that what they follow is in sight. */
struct panel {
    struct conversion *conversion; /* that is wanted */
    struct conversion
        *shown;    /* that is drawn: the same once it is built, till then the one before, or NULL */
    int parameter; /* that < and > change */
    int64_t first[STORAGE_ARRAYS]; /* the first element in each array's window */
    int64_t room[STORAGE_ARRAYS];  /* elements in it; 0: not drawn */
    int wide[STORAGE_ARRAYS];      /* characters of an element: the widest seen so far */
    int array;                     /* that had the focus when the panel last had it */
    int64_t line, cell;            /* the picture's window */
    int lines, cells;              /* lines and cells in it; 0: not drawn */
    int index;                     /* characters of an index in it: the widest seen so far */
};

/* Where the keys go: an element of an array, or a cell of the picture. */
struct focus {
    int panel, array;
    int64_t element;    /* of the array; in the picture the slot, -1 if the line is empty */
    int64_t line, cell; /* of the picture */
};

/* Cells drawn in a row, for the mouse: `count` of `field` characters from (y, x) on. */
struct strip {
    int y, x, field, count;
    int panel, array;
    int64_t first, line; /* element; in the picture the cell of a line */
};

struct layouts {
    struct panel panels[LAYOUTS_PANELS];
    int count;
    bool tentative; /* the second panel waits to know whether ELL is of a sensible size */
    enum precision precision;
    enum content content;
    enum sections sections;
    bool stacked;
    int digits;
    struct focus focus;
    struct cursor seen; /* the cursor when the focus was last brought to it */
    bool focused;       /* the focus is set */
    struct list dialog; /* of formats: all variants of each, and the panels that are none of them */
    struct strip strips[LAYOUTS_STRIPS];
    int strip_count;
};

/* layouts_panels.c: which formats are shown. */

/* CSR and ELL, or what there is. False without memory. */
bool layouts_start(struct explorer *explorer, struct layouts *layouts, struct error *error);
/* Show what has been built since, and say to the explorer what is wanted. */
void layouts_update(struct explorer *explorer, struct layouts *layouts);
/* Show a format in another panel, in the precision of all. */
void layouts_add(struct explorer *explorer, struct layouts *layouts, const struct format_choice *choice);
void layouts_remove(struct explorer *explorer, struct layouts *layouts, int panel);
/* Another choice in the place of a panel's. */
void layouts_set(struct explorer *explorer, struct layouts *layouts, int panel,
                 const struct format_choice *choice);
/* The next or previous value of the panel's parameter, or the next parameter. */
void layouts_step(struct explorer *explorer, struct layouts *layouts, int direction);
void layouts_next_parameter(struct explorer *explorer, struct layouts *layouts);
void layouts_ask(struct explorer *explorer, struct layouts *layouts);
void layouts_answer(struct explorer *explorer, struct layouts *layouts, const char *text);
void layouts_change_precision(struct explorer *explorer, struct layouts *layouts);
/* The name that a conversion goes by: with its parameters as soon as they are known. */
const char *layouts_name(const struct conversion *conversion);

/* layouts_cells.c: single elements, and how they are lit. */

/* One panel being drawn. */
struct scene {
    struct explorer *explorer;
    struct layouts *layouts;
    struct panel *panel;
    struct surface *surface;
    const struct storage *storage;
    int index;        /* of the panel */
    bool focused;     /* it has the focus */
    bool placed;      /* the matrix has places, and so a cursor */
    struct spot spot; /* the cursor's */
    struct spot near; /* the entry nearest to it; slot -1 if there is none */
    struct extent touch[STORAGE_ARRAYS];
};

/* How brightly an element is lit. */
enum light {
    LIGHT_NONE,
    LIGHT_ROW,   /* a slot of the cursor's row */
    LIGHT_DIM,   /* needed for the cursor's row, which has no entry there */
    LIGHT_TOUCH, /* needed to get at the cursor's entry */
    LIGHT_ENTRY, /* the cursor's entry */
};

/* The scene of a panel that shows something. surface may be NULL if nothing is to be drawn. */
struct scene scene_make(struct explorer *explorer, struct layouts *layouts, int panel,
                        struct surface *surface);
enum light scene_light(const struct scene *scene, int q, int64_t e);
/* The element of array q that its window is to show; -1 if there is none. */
int64_t scene_at(const struct scene *scene, int q);
/* True if the focus is on element e of array q; in the picture on a cell. */
bool scene_has_focus(const struct scene *scene, int q, int64_t e);
/* Digits of a number, its sign counted. */
int number_digits(int64_t number);
/* Element e in at most `wide` characters, where values lose digits. Returns out. */
char *element_text(const struct array *array, int64_t e, int wide, char *out, size_t size);
/* Characters that an element of array q takes, at least for those from `first` on. */
int scene_wide(const struct scene *scene, int q, int64_t first, int64_t count);
/* Draw element e of array q, right-aligned in `wide` characters. */
void scene_draw_element(const struct scene *scene, int y, int x, int wide, int q, int64_t e);
/* Light and mark a cell that is drawn; padding is shaded. */
void scene_light_cell(const struct scene *scene, struct rect cell, enum light light, bool padding,
                      bool focus);
/* Numbers above cells of `field` characters, as many as there is room for; that of `lit` (-1: none) surely.
 */
void scene_ruler(const struct scene *scene, int y, int x, int field, int count, int64_t first, int64_t lit);
/* The rule before a cell, or what says that there is more to the left. */
void scene_rule(const struct scene *scene, int y, int x, enum rule rule, bool more);
/* Remember where cells were drawn. */
void scene_strip(const struct scene *scene, struct strip strip);

/* layouts_arrays.c: arrays as strips of cells, arrays of the same slots one above the other. */

struct group {
    int arrays[STORAGE_ARRAYS];
    int count;
};
int layouts_groups(const struct storage *storage, struct group *groups);
/* Lines that all arrays need, one strip each. */
int layouts_arrays_need(const struct storage *storage);
/* Returns the number of arrays that there was no room for. */
int layouts_draw_arrays(const struct scene *scene, struct rect rect);

/* layouts_picture.c */
/* False also of one without cells. */
bool layouts_has_picture(const struct storage *storage);
/* The place that a line stands for by itself: a row or a column alone; both -1 if it is another line, or one
 * beyond the matrix. */
struct place layouts_line_place(const struct storage *storage, int64_t line);
void layouts_draw_picture(const struct scene *scene, struct rect rect);

/* layouts_panel.c: a panel with its heading, its figures, and a word on what the focus is on. */
void layouts_draw_panel(struct explorer *explorer, struct layouts *layouts, int panel,
                        struct surface *surface, struct rect rect);

/* layouts_focus.c: where the keys go, and how the cursor follows. */

/* Bring the focus to the cursor if something else moved it, or if the panel changed. */
void layouts_refocus(struct explorer *explorer, struct layouts *layouts);
/* Forget the focus's element: the cursor says where it is. */
void layouts_unfocus(struct layouts *layouts);
/* Move the focus within its array or picture; the cursor follows. */
void layouts_move(struct explorer *explorer, struct layouts *layouts, int64_t right, int64_t down);
void layouts_page(struct explorer *explorer, struct layouts *layouts, int direction);
void layouts_end(struct explorer *explorer, struct layouts *layouts, bool last);
/* The next or previous array, through all panels. */
void layouts_next_array(struct explorer *explorer, struct layouts *layouts, int step);
void layouts_next_panel(struct explorer *explorer, struct layouts *layouts, int step);
/* A click or a turn of the wheel. */
void layouts_point(struct explorer *explorer, struct layouts *layouts, const struct mouse *mouse);

/* formats_list.c: the list of formats. */
void layouts_open_list(struct explorer *explorer, struct layouts *layouts);

#endif
