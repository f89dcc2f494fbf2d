#include "command/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/output.h"
#include "base/signals.h"
#include "command/meter.h"
#include "command/plot_terminal.h"

/* Remove an unfinished file and the progress line, and give the terminal its modes. */
static void clean_up(void)
{
    output_signalled();
    plot_signalled();
    meter_signalled();
}

void process_catch_signals(void)
{
    signals_catch(clean_up);
}

void process_guard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            _exit(EXIT_FAILURE);
}
