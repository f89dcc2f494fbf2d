#include "ui/terminal/term_parts.h"

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

#include "base/base64.h"
#include "base/memory.h"
#include "base/text.h"
#include "drawing/surface.h"
#include "ui/terminal/restore.h"

/* xterm's mode 1002 also reports motions of the mouse while a button is down. */
#define DRAG_ON "\033[?1002h"
#define DRAG_OFF "\033[?1002l"

static const char *const instead = "or print an analysis with 'sparsight report'";

/* Append a capability of terminfo without its padding, such as $<5>. Returns the new length. */
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
    /* tigetstr only reads the name, although its declaration lacks const. */
    return tigetstr((char *)(uintptr_t)name);
}

/* Prepare the bytes that end pictures, the mouse, colours, the keypad and the alternate screen. */
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
                         "a terminal of type TERM=%s cannot move its cursor: set TERM to the right type, %s",
                         name, instead);
    return STATUS_OK;
}

/* Return the file from which keys are read. It is standard input if that is the terminal. Otherwise it is
 * /dev/tty, because a matrix may be piped in. NULL on failure. */
static FILE *open_input(struct terminal *term, struct error *error)
{
    if (isatty(STDIN_FILENO)) {
        term->input = STDIN_FILENO;
        return stdin;
    }
    FILE *tty = fopen("/dev/tty", "r");
    if (!tty) {
        error_set(error, STATUS_UNAVAILABLE, "no terminal to read keys from: run the explorer in one, %s",
                  instead);
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

/* Define the sequences of keys on terminals that differ from their TERM. */
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

/* Read each character at once. Only Ctrl-C and Ctrl-\ are signals. Ctrl-Z is a key, because a signal handler
 * may not call all functions that restoring the terminal needs. */
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
    typeahead(-1); /* keys must not interrupt the output: the program must know what the terminal shows */
    curs_set(0);
    if (!getenv("ESCDELAY")) set_escdelay(ESCAPE_MS);
}

/* Set the background if it is known without the terminal's answer. The Linux console is not asked. It is
 * black, and some of its versions display the question. */
static void choose_background(struct terminal *term, enum background background)
{
    const char *name = getenv("TERM");
    background_of_environment(getenv("COLORFGBG"), &term->light);
    if (background != BACKGROUND_ASKED) term->light = background == BACKGROUND_LIGHT;
    term->to_ask = background == BACKGROUND_ASKED && term->palette != PALETTE_NONE && name &&
                   strncmp(name, "linux", 5) != 0;
}

enum graphics_way term_way(const struct terminal *term)
{
    const struct graphics *graphics = &term->graphics;
    if (term->ascii || term->palette == PALETTE_NONE || term->wish == GRAPHICS_NONE) return WAY_NONE;
    if (term->wish != GRAPHICS_ASKED) return term->wish == GRAPHICS_KITTY ? WAY_KITTY : WAY_SIXEL;
    return graphics->kitty ? WAY_KITTY : graphics->sixel ? WAY_SIXEL : WAY_NONE;
}

bool term_find_cell(struct terminal *term)
{
    int before[2] = {term->cell[0], term->cell[1]};
    struct winsize window = {0};
    memcpy(term->cell, term->graphics.cell, sizeof term->cell);
    if (!term->cell[0] && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row && window.ws_col) {
        term->cell[0] = window.ws_ypixel / window.ws_row;
        term->cell[1] = window.ws_xpixel / window.ws_col;
    }
    if (term_way(term) == WAY_NONE || !term->cell[0] || !term->cell[1])
        memset(term->cell, 0, sizeof term->cell);
    else
        prepare_restore(term->mouse, term_way(term));
    return memcmp(before, term->cell, sizeof before) != 0;
}

/* Pixels need colours, and are not ASCII characters. */
static void choose_graphics(struct terminal *term, enum graphics_wish wish)
{
    const char *name = getenv("TERM");
    term->wish = wish;
    term->to_ask_graphics = !term->ascii && term->palette != PALETTE_NONE && wish != GRAPHICS_NONE && name &&
                            strncmp(name, "linux", 5) != 0;
}

/* True if the terminal has this capability, and its bytes with these numbers are `bytes`. */
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

/* Set the sequence that ends all attributes. Terminals of ECMA-48 need only ESC [ m, which also ends colours.
 * The sequence of terminfo also ends line drawing, which the painter does not use. */
static void choose_normal(struct paint_words *words)
{
    static const char *const plain[] = {"\033[m", "\033[0m", "\033(B\033[m", "\033[0;10m", "\033[m\017"};
    words->normal[append(words->normal, 0, sizeof words->normal - 1, capability("sgr0"))] = 0;
    words->plain = false;
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        words->plain = words->plain || strcmp(words->normal, plain[k]) == 0;
    if (words->plain) snprintf(words->normal, sizeof words->normal, "\033[m");
}

/* True if a tab moves the cursor by the usual stops of 8 columns. Some drivers of terminals write blanks
 * instead. Users of other stops know the variable, because curses sends tabs, too. */
static bool tabs_move(void)
{
    struct termios settings;
    if (!means("ht", 0, 0, "\t") || tigetnum("it") != 8 || getenv("NCURSES_NO_HARD_TABS")) return false;
    return tcgetattr(STDOUT_FILENO, &settings) == 0 &&
           (!(settings.c_oflag & OPOST) || (settings.c_oflag & TABDLY) == TAB0);
}

/* Decide whether the painter can draw on the terminal. A terminal that wraps immediately in the last column
 * would scroll. Curses draws on terminals that cannot combine all attributes with colours, because it knows
 * them. */
static void choose_words(struct terminal *term)
{
    static const char *const attributes[] = {"bold", "rev", "smul", "dim"}; /* as enum look_attribute */
    struct paint_words *words = &term->words;
    choose_normal(words);
    words->no_colours[append(words->no_colours, 0, sizeof words->no_colours - 1, capability("op"))] = 0;
    for (int k = 0; k < 4; k++)
        words->attributes[k][append(words->attributes[k], 0, sizeof words->attributes[k] - 1,
                                    capability(attributes[k]))] = 0;
    words->to_column = means("hpa", 6, 0, "\033[7G");
    words->to_right = means("cuf", 3, 0, "\033[3C");
    words->to_left = means("cub", 3, 0, "\033[3D");
    words->down = means("cud1", 0, 0, "\n");
    words->lines_down = means("cud", 3, 0, "\033[3B");
    words->lines_up = means("cuu", 3, 0, "\033[3A");
    words->tabs = tabs_move();
    if (means("rmul", 0, 0, "\033[24m"))
        snprintf(words->no_underline, sizeof words->no_underline, "\033[24m");
    words->erase = means("ech", 3, 0, "\033[3X");
    words->erase_line = means("el", 0, 0, "\033[K");
    words->colour = write_colour;
    bool colours = term->palette == PALETTE_NONE || (*words->no_colours && means("setaf", 1, 0, "\033[31m") &&
                                                     means("setab", 1, 0, "\033[41m"));
    term->paints = colours && *words->normal && means("cup", 4, 6, "\033[5;7H") && tigetflag("xenl") > 0 &&
                   tigetnum("xmc") <= 0 && tigetnum("ncv") <= 0;
}

void term_say(const char *bytes)
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
    term_say(DRAG_ON);
    return true;
}

