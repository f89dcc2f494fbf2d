#include "formats/jds.h"

#include "base/memory.h"
#include "base/range.h"
#include "formats/coo.h"
#include "formats/jds_parts.h"
#include "formats/sorted.h"
#include "matrix/histogram.h"

static const char *const cuts[] = {"none", "equal", "share", NULL};
static const char *const insides[] = {"ell", "csr", NULL};

static const struct parameter parameters[] = {
    [JDS_BY] = {.name = "sections",
                .help =
                    "cuts of the sorted rows: none, where lengths differ, or below a share of the longest",
                .type = PARAMETER_WORD,
                .words = cuts},
    [JDS_HEIGHT] = {.name = "height",
                    .help = "minimum number of rows of a section; a smaller one gets rows of the next",
                    .min = 1,
                    .max = INT32_MAX,
                    .standard = 1,
                    .type = PARAMETER_INTEGER},
    [JDS_SHARE] =
        {.name = "share",
         .help = "with sections=share: a section ends before rows shorter than this share of its longest",
         .min = 0,
         .max = 1,
         .standard = 0.5,
         .type = PARAMETER_REAL},
    [JDS_INSIDE] = {.name = "inside",
                    .help = "format of a section",
                    .type = PARAMETER_WORD,
                    .words = insides},
    [JDS_MAX] = {.name = "longest",
                 .help = "rows with more entries go to a COO part; by default none",
                 .min = 0,
                 .max = INT32_MAX,
                 .standard = INT32_MAX,
                 .type = PARAMETER_INTEGER},
    {0},
};

/* Counting */

/* The state of cutting sorted rows into sections. The cuts depend only on the number of rows of each
 * length. */
struct cutting {
    int64_t min;  /* minimum rows of a section, if there are enough */
    double share; /* a row shorter than this share of its section's longest row ends the section */
    bool pads;    /* true if sections are stored as ELL */
    struct array *section_row, *section_ptr; /* the arrays to write, or NULL to count only */
    int64_t wide, height, entries; /* of the open section: its longest row, its rows, and their entries */
    int64_t sections, rows, slots; /* number of sections so far, and their rows and slots */
};

/* End a section of `height` rows that have `entries` in all, `wide` of them in the longest row. */
static void end_section(struct cutting *cut, int64_t height, int64_t entries, int64_t wide)
{
    cut->sections++;
    cut->rows += height;
    cut->slots += cut->pads ? height * wide : entries;
    if (!cut->section_row) return;
    array_set(cut->section_row, cut->sections, cut->rows);
    array_set(cut->section_ptr, cut->sections, cut->slots);
}

static void begin_cutting(struct cutting *cut)
{
    if (cut->section_row) array_set(cut->section_row, 0, 0);
    if (cut->section_ptr) array_set(cut->section_ptr, 0, 0);
}

/* Go on with n rows of a length, which is less than those before and not 0. A section whose longest row has
 * `wide` entries takes all rows of at least share * wide entries, and if these are fewer than `min`, shorter
 * ones until it has `min` rows. So rows of one length may be divided between two sections: n is the number of
 * remaining rows, and `taken` the number that the section takes. */
static void cut_rows(struct cutting *cut, int64_t length, int64_t n)
{
    for (int64_t taken; n > 0; n -= taken) {
        bool enough = (double)length >= cut->share * (double)cut->wide;
        if (cut->height >= cut->min && !enough) {
            end_section(cut, cut->height, cut->entries, cut->wide);
            cut->height = cut->entries = 0;
        }
        if (cut->height == 0) cut->wide = length;
        taken = length >= cut->share * (double)cut->wide ? n : min(n, cut->min - cut->height);
        cut->height += taken;
        cut->entries += taken * length;
    }
}

/* Finally, empty rows make the last section. */
static void end_cutting(struct cutting *cut, int64_t empty)
{
    if (cut->height) end_section(cut, cut->height, cut->entries, cut->wide);
    if (empty) end_section(cut, empty, 0, 0);
}

/* Cut the rows, of which counts[length] have each length up to `longest`. */
static void cut_sections(struct cutting *cut, const uint32_t *counts, int64_t longest)
{
    begin_cutting(cut);
    for (int64_t length = longest; length > 0; length--)
        cut_rows(cut, length, counts[length]);
    end_cutting(cut, counts[0]);
}

