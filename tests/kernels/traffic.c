/* The traffic that kernels state, compared with the counts of their traces; and beta-plus and beta-minus. */
#include <math.h>
#include <string.h>

#include "formats/array.h"
#include "formats/csr.h"
#include "formats/sss.h"
#include "kernels/cuda/csr_tiles.h"
#include "kernels/gpu/paper.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"
#include "support/cmocka.h"
#include "support/formats.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

/* Requests of all warps, by access and operand. */
static struct tracer replay(const struct launch *launch)
{
    struct tracer tracer = {0};
    for (int64_t s = 0; s < trace_stages(launch); s++) {
        struct trace_stage stage;
        trace_stage(launch, s, &stage);
        for (int64_t w = 0; w < stage.warps; w++)
            trace_warp(launch, s, w, &tracer);
    }
    return tracer;
}

/* csr-balanced also loads x for the rest of its last tile, beyond the entries. The host multiplies the COO
 * part of hyb-host, so that no warp loads its x. */
static void hold_x(const struct launch *launch, int64_t said, int64_t counted)
{
    const struct kernel *kernel = launch->kernel;
    if (kernel == &kernel_cuda_csr_balanced) {
        assert_true(counted >= said && counted - said < TILE_LANES * TILE_LANE_BYTES / 8);
        return;
    }
    if (kernel == &kernel_cuda_hyb_host) counted += launch->storage->slots[1];
    if (said != counted)
        fail_msg("%s on %s says that it loads %lld elements of x, and loads %lld", kernel->name,
                 launch->storage->format->name, (long long)said, (long long)counted);
}

/* An atomic addition counts as a load and a store of the element. csr-balanced and csr-segmented do not touch
 * the y of empty rows when they add to y. */
static void hold_y(const struct launch *launch, const char *what, int64_t said, int64_t counted, bool atomic)
{
    bool balanced =
        launch->kernel == &kernel_cuda_csr_balanced || launch->kernel == &kernel_cuda_csr_segmented;
    bool spares = balanced && launch->product.accumulate;
    if (atomic || spares ? counted > said : counted != said)
        fail_msg("%s on %s says that it %s %lld elements of y, and does %lld", launch->kernel->name,
                 launch->storage->format->name, what, (long long)said, (long long)counted);
}

/* The lanes request all stated bytes of slots. Several lanes may request the same bytes, which count once in
 * the traffic. Pointers are left out, since the host reads some of them; so is the COO part of hyb-host. */
static void hold_slots(const struct launch *launch, const struct traffic *traffic,
                       const struct tracer *tracer)
{
    const struct storage *storage = launch->storage;
    double said = (double)traffic->array_bytes, counted = 0;
    for (int q = 0; q < storage->count; q++)
        if (!storage->array[q].per_slot)
            said -= (double)storage->array[q].length * (double)element_size(storage->array[q].element);
    for (int o = 0; o < OPERANDS; o++)
        if (o != OPERAND_X && o != OPERAND_Y && o != OPERAND_SHARED)
            counted += (double)tracer->count[ACCESS_LOAD][o].bytes;
    if (launch->kernel == &kernel_cuda_hyb_host) counted += (double)storage->slots[1] * 16;
    if (said > counted)
        fail_msg("%s on %s says that it reads %.0f bytes of slots, and asks for %.0f: its function `traffic` "
                 "tells what it passes over (traffic_pass)",
                 launch->kernel->name, launch->storage->format->name, said, counted);
}

static void hold(const struct launch *launch)
{
    const struct traffic traffic = kernel_traffic(launch);
    const struct tracer tracer = replay(launch);
    const int64_t value = (int64_t)value_width(launch->storage->precision, launch->storage->complex);
    bool atomic = tracer.count[ACCESS_REDUCTION][OPERAND_Y].lanes > 0;
    hold_x(launch, traffic.x_loads, tracer.count[ACCESS_LOAD][OPERAND_X].bytes / value);
    hold_y(launch, "loads", traffic.y_loads, tracer.count[ACCESS_LOAD][OPERAND_Y].lanes, atomic);
    hold_y(launch, "stores", traffic.y_stores, tracer.count[ACCESS_STORE][OPERAND_Y].lanes, atomic);
    hold_slots(launch, &traffic, &tracer);
    assert_true(isnan(traffic.transfer_seconds));
}

