/* GPUs that were not measured, and GPUs that are too old for some kernels: their profiles, derived constants,
 * and forecasts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/cuda/csr.h"
#include "kernels/cuda/cusparse.h"
#include "kernels/list.h"
#include "session/session.h"
#include "support/preparing.h"
#include "support/support.h"
#include "support/unit.h"

static struct gpu find(const char *name)
{
    struct gpu gpu;
    struct error error = {0};
    if (gpu_find(name, &gpu, &error) != STATUS_OK) fail_msg("%s", error.message);
    return gpu;
}

/* Each profile states the origin of each constant, and the machine of measured ones. */
TEST(profiles_say_what_was_measured)
{
    int measured = 0, derived = 0;
    for (const struct gpu_file *file = gpu_files; file->name; file++) {
        struct gpu gpu;
        char label[GPU_LABEL];
        assert_int_equal(gpu_read(file->text, strlen(file->text), file->name, &gpu, NULL), STATUS_OK);
        assert_says(file->text, "\nlaunch = ");
        measured += gpu.pace.measured;
        derived += !gpu.pace.measured;
        if (gpu.pace.measured != (gpu.pace.derived == 0)) fail_msg("%s: %x", file->name, gpu.pace.derived);
        if (gpu.pace.measured && !strstr(gpu.pace.measured_on, " on 20")) fail_msg("%s: no date", file->name);
        assert_true((strstr(gpu_label(&gpu, label), " (constants derived)") != NULL) == !gpu.pace.measured);
        assert_true(strncmp(label, gpu.title, strlen(gpu.title)) == 0);
    }
    assert_true(measured >= 2 && derived >= 5);
}

/* A profile may have measured some of its constants: the others are derived, and both stay so when it is
 * written. */
TEST(some_constants_may_be_derived)
{
    static const char start[] =
        "title = Some GPU\ncompute capability = 8.0\nmultiprocessors = 66\nL2 = 20 MiB\n"
        "memory = 8 GiB\nbandwidth = 1 TB/s\nmeasured on = one in a drawer\n";
    static const char *const keys[] = {
        "next launch",           "L1 latency",          "L2 latency",      "memory latency",
        "shared memory latency", "L1 bandwidth",        "L2 bandwidth",    "read bandwidth",
        "write bandwidth",       "reduction bandwidth", "meeting addition"};
    struct text text = {0}, back = {0};
    struct gpu gpu, again, all;
    struct error error = {0};
    text_append(&text, "%slaunch = 5 us\n", start);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        text_append(&text, "%s = %s\n", keys[k], k % 2 ? "derived" : "Derived");
    if (gpu_read(text.data, text.length, "some.gpu", &gpu, &error) != STATUS_OK)
        fail_msg("%s", error.message);
    all = gpu;
    gpu_pace_derive(&all);
    assert_true(gpu.pace.launch == 5e-6 && gpu.pace.next == all.pace.next &&
                gpu.pace.meeting == all.pace.meeting);
    assert_false(gpu.pace.measured);
    assert_true(gpu.pace.derived != 0 && gpu.pace.derived != ~0U && !(gpu.pace.derived & 1));
    gpu_describe(&gpu, &back);
    assert_says(back.data, "\nlaunch = 5000 ns\n", "\nnext launch = derived # ",
                "\nmeasured on = one in a drawer\n");
    assert_int_equal(gpu_read(back.data, back.length, "some.gpu", &again, NULL), STATUS_OK);
    assert_memory_equal(&gpu, &again, sizeof gpu);
    text_free(&text);
    text_free(&back);
    /* only constants can be derived */
    text_append(&text, "title = Some GPU\nL2 = derived\n");
    assert_int_equal(gpu_read(text.data, text.length, "some.gpu", &gpu, &error), STATUS_INPUT);
    text_free(&text);
}

