/* The table of views, and the functions that views call. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/padding.h"
#include "base/range.h"
#include "base/text.h"
#include "matrix/csr.h"
#include "ui/view.h"
#include "ui/widgets/list.h"

#define VIEW(name) extern const struct view view_##name;
#include "ui/views.def"
#undef VIEW

const struct view *const views[] = {
#define VIEW(name) &view_##name,
#include "ui/views.def"
#undef VIEW
    NULL,
};

int view_count(void)
{
    int count = 0;
    while (views[count])
        count++;
    return count;
}

int view_key(int place)
{
    return place >= 0 && place < VIEW_KEYS ? '1' + place : 0;
}

int view_of_key(int key)
{
    return key >= '1' && key < '1' + VIEW_KEYS ? key - '1' : -1;
}

struct list *view_list(const struct view *view, void *state)
{
    struct list *list = view->dialog ? view->dialog(state) : NULL;
    return list && list_is_open(list) ? list : NULL;
}

bool view_take_key(struct explorer *explorer, const struct view *view, void *state, int key)
{
    struct list *list = view_list(view, state);
    if (list) return list_key(explorer, list, key);
    const struct action *action = action_find(view->actions, key);
    if (!action) return false;
    if (view->update && !view->update(explorer, state)) return true;
    action->run(explorer, state, action->argument);
    if (view->update) view->update(explorer, state);
    return true;
}

void view_take_mouse(struct explorer *explorer, const struct view *view, void *state,
                     const struct mouse *mouse)
{
    struct list *list = view_list(view, state);
    if (list) {
        list_mouse(explorer, list, mouse);
    } else if (view->mouse && (!view->update || view->update(explorer, state))) {
        view->mouse(explorer, state, mouse);
        if (view->update) view->update(explorer, state);
    }
}

bool view_find(struct explorer *explorer, const struct view *view, void *state, const char *text)
{
    if (!view->find || !text[0] || (view->update && !view->update(explorer, state))) return false;
    return view->find(explorer, state, text);
}

void view_take_answer(struct explorer *explorer, const struct view *view, void *state, const char *text)
{
    if (!view->answer || (view->update && !view->update(explorer, state))) return;
    view->answer(explorer, state, text);
    if (view->update) view->update(explorer, state);
}

void explorer_move(struct explorer *explorer, int64_t row, int64_t col)
{
    const struct csr *a = &explorer->session->shown->matrix.csr;
    struct cursor *cursor = &explorer->cursor;
    cursor->row = clip(row, max(a->rows - 1, 0));
    cursor->col = clip(col, max(a->cols - 1, 0));
    const bool any = a->rows > 0 && a->cols > 0 && case_has_entries(explorer->session->shown);
    cursor->entry = any ? csr_find(a, cursor->row, cursor->col) : -1;
}

int64_t explorer_cut(const struct explorer *explorer)
{
    const struct matrix_case *shown = explorer->session->shown;
    if (explorer->cut_chosen) return explorer->cut;
    return padding_first_cut(shown->matrix.csr.rows, case_nnz(shown));
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

void explorer_show(struct explorer *explorer, const struct view *view)
{
    int place = 0;
    while (views[place] && views[place] != view)
        place++;
    if (!views[place] || place == explorer->view) return;
    if (explorer->trail_count == TRAIL_MAX)
        memmove(explorer->trail, explorer->trail + 1,
                (size_t)--explorer->trail_count * sizeof *explorer->trail);
    explorer->trail[explorer->trail_count++] = (struct trail_item){explorer->view, explorer->cursor};
    explorer->view = place;
}

bool explorer_back(struct explorer *explorer)
{
    if (explorer->trail_count == 0) return false;
    const struct trail_item *item = &explorer->trail[--explorer->trail_count];
    explorer->view = item->view;
    explorer_move(explorer, item->cursor.row, item->cursor.col);
    return true;
}

void explorer_list(struct explorer *explorer, struct matrix_line line)
{
    explorer->listed = line;
    explorer->demand = DEMAND_ENTRIES;
}

void explorer_ask(struct explorer *explorer, const char *label, const char *text)
{
    explorer->question.asked = true;
    snprintf(explorer->question.label, sizeof explorer->question.label, "%s", label);
    snprintf(explorer->question.text, sizeof explorer->question.text, "%s", text);
}

void explorer_ask_parameters(struct explorer *explorer, const char *name, const struct parameter *first,
                             const struct parameter *second, const char *text)
{
    char label[sizeof explorer->question.label];
    const struct parameter *const tables[] = {first, second};
    size_t length = (size_t)snprintf(label, sizeof label, "%s", name);
    int count = 0;
    for (int t = 0; t < 2; t++)
        for (const struct parameter *p = tables[t]; p && p->name && length < sizeof label; p++)
            length += (size_t)snprintf(label + length, sizeof label - length, "%s%s", count++ ? ", " : " (",
                                       p->name);
    if (length + 2 < sizeof label) strcat(label, ")");
    if (count)
        explorer_ask(explorer, label, text);
    else
        explorer_say(explorer, "%s has no parameters", name);
}

void explorer_say_keys(struct explorer *explorer, const struct action *table, const char *text)
{
    char prose[PROSE_SIZE];
    explorer_say(explorer, "%s", keys_prose(table, text, prose));
}

void explorer_say_error(struct explorer *explorer, const struct error *error)
{
    error_text(error, explorer->message, sizeof explorer->message);
}

void explorer_say(struct explorer *explorer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(explorer->message, sizeof explorer->message, format, arguments);
    va_end(arguments);
}

char *entry_value(const struct matrix *matrix, int64_t entry, char out[ENTRY_VALUE])
{
    char real[40], imaginary[40];
    snprintf(out, ENTRY_VALUE, "-");
    if (matrix->field == FIELD_PATTERN) return out;
    format_exact(real, sizeof real, matrix->csr.val[entry]);
    snprintf(out, ENTRY_VALUE, "%s", real);
    if (!matrix->csr.imaginary) return out;
    const char *part = format_exact(imaginary, sizeof imaginary, matrix->csr.imaginary[entry]);
    snprintf(out, ENTRY_VALUE, "%s %c %si", real, part[0] == '-' ? '-' : '+',
             part[0] == '-' ? part + 1 : part);
    return out;
}
