/* How arguments of options are read into struct options. Each fails with STATUS_USAGE if the argument is
 * wrong, and says how it should be; read_gpu fails as gpu_find does. */
#ifndef SPARSIGHT_COMMAND_OPTIONS_READERS_H
#define SPARSIGHT_COMMAND_OPTIONS_READERS_H

#include "command/options_table.h"

/* Of any option: these fill the row's field, an int from min to max, a size_t, a string, a list of formats.
 */
option_reader read_count, read_bytes, read_string, read_formats;

/* Of one option each. */
option_reader read_report_format, read_sheet_format, read_carry, read_kernels, read_orders, read_precisions,
    read_parts, read_partitions, read_network, read_reader, read_base, read_saved, read_tune, read_protocol,
    read_repeat, read_warmup, read_seed, read_product, read_layout, read_gpu, read_sample, read_threshold,
    read_threads, read_thread_list, read_form, read_by, read_size, read_at, read_storage, read_background,
    read_graphics;

#endif
