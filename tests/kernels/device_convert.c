/* Conversions on a device: their times, the use of their arrays, and failing ones. The device is the fake
 * one, which converts by the host's functions; a GPU's own are compared with the host's on a GPU
 * (tests/gpu/conversions.c). */
#include <math.h>
#include <string.h>

#include "formats/ell.h"
#include "kernels/cuda/convert/convert.h"
#include "kernels/gpu/profile.h"
#include "session/results.h"
#include "support/cmocka.h"
#include "support/fake_device.h"
#include "support/storing.h"
#include "support/support.h"

static struct csr matrix(void)
{
    return support_matrix(60, 50, 0.3, false, false, 1);
}

/* Converting to ELL takes 30 us, and its table 4 us. CSR is there and has no table: only `prepare` counts,
 * which is the same on either side. */
static void conversions_are_timed(void **state)
{
    struct csr a = matrix();
    struct device device;
    struct result results[] = {ask(&there, PRECISION_F64), ask(&padded, PRECISION_F64),
                               ask(&listed, PRECISION_F64)};
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    assert_int_equal(bench(&a, &device, results, 3, false), STATUS_OK);
    for (int k = 0; k < 3; k++)
        expect_ok(&results[k]);
    assert_int_equal(fake.conversions, 1);
    assert_int_equal(fake.remakes, 1);
    assert_float_equal(results[1].device_convert_seconds, 34e-6, 1e-12);
    assert_int_equal(results[1].device_convert_refused.status, STATUS_OK);
    assert_true(results[0].device_convert_seconds >= 0 &&
                results[0].device_convert_seconds == results[0].convert_seconds);
    assert_int_equal(results[0].device_convert_refused.status, STATUS_OK);
    assert_true(isnan(results[2].device_convert_seconds));
    assert_string_equal(results[2].device_convert_refused.message, "the fake does not convert to coo");
    device_close(&device);
    csr_free(&a);
}

/* CSR is uploaded for the conversion alone, and freed again; two kernels share the result. */
static void csr_is_there_for_a_while(void **state)
{
    struct csr a = matrix();
    struct device device;
    struct result results[] = {ask(&padded, PRECISION_F64), ask(&padded, PRECISION_F64)};
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    assert_int_equal(bench(&a, &device, results, 2, true), STATUS_OK);
    expect_ok(&results[0]);
    assert_int_equal(fake.conversions, 1);
    assert_int_equal(fake.remakes, 2);
    assert_float_equal(results[0].device_convert_seconds, 34e-6, 1e-12);
    assert_float_equal(results[1].device_convert_seconds, 34e-6, 1e-12);
    device_close(&device);
    csr_free(&a);
}

/* A conversion that fails, or lacks memory, is no fault of the kernel: it runs on the host's arrays. */
static void kernels_run_without_conversions(void **state)
{
    struct csr a = matrix();
    struct device device;
    size_t vectors = 110 * sizeof(double);
    assert_int_equal(device_open(&fake_type, 0, &device, NULL), STATUS_OK);
    for (int k = 0; k < 2; k++) {
        struct result results[] = {ask(&padded, PRECISION_F64)};
        struct storage planned;
        assert_int_equal(storing_plan(&format_ell, "", &(struct storing){0}, &a, NULL, &planned, NULL),
                         STATUS_OK);
        fake.convert_fails = k == 0;
        if (k == 1) fake.memory = vectors + storage_size(&planned).bytes + 100;
        assert_int_equal(bench(&a, &device, results, 1, false), STATUS_OK);
        expect_ok(&results[0]);
        assert_true(isnan(results[0].device_convert_seconds));
        assert_non_null(strstr(results[0].device_convert_refused.message,
                               k == 0 ? "cannot convert today" : "are needed on Fake 0, which has"));
        assert_int_equal(results[0].device_convert_refused.status,
                         k == 0 ? STATUS_UNAVAILABLE : STATUS_LIMIT);
        storage_free(&planned);
    }
    device_close(&device);
    csr_free(&a);
}

