#include "matrix/files/archive_library.h"

#include "base/libraries.h"
#include "config.h"

struct libarchive libarchive;

#define SYMBOL(name) {#name, &libarchive.name},
static const struct library_symbol wanted[] = {
#include "matrix/files/archive.def"
    {0},
};
#undef SYMBOL

static const char *const files[] = {LIBARCHIVE_FILE, NULL};
static const char *const folders[] = {LIBARCHIVE_FOLDER, NULL};
static const struct library_place place = {
    .title = "libarchive",
    .variable = "SPARSIGHT_LIBARCHIVE",
    .files = files,
    .folders = folders,
    .install = "to install it: apt-get install libarchive13",
};

enum status libarchive_load(struct error *error)
{
    static struct library_once once = LIBRARY_ONCE;
    return library_need(&once, &place, wanted, error);
}