/* True after the size of the terminal has changed. */
static volatile sig_atomic_t resized;

static void note_size(int signal)
{
    resized = 1;
}

/* Limit the initial size of curses, which reads it from these variables. Returns true if the variable was
 * set. */
static bool bound_size(const char *name, int size, int most)
{
    char number[32];
    const char *said = getenv(name);
    if (said && atoi(said) > 0) size = atoi(said);
    if (size <= most) return false;
    snprintf(number, sizeof number, "%d", most);
    return setenv(name, number, 1) == 0;
}

/* Open the screen. The program follows its size itself, because curses would accept any size. */
static SCREEN *open_screen(FILE *input)
{
    struct winsize window = {0};
    struct sigaction action = {.sa_handler = note_size};
    sigemptyset(&action.sa_mask);
    sigaction(SIGWINCH, &action, NULL);
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &window);
    bool high = bound_size("LINES", window.ws_row, TERMINAL_HIGH_MAX);
    bool wide = bound_size("COLUMNS", window.ws_col, TERMINAL_WIDE_MAX);
    SCREEN *screen = newterm(NULL, stdout, input);
    if (high) unsetenv("LINES");
    if (wide) unsetenv("COLUMNS");
    return screen;
}

void term_follow_size(void)
{
    struct winsize window = {0};
    if (!resized) return;
    resized = 0;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || !window.ws_row || !window.ws_col) return;
    int high = window.ws_row < TERMINAL_HIGH_MAX ? window.ws_row : TERMINAL_HIGH_MAX;
    int wide = window.ws_col < TERMINAL_WIDE_MAX ? window.ws_col : TERMINAL_WIDE_MAX;
    if (is_term_resized(high, wide)) resizeterm(high, wide); /* the next key is KEY_RESIZE */
}

