#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "matrix/files/container.h"
#include "matrix/files/market/market.h"
#include "support/market.h"

enum status read_file(const char *path, const struct load_options *options, struct progress *progress,
                      struct matrix *matrix, struct error *error)
{
    struct container *container;
    *matrix = (struct matrix){0};
    enum status status = container_open(path, &container, error);
    if (status) return status;
    status = market_read(container, options, progress, matrix, error);
    if (status) assert_null(matrix->csr.row_ptr);
    container_close(container);
    return status;
}
