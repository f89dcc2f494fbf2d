#include "matrix/generate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/generators/recipe.h"

/* How many entries a block of rows should hold. */
#define ENTRIES_PER_BLOCK 65536

const struct generator *const generators[] = {
    &generator_laplace2d, &generator_laplace3d,
    &generator_stencil27, &generator_dissection,
    &generator_banded,    &generator_arrow,
    &generator_dense,     &generator_random,
    &generator_blocks,    &generator_permutation,
    &generator_powerlaw,  &generator_tile,
    &generator_mosaic,    NULL,
};

const struct generator *generator_find(const char *name)
{
    for (int k = 0; generators[k]; k++)
        if (strcmp(generators[k]->name, name) == 0) return generators[k];
    return NULL;
}

/* Numbers as people write them: 0.57, 1000, 2147483647. */
static void write_number(char *out, size_t size, double number)
{
    if (number == floor(number) && fabs(number) < 1e16)
        snprintf(out, size, "%.0f", number);
    else
        snprintf(out, size, "%g", number);
}

char *generator_default(const struct generator_parameter *parameter, char *out, size_t size)
{
    if (parameter->text)
        snprintf(out, size, "%s", "");
    else if (parameter->like)
        snprintf(out, size, "as %s", parameter->like);
    else
        write_number(out, size, parameter->standard);
    return out;
}

char *generator_range(const struct generator_parameter *parameter, char *out, size_t size)
{
    char least[24], most[24];
    write_number(least, sizeof least, parameter->least);
    write_number(most, sizeof most, parameter->most);
    if (parameter->text)
        snprintf(out, size, "text");
    else
        snprintf(out, size, "%s..%s", least, most);
    return out;
}

void generator_describe(const struct generator *generator, struct text *text)
{
    text_append(text, "%s  %s\n", generator->name, generator->summary);
    for (const struct generator_parameter *p = generator->parameters; p->name; p++) {
        char range[64], standard[64];
        generator_range(p, range, sizeof range);
        generator_default(p, standard, sizeof standard);
        text_append(text, "    %-7s %s (%s%s%s)\n", p->name, p->help, range, standard[0] ? ", default " : "",
                    standard);
    }
    if (generator->source[0]) text_append(text, "    source: %s\n", generator->source);
}

/* Reading a specification */

/* Append "a, b, c" to text, cut off where it is full. */
static void append_name(char *text, size_t size, const char *name)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length ? ", " : "", name);
}

static enum status unknown_generator(const char *name, size_t length, struct error *error)
{
    char names[400] = "";
    for (int k = 0; generators[k]; k++)
        append_name(names, sizeof names, generators[k]->name);
    return error_set(error, STATUS_USAGE, "no generator is called '%.*s'; there are %s",
                     length < 40 ? (int)length : 40, name, names);
}

static enum status unknown_parameter(const struct generator *generator, const char *name, size_t length,
                                     struct error *error)
{
    char names[400] = "";
    for (const struct generator_parameter *p = generator->parameters; p->name; p++)
        append_name(names, sizeof names, p->name);
    return error_set(error, STATUS_USAGE, "%s has no parameter '%.*s'; it has %s", generator->name,
                     length < 40 ? (int)length : 40, name, names);
}

/* The parameter whose name is text[0..length-1], or -1. */
static int parameter_find(const struct generator *generator, const char *text, size_t length)
{
    for (int k = 0; generator->parameters[k].name; k++)
        if (strlen(generator->parameters[k].name) == length &&
            memcmp(generator->parameters[k].name, text, length) == 0)
            return k;
    return -1;
}

/* Where a value ends: at a comma, or for text at a comma before a parameter of the generator. */
static const char *value_end(const struct generator *generator, int k, const char *value)
{
    const char *end = value + strcspn(value, ",");
    while (generator->parameters[k].text && *end) {
        size_t name = strcspn(end + 1, ",=");
        if (end[1 + name] == '=' && parameter_find(generator, end + 1, name) >= 0) break;
        end += 1 + strcspn(end + 1, ",");
    }
    return end;
}

static enum status read_number(struct recipe *recipe, int k, const char *value, size_t length,
                               struct error *error)
{
    const struct generator_parameter *p = &recipe->generator->parameters[k];
    char text[64], range[64], *end;
    snprintf(text, sizeof text, "%.*s", length < 40 ? (int)length : 40, value);
    double number = strtod(text, &end);
    if (length == 0 || length >= 40 || *end || !isfinite(number))
        return error_set(error, STATUS_USAGE, "%s=%s is not a number", p->name, text);
    if (p->integer && number != floor(number))
        return error_set(error, STATUS_USAGE, "%s=%s is not a whole number", p->name, text);
    if (number < p->least || number > p->most)
        return error_set(error, STATUS_USAGE, "%s=%s lies outside %s", p->name, text,
                         generator_range(p, range, sizeof range));
    recipe->number[k] = number;
    return STATUS_OK;
}

static enum status read_text(struct recipe *recipe, int k, const char *value, size_t length,
                             struct error *error)
{
    if (length == 0)
        return error_set(error, STATUS_USAGE, "%s= names nothing", recipe->generator->parameters[k].name);
    recipe->text = memory_array(length + 1, 1, error);
    if (!recipe->text) return STATUS_MEMORY;
    memcpy(recipe->text, value, length);
    recipe->text[length] = 0;
    return STATUS_OK;
}

