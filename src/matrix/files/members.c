#include "matrix/files/members.h"

#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/text.h"

/* A message names members as long as their names take so many bytes. */
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

size_t member_stem(const char *base)
{
    static const char *const endings[] = {".gz",  ".bz2", ".xz",   ".zst",  ".lz4", ".lzma", ".z",  ".zip",
                                          ".tgz", ".tbz", ".tbz2", ".tzst", ".txz", ".tar",  ".mtx"};
    size_t length = strlen(base), before;
    do {
        before = length;
        for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
            if (length > strlen(endings[k]) && member_ends_with(base, length, endings[k]))
                length -= strlen(endings[k]);
    } while (length < before);
    return length;
}

bool member_is_matrix(const char *member)
{
    return member_ends_with(member, strlen(member), ".mtx");
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

bool member_is_wanted(const char *wanted, const char *member)
{
    return !strcmp(member, wanted) || !strcmp(member_base(member), wanted);
}

/* Return true if `member` is the right-hand side NAME_b.mtx or the solution NAME_x.mtx of a NAME.mtx that is
 * among the members, too. */
static bool is_companion(const struct text *members, const char *member, size_t length)
{
    if (!member_ends_with(member, length, "_b.mtx") && !member_ends_with(member, length, "_x.mtx"))
        return false;
    for (const char *line = members->data; *line; line = strchr(line, '\n') + 1) {
        size_t size = (size_t)(strchr(line, '\n') - line);
        if (size + 2 == length && !strncmp(line, member, length - 6) && member_ends_with(line, size, ".mtx"))
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
        if (!left_out) text_append(&names, "%s%.*s", line == list ? "" : ", ", wide, line);
    }
    if (left_out) text_append(&names, " and %s more", format_count(count, sizeof count, left_out));
    const char *holds = names.data ? names.data : "nothing";
    size_t length = names.length;
    if (wanted)
        error_at(error, STATUS_INPUT, file, 0, 0, "no member is called %s; the archive holds: %s", wanted,
                 holds);
    else if (candidates)
        error_at(error, STATUS_SEVERAL, file, 0, 0,
                 "several matrices in the archive; name one as ARCHIVE:MEMBER of: %s", holds);
    else if (member_ends_with(holds, length, ".rb") || (names.data && strstr(names.data, ".rb,")))
        error_at(error, STATUS_INPUT, file, 0, 0,
                 "the archive holds a Rutherford-Boeing file, which is not read; fetch the matrix in the "
                 "Matrix Market format (it holds: %s)",
                 holds);
    else
        error_at(error, STATUS_INPUT, file, 0, 0, "no Matrix Market file (.mtx) in the archive; it holds: %s",
                 holds);
    text_free(&names);
    return candidates && !wanted ? STATUS_SEVERAL : STATUS_INPUT;
}

enum status members_choose(const char *file, const struct text *members, char **chosen, struct error *error)
{
    const char *found = NULL;
    size_t found_length = 0;
    int candidates = 0;
    for (const char *line = members->data ? members->data : ""; *line; line = strchr(line, '\n') + 1) {
        size_t length = (size_t)(strchr(line, '\n') - line);
        if (!member_ends_with(line, length, ".mtx") || is_companion(members, line, length)) continue;
        candidates++;
        found = line;
        found_length = length;
    }
    if (candidates != 1) return members_refuse(file, members, NULL, candidates, error);
    *chosen = memory_array(found_length + 1, 1, error);
    if (!*chosen) return STATUS_MEMORY;
    memcpy(*chosen, found, found_length);
    (*chosen)[found_length] = 0;
    return STATUS_OK;
}
