#include "ui/recent.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"

/* Append the folder of the list; nothing if there is no place for it. Returns the length of the user's home
 * at its beginning, which is never made: an account may have none. */
static size_t append_folder(struct text *path)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && state[0] == '/') {
        text_append(path, "%s/sparsight", state);
    } else if (home && home[0] == '/') {
        text_append(path, "%s/.local/state/sparsight", home);
        return strlen(home);
    }
    return 0;
}

/* Make the folder and those that it is in, but for the home, which is so long; what is there already stays
 * as it is. */
static void make_folder(char *path, size_t home)
{
    for (char *c = path + home + 1; *c; c++) {
        if (*c != '/') continue;
        *c = 0;
        mkdir(path, 0700);
        *c = '/';
    }
    mkdir(path, 0700);
}

void recent_read(struct text *paths)
{
    struct text path = {0};
    char line[PATH_MAX + 2];
    append_folder(&path);
    if (path.length) text_append(&path, "/recent");
    FILE *file = path.length && !path.failed ? fopen(path.data, "r") : NULL;
    for (int k = 0; k < RECENT_MAX && file && fgets(line, sizeof line, file); k++) {
        size_t length = strlen(line);
        if (line[0] == '/' && line[length - 1] == '\n') text_append_bytes(paths, line, length);
    }
    if (file) fclose(file);
    text_free(&path);
}

/* Append the new path and then the old ones but for that. */
static void append_paths(struct text *out, const char *newest)
{
    struct text old = {0};
    size_t wanted = strlen(newest);
    int count = 1;
    text_append(out, "%s\n", newest);
    recent_read(&old);
    for (const char *line = old.data; line && *line && count < RECENT_MAX;) {
        size_t length = strcspn(line, "\n");
        bool same = length == wanted && memcmp(line, newest, length) == 0;
        if (!same) text_append(out, "%.*s\n", (int)length, line);
        count += !same;
        line += length + 1;
    }
    text_free(&old);
}

void recent_add(const char *name)
{
    struct text folder = {0}, newest = {0}, all = {0};
    struct output output = {0};
    char here[PATH_MAX];
    if (strcmp(name, "-") == 0 || strncmp(name, "gen:", 4) == 0 || strpbrk(name, "\n\r")) return;
    size_t home = append_folder(&folder);
    if (name[0] == '/')
        text_append(&newest, "%s", name);
    else if (getcwd(here, sizeof here) && !strchr(here, '\n'))
        text_append(&newest, "%s/%s", here, strncmp(name, "./", 2) == 0 ? name + 2 : name);
    if (folder.length && newest.length && !folder.failed && !newest.failed) {
        append_paths(&all, newest.data);
        make_folder(folder.data, home);
        text_append(&folder, "/recent");
        if (!all.failed && !folder.failed && output_open(&output, folder.data, NULL) == STATUS_OK &&
            output_write(&output, all.data, all.length, NULL) == STATUS_OK)
            output_commit(&output, NULL);
        output_abandon(&output);
    }
    text_free(&folder);
    text_free(&newest);
    text_free(&all);
}
