/* The pictures that a survey ends with. */
#ifndef SPARSIGHT_COMMAND_SURVEY_CHARTS_H
#define SPARSIGHT_COMMAND_SURVEY_CHARTS_H

#include "base/error.h"
#include "command/options.h"
#include "report/charts/charts.h"

/* Write each chart that the collection has something for to the folder of --plots, which is made if it is not
 * there, as NAME.FORM, and say which. STATUS_IO, STATUS_MEMORY. */
enum status survey_charts(const struct options *options, const struct collection *collection,
                          const struct sheets *sheets, struct error *error);

/* STATUS_USAGE or STATUS_UNAVAILABLE if the options of pictures cannot be followed. */
enum status survey_charts_check(const struct options *options, struct error *error);

/* Append what the help says of the charts. */
void survey_charts_help(struct text *text);

#endif
