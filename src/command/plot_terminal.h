/* Pictures in the terminal: its capabilities, and printing. */
#ifndef SPARSIGHT_COMMAND_PLOT_TERMINAL_H
#define SPARSIGHT_COMMAND_PLOT_TERMINAL_H

#include "command/options.h"
#include "report/figures/figure.h"

/* Print a figure to standard output: in pixels where the terminal has graphics, else in Braille, or in plain
 * characters where these are asked for, or where the locale has no Braille. Into a pipe it is 80 characters
 * wide and has no colours. Fails as the figure does, and with STATUS_IO. */
enum status plot_print(const struct figure *figure, const struct figure_subject *subject,
                       const struct options *options, struct error *error);

/* Give the terminal the modes back that it had before it was asked. Signal handlers may call this. */
void plot_signalled(void);

#endif
