/* The offers for the word that is being typed, from the tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/parts/partition.h"
#include "command/command.h"
#include "command/completion/words.h"
#include "formats/format.h"
#include "kernels/gpu/profile.h"
#include "kernels/kernel.h"
#include "matrix/files/reader.h"
#include "matrix/generators/generate.h"
#include "matrix/orders/order.h"
#include "report/figures/figure.h"

#define WORDS 8

/* Split `line` at blanks, as a shell does, and return the offers for the last word, which may be "". The
 * caller frees it. */
static char *offered(const char *line)
{
    char copy[512], *words[WORDS];
    int count = 0;
    struct text text = {0};
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = copy; word; count++) {
        char *blank = strchr(word, ' ');
        if (blank) *blank = 0;
        assert_in_range(count, 0, WORDS - 1);
        words[count] = word;
        word = blank ? blank + 1 : NULL;
    }
    completion_words(count, words, &text);
    assert_false(text.failed);
    return text.data ? text.data : strdup("");
}

/* Return whether a line of `text` is the word, alone or with a tab behind it. */
static bool has(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, word, length) == 0 && (line[length] == '\n' || line[length] == '\t')) return true;
    return false;
}

static void want(const char *line, const char *word)
{
    char *text = offered(line);
    if (!has(text, word)) fail_msg("'%s' is not offered for '%s', but\n%s", word, line, text);
    free(text);
}

static void want_not(const char *line, const char *word)
{
    char *text = offered(line);
    if (has(text, word)) fail_msg("'%s' is offered for '%s'", word, line);
    free(text);
}

/* The offers must be exactly these lines. */
static void want_alone(const char *line, const char *lines)
{
    char *text = offered(line);
    assert_string_equal(text, lines);
    free(text);
}

static void every_argument_of_an_option_is_known(void **state)
{
    for (const struct option_row *row = option_rows; row->name; row++)
        if (!completion_knows(row))
            fail_msg("--%s=%s has no `offer` in src/command/options_table.c", row->name, row->argument);
    assert_false(completion_knows(&(struct option_row){.name = "new", .argument = "THING"}));
}

static void every_command_and_option_is_offered(void **state)
{
    char line[128], word[128];
    for (int k = 0; commands[k]; k++) {
        if (commands[k]->name[0]) want("", commands[k]->name);
        for (const struct option_row *row = option_rows; row->name; row++) {
            snprintf(line, sizeof line, "%s%s--", commands[k]->name, commands[k]->name[0] ? " " : "");
            snprintf(word, sizeof word, "--%s%s", row->name, row->argument ? "=" : "");
            if (row->commands & commands[k]->id) want(line, word);
        }
    }
    want_not("gen --", "--kernels=");
    want("report --tune", "--tune");
    want("report -", "-o");
}

static void every_entry_of_the_tables_is_offered(void **state)
{
    char word[256];
    for (int k = 0; formats[k]; k++) {
        snprintf(word, sizeof word, "--convert=%s", formats[k]->name);
        want("report --convert=", word);
    }
    for (int k = 0; kernels[k]; k++) {
        snprintf(word, sizeof word, "--kernels=%s/%s", kernels[k]->backend->name, kernels[k]->name);
        want("report --kernels=", word);
    }
    for (int k = 0; orders[k]; k++) {
        snprintf(word, sizeof word, "--reorder=%s", orders[k]->name);
        want("--reorder=", word);
    }
    for (int k = 0; readers[k]; k++) {
        snprintf(word, sizeof word, "--from=%s", readers[k]->name);
        want("convert --from=", word);
        for (const struct reader_kind *kind = readers[k]->kinds; kind && kind->name; kind++) {
            snprintf(word, sizeof word, "--from=%s:%s", readers[k]->name, kind->name);
            want("convert --from=", word);
        }
        snprintf(word, sizeof word, "--to=%s", readers[k]->name);
        if (readers[k]->write)
            want("convert --to=", word);
        else
            want_not("convert --to=", word);
    }
    for (int k = 0; figures[k]; k++)
        want("plot ", figures[k]->name);
    for (int k = 0; partitioners[k]; k++) {
        snprintf(word, sizeof word, "--partition=%s", partitioners[k]->name);
        want("report --partition=", word);
    }
    for (int k = 0; generators[k]; k++)
        want("gen ", generators[k]->name);
    want("learn --", "--ascii");
    want("kernels --gpu=", "--gpu=" GPU_STANDARD);
}

