/* Other people's products y = A x, as kernels: timed and checked beside ours, and never part of the program.
 */
#ifndef SPARSIGHT_TESTS_BENCH_PEERS_PEERS_H
#define SPARSIGHT_TESTS_BENCH_PEERS_PEERS_H

#include "kernels/kernel.h"

#define PEERS_MAX 3

/* A kernel on CSR, and what its preparation found out: its functions are handed launch->kernel, which is the
 * first member of this. */
struct peer {
    struct kernel kernel;
    double prepare_seconds; /* that the last preparation took: conversion from CSR, and tuning */
    char note[64];          /* what it chose; "" for nothing to say */
};

/* Start the libraries that were found when this was configured, and fill in their kernels; *count of them.
 * peers_end afterwards, also after failure. STATUS_UNAVAILABLE if a library does not start. */
enum status peers_begin(struct peer peers[PEERS_MAX], int *count, struct error *error);
void peers_end(void);

/* One line that says which peers are missing and how to install them; NULL if none is. */
const char *peers_missing(void);

/* Each fills in one peer; begin starts its library, end stops it. */
void peer_plain(struct peer *peer);
enum status peer_librsb_begin(struct peer *peer, struct error *error);
void peer_librsb_end(void);
enum status peer_graphblas_begin(struct peer *peer, struct error *error);
void peer_graphblas_end(void);

#endif
