#include "command/completion/values.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/words.h"
#include "matrix/files/catalogue.h"
#include "matrix/files/reader.h"
#include "report/saved/saved.h"

/* True if the name fits on a line of candidates. */
static bool is_plain(const char *name)
{
    uint32_t character;
    for (int length; *name; name += length)
        if (!(length = words_decode(name, &character)) || words_control(character)) return false;
    return true;
}

static bool ends_as_matrix(const char *name)
{
    return catalogue_takes(name) || reader_of_name(name, strlen(name), true, NULL);
}

static bool ends_as_matrix_or_report(const char *name)
{
    return ends_as_matrix(name) || saved_is_named(name);
}

/* Append the folder part of `typed`, ending in a slash; ~/ is the home, as in the shell. */
static void append_folder(const char *typed, size_t length, struct text *path)
{
    const char *home = getenv("HOME");
    bool at_home = length >= 2 && typed[0] == '~' && typed[1] == '/' && home;
    if (length == 0) text_append(path, "./");
    if (at_home) text_append(path, "%s/", home);
    text_append_bytes(path, typed + (at_home ? 2 : 0), length - (at_home ? 2 : 0));
}

static void offer_folder(const struct typing *typing, bool (*takes)(const char *name))
{
    const char *typed = typing->word + typing->from, *slash = strrchr(typed, '/');
    size_t length = slash ? (size_t)(slash + 1 - typed) : 0;
    struct typing name = *typing;
    struct text path = {0};
    name.from += length;
    append_folder(typed, length, &path);
    size_t end = path.length;
    DIR *folder = path.failed ? NULL : opendir(path.data);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat found;
        bool hidden = entry->d_name[0] == '.';
        if (!is_plain(entry->d_name) || (hidden && typed[length] != '.')) continue;
        if (strcmp(entry->d_name, ".") == 0) continue;
        path.length = end;
        text_append(&path, "%s", entry->d_name);
        if (path.failed || stat(path.data, &found) != 0) continue;
        if (S_ISDIR(found.st_mode))
            offer_word(&name, entry->d_name, "/", NULL);
        else if (!takes || takes(entry->d_name))
            offer_word(&name, entry->d_name, "", NULL);
    }
    if (folder) closedir(folder);
    text_free(&path);
}

void offer_files(const struct typing *typing)
{
    offer_folder(typing, NULL);
}

void offer_matrix_files(const struct typing *typing, bool reports)
{
    offer_folder(typing, reports ? ends_as_matrix_or_report : ends_as_matrix);
}
