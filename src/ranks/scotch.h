/* PT-Scotch on the graph of A + A^T, without loops, of a distributed matrix: each rank has the vertices of
 * its rows. Only files that PT-Scotch needs include this, within HAVE_PTSCOTCH. */
#ifndef SPARSIGHT_RANKS_SCOTCH_H
#define SPARSIGHT_RANKS_SCOTCH_H

/* ptscotch.h needs the types of the headers before it. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <mpi.h>

#include "config.h"
#ifdef HAVE_SCOTCH_PTSCOTCH_H
#    include <scotch/ptscotch.h>
#else
#    include <ptscotch.h>
#endif

#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* This rank's vertices, in PT-Scotch's integers. Free with scotch_graph_free, which takes {0}. */
struct scotch_graph {
    int64_t vertices;            /* of this rank */
    SCOTCH_Num *ptr, *neighbour; /* the neighbours of a vertex ascend */
    SCOTCH_Num *weight;          /* of the vertices; NULL: all weigh the same. The caller may set it */
    int64_t edges;               /* of all ranks, counted in both directions */
};

/* Make the graph. A rank takes some 12 bytes per entry of its own, twice that unless the pattern is
 * symmetric. Collective; STATUS_LIMIT if a rank has too many edges for PT-Scotch's integers, STATUS_MEMORY,
 * on all ranks. Free it in any case. */
enum status scotch_graph_make(const struct ranks *ranks, const struct share *share,
                              struct scotch_graph *graph, struct error *error);
void scotch_graph_free(struct scotch_graph *graph);

/* PT-Scotch, ready for work on the graph `bound`: on one thread of each rank, with random numbers from the
 * seed alone, so that results depend on the number of ranks only. */
struct scotch {
    SCOTCH_Context *context;
    SCOTCH_Dgraph graph, bound;
    int begun; /* number of steps to undo */
};

/* Begin; false if PT-Scotch fails. Collective. scotch_end undoes what was begun, also after a failure. */
bool scotch_begin(const struct ranks *ranks, const struct scotch_graph *graph, int64_t seed,
                  struct scotch *scotch);
void scotch_end(struct scotch *scotch);

#endif