/* Devices of a kind without conversions run on the host's arrays. */
static void a_device_may_convert_nothing(void **state)
{
    struct csr a = matrix();
    struct device device;
    struct device_type type = fake_type;
    struct result results[] = {ask(&padded, PRECISION_F64)};
    type.converts = NULL;
    assert_int_equal(device_open(&type, 0, &device, NULL), STATUS_OK);
    assert_int_equal(bench(&a, &device, results, 1, false), STATUS_OK);
    expect_ok(&results[0]);
    assert_int_equal(fake.conversions, 0);
    assert_true(isnan(results[0].device_convert_seconds));
    assert_int_equal(results[0].device_convert_refused.status, STATUS_OK);
    device_close(&device);
    csr_free(&a);
}

/* CSR takes 10 us a product, ELL 4 us: 34 us have paid off after the sixth product (34 / 6 = 5.67). */
static void break_even_counts_the_device(void **state)
{
    struct result items[] = {ask(&there, PRECISION_F64), ask(&padded, PRECISION_F64)};
    struct results results = {.items = items, .count = 2};
    items[0].samples = (struct samples){.count = 1, .time = 10e-6};
    items[1].samples = (struct samples){.count = 1, .time = 4e-6};
    items[1].convert_seconds = 3e-3;
    items[1].device_convert_seconds = 34e-6;
    assert_int_equal(results_device_break_even(&results, &items[1]), 6);
    assert_int_equal(results_break_even(&results, &items[1]), 500);
    items[1].device_convert_seconds = NAN;
    assert_int_equal(results_device_break_even(&results, &items[1]), -1);
    items[1].device_convert_seconds = 34e-6;
    items[1].samples.time = 11e-6;
    assert_int_equal(results_device_break_even(&results, &items[1]), -1);
}

/* The table has each format once, and its conversions move at least CSR and the format once. */
static void the_table_is_whole(void **state)
{
    struct gpu gpu;
    int count = 0;
    assert_int_equal(gpu_find("h200", &gpu, NULL), STATUS_OK);
    for (const struct device_conversion *c = device_conversions; c->format; c++, count++) {
        const struct format_choice choice = format_choice_default(c->format, PRECISION_F64);
        struct conversion_work work;
        for (const struct device_conversion *d = device_conversions; d < c; d++)
            assert_ptr_not_equal(d->format, c->format);
        assert_int_equal(cuda_converts(&choice, 1e6, &work, NULL), STATUS_OK);
        double seconds = conversion_seconds(&work, &gpu, 1e6, 8e7, 9e7);
        assert_true(seconds > 8e7 / gpu.pace.read + 9e7 / gpu.pace.write);
        assert_true(seconds < 10 * (8e7 / gpu.pace.read + 9e7 / gpu.pace.write));
    }
    assert_int_equal(count, 7);
}

/* By hand: read 4 GB/s, write 2 GB/s; 7 launches of 3.5 us, 2 waits of 10 us, 6 us at both ends. */
static void the_rule_adds_up(void **state)
{
    const struct gpu gpu = {.pace = {.read = 4e9, .write = 2e9}};
    const struct conversion_work work = {.reads = 2, .writes = 1, .row_bytes = 40, .launches = 7, .waits = 2};
    /* 2 x 8 MB and 40 x 1e5 rows are read in 5 ms, 6 MB written in 3 ms */
    assert_float_equal(conversion_seconds(&work, &gpu, 1e5, 8e6, 6e6), 5e-3 + 3e-3 + 24.5e-6 + 20e-6 + 6e-6,
                       1e-9);
}

/* The work of a conversion by hand. A sort of r rows in windows of s needs 8 bits for their lengths and
 * log2(r / s) for their windows, 8 bits a pass: of 10^6 rows in windows of 32 the 31250 windows need 15 bits,
 * so that there are 3 passes. A pass moves 32 bytes a row by 4 launches. */
