#include "config.h"
#ifdef HAVE_HDF5
#    include <stdatomic.h>
#    include <stdlib.h>
#    include <sys/mman.h>
#    include <unistd.h>

#    include "base/memory.h"
#    include "matrix/files/hdf5/unpack.h"

#    define SPILL_LEAST ((size_t)1 << 16) /* of datasets that are unpacked into a file on a disk, */
#    define SLAB_BYTES ((size_t)1 << 20)  /* in pieces of this size, unless a chunk is larger */

/* The library unpacks whole chunks, whose stated size may far exceed the dataset. */
static enum status check_chunk(const struct h5 *h5, hid_t dataset, hid_t type, size_t beside,
                               struct error *error)
{
    hsize_t sizes[H5S_MAX_RANK];
    hid_t list = hdf5.H5Dget_create_plist(dataset);
    int dimensions =
        hdf5.H5Pget_layout(list) == H5D_CHUNKED ? hdf5.H5Pget_chunk(list, H5S_MAX_RANK, sizes) : 0;
    size_t bytes = dimensions > 0 ? hdf5.H5Tget_size(type) : 0, all;
    hdf5.H5Pclose(list);
    for (int d = 0; d < dimensions; d++)
        size_multiply(bytes, (size_t)sizes[d], &bytes);
    size_add(bytes, beside, &all);
    return memory_check(all, h5->limit, "a chunk of an unpacked dataset", error);
}

/* Pieces begin at multiples of this, which is a multiple of every machine's pages. */
static int64_t rounded_up(int64_t bytes)
{
    const int64_t page = 65536;
    return (bytes + page - 1) / page * page;
}

/* Note a piece whose memory is mapped. Returns its memory; NULL if it could not be mapped. */
static void *note_piece(struct h5 *h5, void *memory, int64_t offset, size_t bytes, bool spilled,
                        struct error *error)
{
    struct h5_found *found = h5->found;
    if (memory == MAP_FAILED) {
        error_set(error, STATUS_MEMORY, "out of memory: no room for a dataset");
        return NULL;
    }
    found->piece[found->pieces++] = (struct h5_piece){memory, offset, bytes, spilled};
    return memory;
}

/* Append a piece to the shared file, and map it. */
static void *share(struct h5 *h5, size_t bytes, struct error *error)
{
    int64_t offset = h5->length;
    void *memory = MAP_FAILED;
    h5->length += rounded_up((int64_t)bytes);
    if (ftruncate(h5->shared, (off_t)h5->length) == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, h5->shared, (off_t)offset);
    return note_piece(h5, memory, offset, bytes, false, error);
}

static enum status unreadable(const struct h5 *h5, const struct view *view, struct error *error)
{
    return error_at(
        error, STATUS_INPUT, container_path(h5->container), 0, 0,
        "dataset %s cannot be read: it is damaged, needs more memory than the limit, or is packed "
        "in a way that HDF5 does not know here",
        view->name);
}

/* The lines of a dataset's first dimension that are read at a time: whole chunks. */
struct slabs {
    hid_t dataset, space, wanted;
    hsize_t size[2]; /* of the dataset */
    hsize_t step;    /* lines of a slab */
    size_t line;     /* bytes of a line in memory */
    int dimensions;
};

/* Choose the slabs. No chunk is in two slabs, since chunks are unpacked whole. */
static void choose_slabs(hid_t dataset, size_t width, struct slabs *slabs)
{
    hsize_t chunk[H5S_MAX_RANK] = {1};
    hid_t list = hdf5.H5Dget_create_plist(dataset);
    slabs->size[1] = 1;
    slabs->dimensions = hdf5.H5Sget_simple_extent_dims(slabs->space, slabs->size, NULL);
    if (hdf5.H5Pget_layout(list) == H5D_CHUNKED) hdf5.H5Pget_chunk(list, H5S_MAX_RANK, chunk);
    hdf5.H5Pclose(list);
    slabs->line = (size_t)slabs->size[1] * width;
    const hsize_t least = chunk[0] > 0 ? chunk[0] : 1, fit = SLAB_BYTES / (slabs->line + 1) / least * least;
    slabs->step = fit > least ? fit : least;
    if (slabs->step > slabs->size[0]) slabs->step = slabs->size[0];
}

