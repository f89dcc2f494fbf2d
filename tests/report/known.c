/* report/saved: a report's data on a matrix, shown without the matrix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/level.h"
#include "base/base64.h"
#include "base/memory.h"
#include "report/json/carried.h"
#include "report/packed/sketches.h"
#include "report/saved/saved.h"
#include "support/files.h"
#include "support/report.h"
#include "support/valid.h"

static const char *const matrices[] = {"gen:laplace2d,n=3",
                                       "gen:arrow,n=700",
                                       "gen:dissection,n=60",
                                       "gen:powerlaw,scale=11,edge=8",
                                       "gen:random,m=9000,n=300,mean=3",
                                       "gen:random,m=200,n=70000,mean=30",
                                       "gen:permutation,n=5000",
                                       "data/cranfield.mtx",
                                       "tests/matrix/foreign/complex.mtx",
                                       "tests/matrix/foreign/messy.mtx",
                                       "tests/matrix/foreign/edges.mtx"};
#define MATRICES (int)(sizeof matrices / sizeof *matrices)

/* The path of a matrix: those that are files lie beside the sources. */
static const char *path_of(const char *name, char *path, size_t size)
{
    const char *folder = getenv("SRCDIR");
    snprintf(path, size, "%s%s%s",
             strncmp(name, "gen:", 4) == 0 ? ""
             : folder                      ? folder
                                           : ".",
             strncmp(name, "gen:", 4) == 0 ? "" : "/", name);
    return path;
}

/* Everything that a report of a matrix can have without running kernels. */
static struct report_request request_all(size_t carry)
{
    struct report_request request = {
        .f64 = true, .f32 = true, .structure = true, .spgemm = true, .rounding = true, .carry = carry};
    assert_int_equal(distribution_read_parts("2,3,8", &request.distribution, NULL), STATUS_OK);
    return request;
}

static void load(const char *name, struct session *session)
{
    char path[512];
    struct report_request request = request_all(CARRIED_BYTES);
    load_for_report(session, path_of(name, path, sizeof path), &request);
    report_request_free(&request);
}

/* Make the report of a matrix that carries this number of bytes, as an object and in a file. */
static json_t *write_session(struct session *session, size_t carry, const char *path)
{
    struct report report;
    session->carry = carry;
    assert_int_equal(report_open(&report, &report_format_json, path, NULL), STATUS_OK);
    assert_int_equal(report_matrix(&report, session, NULL), STATUS_OK);
    assert_int_equal(report_close(&report, NULL), STATUS_OK);
    valid_file(path);
    json_t *object = valid_json(session);
    assert_non_null(object);
    return object;
}

static json_t *write_report(const char *name, size_t carry, struct session *session, const char *path)
{
    load(name, session);
    return write_session(session, carry, path);
}

static enum status open_known(const char *path, const char *name, struct session *session,
                              struct error *error)
{
    struct saved *saved = NULL;
    memset(session, 0, sizeof *session);
    enum status status = saved_open(path, 0, &saved, error);
    if (status == STATUS_OK) status = saved_session(&saved, 1, name, 0, session, error);
    saved_close(saved);
    return status;
}

static void expect_known(const char *path, struct session *session)
{
    struct error error = {0};
    char text[2000];
    if (open_known(path, NULL, session, &error) != STATUS_OK)
        fail_msg("%s", error_text(&error, text, sizeof text));
}

/* A report that is made from a report's data has the same numbers, except those of runs and comments. */
static void known_numbers_are_reported_again(void **state)
{
    static const char *const others[] = {"advice", "source.comments", "source.notes"};
    char path[512];
    report_path(path, sizeof path, "told.json");
    for (int m = 0; m < MATRICES; m++) {
        struct session session, known;
        json_t *told = write_report(matrices[m], CARRIED_BYTES, &session, path);
        expect_known(path, &known);
        known.carry = CARRIED_BYTES;
        json_t *again = valid_json(&known);
        assert_non_null(again);
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            const char *dot = strchr(others[k], '.');
            json_object_del(dot ? json_object_get(told, "source") : told, dot ? dot + 1 : others[k]);
            json_object_del(dot ? json_object_get(again, "source") : again, dot ? dot + 1 : others[k]);
        }
        const char *key;
        json_t *value;
        json_object_foreach(told, key, value)
        {
            const json_t *found = json_object_get(again, key);
            if (json_equal(value, found)) continue;
            char *a = json_dumps(found, JSON_ENCODE_ANY), *b = json_dumps(value, JSON_ENCODE_ANY);
            fail_msg("%s, %s: %.800s, and not %.800s", matrices[m], key, a, b);
        }
        json_decref(told);
        json_decref(again);
        session_free(&known);
        session_free(&session);
    }
    remove(path);
}

