#include "matrix/files/mat/variables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matrix/files/mat/elements.h"
#include "matrix/files/mat/inflated.h"
#include "matrix/files/mat/structs.h"
#include "matrix/relay.h"

#define HEADER_BYTES 128
#define DEPTH_MAX 8     /* of structs in structs */
#define FIELDS_MAX 4096 /* of a struct */

#define FLAG_COMPLEX 0x08
#define FLAG_LOGICAL 0x02

enum status mat_open(const struct container *container, size_t limit, const struct taker *taker,
                     struct mat *mat, struct error *error)
{
    unsigned char head[HEADER_BYTES] = {0};
    *mat = (struct mat){
        .file = {.container = container, .end = container_size(container), .path = container_path(container)},
        .limit = limit,
        .taker = taker,
        .memory_from = -1};
    ssize_t count = container_pread(container, (char *)head, sizeof head, 0, error);
    if (count < 0) return STATUS_IO;
    bool little = head[126] == 'I' && head[127] == 'M', big = head[126] == 'M' && head[127] == 'I';
    if (count == HEADER_BYTES && (little || big)) {
        mat->file.big = big;
        mat->file.begin = HEADER_BYTES;
        int version = big ? head[124] : head[125];
        if (version == 1) return STATUS_OK;
        return error_at(error, STATUS_INPUT, mat->file.path, 0, 0,
                        "is a MATLAB file of the unknown version %d; save it with -v7", version);
    }
    mat->version4 = true;
    /* The first number of a variable is at most 4052, which determines the byte order. */
    mat->file.big = head[2] || head[3];
    return STATUS_OK;
}

static void drop_unpacked(struct mat *mat)
{
    free(mat->memory);
    inflated_close(mat->inflated);
    mat->memory = NULL;
    mat->inflated = NULL;
    mat->memory_from = -1;
}

void mat_close(struct mat *mat)
{
    drop_unpacked(mat);
    *mat = (struct mat){0};
}

/* Find the bytes of the text of an element. */
static enum status find_size(const struct mat *mat, const struct element *element, int64_t *size,
                             struct error *error)
{
    unsigned char tag[8];
    int64_t done;
    uint32_t bytes;
    enum status status = element_inflate(&mat->file, element, tag, sizeof tag, &done, error);
    if (status != STATUS_OK) return status;
    if (done < (int64_t)sizeof tag)
        return span_damaged(&mat->file, element->begin, "a variable cannot be unpacked", error);
    const struct span head = {
        .memory = (const char *)tag, .end = sizeof tag, .big = mat->file.big, .path = mat->file.path};
    span_number(&head, 4, &bytes, NULL);
    /* zlib compresses at most a thousand bytes into one. */
    if ((int64_t)bytes > 1100 * element->bytes + 1000)
        return span_damaged(&mat->file, element->begin, "a variable cannot be so large", error);
    *size = (int64_t)bytes + 8;
    return STATUS_OK;
}

/* Unpack the text of an element into memory. */
static enum status unpack_all(struct mat *mat, const struct element *element, int64_t size,
                              struct error *error)
{
    int64_t done;
    enum status status = memory_check((size_t)size, mat->limit, "an unpacked variable", error);
    if (status != STATUS_OK) return status;
    mat->memory = memory_array((size_t)size, 1, error);
    if (!mat->memory) return STATUS_MEMORY;
    status = element_inflate(&mat->file, element, mat->memory, size, &done, error);
    if (status == STATUS_OK && done < size)
        status = span_damaged(&mat->file, element->begin, "a variable cannot be unpacked", error);
    return status;
}

/* Unpack the element's variable, unless already done. */
static enum status unpack(struct mat *mat, const struct element *element, struct span *span,
                          struct error *error)
{
    *span = (struct span){.big = mat->file.big, .path = mat->file.path};
    if (mat->memory_from != element->begin) {
        int64_t size = 0;
        drop_unpacked(mat);
        enum status status = find_size(mat, element, &size, error);
        if (status != STATUS_OK) return status;
        const struct taker *taker = mat->taker;
        if (taker && size > ELEMENT_PEEK &&
            (taker->always || memory_check((size_t)size, mat->limit, "", NULL) != STATUS_OK))
            status = inflated_open(&mat->file, element, size, 0, &mat->inflated, error);
        if (status == STATUS_OK && !mat->inflated) status = unpack_all(mat, element, size, error);
        if (status != STATUS_OK) return status;
        mat->memory_bytes = size;
        mat->memory_from = element->begin;
    }
    span->memory = mat->memory;
    span->inflated = mat->inflated;
    span->end = mat->memory_bytes;
    return STATUS_OK;
}

