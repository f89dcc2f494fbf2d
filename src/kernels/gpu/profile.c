#include "kernels/gpu/profile.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/gpu/device.h"

#define KIB 1024

/* The facts common to all GPUs of a compute capability. The members are those of struct gpu, but shared
 * memory is in KiB. */
struct architecture {
    int major, minor;
    int warps, blocks, registers;
    int register_unit, thread_registers, warp_unit;
    int shared, shared_block, shared_reserved; /* KiB */
    int shared_unit;
    int granule;
    int l1; /* KiB */
    int l1_shared, partitions;
    int f64, f32; /* multiplications with additions a clock */
};

/* The table ascends by compute capability. GPUs of 2.x fetch lines of 128 bytes into L1; later ones read L2,
 * and fill L1, in sectors of 32 bytes. */
static const struct architecture architectures[] = {
    {2, 0, 48, 8, 32768, 64, 63, 2, 48, 48, 0, 128, 128, 16, 0, 1, 16, 32},
    {2, 1, 48, 8, 32768, 64, 63, 2, 48, 48, 0, 128, 128, 16, 0, 1, 4, 48},
    {3, 0, 64, 16, 65536, 256, 63, 4, 48, 48, 0, 256, 32, 0, 0, 1, 8, 192},
    {3, 5, 64, 16, 65536, 256, 255, 4, 48, 48, 0, 256, 32, 48, 0, 1, 64, 192},
    {5, 0, 64, 32, 65536, 256, 255, 4, 64, 48, 0, 256, 32, 24, 0, 1, 4, 128},
    {5, 2, 64, 32, 65536, 256, 255, 4, 96, 48, 0, 256, 32, 24, 0, 1, 4, 128},
    {6, 0, 64, 32, 65536, 256, 255, 2, 64, 48, 0, 256, 32, 24, 0, 1, 32, 64},
    {6, 1, 64, 32, 65536, 256, 255, 4, 96, 48, 0, 256, 32, 24, 0, 1, 4, 128},
    {7, 0, 64, 32, 65536, 256, 255, 4, 96, 96, 0, 256, 32, 128, 1, 1, 32, 64},
    {7, 5, 32, 16, 65536, 256, 255, 4, 64, 64, 0, 256, 32, 96, 1, 1, 2, 64},
    {8, 0, 64, 32, 65536, 256, 255, 4, 164, 163, 1, 128, 32, 192, 1, 2, 32, 64},
    {8, 6, 48, 16, 65536, 256, 255, 4, 100, 99, 1, 128, 32, 128, 1, 1, 2, 128},
    {8, 7, 48, 16, 65536, 256, 255, 4, 164, 163, 1, 128, 32, 192, 1, 1, 2, 128},
    {8, 9, 48, 24, 65536, 256, 255, 4, 100, 99, 1, 128, 32, 128, 1, 1, 2, 128},
    {9, 0, 64, 32, 65536, 256, 255, 4, 228, 227, 1, 128, 32, 256, 1, 2, 64, 128},
    {10, 0, 64, 32, 65536, 256, 255, 4, 228, 227, 1, 128, 32, 256, 1, 2, 64, 128},
    {10, 3, 64, 32, 65536, 256, 255, 4, 228, 227, 1, 128, 32, 256, 1, 2, 2, 128},
    {11, 0, 48, 24, 65536, 256, 255, 4, 228, 227, 1, 128, 32, 256, 1, 1, 2, 128},
    {12, 0, 48, 24, 65536, 256, 255, 4, 100, 99, 1, 128, 32, 128, 1, 1, 2, 128},
    {12, 1, 48, 24, 65536, 256, 255, 4, 100, 99, 1, 128, 32, 128, 1, 1, 2, 128},
};
#define ARCHITECTURES ((int)(sizeof architectures / sizeof *architectures))

/* Returns the facts of the GPU's compute capability, or of the nearest lower one. */
static const struct architecture *architecture_of(const struct gpu *gpu)
{
    const struct architecture *found = &architectures[0];
    for (int k = 1; k < ARCHITECTURES; k++) {
        const struct architecture *a = &architectures[k];
        if (a->major < gpu->major || (a->major == gpu->major && a->minor <= gpu->minor)) found = a;
    }
    return found;
}

double gpu_arithmetic(const struct gpu *gpu, int value_bytes)
{
    const struct architecture *found = architecture_of(gpu);
    return 1.5e9 * gpu->multiprocessors * (value_bytes == 8 ? found->f64 : found->f32);
}

bool gpu_limits(struct gpu *gpu)
{
    const struct architecture *found = architecture_of(gpu);
    gpu->warps = found->warps;
    gpu->blocks = found->blocks;
    gpu->registers = found->registers;
    gpu->register_unit = found->register_unit;
    gpu->thread_registers = found->thread_registers;
    gpu->warp_unit = found->warp_unit;
    gpu->shared = (size_t)found->shared * KIB;
    gpu->shared_block = (size_t)found->shared_block * KIB;
    gpu->shared_reserved = (size_t)found->shared_reserved * KIB;
    gpu->shared_unit = (size_t)found->shared_unit;
    gpu->granule = found->granule;
    gpu->l1 = (size_t)found->l1 * KIB;
    gpu->l1_shared = found->l1_shared;
    gpu->partitions = found->partitions;
    return found->major == gpu->major && found->minor == gpu->minor;
}

