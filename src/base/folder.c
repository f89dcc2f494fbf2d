#include "base/folder.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/output.h"

static const struct {
    const char *variable, *below_home;
} places[] = {[FOLDER_CONFIG] = {"XDG_CONFIG_HOME", ".config"},
              [FOLDER_CACHE] = {"XDG_CACHE_HOME", ".cache"},
              [FOLDER_STATE] = {"XDG_STATE_HOME", ".local/state"}};

size_t folder_append(struct text *path, enum folder folder)
{
    const char *place = getenv(places[folder].variable), *home = getenv("HOME");
    if (place && place[0] == '/') {
        text_append(path, "%s/sparsight", place);
    } else if (home && home[0] == '/') {
        text_append(path, "%s/%s/sparsight", home, places[folder].below_home);
        return strlen(home);
    }
    return 0;
}

void folder_make(char *path, size_t home)
{
    for (char *c = path + home + 1; *c; c++) {
        if (*c != '/') continue;
        *c = 0;
        mkdir(path, 0700);
        *c = '/';
    }
    mkdir(path, 0700);
}

enum status folder_keep(struct text *path, size_t home, const struct text *text, const char *what,
                        struct error *error)
{
    struct output output = {0};
    if (path->failed || text->failed) return error_set(error, STATUS_MEMORY, "out of memory");
    if (!path->length)
        return error_set(error, STATUS_IO,
                         "%s is not kept: neither XDG_CACHE_HOME nor HOME names a folder for it", what);
    char *name = strrchr(path->data, '/');
    *name = 0;
    folder_make(path->data, home);
    *name = '/';
    enum status status = output_open(&output, path->data, error);
    if (status == STATUS_OK) status = output_write(&output, text->data, text->length, error);
    if (status == STATUS_OK) status = output_commit(&output, error);
    output_abandon(&output);
    return status;
}
