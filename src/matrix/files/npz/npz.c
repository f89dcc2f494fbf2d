/* Sparse matrices as scipy.sparse.save_npz writes them: a zip archive of NumPy's arrays, whose member
 * `format` determines the meaning of the others. Uncompressed arrays are read in place. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/failing.h"
#include "base/memory.h"
#include "base/range.h"
#include "matrix/files/arrays/arrays.h"
#include "matrix/files/arrays/part.h"
#include "matrix/files/compress.h"
#include "matrix/files/npz/npy.h"
#include "matrix/files/npz/zip.h"
#include "matrix/files/reader.h"

#define FORMAT_CHARACTERS 8

/* An array of the file, found but perhaps not unpacked yet. */
struct npz_part {
    const struct zip_member *member;
    struct npy npy;
    struct view view;
    void *memory; /* the whole member, if it had to be unpacked; owned */
};

/* The arrays of all formats together. */
enum { PART_DATA, PART_INDICES, PART_INDPTR, PART_ROW, PART_COL, PART_OFFSETS, PART_COORDS, PARTS };
static const char *const part_names[PARTS] = {"data", "indices", "indptr", "row", "col", "offsets", "coords"};

/* The parts that a format has. */
static const struct kind {
    char name[FORMAT_CHARACTERS];
    enum arrangement arrangement;
    int parts[3]; /* the data come first; ended by -1 */
} kinds[] = {
    {"csr", ARRANGED_ROWS, {PART_DATA, PART_INDICES, PART_INDPTR}},
    {"csc", ARRANGED_COLUMNS, {PART_DATA, PART_INDICES, PART_INDPTR}},
    {"bsr", ARRANGED_BLOCKS, {PART_DATA, PART_INDICES, PART_INDPTR}},
    {"coo", ARRANGED_LOOSE, {PART_DATA, PART_ROW, PART_COL}},
    {"dia", ARRANGED_DIAGONALS, {PART_DATA, PART_OFFSETS, -1}},
};

struct npz {
    struct container *container;
    struct zip zip;
    const struct kind *kind;
    int64_t shape[2];
    struct npz_part parts[PARTS];
};

static enum status wrong(const struct npz *npz, const char *array, const char *why, struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(npz->container), 0, 0, "array %s %s", array, why);
}

/* Find the array and read its header. */
static enum status find(const struct npz *npz, const char *name, struct npz_part *part, struct error *error)
{
    char file[32], head[NPY_HEADER_MAX + 12];
    snprintf(file, sizeof file, "%s.npy", name);
    part->member = zip_find(&npz->zip, file);
    if (!part->member)
        return wrong(npz, name, "is missing; save the matrix again with scipy.sparse.save_npz", error);
    int64_t some = part->member->size < (int64_t)sizeof head ? part->member->size : (int64_t)sizeof head;
    enum status status = zip_read(npz->container, part->member, head, some, error);
    if (status != STATUS_OK) return status;
    const char *why = npy_read(head, some, &part->npy);
    if (why) return wrong(npz, name, why, error);
    int64_t bytes, width = part->npy.text ? part->npy.width : (int64_t)number_bytes(part->npy.type);
    int64_t elements = part->npy.text ? part->npy.characters : 1;
    if (__builtin_mul_overflow(part->npy.count, elements, &elements) ||
        __builtin_mul_overflow(elements, width, &bytes) || bytes > part->member->size - part->npy.bytes)
        return wrong(npz, name, "is shorter than its shape says; the file is damaged", error);
    part->view = (struct view){.name = name,
                               .container = npz->container,
                               .offset = part->member->offset + part->npy.bytes,
                               .type = part->npy.type,
                               .big = part->npy.big,
                               .count = part->npy.count};
    return STATUS_OK;
}

