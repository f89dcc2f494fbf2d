/* The formats that a session keeps: requested once, planned, built or refused, kept or not. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matrix/skeleton.h"
#include "session/session.h"
#include "support/storing.h"
#include "support/support.h"
#include "support/unit.h"

static const struct format *csr_format(void)
{
    return format_find("csr");
}

/* Bytes of a CSR storage with 32-bit offsets, by hand. */
static size_t csr_size(const struct csr *a, size_t value)
{
    return 4 * (size_t)(a->rows + 1) + (4 + value) * (size_t)csr_nnz(a);
}

/* Threads of this process. */
static int count_tasks(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    if (!folder) return -1;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

static int tasks_when_planned;

static enum status plan_and_count(struct storage *storage, const struct csr *a, struct progress *progress,
                                  struct error *error)
{
    tasks_when_planned = count_tasks();
    return csr_format()->plan(storage, a, progress, error);
}

/* The threads are started before the first step of a conversion, so that its time does not include starting
 * them. */
TEST(a_conversion_does_not_pay_for_starting_threads)
{
    FREED(csr_free)
    struct csr a = support_matrix(1000, 40, 0.5, false, false, 1); /* so large that threads are worth it */
    struct format format = *csr_format();
    FREED(storage_free) struct storage storage;
    int wanted = count_tasks() + 3;
    if (wanted < 3) wanted = 0; /* this system does not list threads */
    assert_true(csr_nnz(&a) > PARALLEL_MIN);
    format.plan = plan_and_count;
    threads_set(wanted > 0 ? wanted : 3);
    assert_int_equal(storing_convert(&format, "", &(struct storing){0}, &a, NULL, &storage, NULL), STATUS_OK);
    threads_set(0);
    assert_true(tasks_when_planned >= wanted);
}

/* Criteria are known with the size: after planning, or after building if that comes first. */
TEST(criteria_are_known_with_the_size)
{
    FREED(csr_free) struct csr a = support_matrix(50, 40, 0.2, false, false, 1);
    FREED(pool_free) struct pool pool = {.a = &a};
    FREED(conversions_free) struct conversions conversions = {.pool = &pool};
    struct error error = {0};
    const char *const names[] = {"coo", "csr"};
    for (int k = 0; k < 2; k++) {
        struct conversion *conversion =
            storing_want(&conversions, format_find(names[k]), "", PRECISION_F64, &error);
        assert_non_null(conversion);
        assert_null(conversion_criteria(conversion));
        assert_int_equal((k == 0 ? conversion_plan : conversion_build)(conversion, 0, NULL, &error),
                         STATUS_OK);
        const struct criteria *criteria = conversion_criteria(conversion);
        assert_non_null(criteria);
        assert_true(criteria->flexibility > (k == 0 ? 0.99 : 0.3) && criteria->balance > 0);
        assert_true(k == 0 ? criteria->flexibility == 1 : criteria->flexibility < 0.7);
    }
}

static enum status fill_and_cancel(struct storage *storage, const struct csr *a, struct progress *progress,
                                   struct error *error)
{
    enum status status = csr_format()->fill(storage, a, NULL, error);
    progress_cancel(progress);
    return status;
}

/* A conversion that is cancelled after its arrays were built, but before its criteria are known, frees the
 * arrays. */
TEST(criteria_that_are_cancelled_leave_nothing)
{
    FREED(csr_free) struct csr a = support_matrix(50, 40, 0.2, false, false, 1);
    struct format format = *csr_format();
    FREED(pool_free) struct pool pool = {.a = &a};
    FREED(conversions_free) struct conversions conversions = {.pool = &pool};
    struct progress progress = {0};
    struct error error = {0};
    format.fill = fill_and_cancel;
    struct conversion *conversion = storing_want(&conversions, &format, "", PRECISION_F64, &error);
    assert_non_null(conversion);
    conversion->keep = true;
    assert_int_equal(conversion_build(conversion, 0, &progress, &error), STATUS_CANCELLED);
    assert_int_equal(conversion_state(conversion), CONVERSION_WANTED);
    assert_null(conversion_criteria(conversion));
    assert_null(conversion->storage);
    assert_false(pool_has(&pool, &conversion->choice));
}

TEST(the_same_request_is_the_same_conversion)
{
    struct conversions conversions = {0};
    struct error error = {0};
    struct conversion *one = storing_want(&conversions, csr_format(), "", PRECISION_F64, &error);
    struct conversion *two = storing_want(&conversions, csr_format(), "", PRECISION_F32, &error);
    assert_non_null(one);
    assert_ptr_not_equal(one, two);
    assert_ptr_equal(storing_want(&conversions, csr_format(), "", PRECISION_F64, &error), one);
    assert_ptr_equal(storing_want(&conversions, csr_format(), "", PRECISION_F32, &error), two);
    assert_int_equal(atomic_load(&conversions.count), 2);
    assert_int_equal(conversion_state(one), CONVERSION_WANTED);
    assert_false(atomic_load(&one->sized));
    assert_true(isnan(one->seconds));
    assert_string_equal(one->name, "csr");
    /* The caller may change the text afterwards. */
    char text[] = "";
    assert_ptr_equal(storing_want(&conversions, csr_format(), text, PRECISION_F64, NULL), one);
    conversions_free(&conversions);
    conversions_free(&conversions);
}

/* Parameters can be written in several ways. A k chosen by the rule differs from a given k. */
TEST(words_do_not_matter)
{
    static const struct {
        const char *format, *one, *two;
        bool same;
    } cases[] = {
        {"sell", "", "c=32,sigma=1", true}, {"sell", "c=4,sigma=8", "sigma=8,c=4", true},
        {"sell", "c=4", "c=8", false},      {"ell", "", "layout=transposed", true},
        {"hyb", "k=3", "k=3.0", true},      {"hyb", "", "k=3", false},
    };
    FREED(conversions_free) struct conversions conversions = {0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct format *format = format_find(cases[k].format);
        struct conversion *one = storing_want(&conversions, format, cases[k].one, PRECISION_F64, NULL);
        struct conversion *two = storing_want(&conversions, format, cases[k].two, PRECISION_F64, NULL);
        assert_true(one && two && (one == two) == cases[k].same);
    }
}

TEST(unreadable_requests_are_not_kept)
{
    FREED(conversions_free) struct conversions conversions = {0};
    struct error error = {0};
    assert_null(storing_want(&conversions, csr_format(), "k=1", PRECISION_F64, &error));
    assert_int_equal(error.status, STATUS_USAGE);
    assert_string_equal(error.message, "csr has no parameter 'k'; it has none");
    assert_int_equal(atomic_load(&conversions.count), 0);
}

TEST(all_are_asked_for_in_the_order_of_the_table)
{
    FREED(conversions_free) struct conversions conversions = {0};
    int count = 0;
    assert_int_equal(conversions_want_all(&conversions, PRECISION_F64, NULL), STATUS_OK);
    for (int f = 0; formats[f]; f++)
        for (int v = 0; formats[f]->variants[v]; v++, count++) {
            char parameters[CHOICE_NAME];
            assert_ptr_equal(conversions.items[count]->choice.format, formats[f]);
            assert_string_equal(
                format_choice_parameters(&conversions.items[count]->choice, parameters, sizeof parameters),
                formats[f]->variants[v]);
        }
    assert_int_equal(atomic_load(&conversions.count), count);
    assert_int_equal(conversions_want_all(&conversions, PRECISION_F64, NULL), STATUS_OK);
    assert_int_equal(atomic_load(&conversions.count), count);
}

TEST(there_is_an_end_to_wanting)
{
    struct conversions conversions = {0};
    struct error error = {0};
    struct conversion filler = {.choice = format_choice_default(format_find("coo"), PRECISION_F64)};
    for (int k = 0; k < CONVERSIONS_MAX; k++)
        conversions.items[k] = &filler;
    atomic_store(&conversions.count, CONVERSIONS_MAX);
    assert_null(storing_want(&conversions, csr_format(), "", PRECISION_F64, &error));
    assert_int_equal(error.status, STATUS_LIMIT);
    error_clear(&error);
    assert_int_equal(conversions_want_all(&conversions, PRECISION_F64, &error), STATUS_LIMIT);
    assert_int_equal(error.status, STATUS_LIMIT);
    error_clear(&error);
    const struct format_choice csr = format_choice_default(csr_format(), PRECISION_F64);
    const struct known_conversion known = {.resolved = csr};
    assert_int_equal(conversions_know(&conversions, &csr, false, &known, &error), STATUS_LIMIT);
    assert_string_equal(error.message, "more than 256 formats at a time");
    /* The same without a struct for the error. */
    assert_null(storing_want(&conversions, csr_format(), "", PRECISION_F64, NULL));
    assert_int_equal(conversions_want_all(&conversions, PRECISION_F64, NULL), STATUS_LIMIT);
    assert_int_equal(conversions_know(&conversions, &csr, false, &known, NULL), STATUS_LIMIT);
    assert_int_equal(atomic_load(&conversions.count), CONVERSIONS_MAX);
}

TEST(planning_and_building_change_the_state)
{
    struct csr a = support_matrix(60, 50, 0.2, true, false, 1), back;
    struct pool pool = {.a = &a};
    struct conversions conversions = {.pool = &pool};
    struct conversion *item = storing_want(&conversions, csr_format(), "", PRECISION_F64, NULL);
    assert_int_equal(conversion_plan(item, 0, NULL, NULL), STATUS_OK);
    assert_int_equal(conversion_state(item), CONVERSION_PLANNED);
    assert_true(atomic_load(&item->sized));
    assert_int_equal(item->size.bytes, csr_size(&a, 8));
    assert_null(item->storage);
    assert_true(isnan(item->seconds));
    assert_int_equal(conversion_plan(item, 0, NULL, NULL), STATUS_OK); /* again: nothing happens */
    assert_int_equal(conversion_state(item), CONVERSION_PLANNED);

    item->keep = true;
    assert_int_equal(conversion_build(item, 0, NULL, NULL), STATUS_OK);
    assert_int_equal(conversion_state(item), CONVERSION_BUILT);
    assert_true(item->seconds >= 0);
    assert_int_equal(storage_unpack(item->storage, NULL, &back, NULL), STATUS_OK);
    assert_int_equal(csr_nnz(&back), csr_nnz(&a));
    const void *data = item->storage->array[0].data;
    assert_int_equal(conversion_build(item, 0, NULL, NULL), STATUS_OK);
    assert_ptr_equal(item->storage->array[0].data, data); /* not built again */
    assert_int_equal(conversion_plan(item, 0, NULL, NULL), STATUS_OK);
    assert_int_equal(conversion_state(item), CONVERSION_BUILT);
    csr_free(&back);
    conversions_free(&conversions);
    pool_free(&pool);
    csr_free(&a);
}

TEST(dropped_storages_leave_their_time)
{
    FREED(csr_free) struct csr a = support_matrix(60, 50, 0.2, true, false, 2);
    FREED(pool_free) struct pool pool = {.a = &a};
    FREED(conversions_free) struct conversions conversions = {.pool = &pool};
    struct conversion *item = storing_want(&conversions, csr_format(), "", PRECISION_F32, NULL);
    assert_int_equal(conversion_build(item, 0, NULL, NULL), STATUS_OK);
    assert_int_equal(conversion_state(item), CONVERSION_PLANNED);
    assert_true(item->seconds >= 0);
    assert_int_equal(item->size.bytes, csr_size(&a, 4));
    assert_null(item->storage);
    assert_false(pool_has(&pool, &item->choice));
    item->keep = true; /* wanted after all */
    assert_int_equal(conversion_build(item, 0, NULL, NULL), STATUS_OK);
    assert_int_equal(conversion_state(item), CONVERSION_BUILT);
}

TEST(a_refusal_is_a_state)
{
    FREED(csr_free) struct csr a = support_matrix(60, 50, 0.2, true, false, 3);
    FREED(pool_free) struct pool pool = {.a = &a};
    FREED(conversions_free) struct conversions conversions = {.pool = &pool};
    size_t size = csr_size(&a, 8);
    for (int build = 0; build < 2; build++) {
        struct error error = {0};
        struct conversion *item = storing_want(&conversions, csr_format(), "", PRECISION_F64, NULL);
        item->keep = true;
        assert_int_equal((build ? conversion_build : conversion_plan)(item, size - 1, NULL, &error),
                         STATUS_OK);
        assert_int_equal(error.status, STATUS_OK);
        assert_int_equal(conversion_state(item), CONVERSION_REFUSED);
        assert_int_equal(item->refusal.status, STATUS_LIMIT);
        assert_says(item->refusal.message, "--limit");
        assert_true(atomic_load(&item->sized)); /* its size is known nevertheless */
        assert_int_equal(item->size.bytes, size);
        assert_true(isnan(item->seconds));
        /* A refused format stays refused. */
        assert_int_equal(conversion_build(item, 0, NULL, NULL), STATUS_OK);
        assert_int_equal(conversion_state(item), CONVERSION_REFUSED);
        conversions_drop(&conversions, item);
        assert_int_equal(atomic_load(&conversions.count), 0);
    }
}

TEST(cancelling_changes_nothing)
{
    FREED(csr_free) struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, 55, 0.2, true, false, 4);
    FREED(pool_free) struct pool pool = {.a = &a};
    FREED(conversions_free) struct conversions conversions = {.pool = &pool};
    struct progress cancelled = {0};
    progress_cancel(&cancelled);
    for (int f = 0; formats[f]; f++) {
        struct error error = {0};
        struct conversion *item = storing_want(&conversions, formats[f], "", PRECISION_F64, NULL);
        item->keep = true;
        assert_int_equal(conversion_build(item, 0, &cancelled, &error), STATUS_CANCELLED);
        assert_int_equal(error.status, STATUS_CANCELLED);
        assert_int_equal(conversion_state(item), CONVERSION_WANTED);
        assert_false(atomic_load(&item->sized));
        assert_int_equal(conversion_plan(item, 0, NULL, NULL), STATUS_OK);
        assert_int_equal(conversion_build(item, 0, &cancelled, NULL), STATUS_CANCELLED);
        assert_int_equal(conversion_state(item), CONVERSION_PLANNED);
        assert_int_equal(conversion_build(item, 0, NULL, NULL), STATUS_OK);
        assert_int_equal(conversion_state(item), CONVERSION_BUILT);
    }
}

