/* matrix/files/reader: file formats by their names, kinds and endings, and the messages about those that do
 * not exist. */
#include "support/unit.h"

#include <stdlib.h>
#include <string.h>

#include "matrix/files/reader.h"

/* Endings as the manual lists them. NULL: no format. */
static const struct {
    const char *name, *ending, *reader;
    bool weak; /* an ending that other files have as well, which counts on request */
} named[] = {
    {"a.mtx", ".mtx", "mtx", false},
    {"two.dots.mtx", ".mtx", "mtx", false},
    {"a.npz", ".npz", "npz", false},
    {"a.rua", ".rua", "rb", false},
    {"a.rb", ".rb", "rb", false},
    {"a.mat", ".mat", "mat", false},
    {"a.petsc", ".petsc", "petsc", false},
    {"a.dat", ".dat", "petsc", true},
    {"a.edgelist", ".edgelist", "edges", false},
    {"a.tsv", ".tsv", "edges", true},
    {"a.graph", ".graph", "metis", false},
    {"a.csv", ".csv", "csv", true},
    {"a.bsp.h5", ".bsp.h5", "bsp", false},
    {"a.h5", ".h5", "bsp", true},
    {".mtx", NULL, NULL, true},
    {"mtx", NULL, NULL, true},
    {"a.mtx.other", NULL, NULL, true},
    {"", NULL, NULL, true},
};

TEST(endings_have_readers)
{
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        const char *name = named[k].name;
        size_t length = 0, size = strlen(name);
        const struct reader *strict = reader_of_name(name, size, false, NULL),
                            *reader = reader_of_name(name, size, true, &length);
        if (!named[k].reader) {
            if (reader) fail_msg("'%s' is taken for %s", name, reader->name);
            continue;
        }
        if (!reader) fail_msg("'%s' has no reader", name);
        assert_string_equal(reader->name, named[k].reader);
        assert_string_equal(name + size - length, named[k].ending);
        assert_ptr_equal(strict, named[k].weak ? NULL : reader);
        assert_null(reader_of_name(name, size - 1, true, NULL)); /* the name ends before its last letter */
    }
}

/* NAME and NAME:KIND; the words of kinds are those of the manual. */
static const struct {
    const char *text, *reader, *kind, *error;
} parsed[] = {
    {"mtx", "mtx", NULL, NULL},
    {"petsc", "petsc", NULL, NULL},
    {"mat7.3", "mat7.3", NULL, NULL},
    {"petsc:real", "petsc", "real", NULL},
    {"petsc:complex", "petsc", "complex", NULL},
    {"petsc:single", "petsc", "single", NULL},
    {"petsc:single-complex", "petsc", "single-complex", NULL},
    {"petsc:half", NULL, NULL,
     "petsc: 'half' is not a kind of PETSc binary files; there are real, complex, single, single-complex"},
    {"petsc:", NULL, NULL, "petsc: '' is not a kind of PETSc binary files; there are real, "},
    {"mtx:real", NULL, NULL, "mtx: there is only one kind of Matrix Market files: leave out 'real'"},
    {"mtz", NULL, NULL, "no file format is called 'mtz'; did you mean mtx"},
    {"mtz:real", NULL, NULL, "no file format is called 'mtz'; did you mean mtx"},
    {"", NULL, NULL, "no file format is called ''"},
};

TEST(names_and_kinds_are_read)
{
    for (size_t k = 0; k < sizeof parsed / sizeof *parsed; k++) {
        const struct reader *reader = NULL;
        const char *kind = "unset";
        struct error error = {0};
        enum status status = reader_parse(parsed[k].text, &reader, &kind, &error);
        assert_int_equal(status, parsed[k].error ? STATUS_USAGE : STATUS_OK);
        if (parsed[k].error) {
            if (strncmp(error.message, parsed[k].error, strlen(parsed[k].error)) != 0)
                fail_msg("'%s': '%s'", parsed[k].text, error.message);
            assert_int_equal(reader_parse(parsed[k].text, &reader, &kind, NULL), STATUS_USAGE);
            continue;
        }
        assert_string_equal(reader->name, parsed[k].reader);
        if (parsed[k].kind)
            assert_string_equal(kind, parsed[k].kind);
        else
            assert_null(kind);
    }
}

/* A name of more bytes than any format has is refused whole, whatever is behind its colon. */
TEST(long_names_are_refused)
{
    char text[200];
    const struct reader *reader;
    const char *kind;
    for (size_t length = 50; length < 100; length++) {
        memset(text, 'm', length);
        memcpy(text + length, ":real", 6);
        assert_int_equal(reader_parse(text, &reader, &kind, NULL), STATUS_USAGE);
        assert_null(reader);
        assert_null(kind);
    }
}

/* The format of a written file: a given name wins over the path's ending. Endings of compression name no
 * format. */
static const struct {
    const char *path, *name, *reader, *error;
    bool any;
} written[] = {
    {"a.mtx", NULL, "mtx", NULL, false},
    {"a.mtx.gz", NULL, "mtx", NULL, false},
    {"some.dir/a.rb.xz", NULL, "rb", NULL, false},
    {"a.mtx", "rb", "rb", NULL, false},
    {NULL, "npz", "npz", NULL, false},
    {"a.other", NULL, "mtx", NULL, true},
    {NULL, NULL, "mtx", NULL, true},
    {"a.mtx/b", NULL, NULL,
     "'a.mtx/b' does not have the ending of a file format; name one with --to=NAME, of mtx, ", false},
    {NULL, NULL, NULL, "'-' does not have the ending of a file format", false},
    {"a.mtx", "mtz", NULL, "no file format is called 'mtz'; did you mean mtx", true},
    {"a", "mat7.3", NULL, "MATLAB 7.3 files are read, but not written; there are mtx, ", true},
};

TEST(files_are_written_in_the_named_format)
{
    for (size_t k = 0; k < sizeof written / sizeof *written; k++) {
        const struct reader *reader;
        struct error error = {0};
        enum status status =
            reader_for_writing(written[k].path, written[k].name, written[k].any, &reader, &error);
        if (written[k].error && strstr(error.message, "this build")) continue; /* HDF5 is not there */
        assert_int_equal(status, written[k].error ? STATUS_USAGE : STATUS_OK);
        if (!written[k].error)
            assert_string_equal(reader->name, written[k].reader);
        else if (strncmp(error.message, written[k].error, strlen(written[k].error)) != 0)
            fail_msg("%s: '%s'", written[k].path ? written[k].path : "-", error.message);
    }
}

/* The list of the help: each reader in a line of its own with its endings, and each kind below its reader. */
TEST(the_help_lists_each_reader)
{
    struct text text = {0};
    readers_describe(&text);
    assert_non_null(text.data);
    assert_ptr_equal(strstr(text.data, "  mtx                    Matrix Market (.mtx)\n"), text.data);
    assert_non_null(strstr(text.data, "\n  petsc                  PETSc binary (.petsc .bin .dat)\n"
                                      "    petsc:real           of real numbers of double precision\n"
                                      "    petsc:complex        of complex numbers of double precision\n"
                                      "    petsc:single         of real numbers of single precision\n"
                                      "    petsc:single-complex of complex numbers of single precision\n"));
    assert_non_null(strstr(text.data, "\n  csv                    CSV triplets (.csv)"));
    if (!strstr(text.data, "not in this build"))
        assert_non_null(strstr(text.data, "\n  mat7.3                 MATLAB 7.3; not written\n"));
    text_free(&text);
}
