#include "config.h"
#ifdef HAVE_HDF5
#    include <stdio.h>
#    include <stdlib.h>
#    include <string.h>
#    include <strings.h>
#    include <sys/mman.h>
#    include <sys/stat.h>
#    include <unistd.h>

#    include "base/apart.h"
#    include "base/memory.h"
#    include "matrix/files/hdf5/h5.h"
#    include "matrix/files/hdf5/unpack.h"
#    include "matrix/relay.h"

#    define TEXT_MAX ((size_t)1 << 20)
#    define IMAGE_STEP ((size_t)1 << 20) /* growth of the library's files in memory */
#    define ROOM ((size_t)64 << 20)      /* for the library's own data */
#    define REST 20.0                    /* seconds within which the library must make progress */

/* Pass a file in memory to the library, which copies it. */
static enum status load_image(const struct container *container, size_t limit, hid_t access,
                              struct error *error)
{
    size_t size = (size_t)container_size(container);
    enum status status = memory_check(size, limit, "the unpacked file", error);
    char *image = status == STATUS_OK ? memory_array(size, 1, error) : NULL;
    if (!image) return status == STATUS_OK ? STATUS_MEMORY : status;
    if (container_pread(container, image, size, 0, error) != (ssize_t)size) status = STATUS_IO;
    if (status == STATUS_OK && (hdf5.H5Pset_fapl_core(access, IMAGE_STEP, false) < 0 ||
                                hdf5.H5Pset_file_image(access, image, size) < 0))
        status = error_at(error, STATUS_INPUT, container_path(container), 0, 0, "is not an HDF5 file");
    free(image);
    return status;
}

/* --- in the child --- */

static enum status open_file(struct h5 *h5, struct error *error)
{
    const char *path = container_file(h5->container);
    enum status status = hdf5_start(error);
    if (status != STATUS_OK) return status;
    hdf5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    /* A link to another file would make it a part of the matrix. */
    hdf5.H5Lunregister(H5L_TYPE_EXTERNAL);
    hid_t access = hdf5.H5Pcreate(*hdf5.H5P_CLS_FILE_ACCESS_ID_g);
#    if HDF5_LOCKS
    hdf5.H5Pset_file_locking(access, false, true);
#    endif
    if (!path) {
        status = load_image(h5->container, h5->limit, access, error);
        path = "unpacked";
    }
    if (status == STATUS_OK) h5->file = hdf5.H5Fopen(path, H5F_ACC_RDONLY, access);
    hdf5.H5Pclose(access);
    if (h5->file >= 0 || status != STATUS_OK) return status;
    return error_at(error, STATUS_INPUT, container_path(h5->container), 0, 0,
                    "cannot be opened by HDF5: it is damaged or cut short");
}

/* The child's task. */
struct task {
    struct h5 h5;
    h5_gather *gather;
    const char *name;
};

static enum verdict gather_in_child(void *self)
{
    struct task *task = self;
    struct h5_found *found = task->h5.found;
    enum status status = open_file(&task->h5, &found->error);
    if (status == STATUS_OK) status = task->gather(&task->h5, task->name, &found->error);
    found->status = status;
    return VERDICT_DONE;
}

/* --- in the parent --- */

/* The blocks of the shared file grow while a dataset is unpacked, and pieces of spilled ones are steps. */
static int64_t advance_of(void *self)
{
    const struct task *task = self;
    struct stat about;
    return task->h5.found->steps + (fstat(task->h5.shared, &about) == 0 ? (int64_t)about.st_blocks : 0);
}

/* Return a file without a name, or -1. */
static int nameless_file(void)
{
#    ifdef __linux__
    return memfd_create("sparsight", MFD_CLOEXEC);
#    else
    FILE *file = tmpfile();
    int descriptor = file ? dup(fileno(file)) : -1;
    if (file) fclose(file);
    return descriptor;
#    endif
}