static void cut_histogram(struct cutting *cut, const struct length_count *histogram, int64_t bins)
{
    begin_cutting(cut);
    for (int64_t b = bins - 1; b >= 0; b--)
        if (histogram[b].length > 0) cut_rows(cut, histogram[b].length, histogram[b].count);
    end_cutting(cut, bins > 0 && histogram[0].length == 0 ? histogram[0].count : 0);
}

static size_t counts_bytes(int64_t longest)
{
    return ((size_t)longest + 1) * sizeof(uint32_t);
}

/* Return the number of rows of each length up to `longest`, which the caller frees, or NULL if memory is
 * short.
 */
static uint32_t *make_counts(const struct csr *a, int64_t longest, struct progress *progress,
                             struct error *error)
{
    uint32_t *counts = memory_array((size_t)longest + 1, sizeof *counts, error);
    if (counts) count_lengths(a, longest, progress, counts);
    return counts;
}

static struct cutting cutting_of(const struct storage *storage)
{
    bool shared = storage_parameter(storage, JDS_BY) == JDS_SHARED;
    return (struct cutting){
        .min = storage_parameter(storage, JDS_HEIGHT),
        .share = shared ? storage->values.number[JDS_SHARE] : 1,
        .pads = jds_kind(storage) == JDS_SECTIONS_ELL,
    };
}

enum status jds_cut(const struct storage *storage, const struct length_count *histogram, int64_t bins,
                    struct jds_cut *cut, struct error *error)
{
    struct cutting cutting = cutting_of(storage);
    *cut = (struct jds_cut){0};
    cut_histogram(&cutting, histogram, bins);
    size_t count = (size_t)cutting.sections + 1;
    cut->row = memory_array(count, sizeof *cut->row, error);
    cut->ptr = memory_array(count, sizeof *cut->ptr, error);
    if (!cut->row || !cut->ptr) {
        jds_cut_free(cut);
        return STATUS_MEMORY;
    }
    struct array row = {.element = ELEMENT_I64, .data = cut->row};
    struct array ptr = {.element = ELEMENT_I64, .data = cut->ptr};
    cutting = cutting_of(storage);
    cutting.section_row = &row;
    cutting.section_ptr = &ptr;
    cut_histogram(&cutting, histogram, bins);
    cut->sections = cutting.sections;
    return STATUS_OK;
}

void jds_cut_free(struct jds_cut *cut)
{
    free(cut->row);
    free(cut->ptr);
    *cut = (struct jds_cut){0};
}

/* Planning */

/* Refuse parameters that would have no effect: those of sections without sections, and `share` with
 * sections=equal. */
static enum status check_parameters(const struct storage *storage, struct error *error)
{
    const int about_sections[] = {JDS_HEIGHT, JDS_SHARE, JDS_INSIDE};
    int64_t by = storage_parameter(storage, JDS_BY);
    for (int n = 0; n < 3; n++) {
        int k = about_sections[n];
        if (by == JDS_SHARED || (by == JDS_EQUAL && k != JDS_SHARE)) continue;
        if (storage->values.number[k] != parameters[k].standard)
            return error_set(error, STATUS_USAGE, "jds: %s says nothing with sections=%s; add sections=%s",
                             parameters[k].name, cuts[by],
                             k == JDS_SHARE ? "share" : "equal or sections=share");
    }
    return STATUS_OK;
}

/* Set the numbers and the slots of both parts from the number of rows of each length. The rows longer than
 * the parameter `longest` go to part 1. */
static void plan_numbers(struct storage *storage, const uint32_t *counts, int64_t longest)
{
    int64_t max = storage_parameter(storage, JDS_MAX), length = longest;
    for (; length > max; length--) {
        storage->number[JDS_APART] += counts[length];
        storage->slots[1] += length * counts[length];
    }
    while (length > 0 && counts[length] == 0)
        length--;
    storage->number[JDS_LONGEST] = length;
    storage->number[JDS_FILLED] = storage->rows - storage->number[JDS_APART] - counts[0];
    storage->slots[0] = storage->nnz - storage->slots[1];
    if (jds_kind(storage) == JDS_PLAIN) return;
    struct cutting cut = cutting_of(storage);
    cut_sections(&cut, counts, storage->number[JDS_LONGEST]);
    storage->number[JDS_SECTIONS] = cut.sections;
    storage->slots[0] = cut.slots;
}