/* Read the slabs one after the other, and append them to the file. */
static enum status spill_slabs(struct h5 *h5, const struct slabs *slabs, const struct view *view,
                               char *buffer, struct error *error)
{
    int64_t offset;
    enum status status = STATUS_OK;
    for (hsize_t first = 0; first < slabs->size[0] && status == STATUS_OK; first += slabs->step) {
        const hsize_t start[2] = {first, 0}, left = slabs->size[0] - first;
        const hsize_t count[2] = {left < slabs->step ? left : slabs->step, slabs->size[1]};
        hid_t memory = hdf5.H5Screate_simple(slabs->dimensions, count, NULL);
        bool read =
            memory >= 0 &&
            hdf5.H5Sselect_hyperslab(slabs->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
            hdf5.H5Dread(slabs->dataset, slabs->wanted, memory, slabs->space, H5P_DEFAULT, buffer) >= 0;
        if (memory >= 0) hdf5.H5Sclose(memory);
        status = read ? spill_write(&h5->spill, buffer, (size_t)count[0] * slabs->line, &offset, error)
                      : unreadable(h5, view, error);
        h5->found->steps++;
    }
    return status;
}

/* Unpack a dataset into the file on the disk, and map it. */
static enum status spill_dataset(struct h5 *h5, hid_t dataset, hid_t wanted, size_t bytes, struct view *view,
                                 struct error *error)
{
    struct slabs slabs = {.dataset = dataset, .space = hdf5.H5Dget_space(dataset), .wanted = wanted};
    choose_slabs(dataset, number_bytes(view->type), &slabs);
    const int64_t offset = rounded_up(atomic_load(&h5->spill.end));
    size_t room;
    size_multiply((size_t)slabs.step, slabs.line, &room);
    enum status status = memory_check(room, h5->limit, "a part of an unpacked dataset", error);
    char *buffer = status == STATUS_OK ? memory_array(room, 1, error) : NULL;
    if (status == STATUS_OK && !buffer) status = STATUS_MEMORY;
    atomic_store(&h5->spill.end, offset);
    if (status == STATUS_OK) status = spill_slabs(h5, &slabs, view, buffer, error);
    free(buffer);
    hdf5.H5Sclose(slabs.space);
    if (status != STATUS_OK) return status;
    view->memory = note_piece(h5, mmap(NULL, bytes, PROT_READ, MAP_SHARED, h5->spill.fd, (off_t)offset),
                              offset, bytes, true, error);
    return view->memory ? STATUS_OK : STATUS_MEMORY;
}

/* Unpack a dataset into memory that both processes share. */
static enum status share_dataset(struct h5 *h5, hid_t dataset, hid_t wanted, size_t bytes, struct view *view,
                                 struct error *error)
{
    void *memory = share(h5, bytes, error);
    if (!memory) return STATUS_MEMORY;
    view->memory = memory;
    return hdf5.H5Dread(dataset, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, memory) >= 0
               ? STATUS_OK
               : unreadable(h5, view, error);
}

/* Before a dataset is unpacked to the disk, refuse it if it has too few chunks for its elements: a small file
 * can declare more elements than a disk holds. The library fills elements without chunks with one value;
 * these may need no more bytes than the memory limit. */
static enum status check_chunks(const struct h5 *h5, hid_t dataset, const struct view *view, size_t bytes,
                                struct error *error)
{
#    if H5_VERSION_GE(1, 10, 5)
    hsize_t sizes[H5S_MAX_RANK], chunks = 0;
    size_t stored = number_bytes(view->type);
    hid_t list = hdf5.H5Dget_create_plist(dataset), space = hdf5.H5Dget_space(dataset);
    int dimensions =
        hdf5.H5Pget_layout(list) == H5D_CHUNKED ? hdf5.H5Pget_chunk(list, H5S_MAX_RANK, sizes) : 0;
    bool counted = dimensions > 0 && hdf5.H5Dget_num_chunks(dataset, space, &chunks) >= 0;
    hdf5.H5Sclose(space);
    hdf5.H5Pclose(list);
    if (!counted) return dimensions > 0 ? unreadable(h5, view, error) : STATUS_OK;
    for (int d = 0; d < dimensions; d++)
        size_multiply(stored, (size_t)sizes[d], &stored);
    size_multiply(stored, (size_t)chunks, &stored);
    if (stored < bytes && memory_check(bytes - stored, h5->limit, "", NULL) != STATUS_OK)
        return error_at(
            error, STATUS_INPUT, container_path(h5->container), 0, 0,
            "dataset %s declares %lld elements, but has chunks for only %lld; the file is damaged",
            view->name, (long long)view->count, (long long)(stored / number_bytes(view->type)));
#    endif
    return STATUS_OK;
}

enum status h5_unpack(struct h5 *h5, hid_t dataset, hid_t type, hid_t wanted, struct view *view,
                      struct error *error)
{
    size_t bytes, all;
    size_multiply((size_t)view->count, number_bytes(view->type), &bytes);
    size_add(bytes, (size_t)h5->length, &all);
    bool spills = h5->spill.fd >= 0 && bytes > SPILL_LEAST &&
                  (h5->always || memory_check(all, h5->limit, "", NULL) != STATUS_OK);
    if (!spills && memory_check(all, h5->limit, "an unpacked dataset", error) != STATUS_OK)
        return STATUS_LIMIT;
    if (check_chunk(h5, dataset, type, spills ? (size_t)h5->length : all, error) != STATUS_OK)
        return STATUS_LIMIT;
    enum status status = spills ? check_chunks(h5, dataset, view, bytes, error) : STATUS_OK;
    if (status != STATUS_OK) return status;
    return (spills ? spill_dataset : share_dataset)(h5, dataset, wanted, bytes, view, error);
}
#endif
