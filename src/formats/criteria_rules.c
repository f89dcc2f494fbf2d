#include "formats/criteria_rules.h"

#include <math.h>

#include "base/range.h"
#include "base/threads.h"

#define RANGES 64
#define SECTOR 32

double criteria_sum(const struct layout *layout, int64_t begin, int64_t end, int64_t unit,
                    double (*term)(const struct layout *layout, int64_t first, int64_t end))
{
    double part[RANGES] = {0}, sum = 0;
    int64_t units = (end - begin + unit - 1) / unit;
#pragma omp parallel for schedule(dynamic, 1) if (end - begin > PARALLEL_MIN)
    for (int64_t p = 0; p < RANGES; p++) {
        int64_t first = units / RANGES * p + min(p, units % RANGES);
        int64_t last = first + units / RANGES + (p < units % RANGES);
        if (first < last) part[p] = term(layout, begin + first * unit, min(begin + last * unit, end));
    }
    for (int p = 0; p < RANGES; p++)
        sum += part[p];
    return sum;
}

/* Look-ups */

double bisection(double n)
{
    return n > 1 ? ceil(log2(n)) : 0;
}

double look_ups_of_list(int64_t entries, bool sorted)
{
    if (entries == 0) return 0;
    return sorted ? 2 * bisection((double)entries + 1) : (double)entries;
}

double look_ups_of_order(int64_t count, int64_t window)
{
    window = min(window, count);
    if (window == 0) return 0;
    double whole = (double)(count / window), w = (double)window, rest = (double)(count % window);
    return (whole * w * (w + 1) + rest * (rest + 1)) / 2 / (double)count;
}

/* The number of a row determines its slots, and the number of a slot its row. */
struct look_ups no_look_ups(const struct layout *layout)
{
    return (struct look_ups){0, 0};
}

/* Bytes that are written */

double free_places(const struct layout *layout, int64_t i)
{
    return (double)(layout->across - line_length(layout, i));
}

double at_most_all(const struct layout *layout, double bytes)
{
    return bytes < layout->bytes ? bytes : layout->bytes;
}

double moved_bytes(const struct layout *layout, int64_t slots, int64_t offsets)
{
    return (double)slots * (double)layout->slot + (double)offsets * (double)layout->offset;
}

double writes_nothing(const struct layout *layout)
{
    return 0;
}

static double term_lines(const struct layout *layout, int64_t first, int64_t end)
{
    double sum = 0;
    int64_t entries = layout->storage->nnz;
    for (int64_t i = first; i < end; i++)
        sum += free_places(layout, i) * moved_bytes(layout, entries - layout->ptr[i + 1], layout->lines - i);
    return sum;
}

double writes_lines(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, 1, term_lines);
}

/* Sectors */

double each_array(const struct layout *layout, int part, double (*sectors)(const struct layout *layout))
{
    const struct storage *storage = layout->storage;
    struct layout of_array = *layout;
    double sum = 0;
    for (int q = 0; q < storage->count; q++) {
        const struct array *array = &storage->array[q];
        of_array.elements = SECTOR / (int64_t)element_size(array->element);
        if (array->per_slot && array->part == part) sum += sectors(&of_array);
    }
    return sum * SECTOR;
}

/* A sector has a power of two of elements; divisions by a variable would take most of the time. */
static inline int shift_of(int64_t elements)
{
    return __builtin_ctzll((unsigned long long)elements);
}

int64_t sectors_of_run(int64_t first, int64_t count, int64_t elements)
{
    const int shift = shift_of(elements);
    int64_t whole = count / WARP_THREADS, rest = count % WARP_THREADS, place = first & (elements - 1);
    int64_t sectors = whole * ((WARP_THREADS >> shift) + (place > 0));
    return rest ? sectors + ((place + rest - 1) >> shift) + 1 : sectors;
}

/* The beginnings of runs within a sector repeat after at most as many runs as a sector has elements. */
int64_t sectors_of_rectangle(int64_t first, int64_t height, int64_t columns, int64_t elements)
{
    int64_t sectors = 0;
    for (int64_t d = 0; d < min(columns, elements); d++) {
        int64_t alike = (columns - d + elements - 1) / elements;
        sectors += alike * sectors_of_run(first + d * height, height, elements);
    }
    return sectors;
}

/* A line counts its sector unless the next line with this step is in the same sector. A line as long as a
 * sector keeps all later ones out of it, so that only short lines are processed step by step. */
int64_t sectors_abreast(const struct abreast *lines, int64_t elements)
{
    const int shift = shift_of(elements);
    int64_t sectors = 0;
    for (int l = 0; l < lines->count; l++) {
        if (lines->length[l] >= elements) {
            sectors += lines->length[l];
            continue;
        }
        for (int64_t d = 0; d < lines->length[l]; d++) {
            int next = l + 1;
            while (next < lines->count && lines->length[next] <= d)
                next++;
            sectors +=
                next == lines->count || (lines->start[next] + d) >> shift != (lines->start[l] + d) >> shift;
        }
    }
    return sectors;
}

double sectors_apart(const struct layout *layout)
{
    return (double)sectors_of_run(0, layout->storage->slots[1], layout->elements);
}

static double term_abreast(const struct layout *layout, int64_t first, int64_t end)
{
    struct abreast lines;
    int64_t sum = 0;
    for (int64_t warp = first; warp < end; warp += WARP_THREADS) {
        lines.count = (int)min(WARP_THREADS, end - warp);
        for (int l = 0; l < lines.count; l++) {
            lines.start[l] = layout->ptr[warp + l];
            lines.length[l] = line_length(layout, warp + l);
        }
        sum += sectors_abreast(&lines, layout->elements);
    }
    return (double)sum;
}

static double sectors_lines(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, WARP_THREADS, term_abreast);
}

double fetches_lines(const struct layout *layout)
{
    return each_array(layout, 0, sectors_lines);
}

/* Lanes */

double lanes_up_to(const struct layout *layout, int64_t first, int64_t end, int64_t most)
{
    double sum = 0;
    for (int64_t warp = first; warp < end; warp += WARP_THREADS) {
        int64_t longest = 0, next = min(warp + WARP_THREADS, end);
        for (int64_t i = warp; i < next; i++)
            longest = max(longest, line_length(layout, sorted_row(layout, i)));
        sum += (double)(next - warp) * (double)min(longest, most);
    }
    return sum;
}

static double term_lanes(const struct layout *layout, int64_t first, int64_t end)
{
    return lanes_up_to(layout, first, end, INT64_MAX);
}

double lanes_lines(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, WARP_THREADS, term_lanes);
}

double lanes_groups(const struct layout *layout)
{
    return criteria_sum(layout, layout->first_row, layout->end_row, WARP_THREADS, term_lanes);
}

double work_groups(const struct layout *layout)
{
    return (double)(group_start(layout, layout->end_group) - group_start(layout, layout->first_group));
}
