#include "base/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum status turn_open(struct turn *turn, struct error *error)
{
    turn->file = memfd_create("sparsight-turn", MFD_CLOEXEC);
    if (turn->file >= 0) return STATUS_OK;
    return error_set(error, STATUS_IO, "no lock for processes: %s", strerror(errno));
}

void turn_close(struct turn *turn)
{
    if (turn->file >= 0) close(turn->file);
    turn->file = -1;
}

static void lock(int file, short type)
{
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    while (fcntl(file, F_SETLKW, &whole) != 0 && errno == EINTR)
        continue;
}

void turn_take(const struct turn *turn, enum turn_kind kind)
{
    static const short types[] = {[TURN_SHARED] = F_RDLCK, [TURN_ALONE] = F_WRLCK};
    if (!turn) return;
    lock(turn->file, F_UNLCK);
    if (kind != TURN_NONE) lock(turn->file, types[kind]);
}
