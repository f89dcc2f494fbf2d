#include "ui/terminal/restore.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define SIGNALS (sizeof signals / sizeof *signals)

/* All that the handler reads; prepared beforehand, since little is allowed inside one. */
static struct {
    int fd;
    struct termios modes;
    char bytes[512];
    volatile size_t length;
    struct sigaction before[SIGNALS];
} saved;

/* A stack of its own, so that an overflowing one is survived long enough. */
static char stack[32768];

/* In the background the terminal is someone else's, and was restored when this program was stopped. */
static bool in_background(void)
{
    pid_t foreground = tcgetpgrp(saved.fd); /* -1: not the controlling terminal, which has no such groups */
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

static void handle(int signal)
{
    int code = errno;
    if (!in_background()) restore();
    for (size_t k = 0; k < SIGNALS; k++)
        if (signals[k] == signal) sigaction(signal, &saved.before[k], NULL);
    errno = code;
    raise(signal); /* blocked until this handler returns */
}

void restore_arm(int fd)
{
    struct sigaction action = {0};
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    saved.fd = fd;
    saved.length = 0;
    tcgetattr(fd, &saved.modes);
    sigaltstack(&alternate, NULL);
    action.sa_handler = handle;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGTTOU); /* which would stop the program before it can die */
    for (size_t k = 0; k < SIGNALS; k++) {
        sigaction(signals[k], NULL, &saved.before[k]);
        if (saved.before[k].sa_handler != SIG_IGN) sigaction(signals[k], &action, NULL);
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
    for (size_t k = 0; k < SIGNALS; k++)
        if (saved.before[k].sa_handler != SIG_IGN) sigaction(signals[k], &saved.before[k], NULL);
}
