/* Forecasts for processors of products with several vectors and with A^T. */
#include <math.h>
#include <string.h>

#include "analysis/forecast/cpu_parts.h"
#include "analysis/forecast/interval.h"
#include "analysis/forecast/products.h"
#include "base/range.h"
#include "formats/csr.h"
#include "kernels/cpu/csr.h"
#include "kernels/cpu/spmm.h"
#include "kernels/cpu/transposed.h"

#define LINE 64
#define BLOCK_BYTES 256 /* vectors are interleaved in blocks of this width (kernels/cpu/spmm_parts.h) */
#define STREAM_BYTES 4194304.0 /* larger Y are written around the caches (kernels/cpu/spmm.c) */

/* The times of loops for several vectors in a core's caches, as multiples of the time of a slot of csr-seq.
 * They were fitted by eye for 1 to 64 vectors, on an AMD EPYC with AVX2. The matrices were banded, with 4, 16
 * and 64 entries per row. If rows are whole vectors (loops/spmm_whole.h), a slot takes WHOLE_SLOT plus
 * WHOLE_LINE for each line of X. Otherwise, and if entries are added to Y, a slot takes slot_each for each 8
 * bytes, but at least `slot`. */
#define WHOLE_SLOT 1.3
#define WHOLE_LINE 0.4
static const struct work_of {
    double slot, slot_each; /* of a slot: the minimum, and the time for each 8 bytes */
    double row, row_each;   /* the same for a row */
} multiplies = {3.5, 0.5, 35, 2.1}, adds = {3.7, 0.41, 14, 1.4};
#define TURN 2.5 /* the time to copy an element to another layout */
#define COMPLEX 2.0
/* The additional time of a slot of ELL if the arrays exceed the caches: its neighbours in a row are far
 * apart. */
#define STRIDED 5.0
#define STRIDED_BYTES 4194304.0

/* A block of vectors. */
struct block {
    int columns;
    double wide; /* bytes of one element of each vector */
};

/* The seconds of a slot of csr-seq, from rows with 4 and 16 slots; 0 if they were not measured. */
static double unit_of(const struct processor *processor)
{
    const struct format_choice stored = format_choice_default(&format_csr, PRECISION_F64);
    const struct loop_pace *loop = processor_loop(processor, &kernel_cpu_csr_seq, &stored);
    int few = 0, many = 0;
    for (int k = 0; k < PROCESSOR_LENGTHS; k++) {
        if (processor_length[k] == 4) few = k;
        if (processor_length[k] == 16) many = k;
    }
    return loop ? (loop->row[many] - loop->row[few]) / (processor_length[many] - processor_length[few]) : 0;
}

/* True if the loops for several vectors process rows in this way. */
static bool is_kind(const struct cpu_forecasting *f, enum spmm_kind kind)
{
    return f->kernel->spmm_rows && f->kernel->spmm_rows(f->storage).kind == kind;
}

/* True if loops process a row of X of this number of bytes as whole vectors. */
static bool is_whole(const struct cpu_forecasting *f, double wide)
{
    const double most = strncmp(f->processor->isa, "avx512", 6) == 0 ? 256 : 128;
    int bytes = (int)wide;
    return is_kind(f, SPMM_CSR) && !f->storage->complex && wide <= most && (bytes & (bytes - 1)) == 0;
}

/* Find the time of a slot and of a row with a block, in slots of csr-seq. */
static void block_units(const struct cpu_forecasting *f, const struct block *block, double *slot, double *row)
{
    const struct work_of *of = f->product.transposed ? &adds : &multiplies;
    const double eights = block->wide / 8, complex = f->storage->complex ? COMPLEX : 1;
    *slot = complex * fmax(of->slot, of->slot_each * eights);
    *row = fmax(of->row, of->row_each * eights);
    if (f->product.transposed) *row = of->row + of->row_each * eights;
    if (!f->product.transposed && is_whole(f, block->wide))
        *slot = WHOLE_SLOT + WHOLE_LINE * block->wide / LINE, *row = of->row;
}

