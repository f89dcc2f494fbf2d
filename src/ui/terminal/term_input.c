/* Keys, the mouse and the terminal's answers. */
#include "ui/terminal/term_parts.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <wchar.h>

#include "base/threads.h"

/* A change of the terminal's size between the check in read_key and poll does not interrupt poll. So the wait
 * is limited to this time. */
#define LOOK_AGAIN_MS 500

/* The time to wait for the answer. */
#define ANSWER_MS 50

static int translate(wint_t code)
{
    switch (code) {
    case KEY_UP:
        return UIKEY_UP;
    case KEY_DOWN:
        return UIKEY_DOWN;
    case KEY_LEFT:
        return UIKEY_LEFT;
    case KEY_RIGHT:
        return UIKEY_RIGHT;
    case KEY_PPAGE:
        return UIKEY_PAGE_UP;
    case KEY_NPAGE:
        return UIKEY_PAGE_DOWN;
    case KEY_HOME:
        return UIKEY_HOME;
    case KEY_END:
        return UIKEY_END;
    case KEY_ENTER:
        return UIKEY_ENTER;
    case KEY_BACKSPACE:
        return UIKEY_BACKSPACE;
    case KEY_DC:
        return UIKEY_DELETE;
    case KEY_BTAB:
        return UIKEY_BACKTAB;
    case KEY_F(1):
        return UIKEY_F1;
    case KEY_F(10):
        return UIKEY_F10;
    default:
        return TERM_NOTHING;
    }
}

static int character_key(wint_t character)
{
    switch (character) {
    case '\r':
    case '\n':
        return UIKEY_ENTER;
    case '\t':
        return UIKEY_TAB;
    case 0x08:
    case 0x7f:
        return UIKEY_BACKSPACE;
    case 0x1b:
        return UIKEY_ESCAPE;
    default:
        return (int)character;
    }
}

static int mouse_key(struct mouse *mouse)
{
    MEVENT event;
    if (getmouse(&event) != OK) return TERM_NOTHING;
    mouse->y = event.y;
    mouse->x = event.x;
    if (event.bstate & BUTTON4_PRESSED)
        mouse->kind = MOUSE_WHEEL_UP;
    else if (event.bstate & BUTTON5_PRESSED)
        mouse->kind = MOUSE_WHEEL_DOWN;
    else if (event.bstate & BUTTON1_PRESSED)
        mouse->kind = MOUSE_PRESS;
    else if (event.bstate & REPORT_MOUSE_POSITION)
        mouse->kind = MOUSE_DRAG;
    else
        return TERM_NOTHING;
    return TERM_MOUSE;
}

/* Wait for input, the timeout or a signal, such as that of a changed size. Returns false if the terminal has
 * been closed. */
static bool wait_for_input(const struct terminal *term, int timeout_ms)
{
    int bytes = 1;
    struct pollfd input = {.fd = term->input, .events = POLLIN};
    if (poll(&input, 1, timeout_ms) <= 0) return true;
    if (input.revents & (POLLHUP | POLLERR | POLLNVAL)) return false;
    return ioctl(term->input, FIONREAD, &bytes) != 0 || bytes > 0;
}

/* Store a key for term_key. */
static void keep_key(struct terminal *term, int key)
{
    if (term->key_count < TERM_KEYS) term->keys[term->key_count++] = key;
}

void term_return_key(struct terminal *term, int key)
{
    if (term->key_count == TERM_KEYS) term->key_count--; /* the last one is lost */
    memmove(&term->keys[1], &term->keys[0], (size_t)term->key_count * sizeof term->keys[0]);
    term->keys[0] = key;
    term->key_count++;
}

/* Handle an answer. Returns true if it has changed the size of a cell, or whether pixels can be drawn. */
static bool use_answer(struct terminal *term, enum answer kind, const char *bytes)
{
    if (kind == ANSWER_BACKGROUND) {
        if (term->asked) background_of_answer(bytes + strlen(BACKGROUND_ANSWER), &term->light);
        term->asked = false;
        return false;
    }
    graphics_take(&term->graphics, kind, bytes);
    if (kind == ANSWER_FENCE) term->fenced = false;
    return !term->fenced && term_find_cell(term);
}

/* Read the terminal's answer after ESC. *taken becomes false if ESC is a key and at most one character
 * follows, which is put back. If more follow, ESC and they are kept as keys. Returns UIKEY_RESIZE or
 * TERM_NOTHING. */
