/* Lists for people: what this build has of formats, kernels and profiles of GPUs, and what of it this machine
 * can run. */
#ifndef SPARSIGHT_REPORT_INVENTORY_H
#define SPARSIGHT_REPORT_INVENTORY_H

#include "base/text.h"
#include "kernels/gpu/profile.h"

/* Append the storage formats: what each is, its parameters, its listed variants, its source. */
void append_format_list(struct text *text);

/* Append the formats, the kernels (parameters, source, and why one cannot run here), the devices, and the
 * profiles of GPUs; or, if `gpu` has a name, all that this profile says, and nothing else. */
void append_inventory(const struct gpu *gpu, struct text *text);

#endif