/* --- arrays --- */

enum status head_read(const struct span *span, int64_t at, struct head *head, struct error *error)
{
    struct element element;
    uint32_t word;
    enum status status = element_read(span, at, &element, error);
    if (status == STATUS_OK && (element.type != MI_UINT32 || element.bytes != 8))
        return span_damaged(span, at, "an array has no class", error);
    if (status == STATUS_OK) status = span_number(span, element.begin, &word, error);
    if (status != STATUS_OK) return status;
    head->class = word & 0xff;
    head->flags = word >> 8 & 0xff;
    if (head->class > MX_UINT64) { /* functions, objects of classes: these have no dimensions */
        head->dimensions = 0;
        head->name[0] = 0;
        return STATUS_OK;
    }
    status = element_read(span, element.next, &element, error);
    if (status == STATUS_OK && element.type != MI_INT32 && element.type != MI_UINT32)
        return span_damaged(span, element.begin, "an array has no size", error);
    head->dimensions = (int)(element.bytes / 4);
    for (int d = 0; d < 2 && d < head->dimensions && status == STATUS_OK; d++) {
        status = span_number(span, element.begin + 4 * d, &word, error);
        head->size[d] = word;
    }
    if (status == STATUS_OK) status = element_read(span, element.next, &element, error);
    if (status != STATUS_OK) return status;
    int64_t length = element.bytes < FIELD_NAME ? element.bytes : FIELD_NAME - 1;
    head->next = element.next;
    memset(head->name, 0, sizeof head->name);
    return span_read(span, element.begin, head->name, length, error);
}

static void describe(const struct head *head, const char *name, struct mat_matrix *matrix)
{
    *matrix =
        (struct mat_matrix){.sparse = head->class == MX_SPARSE, .rows = head->size[0], .cols = head->size[1]};
    snprintf(matrix->name, sizeof matrix->name, "%s", name);
    matrix->arrays.rows = head->size[0];
    matrix->arrays.cols = head->size[1];
    matrix->arrays.field = head->flags & FLAG_COMPLEX    ? FIELD_COMPLEX
                           : head->flags & FLAG_LOGICAL  ? FIELD_INTEGER
                           : head->class > MX_DOUBLE + 1 ? FIELD_INTEGER
                                                         : FIELD_REAL;
    if (matrix->sparse && matrix->arrays.field == FIELD_INTEGER) matrix->arrays.field = FIELD_PATTERN;
}

/* Shorten an array to its entries: MATLAB may reserve room for more. */
static void cut(struct view *view, int64_t count)
{
    if (view->count > count) view->count = count;
}

static enum status find_sparse(const struct span *span, const struct head *head, struct arrays *arrays,
                               struct error *error)
{
    struct element element;
    int64_t count = 0;
    enum status status = element_read(span, head->next, &element, error);
    if (status == STATUS_OK)
        status = element_view(span, &element, "the list of row indices (ir)", &arrays->row, error);
    if (status == STATUS_OK) status = element_read(span, element.next, &element, error);
    if (status == STATUS_OK)
        status = element_view(span, &element, "the list of column pointers (jc)", &arrays->pointers, error);
    if (status == STATUS_OK && arrays->pointers.count != arrays->cols + 1)
        return span_damaged(span, element.begin, "there is no pointer for each column", error);
    if (status == STATUS_OK) status = view_integers(&arrays->pointers, arrays->cols, 1, &count, error);
    if (status == STATUS_OK && (count < 0 || count > arrays->row.count))
        return span_damaged(span, element.begin, "there are fewer row indices than the pointers say", error);
    arrays->arrangement = ARRANGED_COLUMNS;
    cut(&arrays->row, count);
    if (status == STATUS_OK) status = element_read(span, element.next, &element, error);
    if (status == STATUS_OK)
        status = element_view(span, &element, "the list of values (pr)", &arrays->value, error);
    cut(&arrays->value, count);
    if (status != STATUS_OK || arrays->field != FIELD_COMPLEX) return status;
    status = element_read(span, element.next, &element, error);
    if (status == STATUS_OK)
        status = element_view(span, &element, "the list of imaginary parts (pi)", &arrays->imaginary, error);
    cut(&arrays->imaginary, count);
    return status;
}

