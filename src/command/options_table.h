/* The table of options. Parsing, help and completion of an option use its row. */
#ifndef SPARSIGHT_COMMAND_OPTIONS_TABLE_H
#define SPARSIGHT_COMMAND_OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command/completion/values.h"
#include "command/options.h"

struct option_row;

/* Read the argument of an option into *options. `text` is NULL if an optional argument is left out. */
typedef enum status option_reader(const struct option_row *row, const char *text, struct options *options,
                                  struct error *error);

/* An option of some commands. An option that commands explain differently has several rows. */
struct option_row {
    const char *name;     /* its long form */
    const char *argument; /* name of its argument in the help, as FILE or a|b|c; NULL: it has none */
    const char *help;     /* lines with '\n' between them */
    unsigned commands;    /* the commands that have it */
    option_reader *read;  /* NULL if it takes no argument */
    offering *offer;      /* offers completions of the argument; NULL: the words of a|b|c */
    size_t field;         /* offset in struct options that `read` fills, if it serves several options */
    size_t given;         /* offset in struct options of a bool that becomes true; 0: none */
    int64_t min, max;     /* of whole numbers */
    const char *wants;    /* remedy in the error if the argument is wrong */
    char letter;          /* its short form; 0: none */
    bool optional;        /* the argument may be left out */
    bool incidental;      /* the records of a survey do not depend on it */
};

/* All options, at most OPTIONS_MAX; the last has no name. */
extern const struct option_row option_rows[OPTIONS_MAX + 1];

/* Return the option of these commands with the first `length` bytes of `name` for its long form, or with this
 * short form; NULL if there is none. */
const struct option_row *option_find(unsigned of, const char *name, size_t length);
const struct option_row *option_of_letter(unsigned of, char letter);

/* Take an option with its argument, as on the command line. */
enum status option_take(const struct option_row *row, const char *argument, struct options *options,
                        struct error *error);

/* The commands that read a MATRIX. */
#define COMMANDS_READING \
    (COMMAND_EXPLORE | COMMAND_REPORT | COMMAND_SURVEY | COMMAND_CONVERT | COMMAND_PLOT | COMMANDS_OF_RANKS)

/* Readers of arguments into struct options. Each fails with STATUS_USAGE and the remedy if the argument is
 * wrong; read_gpu fails as gpu_find does. */

/* Readers for any option; they fill the row's field: an int from min to max, a size_t, a string, a list of
   formats.
 */
option_reader read_count, read_bytes, read_string, read_formats;

/* Readers for one option each. */
option_reader read_name, read_report_format, read_sheet_format, read_carry, read_kernels, read_orders,
    read_precision, read_precisions, read_parts, read_partitions, read_network, read_reader, read_base,
    read_saved, read_tune, read_protocol, read_repeat, read_warmup, read_seed, read_product, read_layout,
    read_gpu, read_sample, read_threshold, read_threads, read_thread_list, read_form, read_by, read_size,
    read_at, read_only, read_energy, read_solve, read_trisolve, read_storage, read_background, read_graphics,
    read_picture;

#endif
