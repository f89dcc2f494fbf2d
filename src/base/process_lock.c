#include "base/process_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum status process_lock_open(struct process_lock *lock, struct error *error)
{
    lock->file = memfd_create("sparsight-lock", MFD_CLOEXEC);
    if (lock->file >= 0) return STATUS_OK;
    return error_set(error, STATUS_IO, "no lock for processes: %s", strerror(errno));
}

void process_lock_close(struct process_lock *lock)
{
    if (lock->file >= 0) close(lock->file);
    lock->file = -1;
}

static void set_lock(int file, short type)
{
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    while (fcntl(file, F_SETLKW, &whole) != 0 && errno == EINTR)
        continue;
}

void process_lock_take(const struct process_lock *lock, enum process_lock_kind kind)
{
    static const short types[] = {[PROCESS_LOCK_SHARED] = F_RDLCK, [PROCESS_LOCK_ALONE] = F_WRLCK};
    if (!lock) return;
    set_lock(lock->file, F_UNLCK);
    if (kind != PROCESS_LOCK_NONE) set_lock(lock->file, types[kind]);
}
