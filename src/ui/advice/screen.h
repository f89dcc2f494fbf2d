/* Shared by the files of the Advice screen: its state, and the sections of its page. Only the files of this
 * folder, and tests, include this. */
#ifndef SPARSIGHT_UI_ADVICE_SCREEN_H
#define SPARSIGHT_UI_ADVICE_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/solvers/solver.h"
#include "drawing/surface.h"
#include "kernels/timing/processor_sure.h"
#include "kernels/trisolve/times.h"
#include "session/advice.h"
#include "session/advice_bars.h"
#include "session/envelope.h"
#include "session/foresight.h"
#include "ui/errand.h"
#include "ui/orders/order_table.h"
#include "ui/view.h"
#include "ui/widgets/tune_chart.h"

/* The sections of the page, in the order of their keys. */
enum advice_section {
    SECTION_WHY,    /* the bars of the terms */
    SECTION_CHANGE, /* the circumstances that would change the advice */
    SECTION_ORDERS, /* the effect of each order, if there are several */
    SECTION_RANGE,  /* the best kernel by number of products */
    SECTION_TIMES,  /* forecast and measured times of all kernels */
    SECTION_EVEN,   /* break-even */
    SECTION_ROOFLINE,
    SECTION_SOLVES,    /* Krylov methods, once the user has run them */
    SECTION_TRISOLVES, /* triangular solves, likewise */
    SECTION_SPGEMM,    /* products of the matrix with itself, once the cursor has been there */
    SECTION_ROUNDING,  /* types of numbers, likewise */
    SECTION_CRITERIA,
    SECTION_MAP, /* the map of a tuning run */
    SECTIONS
};

#define ADVICE_HALF 112     /* from this width on, sections stand in two columns */
#define ADVICE_SPOTS 1024   /* lines of the page that can be selected */
#define ADVICE_LINE_MAX 160 /* bytes that hold most lines that are written here */

struct advice_screen;

/* A section. */
struct section {
    int key; /* 0: none */
    const char *title;
    const char *caption; /* a note on its contents, behind the title if there is room; NULL: nothing */
    bool alone;          /* it is shown even if no kernel is known */
    /* Draw it below its heading from the top of rect on, and return the number of lines, at most rect.high. A
     * diagram takes all of them. */
    int (*draw)(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                struct rect rect);
};

/* A line of the page that can be selected. */
struct page_spot {
    enum advice_section section;
    int item; /* a candidate, a bar of SECTION_WHY or a format of SECTION_CRITERIA */
    struct rect rect;
};

/* The page, drawn as a whole; a window of it is shown. */
struct page {
    struct surface surface;
    int high;                            /* the number of its lines */
    int top;                             /* the first line in the window */
    struct rect window;                  /* the rectangle of the window on the screen */
    struct rect sections[SECTIONS];      /* with their headings; {0}: not on the page */
    enum advice_section order[SECTIONS]; /* of the `count` sections that are on the page */
    int count;
    struct page_spot spots[ADVICE_SPOTS];
    int spot_count;
    bool follow; /* the next drawing brings the cursor into the window */
    bool show;   /* the window begins with the section of the cursor, until the user moves */
};

/* The steps of the background work, in their order: forecast a case in one precision from the known profile
 * of the processors; load a saved profile, or measure one; measure completely; forecast again. */
enum foretelling_deed { DEED_FORETELL, DEED_LEARN, DEED_CALIBRATE, DEED_AGAIN };

/* The data of that work. The errand owns it while it runs. */
struct foretelling {
    struct session *session;
    struct matrix_case *of;
    struct foresight *foresight; /* the forecasts; the case owns them */
    enum foretelling_deed deed;
    struct processor processor;   /* the result of a measurement */
    struct foresight_again again; /* the result of DEED_AGAIN */
};

/* Solves of the shown case. The errand owns all other members while it runs. */
struct advice_solves {
    struct session *session;
    struct matrix_case *of;
    struct solving solving;      /* the results, until they are the case's */
    char refusal[SOLVER_REASON]; /* the reason why there are no results; "": unknown */
    struct errand errand;
};

/* Times of triangular solves of the shown case; likewise. */
struct advice_trisolves {
    struct session *session;
    struct matrix_case *of;
    struct trisolves trisolves;
    char refusal[TRISOLVE_REASON];
    struct errand errand;
};

/* The sections on a part of the session that no other screen needs. */
#define ADVICE_ANALYSES 2
#define ADVICE_ANALYSIS_FIRST SECTION_SPGEMM

