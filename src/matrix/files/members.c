#include "matrix/files/members.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text.h"
#include "matrix/files/reader.h"

/* Maximum bytes of the names of members in a message. */
#define NAMES_MAX 3000

const char *member_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool member_ends_with(const char *text, size_t length, const char *ending)
{
    size_t size = strlen(ending);
    return length >= size && strncasecmp(text + length - size, ending, size) == 0;
}

/* Return the length of a name without its endings; `text`: the endings of readers count, too. */
static size_t without_endings(const char *base, bool text)
{
    static const char *const endings[] = {".gz",  ".bz2", ".xz",  ".zst",  ".lz4",  ".lzma", ".z",
                                          ".zip", ".tgz", ".tbz", ".tbz2", ".tzst", ".txz",  ".tar"};
    size_t length = strlen(base), before, ending;
    do {
        before = length;
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
            if (length > strlen(endings[k]) && member_ends_with(base, length, endings[k]))
                length -= strlen(endings[k]);
        if (text && reader_of_name(base, length, true, &ending)) length -= ending;
    } while (length < before);
    return length;
}

size_t member_unpacked(const char *base)
{
    return without_endings(base, false);
}

size_t member_stem(const char *base)
{
    return without_endings(base, true);
}

bool member_is_matrix(const char *member)
{
    return reader_of_name(member, strlen(member), false, NULL) != NULL;
}

bool member_has_the_name(const char *file, const char *member)
{
    const char *base = member_base(member);
    size_t stem = member_stem(base);
    if (!member_is_matrix(member)) return false;
    const char *folder = base;
    while (folder > member && (folder == base || folder[-1] != '/'))
        folder--;
    if (base > member && (size_t)(base - 1 - folder) == stem && !strncmp(folder, base, stem)) return true;
    if (!file) return false;
    file = member_base(file);
    return member_stem(file) == stem && !strncmp(file, base, stem);
}

/* Return the rest of `wanted` after the name of a member: "", or ':' and the name of a variable. NULL if it
 * is not that member. */
static const char *behind_name(const char *wanted, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(wanted, name, length) != 0) return NULL;
    return !wanted[length] || (wanted[length] == ':' && wanted[length + 1]) ? wanted + length : NULL;
}

/* As behind_name, for a member with or without its folders, by its name or its displayed name. */
static const char *behind_member(const char *wanted, const char *member)
{
    const char *behind = behind_name(wanted, member);
    if (!behind) behind = behind_name(wanted, member_base(member));
    char *shown = behind ? NULL : memory_string(member, NULL);
    if (!shown) return behind;
    behind = behind_name(wanted, text_visible(shown));
    if (!behind) behind = behind_name(wanted, member_base(shown));
    free(shown);
    return behind;
}

bool member_is_wanted(const char *wanted, const char *member)
{
    return behind_member(wanted, member) != NULL;
}

const char *member_variable(const char *wanted, const char *member)
{
    const char *behind = behind_member(wanted, member);
    return behind && *behind ? behind + 1 : NULL;
}

bool member_stands_before(const char *list, const char *line)
{
    size_t length = strcspn(line, "\n");
    for (const char *other = list; other < line; other = strchr(other, '\n') + 1)
        if (strcspn(other, "\n") == length && strncmp(other, line, length) == 0) return true;
    return false;
}

/* Return true if `member` is the right-hand side NAME_b or the solution NAME_x, with the ending of a reader,
 * of a NAME with such an ending that is among the members, too. */
static bool is_companion(const struct text *members, const char *member, size_t length)
{
    size_t ending = 0;
    if (!reader_of_name(member, length, true, &ending) || length < ending + 2) return false;
    size_t stem = length - ending;
    if (!member_ends_with(member, stem, "_b") && !member_ends_with(member, stem, "_x")) return false;
    for (const char *line = members->data; *line; line = strchr(line, '\n') + 1) {
        size_t size = (size_t)(strchr(line, '\n') - line), other = 0;
        if (reader_of_name(line, size, true, &other) && size - other == stem - 2 &&
            !strncmp(line, member, stem - 2))
            return true;
    }
    return false;
}

enum status members_refuse(const char *file, const struct text *members, const char *wanted, int candidates,
                           struct error *error)
{
    const char *list = members->data ? members->data : "";
    struct text names = {0};
    char count[32];
    int64_t left_out = 0;
    for (const char *line = list; *line; line = strchr(line, '\n') + 1) {
        int wide = (int)(strchr(line, '\n') - line);
        left_out += left_out || names.length + (size_t)wide > NAMES_MAX;
        if (!left_out)
            text_append(&names, "%s%.*s%s", line == list ? "" : ", ", wide, line,
                        member_stands_before(list, line) ? " (again)" : "");
    }
    if (left_out) text_append(&names, " and %s more", format_count(count, sizeof count, left_out));
    const char *holds = names.data ? names.data : "nothing";
    if (wanted)
        error_at(error, STATUS_INPUT, file, 0, 0, "no member is called %s; the archive holds: %s", wanted,
                 holds);
    else if (candidates)
        error_at(error, STATUS_SEVERAL, file, 0, 0,
                 "several matrices in the archive; name one as ARCHIVE:MEMBER of: %s", holds);
    else if (!*list)
        error_at(error, STATUS_INPUT, file, 0, 0,
                 "it holds no matrix: it begins with zeros, like an archive without members");
    else
        error_at(error, STATUS_INPUT, file, 0, 0,
                 "no member of the archive has the ending of a matrix (.mtx, .rb, .mat, ...); name one as "
                 "ARCHIVE:MEMBER of: %s",
                 holds);
    text_free(&names);
    return candidates && !wanted ? STATUS_SEVERAL : STATUS_INPUT;
}

/* Find the matrices among the members, by endings that only matrices have or, with `weak`, by others as well.
 * Returns their number; *found is the last of them. */
static int candidates_among(const struct text *members, bool weak, const char **found, size_t *found_length)
{
    int candidates = 0;
    for (const char *line = members->data ? members->data : ""; *line; line = strchr(line, '\n') + 1) {
        size_t length = (size_t)(strchr(line, '\n') - line);
        if (!reader_of_name(line, length, weak, NULL) || is_companion(members, line, length)) continue;
        candidates++;
        *found = line;
        *found_length = length;
    }
    return candidates;
}

enum status members_choose(const char *file, const struct text *members, char **chosen, struct error *error)
{
    const char *found = NULL;
    size_t found_length = 0;
    int candidates = candidates_among(members, false, &found, &found_length);
    if (candidates == 0) candidates = candidates_among(members, true, &found, &found_length) == 1;
    if (candidates != 1) return members_refuse(file, members, NULL, candidates, error);
    *chosen = memory_array(found_length + 1, 1, error);
    if (!*chosen) return STATUS_MEMORY;
    memcpy(*chosen, found, found_length);
    (*chosen)[found_length] = 0;
    return STATUS_OK;
}
