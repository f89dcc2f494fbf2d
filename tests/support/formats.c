#include "support/formats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Requests */

static void add_request(struct requests *requests, const struct format *format, const char *parameters,
                        enum origin origin)
{
    for (int k = 0; k < requests->count; k++)
        if (requests->items[k].format == format && !strcmp(requests->items[k].parameters, parameters)) return;
    struct wanted *items = memory_resize(requests->items, (size_t)requests->count + 1, sizeof *items, NULL);
    if (!items) abort();
    requests->items = items;
    items[requests->count] = (struct wanted){.format = format, .origin = origin};
    snprintf(items[requests->count++].parameters, sizeof items->parameters, "%s", parameters);
}

/* One parameter over its range, the others at their defaults. */
static void add_sweep(struct requests *requests, const struct format *format, const struct parameter *p)
{
    const double values[] = {p->min, p->min + 1, 3, 7, 32, p->min / 2 + p->max / 2, p->max};
    char text[96], value[64];
    for (int c = 0; c < parameter_options(p); c++) {
        snprintf(text, sizeof text, "%s=%s", p->name, parameter_value(p, c, value, sizeof value));
        add_request(requests, format, text, ORIGIN_SWEEP);
    }
    for (size_t k = 0; parameter_options(p) == 0 && k < sizeof values / sizeof *values; k++) {
        double number = p->type == PARAMETER_REAL ? values[k] : floor(values[k]);
        if (number < p->min || number > p->max) continue;
        snprintf(text, sizeof text, "%s=%s", p->name, parameter_value(p, number, value, sizeof value));
        add_request(requests, format, text, ORIGIN_SWEEP);
    }
}

/* Cases that variants and single parameters do not reach. A format that is not in the table is passed
 * over. */
static const struct {
    const char *format, *parameters;
} combinations[] = {
    {"coo", "order=random,seed=7"},
    {"ell", "layout=rows"},
    {"ell", "layout=rows,pad=sentinel"},
    {"ell", "layout=transposed,pad=sentinel"},
    {"hyb", "k=1,layout=rows"},
    {"hyb", "k=3,pad=sentinel"},
    {"hyb", "k=3,layout=rows,pad=sentinel"},
    {"hyb", "rule=share,share=0.5"},
    {"hyb", "rule=share,share=1,pad=sentinel"},
    {"jds", "sections=share"},
    {"jds", "sections=equal,inside=csr"},
    {"jds", "sections=equal,height=5"},
    {"jds", "sections=equal,height=4,longest=6"},
    {"jds", "sections=share,inside=csr,height=16,longest=3"},
    {"jds", "sections=share,share=0.9,height=3"},
    {"jds", "sections=none,longest=4"},
    {"jds", "sections=none,longest=0"},
    {"cmrs", "height=2,sorted=1"},
    {"cmrs", "height=3,packed=1"},
    {"cmrs", "height=5,sorted=1"},
    {"cmrs", "height=16,sorted=1"},
    {"cmrs", "height=16,packed=1,sorted=1"},
    {"cmrs", "modulo=1,packed=1"},
    {"cmrs", "modulo=8,packed=1"},
    {"cmrs", "height=16,modulo=32,packed=1"},
    {"sell", "c=1,sigma=8"},
    {"sell", "c=2,sigma=8"},
    {"sell", "c=2,sigma=1024"},
    {"sell", "c=4,sigma=8"},
    {"sell", "c=4,sigma=1024"},
    {"sell", "c=32,sigma=8"},
    {"sell", "c=32,sigma=1024"},
    {"sell", "c=2,sigma=7"},
    {"sell", "c=100,sigma=50"},
    {"cmrs", "height=5,packed=1,sorted=1"},
    {"cmrs", "height=1,sorted=1"},
    {"cmrs", "modulo=2,packed=1"},
    {"coo", "order=random,seed=7"},
    {"ell", "layout=rows,pad=sentinel"},
    {"hyb", "k=3,pad=sentinel"},
    {"hyb", "k=2,layout=rows,pad=sentinel"},
    {"hyb", "rule=share,share=0.5,layout=rows"},
};

struct requests requests_all(void)
{
    struct requests requests = {0};
    for (int f = 0; formats[f]; f++)
        for (int v = 0; formats[f]->variants[v]; v++)
            add_request(&requests, formats[f], formats[f]->variants[v], ORIGIN_VARIANT);
    for (size_t k = 0; k < sizeof combinations / sizeof *combinations; k++)
        if (format_find(combinations[k].format))
            add_request(&requests, format_find(combinations[k].format), combinations[k].parameters,
                        ORIGIN_COMBINATION);
    for (int f = 0; formats[f]; f++)
        for (const struct parameter *p = formats[f]->parameters; p->name; p++)
            add_sweep(&requests, formats[f], p);
    return requests;
}

void requests_free(struct requests *requests)
{
    free(requests->items);
    *requests = (struct requests){0};
}

/* Comparison */

static char message[256];

static bool same_bits(double a, double b, enum precision precision)
{
    float single_a = (float)a, single_b = (float)b;
    if (precision == PRECISION_F32) return memcmp(&single_a, &single_b, sizeof single_a) == 0;
    return memcmp(&a, &b, sizeof a) == 0;
}

const char *csr_difference(const struct csr *a, const struct csr *b, enum precision precision)
{
    if (a->rows != b->rows || a->cols != b->cols) return "sizes differ";
    if (!a->imaginary != !b->imaginary) return "one is complex";
    for (int64_t i = 0; i <= a->rows; i++) {
        if (a->row_ptr[i] == b->row_ptr[i]) continue;
        snprintf(message, sizeof message, "row_ptr[%lld] is %lld, not %lld", (long long)i,
                 (long long)b->row_ptr[i], (long long)a->row_ptr[i]);
        return message;
    }
    for (int64_t k = 0; k < csr_nnz(a); k++) {
        if (a->col[k] == b->col[k] && same_bits(a->val[k], b->val[k], precision) &&
            (!a->imaginary || same_bits(a->imaginary[k], b->imaginary[k], precision)))
            continue;
        snprintf(message, sizeof message, "entry %lld is %a in column %d, not %a in column %d", (long long)k,
                 b->val[k], b->col[k], a->val[k], a->col[k]);
        return message;
    }
    return NULL;
}

size_t bytes_of(const struct array *array)
{
    static const size_t sizes[] = {
        [ELEMENT_U8] = 1,  [ELEMENT_I32] = 4, [ELEMENT_U32] = 4, [ELEMENT_I64] = 8,
        [ELEMENT_F32] = 4, [ELEMENT_F64] = 8, [ELEMENT_C32] = 8, [ELEMENT_C64] = 16,
    };
    return (size_t)array->length * sizes[array->element];
}

const char *storage_difference(const struct storage *a, const struct storage *b)
{
    if (a->count != b->count || !a->kept != !b->kept) return "other arrays are there";
    for (int q = 0; q < a->count; q++) {
        const struct array *left = &a->array[q], *right = &b->array[q];
        if (left->length != right->length || left->element != right->element) return "arrays differ in size";
        if (memcmp(left->data, right->data, bytes_of(left)) == 0) continue;
        snprintf(message, sizeof message, "%s differs", left->name);
        return message;
    }
    if (a->kept && memcmp(a->kept, b->kept, ((size_t)a->slots[0] + 63) / 64 * 8)) return "kept bits differ";
    return NULL;
}
