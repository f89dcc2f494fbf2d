#include "matrix/mirrors.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "matrix/build.h"

/* Write the positions below the diagonal with more than one entry into list, unless that is NULL. Returns
 * their number. */
static int64_t list_places(const struct csr *a, int64_t first_row, struct mirror *list)
{
    int64_t count = 0;
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k + 1 < a->row_ptr[i + 1] && a->col[k] < first_row + i; k++) {
            bool first = k == a->row_ptr[i] || a->col[k - 1] != a->col[k];
            if (!first || a->col[k + 1] != a->col[k]) continue;
            if (list)
                list[count] =
                    (struct mirror){(int32_t)(first_row + i), a->col[k], 0, 0, UINT64_MAX, UINT64_MAX};
            count++;
        }
    return count;
}

enum status mirrors_collect(struct mirrors *mirrors, const struct csr *a, int64_t first_row,
                            struct error *error)
{
    int64_t count = list_places(a, first_row, NULL);
    mirrors->count = 0;
    mirrors->list = memory_array((size_t)count, sizeof *mirrors->list, error);
    if (!mirrors->list) return STATUS_MEMORY;
    mirrors->count = list_places(a, first_row, mirrors->list);
    return STATUS_OK;
}

/* Return the element of the list for position (i, j), i > j, or NULL if there is none. O(log of the list's
 * length). */
static struct mirror *find(const struct mirrors *mirrors, int64_t i, int64_t j)
{
    int64_t first = 0, count = mirrors->count;
    while (count > 0) {
        int64_t half = count / 2;
        const struct mirror *m = &mirrors->list[first + half];
        if (m->i < i || (m->i == i && m->j < j)) {
            first += half + 1;
            count -= half + 1;
        } else
            count = half;
    }
    if (first == mirrors->count) return NULL;
    struct mirror *m = &mirrors->list[first];
    return m->i == i && m->j == j ? m : NULL;
}

/* Compute *min = min(*min, value) atomically. */
static void lower_to(uint64_t *min, uint64_t value)
{
    uint64_t current = __atomic_load_n(min, __ATOMIC_RELAXED);
    while (value < current &&
           !__atomic_compare_exchange_n(min, &current, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

void mirrors_match(struct mirrors *mirrors, const int32_t *row, const int32_t *col, int count, int64_t block,
                   int64_t before)
{
    for (int k = 0; k < count; k++) {
        if (row[k] == col[k]) continue;
        bool below = row[k] > col[k];
        struct mirror *m = below ? find(mirrors, row[k], col[k]) : find(mirrors, col[k], row[k]);
        if (!m) continue;
        uint64_t place = (uint64_t)block << 32 | (uint64_t)(before + k);
        __atomic_fetch_add(below ? &m->lower : &m->upper, 1, __ATOMIC_RELAXED);
        lower_to(below ? &m->first_lower : &m->first_upper, place);
    }
}

static bool same(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

/* Return true if there is one entry on each side of the diagonal and both agree. In the sorted, expanded
 * matrix they are adjacent in row i, one as given, the other as a mirror image. */
static bool agrees(const struct mirror *m, const struct csr *a, int64_t first_row)
{
    if (m->lower != 1 || m->upper != 1) return false;
    int64_t k = csr_lower_bound(a, m->i - first_row, m->j);
    return same(a->val[k], a->val[k + 1]) && (!a->imaginary || same(a->imaginary[k], a->imaginary[k + 1]));
}

static int64_t line_of(const struct source *source, uint64_t place)
{
    if (!source->line) return 0;
    return source->line(source->self, (int64_t)(place >> 32), (int64_t)(place & UINT32_MAX));
}

const struct mirror *mirrors_worst(const struct mirrors *mirrors, const struct csr *a,
                                   const struct source *source, uint64_t *place)
{
    const struct mirror *worst = NULL;
    *place = UINT64_MAX;
    for (int64_t k = 0; k < mirrors->count; k++) {
        const struct mirror *m = &mirrors->list[k];
        if (!m->lower || !m->upper) continue;
        if (source->agreeing_mirrors && agrees(m, a, source->first_row)) continue;
        uint64_t last = m->first_lower > m->first_upper ? m->first_lower : m->first_upper;
        if (last < *place) {
            *place = last;
            worst = m;
        }
    }
    return worst;
}

enum status mirrors_refuse(const struct mirror *worst, const struct source *source, struct error *error)
{
    bool lower_last = worst->first_lower > worst->first_upper;
    int64_t i = lower_last ? worst->i : worst->j, j = lower_last ? worst->j : worst->i;
    uint64_t later = lower_last ? worst->first_lower : worst->first_upper;
    uint64_t earlier = lower_last ? worst->first_upper : worst->first_lower;
    if (!source->line)
        return error_at(
            error, STATUS_INPUT, source->path, 0, 0,
            "entry (%lld, %lld) and its mirror image are both given: a symmetric file gives one of the "
            "two; %s",
            (long long)i + 1, (long long)j + 1,
            source->agreeing_mirrors ? "they differ, so it is uncertain which one is meant"
                                     : "--lenient accepts both if they agree");
    return error_at(
        error, STATUS_INPUT, source->path, line_of(source, later), 1,
        "entry (%lld, %lld) is the mirror image of line %lld: a symmetric file gives one of the two; %s",
        (long long)i + 1, (long long)j + 1, (long long)line_of(source, earlier),
        source->agreeing_mirrors ? "they differ, so it is uncertain which one is meant"
                                 : "--lenient accepts both if they agree");
}

enum status mirrors_judge(const struct mirrors *mirrors, const struct csr *a, const struct source *source,
                          struct error *error)
{
    uint64_t place;
    const struct mirror *worst = mirrors_worst(mirrors, a, source, &place);
    return worst ? mirrors_refuse(worst, source, error) : STATUS_OK;
}

bool mirrors_agree(const struct mirrors *mirrors, int64_t i, int64_t j)
{
    if (mirrors->count == 0 || i == j) return false;
    const struct mirror *m = i > j ? find(mirrors, i, j) : find(mirrors, j, i);
    return m && m->lower && m->upper;
}

void mirrors_free(struct mirrors *mirrors)
{
    free(mirrors->list);
    *mirrors = (struct mirrors){0};
}
