/* Fuzz targets of files whose format their contents tell, of archives, and of files beside a matrix. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analysis/parts/partition.h"
#include "fuzz/memory_file.h"
#include "fuzz/readers.h"
#include "fuzz/targets.h"
#include "matrix/files/catalogue.h"
#include "matrix/files/vector.h"
#include "matrix/mmio/mmio.h"
#include "matrix/orders/order.h"

/* Any file. HDF5's library crashes by itself; files of HDF5 are read by a process of their own. */
int fuzz_any(const uint8_t *data, size_t size)
{
    const struct load_options options = {.limit = FUZZ_LIMIT};
    struct matrix matrix;
    struct error error = {0};
    if (size >= 4 && memmem(data, size, "\x89HDF", 4)) return 0;
    memory_file_set(data, size, false);
    enum status status = fuzz_load(MEMORY_FILE, &options, &matrix, &error);
    matrix_free(&matrix);
    return !status;
}

/* A tar archive of members whose names and contents the input has: a name up to a line end, two bytes of its
 * length, and the bytes. */
static size_t make_tar(struct input *input, uint8_t *tar, size_t room)
{
    size_t used = 0;
    while (input->left && used + 512 * 3 < room) {
        char *name = input_text(input, '\n');
        size_t length = input_number(input, 2), sum = 0;
        if (length > input->left) length = input->left;
        size_t blocks = (length + 511) / 512;
        uint8_t *head = tar + used;
        if (used + 512 * (blocks + 3) > room) {
            free(name);
            break;
        }
        memcpy(head, name, strnlen(name, 100));
        memcpy(head + 100, "0000644\0000000000\0000000000\0", 24);
        snprintf((char *)head + 124, 12, "%011lo", (unsigned long)length);
        memcpy(head + 136, "00000000000", 12);
        memset(head + 148, ' ', 8);
        head[156] = '0';
        memcpy(head + 257, "ustar\00000", 8);
        for (int k = 0; k < 512; k++)
            sum += head[k];
        snprintf((char *)head + 148, 8, "%06lo", (unsigned long)sum);
        memcpy(head + 512, input->at, length);
        input->at += length;
        input->left -= length;
        used += 512 * (blocks + 1);
        free(name);
    }
    return used + 1024;
}

/* gzip around it, of one stored block. */
static size_t make_gzip(uint8_t *bytes, size_t size)
{
    uint32_t crc = (uint32_t)crc32(0, bytes, (uInt)size), length = (uint32_t)size;
    memmove(bytes + 15, bytes, size);
    memcpy(bytes, "\x1f\x8b\x08\0\0\0\0\0\0\x03\x01", 11);
    for (int k = 0; k < 2; k++) {
        bytes[11 + k] = (uint8_t)(length >> 8 * k);
        bytes[13 + k] = (uint8_t) ~(length >> 8 * k);
    }
    for (int k = 0; k < 4; k++) {
        bytes[15 + size + (size_t)k] = (uint8_t)(crc >> 8 * k);
        bytes[19 + size + (size_t)k] = (uint8_t)(length >> 8 * k);
    }
    return size + 23;
}

static void look_at_all(void)
{
    const struct load_options options = {.limit = FUZZ_LIMIT};
    struct catalogue catalogue = {0};
    struct catalogue_item *items[8];
    if (catalogue_start(&catalogue, NULL)) abort();
    catalogue_list(&catalogue, MEMORY_FILE, &options, NULL, NULL);
    int64_t count = catalogue_take(&catalogue, 0, items, 8);
    for (int64_t k = 0; k < count; k++)
        if (catalogue_state(items[k]) == CATALOGUE_WAITING) catalogue_peek(items[k], &options, NULL, NULL);
    catalogue_free(&catalogue);
}

/* An archive, a packed file or one that is none, opened as it is, by a member's name, and as the browser
 * lists it. */
int fuzz_archive(const uint8_t *data, size_t size)
{
    static uint8_t file[1 << 15];
    struct input input = {data, size};
    const struct load_options options = {.limit = FUZZ_LIMIT};
    struct matrix matrix;
    struct error error = {0};
    int how = input_byte(&input);
    char *member = input_text(&input, '\n'), path[160];
    size_t used = input.left < sizeof file / 2 ? input.left : sizeof file / 2;
    memset(file, 0, sizeof file);
    if (how & 1)
        used = make_tar(&input, file, sizeof file / 2);
    else
        memcpy(file, input.at, used);
    if (how & 2) used = make_gzip(file, used);
    snprintf(path, sizeof path, "%s%s%.100s", MEMORY_FILE, member[0] ? ":" : "", member);
    memory_file_set(file, used, how & 4);
    enum status status = STATUS_OK;
    if (used < 4 || !memmem(file, used, "\x89HDF", 4)) status = fuzz_load(path, &options, &matrix, &error);
    matrix_free(&matrix);
    memory_file_set(file, used, false);
    look_at_all();
    if (memory_file_open()) fuzz_wrong("a file stays open");
    free(member);
    return !status;
}

/* A vector whose length the first bytes give. */
int fuzz_vector(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct vector_wanted wanted = {.what = "x", .lines = "columns", .limit = FUZZ_LIMIT};
    struct vector vector;
    wanted.complex = input_byte(&input) & 1;
    wanted.size = input_byte(&input);
    memory_file_set(input.at, input.left, false);
    enum status status = vector_load(MEMORY_FILE, &wanted, NULL, &vector, NULL);
    double sum = 0;
    for (int64_t k = 0; !status && k < wanted.size; k++)
        sum += vector.real[k] + (vector.imaginary ? vector.imaginary[k] : 0);
    if (!status && !(sum - sum == 0 || sum != sum || sum > 1e300 || sum < -1e300))
        fuzz_wrong("the sum is %g", sum);
    vector_free(&vector);
    if (memory_file_open()) fuzz_wrong("a file stays open");
    return !status;
}

