#include "command/completion/values.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "analysis/parts/partition.h"
#include "analysis/parts/scaling.h"
#include "analysis/solvers/preconditioner.h"
#include "base/parameters.h"
#include "formats/format.h"
#include "kernels/gpu/profile.h"
#include "kernels/kernel.h"
#include "kernels/timing/samples.h"
#include "matrix/files/reader.h"
#include "matrix/generators/generate.h"
#include "matrix/orders/order.h"
#include "report/figures/figure.h"
#include "report/report.h"
#include "report/sections.h"
#include "ui/lessons/lessons.h"

void offer_word(const struct typing *typing, const char *word, const char *after, const char *help)
{
    const char *typed = typing->word + typing->from;
    if (strncmp(word, typed, strlen(typed)) != 0) return;
    text_append(typing->text, "%.*s%s%s", (int)typing->from, typing->word, word, after);
    if (help && help[0]) text_append(typing->text, "\t%.*s", (int)strcspn(help, "\n"), help);
    text_append(typing->text, "\n");
}

void offer_choice(const struct typing *typing, const char *words)
{
    char word[64];
    for (size_t length; *words; words += length + (words[length] == '|')) {
        length = strcspn(words, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        offer_word(typing, word, "", NULL);
    }
}

/* Parameters */

/* The tables of parameters of an item: a kernel has its own and its format's. */
#define TABLES 2
struct tables {
    const struct parameter *tables[TABLES]; /* NULL if there is no table */
    bool stars;                             /* the value *, which stands for all values, may be given */
};

/* Offer the values of a parameter: all, if they are few, else the default. */
static void offer_values(const struct typing *typing, const struct parameter *parameter, bool stars)
{
    char value[64];
    int options = parameter_options(parameter);
    if (parameter->type == PARAMETER_TEXT) offer_files(typing);
    for (int k = 0; k < options; k++)
        offer_word(typing, parameter_value(parameter, k, value, sizeof value), "", NULL);
    if (options == 0 && parameter->type != PARAMETER_TEXT && !parameter->like && !parameter->automatic)
        offer_word(typing, parameter_default(parameter, value, sizeof value), "", "the default");
    if (stars && parameter->type != PARAMETER_TEXT) offer_word(typing, "*", "", "every value");
}

/* Offer completions after typing->word[0 .. from-1], where NAME=VALUE of a parameter is expected. */
static void offer_parameters(struct typing typing, const struct tables *of)
{
    char range[64], help[256];
    const char *typed = typing.word + typing.from;
    size_t length = strcspn(typed, "=");
    for (int t = 0; t < TABLES; t++) {
        for (const struct parameter *p = of->tables[t]; p && p->name; p++) {
            if (typed[length] == '=' && strlen(p->name) == length && strncmp(p->name, typed, length) == 0) {
                struct typing value = typing;
                value.from += length + 1;
                offer_values(&value, p, of->stars);
            } else if (typed[length] != '=') {
                snprintf(help, sizeof help, "%s (%s)", p->help, parameter_range(p, range, sizeof range));
                offer_word(&typing, p->name, "=", help);
            }
        }
    }
}

/* Lists */

/* The kind of a list's items. */
struct list_kind {
    void (*names)(const struct typing *typing);                  /* offer an item's name */
    void (*tables)(const char *name, struct tables *parameters); /* find its parameters */
};

/* Offer an item of a list, which base/items.h describes: names, and after a colon parameters, between commas.
 * A comma after parameters continues them or begins another item. */
static void offer_list(struct typing typing, const struct list_kind *kind)
{
    const char *list = typing.word + typing.from, *owner = NULL, *piece;
    struct tables parameters = {0};
    char name[256];
    for (const char *c = list; *c; c++)
        if (strchr(" \t\n", *c)) list = c + 1;
    /* `owner` becomes the item whose parameters are being typed, or NULL. */
    for (piece = list;; piece += strcspn(piece, ",") + 1) {
        size_t length = strcspn(piece, ",");
        if (memchr(piece, ':', length))
            owner = piece;
        else if (!memchr(piece, '=', length) && piece[length])
            owner = NULL;
        if (!piece[length]) break;
    }
    bool in_name = !strchr(piece, ':') && !strchr(piece, '=');
    if (owner) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(owner, ":"), owner);
        kind->tables(name, &parameters);
        const char *start = owner == piece ? piece + strcspn(piece, ":") + 1 : piece;
        typing.from = (size_t)(start - typing.word);
        offer_parameters(typing, &parameters);
    }
    if (!in_name) return;
    typing.from = (size_t)(piece - typing.word);
    kind->names(&typing);
}

