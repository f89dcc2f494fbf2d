#include "analysis/block_sample.h"

#include <math.h>

#include "base/range.h"
#include "formats/bsr.h"
#include "formats/bsr_count.h"

/* Classes of block rows: class c has 2^c to 2^(c+1) - 1 entries. */
#define CLASSES 48

/* A class of which fewer block rows are kept does not tell its own spread. */
#define FEW 8

/* The quantile of the normal distribution for a 95% interval. */
#define QUANTILE 1.96

struct class
{
    double entries;      /* of all its block rows */
    double least, most;  /* the possible numbers of its blocks */
    double kept_rows;    /* block rows in the sample, */
    double kept, blocks; /* and their entries and blocks */
};

static int class_of(int64_t entries)
{
    return 63 - __builtin_clzll((unsigned long long)entries);
}

/* Count the entries of all block rows. */
static void take_all(const int64_t *row_ptr, int64_t rows, int64_t cols, int64_t size, struct class *classes)
{
    const int64_t across = bsr_blocks_across(cols, size);
    for (int64_t i = 0; i < rows; i += size) {
        const int64_t entries = row_ptr[min(i + size, rows)] - row_ptr[i];
        if (entries == 0) continue;
        struct class *class = &classes[class_of(entries)];
        class->entries += (double)entries;
        class->least += (double)divide_up(entries, size * size);
        class->most += (double)min(entries, across);
    }
}

/* A kept block row. */
struct kept {
    int64_t first, end; /* rows of the excerpt */
    int64_t entries, blocks;
    bool begins; /* it is the first of a group of neighbouring rows */
};

/* Find the next block row that is kept as a whole, from row *at of the excerpt on. The row with added entries
 * is not one of the matrix. */
static bool next_kept(const struct excerpt *excerpt, int64_t rows, int64_t size, int64_t *at,
                      struct kept *kept)
{
    const struct csr *a = &excerpt->rows;
    const int32_t *origin = excerpt->origin;
    kept->begins = false;
    for (; *at < a->rows; ++*at) {
        const int64_t i = *at, height = min(size, rows - origin[i]), end = i + height;
        if (i == 0 || origin[i - 1] + 1 != origin[i]) kept->begins = true;
        if (origin[i] % size != 0 || end > a->rows || origin[end - 1] != origin[i] + height - 1) continue;
        *at = end;
        if (excerpt->longer >= i && excerpt->longer < end) continue;
        struct csr part = *a;
        part.row_ptr += i;
        part.rows = height;
        kept->entries = part.row_ptr[height] - part.row_ptr[0];
        kept->blocks = kept->entries ? bsr_blocks_of(&part, size, 0, NULL) : 0;
        return true;
    }
    return false;
}

static void take_kept(const struct excerpt *excerpt, int64_t rows, int64_t size, struct class *classes)
{
    struct kept kept;
    for (int64_t at = 0; next_kept(excerpt, rows, size, &at, &kept);) {
        if (kept.entries == 0) continue;
        struct class *class = &classes[class_of(kept.entries)];
        class->kept_rows++;
        class->kept += (double)kept.entries;
        class->blocks += (double)kept.blocks;
    }
}

/* The variance of the estimate: the squares of what each group differs by from the ratios. */
static double variance(const struct excerpt *excerpt, int64_t rows, int64_t size, const struct class *classes)
{
    double squares = 0, residual = 0, groups = 0;
    struct kept kept;
    for (int64_t at = 0; next_kept(excerpt, rows, size, &at, &kept);) {
        if (kept.begins) {
            squares += residual * residual;
            residual = 0;
            groups++;
        }
        if (kept.entries == 0) continue;
        const struct class *class = &classes[class_of(kept.entries)];
        residual += class->entries / class->kept *
                    ((double)kept.blocks - class->blocks / class->kept * (double)kept.entries);
    }
    squares += residual * residual;
    return groups > 1 ? squares * groups / (groups - 1) : squares;
}

/* The part of the error that the kept block rows of a class cannot tell. Of few, the spread is unknown, but a
 * number in a range has a standard deviation of at most half the range (Popoviciu, 1935). Among many, some
 * others may differ from all that were met, as many as are missed in 5% of the samples. */
static double missed_of(const struct class *class, double half)
{
    if (class->kept_rows == 0) return half;
    if (class->kept_rows < FEW) return half * fmin(1, QUANTILE / sqrt(class->kept_rows));
    return half * (1 - class->kept / class->entries) * fmin(1, QUANTILE * QUANTILE / class->kept_rows);
}

struct skeleton_blocks block_sample(const struct excerpt *excerpt, const int64_t *row_ptr, int64_t rows,
                                    int64_t size)
{
    struct class classes[CLASSES] = {{0}};
    struct skeleton_blocks found = {0, 0};
    double entries = 0, kept = 0, missed = 0;
    take_all(row_ptr, rows, excerpt->rows.cols, size, classes);
    take_kept(excerpt, rows, size, classes);
    for (int c = 0; c < CLASSES; c++) {
        const struct class *class = &classes[c];
        if (class->entries == 0) continue;
        const double middle = (class->least + class->most) / 2, half = (class->most - class->least) / 2;
        const double estimate = class->kept > 0 ? class->entries * (class->blocks / class->kept) : middle;
        entries += class->entries;
        kept += class->kept;
        found.count += fmin(fmax(estimate, class->least), class->most);
        if (class->kept < class->entries) missed += missed_of(class, half);
    }
    if (kept < entries)
        found.error = missed + QUANTILE * sqrt((1 - kept / entries) * variance(excerpt, rows, size, classes));
    return found;
}
