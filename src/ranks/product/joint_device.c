/* Products of devices: each rank's own rows on its own device. The device's second queue packs, sends and
 * receives elements, from device to device if they are linked, else through the host's memory. If the remote
 * part has sums of its own, the second queue multiplies it too. Meanwhile the first queue multiplies the own
 * elements, and then waits for the second one.
 *
 *     first queue    local part ....................................  wait  sums added to y
 *     second queue   pack  send and receive ....  remote part
 */
#include <stdlib.h>

#include "base/memory.h"
#include "kernels/gpu/exchange.h"
#include "ranks/product/joint.h"

/* The data of a joint on its device beside its storages. */
struct on_device {
    const struct device_exchange *calls;
    bool linked;                 /* elements go from device to device */
    int32_t *which;              /* the own elements that are sent */
    int32_t *row;                /* the rows of the remote part; NULL if it has all */
    void *sent, *halo;           /* as in struct exchange */
    void *sums;                  /* sums of the remote part, if it lacks some rows */
    void *host_sent, *host_halo; /* page-locked, of the host; NULL if linked */
    struct device_message *send, *receive;
    int sends, receives;
};

static struct on_device *of(const struct joint *joint)
{
    return joint->state;
}

static int columns_of(const struct joint *joint)
{
    return product_columns(joint->vectors->product);
}

/* True if there are several vectors, stored one after the other. */
static bool apart(const struct joint *joint)
{
    return columns_of(joint) > 1 && !joint->vectors->product.by_rows;
}

static size_t bytes_of(const struct joint *joint, int64_t elements)
{
    return (size_t)elements * (size_t)columns_of(joint) * joint_width(joint);
}

/* List a message's pieces: one, or one for each vector if they are received separately, `step` apart. */
static void note(const struct joint *joint, const struct message *message, size_t begin, size_t step,
                 struct device_message *list, int *count)
{
    size_t width = joint_width(joint) * (apart(joint) ? 1 : (size_t)columns_of(joint));
    for (int c = 0; c < (apart(joint) ? columns_of(joint) : 1); c++)
        list[(*count)++] = (struct device_message){.peer = message->rank,
                                                   .place = begin + (size_t)c * step,
                                                   .bytes = (size_t)message->count * width};
}

/* List the sends and receives of linked devices. */
static enum status list_messages(struct joint *joint, struct error *error)
{
    struct on_device *on = of(joint);
    const struct plan *plan = &joint->split->plan;
    size_t pieces = apart(joint) ? (size_t)columns_of(joint) : 1, width = joint_width(joint);
    on->send = memory_array((size_t)plan->receivers * pieces, sizeof *on->send, error);
    on->receive = memory_array((size_t)plan->senders * pieces, sizeof *on->receive, error);
    if (!on->send || !on->receive) return STATUS_MEMORY;
    for (int k = 0; k < plan->receivers; k++)
        note(joint, &plan->to[k], bytes_of(joint, plan->to[k].first), (size_t)plan->to[k].count * width,
             on->send, &on->sends);
    for (int k = 0; k < plan->senders; k++)
        note(joint, &plan->from[k],
             apart(joint) ? (size_t)plan->from[k].first * width : bytes_of(joint, plan->from[k].first),
             (size_t)plan->halo * width, on->receive, &on->receives);
    return STATUS_OK;
}

static enum status make_arrays(struct joint *joint, struct error *error)
{
    struct on_device *on = of(joint);
    const struct split *split = joint->split;
    const struct plan *plan = &split->plan;
    struct device *device = joint->device;
    struct error reason = {0};
    on->which =
        device_copy_of(device, plan->sent, (size_t)plan->sends * sizeof *plan->sent, "what is sent", &reason);
    if (on->which) on->sent = device_array(device, bytes_of(joint, plan->sends), 1, "what is sent", &reason);
    if (on->sent) on->halo = device_array(device, bytes_of(joint, plan->halo), 1, "the halo", &reason);
    if (on->halo && split->row) {
        on->row = device_copy_of(device, split->row, (size_t)split->remote.rows * sizeof *split->row,
                                 "rows of the halo", &reason);
        if (on->row)
            on->sums =
                device_array(device, bytes_of(joint, split->remote.rows), 1, "sums of the halo", &reason);
    }
    if (reason.status == STATUS_OK) return STATUS_OK;
    return error_set(error, reason.status, "%s", reason.message);
}

/* Elements that pass through the host are exchanged like those of processors, from and to page-locked
 * memory. */