/* Count the same dots with the matrix and without it. */
static void compare_dots(const struct matrix_case *living, const struct matrix_case *known, int64_t dot_rows,
                         int64_t dot_cols)
{
    const struct csr *a = &living->matrix.csr;
    int high = (int)((a->rows + dot_rows - 1) / dot_rows), wide = (int)((a->cols + dot_cols - 1) / dot_cols);
    size_t dots = (size_t)high * (size_t)wide;
    int64_t *mine = memory_zeroed(dots, sizeof *mine, NULL), *its = memory_zeroed(dots, sizeof *its, NULL);
    assert_true(mine && its);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            mine[(size_t)(i / dot_rows) * (size_t)wide + (size_t)(a->col[k] / dot_cols)]++;
    pyramid_dots(&known->pyramid, NULL, &known->matrix.csr, 0, 0, dot_rows, dot_cols, high, wide, its);
    assert_memory_equal(mine, its, dots * sizeof *mine);
    for (int y = 0; y < high; y += 1 + high / 7)
        for (int x = 0; x < wide; x += 1 + wide / 5)
            assert_int_equal(pyramid_count(&known->pyramid, &known->matrix.csr, y * dot_rows,
                                           (y + 1) * dot_rows, x * dot_cols, (x + 1) * dot_cols),
                             mine[(size_t)y * (size_t)wide + (size_t)x]);
    free(mine);
    free(its);
}

static void compare_spans(const struct spans *living, const struct spans *known)
{
    assert_int_equal(living->lines, known->lines);
    for (int64_t each = known->step; each / 2 < known->lines; each *= 2)
        for (int64_t from = 0; from < known->lines; from += each) {
            struct stretch mine = spans_stretch(living, from, from + each),
                           its = spans_stretch(known, from, from + each);
            assert_int_equal(mine.max, its.max);
            assert_true(mine.mean == its.mean);
        }
}

/* At each level the picture, and the lengths of rows and columns, equal those of the matrix in memory,
 * however little the report carries. With less room they are coarser. */
static void pictures_are_the_living_ones(void **state)
{
    static const size_t rooms[] = {4 << 20, CARRIED_BYTES, 8000, 2000};
    char path[512];
    report_path(path, sizeof path, "carried.json");
    for (int m = 0; m < MATRICES; m++) {
        struct session session, known;
        int64_t before = 0;
        load(matrices[m], &session);
        for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
            json_t *object = write_session(&session, rooms[r], path);
            const json_t *carried = json_object_get(object, "carried");
            char *text = json_dumps(carried, 0);
            assert_true(strlen(text) <= rooms[r]);
            free(text);
            expect_known(path, &known);
            const struct pyramid *pyramid = &known.shown->pyramid;
            assert_true(session_has(&known, SESSION_PYRAMID | SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS));
            assert_true(pyramid->grid_rows <= CARRIED_SIDE && pyramid->grid_cols <= CARRIED_SIDE);
            assert_true(r == 0 || pyramid->row_step * pyramid->col_step >= before);
            before = pyramid->row_step * pyramid->col_step;
            for (int64_t k = 1; k == 1 || k / 2 < pyramid->grid_rows || k / 2 < pyramid->grid_cols; k *= 2)
                compare_dots(session.shown, known.shown, k * pyramid->row_step, k * pyramid->col_step);
            if (known.shown->row_spans.offsets)
                compare_spans(&session.shown->row_spans, &known.shown->row_spans);
            if (session_has(&known, SESSION_COL_PTR))
                compare_spans(&session.shown->col_spans, &known.shown->col_spans);
            if (r == 0) assert_true(known.shown->row_spans.offsets && session_has(&known, SESSION_COL_PTR));
            json_decref(object);
            session_free(&known);
        }
        session_free(&session);
    }
    remove(path);
}

