#include "formats/ell_part.h"

#include "base/range.h"
#include "base/threads.h"
#include "formats/criteria_rules.h"

const char *const ell_layouts[] = {[ELL_TRANSPOSED] = "transposed", [ELL_ROWS] = "rows", NULL};
const char *const ell_pads[] = {[ELL_REPEAT] = "repeat", [ELL_SENTINEL] = "sentinel", NULL};

struct place ell_place(const struct storage *storage, const struct ell_part *part, int64_t e)
{
    return (struct place){ell_row(part, e), array_integer(&storage->array[ELL_COL], e)};
}

/* Threads share tiles of about TILE_SLOTS slots, at most TILE_WIDE positions wide and of a multiple of STRIP
 * rows: so even a single wide row is shared, and cancellation is checked after each tile. Within a tile the
 * slots are written strip by strip, each of STRIP rows. With the transposed layout, the slots of one position
 * are contiguous and fill whole cache lines, while the lines of the STRIP rows' entries stay in the
 * first-level cache from one position to the next. */
#define TILE_SLOTS 65536
#define TILE_WIDE 1024
#define STRIP 64

struct strip {
    int64_t first, count; /* the first row, and the number of rows */
    int64_t begin[STRIP]; /* the first entry of each row */
    int64_t length[STRIP];
    int32_t pad[STRIP]; /* the column index of each row's padding */
};

static void read_strip(const struct ell_part *part, const struct csr *a, int64_t first, int64_t end,
                       struct strip *strip)
{
    strip->first = first;
    strip->count = end - first;
    for (int64_t r = 0; r < strip->count; r++) {
        int64_t begin = a->row_ptr[first + r], length = row_length(a, first + r);
        strip->begin[r] = begin;
        strip->length[r] = length;
        strip->pad[r] = part->sentinel ? -1 : length ? a->col[begin + length - 1] : 0;
    }
}

/* Write position c of row r of a strip, an entry or padding, into slot e. */
static inline void put_slot(struct storage *storage, const struct csr *a, const struct strip *strip,
                            int64_t r, int64_t c, int64_t e)
{
    int32_t *col = array_i32(storage, ELL_COL);
    struct array *val = &storage->array[ELL_VAL];
    if (c < strip->length[r]) {
        col[e] = a->col[strip->begin[r] + c];
        put_value(storage, val, e, a, strip->begin[r] + c);
    } else {
        col[e] = strip->pad[r];
        put_zero(val, e);
    }
}

/* Fill positions from .. to-1 of a strip's rows, in the order of their slots. */
static void fill_strip(struct storage *storage, const struct ell_part *part, const struct csr *a,
                       const struct strip *strip, int64_t from, int64_t to)
{
    if (part->transposed) {
        for (int64_t c = from; c < to; c++)
            for (int64_t r = 0; r < strip->count; r++)
                put_slot(storage, a, strip, r, c, c * part->rows + strip->first + r);
    } else {
        for (int64_t r = 0; r < strip->count; r++)
            for (int64_t c = from; c < to; c++)
                put_slot(storage, a, strip, r, c, (strip->first + r) * part->width + c);
    }
}

enum status ell_part_fill(struct storage *storage, const struct ell_part *part, const struct csr *a,
                          const char *phase, struct progress *progress, struct error *error)
{
    int64_t wide = min(part->width, TILE_WIDE);
    if (part->rows == 0 || wide == 0) return STATUS_OK;
    int64_t high = STRIP + TILE_SLOTS / wide / STRIP * STRIP;
    int64_t across = (part->width + wide - 1) / wide, tiles = across * ((part->rows + high - 1) / high);
    progress_phase(progress, phase, tiles);
#pragma omp parallel for schedule(dynamic, 1) if (tiles > 1)
    for (int64_t t = 0; t < tiles; t++) {
        if (progress_cancelled(progress)) continue;
        int64_t from = t % across * wide, to = min(from + wide, part->width);
        int64_t end = min((t / across + 1) * high, part->rows);
        struct strip strip;
        for (int64_t i = t / across * high; i < end; i += STRIP) {
            read_strip(part, a, i, min(i + STRIP, end), &strip);
            fill_strip(storage, part, a, &strip, from, to);
        }
        progress_add(progress, 1);
    }
    return progress_status(progress, error);
}

/* A fault: element e of array q, and the reason. */
struct fault {
    int q;
    int64_t e;
    const char *what; /* NULL if none is wrong */
};

/* Return the first fault of row i. */
static struct fault row_fault(const struct storage *storage, const struct ell_part *part, int64_t i)
{
    const int32_t *col = storage->array[ELL_COL].data;
    int32_t last = -1, pad = part->sentinel ? -1 : 0;
    bool padded = false;
    for (int64_t c = 0; c < part->width; c++) {
        int64_t e = ell_slot(part, i, c);
        if (storage_padding(storage, 0, e)) {
            padded = true;
            if (col[e] != pad) return (struct fault){ELL_COL, e, "is not what padding has here"};
            continue;
        }
        if (padded) return (struct fault){ELL_VAL, e, "comes after padding"};
        if (col[e] < 0 || col[e] >= storage->cols) return (struct fault){ELL_COL, e, "lies out of range"};
        if (col[e] <= last) return (struct fault){ELL_COL, e, "is not beyond the one before"};
        last = col[e];
        if (!part->sentinel) pad = last;
    }
    return (struct fault){.what = NULL};
}

enum status ell_part_validate(const struct storage *storage, const struct ell_part *part, struct error *error)
{
    int64_t worst = part->rows;
#pragma omp parallel for reduction(min : worst) if (storage->slots[0] > PARALLEL_MIN)
    for (int64_t i = 0; i < part->rows; i++)
        if (i < worst && row_fault(storage, part, i).what) worst = i;
    if (worst == part->rows) return STATUS_OK;
    const struct fault fault = row_fault(storage, part, worst);
    return bad_element(&storage->array[fault.q], fault.e, fault.what, error);
}

/* Memory access efficiency */

/* With layout=rows all lines have the width of the rectangle. */
static double term_rows(const struct layout *layout, int64_t first, int64_t end)
{
    int64_t wide = layout->storage->number[ELL_WIDTH], sum = 0;
    struct abreast lines;
    for (int64_t warp = first; warp < end; warp += WARP_THREADS) {
        lines.count = (int)min(WARP_THREADS, end - warp);
        for (int l = 0; l < lines.count; l++) {
            lines.start[l] = (warp + l) * wide;
            lines.length[l] = wide;
        }
        sum += sectors_abreast(&lines, layout->elements);
    }
    return (double)sum;
}

static double sectors_rows(const struct layout *layout)
{
    return criteria_sum(layout, 0, layout->lines, WARP_THREADS, term_rows);
}

static double sectors_transposed(const struct layout *layout)
{
    return (double)sectors_of_rectangle(0, layout->lines, layout->storage->number[ELL_WIDTH],
                                        layout->elements);
}

double ell_fetches(const struct layout *layout, int parameter)
{
    bool transposed = storage_parameter(layout->storage, parameter) == ELL_TRANSPOSED;
    return each_array(layout, 0, transposed ? sectors_transposed : sectors_rows);
}
