/* report/prepare: a report times something if kernels, conversions, arrays, orders or tuning are requested.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/list.h"
#include "kernels/list.h"
#include "report/report.h"

static void ask_for_kernels(struct report_request *request)
{
    assert_int_equal(kernel_list_add(&request->kernels, "cpu/csr-seq", NULL), STATUS_OK);
}

static void ask_for_conversions(struct report_request *request)
{
    assert_int_equal(format_list_add(&request->convert, "ell", NULL), STATUS_OK);
}

static void ask_for_arrays(struct report_request *request)
{
    assert_int_equal(format_list_add(&request->arrays, "ell", NULL), STATUS_OK);
}

static void ask_for_orders(struct report_request *request)
{
    assert_int_equal(order_list_add(&request->orders, "random:seed=2", NULL), STATUS_OK);
}

static void ask_for_tuning(struct report_request *request)
{
    request->tune = (enum tune_how)1;
}

static void ask_for_structure(struct report_request *request)
{
    request->structure = request->costs = request->f32 = true;
}

static void each_thing_that_is_timed_counts(void **state)
{
    static const struct {
        void (*ask)(struct report_request *request);
        bool timed;
    } asked[] = {{ask_for_kernels, true}, {ask_for_conversions, true}, {ask_for_arrays, true},
                 {ask_for_orders, true},  {ask_for_tuning, true},      {ask_for_structure, false}};
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        struct report_request request = {0};
        assert_true(report_times_nothing(&request));
        asked[k].ask(&request);
        assert_int_equal(report_times_nothing(&request), !asked[k].timed);
        report_request_free(&request);
        assert_true(report_times_nothing(&request));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thing_that_is_timed_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