static enum status find_full(const struct span *span, const struct head *head, struct arrays *arrays,
                             struct error *error)
{
    struct element element;
    arrays->arrangement = ARRANGED_DENSE_COLUMNS;
    enum status status = element_read(span, head->next, &element, error);
    if (status == STATUS_OK)
        status = element_view(span, &element, "the list of values (pr)", &arrays->value, error);
    if (status != STATUS_OK || arrays->field != FIELD_COMPLEX) return status;
    status = element_read(span, element.next, &element, error);
    return status == STATUS_OK
               ? element_view(span, &element, "the list of imaginary parts (pi)", &arrays->imaginary, error)
               : status;
}

/* The search and its callback. */
struct walk {
    const char *only;
    mat_visit *visit;
    void *self;
    bool ended;
};

/* True if `name` is the searched name, or a struct that may contain it. */
static bool is_wanted(const struct walk *walk, const char *name)
{
    size_t length = strlen(name);
    if (!walk->only) return true;
    return strncmp(walk->only, name, length) == 0 && (!walk->only[length] || walk->only[length] == '.');
}

static enum status walk_array(const struct span *span, int64_t at, const char *name, int depth,
                              struct walk *walk, struct error *error);

enum status fields_read(const struct span *span, const struct head *head, struct fields *fields,
                        struct error *error)
{
    struct element element;
    uint32_t width = 0;
    int64_t at = head->next;
    enum status status = STATUS_OK;
    if (head->class == MX_OBJECT) { /* the name of its class */
        status = element_read(span, at, &element, error);
        at = element.next;
    }
    if (status == STATUS_OK) status = element_read(span, at, &element, error);
    if (status == STATUS_OK) status = span_number(span, element.begin, &width, error);
    if (status == STATUS_OK) status = element_read(span, element.next, &element, error);
    if (status != STATUS_OK) return status;
    if (width == 0 || width > FIELD_NAME || element.bytes / width > FIELDS_MAX)
        return span_damaged(span, element.begin, "a struct has no names of fields", error);
    *fields = (struct fields){element.next, element.bytes / width, width, element.begin};
    return STATUS_OK;
}

enum status fields_name(const struct span *span, const struct fields *fields, int64_t k,
                        char name[FIELD_NAME], struct error *error)
{
    memset(name, 0, FIELD_NAME);
    int64_t width = fields->width < FIELD_NAME ? fields->width : FIELD_NAME - 1;
    return span_read(span, fields->names + k * fields->width, name, width, error);
}

static enum status walk_struct(const struct span *span, const struct head *head, const char *name, int depth,
                               struct walk *walk, struct error *error)
{
    struct fields fields = {0};
    char field[FIELD_NAME], full[MAT_NAME];
    if (depth == DEPTH_MAX || head->size[0] != 1 || head->size[1] != 1 || head->dimensions != 2)
        return STATUS_OK;
    enum status status = fields_read(span, head, &fields, error);
    int64_t at = fields.first;
    for (int64_t k = 0; k < fields.count && status == STATUS_OK && !walk->ended; k++) {
        struct element element;
        status = fields_name(span, &fields, k, field, error);
        if (status == STATUS_OK) status = element_read(span, at, &element, error);
        if (status != STATUS_OK) break;
        int length = snprintf(full, sizeof full, "%s.%s", name, field);
        if (element.type == MI_MATRIX && element.bytes > 0 && length < (int)sizeof full)
            status = walk_array(span, element.begin, full, depth + 1, walk, error);
        at = element.next;
    }
    return status;
}

/* Visit the array whose head begins at byte `at`. */
static enum status walk_array(const struct span *span, int64_t at, const char *name, int depth,
                              struct walk *walk, struct error *error)
{
    struct head head = {0};
    struct mat_matrix matrix;
    if (!is_wanted(walk, name)) return STATUS_OK;
    enum status status = head_read(span, at, &head, error);
    if (status != STATUS_OK) return status;
    if (head.class == MX_STRUCT || head.class == MX_OBJECT)
        return walk_struct(span, &head, name, depth, walk, error);
    if (head.class < MX_SPARSE || head.class > MX_UINT64 || head.dimensions != 2) return STATUS_OK;
    describe(&head, name, &matrix);
    status = matrix.sparse ? find_sparse(span, &head, &matrix.arrays, error)
                           : find_full(span, &head, &matrix.arrays, error);
    if (status == STATUS_OK) walk->ended = !walk->visit(walk->self, &matrix);
    return status;
}

