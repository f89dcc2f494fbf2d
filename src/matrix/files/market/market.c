#include "matrix/files/market/market.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "matrix/files/decimal.h"
#include "matrix/files/market/header.h"
#include "matrix/files/market/source.h"
#include "matrix/files/reader.h"

enum status market_too_many(const struct container *container, const struct market_header *header,
                            int64_t line, struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(container), line, 1,
                    "more entries than the %" PRId64 " of the size line", header->shape.entries);
}

enum status market_too_few(const struct container *container, const struct market_header *header,
                           int64_t found, int64_t line, int64_t column, struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(container), line, column,
                    "the file ends after %" PRId64 " of the %" PRId64
                    " entries of the size line; it is cut short or the number is wrong",
                    found, header->shape.entries);
}

enum status market_too_long(const struct container *container, int64_t line, struct error *error)
{
    return error_at(error, STATUS_INPUT, container_path(container), line, 1,
                    "the line is longer than 65536 bytes; this is not an entry");
}

void market_add_findings(struct market_findings *findings, const struct market_parser *parser, int64_t block)
{
    findings->non_integers |= parser->non_integers;
    findings->pattern_values |= parser->pattern_values;
    for (int kind = 0; kind < MARKET_CHANGES; kind++) {
        const struct market_change *own = &parser->changes[kind];
        struct market_changed *all = &findings->changed[kind];
        int64_t count = all->change.count + own->count;
        if (own->count && (all->change.count == 0 || block < all->block))
            *all = (struct market_changed){.change = *own, .block = block};
        all->change.count = count;
    }
}

/* Note the number of values that double precision changes, and the first of them. */
static void note_changes(const struct market_findings *findings, struct text *notes)
{
    static const char *const what[MARKET_CHANGES] = {
        [CHANGE_INFINITE] = "beyond double precision",
        [CHANGE_ZERO] = "too small for double precision",
        [CHANGE_ROUNDED] = "not exact in double precision",
    };
    for (int kind = 0; kind < MARKET_CHANGES; kind++) {
        const struct market_changed *changed = &findings->changed[kind];
        const struct market_change *change = &changed->change;
        const char *noun = kind == CHANGE_ROUNDED ? "integer" : "value";
        bool several = change->count > 1;
        if (change->count == 0) continue;
        text_append(notes, "%" PRId64 " %s%s %s %s, ", change->count, noun, several ? "s" : "",
                    several ? "are" : "is", what[kind]);
        if (changed->line > 0)
            text_append(notes, "%son line %" PRId64 ": ", several ? "first " : "", changed->line);
        bool whole = kind == CHANGE_ROUNDED && fabs(change->value) < 1e30;
        text_append(notes, whole ? "%s became %.0f\n" : "%s became %g\n", change->word, change->value);
    }
}

/* Note contradictions in the file for the user, and the mistakes tolerated by lenient reading. */
static void take_notes(struct matrix *matrix, const struct market_header *header,
                       const struct market_findings *findings, const struct build_result *result)
{
    if (header->notes.data) text_append_bytes(&matrix->notes, header->notes.data, header->notes.length);
    if (header->shape.field == FIELD_INTEGER && findings->non_integers) {
        matrix->field = FIELD_REAL;
        text_append(&matrix->notes, "the banner says integer, but some values are not; read as real\n");
    }
    if (header->shape.field == FIELD_PATTERN && findings->pattern_values)
        text_append(&matrix->notes, "the banner says pattern, but entries have values; they were ignored\n");
    note_changes(findings, &matrix->notes);
    if (header->shape.from_zero && header->shape.coordinate)
        text_append(&matrix->notes, "indices of the file count from 0; here they count from 1\n");
    if (result->agreeing_mirrors)
        text_append(&matrix->notes,
                    "%" PRId64
                    " entries stand in both triangles of a symmetric file and agree; counted once\n",
                    result->agreeing_mirrors);
}

