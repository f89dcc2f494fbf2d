/* analysis/parts: profiles of networks, messages within nodes and beyond, and ranks that share the memory of
 * a node, against values computed by hand from made-up profiles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/parts/crowd.h"
#include "analysis/parts/halo.h"
#include "analysis/parts/network.h"
#include "analysis/parts/scaling.h"
#include "support/cmocka.h"

/* --- messages --- */

/* Four parts in a ring: part p receives 10 (p + 1) elements from p - 1, and part 0 also 7 from part 2. */
static const struct halo_pair ring[] = {{3, 0, 10}, {2, 0, 7}, {0, 1, 20}, {1, 2, 30}, {2, 3, 40}};

static void make_ring(struct halo *halo, struct halo_part part[4])
{
    *halo = (struct halo){.parts = 4, .part = part, .messages = 5};
    for (int p = 0; p < 4; p++)
        part[p] = (struct halo_part){.entries = 100};
    for (int k = 0; k < 5; k++) {
        part[ring[k].to].receives += ring[k].elements;
        part[ring[k].to].from++;
        part[ring[k].from].sends += ring[k].elements;
        part[ring[k].from].to++;
    }
}

/* Nodes of two: 0 -> 1 and 2 -> 3 stay within theirs. Part 2 sends 40 to part 3, and 7 to part 0; it receives
 * 30 from part 1. */
static void messages_within_nodes_have_their_own_times(void **state)
{
    struct halo halo;
    struct halo_part part[4];
    struct scaling scaling;
    const struct network network = {.latency_us = 3,
                                    .bandwidth_gbs = 0.004, /* 2 us an element of 8 bytes */
                                    .node = 2,
                                    .near_latency_us = 1,
                                    .near_bandwidth_gbs = 0.016}; /* 0.5 us */
    make_ring(&halo, part);
    halo_nodes(&halo, ring, 2);
    assert_int_equal(part[0].near.receives, 0);
    assert_int_equal(part[0].near.sends, 20);
    assert_int_equal(part[3].near.receives, 40);
    assert_int_equal(part[3].near.from, 1);
    assert_int_equal(part[2].near.to, 1);
    assert_float_equal(scaling_exchange(&halo, &network, &part[0], 8), 1 + 10 + 2 * 3 + 17 * 2, 1e-9);
    assert_float_equal(scaling_exchange(&halo, &network, &part[1], 8), 1 + 10 + 3 + 30 * 2, 1e-9);
    assert_float_equal(scaling_exchange(&halo, &network, &part[2], 8), 1 + 20 + 3 + 30 * 2, 1e-9);
    assert_float_equal(scaling_exchange(&halo, &network, &part[3], 8), 1 + 20 + 3 + 10 * 2, 1e-9);
    scaling_predict(&halo, &network, 400, 8, &(struct scaling_costs){.pace = 1.5}, &scaling);
    assert_float_equal(scaling.exchange_us, 84, 1e-9);
    assert_float_equal(scaling.compute_us, 150, 1e-9);
    assert_float_equal(scaling.total_us, 234, 1e-9);
    assert_float_equal(scaling.speedup, 400 / 234.0, 1e-9);
}

/* Part 2 sends 47 elements, the others 20, 30 and 30; it has 5 boundary rows, part 0 has 50. */
static void boundary_rows_and_packing_take_time(void **state)
{
    struct halo halo;
    struct halo_part part[4];
    struct scaling scaling;
    const struct network network = {.latency_us = 0, .bandwidth_gbs = 1e6};
    const struct scaling_costs costs = {.pace = 1, .row_us = 2, .pack_us = 10};
    make_ring(&halo, part);
    part[2].boundary = 5;
    part[2].remote = 20;
    part[0].boundary = 50;
    scaling_predict(&halo, &network, 400, 8, &costs, &scaling);
    assert_float_equal(scaling.compute_us, 100 + 5 * 2 + 47 * 10, 1e-3);
    assert_float_equal(scaling.total_us, 100 + 5 * 2 + 47 * 10, 1e-3);
    assert_float_equal(scaling.overlap_us, 100 + 5 * 2 + 47 * 10, 1e-3);
    const struct scaling_costs rows = {.pace = 1, .row_us = 2};
    scaling_predict(&halo, &network, 400, 8, &rows, &scaling);
    assert_float_equal(scaling.compute_us, 100 + 50 * 2, 1e-3);
}