static bool is_padded(const struct storage *storage)
{
    return storage_slots(storage) != storage->nnz;
}

/* Add the computing time of a block. */
static void add_computing(const struct cpu_forecasting *f, const struct block *block, double unit,
                          struct cpu_work *work)
{
    double slot, row, largest = 0, sum = 0;
    block_units(f, block, &slot, &row);
    if (is_kind(f, SPMM_ELL) && f->arrays > STRIDED_BYTES) slot += STRIDED;
    for (int t = 0; t < f->threads; t++) {
        const struct cpu_share *share = &f->matrix->share[t];
        const double seconds = unit * (row * (double)share->rows + slot * (double)share->entries);
        sum += seconds;
        largest = fmax(largest, seconds);
    }
    if (is_padded(f->storage)) {
        sum = unit * (row * (double)f->storage->rows + slot * (double)storage_slots(f->storage));
        largest = sum / f->threads;
    }
    if (host_work_of(f->kernel, f->storage) != HOST_ROWS) largest = sum / f->threads;
    work->computing += sum;
    work->largest += largest;
}

static enum status need_several(const struct cpu_forecasting *f, double wide, struct error *error)
{
    struct cpu_matrix *matrix = f->matrix;
    int size = 4;
    while (size < wide && size < LINE)
        size *= 2;
    if (matrix->several_size == size) return STATUS_OK;
    const struct touches touches =
        matrix->excerpt ? excerpt_touches(matrix->excerpt, matrix->a->row_ptr) : touches_of(matrix->a);
    matrix->several_size = 0;
    enum status status = scatter_of_x(&touches, NULL, size, &matrix->several, f->progress, error);
    if (status == STATUS_OK) matrix->several_size = size;
    return status;
}

/* Find the work of a product that uses the matrix as stored. */
static enum status find_work(const struct cpu_forecasting *f, double unit, bool cold, struct cpu_work *work,
                             struct error *error)
{
    const struct storage *storage = f->storage;
    const struct product product = f->product;
    const int all = product_columns(product);
    const bool by_columns = all > 1 && !product.by_rows;
    const double x = (double)product_x_size(product, storage->rows, storage->cols) * all,
                 y = (double)product_y_size(product, storage->rows, storage->cols) * all;
    const double copied =
        product.transposed && f->threads > 1 ? cpu_copied(f->matrix, f->threads, !by_columns) * all : 0;
    const int most = (int)fmax(1, BLOCK_BYTES / f->value);
    const int each = (by_columns || copied > 0) && most < all ? most : all;
    const bool stream =
        !product.transposed && !by_columns && y * f->value >= STREAM_BYTES && !product.accumulate;
    enum status status = STATUS_OK;
    *work = (struct cpu_work){.teams = f->kernel->sequential ? 0 : 1};
    work->bytes = f->value * y * (product.transposed ? 3 : stream ? 1 : 2);
    for (int first = 0; first < all && status == STATUS_OK; first += each) {
        const int columns = each < all - first ? each : all - first;
        const struct block block = {columns, columns * f->value};
        work->bytes += f->arrays;
        add_computing(f, &block, unit, work);
        status = need_several(f, block.wide, error);
        if (status == STATUS_OK)
            cpu_add_scatter(f, &f->matrix->several, fmax(1, block.wide / LINE), cold, work);
        if (!f->kernel->sequential)
            work->teams += (first > 0 ? 0.5 : 0) + (by_columns || copied > 0 ? 0.5 : 0);
    }
    double turned = by_columns ? unit * TURN * (x + y) : 0;
    if (product.transposed || by_columns) work->bytes += f->value * x * (product.transposed ? 1 : 3);
    if (copied > 0) {
        work->bytes += 3 * copied * f->value;
        turned += 3 * copied * f->value / processor_read(f->processor, 1, 0);
    }
    work->computing += turned;
    work->largest += turned / f->threads;
    return status;
}

