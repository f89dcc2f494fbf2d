/* The words of --solve. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/solvers/preconditioner.h"
#include "analysis/solvers/solver.h"
#include "base/parameters.h"

enum { TOLERANCE, MOST, RESTART, BLOCK, SHIFT, EXACT, SEED, REFINE };

static const char *const exact_words[] = {"random", "ones", NULL};

const struct parameter solver_parameters[] = {
    [TOLERANCE] = {"tol", "end when ||r|| <= tol ||b||", 1e-15, 0.1, 1e-8, .type = PARAMETER_REAL},
    [MOST] = {"max", "iterations at most", 1, 1e6, 1000, .type = PARAMETER_INTEGER},
    [RESTART] = {"restart", "steps of GMRES before it starts again", 1, 500, 30, .type = PARAMETER_INTEGER},
    [BLOCK] = {"block", "rows of a block of block Jacobi", 1, 256, 8, .type = PARAMETER_INTEGER},
    [SHIFT] = {"shift", "increase of the pivots of ILU(0) and IC(0), as a share of the row's largest |a|", 0,
               10, 0, .type = PARAMETER_REAL},
    [EXACT] = {"x", "the solution that b is made of: random numbers, or ones", .type = PARAMETER_WORD,
               .words = exact_words},
    [SEED] = SEED_OF("this solution"),
    [REFINE] = {"refine", "solve with the matrix in f32 inside iterative refinement, too", 0, 1, 0,
                .type = PARAMETER_YES_NO},
    {0},
};

static void take(const struct parameter_values *values, struct solver_options *options)
{
    options->tolerance = values->number[TOLERANCE];
    options->most = (int64_t)values->number[MOST];
    options->restart = (int)values->number[RESTART];
    options->block = (int)values->number[BLOCK];
    options->shift = values->number[SHIFT];
    options->ones = values->number[EXACT] == 1;
    options->seed = (int64_t)values->number[SEED];
    options->refine = values->number[REFINE] == 1;
}

struct solver_options solver_options_standard(void)
{
    struct solver_options options = {0};
    solver_options_read("", &options, NULL);
    return options;
}

const char *solver_options_word(int k)
{
    if (k < SOLVER_METHODS) return solver_methods[k]->name;
    return k < SOLVER_METHODS + PRECONDITIONERS ? preconditioners[k - SOLVER_METHODS]->name : NULL;
}

/* Take a name of `length` bytes. */
static bool take_name(const char *name, size_t length, struct solver_options *options)
{
    for (int k = 0; solver_options_word(k); k++) {
        const char *word = solver_options_word(k);
        if (strlen(word) != length || strncmp(word, name, length) != 0) continue;
        if (k < SOLVER_METHODS)
            options->methods |= 1u << k;
        else
            options->preconditioners |= 1u << (k - SOLVER_METHODS);
        return true;
    }
    return false;
}

static enum status refuse_name(const char *name, size_t length, struct error *error)
{
    char list[256] = "";
    for (int k = 0; solver_options_word(k); k++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", solver_options_word(k));
    }
    return error_set(error, STATUS_USAGE, "'%.*s' is neither a method nor a preconditioner: %s", (int)length,
                     name, list);
}

enum status solver_options_read(const char *text, struct solver_options *options, struct error *error)
{
    struct parameter_values values = {0};
    struct text numbers = {0};
    enum status status = STATUS_OK;
    *options = (struct solver_options){0};
    for (const char *word = text; *word && status == STATUS_OK;) {
        const size_t length = strcspn(word, ",");
        if (memchr(word, '=', length))
            text_append(&numbers, "%s%.*s", numbers.length ? "," : "", (int)length, word);
        else if (!take_name(word, length, options))
            status = refuse_name(word, length, error);
        word += length + (word[length] == ',');
    }
    if (status == STATUS_OK && numbers.failed) status = error_set(error, STATUS_MEMORY, "out of memory");
    if (status == STATUS_OK)
        status =
            parameters_read("solve", solver_parameters, numbers.data ? numbers.data : "", &values, error);
    if (status == STATUS_OK) take(&values, options);
    if (!options->methods) options->methods = (1u << SOLVER_METHODS) - 1;
    if (!options->preconditioners) options->preconditioners = (1u << PRECONDITIONERS) - 1;
    parameters_free(&values);
    text_free(&numbers);
    return status;
}
