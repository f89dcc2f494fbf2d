/* network: the time of a message between two ranks, in the words of --network, by Hockney's model (latency +
 * bytes / bandwidth). Run under mpirun with two ranks, each of which sends and receives at the same time, as
 * in the exchange before a product, by persistent requests. The fastest of many exchanges counts: other
 * programs on the machine make the rest slower. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/job.h"
#include "base/memory.h"
#include "ranks/ranks.h"

enum { SMALL = 8, LARGE = 1 << 18, TAG = 1, ROW = 16, WARMUP = 10, TIMES = 500 };

/* Return the seconds of an exchange of this number of bytes each way, in the fastest row of them: one rank
 * cannot run ahead of the other by more than one exchange, so that the time of a row has no messages that
 * waited before it. */
static double exchange(const struct ranks *ranks, char *out, char *in, int bytes)
{
    MPI_Request request[2];
    double best = INFINITY;
    int other = 1 - ranks->rank;
    MPI_Recv_init(in, bytes, MPI_BYTE, other, TAG, ranks->all, &request[0]);
    MPI_Send_init(out, bytes, MPI_BYTE, other, TAG, ranks->all, &request[1]);
    for (int k = 0; k < WARMUP + TIMES; k++) {
        MPI_Barrier(ranks->all);
        double start = clock_seconds();
        for (int e = 0; e < ROW; e++) {
            MPI_Startall(2, request);
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        }
        double took = (clock_seconds() - start) / ROW;
        if (k >= WARMUP) best = fmin(best, took);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE, MPI_MAX, ranks->all);
    return best;
}

int main(int argc, char **argv)
{
    struct ranks ranks;
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) {
        fprintf(stderr, "network: %s\n", error.message);
        return EXIT_FAILURE;
    }
    char *out = memory_zeroed(LARGE, 1, &error), *in = memory_zeroed(LARGE, 1, &error);
    enum status status = out && in ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && ranks.count != 2)
        status =
            error_set(&error, STATUS_USAGE, "two ranks exchange messages, and there are %d", ranks.count);
    status = ranks_agree(&ranks, status, &error);
    if (status == STATUS_OK) {
        double small = exchange(&ranks, out, in, SMALL), large = exchange(&ranks, out, in, LARGE);
        if (ranks.rank == 0)
            printf("latency=%.3g,bandwidth=%.3g\n", small * 1e6, (LARGE - SMALL) / (large - small) * 1e-9);
    } else if (ranks.rank == 0) {
        fprintf(stderr, "network: %s\n", error.message);
    }
    free(out);
    free(in);
    ranks_close(&ranks);
    return status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
