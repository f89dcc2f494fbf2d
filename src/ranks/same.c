#include "ranks/same.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/failing.h"
#include "base/memory.h"
#include "base/range.h"
#include "matrix/files/container.h"
#include "matrix/generators/hash.h"

#define PIECES_MAX ((int64_t)1 << 16)
#define BUFFER_BYTES ((size_t)1 << 20)
#define LANES 4

/* The numbers of a rank's file: its identity, whether it is plain, and the hash of its first bytes. */
enum { PLAIN = CONTAINER_IDENTITY, HEAD, NUMBERS };

/* One rank's file, and the ranks that have the same. */
struct file {
    const struct ranks *ranks;
    struct container *container;
    int64_t numbers[NUMBERS], first_numbers[NUMBERS]; /* its own, and those of rank 0's file */
    bool one;                                         /* all ranks have the same file */
    bool first;                                       /* it is rank 0's */
    int member, members;                              /* this rank, from 0, among those that have this file */
    int64_t piece, pieces;
};

/* --- hashes --- */

/* Add a word to a hash. For each of the two, the result is a bijection of the other. */
static uint64_t add_word(uint64_t hash, const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return hash_mix(hash ^ word) + HASH_STEP;
}

/* The lanes are independent, so that a processor computes them at the same time. */
static void add_bytes(uint64_t lane[LANES], const char *bytes, size_t count)
{
    const size_t stripe = LANES * sizeof *lane;
    char rest[LANES * sizeof *lane] = {0};
    for (; count >= stripe; count -= stripe, bytes += stripe)
        for (size_t k = 0; k < LANES; k++)
            lane[k] = add_word(lane[k], bytes + k * sizeof *lane);
    memcpy(rest, bytes, count);
    for (size_t k = 0; k < LANES && count; k++)
        lane[k] = add_word(lane[k], rest + k * sizeof *lane);
}

static int64_t join_lanes(const uint64_t lane[LANES])
{
    uint64_t hash = 0;
    for (size_t k = 0; k < LANES; k++)
        hash = hash_mix(hash ^ lane[k]) + HASH_STEP;
    return (int64_t)hash;
}

/* Compute the hash of piece k. */
static enum status hash_piece(const struct file *file, int64_t k, char *buffer, int64_t *hash,
                              struct error *error)
{
    const int64_t end = min((k + 1) * file->piece, container_size(file->container));
    uint64_t lane[LANES] = {0, 1, 2, 3};
    for (int64_t at = k * file->piece; at < end;) {
        const size_t wanted = (size_t)min(end - at, (int64_t)BUFFER_BYTES);
        const ssize_t count = container_pread(file->container, buffer, wanted, at, error);
        if (count < 0) return STATUS_IO;
        if (count == 0)
            return error_at(error, STATUS_INPUT, container_path(file->container), 0, 0,
                            "changed while it was read");
        add_bytes(lane, buffer, (size_t)count);
        at += count;
    }
    *hash = join_lanes(lane);
    return STATUS_OK;
}

/* Compute the hashes of this rank's pieces of its file. */
static enum status hash_pieces(const struct file *file, int64_t *hashes, struct error *error)
{
    struct failing failing;
    failing_start(&failing, file->pieces);
#pragma omp parallel
    {
        struct error mine = {0};
        char *buffer = memory_array(BUFFER_BYTES, 1, &mine);
#pragma omp for schedule(dynamic, 1)
        for (int64_t k = file->member; k < file->pieces; k += file->members)
            if (!failing_before(&failing, k) &&
                (!buffer || hash_piece(file, k, buffer, &hashes[k], &mine) != STATUS_OK))
                failing_note(&failing, k, &mine);
        free(buffer);
    }
    return failing_status(&failing, error);
}

/* --- files --- */

static const char *node_name(char name[MPI_MAX_PROCESSOR_NAME])
{
    int length;
    MPI_Get_processor_name(name, &length);
    return name;
}

#define REMEDY "copy rank 0's file to this node, or use a file that all nodes share"

/* Add the rank to an error of opening a file that rank 0 could open. */
static enum status refuse_missing(const struct ranks *ranks, const struct error *opening, struct error *error)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    if (ranks->rank == 0) {
        *error = *opening;
        return opening->status;
    }
    return error_at(error, opening->status, opening->path, opening->line, opening->column,
                    "%s (rank %d, on node %s); " REMEDY, opening->message, ranks->rank, node_name(name));
}

static enum status refuse(const struct file *file, const char *difference, struct error *error)
{
    char name[MPI_MAX_PROCESSOR_NAME];
    return error_at(error, STATUS_INPUT, container_path(file->container), 0, 0,
                    "rank %d, on node %s, reads another file of this name than rank 0 does (%s); " REMEDY,
                    file->ranks->rank, node_name(name), difference);
}

