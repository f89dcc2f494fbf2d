/* The list of `sparsight kernels` as JSON, for programs. */
#ifndef SPARSIGHT_COMMAND_KERNELS_JSON_H
#define SPARSIGHT_COMMAND_KERNELS_JSON_H

#include "base/error.h"
#include "base/text.h"

/* Append one object with the storage formats, the kernels and the profiles of GPUs, as the text list has
 * them; the manual describes its keys. Libraries and devices are searched for. STATUS_MEMORY. */
enum status append_kernels_json(struct text *text, struct error *error);

#endif
