/* The command line: results of parsing that the program's output does not show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "command/options.h"
#include "command/options_table.h"

/* Parse the command line of a report with one more word. */
static void parse(const char *word, struct options *options)
{
    char *argv[] = {"sparsight", "report", "--kernels=csr-seq", (char *)word, "a.mtx", NULL};
    struct error error = {0};
    if (options_parse(5, argv, options, &error) != STATUS_OK) fail_msg("%s: %s", word, error.message);
    assert_int_equal(options->operand_count, 1);
    assert_string_equal(options->operands[0], "a.mtx");
}

/* A stored 0 leaves the number of warm-up runs to the protocol. --warmup=0 is stored as -1. */
static void none_is_another_number_of_warm_ups_than_the_usual(void **state)
{
    static const struct {
        const char *word;
        int warmup;
    } cases[] = {{"--cold", 0}, {"--warmup=0", -1}, {"--warmup=1", 1}, {"--warmup=25", 25}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct options options;
        parse(cases[k].word, &options);
        assert_int_equal(options.request.timing.warmup, cases[k].warmup);
        options_free(&options);
    }
}

/* A size of a picture is two numbers, and nothing else. */
static void sizes_are_two_numbers_alone(void **state)
{
    static const char *const wrong[] = {"1200x900x", "1200x900 ", "1200x900px", "1200x900x2",
                                        "1200x",     "x900",      "1200",       "1200,900",
                                        "15x900",    "1200x15",   "",           "-16x900"};
    const struct option_row *size = option_find(COMMAND_PLOT, "size", 4),
                            *at = option_find(COMMAND_PLOT, "at", 2);
    struct options options = {0};
    assert_int_equal(size->read(size, "1200x900", &options, NULL), STATUS_OK);
    assert_true(options.size[0] == 1200 && options.size[1] == 900);
    assert_int_equal(size->read(size, "16x17", &options, NULL), STATUS_OK);
    assert_true(options.size[0] == 16 && options.size[1] == 17);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct error error = {0};
        if (size->read(size, wrong[k], &options, &error) != STATUS_USAGE) fail_msg("'%s' is taken", wrong[k]);
        assert_non_null(strstr(error.message, "as 1200x900"));
    }
    assert_int_equal(at->read(at, "12,7", &options, NULL), STATUS_OK);
    assert_true(options.at[0] == 11 && options.at[1] == 6);
    assert_int_equal(at->read(at, "12,7,", &options, NULL), STATUS_USAGE);
    assert_int_equal(at->read(at, "0,7", &options, NULL), STATUS_USAGE);
}

/* The effect of a word on a command line. */
#define AT(field) offsetof(struct options, field)
enum stored { FLAG, INT, SIZE, INT64, UINT64, REAL, STRING };

struct taken {
    const char *command, *word;
    enum stored stored;
    size_t field;
    double value; /* for strings: 1 if the field is the text after '=' */
};

/* Return the number in the field. */
static double number_in(const struct options *options, const struct taken *taken)
{
    const void *field = (const char *)options + taken->field;
    switch (taken->stored) {
    case FLAG:
        return *(const bool *)field;
    case INT:
        return *(const int *)field;
    case SIZE:
        return (double)*(const size_t *)field;
    case INT64:
        return (double)*(const int64_t *)field;
    case UINT64:
        return (double)*(const uint64_t *)field;
    case REAL:
        return *(const double *)field;
    default:
        break;
    }
    const char *text = *(const char *const *)field;
    return text && strcmp(text, strchr(taken->word, '=') + 1) == 0;
}

/* Parse the line of a command: one word, and the required arguments of every command; the explorer's is
 * "". */
static enum status parse_line(const char *command, const char *word, struct options *options,
                              struct error *error)
{
    static char operand[16];
    char *argv[6] = {"sparsight"};
    int count = 1;
    strcpy(operand, strcmp(command, "gen") == 0 ? "laplace2d,n=3" : "a.mtx");
    if (command[0]) argv[count++] = (char *)command;
    argv[count++] = (char *)word;
    if (!command[0]) argv[count++] = "--no-config";
    if (strcmp(command, "plot") == 0) argv[count++] = "pattern";
    if (strcmp(command, "kernels") != 0) argv[count++] = operand;
    return options_parse(count, argv, options, error);
}