/* Kernels are named by their full names, by globs, and without a backend. */
static void name_kernels(const struct typing *typing)
{
    const char *typed = typing->word + typing->from;
    bool bare = typed[0] && !strchr(typed, '/');
    for (int k = 0; kernels[k]; k++) {
        struct text name = {0};
        kernel_name(kernels[k], &name);
        if (name.data) offer_word(typing, name.data, "", kernels[k]->summary);
        if (bare) offer_word(typing, kernels[k]->name, "", "in every backend that has it");
        text_free(&name);
    }
    for (int k = 0; backends[k]; k++)
        offer_word(typing, backends[k]->name, "", "all kernels of this backend");
    offer_word(typing, "all", "", "every kernel");
    offer_word(typing, "none", "", "no kernel");
}

/* Find the parameters of the first kernel with this name. */
static void kernel_tables(const char *wanted, struct tables *parameters)
{
    parameters->stars = true;
    for (int k = 0; kernels[k] && !parameters->tables[0]; k++) {
        struct text name = {0};
        kernel_name(kernels[k], &name);
        if (name.data && (fnmatch(wanted, name.data, 0) == 0 || fnmatch(wanted, kernels[k]->name, 0) == 0 ||
                          strcmp(wanted, kernels[k]->backend->name) == 0)) {
            parameters->tables[0] = kernels[k]->parameters;
            parameters->tables[1] = kernels[k]->format->parameters;
        }
        text_free(&name);
    }
}

void offer_kernels(const struct typing *typing)
{
    offer_list(*typing, &(struct list_kind){name_kernels, kernel_tables});
}

static void name_formats(const struct typing *typing)
{
    for (int k = 0; formats[k]; k++)
        offer_word(typing, formats[k]->name, "", formats[k]->summary);
}

static void name_formats_or_all(const struct typing *typing)
{
    name_formats(typing);
    offer_word(typing, "all", "", "all variants that reports list");
    offer_word(typing, "none", "", "no format");
}

static void format_tables(const char *wanted, struct tables *parameters)
{
    for (int k = 0; formats[k] && !parameters->tables[0]; k++)
        if (fnmatch(wanted, formats[k]->name, 0) == 0) parameters->tables[0] = formats[k]->parameters;
}

void offer_format(const struct typing *typing)
{
    offer_list(*typing, &(struct list_kind){name_formats, format_tables});
}

void offer_format_list(const struct typing *typing)
{
    offer_list(*typing, &(struct list_kind){name_formats_or_all, format_tables});
}

static void name_orders(const struct typing *typing)
{
    for (int k = 0; orders[k]; k++)
        offer_word(typing, orders[k]->name, "", orders[k]->summary);
}

static void order_tables(const char *wanted, struct tables *parameters)
{
    for (int k = 0; orders[k]; k++)
        if (strcmp(wanted, orders[k]->name) == 0) parameters->tables[0] = orders[k]->parameters;
}

void offer_orders(const struct typing *typing)
{
    offer_list(*typing, &(struct list_kind){name_orders, order_tables});
}

static void name_partitions(const struct typing *typing)
{
    for (int k = 0; partitioners[k]; k++)
        offer_word(typing, partitioners[k]->name, "", partitioners[k]->summary);
}

static void partition_tables(const char *wanted, struct tables *parameters)
{
    for (int k = 0; partitioners[k]; k++)
        if (strcmp(wanted, partitioners[k]->name) == 0) parameters->tables[0] = partitioners[k]->parameters;
}

void offer_partitions(const struct typing *typing)
{
    offer_list(*typing, &(struct list_kind){name_partitions, partition_tables});
}

/* The item of a list with commas that is being typed. */
static struct typing last_item(const struct typing *typing)
{
    const char *typed = typing->word + typing->from, *comma = strrchr(typed, ',');
    struct typing last = *typing;
    if (comma) last.from += (size_t)(comma + 1 - typed);
    return last;
}

void offer_network(const struct typing *typing)
{
    const struct typing last = last_item(typing);
    offer_parameters(last, &(struct tables){.tables = {network_parameters}});
}

/* Names */

void offer_number(const struct typing *typing)
{
}

void offer_figures(const struct typing *typing)
{
    for (int k = 0; figures[k]; k++)
        offer_word(typing, figures[k]->name, "", figures[k]->summary);
}

void offer_reports(const struct typing *typing)
{
    for (int k = 0; report_formats[k]; k++)
        offer_word(typing, report_formats[k]->name, "", report_formats[k]->summary);
}

