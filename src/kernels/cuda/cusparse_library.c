#include "kernels/cuda/cusparse_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/libraries.h"

#define VERSION_MIN 12 /* major */
/* SpMVOp came with 12.7, but its functions take an algorithm only from 12.8 on, according to NVIDIA's headers
 * of 12.7.10 and 12.8.1. The types declared here are those of 12.8. */
#define OP_MINOR_MIN 8
enum { MAJOR_VERSION = 0, MINOR_VERSION = 1, PATCH_LEVEL = 2 };

static const char *const files[] = {"libcusparse.so.12", "libcusparse.so", NULL};
static const char *const folders[] = {"/usr/local/cuda/lib64", "/usr/local/cuda/lib", NULL};
static const struct library_place place = {
    .title = "cuSPARSE",
    .variable = "SPARSIGHT_CUSPARSE",
    .files = files,
    .folders = folders,
    .install = "it comes with CUDA 12 and later, and by pip install nvidia-cusparse",
};

/* Whether all usable releases have a function, or only those with triangular solves or SpMVOp. */
enum need { NEEDED, OPTIONAL, OF_SOLVE, OF_OP };

#define WANTED(field, name, need)                                \
    {                                                            \
        name, offsetof(struct cusparse_functions, field), (need) \
    }
static const struct {
    const char *name;
    size_t offset;
    enum need need;
} wanted[] = {
    WANTED(error_string, "cusparseGetErrorString", NEEDED),
    WANTED(error_name, "cusparseGetErrorName", NEEDED),
    WANTED(create, "cusparseCreate", NEEDED),
    WANTED(destroy, "cusparseDestroy", NEEDED),
    WANTED(set_stream, "cusparseSetStream", NEEDED),
    WANTED(create_vector, "cusparseCreateDnVec", NEEDED),
    WANTED(destroy_vector, "cusparseDestroyDnVec", NEEDED),
    WANTED(set_values, "cusparseDnVecSetValues", NEEDED),
    WANTED(create_csr, "cusparseCreateCsr", NEEDED),
    WANTED(create_coo, "cusparseCreateCoo", NEEDED),
    WANTED(destroy_matrix, "cusparseDestroySpMat", NEEDED),
    WANTED(create_vectors, "cusparseCreateDnMat", NEEDED),
    WANTED(destroy_vectors, "cusparseDestroyDnMat", NEEDED),
    WANTED(set_values_of_vectors, "cusparseDnMatSetValues", NEEDED),
    WANTED(products_buffer_size, "cusparseSpMM_bufferSize", NEEDED),
    WANTED(multiply_vectors, "cusparseSpMM", NEEDED),
    WANTED(buffer_size, "cusparseSpMV_bufferSize", NEEDED),
    WANTED(multiply, "cusparseSpMV", NEEDED),
    WANTED(preprocess, "cusparseSpMV_preprocess", OPTIONAL),
    WANTED(preprocess_vectors, "cusparseSpMM_preprocess", OPTIONAL),
    WANTED(create_sell, "cusparseCreateSlicedEll", OPTIONAL),
    WANTED(create_bsr, "cusparseCreateBsr", OPTIONAL),
    WANTED(create_description, "cusparseCreateMatDescr", OPTIONAL),
    WANTED(destroy_description, "cusparseDestroyMatDescr", OPTIONAL),
    WANTED(blocks_single, "cusparseSbsrmv", OPTIONAL),
    WANTED(blocks_double, "cusparseDbsrmv", OPTIONAL),
    WANTED(blocks_single_complex, "cusparseCbsrmv", OPTIONAL),
    WANTED(blocks_double_complex, "cusparseZbsrmv", OPTIONAL),
    WANTED(set_attribute, "cusparseSpMatSetAttribute", OF_SOLVE),
    WANTED(create_solve, "cusparseSpSV_createDescr", OF_SOLVE),
    WANTED(destroy_solve, "cusparseSpSV_destroyDescr", OF_SOLVE),
    WANTED(solve_buffer_size, "cusparseSpSV_bufferSize", OF_SOLVE),
    WANTED(solve_analysis, "cusparseSpSV_analysis", OF_SOLVE),
    WANTED(solve, "cusparseSpSV_solve", OF_SOLVE),
    WANTED(op_buffer_size, "cusparseSpMVOp_bufferSize", OF_OP),
    WANTED(op_create, "cusparseSpMVOp_createDescr", OF_OP),
    WANTED(op_destroy, "cusparseSpMVOp_destroyDescr", OF_OP),
    WANTED(op_plan, "cusparseSpMVOp_createPlan", OF_OP),
    WANTED(op_destroy_plan, "cusparseSpMVOp_destroyPlan", OF_OP),
    WANTED(op_multiply, "cusparseSpMVOp", OF_OP),
};
#define ALL (sizeof wanted / sizeof *wanted)

/* Find a function in the file; false if it is missing. */
static bool find(struct cusparse_library *library, void *file, const char *name, size_t offset)
{
    void *address = dlsym(file, name);
    memcpy((char *)&library->functions + offset, &address, sizeof address);
    return address != NULL;
}

