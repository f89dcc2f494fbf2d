/* A library to preload, which makes system calls fail in turn: the n-th call of some kinds, counted from the
 * start of the program, in all threads. tests/support/failures.py describes the tests.
 *
 * - FAILING_CALLS=KIND,... : the calls that count; without it none fails - FAILING_AT=N: the first call that
 * fails; 0, the default, only counts - FAILING_TIMES=N: the number of calls that fail from there on; 0: all;
 * default 1 - FAILING_HOW=NUMBER: errno of a call that fails; "short": it reads or writes a part of the
 * requested bytes - FAILING_ROOM=N: the maximum number of threads besides the first one; default any number -
 * FAILING_LOG=FILE: the failed calls, and at the end the number of calls of each kind, and the leaks */
#ifndef SPARSIGHT_TESTS_FAILING_H
#define SPARSIGHT_TESTS_FAILING_H

#include <stdbool.h>
#include <sys/types.h>

enum call {
    CALL_CLOSE,
    CALL_FORK,
    CALL_LOCK, /* flock, fcntl */
    CALL_MAP,
    CALL_MEMORY,  /* allocations of the program itself, not of libraries */
    CALL_MESSAGE, /* the message on standard error */
    CALL_OPEN,    /* files, folders, libraries, and files without a name */
    CALL_PIPE,    /* pipe, dup */
    CALL_READ,
    CALL_RENAME, /* rename, unlink */
    CALL_SEEK,
    CALL_STAT,
    CALL_SYSTEM, /* files in /sys and /proc: opened, read and closed */
    CALL_TERMINAL,
    CALL_THREAD,
    CALL_TRUNCATE,
    CALL_WAIT, /* waitpid, poll */
    CALL_WRITE,
    CALL_COUNT
};

/* Return true, and set errno, if this call must fail. */
bool failing(enum call call);

/* Return true if this call must read or write less than requested. */
bool failing_short(enum call call);

/* The calls of streams, which are streams of failing_streams.c, so that these calls are counted too. */
int failing_open(int folder, const char *path, int flags, unsigned mode);
ssize_t failing_read(int fd, void *bytes, size_t size);
ssize_t failing_write(int fd, const void *bytes, size_t size);
int failing_close(int fd);
off_t failing_seek(int fd, off_t offset, int whence);

/* Make standard output and standard error such streams. */
void failing_streams(void);

#endif
