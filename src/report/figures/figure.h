/* Figures: pictures of what the screens show, drawn on a canvas of any kind. Each is a descriptor in a file
 * of its own and a line in figures.def. */
#ifndef SPARSIGHT_REPORT_FIGURES_FIGURE_H
#define SPARSIGHT_REPORT_FIGURES_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "base/text.h"
#include "drawing/canvas.h"
#include "formats/choice.h"
#include "session/session.h"

struct canvas;
struct partition;
struct picture_form;

/* What the colours of a pattern tell: how many entries a dot has, the largest |a| of a dot, which share of
 * its values is positive, or which part of a partition owns the rows of its entries. */
enum figure_by { FIGURE_COUNT, FIGURE_VALUE, FIGURE_SIGN, FIGURE_OWNER };

struct figure_points; /* of several matrices: report/figures/points.h */

/* What a figure is drawn of. Start with {0}; everything is the caller's. */
struct figure_subject {
    const struct session *session;
    struct matrix_case *of; /* the case, with the figure's `needs`; NULL if it is of several matrices */
    enum figure_by by;
    int64_t from[2], to[2]; /* of `pattern`: the rows and columns from .. to-1 that are drawn; to[0] is 0 if
                               all are */
    const struct partition *partition;  /* by FIGURE_OWNER: of the rows of the case, */
    const char *partition_name;         /* "metis" */
    const struct results *results;      /* of kernels; NULL: those of the case */
    const struct storage *storage;      /* of `layout`: the matrix in a format */
    int64_t row, col;                   /* the cursor, from 0; -1: there is none */
    const struct figure_points *points; /* of `speed-up` */
    struct progress *progress;          /* may be NULL */
};

/* What a figure draws of kernels. */
enum figure_runs {
    FIGURE_RUNS_NONE,
    FIGURE_RUNS_OR_FORECASTS,  /* results where there are any, else SESSION_FORESIGHT */
    FIGURE_RUNS_AND_FORECASTS, /* both */
};

struct figure {
    const char *name; /* "pattern" */
    const char *summary;
    unsigned needs; /* the parts of the session that must be there (enum session_part) */
    bool square;    /* by default it is about as high as it is wide */
    bool several;   /* it is of several matrices */
    bool layout;    /* it needs a storage */
    bool long_draw; /* it may go through all entries, which takes longer than a frame. It draws of nothing but
                       the matrix of the case, its pyramid and tiles, and the partition, so that a thread of
                       its own may draw it while others add to the session */
    enum figure_runs runs;
    /* Fail with STATUS_UNAVAILABLE and the reason if there is nothing to draw of this subject. NULL: there
     * always is. */
    enum status (*check)(const struct figure_subject *subject, struct error *error);
    /* Draw it. Nothing is kept: what depends on the size of the canvas is computed anew each time. */
    enum status (*draw)(const struct figure_subject *subject, struct canvas *canvas, struct error *error);
};

/* All figures; NULL is behind the last. */
extern const struct figure *const figures[];

/* Find the figure of this name; NULL if there is none. */
const struct figure *figure_find(const char *name);

/* Write the size that a figure has by default, in pixels. */
void figure_size(const struct figure *figure, int *wide, int *high);

/* Append a figure in this form, of this size in pixels, to `out`. Fails as `check` does, with STATUS_MEMORY,
 * and with STATUS_CANCELLED. */
enum status figure_write(const struct figure *figure, const struct figure_subject *subject,
                         const struct picture_form *form, int wide, int high, bool light, struct text *out,
                         struct error *error);

/* The same in SVG, which every build writes: one element `svg`, without an XML declaration. */
enum status figure_svg(const struct figure *figure, const struct figure_subject *subject, int wide, int high,
                       bool light, struct text *out, struct error *error);

/* What figures share. Only for the files of this folder. */

/* Write the matrix's name, its order if it is not the natural one, and its size in the first line, and what
 * the figure shows, if not NULL, in the second. Returns where what is below begins. */
double figure_heading(const struct figure_subject *subject, struct canvas *canvas, const char *shows);

/* Draw the frame of a rectangle just outside of it. */
void canvas_frame(struct canvas *canvas, double x, double y, double wide, double high);

#endif
