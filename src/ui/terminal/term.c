#include "ui/terminal/term.h"

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/memory.h"
#include "base/text.h"
#include "ui/terminal/restore.h"

/* Esc is a key of its own if no byte of an escape sequence follows it within this time. */
#define ESCAPE_MS 25

/* xterm's mode 1002 reports also how the mouse moves while a button is down. */
#define DRAG_ON "\033[?1002h"
#define DRAG_OFF "\033[?1002l"

static const char *const instead = "or print an analysis with 'sparsight report'";

/* Append a capability of terminfo without the padding in it, such as $<5>. Returns the new length. */
static size_t append(char *out, size_t used, size_t size, const char *capability)
{
    if (!capability || capability == (char *)-1) return used;
    for (const char *c = capability; *c && used < size; c++) {
        const char *end = c[0] == '$' && c[1] == '<' ? strchr(c, '>') : NULL;
        if (end)
            c = end;
        else
            out[used++] = *c;
    }
    return used;
}

static char *capability(const char *name)
{
    /* tigetstr only reads the name, though its declaration lacks the const. */
    return tigetstr((char *)(uintptr_t)name);
}

/* Have pictures, the mouse, the colours, the keypad and the alternate screen left when the terminal is
 * restored. */
static void prepare_restore(bool mouse, enum graphics_way way)
{
    static const char *const names[] = {"sgr0", "op", "rmkx", "rmcup", "cnorm"};
    char bytes[512];
    size_t used = 0;
    if (way == WAY_KITTY) used = append(bytes, used, sizeof bytes, SHOWN_REMOVE);
    if (way == WAY_SIXEL) used = append(bytes, used, sizeof bytes, "\033\\");
    if (mouse) used = append(bytes, used, sizeof bytes, DRAG_OFF "\033[?1000l\033[?1006l");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        used = append(bytes, used, sizeof bytes, capability(names[k]));
    restore_write(bytes, used);
}

static enum status check_terminal(struct error *error)
{
    const char *name = getenv("TERM");
    int found = 0;
    if (!isatty(STDOUT_FILENO))
        return error_set(error, STATUS_UNAVAILABLE,
                         "standard output is not a terminal: run the explorer in one, %s", instead);
    if (!name || !*name)
        return error_set(error, STATUS_UNAVAILABLE,
                         "TERM is not set: set it to the terminal's type, such as TERM=xterm-256color, %s",
                         instead);
    if (setupterm(NULL, STDOUT_FILENO, &found) != OK)
        return error_set(error, STATUS_UNAVAILABLE,
                         "unknown terminal type TERM=%s: set TERM to one that this machine knows, such as "
                         "TERM=xterm, %s",
                         name, instead);
    bool moves = capability("cup") != NULL;
    del_curterm(cur_term);
    if (!moves)
        return error_set(error, STATUS_UNAVAILABLE,
                         "a terminal of type TERM=%s cannot place its cursor: set TERM to the right type, %s",
                         name, instead);
    return STATUS_OK;
}

/* Return the file that keys are read from: standard input if that is the terminal, else /dev/tty, since a
 * matrix may be piped in. NULL on failure. */
static FILE *open_input(struct terminal *term, struct error *error)
{
    if (isatty(STDIN_FILENO)) {
        term->input = STDIN_FILENO;
        return stdin;
    }
    FILE *tty = fopen("/dev/tty", "r");
    if (!tty) {
        error_set(error, STATUS_UNAVAILABLE,
                  "there is no terminal to read keys from: run the explorer in one, %s", instead);
        return NULL;
    }
    term->tty = tty;
    term->input = fileno(tty);
    return tty;
}

static enum palette choose_palette(void)
{
    const char *none = getenv("NO_COLOR");
    if ((none && *none) || !has_colors() || start_color() == ERR || COLORS < 8) return PALETTE_NONE;
    use_default_colors();
    bool direct =
        tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || (capability("RGB") && capability("RGB") != (char *)-1);
    if (direct) return COLORS == 1 << 24 ? PALETTE_DIRECT : PALETTE_8;
    return COLORS >= 256 ? PALETTE_256 : PALETTE_8;
}

