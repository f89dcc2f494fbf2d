/* The list in which the kernel of a pane is chosen. */
#include <stdio.h>

#include "ui/warps/warps.h"

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    const struct warps *warps = state;
    const bool complex = explorer->session->shown->matrix.csr.imaginary != NULL;
    for (int k = 0; k < warps->list.count; k++) {
        const struct kernel_choice *choice = &warps->list.choices[k];
        char name[CHOICE_NAME];
        struct list_row *row = list_add(list);
        struct error error = {0};
        list_write(row, 0, "%s", kernel_choice_short_name(choice, name, sizeof name));
        for (int p = 0; row && p < WARPS_PANES; p++)
            row->marked |= warps_choice(warps, &warps->panes[p]) == k;
        if (row && kernel_suits(choice->kernel, complex, (struct product){0}, &error) != STATUS_OK)
            snprintf(row->reason, sizeof row->reason, "%s", error.message);
    }
}

static void choose(struct explorer *explorer, void *state, int row)
{
    warps_choose(explorer, state, row);
}

static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    const struct warps *warps = state;
    const char *reason = list->rows[list->selected].reason;
    flow_sentence(flow, COLOUR_TEXT, warps->list.choices[list->selected].kernel->summary);
    flow_break(flow);
    if (reason[0])
        flow_words(flow, COLOUR_BAD, reason);
    else
        flow_sentence(flow, COLOUR_DIM, "cuSPARSE's requests are unknown, and CPU kernels have no warps");
}

static const struct list_kind kernels_list = {
    .title = "Kernels whose requests are known",
    .wide = 76,
    .foot_high = 3,
    .columns = {{.title = "kernel"}},
    .fill = fill,
    .choose = choose,
    .about = about,
};

void warps_open_list(struct explorer *explorer, struct warps *warps)
{
    int choice = warps_choice(warps, &warps->panes[warps->focus]);
    list_open(explorer, &warps->dialog, &kernels_list, warps, choice < 0 ? 0 : choice);
}
