/* Outlines are storages without most of their values: they have the same indices and the same slots of
 * padding. Also the pages that they are allocated from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pages.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "formats/outline.h"
#include "formats/pool.h"
#include "formats/unique.h"
#include "support/support.h"
#include "support/trials.h"

/* Storages with more slots are not converted here. */
#define SLOTS_MAX 4000000

static void compare(struct trial *trial, const struct storage *storage, const struct storage *outline)
{
    const bool few = unique_few(&trial->sample->a, storage->precision == PRECISION_F32);
    for (int q = 0; q < storage->count; q++) {
        const struct array *whole = &storage->array[q], *array = &outline->array[q];
        if (whole->role == ROLE_VALUES && !(storage->format->tells_values && few)) {
            if (array->data) trial_fail(trial, "the outline has %s", whole->name);
        } else if (memcmp(whole->data, array->data, bytes_of(whole)) != 0) {
            trial_fail(trial, "%s is another in the outline", whole->name);
        }
    }
    for (int64_t e = 0; e < storage->slots[0]; e++)
        if (storage_padding(storage, 0, e) != storage_padding(outline, 0, e))
            trial_fail(trial, "slot %lld: padding in one alone", (long long)e);
    for (int64_t e = 0; e < storage->slots[1]; e++)
        if (storage_padding(outline, 1, e)) trial_fail(trial, "slot %lld of part 1 is padding", (long long)e);
}

/* Large blocks of the pages are not 0 before each outline is made. */
static void spoil(struct pages *pages)
{
    for (int k = 0; k < pages->count; k++)
        memset(pages->block[k].data, 0xA5, pages->block[k].bytes);
}

static int check(struct samples *samples, enum origin most, struct pages *pages)
{
    struct requests requests = requests_all();
    int tried = 0;
    for (int s = 0; s < samples->count; s++)
        for (int r = 0; r < requests.count; r++) {
            struct trial trial = {.sample = &samples->items[s], .request = &requests.items[r], .threads = 2};
            struct storage plan, storage, outline;
            struct error error = {0};
            trial.options.precision = (s + r) % 2 ? PRECISION_F32 : PRECISION_F64;
            if (requests.items[r].origin > most || !trial_plan(&trial, &plan)) continue;
            if (storage_slots(&plan) <= SLOTS_MAX) {
                trial_convert(&trial, &storage);
                spoil(pages);
                if (outline_make(&plan, &trial.sample->a, pages, &outline, NULL, &error) != STATUS_OK)
                    trial_fail(&trial, "%s", error.message);
                compare(&trial, &storage, &outline);
                outline_free(&outline, pages);
                storage_free(&storage);
                tried++;
            }
            storage_free(&plan);
        }
    requests_free(&requests);
    return tried;
}

static void outlines_have_all_but_values(void **state)
{
    struct pages pages = {0};
    struct samples small = samples_small(), large = samples_large();
    assert_true(check(&small, ORIGIN_SWEEP, &pages) > 1000);
    assert_true(check(&large, ORIGIN_VARIANT, &pages) > 20);
    assert_true(pages.count > 0);
    for (int k = 0; k < pages.count; k++)
        assert_false(pages.block[k].taken);
    pages_rest(&pages);
    assert_int_equal(pages.count, 0);
    samples_free(&small);
    samples_free(&large);
}

static void pages_are_used_again(void **state)
{
    const size_t large = (size_t)1 << 20;
    struct pages pages = {0};
    char *a = pages_take(&pages, 2 * large, NULL), *b = pages_take(&pages, large, NULL);
    assert_true(a && b && a != b);
    pages_give(&pages, a);
    pages_give(&pages, b);
    /* The smallest block with enough room is taken. */
    assert_ptr_equal(pages_take(&pages, large / 2, NULL), b);
    assert_ptr_equal(pages_take(&pages, large, NULL), a);
    pages_give(&pages, b);
    /* No block has room: unused blocks are freed before more is allocated. */
    char *c = pages_take(&pages, 3 * large, NULL);
    assert_int_equal(pages.count, 2);
    pages_give(&pages, c);
    pages_give(&pages, a);
    pages_give(&pages, NULL);
    pages_rest(&pages);
    assert_int_equal(pages.count, 0);
    /* More than there are blocks for are allocated and freed all the same. */
    void *many[PAGES_BLOCKS + 2];
    for (int k = 0; k < PAGES_BLOCKS + 2; k++) {
        many[k] = pages_take(&pages, large, NULL);
        assert_non_null(many[k]);
    }
    assert_int_equal(pages.count, PAGES_BLOCKS);
    for (int k = 0; k < PAGES_BLOCKS + 2; k++)
        pages_give(&pages, many[k]);
    pages_rest(&pages);
}

/* A pool gives out the storage if it is built, and otherwise its outline, which is never completed to the
 * storage. */
static void a_pool_has_outlines_beside_storages(void **state)
{
    struct csr a = support_matrix(200, 90, 0.1, true, false, 3);
    struct pool pool = {.a = &a};
    const struct format_choice choice = format_choice_default(format_find("ell"), PRECISION_F64);
    const struct storage *outline, *again, *storage, *same;
    assert_int_equal(pool_outline(&pool, &choice, 0, NULL, &outline, NULL), STATUS_OK);
    assert_int_equal(pool_outline(&pool, &choice, 0, NULL, &again, NULL), STATUS_OK);
    assert_ptr_equal(outline, again);
    assert_non_null(outline->entry);
    assert_false(pool_has(&pool, &choice));
    assert_int_equal(pool_take(&pool, &choice, 0, NULL, &storage, NULL), STATUS_OK);
    assert_ptr_not_equal(storage, outline);
    assert_null(storage->entry);
    assert_int_equal(pool_outline(&pool, &choice, 0, NULL, &same, NULL), STATUS_OK);
    assert_ptr_equal(same, storage);
    pool_release(&pool, outline);
    assert_non_null(again->entry);
    pool_release(&pool, again);
    assert_null(again->entry);
    pool_release(&pool, same);
    assert_true(pool_has(&pool, &choice));
    pool_release(&pool, storage);
    assert_false(pool_has(&pool, &choice));
    struct error error = {0};
    assert_int_equal(pool_outline(&pool, &choice, 100, NULL, &outline, &error), STATUS_LIMIT);
    pool_free(&pool);
    csr_free(&a);
}

static void every_allocation_may_fail(void **state)
{
    struct csr a =
        support_symmetric(SYMMETRY_SYMMETRIC, 200, 0.15, true, false, 4); /* which all formats take */
    for (int f = 0; formats[f]; f++) {
        bool failed = true;
        for (long fail = 0; failed; fail++) {
            struct pool pool = {.a = &a};
            const struct format_choice choice = format_choice_default(formats[f], PRECISION_F64);
            const struct storage *outline = NULL;
            memory_fail_after(fail);
            enum status status = pool_outline(&pool, &choice, 0, NULL, &outline, NULL);
            failed = memory_failures() > 0;
            memory_fail_after(-1);
            assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
            if (!failed) pool_release(&pool, outline);
            pool_free(&pool);
        }
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_have_all_but_values),
        cmocka_unit_test(pages_are_used_again),
        cmocka_unit_test(a_pool_has_outlines_beside_storages),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
