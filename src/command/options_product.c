#include "command/options_product.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum status product_read(const char *text, struct product *product, struct error *error)
{
    product->transposed = strcmp(text, "At") == 0;
    if (product->transposed || strcmp(text, "A") == 0) return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--product=%.40s: give A, the matrix as it is, or At, the transposed one", text);
}

enum status columns_read(const char *text, struct product *product, struct error *error)
{
    char *end;
    errno = 0;
    long columns = strtol(text, &end, 10);
    if (errno || text[0] < '0' || text[0] > '9' || *end || columns < 1 || columns > PRODUCT_COLUMNS_MAX)
        return error_set(error, STATUS_USAGE, "--columns=%.40s is not a whole number from 1 to %d", text,
                         PRODUCT_COLUMNS_MAX);
    product->columns = (int)columns;
    return STATUS_OK;
}

enum status layout_read(const char *text, struct product *product, struct error *error)
{
    product->by_rows = strcmp(text, "rows") == 0;
    if (product->by_rows || strcmp(text, "columns") == 0) return STATUS_OK;
    return error_set(
        error, STATUS_USAGE,
        "--layout=%.40s: give columns, one vector behind the other, or rows, the elements of all "
        "vectors side by side",
        text);
}

enum status product_options_check(const struct options *options, struct error *error)
{
    const struct report_request *request = &options->request;
    const struct product product = request->timing.product;
    int columns = product_columns(product);
    if (product.by_rows && columns == 1)
        return error_set(error, STATUS_USAGE,
                         "--layout=rows is for several vectors: say how many with --columns=N");
    if (columns > 1 && (request->x || request->b))
        return error_set(error, STATUS_USAGE,
                         "--%s is a single vector, and --columns asks for %d: leave out one of the two",
                         request->x ? "x" : "b", columns);
    return STATUS_OK;
}
