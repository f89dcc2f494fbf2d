/* A lock of processes that work at the same time, except while one of them times something. Each holds the
 * lock shared while it works, and releases it before it requests the lock exclusively, so that no deadlock
 * arises. */
#ifndef SPARSIGHT_BASE_PROCESS_LOCK_H
#define SPARSIGHT_BASE_PROCESS_LOCK_H

#include "base/error.h"

/* A lock that forked processes share. Each process has a separate hold on it, which ends with the process. */
struct process_lock {
    int file;
};

enum process_lock_kind {
    PROCESS_LOCK_NONE,
    PROCESS_LOCK_SHARED, /* others may hold it shared too */
    PROCESS_LOCK_ALONE   /* no other process holds it */
};

/* STATUS_IO if the system gives no lock. Close with process_lock_close. */
enum status process_lock_open(struct process_lock *lock, struct error *error);
void process_lock_close(struct process_lock *lock);

/* Release the current hold, and wait until `kind` is granted. Does nothing if the lock is NULL: there are no
 * other processes. */
void process_lock_take(const struct process_lock *lock, enum process_lock_kind kind);

#endif
