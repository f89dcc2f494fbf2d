/* NVIDIA's GPUs in products of several processes (kernels/gpu/exchange.h). NCCL is loaded when the program
 * runs; its functions are declared as in its documentation of version 2. */
#include <climits>
#include <cstring>
#include <dlfcn.h>

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/cuda.h"
#include "kernels/gpu/exchange.h"
}

/* NCCL */

struct nccl_id {
    char bytes[DEVICE_LINK_ID];
};

/* ncclConfig_t of version 2.17, which later ones accept; INT_MIN leaves a number to NCCL. */
struct nccl_config {
    size_t size;
    unsigned magic, version;
    int blocking, cluster, fewest_blocks, most_blocks;
    const char *network;
};

struct nccl {
    void *file;
    char reason[512]; /* why it is unavailable; "" if it is available */
    int (*get_id)(nccl_id *id);
    int (*init)(void **link, int count, nccl_id id, int rank);
    /* The same with a configuration; NULL before 2.17. */
    int (*init_config)(void **link, int count, nccl_id id, int rank, nccl_config *config);
    int (*get_version)(int *version);
    int (*destroy)(void *link);
    int (*abort)(void *link);
    int (*send)(const void *data, size_t count, int type, int peer, void *link, cudaStream_t stream);
    int (*receive)(void *data, size_t count, int type, int peer, void *link, cudaStream_t stream);
    int (*group_start)();
    int (*group_end)();
    const char *(*error_text)(int code);
};

enum { NCCL_BYTES = 0 }; /* ncclInt8 */

/* NCCL's kernels take multiprocessors from the product that runs meanwhile: 16 blocks and more, whatever is
 * sent. One block for each 256 KiB is enough to hide small messages behind it (measured:
 * data/measured/ranks-h200-2026-11-30.tsv); large ones keep NCCL's choice. */
#define BYTES_OF_BLOCK (256 << 10)
#define MOST_BYTES_LIMITED (1 << 20)

static nccl_config config_for(size_t bytes)
{
    nccl_config config = {sizeof config, 0xcafebeef, 21700, INT_MIN, INT_MIN, INT_MIN, INT_MIN, nullptr};
    if (bytes <= MOST_BYTES_LIMITED)
        config.most_blocks = static_cast<int>((bytes + BYTES_OF_BLOCK) / BYTES_OF_BLOCK);
    return config;
}

template <class Function> static bool symbol(struct nccl *nccl, const char *name, Function *function)
{
    void *address = dlsym(nccl->file, name);
    memcpy(function, &address, sizeof address);
    if (!address)
        snprintf(nccl->reason, sizeof nccl->reason, "NCCL has no %s: it is too old, or not whole", name);
    return address != nullptr;
}

static void load(struct nccl *nccl)
{
    const char *named = getenv("SPARSIGHT_NCCL");
    nccl->file = dlopen(named && named[0] ? named : "libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!nccl->file) {
        snprintf(nccl->reason, sizeof nccl->reason,
                 "NCCL is not found: no libnccl.so.2 is in a folder of LD_LIBRARY_PATH or among the system's "
                 "libraries; SPARSIGHT_NCCL can name the file");
        return;
    }
    symbol(nccl, "ncclGetUniqueId", &nccl->get_id) && symbol(nccl, "ncclCommInitRank", &nccl->init) &&
        symbol(nccl, "ncclCommDestroy", &nccl->destroy) && symbol(nccl, "ncclCommAbort", &nccl->abort) &&
        symbol(nccl, "ncclSend", &nccl->send) && symbol(nccl, "ncclRecv", &nccl->receive) &&
        symbol(nccl, "ncclGroupStart", &nccl->group_start) &&
        symbol(nccl, "ncclGroupEnd", &nccl->group_end) &&
        symbol(nccl, "ncclGetErrorString", &nccl->error_text) &&
        symbol(nccl, "ncclGetVersion", &nccl->get_version);
    int version = 0;
    void *address = dlsym(nccl->file, "ncclCommInitRankConfig");
    if (!nccl->reason[0] && nccl->get_version(&version) == 0 && version >= 21700)
        memcpy(&nccl->init_config, &address, sizeof address);
}

/* The loaded library belongs to the process, and so does the result of the search. */
static struct nccl *find_nccl()
{
    static struct nccl nccl;
    if (!nccl.file && !nccl.reason[0]) load(&nccl);
    return &nccl;
}

static const char *unlinked()
{
    const struct nccl *nccl = find_nccl();
    return nccl->reason[0] ? nccl->reason : nullptr;
}

static enum status linked(const char *what, int code, struct error *error)
{
    if (code == 0) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "NCCL fails at %s: %s", what, find_nccl()->error_text(code));
}

/* The second queue */

struct cuda_link {
    cudaStream_t stream; /* the second queue; the first one while kernels go into the second */
    cudaEvent_t forked, joined, mark[DEVICE_MARKS];
    void *nccl; /* the link; NULL: there is none */
};

static cuda_context *context_of(const struct device *device)
{
    return static_cast<cuda_context *>(device->state);
}

static struct cuda_link *link_of(const struct device *device)
{
    return context_of(device)->link;
}

