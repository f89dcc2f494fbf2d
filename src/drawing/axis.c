#include "drawing/axis.h"

int64_t axis_nice(double x)
{
    static const int steps[] = {1, 2, 5};
    for (int64_t power = 1; power <= INT64_MAX / 100; power *= 10)
        for (int k = 0; k < 3; k++)
            if ((double)(steps[k] * power) >= x) return steps[k] * power;
    return INT64_MAX / 100;
}

int axis_ticks(int64_t start, int64_t dot, int dots, int64_t size, int gap, struct tick *ticks, int max)
{
    int count = 0;
    if (gap < 1) gap = 1;
    int64_t step = axis_nice((double)gap * (double)dot);
    int64_t end = start + dot * dots < size ? start + dot * dots : size;
    for (int64_t label = start / step * step; label <= end && count < max; label += step) {
        int64_t shown = label ? label : 1; /* there is no row 0, so the first tick is at row 1 */
        if (shown - 1 < start || shown - 1 >= end) continue;
        int at = (int)((shown - 1 - start) / dot);
        if (count && at - ticks[count - 1].dot < gap) continue; /* the second tick may be close to label 1 */
        ticks[count++] = (struct tick){shown, at};
    }
    return count;
}
