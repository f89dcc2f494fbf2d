/* The rows of the table: the usual ones, those of the options or of a report, and those typed by the user. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/network.h"
#include "base/memory.h"
#include "base/range.h"
#include "ui/parts/screen.h"

/* The limits of the usual rows. They have 2, 4, ... PARTS_USUAL parts, and more parts as long as each part
 * has PARTS_ROWS rows. With more than ENTRIES_MANY entries, libraries stop at PARTS_USUAL parts. */
#define PARTS_USUAL 64
#define PARTS_ROWS 64
#define PARTS_FIRST 8
#define ENTRIES_MANY ((int64_t)1 << 22)

static bool make_room(struct parts_screen *screen)
{
    struct distribution *table = &screen->table;
    if (table->count < screen->capacity) return true;
    size_t most = screen->capacity ? 2 * (size_t)screen->capacity : 64;
    struct distributed *rows = memory_resize(table->items, most, sizeof *rows, NULL);
    if (rows) table->items = rows;
    struct parts_item *items = rows ? memory_resize(screen->items, most, sizeof *items, NULL) : NULL;
    if (!items) return false;
    screen->items = items;
    screen->capacity = (int)most;
    return true;
}

/* Return the index of a new row: behind the rows of the same partition with fewer parts, or at the end. */
static int place_of(const struct distribution *table, const char *name, int64_t parts)
{
    int place = table->count;
    for (int k = table->count - 1; k >= 0; k--) {
        if (strcmp(table->items[k].name, name) != 0) continue;
        if (table->items[k].parts < parts) return k + 1;
        place = k;
    }
    return place;
}

int parts_row_of(struct parts_screen *screen, const char *name, const struct partitioner *partitioner,
                 int64_t parts)
{
    struct distribution *table = &screen->table;
    for (int k = 0; k < table->count; k++)
        if (strcmp(table->items[k].name, name) == 0 && (table->items[k].parts == parts || partitioner->fixed))
            return k;
    if (screen->told || !make_room(screen)) return -1;
    int place = place_of(table, name, parts);
    size_t after = (size_t)(table->count - place);
    memmove(table->items + place + 1, table->items + place, after * sizeof *table->items);
    memmove(screen->items + place + 1, screen->items + place, after * sizeof *screen->items);
    table->items[place] =
        (struct distributed){.partitioner = partitioner, .parts = parts, .status = STATUS_CANCELLED};
    snprintf(table->items[place].name, sizeof table->items[place].name, "%s", name);
    screen->items[place] = (struct parts_item){0};
    if (table->count > 0 && screen->selected >= place) screen->selected++;
    table->count++;
    return place;
}

/* Select the first row. It belongs to the first library, or to contiguous runs with equal numbers of entries
 * if the matrix is too large for libraries. Its number of parts is the nearest to PARTS_FIRST. */
static void select_first(struct parts_screen *screen, int64_t nnz)
{
    const struct distributed *rows = screen->table.items, *best = rows;
    for (int k = 1; k < screen->table.count; k++) {
        const struct partitioner *ours = rows[k].partitioner, *theirs = best->partitioner;
        const bool same = strcmp(rows[k].name, best->name) == 0, slow = nnz > ENTRIES_SLOW;
        const bool better = ours->package ? !slow && !theirs->package : !theirs->package || slow;
        const int64_t far = llabs(rows[k].parts - PARTS_FIRST), near = llabs(best->parts - PARTS_FIRST);
        if (same ? far < near : better) best = &rows[k];
    }
    if (screen->table.count) screen->selected = (int)(best - rows);
}

static void add_usual(struct parts_screen *screen, const struct csr *a)
{
    for (int k = 0; partitioners[k]; k++) {
        const struct partitioner *partitioner = partitioners[k];
        bool library = partitioner->package != NULL, many = csr_nnz(a) > ENTRIES_MANY;
        if (partitioner->fixed || partitioner->ranked || partitioner->absent ||
            (partitioner->square && a->rows != a->cols))
            continue;
        for (int64_t parts = 2; parts <= PARTS_MOST; parts *= 2) {
            bool usual = parts <= PARTS_USUAL, beyond = parts * PARTS_ROWS <= a->rows && !(library && many);
            if (usual || beyond) parts_row_of(screen, partitioner->name, partitioner, parts);
        }
    }
}

/* Add the rows that the options request. If these give no partitions or no numbers of parts, the usual ones
 * are added. */
static void add_asked(struct parts_screen *screen, const struct csr *a,
                      const struct distribution_request *request)
{
    char name[PARTITION_NAME];
    struct parts_screen usual = {.selected = 0};
    add_usual(&usual, a);
    for (int p = 0; p < request->partitions.count; p++) {
        const struct partition_choice *choice = &request->partitions.choices[p];
        partition_choice_name(choice, name, sizeof name);
        for (int c = 0; c < request->count; c++)
            parts_row_of(screen, name, choice->partitioner, request->parts[c]);
        for (int64_t parts = 2; request->count == 0 && parts <= PARTS_USUAL; parts *= 2)
            parts_row_of(screen, name, choice->partitioner, parts);
    }
    for (int k = 0; request->partitions.count == 0 && k < usual.table.count; k++)
        for (int c = 0; c < request->count; c++)
            parts_row_of(screen, usual.table.items[k].name, usual.table.items[k].partitioner,
                         request->parts[c]);
    parts_let_go(&usual);
}

