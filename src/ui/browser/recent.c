#include "ui/browser/recent.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/output.h"

void recent_read(struct text *paths)
{
    struct text path = {0};
    char line[PATH_MAX + 2];
    folder_append(&path, FOLDER_STATE);
    if (path.length) text_append(&path, "/recent");
    FILE *file = path.length && !path.failed ? fopen(path.data, "r") : NULL;
    for (int k = 0; k < RECENT_MAX && file && fgets(line, sizeof line, file); k++) {
        size_t length = strlen(line);
        if (line[0] == '/' && line[length - 1] == '\n') text_append_bytes(paths, line, length);
    }
    if (file) fclose(file);
    text_free(&path);
}

/* Append the newest path, then the old paths without it. */
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
    char here[PATH_MAX], real[PATH_MAX];
    if (strcmp(name, "-") == 0 || strncmp(name, "gen:", 4) == 0 || strpbrk(name, "\n\r")) return;
    size_t home = folder_append(&folder, FOLDER_STATE);
    if (realpath(name, real) && !strchr(real, '\n')) /* one path for a file, however it was named */
        text_append(&newest, "%s", real);
    else if (name[0] == '/')
        text_append(&newest, "%s", name);
    else if (getcwd(here, sizeof here) && !strchr(here, '\n'))
        text_append(&newest, "%s/%s", here, strncmp(name, "./", 2) == 0 ? name + 2 : name);
    if (folder.length && newest.length && !folder.failed && !newest.failed) {
        append_paths(&all, newest.data);
        folder_make(folder.data, home);
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
