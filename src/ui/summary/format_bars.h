/* What each format would take, as lines with a bar: for the Summary screen. The sizes are the session's, of
 * every format as it is by default, in double precision. */
#ifndef SPARSIGHT_UI_SUMMARY_FORMAT_BARS_H
#define SPARSIGHT_UI_SUMMARY_FORMAT_BARS_H

#include "drawing/surface.h"
#include "session/session.h"
#include "ui/view.h"

/* The scale of the bars, and the smallest size. Start with format_bars_scale. */
struct format_scale {
    double min, max; /* bytes */
    bool logarithmic;
};

/* Formats there are. */
int format_bars_count(void);

/* The format with this number as it is by default, or NULL if it was not asked for yet. */
const struct conversion *format_default(const struct session *session, int k);

/* Over all sizes that are known, those of refused formats left out: from 0 to the largest, or logarithmic if
 * that would leave most bars too short to be told apart. */
struct format_scale format_bars_scale(const struct session *session);

/* The heading of `wide` columns: a title, and what stands in the columns below. */
void format_bars_heading(struct surface *surface, int y, int x, int wide, const struct format_scale *scale);

/* The line of format k: name, bar, bytes and slots/nnz; instead of the bar why it is refused. */
void format_bars_line(const struct explorer *explorer, int k, const struct format_scale *scale,
                      struct surface *surface, int y, int x, int wide, bool chosen);

/* What there is to say of format k: what it is and its numbers, or why it is refused. */
void format_bars_words(const struct session *session, int k, char *out, size_t size);

#endif