/* Make the view refer to the parent's mapping, if the child had unpacked the data. */
static void move_view(struct view *view, const struct h5_reading *reading)
{
    const struct h5_found *found = reading->found;
    for (int k = 0; view->memory && k < found->pieces; k++)
        if (found->piece[k].at == view->memory) {
            view->memory = reading->memory[k];
            return;
        }
}

static void move_views(struct arrays *arrays, const struct h5_reading *reading)
{
    move_view(&arrays->pointers, reading);
    move_view(&arrays->lines, reading);
    move_view(&arrays->row, reading);
    move_view(&arrays->col, reading);
    move_view(&arrays->value, reading);
    move_view(&arrays->imaginary, reading);
}

static enum status map_pieces(const struct h5 *h5, struct h5_reading *reading, struct error *error)
{
    struct h5_found *found = reading->found;
    for (int k = 0; k < found->pieces; k++) {
        const struct h5_piece *piece = &found->piece[k];
        const int file = piece->spilled ? h5->spill.fd : h5->shared;
        void *memory =
            piece->bytes ? mmap(NULL, piece->bytes, PROT_READ, MAP_SHARED, file, (off_t)piece->offset) : NULL;
        if (memory == MAP_FAILED)
            return error_set(error, STATUS_MEMORY, "out of memory: no room for a dataset");
        reading->memory[k] = memory;
    }
    move_views(&found->arrays, reading);
    move_views(&found->zeros, reading);
    return STATUS_OK;
}

/* The error of the file by the child's end. */
static enum status judge(const struct container *container, enum status ran, const struct error *how,
                         const struct h5_found *found, struct error *error)
{
    if (ran == STATUS_UNAVAILABLE)
        return error_at(error, STATUS_INPUT, container_path(container), 0, 0,
                        "cannot be read, since %s: the file is damaged; h5dump may tell where", how->message);
    if (ran == STATUS_OK && found->status == STATUS_OK) return STATUS_OK;
    if (error) *error = ran == STATUS_OK ? found->error : *how;
    return ran == STATUS_OK ? found->status : ran;
}

enum status h5_begin(struct container *container, const struct load_options *options, h5_gather *gather,
                     const struct about *about, struct progress *progress, struct h5_reading *reading,
                     struct error *error)
{
    const size_t limit = options->limit;
    const struct taker *taker = options->taker;
    *reading = (struct h5_reading){0};
    struct task task = {.h5 = {.container = container,
                               .file = H5I_INVALID_HID,
                               .limit = limit,
                               .always = taker && taker->always,
                               .spill = {.fd = -1}},
                        .gather = gather,
                        .name = container_variable(container)};
    struct apart apart = {
        .library = "libhdf5", .work = gather_in_child, .self = &task, .advance = advance_of, .rest = REST};
    struct error how = {0};
    enum status status = hdf5_load(error);
    if (status == STATUS_OK) status = container_unpack(container, limit, progress, error);
    if (status != STATUS_OK) return status;
    reading->found = apart_memory(sizeof *reading->found, error);
    if (!reading->found) return STATUS_MEMORY;
    reading->found->about = *about;
    task.h5.found = reading->found;
    task.h5.shared = nameless_file();
    if (task.h5.shared < 0)
        return error_set(error, STATUS_MEMORY, "out of memory: no file to share with a process");
    if (taker) spill_open(&task.h5.spill, NULL); /* if this fails, datasets are unpacked into memory */
    progress_phase(progress, "reading", 0);
    size_add(memory_limit(limit), ROOM, &apart.memory);
    status = apart_run(&apart, progress, &how);
    status = judge(container, status, &how, reading->found, error);
    if (status == STATUS_OK) status = map_pieces(&task.h5, reading, error);
    close(task.h5.shared);
    spill_close(&task.h5.spill);
    return status;
}

void h5_end(struct h5_reading *reading)
{
    for (int k = 0; k < H5_PIECES; k++)
        if (reading->memory[k]) munmap(reading->memory[k], reading->found->piece[k].bytes);
    apart_release(reading->found, reading->found ? sizeof *reading->found : 0);
    *reading = (struct h5_reading){0};
}

