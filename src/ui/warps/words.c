/* Texts and colours of requests, and the layout of lines of memory. */
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "ui/warps/warps.h"

#define GAP 2 /* blanks between items */

char lane_character(int lane)
{
    return (char)(lane < 10 ? '0' + lane : 'a' + lane - 10);
}

char *array_of(const char *text, char *out, size_t size)
{
    while (*text == '*' || *text == '&' || *text == '(')
        text++;
    snprintf(out, size, "%.*s", (int)strcspn(text, "[ +)"), text);
    return out;
}

char *operand_title(enum access access, enum operand operand, char *out, size_t size)
{
    static const char *const done[ACCESSES] = {[ACCESS_LOAD] = "",
                                               [ACCESS_STORE] = " stored",
                                               [ACCESS_REDUCTION] = " added",
                                               [ACCESS_ATOMIC] = " atomic"};
    snprintf(out, size, "%s%s", operand_names[operand], done[access]);
    return out;
}

enum colour operand_colour(enum operand operand)
{
    static const enum colour colours[OPERANDS] = {
        [OPERAND_VALUES] = COLOUR_ROWS,   [OPERAND_COLUMNS] = COLOUR_COLS, [OPERAND_ROWS] = COLOUR_WARN,
        [OPERAND_POINTERS] = COLOUR_TEXT, [OPERAND_TABLES] = COLOUR_DIM,   [OPERAND_X] = COLOUR_MARK,
        [OPERAND_Y] = COLOUR_GOOD,        [OPERAND_SHARED] = COLOUR_ACCENT};
    return colours[operand];
}

static int digits(uint64_t number)
{
    int count = 1;
    while (number >= 10) {
        number /= 10;
        count++;
    }
    return count;
}

static int touched_sectors(const struct warp_line *lines, int count)
{
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += __builtin_popcount(lines[k].touched);
    return sum;
}

/* Plan the items. An item is a label, a blank, and a sector or the four sectors of a line. A line begins with
 * a rule (|), and a blank separates its sectors. With 4 elements in a sector, each 2 columns wide:
 *
 *     16 |0 1 2 3  4 5 6 7
 *
 * The label is the index of the item's first element, address / size. The widest label belongs to the last
 * sector, which begins 96 bytes into the last line. Elements of less than 4 bytes share a cell of 4 bytes.
 *
 * A wide element has a column for each 4 bytes, and labels of lines have at least `label` columns. So the
 * lines of all arrays have their sectors in the same columns. From step to step only their contents change.
 */
static struct lines_plan make_plan(const struct warp_line *lines, int count, int size, bool sectors,
                                   bool wide_elements, int label, int high, int wide)
{
    const int cell = size < 4 ? 4 : size;
    struct lines_plan plan = {.sectors = sectors, .element_wide = wide_elements ? cell / 4 : 1};
    int sector;
    plan.elements = 32 / cell;
    plan.label = count ? digits((lines[count - 1].line * 128 + 96) / (uint64_t)size) : 1;
    if (!sectors) plan.label = (int)max(plan.label, label);
    sector = plan.elements * plan.element_wide;
    plan.item_wide = plan.label + 1 + (sectors ? sector : 4 * (sector + 1));
    plan.items = sectors ? touched_sectors(lines, count) : count;
    plan.columns = (wide + GAP) / (plan.item_wide + GAP);
    plan.item_wide += GAP;
    plan.hidden = (int)max(0, plan.items - (int64_t)plan.columns * max(high, 0));
    return plan;
}

int lines_label(int64_t elements)
{
    return digits((uint64_t)elements);
}

struct lines_plan lines_plan(const struct warp_line *lines, int count, int size, bool banks, int label,
                             int high, int wide)
{
    struct lines_plan plan = {.sectors = false};
    for (int k = 0; k < (banks ? 2 : 3); k++) {
        plan = make_plan(lines, count, size, k == 2, k == 0, label, high, wide);
        if (!plan.hidden) break;
    }
    return plan;
}