/* Define what keys send on terminals that differ from what TERM says. */
static void add_keys(void)
{
    static const struct {
        const char *bytes;
        int code;
    } keys[] = {
        {"\033[1~", KEY_HOME}, {"\033[7~", KEY_HOME}, {"\033[H", KEY_HOME},  {"\033OH", KEY_HOME},
        {"\033[4~", KEY_END},  {"\033[8~", KEY_END},  {"\033[F", KEY_END},   {"\033OF", KEY_END},
        {"\033[A", KEY_UP},    {"\033[B", KEY_DOWN},  {"\033[C", KEY_RIGHT}, {"\033[D", KEY_LEFT},
        {"\033OA", KEY_UP},    {"\033OB", KEY_DOWN},  {"\033OC", KEY_RIGHT}, {"\033OD", KEY_LEFT},
        {"\033[Z", KEY_BTAB},  {"\033[3~", KEY_DC},   {"\033OP", KEY_F(1)},  {"\033[11~", KEY_F(1)},
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (key_defined(keys[k].bytes) == 0) define_key(keys[k].bytes, keys[k].code);
}

/* Have each character read as it comes; only Ctrl-C and Ctrl-\ are signals. Ctrl-Z is read as a key, since
 * giving the terminal back takes more than is allowed in a signal handler. */
static void set_modes(struct terminal *term)
{
    struct termios modes;
    cbreak();
    noecho();
    nonl();
    if (tcgetattr(term->input, &modes) == 0) {
        modes.c_cc[VSUSP] = _POSIX_VDISABLE;
        modes.c_lflag &= ~(tcflag_t)IEXTEN; /* Ctrl-V and Ctrl-O are keys too */
        tcsetattr(term->input, TCSADRAIN, &modes);
        def_prog_mode();
    }
    keypad(stdscr, TRUE);
    add_keys();
    nodelay(stdscr, TRUE);
    typeahead(-1); /* a picture is sent whole, so that it is known what the terminal shows */
    curs_set(0);
    if (!getenv("ESCDELAY")) set_escdelay(ESCAPE_MS);
}

/* Find out, as far as that is known without the terminal's answer, whether its background is light. The
 * console of Linux is not asked: it is black, and some of its versions show the question. */
static void choose_background(struct terminal *term, enum background background)
{
    const char *name = getenv("TERM");
    background_of_environment(getenv("COLORFGBG"), &term->light);
    if (background != BACKGROUND_ASKED) term->light = background == BACKGROUND_LIGHT;
    term->to_ask = background == BACKGROUND_ASKED && term->palette != PALETTE_NONE && name &&
                   strncmp(name, "linux", 5) != 0;
}

/* Return how pictures are sent: as the user says, or as the terminal has answered. */
static enum graphics_way way_of(const struct terminal *term)
{
    const struct graphics *graphics = &term->graphics;
    if (term->ascii || term->palette == PALETTE_NONE || term->wish == GRAPHICS_NONE) return WAY_NONE;
    if (term->wish != GRAPHICS_ASKED) return term->wish == GRAPHICS_KITTY ? WAY_KITTY : WAY_SIXEL;
    return graphics->kitty ? WAY_KITTY : graphics->sixel ? WAY_SIXEL : WAY_NONE;
}

/* Find how many pixels a cell has: what the terminal has answered, else what the kernel knows of the window.
 * Returns whether they have changed. */
static bool find_cell(struct terminal *term)
{
    int before[2] = {term->cell[0], term->cell[1]};
    struct winsize window = {0};
    memcpy(term->cell, term->graphics.cell, sizeof term->cell);
    if (!term->cell[0] && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row && window.ws_col) {
        term->cell[0] = window.ws_ypixel / window.ws_row;
        term->cell[1] = window.ws_xpixel / window.ws_col;
    }
    if (way_of(term) == WAY_NONE || !term->cell[0] || !term->cell[1])
        memset(term->cell, 0, sizeof term->cell);
    else
        prepare_restore(term->mouse, way_of(term));
    return memcmp(before, term->cell, sizeof before) != 0;
}

/* Pixels need colours, and are no ASCII characters. */
static void choose_graphics(struct terminal *term, enum graphics_wish wish)
{
    const char *name = getenv("TERM");
    term->wish = wish;
    term->to_ask_graphics = !term->ascii && term->palette != PALETTE_NONE && wish != GRAPHICS_NONE && name &&
                            strncmp(name, "linux", 5) != 0;
}

/* True if the terminal has this capability, and with these numbers it is these bytes. */
static bool means(const char *name, long first, long second, const char *bytes)
{
    char *own = capability(name);
    if (!own || own == (char *)-1) return false;
    const char *made = tparm(own, first, second, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
    return made && strcmp(made, bytes) == 0;
}

static void write_colour(char *out, size_t size, int number, bool background)
{
    const char *made =
        tparm(capability(background ? "setab" : "setaf"), (long)number, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
    size_t length = append(out, 0, size - 1, made);
    out[length] = 0;
}

/* Find out whether the terminal understands what paint.c sends. One that wraps at once in the last column
 * would scroll, and one that shows some attributes in no colours is left to curses, which knows. */
static void choose_words(struct terminal *term)
{
    static const char *const attributes[] = {"bold", "rev", "smul", "dim"}; /* as enum look_attribute */
    struct paint_words *words = &term->words;
    words->normal[append(words->normal, 0, sizeof words->normal - 1, capability("sgr0"))] = 0;
    words->no_colours[append(words->no_colours, 0, sizeof words->no_colours - 1, capability("op"))] = 0;
    for (int k = 0; k < 4; k++)
        words->attributes[k][append(words->attributes[k], 0, sizeof words->attributes[k] - 1,
                                    capability(attributes[k]))] = 0;
    words->to_column = means("hpa", 6, 0, "\033[7G");
    words->to_right = means("cuf", 3, 0, "\033[3C");
    words->down = means("cud1", 0, 0, "\n");
    words->erase = means("ech", 3, 0, "\033[3X");
    words->erase_line = means("el", 0, 0, "\033[K");
    words->colour = write_colour;
    bool colours = term->palette == PALETTE_NONE || (*words->no_colours && means("setaf", 1, 0, "\033[31m") &&
                                                     means("setab", 1, 0, "\033[41m"));
    term->paints = colours && *words->normal && means("cup", 4, 6, "\033[5;7H") && tigetflag("xenl") > 0 &&
                   tigetnum("xmc") <= 0 && tigetnum("ncv") <= 0;
}

static void say(const char *bytes)
{
    putp(bytes);
    fflush(stdout);
}

static bool start_mouse(void)
{
    const char *reports = capability("kmous");
    if (!reports || reports == (char *)-1) return false;
    mouseinterval(0);
    mmask_t wanted =
        BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED | REPORT_MOUSE_POSITION;
    if (!mousemask(wanted, NULL)) return false;
    say(DRAG_ON);
    return true;
}

static enum status resize_row(struct terminal *term, struct error *error)
{
    int high, wide;
    getmaxyx(stdscr, high, wide);
    cchar_t *row = memory_resize(term->row, (size_t)wide + 1, sizeof *row, error);
    if (!row) return STATUS_MEMORY;
    term->row = row;
    term->high = high;
    term->wide = wide;
    if (term->paints) paint_resize(&term->paint, high, wide, NULL); /* without memory, curses does it all */
    return STATUS_OK;
}

enum status term_start(struct terminal *term, bool ascii, bool mouse, enum background background,
                       enum graphics_wish wish, struct error *error)
{
    memset(term, 0, sizeof *term);
    setlocale(LC_CTYPE, "");
    term->ascii = ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    enum status status = check_terminal(error);
    if (status != STATUS_OK) return status;
    FILE *input = open_input(term, error);
    if (!input) return STATUS_UNAVAILABLE;
    restore_arm(STDOUT_FILENO);
    term->armed = true;
    term->own = newterm(NULL, stdout, input);
    if (!term->own) {
        term_end(term);
        return error_set(error, STATUS_UNAVAILABLE, "the terminal cannot be used: check TERM, %s", instead);
    }
    prepare_restore(mouse, WAY_NONE);
    set_modes(term);
    term->palette = choose_palette();
    choose_background(term, background);
    choose_graphics(term, wish);
    choose_words(term);
    term->mouse = mouse && start_mouse();
    status = resize_row(term, error);
    if (status != STATUS_OK) term_end(term);
    return status;
}

#define NO_BREAK_SPACE PAINT_PICTURE

/* Return the character if the terminal shows it one column wide, else '?'. */
static wchar_t shown(const struct terminal *term, uint32_t character)
{
    if (character < 0x80) return (wchar_t)character;
    if (term->ascii || wcwidth((wchar_t)character) != 1) return L'?';
    return (wchar_t)character;
}

static attr_t attributes_of(unsigned look)
{
    attr_t attributes = A_NORMAL;
    if (look & LOOK_BOLD) attributes |= A_BOLD;
    if (look & LOOK_REVERSE) attributes |= A_REVERSE;
    if (look & LOOK_UNDERLINE) attributes |= A_UNDERLINE;
    if (look & LOOK_DIM) attributes |= A_DIM;
    return attributes;
}

static void set_cell(const struct terminal *term, cchar_t *out, const struct cell *cell, struct look look,
                     int pair)
{
    wchar_t text[2] = {shown(term, cell->character), 0};
    setcchar(out, text, attributes_of(look.attributes), (short)pair, &pair);
}

static int pair_of(const struct terminal *term, struct look look)
{
    if (term->palette == PALETTE_NONE || (look.foreground < 0 && look.background < 0)) return 0;
    int pair = alloc_pair(look.foreground, look.background);
    return pair < 0 ? 0 : pair;
}

/* Put into `out` what curses is told of a picture's cell in row y: a blank that is another than ' ', so that
 * curses writes what comes in its place. Its colour and attributes, which are not seen, are those of no row
 * near by: else curses would find lines that are alike, and scroll them and with them their parts of the
 * picture. */
static void set_pixels(const struct terminal *term, cchar_t *out, int y)
{
    static const wchar_t text[2] = {NO_BREAK_SPACE, 0};
    attr_t attributes = (y & 8 ? A_BOLD : A_NORMAL) | (y & 16 ? A_DIM : A_NORMAL);
    int pair = pair_of(term, (struct look){.foreground = y & 7, .background = -1});
    setcchar(out, text, attributes, (short)pair, &pair);
}

/* Write to the terminal what `sent` holds. */
static void send_picture(struct terminal *term)
{
    const char *bytes = term->sent.data;
    fflush(stdout);
    for (size_t left = term->sent.failed ? 0 : term->sent.length; left > 0;) {
        ssize_t written = write(STDOUT_FILENO, bytes, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;
        bytes += written;
        left -= (size_t)written;
    }
    if (term->sent.failed) text_free(&term->sent);
    term->sent.length = 0;
}

static void remove_picture(struct terminal *term)
{
    shown_remove(&term->shown, &term->sent);
    send_picture(term);
}

void term_redraw(struct terminal *term)
{
    remove_picture(term);
    clearok(curscr, TRUE);
}

void term_suspend(struct terminal *term)
{
    struct sigaction standard = {0}, before;
    remove_picture(term);
    say(DRAG_OFF);
    endwin();
    standard.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &standard, &before);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &before, NULL);
    refresh();
    if (term->mouse) say(DRAG_ON);
    term_redraw(term);
    find_cell(term);
    resize_row(term, NULL); /* if there is no memory, the size stays as it was */
}

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

/* Wait until there is something to read, the time is over, or a signal comes, as one does when the terminal's
 * size changes. Returns false if the terminal has been closed. */
static bool wait_for_input(const struct terminal *term, int timeout_ms)
{
    int bytes = 1;
    struct pollfd input = {.fd = term->input, .events = POLLIN};
    if (poll(&input, 1, timeout_ms) <= 0) return true;
    if (input.revents & (POLLHUP | POLLERR | POLLNVAL)) return false;
    return ioctl(term->input, FIONREAD, &bytes) != 0 || bytes > 0;
}

/* Keep a key until term_key asks for it. */
static void keep_key(struct terminal *term, int key)
{
    if (term->key_count < TERM_KEYS) term->keys[term->key_count++] = key;
}

/* Take an answer. Returns whether the size of a cell has changed by it, or whether pixels can be drawn. */
static bool use_answer(struct terminal *term, enum answer kind, const char *bytes)
{
    if (kind == ANSWER_BACKGROUND) {
        if (term->asked) background_of_answer(bytes + strlen(BACKGROUND_ANSWER), &term->light);
        term->asked = false;
        return false;
    }
    graphics_take(&term->graphics, kind, bytes);
    if (kind == ANSWER_FENCE) term->fenced = false;
    return !term->fenced && find_cell(term);
}

/* ESC has been read: take the terminal's answer if it follows. *taken becomes false if something else does,
 * of which the characters that were read are then kept as keys. Returns UIKEY_RESIZE or TERM_NOTHING. */
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
    remove_picture(term);
    if (term->graphics.cell[0]) say(GRAPHICS_CELL_QUESTION); /* the size of its font may have changed */
    find_cell(term);
    return resize_row(term, NULL) == STATUS_OK ? UIKEY_RESIZE : TERM_NOTHING;
}

/* If the terminal's size changes after read_key has looked and before poll waits, no signal ends the waiting:
 * so look again after this time. */
#define LOOK_AGAIN_MS 500

/* The answer is waited for so long. */
#define ANSWER_MS 50

/* True within a terminal multiplexer. One takes a question of kitty's for a title that a program sets; what
 * it answers to the others it answers for itself. */
static bool multiplexed(void)
{
    const char *name = getenv("TERM");
    return getenv("TMUX") || getenv("STY") || strncmp(name, "tmux", 4) == 0 ||
           strncmp(name, "screen", 6) == 0;
}

/* Ask the terminal for its background and its graphics, and keep the keys that come before the answers. What
 * the mouse does meanwhile is lost. */
static void ask(struct terminal *term)
{
    double end = clock_seconds() + 1e-3 * ANSWER_MS;
    struct mouse mouse;
    if (term->to_ask) say(BACKGROUND_QUESTION);
    if (term->to_ask_graphics && !multiplexed()) say(GRAPHICS_KITTY_QUESTION);
    if (term->to_ask_graphics) say(GRAPHICS_QUESTION);
    say(GRAPHICS_FENCE);
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

/* Show the surface's picture, after its characters. */
static void draw_picture(struct terminal *term, const struct surface *surface)
{
    struct pixmap_colours colours = {0};
    enum graphics_way way = term->cell[0] ? way_of(term) : WAY_NONE;
    if (!surface->pixmap && term->shown.way == WAY_NONE) return;
    for (int c = 0; c < COLOUR_COUNT; c++)
        colours.rgb[c] = palette_rgb(term->palette, term->light, (enum colour)c);
    if (way == WAY_SIXEL && term->graphics.registers)
        pixmap_reduce(surface->pixmap, term->graphics.registers, &colours);
    struct graphics graphics = term->graphics;
    memcpy(graphics.cell, term->cell, sizeof graphics.cell);
    shown_update(&term->shown, surface, way, &graphics, &colours, &term->sent);
    send_picture(term);
}

/* Make a row of the surface cells of curses, and let the painter know of them. */
static void make_row(struct terminal *term, const struct surface *surface, int y, int wide)
{
    const struct cell *cells = &surface->cells[(size_t)y * (size_t)surface->wide], *last = NULL;
    struct paint_cell *wanted = term->paint.wanted;
    cchar_t *row = term->row;
    struct look look = {0};
    int pair = 0;
    for (int x = 0; x < wide; last = &cells[x++]) {
        const struct cell *cell = &cells[x];
        if (!last || cell->foreground != last->foreground || cell->background != last->background ||
            cell->attributes != last->attributes) {
            look = palette_look(term->palette, term->light, cell->foreground, cell->background,
                                cell->attributes);
            pair = pair_of(term, look);
        }
        bool pixels = cell->attributes & ATTRIBUTE_PIXELS && cell->character == ' ';
        if (pixels)
            set_pixels(term, &row[x], y);
        else
            set_cell(term, &row[x], cell, look, pair);
        if (!wanted) continue;
        wanted[(size_t)y * (size_t)term->wide + (size_t)x] =
            pixels ? (struct paint_cell){NO_BREAK_SPACE, {-1, -1, 0}}
                   : (struct paint_cell){(uint32_t)shown(term, cell->character), look};
    }
}

/* Send what has changed, and tell curses that it is there: curscr is what curses knows of the terminal.
 * Returns false if curses is to send it, as when it is about to send everything. */
static bool paint_changes(struct terminal *term)
{
    int y, x;
    getyx(curscr, y, x);
    if (!term->paint.wanted || is_cleared(curscr) || is_cleared(newscr) || is_cleared(stdscr)) return false;
    if (!paint_update(&term->paint, &term->words, y, x)) return false;
    if (term->paint.out.length > 0) fwrite(term->paint.out.data, 1, term->paint.out.length, stdout);
    fflush(stdout);
    for (int line = 0; line < term->high; line++) {
        if (!is_linetouched(stdscr, line)) continue;
        mvin_wchnstr(line, 0, term->row, term->wide);
        mvwadd_wchnstr(curscr, line, 0, term->row, term->wide);
    }
    wmove(curscr, y, x);
    move(y, x);
    wnoutrefresh(stdscr); /* without doupdate, which would look for lines to scroll */
    return true;
}

void term_draw(struct terminal *term, const struct surface *surface)
{
    if (term->to_ask || term->to_ask_graphics) ask(term);
    int high = surface->high < term->high ? surface->high : term->high;
    int wide = surface->wide < term->wide ? surface->wide : term->wide;
    for (int y = 0; y < high; y++) {
        make_row(term, surface, y, wide);
        mvadd_wchnstr(y, 0, term->row, wide);
    }
    if (!paint_changes(term)) refresh();
    paint_shown(&term->paint);
    draw_picture(term, surface);
}

/* Send a picture again if parts of it were sent over it one by one. */
static void renew_picture(struct terminal *term)
{
    struct graphics graphics = term->graphics;
    if (!shown_is_patched(&term->shown)) return;
    memcpy(graphics.cell, term->cell, sizeof graphics.cell);
    shown_renew(&term->shown, &graphics, &term->sent);
    send_picture(term);
}

/* Return the key that was kept first. */
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
        if (forever && !any) renew_picture(term);
    } while (forever && !any);
    if (key == TERM_NOTHING && term->key_count) return kept_key(term);
    return key;
}

void term_end(struct terminal *term)
{
    if (term->own) {
        remove_picture(term);
        if (term->mouse) say(DRAG_OFF);
        endwin();
        delscreen(term->own);
    }
    if (term->armed) restore_disarm();
    if (term->tty) fclose(term->tty);
    free(term->row);
    shown_free(&term->shown);
    text_free(&term->sent);
    paint_free(&term->paint);
    memset(term, 0, sizeof *term);
}