/* Read a member of a few bytes into `out`, behind its header. */
static enum status read_small(const struct npz *npz, const struct npz_part *part, void *out, size_t size,
                              struct error *error)
{
    char bytes[NPY_HEADER_MAX + 256];
    int64_t end = part->npy.bytes + (int64_t)size;
    if (end > (int64_t)sizeof bytes || end > part->member->size)
        return wrong(npz, part->view.name, "does not have the required size", error);
    enum status status = zip_read(npz->container, part->member, bytes, end, error);
    if (status == STATUS_OK) memcpy(out, bytes + part->npy.bytes, size);
    return status;
}

/* Fail: the file has arrays, but no sparse matrix. */
static enum status no_matrix(const struct npz *npz, struct error *error)
{
    struct text names = {0};
    for (int k = 0; k < npz->zip.count && names.length < 300; k++)
        text_append(&names, "%s%s", k ? ", " : "", npz->zip.members[k].name);
    error_at(error, STATUS_INPUT, container_path(npz->container), 0, 0,
             "holds no sparse matrix, whose array 'format' scipy.sparse.save_npz writes; it holds: %s",
             names.data ? names.data : "nothing");
    text_free(&names);
    return STATUS_INPUT;
}

static enum status find_kind(struct npz *npz, struct error *error)
{
    struct npz_part part = {0};
    char text[4 * FORMAT_CHARACTERS] = "", name[FORMAT_CHARACTERS + 1] = "";
    if (!zip_find(&npz->zip, "format.npy")) return no_matrix(npz, error);
    enum status status = find(npz, "format", &part, error);
    if (status != STATUS_OK) return status;
    if (!part.npy.text || part.npy.count != 1 || part.npy.characters > FORMAT_CHARACTERS)
        return wrong(npz, "format", "is not a short text", error);
    status = read_small(npz, &part, text, (size_t)(part.npy.characters * part.npy.width), error);
    if (status != STATUS_OK) return status;
    for (int64_t k = 0; k < part.npy.characters; k++)
        name[k] = text[k * part.npy.width + (part.npy.big ? part.npy.width - 1 : 0)];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strcmp(kinds[k].name, name) == 0) npz->kind = &kinds[k];
    if (npz->kind) return STATUS_OK;
    return error_at(error, STATUS_INPUT, container_path(npz->container), 0, 0,
                    "format '%s' is not read, only csr, csc, coo, bsr and dia; save it after .tocsr()",
                    text_visible(name));
}

static enum status find_shape(struct npz *npz, struct error *error)
{
    struct npz_part part = {0};
    unsigned char bytes[2 * sizeof(int64_t)];
    enum status status = find(npz, "shape", &part, error);
    if (status != STATUS_OK) return status;
    if (part.npy.text || !number_is_integer(part.npy.type) || part.npy.count != 2)
        return wrong(npz, "shape", "is not two whole numbers: the matrix must have two dimensions", error);
    status = read_small(npz, &part, bytes, 2 * number_bytes(part.npy.type), error);
    part.view.container = NULL;
    part.view.memory = bytes;
    return status == STATUS_OK ? view_integers(&part.view, 0, 2, npz->shape, error) : status;
}

static enum status find_parts(struct npz *npz, struct error *error)
{
    enum status status = STATUS_OK;
    bool coords = npz->kind->arrangement == ARRANGED_LOOSE && zip_find(&npz->zip, "coords.npy");
    for (int k = 0; k < 3 && status == STATUS_OK; k++) {
        int p = npz->kind->parts[k];
        if (p < 0 || (coords && k > 1)) continue;
        if (coords && k == 1) p = PART_COORDS;
        struct npz_part *part = &npz->parts[p];
        status = find(npz, part_names[p], part, error);
        if (status != STATUS_OK) break;
        if (part->npy.text || (p != PART_DATA && !number_is_integer(part->npy.type)))
            status =
                wrong(npz, part_names[p], p == PART_DATA ? "has no numbers" : "has no whole numbers", error);
    }
    return status;
}

