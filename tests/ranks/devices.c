/* Products of devices over ranks (ranks/product/joint_device.c), on devices in the host's memory: their
 * queues work at once. They are linked by MPI, or not at all; results are checked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "formats/csr.h"
#include "kernels/gpu/exchange.h"
#include "matrix/matrix.h"
#include "ranks/product/bench.h"
#include "ranks/product/joint.h"
#include "ranks/tests.h"
#include "support/cmocka.h"

static struct ranks ranks;
static bool linkable; /* whether these devices can be linked */
static int64_t linked_bytes,
    most_swapped;          /* the bytes of a product that the link was told, and the most of a swap */
static int devices, swaps; /* devices of the node; exchanges from device to device */
static int forks, joins, packed;
static bool turned;                /* kernels go into the second queue */
static int beyond, beyond_at_join; /* products there; those for which the first queue waited */

/* The device */

static enum status fake_check(struct error *error)
{
    return devices ? STATUS_OK : error_set(error, STATUS_UNAVAILABLE, "no device today");
}

static int fake_count(void)
{
    return devices;
}

static enum status fake_describe(int index, struct device_facts *facts, struct error *error)
{
    *facts = (struct device_facts){.memory = (size_t)1 << 30};
    snprintf(facts->name, sizeof facts->name, "device %d", index);
    return STATUS_OK;
}

static enum status fake_open(struct device *device, struct error *error)
{
    return STATUS_OK;
}

static void fake_close(struct device *device)
{
}

static enum status fake_available(struct device *device, size_t *bytes, struct error *error)
{
    *bytes = (size_t)1 << 30;
    return STATUS_OK;
}

static enum status fake_allocate(struct device *device, size_t bytes, void **data, struct error *error)
{
    *data = malloc(bytes + 1);
    return *data ? STATUS_OK : error_set(error, STATUS_MEMORY, "no memory");
}

static void fake_release(struct device *device, void *data)
{
    free(data);
}

static enum status fake_copy(struct device *device, void *to, const void *from, size_t bytes,
                             struct error *error)
{
    if (bytes) memcpy(to, from, bytes);
    return STATUS_OK;
}

static enum status fake_fill(struct device *device, void *to, unsigned char byte, size_t bytes,
                             struct error *error)
{
    memset(to, byte, bytes);
    return STATUS_OK;
}

/* Its part in exchanges */

static enum status fake_queue(struct device *device, struct error *error)
{
    return STATUS_OK;
}

/* Functions of the exchange are called only while kernels go into the first queue. */
static void expect_first(void)
{
    assert_false(turned);
}

static enum status fake_turn(struct device *device, struct error *error)
{
    turned = !turned;
    return fake_queue(device, error);
}

static enum status fake_fork(struct device *device, struct error *error)
{
    expect_first();
    forks++;
    return fake_queue(device, error);
}

static enum status fake_join(struct device *device, struct error *error)
{
    expect_first();
    joins++;
    beyond_at_join = beyond;
    return fake_queue(device, error);
}

static enum status fake_gather(struct device *device, const int32_t *which, int64_t count, int wide,
                               const void *from, void *to, struct error *error)
{
    expect_first();
    packed += (int)count;
    for (int64_t k = 0; k < count; k++)
        memcpy((uint32_t *)to + k * wide, (const uint32_t *)from + (int64_t)which[k] * wide,
               (size_t)wide * 4);
    return STATUS_OK;
}

static enum status fake_add(struct device *device, const int32_t *row, int64_t rows, int wide, bool single,
                            const void *sums, void *y, struct error *error)
{
    expect_first();
    assert_true(beyond > 0 && beyond == beyond_at_join);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t q = 0; q < wide; q++)
            if (single)
                ((float *)y)[row[r] * wide + q] += ((const float *)sums)[r * wide + q];
            else
                ((double *)y)[row[r] * wide + q] += ((const double *)sums)[r * wide + q];
    return STATUS_OK;
}

static enum status fake_mark(struct device *device, int mark, struct error *error)
{
    return fake_queue(device, error);
}

static enum status fake_between(struct device *device, int from, int to, double *seconds, struct error *error)
{
    *seconds = 1e-6 * (to - from) * (from + 1);
    return fake_queue(device, error);
}

static const char *fake_unlinked(void)
{
    return linkable ? NULL : "these cannot be linked";
}

static enum status fake_id(char id[DEVICE_LINK_ID], struct error *error)
{
    snprintf(id, DEVICE_LINK_ID, "the link of rank 0");
    return STATUS_OK;
}

static enum status fake_link(struct device *device, const char id[DEVICE_LINK_ID], int count, int rank,
                             size_t bytes, struct error *error)
{
    linked_bytes = (int64_t)bytes;
    assert_string_equal(id, "the link of rank 0");
    assert_int_equal(count, ranks.count);
    assert_int_equal(rank, ranks.rank);
    return fake_queue(device, error);
}

