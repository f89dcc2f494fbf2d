/* The parts of a container. Only container.c, container_archive.c and container_unpack.c use this. */
#ifndef SPARSIGHT_MATRIX_FILES_CONTAINER_PARTS_H
#define SPARSIGHT_MATRIX_FILES_CONTAINER_PARTS_H

#include <stdatomic.h>
#include <time.h>

#include "matrix/files/archive_library.h"
#include "matrix/files/container.h"
#include "matrix/files/gunzip.h"

/* Bytes of the buffer from which libarchive reads. */
#define CONTAINER_INPUT ((size_t)128 << 10)

struct container {
    int fd;
    bool owned;    /* the container closes fd */
    bool unpacked; /* fd is the file in memory that container_unpack has made */
    bool regular;  /* the file can be read again from its beginning */
    bool plain;    /* the file is the text: nothing has to be unpacked */
    int64_t size;  /* bytes of a regular file; 0 of others */
    uint64_t inode;
    struct timespec modified, changed; /* the times of the last change of its contents, and of its inode */
    int64_t position;                  /* the next byte for container_read in a plain file */
    char *file;                        /* the name that was opened; NULL for standard input */
    char *path;                        /* the results of container_path and container_name */
    char *name;
    char *variable;     /* the NAME of FILE:NAME if the file is not an archive; NULL if there is none */
    char *input;        /* the buffer that libarchive reads from */
    size_t input_bytes; /* for streams, number of their first bytes in the buffer */
    bool again;         /* those are read once more */
    bool gzip;          /* the first bytes are those of a gzip file, which gunzip unpacks */
    bool lzma;          /* the first bytes are those of an LZMA file, which libarchive does not always
                           recognize */
    bool unformatted;   /* a text that looks like an archive is read as text */
    char *head;         /* the first bytes of the text, which container_peek has read */
    size_t head_bytes, head_taken;
    struct archive *archive;
    struct gunzip *gunzip; /* between the file and libarchive; NULL if the file is not a gzip file */
    bool failed;           /* unpacking has failed */
    bool raw;              /* compressed, or a stream, but not an archive */
    bool ended;            /* the text has been read to its end */
    bool listed;           /* `members` has all members */
    char *member;          /* the member that is opened; NULL if raw */
    struct text members;   /* the members that were seen, each on a line, in the archive's order */
    struct text others;    /* the result of container_others */
    _Atomic int64_t consumed;
    int read_errno;                        /* errno of a failed read; 0 if none failed */
    const struct container_bounds *bounds; /* NULL if there are none */
    enum status stopped;                   /* STATUS_CANCELLED or STATUS_LIMIT once the bounds were met */
    bool walking;                          /* container_next steps through the members */
    bool stepped;                          /* container_next was called */
};

/* Set c->variable. */
enum status container_set_variable(struct container *c, const char *name, struct error *error);

/* The input of libarchive. */

/* Return true if these are the first bytes of an LZMA file. */
bool archive_is_lzma(const char *bytes, size_t count);

/* Fail with the error of libarchive, or of reading for it. */
enum status archive_fault(struct container *c, struct error *error);

/* Begin, or begin again, to unpack the file from its first byte. c->input must be there. */
enum status archive_start(struct container *c, struct error *error);

/* Open a packed file at the selected member, which is `wanted` unless that is NULL; STATUS_SEVERAL and
 * STATUS_INPUT as in container_open. */
enum status archive_open_member(struct container *c, const char *wanted, struct error *error);

/* Step to the next member that is a file. *name becomes its name, or NULL at the end, and *bytes its size, or
 * -1 if it is not known. */
enum status archive_next_sized(struct container *c, const char **name, int64_t *bytes, struct error *error);
enum status archive_next_member(struct container *c, const char **name, struct error *error);

/* Append a member to c->members. */
enum status archive_remember(struct container *c, const char *member, struct error *error);

#endif
