#include "ranks/product/petsc.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/libraries.h"

/* The loaded library belongs to the process, and so does the result of the search. */
static struct petsc petsc;
static struct {
    bool looked, there;
    char version[64];
    struct error reason;
} found;

static const struct library_symbol wanted[] = {
    {"PetscInitialized", &petsc.initialized},
    {"PetscInitializeNoArguments", &petsc.initialize},
    {"PetscPopSignalHandler", &petsc.pop_signals},
    {"PetscPushErrorHandler", &petsc.push_errors},
    {"PetscReturnErrorHandler", &petsc.return_error},
    {"PetscGetVersion", &petsc.version},
    {"PetscDataTypeFromString", &petsc.type_of},
    {"PetscDataTypeGetSize", &petsc.size_of},
    {"MatCreateMPIAIJWithArrays", &petsc.mat_create},
    {"VecCreateMPIWithArray", &petsc.vec_create},
    {"MatMult", &petsc.mult},
    {"MatMultAdd", &petsc.mult_add},
    {"MatDestroy", &petsc.mat_destroy},
    {"VecDestroy", &petsc.vec_destroy},
    {0},
};

static const char *const files[] = {
    "libpetsc_real.so.3.18", "libpetsc_real.so.3.19",
    "libpetsc_real.so.3.20", "libpetsc_real.so.3.21",
    "libpetsc_real.so.3.22", "libpetsc_real.so.3.23",
    "libpetsc_real.so",      "libpetsc.so.3.18",
    "libpetsc.so",           NULL,
};
static const char *const folders[] = {NULL};
static const struct library_place place = {
    .title = "PETSc",
    .variable = "SPARSIGHT_PETSC",
    .files = files,
    .folders = folders,
    .install = "to install it: apt-get install libpetsc-real3.18",
};

/* PETSc's symbols stay local, so that they replace no others. With MPICH, its libraries must also keep the
 * MPI that they were linked with (RTLD_DEEPBIND): the C++ interface of an MPI, which some of them load, calls
 * that MPI during loading, before check_mpi can compare it with ours. With Open MPI they must use our MPI:
 * its handles are addresses of objects that the linker has put into the program. AddressSanitizer does not
 * support RTLD_DEEPBIND. */
#if defined RTLD_DEEPBIND && defined MPICH && !defined __SANITIZE_ADDRESS__
#    define FLAGS (RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND)
#else
#    define FLAGS (RTLD_LAZY | RTLD_LOCAL)
#endif

static enum status check_mpi(void *handle, struct error *error)
{
    if (dlsym(handle, "MPI_Barrier")) return library_check_mpi(&place, handle, error);
    return error_set(error, STATUS_UNAVAILABLE, "PETSc is built without MPI, and ranks need it with theirs");
}

static enum status failed(const char *what, int code, struct error *error)
{
    return error_set(error, STATUS_UNAVAILABLE, "PETSc fails at %s: error %d", what, code);
}

/* Check that PETSc's type of this name has this number of bytes. */
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

/* Start PETSc without its signal handlers, which would replace ours, and without its error handler, which
 * prints. */
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

/* Extract the number from "Petsc Release Version 3.18.5, Feb 28, 2023". */
static void note_version(void)
{
    char text[256] = "";
    if (petsc.version(text, sizeof text) != 0) return;
    const char *number = strpbrk(text, "0123456789");
    if (number) snprintf(found.version, sizeof found.version, "%.*s", (int)strcspn(number, ", "), number);
}

static enum status look(struct error *error)
{
    void *handle = library_file_open(&place, FLAGS, error);
    if (!handle) return STATUS_UNAVAILABLE;
    enum status status = check_mpi(handle, error);
    return status == STATUS_OK ? library_find(&place, handle, wanted, error) : status;
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
