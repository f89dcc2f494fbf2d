/* Turns: the threads of a parallel loop do one part of each step in the order of the steps, such as writing
 * to a file. They sleep until it is their turn. OpenMP's `ordered` spins for some milliseconds instead, which
 * takes processors from the thread that it waits for, for instance a compressor. */
#ifndef SPARSIGHT_BASE_TURNS_H
#define SPARSIGHT_BASE_TURNS_H

#include <pthread.h>
#include <stdint.h>

#define TURNS_APART 64

/* The steps are numbered from 0 on. */
struct turns {
    pthread_mutex_t lock;
    pthread_cond_t come[TURNS_APART]; /* a step waits at its number, modulo TURNS_APART */
    int64_t step;                     /* the step whose turn it is */
};

void turns_start(struct turns *turns);
void turns_end(struct turns *turns);

/* Wait until it is this step's turn. Every step must wait, and call turns_pass at its end, even if it does
 * nothing. Steps must begin in their order: schedule(monotonic : dynamic).
 */
void turns_wait(struct turns *turns, int64_t step);
void turns_pass(struct turns *turns);

#endif