/* A partition of a saved report has its sketch's data, as far as there was room. */
static void compare_sketches(const struct distributed *living, const struct distributed *known, int64_t rows,
                             bool all)
{
    const struct sketch *mine = &living->sketch, *its = &known->sketch;
    int pictures = 0;
    for (int k = 0; k < its->pictures; k++)
        for (int j = 0; j < mine->pictures; j++) {
            const struct size_dots *dots = &its->picture[k].dots, *others = &mine->picture[j].dots;
            if (dots->dot_rows != others->dot_rows || dots->dot_cols != others->dot_cols) continue;
            assert_memory_equal(dots, others, sizeof *dots);
            assert_memory_equal(its->picture[k].marks, mine->picture[j].marks,
                                (size_t)dots->high * (size_t)dots->wide * sizeof(int32_t));
            pictures++;
        }
    assert_int_equal(pictures, its->pictures);
    for (int k = 1; k < its->pictures; k++)
        assert_true(its->picture[k].dots.dot_rows > its->picture[k - 1].dots.dot_rows ||
                    its->picture[k].dots.dot_cols > its->picture[k - 1].dots.dot_cols);
    if (all) {
        assert_int_equal(its->pictures, mine->pictures);
        assert_int_equal(its->step, mine->step);
        assert_int_equal(its->run_count, mine->run_count);
    }
    int64_t folded[SKETCH_TILES * SKETCH_TILES];
    if (its->elements) {
        assert_int_equal(sketch_fold(mine->elements, mine->tiles, its->step / mine->step, folded),
                         its->tiles);
        assert_memory_equal(its->elements, folded, (size_t)(its->tiles * its->tiles) * sizeof *folded);
    }
    for (int64_t i = 0; i < rows && its->run_count; i++)
        assert_int_equal(sketch_owner(its, i), sketch_owner(mine, i));
    for (int64_t p = 0; p < living->halo.parts && known->halo.part; p++) {
        const struct halo_part *a = &living->halo.part[p], *b = &known->halo.part[p];
        assert_true(a->rows == b->rows && a->entries == b->entries && a->receives == b->receives &&
                    a->sends == b->sends && a->from == b->from && a->to == b->to);
    }
    assert_true((known->halo.part != NULL) == (its->step == 1));
}

static void partitions_are_the_living_ones(void **state)
{
    static const size_t rooms[] = {4 << 20, CARRIED_BYTES, 8000, 2000, 700};
    char path[512];
    report_path(path, sizeof path, "parts.json");
    for (int m = 0; m < MATRICES; m++) {
        struct session session, known;
        load(matrices[m], &session);
        for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
            json_t *object = write_session(&session, rooms[r], path);
            const json_t *list = json_object_get(json_object_get(object, "distribution"), "partitions");
            size_t bytes = 0;
            expect_known(path, &known);
            const struct distribution *living = &session.shown->distribution,
                                      *its = &known.shown->distribution;
            assert_int_equal(its->count, living->count);
            assert_true(living->count > 5);
            for (int k = 0; k < living->count; k++) {
                assert_string_equal(its->items[k].name, living->items[k].name);
                char *text =
                    json_dumps(json_object_get(json_array_get(list, (size_t)k), "carried"), JSON_ENCODE_ANY);
                bytes += strcmp(text, "null") == 0 ? 0 : strlen(text);
                free(text);
                if (living->items[k].status == STATUS_OK)
                    compare_sketches(&living->items[k], &its->items[k], session.shown->matrix.csr.rows,
                                     r == 0);
            }
            assert_true(bytes <= rooms[r]);
            if (r == 1) assert_true(its->items[0].sketch.pictures > 0 && its->items[0].sketch.elements);
            json_decref(object);
            session_free(&known);
        }
        session_free(&session);
    }
    remove(path);
}

/* The rows and the entries of all parts that a report carries are those of the matrix. */
static void parts_have_all_rows_and_entries(void **state)
{
    struct session session;
    load("gen:laplace2d,n=4", &session);
    const struct distributed *division = &session.shown->distribution.items[0];
    const int64_t rows = session.shown->matrix.csr.rows, nnz = case_nnz(session.shown);
    for (int k = 0; k < 5; k++) {
        struct text packed = {0}, letters = {0};
        struct unpacker *unpacker = NULL;
        struct halo halo = {.parts = division->parts, .volume = division->halo.volume};
        struct sketch sketch = {0};
        struct error error = {0};
        int64_t step;
        assert_int_equal(volumes_pack(&division->sketch, &division->halo, CARRIED_BYTES, &step, &packed),
                         STATUS_OK);
        assert_int_equal(step, 1);
        base64_append(&letters, packed.data, packed.length);
        assert_int_equal(unpacker_open(letters.data, &unpacker, &error), STATUS_OK);
        enum status status = volumes_unpack(unpacker, step, rows + (k == 1) - (k == 2),
                                            nnz + (k == 3) - (k == 4), &halo, &sketch, &error);
        if (status != (k ? STATUS_INPUT : STATUS_OK)) fail_msg("case %d: %s", k, error.message);
        if (k) assert_non_null(strstr(error.message, "volumes"));
        unpacker_close(unpacker);
        text_free(&packed);
        text_free(&letters);
        free(halo.part);
        sketch_free(&sketch);
    }
    session_free(&session);
}

