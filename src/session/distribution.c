#include "session/distribution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/parts/network.h"
#include "base/memory.h"
#include "base/range.h"

static enum status add_count(struct distribution_request *request, int64_t parts, struct error *error)
{
    for (int k = 0; k < request->count; k++)
        if (request->parts[k] == parts) return STATUS_OK;
    if (request->count == PART_COUNTS_MAX)
        return error_set(error, STATUS_USAGE, "--parts has more than %d numbers: leave some out",
                         PART_COUNTS_MAX);
    request->parts[request->count++] = parts;
    return STATUS_OK;
}

/* Read the number at the beginning of *text, and move *text behind it. */
static enum status read_count(const char **text, int64_t *parts, struct error *error)
{
    char *end;
    *parts = strtoll(*text, &end, 10);
    if (end == *text || *parts < 1 || *parts > PARTS_MAX)
        return error_set(
            error, STATUS_USAGE,
            "--parts=%.40s: give numbers of parts from 1 to %d, as 2,4,8 or 2..64, which doubles", *text,
            PARTS_MAX);
    *text = end;
    return STATUS_OK;
}

enum status distribution_read_parts(const char *text, struct distribution_request *request,
                                    struct error *error)
{
    for (;;) {
        const char *word = text;
        int64_t first, last;
        enum status status = read_count(&text, &first, error);
        if (status != STATUS_OK) return status;
        last = first;
        if (strncmp(text, "..", 2) == 0) {
            text += 2;
            status = read_count(&text, &last, error);
        }
        if (status == STATUS_OK && (last < first || (*text && *text != ',')))
            status = error_set(error, STATUS_USAGE,
                               "--parts=%.40s: give numbers of parts as 2,4,8 or 2..64, which doubles", word);
        for (int64_t parts = first; status == STATUS_OK && parts <= last; parts *= 2)
            status = add_count(request, parts, error);
        if (status != STATUS_OK || !*text) return status;
        text++;
    }
}

void distribution_name(const struct partition_choice *choice, int64_t parts, struct distributed *division)
{
    *division = (struct distributed){.partitioner = choice->partitioner, .parts = parts};
    snprintf(division->file, sizeof division->file, "%s", choice->values.text ? choice->values.text : "");
    struct parameter_values values = choice->values; /* the text stays the choice's */
    if (choice->partitioner->resolve) choice->partitioner->resolve(&values, parts);
    memcpy(division->numbers, values.number, sizeof division->numbers);
    partition_choice_name(choice, division->name, sizeof division->name);
}

void distribution_nodes(const struct network *network, struct distributed *division,
                        const struct divided *divided)
{
    if (network->node > 1) halo_nodes(&division->halo, divided->pairs, network->node);
}

enum status distribution_divide(const struct matrix *matrix, const struct partition_choice *choice,
                                int64_t parts, size_t limit, struct progress *progress,
                                struct distributed *division, struct divided *divided)
{
    struct partition partition = {0};
    distribution_name(choice, parts, division);
    enum status status = partition_find(choice, &matrix->csr, matrix->symmetry != SYMMETRY_GENERAL, parts,
                                        limit, progress, &partition, &division->refusal);
    if (status == STATUS_OK) {
        division->parts = partition.parts;
        status = halo_count(&matrix->csr, &partition, limit, progress, &division->halo, &division->refusal);
    }
    if (status == STATUS_OK && divided) {
        *divided = (struct divided){.partition = partition, .pairs = division->halo.pairs};
    } else { /* free the messages, because there may be many, and reports do not list them */
        partition_free(&partition);
        free(division->halo.pairs);
    }
    division->halo.pairs = NULL;
    return division->status = status;
}

void divided_free(struct divided *divided)
{
    partition_free(&divided->partition);
    free(divided->pairs);
    *divided = (struct divided){0};
}

enum status distribution_usual(struct partition_list *list, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; partitioners[k] && status == STATUS_OK; k++)
        if (!partitioners[k]->fixed && !partitioners[k]->ranked && !partitioners[k]->absent)
            status = partition_list_add(list, partitioners[k]->name, error);
    return status;
}

/* Keep the owners that were just found if memory suffices. Otherwise the caller frees them. */
static void keep_owners(const struct matrix *matrix, struct divided *divided, size_t limit,
                        struct distributed *division)
{
    const size_t bytes = partition_bytes(&divided->partition, matrix->csr.cols, csr_nnz(&matrix->csr));
    if (memory_check(bytes, limit, "the owners of rows", NULL) != STATUS_OK) return;
    division->partition = divided->partition;
    divided->partition = (struct partition){0};
}

