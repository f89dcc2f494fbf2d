/* Options of pictures, as they are read from the command line. Each fails with STATUS_USAGE. */
#ifndef SPARSIGHT_COMMAND_OPTIONS_PICTURE_H
#define SPARSIGHT_COMMAND_OPTIONS_PICTURE_H

#include <stdint.h>

#include "base/error.h"
#include "formats/list.h"
#include "report/figures/figure.h"

/* Read "count", "value" or "sign". */
enum status picture_by_read(const char *text, enum figure_by *by, struct error *error);

/* Read "1200x900", wide and high. */
enum status picture_size_read(const char *text, int size[2], struct error *error);

/* Read "ROW,COLUMN", which count from 1, as a place that counts from 0. */
enum status picture_at_read(const char *text, int64_t at[2], struct error *error);

/* Read the choice of one format into an empty list. */
enum status picture_storage_read(const char *text, struct format_list *list, struct error *error);

#endif