static void plan_arrays(struct storage *storage)
{
    int64_t sections = storage->number[JDS_SECTIONS], slots = storage->slots[0];
    plan_array(storage, JDS_PERM, "perm", ROLE_ROWS, ELEMENT_I32, storage->rows - storage->number[JDS_APART],
               "row at sorted position r");
    if (jds_kind(storage) == JDS_PLAIN) {
        plan_offsets(storage, JDS_ITER_PTR, "iter_ptr", storage->number[JDS_LONGEST] + 1, slots,
                     "first entry of diagonal d");
    } else {
        plan_offsets(storage, JDS_SECTION_ROW, "section_row", sections + 1, storage->rows,
                     "first sorted row of section s");
        plan_offsets(storage, JDS_SECTION_PTR, "section_ptr", sections + 1, slots, "first slot of section s");
    }
    if (jds_kind(storage) == JDS_SECTIONS_CSR)
        plan_offsets(storage, JDS_ROW_PTR, "row_ptr", storage->number[JDS_FILLED] + 1, slots,
                     "first slot of sorted row r");
    int q = storage->count;
    storage->number[JDS_COLUMNS] = q;
    plan_slots(storage, q, "col", ROLE_COLUMNS, 0, "column of slot k");
    plan_slots(storage, q + 1, "val", ROLE_VALUES, 0, "value of slot k");
    if (storage->number[JDS_APART] == 0) return;
    plan_slots(storage, q + 2, "coo_row", ROLE_ROWS, 1, "row of entry k of the COO part");
    plan_slots(storage, q + 3, "coo_col", ROLE_COLUMNS, 1, "column of entry k of the COO part");
    plan_slots(storage, q + 4, "coo_val", ROLE_VALUES, 1, "value of entry k of the COO part");
}

static enum status plan_jds(struct storage *storage, const struct csr *a, struct progress *progress,
                            struct error *error)
{
    int64_t longest = longest_row(a);
    enum status status = check_parameters(storage, error);
    if (status == STATUS_OK) status = may_plan(storage, counts_bytes(longest), error);
    if (status != STATUS_OK) return status;
    uint32_t *counts = make_counts(a, longest, progress, error);
    if (!counts) return STATUS_MEMORY;
    status = progress_status(progress, error);
    if (status == STATUS_OK) {
        plan_numbers(storage, counts, longest);
        plan_arrays(storage);
        plan_scratch(storage, counts_bytes(longest));
        plan_scratch(storage, jds_scratch(storage, a));
    }
    free(counts);
    return status;
}

/* Offsets */

/* Diagonal d has as many entries as there are rows longer than d: diagonal 0 has all rows with entries, and
 * diagonal d + 1 has counts[d + 1] fewer than diagonal d. */
static void fill_iter_ptr(struct storage *storage, const uint32_t *counts)
{
    struct array *iter_ptr = &storage->array[JDS_ITER_PTR];
    int64_t height = storage->number[JDS_FILLED], offset = 0;
    for (int64_t d = 0; d < storage->number[JDS_LONGEST]; d++) {
        array_set(iter_ptr, d, offset);
        offset += height;
        height -= counts[d + 1];
    }
    array_set(iter_ptr, storage->number[JDS_LONGEST], offset);
}

enum status jds_fill_offsets(struct storage *storage, const struct csr *a, struct progress *progress,
                             struct error *error)
{
    uint32_t *counts = make_counts(a, longest_row(a), progress, error);
    if (!counts) return STATUS_MEMORY;
    enum status status = progress_status(progress, error);
    struct cutting cut = cutting_of(storage);
    cut.section_row = &storage->array[JDS_SECTION_ROW];
    cut.section_ptr = &storage->array[JDS_SECTION_PTR];
    if (status == STATUS_OK && jds_kind(storage) == JDS_PLAIN)
        fill_iter_ptr(storage, counts);
    else if (status == STATUS_OK)
        cut_sections(&cut, counts, storage->number[JDS_LONGEST]);
    free(counts);
    return status;
}

/* Checking */

/* Check that no diagonal is longer than the one before it or empty, and that the first one is at most as long
 * as the number of rows with entries. */
