/* Kernels: what the memory can do that kernels are held against. */
#include <stdio.h>

#include "base/text.h"
#include "ui/kernels/kernels.h"

#define GAP 3 /* between two machines */

/* The bandwidth of a machine that does nothing else stays within this of its best. */
#define DRIFT 0.75

/* The newest figures of the processor or of a GPU among those of the runs in sight; NULL if there are none.
 */
static const struct machine *newest(const struct board *board, enum device_kind kind)
{
    const struct run *last = NULL;
    for (int k = 0; k < board->line_count; k++) {
        const struct run *run = board->lines[k].run;
        if (run && run->results.machines[kind].read > 0 && (!last || run->number > last->number)) last = run;
    }
    return last ? &last->results.machines[kind] : NULL;
}

/* What the kernel under the cursor runs on. */
static enum device_kind kind_in_focus(const struct board *board)
{
    if (board->cursor >= board->line_count) return DEVICE_HOST;
    const struct line *line = &board->lines[board->cursor];
    const struct kernel *kernel =
        line->result ? line->result->kernel : board->list.choices[line->choice].kernel;
    return kernel->backend == BACKEND_FOREIGN ? DEVICE_HOST : backend_kind(kernel->backend);
}

void board_machine_words(const struct machine *machine, char *out, size_t size)
{
    char cache[32], read[32], copy[32];
    out[0] = 0;
    if (!(machine->read > 0)) return;
    format_bytes(cache, sizeof cache, (double)machine->cache);
    format_bandwidth(read, sizeof read, machine->read);
    format_bandwidth(copy, sizeof copy, machine->copy);
    if (machine->name[0])
        snprintf(out, size, "%s: read %s, copy %s, L2 %s", machine->name, read, copy, cache);
    else
        snprintf(out, size, "memory read %s, copy %s by %d thread%s, cache %s", read, copy, machine->threads,
                 machine->threads > 1 ? "s" : "", cache);
}

/* Returns the columns that it took: none if there is no room for all. */
static int draw_machine(const struct machine *machine, struct surface *surface, int y, int x, int wide)
{
    char words[256], low[32];
    board_machine_words(machine, words, sizeof words);
    int used = surface_text_whole(surface, y, x, wide, COLOUR_DIM, 0, "%s", words);
    if (machine->read_low >= DRIFT * machine->read || used == 0) return used;
    return used + surface_text_whole(surface, y, x + used, wide - used, COLOUR_WARN, 0,
                                     "; read fell to %s: something else ran",
                                     format_bandwidth(low, sizeof low, machine->read_low));
}

void board_draw_machines(const struct board *board, struct surface *surface, int y, int x, int wide)
{
    enum device_kind first = kind_in_focus(board);
    for (int k = 0; k < DEVICE_KINDS; k++) {
        enum device_kind kind = (enum device_kind)((first + k) % DEVICE_KINDS);
        const struct machine *machine = newest(board, kind);
        if (!machine) continue;
        int used = draw_machine(machine, surface, y, x, wide);
        x += used ? used + GAP : 0;
        wide -= used ? used + GAP : 0;
    }
}