/* The pace of a GPU predicted from another, measured one. */
static struct gpu_pace scaled(const struct gpu *gpu, const struct gpu *like)
{
    const double multiprocessors = gpu->multiprocessors / (double)like->multiprocessors,
                 memory = gpu->bandwidth / like->bandwidth;
    struct gpu_pace pace = like->pace;
    pace.l1 *= multiprocessors;
    pace.l2 *= multiprocessors;
    pace.reductions *= multiprocessors;
    pace.read *= memory;
    pace.write *= memory;
    return pace;
}

static struct gpu_pace slower(const struct gpu_pace *a, const struct gpu_pace *b)
{
    return (struct gpu_pace){.launch = fmax(a->launch, b->launch),
                             .next = fmax(a->next, b->next),
                             .l1_latency = fmax(a->l1_latency, b->l1_latency),
                             .l2_latency = fmax(a->l2_latency, b->l2_latency),
                             .memory_latency = fmax(a->memory_latency, b->memory_latency),
                             .shared_latency = fmax(a->shared_latency, b->shared_latency),
                             .l1 = fmin(a->l1, b->l1),
                             .l2 = fmin(a->l2, b->l2),
                             .read = fmin(a->read, b->read),
                             .write = fmin(a->write, b->write),
                             .reductions = fmin(a->reductions, b->reductions),
                             .meeting = fmax(a->meeting, b->meeting)};
}

void gpu_pace_derive(struct gpu *gpu)
{
    bool any = false;
    for (const struct gpu_file *file = gpu_files; file->name; file++) {
        struct gpu like;
        if (gpu_read_measured(file->text, strlen(file->text), file->name, &like, NULL) != STATUS_OK ||
            !like.pace.measured)
            continue;
        const struct gpu_pace pace = scaled(gpu, &like);
        gpu->pace = any ? slower(&gpu->pace, &pace) : pace;
        any = true;
    }
    gpu->pace.measured = false;
    gpu->pace.derived = ~0U;
    gpu->pace.measured_on[0] = 0;
}

char *gpu_label(const struct gpu *gpu, char out[static GPU_LABEL])
{
    snprintf(out, GPU_LABEL, "%s%s", gpu->title, gpu->pace.measured ? "" : " (constants derived)");
    return out;
}

/* Returns the first word at or after `title`, and its length; NULL if there is no word left. */
static const char *next_word(const char *title, size_t *length)
{
    title += strspn(title, " ");
    *length = strcspn(title, " ");
    return *length ? title : NULL;
}

/* Make a GPU's name from its title: "rtx-4090" from "NVIDIA GeForce RTX 4090". It has all words of the title
 * except those that the vendor puts before every product. */
static void name_device(const char *title, char *name, size_t size)
{
    static const char *const common[] = {"nvidia", "geforce", "tesla"};
    size_t length, written = 0;
    name[0] = 0;
    for (const char *word = title; (word = next_word(word, &length)); word += length) {
        bool known = false;
        for (size_t k = 0; k < sizeof common / sizeof *common; k++) {
            known |= strlen(common[k]) == length;
            for (size_t c = 0; known && c < length; c++)
                known = tolower((unsigned char)word[c]) == common[k][c];
            if (known) break;
        }
        if (known) continue;
        if (written && written + 1 < size) name[written++] = '-';
        for (size_t c = 0; c < length && written + 1 < size; c++)
            name[written++] = (char)tolower((unsigned char)word[c]);
        name[written] = 0;
    }
    if (!written) snprintf(name, size, "device");
}

void gpu_of_device(const struct device_facts *facts, struct gpu *gpu)
{
    *gpu = (struct gpu){.major = facts->major,
                        .minor = facts->minor,
                        .multiprocessors = facts->multiprocessors,
                        .cache = facts->cache,
                        .memory = facts->memory,
                        .bandwidth = facts->bandwidth};
    snprintf(gpu->title, sizeof gpu->title, "%.*s", (int)sizeof gpu->title - 1, facts->name);
    snprintf(gpu->source, sizeof gpu->source, "the driver of this machine");
    name_device(gpu->title, gpu->name, sizeof gpu->name);
    gpu_limits(gpu);
    if (facts->shared) gpu->shared_block = facts->shared;
    if (gpu->shared < gpu->shared_block + gpu->shared_reserved)
        gpu->shared = gpu->shared_block + gpu->shared_reserved;
    gpu_pace_find(gpu);
}

void gpu_facts(const struct gpu *gpu, struct device_facts *facts)
{
    *facts = (struct device_facts){.memory = gpu->memory,
                                   .cache = gpu->cache,
                                   .shared = gpu->shared_block,
                                   .major = gpu->major,
                                   .minor = gpu->minor,
                                   .multiprocessors = gpu->multiprocessors,
                                   .bandwidth = gpu->bandwidth};
    snprintf(facts->name, sizeof facts->name, "%s", gpu->title);
}

void gpu_default(int device, struct gpu *gpu)
{
    for (int k = 0; device >= 0 && device_types[k]; k++) {
        const struct device_type *type = device_types[k];
        struct device_facts facts;
        if (type->check(NULL) != STATUS_OK || device >= type->count() ||
            type->describe(device, &facts, NULL) != STATUS_OK)
            continue;
        gpu_of_device(&facts, gpu);
        return;
    }
    if (gpu_find(GPU_STANDARD, gpu, NULL) == STATUS_OK) return;
    for (const struct gpu_file *file = gpu_files; file->name; file++)
        if (strcmp(file->name, GPU_STANDARD) == 0)
            gpu_read(file->text, strlen(file->text), GPU_STANDARD ".gpu", gpu, NULL);
}