/* With enough room the cells are the finest with at most 1024 a side. */
static void cells_are_as_fine_as_they_may_be(void **state)
{
    char path[512];
    struct session session, known;
    report_path(path, sizeof path, "fine.json");
    json_decref(write_report("gen:arrow,n=700", 1 << 20, &session, path));
    expect_known(path, &known);
    assert_int_equal(known.shown->pyramid.row_step, 1);
    assert_int_equal(known.shown->row_spans.step, 1);
    session_free(&known);
    session_free(&session);
    json_decref(write_report("gen:random,m=9000,n=300,mean=3", 1 << 20, &session, path));
    expect_known(path, &known);
    assert_int_equal(known.shown->pyramid.row_step, 16);
    assert_int_equal(known.shown->pyramid.col_step, 1);
    assert_int_equal(known.shown->row_spans.step, 4);
    session_free(&known);
    session_free(&session);
    remove(path);
}

/* A report carries data only on request. Without data there is no picture, but all numbers. */
static void a_report_that_carries_nothing_has_no_picture(void **state)
{
    char path[512];
    struct session session, known;
    report_path(path, sizeof path, "none.json");
    json_t *object = write_report("gen:dissection,n=20", 0, &session, path);
    assert_true(json_is_null(json_object_get(object, "carried")));
    expect_known(path, &known);
    assert_false(session_has(&known, SESSION_PYRAMID));
    assert_true(session_has(&known, SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS | SESSION_STRUCTURE |
                                        SESSION_VALUES | SESSION_COMPONENTS | SESSION_BLOCKS | SESSION_FILL |
                                        SESSION_SOLVES | SESSION_QR));
    assert_null(known.shown->row_spans.offsets);
    assert_int_equal(spans_stretch(&known.shown->row_spans, 0, 400).at, -1);
    json_decref(object);
    session_free(&known);
    session_free(&session);
    remove(path);
}

/* Runs of all reports are added to the case. */
static void runs_are_added_where_there_are_any(void **state)
{
    char path[512];
    struct session session, known;
    struct saved *saved;
    struct error error = {0};
    report_path(path, sizeof path, "runs.json");
    json_decref(write_report("gen:dissection,n=20", CARRIED_BYTES, &session, path));
    expect_known(path, &known);
    assert_int_equal(saved_open(path, 0, &saved, &error), STATUS_OK);
    assert_int_equal(saved_add(saved, known.shown, &known.shown->runs, &error), STATUS_OK);
    assert_int_equal(known.shown->runs.count, 0);
    assert_int_equal(saved_add(saved, session.shown, &session.shown->runs, &error), STATUS_INPUT);
    saved_close(saved);
    session_free(&known);
    session_free(&session);
    remove(path);
}

/* Put two reports of different matrices, and one of them twice, beside each other. */
static void the_matrix_is_chosen_by_its_name(void **state)
{
    static const char *const names[] = {"gen:dissection,n=5", "gen:arrow,n=30", "gen:arrow,n=30"};
    static const size_t carries[] = {CARRIED_BYTES, 0, CARRIED_BYTES};
    struct saved *saved[3];
    struct session session;
    struct error error = {0};
    for (int k = 0; k < 3; k++) {
        char path[512];
        report_path(path, sizeof path, "chosen.json");
        json_decref(write_report(names[k], carries[k], &session, path));
        session_free(&session);
        assert_int_equal(saved_open(path, 0, &saved[k], &error), STATUS_OK);
        remove(path);
    }
    assert_int_equal(saved_session(saved, 3, NULL, 0, &session, &error), STATUS_USAGE);
    assert_non_null(strstr(error.message, "several matrices"));
    assert_non_null(strstr(error.message, "dissection,n=5, arrow,n=30"));
    session_free(&session);
    error = (struct error){0};
    assert_int_equal(saved_session(saved, 3, "arow", 0, &session, &error), STATUS_USAGE);
    assert_non_null(strstr(error.message, "dissection,n=5, arrow,n=30"));
    session_free(&session);
    assert_int_equal(saved_session(saved, 3, "arrow,n=30", 0, &session, NULL), STATUS_OK);
    assert_string_equal(session.shown->matrix.name, "arrow,n=30");
    assert_true(session_has(&session, SESSION_PYRAMID)); /* the second one carries it */
    session_free(&session);
    assert_int_equal(saved_session(saved + 1, 2, NULL, 0, &session, NULL), STATUS_OK);
    session_free(&session);
    assert_true(saved_has(saved, 3, "dissection,n=5") && !saved_has(saved + 1, 2, "dissection,n=5"));
    for (int k = 0; k < 3; k++)
        saved_close(saved[k]);
}

