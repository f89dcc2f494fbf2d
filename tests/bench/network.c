/* network: the times of messages between the ranks of an MPI program, in the words of --network, as
 * 'sparsight-mpi report --network=measure' measures them. Run under mpirun with two ranks or more. */
#include <stdio.h>
#include <stdlib.h>

#include "ranks/network.h"
#include "ranks/ranks.h"

int main(int argc, char **argv)
{
    struct ranks ranks;
    struct network_profile profile;
    struct error error = {0};
    char words[160];
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) {
        fprintf(stderr, "network: %s\n", error.message);
        return EXIT_FAILURE;
    }
    const enum status status = network_measure_here(&ranks, &profile, &error);
    network_write(&profile.network, words, sizeof words);
    if (ranks.rank == 0 && status == STATUS_OK) printf("%s\n", words);
    if (ranks.rank == 0 && status != STATUS_OK) fprintf(stderr, "network: %s\n", error.message);
    ranks_close(&ranks);
    return status == STATUS_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