/* Open the file up to the headers of its arrays. */
static enum status open_arrays(struct npz *npz, struct container *container,
                               const struct load_options *options, struct progress *progress,
                               struct error *error)
{
    *npz = (struct npz){.container = container};
    enum status status = container_unpack(container, options->limit, progress, error);
    if (status == STATUS_OK) status = zip_open(container, &npz->zip, error);
    if (status == STATUS_OK) status = find_kind(npz, error);
    if (status == STATUS_OK) status = find_shape(npz, error);
    return status == STATUS_OK ? find_parts(npz, error) : status;
}

/* Unpack the arrays that are compressed, at the same time. */
static enum status unpack(struct npz *npz, size_t limit, struct progress *progress, struct error *error)
{
    struct failing failing;
    size_t bytes = 0;
    int packed = 0;
    for (int p = 0; p < PARTS; p++)
        if (npz->parts[p].member && npz->parts[p].member->deflated) {
            size_add(bytes, (size_t)npz->parts[p].member->size, &bytes);
            packed++;
        }
    if (packed == 0) return STATUS_OK;
    if (memory_check(bytes, limit, "the unpacked arrays", error) != STATUS_OK) return STATUS_LIMIT;
    failing_start(&failing, PARTS);
    progress_phase(progress, "unpacking bytes", packed);
#pragma omp parallel for schedule(dynamic, 1)
    for (int p = 0; p < PARTS; p++) {
        struct npz_part *part = &npz->parts[p];
        struct error mine = {0};
        if (!part->member || !part->member->deflated || progress_cancelled(progress)) continue;
        part->memory = memory_array((size_t)part->member->size, 1, &mine);
        enum status one =
            part->memory ? zip_read(npz->container, part->member, part->memory, part->member->size, &mine)
                         : STATUS_MEMORY;
        part->view.container = NULL;
        part->view.memory = (char *)part->memory + (one == STATUS_OK ? part->npy.bytes : 0);
        progress_add(progress, 1);
        if (one != STATUS_OK) failing_note(&failing, p, &mine);
    }
    enum status status = failing_status(&failing, error);
    return status == STATUS_OK ? progress_status(progress, error) : status;
}

/* A diagonal is given once, as SciPy sees to, too. */
static enum status check_offsets(const struct npz *npz, const struct view *view, struct error *error)
{
    enum status status = view_check(view, error);
    int64_t *offsets = status == STATUS_OK ? memory_array((size_t)view->count, sizeof *offsets, error) : NULL;
    if (status == STATUS_OK)
        status = offsets ? view_integers(view, 0, view->count, offsets, error) : STATUS_MEMORY;
    if (status == STATUS_OK && view->count > 1)
        qsort(offsets, (size_t)view->count, sizeof *offsets, compare_integers);
    for (int64_t k = 1; k < view->count && status == STATUS_OK; k++)
        if (offsets[k] == offsets[k - 1]) status = wrong(npz, "offsets", "names a diagonal twice", error);
    free(offsets);
    return status;
}

/* Split coords, an array of 2 x n, into rows and columns. */
static enum status split_coords(struct npz *npz, struct error *error)
{
    struct npz_part *coords = &npz->parts[PART_COORDS];
    if (!coords->member) return STATUS_OK;
    if (coords->npy.dimensions != 2 || coords->npy.shape[0] != 2 || coords->npy.fortran)
        return wrong(npz, "coords", "does not consist of two rows of indices", error);
    int64_t count = coords->npy.shape[1], bytes = count * (int64_t)number_bytes(coords->npy.type);
    struct view *row = &npz->parts[PART_ROW].view, *col = &npz->parts[PART_COL].view;
    *row = *col = coords->view;
    row->count = col->count = count;
    col->offset += bytes;
    if (col->memory) col->memory = (const char *)col->memory + bytes;
    return STATUS_OK;
}

static enum field field_of(enum number type)
{
    return number_is_complex(type) ? FIELD_COMPLEX : number_is_integer(type) ? FIELD_INTEGER : FIELD_REAL;
}

