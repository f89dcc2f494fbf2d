/* COO on the device, in the order of rows. */
#include "kernels/cuda/convert/lines.cuh"

extern "C" {
#include "formats/coo.h"
}

struct put_row {
    int32_t *row;
    __device__ void operator()(int64_t e, int64_t i) const
    {
        row[e] = static_cast<int32_t>(i);
    }
};

void convert_coo(work *w)
{
    int64_t nnz = w->to->nnz;
    if (!w->scratch) return;
    put_row use = {to_array<int32_t>(w, COO_ROW)};
    by_offset(w->csr, [&](auto index) {
        put_runs(w, "put_row", csr_array<decltype(index)>(w, CSR_ROW_PTR), w->to->rows, nnz, use);
    });
    put_copy(w, to_array<int32_t>(w, COO_COL), csr_array<int32_t>(w, CSR_COL), nnz);
    by_word(w->csr, [&](auto value) {
        put_copy(w, to_array<decltype(value)>(w, COO_VAL), csr_array<decltype(value)>(w, CSR_VAL), nnz);
    });
}
