#include "kernels/cuda/products/products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/coo.h"
#include "formats/csr.h"
#include "formats/fill.h"
#include "kernels/gpu/device.h"

static size_t vectors_elements(const struct launch *launch, int64_t size)
{
    return (size_t)size * (size_t)product_columns(launch->product);
}

static int64_t x_size(const struct launch *launch)
{
    return product_x_size(launch->product, launch->storage->rows, launch->storage->cols);
}

static int64_t y_size(const struct launch *launch)
{
    return product_y_size(launch->product, launch->storage->rows, launch->storage->cols);
}

/* Bytes of a sector, the unit of loads. */
#define SECTOR 32

/* Return true if column-major vectors are read without transposing. Each entry then needs a sector of each
 * vector, instead of the sectors of a row of X. Transposing needs further launches, and reads and writes all
 * of X and Y. On an H200 it costs as much as one more sector for each of n entries per resident thread: n = 3
 * if atomic additions need a turned Y, 2/3 if Y is stored in the order of rows, 6/5 otherwise. Lanes that
 * share a row load from different rows of X at once: on an H200, csr-vector with 8 vectors took 1.3 to 1.5
 * times as long without transposing. */
static bool direct(const struct launch *launch, enum product_writes writes)
{
    if (writes == PRODUCT_SHARES) return false;
    const int64_t columns = product_columns(launch->product);
    const int64_t sectors = (columns * (int64_t)value_size(launch->storage) + SECTOR - 1) / SECTOR;
    const int64_t resident = grid_resident_threads(launch);
    return columns <= WARP &&
           launch->storage->nnz <= (writes == PRODUCT_ADDS || writes == PRODUCT_ADDS_ROWS ? 3 * resident
                                    : writes == PRODUCT_WALKS                             ? resident * 2 / 3
                                                              : resident * 6 / 5) /
                                       max(columns - sectors, 1);
}

struct product_places product_places_of(const struct launch *launch)
{
    const struct product_state *state = launch->state;
    const int columns = product_columns(launch->product);
    const bool by_columns = product_by_columns(launch);
    const bool x_columns = by_columns && !state->x, y_columns = by_columns && !state->y;
    return (struct product_places){.x_vector = x_columns ? x_size(launch) : 1,
                                   .y_vector = y_columns ? y_size(launch) : 1,
                                   .x_element = x_columns ? 1 : columns,
                                   .y_element = y_columns ? 1 : columns};
}

static enum status make_state(struct launch *launch, struct error *error)
{
    struct product_state *state = memory_zeroed(1, sizeof(struct product_state), error);
    launch->state = state;
    if (state) state->width = product_columns(launch->product);
    return state ? STATUS_OK : STATUS_MEMORY;
}

#define COLUMNS_LOOKED_AT 4096
#define LINE 128 /* bytes of a line: narrower passes would load parts of it */

/* Return the mean distance of columns from a diagonal through all slots in order. Array q has the columns, in
 * chunks of `beside` rows whose slots lie beside each other; if it is only planned, the entries of the
 * pattern tell. */
static double reach(const struct launch *launch, int q, int64_t beside)
{
    const struct storage *storage = launch->storage;
    const struct csr *pattern = launch->pattern;
    const bool planned = !storage->array[q].data && pattern;
    const int32_t *col = planned ? pattern->col : storage->array[q].data;
    const int64_t slots = planned ? csr_nnz(pattern) : storage->array[q].length,
                  step = max(slots / COLUMNS_LOOKED_AT, 1);
    const double slope = slots > 0 ? (double)storage->cols / (double)slots : 0;
    const bool in_one = !planned && beside >= storage->rows; /* ELL */
    const double by_row = (double)storage->cols / (double)max(storage->rows, 1);
    double sum = 0, looked = 0;
    for (int64_t k = 0; col && k < slots; k += step, looked++)
        sum += fabs((double)col[k] - (in_one ? by_row * (double)(k % storage->rows) : slope * (double)k));
    return looked > 0 ? sum / looked : 0;
}

/* If columns are scattered over an X that L2 does not hold, passes take so few vectors that L2 holds theirs.
 * On an H200, a random matrix of 200,000 rows with 64 vectors takes 277 us with 16 vectors a pass, and 355
 * with all.
 */
