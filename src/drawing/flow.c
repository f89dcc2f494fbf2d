#include "drawing/flow.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"

int flow_lines(const struct flow *flow)
{
    return flow->line + (flow->column > 0);
}

void flow_break(struct flow *flow)
{
    flow->line = flow_lines(flow);
    flow->column = 0;
}

/* Move to a position for a text of this number of columns: `gap` columns after the previous text, or in the
 * next line. False if there is no room. */
static bool advance(struct flow *flow, int columns, int gap)
{
    if (columns > flow->rect.wide) return false;
    int line = flow->line, column = flow->column;
    if (column > 0 && column + gap + columns <= flow->rect.wide) {
        column += gap;
    } else if (column > 0) {
        line++;
        column = 0;
    }
    if (line >= flow->rect.high) return false;
    flow->line = line;
    flow->column = column;
    return true;
}

static bool write(struct flow *flow, enum colour colour, const char *text, int gap)
{
    if (!advance(flow, surface_columns(text), gap)) return false;
    if (flow->surface)
        surface_text(flow->surface, flow->rect.top + flow->line, flow->rect.left + flow->column,
                     flow->rect.wide - flow->column, colour, 0, "%s", text);
    flow->column += surface_columns(text);
    return true;
}

bool flow_item(struct flow *flow, enum colour colour, const char *format, ...)
{
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return write(flow, colour, text, 2);
}

bool flow_words(struct flow *flow, enum colour colour, const char *words)
{
    char word[256];
    int max = flow->rect.wide < (int)sizeof word ? flow->rect.wide : (int)sizeof word - 1;
    while (*words && max > 0) {
        words += strspn(words, " ");
        int length = (int)strcspn(words, " ");
        if (length == 0) break;
        if (length > max) length = max; /* bytes count as columns, which is right for ASCII */
        while (length > 1 && words_continues(words[length]))
            length--;
        snprintf(word, sizeof word, "%.*s", length, words);
        if (!write(flow, colour, word, 1)) return false;
        words += length;
    }
    return true;
}

bool flow_sentence(struct flow *flow, enum colour colour, const char *words)
{
    struct flow trial = *flow;
    trial.surface = NULL;
    return flow_words(&trial, colour, words) && flow_words(flow, colour, words);
}
