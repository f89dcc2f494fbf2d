#include "ui/terminal/restore.h"

#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/output.h"
#include "base/signals.h"

/* All that the handler reads. It is prepared beforehand, since a signal handler may call few functions. */
static struct {
    int fd;
    struct termios modes;
    char bytes[512];
    volatile size_t length;
} saved;

/* True if another process group has the terminal, which was then restored when this program was stopped. */
static bool in_background(void)
{
    pid_t foreground = tcgetpgrp(saved.fd); /* -1 if it is not the controlling terminal: no group has it */
    return foreground >= 0 && foreground != getpgrp();
}

static void restore(void)
{
    const char *bytes = saved.bytes;
    for (size_t left = saved.length; left > 0;) {
        ssize_t written = write(saved.fd, bytes, left);
        if (written <= 0) break;
        bytes += written;
        left -= (size_t)written;
    }
    tcsetattr(saved.fd, TCSANOW, &saved.modes);
}

static void clean_up(void)
{
    output_signalled();
    if (!in_background()) restore();
}

void restore_arm(int fd)
{
    saved.fd = fd;
    saved.length = 0;
    tcgetattr(fd, &saved.modes);
    signals_catch(clean_up);
}

void restore_write(const char *bytes, size_t length)
{
    if (length > sizeof saved.bytes) length = sizeof saved.bytes;
    saved.length = 0;
    memcpy(saved.bytes, bytes, length);
    saved.length = length;
}

void restore_disarm(void)
{
    signals_release();
}
