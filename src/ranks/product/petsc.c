#include "ranks/product/petsc.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What was found belongs to the process, as what is loaded does. */
static struct petsc petsc;
static struct {
    bool looked, there;
    char version[64];
    struct error reason;
} found;

static const struct {
    const char *name;
    size_t offset;
} wanted[] = {
    {"PetscInitialized", offsetof(struct petsc, initialized)},
    {"PetscInitializeNoArguments", offsetof(struct petsc, initialize)},
    {"PetscPopSignalHandler", offsetof(struct petsc, pop_signals)},
    {"PetscPushErrorHandler", offsetof(struct petsc, push_errors)},
    {"PetscReturnErrorHandler", offsetof(struct petsc, return_error)},
    {"PetscGetVersion", offsetof(struct petsc, version)},
    {"PetscDataTypeFromString", offsetof(struct petsc, type_of)},
    {"PetscDataTypeGetSize", offsetof(struct petsc, size_of)},
    {"MatCreateMPIAIJWithArrays", offsetof(struct petsc, mat_create)},
    {"VecCreateMPIWithArray", offsetof(struct petsc, vec_create)},
    {"MatMult", offsetof(struct petsc, mult)},
    {"MatMultAdd", offsetof(struct petsc, mult_add)},
    {"MatDestroy", offsetof(struct petsc, mat_destroy)},
    {"VecDestroy", offsetof(struct petsc, vec_destroy)},
};

static const char *const files[] = {
    "libpetsc_real.so.3.18", "libpetsc_real.so.3.19", "libpetsc_real.so.3.20",
    "libpetsc_real.so.3.21", "libpetsc_real.so.3.22", "libpetsc_real.so.3.23",
    "libpetsc_real.so",      "libpetsc.so.3.18",      "libpetsc.so",
};

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Its symbols stay its own: they must not take the place of others. Nor may those of MPICH take the place of
 * those that it was linked with: the C++ interface of an MPI, which some of PETSc's libraries bring along,
 * calls it while it is loaded, before anybody can look whether it is ours (check_mpi). With Open MPI ours
 * have to: its handles are addresses, of objects that the linker has put into the program. AddressSanitizer
 * does not have any of that. */
#if defined RTLD_DEEPBIND && defined MPICH && !defined __SANITIZE_ADDRESS__
#    define FLAGS (RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND)
#else
#    define FLAGS (RTLD_LAZY | RTLD_LOCAL)
#endif

/* Load the file that the variable names, or the first that is there. */
static void *open_file(struct error *error)
{
    const char *named = getenv("SPARSIGHT_PETSC");
    bool file = named && named[0] && !is_folder(named);
    if (file) {
        void *handle = dlopen(named, FLAGS);
        if (!handle)
            error_set(error, STATUS_UNAVAILABLE, "PETSc is not found: SPARSIGHT_PETSC says %.400s: %.400s",
                      named, dlerror());
        return handle;
    }
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s%s%s", named ? named : "", named && named[0] ? "/" : "", files[k]);
        void *handle = dlopen(path, FLAGS);
        if (handle) return handle;
    }
    error_set(
        error, STATUS_UNAVAILABLE,
        "PETSc is not found: no libpetsc_real.so is in a folder of LD_LIBRARY_PATH or among the system's "
        "libraries; to install it: apt-get install libpetsc-real3.18, or name the file in SPARSIGHT_PETSC");
    return NULL;
}

static const char *file_of(void *function)
{
    Dl_info info;
    return dladdr(function, &info) && info.dli_fname ? info.dli_fname : "another file";
}

/* The library that was built with another MPI than this program would call ours with the arguments of that.
 */
static enum status check_mpi(void *handle, struct error *error)
{
    void *theirs = dlsym(handle, "MPI_Barrier"), *ours = dlsym(RTLD_DEFAULT, "MPI_Barrier");
    if (theirs == ours) return STATUS_OK;
    return error_set(
        error, STATUS_UNAVAILABLE,
        "PETSc is built with another MPI (%.300s) than this program (%.300s): build one of them anew",
        theirs ? file_of(theirs) : "none", ours ? file_of(ours) : "none");
}

static enum status find_symbols(void *handle, struct error *error)
{
    for (size_t k = 0; k < sizeof wanted / sizeof wanted[0]; k++) {
        void *address = dlsym(handle, wanted[k].name);
        if (!address)
            return error_set(error, STATUS_UNAVAILABLE, "PETSc has no %s: it is too old, or not whole",
                             wanted[k].name);
        memcpy((char *)&petsc + wanted[k].offset, &address, sizeof address);
    }
    return STATUS_OK;
}

static enum status failed(const char *what, int code, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "PETSc fails at %s: error %d", what, code);
}

/* Check that the numbers of this name have so many bytes. */
static enum status check_numbers(const char *name, size_t bytes, struct error *error)
{
    int type = 0, known = 0;
    size_t size = 0;
    if (petsc.type_of(name, &type, &known) != 0 || !known || petsc.size_of(type, &size) != 0)
        return failed("PetscDataTypeGetSize", 0, error);
    if (size == bytes) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE,
                     "PETSc is built with a %s of %zu bytes, and is called with one of %zu", name, size,
                     bytes);
}

/* Start it. Its signal handlers would take the place of ours, and its error handler prints. */
static enum status start(struct error *error)
{
    int done = 0, code = petsc.initialized(&done);
    if (code == 0 && !done) code = petsc.initialize();
    if (code == 0 && !done) code = petsc.pop_signals();
    if (code == 0 && !done) code = petsc.push_errors(petsc.return_error, NULL);
    if (code != 0) return failed("PetscInitialize", code, error);
    enum status status = check_numbers("int", sizeof(int), error);
    return status == STATUS_OK ? check_numbers("scalar", sizeof(double), error) : status;
}

/* Keep the number of "Petsc Release Version 3.18.5, Feb 28, 2023". */
static void note_version(void)
{
    char text[256] = "";
    if (petsc.version(text, sizeof text) != 0) return;
    const char *number = strpbrk(text, "0123456789");
    if (number) snprintf(found.version, sizeof found.version, "%.*s", (int)strcspn(number, ", "), number);
}

static enum status look(struct error *error)
{
    void *handle = open_file(error);
    if (!handle) return STATUS_UNAVAILABLE;
    enum status status = check_mpi(handle, error);
    return status == STATUS_OK ? find_symbols(handle, error) : status;
}

const struct petsc *petsc_load(const struct ranks *ranks, struct error *error)
{
    if (!found.looked) {
        enum status status = ranks_agree(ranks, look(&found.reason), &found.reason);
        if (status == STATUS_OK) status = ranks_agree(ranks, start(&found.reason), &found.reason);
        found.there = status == STATUS_OK;
        if (found.there) note_version();
        found.looked = true;
    }
    if (!found.there) error_set(error, STATUS_UNAVAILABLE, "%s", found.reason.message);
    return found.there ? &petsc : NULL;
}

void petsc_version(char *version, size_t size)
{
    snprintf(version, size, "%s", found.version);
}
