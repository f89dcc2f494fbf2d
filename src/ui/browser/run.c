/* The browser's loop. No other part of the browser uses the terminal. */
#include "ui/browser/browser.h"
#include "ui/browser/level.h"
#include "ui/chrome.h"
#include "ui/everywhere.h"

/* The number of keys that are taken before the screen is drawn again. */
#define KEYS_AT_ONCE 64

/* Handle a key of the terminal or of the browser. */
static enum browser_answer take(struct browser *browser, struct terminal *term, struct surface *surface,
                                int key, const struct mouse *mouse)
{
    const struct action *action = action_find(small_actions, key);
    bool small = surface->high < CHROME_HIGH || surface->wide < CHROME_WIDE;
    struct explorer asked = {0};
    if (action) action->run(&asked, NULL, action->argument);
    if (key == TERM_GONE) return BROWSER_QUIT;
    if (asked.demand == DEMAND_REDRAW) term_redraw(term);
    if (asked.demand == DEMAND_SUSPEND) term_suspend(term);
    if (asked.demand == DEMAND_SUSPEND || key == UIKEY_RESIZE)
        surface_resize(surface, term->high, term->wide, NULL);
    if (asked.demand == DEMAND_REDRAW || asked.demand == DEMAND_SUSPEND || key == UIKEY_RESIZE)
        return BROWSER_STAY;
    if (small) return asked.demand == DEMAND_QUIT ? BROWSER_QUIT : BROWSER_STAY;
    return key == TERM_MOUSE ? browser_mouse(browser, mouse) : browser_key(browser, key);
}

/* True if the list has no rows yet, but may get some. */
static bool is_empty(const struct browser *browser)
{
    const struct level *level = browser_level(browser);
    return level->shown == 0 && !level->listed;
}

/* Keys that were pressed before the list had rows. */
struct early {
    int keys[TERM_KEYS], count, taken;
};

/* Return the next key: an early one once there are rows, else that of the terminal. */
static int next_key(const struct browser *browser, struct early *early, struct terminal *term, int wait,
                    struct mouse *mouse)
{
    if (early->taken < early->count && !is_empty(browser)) return early->keys[early->taken++];
    if (early->taken == early->count) early->taken = early->count = 0;
    return term_key(term, wait, mouse);
}

/* Keep a key for later, unless it concerns the terminal or quits. */
static bool keep(const struct browser *browser, struct early *early, int key)
{
    const bool special = key == UIKEY_RESIZE || key == TERM_MOUSE || key == TERM_GONE;
    if (!is_empty(browser) || special || action_find(small_actions, key)) return false;
    if (early->count < TERM_KEYS) early->keys[early->count++] = key;
    return true;
}

enum browser_answer browser_run(struct browser *browser, struct terminal *term, struct surface *surface)
{
    enum browser_answer answer = BROWSER_STAY;
    struct mouse mouse = {0};
    struct early early = {.count = 0};
    while (answer == BROWSER_STAY) {
        int wait = browser_step(browser);
        if (surface->high < CHROME_HIGH || surface->wide < CHROME_WIDE)
            chrome_too_small(surface);
        else
            browser_draw(browser, surface, term->ascii, term->palette);
        term_draw(term, surface);
        int key = next_key(browser, &early, term, wait, &mouse);
        for (int k = 0; k < KEYS_AT_ONCE && key != TERM_NOTHING && answer == BROWSER_STAY; k++) {
            if (!keep(browser, &early, key)) answer = take(browser, term, surface, key, &mouse);
            if (answer == BROWSER_STAY) key = next_key(browser, &early, term, 0, &mouse);
        }
    }
    while (early.count > early.taken) /* they are for the matrix */
        term_return_key(term, early.keys[--early.count]);
    browser_rest(browser);
    return answer;
}