TEST(dropping_closes_the_gap)
{
    FREED(conversions_free) struct conversions conversions = {0};
    struct conversion stranger;
    struct conversion *one = storing_want(&conversions, csr_format(), "", PRECISION_F64, NULL);
    struct conversion *two = storing_want(&conversions, csr_format(), "", PRECISION_F32, NULL);
    struct conversion *three = storing_want(&conversions, format_find("coo"), "", PRECISION_F32, NULL);
    conversions_drop(&conversions, &stranger);
    assert_int_equal(atomic_load(&conversions.count), 3);
    conversions_drop(&conversions, one);
    assert_int_equal(atomic_load(&conversions.count), 2);
    assert_ptr_equal(conversions.items[0], two);
    assert_ptr_equal(conversions.items[1], three);
    conversions_drop(&conversions, three);
    conversions_drop(&conversions, two);
    assert_int_equal(atomic_load(&conversions.count), 0);
}

/* Want, plan and build, with each allocation failing in turn: want of memory is a refusal. */
TEST(every_allocation_may_fail)
{
    FREED(csr_free) struct csr a = support_symmetric(SYMMETRY_SYMMETRIC, 55, 0.2, true, false, 5);
    for (int f = 0; formats[f]; f++)
        for (long fail = 0, failed = 1; failed; fail++) {
            FREED(pool_free) struct pool pool = {.a = &a};
            FREED(conversions_free) struct conversions conversions = {.pool = &pool};
            struct error error = {0};
            memory_fail_after(fail);
            struct conversion *item = storing_want(&conversions, formats[f], "", PRECISION_F64, &error);
            if (item) {
                item->keep = true;
                assert_int_equal(conversion_plan(item, 0, NULL, &error), STATUS_OK);
                assert_int_equal(conversion_build(item, 0, NULL, &error), STATUS_OK);
            }
            failed = memory_failures();
            memory_fail_after(-1);
            if (!item) {
                assert_int_equal(error.status, STATUS_MEMORY);
                assert_int_equal(atomic_load(&conversions.count), 0);
            } else if (conversion_state(item) == CONVERSION_REFUSED)
                assert_int_equal(item->refusal.status, STATUS_MEMORY);
            else
                assert_int_equal(conversion_state(item), CONVERSION_BUILT);
        }
}