static void traffic_is_what_the_traces_count(void **state)
{
    const struct device_facts facts = {.name = "paper", .multiprocessors = 3, .shared = 232448, .major = 9};
    struct csr a = support_matrix(300, 200, 0.05, true, false, 1);
    struct csr half = support_symmetric(SYMMETRY_SYMMETRIC, 250, 0.05, true, false, 1);
    struct device device;
    struct requests requests = requests_all();
    int held[256] = {0};
    paper_open(&facts, &device);
    for (int r = 0; r < requests.count; r++)
        for (int k = 0; kernels[k]; k++) {
            struct storage storage;
            struct launch launch;
            const struct wanted *request = &requests.items[r];
            if (!kernels[k]->trace || kernels[k]->format != request->format) continue;
            const struct csr *matrix = request->format == &format_sss ? &half : &a;
            if (storing_convert(request->format, request->parameters, &(struct storing){0}, matrix, NULL,
                                &storage, NULL) != STATUS_OK) {
                storage_free(&storage); /* parameters that contradict each other */
                continue;
            }
            for (int accumulate = 0; accumulate < 2; accumulate++) {
                const struct preparing options = {.product.accumulate = accumulate};
                enum status status =
                    preparing_on_paper(&device, kernels[k], "", &storage, &options, &launch, NULL);
                if (status == STATUS_OK) hold(&launch);
                held[k] += status == STATUS_OK;
                kernel_release(&launch);
            }
            storage_free(&storage);
        }
    for (int k = 0; kernels[k]; k++)
        if (kernels[k]->trace && held[k] == 0)
            fail_msg("%s takes none of the storages of tests/support/formats.c", kernels[k]->name);
    requests_free(&requests);
    csr_free(&half);
    csr_free(&a);
}

/* By hand: a 300 x 200 matrix with 8 + 4 bytes an entry for value and column, and 301 offsets. Y = A X loads
 * an element of X for each entry and vector, and stores Y. Y += A^T X on one thread loads X once a row, and
 * loads and stores Y for each entry. */
static void several_vectors_count_each(void **state)
{
    struct csr a = support_matrix(300, 200, 0.05, true, false, 1);
    const double nnz = (double)csr_nnz(&a), arrays = 12 * nnz + 4 * 301;
    struct storage storage = storing_done(&format_csr, "", NULL, &a);
    const struct preparing several = {.product = {.by_rows = true, .columns = 8}};
    struct launch launch = preparing_done(&kernel_cpu_csr_seq, "", &storage, &several);
    assert_true(kernel_bytes(&launch).plus == arrays + 8 * 8 * (200 + 300));
    assert_true(kernel_bytes(&launch).minus == arrays + 8 * 8 * (nnz + 300));
    kernel_release(&launch);
    const struct preparing transposed = {
        .product = {.accumulate = true, .transposed = true, .by_rows = true, .columns = 3}};
    launch = preparing_done(&kernel_cpu_csr_seq, "", &storage, &transposed);
    assert_true(kernel_bytes(&launch).plus == arrays + 3 * 8 * (300 + 2 * 200));
    assert_true(kernel_bytes(&launch).minus == arrays + 3 * 8 * (300 + 2 * nnz));
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&a);
}

/* A kernel that goes down the columns, y[i] += a x. It clears y, and then loads and stores it for each entry.
 * It loads x once a column. It reads a table of 7 bytes instead of the pointers. */
