#include "support/profiles.h"

#include <stdlib.h>
#include <string.h>

#include "support/files.h"

enum status profile_read(const char *text, struct gpu *gpu, struct error *error)
{
    return gpu_read(text, strlen(text), "somewhere/my.gpu", gpu, error);
}

int profiles_begin(void **state)
{
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/nonexistent", 1);
    return files_begin(state);
}
