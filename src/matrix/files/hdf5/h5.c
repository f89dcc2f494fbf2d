#include "config.h"
#ifdef HAVE_HDF5
#    include "matrix/files/hdf5/h5.h"

#    include <pthread.h>
#    include <stdio.h>
#    include <stdlib.h>
#    include <string.h>

#    include "base/memory.h"

#    define TEXT_MAX ((size_t)1 << 20)
#    define IMAGE_STEP ((size_t)1 << 20) /* by which the library lets a file in memory grow */

/* The library's state belongs to the process. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Give the library a file that lies in memory, of which it makes a copy. */
static enum status load_image(const struct container *container, size_t limit, hid_t access,
                              struct error *error)
{
    size_t size = (size_t)container_size(container);
    enum status status = memory_check(size, limit, "the unpacked file", error);
    char *image = status == STATUS_OK ? memory_array(size, 1, error) : NULL;
    if (!image) return status == STATUS_OK ? STATUS_MEMORY : status;
    if (container_pread(container, image, size, 0, error) != (ssize_t)size) status = STATUS_IO;
    if (status == STATUS_OK &&
        (H5Pset_fapl_core(access, IMAGE_STEP, false) < 0 || H5Pset_file_image(access, image, size) < 0))
        status = error_at(error, STATUS_INPUT, container_path(container), 0, 0, "is no HDF5 file");
    free(image);
    return status;
}

enum status h5_open(struct container *container, size_t limit, struct progress *progress, struct h5 *h5,
                    struct error *error)
{
    *h5 = (struct h5){.container = container, .file = H5I_INVALID_HID, .limit = limit};
    enum status status = container_unpack(container, limit, progress, error);
    if (status == STATUS_OK) status = progress_status(progress, error);
    if (status != STATUS_OK) return status;
    pthread_mutex_lock(&lock);
    h5->locked = true;
    H5dont_atexit(); /* what it does at the exit crashes if a file could not be closed */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#    if H5_VERSION_GE(1, 12, 1) || (H5_VERS_MINOR == 10 && H5_VERS_RELEASE >= 7)
    H5Pset_file_locking(access, false, true);
#    endif
    const char *path = container_file(container);
    if (!path) {
        status = load_image(container, limit, access, error);
        path = "unpacked";
    }
    if (status == STATUS_OK) h5->file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (h5->file >= 0 || status != STATUS_OK) return status;
    return error_at(error, STATUS_INPUT, container_path(container), 0, 0,
                    "cannot be opened by HDF5: it is damaged or cut short");
}

void h5_forget(struct h5 *h5)
{
    for (int k = 0; k < h5->memories; k++)
        free(h5->memory[k]);
    h5->memories = 0;
}

void h5_close(struct h5 *h5)
{
    if (h5->file >= 0 && h5->locked) H5Fclose(h5->file);
    h5_forget(h5);
    if (h5->locked) pthread_mutex_unlock(&lock);
    *h5 = (struct h5){.file = H5I_INVALID_HID};
}

bool h5_has(hid_t group, const char *name)
{
    return H5Lexists(group, name, H5P_DEFAULT) > 0;
}

static bool find_real(hid_t type, enum number *number)
{
    size_t bytes = H5Tget_size(type);
    if (H5Tget_class(type) == H5T_FLOAT) {
        *number = bytes == 4 ? NUMBER_F32 : NUMBER_F64;
        return bytes == 4 || bytes == 8;
    }
    static const enum number numbers[9][2] = {[1] = {NUMBER_U8, NUMBER_I8},
                                              [2] = {NUMBER_U16, NUMBER_I16},
                                              [4] = {NUMBER_U32, NUMBER_I32},
                                              [8] = {NUMBER_U64, NUMBER_I64}};
    if (H5Tget_class(type) != H5T_INTEGER || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
        return false;
    *number = numbers[bytes][H5Tget_sign(type) == H5T_SGN_2];
    return true;
}

/* Find the type of numbers that a dataset has. Booleans of h5py are an enumeration; complex numbers a pair of
 * floats. */
static bool find_number(hid_t type, enum number *number, bool *big)
{
    hid_t inner = H5I_INVALID_HID;
    bool known = false;
    if (H5Tget_class(type) == H5T_ENUM) {
        inner = H5Tget_super(type);
        known = find_real(inner, number) && number_bytes(*number) == 1;
    } else if (H5Tget_class(type) == H5T_COMPOUND && H5Tget_nmembers(type) == 2) {
        inner = H5Tget_member_type(type, 0);
        known = find_real(inner, number) && !number_is_integer(*number) &&
                H5Tget_size(type) == 2 * number_bytes(*number);
        *number = *number == NUMBER_F32 ? NUMBER_C64 : NUMBER_C128;
    } else
        known = find_real(type, number);
    *big = H5Tget_order(inner >= 0 ? inner : type) == H5T_ORDER_BE;
    if (inner >= 0) H5Tclose(inner);
    return known;
}

static enum status wrong(const struct h5 *h5, const char *name, const char *why, struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(h5->container), 0, 0, "dataset %s %s", name, why);
}

/* Find out whether the elements lie in the file one after the other, just as they are; *offset becomes where.
 * What the library would read beyond its own bounds, and what is in other files, is refused. */
