/* ui/layouts/formats_list: each line of the list against the storage that it names, and the words below. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "formats/array.h"
#include "support/layouts.h"
#include "support/stored.h"
#include "support/unit.h"

/* The list of all formats of pmpp.mtx, when their sizes are known. */
static const struct list *open_list(struct stage *stage, const char *const *names)
{
    layouts_open(stage, layouts_pmpp(), 40, 110, names);
    const struct list *list = &layouts_of(stage)->dialog;
    stage_key(stage, ' ');
    assert_true(list_is_open(list));
    stage_key(stage, UIKEY_ESCAPE);
    assert_int_equal(session_need(&stage->session, NULL, SESSION_SIZES, NULL, NULL), STATUS_OK);
    stage_key(stage, ' ');
    return list;
}

/* The list shows the bytes, the padding factor, the integers, and the share of entries in all slots of a
 * storage that the test makes itself. */
TEST(lines_have_the_sizes_of_their_storage)
{
    FREED(stage_close) struct stage stage;
    const struct list *list = open_list(&stage, (const char *[]){"csr", "hyb:k=1", NULL});
    const struct csr *a = &stage.session.shown->matrix.csr;
    int made = 0, refused = 0;
    for (int k = 0; k < list->count; k++) {
        const struct list_row *row = &list->rows[k];
        const char *why;
        char text[64];
        if (stored_status(row->cells[0], &(struct storing){0}, a, &why) != STATUS_OK) {
            assert_string_equal(row->reason, why);
            assert_string_equal(row->cells[1], "");
            refused++;
            continue;
        }
        struct storage storage = stored(row->cells[0], a);
        size_t bytes = 0;
        int64_t integers = 0;
        for (int q = 0; q < storage.count; q++) {
            const struct array *array = &storage.array[q];
            bytes += (size_t)array->length * element_size(array->element);
            if (array->role != ROLE_VALUES) integers += array->length;
        }
        assert_string_equal(row->cells[1], format_bytes(text, sizeof text, (double)bytes));
        assert_string_equal(row->cells[3], format_count(text, sizeof text, integers));
        assert_string_equal(row->reason, "");
        struct format_size size = storage_size(&storage);
        assert_string_equal(row->cells[2], format_brief(text, sizeof text, size.padding_ratio));
        assert_int_equal(row->alerts[2], size.padding > 0);
        storage_free(&storage);
        made++;
    }
    assert_int_equal(refused, 1); /* sss, as the matrix is not symmetric */
    assert_true(made > 15);
}

/* Below the list are the title, the summary, the source and the parameters of the selected format. For a
 * refused format the reason replaces them. */
TEST(the_selected_format_is_described)
{
    FREED(stage_close) struct stage stage;
    const struct list *list = open_list(&stage, (const char *[]){"csr", "hyb:k=1", NULL});
    for (int k = 0; k < list->count; k++) {
        stage_key(&stage, k == 0 ? UIKEY_HOME : UIKEY_DOWN);
        assert_int_equal(list->selected, k);
        char name[64], begins[25], parameters[160] = "";
        snprintf(name, sizeof name, "%.*s", (int)strcspn(list->rows[k].cells[0], ":"),
                 list->rows[k].cells[0]);
        const struct format *format = format_find(name);
        assert_non_null(format);
        snprintf(begins, sizeof begins, "%.24s", format->summary);
        stage_shows(&stage, format->title, begins);
        for (int p = 0; p < 2 && format->parameters[p].name; p++)
            snprintf(parameters + strlen(parameters), sizeof parameters - strlen(parameters), "%s%s",
                     p ? ", " : "", format->parameters[p].name);
        snprintf(begins, sizeof begins, "%.24s", list->rows[k].reason);
        if (*begins)
            stage_shows(&stage, begins);
        else if (*parameters)
            stage_shows(&stage, parameters);
        else
            stage_hides(&stage, "parameters, with");
    }
}

/* The line of the focused panel is selected first; Enter or Space on a shown one removes its own panel. */
TEST(the_panel_of_a_line_is_its_own)
{
    FREED(stage_close) struct stage stage;
    const struct list *list = open_list(&stage, (const char *[]){"csr", "ell", "hyb:k=1", NULL});
    const struct layouts *layouts = layouts_of(&stage);
    assert_string_equal(list->rows[list->selected].cells[0],
                        layouts->panels[layouts->focus.panel].conversion->name);
    for (int k = 0; k < list->count; k++) {
        stage_key(&stage, k == 0 ? UIKEY_HOME : UIKEY_DOWN);
        if (strcmp(list->rows[k].cells[0], "ell") == 0) break;
    }
    assert_true(list->rows[list->selected].marked);
    stage_key(&stage, ' ');
    assert_false(list->rows[list->selected].marked);
    assert_int_equal(layouts->count, 2);
    assert_string_equal(layouts->panels[0].conversion->name, "csr");
    assert_string_equal(layouts->panels[1].conversion->name, "hyb:k=1");
}