static enum status outcome(struct device *device, const char *what, cudaError_t code, struct error *error)
{
    struct error reason = {};
    if (code == cudaSuccess) return STATUS_OK;
    enum status status = code == cudaErrorMemoryAllocation ? STATUS_MEMORY : STATUS_UNAVAILABLE;
    error_set(&reason, status, "%s: %s (%s)", what, cudaGetErrorString(code), cudaGetErrorName(code));
    cudaGetLastError();
    if (cudaDeviceSynchronize() != cudaSuccess) device_lose(device, &reason);
    return error_set(error, status, "%s", reason.message);
}

static enum status open_link(struct device *device, struct error *error)
{
    cuda_context *context = context_of(device);
    if (context->link) return STATUS_OK;
    context->link = static_cast<struct cuda_link *>(calloc(1, sizeof *context->link));
    if (!context->link) return error_set(error, STATUS_MEMORY, "out of memory: no room for a second queue");
    struct cuda_link *link = context->link;
    int least = 0, greatest = 0;
    cudaError_t code = cudaDeviceGetStreamPriorityRange(&least, &greatest);
    /* Its short kernels have priority over the long ones of the first queue, for which they would otherwise
     * wait. */
    if (code == cudaSuccess)
        code = cudaStreamCreateWithPriority(&link->stream, cudaStreamNonBlocking, greatest);
    if (code == cudaSuccess) code = cudaEventCreateWithFlags(&link->forked, cudaEventDisableTiming);
    if (code == cudaSuccess) code = cudaEventCreateWithFlags(&link->joined, cudaEventDisableTiming);
    for (int k = 0; k < DEVICE_MARKS && code == cudaSuccess; k++)
        code = cudaEventCreate(&link->mark[k]);
    return outcome(device, "making a second queue", code, error);
}

static void close_link(struct device *device)
{
    cuda_context *context = context_of(device);
    struct cuda_link *link = context->link;
    if (!link) return;
    if (link->nccl) {
        if (device->lost.status == STATUS_OK)
            find_nccl()->destroy(link->nccl);
        else
            find_nccl()->abort(link->nccl);
    }
    for (int k = 0; k < DEVICE_MARKS; k++)
        if (link->mark[k]) cudaEventDestroy(link->mark[k]);
    if (link->joined) cudaEventDestroy(link->joined);
    if (link->forked) cudaEventDestroy(link->forked);
    if (link->stream) cudaStreamDestroy(link->stream);
    cudaGetLastError();
    free(link);
    context->link = nullptr;
}

static enum status host_allocate(struct device *device, size_t bytes, void **data, struct error *error)
{
    return outcome(device, "page-locked memory of the host",
                   cudaHostAlloc(data, bytes ? bytes : 1, cudaHostAllocDefault), error);
}

static void host_release(struct device *device, void *data)
{
    if (data && cudaFreeHost(data) != cudaSuccess) cudaGetLastError();
}

static enum status fork_queue(struct device *device, struct error *error)
{
    struct cuda_link *link = link_of(device);
    cudaError_t code = cudaEventRecord(link->forked, context_of(device)->stream);
    if (code == cudaSuccess) code = cudaStreamWaitEvent(link->stream, link->forked, 0);
    return outcome(device, "ordering two queues", code, error);
}

static enum status join_queue(struct device *device, struct error *error)
{
    struct cuda_link *link = link_of(device);
    cudaError_t code = cudaEventRecord(link->joined, link->stream);
    if (code == cudaSuccess) code = cudaStreamWaitEvent(context_of(device)->stream, link->joined, 0);
    return outcome(device, "ordering two queues", code, error);
}

/* Packing and adding up: one thread for each number or word. */

#define LINK_THREADS 256

static unsigned blocks_of(int64_t threads)
{
    return static_cast<unsigned>((threads + LINK_THREADS - 1) / LINK_THREADS);
}

/* Words of 4 bytes, or of 8 if elements have an even number of words. */
template <class word>
__global__ void gather_words(const int32_t *__restrict__ which, int64_t count, int wide,
                             const word *__restrict__ from, word *__restrict__ to)
{
    int64_t place = thread_of_grid();
    if (place >= count * wide) return;
    int64_t k = wide == 1 ? place : place / wide;
    to[place] = from[static_cast<int64_t>(which[k]) * wide + (place - k * wide)];
}

static enum status gather(struct device *device, const int32_t *which, int64_t count, int wide,
                          const void *from, void *to, struct error *error)
{
    cudaStream_t stream = link_of(device)->stream;
    if (count == 0) return STATUS_OK;
    if (wide % 2 == 0)
        gather_words<<<blocks_of(count * (wide / 2)), LINK_THREADS, 0, stream>>>(
            which, count, wide / 2, static_cast<const uint64_t *>(from), static_cast<uint64_t *>(to));
    else
        gather_words<<<blocks_of(count * wide), LINK_THREADS, 0, stream>>>(
            which, count, wide, static_cast<const uint32_t *>(from), static_cast<uint32_t *>(to));
    return outcome(device, "packing what is sent", cudaPeekAtLastError(), error);
}

