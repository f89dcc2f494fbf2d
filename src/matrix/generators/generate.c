#include "matrix/generators/generate.h"

#include <stdio.h>
#include <string.h>

#include "base/guess.h"
#include "base/memory.h"
#include "matrix/generators/recipe.h"

/* Approximate number of entries of a block of rows. */
#define ENTRIES_PER_BLOCK 65536

#define GENERATOR(name) extern const struct generator generator_##name;
#include "matrix/generators/generators.def"
#undef GENERATOR

const struct generator *const generators[] = {
#define GENERATOR(name) &generator_##name,
#include "matrix/generators/generators.def"
#undef GENERATOR
    NULL,
};

const struct generator *generator_find(const char *name)
{
    for (int k = 0; generators[k]; k++)
        if (strcmp(generators[k]->name, name) == 0) return generators[k];
    return NULL;
}

void generator_describe(const struct generator *generator, struct text *text)
{
    text_append(text, "%s  %s\n", generator->name, generator->summary);
    parameters_describe(generator->parameters, text);
    if (generator->source[0]) text_append(text, "    source: %s\n", generator->source);
}

/* Reading a specification */

static const char *generator_name(int k)
{
    return generators[k] ? generators[k]->name : NULL;
}

static enum status read_specification(const char *specification, struct recipe *recipe, struct error *error)
{
    size_t length = strcspn(specification, ",");
    for (int k = 0; generators[k]; k++)
        if (strlen(generators[k]->name) == length && memcmp(generators[k]->name, specification, length) == 0)
            recipe->generator = generators[k];
    if (!recipe->generator)
        return guess_refuse("no generator is called", specification, length, generator_name, error);
    const char *rest = specification + length;
    return parameters_read(recipe->generator->name, recipe->generator->parameters,
                           rest[0] && rest[1] ? rest + 1 : rest, &recipe->values, error);
}

/* Producing the entries */

/* A recipe as a source of entries (matrix/build.h). Unless the generator has blocks of its own, block k is
 * rows k * rows_per_block and so on. */
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

static enum status check_size(const struct recipe *recipe, struct error *error)
{
    static const char what[] = "the matrix";
    if (recipe->rows > INT32_MAX || recipe->cols > INT32_MAX)
        return error_set(error, STATUS_LIMIT,
                         "%s would have %s%lld rows and %s%lld columns; %d is the maximum", what,
                         recipe->rows == INT64_MAX ? "over " : "", (long long)recipe->rows,
                         recipe->cols == INT64_MAX ? "over " : "", (long long)recipe->cols, INT32_MAX);
    const struct source source = {.rows = recipe->rows,
                                  .cols = recipe->cols,
                                  .complex = recipe->complex,
                                  .limit = recipe->options->limit,
                                  .beside = recipe->options->beside,
                                  .taker = recipe->options->taker,
                                  .builder = recipe->options->builder};
    return matrix_check(&source, recipe->entries, 0, error);
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
        .pattern = recipe->field == FIELD_PATTERN,
        .symmetry = SYMMETRY_GENERAL,
        .duplicates = recipe->repeats ? DUPLICATES_KEEP : DUPLICATES_SUM,
        .limit = recipe->options->limit,
        .beside = recipe->options->beside,
        .taker = recipe->options->taker,
        .glimpse = recipe->options->glimpse,
        .builder = recipe->options->builder,
        .path = matrix->name,
        .self = &production,
        .block = produce_block,
    };
    enum status status = build_csr(&source, recipe->progress, &matrix->csr, &result, error);
    matrix->field = recipe->field;
    matrix->symmetry = SYMMETRY_GENERAL;
    matrix->format = "generated";
    matrix->coordinate = true;
    matrix->stored = source_streams(&source) ? result.stored : csr_nnz(&matrix->csr);
    return status;
}

static enum status follow(struct recipe *recipe, const char *specification, struct matrix *matrix,
                          struct error *error)
{
    enum status status = read_specification(specification, recipe, error);
    if (status != STATUS_OK) return status;
    status = recipe->generator->plan(recipe, error);
    if (status != STATUS_OK) return status;
    status = check_size(recipe, error);
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
    parameters_free(&recipe.values);
    return status;
}
