/* matrix/files/hdf5: the parent process sees progress even while the library is inside one long call. */
#include "support/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/apart.h"
#include "matrix/files/reader.h"
#include "matrix/matrix.h"

enum status __real_apart_run(const struct apart *apart, struct progress *progress, struct error *error);
enum status __wrap_apart_run(const struct apart *apart, struct progress *progress, struct error *error);

static int64_t advanced;

/* The linker replaces apart_run by this for all callers: it notes how far the work has advanced in all. */
enum status __wrap_apart_run(const struct apart *apart, struct progress *progress, struct error *error)
{
    const int64_t before = apart->advance(apart->self);
    const enum status status = __real_apart_run(apart, progress, error);
    advanced = apart->advance(apart->self) - before;
    return status;
}

static int64_t advance_of(const char *name)
{
    const char *source = getenv("SRCDIR");
    const struct load_options options = {0};
    char path[4096];
    struct matrix matrix;
    struct error error = {0};
    snprintf(path, sizeof path, "%s/tests/matrix/foreign/%s", source ? source : ".", name);
    advanced = 0;
    if (matrix_load(path, &options, NULL, &matrix, &error) != STATUS_OK) fail_msg("%s", error.message);
    matrix_free(&matrix);
    return advanced;
}

/* Both files have the same datasets, in one of them compressed. Unpacked memory grows by pages, of at least
 * eight blocks of 512 bytes each, beside the objects that both files have. */
TEST(unpacked_bytes_are_an_advance)
{
    if (reader_find("bsp", NULL)->package) skip();
    const int64_t plain = advance_of("csr.bsp.h5"), packed = advance_of("packed.bsp.h5");
    assert_in_range(plain, 3, 100);
    assert_true(packed >= plain + 8);
}
