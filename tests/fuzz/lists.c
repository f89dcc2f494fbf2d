/* Fuzz targets of specifications, lists and command lines. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/partition.h"
#include "command/completion/words.h"
#include "command/options.h"
#include "command/survey_parts.h"
#include "formats/list.h"
#include "fuzz/memory_file.h"
#include "fuzz/readers.h"
#include "fuzz/targets.h"
#include "kernels/list.h"
#include "matrix/generators/generate.h"
#include "matrix/orders/order.h"

int fuzz_spec(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    const struct load_options options = {.limit = FUZZ_LIMIT};
    static const char file[] = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 0.5\n2 3 -1\n";
    struct matrix matrix = {0};
    struct error error = {0}, wrong = {0};
    char *text = input_rest(&input);
    memory_file_set(file, sizeof file - 1, false);
    enum status status = generate_matrix(text, &options, NULL, &matrix, &error);
    if (!status && csr_validate(&matrix.csr, &wrong)) fuzz_wrong("%s: %s", text, wrong.message);
    matrix_free(&matrix);
    free(text);
    return !status;
}

/* A name that a choice is written as is read as the same choice. */
int fuzz_kernels(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct kernel_list list = {0};
    char *text = input_rest(&input), name[CHOICE_NAME];
    bool read = !kernel_list_add(&list, text, NULL);
    for (int k = 0; k < list.count; k += 1 + list.count / 8) {
        struct kernel_list again = {0};
        struct error error = {0};
        kernel_choice_name(&list.choices[k], name, sizeof name);
        if (kernel_list_add(&again, name, &error)) fuzz_wrong("%s: %s", name, error.message);
        if (again.count != 1 || !kernel_choice_same(&again.choices[0], &list.choices[k]))
            fuzz_wrong("'%s' is another kernel than '%s'", name, text);
        kernel_list_free(&again);
    }
    kernel_list_free(&list);
    free(text);
    return read;
}

int fuzz_formats(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct format_list list = {0};
    char *text = input_rest(&input), name[CHOICE_NAME];
    bool read = !format_list_add(&list, text, NULL);
    for (int k = 0; k < list.count; k++) {
        struct format_list again = {0};
        struct error error = {0};
        format_choice_name(&list.choices[k], name, sizeof name);
        if (format_list_add(&again, name, &error)) fuzz_wrong("%s: %s", name, error.message);
        if (again.count != 1 || !format_choice_same(&again.choices[0], &list.choices[k]))
            fuzz_wrong("'%s' is another format than '%s'", name, text);
        format_list_free(&again);
    }
    format_list_free(&list);
    free(text);
    return read;
}

int fuzz_orders(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct order_list list = {0};
    char *text = input_rest(&input), name[ORDER_NAME];
    bool read = !order_list_add(&list, text, NULL);
    for (int k = 0; k < list.count; k++) {
        const struct order_choice *one = &list.choices[k];
        struct order_choice again = {0};
        struct error error = {0};
        order_choice_name(one, name, sizeof name);
        if (strlen(name) + 1 == sizeof name) continue; /* cut */
        if (order_choice_read(name, &again, &error)) fuzz_wrong("%s: %s", name, error.message);
        if (again.order != one->order ||
            !parameters_same(one->order->parameters, &again.values, &one->values))
            fuzz_wrong("'%s' is another order than '%s'", name, text);
        order_choice_free(&again);
    }
    order_list_free(&list);
    free(text);
    return read;
}

int fuzz_partitions(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct partition_list list = {0};
    char *text = input_rest(&input), name[PARTITION_NAME];
    bool read = !partition_list_add(&list, text, NULL);
    for (int k = 0; k < list.count; k++) {
        const struct partition_choice *one = &list.choices[k];
        struct partition_choice again = {0};
        struct error error = {0};
        partition_choice_name(one, name, sizeof name);
        if (strlen(name) + 1 == sizeof name) continue; /* cut */
        if (partition_choice_read(name, &again, &error)) fuzz_wrong("%s: %s", name, error.message);
        if (again.partitioner != one->partitioner ||
            !parameters_same(one->partitioner->parameters, &again.values, &one->values))
            fuzz_wrong("'%s' is another partition than '%s'", name, text);
        partition_choice_free(&again);
    }
    partition_list_free(&list);
    free(text);
    return read;
}

/* --- lines of words --- */

#define WORDS 16

struct words {
    int count;
    char *word[WORDS + 2];
};

/* Take words, one on each line, behind `first`, unless that is NULL. */
static struct words take_words(const char *first, const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct words words = {0};
    if (first) words.word[words.count++] = strdup(first);
    do
        words.word[words.count++] = input_text(&input, '\n');
    while (input.left && words.count <= WORDS);
    return words;
}

static void free_words(struct words *words)
{
    for (int k = 0; k < words->count; k++)
        free(words->word[k]);
}

/* A command line. */
int fuzz_options(const uint8_t *data, size_t size)
{
    struct words words = take_words("sparsight", data, size), all = words;
    struct options options;
    struct error error = {0};
    memory_file_set("", 0, false);
    /* getopt forgets the words that it was at. */
    optind = 0;
    getopt(1, words.word, "");
    enum status status = options_parse(words.count, words.word, &options, &error);
    if (status && !error.message[0]) fuzz_wrong("an error says nothing");
    options_free(&options);
    free_words(&all);
    return !status;
}

/* The possible next words of a command line. Candidates are lines. */
int fuzz_words(const uint8_t *data, size_t size)
{
    struct words words = take_words(NULL, data, size);
    struct text text = {0};
    completion_words(words.count, words.word, &text);
    if (text.length && text.data[text.length - 1] != '\n') fuzz_wrong("half a line");
    bool any = text.length > 0;
    text_free(&text);
    free_words(&words);
    return any;
}

/* A file that lists the inputs of a survey. */
int fuzz_inputs(const uint8_t *data, size_t size)
{
    static char *none[] = {NULL};
    const struct options options = {.command = COMMAND_SURVEY, .list = MEMORY_FILE, .operands = none};
    struct survey_inputs inputs = {0};
    memory_file_set(data, size, false);
    enum status status = inputs_list(&options, &inputs, NULL);
    for (int k = 0; k < inputs.count; k++)
        if (!inputs.items[k].name) fuzz_wrong("input %d has no name", k);
    inputs_free(&inputs);
    return !status;
}
