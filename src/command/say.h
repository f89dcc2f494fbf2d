/* Errors and notes of a command, on standard error, and its exit status. */
#ifndef SPARSIGHT_COMMAND_SAY_H
#define SPARSIGHT_COMMAND_SAY_H

#include "base/error.h"
#include "base/text.h"
#include "command/options.h"
#include "matrix/matrix.h"
#include "session/session.h"

/* The exit status of wrong usage. */
enum { EXIT_USAGE = 2 };

/* Print an error with its position. */
void say_error(const struct error *error);

/* Print lines with their line ends; NULL prints nothing. Other control characters become '?'. */
void say_words(const char *words);

/* Print one line with any contents, and a line end. It is cut at the length of an error. */
void say_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print the notes on a matrix, each line after the matrix's path. Control characters become '?'. */
void say_notes(const struct matrix *matrix);

/* Print the orders that a report lacks, with the reason. */
void say_refused_orders(const struct session *session);

/* Print the error of a command that ended with `status`, and return its exit status. STATUS_CANCELLED is not
 * printed: the reader has closed the pipe, or the user has cancelled. */
int conclude(enum status status, const struct error *error);

/* Print an error of the command line, and the option that prints help. Returns the exit status. */
int wrong_usage(const struct options *options, const struct error *error);

/* Write the lines of the text to the file of this path, or to standard output if that is NULL; control
 * characters become '?' in it. Returns the exit status. */
int print_text(struct text *text, const char *path);

#endif