static enum status open_host(struct joint *joint, struct error *error)
{
    struct on_device *on = of(joint);
    const struct split *split = joint->split;
    enum status status =
        on->calls->host_allocate(joint->device, bytes_of(joint, split->plan.sends), &on->host_sent, error);
    if (status == STATUS_OK)
        status =
            on->calls->host_allocate(joint->device, bytes_of(joint, split->plan.halo), &on->host_halo, error);
    if (status != STATUS_OK) return status;
    return exchange_open(split->ranks, &split->plan, joint->vectors->product, joint_width(joint), 1,
                         on->host_halo, on->host_sent, &joint->exchange, error);
}

static enum status prepare(struct joint *joint, struct error *error)
{
    struct on_device *on = memory_zeroed(1, sizeof *on, error);
    if (!on) return STATUS_MEMORY;
    joint->state = on;
    on->calls = joint->device->type->exchange;
    if (!on->calls)
        return error_set(error, STATUS_UNAVAILABLE,
                         "devices of this type exchange nothing with other processes");
    on->linked = joint->linked;
    enum status status = on->calls->open(joint->device, error);
    if (status == STATUS_OK) status = make_arrays(joint, error);
    if (status != STATUS_OK) return status;
    return on->linked ? list_messages(joint, error) : open_host(joint, error);
}

/* Pack the elements to send in the second queue: all at once, or vector by vector for each message if vectors
 * are stored one after the other. */
static enum status pack(struct joint *joint, struct error *error)
{
    struct on_device *on = of(joint);
    const struct plan *plan = &joint->split->plan;
    const struct operands *vectors = joint->vectors;
    size_t width = joint_width(joint);
    int words = (int)(width / 4);
    enum status status = STATUS_OK;
    if (!apart(joint))
        return on->calls->gather(joint->device, on->which, plan->sends, words * columns_of(joint),
                                 vectors->placed.x, on->sent, error);
    for (int k = 0; k < plan->receivers; k++)
        for (int c = 0; c < columns_of(joint) && status == STATUS_OK; c++) {
            const struct message *message = &plan->to[k];
            status =
                on->calls->gather(joint->device, on->which + message->first, message->count, words,
                                  (const char *)vectors->placed.x + (size_t)c * (size_t)vectors->cols * width,
                                  (char *)on->sent + bytes_of(joint, message->first) +
                                      (size_t)c * (size_t)message->count * width,
                                  error);
        }
    return status;
}

static enum status send(struct joint *joint, struct error *error)
{
    struct on_device *on = of(joint);
    enum status status = on->calls->fork(joint->device, error);
    if (status == STATUS_OK) status = pack(joint, error);
    if (status == STATUS_OK && on->linked)
        status = on->calls->swap(joint->device, on->send, on->sends, on->sent, on->receive, on->receives,
                                 on->halo, error);
    return status;
}

/* Exchange elements through the host's memory. Even after a failure on this rank its messages are sent, so
 * that no other rank waits for them. */
static enum status pass_host(struct joint *joint, struct error *error)
{
    struct on_device *on = of(joint);
    const struct plan *plan = &joint->split->plan;
    enum status status = STATUS_OK;
    if (on->linked) return STATUS_OK;
    if (plan->sends)
        status =
            on->calls->fetch(joint->device, on->host_sent, on->sent, bytes_of(joint, plan->sends), error);
    exchange_begin(&joint->exchange);
    exchange_end(&joint->exchange);
    if (status != STATUS_OK || plan->halo == 0) return status;
    return on->calls->deliver(joint->device, on->halo, on->host_halo, bytes_of(joint, plan->halo), error);
}

static void multiply(struct launch *launch, const void *x, const void *host_x, void *y)
{
    launch->x = x;
    launch->host_x = host_x;
    launch->y = y;
    launch->kernel->run(launch);
}

/* Multiply the halo: behind its receipt in the second queue if it has sums of its own, else in the first one,
 * which has waited for it, since the sums are added to those of the local part. */
static enum status multiply_halo(struct joint *joint, bool second, struct error *error)
{
    struct on_device *on = of(joint);
    if (!joint_reaches(joint) || second != (on->sums != NULL)) return STATUS_OK;
    enum status status = second ? on->calls->turn(joint->device, error) : STATUS_OK;
    if (status == STATUS_OK)
        multiply(&joint->remote, on->halo, on->host_halo, second ? on->sums : joint->vectors->placed.y);
    struct error reason = {0};
    enum status back = second ? on->calls->turn(joint->device, &reason) : STATUS_OK;
    return status == STATUS_OK && back != STATUS_OK ? error_set(error, back, "%s", reason.message) : status;
}

