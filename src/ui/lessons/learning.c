#include "ui/lessons/learning.h"

static const struct lesson *lesson_of(const struct learning *learning)
{
    return &learning->lessons.items[learning->lesson];
}

/* Return the step; NULL after the last one. */
static const struct lesson_step *step_of(const struct learning *learning)
{
    const struct lesson *lesson = lesson_of(learning);
    return learning->step < lesson->step_count ? &lesson->steps[learning->step] : NULL;
}

enum status learning_open(struct learning *learning, int lesson, struct error *error)
{
    const enum status status = lessons_read_installed(&learning->lessons, error);
    learning->listed = lesson == 0;
    learning->next = lesson - 1;
    if (status != STATUS_OK || lesson <= learning->lessons.count) return status;
    return error_set(error, STATUS_USAGE, "there is no lesson %d; lessons are 1 to %d", lesson,
                     learning->lessons.count);
}

void learning_free(struct learning *learning)
{
    lessons_free(&learning->lessons);
    list_free(&learning->list);
    text_free(&learning->matrix);
}

const char *learning_matrix(struct learning *learning)
{
    const int lesson = learning->next >= 0 ? learning->next : learning->lesson;
    text_cut(&learning->matrix, 0);
    lessons_matrix(&learning->lessons, lesson, &learning->matrix);
    return learning->matrix.failed ? NULL : learning->matrix.data;
}

/* The list of lessons */

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    const struct learning *learning = state;
    for (int k = 0; k < learning->lessons.count; k++) {
        const struct lesson *lesson = &learning->lessons.items[k];
        struct list_row *row = list_add(list);
        list_write(row, 0, "%d  %s", k + 1, lesson->title);
        list_write(row, 1, "%s", lesson->matrix);
        list_write(row, 2, "%d", lesson->step_count);
        list_write(row, 3, "%s", learning->done[k] ? "done" : "");
    }
}

static void choose(struct explorer *explorer, void *state, int row)
{
    struct learning *learning = state;
    learning->next = row;
}

static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    const struct learning *learning = state;
    flow_words(flow, COLOUR_TEXT, learning->lessons.items[list->selected].summary);
}

static const struct list_kind lessons_list = {
    .title = "Lessons",
    .wide = 70,
    .foot_high = 2,
    .columns = {{.title = "lesson", .wide = 24},
                {.title = "matrix", .wide = 18},
                {.title = "steps", .wide = 6, .numbers = true},
                {.title = "", .wide = 5}},
    .fill = fill,
    .choose = choose,
    .about = about,
};

static void open_list(struct explorer *explorer, struct learning *learning)
{
    list_open(explorer, &learning->list, &lessons_list, learning, learning->lesson);
}

void learning_begin(struct explorer *explorer, struct learning *learning)
{
    if (!learning->lessons.count) return;
    if (learning->next >= 0) {
        learning->lesson = learning->next;
        learning->running = true;
        learning->step = 0;
        learning->met = learning->hint = false;
        learning->next = -1;
        explorer->view = lesson_of(learning)->view;
        explorer->chosen = lesson_of(learning)->format;
    }
    if (learning->listed) open_list(explorer, learning);
    learning->listed = false;
}

/* Keys */

static void go_on(struct explorer *explorer, void *state, int unused)
{
    struct learning *learning = state;
    if (step_of(learning)) {
        learning->step++;
        learning->met = learning->hint = false;
        if (!step_of(learning)) learning->done[learning->lesson] = true;
    } else if (learning->lesson + 1 < learning->lessons.count) {
        learning->next = learning->lesson + 1;
    } else {
        learning->running = false;
        open_list(explorer, learning);
    }
}

static void show_hint(struct explorer *explorer, void *state, int unused)
{
    struct learning *learning = state;
    learning->hint = !learning->hint;
}

static void leave(struct explorer *explorer, void *state, int unused)
{
    struct learning *learning = state;
    char key[KEY_TEXT];
    learning->running = false;
    explorer_say(explorer, "The lesson is left. %s lists the lessons.",
                 key_text(learning_actions(learning)->keys[0], key));
}

static void list_lessons(struct explorer *explorer, void *state, int unused)
{
    open_list(explorer, state);
}