static void scatter(const struct launch *launch, struct traffic *traffic)
{
    traffic->array_bytes -= sizeof(int32_t) * 4;
    traffic->own_bytes = 7;
    traffic->x_loads = launch->storage->cols;
    traffic->y_loads = launch->storage->nnz;
    traffic->y_stores += launch->storage->nnz;
}

/* By hand: 5 columns of 4 bytes, 5 values, the table, 4 elements of x, and 3 of y of 8 bytes, which is loaded
 * 5 times and stored 3 + 5 times. */
static void scatter_into_y_counts_each_time(void **state)
{
    static const double entries[] = {1, 0, 2, 0, 0, 0, 0, 3, 4, 0, 0, 5};
    struct csr a = support_dense(3, 4, entries);
    struct kernel kernel = kernel_cpu_csr_seq;
    kernel.traffic = scatter;
    struct storage storage = storing_done(kernel.format, "", NULL, &a);
    struct launch launch = preparing_done(&kernel, "", &storage, NULL);
    const struct kernel_bytes bytes = kernel_bytes(&launch);
    assert_true(bytes.plus == 20 + 40 + 7 + 32 + 24);
    assert_true(bytes.minus == 20 + 40 + 7 + 32 + 8 * (5 + 3 + 5));
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&a);
}

/* The 3 x 7 matrix has 2 x 2 blocks in block columns 0 1 2 3 and 1 2, one of which lacks a column. Its 3 x 3
 * blocks are in 0 1 2, and one of them lacks two columns. */
static void blocks_load_the_columns_that_there_are(void **state)
{
    static const double wide[] = {1, 0, 0, 2, 0, 0, 3, 0, 4, 0, 0, 5, 0, 0, 0, 0, 6, 0, 0, 7, 0};
    static const struct {
        const char *parameters;
        int64_t loads;
    } cases[] = {{"size=2", 6 * 2 - 1}, {"size=3", 3 * 3 - 2}};
    static const struct kernel *const blocks[] = {&kernel_cpu_bsr_seq, &kernel_cpu_bsr_omp};
    struct csr a = support_dense(3, 7, wide);
    for (int k = 0; k < 4; k++) {
        const struct kernel *kernel = blocks[k % 2];
        struct storage storage = storing_done(kernel->format, cases[k / 2].parameters, NULL, &a);
        struct launch launch = preparing_done(kernel, "", &storage, NULL);
        assert_int_equal(kernel_traffic(&launch).x_loads, cases[k / 2].loads);
        kernel_release(&launch);
        storage_free(&storage);
    }
    csr_free(&a);
}

/* Positions of a diagonal outside of the matrix load no x. In the 3 x 5 matrix, diagonals -2, 0 and 3 have 1,
 * 3 and 2 positions; in the 5 x 3 matrix, -4, -1 and 2 have 1, 3 and 1. */
static void diagonals_load_the_places_that_there_are(void **state)
{
    static const double wide[] = {1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 5, 0, 6, 0, 0};
    static const double high[] = {0, 0, 1, 2, 0, 0, 0, 3, 0, 0, 0, 4, 5, 0, 0};
    static const struct kernel *const diagonals[] = {&kernel_cpu_dia_seq, &kernel_cpu_dia_omp};
    for (int k = 0; k < 4; k++) {
        struct csr a = k / 2 ? support_dense(5, 3, high) : support_dense(3, 5, wide);
        struct storage storage = storing_done(diagonals[k % 2]->format, "", NULL, &a);
        struct launch launch = preparing_done(diagonals[k % 2], "", &storage, NULL);
        assert_int_equal(kernel_traffic(&launch).x_loads, k / 2 ? 1 + 3 + 1 : 1 + 3 + 2);
        kernel_release(&launch);
        storage_free(&storage);
        csr_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_vectors_count_each),
        cmocka_unit_test(traffic_is_what_the_traces_count),
        cmocka_unit_test(scatter_into_y_counts_each_time),
        cmocka_unit_test(blocks_load_the_columns_that_there_are),
        cmocka_unit_test(diagonals_load_the_places_that_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