/* Divide the rows into parts; their number is number c of the request. Keep the requested data: the picture,
 * and for the first number of parts the owners. */
static enum status divide_one(const struct matrix *matrix, const struct partition_choice *choice,
                              const struct distribution_request *request, int c, size_t limit,
                              struct progress *progress, const struct distribution *distribution,
                              struct distributed *division)
{
    struct divided divided = {0};
    const bool keep = request->keep && c == 0;
    enum status status =
        distribution_divide(matrix, choice, request->parts[c], limit, progress, division, &divided);
    if (status == STATUS_OK) distribution_nodes(&distribution->network, division, &divided);
    if (status == STATUS_OK && request->sketched)
        status = sketch_make(&matrix->csr, &divided.partition, divided.pairs, division->halo.messages,
                             progress, &division->sketch, &division->refusal);
    if (status == STATUS_OK && keep) keep_owners(matrix, &divided, limit, division);
    divided_free(&divided);
    return status;
}

enum status distribution_start(const struct distribution_request *request, const struct partition_list *list,
                               struct distribution *distribution, struct error *error)
{
    size_t most = (size_t)list->count * (size_t)request->count;
    *distribution =
        (struct distribution){.networked = request->networked, .network = request->network, .single_us = NAN};
    if (!request->networked) {
        enum status status = network_here(&distribution->network, &distribution->networked, error);
        if (status != STATUS_OK) return status;
    }
    distribution->items = memory_zeroed(most, sizeof *distribution->items, error);
    return distribution->items ? STATUS_OK : STATUS_MEMORY;
}

int distribution_counts(const struct distribution_request *request, const struct partition_choice *choice)
{
    return choice->partitioner->fixed ? 1 : request->count;
}

bool distribution_goes_on(enum status status)
{
    return status == STATUS_OK || status == STATUS_UNAVAILABLE || status == STATUS_LIMIT ||
           status == STATUS_MEMORY;
}

static enum status divide_all(const struct matrix *matrix, const struct partition_list *list,
                              const struct distribution_request *request, size_t limit,
                              struct progress *progress, struct distribution *distribution,
                              struct error *error)
{
    for (int p = 0; p < list->count; p++)
        for (int c = 0; c < distribution_counts(request, &list->choices[p]); c++) {
            struct distributed *division = &distribution->items[distribution->count];
            enum status status =
                divide_one(matrix, &list->choices[p], request, c, limit, progress, distribution, division);
            distribution->count++;
            if (distribution_goes_on(status)) continue;
            if (error && error->status == STATUS_OK) *error = division->refusal;
            return status;
        }
    return STATUS_OK;
}

enum status distribution_make(const struct matrix *matrix, const struct distribution_request *request,
                              size_t limit, struct progress *progress, struct distribution *distribution,
                              struct error *error)
{
    struct partition_list usual = {0};
    const struct partition_list *list = request->partitions.count ? &request->partitions : &usual;
    *distribution = (struct distribution){0};
    enum status status = list == &usual ? distribution_usual(&usual, error) : STATUS_OK;
    if (status == STATUS_OK) status = distribution_start(request, list, distribution, error);
    if (status == STATUS_OK) status = divide_all(matrix, list, request, limit, progress, distribution, error);
    partition_list_free(&usual);
    if (status != STATUS_OK) distribution_free(distribution);
    return status;
}

void distribution_predict(struct distribution *distribution, double single_us, bool measured,
                          const char *kernel, size_t bytes, const struct crowd *crowd)
{
    const struct crowd own = crowd ? *crowd : (struct crowd){0}; /* `crowd` may be the distribution's */
    distribution->single_us = single_us;
    distribution->measured = measured;
    distribution->crowd = own;
    snprintf(distribution->kernel, sizeof distribution->kernel, "%s", kernel);
    for (int k = 0; k < distribution->count; k++) {
        struct distributed *division = &distribution->items[k];
        struct scaling_costs costs;
        if (division->status != STATUS_OK) continue;
        crowd_costs(&own, &distribution->network, division->halo.parts, &costs);
        scaling_predict(&division->halo, &distribution->network, single_us, bytes, &costs,
                        &division->scaling);
    }
}

void distribution_compare(struct distribution *distribution, int ranks, const char *partition, double seconds)
{
    for (int k = 0; k < distribution->count; k++) {
        struct distributed *division = &distribution->items[k];
        if (division->status == STATUS_OK && division->parts == ranks &&
            strcmp(division->name, partition) == 0)
            division->measured_us = seconds * 1e6;
    }
}

