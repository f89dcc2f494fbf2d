#include "config.h"
#ifdef HAVE_HDF5
#    include "base/libraries.h"
#    include "matrix/files/hdf5/library.h"

struct hdf5 hdf5;

/* Twice, since a name may be a macro. */
#    define TEXT(name) #    name
#    define SYMBOL(name) {TEXT(name), &hdf5.name},
static const struct library_symbol wanted[] = {
#    include "matrix/files/hdf5/library.def"
    {0},
};
#    undef SYMBOL

static const char *const files[] = {HDF5_FILE, NULL};
static const char *const folders[] = {HDF5_FOLDER, NULL};
static const struct library_place place = {
    .title = "HDF5",
    .variable = "SPARSIGHT_HDF5",
    .files = files,
    .folders = folders,
    .install = "to install it: apt-get install libhdf5-dev",
};

enum status hdf5_load(struct error *error)
{
    static struct library_once once = LIBRARY_ONCE;
    return library_need(&once, &place, wanted, error);
}

enum status hdf5_start(struct error *error)
{
    unsigned major = 0, minor = 0, release = 0;
    if (hdf5.H5open() >= 0 && hdf5.H5get_libversion(&major, &minor, &release) >= 0 &&
        major == H5_VERS_MAJOR && minor == H5_VERS_MINOR)
        return STATUS_OK;
    return error_set(
        error, STATUS_UNAVAILABLE,
        "HDF5 is of version %u.%u, and this program is built for %d.%d: name the file of that version in %s",
        major, minor, H5_VERS_MAJOR, H5_VERS_MINOR, place.variable);
}
#endif