/* Write the report again with the text at a dotted key replaced. */
static void replace(const json_t *document, const char *key, const char *text, const char *path)
{
    json_t *copy = json_deep_copy(document);
    json_t *object = json_array_get(json_object_get(copy, "matrices"), 0);
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    char part[64];
    assert_non_null(value);
    for (const char *dot; (dot = strchr(key, '.')); key = dot + 1) {
        snprintf(part, sizeof part, "%.*s", (int)(dot - key), key);
        object = part[0] >= '0' && part[0] <= '9' ? json_array_get(object, (size_t)atoi(part))
                                                  : json_object_get(object, part);
        assert_non_null(object);
    }
    json_object_set_new(object, key, value);
    assert_int_equal(json_dump_file(copy, path, 0), 0);
    json_decref(copy);
}

/* Sixteen zeros, packed by Python's zlib: rows without cells, or without entries. */
#define NOTHING_PACKED "\"eJxjYEAFAAAQAAE=\""

/* Each fault is reported with its key, and leaves nothing. */
static void wrong_data_is_refused(void **state)
{
    static const struct {
        const char *key, *text, *says;
    } faults[] = {
        {"rows", "-1", "rows"},
        {"rows", "4000000000", "rows"},
        {"cols", "null", "cols"},
        {"nnz", "1e9", "nnz"},
        {"nnz", "63", "histogram"},
        {"field", "\"quaternion\"", "field"},
        {"symmetry", "7", "symmetry"},
        {"source", "[]", "source"},
        {"source.title", "7", "title"},
        {"notes", "{}", "notes"},
        {"notes", "[1]", "notes"},
        {"structure.lower_bandwidth", "1e17", "structure"},
        {"structure.profile", "\"long\"", "profile"},
        {"structure.pattern_symmetry", "true", "pattern_symmetry"},
        {"values.min", "\"small\"", "min"},
        {"values.histogram.0.decade", "4000", "decade"},
        {"row_lengths.histogram", "[]", "histogram"},
        {"row_lengths.histogram", "[3]", "bin"},
        {"row_lengths.histogram.0.count", "1e6", "count"},
        {"row_lengths.histogram.1.length", "1", "length"},
        {"row_lengths.max", "4", "max"},
        {"col_lengths.min", "2.5", "min"},
        {"formats.0.precision", "\"f16\"", "precision"},
        {"formats.0.bytes", "-4", "bytes"},
        {"formats.2.criteria.space", "\"much\"", "space"},
        {"carried", "7", "carried"},
        {"carried.pattern.row_step", "3", "row_step"},
        {"carried.pattern.col_step", "0", "col_step"},
        {"carried.pattern.packed", "7", "packed"},
        {"carried.pattern.packed", "\"abc\"", "base64"},
        {"carried.pattern.packed", "\"!bcd\"", "base64"},
        {"carried.pattern.packed", "\"abcd\"", "cells"},
        {"carried.pattern.packed", "\"\"", "cells"},
        {"carried.pattern.packed", NOTHING_PACKED, "cells"},
        {"carried.row_lengths.packed", NOTHING_PACKED, "lengths"},
        {"carried.pattern.ones", "false", "cells"},
        {"carried.row_lengths.step", "8", "lengths"},
        {"carried.row_lengths.packed", "\"\"", "lengths"},
        {"carried.col_lengths.step", "1.5", "step"},
        {"distribution", "7", "distribution"},
        {"distribution.partitions.0.parts", "0", "parts"},
        {"distribution.partitions.1.volume", "-1", "volume"},
        {"distribution.network.latency_us", "\"slow\"", "latency_us"},
        {"distribution.partitions.0.carried", "7", "carried"},
        {"distribution.partitions.0.carried.pictures", "7", "pictures"},
        {"distribution.partitions.0.carried.pictures", "[7]", "row_step"},
        {"distribution.partitions.0.carried.pictures", "[7,7,7,7,7,7,7]", "short list"},
        {"distribution.partitions.0.carried.pictures.0.row_step", "0", "row_step"},
        {"distribution.partitions.0.carried.pictures.0.col_step", "3", "pictures"},
        {"distribution.partitions.0.carried.pictures.0.packed", NOTHING_PACKED, "pictures"},
        {"distribution.partitions.0.carried.volumes.step", "3", "step"},
        {"distribution.partitions.0.carried.volumes.packed", "\"\"", "volumes"},
        {"distribution.partitions.0.carried.volumes.packed", NOTHING_PACKED, "volumes"},
        {"distribution.partitions.0.volume", "3", "volumes"},
        {"distribution.partitions.0.volume", "100", "volumes"},
        {"distribution.partitions.0.carried.owners.packed", NOTHING_PACKED, "owners"},
        {"distribution.partitions.0.carried.owners.packed", "7", "packed"},
    };
    char path[512];
    struct session session;
    report_path(path, sizeof path, "wrong.json");
    json_decref(write_report("gen:laplace2d,n=4", CARRIED_BYTES, &session, path));
    session_free(&session);
    json_t *document = json_load_file(path, 0, NULL);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        struct error error = {0};
        replace(document, faults[k].key, faults[k].text, path);
        enum status status = open_known(path, NULL, &session, &error);
        if (status != STATUS_INPUT || !strstr(error.message, faults[k].says) ||
            !strstr(error.path, "wrong.json"))
            fail_msg("%s = %s: status %d, %s: %s", faults[k].key, faults[k].text, status, error.path,
                     error.message);
        session_free(&session);
    }
    json_decref(document);
    remove(path);
}

