#include "command/options_table.h"

#include <stdio.h>
#include <string.h>

#include "config.h"
#include "matrix/files/reader.h"
#include "matrix/generators/generate.h"
#include "report/inventory.h"

#define EVERY (~0u)
#define REPORTS (COMMAND_REPORT | COMMAND_SURVEY)
#define LOADS                                                                                    \
    (COMMAND_EXPLORE | REPORTS | COMMAND_GEN | COMMAND_CONVERT | COMMAND_PLOT | COMMAND_MANUAL | \
     COMMAND_RANKS)
#define READS COMMANDS_READING
#define TELLS (COMMAND_SURVEY | COMMAND_COMPARE)

const struct option_entry option_entries[OPTIONS_MAX + 1] = {
    {FLAG_FORMAT, "format", "FORMAT", "how the report is written (see below); default text",
     COMMAND_REPORT | COMMAND_RANKS},
    {FLAG_FORM, "format", "png|svg|pdf", "png, svg or pdf; default: what the ending of --output says",
     COMMAND_PLOT},
    {FLAG_BY, "by", "count|value|sign|owner",
     "what the colours of a pattern tell: count (entries), value (the\nlargest |a|), sign (the share that "
     "is positive) or owner (the\npart that owns the rows, of --parts); default count",
     COMMAND_PLOT},
    {FLAG_SIZE, "size", "WxH",
     "pixels of a picture, points of a PDF, characters in a terminal,\nas 1200x900; default: what suits it",
     COMMAND_PLOT},
    {FLAG_STORAGE, "storage", "FORMAT",
     "the storage format whose layout is drawn, as ell:pad=sentinel;\ndefault csr", COMMAND_PLOT},
    {FLAG_AT, "at", "ROW,COLUMN", "the place that a layout marks, from 1; default: the first entry",
     COMMAND_PLOT},
    {FLAG_KERNELS, "kernels", "LIST",
     "time these kernels ('sparsight kernels' lists them), where they are\nforecast else; for speed-up the "
     "first over each of the others",
     COMMAND_PLOT},
    {FLAG_REORDER, "reorder", "ORDER", "draw the matrix in this order ('sparsight report --help' lists them)",
     COMMAND_PLOT},
    {FLAG_CONVERT, "convert", "LIST",
     "build these storage formats and time that (see below; all, none);\ndefault none: sizes are counted "
     "without building",
     REPORTS},
    {FLAG_PRECISION, "precision", "LIST",
     "of values, f64, f32 or f32,f64, which of a complex matrix are c64\nand c32: sizes are counted and "
     "kernels run in each; default f64",
     REPORTS | COMMAND_RANKS},
    {FLAG_ARRAYS, "arrays", "LIST", "build these storage formats and print their arrays", COMMAND_REPORT},
    {FLAG_REORDER, "reorder", "ORDERS",
     "report the matrix in these orders too, beside the natural one (see\nbelow); may be repeated", REPORTS},
    {FLAG_REORDER, "reorder", "ORDERS",
     "open the matrix in these orders too, and show the first\n('sparsight report --help' lists them); may "
     "be repeated",
     COMMAND_EXPLORE},
    {FLAG_REORDER, "reorder", "ORDER",
     "write the matrix in this order ('sparsight report --help' lists\nthem); SPEC may be any MATRIX then, a "
     "file for instance",
     COMMAND_GEN},
    {FLAG_REORDER, "reorder", "ORDER",
     "write the matrix in this order ('sparsight report --help' lists\nthem)", COMMAND_CONVERT},
    {FLAG_PERMUTATION, "permutation", "FILE",
     "write the permutation too: line k has the number of the row that\nbecomes row k, from 1",
     COMMAND_GEN | COMMAND_CONVERT},
    {FLAG_STRUCTURE, "structure", NULL,
     "report the block triangular form and the fill of a Cholesky factor\ntoo, which take more than linear "
     "time",
     REPORTS},
    {FLAG_PARTS, "parts", "NUMBERS",
     "spread the matrix over so many processes, 2,8 or 2..64 (which doubles):\nwhat a product exchanges, and "
     "how it would scale; of plot, the owners of\nthe rows",
     REPORTS | COMMAND_PLOT | COMMAND_RANKS},
    {FLAG_PARTS, "parts", "NUMBERS",
     "begin the Parts screen with so many processes, 2,8 or 2..64 (which\ndoubles)", COMMAND_EXPLORE},
    {FLAG_PARTITION, "partition", "LIST",
     "by these partitions of the rows (see below); default all that need no\nfile; of plot, one of them",
     REPORTS | COMMAND_PLOT},
    {FLAG_PARTITION, "partition", "LIST",
     "and with these partitions of the rows ('sparsight report --help' lists\nthem)", COMMAND_EXPLORE},
    {FLAG_PARTITION, "partition", "LIST",
     "of --parts, by these partitions of the rows (see below); default all\nthat need no file; of --kernels, "
     "cut the rows among the ranks by this\none; default entries, runs of about equally many entries",
     COMMAND_RANKS},
    {FLAG_NETWORK, "network", "NUMBERS",
     "predict that for messages of latency=US and bandwidth=GB/S;\ndefault latency=2,bandwidth=12",
     REPORTS | COMMAND_EXPLORE | COMMAND_RANKS},
    {FLAG_KERNELS, "kernels", "LIST",
     "run these kernels, check and time them: backends, names, globs,\nwith parameters after a colon (all, "
     "none; 'sparsight kernels'\nlists them); default none",
     REPORTS | COMMAND_RANKS},
    {FLAG_TUNE, "tune", "all|forecast",
     "find the fastest parameters of these kernels, of all unless\n--kernels names some; forecast, the "
     "default, runs the most\npromising tenth of the variants, all runs every one",
     REPORTS, .optional = true},
    {FLAG_PROTOCOL, "protocol", "NAME",
     "how samples are taken: median (of 30 or more, in rounds),\ncranfield (mean of 20, the first dropped), "
     "cmrs (mean of 11,\nthe slowest dropped); default median",
     REPORTS},
    {FLAG_REPEAT, "repeat", "N", "take N samples of each kernel", REPORTS | COMMAND_PLOT | COMMAND_RANKS},
    {FLAG_WARMUP, "warmup", "N", "run each kernel N times before that; default 3 with median, else 0",
     REPORTS | COMMAND_RANKS},
    {FLAG_COLD, "cold", NULL, "flush the caches before each sample", REPORTS},
    {FLAG_ACCUMULATE, "accumulate", NULL, "time y += A x instead of y = A x", REPORTS | COMMAND_RANKS},
    {FLAG_PRODUCT, "product", "A|At", "multiply with the matrix, or with the transposed one; default A",
     REPORTS},
    {FLAG_COLUMNS, "columns", "N", "multiply N vectors at once, 1 to 64: Y = A X; default 1",
     REPORTS | COMMAND_RANKS},
    {FLAG_LAYOUT, "layout", "columns|rows",
     "how these are stored: one vector behind the other\n(column-major), or the elements of all side by "
     "side\n"
     "(row-major); default columns",
     REPORTS | COMMAND_RANKS},
    {FLAG_DEVICE, "device", "N",
     "run the kernels of GPUs on this one ('sparsight kernels' lists\nthem); default 0",
     COMMAND_EXPLORE | REPORTS | COMMAND_PLOT | COMMAND_RANKS},
    {FLAG_GPU, "gpu", "NAME",
     "estimate for this GPU ('sparsight kernels' lists them), or for that\nof the profile FILE.gpu; default "
     "that of --device, else " GPU_STANDARD,
     COMMAND_EXPLORE | REPORTS | COMMAND_PLOT | COMMAND_RANKS},
    {FLAG_GPU, "gpu", "NAME", "show all that the profile of this GPU says; FILE.gpu is one of yours",
     COMMAND_KERNELS},
    {FLAG_CALIBRATE, "calibrate", NULL,
     "measure the processors and a GPU of this machine for forecasts, keep\ntheir profiles where these and "
     "--gpu=NAME find them, and print the\nGPU's, or else the processors'; takes less than a minute",
     COMMAND_KERNELS},
    {FLAG_DEVICE, "device", "N", "measure this GPU, and no processors; default 0 with them", COMMAND_KERNELS},
    {FLAG_CARRY, "carry", "BYTES",
     "bytes that JSON takes for the pattern and the lengths of each matrix,\nwhich '--results' then shows "
     "without it; default 64K, in JSON lines 0",
     COMMAND_REPORT | COMMAND_RANKS},
    {FLAG_SAMPLE, "sample", "SHARE",
     "replay this share of the warps for estimates, 0.1 or 10%; default all,\nor those of about one million "
     "slots",
     COMMAND_EXPLORE | REPORTS},
    {FLAG_X, "x", "FILE", "multiply with this vector, a MATRIX of one column; default random",
     COMMAND_REPORT},
    {FLAG_B, "b", "FILE", "compare A x with this vector", COMMAND_REPORT},
    {FLAG_SEED, "seed", "N", "what x and the order of the samples follow from; default 1",
     REPORTS | COMMAND_RANKS},
    {'o', "output", "FILE", "write to FILE, whole or not at all; default standard output",
     COMMAND_RANKS | COMMAND_REPORT | COMMAND_GEN | COMMAND_KERNELS | COMMAND_SCHEMA | COMMAND_MANUAL |
         COMMAND_COMPLETION},
    {'o', "output", "FILE",
     "write to FILE, whole or not at all, in the form that its ending\nsays; default: the picture stands in "
     "the terminal",
     COMMAND_PLOT},
    {'o', "output", "FILE",
     "write a line a matrix there as it is done, and then the tables to\nstandard output", COMMAND_SURVEY},
    {'o', "output", "FILE", "write to FILE, whole or not at all; default standard output", COMMAND_COMPARE},
    {FLAG_FORMAT, "format", "text|csv|json", "how the tables are written (see below); default text", TELLS},
    {FLAG_RESUME, "resume", NULL, "go on where FILE ends; without a MATRIX, only print the tables",
     COMMAND_SURVEY},
    {FLAG_INPUTS, "list", "FILE", "take a MATRIX from each line of FILE too; - is standard input",
     COMMAND_SURVEY},
    {FLAG_JOBS, "jobs", "N",
     "work on N matrices at once, each with an N-th of the memory; what is\ntimed is so alone; default 1",
     COMMAND_SURVEY},
    {FLAG_PLOTS, "plots", "FOLDER", "draw the tables too (see below), a file each, in this folder",
     COMMAND_SURVEY},
    {FLAG_FORM, "form", "png|svg|pdf", "what --plots writes; default svg", COMMAND_SURVEY},
    {FLAG_SIZE, "size", "WxH", "the pixels of what --plots writes, points of a PDF; default 800x600",
     COMMAND_SURVEY},
    {FLAG_BACKGROUND, "background", "light|dark|auto", "the background of these; default light",
     COMMAND_SURVEY},
    {FLAG_THRESHOLD, "threshold", "SHARE",
     "what is slower by more than this is told by the exit status, as 0.1 or\n10%; default 10%",
     COMMAND_COMPARE},
    {FLAG_LIMIT, "limit", "BYTES",
     "refuse reports that need more memory; default nine tenths of what is\nfree", COMMAND_COMPARE},
    {FLAG_ASCII, "ascii", NULL, "draw with plain characters only", COMMAND_EXPLORE | COMMAND_PLOT},
    {FLAG_BACKGROUND, "background", "light|dark|auto",
     "choose colours for this background; default auto: the terminal's", COMMAND_EXPLORE},
    {FLAG_BACKGROUND, "background", "light|dark|auto",
     "draw on this background; default auto: the terminal's, and light\nin files", COMMAND_PLOT},
    {FLAG_GRAPHICS, "graphics", "auto|kitty|sixel|none",
     "draw matrices in pixels by this protocol; default auto: the\nterminal's",
     COMMAND_EXPLORE | COMMAND_PLOT},
    {FLAG_NO_MOUSE, "no-mouse", NULL, "leave the mouse to the terminal", COMMAND_EXPLORE},
    {FLAG_RESULTS, "results", "FILE",
     "show what kernels did elsewhere: FILE is a report of this matrix\nthat was saved as JSON; may be "
     "repeated",
     COMMAND_EXPLORE | COMMAND_PLOT},
    {FLAG_DROP_ZEROS, "drop-zeros", NULL, "remove explicit zeros after reading", READS},
    {FLAG_TRANSPOSE, "transpose", NULL,
     "transpose the matrix after reading; complex values are not conjugated",
     READS & ~(unsigned)COMMAND_RANKS},
    {FLAG_LENIENT, "lenient", NULL,
     "read what real files get wrong where the meaning is certain,\nand say so on standard error", READS},
    {FLAG_BASE, "base", "N",
     "what the indices of text files begin with, 1 or 0; default 1, and of\nedge lists and triplets 0 if "
     "there "
     "is a 0",
     READS},
    {FLAG_FROM, "from", "NAME[:KIND]",
     "read files as of this file format (see below); default: what their\ncontents are", READS},
    {FLAG_NAMES, "names", NULL,
     "the vertices of edge lists are words, which are numbered as they\nfirst occur", READS},
    {FLAG_TO, "to", "NAME", "write this file format (see below); default: what the ending says",
     COMMAND_CONVERT | COMMAND_GEN},
    {FLAG_LIMIT, "limit", "BYTES",
     "refuse matrices and storage formats that need more memory;\nKiB, MiB, GiB, TiB (or K, M, G, T) may "
     "follow; default nine\ntenths of what is free",
     LOADS},
    {FLAG_STREAM, "stream", NULL,
     "keep no entries, as if the matrix were larger than the limit: all\nthat one pass over them tells",
     COMMAND_EXPLORE | REPORTS},
    {FLAG_THREADS, "threads", "N",
     "use N threads a rank; default one per processor, which the ranks of\na node divide", COMMAND_RANKS},
    {FLAG_THREADS, "threads", "N", "use N threads; default one per processor",
     COMMAND_EXPLORE | COMMAND_GEN | COMMAND_KERNELS | COMMAND_CONVERT | COMMAND_PLOT},
    {FLAG_THREADS_LIST, "threads", "LIST",
     "run kernels with each of these numbers of threads, as in 1,2,4\n"
     "or 1-8, and use the largest for all else; default one per\nprocessor",
     REPORTS},
    {FLAG_LIST, "list", NULL, "list the generators and their parameters", COMMAND_GEN},
    {'h', "help", NULL, "show this help", EVERY},
    {FLAG_VERSION, "version", NULL, "show the version", EVERY},
    {.name = NULL},
};