static void forget_op(struct cusparse_library *library)
{
    for (size_t k = 0; k < ALL; k++)
        if (wanted[k].need == OF_OP)
            memset((char *)&library->functions + wanted[k].offset, 0, sizeof(void *));
}

static void find_functions(struct cusparse_library *library, void *file)
{
    for (size_t k = 0; k < ALL; k++) {
        if (find(library, file, wanted[k].name, wanted[k].offset)) continue;
        if (wanted[k].need == NEEDED && !library->reason[0])
            snprintf(library->reason, sizeof library->reason,
                     "cuSPARSE lacks %s, which version 12 has: the library is not whole", wanted[k].name);
        if (wanted[k].need == OF_OP && !library->op_reason[0])
            snprintf(library->op_reason, sizeof library->op_reason,
                     "this cuSPARSE, %s, has no %s: SpMVOp comes with CUDA 13.3, cuSPARSE 12.8",
                     library->found.version, wanted[k].name);
    }
}

/* Get the version; false if it is too old. */
static bool find_version(struct cusparse_library *library, void *file, int *minor)
{
    int major = 0, patch = 0;
    if (!find(library, file, "cusparseGetProperty", offsetof(struct cusparse_functions, get_property)) ||
        library->functions.get_property(MAJOR_VERSION, &major) != 0 || major < VERSION_MIN) {
        snprintf(library->reason, sizeof library->reason,
                 "cuSPARSE is too old: version 12 is needed, which comes with CUDA 12");
        return false;
    }
    library->functions.get_property(MINOR_VERSION, minor);
    library->functions.get_property(PATCH_LEVEL, &patch);
    snprintf(library->found.version, sizeof library->found.version, "%d.%d.%d", major, *minor, patch);
    if (major > VERSION_MIN) *minor = OP_MINOR_MIN;
    return true;
}

/* Use the functions of the library in this file. */
static void take(struct cusparse_library *library, void *file)
{
    int minor = 0;
    library->reason[0] = library->op_reason[0] = 0;
    if (!find_version(library, file, &minor)) return;
    find_functions(library, file);
    library_file_path(file, library->found.path, sizeof library->found.path);
    if (library->op_reason[0] || minor >= OP_MINOR_MIN) return;
    forget_op(library);
    snprintf(library->op_reason, sizeof library->op_reason,
             "the experimental SpMVOp of this cuSPARSE, %s, takes other arguments: version 12.8 is needed, "
             "which comes with CUDA 13.3",
             library->found.version);
}

static void look(struct cusparse_library *library)
{
    struct library_names names;
    bool there = false;
    library_names_list(&place, library->named, &names);
    for (int k = 0; k < names.count && (!there || library->reason[0]); k++) {
        void *file = dlopen(names.name[k], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        const char *why = file ? NULL : dlerror();
        if (file) {
            take(library, file);
            dlclose(file);
            there = true;
        } else if (library->named[0] && why && !strstr(why, "No such file")) {
            snprintf(library->reason, sizeof library->reason, "cuSPARSE cannot be loaded: %.900s", why);
            there = true;
        }
    }
    if (!there) library_names_explain(&place, library->named, library->reason, sizeof library->reason);
    if (library->reason[0]) library->found.version[0] = library->found.path[0] = 0;
}

const struct cusparse_library *cusparse_look(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct cusparse_library library;
    static bool looked;
    const char *named = getenv(place.variable);
    pthread_mutex_lock(&lock);
    if (!looked || strncmp(library.named, named ? named : "", sizeof library.named - 1) != 0) {
        library = (struct cusparse_library){.found.title = place.title};
        snprintf(library.named, sizeof library.named, "%s", named ? named : "");
        look(&library);
        looked = true;
    }
    pthread_mutex_unlock(&lock);
    return &library;
}

const char *cusparse_solve_lacks(const struct cusparse_library *library)
{
    for (size_t k = 0; k < ALL; k++) {
        void *address;
        memcpy(&address, (const char *)&library->functions + wanted[k].offset, sizeof address);
        if (wanted[k].need == OF_SOLVE && !address) return wanted[k].name;
    }
    return NULL;
}

const char *cusparse_compiler_missing(const struct cusparse_library *library)
{
    char beside[sizeof library->found.path + sizeof CUSPARSE_COMPILER];
    const char *slash = strrchr(library->found.path, '/');
    snprintf(beside, sizeof beside, "%.*s" CUSPARSE_COMPILER,
             slash ? (int)(slash + 1 - library->found.path) : 0, library->found.path);
    void *file = dlopen(CUSPARSE_COMPILER, RTLD_LAZY | RTLD_LOCAL);
    if (!file) file = dlopen(beside, RTLD_LAZY | RTLD_LOCAL);
    if (!file)
        return CUSPARSE_COMPILER ", by which SpMVOp compiles, is neither in a folder of LD_LIBRARY_PATH, nor "
                                 "among the system's libraries, nor beside cuSPARSE";
    dlclose(file);
    return NULL;
}
