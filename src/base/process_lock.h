/* A lock of processes that work beside each other, of which one at a time is alone while it times something.
 * Each holds the lock shared while it works, and gives that up before it wants to be alone, so that nobody
 * waits for one who waits. */
#ifndef SPARSIGHT_BASE_PROCESS_LOCK_H
#define SPARSIGHT_BASE_PROCESS_LOCK_H

#include "base/error.h"

/* A lock that forked processes share; it is a process's own what it holds, and is given up when it ends,
 * however it does. */
struct process_lock {
    int file;
};

enum process_lock_kind {
    PROCESS_LOCK_NONE,
    PROCESS_LOCK_SHARED, /* others may hold it shared too */
    PROCESS_LOCK_ALONE   /* nobody else holds it */
};

/* STATUS_IO if the system gives no lock. Close with process_lock_close. */
enum status process_lock_open(struct process_lock *lock, struct error *error);
void process_lock_close(struct process_lock *lock);

/* Give up what is held, and wait until `kind` is to be had. NULL as a lock does nothing: there are no others.
 */
void process_lock_take(const struct process_lock *lock, enum process_lock_kind kind);

#endif
