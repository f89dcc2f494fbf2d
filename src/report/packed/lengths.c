#include "report/packed/lengths.h"

#include "base/memory.h"
#include "base/range.h"

static void put_spans(struct packer *packer, const struct spans *spans)
{
    int64_t steps = spans_steps(spans);
    for (int64_t k = 0; k < steps && !packer_full(packer); k++)
        packer_put(packer, (uint64_t)(spans->offsets[k + 1] - spans->offsets[k]));
    if (spans->step == 1) return;
    for (int64_t k = 0; k < steps && !packer_full(packer); k++)
        packer_put(packer, (uint64_t)spans->maxima[k]);
    packer_put(packer, (uint64_t)spans->longest_count);
    for (int k = 0; k < spans->longest_count; k++) {
        packer_put(packer, (uint64_t)spans->longest[k].line);
        packer_put(packer, (uint64_t)spans->longest[k].length);
    }
}

static enum status pack(const struct spans *spans, size_t most, struct text *out)
{
    struct packer *packer = packer_open(out, most);
    if (packer) put_spans(packer, spans);
    return packer_close(packer);
}

/* Pack the lengths in stretches of this step. */
static enum status pack_step(const struct spans *spans, const struct lengths *lengths, int64_t step,
                             size_t most, struct text *out)
{
    struct spans coarse;
    if (step == spans->step) return pack(spans, most, out);
    if (spans->step > 1) return STATUS_LIMIT;
    enum status status = spans_coarsen(spans, lengths, step, &coarse, NULL);
    if (status == STATUS_OK) status = pack(&coarse, most, out);
    spans_free(&coarse);
    return status;
}

enum status lengths_pack(const struct spans *spans, const struct lengths *lengths, int64_t stretches,
                         size_t most, int64_t *step, struct text *out)
{
    const size_t before = out->length;
    *step = max(1, spans->step);
    while (spans->lines / *step + (spans->lines % *step != 0) > stretches)
        *step *= 2;
    for (;; *step *= 2) {
        enum status status = pack_step(spans, lengths, *step, most, out);
        if (status != STATUS_LIMIT || *step >= spans->lines) return status;
        text_cut(out, before);
    }
}

static bool get_offsets(struct unpacker *unpacker, int64_t steps, int64_t nnz, int64_t *offsets)
{
    uint64_t entries;
    offsets[0] = 0;
    for (int64_t k = 0; k < steps; k++) {
        if (!unpacker_next(unpacker, (uint64_t)(nnz - offsets[k]), &entries)) return false;
        offsets[k + 1] = offsets[k] + (int64_t)entries;
    }
    return offsets[steps] == nnz;
}

/* Read the longest line of each stretch. A stretch cannot have more entries than this times its number of
 * lines. */
static bool get_maxima(struct unpacker *unpacker, int64_t longest, const struct spans *spans)
{
    uint64_t max;
    for (int64_t k = 0; k < spans_steps(spans); k++) {
        int64_t entries = spans->own[k + 1] - spans->own[k];
        int64_t lines = min(spans->step, spans->lines - k * spans->step);
        if (!unpacker_next(unpacker, (uint64_t)min(longest, entries), &max)) return false;
        if ((double)max * (double)lines < (double)entries) return false;
        spans->maxima[k] = (int64_t)max;
    }
    return true;
}

static bool get_longest(struct unpacker *unpacker, const struct spans *spans)
{
    uint64_t line, length;
    for (int k = 0; k < spans->longest_count; k++) {
        if (!unpacker_next(unpacker, (uint64_t)spans->lines - 1, &line)) return false;
        if (!unpacker_next(unpacker, (uint64_t)spans->maxima[line / (uint64_t)spans->step], &length))
            return false;
        spans->longest[k] = (struct long_line){(int64_t)line, (int64_t)length};
    }
    return true;
}

static enum status wrong(struct error *error)
{
    return error_set(error, STATUS_INPUT, "lengths that do not fit the matrix");
}

/* Read the data of coarse spans other than the offsets. */
static enum status get_coarse(struct unpacker *unpacker, int64_t longest, struct spans *spans,
                              struct error *error)
{
    uint64_t count = 0;
    spans->maxima = memory_array((size_t)spans_steps(spans), sizeof *spans->maxima, error);
    if (!spans->maxima) return STATUS_MEMORY;
    bool whole = get_maxima(unpacker, longest, spans) &&
                 unpacker_next(unpacker, (uint64_t)min(spans->lines, SPANS_LONGEST), &count);
    if (!whole) return wrong(error);
    spans->longest = memory_zeroed((size_t)count, sizeof *spans->longest, error);
    if (!spans->longest) return STATUS_MEMORY;
    spans->longest_count = (int)count;
    return get_longest(unpacker, spans) && unpacker_done(unpacker) ? STATUS_OK : wrong(error);
}

enum status lengths_unpack(struct unpacker *unpacker, int64_t lines, int64_t step, int64_t nnz,
                           int64_t longest, struct spans *spans, struct error *error)
{
    *spans = (struct spans){.lines = lines, .step = step};
    int64_t steps = spans_steps(spans);
    int64_t *offsets = memory_array((size_t)steps + 1, sizeof *offsets, error);
    enum status status = offsets ? STATUS_OK : STATUS_MEMORY;
    spans->own = offsets;
    spans->offsets = offsets;
    if (status == STATUS_OK && !get_offsets(unpacker, steps, nnz, offsets)) status = wrong(error);
    if (status == STATUS_OK && step > 1) status = get_coarse(unpacker, longest, spans, error);
    if (status == STATUS_OK && step == 1) {
        status = spans_own(offsets, lines, spans, error);
        if (status == STATUS_OK && spans_stretch(spans, 0, lines).max > longest) status = wrong(error);
        if (status == STATUS_OK && !unpacker_done(unpacker)) status = wrong(error);
    }
    if (status != STATUS_OK) spans_free(spans);
    return status;
}