static enum status check_diagonals(const struct storage *storage, struct error *error)
{
    int64_t max = storage->number[JDS_FILLED];
    enum status status = check_ascending(&storage->array[JDS_ITER_PTR], storage->slots[0], error);
    for (int64_t d = 0; d < storage->number[JDS_LONGEST] && status == STATUS_OK; d++) {
        int64_t height = jds_at(storage, JDS_ITER_PTR, d + 1) - jds_at(storage, JDS_ITER_PTR, d);
        if (height > max || height == 0)
            status = bad_element(&storage->array[JDS_ITER_PTR], d + 1,
                                 height ? "makes the diagonal longer than the one before" : "leaves it empty",
                                 error);
        max = height;
    }
    return status;
}

/* Check that all sections have rows, and that the slots of a section are a rectangle if it is stored as ELL,
 * and those of its rows if it is stored as CSR. */
static enum status check_sections(const struct storage *storage, struct error *error)
{
    enum status status = check_ascending(&storage->array[JDS_SECTION_ROW], jds_sorted(storage), error);
    if (status == STATUS_OK)
        status = check_ascending(&storage->array[JDS_SECTION_PTR], storage->slots[0], error);
    if (status == STATUS_OK && jds_kind(storage) == JDS_SECTIONS_CSR)
        status = check_ascending(&storage->array[JDS_ROW_PTR], storage->slots[0], error);
    for (int64_t s = 0; s < storage->number[JDS_SECTIONS] && status == STATUS_OK; s++) {
        int64_t first = jds_at(storage, JDS_SECTION_ROW, s), slot = jds_at(storage, JDS_SECTION_PTR, s);
        int64_t height = jds_at(storage, JDS_SECTION_ROW, s + 1) - first;
        int64_t slots = jds_at(storage, JDS_SECTION_PTR, s + 1) - slot;
        if (height == 0)
            status = bad_element(&storage->array[JDS_SECTION_ROW], s + 1, "leaves the section empty", error);
        else if (jds_kind(storage) == JDS_SECTIONS_ELL && slots % height != 0)
            status = bad_element(&storage->array[JDS_SECTION_PTR], s + 1, "makes no rectangle of the section",
                                 error);
        else if (jds_kind(storage) == JDS_SECTIONS_CSR &&
                 (first > storage->number[JDS_FILLED] || jds_at(storage, JDS_ROW_PTR, first) != slot))
            status =
                bad_element(&storage->array[JDS_SECTION_PTR], s, "is not where its first row begins", error);
    }
    return status;
}

static enum status validate_jds(const struct storage *storage, struct error *error)
{
    int64_t columns = storage->number[JDS_COLUMNS];
    enum status status = check_distinct(&storage->array[JDS_PERM], storage->rows, error);
    if (status == STATUS_OK)
        status =
            jds_kind(storage) == JDS_PLAIN ? check_diagonals(storage, error) : check_sections(storage, error);
    if (status == STATUS_OK) status = check_within(&storage->array[columns], 0, storage->cols - 1, error);
    if (status != STATUS_OK || storage->number[JDS_APART] == 0) return status;
    return coo_check(storage, &storage->array[columns + 2], &storage->array[columns + 3], true, error);
}

static const char *const variants[] = {"", "sections=equal,height=32", NULL};

/* All rows are one window. */
static int64_t sorted_window(const struct storage *storage)
{
    return storage->rows > 1 ? storage->rows : 1;
}

static const struct format_trial trials[] = {{"", .quick = true},
                                             {"sections=equal,height=32", .quick = true},
                                             {"sections=equal,height=32,inside=csr"},
                                             {NULL}};

const struct format format_jds = {
    .name = "jds",
    .title = "JDS",
    .summary = "jagged diagonals: rows sorted by length, diagonal by diagonal or in sections of ELL or CSR",
    .source = "PMPP, section 10.5, figures 10.15 and 10.16; 4th edition, notes of chapter 14",
    .wins =
        "It suits rows of many lengths: it has no padding, and adjacent sorted rows have similar lengths. "
        "Sorting all rows separates neighbours that share elements of x; SELL with a window separates fewer.",
    .parameters = parameters,
    .convert_cost = 5,
    .variants = variants,
    .trials = trials,
    .sorted_window = sorted_window,
    .criteria = &jds_criteria,
    .plan = plan_jds,
    .fill = jds_fill,
    .validate = validate_jds,
    .place = jds_place,
    .locate = jds_locate,
    .touch = jds_touch,
    .leads = jds_leads,
    .rule = jds_rule,
    .shape = jds_shape,
    .cell = jds_cell,
    .find = jds_find,
    .label = jds_label,
};