/* A session plans the requested formats, and later requests when it is needed again. */
TEST(a_session_plans_what_is_asked_for)
{
    FREED(session_free) struct session session;
    const struct load_options options = {0};
    struct error error = {0};
    assert_int_equal(session_load(&session, "gen:random,m=80,n=60", &options, NULL, &error), STATUS_OK);
    struct conversions *conversions = &session.shown->conversions;
    assert_int_equal(conversions_want_all(conversions, PRECISION_F64, &error), STATUS_OK);
    int count = atomic_load(&conversions->count);
    assert_false(session_has(&session, SESSION_SIZES));
    assert_int_equal(session_need(&session, NULL, SESSION_SIZES, NULL, &error), STATUS_OK);
    assert_true(session_has(&session, SESSION_SIZES));
    for (int k = 0; k < count; k++)
        assert_true(conversion_state(conversions->items[k]) ==
                    (strcmp(conversions->items[k]->choice.format->name, "sss") == 0 ? CONVERSION_REFUSED
                                                                                    : CONVERSION_PLANNED));
    struct conversion *late = storing_want(conversions, csr_format(), "", PRECISION_F32, &error);
    assert_int_equal(session_need(&session, NULL, SESSION_SIZES, NULL, &error), STATUS_OK);
    assert_int_equal(conversion_state(late), CONVERSION_PLANNED);
    assert_int_equal(late->size.bytes, csr_size(&session.shown->matrix.csr, 4));
}

