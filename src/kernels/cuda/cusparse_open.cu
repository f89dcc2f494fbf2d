/* Opening cuSPARSE for a device on first use, and finding its usable functions. */
#include "kernels/cuda/cusparse.cuh"

extern "C" {
#include "kernels/cuda/cusparse.h"
#include "kernels/cuda/trisolve/spsv.h"
}

using namespace cusparse_api;

const char *cusparse_unavailable(void)
{
    const cusparse_library *library = cusparse_look();
    return library->reason[0] ? library->reason : nullptr;
}

const struct device_library *cusparse_found(void)
{
    const cusparse_library *library = cusparse_look();
    return library->reason[0] ? nullptr : &library->found;
}

const char *cusparse_op_unavailable(void)
{
    const cusparse_library *library = cusparse_look();
    if (library->reason[0]) return library->reason;
    return library->op_reason[0] ? library->op_reason : nullptr;
}

const char *cusparse_sell_unavailable(void)
{
    const char *reason = cusparse_unavailable();
    if (reason || cusparse_look()->functions.create_sell) return reason;
    return "this cuSPARSE has no sliced ELL: a later one of version 12 has";
}

const char *cusparse_bsr_unavailable(void)
{
    const char *reason = cusparse_unavailable();
    const cusparse_functions &api = cusparse_look()->functions;
    if (reason || api.create_bsr || (api.blocks_double && api.create_description)) return reason;
    return "this cuSPARSE has no BSR";
}

const char *cusparse_spsv_unavailable(void)
{
    const char *reason = cusparse_unavailable();
    if (reason || !cusparse_solve_lacks(cusparse_look())) return reason;
    return "this cuSPARSE has no triangular solves (cusparseSpSV)";
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
    const char *reason = cusparse_unavailable();
    cusparse->api = cusparse_look()->functions;
    enum status status =
        reason ? error_set(error, STATUS_UNAVAILABLE, "%s", reason)
               : cusparse_outcome(cusparse, "cusparseCreate", cusparse->api.create(&cusparse->handle), error);
    if (status == STATUS_OK) {
        context->cusparse = cusparse;
        return follow_queue(context, error);
    }
    free(cusparse);
    return status;
}

enum status follow_queue(cuda_context *context, struct error *error)
{
    struct cusparse *cusparse = context->cusparse;
    if (!cusparse) return STATUS_OK;
    return cusparse_outcome(cusparse, "cusparseSetStream",
                            cusparse->api.set_stream(cusparse->handle, context->stream), error);
}

void close_cusparse(cuda_context *context)
{
    if (context->cusparse) context->cusparse->api.destroy(context->cusparse->handle);
    free(context->cusparse);
    context->cusparse = nullptr;
}
