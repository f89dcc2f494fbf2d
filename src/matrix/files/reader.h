/* The table of readers, one for each file format; only readers contain code for a format. The format is
 * detected from the contents. If these fit several formats, the ending of the name decides. If the format is
 * still unknown, the file is refused, and the user has to name a reader. */
#ifndef SPARSIGHT_MATRIX_FILES_READER_H
#define SPARSIGHT_MATRIX_FILES_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/job.h"
#include "base/text.h"
#include "matrix/files/container.h"
#include "matrix/files/rows_file.h"
#include "matrix/matrix.h"

enum likeness {
    LIKENESS_NONE,
    LIKENESS_POSSIBLE, /* files of other formats may begin like this, too */
    LIKENESS_CERTAIN,
};

/* The beginning of a text, up to CONTAINER_HEAD bytes, followed by a 0. */
struct beginning {
    const char *bytes;
    size_t count;
    bool whole; /* this is all of the text */
};

/* Facts on a matrix from its file before its entries are read. */
struct outline {
    enum field field;
    enum symmetry symmetry;
    bool coordinate;
    int64_t rows, cols, entries; /* -1 if that is known only when all has been read */
};

/* A kind of file of one format that cannot always be detected from the contents. */
struct reader_kind {
    const char *name; /* KIND of --from=NAME:KIND */
    const char *title;
};

struct reader {
    const char *name;           /* of --from and --to */
    const char *title;          /* name of the format in reports */
    const char *const *endings; /* endings of file names that no other format has; ends with NULL */
    const char *const *weak;    /* endings that other files have, too; may be NULL */
    const char *package;        /* the Debian package that this build lacks to read such files; NULL: none */
    const struct reader_kind *kinds; /* kinds that the user may name; the last one has no name; NULL: none */
    bool packed;    /* the file is itself a zip archive, with members for which `member` returns true */
    bool variables; /* a file holds matrices by name: FILE:NAME */
    bool parts;     /* of a plain file, several processes can read a part each (struct builder) */
    /* Return the likeness of a text to this format, from its beginning. */
    enum likeness (*sniff)(const struct beginning *sample);
    /* Read a matrix from an open container. Fills in field, symmetry, coordinate, stored, duplicates, csr,
     * summed, notes, about and variable of *matrix, and explicit_zeros and zeros_counted if it has counted
     * them; it does not change other members. On failure csr is {0}, and errors have the position of the
     * first fault. */
    enum status (*read)(struct container *container, const struct load_options *options,
                        struct progress *progress, struct matrix *matrix, struct error *error);
    /* Read only the outline, from the first bytes of the container. NULL if that needs the whole file. */
    enum status (*look)(struct container *container, const struct load_options *options,
                        struct outline *outline, struct error *error);
    /* Write a matrix, with its field and symmetry if the format has them, so that reading the file gives the
     * same matrix. `comment` may be NULL; formats without comments omit it. NULL if the format is not
     * written. */
    enum status (*write)(FILE *file, const struct matrix *matrix, const char *comment,
                         struct progress *progress, struct error *error);
    /* The same by several processes, each of which writes its part of the file: the bytes of `write` all
     * together. Collective; fails with the same error on all of them. NULL if only one process writes the
     * format. */
    enum status (*write_rows)(const struct rows_file *file, struct error *error);
};

/* All readers, ended by NULL. */
extern const struct reader *const readers[];

/* Find the reader of this name. Returns NULL with STATUS_USAGE in *error if there is none. */
const struct reader *reader_find(const char *name, struct error *error);

/* Read NAME or NAME:KIND. *kind becomes the name in the reader's table, or NULL if none is named. Fails with
 * STATUS_USAGE if there is no such reader or kind. */
enum status reader_parse(const char *text, const struct reader **reader, const char **kind,
                         struct error *error);

/* Choose the reader for the open file of the container: options->from if that is set. Returns STATUS_INPUT if
 * its format is unknown or ambiguous. */
enum status reader_choose(struct container *container, const struct load_options *options,
                          const struct reader **reader, struct error *error);

/* Choose the format in which to write a file of this path: the named one, else the one with the path's
 * ending, ignoring endings of compression. With `any`, it is Matrix Market if no format has the ending, or
 * the path is NULL. `name` may be NULL. Returns STATUS_USAGE if there is none, STATUS_UNAVAILABLE if this
 * build does not write it. */
enum status reader_for_writing(const char *path, const char *name, bool any, const struct reader **reader,
                               struct error *error);

/* Return the only reader that is certain of a text with this beginning, or NULL. */
const struct reader *reader_recognize(const struct beginning *sample);

/* Return the reader with the ending of this file name, or NULL; `weak`: also by endings that other files
 * have, too. *length, unless NULL, becomes the length of the ending. */
const struct reader *reader_of_name(const char *name, size_t size, bool weak, size_t *length);

/* Return true if a zip archive that begins with these bytes, or whose first member has this name, is a file
 * of one of the formats. */
bool reader_is_packed(const char *bytes, size_t count);
bool reader_has_members(const char *member);

/* Append a line for each reader: its name, its title, its endings, and a remark if the format is only
 * read. */
void readers_describe(struct text *text);

#endif
