#include "ui/prompt.h"

#include <stdio.h>
#include <string.h>

#include "ui/view.h"

void prompt_open(struct prompt *prompt, const char *label)
{
    prompt->label = label;
    prompt->text[0] = 0;
    prompt->length = prompt->cursor = 0;
    prompt->empty = false;
}

void prompt_open_with(struct prompt *prompt, const char *label, const char *text)
{
    prompt_open(prompt, label);
    snprintf(prompt->text, sizeof prompt->text, "%s", text);
    prompt->length = prompt->cursor = (int)strlen(prompt->text);
    prompt->empty = true;
}

/* Remove the characters from .. to-1. */
static void erase(struct prompt *prompt, int from, int to)
{
    memmove(prompt->text + from, prompt->text + to, (size_t)(prompt->length - to) + 1);
    prompt->length -= to - from;
    prompt->cursor = from;
}

static void insert(struct prompt *prompt, char character)
{
    if (prompt->length + 1 >= PROMPT_SIZE) return;
    memmove(prompt->text + prompt->cursor + 1, prompt->text + prompt->cursor,
            (size_t)(prompt->length - prompt->cursor) + 1);
    prompt->text[prompt->cursor++] = character;
    prompt->length++;
}

static int word_before(const struct prompt *prompt)
{
    int at = prompt->cursor;
    while (at > 0 && prompt->text[at - 1] == ' ')
        at--;
    while (at > 0 && prompt->text[at - 1] != ' ')
        at--;
    return at;
}

static void recall(struct prompt *prompt)
{
    memcpy(prompt->text, prompt->last, sizeof prompt->text);
    prompt->length = prompt->cursor = (int)strlen(prompt->text);
}

enum prompt_result prompt_key(struct prompt *prompt, int key)
{
    switch (key) {
    case UIKEY_ENTER:
        memcpy(prompt->last, prompt->text, sizeof prompt->last);
        return prompt->length > 0 || prompt->empty ? PROMPT_DONE : PROMPT_CLOSED;
    case UIKEY_ESCAPE:
        return PROMPT_CLOSED;
    case UIKEY_BACKSPACE:
        if (prompt->length == 0 && !prompt->empty) return PROMPT_CLOSED;
        if (prompt->cursor > 0) erase(prompt, prompt->cursor - 1, prompt->cursor);
        break;
    case UIKEY_DELETE:
    case CTRL('d'):
        if (prompt->cursor < prompt->length) erase(prompt, prompt->cursor, prompt->cursor + 1);
        break;
    case UIKEY_LEFT:
        if (prompt->cursor > 0) prompt->cursor--;
        break;
    case UIKEY_RIGHT:
        if (prompt->cursor < prompt->length) prompt->cursor++;
        break;
    case UIKEY_HOME:
    case CTRL('a'):
        prompt->cursor = 0;
        break;
    case UIKEY_END:
    case CTRL('e'):
        prompt->cursor = prompt->length;
        break;
    case UIKEY_UP:
        recall(prompt);
        break;
    case CTRL('u'):
        erase(prompt, 0, prompt->cursor);
        break;
    case CTRL('k'):
        prompt->text[prompt->length = prompt->cursor] = 0;
        break;
    case CTRL('w'):
        erase(prompt, word_before(prompt), prompt->cursor);
        break;
    case UIKEY_TAB: /* a pasted line may contain it */
        insert(prompt, ' ');
        break;
    default:
        if (key >= ' ' && key < 0x7f) insert(prompt, (char)key);
    }
    return PROMPT_OPEN;
}

void prompt_draw(const struct prompt *prompt, struct surface *surface, int y, int x, int wide)
{
    int label = surface_text(surface, y, x, wide, COLOUR_ACCENT, ATTRIBUTE_BOLD, "%s: ", prompt->label);
    int room = wide - label - 1;
    if (room < 1) return;
    int first = prompt->cursor > room ? prompt->cursor - room : 0;
    surface_text(surface, y, x + label, room + 1, COLOUR_TEXT, 0, "%s", prompt->text + first);
    surface_highlight(surface, (struct rect){y, x + label + prompt->cursor - first, 1, 1}, COLOUR_TEXT,
                      ATTRIBUTE_REVERSE);
}
