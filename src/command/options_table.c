#include "command/options_table.h"

#include <string.h>

#include "command/completion/values.h"
#include "kernels/timing/processor_sure.h"

#define REPEAT_MAX 100000
#define DEVICE_MAX 1023
#define JOBS_MAX 1024

#define AT(field) offsetof(struct options, field)
#define EVERY (~0u)
#define REPORTS (COMMAND_REPORT | COMMAND_SURVEY)
#define LOADS                                                                                    \
    (COMMAND_EXPLORE | REPORTS | COMMAND_GEN | COMMAND_CONVERT | COMMAND_PLOT | COMMAND_MANUAL | \
     COMMANDS_OF_RANKS)
#define READS COMMANDS_READING
#define TELLS (COMMAND_SURVEY | COMMAND_COMPARE)

const struct option_row option_rows[OPTIONS_MAX + 1] = {
    {"format", "FORMAT", "format of the report (see below); default text", COMMAND_REPORT | COMMAND_RANKS,
     read_report_format, offer_reports},
    {"format", "png|svg|pdf", "png, svg or pdf; default: by the ending of --output", COMMAND_PLOT, read_form},
    {"by", "count|value|sign|owner",
     "quantity that the colours of a pattern show: count (entries), value\n"
     "(the largest |a|), sign (the share of positive values) or owner (the\n"
     "part of --parts that owns the rows); default count",
     COMMAND_PLOT, read_by},
    {"size", "WxH",
     "size in pixels, points (PDF) or characters (terminal), as 1200x900;\ndefault: chosen for each kind",
     COMMAND_PLOT, read_size, offer_number},
    {"storage", "FORMAT", "the storage format whose layout is drawn, as ell:pad=sentinel;\ndefault csr",
     COMMAND_PLOT, read_storage, offer_format},
    {"at", "ROW,COLUMN", "the position that a layout marks, from 1; default: the first entry", COMMAND_PLOT,
     read_at, offer_number, .wants = "give a row and a column, from 1, as 12,7"},
    {"kernels", "LIST",
     "time these kernels ('sparsight kernels' lists them); default: forecast\n"
     "them; speed-up compares the first with each of the others",
     COMMAND_PLOT, read_kernels, offer_kernels},
    {"reorder", "ORDER", "draw the matrix in this order ('sparsight report --help' lists them)", COMMAND_PLOT,
     read_orders, offer_orders},
    {"convert", "LIST",
     "build these storage formats and time the conversion (see below; all,\n"
     "none); default none: sizes are counted without building",
     REPORTS | COMMAND_RANKS, read_formats, offer_format_list, .field = AT(request.convert)},
    {"precision", "LIST",
     "precisions of the values, in which sizes are counted and kernels run:\n"
     "f64, f32 or f32,f64 (c64 and c32 of a complex matrix); default f64",
     REPORTS | COMMAND_RANKS, read_precisions, offer_precisions},
    {"precision", "f64|f32", "show kernels in this precision at first; default f64", COMMAND_EXPLORE,
     read_precision, .wants = "give f64 or f32"},
    {"arrays", "LIST", "build these storage formats and print their arrays", COMMAND_REPORT, read_formats,
     offer_format_list, .field = AT(request.arrays)},
    {"reorder", "ORDERS",
     "report the matrix in these orders too, beside the natural one (see\nbelow); may be repeated",
     REPORTS | COMMAND_RANKS, read_orders, offer_orders},
    {"reorder", "ORDERS",
     "open the matrix in these orders too, and show the first\n('sparsight report --help' lists them); may "
     "be repeated",
     COMMAND_EXPLORE, read_orders, offer_orders},
    {"reorder", "ORDER",
     "write the matrix in this order ('sparsight report --help' lists\n"
     "them); SPEC may then be any MATRIX, such as a file",
     COMMAND_GEN, read_orders, offer_orders},
    {"reorder", "ORDER", "write the matrix in this order ('sparsight report --help' lists\nthem)",
     COMMAND_CONVERT | COMMAND_RANKS_CONVERT, read_orders, offer_orders},
    {"permutation", "FILE",
     "write the permutation too: line k has the number of the row that\nbecomes row k, from 1",
     COMMAND_GEN | COMMAND_CONVERT | COMMAND_RANKS_CONVERT, read_string, offer_files,
     .field = AT(permutation)},
    {"structure", NULL,
     "report the block triangular form, the fill of a Cholesky factor, bounds of QR\n"
     "and LU, and the levels and colours of triangular solves, too",
     REPORTS | COMMAND_RANKS, .given = AT(request.structure)},
    {"spgemm", NULL, "report the entries and multiplications of A A, A^T A and A A^T, too", REPORTS,
     .given = AT(request.spgemm)},
    {"solve", "LIST",
     "solve A x = b by cg, bicgstab and gmres with preconditioners none, jacobi,\n"
     "block-jacobi, ilu0 and ic0, or those of the list, and report iterations,\n"
     "times, and kernels for it; tol=, max=, restart= and more (see the manual)",
     REPORTS | COMMAND_PLOT, read_solve, offer_solve, .given = AT(request.solve), .optional = true},
    {"trisolve", "LIST",
     "time triangular solves and symmetric Gauss-Seidel steps: lower, upper, symgs;\ndefault all", REPORTS,
     read_trisolve, offer_trisolve, .given = AT(request.trisolve), .optional = true},
    {"rounding", NULL,
     "report how the values are rounded in f32, bf16, fp16 and sums of them, and\nthe error of the product, "
     "too",
     REPORTS, .given = AT(request.rounding)},
    {"only", "SECTIONS",
     "report and compute only these sections (see below), and those that\nother options request",
     REPORTS | COMMAND_RANKS, read_only, offer_sections},
    {"timing", NULL, "report the time of each analysis and forecast of the report, too",
     REPORTS | COMMAND_RANKS, .given = AT(request.costs)},
    {"parts", "NUMBERS",
     "divide the rows among these numbers of processes, 2,8 or 2..64 (2, 4,\n"
     "8, ..., 64), and report communication and scaling; for plot, the owners\n"
     "of the rows",
     REPORTS | COMMAND_PLOT | COMMAND_RANKS, read_parts, offer_number},
    {"parts", "NUMBERS",
     "start the Parts screen with these numbers of processes, 2,8 or 2..64\n(2, 4, 8, ..., 64)",
     COMMAND_EXPLORE, read_parts, offer_number},
    {"partition", "LIST",
     "divide the rows by these partitions (see below); default all that need\nno file; for plot, one of them",
     REPORTS | COMMAND_PLOT, read_partitions, offer_partitions},
    {"partition", "LIST",
     "start the Parts screen with these partitions of the rows\n('sparsight report --help' lists them)",
     COMMAND_EXPLORE, read_partitions, offer_partitions},
    {"partition", "LIST",
     "with --parts, these partitions of the rows (see below); default all\n"
     "that need no file; with --kernels, the partitions of the rows among the\n"
     "ranks; default entries, ranges of about equally many entries",
     COMMAND_RANKS, read_partitions, offer_partitions},
    {"network", "NUMBERS|NAME",
     "predict scaling for messages of latency=US and bandwidth=GB/S, or\n"
     "for the network that 'sparsight-mpi report --network=measure' kept\n"
     "by this name; default this machine's, or latency=2,bandwidth=12",
     REPORTS | COMMAND_EXPLORE, read_network, offer_network, .given = AT(request.distribution.networked)},
    {"network", "measure|NUMBERS|NAME",
     "measure the messages of these ranks, and keep them for later\n"
     "predictions on this machine (measure:NAME: by this name); or predict\n"
     "scaling for messages of latency=US and bandwidth=GB/S, or for a kept\n"
     "network; default this machine's, or latency=2,bandwidth=12",
     COMMAND_RANKS, read_network, offer_network, .given = AT(request.distribution.networked)},
    {"kernels", "LIST",
     "run, check and time these kernels: backends, names, patterns,\n"
     "with parameters after a colon (all, none; 'sparsight kernels'\n"
     "lists them); default none",
     REPORTS | COMMAND_RANKS, read_kernels, offer_kernels},
    {"tune", "all|forecast",
     "find the fastest parameters of the kernels of --kernels, or of all;\n"
     "forecast, the default, runs the most promising tenth of the\n"
     "variants, all runs every variant",
     REPORTS, read_tune, .optional = true,
     .wants = "give all, which runs every variant, or forecast, which runs the most promising tenth"},
    {"protocol", "NAME",
     "sampling protocol: median (of 30 or more, in rounds),\n"
     "cranfield (mean of 20, the first dropped), cmrs (mean of 11,\n"
     "the slowest dropped); default median",
     REPORTS | COMMAND_EXPLORE, read_protocol, offer_protocols},
    {"repeat", "N", "take N samples of each kernel", REPORTS | COMMAND_PLOT | COMMAND_RANKS, read_repeat,
     offer_number, .field = AT(request.timing.repeat), .min = 1, .max = REPEAT_MAX},
    {"warmup", "N", "run each kernel N times before the samples; default 3 with median, else 0",
     REPORTS | COMMAND_RANKS, read_warmup, offer_number, .max = REPEAT_MAX},
    {"cold", NULL, "flush the caches before each sample", REPORTS, .given = AT(request.timing.cold)},
    {"energy", "SECONDS",
     "measure the energy of a product of each kernel, too, in at most this\nmany seconds each; default 10",
     REPORTS, read_energy, offer_number, .optional = true,
     .wants = "give the seconds for each kernel, as 2.5"},
    {"accumulate", NULL, "time y += A x instead of y = A x", REPORTS | COMMAND_RANKS,
     .given = AT(request.timing.product.accumulate)},
    {"product", "A|At", "multiply by the matrix or by its transpose; default A", REPORTS | COMMAND_RANKS,
     read_product, .wants = "give A, the matrix, or At, its transpose"},
    {"columns", "N", "multiply N vectors at once, 1 to 64: Y = A X; default 1", REPORTS | COMMAND_RANKS,
     read_count, offer_number, .field = AT(request.timing.product.columns), .min = 1,
     .max = PRODUCT_COLUMNS_MAX},
    {"layout", "columns|rows",
     "layout of these vectors: one vector after the other (columns:\n"
     "column-major), or the elements of all side by side (rows:\n"
     "row-major); default columns",
     REPORTS | COMMAND_RANKS, read_layout,
     .wants = "give columns (one vector after the other) or rows (the elements of all vectors side by side)"},
    {"device", "N", "run GPU kernels on this device ('sparsight kernels' lists them);\ndefault 0",
     COMMAND_EXPLORE | REPORTS | COMMAND_PLOT | COMMAND_RANKS, read_count, offer_number,
     .field = AT(request.timing.device), .given = AT(device_named), .max = DEVICE_MAX},
    {"gpu", "NAME",
     "estimate for this GPU ('sparsight kernels' lists them), or for the GPU\n"
     "of the profile FILE.gpu; default that of --device, else " GPU_STANDARD,
     COMMAND_EXPLORE | REPORTS | COMMAND_PLOT | COMMAND_RANKS, read_gpu, offer_gpus},
    {"json", NULL, "list everything as a JSON object, for programs", COMMAND_KERNELS, .given = AT(json)},
    {"gpu", "NAME", "show the profile of this GPU, or your own profile FILE.gpu", COMMAND_KERNELS, read_gpu,
     offer_gpus},
    {"calibrate", NULL,
     "measure the processors and a GPU of this machine for forecasts, save\n"
     "their profiles for forecasts and --gpu=NAME, and print the profile of\n"
     "the GPU, or else of the processors; takes less than a minute",
     COMMAND_KERNELS, .given = AT(calibrate)},
    {"repeat", "N", "measure the processors N times at most, 1 to 3; default 3", COMMAND_KERNELS, read_count,
     offer_number, .field = AT(calibrations), .min = 1, .max = PROCESSOR_TIMES},
    {"device", "N", "measure this GPU alone; default: GPU 0 and the processors", COMMAND_KERNELS, read_count,
     offer_number, .field = AT(request.timing.device), .given = AT(device_named), .max = DEVICE_MAX},
    {"picture", "auto|always|never",
     "show a picture of the pattern in text reports; default auto: on a\nterminal", COMMAND_REPORT,
     read_picture},
    {"carry", "BYTES",
     "JSON holds the pattern and the lengths of each matrix in this many\n"
     "bytes; --results shows them without the matrix; default 64K, JSON lines 0",
     COMMAND_REPORT | COMMAND_RANKS, read_carry, offer_number, .field = AT(request.carry),
     .given = AT(carried)},
    {"sample", "SHARE",
     "replay this share of the warps for estimates, 0.1 or 10%; default all,\n"
     "or the warps of about one million slots",
     COMMAND_EXPLORE | REPORTS, read_sample, offer_number,
     .wants = "give a share of the warps above 0 and up to 1, as 0.1 or 10%"},
    {"x", "FILE", "multiply by this vector, a MATRIX of one column; default random", COMMAND_REPORT,
     read_string, offer_matrices, .field = AT(request.x)},
    {"b", "FILE", "compare A x with this vector", COMMAND_REPORT, read_string, offer_matrices,
     .field = AT(request.b)},
    {"seed", "N", "seed of x and of the order of the samples; default 1", REPORTS | COMMAND_RANKS, read_seed,
     offer_number, .min = 1, .max = INT64_MAX},
    {"output", "FILE", "write to FILE, whole or not at all; default standard output",
     COMMAND_RANKS | COMMAND_REPORT | COMMAND_GEN | COMMAND_KERNELS | COMMAND_SCHEMA | COMMAND_MANUAL |
         COMMAND_COMPLETION,
     read_string, offer_files, .field = AT(output), .letter = 'o'},
    {"output", "FILE",
     "write to FILE, whole or not at all, in the form given by its ending;\n"
     "default: draw in the terminal",
     COMMAND_PLOT, read_string, offer_files, .field = AT(output), .letter = 'o'},
    {"output", "FILE",
     "append a line to FILE after each matrix; at the end print the tables on\nstandard output",
     COMMAND_SURVEY, read_string, offer_files, .field = AT(output), .letter = 'o', .incidental = true},
    {"output", "FILE", "write to FILE, whole or not at all; default standard output", COMMAND_COMPARE,
     read_string, offer_files, .field = AT(output), .letter = 'o'},
    {"format", "text|csv|json|html", "format of the tables (see below); default text", TELLS,
     read_sheet_format, .incidental = true},
    {"resume", NULL, "continue where FILE ends; without a MATRIX, only print the tables", COMMAND_SURVEY,
     .given = AT(resume), .incidental = true},
    {"retry", NULL, "continue likewise, and try the inputs of FILE that failed again", COMMAND_SURVEY,
     .given = AT(retry), .incidental = true},
    {"list", "FILE", "also read a MATRIX from each line of FILE; - is standard input", COMMAND_SURVEY,
     read_string, offer_files, .field = AT(list), .incidental = true},
    {"jobs", "N",
     "work on N matrices at once, each with an N-th of the memory; kernels are\nalways timed alone; default "
     "1",
     COMMAND_SURVEY, read_count, offer_number, .field = AT(jobs), .min = 1, .max = JOBS_MAX,
     .incidental = true},
    {"plots", "FOLDER", "also draw the tables (see below), each in a file of this folder", COMMAND_SURVEY,
     read_string, offer_files, .field = AT(plots), .incidental = true},
    {"form", "png|svg|pdf", "form of the pictures of --plots; default svg", COMMAND_SURVEY, read_form,
     .incidental = true},
    {"size", "WxH", "size of the pictures of --plots in pixels, or points (PDF); default\n800x600",
     COMMAND_SURVEY, read_size, offer_number, .incidental = true},
    {"background", "light|dark|auto", "background of the pictures of --plots; default light", COMMAND_SURVEY,
     read_background, .incidental = true},
    {"threshold", "SHARE",
     "end with exit status 1 if a kernel is slower by more than this share,\nas 0.1 or 10%; default 10%",
     COMMAND_COMPARE, read_threshold, offer_number,
     .wants = "give a share of the base's time, 0 or more, as 0.1 or 10%"},
    {"limit", "BYTES", "refuse reports that need more memory; default nine tenths of the free\nmemory",
     COMMAND_COMPARE, read_bytes, offer_number, .field = AT(load.limit)},
    {"ascii", NULL, "draw with plain characters only",
     COMMAND_EXPLORE | COMMAND_LEARN | COMMAND_PLOT | COMMAND_REPORT, .given = AT(ascii)},
    {"background", "light|dark|auto", "choose colours for this background; default auto: the terminal's",
     COMMAND_EXPLORE | COMMAND_LEARN, read_background},
    {"background", "light|dark|auto",
     "draw on this background; default auto: the terminal's, and light\nin files", COMMAND_PLOT,
     read_background},
    {"graphics", "auto|kitty|sixel|none",
     "draw matrices in pixels by this protocol; default auto: the\nterminal's",
     COMMAND_EXPLORE | COMMAND_PLOT, read_graphics},
    {"no-config", NULL, "do not read the settings of ~/.config/sparsight/sparsight.conf", COMMAND_EXPLORE,
     .given = AT(no_config)},
    {"no-mouse", NULL, "leave the mouse to the terminal", COMMAND_EXPLORE | COMMAND_LEARN,
     .given = AT(no_mouse)},
    {"results", "FILE", "show the results of a saved JSON report of this matrix; may be repeated",
     COMMAND_EXPLORE | COMMAND_PLOT, read_saved, offer_files},
    {"results", "FILE",
     "report the contents of this saved JSON report or survey, without the matrices;\n"
     "MATRIX... are names of matrices in it, default all; may be repeated",
     COMMAND_REPORT, read_saved, offer_files},
    {"drop-zeros", NULL, "remove explicit zeros after reading", READS, .given = AT(load.drop_zeros)},
    {"transpose", NULL, "transpose the matrix after reading; complex values are not conjugated", READS,
     .given = AT(load.transpose)},
    {"lenient", NULL,
     "tolerate common faults of files if the meaning is certain, and report\nthem on standard error", READS,
     .given = AT(load.lenient)},
    {"base", "N",
     "first index in text files, 1 or 0; default 1; for edge lists and\ntriplets 0 if an index is 0", READS,
     read_base, offer_number, .wants = "indices begin with 0 or 1"},
    {"from", "NAME[:KIND]",
     "read files in this file format (see below); default: detected from\ntheir contents", READS, read_reader,
     offer_readers},
    {"names", NULL, "read the vertices of edge lists as words, and number them as they\nfirst occur", READS,
     .given = AT(load.names)},
    {"name", "NAME", "name of the matrix in reports, on screens and in pictures; default: its\nfile's",
     COMMAND_EXPLORE | COMMAND_REPORT | COMMAND_PLOT, read_name, offer_number},
    {"to", "NAME", "write this file format (see below); default: by the ending",
     COMMAND_CONVERT | COMMAND_GEN | COMMAND_RANKS_CONVERT, read_string, offer_writers, .field = AT(to)},
    {"limit", "BYTES",
     "refuse matrices and storage formats that need more memory;\n"
     "KiB, MiB, GiB, TiB (or K, M, G, T) may follow; default nine\n"
     "tenths of the free memory",
     LOADS, read_bytes, offer_number, .field = AT(load.limit), .incidental = true},
    {"stream", NULL,
     "keep no entries, as for a matrix larger than the limit: only numbers\nfrom one pass over the file",
     COMMAND_EXPLORE | REPORTS, .given = AT(load.stream)},
    {"threads", "N",
     "use N threads per rank; default: the ranks of a node share its\nprocessors, one thread each",
     COMMANDS_OF_RANKS, read_threads, offer_number},
    {"threads", "N", "use N threads; default one per core",
     COMMAND_EXPLORE | COMMAND_GEN | COMMAND_KERNELS | COMMAND_CONVERT | COMMAND_PLOT, read_threads,
     offer_number},
    {"threads", "LIST",
     "run kernels with each of these numbers of threads, as 1,2,4 or\n"
     "1-8, and do all other work with the largest; default one per core",
     REPORTS, read_thread_list, offer_number},
    {"list", NULL, "list the generators and their parameters", COMMAND_GEN, .given = AT(help)},
    {"help", NULL, "show this help", EVERY, .given = AT(help), .letter = 'h'},
    {"version", NULL, "show the version", EVERY, .given = AT(version)},
    {.name = NULL},
};

const struct option_row *option_find(unsigned of, const char *name, size_t length)
{
    for (const struct option_row *row = option_rows; row->name; row++)
        if (row->commands & of && strlen(row->name) == length && strncmp(row->name, name, length) == 0)
            return row;
    return NULL;
}

const struct option_row *option_of_letter(unsigned of, char letter)
{
    for (const struct option_row *row = option_rows; row->name; row++)
        if (row->commands & of && row->letter == letter) return row;
    return NULL;
}
