/* The table of a kernel's columns, in the order of the report. */
#include "columns/lists.h"

const struct column_part *const kernel_parts[] = {&part_run,  &part_energy, &part_predicted, &part_estimate,
                                                  &part_cmrs, &part_tuning, &part_ranked,    NULL};

static const struct column_list lists[] = {
    {.columns = run_columns, .part = &part_run},
    {.columns = estimate_leading_columns, .part = &part_estimate},
    {.columns = run_later_columns, .part = &part_run},
    {.columns = energy_columns, .part = &part_energy},
    {.columns = prediction_columns, .part = &part_predicted},
    {.columns = estimate_columns, .part = &part_estimate},
    {.columns = operand_columns, .part = &part_estimate, .instances = operands},
    {.columns = memory_columns, .part = &part_estimate},
    {.columns = memory_operand_columns, .part = &part_estimate, .instances = operands},
    {.columns = estimate_later_columns, .part = &part_estimate},
    {.columns = f_columns, .part = &part_cmrs, .instances = lambdas},
    {.columns = a_columns, .part = &part_cmrs, .instances = lambdas, .by_instance = true},
    {.columns = cmrs_columns, .part = &part_cmrs},
    {.columns = tuning_columns, .part = &part_tuning},
    {.columns = ranked_columns, .part = &part_ranked},
    {.columns = NULL},
};

COLUMN_TABLE(kernel_columns, lists)
