/* The catalogue of a folder or an archive: its matrices and their headers, without reading entries. Items are
 * added while the catalogue is shown, so that the user need not wait for thousands of files. */
#ifndef SPARSIGHT_MATRIX_FILES_CATALOGUE_H
#define SPARSIGHT_MATRIX_FILES_CATALOGUE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/matrix.h"

/* Maximum number of items. */
#define CATALOGUE_MAX 100000

/* Maximum number of bytes read from a packed file of a folder to find its matrix. */
#define CATALOGUE_LOOK_BYTES ((int64_t)32 << 20)

enum catalogue_kind {
    CATALOGUE_MATRIX,  /* a file, or an archive's member, with one matrix */
    CATALOGUE_ARCHIVE, /* an archive with several matrices */
    CATALOGUE_FOLDER,
};

enum catalogue_state {
    CATALOGUE_WAITING, /* only the name, the path and the bytes are known */
    CATALOGUE_READ,    /* the header was read; an archive or a folder was recognized */
    CATALOGUE_LARGE,   /* a packed file without a matrix in its first CATALOGUE_LOOK_BYTES */
    CATALOGUE_REFUSED, /* there is no matrix, or its header is damaged: `reason` says which */
};

struct catalogue_item {
    char *name;          /* the name of the file, of the member with its folders, or of the folder with a '/'
                            after it */
    char *path;          /* argument for matrix_load, or catalogue_list */
    int64_t bytes;       /* of the file; of a member, of its text; -1 if that is not known */
    time_t modified;     /* of the file; 0 if that is not known */
    int group;           /* the caller's number of a group of items; 0 unless the caller gave one */
    const char *summary; /* the caller's description; NULL: none */
    enum catalogue_kind kind;
    const char *format; /* name of the format of a matrix that was read */
    bool outlined;      /* the file has a header with the fields below, up to `coordinate` */
    enum field field;
    enum symmetry symmetry;
    bool coordinate;
    bool packed;        /* to read it, it must be unpacked */
    int64_t rows, cols; /* -1 if only reading the whole file would show it; the same for `entries` */
    int64_t entries;    /* those that the file lists; for a folder, the number of files in it that look like
                           matrices; for an archive, the number of such members */
    bool more;          /* in its first CATALOGUE_LOOK_BYTES: there may be more */
    char *reason;       /* NULL unless the item was refused */
    atomic_int state;   /* enum catalogue_state. It changes once, with release order, after all else */
};

/* Start with {0} and catalogue_start. */
struct catalogue {
    pthread_mutex_t lock;          /* protects the next two members */
    struct catalogue_item **items; /* items do not move until catalogue_free; owned */
    int64_t count;
    int64_t capacity; /* used only by the thread that lists */
    bool started;
};

/* True if this name has the ending of a matrix, or of an archive that may contain one. */
bool catalogue_takes(const char *name);

enum status catalogue_start(struct catalogue *catalogue, struct error *error);

/* List the contents of `path`. One thread calls this once, while others may read items. Headers are read by
 * `options`, without their limit.
 *
 * A folder's items are sorted by name. They are its folders, and its files with the ending or the first bytes
 * of a Matrix Market file or of an archive, packed or plain. Hidden ones, and items that are neither files
 * nor folders, are left out. All of them wait to be read, except unreadable ones.
 *
 * An archive's items are its members that end in .mtx, in the archive's order. Their headers are read in one
 * pass over the archive, so none of them waits.
 *
 * Returns STATUS_IO, STATUS_INPUT if the archive is damaged, STATUS_LIMIT if there are more than
 * CATALOGUE_MAX, STATUS_MEMORY, STATUS_CANCELLED; items listed before stay. Takes 64 KiB, and the memory of
 * the names. */
enum status catalogue_list(struct catalogue *catalogue, const char *path, const struct load_options *options,
                           struct progress *progress, struct error *error);

/* The same, but the files of a folder get this group; its folders are left out unless the group is 0. */
enum status catalogue_list_group(struct catalogue *catalogue, const char *path, int group,
                                 const struct load_options *options, struct progress *progress,
                                 struct error *error);

/* An item that the listing of a folder does not give: a file elsewhere, or "gen:NAME", which has no
 * header. */
struct catalogue_entry {
    const char *name, *path; /* copied */
    const char *summary;     /* must stay valid */
    int64_t bytes;
    time_t modified;
    enum catalogue_kind kind;
    int group;
};

/* Append the item, waiting to be read. STATUS_MEMORY, STATUS_LIMIT. Only the thread that lists may call
 * it. */
enum status catalogue_add(struct catalogue *catalogue, const struct catalogue_entry *entry,
                          struct error *error);

/* Give an item another name and path. No other thread may use it meanwhile. On failure both stay the same.
 * STATUS_MEMORY. */
enum status catalogue_rename(struct catalogue_item *item, const char *name, struct error *error);

/* Write pointers to the items from number `from` on, at most `most`. Returns their number. */
int64_t catalogue_take(struct catalogue *catalogue, int64_t from, struct catalogue_item **items,
                       int64_t most);

/* Read a waiting item: only its banner and its size line, and at most CATALOGUE_LOOK_BYTES of a packed file.
 * A fault of the file becomes the item's reason, and is not a failure. Fails with STATUS_MEMORY and
 * STATUS_CANCELLED; the item is then still waiting. One thread at a time may read an item. */
enum status catalogue_peek(struct catalogue_item *item, const struct load_options *options,
                           struct progress *progress, struct error *error);

/* Return the item's enum catalogue_state, with acquire order. */
enum catalogue_state catalogue_state(const struct catalogue_item *item);

void catalogue_free(struct catalogue *catalogue);

#endif
