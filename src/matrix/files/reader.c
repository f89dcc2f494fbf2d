#include "matrix/files/reader.h"

#include <string.h>

#include "base/guess.h"
#include "matrix/files/members.h"

#define READER(name) extern const struct reader reader_##name;
#include "matrix/files/readers.def"
#undef READER

const struct reader *const readers[] = {
#define READER(name) &reader_##name,
#include "matrix/files/readers.def"
#undef READER
    NULL,
};

/* Maximum number of readers considered for one file. */
#define POSSIBLE_MAX 8

/* Bytes of a zip member before its name. */
#define ZIP_HEADER 30

static const char *name_of(int k)
{
    return readers[k] ? readers[k]->name : NULL;
}

const struct reader *reader_find(const char *name, struct error *error)
{
    for (int k = 0; readers[k]; k++)
        if (strcmp(readers[k]->name, name) == 0) return readers[k];
    guess_refuse("no file format is called", name, strlen(name), name_of, error);
    return NULL;
}

static enum status find_kind(const struct reader *reader, const char *name, const char **kind,
                             struct error *error)
{
    struct text names = {0};
    for (const struct reader_kind *k = reader->kinds; k && k->name; k++) {
        if (strcmp(k->name, name) == 0) {
            *kind = k->name;
            text_free(&names);
            return STATUS_OK;
        }
        text_append(&names, "%s%s", names.length ? ", " : "", k->name);
    }
    if (names.length)
        error_set(error, STATUS_USAGE, "%s: '%.40s' is not a kind of %s files; there are %s", reader->name,
                  name, reader->title, names.data);
    else
        error_set(error, STATUS_USAGE, "%s: there is only one kind of %s files: leave out '%.40s'",
                  reader->name, reader->title, name);
    text_free(&names);
    return STATUS_USAGE;
}

enum status reader_parse(const char *text, const struct reader **reader, const char **kind,
                         struct error *error)
{
    char name[64];
    size_t length = strcspn(text, ":");
    bool named = text[length] != 0 && length < sizeof name;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), text);
    *kind = NULL;
    *reader = reader_find(named ? name : text, error);
    if (!*reader) return STATUS_USAGE;
    return named ? find_kind(*reader, text + length + 1, kind, error) : STATUS_OK;
}

static size_t ending_of(const char *const *endings, const char *name, size_t size)
{
    for (; endings && *endings; endings++)
        if (size > strlen(*endings) && member_ends_with(name, size, *endings)) return strlen(*endings);
    return 0;
}

const struct reader *reader_of_name(const char *name, size_t size, bool weak, size_t *length)
{
    for (int k = 0; readers[k]; k++) {
        size_t found = ending_of(readers[k]->endings, name, size);
        if (!found && weak) found = ending_of(readers[k]->weak, name, size);
        if (!found) continue;
        if (length) *length = found;
        return readers[k];
    }
    return NULL;
}

const struct reader *reader_recognize(const struct beginning *sample)
{
    for (int k = 0; readers[k]; k++)
        if (readers[k]->sniff(sample) == LIKENESS_CERTAIN) return readers[k];
    return NULL;
}

bool reader_is_packed(const char *bytes, size_t count)
{
    char name[16];
    if (count < ZIP_HEADER || memcmp(bytes, "PK\x03\x04", 4) != 0) return false;
    size_t length = (size_t)(unsigned char)bytes[26] | (size_t)(unsigned char)bytes[27] << 8;
    if (length > count - ZIP_HEADER) return false;
    size_t cut = length < sizeof name ? 0 : length - sizeof name + 1;
    memcpy(name, bytes + ZIP_HEADER + cut, length - cut);
    name[length - cut] = 0;
    return reader_has_members(name);
}

bool reader_has_members(const char *member)
{
    for (int k = 0; readers[k]; k++)
        if (readers[k]->packed && member_ends_with(member, strlen(member), ".npy")) return true;
    return false;
}

/* Return the reader for the ending of the text's name, without endings of compression. */
static const struct reader *named(const struct container *container, bool weak)
{
    const char *base = member_base(container_path(container));
    return reader_of_name(base, member_unpacked(base), weak, NULL);
}

static enum status ambiguous(const struct container *container, const struct reader *const *found, int count,
                             struct error *error)
{
    struct text titles = {0}, names = {0};
    for (int k = 0; k < count; k++) {
        const char *before = k == 0 ? "" : k + 1 < count ? ", " : " or ";
        text_append(&titles, "%s%s", before, found[k]->title);
        text_append(&names, "%s--from=%s", before, found[k]->name);
    }
    error_at(error, STATUS_INPUT, container_path(container), 0, 0,
             "may be %s, and neither contents nor name decide; give %s",
             titles.data ? titles.data : "several things", names.data ? names.data : "--from=NAME");
    text_free(&titles);
    text_free(&names);
    return STATUS_INPUT;
}

