#include "ranks/product/exchange.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

enum { TAG_HALO = 7 };

/* The bytes of one element of all vectors. */
static size_t width_of(const struct exchange *exchange)
{
    return exchange->size * (size_t)product_columns(exchange->product);
}

/* True if there are several vectors, stored one after the other. */
static bool apart(const struct exchange *exchange)
{
    return product_columns(exchange->product) > 1 && !exchange->product.by_rows;
}

/* The MPI type of a contiguous message's elements, of this width; the message has `count` of them. */
static MPI_Datatype whole_type(size_t width)
{
    MPI_Datatype type;
    MPI_Type_contiguous((int)width, MPI_BYTE, &type);
    return type;
}

/* The MPI type of a message into several vectors, whose distance is the length of the halo; the message is
 * one element of it. */
static MPI_Datatype spaced_type(const struct exchange *exchange, int64_t count)
{
    MPI_Datatype element = whole_type(exchange->size), run, type;
    MPI_Type_contiguous((int)count, element, &run);
    MPI_Type_create_hvector(product_columns(exchange->product), 1,
                            (MPI_Aint)exchange->plan->halo * (MPI_Aint)exchange->size, run, &type);
    MPI_Type_free(&run);
    MPI_Type_free(&element);
    return type;
}

static void set_up_receive(const struct ranks *ranks, const struct exchange *exchange,
                           const struct message *message, char *halo, MPI_Request *request)
{
    size_t step = apart(exchange) ? exchange->size : width_of(exchange);
    MPI_Datatype type = apart(exchange) ? spaced_type(exchange, message->count) : whole_type(step);
    MPI_Type_commit(&type);
    MPI_Recv_init(halo + (size_t)message->first * step, apart(exchange) ? 1 : (int)message->count, type,
                  message->rank, TAG_HALO, ranks->all, request);
    MPI_Type_free(&type); /* MPI keeps the type as long as the request exists */
}

static void set_up_send(const struct ranks *ranks, const struct exchange *exchange,
                        const struct message *message, MPI_Request *request)
{
    MPI_Datatype type = whole_type(width_of(exchange));
    MPI_Type_commit(&type);
    MPI_Send_init(exchange->sent + (size_t)message->first * width_of(exchange), (int)message->count, type,
                  message->rank, TAG_HALO, ranks->all, request);
    MPI_Type_free(&type);
}

enum status exchange_open(const struct ranks *ranks, const struct plan *plan, struct product product,
                          size_t size, int threads, void *halo, void *sent, struct exchange *exchange,
                          struct error *error)
{
    *exchange = (struct exchange){
        .plan = plan, .product = product, .size = size, .threads = threads, .sent = sent, .own = !sent};
    if (!sent) exchange->sent = memory_array((size_t)plan->sends, width_of(exchange), error);
    exchange->request =
        memory_array((size_t)plan->senders + (size_t)plan->receivers, sizeof *exchange->request, error);
    if (!exchange->sent || !exchange->request) {
        exchange_close(exchange);
        return STATUS_MEMORY;
    }
    for (int k = 0; k < plan->senders; k++)
        set_up_receive(ranks, exchange, &plan->from[k], halo, &exchange->request[exchange->requests++]);
    for (int k = 0; k < plan->receivers; k++)
        set_up_send(ranks, exchange, &plan->to[k], &exchange->request[exchange->requests++]);
    return STATUS_OK;
}

/* Gather the elements which[begin .. end-1] of a vector. */
static void gather_run(size_t size, const int32_t *which, int64_t begin, int64_t end, const char *x,
                       char *out)
{
    if (size == 4)
        for (int64_t k = begin; k < end; k++)
            memcpy(out + 4 * k, x + 4 * (int64_t)which[k], 4);
    else if (size == 8)
        for (int64_t k = begin; k < end; k++)
            memcpy(out + 8 * k, x + 8 * (int64_t)which[k], 8);
    else
        for (int64_t k = begin; k < end; k++)
            memcpy(out + 16 * k, x + 16 * (int64_t)which[k], 16);
}

/* Pack a message of one vector, or of the vector that begins at x, to `out`. */
static void pack_vector(const struct exchange *exchange, const struct message *message, const char *x,
                        char *out)
{
    const int32_t *which = exchange->plan->sent + message->first;
    int threads = message->count > PARALLEL_MIN ? exchange->threads : 1;
    if (threads == 1) {
        gather_run(exchange->size, which, 0, message->count, x, out);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int t = 0; t < threads; t++)
        gather_run(exchange->size, which, message->count * t / threads, message->count * (t + 1) / threads, x,
                   out);
}

static void pack_message(const struct exchange *exchange, const struct message *message, const char *x)
{
    const struct plan *plan = exchange->plan;
    size_t width = width_of(exchange), own = (size_t)(plan->last - plan->first) * exchange->size;
    char *out = exchange->sent + (size_t)message->first * width;
    int columns = product_columns(exchange->product);
    if (columns > 1 && exchange->product.by_rows) {
        for (int64_t k = 0; k < message->count; k++)
            memcpy(out + (size_t)k * width, x + (size_t)plan->sent[message->first + k] * width, width);
        return;
    }
    for (int c = 0; c < columns; c++)
        pack_vector(exchange, message, x + (size_t)c * own,
                    out + (size_t)c * (size_t)message->count * exchange->size);
}

void exchange_pack(struct exchange *exchange, const void *x)
{
    for (int k = 0; k < exchange->plan->receivers; k++)
        pack_message(exchange, &exchange->plan->to[k], x);
}

void exchange_begin(struct exchange *exchange)
{
    if (exchange->requests) MPI_Startall(exchange->requests, exchange->request);
}

void exchange_end(struct exchange *exchange)
{
    if (exchange->requests) ranks_wait(exchange->requests, exchange->request);
}

void exchange_close(struct exchange *exchange)
{
    for (int k = 0; k < exchange->requests; k++)
        MPI_Request_free(&exchange->request[k]);
    free(exchange->request);
    if (exchange->own) free(exchange->sent);
    *exchange = (struct exchange){0};
}