/* Four parts of 100 entries each. A row takes as long as 3 entries: 1000 + 3 x 200 in all, part 3 has 140
 * rows. */
static void rows_take_time_beside_their_entries(void **state)
{
    static const int64_t rows[] = {10, 20, 30, 140};
    struct halo halo;
    struct halo_part part[4];
    struct scaling scaling;
    const struct network network = {.latency_us = 0, .bandwidth_gbs = 1e6};
    make_ring(&halo, part);
    int64_t entries = 0;
    for (int p = 0; p < 4; p++) {
        part[p].rows = rows[p];
        entries += part[p].entries;
    }
    scaling_predict(&halo, &network, 500, 8, &(struct scaling_costs){.pace = 2, .row_entries = 3}, &scaling);
    const double share = ((double)part[3].entries + 3 * 140) / ((double)entries + 3 * 200);
    assert_float_equal(scaling.compute_us, 2 * 500 * share, 1e-9);
    assert_float_equal(scaling.overlap_us, 2 * 500 * share, 1e-3);
}

/* All parts on one node; and nodes for which the messages were not counted: all leave their node. */
static void one_node_and_unknown_nodes(void **state)
{
    struct halo halo;
    struct halo_part part[4];
    struct network network = {.latency_us = 3,
                              .bandwidth_gbs = 0.004,
                              .node = 4,
                              .near_latency_us = 1,
                              .near_bandwidth_gbs = 0.016};
    make_ring(&halo, part);
    assert_float_equal(scaling_exchange(&halo, &network, &part[2], 8), 2 * 1 + 47 * 0.5, 1e-9);
    network.node = 2;
    assert_float_equal(scaling_exchange(&halo, &network, &part[2], 8), 2 * 3 + 47 * 2, 1e-9);
    network.node = 1;
    assert_float_equal(scaling_exchange(&halo, &network, &part[2], 8), 2 * 3 + 47 * 2, 1e-9);
}

/* --- crowds --- */

/* The pace of one of `parts` parts on nodes of this number of ranks. */
static double crowd_pace(const struct crowd *crowd, int64_t parts, int node)
{
    struct scaling_costs costs;
    crowd_costs(crowd, &(struct network){.node = node}, parts, &costs);
    return costs.pace;
}

static struct processor processor;
static struct loop_pace loop;

/* One thread reads 10 GB/s, and all four 16 GB/s, from any memory. */
static struct crowd crowd_of(double arithmetic, double dram)
{
    processor = (struct processor){.there = true, .threads = 4};
    for (int k = 0; k < PROCESSOR_SIZES; k++) {
        processor.read[0][k] = 10e9;
        processor.read[1][k] = 16e9;
        processor.far[0][k] = 1e-9 * (1 + k);
        processor.far[1][k] = 1e-9 * (1 + 3 * k);
    }
    loop = (struct loop_pace){.name = "csr-omp"};
    for (int k = 0; k < PROCESSOR_LENGTHS; k++)
        loop.row[k] = 1e-9 * (3 + 0.5 * processor_length[k]);
    for (int level = 0; level < PROCESSOR_LEVELS; level++)
        loop.beyond[level] = (struct loop_factors){{1, 1}, 1};
    struct crowd crowd = {.host = true, .processor = &processor, .loop = &loop, .bytes = 1e9, .threads = 1};
    crowd.term[BOUND_ARITHMETIC] = arithmetic;
    crowd.term[BOUND_DRAM] = dram;
    return crowd;
}

