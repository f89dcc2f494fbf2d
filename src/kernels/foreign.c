#include "kernels/foreign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const struct parameter no_parameters[] = {{0}};
static const char *const plain_variant[] = {"", NULL};

static const char *is_foreign(void)
{
    return "this build does not know the kernel: it was run by another one";
}

struct foreign *foreign_find(struct foreign *list, const char *full_name)
{
    while (list && strcmp(list->full_name, full_name) != 0)
        list = list->next;
    return list;
}

static void describe(struct foreign *foreign)
{
    const char *slash = strchr(foreign->full_name, '/');
    const struct format *format = format_find(foreign->format_name);
    const struct backend *backend = backend_find(foreign->backend_name);
    foreign->backend = (struct backend){.name = foreign->backend_name, .foreign = true};
    foreign->format = (struct format){.name = foreign->format_name,
                                      .title = foreign->format_name,
                                      .summary = "a format that this build does not know",
                                      .source = "",
                                      .parameters = no_parameters,
                                      .variants = plain_variant};
    foreign->kernel = (struct kernel){.name = slash ? slash + 1 : foreign->full_name,
                                      .backend = backend ? backend : &foreign->backend,
                                      .format = format ? format : &foreign->format,
                                      .summary = "a kernel that this build does not know",
                                      .source = "",
                                      .parameters = foreign->parameters,
                                      .unavailable = is_foreign};
}

struct foreign *foreign_add(struct foreign **list, const char *full_name, const char *backend,
                            const char *format, struct error *error)
{
    struct foreign *foreign = memory_zeroed(1, sizeof *foreign, error);
    if (!foreign) return NULL;
    foreign->full_name = memory_string(full_name, error);
    foreign->backend_name = memory_string(backend, error);
    foreign->format_name = memory_string(format, error);
    if (!foreign->full_name || !foreign->backend_name || !foreign->format_name) {
        foreign_free(foreign);
        return NULL;
    }
    describe(foreign);
    foreign->next = *list;
    *list = foreign;
    return foreign;
}

/* Extend the values that parameter k takes by those of a type. A parameter that takes words has a list of
 * them, which is empty at first. */
static enum status take_type(struct foreign *foreign, int k, enum parameter_type type, struct error *error)
{
    struct parameter *parameter = &foreign->parameters[k];
    if (type == PARAMETER_REAL && parameter->type == PARAMETER_INTEGER) parameter->type = PARAMETER_REAL;
    if (type != PARAMETER_WORD || foreign->words[k]) return STATUS_OK;
    foreign->words[k] = memory_zeroed(1, sizeof *foreign->words[k], error);
    if (!foreign->words[k]) return STATUS_MEMORY;
    parameter->type = PARAMETER_WORD;
    parameter->words = (const char *const *)foreign->words[k];
    return STATUS_OK;
}

enum status foreign_declare(struct foreign *foreign, const char *name, enum parameter_type type,
                            struct error *error)
{
    int k = 0;
    while (foreign->parameters[k].name && strcmp(foreign->parameters[k].name, name) != 0)
        k++;
    if (k == PARAMETERS_MAX)
        return error_set(error, STATUS_INPUT, "%s has more than %d parameters", foreign->full_name,
                         PARAMETERS_MAX);
    if (!foreign->parameters[k].name) {
        char *own = memory_string(name, error);
        if (!own) return STATUS_MEMORY;
        foreign->parameters[k] = (struct parameter){.name = own,
                                                    .help = "",
                                                    .min = -HUGE_VAL,
                                                    .max = HUGE_VAL,
                                                    .standard = NAN,
                                                    .type = PARAMETER_INTEGER};
    }
    return take_type(foreign, k, type, error);
}

int foreign_word(struct foreign *foreign, int k, const char *word, struct error *error)
{
    int count = 0;
    for (; foreign->words[k][count]; count++)
        if (strcmp(foreign->words[k][count], word) == 0) return count;
    char *own = memory_string(word, error);
    char **words = own ? memory_resize(foreign->words[k], (size_t)count + 2, sizeof *words, error) : NULL;
    if (!words) {
        free(own);
        return -1;
    }
    words[count] = own;
    words[count + 1] = NULL;
    foreign->words[k] = words;
    foreign->parameters[k].words = (const char *const *)words;
    return count;
}

void foreign_free(struct foreign *list)
{
    while (list) {
        struct foreign *next = list->next;
        for (int k = 0; k < PARAMETERS_MAX; k++) {
            free((char *)list->parameters[k].name);
            for (int w = 0; list->words[k] && list->words[k][w]; w++)
                free(list->words[k][w]);
            free(list->words[k]);
        }
        free(list->full_name);
        free(list->backend_name);
        free(list->format_name);
        free(list);
        list = next;
    }
}