#define KEY_HINT                                                                                        \
    {                                                                                                   \
        .keys = {CTRL('T')}, .run = show_hint, .name = "hint", .help = "show the keys that do the task" \
    }
#define KEY_LEAVE                                                                      \
    {                                                                                  \
        .keys = {CTRL('X')}, .run = leave, .name = "leave", .help = "leave the lesson" \
    }

static const struct action step_actions[] = {KEY_HINT, KEY_LEAVE, {.run = NULL}};

static const struct action met_actions[] = {
    {.keys = {UIKEY_ENTER}, .run = go_on, .name = "go on", .help = "go on with the lesson"},
    KEY_LEAVE,
    {.run = NULL},
};

static const struct action left_actions[] = {
    {.keys = {CTRL('X')}, .run = list_lessons, .name = "lessons", .help = "list the lessons"},
    {.run = NULL},
};

const struct action *learning_actions(const struct learning *learning)
{
    if (!learning->lessons.count) return NULL;
    if (!learning->running) return left_actions;
    return learning->met || !step_of(learning) ? met_actions : step_actions;
}

bool learning_key(struct explorer *explorer, struct learning *learning, int key)
{
    const struct action *action = action_find(learning_actions(learning), key);
    if (action) action->run(explorer, learning, action->argument);
    return action != NULL;
}

bool learning_check(struct explorer *explorer, struct learning *learning, void *state)
{
    if (!learning->running || learning->met || !step_of(learning)) return false;
    learning->met = lesson_step_holds(explorer, state, step_of(learning));
    return learning->met;
}

/* The band */

int learning_high(const struct learning *learning)
{
    return learning->running ? LEARNING_HIGH : 0;
}

static void draw_title(struct learning *learning, struct surface *surface, struct rect rect)
{
    const struct lesson *lesson = lesson_of(learning);
    const struct action *actions = learning_actions(learning);
    struct footer measured = {0};
    const int room = footer_add(&measured, actions, 0, rect.wide - 2);
    const int end = rect.left + rect.wide - 1;
    surface_highlight(surface, (struct rect){rect.top, rect.left, 1, rect.wide}, COLOUR_BAR, 0);
    int x = rect.left + 1;
    x += surface_text(surface, rect.top, x, end - x, COLOUR_ACCENT, ATTRIBUTE_BOLD,
                      "Lesson %d of %d: ", learning->lesson + 1, learning->lessons.count);
    x += surface_text(surface, rect.top, x, end - x, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s", lesson->title);
    if (step_of(learning))
        surface_text_whole(surface, rect.top, x, end - room - x, COLOUR_DIM, 0, "  step %d of %d",
                           learning->step + 1, lesson->step_count);
    learning->footer.count = 0;
    learning->footer.y = rect.top;
    footer_add(&learning->footer, actions, end - room, end);
    footer_draw(&learning->footer, surface, rect.top);
}

void learning_draw(const struct explorer *explorer, struct learning *learning, struct surface *surface,
                   struct rect rect)
{
    const struct lesson_step *step = step_of(learning);
    struct flow flow = {.surface = surface,
                        .rect = {rect.top + 1, rect.left + 1, rect.high - 1, rect.wide - 2}};
    surface_blank(surface, rect);
    draw_title(learning, surface, rect);
    if (!step) {
        flow_words(&flow, COLOUR_GOOD, "This lesson is done.");
        if (learning->lesson + 1 < learning->lessons.count) {
            flow_words(&flow, COLOUR_TEXT, "The next one:");
            flow_words(&flow, COLOUR_TITLE, learning->lessons.items[learning->lesson + 1].title);
        } else {
            flow_words(&flow, COLOUR_TEXT, "It was the last one.");
        }
    } else if (learning->met) {
        flow_words(&flow, COLOUR_GOOD, "Right.");
        flow_words(&flow, COLOUR_TEXT, step->answer);
    } else {
        if (!learning->hint) flow_words(&flow, COLOUR_TEXT, step->say);
        flow_break(&flow);
        flow_words(&flow, COLOUR_ACCENT, step->task);
        flow_break(&flow);
        if (learning->hint) flow_words(&flow, COLOUR_WARN, "Keys:");
        if (learning->hint) flow_words(&flow, COLOUR_WARN, step->keys);
    }
}
