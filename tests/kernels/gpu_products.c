/* Products on GPUs with the transposed matrix and with several vectors, as far as they can be tested without
 * a GPU: the division of vectors, rows and entries among lanes, blocks and passes; the kernels' data in
 * device memory; and the products that cuSPARSE is not asked for. A device in the host's memory holds the
 * arrays. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/cuda/products/entries.h"
#include "kernels/cuda/products/products.h"
#include "kernels/gpu/device.h"
#include "support/cmocka.h"
#include "support/device_memory.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/storing.h"
#include "support/support.h"

static const int sizes[] = {4, 8, 16}; /* bytes of f32, of f64 and c32, of c64 */

/* Each vector belongs to one lane of one pass, which finds its elements at multiples of the size of its
 * loads. */
static void expect_vectors(struct product_cut cut, int columns, int size, uintptr_t addresses, bool narrow)
{
    int times[PRODUCT_COLUMNS_MAX + 128] = {0};
    int wide = cut.lanes * cut.vector;
    assert_true(cut.vector * size <= 16);
    assert_int_equal(addresses % (uintptr_t)(cut.vector * size), 0);
    assert_int_equal(columns % cut.vector, 0);
    assert_int_equal(WARP % (cut.lanes * cut.slices), 0);
    for (int pass = 0; pass < cut.passes; pass++)
        for (int lane = 0; lane < cut.lanes; lane++)
            for (int v = 0; v < cut.vector; v++)
                times[pass * wide + lane * cut.vector + v]++;
    for (int c = 0; c < columns; c++)
        assert_int_equal(times[c], 1);
    assert_true((cut.passes - 1) * wide < columns);
    assert_true(cut.lanes == 1 || cut.lanes / 2 * cut.vector < columns);
    if (cut.passes > 1 && !narrow) assert_int_equal(cut.lanes, WARP);
}

static void lanes_share_the_vectors(void **state)
{
    for (int columns = 1; columns <= PRODUCT_COLUMNS_MAX; columns++)
        for (int s = 0; s < 3; s++)
            for (uintptr_t addresses = 256; addresses >= (uintptr_t)sizes[s]; addresses /= 2)
                for (int threads = 1; threads <= WARP; threads *= 2) {
                    struct product_cut cut =
                        product_cut_of(columns, sizes[s], 16 / sizes[s], addresses, threads);
                    expect_vectors(cut, columns, sizes[s], addresses, false);
                    int row = cut.lanes * cut.slices;
                    assert_int_equal(row, threads > cut.lanes ? threads : cut.lanes);
                }
}