void parts_predict_told(const struct explorer *explorer, struct parts_screen *screen,
                        const struct network *network)
{
    const struct distribution *told = &explorer->session->shown->distribution;
    if (!network_same(network, &told->network)) {
        distribution_predict_again(&screen->table, network);
        return;
    }
    screen->table.network = told->network;
    screen->table.networked = told->networked;
    for (int k = 0; k < screen->table.count; k++)
        screen->table.items[k].scaling = told->items[k].scaling;
}

/* If the options give no other network, the rows of a report keep its predictions. */
static void take_told_network(const struct explorer *explorer, struct parts_screen *screen)
{
    const struct distribution_request *request = explorer->distribution;
    screen->settings = explorer->settings;
    parts_predict_told(explorer, screen,
                       request && request->networked ? &request->network
                                                     : &explorer->session->shown->distribution.network);
}

static void add_told(const struct explorer *explorer, struct parts_screen *screen,
                     const struct distribution *told)
{
    struct distribution *table = &screen->table;
    *table = *told;
    table->count = 0;
    table->items = NULL;
    for (int k = 0; k < told->count && make_room(screen); k++) {
        table->items[k] = told->items[k];
        screen->items[k] = (struct parts_item){.done = true};
        table->count++;
    }
    screen->told = true;
    take_told_network(explorer, screen);
}

void parts_take_network(const struct explorer *explorer, struct parts_screen *screen)
{
    const struct distribution_request *request = explorer->distribution;
    if (screen->told) {
        take_told_network(explorer, screen);
        return;
    }
    screen->settings = explorer->settings;
    screen->table.networked = request && request->networked;
    if (screen->table.networked)
        screen->table.network = request->network;
    else
        network_here(&screen->table.network, &screen->table.networked, NULL);
}

void parts_start(const struct explorer *explorer, struct parts_screen *screen)
{
    if (screen->started) return;
    screen->started = true;
    const struct matrix_case *of = explorer->session->shown;
    const struct distribution_request *request = explorer->distribution;
    screen->table.single_us = NAN;
    parts_take_network(explorer, screen);
    if (!case_has_entries(of))
        add_told(explorer, screen, &of->distribution);
    else if (request && (request->count || request->partitions.count))
        add_asked(screen, &of->matrix.csr, request);
    else
        add_usual(screen, &of->matrix.csr);
    select_first(screen, case_nnz(of));
}

void parts_select_asked(struct explorer *explorer, struct parts_screen *screen)
{
    const struct distribution_request *request = explorer->distribution;
    char name[PARTITION_NAME] = "";
    if (!request || (request->count == 0 && request->partitions.count == 0)) return;
    if (request->partitions.count) partition_choice_name(&request->partitions.choices[0], name, sizeof name);
    for (int k = 0; k < screen->table.count; k++) {
        const struct distributed *row = &screen->table.items[k];
        if ((name[0] && strcmp(row->name, name) != 0) || (request->count && row->parts != request->parts[0]))
            continue;
        screen->selected = k;
        return;
    }
    parts_say_told(explorer);
}

void parts_say_told(struct explorer *explorer)
{
    explorer_say(explorer, "the report has no such partition; %s", explorer->session->shown->absence.remedy);
}

void parts_select(struct explorer *explorer, struct parts_screen *screen, int row)
{
    if (row < 0 || row >= screen->table.count) return;
    screen->selected = row;
    screen->items[row].used = ++screen->clock;
    screen->tiles.to = min(screen->tiles.to, screen->table.items[row].parts - 1);
    screen->tiles.from = min(screen->tiles.from, screen->table.items[row].parts - 1);
    parts_refresh(explorer, screen);
}

void parts_answer(struct explorer *explorer, struct parts_screen *screen, const char *text)
{
    char word[PARTITION_NAME], *end;
    struct partition_choice choice;
    struct error error = {0};
    const struct distributed *row = parts_row(screen);
    int64_t parts = row ? row->parts : PARTS_FIRST;
    size_t length;
    text += strspn(text, " ");
    length = strcspn(text, " ");
    snprintf(word, sizeof word, "%.*s", (int)min((int64_t)length, PARTITION_NAME - 1), text);
    const char *number = text[length] ? text + length + strspn(text + length, " ") : "";
    if (word[0] >= '0' && word[0] <= '9' && row) { /* a number without a partition */
        number = text;
        snprintf(word, sizeof word, "%s", row->name);
    }
    if (*number) {
        parts = strtoll(number, &end, 10);
        if (end == number || end[strspn(end, " ")] || parts < 1 || parts > PARTS_MAX) {
            explorer_say(explorer, "give a partition and a number of parts from 1 to %d, as: metis 24",
                         PARTS_MAX);
            return;
        }
    }
    if (partition_choice_read(word, &choice, &error) != STATUS_OK) {
        explorer_say(explorer, "%s", error.message);
        partition_choice_free(&choice);
        return;
    }
    partition_choice_name(&choice, word, sizeof word);
    int found = parts_row_of(screen, word, choice.partitioner, parts);
    if (found < 0 && screen->told) parts_say_told(explorer);
    parts_select(explorer, screen, found);
    partition_choice_free(&choice);
}

const struct sketch *parts_sketch(const struct parts_screen *screen)
{
    return screen->told && screen->table.count ? &screen->table.items[screen->selected].sketch : NULL;
}

enum parts_curve parts_curve(const struct parts_screen *screen)
{
    return screen->curve_chosen || screen->table.kernel[0] ? screen->curve : CURVE_VOLUME;
}