void offer_sections(const struct typing *typing)
{
    const struct typing last = last_item(typing);
    for (const struct report_section *section = report_sections; section->name; section++)
        offer_word(&last, section->name, "", section->summary);
}

void offer_solve(const struct typing *typing)
{
    const struct typing last = last_item(typing);
    for (int k = 0; solver_methods[k]; k++)
        offer_word(&last, solver_methods[k]->name, "", solver_methods[k]->summary);
    for (int k = 0; preconditioners[k]; k++)
        offer_word(&last, preconditioners[k]->name, "", preconditioners[k]->summary);
    offer_parameters(last, &(struct tables){.tables = {solver_parameters}});
}

void offer_trisolve(const struct typing *typing)
{
    const struct typing last = last_item(typing);
    for (int k = 0; k < TRISOLVE_OPERATIONS; k++)
        offer_word(&last, trisolve_operation_name((enum trisolve_operation)k), "",
                   trisolve_operation_title((enum trisolve_operation)k));
}

void offer_readers(const struct typing *typing)
{
    for (int k = 0; readers[k]; k++) {
        offer_word(typing, readers[k]->name, "", readers[k]->title);
        for (const struct reader_kind *kind = readers[k]->kinds; kind && kind->name; kind++) {
            char word[64];
            snprintf(word, sizeof word, "%s:%s", readers[k]->name, kind->name);
            offer_word(typing, word, "", kind->title);
        }
    }
}

void offer_writers(const struct typing *typing)
{
    for (int k = 0; readers[k]; k++)
        if (readers[k]->write) offer_word(typing, readers[k]->name, "", readers[k]->title);
}

void offer_protocols(const struct typing *typing)
{
    for (int k = PROTOCOL_MEDIAN; k <= PROTOCOL_CMRS; k++)
        offer_word(typing, protocol_name((enum protocol)k), "", NULL);
}

void offer_precisions(const struct typing *typing)
{
    char both[16];
    snprintf(both, sizeof both, "%s,%s", precision_name(PRECISION_F64), precision_name(PRECISION_F32));
    offer_word(typing, precision_name(PRECISION_F64), "", NULL);
    offer_word(typing, precision_name(PRECISION_F32), "", NULL);
    offer_word(typing, both, "", NULL);
}

void offer_gpus(const struct typing *typing)
{
    struct gpu_list list;
    if (gpu_list(&list, NULL) == STATUS_OK) {
        for (int k = 0; k < list.count; k++) {
            struct gpu gpu;
            bool loaded = gpu_load(&list.items[k], &gpu, NULL) == STATUS_OK;
            offer_word(typing, list.items[k].name, "", loaded ? gpu.title : NULL);
        }
    }
    gpu_list_free(&list);
    if (strchr(typing->word + typing->from, '/')) offer_files(typing);
}

/* Operands */

void offer_lessons(const struct typing *typing)
{
    struct lessons lessons = {0};
    char number[16];
    lessons_read_installed(&lessons, NULL); /* there are none after a failure */
    for (int k = 0; k < lessons.count; k++) {
        snprintf(number, sizeof number, "%d", k + 1);
        offer_word(typing, number, "", lessons.items[k].title);
    }
    lessons_free(&lessons);
}

void offer_specifications(const struct typing *typing)
{
    const char *typed = typing->word + typing->from;
    size_t length = strcspn(typed, ",");
    for (int k = 0; generators[k]; k++) {
        if (!typed[length]) {
            offer_word(typing, generators[k]->name, "", generators[k]->summary);
        } else if (strlen(generators[k]->name) == length &&
                   strncmp(generators[k]->name, typed, length) == 0) {
            struct typing rest = *typing;
            rest.from += (size_t)(strrchr(typed, ',') + 1 - typed);
            offer_parameters(rest, &(struct tables){.tables = {generators[k]->parameters}});
        }
    }
}

/* Offer matrices, and saved reports if these are accepted, too. */
static void offer_inputs(const struct typing *typing, bool reports)
{
    static const char prefix[] = "gen:";
    struct typing specification = *typing;
    specification.from += sizeof prefix - 1;
    if (strncmp(typing->word + typing->from, prefix, sizeof prefix - 1) == 0)
        offer_specifications(&specification);
    else
        offer_word(typing, prefix, "", "a synthetic matrix");
    offer_matrix_files(typing, reports);
}

void offer_matrices(const struct typing *typing)
{
    offer_inputs(typing, false);
}

void offer_matrices_and_reports(const struct typing *typing)
{
    offer_inputs(typing, true);
}
