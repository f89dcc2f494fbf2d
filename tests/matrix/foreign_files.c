/* matrix/files: files that other programs wrote, in tests/matrix/foreign, give the matrices that those
 * programs' libraries read; also inside containers and as streams. Any damage is a single error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "matrix/files/reader.h"
#include "matrix/matrix.h"
#include "support/cmocka.h"
#include "support/files.h"

/* A file, and the one with its expected contents. */
struct foreign {
    const char *file;     /* perhaps with :NAME */
    const char *expected; /* a Matrix Market file of SciPy's */
    const char *format;
    enum field field;
    enum symmetry symmetry;
    int64_t stored;
    struct load_options options;
};

#define HARWELL "Harwell-Boeing"
#define RUTHERFORD "Rutherford-Boeing"

static const struct foreign foreign[] = {
    {"real-csr.npz", "real.mtx", "SciPy npz", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"real-csc.npz", "real.mtx", "SciPy npz", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"real-coo.npz", "real.mtx", "SciPy npz", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"big-endian.npz", "real.mtx", "SciPy npz", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"whole-csr64.npz", "whole.mtx", "SciPy npz", FIELD_INTEGER, SYMMETRY_GENERAL, 11, {0}},
    {"complex-csr.npz", "complex.mtx", "SciPy npz", FIELD_COMPLEX, SYMMETRY_GENERAL, 11, {0}},
    {"blocks-bsr.npz", "blocks.mtx", "SciPy npz", FIELD_REAL, SYMMETRY_GENERAL, 40, {0}},
    {"diagonals-dia.npz", "diagonals.mtx", "SciPy npz", FIELD_REAL, SYMMETRY_GENERAL, 15, {0}},
    {"messy-csr.npz", "messy.mtx", "SciPy npz", FIELD_REAL, SYMMETRY_GENERAL, 4, {0}},
    {"real.rua", "real.mtx", HARWELL, FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"real-d.rua", "real.mtx", HARWELL, FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"real.rb", "real.mtx", RUTHERFORD, FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"tenths-f.rua", "tenths.mtx", HARWELL, FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"tenths-p.rua", "tenths.mtx", HARWELL, FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"complex.cua", "complex.mtx", HARWELL, FIELD_COMPLEX, SYMMETRY_GENERAL, 11, {0}},
    {"symmetric.rsa", "symmetric.mtx", HARWELL, FIELD_REAL, SYMMETRY_SYMMETRIC, 7, {0}},
    {"whole.rb", "whole.mtx", RUTHERFORD, FIELD_INTEGER, SYMMETRY_GENERAL, 11, {0}},
    {"ones.pra", "ones.mtx", HARWELL, FIELD_PATTERN, SYMMETRY_GENERAL, 11, {0}},
    {"scipy.hb", "scipy.mtx", RUTHERFORD, FIELD_REAL, SYMMETRY_GENERAL, 10, {0}},
    {"real-v4.mat", "real.mtx", "MATLAB", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"complex-v4.mat:A", "complex.mtx", "MATLAB", FIELD_COMPLEX, SYMMETRY_GENERAL, 11, {0}},
    {"real-v6.mat", "real.mtx", "MATLAB", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"real-v6.mat:full", "full.mtx", "MATLAB", FIELD_REAL, SYMMETRY_GENERAL, 12, {0}},
    {"real-v7.mat", "real.mtx", "MATLAB", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"real-v7.mat:full", "full.mtx", "MATLAB", FIELD_REAL, SYMMETRY_GENERAL, 12, {0}},
    {"complex-v7.mat", "complex.mtx", "MATLAB", FIELD_COMPLEX, SYMMETRY_GENERAL, 11, {0}},
    {"whole-v7.mat", "whole.mtx", "MATLAB", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"real.petsc", "real.mtx", "PETSc binary", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"real-64.petsc", "real.mtx", "PETSc binary", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"complex.petsc", "complex.mtx", "PETSc binary", FIELD_COMPLEX, SYMMETRY_GENERAL, 11, {0}},
    {"complex-64.petsc", "complex.mtx", "PETSc binary", FIELD_COMPLEX, SYMMETRY_GENERAL, 11, {0}},
    {"single.petsc", "whole.mtx", "PETSc binary", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"halves.petsc",
     "halves.mtx",
     "PETSc binary",
     FIELD_COMPLEX,
     SYMMETRY_GENERAL,
     11,
     {.kind = "single-complex"}},
    {"vector-behind.petsc", "real.mtx", "PETSc binary", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"dense.petsc", "full.mtx", "PETSc binary", FIELD_REAL, SYMMETRY_GENERAL, 12, {0}},
    {"snap.txt", "edges.mtx", "edge list", FIELD_PATTERN, SYMMETRY_GENERAL, 11, {0}},
    {"konect.out", "weighted.mtx", "edge list", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"commas.el", "weighted.mtx", "edge list", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"source.csv", "edges.mtx", "edge list", FIELD_PATTERN, SYMMETRY_GENERAL, 11, {0}},
    {"names.el", "names.mtx", "edge list", FIELD_PATTERN, SYMMETRY_GENERAL, 4, {.names = true}},
    {"triplets.csv", "real.mtx", "CSV triplets", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"semicolons.csv", "real.mtx", "CSV triplets", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"networkx.edgelist", "edges.mtx", "edge list", FIELD_PATTERN, SYMMETRY_GENERAL, 11, {0}},
    {"networkx-weights.edgelist", "weighted.mtx", "edge list", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"networkx-commas.el", "weighted.mtx", "edge list", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"networkx-attributes.edgelist", "attributes.mtx", "edge list", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"networkx-names.el", "names.mtx", "edge list", FIELD_PATTERN, SYMMETRY_GENERAL, 4, {.names = true}},
    {"pandas-edges.csv", "weighted.mtx", "edge list", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"pandas.csv", "real.mtx", "CSV triplets", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"pandas-tabs.csv", "real.mtx", "CSV triplets", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"r.csv", "real.mtx", "CSV triplets", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"plain.graph", "graph.mtx", "METIS graph", FIELD_PATTERN, SYMMETRY_GENERAL, 22, {0}},
    {"weighted.graph", "graph-weights.mtx", "METIS graph", FIELD_REAL, SYMMETRY_GENERAL, 22, {0}},
    {"csr.bsp.h5", "real.mtx", "Binsparse", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"packed.bsp.h5", "real.mtx", "Binsparse", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"group.bsp.h5:inner", "real.mtx", "Binsparse", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"csc.bsp.h5", "real.mtx", "Binsparse", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"coo.bsp.h5", "real.mtx", "Binsparse", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"dcsr.bsp.h5", "real.mtx", "Binsparse", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"complex.bsp.h5", "complex.mtx", "Binsparse", FIELD_COMPLEX, SYMMETRY_GENERAL, 11, {0}},
    {"iso.bsp.h5", "ones.mtx", "Binsparse", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"symmetric.bsp.h5", "symmetric.mtx", "Binsparse", FIELD_REAL, SYMMETRY_SYMMETRIC, 7, {0}},
    {"real-v73.mat", "real.mtx", "MATLAB 7.3", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"real-v73.mat:Problem.aux.C", "whole.mtx", "MATLAB 7.3", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"problem.mat", "real.mtx", "MATLAB", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
    {"zeros.mat", "zeros.mtx", "MATLAB", FIELD_REAL, SYMMETRY_GENERAL, 13, {0}},
    {"zeros.mat:Problem.A", "zeros.mtx", "MATLAB", FIELD_REAL, SYMMETRY_GENERAL, 13, {0}},
    {"zeros-v73.mat", "zeros.mtx", "MATLAB 7.3", FIELD_REAL, SYMMETRY_GENERAL, 13, {0}},
    {"problem.mat:Problem.aux.C", "whole.mtx", "MATLAB", FIELD_REAL, SYMMETRY_GENERAL, 11, {0}},
};

/* Files that are refused, and words of the error. */
static const struct {
    const char *file, *words;
    enum status status;
} refused[] = {
    {"wrong-index.npz", "element 5 of indices is 8, which is not among 0 to 7", STATUS_INPUT},
    {"wrong-pointer.npz", "element 4 of indptr is 4, less than 5 before it", STATUS_INPUT},
    {"wrong-end.npz", "indptr ends with 10, but indices has 11 elements", STATUS_INPUT},
    {"wrong-count.npz", "data has 9 elements, but should have 11", STATUS_INPUT},
    {"wrong-format.npz", "format 'lil' is not read", STATUS_INPUT},
    {"wrong-part.npz", "array indices is missing", STATUS_INPUT},
    {"wrong-type.npz", "array data has elements of a type that is not read", STATUS_INPUT},
    {"wrong-none.npz", "holds no sparse matrix, whose array 'format'", STATUS_INPUT},
    {"wrong-elements.rua", "wrong-elements.rua:3:3: the file lists finite elements", STATUS_INPUT},
    {"wrong-row.rua", "wrong-row.rua:7:1: row index 1 (columns 1 to 5) is not a row of the matrix: '9'",
     STATUS_INPUT},
    {"wrong-number.rua", "wrong-number.rua:8:53: value 3 (columns 53 to 78) has no exponent", STATUS_INPUT},
    {"wrong-columns.rua", "wrong-columns.rua:9:27: value 5 (columns 27 to 52) has parts of two numbers",
     STATUS_INPUT},
    {"wrong-format.rua", "wrong-format.rua:4:17: the format of a row index is not a format of numbers",
     STATUS_INPUT},
    {"wrong-short.rua", "wrong-short.rua:8: the file ends after 3 of 6 lines of numbers; it is cut short",
     STATUS_INPUT},
    {"wrong-index.mat", "element 1 of the list of row indices (ir) is 6, which is not among 0 to 5",
     STATUS_INPUT},
    {"wrong-pointer.mat", "is 3, less than 9 before it", STATUS_INPUT},
    {"wrong-short.mat", "damaged or cut short at byte", STATUS_INPUT},
    {"wrong-several.mat", "name one as FILE:NAME of: A (sparse 6 x 8), B (sparse 6 x 8)", STATUS_SEVERAL},
    {"wrong-several.mat:C", "no matrix is called C; the file has: A (sparse", STATUS_INPUT},
    {"wrong-none.mat", "no sparse matrix; name another as FILE:NAME of: x (3 x 4)", STATUS_INPUT},
    {"wrong-index.petsc", "element 1 of the list of columns is 8, which is not among 0 to 7", STATUS_INPUT},
    {"wrong-length.petsc", "row 1 has 12 entries, more than there are left of 11", STATUS_INPUT},
    {"wrong-short.petsc", "do not make a file of 168 bytes", STATUS_INPUT},
    {"wrong-quadruple.petsc", "has real values of quadruple precision (__float128)", STATUS_INPUT},
    {"wrong-complex-quadruple.petsc", "has complex values of quadruple precision", STATUS_INPUT},
    {"wrong-word.el", "wrong-word.el:3:3: 'x' where a vertex is expected", STATUS_INPUT},
    {"wrong-columns.el", "wrong-columns.el:2:4: the line has 2 columns, and the first has 3", STATUS_INPUT},
    {"wrong-many.el", "wrong-many.el:2:6: the line has 3 columns, and the first has 2", STATUS_INPUT},
    {"wrong-large.el", "wrong-large.el:2:3: vertex 3000000000 is beyond 2147483646", STATUS_INPUT},
    {"wrong-value.csv", "wrong-value.csv:3:8: the line has 4 columns, and the first has 3", STATUS_INPUT},
    {"wrong-numbered.csv", "wrong-numbered.csv:3:6: the line has 2 columns, and the first has 3",
     STATUS_INPUT},
    {"wrong-attributes.edgelist",
     "wrong-attributes.edgelist:6:5: attributes of an edge are read as {} or {'weight': 2.5}", STATUS_INPUT},
    {"wrong-ambiguous.txt",
     "may be edge list or CSV triplets, and neither contents nor name decide; give --from=edges "
     "or --from=csv",
     STATUS_INPUT},
    {"wrong-text.txt", "its contents are of no known file format; name one with --from=NAME", STATUS_INPUT},
    {"wrong-either", "may be edge list or METIS graph, and neither", STATUS_INPUT},
    {"wrong-neighbour.graph", "wrong-neighbour.graph:3:3: '4' is not a vertex from 1 to 3", STATUS_INPUT},
    {"wrong-edges.graph", "wrong-edges.graph:1:1: 3 edges, each at both of its ends, make 6 neighbours",
     STATUS_INPUT},
    {"wrong-lines.graph", "wrong-lines.graph:1:1: 4 vertices should have as many lines, but there are 3",
     STATUS_INPUT},
    {"wrong-index.bsp.h5", "element 10 of indices_0 is 6, which is not among 0 to 5", STATUS_INPUT},
    {"wrong-part.bsp.h5", "dataset indices_1 is missing", STATUS_INPUT},
    {"wrong-format.bsp.h5", "format 'ELL' is unknown", STATUS_INPUT},
    {"wrong-plain.h5", "is an HDF5 file, but has no attribute binsparse", STATUS_INPUT},
    {"wrong-cards.rua", "wrong-cards.rua:2:1: says that there are 5 lines of values", STATUS_INPUT},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define LIMIT ((size_t)64 << 20)

static char from[4096];

static int begin(void **state)
{
    const char *source = getenv("SRCDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/matrix/foreign", source ? source : ".");
    return realpath(path, from) ? files_begin(state) : -1;
}

/* Copy a file of the folder to here, so that it can be wrapped and damaged; *bytes is freed by the caller.
 * The name may have a :NAME, and is that of the file alone then. */
static void fetch(const char *name, char file[256], char **bytes, size_t *size)
{
    char path[8192];
    snprintf(file, 256, "%.*s", (int)strcspn(name, ":"), name);
    snprintf(path, sizeof path, "%s/%s", from, file);
    FILE *stream = fopen(path, "r");
    if (!stream) fail_msg("%s is missing", path);
    *bytes = malloc(1 << 20);
    *size = fread(*bytes, 1, 1 << 20, stream);
    fclose(stream);
    files_write(file, *bytes, *size);
}

static bool not_read_here(const struct foreign *f)
{
    char file[256];
    snprintf(file, sizeof file, "%.*s", (int)strcspn(f->file, ":"), f->file);
    const struct reader *reader = reader_of_name(file, strlen(file), true, NULL);
    if (strstr(file, "-v73")) reader = reader_find("mat7.3", NULL);
    return reader && reader->package;
}

static void load(const char *path, const struct load_options *options, struct matrix *matrix)
{
    struct error error = {0};
    char text[sizeof error.path + sizeof error.message];
    if (matrix_load(path, options, NULL, matrix, &error) != STATUS_OK)
        fail_msg("%s", error_text(&error, text, sizeof text));
}

static void expect_equal(const char *path, const struct foreign *f, const struct matrix *expected)
{
    struct matrix matrix;
    load(path, &f->options, &matrix);
    const struct csr *a = &matrix.csr, *b = &expected->csr;
    size_t nnz = (size_t)csr_nnz(b);
    if (a->rows != b->rows || a->cols != b->cols || csr_nnz(a) != csr_nnz(b)) fail_msg("%s: sizes", path);
    if (memcmp(a->row_ptr, b->row_ptr, ((size_t)a->rows + 1) * sizeof *a->row_ptr) ||
        memcmp(a->col, b->col, nnz * sizeof *a->col))
        fail_msg("%s: places", path);
    for (size_t k = 0; k < nnz; k++)
        if (a->val[k] != b->val[k] ||
            (a->imaginary && a->imaginary[k] != (b->imaginary ? b->imaginary[k] : 0)))
            fail_msg("%s: value %d is %.17g and not %.17g", path, (int)k, a->val[k], b->val[k]);
    assert_true((a->imaginary != NULL) == (f->field == FIELD_COMPLEX));
    if (matrix.field != f->field || matrix.symmetry != f->symmetry) fail_msg("%s: field or symmetry", path);
    assert_string_equal(matrix.format, f->format);
    if (matrix.stored != f->stored) fail_msg("%s: %d stored", path, (int)matrix.stored);
    if (matrix.explicit_zeros != expected->explicit_zeros)
        fail_msg("%s: %d zeros", path, (int)matrix.explicit_zeros);
    matrix_free(&matrix);
}

static void expectation(const struct foreign *f, struct matrix *expected)
{
    const struct load_options options = {0};
    char path[8192];
    snprintf(path, sizeof path, "%s/%s", from, f->expected);
    load(path, &options, expected);
}

static void files_of_other_programs_are_read(void **state)
{
    for (size_t k = 0; k < COUNT(foreign); k++) {
        struct matrix expected;
        char path[8192];
        if (not_read_here(&foreign[k])) continue;
        expectation(&foreign[k], &expected);
        snprintf(path, sizeof path, "%s/%s", from, foreign[k].file);
        expect_equal(path, &foreign[k], &expected);
        matrix_free(&expected);
    }
}

static void put_into_tar(const char *archive, const char *file)
{
    char command[1024];
    snprintf(command, sizeof command, "tar cf %s %s", archive, file);
    assert_int_equal(system(command), 0);
}

/* In gzip, in an archive, and through a pipe the same file is the same matrix. */
static void containers_and_streams_are_read_as_well(void **state)
{
    for (size_t k = 0; k < COUNT(foreign); k++) {
        struct matrix expected;
        char file[256], path[600], *bytes;
        size_t size;
        const char *variable = strchr(foreign[k].file, ':');
        if (not_read_here(&foreign[k])) continue;
        expectation(&foreign[k], &expected);
        fetch(foreign[k].file, file, &bytes, &size);
        snprintf(path, sizeof path, "%s.gz", file);
        files_pack(path, bytes, size, PACKED_GZIP);
        snprintf(path, sizeof path, "%s.gz%s", file, variable ? variable : "");
        expect_equal(path, &foreign[k], &expected);
        put_into_tar("a.tar", file);
        snprintf(path, sizeof path, "a.tar:%s", foreign[k].file);
        expect_equal(path, &foreign[k], &expected);
        int ends[2], before = dup(STDIN_FILENO);
        assert_true(size < 60000 && pipe(ends) == 0 && before >= 0);
        assert_int_equal(write(ends[1], bytes, size), size);
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        if (!variable && !strstr(file, "-v73") && reader_of_name(file, strlen(file), false, NULL)) {
            struct foreign piped = foreign[k];
            piped.options.from = reader_of_name(file, strlen(file), false, NULL);
            expect_equal("-", &piped, &expected);
        }
        dup2(before, STDIN_FILENO);
        close(before);
        free(bytes);
        matrix_free(&expected);
    }
}

static void wrong_files_are_refused_with_the_place(void **state)
{
    const struct load_options options = {.limit = LIMIT};
    for (size_t k = 0; k < COUNT(refused); k++) {
        struct matrix matrix;
        struct error error = {0};
        char path[8192], text[sizeof error.path + sizeof error.message];
        const struct foreign file = {.file = refused[k].file};
        if (not_read_here(&file)) continue;
        snprintf(path, sizeof path, "%s/%s", from, refused[k].file);
        assert_int_equal(matrix_load(path, &options, NULL, &matrix, &error), refused[k].status);
        error_text(&error, text, sizeof text);
        if (!strstr(text, refused[k].words)) fail_msg("'%s' does not say '%s'", text, refused[k].words);
        if (!strstr(text, from)) fail_msg("'%s' has no path", text);
        assert_null(matrix.csr.row_ptr);
        /* The same without a struct for the error. */
        assert_int_equal(matrix_load(path, &options, NULL, &matrix, NULL), refused[k].status);
    }
}

/* The directory of an archive has a checksum of each member. Each is made wrong in turn; the checksum of the
 * member that is not read does not matter. */
static void a_wrong_checksum_is_refused(void **state)
{
    static const char entry[] = "PK\x01\x02";
    char file[256], *bytes;
    size_t size, members = 0;
    fetch("real-csr.npz", file, &bytes, &size);
    for (size_t at = 0; at + 46 <= size; at++) {
        struct matrix matrix;
        struct error error = {0};
        const struct load_options options = {.limit = LIMIT};
        if (memcmp(bytes + at, entry, 4) != 0 || memcmp(bytes + at + 46, "_is_array", 9) == 0) continue;
        bytes[at + 16] ^= 1;
        files_write(file, bytes, size);
        if (matrix_load(file, &options, NULL, &matrix, &error) == STATUS_OK)
            fail_msg("member %zu, %.11s, is taken", members, bytes + at + 46);
        assert_int_equal(error.status, STATUS_INPUT);
        if (!strstr(error.message, "a checksum is wrong")) fail_msg("member %zu: %s", members, error.message);
        bytes[at + 16] ^= 1;
        members++;
    }
    assert_int_equal(members, 5);
    free(bytes);
}

/* Any bytes give either a valid matrix or one error with the file's name. */
static void expect_sense(const char *path, const struct load_options *options)
{
    struct matrix matrix;
    struct error error = {0};
    enum status status = matrix_load(path, options, NULL, &matrix, &error);
    if (status == STATUS_OK) {
        assert_int_equal(csr_validate(&matrix.csr, NULL), STATUS_OK);
        matrix_free(&matrix);
    } else {
        assert_true(error.status == status && error.message[0]);
        if (status != STATUS_LIMIT && !error.path[0]) fail_msg("%s: '%s' has no path", path, error.message);
        assert_null(matrix.csr.row_ptr);
    }
}

static void damage_and_loss_never_crash(void **state)
{
    for (size_t k = 0; k < COUNT(foreign); k++) {
        char file[256], name[600], *bytes;
        size_t size;
        struct load_options options = foreign[k].options;
        const char *variable = strchr(foreign[k].file, ':');
        if (not_read_here(&foreign[k])) continue;
        options.limit = LIMIT;
        fetch(foreign[k].file, file, &bytes, &size);
        options.from = strstr(file, "-v73") ? reader_find("mat7.3", NULL)
                                            : reader_of_name(file, strlen(file), false, NULL);
        snprintf(name, sizeof name, "%s%s", file, variable ? variable : "");
        /* A process for each takes its time. */
        bool apart =
            strcmp(foreign[k].format, "Binsparse") == 0 || strcmp(foreign[k].format, "MATLAB 7.3") == 0;
        size_t step = size / (apart ? 60 : 700) + 1;
        for (size_t cut = 0; cut < size; cut += step) {
            files_write(file, bytes, cut);
            expect_sense(name, &options);
        }
        for (size_t at = 0; at < size; at += step) {
            static const char changes[] = {1, 0x10, -128, -1};
            char kept = bytes[at];
            bytes[at] = (char)(kept ^ changes[at / step % 4]);
            files_write(file, bytes, size);
            expect_sense(name, &options);
            bytes[at] = kept;
        }
        free(bytes);
    }
}

static void failing_allocations_are_errors(void **state)
{
    for (size_t k = 0; k < COUNT(foreign); k++) {
        char path[8192];
        if (not_read_here(&foreign[k])) continue;
        snprintf(path, sizeof path, "%s/%s", from, foreign[k].file);
        for (long fail = 0;; fail++) {
            struct matrix matrix;
            struct error error = {0};
            memory_fail_after(fail);
            const bool told = fail % 4 != 3; /* now and then without a struct for the error */
            enum status status = matrix_load(path, &foreign[k].options, NULL, &matrix, told ? &error : NULL);
            long failures = memory_failures();
            memory_fail_after(-1);
            if (status == STATUS_OK) matrix_free(&matrix);
            if (!failures) break;
            /* Shrinking a table, and guesses, may fail without an error. */
            if (status != STATUS_OK && status != STATUS_MEMORY) fail_msg("%s: %s", path, error.message);
        }
    }
}

static void a_cancelled_reading_leaves_nothing(void **state)
{
    for (size_t k = 0; k < COUNT(foreign); k++) {
        struct progress progress = {0};
        struct matrix matrix;
        char path[8192];
        if (not_read_here(&foreign[k])) continue;
        snprintf(path, sizeof path, "%s/%s", from, foreign[k].file);
        progress_cancel(&progress);
        assert_int_equal(matrix_load(path, &foreign[k].options, &progress, &matrix, NULL), STATUS_CANCELLED);
        assert_null(matrix.csr.row_ptr);
    }
}

/* The texts beside a matrix of the SuiteSparse collection are reported. */
static void a_problem_brings_its_texts(void **state)
{
    const struct load_options options = {0};
    struct matrix matrix;
    char path[8192];
    snprintf(path, sizeof path, "%s/problem.mat", from);
    load(path, &options, &matrix);
    assert_string_equal(matrix.variable, "Problem.A");
    assert_string_equal(matrix.about.title, "A matrix for tests");
    assert_string_equal(matrix.about.author, "N. N.");
    assert_string_equal(matrix.about.kind, "test");
    assert_string_equal(matrix.about.date, "1999");
    assert_string_equal(matrix.about.editor, "");
    matrix_free(&matrix);
    snprintf(path, sizeof path, "%s/zeros.mat", from);
    load(path, &options, &matrix);
    assert_string_equal(matrix.about.editor, "E. D.");
    assert_string_equal(matrix.about.id, "42");
    assert_string_equal(matrix.about.name, "Group/real");
    assert_string_equal(matrix.about.notes, "First line\n\nthird: \u00e4\n");
    assert_false(matrix.about.in_notes);
    assert_int_equal(matrix.explicit_zeros, 3); /* one of them was an entry of the matrix */
    matrix_free(&matrix);
}

/* The same of a file of version 7.3; a damaged text loses only itself. */
static void a_problem_of_version_7_3_brings_them_too(void **state)
{
    const struct load_options options = {0};
    struct matrix matrix;
    char path[8192];
    if (reader_find("mat7.3", NULL)->package) skip();
    snprintf(path, sizeof path, "%s/zeros-v73.mat", from);
    load(path, &options, &matrix);
    assert_string_equal(matrix.about.title, "A matrix \U0001d538 for \u00e4ll");
    assert_string_equal(matrix.about.author, "");
    assert_string_equal(matrix.about.kind, "");
    assert_string_equal(matrix.about.editor, "E. D.");
    assert_string_equal(matrix.about.id, "42");
    assert_string_equal(matrix.about.notes, "First line\n\nthird: \U0001d538\u00e4\n");
    assert_int_equal(matrix.explicit_zeros, 3);
    assert_non_null(strstr(matrix.notes.data, "2 explicit zeros stand in Problem.Zeros of the file"));
    assert_non_null(strstr(matrix.notes.data, "kind of the file is not shown: "));
    matrix_free(&matrix);
}

static void the_limit_holds(void **state)
{
    for (size_t k = 0; k < COUNT(foreign); k++) {
        struct matrix matrix;
        struct load_options options = foreign[k].options;
        char path[8192];
        if (not_read_here(&foreign[k])) continue;
        options.limit = 8;
        snprintf(path, sizeof path, "%s/%s", from, foreign[k].file);
        assert_int_equal(matrix_load(path, &options, NULL, &matrix, NULL), STATUS_LIMIT);
    }
}

/* The length of a PETSc file fits two kinds. The usual kind is read, with a note, unless another one is
 * named. */
static void a_guessed_kind_is_told(void **state)
{
    static const struct {
        const char *file, *kind;
        enum status status;
        enum field field;
        const char *words; /* of the notes, or the error */
    } cases[] = {
        {"halves.petsc", NULL, STATUS_OK, FIELD_REAL, "--from=petsc:single-complex reads those"},
        {"halves.petsc", "real", STATUS_OK, FIELD_REAL, ""},
        {"halves.petsc", "complex", STATUS_INPUT, FIELD_REAL, "its kind is not that of --from"},
        {"real.petsc", "single-complex", STATUS_OK, FIELD_COMPLEX, ""},
        {"wrong-quadruple.petsc", NULL, STATUS_INPUT, FIELD_REAL, "--from=petsc:complex"},
        {"wrong-quadruple.petsc", "complex", STATUS_OK, FIELD_COMPLEX, ""},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        const struct load_options options = {.kind = cases[k].kind};
        struct error error = {0};
        struct matrix matrix;
        char path[8192];
        snprintf(path, sizeof path, "%s/%s", from, cases[k].file);
        if (matrix_load(path, &options, NULL, &matrix, &error) != cases[k].status)
            fail_msg("%s: %s", path, error.message);
        const char *told = cases[k].status == STATUS_OK ? matrix.notes.data : error.message;
        if (!*cases[k].words)
            assert_true(!told || !*told);
        else if (!told || !strstr(told, cases[k].words))
            fail_msg("%s: '%s'", path, told ? told : "");
        if (cases[k].status != STATUS_OK) continue;
        assert_int_equal(matrix.field, cases[k].field);
        matrix_free(&matrix);
    }
}

/* 4, -1 and 2 in quadruple precision end in eight bytes that are 0, and are read as complex doubles, with a
 * note; 4 and -1 as complex doubles, of other sizes, without. */
static void whole_quadruple_numbers_are_told(void **state)
{
    static const struct {
        unsigned char begins[3][2]; /* of the values; all other bytes are 0 */
        bool told;
    } cases[] = {{{{0x40, 0x01}, {0xbf, 0xff}, {0x40, 0x00}}, true},
                 {{{0x7f, 0x01}, {0xbf, 0xf0}, {0x40, 0x00}}, false}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        char bytes[16 + 12 + 12 + 48] = {0, 18, 123, 80, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3};
        for (int i = 0; i < 3; i++) {
            bytes[16 + 4 * i + 3] = 1;
            bytes[28 + 4 * i + 3] = (char)i;
            memcpy(bytes + 40 + 16 * i, cases[k].begins[i], 2);
        }
        files_write("whole.petsc", bytes, sizeof bytes);
        const char *const kinds[] = {NULL, "complex"};
        for (int named = 0; named < 2; named++) {
            const struct load_options options = {.kind = kinds[named]};
            struct matrix matrix;
            assert_int_equal(matrix_load("whole.petsc", &options, NULL, &matrix, NULL), STATUS_OK);
            assert_int_equal(matrix.field, FIELD_COMPLEX);
            const char *notes = matrix.notes.data ? matrix.notes.data : "";
            assert_int_equal(strstr(notes, "quadruple precision") != NULL, cases[k].told && !named);
            matrix_free(&matrix);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_guessed_kind_is_told),
        cmocka_unit_test(whole_quadruple_numbers_are_told),
        cmocka_unit_test(files_of_other_programs_are_read),
        cmocka_unit_test(containers_and_streams_are_read_as_well),
        cmocka_unit_test(wrong_files_are_refused_with_the_place),
        cmocka_unit_test(a_wrong_checksum_is_refused),
        cmocka_unit_test(damage_and_loss_never_crash),
        cmocka_unit_test(failing_allocations_are_errors),
        cmocka_unit_test(a_cancelled_reading_leaves_nothing),
        cmocka_unit_test(a_problem_brings_its_texts),
        cmocka_unit_test(a_problem_of_version_7_3_brings_them_too),
        cmocka_unit_test(the_limit_holds),
    };
    return cmocka_run_group_tests(tests, begin, files_end);
}
