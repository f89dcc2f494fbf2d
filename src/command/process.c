#include "command/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/output.h"
#include "command/meter.h"

/* Remove an unfinished file and the progress line, then die of the signal as a program does that does not
 * catch it. */
static void on_signal(int number)
{
    output_signalled();
    meter_signalled();
    signal(number, SIG_DFL);
    raise(number);
}

void process_catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (signal(numbers[k], on_signal) == SIG_IGN) signal(numbers[k], SIG_IGN);
    /* What these signals tell is also an error of write. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void process_guard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            _exit(EXIT_FAILURE);
}
