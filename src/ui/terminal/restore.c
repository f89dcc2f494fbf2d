#include "ui/terminal/restore.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/output.h"
#include "base/signals.h"

/* All data of the handler. They are prepared in advance, because a signal handler may call few functions. */
static struct {
    int fd;
    struct termios modes;
    bool known; /* the modes are known */
    char bytes[512];
    volatile size_t length;
    struct sigaction before[NSIG]; /* the actions of signals that end a process */
    pid_t process;
    volatile bool armed;
} saved;

/* The handler's stack. It must also run after an overflow of the program's own stack. */
static char stack[32768];

/* True if another process group has the terminal. The terminal was then restored when this program was
 * stopped. */
static bool in_background(void)
{
    pid_t foreground = tcgetpgrp(saved.fd); /* -1: it is not the controlling terminal */
    return foreground >= 0 && foreground != getpgrp();
}

/* Repeat the call, because a signal may interrupt it, such as the signal of a resized window. */
static void set_modes(void)
{
    for (int k = 0; k < 3 && saved.known; k++)
        if (tcsetattr(saved.fd, TCSANOW, &saved.modes) == 0) break;
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
    set_modes();
}

static void handle(int signal)
{
    int code = errno;
    output_signalled();
    if (!in_background()) restore();
    sigaction(signal, &saved.before[signal], NULL);
    errno = code;
    raise(signal); /* it is blocked until this handler returns */
}

/* Libraries can end the program too. OpenMP does so if it gets no thread. */
static void handle_exit(void)
{
    if (saved.armed && saved.process == getpid() && !in_background()) restore();
}

void restore_arm(int fd)
{
    static bool registered;
    if (!registered) registered = atexit(handle_exit) == 0;
    saved.process = getpid();
    saved.armed = true;
    struct sigaction action = {0};
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    saved.fd = fd;
    saved.length = 0;
    saved.known = tcgetattr(fd, &saved.modes) == 0;
    sigaltstack(&alternate, NULL);
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGTTOU); /* setting the modes from the background must not stop the program */
    for (int k = 1; k < NSIG; k++) {
        if (!signal_ends(k)) continue;
        sigaction(k, NULL, &saved.before[k]);
        if (saved.before[k].sa_handler != SIG_IGN) sigaction(k, &action, NULL);
    }
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
    if (saved.armed && !in_background()) set_modes(); /* curses does not check whether it succeeded */
    saved.armed = false;
    for (int k = 1; k < NSIG; k++)
        if (signal_ends(k) && saved.before[k].sa_handler != SIG_IGN) sigaction(k, &saved.before[k], NULL);
}
