#include "base/turns.h"

void turns_start(struct turns *turns)
{
    turns->step = 0;
    pthread_mutex_init(&turns->lock, NULL);
    for (int k = 0; k < TURNS_APART; k++)
        pthread_cond_init(&turns->come[k], NULL);
}

void turns_end(struct turns *turns)
{
    for (int k = 0; k < TURNS_APART; k++)
        pthread_cond_destroy(&turns->come[k]);
    pthread_mutex_destroy(&turns->lock);
}

void turns_wait(struct turns *turns, int64_t step)
{
    pthread_mutex_lock(&turns->lock);
    while (turns->step != step)
        pthread_cond_wait(&turns->come[step % TURNS_APART], &turns->lock);
    pthread_mutex_unlock(&turns->lock);
}

void turns_pass(struct turns *turns)
{
    pthread_mutex_lock(&turns->lock);
    turns->step++;
    pthread_cond_broadcast(&turns->come[turns->step % TURNS_APART]);
    pthread_mutex_unlock(&turns->lock);
}