static int take_answer(struct terminal *term, bool *taken)
{
    char bytes[ANSWER_MAX] = {0};
    wint_t code = 0;
    size_t length = 0;
    enum answer kind = ANSWER_PARTIAL;
    *taken = true;
    while (kind == ANSWER_PARTIAL && length + 1 < sizeof bytes) {
        int got = get_wch(&code);
        if (got != OK || code >= 0x80) {
            if (got == OK) unget_wch((wchar_t)code);
            kind = ANSWER_NONE;
            break;
        }
        bytes[length++] = (char)code;
        kind = answer_kind(bytes);
        timeout(ESCAPE_MS);
    }
    nodelay(stdscr, TRUE);
    if (kind > ANSWER_PARTIAL) return use_answer(term, kind, bytes) ? UIKEY_RESIZE : TERM_NOTHING;
    *taken = length > 1;
    if (length == 1) unget_wch((wchar_t)bytes[0]);
    if (length > 1) keep_key(term, UIKEY_ESCAPE);
    for (size_t k = 0; length > 1 && k < length; k++)
        keep_key(term, character_key((wint_t)bytes[k]));
    return TERM_NOTHING;
}

/* Return a key that curses has or can read without waiting. *any becomes false if there is none. */
static int read_key(struct terminal *term, struct mouse *mouse, bool *any)
{
    wint_t code;
    term_follow_size();
    int kind = get_wch(&code);
    *any = kind != ERR;
    if (kind == ERR) return TERM_NOTHING;
    if (kind != KEY_CODE_YES && code == 0x1b) {
        bool taken;
        int key = take_answer(term, &taken);
        if (taken) return key;
    }
    if (kind != KEY_CODE_YES) return character_key(code);
    if (code == KEY_MOUSE) return mouse_key(mouse);
    if (code != KEY_RESIZE) return translate(code);
    term_remove_picture(term);
    if (term->graphics.cell[0]) term_say(GRAPHICS_CELL_QUESTION); /* the size of the font may have changed */
    term_find_cell(term);
    return term_resize_row(term, NULL) == STATUS_OK ? UIKEY_RESIZE : TERM_NOTHING;
}

/* True within a terminal multiplexer. It takes kitty's question for a title. It answers the other questions
 * itself. */
static bool multiplexed(void)
{
    const char *name = getenv("TERM");
    return getenv("TMUX") || getenv("STY") || strncmp(name, "tmux", 4) == 0 ||
           strncmp(name, "screen", 6) == 0;
}

void term_ask(struct terminal *term)
{
    double end = clock_seconds() + 1e-3 * ANSWER_MS;
    struct mouse mouse;
    if (term->to_ask) term_say(BACKGROUND_QUESTION);
    if (term->to_ask_graphics && !multiplexed()) term_say(GRAPHICS_KITTY_QUESTION);
    if (term->to_ask_graphics) term_say(GRAPHICS_QUESTION);
    term_say(GRAPHICS_FENCE);
    term->asked = term->to_ask;
    term->fenced = true;
    term->to_ask = term->to_ask_graphics = false;
    while (term->fenced && term->key_count < TERM_KEYS) {
        bool any;
        int left = (int)ceil(1e3 * (end - clock_seconds()));
        if (left <= 0 || !wait_for_input(term, left)) break;
        int key = read_key(term, &mouse, &any);
        if (any && key != TERM_NOTHING && key != TERM_MOUSE) keep_key(term, key);
    }
}

/* Return the oldest key that was kept. */
static int kept_key(struct terminal *term)
{
    int key = term->keys[0];
    memmove(term->keys, term->keys + 1, (size_t)--term->key_count * sizeof *term->keys);
    return key;
}

int term_key(struct terminal *term, int timeout_ms, struct mouse *mouse)
{
    bool any, forever = timeout_ms < 0;
    if (term->key_count) return kept_key(term);
    int key = read_key(term, mouse, &any);
    if (any) return key;
    do {
        if (!wait_for_input(term, forever ? LOOK_AGAIN_MS : timeout_ms)) return TERM_GONE;
        key = read_key(term, mouse, &any);
        if (forever && !any) term_renew_picture(term);
    } while (forever && !any);
    if (key == TERM_NOTHING && term->key_count) return kept_key(term);
    return key;
}
