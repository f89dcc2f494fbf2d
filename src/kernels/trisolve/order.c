#include "kernels/trisolve/order.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"

/* The time from one row of a chain to the next, in units of an entry: some 20 cycles. */
#define CHAIN_WORK 20
/* The work in the window of instructions that a processor executes out of order: some 300 instructions. */
#define FLIGHT_WORK 80
#define DELAY_MAX 4
/* Waiting may add a quarter to the work of all rows before the order changes. */
#define TOLERATED 0.25
/* The minimum number of rows of a window: most of its rows must have others beside them. */
#define WINDOW_MIN 256

static int64_t row_work(const struct trisolve_triangle *triangle, int64_t i)
{
    return TRISOLVE_ROW_WORK + triangle->row_ptr[i + 1] - triangle->row_ptr[i];
}

int trisolve_delay(const struct trisolve_triangle *triangle, enum triangle which, int64_t rows,
                   int64_t *scratch)
{
    const bool backward = which == TRIANGLE_UPPER;
    int64_t work = 0, now = 0, flight = 0, left = 0, gone = 0;
    for (int64_t k = 0; k < rows; k++) {
        const int64_t i = backward ? rows - 1 - k : k;
        int64_t start = now;
        for (; flight > FLIGHT_WORK; left++) {
            const int64_t j = backward ? rows - 1 - left : left;
            gone = max(gone, scratch[j]);
            flight -= row_work(triangle, j);
        }
        start = max(start, gone);
        now = start + row_work(triangle, i);
        for (int64_t e = triangle->row_ptr[i]; e < triangle->row_ptr[i + 1]; e++)
            start = max(start, scratch[triangle->col[e]]);
        scratch[i] = start + CHAIN_WORK;
        work += row_work(triangle, i);
        flight += row_work(triangle, i);
    }
    if (work == 0) return 1;
    return (int)max(1, min((int64_t)ceil((double)now / (double)work - TOLERATED), DELAY_MAX));
}

/* The state of ordering. Rows have the numbers in which a solve row by row reaches them. */
struct ordering {
    const struct trisolve_triangle *triangle;
    int64_t rows;
    bool backward;    /* the last row has number 0 */
    int64_t *from;    /* row j is needed by the rows user[from[j]] .. user[from[j + 1] - 1] */
    int32_t *user;    /* rows of the matrix, as j */
    int32_t *missing; /* the number of rows that a row needs and that have no position yet */
    int32_t *heap;    /* the numbers of the rows that are ready; the smallest comes first */
    int64_t ready;    /* the length of the heap */
    int32_t *next;    /* the next row that gets ready at the same step, or -1 */
};

/* Turn a row into its number, and a number into its row. */
static int32_t number_of(const struct ordering *ordering, int32_t i)
{
    return ordering->backward ? (int32_t)(ordering->rows - 1 - i) : i;
}