/* An empty matrix of these sizes. */
static void make_matrix(struct matrix *matrix, int64_t rows, int64_t cols)
{
    *matrix = (struct matrix){.csr = {.rows = rows, .cols = cols}};
    matrix->csr.row_ptr = calloc((size_t)rows + 1, sizeof *matrix->csr.row_ptr);
    matrix->csr.col = calloc(1, sizeof *matrix->csr.col);
    matrix->csr.val = calloc(1, sizeof *matrix->csr.val);
    if (!matrix->csr.row_ptr || !matrix->csr.col || !matrix->csr.val) abort();
}

static void check_order(const int32_t *from, int64_t count)
{
    bool seen[256] = {false};
    for (int64_t k = 0; from && k < count; k++) {
        if (from[k] < 0 || from[k] >= count || seen[from[k]]) fuzz_wrong("no permutation");
        seen[from[k]] = true;
    }
}

int fuzz_order_file(const uint8_t *data, size_t size)
{
    static const char *const words[] = {"file:path=" MEMORY_FILE, "file:apply=rows,base=0,path=" MEMORY_FILE,
                                        "file:apply=columns,path=" MEMORY_FILE,
                                        "file:apply=each,path=" MEMORY_FILE};
    struct input input = {data, size};
    struct matrix matrix;
    struct order_choice choice = {0};
    struct permutation permutation = {0};
    struct error error = {0};
    int which = input_byte(&input), rows = which >> 4, cols = which >> 2 & 4 ? rows : input_byte(&input) % 16;
    make_matrix(&matrix, rows, cols);
    if (order_choice_read(words[which % 4], &choice, &error)) fuzz_wrong("%s", error.message);
    memory_file_set(input.at, input.left, false);
    enum status status = order_compute(&choice, &matrix, FUZZ_LIMIT, NULL, &permutation, &error);
    if (status && !error.message[0]) fuzz_wrong("an error says nothing");
    if (!status) check_order(permutation.from, permutation.count);
    if (!status) check_order(permutation.cols, permutation.col_count);
    permutation_free(&permutation);
    order_choice_free(&choice);
    matrix_free(&matrix);
    if (memory_file_open()) fuzz_wrong("a file stays open");
    return !status;
}

int fuzz_owner_file(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct matrix matrix;
    struct partition_choice choice = {0};
    struct partition partition = {0};
    struct error error = {0};
    int which = input_byte(&input);
    make_matrix(&matrix, which >> 2, which >> 2);
    if (partition_choice_read(which & 1 ? "file:base=1,path=" MEMORY_FILE : "file:path=" MEMORY_FILE, &choice,
                              &error))
        fuzz_wrong("%s", error.message);
    memory_file_set(input.at, input.left, false);
    enum status status = partition_find(&choice, &matrix.csr, false, 2, FUZZ_LIMIT, NULL, &partition, &error);
    if (status && !error.message[0]) fuzz_wrong("an error says nothing");
    for (int64_t k = 0; !status && k < partition.rows; k++)
        if (partition.owner[k] < 0 || partition.owner[k] >= partition.parts)
            fuzz_wrong("an owner that is no part");
    partition_free(&partition);
    partition_choice_free(&choice);
    matrix_free(&matrix);
    if (memory_file_open()) fuzz_wrong("a file stays open");
    return !status;
}

/* NIST's interface: it reads the banner and the size line, and then the entries. */
int fuzz_mmio(const uint8_t *data, size_t size)
{
    MM_typecode code;
    int rows = 0, cols = 0, entries = 0, status;
    int *row, *col, *rows_read = NULL, *cols_read = NULL;
    double *value;
    memory_file_set(data, size, false);
    FILE *file = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (!file) return 0;
    status = mm_read_banner(file, &code);
    if (!status) free(mm_typecode_to_str(code));
    if (!status && mm_is_array(code)) status = mm_read_mtx_array_size(file, &rows, &cols);
    if (!status && !mm_is_array(code)) status = mm_read_mtx_crd_size(file, &rows, &cols, &entries);
    if (!status && mm_is_coordinate(code) && entries >= 0 && entries < 256) {
        rows_read = calloc((size_t)entries + 1, sizeof *rows_read);
        cols_read = calloc((size_t)entries + 1, sizeof *cols_read);
        double *values = calloc(2 * (size_t)entries + 1, sizeof *values);
        if (!rows_read || !cols_read || !values) abort();
        status = mm_read_mtx_crd_data(file, rows, cols, entries, rows_read, cols_read, values, code);
        for (int k = 0; !status && k < entries; k++)
            if (rows_read[k] < 1 || rows_read[k] > rows || cols_read[k] < 1 || cols_read[k] > cols)
                fuzz_wrong("entry %d is at %d, %d", k, rows_read[k], cols_read[k]);
        free(values);
    }
    free(rows_read);
    free(cols_read);
    fclose(file);
    if (entries >= 0 && entries < 4096 &&
        mm_read_unsymmetric_sparse(MEMORY_FILE, &rows, &cols, &entries, &value, &row, &col) == 0) {
        free(value);
        free(row);
        free(col);
    }
    return !status;
}
