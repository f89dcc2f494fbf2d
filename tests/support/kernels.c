#include "support/kernels.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "support/support.h"

static void add_set(struct sets *sets, const char *name, const char *value)
{
    char text[sizeof sets->text[0]];
    snprintf(text, sizeof text, "%s%s%s", name, name[0] ? "=" : "", value);
    for (int s = 0; s < sets->count; s++)
        if (strcmp(sets->text[s], text) == 0) return;
    if (sets->count < 64) memcpy(sets->text[sets->count++], text, sizeof text);
}

/* Each value of a parameter, after `before`: "aligned=1,". */
static void add_values(struct sets *sets, const char *before, const struct parameter *p)
{
    const double values[] = {p->min, p->min * 2, 3, 8, 32, p->max};
    char name[64], value[64];
    snprintf(name, sizeof name, "%s%s", before, p->name);
    for (int c = 0; c < parameter_options(p); c++)
        add_set(sets, name, parameter_value(p, c, value, sizeof value));
    for (size_t k = 0; parameter_options(p) == 0 && k < sizeof values / sizeof *values; k++) {
        if (values[k] >= p->min && values[k] <= p->max)
            add_set(sets, name, parameter_value(p, values[k], value, sizeof value));
    }
}

/* Each value after each word but the first of the other parameters: they choose separate loops. */
static void add_pairs(struct sets *sets, const struct kernel *kernel, const struct parameter *word)
{
    for (int c = 1; c < parameter_options(word); c++)
        for (const struct parameter *p = kernel->parameters; p->name; p++) {
            char before[32], value[16];
            snprintf(before, sizeof before, "%.12s=%s,", word->name,
                     parameter_value(word, c, value, sizeof value));
            if (p != word) add_values(sets, before, p);
        }
}

struct sets sets_of(const struct kernel *kernel)
{
    struct sets sets = {0};
    add_set(&sets, "", "");
    for (const struct parameter *p = kernel->parameters; p->name; p++)
        add_values(&sets, "", p);
    for (const struct parameter *p = kernel->parameters; p->name; p++)
        add_pairs(&sets, kernel, p);
    return sets;
}

/* Lengths of rows that kernels could trip over. */
static int64_t length_of_index(int64_t i)
{
    return i % 34;
}

static int64_t length_mixed(int64_t i)
{
    return i % 11 == 3 ? 33 + i : i * i * 7 % 20;
}

static int64_t length_first(int64_t i)
{
    return i == 0 ? 3000 : i % 3;
}

static int64_t length_middle(int64_t i)
{
    return i == 100 ? 3000 : 0;
}

static int64_t length_last(int64_t i)
{
    return i == 299 ? 3000 : i % 2;
}

static int64_t length_neighbours(int64_t i)
{
    return i >= 40 && i < 43 ? 3000 : 1;
}

int64_t support_few(int64_t i)
{
    return i % 150 == 149;
}

struct csr support_rows(int64_t rows, int64_t (*length)(int64_t i))
{
    struct csr a = {.rows = rows, .cols = 3000};
    uint64_t seed = 5;
    a.row_ptr = memory_zeroed((size_t)a.rows + 1, sizeof *a.row_ptr, NULL);
    for (int64_t i = 0; i < a.rows; i++)
        a.row_ptr[i + 1] = a.row_ptr[i] + length(i);
    a.col = memory_array((size_t)csr_nnz(&a), sizeof *a.col, NULL);
    a.val = memory_array((size_t)csr_nnz(&a), sizeof *a.val, NULL);
    for (int64_t i = 0; i < a.rows; i++)
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
            int64_t step = a.cols / length(i);
            a.col[k] = (int32_t)((k - a.row_ptr[i]) * step + (int64_t)support_random(&seed, (uint32_t)step));
            a.val[k] = support_random(&seed, 1000) - 499.5;
        }
    return a;
}

int64_t (*const support_lengths[])(int64_t) = {length_of_index, length_mixed, length_first,
                                               length_middle,   length_last,  length_neighbours,
                                               support_few,     NULL};