/* --- in the child, called by the gathering function --- */

bool h5_has(hid_t group, const char *name)
{
    return hdf5.H5Lexists(group, name, H5P_DEFAULT) > 0;
}

/* The library's native type for a number. */
static hid_t native_type(enum number number)
{
    switch (number) {
    case NUMBER_I8:
        return *hdf5.H5T_NATIVE_INT8_g;
    case NUMBER_U8:
        return *hdf5.H5T_NATIVE_UINT8_g;
    case NUMBER_I16:
        return *hdf5.H5T_NATIVE_INT16_g;
    case NUMBER_U16:
        return *hdf5.H5T_NATIVE_UINT16_g;
    case NUMBER_I32:
        return *hdf5.H5T_NATIVE_INT32_g;
    case NUMBER_U32:
        return *hdf5.H5T_NATIVE_UINT32_g;
    case NUMBER_I64:
        return *hdf5.H5T_NATIVE_INT64_g;
    case NUMBER_U64:
        return *hdf5.H5T_NATIVE_UINT64_g;
    case NUMBER_F32:
    case NUMBER_C64:
        return *hdf5.H5T_NATIVE_FLOAT_g;
    default:
        return *hdf5.H5T_NATIVE_DOUBLE_g;
    }
}

/* Find the type of number for the file's type, and whether the file has exactly that type, except for the
 * byte order. The library converts all others: floats that are not those of IEEE 754 in 4 or 8 bytes, and
 * integers with spare bits. */
static bool find_real(hid_t type, enum number *number, bool *exact)
{
    size_t bytes = hdf5.H5Tget_size(type);
    if (hdf5.H5Tget_class(type) == H5T_FLOAT) {
        bool single = hdf5.H5Tequal(type, *hdf5.H5T_IEEE_F32LE_g) > 0 ||
                      hdf5.H5Tequal(type, *hdf5.H5T_IEEE_F32BE_g) > 0;
        *exact = single || hdf5.H5Tequal(type, *hdf5.H5T_IEEE_F64LE_g) > 0 ||
                 hdf5.H5Tequal(type, *hdf5.H5T_IEEE_F64BE_g) > 0;
        *number = single ? NUMBER_F32 : NUMBER_F64;
        return true;
    }
    static const enum number numbers[9][2] = {[1] = {NUMBER_U8, NUMBER_I8},
                                              [2] = {NUMBER_U16, NUMBER_I16},
                                              [4] = {NUMBER_U32, NUMBER_I32},
                                              [8] = {NUMBER_U64, NUMBER_I64}};
    bool sign = hdf5.H5Tget_sign(type) == H5T_SGN_2;
    if (hdf5.H5Tget_class(type) != H5T_INTEGER || bytes > 8) return false;
    *exact = (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) &&
             hdf5.H5Tget_precision(type) == 8 * bytes && hdf5.H5Tget_offset(type) == 0;
    *number = *exact ? numbers[bytes][sign] : sign ? NUMBER_I64 : NUMBER_U64;
    return true;
}

/* True if the member of a compound or enumeration has one of two or three names. */
static bool member_is(hid_t type, unsigned k, const char *const names[3])
{
    char *name = hdf5.H5Tget_member_name(type, k);
    bool is = false;
    for (int n = 0; n < 3 && name && !is; n++)
        is = strcasecmp(name, names[n]) == 0;
    hdf5.H5free_memory(name);
    return is;
}

/* Booleans of h5py are an enumeration of FALSE and TRUE, 0 and 1, in a byte. */
static bool is_boolean(hid_t type)
{
    static const char *const no[3] = {"FALSE", "FALSE", "FALSE"}, *const yes[3] = {"TRUE", "TRUE", "TRUE"};
    unsigned char first = 1, second = 0;
    return hdf5.H5Tget_class(type) == H5T_ENUM && hdf5.H5Tget_size(type) == 1 &&
           hdf5.H5Tget_nmembers(type) == 2 && hdf5.H5Tget_member_value(type, 0, &first) >= 0 &&
           hdf5.H5Tget_member_value(type, 1, &second) >= 0 && first == 0 && second == 1 &&
           member_is(type, 0, no) && member_is(type, 1, yes);
}