enum status market_read(struct container *container, const struct load_options *options,
                        struct progress *progress, struct matrix *matrix, struct error *error)
{
    struct market_header header;
    struct build_result result = {0};
    struct market_findings findings = {0};
    enum status status = decimal_start(error);
    if (status) return status;
    status = market_header_read(container, options, &header, error);
    if (status) return status;
    struct source source = {
        .rows = header.shape.rows,
        .cols = header.shape.cols,
        .complex = header.shape.field == FIELD_COMPLEX,
        .pattern = header.shape.field == FIELD_PATTERN,
        .symmetry = header.shape.symmetry,
        .duplicates = DUPLICATES_SUM,
        .agreeing_mirrors = options->lenient,
        SOURCE_OPTIONS(options),
        .summed = &matrix->summed,
        .path = container_path(container),
    };
    status = (container_is_plain(container) ? market_build_plain : market_build_stream)(
        container, &header, &source, progress, &matrix->csr, &result, &findings, error);
    if (!status) {
        matrix->field = header.shape.field;
        matrix->symmetry = header.shape.symmetry;
        matrix->coordinate = header.shape.coordinate;
        matrix->stored = result.stored;
        matrix->duplicates = result.duplicates;
        matrix->about = header.about;
        take_notes(matrix, &header, &findings, &result);
    }
    market_header_free(&header);
    return status;
}

static enum likeness sniff(const struct beginning *sample)
{
    size_t length = strlen(MatrixMarketBanner);
    bool banner = sample->count >= length && strncasecmp(sample->bytes, MatrixMarketBanner, length) == 0;
    return banner ? LIKENESS_CERTAIN : LIKENESS_NONE;
}

static enum status look(struct container *container, const struct load_options *options,
                        struct outline *outline, struct error *error)
{
    struct market_header header;
    enum status status = market_header_read(container, options, &header, error);
    if (status != STATUS_OK) return status;
    outline->field = header.shape.field;
    outline->symmetry = header.shape.symmetry;
    outline->coordinate = header.shape.coordinate;
    outline->rows = header.shape.rows;
    outline->cols = header.shape.cols;
    outline->entries = header.shape.entries;
    market_header_free(&header);
    return STATUS_OK;
}

/* Integers with a smaller magnitude fit into the 64 bits of other programs. */
#define WHOLE_MAX 0x1p63

/* Return the number of values that the matrix's field cannot express: those of integers beyond 64 bits, and
 * of a pattern those that are not 1, if it has summed entries. */
static int64_t others_than_field(const struct matrix *matrix)
{
    int64_t others = 0, nnz = csr_nnz(&matrix->csr);
    if (matrix->field == FIELD_INTEGER)
        for (int64_t k = 0; k < nnz; k++)
            others += !(fabs(matrix->csr.val[k]) < WHOLE_MAX);
    else if (matrix->field == FIELD_PATTERN && matrix->duplicates != 0)
        for (int64_t k = 0; k < nnz; k++)
            others += matrix->csr.val[k] != 1;
    return others;
}

/* Return the field for a file with this number of such values. */
static enum field field_written(const struct matrix *matrix, int64_t others)
{
    if (others == 0) return matrix->field;
    return matrix->field == FIELD_INTEGER ? FIELD_REAL : FIELD_INTEGER;
}

static enum status write_matrix(FILE *file, const struct matrix *matrix, const char *comment,
                                struct progress *progress, struct error *error)
{
    return market_write(file, &matrix->csr, field_written(matrix, others_than_field(matrix)),
                        matrix_symmetry_written(matrix, 0), comment, progress, error);
}

static enum status write_rows(const struct rows_file *file, struct error *error)
{
    const struct matrix *matrix = file->matrix;
    const int64_t others = file->sum(file->self, others_than_field(matrix));
    const bool general = matrix_symmetry_written(matrix, file->first_row) == SYMMETRY_GENERAL;
    return market_write_rows(file, field_written(matrix, others),
                             file->sum(file->self, general) ? SYMMETRY_GENERAL : matrix->symmetry, error);
}

const struct reader reader_market = {
    .name = "mtx",
    .title = "Matrix Market",
    .endings = (const char *const[]){".mtx", NULL},
    .parts = true,
    .sniff = sniff,
    .read = market_read,
    .look = look,
    .write = write_matrix,
    .write_rows = write_rows,
};