static enum status find_place(const struct h5 *h5, hid_t dataset, const struct view *view, bool *there,
                              int64_t *offset, struct error *error)
{
    hid_t list = H5Dget_create_plist(dataset), creation = H5Fget_create_plist(h5->file);
    hsize_t before = 1;
    H5Pget_userblock(creation, &before);
    H5D_layout_t layout = H5Pget_layout(list);
    bool elsewhere = layout == H5D_VIRTUAL || layout < 0 || H5Pget_external_count(list) != 0;
    bool exact = H5Dget_storage_size(dataset) == (hsize_t)view->count * number_bytes(view->type);
    haddr_t at = layout == H5D_CONTIGUOUS && exact && before == 0 ? H5Dget_offset(dataset) : HADDR_UNDEF;
    H5Pclose(list);
    H5Pclose(creation);
    *there = at != HADDR_UNDEF && at <= INT64_MAX && container_file(h5->container);
    *offset = (int64_t)at;
    if (elsewhere) return wrong(h5, view->name, "has its elements in another file, which is not read", error);
    if (layout != H5D_CHUNKED && !exact)
        return wrong(h5, view->name, "is not as large as it says; the file is damaged", error);
    return STATUS_OK;
}

static enum status unpack(struct h5 *h5, hid_t dataset, hid_t type, struct view *view, struct error *error)
{
    size_t bytes;
    size_multiply((size_t)view->count, number_bytes(view->type), &bytes);
    if (memory_check(bytes, h5->limit, "an unpacked dataset", error) != STATUS_OK) return STATUS_LIMIT;
    void *memory = memory_array(bytes, 1, error);
    if (!memory) return STATUS_MEMORY;
    h5->memory[h5->memories++] = memory;
    view->container = NULL;
    view->memory = memory;
    if (view->count == 0 || H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, memory) >= 0)
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, container_path(h5->container), 0, 0,
                    "dataset %s cannot be read: it is damaged, or "
                    "packed in a way that HDF5 does not know here",
                    view->name);
}

enum status h5_view(struct h5 *h5, hid_t group, const char *name, struct view *view, int64_t size[2],
                    struct error *error)
{
    hsize_t sizes[2] = {1, 1};
    enum status status = STATUS_OK;
    *view = (struct view){.name = name, .container = h5->container};
    if (!h5_has(group, name)) return wrong(h5, name, "is missing", error);
    if (h5->memories == H5_ARRAYS) return wrong(h5, name, "is one too many", error);
    hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0) return wrong(h5, name, "is none, or damaged", error);
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    int dimensions = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    if (dimensions != 1 && !(size && dimensions == 2))
        status = wrong(h5, name, "does not have the dimensions that it should", error);
    else if (type < 0 || !find_number(type, &view->type, &view->big))
        status = wrong(h5, name, "has no numbers that are read", error);
    else if (H5Sget_simple_extent_dims(space, sizes, NULL) < 0 || sizes[0] > INT64_MAX / 32 ||
             sizes[1] > INT64_MAX / 32 ||
             __builtin_mul_overflow((int64_t)sizes[0], (int64_t)sizes[1], &view->count))
        status = wrong(h5, name, "is too large", error);
    if (size && status == STATUS_OK) {
        size[0] = (int64_t)sizes[0];
        size[1] = (int64_t)sizes[1];
    }
    bool there = false;
    if (status == STATUS_OK) status = find_place(h5, dataset, view, &there, &view->offset, error);
    if (status == STATUS_OK && !there) status = unpack(h5, dataset, type, view, error);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    H5Dclose(dataset);
    return status == STATUS_OK ? view_check(view, error) : status;
}

enum status h5_text(hid_t object, const char *name, char **out, struct error *error)
{
    char *text = NULL;
    enum status status = STATUS_OK;
    *out = NULL;
    if (H5Aexists(object, name) <= 0) return STATUS_OK;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : H5I_INVALID_HID;
    if (type >= 0 && H5Tget_class(type) == H5T_STRING) {
        hid_t memory = H5Tcopy(H5T_C_S1);
        H5Tset_cset(memory, H5Tget_cset(type));
        if (H5Tis_variable_str(type) > 0) {
            char *read = NULL;
            H5Tset_size(memory, H5T_VARIABLE);
            if (H5Aread(attribute, memory, &read) >= 0 && read) {
                text = memory_string(read, error);
                if (!text) status = STATUS_MEMORY;
            }
            if (read) H5free_memory(read);
        } else if (H5Tget_size(type) < TEXT_MAX) {
            size_t bytes = H5Tget_size(type);
            H5Tset_size(memory, bytes + 1);
            text = memory_zeroed(bytes + 2, 1, error);
            if (!text) status = STATUS_MEMORY;
            if (text && H5Aread(attribute, memory, text) < 0) {
                free(text);
                text = NULL;
            }
        }
        H5Tclose(memory);
    }
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
    *out = text;
    return status;
}

bool h5_number(hid_t object, const char *name, int64_t *value)
{
    long long number = 0;
    if (H5Aexists(object, name) <= 0) return false;
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    hid_t space = H5Aget_space(attribute);
    bool good =
        H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, H5T_NATIVE_LLONG, &number) >= 0;
    H5Sclose(space);
    H5Aclose(attribute);
    *value = number;
    return good;
}

#endif