/* The session's limit holds for its formats. */
TEST(a_session_refuses_what_is_over_its_limit)
{
    FREED(session_free) struct session session;
    const struct load_options options = {.limit =
                                             30000}; /* the canonical matrix needs 16 bytes an entry more */
    struct error error = {0};
    assert_int_equal(session_load(&session, "gen:arrow,n=300", &options, NULL, &error), STATUS_OK);
    assert_int_equal(conversions_want_all(&session.shown->conversions, PRECISION_F64, &error), STATUS_OK);
    assert_int_equal(session_need(&session, NULL, SESSION_SIZES, NULL, &error), STATUS_OK);
    for (int k = 0; k < atomic_load(&session.shown->conversions.count); k++) {
        const struct conversion *item = session.shown->conversions.items[k];
        assert_int_equal(conversion_state(item),
                         item->size.peak > 30000 ? CONVERSION_REFUSED : CONVERSION_PLANNED);
    }
}

/* Without entries a format is planned from the skeleton. So its size is known, but building it is refused. A
 * refused plan keeps its own reason, and a cancelled plan changes nothing. */
TEST(without_entries_only_sizes_are_known)
{
    FREED(csr_free) struct csr whole = support_matrix(60, 50, 0.2, true, false, 4);
    struct skeleton skeleton = {.col_ptr = memory_zeroed(51, sizeof(int64_t), NULL),
                                .diagonals = memory_zeroed(110 / 64 + 1, sizeof(uint64_t), NULL)};
    for (int64_t k = 0; k < csr_nnz(&whole); k++)
        skeleton.col_ptr[whole.col[k] + 1]++;
    for (int j = 0; j < 50; j++)
        skeleton.col_ptr[j + 1] += skeleton.col_ptr[j];
    const struct csr a = {.rows = 60, .cols = 50, .row_ptr = whole.row_ptr, .skeleton = &skeleton};
    const size_t size = csr_size(&whole, 8);
    for (int limited = 0; limited < 2; limited++)
        for (int planned = 0; planned < 2; planned++) {
            struct pool pool = {.a = &a};
            struct conversions conversions = {.pool = &pool};
            struct progress progress = {0};
            struct error error = {0};
            struct conversion *item = storing_want(&conversions, csr_format(), "", PRECISION_F64, NULL);
            size_t limit = limited ? size - 1 : size;
            item->keep = true;
            progress_cancel(&progress);
            assert_int_equal(conversion_build(item, limit, &progress, &error), STATUS_CANCELLED);
            assert_int_equal(conversion_state(item), CONVERSION_WANTED);
            if (planned) {
                assert_int_equal(conversion_plan(item, limit, NULL, NULL), STATUS_OK);
                assert_int_equal(conversion_state(item), limited ? CONVERSION_REFUSED : CONVERSION_PLANNED);
            }
            assert_int_equal(conversion_build(item, limit, NULL, NULL), STATUS_OK);
            assert_int_equal(conversion_state(item), CONVERSION_REFUSED);
            assert_int_equal(item->refusal.status, limited ? STATUS_LIMIT : STATUS_USAGE);
            if (!limited)
                assert_string_equal(item->refusal.message, "it needs the entries, which are not in memory");
            assert_true(atomic_load(&item->sized));
            assert_int_equal(item->size.bytes, size);
            assert_null(item->storage);
            conversions_free(&conversions);
            pool_free(&pool);
        }
    skeleton_free(&skeleton);
}
