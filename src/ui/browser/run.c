/* The browser's loop, which alone knows the terminal. */
#include "ui/browser/browser.h"
#include "ui/browser/level.h"
#include "ui/chrome.h"
#include "ui/everywhere.h"

/* So many keys are taken before the screen is drawn again. */
#define KEYS_AT_ONCE 64

/* Take a key, be it the terminal's or the browser's. */
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

enum browser_answer browser_run(struct browser *browser, struct terminal *term, struct surface *surface)
{
    enum browser_answer answer = BROWSER_STAY;
    struct mouse mouse = {0};
    while (answer == BROWSER_STAY) {
        int wait = browser_step(browser);
        if (surface->high < CHROME_HIGH || surface->wide < CHROME_WIDE)
            chrome_too_small(surface);
        else
            browser_draw(browser, surface, term->ascii, term->palette);
        term_draw(term, surface);
        int key = term_key(term, wait, &mouse);
        for (int k = 0; k < KEYS_AT_ONCE && key != TERM_NOTHING && answer == BROWSER_STAY; k++) {
            answer = take(browser, term, surface, key, &mouse);
            if (answer == BROWSER_STAY) key = term_key(term, 0, &mouse);
        }
    }
    browser_rest(browser);
    return answer;
}