/* Find the floats of a complex number: a compound of two of one type, real and imaginary part in any order.
 * *exact: the file has them adjacent, the real part first. */
static bool find_complex(hid_t type, enum number *number, bool *exact, bool *big)
{
    static const char *const names[2][3] = {{"r", "re", "real"}, {"i", "im", "imag"}};
    if (hdf5.H5Tget_class(type) != H5T_COMPOUND || hdf5.H5Tget_nmembers(type) != 2) return false;
    unsigned real = member_is(type, 0, names[0]) ? 0 : 1;
    if (!member_is(type, real, names[0]) || !member_is(type, 1 - real, names[1])) return false;
    hid_t part = hdf5.H5Tget_member_type(type, real), other = hdf5.H5Tget_member_type(type, 1 - real);
    bool floats = part >= 0 && other >= 0 && hdf5.H5Tget_class(part) == H5T_FLOAT &&
                  hdf5.H5Tequal(part, other) > 0 && find_real(part, number, exact);
    if (floats) {
        size_t bytes = number_bytes(*number);
        *exact = *exact && hdf5.H5Tget_member_offset(type, real) == 0 &&
                 hdf5.H5Tget_member_offset(type, 1 - real) == bytes && hdf5.H5Tget_size(type) == 2 * bytes;
        *big = hdf5.H5Tget_order(part) == H5T_ORDER_BE;
        *number = *number == NUMBER_F32 ? NUMBER_C64 : NUMBER_C128;
    }
    if (part >= 0) hdf5.H5Tclose(part);
    if (other >= 0) hdf5.H5Tclose(other);
    return floats;
}

/* Make the type to which the library converts a compound, with the names in the file. */
static hid_t complex_type(hid_t type, enum number number)
{
    static const char *const imaginary[3] = {"i", "im", "imag"};
    size_t bytes = number_bytes(number) / 2;
    hid_t memory = hdf5.H5Tcreate(H5T_COMPOUND, 2 * bytes);
    for (unsigned k = 0; k < 2; k++) {
        char *name = hdf5.H5Tget_member_name(type, k);
        hdf5.H5Tinsert(memory, name, member_is(type, k, imaginary) ? bytes : 0, native_type(number));
        hdf5.H5free_memory(name);
    }
    return memory;
}

/* Find the type of numbers that a dataset has, and whether the file has them so. */
static bool find_number(hid_t type, struct view *view, bool *exact)
{
    view->big = hdf5.H5Tget_order(type) == H5T_ORDER_BE;
    if (hdf5.H5Tget_class(type) == H5T_COMPOUND) return find_complex(type, &view->type, exact, &view->big);
    if (hdf5.H5Tget_class(type) != H5T_ENUM) return find_real(type, &view->type, exact);
    view->type = NUMBER_U8;
    *exact = true;
    return is_boolean(type);
}

bool h5_is_new(hid_t object, struct h5_seen *seen)
{
    unsigned char token[sizeof seen->token[0]] = {0};
#    if H5_VERSION_GE(1, 12, 0)
    H5O_info2_t info;
    if (hdf5.H5Oget_info3(object, &info, H5O_INFO_BASIC) < 0) return false;
    memcpy(token, &info.token, sizeof token < sizeof info.token ? sizeof token : sizeof info.token);
#    else
    H5O_info_t info;
    if (hdf5.H5Oget_info(object, &info) < 0) return false;
    memcpy(token, &info.addr, sizeof info.addr);
#    endif
    for (int k = 0; k < seen->count; k++)
        if (memcmp(seen->token[k], token, sizeof token) == 0) return false;
    if (seen->count == H5_SEEN) return false;
    memcpy(seen->token[seen->count++], token, sizeof token);
    return true;
}