template <class real>
__global__ void add_rows(const int32_t *__restrict__ row, int64_t rows, int wide,
                         const real *__restrict__ sums, real *__restrict__ y)
{
    int64_t place = thread_of_grid();
    if (place >= rows * wide) return;
    int64_t r = wide == 1 ? place : place / wide;
    y[static_cast<int64_t>(row[r]) * wide + (place - r * wide)] += sums[place];
}

static enum status add(struct device *device, const int32_t *row, int64_t rows, int wide, bool single,
                       const void *sums, void *y, struct error *error)
{
    cudaStream_t stream = context_of(device)->stream;
    if (rows == 0) return STATUS_OK;
    if (single)
        add_rows<<<blocks_of(rows * wide), LINK_THREADS, 0, stream>>>(
            row, rows, wide, static_cast<const float *>(sums), static_cast<float *>(y));
    else
        add_rows<<<blocks_of(rows * wide), LINK_THREADS, 0, stream>>>(
            row, rows, wide, static_cast<const double *>(sums), static_cast<double *>(y));
    return outcome(device, "adding up what was received", cudaPeekAtLastError(), error);
}

static enum status fetch(struct device *device, void *host, const void *from, size_t bytes,
                         struct error *error)
{
    cudaStream_t stream = link_of(device)->stream;
    cudaError_t code = cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, stream);
    if (code == cudaSuccess) code = cudaStreamSynchronize(stream);
    return outcome(device, "copying what is sent", code, error);
}

static enum status deliver(struct device *device, void *to, const void *host, size_t bytes,
                           struct error *error)
{
    return outcome(device, "copying what was received",
                   cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, link_of(device)->stream), error);
}

/* Swap the two queues. */
static enum status turn(struct device *device, struct error *error)
{
    cuda_context *context = context_of(device);
    cudaStream_t other = context->link->stream;
    context->link->stream = context->stream;
    context->stream = other;
    return follow_queue(context, error);
}

/* A launch notes its own error, which is checked here as in the timing of products of one process. */
static enum status finish(struct device *device, struct error *error)
{
    cuda_context *context = context_of(device);
    cudaError_t code = context->error;
    context->error = cudaSuccess;
    if (code == cudaSuccess) code = cudaStreamSynchronize(context->stream);
    return outcome(device, context->failed ? context->failed : "a product", code, error);
}

static enum status put_mark(struct device *device, int mark, struct error *error)
{
    return outcome(device, "timing", cudaEventRecord(link_of(device)->mark[mark], context_of(device)->stream),
                   error);
}

static enum status between(struct device *device, int from, int to, double *seconds, struct error *error)
{
    struct cuda_link *link = link_of(device);
    float milliseconds = 0;
    cudaError_t code = cudaEventElapsedTime(&milliseconds, link->mark[from], link->mark[to]);
    *seconds = milliseconds * 1e-3;
    return outcome(device, "timing", code, error);
}

/* Links */

static enum status link_id(char id[DEVICE_LINK_ID], struct error *error)
{
    nccl_id made = {};
    enum status status = linked("ncclGetUniqueId", find_nccl()->get_id(&made), error);
    memcpy(id, made.bytes, DEVICE_LINK_ID);
    return status;
}

static enum status link_devices(struct device *device, const char id[DEVICE_LINK_ID], int count, int rank,
                                size_t bytes, struct error *error)
{
    nccl_id known;
    const struct nccl *nccl = find_nccl();
    struct cuda_link *link = link_of(device);
    if (link->nccl) return STATUS_OK;
    memcpy(known.bytes, id, DEVICE_LINK_ID);
    nccl_config config = config_for(bytes);
    int code = nccl->init_config ? nccl->init_config(&link->nccl, count, known, rank, &config)
                                 : nccl->init(&link->nccl, count, known, rank);
    return linked("ncclCommInitRank", code, error);
}

static enum status swap(struct device *device, const struct device_message *send, int sends, const void *sent,
                        const struct device_message *receive, int receives, void *received,
                        struct error *error)
{
    const struct nccl *nccl = find_nccl();
    struct cuda_link *link = link_of(device);
    if (sends + receives == 0) return STATUS_OK;
    int code = nccl->group_start();
    for (int k = 0; k < sends && code == 0; k++)
        code = nccl->send(static_cast<const char *>(sent) + send[k].place, send[k].bytes, NCCL_BYTES,
                          send[k].peer, link->nccl, link->stream);
    for (int k = 0; k < receives && code == 0; k++)
        code = nccl->receive(static_cast<char *>(received) + receive[k].place, receive[k].bytes, NCCL_BYTES,
                             receive[k].peer, link->nccl, link->stream);
    int ended = nccl->group_end();
    return linked("sending and receiving", code == 0 ? ended : code, error);
}

/* C++17 has no designated initialisers, so that the order is that of struct device_exchange. */
extern "C" const struct device_exchange cuda_exchange = {
    open_link, close_link, host_allocate, host_release, fork_queue,   gather,
    fetch,     deliver,    join_queue,    add,          turn,         finish,
    put_mark,  between,    unlinked,      link_id,      link_devices, swap,
};
