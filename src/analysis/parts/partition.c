#include "analysis/parts/partition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/items.h"
#include "base/memory.h"

#define PARTITIONER(name) extern const struct partitioner partitioner_##name;
#include "analysis/parts/partitions.def"
#undef PARTITIONER

const struct partitioner *const partitioners[] = {
#define PARTITIONER(name) &partitioner_##name,
#include "analysis/parts/partitions.def"
#undef PARTITIONER
    NULL,
};

void partitioners_describe(struct text *text)
{
    for (int k = 0; partitioners[k]; k++) {
        const struct partitioner *partitioner = partitioners[k];
        text_append(text, "%s  %s\n", partitioner->name, partitioner->summary);
        parameters_describe(partitioner->parameters, text);
        if (partitioner->source[0]) text_append(text, "    source: %s\n", partitioner->source);
        if (partitioner->absent)
            text_append(text, "    not available: this build lacks it; install %s and build again\n",
                        partitioner->package);
    }
}

static const char *name_of(int k)
{
    return partitioners[k] ? partitioners[k]->name : NULL;
}

/* The number of the parameter that is text, or -1. */
static int text_parameter(const struct partitioner *partitioner)
{
    for (int k = 0; partitioner->parameters[k].name; k++)
        if (partitioner->parameters[k].type == PARAMETER_TEXT) return k;
    return -1;
}

enum status partition_choice_read(const char *text, struct partition_choice *choice, struct error *error)
{
    size_t length = strcspn(text, ":");
    *choice = (struct partition_choice){0};
    for (int k = 0; partitioners[k]; k++)
        if (strlen(partitioners[k]->name) == length && memcmp(partitioners[k]->name, text, length) == 0)
            choice->partitioner = partitioners[k];
    if (!choice->partitioner)
        return guess_refuse("no partition is called", text, strcspn(text, ":="), name_of, error);
    const char *name = choice->partitioner->name;
    enum status status = parameters_read(name, choice->partitioner->parameters,
                                         text + length + (text[length] == ':'), &choice->values, error);
    int file = text_parameter(choice->partitioner);
    if (status != STATUS_OK || file < 0) return status;
    choice->values.number[file] = NAN; /* it is text */
    if (choice->values.text) return STATUS_OK;
    return error_set(error, STATUS_USAGE, "%s needs a file: %s:%s=FILE", name, name,
                     choice->partitioner->parameters[file].name);
}

void partition_choice_free(struct partition_choice *choice)
{
    parameters_free(&choice->values);
    *choice = (struct partition_choice){0};
}

char *partition_choice_name(const struct partition_choice *choice, char *out, size_t size)
{
    int file = text_parameter(choice->partitioner);
    snprintf(out, size, "%s", choice->partitioner->name);
    bool some = parameters_write(choice->partitioner->parameters, &choice->values, ":", out, size);
    size_t length = strlen(out);
    if (file >= 0 && choice->values.text)
        snprintf(out + length, size - length, "%s%s=%s", some ? "," : ":",
                 choice->partitioner->parameters[file].name, choice->values.text);
    return out;
}

static enum status add(struct partition_list *list, const char *text, struct error *error)
{
    struct partition_choice choice;
    enum status status = partition_choice_read(text, &choice, error);
    if (status == STATUS_OK) {
        struct partition_choice *choices =
            memory_resize(list->choices, (size_t)list->count + 1, sizeof *choices, error);
        if (choices) {
            list->choices = choices;
            choices[list->count++] = choice;
            return STATUS_OK;
        }
        status = STATUS_MEMORY;
    }
    partition_choice_free(&choice);
    return status;
}

enum status partition_list_add(struct partition_list *list, const char *text, struct error *error)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        bool end;
        char *item = list_item(&text, &end, error);
        if (!item) return end ? STATUS_OK : STATUS_MEMORY;
        status = add(list, item, error);
        free(item);
    }
    return status;
}

void partition_list_free(struct partition_list *list)
{
    for (int k = 0; k < list->count; k++)
        partition_choice_free(&list->choices[k]);
    free(list->choices);
    *list = (struct partition_list){0};
}

/* The data of a matrix that may lie in other processes. */
static size_t bytes_held(const struct csr *a)
{
    const size_t none = csr_bytes(a->rows, 0, false);
    if (a->val || !a->row_ptr) return csr_bytes(a->rows, csr_nnz(a), a->imaginary != NULL);
    return none + (a->col ? (size_t)csr_nnz(a) * sizeof *a->col : 0);
}

static enum status check(const struct partitioner *partitioner, const struct partitioning *partitioning,
                         size_t limit, struct error *error)
{
    const struct csr *a = partitioning->a;
    size_t bytes = partitioner->bytes ? partitioner->bytes(partitioning) : 0;
    if (partitioner->absent)
        return error_set(error, STATUS_UNAVAILABLE, "this build lacks it; install %s and build again",
                         partitioner->package);
    if (partitioner->ranked)
        return error_set(error, STATUS_UNAVAILABLE,
                         "it needs ranks: mpirun -n 8 sparsight-mpi report --parts=LIST --partition=%s",
                         partitioner->name);
    if (partitioner->square && a->rows != a->cols)
        return error_set(error, STATUS_UNAVAILABLE, "it divides only square matrices");
    size_add(bytes, (size_t)a->rows * sizeof(int32_t), &bytes);
    return memory_check_beside(bytes, bytes_held(a), limit, "a partition", error);
}

enum status partition_find(const struct partition_choice *choice, const struct csr *a, bool symmetric,
                           int64_t parts, size_t limit, struct progress *progress,
                           struct partition *partition, struct error *error)
{
    const struct partitioner *partitioner = choice->partitioner;
    const struct partitioning partitioning = {
        .values = &choice->values, .a = a, .symmetric = symmetric, .parts = parts, .progress = progress};
    *partition = (struct partition){.parts = parts, .rows = a->rows};
    enum status status = check(partitioner, &partitioning, limit, error);
    if (status == STATUS_OK) {
        partition->owner = memory_array((size_t)a->rows, sizeof *partition->owner, error);
        if (!partition->owner)
            status = STATUS_MEMORY;
        else if (partitioner->divide)
            status = partitioner->divide(&partitioning, partition, error);
        else
            status = partitioner->compute(&partitioning, partition->owner, &partition->parts, error);
    }
    if (status != STATUS_OK) partition_free(partition);
    return status;
}

/* Copy a list of owners, if there is one. */
static enum status copy_list(const int32_t *list, int64_t count, int32_t **copy, struct error *error)
{
    if (!list) return STATUS_OK;
    *copy = memory_array((size_t)count, sizeof **copy, error);
    if (!*copy) return STATUS_MEMORY;
    if (count) memcpy(*copy, list, (size_t)count * sizeof **copy);
    return STATUS_OK;
}

enum status partition_copy(const struct partition *partition, int64_t cols, int64_t entries,
                           struct partition *copy, struct error *error)
{
    *copy = (struct partition){.parts = partition->parts, .rows = partition->rows};
    enum status status = copy_list(partition->owner, partition->rows, &copy->owner, error);
    if (status == STATUS_OK) status = copy_list(partition->col_owner, cols, &copy->col_owner, error);
    if (status == STATUS_OK) status = copy_list(partition->entry, entries, &copy->entry, error);
    return status;
}

void partition_free(struct partition *partition)
{
    free(partition->owner);
    free(partition->col_owner);
    free(partition->entry);
    *partition = (struct partition){0};
}
