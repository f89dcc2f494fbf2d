/* Parts of a survey: its inputs, its processes, the report on one input, and its pictures. */
#ifndef SPARSIGHT_COMMAND_SURVEY_PARTS_H
#define SPARSIGHT_COMMAND_SURVEY_PARTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"
#include "command/options.h"
#include "report/charts/charts.h"
#include "report/report.h"

/* The inputs of a survey. */

/* The name of a matrix, or, with a reason, of a folder or archive that cannot be listed. */
struct survey_input {
    char *name;
    char *failure; /* NULL: it can be tried */
};

/* A folder of the file system, identified independently of its name. */
struct survey_folder {
    dev_t device;
    ino_t node;
};

/* Start with {0}; free with inputs_free. */
struct survey_inputs {
    struct survey_input *items;
    int count, room;
    int repeated;                  /* number of repeated names, which were left out */
    struct survey_folder *folders; /* listed folders, sorted */
    int folder_count, folder_room;
};

/* List the matrices of the operands and of options->list: files as they are, the matrices of folders and of
 * the folders in them by name, the members of archives with several, the lines of the list, except blank
 * lines and those that begin with #. Each folder is listed once, even if symbolic links give it several
 * names. In folders, files without the ending and the beginning of a matrix are left out. No thread is
 * started, so that the process may be forked afterwards. A folder or archive that cannot be listed becomes a
 * failed input; STATUS_IO if the list cannot be read, STATUS_MEMORY. */
enum status inputs_list(const struct options *options, struct survey_inputs *inputs, struct error *error);

/* Add the matrices of this name, as of an operand, unless there is an input of this name. O(inputs).
 * STATUS_MEMORY. */
enum status inputs_add(struct survey_inputs *inputs, const char *name, const struct load_options *options,
                       struct error *error);

void inputs_free(struct survey_inputs *inputs);

/* The processes of a survey: each processes one input, writes the result to standard output, and ends. A
 * failure of one does not affect the others. */

struct worker {
    pid_t process;        /* 0: none */
    int output, messages; /* read end of its output, -1 once it has ended */
    struct text said;     /* its standard error so far */
    struct text written;  /* its standard output so far */
    int input;            /* the number of the input */
    double started;       /* clock_seconds() */
};

/* Start with {0}, its descriptors -1. The process runs work(argument, input), whose result is its exit
 * status, and dies with its parent; if memory runs out the system ends it first. No thread may have been
 * started before. STATUS_IO if the system gives no process. */
enum status worker_start(struct worker *worker, int (*work)(void *argument, int input), void *argument,
                         int input, struct error *error);

/* Wait until one of `count` workers has ended, and collect their output meanwhile. Returns its index, and in
 * *state its status from waitpid; -1 if none is running. The caller takes `said` and `written`, and frees
 * them with worker_clear. */
int workers_wait(struct worker *workers, int count, int *state);

void worker_clear(struct worker *worker);

/* Reporting on one input, for report and survey. */

/* Report on one matrix, in each of the requested orders. If it cannot be loaded, or if a kernel was wrong,
 * the report says so, and *failed becomes true. If it was refused because of its memory, *limited becomes
 * true, too. The function itself fails only if the report cannot be written. */
enum status report_input(struct report *report, const char *name, const struct options *options, bool *failed,
                         bool *limited, struct error *error);

/* Report on the matrices of the saved reports of --results: all, or those that operands name. Their files are
 * not needed, and nothing is computed. As for report_input, *failed becomes true if a saved report cannot be
 * read, which the report says, or if none has a named matrix; the function itself fails only if the report
 * cannot be written. */
enum status report_saved(struct report *report, const struct options *options, bool *failed,
                         struct error *error);

/* STATUS_USAGE if an option cannot be combined with saved reports. */
enum status report_saved_check(const struct options *options, struct error *error);

/* The pictures at the end of a survey. */

/* Write each chart with data as NAME.FORM to the folder of --plots, which is created if necessary, and print
 * the names. STATUS_IO, STATUS_MEMORY. */
enum status survey_charts(const struct options *options, const struct collection *collection,
                          const struct sheets *sheets, struct error *error);

/* STATUS_USAGE or STATUS_UNAVAILABLE if the options of pictures are wrong or need a missing library. */
enum status survey_charts_check(const struct options *options, struct error *error);

/* Append the help on the charts. */
void survey_charts_help(struct text *text);

#endif