/* By hand: eight doubles are four lanes of two; with an address of an odd double, eight of one. */
static void lanes_load_as_much_as_they_can(void **state)
{
    static const struct {
        int columns, size, most;
        uintptr_t addresses;
        struct product_cut cut;
    } cases[] = {
        {1, 8, 2, 256, {1, 1, 8, 1}},    {8, 8, 2, 256, {2, 4, 2, 1}},   {8, 8, 2, 264, {1, 8, 1, 1}},
        {8, 8, 1, 256, {1, 8, 1, 1}},    {64, 8, 2, 256, {2, 32, 1, 1}}, {64, 8, 1, 256, {1, 32, 1, 2}},
        {33, 8, 2, 256, {1, 32, 1, 2}},  {12, 4, 4, 256, {4, 4, 2, 1}},  {6, 4, 4, 256, {2, 4, 2, 1}},
        {64, 16, 1, 256, {1, 32, 1, 2}}, {64, 4, 4, 260, {1, 32, 1, 2}}, {64, 4, 4, 256, {4, 16, 1, 1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct product_cut cut =
            product_cut_of(cases[k].columns, cases[k].size, cases[k].most, cases[k].addresses, 8);
        assert_int_equal(cut.vector, cases[k].cut.vector);
        assert_int_equal(cut.lanes, cases[k].cut.lanes);
        assert_int_equal(cut.slices, cases[k].cut.slices);
        assert_int_equal(cut.passes, cases[k].cut.passes);
    }
}

/* Passes are no wider than is asked for, and no narrower than a lane loads at once. */
static void passes_are_as_wide_as_asked(void **state)
{
    for (int columns = 1; columns <= PRODUCT_COLUMNS_MAX; columns++)
        for (int width = 1; width <= columns; width++) {
            const struct product_cut cut = product_cut_within(columns, width, 8, 2, 256, 8);
            expect_vectors(cut, columns, 8, 256, true);
            assert_true(cut.lanes == 1 || cut.lanes / 2 * cut.vector < width);
            assert_true(cut.lanes == WARP || cut.lanes * cut.vector >= width);
        }
}

/* By hand: on a GPU with 1000 threads. */
static void threads_take_vectors_by_columns(void **state)
{
    static const struct {
        int64_t rows;
        int columns, size, vectors;
    } cases[] = {{100000, 64, 8, 8}, {100000, 64, 16, 4}, {100000, 2, 8, 2},
                 {100000, 3, 8, 4},  {100, 8, 8, 2},      {200, 10, 4, 4},
                 {10, 8, 8, 1},      {125, 2, 8, 1},      {250, 2, 8, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(product_straight_vectors(cases[k].rows, cases[k].columns, cases[k].size, 1000),
                         cases[k].vectors);
}

/* The width of a pass of a kernel on a GPU with this cache. */
static int width_of(const struct kernel *kernel, const char *format, const struct csr *a, size_t cache,
                    int columns)
{
    struct storage storage = storing_done(kernel->format, format, NULL, a);
    struct device device = {.type = &device_of_memory, .facts = {.multiprocessors = 1, .cache = cache}};
    const struct preparing how = {.product = {.columns = columns, .by_rows = true}};
    struct launch launch;
    device_memory.room = SIZE_MAX;
    assert_int_equal(preparing_on(&device, kernel, "", &storage, &storage, &how, &launch, NULL), STATUS_OK);
    const int width = ((const struct product_state *)launch.state)->width;
    kernel_release(&launch);
    storage_free(&storage);
    return width;
}

/* X is as large as L2 or larger: passes are as wide as half of L2 holds, and a line at least, if columns are
 * scattered; near columns find X in L2 anyway. The same of ELL, which has the first slots of all rows before
 * the second ones. */
static void passes_fit_in_the_cache(void **state)
{
    static const struct {
        size_t cache;
        bool near;
        int columns, width;
    } cases[] = {{1 << 20, false, 64, 64}, {300000, false, 64, 16}, {130000, false, 64, 16},
                 {125000, false, 64, 64},  {300000, true, 64, 64},  {0, false, 64, 64},
                 {300000, false, 63, 63},  {300000, false, 62, 62}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        /* X has 600 elements a vector, 307,200 bytes with 64 vectors. */
        double *values = calloc(600 * 600, sizeof *values);
        assert_non_null(values);
        for (int64_t i = 0; i < 600; i++)
            for (int64_t j = 0; j < 3; j++)
                values[i * 600 + (cases[k].near ? (i + j) % 600 : (i * 7919 + j * 211) % 600)] = 1;
        struct csr a = support_dense(600, 600, values);
        free(values);
        assert_int_equal(width_of(&kernel_cuda_csr_vector, "", &a, cases[k].cache, cases[k].columns),
                         cases[k].width);
        assert_int_equal(
            width_of(&kernel_cuda_ell_padded, "pad=repeat", &a, cases[k].cache, cases[k].columns),
            cases[k].width);
        csr_free(&a);
    }
}

/* Blocks have all rows, a whole number of turns each, and no more shared memory than any block may have. */
static void blocks_share_the_rows(void **state)
{
    static const int64_t rows[] = {0, 1, 31, 32, 33, 1000, 8192, 262144, 2147483647};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int columns = 1; columns <= PRODUCT_COLUMNS_MAX; columns++)
            for (int s = 0; s < 3; s++)
                for (int t = 0; t < 2 * 6; t++) {
                    bool by_columns = t % 2;
                    struct product_cut cut =
                        product_cut_of(columns, sizes[s], 16 / sizes[s], 256, 1 << t / 2);
                    struct product_blocks blocks = product_blocks_of(rows[k], cut, by_columns, 4);
                    struct grid grid = product_rows_grid(blocks, cut, by_columns, (size_t)sizes[s]);
                    int groups = PRODUCT_THREADS / (cut.lanes * cut.slices);
                    assert_int_equal(blocks.rows % groups, 0);
                    if (by_columns) assert_int_equal(blocks.rows & (blocks.rows - 1), 0);
                    assert_true(blocks.passing * blocks.rows >= rows[k]);
                    assert_true((blocks.passing - 1) * blocks.rows < rows[k]);
                    assert_int_equal(grid.blocks, blocks.passing * cut.passes);
                    assert_true(grid.shared <= SHARED_PLAIN);
                    if (by_columns) assert_true(blocks.rows >= 32 && grid.shared > 0);
                    if (!by_columns) assert_int_equal(grid.shared, 0);
                    /* More than one turn only where all multiprocessors have blocks enough. */
                    if (!by_columns && blocks.rows > groups && groups * WARP > PRODUCT_THREADS)
                        assert_true(rows[k] / blocks.rows >= 4 * PRODUCT_BLOCKS);
                    /* Rows of a warp each are one wave of blocks, as long as that is eight turns at most. */
                    if (!by_columns && groups * WARP == PRODUCT_THREADS &&
                        rows[k] <= 4 * PRODUCT_RESIDENT * PRODUCT_TURNS * groups)
                        assert_true(blocks.passing <= 4 * PRODUCT_RESIDENT);
                }
}

/* The entries are divided into stretches of equal size, one for each lane of a group. Stretches begin at
 * multiples of the size of loads. All stretches are resident at once, in half of the GPU's threads, unless
 * they would exceed 96 entries. A stretch longer than the minimum is no longer than needed. */
static void stretches_share_the_entries(void **state)
{
    static const int64_t entries[] = {0, 1, 3, 8, 1000, 12000, 13000, 100000, 7000000};
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++)
        for (int columns = 1; columns <= PRODUCT_COLUMNS_MAX; columns++) {
            struct product_cut cut = product_cut_of(columns, 8, 2, 256, 1);
            int64_t interval = product_interval(entries[k], cut, 8192), held = 4096 / cut.lanes;
            int64_t passing = product_entries_passing(entries[k], cut, interval);
            int64_t room = passing * PRODUCT_THREADS / cut.lanes * interval;
            assert_int_equal(interval % PRODUCT_AHEAD, 0);
            assert_true(room >= entries[k]);
            assert_true(room - PRODUCT_THREADS / cut.lanes * interval < entries[k] || entries[k] == 0);
            assert_int_equal(product_entries_grid(passing, cut).blocks, passing * cut.passes);
            assert_in_range(interval, 2 * PRODUCT_AHEAD, 96);
            /* Whole waves: intervals have at most 96 entries in a single wave, else 64. With PRODUCT_AHEAD
             * fewer, one more wave would be needed. */
            const int64_t usual = PRODUCT_INTERVAL * held,
                          waves = entries[k] <= 96 * held ? 1 : (entries[k] + usual - 1) / usual;
            assert_true(waves * interval * held >= entries[k]);
            if (interval > 2 * PRODUCT_AHEAD)
                assert_true(waves * (interval - PRODUCT_AHEAD) * held < entries[k]);
            if (waves > 1) assert_true(interval <= PRODUCT_INTERVAL);
        }
    assert_int_equal(product_interval(1000, (struct product_cut){2, 32, 1, 1}, 0), PRODUCT_INTERVAL);
}

/* The groups of all warps together take all entries, and those of a warp fit in its shared memory. By hand: a
 * wave of an H200 has 135,168 groups of one lane. 600,000 entries need one wave with 8 entries a group.
 * 1,177,980 would need two such waves, the second one nearly empty; three waves of 4 take less time. */
static void warps_stage_all_entries(void **state)
{
    static const int64_t entries[] = {1, 31, 5000, 90158, 591904, 1177980, 1900000, 40000000};
    const int64_t h200 = 132 * 2048;
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++)
        for (int lanes = 1; lanes <= 4; lanes *= 2) {
            const struct product_cut cut = {2, lanes, 1, 1};
            const int each = product_staged(entries[k], cut, h200);
            const int64_t warps = product_staged_warps(entries[k], cut, each), all = WARP / lanes * each;
            assert_true(each > 0 && each % PRODUCT_AHEAD == 0 && all <= PRODUCT_STAGED);
            assert_true(warps * all >= entries[k] && (warps - 1) * all < entries[k]);
        }
    assert_int_equal(product_staged(600000, (struct product_cut){2, 1, 1, 1}, h200), 8);
    /* Entries that fill a wave exactly need no second one. */
    assert_int_equal(product_staged(8 * (h200 / 2), (struct product_cut){2, 1, 1, 1}, h200), 8);
    assert_int_equal(product_staged(1177980, (struct product_cut){2, 1, 1, 1}, h200), 4);
    assert_int_equal(product_staged(591904, (struct product_cut){2, 4, 1, 1}, h200), 20);
    assert_int_equal(product_staged(40000000, (struct product_cut){2, 8, 1, 1}, h200), 0);
    assert_int_equal(product_staged(40000000, (struct product_cut){1, 4, 1, 2}, h200), 0);
}

/* If vectors are stored by columns and their number is even, a lane takes two. */
static void lanes_take_two_vectors_apart(void **state)
{
    const struct product_cut eight = product_staged_cut(8, 8, true, 8),
                             three = product_staged_cut(3, 4, true, 8),
                             wide = product_staged_cut(8, 16, true, 8),
                             rows = product_staged_cut(8, 4, false, 0);
    assert_int_equal(eight.vector, 2);
    assert_int_equal(eight.lanes, 4);
    assert_int_equal(three.vector, 1);
    assert_int_equal(three.lanes, 4);
    assert_int_equal(wide.vector, 1);
    assert_int_equal(rows.vector, 4);
    assert_int_equal(rows.lanes, 2);
}

/* A block turns as many elements as its shared memory holds, but leaves two blocks to each multiprocessor. */
static void blocks_turn_more_of_fewer_vectors(void **state)
{
    assert_int_equal(product_turn_rows(1000000, 64, 132), 32);
    assert_int_equal(product_turn_rows(1000000, 32, 132), 32);
    assert_int_equal(product_turn_rows(1000000, 8, 132), 128);
    assert_int_equal(product_turn_rows(1000000, 2, 132), 512);
    assert_int_equal(product_turn_rows(132 * 2 * 256, 2, 132), 256);
    assert_int_equal(product_turn_rows(100, 2, 132), 32);
    for (int columns = 2; columns <= PRODUCT_COLUMNS_MAX; columns++)
        for (int64_t size = 1; size < 10000000; size = 3 * size + 1)
            assert_true(product_turn_rows(size, columns, 132) * (columns | 1) <= PRODUCT_TURN_ROOM);
}

/* The kernels that take such products, and whether they transpose, add to Y in no order even if they do not,
 * and have formats in which equal slots of neighbouring rows are neighbours. */
static const struct taker {
    const struct kernel *kernel;
    bool transposes, adds, beside;
} takers[] = {
    {&kernel_cuda_csr_vector, .transposes = true},
    {&kernel_cuda_csr_balanced},
    {&kernel_cuda_ell_padded, .transposes = true, .beside = true},
    {&kernel_cuda_ell_masked, .transposes = true, .beside = true},
    {&kernel_cuda_sell, .transposes = true, .beside = true},
    {&kernel_cuda_coo_atomic, .transposes = true, .adds = true},
    {&kernel_cuda_coo_segmented},
};
#define TAKERS (sizeof takers / sizeof *takers)

static void these_kernels_take_them(void **state)
{
    for (int k = 0; kernels[k]; k++) {
        const struct taker *taker = NULL;
        for (size_t t = 0; t < TAKERS; t++)
            if (takers[t].kernel == kernels[k]) taker = &takers[t];
        if (kernels[k]->backend != &backend_cuda) continue;
        assert_int_equal(kernels[k]->columns_max, taker ? PRODUCT_COLUMNS_MAX : 0);
        assert_int_equal(kernels[k]->transposes, taker && taker->transposes);
    }
}

/* X is turned if there are several vectors that are stored by columns; so is Y, if entries are added to it in
 * no order. The traffic counts both twice, written and read. If there are few entries, only csr-vector, whose
 * lanes share a row, turns X. If neighbouring rows have `near` columns, formats that store their slots beside
 * each other turn nothing; if there are many more columns than entries, coo-atomic does not for A^T. */
static void expect_kept(const struct taker *taker, const struct storage *storage, struct product product,
                        bool few, bool near)
{
    struct device device = {.type = &device_of_memory, .facts = {.multiprocessors = 1}};
    struct launch launch;
    struct error error = {0};
    size_t columns = (size_t)product_columns(product), value = value_size(storage);
    bool shares = taker->kernel == &kernel_cuda_csr_vector && !product.transposed;
    bool apart = taker->kernel == &kernel_cuda_coo_atomic && product.transposed && !near;
    bool turned = columns > 1 && !product.by_rows && (shares || !few) && !apart &&
                  (product.transposed || !near || !taker->beside);
    size_t x = (size_t)product_x_size(product, storage->rows, storage->cols) * columns * value;
    size_t y = (size_t)product_y_size(product, storage->rows, storage->cols) * columns * value;
    bool adds = taker->adds || product.transposed;
    size_t kept = !turned ? 0 : adds ? x + y : x;
    int arrays = !turned ? 0 : adds ? 2 : 1;
    device_memory.room = SIZE_MAX;
    if (preparing_on(&device, taker->kernel, "", storage, storage, &(struct preparing){.product = product},
                     &launch, &error) != STATUS_OK)
        fail_msg("%s: %s", taker->kernel->name, error.message);
    assert_int_equal(device_memory.bytes, kept);
    assert_int_equal(device_memory.arrays, arrays);
    assert_int_equal(kernel_traffic(&launch).own_bytes, 2 * kept);
    assert_int_equal(kernel_traffic(&launch).array_bytes, storage_size(storage).bytes);
    kernel_release(&launch);
    assert_int_equal(device_memory.arrays, 0);
    if (kept == 0) return;
    device_memory.room = kept - 1;
    error = (struct error){0};
    assert_int_equal(preparing_on(&device, taker->kernel, "", storage, storage,
                                  &(struct preparing){.product = product}, &launch, &error),
                     STATUS_LIMIT);
    assert_non_null(strstr(error.message, adds ? "Y row by row" : "X row by row"));
    kernel_release(&launch);
    assert_int_equal(device_memory.arrays, 0);
    device_memory.room = SIZE_MAX;
    for (long k = 0; k <= arrays; k++) {
        memory_fail_after(k);
        assert_int_equal(preparing_on(&device, taker->kernel, "", storage, storage,
                                      &(struct preparing){.product = product}, &launch, NULL),
                         STATUS_MEMORY);
        memory_fail_after(-1);
        kernel_release(&launch);
        assert_int_equal(device_memory.arrays, 0);
    }
}

static void expect_turned(int64_t rows, int64_t cols, double density, bool few, bool near)
{
    struct csr a = support_matrix(rows, cols, density, near, false, 5);
    for (size_t t = 0; t < TAKERS; t++)
        for (int p = 0; p < 2; p++) {
            const struct kernel *kernel = takers[t].kernel;
            const struct storing options = {.precision = p ? PRECISION_F32 : PRECISION_F64};
            const char *format = kernel->format_defaults ? kernel->format_defaults : "";
            struct storage storage = storing_done(kernel->format, format, &options, &a);
            for (int columns = 1; columns <= 8; columns += 7)
                for (int k = 0; k < 8; k++) {
                    struct product product = {
                        .columns = columns, .transposed = k & 1, .by_rows = k & 2, .accumulate = k & 4};
                    if (product_plain(product) || (product.transposed && !takers[t].transposes)) continue;
                    expect_kept(&takers[t], &storage, product, few, near);
                }
            storage_free(&storage);
        }
    csr_free(&a);
}

/* One multiprocessor holds 2,048 threads. The bound is therefore 2,457 entries, 6,144 if Y is turned too, or
 * 1,365 for coo-segmented and csr-balanced, divided by the further sectors of an entry without turning: 6 for
 * 8 vectors in double precision, 7 in single precision. Neighbouring rows have near columns among 40, and
 * distant ones among 30,000. */
static void vectors_by_columns_are_turned(void **state)
{
    expect_turned(70, 40, 0.5, false, true);
    expect_turned(70, 30000, 0.002, false, false);
}

static void few_entries_read_vectors_as_they_lie(void **state)
{
    expect_turned(70, 40, 0.03, true, true);
}

/* Products that read only the format's arrays need no tables on the device. */
static void no_tables_are_remade(void **state)
{
    static const struct kernel *const remade[] = {&kernel_cuda_sell, &kernel_cuda_csr_balanced};
    struct csr a = support_matrix(70, 40, 0.2, true, false, 5);
    device_memory.room = SIZE_MAX;
    for (int k = 0; k < 2; k++) {
        struct device device = {.type = &device_of_memory, .facts = {.multiprocessors = 4}};
        const char *format = remade[k]->format_defaults ? remade[k]->format_defaults : "";
        struct launch launch;
        double seconds = -1;
        struct storage storage = storing_done(remade[k]->format, format, NULL, &a);
        assert_int_equal(preparing_on(&device, remade[k], "", &storage, &storage,
                                      &(struct preparing){.product.columns = 8}, &launch, NULL),
                         STATUS_OK);
        assert_int_equal(remade[k]->remake(&launch, &storage, &seconds, NULL), STATUS_OK);
        assert_true(seconds == 0);
        kernel_release(&launch);
        storage_free(&storage);
    }
    csr_free(&a);
}

/* Lanes of a row of csr-vector: 8 where rows have as many entries in the mean, fewer for shorter rows, and
 * more where all rows together do not fill half of the 2048 threads that this GPU runs at a time. */
static void lanes_of_a_row_follow_its_length(void **state)
{
    static const struct {
        int64_t rows, length;
        int threads;
    } cases[] = {{600, 3, 4},   {600, 2, 2},  {600, 9, 8}, {600, 60, 8}, {128, 60, 8},
                 {127, 60, 16}, {64, 60, 16}, {10, 1, 32}, {1, 99, 32}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct device device = {.type = &device_of_memory, .facts = {.multiprocessors = 1}};
        double *values = calloc((size_t)cases[k].rows * 100, sizeof *values);
        struct launch launch;
        assert_non_null(values);
        for (int64_t i = 0; i < cases[k].rows; i++)
            for (int64_t j = 0; j < cases[k].length; j++)
                values[i * 100 + j] = 1;
        struct csr a = support_dense(cases[k].rows, 100, values);
        free(values);
        struct storage storage = storing_done(kernel_cuda_csr_vector.format, "", NULL, &a);
        assert_int_equal(preparing_on(&device, &kernel_cuda_csr_vector, "", &storage, &storage,
                                      &(struct preparing){.product = {.columns = 4, .by_rows = true}},
                                      &launch, NULL),
                         STATUS_OK);
        assert_int_equal(launch.values.number[0], cases[k].threads);
        kernel_release(&launch);
        storage_free(&storage);
        csr_free(&a);
    }
}

/* The library prints a message if it is asked for an impossible product, so that it is not asked. */
static void the_library_is_not_asked_for_what_it_cannot_do(void **state)
{
    struct csr a = support_matrix(5, 8, 0.5, false, false, 1);
    struct device device = {0};
    struct launch launch;
    struct error error = {0};
    struct storage storage = storing_done(kernel_cusparse_csr_alg2.format, "", NULL, &a);
    assert_int_equal(preparing_on(&device, &kernel_cusparse_csr_alg2, "", &storage, &storage,
                                  &(struct preparing){.product = {.columns = 2, .transposed = true}}, &launch,
                                  &error),
                     STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.message, "CUSPARSE_SPMM_CSR_ALG3 does not multiply with the transposed"));
    kernel_release(&launch);
    storage_free(&storage);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_share_the_vectors),
        cmocka_unit_test(lanes_load_as_much_as_they_can),
        cmocka_unit_test(passes_are_as_wide_as_asked),
        cmocka_unit_test(threads_take_vectors_by_columns),
        cmocka_unit_test(passes_fit_in_the_cache),
        cmocka_unit_test(blocks_share_the_rows),
        cmocka_unit_test(stretches_share_the_entries),
        cmocka_unit_test(warps_stage_all_entries),
        cmocka_unit_test(lanes_take_two_vectors_apart),
        cmocka_unit_test(blocks_turn_more_of_fewer_vectors),
        cmocka_unit_test(these_kernels_take_them),
        cmocka_unit_test(vectors_by_columns_are_turned),
        cmocka_unit_test(few_entries_read_vectors_as_they_lie),
        cmocka_unit_test(no_tables_are_remade),
        cmocka_unit_test(lanes_of_a_row_follow_its_length),
        cmocka_unit_test(the_library_is_not_asked_for_what_it_cannot_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