static void expect_no_faster(const char *what, const struct gpu_pace *derived,
                             const struct gpu_pace *measured)
{
    const double longer[][2] = {{derived->launch, measured->launch},
                                {derived->next, measured->next},
                                {derived->l1_latency, measured->l1_latency},
                                {derived->l2_latency, measured->l2_latency},
                                {derived->memory_latency, measured->memory_latency},
                                {derived->shared_latency, measured->shared_latency},
                                {derived->meeting, measured->meeting},
                                {measured->l1, derived->l1},
                                {measured->l2, derived->l2},
                                {measured->read, derived->read},
                                {measured->write, derived->write},
                                {measured->reductions, derived->reductions}};
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++)
        if (longer[k][0] < longer[k][1]) fail_msg("%s: number %zu", what, k);
}

/* The rule: derived constants are no faster than those of any measured GPU, if a GPU has no more
 * multiprocessors and no more bandwidth; and a launch takes as long as on the slowest measured host. */
TEST(derived_constants_are_not_faster_than_measured_ones)
{
    double launch = 0, next = 0;
    int compared = 0;
    for (const struct gpu_file *file = gpu_files; file->name; file++) {
        const struct gpu measured = find(file->name);
        if (!measured.pace.measured) continue;
        launch = fmax(launch, measured.pace.launch);
        next = fmax(next, measured.pace.next);
        for (const struct gpu_file *other = gpu_files; other->name; other++) {
            const struct gpu derived = find(other->name);
            if (derived.pace.measured || derived.multiprocessors > measured.multiprocessors ||
                derived.bandwidth > measured.bandwidth)
                continue;
            expect_no_faster(other->name, &derived.pace, &measured.pace);
            compared++;
        }
    }
    assert_true(compared >= 10);
    for (const struct gpu_file *file = gpu_files; file->name; file++) {
        const struct gpu gpu = find(file->name);
        if (!gpu.pace.measured) assert_true(gpu.pace.launch == launch && gpu.pace.next == next);
    }
}

/* The forecasts of all kernels of GPUs for a matrix. Free with results_free. */
static struct results foresee(const char *name, const char *gpu_name, const char *kernels_wanted,
                              enum precision precision)
{
    struct session session;
    struct kernel_list list = {0};
    struct results results = {0};
    const struct load_options options = {0};
    struct error error = {0};
    const struct gpu gpu = find(gpu_name);
    const struct estimate_options how = {.gpu = &gpu, .seed = 1};
    if (session_load(&session, name, &options, NULL, &error) != STATUS_OK) fail_msg("%s", error.message);
    assert_int_equal(kernel_list_add(&list, kernels_wanted, &error), STATUS_OK);
    for (int k = 0; k < list.count; k++) {
        const struct kernel_choice choice = kernel_choice_with(&list.choices[k], precision, 0);
        assert_int_equal(results_want(&results, &choice, NULL), STATUS_OK);
    }
    assert_int_equal(results_foresee(&results, &session.shown->pool, &how, 0, NULL, &error), STATUS_OK);
    kernel_list_free(&list);
    session_free(&session);
    return results;
}

static double fastest(const struct results *results)
{
    double least = INFINITY;
    for (int k = 0; k < results->count; k++)
        if (results->items[k].predicted[0].there) least = fmin(least, results->items[k].predicted[0].seconds);
    return least;
}

/* The forecasts for an A100, which was not measured, were once a fifth faster than those for an H100 on every
 * small matrix, since the launch time came from another host. The A100 has fewer multiprocessors and less
 * bandwidth, and none of its constants is smaller. But its L1 has another size, so that a matrix may come out
 * slightly faster. */
TEST(an_a100_is_not_faster_than_an_h100)
{
    static const char *const small[] = {"gen:laplace2d,n=20", "gen:random,m=1000,mean=5",
                                        "gen:stencil27,n=10", "gen:powerlaw,scale=9,edge=8",
                                        "gen:banded,n=2000,lower=5,upper=5"};
    const int count = (int)(sizeof small / sizeof *small);
    int slower = 0;
    for (int k = 0; k < count; k++) {
        FREED(results_free) struct results a100 = foresee(small[k], "a100", "cuda", PRECISION_F64);
        FREED(results_free) struct results h100 = foresee(small[k], "h100", "cuda", PRECISION_F64);
        const double ratio = fastest(&a100) / fastest(&h100);
        print_message("# %s: an A100 takes %.4f of the time of an H100\n", small[k], ratio);
        if (!(ratio > 0.99)) fail_msg("%s: %g", small[k], ratio);
        slower += ratio >= 1;
        for (int of = 0; of < a100.count; of++) {
            const struct prediction *there = &a100.items[of].predicted[0],
                                    *here = &h100.items[of].predicted[0];
            if (there->there) assert_true(there->derived && log(there->high / there->low) > 0);
            if (here->there) assert_int_equal(here->derived, kernel_borrows(h100.items[of].choice.kernel));
        }
    }
    assert_true(2 * slower > count);
}

