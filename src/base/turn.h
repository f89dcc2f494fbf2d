/* Turns: processes that work beside each other, of which one at a time is alone while it times something.
 * Each holds the turn shared while it works, and gives that up before it wants to be alone, so that nobody
 * waits for one who waits. */
#ifndef SPARSIGHT_BASE_TURN_H
#define SPARSIGHT_BASE_TURN_H

#include "base/error.h"

/* A lock that forked processes share; it is a process's own what it holds, and is given up when it ends,
 * however it does. */
struct turn {
    int file;
};

enum turn_kind {
    TURN_NONE,
    TURN_SHARED, /* others may hold it shared too */
    TURN_ALONE   /* nobody else holds it */
};

/* STATUS_IO if the system gives no lock. Close with turn_close. */
enum status turn_open(struct turn *turn, struct error *error);
void turn_close(struct turn *turn);

/* Give up what is held, and wait until `kind` is to be had. NULL as a turn does nothing: there are no others.
 */
void turn_take(const struct turn *turn, enum turn_kind kind);

#endif
