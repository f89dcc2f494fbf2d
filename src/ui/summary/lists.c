/* The lists: the position of each item, and the division of the area. */
#include <stdlib.h>

#include "ui/summary/bars.h"
#include "ui/summary/summary.h"

/* The limits of a list's width. The longest unit needs LIST_MAX. */
#define LIST_MIN 57
#define LIST_MAX 63

/* The limits of the width of the panel with the pictures. */
#define PANEL_MIN 21
#define PANEL_MAX 80

static int number_count(void)
{
    int count = 0;
    while (columns[count].key)
        count++;
    return count;
}

static bool same_group(const struct column *a, const struct column *b)
{
    return a->part == b->part;
}

int summary_items(void)
{
    return format_bars_count() + number_count();
}

int summary_format(int k)
{
    return k < format_bars_count() ? k : -1;
}

const struct column *summary_column(int k)
{
    return &columns[k - format_bars_count()];
}

bool summary_begins_group(int k)
{
    if (summary_format(k) >= 0) return k == 0;
    return summary_format(k - 1) >= 0 || !same_group(summary_column(k), summary_column(k - 1));
}

/* Return the number of lines of the group that begins with item k, with its heading. */
static int group_lines(int k)
{
    int lines = 2, count = summary_items();
    while (++k < count && !summary_begins_group(k))
        lines++;
    return lines;
}

int summary_line(const struct summary *summary, int k)
{
    int line = -1;
    for (int at = 0; at <= k; at++) {
        if (summary_begins_group(at)) {
            int used = (line + 1) % summary->high;
            bool breaks = summary->whole && used > 0 && used + 1 + group_lines(at) > summary->high;
            if (breaks)
                line += summary->high - used;
            else if (used > 0)
                line++;
            line++;
        }
        line++;
    }
    return line;
}

int summary_lines(const struct summary *summary)
{
    return summary_line(summary, summary_items() - 1) + 1;
}

int summary_item_near(const struct summary *summary, int line)
{
    int count = summary_items(), best = 0;
    for (int k = 1; k < count; k++)
        if (abs(summary_line(summary, k) - line) < abs(summary_line(summary, best) - line)) best = k;
    return best;
}

bool summary_place(const struct summary *summary, int line, int *y, int *x)
{
    int at = line - summary->top, high = summary->high;
    if (at < 0 || at >= high * summary->lists) return false;
    *y = summary->list.top + at % high;
    *x = summary->list.left + at / high * summary->wide;
    return true;
}

/* Scroll so that the selected item is visible. If it is the first of its group, so is its heading. */
static void scroll(struct summary *summary)
{
    int line = summary_line(summary, summary->selected), room = summary->high * summary->lists;
    int first = summary_begins_group(summary->selected) ? line - 1 : line, lines = summary_lines(summary);
    if (summary->top > lines - room) summary->top = lines - room;
    if (summary->top > first) summary->top = first;
    if (summary->top < line - room + 1) summary->top = line - room + 1;
    if (summary->top < 0) summary->top = 0;
}

/* Choose the smallest number of lists, and then the smallest height, that hold all lines without dividing a
 * group. If there is none, the lists take all the room, and scroll. */
static void divide(struct summary *summary, int wide)
{
    int high = summary->list.high, max = wide / LIST_MAX > 1 ? wide / LIST_MAX : 1;
    summary->whole = true;
    for (summary->lists = 1; summary->lists <= max; summary->lists++)
        for (summary->high = 8; summary->high <= high; summary->high++)
            if (summary_lines(summary) <= summary->lists * summary->high) return;
    summary->whole = false;
    summary->lists = max;
    summary->high = high;
}

void summary_lay_out(struct summary *summary, const struct matrix *matrix, struct rect area)
{
    int head = summary_head_high(matrix, area.high);
    summary->list = (struct rect){area.top + head, area.left + 1, area.high - head - SUMMARY_FOOT_HIGH, 0};
    int room = area.wide - PANEL_MIN - 2;
    divide(summary, room);
    summary->wide = room / summary->lists > LIST_MAX ? LIST_MAX : room / summary->lists;
    if (summary->wide < LIST_MIN) summary->wide = LIST_MIN;
    summary->list.wide = summary->lists * summary->wide;
    int left = summary->list.left + summary->list.wide, wide = area.left + area.wide - 1 - left;
    if (wide > PANEL_MAX) wide = PANEL_MAX;
    summary->panel = (struct rect){area.top + head, left, summary->list.high, wide};
    scroll(summary);
}