/* Return the bytes of an element that a division's prediction assumed. The exchange time is that of the
 * slowest part, so each part gives an upper bound. 0 if there are no messages. */
static size_t element_bytes(const struct distributed *division, const struct network *network)
{
    const struct halo *halo = &division->halo;
    double bytes = INFINITY;
    for (int64_t p = 0; p < halo->parts; p++) {
        const double latency = scaling_exchange(halo, network, &halo->part[p], 0),
                     element = scaling_exchange(halo, network, &halo->part[p], 1) - latency;
        if (element > 0) bytes = fmin(bytes, (division->scaling.exchange_us - latency) / element);
    }
    return bytes >= 0.5 && bytes < 1e6 ? (size_t)(bytes + 0.5) : 0;
}

/* Return the pace of a division's prediction, with the costs of its rows and messages in it; 1 if only one of
 * the networks has nodes, since the ranks of a node have another pace. */
static double told_pace(const struct distribution *distribution, const struct distributed *division,
                        const struct network *before)
{
    const struct halo *halo = &division->halo;
    double nnz = 0;
    for (int64_t p = 0; p < halo->parts; p++)
        nnz += (double)halo->part[p].entries;
    const double even = distribution->single_us * (double)halo->most_entries / nnz;
    return (before->node > 1) == (distribution->network.node > 1) && even > 0
               ? division->scaling.compute_us / even
               : 1;
}

/* Return whether a division's prediction depends on messages within nodes that are not known any more. */
static bool is_mixed(const struct halo *halo, const struct network *network)
{
    return network->node > 1 && network->node < halo->parts && halo->node != network->node;
}

void distribution_predict_again(struct distribution *distribution, const struct network *network)
{
    const struct network before = distribution->network;
    distribution->network = *network;
    distribution->networked = true;
    for (int k = 0; k < distribution->count; k++) {
        struct distributed *division = &distribution->items[k];
        const struct halo *halo = &division->halo;
        int64_t remote = 0;
        if (division->status != STATUS_OK || !(distribution->single_us > 0)) continue;
        const size_t bytes = halo->part ? element_bytes(division, &before) : 0;
        const struct scaling_costs costs = {.pace =
                                                halo->part ? told_pace(distribution, division, &before) : 1};
        division->scaling = (struct scaling){0};
        if (!halo->part || is_mixed(halo, &before) || is_mixed(halo, network)) continue;
        scaling_predict(halo, network, distribution->single_us, bytes, &costs, &division->scaling);
        for (int64_t p = 0; p < halo->parts; p++)
            remote += halo->part[p].remote;
        if (remote != halo->cut) division->scaling.overlap_us = NAN;
    }
}

/* True if the division has a predicted time. */
static bool is_predicted(const struct distributed *division)
{
    return division->status == STATUS_OK && division->scaling.total_us > 0;
}

int distribution_best(const struct distribution *distribution, int k)
{
    int best = -1;
    for (int d = 0; d < distribution->count && !isnan(distribution->single_us); d++) {
        const struct distributed *division = &distribution->items[d];
        if (!is_predicted(division) || strcmp(division->name, distribution->items[k].name) != 0) continue;
        if (best < 0 || division->scaling.total_us < distribution->items[best].scaling.total_us) best = d;
    }
    return best;
}

int distribution_fastest(const struct distribution *distribution)
{
    int fastest = -1;
    for (int k = 0; k < distribution->count; k++) {
        const int best = distribution_best(distribution, k);
        if (best < 0) continue;
        if (fastest < 0 ||
            distribution->items[best].scaling.total_us < distribution->items[fastest].scaling.total_us)
            fastest = best;
    }
    return fastest;
}

int64_t distribution_crossing(const struct distribution *distribution, int k)
{
    int64_t parts = 0;
    for (int d = 0; d < distribution->count && !isnan(distribution->single_us); d++) {
        const struct distributed *division = &distribution->items[d];
        const struct scaling *scaling = &division->scaling;
        if (!is_predicted(division) || strcmp(division->name, distribution->items[k].name) != 0) continue;
        if (scaling->exchange_us > scaling->compute_us && (parts == 0 || division->parts < parts))
            parts = division->parts;
    }
    return parts;
}

void distribution_free(struct distribution *distribution)
{
    for (int k = 0; k < distribution->count; k++) {
        halo_free(&distribution->items[k].halo);
        partition_free(&distribution->items[k].partition);
        sketch_free(&distribution->items[k].sketch);
    }
    free(distribution->items);
    *distribution = (struct distribution){0};
}