static enum status fake_swap(struct device *device, const struct device_message *send, int sends,
                             const void *sent, const struct device_message *receive, int receives,
                             void *received, struct error *error)
{
    MPI_Request request[256];
    int count = 0;
    int64_t sent_bytes = 0, received_bytes = 0;
    swaps++;
    expect_first();
    assert_true(sends + receives <= 256);
    for (int k = 0; k < sends; k++)
        sent_bytes += (int64_t)send[k].bytes;
    for (int k = 0; k < receives; k++)
        received_bytes += (int64_t)receive[k].bytes;
    if (most_swapped < sent_bytes) most_swapped = sent_bytes;
    if (most_swapped < received_bytes) most_swapped = received_bytes;
    for (int k = 0; k < receives; k++)
        MPI_Irecv((char *)received + receive[k].place, (int)receive[k].bytes, MPI_BYTE, receive[k].peer, 99,
                  ranks.all, &request[count++]);
    for (int k = 0; k < sends; k++)
        MPI_Isend((const char *)sent + send[k].place, (int)send[k].bytes, MPI_BYTE, send[k].peer, 99,
                  ranks.all, &request[count++]);
    ranks_wait(count, request);
    return fake_queue(device, error);
}

static const struct device_exchange fake_exchange = {.open = fake_queue,
                                                     .close = fake_close,
                                                     .host_allocate = fake_allocate,
                                                     .host_release = fake_release,
                                                     .fork = fake_fork,
                                                     .gather = fake_gather,
                                                     .fetch = fake_copy,
                                                     .deliver = fake_copy,
                                                     .join = fake_join,
                                                     .add = fake_add,
                                                     .turn = fake_turn,
                                                     .finish = fake_queue,
                                                     .mark = fake_mark,
                                                     .between = fake_between,
                                                     .unlinked = fake_unlinked,
                                                     .link_id = fake_id,
                                                     .link = fake_link,
                                                     .swap = fake_swap};

static const struct device_type fake_type = {.check = fake_check,
                                             .count = fake_count,
                                             .describe = fake_describe,
                                             .open = fake_open,
                                             .close = fake_close,
                                             .available = fake_available,
                                             .allocate = fake_allocate,
                                             .release = fake_release,
                                             .write = fake_copy,
                                             .read = fake_copy,
                                             .copy = fake_copy,
                                             .fill = fake_fill,
                                             .exchange = &fake_exchange};

/* Its kernel: CSR, row by row, of real and complex numbers and of several vectors. */

static double number_at(const void *data, bool single, int64_t k)
{
    return single ? (double)((const float *)data)[k] : ((const double *)data)[k];
}

static void add_number(void *data, bool single, int64_t k, double value)
{
    if (single)
        ((float *)data)[k] += (float)value;
    else
        ((double *)data)[k] += value;
}

static int64_t offset_of(const struct storage *a, int64_t i)
{
    const void *row_ptr = a->array[CSR_ROW_PTR].data;
    return a->wide ? ((const int64_t *)row_ptr)[i] : ((const int32_t *)row_ptr)[i];
}

static void multiply_row(const struct launch *launch, int64_t i, int c)
{
    const struct storage *a = launch->resident;
    const struct product product = launch->product;
    bool single = a->precision == PRECISION_F32;
    int parts = a->complex ? 2 : 1;
    int64_t place = product_place(product, a->rows, i, c) * parts;
    for (int p = 0; p < parts && !product.accumulate; p++)
        memset((char *)launch->y + (size_t)(place + p) * (single ? 4 : 8), 0, single ? 4 : 8);
    for (int64_t k = offset_of(a, i); k < offset_of(a, i + 1); k++) {
        int64_t x = product_place(product, a->cols, ((const int32_t *)a->array[CSR_COL].data)[k], c) * parts;
        double value[2] = {number_at(a->array[CSR_VAL].data, single, k * parts), 0};
        double element[2] = {number_at(launch->x, single, x), 0};
        if (parts == 2) {
            value[1] = number_at(a->array[CSR_VAL].data, single, k * parts + 1);
            element[1] = number_at(launch->x, single, x + 1);
            add_number(launch->y, single, place + 1, value[0] * element[1] + value[1] * element[0]);
        }
        add_number(launch->y, single, place, value[0] * element[0] - value[1] * element[1]);
    }
}

/* The second queue does not add to y, since the local part runs at the same time. */
static void multiply(const struct launch *launch)
{
    beyond += turned;
    assert_false(turned && launch->product.accumulate);
    for (int64_t i = 0; i < launch->storage->rows; i++)
        for (int c = 0; c < product_columns(launch->product); c++)
            multiply_row(launch, i, c);
}

static const struct backend fake_backend = {.name = "fake", .devices = &fake_type};
static const struct parameter no_parameters[] = {{0}};
static const struct kernel fake_kernel = {.name = "csr",
                                          .backend = &fake_backend,
                                          .format = &format_csr,
                                          .summary = "",
                                          .source = "",
                                          .wins = "",
                                          .parameters = no_parameters,
                                          .complex = true,
                                          .columns_max = 4,
                                          .run = multiply};