static enum status wrong(const struct h5 *h5, const char *name, const char *why, struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(h5->container), 0, 0, "dataset %s %s", name, why);
}

/* Find whether the elements are contiguous in the file. If so, *offset becomes their position. If not, they
 * cannot be read in place, and *there becomes false. Data that the library would read out of bounds, and data
 * in other files, are refused. */
static enum status find_place(const struct h5 *h5, hid_t dataset, const struct view *view, bool *there,
                              int64_t *offset, struct error *error)
{
    hid_t list = hdf5.H5Dget_create_plist(dataset), creation = hdf5.H5Fget_create_plist(h5->file);
    hsize_t before = 1;
    hdf5.H5Pget_userblock(creation, &before);
    H5D_layout_t layout = hdf5.H5Pget_layout(list);
    bool elsewhere = layout == H5D_VIRTUAL || layout < 0 || hdf5.H5Pget_external_count(list) != 0;
    hid_t type = hdf5.H5Dget_type(dataset);
    bool whole = hdf5.H5Dget_storage_size(dataset) == (hsize_t)view->count * hdf5.H5Tget_size(type);
    hdf5.H5Tclose(type);
    haddr_t at = layout == H5D_CONTIGUOUS && whole && before == 0 ? hdf5.H5Dget_offset(dataset) : HADDR_UNDEF;
    hdf5.H5Pclose(list);
    hdf5.H5Pclose(creation);
    *there = *there && at != HADDR_UNDEF && at <= INT64_MAX && container_file(h5->container);
    *offset = (int64_t)at;
    if (elsewhere)
        return wrong(h5, view->name, "keeps its elements in another file, which is not read", error);
    if (layout != H5D_CHUNKED && !whole)
        return wrong(h5, view->name, "is smaller than it declares; the file is damaged", error);
    return STATUS_OK;
}

/* Unpack a dataset in the type that the view says. */
static enum status unpack(struct h5 *h5, hid_t dataset, hid_t type, struct view *view, struct error *error)
{
    view->big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (view->count == 0) {
        view->container = NULL;
        return STATUS_OK;
    }
    hid_t wanted = number_is_complex(view->type)         ? complex_type(type, view->type)
                   : hdf5.H5Tget_class(type) == H5T_ENUM ? hdf5.H5Tcopy(type)
                                                         : hdf5.H5Tcopy(native_type(view->type));
    enum status status = h5_unpack(h5, dataset, type, wanted, view, error);
    hdf5.H5Tclose(wanted);
    return status;
}

static bool is_external(hid_t group, const char *name)
{
    H5L_info_t info;
    return hdf5.H5Lget_info(group, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_EXTERNAL;
}

enum status h5_view(struct h5 *h5, hid_t group, const char *name, struct view *view, int64_t size[2],
                    struct error *error)
{
    hsize_t sizes[2] = {1, 1};
    enum status status = STATUS_OK;
    bool there = false;
    *view = (struct view){.name = name, .container = h5->container};
    if (!h5_has(group, name)) return wrong(h5, name, "is missing", error);
    if (is_external(group, name))
        return wrong(h5, name, "is a link to another file, which is not read", error);
    if (h5->found->pieces == H5_PIECES) return wrong(h5, name, "is one too many", error);
    h5->found->steps++;
    hid_t dataset = hdf5.H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0) return wrong(h5, name, "is none, or damaged", error);
    hid_t space = hdf5.H5Dget_space(dataset), type = hdf5.H5Dget_type(dataset);
    int dimensions = space >= 0 ? hdf5.H5Sget_simple_extent_ndims(space) : -1;
    if (dimensions != 1 && !(size && dimensions == 2))
        status = wrong(h5, name, "does not have the required dimensions", error);
    else if (type < 0 || !find_number(type, view, &there))
        status = wrong(h5, name, "has no numbers of a type that is read", error);
    else if (hdf5.H5Sget_simple_extent_dims(space, sizes, NULL) < 0 || sizes[0] > INT64_MAX / 32 ||
             sizes[1] > INT64_MAX / 32 ||
             __builtin_mul_overflow((int64_t)sizes[0], (int64_t)sizes[1], &view->count))
        status = wrong(h5, name, "is too large", error);
    if (size && status == STATUS_OK) {
        size[0] = (int64_t)sizes[0];
        size[1] = (int64_t)sizes[1];
    }
    if (status == STATUS_OK) status = find_place(h5, dataset, view, &there, &view->offset, error);
    if (status == STATUS_OK && !there) status = unpack(h5, dataset, type, view, error);
    if (type >= 0) hdf5.H5Tclose(type);
    if (space >= 0) hdf5.H5Sclose(space);
    hdf5.H5Dclose(dataset);
    return status == STATUS_OK ? view_check(view, error) : status;
}