static void heap_put(struct ordering *ordering, int32_t number)
{
    int32_t *heap = ordering->heap;
    int64_t at = ordering->ready++;
    for (; at > 0 && heap[(at - 1) / 2] > number; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = number;
}

static int32_t heap_take(struct ordering *ordering)
{
    int32_t *heap = ordering->heap;
    const int32_t first = heap[0], last = heap[--ordering->ready];
    int64_t at = 0;
    for (int64_t child = 1; child < ordering->ready; child = 2 * at + 1) {
        if (child + 1 < ordering->ready && heap[child + 1] < heap[child]) child++;
        if (heap[child] >= last) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

/* List the users of each row: the transposed pattern. */
static void list_users(struct ordering *ordering)
{
    const struct trisolve_triangle *triangle = ordering->triangle;
    int64_t *from = ordering->from;
    for (int64_t k = 0; k < triangle->row_ptr[ordering->rows]; k++)
        from[triangle->col[k] + 2]++;
    for (int64_t j = 0; j < ordering->rows; j++)
        from[j + 2] += from[j + 1];
    for (int64_t i = 0; i < ordering->rows; i++) {
        ordering->missing[i] = (int32_t)(triangle->row_ptr[i + 1] - triangle->row_ptr[i]);
        for (int64_t k = triangle->row_ptr[i]; k < triangle->row_ptr[i + 1]; k++)
            ordering->user[from[triangle->col[k] + 1]++] = (int32_t)i;
    }
}

/* Return the end of the window that begins with row number `first`. A window has at least as many lines as
 * rows are computed at the same time; a line begins with a row that does not need the row before. */
static int64_t window_end(const struct ordering *ordering, int delay, int64_t first)
{
    int lines = 1;
    int64_t number = first + 1;
    for (; number < ordering->rows; number++) {
        const int32_t i = number_of(ordering, (int32_t)number),
                      before = number_of(ordering, (int32_t)number - 1);
        const int64_t begin = ordering->triangle->row_ptr[i], end = ordering->triangle->row_ptr[i + 1];
        const int64_t nearest = ordering->backward ? begin : end - 1;
        if (begin < end && ordering->triangle->col[nearest] == before) continue;
        if (lines >= delay && number - first >= WINDOW_MIN) break;
        lines++;
    }
    return number;
}

/* Give the rows of a window their positions, order[first] .. order[end - 1]. late[s % (DELAY_MAX + 1)] lists
 * the rows that get ready at step s. */
static void order_window(struct ordering *ordering, int delay, int64_t first, int64_t end, int32_t *order)
{
    int32_t late[DELAY_MAX + 1];
    for (int s = 0; s <= DELAY_MAX; s++)
        late[s] = -1;
    for (int64_t number = first; number < end; number++)
        if (ordering->missing[number_of(ordering, (int32_t)number)] == 0) heap_put(ordering, (int32_t)number);
    int64_t step = 0;
    for (int64_t done = first; done < end; step++) {
        int32_t *now = &late[step % (DELAY_MAX + 1)];
        for (; *now >= 0; *now = ordering->next[*now])
            heap_put(ordering, number_of(ordering, *now));
        if (ordering->ready == 0) continue;
        const int32_t i = number_of(ordering, heap_take(ordering));
        int32_t *then = &late[(step + delay) % (DELAY_MAX + 1)];
        order[done++] = i;
        for (int64_t k = ordering->from[i]; k < ordering->from[i + 1]; k++) {
            const int32_t user = ordering->user[k];
            if (--ordering->missing[user] > 0 || number_of(ordering, user) >= end) continue;
            ordering->next[user] = *then;
            *then = user;
        }
    }
}

enum status trisolve_order(const struct trisolve_triangle *triangle, enum triangle which, int64_t rows,
                           int delay, int32_t *order, struct error *error)
{
    struct ordering ordering = {.triangle = triangle, .rows = rows, .backward = which == TRIANGLE_UPPER};
    delay = (int)min(delay, DELAY_MAX);
    if (delay <= 1) {
        for (int32_t i = 0; i < rows; i++)
            order[i] = number_of(&ordering, i);
        return STATUS_OK;
    }
    const size_t count = (size_t)rows;
    ordering.from = memory_zeroed(count + 2, sizeof *ordering.from, error);
    ordering.user = memory_array((size_t)triangle->row_ptr[rows], sizeof *ordering.user, error);
    ordering.missing = memory_array(count, sizeof *ordering.missing, error);
    ordering.heap = memory_array(count, sizeof *ordering.heap, error);
    ordering.next = memory_array(count, sizeof *ordering.next, error);
    const bool all = ordering.from && ordering.user && ordering.missing && ordering.heap && ordering.next;
    if (all) {
        list_users(&ordering);
        for (int64_t first = 0, end; first < rows; first = end) {
            end = window_end(&ordering, delay, first);
            order_window(&ordering, delay, first, end, order);
        }
    }
    free(ordering.from);
    free(ordering.user);
    free(ordering.missing);
    free(ordering.heap);
    free(ordering.next);
    return all ? STATUS_OK : STATUS_MEMORY;
}