static void choose_width(struct launch *launch, int q, int64_t beside)
{
    struct product_state *state = launch->state;
    const double value = (double)value_size(launch->storage), cache = (double)launch->device->facts.cache;
    const double column = (double)launch->storage->cols * value;
    int width = product_columns(launch->product);
    if (cache <= 0 || width * column <= cache || 4 * reach(launch, q, beside) * width * value <= cache)
        return;
    while (width * column > cache / 2 && width % 2 == 0 && width * value > LINE)
        width /= 2;
    if (width * column <= 0.6 * cache) state->width = width;
}

#define GROUPS_LOOKED_AT 256
#define SLOTS_LOOKED_AT 64
#define STRAIGHT_SECTORS 20 /* of the 32 that scattered columns touch */

static int compare(const void *a, const void *b)
{
    const int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

/* The requests that were looked at. */
struct requests {
    int64_t sectors, lanes;
};

/* Add a request of up to WARP columns. */
static void look_at(struct requests *requests, int32_t *col, int count, int64_t value)
{
    for (int k = 0; k < count; k++)
        col[k] = (int32_t)(col[k] * value / SECTOR);
    qsort(col, (size_t)count, sizeof *col, compare);
    for (int k = 0; k < count; k++)
        requests->sectors += k == 0 || col[k] != col[k - 1];
    requests->lanes += count;
}

/* The same from the pattern's rows, in their own order. */
static struct requests requests_of_rows(const struct csr *a, int64_t value)
{
    const int64_t groups = a->rows / WARP, step = max(groups / GROUPS_LOOKED_AT, 1);
    struct requests requests = {0};
    for (int64_t g = 0; g < groups; g += step)
        for (int64_t slot = 0; slot < SLOTS_LOOKED_AT; slot++) {
            int32_t some[WARP];
            int count = 0;
            for (int64_t i = g * WARP; i < (g + 1) * WARP; i++)
                if (a->row_ptr[i] + slot < a->row_ptr[i + 1]) some[count++] = a->col[a->row_ptr[i] + slot];
            if (count == 0) break;
            look_at(&requests, some, count, value);
        }
    return requests;
}

/* Return the mean number of sectors of a vector in which the lanes of a warp find their elements, if they
 * have the same slot of neighbouring rows; WARP if nothing tells. Columns -1 are padding. */
static double sectors_a_warp(const struct launch *launch, int q)
{
    const struct array *array = &launch->storage->array[q];
    const int32_t *col = array->data;
    const int64_t groups = array->length / WARP, step = max(groups / GROUPS_LOOKED_AT, 1);
    const int64_t value = (int64_t)value_size(launch->storage);
    struct requests requests = {0};
    for (int64_t g = 0; col && g < groups; g += step) {
        int32_t some[WARP];
        int count = 0;
        for (int k = 0; k < WARP; k++)
            if (col[g * WARP + k] >= 0) some[count++] = col[g * WARP + k];
        look_at(&requests, some, count, value);
    }
    if (!col && launch->pattern) requests = requests_of_rows(launch->pattern, value);
    return requests.lanes > 0 ? WARP * (double)requests.sectors / (double)requests.lanes : WARP;
}

enum status product_prepare_beside(struct launch *launch, int q, int64_t beside, struct error *error)
{
    if (launch->product.transposed) return product_prepare(launch, PRODUCT_ADDS, error);
    if (product_by_columns(launch)) {
        if (sectors_a_warp(launch, q) < STRAIGHT_SECTORS || direct(launch, PRODUCT_STORES)) {
            enum status status = make_state(launch, error);
            if (status == STATUS_OK) ((struct product_state *)launch->state)->straight = true;
            return status;
        }
    }
    enum status status = product_prepare(launch, PRODUCT_STORES, error);
    if (status == STATUS_OK) choose_width(launch, q, beside);
    return status;
}

/* Allocate X and Y in row-major order if the loops need them. */
static enum status make_turned(struct launch *launch, enum product_writes writes, struct error *error)
{
    struct product_state *state = launch->state;
    struct error reason = {0};
    if (!product_by_columns(launch) || direct(launch, writes)) return STATUS_OK;
    size_t value = value_size(launch->storage);
    if (writes != PRODUCT_ADDS_ROWS)
        state->x = device_array(launch->device, vectors_elements(launch, x_size(launch)), value,
                                "X row by row", &reason);
    if (reason.status == STATUS_OK && (writes == PRODUCT_ADDS || writes == PRODUCT_ADDS_ROWS))
        state->y = device_array(launch->device, vectors_elements(launch, y_size(launch)), value,
                                "Y row by row", &reason);
    if (reason.status == STATUS_OK) return STATUS_OK;
    return error_set(error, reason.status, "%s", reason.message);
}

enum status product_prepare(struct launch *launch, enum product_writes writes, struct error *error)
{
    enum status status = make_state(launch, error);
    return status == STATUS_OK ? make_turned(launch, writes, error) : status;
}

enum status product_prepare_csr(struct launch *launch, struct error *error)
{
    const bool transposed = launch->product.transposed;
    enum status status = make_state(launch, error);
    if (status != STATUS_OK) return status;
    struct product_state *state = launch->state;
    if (!transposed) status = make_turned(launch, PRODUCT_SHARES, error);
    if (!transposed) choose_width(launch, CSR_COL, 1);
    if (status == STATUS_OK) status = product_windows_make(launch, &state->windows, error);
    if (status == STATUS_OK && transposed)
        status = make_turned(launch, state->windows.windows > 0 ? PRODUCT_ADDS_ROWS : PRODUCT_ADDS, error);
    return status;
}

/* Return the mean number of sectors of a vector to which WARP neighbouring entries add, by their columns. If
 * several entries add to one element, its sector counts once for each of them: such additions follow each
 * other. */
static double sectors_added(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    const int32_t *stored = storage->array[COO_COL].data;
    const int32_t *col = stored ? stored : launch->pattern ? launch->pattern->col : NULL;
    const int64_t entries = stored ? storage->nnz : launch->pattern ? csr_nnz(launch->pattern) : 0;
    const int64_t groups = entries / WARP, step = max(groups / GROUPS_LOOKED_AT, 1),
                  each = SECTOR / (int64_t)value_size(storage);
    double sectors = 0, looked = 0;
    for (int64_t g = 0; g < groups; g += step, looked++) {
        int32_t some[WARP];
        int most = 0, same = 0; /* of the sector and of the element */
        memcpy(some, col + g * WARP, sizeof some);
        qsort(some, WARP, sizeof *some, compare);
        for (int k = 0; k < WARP; k++) {
            const bool next = k > 0 && some[k] / each == some[k - 1] / each;
            same = next && some[k] == some[k - 1] ? same + 1 : 1;
            most = next && same < most ? most : same;
            if (k + 1 == WARP || some[k + 1] / each != some[k] / each) sectors += most;
        }
    }
    return looked > 0 ? sectors / looked : WARP;
}

/* No vectors are turned for up to this many additions per resident thread. */
#define FEW_ADDED 4

/* Return whether entries of COO add to vectors stored by columns without turning them: whether that touches
 * fewer sectors. Turning X and Y counts as two additions to each of their sectors. */
static bool adds_apart(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    const double columns = product_columns(launch->product), value = (double)value_size(storage);
    if (!launch->product.transposed || !product_by_columns(launch) ||
        storage_parameter(storage, COO_ORDER) != COO_BY_ROW)
        return false;
    const double resident = (double)grid_resident_threads(launch), entries = (double)storage->nnz;
    if (entries * columns <= FEW_ADDED * resident) return true;
    const double apart = columns * sectors_added(launch) / WARP * entries;
    const double turned = (entries + 2 * (double)(storage->rows + storage->cols)) * columns * value / SECTOR;
    return apart < turned;
}

enum status product_prepare_coo(struct launch *launch, struct error *error)
{
    enum status status = make_state(launch, error);
    if (status != STATUS_OK) return status;
    if (!adds_apart(launch)) return make_turned(launch, PRODUCT_ADDS, error);
    ((struct product_state *)launch->state)->straight = true;
    return STATUS_OK;
}

void product_release(struct launch *launch)
{
    struct product_state *state = launch->state;
    if (!state) return;
    product_windows_release(launch, &state->windows);
    device_release(launch->device, state->x);
    device_release(launch->device, state->y);
    free(state);
    launch->state = NULL;
}

void product_traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct product_state *state = launch->state;
    size_t value = value_size(launch->storage);
    if (product_plain(launch->product)) return;
    if (state->x) traffic->own_bytes += 2 * vectors_elements(launch, x_size(launch)) * value;
    traffic->own_bytes += product_windows_bytes(launch, &state->windows);
    if (state->y) traffic->own_bytes += 2 * vectors_elements(launch, y_size(launch)) * value;
}
