#include "support/listed.h"

#include <stdlib.h>

#include "matrix/build.h"

const enum symmetry listed_kinds[4] = {SYMMETRY_GENERAL, SYMMETRY_SYMMETRIC, SYMMETRY_SKEW,
                                       SYMMETRY_HERMITIAN};

static enum status listed_block(void *self, int64_t k, struct sink *sink, struct error *error)
{
    struct listed *list = self;
    int end = ((int)k + 1) * list->per_block < list->count ? ((int)k + 1) * list->per_block : list->count;
    for (int e = (int)k * list->per_block; e < end; e++) {
        if (e == list->bad_place) return error_at(error, STATUS_INPUT, "list", e + 1, 1, "bad place");
        if (e == list->bad_value && sink->values)
            return error_at(error, STATUS_INPUT, "list", e + 1, 1, "bad value");
        sink_put(sink, list->row[e], list->col[e], list->val[e], list->imaginary[e]);
    }
    return STATUS_OK;
}

static int64_t listed_line(void *self, int64_t k, int64_t ordinal)
{
    return k * ((struct listed *)self)->per_block + ordinal + 1;
}

static void listed_release(void *self, int64_t k)
{
    __atomic_fetch_add(&((struct listed *)self)->released, 1, __ATOMIC_RELAXED);
}

struct source listed_source(struct listed *list, enum symmetry symmetry, bool complex)
{
    return (struct source){
        .rows = LISTED_SIDE,
        .cols = LISTED_SIDE,
        .blocks = (list->count + list->per_block - 1) / list->per_block,
        .complex = complex,
        .symmetry = symmetry,
        .path = "list",
        .self = list,
        .block = listed_block,
        .line = listed_line,
        .release = listed_release,
    };
}

struct listed *listed_new(int per_block)
{
    struct listed *list = calloc(1, sizeof *list);
    list->per_block = per_block;
    list->bad_place = list->bad_value = -1;
    return list;
}

void listed_put(struct listed *list, int i, int j, double val, double imaginary)
{
    list->row[list->count] = i;
    list->col[list->count] = j;
    list->val[list->count] = val;
    list->imaginary[list->count++] = imaginary;
}

struct listed *listed_random(unsigned seed, enum symmetry symmetry, int count, int per_block)
{
    struct listed *list = listed_new(per_block);
    srand(seed);
    for (int e = 0; e < count; e++) {
        int i = rand() % LISTED_SIDE, j = rand() % (1 + rand() % LISTED_SIDE);
        if (symmetry != SYMMETRY_GENERAL && (seed % 2 ? i > j : i < j)) {
            int t = i;
            i = j;
            j = t;
        }
        if (symmetry == SYMMETRY_SKEW && i == j) continue;
        listed_put(list, i, j, rand() % 201 - 100,
                   symmetry == SYMMETRY_HERMITIAN && i == j ? 0 : rand() % 21 - 10);
    }
    return list;
}
