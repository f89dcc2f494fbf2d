/* The Layouts screen without a terminal: opening it with formats, keys, and its drawing. */
#ifndef SPARSIGHT_TESTS_SUPPORT_LAYOUTS_H
#define SPARSIGHT_TESTS_SUPPORT_LAYOUTS_H

#include "support/view.h"
#include "ui/layouts/layouts.h"

/* Figure 10.1 of PMPP: data/pmpp.mtx. */
struct csr layouts_pmpp(void);

struct layouts *layouts_of(struct stage *stage);

/* Build the requested formats, as the background work does, and draw the screen. */
void layouts_build(struct stage *stage);

/* Open the screen with these formats, the last name being NULL. */
struct layouts *layouts_open(struct stage *stage, struct csr a, int high, int wide, const char *const *names);

/* Fail the test unless the cursor is at (row, col). */
void layouts_at(struct stage *stage, int64_t row, int64_t col);

/* Return the number of characters with this background. */
int layouts_lit(const struct stage *stage, enum colour background);

/* Move the focus to the array with this name. */
void layouts_focus(struct stage *stage, const char *name);

#endif
