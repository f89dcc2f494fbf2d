/* Fuzz targets of profiles of GPUs and processors. */
#include "fuzz/targets.h"
#include "kernels/gpu/profile.h"
#include "kernels/timing/processor.h"

/* Profiles: one that is read is written, and read as the same. */
int fuzz_gpu(const uint8_t *data, size_t size)
{
    struct gpu gpu = {0}, again = {0};
    struct text text = {0};
    struct error error = {0};
    if (gpu_read((const char *)data, size, "a.gpu", &gpu, &error)) {
        if (!error.message[0]) fuzz_wrong("an error says nothing");
        return 0;
    }
    gpu_describe(&gpu, &text);
    if (gpu_read(text.data, text.length, "a.gpu", &again, &error))
        fuzz_wrong("described, but: %s", error.message);
    if (gpu.major != again.major || gpu.cache != again.cache || gpu.bandwidth != again.bandwidth ||
        gpu.memory != again.memory)
        fuzz_wrong("another GPU");
    text_free(&text);
    return 1;
}

int fuzz_processor(const uint8_t *data, size_t size)
{
    struct processor processor = {0}, again = {0};
    struct text text = {0};
    struct error error = {0};
    if (processor_read_profile((const char *)data, size, "a", &processor, &error)) {
        if (!error.message[0]) fuzz_wrong("an error says nothing");
        return 0;
    }
    processor_describe(&processor, &text);
    if (processor_read_profile(text.data, text.length, "a", &again, &error))
        fuzz_wrong("described, but: %s", error.message);
    text_free(&text);
    return 1;
}