static enum status unknown(const struct container *container, const struct beginning *sample,
                           struct error *error)
{
    struct text names = {0};
    if (sample->count > 0 && sample->bytes[0] == '{')
        return error_at(error, STATUS_INPUT, container_path(container), 0, 0,
                        "is JSON and not a matrix; to show the results of a saved report, open its matrix "
                        "with --results=FILE");
    for (int k = 0; readers[k]; k++)
        text_append(&names, "%s%s (%s)", k ? ", " : "", readers[k]->name, readers[k]->title);
    error_at(error, STATUS_INPUT, container_path(container), 0, 0,
             "its contents are of no known file format; name one with --from=NAME, of %s",
             names.data ? names.data : "several");
    text_free(&names);
    return STATUS_INPUT;
}

/* Choose by the contents: a reader that is certain; else the one whose own ending the name has, which reports
 * the fault if it cannot read the file; else the only possible one, or of several the one for the name's
 * ending. */
static enum status choose(struct container *container, const struct beginning *sample,
                          const struct reader **reader, struct error *error)
{
    const struct reader *found[POSSIBLE_MAX];
    int count = 0;
    *reader = reader_recognize(sample);
    if (!*reader) *reader = named(container, false);
    if (*reader) return STATUS_OK;
    for (int k = 0; readers[k] && count < POSSIBLE_MAX; k++)
        if (readers[k]->sniff(sample) == LIKENESS_POSSIBLE) found[count++] = readers[k];
    const struct reader *by_name = named(container, true);
    for (int k = 0; k < count; k++)
        if (count == 1 || found[k] == by_name) *reader = found[k];
    if (count == 0) *reader = by_name;
    if (*reader) return STATUS_OK;
    return count ? ambiguous(container, found, count, error) : unknown(container, sample, error);
}

enum status reader_choose(struct container *container, const struct load_options *options,
                          const struct reader **reader, struct error *error)
{
    struct beginning sample;
    struct error mine = {0};
    enum status status = STATUS_OK;
    *reader = options->from;
    if (!*reader) {
        ssize_t count = container_peek(container, &sample.bytes, &mine);
        if (count < 0) {
            if (error) *error = mine;
            return mine.status;
        }
        sample.count = (size_t)count;
        sample.whole = sample.count < CONTAINER_HEAD;
        status = choose(container, &sample, reader, error);
    }
    if (status == STATUS_OK && (*reader)->package)
        return error_at(error, STATUS_UNAVAILABLE, container_path(container), 0, 0,
                        "is a %s file, which this build does not read: install %s (its name in Debian) and "
                        "build sparsight again",
                        (*reader)->title, (*reader)->package);
    if (status == STATUS_OK && container_variable(container) && !(*reader)->variables)
        return container_refuse_variable(container, error);
    return status;
}

enum status reader_for_writing(const char *path, const char *name, bool any, const struct reader **reader,
                               struct error *error)
{
    struct text names = {0};
    const char *base = path ? member_base(path) : "";
    *reader = name ? reader_find(name, error) : reader_of_name(base, member_unpacked(base), true, NULL);
    if (name && !*reader) return STATUS_USAGE;
    if (!*reader && any) *reader = readers[0];
    if (*reader && (*reader)->write) return STATUS_OK;
    if (*reader && (*reader)->package)
        return error_set(
            error, STATUS_UNAVAILABLE,
            "this build writes no %s file: install %s (its name in Debian) and build sparsight again",
            (*reader)->title, (*reader)->package);
    for (int k = 0; readers[k]; k++)
        if (readers[k]->write) text_append(&names, "%s%s", names.length ? ", " : "", readers[k]->name);
    if (*reader)
        error_set(error, STATUS_USAGE, "%s files are read, but not written; there are %s", (*reader)->title,
                  names.data ? names.data : "others");
    else
        error_set(error, STATUS_USAGE,
                  "'%.200s' does not have the ending of a file format; name one with --to=NAME, of %s",
                  path ? path : "-", names.data ? names.data : "several");
    text_free(&names);
    return STATUS_USAGE;
}

void readers_describe(struct text *text)
{
    for (int k = 0; readers[k]; k++) {
        const struct reader *reader = readers[k];
        int count = 0;
        text_append(text, "  %-22s %s", reader->name, reader->title);
        for (int e = 0; reader->endings[e]; e++)
            text_append(text, "%s%s", count++ ? " " : " (", reader->endings[e]);
        for (int e = 0; reader->weak && reader->weak[e]; e++)
            text_append(text, "%s%s", count++ ? " " : " (", reader->weak[e]);
        text_append(text, "%s%s\n", count ? ")" : "",
                    !reader->package ? (reader->write ? "" : "; not written")
                    : reader->write  ? "; only written in this build"
                                     : "; not in this build");
        for (const struct reader_kind *kind = reader->kinds; kind && kind->name; kind++)
            text_append(text, "    %s:%-*s %s\n", reader->name, (int)(19 - strlen(reader->name)), kind->name,
                        kind->title);
    }
}