static void ranks_share_the_bandwidth_of_their_node(void **state)
{
    struct crowd crowd = crowd_of(0, 0.1);
    /* Two ranks read 16 GB/s together, as fmin(2 * 10, 16): 8 each, instead of 10. */
    assert_float_equal(crowd_pace(&crowd, 2, 2), 10 / 8.0, 1e-9);
    assert_float_equal(crowd_pace(&crowd, 8, 4), 10 / 4.0, 1e-9);
    assert_float_equal(crowd_pace(&crowd, 8, 1), 1, 1e-9);
    assert_float_equal(crowd_pace(&crowd, 1, 1), 1, 0);
    crowd = crowd_of(0.1, 0); /* arithmetic is not shared */
    assert_float_equal(crowd_pace(&crowd, 4, 4), 1, 1e-9);
    crowd = crowd_of(0.1, 0.1); /* both overlap: (a^3 + d^3)^(1/3) */
    assert_float_equal(crowd_pace(&crowd, 4, 4), cbrt(1 + 2.5 * 2.5 * 2.5) / cbrt(2), 1e-9);
    crowd = crowd_of(0, 0.1);
    crowd.term[BOUND_LAUNCH] = 0.01; /* each rank has it all, for a quarter of 0.11 */
    assert_float_equal(crowd_pace(&crowd, 4, 4), (0.01 + 2.5 * 0.025) / (0.11 / 4), 1e-9);
    crowd = crowd_of(0, 0);
    crowd.term[BOUND_LATENCY] = 0.1; /* 7 ns above the first size for one thread, 21 ns for all */
    assert_float_equal(crowd_pace(&crowd, 4, 4), 3, 1e-9);
    crowd.threads = 2; /* one rank: a third of the way from one thread to four; both ranks: all */
    assert_float_equal(crowd_pace(&crowd, 2, 2), 21 / (7 + 14 / 3.0), 1e-9);
}

/* Parts that fit in a cache are read faster; ranks without a profile for so many do not change. */
static void parts_in_caches_and_unknown_crowds(void **state)
{
    struct crowd crowd = crowd_of(0, 0.1);
    for (int k = 0; k < PROCESSOR_SIZES - 1; k++)
        processor.read[0][k] = processor.read[1][k] = 40e9;
    assert_float_equal(crowd_pace(&crowd, 1000000, 2), 2 * 10 / 40.0, 1e-9);
    crowd = crowd_of(0, 0.1);
    assert_float_equal(crowd_pace(&crowd, 5, 5), 1, 0);
    crowd.processor = NULL;
    assert_float_equal(crowd_pace(&crowd, 4, 4), 1, 0);
    crowd = (struct crowd){0};
    assert_float_equal(crowd_pace(&crowd, 4, 4), 1, 0);
}

/* Four ranks of the node take 1.44 times as long as one, so that two take 1.2 times. */
static void computing_beside_others_takes_longer(void **state)
{
    const struct network network = {.node = 4, .crowd = 1.44};
    struct scaling_costs costs;
    struct crowd crowd = crowd_of(0.1, 0);
    crowd.csr = &loop;
    crowd_costs(&crowd, &network, 2, &costs);
    assert_float_equal(costs.pace, 1.2, 1e-9);
    assert_float_equal(costs.row_us, 1.2e-3 * 3, 1e-9); /* a row of 0 slots takes 3 ns, a further slot 0.5 */
    assert_float_equal(costs.pack_us, 1.2e-3 * 0.5, 1e-9);
    crowd_costs(&crowd, &network, 4, &costs);
    assert_float_equal(costs.pace, 1.44, 1e-9);
    crowd_costs(&crowd, &network, 400, &costs); /* a hundred nodes */
    assert_float_equal(costs.pace, 1.44, 1e-9);
    crowd_costs(&crowd, &network, 1, &costs);
    assert_float_equal(costs.pace, 1, 0);
    crowd.processor = NULL;
    crowd_costs(&crowd, &network, 4, &costs);
    assert_float_equal(costs.pace, 1.44, 1e-9);
    crowd = crowd_of(0, 0.1); /* 2.5 times by the profile */
    crowd_costs(&crowd, &(struct network){.node = 4, .memory_crowd = 2}, 4, &costs);
    assert_float_equal(costs.pace, 2, 1e-9);
    crowd_costs(&crowd, &(struct network){.node = 4, .memory_crowd = 3}, 4, &costs);
    assert_float_equal(costs.pace, 2.5, 1e-9);
    crowd_costs(&(struct crowd){0}, &network, 4, &costs); /* a device */
    assert_true(costs.pace == 1 && costs.row_us == 0 && costs.pack_us == 0 && costs.row_entries == 0);
}

/* A row of 0 slots takes 3 ns, a slot 0.5; a row has 16 bytes and an entry 12; random loads are of entries.
 */
