/* Figures: pictures of the contents of screens, drawn on a canvas of any kind. Each is a descriptor in a file
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

/* The quantity of a pattern's colours: the number of entries of a dot, its largest |a|, the positive share of
 * its values, or the part of a partition that owns the rows of its entries. */
enum figure_by { FIGURE_COUNT, FIGURE_VALUE, FIGURE_SIGN, FIGURE_OWNER };

struct figure_points; /* of several matrices: report/figures/points.h */

/* The data of a figure. Start with {0}; the caller owns everything. */
struct figure_subject {
    const struct session *session;
    struct matrix_case *of; /* the case, with the figure's `needs`; NULL for a figure of several matrices */
    enum figure_by by;
    int64_t from[2], to[2]; /* for `pattern`: rows and columns from .. to-1 are drawn; to[0] = 0: all */
    const struct partition *partition;  /* for FIGURE_OWNER: the owners of the rows of the case, */
    const char *partition_name;         /* "metis" */
    const struct results *results;      /* for figures of kernels; NULL: those of the case */
    const char *processor;              /* the name of the processor that they ran on; NULL: unknown */
    const struct storage *storage;      /* for `layout`: the matrix in a format */
    int64_t row, col;                   /* the cursor, counted from 0; -1: none */
    const struct figure_points *points; /* of `speed-up` */
    bool bare; /* `pattern` has no title and no scale of colours: words about it are around it */
    struct progress *progress; /* may be NULL */
};

/* The kernels of a figure. */
enum figure_runs {
    FIGURE_RUNS_NONE,
    FIGURE_RUNS_OR_FORECASTS,  /* results if there are any, else SESSION_FORESIGHT */
    FIGURE_RUNS_AND_FORECASTS, /* both */
};

struct figure {
    const char *name; /* "pattern" */
    const char *summary;
    unsigned needs; /* the required parts of the session (enum session_part) */
    bool square;    /* its default shape is about a square */
    bool several;   /* it is of several matrices */
    bool layout;    /* it needs a storage */
    bool solves;    /* it needs the solves of the case */
    bool long_draw; /* it may read all entries, which takes longer than a frame. It reads only the matrix of
                       the case, its pyramid and tiles, and the partition, so that a thread may draw it while
                       others add to the session */
    enum figure_runs runs;
    /* Fail with STATUS_UNAVAILABLE and the reason if this subject has nothing to draw. NULL: never fails. */
    enum status (*check)(const struct figure_subject *subject, struct error *error);
    /* Draw it. Data that depend on the size of the canvas are computed anew each time. */
    enum status (*draw)(const struct figure_subject *subject, struct canvas *canvas, struct error *error);
};

/* All figures, ended by NULL. */
extern const struct figure *const figures[];

/* Find the figure of this name; NULL if there is none. */
const struct figure *figure_find(const char *name);

/* Write the default size of a figure in pixels. */
void figure_size(const struct figure *figure, int *wide, int *high);

/* Append a figure in this form, of this size in pixels, to `out`. Fails as `check` does, with STATUS_MEMORY,
 * and with STATUS_CANCELLED. */
enum status figure_write(const struct figure *figure, const struct figure_subject *subject,
                         const struct picture_form *form, int wide, int high, bool light, struct text *out,
                         struct error *error);

/* The same in SVG, which every build writes: one element `svg`, without an XML declaration. */
enum status figure_svg(const struct figure *figure, const struct figure_subject *subject, int wide, int high,
                       bool light, struct text *out, struct error *error);

/* Elements shared by figures. Only for the files of this folder. */

/* Write the matrix's name, its order if it is not the natural one, and its size into the first line, and the
 * description of the figure, unless NULL, into the second. Returns the y coordinate below them. */
double figure_heading(const struct figure_subject *subject, struct canvas *canvas, const char *shows);

/* Draw the frame of a rectangle just outside of it. */
void canvas_frame(struct canvas *canvas, double x, double y, double wide, double high);

#endif
