/* Finding cuSPARSE when it is first wanted, and opening it for a device. */
#include "kernels/cuda/cusparse.cuh"

#include <dlfcn.h>

extern "C" {
#include "kernels/cuda/cusparse.h"
}

using namespace cusparse_api;

namespace
{

template <class function> bool find(void *file, const char *name, function *&found)
{
    found = reinterpret_cast<function *>(dlsym(file, name));
    return found != nullptr;
}

void find_optional(void *file, functions &api)
{
    find(file, "cusparseSpMV_preprocess", api.preprocess);
    find(file, "cusparseSpMM_preprocess", api.preprocess_vectors);
    find(file, "cusparseCreateSlicedEll", api.create_sell);
    find(file, "cusparseCreateBsr", api.create_bsr);
    find(file, "cusparseCreateMatDescr", api.create_description);
    find(file, "cusparseDestroyMatDescr", api.destroy_description);
    find(file, "cusparseSbsrmv", api.blocks_single);
    find(file, "cusparseDbsrmv", api.blocks_double);
    find(file, "cusparseCbsrmv", api.blocks_single_complex);
    find(file, "cusparseZbsrmv", api.blocks_double_complex);
}

/* Find all functions in the library file. Returns why it cannot be used; NULL if it can. */
const char *find_functions(void *file, functions &api)
{
    int version = 0;
    if (!find(file, "cusparseGetProperty", api.get_property) ||
        api.get_property(MAJOR_VERSION, &version) != SUCCESS || version < VERSION_MIN)
        return "cuSPARSE is too old: version 12 is needed, which comes with CUDA 12";
    bool all =
        find(file, "cusparseGetErrorString", api.error_string) &&
        find(file, "cusparseGetErrorName", api.error_name) && find(file, "cusparseCreate", api.create) &&
        find(file, "cusparseDestroy", api.destroy) && find(file, "cusparseSetStream", api.set_stream) &&
        find(file, "cusparseCreateDnVec", api.create_vector) &&
        find(file, "cusparseDestroyDnVec", api.destroy_vector) &&
        find(file, "cusparseDnVecSetValues", api.set_values) &&
        find(file, "cusparseCreateCsr", api.create_csr) && find(file, "cusparseCreateCoo", api.create_coo) &&
        find(file, "cusparseDestroySpMat", api.destroy_matrix) &&
        find(file, "cusparseSpMV_bufferSize", api.buffer_size) && find(file, "cusparseSpMV", api.multiply) &&
        find(file, "cusparseCreateDnMat", api.create_vectors) &&
        find(file, "cusparseDestroyDnMat", api.destroy_vectors) &&
        find(file, "cusparseDnMatSetValues", api.set_values_of_vectors) &&
        find(file, "cusparseSpMM_bufferSize", api.products_buffer_size) &&
        find(file, "cusparseSpMM", api.multiply_vectors);
    find_optional(file, api);
    return all ? nullptr : "cuSPARSE lacks functions that version 12 has: the library is not whole";
}

/* Load the library and find its functions. Returns why that failed; NULL if it did not. Once loaded the
 * library stays in memory (RTLD_NODELETE), so that loading it again costs nothing. */
const char *open_library(functions &api)
{
    static const char *const files[] = {
        "libcusparse.so.12",
        "libcusparse.so",
        "/usr/local/cuda/lib64/libcusparse.so.12",
        "/usr/local/cuda/lib64/libcusparse.so",
        "/usr/local/cuda/lib/libcusparse.so.12",
    };
    const char *reason =
        "cuSPARSE is not found: libcusparse.so.12 is neither in a folder of LD_LIBRARY_PATH, "
        "nor among the system's libraries, nor in /usr/local/cuda/lib64";
    for (const char *name : files) {
        void *file = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
        if (!file) continue;
        reason = find_functions(file, api);
        dlclose(file);
        if (!reason) break;
    }
    return reason;
}

} // namespace

const char *cusparse_unavailable(void)
{
    functions api = {};
    return open_library(api);
}

const char *cusparse_sell_unavailable(void)
{
    functions api = {};
    const char *reason = open_library(api);
    if (reason || api.create_sell) return reason;
    return "this cuSPARSE has no sliced ELL: a later one of version 12 has";
}

const char *cusparse_bsr_unavailable(void)
{
    functions api = {};
    const char *reason = open_library(api);
    if (reason || api.create_bsr || (api.blocks_double && api.create_description)) return reason;
    return "this cuSPARSE has no BSR";
}

enum status cusparse_outcome(const struct cusparse *cusparse, const char *what, int code, struct error *error)
{
    if (code == SUCCESS) return STATUS_OK;
    return error_set(error, code == ALLOC_FAILED ? STATUS_MEMORY : STATUS_UNAVAILABLE, "%s: %s (%s)", what,
                     cusparse->api.error_string(code), cusparse->api.error_name(code));
}

enum status open_cusparse(cuda_context *context, struct error *error)
{
    if (context->cusparse) return STATUS_OK;
    auto *cusparse = static_cast<struct cusparse *>(calloc(1, sizeof(struct cusparse)));
    if (!cusparse) return error_set(error, STATUS_MEMORY, "out of memory: no room for cuSPARSE's handle");
    const char *reason = open_library(cusparse->api);
    enum status status =
        reason ? error_set(error, STATUS_UNAVAILABLE, "%s", reason)
               : cusparse_outcome(cusparse, "cusparseCreate", cusparse->api.create(&cusparse->handle), error);
    if (status == STATUS_OK) {
        context->cusparse = cusparse;
        return cusparse_outcome(cusparse, "cusparseSetStream",
                                cusparse->api.set_stream(cusparse->handle, context->stream), error);
    }
    free(cusparse);
    return status;
}

void close_cusparse(cuda_context *context)
{
    if (context->cusparse) context->cusparse->api.destroy(context->cusparse->handle);
    free(context->cusparse);
    context->cusparse = nullptr;
}