/* Tests */

static void load(const char *name, struct share *share)
{
    struct matrix matrix;
    struct error error = {0};
    const struct load_options options = {0};
    bool complex = strncmp(name, "i ", 2) == 0;
    assert_int_equal(matrix_load(complex ? name + 2 : name, &options, NULL, &matrix, &error), STATUS_OK);
    if (complex) {
        int64_t nnz = csr_nnz(&matrix.csr);
        matrix.csr.imaginary = malloc((size_t)nnz * sizeof(double));
        for (int64_t k = 0; k < nnz; k++)
            matrix.csr.imaginary[k] = 2 * matrix.csr.val[k] - (double)k;
    }
    assert_int_equal(share_of_matrix(&ranks, &matrix, share, &error), STATUS_OK);
    matrix_free(&matrix);
}

/* Time the kernel in both precisions, and return the result. */
static void bench(const char *name, struct product product, struct results *results)
{
    struct share share;
    struct kernel_choice choice;
    struct error error = {0};
    const struct bench_options options = {.repeat = 2, .min_seconds = 1e-9, .product = product};
    *results = (struct results){0};
    load(name, &share);
    for (enum precision p = PRECISION_F64; p <= PRECISION_F32; p++) {
        assert_int_equal(kernel_choice_read(&fake_kernel, "", &choice, &error), STATUS_OK);
        choice = kernel_choice_with(&choice, p, 0);
        assert_int_equal(results_want(results, &choice, &error), STATUS_OK);
    }
    if (ranks_bench(&ranks, &share, results, &options, NULL, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    share_free(&share);
}

static void check_all(const char *link)
{
    static const char *const names[] = {"gen:laplace2d,n=12", "gen:powerlaw,scale=7", "i gen:laplace2d,n=6",
                                        "gen:random,m=2,n=9,mean=3"};
    static const struct product products[] = {
        {0}, {.accumulate = true}, {.columns = 3}, {.columns = 3, .by_rows = true, .accumulate = true}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t p = 0; p < sizeof products / sizeof *products; p++) {
            struct results results;
            linked_bytes = most_swapped = 0;
            bench(names[k], products[p], &results);
            /* The devices were told how much the largest exchange of any rank is. */
            ranks_max(&ranks, &most_swapped, 1);
            assert_int_equal(linked_bytes, most_swapped);
            for (int r = 0; r < results.count; r++) {
                const struct result *result = &results.items[r];
                if (result->status != STATUS_OK) fail_msg("%s: %s", names[k], result->error.message);
                assert_true(result->samples.count >= 2);
                assert_string_equal(result->ranked.link, link);
                /* The fake takes 1 us to the first mark, then 2, 3 and 4. */
                assert_true(result->ranked.exchange_seconds < 1.01e-6 &&
                            result->ranked.exchange_seconds > 0.99e-6);
                assert_true(result->ranked.wait_seconds < 3.01e-6 && result->ranked.wait_seconds > 2.99e-6);
                assert_true(result->ranked.compute_seconds < 6.01e-6 &&
                            result->ranked.compute_seconds > 5.99e-6);
            }
            results_free(&results);
        }
}

static void begin(bool link, int count)
{
    linkable = link;
    devices = count;
    swaps = forks = joins = packed = 0;
}

static void test_linked(void **state)
{
    begin(true, ranks.count);
    check_all(ranks.count > 1 ? "nccl" : "mpi");
    assert_true(ranks.count == 1 || (swaps > 0 && forks == joins && packed > 0));
}

static void test_through_host(void **state)
{
    begin(false, ranks.count);
    check_all("mpi");
    assert_true(swaps == 0 && forks == joins);
}

/* With fewer devices than ranks some share a device, and cannot be linked. */
static void test_shared(void **state)
{
    begin(true, 1);
    check_all("mpi");
    assert_int_equal(swaps, 0);
}

/* If one rank lacks a device, all ranks report that reason. */
static void test_none(void **state)
{
    struct results results;
    begin(true, ranks.rank == ranks.count - 1 ? 0 : ranks.count);
    bench("gen:laplace2d,n=4", (struct product){0}, &results);
    for (int r = 0; r < results.count; r++) {
        assert_int_equal(results.items[r].status, STATUS_UNAVAILABLE);
        assert_string_equal(results.items[r].error.message, "no device today");
    }
    results_free(&results);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linked),
        cmocka_unit_test(test_through_host),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_none),
    };
    struct error error = {0};
    if (ranks_open(&ranks, &argc, &argv, &error) != STATUS_OK) return EXIT_FAILURE;
    threads_set(1); /* ranks share the processors of one machine */
    return ranks_run_tests(&ranks, "ranks/devices", tests, sizeof tests / sizeof *tests);
}