/* Such a part of the shown case. The errand owns `session`, `of` and `refusal` while it runs. */
struct advice_analysis {
    struct session *session;
    struct matrix_case *of;
    enum session_part part;
    char refusal[200]; /* the reason why it is unavailable; "": unknown */
    struct errand errand;
};

/* A part of a line that can be clicked: columns of the surface. */
struct piece {
    int x, wide;
};

/* The state of the screen. The advice points into the shown case. */
struct advice_screen {
    struct page page;
    enum advice_section focus; /* the section of the cursor */
    bool one;                  /* only that section is shown */

    struct advices advices;
    const struct matrix_case *of;      /* the inputs of the shown advice: its case, */
    int runs_added, runs_count;        /* the number of runs, */
    bool foretold, has_gpu;            /* whether all forecasts and a GPU were known, */
    int groups;                        /* the number of storages with forecasts, */
    int64_t cases;                     /* the state of all orders (order_effects_state), */
    bool cold;                         /* whether caches are flushed before each product, */
    const struct foresight *foresight; /* and the forecasts */
    bool made;

    enum precision precision;
    enum advice_place place;             /* the machine whose advice is shown, if there is any */
    bool chosen;                         /* the user has chosen the machine */
    bool each;                           /* the break-even curves show the time per product, not the total */
    struct advice_bar bars[ADVICE_BARS]; /* of the shown advice */
    int bar_count, bar;                  /* their number, and the one under the cursor */
    int term;                            /* the chosen term, an enum bound; -1: none yet */
    struct order_table orders;
    int cursor;         /* the candidate under the cursor, */
    int kept[SECTIONS]; /* and, for each other section, the candidate that it shows: the one under the cursor
                           when the cursor left it */
    int format;         /* the format under the cursor among those of the criteria */
    int criterion;      /* and the criterion */

    struct tune_chart chart; /* of the newest run in which kernels were tuned */

    struct errand errand;
    struct foretelling foretelling;
    bool learnt;           /* the processors were measured, or cannot be */
    bool calibrate;        /* the user has requested the complete measurement of the processors */
    int processor_version; /* the version of the processors' profile from which the advice was made */
    struct advice_solves solves;
    struct advice_trisolves trisolves;
    struct advice_analysis analyses[ADVICE_ANALYSES];

    struct piece machines[ADVICE_PLACES], contents[SECTIONS];
    int machines_y, contents_y;
};

extern const struct section advice_sections[SECTIONS];

/* view.c: the keys of the screen. */
extern const struct action advice_actions[];

/* known.c: the inputs of the advice, known or awaited. */

/* Make the advice again if one of its inputs has changed, and request missing forecasts. The cursor stays on
 * its kernel. */
void advice_refresh(struct explorer *explorer, struct advice_screen *screen);

/* The action of a key: measure the processor completely as soon as no other work runs. */
void advice_calibrate(struct explorer *explorer, void *state, int unused);

/* The shown advice; NULL if there is none for any machine. */
const struct advice *advice_shown(const struct advice_screen *screen);

/* The candidate under the cursor: of the bars, or of the lists and diagrams below them. NULL if there is
 * none. */
const struct advice_candidate *advice_candidate_shown(const struct advice_screen *screen);

/* The index of the candidate that a section shows. Only the section with the cursor follows the cursor:
 * otherwise each move would send all diagrams to the terminal. */
int advice_cursor_of(struct advice_screen *screen, enum advice_section section);

/* Write a sentence on the inputs that are still awaited, or on why they are unknown; "" if all are known.
 * Returns out. */
const char *advice_missing(const struct explorer *explorer, const struct advice_screen *screen,
                           char out[PROSE_SIZE]);

/* Write a time like format_seconds, but always in at most 8 columns, even if it is centuries. Returns out. */
char *advice_time(char *out, size_t size, double seconds);

/* head.c */

/* Draw the names of the machines with advice into a line, and at its end the number of measured and forecast
 * kernels. */
void advice_draw_machines(const struct explorer *explorer, struct advice_screen *screen,
                          struct surface *surface, struct rect line);

/* Draw the titles of the sections on the page, and the number of lines below the window. */
void advice_draw_contents(const struct explorer *explorer, struct advice_screen *screen,
                          struct surface *surface, struct rect line);

/* Draw the verdict of the shown machine and those of the others. Returns the number of lines. */
int advice_draw_verdict(const struct explorer *explorer, const struct advice_screen *screen,
                        struct surface *surface, struct rect rect);

/* page.c */

/* Draw the page: sections below each other, from a certain width on in two columns. */
void advice_draw_page(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                      struct rect rect);