static void the_work_follows_from_the_parameters(void **state)
{
    static const struct {
        const char *format, *parameters;
        double rows, reads, row_bytes;
        int launches, waits;
    } cases[] = {
        {"ell", "", 1e6, 1.5, 0, 1, 0},
        {"coo", "", 1e6, 2, 0, 3, 0},
        {"hyb", "", 1e6, 1.5, 8 + 32, 16, 1},
        {"dia", "", 1e6, 2, 2 * 32, 8, 1},
        {"sell", "", 1e6, 1.5, 8, 10, 1},
        {"sell", "sigma=2", 2, 1.5, 8 + 24 + 32, 10 + 2 + 4, 1},
        {"sell", "sigma=2", 512, 1.5, 8 + 24 + 2 * 32, 10 + 2 + 2 * 4,
         1}, /* 256 windows are exactly 8 bits */
        {"sell", "sigma=2", 514, 1.5, 8 + 24 + 3 * 32, 10 + 2 + 3 * 4, 1},
        {"sell", "sigma=32", 1e6, 1.5, 8 + 24 + 3 * 32, 10 + 2 + 3 * 4, 1},
        {"sell", "sigma=1000000", 1e6, 1.5, 8 + 24 + 32, 10 + 2 + 4, 1},
        {"jds", "", 1e6, 1.5, 40 + 32, 20 + 4, 1},
        {"jds", "sections=equal", 1e6, 1.5, 40 + 32, 20 + 4 + 9, 3},
        {"jds", "sections=share", 1e6, 1.5, 40 + 32, 20 + 4 + 9, 3},
        {"cmrs", "height=4", 1e6, 2, 8, 4, 0},
        {"cmrs", "", 1e6, 2, 8, 4, 0},
        {"cmrs", "sorted=1", 1e6, 1 + 2 * 8, 8, 4,
         0}, /* each entry is searched in the other rows of a strip */
        {"cmrs", "height=4,sorted=1", 1e6, 1 + 2 * 4, 8, 4, 0},
        {"cmrs", "modulo=4", 1e6, 2, 8, 7, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct format_choice choice;
        struct conversion_work work;
        struct error error = {0};
        if (format_choice_read(format_find(cases[k].format), cases[k].parameters, PRECISION_F64, &choice,
                               &error) != STATUS_OK)
            fail_msg("%s:%s: %s", cases[k].format, cases[k].parameters, error.message);
        assert_int_equal(cuda_converts(&choice, cases[k].rows, &work, &error), STATUS_OK);
        if (work.reads != cases[k].reads || work.writes != 1 || work.row_bytes != cases[k].row_bytes ||
            work.launches != cases[k].launches || work.waits != cases[k].waits)
            fail_msg("%s:%s: CSR %g times, %g times, %g bytes a row, %d launches, %d waits", cases[k].format,
                     cases[k].parameters, work.reads, work.writes, work.row_bytes, work.launches, work.waits);
    }
}

static void unconverted_formats_have_a_reason(void **state)
{
    struct format_choice choice;
    struct conversion_work work;
    struct error error = {0};
    assert_int_equal(format_choice_read(format_find("coo"), "order=random", PRECISION_F64, &choice, NULL),
                     STATUS_OK);
    assert_int_equal(cuda_converts(&choice, 10, &work, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "entries in random order are made on the host alone");
    error = (struct error){0};
    choice = format_choice_default(format_find("bsr"), PRECISION_F64);
    assert_int_equal(cuda_converts(&choice, 10, &work, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.message, "bsr is made on the host alone");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(conversions_are_timed),
        TEST(csr_is_there_for_a_while),
        TEST(kernels_run_without_conversions),
        TEST(a_device_may_convert_nothing),
        TEST(break_even_counts_the_device),
        TEST(the_table_is_whole),
        TEST(the_rule_adds_up),
        TEST(the_work_follows_from_the_parameters),
        TEST(unconverted_formats_have_a_reason),
    };
    return cmocka_run_group_tests_name("device_convert", tests, NULL, NULL);
}
