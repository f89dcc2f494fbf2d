/* The table of views, and what they call. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "matrix/csr.h"
#include "ui/view.h"

/* The screens, each of which is defined in a folder of its own and has two lines here. The order of the
 * entries is that of the tabs. */
extern const struct view view_summary;
extern const struct view view_pattern;
extern const struct view view_rows;
extern const struct view view_layouts;
extern const struct view view_warps;
extern const struct view view_kernels;

const struct view *const views[] = {
    &view_summary,
    &view_pattern,
    &view_rows,
    &view_layouts,
    &view_warps,
    &view_kernels,
    /* Because of this comment clang-format leaves each entry on a line of its own. */
    NULL,
};

static int64_t clamped(int64_t index, int64_t count)
{
    if (index >= count) index = count - 1;
    return index > 0 ? index : 0;
}

void explorer_move(struct explorer *explorer, int64_t row, int64_t col)
{
    const struct csr *a = &explorer->session->shown->matrix.csr;
    struct cursor *cursor = &explorer->cursor;
    cursor->row = clamped(row, a->rows);
    cursor->col = clamped(col, a->cols);
    cursor->entry = a->rows > 0 && a->cols > 0 ? csr_find(a, cursor->row, cursor->col) : -1;
}

int64_t explorer_cut(const struct explorer *explorer)
{
    const struct csr *a = &explorer->session->shown->matrix.csr;
    if (explorer->cut_chosen) return explorer->cut;
    return a->rows ? csr_nnz(a) / a->rows + (csr_nnz(a) % a->rows > 0) : 0;
}

void explorer_set_cut(struct explorer *explorer, int64_t cut)
{
    explorer->cut = cut;
    explorer->cut_chosen = true;
}

void explorer_hold(struct explorer *explorer, const void *state, struct conversion *const *items, int count)
{
    struct conversions_shown *shown = &explorer->shown, before = *shown;
    const void *holder[CONVERSIONS_SHOWN];
    memcpy(holder, explorer->holder, sizeof holder);
    shown->count = 0;
    for (int k = 0; k < count && k < CONVERSIONS_SHOWN; k++) {
        explorer->holder[shown->count] = state;
        shown->items[shown->count++] = items[k];
    }
    for (int k = 0; k < before.count && shown->count < CONVERSIONS_SHOWN; k++) {
        if (holder[k] == state) continue;
        explorer->holder[shown->count] = holder[k];
        shown->items[shown->count++] = before.items[k];
    }
}

void explorer_show(struct explorer *explorer, int key)
{
    for (int k = 0; views[k]; k++)
        if (views[k]->key == key) {
            explorer->view = k;
            return;
        }
    explorer_say(explorer, "there is no screen %c", key >= ' ' && key < 0x7f ? key : '?');
}

void explorer_ask(struct explorer *explorer, const char *label, const char *text)
{
    explorer->question.asked = true;
    snprintf(explorer->question.label, sizeof explorer->question.label, "%s", label);
    snprintf(explorer->question.text, sizeof explorer->question.text, "%s", text);
}

void explorer_say(struct explorer *explorer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(explorer->message, sizeof explorer->message, format, arguments);
    va_end(arguments);
}
