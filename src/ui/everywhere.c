#include "ui/everywhere.h"

static void show(struct explorer *explorer, void *state, int place)
{
    explorer_show(explorer, views[place]);
}

static void show_next(struct explorer *explorer, void *state, int step)
{
    int count = view_count();
    explorer_show(explorer, views[(explorer->view + step + count) % count]);
}

/* List the entries of the row under the cursor. */
static void list_row(struct explorer *explorer, void *state, int unused)
{
    explorer_list(explorer, (struct matrix_line){.at = explorer->cursor.row});
}

static void ask(struct explorer *explorer, void *state, int demand)
{
    explorer->demand = (enum demand)demand;
}

/* Lists, prompts and the help handle Esc themselves while they are open. Only a message is left to close
 * here. */
static void close_message(struct explorer *explorer, void *state, int unused)
{
    explorer->message[0] = 0;
}

static enum use use_of_entries(const struct explorer *explorer, const void *state, int unused)
{
    const struct matrix_case *shown = explorer->session->shown;
    return case_has_entries(shown) && case_nnz(shown) > 0 ? USE_SOME : USE_NONE;
}

/* A search of the matrix needs its entries. A screen may have a list to search instead. */
static enum use use_of_search(const struct explorer *explorer, const void *state, int unused)
{
    return views[explorer->view]->find ? USE_SOME : use_of_entries(explorer, state, 0);
}

static enum use use_of_repeat(const struct explorer *explorer, const void *state, int unused)
{
    return explorer->searched ? USE_SOME : USE_NONE;
}

static enum use use_of_cancel(const struct explorer *explorer, const void *state, int unused)
{
    return explorer->busy ? USE_URGENT : USE_NONE;
}

static enum use use_of_return(const struct explorer *explorer, const void *state, int unused)
{
    return explorer->trail_count > 0 ? USE_SOME : USE_NONE;
}

static const struct action others[] = {
    {.keys = {'?', UIKEY_F1}, .run = ask, .argument = DEMAND_HELP, .name = "help", .help = "this help"},
    {.keys = {'g'},
     .run = ask,
     .argument = DEMAND_GO_TO,
     .name = "go to",
     .help = "go to a row, or to a row and a column, counted from 1",
     .use = use_of_entries},
    {.keys = {'/'},
     .run = ask,
     .argument = DEMAND_FIND,
     .name = "find",
     .help = "find a row or an entry, or a text in the list of the screen",
     .use = use_of_search},
    {.keys = {'I'},
     .run = list_row,
     .help = "list the entries of the row under the cursor: sort, find, go to one, turn to its column"},
    {.keys = {'n'},
     .run = ask,
     .argument = DEMAND_FIND_NEXT,
     .name = "find next",
     .help = "find the next one",
     .use = use_of_repeat},
    {.keys = {UIKEY_TAB}, .run = show_next, .argument = 1, .name = "switch", .help = "the next screen"},
    {.keys = {UIKEY_BACKTAB}, .run = show_next, .argument = -1, .help = "the previous screen"},
    {.keys = {'y', CTRL('Y')},
     .run = ask,
     .argument = DEMAND_COPY,
     .help = "copy the text of the screen to the clipboard of the terminal (OSC 52)"},
    {.keys = {'('},
     .run = ask,
     .argument = DEMAND_MATRIX_BEFORE,
     .help = "the previous and the next matrix of the folder or archive"},
    {.keys = {')'}, .run = ask, .argument = DEMAND_NEXT_MATRIX},
    {.keys = {'x'},
     .run = ask,
     .argument = DEMAND_CANCEL,
     .name = "cancel",
     .help = "cancel the computation; again: resume it",
     .use = use_of_cancel},
    {.keys = {UIKEY_ESCAPE}, .run = close_message, .help = "close what is open"},
    {.keys = {'P'},
     .run = ask,
     .argument = DEMAND_PICTURE,
     .help = "write the screen's picture to a file: .png, .svg or .pdf"},
    {.keys = {CTRL('L')}, .run = ask, .argument = DEMAND_REDRAW, .help = "draw the screen again"},
    {.keys = {CTRL('Z')}, .run = ask, .argument = DEMAND_SUSPEND, .help = "suspend"},
    {.keys = {'q', UIKEY_F10}, .run = ask, .argument = DEMAND_QUIT, .name = "quit", .help = "quit"},
    {.keys = {UIKEY_BACKSPACE},
     .run = ask,
     .argument = DEMAND_BACK,
     .name = "go back",
     .help = "return to the previous screen, with the cursor where it was",
     .use = use_of_return},
    {.keys = {'e'},
     .run = ask,
     .argument = DEMAND_ORDERS,
     .name = "change order",
     .help = "list the orders of rows and columns; show the matrix in the next one",
     .use = use_of_entries},
    {.keys = {'E'}, .run = ask, .argument = DEMAND_NEXT_ORDER},
    {.keys = {';'},
     .run = ask,
     .argument = DEMAND_SETTINGS,
     .name = "set options",
     .help = "settings: GPU, precision, threads, protocol, network, colours; a file keeps them"},
};

const struct action waiting_actions[] = {
    {.keys = {UIKEY_ENTER},
     .run = ask,
     .argument = DEMAND_COMPUTE,
     .name = "compute",
     .help = "compute what the screen shows"},
    {.run = NULL},
};

const struct action loading_actions[] = {
    {.keys = {'x', UIKEY_ESCAPE},
     .run = ask,
     .argument = DEMAND_CANCEL,
     .name = "cancel",
     .help = "stop loading"},
    {.keys = {'q', UIKEY_F10}, .run = ask, .argument = DEMAND_QUIT, .name = "quit", .help = "quit"},
    {.keys = {'?', UIKEY_F1}, .run = ask, .argument = DEMAND_HELP, .name = "help", .help = "this help"},
    {.run = NULL},
};

const struct action small_actions[] = {
    {.keys = {CTRL('L')}, .run = ask, .argument = DEMAND_REDRAW, .help = "draw the screen again"},
    {.keys = {CTRL('Z')}, .run = ask, .argument = DEMAND_SUSPEND, .help = "suspend"},
    {.keys = {'q', UIKEY_F10}, .run = ask, .argument = DEMAND_QUIT, .help = "quit"},
    {.run = NULL},
};

char *everywhere_key(enum demand demand, char out[KEY_TEXT])
{
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if ((others[k].run == ask && others[k].argument == (int)demand) ||
            (others[k].run == list_row && demand == DEMAND_ENTRIES))
            return key_text(others[k].keys[0], out);
    if (demand == DEMAND_COMPUTE) return key_text(waiting_actions[0].keys[0], out);
    out[0] = 0;
    return out;
}

_Static_assert(VIEW_KEYS + sizeof others / sizeof *others < EVERYWHERE_MAX,
               "the table has room for all keys and its end");

void everywhere_actions(struct action table[EVERYWHERE_MAX])
{
    int count = 0;
    for (int k = 0; k < view_count() && k < VIEW_KEYS; k++)
        table[count++] = (struct action){.keys = {view_key(k)},
                                         .run = show,
                                         .argument = k,
                                         .help = k == 0 ? "go to the screen with this number" : NULL};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        table[count++] = others[k];
    table[count] = (struct action){.run = NULL};
}

void everywhere_browsing(struct action table[EVERYWHERE_MAX])
{
    for (struct action *action = table; action->run; action++) {
        if (action->run != ask || action->argument != DEMAND_QUIT) continue;
        action->name = "leave";
        action->help = "back to the list of matrices";
    }
}
