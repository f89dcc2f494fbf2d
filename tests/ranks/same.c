/* ranks/same, run by any number of ranks, each in its own folder: a name that is the same file for all,
 * copies, and other files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "matrix/files/container.h"
#include "ranks/ranks.h"
#include "ranks/same.h"
#include "ranks/tests.h"
#include "support/cmocka.h"

/* Pieces are so small that each rank has some of the file behind its first bytes. The last piece is
 * incomplete. */
#define PIECE 4096
#define BYTES ((long)CONTAINER_HEAD + 11 * PIECE + 77)

static struct ranks ranks;

/* Write this rank's file: text of this many bytes, with another byte at `changed`. */
static void write_file(long bytes, long changed)
{
    FILE *file = fopen("file", "w");
    assert_non_null(file);
    for (long k = 0; k < bytes; k++)
        fputc(k == changed ? '!' : 'a' + (int)(k % 23), file);
    assert_int_equal(fclose(file), 0);
}

/* All ranks get the same outcome: success if `difference` is NULL, else an error that contains it and names
 * rank `who`. */
static void check(const char *difference, int who)
{
    struct error error = {0};
    char rank[32];
    MPI_Barrier(ranks.all); /* all files are written */
    const enum status status = ranks_same_file(&ranks, "file", PIECE, &error);
    MPI_Barrier(ranks.all); /* all files are read */
    if (!difference || ranks.count == 1) {
        assert_int_equal(status, STATUS_OK);
        return;
    }
    assert_int_not_equal(status, STATUS_OK);
    assert_string_equal(error.path, "file");
    snprintf(rank, sizeof rank, "rank %d, on node ", who);
    assert_non_null(strstr(error.message, rank));
    assert_non_null(strstr(error.message, difference));
    assert_non_null(strstr(error.message, "copy rank 0's file"));
}

static void test_copies(void **state)
{
    write_file(BYTES, -1);
    check(NULL, 0);
    write_file(10, -1);
    check(NULL, 0);
    write_file(0, -1);
    check(NULL, 0);
}

/* One byte differs on one rank, and on all ranks but the first, which then have several pieces each. */
static void test_a_byte(void **state)
{
    const long places[] = {CONTAINER_HEAD, CONTAINER_HEAD + 31, CONTAINER_HEAD + 3 * PIECE - 1,
                           CONTAINER_HEAD + 6 * PIECE + 100, BYTES - 1};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        char difference[64];
        const long begin = places[p] / PIECE * PIECE, end = begin + PIECE < BYTES ? begin + PIECE : BYTES;
        snprintf(difference, sizeof difference, "(bytes %ld to %ld differ)", begin + 1, end);
        for (int who = 1; who < ranks.count; who++) {
            write_file(BYTES, ranks.rank == who ? places[p] : -1);
            check(difference, who);
        }
        write_file(BYTES, ranks.rank > 0 ? places[p] : -1);
        check(difference, 1);
    }
    for (int who = 1; who < ranks.count; who++) {
        write_file(BYTES, ranks.rank == who ? 0 : -1);
        check("(the beginning differs)", who);
        write_file(BYTES, ranks.rank == who ? (long)CONTAINER_HEAD - 1 : -1);
        check("(the beginning differs)", who);
    }
}

/* The last ranks, from `owner` on, share one copy of the file, like ranks of a node. It has another byte at
 * `changed`. */
static void write_node(int owner, long changed)
{
    MPI_Comm node;
    char name[64];
    unlink("file");
    MPI_Comm_split(ranks.all, ranks.rank >= owner, ranks.rank, &node);
    if (ranks.rank <= owner) write_file(BYTES, ranks.rank == owner ? changed : -1);
    MPI_Barrier(node);
    snprintf(name, sizeof name, "../rank%d/file", owner);
    if (ranks.rank > owner) assert_int_equal(link(name, "file"), 0);
    MPI_Comm_free(&node);
    MPI_Barrier(ranks.all);
}

/* Ranks with one copy of the file divide its pieces: each of them finds a difference in its own. */
static void test_nodes(void **state)
{
    if (ranks.count < 3) return;
    const int owner = ranks.count > 3 ? 2 : 1, members = ranks.count - owner;
    for (int k = 0; k < members; k++) {
        struct error error = {0};
        char who[32];
        const long piece = (long)CONTAINER_HEAD / PIECE + 1 + k;
        write_node(owner, piece * PIECE + 100);
        assert_int_equal(ranks_same_file(&ranks, "file", PIECE, &error), STATUS_INPUT);
        assert_non_null(strstr(error.message, "reads another file of this name"));
        snprintf(who, sizeof who, "rank %d, on node ", owner + (int)(piece % members));
        assert_non_null(strstr(error.message, who));
        MPI_Barrier(ranks.all);
    }
    struct error error = {0};
    write_node(owner, -1);
    assert_int_equal(ranks_same_file(&ranks, "file", PIECE, &error), STATUS_OK);
    MPI_Barrier(ranks.all);
    unlink("file");
}

static void test_other_sizes(void **state)
{
    for (int who = 1; who < ranks.count; who++) {
        char difference[64];
        write_file(ranks.rank == who ? BYTES + 1 : BYTES, -1);
        snprintf(difference, sizeof difference, "(%ld bytes, instead of %ld)", BYTES + 1, BYTES);
        check(difference, who);
    }
}

/* A missing file, a folder, a compressed file, and a pipe without writer, for which no rank may wait. */
static void test_other_kinds(void **state)
{
    static const char packed[] = "\x1f\x8b\x08\0\0\0\0\0\0\3\3\0\0\0\0\0\0\0\0"; /* gzip of nothing */
    for (int who = 1; who < ranks.count; who++) {
        write_file(BYTES, -1);
        if (ranks.rank == who) unlink("file");
        check("No such file", who);
        if (ranks.rank == who) assert_int_equal(mkdir("file", 0700), 0);
        check("is a directory", who);
        if (ranks.rank == who) {
            assert_int_equal(rmdir("file"), 0);
            FILE *file = fopen("file", "w");
            fwrite(packed, 1, sizeof packed, file);
            fclose(file);
        }
        check("it is packed, or no regular file", who);
        if (ranks.rank == who) {
            unlink("file");
            assert_int_equal(mkfifo("file", 0600), 0);
        }
        check("this is a named pipe, no regular file", who);
        if (ranks.rank == who) unlink("file");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies),      cmocka_unit_test(test_a_byte),      cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_other_sizes), cmocka_unit_test(test_other_kinds),
    };
    struct error error = {0};
    char folder[32];
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    snprintf(folder, sizeof folder, "rank%d", ranks.rank);
    if ((mkdir(folder, 0700) && access(folder, W_OK)) || chdir(folder)) ranks_abort(&ranks, EXIT_FAILURE);
    return ranks_run_tests(&ranks, "ranks/same", tests, sizeof tests / sizeof *tests);
}
