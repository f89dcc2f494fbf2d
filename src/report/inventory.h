/* Lists for people: the formats, kernels and GPU profiles of this build, and which of the kernels this
 * machine can run. */
#ifndef SPARSIGHT_REPORT_INVENTORY_H
#define SPARSIGHT_REPORT_INVENTORY_H

#include "base/text.h"
#include "kernels/gpu/profile.h"

/* Append the storage formats with their summaries, parameters, listed variants and sources. */
void append_format_list(struct text *text);

/* Append the formats, the kernels (parameters, source, and the reason if one cannot run here), the devices
 * and the GPU profiles. If `gpu` has a name, append all figures of this profile instead. */
void append_inventory(const struct gpu *gpu, struct text *text);

#endif
