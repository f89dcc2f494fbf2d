#include "kernels/gpu/conversion.h"

#include "kernels/gpu/profile.h"

const struct conversion_work conversion_tables = {.reads = 1.5, .launches = 4, .waits = 0};

double conversion_seconds(const struct conversion_work *work, const struct gpu *gpu, double rows,
                          double csr_bytes, double bytes)
{
    const struct gpu_pace *pace = &gpu->pace;
    return (work->reads * csr_bytes + work->row_bytes * rows) / pace->read +
           work->writes * bytes / pace->write + CONVERSION_LAUNCH * work->launches +
           CONVERSION_WAIT * work->waits + CONVERSION_ENDS;
}