/* True if the page has this section, unless one alone is shown. */
bool advice_has_section(const struct explorer *explorer, const struct advice_screen *screen,
                        enum advice_section section);

/* Note that these cells of the page show an item of a section. */
void advice_spot(struct advice_screen *screen, enum advice_section section, int item, struct rect rect);

/* Move the cursor to the next or previous item. If it is out of sight, the page scrolls by a line instead. */
void advice_page_move(const struct explorer *explorer, struct advice_screen *screen, int step);

/* Scroll by lines. If the cursor gets out of sight, it moves to the first item in sight. */
void advice_page_scroll(const struct explorer *explorer, struct advice_screen *screen, int lines);

/* Go to a section: its heading becomes the first line as far as the page allows. */
void advice_page_show(struct advice_screen *screen, enum advice_section section);

/* Take a click on the page. */
void advice_page_click(struct advice_screen *screen, int y, int x);

/* why.c */

/* Find the bars of the shown advice again. */
void advice_find_bars(struct advice_screen *screen);

/* Return true if the bars have a term beside the chosen one. */
bool advice_has_terms(const struct advice_screen *screen);

/* Choose the next or previous term among those of the bars. */
void advice_step_term(struct advice_screen *screen, int step);

/* Set *definition to the k-th definition: the chosen term, then the others; if the cursor is on the criteria,
 * those. False if there are no more. */
bool advice_define(struct explorer *explorer, void *state, int k, struct definition *definition);

/* The sections, each in the file of its subject. */
int advice_draw_why(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                    struct rect rect);
int advice_draw_change(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                       struct rect rect);
int advice_draw_orders(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                       struct rect rect);
int advice_draw_range(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                      struct rect rect);
int advice_draw_times(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                      struct rect rect);
int advice_draw_even(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                     struct rect rect);
int advice_draw_roofline(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                         struct rect rect);
int advice_draw_solves(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                       struct rect rect);
int advice_draw_trisolves(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                          struct rect rect);
int advice_draw_spgemm(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                       struct rect rect);
int advice_draw_rounding(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                         struct rect rect);
int advice_draw_map(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                    struct rect rect);
int advice_draw_criteria(struct explorer *explorer, struct advice_screen *screen, struct surface *surface,
                         struct rect rect);

/* solves.c */

/* The action of a key: solve with the shown case as soon as no other work runs. */
void advice_solve(struct explorer *explorer, void *state, int unused);

/* Take the solves of an errand that has ended, and request one that is wanted. True while it is pending, and
 * no other errand is before it. */
bool advice_refresh_solves(struct explorer *explorer, struct advice_screen *screen);

/* Set *definition to the k-th definition of the section. False if there are no more. */
bool advice_define_solve(int k, struct definition *definition);

/* Request an errand that is wanted, and forget one that has ended. True while it is pending, and no other
 * errand is before it. */
bool advice_request(struct explorer *explorer, struct errand *errand);

/* trisolves.c: the same for triangular solves. */
void advice_time_trisolves(struct explorer *explorer, void *state, int unused);
bool advice_refresh_trisolves(struct explorer *explorer, struct advice_screen *screen);
bool advice_define_trisolve(int k, struct definition *definition);

/* analyses.c: the analysis of a section is computed when the section has the cursor. */

/* The action of a key: go to a section, and compute its analysis even if it was cancelled before. */
void advice_analyse(struct explorer *explorer, void *state, int section);

/* Request the analysis of the section with the cursor if it is missing. True while one is pending, and no
 * timed work is before it. */
bool advice_refresh_analyses(struct explorer *explorer, struct advice_screen *screen);

/* Write why a section has no numbers into its place. Returns the number of lines; 0: it has them. */
int advice_draw_missing(const struct explorer *explorer, const struct advice_screen *screen,
                        enum advice_section section, struct surface *surface, struct rect rect);

/* spgemm.c, rounding.c: set *definition to the k-th definition of the section. False if there are no more. */
bool advice_define_spgemm(int k, struct definition *definition);
bool advice_define_rounding(int k, struct definition *definition);

/* criteria.c */

/* The formats that have a line, in the order of the lines. Returns their number. */
int advice_criteria_count(const struct explorer *explorer, const struct advice_screen *screen);

/* Set *definition to the k-th criterion, from that under the cursor on. False if there are no more. */
bool advice_define_criterion(const struct advice_screen *screen, int k, struct definition *definition);

/* The format of a line. Its `format` is NULL if there is no such line. */
struct format_choice advice_criteria_choice(const struct explorer *explorer,
                                            const struct advice_screen *screen, int line);

#endif
