/* report/inventory: the profiles of GPUs, with the origin of each: compiled in, the user's, measured here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/inventory.h"
#include "support/files.h"
#include "support/unit.h"

static const char profile[] =
    "title = Own GPU\nsource = a test\ncompute capability = 7.0\nmultiprocessors = 80\nL2 = 6 MiB\n"
    "memory = 32 GiB\nbandwidth = 900 GB/s\npeak double = 7.8 TFLOP/s\nlaunch = derived\n"
    "next launch = derived\nL1 latency = derived\nL2 latency = derived\nmemory latency = derived\n"
    "shared memory latency = derived\nL1 bandwidth = derived\nL2 bandwidth = derived\n"
    "read bandwidth = derived\nwrite bandwidth = derived\nreduction bandwidth = derived\n"
    "meeting addition = derived\n";

static void keep(const char *folder, const char *variable, const char *name, const char *text)
{
    char here[4000], path[4200];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(path, sizeof path, "%s/%s", here, folder);
    mkdir(path, 0755);
    setenv(variable, path, 1);
    strcat(path, "/sparsight");
    mkdir(path, 0755);
    strcat(path, "/gpus");
    mkdir(path, 0755);
    snprintf(path + strlen(path), sizeof path - strlen(path), "/%s", name);
    files_write(path, text, strlen(text));
}

TEST_BETWEEN(files_begin, files_end, profiles_have_an_origin)
{
    FREED(text_free) struct text text = {0};
    keep("config", "XDG_CONFIG_HOME", "mine.gpu", profile);
    keep("config", "XDG_CONFIG_HOME", "broken.gpu", "title = Own GPU\nwarps = many\n");
    keep("cache", "XDG_CACHE_HOME", "seen.gpu", profile);
    append_inventory(&(struct gpu){.name = ""}, &text);
    assert_says(text.data,
                "\nmine      Own GPU (constants derived): 7.0, 80 multiprocessors, L2 6.00 MiB, 32.0 GiB at "
                "900 GB/s, 7800 GFLOP/s in "
                "f64, yours\n",
                "\nseen      Own GPU (constants derived): 7.0, 80 multiprocessors, L2 6.00 MiB, 32.0 GiB at "
                "900 GB/s, 7800 GFLOP/s in "
                "f64, measured with "
                "--calibrate\n",
                "\nbroken    not available: ");
    /* Those of the program have none. */
    const char *shipped = strstr(text.data, "\nv100 ");
    assert_non_null(shipped);
    char line[300] = "";
    memcpy(line, shipped + 1, strcspn(shipped + 1, "\n"));
    assert_says(
        line,
        "7.0, 80 multiprocessors, L2 6.00 MiB, 32.0 GiB at 900 GB/s, 7800 GFLOP/s in f64, 15700 in f32");
    assert_lacks(line, "yours", "calibrate");
}