/* Check that opening the file does not wait: a named pipe waits for a writer, who may never come. */
static enum status check_kind(const char *name, struct error *error)
{
    struct stat stat_of;
    if (stat(name, &stat_of) != 0 || S_ISREG(stat_of.st_mode) || S_ISDIR(stat_of.st_mode)) return STATUS_OK;
    return error_at(error, STATUS_INPUT, name, 0, 0, "this is a %s, no regular file",
                    S_ISFIFO(stat_of.st_mode) ? "named pipe" : "device");
}

/* Open the file, and find its numbers. */
static enum status open_file(struct file *file, const char *name, struct error *error)
{
    const char *head;
    struct error mine = {0};
    uint64_t lane[LANES] = {0, 1, 2, 3};
    enum status status = check_kind(name, &mine);
    if (status == STATUS_OK) status = container_open(name, &file->container, &mine);
    if (status != STATUS_OK) return refuse_missing(file->ranks, &mine, error);
    file->numbers[PLAIN] = container_is_plain(file->container);
    if (!file->numbers[PLAIN]) return STATUS_OK;
    container_identity(file->container, file->numbers);
    const ssize_t count = container_peek(file->container, &head, &mine);
    if (count < 0) return refuse_missing(file->ranks, &mine, error);
    add_bytes(lane, head, (size_t)count);
    file->numbers[HEAD] = join_lanes(lane);
    return STATUS_OK;
}

/* Find the ranks that have the same file as this one, and compare it with rank 0's as far as that is possible
 * without reading more of it. */
static enum status compare_numbers(struct file *file, struct error *error)
{
    const struct ranks *ranks = file->ranks;
    char difference[128] = "";
    int64_t *all = memory_array((size_t)ranks->count * NUMBERS, sizeof *all, error);
    enum status status = ranks_agree(ranks, all ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        ranks_share(ranks, file->numbers, NUMBERS, all);
        memcpy(file->first_numbers, all, sizeof file->first_numbers);
        for (int r = 0; r < ranks->count; r++) {
            const bool same = memcmp(&all[(size_t)r * NUMBERS], file->numbers, sizeof file->numbers) == 0;
            file->member += same && r < ranks->rank;
            file->members += same;
        }
        file->one = file->members == ranks->count;
        file->first = memcmp(file->numbers, file->first_numbers, sizeof file->numbers) == 0;
        if (!file->numbers[PLAIN])
            snprintf(difference, sizeof difference, "it is packed, or no regular file");
        else if (file->numbers[0] != file->first_numbers[0])
            snprintf(difference, sizeof difference, "%" PRId64 " bytes, instead of %" PRId64,
                     file->numbers[0], file->first_numbers[0]);
        else if (file->numbers[HEAD] != file->first_numbers[HEAD])
            snprintf(difference, sizeof difference, "the beginning differs");
        status = ranks_agree(ranks, *difference ? refuse(file, difference, error) : STATUS_OK, error);
    }
    free(all);
    return status;
}

/* Compare the contents of files of the same size. */
static enum status compare_pieces(struct file *file, int64_t piece, struct error *error)
{
    const struct ranks *ranks = file->ranks;
    const int64_t size = container_size(file->container);
    char difference[128];
    file->piece = max(piece, size / PIECES_MAX + 1);
    file->pieces = (size + file->piece - 1) / file->piece;
    int64_t *mine = memory_zeroed((size_t)file->pieces + 1, sizeof *mine, error);
    int64_t *first = memory_zeroed((size_t)file->pieces + 1, sizeof *first, error);
    enum status status = mine && first ? hash_pieces(file, mine, error) : STATUS_MEMORY;
    status = ranks_agree(ranks, status, error);
    if (status == STATUS_OK) {
        if (file->first) memcpy(first, mine, (size_t)file->pieces * sizeof *first);
        ranks_sum(ranks, first, file->pieces); /* each is of one rank, and 0 on the others */
        int64_t k = file->member;
        while (k < file->pieces && mine[k] == first[k])
            k += file->members;
        if (k < file->pieces)
            snprintf(difference, sizeof difference, "bytes %" PRId64 " to %" PRId64 " differ",
                     k * file->piece + 1, min((k + 1) * file->piece, size));
        status = ranks_agree(ranks, k < file->pieces ? refuse(file, difference, error) : STATUS_OK, error);
    }
    free(mine);
    free(first);
    return status;
}

enum status ranks_same_file(const struct ranks *ranks, const char *name, int64_t piece, struct error *error)
{
    struct file file = {.ranks = ranks};
    if (ranks->count == 1) return STATUS_OK;
    enum status status = ranks_agree(ranks, open_file(&file, name, error), error);
    if (status == STATUS_OK) status = compare_numbers(&file, error);
    int64_t several = !file.one;
    if (status == STATUS_OK) ranks_max(ranks, &several, 1);
    if (status == STATUS_OK && several) status = compare_pieces(&file, piece, error);
    if (file.container) container_close(file.container);
    return status;
}