static void words_set_fields(void **state)
{
    static const struct taken cases[] = {
        {"report", "--repeat=1", INT, AT(request.timing.repeat), 1},
        {"report", "--repeat=100000", INT, AT(request.timing.repeat), 100000},
        {"report", "--repeat=7", REAL, AT(request.timing.min_seconds), 1e-9},
        {"report", "--cold", FLAG, AT(request.timing.cold), 1},
        {"report", "--accumulate", FLAG, AT(request.timing.product.accumulate), 1},
        {"report", "--product=A", FLAG, AT(request.timing.product.transposed), 0},
        {"report", "--product=At", FLAG, AT(request.timing.product.transposed), 1},
        {"report", "--columns=64", INT, AT(request.timing.product.columns), 64},
        {"report", "--seed=9223372036854775807", UINT64, AT(request.timing.seed), 9223372036854775807.},
        {"report", "--seed=1", UINT64, AT(request.timing.seed), 1},
        {"report", "--device=0", FLAG, AT(device_named), 1},
        {"report", "--device=1023", INT, AT(request.timing.device), 1023},
        {"report", "--protocol=cmrs", INT, AT(request.timing.protocol), PROTOCOL_CMRS},
        {"report", "--protocol=cranfield", INT, AT(request.timing.protocol), PROTOCOL_CRANFIELD},
        {"report", "--precision=f32", FLAG, AT(request.f64), 0},
        {"report", "--precision=c32", FLAG, AT(request.f32), 1},
        {"report", "--precision=f32,c64", FLAG, AT(request.f64), 1},
        {"report", "--precision=f64,f32", FLAG, AT(request.f32), 1},
        {"", "--precision=f32", FLAG, AT(request.f32), 1},
        {"", "--precision=f32", FLAG, AT(request.f64), 0},
        {"", "--precision=f64", FLAG, AT(request.f64), 1},
        {"report", "--carry=0", INT64, AT(request.carry), 0},
        {"report", "--carry=2K", INT64, AT(request.carry), 2048},
        {"report", "--carry=0", FLAG, AT(carried), 1},
        {"report", "--sample=10%", REAL, AT(request.sample), 0.1},
        {"report", "--sample=0.25", REAL, AT(request.sample), 0.25},
        {"report", "--sample=1", REAL, AT(request.sample), 1},
        {"report", "--structure", FLAG, AT(request.structure), 1},
        {"report", "--threads=3", INT, AT(threads), 3},
        {"report", "--threads=1,3,2", INT, AT(threads), 3},
        {"convert", "--threads=2", INT, AT(threads), 2},
        {"report", "--limit=1", SIZE, AT(load.limit), 1},
        {"report", "--limit=4096", SIZE, AT(load.limit), 4096},
        {"report", "--limit=512K", SIZE, AT(load.limit), 524288},
        {"report", "--limit=3MiB", SIZE, AT(load.limit), 3145728},
        {"report", "--limit=2g", SIZE, AT(load.limit), 2147483648.},
        {"report", "--limit=1Tib", SIZE, AT(load.limit), 1099511627776.},
        {"report", "--limit=16777215T", SIZE, AT(load.limit), 16777215. * 1099511627776.},
        {"report", "--drop-zeros", FLAG, AT(load.drop_zeros), 1},
        {"report", "--transpose", FLAG, AT(load.transpose), 1},
        {"report", "--lenient", FLAG, AT(load.lenient), 1},
        {"report", "--names", FLAG, AT(load.names), 1},
        {"report", "--stream", FLAG, AT(load.stream), 1},
        {"report", "--base=0", FLAG, AT(load.from_zero), 1},
        {"report", "--base=0", FLAG, AT(load.from_one), 0},
        {"report", "--base=1", FLAG, AT(load.from_one), 1},
        {"report", "--base=1", FLAG, AT(load.from_zero), 0},
        {"report", "--output=b.txt", STRING, AT(output), 1},
        {"report", "--network=latency=3,bandwidth=4", FLAG, AT(request.distribution.networked), 1},
        {"gen", "--output=b.mtx", STRING, AT(output), 1},
        {"plot", "--by=count", INT, AT(by), 0},
        {"plot", "--by=sign", INT, AT(by), 2},
        {"plot", "--format=svg", STRING, AT(form), 1},
        {"plot", "--size=16x10000", INT, AT(size[1]), 10000},
        {"plot", "--ascii", FLAG, AT(ascii), 1},
        {"survey", "--jobs=1024", INT, AT(jobs), 1024},
        {"survey", "--limit=1M", SIZE, AT(load.limit), 1048576},
        {"compare", "--threshold=0", REAL, AT(threshold), 0},
        {"compare", "--threshold=25%", REAL, AT(threshold), 0.25},
        {"compare", "--threshold=1000", REAL, AT(threshold), 1000},
        {"", "--no-mouse", FLAG, AT(no_mouse), 1},
        {"", "--no-config", FLAG, AT(no_config), 1},
        {"", "--background=dark", INT, AT(background), BACKGROUND_DARK},
        {"", "--graphics=none", INT, AT(graphics), GRAPHICS_NONE},
        {"kernels", "--calibrate", FLAG, AT(calibrate), 1},
        {"kernels", "--repeat=3", INT, AT(calibrations), 3},
        {"report", "--repeat=4", INT, AT(request.timing.repeat), 4},
        {"gen", "--help", FLAG, AT(help), 1},
        {"gen", "--list", FLAG, AT(help), 1},
        {"gen", "-h", FLAG, AT(help), 1},
        {"gen", "--version", FLAG, AT(version), 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct options options;
        struct error error = {0};
        parse_line(cases[k].command, cases[k].word, &options, &error);
        if (number_in(&options, &cases[k]) != cases[k].value)
            fail_msg("%s %s: %g, not %g; %s", cases[k].command, cases[k].word, number_in(&options, &cases[k]),
                     cases[k].value, error.message);
        options_free(&options);
    }
}

static void wrong_words_are_refused_with_the_remedy(void **state)
{
    static const struct {
        const char *command, *word, *message;
    } cases[] = {
        {"report", "--repeat=0", "--repeat=0 is not a whole number from 1 to 100000"},
        {"report", "--repeat=100001", "from 1 to 100000"},
        {"report", "--repeat=1x", "--repeat=1x is not a whole number"},
        {"report", "--repeat=+1", "not a whole number"},
        {"report", "--repeat=99999999999999999999", "not a whole number"},
        {"report", "--warmup=-1", "from 0 to 100000"},
        {"report", "--columns=65", "from 1 to 64"},
        {"report", "--columns=0", "from 1 to 64"},
        {"report", "--device=1024", "from 0 to 1023"},
        {"report", "--seed=0", "from 1 to 9223372036854775807"},
        {"survey", "--jobs=0", "from 1 to 1024"},
        {"survey", "--jobs=1025", "from 1 to 1024"},
        {"report", "--limit=0", "'0' is not a size"},
        {"report", "--limit=1X", "not a size"},
        {"report", "--limit=1Ki", "not a size"},
        {"report", "--limit=1iB", "not a size"},
        {"report", "--limit=-1", "not a size"},
        {"report", "--limit=16777216T", "not a size"},
        {"report", "--limit=18446744073709551616", "not a size"},
        {"report", "--sample=0", "--sample=0: give a share of the warps above 0 and up to 1"},
        {"report", "--sample=1.01", "give a share of the warps"},
        {"report", "--sample=%", "give a share of the warps"},
        {"report", "--sample=10%%", "give a share of the warps"},
        {"report", "--sample=nan", "give a share of the warps"},
        {"compare", "--threshold=-1%", "give a share of the base's time"},
        {"compare", "--threshold=1001", "give a share of the base's time"},
        {"report", "--product=B", "--product=B: give A, the matrix, or At, its transpose"},
        {"report", "--product=", "give A, the matrix"},
        {"report", "--product=A|At", "give A, the matrix"},
        {"report", "--layout=row", "give columns (one vector after the other)"},
        {"report", "--layout=rows", "--layout=rows is for several vectors: give their number by --columns=N"},
        {"report", "--base=2", "--base=2: indices begin with 0 or 1"},
        {"report", "--precision=f16", "'f16' is not a list of precisions"},
        {"report", "--precision=f64,", "'f64,' is not a list of precisions"},
        {"", "--precision=f64,f32", "--precision=f64,f32: give f64 or f32"},
        {"report", "--kernels=", "--kernels= names no kernel; it takes a list, all or none"},
        {"report", "--kernels= ,", "names no kernel"},
        {"report", "--convert=", "--convert= names no format; it takes a list, all or none"},
        {"report", "--arrays=", "--arrays= names no format"},
        {"report", "--reorder=", "--reorder= names no order; it takes a list"},
        {"report", "--tune=some", "--tune=some: give all, which runs every variant, or forecast"},
        {"report", "--protocol=mean", "no protocol is called 'mean'"},
        {"report", "--carry=x", "'x' is not a size"},
        {"plot", "--by=row", "--by is count, value, sign or owner, and not 'row'"},
        {"plot", "--storage=csr,ell", "--storage=csr,ell names 2 formats; a layout shows one"},
        {"plot", "--at=1", "--at=1: give a row and a column, from 1, as 12,7"},
        {"gen", "--permutation=p", "--permutation needs --reorder=SPEC with an order"},
        {"report", "--treads=3", "unknown option '--treads=3'; did you mean --threads?"},
        {"report", "--list", "unknown option '--list': it is for 'sparsight"},
        {"gen", "--ascii", "unknown option '--ascii'"},
        {"report", "--repeat", "option '--repeat' needs an argument"},
        {"report", "--cold=1", "option '--cold=1' takes no argument"},
        {"report", "-x", "unknown option '-x'"},
        {"report", "-o", "option '-o' needs an argument"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct options options;
        struct error error = {0};
        const bool last = strcmp(cases[k].word, "--repeat") == 0 || strcmp(cases[k].word, "-o") == 0;
        char *alone[] = {"sparsight", (char *)cases[k].command, (char *)cases[k].word, NULL};
        enum status status = last ? options_parse(3, alone, &options, &error)
                                  : parse_line(cases[k].command, cases[k].word, &options, &error);
        if (status != STATUS_USAGE || !strstr(error.message, cases[k].message))
            fail_msg("%s %s: %d '%s', not '%s'", cases[k].command, cases[k].word, status, error.message,
                     cases[k].message);
        options_free(&options);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_another_number_of_warm_ups_than_the_usual),
        cmocka_unit_test(sizes_are_two_numbers_alone),
        cmocka_unit_test(words_set_fields),
        cmocka_unit_test(wrong_words_are_refused_with_the_remedy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