/* Unknown keys are left out. */
static void unknown_keys_are_left_out(void **state)
{
    char path[512];
    struct session session, known;
    report_path(path, sizeof path, "other.json");
    json_decref(write_report("gen:laplace2d,n=4", CARRIED_BYTES, &session, path));
    json_t *document = json_load_file(path, 0, NULL);
    int count = atomic_load(&session.shown->conversions.count);
    replace(document, "formats.0.format", "\"zigzag\"", path);
    expect_known(path, &known);
    assert_int_equal(atomic_load(&known.shown->conversions.count), count - 1);
    session_free(&known);
    replace(document, "formats.0.params", "{\"colour\": 3}", path);
    expect_known(path, &known);
    assert_int_equal(atomic_load(&known.shown->conversions.count), count - 1);
    session_free(&known);
    replace(document, "distribution.partitions.0.partition", "\"by-lot\"", path);
    expect_known(path, &known);
    assert_int_equal(known.shown->distribution.count, session.shown->distribution.count - 1);
    session_free(&known);
    replace(document, "name", "\"a\\u001b[2Jb\"", path);
    expect_known(path, &known);
    assert_null(strchr(known.shown->matrix.name, '\033'));
    session_free(&known);
    json_decref(document);
    session_free(&session);
    remove(path);
}

static void nothing_is_left_without_memory(void **state)
{
    char path[512];
    struct session session;
    struct saved *saved;
    enum status status = STATUS_MEMORY;
    report_path(path, sizeof path, "memory.json");
    json_decref(write_report("gen:random,m=9000,n=300,mean=3", CARRIED_BYTES, &session, path));
    session_free(&session);
    assert_int_equal(saved_open(path, 0, &saved, NULL), STATUS_OK);
    for (long k = 0; status != STATUS_OK; k++) {
        struct error error = {0};
        assert_true(k < 10000);
        memory_fail_after(k);
        status = saved_session(&saved, 1, NULL, 0, &session, &error);
        bool failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        session_free(&session);
    }
    saved_close(saved);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers_are_reported_again),
        cmocka_unit_test(pictures_are_the_living_ones),
        cmocka_unit_test(partitions_are_the_living_ones),
        cmocka_unit_test(parts_have_all_rows_and_entries),
        cmocka_unit_test(cells_are_as_fine_as_they_may_be),
        cmocka_unit_test(a_report_that_carries_nothing_has_no_picture),
        cmocka_unit_test(runs_are_added_where_there_are_any),
        cmocka_unit_test(the_matrix_is_chosen_by_its_name),
        cmocka_unit_test(wrong_data_is_refused),
        cmocka_unit_test(unknown_keys_are_left_out),
        cmocka_unit_test(nothing_is_left_without_memory),
    };
    return cmocka_run_group_tests_name("report_known", tests, make_report_folder, remove_report_folder);
}
