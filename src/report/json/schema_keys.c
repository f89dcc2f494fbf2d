#include "report/json/schema_keys.h"

#include <stddef.h>

#define TEXT SCHEMA_TEXT
#define INTEGER SCHEMA_INTEGER
#define REAL SCHEMA_REAL
#define BOOLEAN SCHEMA_BOOLEAN
#define OBJECT SCHEMA_OBJECT
#define LIST SCHEMA_LIST
#define OR_NULL SCHEMA_NULL

const struct schema_key schema_keys[] = {
    {"host", "cpu", TEXT | OR_NULL, NULL, "", "the processor's name, if the system tells it"},
    {"host", "cpus", INTEGER, NULL, "", "processors that the program may run on"},
    {"host", "threads", INTEGER, NULL, "", "threads that it uses"},
    {"host", "memory", INTEGER | OR_NULL, NULL, "bytes", "memory of the machine"},
    {"host", "system", TEXT | OR_NULL, NULL, "",
     "name and release of the operating system, and the architecture"},
    {"host", "compiler", TEXT, NULL, "", "the compiler that built the program"},
    {"host", "openmp", INTEGER, NULL, "", "the OpenMP specification that it follows, as year and month"},
    {"host", "instruction_set", TEXT, NULL, "", "what the inner loops of the CPU kernels are compiled for"},
    {"host", "gpus", LIST, "gpu", "", "the GPUs that kernels could run on, in the order of their numbers"},
    {"host", "read_bandwidth", REAL | OR_NULL, NULL, "bytes/s",
     "the best bandwidth of reading that was measured beside any of the matrices"},
    {"host", "copy_bandwidth", REAL | OR_NULL, NULL, "bytes/s",
     "the best bandwidth of copying, bytes read and written, that was measured beside any of the matrices"},
    {"host", "cache_bytes", INTEGER | OR_NULL, NULL, "bytes", "size of the last-level cache, as measured"},

    {"host", "topology", OBJECT | OR_NULL, "topology", "",
     "what the machine consists of; null where nothing tells it"},
    {"host", "placement", TEXT, NULL, "", "where threads stay while they are timed"},

    {"topology", "source", TEXT, NULL, "", "who tells it: hwloc, or Linux"},
    {"topology", "here", BOOLEAN, NULL, "",
     "whether it is this machine, and not one that hwloc was told to imagine"},
    {"topology", "packages", INTEGER, NULL, "", "processor packages"},
    {"topology", "nodes", INTEGER, NULL, "", "memory nodes"},
    {"topology", "cores", INTEGER, NULL, "", "cores"},
    {"topology", "threads", INTEGER, NULL, "", "hardware threads"},
    {"topology", "caches", LIST, "cache", "", "the caches by level and kind"},

    {"cache", "level", INTEGER, NULL, "", "its level"},
    {"cache", "kind", TEXT, NULL, "", "data, instructions or unified"},
    {"cache", "bytes", INTEGER, NULL, "bytes", "its size"},
    {"cache", "threads", INTEGER, NULL, "", "hardware threads that share one"},
    {"cache", "count", INTEGER, NULL, "", "how many there are"},

    {"carried", "row_lengths", OBJECT | OR_NULL, "carried_lengths", "",
     "the lengths of the rows in their order; null if they do not fit"},
    {"carried", "col_lengths", OBJECT | OR_NULL, "carried_lengths", "", "the same of the columns"},
    {"carried", "pattern", OBJECT | OR_NULL, "carried_pattern", "",
     "how many entries each cell of the matrix has; null if that does not fit"},

    {"carried_lengths", "step", INTEGER, NULL, "rows or columns",
     "how many lines follow each other in a stretch, of which lengths are told; a power of two"},
    {"carried_lengths", "packed", TEXT, NULL, "", "numbers, packed: entries, and maxima, of the stretches"},

    {"carried_pattern", "row_step", INTEGER, NULL, "rows", "rows of a cell; a power of two"},
    {"carried_pattern", "col_step", INTEGER, NULL, "columns", "columns of a cell; a power of two"},
    {"carried_pattern", "ones", BOOLEAN, NULL, "", "whether no cell has more than one entry"},
    {"carried_pattern", "packed", TEXT, NULL, "", "numbers, packed: the cells with entries"},

    {"carried_parts", "pictures", LIST, "carried_picture", "",
     "the matrix by owners of its rows, coarse and finer as far as they fit"},
    {"carried_parts", "volumes", OBJECT | OR_NULL, "carried_volumes", "",
     "who receives how much from whom; null if that does not fit"},
    {"carried_parts", "owners", OBJECT | OR_NULL, "carried_owners", "",
     "the owners of all rows; null if that does not fit"},

    {"carried_picture", "row_step", INTEGER, NULL, "rows", "rows of a dot"},
    {"carried_picture", "col_step", INTEGER, NULL, "columns", "columns of a dot"},
    {"carried_picture", "packed", TEXT, NULL, "", "numbers, packed: the owner of each dot"},

    {"carried_volumes", "step", INTEGER, NULL, "parts", "parts that are taken together; a power of two"},
    {"carried_volumes", "packed", TEXT, NULL, "", "numbers, packed: elements by receiver and by sender"},

    {"carried_owners", "packed", TEXT, NULL, "", "numbers, packed: runs of rows with one owner"},

    {"distribution", "network", OBJECT, "network", "", "what messages take"},
    {"distribution", "single_us", REAL | OR_NULL, NULL, "us", "the time of a product of one process"},
    {"distribution", "kernel", TEXT | OR_NULL, NULL, "", "the kernel that takes it"},
    {"distribution", "measured", BOOLEAN | OR_NULL, NULL, "", "whether it was timed, or else forecast"},
    {"distribution", "partitions", LIST, "partition", "", "each partition with each number of parts"},

    {"network", "latency_us", REAL, NULL, "us", "the latency of a message"},
    {"network", "bandwidth_gbs", REAL, NULL, "10^9 bytes/s",
     "what a process receives, and sends at the same time"},
    {"network", "assumed", BOOLEAN, NULL, "", "whether these are the default"},

    {"gpu", "name", TEXT, NULL, "", "the GPU's name"},
    {"gpu", "memory", INTEGER, NULL, "bytes", "its memory"},
    {"gpu", "compute_capability", TEXT, NULL, "", "the compute capability"},
    {"gpu", "multiprocessors", INTEGER, NULL, "", "how many multiprocessors it has"},
    {"gpu", "cache_bytes", INTEGER, NULL, "bytes", "size of L2"},
    {"gpu", "vendor_bandwidth", REAL | OR_NULL, NULL, "bytes/s", "as its vendor states it"},
    {"gpu", "cuda", TEXT, NULL, "", "the version that the driver supports"},

    {"error", "path", TEXT | OR_NULL, NULL, "", "the file, as it was named"},
    {"error", "line", INTEGER | OR_NULL, NULL, "", "the line in it, counted from 1"},
    {"error", "column", INTEGER | OR_NULL, NULL, "", "the byte of the line, counted from 1"},
    {"error", "message", TEXT, NULL, "", "what is wrong"},

    {"timing", "protocol", TEXT, NULL, "", "how samples were taken: median, cranfield or cmrs"},
    {"timing", "cold", BOOLEAN, NULL, "", "whether the caches were flushed before each sample"},
    {"timing", "accumulate", BOOLEAN, NULL, "", "whether products were y += A x"},
    {"timing", "product", TEXT, NULL, "", "A, or At if the matrix was transposed"},
    {"timing", "columns", INTEGER, NULL, "", "how many vectors were multiplied at once"},
    {"timing", "layout", TEXT, NULL, "", "how these were stored: columns or rows"},
    {"timing", "seed", INTEGER, NULL, "", "what x and the order of the samples follow from"},
    {"timing", "threads", INTEGER | OR_NULL, NULL, "", "threads that the bandwidths were measured with"},
    {"timing", "read_bandwidth", REAL | OR_NULL, NULL, "bytes/s",
     "the best that reading memory did in this run"},
    {"timing", "read_bandwidth_low", REAL | OR_NULL, NULL, "bytes/s", "the worst in the same run"},
    {"timing", "copy_bandwidth", REAL | OR_NULL, NULL, "bytes/s",
     "the best that copying memory did in this run"},
    {"timing", "copy_bandwidth_low", REAL | OR_NULL, NULL, "bytes/s", "the worst in the same run"},
    {"timing", "cache_bytes", INTEGER | OR_NULL, NULL, "bytes",
     "size of the last-level cache, as a sweep over sizes found it"},
    {"timing", "gpu", OBJECT | OR_NULL, "timing_gpu", "",
     "the figures of the GPU; null if nothing was run on one"},

    {"timing_gpu", "device", TEXT, NULL, "", "the GPU's name"},
    {"timing_gpu", "read_bandwidth", REAL | OR_NULL, NULL, "bytes/s", "the best that reading its memory did"},
    {"timing_gpu", "read_bandwidth_low", REAL | OR_NULL, NULL, "bytes/s", "the worst in the same run"},
    {"timing_gpu", "copy_bandwidth", REAL | OR_NULL, NULL, "bytes/s", "the best that copying its memory did"},
    {"timing_gpu", "copy_bandwidth_low", REAL | OR_NULL, NULL, "bytes/s", "the worst in the same run"},
    {"timing_gpu", "vendor_bandwidth", REAL | OR_NULL, NULL, "bytes/s", "what its vendor states"},
    {"timing_gpu", "cache_bytes", INTEGER | OR_NULL, NULL, "bytes", "the size of L2 as the driver says"},

    {"length_count", "length", INTEGER, NULL, "entries", "a length that occurs"},
    {"length_count", "count", INTEGER, NULL, "", "how many rows, or columns, have it"},

    {"decade_count", "decade", INTEGER, NULL, "", "a power of ten"},
    {"decade_count", "count", INTEGER, NULL, "entries", "values with 10^decade <= |a| < 10^(decade+1)"},

    {"asked_order", "order", TEXT, NULL, "", "the name of an order that was asked for"},
    {"asked_order", "refused", TEXT | OR_NULL, NULL, "", "why the matrix is not reported in it"},

    {"candidate", "kernel", TEXT, NULL, "", "the kernel, with its parameters"},
    {"candidate", "format", TEXT, NULL, "", "the storage format that it reads"},
    {"candidate", "threads", INTEGER, NULL, "", "threads that it runs on; 0 on a GPU"},
    {"candidate", "forecast", BOOLEAN, NULL, "", "whether its time is forecast, and not measured"},
    {"candidate", "us", REAL | OR_NULL, NULL, "us", "the time of a product"},
    {"candidate", "convert_us", REAL | OR_NULL, NULL, "us", "the time of converting CSR"},
    {"candidate", "convert_forecast", BOOLEAN, NULL, "", "whether that is reckoned, and not measured"},
    {"candidate", "convert_on", TEXT, NULL, "", "where it is converted: host or gpu"},
    {"candidate", "upload_us", REAL | OR_NULL, NULL, "us", "the time of copying the storage to the GPU"},
    {"candidate", "memory", INTEGER, NULL, "bytes", "size of the storage, x and y"},
    {"candidate", "break_even", INTEGER | OR_NULL, NULL, "products",
     "from so many products on it takes no longer than the fastest kernel that reads CSR; null: never"},

    {"advised", "machine", TEXT, NULL, "", "what the place is called"},
    {"advised", "best_from", INTEGER | OR_NULL, NULL, "products",
     "from so many products on no other kernel takes less"},
    {"advised", "by_products", LIST, "advised_for", "", "the best kernel for 1, 10, 100, ... products"},
    {"advised", "orders", LIST, "advised_order", "", "what each other order would gain"},
    {"advised", "other_precision_us", REAL | OR_NULL, NULL, "us",
     "the time of a product of the fastest kernel in the other precision"},
    {"advised", "basis", TEXT | OR_NULL, NULL, "",
     "what forecasts for the processor rest on: calibrated, quick, uncertain or assumed; null for a GPU"},
    {"advised", "forecast_rows", INTEGER | OR_NULL, NULL, "rows",
     "rows of the excerpt that forecasts are made from; null: all, or nothing is forecast"},
    {"advised", "forecast_entries", INTEGER | OR_NULL, NULL, "entries", "entries of these rows"},
    {"advised", "verdict", TEXT, NULL, "", "what to take"},
    {"advised", "reason", TEXT, NULL, "", "why"},
    {"advised", "change", TEXT, NULL, "", "what would change it"},
    {"advised", "alternatives", LIST, "candidate", "", "all kernels of the place, the fastest first"},

    {"advised_for", "products", INTEGER | OR_NULL, NULL, "products", "for so many products"},
    {"advised_for", "kernel", TEXT, NULL, "", "the best kernel"},
    {"advised_for", "us", REAL | OR_NULL, NULL, "us", "its time with conversion and upload"},
    {"advised_for", "ties", LIST, NULL, "", "the names of those that cannot be told from it"},

    {"advised_order", "order", TEXT, NULL, "", "the order"},
    {"advised_order", "kernel", TEXT, NULL, "", "its best kernel"},
    {"advised_order", "us", REAL | OR_NULL, NULL, "us", "that kernel's time of a product"},
    {"advised_order", "forecast", BOOLEAN, NULL, "", "whether that is forecast, and not measured"},
    {"advised_order", "saved", REAL | OR_NULL, NULL, "of a product's time", "what the order saves"},
    {"advised_order", "order_us", REAL | OR_NULL, NULL, "us", "the time of finding and making the order"},
    {"advised_order", "permute_us", REAL | OR_NULL, NULL, "us",
     "the time of bringing x there and y back for one product"},
    {"advised_order", "break_even", INTEGER | OR_NULL, NULL, "products",
     "after so many products the order has paid off; null: never"},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