enum status h5_text(hid_t object, const char *name, char **out, struct error *error)
{
    char *text = NULL;
    enum status status = STATUS_OK;
    *out = NULL;
    if (hdf5.H5Aexists(object, name) <= 0) return STATUS_OK;
    hid_t attribute = hdf5.H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = attribute >= 0 ? hdf5.H5Aget_type(attribute) : H5I_INVALID_HID;
    hid_t space = attribute >= 0 ? hdf5.H5Aget_space(attribute) : H5I_INVALID_HID;
    /* The library writes as many texts as there are, so there must be one. */
    bool single = space >= 0 && hdf5.H5Sget_simple_extent_npoints(space) == 1;
    if (space >= 0) hdf5.H5Sclose(space);
    if (single && type >= 0 && hdf5.H5Tget_class(type) == H5T_STRING) {
        hid_t memory = hdf5.H5Tcopy(*hdf5.H5T_C_S1_g);
        hdf5.H5Tset_cset(memory, hdf5.H5Tget_cset(type));
        if (hdf5.H5Tis_variable_str(type) > 0) {
            char *read = NULL;
            hdf5.H5Tset_size(memory, H5T_VARIABLE);
            if (hdf5.H5Aread(attribute, memory, &read) >= 0 && read) {
                text = memory_string(read, error);
                if (!text) status = STATUS_MEMORY;
            }
            if (read) hdf5.H5free_memory(read);
        } else if (hdf5.H5Tget_size(type) < TEXT_MAX) {
            size_t bytes = hdf5.H5Tget_size(type);
            hdf5.H5Tset_size(memory, bytes + 1);
            text = memory_zeroed(bytes + 2, 1, error);
            if (!text) status = STATUS_MEMORY;
            if (text && hdf5.H5Aread(attribute, memory, text) < 0) {
                free(text);
                text = NULL;
            }
        }
        hdf5.H5Tclose(memory);
    }
    if (type >= 0) hdf5.H5Tclose(type);
    if (attribute >= 0) hdf5.H5Aclose(attribute);
    *out = text;
    return status;
}

bool h5_number(hid_t object, const char *name, int64_t *value)
{
    long long whole = 0;
    if (hdf5.H5Aexists(object, name) <= 0) return false;
    hid_t attribute = hdf5.H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    hid_t space = hdf5.H5Aget_space(attribute), type = hdf5.H5Aget_type(attribute);
    bool number_at_all = hdf5.H5Tget_class(type) == H5T_INTEGER || hdf5.H5Tget_class(type) == H5T_FLOAT;
    hdf5.H5Tclose(type);
    bool good = number_at_all && hdf5.H5Sget_simple_extent_npoints(space) == 1 &&
                hdf5.H5Aread(attribute, *hdf5.H5T_NATIVE_LLONG_g, &whole) >= 0;
    hdf5.H5Sclose(space);
    hdf5.H5Aclose(attribute);
    *value = whole;
    return good;
}

#endif
