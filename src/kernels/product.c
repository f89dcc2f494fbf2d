#include "kernels/product.h"

#include <stdio.h>

char *product_equation(struct product product, char *out)
{
    bool several = product_columns(product) > 1;
    snprintf(out, PRODUCT_TEXT, "%c %s %s %c", several ? 'Y' : 'y', product.accumulate ? "+=" : "=",
             product.transposed ? "A^T" : "A", several ? 'X' : 'x');
    return out;
}

char *product_write(struct product product, char *out)
{
    char equation[PRODUCT_TEXT];
    product_equation(product, equation);
    if (product_columns(product) > 1)
        snprintf(out, PRODUCT_TEXT, "%.14s, %d columns, %s-major", equation, product_columns(product),
                 product.by_rows ? "row" : "column");
    else
        snprintf(out, PRODUCT_TEXT, "%s", equation);
    return out;
}
