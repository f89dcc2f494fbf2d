/* Pictures in the terminal: its capabilities, and printing. */
#ifndef SPARSIGHT_COMMAND_PLOT_TERMINAL_H
#define SPARSIGHT_COMMAND_PLOT_TERMINAL_H

#include "command/options.h"
#include "report/figures/figure.h"

/* Print a figure to standard output: in pixels if the terminal has graphics, else in Braille; in plain
 * characters if these are requested or the locale has no Braille. In a pipe it is 80 characters wide and has
 * no colours. Fails as the figure does, and with STATUS_IO. */
enum status plot_print(const struct figure *figure, const struct figure_subject *subject,
                       const struct options *options, struct error *error);

/* Restore the terminal's modes from before the question. Signal handlers may call this. */
void plot_signalled(void);

#endif
