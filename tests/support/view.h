/* A screen without a terminal: one view of one matrix, drawn on a surface. */
#ifndef SPARSIGHT_TESTS_SUPPORT_VIEW_H
#define SPARSIGHT_TESTS_SUPPORT_VIEW_H

#include "base/text.h"
#include "session/session.h"
#include "support/said.h"
#include "ui/view.h"

/* The screens. */
#define VIEW(name) extern const struct view view_##name;
#include "ui/views.def"
#undef VIEW

/* All parts of a session but the GPU's. */
#define ALL_PARTS                                                                                       \
    (SESSION_MATRIX | SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE | SESSION_PYRAMID | \
     SESSION_TILES | SESSION_COL_PTR | SESSION_SIZES | SESSION_VALUES | SESSION_COMPONENTS |            \
     SESSION_DENSE_BLOCKS | SESSION_COSTLY)

struct stage {
    struct session session;
    struct explorer explorer;
    struct surface surface;
    const struct view *view;
    void *state;
    struct text picture; /* the text of the last stage_dump */
};

/* Open `view` on this matrix, which the stage takes over, with all parts of the session computed, on a
 * surface of high x wide that the view fills. Returns the view's state. A failure fails the test. */
void *stage_open(struct stage *stage, const struct view *view, struct csr a, enum field field, int high,
                 int wide);
void stage_close(struct stage *stage);

void stage_resize(struct stage *stage, int high, int wide);
void stage_draw(struct stage *stage);

/* Press these keys, and draw after each. */
void stage_keys(struct stage *stage, const int *keys, int count);
void stage_type(struct stage *stage, const char *characters);
void stage_mouse(struct stage *stage, int kind, int y, int x);

/* Answer the view's prompt, or move the cursor to this position of the matrix, and draw. */
void stage_answer(struct stage *stage, const char *text);
void stage_move(struct stage *stage, int64_t row, int64_t col);

/* Run the view's errand, as the background work would, and draw. */
void stage_work(struct stage *stage);

/* Return the first cell at which this ASCII text begins. Fails the test if there is none. */
const struct cell *stage_find(const struct stage *stage, const char *text);

/* The drawn surface as text; valid until the next call. */
const char *stage_dump(struct stage *stage);

/* Fail the test unless the screen shows each of these texts, or none of them. */
#define stage_shows(stage, ...) assert_says(stage_dump(stage), __VA_ARGS__)
#define stage_hides(stage, ...) assert_lacks(stage_dump(stage), __VA_ARGS__)

/* Press one key. */
void stage_key(struct stage *stage, int k);

#endif
