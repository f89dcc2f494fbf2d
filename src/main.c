/* The program: its streams, its signals and its command line, which names a command of src/command. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/output.h"
#include "base/threads.h"
#include "command/command.h"
#include "command/help.h"
#include "command/meter.h"
#include "command/say.h"
#include "config.h"

/* Remove an unfinished file and the progress line, then die of the signal as a program does that does not
 * catch it. */
static void on_signal(int number)
{
    output_signalled();
    meter_signalled();
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (signal(numbers[k], on_signal) == SIG_IGN) signal(numbers[k], SIG_IGN);
    /* What these signals tell is also an error of write. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

/* Open /dev/null for each standard stream that is closed, in the direction that it does not have, so that
 * using it fails. Else the first file that is opened would become that stream. */
static void guard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            _exit(EXIT_FAILURE);
}

static int print_help(const struct options *options)
{
    struct text text = {0};
    if (options->version)
        text_append(&text, "%s\n", PACKAGE_STRING);
    else
        help_append(options->command, &text);
    int code = print_text(&text, NULL);
    text_free(&text);
    return code;
}

static int run(const struct options *options)
{
    if (options->threads || !getenv("OMP_NUM_THREADS")) threads_set(options->threads);
    if (options->command != COMMAND_EXPLORE || options->help || options->version) catch_signals();
    if (options->help || options->version) return print_help(options);
    return command_of(options->command)->run(options);
}

int main(int argc, char **argv)
{
    struct options options;
    struct error error = {0};
    guard_streams();
    enum status status = options_parse(argc, argv, &options, &error);
    int code = status == STATUS_OK      ? run(&options)
               : status == STATUS_USAGE ? wrong_usage(&options, &error)
                                        : conclude(status, &error);
    options_free(&options);
    return code;
}