/* Read the head of the variable, whether it is compressed or not, without unpacking more than that. */
static enum status peek_head(const struct mat *mat, const struct element *element, struct head *head,
                             struct error *error)
{
    char bytes[ELEMENT_PEEK];
    int64_t done;
    if (element->type != MI_COMPRESSED) return head_read(&mat->file, element->begin, head, error);
    enum status status = element_inflate(&mat->file, element, bytes, sizeof bytes, &done, error);
    if (status != STATUS_OK) return status;
    const struct span span = {.memory = bytes, .end = done, .big = mat->file.big, .path = mat->file.path};
    return head_read(&span, 8, head, error);
}

static enum status walk_variable(struct mat *mat, const struct element *element, struct walk *walk,
                                 struct error *error)
{
    struct head head = {0};
    struct span span = mat->file;
    struct element inner = *element;
    if (element->type != MI_MATRIX && element->type != MI_COMPRESSED) return STATUS_OK;
    if (element->bytes == 0) return STATUS_OK;
    enum status status = peek_head(mat, element, &head, error);
    bool struct_ = head.class == MX_STRUCT || head.class == MX_OBJECT;
    if (status != STATUS_OK || !head.name[0] || !is_wanted(walk, head.name) || head.class > MX_UINT64)
        return status;
    if (!struct_ && head.class < MX_SPARSE) return STATUS_OK;
    if (element->type == MI_COMPRESSED) {
        status = unpack(mat, element, &span, error);
        if (status == STATUS_OK) status = element_read(&span, 0, &inner, error);
        if (status != STATUS_OK) return status;
    }
    span.begin = inner.begin;
    span.end = inner.begin + inner.bytes;
    return walk_array(&span, inner.begin, head.name, 0, walk, error);
}

/* --- version 4 --- */

/* Make arrays of a full matrix of version 4, of which the first three or four columns may be those of a
 * sparse one.
 */
static enum status arrays_of_version4(const struct mat *mat, int64_t data, const uint32_t words[5],
                                      enum number type, struct mat_matrix *matrix, struct error *error)
{
    int64_t rows = words[1], cols = words[2], bytes = (int64_t)number_bytes(type);
    struct arrays *a = &matrix->arrays;
    const struct span *file = &mat->file;
    int64_t size[2] = {0}, entries = rows - 1;
    enum status status = STATUS_OK;
    a->rows = rows;
    a->cols = cols;
    if (!matrix->sparse) {
        a->arrangement = ARRANGED_DENSE_COLUMNS;
        a->field = words[3] ? FIELD_COMPLEX : FIELD_REAL;
        status = span_view(file, data, type, rows * cols, "the list of values", &a->value, error);
        if (status == STATUS_OK && words[3])
            status = span_view(file, data + rows * cols * bytes, type, rows * cols,
                               "the list of imaginary parts", &a->imaginary, error);
    } else {
        if (rows < 1 || (cols != 3 && cols != 4))
            return span_damaged(file, data, "a sparse matrix does not have three columns", error);
        a->arrangement = ARRANGED_LOOSE;
        a->base = 1;
        a->field = cols == 4 ? FIELD_COMPLEX : FIELD_REAL;
        status = span_view(file, data, type, rows, "the list of row indices", &a->row, error);
        if (status == STATUS_OK)
            status = span_view(file, data + rows * bytes, type, rows, "the list of column indices", &a->col,
                               error);
        if (status == STATUS_OK)
            status = span_view(file, data + 2 * rows * bytes, type, entries, "the list of values", &a->value,
                               error);
        if (status == STATUS_OK && cols == 4)
            status = span_view(file, data + 3 * rows * bytes, type, entries, "the list of imaginary parts",
                               &a->imaginary, error);
        if (status == STATUS_OK) status = view_integers(&a->row, entries, 1, &size[0], error);
        if (status == STATUS_OK) status = view_integers(&a->col, entries, 1, &size[1], error);
        a->row.count = a->col.count = entries;
        a->rows = size[0];
        a->cols = size[1];
    }
    matrix->rows = a->rows;
    matrix->cols = a->cols;
    return status;
}

