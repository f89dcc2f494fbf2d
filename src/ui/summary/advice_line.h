/* The lines of the Summary screen with the recommended kernels. */
#ifndef SPARSIGHT_UI_SUMMARY_ADVICE_LINE_H
#define SPARSIGHT_UI_SUMMARY_ADVICE_LINE_H

#include "session/advice.h"
#include "ui/view.h"

/* The text of the lines, and its inputs. {0} is empty; free with advice_line_free. */
struct advice_line {
    struct advices advices;
    const struct matrix_case *of; /* NULL: nothing was made yet */
    int added, count;             /* the number of runs ever added, and of present runs */
    int cases, foreseen;          /* cases of the session, and those with forecasts of all kernels */
    int groups;                   /* storages of this case with forecasts */
    bool early;                   /* some kernels are not forecast yet */
};

/* Make the advice again if there is a new run or forecast. */
void advice_line_update(struct advice_line *line, const struct session *session);

/* Write the advice for machine k, as much of it as fits in `wide` columns: machines with measurements come
 * first. "" if there are fewer machines. */
void advice_line_write(const struct advice_line *line, int k, int wide, char *out, size_t size);

/* Draw a line for each of ADVICE_LINE_HIGH machines; if there is none, the reason why there is no advice. */
#define ADVICE_LINE_HIGH 2
void advice_line_draw(const struct advice_line *line, const struct session *session, bool ascii,
                      struct surface *surface, int y, int x, int wide);

void advice_line_free(struct advice_line *line);

#endif
