/* ranks/network, run by any number of ranks: the partners of a measurement, and a measured network. */
#include <stdlib.h>
#include <string.h>

#include "ranks/network.h"
#include "ranks/ranks.h"
#include "ranks/tests.h"
#include "support/cmocka.h"

static struct ranks ranks;

/* Seven ranks on three nodes: 0 1 4 | 2 3 | 5 6. */
static void partners_are_of_the_same_node_or_of_the_next(void **state)
{
    static const struct network_place places[] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 2}, {2, 0}, {2, 1}};
    static const int within[] = {1, 0, 3, 2, -1, 6, 5}, beyond[] = {2, 3, 0, 1, -1, -1, -1};
    for (int r = 0; r < 7; r++) {
        assert_int_equal(network_partner(places, 7, r, true), within[r]);
        assert_int_equal(network_partner(places, 7, r, false), beyond[r]);
    }
}

/* Nodes are simulated: all ranks on one, or two on each. On a crowded machine, and with one rank, nothing is
 * measured. */
static void networks_are_measured(void **state)
{
    for (int made_up = 0; made_up < 2; made_up++) {
        struct network_profile profile;
        struct error error = {0};
        MPI_Comm node;
        int64_t crowded = ranks.crowded;
        ranks_max(&ranks, &crowded, 1);
        MPI_Comm_split(ranks.all, made_up ? ranks.rank / 2 : 0, ranks.rank, &node);
        const enum status status = network_measure(&ranks, node, &profile, &error);
        MPI_Comm_free(&node);
        if (ranks.count == 1 || crowded) {
            assert_int_equal(status, STATUS_UNAVAILABLE);
            assert_non_null(strstr(error.message, ranks.count == 1 ? "there is one" : "more ranks than"));
            assert_int_equal(profile.ranks, 0);
            continue;
        }
        if (status == STATUS_INPUT) { /* other programs had the processors */
            assert_non_null(strstr(error.message, "implausible"));
            continue;
        }
        const struct network *network = &profile.network;
        assert_int_equal(status, STATUS_OK);
        assert_int_equal(profile.ranks, ranks.count);
        assert_int_equal(profile.nodes, made_up ? (ranks.count + 1) / 2 : 1);
        assert_int_equal(network->node, made_up ? 2 : ranks.count);
        assert_true(network->near_latency_us > 0 && network->near_bandwidth_gbs > 0);
        assert_true(network->crowd >= 1 && network->memory_crowd >= 1);
        assert_true(network->date[0] && profile.title[0]);
        if (profile.nodes == 1)
            assert_true(network->latency_us == NETWORK_LATENCY_US &&
                        network->bandwidth_gbs == NETWORK_BANDWIDTH_GBS);
        else
            assert_true(network->latency_us != NETWORK_LATENCY_US);
        struct network first = *network;
        ranks_broadcast(&ranks, 0, &first, sizeof first);
        assert_true(network_same(&first, network));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partners_are_of_the_same_node_or_of_the_next),
        cmocka_unit_test(networks_are_measured),
    };
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    return ranks_run_tests(&ranks, "ranks/network", tests, sizeof tests / sizeof *tests);
}