enum status term_resize_row(struct terminal *term, struct error *error)
{
    int high, wide;
    getmaxyx(stdscr, high, wide);
    cchar_t *row = memory_resize(term->row, (size_t)wide + 1, sizeof *row, error);
    if (!row) return STATUS_MEMORY;
    term->row = row;
    term->high = high;
    term->wide = wide;
    if (term->paints) paint_resize(&term->paint, high, wide, NULL); /* without memory, curses draws */
    return STATUS_OK;
}

static bool needs_ascii(bool ascii)
{
    return ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

void term_show_ascii(struct terminal *term, bool ascii)
{
    term->ascii = needs_ascii(ascii);
    term_redraw(term);
}

enum status term_start(struct terminal *term, bool ascii, bool mouse, enum background background,
                       enum graphics_wish wish, struct error *error)
{
    memset(term, 0, sizeof *term);
    setlocale(LC_CTYPE, "");
    term->ascii = needs_ascii(ascii);
    enum status status = check_terminal(error);
    if (status != STATUS_OK) return status;
    FILE *input = open_input(term, error);
    if (!input) return STATUS_UNAVAILABLE;
    restore_arm(STDOUT_FILENO);
    term->armed = true;
    term->own = open_screen(input);
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
    status = term_resize_row(term, error);
    if (status != STATUS_OK) term_end(term);
    return status;
}

void term_redraw(struct terminal *term)
{
    term_remove_picture(term);
    clearok(curscr, TRUE);
}

bool term_copy(struct terminal *term, const struct text *text)
{
    struct text sent = {0};
    text_append(&sent, "\033]52;c;");
    base64_append(&sent, text->data, text->length);
    text_append(&sent, "\a");
    const bool whole = !text->failed && !sent.failed;
    if (whole) term_say(sent.data);
    text_free(&sent);
    return whole;
}

void term_suspend(struct terminal *term)
{
    struct sigaction standard = {0}, before;
    term_remove_picture(term);
    term_say(DRAG_OFF);
    endwin();
    standard.sa_handler = SIG_DFL;
    sigaction(SIGTSTP, &standard, &before);
    kill(0, SIGTSTP);
    sigaction(SIGTSTP, &before, NULL);
    refresh();
    resized = 1; /* a stopped program gets no signal */
    if (term->mouse) term_say(DRAG_ON);
    term_redraw(term);
    term_find_cell(term);
    term_resize_row(term, NULL); /* without memory the size stays the same */
}

void term_end(struct terminal *term)
{
    if (term->own) {
        term_remove_picture(term);
        if (term->mouse) term_say(DRAG_OFF);
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
