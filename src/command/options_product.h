/* The options that say what is computed: --product, --columns, --layout. */
#ifndef SPARSIGHT_OPTIONS_PRODUCT_H
#define SPARSIGHT_OPTIONS_PRODUCT_H

#include "base/error.h"
#include "command/options.h"

/* Read the argument of one of them. STATUS_USAGE says what there is. */
enum status product_read(const char *text, struct product *product, struct error *error);
enum status columns_read(const char *text, struct product *product, struct error *error);
enum status layout_read(const char *text, struct product *product, struct error *error);

/* STATUS_USAGE if the product that was asked for does not go with the other options. */
enum status product_options_check(const struct options *options, struct error *error);

#endif