/* Visit the variable at byte `at`. *next becomes the offset of the next one. */
static enum status walk_version4(const struct mat *mat, int64_t at, struct walk *walk, int64_t *next,
                                 struct error *error)
{
    static const enum number types[] = {NUMBER_F64, NUMBER_F32, NUMBER_I32,
                                        NUMBER_I16, NUMBER_U16, NUMBER_U8};
    uint32_t words[5]; /* type, rows, columns, flag of imaginary parts, bytes of the name */
    struct mat_matrix matrix = {0};
    enum status status = STATUS_OK;
    int64_t elements;
    for (int k = 0; k < 5 && status == STATUS_OK; k++)
        status = span_number(&mat->file, at + 4 * k, &words[k], error);
    if (status != STATUS_OK) return status;
    uint32_t kind = words[0] % 10, precision = words[0] / 10 % 10;
    if (words[0] > 4052 || precision > 5 || kind > 2 || words[3] > 1 || words[1] > INT32_MAX ||
        words[2] > INT32_MAX)
        return span_damaged(&mat->file, at, "this is not a variable", error);
    if (words[0] >= 2000)
        return error_at(error, STATUS_INPUT, mat->file.path, 0, 0,
                        "has numbers of a VAX or Cray, which are not read; save it again");
    int64_t length = words[4] < FIELD_NAME ? words[4] : FIELD_NAME - 1, data = at + 20 + (int64_t)words[4];
    status = span_read(&mat->file, at + 20, matrix.name, length, error);
    if (status != STATUS_OK) return status;
    enum number type = types[precision];
    if (__builtin_mul_overflow((int64_t)words[1] * (int64_t)words[2],
                               (int64_t)number_bytes(type) * (words[3] + 1), &elements) ||
        elements > mat->file.end - data)
        return span_damaged(&mat->file, at, "a variable reaches beyond the end", error);
    *next = data + elements;
    if (kind == 1 || !is_wanted(walk, matrix.name)) return STATUS_OK; /* texts */
    matrix.sparse = kind == 2;
    status = arrays_of_version4(mat, data, words, type, &matrix, error);
    if (status == STATUS_OK) walk->ended = !walk->visit(walk->self, &matrix);
    return status;
}

enum status mat_walk(struct mat *mat, const char *only, mat_visit *visit, void *self, struct error *error)
{
    struct walk walk = {.only = only, .visit = visit, .self = self};
    enum status status = STATUS_OK;
    for (int64_t at = mat->file.begin, next = at; at < mat->file.end && status == STATUS_OK && !walk.ended;
         at = next) {
        struct element element = {0};
        if (mat->version4)
            status = walk_version4(mat, at, &walk, &next, error);
        else {
            status = element_read(&mat->file, at, &element, error);
            if (status == STATUS_OK) status = walk_variable(mat, &element, &walk, error);
            next = element.next;
        }
    }
    return status;
}

enum status mat_texts(struct mat *mat, const char *name, struct about *about, struct error *error)
{
    size_t length = strcspn(name, ".");
    enum status status = STATUS_OK;
    if (mat->version4) return STATUS_OK;
    if (!name[length]) {
        name = MAT_ABOUT;
        length = strlen(name);
    }
    for (int64_t at = mat->file.begin; at < mat->file.end && status == STATUS_OK;) {
        struct element element, inner;
        struct head head = {0};
        struct span span = mat->file;
        status = element_read(&mat->file, at, &element, error);
        if (status != STATUS_OK) break;
        inner = element;
        at = element.next;
        if ((element.type != MI_MATRIX && element.type != MI_COMPRESSED) || element.bytes == 0) continue;
        status = peek_head(mat, &element, &head, error);
        if (status != STATUS_OK || strncmp(head.name, name, length) != 0 || head.name[length]) continue;
        if (element.type == MI_COMPRESSED) {
            status = unpack(mat, &element, &span, error);
            if (status == STATUS_OK) status = element_read(&span, 0, &inner, error);
            if (status != STATUS_OK) break;
        }
        return struct_texts(&span, inner.begin, about, error);
    }
    return status;
}