/* Make *turned, which is the storage of A, the plan of A^T in the format of A, and *matrix that of A^T. The
 * A^T of an excerpt, or of a matrix with very many entries, is assumed to be like A, and *matrix stays. If
 * *matrix changes, the caller frees a plan in another format than CSR with storage_free. */
static enum status turn(struct cpu_matrix **matrix, struct storage *turned, struct progress *progress,
                        struct error *error)
{
    const struct csr *a = (*matrix)->a;
    const bool known = !(*matrix)->excerpt && a->col && csr_nnz(a) <= CPU_LISTED;
    const struct format_choice choice = storage_choice(turned);
    const struct format_options options = {.wide = turned->wide};
    enum status status = known ? cpu_need_turned(*matrix, error) : STATUS_OK;
    if (status != STATUS_OK) return status;
    if (turned->format == &format_csr) {
        const int64_t rows = turned->rows;
        turned->rows = turned->cols;
        turned->cols = rows;
        turned->array[CSR_ROW_PTR].length = turned->rows + 1;
    } else if (known) {
        status = format_plan(&choice, &options, (*matrix)->turned->a, progress, turned, error);
        if (status != STATUS_OK) storage_free(turned);
    }
    if (known && status == STATUS_OK) *matrix = (*matrix)->turned;
    return status;
}

/* Forecast a product by the loops of spmm.h with a matrix as it is stored. */
static enum status forecast_stored(const struct processor *processor, struct cpu_matrix *matrix,
                                   const struct kernel *kernel, const struct storage *storage, int threads,
                                   struct product product, struct prediction predicted[2],
                                   struct progress *progress, struct error *error)
{
    const double unit = processor->there ? unit_of(processor) : 0;
    struct cpu_forecasting f = {.processor = processor,
                                .matrix = matrix,
                                .kernel = kernel,
                                .storage = storage,
                                .threads = kernel->sequential || threads < 1 ? 1 : threads,
                                .product = product,
                                .value = value_width(storage->precision, storage->complex),
                                .arrays = (double)storage_size(storage).bytes,
                                .progress = progress};
    const struct kernel *paced = cpu_find_loop(&f);
    if (!f.loop || !(unit > 0)) return STATUS_OK;
    f.footprint =
        f.arrays + f.value * ((double)storage->rows + (double)storage->cols) * product_columns(product);
    enum status status = cpu_need_shares(matrix, f.threads, error);
    for (int cold = 0; cold < 2 && status == STATUS_OK; cold++) {
        struct cpu_work work;
        status = find_work(&f, unit, cold, &work, error);
        if (status != STATUS_OK) break;
        cpu_predict(&f, &work, cold, &predicted[cold]);
        prediction_borrows(&predicted[cold], kernel, paced);
        product_set_interval(&predicted[cold]);
    }
    return status;
}

enum status cpu_forecast_product(const struct processor *processor, struct cpu_matrix *matrix,
                                 const struct kernel_choice *choice, const struct storage *storage,
                                 int threads, struct product product, struct prediction predicted[2],
                                 struct progress *progress, struct error *error)
{
    const struct kernel *kernel = choice->kernel;
    const bool stores = transposed_stores(choice, product);
    const struct cpu_matrix *before = matrix;
    struct storage turned = *storage;
    enum status status = STATUS_OK;
    predicted[0] = predicted[1] = (struct prediction){.there = false};
    if (kernel_computes(kernel, product, NULL) != STATUS_OK) return STATUS_OK;
    if (stores) {
        product.transposed = false;
        status = turn(&matrix, &turned, progress, error);
        if (status == STATUS_OK && product_plain(product))
            status = cpu_forecast(processor, matrix, choice, &turned, threads, product, predicted, progress,
                                  error);
    }
    if (status == STATUS_OK && (!stores || !product_plain(product)))
        status =
            forecast_stored(processor, matrix, kernel, &turned, threads, product, predicted, progress, error);
    if (matrix != before && turned.format != &format_csr) storage_free(&turned);
    return status;
}