static void parameters_and_their_values_are_offered(void **state)
{
    want("report --kernels=cuda/cmrs:", "--kernels=cuda/cmrs:height=");
    want("report --kernels=cuda/cmrs:", "--kernels=cuda/cmrs:block=");
    want_alone("report --kernels=cuda/cmrs:packed=",
               "--kernels=cuda/cmrs:packed=0\n--kernels=cuda/cmrs:packed=1\n"
               "--kernels=cuda/cmrs:packed=*\tevery value\n");
    /* After the parameters, further ones or another kernel are offered. */
    want("report --kernels=cuda/cmrs:packed=1,", "--kernels=cuda/cmrs:packed=1,height=");
    want("report --kernels=cuda/cmrs:packed=1,", "--kernels=cuda/cmrs:packed=1,cpu/csr-seq");
    want("report --kernels=cuda/cmrs:packed=1,sorted=", "--kernels=cuda/cmrs:packed=1,sorted=1");
    want_not("report --kernels=cpu/csr-seq,", "--kernels=cpu/csr-seq,height=");
    /* Kernels go without their backend, too. */
    want("report --kernels=csr-v", "--kernels=csr-vector");
    want("report --kernels=csr-vector:", "--kernels=csr-vector:threads=");
    want_alone("report --arrays=ell:layout=r", "--arrays=ell:layout=rows\n");
    want_not("report --arrays=ell:layout=", "--arrays=ell:layout=*");
    want("report --reorder=rcm:", "--reorder=rcm:apply=");
    want("report --network=latency=5,", "--network=latency=5,bandwidth=");
    want("report --network=latency=5,latency=6,ba", "--network=latency=5,latency=6,bandwidth=");
    want_alone("--network=bandwidth=", "--network=bandwidth=12\tthe default\n");
    want("gen laplace2d,", "laplace2d,n=");
    want("report gen:lapl", "gen:laplace2d");
    want("report gen:laplace2d,", "gen:laplace2d,n=");
    want("report gen:random,m=5,n=7,", "gen:random,m=5,n=7,mean=");
    want("report gen:random,m=5,n=7,me", "gen:random,m=5,n=7,mean=");
    want("report --kernels=cuda/cmrs:packed=1,height=8,bl", "--kernels=cuda/cmrs:packed=1,height=8,block=");
}

static void arguments_may_be_words_of_their_own(void **state)
{
    want_alone("report --format js", "json\tone JSON document with every number, the machine and the errors\n"
                                     "jsonl\tJSON, one matrix per line; errors as {\"error\": {...}}\n");
    want_alone("report --product=", "--product=A\n--product=At\n");
    want_alone("--background li", "light\n");
    want_alone("completion ", "bash\nzsh\nfish\n");
    /* One layout is drawn; several are converted. */
    want_not("plot --storage=", "--storage=all");
    want("report --convert=", "--convert=all");
    /* The picture, the first word, may be omitted. */
    want("plot ", "gen:");
    want("plot rows gen:arr", "gen:arrow");
    want_not("plot rows ", "rows");
    want_alone("report --repeat=", "");
    want_alone("report --nonsense=", "");
    want_not("report -- --", "--format=");
    /* An option without an argument is offered without =, and an optional argument stands behind =. */
    want("report --cold gen:laplace2", "gen:laplace2d");
    want("report --tune gen:laplace2", "gen:laplace2d");
    want_not("report --repeat gen:laplace2", "gen:laplace2d");
    want_alone("report --protocol c", "cranfield\ncmrs\n");
}

static void nothing_is_offered_for_no_words(void **state)
{
    struct text text = {0};
    completion_words(0, NULL, &text);
    assert_null(text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_argument_of_an_option_is_known),
        cmocka_unit_test(every_command_and_option_is_offered),
        cmocka_unit_test(every_entry_of_the_tables_is_offered),
        cmocka_unit_test(parameters_and_their_values_are_offered),
        cmocka_unit_test(arguments_may_be_words_of_their_own),
        cmocka_unit_test(nothing_is_offered_for_no_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