static enum status describe(struct npz *npz, struct arrays *arrays, struct error *error)
{
    const struct npy *data = &npz->parts[PART_DATA].npy;
    *arrays = (struct arrays){.arrangement = npz->kind->arrangement,
                              .rows = npz->shape[0],
                              .cols = npz->shape[1],
                              .field = field_of(data->type),
                              .pointers = npz->parts[PART_INDPTR].view,
                              .row = npz->parts[PART_ROW].view,
                              .col = npz->parts[PART_COL].view,
                              .value = npz->parts[PART_DATA].view,
                              .path = container_path(npz->container)};
    bool blocks = arrays->arrangement == ARRANGED_BLOCKS,
         diagonals = arrays->arrangement == ARRANGED_DIAGONALS;
    if (arrays->arrangement == ARRANGED_COLUMNS) arrays->row = npz->parts[PART_INDICES].view;
    if (arrays->arrangement == ARRANGED_ROWS || blocks) arrays->col = npz->parts[PART_INDICES].view;
    if (diagonals) arrays->col = npz->parts[PART_OFFSETS].view;
    int wanted = blocks ? 3 : diagonals ? 2 : 1;
    if (data->dimensions != wanted || (data->fortran && wanted > 1))
        return wrong(npz, "data",
                     blocks      ? "does not consist of blocks, one after the other and each row by row"
                     : diagonals ? "does not consist of diagonals, one after the other"
                                 : "has more than one dimension",
                     error);
    if (blocks) {
        arrays->block_rows = data->shape[1];
        arrays->block_cols = data->shape[2];
    }
    if (diagonals) arrays->stride = data->shape[1];
    return diagonals ? check_offsets(npz, &arrays->col, error) : STATUS_OK;
}

/* Booleans that are all true are a pattern. */
static enum status find_pattern(struct arrays *arrays, struct error *error)
{
    unsigned char bytes[4096];
    const struct view *value = &arrays->value;
    bool whole = arrays->arrangement <= ARRANGED_LOOSE && value->type == NUMBER_BOOL;
    enum status status = whole ? view_check(value, error) : STATUS_OK;
    for (int64_t from = 0; from < value->count && whole && status == STATUS_OK;
         from += (int64_t)sizeof bytes) {
        int64_t count = min(value->count - from, (int64_t)sizeof bytes);
        status = view_copy(value, from, count, bytes, error);
        whole = status == STATUS_OK && !memchr(bytes, 0, (size_t)count);
    }
    if (whole && status == STATUS_OK) arrays->field = FIELD_PATTERN;
    return status;
}

static enum status read_npz(struct container *container, const struct load_options *options,
                            struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct arrays arrays;
    struct npz *npz = memory_zeroed(1, sizeof *npz, error);
    if (!npz) return STATUS_MEMORY;
    enum status status = open_arrays(npz, container, options, progress, error);
    if (status == STATUS_OK) status = unpack(npz, options->limit, progress, error);
    if (status == STATUS_OK) status = split_coords(npz, error);
    if (status == STATUS_OK) status = describe(npz, &arrays, error);
    if (status == STATUS_OK) status = find_pattern(&arrays, error);
    if (status == STATUS_OK) status = arrays_build(&arrays, options, progress, matrix, error);
    for (int p = 0; p < PARTS; p++)
        free(npz->parts[p].memory);
    free(npz);
    return status;
}

static enum status look(struct container *container, const struct load_options *options,
                        struct outline *outline, struct error *error)
{
    struct npz *npz = memory_zeroed(1, sizeof *npz, error);
    if (!npz) return STATUS_MEMORY;
    enum status status = open_arrays(npz, container, options, NULL, error);
    if (status == STATUS_OK) {
        outline->field = field_of(npz->parts[PART_DATA].npy.type);
        outline->rows = npz->shape[0];
        outline->cols = npz->shape[1];
        outline->entries = npz->parts[PART_DATA].npy.count;
    }
    free(npz);
    return status;
}

static enum likeness sniff(const struct beginning *sample)
{
    return reader_is_packed(sample->bytes, sample->count) ? LIKENESS_CERTAIN : LIKENESS_NONE;
}