static void a_row_takes_as_long_as_some_entries(void **state)
{
    const struct network network = {.node = 4};
    struct scaling_costs costs;
    struct crowd crowd = crowd_of(0.1, 0);
    crowd_costs(&crowd, &network, 4, &costs);
    assert_float_equal(costs.row_entries, 0, 0); /* another format */
    crowd.by_rows = true;
    crowd_costs(&crowd, &network, 4, &costs);
    assert_float_equal(costs.row_entries, 6, 1e-9);
    crowd_costs(&crowd, &network, 1, &costs);
    assert_float_equal(costs.row_entries, 6, 1e-9);
    crowd.term[BOUND_L2] = 0.1;
    crowd.term[BOUND_DRAM] = 0.2;
    crowd.term[BOUND_LATENCY] = 0.1;
    crowd_costs(&crowd, &network, 4, &costs);
    assert_float_equal(costs.row_entries, (6 + 3 * 4 / 3.0) / 5, 1e-9);
    crowd.loop = NULL;
    crowd_costs(&crowd, &network, 4, &costs);
    assert_float_equal(costs.row_entries, 0, 0);
}

/* --- profiles --- */

static const char good[] = "# a comment\n"
                           "title = Some Processor\n"
                           "date = 2026-01-31 14:05 UTC\r\n"
                           "ranks = 8\nnodes = 2\nnode = 4\n"
                           "latency = 1.7\nbandwidth = 11\n"
                           "near latency = 0.4\nnear bandwidth = 6.5\ncrowd = 1.3\nmemory crowd = 1.7\n";

static enum status read_text(const char *text, struct network_profile *profile, struct error *error)
{
    return network_read_profile(text, strlen(text), "folder/some", profile, error);
}

static void profiles_are_written_and_read(void **state)
{
    struct network_profile profile, again;
    struct text text = {0};
    struct error error = {0};
    assert_int_equal(read_text(good, &profile, &error), STATUS_OK);
    const struct network *network = &profile.network;
    assert_true(network->latency_us == 1.7 && network->bandwidth_gbs == 11 && network->node == 4);
    assert_true(network->near_latency_us == 0.4 && network->near_bandwidth_gbs == 6.5 &&
                network->crowd == 1.3);
    assert_string_equal(network->name, "some");
    assert_string_equal(network->date, "2026-01-31 14:05 UTC");
    assert_true(profile.ranks == 8 && profile.nodes == 2);
    network_describe(&profile, &text);
    assert_int_equal(read_text(text.data, &again, &error), STATUS_OK);
    assert_true(network_same(network, &again.network));
    assert_true(again.ranks == 8 && again.nodes == 2);
    assert_string_equal(again.title, profile.title);
    assert_string_equal(again.network.date, network->date);
    text_free(&text);
}

static void implausible_and_damaged_profiles_are_refused(void **state)
{
    static const struct {
        const char *line, *says;
        int64_t where;
    } wrong[] = {{"latency = 0", "the latency came out as 0 us", 0},
                 {"latency = 5000", "the latency came out as 5e+03 us", 0},
                 {"bandwidth = 0.001", "the bandwidth came out as 0.001 GB/s", 0},
                 {"near latency = 400", "the latency within a node", 0},
                 {"near bandwidth = 0.01", "the bandwidth within a node", 0},
                 {"crowd = 0.9", "beside the ranks of the node came out as 0.9 times", 0},
                 {"crowd = 80", "beside the ranks of the node came out as 80 times", 0},
                 {"memory crowd = 0.5", "reading memory beside the ranks of the node", 0},
                 {"latency = -1", "a number is missing, or is none", 14},
                 {"latency = 1 2", "there are too many numbers", 14},
                 {"node = 0", "no number of ranks", 14},
                 {"node = 2.5", "no number of ranks", 14},
                 {"node = 5000", "too many ranks", 0},
                 {"speed = 3", "no such key", 14},
                 {"word", "no 'key = value'", 14}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char text[1024];
        struct network_profile profile;
        struct error error = {0};
        snprintf(text, sizeof text, "%s\n%s\n", good, wrong[k].line);
        assert_int_equal(read_text(text, &profile, &error), STATUS_INPUT);
        if (!strstr(error.message, wrong[k].says)) fail_msg("%s: %s", wrong[k].line, error.message);
        assert_int_equal(error.line, wrong[k].where);
        assert_true(profile.network.bandwidth_gbs == 0);
    }
}

/* Whether this machine's network is kept. */
static bool here(struct network *network)
{
    bool kept;
    assert_int_equal(network_here(network, &kept, NULL), STATUS_OK);
    return kept;
}

