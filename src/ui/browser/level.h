/* A level of the browser: the content of one folder or archive, sorted and filtered; and the browser itself.
 * Only ui/browser uses this. */
#ifndef SPARSIGHT_UI_BROWSER_LEVEL_H
#define SPARSIGHT_UI_BROWSER_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/files/catalogue.h"
#include "session/session.h"
#include "ui/browser/browser.h"
#include "ui/help.h"
#include "ui/prompt.h"
#include "ui/settings.h"
#include "ui/widgets/thumbnail.h"

#define GLYPH_WIDE 4 /* the columns of a thumbnail in a line */

/* A thumbnail of one line: the matrix as 4 x 8 dots. */
struct glyph {
    bool drawn;
    uint8_t bits[GLYPH_WIDE]; /* the dots of each character (braille_character in drawing/surface.h) */
    int8_t level[GLYPH_WIDE]; /* its level of density, -1 if it is empty */
};

/* A line of the browser. */
struct row {
    struct catalogue_item *item;
    enum catalogue_kind kind;
    enum catalogue_state state; /* as the screen's thread saw it last */
    struct glyph glyph;
    bool tried;   /* its thumbnail was made, or cannot be made */
    char *reason; /* why its entries cannot be read although its header is right; NULL if they can; owned */
};

enum sort { SORT_NAME, SORT_DATE, SORT_SIZE, SORT_ROWS, SORT_STORED, SORTS };

#define FILTER_SIZE 64

struct level {
    char *path; /* "" for the start level (start.h) */
    const struct load_options *options;
    int64_t bytes; /* the size of the archive, which is unpacked up to the member that is read; 0 for a
                      folder */
    struct catalogue catalogue;
    struct job list;
    bool listed;          /* the list has been made, or has failed */
    struct error trouble; /* the reason why the list is incomplete */
    struct row *rows;     /* in the order of the catalogue */
    int count, capacity;
    int waiting; /* rows whose file has not been read */
    int *order;  /* the rows that are shown, in their order, as indices; room for `capacity` */
    int shown;
    int selected; /* the position of the selected row in `order` */
    int top;      /* the first visible position in `order` */
    int room;     /* the number of rows drawn */
    char filter[FILTER_SIZE];
    enum sort sort;
    bool reverse;
    bool stale;     /* the order has to be made again */
    double ordered; /* clock_seconds() when it was made */
};

/* Open a level on a folder or an archive, or if `path` is "" the start level, and begin to list it. Returns
 * NULL on failure. */
struct level *level_open(const char *path, const struct load_options *options, struct error *error);
void level_close(struct level *level);

/* Take the catalogue's news since the last call, and the results of reading. Returns true if the screen
 * changes. */
bool level_update(struct level *level);

/* Make the order of the rows from sort and filter. The selected row stays selected, if it is still shown and
 * `follow` is true. */
void level_arrange(struct level *level, bool follow);

/* Return the row at a position of the order; NULL if there is none. */
struct row *level_row(const struct level *level, int place);

/* Select a position, or the nearest one. */
void level_select(struct level *level, int place);

/* True if the row is a matrix, and nothing is known that prevents opening it. */
bool row_opens(const struct row *row);

/* Return the reason why the row is not a matrix or cannot be opened; NULL if there is none. */
const char *row_reason(const struct row *row);

/* Make the row say that it cannot be opened. */
void row_refuse(struct row *row, const struct error *error);

/* True for the start level. */
bool level_starts(const struct level *level);

/* Write the kind: "real symmetric array", "3 matrices" of an archive, or only the file format if the rest is
 * known only after reading the whole file. Returns out. */
char *row_kind(const struct row *row, char *out, size_t size);

/* A matrix that is loaded for its thumbnail. */
struct preview {
    struct session session;
    const struct load_options *options;
    struct level *level; /* the level of the row; NULL if nothing was loaded */
    int row;             /* its index in level->rows */
    const char *path;
    bool ready; /* the session has a pyramid */
    struct glyph glyph;
};

#define LEVELS_MAX 16
#define BATCH 256

struct browser {
    const struct load_options *options;
    struct explorer explorer; /* the state that drawing and actions need; its session is that of `large` */
    struct level *levels[LEVELS_MAX];
    int depth; /* the number of levels; the last one is shown */
    struct job peek;
    struct catalogue_item *batch[BATCH]; /* the items that the job reads */
    int batch_count;
    int peek_top;     /* the first visible row when it began */
    bool peek_failed; /* memory was lacking, so no more files are read */
    struct job load;
    struct preview *loading;     /* the target of the loading job; NULL if none runs */
    struct preview large, other; /* the selected row's matrix, with its session; another visible row's */
    struct thumbnail thumbnail;  /* the picture of `large` */
    double moved;                /* clock_seconds() when another row was selected */
    const struct level
        *panel_level;           /* the level of the row in the drawn panel; NULL if the panel must be drawn */
    int panel_row;              /* the index of that row */
    int panel_high, panel_wide; /* the size of the surface at that time */
    bool typing;                /* keys change the filter, */
    enum { EDITS_NOTHING, EDITS_GENERATOR, EDITS_SETTING } editing; /* or the prompt edits this */
    struct prompt prompt;
    struct settings *offered; /* the caller's, or NULL */
    struct settings_list settings;
    struct help help;
    struct footer footer;
    struct rect list;       /* where the rows were drawn */
    int title_x[SORTS + 1]; /* the columns where the titles begin; the last element is the end of the last
                               title */
    enum browser_answer answer;
};

/* Free everything loaded for a level before it is closed. Nothing may run in the background. */
void browser_forget(struct browser *browser, const struct level *level);

/* Return the level that is shown. */
struct level *browser_level(const struct browser *browser);

/* Keep reading items, visible ones first. Returns true if a job runs. */
bool browser_peek(struct browser *browser);

/* Make thumbnails: of the selected row when it has been selected for a moment, then of other visible rows.
 * Returns the number of milliseconds after which it must be called again; -1: never. */
int browser_preview(struct browser *browser);

/* Return the number of milliseconds during which the drawn panel must stay, because another row was selected
 * a moment ago; 0 if the panel must be drawn. So a moving cursor does not draw panels that nobody has time to
 * read, and the text of the next matrix appears with its picture. */
int browser_hold(const struct browser *browser);

/* Stop reading items and making thumbnails. */
void browser_stop(struct browser *browser);

/* True if the row's matrix is loaded within about a second. */
bool browser_is_small(const struct level *level, const struct row *row);

#endif
