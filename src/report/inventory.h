/* What this build knows and what this machine can run of it, for people. */
#ifndef SPARSIGHT_REPORT_INVENTORY_H
#define SPARSIGHT_REPORT_INVENTORY_H

#include "base/text.h"

/* Append the storage formats: what each is, its parameters, its listed variants, its source. */
void append_format_list(struct text *text);

/* Append the formats, the kernels (parameters, source, and why one cannot run here), and the devices. */
void append_inventory(struct text *text);

#endif