/* Profiles are kept by their names, and the one with this machine's name is the default. */
static void kept_profiles_are_found(void **state)
{
    struct network_profile profile;
    struct network found;
    struct text path = {0};
    struct error error = {0};
    char folder[] = "/tmp/sparsight-networks-XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("SPARSIGHT_PROCESSOR");
    assert_false(here(&found));
    assert_true(found.latency_us == NETWORK_LATENCY_US && found.bandwidth_gbs == NETWORK_BANDWIDTH_GBS);
    assert_int_equal(network_find("some", &found, &error), STATUS_IO);
    assert_non_null(strstr(error.message, "--network=measure"));
    assert_int_equal(read_text(good, &profile, &error), STATUS_OK);
    error = (struct error){0};
    assert_int_equal(network_keep(&profile, &path, &error), STATUS_OK);
    assert_non_null(strstr(path.data, "/sparsight/networks/some"));
    assert_int_equal(network_find("some", &found, &error), STATUS_OK);
    assert_true(network_same(&found, &profile.network));
    assert_string_equal(found.name, "some");
    assert_int_equal(network_find(path.data, &found, &error), STATUS_OK);
    assert_int_equal(network_find("other", &found, &error), STATUS_IO);
    assert_non_null(strstr(error.message, "the kept networks are some"));
    assert_false(here(&found));
    network_name_here(profile.network.name);
    path.length = 0;
    assert_int_equal(network_keep(&profile, &path, NULL), STATUS_OK);
    assert_true(here(&found));
    assert_int_equal(found.node, 4);
    setenv("SPARSIGHT_PROCESSOR", "assumed", 1);
    assert_false(here(&found));
    unsetenv("SPARSIGHT_PROCESSOR");
    profile.network.near_latency_us = 2000; /* it is not kept, and the old one stays */
    path.length = 0;
    error = (struct error){0};
    assert_int_equal(network_keep(&profile, &path, &error), STATUS_INPUT);
    assert_non_null(strstr(error.message, "measure again"));
    assert_true(here(&found) && found.near_latency_us == 0.4);
    text_free(&path);
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void networks_are_read_and_written(void **state)
{
    struct network network, again;
    char text[160];
    assert_int_equal(network_read("latency=1.5,bandwidth=20", &network, NULL), STATUS_OK);
    assert_true(network.node == 1 && network.near_latency_us == 1.5 && network.near_bandwidth_gbs == 20);
    network_write(&network, text, sizeof text);
    assert_string_equal(text, "latency=1.5,bandwidth=20");
    assert_int_equal(network_read("latency=1.5,node=16,near-bandwidth=7", &network, NULL), STATUS_OK);
    network_write(&network, text, sizeof text);
    assert_string_equal(text, "latency=1.5,bandwidth=12,node=16,near-latency=1.5,near-bandwidth=7");
    assert_int_equal(network_read(text, &again, NULL), STATUS_OK);
    assert_true(network_same(&network, &again));
    again.near_latency_us = 1;
    assert_false(network_same(&network, &again));
    assert_int_equal(network_read("node=0", &network, NULL), STATUS_USAGE);
    assert_int_equal(network_set_name(&network, "cluster-7", NULL), STATUS_OK);
    assert_string_equal(network.name, "cluster-7");
    for (const char *const *name = (const char *const[]){"", "../x", "a/b", "a=b", ".x", NULL}; *name; name++)
        assert_int_equal(network_set_name(&network, *name, NULL), STATUS_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_within_nodes_have_their_own_times),
        cmocka_unit_test(boundary_rows_and_packing_take_time),
        cmocka_unit_test(rows_take_time_beside_their_entries),
        cmocka_unit_test(a_row_takes_as_long_as_some_entries),
        cmocka_unit_test(computing_beside_others_takes_longer),
        cmocka_unit_test(one_node_and_unknown_nodes),
        cmocka_unit_test(ranks_share_the_bandwidth_of_their_node),
        cmocka_unit_test(parts_in_caches_and_unknown_crowds),
        cmocka_unit_test(profiles_are_written_and_read),
        cmocka_unit_test(implausible_and_damaged_profiles_are_refused),
        cmocka_unit_test(kept_profiles_are_found),
        cmocka_unit_test(networks_are_read_and_written),
    };
    return cmocka_run_group_tests_name("analysis/network", tests, NULL, NULL);
}