/* cuSPARSE 12 supports GPUs from 5.0 on, lanes exchange values by shuffles from 3.0 on, and doubles are added
 * to from 6.0 on (CUDA C++ Programming Guide; release notes of CUDA 12). */
TEST(old_gpus_lack_what_kernels_need)
{
    static const struct {
        const char *kernel, *gpu;
        enum precision precision;
        const char *reason; /* NULL: it runs there */
    } cases[] = {
        {"cusparse/csr-alg1", "gtx480", PRECISION_F64,
         "needs compute capability 5.0, and the NVIDIA GeForce GTX 480 has 2.0"},
        {"cusparse/csr-alg2", "k20m", PRECISION_F32, "cuSPARSE 12 needs compute capability 5.0"},
        {"cusparse/bsr", "k20m", PRECISION_F64, "cuSPARSE 12"},
        {"cusparse/csr-op1", "k20m", PRECISION_F64, "cuSPARSE 12"},
        {"cusparse/coo-alg1", "v100", PRECISION_F64, NULL},
        {"cuda/csr-vector:threads=32", "gtx480", PRECISION_F64, "shuffles need compute capability 3.0"},
        {"cuda/csr-vector:threads=32,reduce=shared", "gtx480", PRECISION_F64, NULL},
        {"cuda/csr-vector:threads=32", "k20m", PRECISION_F64, NULL},
        {"cuda/csr-scalar", "gtx480", PRECISION_F64, NULL},
        {"cuda/csr-segmented", "gtx480", PRECISION_F64, "shuffles"},
        {"cuda/cmrs", "gtx480", PRECISION_F32, "shuffles"},
        {"cuda/cmrs", "k20m", PRECISION_F64, NULL},
        {"cuda/coo-atomic", "k20m", PRECISION_F64, "atomic additions of doubles need compute capability 6.0"},
        {"cuda/coo-atomic", "k20m", PRECISION_F32, NULL},
        {"cuda/hyb", "k20m", PRECISION_F64, "doubles"},
        {"cuda/coo-segmented", "gtx480", PRECISION_F32, "shuffles"},
        {"cuda/jds", "k20m", PRECISION_F64, NULL},
        {"cuda/jds:longest=2", "k20m", PRECISION_F64, "doubles"},
        {"cuda/csr-segmented", "v100", PRECISION_F64, NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct results results =
            foresee("gen:laplace2d,n=20", cases[k].gpu, cases[k].kernel, cases[k].precision);
        assert_int_equal(results.count, 1);
        const struct result *result = &results.items[0];
        const struct gpu gpu = find(cases[k].gpu);
        struct error reason = {0};
        enum status status = kernel_runs_on(&result->resolved, &gpu, &reason);
        assert_int_equal(status, cases[k].reason ? STATUS_UNAVAILABLE : STATUS_OK);
        if (cases[k].reason && !strstr(reason.message, cases[k].reason))
            fail_msg("%s on %s: %s", cases[k].kernel, cases[k].gpu, reason.message);
        if (cases[k].reason) assert_false(result->predicted[0].there || result->predicted[1].there);
        /* without a GPU, that reason also tells why it cannot run */
        if (cases[k].reason && result->status != STATUS_OK)
            assert_string_equal(result->error.message, reason.message);
        if (!cases[k].reason && result->choice.kernel->pace.request > 0 &&
            strcmp(cases[k].kernel, "cusparse/bsr"))
            assert_true(result->predicted[0].there);
        results_free(&results);
    }
}