/* Add the sums of the remote part to their rows of y. */
static enum status add_sums(struct joint *joint, struct error *error)
{
    struct on_device *on = of(joint);
    const struct operands *vectors = joint->vectors;
    const struct product product = vectors->product;
    int numbers = (vectors->complex ? 2 : 1) * (product.by_rows ? columns_of(joint) : 1);
    int64_t rows = joint->split->remote.rows;
    size_t number = vectors->precision == PRECISION_F32 ? 4 : 8;
    enum status status = STATUS_OK;
    if (!joint_reaches(joint) || !on->sums) return STATUS_OK;
    for (int c = 0; c < (apart(joint) ? columns_of(joint) : 1) && status == STATUS_OK; c++)
        status =
            on->calls->add(joint->device, on->row, rows, numbers, vectors->precision == PRECISION_F32,
                           (const char *)on->sums + (size_t)(c * rows * numbers) * number,
                           (char *)vectors->placed.y + (size_t)(c * vectors->rows * numbers) * number, error);
    return status;
}

/* Marks of a product in the first queue. */
enum { MARK_BEGIN, MARK_SENT, MARK_LOCAL, MARK_THERE, MARK_END };

static void mark(struct joint *joint, bool marked, int which)
{
    if (marked) of(joint)->calls->mark(joint->device, which, NULL);
}

static enum status run_one(struct joint *joint, bool marked, struct error *error)
{
    struct on_device *on = of(joint);
    const struct operands *vectors = joint->vectors;
    bool exchanged = joint->split->plan.sends + joint->split->plan.halo > 0;
    mark(joint, marked, MARK_BEGIN);
    enum status status = exchanged ? send(joint, error) : STATUS_OK;
    mark(joint, marked, MARK_SENT);
    multiply(&joint->local, vectors->placed.x, vectors->x, vectors->placed.y);
    mark(joint, marked, MARK_LOCAL);
    if (exchanged) {
        struct error reason = {0};
        enum status passed = pass_host(joint, &reason);
        if (status == STATUS_OK && passed != STATUS_OK)
            status = error_set(error, passed, "%s", reason.message);
    }
    if (status == STATUS_OK && exchanged) status = multiply_halo(joint, true, error);
    if (status == STATUS_OK && exchanged) status = on->calls->join(joint->device, error);
    mark(joint, marked, MARK_THERE);
    if (status == STATUS_OK) status = multiply_halo(joint, false, error);
    if (status == STATUS_OK) status = add_sums(joint, error);
    mark(joint, marked, MARK_END);
    return status;
}

static enum status add_phases(struct joint *joint, struct phases *phases, struct error *error)
{
    struct on_device *on = of(joint);
    double seconds[MARK_END] = {0};
    enum status status = STATUS_OK;
    for (int k = 0; k < MARK_END && status == STATUS_OK; k++)
        status = on->calls->between(joint->device, k, k + 1, &seconds[k], error);
    phases->exchange += seconds[MARK_BEGIN];
    phases->compute += seconds[MARK_SENT] + seconds[MARK_THERE];
    phases->wait += seconds[MARK_LOCAL];
    return status;
}

/* With phases the host waits for each product, since its marks are reused. */
static enum status run(struct joint *joint, int products, struct phases *phases, struct error *error)
{
    struct on_device *on = of(joint);
    enum status status = STATUS_OK;
    for (int p = 0; p < products; p++) {
        struct error reason = {0};
        enum status now = run_one(joint, phases != NULL, &reason);
        if (phases && now == STATUS_OK) now = on->calls->finish(joint->device, &reason);
        if (phases && now == STATUS_OK) now = add_phases(joint, phases, &reason);
        if (status == STATUS_OK && now != STATUS_OK) status = error_set(error, now, "%s", reason.message);
    }
    return status == STATUS_OK ? on->calls->finish(joint->device, error) : status;
}

static void release(struct joint *joint)
{
    struct on_device *on = of(joint);
    exchange_close(&joint->exchange);
    if (!on) return;
    device_release(joint->device, on->which);
    device_release(joint->device, on->row);
    device_release(joint->device, on->sent);
    device_release(joint->device, on->halo);
    device_release(joint->device, on->sums);
    if (on->calls && on->host_sent) on->calls->host_release(joint->device, on->host_sent);
    if (on->calls && on->host_halo) on->calls->host_release(joint->device, on->host_halo);
    free(on->send);
    free(on->receive);
    free(on);
    joint->state = NULL;
}

const struct joint_way joint_on_device = {.prepare = prepare, .run = run, .release = release};