/* Read "name=value" at `at`; *next is where the comma after it is, or the end. */
static enum status read_parameter(struct recipe *recipe, const char *at, const char **next,
                                  struct error *error)
{
    const struct generator *generator = recipe->generator;
    size_t name = strcspn(at, ",=");
    int k = parameter_find(generator, at, name);
    if (k < 0) return unknown_parameter(generator, at, name, error);
    if (at[name] != '=')
        return error_set(error, STATUS_USAGE, "%s needs a value: %s=...", generator->parameters[k].name,
                         generator->parameters[k].name);
    if (recipe->given[k])
        return error_set(error, STATUS_USAGE, "%s is given twice", generator->parameters[k].name);
    recipe->given[k] = true;
    const char *value = at + name + 1;
    *next = value_end(generator, k, value);
    size_t length = (size_t)(*next - value);
    return generator->parameters[k].text ? read_text(recipe, k, value, length, error)
                                         : read_number(recipe, k, value, length, error);
}

static void fill_in_defaults(struct recipe *recipe)
{
    const struct generator_parameter *p = recipe->generator->parameters;
    for (int k = 0; p[k].name; k++) {
        if (recipe->given[k]) continue;
        recipe->number[k] =
            p[k].like ? recipe->number[parameter_find(recipe->generator, p[k].like, strlen(p[k].like))]
                      : p[k].standard;
    }
}

static enum status read_specification(const char *specification, struct recipe *recipe, struct error *error)
{
    size_t length = strcspn(specification, ",");
    for (int k = 0; generators[k]; k++)
        if (strlen(generators[k]->name) == length && memcmp(generators[k]->name, specification, length) == 0)
            recipe->generator = generators[k];
    if (!recipe->generator) return unknown_generator(specification, length, error);
    for (const char *at = specification + length; *at;) {
        enum status status = read_parameter(recipe, at + 1, &at, error);
        if (status != STATUS_OK) return status;
    }
    fill_in_defaults(recipe);
    return STATUS_OK;
}

/* Producing the entries */

/* A recipe as a source of entries: rows in groups that hold about as many entries each. */
struct production {
    const struct recipe *recipe;
    int64_t rows_per_block;
};

static enum status produce_block(void *self, int64_t k, struct sink *sink, struct error *error)
{
    const struct production *production = self;
    const struct recipe *recipe = production->recipe;
    if (recipe->generator->block) {
        recipe->generator->block(recipe, k, sink);
        return STATUS_OK;
    }
    void *scratch = recipe->scratch ? memory_array(recipe->scratch, 1, error) : NULL;
    if (recipe->scratch && !scratch) return STATUS_MEMORY;
    int64_t first = k * production->rows_per_block, end = first + production->rows_per_block;
    for (int64_t i = first; i < end && i < recipe->rows; i++)
        recipe->generator->row(recipe, i, scratch, sink);
    free(scratch);
    return STATUS_OK;
}

static int64_t rows_per_block(const struct recipe *recipe)
{
    double mean = (double)recipe->entries / (double)(recipe->rows ? recipe->rows : 1);
    double rows = ENTRIES_PER_BLOCK / (mean > 1 ? mean : 1);
    return rows < 1 ? 1 : (int64_t)rows;
}

static enum status check_size(const struct recipe *recipe, size_t limit, struct error *error)
{
    static const char what[] = "the matrix";
    if (recipe->rows > INT32_MAX || recipe->cols > INT32_MAX)
        return error_set(error, STATUS_LIMIT, "%s would have %s%lld rows and %s%lld columns; %d is the most",
                         what, recipe->rows == INT64_MAX ? "over " : "", (long long)recipe->rows,
                         recipe->cols == INT64_MAX ? "over " : "", (long long)recipe->cols, INT32_MAX);
    return memory_check(csr_bytes(recipe->rows, recipe->entries, recipe->complex), limit, what, error);
}

static enum status build(const struct recipe *recipe, struct matrix *matrix, struct error *error)
{
    struct production production = {recipe, rows_per_block(recipe)};
    struct build_result result;
    struct source source = {
        .rows = recipe->rows,
        .cols = recipe->cols,
        .blocks = recipe->generator->block
                      ? recipe->blocks
                      : (recipe->rows + production.rows_per_block - 1) / production.rows_per_block,
        .complex = recipe->complex,
        .symmetry = SYMMETRY_GENERAL,
        .duplicates = recipe->repeats ? DUPLICATES_KEEP : DUPLICATES_SUM,
        .limit = recipe->options->limit,
        .path = matrix->name,
        .self = &production,
        .block = produce_block,
    };
    enum status status = build_csr(&source, recipe->progress, &matrix->csr, &result, error);
    matrix->field = recipe->field;
    matrix->symmetry = SYMMETRY_GENERAL;
    matrix->coordinate = true;
    matrix->stored = csr_nnz(&matrix->csr);
    return status;
}

static enum status follow(struct recipe *recipe, const char *specification, struct matrix *matrix,
                          struct error *error)
{
    enum status status = read_specification(specification, recipe, error);
    if (status != STATUS_OK) return status;
    status = recipe->generator->plan(recipe, error);
    if (status != STATUS_OK) return status;
    status = check_size(recipe, recipe->options->limit, error);
    if (status != STATUS_OK) return status;
    matrix->name = memory_string(specification, error);
    return matrix->name ? build(recipe, matrix, error) : STATUS_MEMORY;
}

enum status generate_matrix(const char *specification, const struct load_options *options,
                            struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct recipe recipe = {.options = options, .progress = progress};
    enum status status = follow(&recipe, specification, matrix, error);
    if (recipe.generator && recipe.generator->release) recipe.generator->release(&recipe);
    free(recipe.text);
    return status;
}