/* The header before the elements is padded to a multiple of this, as in NumPy. */
#define HEADER_ALIGN 64

static const char *descr(enum number type)
{
    return type == NUMBER_BOOL   ? "|b1"
           : type == NUMBER_I32  ? "<i4"
           : type == NUMBER_I64  ? "<i8"
           : type == NUMBER_C128 ? "<c16"
                                 : "<f8";
}

/* Write the header of an array: NumPy's format, version 1.0. Returns its length. */
static size_t put_header(unsigned char header[2 * HEADER_ALIGN], const char *type, const char *shape)
{
    char text[2 * HEADER_ALIGN];
    int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    size_t all = ((size_t)length + 11 + HEADER_ALIGN - 1) / HEADER_ALIGN * HEADER_ALIGN;
    memset(header, ' ', all);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    put_little(header + 8, all - 10, 2);
    memcpy(header + 10, text, (size_t)length);
    header[all - 1] = '\n';
    return all;
}

/* Write an array as a member of the archive. */
static enum status write_member(struct compressor *zip, const char *name, const struct put *array,
                                const char *type, const char *shape, struct progress *progress,
                                struct error *error)
{
    unsigned char header[2 * HEADER_ALIGN];
    size_t length = put_header(header, type, shape);
    enum status status = compressor_member(zip, name, (int64_t)length + put_size(array), error);
    if (status == STATUS_OK) status = put_bytes(zip->file, header, length, error);
    return status == STATUS_OK ? put_array(zip->file, array, progress, error) : status;
}

static enum status write_line(struct compressor *zip, const char *name, struct put array,
                              struct progress *progress, struct error *error)
{
    char shape[32];
    snprintf(shape, sizeof shape, "%" PRId64 ",", array.count);
    return write_member(zip, name, &array, descr(array.type), shape, progress, error);
}

/* Write a matrix as scipy.sparse.save_npz(compressed=False) does in CSR, with both triangles. Indices have 64
 * bits if the number of entries takes more than 32; a pattern has booleans. See `write` of struct reader. */
static enum status npz_write(FILE *file, const struct matrix *matrix, const char *comment,
                             struct progress *progress, struct error *error)
{
    struct compressor zip;
    struct part part;
    enum status status = part_open(&part, matrix, false, false, progress, error);
    if (status != STATUS_OK) return status;
    const int64_t sizes[] = {matrix->csr.rows, matrix->csr.cols};
    const struct put format = {.type = NUMBER_U8, .count = 3, .memory = "csr"};
    const struct put shape = {.type = NUMBER_I64, .count = 2, .memory = sizes};
    enum number index = part.count > INT32_MAX ? NUMBER_I64 : NUMBER_I32;
    const struct put indices = part_array(&part, PART_PLACES, index);
    const struct put indptr = part_array(&part, PART_POINTERS, index);
    const struct put data = part_array(&part, PART_VALUES, part_type(&part));
    progress_phase(progress, "writing", put_size(&indices) + put_size(&indptr) + put_size(&data));
    status = compressor_open_zip(&zip, file, error);
    bool open = status == STATUS_OK;
    if (open) status = write_line(&zip, "indices.npy", indices, progress, error);
    if (status == STATUS_OK) status = write_line(&zip, "indptr.npy", indptr, progress, error);
    if (status == STATUS_OK) status = write_member(&zip, "format.npy", &format, "|S3", "", NULL, error);
    if (status == STATUS_OK) status = write_line(&zip, "shape.npy", shape, NULL, error);
    if (status == STATUS_OK) status = write_line(&zip, "data.npy", data, progress, error);
    if (open) {
        enum status closed = compressor_close(&zip, status == STATUS_OK ? error : NULL);
        if (status == STATUS_OK) status = closed;
    }
    part_free(&part);
    return status;
}

const struct reader reader_npz = {
    .name = "npz",
    .title = "SciPy npz",
    .endings = (const char *const[]){".npz", NULL},
    .packed = true,
    .sniff = sniff,
    .read = read_npz,
    .look = look,
    .write = npz_write,
};
